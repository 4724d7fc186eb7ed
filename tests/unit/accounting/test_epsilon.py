"""What an epsilon means: closed forms, Monte Carlo, inverses, and questions without an answer."""

import itertools
import math

import numpy as np
import pytest

from noiseless.accounting import epsilon, privacy_loss
from noiseless.accounting.epsilon import (
    MECHANISMS,
    Accuracy,
    Advantage,
    FScore,
    Posterior,
    TruePositives,
    build_loss_curve,
    choose_epsilon,
    risk,
)
from noiseless.accounting.privacy_loss import build_discrete_gaussian_loss
from noiseless.adversaries.likelihood_ratio import SideKnowledge, maximise_laplace_f_score
from noiseless.errors import ConfigError
from noiseless.mechanisms.families.gaussian import compute_analytic_sigma
from noiseless.seeds import make_generator

DELTAS = {
    name: 1e-5 if mechanism.delta_rule == "yes" else None for name, mechanism in MECHANISMS.items()
}
GAMES = 400_000


def losses(mechanism: str, epsilon_nats: float, answers: int, sign: int, rng) -> np.ndarray:
    """Log-likelihood ratios of answers drawn under D (sign 1) or D' (-1), by their densities."""
    size = (answers, GAMES)
    truth = 1.0 if sign == 1 else 0.0
    match mechanism:
        case "laplace":
            output = truth + rng.laplace(scale=1 / epsilon_nats, size=size)
            loss = (np.abs(output) - np.abs(output - 1)) * epsilon_nats
        case "gaussian_analytic":
            sigma = compute_analytic_sigma(sensitivity=1, epsilon_nats=epsilon_nats, delta=1e-5)
            output = truth + rng.normal(scale=sigma, size=size)
            loss = (output**2 - (output - 1) ** 2) / (2 * sigma**2)
        case "discrete_laplace":
            stop = -np.expm1(-epsilon_nats)
            output = truth + rng.geometric(stop, size) - rng.geometric(stop, size)
            loss = (np.abs(output) - np.abs(output - 1)) * epsilon_nats
        case "discrete_gaussian":
            sigma = choose_sigma(epsilon_nats)
            z = np.arange(-400, 401)
            weights = np.exp(-0.5 * (z / sigma) ** 2)
            output = truth + rng.choice(z, size=size, p=weights / weights.sum())
            loss = (output**2 - (output - 1) ** 2) / (2 * sigma**2)
    return loss.sum(axis=0)


def choose_sigma(epsilon_nats: float) -> float:
    return 1 / MECHANISMS["discrete_gaussian"].distance(epsilon_nats, 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "answers", "epsilon_nats", "prior"),
    [
        ("laplace", 1, 1.0, 0.5),
        ("laplace", 3, 0.5, 0.1),
        ("laplace", 10, 0.4, 0.3),
        ("gaussian_analytic", 1, 2.0, 0.5),
        ("gaussian_analytic", 5, 1.0, 0.2),
        ("gaussian_analytic", 20, 0.8, 0.7),
        ("discrete_laplace", 1, 1.0, 0.5),
        ("discrete_laplace", 4, 0.5, 0.25),
        ("discrete_laplace", 16, 0.3, 0.4),
        ("discrete_gaussian", 1, 1.0, 0.5),
        ("discrete_gaussian", 6, 1.0, 0.3),
        ("discrete_gaussian", 12, 0.5, 0.6),
    ],
)
def test_risk_agrees_with_games_that_are_played(mechanism, answers, epsilon_nats, prior):
    rng = make_generator(5, "risk", mechanism, answers)
    there, absent = (losses(mechanism, epsilon_nats, answers, sign, rng) for sign in (1, -1))
    asked = {
        "mechanism": mechanism,
        "answers": answers,
        "epsilon_nats": epsilon_nats,
        "delta": DELTAS[mechanism],
        "prior": prior,
    }
    # Four standard errors of a share that is counted.
    allowed = 4 * 0.5 / math.sqrt(GAMES)

    def near(measure, value, factor=1.0):
        found = risk(measure, **asked)
        assert found.low - factor * allowed <= value <= found.high + factor * allowed
        assert found.high - found.low < 1e-4

    near(Advantage(), (there > 1e-9).mean() - (absent > 1e-9).mean(), 2)
    cut = math.log((1 - prior) / prior)
    near(
        Accuracy(),
        prior * (there > cut + 1e-9).mean() + (1 - prior) * (absent <= cut + 1e-9).mean(),
        2,
    )
    # The best threshold, on half of the games, plays the other half.
    half = GAMES // 2
    cuts = np.quantile(there[:half], np.linspace(0, 0.999, 100)) - 1e-9
    cuts = np.append(cuts, -np.inf)
    odds = (1 - prior) / prior

    def f1(cut, games):
        found, alarm = (there[games] > cut).mean(), (absent[games] > cut).mean()
        return 2 * found / (found + odds * alarm + 1)

    best = max(cuts, key=lambda cut: f1(cut, slice(half)))
    near(FScore(), f1(best, slice(half, None)), 6)
    # A test of 5 % false alarms, at random where losses are equal.
    cut_off = np.quantile(absent, 0.95, method="inverted_cdf")
    above, equal = ((absent > cut_off + 1e-9).mean(), (np.abs(absent - cut_off) <= 1e-9).mean())
    share = (0.05 - above) / equal
    found = (there > cut_off + 1e-9).mean() + share * (np.abs(there - cut_off) <= 1e-9).mean()
    near(TruePositives(0.05), found, 8)
    posterior = risk(Posterior(0.1), **asked)
    at = math.log(posterior.high / (1 - posterior.high)) + cut
    assert (there > at + 1e-6).mean() <= 0.1 + allowed


