"""The prrelation experiments: brute force, exact identities, real people, and bad input."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from noiseless.adversaries.likelihood_ratio import (
    f_score,
    gaussian_test,
    laplace_best_f_score,
    laplace_test,
)
from noiseless.datasets.young_people import read_young_people
from noiseless.errors import ConfigError, DataError
from noiseless.experiments.prrelation import curves as curves
from noiseless.experiments.prrelation import monte_carlo as monte_carlo
from noiseless.experiments.prrelation import notions as notions
from noiseless.experiments.prrelation.choice import choice_table, choose_epsilon, table1
from noiseless.experiments.prrelation.vector import vector_rates, vector_table

NOTHING = {"rho_p": 0, "rho_c": 0, "rho_t": 0}
KNOWLEDGE = {"none": NOTHING, "time": {"rho_p": 0.2, "rho_c": 0.1, "rho_t": 0.1}}
BUDGETS = {"epsilon": [0.1, 1, 5], "delta": 1e-5, "gaussian_epsilon": 1, "deltas": [1e-5, 1e-2]}


def wide(table: pd.DataFrame, cell: list[str]) -> pd.DataFrame:
    return table.pivot(index=cell, columns="statistic", values="value")


# Vectors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_vector_of_one_is_the_scalar(epsilon):
    ratio = np.linspace(-1.1, 1.1, 45) * epsilon
    for ours, known in zip(
        vector_rates(ratio, epsilon=epsilon, queries=1), laplace_test(ratio, epsilon), strict=True
    ):
        np.testing.assert_allclose(ours, known, atol=1e-14)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_vector_of_two_equals_a_sum_over_a_fine_lattice_of_answers(epsilon):
    """Both numbers are cut into 4,001 cells; the ratio is that of a cell's middle."""
    edges = np.linspace(-1, 2, 4002)
    middle = (edges[1:] + edges[:-1]) / 2 * epsilon
    ratio = np.abs(middle) - np.abs(middle - epsilon)
    edges[[0, -1]] = -np.inf, np.inf
    cells = [np.diff(stats.laplace.cdf((edges - centre) * epsilon)) for centre in (1, 0)]
    for least in (-1.3 * epsilon, -0.2 * epsilon, 0.013, 0.9 * epsilon, 1.7 * epsilon):
        accepted = ratio[:, None] + ratio >= least
        brute = [mass @ (accepted @ mass) for mass in cells]
        ours = vector_rates(least, epsilon=epsilon, queries=2)
        np.testing.assert_allclose(ours, brute, atol=2e-3)


def test_vector_adversary_run_on_noisy_answers():
    rng, queries, epsilon, count = np.random.default_rng(3), 5, 0.7, 200_000
    noise = rng.laplace(size=(count, queries))
    for which, centre in enumerate((epsilon, 0.0)):
        answers = noise + centre
        ratio = (np.abs(answers) - np.abs(answers - epsilon)).sum(axis=1)
        for least in (-2.01, 0.37, 1.9):
            rate = float(vector_rates(least, epsilon=epsilon, queries=queries)[which])
            assert abs((ratio >= least).mean() - rate) < 5 * math.sqrt(rate / count)


@pytest.mark.parametrize("queries", [2, 3, 8])
def test_vector_rates_are_probabilities_that_sum_to_one(queries):
    for epsilon in (0.05, 1.0, 6.0):
        everything = vector_rates(-queries * epsilon - 1, epsilon=epsilon, queries=queries)
        np.testing.assert_allclose(everything, 1, atol=1e-12)
        nothing = vector_rates(queries * epsilon + 1, epsilon=epsilon, queries=queries)
        np.testing.assert_array_equal(nothing, 0)


def test_vector_is_never_easier_than_theorem_4_says_and_mostly_harder():
    table = wide(vector_table(queries=[1, 2, 4], epsilon=[0.3, 1.0]), ["queries", "epsilon"])
    assert (table["largest_recall_excess"] <= 1e-12).all()
    assert abs(table.loc[1, "best_minus_scalar_f1"]).max() < 1e-12
    assert (table.loc[[2, 4], "best_minus_scalar_f1"].xs(1.0, level="epsilon") < -0.05).all()


# Curves -------------------------------------------------------------------------------------------


