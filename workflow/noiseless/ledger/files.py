"""Ledgers as files: one of verdicts per paper, one of all papers, and a summary as text.

1. :func:`judge_paper` judges a paper's statements together.
2. :func:`join_ledgers` puts the papers' verdicts one below the other.
3. :func:`format_verdict_counts` counts the statements with each verdict, for the end of a run.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from noiseless.errors import DataError
from noiseless.files import index_paths
from noiseless.ledger.robustness import describe_verdict_changes
from noiseless.ledger.rows import describe_ledger, judge_findings
from noiseless.ledger.statements import (
    build_statements,
    count_stand_in_verdicts,
    count_verdicts,
    list_verdicts,
    select_paper_statements,
)
from noiseless.statements.registry import Category
from noiseless.statements.verdicts import build_ledger
from noiseless.tables import derive_provenance, read_table, write_table


def judge_paper(
    paper: str,
    findings: str | Path,
    *,
    typed: str | Path,
    ledger: str | Path,
    code: str,
    tables: Iterable[str | Path] = (),
    robustness: str | Path | None = None,
) -> None:
    """Judge the findings on a paper; write its typed ledger, and the same in words, as Parquet.

    A statement whose verdict changes in ``robustness``, the paper's table of
    :mod:`noiseless.ledger.robustness`, is ``inconclusive``.
    """
    paths = index_paths(map(str, tables))
    provenances = {name: read_table(check_exists(path))[1] for name, path in paths.items()}
    inputs = [*provenances.values()]
    flips: Mapping[str, str] = {}
    if robustness is not None:
        changes, provenance = read_table(check_exists(robustness))
        flips = describe_verdict_changes(changes)
        inputs.append(provenance)
    entries = judge_findings(paper, check_exists(findings), flips)
    provenance = derive_provenance({}, code, inputs=inputs)
    write_table(build_ledger(entries), typed, provenance)
    write_table(describe_ledger(entries, provenances), ledger, provenance)


def join_ledgers(papers: Sequence[str | Path], ledger: str | Path, *, code: str) -> None:
    """Write the ledgers of several papers as one Parquet file, in the order of the papers."""
    read = [read_table(check_exists(path)) for path in papers]
    joined = pd.concat([table for table, _ in read], ignore_index=True)
    provenance = derive_provenance({}, code, inputs=[each for _, each in read])
    write_table(joined, ledger, provenance)


def index_paths_by_run(paths: Iterable[str]) -> dict[str, dict[str, str]]:
    """Map the folder of each run to its tables' paths by their names, ``<paper>/<name>``."""
    found: dict[str, dict[str, str]] = {}
    for path in paths:
        found.setdefault(path.partition("/tables/")[0], {}).update(index_paths([path]))
    return found


def check_exists(path: str | Path) -> Path:
    """Return ``path`` as a Path after checking that it is a file."""
    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path}: no such file. Run `snakemake {path}` to make it.")
    return path


def bound_false_differs(ledger: pd.DataFrame) -> float:
    """Bound the expected number of statements that get ``differs`` by chance of sampling alone."""
    return float(ledger["chance"].astype(float).sum())


def format_verdict_counts(ledgers: Collection[str | Path]) -> str:
    """Format the numbers of statements with each verdict, by paper, as an aligned text table."""
    ledger = pd.concat([read_table(path)[0] for path in ledgers], ignore_index=True)
    table = build_statements(ledger)
    stand_ins = count_stand_in_verdicts(ledger)
    stand_ins.index = [f"{paper}, on {data}, which stands in" for paper, data in stand_ins.index]
    parts = (
        ("", count_verdicts(select_paper_statements(table))),
        ("", stand_ins),
        (" (our own)", count_verdicts(table[table["category"] == Category.OWN])),
    )
    verdicts = list_verdicts(ledger["verdict"])
    head = ["statements", *verdicts]
    body = [
        [f"{paper}{suffix}", *map(str, row)]
        for suffix, part in parts
        for paper, row in part.reindex(columns=verdicts, fill_value=0).iterrows()
    ]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
        for row in [head, *body]
    ]
    return "\n".join(
        [
            *lines,
            "",
            "If every claim were true, chance alone would still give at most "
            f"{bound_false_differs(ledger):.2g} `differs` a run.",
        ]
    )
