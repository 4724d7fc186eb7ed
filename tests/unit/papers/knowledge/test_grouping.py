"""Groups for one extreme of the likelihood, against extremes by other means."""

import numpy as np
import pytest

from loss_problems import accounts_of_the_readings
from noiseless.accounting.one_extreme import GROUPED
from noiseless.accounting.streams import (
    count_accepted_queries,
    iterate_queries,
    run_accounts,
)
from noiseless.errors import ConfigError
from noiseless.papers.knowledge import composition, grouping
from noiseless.seeds import make_generator
from noiseless.statistics import estimate_run_median

SETTINGS = {
    "dimensions": 2,
    "epsilon_nats": 0.1,
    "budgets_nats": [0.2, 0.6, 1.0],
    "tolerance": 1e-3,
    "node_limit": 500,
    "seed": 5,
}


def counts_of_composition(runs=9, **changed):
    settings = {**SETTINGS, "size": 4, "runs": [runs], **changed}
    return composition.build_composition_tables(
        regression="linear", parameter_range=1.0, shown_runs=1, **settings
    )["counts"]


def grouping_tables(counts, **changed):
    kept = {key: SETTINGS[key] for key in ("epsilon_nats", "budgets_nats", "seed")}
    settings = {**kept, "size": 4, "printed_runs": 9, **changed}
    return grouping.build_grouping_tables(counts, counts, **settings)


def test_readings_counted_together_are_those_counted_one_by_one():
    """Accounts that no other reading looks at, on a stream of their own."""
    table = counts_of_composition(runs=3)
    budgets = np.array(SETTINGS["budgets_nats"])

    class Alone:
        """A reading's account with those behind it."""

        def __init__(self, name):
            self.accounts = accounts_of_the_readings(2, 4, 1e-3, 500)
            self.bound_loss = self.accounts[name].bound_loss
            self.bound_loss_after = self.accounts[name].bound_loss_after

        def add(self, query, output):
            for account in self.accounts.values():
                account.add(query, output)

    for grouped in GROUPED:
        found = grouping._split_by_basis(table, grouped, 0 if grouped == "none" else 4, budgets)
        for run in range(3):
            steps = run_accounts(
                iterate_queries(
                    "linear", dimensions=2, parameter_range=1.0, epsilon_nats=0.1, seed=5, run=run
                ),
                {grouped: Alone(grouped)},
                budgets,
            )[grouped]
            for basis, column in (("certified", "bayesian"), ("possible", "bayesian_possible")):
                expected = count_accepted_queries(steps[column].to_numpy(), budgets)
                np.testing.assert_array_equal(found[basis][run], expected)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"size": 5}, "must have groups of 5"),
        ({"budgets_nats": [0.2, 0.9]}, r"budgets \[0.2, 0.9\]"),
        ({"epsilon_nats": 0.3}, "at most the smallest of `budgets_nats`, 0.2, .* got 0.3"),
    ],
)
def test_counts_that_are_missing_are_an_error(changed, message):
    with pytest.raises(ConfigError, match=message):
        grouping_tables(counts_of_composition(runs=1), **changed)


@pytest.mark.slow
def test_the_tables_are_those_of_a_few_runs_counted_by_hand():
    tables = grouping_tables(counts_of_composition())
    tables = {name: table[table["regression"] == "linear"] for name, table in tables.items()}
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
def test_slope_ratios_of_a_line_and_of_a_parabola_are_those_computed_by_hand(power, ratio):
    budgets = np.linspace(0.1, 1.0, 10)
    found = grouping._compute_slope_ratio(7 * budgets[None] ** power, budgets)
    assert found[0] == pytest.approx(ratio)


@pytest.mark.slow
def test_interval_of_the_median_of_other_runs_covers():
    rng = make_generator(6, "test_grouping", "coverage")
    ours, others, repeats = 200, 50, 400
    inside = 0
    for _ in range(repeats):
        interval = grouping.estimate_median_of_others(rng.exponential(size=ours), others)
        inside += interval.low <= np.median(rng.exponential(size=others)) <= interval.high
    assert inside / repeats > 0.93
    values = rng.normal(size=51)
    assert grouping.estimate_median_of_others(values, 51) == estimate_run_median(values)
