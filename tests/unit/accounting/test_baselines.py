"""Output-independent composition, against fractions, enumeration and two other libraries."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.accounting.baselines import (
    _count_queries,
    compute_optimal_delta,
    compute_zcdp_delta,
    count_optimal_queries,
    count_zcdp_queries,
)
from noiseless.errors import ConfigError
from opendp_space import compute_zcdp_filter_delta, count_filter_queries


@pytest.mark.parametrize("queries", [1, 2, 5, 9])
@pytest.mark.parametrize("budget_odds", [Fraction(1), Fraction(3, 2), Fraction(5)])
def test_optimal_delta_is_what_all_outcomes_of_randomized_response_add_up_to(queries, budget_odds):
    odds = Fraction(3, 2)
    truth, lie = odds / (1 + odds), 1 / (1 + odds)
    delta = Fraction(0)
    for outcome in itertools.product((0, 1), repeat=queries):
        one = math.prod(lie if bit else truth for bit in outcome)
        two = math.prod(truth if bit else lie for bit in outcome)
        delta += max(one - budget_odds * two, Fraction(0))
    computed = compute_optimal_delta(math.log(odds), queries, math.log(budget_odds))
    assert computed == pytest.approx(float(delta), abs=1e-14)


def test_optimal_count_of_the_papers_setting():
    """Queries of 0.1: ten within 1, as in basic composition; more than that within 5."""
    assert count_optimal_queries(0.1, 1.0, 1e-5) == 10
    assert count_optimal_queries(0.1, 5.0, 1e-5) == 128
    for count, wanted in ((128, True), (129, False)):
        assert (compute_optimal_delta(0.1, count, 5.0) <= 1e-5) is wanted


@pytest.mark.parametrize(("epsilon", "budget"), [(0.1, 1.0), (0.1, 5.0), (0.5, 10.0), (1.0, 3.0)])
def test_optimal_count_agrees_with_privacy_loss_distributions(epsilon, budget):
    """An accountant's grid rounds losses up, so that it may accept one query less."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    one = pld.from_randomized_response(
        2 / (1 + math.exp(epsilon)), 2, value_discretization_interval=1e-4
    )
    count = count_optimal_queries(epsilon, budget, 1e-5)
    accepted = [
        queries
        for queries in range(max(1, count - 3), count + 3)
        if one.self_compose(queries).get_delta_for_epsilon(budget) <= 1e-5
    ]
    assert count - 1 <= max(accepted) <= count


@pytest.mark.parametrize(("epsilon", "budget"), [(0.1, 1.0), (0.1, 5.0), (0.5, 4.0)])
def test_zcdp_count_agrees_with_the_filter_of_opendp(epsilon, budget):
    for rho in (0.005, 0.1, 0.7):
        assert compute_zcdp_delta(rho, budget) == pytest.approx(
            compute_zcdp_filter_delta(rho, budget), rel=1e-3
        )
    ours, theirs = (
        count_zcdp_queries(epsilon, budget, 1e-5),
        count_filter_queries(epsilon, budget, 1e-5),
    )
    # It rounds every sum up, so that it may stop one query earlier.
    assert ours - 1 <= theirs <= ours
    assert ours <= count_optimal_queries(epsilon, budget, 1e-5)


def test_zcdp_delta_is_the_least_over_orders():
    rho, budget = 0.3, 3.0
    orders = [1 + 10 ** (k / 200) for k in range(-400, 200)]
    grid = min(math.exp((a - 1) * (a * rho - budget)) / (a - 1) * (1 - 1 / a) ** a for a in orders)
    assert compute_zcdp_delta(rho, budget) == pytest.approx(grid, rel=1e-3)
    assert compute_zcdp_delta(rho, budget) <= grid * (1 + 1e-9)


def test_queries_of_exactly_the_allowed_delta_are_accepted():
    allowed = 0.1 * (1 + 1e-9)
    for most in (1, 2, 4, 7):
        assert (
            _count_queries(lambda n, most=most: allowed if n <= most else 0.2, 1.0, 1.0, 0.1)
            == most
        )


@pytest.mark.parametrize("settings", [(0.0, 1.0, 0.1), (1.0, 0.0, 0.1), (1.0, 1.0, 1.0)])
def test_bad_settings_are_one_readable_error(settings):
    with pytest.raises(
        ConfigError, match=r"must be a finite number larger than 0|`delta` must lie"
    ):
        count_optimal_queries(*settings)
    with pytest.raises(
        ConfigError, match=r"must be a finite number larger than 0|`delta` must lie"
    ):
        count_zcdp_queries(*settings)


ODD = (math.nan, math.inf, -1, "a", None)


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_number_of_its_range_is_refused(odd):
    calls = [
        lambda: compute_optimal_delta(odd, 10, 0.5),
        lambda: compute_optimal_delta(1.0, odd, 0.5),
        lambda: compute_optimal_delta(1.0, 10, odd),
        lambda: compute_zcdp_delta(odd, 0.5),
        lambda: compute_zcdp_delta(0.1, odd),
    ]
    for count in (count_optimal_queries, count_zcdp_queries):
        calls += [
            lambda count=count: count(odd, 1.0, 1e-6),
            lambda count=count: count(0.1, odd, 1e-6),
            lambda count=count: count(0.1, 1.0, odd),
        ]
    for call in calls:
        with pytest.raises(ConfigError, match=r"`?(epsilon_nats|queries|budget_nats|rho|delta)`?"):
            call()
    with pytest.raises(ConfigError, match="whole number"):
        compute_optimal_delta(1.0, 2.5, 0.5)


def test_numbers_of_numpy_count_as_the_equal_python_numbers():
    epsilon, budget, delta = np.float32(0.25), np.int64(1), np.float64(1e-6)
    for count in (count_optimal_queries, count_zcdp_queries):
        assert count(epsilon, budget, delta) == count(0.25, 1.0, 1e-6)
    assert compute_optimal_delta(epsilon, np.uint8(10), budget) == compute_optimal_delta(
        0.25, 10, 1
    )


def test_more_queries_than_are_counted_are_one_error():
    for count in (count_optimal_queries, count_zcdp_queries):
        with pytest.raises(ConfigError, match="more than is counted"):
            count(1e-9, 1.0, 1e-6)
