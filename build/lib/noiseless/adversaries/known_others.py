"""Adversaries of the membership game who know the mechanism, and some or all of the other homes.

A published mean of n homes, quantized, says for each reading in which cell the sum of the n homes
lies.  Such an adversary knows the cells, the readings of both candidates, and the sum of k of the
n - 1 other homes.  What is left are ``m = n - 1 - k`` homes it does not know.

1. :func:`consistent` is all that there is to know for m = 0: a candidate whose sum leaves a cell is
   ruled out.  The mechanism is deterministic, so nothing beats this adversary: its advantage is
   the probability that the two candidates give different outputs.
2. :class:`Population` is what an adversary with m > 0 takes the unknown homes from: the mean of
   other homes at each reading, how far they spread, and how readings spread together.
3. :func:`independent` is the logarithm of the likelihood ratio of the candidates, if unknown homes
   were normal and readings independent of each other.  They are not: a home that uses much does so
   every day, and the adversary takes one surprise for many.
4. :func:`factors` lets readings spread together (a normal factor model), and replaces each cell by
   the mean and variance that it leaves (one round of expectation propagation).

Both are approximations of the likelihood; neither is the best that can be done with that knowledge.
Energies are in Wh and cells are cells of the sum, not of the mean.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Normal tails are not to be trusted: a cell never has less than this share of what a normal of ten
# times the spread could give it.
_LEAST_SHARE = 1e-4
_NARROW = 0.01  # of a standard deviation: across such a cell a normal density is a straight line
_HOMES_PER_FACTOR = 8
_TINY = 1e-250


def consistent(cells: Ints, candidate_cells: Ints) -> NDArray[np.bool_]:
    """Whether each candidate could be the member, with all other homes known.

    Parameters
    ----------
    cells : ndarray of int, shape (G, T)
        Numbers of the published cells.
    candidate_cells : ndarray of int, shape (G, 2, T)
        Those that would have been published with either candidate as the member.

    Returns
    -------
    ndarray of bool, shape (G, 2)
        True for the member.
    """
    return (candidate_cells == cells[:, None]).all(axis=-1)


@dataclass(frozen=True)
class Population:
    """Homes as draws from a normal distribution with common factors.

    Attributes
    ----------
    mean_wh : ndarray, shape (T,)
        Mean of a home at each reading.
    loadings_wh : ndarray, shape (T, r)
        What one standard deviation of each factor adds.
    residual_wh2 : ndarray, shape (T,)
        Variance that the factors leave, larger than 0.
    """

    mean_wh: Floats
    loadings_wh: Floats
    residual_wh2: Floats

    @classmethod
    def estimate(cls, readings_wh: Ints, *, factors: int) -> "Population":
        """From the readings of some homes, by principal components.

        Parameters
        ----------
        readings_wh : ndarray of int, shape (homes, T)
            At least two homes.
        factors : int
            Number r; no more than one for eight homes and one for four readings.
        """
        homes, t = readings_wh.shape
        r = min(factors, homes // _HOMES_PER_FACTOR, t // 4)
        mean = readings_wh.mean(axis=0)
        centred = (readings_wh - mean) / np.sqrt(homes - 1)
        _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
        loadings = directions[:r].T * sizes[:r]
        variance = (centred**2).sum(axis=0)
        # A reading that all homes share would leave nothing to be uncertain of.
        least = 1e-6 * variance.mean() + 1.0
        return cls(mean, loadings, np.maximum(variance - (loadings**2).sum(axis=1), least))


@dataclass(frozen=True)
class PartialKnowledge:
    """What an adversary with m >= 1 unknown homes has before it, for G games of T readings.

    Attributes
    ----------
    lower_wh, upper_wh : ndarray, shape (G, T)
        Ends of the published cells of the sum; the outermost cells are infinite.
    candidates_wh : ndarray, shape (G, 2, T)
        What either candidate would contribute.
    known_wh : ndarray, shape (G, T)
        Sum of the k known homes.
    unknown : int
        m.
    times : ndarray of int, shape (G, T) or (1, T)
        Positions of the readings in the population's.
    """

    lower_wh: Floats
    upper_wh: Floats
    candidates_wh: Ints
    known_wh: Ints
    unknown: int
    times: Ints


def independent(knowledge: PartialKnowledge, population: Population) -> Floats:
    """Log-likelihood ratio of candidate 0, readings taken to be independent.

    The sum, over readings, of the logarithms of the ratio of probabilities of the published cell.

    Returns
    -------
    ndarray, shape (G,)
        Positive for candidate 0, negative for candidate 1, 0 for none; so for all adversaries.
    """
    m, times = knowledge.unknown, knowledge.times
    variance = population.residual_wh2 + (population.loadings_wh**2).sum(axis=1)
    spread = np.sqrt(m * variance)[times]
    expected = knowledge.known_wh + m * population.mean_wh[times]
    zero, one = (
        _cell_probability(
            (knowledge.lower_wh - expected - candidate) / spread,
            (knowledge.upper_wh - expected - candidate) / spread,
        )
        for candidate in knowledge.candidates_wh.swapaxes(0, 1)
    )
    return np.log(zero / one).sum(axis=1)


def factors(knowledge: PartialKnowledge, population: Population) -> Floats:
    """Log-likelihood ratio of candidate 0 under the factor model.

    A cell is replaced by a normal observation of the sum whose mean and precision, together with
    the prior halfway between the candidates, give the moments of the prior cut to the cell.  The
    ratio of two normal likelihoods with covariance ``m (L L' + R) + noise`` is linear in it, and by
    Woodbury's identity needs the inverse of an r x r matrix only.

    Returns
    -------
    ndarray, shape (G,)
    """
    m, times = knowledge.unknown, knowledge.times
    zero, one = knowledge.candidates_wh.swapaxes(0, 1)
    half = (zero - one) / 2
    centre = knowledge.known_wh + (zero + one) / 2 + m * population.mean_wh[times]
    residual = m * population.residual_wh2[times]
    loadings = np.sqrt(m) * population.loadings_wh[times]  # (G or 1, T, r)
    prior = residual + (loadings**2).sum(axis=-1) + half**2
    mean, variance = _cut_moments(knowledge.lower_wh - centre, knowledge.upper_wh - centre, prior)
    precision = 1 / variance - 1 / prior
    # Of the residual and the observation together, and times the observation's distance.
    weight = precision / (1 + precision * residual)
    pull = mean / variance / (1 + precision * residual)
    ratio = (half * pull).sum(axis=1)
    r = loadings.shape[-1]
    if r:
        squares = (loadings[..., None] * loadings[..., None, :]).reshape(*loadings.shape[:2], -1)
        inner = (weight[:, None] @ squares).reshape(-1, r, r) + np.eye(r)
        right = np.linalg.solve(inner, (pull[:, None] @ loadings).swapaxes(1, 2))
        ratio -= (((half * weight)[:, None] @ loadings) @ right)[:, 0, 0]
    return 2 * ratio


def _cell_probability(lower: Floats, upper: Floats) -> Floats:
    """Probability of a cell under the standard normal, with a little weight far out."""
    low, high, _ = _leftward(lower, upper)
    width = high - low
    narrow = width < _NARROW
    wide = ~narrow
    probability = np.empty(width.shape)
    probability[wide] = ndtr(high[wide]) - ndtr(low[wide])
    # Where a cell is narrow, that difference would cancel.
    probability[narrow] = width[narrow] * _density(high[narrow] - width[narrow] / 2)
    return probability + _LEAST_SHARE * np.minimum(width / 10, 1)


def _cut_moments(lower: Floats, upper: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of a normal of mean 0, cut to [lower, upper]."""
    spread = np.sqrt(variance)
    low, high, sign = _leftward(lower / spread, upper / spread)
    narrow = high - low < _NARROW
    mean, share = np.empty(low.shape), np.empty(low.shape)
    width = (high - low)[narrow]
    middle = high[narrow] - width / 2
    mean[narrow] = middle * (1 - width**2 / 12)
    share[narrow] = width**2 / 12
    wide = ~narrow
    mean[wide], share[wide] = _wide_moments(low[wide], high[wide])
    return sign * spread * np.clip(mean, low, high), variance * np.clip(share, 1e-15, 1)


def _wide_moments(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of a standard normal cut to [low, high], shape (cells,)."""
    density_low, density_high = _density(low), _density(high)
    probability = ndtr(high) - ndtr(low)
    far = probability < _TINY
    probability = np.where(far, 1, probability)
    mean = (density_low - density_high) / probability
    with np.errstate(invalid="ignore"):
        low_part = np.where(density_low > 0, low * density_low, 0)
        high_part = np.where(density_high > 0, high * density_high, 0)
    share = 1 + (low_part - high_part) / probability - mean**2
    # Beyond what floats hold, the tail is exponential from the nearer end.
    mean[far], share[far] = high[far] + 1 / high[far], 1 / high[far] ** 2
    return mean, share


def _density(x: Floats) -> Floats:
    """Of the standard normal."""
    return np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


def _leftward(low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    """A cell mirrored so that its nearer end is on the left of 0, where ``ndtr`` is accurate."""
    mirrored = low > -high  # also where both are infinite
    return (
        np.where(mirrored, -high, low),
        np.where(mirrored, -low, high),
        np.where(mirrored, -1.0, 1.0),
    )
