"""Linking a report to a trip: densities in a plain loop, errors on fresh noise, both ends."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import dblquad

from noiseless.data import plane
from noiseless.errors import ConfigError
from noiseless.games.comparison import CalibratedMechanism, iterate_calibrations
from noiseless.mechanisms.families import load_mechanisms
from noiseless.mechanisms.families.laplace import MEAN_LAPLACE_LENGTH
from noiseless.mechanisms.interface import Domain
from noiseless.papers.beyond import comparison_trips
from noiseless.seeds import make_generator
from toy_trips import BOX, SETTINGS, make_trips
from wide_table import chosen

PLANE = plane.Plane(**BOX)
BOX_M = comparison_trips.build_trip_domain(PLANE)
MECHANISMS = ("quantizer", "planar_laplace", "laplace", "gaussian", "one_bit")


@pytest.fixture(scope="module")
def table():
    return make_trips()


@pytest.fixture(scope="module")
def places(table):
    return PLANE.project_trips_m(table)


def task_of(places):
    return comparison_trips.TripTask(places, BOX_M, reports=300, people=[5], seed=3)


def settings_at(places, targets, tolerance=0.2):
    """Each calibration that is attainable, with the mechanism at its parameter."""
    return [
        (calibration, family(BOX_M, calibration.parameter))
        for family, calibration in iterate_calibrations(
            task_of(places), targets, tolerance=tolerance
        )
        if calibration.is_attainable
    ]


def test_plane_keeps_distances(table, places):
    """Against the great circle between the ends of each trip."""
    radians = np.radians(table[list(plane.COORDINATES)].to_numpy(float))
    south, west, north, east = radians.T
    chord = np.sin((north - south) / 2) ** 2
    chord += np.cos(south) * np.cos(north) * np.sin((east - west) / 2) ** 2
    circle = 2 * 6_371_000 * np.arcsin(np.sqrt(chord))
    flat = np.hypot(*(places[:, 1] - places[:, 0]).T)
    np.testing.assert_allclose(flat, circle, rtol=0.004, atol=0.1)
    height, width = PLANE.size_m
    assert (places >= 0).all()
    assert (places <= [height, width]).all()


def test_the_mean_length_of_laplace_noise_agrees_with_an_integral():
    value, _ = dblquad(lambda y, x: math.hypot(x, y) * math.exp(-x - y), 0, 60, 0, 60)
    assert pytest.approx(value, rel=1e-6) == MEAN_LAPLACE_LENGTH


def test_errors_are_those_of_fresh_noise(places):
    """A calibrated parameter, then noise that calibration has not seen."""
    calibrations = settings_at(places, [50, 1000, 40_000])
    assert {mechanism.name for _, mechanism in calibrations} >= set(MECHANISMS)
    for calibration, mechanism in calibrations:
        reports = mechanism.release(places, make_generator(9, "fresh", mechanism.name))
        error = plane.compute_lengths_m(reports - places).mean()
        assert error == pytest.approx(calibration.expected_error, rel=0.04), calibration
        tolerance = 0.2 if calibration.mechanism == "quantizer" else 1e-6
        assert calibration.expected_error == pytest.approx(calibration.target, rel=tolerance)


def test_one_bit_error_falls_with_epsilon(places):
    """So that a root search finds the only root."""
    one_bit, task = load_mechanisms()["one_bit"], task_of(places)
    errors = [
        task.measure_error(one_bit.create_limited(BOX_M, each))
        for each in (*np.geomspace(0.01, 30, 60), math.inf)
    ]
    assert (np.diff(errors) <= 1e-9).all()
    assert errors[-1] > 20_000


def won(tables, **where):
    rows = chosen(tables["comparison"], statistic="gain", **where)
    return rows.set_index(["mechanism", "people"])[["value", "low", "high"]]


def test_small_errors_converge_to_the_true_places(linked_trips):
    exact = won(linked_trips, adversary="likelihood", target_error_m=0.0)
    assert (exact["value"] > 0.99).all()
    small = won(linked_trips, adversary="likelihood", target_error_m=1)
    attained = set(small.index.get_level_values(0))
    assert attained & set(MECHANISMS) == set(MECHANISMS) - {"one_bit"}
    for (_, people), row in small.iterrows():
        assert row["value"] == pytest.approx(exact.loc[("none", people), "value"], abs=0.01)


def test_large_errors_leave_nothing_and_control_never_wins(linked_trips):
    large = won(linked_trips, adversary="likelihood", target_error_m=1e7)
    attained = set(large.index.get_level_values(0))
    assert attained & set(MECHANISMS) == set(MECHANISMS) - {"quantizer"}
    assert (large["low"] < 0.02).all()
    control = won(linked_trips, adversary="control")
    assert ((control["low"] <= 0) & (control["high"] >= 0)).all()


def test_more_people_are_harder_to_tell_apart(linked_trips):
    middle = won(linked_trips, adversary="likelihood", target_error_m=1500)["value"].unstack()
    assert (middle[5] > middle[40]).all()


def test_trips_that_are_all_alike_are_linked_by_chance(table):
    alike = pd.concat([table.iloc[[0]]] * 50, ignore_index=True)
    found = comparison_trips.build_comparison_tables(alike, target_error_m=[1500], **SETTINGS)
    gains = won(found, adversary="likelihood")
    assert ((gains["low"] <= 0) & (gains["high"] >= 0)).all()


def test_results_do_not_depend_on_the_other_targets(table, linked_trips):
    alone = comparison_trips.build_comparison_tables(table, target_error_m=[1500], **SETTINGS)[
        "comparison"
    ]
    mine = linked_trips["comparison"]
    mine = mine[mine["target_error_m"].isin([0.0, 1500])].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, mine)


def test_too_few_trips_is_an_error_that_says_so(table):
    with pytest.raises(ConfigError, match="number of trips, 30, got 40"):
        comparison_trips.build_comparison_tables(table.iloc[:30], target_error_m=[1500], **SETTINGS)


def test_a_mechanism_of_another_box_links_nothing(places):
    task = task_of(places)
    other = Domain((0.0, 0.0), tuple(2 * each for each in BOX_M.high), "m", values=2)
    for domain in (other, Domain(BOX_M.low, BOX_M.high, "km", values=2)):
        release = CalibratedMechanism(load_mechanisms()["laplace"](domain, 10.0), 1.0)
        with pytest.raises(ConfigError, match=r"'laplace' .* but the game plays"):
            next(task.play([release]))
