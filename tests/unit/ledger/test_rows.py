"""Rows of the ledger: what was found of statements, in words."""

import json

import pytest

from noiseless.ledger.errata import build_erratum, end_sentence
from noiseless.ledger.rows import COLUMNS, describe_ledger
from noiseless.ledger.statements import build_statements
from noiseless.ledger.views import build_views
from noiseless.statements import (
    DataUse,
    Estimate,
    Kind,
    Paper,
    at_most,
    bounded,
    corrects,
    equals,
    for_all,
    running,
    table,
    universe,
    within,
)
from noiseless.statements.registry import Run, Sizes
from noiseless.statements.running import run_statement
from noiseless.statements.verdicts import judge
from noiseless.tables import Provenance, Source


@universe(smoke={"largest": 3})
def numbers(largest, seed):
    return range(largest + 0 * seed)


@pytest.fixture
def paper():
    made = Paper("toy", 'A. Author, "A toy"', data={"people": DataUse(("all.csv",), "others")})

    @made.states("Theorem 1", "n at most 1", over=numbers, reading="every n")
    def thm1(numbers):
        """The largest n.

        Of three.
        """
        return bounded([max(numbers)], at_most=1)

    @corrects(
        thm1,
        Kind.SLIP,
        fails="two is a number, too",
        mend="2 at most",
        stands="Theorem 2",
        shown_by=thm1,
        proof="theorem-1",
    )
    def thm1_two(numbers):
        """At most 2."""
        return bounded([max(numbers)], at_most=2)

    @corrects(thm1, reading="even numbers alone")
    def thm1_even(numbers):
        """It is 2."""
        return equals([2], 2)

    @made.adds("Section 2", needs=("people",), over=table("toy/cells"), figure="toy/fig1")
    def ours(cells):
        """A number of people."""
        return equals(cells, 1)

    @made.states("Fig. 2", prints="0 to 1", of=thm1)
    def fig2():
        """An estimate."""
        return within([Estimate(0.5, 0.4, 0.6, "all")], 0, 1)

    return made


def rows(paper, **flips):
    tested = {each.id: run_statement(each, Run(Sizes.SMOKE, 1)) for each in paper.statements}
    ledger = describe_ledger(judge(paper.statements, tested, flips))
    assert list(ledger) == list(COLUMNS)
    assert ledger.map(lambda cell: isinstance(cell, str)).all(axis=None)
    return ledger.set_index("id")


def test_an_erratum_is_put_together_from_corrections(paper):
    thm1, ours, fig2 = paper.statements
    assert (thm1.sentence, fig2.group) == ("The largest n. Of three.", "toy-thm1")
    erratum = build_erratum(thm1)
    assert erratum.wrong == "Two is a number, too."
    assert erratum.holds == "2 at most. (Proof: docs/proofs/toy.md#theorem-1.)"
    assert erratum.slip == "Theorem 2"
    assert erratum.friendliest.text == "even numbers alone"
    assert build_erratum(ours) is None


def test_symbols_keep_their_size_at_the_beginning_of_a_sentence():
    assert end_sentence("one report") == "One report."
    assert end_sentence("ε n = 1") == "ε n = 1."
    assert end_sentence("log(2)") == "log(2)."
    assert [end_sentence(each) for each in ("q levels", "mu, of sets", "a set")] == [
        *("q levels.", "mu, of sets.", "A set.")
    ]


def test_the_ledger_says_what_was_found(paper):
    found = rows(paper)
    thm1 = found.loc["toy-thm1"]
    assert (thm1["verdict"], thm1["expected"], thm1["observed"]) == ("corrected", "at most 1", "2")
    assert thm1["note"] == (
        "As printed: 2, where at most 1 is wanted. What holds instead: 2 at most. (Proof: "
        "docs/proofs/toy.md#theorem-1.) Its check passes: wanted at most 2, found 2. Its check "
        "passes: wanted 2, found 2."
    )
    assert found.loc["toy-ours", "verdict"] == "not tested"
    assert found.loc["toy-ours", "note"].startswith("There is no table toy/cells;")
    assert found.loc["toy-fig2", ["verdict", "chance", "noticed"]].tolist() == [
        *("reproduced", "0.05", "-")
    ]


def test_a_verdict_that_depends_on_the_seed_is_open_and_says_so(paper):
    row = rows(paper, **{"toy-thm1": "the seed (differs in 2 of 5)"}).loc["toy-thm1"]
    assert row["verdict"] == "inconclusive"
    assert row["note"].startswith(
        "By itself: corrected. It depends on the seed (differs in 2 of 5)."
    )


