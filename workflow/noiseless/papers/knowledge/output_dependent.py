"""Filter that spends delta on unlucky outputs (``knowledge``, Section 4.3, continued).

1. :func:`find_best_adversary`: the best of all adaptive adversaries against this filter, by dynamic
   programming in fractions.
2. :func:`build_finished_table`: adversaries whose last query uses up the remaining allowance.
3. :func:`build_best_table`: the best filter of a known stream of equal randomized responses, by a
   linear programme and in closed form; and the answers of this filter with a plan.
4. :func:`build_gain_table`: what a delta can gain in longer streams, in closed form.
"""

import copy
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

from noiseless.accounting import rational
from noiseless.accounting.filters import RELATIVE_ALLOWANCE, AdvancedFilter, PrivacyFilter
from noiseless.accounting.output_dependent import OutputDependentFilter
from noiseless.accounting.queries import TableQuery
from noiseless.errors import ConfigError
from noiseless.tables import Rows, returns_table

# Adversaries who ask equal randomized responses about one bit, and then use up the allowance.
FINISHED_SETTINGS = [
    {"budget_nats": 0.7, "delta": 0.05, "epsilon_nats": 0.3, "planned": False, "depth": 3},
    {"budget_nats": 0.7, "delta": 0.05, "epsilon_nats": 0.3, "planned": True, "depth": 3},
    {"budget_nats": 1.0, "delta": 0.02, "epsilon_nats": 0.25, "planned": False, "depth": 4},
]
# Probability of a true answer, budget in units of one answer, delta, and largest number of answers.
BEST_SETTINGS = [
    {"truth": "3/5", "answers_of_budget": 2, "delta": "1/50", "most_answers": 6},
    {"truth": "3/5", "answers_of_budget": 2, "delta": "1/10", "most_answers": 7},
    {"truth": "3/5", "answers_of_budget": 3, "delta": "1/50", "most_answers": 8},
    {"truth": "3/4", "answers_of_budget": 1, "delta": "1/10", "most_answers": 6},
    {"truth": "3/4", "answers_of_budget": 2, "delta": "1/8", "most_answers": 7},
    {"truth": "11/20", "answers_of_budget": 4, "delta": "1/100", "most_answers": 8},
]
# Streams of equal randomized responses about one bit; budgets and guarantees in nats.
GAIN_SETTINGS = [
    {"budget_nats": 1.0, "delta": 0.05, "epsilon_nats": 0.1},
    {"budget_nats": 1.0, "delta": 1e-5, "epsilon_nats": 0.1},
    {"budget_nats": 2.0, "delta": 0.05, "epsilon_nats": 0.5},
]


def find_best_adversary(
    setting: Mapping[str, Any],
    filter_class: type[OutputDependentFilter | AdvancedFilter] = OutputDependentFilter,
) -> Fraction:
    """Find the exact delta that the best adaptive adversary reaches against a filter.

    An adversary chooses each query from all earlier outputs, and may stop at any time.  For two
    values x and x' it gets the sum over all output sequences y at which it stops of ``max(0,
    Pr(y|x) - e^epsilon_g Pr(y|x'))``, the delta of Definition 4.6.  Its queries are randomized
    responses about the value itself and, of three values, about whether it is the first or the last
    one.  The setting has the ``budget_nats``, the ``delta``, the ``epsilon_nats`` to choose from, 2
    or 3 ``values``, and the ``depth``, the largest number of queries.
    """
    menu = [
        query
        for epsilon in setting["epsilon_nats"]
        for query in _build_randomized_responses(int(setting["values"]), epsilon)
    ]
    factor = Fraction(math.exp(setting["budget_nats"] * (1 + RELATIVE_ALLOWANCE)))
    tables = [[[Fraction(each) for each in row] for row in query.probabilities] for query in menu]
    values = range(int(setting["values"]))
    pairs = list(itertools.permutations(values, 2))

    def find_max_deltas(
        privacy_filter: PrivacyFilter, likelihoods: Sequence[Fraction], left: int
    ) -> list[Fraction]:
        """Find the largest delta of each pair, given the answers' likelihood under each value."""
        max_deltas = [
            max(Fraction(0), likelihoods[x] - factor * likelihoods[other]) for x, other in pairs
        ]
        for query, table in zip(menu, tables, strict=True):
            if left and privacy_filter.accepts(query):
                after = [
                    find_max_deltas(
                        _record_answer(privacy_filter, query, output),
                        rational.multiply_entries(likelihoods, row),
                        left - 1,
                    )
                    for output, row in enumerate(table)
                ]
                max_deltas = [
                    max(stop, sum(go)) for stop, *go in zip(max_deltas, *after, strict=True)
                ]
        return max_deltas

    domain = rational.build_domain(len(values))
    privacy_filter = filter_class(setting["budget_nats"], setting["delta"], domain)
    start = [Fraction(1) for _ in values]
    return max(find_max_deltas(privacy_filter, start, int(setting["depth"])))


