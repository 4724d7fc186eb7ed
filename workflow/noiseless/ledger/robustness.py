"""Verdicts under other seeds, on halves of the homes, and in other readings of the paper.

1. A paper's tables are made with other seeds, and on random halves of the homes
   (:func:`noiseless.data.homes.select_half`), its cases drawn with other seeds, and both judged as
   those of the run itself.  Each such run is a variant.
2. :func:`build_robustness_table` puts the verdicts of the variants beside those of the run.  A
   statement has no row for a variant in which none of its tables, and none of its cases, changes.
3. Readings of the same statement stand beside each other.

A judge that is given the table calls a statement whose verdict changes ``inconclusive``, and names
what changes it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from noiseless.ledger.rows import describe_ledger, judge_findings
from noiseless.statements.registry import Statement
from noiseless.statements.verdicts import Verdict
from noiseless.tables import derive_provenance, read_provenance, read_table, write_table

COLUMNS = ("claim", "kind", "variant", "verdict", "observed")
_AS_RUN, _READING = "as run", "reading"
_KINDS = {"seed": "the seed", "half": "the homes"}
_CASES = "the cases of universes"  # beside the names of tables that a variant changes


def build_robustness_table(
    statements: Sequence[Statement],
    as_run: pd.DataFrame,
    varied: Mapping[str, pd.DataFrame],
    touched: Mapping[str, set[str]],
) -> pd.DataFrame:
    """Tabulate verdicts on a paper's statements: by seed, by half of the homes, and by reading.

    ``varied`` has the ledger of each variant by its folder, which ends in ``seed_2020`` or
    ``half_1``. A verdict is ``not tested`` where half of the homes are too few.
    """
    base = as_run.set_index("id")
    rows = [(name, _AS_RUN, "-", *_get_verdict(base, name)) for name in base.index]
    for variant, ledger in varied.items():
        kind, _, number = Path(variant).name.partition("_")
        judged = ledger.set_index("id")
        rows += [
            (each.id, kind, number, *_get_verdict(judged, each.id))
            for each in statements
            if touched[variant] & _list_looked_at(each)
        ]
    rows += [
        (each.id, _READING, other.reading, *_get_verdict(base, other.id))
        for each in statements
        for other in statements
        if other.group == each.group and each.reading and other.reading
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _list_looked_at(statement: Statement) -> set[str]:
    """List what a statement looks at that variants may change: tables, and cases by the seed."""
    drawn = {_CASES} if any(each.is_seeded for each in statement.universes) else set()
    return {each.name for each in statement.tables} | drawn


def _get_verdict(ledger: pd.DataFrame, name: str) -> tuple[str, str]:
    """Return the verdict on a statement and what was observed, from a ledger indexed by id."""
    return ledger.loc[name, "verdict"], ledger.loc[name, "observed"]


def write_robustness(
    paper: str,
    findings: str | Path,
    *,
    tables: Mapping[str, str | Path],
    varied: Mapping[str, Mapping[str, str | Path]],
    ledgers: Mapping[str, str | Path],
    output: str | Path,
    code: str,
) -> None:
    """Put the verdicts of every variant of a paper together, and write them as Parquet."""
    judged = {variant: read_table(path) for variant, path in ledgers.items()}
    entries = judge_findings(paper, findings)
    table = build_robustness_table(
        [each.statement for each in entries],
        describe_ledger(entries),
        {variant: ledger for variant, (ledger, _) in judged.items()},
        {variant: find_touched(variant, tables, varied.get(variant, {})) for variant in ledgers},
    )
    inputs = [provenance for _, provenance in judged.values()]
    inputs += [read_provenance(path) for path in tables.values()]
    write_table(table, output, derive_provenance({}, code, inputs=inputs))


def find_touched(
    variant: str, tables: Mapping[str, str | Path], varied: Mapping[str, str | Path]
) -> set[str]:
    """Find the tables of a variant that were made with other settings than those of the run.

    A variant of another seed touches the cases that statements draw, too.
    """
    found = {
        name
        for name, path in varied.items()
        if read_provenance(path).config != read_provenance(tables[name]).config
    }
    return found | ({_CASES} if Path(variant).name.startswith("seed_") else set())


def describe_verdict_changes(table: pd.DataFrame) -> Mapping[str, str]:
    """Describe by statement which seeds or halves change its verdict; others are left out.

    A description is such as ``the seed (differs in 2 of 5)``.
    """
    as_run = table[table["kind"] == _AS_RUN].set_index("claim")["verdict"]
    flips: dict[str, list[str]] = {}
    for (claim, kind), rows in table.groupby(["claim", "kind"], sort=False):
        if kind in (_AS_RUN, _READING) or as_run[claim] == Verdict.NOT_TESTED:
            continue
        tested = rows[rows["verdict"] != Verdict.NOT_TESTED]
        other = tested[tested["verdict"] != as_run[claim]]
        if len(other):
            verdicts = " or ".join(dict.fromkeys(other["verdict"]))
            flips.setdefault(claim, []).append(
                f"{_KINDS[kind]} ({verdicts} in {len(other)} of {len(tested)})"
            )
    return {claim: " and ".join(parts) for claim, parts in flips.items()}
