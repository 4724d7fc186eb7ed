"""Sentences of ``knowledge`` beside its theorems.

1. :func:`objects_table`: Section 3.2, on statements about several objects.
2. :func:`logistic_table`: Section 5.3.3, a logistic regression as a difference of convex functions.
"""

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd

from noiseless.tables import Rows, as_table

_PARTS = 4  # of a probability
_WEIGHT = 4  # of all pairs of values together, in joint beliefs
_EPSILON_NATS = (0.1, 1.0, 3.0)
_LINEAR = np.linspace(-20, 20, 4001)  # values of theta x + c


def sentences_tables() -> dict[str, pd.DataFrame]:
    """Both tables of this module: ``objects`` and ``logistic``."""
    return {"objects": objects_table(), "logistic": logistic_table()}


@as_table("query")
def objects_table() -> Rows:
    """What a query of one bit tells about a pair of bits that an adversary believes related.

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
    every = list(itertools.product(shares, repeat=4))  # of the output 1, by X and the other bit
    queries = {
        "of X": [each for each in every if each[0] == each[1] and each[2] == each[3]],
        "latent": [each for each in every if each[:2] != each[2:]],
    }
    for name, tables in queries.items():
        cases = violations = 0
        for ones, belief in itertools.product(tables, list(_beliefs())):
            # Over X alone, with the other bit drawn by the belief.
            by_x = [_given(ones, belief, x) for x in (0, 1)]
            guarantee = max(
                max(chances) / min(chances) for chances in (by_x, [1 - each for each in by_x])
            )
            for statement in itertools.product((False, True), repeat=4):
                cases += 1
                violations += any(
                    _gain(output, belief, statement) > guarantee
                    for output in (ones, tuple(1 - each for each in ones))
                )
        yield {"query": name, "cases": cases, "violations": violations}


def _beliefs() -> Iterator[tuple[int, ...]]:
    """Beliefs that leave both values of X open."""
    for weights in itertools.product(range(_WEIGHT + 1), repeat=4):
        if sum(weights) == _WEIGHT and 0 < sum(weights[:2]) < _WEIGHT:
            yield weights


def _given(ones: tuple[Fraction, ...], belief: tuple[int, ...], x: int) -> Fraction:
    """Probability of the output 1 given X alone."""
    weights = belief[2 * x : 2 * x + 2]
    chances = zip(ones[2 * x : 2 * x + 2], weights, strict=True)
    return sum((chance * weight for chance, weight in chances), Fraction(0)) / sum(weights)


def _gain(
    output: tuple[Fraction, ...], belief: tuple[int, ...], statement: tuple[bool, ...]
) -> Fraction:
    """Belief in a statement after an output, over that before; 1 where it was excluded."""
    joint = [chance * weight for chance, weight in zip(output, belief, strict=True)]
    before = sum(itertools.compress(belief, statement))
    if not before:
        return Fraction(1)
    after = sum(itertools.compress(joint, statement), Fraction(0))
    return after / sum(joint, Fraction(0)) * sum(belief) / before


@as_table("epsilon_nats", "output")
def logistic_table() -> Rows:
    """The log-likelihood of a logistic regression's answer as f - g, both convex (Section 5.3.3).

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
