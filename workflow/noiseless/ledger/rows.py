"""Rows of the ledger: verdicts on statements in words, a column for each thing that is said.

Findings and verdicts are typed (:mod:`noiseless.statements`); here is what people read of them.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pandas as pd

from noiseless.ledger.errata import Erratum, build_erratum, end_sentence
from noiseless.settings import is_precision
from noiseless.statements import words
from noiseless.statements.findings import Wanted
from noiseless.statements.registry import load_sections
from noiseless.statements.running import RUN_KEYS, Lack, read_findings
from noiseless.statements.verdicts import Entry, Verdict, judge
from noiseless.tables import Provenance

COLUMNS = (
    "id",
    "paper",
    "category",
    "statement",
    "locator",
    "reading",
    "quote",
    "claim",
    "expected",
    "observed",
    "tolerance",
    "verdict",
    "kind",
    "because",
    "data",
    "stands_in",
    "tier",
    "dataset",
    "chance",
    "noticed",
    "note",
    "label",
    "data_set",
    "found",
    "low",
    "high",
    "cases",
    "failed",
    "interval",
    "example",
    "check",
)
_NUMBERS = ("found", "low", "high", "cases", "failed", "interval", "example")
_NO_SIZES = frozenset({*RUN_KEYS, "plugins"})


def judge_findings(
    paper: str, findings: str | Path, flips: Mapping[str, str] | None = None
) -> list[Entry]:
    """Judge what :func:`noiseless.statements.running.check_paper` wrote."""
    tested = {each.id: each for each in read_findings(findings)}
    return judge(load_sections(paper).statements, tested, flips)


def describe_ledger(
    entries: Iterable[Entry], tables: Mapping[str, Provenance] | None = None
) -> pd.DataFrame:
    """Describe verdicts in the columns :data:`COLUMNS`, all text.

    Of ``tables``, by name, a verdict that is open names the precisions.  A row for each entry, in
    their order; ``-`` where there is nothing:

    - ``category``: ``paper``, or ``own`` for a statement of this project's.
    - ``statement``: what :mod:`noiseless.ledger.statements` puts together; ``reading``: of
      several readings this one.
    - ``quote``, ``claim``: the printed words, and what they say as a whole sentence.
    - ``expected``, ``tolerance``: what the paper prints, and how near counts.
    - ``label``: the reading in a few words; ``-`` where there is one alone.
    - ``data_set``: the set of data that it is judged on; ``-`` if it is not about sets.
    - ``observed``: what the function found, to six digits; ``found``: the same for a reader,
      and ``low``, ``high``, ``cases`` and ``failed`` as numbers.
    - ``interval``: of the estimate that decides, widened to hold with all of its family.
    - ``example``: the first counter-example, by its numbers.
    - ``verdict``: a :class:`~noiseless.statements.verdicts.Verdict`.
    - ``kind``, ``because``: what is wrong with words that were corrected, and why it is called
      so (:mod:`noiseless.statements.sentences`).
    - ``data``: ``none``; ``sample``, or ``sample of a stand-in`` where the paper's own data are
      of another dataset; ``the paper's``; ``stand-in: ...``.
    - ``stands_in``: ``yes`` where these data stand in for the paper's; ``no`` otherwise.
    - ``tier``, ``dataset``: of the tables used.
    - ``noticed``: by how much an exact number must be off to be noticed.
    - ``chance``: how likely an interval misses what it estimates, at most; ``0`` for an exact
      statement.  The sum over a paper bounds the number of false ``differs`` in it, and so does
      that over a set of homes that stands in.
    - ``note``: what holds instead, or why the statement was not tested or is open.
    - ``check``: the function that decides it, as ``module:function``.
    """
    entries = list(entries)
    rows = [_describe_entry(each) for each in entries]
    for entry, row in zip(entries, rows, strict=True):
        row["note"] = f"{row['note']} {_describe_precision(entry, tables or {})}".strip()
    return pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)


def _describe_entry(entry: Entry) -> dict[str, str]:
    """Describe a statement's verdict as a row of the ledger."""
    statement, tested, printed = entry.statement, entry.tested, entry.tested.printed
    erratum, data = build_erratum(statement), Provenance(config="", sources=tested.data)
    numbers = _describe_numbers(entry)
    return {
        "id": statement.id,
        "paper": statement.paper.name,
        "category": str(statement.category),
        "statement": statement.group,
        "locator": statement.where,
        "reading": statement.reading or "-",
        "label": statement.label or statement.reading or "-",
        "data_set": statement.data_set or "-",
        "quote": statement.quote or "-",
        "claim": statement.sentence,
        "expected": words.describe_wanted(printed) if printed else "-",
        "observed": words.describe_found(printed) if printed else "-",
        **numbers,
        "tolerance": words.describe_margin(printed.within) if printed else "-",
        "verdict": str(entry.verdict),
        "kind": str(entry.kind or "-"),
        "because": words.describe_kind(entry) or "-",
        "data": words.describe_data(entry),
        "stands_in": "yes" if entry.stands_in else "no",
        "tier": data.tier,
        "dataset": data.dataset,
        "chance": f"{entry.chance:.2g}",
        "noticed": _describe_noticed(entry),
        "note": _describe_note(entry, erratum),
        "check": f"{tested.module}:{tested.function}",
    }