@pytest.mark.parametrize("known", [{}, {"rho_p": 0.2}, {"rho_p": 0.2, "rho_c": 0.1, "rho_t": 0.1}])
def test_one_laplace_answer_has_the_f_score_of_the_paper(known):
    prior = SideKnowledge(**known)
    for epsilon_nats, beta in itertools.product((0.1, 0.7, 2.0, 6.0), (0.5, 1, 2)):
        found = risk(FScore(beta), epsilon_nats=epsilon_nats, prior=prior.probability)
        exact = maximise_laplace_f_score(epsilon_nats, beta=beta, odds_against=prior.odds_against)
        assert found.low == found.high == pytest.approx(float(exact), rel=1e-12)


MEASURES = [
    (FScore(1), 0.8),
    (Advantage(), 0.15),
    (TruePositives(0.01), 0.1),
    (Accuracy(), 0.75),
    (Posterior(0.05), 0.9),
]
# Eight answers of continuous Laplace noise take seconds for each measure. Two of them have tests of
# their own on such a curve, and are sought here of noise that is quicker.
SOUGHT = [
    (mechanism, answers, *asked)
    for mechanism, answers, asked in itertools.product(MECHANISMS, (1, 8), MEASURES)
    if (mechanism, answers) != ("laplace", 8) or not isinstance(asked[0], (FScore, TruePositives))
]


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "answers", "measure", "bound"), SOUGHT)
def test_the_risk_of_the_epsilon_of_a_risk_is_that_risk(mechanism, answers, measure, bound):
    asked = {"mechanism": mechanism, "answers": answers, "delta": DELTAS[mechanism]}
    choice = choose_epsilon(measure, bound, **asked)
    assert choice.is_feasible
    assert choice.floor < bound
    if mechanism == "discrete_gaussian":  # of this sigma; others of the same epsilon may do worse
        curve = build_discrete_gaussian_loss(choice.noise, answers)
        more = build_discrete_gaussian_loss(choice.noise / 1.001, answers)
    else:
        curve = build_loss_curve(choice.epsilon_nats, **asked)
        more = build_loss_curve(1.001 * choice.epsilon_nats, **asked)
    # A posterior at a tail jumps, where the losses are few.
    found = measure.evaluate(curve, 1.0).high
    assert found <= bound * (1 + 1e-9)
    assert found >= bound * (1 - 1e-6) or isinstance(measure, Posterior)
    assert measure.evaluate(more, 1.0).high > bound


