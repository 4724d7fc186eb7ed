"""Some columns of a table, from CSV, Parquet or a workbook, with errors that name row and column.

1. The file is identified by its content (:mod:`noiseless.data.raw_files`).
2. The header is read, and each column that is wanted must be in it, once.
3. The cells are parsed.  DuckDB parses CSV (:mod:`noiseless.data.csv_rows`): each of its
   rows becomes one row, or reading ends with an error.
4. :class:`Columns` holds the cells, and knows where each of them stands.

The readers of public datasets and of users' files are built on :func:`read_columns`.
"""

import datetime
import difflib
import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from noiseless.data.csv_rows import (
    NUMBER_PATTERN,
    Form,
    Text,
    located,
    number_sql,
    parsed,
    require_accounted,
)
from noiseless.data.raw_files import (
    Kind,
    RawFile,
    identify,
    listed,
    open_unfolded,
)
from noiseless.errors import ConfigError, DataError

NUMBER, TEXT, TIME = "number", "text", "time"

# Cells without a value, in a user's CSV file.
MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "None")
_SEPARATORS = (";", "\t", "|", ",")

Wanted = Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Part:
    """One file of a table: its number of rows, and what it calls each of them."""

    path: Path
    rows: int
    names_of: Callable[[Sequence[int]], list[str]] = field(repr=False)


