"""Verdicts under other seeds, on halves of the homes, and in other readings of the paper.

1. The tables of a paper's claims are made with other seeds, and on random halves of the homes
   (:func:`noiseless.data.homes.select_half`), and judged as those of the run itself.  Each such run
   is a variant.
2. :func:`build_robustness_table` puts the verdicts of the variants beside those of the run.  A
   claim has no row for a variant in which none of its tables changes.
3. Readings of the same statement stand beside each other.

A judge that is given the table calls a claim whose verdict changes ``inconclusive``, and names what
changes it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from noiseless.files import compute_file_sha256
from noiseless.ledger.claims import Claim, load_paper_claims
from noiseless.ledger.judge import NOT_TESTED, judge_claims
from noiseless.tables import derive_provenance, read_provenance, read_table, write_table

COLUMNS = ("claim", "kind", "variant", "verdict", "observed")
_AS_RUN, _READING = "as run", "reading"
_KINDS = {"seed": "the seed", "half": "the homes"}


def build_robustness_table(
    claims: Sequence[Claim],
    as_run: pd.DataFrame,
    varied: Mapping[str, pd.DataFrame],
    touched: Mapping[str, set[str]],
) -> pd.DataFrame:
    """Tabulate verdicts on a paper's claims: by seed, by half of the homes, and by reading.

    Parameters
    ----------
    claims : sequence of Claim
        The claims of one paper.
    as_run : DataFrame
        The judge's verdicts on the run itself.
    varied : mapping of str to DataFrame
        The judge's verdicts on each variant, by the variant's folder, which ends in ``seed_2020``
        or ``half_1``.
    touched : mapping of str to set of str
        Names of the tables that depend on the seed or half of each variant, by its folder.

    Returns
    -------
    DataFrame
        ``claim``; ``kind`` (``as run``, ``seed``, ``half``, ``reading``); ``variant``; ``verdict``
        and ``observed`` of the judge; ``not tested`` where half of the homes are too few.
    """
    base = as_run.set_index("id")
    rows = [(name, _AS_RUN, "-", *_get_verdict(base, name)) for name in base.index]
    for variant, ledger in varied.items():
        kind, _, number = Path(variant).name.partition("_")
        judged = ledger.set_index("id")
        rows += [
            (claim.id, kind, number, *_get_verdict(judged, claim.id))
            for claim in claims
            if touched[variant] & set(claim.tables)
        ]
    rows += [
        (claim.id, _READING, other.reading, *_get_verdict(base, other.id))
        for claim in claims
        for other in claims
        if other.statement == claim.statement and claim.reading and other.reading
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _get_verdict(ledger: pd.DataFrame, claim: str) -> tuple[str, str]:
    """Return the verdict on a claim and what was observed, from a ledger indexed by claim id."""
    return ledger.loc[claim, "verdict"], ledger.loc[claim, "observed"]


def write_robustness(
    *,
    claims: str | Path,
    tables: Mapping[str, str | Path],
    varied: Mapping[str, Mapping[str, str | Path]],
    ledgers: Mapping[str, str | Path],
    output: str | Path,
    code: str,
) -> None:
    """Judge every variant of a paper's tables, and write its table of robustness as Parquet.

    Parameters
    ----------
    claims : path
        The paper's claims file.
    tables : mapping of str to path
        The claims' tables of the run itself, by name.
    varied : mapping of str to mapping
        The claims' tables of each variant, by the variant's folder and by name.
    ledgers : mapping of str to path
        The ledger of each variant, by the variant's folder.
    output : path
        The Parquet file to write.
    code : str
        Digest of the code, for the provenance.
    """
    loaded = load_paper_claims(claims)
    read = {name: read_table(path) for name, path in tables.items()}
    touched = find_touched_tables(tables, varied)
    judged = {variant: read_table(path) for variant, path in ledgers.items()}
    table = build_robustness_table(
        loaded,
        judge_claims(loaded, read),
        {variant: ledger for variant, (ledger, _) in judged.items()},
        touched,
    )
    inputs = [provenance for _, provenance in (*read.values(), *judged.values())]
    settings = {"claims": compute_file_sha256(claims)}
    write_table(table, output, derive_provenance(settings, code, inputs=inputs))


def find_touched_tables(
    tables: Mapping[str, str | Path], varied: Mapping[str, Mapping[str, str | Path]]
) -> dict[str, set[str]]:
    """Find by variant the tables that were made with other settings than those of the run."""
    made_with = {name: read_provenance(path).config for name, path in tables.items()}
    return {
        variant: {name for name in paths if read_provenance(paths[name]).config != made_with[name]}
        for variant, paths in varied.items()
    }


def describe_verdict_changes(table: pd.DataFrame) -> Mapping[str, str]:
    """Describe by claim which seeds or halves change its verdict; unchanged claims are left out.

    Parameters
    ----------
    table : DataFrame
        From :func:`build_robustness_table`.

    Returns
    -------
    mapping of str to str
        Such as ``the seed (differs in 2 of 5)``, by the claim's id.
    """
    as_run = table[table["kind"] == _AS_RUN].set_index("claim")["verdict"]
    flips: dict[str, list[str]] = {}
    for (claim, kind), rows in table.groupby(["claim", "kind"], sort=False):
        if kind in (_AS_RUN, _READING) or as_run[claim] == NOT_TESTED:
            continue
        tested = rows[rows["verdict"] != NOT_TESTED]
        other = tested[tested["verdict"] != as_run[claim]]
        if len(other):
            verdicts = " or ".join(dict.fromkeys(other["verdict"]))
            flips.setdefault(claim, []).append(
                f"{_KINDS[kind]} ({verdicts} in {len(other)} of {len(tested)})"
            )
    return {claim: " and ".join(parts) for claim, parts in flips.items()}
