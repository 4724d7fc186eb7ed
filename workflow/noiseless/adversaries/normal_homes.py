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
   is replaced by a normal observation that gives the mean and variance of the sum within it (one
   round of expectation propagation): first with the spread that the population gives,
   then with the one that all other readings predict.  Further rounds gain less.  The
   observation's precision is the one expected before the cell is known, so that one matrix is
   inverted for all; for games of one pair of candidates (:meth:`PublishedSum.game_ratios`), in the
   end, each cell's own.

The share is no parameter to be chosen with care: from 0.3 to 0.6, what is gained from daily means
of London's homes differs by less than 0.015.

References
----------
O. Ledoit, M. Wolf, "A well-conditioned estimator for large-dimensional covariance matrices",
J. Multivariate Anal. 88, 2004, who shrink to equal variances; T. Minka, "Expectation propagation
for approximate Bayesian inference", UAI 2001.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, toeplitz
from scipy.special import ndtr

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STATIONARY_SHARE = 0.4
_NARROW = 4.0  # predicted standard deviations: within such a cell, a sum is spread evenly
_TINY = 1e-250
_INFINITE = 1e300
_LEAST_SHARE = 1e-9
_SOLVED = 1e-5  # of the length of the right-hand side
_PHASES = (np.arange(16) + 0.5) / 16  # of a cell's edge
_FAR = 5.0  # standard deviations: cells beyond are as good as empty


@dataclass(frozen=True)
class Population:
    """What homes are like.

    Attributes
    ----------
    mean_wh : ndarray, shape (T,)
        Mean of a home at each reading.
    covariance_wh2 : ndarray, shape (T, T)
        How readings of a home vary together.
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

    def window(self, first: int, readings: int) -> "Population":
        """What homes are like in some consecutive readings alone."""
        some = slice(first, first + readings)
        return Population(self.mean_wh[some], self.covariance_wh2[some, some], self.homes)

    def covariance_of_sum_wh2(self, homes: int) -> Floats:
        """Covariance of (sum of some homes) - homes * mean; the mean is uncertain, too."""
        return homes * (1 + homes / self.homes) * self.covariance_wh2


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
            return 2 * (half * cho_solve(self._factor, (published_wh - usual).T).T).sum(axis=1)
        predicted, left = self._predicted(published_wh, usual)
        mean, within = self._cut(published_wh, usual + predicted, left + half**2)
        precision = (1 / within - 1) / (left + half**2)
        observed = predicted + mean / (1 - within)
        return 2 * (half * _solve(self._covariance_wh2, precision, observed)).sum(axis=1)

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
        """
        away = published_wh - self.unknown * self.population.mean_wh
        if self._is_coarse:
            usual = (self.unknown + 1) * self.population.mean_wh
            predicted, left = self._predicted(published_wh, usual)
            mean, _ = self._cut(published_wh, usual + predicted, left)
            away = predicted + mean * (1 + self._cell_noise_wh2 / left) + self.population.mean_wh
        candidates = candidates_wh.astype(float).T
        inverse = cho_solve(self._factor, candidates)
        score = away @ inverse - (candidates * inverse).sum(axis=0) / 2
        return np.diagonal(score)[:, None] - score

    @cached_property
    def _covariance_wh2(self) -> Floats:
        return self.population.covariance_of_sum_wh2(self.unknown)

    @cached_property
    def _is_coarse(self) -> bool:
        """Whether cells are wide, so that they are not noise."""
        if self.noise_wh2:
            return False
        # Fine cells, whatever is predicted: the matrix is not needed.
        spread = np.sqrt(np.median(np.diagonal(self._covariance_wh2)))
        if self.cell_wh <= 0.01 * spread:
            return False
        return bool(self.cell_wh > _NARROW * np.sqrt(np.median(self._predicting[1])))

    @cached_property
    def _factor(self) -> tuple[Floats, bool]:
        """Cholesky factor of the covariance of (observation - candidate)."""
        noise = self.noise_wh2 + self.cell_wh**2 / 12
        return _factor(self._covariance_wh2, self._cell_noise_wh2 if self._is_coarse else noise)

    @cached_property
    def _predicting(self) -> tuple[Floats, Floats, Floats]:
        """A matrix that takes from each sum what the others tell of it, and the variance left.

        The candidate counts as a home like any other.  The last entry is the noise of each cell's
        observation before any prediction.
        """
        covariance = self.population.covariance_of_sum_wh2(self.unknown + 1)
        variance = np.diagonal(covariance)
        within = _expected_share(self.cell_wh / np.sqrt(variance))
        noise = variance * within / (1 - within)
        inverse = cho_solve(_factor(covariance, noise), np.eye(len(covariance)))
        own = np.diagonal(inverse)
        return inverse / own, np.maximum(1 / own - noise, _LEAST_SHARE * variance), noise

    @cached_property
    def _cell_noise_wh2(self) -> Floats:
        """Noise of what is observed of each cell, expected before it is known."""
        left = self._predicting[1]
        within = _expected_share(self.cell_wh / np.sqrt(left))
        return left * within / (1 - within)

    def _predicted(self, published_wh: Floats, usual_wh: Floats) -> tuple[Floats, Floats]:
        """What all other readings tell of each sum, less the usual one, and the variance left."""
        matrix, left, noise = self._predicting
        variance = np.diagonal(self.population.covariance_of_sum_wh2(self.unknown + 1))
        observed = self._cut(published_wh, usual_wh, variance)[0] * (1 + noise / variance)
        return observed - observed @ matrix, left

    def _cut(
        self, published_wh: Floats, expected_wh: Floats, variance_wh2: Floats
    ) -> tuple[Floats, Floats]:
        """Mean of a sum within its cell, less what is expected, and the share of variance kept."""
        spread = np.sqrt(variance_wh2)
        low = published_wh - self.cell_wh / 2
        high = (low + self.cell_wh - expected_wh) / spread
        # Sums are not below 0, whatever the normal distribution says.
        mean, share = normal_within(np.where(low <= 0, -np.inf, (low - expected_wh) / spread), high)
        return spread * mean, np.clip(share, _LEAST_SHARE, 1 - _LEAST_SHARE)