@dataclass(frozen=True)
class Columns:
    """The columns that were asked for.

    Attributes
    ----------
    path : Path
        The file, or the folder.
    section : str or None
        Where the configuration speaks of it, such as ``data.my-town``; None for a public dataset.
    names : mapping
        What the file calls each column, by our key.
    data : mapping
        Arrow arrays by our key: numbers as 64-bit floats, texts (and times, except where the file
        has a type for them) as dictionaries of strings; a missing value is null.
    header : tuple of str
        All names of the (first) file.
    parts : tuple of Part
        The files, in the order of the rows.
    place_of : ndarray of int or None
        For each row its number in the file(s); None where no row was excluded.
    blank_rows : int
        Rows in which all of these columns were empty, and which were excluded for it.
    """

    path: Path
    section: str | None
    names: Mapping[str, str]
    data: Mapping[str, pa.Array] = field(repr=False)
    header: tuple[str, ...] = field(repr=False)
    parts: tuple[Part, ...] = field(repr=False)
    place_of: NDArray[np.int64] | None = field(default=None, repr=False)
    blank_rows: int = 0

    def __len__(self) -> int:
        """Number of rows."""
        return len(next(iter(self.data.values())))

    @property
    def again(self) -> str:
        """What to do about a bad cell."""
        return (
            "Correct the cell, or fetch the original file again."
            if self.section is None
            else "Correct the cell."
        )

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
            If a cell is empty, or holds a line end or another character that cannot be shown.
        """
        codes, words = self._words(key)
        full = (codes >= 0) & np.append(words != "", False)[codes]
        self.require(key, full, "an empty cell. Fill it, or delete the row")
        plain = np.array([word.isprintable() for word in words], dtype=bool)[codes]
        if not plain.all():
            row = int((~plain).argmax())
            problem = f"{words[codes[row]][:80]!r} has characters that cannot be shown"
            raise self.error(row, key, f"{problem}. {self.again[:-1]}", count=int((~plain).sum()))
        merged, place = np.unique(words.astype(str), return_inverse=True)
        return pd.Categorical.from_codes(place[codes], merged)

    def cells(self, key: str) -> NDArray[np.object_]:
        """A column of texts, stripped of blanks; an empty cell is an empty text."""
        codes, words = self._words(key)
        return np.append(words, "")[codes]

    def _words(self, key: str) -> tuple[NDArray[np.int64], NDArray[np.object_]]:
        """Number of each row's text (-1 where it is missing), and the texts."""
        cells = self.data[key]
        codes = pc.fill_null(cells.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
        words = [str(word or "").strip() for word in cells.dictionary.to_pylist()]
        return codes, np.array(words, object)

    def keep(self, chosen: NDArray[np.bool_]) -> "Columns":
        """The same without some of the rows."""
        if chosen.all():
            return self
        mask = pa.array(chosen)
        data = {key: column.filter(mask) for key, column in self.data.items()}
        place = np.flatnonzero(chosen) if self.place_of is None else self.place_of[chosen]
        return replace(self, data=data, place_of=place)

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

    def no_number(
        self, key: str, odd: NDArray[np.bool_], first: str, decimal: str = "."
    ) -> DataError:
        """The error of a column of numbers in which some rows hold something else."""
        problem = (
            f"{first.strip()[:80]!r} is not a number, nor empty: numbers are read with {decimal!r} "
            f"before their decimals and nothing else between their digits. {self.again[:-1]}"
        )
        return self.error(int(odd.argmax()), key, problem, count=int(odd.sum()))

    def error(self, row: int, key: str, problem: str, *, count: int = 1) -> DataError:
        """An error about one cell, which stands in a row (from 0) and a column."""
        more = f" ({count - 1} more in this column)" if count > 1 else ""
        return DataError(f"{self.place(row)}, column {self.names[key]!r}: {problem}{more}.")

    def place(self, row: int) -> str:
        """File and line of a row (from 0); of Parquet, file and row, counted from 1."""
        (place,) = self.places([row])
        return place

    def places(self, rows: Sequence[int]) -> list[str]:
        """The same of several rows, in one pass over the file."""
        return [f"{path}, {name}" for path, name in self._located(rows)]

    def row_name(self, row: int) -> str:
        """``line 2`` of CSV or ``row 1`` of Parquet for the first row; with the file, if many."""
        ((path, name),) = self._located([row])
        return f"{name} of {path.name}" if len(self.parts) > 1 else name

    def _located(self, rows: Sequence[int]) -> list[tuple[Path, str]]:
        numbers = np.asarray(rows, dtype=np.int64)
        if self.place_of is not None:
            numbers = self.place_of[numbers]
        found: dict[int, tuple[Path, str]] = {}
        first = 0
        for part in self.parts:
            inside = np.unique(numbers[(first <= numbers) & (numbers < first + part.rows)])
            if len(inside):
                names = part.names_of((inside - first).tolist())
                found |= {
                    int(number): (part.path, name)
                    for number, name in zip(inside, names, strict=True)
                }
            first += part.rows
        return [found[int(number)] for number in numbers]


def read_columns(
    path: str | Path,
    *,
    columns: Wanted | Callable[[Sequence[str]], Wanted],
    section: str | None = None,
    separator: str = ",",
    decimal: str = ".",
    missing: Sequence[str] = MISSING,
    header: str | Sequence[str] = "",
    encoding: str = "utf-8",
    sheet: str | None = None,
    exclude_blank_rows: bool = False,
) -> Columns:
    """Read some columns of a file.

    Parameters
    ----------
    path : path
        CSV with a header, plain, gzipped or alone in a zip; Parquet; or a workbook
        (.xlsx).
    columns : mapping, or function from the header to one
        For each key of ours the column's name and its kind: number, text or time.
    section : str, optional
        Where the configuration speaks of it, for errors; None for a public dataset.
    separator, decimal : str
        Between two cells, and within a number; for CSV.
    missing : sequence of str
        Cells of CSV that stand for no value.
    header : str or sequence of str
        How the header of a CSV file begins, where there may be a line of notes above it; or the
        names of the columns of one that has no header.
    encoding : str
        The encoding of a CSV file, as Python names it.
    sheet : str, optional
        The sheet to read, of a workbook with several.
    exclude_blank_rows : bool
        Whether rows in which all of these columns are empty are excluded, and counted.

    Raises
    ------
    ConfigError
        If two keys name one column, or the workbook has no such sheet.
    DataError
        If the file is missing, empty, a web page, damaged, cut off or in another encoding; lacks a
        column; a row has a wrong number of cells or a misplaced quotation mark; or a column of
        numbers holds something else.
    """
    raw = RawFile(Path(path), section)
    form = Form(separator, decimal, tuple(missing), header, encoding)
    kind = identify(raw)
    if kind is Kind.PARQUET:
        read = _read_parquet(raw, columns)
    elif kind is Kind.WORKBOOK:
        read = _read_workbook(raw, columns, sheet, form)
    elif kind is Kind.TEXT:
        read = _read_csv(raw, columns, form)
    else:
        raise DataError(f"{raw.path}: a file of {kind.value}, but a table of columns is wanted.")
    if not len(read):
        raise raw.damaged("there are no rows below the header")
    if not exclude_blank_rows:
        return read
    blank = np.all(
        [column.is_null().to_numpy(zero_copy_only=False) for column in read.data.values()], axis=0
    )
    if blank.all():
        raise DataError(f"{raw.path}: all rows are empty below the header. {raw.again}")
    return replace(read.keep(~blank), blank_rows=int(blank.sum()))


def joined(reads: Sequence[Columns], path: Path) -> Columns:
    """One table of several files, one below the other.

    Raises
    ------
    DataError
        If a column is a time of a type of its own in some of the files and a text in others.
    """
    first = reads[0]
    if len(reads) == 1:
        return first
    data = {}
    for key in first.data:
        types = {read.data[key].type for read in reads}
        if len(types) > 1:
            raise DataError(
                f"{path}: column {first.names[key]!r} is of another type in some of the files "
                f"({', '.join(sorted(map(str, types)))}). Bring them into one form."
            )
        data[key] = _one(pa.chunked_array([read.data[key] for read in reads]))
    places, before = [], 0
    for read in reads:
        rows = sum(part.rows for part in read.parts)
        inside = np.arange(rows) if read.place_of is None else read.place_of
        places.append(inside + before)
        before += rows
    return replace(
        first,
        path=path,
        data=data,
        parts=tuple(part for read in reads for part in read.parts),
        place_of=np.concatenate(places),
        blank_rows=sum(read.blank_rows for read in reads),
    )


def _found(raw: RawFile, columns: Any, header: Sequence[str], separator: str | None) -> Wanted:
    """The columns that are wanted; each is in the header, once.

    Raises
    ------
    ConfigError, DataError
        See :func:`read_columns`.
    """
    wanted = columns(header) if callable(columns) else columns
    given: dict[str, str] = {}
    for key, (name, _) in wanted.items():
        if name in given:
            raise ConfigError(
                f"{raw.section}: column {name!r} is given twice, the second time as {key}. Each "
                "key needs a column of its own."
            )
        given[name] = key
        if header.count(name) == 1:
            continue
        if name in header:
            raise DataError(
                f"{raw.path}: column {name!r} occurs {header.count(name)} times. {raw.again}"
            )
        if separator and len(header) == 1:
            other = [each for each in _SEPARATORS if each in header[0] and each != separator]
            hint = f" Set {raw.section}.separator to {other[0]!r}?" if other and raw.section else ""
            raise DataError(
                f"{raw.path}: the first line, {header[0][:80]!r}, is not a header of cells between "
                f"{separator!r}.{hint}"
            )
        others = {name for name, _ in wanted.values()}
        problem = missing_column(name, header, raw.section and key, others=others)
        raise DataError(f"{raw.path}: {problem}")
    return wanted


def missing_column(
    name: str, header: Sequence[str], key: str | None = None, *, others: Collection[str] = ()
) -> str:
    """What to say about a column that is not there; those that are ``others`` are not meant."""
    lower = {each.lower(): each for each in header if each not in others}
    close = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.5)
    hint = f" Did you mean {lower[close[0]][:80]!r}?" if close else ""
    given = f", which the configuration gives for {key}," if key else ""
    return f"column {name!r}{given} is missing.{hint} The columns are: {listed(header)}."


