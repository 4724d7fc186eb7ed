"""The ledger: what the judge says of right tables, of wrong ones, and of bad claims files."""

import json
import math
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.errors import ConfigError
from noiseless.ledger.claims import Bounds, Check, Claim, Order, Tolerance, load_claims
from noiseless.ledger.judge import COLUMNS, judge_claims
from noiseless.ledger.statements import build_statements
from noiseless.seeds import make_generator
from noiseless.tables import Provenance, Source
from toy_claims import FAILS, GRID, PASSES, REAL, SAMPLE, claims_file, entry, erratum, table

OWN = Source("ausgrid", "local", "cc" * 32, "other")


@pytest.fixture
def verdict(tmp_path):
    """Judge one claim against one table; gives its row of the ledger."""

    def judge(check, data, sources=(), **more):
        claims = load_claims(claims_file(tmp_path, entry(check, **more)))
        ledger = judge_claims(claims, {"toy/t": (data, Provenance("c", tuple(sources)))})
        assert tuple(ledger.columns) == COLUMNS
        assert all(isinstance(cell, str) for cell in ledger.iloc[0])
        return ledger.iloc[0]

    return judge


WHY = "why: two printed digits"
EXACT = "tolerance: {absolute: 0, why: w}"


def grid_with(n, eps, value):
    changed = GRID.copy()
    changed.loc[(changed["n"] == n) & (changed["eps"] == eps), "value"] = value
    return changed


# Relations and reductions, each with a right and a wrong table ---------------------------------

RELATIONS = [
    # check, a cell of the grid and a value that makes the check fail, what the note must say
    (
        "{where: {n: 4, eps: 2}, equals: 0.2, tolerance: {absolute: 0.01, why: w}}",
        (4, 2, 0.3),
        ["0.3 is above 0.2 by 0.1 (50%)"],
    ),
    (
        "{where: {n: 4, eps: 2}, equals: 0.2, tolerance: {relative: 0.1, why: w}}",
        (4, 2, 0.1),
        ["0.1 is below 0.2 by 0.1 (50%)"],
    ),
    ("{where: {n: 8, eps: 1}, at_most: 0.05}", (8, 1, 0.06), ["0.06 is above 0.05 by 0.01 (20%)"]),
    ("{where: {n: 8, eps: 3}, at_least: 0.3}", (8, 3, 0.15), ["0.15 is below 0.3 by 0.15 (50%)"]),
    ("{where: {n: 8, eps: 2}, between: [0.1, 0.2]}", (8, 2, 0.4), ["0.4 is above 0.2 by 0.2"]),
    ("{where: {n: 8, eps: 2}, between: [0.1, 0.2]}", (8, 2, 0.05), ["0.05 is below 0.1 by 0.05"]),
    ("{reduce: max, at_most: 0.4}", (4, 1, 0.5), ["0.5 is above 0.4"]),
    ("{reduce: min, at_least: 0.05}", (4, 3, 0.01), ["0.01 is below 0.05"]),
    (
        "{reduce: sum, equals: 1.15, tolerance: {absolute: 1.0e-9, why: w}}",
        (4, 1, 0.2),
        ["1.25 is above 1.15 by 0.1"],
    ),
    (
        "{where: {n: 8}, reduce: mean, equals: 0.15, tolerance: {absolute: 1.0e-9, why: w}}",
        (8, 3, 0.6),
        ["0.25 is above 0.15 by 0.1"],
    ),
    (
        "{reduce: all, between: [0.05, 0.4]}",
        (4, 2, 0.6),
        ["1 of 6 fail: n 4, eps 2: 0.6 is above 0.4"],
    ),
    (
        "{where: {n: 4}, by: eps, equals: {1: 0.1, 3: 0.4}, tolerance: {absolute: 0, why: w}}",
        (4, 3, 0.5),
        ["1 of 2 fail: eps 3: 0.5 is above 0.4 by 0.1 (25%)"],
    ),
    (
        "{nondecreasing: {along: eps}}",
        (8, 2, 0.02),
        ["1 of 2 groups", "eps 1 has 0.05, eps 2 has 0.02, lower by 0.03 (60%) (n 8)"],
    ),
    ("{increasing: {along: eps}}", (8, 2, 0.05), ["eps 2 has 0.05, an equal value (n 8)"]),
    ("{nonincreasing: {along: n}}", (8, 3, 0.5), ["n 4 has 0.4, n 8 has 0.5, higher by 0.1"]),
    ("{decreasing: {along: n}}", (8, 3, 0.4), ["n 8 has 0.4, an equal value (eps 3)"]),
]


@pytest.mark.parametrize(("check", "wrong", "says"), RELATIONS)
def test_relation_passes_and_fails(verdict, check, wrong, says):
    right = verdict(check, GRID)
    assert (right["verdict"], right["note"]) == ("reproduced", "")
    row = verdict(check, grid_with(*wrong))
    assert row["verdict"] == "differs"
    for part in says:
        assert part in row["note"]


@pytest.mark.parametrize(("check", "wrong", "_"), RELATIONS)
def test_nan_never_passes(verdict, check, wrong, _):
    n, eps, _ = wrong
    row = verdict(check, grid_with(n, eps, math.nan))
    assert (row["verdict"], row["observed"]) == ("differs", "NaN")
    assert "hold NaN" in row["note"]


def test_nan_fails_even_a_count(verdict):
    row = verdict("{reduce: count, at_least: 0}", grid_with(4, 2, math.nan))
    assert row["verdict"] == "differs"
    assert "1 of 6 selected rows hold NaN" in row["note"]


def test_count_is_of_selected_rows(verdict):
    check = "{where: {n: 4}, reduce: count, equals: 3, tolerance: {absolute: 0, why: a count}}"
    assert verdict(check, GRID)["verdict"] == "reproduced"
    row = verdict(check, GRID.iloc[1:])
    assert row["verdict"] == "differs"
    assert row["observed"] == "2 (count of 2 rows)"


def test_a_row_says_what_was_expected_and_observed(verdict):
    row = verdict("{reduce: max, equals: 0.41, tolerance: {relative: 0.05, why: read off}}", GRID)
    assert row["expected"] == "max 0.41"
    assert row["observed"] == "0.4 (max of 6 rows)"
    assert row["tolerance"] == "5% (read off)"
    assert (row["tier"], row["dataset"]) == ("-", "-")
    row = verdict("{reduce: all, at_most: 1}", GRID, sources=[SAMPLE])
    assert (row["expected"], row["observed"]) == ("all rows at most 1", "0.05 to 0.4 (6 rows)")
    assert (row["tier"], row["dataset"], row["tolerance"]) == ("sample", "ausgrid", "-")
    row = verdict("{where: {n: 4}, nondecreasing: {along: eps}}", GRID)
    assert (row["expected"], row["observed"]) == ("nondecreasing along eps", "0.1, 0.2, 0.4")
    row = verdict("{nondecreasing: {along: eps}}", GRID)
    assert row["observed"] == "0.05 to 0.4 (6 rows in 2 groups)"


def test_all_lists_the_worst_first(verdict):
    row = verdict("{reduce: all, at_most: 0.15}", GRID)
    assert row["note"].startswith("3 of 6 fail: n 4, eps 3: 0.4 is above 0.15 by 0.25")


def test_by_lists_every_number(verdict):
    check = "{where: {n: 4}, by: eps, equals: {1: 0.1, 2: 0.2}, tolerance: {absolute: 0, why: w}}"
    row = verdict(check, GRID)
    assert row["expected"] == row["observed"] == "eps 1: 0.1; eps 2: 0.2"


def test_by_takes_text_keys(verdict):
    data = table(("0000", 2.4639), ("0010", 2.4084), columns="outputs value")
    check = "{by: outputs, equals: {'0000': 2.4639, '0010': %s}, tolerance: {absolute: 0, why: w}}"
    assert verdict(check % 2.4084, data)["verdict"] == "reproduced"
    assert "1 of 2 fail: 0010: 2.4084 is below 2.5" in verdict(check % 2.5, data)["note"]


