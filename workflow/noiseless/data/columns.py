"""Some columns of a table, from CSV, Parquet or a workbook, with errors that name row and column.

1. The file is identified by its content (:mod:`noiseless.data.raw_files`).
2. The header is read, and each column that is wanted must be in it, once.
3. The cells are parsed.  Of CSV, :func:`rows_of` brings rows that are complete, with their lines,
   and Arrow parses them: each becomes one row, or reading ends with an error.
4. :class:`Columns` holds the cells, and knows where each of them stands.

The readers of public datasets and of users' files are built on :func:`read_columns`.

What Arrow would pass without a word is checked here: a quotation mark within a cell (``b"c``, which
may be all that is left of a row break) or behind the closing one (``"d"x``), and what a number is.
"""

import codecs
import datetime
import difflib
import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import IO, Any, AnyStr, BinaryIO

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from noiseless.data.raw_files import Kind, RawFile, identify, listed, open_unfolded
from noiseless.errors import ConfigError, DataError

NUMBER, TEXT, TIME = "number", "text", "time"
_TEXTS = pa.dictionary(pa.int32(), pa.string())

# Cells without a value, in a user's CSV file.
MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "None")
# What a number looks like; `inf` is one that is refused later, with a better message.
NUMBER_PATTERN = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$|^[-+]?(?i:inf|infinity)$"
LONGEST_LINE_BYTES = 1 << 20
BLOCK_BYTES = 1 << 23  # that are parsed at a time
_SEPARATORS = (";", "\t", "|", ",")
_HEADER_LINES = 5  # within which a header must begin

Row = tuple[int, str]  # its first line, and its text
Wanted = Mapping[str, tuple[str, str]]
# What is wanted, the header, the columns by our key, and the number of each row's line or row.
Read = tuple[Wanted, Sequence[str], pa.Table, Any]


