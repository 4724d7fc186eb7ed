"""Runs of the workflow with other settings, several keys at a time that no table shares.

1. :func:`list_recorded_keys`: the keys that each table of a finished run records.
2. :func:`plan_rounds`: variants that no table rests on together, so that each change has one cause.
3. :func:`read_verdicts`: verdicts as if samples were the real data.
4. :func:`find_turned`: verdicts that a change of settings turned, in place of leaving them open.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from changed_settings.variants import Variant
from noiseless.files import index_paths
from noiseless.ledger.rows import describe_ledger
from noiseless.pipeline.sections import list_papers
from noiseless.statements.registry import Run, Sizes, load_sections
from noiseless.statements.running import Tested, read_findings, run_statement
from noiseless.statements.verdicts import Verdict, judge
from noiseless.tables import read_provenance, read_table

UNDECIDED = {Verdict.INCONCLUSIVE, Verdict.NOT_TESTED}
_OF_A_SET = ("homes.", "recordings.")


def list_tables(results: Path) -> list[Path]:
    """List the tables of a finished run."""
    return sorted((results / "tables").glob("*/[!.]*.parquet"))


def list_recorded_keys(results: Path) -> list[set[str]]:
    """List the keys of the configuration that each table of a run records."""
    settings = [json.loads(read_provenance(path).settings) for path in list_tables(results)]
    unique = {frozenset(key for key, _ in pairs) for pairs in settings}
    return [set(keys) for keys in sorted(unique, key=sorted) if keys]


def plan_rounds(
    variants: Iterable[Variant], recorded: Sequence[set[str]]
) -> list[dict[str, Variant]]:
    """Distribute variants over rounds, by key, so that no table of a round has two of them.

    Those of a set of data that the run leaves out are left out.
    """
    known = set().union(*recorded)
    rounds: list[dict[str, Variant]] = []
    for variant in variants:
        if variant.key.startswith(_OF_A_SET) and variant.key not in known:
            continue
        beside = {variant.key}.union(*(keys for keys in recorded if variant.key in keys))
        for planned in rounds:
            if not beside & planned.keys():
                planned[variant.key] = variant
                break
        else:
            rounds.append({variant.key: variant})
    return rounds


def read_verdicts(results: Path, changed: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Judge all statements on the tables of a run, whatever their data; verdict and note by id.

    ``changed`` is the part of its configuration that is not that of a smoke run.
    """
    changed, ledgers = changed or {}, []
    paths = index_paths(map(str, list_tables(results)))
    run = Run(Sizes(changed.get("sizes", "smoke")), 0, paths, changed.get("statements", {}))
    for paper in list_papers():
        tested = _test_on_any_data(paper, results / f"findings/{paper}.json", run)
        provenances = {name: read_table(path)[1] for name, path in paths.items()}
        entries = judge(load_sections(paper).statements, tested)
        ledgers.append(describe_ledger(entries, provenances))
    return pd.concat(ledgers).set_index("id")[["verdict", "note"]]


def _test_on_any_data(paper: str, findings: Path, run: Run) -> dict[str, Tested]:
    """Take what a run found of what reads no table alone, and test the others on any data."""
    tested = {each.id: each for each in read_findings(findings)} if findings.is_file() else {}
    for statement in load_sections(paper).statements:
        if statement.tables:
            tested[statement.id] = run_statement(replace(statement, needs=()), run)
    return tested


def find_turned(
    before: pd.DataFrame, after: pd.DataFrame, changed: Mapping[str, Variant]
) -> list[str]:
    """List statements that settings turned: those with another verdict than one left open, and why.

    A verdict that was left open may be decided by a setting that is finer.

    Parameters
    ----------
    before, after : DataFrame
        Verdicts and notes by statement (:func:`read_verdicts`).
    changed : mapping of str to Variant
        The settings that were changed in between, by key.

    Returns
    -------
    list of str
        A line for each.
    """
    lines = [f"{name}: no verdict any more" for name in before.index.difference(after.index)]
    for name in before.index.intersection(after.index):
        was, now = before.loc[name, "verdict"], after.loc[name, "verdict"]
        note = str(after.loc[name, "note"])
        if now == was or was in UNDECIDED:
            continue
        if now not in UNDECIDED:
            lines.append(f"{name}: {was}, then {now}: {note}")
        elif not any(key in note for key in changed):
            lines.append(f"{name}: {was}, then {now}, and its note names no key: {note}")
    return lines
