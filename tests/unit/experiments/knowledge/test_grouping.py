"""Groups for one extreme of the likelihood, against extremes by other means."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from noiseless.accounting.queries import Box
from noiseless.accounting.realized_loss import BoxAccount
from noiseless.accounting.streams import (
    accepted_queries,
    account_run,
    query_stream,
    random_query,
)
from noiseless.errors import ConfigError
from noiseless.experiments.knowledge import composition, grouping
from noiseless.seeds import generator
from noiseless.statistics import median_of_runs


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
    rng, size, d = generator(3, "test_grouping"), 3, 2
    accounts = {
        name: grouping.new_account(name, dimensions=d, size=size, tolerance=1e-3, node_limit=500)
        for name in grouping.GROUPED
    }
    answers = []
    for _ in range(8):
        query = random_query("linear", dimensions=d, parameter_range=1, epsilon_nats=0.4, rng=rng)
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
        for name, account in accounts.items():
            before = account.bounds_after(*answers[-1])
            account.add(*answers[-1])
            for bounds in (before, account.bounds()):
                assert bounds.lower <= losses[name] + 1e-7
                assert bounds.upper >= losses[name] - 1e-7
                assert bounds.upper - bounds.lower < 1e-6


def test_a_bound_is_never_above_the_sum_of_epsilons():
    account = grouping.new_account("minimum", dimensions=3, size=4, tolerance=0.05, node_limit=50)
    rng = generator(4, "test_grouping")
    for k in range(5):
        query = random_query(
            "logistic", dimensions=3, parameter_range=10, epsilon_nats=0.1, rng=rng
        )
        account.add(query, int(rng.integers(2)))
        assert account.bounds().upper <= 0.1 * (k + 1) + 1e-12


def test_unknown_extreme_is_an_error():
    with pytest.raises(ConfigError, match="no extreme"):
        grouping.OneExtremeGrouped(lambda: BoxAccount(Box((0.0,), (1.0,))), 2, "median")


SETTINGS = {
    "dimensions": 2,
    "epsilon_nats": 0.1,
    "budgets_nats": [0.2, 0.6, 1.0],
    "tolerance": 1e-3,
    "node_limit": 500,
    "seed": 5,
}


def counts_of_composition(groups=(4, 0), runs=9):
    return composition.composition_tables(
        regression="linear",
        parameter_range=1.0,
        groups=groups,
        runs=[runs],
        shown_runs=1,
        **SETTINGS,
    )["counts"]


def grouping_tables(counts, **changed):
    settings = {**SETTINGS, "size": 4}
    grouped = [
        grouping.counts_table(
            regression="linear",
            extreme=extreme,
            parameter_range=1.0,
            runs=[counts["run"].nunique()],
            **settings,
        )
        for extreme in ("maximum", "minimum")
        for _ in range(2)
    ]
    kept = {key: settings[key] for key in ("epsilon_nats", "budgets_nats", "size", "seed")}
    return grouping.grouping_tables(
        *(counts, counts, *grouped), printed_runs=9, index_queries=[9], **{**kept, **changed}
    )


def test_counts_of_composition_are_those_of_the_readings():
    """What another experiment has counted is what this one would count."""
    table = counts_of_composition(runs=3)
    budgets = np.array(SETTINGS["budgets_nats"])
    for grouped, group in (("both", 4), ("none", 0)):
        found = grouping._counts_of_composition(table, group, budgets)
        for run in range(3):
            steps = account_run(
                query_stream(
                    "linear", dimensions=2, parameter_range=1.0, epsilon_nats=0.1, seed=5, run=run
                ),
                grouping.new_account(grouped, dimensions=2, size=4, tolerance=1e-3, node_limit=500),
                budgets,
            )
            for basis, column in (("certified", "bayesian"), ("possible", "bayesian_possible")):
                expected = accepted_queries(steps[column].to_numpy(), budgets)
                np.testing.assert_array_equal(found[basis][run], expected)


@pytest.mark.parametrize(
    ("groups", "budgets", "message"),
    [((4,), [0.2, 0.6], "need the group 0"), ((4, 0), [0.2, 0.9], r"the budgets \[0.2, 0.9\]")],
)
def test_counts_that_are_missing_are_an_error(groups, budgets, message):
    with pytest.raises(ConfigError, match=message):
        grouping_tables(counts_of_composition(groups, runs=1), budgets_nats=budgets)


@pytest.mark.slow
def test_tables_of_few_runs():
    tables = grouping_tables(counts_of_composition())
    tables = {
        name: table[table["regression"] == "linear"]
        for name, table in tables.items()
        if name != "index"
    }
    wide = tables["accepted"].pivot_table(
        index=["budget_nats", "grouped", "basis"], columns="statistic", values="value"
    )
    median = wide["median"].unstack("grouped")
    assert (median["both"] <= median["maximum"]).all()
    assert (median["maximum"] <= median["none"]).all()
    assert (wide["least"] <= wide["p10"]).all()
    assert (wide["p90"] <= wide["most"]).all()
    basic = np.round(wide.index.get_level_values("budget_nats") / 0.1)
    np.testing.assert_allclose(wide["factor"] * basic, wide["median"])
    growth = tables["growth"].set_index(["grouped", "basis"])
    assert (growth["low"] <= growth["value"]).all()
    assert growth.loc[("none", "certified"), "value"] > growth.loc[("both", "certified"), "value"]


@pytest.mark.parametrize(("power", "ratio"), [(1, 1.0), (2, 2.0)])
def test_slope_ratio_of_a_line_and_of_a_parabola(power, ratio):
    budgets = np.linspace(0.1, 1.0, 10)
    found = grouping._slope_ratio(7 * budgets[None] ** power, budgets)
    assert found[0] == pytest.approx(ratio)


@pytest.mark.slow
def test_interval_of_the_median_of_other_runs_covers():
    rng = generator(6, "test_grouping", "coverage")
    ours, others, repeats = 200, 50, 400
    inside = 0
    for _ in range(repeats):
        interval = grouping.median_of_others(rng.exponential(size=ours), others)
        inside += interval.low <= np.median(rng.exponential(size=others)) <= interval.high
    assert inside / repeats > 0.93
    values = rng.normal(size=51)
    assert grouping.median_of_others(values, 51) == median_of_runs(values)


def test_index_of_equation_26_leaves_the_first_query_out():
    table = grouping.index_table(size=10, queries=[10, 11]).set_index(
        ["index", "queries", "statistic"]
    )["value"]
    assert table["printed", 10, "missing"] == 1
    assert table["printed", 10, "first"] == 2
    assert table["printed", 11, "beyond"] == 1
    assert (table["corrected"].drop("first", level="statistic") == 0).all()