def test_curves_and_f_scores_hold_what_the_adversary_module_says():
    table = curves.curve_table(**BUDGETS, knowledge=KNOWLEDGE, points=31)
    counts = table[table["statistic"] == "recall"].groupby(["mechanism", "knowledge"]).size() / 31
    assert counts.to_dict() == {
        ("laplace", "none"): 3,
        ("laplace", "time"): 3,
        ("gaussian_classical", "none"): 4,
        ("gaussian_analytic", "none"): 4,
        ("gaussian_printed", "none"): 4,
    }
    rates = wide(table, ["mechanism", "knowledge", "epsilon", "delta", "false_alarm"])
    assert rates["recall"].between(0, 1).all()
    assert (rates.loc[("laplace", "time"), "precision_gain"] > 0).all()
    scores = curves.f_score_table(
        epsilon=[0.1, 2.0], beta=[1.0, 2.0], delta=1e-5, knowledge=KNOWLEDGE
    )
    assert (scores.loc[scores["statistic"] == "search_minus_f_score", "value"].abs() < 1e-12).all()
    printed = scores[scores["statistic"] == "printed_minus_f_score"].set_index(
        ["knowledge", "beta", "epsilon"]
    )["value"]
    assert (printed["none"].abs() < 1e-12).all()
    assert printed["time", 1.0, 2.0] < -0.1


def test_thresholds_show_which_printed_steps_hold():
    table = wide(
        curves.threshold_table(epsilon=[0.1, 2.0], false_alarm=[0.01, 0.3, 0.5, 0.8]),
        ["epsilon", "false_alarm"],
    )
    for name in ("false_alarm_excess", "recall_excess", "corrected_ratio_excess"):
        assert table[name].abs().max() < 1e-12, name
    # e^-epsilon/(4 alpha^2) is right from e^-epsilon/2 to 1/2 and nowhere else.
    wrong = table["printed_ratio_excess"].abs() > 1e-9
    assert wrong.to_dict() == {
        (0.1, 0.01): True,
        (0.1, 0.3): True,
        (0.1, 0.5): False,
        (0.1, 0.8): True,
        (2.0, 0.01): True,
        (2.0, 0.3): False,
        (2.0, 0.5): False,
        (2.0, 0.8): True,
    }
    assert (table.loc[0.1, "recall_printed"] < 0).any()


# Choosing epsilon ---------------------------------------------------------------------------------


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
            assert row["epsilon"] == pytest.approx(exact_epsilon(beta, bound), rel=1e-12)
        else:
            assert math.isnan(row["epsilon"])


@pytest.mark.parametrize("known", KNOWLEDGE.values())
@pytest.mark.parametrize("bound", [0.83, 0.9, 0.97])
def test_chosen_noise_leaves_exactly_the_bound_to_the_best_threshold(bound, known):
    odds = curves.SideKnowledge(**known).odds_against
    choice = choose_epsilon(beta=1, f_bound=bound, **known)
    assert laplace_best_f_score(choice.epsilon, beta=1, odds_against=odds) == pytest.approx(bound)
    assert choice.noise == pytest.approx(1 / choice.epsilon)
    for mechanism, calibrate in (
        ("gaussian_classical", curves.classical_sigma),
        ("gaussian_analytic", curves.analytic_sigma),
    ):
        choice = choose_epsilon(beta=1, f_bound=bound, mechanism=mechanism, delta=1e-5, **known)
        sigma = calibrate(sensitivity=1, epsilon=choice.epsilon, delta=1e-5)
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
    assert choose_epsilon(beta=1, f_bound=2 / 3).epsilon == pytest.approx(math.log(2))
    gaussian = choose_epsilon(beta=1, f_bound=2 / 3, mechanism="gaussian_analytic", delta=1e-5)
    assert not gaussian.feasible
    assert "has no bound" in gaussian.why
    assert choose_epsilon(beta=1, f_bound=1).epsilon == math.inf
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
    assert (rows["kept"] == rows["epsilon"].notna()).all()
    assert set(rows.index[rows["kept"] == 1].get_level_values("f_score")) == {0.9}
    epsilon = rows["epsilon"].xs(0.9, level="f_score")
    assert (epsilon.xs("time", level="knowledge") < epsilon.xs("none", level="knowledge")).all()


# Privacy notions ----------------------------------------------------------------------------------