def _build_randomized_responses(values: int, epsilon_nats: float) -> list[TableQuery]:
    """Build the randomized responses: "is it the last?" of 2 values, "first?", "last?" of 3."""
    if values not in (2, 3):
        raise ConfigError(f"`values` must be 2 or 3, got {values}. Set `values` to 2 or 3.")
    truth = 1 / (1 + math.exp(-epsilon_nats))
    yes_sets = [range(values - 1, values)] if values == 2 else [range(1), range(2, 3)]
    return [
        TableQuery(
            (
                tuple(truth if value in yes_set else 1 - truth for value in range(values)),
                tuple(1 - truth if value in yes_set else truth for value in range(values)),
            )
        )
        for yes_set in yes_sets
    ]


def _record_answer(privacy_filter: PrivacyFilter, query: TableQuery, output: int) -> PrivacyFilter:
    """Return a copy of the filter that has recorded one more output of the query."""
    after = copy.deepcopy(privacy_filter)
    after.record(query, output)
    return after


# Adversaries who finish ---------------------------------------------------------------------------


@returns_table("budget_nats", "delta", "epsilon_nats", "planned", "depth")
def build_finished_table(*, settings: Sequence[Mapping[str, Any]] = FINISHED_SETTINGS) -> Rows:
    """Build the table of the delta reached by adversaries whose last query uses up the allowance.

    After equal randomized responses about one bit, ``depth`` of them, which are the filter's plan
    if ``planned``, the adversary asks whether the value is x.  The answer "yes" has the probability
    that uses up the allowance of x and x'. ``share_of_delta`` is what the best of the two pairs of
    values reaches; ``rejected`` are last queries.
    """
    for setting in settings:
        query = _build_randomized_responses(2, setting["epsilon_nats"])[0]
        budget, delta, depth = setting["budget_nats"], setting["delta"], int(setting["depth"])
        plan = [query] * depth if setting["planned"] else []
        privacy_filter = OutputDependentFilter(budget, delta, rational.build_domain(2), plan=plan)
        factor = Fraction(math.exp(budget * (1 + RELATIVE_ALLOWANCE)))
        rejected = histories = 0
        reached = [Fraction(0), Fraction(0)]
        for history in _enumerate_histories(privacy_filter, query, depth):
            histories += 1
            for x in (0, 1):
                last = _build_finishing_query(history, x, factor)
                if not history.privacy_filter.accepts(last):
                    rejected += 1
                    continue
                for row in last.probabilities:
                    most, least = (
                        history.likelihoods[each] * Fraction(row[each]) for each in (x, 1 - x)
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
    """Answers to equal queries about one bit, the filter after them, and their likelihoods."""

    privacy_filter: OutputDependentFilter
    likelihoods: tuple[Fraction, ...]
    outputs: tuple[int, ...] = ()


def _enumerate_histories(
    privacy_filter: OutputDependentFilter, query: TableQuery, depth: int
) -> Iterator[_History]:
    """Yield every history that ends the stream: with a rejection next, or ``depth`` answers."""
    waiting = [_History(privacy_filter, (Fraction(1), Fraction(1)))]
    while waiting:
        history = waiting.pop()
        if len(history.outputs) == depth or not history.privacy_filter.accepts(query):
            yield history
            continue
        for output, row in enumerate(query.probabilities):
            chances = tuple(
                rational.multiply_entries(history.likelihoods, list(map(Fraction, row)))
            )
            next_filter = copy.deepcopy(history.privacy_filter)
            next_filter.record(query, output)
            waiting.append(_History(next_filter, chances, (*history.outputs, output)))


def _build_finishing_query(history: _History, x: int, factor: Fraction) -> TableQuery:
    """Build the query "is the value x?" whose answer 1 uses up what is left of delta."""
    never = Fraction(1, 10**9)
    allowance = history.privacy_filter.get_allowance(x, 1 - x)
    yes = (allowance + factor * history.likelihoods[1 - x] * never) / history.likelihoods[x]
    # Rounding must not take the probability beyond the allowance, which may itself exceed 1.
    yes = min(yes * (1 - Fraction(1, 10**6)), 1 - never)
    ones = (yes, never) if x == 0 else (never, yes)
    return rational.convert_to_query([[1 - each for each in ones], list(ones)])


# The best filter of a known stream ----------------------------------------------------------------


@returns_table("truth", "answers_of_budget", "delta", "most_answers")
def build_best_table(*, settings: Sequence[Mapping[str, Any]] = BEST_SETTINGS) -> Rows:
    """Build the table of the mean number of answers of the best filter that knows the stream.

    Equal randomized responses about one bit, under a budget of a whole number of them; the bit is
    1, and a rejection ends the stream.  ``linear`` is of the best filter, by a linear programme
    over all histories; ``closed``, of this filter in closed form (:func:`compute_best_answers`);
    ``shipped``, of :class:`~noiseless.accounting.output_dependent.OutputDependentFilter`;
    ``planned``, of that filter if the stream is its plan.  ``linear_error`` is linear less closed,
    ``above_best`` planned less closed, and ``share_of_gain`` of planned over the Bayesian filter.
    """
    for setting in settings:
        truth, delta = Fraction(setting["truth"]), Fraction(setting["delta"])
        whole, most = int(setting["answers_of_budget"]), int(setting["most_answers"])
        query = rational.convert_to_query(rational.build_randomized_response(truth))
        budget = whole * math.log(truth / (1 - truth))
        closed, bayesian = (
            compute_best_answers(float(truth), whole, allowed_delta, most)
            for allowed_delta in (float(delta), 0.0)
        )
        means = {
            name: _compute_mean_answers(
                OutputDependentFilter(budget, float(delta), rational.build_domain(2), plan=plan),
                query,
                most,
            )
            for name, plan in (("shipped", []), ("planned", [query] * most))
        }
        linear = _solve_linear_programme(truth, whole, delta, most)
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


def compute_best_answers(truth: float, whole: int, delta: float, most: int) -> float:
    """Compute the mean number of answers of the best (epsilon, delta) filter of a known stream.

    The filter answers a fixed number of queries regardless of the outputs.  With a probability that
    uses up delta (a coin) it answers one more at the ends of the budget; then it decides as the
    Bayesian filter, which is the case delta = 0.  ``whole`` is the budget over the guarantee of an
    answer, whose probability of being true is above one half; the stream ends at ``most`` queries.
    """
    lie, left, mean_answers = 1 - truth, delta, 0.0
    # Probability of each difference of true and false answers, from -most - 1 to most + 1.
    chances = np.zeros(2 * most + 3)
    start = most + 1
    chances[start] = 1.0
    for _ in range(most):
        at_end = chances[start + whole] if whole <= most else 0.0
        cost = (truth - lie) * at_end
        share = 1.0 if cost <= left else left / cost
        left = left - cost if share == 1 else 0.0
        if whole <= most:
            chances[[start + whole, start - whole]] *= share
        mean_answers += chances.sum()
        chances = truth * np.roll(chances, 1) + lie * np.roll(chances, -1)
    return float(mean_answers)


def _solve_linear_programme(truth: Fraction, whole: int, delta: Fraction, most: int) -> float:
    """Solve for the largest mean number of answers by choosing the share answered per history."""
    rows_of = rational.build_randomized_response(truth)[::-1]  # the output 1 is likelier under 1
    factor = (truth / (1 - truth)) ** whole
    histories: list[tuple[tuple[int, ...], tuple[Fraction, ...]]] = [((), (Fraction(1),) * 2)]
    for history, chances in histories:
        if len(history) < most - 1:
            for output, row in enumerate(rows_of):
                after = tuple(rational.multiply_entries(chances, row))
                histories.append(((*history, output), after))
    place = {history: number for number, (history, _) in enumerate(histories)}

    def compute_excess(chances: Sequence[Fraction], x: int) -> Fraction:
        """Compute max(0, P - e^budget P') of a history for the value x against the other one."""
        return max(chances[x] - factor * chances[1 - x], Fraction(0))

    limits: list[list[float]] = []
    bounds: list[float] = []
    for x in (0, 1):
        limits.append(
            [
                float(
                    sum(
                        compute_excess(rational.multiply_entries(chances, row), x)
                        for row in rows_of
                    )
                    - compute_excess(chances, x)
                )
                for _, chances in histories
            ]
        )
        bounds.append(float(delta))
    for history, number in place.items():
        if history:
            no_more = [0.0] * len(histories)  # the share is at most that of the history before
            no_more[number], no_more[place[history[:-1]]] = 1.0, -1.0
            limits.append(no_more)
            bounds.append(0.0)
    worth = [-float(chances[1]) for _, chances in histories]
    solution = linprog(worth, A_ub=np.array(limits), b_ub=bounds, bounds=(0, 1), method="highs")
    return float(-solution.fun)


def _compute_mean_answers(
    privacy_filter: OutputDependentFilter, query: TableQuery, most: int
) -> float:
    """Compute the mean number of answers, ``most`` at most, under the value 1."""
    return float(
        sum(
            len(history.outputs) * history.likelihoods[1]
            for history in _enumerate_histories(privacy_filter, query, most)
        )
    )


@returns_table("budget_nats", "delta", "epsilon_nats")
def build_gain_table(
    *, settings: Sequence[Mapping[str, float]] = GAIN_SETTINGS, most_answers: int = 300
) -> Rows:
    """Build the table of the mean answers that a delta can gain over the Bayesian filter.

    ``possible`` is the difference of the best filter of the known stream and the Bayesian one, in
    closed form (:func:`compute_best_answers`).
    """
    for setting in settings:
        epsilon = setting["epsilon_nats"]
        truth, whole = 1 / (1 + math.exp(-epsilon)), round(setting["budget_nats"] / epsilon)
        best, bayesian = (
            compute_best_answers(truth, whole, allowed_delta, most_answers)
            for allowed_delta in (setting["delta"], 0.0)
        )
        yield {**setting, "best": best, "bayesian": bayesian, "possible": best - bayesian}
