"""The cells of a table, for a check to look at."""

import math
from typing import Any

import pandas as pd

from noiseless.statements.findings import Estimate, MissingCellError
from noiseless.tables import REFUSED_COLUMN


def widen(long: pd.DataFrame) -> Any:
    """Return a tidy table with a column for each statistic; a table of one cell as a series.

    A table of estimates keeps its long form, with the columns ``value``, ``low`` and ``high``; so
    does that of an experiment that was refused.
    """
    if REFUSED_COLUMN in long:
        return long
    keys = [each for each in long if each not in ("value", "low", "high", "over", "statistic")]
    if not keys:
        return long.set_index("statistic")["value"]
    if "low" in long:
        return long
    index = pd.MultiIndex.from_frame(long[[*keys, "statistic"]])
    return pd.Series(long["value"].to_numpy(), index).unstack("statistic").reset_index()


def select(table: pd.DataFrame, **wanted: Any) -> pd.DataFrame:
    """Select the rows with a wanted value, or one of several, in each column.

    A wanted value that does not occur raises MissingCellError: a misspelt cell is no check that
    holds.
    """
    rows = table
    for column, value in wanted.items():
        values = list(value) if isinstance(value, list | tuple) else [value]
        matches = [
            rows[column].map(lambda cell, want=want: _is_same(cell, want)) for want in values
        ]
        missing = [want for want, match in zip(values, matches, strict=True) if not match.any()]
        if missing:
            raise MissingCellError(f"no row has {column} = {missing[0]} with the rest of {wanted}")
        rows = rows[pd.concat(matches, axis=1).any(axis=1)]
    return rows


def list_estimates(rows: pd.DataFrame, *labels: str) -> list[Estimate]:
    """List the estimates of rows, each with what some columns say of it."""
    return [
        Estimate(
            row["value"], row["low"], row["high"], ", ".join(str(row[each]) for each in labels)
        )
        for row in rows.to_dict("records")
    ]


def _is_same(cell: Any, wanted: Any) -> bool:
    if isinstance(cell, int | float) and isinstance(wanted, int | float):
        return math.isclose(cell, wanted, rel_tol=1e-9)
    return type(cell) is type(wanted) and bool(cell == wanted)