@dataclass(frozen=True)
class Form:
    """How a table is written.

    Attributes
    ----------
    separator, decimal : str
        Between two cells, and within a number; for CSV.
    missing : sequence of str
        Cells of CSV that stand for no value.
    header : str or sequence of str
        How the header of a CSV file begins, where there may be a line of notes above it; or the
        names of the columns of one that has no header.
    encoding : str
        The encoding of a CSV file, as Python names it.
    sheet : str or None
        The sheet to read, of a workbook with several.
    """

    separator: str = ","
    decimal: str = "."
    missing: Sequence[str] = MISSING
    header: str | Sequence[str] = ""
    encoding: str = "utf-8"
    sheet: str | None = None


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
    data : pyarrow.Table
        The columns by our key: numbers as 64-bit floats, texts (and times, except where the file
        has a type for them) as dictionaries of strings; a missing value is null.
    places : pyarrow.Table
        Where each row stands: the ``place`` is its file, and whether lines or rows are counted
        there, and the ``number`` that of its line or row, from 1.
    header : tuple of str
        All names of the (first) file.
    blank_rows : int
        Rows in which all of these columns were empty, and which were excluded for it.
    """

    path: Path
    section: str | None
    names: Mapping[str, str]
    data: pa.Table = field(repr=False)
    places: pa.Table = field(repr=False)
    header: tuple[str, ...] = field(repr=False)
    blank_rows: int = 0

    def __len__(self) -> int:
        """Number of rows."""
        return self.data.num_rows

    @property
    def again(self) -> str:
        """What to do about a bad cell."""
        return (
            "Correct the cell, or fetch the original file again"
            if self.section is None
            else "Correct the cell"
        )

    def number(self, key: str) -> NDArray[np.float64]:
        """A column of numbers; NaN where it is empty.

        Raises
        ------
        DataError
            If one is infinite.
        """
        values = self.data[key].to_numpy()
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
        self.require(key, (words != "")[codes], "an empty cell. Fill it, or delete the row")
        plain = np.array([word.isprintable() for word in words], dtype=bool)
        problem = f"{{cell}} has characters that cannot be shown. {self.again}"
        self.require(key, plain[codes], problem)
        merged, place = np.unique(words.astype(str), return_inverse=True)
        return pd.Categorical.from_codes(place[codes], merged)

    def cells(self, key: str) -> NDArray[np.object_]:
        """A column of texts, stripped of blanks; an empty cell is an empty text."""
        codes, words = self._words(key)
        return words[codes]

    def _words(self, key: str) -> tuple[NDArray[np.int64], NDArray[np.object_]]:
        """Number of each row's text, and the texts; the last one stands for what is missing."""
        column = self.data[key].combine_chunks()
        words = [str(word or "").strip() for word in column.dictionary.to_pylist()]
        codes = pc.fill_null(column.indices, len(words)).to_numpy()
        if column.null_count:
            words.append("")
        return codes, np.array(words, object)

    def keep(self, chosen: NDArray[np.bool_]) -> "Columns":
        """The same without some of the rows."""
        mask = pa.array(chosen)
        return replace(self, data=self.data.filter(mask), places=self.places.filter(mask))

    def require(self, key: str, good: Any, problem: str) -> None:
        """Check that every row of a column is good.

        Parameters
        ----------
        key : str
            The column.
        good : array of bool
            By row.
        problem : str
            What to say, and to do, of the first row that is not; ``{cell}`` is what stands there.

        Raises
        ------
        DataError
        """
        bad = ~np.asarray(good, dtype=bool)
        if bad.any():
            row = int(bad.argmax())
            cell = self.data[key][row].as_py()
            shown = f"{cell:g}" if isinstance(cell, float) else repr(str(cell).strip()[:80])
            problem = problem.replace("{cell}", shown)
            raise self.error(row, key, problem, count=int(bad.sum()))

    def error(self, row: int, key: str, problem: str, *, count: int = 1) -> DataError:
        """An error about one cell, which stands in a row (from 0) and a column."""
        more = f" ({count - 1} more in this column)" if count > 1 else ""
        return DataError(f"{self.place(row)}, column {self.names[key]!r}: {problem}{more}.")

    def place(self, row: int) -> str:
        """File and line of a row (from 0); of Parquet and workbooks, file and row."""
        return " ".join(str(column[row]) for column in self.places.columns)

    def row_name(self, row: int) -> str:
        """``line 2`` of CSV or ``row 1`` of Parquet for the first row; with the file, if many."""
        file, name = self.place(row).rsplit(", ", 1)
        return name if file == str(self.path) else f"{name} of {Path(file).name}"


def read_columns(
    path: str | Path,
    *,
    columns: Wanted | Callable[[Sequence[str]], Wanted],
    section: str | None = None,
    exclude_blank_rows: bool = False,
    **form: Any,
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
    exclude_blank_rows : bool
        Whether rows in which all of these columns are empty are excluded, and counted.
    **form
        See :class:`Form`.

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
    kind = identify(raw)
    if kind not in _READERS:
        raise DataError(f"{raw.path}: a file of {kind.value}, but a table of columns is wanted.")
    written = Form(**form)
    wanted, header, cells, numbers = _READERS[kind](raw, columns, written)
    if not len(numbers):
        raise raw.damaged("there are no rows below the header.")
    require_accounted(str(raw.path), len(numbers), {"parsed": len(cells)})
    place = f"{raw.path}, {'line' if kind is Kind.TEXT else 'row'}"
    places = {
        "place": pa.DictionaryArray.from_arrays(np.zeros(len(numbers), np.int32), [place]),
        "number": pa.array(numbers, pa.int64()),
    }
    names = {key: name for key, (name, _) in wanted.items()}
    read = Columns(raw.path, section, names, cells, pa.table(places), tuple(header))
    read = _typed(read, wanted, written.decimal)
    if not exclude_blank_rows:
        return read
    blank = np.all([column.is_null().to_numpy() for column in read.data.columns], axis=0)
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
    for key, name in reads[0].names.items():
        types = {str(read.data[key].type) for read in reads}
        if len(types) > 1:
            raise DataError(
                f"{path}: column {name!r} is of another type in some of the files "
                f"({', '.join(sorted(types))}). Bring them into one form."
            )
    return replace(
        reads[0],
        path=path,
        data=pa.concat_tables([read.data for read in reads]),
        places=pa.concat_tables([read.places for read in reads]),
        blank_rows=sum(read.blank_rows for read in reads),
    )


def require_accounted(name: str, read: int, counts: Mapping[str, int]) -> None:
    """Check that every row that was read is used, or excluded for a reason.

    Raises
    ------
    DataError
        If the counts do not add up to the rows.
    """
    if sum(counts.values()) != read:
        reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items())
        raise DataError(
            f"{name}: {read} rows were read, but {sum(counts.values())} are accounted for "
            f"({reasons}). This should not be: please report it with the file."
        )


