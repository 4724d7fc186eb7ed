"""Reader of some columns of a CSV or Parquet file, with errors that name row and column.

1. The format is recognized by the content (:mod:`noiseless.data.raw_files`).
2. The header is read, and each column that is wanted must be in it, once.
3. The cells are parsed.  Of CSV, :func:`iterate_rows` brings rows that are complete, with their
   lines, and Arrow parses them: each becomes one row, or reading ends with an error.
4. :class:`TableColumns` holds the cells, and the line or row of the file that each came from.

The readers of public datasets are built on :func:`read_columns`.

Arrow accepts two things that are errors here, so this module checks them: a quotation mark within a
cell (``b"c``, which may be all that is left of a row break) or behind the closing one (``"d"x``),
and a cell that is not written like a number.
"""

import difflib
import io
import re
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

from noiseless.data.raw_files import (
    FETCH_AGAIN,
    RawFile,
    format_list,
    is_parquet,
    open_decompressed,
)
from noiseless.errors import DataError

NUMBER, TEXT, TIME = "number", "text", "time"
_TEXT_TYPE = pa.dictionary(pa.int32(), pa.string())

CELL_ADVICE = "Correct the cell, or fetch the original file again"
# The pattern of a number; `inf` fits, because it is refused later, with a better message.
NUMBER_PATTERN = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$|^[-+]?(?i:inf|infinity)$"
MAX_LINE_BYTES = 1 << 20
BLOCK_BYTES = 1 << 23  # size of the blocks that are parsed at a time
_MAX_BLANK_LINES = 10_000  # number of lines; what is packed can hold millions in a few kilobytes
_HEADER_LINES = 5  # number of lines within which a header must begin

Row = tuple[int, str]  # number of its first line, and its text
ColumnSpecs = Mapping[
    str, tuple[str, str]
]  # by our key: the column's name in the file, and its kind
# The wanted columns, the table of these by our key, and the number of each row's line or row.
RawColumns = tuple[ColumnSpecs, pa.Table, NDArray[np.int64]]


@dataclass(frozen=True)
class TableFormat:
    """Format of a CSV file: its separator, its texts for a missing value, and its header.

    Attributes
    ----------
    separator : str
        The character between two cells.
    missing : sequence of str
        Cells that stand for no value.
    header : str or sequence of str
        The beginning of the header, where there may be a line of notes above it; or the names of
        the columns of a file that has no header.
    """

    separator: str = ","
    missing: Sequence[str] = ("",)
    header: str | Sequence[str] = ""