def test_all_and_by_accept_a_single_row(verdict):
    one = GRID.iloc[:1]
    assert verdict("{reduce: all, at_most: 0.1}", one)["verdict"] == "reproduced"
    assert verdict("{reduce: all, at_most: 0.09}", one)["verdict"] == "differs"


def test_infinities_equal_only_themselves(verdict):
    check = "{equals: .inf, tolerance: {relative: 0.5, why: w}}"
    one = table((1, 1, "leakage", math.inf))
    assert verdict(check, one)["verdict"] == "reproduced"
    assert verdict(check, one.assign(value=-math.inf))["verdict"] == "differs"
    assert verdict(check, one.assign(value=1e300))["verdict"] == "differs"
    finite = "{equals: 3, tolerance: {relative: 0.5, why: w}}"
    assert verdict(finite, one)["verdict"] == "differs"


# Tolerances -----------------------------------------------------------------------------------

DECIMALS = st.decimals(-(10**6), 10**6, places=4).map(float)


def number_verdict(observed, bounds, tolerance):
    claim = Claim(
        "toy-1", "toy", "Title", "Eq. 1", "So.", Check("toy/t", bounds, tolerance=tolerance)
    )
    data = pd.DataFrame({"value": [observed]})
    return judge_claims([claim], {"toy/t": (data, Provenance("c"))}).iloc[0]["verdict"]


@given(DECIMALS, DECIMALS, st.decimals(0, 100, places=4).map(float))
def test_absolute_tolerance_agrees_with_fractions(expected, observed, tolerance):
    inside = abs(Fraction(str(observed)) - Fraction(str(expected))) <= Fraction(str(tolerance))
    got = number_verdict(observed, Bounds(expected, expected), Tolerance(tolerance, why="w"))
    assert got == ("reproduced" if inside else "differs")


@given(DECIMALS, DECIMALS, st.decimals(0, "0.99", places=2).map(float))
def test_relative_tolerance_agrees_with_fractions(expected, observed, share):
    printed = Fraction(str(expected))
    inside = abs(Fraction(str(observed)) - printed) <= Fraction(str(share)) * abs(printed)
    got = number_verdict(observed, Bounds(expected, expected), Tolerance(relative=share, why="w"))
    assert got == ("reproduced" if inside else "differs")


@given(DECIMALS, st.integers(0, 10**6), st.sampled_from([-1, 1]))
def test_exactly_at_the_tolerance_passes_and_just_outside_fails(expected, steps, side):
    def at(ten_thousandths):
        return float(Fraction(str(expected)) + side * Fraction(ten_thousandths, 10**4))

    tolerance = Tolerance(steps / 10**4, why="w")
    assert number_verdict(at(steps), Bounds(expected, expected), tolerance) == "reproduced"
    assert number_verdict(at(steps + 1), Bounds(expected, expected), tolerance) == "differs"


@pytest.mark.parametrize(
    ("relation", "passes", "fails"),
    [
        ("equals: 0.3", [0.2, 0.4], [0.19999999, 0.40000001]),
        ("at_most: 0.3", [0.4, -9], [0.40000001, math.inf]),
        ("at_least: 0.3", [0.2, math.inf], [0.19999999, -math.inf]),
        ("between: [0.3, 0.7]", [0.2, 0.8], [0.19999999, 0.80000001]),
    ],
)
def test_tolerance_widens_each_relation(verdict, relation, passes, fails):
    check = f"{{{relation}, tolerance: {{absolute: 0.1, {WHY}}}}}"
    for value in passes:
        assert verdict(check, table((1, 1, "s", value)))["verdict"] == "reproduced", value
    for value in fails:
        assert verdict(check, table((1, 1, "s", value)))["verdict"] == "differs", value


def test_without_tolerance_none_is_granted(verdict):
    assert verdict("{at_most: 1}", table((1, 1, "s", 1.0)))["verdict"] == "reproduced"
    assert verdict("{at_most: 1}", table((1, 1, "s", 1.0 + 1e-15)))["verdict"] == "differs"


# Intervals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relation", "low", "high", "expected"),
    [
        # equals: some point of the interval is within the tolerance of the number
        ("equals: 0.5, tolerance: {absolute: 0.1, why: w}", 0.45, 0.7, "reproduced"),
        ("equals: 0.5, tolerance: {absolute: 0.1, why: w}", 0.6, 0.7, "reproduced"),
        ("equals: 0.5, tolerance: {absolute: 0.1, why: w}", 0.2, 0.4, "reproduced"),
        ("equals: 0.5, tolerance: {absolute: 0.1, why: w}", 0.61, 0.7, "differs"),
        ("equals: 0.5, tolerance: {absolute: 0.1, why: w}", 0.2, 0.39, "differs"),
        ("equals: 0.5, tolerance: {absolute: 0, why: w}", 0.6, 0.4, "differs"),
        # the others: all of the interval satisfies the relation, none of it, or some
        ("at_most: 0.5", 0.3, 0.5, "reproduced"),
        ("at_most: 0.5", 0.3, 0.51, "inconclusive"),
        ("at_most: 0.5", 0.5, 0.6, "inconclusive"),
        ("at_most: 0.5", 0.51, 0.6, "differs"),
        ("at_most: 0.5", 0.6, 0.4, "differs"),
        ("at_least: 0.5", 0.5, 0.7, "reproduced"),
        ("at_least: 0.5", 0.49, 0.7, "inconclusive"),
        ("at_least: 0.5", 0.3, 0.49, "differs"),
        ("at_least: 0.5, tolerance: {absolute: 0.1, why: w}", 0.3, 0.4, "inconclusive"),
        ("at_least: 0.5, tolerance: {absolute: 0.1, why: w}", 0.3, 0.39, "differs"),
        ("between: [0.4, 0.6]", 0.4, 0.6, "reproduced"),
        ("between: [0.4, 0.6]", 0.4, 0.61, "inconclusive"),
        ("between: [0.4, 0.6]", 0.39, 0.6, "inconclusive"),
        ("between: [0.4, 0.6]", 0.1, 0.9, "inconclusive"),
        ("between: [0.4, 0.6]", 0.61, 0.9, "differs"),
        ("between: [0.4, 0.6]", 0.1, 0.39, "differs"),
        ("at_most: 0.5", 0.3, math.nan, "differs"),
        ("at_least: 0.1", math.nan, 0.5, "differs"),
    ],
)
def test_an_interval_on_both_sides_of_the_bound_is_inconclusive(
    verdict, relation, low, high, expected
):
    data = table((1, 1, "s", 0.5), low=low, high=high)
    row = verdict(f"{{{relation}, interval: true}}", data)
    assert row["verdict"] == expected
    assert ("holds both answers" in row["note"]) == (expected == "inconclusive")


def test_interval_stands_beside_the_value(verdict):
    data = table((1, 1, "s", 0.5), low=0.4, high=0.6)
    row = verdict("{at_most: 0.55, interval: true}", data)
    assert row["observed"] == "0.5 [0.4, 0.6]"
    assert row["verdict"] == "inconclusive"
    assert "the interval's upper end 0.6 is above 0.55 by 0.05" in row["note"]
    # Without `interval` the value alone counts.
    assert verdict("{at_most: 0.55}", data)["verdict"] == "reproduced"


def test_intervals_of_all_rows_and_of_entries_are_judged(verdict):
    data = GRID.assign(low=GRID["value"] - 0.01, high=(GRID["value"] + 0.01).round(4))
    assert verdict("{reduce: all, interval: true, at_most: 0.42}", data)["verdict"] == "reproduced"
    # Six intervals hold together: each is 2.64/1.96 as wide as alone.
    row = verdict("{reduce: all, interval: true, at_most: 0.412}", data)
    assert row["verdict"] == "inconclusive"
    assert "1 of 6 open: n 4, eps 3: the interval's upper end 0.41346" in row["note"]
    row = verdict("{reduce: all, interval: true, at_most: 0.38}", data)
    assert row["verdict"] == "differs"
    assert "1 of 6 fail: n 4, eps 3: the interval's lower end 0.386539" in row["note"]
    check = (
        "{where: {n: 8}, by: eps, equals: {1: %s}, interval: true,"
        " tolerance: {absolute: 0, why: w}}"
    )
    assert verdict(check % 0.06, data)["verdict"] == "reproduced"
    assert verdict(check % 0.07, data)["verdict"] == "differs"


