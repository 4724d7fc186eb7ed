"""Leads of basic composition by plain enumeration; ordinary streams by the filters themselves."""

import itertools

import numpy as np
import pytest

from noiseless.accounting import rational
from noiseless.accounting.filters import BasicFilter, BayesianFilter, SafeFilter, SimplifiedFilter
from noiseless.papers.knowledge import filter_streams
from wide_table import wide

CELL = ["filter", "budget_units", "least_units", "most_units", "spread"]


def plain_lead(budget, least, most, length, *, safe):
    """The largest lead on all streams of some length, in whole numbers and by no graph."""
    sizes = range(1, most + 1)
    queries = [pair for pair in itertools.product(sizes, repeat=2) if max(pair) >= least]
    states = {(0, 0, 0)}
    for _ in range(length):
        after = set()
        for balance, spent, ahead in states:
            for up, down in queries:
                fits = spent + max(up, down) <= budget
                then = spent + max(up, down) if fits else spent
                worst = max(abs(balance + up), abs(balance - down))
                answers = worst <= (then if safe else budget)
                moves = (up, -down) if answers else (0,)
                after |= {(balance + move, then, ahead + fits - answers) for move in moves}
        states |= after
    return max(ahead for _, _, ahead in states)


@pytest.mark.parametrize(("least", "most"), [(1, 2), (1, 4), (2, 4), (1, 3)])
def test_leads_are_those_of_all_streams(least, most):
    table = wide(filter_streams.build_lattice_table(budgets=(4,), largest_least=2), CELL)
    place = (4, least, most, "up to 2" if most <= 2 * least else "above 2")
    found = table.loc[("bayesian", *place)]
    assert found["lead"] == plain_lead(4, least, most, 7, safe=False)
    assert found["over_bound"] == found["over_budget"] == found["behind_at_first"] == 0
    assert table.loc[("safe", *place), "lead"] == 0 == plain_lead(4, least, most, 7, safe=True)


def test_four_queries_are_the_shortest_stream_with_a_lead():
    assert plain_lead(5, 1, 5, 3, safe=False) <= 0 < plain_lead(5, 1, 5, 4, safe=False)
    table = wide(filter_streams.build_lattice_table(budgets=(5,), largest_least=1), CELL)
    assert table.loc[("bayesian", 5, 1, 5, "above 2"), "shortest"] == 4


def test_ordinary_streams_are_answered_as_the_filters_decide():
    rng = np.random.default_rng(1)
    mix = {"epsilons_nats": (0.1, 0.3, 0.7), "queries": 15}
    epsilons, ones, answers = filter_streams._draw_streams(rng, mix, 12, 4)
    counts = filter_streams._count_answers(epsilons, ones, answers, 1.0)
    kinds = {
        "basic": BasicFilter,
        "simplified": SimplifiedFilter,
        "bayesian": BayesianFilter,
        "safe": SafeFilter,
    }
    for name, kind in kinds.items():
        for run in range(12):
            asked, given = kind(1.0, rational.build_domain(4)), 0
            for step in range(15):
                row = ones[run, step]
                query = rational.convert_to_query([list(1 - row), list(row)])
                if asked.accepts(query):
                    asked.record(query, int(answers[run, step]))
                    given += 1
            assert counts[name][run] == given
    assert len({tuple(count) for count in counts.values()}) == 4
