"""Runs of the workflow with other settings, several keys at a time that no table shares.

1. :func:`list_recorded_keys`: the keys that each claim rests on, from the tables of a finished run.
2. :func:`plan_rounds`: variants that no claim rests on together, so that each change has one cause.
3. :func:`find_turned`: verdicts that a change of settings turned, in place of leaving them open.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from changed_settings.variants import Variant
from noiseless.ledger.judge import NOT_TESTED
from noiseless.tables import read_provenance

UNDECIDED = {"inconclusive", NOT_TESTED}


def list_recorded_keys(results: Path) -> list[set[str]]:
    """List the keys of the configuration that each table of a run records."""
    tables = sorted((results / "tables").rglob("*.parquet"))
    settings = [json.loads(read_provenance(path).settings) for path in tables]
    unique = {frozenset(key for key, _ in pairs) for pairs in settings}
    return [set(keys) for keys in sorted(unique, key=sorted) if keys]


def plan_rounds(
    variants: Iterable[Variant], recorded: Sequence[set[str]]
) -> list[dict[str, Variant]]:
    """Distribute variants over rounds, by key, so that no table of a round has two of them."""
    rounds: list[dict[str, Variant]] = []
    for variant in variants:
        beside = set().union(*(keys for keys in recorded if variant.key in keys))
        for planned in rounds:
            if not beside & planned.keys():
                planned[variant.key] = variant
                break
        else:
            rounds.append({variant.key: variant})
    return rounds


def read_verdicts(results: Path) -> pd.DataFrame:
    """Read the verdict and note of every claim, by its id, from the ledgers of a run's papers."""
    ledgers = [pd.read_parquet(path) for path in sorted((results / "ledger").glob("*.parquet"))]
    return pd.concat(ledgers).set_index("id")[["verdict", "note"]]


def find_turned(
    before: pd.DataFrame, after: pd.DataFrame, changed: Mapping[str, Variant]
) -> list[str]:
    """List claims that settings turned: those with another verdict than one left open, and why.

    Parameters
    ----------
    before, after : DataFrame
        Verdicts and notes by claim (:func:`read_verdicts`).
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
        if now == was:
            continue
        if now not in UNDECIDED:
            lines.append(f"{name}: {was}, then {now}")
        elif not any(key in note for key in changed):
            lines.append(f"{name}: {was}, then {now}, and its note names no key: {note}")
    return lines