@dataclass(frozen=True)
class TableColumns:
    """Columns read from a file, and the line or row of the file that each cell came from.

    Attributes
    ----------
    path : Path
        The file.
    names : mapping
        The name of each column in the file, by our key.
    arrow_table : pyarrow.Table
        The columns by our key: numbers as 64-bit floats, texts as dictionaries of strings; a
        missing value is null.
    number_unit : str
        The unit of ``numbers``: ``line`` of CSV, ``row`` of Parquet.
    numbers : ndarray of int
        Number of each row's line or row, from 1.
    """

    path: Path
    names: Mapping[str, str]
    arrow_table: pa.Table = field(repr=False)
    number_unit: str
    numbers: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.arrow_table.num_rows

    def get_numbers(self, key: str) -> NDArray[np.float64]:
        """Return a column of numbers as floats, with NaN for an empty cell.

        Raises
        ------
        DataError
            If one is infinite.
        """
        values = self.arrow_table[key].to_numpy()
        self.check_rows(key, ~np.isinf(values), "an infinite value. Correct the cell, or empty it")
        return values

    def get_texts(self, key: str) -> pd.Categorical:
        """Return a column of texts without blanks at their ends, all of which must be filled.

        Raises
        ------
        DataError
            If a cell is empty, or holds a line end or another character that cannot be shown.
        """
        codes, words = self._encode_texts(key)
        self.check_rows(key, (words != "")[codes], "an empty cell. Fill it, or delete the row")
        plain = np.array([word.isprintable() for word in words], dtype=bool)
        problem = f"{{cell}} has characters that cannot be shown. {CELL_ADVICE}"
        self.check_rows(key, plain[codes], problem)
        merged, place = np.unique(words.astype(str), return_inverse=True)
        return pd.Categorical.from_codes(place[codes], merged)

    def get_cells(self, key: str) -> NDArray[np.object_]:
        """Return a column of texts without blanks at their ends, with "" for an empty cell."""
        codes, words = self._encode_texts(key)
        return words[codes]

    def _encode_texts(self, key: str) -> tuple[NDArray[np.int64], NDArray[np.object_]]:
        """Encode a column as one code per row and the texts of the codes; the last may be ""."""
        column = self.arrow_table[key].combine_chunks()
        words = [str(word or "").strip() for word in column.dictionary.to_pylist()]
        codes = pc.fill_null(column.indices, len(words)).to_numpy()
        if column.null_count:
            words.append("")
        return codes, np.array(words, object)

    def select_rows(self, chosen: NDArray[np.bool_]) -> "TableColumns":
        """Return the columns with only the rows at which ``chosen`` is true."""
        return replace(
            self,
            arrow_table=self.arrow_table.filter(pa.array(chosen)),
            numbers=self.numbers[chosen],
        )

    def check_rows(self, key: str, good: Any, problem: str) -> None:
        """Check that ``good`` is true for every row of a column.

        Parameters
        ----------
        key : str
            Our key of the column.
        good : array of bool
            Whether the cell of each row is valid.
        problem : str
            Problem and remedy for the first invalid row; ``{cell}`` is replaced by its cell.

        Raises
        ------
        DataError
            If ``good`` is false for a row; names file, line or row, and column.
        """
        bad = ~np.asarray(good, dtype=bool)
        if bad.any():
            row = int(bad.argmax())
            cell = self.arrow_table[key][row].as_py()
            shown = f"{cell:g}" if isinstance(cell, float) else repr(str(cell).strip()[:80])
            problem = problem.replace("{cell}", shown)
            raise self.build_error(row, key, problem, count=int(bad.sum()))

    def build_error(self, row: int, key: str, problem: str, *, count: int = 1) -> DataError:
        """Build the error about a cell, by its row (from 0) and the key of its column."""
        more = f" ({count - 1} more in this column)" if count > 1 else ""
        return DataError(f"{self.format_place(row)}, column {self.names[key]!r}: {problem}{more}.")

    def format_place(self, row: int) -> str:
        """Format the place of a row (from 0) as the file and its line; of Parquet, its row."""
        return f"{self.path}, {self.number_unit} {self.numbers[row]}"


def read_columns(
    path: str | Path,
    *,
    columns: ColumnSpecs | Callable[[Sequence[str]], ColumnSpecs],
    exclude_blank_rows: bool = False,
    **form: Any,
) -> TableColumns:
    """Read and check some columns of a CSV or Parquet file, as numbers and texts.

    Parameters
    ----------
    path : path
        CSV with a header, plain, gzipped or alone in a zip; or Parquet.
    columns : mapping, or function from the header to a mapping
        For each key of ours the column's name and its kind: number or text.
    exclude_blank_rows : bool
        Whether rows in which all of these columns are empty are excluded.
    **form
        Attributes of :class:`TableFormat`.

    Raises
    ------
    DataError
        If the file is missing, empty, a web page, damaged, cut off or in another encoding; lacks a
        column; a row has a wrong number of cells or a misplaced quotation mark; or a column of
        numbers holds something else.
    """
    raw = RawFile(Path(path))
    counted, read_cells = ("row", _read_parquet) if is_parquet(raw) else ("line", _read_csv)
    wanted, cells, numbers = read_cells(raw, columns, TableFormat(**form))
    if not len(numbers):
        raise raw.build_damage_error("there are no rows below the header.")
    check_accounted(str(raw.path), len(numbers), {"parsed": len(cells)})
    names = {key: name for key, (name, _) in wanted.items()}
    read = _convert_columns(TableColumns(raw.path, names, cells, counted, numbers), wanted)
    if not exclude_blank_rows:
        return read
    blank = np.all([column.is_null().to_numpy() for column in read.arrow_table.columns], axis=0)
    if blank.all():
        raise DataError(f"{raw.path}: all rows are empty below the header. {CELL_ADVICE}.")
    return read.select_rows(~blank)