def loop_epsilons(prior, yes):
    """Every notion of the module, one database and one answer at a time, from the joint law."""
    databases = list(itertools.product((0, 1), repeat=3))
    law = {
        (x, o): prior[k] * (yes[k] if o == 0 else 1 - yes[k])
        for k, x in enumerate(databases)
        for o in (0, 1)
    }
    given = {
        (x, o): yes[k] if o == 0 else 1 - yes[k] for k, x in enumerate(databases) for o in (0, 1)
    }
    possible = {x for k, x in enumerate(databases) if prior[k] > 0}

    def probability(test):
        return sum(p for (x, o), p in law.items() if test(x, o))

    def log_ratio(x, y):
        return max(abs(math.log(given[x, o] / given[y, o])) for o in (0, 1))

    def differ(x, y):
        return {i for i in range(3) if x[i] != y[i]}

    dp = max(log_ratio(x, y) for x in databases for y in databases if len(differ(x, y)) == 1)
    bp = max(log_ratio(x, y) for x in possible for y in possible)
    records, mp_record, midp = [], [], []
    for i in range(3):
        for o in (0, 1):
            posterior = [
                probability(lambda x, out, i=i, v=v, o=o: x[i] == v and out == o)
                / probability(lambda x, out, o=o: out == o)
                for v in (0, 1)
            ]
            before = [probability(lambda x, out, i=i, v=v: x[i] == v) for v in (0, 1)]
            shift = [math.log(p / q) for p, q in zip(posterior, before, strict=True)]
            records.append(abs(shift[0] - shift[1]))
            mp_record += map(abs, shift)
        information = 0.0
        for x in possible:
            twins = [y for y in databases if differ(x, y) <= {i}]
            for o in (0, 1):
                joint = sum(law[y, o] for y in twins) / sum(law[y, 0] + law[y, 1] for y in twins)
                information += law[x, o] * math.log(given[x, o] / joint)
        midp.append(information)
    mp_database = max(
        abs(math.log(given[x, o] / probability(lambda _, out, o=o: out == o)))
        for x in possible
        for o in (0, 1)
    )
    return dp, bp, max(records), max(mp_record), mp_database, max(midp)


