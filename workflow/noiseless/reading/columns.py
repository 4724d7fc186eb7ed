"""Reader of some columns of a CSV or Parquet file, with errors that name row and column.

1. The format is recognized by the content (:mod:`noiseless.reading.raw_files`).
2. The header is read, and each column that is wanted must be in it, once.
3. The cells are parsed.  Of CSV, :func:`iterate_rows` brings rows that are complete, with their
   lines, and :func:`parse_rows` splits them: each becomes one row, or reading ends with an error.
4. :class:`TableColumns` holds the cells, and the line or row of the file that each came from.

All that comes from outside is read by :func:`read_columns`: the public datasets, and homes of one's
own.  CSV needs no further package; Parquet needs pyarrow.

Errors are, among others, a quotation mark within a cell (``b"c``, which may be all that is left of
a row break) or behind the closing one (``"d"x``), a NUL, and a cell that is not written like a
number.
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
from numpy.typing import NDArray

from noiseless.arrays import Bools, Floats, Ints
from noiseless.errors import DataError
from noiseless.reading.raw_files import (
    FETCH_AGAIN,
    RawFile,
    format_list,
    is_parquet,
    open_decompressed,
)

NUMBER, TEXT, TIME = "number", "text", "time"

CELL_ADVICE = "Correct the cell, or fetch the original file again"
# The pattern of a number; `inf` fits, because it is refused later, with a better message.
NUMBER_PATTERN = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$|^[-+]?(?i:inf|infinity)$"
# The pattern of a time with a zone, in the syntax of Python and of Arrow alike.
ZONED_PATTERN = (
    r"^\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*"
    r"(Z|[+-]\d\d:?\d\d|[ \d][A-Z]{3,5}|[A-Z][A-Za-z_]+/[A-Za-z_/+-]+)$"
)
MAX_LINE_BYTES = 1 << 20
BLOCK_BYTES = 1 << 23  # size of the blocks that are parsed at a time
_MAX_BLANK_LINES = 10_000  # number of lines; what is packed can hold millions in a few kilobytes
_HEADER_LINES = 5  # number of lines within which a header must begin

_NUMBER = re.compile(NUMBER_PATTERN, re.ASCII)
_NUMBER_WITH_COMMA = re.compile(r"[-+]?\d+,\d+", re.ASCII)

Row = tuple[int, str]  # number of its first line, and its text
ColumnSpecs = Mapping[
    str, tuple[str, str]
]  # by our key: the column's name in the file, and its kind


@dataclass(frozen=True)
class TableFormat:
    """Format of a CSV file: its separator, its cells that stand for no value, and its header.

    The header is its beginning, where there may be notes above it, or the names of columns without
    one.
    """

    separator: str = ","
    missing: Sequence[str] = ("",)
    header: str | Sequence[str] = ""


@dataclass(frozen=True)
class Texts:
    """Column of texts: each different one once, and each row's place among them (-1 for none)."""

    codes: NDArray[np.integer] = field(repr=False)
    words: NDArray[np.object_]

    def strip(self) -> tuple[Ints, NDArray[np.object_]]:
        """Return codes and texts, without blanks at their ends and only those that rows have.

        A missing text is "".
        """
        words = np.array([*(str(word).strip() for word in self.words), ""], object)
        used, codes = np.unique(self.codes, return_inverse=True)  # code -1 takes the last one
        return codes.ravel(), words[used]

    def parse_numbers(self) -> Floats:
        """Parse the texts of all rows as floats; NaN for none, and for a text that is no number."""
        numbers = [parse_number(word) for word in self.words]
        return np.array([*numbers, np.nan])[self.codes]


Cells = Texts | Floats
# The wanted columns, their cells by our key, and the number of each row's line or row.
RawColumns = tuple[ColumnSpecs, Mapping[str, Cells], Ints]


