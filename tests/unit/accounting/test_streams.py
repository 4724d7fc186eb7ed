"""Runs of queries, on streams whose losses are known."""

import itertools

import numpy as np
import pytest

from noiseless.accounting.queries import Box, LinearQuery
from noiseless.accounting.realized_loss import BoxAccount
from noiseless.accounting.streams import accepted_queries, account_run, random_query
from noiseless.errors import ConfigError
from noiseless.seeds import generator


def test_regression_that_section_6_does_not_have_is_refused():
    settings = {"dimensions": 2, "parameter_range": 1.0, "epsilon_nats": 0.1}
    with pytest.raises(ConfigError, match="'poisson' is not a regression of Section 6"):
        random_query("poisson", **settings, rng=generator(1, "regression"))


def test_run_goes_on_where_its_loss_equals_the_budget():
    """Ten answers cost 0.1 each; the next five tell nothing; any other is too much."""
    full, flat = (LinearQuery((slope,), 0.0, 0.1, -1.0, 1.0) for slope in (1.0, 0.0))
    stream = itertools.chain([(full, 1)] * 10, [(flat, 1)] * 5, itertools.repeat((full, 1)))
    budgets_nats = np.array([0.5, 1.0])
    steps = account_run(stream, BoxAccount(Box((-1.0,), (1.0,))), budgets_nats)
    assert accepted_queries(steps["bayesian"].to_numpy(), budgets_nats).tolist() == [5, 15]
    assert accepted_queries(steps["simplified"].to_numpy(), budgets_nats).tolist() == [5, 10]
