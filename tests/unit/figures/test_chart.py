"""Charts: what they take out of the tables, and their specifications, against plain loops."""

import ast
import dataclasses
import json
import math

import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.figures.chart import Axis, Chart, chart_data, packed
from noiseless.page.charts import CHARTS
from noiseless.tables import Provenance, tidy
from toy_claims import GRID, REAL, SAMPLE

TOY = Chart(
    key="toy",
    title="Who wins?",
    about="A toy.",
    tables={"toy/t": {}},
    statistics={"advantage": "advantage"},
    x=Axis("eps", "ε", at="ε = {}"),
    y=Axis("value", "advantage"),
    line="n",
    says="{n} homes: {value:games} at {at}.",
)


def unpacked(columns):
    """The inverse of ``packed`` for all columns: a list of rows."""
    values = {name: [each["of"][place] for place in each["at"]] for name, each in columns.items()}
    return [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]


def sourced(table, source=SAMPLE):
    return table, Provenance("c" * 16, (source,))


def drawn_rows(chart, tables):
    data = chart_data(chart, tables)
    json.dumps(data, allow_nan=False)
    return unpacked(data["columns"])


def controls(data):
    """Options and first choice of every control, by the column."""
    return {
        each["name"].removeprefix("pick_"): (each["bind"]["options"], each["value"])
        for each in data["spec"]["params"]
    }


def test_a_chart_is_described_in_at_most_20_lines(root):
    files = sorted((root / "workflow/noiseless/papers").glob("*/figures/charts.py"))
    calls = [
        call
        for file in files
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Chart"
    ]
    assert len(calls) == len(CHARTS)
    for call in calls:
        assert call.end_lineno - call.lineno < 20, call.keywords[0].value.value


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([4, 4, 4], {"of": [4], "at": [0, 0, 0]}),
        (["b", "a"] * 2, {"of": ["b", "a"], "at": [0, 1] * 2}),
        ([math.inf, -math.inf, math.nan], {"of": ["inf", "-inf", None], "at": [0, 1, 2]}),
        (
            [2 / 3, 1e-9 / 3, 123456789.0],
            {"of": [0.666667, 3.33333e-10, 123457000], "at": [0, 1, 2]},
        ),
    ],
)
def test_packed(values, expected):
    assert packed(pd.Series(values)) == expected


def games_table():
    """A table as that of the membership game, with intervals and further statistics."""
    wide = pd.DataFrame(
        {
            "adversary": ["b", "b", "a", "a", "control"],
            "n": 8,
            "epsilon": [1.0, math.inf, 1.0, math.inf, 0.0],
            "advantage": [0.1, 0.5, 1 / 3, 0.6, 0.0],
            "games": 400,
        }
    )
    table = tidy(wide, ["adversary", "n", "epsilon"])
    estimate = table["statistic"] == "advantage"
    table["low"] = (table["value"] - 0.05).where(estimate)
    table["high"] = (table["value"] + 0.05).where(estimate)
    return table


GAMES = dataclasses.replace(
    TOY,
    x=Axis("epsilon", "ε", at="ε = {}"),
    line="adversary",
    everywhere=("control",),
    names={math.inf: "exact", "a": "Ada"},
    choices={"n": "Homes"},
    first={"epsilon": math.inf},
    says="{n}: {value:games} of {games:count} at {at}, {homes:count} homes.",
    join="toy/homes",
)


def test_rows_of_a_chart_are_those_of_its_table():
    wide = pd.DataFrame({"epsilon": [1.0, math.inf], "homes": [24.0, 30.0]})
    tables = {
        "toy/t": sourced(games_table()),
        "toy/homes": sourced(tidy(wide, ["epsilon"])),
        "toy/other": sourced(GRID),
    }
    rows = drawn_rows(GAMES, tables)
    # By a plain loop over the long table; the control holds at every place.
    table = games_table()
    homes = {"ε = 1": 24, "exact": 30}
    budgets = {"ε = 1": 1.0, "exact": math.inf}
    names = {"Ada": "a", "b": "b", "control": "control"}
    assert {(row["adversary"], row["at"]) for row in rows} == {
        (name, at) for name in names for at in budgets
    }
    for row in rows:
        adversary = names[row["adversary"]]
        epsilon = 0.0 if adversary == "control" else budgets[row["at"]]
        cell = table[(table["adversary"] == adversary) & (table["epsilon"] == epsilon)]
        cell = cell.set_index("statistic")
        assert row["value"] == pytest.approx(cell.loc["advantage", "value"], rel=1e-5)
        for end in ("low", "high"):
            assert row[end] == pytest.approx(cell.loc["advantage", end], rel=1e-5)
        assert row["games"] == 400
        assert row["homes"] == (None if adversary == "control" else homes[row["at"]])
        assert (row["n"], row["sample"]) == ("8", True)
    assert controls(chart_data(GAMES, tables)) == {
        "n": (["8"], "8"),
        "at": (["ε = 1", "exact"], "exact"),
    }


