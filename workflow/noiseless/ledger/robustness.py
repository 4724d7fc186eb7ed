"""How far verdicts depend on the seed, on the homes, and on the reading of the paper.

1. The calls that make the tables of a paper's claims (:mod:`noiseless.ledger.replay`) run again
   with other seeds, and on random halves of the homes of their input tables.
2. Each run is judged as the run itself was.
3. Claims with the same locator and different readings stand beside each other.

What comes out is a table with one row for each claim and variant; a judge that is given it calls a
claim whose verdict changes ``inconclusive``, and says what it depends on.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from noiseless.errors import UserError
from noiseless.files import sha256_of_file
from noiseless.ledger.calls import Call, calls_behind
from noiseless.ledger.claims import Claim, load_paper
from noiseless.ledger.judge import NOT_TESTED, judge_claims
from noiseless.ledger.replay import Tables, replay
from noiseless.seeds import generator
from noiseless.tables import derive_provenance, read_table, write_table

COLUMNS = ("claim", "kind", "variant", "verdict", "observed")
_AS_RUN, _SEED, _HOMES, _READING = "as run", "seed", "homes", "reading"
_NAMES = {_SEED: "the seed", _HOMES: "the homes"}


def robustness_table(
    claims: Sequence[Claim],
    calls: Sequence[Call],
    tables: Tables,
    *,
    seeds: Sequence[int],
    halves: int,
    seed: int,
) -> pd.DataFrame:
    """Verdicts of a paper's claims under other seeds, on halves of the homes, and by reading.

    Parameters
    ----------
    claims : sequence of Claim
        Of one paper.
    calls : sequence of Call
        All calls of the workflow; those behind the claims' tables run again.
    tables : mapping of str to (DataFrame, Provenance)
        The tables of the run: those of the claims, and the inputs of the calls by their paths.
    seeds : sequence of int
        Other seeds.
    halves : int
        Number of random halves of the homes.
    seed : int
        Of the halves.

    Returns
    -------
    DataFrame
        ``claim``; ``kind`` (``as run``, ``seed``, ``homes``, ``reading``); ``variant``; ``verdict``
        and ``observed`` of the judge; ``not tested``, and why, where an experiment refuses.
    """
    as_run = judge_claims(claims, tables).set_index("id")
    rows = [_row(name, _AS_RUN, "-", row) for name, row in as_run.iterrows()]
    for kind, variant, varied, given, settings in _variants(
        claims, calls, tables, seeds, halves, seed
    ):
        names = {name for call in varied for name in call.outputs.values()}
        touched = [claim for claim in claims if names & set(claim.tables)]
        try:
            changed = replay(varied, given, settings=settings)
        except UserError as error:
            # Half of the homes may be too few for an experiment; that is no verdict on a claim.
            untested = pd.Series({"verdict": NOT_TESTED, "observed": str(error)})
            rows += [_row(claim.id, kind, variant, untested) for claim in touched]
            continue
        judged = judge_claims(claims, {**tables, **changed}).set_index("id")
        rows += [_row(claim.id, kind, variant, judged.loc[claim.id]) for claim in touched]
    for claim in claims:
        rows += [
            _row(claim.id, _READING, other.reading, as_run.loc[other.id])
            for other in claims
            if other.locator == claim.locator and claim.reading and other.reading
        ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(claim: str, kind: str, variant: str, judged: pd.Series) -> dict[str, str]:
    return {
        "claim": claim,
        "kind": kind,
        "variant": variant,
        "verdict": judged["verdict"],
        "observed": judged["observed"],
    }


def _variants(
    claims: Sequence[Claim],
    calls: Sequence[Call],
    tables: Tables,
    seeds: Sequence[int],
    halves: int,
    seed: int,
) -> Iterator[tuple[str, str, list[Call], Tables, Mapping[str, Any]]]:
    """Kind and name of each variant, the calls that it touches, their tables and settings."""
    needed = calls_behind(calls, {name for claim in claims for name in claim.tables})
    seeded = [call for call in needed if "seed" in call.settings]
    for other in seeds if seeded else ():
        yield _SEED, str(other), seeded, tables, {"seed": other}
    homes = [
        path
        for call in needed
        for path in call.inputs.values()
        if path in tables and "home" in tables[path][0].columns
    ]
    of_homes = [call for call in needed if set(call.inputs.values()) & set(homes)]
    for number in range(halves if of_homes else 0):
        rng = generator(seed, "robustness", "halves", number)
        cut = {path: _half(tables[path], rng) for path in homes}
        yield _HOMES, f"half {number + 1}", of_homes, {**tables, **cut}, {}


def _half(table: tuple, rng: np.random.Generator) -> tuple:
    """A random half of the homes of a table, with its provenance."""
    readings, provenance = table
    homes = np.sort(readings["home"].unique())
    kept = rng.permutation(homes)[: len(homes) // 2]
    return readings[readings["home"].isin(kept)].reset_index(drop=True), provenance


def write_robustness(
    *,
    claims: str | Path,
    calls: Sequence[Mapping[str, Any]],
    tables: Mapping[str, str | Path],
    output: str | Path,
    code: str,
    seed: int,
    seeds: int,
    halves: int,
) -> None:
    """Write the table of a paper.

    Parameters
    ----------
    claims : path
        The paper's claims file.
    calls : sequence of mapping
        Fields of :class:`~noiseless.ledger.calls.Call`.
    tables : mapping of str to path
        Parquet files of the claims' tables and of the calls' inputs, by the calls' names for them.
    output : path
        The Parquet file to write; a CSV twin goes beside it.
    code : str
        :func:`noiseless.code.source_digest` of this module.
    seed : int
        Of the run.
    seeds, halves : int
        Number of other seeds, which follow that of the run, and of halves of the homes.
    """
    read = {name: read_table(path) for name, path in tables.items()}
    settings = {"seed": seed, "seeds": seeds, "halves": halves}
    table = robustness_table(
        load_paper(claims),
        [Call(**each) for each in calls],
        read,
        seeds=range(seed + 1, seed + 1 + seeds),
        halves=halves,
        seed=seed,
    )
    inputs = [provenance for _, provenance in read.values()]
    settings |= {Path(claims).name: sha256_of_file(claims)}
    write_table(table, output, derive_provenance(settings, code, inputs=inputs))


def flips_of(table: pd.DataFrame) -> Mapping[str, str]:
    """What each claim's verdict depends on, in words; claims that depend on nothing are not there.

    Parameters
    ----------
    table : DataFrame
        From :func:`robustness_table`.
    """
    as_run = table[table["kind"] == _AS_RUN].set_index("claim")["verdict"]
    flips: dict[str, list[str]] = {}
    for (claim, kind), rows in table.groupby(["claim", "kind"], sort=False):
        if kind in (_AS_RUN, _READING) or as_run[claim] == NOT_TESTED:
            continue
        tested = rows[rows["verdict"] != NOT_TESTED]
        other = tested[tested["verdict"] != as_run[claim]]
        if len(other):
            said = " or ".join(dict.fromkeys(other["verdict"]))
            flips.setdefault(claim, []).append(
                f"{_NAMES[kind]} ({said} in {len(other)} of {len(tested)})"
            )
    return {claim: " and ".join(parts) for claim, parts in flips.items()}