# Orderings ------------------------------------------------------------------------------------


def series(values, direction, tolerance=None):
    data = table(*[(1, eps, "s", value) for eps, value in enumerate(values)])
    extra = f", tolerance: {{absolute: {tolerance}, why: noise}}" if tolerance is not None else ""
    return f"{{{direction}: {{along: eps}}{extra}}}", data


def test_order_follows_the_column_not_the_rows(verdict):
    shuffled = GRID.sample(frac=1, random_state=1)
    assert verdict("{increasing: {along: eps}}", shuffled)["verdict"] == "reproduced"
    assert verdict("{decreasing: {along: eps}}", shuffled)["verdict"] == "differs"


def test_order_goes_to_infinity(verdict):
    data = table((1, 1, "s", 0.1), (1, 2, "s", 0.2), (1, math.inf, "s", 0.3))
    assert verdict("{increasing: {along: eps}}", data)["verdict"] == "reproduced"
    endless = data.assign(value=[1.0, math.inf, math.inf])
    assert verdict("{nondecreasing: {along: eps}}", endless)["verdict"] == "reproduced"
    row = verdict("{increasing: {along: eps}}", endless)
    assert "eps 2 has inf, eps inf has inf, an equal value" in row["note"]


def test_an_order_may_break_by_its_tolerance_and_no_more(verdict):
    assert verdict(*series([0.3, 0.2], "nondecreasing", 0.1))["verdict"] == "reproduced"
    assert verdict(*series([0.3, 0.1999], "nondecreasing", 0.1))["verdict"] == "differs"
    assert verdict(*series([0.2, 0.3], "nonincreasing", 0.1))["verdict"] == "reproduced"
    assert verdict(*series([0.2, 0.3001], "nonincreasing", 0.1))["verdict"] == "differs"


def test_small_steps_back_do_not_add_up(verdict):
    row = verdict(*series([0.5, 0.45, 0.4, 0.35], "nondecreasing", 0.1))
    assert row["verdict"] == "differs"
    assert "eps 0 has 0.5, eps 3 has 0.35" in row["note"]


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=8), st.integers(0, 3))
def test_order_agrees_with_all_pairs(values, tolerance):
    pairs = [(a, b) for i, a in enumerate(values) for b in values[i + 1 :]]
    expected = {
        "nondecreasing": all(b >= a - tolerance for a, b in pairs),
        "nonincreasing": all(b <= a + tolerance for a, b in pairs),
        "increasing": all(b > a for a, b in pairs),
        "decreasing": all(b < a for a, b in pairs),
    }
    data = pd.DataFrame({"x": range(len(values)), "value": values})
    for direction, holds in expected.items():
        slack = Tolerance(tolerance if "non" in direction else 0, why="w")
        check = Check("toy/t", Order(direction, "x"), tolerance=slack)
        claim = Claim("toy-1", "toy", "T", "Fig. 1", "So.", check)
        ledger = judge_claims([claim], {"toy/t": (data, Provenance("c"))})
        assert ledger["verdict"].item() == ("reproduced" if holds else "differs"), direction


def test_within_names_the_groups(verdict):
    data = GRID.assign(levels=2 ** GRID["eps"])
    with pytest.raises(ConfigError, match=r"one row alone along `eps`.*`within`"):
        verdict("{increasing: {along: eps}}", data)
    check = "{increasing: {along: eps, within: [n]}}"
    assert verdict(check, data)["verdict"] == "reproduced"
    wrong = data.assign(value=data["value"].where(data["eps"] < 3, 0))
    assert verdict(check, wrong)["verdict"] == "differs"
    two = data[data["eps"] == 2].head(2)
    assert len(two) == 2
    with pytest.raises(ConfigError, match="rows of equal place along `eps`"):
        verdict("{increasing: {along: eps, within: []}}", data)
    # A grid of one point says nothing of an order.
    row = verdict("{increasing: {along: eps, within: []}}", two)
    assert row["verdict"] == "not tested"
    assert "Of toy/t, all rows have eps = 2: give the grid" in row["note"]


# Selections -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("{eps: 4}", "no row has eps = 4 in its column `eps`, which holds 1; 2; 3."),
        ("{eps: '2'}", "no row has eps = '2' in its column `eps`, which holds 1; 2; 3."),
        ("{eps: [2, 7]}", "no row has eps = 7"),
        ("{statistic: true}", "no row has statistic = True"),
    ],
)
def test_a_cell_that_a_run_lacks_leaves_its_claim_untested_and_no_other(tmp_path, where, says):
    """A thinner grid costs a run the verdicts of its cells alone."""
    lacking = entry(f"{{where: {where}, reduce: all, at_most: 1}}")
    amended = entry(FAILS, id="toy-2", erratum=erratum(f"{{where: {where}, at_most: 1}}"))
    claims = load_claims(claims_file(tmp_path, lacking, amended, entry(PASSES, id="toy-3")))
    ledger = judge_claims(claims, {"toy/t": (GRID, Provenance("c"))})
    assert ledger["verdict"].tolist() == ["not tested", "not tested", "reproduced"]
    for note in ledger["note"][:2]:
        assert note.startswith(f"Of toy/t, {says.rstrip('.')}")
        assert "give the grid of its experiment in the configuration the cell" in note


def test_a_column_that_is_not_there_is_an_error(verdict):
    with pytest.raises(ConfigError) as error:
        verdict("{where: {esp: 2}, reduce: all, at_most: 1}", GRID)
    assert "no column `esp`. Did you mean `eps`?" in str(error.value)
    for name in ("toy/claims.yaml", "claim `toy-1`", "table toy/t"):
        assert name in str(error.value)


@pytest.mark.parametrize(
    ("check", "data", "says"),
    [
        ("{increasing: {along: epz}}", GRID, "no column `epz`. Did you mean `eps`"),
        ("{increasing: {along: statistic}}", GRID, "not numeric"),
        ("{increasing: {along: eps, within: [m]}}", GRID, "no column `m`"),
        ("{where: {eps: 2, n: 4}, increasing: {along: eps}}", GRID, "one row alone"),
        ("{where: {n: 4}, at_most: 1}", GRID, "3 rows match.*eps 1; eps 2; eps 3"),
        (f"{{by: eps, equals: {{1: 0.1}}, {EXACT}}}", GRID, "2 rows have eps = 1.*n 4; n 8"),
        ("{reduce: count, at_most: 1}", GRID.iloc[:0].astype({"value": float}), "no rows"),
        ("{reduce: all, at_most: 1}", GRID.assign(value="many"), "`value` does not hold numbers"),
        ("{reduce: all, at_most: 1}", GRID.drop(columns="value"), "no column `value`"),
        ("{reduce: all, at_most: 1, interval: true}", GRID, "no column `low`"),
    ],
)
def test_what_cannot_be_judged_is_an_error(verdict, check, data, says):
    with pytest.raises(ConfigError, match=says):
        verdict(check, data)


def test_numbers_match_within_a_hair(verdict):
    data = table((1, 0.1 + 0.2, "s", 1.0), (1, 0.4, "s", 2.0))
    row = verdict("{where: {eps: 0.3}, equals: 1, tolerance: {absolute: 0, why: w}}", data)
    assert row["verdict"] == "reproduced"
    note = verdict("{where: {eps: 0.30001}, at_most: 1}", data)["note"]
    assert "no row has eps = 0.30001" in note


def test_booleans_and_lists_select_rows(verdict):
    data = GRID.assign(quantized=GRID["eps"] < 3)
    row = verdict("{where: {quantized: true, n: [4, 8]}, reduce: max, at_most: 1}", data)
    assert row["observed"] == "0.2 (max of 4 rows)"
    note = verdict("{where: {quantized: 1}, reduce: max, at_most: 1}", data)["note"]
    assert "no row has quantized = 1" in note


