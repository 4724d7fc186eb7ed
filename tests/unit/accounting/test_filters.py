"""Privacy filters: what they accept, by enumeration of every adaptive interaction."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noiseless.accounting import filters, rational, realized_loss
from noiseless.accounting.filters import (
    AdvancedFilter,
    ApproximateFilter,
    BasicFilter,
    BayesianFilter,
    SafeFilter,
    SimplifiedFilter,
)
from noiseless.accounting.queries import (
    Box,
    FiniteDomain,
    LinearQuery,
    LogisticQuery,
    TableQuery,
    TruncatedLinearQuery,
)
from noiseless.accounting.realized_loss import BoxAccount, FiniteAccount, GroupedAccount
from noiseless.accounting.streams import draw_query as regression
from noiseless.errors import ConfigError, DataError
from noiseless.seeds import make_generator

THREE = FiniteDomain(((0.0,), (1.0,), (2.0,)))


def random_query(rng) -> TableQuery:
    ones = rng.uniform(0.3, 0.7, 3)
    return TableQuery((tuple((1 - ones).tolist()), tuple(ones.tolist())))


def accepted_in_a_row(privacy_filter, query, most=500) -> int:
    """How often a filter accepts a query that is always answered 1."""
    for accepted in range(most):
        if not privacy_filter.accepts(query):
            return accepted
        privacy_filter.record(query, 1)
    return most


@pytest.mark.parametrize("kind", [BasicFilter, SimplifiedFilter, BayesianFilter])
def test_no_interaction_exceeds_the_budget(kind):
    """Every path of an adaptive analyst: the next query depends on all outputs so far."""
    budget_nats, longest = 0.8, 7

    def explore(path: tuple[int, ...], accepted: list) -> None:
        losses = sum((q.log_likelihood(o, np.zeros((3, 1))) for q, o in accepted), np.zeros(3))
        assert losses.max() - losses.min() <= budget_nats * (1 + 1e-9)
        if len(path) == longest:
            return
        query = random_query(make_generator(1, "adaptive", *path))
        privacy_filter = kind(budget_nats, FiniteAccount(THREE))
        for asked, output in accepted:
            privacy_filter.record(asked, output)
        if not privacy_filter.accepts(query):
            explore((*path, 9), accepted)
            return
        for output in (0, 1):
            explore((*path, output), [*accepted, (query, output)])

    explore((), [])


def test_certified_filter_on_a_box_agrees_with_enumeration_on_a_line():
    box = Box((-1.0,), (1.0,))
    points = np.linspace(-1, 1, 20_001)[:, None]
    rng = make_generator(3, "line")
    privacy_filter = BayesianFilter(0.9, BoxAccount(box, tolerance=1e-4))
    total = np.zeros(len(points))
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


def test_asking_a_filter_changes_nothing():
    account = FiniteAccount(THREE)
    privacy_filter = ApproximateFilter(0.5, 0.01, account)
    small = TableQuery(((0.5, 0.49, 0.5), (0.5, 0.51, 0.5)))
    large = TableQuery(((0.9, 0.1, 0.5), (0.1, 0.9, 0.5)))
    assert privacy_filter.accepts(small)
    assert not privacy_filter.accepts(large)
    assert privacy_filter.accepts(small)
    assert (account.log_likelihood == 0).all()


# Each filter's decisions against its formula, written down a second time


def bit_query(rng, largest=0.4) -> TableQuery:
    """A query with one or two epsilons' difference between three values."""
    ones = 1 / (1 + np.exp(rng.uniform(-largest, largest, 3)))
    return TableQuery((tuple((1 - ones).tolist()), tuple(ones.tolist())))


def stream(name, length=40):
    """Random queries on three values and outputs, which a filter records if it accepts."""
    for run in range(8):
        rng = make_generator(4, name, run)
        yield [(bit_query(rng), int(rng.integers(2))) for _ in range(length)]


def log_rows(query) -> np.ndarray:
    return np.log(np.array(query.probabilities))


def plain_epsilon(query) -> float:
    """Largest log-ratio of two columns in a row, by a loop."""
    rows = query.probabilities
    return max(math.log(p / q) for row in rows for p in row for q in row)


def rule_basic(budget_nats, past, query) -> bool:
    return (
        sum(Fraction(plain_epsilon(q)) for q, _ in past) + Fraction(plain_epsilon(query))
        <= budget_nats
    )


