"""Normal likelihood of a published sum, for an adversary with statistics of other homes.

A curator publishes the sum of n homes (n times their mean) for each of T readings, with noise or in
cells.  The adversary knows the readings of a candidate, and statistics of homes that are not in the
sum.  Were homes normal, and their covariance known, the ratio of two likelihoods would be the best
that this knowledge allows (Neyman and Pearson).  Homes are not, and it is estimated.

1. :class:`NormalHomeModel` is the mean of each reading of a home, and a covariance.  With fewer
   homes than readings the measured one is singular, so its correlations are shrunk, by
   :data:`STATIONARY_SHARE`, to those that a stationary process has around the level of a home:
   they depend on nothing but the distance of two readings.
2. :class:`PublishedSum` is the sum of the homes that the adversary does not know, as it is
   published.  Noise adds to the variance, and narrow cells are noise, spread evenly.  A wide cell
   is replaced by a normal observation that gives the mean and variance of the sum within it
   (expectation propagation).  The first round knows how the sum is spread; each of two more knows
   what the cells of all other readings tell of it.  Few cells may be cut, and tell far more than
   the others, so that each has a precision of its own.
3. For these rounds, the covariance is that of a few factors and of what each reading has of its
   own, whose inverse is a small matrix's for every game (:class:`_FactorCovariance`); of
   :data:`N_FACTORS` readings or fewer, it is the same covariance.  The likelihoods are those of the
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
from scipy.linalg import cho_factor, cho_solve, eigh, toeplitz

from noiseless.arrays import Floats, Ints
from noiseless.compiled import compile_njit

STATIONARY_SHARE = 0.4
N_FACTORS = 8  # number of factors; with as few readings, factors give the exact covariance
_NARROW_CELL_SD = 1.0  # standard deviations: a narrower cell is treated as uniform noise
_MIN_PROBABILITY = 1e-250
_INFINITE = 1e300
_ROOT_2, _ROOT_2_PI = math.sqrt(2), math.sqrt(2 * math.pi)
_MIN_SHARE = 1e-9
_RELATIVE_TOLERANCE = 1e-2  # tolerance of the residual relative to the right-hand side
_N_ROUNDS = 2
_BATCH_SIZE = 128  # batch size whose readings fit into the processor's cache
_TAIL_SD = 6.0  # standard deviations: an end further away truncates nothing
# These options let the compiler reorder sums, so that it vectorizes them.
_fast = compile_njit(
    cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "nsz", "contract"}
)


@dataclass(frozen=True)
class NormalHomeModel:
    """Normal model of homes: mean (Wh) and covariance (Wh^2) of their readings.

    The mean, shape (T,), and the covariance, shape (T, T), of windows that differ between games
    have the shapes (G, T) and (G, T, T).  ``homes`` is the number that they were estimated from.
    """

    mean_wh: Floats
    covariance_wh2: Floats
    homes: int

    @classmethod
    def estimate(cls, readings_wh: NDArray) -> "NormalHomeModel":
        """Estimate mean and covariance from readings of two or more homes, shape (homes, T)."""
        homes, t = readings_wh.shape
        mean = readings_wh.mean(axis=0)
        variance = readings_wh.var(axis=0, ddof=1)
        # A reading that is equal in all homes would have no variance and make the matrix singular.
        spread = np.sqrt(variance + 1e-6 * variance.mean() + 1.0)
        standard = (readings_wh - mean) / spread
        level = standard.mean(axis=1, keepdims=True)
        # Autocorrelations over all readings, so that the Toeplitz matrix is positive semidefinite.
        transformed = np.fft.rfft(standard - level, 2 * t, axis=1)
        products = np.fft.irfft((np.abs(transformed) ** 2).sum(axis=0), 2 * t)[:t] / t
        stationary = toeplitz(products) + (level**2).sum()
        stationary /= max(stationary[0, 0], 1e-12)
        measured = standard.T @ standard / (homes - 1)
        correlation = (1 - STATIONARY_SHARE) * measured + STATIONARY_SHARE * stationary
        np.fill_diagonal(correlation, 1.0 + 1e-9)
        return cls(mean, correlation * np.outer(spread, spread), homes)

    def select_window(self, first: int | Ints, readings: int) -> "NormalHomeModel":
        """Select a window of consecutive readings; one window per game if ``first`` is an array."""
        readings_index = np.asarray(first)[..., None] + np.arange(readings)
        covariance = self.covariance_wh2[readings_index[..., :, None], readings_index[..., None, :]]
        return NormalHomeModel(self.mean_wh[readings_index], covariance, self.homes)

    @cached_property
    def factors(self) -> "_FactorCovariance":
        """Covariance as the covariance of a few factors plus a variance of each reading."""
        return _FactorCovariance.from_covariance(self.covariance_wh2)

    def compute_sum_covariance_wh2(self, homes: int) -> Floats:
        """Compute the covariance of a sum of homes about its estimated mean, in Wh^2."""
        return self.count_effective_homes(homes) * self.covariance_wh2

    def count_effective_homes(self, homes: int) -> float:
        """Compute the number of homes with the variance of a sum about its estimated mean."""
        return homes * (1 + homes / self.homes)


@dataclass(frozen=True)
class PublishedSum:
    """Published sum of a candidate and other homes, for an adversary who knows some of them.

    It has the variance ``noise_wh2``, or is the middle of a cell of the width ``cell_wh``; 0 for
    none. ``unknown`` is the number m of homes beside the candidate that the adversary does not
    know, at least 1.
    """

    population: NormalHomeModel
    unknown: int
    noise_wh2: float = 0.0
    cell_wh: float = 0.0

    def compute_game_ratios(self, published_wh: Floats, candidates_wh: Ints) -> Floats:
        """Compute the log-likelihood ratio of candidate 0 in each of G games.

        The published sums, shape (G, T), are less those of homes that are known; the candidates'
        readings have the shape (G, 2, T).
        """
        half = (candidates_wh[:, 0] - candidates_wh[:, 1]) / 2
        usual = self.unknown * self.population.mean_wh + candidates_wh.mean(axis=1)
        if not self._is_coarse:
            return 2 * (half * self._multiply_by_inverse(published_wh - usual)).sum(axis=1)
        low = published_wh - self.cell_wh / 2
        high = low + self.cell_wh - usual
        # Sums are never negative, so the lowest cell has no lower end.
        low = np.where(low <= 0, -np.inf, low - usual)
        at_once = _BATCH_SIZE if self._covariance_wh2.ndim == 2 else len(half)
        model = self.population.factors.scale(self.population.count_effective_homes(self.unknown))
        ratios = np.empty(len(half))
        for start in range(0, len(half), at_once):
            batch = slice(start, start + at_once)
            precision, pull = model.approximate_cells(low[batch], high[batch], half[batch] ** 2)
            found = _solve(self._covariance_wh2, model, precision, pull)
            ratios[batch] = 2 * (half[batch] * found).sum(axis=1)
        return ratios

    @cached_property
    def _covariance_wh2(self) -> Floats:
        return self.population.compute_sum_covariance_wh2(self.unknown)

    @cached_property
    def _is_coarse(self) -> bool:
        """Whether cells are too wide to be treated as noise."""
        variance = np.diagonal(self._covariance_wh2, axis1=-2, axis2=-1)
        return not self.noise_wh2 and bool(
            self.cell_wh > _NARROW_CELL_SD * np.sqrt(np.median(variance))
        )

    @cached_property
    def _factor(self) -> tuple[Floats, bool]:
        """Cholesky factor of the sum's covariance plus that of the noise."""
        together = self._covariance_wh2.copy()
        np.fill_diagonal(together, np.diagonal(together) + self._noise_wh2)
        return cho_factor(together, lower=True, overwrite_a=True)

    @property
    def _noise_wh2(self) -> float:
        """Variance of the noise and of rounding to a cell, in Wh^2."""
        return self.noise_wh2 + self.cell_wh**2 / 12

    def _multiply_by_inverse(self, away_wh: Floats) -> Floats:
        """Multiply deviations of sums from their mean, shape (G, T), by the inverse covariance."""
        if self._covariance_wh2.ndim == 2:
            return cho_solve(self._factor, away_wh.T).T
        noisy = self._covariance_wh2 + self._noise_wh2 * np.eye(away_wh.shape[1])
        return np.asarray(np.linalg.solve(noisy, away_wh[..., None])[..., 0], dtype=np.float64)


