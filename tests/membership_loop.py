"""The membership game as a reader would first write it: one game, one adversary at a time.

Reference for the compiled game, in the tests and in the benchmark: pandas and scipy on kWh, the
quantizer applied to means of floats, nothing shared with the package but that quantizer and the
documented tie rule.
"""

import warnings

import numpy as np
import pandas as pd
from scipy.stats import pearsonr

TIE = 1e-9
BY_LOOP = ("correlation", "mse", "peaks", "control")


def guesses_by_loop(energy_wh, games, release, coins, *, strict_peaks=True):
    """Guess of each adversary of :data:`BY_LOOP` in each game."""
    homes = pd.DataFrame(energy_wh.T)
    guesses = {name: [] for name in BY_LOOP}
    for g, (candidates, members) in enumerate(zip(games.candidates, games.members, strict=True)):
        clipped = homes[list(members)].clip(upper=release.maximum_wh)
        # Whole numbers are divided once, so that a mean on an edge is the float of that edge.
        mean_kwh = clipped.sum(axis=1) / (1000 * len(members))
        y = pd.Series(release.compute_output_kwh(mean_kwh.to_numpy()))
        x = [homes[home] / 1000 for home in candidates]
        scores = {
            "correlation": [_pearson(each, y) for each in x],
            "mse": [-float(((each - y) ** 2).mean()) for each in x],
            "peaks": [len(_peaks(each, strict_peaks) & _peaks(y, strict_peaks)) for each in x],
            "control": [round(1000 * each.sum()) for each in x],
        }
        for name, (zero, one) in scores.items():
            scale = abs(zero) + abs(one) if name == "mse" else 1
            is_tie = not abs(zero - one) > TIE * scale  # a NaN is one, too
            guesses[name].append(int(coins[name][g]) if is_tie else int(one > zero))
    return {name: np.array(each) for name, each in guesses.items()}


def _pearson(x, y):
    """NaN where either is constant; means of equal readings may differ in the last digit."""
    if np.ptp(x) < TIE or np.ptp(y) < TIE:
        return float("nan")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(pearsonr(x, y).statistic)


def _peaks(series, strict):
    """Positions of the local maxima, to a ninth of a kWh's digits."""
    v = series.round(9).tolist()
    found = set()
    for t in range(1, len(v) - 1):
        if strict:
            peak = v[t] > v[t - 1] and v[t] > v[t + 1]
        else:
            peak = v[t] >= v[t - 1] and v[t] >= v[t + 1] and (v[t] > v[t - 1] or v[t] > v[t + 1])
        if peak:
            found.add(t)
    return found


def peaks_of(series, strict):
    """Which readings are local maxima, the first and the last none, shape (..., T).

    Above both neighbours where ``strict``; else not below either, and above one of them.
    """
    before, at, after = series[..., :-2], series[..., 1:-1], series[..., 2:]
    peak = np.zeros(series.shape, dtype=bool)
    strictly = (at > before) & (at > after)
    tolerant = (at >= before) & (at >= after) & ((at > before) | (at > after))
    peak[..., 1:-1] = strictly if strict else tolerant
    return peak