def check_accounted(name: str, read: int, counts: Mapping[str, int]) -> None:
    """Check that the rows that are used or excluded add up to the rows that were read.

    Parameters
    ----------
    name : str
        The file's name in the error message.
    read : int
        Number of rows that were read.
    counts : mapping of str to int
        Numbers of rows that are used, and that are excluded for each reason.

    Raises
    ------
    DataError
        If the counts do not add up to the rows.
    """
    if sum(counts.values()) != read:
        reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items())
        raise DataError(
            f"{name}: {read} rows were read, but {sum(counts.values())} are accounted for "
            f"({reasons}). This is a bug in noiseless; please report it with the file."
        )


def _convert_columns(read: TableColumns, wanted: ColumnSpecs) -> TableColumns:
    """Convert each column to its wanted kind: numbers to 64-bit floats, texts to dictionaries.

    Raises
    ------
    DataError
        If a column of numbers holds something else.
    """
    typed = {}
    for key, (_, kind) in wanted.items():
        typed[key] = _convert_column(read.arrow_table[key], kind)
        if kind == NUMBER:
            read.check_rows(
                key,
                ~pc.fill_null(pc.is_nan(typed[key]), False).to_numpy(),
                "{cell} is not a number: a number has '.' before its decimals and nothing else "
                f"between its digits. {CELL_ADVICE}",
            )
    return replace(read, arrow_table=pa.table(typed))


def _convert_column(column: pa.ChunkedArray, kind: str) -> pa.ChunkedArray:
    """Convert an Arrow column to 64-bit floats or to a dictionary of texts, by its kind."""
    if kind != NUMBER and column.type == _TEXT_TYPE:
        return column
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if kind != NUMBER:
        return pc.dictionary_encode(pc.cast(column, pa.string()))
    if pa.types.is_string(column.type):
        return convert_to_numbers(column)
    numbers = pc.cast(column, pa.float64(), safe=False)
    return pc.if_else(pc.is_nan(numbers), pa.scalar(None, pa.float64()), numbers)


def _find_columns(raw: RawFile, columns: Any, header: Sequence[str]) -> ColumnSpecs:
    """Return the wanted columns after checking that each is in the header exactly once.

    Raises
    ------
    DataError
        See :func:`read_columns`.
    """
    wanted: ColumnSpecs = columns(header) if callable(columns) else columns
    names = [name for name, _ in wanted.values()]
    for name in names:
        if name not in header:
            # Another wanted column cannot be the misspelt one.
            lower = {each.lower(): each for each in header if each not in names}
            close = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.5)
            hint = f" Did you mean {lower[close[0]][:80]!r}?" if close else ""
            raise DataError(
                f"{raw.path}: column {name!r} is missing.{hint} The columns are: "
                f"{format_list(header)}."
            )
        if header.count(name) > 1:
            raise DataError(
                f"{raw.path}: column {name!r} occurs {header.count(name)} times. {CELL_ADVICE}."
            )
    return wanted


# --- CSV --------------------------------------------------------------------------------------


def iterate_lines(file: IO[AnyStr], name: str | Path) -> Iterator[AnyStr]:
    """Iterate over the lines of a file, with their line ends.

    Raises
    ------
    DataError
        If one is longer than a MiB, or thousands that follow each other are blank.
    """
    blank = 0
    while line := file.readline(MAX_LINE_BYTES):
        blank = blank + 1 if line.isspace() else 0
        if blank > _MAX_BLANK_LINES:
            raise DataError(
                f"{name}: more than {_MAX_BLANK_LINES} blank lines follow each other. Check that "
                "it is the right file."
            )
        if len(line) == MAX_LINE_BYTES:
            raise DataError(
                f"{name}: a line is longer than {MAX_LINE_BYTES} bytes, so this is not a table "
                "in CSV. Check that it is the right file."
            )
        yield line


def iterate_rows(source: BinaryIO, raw: RawFile) -> Iterator[Row]:
    """Iterate over the rows of a CSV file, each with the number of its first line.

    A row ends with a line end that no quotation mark encloses; all line ends become LF.

    Raises
    ------
    DataError
        If the text cannot be decoded, a line is too long, or a quotation mark is never closed.
    """
    parts, size, number, is_open = list[str](), 0, 0, False
    try:
        # A byte order mark at the beginning is not a part of the text.
        with io.TextIOWrapper(source, "utf-8-sig") as text:
            for number, line in enumerate(iterate_lines(text, raw.path), start=1):
                parts.append(line)
                size += len(line)
                is_open ^= line.count('"') % 2 == 1
                if not is_open:
                    yield number + 1 - len(parts), "".join(parts)
                    parts, size = [], 0
                elif size > MAX_LINE_BYTES:
                    break
    except UnicodeDecodeError as error:
        number += 1 + error.object[: error.start].count(b"\n")
        byte = error.object[error.start]
        raise raw.build_damage_error(f"not UTF-8 text (byte 0x{byte:02x}).", number) from None
    except OSError as error:
        raise raw.build_read_error(error) from None
    if parts:
        raise _build_quoting_error(raw, number + 1 - len(parts))