@dataclass(frozen=True)
class _FactorCovariance:
    """Covariance of r common factors plus a variance of each reading.

    ``loadings``, shape (W, r, T), are what a standard deviation of each factor adds, and ``own``,
    shape (W, T), the variance that the factors leave, larger than 0.  Of windows that differ
    between games there are W = G of them; of the same window, W = 1.
    """

    loadings: Floats
    own: Floats

    @classmethod
    def from_covariance(cls, covariance: Floats) -> "_FactorCovariance":
        """Compute the factors from the largest principal components of the correlations."""
        covariance = covariance.reshape(-1, *covariance.shape[-2:])
        spread = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
        correlation = covariance / (spread[:, :, None] * spread[:, None, :])
        t = covariance.shape[-1]
        if t <= N_FACTORS:
            sizes, directions = np.linalg.eigh(correlation)
        else:
            largest = (t - N_FACTORS, t - 1)
            found = [eigh(each, subset_by_index=largest, driver="evr") for each in correlation]
            sizes, directions = (np.stack(each) for each in zip(*found, strict=True))
        loadings = np.sqrt(np.maximum(sizes[..., None], 0)) * directions.swapaxes(1, 2)
        own = np.maximum(1 - (loadings**2).sum(axis=1), _MIN_SHARE)
        return cls(np.ascontiguousarray(loadings * spread[:, None]), own * spread**2)

    def scale(self, homes: float) -> "_FactorCovariance":
        """Scale the covariance by a number of homes."""
        return _FactorCovariance(np.sqrt(homes) * self.loadings, homes * self.own)

    @cached_property
    def products(self) -> Floats:
        """Products of every two loadings of a reading, shape (W, r x r, T)."""
        every = self.loadings[:, :, None] * self.loadings[:, None]
        return every.reshape(len(every), -1, every.shape[-1])

    def compute_factor_covariance(self, precision: Floats) -> Floats:
        """Compute the factors' covariance, shape (G, r, r), given readings' precision (G, T)."""
        r = self.loadings.shape[1]
        weighted = _multiply_rows(
            precision / (1 + precision * self.own), self.products.swapaxes(1, 2)
        )
        return np.asarray(np.linalg.inv(weighted.reshape(-1, r, r) + np.eye(r)), dtype=np.float64)

    def approximate_cells(self, low: Floats, high: Floats, more: Floats) -> tuple[Floats, Floats]:
        """Approximate cells by normal observations (expectation propagation).

        Together with what the cells of all other readings tell of a reading, an observation has the
        moments that this has within its cell, from ``low`` to ``high``, shape (G, T); ``more`` is
        the variance of each reading in addition to the model's.  The result is the precision of
        each observation, and precision times mean.
        """
        precision, pull, away = np.empty_like(low), np.empty_like(low), np.zeros_like(low)
        left = self.own + (self.loadings**2).sum(axis=1) + more
        _match_cell_moments(low, high, away, left, precision, pull)
        for _ in range(_N_ROUNDS):
            inner, kept = self.compute_factor_covariance(precision), 1 / (1 + precision * self.own)
            factor_means = _multiply_rows(
                _multiply_rows(pull * kept, self.loadings.swapaxes(1, 2)), inner
            )
            common = _multiply_rows(factor_means, self.loadings)
            spread = _multiply_rows(inner.reshape(len(low), -1), self.products)
            _remove_observation(precision, pull, kept, self.own, common, spread, away, left)
            left += more
            _match_cell_moments(low, high, away, left, precision, pull)
        return precision, pull


