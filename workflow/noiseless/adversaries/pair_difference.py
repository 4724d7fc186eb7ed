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

import math

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from noiseless.adversaries.inputs.membership import RawSeries
from noiseless.arrays import Floats
from noiseless.compiled import compile_njit

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


def compare_pair(series: RawSeries, step_wh: float, mean_kwh: Floats | None = None) -> Floats:
    """Compute the log-likelihood ratio of candidate 0, shape (G,), by the model of this module.

    It is 0 for a constant release, for a single reading, and for candidates whose changes are the
    same.  The mean of other homes has the shape (T,) or (G, T).
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
    games, readings = series.output_kwh.shape
    changes = readings - 1
    size = changes if changes < _CHANGES_PADDED else next_fast_len(changes, real=True)
    both, share = np.zeros((2, games, size)), np.empty(games)
    cell_kwh = series.n * step_wh / _WH_PER_KWH
    _fill_changes(
        series.output_kwh, series.candidates_kwh, series.n, cell_kwh, both[..., :changes], share
    )
    frequencies = rfft(both, axis=2)
    if mean_kwh is None:
        common = np.zeros((0, 0), dtype=complex)
    else:
        common = rfft(np.diff(np.atleast_2d(mean_kwh), axis=1), size, axis=1)
    rounds = _ROUNDS if changes >= _CHANGES_FOR_REGRESSION else 0
    _normalize_by_noise(*frequencies, common, series.n - 1, rounds)
    u, v = irfft(frequencies, size, axis=2)[..., :changes]
    score = np.empty(games)
    _sum_products(u, v, np.minimum(_STEADY_SHARE + share, 1), score)
    is_constant = np.ptp(series.output_kwh, axis=1) == 0
    return np.where(is_constant, 0.0, score)


@compile_njit(cache=True, nogil=True)
def _fill_changes(output, candidates, n, cell_kwh, changes, share):  # noqa: ANN001, ANN202
    """Fill in, for each game, the changes of the candidates' difference and of what is left.

    ``share`` becomes how much of the variance of what is left a cell's width explains.
    """
    games, readings = output.shape
    left = np.empty(readings)
    for g in range(games):
        first, second = candidates[g]
        for t in range(readings):
            left[t] = n * output[g, t] - (first[t] + second[t]) / 2
            if t > 0:
                changes[0, g, t - 1] = (first[t] - second[t]) - (first[t - 1] - second[t - 1])
                changes[1, g, t - 1] = left[t] - left[t - 1]
        share[g] = cell_kwh**2 / 12 / max(left.var(), _LEAST_KWH2)


@compile_njit(cache=True, nogil=True)
def _normalize_by_noise(u, v, common, others, rounds):  # noqa: ANN001, ANN202
    """Take out of each row of u and v what is common, and divide it by the spectrum, in place.

    ``common`` has a row for each game, or one for all, or none; it is taken out by generalized
    least squares in some rounds, or, in none, by subtraction from v as often as there are others.
    """
    games, places = v.shape
    spectrum = np.empty(places)
    for g in range(games):
        if len(common):
            shared = common[g if len(common) > 1 else 0]
            if rounds == 0:
                v[g] -= others * shared
            else:
                of_u = of_v = 0.0
                for _ in range(rounds):
                    _fill_spectrum(v[g] - of_v * shared, spectrum)
                    size = in_u = in_v = 0.0
                    for f in range(places):
                        real, imaginary = shared[f].real / spectrum[f], shared[f].imag / spectrum[f]
                        size += real * shared[f].real + imaginary * shared[f].imag
                        in_u += real * u[g, f].real + imaginary * u[g, f].imag
                        in_v += real * v[g, f].real + imaginary * v[g, f].imag
                    if size == 0:
                        size = 1.0
                    of_u, of_v = in_u / size, in_v / size
                u[g] -= of_u * shared
                v[g] -= of_v * shared
        _fill_spectrum(v[g], spectrum)
        for f in range(places):
            root = math.sqrt(spectrum[f])  # division of complex numbers would take twice as long
            u[g, f] = complex(u[g, f].real / root, u[g, f].imag / root)
            v[g, f] = complex(v[g, f].real / root, v[g, f].imag / root)


@compile_njit(cache=True, nogil=True)
def _fill_spectrum(frequencies, spectrum):  # noqa: ANN001, ANN202
    """Estimate the spectrum of one series, larger than 0, from its frequencies."""
    periodogram = frequencies.real**2 + frequencies.imag**2
    _fill_moving_means(periodogram, _FREQUENCIES_ASIDE, spectrum)
    largest = 0.0
    for f in range(len(spectrum)):
        spectrum[f] = max(spectrum[f], _OWN_SHARE * periodogram[f])
        largest = max(largest, spectrum[f])
    least = _LEAST_SHARE * largest if largest > 0 else 1.0
    for f in range(len(spectrum)):
        spectrum[f] = max(spectrum[f], least)


@compile_njit(cache=True, nogil=True)
def _sum_products(u, v, steady, score):  # noqa: ANN001, ANN202
    """Fill in the sums over time of u times v, divided by how much v varies at that time."""
    near = np.empty(v.shape[1])
    for g in range(len(v)):
        square = v[g] ** 2
        _fill_moving_means(square, _READINGS_ASIDE, near)
        all_year, total = steady[g] * square.mean(), 0.0
        for t in range(len(near)):
            variance = all_year + (1 - steady[g]) * near[t]
            total += u[g, t] * v[g, t] / (variance if variance > 0 else 1.0)
        score[g] = total


@compile_njit(cache=True, nogil=True)
def _fill_moving_means(values, aside, means):  # noqa: ANN001, ANN202
    """Average a series over places on each side, mirrored at its ends, by a sum that moves on."""
    last = len(values) - 1
    aside = min(aside, last)
    total = values[0]
    for i in range(1, aside + 1):
        total += 2 * values[i]
    for i in range(last + 1):
        if i > 0:
            entering, leaving = i + aside, i - 1 - aside
            total += values[entering if entering <= last else 2 * last - entering]
            total -= values[abs(leaving)]
        means[i] = total / (2 * aside + 1)
