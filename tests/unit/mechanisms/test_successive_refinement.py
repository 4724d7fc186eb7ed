"""Blurred releases for several analysts, against the proof's cells in exact fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.blurring import PublicRange
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.successive_refinement import release_all, release_for_thresholds

PUBLIC = (0.0, 200.0)
weights = st.floats(0, 200)
rhos = st.lists(st.floats(0.006, 20), min_size=1, max_size=4)


def cell(s: Fraction, below: Fraction, above: Fraction, steps: list[Fraction]) -> tuple:
    """The cell of a record at s and the level from which on it has one, as in the proof."""
    for level in reversed(range(len(steps))):  # finest first
        r = steps[level]
        upper, lower = min(2 * r, above), min(2 * r, below)
        low, high = -min(r, below), min(r, above)
        if below == 0 or not -2 * r <= s < 2 * r:
            continue
        if above == 0:
            return level, Fraction(0)
        if 0 <= s < upper:
            return level, s / upper
        if s < 0:
            return level, (s + lower) / lower
        return level, max(Fraction(0), (s - r - low) / (high - low))  # the upper end of the line
    return -1, Fraction(0)


def exact(s: Fraction, below: Fraction, above: Fraction, steps: list[Fraction]) -> list[Fraction]:
    """Reports of all releases, coarsest first."""
    level, portion = cell(s, below, above, steps)
    bands = [(-min(r, below), min(r, above)) for r in steps]
    return [
        low + portion * (high - low) if place <= level else s
        for place, (low, high) in enumerate(bands)
    ]


# Halves and quarters, so that floats are exact and the ends of bands and sources are met.
fractions = st.integers(0, 80).map(lambda k: Fraction(k, 4))


@settings(max_examples=300)
@given(
    fractions,
    fractions,
    st.lists(st.integers(-80, 80), min_size=1, max_size=8),
    st.lists(st.sampled_from([1, 2, 3, 4, 6, 8]), min_size=1, max_size=3, unique=True),
)
@example(Fraction(20), Fraction(0), [0, -4, -8, -9, -20], [4, 2])  # p0 is a point
@example(Fraction(0), Fraction(20), [0, 4], [4, 2])  # there is no p1
@example(Fraction(20), Fraction(7), [28, 27], [8, 4, 2])  # the end is in two bounds
def test_reports_are_those_of_the_cells(below, above, quarters, steps):
    steps = [Fraction(each) for each in sorted(steps, reverse=True)]
    if below + above == 0:
        return
    offsets = [Fraction(each, 4) for each in quarters if -below <= Fraction(each, 4) <= above]
    if not offsets:
        return
    released = release_all(
        [float(each) for each in offsets],
        0.0,
        (-float(below), float(above)),
        [1 / float(each) for each in steps],
    )
    expected = np.array([exact(each, below, above, steps) for each in offsets], dtype=float).T
    np.testing.assert_allclose(released, expected, atol=1e-12)
    # The proof's promises, in fractions.
    for each in offsets:
        for report, step in zip(exact(each, below, above, steps), steps, strict=True):
            assert abs(report - each) <= step


@given(st.lists(weights, min_size=1, max_size=30), st.floats(-20, 220), rhos)
@example([100.0, math.nextafter(100, 0), 95.0, 90.0, 80.0], 100.0, [0.05, 0.1])
@example([1.0, math.nextafter(1, 0), math.nextafter(1, 2)], 1.0, [1e16, 0.05])
def test_each_release_is_accurate_and_a_function_of_every_finer_one(values, threshold, rho):
    """To the last bit, on any floats; records at and beside the ends of all bands are there."""
    edges = [
        threshold + side * reach / each for each in rho for side in (-1, 1) for reach in (1, 2)
    ]
    beside = [math.nextafter(edge, side * math.inf) for edge in edges for side in (-1, 1)]
    values = [each for each in [*values, *edges, *beside, threshold, 0, 200] if 0 <= each <= 200]
    released = release_all(values, threshold, PUBLIC, rho)
    for report, each in zip(released, rho, strict=True):
        assert np.abs(report - values).max() <= 1 / each * (1 + 1e-12) + 1e-12 * 200
    for fine, coarse in itertools.product(range(len(rho)), repeat=2):
        if rho[fine] >= rho[coarse]:
            reports: dict[float, float] = {}
            for one, other in zip(released[fine], released[coarse], strict=True):
                assert reports.setdefault(one, other) == other


@given(st.lists(weights, min_size=1, max_size=30), st.floats(1, 199), st.floats(0.006, 20))
def test_the_finest_release_is_the_overlay(values, threshold, rho):
    records = np.column_stack([values, np.zeros(len(values))])
    polynomial = type("Constant", (), {"__call__": lambda _, others: 0 * others[:, 0] + threshold})
    overlay = OverlayBlurring(polynomial(), PublicRange((0, 0), (200, 1)), rho)
    released = release_all(values, threshold, PUBLIC, [rho, rho / 3])
    np.testing.assert_allclose(released[0], overlay.release(records)[:, 0], rtol=1e-12, atol=1e-12)


def test_both_sides_share_every_report_of_a_band():
    """Away from the ends: each record has a twin at the same portion of the finest source."""
    x = np.arange(60.1, 140, 0.5)
    rho = [1 / 20, 1 / 10, 1 / 5]
    reports = release_all(x, 100.0, PUBLIC, rho)
    for place, each in enumerate(rho):
        near = (x < 100 + 2 / each) & (x >= 100 - 2 / each)
        portion = (reports[place, near] - (100 - 1 / each)) / (2 / each)
        for twin in (100 + 10 * portion, 90 + 10 * portion):
            again = release_all(twin, 100.0, PUBLIC, rho)
            np.testing.assert_allclose(again[place], reports[place, near], atol=1e-9)
        np.testing.assert_array_equal(reports[place, ~near], x[~near])


def test_odds_behind_a_coarse_report_are_three_to_one():
    """What the proof says of steps of 20 and 10, by counting records that lie evenly."""
    x = np.arange(40, 160, 0.01) + 0.005
    coarse, fine = release_all(x, 100.0, PUBLIC, [1 / 20, 1 / 10])
    is_p0 = x >= 100
    for reports, step, expected in ((coarse, 20, [1 / 3, 3]), (fine, 10, [1, 1])):
        # The lower and the upper half of the band.
        edges = [100 - step, 100, 100 + step]
        counts = [
            np.histogram(reports[side & (np.abs(x - 100) < 2 * step)], edges)[0]
            for side in (is_p0, ~is_p0)
        ]
        np.testing.assert_allclose(counts[0] / counts[1], expected, rtol=0.01)


def test_the_order_of_the_accuracies_is_that_of_the_rows_and_repeated_ones_are_equal():
    x = [80.0, 95.0, 103.0, 117.0]
    first = release_all(x, 100, PUBLIC, [0.05, 0.1, 0.05])
    second = release_all(x, 100, PUBLIC, [0.1, 0.05])
    np.testing.assert_array_equal(first[[1, 0]], second)
    np.testing.assert_array_equal(first[0], first[2])


def test_each_value_may_have_its_own_threshold():
    together = release_all([84.0, 70.0], [86.7, 60.0], PUBLIC, [0.1, 0.2])
    for place, (value, threshold) in enumerate([(84.0, 86.7), (70.0, 60.0)]):
        alone = release_all([value], threshold, PUBLIC, [0.1, 0.2])
        np.testing.assert_array_equal(together[:, [place]], alone)


def test_nothing_moves_where_one_hypothesis_is_empty():
    x = [0.0, 50.0, 200.0]
    for threshold in (-5.0, 0.0, 201.0):
        np.testing.assert_array_equal(release_all(x, threshold, PUBLIC, [0.05, 0.1]), [x, x])
    assert release_all([], 10.0, PUBLIC, [0.1]).shape == (1, 0)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([1], 5, (0, 0), [1]), ConfigError, "lower end first"),
        (([1], 5, (0, math.inf), [1]), ConfigError, "lower end first"),
        (([1], 5, (0,), [1]), ConfigError, "must be 2 numbers"),
        (([1], 5, (0, 9), []), ConfigError, "larger than 0"),
        (([1], 5, (0, 9), [1, 0]), ConfigError, "larger than 0"),
        (([1], 5, (0, 9), [math.nan]), ConfigError, "larger than 0"),
        (([1], 5, (0, 9), 1), ConfigError, "must be a list of numbers"),
        (([1, 10], 5, (0, 9), [1]), DataError, "value 1 is 10.0, outside the public range"),
        (([math.nan], 5, (0, 9), [1]), DataError, "value 0 is nan"),
        (([1], math.inf, (0, 9), [1]), DataError, "must be a finite number"),
        (([1, 2, 3], [1, 2], (0, 9), [1]), DataError, "one number or one per value"),
        (([[1, 2]], 5, (0, 9), [1]), DataError, "one number or one per value"),
        ((["a"], 5, (0, 9), [1]), DataError, "the values must be numbers"),
    ],
)
def test_errors_say_what_to_do(arguments, error, message):
    with pytest.raises(error, match=message):
        release_all(*arguments)


def exact_for_two(x: Fraction, delta: Fraction, r: Fraction, portion: Fraction) -> Fraction:
    """The report of the theorem's construction for thresholds 0 and delta, case by case."""

    def onto(start, stop, to_start, to_stop):
        return to_start + (x - start) * (to_stop - to_start) / (stop - start)

    if delta < 2 * r:
        eta = portion * delta
        if delta - 2 * r <= x < 0:
            return x + r
        if delta <= x < 2 * r:
            return x - r
        if eta <= x < delta - eta:
            return onto(eta, delta - eta, delta - r, r)
        if 0 <= x < eta:
            return x - r
        if -2 * r <= x < delta - 2 * r:
            return onto(-2 * r, delta - 2 * r, -r, eta - r)
        if delta - eta <= x < delta:
            return x + r
        if 2 * r <= x < delta + 2 * r:
            return onto(2 * r, delta + 2 * r, delta + r - eta, delta + r)
        return x
    room = min(2 * r, delta / 2)
    if -2 * r <= x < 0:
        return x + r
    if 0 <= x < room:
        return onto(0, room, -r, r)
    if delta - room <= x < delta:
        return onto(delta - room, delta, delta - r, delta + r)
    if delta <= x < delta + 2 * r:
        return x - r
    return x


