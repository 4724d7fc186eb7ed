"""The one-bit mechanism against exact fractions, and its estimators against their expectation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.families.one_bit import MAX_EPSILON_NATS, OneBitMechanism
from noiseless.mechanisms.interface import Domain
from noiseless.seeds import make_generator


def test_probabilities_are_exact_fractions_where_these_are_rational():
    """With e^eps = 3 they are rational: 1/4 at the lower end, 3/4 at the upper."""
    mechanism = OneBitMechanism(Domain((2,), (6,)), math.log(3))
    values = [Fraction(2), Fraction(3), Fraction(4), Fraction(6)]
    exact = [Fraction(2, 4) * (y - 2) / 4 + Fraction(1, 4) for y in values]
    probabilities = mechanism.compute_probability_high([float(y) for y in values])
    np.testing.assert_allclose(probabilities, [float(p) for p in exact], rtol=1e-14)


@given(
    low=st.floats(-1e3, 1e3),
    width=st.floats(0.1, 1e3),
    epsilon_nats=st.floats(0.01, 8),
    share=st.floats(0, 1),
)
def test_expected_estimate_is_the_value_and_the_printed_one_is_biased(
    low, width, epsilon_nats, share
):
    mechanism = OneBitMechanism(Domain((low,), (low + width,)), epsilon_nats)
    value = min(low + share * width, mechanism.high)
    probability = float(mechanism.compute_probability_high(value))

    def expected(estimate):
        return (1 - probability) * estimate([0]) + probability * estimate([1])

    scale = (abs(low) + width) / math.tanh(epsilon_nats / 2)
    assert expected(mechanism.estimate_mean) == pytest.approx(value, abs=1e-9 * scale)
    printed = low + mechanism.high * (value - low) / (mechanism.high - low)
    assert expected(mechanism.estimate_mean_as_printed) == pytest.approx(printed, abs=1e-9 * scale)


@given(epsilon_nats=st.floats(0.01, 8), first=st.floats(0, 1), second=st.floats(0, 1))
def test_no_report_is_more_than_exp_epsilon_times_as_likely(epsilon_nats, first, second):
    high = OneBitMechanism(Domain((0,), (1,)), epsilon_nats).compute_probability_high(
        [first, second]
    )
    for probability in (high, 1 - high):
        assert probability[0] <= math.exp(epsilon_nats) * probability[1] * (1 + 1e-12)


def test_reports_follow_the_probabilities_and_the_error_is_stated():
    mechanism = OneBitMechanism(Domain((-1,), (3,)), 1.0)
    values = np.repeat([-1.0, 0.5, 3.0], 20_000)
    reports = mechanism.report(values, make_generator(1, "one bit"))
    assert set(np.unique(reports)) == {0, 1}
    error = mechanism.estimate_mean(reports) - values.mean()
    assert abs(error) < 4 * mechanism.estimate_standard_error(reports)
    assert abs(mechanism.estimate_mean_as_printed(reports) - values.mean()) > 0.3


@pytest.mark.parametrize(
    "bad",
    [(1, 1, 1), (2, 1, 1), (0, math.inf, 1), (-1e308, 1e308, 1), (math.nan, 1, 1), (0, 1, 0)]
    + [(0, 1, epsilon_nats) for epsilon_nats in (-1, 30.001, 37.5, 710, math.inf, math.nan)],
)
def test_parameters_out_of_range_are_refused(bad):
    low, high, epsilon_nats = bad
    with pytest.raises(ConfigError, match=r"not a public range|must be bounded|at most 30"):
        OneBitMechanism(Domain((low,), (high,)), epsilon_nats)


@pytest.mark.parametrize("value", [-0.125, 1.875, math.nan])
def test_value_outside_the_interval_is_named_by_its_place(value):
    with pytest.raises(DataError, match=r"response 2 of 3.* is outside \[0, 1\]") as caught:
        OneBitMechanism(Domain((0,), (1,)), 1, clip=False).compute_probability_high(
            [0.5, 0.25, value]
        )
    for shown in ("125", "875", "nan"):
        assert shown not in str(caught.value)


def exponential(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x, by its series in whole multiples of 2^-600, rounded both ways."""
    low = high = low_term = high_term = 2**600
    n = 0
    while n < 2 * x or high_term > 1:
        n += 1
        low_term = low_term * x.numerator // (x.denominator * n)
        high_term = -(-high_term * x.numerator // (x.denominator * n))
        low, high = low + low_term, high + high_term
    return Fraction(low, 2**600), Fraction(high + 2, 2**600)  # the rest halves with each term


EPSILONS = [5e-324, 1e-40, 1e-9, 0.1, math.log(3), 1.0, 8.0, 20.0, 29.999999, MAX_EPSILON_NATS]
SHARES = [
    Fraction(0),
    Fraction(1, 2**200),
    Fraction(0.1),
    Fraction(1, 3),
    Fraction(1, 2),
    1 - Fraction(1, 2**200),
    Fraction(1),
]
TOTAL = 2**128


@pytest.mark.parametrize("epsilon_nats", EPSILONS)
def test_exact_draw_keeps_every_ratio_within_exp_epsilon(epsilon_nats):
    """In fractions, with e^epsilon from its series: no allowance for rounding."""
    mechanism = OneBitMechanism(Domain((0,), (1,)), epsilon_nats)
    thresholds = [mechanism.compute_draw_threshold(share) for share in SHARES]
    assert thresholds == sorted(thresholds)
    low, _ = exponential(Fraction(epsilon_nats))
    for first in thresholds:
        assert 0 < first < TOTAL
        for second in thresholds:
            assert first <= low * second
            assert TOTAL - first <= low * (TOTAL - second)


def test_margin_of_the_exponential_makes_the_rarer_report_likelier(monkeypatch):
    """The true margin is too small to move an integer; a large one shows its direction."""
    mechanism = OneBitMechanism(Domain((0,), (1,)), 1.0)
    tight = (
        mechanism.compute_draw_threshold(Fraction(0)),
        mechanism.compute_draw_threshold(Fraction(1)),
    )
    monkeypatch.setattr("noiseless.mechanisms.families.one_bit._MARGIN", Fraction(1, 1000))
    loose = (
        mechanism.compute_draw_threshold(Fraction(0)),
        mechanism.compute_draw_threshold(Fraction(1)),
    )
    assert loose[0] > tight[0]
    assert loose[1] < tight[1]


@pytest.mark.parametrize("epsilon_nats", EPSILONS)
def test_exact_draw_has_the_stated_distance_from_equation_5(epsilon_nats):
    mechanism = OneBitMechanism(Domain((0,), (1,)), epsilon_nats)
    for bound in exponential(Fraction(epsilon_nats)):
        for share in SHARES:
            exact = (bound - 1) / (bound + 1) * share + 1 / (bound + 1)
            distance = abs(Fraction(mechanism.compute_draw_threshold(share), TOTAL) - exact)
            assert distance < Fraction(1, 2**126)
            assert distance / (min(exact, 1 - exact) - distance) < Fraction(1, 2**82)


def test_exact_draw_compares_128_bits_of_the_operating_system(monkeypatch):
    mechanism, share = OneBitMechanism(Domain((0,), (1,)), 1.0), Fraction(1, 3)
    threshold = mechanism.compute_draw_threshold(share)
    for bits, report in ((0, 1), (threshold - 1, 1), (threshold, 0), (TOTAL - 1, 0)):
        monkeypatch.setattr("secrets.randbits", {128: bits}.get)
        assert mechanism.draw(share) == report
    for outside in (Fraction(-1, 10**30), 1 + Fraction(1, 10**30)):
        with pytest.raises(DataError, match="must be between 0 and 1"):
            mechanism.draw(outside)


def test_exact_draw_follows_the_probabilities():
    mechanism, share = OneBitMechanism(Domain((2,), (6,)), math.log(3)), Fraction(1, 4)
    reports = [mechanism.draw(share) for _ in range(4000)]
    p = 3 / 8
    assert abs(sum(reports) / 4000 - p) < 5 * math.sqrt(p * (1 - p) / 4000)


def test_largest_epsilon_bounds_the_error_of_the_simulated_reports():
    """The reasons of the bound: 0.3 % at 30, twice the ratio below 36, an impossible one at 38."""

    def excess(epsilon_nats):
        """Ratio of the chances of the rarer report, as 53-bit numbers make them, to e^epsilon."""
        high = [
            (math.expm1(epsilon_nats) * share + 1) / (math.exp(epsilon_nats) + 1)
            for share in (0, 1)
        ]
        counts = [math.ceil(Fraction(p) * 2**53) for p in high]
        if counts[1] == 2**53:
            return math.inf
        return float(
            Fraction(2**53 - counts[0], 2**53 - counts[1]) / exponential(Fraction(epsilon_nats))[0]
        )

    rng = make_generator(2, "largest epsilon")
    errors = [
        abs(excess(float(epsilon_nats)) - 1)
        for epsilon_nats in (*rng.uniform(29, MAX_EPSILON_NATS, 300), MAX_EPSILON_NATS)
    ]
    assert 1e-4 < max(errors) < 0.003
    assert max(excess(float(epsilon_nats)) for epsilon_nats in np.linspace(35, 36, 400)) > 2
    assert excess(38.0) == math.inf


def test_one_value_is_reported_as_in_an_array():
    """From the same random numbers, and with the same slack for rounding."""
    for number in range(300):
        rng = make_generator(5, "one value", number)
        low, width, share = rng.uniform((-5, 0.1, -0.1), (5, 9, 1.1))
        mechanism = OneBitMechanism(Domain((low,), (low + width,)), rng.uniform(0.01, 3))
        value = np.clip(low + share * width, low - 1e-10 * width, low + (1 + 1e-10) * width)
        one, other = (make_generator(5, "report", number) for _ in range(2))
        assert mechanism.report_one(float(value), one) == mechanism.report([value], other)[0]
        assert one.random() == other.random()


def test_one_value_outside_its_interval_is_refused():
    for value in (1.01, -0.01, math.nan):
        with pytest.raises(DataError, match="response 0 of 1"):
            OneBitMechanism(Domain((0,), (1,)), 0.5, clip=False).report_one(
                value, make_generator(1)
            )
