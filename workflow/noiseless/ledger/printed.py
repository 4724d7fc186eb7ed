"""Numbers that a paper prints, as a table that figures draw beside this project's results."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from noiseless.ledger.claims import (
    PAPER,
    Bounds,
    Cell,
    Claim,
    ExpectedEntries,
    load_paper_claims,
)

_TEXT_COLUMNS = ["claim", "figure", "table", "where", "statistic"]
_NUMBER = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)(\s?%)?(?!\w)")


def build_printed_table(path: str | Path) -> pd.DataFrame:
    """Build the table of the numbers that a paper prints, from its ``claims.yaml``.

    A claim has rows if a figure stands beside it, and its expected number, other than 0, stands in
    its quote or in what it says that the paper prints.  Bounds that only this project chose, such
    as the number that it takes for "negligible", have none.

    Parameters
    ----------
    path : path
        The paper's ``claims.yaml``.

    Returns
    -------
    DataFrame
        A row for each number: ``claim`` (its id), ``figure``, ``table`` and ``where`` (the columns
        of the rows that it is about and their values, as JSON), ``statistic``, and ``low`` and
        ``high``, which are equal for a number; ``low`` is minus infinity for "at most".
    """
    rows = [row for claim in load_paper_claims(path) for row in _iterate_rows(claim)]
    table = pd.DataFrame(rows, columns=[*_TEXT_COLUMNS, "low", "high"])
    return table.astype({**dict.fromkeys(_TEXT_COLUMNS, str), "low": float, "high": float})


def _iterate_rows(claim: Claim) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of a claim; none if the paper prints no number of it."""
    if claim.category != PAPER or claim.figure is None:
        return
    relation, printed = claim.check.relation, _find_numbers(f"{claim.quote} {claim.prints}")
    where = {column: list(values) for column, values in claim.check.where.items()}
    if isinstance(relation, ExpectedEntries):
        # A long table is quoted in part, or by a formula.
        if printed & set(relation.expected.values()):
            for key, number in relation.expected.items():
                yield from _build_rows(claim, {**where, relation.column: [key]}, number, number)
    elif isinstance(relation, Bounds) and relation.high not in (0, math.inf):
        within = {each for each in printed if relation.low <= each <= relation.high}
        if relation.low == -math.inf and relation.high in printed:
            yield from _build_rows(claim, where, -math.inf, relation.high)
        elif relation.low > -math.inf and len(within) == 1:
            yield from _build_rows(claim, where, *within, *within)


def _build_rows(
    claim: Claim, where: Mapping[str, list[Cell]], low: float, high: float
) -> Iterator[dict[str, Any]]:
    """Build a row for each statistic that a number is expected of."""
    cells = {column: values for column, values in where.items() if column != "statistic"}
    for statistic in where.get("statistic", [""]):
        yield {
            "claim": claim.id,
            "figure": claim.figure,
            "table": claim.check.table,
            "where": json.dumps(cells, sort_keys=True),
            "statistic": statistic,
            "low": low,
            "high": high,
        }


def _find_numbers(text: str) -> set[float]:
    """Find the numbers in a text; percentages as shares."""
    return {float(each[1]) / (100 if each[2] else 1) for each in _NUMBER.finditer(text)}