def test_statistics_may_be_the_ends_of_an_interval_the_lines_or_a_choice():
    wide = pd.DataFrame({"budget": [1, 2], "p10": [3, 4], "median": [5, 6], "p90": [7, 8]})
    tables = {"toy/t": sourced(tidy(wide, ["budget"]), REAL)}
    chart = dataclasses.replace(
        TOY,
        statistics={"median": "middle"},
        ends=("p10", "p90"),
        x=Axis("budget", "budget"),
        line="statistic",
        says="{value:number}",
    )
    rows = drawn_rows(chart, tables)
    assert [(row["low"], row["value"], row["high"]) for row in rows] == [(3, 5, 7), (4, 6, 8)]
    assert "sample" in rows[0]
    assert not rows[0]["sample"]
    chart = dataclasses.replace(chart, statistics={"p90": "upper", "p10": "lower"}, ends=())
    found = {(row["budget"], row["statistic"]): row["value"] for row in drawn_rows(chart, tables)}
    assert found == {(1, "upper"): 7, (2, "upper"): 8, (1, "lower"): 3, (2, "lower"): 4}
    assert set(controls(chart_data(chart, tables))) == {"at"}
    wide = wide.assign(n=4)
    chart = dataclasses.replace(chart, line="n", choices={"statistic": "Shown"})
    data = chart_data(chart, {"toy/t": sourced(tidy(wide, ["budget", "n"]))})
    assert controls(data)["statistic"] == (["upper", "lower"], "upper")


def test_tables_of_two_datasets_are_told_apart():
    chart = dataclasses.replace(
        TOY,
        tables={name: {"dataset": name[-1]} for name in ("toy/t", "toy/gone", "toy/u")},
        choices={"dataset": "Data"},
    )
    halved = GRID.assign(value=GRID["value"] / 2)
    rows = drawn_rows(chart, {"toy/t": sourced(GRID), "toy/u": sourced(halved, REAL)})
    assert {(row["dataset"], row["sample"]) for row in rows} == {("t", True), ("u", False)}
    assert sum(row["value"] for row in rows) == pytest.approx(1.5 * GRID["value"].sum())


def test_chart_without_a_table_is_left_out():
    assert chart_data(TOY, {"toy/other": sourced(GRID)}) is None


def test_a_line_without_a_row_has_one_to_say_why():
    table = GRID[~((GRID["n"] == 8) & (GRID["eps"] == 2))]
    assert len(drawn_rows(TOY, {"toy/t": sourced(table)})) == len(table)
    chart = dataclasses.replace(TOY, empty="{n} homes: none.")
    rows = drawn_rows(chart, {"toy/t": sourced(table)})
    [row] = [row for row in rows if row["value"] is None]
    assert (row["n"], row["at"]) == ("8", "ε = 2")
    assert len(rows) == len(GRID)


def test_of_places_with_one_label_the_nearest_is_chosen():
    wide = pd.DataFrame({"eps": [0.1, 0.19953, 0.2, 1234.0], "n": 2, "advantage": 0.5})
    data = chart_data(TOY, {"toy/t": sourced(tidy(wide, ["eps", "n"]))})
    assert controls(data)["at"][0] == ["ε = 0.1", "ε = 0.2", "ε = 1,230"]
    chosen = {row["eps"]: row["at"] for row in unpacked(data["columns"])}
    assert chosen == {0.1: "ε = 0.1", 0.19953: None, 0.2: "ε = 0.2", 1234: "ε = 1,230"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"says": "{value:euros}"}, "has the format `euros`; there are number, percent"),
        ({"says": "{homes}"}, "the table toy/t has no column or statistic `homes`"),
        ({"line": "statistic"}, "several rows of its tables have eps 1"),
        ({"line": "m"}, "no column or statistic `m`"),
        ({"x": Axis("e", "e")}, "no column or statistic `e`"),
        ({"choices": {"m": ""}}, "no column or statistic `m`"),
        ({"statistics": {"v": ""}}, "none of the statistics v"),
        ({"ends": ("p1", "p9")}, "no column or statistic `p1`"),
    ],
)
def test_chart_that_does_not_fit_its_table(change, says):
    chart = dataclasses.replace(TOY, **change)
    with pytest.raises(ConfigError) as error:
        chart_data(chart, {"toy/t": sourced(GRID)})
    assert "chart `toy`" in str(error.value)
    assert says in str(error.value)


