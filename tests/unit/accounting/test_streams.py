"""Runs of queries, on streams whose losses are known."""

import itertools

import numpy as np
import pytest

from noiseless.accounting.queries import (
    Box,
    LinearQuery,
    LogisticQuery,
    TableQuery,
    TruncatedLinearQuery,
    log_likelihood_of_answers,
)
from noiseless.accounting.realized_loss import BoxAccount
from noiseless.accounting.streams import (
    accepted_queries,
    account_run,
    new_account,
    query_stream,
    random_query,
)
from noiseless.errors import ConfigError, DataError
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


@pytest.mark.parametrize("regression", ["linear", "logistic"])
def test_a_stream_is_accounted_on_the_paper_s_box(regression):
    """Random regressions of the paper's fit [-1, 1]^d, and some responses are above 0."""
    settings = {"dimensions": 2, "parameter_range": 1.0, "epsilon_nats": 0.1}
    stream = query_stream(regression, **settings, seed=1, run=0)
    steps = account_run(stream, new_account(2, 0, 1e-3, 100), np.array([0.5]))
    assert len(steps) > 5
    corners = np.array(list(itertools.product([-1, 1], repeat=2)))
    queries = [query for query, _ in itertools.islice(stream, 20)]
    responses = np.array([query.response(corners) for query in queries])
    assert -1 <= responses.min() < responses.max() <= 1
    assert responses.max() > 0.1


def test_a_group_of_answers_is_closed_when_it_is_full():
    """Answers of two groups add up, although the second takes back what the first told."""
    full = LinearQuery((1.0, 0.0), 0.0, 0.1, -1.0, 1.0)
    grouped, ungrouped = (new_account(2, group, 1e-3, 100) for group in (1, 0))
    for account in (grouped, ungrouped):
        account.add(full, 1)
        account.add(full, 0)
    assert grouped.bounds().upper == pytest.approx(0.2)
    assert ungrouped.bounds().upper < 0.05


def test_answers_together_are_as_likely_as_the_product_says():
    rng = generator(3, "answers", "together")
    queries = [
        make(coefficients, rng.uniform(-0.2, 0.2), epsilon, *ends)
        for make, ends in (
            (LinearQuery, (-1.0, 1.0)),
            (TruncatedLinearQuery, (-0.1, 0.2)),
            (TruncatedLinearQuery, (-1.0, 1.0)),
            (LogisticQuery, ()),
        )
        for epsilon in (0.1, 2.0)
        for coefficients in rng.uniform(-0.25, 0.25, (3, 3)).tolist()
    ]
    answers = [(query, int(rng.integers(2))) for query in queries]
    answers.append((TableQuery(((0.3,) * 5, (0.7,) * 5)), 1))
    points = rng.uniform(-1, 1, (5, 3))
    expected = sum(query.log_likelihood(output, points) for query, output in answers)
    np.testing.assert_allclose(log_likelihood_of_answers(answers, points), expected, rtol=1e-12)
    assert log_likelihood_of_answers([], points).tolist() == [0.0] * 5
    with pytest.raises(DataError, match="2 is not an output"):
        log_likelihood_of_answers([(queries[0], 2)], points)
