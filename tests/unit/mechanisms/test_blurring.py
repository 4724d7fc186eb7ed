"""The blurring policies and their guarantees, against brute force and exact rationals."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bodies import BMI, BOX, HEIGHTS, RECORDS, RHOS, WEIGHTS
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.blurring import (
    PolynomialThreshold,
    PublicRange,
    bound_band_measure,
    build_polynomial_threshold,
    compute_band_measure,
    compute_budget,
    compute_privacy,
    map_onto_band,
)
from noiseless.mechanisms.policies import load_blurring_policies
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.mechanisms.policies.normal import NormalBlurring
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.policies.round import RoundBlurring
from noiseless.mechanisms.policies.slices import SliceBlurring
from noiseless.mechanisms.policies.stretch import StretchBlurring

POLICIES = [CollapseBlurring, StretchBlurring, OverlayBlurring, SliceBlurring]


@given(st.lists(WEIGHTS, min_size=1, max_size=10), st.lists(HEIGHTS, min_size=1, max_size=5), RHOS)
def test_releasing_lines_equals_releasing_each_record(weights, heights, rho):
    """On and beside the edges of the band, too, and where the threshold leaves the range."""
    edges = [BMI(np.array([[height]]))[0] + side / rho for height in heights for side in (-1, 0, 1)]
    x = np.array([*weights, *(edge for edge in edges if 0 <= edge <= 200), 0, 200])
    records = np.array([(weight, height) for height in heights for weight in x])
    for policy in [*POLICIES, RoundBlurring]:
        blurring = policy(BMI, BOX, rho)
        reports, is_p0, is_decided = blurring.release_lines(x, np.array(heights)[:, None])
        released = blurring.release(records)
        np.testing.assert_array_equal(reports.ravel(), released[:, 0])
        np.testing.assert_array_equal(is_p0.ravel(), blurring.is_p0(records))
        np.testing.assert_array_equal(is_decided.ravel(), blurring.is_decided(released))


@given(RECORDS, RHOS)
def test_policies_are_rho_accurate_and_touch_only_the_band(records, rho):
    records = np.array(records)
    for policy in [*POLICIES, RoundBlurring]:
        blurring = policy(BMI, BOX, rho)
        released = blurring.release(records)
        change = np.linalg.norm(released - records, axis=1)
        assert change.max() <= 1 / rho * (1 + 1e-12) + 1e-9
        moved = {
            CollapseBlurring: blurring.is_in_band(records),
            StretchBlurring: blurring.is_in_band(records),
            RoundBlurring: np.ones(len(records), dtype=bool),
        }.get(policy, blurring.can_be_undecided(records))
        assert not change[~moved].any()
        assert (released >= BOX.lower).all()
        assert (released <= np.array(BOX.upper) * (1 + 1e-15)).all()


@given(st.lists(st.tuples(WEIGHTS, HEIGHTS), min_size=1, max_size=50), RHOS)
def test_a_decided_report_never_came_from_the_other_hypothesis(records, rho):
    """What the adversary concludes from the report alone is right."""
    records = np.array(records)
    for policy in POLICIES:
        blurring = policy(BMI, BOX, rho)
        reports = blurring.release(records)
        decided = blurring.is_decided(reports)
        np.testing.assert_array_equal(
            blurring.is_p0(reports)[decided], blurring.is_p0(records)[decided]
        )


def test_threshold_is_exact_where_the_weight_is_a_whole_number():
    for height in range(1, 251):
        exact = Fraction(3 * height**2, 1000)
        assert BMI(np.array([[float(height)]]))[0] == float(exact)
        if exact.denominator == 1:
            assert BMI(np.array([[float(height)]]))[0] == int(exact)


def exact_band(rho: Fraction) -> float:
    """The band of the body mass index by its antiderivative, worked out by hand.

    The upper edge 3 h^2/1000 + r leaves [0, 200] at h = sqrt(1000 (200 - r) / 3), the lower edge
    enters it at h = sqrt(1000 r / 3).
    """
    r = 1 / rho
    top = min(250.0, math.sqrt(max(0, 1000 * (200 - r) / 3)))
    bottom = min(250.0, math.sqrt(1000 * r / 3))
    upper = 0.001 * top**3 + float(r) * top + 200 * (250 - top)
    lower = 0.001 * (250.0**3 - bottom**3) - float(r) * (250 - bottom)
    return upper - lower


@pytest.mark.parametrize("rho", ["1/200", "1/100", "1/50", "1/20", "1/10", "1/5", "1", "10", "100"])
def test_band_measure_equals_the_antiderivative_worked_out_by_hand(rho):
    assert compute_band_measure(BMI, BOX, float(Fraction(rho))) == pytest.approx(
        exact_band(Fraction(rho)), rel=1e-12
    )


polynomials = st.lists(st.integers(-40, 40), min_size=1, max_size=5)


@settings(max_examples=150, deadline=None)
@given(polynomials, st.floats(0.05, 5), st.integers(1, 20))
def test_exact_measure_lies_in_the_certified_bounds_for_any_polynomial(numerators, rho, divisor):
    threshold = PolynomialThreshold(tuple(numerators), divisor)
    box = PublicRange((-10, -3), (12, 4))
    exact = compute_band_measure(threshold, box, rho)
    widths = []
    for cells in (50, 500, 5000):
        lower, upper = bound_band_measure(threshold, box, rho, cells)
        assert lower - 1e-9 <= exact <= upper + 1e-9
        widths.append(upper - lower)
    assert widths[2] <= widths[1] + 1e-9 <= widths[0] + 2e-9
    assert widths[2] <= 0.35


class SumThreshold:
    """x1 >= x2 + x3, a threshold of two variables."""

    def __call__(self, others):
        return others.sum(axis=1)

    def bounds(self, lower, upper):
        return self(lower), self(upper)


def test_bounds_of_a_monotone_threshold_of_two_variables_are_found():
    """x1 >= x2 + x3 on a cube: the band |x1 - x2 - x3| <= 1/2 measured by counting points."""
    box = PublicRange((0, 0, 0), (1, 1, 1))
    lower, upper = bound_band_measure(SumThreshold(), box, 2.0, 400)
    steps = (np.arange(150) + 0.5) / 150
    x1, x2, x3 = np.meshgrid(steps, steps, steps)
    counted = (np.abs(x1 - x2 - x3) <= 0.5).mean()
    assert lower <= counted <= upper
    assert upper - lower < 0.01


@pytest.mark.parametrize(("g_low", "g_high", "most"), [(-10, 12, 22), (2, 12, 21), (-10, -1, 20)])
def test_bounds_of_one_cell_are_of_the_nearest_value_to_the_middle(g_low, g_high, most):
    """A band as wide as the box covers all of it at its middle, 1, and less by every unit away."""

    class Threshold:
        def bounds(self, lower, upper):
            return np.array([g_low]), np.array([g_high])

    lower, upper = bound_band_measure(Threshold(), PublicRange((-10, -3), (12, 4)), 1 / 11, 1)
    least = 22 - max(abs(g_low - 1), abs(g_high - 1))
    assert (lower, upper) == pytest.approx((7 * least, 7 * most))


@given(st.fractions(0, 99, max_denominator=50))
def test_budget_and_privacy_are_inverse_to_each_other(band):
    """log(1 + budget) is the privacy of Equation 9 with h0(X): exactly Theorem 4's algebra."""
    volume = 100
    exact = band / (volume - band)
    assert compute_budget(float(band), volume) == pytest.approx(float(exact), rel=1e-12)
    assert compute_privacy(volume, volume - float(band)) == pytest.approx(
        math.log(1 + exact), rel=1e-12, abs=1e-14
    )


