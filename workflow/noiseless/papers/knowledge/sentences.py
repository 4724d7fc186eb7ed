"""Statements of ``knowledge`` that are not numbered as theorems.

1. :func:`build_objects_table`: Section 3.2, on statements about several objects.
2. :func:`build_logistic_table`: Section 5.3.3, a logistic regression as a difference of convex
   functions.
3. :func:`build_priors_table`: footnote 1, whether any prior belief converges to the true value.
4. :func:`build_gains_table`: Theorem 3.3 for gain functions of any sign.
5. :func:`build_afterwards_table`: Section 4.3, queries after an output whose loss is above the
   budget.
6. :func:`build_envelope_table`: Section 5.2 and Appendix D, the affine bound of a convex function.
7. :func:`build_groups_table`: Appendix C, the cost of groups of constant size.

:func:`build_sentences_tables` builds all of them.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Final, cast

import numpy as np
import pandas as pd

from noiseless.accounting import rational
from noiseless.accounting.queries import LinearQuery
from noiseless.accounting.rational import Mechanism
from noiseless.accounting.realized_loss import GroupedAccount
from noiseless.accounting.streams import create_stream_account
from noiseless.tables import Rows, returns_table

_PARTS = 4  # probabilities are multiples of 1/4
_WEIGHT = 4  # total weight of all pairs of values in a joint belief
_EPSILON_NATS = (0.1, 1.0, 3.0)
_LINEAR = np.linspace(-20, 20, 4001)  # values of theta x + c


def build_sentences_tables() -> dict[str, pd.DataFrame]:
    """Build the seven tables of this module, by name."""
    return {
        "objects": build_objects_table(),
        "logistic": build_logistic_table(),
        "priors": build_priors_table(),
        "gains": build_gains_table(),
        "afterwards": build_afterwards_table(),
        "envelope": build_envelope_table(),
        "groups": build_groups_table(),
    }


@returns_table("query")
def build_objects_table() -> Rows:
    """Build the table of belief gains about a pair of related bits from a query of one of them.

    Returns
    -------
    DataFrame
        Cells (query,): ``of X``, whose output depends on the queried bit alone; or ``latent``,
        whose output depends on the other one as well, and whose guarantee is taken over X alone.
        Statistics: ``cases``, triples of a query, a belief (whole weights of the pairs of values
        that add up to 4) and a statement about the pair; ``violations``, those in which an output
        raises the belief in the statement by more than the guarantee.  In fractions.
    """
    shares = [Fraction(k, _PARTS) for k in range(1, _PARTS)]
    all_ones = list(itertools.product(shares, repeat=4))  # Pr(1), by X and the other bit
    queries = {
        "of X": [each for each in all_ones if each[0] == each[1] and each[2] == each[3]],
        "latent": [each for each in all_ones if each[:2] != each[2:]],
    }
    for name, tables in queries.items():
        cases = violations = 0
        for ones, belief in itertools.product(tables, list(_enumerate_beliefs())):
            # Over X alone, with the other bit drawn by the belief.
            probabilities_by_x = [_compute_output_probability(ones, belief, x) for x in (0, 1)]
            guarantee = max(
                max(chances) / min(chances)
                for chances in (probabilities_by_x, [1 - each for each in probabilities_by_x])
            )
            for statement in itertools.product((False, True), repeat=4):
                cases += 1
                violations += any(
                    _compute_belief_gain(output, belief, statement) > guarantee
                    for output in (ones, tuple(1 - each for each in ones))
                )
        yield {"query": name, "cases": cases, "violations": violations}


def _enumerate_beliefs() -> Iterator[tuple[int, ...]]:
    """Yield beliefs in a pair (X, other bit) as 4 weights, with both values of X possible."""
    for weights in itertools.product(range(_WEIGHT + 1), repeat=4):
        if sum(weights) == _WEIGHT and 0 < sum(weights[:2]) < _WEIGHT:
            yield weights


def _compute_output_probability(
    ones: tuple[Fraction, ...], belief: tuple[int, ...], x: int
) -> Fraction:
    """Compute the probability of output 1 given X, averaged over the other bit by the belief."""
    weights = belief[2 * x : 2 * x + 2]
    weighted = zip(ones[2 * x : 2 * x + 2], weights, strict=True)
    return sum((chance * weight for chance, weight in weighted), Fraction(0)) / sum(weights)


def _compute_belief_gain(
    output: tuple[Fraction, ...], belief: tuple[int, ...], statement: tuple[bool, ...]
) -> Fraction:
    """Compute belief in a statement after an output over belief before; 1 if it was 0 before."""
    joint = [chance * weight for chance, weight in zip(output, belief, strict=True)]
    before = sum(itertools.compress(belief, statement))
    if not before:
        return Fraction(1)
    after = sum(itertools.compress(joint, statement), Fraction(0))
    return after / sum(joint, Fraction(0)) * sum(belief) / before


@returns_table("epsilon_nats", "output")
def build_logistic_table() -> Rows:
    """Build the table that checks a logistic log-likelihood as f - g, both convex (Section 5.3.3).

    Returns
    -------
    DataFrame
        Cells (epsilon_nats, output), with ``theta x + c`` from -20 to 20.  Statistics:
        ``identity_error``, the largest distance of f - g from the logarithm of the answer's
        probability; ``least_bend`` of either function, the smallest second difference over the
        square of the step, which is negative where a function is not convex.
    """
    for epsilon in _EPSILON_NATS:
        truth = math.exp(epsilon) / (math.exp(epsilon) + 1)
        share = 1 / (1 + np.exp(-_LINEAR))
        for output, (alpha, beta) in enumerate([(1 - truth, truth), (truth, 1 - truth)]):
            probability = alpha * share + beta * (1 - share)
            convex = np.log(alpha * np.exp(_LINEAR) + beta)
            subtracted = np.log1p(np.exp(_LINEAR))
            step = _LINEAR[1] - _LINEAR[0]
            bends = [np.diff(each, 2).min() / step**2 for each in (convex, subtracted)]
            yield {
                "epsilon_nats": epsilon,
                "output": output,
                "identity_error": np.abs(convex - subtracted - np.log(probability)).max(),
                "least_bend": min(bends),
            }


@returns_table("prior")
def build_priors_table(*, answers: int = 400, truth: Fraction = Fraction(3, 5)) -> Rows:
    """Build the table of the belief in the true value of three after many randomized responses.

    The share of true answers is exactly ``truth``, as in the long run.

    Parameters
    ----------
    answers : int
        Number of answers.
    truth : Fraction
        Probability of a true answer.

    Returns
    -------
    DataFrame
        Cells (prior,): ``positive``, priors that give the true value from 1 to 1e-9 of the weight;
        ``zero``, priors that exclude it.  Statistics: ``priors``; ``least_belief`` and
        ``most_belief`` in the true value after the answers, by Equation 2 in fractions.
    """
    right = int(answers * truth)
    agreeing = truth**right * (1 - truth) ** (answers - right)
    other = (1 - truth) ** right * truth ** (answers - right)
    likelihood = [agreeing, other, other]
    shares = [(a, b) for a in range(1, 4) for b in range(1, 4)]
    weights = {"positive": [Fraction(1, 10**k) for k in (0, 1, 3, 6, 9)], "zero": [Fraction(0)]}
    for name, each in weights.items():
        beliefs = []
        for weight, rest in itertools.product(each, shares):
            joint = rational.multiply_entries([weight, *map(Fraction, rest)], likelihood)
            beliefs.append(joint[0] / sum(joint))
        yield {
            "prior": name,
            "priors": len(beliefs),
            "least_belief": float(min(beliefs)),
            "most_belief": float(max(beliefs)),
        }


@returns_table("gains")
def build_gains_table() -> Rows:
    """Build the table that compares realized g-leakage with realized loss, for gains of any sign.

    All priors (weights 1 to 3), likelihoods (1 to 3 fourths) and gains of a bit: one row w for the
    values of g at 0 and 1.

    Returns
    -------
    DataFrame
        Cells (gains,): ``0 to 1``, ``at least 0`` and ``any sign``, of those with a positive
        vulnerability before.  Statistics: ``cases``; ``above_loss``, cases whose leakage exceeds
        the loss; ``largest_over_loss``, where the loss is above 1.
    """
    fourths = [Fraction(k, 4) for k in range(-4, 9)]
    kinds = {
        "0 to 1": [g for g in fourths if 0 <= g <= 1],
        "at least 0": [g for g in fourths if g >= 0],
        "any sign": fourths,
    }
    likelihoods = list(itertools.product([Fraction(k, 4) for k in (1, 2, 3)], repeat=2))
    for name, values in kinds.items():
        counts, largest = {"cases": 0, "above_loss": 0}, Fraction(0)
        for prior, gains in itertools.product(
            itertools.product(range(1, 4), repeat=2), itertools.product(values, repeat=2)
        ):
            if sum(rational.multiply_entries(prior, gains)) <= 0:
                continue  # no leakage is defined
            for likelihood in likelihoods:
                loss = rational.compute_exp_loss(likelihood)
                leakage = rational.compute_leakage(prior, likelihood, [gains])
                counts["cases"] += 1
                counts["above_loss"] += leakage > loss
                if loss > 1:
                    largest = max(largest, leakage / loss)
        yield {"gains": name, **counts, "largest_over_loss": float(largest)}


@returns_table("definition", with_nan=False)
def build_afterwards_table() -> Rows:
    """Build the table of the growth of delta if the value follows an output with too large a loss.

    Every query of two outputs about a bit with probabilities of eighths, at e^epsilon = 3/2, 2, 3.

    Returns
    -------
    DataFrame
        Cells (definition,): ``4.7`` and ``4.6``.  Statistics: ``cases``, queries with an output
        whose loss is not below e^epsilon; ``grew``, those whose delta is larger if the value itself
        follows such an output.  Of 4.6 also ``queries``, second queries after such an output;
        ``unlike``, those after which delta grows although all their outputs keep the likelihoods on
        one side of e^epsilon, or does not grow although some are on either side; ``free``, those
        after which it does not grow.
    """
    counts = {name: {"cases": 0, "grew": 0} for name in ("4.7", "4.6")}
    more = {"queries": 0, "unlike": 0, "free": 0}
    eighths = [Fraction(k, 8) for k in range(1, 8)]
    every: list[Mechanism] = [
        [[1 - zero, 1 - one], [zero, one]] for zero, one in itertools.product(eighths, repeat=2)
    ]
    reveal: Mechanism = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    for query, limit in itertools.product(every, map(Fraction, ("3/2", "2", "3"))):
        high = [row for row in query if max(row) >= limit * min(row)]
        low = [row for row in query if row not in high]
        if not high:
            continue

        def append_query(
            then: Mechanism, high: Mechanism = high, low: Mechanism = low
        ) -> Mechanism:
            """Build the mechanism that asks a second query after an output of large loss."""
            return [*low, *(rational.multiply_entries(row, each) for row in high for each in then)]

        for name, delta in (("4.7", _compute_delta_4_7), ("4.6", _compute_delta_4_6)):
            counts[name]["cases"] += 1
            counts[name]["grew"] += delta(append_query(reveal), limit) > delta(query, limit)
        for then in every:
            over = [
                [row[x] * each[x] - limit * row[1 - x] * each[1 - x] for each in then]
                for row in high
                for x in (0, 1)
            ]
            sides = any(min(signs) < 0 < max(signs) for signs in over)
            before = [_compute_excess(query, limit, x) for x in (0, 1)]
            after = [_compute_excess(append_query(then), limit, x) for x in (0, 1)]
            more["queries"] += 1
            more["unlike"] += sides != (after != before)
            more["free"] += after == before
    yield {"definition": "4.7", **counts["4.7"]}
    yield {"definition": "4.6", **counts["4.6"], **more}


def _compute_excess(mechanism: Mechanism, limit: Fraction, x: int) -> Fraction:
    """Compute the delta of Definition 4.6 for the value x of a bit against the other value."""
    return sum((max(row[x] - limit * row[1 - x], Fraction(0)) for row in mechanism), Fraction(0))


def _compute_delta_4_6(mechanism: Mechanism, limit: Fraction) -> Fraction:
    """Compute the smallest delta of Definition 4.6 for a query about a bit at e^epsilon = limit."""
    return max(_compute_excess(mechanism, limit, x) for x in (0, 1))


def _compute_delta_4_7(mechanism: Mechanism, limit: Fraction) -> Fraction:
    """Compute the smallest delta of Definition 4.7, the largest Pr(L(y) >= e^epsilon = limit)."""
    bad = [row for row in mechanism if max(row) >= limit * min(row)]
    return max(sum((row[x] for row in bad), Fraction(0)) for x in (0, 1))


_CONVEX: Final[dict[str, Callable[[np.ndarray], np.ndarray]]] = {
    "square": np.square,
    "logistic": lambda t: np.log1p(np.exp(t)),
    "tangent of a logarithm": lambda t: np.where(
        t < 0.25, -(math.log(0.25) + (t - 0.25) / 0.25), -np.log(np.maximum(t, 0.25))
    ),
}


@returns_table("function")
def build_envelope_table(*, halvings: int = 12, points: int = 41) -> Rows:
    """Build the table that compares Appendix D's H(x) with F(h(x)), h = x1 + x2, on small squares.

    Parameters
    ----------
    halvings : int
        How often the side of the square, 1 at first, is halved.
    points : int
        Points along each side of a square.

    Returns
    -------
    DataFrame
        Cells (function,).  Statistics: ``points`` that were tried; ``below``, those at which H is
        below F(h), so that condition (1) of Section 5.2 fails; ``last_gap``, the largest H - F(h)
        on the smallest square, which goes to 0 by condition (2); ``excess_at_corners``, the largest
        H - F(h) at a corner of the unit square, where the least concave function that is nowhere
        below F(h) equals it.
    """
    for name, convex in _CONVEX.items():
        below = tried = 0
        gap = excess = 0.0
        for halving in range(halvings + 1):
            side = 2.0**-halving
            x1, x2 = np.meshgrid(*[np.linspace(0, side, points)] * 2)
            h, a, b = x1 + x2, 0.0, 2 * side
            ends = convex(np.array([a, b]))
            above = (ends[1] - ends[0]) / (b - a) * (h - a) + ends[0] - convex(h)
            tried += above.size
            below += int((above < -1e-12).sum())
            gap = float(above.max())
            if halving == 0:
                excess = float(above[[0, 0, -1, -1], [0, -1, 0, -1]].max())
        yield {
            "function": name,
            "points": tried,
            "below": below,
            "last_gap": gap,
            "excess_at_corners": excess,
        }


@returns_table("size")
def build_groups_table(*, most: int = 60, sizes: Iterable[int] = (2, 5, 10), base: int = 3) -> Rows:
    """Build the table of the cost of n answers in groups if a group of k answers costs c^k.

    Parameters
    ----------
    most : int
        Largest number n of answers.
    sizes : iterable of int
        Sizes m of the groups.
    base : int
        Base c of the cost.

    Returns
    -------
    DataFrame
        Cells (size,).  Statistics, for c = 3 and n up to 60: ``largest_over_line``, the cost over
        c^m ceil(n/m), at most; ``group_of_all``, log10 of the cost of one group over that, at n =
        60.
    """
    query = LinearQuery((0.5,), 0.0, 0.1, -1.0, 1.0)
    for size in sizes:
        account = cast("GroupedAccount", create_stream_account(1, size, 0.1, 1))
        largest = 0.0
        for number in range(1, most + 1):
            account.add(query, number % 2)
            groups = [size] * len(account.full)
            groups.append(number - sum(groups))
            cost = sum(base**each for each in groups if each)
            largest = max(largest, cost / (base**size * math.ceil(number / size)))
        log_ratio = most * math.log10(base) - math.log10(base**size * most / size)
        yield {"size": size, "largest_over_line": largest, "group_of_all": log_ratio}
