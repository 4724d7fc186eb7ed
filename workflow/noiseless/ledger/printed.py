"""Numbers that a paper prints, as a table that figures draw beside this project's results."""

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from noiseless.statements.registry import Statement

_TEXT_COLUMNS = ["claim", "figure", "table", "where", "statistic"]


def build_printed_table(statements: Iterable[Statement]) -> pd.DataFrame:
    """Build the table of the printed numbers that statements say are drawn (``draws=``).

    Nothing is guessed from digits in their texts. Bounds that only this project chose, such as the
    number that it takes for "negligible", have no rows. ``where`` has the columns of the rows that
    a number is about and their values, as JSON; ``low`` is minus infinity for "at most".
    """
    rows = [row for each in statements for row in _iterate_rows(each)]
    table = pd.DataFrame(rows, columns=[*_TEXT_COLUMNS, "low", "high"])
    return table.astype({**dict.fromkeys(_TEXT_COLUMNS, str), "low": float, "high": float})


def _iterate_rows(statement: Statement) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of a statement, one for each number that its figure draws."""
    for each in statement.draws:
        where = {
            column: list(value) if isinstance(value, list | tuple) else [value]
            for column, value in each.where.items()
        }
        yield {
            "claim": statement.id,
            "figure": statement.figure or None,
            "table": each.table.name,
            "where": json.dumps(where, sort_keys=True),
            "statistic": each.statistic,
            "low": -math.inf if each.is_largest else each.number,
            "high": each.number,
        }
