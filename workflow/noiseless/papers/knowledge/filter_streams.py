"""Filters on a stream that goes on after a rejection (``knowledge``, Sections 4.1 and 7).

1. :func:`build_lattice_table`: the largest lead of basic composition over a filter, over all
   streams of queries about one bit whose losses are whole multiples of a unit, as longest paths.
2. :func:`build_ordinary_table`: answers to random streams of randomized responses.

:func:`build_stream_tables` builds both.  A stream is a list of queries with their outputs, equal
for all filters.  ``docs/proofs/knowledge.md``, "Filters on a stream that goes on".
"""

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from noiseless.accounting import rational
from noiseless.accounting.filters import BayesianFilter, PrivacyFilter, SafeFilter
from noiseless.accounting.queries import TableQuery
from noiseless.seeds import make_generator
from noiseless.statistics import Estimate, build_rows, estimate_paired_mean
from noiseless.tables import Rows, returns_table

_UNIT_NATS = math.log(2)
_FILTERS = {"bayesian": BayesianFilter, "safe": SafeFilter}
# Streams of randomized responses about sets of values: equally likely epsilons, number of queries.
MIXES = {
    "0.05 to 0.8": {"epsilons_nats": (0.05, 0.1, 0.2, 0.5, 0.8), "queries": 40},
    "0.02 and 1": {"epsilons_nats": (0.02, 1.0), "queries": 100},
    "0.2 and 0.3": {"epsilons_nats": (0.2, 0.3), "queries": 60},
}

State = tuple[int, int]
"""Log-ratio of the likelihoods of 1 and 0, and the epsilon spent by basic composition (units)."""
Transition = tuple[State, int, int]
"""Next state, and whether the filter and basic composition answer the query (1 or 0)."""


def build_stream_tables(*, seed: int) -> dict[str, pd.DataFrame]:
    """Build both tables of this module: ``filter_streams`` and ``filter_streams_ordinary``."""
    return {
        "filter_streams": build_lattice_table(),
        "filter_streams_ordinary": build_ordinary_table(seed=seed),
    }


# All streams of a lattice -------------------------------------------------------------------------


