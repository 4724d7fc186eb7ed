"""Verdicts on the papers' statements, combined from the verdicts on their claims.

1. A claim of the ledger is a row: one reading of a statement, or a part of it (a cell of a printed
   table, one of two cases that a sentence names).
2. A reading holds if each of its rows is reproduced, and fails if one of them does; a row that
   names no reading belongs to all readings of its statement.
3. The verdict on a statement says whether it holds in every reading, in some, or in none.  A line
   of a proof that is wrong as printed counts as a slip, apart from statements that fail.
4. What was judged on data that stand in for the paper's is said apart: it is never counted for or
   against the paper.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import pandas as pd

from noiseless.ledger.claims import PAPER
from noiseless.ledger.judge import CORRECTED, DIFFERS, INCONCLUSIVE, NOT_TESTED, REPRODUCED

HOLDS = "holds"
HOLDS_IN_SOME = "holds in some readings"
DOES_NOT_HOLD = "does not hold"
WRONG_AS_PRINTED = "wrong as printed"
SLIP = "slip in a proof"
ERROR = "error"
STATEMENT_VERDICTS = (
    HOLDS,
    HOLDS_IN_SOME,
    DOES_NOT_HOLD,
    WRONG_AS_PRINTED,
    SLIP,
    INCONCLUSIVE,
    NOT_TESTED,
)
VERDICT_MEANINGS = {
    HOLDS: "came out as printed, in every reading of the text",
    HOLDS_IN_SOME: "came out in one reading of the text, and not in another",
    DOES_NOT_HOLD: "something else came out, in every reading",
    WRONG_AS_PRINTED: "false in every reading, with a correction that was checked",
    SLIP: "a line of a proof or of a derivation is wrong as printed; the correction was checked",
    INCONCLUSIVE: "what came out allows both answers",
    NOT_TESTED: "the paper's data, or a table, was not there",
    ERROR: "its check could not be run: a run with one is not complete",
}

STATEMENT_COLUMNS = (
    "statement",
    "paper",
    "category",
    "locator",
    "quote",
    "claim",
    "readings",
    "rows",
    "verdict",
    "data",
    "stand_in_verdict",
    "stand_in_data",
    "stand_ins",
)
STANDS_IN = "yes"  # of the ledger's column
NO_VERDICT = "-"  # verdict of a statement of which no claim was tested on stand-in data

# The first of these that a row of a reading has is the verdict on that reading: one part that fails
# decides it, whatever is known of the others.
_VERDICT_PRECEDENCE = (ERROR, CORRECTED, DIFFERS, INCONCLUSIVE, NOT_TESTED, REPRODUCED)

Row = Mapping[str, str]


def build_statements(ledger: pd.DataFrame) -> pd.DataFrame:
    """Build the table of statements with their verdicts from the ledger of claims.

    Parameters
    ----------
    ledger : DataFrame
        From :func:`~noiseless.ledger.judge.judge_claims`.

    Returns
    -------
    DataFrame
        One row for each statement, in the order of its first claim, with
        :data:`STATEMENT_COLUMNS`, all text.

        - ``locator``, ``quote``, ``claim``: of its first claim that has one.
        - ``readings``, ``rows``: how many there are.
        - ``verdict``: one of :data:`STATEMENT_VERDICTS`, without the rows on a stand-in; ``not
          tested`` where there are no others.
        - ``data``: what kinds of data this verdict rests on, as in the ledger.
        - ``stand_in_verdict``, ``stand_in_data``: the same of the rows on a stand-in; ``-`` where
          there are none.
        - ``stand_ins``: the verdict on each set of data that stands in, as ``verdict on data``,
          with ``|`` between them; ``-`` where there is none.

    Raises
    ------
    KeyError
        If the ledger holds a verdict that this module does not know.
    """
    found: dict[str, list[Row]] = {}
    for row in ledger.to_dict("records"):
        found.setdefault(row["statement"], []).append(row)
    judged = [_build_statement(rows) for rows in found.values()]
    return pd.DataFrame(judged, columns=list(STATEMENT_COLUMNS), dtype=object)


def _build_statement(rows: Sequence[Row]) -> Row:
    """Build the row of one statement from its claims' rows of the ledger."""
    own = [row for row in rows if row["stands_in"] != STANDS_IN]
    other = [row for row in rows if row["stands_in"] == STANDS_IN]
    # A set of data that is not there says nothing beside one that is.
    other = [row for row in other if row["dataset"] != "-"] or other
    first = rows[0]
    return {
        **{name: first[name] for name in ("statement", "paper", "category", "locator", "claim")},
        "quote": next((row["quote"] for row in rows if row["quote"] != "-"), "-"),
        "readings": str(max(len(_list_readings(rows)), 1)),
        "rows": str(len(rows)),
        "verdict": _combine_verdicts(own) if own else NOT_TESTED,
        "data": _list_data_kinds(own) if own else "-",
        "stand_in_verdict": _combine_verdicts(other) if other else NO_VERDICT,
        "stand_in_data": _list_data_kinds(other) if other else "-",
        "stand_ins": " | ".join(_list_stand_ins(other)) or "-",
    }


