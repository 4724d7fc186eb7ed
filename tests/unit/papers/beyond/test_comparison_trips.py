"""Linking a report to a trip: densities in a plain loop, errors on fresh noise, both ends."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.integrate import dblquad

from noiseless.adversaries.linkage.evidence import LinkageEvidence, LinkageTraining
from noiseless.adversaries.linkage.likelihood import Likelihood
from noiseless.data import plane
from noiseless.errors import ConfigError
from noiseless.games import linkage
from noiseless.games.comparison import calibrated
from noiseless.mechanisms.families import mechanisms
from noiseless.mechanisms.families.laplace import LAPLACE_LENGTH
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.papers.beyond import comparison_trips
from noiseless.seeds import generator
from toy_trips import BOX, SETTINGS, make_trips

PLANE = plane.Plane(**BOX)
BOX_M = comparison_trips.box(PLANE)
MECHANISMS = ("quantizer", "planar_laplace", "laplace", "gaussian", "one_bit")


@pytest.fixture(scope="module")
def table():
    return make_trips()


@pytest.fixture(scope="module")
def places(table):
    return PLANE.places_m(table)


def task_of(places):
    return comparison_trips.Trips(places, BOX_M, reports=300, people=[5], seed=3)


def settings_at(places, targets, tolerance=0.2):
    """Each calibration that is attainable, with the mechanism at its parameter."""
    return [
        (calibration, family.on(BOX_M, calibration.parameter))
        for family, calibration in calibrated(task_of(places), targets, tolerance=tolerance)
        if calibration.is_attainable
    ]


def one_of_each(places):
    found = {each.name: each for _, each in settings_at(places, [60_000, 1500])}
    assert set(found) == set(MECHANISMS)
    return found


def test_plane_keeps_distances(table, places):
    """Against the great circle between the ends of each trip."""
    radians = np.radians(table[list(plane._COLUMNS)].to_numpy(float))
    south, west, north, east = radians.T
    chord = np.sin((north - south) / 2) ** 2
    chord += np.cos(south) * np.cos(north) * np.sin((east - west) / 2) ** 2
    circle = 2 * 6_371_000 * np.arcsin(np.sqrt(chord))
    flat = np.hypot(*(places[:, 1] - places[:, 0]).T)
    np.testing.assert_allclose(flat, circle, rtol=0.004, atol=0.1)
    height, width = PLANE.size_m
    assert (places >= 0).all()
    assert (places <= [height, width]).all()


def test_mean_length_of_laplace_noise_by_integration():
    value, _ = dblquad(lambda y, x: math.hypot(x, y) * math.exp(-x - y), 0, 60, 0, 60)
    assert pytest.approx(value, rel=1e-6) == LAPLACE_LENGTH


def test_errors_are_those_of_fresh_noise(places):
    """A calibrated parameter, then noise that calibration has not seen."""
    calibrations = settings_at(places, [50, 1000, 40_000])
    assert {mechanism.name for _, mechanism in calibrations} == set(MECHANISMS)
    for calibration, mechanism in calibrations:
        reports = mechanism.release(places, generator(9, "fresh", mechanism.name))
        error = plane.lengths_m(reports - places).mean()
        assert error == pytest.approx(calibration.expected_error, rel=0.04), calibration
        tolerance = 0.2 if calibration.mechanism == "quantizer" else 1e-6
        assert calibration.expected_error == pytest.approx(calibration.target, rel=tolerance)


def test_one_bit_error_falls_with_epsilon(places):
    """So that a root search finds the only root."""
    one_bit, task = mechanisms()["one_bit"], task_of(places)
    errors = [
        task.error(one_bit.on(BOX_M, each)) for each in (*np.geomspace(0.01, 30, 60), math.inf)
    ]
    assert (np.diff(errors) <= 1e-9).all()
    assert errors[-1] > 20_000


def log_likelihood(mechanism, report, person):
    """Of a report of one person's trip, coordinate by coordinate or place by place."""
    height, width = PLANE.size_m
    total = 0.0
    for end in range(2):
        away = report[end] - person[end]
        match mechanism.name:
            case "planar_laplace":
                epsilon_nats = mechanism.parameter
                total += math.log(epsilon_nats**2 / (2 * math.pi)) - epsilon_nats * math.hypot(
                    *away
                )
            case "laplace":
                total += stats.laplace(scale=mechanism.parameter).logpdf(away).sum()
            case "gaussian":
                total += stats.norm(scale=mechanism.parameter).logpdf(away).sum()
            case "one_bit":
                for axis, length in enumerate((height, width)):
                    share = person[end, axis] / length
                    odds = math.exp(mechanism.parameter)
                    high = (odds - 1) / (odds + 1) * share + 1 / (odds + 1)
                    total += math.log(high if report[end, axis] > length / 2 else 1 - high)
    return total


