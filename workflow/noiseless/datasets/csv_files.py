"""Large CSV files, plain or gzipped, read with errors that name file, line and column."""

import gzip
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import numpy as np
import pandas as pd

from noiseless.errors import DataError

_HEAD_LINES = 5
_LONGEST_LINE = 65536  # bytes


def read_csv(
    path: str | Path,
    *,
    texts: Sequence[str],
    numbers: Sequence[str],
    header_starts: str = "",
) -> pd.DataFrame:
    """Read some columns of a CSV file.

    Parameters
    ----------
    path : path
        UTF-8 text, gzipped if its name ends in ``.gz``.
    texts, numbers : sequence of str
        Names of the columns to read: as text, stripped of blanks, and as numbers.
    header_starts : str
        How the header line begins, where there may be a line of notes above it.

    Returns
    -------
    DataFrame
        Those columns; its index is the line of the file (the first line is 1).  An empty cell is
        NaN.

    Raises
    ------
    DataError
        If the file is missing, empty, a web page, damaged, cut off, lacks a column, or holds
        something else than a number in a column of numbers.
    """
    path = Path(path)
    skipped, header = _find_header(path, header_starts)
    for name in (*texts, *numbers):
        if header.count(name) != 1:
            found = f"occurs {header.count(name)} times" if name in header else "is missing"
            raise DataError(
                f"{path}: column {name!r} {found}. The columns are: {', '.join(header)}. "
                "Fetch the original file again."
            )
    try:
        table = _read(path, skipped, header, texts, numbers, as_numbers=True)
    except ValueError:
        # Slower, and only to say where.
        table = _read(path, skipped, header, texts, numbers, as_numbers=False)
        raise _first_bad_number(path, table, numbers) from None
    if table.empty:
        raise DataError(f"{path}: no rows below the header. Fetch the file again.")
    _require_whole_end(path, cells=len(header))
    for name in texts:
        table[name] = table[name].str.strip()
    return table


def open_text(path: Path) -> TextIO:
    """A UTF-8 text file, gzipped if its name ends in ``.gz``; its line ends are kept."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _find_header(path: Path, starts: str) -> tuple[int, list[str]]:
    """Number of lines above the header, and the names in it."""
    if not path.is_file():
        raise DataError(f"{path}: no such file. data/README.md says where to get it.")
    try:
        with open_text(path) as file:
            head = [line.strip() for _, line in zip(range(_HEAD_LINES), file, strict=False)]
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(
            f"{path}: not a (gzipped) UTF-8 text file ({error}). Fetch it again."
        ) from None
    if not any(head):
        raise DataError(f"{path}: the file is empty. Fetch it again.")
    if next(filter(None, head)).startswith("<"):
        raise DataError(
            f"{path}: a web page, not a table (was a login needed?). data/README.md says how to "
            "get the file."
        )
    for skipped, line in enumerate(head):
        if line.startswith(starts):
            return skipped, [name.strip() for name in line.split(",")]
    raise DataError(
        f"{path}: none of the first {_HEAD_LINES} lines is a header that begins with {starts!r}. "
        "Is it another file?"
    )


def _require_whole_end(path: Path, cells: int) -> None:
    """Check that the last row of a plain file is whole; a gzipped one has a checksum of its own."""
    if path.suffix == ".gz":
        return
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _LONGEST_LINE))
        last = file.read().rstrip().splitlines()[-1]
    found = last.count(b",") + 1
    if found != cells:
        raise DataError(
            f"{path}: the last row has {found} cells instead of {cells}. The file is cut off: "
            "fetch it again."
        )


def _read(
    path: Path,
    skipped: int,
    header: list[str],
    texts: Sequence[str],
    numbers: Sequence[str],
    *,
    as_numbers: bool,
) -> pd.DataFrame:
    try:
        table = pd.read_csv(
            path,
            skiprows=skipped + 1,
            header=None,
            names=header,
            usecols=[*texts, *numbers],
            dtype={
                **dict.fromkeys(texts, str),
                **dict.fromkeys(numbers, float if as_numbers else str),
            },
            # Only an empty cell is missing; "Null" in a column of numbers is an error below.
            keep_default_na=False,
            na_values=[""],
            skip_blank_lines=False,
            index_col=False,
            encoding="utf-8",
        )
    except (
        EOFError,
        zlib.error,
        gzip.BadGzipFile,
        UnicodeDecodeError,
        pd.errors.ParserError,
    ) as error:
        raise DataError(
            f"{path}: damaged or cut off ({str(error).strip()}). Fetch it again."
        ) from None
    except pd.errors.EmptyDataError:
        raise DataError(f"{path}: no rows below the header. Fetch the file again.") from None
    table.index += skipped + 2
    return table.dropna(how="all")[[*texts, *numbers]]


def _first_bad_number(path: Path, table: pd.DataFrame, numbers: Sequence[str]) -> DataError:
    bad = table[list(numbers)].apply(
        lambda cells: cells.notna() & pd.to_numeric(cells, errors="coerce").isna()
    )
    row, column = (int(axis[0]) for axis in np.nonzero(bad.to_numpy()))
    name = numbers[column]
    return DataError(
        f"{path}, line {table.index[row]}, column {name!r}: {table[name].iloc[row]!r} is not a "
        f"number, nor empty ({int(bad.to_numpy().sum())} such cells). Correct the cell, or fetch "
        "the original file again."
    )
