"""Random problems of accounting, for several test files."""

import itertools

import numpy as np

from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, TruncatedLinearQuery


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
