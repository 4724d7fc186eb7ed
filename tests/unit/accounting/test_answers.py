"""Answers of one object, in memory."""

import numpy as np
import pytest

import noiseless as nl
from noiseless.accounting.answers import answer_queries
from noiseless.accounting.filters import BasicFilter
from noiseless.accounting.queries import Box, FiniteDomain, LinearQuery, TableQuery
from noiseless.accounting.realized_loss import BoxAccount, FiniteAccount
from noiseless.errors import ConfigError


def test_answers_are_those_that_the_filter_allows():
    query = nl.LogisticQuery([1.0, -1.0], 0.0, epsilon_nats=0.4)
    limited = nl.BayesianFilter(1.0, nl.Box(np.zeros(2), np.ones(2)))
    outputs = nl.answer_queries([query] * 20, np.array([0.2, 0.9]), limited, 3)
    answered = [output for output in outputs if output is not None]
    loss = nl.bound_realized_loss([query] * len(answered), answered, nl.Box([0, 0], [1, 1]))
    assert loss.upper == pytest.approx(limited.bound_loss().upper)
    assert limited.bound_loss().upper <= 1.0
    unlimited = nl.BayesianFilter(100.0, nl.Box([0, 0], [1, 1]))
    assert None not in nl.answer_queries([query] * 20, [0.2, 0.9], unlimited, 3)


THREE = FiniteDomain(((0.0,), (1.0,), (2.0,)))


def test_queries_after_a_refused_one_are_answered():
    box = Box((0.0,), (1.0,))
    queries = [LinearQuery((1.0,), 0.0, epsilon, 0.0, 1.0) for epsilon in (0.4, 2.0, 0.3)]
    outputs = answer_queries(queries, [0.5], BasicFilter(1.0, BoxAccount(box)), rng=1)
    assert [each in (0, 1) for each in outputs] == [True, False, True]
    assert outputs[1] is None


def test_queries_that_this_cannot_answer_are_refused():
    class Median:
        """A query of the user's, without a mechanism of ours."""

    for query in (Median(), TableQuery(((0.4, 0.4, 0.4), (0.6, 0.6, 0.6)))):
        with pytest.raises(ConfigError, match="must be linear or logistic"):
            answer_queries([query], [0.0], BasicFilter(1.0, FiniteAccount(THREE)), rng=1)