def plain_loss(past) -> float:
    products = [math.prod(q.probabilities[o][value] for q, o in past) for value in range(3)]
    return math.log(max(products) / min(products))


def rule_simplified(budget_nats, past, query) -> bool:
    return plain_loss(past) + plain_epsilon(query) <= budget_nats


def rule_bayesian(budget_nats, past, query) -> bool:
    return all(
        plain_loss([*past, (query, o)]) <= budget_nats for o in range(len(query.probabilities))
    )


def rule_advanced(budget_nats, past, query, delta=0.05) -> bool:
    """sqrt(2 log(1/delta) s) + s/2 <= budget, solved for s, the sum of squares."""
    double = -2 * math.log(delta)
    largest = (math.sqrt(double + 2 * budget_nats) - math.sqrt(double)) ** 2
    return math.fsum(plain_epsilon(q) ** 2 for q, _ in (*past, (query, 0))) <= largest


RULES = {
    BasicFilter: rule_basic,
    SimplifiedFilter: rule_simplified,
    BayesianFilter: rule_bayesian,
    AdvancedFilter: rule_advanced,
}


def make(kind, budget_nats, account, delta=0.05):
    if kind in (AdvancedFilter, ApproximateFilter):
        return kind(budget_nats, delta, account)
    return kind(budget_nats, account)


@pytest.mark.parametrize("kind", RULES)
def test_decisions_follow_the_rule_written_a_second_time(kind):
    decisions = []
    for queries in stream("rule"):
        privacy_filter, past = make(kind, 1.2, FiniteAccount(THREE)), []
        for query, output in queries:
            accepted = privacy_filter.accepts(query)
            assert accepted == RULES[kind](1.2, past, query)
            decisions.append(accepted)
            if accepted:
                privacy_filter.record(query, output)
                past.append((query, output))
        bounds = privacy_filter.bound_loss()
        assert bounds.lower <= plain_loss(past) <= bounds.upper <= bounds.lower + 1e-10
    assert 0.1 < np.mean(decisions) < 0.95


def test_approximate_decisions_follow_algorithm_4_written_a_second_time():
    """The first filter until a query that it refuses is recorded, then the Bayesian one alone."""
    by_first = by_second = refused = 0
    for queries in stream("algorithm 4", 60):
        privacy_filter, past, halted = ApproximateFilter(1.2, 0.05, FiniteAccount(THREE)), [], False
        for query, output in queries:
            first = not halted and rule_advanced(1.2, past, query)
            second = plain_loss(past) <= 1.2 and rule_bayesian(1.2, past, query)
            assert privacy_filter.accepts(query) == (first or second)
            if first or second:
                halted = not first
                privacy_filter.record(query, output)
                past.append((query, output))
            by_first, by_second = by_first + first, by_second + (second and not first)
            refused += not (first or second)
    assert min(by_first, by_second, refused) > 10


def test_three_outputs_are_all_looked_at():
    """Only the third output would exceed the budget."""
    rare = TableQuery(((0.5, 0.5, 0.55), (0.4, 0.4, 0.44), (0.1, 0.1, 0.01)))
    for kind in (BayesianFilter, SimplifiedFilter, BasicFilter):
        assert not make(kind, 1.0, FiniteAccount(THREE)).accepts(rare)
        assert make(kind, math.log(10) + 1e-9, FiniteAccount(THREE)).accepts(rare)


@pytest.mark.parametrize("kind", RULES)
def test_limit_is_the_budget_and_a_billionth_of_it(kind):
    """One query whose cost is just within, or just beyond, the relative allowance of 1e-9."""
    for budget_nats in (0.01, 1.0, 7.0):
        for excess, fits in ((-1e-9, True), (0.0, True), (0.8e-9, True), (1.2e-9, False)):
            cost = epsilon_nats = budget_nats * (1 + excess)
            if kind is AdvancedFilter:
                double = -2 * math.log(0.05)
                epsilon_nats = math.sqrt(double + 2 * cost) - math.sqrt(double)
            query = LogisticQuery((1e6,), 0.0, epsilon_nats)
            privacy_filter = make(kind, budget_nats, BoxAccount(Box((-1.0,), (1.0,))))
            assert privacy_filter.accepts(query) == fits


