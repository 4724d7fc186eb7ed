"""Verdicts on the papers' statements, combined from the rows of the ledger.

1. A row of the ledger is one reading of a statement, or a part of it (a cell of a printed table,
   one of two cases that a sentence names); a row that names no reading belongs to all readings.
2. What becomes of the statement is decided by :mod:`noiseless.statements.sentences`.
3. What was judged on data that stand in for the paper's is said apart: it is never counted for or
   against the paper.
"""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from noiseless.statements import sentences
from noiseless.statements.registry import Category, Kind
from noiseless.statements.sentences import SentenceVerdict, decide_sentence
from noiseless.statements.verdicts import Verdict
from noiseless.statements.words import SENTENCES, VERDICT_WORDS

STATEMENT_VERDICTS = tuple(
    words.word for verdict, words in SENTENCES.items() if verdict is not SentenceVerdict.ERROR
)

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
    "because",
    "came_out",
    "data",
    "stand_in_verdict",
    "stand_in_data",
    "stand_ins",
)
STANDS_IN = "yes"  # of the ledger's column
NO_VERDICT = "-"  # verdict of a statement of which no row was tested on stand-in data

_WITHOUT_REASON = (
    *(SentenceVerdict.FAILS, SentenceVerdict.OPEN, SentenceVerdict.NOT_TESTED),
    SentenceVerdict.ERROR,
)

Row = Mapping[str, str]


def build_statements(ledger: pd.DataFrame) -> pd.DataFrame:
    """Build the table of statements with their verdicts from the ledger.

    One row for each statement, in the order of its first row, with :data:`STATEMENT_COLUMNS`, all
    text:

    - ``locator``, ``claim``: of the row that it is named after, or else of its first one;
      ``quote``: of its first row that has one.
    - ``readings``, ``rows``: how many there are.
    - ``verdict``: one of :data:`STATEMENT_VERDICTS`, without the rows on a stand-in; ``not
      tested`` where there are no others.
    - ``because``: what makes it so: what holds and what fails, a premise, where the right form
      is printed, what stands; ``-`` where nothing does.
    - ``came_out``: what was found of each reading and part, with ``|`` between them.
    - ``data``: what kinds of data this verdict rests on, as in the ledger.
    - ``stand_in_verdict``, ``stand_in_data``: the same of the rows on a stand-in; ``-`` where
      there are none.
    - ``stand_ins``: the verdict on each set of data that stands in, as ``on data: verdict``,
      with ``|`` between the sets, and ``||`` before what was found of each reading and part;
      ``-`` where there is none.
    """
    found: dict[str, list[Row]] = {}
    for row in ledger.to_dict("records"):
        found.setdefault(row["statement"], []).append(row)
    judged = [build_statement(rows) for rows in found.values()]
    return pd.DataFrame(judged, columns=list(STATEMENT_COLUMNS), dtype=object)


def build_statement(rows: Sequence[Row]) -> Row:
    """Build the verdict of one statement, a row of the table, from its rows of the ledger."""
    own = [row for row in rows if row["stands_in"] != STANDS_IN]
    other = [row for row in rows if row["stands_in"] == STANDS_IN]
    # A set of data that is not there says nothing beside one that is.
    other = [row for row in other if row["dataset"] != "-"] or other
    # Parts may stand before the row that the statement is named after.
    first = next((row for row in rows if row["id"] == row["statement"]), rows[0])
    return {
        **{name: first[name] for name in ("statement", "paper", "category", "locator", "claim")},
        "quote": next((row["quote"] for row in rows if row["quote"] != "-"), "-"),
        "readings": str(max(len(_list_readings(rows)), 1)),
        "rows": str(len(rows)),
        "verdict": _combine_verdicts(own) if own else SENTENCES[SentenceVerdict.NOT_TESTED].word,
        "because": _list_reasons(own) or "-",
        "came_out": " | ".join(_list_found(own)) or "-",
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
        " || ".join(
            [f"on {data.removeprefix('stand-in: ')}: {_combine_verdicts(each)}", *_list_found(each)]
        )
        for data, each in found.items()
    ]


