"""The choice of epsilon for a bound: exact fractions, searches, and bad input."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.adversaries.likelihood_ratio import f_score, gaussian_test, laplace_best_f_score
from noiseless.errors import ConfigError
from noiseless.experiments.prrelation import curves
from noiseless.experiments.prrelation.choice import choice_table, choose_epsilon, table1
from noiseless.mechanisms.gaussian import analytic_sigma
from prrelation_settings import KNOWLEDGE
from wide_table import wide


def exact_epsilon(beta: Fraction, bound: Fraction) -> float:
    """Table 1 in fractions: e^epsilon from Eq. 12, one logarithm at the end."""
    root = (1 + beta**2 - bound * (1 - beta**2)) / ((1 + beta**2) * (1 - bound))
    return math.log((root**2 - 1) / (4 * beta**2))


def test_table1_in_exact_fractions():
    betas, bounds = ("0.5", "0.6", "0.8", "1", "1.5", "2"), ("0.55", "0.62", "0.67", "0.83", "0.95")
    table = wide(
        table1(beta=[float(each) for each in betas], f_score=[float(each) for each in bounds]),
        ["beta", "f_score"],
    )
    for beta, bound in itertools.product(map(Fraction, betas), map(Fraction, bounds)):
        row = table.loc[(float(beta), float(bound))]
        kept = bound >= (1 + beta**2) / (2 + beta**2)
        assert row["kept"] == kept
        if kept:
            assert row["epsilon_nats"] == pytest.approx(exact_epsilon(beta, bound), rel=1e-12)
        else:
            assert math.isnan(row["epsilon_nats"])


@pytest.mark.parametrize("known", KNOWLEDGE.values())
@pytest.mark.parametrize("bound", [0.83, 0.9, 0.97])
def test_chosen_noise_leaves_exactly_the_bound_to_the_best_threshold(bound, known):
    odds = curves.SideKnowledge(**known).odds_against
    choice = choose_epsilon(beta=1, f_bound=bound, **known)
    assert laplace_best_f_score(choice.epsilon_nats, beta=1, odds_against=odds) == pytest.approx(
        bound
    )
    assert choice.noise == pytest.approx(1 / choice.epsilon_nats)
    for mechanism, calibrate in (
        ("gaussian_classical", curves.classical_sigma),
        ("gaussian_analytic", analytic_sigma),
    ):
        choice = choose_epsilon(beta=1, f_bound=bound, mechanism=mechanism, delta=1e-5, **known)
        sigma = calibrate(sensitivity=1, epsilon_nats=choice.epsilon_nats, delta=1e-5)
        assert sigma == pytest.approx(choice.noise, rel=1e-9)
        ratios = np.linspace(-30, 30, 200_001)
        every = f_score(*gaussian_test(ratios, 1 / sigma), beta=1, odds_against=odds)
        assert every.max() == pytest.approx(bound, abs=1e-8)


def test_where_no_epsilon_keeps_the_bound_the_reason_is_given():
    below = choose_epsilon(beta=1, f_bound=0.6)
    assert not below.feasible
    assert "0.6667 by always accepting" in below.why
    knows_more = choose_epsilon(beta=1, f_bound=0.7, rho_p=0.2)
    assert not knows_more.feasible
    assert choose_epsilon(beta=1, f_bound=2 / 3).epsilon_nats == pytest.approx(math.log(2))
    gaussian = choose_epsilon(beta=1, f_bound=2 / 3, mechanism="gaussian_analytic", delta=1e-5)
    assert not gaussian.feasible
    assert "has no bound" in gaussian.why
    assert choose_epsilon(beta=1, f_bound=1).epsilon_nats == math.inf
    large = choose_epsilon(beta=1, f_bound=0.9, mechanism="gaussian_classical", delta=1e-5)
    assert "proven for epsilon < 1 alone" in large.why
    assert "delta alone" in (
        choose_epsilon(beta=1, f_bound=0.67, mechanism="gaussian_analytic", delta=0.4).why
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"beta": 0}, "beta is 0"),
        ({"f_bound": -1}, "f_bound is -1"),
        ({"f_bound": math.nan}, "f_bound is nan"),
        ({"mechanism": "staircase"}, "no mechanism 'staircase'; there are laplace"),
        ({"delta": 0.1}, "laplace takes no delta"),
        ({"mechanism": "gaussian_analytic"}, "takes a delta"),
        ({"mechanism": "gaussian_classical", "delta": 1.5}, "delta is 1.5"),
        ({"rho_p": 0.9, "rho_c": 0.2}, "cannot be true together"),
    ],
)
def test_impossible_questions_are_readable_errors(wrong, message):
    with pytest.raises(ConfigError, match=message):
        choose_epsilon(**{"beta": 1, "f_bound": 0.9, **wrong})


def test_choice_table_has_an_epsilon_wherever_the_bound_is_kept():
    table = choice_table(beta=[1], f_score=[0.6, 0.9], deltas=[1e-5], knowledge=KNOWLEDGE)
    rows = wide(table, ["mechanism", "delta", "knowledge", "beta", "f_score"])
    assert len(rows) == 3 * 2 * 2
    assert (rows["kept"] == rows["epsilon_nats"].notna()).all()
    assert set(rows.index[rows["kept"] == 1].get_level_values("f_score")) == {0.9}
    epsilon_nats = rows["epsilon_nats"].xs(0.9, level="f_score")
    assert (
        epsilon_nats.xs("time", level="knowledge") < epsilon_nats.xs("none", level="knowledge")
    ).all()
