"""Random problems of accounting, for several test files."""

import itertools
import math

import numpy as np

from noiseless.accounting.one_extreme import OneExtremeGrouped
from noiseless.accounting.queries import (
    Box,
    LinearQuery,
    LogisticQuery,
    TruncatedLinearQuery,
    build_answer_rows,
    build_empty_rows,
    build_likely_terms,
    build_unlikely_terms,
    require_output,
)
from noiseless.accounting.streams import create_stream_account


def random_problem(rng, dimensions: int, queries: int):
    """A box, a mix of the three regressions with different epsilons, and outputs."""
    lower = rng.uniform(-3, 2, dimensions)
    box = Box(tuple(lower.tolist()), tuple((lower + rng.uniform(0.2, 4, dimensions)).tolist()))
    corners = np.array(list(itertools.product(*zip(box.lower, box.upper, strict=True))))
    asked = []
    for _ in range(queries):
        slope = rng.normal(size=dimensions) * rng.choice([0.3, 2, 10])
        intercept, epsilon = float(rng.normal() * 2), float(rng.choice([0.1, 0.7, 2.0, 4.0]))
        values = corners @ slope + intercept
        kind = rng.integers(3)
        slope = tuple(slope.tolist())
        if kind == 0:
            low, high = float(values.min() - 1e-9), float(values.max() + rng.uniform(0.01, 2))
            asked.append(LinearQuery(slope, intercept, epsilon, low, high))
        elif kind == 1:
            low, high = sorted(rng.uniform(values.min() - 1, values.max() + 1, 2).tolist())
            asked.append(TruncatedLinearQuery(slope, intercept, epsilon, low, high))
        else:
            asked.append(LogisticQuery(slope, intercept, epsilon))
    return box, asked, rng.integers(0, 2, queries).tolist()


def random_clauses(rng, variables: int, clauses: int) -> list[tuple[tuple[int, int], ...]]:
    """Clauses of two literals (variable, sign) of different variables."""
    return [
        tuple(
            (int(variable), int(rng.choice([-1, 1])))
            for variable in rng.choice(variables, 2, replace=False)
        )
        for _ in range(clauses)
    ]


def most_satisfied(clauses, variables: int) -> int:
    """Most clauses that an assignment satisfies, by trying them all."""
    signs = 1 - 2 * (np.arange(2**variables)[:, None] >> np.arange(variables) & 1)
    satisfied = sum(
        (signs[:, [variable for variable, _ in clause]] == [sign for _, sign in clause]).any(axis=1)
        for clause in clauses
    )
    return int(satisfied.max())


def clauses_problem(clauses, variables: int, epsilon: float):
    """Box, queries and outputs whose loss counts satisfied clauses (docs/proofs/accounting.md).

    There are five queries for each clause: for each of its variables two that say that the
    variable is near an end, and one for the clause.  The last coordinate switches all of them off.
    """
    n = 5 * len(clauses)
    shift = math.log(8 * n * math.expm1(epsilon) / epsilon)
    steep = 8 * shift
    rows = []
    for clause in clauses:
        sides = np.zeros((5, variables + 1))
        sides[:, -1] = 4
        for k, (variable, sign) in enumerate(clause):
            sides[[2 * k, 2 * k + 1], variable] = 1, -1
            sides[4, variable] = sign
        rows += zip(sides, (-0.75, -0.75, -0.75, -0.75, 0.5), strict=True)
    queries = [
        LogisticQuery(tuple((steep * side).tolist()), steep * (at - 4) - shift, epsilon)
        for side, at in rows
    ]
    d = variables + 1
    return Box((-1.0,) * d, (1.0,) * d), queries, [1] * n


def answered(account, queries, outputs):
    """The account, with these answers."""
    for query, output in zip(queries, outputs, strict=True):
        account.add(query, output)
    return account


def boxed_terms(queries, outputs, box):
    """Terms of log P(x) and of -log P(x) of some answers, as an account has them."""
    answers = [build_empty_rows(box)]
    for query, output in zip(queries, outputs, strict=True):
        require_output(query, output)
        answers.append(build_answer_rows(query, box)[output])
    rows = np.concatenate(answers)
    return build_likely_terms(rows), build_unlikely_terms(rows)


def accounts_of_the_readings(dimensions, size, tolerance, node_limit):
    """Those that others rest on are neither first nor last, which does not matter."""
    both, neither = (
        create_stream_account(dimensions, group, tolerance, node_limit) for group in (size, 0)
    )
    return {
        "maximum": OneExtremeGrouped(neither, both, "maximum"),
        "both": both,
        "none": neither,
        "minimum": OneExtremeGrouped(neither, both, "minimum"),
    }