@pytest.mark.parametrize("kind", RULES)
def test_what_equals_the_limit_fits(kind):
    query = LogisticQuery((1e6,), 0.0, 0.7)
    square = 0.7**2
    privacy_filter = make(kind, 1.0, BoxAccount(Box((-1.0,), (1.0,))))
    cost = math.sqrt(2 * math.log(1 / 0.05) * square) + square / 2
    privacy_filter._limit = cost if kind is AdvancedFilter else 0.7
    assert privacy_filter.accepts(query)
    privacy_filter._limit = math.nextafter(privacy_filter._limit, 0)
    assert not privacy_filter.accepts(query)


@pytest.mark.parametrize(
    ("budget_nats", "delta", "epsilon_nats", "count"),
    [(5.0, 1e-5, 0.1, 89), (10.0, 1e-6, 0.1, 270), (2.0, 0.5, 0.5, 5), (1.0, 1e-9, 0.01, 235)],
)
def test_advanced_filter_accepts_as_many_as_the_formula_says(
    budget_nats, delta, epsilon_nats, count
):
    """Counts found by hand from (sqrt(2 log(1/delta) + 2 budget) - sqrt(2 log(1/delta)))^2."""
    query = LogisticQuery((1.0,), 0.0, epsilon_nats)
    privacy_filter = AdvancedFilter(budget_nats, delta, BoxAccount(Box((-1.0,), (1.0,))))
    assert accepted_in_a_row(privacy_filter, query) == count


def test_advanced_filter_halts_for_good_when_a_refused_query_is_recorded():
    small, large = (LogisticQuery((1.0,), 0.0, epsilon_nats) for epsilon_nats in (0.001, 3.0))
    privacy_filter = AdvancedFilter(1.0, 0.01, BoxAccount(Box((-1.0,), (1.0,))))
    assert not privacy_filter.accepts(large)
    assert privacy_filter.accepts(small)  # refusing does not halt it
    privacy_filter.record(small, 1)
    assert privacy_filter.accepts(small)
    privacy_filter.record(large, 1)
    assert not privacy_filter.accepts(small)
    privacy_filter.record(small, 1)
    assert not privacy_filter.accepts(small)


