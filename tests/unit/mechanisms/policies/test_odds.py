"""Bounded odds: the closed form against exact integrals, and the policy against a plain loop."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bodies import BMI, BOX, RECORDS, RHOS, assert_released
from noiseless.errors import ConfigError
from noiseless.mechanisms.blurring import PolynomialThreshold, PublicRange
from noiseless.mechanisms.policies.odds import (
    OddsBlurring,
    compute_min_mean_change,
    compute_odds_pieces,
)
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.papers.nsht.blurring import _count_lattice

LINE = PolynomialThreshold((100,)), PublicRange((0, 0), (200, 1))
settings_of_policies = st.tuples(
    st.fractions(1, 100, max_denominator=60),  # kappa
    st.fractions(Fraction(1, 9), 40, max_denominator=9),  # the band
    st.fractions(Fraction(1, 2), 1, max_denominator=120),  # the largest change, of the band
)


def plain(x: float, g: float, step: float) -> float:
    if not 2 * step <= g <= 200 - 2 * step:  # the overlay
        at_g = type("Constant", (), {"__call__": lambda _, others: 0 * others[:, 0] + g})()
        overlay = OverlayBlurring(at_g, PublicRange((0, 0), (200, 1)), 1 / step)
        return float(overlay.release([[x, 0.5]])[0, 0])
    is_p0, distance = x >= g, abs(x - g)
    for start, stop, to_start, to_stop in compute_odds_pieces(
        3.0, protected=2 * step, largest=step
    ):
        inside = start <= distance < stop if is_p0 else start < distance <= stop
        if inside:
            report = to_start + (distance - start) * (to_stop - to_start) / (stop - start)
            return g + report if is_p0 else g - report
    return x


@given(RECORDS, RHOS)
def test_release_equals_a_plain_loop(records, rho):
    assert_released(OddsBlurring, plain, records, rho)


def integral(pieces):
    """Exact integral of the change over one side."""
    total = Fraction(0)
    for start, stop, to_start, to_stop in pieces:
        first, last = to_start - start, to_stop - stop
        if first * last >= 0:
            total += (stop - start) * (abs(first) + abs(last)) / 2
        else:
            total += (stop - start) * (first**2 + last**2) / (2 * (abs(first) + abs(last)))
    return total


@settings(max_examples=300)
@given(settings_of_policies)
@example((Fraction(1), Fraction(20), Fraction(1, 2)))
@example((Fraction(3), Fraction(20), Fraction(1, 2)))  # where both formulas meet
def test_the_closed_form_is_the_exact_integral(chosen):
    kappa, protected, share = chosen
    pieces = compute_odds_pieces(kappa, protected=protected, largest=share * protected)
    assert pieces[0].start == 0
    assert pieces[-1].stop == protected
    assert all(one.stop == other.start for one, other in itertools.pairwise(pieces))
    largest = share * protected
    for start, stop, to_start, to_stop in pieces:
        assert max(abs(to_start - start), abs(to_stop - stop)) <= largest
    closed = compute_min_mean_change(
        float(kappa), protected=float(protected), largest=float(largest)
    )
    assert closed == pytest.approx(float(integral(pieces) / protected), rel=1e-9, abs=1e-12)


@settings(max_examples=300)
@given(settings_of_policies)
def test_odds_are_kappa_at_every_report(chosen):
    """Exactly, from the lengths of both sides' records at a report."""
    kappa, protected, share = chosen
    pieces = compute_odds_pieces(kappa, protected=protected, largest=share * protected)
    # Of p0; p1 is the mirror image.
    density = [(a, b, (stop - start) / (b - a)) for start, stop, a, b in pieces]
    ends = sorted({abs(end) for a, b, _ in density for end in (a, b)})
    for low, high in itertools.pairwise(ends):
        middle = (low + high) / 2
        own, across = (
            sum(each for a, b, each in density if a < side * middle < b) for side in (1, -1)
        )
        assert (own == across == 0) or own == kappa * across


def potential(kappa, protected, largest):
    """The dual potential of the proof, written from it and not from the policy."""
    across = protected / (1 + kappa)
    if kappa > 1 and (kappa + 1) * largest >= 2 * protected:
        edge = largest - (protected - largest) / (kappa - 1)
        place = across
    else:
        edge = place = largest - across

    def alpha(u):
        slow = 2 * place / (1 + kappa) + (min(u, edge) - place) / kappa
        return slow + max(u - edge, 0)

    def least(s):
        """Least of the change plus the price over all reports that are near enough."""
        ends = {Fraction(0), edge, place, largest, s, abs(s - largest)}
        tried = [u for u in ends if 0 <= u <= largest]
        own = [abs(s - u) + alpha(u) for u in tried if abs(s - u) <= largest]
        other = [s + u - kappa * alpha(u) for u in tried if s + u <= largest]
        return min(own + other)

    cuts = {edge, place, across, largest, largest - edge, largest - place, protected, Fraction(0)}
    return alpha, least, sorted(cut for cut in cuts if 0 <= cut <= protected)


