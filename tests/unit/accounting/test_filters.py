"""Privacy filters: what they accept, by enumeration of every adaptive interaction."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.accounting.filters import (
    AdvancedFilter,
    ApproximateFilter,
    BasicFilter,
    BayesianFilter,
    SimplifiedFilter,
)
from noiseless.accounting.queries import Box, FiniteDomain, LogisticQuery, TableQuery
from noiseless.accounting.realized_loss import BoxAccount, FiniteAccount
from noiseless.errors import ConfigError
from noiseless.seeds import generator

THREE = FiniteDomain(((0.0,), (1.0,), (2.0,)))


def random_query(rng) -> TableQuery:
    ones = rng.uniform(0.3, 0.7, 3)
    return TableQuery((tuple((1 - ones).tolist()), tuple(ones.tolist())))


@pytest.mark.parametrize("kind", [BasicFilter, SimplifiedFilter, BayesianFilter])
def test_no_interaction_exceeds_the_budget(kind):
    """Every path of an adaptive analyst: the next query depends on all outputs so far."""
    budget_nats, longest = 0.8, 7

    def explore(path: tuple[int, ...], accepted: list) -> None:
        losses = sum((q.log_likelihood(o, np.zeros((3, 1))) for q, o in accepted), np.zeros(3))
        assert losses.max() - losses.min() <= budget_nats * (1 + 1e-9)
        if len(path) == longest:
            return
        query = random_query(generator(1, "adaptive", *path))
        privacy_filter = kind(budget_nats, FiniteAccount(THREE))
        for asked, output in accepted:
            privacy_filter.record(asked, output)
        if not privacy_filter.accepts(query):
            explore((*path, 9), accepted)
            return
        for output in (0, 1):
            explore((*path, output), [*accepted, (query, output)])

    explore((), [])


def test_bayesian_accepts_whatever_simplified_does_and_that_whatever_basic_does():
    more = 0
    for run in range(60):
        rng = generator(2, "order", run)
        filters = [
            kind(0.9, FiniteAccount(THREE))
            for kind in (BasicFilter, SimplifiedFilter, BayesianFilter)
        ]
        for _ in range(12):
            query, output = random_query(rng), int(rng.integers(2))
            basic, simplified, bayesian = (each.accepts(query) for each in filters)
            assert basic <= simplified <= bayesian
            more += bayesian - basic
            if not basic:
                break
            for each in filters:
                each.record(query, output)
    assert more > 0


@pytest.mark.parametrize("kind", [BasicFilter, SimplifiedFilter, BayesianFilter])
def test_ten_times_a_tenth_fits_into_one_and_an_eleventh_does_not(kind):
    """The same steep question, answered alike each time: every answer costs its full epsilon."""
    privacy_filter = kind(1.0, BoxAccount(Box((-1.0,), (1.0,))))
    query = LogisticQuery((5000.0,), 0.0, 0.1)
    for _ in range(10):
        assert privacy_filter.accepts(query)
        privacy_filter.record(query, 1)
    assert not privacy_filter.accepts(query)
    assert privacy_filter.loss().upper == pytest.approx(1.0)


def test_bayesian_filter_goes_on_where_answers_cancel():
    response = TableQuery(((0.6, 0.4, 0.4), (0.4, 0.6, 0.6)))
    privacy_filter = BayesianFilter(1.0, FiniteAccount(THREE))
    for turn in range(40):
        assert privacy_filter.accepts(response)
        privacy_filter.record(response, turn % 2)
    assert privacy_filter.loss().upper == pytest.approx(0, abs=1e-9)


def test_certified_filter_on_a_box_agrees_with_enumeration_on_a_line():
    box = Box((-1.0,), (1.0,))
    points = np.linspace(-1, 1, 20_001)[:, None]
    rng = generator(3, "line")
    privacy_filter, total = (
        BayesianFilter(0.9, BoxAccount(box, tolerance=1e-4)),
        np.zeros(len(points)),
    )
    decisions = []
    for _ in range(40):
        query = LogisticQuery((float(rng.normal() * 4),), float(rng.normal()), 0.3)
        worst = max(np.ptp(total + query.log_likelihood(output, points)) for output in (0, 1))
        accepted = privacy_filter.accepts(query)
        decisions.append(accepted)
        if abs(worst - 0.9) > 1e-3:
            assert accepted == (worst < 0.9)
        if accepted:
            output = int(rng.integers(2))
            privacy_filter.record(query, output)
            total += query.log_likelihood(output, points)
    assert 0 < sum(decisions) < 40


def test_advanced_filter_against_the_exact_tail_of_randomized_response():
    """(epsilon, delta): the chance that n answers lose more than the budget is at most delta."""
    delta, budget_nats = 0.05, 2.0
    response = TableQuery(((0.525, 0.475), (0.475, 0.525)))
    privacy_filter = AdvancedFilter(
        budget_nats, delta, FiniteAccount(FiniteDomain(((0.0,), (1.0,))))
    )
    accepted = 0
    while privacy_filter.accepts(response):
        privacy_filter.record(response, 0)
        accepted += 1
    assert accepted > budget_nats / response.epsilon_nats  # more than basic composition
    p = Fraction(525, 1000)
    tail = sum(
        math.comb(accepted, k) * p**k * (1 - p) ** (accepted - k)
        for k in range(accepted + 1)
        if (2 * k - accepted) * response.epsilon_nats > budget_nats
    )
    assert tail <= delta


def test_approximate_filter_goes_on_after_the_first_has_halted_and_stays_within_the_budget():
    response = TableQuery(((0.55, 0.45), (0.45, 0.55)))
    two = FiniteDomain(((0.0,), (1.0,)))
    first = AdvancedFilter(2.0, 0.01, FiniteAccount(two))
    privacy_filter = ApproximateFilter(2.0, 0.01, FiniteAccount(two))
    alone = accepted = 0
    for turn in range(60):
        if first.accepts(response):
            first.record(response, turn % 2)
            alone += 1
        if privacy_filter.accepts(response):
            privacy_filter.record(response, turn % 2)
            accepted += 1
    assert alone < accepted == 60
    while privacy_filter.accepts(response):
        privacy_filter.record(response, 1)
    assert privacy_filter.loss().upper <= 2.0 * (1 + 1e-9)


def test_asking_a_filter_changes_nothing():
    account = FiniteAccount(THREE)
    privacy_filter = ApproximateFilter(0.5, 0.01, account)
    small, large = (
        TableQuery(((0.5, 0.49, 0.5), (0.5, 0.51, 0.5))),
        TableQuery(((0.9, 0.1, 0.5), (0.1, 0.9, 0.5))),
    )
    assert privacy_filter.accepts(small)
    assert not privacy_filter.accepts(large)
    assert privacy_filter.accepts(small)
    assert (account.log_likelihood == 0).all()


@pytest.mark.parametrize("budget_nats", [0, -1, math.nan, math.inf])
def test_bad_budget(budget_nats):
    with pytest.raises(ConfigError, match="privacy budget"):
        BayesianFilter(budget_nats, FiniteAccount(THREE))


def test_bad_delta():
    with pytest.raises(ConfigError, match="delta"):
        AdvancedFilter(1.0, 1.0, FiniteAccount(THREE))