def test_budget_of_a_band_that_is_the_whole_box_is_infinite():
    assert compute_budget(100.0, 100.0) == math.inf


@pytest.mark.parametrize("policy", POLICIES)
def test_threshold_at_the_lower_end_of_the_range_moves_nobody_but_the_printed_policy(policy):
    """All are p0 there, and nothing is divided by a band without width."""
    blurring = policy(PolynomialThreshold((0,)), PublicRange((0, 0), (200, 1)), 0.2)
    records = np.array([[x, 0.5] for x in (0.0, 1.5, 100.0, 198.5, 200.0)])
    reports = blurring.release(records)
    if policy is not CollapseBlurring:
        np.testing.assert_array_equal(reports, records)
    assert blurring.is_decided(reports).all()
    assert not blurring.can_be_undecided(records).any()


@pytest.mark.parametrize(
    ("policy", "below", "point"),
    [
        (CollapseBlurring, 10, 100),
        (StretchBlurring, 10, 100),
        (RoundBlurring, 10, 100),
        (OverlayBlurring, 20, 90),
        (SliceBlurring, 20, 90),
        (NormalBlurring, 20, 90),
    ],
)
def test_threshold_at_the_upper_end_of_the_range_gives_its_neighbours_one_report(
    policy, below, point
):
    """p0 is 100 alone: all who can be undecided need its report."""
    blurring = policy(PolynomialThreshold((100,)), PublicRange((0, 0), (100, 1)), 0.1)
    records = np.array([[x, 0.5] for x in range(101)])
    reports = blurring.release(records)
    undecided = ~blurring.is_decided(reports)
    np.testing.assert_array_equal(undecided, records[:, 0] >= 100 - below)
    np.testing.assert_allclose(reports[undecided, 0], point)
    assert np.abs(reports - records).max() <= 10
    np.testing.assert_array_equal(blurring.can_be_undecided(records), records[:, 0] >= 80)