def distance(first, second, budget_nats) -> float:
    """Smallest delta of (budget, delta)-indistinguishability of two output distributions."""
    return max(
        sum(max(0.0, p - math.exp(budget_nats) * q) for p, q in zip(one, other, strict=True))
        for one, other in ((first, second), (second, first))
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", [AdvancedFilter, ApproximateFilter])
def test_adaptive_interactions_are_approximately_private(kind):
    """Definition 4.6 by enumeration of all outputs; each query depends on those before it."""
    budget_nats, delta = 1.0, 0.1
    ends: list[np.ndarray] = []
    deepest = 0

    def explore(path: tuple[int, ...], past: list) -> None:
        nonlocal deepest
        deepest = max(deepest, len(past))
        privacy_filter = make(kind, budget_nats, FiniteAccount(THREE), delta)
        for asked, output in past:
            privacy_filter.record(asked, output)
        query = bit_query(make_generator(5, "approximate", *path), 0.3)
        if len(path) == 9 or not privacy_filter.accepts(query):
            ends.append(np.exp(sum((log_rows(q)[o] for q, o in past), np.zeros(3))))
            return
        for output in (0, 1):
            explore((*path, output), [*past, (query, output)])

    explore((), [])
    table = np.array(ends).T
    assert table.sum(axis=1) == pytest.approx(np.ones(3))
    for first in table:
        for second in table:
            assert distance(first, second, budget_nats) <= delta
    assert deepest >= 5


@pytest.mark.slow
def test_loss_of_the_advanced_filter_can_exceed_its_budget_for_every_output():
    """Section 4.3 says with probability delta at most.  13 bits, a question about each."""
    bits, budget_nats, delta = 13, 4.2, 0.3
    e = math.exp(0.5)
    points = tuple(itertools.product((0.0, 1.0), repeat=bits))
    domain = FiniteDomain(points)
    ones = [np.where(np.array(points)[:, k] > 0, e / (1 + e), 1 / (1 + e)) for k in range(bits)]
    queries = [TableQuery((tuple((1 - one).tolist()), tuple(one.tolist()))) for one in ones]
    rng = make_generator(6, "bits")
    for outputs in (np.zeros(bits, int), np.ones(bits, int), *rng.integers(2, size=(6, bits))):
        first = AdvancedFilter(budget_nats, delta, FiniteAccount(domain))
        both = ApproximateFilter(budget_nats, delta, FiniteAccount(domain))
        accepted = 0
        for query, output in zip(queries, outputs, strict=True):
            if not first.accepts(query):
                break
            assert both.accepts(query)
            first.record(query, int(output))
            both.record(query, int(output))
            accepted += 1
        assert accepted == 12
        assert first.bound_loss().lower > budget_nats + 0.5
        assert first.bound_loss().upper == pytest.approx(0.5 * accepted)
        assert not both.accepts(query)
    # What Definition 4.6 promises holds: the farthest two values, by the number of ones.
    p = e / (1 + e)
    binomial = [
        [math.comb(accepted, k) * q**k * (1 - q) ** (accepted - k) for k in range(accepted + 1)]
        for q in (p, 1 - p)
    ]
    assert distance(*binomial, budget_nats) <= delta


def response_of(epsilon_nats) -> TableQuery:
    """Randomized response: the first of three values against the others."""
    yes = 1 / (1 + math.exp(-epsilon_nats))
    return TableQuery(((yes, 1 - yes, 1 - yes), (1 - yes, yes, yes)))


@pytest.mark.parametrize("delta", [1e-9, 0.05, 0.9])
@pytest.mark.parametrize("kind", [*RULES, ApproximateFilter])
def test_what_remains_is_accepted_and_more_is_not(kind, delta):
    """After answers that are alike, for which no filter accepts more than of any query."""
    halted = 0
    for budget_nats in (0.3, 1.0, 6.0):
        privacy_filter = make(kind, budget_nats, FiniteAccount(THREE), delta)
        for turn in range(60):
            left = privacy_filter.compute_remaining_epsilon()
            if left > 1e-6:
                assert privacy_filter.accepts(response_of(left))
            assert not privacy_filter.accepts(response_of(left + 1e-5 * budget_nats))
            privacy_filter.record(response_of(left / 4 if turn < 4 else budget_nats / 10), 1)
            halted += left == 0
    assert halted > 30


# The odometer


@given(
    st.integers(0, 10**6),
    st.sampled_from([SimplifiedFilter, BayesianFilter, ApproximateFilter, BasicFilter]),
    st.sampled_from([1e-3, 0.1, 10.0]),
    st.sampled_from([1, 20]),
    st.sampled_from([0.1, 0.5, 3.0, 29.0]),
)
@settings(max_examples=40, deadline=None)
@pytest.mark.compiled
def test_odometer_never_rises_above_what_the_filter_accepted_by(
    seed, kind, tolerance, node_limit, epsilon_nats
):
    """With little work or a wide tolerance, its own bounds would."""
    rng = make_generator(8, "odometer", seed)
    box, budget_nats = Box((-1.0,) * 4, (1.0,) * 4), 5 * epsilon_nats * rng.uniform(0.5, 2)

    def new_filter():
        account = BoxAccount(box, tolerance=tolerance, node_limit=node_limit)
        return make(kind, budget_nats, account, 1e-12)

    asked, silent = new_filter(), new_filter()
    before = 0.0
    for _ in range(14):
        slope, intercept = rng.uniform(-10, 10, 4).tolist(), float(rng.uniform(-10, 10))
        query = [
            LogisticQuery(slope, intercept, epsilon_nats),
            TruncatedLinearQuery(slope, intercept, epsilon_nats, -1.0, 1.0),
        ][int(rng.integers(2))]
        if not asked.accepts(query):
            continue
        output = int(rng.integers(2))
        asked.record(query, output)
        silent.record(query, output)
        loss = asked.bound_loss()
        assert loss.lower <= loss.upper <= budget_nats * (1 + 1e-9)
        assert Fraction(loss.upper) <= Fraction(before) + Fraction(epsilon_nats) + Fraction(
            1, 2**40
        )
        if (left := asked.compute_remaining_epsilon()) > 0:
            assert asked.accepts(LogisticQuery(slope, intercept, min(left, 30.0)))
        before = loss.upper
    assert silent.bound_loss() == asked.bound_loss()  # of the answers alone


@pytest.mark.compiled
def test_certificates_give_the_bound_that_an_odometer_shows():
    """Of the first answers, with the limit that it names; the later epsilons are added."""
    kinds = set()
    for seed, (dimensions, epsilon_nats) in itertools.product(range(6), ((2, 25.0), (4, 1.0))):
        rng = make_generator(9, "c", seed)
        box = Box((-1.0,) * dimensions, (1.0,) * dimensions)
        how = {"tolerance": 10.0 if epsilon_nats > 1 else 1e-3, "node_limit": 5}
        privacy_filter = BayesianFilter(5 * epsilon_nats, BoxAccount(box, **how))
        past = []
        for _ in range(15):
            is_logistic, reach = rng.integers(2) == 0, 1 if epsilon_nats > 1 else 10
            slope = rng.uniform(-reach, reach, dimensions).tolist()
            parameters = slope, float(rng.uniform(-reach, reach)), epsilon_nats
            query = (
                LogisticQuery(*parameters)
                if is_logistic
                else TruncatedLinearQuery(*parameters, -1.0, 1.0)
            )
            if not privacy_filter.accepts(query):
                continue
            past.append((query, int(rng.integers(2))))
            privacy_filter.record(*past[-1])
            bounds = privacy_filter.bound_loss()
            count, limit = bounds.certificate or (len(past), math.nan)
            kinds.add((bounds.certificate is None, math.isnan(limit)))
            account = BoxAccount(box, **how)
            for one in past[:count]:
                account.add(*one)
            spent = sum(asked.epsilon_nats for asked, _ in past[count:])
            witnessed = account.build_certificates(limit)
            certified = sum(
                each.upper + realized_loss._compute_allowance(each.terms) for each in witnessed
            )
            worst = epsilon_nats * len(past)
            assert bounds.upper == pytest.approx(min(certified + spent, worst), abs=1e-9)
    assert kinds == {(True, True), (False, True), (False, False)}


@pytest.mark.compiled
def test_odometer_of_the_paper_s_queries_stays_within_the_budget():
    """Five dimensions, a search that ends early: the account's own bound ends at 2.731."""
    box, rng = Box((-1.0,) * 5, (1.0,) * 5), np.random.default_rng(1)
    account = BoxAccount(box, node_limit=50)
    privacy_filter = BayesianFilter(2.7, BoxAccount(box, node_limit=50))
    for number in range(49):
        query = regression("logistic", dimensions=5, parameter_range=10, epsilon_nats=0.1, rng=rng)
        output = query.mechanism.report_one(query.compute_response(np.zeros((1, 5))).item(), rng)
        if number == 48:
            before = privacy_filter.bound_loss().upper
            assert privacy_filter.accepts(query)
        privacy_filter.record(query, output)
        account.add(query, output)
    assert account.bound_loss().upper > 2.73
    assert privacy_filter.bound_loss().upper <= min(2.7 * (1 + 1e-9), before + 0.1 + 1e-12)


@pytest.mark.parametrize("kind", [SimplifiedFilter, BayesianFilter])
def test_what_fits_by_its_epsilons_needs_no_search(kind, monkeypatch):
    privacy_filter = kind(1.0, GroupedAccount(lambda: BoxAccount(Box((-1.0,), (1.0,))), 4))
    query = LogisticQuery((3.0,), 0.0, 0.1)
    for _ in range(3):
        privacy_filter.record(query, 1)
    with monkeypatch.context() as patched:
        patched.setattr(BoxAccount, "_solve", None)
        assert privacy_filter.accepts(query)
    for _ in range(6):
        privacy_filter.record(query, 1)
    with monkeypatch.context() as patched:
        patched.setattr(BoxAccount, "_solve", None)
        assert privacy_filter.accepts(query)
        privacy_filter.record(LogisticQuery((0.0,), 0.0, 0.1), 1)
        with pytest.raises(TypeError):  # ten tenths are on record: a search would have to tell
            privacy_filter.accepts(query)


def test_sums_of_epsilons_are_exact():
    """A sum of doubles would lose the second epsilon."""
    box = Box((-1.0,), (1.0,))
    privacy_filter = BasicFilter(1.0, BoxAccount(box))
    advanced = AdvancedFilter(1.0, 0.5, BoxAccount(box))
    large, tiny = (LogisticQuery((0.0,), 0.0, epsilon) for epsilon in (0.5, 2.0**-60))
    for query in (large, tiny):
        privacy_filter.record(query, 1)
        advanced.record(query, 1)
    assert privacy_filter._account.worst_case_nats == Fraction(1, 2) + Fraction(1, 2**60)
    assert advanced._squares == Fraction(1, 4) + Fraction(1, 2**120)
    assert privacy_filter.compute_remaining_epsilon() == 0.5


@pytest.mark.parametrize("kind", [*RULES, ApproximateFilter])
def test_query_that_does_not_fit_every_value_is_an_error_with_any_budget(kind):
    """Also where the epsilon alone would decide, without a look at the domain."""
    box = Box((0.0,), (100.0,))
    accounts = [
        lambda: BoxAccount(box),
        lambda: GroupedAccount(lambda: BoxAccount(box), 2),
        lambda: GroupedAccount(lambda: GroupedAccount(lambda: BoxAccount(box), 2), 2),
    ]
    for new_account in accounts:
        for epsilon_nats in (1e-9, 20.0):
            privacy_filter = make(kind, 1.0, new_account())
            for query in (
                LinearQuery((1.0,), 0.0, epsilon_nats, 0.0, 1.0),
                LogisticQuery((1.0, 1.0), 0.0, epsilon_nats),
            ):
                with pytest.raises(ConfigError):
                    privacy_filter.accepts(query)
            assert privacy_filter.bound_loss().upper == 0
    with pytest.raises(DataError):
        make(kind, 1.0, FiniteAccount(THREE)).accepts(TableQuery(((0.5, 0.5), (0.5, 0.5))))


@pytest.mark.parametrize("budget_nats", [0, -1, math.nan, math.inf, 10**400, "1"])
def test_a_budget_that_is_no_positive_number_is_refused(budget_nats):
    with pytest.raises(ConfigError, match="privacy budget"):
        BayesianFilter(budget_nats, FiniteAccount(THREE))


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, math.nan])
def test_a_delta_out_of_its_range_is_refused(delta):
    for kind in (AdvancedFilter, ApproximateFilter):
        with pytest.raises(ConfigError, match="delta"):
            kind(1.0, delta, FiniteAccount(THREE))


