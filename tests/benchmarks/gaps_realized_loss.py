"""Gaps and times of certified losses by number of queries, dimensions and epsilon (not in `bench`).

Run ``python tests/benchmarks/gaps_realized_loss.py [name ...]`` with the package of any version on
the path: the instances are the same, so that two versions can be compared.  Names choose the
instances (kind-n-d-reach-epsilon) that start with one of them.  The account is the one of the
filters and the ledger, with their default tolerance and limit of work.
"""

import sys
import time

import numpy as np

from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, TruncatedLinearQuery
from noiseless.accounting.realized_loss import BoxAccount


def query(kind, rng, dimensions, reach, epsilon):
    """A regression with parameters from U[-reach, reach]; linear ones scaled to an L1 norm of 1."""
    row = rng.uniform(-reach, reach, dimensions + 1)
    if kind == "mixed":
        kind = ("linear", "truncated", "logistic")[rng.integers(3)]
    if kind != "logistic":
        row /= np.abs(row).sum()
    intercept, *slope = row.tolist()
    if kind == "linear":
        return LinearQuery(tuple(slope), intercept, epsilon, -1.0, 1.0)
    if kind == "truncated":
        return TruncatedLinearQuery(tuple(slope), intercept, epsilon, -0.1, 0.1)
    return LogisticQuery(tuple(slope), intercept, epsilon)


def instances():
    """Names and settings (kind, n, d, reach, epsilon)."""
    rows = [("logistic", 10, 9, 10, 0.1), ("logistic", 20, 9, 10, 0.1)]
    for reach in (10, 1):
        for d in (5, 9):
            for n in (20, 100, 200):
                rows += [("logistic", n, d, reach, epsilon) for epsilon in (0.1, 0.5, 2.0)]
    rows += [("truncated", 100, 9, 1, 0.5), ("mixed", 60, 9, 10, 0.5)]
    rows += [("linear", 100, 21, 1, 0.5), ("linear", 100, 30, 1, 0.5)]
    rows += [("logistic", 200, 3, 10, 0.5), ("logistic", 1000, 3, 10, 0.5)]
    rows += [("logistic", 1000, 9, 1, 0.5), ("logistic", 1000, 9, 10, 0.5)]
    rows += [("logistic", 200, 30, 10, 0.5)]
    rows += [("logistic", n, 9, reach, 0.5) for reach in (1, 10) for n in (25, 50, 400, 800)]
    for row in rows:
        yield "-".join(map(str, row)), row


def main(*names):
    print("instance,lower,upper,gap,nodes,cpu_s")
    warm = [("logistic", 10, 9, 10, 0.5), ("linear", 5, 3, 1, 0.5), ("mixed", 12, 2, 10, 0.5)]
    for row in warm:  # compiles
        solve(*row)
    for name, row in instances():
        if names and not name.startswith(names):
            continue
        loss, took = solve(*row)
        bounds = (loss.lower, loss.upper, loss.upper - loss.lower)
        print(name, *(f"{x:.6f}" for x in bounds), loss.nodes, f"{took:.3f}", sep=",", flush=True)


def solve(kind, n, d, reach, epsilon):
    """Bounds of the loss of queries answered by random bits, and the processor time in seconds."""
    rng = np.random.default_rng([n, d, reach, round(10 * epsilon), len(kind)])
    queries = [query(kind, rng, d, reach, epsilon) for _ in range(n)]
    account = BoxAccount(Box((-1.0,) * d, (1.0,) * d))
    for asked, output in zip(queries, rng.integers(0, 2, n).tolist(), strict=True):
        account.add(asked, output)
    start = time.process_time()
    loss = account.bound_loss()
    return loss, time.process_time() - start


if __name__ == "__main__":
    main(*sys.argv[1:])