def _typed(read: Columns, wanted: Wanted, decimal: str) -> Columns:
    """Columns as what is wanted of them.

    Raises
    ------
    DataError
        If a column of numbers holds something else.
    """
    typed = {}
    for key, (_, kind) in wanted.items():
        typed[key] = _converted(read.data[key], kind, decimal)
        if kind == NUMBER:
            read.require(
                key,
                ~pc.fill_null(pc.is_nan(typed[key]), False).to_numpy(),
                f"{{cell}} is not a number, nor empty: numbers are read with {decimal!r} before "
                f"their decimals and nothing else between their digits. {read.again}",
            )
    return replace(read, data=pa.table(typed))


def _converted(column: pa.ChunkedArray, kind: str, decimal: str) -> pa.ChunkedArray:
    """A column as what is wanted of it; times of a type of their own stay."""
    if kind != NUMBER and column.type == _TEXTS:
        return column
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if kind == TIME and (pa.types.is_timestamp(column.type) or pa.types.is_date(column.type)):
        return column
    if kind != NUMBER:
        return pc.dictionary_encode(pc.cast(column, pa.string()))
    if pa.types.is_string(column.type):
        return as_numbers(column, decimal)
    numbers = pc.cast(column, pa.float64(), safe=False)
    return pc.if_else(pc.is_nan(numbers), pa.scalar(None, pa.float64()), numbers)


def _found(raw: RawFile, columns: Any, header: Sequence[str], separator: str | None) -> Wanted:
    """The columns that are wanted; each is in the header, once.

    Raises
    ------
    ConfigError, DataError
        See :func:`read_columns`.
    """
    wanted = columns(header) if callable(columns) else columns
    names = [name for name, _ in wanted.values()]
    for position, (key, name) in enumerate(zip(wanted, names, strict=True)):
        if name in names[:position]:
            raise ConfigError(
                f"{raw.section}: column {name!r} is given twice, the second time as {key}. Each "
                "key needs a column of its own."
            )
        if header.count(name) > 1:
            raise DataError(
                f"{raw.path}: column {name!r} occurs {header.count(name)} times. {raw.again}"
            )
        if name in header:
            continue
        if separator and len(header) == 1:
            other = [each for each in _SEPARATORS if each in header[0] and each != separator]
            hint = f" Set {raw.section}.separator to {other[0]!r}?" if other and raw.section else ""
            raise DataError(
                f"{raw.path}: the first line, {header[0][:80]!r}, is not a header of cells between "
                f"{separator!r}.{hint}"
            )
        # What is wanted, too, is not meant.
        lower = {each.lower(): each for each in header if each not in names}
        close = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.5)
        hint = f" Did you mean {lower[close[0]][:80]!r}?" if close else ""
        given = f", which the configuration gives for {key}," if raw.section else ""
        raise DataError(
            f"{raw.path}: column {name!r}{given} is missing.{hint} The columns are: "
            f"{listed(header)}."
        )
    return wanted


# --- CSV --------------------------------------------------------------------------------------


