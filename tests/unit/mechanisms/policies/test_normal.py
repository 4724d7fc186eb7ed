"""Blurring along normals, against brute force on fine grids of the threshold and of records."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noiseless.errors import ConfigError
from noiseless.mechanisms.blurring import PolynomialThreshold, PublicRange
from noiseless.mechanisms.policies.normal import NormalBlurring, compute_normal_measures
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.papers.nsht.blurring import build_bmi_threshold
from noiseless.seeds import make_generator

BOX = PublicRange((0, 0), (200, 250))
BMI = build_bmi_threshold(30)
# A wave with three turning points, in a range that cuts some of its normals short.
WAVE = PolynomialThreshold((20, 10, -24, 0, 4), 4)
WAVY = PublicRange((-20, -3), (40, 3))

exchanges = st.sampled_from([0.25, 1.0, 3.0])


def random_records(box: PublicRange, count: int, *key: object) -> np.ndarray:
    random = make_generator(7, "normal", *map(str, key))
    return random.uniform(box.lower, box.upper, (count, 2))


@pytest.mark.parametrize("exchange", [0.25, 1.0, 3.0])
@pytest.mark.parametrize(("threshold", "box"), [(BMI, BOX), (WAVE, WAVY)])
def test_foot_is_the_nearest_point_of_a_fine_threshold(threshold, box, exchange):
    records = random_records(box, 60, exchange)
    blurring = NormalBlurring(threshold, box, 1.0, exchange=exchange)
    margin = 4 * (box.upper[1] - box.lower[1])
    t = np.linspace(box.lower[1] - margin, box.upper[1] + margin, 400_001)
    g = threshold(t[:, None])
    for record, t_foot, distance in zip(
        records,
        blurring.find_nearest_points(records).t,
        blurring.compute_distance(records),
        strict=True,
    ):
        squared = (g - record[0]) ** 2 + exchange**2 * (t - record[1]) ** 2
        assert distance == pytest.approx(math.sqrt(squared.min()), rel=1e-4, abs=1e-3)
        assert distance <= math.sqrt(squared.min()) * (1 + 1e-12)
        at_foot = threshold(np.array([[t_foot]]))[0], t_foot
        assert math.hypot(
            at_foot[0] - record[0], exchange * (at_foot[1] - record[1])
        ) == pytest.approx(distance, rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([(BMI, BOX, 0.06), (WAVE, WAVY, 0.4)]), exchanges)
def test_no_record_moves_beyond_the_accuracy_and_conclusions_are_as_stated(case, exchange):
    threshold, box, rho = case
    records = random_records(box, 400, rho, exchange)
    blurring = NormalBlurring(threshold, box, rho, exchange=exchange)
    reports = blurring.release(records)
    change = np.hypot(*((reports - records) * [1, exchange]).T)
    assert change.max() <= 1 / rho * (1 + 1e-9)
    decided = blurring.is_decided(reports)
    assert 0 < decided.mean() < 1
    np.testing.assert_array_equal(
        blurring.is_p0(reports)[decided], blurring.is_p0(records)[decided]
    )
    assert not (~decided & ~blurring.can_be_undecided(records)).any()


@pytest.mark.parametrize(
    ("threshold", "box", "rho"), [(BMI, BOX, 0.06), (WAVE, WAVY, 0.4), (WAVE, WAVY, 0.1)]
)
def test_an_undecided_record_has_a_twin_on_its_normal(threshold, box, rho):
    """All records of the normal are released; one of the other side must give the same report."""
    records = random_records(box, 60, rho)
    blurring = NormalBlurring(threshold, box, rho)
    undecided = records[~blurring.is_decided(blurring.release(records))]
    assert len(undecided) > 5
    feet = blurring.find_nearest_points(undecided)
    foot = np.column_stack([threshold(feet.t[:, None]), feet.t])
    direction = (undecided - foot) / feet.distance[:, None]
    below, above, _ = blurring.compute_rooms(feet.t)
    rooms = np.where(blurring.is_p0(undecided), below, above)
    for record, origin, along, room in zip(undecided, foot, direction, rooms, strict=True):
        report = blurring.release(record[None])[0]
        steps = -np.linspace(0, min(2 / rho, room), 301)[1:, None]
        others = origin + steps * along
        others = others[((others >= box.lower) & (others <= box.upper)).all(axis=1)]
        others = others[blurring.is_p0(others) != blurring.is_p0(record[None])]
        apart = np.hypot(*(blurring.release(others) - report).T)
        assert apart.min() <= 2 / rho / 300


def test_a_straight_threshold_is_the_overlay_on_its_side():
    """Where the threshold is constant its normals are the lines of the blurred coordinate."""
    flat, box = PolynomialThreshold((100,)), PublicRange((80, 0), (200, 10))
    records = random_records(box, 200, "flat")
    normal, overlay = NormalBlurring(flat, box, 0.05), OverlayBlurring(flat, box, 0.05)
    np.testing.assert_allclose(normal.release(records), overlay.release(records), atol=1e-9)


def test_reach_is_where_another_point_of_the_threshold_becomes_nearer():
    """Of the parabola x1 = x2^2 at 0 the circle of curvature, with radius 1/2; none below."""
    blurring = NormalBlurring(PolynomialThreshold((0, 0, 1)), PublicRange((-9, -9), (9, 9)), 1)
    below, above, both = blurring.compute_rooms(np.array([0.0, 1.0]))
    assert both.all()
    assert above[0] == pytest.approx(0.5)
    assert below[0] == pytest.approx(9)
    # The normal at 1 meets the mirrored one on the axis, at a distance of sqrt(1 + 1/4).
    assert above[1] == pytest.approx(math.sqrt(1.25))


@pytest.mark.parametrize("exchange", [0.5, 1.0, 2.0])
def test_measures_are_the_shares_of_a_lattice(exchange):
    steps = (np.arange(300) + 0.5) / 300
    records = np.stack([axis.ravel() for axis in np.meshgrid(200 * steps, 250 * steps)], axis=1)
    blurring = NormalBlurring(BMI, BOX, 0.07, exchange=exchange)
    undecided, reports = compute_normal_measures(blurring, points=3000)
    share = 1 - blurring.is_decided(blurring.release(records)).mean()
    assert undecided / BOX.volume == pytest.approx(share, abs=0.003)
    # The reports fill the tube of half of that width, where the box does not cut it.
    halved = NormalBlurring(BMI, BOX, 0.14, exchange=exchange)
    assert reports == pytest.approx(compute_normal_measures(halved, points=3000)[0], rel=1e-9)


def test_dear_heights_make_it_the_overlay():
    """The larger the rate of exchange, the closer to policies that change x1 alone."""
    records = random_records(PublicRange((40, 150), (120, 190)), 100, "dear")
    overlay = OverlayBlurring(BMI, BOX, 0.1).release(records)
    apart = [
        np.abs(NormalBlurring(BMI, BOX, 0.1, exchange=rate).release(records) - overlay).max()
        for rate in (1, 1000)
    ]
    assert apart[0] > 1
    assert apart[1] < 0.02


@pytest.mark.parametrize("exchange", [0, -1, math.nan, math.inf])
def test_rate_of_exchange_must_be_positive(exchange):
    with pytest.raises(ConfigError, match="rate of exchange"):
        NormalBlurring(BMI, BOX, 1, exchange=exchange)


def test_normals_need_two_numbers():
    with pytest.raises(ConfigError, match="2 coordinates"):
        NormalBlurring(BMI, PublicRange((0, 0, 0), (1, 1, 1)), 1)


@pytest.mark.parametrize("exchange", [0.5, 1.0, 2.0])
def test_where_the_foot_is_all_of_p0_its_neighbours_have_one_report(exchange):
    """The threshold is the upper end of the range: the point is a step below, or the lower end."""
    flat = PolynomialThreshold((100,))
    for lower, point in ((0, 90), (95, 95)):
        blurring = NormalBlurring(flat, PublicRange((lower, 0), (100, 9)), 0.1, exchange=exchange)
        x = np.linspace(lower, 100, 101)
        records = np.column_stack([x, np.linspace(0, 9, 101)])
        reports = blurring.release(records)
        undecided = ~blurring.is_decided(reports)
        np.testing.assert_array_equal(undecided, x >= 80)
        np.testing.assert_allclose(reports[undecided, 0], point)
        np.testing.assert_array_equal(undecided, blurring.can_be_undecided(records))
        # A report beside the point comes from nobody.
        beside = np.array([[point - 1.0, 5], [point + 1.0, 5]])
        assert blurring.is_decided(beside).all()


def test_few_points_of_the_midpoint_rule_are_enough():
    """Its error falls with the square of their number; of any other rule, with the number."""
    blurring = NormalBlurring(BMI, BOX, 0.07)
    fine, reports = compute_normal_measures(blurring, points=20_000)
    for points, apart in ((200, 1e-4), (2000, 1e-6)):
        assert compute_normal_measures(blurring, points=points) == pytest.approx(
            (fine, reports), rel=apart
        )
