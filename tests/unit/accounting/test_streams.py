"""Runs of queries, on streams whose losses are known."""

import itertools
import math

import numpy as np
import pytest

from noiseless.accounting import realized_loss
from noiseless.accounting.extremes import maximise
from noiseless.accounting.queries import (
    Box,
    FiniteDomain,
    LinearQuery,
    LogisticQuery,
    TruncatedLinearQuery,
)
from noiseless.accounting.realized_loss import BoxAccount, FiniteAccount
from noiseless.accounting.streams import (
    count_accepted_queries,
    create_stream_account,
    draw_query,
    iterate_queries,
    run_accounts,
)
from noiseless.errors import ConfigError
from noiseless.seeds import make_generator


def test_regression_that_section_6_does_not_have_is_refused():
    settings = {"dimensions": 2, "parameter_range": 1.0, "epsilon_nats": 0.1}
    with pytest.raises(ConfigError, match="linear or logistic, got 'poisson'"):
        draw_query("poisson", **settings, rng=make_generator(1, "regression"))


def test_run_goes_on_where_its_loss_equals_the_budget():
    """Ten answers cost 0.1 each; the next five tell nothing; any other is too much."""
    full, flat = (LinearQuery((slope,), 0.0, 0.1, -1.0, 1.0) for slope in (1.0, 0.0))
    stream = itertools.chain([(full, 1)] * 10, [(flat, 1)] * 5, itertools.repeat((full, 1)))
    budgets_nats = np.array([0.5, 1.0])
    steps = run_accounts(stream, {1: BoxAccount(Box((-1.0,), (1.0,)))}, budgets_nats)[1]
    assert count_accepted_queries(steps["bayesian"].to_numpy(), budgets_nats).tolist() == [5, 15]
    assert count_accepted_queries(steps["simplified"].to_numpy(), budgets_nats).tolist() == [5, 10]


@pytest.mark.parametrize("regression", ["linear", "logistic"])
def test_a_stream_is_accounted_on_the_paper_s_box(regression):
    """Random regressions of the paper's fit [-1, 1]^d, and some responses are above 0."""
    settings = {"dimensions": 2, "parameter_range": 1.0, "epsilon_nats": 0.1}
    stream = iterate_queries(regression, **settings, seed=1, run=0)
    steps = run_accounts(stream, {0: create_stream_account(2, 0, 1e-3, 100)}, np.array([0.5]))[0]
    assert len(steps) > 5
    corners = np.array(list(itertools.product([-1, 1], repeat=2)))
    queries = [query for query, _ in itertools.islice(stream, 20)]
    responses = np.array([query.compute_response(corners) for query in queries])
    assert -1 <= responses.min() < responses.max() <= 1
    assert responses.max() > 0.1


def test_a_group_of_answers_is_closed_when_it_is_full():
    """Answers of two groups add up, although the second takes back what the first told."""
    full = LinearQuery((1.0, 0.0), 0.0, 0.1, -1.0, 1.0)
    grouped, ungrouped = (create_stream_account(2, group, 1e-3, 100) for group in (1, 0))
    for account in (grouped, ungrouped):
        account.add(full, 1)
        account.add(full, 0)
    assert grouped.bound_loss().upper == pytest.approx(0.2)
    assert ungrouped.bound_loss().upper < 0.05


def test_likelihoods_of_the_points_of_a_loss_add_up_over_its_queries():
    """All answers differ from each alone by what does not depend on the point."""
    rng, box = make_generator(3, "answers", "together"), Box((-1.0,) * 3, (1.0,) * 3)
    queries = [
        make(coefficients, rng.uniform(-0.2, 0.2), epsilon, *ends)
        for make, ends in (
            (LinearQuery, (-1.0, 1.0)),
            (TruncatedLinearQuery, (-0.1, 0.2)),
            (TruncatedLinearQuery, (-3.0, -2.0)),
            (LogisticQuery, ()),
        )
        for epsilon in (0.1, 2.0)
        for coefficients in rng.uniform(-0.25, 0.25, (2, 3)).tolist()
    ]
    answers = [(query, int(rng.integers(2))) for query in queries]

    def excess(some, account):
        for answer in some:
            account.add(*answer)
        loss = account.bound_loss()
        points = np.array([loss.most_likely, loss.least_likely])
        totals = sum(query.log_likelihood(output, points) for query, output in some)
        at_most, at_least = totals - loss.log_likelihoods
        assert at_most == pytest.approx(at_least, abs=1e-12)
        return at_most

    alone = [excess([answer], BoxAccount(box)) for answer in answers]
    assert excess(answers, BoxAccount(box)) == pytest.approx(sum(alone), abs=1e-11)
    domain = FiniteDomain(tuple(map(tuple, rng.uniform(-1, 1, (5, 3)).tolist())))
    assert excess(answers, FiniteAccount(domain)) == pytest.approx(0, abs=1e-11)


@pytest.mark.parametrize("limit", [math.nan, 0.15])
def test_accounts_of_the_same_answers_solve_once(monkeypatch, limit):
    """As one of all and one of the first group: what the others ask was solved for the first."""
    realized_loss._maximise_terms.cache_clear()  # of what another test has asked
    solved = []
    monkeypatch.setattr(
        realized_loss, "maximise", lambda terms, *rest: solved.append(1) or maximise(terms, *rest)
    )
    settings = {"dimensions": 2, "parameter_range": 7.0, "epsilon_nats": 0.1}
    stream = iterate_queries("logistic", **settings, seed=5, run=0)
    accounts = [create_stream_account(2, group, 1e-3, 100) for group in (0, 4, 0)]
    for _ in range(3):
        answer = next(stream)
        bounds = []
        for account in accounts:
            before = len(solved)
            bounds.append(account.bound_loss_after(*answer, limit))
            account.add(*answer)
            bounds.append(account.bound_loss())
            assert (len(solved) > before) == (account is accounts[0])
        assert bounds[:2] == bounds[2:4] == bounds[4:]
