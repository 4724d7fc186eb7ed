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

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from noiseless.compiled import IS_COMPILED, njit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Normal tails are not to be trusted: a cell never has less than this share of what a normal of ten
# times the spread could give it.
_LEAST_SHARE = 1e-4
_NARROW = 0.01  # of a standard deviation: across such a cell a normal density is a straight line
_HOMES_PER_FACTOR = 8
_TINY = 1e-250
_SQRT_HALF = math.sqrt(0.5)
_DENSITY_AT_0 = 1 / math.sqrt(2 * math.pi)


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


def independent(
    knowledge: PartialKnowledge, population: Population, *, compiled: bool = True
) -> Floats:
    """Log-likelihood ratio of candidate 0, readings taken to be independent.

    The sum, over readings, of the logarithms of the ratio of probabilities of the published cell.

    Parameters
    ----------
    knowledge : PartialKnowledge
    population : Population
    compiled : bool
        Whether to take the fast path, where numba compiles it; it adds in another order.

    Returns
    -------
    ndarray, shape (G,)
        Positive for candidate 0, negative for candidate 1, 0 for none; so for all adversaries.
    """
    m, times = knowledge.unknown, knowledge.times
    variance = population.residual_wh2 + (population.loadings_wh**2).sum(axis=1)
    if compiled and IS_COMPILED:
        return _independent(
            *_arrays(knowledge), m * population.mean_wh, np.sqrt(m * variance), times
        )
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


def factors(
    knowledge: PartialKnowledge, population: Population, *, compiled: bool = True
) -> Floats:
    """Log-likelihood ratio of candidate 0 under the factor model.

    A cell is replaced by a normal observation of the sum whose mean and precision, together with
    the prior halfway between the candidates, give the moments of the prior cut to the cell.  The
    ratio of two normal likelihoods with covariance ``m (L L' + R) + noise`` is linear in it, and by
    Woodbury's identity needs the inverse of an r x r matrix only.

    Parameters
    ----------
    knowledge, population, compiled
        As for :func:`independent`.

    Returns
    -------
    ndarray, shape (G,)
    """
    m, times = knowledge.unknown, knowledge.times
    if compiled and IS_COMPILED:
        ratio, inner, right, left = _factors(
            *_arrays(knowledge),
            m * population.mean_wh,
            m * population.residual_wh2,
            np.ascontiguousarray(np.sqrt(m) * population.loadings_wh),
            times,
        )
        solved = np.linalg.solve(inner + np.eye(inner.shape[1]), right[..., None])[..., 0]
        return 2 * (ratio - (left * solved).sum(axis=1))
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


def _arrays(knowledge: PartialKnowledge) -> tuple[Floats, Floats, Ints, Ints]:
    """What both compiled likelihoods are told of the games, in one layout, compiled once."""
    return (
        np.ascontiguousarray(knowledge.lower_wh),
        np.ascontiguousarray(knowledge.upper_wh),
        np.ascontiguousarray(knowledge.candidates_wh),
        np.ascontiguousarray(knowledge.known_wh),
    )


@njit(cache=True, nogil=True)
def _independent(lower, upper, candidates, known, mean, spread, times):  # noqa: ANN001, ANN202
    """:func:`independent`, reading by reading."""
    ratio = np.zeros(len(lower))
    for g in range(len(lower)):
        at = times[g if len(times) > 1 else 0]
        for t in range(lower.shape[1]):
            size = spread[at[t]]
            expected = known[g, t] + mean[at[t]]
            low, high = lower[g, t] - expected, upper[g, t] - expected
            zero, one = candidates[g, 0, t], candidates[g, 1, t]
            if zero != one:
                ratio[g] += math.log(
                    _probability((low - zero) / size, (high - zero) / size)
                    / _probability((low - one) / size, (high - one) / size)
                )
    return ratio


@njit(cache=True, nogil=True)
def _factors(lower, upper, candidates, known, mean, residual, loadings, times):  # noqa: ANN001, ANN202
    """Sums over the readings that :func:`factors` needs: a number, a matrix and two vectors."""
    games, r = len(lower), loadings.shape[1]
    prior_of_others = residual + (loadings**2).sum(axis=1)
    ratio, inner = np.zeros(games), np.zeros((games, r, r))
    right, left = np.zeros((games, r)), np.zeros((games, r))
    for g in range(games):
        at = times[g if len(times) > 1 else 0]
        for t in range(lower.shape[1]):
            zero, one = candidates[g, 0, t], candidates[g, 1, t]
            half = (zero - one) / 2
            centre = known[g, t] + (zero + one) / 2 + mean[at[t]]
            prior = prior_of_others[at[t]] + half**2
            middle, variance = _cut(lower[g, t] - centre, upper[g, t] - centre, prior)
            precision = 1 / variance - 1 / prior
            together = 1 + precision * residual[at[t]]
            weight, pull = precision / together, middle / variance / together
            ratio[g] += half * pull
            of_reading = loadings[at[t]]
            for a in range(r):
                right[g, a] += pull * of_reading[a]
                left[g, a] += half * weight * of_reading[a]
                scaled = weight * of_reading[a]
                for b in range(r):
                    inner[g, a, b] += scaled * of_reading[b]
    return ratio, inner, right, left


@njit(cache=True, nogil=True)
def _probability(low, high):  # noqa: ANN001, ANN202
    """:func:`_cell_probability` of one cell."""
    if low > -high:
        low, high = -high, -low
    width = high - low
    if width < _NARROW:
        middle = high - width / 2
        probability = width * math.exp(-(middle**2) / 2) * _DENSITY_AT_0
    else:
        probability = (math.erfc(-high * _SQRT_HALF) - math.erfc(-low * _SQRT_HALF)) / 2
    return probability + _LEAST_SHARE * min(width / 10, 1.0)


@njit(cache=True, nogil=True)
def _cut(lower, upper, variance):  # noqa: ANN001, ANN202
    """:func:`_cut_moments` of one cell."""
    spread = math.sqrt(variance)
    low, high, sign = lower / spread, upper / spread, 1.0
    if low > -high:
        low, high, sign = -high, -low, -1.0
    width = high - low
    if width < _NARROW:
        mean, share = (high - width / 2) * (1 - width**2 / 12), width**2 / 12
    else:
        probability = (math.erfc(-high * _SQRT_HALF) - math.erfc(-low * _SQRT_HALF)) / 2
        if probability < _TINY:
            # Beyond what floats hold, the tail is exponential from the nearer end.
            mean, share = high + 1 / high, 1 / high**2
        else:
            at_low = math.exp(-(low**2) / 2) * _DENSITY_AT_0
            at_high = math.exp(-(high**2) / 2) * _DENSITY_AT_0
            low_part = low * at_low if at_low > 0 else 0.0
            high_part = high * at_high if at_high > 0 else 0.0
            mean = (at_low - at_high) / probability
            share = 1 + (low_part - high_part) / probability - mean**2
    return sign * spread * min(max(mean, low), high), variance * min(max(share, 1e-15), 1.0)


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
