"""Every mechanism at the same error, on taxi trips: whose trip it is.

The data's user wants the places where trips begin and end; the error is the mean distance, in
metres, of a reported place from the true one.  Places lie on a plane: degrees of the public box
times the length of a degree in its middle.

Uniqueness cannot compare mechanisms: every noisy report is like no other, and tells nobody's name
by that.  The adversary here knows the true trips of N people and sees the report of one of them.
They name the person under whose trip the report is most likely, and toss a fair coin among equals:

- quantizer: anybody whose start and end lie in the reported cells;
- planar Laplace: the smallest sum of the distances of start and end;
- Gaussian: the smallest sum of their squares; Laplace, on each coordinate: of their absolute
  values along both axes;
- one bit of each coordinate: the largest product of the four probabilities.

1. :func:`mechanisms` gives each mechanism's error, :func:`release` its reports,
   :func:`unlikeliness` what the adversary compares.
2. :func:`draw_people` draws N trips for each report, and :func:`comparison_tables` counts how often
   the right one is named.
"""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from noiseless.experiments.beyond.comparison import (
    NONE,
    Calibration,
    Mechanism,
    calibrate,
    calibration_rows,
    win_rows,
)
from noiseless.games.linkage import Linked, Plane, draw_people, lengths_m
from noiseless.mechanisms.gaussian import GaussianMechanism, gaussian_epsilon
from noiseless.mechanisms.laplace import LaplaceMechanism
from noiseless.mechanisms.one_bit import OneBitMechanism
from noiseless.mechanisms.planar_laplace import PlanarLaplaceMechanism
from noiseless.mechanisms.quantizer import Quantizer
from noiseless.seeds import generator

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Mean of the length of a vector of two independent Laplace variables of scale 1: in polar
# coordinates the integral over a quarter of the plane is that of 2 / (cos + sin)^3.
LAPLACE_LENGTH = 1 + math.log(1 + math.sqrt(2)) / math.sqrt(2)
_CALIBRATION_PLACES = 20_000
_PEOPLE_AT_ONCE = 200_000


def mechanisms(places_m: Floats, plane: Plane) -> list[Mechanism]:
    """The mechanisms, each with the mean distance in metres that its parameter makes.

    Parameters
    ----------
    places_m : ndarray, shape (n, 2)
        Places that are typical of those to be reported.
    plane : Plane
    """
    shares = places_m / np.array(plane.size_m)

    def quantizer(levels: float) -> float:
        return float(np.hypot(*(_midpoints(places_m, plane, int(levels)) - places_m).T).mean())

    def one_bit(epsilon_nats: float) -> float:
        # Not through the mechanism, so that epsilon may be infinite.
        tangent = math.tanh(epsilon_nats / 2)
        total = 0.0
        for bits in product((0, 1), repeat=2):
            side = 2 * np.array(bits) - 1
            estimate = (0.5 + side / (2 * tangent)) * plane.size_m
            probability = (0.5 + side * tangent * (shares - 0.5)).prod(axis=1)
            total += float((probability * np.hypot(*(estimate - places_m).T)).mean())
        return total

    return [
        Mechanism("quantizer", "levels", "levels", quantizer),
        Mechanism(
            "planar_laplace", "epsilon", "epsilon_per_m", lambda epsilon_nats: 2 / epsilon_nats
        ),
        Mechanism("laplace", "scale", "scale_m", lambda scale: LAPLACE_LENGTH * scale),
        Mechanism("gaussian", "scale", "sigma_m", lambda sigma: math.sqrt(math.pi / 2) * sigma),
        Mechanism("one_bit", "epsilon", "epsilon_per_coordinate", one_bit),
    ]


def budget(calibration: Calibration, plane: Plane, *, delta: float) -> dict[str, float]:
    """What a calibration guarantees for the report of one trip, two places.

    Returns
    -------
    dict
        ``epsilon_bits`` of the quantizer (Theorem 6 of ``noiseless``); ``epsilon_nats`` of the
        others, between any two trips of the box, of the Gaussian mechanism with ``delta``.
    """
    height, width = plane.size_m
    match calibration.mechanism:
        case "quantizer":
            return {"epsilon_bits": 4 * math.log2(calibration.parameter)}
        case "planar_laplace":
            return {"epsilon_nats": 2 * math.hypot(height, width) * calibration.parameter}
        case "laplace":
            return {"epsilon_nats": 2 * (height + width) / calibration.parameter}
        case "gaussian":
            mu = math.sqrt(2) * math.hypot(height, width) / calibration.parameter
            return {"epsilon_nats": gaussian_epsilon(mu, delta=delta), "delta": delta}
        case _:
            return {"epsilon_nats": 4 * calibration.parameter}


