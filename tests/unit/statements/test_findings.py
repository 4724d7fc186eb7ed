"""What a check finds: whether it holds, could have failed, and what a reader can check by hand."""

import math
from fractions import Fraction

import pandas as pd
import pytest

from noiseless.statements import (
    Margin,
    PrintedTable,
    agrees,
    all_of,
    as_printed,
    at_most,
    bounded,
    equal,
    equals,
    falls,
    find_some,
    for_all,
    holds,
    less,
    rises,
    select,
)
from noiseless.statements.findings import Example, MissingCellError, Relation, to_value


def test_the_first_case_that_fails_is_the_counter_example():
    finding = for_all(at_most(n * n, 10, {"n": n}) for n in range(6))
    assert (finding.holds, finding.cases, finding.failed) == (False, 6, 2)
    assert finding.example == Example({"n": 4}, 16, Relation.AT_MOST, 10, False)


def test_some_case_must_fail_where_that_is_what_is_said():
    finding = find_some(at_most(n * n, 10, {"n": n}) for n in range(6))
    assert (finding.holds, finding.found) == (True, (2,))
    assert finding.example == Example({"n": 4}, 16, Relation.AT_MOST, 10, False)
    assert not find_some([at_most(3, 3)]).holds


@pytest.mark.parametrize(
    ("fact", "is_sharp"),
    [
        (at_most(3, 3), True),
        (at_most(2, 3), False),
        (at_most(0, 0), False),  # nothing is no more than nothing
        (at_most(Fraction(2, 3), Fraction(1)), True),
        (at_most(Fraction(1, 3), Fraction(1)), False),
        (less(2, 3), True),
        (less(1, 3), False),
        (equal(frozenset({1}), frozenset({1})), True),
        (equal(frozenset(), frozenset()), False),
        (agrees(True, True), True),
        (agrees(False, False), False),
        (at_most(4, 3), False),  # it fails
    ],
)
def test_a_case_is_sharp_if_a_sharper_statement_fails_there(fact, is_sharp):
    assert fact.is_sharp is is_sharp


def test_a_check_that_cannot_fail_is_vacuous():
    assert for_all([]).is_vacuous
    assert for_all([at_most(0, 5)]).is_vacuous
    assert not for_all([at_most(5, 5)]).is_vacuous
    assert not for_all([at_most(3, 5)], sharper=lambda most: most / 2).is_vacuous
    assert all_of(for_all([at_most(5, 5)]), for_all([at_most(0, 5)])).is_vacuous
    assert bounded([0], at_most=0, sharp=2, sharp_wanted=3).is_vacuous
    assert not for_all([at_most(6, 5)]).is_vacuous  # it fails


def test_findings_stated_at_once_keep_what_each_number_is_compared_with():
    both = all_of(equals({"a": 1, "b": 2}, {"a": 1, "b": 2}), equals({"c": 3}, {"c": 4}))
    assert (both.found, both.printed, both.names) == ((1, 2, 3), (1, 2, 4), ("a", "b", "c"))
    assert not both.holds
    mixed = all_of(equals([1], 1), equals({"c": 3}, {"c": 3}))
    assert (mixed.printed, mixed.names) == ((1, 3), ())


def test_a_bound_that_no_smaller_one_could_replace_is_attained():
    facts = [at_most(5, 5), at_most(Fraction(9, 2), 5), at_most(4, 5)]
    assert not for_all(facts, attained=0.3).is_vacuous
    assert for_all(facts, attained=0.5).is_vacuous
    assert not for_all(facts).is_vacuous


def test_a_fact_counts_for_many_cases():
    finding = for_all([holds(False, times=7), holds(True, times=3)])
    assert (finding.cases, finding.failed, finding.sharp) == (10, 7, 3)


def test_numbers_are_compared_as_the_decimals_that_they_print_as():
    assert equals({"a": 0.3}, {"a": 0.4}, within=Margin(0.1, "a tenth")).holds
    assert not equals({"a": 0.3}, {"a": 0.4}, within=Margin(0.0999, "less")).holds
    assert not equals({"a": math.nan}, {"a": 0.4}, within=Margin(1, "one")).holds
    assert equals([99, 101], 100, within=Margin(0.01, "1 %", relative=True)).holds
    for nothing in (lambda: equals([], 1), lambda: bounded([], at_most=1)):
        with pytest.raises(MissingCellError, match="no number"):
            nothing()


