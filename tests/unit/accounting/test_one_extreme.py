"""Accounts that group one extreme, against every value of a grid."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from loss_problems import accounts_of_the_readings
from noiseless.accounting.one_extreme import OneExtremeGrouped
from noiseless.accounting.queries import LinearQuery
from noiseless.accounting.streams import create_stream_account, draw_query
from noiseless.errors import ConfigError
from noiseless.seeds import make_generator


def extremes(answers, dimensions):
    """Log-maximum and log-minimum of linear queries: a climb, and all corners."""

    def total(x):
        return sum(query.log_likelihood(o, np.atleast_2d(x)) for query, o in answers)

    climb = minimize(
        lambda x: -total(x)[0], np.zeros(dimensions), bounds=[(-1, 1)] * dimensions, tol=1e-12
    )
    corners = np.array(list(itertools.product((-1.0, 1.0), repeat=dimensions)))
    return -climb.fun, total(corners).min()


def test_bounds_hold_the_loss_of_every_reading():
    rng, size, d = make_generator(3, "test_grouping"), 3, 2
    accounts = accounts_of_the_readings(d, size, 1e-3, 500)
    answers = []
    for _ in range(8):
        query = draw_query("linear", dimensions=d, parameter_range=1, epsilon_nats=0.4, rng=rng)
        answers.append((query, int(rng.integers(2))))
        groups = [answers[k : k + size] for k in range(0, len(answers), size)]
        grouped = np.sum([extremes(group, d) for group in groups], axis=0)
        overall = extremes(answers, d)
        losses = {
            "both": grouped[0] - grouped[1],
            "maximum": grouped[0] - overall[1],
            "minimum": overall[0] - grouped[1],
            "none": overall[0] - overall[1],
        }
        before = {name: each.bound_loss_after(*answers[-1]) for name, each in accounts.items()}
        for account in accounts.values():
            account.add(*answers[-1])
        for name, account in accounts.items():
            for bounds in (before[name], account.bound_loss()):
                assert bounds.lower <= losses[name] + 1e-7
                assert bounds.upper >= losses[name] - 1e-7
                assert bounds.upper - bounds.lower < 1e-6


def test_a_bound_is_never_above_the_sum_of_epsilons():
    accounts = accounts_of_the_readings(3, 4, 0.05, 50)
    rng = make_generator(4, "test_grouping")
    for k in range(5):
        query = draw_query("logistic", dimensions=3, parameter_range=10, epsilon_nats=0.1, rng=rng)
        output = int(rng.integers(2))
        for account in accounts.values():
            account.add(query, output)
        assert accounts["minimum"].bound_loss().upper <= 0.1 * (k + 1) + 1e-12


def test_unknown_extreme_is_an_error():
    with pytest.raises(ConfigError, match="`extreme` must be"):
        OneExtremeGrouped(
            create_stream_account(1, 0, 1e-3, 1), create_stream_account(1, 2, 1e-3, 1), "median"
        )


def test_an_account_of_all_answers_has_no_groups():
    """The points of a sum over groups are those of one group, and so would be the likelihoods."""
    both = create_stream_account(1, 1, 1e-3, 1)
    with pytest.raises(ConfigError, match="must be an account without groups"):
        OneExtremeGrouped(both, both, "maximum")
    assert np.isfinite(both.bound_loss().log_likelihoods).all()
    both.add(LinearQuery((1.0,), 0.0, 0.1, -1.0, 1.0), 1)
    assert np.isnan(both.bound_loss().log_likelihoods).all()
    assert np.isfinite(both.full[0].log_likelihoods).all()