def _multiply_rows(rows: Floats, matrices: Floats) -> Floats:
    """Multiply rows (G, k) by one matrix for all, or by one matrix for each row."""
    return rows @ matrices[0] if len(matrices) == 1 else (rows[:, None] @ matrices)[:, 0]


@_fast
def _remove_observation(precision, pull, kept, own, common, spread, away, left):  # noqa: ANN001, ANN202
    """Store mean and variance of each reading without its own cell in ``away`` and ``left``."""
    for g in range(len(precision)):
        for t in range(precision.shape[1]):
            alone = own[g % len(own), t]
            mean = kept[g, t] * (common[g, t] + alone * pull[g, t])
            variance = kept[g, t] * (alone + kept[g, t] * spread[g, t])
            others = max(1 - precision[g, t] * variance, _MIN_SHARE)
            away[g, t] = (mean - variance * pull[g, t]) / others
            left[g, t] = variance / others


@compile_njit(cache=True, nogil=True)
def _match_cell_moments(low, high, away, variance, precision, pull):  # noqa: ANN001, ANN202
    """Store observations of approximated cells in ``precision`` and ``pull``, shape (G, T)."""
    for g, t in np.ndindex(low.shape):
        mean, share, spread = 0.0, 1.0, math.sqrt(variance[g, t])
        left, right = (low[g, t] - away[g, t]) / spread, (high[g, t] - away[g, t]) / spread
        if left > -_TAIL_SD or right < _TAIL_SD:
            mean, share = _compute_truncated_moments(left, right)
        share = min(max(share, _MIN_SHARE), 1 - _MIN_SHARE)
        precision[g, t] = (1 / share - 1) / spread**2
        pull[g, t] = away[g, t] * precision[g, t] + mean / (share * spread)


