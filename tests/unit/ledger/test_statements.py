"""Statements: their verdicts follow from their readings and parts, and a stand-in stands apart."""

import pandas as pd
import pytest

from noiseless.ledger.rows import COLUMNS
from noiseless.ledger.statements import (
    STATEMENT_COLUMNS,
    STATEMENT_VERDICTS,
    build_statements,
    count_stand_in_verdicts,
    count_verdicts,
    select_paper_statements,
)
from noiseless.pipeline.sections import list_papers
from noiseless.statements.registry import load_statements
from noiseless.statements.verdicts import Verdict
from noiseless.tables import Provenance
from toy_statements import GRID, OURS, REAL, entry, erratum, fails, judge_toy, passes, toy_paper

REPRODUCED, CORRECTED, DIFFERS = map(str, (Verdict.REPRODUCED, Verdict.CORRECTED, Verdict.DIFFERS))
INCONCLUSIVE, NOT_TESTED = str(Verdict.INCONCLUSIVE), str(Verdict.NOT_TESTED)

HOLDS, DEPENDS, FALSE, ERROR = "holds", "depends on the reading", "fails", "error"


def ledger(*rows):
    """A ledger of rows that are (statement, reading, verdict, data)."""
    full = [
        {
            **dict.fromkeys(COLUMNS, "-"),
            "id": f"toy-{place}",
            "paper": "toy",
            "category": "paper",
            "statement": statement,
            "reading": reading,
            "verdict": verdict,
            "data": data,
            "stands_in": "yes" if "stand-in" in data else "no",
        }
        for place, (statement, reading, verdict, data) in enumerate(rows)
    ]
    return pd.DataFrame(full, columns=list(COLUMNS))


def test_nothing_that_is_unknown_counts():
    for column, unknown in (("verdict", "proven"), ("kind", "typo")):
        rows = ledger(("s", "-", CORRECTED, "none")).assign(**{column: unknown})
        with pytest.raises(ValueError, match=unknown):
            build_statements(rows)


def test_a_statement_is_said_as_in_the_row_that_it_is_named_after():
    rows = ledger(*(("toy-1", "-", REPRODUCED, "none") for _ in range(3)))
    rows = rows.assign(claim=["a part", "the whole", "another part"], locator=["a", "b", "c"])
    judged = build_statements(rows)
    assert judged[["claim", "locator"]].to_numpy().tolist() == [["the whole", "b"]]
    judged = build_statements(rows.assign(statement="toy-elsewhere"))
    assert judged[["claim", "locator"]].to_numpy().tolist() == [["a part", "a"]]


def test_a_row_without_reading_belongs_to_every_reading():
    rows = [("s", "one", REPRODUCED, "none"), ("s", "other", REPRODUCED, "none")]
    assert build_statements(ledger(*rows))["verdict"].item() == HOLDS
    rows.append(("s", "-", DIFFERS, "none"))
    judged = build_statements(ledger(*rows))
    assert judged["verdict"].item() == FALSE
    assert judged[["readings", "rows"]].to_numpy().tolist() == [["2", "3"]]


def test_a_stand_in_counts_neither_for_nor_against_the_paper():
    judged = build_statements(
        ledger(
            ("s", "-", NOT_TESTED, "sample"),
            ("s", "-", DIFFERS, "stand-in: other homes"),
            ("only", "-", REPRODUCED, "stand-in: another home"),
            ("real", "-", REPRODUCED, "the paper's"),
            ("real", "-", NOT_TESTED, "sample of a stand-in"),
        )
    ).set_index("statement")
    assert judged["verdict"].tolist() == [NOT_TESTED, NOT_TESTED, HOLDS]
    assert judged["stand_in_verdict"].tolist() == [FALSE, HOLDS, NOT_TESTED]
    assert judged.loc["s", "stand_in_data"] == "stand-in: other homes"
    assert judged.loc["s", "stand_ins"] == f"on other homes: {FALSE}"
    found = count_verdicts(select_paper_statements(judged.reset_index()), column="stand_in_verdict")
    assert found.loc["toy"].to_dict() == {
        **dict.fromkeys(STATEMENT_VERDICTS, 0),
        HOLDS: 1,
        FALSE: 1,
        NOT_TESTED: 1,
    }


@pytest.mark.parametrize(
    ("kinds", "readings", "verdicts", "verdict", "because"),
    [
        (("slip", "-"), ("-", "-"), (CORRECTED, REPRODUCED), "slip", "s0"),
        (("slip", "slip"), ("a", "b"), (CORRECTED, CORRECTED), "slip", "s0; s1"),
        (("slip", "fails"), ("-", "-"), (CORRECTED, CORRECTED), FALSE, "-"),
        (("premise", "-"), ("a", "b"), (CORRECTED, REPRODUCED), "needs a premise", "s0"),
        (("elsewhere", "-"), ("a", "b"), (CORRECTED, REPRODUCED), HOLDS, "s0"),
        (("slip", "slip"), ("-", "-"), (CORRECTED, DIFFERS), FALSE, "-"),
        (
            *(("reading", "-"), ("a", "b"), (CORRECTED, REPRODUCED)),
            *(DEPENDS, "fails: a; holds: b"),
        ),
    ],
)
def test_what_is_wrong_decides_the_word_and_what_makes_it_so_is_said(
    kinds, readings, verdicts, verdict, because
):
    rows = ledger(*(("s", r, v, "none") for r, v in zip(readings, verdicts, strict=True)))
    kinds = [k if v == CORRECTED else "-" for k, v in zip(kinds, verdicts, strict=True)]
    said = [f"s{place}" if k != "-" else "-" for place, k in enumerate(kinds)]
    judged = build_statements(rows.assign(kind=kinds, because=said))
    assert judged[["verdict", "because"]].to_numpy().tolist() == [[verdict, because]]
    assert count_verdicts(judged).loc["toy", verdict] == 1


