"""Some columns of a CSV or Parquet file, by whatever names they have."""

import csv
import difflib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from noiseless.datasets.csv_files import open_text
from noiseless.errors import ConfigError, DataError

NUMBER, TEXT, TIME = "number", "text", "time"

# Cells without a value, in CSV.
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None")
_PARQUET_MAGIC = b"PAR1"
_SEPARATORS = (";", "\t", "|", ",")
_TEXT = pa.dictionary(pa.int32(), pa.string())  # ids and times repeat: each is parsed once


@dataclass(frozen=True)
class Columns:
    """The columns that were asked for.

    Attributes
    ----------
    path : Path
        The file.
    section : str
        Where the configuration speaks of it, such as ``own.meters``.
    names : mapping
        What the file calls each column, by our key.
    data : mapping
        Arrow arrays by our key: numbers as 64-bit floats, texts (and times, in CSV) as
        dictionaries of strings; a missing value is null.
    separator : str
        Between two cells; unused for Parquet.
    """

    path: Path
    section: str
    names: Mapping[str, str]
    data: Mapping[str, pa.Array] = field(repr=False)
    separator: str

    def number(self, key: str) -> NDArray[np.float64]:
        """A column of numbers; NaN where it is empty.

        Raises
        ------
        DataError
            If one is infinite.
        """
        values = self.data[key].to_numpy(zero_copy_only=False)
        self.require(key, ~np.isinf(values), "an infinite value. Correct the cell, or empty it")
        return values

    def text(self, key: str) -> pd.Categorical:
        """A column of texts, stripped of blanks.

        Raises
        ------
        DataError
            If a cell is empty.
        """
        cells = self.data[key]
        codes = cells.indices.to_numpy(zero_copy_only=False)
        words = np.array([str(each or "").strip() for each in cells.dictionary.to_pylist()], object)
        full = ~np.isnan(codes) if codes.dtype.kind == "f" else np.ones(len(codes), dtype=bool)
        codes = np.where(full, codes, 0).astype(np.int64)
        self.require(key, full & (words != "")[codes], "an empty cell. Fill it, or delete the row")
        merged, place = np.unique(words.astype(str), return_inverse=True)
        return pd.Categorical.from_codes(place[codes], merged)

    def require(self, key: str, good: NDArray[np.bool_], problem: str) -> None:
        """Check that every row of a column is good.

        Raises
        ------
        DataError
            Names the first row that is not.
        """
        if not good.all():
            bad = ~good
            raise self.error(int(bad.argmax()), key, problem, count=int(bad.sum()))

    def error(self, row: int, key: str, problem: str, *, count: int = 1) -> DataError:
        """An error about one cell, which stands in a row (from 0) and a column."""
        more = f" ({count - 1} more in this column)" if count > 1 else ""
        return DataError(f"{self.place(row)}, column {self.names[key]!r}: {problem}{more}.")

    def place(self, row: int) -> str:
        """File and line of a row (from 0); of Parquet, file and row, counted from 1."""
        return f"{self.path}, {self.row_name(row)}"

    def row_name(self, row: int) -> str:
        """``line 2`` of CSV or ``row 1`` of Parquet for the first row."""
        if _is_parquet(self.path):
            return f"row {row + 1}"
        with open_text(self.path) as file:
            records = enumerate(_records(file, self.separator))
            return f"line {next(line for number, (line, _) in records if number == row + 1)}"


def read_columns(
    path: str | Path,
    *,
    section: str,
    columns: Mapping[str, tuple[str, str]],
    separator: str = ",",
    decimal: str = ".",
) -> Columns:
    """Read some columns of a file.

    Parameters
    ----------
    path : path
        Parquet; or CSV in UTF-8 with a header, gzipped if its name ends in ``.gz``.
    section : str
        Where the configuration speaks of it, for errors.
    columns : mapping
        For each key of ours the column's name and its kind: number, text or time.
    separator, decimal : str
        Between two cells, and within a number; unused for Parquet.

    Raises
    ------
    ConfigError
        If two keys name one column.
    DataError
        If the file is missing, empty, a web page, damaged or not UTF-8; lacks a column; a row has
        a wrong number of cells; or a column of numbers holds something else.
    """
    path = Path(path)
    names = {key: name for key, (name, _) in columns.items()}
    for key, name in names.items():
        if list(names.values()).count(name) > 1:
            raise ConfigError(
                f"{section}: column {name!r} is given twice, the second time as {key}. Each key "
                "needs a column of its own."
            )
    if not path.is_file():
        raise DataError(f"{path}: no such file. Set {section}.path to the file you have.")
    if path.stat().st_size == 0:
        raise DataError(f"{path}: the file is empty.")
    if _is_parquet(path):
        data = _read_parquet(path, section, columns)
    else:
        data = _read_csv(path, section, columns, separator, decimal)
    read = Columns(path, section, names, data, separator)
    if not len(next(iter(data.values()))):
        raise DataError(f"{path}: there are no rows below the header.")
    return read


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == _PARQUET_MAGIC


# --- CSV --------------------------------------------------------------------------------------


