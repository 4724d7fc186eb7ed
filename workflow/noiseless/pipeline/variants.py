"""Variants of a run: the same experiments under another seed, or on half of the homes.

A variant is a wildcard of the tables' paths: empty for the run itself, ``seed_7/`` for the seed 7,
``half_2/`` for the second random half of the homes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from noiseless.seeds import generator

SEED, HALF = "seed", "half"
PATTERN = f"(({SEED}|{HALF})_[0-9]+/)?"


@dataclass(frozen=True)
class Variant:
    """What differs from the run itself.

    Attributes
    ----------
    kind : str
        ``seed``, ``half``, or empty for the run itself.
    number : int
        The seed, or which half, from 1.
    """

    kind: str = ""
    number: int = 0

    @classmethod
    def of(cls, wildcard: str) -> "Variant":
        """The variant of a path's wildcard."""
        if not wildcard:
            return cls()
        kind, number = wildcard.removesuffix("/").split("_")
        return cls(kind, int(number))

    def settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Settings of a call with the variant's seed, where they have one."""
        if self.kind == SEED and "seed" in settings:
            return {**settings, "seed": self.number}
        return dict(settings)

    def takes_half_of(self, table: pd.DataFrame) -> bool:
        """Whether the variant takes half of a table's homes."""
        return self.kind == HALF and "home" in table.columns

    def half_of(self, table: pd.DataFrame, seed: int) -> pd.DataFrame:
        """The variant's half of the homes of a table.

        Parameters
        ----------
        table : DataFrame
            With a column ``home``.
        seed : int
            The seed of the run.
        """
        rng = generator(seed, "variants", HALF, self.number)
        homes = np.sort(table["home"].unique())
        kept = rng.permutation(homes)[: len(homes) // 2]
        return table[table["home"].isin(kept)].reset_index(drop=True)
