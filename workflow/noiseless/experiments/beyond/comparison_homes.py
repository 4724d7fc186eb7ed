"""Every mechanism at the same error, in the membership game: who is in the aggregate.

The data's user wants the mean of n homes on each day; the error is the root mean square, in kWh, of
the published mean less the true one.  The adversaries are those of the membership game.

1. :func:`mechanisms` gives each mechanism's error.  The curator cuts the exact mean into bins, or
   adds Laplace or normal noise to it; or each home reports one random bit a day, and the mean is
   estimated from the bits.
2. :func:`published` gives the means of each mechanism as whole numbers, for the adversaries of the
   game to observe.
3. :func:`comparison_tables` plays the same games against every mechanism at every error.

Noise is rounded so that the sum of the n readings stays in whole Wh.  Games are drawn, released and
judged for some at a time.  All mechanisms meet the same games, and one mechanism's releases at
several errors share their random numbers: what differs along a curve is the noise's size.

A reading is taken as clipped to the public range, to which an error is relative.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from noiseless.adversaries.membership import ADVERSARIES, Learned, guess, is_peak
from noiseless.experiments.beyond.comparison import (
    NONE,
    Calibration,
    Mechanism,
    calibrate,
    calibration_rows,
    one_bit_variance,
    win_rows,
)
from noiseless.games.membership import (
    WH_PER_KWH,
    AggregateRelease,
    Games,
    PublishedSeries,
    draw_games,
    energy_matrix,
    observe,
    public_maximum_wh,
    totals_wh,
)
from noiseless.mechanisms.gaussian import gaussian_epsilon
from noiseless.mechanisms.one_bit import OneBitMechanism
from noiseless.seeds import generator
from noiseless.theory.levels import touched_bins

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_GAMES_AT_ONCE = 500


@dataclass(frozen=True)
class _Batch:
    """Some games, and the random numbers of one size that all releases of them are made from.

    Attributes
    ----------
    member : ndarray of int, shape (G,)
    total_wh : ndarray of int, shape (G, T)
        Sums of the n readings.
    members : ndarray of int, shape (G, n)
    candidates_wh, peaks : ndarray, shape (G, 2, T)
    laplace, gaussian : ndarray, shape (G, T)
        Noise of scale 1.
    uniform : ndarray, shape (G, n, T) or None
        For the bits of each member.
    """

    member: Ints
    total_wh: Ints
    members: Ints
    candidates_wh: Ints
    peaks: NDArray[np.bool_]
    laplace: Floats
    gaussian: Floats
    uniform: Floats | None


def mechanisms(
    energy_wh: Ints, totals: Ints, counts: Ints, *, n: int, maximum_wh: int
) -> list[Mechanism]:
    """The mechanisms, each with the error in kWh that its parameter makes.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        Readings, within the public range.
    totals, counts : ndarray of int, shape (m,)
        The different sums in Wh of n readings to be released, and how often each occurs.
    n : int
        Homes in an aggregate.
    maximum_wh : int
        Upper end of the public range [0, x_max].
    """

    def quantizer(levels: float) -> float:
        series = AggregateRelease(n, maximum_wh, int(levels)).publish(totals)
        squares = (series.kwh - totals / (n * WH_PER_KWH)) ** 2
        return math.sqrt(np.average(squares, weights=counts))

    shares = energy_wh / maximum_wh
    width = maximum_wh / WH_PER_KWH

    def one_bit(epsilon_nats: float) -> float:
        return math.sqrt(one_bit_variance(shares, width=width, epsilon_nats=epsilon_nats) / n)

    return [
        Mechanism("quantizer", "levels", "levels", quantizer),
        Mechanism("laplace", "scale", "scale_kwh", lambda scale: math.sqrt(2) * scale),
        Mechanism("gaussian", "scale", "sigma_kwh", lambda sigma: sigma),
        Mechanism("one_bit", "epsilon", "epsilon_nats", one_bit),
    ]


def budget(calibration: Calibration, *, n: int, maximum_wh: int, delta: float) -> dict[str, float]:
    """What a calibration guarantees to a home for the release of one day.

    Returns
    -------
    dict
        ``epsilon_bits``: logarithm of the number of answers that one home, the others fixed, can
        choose among at most (Definition 1 of ``noiseless``); ``epsilon_nats``: local or central
        differential privacy, of the Gaussian mechanism with ``delta``.
    """
    sensitivity = maximum_wh / n / WH_PER_KWH
    match calibration.mechanism:
        case "quantizer":
            bins = touched_bins(int(calibration.parameter), output_range=n, sensitivity=1)
            return {"epsilon_bits": math.log2(bins)}
        case "laplace":
            return {"epsilon_nats": sensitivity / calibration.parameter}
        case "gaussian":
            epsilon_nats = gaussian_epsilon(sensitivity / calibration.parameter, delta=delta)
            return {"epsilon_nats": epsilon_nats, "delta": delta}
        case _:  # one_bit, whose parameter it is
            return {}


def comparison_tables(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    training_games: int,
    n: Sequence[int],
    target_error_kwh: Sequence[float],
    public_range: str | float,
    delta: float,
    tolerance: float,
) -> dict[str, pd.DataFrame]:
    """The membership game against every mechanism at every error.

    Parameters
    ----------
    readings : DataFrame
        Prepared table, as for
        :func:`noiseless.games.membership.energy_matrix`; the release is daily.
    dataset : str
        Its name, a coordinate of the random streams.
    seed : int
        Seed of the configuration.
    games : int
        For each n, between the half of the homes that training has not seen.
    training_games : int
        Between the other half, for the learned adversary, for each release anew.
    n : sequence of int
        Homes in an aggregate.
    target_error_kwh : sequence of float
        Root mean square errors of the published mean of a day.
    public_range : str or float
        As for :func:`noiseless.games.membership.public_maximum_wh`.
    delta : float
        Of the Gaussian mechanism's guarantee.
    tolerance : float
        As for :func:`noiseless.experiments.beyond.comparison.calibrate`.

    Returns
    -------
    dict
        ``comparison``: cells (n, mechanism, target_error_kwh, adversary), the mechanism ``none`` at
        0.  Statistics: ``gain``, the signed advantage 2 P(correct) - 1, and ``won_share``, with
        95 % intervals; ``error_kwh``, as found in these games; ``constant_error_kwh``, that of
        whoever publishes the mean of all days and games every day; ``coin_share``; ``games``;
        ``homes``.  A gap has no rows here.
        ``calibration``: cells (n, mechanism, target_error_kwh), with the statistics of
        :func:`noiseless.experiments.beyond.comparison.calibration_rows` and :func:`budget`.
    """
    energy = energy_matrix(readings, resolution="days")
    maximum = public_maximum_wh(energy, public_range)
    order = generator(seed, "comparison", dataset, "halves").permutation(len(energy))
    known, unknown = np.array_split(np.minimum(energy, maximum)[order], 2)
    played, parameters = [], []
    for size in tqdm(n, desc=f"comparison, {dataset}", unit="n"):
        key = ("comparison", dataset, "n", size)
        drawn = {
            name: draw_games(
                generator(seed, *key, name, "games"), homes=len(homes), n=size, games=count
            )
            for name, homes, count in (
                ("testing", unknown, games),
                ("training", known, training_games),
            )
        }
        totals, counts = _count_totals(unknown, drawn["testing"])
        calibrations = [
            calibration
            for mechanism in mechanisms(unknown, totals, counts, n=size, maximum_wh=maximum)
            for calibration in calibrate(mechanism, target_error_kwh, tolerance=tolerance)
        ]
        for calibration in calibrations:
            cell = {
                "n": size,
                "mechanism": calibration.mechanism,
                "target_error_kwh": calibration.target,
            }
            found = {}
            if calibration.is_attainable:
                found = budget(calibration, n=size, maximum_wh=maximum, delta=delta)
            parameters += calibration_rows(calibration, found, cell, unit="kwh")
        mean = np.average(totals, weights=counts)
        constant = math.sqrt(np.average((totals - mean) ** 2, weights=counts)) / size
        releases = [None, *(each for each in calibrations if each.is_attainable)]
        learned = Learned(known / WH_PER_KWH)
        before, after = (
            _play(
                homes,
                drawn[name],
                releases,
                learned,
                seed=seed,
                key=(*key, name),
                maximum_wh=maximum,
            )
            for name, homes in (("training", known), ("testing", unknown))
        )
        for release, trained, now in zip(releases, before, after, strict=True):
            learned.fit(trained.features, trained.member)
            preferences = {**now.preferences, "learned": learned.preference(now.features)}
            for name, preference in preferences.items():
                mechanism = release.mechanism if release else NONE
                target = release.target if release else 0.0
                cell = {
                    **{"n": size, "mechanism": mechanism, "target_error_kwh": target},
                    "adversary": name,
                }
                coin = generator(seed, *key, "coin", name, mechanism, target)
                named = guess(preference, coin.integers(0, 2, games))
                facts = {
                    "error_kwh": now.error_kwh,
                    "constant_error_kwh": constant / WH_PER_KWH,
                    "coin_share": float((preference == 0).mean()),
                    "games": games,
                    "homes": len(unknown),
                }
                played += win_rows(cell, named == now.member, chance=0.5, facts=facts)
    return {"comparison": pd.DataFrame(played), "calibration": pd.DataFrame(parameters)}


@dataclass(frozen=True)
class _Played:
    """What came of all games against one release."""

    member: Ints
    preferences: Mapping[str, Floats]
    features: Floats
    error_kwh: float


def _play(
    energy_wh: Ints,
    games: Games,
    releases: Sequence[Calibration | None],
    learned: Learned,
    *,
    seed: int,
    key: tuple[str | int, ...],
    maximum_wh: int,
) -> list[_Played]:
    n = games.members.shape[1]
    parts: list[list[tuple[dict[str, Floats], Floats, float]]] = [[] for _ in releases]
    bits = any(each is not None and each.mechanism == "one_bit" for each in releases)
    for batch in _batches(energy_wh, games, seed=seed, key=key, bits=bits):
        true_kwh = batch.total_wh / (n * WH_PER_KWH)
        candidates_kwh = batch.candidates_wh / WH_PER_KWH
        for release, part in zip(releases, parts, strict=True):
            series = published(release, batch, energy_wh, n=n, maximum_wh=maximum_wh)
            evidence = observe(series, batch.candidates_wh, batch.peaks)
            output = series.kwh
            part.append(
                (
                    {name: adversary(evidence) for name, adversary in ADVERSARIES.items()},
                    learned.features(output, candidates_kwh, n=n),
                    float(((output - true_kwh) ** 2).sum()),
                )
            )
    readings = len(games.member) * energy_wh.shape[1]
    return [
        _Played(
            games.member,
            {name: np.concatenate([each[0][name] for each in part]) for name in ADVERSARIES},
            np.concatenate([features for _, features, _ in part]),
            math.sqrt(sum(squares for _, _, squares in part) / readings),
        )
        for part in parts
    ]


def _batches(
    energy_wh: Ints, games: Games, *, seed: int, key: tuple[str | int, ...], bits: bool
) -> Iterator[_Batch]:
    peaks = is_peak(energy_wh, strict=True)
    members = games.members
    t = energy_wh.shape[1]
    for start in range(0, len(members), _GAMES_AT_ONCE):
        chosen = slice(start, start + _GAMES_AT_ONCE)
        mine, candidates = members[chosen], games.candidates[chosen]
        draws = {
            name: generator(seed, *key, name, start) for name in ("laplace", "gaussian", "one_bit")
        }
        yield _Batch(
            member=games.member[chosen],
            total_wh=totals_wh(energy_wh, mine),
            members=mine,
            candidates_wh=energy_wh[candidates],
            peaks=peaks[candidates],
            laplace=draws["laplace"].laplace(size=(len(mine), t)),
            gaussian=draws["gaussian"].standard_normal((len(mine), t)),
            uniform=draws["one_bit"].random((*mine.shape, t)) if bits else None,
        )


def published(
    release: Calibration | None, batch: _Batch, energy_wh: Ints, *, n: int, maximum_wh: int
) -> PublishedSeries:
    """The means of a batch of games as one release publishes them; None for the exact means."""
    if release is None:
        return PublishedSeries(batch.total_wh, 1 / n, 0.0)
    match release.mechanism:
        case "quantizer":
            return AggregateRelease(n, maximum_wh, int(release.parameter)).publish(batch.total_wh)
        case "laplace" | "gaussian":
            noise = batch.laplace if release.mechanism == "laplace" else batch.gaussian
            sum_wh = np.rint(noise * (release.parameter * WH_PER_KWH * n)).astype(np.int64)
            return PublishedSeries(batch.total_wh + sum_wh, 1 / n, 0.0)
        case _:
            mechanism = OneBitMechanism(0, maximum_wh, release.parameter)
            probability = mechanism.probability_high(energy_wh)
            high = (batch.uniform < probability[batch.members]).sum(axis=1)
            ends = mechanism.unbiased([0, 1])
            return PublishedSeries(high, float(ends[1] - ends[0]) / n, float(ends[0]))


def _count_totals(energy_wh: Ints, games: Games) -> tuple[Ints, Ints]:
    """The different sums of n readings in all games, and how often each occurs."""
    counts = np.zeros(games.members.shape[1] * int(energy_wh.max()) + 1, dtype=np.int64)
    for start in range(0, len(games.member), _GAMES_AT_ONCE):
        part = totals_wh(energy_wh, games.members[start : start + _GAMES_AT_ONCE])
        counts += np.bincount(part.ravel(), minlength=len(counts))
    totals = np.flatnonzero(counts)
    return totals, counts[totals]