def _one(column: pa.ChunkedArray) -> pa.Array:
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


# --- CSV --------------------------------------------------------------------------------------


def _read_csv(raw: RawFile, columns: Any, form: Form) -> Columns:
    with open_unfolded(raw) as source:
        text = Text(source, raw, form)
        header = text.header() if isinstance(form.header, str) else list(form.header)
        wanted = _found(raw, columns, header, form.separator)
        names = {key: name for key, (name, _) in wanted.items()}
        # By position: a name that is not asked for may occur twice.
        cells = {key: f"c{header.index(name)}" for key, name in names.items()}
        numbers = [key for key, (_, kind) in wanted.items() if kind == NUMBER]
        cells |= {key: number_sql(cells[key], form.decimal) for key in numbers}
        width = len(header)
        tables = parsed(str(raw.path), text.blocks(width), cells, width=width, form=form)
        encoded = [_encoded(table) for table in tables]
    if not encoded:
        raise raw.damaged("there are no rows below the header")
    table = pa.concat_tables(encoded)

    def look_up(rows: Sequence[int]) -> list[tuple[int, list[str]]]:
        with open_unfolded(raw) as source:
            return list(located(source, form, rows))

    part = Part(raw.path, len(table), lambda rows: [f"line {line}" for line, _ in look_up(rows)])
    data = {key: _one(table.column(key)) for key in wanted}
    read = Columns(raw.path, raw.section, names, data, tuple(header), (part,))
    if text.is_unterminated and not raw.is_packed:
        raise DataError(
            f"{read.place(len(read) - 1)}: the last line has no line end, as in a file that was "
            f"cut off. If the row is complete, end it with a line end. {raw.again}"
        )
    for key in numbers:
        odd = pc.fill_null(pc.is_nan(data[key]), False).to_numpy(zero_copy_only=False)
        if odd.any():
            ((_, row),) = look_up([int(odd.argmax())])
            raise read.no_number(key, odd, row[header.index(names[key])], form.decimal)
    return read


