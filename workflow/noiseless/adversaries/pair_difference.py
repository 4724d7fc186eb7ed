"""Difference of two candidates as a signal in noise whose spectrum the release itself shows.

The model.  With x_0, x_1 the candidates' readings and u = x_0 - x_1 their difference, n times the
mean less (x_0 + x_1)/2 is u/2 or -u/2 plus the readings of the n - 1 others.  If the changes of the
others from reading to reading were normal and stationary, of spectrum S, the most powerful test
(Neyman and Pearson) would prefer candidate 0 where

    sum over frequencies of Re(U conj(V)) / S

is positive, U and V the spectra of the changes of u and of what is left.  This sum is the
log-likelihood ratio.  Nothing is known of the others; their spectrum is taken from the release.

1. Both are taken as changes from reading to reading: the level of the others is not known, and slow
   movements, which have neither beginning nor end in the record, would spread to all frequencies.
2. Both are divided by the spectrum of what is left: its periodogram, smoothed, and no less than
   half of its own value, because a line (a week) is not smooth.
3. Then by how much it varies at that time of the year: the mean of the variance near a reading and
   that of all readings.  The error of wide bins is the same all year, and where it is most of what
   varies, the variance of all readings is taken.
4. The score is their product, summed over time.

Who knows the mean of other homes at each reading, such as another published mean, first takes out
of both what is common to homes: by regression, or, of few readings, by subtraction.
"""

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from noiseless.adversaries.membership.evidence import Evidence, Floats, RawSeries
from noiseless.statistics import compute_moving_means

_FREQUENCIES_ASIDE = 5
_OWN_SHARE = 0.5  # of a frequency's own periodogram in its smallest spectrum
_READINGS_ASIDE = 30
_STEADY_SHARE = 0.5  # of the variance of all readings in that near a reading
_CHANGES_FOR_REGRESSION = 28
_ROUNDS = 3  # of regression and spectrum, each from the other
_LEAST_KWH2 = 1e-12
_WH_PER_KWH = 1000
_LEAST_SHARE = 1e-12  # of the largest value, below which a spectrum counts as zero
_GAMES_AT_ONCE = 64  # whose arrays stay in the processor's cache: half the time
_CHANGES_PADDED = 1000  # from so many on, zeros are added up to a length with a fast transform


def get_series(evidence: Evidence) -> RawSeries:
    """Return the readings of the evidence; raise ValueError if it has none."""
    if evidence.series is None:
        raise ValueError("the evidence has no readings: set `sees_series = True` to get them")
    return evidence.series


def compare_pair(series: RawSeries, step_wh: float, mean_kwh: Floats | None = None) -> Floats:
    """Compute the log-likelihood ratio of candidate 0, shape (G,), by the model of this module.

    It is 0 for a constant release, for a single reading, and for candidates whose changes are the
    same.

    Parameters
    ----------
    series : RawSeries
        Readings of G games.
    step_wh : float
        Width of the bins of the mean.
    mean_kwh : ndarray, shape (T,) or (G, T), optional
        Mean of other homes.
    """
    games = len(series.output_kwh)
    score = np.zeros(games)
    if series.output_kwh.shape[1] < 2:
        return score
    for start in range(0, games, _GAMES_AT_ONCE):
        part = slice(start, start + _GAMES_AT_ONCE)
        few = RawSeries(series.output_kwh[part], series.candidates_kwh[part], series.n)
        known = mean_kwh if mean_kwh is None or mean_kwh.ndim == 1 else mean_kwh[part]
        score[part] = _compare(few, step_wh, known)
    return score


def _compare(series: RawSeries, step_wh: float, mean_kwh: Floats | None) -> Floats:
    """Compute the log-likelihood ratio of candidate 0 in some games of two readings or more."""
    changes = series.output_kwh.shape[1] - 1
    difference = series.candidates_kwh[:, 0] - series.candidates_kwh[:, 1]
    left = series.n * series.output_kwh - series.candidates_kwh.mean(axis=1)
    cell_kwh = series.n * step_wh / _WH_PER_KWH
    share = cell_kwh**2 / 12 / np.maximum(left.var(axis=1, keepdims=True), _LEAST_KWH2)
    steady = np.minimum(_STEADY_SHARE + share, 1)
    size = changes if changes < _CHANGES_PADDED else next_fast_len(changes, real=True)
    u, v = (rfft(np.diff(each, axis=1), size, axis=1) for each in (difference, left))
    if mean_kwh is not None:
        common = rfft(np.diff(np.atleast_2d(mean_kwh), axis=1), size, axis=1)
        if changes < _CHANGES_FOR_REGRESSION:
            v = v - (series.n - 1) * common
        else:
            u, v = _take_out(u, v, common)
    root = np.sqrt(_estimate_spectrum(v))
    u, v = (irfft(each / root, size, axis=1)[:, :changes] for each in (u, v))
    square = v**2
    variance = steady * square.mean(axis=1, keepdims=True)
    variance = variance + (1 - steady) * compute_moving_means(square, _READINGS_ASIDE)
    score = (u * v / np.where(variance > 0, variance, 1.0)).sum(axis=1)
    is_constant = np.ptp(series.output_kwh, axis=1) == 0
    return np.where(is_constant, 0.0, score)


def _take_out(u: Floats, v: Floats, common: Floats) -> tuple[Floats, Floats]:
    """Take out of u and v what a common series explains, by generalized least squares."""
    clean, left = u, v
    for _ in range(_ROUNDS):
        weighted = np.conj(common) / _estimate_spectrum(left)
        size = np.real(weighted * common).sum(axis=1, keepdims=True)
        size = np.where(size > 0, size, 1.0)
        left = v - np.real(weighted * v).sum(axis=1, keepdims=True) / size * common
        clean = u - np.real(weighted * u).sum(axis=1, keepdims=True) / size * common
    return clean, left


def _estimate_spectrum(frequencies: Floats) -> Floats:
    """Estimate the spectrum of each row, larger than 0."""
    periodogram = frequencies.real**2 + frequencies.imag**2
    spectrum = np.maximum(
        compute_moving_means(periodogram, _FREQUENCIES_ASIDE), _OWN_SHARE * periodogram
    )
    largest = spectrum.max(axis=1, keepdims=True)
    return np.maximum(spectrum, np.where(largest > 0, _LEAST_SHARE * largest, 1.0))
