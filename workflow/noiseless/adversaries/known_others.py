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
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from noiseless.adversaries.compiled import IS_COMPILED, njit
from noiseless.adversaries.normal import tail_and_density

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Normal tails are not to be trusted: a cell never has less than this share of what a normal of ten
# times the spread could give it.
_LEAST_SHARE = 1e-4
_NARROW = 0.01  # of a standard deviation: across such a cell a normal density is a straight line
_HOMES_PER_FACTOR = 8
_TINY = 1e-250
_FAR = 1e300
# A cell's probabilities given two candidates have a ratio below 4e4: neither is larger than 0.4 of
# the width, and neither smaller than 1e-5 of it.  Floats hold the product of this many.
_RATIOS_AT_ONCE = 64
_SMALL = 1e-9  # the errors of a product are no longer small beside a logarithm below it


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

    @cached_property
    def variance_wh2(self) -> Floats:
        """Variance of a home at each reading, shape (T,)."""
        return self.residual_wh2 + (self.loadings_wh**2).sum(axis=1)

    @cached_property
    def squares_wh2(self) -> Floats:
        """Products of the loadings of each two factors, the first not before the second.

        Shape (T, r (r + 1) / 2).
        """
        first, second = np.tril_indices(self.loadings_wh.shape[1])
        return self.loadings_wh[:, first] * self.loadings_wh[:, second]


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
    starts : ndarray of int, shape (G,)
        Positions of each game's first reading in the population's.
    """

    lower_wh: Floats
    upper_wh: Floats
    candidates_wh: Ints
    known_wh: Ints
    unknown: int
    starts: Ints

    @property
    def times(self) -> Ints:
        """Positions of all readings in the population's, shape (G, T); (1, T) if all are equal."""
        starts = self.starts[:1] if (self.starts == self.starts[0]).all() else self.starts
        return starts[:, None] + np.arange(self.lower_wh.shape[1])


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
    m = knowledge.unknown
    spread = np.sqrt(m * population.variance_wh2)
    if compiled and IS_COMPILED:
        return _independent(*_arrays(knowledge), m * population.mean_wh, spread, knowledge.starts)
    times = knowledge.times
    spread = spread[times]
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
        See :func:`independent`.

    Returns
    -------
    ndarray, shape (G,)
    """
    m, starts, loadings = knowledge.unknown, knowledge.starts, population.loadings_wh
    if compiled and IS_COMPILED:
        ratio, pull, weight, half_weight = _observations(
            *_arrays(knowledge),
            m * population.mean_wh,
            m * population.variance_wh2,
            m * population.residual_wh2,
            starts,
        )
        return 2 * ratio - 2 * _products_by_inverses(
            m * _sums(weight, population.squares_wh2, starts),
            m * _sums(pull, loadings, starts),
            _sums(half_weight, loadings, starts),
        )
    times = knowledge.times
    zero, one = knowledge.candidates_wh.swapaxes(0, 1)
    half = (zero - one) / 2
    centre = knowledge.known_wh + (zero + one) / 2 + m * population.mean_wh[times]
    residual = m * population.residual_wh2[times]
    loadings = np.sqrt(m) * loadings[times]  # (G or 1, T, r)
    prior = residual + (loadings**2).sum(axis=-1) + half**2
    mean, variance = _cut_moments(knowledge.lower_wh - centre, knowledge.upper_wh - centre, prior)
    precision = 1 / variance - 1 / prior
    # The precision of residual and observation together, and that times the observation's distance.
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


def _sums(values: Floats, rows: Floats, starts: Ints) -> Floats:
    """Sums over readings of values (G, T) times the rows of the games' windows, shape (G, p)."""
    if (starts == starts[0]).all():
        return values @ rows[starts[0] : starts[0] + values.shape[1]]
    sums = np.zeros((len(values), rows.shape[1]))
    _add_rows(values, rows, starts, sums)
    return sums


