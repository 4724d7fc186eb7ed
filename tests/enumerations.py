"""Settings of small enumerations of statements, and sums over what they found."""

import pandas as pd

GUARANTEES = {
    "universes": [[2, 2], [2, 3]],
    "pair_universes": [[2, 2]],
    "random_universes": [[3, 3]],
    "random_maps": 20,
    "relations": [[2, 2], [3, 3]],
    "seed": 5,
}
TESTS = {"largest_universe": 4, "random_universes": [8], "random_maps": 50, "seed": 5}
QUERIES = {
    "people": [2, 3],
    "largest_coefficient": 3,
    "epsilon_bits": [1, 2, 3, 4],
    "random_people": [8],
    "random_queries": 5,
    "seed": 5,
}
DENSITIES = {"cells": [2, 3], "random_cells": [6], "random_pairs": 100, "seed": 5}


def sums_by_statement(table: pd.DataFrame) -> pd.DataFrame:
    """Sums over universes, one row per statement."""
    cell = [column for column in table if column not in ("statistic", "value")]
    pivoted = table.pivot(index=cell, columns="statistic", values="value")
    return pivoted.groupby(level="statement").sum()
