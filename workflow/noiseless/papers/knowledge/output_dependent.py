"""A filter that spends delta where outputs are unlucky (``knowledge``, Section 4.3, continued).

1. :func:`adversaries_table`: the best of all adaptive adversaries against it and against Section
   4.3's output-independent filter, by dynamic programming in fractions.
2. :func:`answers_table`: how many answers it gives before it rejects one, beside other filters.
"""

import copy
import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from noiseless.accounting import rational
from noiseless.accounting.baselines import optimal_count
from noiseless.accounting.filters import (
    RELATIVE_ALLOWANCE,
    AdvancedFilter,
    BasicFilter,
    BayesianFilter,
    PrivacyFilter,
)
from noiseless.accounting.output_dependent import OutputDependentFilter
from noiseless.accounting.queries import TableQuery
from noiseless.errors import ConfigError
from noiseless.seeds import generator
from noiseless.tables import Rows, as_table

_ANSWERS = {"output dependent": OutputDependentFilter, "advanced": AdvancedFilter}
_QUANTILES = (0.1, 0.5, 0.9)


# Streams of equal randomized responses about one bit; budgets and guarantees in nats.
ANSWERS = [
    {"budget_nats": 1.0, "delta": 0.05, "epsilon_nats": 0.1},
    {"budget_nats": 1.0, "delta": 1e-5, "epsilon_nats": 0.1},
    {"budget_nats": 2.0, "delta": 0.05, "epsilon_nats": 0.5},
]


def output_dependent_tables(
    *,
    adversaries: Sequence[Mapping[str, Any]],
    runs: int,
    seed: int,
    answers: Sequence[Mapping[str, float]] = ANSWERS,
    most_answers: int = 300,
) -> dict[str, pd.DataFrame]:
    """Both tables of this module, whose arguments are those of the functions below.

    Returns
    -------
    dict
        ``adversaries`` and ``answers``.
    """
    return {
        "adversaries": adversaries_table(settings=adversaries),
        "answers": answers_table(settings=answers, runs=runs, most_answers=most_answers, seed=seed),
    }


@as_table(*("filter", "budget_nats", "delta", "largest_epsilon_nats", "queries", "values", "depth"))
def adversaries_table(*, settings: Sequence[Mapping[str, Any]]) -> Rows:
    """What the best adaptive adversary gets out of a filter, exactly.

    An adversary chooses each query from all earlier outputs, and may stop at any time.  For two
    values x and x' it gets the sum over all output sequences y at which it stops of ``max(0,
    Pr(y|x) - e^epsilon_g Pr(y|x'))``, the delta of Definition 4.6.  Its queries are randomized
    responses about the value itself and, of three values, about whether it is the first or the last
    one.

    Parameters
    ----------
    settings : sequence of mapping
        ``budget_nats``, ``delta``, ``epsilon_nats``, those of the queries to choose from,
        ``values`` (2 or 3) and ``depth``, the most queries that are asked.

    Returns
    -------
    DataFrame
        Cells (filter, budget_nats, delta, largest_epsilon_nats, queries, values, depth); filter is
        ``output dependent`` or ``advanced`` (Section 4.3).  Statistics: ``delta_reached`` by the
        best adversary over all pairs of values, ``over`` (1 if that is above delta), and
        ``histories``, sequences of queries and outputs that were looked at.

    Raises
    ------
    ConfigError
        If there are not two or three values.
    """
    for setting in settings:
        values = int(setting["values"])
        menu = [
            query for epsilon in setting["epsilon_nats"] for query in _responses(values, epsilon)
        ]
        for name in _ANSWERS:
            best, histories = _best_adversary(name, setting, menu)
            yield {
                "filter": name,
                **{key: float(setting[key]) for key in ("budget_nats", "delta")},
                "largest_epsilon_nats": float(max(setting["epsilon_nats"])),
                "queries": len(menu),
                "values": values,
                "depth": int(setting["depth"]),
                "delta_reached": float(best),
                "over": int(best > Fraction(setting["delta"])),
                "histories": histories,
            }


def _responses(values: int, epsilon_nats: float) -> list[TableQuery]:
    """Randomized responses about a value: one of two, or whether it is one of three."""
    if values not in (2, 3):
        raise ConfigError(f"there are {values} values, but adversaries are enumerated for 2 and 3.")
    truth = 1 / (1 + math.exp(-epsilon_nats))
    asked = [range(values - 1, values)] if values == 2 else [range(1), range(2, 3)]
    return [
        TableQuery(
            (
                tuple(truth if value in yes else 1 - truth for value in range(values)),
                tuple(1 - truth if value in yes else truth for value in range(values)),
            )
        )
        for yes in asked
    ]


