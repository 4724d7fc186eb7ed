"""Run the statements of a paper, on some cores; write what they found as a file.

A statement that raises is an error of that statement alone; the others are run.
"""

import json
import logging
import traceback
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from enum import StrEnum
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits
from tqdm import tqdm

from noiseless.errors import ConfigError
from noiseless.files import write_atomically
from noiseless.settings import suggest_name
from noiseless.statements.findings import (
    Cell,
    Estimate,
    Example,
    Finding,
    Margin,
    MissingCellError,
    Relation,
    Wanted,
)
from noiseless.statements.registry import Run, Source, Statement, Table, load_sections
from noiseless.tables import REFUSED_COLUMN
from noiseless.tables import Source as DataSource

RUN_KEYS = frozenset({"seed", "half"})  # they differ in other runs
_logger = logging.getLogger(__name__)


class Lack(StrEnum):
    """What a statement lacks to be tested."""

    TABLE = "table"
    LEFT_OUT = "left out"
    EXPERIMENT_REFUSED = "experiment refused"
    DATA = "data"
    REAL_DATA = "real data"
    PUBLIC_DATA = "public data"
    SETTING = "setting"
    PRECISION = "precision"
    UNKNOWN_SETTING = "unknown setting"
    CELL = "cell"


@dataclass(frozen=True)
class Missing:
    """Why a statement cannot be tested on a table: what is lacking, and of what."""

    lack: Lack
    table: str
    what: str = ""  # the dataset, or the full name of the key
    found: str = ""  # why it was refused; which cell there is not; a digest; a setting, as JSON
    wanted: str = ""  # the paper's setting, as JSON


@dataclass(frozen=True)
class Tested:
    """What a statement's check found, and what each of its corrections did."""

    id: str
    module: str
    function: str
    printed: Finding | None = None  # of the words as printed; None where they were not tested
    corrections: tuple[Finding, ...] = ()  # in the order of the statement's
    missing: tuple[Missing, ...] = ()
    error: str = ""  # what the function raised
    data: tuple[DataSource, ...] = ()  # behind its tables
    on_tables: bool = False  # any of its tables was there


def run_statement(statement: Statement, run: Run) -> Tested:
    """Run a statement's check and its corrections' checks."""
    name = (statement.id, statement.check.__module__, statement.check.__name__)
    try:
        there = [each for each in statement.tables if each.name in run.tables]
        data = tuple(s for each in there for s in each.get_provenance(run).sources)
        missing = tuple(_find_missing(statement, there, run))
        if missing:
            return Tested(*name, missing=missing, data=data, on_tables=bool(there))
        printed = statement.check(*(source.load(run) for source in statement.over))
        corrections = tuple(
            each.check(*(source.load(run) for source in each.over))
            for each in statement.corrections
        )
    except MissingCellError as error:
        tables = " or ".join(each.name for each in statement.tables)
        missing = (Missing(Lack.CELL, tables, found=str(error)),)
        return Tested(*name, missing=missing, data=data, on_tables=True)
    except Exception as error:
        _logger.error("%s: %s\n%s", statement.id, error, traceback.format_exc())
        return Tested(*name, error=f"{type(error).__name__}: {error}")
    return Tested(*name, printed, corrections, data=data, on_tables=bool(there))


def _find_missing(statement: Statement, there: list[Table], run: Run) -> Iterator[Missing]:
    """Find out what a statement lacks to be tested: tables, real data, the paper's settings."""
    for table in statement.tables:
        if table.name in run.left_out:
            yield Missing(Lack.LEFT_OUT, table.name, run.left_out[table.name])
        elif table not in there:
            yield Missing(Lack.TABLE, table.name)
    for table in there:
        if REFUSED_COLUMN in table.load(run):
            why = str(table.load(run)[REFUSED_COLUMN].iloc[0])
            yield Missing(Lack.EXPERIMENT_REFUSED, table.name, found=why)
        yield from _find_other_settings(statement, table, run)
    for dataset in statement.needs:
        sources = [
            (table.name, source)
            for table in there
            for source in table.get_provenance(run).sources
            if source.dataset == dataset
        ]
        if there and not sources:
            yield Missing(Lack.DATA, " or ".join(each.name for each in there), dataset)
        for name, source in sources:
            if source.tier == "sample":
                yield Missing(Lack.REAL_DATA, name, dataset)
            elif not source.is_public:
                yield Missing(Lack.PUBLIC_DATA, name, dataset, source.sha256)