def lines_of(file: IO[AnyStr], name: str | Path) -> Iterator[AnyStr]:
    """The lines of a file, with their ends.

    Raises
    ------
    DataError
        If one is longer than a MiB.
    """
    while line := file.readline(LONGEST_LINE_BYTES):
        if len(line) == LONGEST_LINE_BYTES:
            raise DataError(
                f"{name}: a line of more than {LONGEST_LINE_BYTES} bytes. It is no table of lines "
                "and cells."
            )
        yield line


def rows_of(source: BinaryIO, raw: RawFile, encoding: str) -> Iterator[Row]:
    """The rows of a CSV file, each with the number of its first line.

    A row ends with a line end that no quotation mark encloses; all line ends become LF.

    Raises
    ------
    DataError
        If the text cannot be decoded, a line is too long, or a quotation mark is never closed.
    """
    # A mark at the beginning is no text.
    codec = "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
    parts, size, number, is_open = list[str](), 0, 0, False
    try:
        with io.TextIOWrapper(source, codec) as text:
            for number, line in enumerate(lines_of(text, raw.path), start=1):
                parts.append(line)
                size += len(line)
                is_open ^= line.count('"') % 2 == 1
                if not is_open:
                    yield number + 1 - len(parts), "".join(parts)
                    parts, size = [], 0
                elif size > LONGEST_LINE_BYTES:
                    break
    except UnicodeDecodeError as error:
        number += 1 + error.object[: error.start].count(b"\n")
        raise _not_decoded(raw, number, error) from None
    except OSError as error:
        raise raw.unreadable(error) from None
    if parts:
        raise _misquoted(raw, number + 1 - len(parts))


def _not_decoded(raw: RawFile, line: int, error: UnicodeDecodeError) -> DataError:
    """The error of a line that is in another encoding."""
    name = {"utf-8": "UTF-8", "cp1252": "Windows-1252"}.get(error.encoding, error.encoding)
    advice = "Save it as UTF-8"
    if raw.section:
        advice += f", or set {raw.section}.encoding (windows-1252 for many spreadsheets in Europe)"
    byte = error.object[error.start]
    return DataError(f"{raw.path}, line {line}: not {name} text (byte 0x{byte:02x}). {advice}.")


def _misquoted(raw: RawFile, line: int) -> DataError:
    """The error of a row in which the quotation marks are wrong."""
    return raw.damaged(
        "in the row that begins here, a quotation mark stands where none may, or is never closed. "
        "Remove it: only complete cells are quoted, and a quotation mark inside of one is doubled.",
        line,
    )


def count_cells(row: str, separator: str) -> int:
    """Number of cells of a row; 0 if a quotation mark stands where none may, or is not closed."""
    if '"' in row:
        row = _quoted_cell(separator).sub("", row)
        if '"' in row:
            return 0
    return 1 + row.count(separator)


@cache
def _quoted_cell(separator: str) -> re.Pattern[str]:
    """A complete cell within quotation marks."""
    mark = re.escape(separator)
    return re.compile(rf'(?<![^{mark}])"(?:[^"]|"")*+"(?![^{mark}\n])')