SHRUNK = {"basic": BasicFilter, "simplified": SimplifiedFilter, "bayesian": BayesianFilter}


@pytest.mark.parametrize("kind", SHRUNK)
@pytest.mark.parametrize("table", [False, True])
def test_a_query_that_does_not_fit_is_shrunk_to_what_does(kind, table):
    """After 0.4 of a budget of 0.5: 0.1, and not a millionth of the query more."""
    if table:
        top = 1 / (1 + math.exp(-0.4))
        query = TableQuery(((top, 1 - top), (1 - top, top)))
        privacy_filter = SHRUNK[kind](0.5, FiniteDomain(((0.0,), (1.0,))))
    else:
        query = LinearQuery([1.0], 0, epsilon_nats=0.4, low=0, high=1)
        privacy_filter = SHRUNK[kind](0.5, BoxAccount(Box([0], [1]), tolerance=1e-12))
    assert privacy_filter.shrink_to_fit(query) is query
    privacy_filter.record(query, 1)
    last = privacy_filter.shrink_to_fit(query)
    assert last.epsilon_nats == pytest.approx(0.1, abs=1e-6)
    assert privacy_filter.accepts(last)
    assert not privacy_filter.accepts(filters.weaken_query(last, 1 + 2e-5))
    privacy_filter.record(last, 1)
    assert privacy_filter.bound_loss().upper == pytest.approx(0.5, abs=1e-6)
    nothing = privacy_filter.shrink_to_fit(query, tolerance=1e-4)
    assert nothing is None or nothing.epsilon_nats < 1e-4