@settings(max_examples=300)
@given(
    st.lists(st.integers(-100, 200), min_size=1, max_size=20),
    st.integers(0, 80),
    st.sampled_from([1, 2, 3, 4, 6, 8]),
    st.sampled_from([Fraction(1, 8), Fraction(1, 4), Fraction(1, 2)]),
)
@example([-8, -4, -1, 0, 1, 2, 3, 4, 8, 12], 8, 1, Fraction(1, 4))  # exactly 2r apart
@example([-4, -1, 0, 1, 4], 0, 1, Fraction(1, 4))  # one threshold: the overlay
def test_one_report_for_two_thresholds_is_that_of_the_construction(quarters, apart, step, portion):
    x, delta = [Fraction(each, 4) for each in quarters], Fraction(apart, 4)
    released = release_for_thresholds(
        [float(each) for each in x],
        (0.0, float(delta)),
        (-100, 200),
        1 / step,
        thickness=float(portion),
    )
    expected = [exact_for_two(each, delta, Fraction(step), portion) for each in x]
    np.testing.assert_allclose(released, [float(each) for each in expected], atol=1e-9)
    assert all(abs(report - each) <= step for report, each in zip(expected, x, strict=True))


def test_for_one_threshold_twice_it_is_the_overlay():
    x = np.arange(60.1, 140, 0.5)
    both = release_for_thresholds(x, (100.0, 100.0), PUBLIC, 0.1)
    np.testing.assert_allclose(both, release_all(x, 100.0, PUBLIC, [0.1])[0], atol=1e-9)