def parsed(
    rows: Iterable[Row], width: int, columns: Mapping[str, int], form: Form, name: str | Path
) -> Iterator[tuple[NDArray[np.int64], pa.Table]]:
    """The texts in some columns of complete rows, in blocks of some 8 MiB.

    Parameters
    ----------
    rows : iterable of (int, str)
        Line and text of each row, which has as many cells as :func:`count_cells` finds.
    width : int
        Number of cells of a row.
    columns : mapping
        Where each column stands, from 0, by our key.
    form : Form
        How the file is written; cells that stand for no value become null.
    name : str or path
        What errors call the file.

    Yields
    ------
    ndarray of int, pyarrow.Table
        The lines of the rows, and the texts by our key.

    Raises
    ------
    DataError
        If Arrow finds other cells in a row than :func:`count_cells`.
    """
    wanted = [str(position) for position in columns.values()]
    parsing = pyarrow.csv.ParseOptions(delimiter=form.separator, newlines_in_values=True)
    conversion = pyarrow.csv.ConvertOptions(
        include_columns=wanted,
        column_types=dict.fromkeys(wanted, _TEXTS),
        null_values=list(form.missing),
        strings_can_be_null=True,
    )
    for block in _blocks(rows):
        # Arrow drops a byte order mark at the beginning of a block: one of ours, not of a cell.
        text = "".join(row for _, row in block).encode("utf-8-sig")
        reading = pyarrow.csv.ReadOptions(
            use_threads=False, block_size=len(text), column_names=[str(k) for k in range(width)]
        )
        try:
            table = pyarrow.csv.read_csv(pa.BufferReader(text), reading, parsing, conversion)
        except pa.ArrowInvalid as error:
            raise DataError(
                f"{name}, from line {block[0][0]}: the rows can be read in two ways "
                f"({ascii(str(error)[:200])[1:-1]}). This should not be: please report it with the "
                "file."
            ) from None
        yield np.array([line for line, _ in block]), table.rename_columns(list(columns))


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    block, size = list[Row](), 0
    for row in rows:
        block.append(row)
        size += len(row[1])
        if size >= BLOCK_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block


def cells_of(row: str, name: str | Path, separator: str = ",") -> list[str]:
    """Texts of one row, without blanks around; none if its quotation marks are wrong."""
    width = count_cells(row, separator)
    form, columns = Form(separator, missing=()), {str(k): k for k in range(width)}
    tables = parsed([(1, row)] if width else [], width, columns, form, name)
    return [column[0].as_py().strip() for _, table in tables for column in table.columns]


def as_numbers(texts: pa.ChunkedArray, decimal: str = ".") -> pa.ChunkedArray:
    """Texts as 64-bit floats: null where one is, and NaN where it is no number."""
    plain = pc.utf8_trim(texts, " \t")
    is_number = pc.match_substring_regex(plain, NUMBER_PATTERN.replace(r"\.", re.escape(decimal)))
    written = pc.replace_substring(pc.if_else(is_number, plain, "nan"), decimal, ".")
    return pc.cast(written, pa.float64())


def _header(rows: Iterable[Row], raw: RawFile, form: Form) -> list[str]:
    """The names in the header: the first row that begins as it should."""
    for line, row in rows:
        if row.isspace():
            continue
        cells = cells_of(row, raw.path, form.separator)
        if not cells:
            raise _misquoted(raw, line)
        if ",".join(cells).startswith(str(form.header)):
            return cells
        if line >= _HEADER_LINES:
            break
    raise DataError(
        f"{raw.path}: none of the first {_HEADER_LINES} lines is a header that begins with "
        f"{form.header!r}. Is it another file?"
    )


def _sound(rows: Iterable[Row], raw: RawFile, form: Form, width: int) -> Iterator[Row]:
    """The rows with something in them, each of which has as many cells as there are columns."""
    for line, row in rows:
        if row == "\n":
            continue
        found = count_cells(row, form.separator)
        if not found:
            raise _misquoted(raw, line)
        if found != width:
            is_likely = found > width and (form.separator, form.decimal) == (",", ".")
            hint = ", or is there a number with a decimal comma" if is_likely else ""
            raise raw.damaged(
                f"{'1 cell' if found == 1 else f'{found} cells'} instead of {width}. Is the file "
                f"cut off, or is a text with {form.separator!r} in it not quoted{hint}?",
                line,
            )
        if not row.endswith(("\n", '"')) and not raw.is_packed:
            raise raw.damaged(
                "the last line has no line end, as in a file that was cut off. If the row is "
                "complete, end it with a line end.",
                line,
            )
        yield line, row