@pytest.mark.parametrize(
    ("check", "data", "says"),
    [
        (
            "{where: {n: 8, eps: 3}, at_most: 1}",
            GRID[(GRID["n"] != 8) | (GRID["eps"] != 3)],
            "no row has n = 8 together with the rest of `where`",
        ),
        (f"{{by: eps, equals: {{9: 0.1}}, {EXACT}}}", GRID, "no row has eps = 9"),
    ],
)
def test_cells_that_are_lacking_together_or_of_several_numbers(verdict, check, data, says):
    row = verdict(check, data)
    assert row["verdict"] == "not tested"
    assert says in row["note"]


# Settings that a table was made with -----------------------------------------------------------


def made_with(**settings):
    """Provenance of a table that records some settings, by their full names."""
    pairs = [[key.replace("__", "."), value] for key, value in settings.items()]
    return Provenance("c", settings=json.dumps(pairs))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, ""),
        ({"toy__k": 1, "toy__n": 7, "seed": 5, "half": 2}, ""),
        ({"toy__k": 1.0}, ""),
        ({"toy__k": 2}, "toy/t was made with toy.k = 2; the paper's is 1."),
        ({"toy__range": [0, 2]}, "toy/t was made with toy.range = [0, 2]; the paper's is [0, 1]."),
        ({"toy__tolerance": 0.001, "toy__points": [21, 30]}, ""),
        ({"toy__tolerance": 0.002}, "toy.tolerance = 0.002, too coarse for a verdict, which asks"),
        ({"toy__tolerance": 0.002}, "asks for at most 0.001."),
        ({"toy__points": [30, 20]}, "toy.points = [30, 20], too coarse"),
        ({"toy__points": [30, 20]}, "asks for at least 21."),
        ({"toy__new": 1}, "claims.yaml says neither what the paper's value is (`presumes`), nor"),
        ({"toy__k__x": 1}, "says neither"),
    ],
)
def test_a_table_made_with_other_settings_says_nothing_of_the_paper(tmp_path, settings, says):
    presumes = {"toy.k": 1, "toy.range": [0, 1]}
    folder = claims_file(
        tmp_path,
        entry(PASSES),
        entry("{table: toy/u, reduce: max, at_most: 1}", id="toy-2"),
        presumes=presumes,
        limits={"toy.tolerance": {"at_most": 0.001}, "toy.points": {"at_least": 21}},
        sizes=["toy.n"],
    )
    tables = {"toy/t": (GRID, made_with(**settings)), "toy/u": (GRID, made_with(toy__k=1))}
    first, second = judge_claims(load_claims(folder), tables).to_dict("records")
    assert second["verdict"] == "reproduced"
    assert first["verdict"] == ("not tested" if says else "reproduced")
    assert says in first["note"]


def test_what_is_open_says_how_precise_its_tables_are(tmp_path):
    """A recorded key is a precision by its type in the schema of the configuration."""
    settings = {"knowledge__scan__runs": 20, "knowledge__group_size": 7, "seed": 1}
    data = table((1, 1, "s", 0.5), low=0.4, high=0.6)
    keys = [key.replace("__", ".") for key in settings]
    notes = []
    for check in ("{at_most: 0.55, interval: true}", "{at_most: 0.65, interval: true}"):
        claims = load_claims(claims_file(tmp_path, entry(check), sizes=keys))
        notes.append(judge_claims(claims, {"toy/t": (data, made_with(**settings))})["note"][0])
    assert notes[0].endswith(
        "by 0.05 (9.09%). The precision of its tables: knowledge.scan.runs = 20."
    )
    assert notes[1] == ""


def test_too_few_cases_and_a_cell_that_lacks_name_the_sizes_of_the_table(tmp_path):
    settings = {"toy__n": [1, 2], "toy__k": 3, "seed": 1}
    checks = (
        "{table: toy/t, where: {statistic: s}, reduce: max, at_most: 99, demands: {t: 1000}}",
        "{table: toy/t, where: {a: 77}, reduce: max, at_most: 99}",
    )
    data = pd.DataFrame({"a": [1, 1], "statistic": ["s", "t"], "value": [5.0, 6.0]})
    for check, verdict in zip(checks, ("inconclusive", "not tested"), strict=True):
        folder = claims_file(tmp_path, entry(check), sizes=["toy.n"], presumes={"toy.k": 3})
        row = judge_claims(load_claims(folder), {"toy/t": (data, made_with(**settings))}).iloc[0]
        assert row["verdict"] == verdict, row["note"]
        assert "The sizes of its tables: toy.n = [1, 2]." in row["note"]


# Verdict routes -------------------------------------------------------------------------------


def test_a_claim_whose_correction_passes_is_corrected(verdict):
    row = verdict(FAILS, GRID, erratum=erratum(PASSES))
    assert row["verdict"] == "corrected"
    assert (row["expected"], row["observed"]) == ("0.25", "0.2")
    assert row["note"] == (
        "As printed: 0.2 is below 0.25 by 0.05 (20%). What holds instead: The opposite holds. "
        "Its check passes: expected 0.2, observed 0.2, tolerance 0 (exact)."
    )


def test_erratum_that_does_not_show_is_no_correction(verdict):
    row = verdict(PASSES, GRID, erratum=erratum(PASSES))
    assert row["verdict"] == "reproduced"
    assert "The erratum did not show" in row["note"]
    assert "passes too" in row["note"]
    row = verdict(PASSES, GRID, erratum=erratum(FAILS))
    assert row["verdict"] == "reproduced"
    assert "does not pass: 0.2 is below 0.25" in row["note"]


def test_erratum_that_fails_as_well_differs(verdict):
    row = verdict(FAILS, GRID, erratum=erratum("{reduce: max, at_most: 0.3}"))
    assert row["verdict"] == "differs"
    assert "As printed: 0.2 is below 0.25" in row["note"]
    assert "fails as well: 0.4 is above 0.3 by 0.1" in row["note"]


def test_the_most_favourable_reading_must_fail_as_well(verdict):
    """By the number that is written down; otherwise the statement is true in that reading."""
    check = "{{where: {{n: 8, eps: 2}}, equals: {}, tolerance: {{absolute: 0, why: exact}}}}".format
    for value, found in ((0.1, "corrected"), (0.2, "differs")):
        tried = {"reading": "r", "check": erratum(check(value))["check"]}
        row = verdict(FAILS, GRID, erratum={**erratum(PASSES), "friendliest": tried})
        assert row["verdict"] == found, row["note"]
    assert "The erratum's check (expected 0.2, observed 0.1" in row["note"]
    premise = {**erratum(PASSES), "friendliest": {"premise": "p"}}
    assert verdict(FAILS, GRID, erratum=premise)["verdict"] == "corrected"


def test_erratum_error_says_where(verdict):
    with pytest.raises(ConfigError, match=r"claim `toy-1` \(erratum\), table toy/t: it has no"):
        verdict(PASSES, GRID, erratum=erratum("{where: {m: 1}, at_most: 1}"))


@pytest.mark.parametrize("check", [PASSES, FAILS])
@pytest.mark.parametrize(
    ("sources", "says"),
    [
        ([SAMPLE], "toy/t was computed on a sample"),
        ([OWN], "other data (sha256 cccccccc...): a file whose digest differs"),
        ([], "ausgrid, which is not among the sources of toy/t"),
        ([Source("redd", "download", "dd" * 32, "registered")], "not among the sources"),
        ([REAL, SAMPLE], "computed on a sample"),
    ],
)
def test_needed_data_that_is_not_real(verdict, check, sources, says):
    row = verdict(check, GRID, sources=sources, needs=["ausgrid"])
    assert (row["verdict"], row["observed"]) == ("not tested", "-")
    assert says in row["note"]