def test_where_no_epsilon_keeps_the_bound_the_reason_is_given():
    below = choose_epsilon(FScore(1), 0.6)
    assert not below.is_feasible
    assert "0.6667 without any answer" in below.explanation
    assert not choose_epsilon(FScore(1), 0.7, prior=5 / 9).is_feasible
    assert choose_epsilon(FScore(1), 2 / 3).epsilon_nats == pytest.approx(math.log(2))
    assert choose_epsilon(FScore(1), 2 / 3, mechanism="any").epsilon_nats > 0
    gaussian = choose_epsilon(FScore(1), 2 / 3, mechanism="gaussian_analytic", delta=1e-5)
    assert not gaussian.is_feasible
    assert "a little more than the bound" in gaussian.explanation
    assert choose_epsilon(FScore(1), 1).epsilon_nats == math.inf
    large = choose_epsilon(FScore(1), 0.9, mechanism="gaussian_classical", delta=1e-5)
    assert "proven for epsilon < 1 alone" in large.explanation
    assert "proven for epsilon < 1" in epsilon._explain_choice("gaussian_classical", 1.0, 1e-5, 1)
    assert "proven for epsilon < 1" not in epsilon._explain_choice(
        "gaussian_classical", 0.99, 1e-5, 1
    )
    assert "The best test of this answer just keeps the bound." in large.explanation
    assert "delta alone" in (
        choose_epsilon(FScore(1), 0.67, mechanism="gaussian_analytic", delta=0.4).explanation
    )
    assert not choose_epsilon(
        Posterior(), 0.9, mechanism="gaussian_analytic", delta=1e-5
    ).is_feasible


@pytest.mark.parametrize(("most", "tolerance"), [(1 / 3, 1e-3), (5.0, 1e-3), (1 / 3, 0.0)])
def test_largest_distance_is_found_in_no_more_steps_than_its_tolerance_takes(most, tolerance):
    asked = []

    def kept(distance):
        asked.append(distance)
        return distance <= most

    found = epsilon._find_max_distance(kept, tolerance, 1e-9)
    assert most * (1 - tolerance) <= found <= most
    # Some to enclose it within a factor of 4, then one for each bit.
    assert len(asked) <= 6 + (math.log2(4 / tolerance) if tolerance else 54)


@pytest.mark.parametrize("epsilon_nats", [0.3, 0.9, 3.0])
def test_epsilon_of_discrete_noise_is_that_which_it_was_made_for(epsilon_nats):
    noise = MECHANISMS["discrete_gaussian"]
    found = noise.epsilon(noise.distance(epsilon_nats, 1e-5), 1e-5)
    assert found == pytest.approx(epsilon_nats, rel=1e-3)


def test_f_score_of_a_curve_between_two_ends_lies_between_two():
    """The ends are equal beyond the largest loss, but not where the F-score is found."""
    found = FScore().evaluate(privacy_loss.build_laplace_loss(0.5, 2), 1.0)
    assert found.low < found.high < found.low + 1e-4


@pytest.mark.parametrize("answers", [1, 8])
def test_a_choice_computes_the_end_that_it_needs(monkeypatch, answers):
    """At most one lattice and one root for each distance that is tried."""
    counts = dict.fromkeys(("lattices", "roots"), 0)
    composed, root = privacy_loss._compose_losses, privacy_loss.brentq

    def counted(name, function):
        def call(*arguments, **named):
            counts[name] += 1
            return function(*arguments, **named)

        return call

    distances = []
    monkeypatch.setattr(privacy_loss, "_N_CELLS", 2**12)
    monkeypatch.setattr(privacy_loss, "_compose_losses", counted("lattices", composed))
    monkeypatch.setattr(privacy_loss, "brentq", counted("roots", root))
    largest = epsilon._find_max_distance
    monkeypatch.setattr(
        epsilon,
        "_find_max_distance",
        lambda kept, tolerance, smallest: largest(
            lambda at: distances.append(at) or kept(at), 1e-3, smallest
        ),
    )
    assert choose_epsilon(FScore(), 0.8, answers=answers).is_feasible
    assert counts["lattices"] == (0 if answers == 1 else len(distances))
    assert 0 < counts["roots"] <= len(distances) + 1  # that of the floor