@settings(max_examples=300)
@given(settings_of_policies)
def test_no_policy_changes_less(chosen):
    """Weak duality in exact fractions: what the potential integrates to is the closed form."""
    kappa, protected, share = chosen
    largest = share * protected
    alpha, least, cuts = potential(kappa, protected, largest)
    assert min(alpha(Fraction(0)), alpha(largest)) >= 0
    bound = Fraction(0)
    for low, high in itertools.pairwise(cuts):
        # Linear between two cuts: three inner points are on one line.
        first, middle, last = (least(low + (high - low) * Fraction(k, 4)) for k in (1, 2, 3))
        assert first + last == 2 * middle
        bound += middle * (high - low)
    assert bound == integral(compute_odds_pieces(kappa, protected=protected, largest=largest))


def test_even_odds_are_the_overlay_and_any_odds_cost_what_accuracy_costs():
    offsets = np.linspace(-30, 30, 2401)
    records = np.column_stack([100 + offsets, np.full(len(offsets), 0.5)])
    reports = OddsBlurring(*LINE, 0.1, kappa=1).release(records)
    np.testing.assert_allclose(reports, OverlayBlurring(*LINE, 0.1).release(records), atol=1e-9)
    change = np.abs(OddsBlurring(*LINE, 0.1, kappa=1e9).release(records)[:, 0] - records[:, 0])
    least = np.where(np.abs(offsets) < 20, np.maximum(0, np.abs(offsets) - 10), 0)
    inner = (np.abs(offsets) < 19.9) & (offsets != 0)
    np.testing.assert_allclose(change[inner], least[inner], atol=1e-6)


@pytest.mark.parametrize("kappa", [1, 2, 3, 9, 40])
def test_sizes_are_those_of_counted_cells(kappa):
    policy = OddsBlurring(PolynomialThreshold((60, 40)), PublicRange((0, 0), (200, 1)), 0.05, kappa)
    counted = _count_lattice(policy, 400, 5)
    assert counted["error_beyond_allowed_nats"] <= 0
    assert math.isfinite(counted["allowed_error_nats"])


@pytest.mark.parametrize("kappa", [0.99, -1, math.nan])
def test_odds_below_even_are_refused(kappa):
    with pytest.raises(ConfigError, match="`kappa` must be a number of at least 1"):
        OddsBlurring(BMI, BOX, 1, kappa=kappa)
    with pytest.raises(ConfigError, match="`kappa` must be a number of at least 1"):
        compute_min_mean_change(kappa, protected=2, largest=1)


def test_other_errors_say_what_to_do():
    with pytest.raises(ConfigError, match="must be finite"):
        OddsBlurring(BMI, BOX, 1, kappa=math.inf)
    for protected in (0, -1, math.nan, math.inf):
        with pytest.raises(ConfigError, match="number larger than 0"):
            compute_min_mean_change(2, protected=protected, largest=1)
    for largest in (0.9, math.nan):
        with pytest.raises(
            ConfigError, match=r"only if it is 1\.0 or more|`largest` must be a number, got nan"
        ):
            compute_min_mean_change(2, protected=2, largest=largest)


def test_a_change_beyond_the_band_is_of_no_use():
    one, other = (compute_min_mean_change(4, protected=3, largest=each) for each in (3, math.inf))
    assert one == other
    assert compute_min_mean_change(1, protected=3, largest=math.inf) == 1.5


@pytest.mark.parametrize("largest", [10, 15, 20, 30])
@pytest.mark.parametrize("kappa", [1e99, 1e101, 1e200, 1e308, Fraction(10) ** 150])
def test_the_least_change_at_huge_odds_is_that_of_exact_fractions(kappa, largest):
    """The square of such odds is no float."""
    k, d, r = Fraction(kappa), Fraction(20), Fraction(min(largest, 20))
    saved = max(Fraction(0), 2 * d - (k + 1) * r) ** 2 / (2 * d)
    exact = (d - r) ** 2 / (2 * d) + (d * (k + 3) / 2 - saved) / (k + 1) ** 2
    found = compute_min_mean_change(kappa, protected=20, largest=largest)
    assert found == pytest.approx(float(exact), rel=1e-15)
