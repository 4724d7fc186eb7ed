"""Certified realized losses, against the paper's Algorithm 6 (repaired) and against enumeration."""

import numpy as np
from comparison import Comparison

from noiseless.accounting.filters import SimplifiedFilter
from noiseless.accounting.queries import Box
from noiseless.accounting.realized_loss import BoxAccount, realized_loss
from noiseless.experiments.knowledge.algorithm6 import loss_upper_bound, random_problem
from noiseless.experiments.knowledge.composition import random_query


def comparisons():
    queries, outputs, box = random_problem(3, 2, 0, seed=1)
    yield Comparison(
        name="loss of 3 logistic queries in 2 dimensions; Algorithm 6",
        baseline=lambda: loss_upper_bound(queries, outputs, box, delta=0.01, printed=False).bound,
        ours=lambda: realized_loss(queries, outputs, box, tolerance=0.02).upper,
        agree=lambda slow, fast: np.testing.assert_allclose(fast, slow, atol=0.02),
    )

    rng = np.random.default_rng(1)
    nine = Box((-1.0,) * 9, (1.0,) * 9)
    settings = {"dimensions": 9, "epsilon_nats": 0.1, "rng": rng}
    logistic = [
        [random_query("logistic", parameter_range=10, **settings) for _ in range(10)]
        for _ in range(15)
    ]
    bits = rng.integers(0, 2, (15, 100)).tolist()
    points = rng.uniform(-1, 1, (200_000, 9))

    def sampled():
        total = sum(q.log_likelihood(o, points) for q, o in zip(logistic[0], bits[0], strict=False))
        return np.ptp(total)

    def certified():
        losses = [
            realized_loss(each, some[:10], nine, tolerance=2e-3)
            for each, some in zip(logistic, bits, strict=True)
        ]
        assert all(loss.upper - loss.lower <= 2e-3 + 1e-9 for loss in losses)
        return losses[0].upper

    yield Comparison(
        name="15 x 10 logistic queries, 9 dimensions, gap 1e-3; one, 200,000 points",
        baseline=sampled,
        ours=certified,
        agree=lambda lower, upper: np.testing.assert_array_less(lower, upper),
    )

    linear = [random_query("linear", parameter_range=1, **settings) for _ in range(100)]

    def run():
        privacy_filter = SimplifiedFilter(100.0, BoxAccount(nine))
        for query, output in zip(linear, bits[0], strict=True):
            assert privacy_filter.accepts(query)
            privacy_filter.record(query, output)
        return privacy_filter.loss().upper

    def from_scratch():
        return [realized_loss(linear[:n], bits[0][:n], nine).upper for n in range(1, 101)][-1]

    yield Comparison(
        name="a run of 100 linear queries, exact; each loss from scratch",
        baseline=from_scratch,
        ours=run,
        agree=lambda slow, fast: np.testing.assert_allclose(fast, slow, rtol=1e-9),
    )