def test_what_stands_in_is_decided_by_data_and_not_by_words():
    """Another description of the data moves no verdict; another kind of data does."""
    rows = ledger(("s", "-", DIFFERS, "stand-in: homes"), ("t", "-", REPRODUCED, "the paper's"))
    reworded = rows.assign(data=["homes of others", "no stand-in, the paper's"])
    verdicts = ["verdict", "stand_in_verdict"]
    assert build_statements(reworded)[verdicts].equals(build_statements(rows)[verdicts])
    moved = build_statements(rows.assign(stands_in="no"))
    assert list(moved["verdict"]) == [FALSE, HOLDS]


def test_an_error_decides_a_statement_and_has_a_column_of_its_own():
    rows = ledger(("s", "one", ERROR, "none"), ("s", "two", REPRODUCED, "none"))
    judged = build_statements(rows)
    assert judged["verdict"].tolist() == [ERROR]
    assert count_verdicts(judged).loc["toy", ERROR] == 1
    assert ERROR not in count_verdicts(build_statements(rows.iloc[1:]))


def test_stand_ins_are_counted_by_dataset():
    """Each by itself; one that was left out, and what is this project's own, count nowhere."""
    found = ledger(
        ("a", "one", DIFFERS, "stand-in: London"),
        ("a", "one", REPRODUCED, "stand-in: Swiss homes"),
        ("b", "-", REPRODUCED, "stand-in: London"),
        ("b", "-", NOT_TESTED, "stand-in: other homes"),
        ("c", "-", REPRODUCED, "the paper's"),
        ("d", "-", REPRODUCED, "stand-in: Swiss homes"),
    ).assign(dataset=["london", "swiss", "london", "-", "ausgrid", "swiss"])
    found.loc[5, "category"] = "own"
    table = count_stand_in_verdicts(found)
    assert [dataset for _, dataset in table.index] == ["london", "swiss"]
    assert table[HOLDS].tolist() == [1, 1]
    assert table[FALSE].tolist() == [1, 0]
    assert table.to_numpy().sum() == 3
    assert count_stand_in_verdicts(found.iloc[[4]]).empty


def test_statements_of_a_paper_are_put_together():
    paper = toy_paper(
        entry(passes, reading="one", quote="It is so."),
        entry(fails, erratum=erratum(passes), of="1", reading="other"),
        entry(passes, category=OURS),
    )
    judged = build_statements(judge_toy(paper, {"toy/t": (GRID, Provenance("", (REAL,)))}))
    assert tuple(judged) == STATEMENT_COLUMNS
    assert judged["statement"].tolist() == ["toy-1", "toy-3"]
    assert judged["verdict"].tolist() == [DEPENDS, HOLDS]
    assert judged["quote"].tolist() == ["It is so.", "-"]
    assert select_paper_statements(judged)["statement"].tolist() == ["toy-1"]


@pytest.mark.parametrize(("check", "verdict"), [(passes, REPRODUCED), (fails, INCONCLUSIVE)])
def test_a_statement_is_inconclusive_without_what_it_presupposes(check, verdict):
    paper = toy_paper(entry(passes), entry(check), entry(fails))
    paper.statements[0].presupposes = paper.statements[1]
    judged = judge_toy(paper, {"toy/t": (GRID, Provenance("", (REAL,)))}).set_index("id")
    assert judged.loc["toy-1", "verdict"] == verdict
    assert judged.loc["toy-3", "verdict"] == DIFFERS
    if verdict == INCONCLUSIVE:
        assert judged.loc["toy-1", "note"].startswith("By itself: reproduced.")
        assert "toy-2" in judged.loc["toy-1", "note"]


def test_readings_of_a_statement_differ():
    groups = {}
    for each in load_statements(list_papers()):
        groups.setdefault(each.group, []).append((each.where, each.reading, each.sentence))
    for name, texts in groups.items():
        assert len(set(texts)) == len(texts), name


def test_each_set_of_data_that_stands_in_has_its_own_verdict():
    """One that holds is not said to fail because another does."""
    rows = [("one", REPRODUCED), ("two", DIFFERS), ("two", REPRODUCED)]
    judged = build_statements(ledger(*(("s", "-", each, f"stand-in: {on}") for on, each in rows)))
    [found] = judged.to_dict("records")
    assert found["stand_ins"] == f"on one: {HOLDS} | on two: {FALSE}"
