"""Long tables: some of their rows, and a column for each statistic."""

import pandas as pd


def chosen(table: pd.DataFrame, **where) -> pd.DataFrame:
    """Rows with some values in some columns."""
    for column, value in where.items():
        table = table[table[column] == value]
    return table


def wide(table: pd.DataFrame, cell: str | list[str]) -> pd.DataFrame:
    """One row per cell, one column per statistic."""
    return table.pivot(index=cell, columns="statistic", values="value")