def _build_quoting_error(raw: RawFile, line: int) -> DataError:
    """Build the error about a row with a misplaced or unclosed quotation mark, by its line."""
    return raw.build_damage_error(
        "in the row that begins here, a quotation mark stands where none may, or is never closed. "
        "Remove it: only complete cells are quoted, and a quotation mark inside of one is doubled.",
        line,
    )


def count_cells(row: str, separator: str) -> int:
    """Count the cells of a row; return 0 if a quotation mark is misplaced or not closed."""
    if '"' in row:
        row = _compile_quoted_cell(separator).sub("", row)
        if '"' in row:
            return 0
    return 1 + row.count(separator)


@cache
def _compile_quoted_cell(separator: str) -> re.Pattern[str]:
    """Compile the pattern of a complete cell within quotation marks."""
    mark = re.escape(separator)
    return re.compile(rf'(?<![^{mark}])"(?:[^"]|"")*+"(?![^{mark}\n])')


def parse_rows(
    rows: Iterable[Row], width: int, columns: Mapping[str, int], form: TableFormat, name: str | Path
) -> Iterator[tuple[NDArray[np.int64], pa.Table]]:
    """Parse the texts in some columns of complete rows, in blocks of some 8 MiB.

    Parameters
    ----------
    rows : iterable of (int, str)
        Line and text of each row, which has as many cells as :func:`count_cells` finds.
    width : int
        Number of cells of a row.
    columns : mapping
        Position of each column, from 0, by our key.
    form : Form
        Format of the file; cells that stand for no value become null.
    name : str or path
        The file's name in error messages.

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
        column_types=dict.fromkeys(wanted, _TEXT_TYPE),
        null_values=list(form.missing),
        strings_can_be_null=True,
    )
    for block in _group_rows(rows):
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
                f"({ascii(str(error)[:200])[1:-1]}). This is a bug in noiseless; please report it "
                "with the file."
            ) from None
        yield np.array([line for line, _ in block]), table.rename_columns(list(columns))


def _group_rows(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Group rows into lists of some 8 MiB of text."""
    block, size = list[Row](), 0
    for row in rows:
        block.append(row)
        size += len(row[1])
        if size >= BLOCK_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block


def split_row(row: str, name: str | Path, separator: str = ",") -> list[str]:
    """Split one row into its texts, without blanks around; none if a quotation mark is wrong."""
    width = count_cells(row, separator)
    form, columns = TableFormat(separator, missing=()), {str(k): k for k in range(width)}
    tables = parse_rows([(1, row)] if width else [], width, columns, form, name)
    return [column[0].as_py().strip() for _, table in tables for column in table.columns]