def test_each_person_may_have_thresholds_of_their_own():
    x, lower, upper = [84.0, 70.0], [86.7, 60.0], [90.0, 120.0]
    together = release_for_thresholds(x, (lower, upper), PUBLIC, 0.1)
    alone = [
        release_for_thresholds([each], (low, high), PUBLIC, 0.1)[0]
        for each, low, high in zip(x, lower, upper, strict=True)
    ]
    assert together.tolist() == alone


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"public_range": (9, 0)}, ConfigError, "lower end first"),
        ({"rho": 0}, ConfigError, "larger than 0"),
        ({"rho": math.nan}, ConfigError, "larger than 0"),
        ({"thickness": 0}, ConfigError, r"above 0 and at most 0\.5"),
        ({"thickness": 0.6}, ConfigError, r"above 0 and at most 0\.5"),
        ({"thresholds": (40,)}, ConfigError, "must be a pair"),
        ({"thresholds": (60, 40)}, DataError, r"thresholds 60\.0 and 40\.0: give the lower"),
        ({"thresholds": (1, 40)}, DataError, r"2\.0 or more from the ends of the public range"),
        ({"thresholds": (40, 99)}, DataError, "take a larger rho or a wider range"),
        ({"thresholds": (40, math.inf)}, DataError, "must be a finite number"),
        ({"thresholds": (40, [50, 60])}, DataError, "one number or one per value"),
        ({"values": [101]}, DataError, "outside the public range"),
    ],
)
def test_errors_of_two_thresholds_say_what_to_do(changes, error, message):
    asked = {"values": [50], "thresholds": (40, 60), "public_range": (0, 100), "rho": 1}
    with pytest.raises(error, match=message):
        release_for_thresholds(**{**asked, **changes})