@pytest.mark.parametrize("source", [REAL, Source("ausgrid", "local", REAL.sha256, "registered")])
def test_needed_data_that_is_real(verdict, source):
    row = verdict(PASSES, GRID, sources=[source], needs=["ausgrid"])
    assert (row["verdict"], row["tier"]) == ("reproduced", source.tier)
    row = verdict(FAILS, GRID, sources=[source], needs=["ausgrid"])
    assert (row["verdict"], row["dataset"]) == ("differs", "ausgrid")


def test_unneeded_sample_gets_a_verdict(verdict):
    row = verdict(PASSES, GRID, sources=[SAMPLE])
    assert (row["verdict"], row["tier"]) == ("reproduced", "sample")


def test_one_of_two_needed_datasets_on_a_sample(verdict):
    redd = Source("redd", "sample", "ee" * 32, "other")
    row = verdict(PASSES, GRID, sources=[REAL, redd], needs=["ausgrid", "redd"])
    assert row["verdict"] == "not tested"
    assert (row["tier"], row["dataset"]) == ("download+sample", "ausgrid+redd")
    assert "Needs the real data of redd" in row["note"]
    assert "Needs the real data of ausgrid" not in row["note"]


def test_missing_table_is_not_tested(tmp_path):
    claims = load_claims(claims_file(tmp_path, entry(PASSES, needs=["ausgrid"])))
    row = judge_claims(claims, {}).iloc[0]
    assert (row["verdict"], row["tier"], row["dataset"]) == ("not tested", "-", "-")
    assert row["note"].startswith("There is no table toy/t; its experiment was switched off.")
    assert row["note"].endswith("-- results/tables/toy/t.parquet")


def test_missing_table_of_the_erratum_is_not_tested(tmp_path):
    other = {**erratum(PASSES), "check": {"table": "toy/other", "at_most": 1, "reduce": "all"}}
    claims = load_claims(claims_file(tmp_path, entry(FAILS, erratum=other)))
    row = judge_claims(claims, {"toy/t": (GRID, Provenance("c", (SAMPLE,)))}).iloc[0]
    assert (row["verdict"], row["tier"]) == ("not tested", "sample")
    assert "toy/other" in row["note"]
    tables = {name: (GRID, Provenance("c", (REAL,))) for name in ("toy/t", "toy/other")}
    assert judge_claims(claims, tables).iloc[0]["verdict"] == "corrected"
    # A sample below either check spoils the verdict of a claim that needs the real data.
    needy = load_claims(claims_file(tmp_path, entry(FAILS, erratum=other, needs=["ausgrid"])))
    assert judge_claims(needy, tables).iloc[0]["verdict"] == "corrected"
    tables["toy/other"] = (GRID, Provenance("c", (SAMPLE,)))
    assert judge_claims(needy, tables).iloc[0]["verdict"] == "not tested"


def test_table_of_data_that_are_left_out_is_not_tested(tmp_path):
    """Whatever other table the claim has; the note names the data and the file that would do."""
    other = {**erratum(PASSES), "check": {"table": "toy/other", "at_most": 1, "reduce": "all"}}
    folder = claims_file(
        tmp_path,
        entry(FAILS, erratum=other, needs=["ausgrid"]),
        entry(FAILS, erratum=other, id="toy-2"),
    )
    tables = {"toy/other": (GRID, Provenance("c", (SAMPLE,)))}
    ledger = judge_claims(
        load_claims(folder), tables, known_tables=tables, left_out={"toy/t": "ausgrid"}
    )
    assert set(ledger["verdict"]) == {"not tested"}
    assert set(ledger["data"]) == set(ledger["tier"]) == set(ledger["dataset"]) == {"-"}
    first, second = ledger["note"]
    file = load_claims(folder)[0].used["ausgrid"].paper[0]
    assert first == (
        "The data of ausgrid were left out. To test it: make paper TARGET=toy DATA=FOLDER, where "
        f"FOLDER holds ausgrid/{file} (data/README.md)."
    )
    assert "FOLDER holds the folder ausgrid (" in second
    with pytest.raises(ConfigError, match="the workflow makes no table `toy/t`"):
        judge_claims(load_claims(folder), tables, known_tables=tables, left_out={"toy/u": "x"})


def test_misspelt_table_is_told_from_one_switched_off(tmp_path):
    claims = load_claims(claims_file(tmp_path, entry(PASSES)))
    ledger = judge_claims(claims, {}, known_tables=["toy/t", "toy/u"])
    assert ledger["verdict"].item() == "not tested"
    with pytest.raises(ConfigError, match="claim `toy-1`: the workflow makes no table `toy/t`"):
        judge_claims(claims, {}, known_tables=["toy/tt"])


def test_untested_claim_says_the_command(verdict):
    note = verdict(PASSES, GRID, sources=[SAMPLE], needs=["ausgrid"])["note"]
    assert "make paper TARGET=toy DATA=FOLDER, where FOLDER holds ausgrid/all.csv" in note


# What data, how sure, which words --------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "data"),
    [
        ([], "none"),
        ([SAMPLE], "sample"),
        ([REAL, SAMPLE], "sample"),
        ([REAL], "the paper's"),
        ([Source("ausgrid", "local", "ff" * 32, "registered", "b.csv")], "stand-in: other homes"),
        ([Source("redd", "local", "ff" * 32, "unknown", "b.csv")], "redd (local)"),
    ],
)
def test_the_kind_of_data_is_that_of_the_needed_sources(verdict, sources, data):
    needs = ["ausgrid"] if sources and sources[0].dataset == "ausgrid" else []
    assert verdict(PASSES, GRID, sources=sources, needs=needs)["data"] == data


def test_file_of_no_known_digest_counts_on_trust(verdict):
    named = Source("ausgrid", "local", "ee" * 32, "unknown", "all.csv")
    row = verdict(PASSES, GRID, sources=[named], needs=["ausgrid"])
    assert (row["verdict"], row["data"]) == ("reproduced", "the paper's")
    assert "Of ausgrid no digest is known" in row["note"]
    both = [Source("redd", "local", "ee" * 32, "unknown"), named]
    row = verdict(PASSES, GRID, sources=both, needs=["redd", "ausgrid"])
    assert row["note"].startswith("Of ausgrid and redd no digest is known")
    # A registered file is trusted by its digest, and a sample not at all.
    sample = Source("redd", "sample", "dd" * 32, "unknown")
    assert verdict(PASSES, GRID, sources=[REAL, sample], needs=["ausgrid"])["note"] == ""


def test_a_row_carries_quote_category_and_reading(verdict):
    row = verdict(PASSES, GRID, quote="it\nis so", category="own", reading="the first")
    assert row[["quote", "category", "reading"]].tolist() == ["it is so", "own", "the first"]
    row = verdict(PASSES, GRID)
    assert row[["quote", "category", "reading", "chance"]].tolist() == ["-", "paper", "-", "0"]


# Many intervals, and checks that say nothing ---------------------------------------------------


def test_intervals_of_a_paper_hold_together(tmp_path):
    data = GRID.assign(low=GRID["value"] - 0.01, high=GRID["value"] + 0.01)
    check = "{where: {n: %d}, reduce: all, at_most: 0.5, interval: true}"
    claims_file(tmp_path, entry(check % 4), entry(check % 8, id="toy-2"), entry(PASSES, id="toy-3"))
    claims = load_claims(claims_file(tmp_path, entry(check % 8, id="bar-1"), paper="bar"))
    ledger = judge_claims(claims, {"toy/t": (data, Provenance("c"))}).set_index("id")
    # Three of six comparisons each; the exact one cannot err; the other paper stands for itself.
    assert ledger["chance"].to_dict() == {
        "bar-1": "0.05",
        "toy-1": "0.025",
        "toy-2": "0.025",
        "toy-3": "0",
    }