@pytest.mark.parametrize(("beta", "bound"), [(0.01, 0.5001), (0.02, 0.5001), (0.05, 0.51)])
def test_a_bound_close_to_the_floor_has_its_epsilon(beta, bound):
    asked = {"mechanism": "gaussian_analytic", "delta": 1e-5}
    choice = choose_epsilon(FScore(beta), bound, **asked)
    # So little noise is needed that delta alone may cover it; the noise itself keeps the bound.
    curve = epsilon.NormalLoss(1 / choice.noise)
    assert FScore(beta).evaluate(curve, 1.0).high == pytest.approx(bound, rel=1e-9)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"measure": lambda: FScore(0)}, "beta is 0"),
        ({"measure": lambda: TruePositives(1.0)}, "`false_alarm` must .* got 1.0"),
        ({"measure": lambda: Posterior(-0.1)}, "`tail` must .* got -0.1"),
        ({"bound": -1}, "bound is -1"),
        ({"bound": math.nan}, "bound is nan"),
        *(
            ({"measure": measure, "bound": 90}, "every measure is a share, got 90")
            for measure in (FScore, Advantage, lambda: TruePositives(0.01), Accuracy, Posterior)
        ),
        ({"mechanism": "staircase"}, "must be one of laplace, .* got 'staircase'"),
        ({"delta": 0.1}, "must be None for mechanism='laplace', got 0.1"),
        (
            {"mechanism": "gaussian_analytic"},
            "must be a number for mechanism='gaussian_analytic', got None",
        ),
        ({"mechanism": "gaussian_classical", "delta": 1.5}, "`delta` must .* got 1.5"),
        ({"prior": 1.0}, "`prior` must .* got 1.0"),
        ({"answers": 2.5}, "`answers` must .* got 2.5"),
    ],
)
def test_impossible_questions_are_readable_errors(wrong, message):
    asked = {"measure": FScore, "bound": 0.9, **wrong}
    measure, bound = asked.pop("measure"), asked.pop("bound")
    with pytest.raises(ConfigError, match=message):
        choose_epsilon(measure(), bound, **asked)


def test_the_guide_names_every_measure_and_mechanism(root):
    text = (root / "docs" / "choosing-epsilon.md").read_text(encoding="utf-8")
    for name in (*MECHANISMS, "Posterior", "Accuracy", "Advantage", "TruePositives", "FScore"):
        assert f"`{name}" in text


def test_an_interval_of_priors_has_its_worst_case_at_an_end():
    """Of every measure, against a fine grid of priors."""
    grid = np.linspace(0.2, 0.7, 51)
    for measure in (FScore(), Advantage(), TruePositives(0.1), Accuracy(), Posterior()):
        of_all = max(risk(measure, epsilon_nats=0.7, prior=float(each)).high for each in grid)
        found = risk(measure, epsilon_nats=0.7, prior=(0.2, 0.7)).high
        assert found == pytest.approx(of_all, abs=1e-12)
    chosen = choose_epsilon(FScore(), 0.9, prior=(0.3, 0.6)).epsilon_nats
    alone = [choose_epsilon(FScore(), 0.9, prior=each).epsilon_nats for each in (0.3, 0.6)]
    assert chosen == pytest.approx(min(alone), rel=1e-9)
    with pytest.raises(ConfigError, match="two ends of an interval, the lower one first"):
        risk(FScore(), epsilon_nats=1.0, prior=(0.6, 0.3))


def test_what_has_left_says_so():
    with pytest.raises(ConfigError, match="`believed_prior` has left"):
        risk(FScore(), epsilon_nats=1.0, believed_prior=0.4)
    with pytest.raises(
        ConfigError, match="`prior` must be a number above 0 and below 1, got SideKnowledge"
    ):
        risk(FScore(), epsilon_nats=1.0, prior=SideKnowledge(rho_p=0.2))


@pytest.mark.parametrize("bound", [1e-9, 1e-12, 1e-100])
def test_a_tiny_bound_has_its_epsilon(bound):
    """The advantage of one Laplace answer is 1 - e^(-epsilon / 2)."""
    assert choose_epsilon(Advantage(), bound).epsilon_nats == pytest.approx(2 * bound, rel=1e-9)


def test_a_search_that_finds_nothing_says_where_it_ended():
    hidden = choose_epsilon(Advantage(), 1e-12, mechanism="any")  # rounding alone is 1e-10
    assert not hidden.is_feasible
    assert "distances from 1e-15 of the noise on" in hidden.explanation
    near = choose_epsilon(Accuracy(), 0.5 * (1 + 1e-10))
    assert not near.is_feasible
    assert "distances from 1e-09 of the noise on" in near.explanation
    assert "above the 0.5 that" in near.explanation
