"""Each value of an enum has its words, and what was found is said as numbers."""

import math

import pytest

from noiseless.statements import (
    Estimate,
    Margin,
    Paper,
    PrintedTable,
    as_printed,
    at_most,
    bounded,
    equals,
    falls,
    for_all,
    rises,
    within,
    words,
)
from noiseless.statements.findings import Example, Relation, Wanted
from noiseless.statements.registry import _SAID_BY_KIND, Kind
from noiseless.statements.running import Lack, Missing
from noiseless.statements.verdicts import DataKind, Decision, Verdict, Why, decide


def test_every_value_of_an_enum_has_words():
    said = [name for names in _SAID_BY_KIND.values() for name in names]
    assert list(words.SAID) == said
    assert set(_SAID_BY_KIND) == set(Kind)
    assert set(words.LACKS) == set(Lack)
    assert set(words.RELATIONS) == set(Relation)
    assert set(words.DATA) == set(DataKind) - {DataKind.STAND_IN, DataKind.OTHER}
    numbers = {Wanted.EQUAL, Wanted.BOUNDED, Wanted.INTERVALS_WITHIN, Wanted.AS_PRINTED}
    assert set(words.WANTED) == set(Wanted) - numbers


@pytest.mark.parametrize(
    ("finding", "wanted", "found"),
    [
        (for_all(at_most(n, 2) for n in range(4)), "no case fails", "1 of 4 cases fail"),
        (equals({"a": 1.5, "b": 2}, {"a": 1, "b": 2}), "a: 1; b: 2", "a: 1.5; b: 2"),
        (equals([1, 1, 2], 1), "1", "1 to 2 (3 numbers)"),
        (bounded([0.25], at_least=0.5), "at least 0.5", "0.25"),
        (bounded([1, 3], at_most=2), "at most 2", "3 (the largest of 2 numbers)"),
        (bounded([1, 3], at_least=0), "at least 0", "1 (the smallest of 2 numbers)"),
        (bounded([1, 3], at_least=0, at_most=5), "between 0 and 5", "1 to 3 (2 numbers)"),
        (rises({1: 0, 2: 1}), "rises", "0 to 1 (2 numbers)"),
        (falls({1: 1, 2: 1}, strictly=False), "does not rise", "1 (2 numbers)"),
        (within([Estimate(0.5, 0.4, 0.6, "all")], 0, 1), "between 0 and 1", "all: 0.5"),
        (
            as_printed({(1, 2): 0.5}, PrintedTable(("a", "b"), 1, {(1, 2): "0.5"})),
            *("every printed cell", "1 of 1 cells are as printed"),
        ),
    ],
)
def test_what_was_wanted_and_found(finding, wanted, found):
    assert words.describe_wanted(finding) == wanted
    assert words.describe_found(finding) == found


def test_a_long_list_of_numbers_says_how_many_there_are():
    many = {str(n): n for n in range(9)}
    assert words.describe_found(equals(many, many)).endswith("7: 7; ... (9 in all)")


def test_a_counter_example_is_its_numbers():
    example = Example({"n": 4, "share": "1/2"}, 16, Relation.AT_MOST, 10, False)
    assert words.describe_example(example) == "n: 4; share: 1/2: 16 is not <= 10"
    assert words.describe_example(Example({}, 1.5, Relation.LESS, 2.0, True)) == "1.5 < 2"
    assert words.describe_example(Example({"n": 4}, False, Relation.EQUAL, True, False)) == "n: 4"


def test_why_a_finding_decides_nothing_or_fails():
    def said(finding, intervals=1):
        return words.describe_decision(decide(finding, intervals), finding)

    assert said(for_all([at_most(5, 5)])) == ""
    assert said(for_all([at_most(0, 5)])) == "0 of 1 cases could have failed, and 1 are wanted"
    assert said(for_all([at_most(6, 5, {"n": 6})])) == (
        "1 of 1 cases fail, where no case fails is wanted; the first: n: 6: 6 is not <= 5"
    )
    assert said(within([Estimate(0.5, 0.4, 0.6, "a")], 0.45, 1)).startswith("the interval holds")
    assert said(within([Estimate(0.5, 0.4, 0.6, "a")], 0.7, 1)) == "a: 0.4 to 0.6"
    bare = within([Estimate(0.5, math.nan, math.nan, "a")], 0, 1)
    assert said(bare) == "a: no interval, for want of enough homes"
    with pytest.raises(ValueError, match="no words"):
        words.describe_decision(Decision(Verdict.INCONCLUSIVE, Why.DEPENDS), bare)


def test_margins_say_how_much_and_why():
    assert words.describe_margin(Margin(0.005, "two decimals")) == "0.005 (two decimals)"
    assert words.describe_margin(Margin(0.02, "2 %", relative=True)) == "2% (2 %)"
    assert words.describe_margin(Margin(0, "a count")) == "0 (a count)"
    assert words.describe_margin(Margin(0, "")) == "-"


@pytest.mark.parametrize(
    ("limits", "asked"),
    [
        ("[-Infinity, 0.001]", "asks for at most 0.001."),
        ("[21, Infinity]", "asks for at least 21."),
        ("[1, 2]", "asks for one between 1 and 2."),
    ],
)
def test_a_setting_that_is_too_coarse_is_named_with_its_limit(limits, asked):
    @Paper("toy", "A toy").states("Theorem 1")
    def thm1():
        """A number."""

    missing = Missing(Lack.PRECISION, "toy/cells", "toy.cells", "9", limits)
    found = words.describe_missing(thm1, [missing])
    assert "toy.cells = 9, too coarse for a verdict, which" in found
    assert found.endswith(asked)