def test_notions_equal_a_plain_loop():
    rng = np.random.default_rng(8)
    answers = notions.mechanisms(3)
    priors = notions.priors(4)
    for prior in priors[:: len(priors) // 6]:
        chosen = rng.integers(len(answers), size=5)
        ours = notions.epsilons(prior, answers[chosen])
        for at, mechanism in enumerate(chosen):
            dp, bp, ip, mp_record, mp_database, midp = loop_epsilons(
                prior, answers[mechanism, :, 0].tolist()
            )
            assert ours["records"]["dp"][at] == pytest.approx(dp)
            assert ours["records"]["bp"][at] == pytest.approx(bp)
            assert ours["records"]["ddp"][at] == pytest.approx(ip, abs=1e-12)
            assert ours["records"]["mp"][at] == pytest.approx(mp_record, abs=1e-12)
            assert ours["databases"]["mp"][at] == pytest.approx(mp_database)
            assert ours["records"]["midp"][at] == pytest.approx(midp, abs=1e-12)


def test_the_errata_examples_of_theorem_7():
    """Are two fair, independent records equal?  Alone each stays hidden, and together not."""
    equal = notions.DATABASES[:, 0] == notions.DATABASES[:, 1]
    yes = np.where(equal, 0.75, 0.25)
    answers = np.stack([yes, 1 - yes], axis=1)[None]
    ours = notions.epsilons(np.full(8, 1 / 8), answers)
    assert ours["records"]["ddp"][0] == pytest.approx(0, abs=1e-12)
    assert ours["records"]["dp"][0] == pytest.approx(math.log(3))
    assert ours["records"]["mp"][0] == pytest.approx(0, abs=1e-12)
    assert ours["records"]["midp"][0] > 0.1
    assert ours["databases"]["ddp"][0] == pytest.approx(math.log(3))


def test_priors_are_the_whole_lattice_and_are_called_by_their_kind():
    found = notions.priors(4)
    counts = [
        each
        for each in itertools.product(range(5), repeat=4)
        if sum(each) == 4
        and min(each[0] + each[1], each[2] + each[3], each[0] + each[2], each[1] + each[3]) > 0
    ]
    assert {tuple(np.rint(each[::2] * 8).astype(int)) for each in found} == set(counts)
    assert len(found) == len(counts)
    assert {notions.kind_of(each) for each in notions.priors(6)} == {
        "constrained",
        "correlated",
        "independent",
    }


# Monte Carlo --------------------------------------------------------------------------------------


def toy_survey(rows: int = 60) -> pd.DataFrame:
    smoking = ["current smoker"] * 5 + ["never smoked"] * (rows - 5)
    weights = [None, *range(50, 50 + rows - 1)]
    return pd.DataFrame({"Smoking": smoking, "weight_kg": pd.array(weights, dtype="Int64")})


def play(survey, **changes):
    settings = {
        **BUDGETS,
        "weight_range_kg": [0, 200],
        "answers": 20_000,
        "confidence": 0.99,
        "false_alarm": [0.05, 0.3, 0.9],
        "beta": [0.5, 1.0],
        "knowledge": KNOWLEDGE,
        "seed": 1,
    }
    return monte_carlo.monte_carlo_tables(survey, **{**settings, **changes})


def test_query_pairs_by_hand():
    pairs = monte_carlo.query_pairs(toy_survey(), weight_range_kg=[0, 200])
    assert pairs["smokers"] == monte_carlo.QueryPair(5, 4, 1.0)
    assert pairs["mean_weight_ends"].gap == pytest.approx(1)
    assert pairs["mean_weight_ends"].sensitivity == pytest.approx(200 / 59)
    assert pairs["mean_weight_people"].gap == pytest.approx((108 - 50) / 200)
    assert pairs["mean_weight_people"].with_record == pytest.approx(sum(range(50, 109)) / 59)


def test_counted_rates_and_scores_sit_in_their_intervals_and_are_neither_too_near():
    tables = play(toy_survey(), seed=7)
    for table in tables.values():
        difference = table[table["statistic"].str.endswith("_minus_formula")]
        assert (difference["low"] <= 0).all()
        assert (difference["high"] >= 0).all()
        assert (difference["low"] <= difference["value"]).all()
        assert (difference["value"] <= difference["high"]).all()
        # An interval of 99 % together reaches beyond 3.5 deviations: a typical miss is a
        # fourth of it, and some must be.
        share = difference["value"].abs() / (difference["high"] - difference["low"]) * 2
        assert 0.1 < share.mean() < 0.3
    rates = tables["rates"]
    assert set(rates["query"]) == {"smokers", "mean_weight_ends", "mean_weight_people"}


def test_an_adversary_of_another_noise_is_found_out(monkeypatch):
    """The check can fail: with noise of a budget 20 % larger, counts leave their intervals."""
    larger = monte_carlo.LaplaceMechanism
    monkeypatch.setattr(
        monte_carlo, "LaplaceMechanism", lambda sensitivity, eps: larger(sensitivity, 1.2 * eps)
    )
    rates = play(toy_survey())["rates"]
    laplace = rates[(rates["mechanism"] == "laplace") & (rates["epsilon"] == 1)]
    difference = laplace[laplace["statistic"] == "recall_minus_formula"]
    assert ((difference["low"] > 0) | (difference["high"] < 0)).any()


def test_a_cell_does_not_depend_on_the_others():
    whole, part = (play(toy_survey(), epsilon=each)["f_scores"] for each in ([0.1, 1, 5], [1]))
    cell = ["query", "mechanism", "knowledge", "epsilon", "delta", "beta", "statistic"]
    values = whole.set_index(cell)["value"]
    for *key, value in part[[*cell, "value"]].itertuples(index=False):
        assert values[tuple(key)] == value


def test_accepted_at_equals_a_plain_comparison():
    rng = np.random.default_rng(2)
    answers = rng.integers(0, 10, 500).astype(float)
    thresholds = np.array([3.0, -np.inf, 9.0, 3.0, 10.0, 0.5])
    np.testing.assert_array_equal(
        monte_carlo.accepted_at(answers, thresholds),
        [(answers >= each).sum() for each in thresholds],
    )


@pytest.mark.parametrize(("hits", "of"), [(0, 10), (10, 10), (3, 10), (500, 10_000)])
def test_binomial_interval_equals_scipys(hits, of):
    expected = stats.binomtest(hits, of).proportion_ci(confidence_level=0.98, method="exact")
    np.testing.assert_allclose(monte_carlo.binomial_interval(hits, of, 0.02), expected, rtol=1e-9)


def test_no_accepted_answer_leaves_the_whole_interval():
    assert monte_carlo.binomial_interval(0, 0, 0.02) == (0.0, 1.0)


def test_f_score_interval_covers_as_often_as_it_says():
    rng, answers, beta = np.random.default_rng(4), 2000, 1.5
    hit, alarm, present = 0.3, 0.1, 0.4
    exact = (1 + beta**2) * hit / (hit + alarm + beta**2 * present)
    draws = rng.multinomial(answers, [hit, alarm, present - hit, 0.5], size=3000)
    covered = 0
    for hits, alarms, missed, _ in draws.tolist():
        _, (low, high) = monte_carlo.f_score_interval(
            hits, alarms, hits + missed, answers, beta, 0.1
        )
        covered += low <= exact <= high
    assert covered / len(draws) == pytest.approx(0.9, abs=0.025)


def test_survey_that_cannot_be_asked_is_a_readable_error():
    survey = toy_survey()
    with pytest.raises(DataError, match="nobody in the survey smokes"):
        monte_carlo.query_pairs(survey.assign(Smoking="never smoked"), weight_range_kg=[0, 200])
    with pytest.raises(DataError, match="no two different weights"):
        monte_carlo.query_pairs(survey.iloc[:2], weight_range_kg=[0, 200])
    with pytest.raises(DataError, match="101 kg is outside the public range 0 to 100 kg"):
        monte_carlo.query_pairs(survey, weight_range_kg=[0, 100])


def test_real_survey(young_people_csv):
    survey = read_young_people(young_people_csv)
    pairs = monte_carlo.query_pairs(survey, weight_range_kg=[0, 200])
    assert pairs["smokers"].with_record == 189
    assert pairs["mean_weight_people"].gap == pytest.approx((165 - 41) / 200)