@njit(cache=True, nogil=True)
def _add_rows(values, rows, starts, sums):  # noqa: ANN001, ANN202
    """:func:`_sums` of windows that differ, into zeros."""
    for g in range(len(values)):
        of_game = sums[g]
        for t in range(values.shape[1]):
            value, row = values[g, t], rows[starts[g] + t]
            for place in range(len(row)):
                of_game[place] += value * row[place]


def _arrays(knowledge: PartialKnowledge) -> tuple[Floats, Floats, Ints, Ints]:
    """What both compiled loops are told of the games, in one layout, compiled once."""
    return (
        np.ascontiguousarray(knowledge.lower_wh),
        np.ascontiguousarray(knowledge.upper_wh),
        np.ascontiguousarray(knowledge.candidates_wh),
        np.ascontiguousarray(knowledge.known_wh),
    )


# In the loops over readings, all cells are taken for wide ones, and then all for narrow ones where
# there are any: without branches, the compiler takes several cells at once.


@njit(cache=True, nogil=True, error_model="numpy")
def _independent(lower, upper, candidates, known, mean, spread, starts):  # noqa: ANN001, ANN202
    """:func:`independent`, game by game."""
    games, days = lower.shape
    logarithms, probabilities = np.zeros(games), np.empty((2, days))
    low, high = np.empty(days), np.empty(days)
    for g in range(games):
        ends, others = (lower[g], upper[g]), known[g]
        usual, size = mean[starts[g] : starts[g] + days], spread[starts[g] : starts[g] + days]
        for c in range(2):
            candidate, probability = candidates[g, c], probabilities[c]
            narrow = 0
            for t in range(days):
                expected = others[t] + usual[t]
                low[t] = (ends[0][t] - expected - candidate[t]) / size[t]
                high[t] = (ends[1][t] - expected - candidate[t]) / size[t]
                narrow += high[t] - low[t] < _NARROW
            if narrow < days:
                for t in range(days):
                    probability[t] = _wide_probability(low[t], high[t])
            if narrow > 0:
                for t in range(days):
                    width = high[t] - low[t]
                    _, density = tail_and_density(abs(high[t] - width / 2))
                    probability[t] = width * density if width < _NARROW else probability[t]
            for t in range(days):
                probability[t] += _LEAST_SHARE * min((high[t] - low[t]) / 10, 1.0)
        ratio = probabilities[0]
        for t in range(days):
            ratio[t] /= probabilities[1, t]
        for first in range(0, days, _RATIOS_AT_ONCE):
            product = 1.0
            for t in range(first, min(first + _RATIOS_AT_ONCE, days)):
                product *= ratio[t]
            logarithms[g] += math.log(product)
        if abs(logarithms[g]) < _SMALL:
            logarithms[g] = 0.0
            for t in range(days):
                if ratio[t] != 1:
                    logarithms[g] += math.log(ratio[t])
    return logarithms


@njit(cache=True, nogil=True, error_model="numpy")
def _observations(lower, upper, candidates, known, mean, variance, residual, starts):  # noqa: ANN001, ANN202
    """What :func:`factors` makes of each cell: pull, weight, and weight times ``half``.

    Before them, the sums of the pulls times ``half``.
    """
    games, days = lower.shape
    ratio = np.zeros(games)
    pulls, weights, half_weights = np.empty((3, games, days))
    low, high, spread = np.empty(days), np.empty(days), np.empty(days)
    moved, share = np.empty(days), np.empty(days)
    for g in range(games):
        ends, others, (zero, one) = (lower[g], upper[g]), known[g], candidates[g]
        usual, prior = mean[starts[g] : starts[g] + days], variance[starts[g] : starts[g] + days]
        left_over = residual[starts[g] : starts[g] + days]
        narrow = 0
        for t in range(days):
            centre = others[t] + (zero[t] + one[t]) / 2 + usual[t]
            spread[t] = np.sqrt(prior[t] + ((zero[t] - one[t]) / 2) ** 2)
            low[t], high[t] = (ends[0][t] - centre) / spread[t], (ends[1][t] - centre) / spread[t]
            narrow += high[t] - low[t] < _NARROW
        if narrow < days:
            for t in range(days):
                moved[t], share[t] = _wide_cut(low[t], high[t])
        if narrow > 0:
            for t in range(days):
                width = high[t] - low[t]
                middle = (high[t] - width / 2) * (1 - width**2 / 12)
                moved[t] = middle if width < _NARROW else moved[t]
                share[t] = width**2 / 12 if width < _NARROW else share[t]
        pull, weight, half_weight = pulls[g], weights[g], half_weights[g]
        for t in range(days):
            left = min(max(share[t], 1e-15), 1.0)
            # The precision of the observation is (1 - left) / (left * spread**2).
            together = left * spread[t] ** 2 + (1 - left) * left_over[t]
            weight[t] = (1 - left) / together
            pull[t] = min(max(moved[t], low[t]), high[t]) * spread[t] / together
        for t in range(days):
            half_weight[t] = (zero[t] - one[t]) / 2 * weight[t]
        total = 0.0
        for t in range(days):
            total += (zero[t] - one[t]) / 2 * pull[t]
        ratio[g] = total
    return ratio, pulls, weights, half_weights


@njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _wide_probability(low, high):  # noqa: ANN001, ANN202
    """Probability of a cell that is not narrow."""
    low, high = min(low, -high), min(high, -low)
    near, _ = tail_and_density(abs(high))
    far, _ = tail_and_density(-low)
    return (near if high <= 0 else 1 - near) - far


@njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _wide_cut(left, right):  # noqa: ANN001, ANN202
    """:func:`_cut_moments` of a cell that is not narrow, of a variance of 1, not yet clipped."""
    low, high = min(left, -right), min(right, -left)
    near, at_high = tail_and_density(abs(high))
    far, at_low = tail_and_density(-low)
    probability = (near if high <= 0 else 1 - near) - far
    # Where an end is infinite, its density is 0.
    parts = max(low, -_FAR) * at_low - min(high, _FAR) * at_high
    mean = (at_low - at_high) / probability
    share = 1 + parts / probability - mean**2
    # Beyond what floats hold, the tail is exponential from the nearer end.
    beyond = probability < _TINY
    mean = high + 1 / high if beyond else mean
    share = 1 / high**2 if beyond else share
    return (-mean if left > -right else mean), share


@njit(cache=True, nogil=True, error_model="numpy")
def _products_by_inverses(inner, right, left):  # noqa: ANN001, ANN202
    """v^T (M + 1)^-1 w for each of G games, shape (G,), from the Cholesky factors.

    The lower half of each matrix is given row by row.  Both vectors are divided by the triangle;
    all are overwritten.
    """
    products = np.zeros(len(inner))
    for g in range(len(inner)):
        triangle, one, other = inner[g], right[g], left[g]
        for a in range(len(one)):
            row = a * (a + 1) // 2
            triangle[row + a] += 1
            for b in range(a + 1):
                column = b * (b + 1) // 2
                for c in range(b):
                    triangle[row + b] -= triangle[row + c] * triangle[column + c]
                if b < a:
                    triangle[row + b] /= triangle[column + b]
                    one[a] -= triangle[row + b] * one[b]
                    other[a] -= triangle[row + b] * other[b]
            triangle[row + a] = np.sqrt(triangle[row + a])
            one[a] /= triangle[row + a]
            other[a] /= triangle[row + a]
            products[g] += one[a] * other[a]
    return products


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
    """Density of the standard normal."""
    return np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


def _leftward(low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    """A cell mirrored so that its nearer end is on the left of 0, where ``ndtr`` is accurate."""
    mirrored = low > -high  # also where both are infinite
    return (
        np.where(mirrored, -high, low),
        np.where(mirrored, -low, high),
        np.where(mirrored, -1.0, 1.0),
    )