def _encoded(table: pa.Table) -> pa.Table:
    """A table whose texts, which repeat, are dictionaries."""
    columns = [
        pc.dictionary_encode(column) if pa.types.is_string(column.type) else column
        for column in table.columns
    ]
    return pa.table(columns, names=table.column_names)


# --- Parquet ----------------------------------------------------------------------------------


def _read_parquet(raw: RawFile, columns: Any) -> Columns:
    try:
        file = pq.ParquetFile(raw.path, page_checksum_verification=True)
        header = file.schema_arrow.names
        wanted = _found(raw, columns, header, None)
        for name, kind in wanted.values():
            require_type(raw.path, name, kind, file.schema_arrow.field(name).type)
        table = file.read(columns=[name for name, _ in wanted.values()])
    except (pa.ArrowException, OSError) as error:
        raise damaged_parquet(str(raw.path), error, raw.again) from None
    require_accounted(str(raw.path), file.metadata.num_rows, {"read": table.num_rows})
    data = {key: _converted(kind, _one(table.column(name))) for key, (name, kind) in wanted.items()}
    names = {key: name for key, (name, _) in wanted.items()}
    part = Part(raw.path, table.num_rows, lambda rows: [f"row {row + 1}" for row in rows])
    return Columns(raw.path, raw.section, names, data, tuple(header), (part,))


def damaged_parquet(name: str, error: Exception, again: str) -> DataError:
    """The error of a Parquet file that cannot be read."""
    told = str(error).strip().splitlines() or [type(error).__name__]
    return DataError(f"{name}: not a complete Parquet file ({ascii(told[0][:200])[1:-1]}). {again}")