def _records(file: Any, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Line (from 1) and cells of every record, the header first; empty lines are none."""
    reader = csv.reader(file, delimiter=separator, strict=True)
    for cells in reader:
        if cells:
            yield reader.line_num, cells


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 text ({error}). Save it as UTF-8.") from None
    except (OSError, EOFError, zlib.error, csv.Error) as error:
        raise DataError(f"{path}: not a whole CSV or Parquet file ({error}).") from None


def _read_csv(
    path: Path,
    section: str,
    columns: Mapping[str, tuple[str, str]],
    separator: str,
    decimal: str,
) -> dict[str, pa.Array]:
    with _readable(path), open_text(path) as file:
        above, header = next(_records(file, separator), (0, [""]))
    header = [name.strip() for name in header]
    if not any(header):
        raise DataError(f"{path}: the file is empty.")
    if header[0].startswith("<"):
        raise DataError(f"{path}: a web page, not a table.")
    _find(path, section, columns, header, separator)
    # By position: a name that nobody asked for may occur twice.
    positions = {key: f"c{header.index(name)}" for key, (name, _) in columns.items()}
    types = {
        positions[key]: pa.float64() if kind == NUMBER else _TEXT
        for key, (_, kind) in columns.items()
    }
    try:
        table = pa_csv.read_csv(
            path,
            read_options=pa_csv.ReadOptions(
                column_names=[f"c{position}" for position in range(len(header))], skip_rows=above
            ),
            parse_options=pa_csv.ParseOptions(delimiter=separator, newlines_in_values=True),
            convert_options=pa_csv.ConvertOptions(
                include_columns=list(positions.values()),
                column_types=types,
                null_values=list(MISSING),
                strings_can_be_null=True,
                decimal_point=decimal,
            ),
        )
    except (pa.ArrowInvalid, OSError) as error:
        numbers = {name for name, kind in columns.values() if kind == NUMBER}
        with _readable(path), open_text(path) as file:
            raise _first_fault(path, file, numbers, separator, decimal, str(error)) from None
    return {key: _one(table.column(name)) for key, name in positions.items()}


def _one(column: pa.ChunkedArray) -> pa.Array:
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def _find(
    path: Path,
    section: str,
    columns: Mapping[str, tuple[str, str]],
    header: Sequence[str],
    separator: str | None,
) -> None:
    """Check that each column is there, once."""
    for key, (name, _) in columns.items():
        if header.count(name) == 1:
            continue
        if name in header:
            raise DataError(f"{path}: column {name!r} occurs {header.count(name)} times.")
        if separator and len(header) == 1:
            other = [each for each in _SEPARATORS if each in header[0] and each != separator]
            hint = f" Set {section}.separator to {other[0]!r}?" if other else ""
            raise DataError(
                f"{path}: the first line, {header[0]!r}, is not a header of cells between "
                f"{separator!r}.{hint}"
            )
        lower = {each.lower(): each for each in header}
        close = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.5)
        hint = f" Did you mean {lower[close[0]]!r}?" if close else ""
        raise DataError(
            f"{path}: column {name!r}, which the configuration gives for {key}, is missing.{hint} "
            f"The columns are: {', '.join(header)}."
        )


def _first_fault(
    path: Path, file: Any, numbers: set[str], separator: str, decimal: str, told: str
) -> DataError:
    """Why a CSV file cannot be read, by a slow look at it."""
    records = _records(file, separator)
    _, header = next(records)
    header = [name.strip() for name in header]
    wanted = [(position, name) for position, name in enumerate(header) if name in numbers]
    for line, cells in records:
        if len(cells) != len(header):
            return DataError(
                f"{path}, line {line}: {len(cells)} cells instead of {len(header)}. Is the file "
                "cut off, or is a text with the separator in it not quoted?"
            )
        for position, name in wanted:
            cell = cells[position].strip()
            try:
                if cell not in MISSING:
                    float(cell.replace("_", "?").replace(decimal, "."))
            except ValueError:
                return DataError(
                    f"{path}, line {line}, column {name!r}: {cell!r} is not a number, nor empty. "
                    f"Correct the cell; numbers are read with {decimal!r} before their decimals "
                    "and nothing else between their digits."
                )
    return DataError(f"{path}: not a CSV file that can be read ({told}).")


# --- Parquet ----------------------------------------------------------------------------------


def _read_parquet(
    path: Path, section: str, columns: Mapping[str, tuple[str, str]]
) -> dict[str, pa.Array]:
    try:
        file = pq.ParquetFile(path)
        _find(path, section, columns, file.schema_arrow.names, None)
        table = file.read(columns=[name for name, _ in columns.values()])
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path}: not a whole Parquet file ({error}).") from None
    return {
        key: _converted(path, name, kind, _one(table.column(name)))
        for key, (name, kind) in columns.items()
    }


def _converted(path: Path, name: str, kind: str, column: pa.Array) -> pa.Array:
    """A column of Parquet as one of CSV would be; times of a type of their own stay."""
    kinds = pa.types
    value_type = column.type.value_type if kinds.is_dictionary(column.type) else column.type
    is_number = (
        kinds.is_integer(value_type)
        or kinds.is_floating(value_type)
        or kinds.is_decimal(value_type)
    )
    is_text = kinds.is_string(value_type) or kinds.is_large_string(value_type)
    fits = {
        NUMBER: is_number,
        TEXT: is_text or is_number,
        TIME: is_text or is_number or kinds.is_timestamp(value_type) or kinds.is_date(value_type),
    }
    if not fits[kind]:
        raise DataError(
            f"{path}, column {name!r}: it has the type {column.type}, but a {kind} is wanted. "
            "Convert the column."
        )
    if kinds.is_dictionary(column.type):
        column = column.dictionary_decode()
    if kind == NUMBER:
        return pc.fill_null(pc.cast(column, pa.float64(), safe=False), np.nan)
    if kind == TIME and not (is_text or is_number):
        return column
    return pc.dictionary_encode(pc.cast(column, pa.string()))
