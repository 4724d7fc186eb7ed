"""Long tables with a column for each statistic."""

import pandas as pd


def wide(table: pd.DataFrame, cell: str | list[str]) -> pd.DataFrame:
    """One row per cell, one column per statistic."""
    return table.pivot(index=cell, columns="statistic", values="value")