def test_a_query_of_another_kind_cannot_be_shrunk():
    class Odd:
        outputs = 2
        epsilon_nats = 1.0

    with pytest.raises(ConfigError, match="a regression or a table of probabilities, got Odd"):
        filters.weaken_query(Odd(), 0.5)


# Prices ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [BasicFilter, SimplifiedFilter, BayesianFilter])
def test_prices_are_what_the_answers_then_cost(made):
    """Each query alone, by asking a fresh filter; and every batch, in every order of outputs."""
    random = np.random.default_rng(3)
    for _ in range(6):
        tables = random.integers(1, 9, (4, 2, 3)).astype(float)
        queries = [TableQuery(tuple(map(tuple, each / each.sum(axis=0)))) for each in tables]
        budget = float(random.uniform(0.8, 2.5))

        def told(answers, made=made, budget=budget):
            fresh = made(budget, rational.build_domain(3))
            for query, output in answers:
                fresh.record(query, output)
            return fresh

        first, *batch = queries
        start = [(first, 0)]
        now = told(start)
        prices = now.price_queries(batch)
        for query, price in zip(batch, prices, strict=True):
            losses = [told([*start, (query, each)]).bound_loss().upper for each in range(2)]
            assert price.max_nats == pytest.approx(max(losses) - now.bound_loss().upper, abs=1e-9)
            assert price.min_nats == pytest.approx(min(losses) - now.bound_loss().upper, abs=1e-9)
            assert price.is_accepted == now.accepts(query)
            assert price.max_nats <= price.epsilon_nats + 1e-9
        for place, (query, price) in enumerate(zip(batch, prices, strict=True)):
            always = all(
                told([*start, *zip(batch[:place], outputs, strict=True)]).accepts(query)
                for outputs in itertools.product(range(2), repeat=place)
            )
            assert always or not price.is_certain
        assert now.bound_loss() == told(start).bound_loss()  # nothing was asked


