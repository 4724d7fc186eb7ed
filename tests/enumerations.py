"""Settings of small enumerations of statements, and sums over what they found."""

import pandas as pd

THEOREMS = {
    "relations": [[2, 2], [3, 3]],
    "random_relations": 50,
    "random_size": 8,
    "seed": 5,
    "largest_map": 4,
    "interval_cells": 4,
    "grids": [[2, 2], [2, 2, 1]],
    "partition_cells": 5,
    "half_widths": [0.5, 1, 1.5],
    "sloped_cells": 2,
    "volume_cells": 4,
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