def test_untested_claims_do_not_widen_the_others(tmp_path):
    data = GRID.assign(low=GRID["value"] - 0.01, high=(GRID["value"] + 0.01).round(4))
    check = "{where: {n: 4, eps: 3}, at_most: 0.41, interval: true}"
    needy = entry("{reduce: all, at_most: 1, interval: true}", id="toy-2", needs=["redd"])
    claims = load_claims(claims_file(tmp_path, entry(check), needy))
    ledger = judge_claims(claims, {"toy/t": (data, Provenance("c"))})
    assert ledger["verdict"].tolist() == ["reproduced", "not tested"]


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [(0.41, "reproduced"), (0.412, "inconclusive"), (0.415, "differs"), (0.388, "inconclusive")],
)
def test_widening_makes_agreement_with_a_number_no_easier(tmp_path, printed, verdict):
    """0.4 +- 0.01 by itself; with the five others, 0.4 +- 0.0135."""
    equals = f"equals: {{3: {printed}}}, tolerance: {{absolute: 0, why: w}}"
    folder = claims_file(
        tmp_path,
        entry(f"{{where: {{n: 4}}, by: eps, {equals}, interval: true}}"),
        entry("{where: {eps: [1, 2]}, reduce: all, at_most: 1, interval: true}", id="toy-2"),
        entry("{where: {n: 8, eps: 3}, at_most: 1, interval: true}", id="toy-3"),
    )
    data = GRID.assign(low=GRID["value"] - 0.01, high=GRID["value"] + 0.01)
    row = judge_claims(load_claims(folder), {"toy/t": (data, Provenance("c"))}).iloc[0]
    assert row["verdict"] == verdict
    assert row["observed"] == (
        "eps 3: 0.4 [0.39, 0.41], together with all others [0.386539, 0.413461]"
    )
    if verdict == "inconclusive":
        assert "of this claim alone does not hold it, the wide one does" in row["note"]


@pytest.mark.parametrize("relation", ["equals", "at_most"])
def test_what_a_claim_would_notice_is_what_it_notices(tmp_path, relation):
    """By 400,000 normal estimates of a truth that is off by what the row says."""
    deviation, spread, draws = 0.0134613, 0.01 / 1.9599640, 400_000
    is_number = relation == "equals"
    bound = "equals: 0.4, tolerance: {absolute: 0, why: w}" if is_number else "at_most: 0.4"
    folder = claims_file(
        tmp_path,
        entry(f"{{where: {{n: 4, eps: 3}}, {bound}, interval: true}}"),
        entry("{where: {eps: [1, 2]}, reduce: all, at_most: 1, interval: true}", id="toy-2"),
        entry("{where: {n: 8, eps: 3}, at_most: 1, interval: true}", id="toy-3"),
    )
    data = GRID.assign(low=GRID["value"] - 0.01, high=GRID["value"] + 0.01)
    row = judge_claims(load_claims(folder), {"toy/t": (data, Provenance("c"))}).iloc[0]
    said = re.fullmatch(
        r"(.+) \(then reproduced with a chance of (?:less than )?(.+)%\)", row["noticed"]
    )
    size, chance = map(float, said.groups())
    assert size == pytest.approx(deviation, rel=0.01)
    estimates = make_generator(1, "noticed").normal(0.4 + deviation, spread, draws)
    differs = estimates - deviation > 0.4
    agrees = np.abs(estimates - 0.4) <= 0.01 if is_number else estimates + deviation <= 0.4
    assert differs.mean() == pytest.approx(0.5, abs=0.004)
    assert agrees.mean() == pytest.approx(chance / 100, abs=0.004)


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("{reduce: max, at_most: 1}", "any deviation"),
        ("{increasing: {along: eps}}", "any deviation"),
        ("{reduce: max, equals: 0.4, tolerance: {absolute: 0.01, why: w}}", "more than 0.01"),
        ("{reduce: max, equals: 0.4, tolerance: {relative: 0.01, why: w}}", "more than 1%"),
    ],
)
def test_the_smallest_change_that_an_exact_claim_notices_is_named(verdict, check, said):
    assert verdict(check, GRID)["noticed"] == said


def test_intervals_that_hold_together_already_are_not_widened(verdict):
    data = GRID.assign(low=GRID["value"] - 0.01, high=(GRID["value"] + 0.01).round(4))
    check = "{where: {n: 4}, reduce: all, at_most: 0.41, interval: %s}"
    row = verdict(check % "{confidence: 0.99, together: true}", data)
    # Three of the six intervals that hold together with 99 %.
    assert (row["verdict"], row["chance"]) == ("reproduced", "0.005")
    beyond = check % "{confidence: 0.99, together: true}"
    row = verdict(beyond.replace("0.41", "0.405"), data)
    assert row["verdict"] == "inconclusive"  # 0.41 is the end of an interval, and no single number
    assert verdict(check % "true", data)["verdict"] == "inconclusive"


TALLY = table(
    *[
        (n, 1, statistic, value)
        for n in (4, 8)
        for statistic, value in {"violations": 0, "cases": 10, "violations_if_one_less": 4}.items()
    ]
)


@pytest.mark.parametrize(
    ("demands", "verdict_", "says"),
    [
        ("{cases: 20, violations_if_one_less: 8}", "reproduced", ""),
        ("{cases: 21}", "inconclusive", "its `cases` come to 20, and 21 are demanded"),
        ("{cases: 20, violations_if_one_less: 9}", "inconclusive", "come to 8, and 9 are demanded"),
    ],
)
def test_check_that_could_hardly_have_failed_is_void(verdict, demands, verdict_, says):
    check = f"{{where: {{statistic: violations}}, reduce: sum, at_most: 0, demands: {demands}}}"
    row = verdict(check, TALLY)
    assert row["verdict"] == verdict_
    assert says in row["note"]
    # What fails, fails all the same.
    broken = TALLY.assign(value=TALLY["value"] + 1)
    assert verdict(check, broken)["verdict"] == "differs"


def test_no_statement_stands_in_for_another(verdict):
    """Cases that could have failed are counted for each statement, not for all of them."""
    named = TALLY.rename(columns={"n": "statement"})
    named["statement"] = named["statement"].map({4: "a", 8: "b"})
    hollow = named["statistic"].eq("violations_if_one_less") & named["statement"].eq("b")
    check = (
        "{where: {statement: [a, b], statistic: violations}, reduce: sum, at_most: 0, "
        "demands: {cases: 20, violations_if_one_less: 4}, "
        "demands_each: {a: {violations_if_one_less: 4}, b: {violations_if_one_less: 4}}}"
    )
    assert verdict(check, named)["verdict"] == "reproduced"
    row = verdict(check, named.assign(value=named["value"].mask(hollow, 0)))
    assert row["verdict"] == "inconclusive"
    assert "its `violations_if_one_less` of `b` come to 0, and 4 are demanded" in row["note"]


def test_void_erratum_corrects_nothing(verdict):
    void = "{where: {statistic: violations}, reduce: sum, at_most: 0, demands: {cases: 21}}"
    check = "{where: {statistic: cases}, reduce: sum, at_most: 0}"
    row = verdict(check, TALLY, erratum=erratum(void))
    assert row["verdict"] == "inconclusive"
    assert "Vacuous" in row["note"]
    assert "in the section `toy` of the configuration" in row["note"]


def test_a_value_without_an_interval_neither_passes_nor_fails(verdict):
    """Of too few homes there is no interval; a row that has one may fail all the same."""
    check = "{reduce: all, interval: true, at_most: 0.5}"
    ends = {"low": GRID["value"] - 0.01, "high": GRID["value"] + 0.01}
    assert verdict(check, GRID.assign(**ends))["verdict"] == "reproduced"
    there = GRID["eps"] < 3
    some = GRID.assign(**{name: each.where(there) for name, each in ends.items()})
    row = verdict(check, some)
    assert (row["verdict"], row["observed"]) == ("inconclusive", "0.05 to 0.4 (6 rows)")
    assert "2 of 6 selected rows have no interval, for want of enough homes" in row["note"]
    assert verdict(check, GRID.assign(low=math.nan, high=math.nan))["verdict"] == "inconclusive"
    # Without an interval, not even a value that is far out fails.
    far = some.assign(value=some["value"].where(there, 9.0))
    assert verdict(check, far)["verdict"] == "inconclusive"
    assert verdict(check.replace("0.5", "0.1"), some)["verdict"] == "differs"
    assert verdict(check, some.assign(low=0.1))["verdict"] == "differs"


