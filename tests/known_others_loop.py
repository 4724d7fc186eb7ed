"""Adversaries who know the mechanism, as a reader would first write them: one game at a time.

Reference for the vectorised ones: exact fractions for cells, and SciPy's normal densities.
"""

import math
from fractions import Fraction

import numpy as np
from scipy.stats import multivariate_normal


def cell_of(total_wh, release):
    """Number of the cell of a sum, in exact fractions."""
    if release.levels is None:
        return int(total_wh)
    position = Fraction(int(total_wh), release.n) * release.levels / release.maximum_wh
    return min(math.floor(position), release.levels - 1)


def exact(energy, candidates, member, others, release):
    """Which candidates the published cells leave possible: 1, -1 or 0."""
    days = range(energy.shape[1])

    def published(candidate):
        homes = [candidate, *others]
        return [cell_of(sum(int(energy[home, t]) for home in homes), release) for t in days]

    seen = published(candidates[member])
    zero, one = (published(candidate) == seen for candidate in candidates)
    return int(zero) - int(one)


def normal(energy, candidates, member, others, release, *, k, population, start=0):
    """The ratio of two normal densities, narrow cells as noise."""
    m, days = release.n - 1 - k, energy.shape[1]
    window = slice(start, start + days)
    width = release.n * release.maximum_wh / release.levels if release.levels else 1.0
    covariance = m * (1 + m / population.homes) * population.covariance_wh2[window, window]
    covariance = covariance + np.eye(days) * width**2 / 12
    totals = [int(energy[[candidates[member], *others], t].sum()) for t in range(days)]
    cells = np.array([cell_of(total, release) for total in totals])
    middles = (cells + 0.5) * width if release.levels else cells
    known = energy[others[:k]].sum(axis=0) + m * population.mean_wh[window]
    zero, one = (
        multivariate_normal.logpdf(middles - known - energy[c], cov=covariance) for c in candidates
    )
    return zero - one
