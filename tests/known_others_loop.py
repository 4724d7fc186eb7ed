"""Adversaries who know the mechanism, as a reader would first write them: one game at a time.

Reference for the vectorised ones: exact fractions for cells, scipy's normal and truncated normal,
and the full covariance matrix inverted, with nothing shared but the documented constants.
"""

import math
from fractions import Fraction

import numpy as np
from scipy.stats import norm, truncnorm

LEAST_SHARE = 1e-4


def cell_of(total_wh, release):
    """Number of the cell of a sum, in exact fractions."""
    if release.levels is None:
        return int(total_wh)
    position = Fraction(int(total_wh), release.n) * release.levels / release.maximum_wh
    return min(math.floor(position), release.levels - 1)


def ends_of(cell, release):
    if release.levels is None:
        return cell - 0.5, cell + 0.5
    width = release.n * release.maximum_wh / release.levels
    low = -math.inf if cell == 0 else cell * width
    return low, math.inf if cell == release.levels - 1 else (cell + 1) * width


def exact(energy, candidates, member, others, release):
    """Which candidates the published cells leave possible: 1, -1 or 0."""
    days = range(energy.shape[1])

    def published(candidate):
        homes = [candidate, *others]
        return [cell_of(sum(int(energy[home, t]) for home in homes), release) for t in days]

    seen = published(candidates[member])
    zero, one = (published(candidate) == seen for candidate in candidates)
    return int(zero) - int(one)


def independent(energy, candidates, member, others, release, *, k, population, start=0):
    """Sum of log-ratios of the probabilities of the published cells."""
    m = release.n - 1 - k
    total = 0.0
    for t in range(energy.shape[1]):
        sums = [int(energy[[c, *others], t].sum()) for c in candidates]
        low, high = ends_of(cell_of(sums[member], release), release)
        known = energy[others[:k], t].sum()
        loadings = population.loadings_wh[start + t]
        variance = m * (population.residual_wh2[start + t] + (loadings**2).sum())
        logs = []
        for candidate in candidates:
            centre = known + energy[candidate, t] + m * population.mean_wh[start + t]
            a, b = (low - centre) / math.sqrt(variance), (high - centre) / math.sqrt(variance)
            a, b = (-b, -a) if a > -b else (a, b)
            p = norm.cdf(b) - norm.cdf(a)
            logs.append(math.log(p + LEAST_SHARE * min((b - a) / 10, 1)))
        total += logs[0] - logs[1]
    return total


def factors(energy, candidates, member, others, release, *, k, population, start=0):
    """The ratio of two normal densities with a full covariance matrix."""
    m, days = release.n - 1 - k, energy.shape[1]
    window = slice(start, start + days)
    loadings = population.loadings_wh[window]
    covariance = m * (loadings @ loadings.T + np.diag(population.residual_wh2[window]))
    zero, one = (energy[c].astype(float) for c in candidates)
    centre = energy[others[:k]].sum(axis=0) + (zero + one) / 2
    centre = centre + m * population.mean_wh[window]
    prior = np.diag(covariance) + ((zero - one) / 2) ** 2
    totals = [int(energy[[candidates[member], *others], t].sum()) for t in range(days)]
    ends = np.array([ends_of(cell_of(total, release), release) for total in totals])
    spread = np.sqrt(prior)
    cut = truncnorm((ends[:, 0] - centre) / spread, (ends[:, 1] - centre) / spread)
    mean, variance = cut.mean() * spread, cut.var() * prior
    precision = 1 / variance - 1 / prior
    # Where this fails, the cell says nothing.
    seen = np.flatnonzero(precision > 1e-12 / prior)
    whole = covariance[np.ix_(seen, seen)] + np.diag(1 / precision[seen])
    distance = mean[seen] / variance[seen] / precision[seen]
    return float((zero - one)[seen] @ np.linalg.inv(whole) @ distance)