def test_a_filter_of_all_outputs_together_has_no_price():
    for made in (AdvancedFilter, ApproximateFilter):
        assert not hasattr(made(1.0, 0.1, rational.build_domain(2)), "prices")


def _lattice(up, down):
    """A query about one bit whose outputs move the log-ratio by whole units of log 2."""
    fall = Fraction(1, 2**down)
    zero = (1 - fall) / (2**up - fall)
    return [[1 - zero, 1 - 2**up * zero], [zero, 2**up * zero]]


@pytest.mark.parametrize("seed", range(6))
def test_the_safe_filter_keeps_the_budget_and_is_never_behind(seed):
    """By whole numbers: the log-ratio of the likelihoods, and what basic composition has spent."""
    random = np.random.default_rng(seed)
    budget, accepted_beyond = 6, 0
    for _ in range(12):
        safe = SafeFilter(budget * math.log(2), rational.build_domain(2))
        balance = spent = ahead = 0
        for _ in range(14):
            up, down = (int(each) for each in random.integers(1, 7, 2))
            query = rational.convert_to_query(_lattice(up, down))
            fits = spent + max(up, down) <= budget
            spent += max(up, down) * fits
            expected = fits or max(abs(balance + up), abs(balance - down)) <= spent
            assert safe.accepts(query) == expected
            ahead += expected - fits
            assert ahead >= 0
            accepted_beyond += expected and not fits
            if expected:
                output = int(random.integers(2))
                safe.record(query, output)
                balance += up if output else -down
                assert abs(balance) <= spent <= budget
                assert safe.bound_loss().upper == pytest.approx(
                    abs(balance) * math.log(2), abs=1e-9
                )
    assert accepted_beyond > 5


def test_the_safe_filter_is_the_bayesian_one_where_equal_guarantees_divide_the_budget():
    random = np.random.default_rng(3)
    box = Box([-1.0, -1.0], [1.0, 1.0])
    one, other = SafeFilter(1.0, box), BayesianFilter(1.0, box)
    refused = 0
    for _ in range(40):
        a, b = random.uniform(0.0, 0.5, 2)
        query = LinearQuery([a, b], 0.0, 0.2, -1.0, 1.0)
        accepted = other.accepts(query)
        assert one.accepts(query) == accepted
        refused += not accepted
        if accepted:
            output = int(random.random() < 0.8)
            one.record(query, output)
            other.record(query, output)
    assert refused > 0


def test_what_remains_of_a_safe_filter_follows_from_its_prices():
    query = LinearQuery([1.0], 0, 0.4, 0, 1)
    safe = SafeFilter(0.5, Box([0], [1]))
    first, second = safe.price_queries([query, query])
    assert (first.is_accepted, first.is_certain, second.is_certain) == (True, True, False)
    safe.record(query, 1)
    assert safe.compute_remaining_epsilon() == pytest.approx(0.1)
    assert not safe.accepts(query)
    assert safe.shrink_to_fit(query).epsilon_nats == pytest.approx(0.1, abs=1e-5)