def have_twins(release, reports, others: np.ndarray, tolerance: float) -> np.ndarray:
    """Which reports one of the records between the least and the largest of ``others`` has, too.

    Nothing is known of the policy: where the reports of two neighbours lie on different sides of
    the wanted one, the interval between them is halved until it is a jump or the record.
    """
    if not len(others):
        return np.zeros(len(reports), dtype=bool)
    images = release(others)
    found = (np.abs(images - reports[:, None]) <= tolerance).any(axis=1)
    is_below = images < reports[:, None]
    which, crossed = np.nonzero((is_below[:, :-1] != is_below[:, 1:]) & ~found[:, None])
    low, high, wanted = others[crossed], others[crossed + 1], reports[which]
    low_is_smaller = is_below[which, crossed]
    if not len(which):
        return found
    for _ in range(60):
        middle = (low + high) / 2
        as_low = (release(middle) < wanted) == low_is_smaller
        low, high = np.where(as_low, middle, low), np.where(as_low, high, middle)
    for end in (low, high):
        found[which[np.abs(release(end) - wanted) <= tolerance]] = True
    return found


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(load_blurring_policies())),
    st.sampled_from([0.25, 1.0, 8.0]),
    st.integers(-20, 20),
    st.integers(0, 40),
    st.integers(0, 40) | st.just(0),
)
@example("stretch", 8.0, 0, 40, 0)
@example("overlay", 8.0, 0, 40, 0)
@example("slices", 8.0, 0, 40, 0)
@example("odds", 8.0, 0, 40, 0)
@example("odds", 1.0, 0, 16, 16)  # just the room it needs
@example("odds", 1.0, 0, 15, 16)
@example("normal", 8.0, 0, 40, 0)
@example("round", 8.0, 0, 40, 0)
@example("collapse", 8.0, 0, 40, 0)
@example("normal", 0.25, 0, 34, 1)
@example("round", 0.25, 0, 37, 9)
@example("overlay", 1.0, 3, 4, 0)  # the range is shorter than a step
def test_a_report_is_undecided_exactly_if_both_hypotheses_have_it(
    name, step, lower, eighths_below, eighths_above
):
    """On one line, rooms of 0 to 5 steps on either side: reports are searched for in both."""
    g = lower + eighths_below * step / 8
    upper = g + eighths_above * step / 8
    if upper == lower:
        return
    box = PublicRange((lower, 0), (upper, 1))
    blurring = load_blurring_policies()[name](
        PolynomialThreshold((round(g * 32),), 32), box, 1 / step
    )

    def records(x):
        return np.column_stack([x, np.full(len(x), 0.5)])

    def release(x):
        return blurring.release(records(x))[:, 0]

    steps = np.linspace(-5 * step, 5 * step, 2561)
    x = np.clip(np.array([*(g + steps), np.nextafter(g, -np.inf)]), lower, upper)
    # Reports may jump at an end or at a whole step: its neighbour shows how far they come before.
    x = np.unique([lower, *x, upper])
    others = np.unique(np.concatenate([x, np.nextafter(x[1:], -np.inf)]))
    released = np.concatenate([x[::37], [lower, g, upper]])
    reports = blurring.release(records(released))
    shared = np.where(
        released >= g,
        have_twins(release, reports[:, 0], others[others < g], 1e-9 * step),
        have_twins(release, reports[:, 0], others[others >= g], 1e-9 * step),
    )
    np.testing.assert_array_equal(~blurring.is_decided(reports), shared)


@given(st.integers(0, 200), RHOS)
def test_the_bound_is_that_of_the_class_and_no_policys_own(g, rho):
    x = np.unique(np.clip([0, 200, g, *(g + np.arange(-3, 4) / rho)], 0, 200))
    records = np.column_stack([x, np.full(len(x), 0.5)])
    line = PolynomialThreshold((g,)), PublicRange((0, 0), (200, 1)), rho
    bounds = {
        tuple(policy(*line).can_be_undecided(records)) for policy in [*POLICIES, RoundBlurring]
    }
    assert len(bounds) == 1
    for policy in (OverlayBlurring, SliceBlurring):
        blurring = policy(*line)
        undecided = ~blurring.is_decided(blurring.release(records))
        np.testing.assert_array_equal(undecided, blurring.can_be_undecided(records))


@pytest.mark.parametrize("coefficients", [(0.1, -2, 0.003), (7,), (0, 0.25), (-1.5, 1e-4)])
def test_threshold_of_decimals_is_their_polynomial_in_fractions(coefficients):
    threshold = build_polynomial_threshold(coefficients)
    for at in (-3, 0, 17, 180):
        exact = sum(Fraction(str(c)) * at**k for k, c in enumerate(coefficients))
        assert threshold(np.array([[at]], dtype=float))[0] == float(exact)