def scores_of(mechanism, reports, people):
    """What the adversary who knows the mechanism says of each person."""
    adversary = Likelihood().fit(LinkageTraining(mechanism, people[0, :, 0]))
    return linkage.scores_of(adversary, LinkageEvidence(reports, people))


@pytest.mark.parametrize("name", MECHANISMS[1:])
def test_scores_are_the_log_likelihood(places, name):
    mechanism = one_of_each(places)[name]
    people = places[np.arange(12).reshape(3, 4)]
    reports = mechanism.release(people[:, 0], generator(1, "reports"))
    scores = scores_of(mechanism, reports, people)
    slow = [
        [log_likelihood(mechanism, report, each) for each in known]
        for report, known in zip(reports, people, strict=True)
    ]
    scores, slow = scores - scores[:, :1], np.array(slow) - np.array(slow)[:, :1]
    np.testing.assert_allclose(scores, slow, rtol=1e-9, atol=1e-9)


def test_quantizer_is_linked_to_all_in_the_same_cells(places):
    """Counting equal cells, and winning one in so many."""
    mechanism = one_of_each(places)["quantizer"]
    height, width = PLANE.size_m
    levels = int(mechanism.parameter)
    rows = Quantizer(0, height, levels, clip=True).index(places[..., 0])
    columns = Quantizer(0, width, levels, clip=True).index(places[..., 1])
    people = np.arange(60).reshape(2, 30)
    reports = mechanism.release(places[people[:, 0]], generator(1))
    scores = scores_of(mechanism, reports, places[people])
    for g in range(2):
        me = people[g, 0]
        for k, other in enumerate(people[g]):
            same = (rows[me] == rows[other]).all() and (columns[me] == columns[other]).all()
            assert scores[g, k] == (0 if same else -math.inf)


def test_coin_among_equals_is_fair():
    """Three of four people are equal: the right one is named for a third of the coins."""
    linked = linkage.Linked()
    coins = np.linspace(0.0005, 0.9995, 1000)
    mine = np.full(1000, 2)
    linked.judge(np.tile([0.0, -1.0, 0.0, 0.0], (1000, 1)), mine, coins)
    assert linked.correct[0].mean() == pytest.approx(1 / 3, abs=0.002)
    assert linked.equals == 3000
    linked.judge(np.tile([-5.0, -math.inf, 0.0], (1000, 1)), mine, coins)
    linked.judge(np.tile([0.0, 0.0, -1e-9], (1000, 1)), mine, coins)
    assert linked.correct[1].all()
    assert not linked.correct[2].any()


def test_line_ups_hide_who_made_the_report(places):
    """In every place as often as in any other, among the same people."""
    people = places[np.arange(4000).reshape(1000, 4) % len(places)]
    line_up = linkage.LineUp.draw(generator(1, "line-up"), people)
    mine = line_up.people_m[np.arange(1000), line_up.mine]
    np.testing.assert_array_equal(mine, people[:, 0])
    assert stats.chisquare(np.bincount(line_up.mine, minlength=4)).pvalue > 1e-3
    flat = (each.reshape(1000, 4, 4) for each in (line_up.people_m, people))
    shown, given = (np.sort(each[..., 0], axis=1) for each in flat)
    np.testing.assert_array_equal(shown, given)