def release(
    calibration: Calibration | None, places_m: Floats, plane: Plane, rng: np.random.Generator
) -> Floats:
    """Reported places; the true ones without a calibration.

    Parameters
    ----------
    calibration : Calibration or None
    places_m : ndarray, shape (..., 2)
    plane : Plane
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (..., 2)
        Mid-points of cells, noisy places, or unbiased estimates from two bits.
    """
    if calibration is None:
        return places_m
    match calibration.mechanism:
        case "quantizer":
            return _midpoints(places_m, plane, int(calibration.parameter))
        case "planar_laplace":
            return PlanarLaplaceMechanism(calibration.parameter).release(places_m, rng)
        case "laplace":
            # The scale is all that counts here.
            return LaplaceMechanism(calibration.parameter, 1.0).release(places_m, rng)
        case "gaussian":
            return GaussianMechanism(calibration.parameter).release(places_m, rng)
        case _:
            axes = _one_bit(plane, calibration.parameter)
            return np.stack(
                [
                    axis.unbiased(axis.release(values, rng))
                    for axis, values in zip(axes, np.moveaxis(places_m, -1, 0), strict=True)
                ],
                axis=-1,
            )


def unlikeliness(
    calibration: Calibration | None, reported_m: Floats, people_m: Floats, plane: Plane
) -> Floats:
    """What grows where a report becomes less likely under a person's trip.

    Parameters
    ----------
    calibration : Calibration or None
        None for the true places: the nearest trip.
    reported_m : ndarray, shape (G, 2, 2)
    people_m : ndarray, shape (G, N, 2, 2)
    plane : Plane

    Returns
    -------
    ndarray, shape (G, N)
        Up to a constant and a positive factor, minus the log-likelihood; of the quantizer, 0 for
        people in the reported cells and 1 for all others.
    """
    away = people_m - reported_m[:, None]
    match calibration.mechanism if calibration else NONE:
        case "quantizer":
            cells = _midpoints(people_m, plane, int(calibration.parameter))
            return (cells != reported_m[:, None]).any(axis=(-2, -1)).astype(float)
        case "laplace":
            return np.abs(away).sum(axis=(-2, -1))
        case "gaussian":
            return (away**2).sum(axis=(-2, -1))
        case "one_bit":
            total = np.zeros(people_m.shape[:2])
            for axis, mechanism in enumerate(_one_bit(plane, calibration.parameter)):
                high = mechanism.probability_high(people_m[..., axis])
                is_high = reported_m[:, None, :, axis] > mechanism.high / 2
                total -= np.log(np.where(is_high, high, 1 - high)).sum(axis=-1)
            return total
        case _:  # planar Laplace, and the true places
            return np.hypot(away[..., 0], away[..., 1]).sum(axis=-1)