def _solve(covariance: Floats, model: _FactorCovariance, precision: Floats, pull: Floats) -> Floats:
    """Solve ``(covariance + diag(1 / precision)) u = pull / precision`` for each row of (G, T).

    By conjugate gradients, all rows at once: a triangle for each would take longer.
    """
    covariance = covariance.reshape(-1, *covariance.shape[-2:])
    root, inner, kept = (
        np.sqrt(precision),
        model.compute_factor_covariance(precision),
        1 / (1 + precision * model.own),
    )
    rest, found, along = pull / root, np.zeros_like(pull), np.zeros_like(pull)
    active, square = np.arange(len(pull)), np.ones(len(pull))
    conditioner = root, kept, model.loadings, inner
    _update_direction(active, *conditioner, rest, along, square)
    enough = _RELATIVE_TOLERANCE**2 * square
    for _ in range(2 * pull.shape[1]):
        active = active[square[active] > enough[active]]
        if not len(active):
            break
        matrices = covariance if len(covariance) == 1 else covariance[active]
        product = _multiply_rows((root * along)[active], matrices)
        _move_along(active, root, product, square, along, found, rest)
        _update_direction(active, *conditioner, rest, along, square)
    return root * found


@_fast
def _move_along(active, root, product, square, along, found, rest):  # noqa: ANN001, ANN202
    """Take one conjugate-gradient step along a direction; changes ``found`` and ``rest``."""
    readings = root.shape[1]
    moved = np.empty(readings)
    for i in range(len(active)):
        g, slope = active[i], 0.0
        for t in range(readings):
            moved[t] = along[g, t] + root[g, t] * product[i, t]
            slope += along[g, t] * moved[t]
        step = square[g] / slope
        for t in range(readings):
            found[g, t] += step * along[g, t]
            rest[g, t] -= step * moved[t]


@_fast
def _update_direction(active, root, kept, loadings, inner, rest, along, square):  # noqa: ANN001, ANN202
    """Update the conjugate direction by the preconditioned rest; changes ``along``, ``square``."""
    r, readings = loadings.shape[1:]
    weight, better = np.empty((2, readings))
    projection = np.empty(r)
    for g in active:
        window = g % len(loadings)
        for t in range(readings):
            weight[t] = root[g, t] * kept[g, t]
            better[t] = kept[g, t] * rest[g, t]
        for j in range(r):
            projection[j] = 0.0
            for t in range(readings):
                projection[j] += loadings[window, j, t] * root[g, t] * better[t]
        for j in range(r):
            common = 0.0
            for k in range(r):
                common += inner[g, j, k] * projection[k]
            for t in range(readings):
                better[t] -= common * loadings[window, j, t] * weight[t]
        before, square[g] = square[g], 0.0
        for t in range(readings):
            square[g] += rest[g, t] * better[t]
        for t in range(readings):
            along[g, t] = better[t] + square[g] / before * along[g, t]


def compute_truncated_mean(low: Floats, high: Floats) -> Floats:
    """Compute the mean of the standard normal within [low, high]; ends may be infinite."""
    mean = np.empty(low.shape)
    _fill_truncated_means(low, high, mean)
    return mean


@compile_njit(cache=True, nogil=True)
def _fill_truncated_means(low, high, mean):  # noqa: ANN001, ANN202
    """Fill ``mean`` with the results of :func:`compute_truncated_mean`."""
    for place in np.ndindex(low.shape):
        mean[place], _ = _compute_truncated_moments(low[place], high[place])


@compile_njit(cache=True, nogil=True)
def _compute_truncated_moments(low, high):  # noqa: ANN001, ANN202
    """Compute mean and variance of the standard normal within one cell."""
    side = 1.0
    if low > -high:  # mirror the cell to the left of 0, where tails are accurate
        side, low, high = -1.0, -high, -low
    probability = (math.erfc(-high / _ROOT_2) - math.erfc(-low / _ROOT_2)) / 2
    if probability < _MIN_PROBABILITY:
        # Where the probability underflows, the tail is close to an exponential one.
        return side * min(max(high + 1 / high, low), high), min(1 / high**2, 1.0)
    density_low, density_high = _compute_density(low), _compute_density(high)
    mean = (density_low - density_high) / probability
    # The density at an infinite end is 0, so a finite number can stand for the end.
    ends = max(low, -_INFINITE) * density_low - min(high, _INFINITE) * density_high
    variance = min(max(1 + ends / probability - mean**2, 0.0), 1.0)
    return side * min(max(mean, low), high), variance


@compile_njit(cache=True, nogil=True)
def _compute_density(x):  # noqa: ANN001, ANN202
    """Compute the density of the standard normal."""
    return math.exp(-(x**2) / 2) / _ROOT_2_PI