def test_verdict_that_flips_is_inconclusive(tmp_path):
    claims = load_claims(claims_file(tmp_path, entry(PASSES), entry(FAILS, id="toy-2")))
    tables = {"toy/t": (GRID, Provenance("c"))}
    ledger = judge_claims(claims, tables, flips={"toy-2": "the seed (2 of 5)"}).set_index("id")
    assert ledger["verdict"].to_dict() == {"toy-1": "reproduced", "toy-2": "inconclusive"}
    assert ledger.loc["toy-2", "note"].startswith(
        "By itself: differs. It depends on the seed (2 of 5). 0.2 is below"
    )


def test_rows_that_hold_nan_are_counted(verdict):
    """Rows, not columns: two of them, in one column."""
    holes = GRID.assign(value=GRID["value"].where(GRID.index > 1))
    row = verdict("{increasing: {along: eps, within: [n]}}", holes)
    assert row["observed"] == "NaN"
    assert f"2 of {len(GRID)} selected rows hold NaN" in row["note"]


# Every word of a row ---------------------------------------------------------------------------

EXACT = "tolerance: {absolute: 0, why: w}"
ALONE = table((1, 1, "s", 0.5), low=0.4, high=0.6)
AROUND = GRID.assign(low=GRID["value"] - 0.02, high=GRID["value"] + 0.02)
TEN = table(*[(4, eps, "s", eps / 10) for eps in range(1, 11)])
NUMBER = ALONE[["n", "eps", "statistic", "value"]]
THREE = pd.concat(
    [ALONE.assign(n=n, low=0.5 - w, high=0.5 + w) for n, w in enumerate((0, 0.1, 0.2))]
)
ORDER = [
    # check, table, observed, note
    ("{decreasing: {along: eps}}", TEN, "0.1 to 1 (10 rows)", "higher by 0.1 (100%)."),
    (
        "{decreasing: {along: eps}}",
        TEN.head(8),
        "0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8",
        "(100%).",
    ),
    (
        "{increasing: {along: eps, least: 0.1}}",
        GRID,
        "0.05 to 0.4 (6 rows in 2 groups)",
        "2 of 2 groups break the order; first break: eps 1 has 0.1, eps 2 has 0.2, higher by 0.1 "
        "(100%), where more than 0.1 is wanted (n 4).",
    ),
    # Groups come in the order of their rows.
    ("{decreasing: {along: eps}}", GRID[::-1], "0.05 to 0.4 (6 rows in 2 groups)", "(100%) (n 8)."),
    (
        "{increasing: {along: eps}}",
        table(*[(1, eps, "s", value) for eps, value in enumerate((0.2, 0.3, 0.3, 0.25))]),
        "0.2, 0.3, 0.3, 0.25",
        "first break: eps 1 has 0.3, eps 2 has 0.3, an equal value.",
    ),
    (
        "{nondecreasing: {along: eps}}",
        table(*[(1, eps, "s", value) for eps, value in enumerate((0.3, 0.3, 0.1))]),
        "0.3, 0.3, 0.1",
        "first break: eps 0 has 0.3, eps 2 has 0.1, lower by 0.2 (66.7%).",
    ),
    (
        "{nondecreasing: {along: eps}}",
        table((1, 1, "s", math.inf), (1, 2, "s", 0.3)),
        "inf, 0.3",
        "first break: eps 1 has inf, eps 2 has 0.3, lower by inf.",
    ),
]
ROWS = [
    (
        "{reduce: all, at_most: 0.05}",
        GRID,
        "0.05 to 0.4 (6 rows)",
        "5 of 6 fail: n 4, eps 3: 0.4 is above 0.05 by 0.35 (700%); n 8, eps 3: 0.3 is above 0.05 "
        "by 0.25 (500%); n 4, eps 2: 0.2 is above 0.05 by 0.15 (300%); and more.",
    ),
    ("{where: {n: 4}, reduce: all, at_most: 1}", GRID.assign(value=0.5), "0.5 (3 rows)", ""),
    (
        "{reduce: all, at_most: 0.15}",
        GRID,
        "0.05 to 0.4 (6 rows)",
        "3 of 6 fail: n 4, eps 3: 0.4 is above 0.15 by 0.25 (167%); n 8, eps 3: 0.3 is above 0.15 "
        "by 0.15 (100%); n 4, eps 2: 0.2 is above 0.15 by 0.05 (33.3%).",
    ),
    ("{reduce: sum, between: [1, 2]}", GRID, "1.15 (sum of 6 rows)", ""),
    (
        "{at_least: 0.5, interval: true}",
        ALONE,
        "0.5 [0.4, 0.6]",
        "the interval holds both answers: the interval's lower end 0.4 is below 0.5 by 0.1 (20%).",
    ),
    (
        "{between: [0.45, 0.55], interval: true}",
        ALONE,
        "0.5 [0.4, 0.6]",
        "the interval holds both answers: the interval's lower end 0.4 is below 0.45 by 0.05 "
        "(11.1%); the interval's upper end 0.6 is above 0.55 by 0.05 (9.09%).",
    ),
    (
        f"{{equals: 0.7, interval: true, {EXACT}}}",
        ALONE,
        "0.5 [0.4, 0.6]",
        "the interval's upper end 0.6 is below 0.7 by 0.1 (14.3%).",
    ),
    (
        f"{{equals: 0.3, interval: true, {EXACT}}}",
        ALONE,
        "0.5 [0.4, 0.6]",
        "the interval's lower end 0.4 is above 0.3 by 0.1 (33.3%).",
    ),
    (
        "{at_most: 0.5, interval: true}",
        ALONE.assign(low=0.6, high=0.4),
        "0.5 [0.6, 0.4]",
        "the interval [0.6, 0.4] is turned round.",
    ),
    (
        "{reduce: all, at_most: 0.3, interval: true}",
        AROUND,
        "0.05 to 0.4 (6 rows; the intervals from 0.0230785 to 0.426921)",
        "1 of 6 fail: n 4, eps 3: the interval's lower end 0.373079 is above 0.3 by 0.0730785 "
        "(24.4%).",
    ),
    (
        "{at_most: 0.5, interval: true}",
        ALONE.assign(high=math.nan),
        "NaN",
        "1 of 1 selected rows hold NaN.",
    ),
    (
        "{reduce: all, at_most: 0.2}",
        pd.DataFrame({"kind": ["a", "b"], "known": [False, True], "value": [0.1, 0.5]}),
        "0.1 to 0.5 (2 rows)",
        "1 of 2 fail: kind b, known True: 0.5 is above 0.2 by 0.3 (150%).",
    ),
    ("{at_most: 0.7, interval: true}", ALONE.assign(low=0.5, high=0.5), "0.5 [0.5, 0.5]", ""),
    ("{at_most: 0}", NUMBER, "0.5", "0.5 is above 0 by 0.5."),
    (f"{{equals: .inf, {EXACT}}}", NUMBER, "0.5", "0.5 is below inf by inf."),
    ("{at_most: 0.01}", NUMBER, "0.5", "0.5 is above 0.01 by 0.49 (49 times)."),
    (
        "{at_most: 0.0625}",
        NUMBER.assign(value=0.6875),
        "0.6875",
        "above 0.0625 by 0.625 (10 times).",
    ),
    (
        "{at_most: 1.0e+14}",
        NUMBER.assign(value=1.5e14),
        "150000000000000",
        "by 50000000000000 (50%).",
    ),
    ("{at_least: -1.0e+16}", NUMBER.assign(value=-2e16), "-2e+16", "below -1e+16 by 1e+16 (100%)."),
    ("{at_most: 1.0e+15}", NUMBER.assign(value=2e15), "2e+15", "above 1000000000000000.0 by 1e+15"),
]


@pytest.mark.parametrize(("check", "data", "observed", "note"), ORDER + ROWS)
def test_every_relation_has_its_words_in_a_row(verdict, check, data, observed, note):
    row = verdict(check, data)
    assert row["observed"] == observed
    assert note in row["note"]
    assert (row["verdict"] == "reproduced") == (row["note"] == "") == (note == "")