def _describe_numbers(entry: Entry) -> dict[str, str]:
    """Describe what was found, in columns of numbers and in words, all from the one finding."""
    printed = entry.tested.printed
    if printed is None:
        return dict.fromkeys(_NUMBERS, "-")
    interval, example = entry.decisions[0].interval, printed.example
    return {
        "found": words.describe_briefly(printed),
        "low": words.format_number(min(printed.found)),
        "high": words.format_number(max(printed.found)),
        "cases": str(printed.cases),
        "failed": str(printed.failed),
        "interval": " to ".join(map(words.format_briefly, interval)) if interval else "-",
        "example": words.describe_example(example) if example and not example.holds else "-",
    }


def _describe_noticed(entry: Entry) -> str:
    """Describe which deviation an exact check would notice."""
    printed = entry.tested.printed
    if printed is None or printed.wanted is Wanted.INTERVALS_WITHIN:
        return "-"
    margin = words.format_margin(printed.within)
    return f"more than {margin}" if margin else "any deviation"


def _describe_precision(entry: Entry, tables: Mapping[str, Provenance]) -> str:
    """Describe how precise the tables and cases are behind a verdict that is open by itself."""
    statement = entry.statement
    used = [tables[each.name] for each in statement.tables if each.name in tables]
    if any(each.lack is Lack.CELL for each in entry.tested.missing):
        any_will_do = {*statement.paper.sizes, *statement.paper.limits} - _NO_SIZES
        return _describe_settings(used, any_will_do.__contains__, "The sizes of its tables")
    if entry.verdict is not Verdict.INCONCLUSIVE or entry.by_itself:
        return ""
    text = _describe_settings(used, is_precision, "The precision of its tables")
    sizes = [
        f"statements.{statement.paper.name}.{universe.name}.{size}"
        for universe in statement.universes
        for size in universe.smoke
    ]
    return f"{text} The sizes of its cases: {', '.join(sizes)}.".strip() if sizes else text


def _describe_note(entry: Entry, erratum: Erratum | None) -> str:
    """Describe what holds instead, or why a statement was not tested or is open."""
    tested = entry.tested
    if entry.verdict is Verdict.ERROR:
        return f"Its check could not be run: {end_sentence(tested.error)}"
    if tested.printed is None:
        return words.describe_missing(entry.statement, tested.missing)
    printed, *others = entry.decisions
    text = words.describe_decision(printed, tested.printed)
    note = end_sentence(text) if text else ""
    if erratum and printed.verdict is Verdict.REPRODUCED:
        note = "The erratum did not show: the words hold as printed."
    elif erratum:
        note = f"As printed: {note} What holds instead: {erratum.holds}"
        for decision, finding in zip(others, tested.corrections, strict=True):
            why = words.describe_decision(decision, finding)
            wanted, found = words.describe_wanted(finding), words.describe_found(finding)
            does = "passes" if not why else f"does not pass ({why})"
            note += f" Its check {does}: wanted {wanted}, found {found}."
    if entry.by_itself:
        note = f"By itself: {entry.by_itself}. It depends on {entry.depends_on}. {note}".strip()
    trusted = sorted(
        {each.dataset for each in tested.data if each.is_public and each.digest == "unknown"}
    )
    if entry.statement.needs and trusted:
        note = (
            f"{note} Of {' and '.join(trusted)} no digest is known (for all files); taken for the "
            "public data on trust in the names."
        ).strip()
    return note


def _describe_settings(
    used: Iterable[Provenance], is_chosen: Callable[[str], bool], what: str
) -> str:
    """Describe some of the settings that tables record, as a sentence; "" without any."""
    recorded = {
        key: value
        for provenance in used
        for key, value in json.loads(provenance.settings)
        if is_chosen(key)
    }
    listed = ", ".join(f"{key} = {json.dumps(value)}" for key, value in sorted(recorded.items()))
    return f"{what}: {listed}." if listed else ""
