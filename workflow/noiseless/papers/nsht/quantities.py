"""What the two numbers of a blurred record are called, and their units.

The blurring experiment computes with ``x1`` (the blurred number), ``x2`` and ``rho``; its tables
name them as the field would, with their units, and its figures label their axes so.
"""

import re
from dataclasses import dataclass

import pandas as pd

from noiseless.errors import ConfigError


@dataclass(frozen=True)
class Quantities:
    """Names and units.

    Attributes
    ----------
    x1, x1_unit : str
        The blurred number, such as weight in kg.
    x2, x2_unit : str
        The other one, such as height in cm.
    above : str
        An adjective for people at or above the threshold.
    """

    x1: str
    x1_unit: str
    x2: str
    x2_unit: str
    above: str

    def column_names(self) -> dict[str, str]:
        """Names in tables, by those that the experiment computes with.

        Raises
        ------
        ConfigError
            If two of them are the same.
        """
        unit, other_unit = _slug(self.x1_unit), _slug(self.x2_unit)
        names = {
            "rho": f"rho_per_{unit}",
            "x1": _slug(f"{self.x1}_{self.x1_unit}"),
            "x2": _slug(f"{self.x2}_{self.x2_unit}"),
            "band": f"band_{unit}_{other_unit}",
            "epsilon_times_rho": f"epsilon_times_rho_per_{unit}",
            "above": _slug(self.above),
            "above_identifiable": f"{_slug(self.above)}_identifiable",
            "largest_change": f"largest_change_{unit}",
            "mean_change": f"mean_change_{unit}",
            "least_mean_change": f"least_mean_change_{unit}",
            "mean_change_above_least": f"mean_change_above_least_{unit}",
            "change_beyond_accuracy": f"change_beyond_accuracy_{unit}",
        }
        for name in (*names.values(), *_TAKEN):
            if [*names.values(), *_TAKEN].count(name) > 1:
                raise ConfigError(
                    f"{name!r} would name two columns of a table: choose another name or unit for "
                    "x1, x2, or those above the threshold."
                )
        return names

    def named(self, table: pd.DataFrame) -> pd.DataFrame:
        """A tidy table of the experiment under these names."""
        return _renamed(table, self.column_names())

    def plain(self, table: pd.DataFrame) -> pd.DataFrame:
        """The same under the names that the experiment computes with."""
        return _renamed(table, {new: old for old, new in self.column_names().items()})


_TAKEN = (
    "policy",
    "cells",
    "people",
    "moved",
    "moved_share",
    "identifiable",
    "undecided",
    "epsilon",
)

BODIES = Quantities("weight", "kg", "height", "cm", "obese")


def _slug(text: str) -> str:
    """A text as a part of a column's name."""
    return re.sub(r"[^0-9a-z]+", "_", text.lower().replace("/", " per ")).strip("_") or "x"


def _renamed(table: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """A table with other names of columns and of statistics."""
    return table.rename(columns=names).assign(statistic=table["statistic"].replace(names))
