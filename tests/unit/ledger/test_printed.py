"""Numbers that a paper prints."""

import json
import math

import pytest

from noiseless.ledger.printed import build_printed_table
from toy_claims import PASSES, claims_file, entry

WHY = {"absolute": 0, "why": "exact"}


def rows_of(tmp_path, check, **more):
    """Rows of one claim with a figure beside it."""
    claim = entry(json.dumps(check), figure="toy/f", **more)
    table = build_printed_table(claims_file(tmp_path, claim) / "toy/claims.yaml")
    assert set(table["claim"]) <= {"toy-1"}
    assert set(table["figure"]) <= {"toy/f"}
    return [(json.loads(row.where), row.statistic, row.low, row.high) for row in table.itertuples()]


@pytest.mark.parametrize("key", ["quote", "prints"])
def test_a_number_of_the_paper_has_a_row_for_each_statistic(tmp_path, key):
    where = {"n": 3, "statistic": ["a", "b"]}
    check = {"where": where, "reduce": "all", "equals": 0.47, "tolerance": WHY}
    expected = [({"n": [3]}, name, 0.47, 0.47) for name in "ab"]
    assert rows_of(tmp_path, check, **{key: "It is 47 %, or so."}) == expected
    assert rows_of(tmp_path, check, **{key: "It is 0.47."}) == expected
    # Another number, a part of one, or a part of a name is none.
    for text in ("It is small.", "It is 0.4.", "It is 10.47.", "It is x_0.47."):
        assert rows_of(tmp_path, check, **{key: text}) == []


def test_a_rounded_number_is_the_one_that_is_printed(tmp_path):
    check = {"where": {"statistic": "a"}, "between": [0.705, 0.72]}
    assert rows_of(tmp_path, check, prints="epsilon = 0.71") == [({}, "a", 0.71, 0.71)]
    assert rows_of(tmp_path, check, prints="0.71 to 0.715") == []


def test_an_upper_bound_has_no_lower_end(tmp_path):
    check = {"where": {"statistic": "a"}, "at_most": 0.61}
    assert rows_of(tmp_path, check, quote="less than 61% of it") == [({}, "a", -math.inf, 0.61)]
    assert rows_of(tmp_path, check, quote="less than 60% of it") == []


def test_a_table_has_a_row_for_each_number(tmp_path):
    check = {"where": {"statistic": "a"}, "by": "x", "equals": {"u": 0, "v": 2.5}, "tolerance": WHY}
    expected = [({"x": ["u"]}, "a", 0, 0), ({"x": ["v"]}, "a", 2.5, 2.5)]
    assert rows_of(tmp_path, check, prints="u 0, v ...") == expected
    assert rows_of(tmp_path, check, prints="a table") == []


def test_no_violations_and_other_claims_print_no_number(tmp_path):
    nothing = {"where": {"statistic": "a"}, "at_most": 0}
    assert rows_of(tmp_path, nothing, quote="0 of them") == []
    number = {"where": {"statistic": "a"}, "equals": 2, "tolerance": WHY}
    assert rows_of(tmp_path, number, quote="2 of them", category="own") == []
    claim = entry(json.dumps(number), quote="2 of them")
    table = build_printed_table(claims_file(tmp_path, claim, entry(PASSES)) / "toy/claims.yaml")
    assert table.empty
