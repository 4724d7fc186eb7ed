"""People: one row for each, with any columns; two may be numbers of which one is blurred."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.data.columns import NUMBER, TEXT, Columns, read_columns
from noiseless.errors import ConfigError, DataError
from noiseless.tables import tidy

log = logging.getLogger(__name__)

COORDINATES = ("x1", "x2")


def read_people(
    path: str | Path,
    *,
    identifying: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    x1: Mapping[str, Any] | None = None,
    x2: Mapping[str, Any] | None = None,
    section: str = "data.people",
    **form: Any,
) -> dict[str, pd.DataFrame]:
    """Parse and check a file of people.

    Parameters
    ----------
    path : path
        CSV, Parquet or a workbook, as for :func:`~noiseless.data.columns.read_columns`.
    identifying, sensitive : sequence of str
        The columns to read, as the file calls them.
    x1, x2 : mapping, optional
        The blurred number and the other one: ``column``, ``unit`` and the public ``range``.
    section : str
        Where the configuration gives these settings, for messages.
    **form
        ``separator``, ``decimal`` and ``encoding`` of a CSV file; see
        :class:`~noiseless.data.columns.Form`.

    Returns
    -------
    dict
        ``table``: a column for each that is read, in the order of the file: numbers (NaN where one
        is missing) where all cells are, else texts (empty where one is missing).  A row without
        any value is excluded.  ``taken``: one cell; statistics ``people_in_file`` and ``people``,
        and, with x1 and x2, ``people_with_both``.

    Raises
    ------
    ConfigError
        If a range is empty, or a column is given twice.
    DataError
        If the file cannot be read so, a number lies outside its public range, or no person has
        both; file, line and column are named.
    """
    numbers = {
        key: each for key, each in zip(COORDINATES, (x1, x2), strict=True) if each is not None
    }
    for key, each in numbers.items():
        if not each["range"][0] < each["range"][1]:
            raise ConfigError(
                f"{section}.{key}.range is {list(each['range'])}, but it must go from a smaller to "
                "a larger number."
            )
    blurred = {each["column"]: key for key, each in numbers.items()}
    if len(blurred) < len(numbers):
        raise ConfigError(
            f"{section}: column {next(iter(blurred))!r} is given twice, as x1 and x2. Each needs a "
            "column of its own."
        )
    wanted = dict.fromkeys([*identifying, *sensitive, *blurred])
    read = read_columns(
        path,
        section=section,
        columns={
            blurred.get(name, name): (name, NUMBER if name in blurred else TEXT) for name in wanted
        },
        **form,
    )
    decimal = form.get("decimal", ".")
    found = {name: _column(read, blurred.get(name, name), decimal) for name in wanted}
    for key, each in numbers.items():
        (low, high), values = each["range"], read.number(key)
        read.require(
            key,
            ~((values < low) | (values > high)),
            f"{{cell}} {each['unit']} is outside the public range [{low:g}, {high:g}]. Correct the "
            f"cell, or widen {section}.{key}.range",
        )
    table = pd.DataFrame(found)
    full = ~np.all([(table[name].isna() | (table[name] == "")) for name in table], axis=0)
    people = table[full].reset_index(drop=True)
    taken = {"people_in_file": len(table), "people": len(people)}
    if numbers:
        both = int(people[list(blurred)].notna().all(axis=1).sum())
        if not both:
            named = " and ".join(map(repr, blurred))
            raise DataError(f"{read.path}: no person has both {named}. Are they the right columns?")
        taken["people_with_both"] = both
    if people.empty:
        raise DataError(f"{read.path}: no person has a value. Are they the right columns?")
    log.info("%s: %d people in %d rows.", section, len(people), len(table))
    return {"table": people, "taken": tidy(pd.DataFrame([taken]), [])}


def _column(read: Columns, key: str, decimal: str) -> NDArray[Any]:
    """Numbers, if all cells that have a value are; else texts."""
    if key in COORDINATES:
        return read.number(key)
    cells = pd.Series(read.cells(key), dtype=object).astype(str)
    full = cells[cells != ""]
    written = full.str.replace(",", ".", regex=False) if decimal == "," else full
    # A code such as 01067 is no number.
    codes = written.str.match(r"[-+]?0\d").any()
    numbers = pd.to_numeric(written, errors="coerce")
    if codes or full.empty or not np.isfinite(numbers).all():
        return cells.to_numpy()
    return numbers.reindex(cells.index).to_numpy(dtype=float)
