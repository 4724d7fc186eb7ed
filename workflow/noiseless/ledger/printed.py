"""Numbers that a paper prints, as a table that figures draw beside this project's results."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from noiseless.errors import ConfigError
from noiseless.ledger.bridge import StatedClaim, load_folder_claims
from noiseless.ledger.claims import (
    Bounds,
    Cell,
    Claim,
    ExpectedEntries,
)

_TEXT_COLUMNS = ["claim", "figure", "table", "where", "statistic"]


def build_printed_table(path: str | Path) -> pd.DataFrame:
    """Build the table of the numbers that a paper prints, from its claims or its statements.

    A claim has rows if it says so (``printed``): nothing is guessed from digits in its texts.
    Bounds that only this project chose, such as the number that it takes for "negligible", have
    none.

    Parameters
    ----------
    path : path
        A file of the paper's folder.

    Returns
    -------
    DataFrame
        A row for each number: ``claim`` (its id), ``figure``, ``table`` and ``where`` (the columns
        of the rows that it is about and their values, as JSON), ``statistic``, and ``low`` and
        ``high``, which are equal for a number; ``low`` is minus infinity for "at most".

    Raises
    ------
    ConfigError
        If a claim says that a number is printed which its check does not expect.
    """
    claims = load_folder_claims(Path(path).parent)
    rows = [row for claim in claims for row in _iterate_rows(claim)]
    table = pd.DataFrame(rows, columns=[*_TEXT_COLUMNS, "low", "high"])
    return table.astype({**dict.fromkeys(_TEXT_COLUMNS, str), "low": float, "high": float})


def _iterate_rows(claim: Claim) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of a claim; none if it does not say that the paper prints a number."""
    if isinstance(claim, StatedClaim):
        for each in claim.draws:
            where = {
                column: list(value) if isinstance(value, list | tuple) else [value]
                for column, value in each.where.items()
            }
            low = -math.inf if each.is_largest else each.number
            yield _build_row(claim, each.table.name, where, each.statistic, low, each.number)
        return
    if claim.printed is None:
        return
    relation = claim.check.relation
    where = {column: list(values) for column, values in claim.check.where.items()}
    match relation:
        case ExpectedEntries() if claim.printed is True:
            for key, number in relation.expected.items():
                yield from _build_rows(claim, {**where, relation.column: [key]}, number, number)
        case Bounds(low, high) if (
            claim.printed is True
            and math.isfinite(high)
            and low
            in (
                -math.inf,
                high,
            )
        ):
            yield from _build_rows(claim, where, low, high)
        case Bounds(low, high) if claim.printed is not True and low <= claim.printed <= high:
            yield from _build_rows(claim, where, claim.printed, claim.printed)
        case _:
            raise ConfigError(
                f"{claim.source}: {claim.id} says `printed: {claim.printed}`, but its check "
                "expects no such number. Write `true` beside `equals` or `at_most`, and the "
                "paper's number beside `between`."
            )


def _build_rows(
    claim: Claim, where: Mapping[str, list[Cell]], low: float, high: float
) -> Iterator[dict[str, Any]]:
    """Build a row for each statistic that a number is expected of."""
    cells = {column: values for column, values in where.items() if column != "statistic"}
    for statistic in where.get("statistic", [""]):
        yield _build_row(claim, claim.check.table, cells, str(statistic), low, high)


def _build_row(
    claim: Claim,
    table: str,
    where: Mapping[str, list[Cell]],
    statistic: str,
    low: float,
    high: float,
) -> dict[str, Any]:
    """Build the row of a number."""
    return {
        "claim": claim.id,
        "figure": claim.figure,
        "table": table,
        "where": json.dumps(where, sort_keys=True),
        "statistic": statistic,
        "low": low,
        "high": high,
    }