def _best_adversary(
    name: str, setting: Mapping[str, Any], menu: Sequence[TableQuery]
) -> tuple[Fraction, int]:
    """The most that an adversary gets of any two values, and how many histories there are."""
    factor = Fraction(math.exp(setting["budget_nats"] * (1 + RELATIVE_ALLOWANCE)))
    tables = [[[Fraction(each) for each in row] for row in query.probabilities] for query in menu]
    values = range(int(setting["values"]))
    pairs = list(itertools.permutations(values, 2))
    looked_at = 0

    def best(asked: PrivacyFilter, given: Sequence[Fraction], left: int) -> list[Fraction]:
        """Of each pair, by the chances of the answers so far given each value."""
        nonlocal looked_at
        looked_at += len(pairs)
        most = [max(Fraction(0), given[x] - factor * given[other]) for x, other in pairs]
        for query, table in zip(menu, tables, strict=True):
            if left and asked.accepts(query):
                after = [
                    best(_told(asked, query, output), rational.products(given, row), left - 1)
                    for output, row in enumerate(table)
                ]
                most = [max(stop, sum(go)) for stop, *go in zip(most, *after, strict=True)]
        return most

    domain = rational.points(len(values))
    asked = _ANSWERS[name](setting["budget_nats"], setting["delta"], domain)
    return max(best(asked, [Fraction(1) for _ in values], int(setting["depth"]))), looked_at


def _told(asked: PrivacyFilter, query: TableQuery, output: int) -> PrivacyFilter:
    """A filter after another answer; the one that was asked stays as it is."""
    after = copy.deepcopy(asked)
    after.record(query, output)
    return after


@as_table("filter", "budget_nats", "delta", "epsilon_nats", "share_of_runs")
def answers_table(
    *, settings: Sequence[Mapping[str, float]], runs: int, most_answers: int, seed: int
) -> Rows:
    """How many equal randomized responses about one bit are answered before one is rejected.

    Parameters
    ----------
    settings : sequence of mapping
        ``budget_nats``, ``delta`` and ``epsilon_nats``.
    runs : int
        Streams of answers, the same for all filters.
    most_answers : int
        Where a stream ends at the latest.
    seed : int

    Returns
    -------
    DataFrame
        Cells (filter, budget_nats, delta, epsilon_nats, share_of_runs) of the filters ``output
        dependent``, ``bayesian``, ``advanced``, ``basic`` and ``optimal``, the most that fit if
        their number is fixed beforehand.  Statistics: ``answers``, which that share of the runs
        does not exceed (0 for the fewest of any run), and ``more_than_advanced``, by how many it
        exceeds that filter's.
    """
    for number, setting in enumerate(settings):
        budget, delta = float(setting["budget_nats"]), float(setting["delta"])
        epsilon = float(setting["epsilon_nats"])
        query = _responses(2, epsilon)[0]
        streams = generator(seed, "output dependent", number).random((runs, most_answers))
        lies = streams > query.probabilities[1][0]
        domain = rational.points(2)
        silent = np.zeros(most_answers, dtype=bool)
        counts = {
            "output dependent": [
                _answers(OutputDependentFilter(budget, delta, domain), query, each) for each in lies
            ],
            "bayesian": [_answers(BayesianFilter(budget, domain), query, each) for each in lies],
            "advanced": [_answers(AdvancedFilter(budget, delta, domain), query, silent)],
            "basic": [_answers(BasicFilter(budget, domain), query, silent)],
            "optimal": [optimal_count(epsilon, budget, delta)],
        }
        place = {"budget_nats": budget, "delta": delta, "epsilon_nats": epsilon}
        for name, quantile in itertools.product(counts, (0.0, *_QUANTILES)):
            answered = float(np.quantile(counts[name], quantile, method="inverted_cdf"))
            yield {
                "filter": name,
                **place,
                "share_of_runs": quantile,
                "answers": answered,
                "more_than_advanced": answered - counts["advanced"][0],
            }


def _answers(asked: PrivacyFilter, query: TableQuery, lies: np.ndarray) -> int:
    """How many answers a filter accepts; the value is 0, and a lie is output 0."""
    for given, lie in enumerate(lies.tolist()):
        if not asked.accepts(query):
            return given
        asked.record(query, 0 if lie else 1)
    return len(lies)