@dataclass(frozen=True)
class TableColumns:
    """Columns of a file by our keys, and the line or row of the file that each cell came from.

    Numbers are 64-bit floats, NaN where missing. ``numbers`` counts rows from 1, in
    ``number_unit``: ``line`` of CSV, ``row`` of Parquet.
    """

    path: Path
    names: Mapping[str, str]
    cells: Mapping[str, Cells] = field(repr=False)
    number_unit: str
    numbers: Ints = field(repr=False)
    header: Sequence[str] = ()

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.numbers)

    def get_numbers(self, key: str) -> Floats:
        """Return a column of numbers as floats, with NaN for an empty cell.

        An infinite one is refused.
        """
        values = np.asarray(self.cells[key], dtype=float)
        self.check_rows(key, ~np.isinf(values), "an infinite value. Correct the cell, or empty it")
        return values

    def get_texts(self, key: str) -> pd.Categorical:
        """Return a column of texts without blanks at their ends, all of which must be filled."""
        codes, words = self.encode_texts(key)
        self.check_rows(key, (words != "")[codes], "an empty cell. Fill it, or delete the row")
        plain = np.array([word.isprintable() for word in words], dtype=bool)
        problem = f"{{cell}} has characters that cannot be shown. {CELL_ADVICE}"
        self.check_rows(key, plain[codes], problem)
        merged, place = np.unique(words.astype(str), return_inverse=True)
        return pd.Categorical.from_codes(place[codes], merged)

    def get_cells(self, key: str) -> NDArray[np.object_]:
        """Return a column of texts without blanks at their ends, with "" for an empty cell."""
        codes, words = self.encode_texts(key)
        return words[codes]

    def encode_texts(self, key: str) -> tuple[Ints, NDArray[np.object_]]:
        """Encode a column as one code per row and the texts of the codes, "" for none."""
        column = self.cells[key]
        assert isinstance(column, Texts), key
        return column.strip()

    def select_rows(self, chosen: Bools) -> "TableColumns":
        """Return the columns with only the rows at which ``chosen`` is true."""
        cells = {
            key: replace(column, codes=column.codes[chosen])
            if isinstance(column, Texts)
            else column[chosen]
            for key, column in self.cells.items()
        }
        return replace(self, cells=cells, numbers=self.numbers[chosen])

    def check_rows(self, key: str, good: Any, problem: str) -> None:
        """Check that ``good`` is true for every row of a column.

        ``problem`` says what is wrong and what to do, with the first bad cell for ``{cell}``.
        """
        bad = ~np.asarray(good, dtype=bool)
        if bad.any():
            row = int(bad.argmax())
            problem = problem.replace("{cell}", self.format_cell(row, key))
            raise self.build_error(row, key, problem, count=int(bad.sum()))

    def format_cell(self, row: int, key: str) -> str:
        """Format a cell, by its row (from 0) and the key of its column, for a message."""
        column = self.cells[key]
        if not isinstance(column, Texts):
            short = f"{column[row]:g}"
            return short if float(short) == column[row] else repr(float(column[row]))
        code = column.codes[row]
        return repr(str(column.words[code]).strip()[:80]) if code >= 0 else "an empty cell"

    def build_error(self, row: int, key: str, problem: str, *, count: int = 1) -> DataError:
        """Build the error about a cell, by its row (from 0) and the key of its column."""
        more = f" ({count - 1} more in this column)" if count > 1 else ""
        return DataError(f"{self.format_place(row)}, column {self.names[key]!r}: {problem}{more}.")

    def format_some(self, chosen: Bools) -> str:
        """Format how many rows are chosen, at least one, and the line or row of the first."""
        return format_some(chosen, f"{self.number_unit} {self.numbers[int(chosen.argmax())]}")

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

    CSV may be plain, gzipped or alone in a zip; ``form`` is that of :class:`TableFormat`. What is
    damaged, cut off, a web page, in another encoding or of another kind is a DataError that names
    line or row.
    """
    raw = RawFile(Path(path))
    counted, read_cells = ("row", _read_parquet) if is_parquet(raw) else ("line", _read_csv)
    header, (wanted, cells, numbers) = read_cells(raw, columns, TableFormat(**form))
    if not len(numbers):
        raise raw.build_damage_error("there are no rows below the header.")
    names = {key: name for key, (name, _) in wanted.items()}
    read = TableColumns(raw.path, names, cells, counted, numbers, header)
    read = _convert_columns(read, wanted)
    if not exclude_blank_rows:
        return read
    blank = np.all([_find_missing(column) for column in read.cells.values()], axis=0)
    if blank.all():
        raise DataError(f"{raw.path}: all rows are empty below the header. {CELL_ADVICE}.")
    return read.select_rows(~blank)


def _find_missing(column: Cells) -> Bools:
    """Find the rows in which a column has no value."""
    return column.codes < 0 if isinstance(column, Texts) else np.isnan(column)


def format_some(chosen: Bools, first: str) -> str:
    """Format how many rows are chosen, with the first one, as logs tell rows that are not used."""
    return f"{int(chosen.sum())} of {len(chosen)} rows (first: {first})"


def check_accounted(name: str, read: int, counts: Mapping[str, int]) -> None:
    """Check that the rows that are used or excluded add up to the rows that were read."""
    if sum(counts.values()) != read:
        reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items())
        raise DataError(
            f"{name}: {read} rows were read, but {sum(counts.values())} are accounted for "
            f"({reasons}). This is a bug in noiseless; please report it with the file."
        )


def _convert_columns(read: TableColumns, wanted: ColumnSpecs) -> TableColumns:
    """Convert columns of numbers that are texts to 64-bit floats."""
    typed = dict(read.cells)
    for key, (_, kind) in wanted.items():
        column = read.cells[key]
        if kind == NUMBER and isinstance(column, Texts):
            typed[key] = numbers = column.parse_numbers()
            problem = (
                "{cell} is not a number: a number has '.' before its decimals and nothing else "
                f"between its digits. {CELL_ADVICE}"
            )
            good = ~np.isnan(numbers) | (column.codes < 0)
            wrong = {str(column.words[code]).strip() for code in column.codes[~good]}
            if wrong and all(map(_NUMBER_WITH_COMMA.fullmatch, wrong)):
                problem = (
                    "{cell} has a comma, where a number has a point. Of decimal commas, one line "
                    f"of pandas makes points: pd.read_csv({str(read.path)!r}, "
                    'decimal=",").to_csv("converted.csv", index=False)'
                )
            read.check_rows(key, good, problem)
    return replace(read, cells=typed)


def parse_number(text: str) -> float:
    """Parse a text as a float; NaN if it is not written like a number."""
    plain = text.strip(" \t")
    return float(plain) if _NUMBER.fullmatch(plain) else np.nan


def _find_columns(raw: RawFile, columns: Any, header: Sequence[str]) -> ColumnSpecs:
    """Return the wanted columns after checking that each is in the header exactly once."""
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

    One longer than a MiB, and thousands of blank ones, are refused.
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
) -> Iterator[tuple[list[int], dict[str, list[str]]]]:
    """Split complete rows, in blocks of some 8 MiB, into lines and the texts of some columns.

    ``columns`` has the position of each; other cells than :func:`count_cells` finds are refused.
    """
    for block in _group_rows(rows):
        text = "".join(row for _, row in block)
        if '"' in text:
            cells = [cell for _, row in block for cell in _split_cells(row, form.separator)]
        else:  # all rows at once, which takes a tenth of the time
            cells = text.removesuffix("\n").replace("\n", form.separator).split(form.separator)
        if len(cells) != width * len(block):
            raise DataError(
                f"{name}, from line {block[0][0]}: the rows can be read in two ways. This is a bug "
                "in noiseless; please report it with the file."
            )
        yield (
            [line for line, _ in block],
            {key: cells[position::width] for key, position in columns.items()},
        )


def _split_cells(row: str, separator: str) -> list[str]:
    """Split a row that :func:`count_cells` passes into its texts, without quotation marks."""
    cells, parts, is_open = list[str](), list[str](), False
    for part in row.removesuffix("\n").split(separator):
        parts.append(part)
        is_open ^= part.count('"') % 2 == 1
        if not is_open:
            cell, parts = separator.join(parts), []
            cells.append(cell[1:-1].replace('""', '"') if cell.startswith('"') else cell)
    return cells


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


def split_row(row: str, separator: str = ",") -> list[str]:
    """Split one row into its texts, without blanks around; none if a quotation mark is wrong."""
    if not count_cells(row, separator):
        return []
    return [cell.strip() for cell in _split_cells(row, separator)]


def _find_header(rows: Iterable[Row], raw: RawFile, form: TableFormat) -> list[str]:
    """Find the header, the first row that begins with ``form.header``; return its names."""
    for line, row in rows:
        if row.isspace():
            continue
        cells = split_row(row, form.separator)
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
        if "\0" in row:
            raise raw.build_damage_error("a NUL byte, which no text has.", line)
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


class _TextsBuilder:
    """Column of texts that grows by blocks of rows."""

    def __init__(self, missing: Sequence[str]) -> None:
        self._places: dict[str, int] = {}
        self._missing, self._codes = frozenset(missing), list[NDArray[np.int32]]()

    def add(self, cells: list[str]) -> None:
        """Add the next cells."""
        codes, words = pd.factorize(np.array(cells, dtype=object))
        places = [
            -1 if word in self._missing else self._places.setdefault(word, len(self._places))
            for word in words
        ]
        self._codes.append(np.array(places, dtype=np.int32)[codes])

    def build(self) -> Texts:
        """Build the column."""
        return Texts(np.concatenate(self._codes), np.array([*self._places], dtype=object))


def _read_csv(raw: RawFile, columns: Any, form: TableFormat) -> tuple[list[str], RawColumns]:
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
        texts, lines = {key: _TextsBuilder(form.missing) for key in wanted}, list[int]()
        for block_lines, block in parse_rows(checked_rows, width, positions, form, raw.path):
            lines += block_lines
            for key, cells in block.items():
                texts[key].add(cells)
    if not lines:
        raise raw.build_damage_error("there are no rows below the header.")
    built = {key: column.build() for key, column in texts.items()}
    return header, (wanted, built, np.array(lines))


# --- Parquet ----------------------------------------------------------------------------------


def _read_parquet(raw: RawFile, columns: Any, form: TableFormat) -> tuple[list[str], RawColumns]:
    """Read some columns of a Parquet file in its own types, with the number of each row."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise DataError(
            f"{raw.path}: Parquet needs pyarrow, which is not installed: `pip install pyarrow`, or "
            "give the file as CSV."
        ) from None
    try:
        file = pq.ParquetFile(raw.path, page_checksum_verification=True)
        header = file.schema_arrow.names
        wanted = _find_columns(raw, columns, header)
        for name, kind in wanted.values():
            check_column_type(raw.path, name, kind, file.schema_arrow.field(name).type)
        table = file.read(columns=[name for name, _ in wanted.values()])
        table.validate(full=True)  # raises an error for texts in another encoding
        data = {
            key: _convert_parquet_column(table[name], kind) for key, (name, kind) in wanted.items()
        }
    except MemoryError:  # Arrow's own lack of memory is one of its exceptions, too
        raise
    except (pa.ArrowException, OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise raw.build_read_error(error) from None
        raise build_parquet_error(str(raw.path), error) from None
    return header, (wanted, data, np.arange(file.metadata.num_rows) + 1)


def _convert_parquet_column(column: Any, kind: str) -> Cells:
    """Convert an Arrow column to 64-bit floats or to texts, by its kind."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if kind == NUMBER:
        return np.asarray(pc.cast(column, pa.float64(), safe=False).to_numpy(), dtype=float)
    if pa.types.is_timestamp(column.type):
        column = _format_timestamps(column)
    encoded = pc.dictionary_encode(pc.cast(column, pa.string())).combine_chunks()
    words = np.array(encoded.dictionary.to_pylist(), dtype=object)
    return Texts(pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False), words)


def _format_timestamps(column: Any) -> Any:
    """Format Arrow timestamps as CSV has them, with ``+00:00`` if they have a zone."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ending = "+00:00" if column.type.tz else ""
    plain = column.cast(pa.timestamp(column.type.unit))  # Arrow keeps them in UTC
    whole = plain.cast(pa.timestamp("s"), safe=False)
    is_whole = pc.equal(whole.cast(plain.type), plain)
    texts = pc.if_else(is_whole, whole.cast(pa.string()), plain.cast(pa.string()))
    return pc.binary_join_element_wise(texts, ending, "")


def build_parquet_error(name: str, error: Exception) -> DataError:
    """Build the error about a Parquet file that Arrow cannot read, from Arrow's own error."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    problem = f"not a complete Parquet file ({ascii(lines[0][:200])[1:-1]})"
    return DataError(f"{name}: {problem}. {FETCH_AGAIN}")


def check_column_type(path: str | Path, name: str, kind: str, found: Any) -> None:
    """Check that a Parquet column has a type that can be read as number, text or time."""
    from pyarrow import types as kinds

    inner = found.value_type if kinds.is_dictionary(found) else found
    is_number = kinds.is_integer(inner) or kinds.is_floating(inner) or kinds.is_decimal(inner)
    fits = {
        NUMBER: is_number,
        # Booleans and dates become the texts that CSV has: true and false, and 2013-01-31.
        TEXT: is_text_type(inner) or is_number or kinds.is_boolean(inner) or kinds.is_date(inner),
        TIME: is_text_type(inner) or kinds.is_timestamp(inner) or kinds.is_date(inner),
    }
    if not fits[kind]:
        raise DataError(
            f"{path}, column {name!r}: its type is {found}; expected a {kind}. Convert the column."
        )


def is_text_type(kind: Any) -> bool:
    """Return whether an Arrow type is a type of texts."""
    from pyarrow import types as kinds

    return kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_string_view(kind)