@pytest.mark.parametrize(
    ("check", "data", "said"),
    [
        # With 90 % an interval misses a truth that is off by its half width less rarely.
        (
            "{at_most: 0.7, interval: {confidence: 0.9, together: true}}",
            ALONE,
            "0.1 (then reproduced with a chance of 0.0501%)",
        ),
        (
            "{at_most: 0.7, interval: true}",
            ALONE,
            "0.1 (then reproduced with a chance of less than 0.01%)",
        ),
        (
            # The number may also lie beyond the other end: 50 % less 8.9 %.
            "{equals: 0.5, interval: {confidence: 0.5, together: true}, tolerance: {relative: 0.1, "
            "why: w}}",
            ALONE,
            "0.1 beyond the tolerance of 10% (then reproduced with a chance of 41.1%)",
        ),
        # The widest of several; an interval that is a point tells nothing.
        ("{reduce: all, at_most: 0.7, interval: true}", THREE, "0.244 "),
        ("{at_most: 0.7, interval: true}", ALONE.assign(low=0.5, high=0.5), "-"),
    ],
)
def test_the_smallest_change_that_a_claim_of_intervals_notices_is_named(verdict, check, data, said):
    assert verdict(check, data)["noticed"].startswith(said)


def test_lists_of_more_than_eight_are_abridged(verdict):
    """Values of a column, and rows that match."""
    many, eight = (verdict("{where: {eps: 11}, at_most: 1}", TEN.head(n))["note"] for n in (10, 8))
    assert "which holds 1; 2; 3; 4; 5; 6; 7; 8; ... (10 in all): give" in many
    assert "which holds 1; 2; 3; 4; 5; 6; 7; 8: give" in eight


def test_untested_claims_have_no_chance_to_miss(tmp_path):
    row = judge_claims(load_claims(claims_file(tmp_path, entry(PASSES))), {}).iloc[0]
    assert row[["observed", "chance", "noticed", "data"]].tolist() == ["-", "0", "-", "-"]


def test_a_group_may_be_named_by_nothing(verdict):
    """An order that breaks among rows without a value in the column that tells groups apart."""
    data = pd.concat([TEN.assign(m=math.nan, value=-TEN["value"]), TEN.assign(m=1.0)])
    row = verdict("{increasing: {along: eps}}", data)
    assert row["verdict"] == "differs"
    assert "1 of 2 groups break the order; first break: eps 1 has -0.1" in row["note"]


def test_what_a_reproduced_claim_depends_on_is_the_whole_note(tmp_path):
    claims = [
        entry(PASSES, presupposes="toy-2"),
        entry(FAILS, id="toy-2"),
        entry(PASSES, id="toy-3"),
    ]
    loaded = load_claims(claims_file(tmp_path, *claims))
    tables = {"toy/t": (GRID, Provenance("c"))}
    ledger = judge_claims(loaded, tables, flips={"toy-3": "the seed"}).set_index("id")
    assert ledger["note"].drop("toy-2").to_dict() == {
        "toy-1": "By itself: reproduced. But it presupposes toy-2, which is differs.",
        "toy-3": "By itself: reproduced. It depends on the seed.",
    }


def test_a_row_without_a_place_has_no_order(verdict):
    with pytest.raises(ConfigError, match="column `eps` is not numeric"):
        verdict("{increasing: {along: eps}}", TEN.assign(eps=TEN["eps"].where(TEN["eps"] > 1)))


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("{reduce: min, at_least: 0.05}", "min at least 0.05"),
        ("{reduce: all, at_most: 1}", "all rows at most 1"),
        ("{reduce: sum, between: [1, 2.5]}", "sum between 1 and 2.5"),
        (f"{{reduce: sum, equals: 2.0e+9, {EXACT}}}", "sum 2000000000"),
        (f"{{where: {{n: 4, eps: 2}}, equals: 0.2, {EXACT}}}", "0.2"),
        ("{increasing: {along: eps, least: 0.01}}", "increasing along eps by 0.01"),
        ("{nondecreasing: {along: eps}}", "nondecreasing along eps"),
    ],
)
def test_what_is_expected_in_words(verdict, check, expected):
    assert verdict(check, GRID)["expected"] == expected


# Sets of homes that stand in ------------------------------------------------------------------

ON_HOMES = {
    "homes": ["ausgrid", "london", "swiss"],
    "needs": ["{homes}"],
    "check": {
        "table": "toy/game_{homes}",
        "where": {"range_kwh": "{public_range_kwh}"},
        "reduce": "all",
        "at_most": 0.4,
        "interval": True,
        "tolerance": {"absolute": 0, "why": "exact"},
    },
}
OF_SETS = {
    "data": {
        "ausgrid": {"paper": ["all.csv"], "stand_in": "other homes"},
        "london": {"paper": [], "stand_in": "London", "said": "in London"},
        "swiss": {"paper": [], "stand_in": "Swiss homes", "said": "on Swiss homes"},
    },
    "presumes": {
        "homes.ausgrid.public_range_kwh": 180,
        "homes.london.public_range_kwh": 90,
        "homes.swiss.public_range_kwh": 320,
    },
}


def games_of(homes, range_kwh, *values):
    source = Source(homes, "local", "cc" * 32, "registered", f"{homes}.csv")
    rows = [(4, eps, "advantage", value) for eps, value in enumerate(values)]
    found = table(*rows, range_kwh=range_kwh)
    found = found.assign(low=found["value"] - 0.1, high=found["value"] + 0.1)
    return found, Provenance("c", (source,))


def test_a_set_that_stands_in_changes_no_verdict_on_another(tmp_path):
    """Each has a family of intervals of its own, and one that is not there is not tested."""
    row = entry(PASSES) | ON_HOMES
    other = entry("{where: {eps: 1}, at_most: 1, interval: true}", id="toy-2")
    claims = load_claims(claims_file(tmp_path, row, other, **OF_SETS))
    assert [claim.id for claim in claims] == ["toy-1", "toy-1-london", "toy-1-swiss", "toy-2"]
    few = {
        "toy/game_ausgrid": games_of("ausgrid", 180, 0.1, 0.2),
        "toy/game_london": games_of("london", 90, 0.28, 0.27, 0.1),
        "toy/t": (games_of("ausgrid", 180, 0.1, 0.2)[0], Provenance("c")),
    }
    swiss = {"toy/game_swiss": games_of("swiss", 320, *[0.6] * 40)}
    before, after = (
        judge_claims(claims, tables, known_tables=tables).set_index("id")
        for tables in (few, few | swiss)
    )
    pd.testing.assert_frame_equal(before.drop("toy-1-swiss"), after.drop("toy-1-swiss"))
    assert after.loc["toy-1-swiss", "verdict"] == "differs"
    assert before.loc["toy-1-swiss", ["verdict", "observed", "data"]].tolist() == [
        "not tested", "-", "stand-in: Swiss homes",
    ]  # fmt: skip
    assert "The data of swiss were left out." in before.loc["toy-1-swiss", "note"]
    # The paper's family has its own homes and its other claims; London's has London's alone.
    without = {name: each for name, each in few.items() if name != "toy/game_london"}
    alone = judge_claims(claims, without).set_index("id")
    names = ["toy-1", "toy-2"]
    pd.testing.assert_frame_equal(alone.loc[names], before.loc[names])
    assert before.loc["toy-1-london", "chance"] == "0.05"
    assert before.loc[names, "chance"].astype(float).sum() == pytest.approx(0.05, abs=0.001)


def test_a_set_that_is_not_there_takes_nothing_from_one_that_is(tmp_path):
    claims = load_claims(claims_file(tmp_path, entry(PASSES) | ON_HOMES, **OF_SETS))
    tables = {"toy/game_london": games_of("london", 90, 0.1)}
    (found,) = build_statements(judge_claims(claims, tables).assign(statement="toy-1")).to_dict(
        "records"
    )
    assert (found["verdict"], found["stand_in_verdict"]) == ("not tested", "holds")