@returns_table("filter", "budget_units", "least_units", "most_units", "spread")
def build_lattice_table(
    *, budgets: Sequence[int] = (3, 4, 5, 6, 7, 8), largest_least: int = 3
) -> Rows:
    """Build the table of the largest lead of basic composition over a filter, in a lattice.

    A query about one bit with two outputs moves the log-ratio of the likelihoods of 1 and 0 by u
    units up or by d units down; its guarantee is the larger of them.  The filters themselves
    decide, after one history for each state that a stream can lead to.  Budgets g are in units of
    log 2 nats; streams have guarantees from e to E, every e up to ``largest_least`` and every E up
    to the budget.

    ``lead`` is the most answers by which basic composition is ahead at the end of a stream, and
    ``over_bound`` by how much that exceeds ``max(0, min(ceil(E/e), floor(g/e)) - 2)`` for the
    Bayesian filter and 0 for the safe one.  Of ``decisions``, pairs of a state and a query, the
    filter accepts ``beyond_basic`` that basic composition rejects; of states, ``over_budget`` have
    a loss above the budget, and after ``behind_at_first`` basic composition is ahead if the first
    rejection ends the stream.  ``shortest`` is the fewest queries of a stream with a lead, or 0
    where there is none.
    """
    for budget in budgets:
        for name in _FILTERS:
            all_transitions = _find_transitions(name, budget)
            for least in range(1, largest_least + 1):
                for most in range(least, budget + 1):
                    steps = {
                        state: {
                            query: outcomes
                            for query, outcomes in by_query.items()
                            if least <= max(query) <= most
                        }
                        for state, by_query in all_transitions.items()
                    }
                    lead = _find_max_lead(steps)
                    bound = max(0, min(-(-most // least), budget // least) - 2)
                    yield {
                        "filter": name,
                        "budget_units": budget,
                        "least_units": least,
                        "most_units": most,
                        "spread": "up to 2" if most <= 2 * least else "above 2",
                        "lead": lead,
                        "over_bound": lead - (bound if name == "bayesian" else 0),
                        **_count_decisions(steps, budget),
                        "shortest": _find_min_queries(steps) if lead else 0,
                    }


def build_lattice_query(up: int, down: int) -> TableQuery:
    """Build a query about one bit whose outputs move the log-ratio by units of log 2 up or down."""
    rise, fall = 2.0**up, 2.0**-down
    of_zero = (1 - fall) / (rise - fall)
    return TableQuery(((1 - of_zero, 1 - rise * of_zero), (of_zero, rise * of_zero)))


def _find_transitions(
    name: str, budget: int
) -> dict[State, dict[tuple[int, int], tuple[Transition, ...]]]:
    """Find the transitions of each query (up, down) in each state that some stream leads to."""
    sizes = range(1, 2 * budget + 1)
    queries = {
        (up, down): build_lattice_query(up, down)
        for up in sizes
        for down in sizes
        if max(up, down) <= budget
    }
    start: PrivacyFilter = _FILTERS[name](budget * _UNIT_NATS, rational.build_domain(2))
    transitions: dict[State, dict[tuple[int, int], tuple[Transition, ...]]] = {}
    waiting: dict[State, PrivacyFilter] = {(0, 0): start}
    while waiting:
        state, privacy_filter = waiting.popitem()
        balance, spent = state
        transitions[state] = {}
        for (up, down), query in queries.items():
            fits = spent + max(up, down) <= budget
            next_spent = spent + max(up, down) if fits else spent
            accepted = privacy_filter.accepts(query)
            moves = ((0, -down), (1, up)) if accepted else ((None, 0),)
            transitions[state][up, down] = tuple(
                ((balance + change, next_spent), int(accepted), int(fits)) for _, change in moves
            )
            for output, change in moves:
                next_state = (balance + change, next_spent)
                if next_state not in transitions and next_state not in waiting:
                    # Where basic composition alone answers, the filter's record stays as it is.
                    next_filter = copy.deepcopy(privacy_filter)
                    if output is not None:
                        next_filter.record(query, output)
                    waiting[next_state] = next_filter
    return transitions


def _find_max_lead(steps: Mapping[State, Mapping[Any, Sequence[Transition]]]) -> int:
    """Find the largest number of answers by which basic composition leads at the end of a path."""
    leads, waiting = {(0, 0): 0}, [(0, 0)]
    while waiting:
        state = waiting.pop()
        for next_state, answered, fits in _iterate_transitions(steps[state]):
            lead = leads[state] + fits - answered
            if leads.get(next_state, -math.inf) < lead:
                leads[next_state] = lead
                waiting.append(next_state)
    return max(leads.values())


def _find_min_queries(steps: Mapping[State, Mapping[Any, Sequence[Transition]]]) -> int:
    """Find the smallest number of queries after which basic composition leads, if it ever does."""
    level, length = {((0, 0), 0)}, 0
    while all(lead <= 0 for _, lead in level):
        level = {
            (next_state, lead + fits - answered)
            for state, lead in level
            for next_state, answered, fits in _iterate_transitions(steps[state])
        }
        length += 1
    return length


def _count_decisions(
    steps: Mapping[State, Mapping[Any, Sequence[Transition]]], budget: int
) -> dict[str, int]:
    """Count decisions in the states that streams lead to, with and without earlier rejections."""
    states, unrejected_states = {(0, 0)}, {(0, 0)}
    for visited, only_both in ((states, False), (unrejected_states, True)):
        waiting = [(0, 0)]
        while waiting:
            for next_state, answered, fits in _iterate_transitions(steps[waiting.pop()]):
                if next_state not in visited and (not only_both or (answered and fits)):
                    visited.add(next_state)
                    waiting.append(next_state)
    transitions = [moves[0] for state in states for moves in steps[state].values()]
    at_first = [moves[0] for state in unrejected_states for moves in steps[state].values()]
    return {
        "decisions": len(transitions),
        "over_budget": sum(abs(balance) > budget for balance, _ in states),
        "beyond_basic": sum(answered > fits for _, answered, fits in transitions),
        "behind_at_first": sum(answered < fits for _, answered, fits in at_first),
    }


def _iterate_transitions(by_query: Mapping[Any, Sequence[Transition]]) -> Iterator[Transition]:
    """Yield every distinct transition from a state, over all queries."""
    yield from {transition for transitions in by_query.values() for transition in transitions}


# Ordinary streams ---------------------------------------------------------------------------------


def build_ordinary_table(
    *,
    seed: int,
    mixes: Mapping[str, Mapping[str, Any]] = MIXES,
    runs: int = 2000,
    values: int = 4,
    budget_nats: float = 1.0,
) -> pd.DataFrame:
    """Build the table of the answers of filters to streams of randomized responses about sets.

    Each query asks whether the value, of ``values`` equally likely ones, lies in a random set of up
    to half of them; streams are the same for all filters.  ``more_than_bayesian`` is the mean
    difference to that filter's answers within a stream, and ``share_behind`` of streams in which
    basic composition answers more.
    """
    table_rows = []
    for name, mix in mixes.items():
        rng = make_generator(seed, "filter streams", name)
        epsilons, ones, answers = _draw_streams(rng, mix, runs, values)
        counts = _count_answers(epsilons, ones, answers, budget_nats)
        for each, count in counts.items():
            table_rows += build_rows(
                {"mix": name, "filter": each},
                answers=_estimate_mean(count),
                more_than_bayesian=_estimate_mean(count - counts["bayesian"]),
                share_behind=float(np.mean(count < counts["basic"])),
            )
    return pd.DataFrame(table_rows)


def _estimate_mean(count: np.ndarray) -> Estimate:
    """Estimate the mean count over streams, with its 95 % interval."""
    return replace(estimate_paired_mean(count), over="runs")


def _draw_streams(
    rng: np.random.Generator, mix: Mapping[str, Any], runs: int, values: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw epsilons and outputs, shape (runs, queries), and Pr(1|value), with an axis of values."""
    size = (runs, mix["queries"])
    epsilons = rng.choice(mix["epsilons_nats"], size)
    number = rng.integers(1, values // 2 + 1, size)
    asked = rng.random((*size, values)).argsort(axis=-1).argsort(axis=-1) < number[..., None]
    truth = 1 / (1 + np.exp(-epsilons))[..., None]
    ones = np.where(asked, truth, 1 - truth)
    value = rng.integers(values, size=runs)
    return epsilons, ones, rng.random(size) < ones[np.arange(runs), :, value]


def _count_answers(
    epsilons: np.ndarray, ones: np.ndarray, answers: np.ndarray, budget_nats: float
) -> dict[str, np.ndarray]:
    """Count the queries that each filter answers in each stream, shape (runs,) by filter."""
    runs, queries, values = ones.shape
    log_likelihoods = {
        name: np.zeros((runs, values)) for name in ("basic", "simplified", "bayesian", "safe")
    }
    counts = {name: np.zeros(runs) for name in log_likelihoods}
    spent, rounding = np.zeros(runs), 1e-9
    for step in range(queries):
        epsilon, one, output = epsilons[:, step], ones[:, step], answers[:, step]
        fits = spent + epsilon <= budget_nats + rounding
        spent = np.where(fits, spent + epsilon, spent)
        log_output = np.log(np.where(output[:, None], one, 1 - one))
        for name, before in log_likelihoods.items():
            worst = np.max([np.ptp(before + np.log(row), axis=1) for row in (one, 1 - one)], axis=0)
            allowed = {
                "basic": fits,
                "simplified": np.ptp(before, axis=1) + epsilon <= budget_nats + rounding,
                "bayesian": worst <= budget_nats + rounding,
                "safe": worst <= spent + rounding,
            }[name]
            before += np.where(allowed[:, None], log_output, 0)
            counts[name] += allowed
    return counts
