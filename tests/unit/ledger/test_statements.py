"""Statements: their verdicts follow from their readings and parts, and a stand-in stands apart."""

import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.ledger.bridge import load_all_claims
from noiseless.ledger.claims import load_claims
from noiseless.ledger.judge import (
    COLUMNS,
    CORRECTED,
    DIFFERS,
    INCONCLUSIVE,
    NOT_TESTED,
    REPRODUCED,
    judge_claims,
)
from noiseless.ledger.statements import (
    STATEMENT_COLUMNS,
    STATEMENT_VERDICTS,
    build_statements,
    count_stand_in_verdicts,
    count_verdicts,
    select_paper_statements,
)
from noiseless.tables import Provenance
from toy_claims import FAILS, GRID, PASSES, REAL, claims_file, entry, erratum

HOLDS, DEPENDS, FALSE, ERROR = "holds", "depends on the reading", "fails", "error"


def ledger(*rows):
    """A ledger of claims that are (statement, reading, verdict, data)."""
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


def test_a_claim_without_reading_belongs_to_every_reading():
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
    assert judged.loc["s", "stand_ins"] == f"{FALSE} on other homes"
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


def test_claims_of_a_file_make_statements(tmp_path):
    made = {"id": "toy-2", "statement": "toy-1", "reading": "other"}
    folder = claims_file(
        tmp_path,
        entry(PASSES, reading="one", quote="It is so."),
        entry(FAILS, erratum=erratum(PASSES), **made),
        entry(PASSES, id="toy-3", category="own"),
    )
    table = {"toy/t": (GRID, Provenance(config="", sources=(REAL,)))}
    judged = build_statements(judge_claims(load_claims(folder), table))
    assert tuple(judged) == STATEMENT_COLUMNS
    assert judged["statement"].tolist() == ["toy-1", "toy-3"]
    assert judged["verdict"].tolist() == [DEPENDS, HOLDS]
    assert judged["quote"].tolist() == ["It is so.", "-"]
    assert select_paper_statements(judged)["statement"].tolist() == ["toy-1"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"statement": "toy-1", "category": "own"}, "`toy-1` has claims of the category `paper`"),
        ({"statement": "other-1"}, "its statement must begin with the paper's key, `toy`"),
        ({"presupposes": "toy-3"}, "`toy-2` presupposes `toy-3`, and there is no such claim"),
        ({"erratum": {**erratum(PASSES), "same_as": "toy-1"}}, "is the same as that of `toy-1`"),
    ],
)
def test_claims_that_do_not_fit_together(tmp_path, more, said):
    folder = claims_file(tmp_path, entry(PASSES), entry(PASSES, id="toy-2", **more))
    with pytest.raises(ConfigError, match=said):
        load_claims(folder)


@pytest.mark.parametrize(("check", "verdict"), [(PASSES, REPRODUCED), (FAILS, INCONCLUSIVE)])
def test_a_claim_is_inconclusive_without_what_it_presupposes(tmp_path, check, verdict):
    folder = claims_file(
        tmp_path,
        entry(PASSES, presupposes="toy-2"),
        entry(check, id="toy-2"),
        entry(FAILS, id="toy-3"),
    )
    table = {"toy/t": (GRID, Provenance(config="", sources=(REAL,)))}
    judged = judge_claims(load_claims(folder), table).set_index("id")
    assert judged.loc["toy-1", "verdict"] == verdict
    assert judged.loc["toy-3", "verdict"] == DIFFERS
    if verdict == INCONCLUSIVE:
        assert judged.loc["toy-1", "note"].startswith(
            "By itself: reproduced. But it presupposes toy-2, which is differs."
        )


def test_readings_of_a_statement_differ_and_have_one_paper(root):
    """Readings of a statement differ, and its claims have one paper."""
    by_statement = {}
    for claim in load_all_claims(root / "workflow/noiseless/papers"):
        by_statement.setdefault(claim.statement, []).append(claim)
    for name, claims in by_statement.items():
        assert len({claim.paper for claim in claims}) == 1, name
        texts = {(claim.locator, claim.reading, claim.claim) for claim in claims}
        assert len(texts) == len(claims), name


def test_each_set_of_data_that_stands_in_has_its_own_verdict():
    """One that holds is not said to fail because another does."""
    rows = [("one", REPRODUCED), ("two", DIFFERS), ("two", REPRODUCED)]
    judged = build_statements(ledger(*(("s", "-", each, f"stand-in: {on}") for on, each in rows)))
    [found] = judged.to_dict("records")
    assert found["stand_ins"] == f"{HOLDS} on one | {FALSE} on two"