def test_threshold_of_too_many_digits_is_refused():
    with pytest.raises(ConfigError, match="too many digits"):
        build_polynomial_threshold([0.1, 1e-16])


WIDE = [(OverlayBlurring, 1), (SliceBlurring, 1), (StretchBlurring, 0.5)]


@pytest.mark.parametrize(("policy", "reach"), WIDE)
def test_whoever_the_bound_allows_is_undecided_and_has_a_twin(policy, reach):
    """On one line, in fine steps: reports are grouped, and nothing is known of the policy."""
    threshold = PolynomialThreshold((100,))
    for lower, upper, rho in ((0, 200, 0.125), (96, 200, 0.125), (0, 110, 0.125), (90, 101, 0.25)):
        box = PublicRange((lower, 0), (upper, 1))
        blurring = policy(threshold, box, rho)
        steps = np.arange(lower, upper, 1 / 64)
        reports = blurring.release(np.column_stack([steps, np.full(len(steps), 0.5)]))
        is_p0 = steps >= 100
        near = np.abs(steps - 100) < 2 * reach / rho
        # A fine cell of reports within the band holds reports of both sides.
        cells = np.floor((reports[:, 0] - lower) / 0.5)
        shared = np.isin(cells, np.intersect1d(cells[is_p0], cells[~is_p0]))
        assert shared[near].mean() > 0.95
        assert not blurring.is_decided(reports)[near].any()
        far = np.abs(steps - 100) > 2 * reach / rho
        assert blurring.is_decided(reports)[far].all()
        records = np.column_stack([steps, np.full(len(steps), 0.5)])
        allowed = blurring.can_be_undecided(records)
        assert not (~blurring.is_decided(reports) & ~allowed).any()
        if reach == 1:
            np.testing.assert_array_equal(allowed, ~blurring.is_decided(reports))


def test_lines_with_both_sides_have_a_band():
    """x1 >= x2 on [2, 4] x [0, 8]: the threshold is inside for x2 in (2, 4)."""
    box, diagonal = PublicRange((2, 0), (4, 8)), PolynomialThreshold((0, 1))
    assert compute_band_measure(diagonal, box, 10, two_sided=True) == pytest.approx(2 * 0.2 - 0.01)
    assert compute_band_measure(diagonal, box, 10) == pytest.approx(2 * 0.2)


@given(
    rho=st.floats(max_value=0) | st.sampled_from([0, math.nan, math.inf]),
    policy=st.sampled_from(POLICIES),
)
@settings(max_examples=40)
def test_accuracy_must_be_positive(policy, rho):
    with pytest.raises(ConfigError, match="larger than 0"):
        policy(BMI, BOX, rho)


@pytest.mark.parametrize("record", [(200.01, 180), (-0.1, 180), (80, 251), (80, math.nan)])
def test_record_outside_the_public_range_is_named(record):
    with pytest.raises(DataError, match=r"record 1 has .* outside the public range"):
        CollapseBlurring(BMI, BOX, 1).release([(70, 170), record])


def test_a_threshold_is_a_value_that_cannot_be_changed():
    threshold = PolynomialThreshold((1, 2), 3)
    assert len({threshold, PolynomialThreshold((1, 2), 3), PolynomialThreshold((1, 2))}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        threshold.denominator = 4


def test_box_with_ends_exchanged_is_refused():
    with pytest.raises(ConfigError, match="lower end first"):
        PublicRange((0, 250), (200, 0))


@pytest.mark.parametrize("reach", [1, 2])
def test_records_move_onto_the_band_as_one_at_a_time_would(reach):
    """Also where there is no room on a side, and at the ends of the room."""

    def plain(offset, below, above, step):
        low, high = -min(step, below), min(step, above)
        upper, lower = min(reach * step, above), min(reach * step, below)
        if above == 0 and -lower <= offset:
            return -min((reach - 1) * step, below)
        if 0 <= offset < upper:
            return low + offset / upper * (high - low)
        if -lower <= offset < 0:
            return low + (offset + lower) / lower * (high - low)
        last = max(upper - step, low)
        return last if offset == upper and last < high else offset

    rng = np.random.default_rng(6)
    below, above = rng.choice([0.0, 0.3, 1.0, 1.7, 2.0, 5.0], (2, 400, 1))
    share = rng.choice([0.0, 0.2, 0.5, 0.9, 1.0], (400, 8))
    offset = share * (below + above) - below
    found = map_onto_band(offset, below, above, step=1.0, reach=reach)
    for line in range(400):
        expected = [plain(each, below[line, 0], above[line, 0], 1.0) for each in offset[line]]
        np.testing.assert_array_equal(found[line], expected)
