"""The (epsilon, delta) filter that depends on outputs: by plain sums, and against other filters."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.accounting import rational
from noiseless.accounting.baselines import count_optimal_queries
from noiseless.accounting.filters import RELATIVE_ALLOWANCE, BayesianFilter
from noiseless.accounting.output_dependent import OutputDependentFilter
from noiseless.accounting.queries import Box, LinearQuery, TableQuery
from noiseless.errors import ConfigError, DataError

DOMAIN = rational.build_domain(2)


def response(epsilon):
    truth = 1 / (1 + math.exp(-epsilon))
    return TableQuery(((truth, 1 - truth), (1 - truth, truth)))


def random_query(random, values, outputs):
    table = random.integers(1, 9, (outputs, values)).astype(float)
    return TableQuery(tuple(map(tuple, table / table.sum(axis=0))))


@pytest.mark.parametrize("seed", range(12))
def test_without_delta_it_is_the_bayesian_filter(seed):
    random = np.random.default_rng(seed)
    values, budget = int(random.integers(2, 5)), float(random.uniform(0.5, 4))
    one = OutputDependentFilter(budget, 0.0, rational.build_domain(values))
    other = BayesianFilter(budget, rational.build_domain(values))
    accepted = 0
    for _ in range(25):
        query = random_query(random, values, int(random.integers(2, 4)))
        assert one.accepts(query) == other.accepts(query)
        if one.accepts(query):
            output = int(random.integers(query.outputs))
            one.record(query, output)
            other.record(query, output)
            accepted += 1
    assert 0 < accepted < 25


@pytest.mark.parametrize("seed", range(6))
def test_no_random_stream_gets_more_than_delta(seed):
    """All outputs of a stream that the filter lets on, summed in floats for every pair."""
    random = np.random.default_rng(100 + seed)
    values, budget, delta = 3, float(random.uniform(0.3, 1.5)), float(random.uniform(0.02, 0.3))
    tilt = [None, 0.0, 2.0][seed % 3]
    queries = [random_query(random, values, 2) for _ in range(4)]
    ends = []

    def walk(told, likelihood):
        asked = OutputDependentFilter(budget, delta, rational.build_domain(values), tilt=tilt)
        for query, output in told:
            asked.record(query, output)
        # Another query after every history.
        fits = [query for query in queries if asked.accepts(query)]
        if len(told) == 4 or not fits:
            ends.append(likelihood)
            return
        query = fits[(3 * len(told) + sum(output for _, output in told)) % len(fits)]
        for output in range(2):
            walk([*told, (query, output)], likelihood * np.array(query.probabilities[output]))

    walk([], np.ones(values))
    reached = {
        (x, other): sum(max(0, end[x] - math.exp(budget) * end[other]) for end in ends)
        for x, other in itertools.permutations(range(values), 2)
    }
    assert max(reached.values()) <= delta + 1e-8
    assert sum(end[0] for end in ends) == pytest.approx(1)
    assert len(ends) > 1


def test_what_is_left_of_delta_goes_to_the_outputs_as_the_tilt_says():
    """Two equal answers: what is left of delta goes to both outputs as the tilt says."""
    asked = OutputDependentFilter(1.0, 0.2, rational.build_domain(2), tilt=1.0)
    query = response(0.5)
    truth = Fraction(query.probabilities[0][0])
    lie = Fraction(query.probabilities[0][1])
    asked.record(query, 0)
    share = (truth * truth / lie) / (truth * truth / lie + lie * lie / truth)
    expected = [Fraction(0.2) * share, Fraction(0.2) * (1 - share)]
    allowances = [asked.get_allowance(0, 1), asked.get_allowance(1, 0)]
    assert list(map(float, allowances)) == pytest.approx(list(map(float, expected)))
    assert Fraction(0.2) - Fraction(1, 2**62) <= sum(allowances) <= Fraction(0.2)


@pytest.mark.parametrize("seed", range(4))
def test_decisions_are_those_of_fractions_that_are_never_rounded(seed):
    """Random streams of three values, on which the allowances are kept by the definition."""
    random = np.random.default_rng(300 + seed)
    budget, delta, tilt = float(random.uniform(0.3, 2)), float(random.uniform(0.01, 0.3)), 1.5
    factor = Fraction(math.exp(budget * (1 + RELATIVE_ALLOWANCE)))
    asked = OutputDependentFilter(budget, delta, rational.build_domain(3), tilt=tilt)
    pairs = list(itertools.permutations(range(3), 2))
    above, below = [[Fraction(1)] * 3 for _ in range(2)]
    left = dict.fromkeys(pairs, Fraction(delta))
    decisions = []
    for _ in range(30):
        query = random_query(random, 3, int(random.integers(2, 4)))
        rows = [[Fraction(each) for each in row] for row in query.probabilities]
        rounding = 2 * query.remainder_nats
        most = [[a * p * (1 + rounding) for a, p in zip(above, row, strict=True)] for row in rows]
        least = [[b * p * (1 - rounding) for b, p in zip(below, row, strict=True)] for row in rows]
        terms = {
            (x, other): [
                max(Fraction(0), row[x] - factor * low[other])
                for row, low in zip(most, least, strict=True)
            ]
            for x, other in pairs
        }
        accepted = all(sum(terms[pair]) <= left[pair] for pair in pairs)
        assert asked.accepts(query) == accepted
        decisions.append(accepted)
        if not accepted:
            continue
        output = int(random.integers(query.outputs))
        asked.record(query, output)
        for x, other in pairs:
            weights = [
                Fraction(row[x]) * Fraction(float(row[x] / low[other]) ** tilt)
                for row, low in zip(most, least, strict=True)
            ]
            rest = left[x, other] - sum(terms[x, other])
            left[x, other] = terms[x, other][output] + rest * weights[output] / sum(weights)
            assert float(asked.get_allowance(x, other)) == pytest.approx(float(left[x, other]))
        above, below = most[output], least[output]
    assert {True, False} == set(decisions)


def test_what_remains_is_what_randomized_response_may_have():
    asked = OutputDependentFilter(1.0, 0.1, rational.build_domain(2))
    asked.record(response(0.4), 0)
    left = asked.compute_remaining_epsilon()
    assert asked.accepts(response(left * 0.999))
    assert not asked.accepts(response(left * 1.001))
    random = np.random.default_rng(7)
    queries = [random_query(random, 2, 3) for _ in range(60)]
    assert all(asked.accepts(query) for query in queries if query.epsilon_nats <= left * 0.999)
    assert not all(asked.accepts(query) for query in queries)
    # With delta it is more than without.
    without = OutputDependentFilter(1.0, 0.0, rational.build_domain(2))
    without.record(response(0.4), 0)
    assert without.compute_remaining_epsilon() == pytest.approx(0.6, abs=1e-6)
    assert left > 0.7


def test_after_an_answer_that_was_not_accepted_nothing_is():
    asked = OutputDependentFilter(1.0, 0.1, rational.build_domain(2))
    asked.record(response(3.0), 0)
    assert not any(asked.accepts(response(epsilon)) for epsilon in (1e-6, 0.1, 3.0))
    assert asked.compute_remaining_epsilon() == 0


def test_a_query_is_shrunk_to_fit():
    asked = OutputDependentFilter(1.0, 0.05, rational.build_domain(2))
    shrunk = asked.shrink_to_fit(response(2.0))
    assert asked.accepts(shrunk)
    assert 1.0 < shrunk.epsilon_nats < 2.0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((1.0, 0.1, Box([0], [1])), "must be a FiniteDomain, got Box"),
        ((1.0, 1.0, rational.build_domain(2)), "`delta` must .* got 1.0"),
        ((1.0, -0.1, rational.build_domain(2)), "`delta` must .* got -0.1"),
        ((0.0, 0.1, rational.build_domain(2)), "privacy budget, is 0.0"),
    ],
)
def test_parameters_out_of_range_and_other_queries_are_refused(arguments, said):
    with pytest.raises(ConfigError, match=said):
        OutputDependentFilter(*arguments)
    with pytest.raises(ConfigError, match="`tilt` must be a finite number of at least 0, got -1"):
        OutputDependentFilter(1.0, 0.1, rational.build_domain(2), tilt=-1)
    asked = OutputDependentFilter(1.0, 0.1, rational.build_domain(2))
    with pytest.raises(ConfigError, match="a table of probabilities, got LinearQuery"):
        asked.accepts(LinearQuery([1.0], 0, epsilon_nats=0.4, low=0, high=1))


def test_one_value_has_nothing_to_hide():
    asked = OutputDependentFilter(1.0, 0.1, rational.build_domain(1))
    assert asked.accepts(TableQuery(((0.5,), (0.5,))))


def test_a_plan_is_accepted_whatever_the_outputs_and_keeps_delta():
    """Ten planned answers of 1/4 nat under a budget of 1: by a sum over the numbers of ones."""
    epsilon, budget, delta, asked = 0.25, 1.0, 0.05, 10
    query = response(epsilon)
    truth = query.probabilities[0][0]
    fits = [
        number
        for number in range(asked + 1)
        if sum(
            math.comb(number, ones)
            * max(
                0,
                truth**ones * (1 - truth) ** (number - ones)
                - math.exp(budget) * truth ** (number - ones) * (1 - truth) ** ones,
            )
            for ones in range(number + 1)
        )
        <= delta
    ]
    number = max(fits)
    assert 4 < number < asked  # more than the budget has room for, and fewer than all
    ends = []

    def walk(told, likelihood):
        planned = OutputDependentFilter(
            budget, delta, rational.build_domain(2), plan=[query] * asked
        )
        for output in told:
            planned.record(query, output)
        accepted = planned.accepts(query)
        assert accepted or len(told) >= number
        if not accepted or len(told) == asked:
            ends.append(likelihood)
            return
        for output in range(2):
            walk([*told, output], likelihood * np.array(query.probabilities[output]))

    walk([], np.ones(2))
    for x in (0, 1):
        reached = sum(max(0, end[x] - math.exp(budget) * end[1 - x]) for end in ends)
        assert 0.5 * delta < reached <= delta + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_with_a_plan_no_run_is_shorter_than_the_best_rule_without_its_coin(seed):
    """As many answers as fit whatever comes, and then until truths or lies lead by the budget."""
    epsilon, budget, delta, most = 0.25, 1.0, 0.05, 40
    whole, fixed = round(budget / epsilon), count_optimal_queries(epsilon, budget, delta)
    query = response(epsilon)
    lies = np.random.default_rng(seed).random(most) > query.probabilities[0][0]
    lies[: 20 * (seed == 0)] = False  # nothing but truths ends a run soonest
    balance = np.concatenate([[0], np.cumsum(np.where(lies, -1, 1))])
    least = next((n for n in range(fixed, most) if abs(balance[n]) == whole), most)
    answered = {}
    for name, one in (
        ("planned", OutputDependentFilter(budget, delta, DOMAIN, plan=[query] * most)),
        ("bayesian", BayesianFilter(budget, DOMAIN)),
    ):
        answered[name] = 0
        for lie in lies.tolist():
            if not one.accepts(query):
                break
            one.record(query, int(lie))
            answered[name] += 1
    assert answered["planned"] >= least >= fixed > whole
    assert answered["planned"] >= answered["bayesian"]


def test_off_the_plan_an_adversary_gets_no_more_than_delta():
    """The plan is one query, and what is asked is another one from the second query on."""
    planned, other = response(0.25), response(0.4)
    reached = 0.0

    def walk(told, likelihood):
        nonlocal reached
        asked = OutputDependentFilter(1.0, 0.05, rational.build_domain(2), plan=[planned] * 8)
        for query, output in told:
            asked.record(query, output)
        query = planned if not told else other
        if len(told) == 7 or not asked.accepts(query):
            reached += max(0, likelihood[0] - math.e * likelihood[1])
            return
        for output in range(2):
            walk([*told, (query, output)], likelihood * np.array(query.probabilities[output]))

    walk([], np.ones(2))
    assert 0 < reached <= 0.05 + 1e-9


def test_a_plan_of_too_many_outcomes_is_refused():
    plan = [response(0.001 * number) for number in range(1, 30)]
    with pytest.raises(ConfigError, match=r"first 15 queries of the plan have 32,768"):
        OutputDependentFilter(1.0, 0.5, rational.build_domain(2), plan=plan)


def test_a_plan_for_another_domain_is_refused():
    with pytest.raises(DataError, match="each of the 3 points of the domain, got 2"):
        OutputDependentFilter(1.0, 0.5, rational.build_domain(3), plan=[response(0.1)])
