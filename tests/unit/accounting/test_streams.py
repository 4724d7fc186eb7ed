"""Runs of queries, on streams whose losses are known."""

import itertools

import numpy as np

from noiseless.accounting.queries import Box, LinearQuery
from noiseless.accounting.realized_loss import BoxAccount
from noiseless.accounting.streams import accepted_queries, account_run


def test_run_goes_on_where_its_loss_equals_the_budget():
    """Ten answers cost 0.1 each; the next five tell nothing; any other is too much."""
    full, flat = (LinearQuery((slope,), 0.0, 0.1, -1.0, 1.0) for slope in (1.0, 0.0))
    stream = itertools.chain([(full, 1)] * 10, [(flat, 1)] * 5, itertools.repeat((full, 1)))
    budgets_nats = np.array([0.5, 1.0])
    steps = account_run(stream, BoxAccount(Box((-1.0,), (1.0,))), budgets_nats)
    assert accepted_queries(steps["bayesian"].to_numpy(), budgets_nats).tolist() == [5, 15]
    assert accepted_queries(steps["simplified"].to_numpy(), budgets_nats).tolist() == [5, 10]