def _expected_share(width: Floats) -> Floats:
    """Share of its variance that a standard normal keeps within cells of some widths, on average.

    Edges of cells may be anywhere.  Narrow cells keep ``width^2 / 12``; between the points of a
    table, the logarithm of the share is interpolated linearly in that of the width.
    """
    widths, shares = _table_of_shares()
    between = np.exp(np.interp(np.log(width), np.log(widths), np.log(shares)))
    kept = np.where(width < widths[0], width**2 / 12, between)
    return np.clip(kept, _LEAST_SHARE, 1 - _LEAST_SHARE)


@cache
def _table_of_shares() -> tuple[Floats, Floats]:
    """Widths of cells, and the shares that they keep."""
    widths = np.geomspace(0.05, 100, 1000)
    return widths, np.array([_share_within(width) for width in widths])


def _share_within(width: float) -> float:
    """:func:`_expected_share` of one width, over cells with edges at many places."""
    cells = int(np.ceil(_FAR / width)) + 1
    low = (np.arange(-cells, cells + 1)[:, None] + _PHASES) * width
    kept = (ndtr(low + width) - ndtr(low)) * normal_within(low, low + width)[1]
    return float(kept.sum(axis=0).mean())


def _solve(covariance: Floats, precision: Floats, right: Floats) -> Floats:
    """Of ``(covariance + diag(1 / precision)) u = right``, for each row of (G, T).

    By conjugate gradients, all rows at once: a triangle for each would take longer.
    """
    root = np.sqrt(precision)
    found, rest = np.zeros_like(right), root * right
    along, square = rest.copy(), (rest**2).sum(axis=1)
    enough = _SOLVED**2 * square
    for _ in range(2 * right.shape[1]):
        is_open = square > enough
        if not is_open.any():
            break
        moved = along + root * ((root * along) @ covariance)
        slope = np.where(is_open, (along * moved).sum(axis=1), 1)
        step = np.where(is_open, square / slope, 0)[:, None]
        found += step * along
        rest -= step * moved
        before, square = square, (rest**2).sum(axis=1)
        along = rest + (square / np.where(before > 0, before, 1))[:, None] * along
    return root * found


def _factor(covariance: Floats, noise: Floats | float) -> tuple[Floats, bool]:
    """Cholesky's triangle of a covariance with noise of some variance in each reading."""
    together = covariance.copy()
    np.fill_diagonal(together, np.diagonal(together) + noise)
    return cho_factor(together, lower=True, overwrite_a=True)


def normal_within(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of the standard normal within [low, high], whose ends may be infinite."""
    mirrored = low > -high  # so that the nearer end is on the left of 0, where `ndtr` is accurate
    left, right = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
    density_left, density_right = (np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi) for x in (left, right))
    probability = ndtr(right) - ndtr(left)
    far = probability < _TINY
    probability = np.where(far, 1, probability)
    mean = (density_left - density_right) / probability
    ends = (
        np.maximum(left, -_INFINITE) * density_left - np.minimum(right, _INFINITE) * density_right
    )
    variance = 1 + ends / probability - mean**2
    # Beyond what floats hold, the tail is exponential from the nearer end.
    end = np.where(far, right, -1)
    mean = np.clip(np.where(far, end + 1 / end, mean), left, right)
    variance = np.where(far, 1 / end**2, variance)
    return np.where(mirrored, -mean, mean), np.clip(variance, 0, 1)