def comparison_tables(
    trips: pd.DataFrame,
    *,
    seed: int,
    reports: int,
    people: Sequence[int],
    target_error_m: Sequence[float],
    latitude_range_deg: Sequence[float],
    longitude_range_deg: Sequence[float],
    delta: float,
    tolerance: float,
) -> dict[str, pd.DataFrame]:
    """How often a report is linked to its trip, for every mechanism at every error.

    Parameters
    ----------
    trips : DataFrame
        Prepared trips.
    seed : int
        Seed of the configuration.
    reports : int
        Reports to be linked, each to people of its own.
    people : sequence of int
        Numbers N of people whose trips the adversary knows; the smaller are among the larger.
    target_error_m : sequence of float
        Mean distances of a reported from a true place.
    latitude_range_deg, longitude_range_deg : sequence of two floats
        The public box.
    delta : float
        Of the Gaussian mechanism's guarantee.
    tolerance : float
        As for :func:`noiseless.experiments.beyond.comparison.calibrate`.

    Returns
    -------
    dict
        ``comparison``: cells (people, mechanism, target_error_m, adversary), the mechanism ``none``
        at 0; the adversary ``likelihood``, or ``control``, who sees no report and guesses.
        Statistics: ``won_share`` of the reports that are linked to the right trip, and ``gain``,
        (won_share - 1/N) / (1 - 1/N), with 95 % intervals; ``error_m``, as found in these reports;
        ``constant_error_m``, that of whoever reports the median place always; ``equals``, the mean
        number of people who are likeliest together; ``reports``; ``trips``.  A gap has no rows.
        ``calibration``: cells (mechanism, target_error_m), with the statistics of
        :func:`noiseless.experiments.beyond.comparison.calibration_rows` and :func:`budget`.
    """
    plane = Plane(tuple(latitude_range_deg), tuple(longitude_range_deg))
    places = plane.places_m(trips)
    key = ("comparison", "trips")
    typical = places.reshape(-1, 2)
    chosen = generator(seed, *key, "typical").integers(0, len(typical), _CALIBRATION_PLACES)
    typical = typical[chosen]
    calibrations = [
        calibration
        for mechanism in mechanisms(typical, plane)
        for calibration in calibrate(mechanism, target_error_m, tolerance=tolerance)
    ]
    parameters = []
    for calibration in calibrations:
        cell = {"mechanism": calibration.mechanism, "target_error_m": calibration.target}
        found = budget(calibration, plane, delta=delta) if calibration.is_attainable else {}
        parameters += calibration_rows(calibration, found, cell, unit="m")
    most = max(people)
    releases = [None, *(each for each in calibrations if each.is_attainable)]
    linked = [Linked(people) for _ in releases]
    at_once = max(1, _PEOPLE_AT_ONCE // most)
    for start in tqdm(range(0, reports, at_once), desc="comparison, trips", unit="batch"):
        count = min(at_once, reports - start)
        drawn = draw_people(
            generator(seed, *key, "people", start), trips=len(places), people=most, reports=count
        )
        known = places[drawn]
        coin = generator(seed, *key, "coin", start).random(count)
        for calibration, found in zip(releases, linked, strict=True):
            name = calibration.mechanism if calibration else NONE
            # The same stream at all errors of a mechanism: the same noise, of another size.
            rng = generator(seed, *key, "noise", name, start)
            reported = release(calibration, known[:, 0], plane, rng)
            found.distance_m += float(lengths_m(reported - known[:, 0]).sum())
            found.judge(unlikeliness(calibration, reported, known, plane), coin)
    constant = float(lengths_m(typical - np.median(typical, axis=0)).mean())
    guesses = generator(seed, *key, "control").random(reports)
    rows = []
    for calibration, found in zip(releases, linked, strict=True):
        for number in people:
            cell = {
                "people": number,
                "mechanism": calibration.mechanism if calibration else NONE,
                "target_error_m": calibration.target if calibration else 0.0,
            }
            facts = {
                "error_m": found.distance_m / (2 * reports),
                "constant_error_m": constant,
                "equals": found.equals[number] / reports,
                "reports": reports,
                "trips": len(places),
            }
            for adversary, correct in (
                ("likelihood", np.concatenate(found.correct[number])),
                ("control", guesses * number < 1),
            ):
                named = {**cell, "adversary": adversary}
                rows += win_rows(named, correct, chance=1 / number, facts=facts)
    return {"comparison": pd.DataFrame(rows), "calibration": pd.DataFrame(parameters)}


def _midpoints(places_m: Floats, plane: Plane, levels: int) -> Floats:
    """Mid-points of the cells that hold the places."""
    axes = zip(_quantizers(plane, levels), np.moveaxis(places_m, -1, 0), strict=True)
    return np.stack([quantizer.release(values) for quantizer, values in axes], axis=-1)


def _quantizers(plane: Plane, levels: int) -> tuple[Quantizer, Quantizer]:
    """Of the northward and the eastward coordinate."""
    height, width = plane.size_m
    return Quantizer(0.0, height, levels, clip=True), Quantizer(0.0, width, levels, clip=True)


def _one_bit(plane: Plane, epsilon_nats: float) -> tuple[OneBitMechanism, OneBitMechanism]:
    """Of the northward and the eastward coordinate."""
    height, width = plane.size_m
    return OneBitMechanism(0.0, height, epsilon_nats), OneBitMechanism(0.0, width, epsilon_nats)