def require_type(path: str | Path, name: str, kind: str, found: pa.DataType) -> None:
    """Check that a column of Parquet is of a type that can be read as number, text or time.

    Raises
    ------
    DataError
    """
    kinds = pa.types
    inner = found.value_type if kinds.is_dictionary(found) else found
    is_number = kinds.is_integer(inner) or kinds.is_floating(inner) or kinds.is_decimal(inner)
    is_text = kinds.is_string(inner) or kinds.is_large_string(inner) or kinds.is_string_view(inner)
    fits = {
        NUMBER: is_number,
        TEXT: is_text or is_number,
        TIME: is_text or is_number or kinds.is_timestamp(inner) or kinds.is_date(inner),
    }
    if not fits[kind]:
        raise DataError(
            f"{path}, column {name!r}: it has the type {found}, but a {kind} is wanted. Convert "
            "the column."
        )


def _converted(kind: str, column: pa.Array) -> pa.Array:
    """A column of Parquet as one of CSV would be; times of a type of their own stay."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if kind == NUMBER:
        numbers = pc.cast(column, pa.float64(), safe=False)
        return pc.if_else(pc.is_nan(numbers), pa.scalar(None, pa.float64()), numbers)
    if kind == TIME and (pa.types.is_timestamp(column.type) or pa.types.is_date(column.type)):
        return column
    return pc.dictionary_encode(pc.cast(column, pa.string()))


# --- Workbooks --------------------------------------------------------------------------------


def _read_workbook(raw: RawFile, columns: Any, sheet: str | None, form: Form) -> Columns:
    cells = _sheet(raw, sheet)
    # Rows without anything are none; the header is the first of the others.
    cells = cells[cells.notna().any(axis=1)]
    header = [str(name).strip() if pd.notna(name) else "" for name in cells.iloc[0]]
    wanted = _found(raw, columns, header, None)
    cells = cells.iloc[1:]
    rows = cells.index.to_numpy() + 1
    part = Part(raw.path, len(rows), lambda wanted_rows: [f"row {rows[k]}" for k in wanted_rows])
    names = {key: name for key, (name, _) in wanted.items()}
    data: dict[str, pa.Array] = {}
    read = Columns(raw.path, raw.section, names, data, tuple(header), (part,))
    for key, (name, kind) in wanted.items():
        texts = cells.iloc[:, header.index(name)].map(_cell_text)
        texts = texts.where(~texts.isin(form.missing), None)
        if kind == NUMBER:
            plain = texts.str.replace(form.decimal, ".", regex=False)
            odd = texts.notna() & ~plain.str.match(NUMBER_PATTERN, flags=re.ASCII).eq(True)
            data[key] = pa.array([""] * len(rows))
            if odd.any():
                raise read.no_number(key, odd.to_numpy(), texts[odd].iloc[0], form.decimal)
            data[key] = pa.array(plain.astype(float), from_pandas=True)
        else:
            data[key] = pa.array(texts, pa.string(), from_pandas=True).dictionary_encode()
    return read


def _sheet(raw: RawFile, sheet: str | None) -> pd.DataFrame:
    """Cells of one sheet, its rows numbered from 0."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and extensions that openpyxl does not know
            sheets = pd.read_excel(
                raw.path, sheet_name=None, header=None, dtype=object, engine="openpyxl"
            )
    except Exception as error:  # openpyxl lets through whatever a damaged part makes it raise
        raise DataError(
            f"{raw.path}: not a complete workbook ({type(error).__name__}). {raw.again}"
        ) from None
    if sheet not in (None, *sheets):
        raise ConfigError(
            f"{raw.section}.sheet is {sheet!r}, but the sheets of {raw.path} are "
            f"{listed(list(sheets))}."
        )
    full = [
        name
        for name, cells in sheets.items()
        if sheet in (None, name) and cells.notna().to_numpy().any()
    ]
    if not full:
        raise raw.damaged("the file is empty")
    if len(full) > 1:
        raise DataError(
            f"{raw.path}: {len(full)} sheets have something in them: {listed(full)}. Set "
            f"{raw.section}.sheet to the one to read."
        )
    return sheets[full[0]]


def _cell_text(cell: Any) -> str:
    """A cell of a workbook as CSV would have it."""
    if pd.isna(cell):
        return ""
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(sep=" ")
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)
    return str(cell).strip()