def _list_found(rows: Sequence[Row]) -> list[str]:
    """List what was found of each row that was tested; of several with verdict, by reading."""
    there = [row for row in rows if row["found"] != "-"]
    if len(rows) == 1:
        return [describe_outcome(row) for row in there]
    by_label: dict[str, list[str]] = {}
    for row in there:
        by_label.setdefault(row["label"], []).append(describe_outcome(row, with_word=True))
    return [
        text if label == "-" else f"{label}: {text}"
        for label, texts in by_label.items()
        for text in (texts if label == "-" else ["; ".join(texts)])
    ]


def describe_outcome(row: Row, *, with_word: bool = False) -> str:
    """Describe what was found of a row, with the interval that decides; "" if it was not tested.

    ``with_word`` puts the word for its verdict before it, unless the number says it.
    """
    if row["found"] == "-":
        return VERDICT_WORDS[Verdict(row["verdict"])] if with_word else ""
    interval = f"; interval {row['interval']}" if row["interval"] != "-" else ""
    is_said = row["found"].endswith("cases fail")
    word = f"{VERDICT_WORDS[Verdict(row['verdict'])]}, " if with_word and not is_said else ""
    return f"{word}{row['found']}{interval}"


def _list_readings(rows: Sequence[Row]) -> list[str]:
    """List the readings that rows of the ledger name, each once."""
    return [each for each in dict.fromkeys(row["reading"] for row in rows) if each != "-"]


def _list_data_kinds(rows: Sequence[Row]) -> str:
    """List the kinds of data of rows of the ledger, each once, with semicolons between them."""
    return "; ".join(dict.fromkeys(part for row in rows for part in row["data"].split("; ")))


def _combine_verdicts(rows: Sequence[Row]) -> str:
    """Combine the verdicts of a statement's rows into the word for one."""
    return SENTENCES[decide_sentence(_group_readings(rows).values())].word


def _group_readings(rows: Sequence[Row]) -> dict[str, list[sentences.Row]]:
    """Group what was found by reading; a row without one belongs to each."""
    return {
        reading: [
            sentences.Row(
                Verdict(row["verdict"]), Kind(row["kind"]) if row["kind"] != "-" else None
            )
            for row in rows
            if row["reading"] in ("-", reading)
        ]
        for reading in _list_readings(rows) or ["-"]
    }


def _list_reasons(rows: Sequence[Row]) -> str:
    """List what makes the verdict what it is: of readings that part, those that hold and fail."""
    found = _group_readings(rows)
    verdict = decide_sentence(found.values()) if rows else SentenceVerdict.NOT_TESTED
    if verdict in _WITHOUT_REASON:
        return ""
    # What a reading is true of is the other reading, which is said anyway.
    texts = [row["because"] for row in rows if row["because"] != "-" and row["kind"] != "reading"]
    if verdict is SentenceVerdict.READING:
        decided = {reading: decide_sentence([each]) for reading, each in found.items()}
        texts = [f"{SENTENCES[each].word}: {reading}" for reading, each in decided.items()] + texts
    return "; ".join(dict.fromkeys(texts))


def count_verdicts(judged: pd.DataFrame, *, column: str = "verdict") -> pd.DataFrame:
    """Count the statements of each paper with each verdict, and *error* where there is one.

    ``column`` is ``verdict`` or ``stand_in_verdict``.
    """
    columns = list_verdicts(judged[column])
    judged = judged[judged[column] != NO_VERDICT]
    found = pd.crosstab(judged["paper"], judged[column])
    papers = list(dict.fromkeys(judged["paper"]))
    return found.reindex(index=papers, columns=columns, fill_value=0)


def list_verdicts(found: Iterable[str]) -> list[str]:
    """List the verdicts that a count of statements has; errors only where there are some."""
    error = SENTENCES[SentenceVerdict.ERROR].word
    return [*STATEMENT_VERDICTS, *([error] if error in set(found) else [])]


def count_stand_in_verdicts(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the papers' statements with each verdict on each dataset that stands in.

    A set of data that was left out is none.
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
    return judged[judged["category"] == Category.PAPER]
