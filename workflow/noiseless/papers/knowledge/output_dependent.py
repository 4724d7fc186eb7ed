"""A filter that spends delta where outputs are unlucky (``knowledge``, Section 4.3, continued).

1. :func:`adversaries_table`: the best of all adaptive adversaries against it and against Section
   4.3's output-independent filter, by dynamic programming in fractions.
2. :func:`answers_table`: how many answers it gives before it rejects one, beside other filters.
3. :func:`finished_table`: adversaries whose last query takes all that is left.
4. :func:`best_table`: the best filter of a known stream of equal randomized responses, by a linear
   programme and in closed form; and what the filter answers with a plan.
5. :func:`planned_table`: the same in the settings of :func:`answers_table`.
"""

import copy
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import linprog

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


# Adversaries who ask equal randomized responses about one bit, and then finish.
FINISHED = [
    {"budget_nats": 0.7, "delta": 0.05, "epsilon_nats": 0.3, "planned": False, "depth": 3},
    {"budget_nats": 0.7, "delta": 0.05, "epsilon_nats": 0.3, "planned": True, "depth": 3},
    {"budget_nats": 1.0, "delta": 0.02, "epsilon_nats": 0.25, "planned": False, "depth": 4},
]
# The chance of the truth, the budget in such answers, delta and the most answers, as fractions.
BEST = [
    {"truth": "3/5", "answers_of_budget": 2, "delta": "1/50", "most_answers": 6},
    {"truth": "3/5", "answers_of_budget": 2, "delta": "1/10", "most_answers": 7},
    {"truth": "3/5", "answers_of_budget": 3, "delta": "1/50", "most_answers": 8},
    {"truth": "3/4", "answers_of_budget": 1, "delta": "1/10", "most_answers": 6},
    {"truth": "3/4", "answers_of_budget": 2, "delta": "1/8", "most_answers": 7},
    {"truth": "11/20", "answers_of_budget": 4, "delta": "1/100", "most_answers": 8},
]
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
    """All tables of this module, whose arguments are those of the functions below.

    Returns
    -------
    dict
        ``adversaries``, ``answers``, ``finished``, ``best`` and ``planned``.
    """
    drawn: dict[str, Any] = {
        "settings": answers,
        "runs": runs,
        "most_answers": most_answers,
        "seed": seed,
    }
    return {
        "adversaries": adversaries_table(settings=adversaries),
        "answers": answers_table(**drawn),
        "finished": finished_table(),
        "best": best_table(),
        "planned": planned_table(**drawn),
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
    domain = rational.points(2)
    streams = _draw_streams(settings, runs=runs, most_answers=most_answers, seed=seed)
    for setting, query, lies in streams:
        budget, delta, epsilon = setting.values()
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
        for name, quantile in itertools.product(counts, (0.0, *_QUANTILES)):
            answered = float(np.quantile(counts[name], quantile, method="inverted_cdf"))
            yield {
                "filter": name,
                **setting,
                "share_of_runs": quantile,
                "answers": answered,
                "more_than_advanced": answered - counts["advanced"][0],
            }


def _draw_streams(
    settings: Sequence[Mapping[str, float]], *, runs: int, most_answers: int, seed: int
) -> Iterator[tuple[dict[str, float], TableQuery, np.ndarray]]:
    """Yield each setting, its query, and which answers are lies, shape (runs, most_answers)."""
    for number, setting in enumerate(settings):
        given = {name: float(setting[name]) for name in ("budget_nats", "delta", "epsilon_nats")}
        query = _responses(2, given["epsilon_nats"])[0]
        draws = generator(seed, "output dependent", number).random((runs, most_answers))
        yield given, query, draws > query.probabilities[1][0]


def _answers(asked: PrivacyFilter, query: TableQuery, lies: np.ndarray) -> int:
    """How many answers a filter accepts; the value is 0, and a lie is output 0."""
    for given, lie in enumerate(lies.tolist()):
        if not asked.accepts(query):
            return given
        asked.record(query, 0 if lie else 1)
    return len(lies)


# Adversaries who finish ---------------------------------------------------------------------------


@as_table("budget_nats", "delta", "epsilon_nats", "planned", "depth")
def finished_table(*, settings: Sequence[Mapping[str, Any]] = FINISHED) -> Rows:
    """What an adversary gets whose last query, after each history, takes all that is left.

    After some equal randomized responses about one bit it asks whether the value is x, with an
    answer "yes" of a chance that uses the allowance of x and x' up.

    Parameters
    ----------
    settings : sequence of mapping
        ``budget_nats``, ``delta``, ``epsilon_nats``, ``planned``, whether the filter was told of
        the equal queries, and ``depth``, their number.

    Returns
    -------
    DataFrame
        Cells: those of the settings.  Statistics: ``share_of_delta``, what the best of the two
        pairs of values reaches; ``rejected``, last queries that the filter rejects; ``histories``.
    """
    for setting in settings:
        query = _responses(2, setting["epsilon_nats"])[0]
        budget, delta, depth = setting["budget_nats"], setting["delta"], int(setting["depth"])
        plan = [query] * depth if setting["planned"] else []
        asked = OutputDependentFilter(budget, delta, rational.points(2), plan=plan)
        factor = Fraction(math.exp(budget * (1 + RELATIVE_ALLOWANCE)))
        rejected = histories = 0
        reached = [Fraction(0), Fraction(0)]
        for history in _histories(asked, query, depth):
            histories += 1
            for x in (0, 1):
                last = _finishing_query(history, x, factor)
                if not history.asked.accepts(last):
                    rejected += 1
                    continue
                for row in last.probabilities:
                    most, least = (
                        history.chances[each] * Fraction(row[each]) for each in (x, 1 - x)
                    )
                    reached[x] += max(most - factor * least, Fraction(0))
        yield {
            **{key: setting[key] for key in ("budget_nats", "delta", "epsilon_nats")},
            "planned": "yes" if plan else "no",
            "depth": depth,
            "share_of_delta": float(max(reached) / Fraction(delta)),
            "rejected": rejected,
            "histories": histories,
        }


@dataclass(frozen=True)
class _History:
    """Answers to equal queries about one bit: the filter after them, and how likely they are."""

    asked: OutputDependentFilter
    chances: tuple[Fraction, ...]
    outputs: tuple[int, ...] = ()


def _histories(asked: OutputDependentFilter, query: TableQuery, depth: int) -> Iterator[_History]:
    """Every history at which the stream ends: after a rejection, or ``depth`` answers."""
    waiting = [_History(asked, (Fraction(1), Fraction(1)))]
    while waiting:
        each = waiting.pop()
        if len(each.outputs) == depth or not each.asked.accepts(query):
            yield each
            continue
        for output, row in enumerate(query.probabilities):
            chances = tuple(rational.products(each.chances, list(map(Fraction, row))))
            told = copy.deepcopy(each.asked)
            told.record(query, output)
            waiting.append(_History(told, chances, (*each.outputs, output)))


def _finishing_query(history: _History, x: int, factor: Fraction) -> TableQuery:
    """Whether the value is x: the answer 1 has the chance of x at which nothing is left."""
    never = Fraction(1, 10**9)
    allowance = history.asked.allowance(x, 1 - x)
    yes = (allowance + factor * history.chances[1 - x] * never) / history.chances[x]
    # So that rounding does not take it beyond; an allowance may be more than there is to tell.
    yes = min(yes * (1 - Fraction(1, 10**6)), 1 - never)
    ones = (yes, never) if x == 0 else (never, yes)
    return rational.table_query([[1 - each for each in ones], list(ones)])


# The best filter of a known stream ----------------------------------------------------------------


@as_table("truth", "answers_of_budget", "delta", "most_answers")
def best_table(*, settings: Sequence[Mapping[str, Any]] = BEST) -> Rows:
    """The most answers, on average, of an (epsilon, delta) filter that knows the stream.

    Equal randomized responses about one bit, under a budget of a whole number of them; the bit is
    1, and a rejection ends the stream.

    Parameters
    ----------
    settings : sequence of mapping
        ``truth``, the chance of a true answer, ``answers_of_budget``, ``delta`` and
        ``most_answers``.

    Returns
    -------
    DataFrame
        Cells: those of the settings.  Statistics, mean numbers of answers: ``linear``, of the best
        filter, by a linear programme over all histories; ``closed``, of the same, in closed form
        (:func:`best_answers`); ``bayesian``; ``shipped``, of
        :class:`~noiseless.accounting.output_dependent.OutputDependentFilter`; ``planned``, of that
        filter if it is told of the stream.  ``linear_error``, linear less closed; ``above_best``,
        planned less closed; ``share_of_gain`` of planned over the Bayesian filter.
    """
    for setting in settings:
        truth, delta = Fraction(setting["truth"]), Fraction(setting["delta"])
        whole, most = int(setting["answers_of_budget"]), int(setting["most_answers"])
        query = rational.table_query(rational.randomized_response(truth))
        budget = whole * math.log(truth / (1 - truth))
        closed, bayesian = (
            best_answers(float(truth), whole, given, most) for given in (float(delta), 0.0)
        )
        means = {
            name: _mean_answers(
                OutputDependentFilter(budget, float(delta), rational.points(2), plan=plan),
                query,
                most,
            )
            for name, plan in (("shipped", []), ("planned", [query] * most))
        }
        linear = _linear_programme(truth, whole, delta, most)
        yield {
            "truth": setting["truth"],
            "answers_of_budget": whole,
            "delta": setting["delta"],
            "most_answers": most,
            "linear": linear,
            "closed": closed,
            "bayesian": bayesian,
            **means,
            "linear_error": linear - closed,
            "above_best": means["planned"] - closed,
            "share_of_gain": (means["planned"] - bayesian) / (closed - bayesian),
        }


def best_answers(truth: float, whole: int, delta: float, most: int, *, coin: bool = True) -> float:
    """The mean number of answers of the best (epsilon, delta) filter of a known stream.

    It answers the first queries whatever comes, as many as a fixed number may have; one more at the
    ends of the budget by a coin that uses delta up; and then as the Bayesian filter.

    Parameters
    ----------
    truth : float
        The chance that an answer is true, above one half.
    whole : int
        The budget over the guarantee of an answer, a whole number.
    delta : float
        0 for the Bayesian filter.
    most : int
        Where the stream ends.
    coin : bool
        False for the same rule without its one coin.
    """
    lie, left, given = 1 - truth, delta, 0.0
    # The chance of each number of true answers less false ones, from -most - 1 to most + 1.
    chances = np.zeros(2 * most + 3)
    start = most + 1
    chances[start] = 1.0
    for _ in range(most):
        at_end = chances[start + whole] if whole <= most else 0.0
        cost = (truth - lie) * at_end
        share = 1.0 if cost <= left else coin * left / cost
        left = left - cost if share == 1 else 0.0
        if whole <= most:
            chances[[start + whole, start - whole]] *= share
        given += chances.sum()
        chances = truth * np.roll(chances, 1) + lie * np.roll(chances, -1)
    return float(given)


def _linear_programme(truth: Fraction, whole: int, delta: Fraction, most: int) -> float:
    """The most answers on average: which share of each history is answered once more."""
    rows_of = rational.randomized_response(truth)[::-1]  # the output 1 is likelier under 1
    factor = (truth / (1 - truth)) ** whole
    histories: list[tuple[tuple[int, ...], tuple[Fraction, ...]]] = [((), (Fraction(1),) * 2)]
    for history, chances in histories:
        if len(history) < most - 1:
            for output, row in enumerate(rows_of):
                after = tuple(rational.products(chances, row))
                histories.append(((*history, output), after))
    place = {history: number for number, (history, _) in enumerate(histories)}

    def over(chances: Sequence[Fraction], x: int) -> Fraction:
        return max(chances[x] - factor * chances[1 - x], Fraction(0))

    limits: list[list[float]] = []
    bounds: list[float] = []
    for x in (0, 1):
        limits.append(
            [
                float(
                    sum(over(rational.products(chances, row), x) for row in rows_of)
                    - over(chances, x)
                )
                for _, chances in histories
            ]
        )
        bounds.append(float(delta))
    for history, number in place.items():
        if history:
            no_more = [0.0] * len(histories)  # than of the history before
            no_more[number], no_more[place[history[:-1]]] = 1.0, -1.0
            limits.append(no_more)
            bounds.append(0.0)
    worth = [-float(chances[1]) for _, chances in histories]
    found = linprog(worth, A_ub=np.array(limits), b_ub=bounds, bounds=(0, 1), method="highs")
    return float(-found.fun)


def _mean_answers(asked: OutputDependentFilter, query: TableQuery, most: int) -> float:
    """The mean number of answers under the value 1, over all histories."""
    return float(
        sum(len(each.outputs) * each.chances[1] for each in _histories(asked, query, most))
    )


@as_table("budget_nats", "delta", "epsilon_nats")
def planned_table(
    *, settings: Sequence[Mapping[str, float]], runs: int, most_answers: int, seed: int
) -> Rows:
    """What a plan gains over the Bayesian filter, and what can be gained at all.

    Parameters
    ----------
    settings, runs, most_answers, seed
        As for :func:`answers_table`, whose streams these are.

    Returns
    -------
    DataFrame
        Cells (budget_nats, delta, epsilon_nats).  Statistics: ``best`` and ``bayesian``, mean
        answers of the best filter of the known stream and of the Bayesian one, in closed form
        (:func:`best_answers`), and ``possible``, their difference; ``certain``, what the same rule
        gains without its coin; of the runs, ``planned``, the mean answers with a plan, ``gain``, by
        how much they exceed the Bayesian filter's in the same run, on average, and
        ``least_over_rule``, the least difference to those of the rule without its coin, also where
        all answers are true.
    """
    domain = rational.points(2)
    streams = _draw_streams(settings, runs=runs, most_answers=most_answers, seed=seed)
    for setting, query, lies in streams:
        budget, delta, epsilon = setting.values()
        planned, bayesian, rule = [], [], []
        fixed = optimal_count(epsilon, budget, delta)
        for each in [*lies, np.zeros(most_answers, dtype=bool)]:
            plan = [query] * most_answers
            with_plan = OutputDependentFilter(budget, delta, domain, plan=plan)
            planned.append(_answers(with_plan, query, each))
            bayesian.append(_answers(BayesianFilter(budget, domain), query, each))
            rule.append(_answers_of_rule(each, fixed, round(budget / epsilon)))
        least_over_rule = int(np.min(np.subtract(planned, rule)))
        del planned[-1], bayesian[-1]
        truth, whole = query.probabilities[1][0], round(budget / epsilon)
        best, without = (best_answers(truth, whole, given, most_answers) for given in (delta, 0.0))
        certain = best_answers(truth, whole, delta, most_answers, coin=False) - without
        yield {
            **setting,
            "best": best,
            "bayesian": without,
            "possible": best - without,
            "certain": certain,
            "planned": float(np.mean(planned)),
            "gain": float(np.mean(planned) - np.mean(bayesian)),
            "least_over_rule": least_over_rule,
        }


def _answers_of_rule(lies: np.ndarray, fixed: int, whole: int) -> int:
    """Answers of the best filter without its coin: a fixed number, and then none at the ends."""
    balance = np.concatenate([[0], np.cumsum(np.where(lies, -1, 1))])
    ends = np.abs(balance[fixed:-1]) == whole
    return fixed + int(ends.argmax()) if ends.any() else len(lies)
