"""Two numbers for each person: one whose side of a threshold is to be hidden, and another."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from noiseless.data.columns import NUMBER, read_columns
from noiseless.errors import ConfigError, DataError
from noiseless.tables import tidy

log = logging.getLogger(__name__)

COORDINATES = ("x1", "x2")


def read_people(
    path: str | Path,
    *,
    x1: Mapping[str, Any],
    x2: Mapping[str, Any],
    separator: str = ",",
    decimal: str = ".",
    encoding: str = "utf-8",
    section: str = "data.people",
) -> dict[str, pd.DataFrame]:
    """Parse and check a file of people.

    Parameters
    ----------
    path : path
        CSV or Parquet, as for :func:`~noiseless.data.columns.read_columns`.
    x1, x2 : mapping
        The blurred number and the other one: ``column``, ``unit`` and the public ``range``.
    separator, decimal, encoding : str
        The separator, decimal sign and encoding of a CSV file.
    section : str
        Where the configuration gives these settings, for messages.

    Returns
    -------
    dict
        ``table``: ``x1`` and ``x2`` of the people who have both, in the order of the file.
        ``taken``: one cell; statistics ``people_in_file``, ``people`` and ``people_left_out``.

    Raises
    ------
    ConfigError
        If a range is empty.
    DataError
        If the file cannot be read so, a number lies outside its public range, or no person has
        both; file, line and column are named.
    """
    asked = dict(zip(COORDINATES, (x1, x2), strict=True))
    for key, each in asked.items():
        if not each["range"][0] < each["range"][1]:
            raise ConfigError(
                f"{section}.{key}.range is {list(each['range'])}, but it must go from a smaller to "
                "a larger number."
            )
    read = read_columns(
        path,
        section=section,
        columns={key: (each["column"], NUMBER) for key, each in asked.items()},
        separator=separator,
        decimal=decimal,
        encoding=encoding,
    )
    table = pd.DataFrame({key: read.number(key) for key in COORDINATES})
    for key, each in asked.items():
        low, high = each["range"]
        outside = ((table[key] < low) | (table[key] > high)).to_numpy()
        if outside.any():
            row = int(outside.argmax())
            raise read.error(
                row,
                key,
                f"{table[key][row]:g} {each['unit']} is outside the public range [{low:g}, "
                f"{high:g}]. Correct the cell, or widen {section}.{key}.range",
                count=int(outside.sum()),
            )
    people = table.dropna().reset_index(drop=True)
    if people.empty:
        raise DataError(
            f"{read.path}: no person has both {x1['column']!r} and {x2['column']!r}. Are they the "
            "right columns?"
        )
    left_out = len(table) - len(people)
    log.info("%s: %d people, %d excluded for an empty cell.", section, len(people), left_out)
    taken = {"people_in_file": len(table), "people": len(people), "people_left_out": left_out}
    return {"table": people, "taken": tidy(pd.DataFrame([taken]), [])}
