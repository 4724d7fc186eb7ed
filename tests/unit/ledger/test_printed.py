"""Numbers that a paper prints."""

import json
import math
from dataclasses import replace

import pytest

from noiseless.errors import ConfigError
from noiseless.ledger import printed
from noiseless.ledger.bridge import build_claim
from noiseless.ledger.printed import build_printed_table
from noiseless.statements import Drawn, Paper, draw, table
from toy_claims import PASSES, claims_file, entry

WHY = {"absolute": 0, "why": "exact"}


def rows_of(tmp_path, check, **more):
    """Rows of one claim with a figure beside it."""
    claim = entry(json.dumps(check), figure="toy/f", **more)
    table = build_printed_table(claims_file(tmp_path, claim) / "toy/claims.yaml")
    assert set(table["claim"]) <= {"toy-1"}
    assert set(table["figure"]) <= {"toy/f"}
    return [(json.loads(row.where), row.statistic, row.low, row.high) for row in table.itertuples()]


def test_a_number_of_the_paper_has_a_row_for_each_statistic(tmp_path):
    where = {"n": 3, "statistic": ["a", "b"]}
    check = {"where": where, "reduce": "all", "equals": 0.47, "tolerance": WHY}
    expected = [({"n": [3]}, name, 0.47, 0.47) for name in "ab"]
    assert rows_of(tmp_path, check, printed=True) == expected


def test_nothing_is_guessed_from_digits_in_a_text(tmp_path):
    """A quote may hold the number of something else: "(e.g., epsilon = 5)" beside "at most 5"."""
    for key in ("quote", "prints"):
        for check in ({"at_most": 5}, {"equals": 5, "tolerance": WHY}, {"between": [4.5, 5.5]}):
            check = {"where": {"statistic": "a"}, **check}
            assert rows_of(tmp_path, check, **{key: "It is 5, for epsilon = 5."}) == []


def test_a_rounded_number_is_the_one_that_is_printed(tmp_path):
    check = {"where": {"statistic": "a"}, "between": [0.705, 0.72]}
    assert rows_of(tmp_path, check, printed=0.71) == [({}, "a", 0.71, 0.71)]


def test_an_upper_bound_has_no_lower_end(tmp_path):
    check = {"where": {"statistic": "a"}, "at_most": 0.61}
    assert rows_of(tmp_path, check, printed=True) == [({}, "a", -math.inf, 0.61)]


def test_a_table_has_a_row_for_each_number(tmp_path):
    check = {"where": {"statistic": "a"}, "by": "x", "equals": {"u": 0, "v": 2.5}, "tolerance": WHY}
    expected = [({"x": ["u"]}, "a", 0, 0), ({"x": ["v"]}, "a", 2.5, 2.5)]
    assert rows_of(tmp_path, check, printed=True) == expected


@pytest.mark.parametrize(
    ("relation", "printed"),
    [
        ({"between": [0.705, 0.72]}, True),
        ({"between": [0.705, 0.72]}, 0.73),
        ({"at_least": 0.5}, True),
        ({"by": "x", "equals": {"u": 0}, "tolerance": WHY}, 0.5),
    ],
)
def test_a_number_that_no_check_expects_is_not_printed(tmp_path, relation, printed):
    check = {"where": {"statistic": "a"}, **relation}
    with pytest.raises(ConfigError, match="says `printed:"):
        rows_of(tmp_path, check, printed=printed)


def test_other_claims_print_no_number(tmp_path):
    check = {"where": {"statistic": "a"}, "equals": 2, "tolerance": WHY}
    claim = entry(json.dumps(check), figure="toy/f")
    table = build_printed_table(claims_file(tmp_path, claim, entry(PASSES)) / "toy/claims.yaml")
    assert table.empty


def test_a_statement_says_which_numbers_are_drawn():
    paper, regions = Paper("toy", "A toy"), table("toy/regions")

    @paper.states(
        "Theorem 1", figure="toy/f", draws=draw(regions, "lower", "x", {1: -2, 2: 0}, query="mean")
    )
    def thm1():
        """Two numbers."""

    claim = replace(build_claim(thm1), draws=(*thm1.draws, Drawn(regions, "share", {}, 0.6, True)))
    found = [
        (row["claim"], row["table"], json.loads(row["where"]), row["statistic"], row["low"])
        for row in printed._iterate_rows(claim)
    ]
    assert found == [
        ("toy-thm1", "toy/regions", {"query": ["mean"], "x": [1]}, "lower", -2),
        ("toy-thm1", "toy/regions", {"query": ["mean"], "x": [2]}, "lower", 0),
        ("toy-thm1", "toy/regions", {}, "share", -math.inf),
    ]


def test_the_papers_numbers_are_those_that_were_read(root):
    """How many each paper has, counted in it: Table 1 has 33, and Figure 3a a line at 1/2."""
    found = {
        path.parent.name: len(build_printed_table(path))
        for path in (root / "workflow/noiseless/papers").glob("*/__init__.py")
        if path.parent.name not in ("beyond", "nsht")
    }
    assert found == {"deterministic": 44, "knowledge": 25, "prrelation": 34, "noiseless": 0}