def _list_stand_ins(rows: Sequence[Row]) -> list[str]:
    """List the verdict of a statement on each set of data that stands in, with the set."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["data"], []).append(row)
    return [
        f"{_combine_verdicts(each)} on {data.removeprefix('stand-in: ')}"
        for data, each in found.items()
    ]


def _list_readings(rows: Sequence[Row]) -> list[str]:
    """List the readings that rows of the ledger name, each once."""
    return [each for each in dict.fromkeys(row["reading"] for row in rows) if each != "-"]


def _list_data_kinds(rows: Sequence[Row]) -> str:
    """List the kinds of data of rows of the ledger, each once, with semicolons between them."""
    return "; ".join(dict.fromkeys(part for row in rows for part in row["data"].split("; ")))


def _combine_verdicts(rows: Sequence[Row]) -> str:
    """Combine the verdicts of a statement's rows into one, with :data:`SLIP` for slips alone."""
    verdict = decide_verdict(
        [
            [row["verdict"] for row in rows if row["reading"] in ("-", reading)]
            for reading in _list_readings(rows) or ["-"]
        ]
    )
    wrong = [row for row in rows if row["verdict"] == CORRECTED]
    return (
        SLIP
        if verdict == WRONG_AS_PRINTED and all(row["slip"] != "-" for row in wrong)
        else verdict
    )


def decide_verdict(readings: Collection[Sequence[str]]) -> str:
    """Combine the verdicts on a statement's claims, given by reading, into one verdict.

    Parameters
    ----------
    readings : collection of sequences of str
        For each reading, the verdicts on all rows that belong to it
        (:data:`noiseless.ledger.judge.VERDICTS`).

    Returns
    -------
    str
        One of :data:`STATEMENT_VERDICTS` other than :data:`SLIP`, or :data:`ERROR` if any check
        could not be run.  A reading that was not tested leaves the statement untested, unless the
        others already disagree.

    Raises
    ------
    KeyError
        If a verdict is unknown.
    ValueError
        If there is no reading, or one without rows.
    """
    if not readings or not all(readings):
        raise ValueError("a statement has at least one reading, and each of them a row.")
    rank = {verdict: place for place, verdict in enumerate(_VERDICT_PRECEDENCE)}
    found = {_VERDICT_PRECEDENCE[min(rank[each] for each in rows)] for rows in readings}
    if ERROR in found:
        return ERROR
    fails = found & {CORRECTED, DIFFERS}
    if found == {REPRODUCED}:
        return HOLDS
    if NOT_TESTED in found and not (REPRODUCED in found and fails):
        return NOT_TESTED
    if REPRODUCED in found:
        return HOLDS_IN_SOME
    if INCONCLUSIVE in found:
        return INCONCLUSIVE
    return WRONG_AS_PRINTED if found == {CORRECTED} else DOES_NOT_HOLD


def count_verdicts(judged: pd.DataFrame, *, column: str = "verdict") -> pd.DataFrame:
    """Count the statements of each paper with each verdict.

    Parameters
    ----------
    judged : DataFrame
        From :func:`build_statements`.
    column : str
        ``verdict``, or ``stand_in_verdict``.

    Returns
    -------
    DataFrame
        Papers in their order by :data:`STATEMENT_VERDICTS`, and :data:`ERROR` where there is one;
        papers without any are excluded.
    """
    columns = list_verdicts(judged[column])
    judged = judged[judged[column] != NO_VERDICT]
    found = pd.crosstab(judged["paper"], judged[column])
    papers = list(dict.fromkeys(judged["paper"]))
    return found.reindex(index=papers, columns=columns, fill_value=0)


def list_verdicts(found: Iterable[str]) -> list[str]:
    """List the verdicts that a count of statements has; errors only where there are some."""
    return [*STATEMENT_VERDICTS, *([ERROR] if ERROR in set(found) else [])]


def count_stand_in_verdicts(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the papers' statements with each verdict on each dataset that stands in.

    Parameters
    ----------
    ledger : DataFrame
        From :func:`~noiseless.ledger.judge.judge_claims`.

    Returns
    -------
    DataFrame
        (paper, dataset) by :data:`STATEMENT_VERDICTS`; a set of data that was left out is none.
    """
    there = (ledger["stands_in"] == STANDS_IN) & (ledger["dataset"] != "-")
    found = {
        key: count_verdicts(
            select_paper_statements(build_statements(rows)), column="stand_in_verdict"
        ).sum()
        for key, rows in ledger[there].groupby(["paper", "dataset"], sort=False)
    }
    index = pd.MultiIndex.from_tuples(found, names=["paper", "dataset"]) if found else None
    columns = list_verdicts(ledger.loc[there, "verdict"])
    table = pd.DataFrame(found.values(), index=index, columns=columns).fillna(0).astype(int)
    return table[table.sum(axis=1) > 0]


def select_paper_statements(judged: pd.DataFrame) -> pd.DataFrame:
    """Select the statements of the papers, without those of this project."""
    return judged[judged["category"] == PAPER]