def _find_other_settings(statement: Statement, table: Table, run: Run) -> Iterator[Missing]:
    """Find the settings of a table that are not those that the verdict presumes."""
    presumed = {**statement.paper.presumes, **statement.presumes}
    limits = statement.paper.limits
    any_will_do = {*statement.paper.sizes, *RUN_KEYS}
    for key, value in json.loads(table.get_provenance(run).settings):
        if key in presumed:
            if value != presumed[key]:
                found, wanted = json.dumps(value), json.dumps(presumed[key])
                yield Missing(Lack.SETTING, table.name, key, found, wanted)
        elif key in limits:
            low, high = limits[key]
            values = value if isinstance(value, list) else [value]
            if not all(low <= each <= high for each in values):
                ends = json.dumps([low, high])
                yield Missing(Lack.PRECISION, table.name, key, json.dumps(value), ends)
        elif key not in any_will_do:
            yield Missing(Lack.UNKNOWN_SETTING, table.name, key)


def check_paper(paper: str, run: Run, output: str | Path, *, cores: int = 1) -> list[Tested]:
    """Run all statements of a paper on some cores; write what they found as JSON."""
    statements = load_sections(paper).statements
    refuse_unknown_sizes(paper, statements, run)
    groups = group_statements(statements)
    bar = tqdm(total=len(statements), desc=f"statements of {paper}", unit="statement")
    found: dict[str, Tested] = {}
    with bar, ProcessPoolExecutor(cores, get_context("fork")) as pool:
        global _at_work
        _at_work = groups, run  # what a forked process sees
        for tested in as_completed([pool.submit(_run_group, n) for n in range(len(groups))]):
            found |= {each.id: each for each in tested.result()}
            bar.update(len(tested.result()))
    ordered = [found[each.id] for each in statements]
    with write_atomically(Path(output)) as partial:
        partial.write_text(
            json.dumps([asdict(each) for each in ordered], indent=1) + "\n", encoding="utf-8"
        )
    return ordered


def refuse_unknown_sizes(paper: str, statements: Iterable[Statement], run: Run) -> None:
    """Refuse sizes that a run gives to universes that are not there, or that do not have them.

    The ConfigError names the key of the configuration, and the one that may be meant.
    """
    universes = {source.name: source for each in statements for source in each.universes}
    for name, sizes in run.overrides.items():
        key = f"statements.{paper}.{name}"
        if name not in universes:
            meant = suggest_name(name, universes)
            raise ConfigError(f"unknown key `{key}`.{meant} It names a universe of `{paper}`.")
        known = universes[name].smoke
        for size in sizes:
            if size not in known:
                raise ConfigError(
                    f"unknown key `{key}.{size}`.{suggest_name(size, known)} The sizes of "
                    f"`{name}` are {', '.join(known) or 'not to be changed'}."
                )
        universes[name].get_sizes(run)


_at_work: tuple[list[list[Statement]], Run]


def _run_group(number: int) -> list[Tested]:
    groups, run = _at_work
    # Each process has a core of its own: a second thread of BLAS would wait for it, and its sums
    # would be those of two.
    with threadpool_limits(1):
        return [run_statement(each, run) for each in groups[number]]


def group_statements(statements: Iterable[Statement]) -> list[list[Statement]]:
    """Group statements that share a universe, which is built once; the largest group first."""
    groups: list[tuple[set[Source], list[Statement]]] = []
    for statement in statements:
        sources: set[Source] = {*statement.universes}
        shared = [each for each in groups if each[0] & sources]
        groups = [each for each in groups if each not in shared]
        together = [member for _, members in shared for member in members]
        groups.append((sources.union(*(each for each, _ in shared)), [*together, statement]))
    return sorted((members for _, members in groups), key=len, reverse=True)


def read_findings(path: str | Path) -> list[Tested]:
    """Read what :func:`check_paper` wrote."""
    return [
        Tested(
            **{
                **row,
                "printed": _read_finding(row["printed"]),
                "corrections": tuple(map(_read_finding, row["corrections"])),
                "missing": tuple(
                    Missing(**{**each, "lack": Lack(each["lack"])}) for each in row["missing"]
                ),
                "data": tuple(DataSource(**each) for each in row["data"]),
            }
        )
        for row in json.loads(Path(path).read_text(encoding="utf-8"))
    ]


def _read_finding(row: Mapping[str, Any] | None) -> Any:
    if row is None:
        return None
    example = row["example"] and Example(
        **{**row["example"], "relation": Relation(row["example"]["relation"])}
    )
    return Finding(
        **{
            **row,
            **{name: tuple(row[name]) for name in ("found", "printed", "names", "bounds")},
            "wanted": Wanted(row["wanted"]),
            "example": example,
            "within": Margin(**row["within"]),
            "estimates": tuple(Estimate(**each) for each in row["estimates"]),
            "cells": tuple(Cell(**each) for each in row["cells"]),
        }
    )