def _read_csv(raw: RawFile, columns: Any, form: Form) -> Read:
    with open_unfolded(raw) as source:
        rows = rows_of(source, raw, form.encoding)
        header = list(form.header)
        if isinstance(form.header, str):
            header = _header(rows, raw, form)
        width, wanted = len(header), _found(raw, columns, header, form.separator)
        # By position: a name that is not asked for may occur twice.
        where = {key: header.index(name) for key, (name, _) in wanted.items()}
        sound = _sound(rows, raw, form, width)
        blocks = list(parsed(sound, width, where, form, raw.path))
    if not blocks:
        raise raw.damaged("there are no rows below the header.")
    lines, texts = zip(*blocks, strict=True)
    return wanted, header, pa.concat_tables(texts), np.concatenate(lines)


# --- Parquet ----------------------------------------------------------------------------------


def _read_parquet(raw: RawFile, columns: Any, form: Form) -> Read:
    try:
        file = pq.ParquetFile(raw.path, page_checksum_verification=True)
        header = file.schema_arrow.names
        wanted = _found(raw, columns, header, None)
        for name, kind in wanted.values():
            require_type(raw.path, name, kind, file.schema_arrow.field(name).type)
        table = file.read(columns=[name for name, _ in wanted.values()])
        table.validate(full=True)  # texts in another encoding
    except (pa.ArrowException, OSError) as error:
        raise damaged_parquet(str(raw.path), error, raw.again) from None
    numbers = np.arange(file.metadata.num_rows) + 1
    data = pa.table({key: table[name] for key, (name, _) in wanted.items()})
    return wanted, header, data, numbers


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
    fits = {
        NUMBER: is_number,
        TEXT: is_text(inner) or is_number,
        TIME: is_text(inner) or is_number or kinds.is_timestamp(inner) or kinds.is_date(inner),
    }
    if not fits[kind]:
        raise DataError(
            f"{path}, column {name!r}: it has the type {found}, but a {kind} is wanted. Convert "
            "the column."
        )


def is_text(kind: pa.DataType) -> bool:
    """Whether a type of Arrow is one of texts."""
    return (
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


# --- Workbooks --------------------------------------------------------------------------------


def _read_workbook(raw: RawFile, columns: Any, form: Form) -> Read:
    cells = _sheet(raw, form.sheet)
    # Rows without anything are none; the header is the first of the others.
    cells = cells[cells.notna().any(axis=1)]
    header = [str(name).strip() if pd.notna(name) else "" for name in cells.iloc[0]]
    wanted = _found(raw, columns, header, None)
    texts = {}
    for key, (name, kind) in wanted.items():
        column = cells.iloc[1:, header.index(name)].map(_cell_text)
        if kind == NUMBER and form.decimal != ".":  # a cell that is a number has a point
            column = column.str.replace(".", form.decimal, regex=False)
        column = column.where(~column.isin(form.missing), None)
        texts[key] = pa.array(column, pa.string(), from_pandas=True)
    return wanted, header, pa.table(texts), cells.index[1:] + 1


def _sheet(raw: RawFile, sheet: str | None) -> pd.DataFrame:
    """Cells of one sheet, its rows numbered from 0."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and extensions that openpyxl does not know
            sheets = pd.read_excel(
                raw.path, sheet_name=None, header=None, dtype=object, engine="openpyxl"
            )
    except Exception as error:  # openpyxl lets through whatever a damaged part makes it raise
        raise raw.damaged(f"not a complete workbook ({type(error).__name__}).") from None
    if sheet not in (None, *sheets):
        raise ConfigError(
            f"{raw.section}.sheet is {sheet!r}, but the sheets of {raw.path} are "
            f"{listed(list(sheets))}."
        )
    full = [
        name
        for name, cells in sheets.items()
        if sheet in (None, name) and cells.notna().any(axis=None)
    ]
    if not full:
        raise raw.damaged("the file is empty.")
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


_READERS = {Kind.TEXT: _read_csv, Kind.PARQUET: _read_parquet, Kind.WORKBOOK: _read_workbook}