def test_people_are_drawn_again_who_stand_in_their_row_already():
    rng = generator(1, "again")
    expected = rng.integers(0, 9, (50, 6)).tolist()
    while any(len(set(row)) < 6 for row in expected):
        places = [
            (row, place) for row in expected for place in range(6) if row[place] in row[:place]
        ]
        for (row, place), trip in zip(places, rng.integers(0, 9, len(places)), strict=True):
            row[place] = int(trip)
    drawn = linkage.draw_people(generator(1, "again"), trips=9, people=6, reports=50)
    np.testing.assert_array_equal(drawn, expected)


def won(tables, **where):
    rows = tables["comparison"]
    chosen = rows["statistic"] == "gain"
    for column, value in where.items():
        chosen &= rows[column] == value
    return rows[chosen].set_index(["mechanism", "people"])[["value", "low", "high"]]


def test_small_errors_converge_to_the_true_places(linked_trips):
    exact = won(linked_trips, adversary="likelihood", target_error_m=0.0)
    assert (exact["value"] > 0.99).all()
    small = won(linked_trips, adversary="likelihood", target_error_m=1)
    assert set(small.index.get_level_values(0)) == set(MECHANISMS) - {"one_bit"}
    for (_, people), row in small.iterrows():
        assert row["value"] == pytest.approx(exact.loc[("none", people), "value"], abs=0.01)


def test_large_errors_leave_nothing_and_control_never_wins(linked_trips):
    large = won(linked_trips, adversary="likelihood", target_error_m=1e7)
    assert set(large.index.get_level_values(0)) == set(MECHANISMS) - {"quantizer"}
    assert (large["low"] < 0.02).all()
    control = won(linked_trips, adversary="control")
    assert ((control["low"] <= 0) & (control["high"] >= 0)).all()


def test_more_people_are_harder_to_tell_apart(linked_trips):
    middle = won(linked_trips, adversary="likelihood", target_error_m=1500)["value"].unstack()
    assert (middle[5] > middle[40]).all()


def test_trips_that_are_all_alike_are_linked_by_chance(table):
    alike = pd.concat([table.iloc[[0]]] * 50, ignore_index=True)
    found = comparison_trips.comparison_tables(alike, target_error_m=[1500], **SETTINGS)
    gains = won(found, adversary="likelihood")
    assert ((gains["low"] <= 0) & (gains["high"] >= 0)).all()


def test_results_do_not_depend_on_the_other_targets(table, linked_trips):
    alone = comparison_trips.comparison_tables(table, target_error_m=[1500], **SETTINGS)[
        "comparison"
    ]
    mine = linked_trips["comparison"]
    mine = mine[mine["target_error_m"].isin([0.0, 1500])].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, mine)


@pytest.mark.parametrize("name", ["planar_laplace", "laplace"])
def test_guarantee_bounds_the_likelihood_ratio_of_the_farthest_trips(places, name):
    mechanism = one_of_each(places)[name]
    epsilon_nats = mechanism.guarantee(delta=1e-5).epsilon_nats
    height, width = PLANE.size_m
    corner, other = np.zeros((2, 2)), np.array([[height, width]] * 2)
    ratio = log_likelihood(mechanism, corner, corner) - log_likelihood(mechanism, corner, other)
    assert ratio == pytest.approx(epsilon_nats, rel=1e-9)


def test_too_few_trips_is_an_error_that_says_so(table):
    with pytest.raises(ConfigError, match="knows 40 people needs as many trips, but there are 30"):
        comparison_trips.comparison_tables(table.iloc[:30], target_error_m=[1500], **SETTINGS)