def convert_to_numbers(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Convert texts to 64-bit floats: null stays null, and a text that is no number becomes NaN."""
    plain = pc.utf8_trim(texts, " \t")
    is_number = pc.match_substring_regex(plain, NUMBER_PATTERN)
    return pc.cast(pc.if_else(is_number, plain, "nan"), pa.float64())


def _find_header(rows: Iterable[Row], raw: RawFile, form: TableFormat) -> list[str]:
    """Find the header, the first row that begins with ``form.header``; return its names."""
    for line, row in rows:
        if row.isspace():
            continue
        cells = split_row(row, raw.path, form.separator)
        if not cells:
            raise _build_quoting_error(raw, line)
        if ",".join(cells).startswith(str(form.header)):
            return cells
        if line >= _HEADER_LINES:
            break
    raise DataError(
        f"{raw.path}: none of the first {_HEADER_LINES} lines is a header that begins with "
        f"{form.header!r}. Check that it is the right file."
    )


def _iterate_valid_rows(
    rows: Iterable[Row], raw: RawFile, form: TableFormat, width: int
) -> Iterator[Row]:
    """Iterate over the rows that are not blank, after checking that each has ``width`` cells."""
    for line, row in rows:
        if row == "\n":
            continue
        found = count_cells(row, form.separator)
        if not found:
            raise _build_quoting_error(raw, line)
        if found != width:
            is_likely = found > width and form.separator == ","
            hint = ", or is there a number with a decimal comma" if is_likely else ""
            raise raw.build_damage_error(
                f"{'1 cell' if found == 1 else f'{found} cells'} instead of {width}. Is the file "
                f"cut off, or is a text with {form.separator!r} in it not quoted{hint}?",
                line,
            )
        if not row.endswith(("\n", '"')) and not raw.is_packed:
            raise raw.build_damage_error(
                "the last line has no line end, as in a file that was cut off. If the row is "
                "complete, end it with a line end.",
                line,
            )
        yield line, row


def _read_csv(raw: RawFile, columns: Any, form: TableFormat) -> RawColumns:
    """Read some columns of a CSV file as texts, with the number of each row's first line."""
    with open_decompressed(raw) as source:
        rows = iterate_rows(source, raw)
        header = list(form.header)
        if isinstance(form.header, str):
            header = _find_header(rows, raw, form)
        width, wanted = len(header), _find_columns(raw, columns, header)
        # Columns are read by position, because a name that is not wanted may occur twice.
        positions = {key: header.index(name) for key, (name, _) in wanted.items()}
        checked_rows = _iterate_valid_rows(rows, raw, form, width)
        blocks = list(parse_rows(checked_rows, width, positions, form, raw.path))
    if not blocks:
        raise raw.build_damage_error("there are no rows below the header.")
    lines, texts = zip(*blocks, strict=True)
    return wanted, pa.concat_tables(texts), np.concatenate(lines)


# --- Parquet ----------------------------------------------------------------------------------


def _read_parquet(raw: RawFile, columns: Any, form: TableFormat) -> RawColumns:
    """Read some columns of a Parquet file in its own types, with the number of each row."""
    try:
        file = pq.ParquetFile(raw.path, page_checksum_verification=True)
        header = file.schema_arrow.names
        wanted = _find_columns(raw, columns, header)
        for name, kind in wanted.values():
            check_column_type(raw.path, name, kind, file.schema_arrow.field(name).type)
        table = file.read(columns=[name for name, _ in wanted.values()])
        table.validate(full=True)  # raises an error for texts in another encoding
    except MemoryError:  # Arrow's own lack of memory is one of its exceptions, too
        raise
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise raw.build_read_error(error) from None
        raise build_parquet_error(str(raw.path), error) from None
    numbers = np.arange(file.metadata.num_rows) + 1
    data = pa.table({key: table[name] for key, (name, _) in wanted.items()})
    return wanted, data, numbers


def build_parquet_error(name: str, error: Exception) -> DataError:
    """Build the error about a Parquet file that Arrow cannot read, from Arrow's own error."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    problem = f"not a complete Parquet file ({ascii(lines[0][:200])[1:-1]})"
    return DataError(f"{name}: {problem}. {FETCH_AGAIN}")


def check_column_type(path: str | Path, name: str, kind: str, found: pa.DataType) -> None:
    """Check that a Parquet column has a type that can be read as number, text or time.

    Parameters
    ----------
    path : path
        The file's name in the error message.
    name : str
        Name of the column.
    kind : {"number", "text", "time"}
        The kind that is wanted.
    found : pyarrow.DataType
        The column's type.

    Raises
    ------
    DataError
        If the type cannot be read as that kind.
    """
    kinds = pa.types
    inner = found.value_type if kinds.is_dictionary(found) else found
    is_number = kinds.is_integer(inner) or kinds.is_floating(inner) or kinds.is_decimal(inner)
    fits = {
        NUMBER: is_number,
        # Booleans and dates become the texts that CSV has: true and false, and 2013-01-31.
        TEXT: is_text_type(inner) or is_number or kinds.is_boolean(inner) or kinds.is_date(inner),
        TIME: is_text_type(inner) or is_number or kinds.is_timestamp(inner) or kinds.is_date(inner),
    }
    if not fits[kind]:
        raise DataError(
            f"{path}, column {name!r}: its type is {found}; expected a {kind}. Convert the column."
        )


def is_text_type(kind: pa.DataType) -> bool:
    """Return whether an Arrow type is a type of texts."""
    return (
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )
