"""The normal likelihood of a published sum, for an adversary who knows what other homes are like.

A curator publishes the sum of n homes (n times their mean) for each of T readings, with noise or in
cells.  The adversary knows the readings of a candidate, and statistics of homes that are not in the
sum.  Were homes normal, and their covariance known, the ratio of two likelihoods would be the best
that this knowledge allows (Neyman and Pearson).  Homes are not, and it is estimated.

1. :class:`Population` is what homes are like: the mean of each reading, and a covariance.  With
   fewer homes than readings the measured one is singular, so its correlations are shrunk, by
   :data:`STATIONARY_SHARE`, to those that a stationary process has around the level of a home:
   they depend on nothing but the distance of two readings.
2. :class:`PublishedSum` is the sum of the homes that the adversary does not know, as it is
   published.  Noise adds to the variance, and narrow cells are noise, spread evenly.  A wide cell
   is replaced by a normal observation that gives the mean and variance of the sum within it
   (expectation propagation).  The first round knows how the sum is spread; each of two more knows
   what the cells of all other readings tell of it.  Few cells may be cut, and tell far more than
   the others, so that each has a precision of its own.
3. For these rounds, the covariance is that of a few factors and of what each reading has of its
   own, whose inverse is a small matrix's for every game (:class:`_Factors`); of
   :data:`SHORT` readings or fewer, it is the same covariance.  The likelihoods are those of the
   covariance itself: its equations are solved by conjugate gradients, which the factors
   precondition, until what is left is 1 % of the right-hand side in the factors' metric.  Solved to
   the end, they would turn round the preference in at most three games of a thousand.

The share is no parameter to be chosen with care: from 0.3 to 0.6, what is gained from daily means
of London's homes differs by less than 0.015.

References
----------
O. Ledoit, M. Wolf, "A well-conditioned estimator for large-dimensional covariance matrices",
J. Multivariate Anal. 88, 2004, who shrink to equal variances; T. Minka, "Expectation propagation
for approximate Bayesian inference", UAI 2001.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, toeplitz

from noiseless.adversaries.compiled import njit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STATIONARY_SHARE = 0.4
SHORT = 8  # readings, of which as many factors tell everything
_NARROW = 1.0  # standard deviations: within such a cell, a sum is spread evenly
_TINY = 1e-250
_INFINITE = 1e300
_ROOT_2, _ROOT_2_PI = math.sqrt(2), math.sqrt(2 * math.pi)
_LEAST_SHARE = 1e-9
_SOLVED = 1e-2  # of the length of the right-hand side
_ROUNDS = 2
_GAMES_AT_ONCE = 64  # whose readings fit into the processor's cache
_FAR = 6.0  # standard deviations: an end beyond cuts nothing


@dataclass(frozen=True)
class Population:
    """What homes are like.

    Attributes
    ----------
    mean_wh : ndarray, shape (T,)
        Mean of a home at each reading; of windows that differ between games, shape (G, T).
    covariance_wh2 : ndarray, shape (T, T)
        How readings of a home vary together; or (G, T, T).
    homes : int
        That these were estimated from.
    """

    mean_wh: Floats
    covariance_wh2: Floats
    homes: int

    @classmethod
    def estimate(cls, readings_wh: NDArray) -> "Population":
        """From the readings of some homes, shape (homes, T); two homes or more."""
        homes, t = readings_wh.shape
        mean = readings_wh.mean(axis=0)
        variance = readings_wh.var(axis=0, ddof=1)
        # A reading that all homes share would leave nothing to be uncertain of.
        spread = np.sqrt(variance + 1e-6 * variance.mean() + 1.0)
        standard = (readings_wh - mean) / spread
        level = standard.mean(axis=1, keepdims=True)
        # Sums of products at each distance, over all readings: no matrix of them is indefinite.
        transformed = np.fft.rfft(standard - level, 2 * t, axis=1)
        products = np.fft.irfft((np.abs(transformed) ** 2).sum(axis=0), 2 * t)[:t] / t
        stationary = toeplitz(products) + (level**2).sum()
        stationary /= max(stationary[0, 0], 1e-12)
        measured = standard.T @ standard / (homes - 1)
        correlation = (1 - STATIONARY_SHARE) * measured + STATIONARY_SHARE * stationary
        np.fill_diagonal(correlation, 1.0 + 1e-9)
        return cls(mean, correlation * np.outer(spread, spread), homes)

    def window(self, first: int | Ints, readings: int) -> "Population":
        """Of some consecutive readings alone; of one such window a game, if there are several."""
        some = np.asarray(first)[..., None] + np.arange(readings)
        covariance = self.covariance_wh2[some[..., :, None], some[..., None, :]]
        return Population(self.mean_wh[some], covariance, self.homes)

    @cached_property
    def factors(self) -> "_Factors":
        """The covariance as that of a few factors."""
        return _Factors.of(self.covariance_wh2)

    def covariance_of_sum_wh2(self, homes: int) -> Floats:
        """Of the sum of some homes, about as many times the mean, which is uncertain, too."""
        return self.homes_in_sum(homes) * self.covariance_wh2

    def homes_in_sum(self, homes: int) -> float:
        """How many homes vary as much as the sum of some less what is expected of it."""
        return homes * (1 + homes / self.homes)


@dataclass(frozen=True)
class PublishedSum:
    """The published sum of a candidate and other homes, to an adversary who knows some of them.

    Attributes
    ----------
    population : Population
    unknown : int
        Number m of homes beside the candidate that the adversary does not know, at least 1.
    noise_wh2 : float
        Variance of the noise of each published sum.
    cell_wh : float
        Width of the cells of the sum, of which the middle is published; 0 for none.
    """

    population: Population
    unknown: int
    noise_wh2: float = 0.0
    cell_wh: float = 0.0

    def game_ratios(self, published_wh: Floats, candidates_wh: Ints) -> Floats:
        """Log-likelihood ratio of candidate 0 in each of G games.

        Parameters
        ----------
        published_wh : ndarray, shape (G, T)
            Published sums, less those of homes that are known.
        candidates_wh : ndarray of int, shape (G, 2, T)
            Readings.

        Returns
        -------
        ndarray, shape (G,)
            Positive for candidate 0, negative for candidate 1.
        """
        half = (candidates_wh[:, 0] - candidates_wh[:, 1]) / 2
        usual = self.unknown * self.population.mean_wh + candidates_wh.mean(axis=1)
        if not self._is_coarse:
            return 2 * (half * self._explained(published_wh - usual)).sum(axis=1)
        low, high = self._ends(published_wh, usual)
        at_once = _GAMES_AT_ONCE if self._covariance_wh2.ndim == 2 else len(half)
        model = self._model(self.unknown)
        ratios = np.empty(len(half))
        for start in range(0, len(half), at_once):
            some = slice(start, start + at_once)
            away, left = model.predicted(low[some], high[some], half[some] ** 2)
            precision, pull = _cut(low[some], high[some], away, left)
            found = _solve(self._covariance_wh2, model, precision, pull)
            ratios[some] = 2 * (half[some] * found).sum(axis=1)
        return ratios

    def pair_ratios(self, published_wh: Floats, candidates_wh: Ints) -> Floats:
        """Log-likelihood ratio of the member (rows) against each candidate (columns).

        Parameters
        ----------
        published_wh : ndarray, shape (M, T)
            Published sums with each of M candidates as the member.
        candidates_wh : ndarray of int, shape (M, T)

        Returns
        -------
        ndarray, shape (M, M)
            0 between candidates with the same readings.
        """
        away, factor = published_wh - self.unknown * self.population.mean_wh, self._factor
        if self._is_coarse:
            # The candidate is taken for a home as any other.
            low, high = self._ends(published_wh, (self.unknown + 1) * self.population.mean_wh)
            predicted, left = self._model(self.unknown + 1).predicted(low, high, 0.0)
            precision, pull = _cut(low, high, predicted, left)
            # Rows differ in one home: the mean precision of all, and the mean that each cell gives.
            noise = 1 / precision.mean(axis=0)
            factor = _factor(self._covariance_wh2, noise)
            within = (predicted / left + pull) / (1 / left + precision)
            away = within + (within - predicted) * noise / left + self.population.mean_wh
        candidates = candidates_wh.astype(float).T
        inverse = cho_solve(factor, candidates)
        score = away @ inverse - (candidates * inverse).sum(axis=0) / 2
        # Where readings are the same, all that differs is rounding.
        first: dict[bytes, int] = {}
        alike = np.array([first.setdefault(row.tobytes(), i) for i, row in enumerate(candidates.T)])
        return np.where(alike[:, None] == alike, 0.0, np.diagonal(score)[:, None] - score)

    @cached_property
    def _covariance_wh2(self) -> Floats:
        return self.population.covariance_of_sum_wh2(self.unknown)

    def _model(self, homes: int) -> "_Factors":
        return self.population.factors.times(self.population.homes_in_sum(homes))

    @cached_property
    def _is_coarse(self) -> bool:
        """Whether cells are wide, so that they are not noise."""
        variance = np.diagonal(self._covariance_wh2, axis1=-2, axis2=-1)
        return not self.noise_wh2 and bool(self.cell_wh > _NARROW * np.sqrt(np.median(variance)))

    @cached_property
    def _factor(self) -> tuple[Floats, bool]:
        """Of the covariance of what is observed less the candidate, if cells are noise."""
        return _factor(self._covariance_wh2, self._noise_wh2)

    @property
    def _noise_wh2(self) -> float:
        return self.noise_wh2 + self.cell_wh**2 / 12

    def _explained(self, away_wh: Floats) -> Floats:
        """The inverse of that covariance times some sums less what is usual, shape (G, T)."""
        if self._covariance_wh2.ndim == 2:
            return cho_solve(self._factor, away_wh.T).T
        noisy = self._covariance_wh2 + self._noise_wh2 * np.eye(away_wh.shape[1])
        return np.asarray(np.linalg.solve(noisy, away_wh[..., None])[..., 0], dtype=np.float64)

    def _ends(self, published_wh: Floats, usual_wh: Floats) -> tuple[Floats, Floats]:
        """Ends of cells, less what is usual."""
        low = published_wh - self.cell_wh / 2
        # Sums are not below 0, whatever the normal distribution says.
        return np.where(low <= 0, -np.inf, low - usual_wh), low + self.cell_wh - usual_wh


@dataclass(frozen=True)
class _Factors:
    """A covariance as that of r factors, and of what each reading has of its own.

    All may be of windows that differ between games, with a first axis of G.

    Attributes
    ----------
    loadings : ndarray, shape (T, r)
        What a standard deviation of each factor adds.
    own : ndarray, shape (T,)
        Variance that the factors leave, larger than 0.
    """

    loadings: Floats
    own: Floats

    @classmethod
    def of(cls, covariance: Floats) -> "_Factors":
        """The largest principal components of the correlations."""
        spread = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
        correlation = covariance / (spread[..., :, None] * spread[..., None, :])
        r = min(SHORT, covariance.shape[-1])
        sizes, directions = np.linalg.eigh(correlation)
        loadings = directions[..., -r:] * np.sqrt(np.maximum(sizes[..., None, -r:], 0))
        own = np.maximum(1 - (loadings**2).sum(axis=-1), _LEAST_SHARE)
        return cls(loadings * spread[..., None], own * spread**2)

    def times(self, homes: float) -> "_Factors":
        """Of a covariance that is so many times as large."""
        return _Factors(np.sqrt(homes) * self.loadings, homes * self.own)

    @cached_property
    def products(self) -> Floats:
        """Products of every two loadings of a reading, shape (T, r x r)."""
        every = self.loadings[..., :, None] * self.loadings[..., None, :]
        return every.reshape(*self.own.shape, -1)

    def inner(self, precision: Floats) -> Floats:
        """Covariance of the factors, given readings of some precision (G, T), shape (G, r, r)."""
        r = self.loadings.shape[-1]
        told = _times(precision / (1 + precision * self.own), self.products)
        return np.asarray(np.linalg.inv(told.reshape(-1, r, r) + np.eye(r)), dtype=np.float64)

    def predicted(self, low: Floats, high: Floats, more: Floats | float) -> tuple[Floats, Floats]:
        """What the cells of all other readings tell of each: its mean, and the variance left.

        Parameters
        ----------
        low, high : ndarray, shape (G, T)
            Ends of the cells.
        more : ndarray, shape (G, T), or float
            Variance of each reading beside the model's, which is nobody else's.
        """
        away = np.zeros_like(low)
        left = np.broadcast_to(self.own + (self.loadings**2).sum(axis=-1) + more, low.shape)
        for _ in range(_ROUNDS):
            precision, pull = _cut(low, high, away, left)
            inner, kept = self.inner(precision), 1 / (1 + precision * self.own)
            told = _times(pull * kept, self.loadings)[:, None] @ inner
            common = _times(told[:, 0], self.loadings.swapaxes(-1, -2))
            spread = _times(inner.reshape(len(low), -1), self.products.swapaxes(-1, -2))
            mean = kept * (common + self.own * pull)
            variance = kept * (self.own + kept * spread)
            others = np.maximum(1 - precision * variance, _LEAST_SHARE)
            away, left = (mean - variance * pull) / others, variance / others + more
        return away, left


def _times(rows: Floats, matrix: Floats) -> Floats:
    """Rows (G, k) times a matrix that is the same for all, or one for each."""
    return rows @ matrix if matrix.ndim == 2 else (rows[:, None] @ matrix)[:, 0]


def _cut(low: Floats, high: Floats, away: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """The normal observation that stands for a cell: its precision, and that times its mean.

    Together with a normal of some mean and variance, it has the moments of that normal within the
    cell.  All have the shape (G, T).
    """
    precision, pull = np.empty_like(low), np.empty_like(low)
    away, spread = np.broadcast_to(away, low.shape), np.broadcast_to(np.sqrt(variance), low.shape)
    _cut_each(low, high, away, spread, precision, pull)
    return precision, pull


@njit(cache=True, nogil=True)
def _cut_each(low, high, away, spread, precision, pull):  # noqa: ANN001, ANN202
    """:func:`_cut`, with standard deviations, into the last two."""
    for g, t in np.ndindex(low.shape):
        mean, share = 0.0, 1.0
        left, right = (
            (low[g, t] - away[g, t]) / spread[g, t],
            (high[g, t] - away[g, t]) / spread[g, t],
        )
        if left > -_FAR or right < _FAR:
            mean, share = _within(left, right)
        share = min(max(share, _LEAST_SHARE), 1 - _LEAST_SHARE)
        precision[g, t] = (1 / share - 1) / spread[g, t] ** 2
        pull[g, t] = away[g, t] * precision[g, t] + mean / (share * spread[g, t])


def _solve(covariance: Floats, model: _Factors, precision: Floats, pull: Floats) -> Floats:
    """Of ``(covariance + diag(1 / precision)) u = pull / precision``, for each row of (G, T).

    By conjugate gradients, all rows at once: a triangle for each would take longer.
    """
    root, inner = np.sqrt(precision), model.inner(precision)
    kept = 1 / (1 + precision * model.own)

    def conditioned(rest: Floats) -> Floats:
        told = _times(root * kept * rest, model.loadings)[:, None] @ inner
        return kept * (rest - root * _times(told[:, 0], model.loadings.swapaxes(-1, -2)))

    rest, found = pull / root, np.zeros_like(pull)
    along = better = conditioned(rest)
    square = (rest * better).sum(axis=1)
    enough = _SOLVED**2 * square
    for _ in range(2 * pull.shape[1]):
        is_open = square > enough
        if not is_open.any():
            break
        moved = along + root * _times(root * along, covariance)
        slope = np.where(is_open, (along * moved).sum(axis=1), 1)
        step = np.where(is_open, square / slope, 0)[:, None]
        found += step * along
        rest -= step * moved
        better = conditioned(rest)
        before, square = square, (rest * better).sum(axis=1)
        along = better + (square / np.where(before > 0, before, 1))[:, None] * along
    return root * found


def _factor(covariance: Floats, noise: Floats | float) -> tuple[Floats, bool]:
    """Cholesky's triangle of a covariance with noise of some variance in each reading."""
    together = covariance.copy()
    np.fill_diagonal(together, np.diagonal(together) + noise)
    return cho_factor(together, lower=True, overwrite_a=True)


def normal_within(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of the standard normal within [low, high], whose ends may be infinite."""
    mean, variance = np.empty(low.shape), np.empty(low.shape)
    _within_each(low, high, mean, variance)
    return mean, variance


@njit(cache=True, nogil=True)
def _within_each(low, high, mean, variance):  # noqa: ANN001, ANN202
    """:func:`normal_within`, into the last two."""
    for place in np.ndindex(low.shape):
        mean[place], variance[place] = _within(low[place], high[place])


@njit(cache=True, nogil=True)
def _within(low, high):  # noqa: ANN001, ANN202
    """Mean and variance of the standard normal within one cell."""
    if low > -high:  # so that the nearer end is on the left of 0, where tails are accurate
        mean, variance = _within(-high, -low)
        return -mean, variance
    probability = (math.erfc(-high / _ROOT_2) - math.erfc(-low / _ROOT_2)) / 2
    if probability < _TINY:
        # Beyond what floats hold, the tail is exponential from the nearer end.
        return min(max(high + 1 / high, low), high), min(1 / high**2, 1.0)
    density_low, density_high = _density(low), _density(high)
    mean = min(max((density_low - density_high) / probability, low), high)
    # An infinite end has no density.
    ends = max(low, -_INFINITE) * density_low - min(high, _INFINITE) * density_high
    return mean, min(
        max(1 + ends / probability - ((density_low - density_high) / probability) ** 2, 0.0), 1.0
    )


@njit(cache=True, nogil=True)
def _density(x):  # noqa: ANN001, ANN202
    """Of the standard normal."""
    return math.exp(-(x**2) / 2) / _ROOT_2_PI