def test_an_error_stands_in_the_ledger(paper):
    tested = {
        each.id: running.Tested(each.id, "m", "f", error="KeyError: x") for each in paper.statements
    }
    row = describe_ledger(judge(paper.statements, tested)).iloc[0]
    assert (row["verdict"], row["note"]) == ("error", "Its check could not be run: KeyError: x.")


def test_what_is_open_says_how_precise_its_tables_and_cases_are():
    made = Paper("toy", 'A. Author, "A toy"')
    cells = table("toy/cells")

    @made.states("Fig. 1", prints="at most 0.5", over=(numbers, cells))
    def fig1(numbers, cells):
        """An estimate."""

    def describe(low):
        found = within([Estimate(0.4, low, 0.6, "all")], 0, 0.5)
        tested = {"toy-fig1": running.Tested("toy-fig1", "m", "f", found, on_tables=True)}
        settings = json.dumps([["knowledge.scan.runs", 20], ["seed", 1]])
        provenances = {"toy/cells": Provenance("c", settings=settings)}
        return describe_ledger(judge(made.statements, tested), provenances).iloc[0]["note"]

    assert describe(0.3).endswith(
        " The precision of its tables: knowledge.scan.runs = 20. The sizes of its cases: "
        "statements.toy.numbers.largest."
    )
    assert "precision" not in describe(0.55)


def test_data_on_trust_in_their_names_are_said(paper):
    data = (Source("people", "local", "ab" * 32, "unknown", "all.csv"),)
    tested = {
        each.id: running.Tested(each.id, "m", "f", equals([1], 1), data=data, on_tables=True)
        for each in paper.statements[1:2]
    }
    [row] = describe_ledger(judge(paper.statements[1:2], tested)).to_dict("records")
    assert row["note"].startswith("Of people no digest is known")
    assert (row["data"], row["stands_in"], row["tier"]) == ("the paper's", "no", "local")


def test_words_numbers_and_verdict_of_a_row_are_of_one_finding(paper):
    """Another finding changes all of them."""
    [statement] = [each for each in paper.statements if each.check.__name__ == "thm1"]

    def describe(finding):
        tested = {statement.id: running.Tested(statement.id, "m", "f", finding)}
        return describe_ledger(judge([statement], tested)).iloc[0]

    shown = ["verdict", "observed", "found", "low", "high", "cases", "failed"]
    assert describe(bounded([2], at_most=1))[shown].tolist() == [
        *("differs", "2", "2 (wanted: at most 1)", "2", "2", "1", "1")
    ]
    assert describe(bounded([0, 1], at_most=1))[shown].tolist() == [
        "reproduced",
        "1 (the largest of 2 numbers)",
        *("at worst 1 (wanted: at most 1)", "1", "1", "2", "0"),
    ]
    row = describe(for_all([at_most(k, 2, {"k": k}) for k in range(5)]))
    assert row[shown].tolist() == [
        *("differs", "2 of 5 cases fail", "2 of 5 cases fail", "2", "2", "5", "2")
    ]
    assert row["example"] == "k: 3: 3 is not <= 2"
    row = describe(within([Estimate(0.9, 0.8, 1.0, "n = 4")], 0, 0.5))
    assert row[["verdict", "found", "interval"]].tolist() == [
        *("differs", "0.9 (wanted: 0 to 0.5)", "0.8 to 1")
    ]
    row = describe(equals([1.5, 2.25, 3, 4], [1.5, 2.25, 3, 4.5][3]))
    assert row["found"] == "off by up to 3 at 4 points"


def test_a_view_shows_what_the_ledger_says(paper):
    tested = {each.id: run_statement(each, Run(Sizes.SMOKE, 1)) for each in paper.statements}
    ledger = describe_ledger(judge(paper.statements, tested))
    first, ours = build_views(ledger)
    assert (first.name, first.verdict, ours.is_own) == ("toy-thm1", "fails", True)
    assert [each.phrase for each in first.outcomes] == [
        *("fails, 2 (wanted: at most 1)", "holds, 0.5 (wanted: 0 to 1)")
    ]
    assert [each.word for each in ours.outcomes] == ["not tested"]
    assert [each.number for each in (*first.outcomes, *ours.outcomes)] == [
        *("2 (wanted: at most 1)", "0.5 (wanted: 0 to 1)", "")
    ]
    [judged, _] = build_statements(ledger).to_dict("records")
    assert judged["came_out"].split(" | ") == [
        *("every n: fails, 2 (wanted: at most 1)", "holds, 0.5 (wanted: 0 to 1)")
    ]