def test_two_values_never_look_like_one():
    wide = pd.DataFrame({"eps": 1, "n": [1024, 1025], "advantage": [0.1, 0.2]})
    table = {"toy/t": sourced(tidy(wide, ["eps", "n"]))}
    assert {row["n"]: row["value"] for row in drawn_rows(TOY, table)} == {"1024": 0.1, "1025": 0.2}
    wide = wide.assign(n=["laplace", "Laplace noise"])
    chart = dataclasses.replace(TOY, names={"laplace": "Laplace noise"})
    rows = drawn_rows(chart, {"toy/t": sourced(tidy(wide, ["eps", "n"]))})
    assert {row["n"]: row["value"] for row in rows} == {"laplace": 0.1, "Laplace noise": 0.2}


def test_prepare_takes_rows_away():
    chart = dataclasses.replace(TOY, prepare=lambda rows: rows[rows["n"] == 8])
    rows = drawn_rows(chart, {"toy/t": sourced(GRID)})
    assert [row["value"] for row in rows] == [0.05, 0.1, 0.3]


def test_keys_of_charts_are_their_own_and_safe_in_an_address():
    keys = [chart.key for chart in CHARTS]
    assert len(set(keys)) == len(keys)
    assert all(key.replace("-", "").isalnum() for key in keys)


def test_chart_of_queries_takes_several_numbers_of_runs():
    """As config.yaml has them, and smoke.yaml has not."""
    (chart,) = (each for each in CHARTS if each.key == "queries")
    cells = {"regression": "linear", "group": 10, "basis": "certified"}
    rows = [
        {**cells, "filter": filtered, "runs": runs, "budget_nats": budget, "statistic": name}
        for filtered in ("bayesian", "basic")
        for runs in (50, 500)
        for budget in (0.5, 1.0)
        for name in ("p10", "median", "p90")
    ]
    table = pd.DataFrame(rows).assign(value=1.0, low=math.nan, high=math.nan)
    data = chart_data(chart, {"knowledge/composition_accepted_linear": sourced(table)})
    assert controls(data)["runs"] == (["50", "500"], "50")


def membership(*adversaries, **cell):
    """A table of advantages with intervals, for one n and epsilon."""
    wide = pd.DataFrame({"adversary": adversaries, "n": 2, "epsilon_bits": 1.0, **cell})
    along = [name for name in wide if name != "advantage"]
    return tidy(wide, along).assign(low=0.0, high=1.0)


def test_chart_of_membership_holds_the_trained_and_the_strongest_adversary():
    (chart,) = (each for each in CHARTS if each.key == "membership")
    tables = {
        "noiseless/membership_london": membership("mse", "control", advantage=[0.1, 0.0]),
        "noiseless/membership_learned_london": membership("mse", "learned", advantage=[0.3, 0.2]),
        "beyond/adversaries_repeated_london": pd.concat(
            membership("exact", "normal", "any", "control", days=days, advantage=values)
            for days, values in ((1, [0.9, 0.8, 1.0, 1.0]), (30, [0.6, 0.7, 1.0, 1.0]))
        ),
    }
    rows = drawn_rows(chart, {name: sourced(table) for name, table in tables.items()})
    assert {row["adversary"]: row["value"] for row in rows} == {
        "mean square error": 0.1,
        "control (sees no output)": 0,
        "learned": 0.2,
        "strongest of those who know more": 0.7,
    }
    # Without the tables of other papers the papers' adversaries are shown all the same.
    alone = drawn_rows(chart, {key: sourced(tables[key]) for key in list(tables)[:1]})
    assert {row["adversary"] for row in alone} == {"mean square error", "control (sees no output)"}