def test_the_number_nearest_to_leaving_a_range_is_found():
    series = pd.Series({0.1: -2.0, 0.5: -1.0})
    assert bounded(series, at_most=0).found == (-1,)
    assert bounded(series, at_least=-1.5).example == Example(
        {"at": "0.1"}, -1.5, Relation.AT_MOST, -2, False
    )
    assert not bounded([math.nan], at_most=0).holds


def test_many_small_steps_back_add_up():
    assert rises({1: 0, 2: 1, 3: 2}).holds
    assert not rises({1: 0, 2: 1, 3: 0.5}).holds
    assert not falls({1: 1, 2: 1}).holds
    assert falls({1: 1, 2: 1}, strictly=False).holds
    assert not rises({1: 0, 2: 0.1}, by=0.2).holds
    with pytest.raises(MissingCellError, match="two points"):
        rises({1: 0})


def test_a_misspelt_cell_is_an_error():
    table = pd.DataFrame({"policy": ["a", "b"], "rho": [0.1, 0.2], "value": [1, 2]})
    assert list(select(table, policy="a", rho=0.1)["value"]) == [1]
    for wanted in ({"policy": "c"}, {"policy": "a", "rho": 0.2}, {"policy": ["a", "c"]}):
        with pytest.raises(MissingCellError, match="no row has"):
            select(table, **wanted)


def test_an_example_is_numbers_that_json_can_hold():
    class Pair:
        def list_numbers(self):
            return {"share": Fraction(4, 3), "whole": Fraction(4, 2), "points": (1, Fraction(1, 2))}

    [example] = [for_all([holds(False, Pair())]).example]
    assert example.numbers == {"share": "4/3", "whole": 2, "points": "1 1/2"}
    assert to_value(frozenset({3, 1})) == "1 3"
    assert to_value(frozenset()) == "none"


def test_findings_of_two_kinds_are_not_stated_at_once():
    with pytest.raises(ValueError, match="want one thing"):
        all_of(for_all([at_most(5, 5)]), bounded([1], at_most=1))


PRINTED = PrintedTable.parse(
    """
          0.5   0.9
    1     0.55  3
    2     -     1.17
    """,
    rows="beta",
    columns="f",
    decimals=2,
)


def test_a_printed_table_is_read_by_row_and_column():
    assert PRINTED.cells == {(1, 0.5): "0.55", (1, 0.9): "3", (2, 0.5): "-", (2, 0.9): "1.17"}
    assert PRINTED.numbers == {(1, 0.5): 0.55, (1, 0.9): 3, (2, 0.9): 1.17}
    with pytest.raises(ValueError, match="zip"):
        PrintedTable.parse("1 2\n3 4", rows="r", columns="c", decimals=1)


FOUND = {(1, 0.5): 0.5488, (1, 0.9): 2.995, (2, 0.5): None, (2, 0.9): 1.18}


def test_each_cell_is_compared_rounded_or_cut_off():
    finding = as_printed(FOUND, PRINTED)
    assert (finding.holds, finding.cases, finding.found) == (True, 4, (0,))
    assert [each.name for each in finding.cells] == [
        *("beta1-f0.5", "beta1-f0.9", "beta2-f0.5", "beta2-f0.9")
    ]
    assert finding.cells[2].printed is None


@pytest.mark.parametrize(
    ("place", "number", "off"),
    [
        ((1, 0.5), 0.5449, (0.5449, 0.55)),
        ((1, 0.5), 0.5601, (0.5601, 0.55)),
        ((1, 0.5), None, ("-", 0.55)),
        ((2, 0.5), 0.0, (0.0, "-")),
    ],
)
def test_a_cell_that_differs_is_the_counter_example(place, number, off):
    finding = as_printed({**FOUND, place: number}, PRINTED)
    assert (finding.holds, finding.failed, finding.found) == (False, 1, (1,))
    assert finding.example.numbers == dict(zip(("beta", "f"), place, strict=True))
    assert (finding.example.left, finding.example.right) == off


def test_of_a_range_both_ends_are_found():
    assert bounded([1, -3, 2], at_least=0, at_most=1).found == (-3, 2)
    assert bounded([1, -3, 2], at_most=1).found == (2,)
    assert bounded([1, -3, 2], at_least=-3).found == (-3,)


@pytest.mark.parametrize(
    ("numbers", "left", "right"),
    [({"a": -3, "b": 0.5}, 0, -3), ({"a": 0.5, "b": 3}, 3, 1), ({"a": 0, "b": 0.5}, 0.5, 1)],
)
def test_the_example_of_a_range_is_the_number_that_leaves_it(numbers, left, right):
    example = bounded(numbers, at_least=0, at_most=1).example
    assert (example.left, example.right) == (left, right)
    assert example.holds == (left <= right)
