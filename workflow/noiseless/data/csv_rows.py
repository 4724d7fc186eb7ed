"""The rows of a CSV file, read by DuckDB: none is lost, and none is made of two.

1. :class:`Text` decodes the file and brings it in blocks of complete rows, which it has checked.
2. :class:`Parser` has DuckDB parse a block.  Its sniffer is off: separator, quotation mark and
   number of cells are said.
3. As many rows must come out as :class:`Text` has counted.

What DuckDB 2.0 passes without a word is checked here, and nothing else:

- A quotation mark within a cell (``b"c``), which may be all that is left of a row break.
- Empty cells too many at the end of a row (``1,5,`` for the two cells ``1.5`` and nothing, or
  ``1,5,""``): behind a decimal comma all cells would be shifted.  So cells are counted here.
- ``1_0``, which it reads as 10, and white space of other kinds around a number: numbers are
  compared with a pattern before they are cast.

Line ends are made equal (it refuses a file of several kinds), and Python's codecs decode (it knows
UTF-8 alone, unless it may load extensions, which it may not here).
"""

import codecs
import csv
import io
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from noiseless.data.raw_files import RawFile
from noiseless.errors import DataError

BLOCK_BYTES = 1 << 23
LONGEST_LINE_BYTES = 1 << 20
# What a number looks like; `inf` is one that is refused later, with a better message.
NUMBER_PATTERN = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$|^[-+]?(?i:inf|infinity)$"
_SETTINGS: dict[str, Any] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
_NEWLINE, _QUOTE = b'\n"'

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Form:
    """How a CSV file is written."""

    separator: str = ","
    decimal: str = "."
    missing: tuple[str, ...] = ("",)
    header_starts: str = ""
    header: Sequence[str] | None = None
    encoding: str = "utf-8"

    @property
    def codec(self) -> str:
        """The encoding as Python names it, for which a mark at the beginning is no text."""
        name = codecs.lookup(self.encoding).name
        return "utf-8-sig" if name == "utf-8" else name


@dataclass(frozen=True)
class Block:
    """Complete rows as UTF-8 text, the number of lines above them, and that of rows."""

    text: bytes
    lines_above: int
    rows: int


# --- Text -------------------------------------------------------------------------------------


class Text:
    """The text of a CSV file: its header, then blocks of complete rows.

    Parameters
    ----------
    source : binary file
        The bytes.
    raw : RawFile
        The file, for errors.
    form : Form
        How it is written.

    Attributes
    ----------
    is_unterminated : bool
        Whether the last line lacked its line end (known at the end).
    """

    def __init__(self, source: BinaryIO, raw: RawFile, form: Form) -> None:
        self._raw, self._form = raw, form
        self._pieces = self._decoded(source)
        self._waiting = b""
        self._lines = 0  # above what waits
        self.is_unterminated = False

    def _decoded(self, source: BinaryIO) -> Iterator[bytes]:
        """UTF-8 text in which each line ends with LF."""
        decoder = io.IncrementalNewlineDecoder(
            codecs.getincrementaldecoder(self._form.codec)(), translate=True
        )
        line, chunk = 1, b"?"
        while chunk:
            try:
                chunk = source.read(BLOCK_BYTES)
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                line += error.object[: error.start].count(b"\n")
                raise not_decoded(self._raw, line, error) from None
            except OSError as error:
                raise DataError(
                    f"{self._raw.path}: cannot be read ({error.strerror}). See who may read it."
                ) from None
            line += text.count("\n")
            yield text.encode()

    def header(self, most_lines: int = 5) -> list[str]:
        """Read the header: names without blanks at their ends.

        Parameters
        ----------
        most_lines : int
            How far to look for a header that begins as it should.

        Raises
        ------
        DataError
            If there is none.
        """
        for piece in self._pieces:
            self._waiting += piece
            if self._waiting.strip():
                break
            self._lines += self._waiting.count(b"\n")
            self._waiting = b""
        else:
            raise self._raw.empty()
        starts, names = self._form.header_starts, None
        lines = io.StringIO(self._waiting.decode(), newline="")
        reader = csv.reader(lines, delimiter=self._form.separator, strict=True)
        try:
            for cells in reader:
                if cells and ",".join(cells).lstrip().startswith(starts):
                    names = [cell.strip() for cell in cells]
                    break
                if starts and reader.line_num >= most_lines:
                    break
        except csv.Error as error:
            raise DataError(
                f"{self._raw.path}, line {reader.line_num}: the header cannot be read ({error}). "
                f"{self._raw.again}"
            ) from None
        if names is None or not any(names):
            if not starts:
                raise self._raw.empty()
            raise DataError(
                f"{self._raw.path}: none of the first {most_lines} lines is a header that begins "
                f"with {starts!r}. Is it another file?"
            )
        self._lines += reader.line_num
        self._waiting = lines.read().encode()
        return names

    def blocks(self, width: int) -> Iterator[Block]:
        """The rows below the header.

        Parameters
        ----------
        width : int
            Number of cells of a row.

        Raises
        ------
        DataError
            If a quotation mark is misplaced or never closed, a line is too long, a row has another
            number of cells, or the text cannot be decoded.
        """
        for piece in self._pieces:
            yield from self._complete(self._waiting + piece, width)
        if self._waiting:
            self.is_unterminated = not self._waiting.endswith(b'"')
            yield from self._complete(self._waiting + b"\n", width)
        if self._waiting:
            raise self._unclosed()

    def _complete(self, text: bytes, width: int) -> Iterator[Block]:
        """The complete rows of a text that begins with one; the rest waits."""
        quotes = _positions(text, _QUOTE)
        misplaced = misplaced_quotes(text, quotes, self._form.separator)
        if misplaced.any():
            raise self._misplaced(text, quotes, int(misplaced.argmax()))
        ends = _positions(text, _NEWLINE)
        if len(quotes):
            ends = ends[np.searchsorted(quotes, ends) % 2 == 0]
        stop = int(ends[-1]) + 1 if len(ends) else 0
        lengths = np.diff(ends, prepend=-1)
        if max(len(text) - stop, int(lengths.max(initial=0)) - 1) > LONGEST_LINE_BYTES:
            if len(quotes) % 2:
                self._waiting = text
                raise self._unclosed()
            raise DataError(
                f"{self._raw.path}: a line of more than {LONGEST_LINE_BYTES} bytes. It is no table "
                "of lines and cells."
            )
        cells = count_cells(text, ends, quotes, self._form.separator)
        wrong = (lengths > 1) & (cells != width)
        if wrong.any():
            row = int(wrong.argmax())
            line = self._lines + 1 + text.count(b"\n", 0, int(ends[row] - lengths[row]) + 1)
            raise wrong_width(self._raw, self._form, line, int(cells[row]), width)
        self._waiting = text[stop:]
        if stop:
            block = text[:stop]
            # In a file of a single column, DuckDB takes an empty line for an empty cell.
            parsed = re.sub(rb"\n+", b"\n", block).lstrip(b"\n") if width == 1 else block
            yield Block(parsed, self._lines, int((lengths > 1).sum()))
            self._lines += block.count(b"\n")

    def _misplaced(self, text: bytes, quotes: Ints, at: int) -> DataError:
        first, line = (self._line(text, int(quotes[k])) for k in (max(at - 1, 0), at))
        problem = f"line {line}: a quotation mark stands where none may"
        if at % 2 and first != line:
            problem = f"line {first}: a quoted cell begins that would end in line {line}"
        return DataError(
            f"{self._raw.path}, {problem}. Remove it: only complete cells are quoted, and a "
            "quotation mark inside of one is doubled."
        )

    def _unclosed(self) -> DataError:
        line = self._line(self._waiting, int(_positions(self._waiting, _QUOTE)[-1]))
        return DataError(
            f"{self._raw.path}, line {line}: a quotation mark opens a cell here that is never "
            f"closed. Remove it, or close it. {self._raw.again}"
        )

    def _line(self, text: bytes, position: int) -> int:
        return self._lines + 1 + text.count(b"\n", 0, position)


def _positions(text: bytes, character: int) -> Ints:
    return np.flatnonzero(np.frombuffer(text, np.uint8) == character)


def misplaced_quotes(text: bytes, quotes: Ints, separator: str) -> NDArray[np.bool_]:
    """Which quotation marks neither begin nor end a cell, nor are doubled inside of one.

    Parameters
    ----------
    text : bytes
        Text that begins with a row.
    quotes : ndarray of int
        Positions of its quotation marks.
    separator : str
        Between two cells.
    """
    padded = np.frombuffer(b"\n" + text + b"\n", np.uint8) if len(quotes) else np.empty(0)
    neighbour = padded[quotes + 2 * (np.arange(len(quotes)) % 2)]
    return ~np.isin(neighbour, (_NEWLINE, _QUOTE, ord(separator)))


def count_cells(text: bytes, ends: Ints, quotes: Ints, separator: str) -> Ints:
    """Number of cells of each row.

    Parameters
    ----------
    text : bytes
        Text that begins with a row.
    ends : ndarray of int
        Where its rows end.
    quotes : ndarray of int
        Positions of its quotation marks, of which none is misplaced.
    separator : str
        Between two cells.
    """
    separators = _positions(text, ord(separator))
    if len(quotes):
        separators = separators[np.searchsorted(quotes, separators) % 2 == 0]
    return 1 + np.diff(np.searchsorted(separators, ends), prepend=0)


def sound_rows(text: bytes, separator: str, width: int) -> tuple[bytes, int]:
    """The lines that can be parsed one by one, and the number of the others.

    Others are those with something in them whose quotation marks are misplaced or unclosed, that
    hold a CR which is no part of a line end, or that have another number of cells.

    Parameters
    ----------
    text : bytes
        Complete lines, each ended by LF (or CR LF); the last one may lack it.
    separator : str
        Between two cells.
    width : int
        Number of cells of a line.
    """
    text = text.replace(b"\r\n", b"\n")
    text = text if text.endswith(b"\n") or not text else text + b"\n"
    ends, quotes = _positions(text, _NEWLINE), _positions(text, _QUOTE)
    bad = np.zeros(len(ends), dtype=bool)
    bad[np.searchsorted(ends, _positions(text, ord("\r")))] = True
    for line in np.unique(np.searchsorted(ends, quotes)):
        alone = text[int(ends[line - 1]) + 1 if line else 0 : int(ends[line])]
        inside = _positions(alone, _QUOTE)
        bad[line] |= len(inside) % 2 == 1 or misplaced_quotes(alone, inside, separator).any()
    text, dropped = _without(text, ends, bad)
    ends, quotes = _positions(text, _NEWLINE), _positions(text, _QUOTE)
    is_full = np.diff(ends, prepend=-1) > 1
    text, others = _without(
        text, ends, is_full & (count_cells(text, ends, quotes, separator) != width)
    )
    return text, dropped + others


def count_rows(text: bytes) -> int:
    """Number of lines with something in them, of a text in which each ends with LF."""
    return int((np.diff(_positions(text, _NEWLINE), prepend=-1) > 1).sum())


def _without(text: bytes, ends: Ints, bad: NDArray[np.bool_]) -> tuple[bytes, int]:
    """A text without some of its lines, and their number."""
    if not bad.any():
        return text, 0
    keep = np.repeat(~bad, np.diff(ends, prepend=-1))
    return np.frombuffer(text, np.uint8)[keep].tobytes(), int(bad.sum())


# --- DuckDB -----------------------------------------------------------------------------------


class Parser:
    """DuckDB's reader of CSV, for one block after the other; a context manager.

    Parameters
    ----------
    name : str
        What errors call the file.
    cells : mapping
        SQL expressions by our names; the cells of a row are texts ``c0``, ``c1``, ...
    width : int
        Number of cells of a row.
    separator : str
        Between two cells.
    missing : sequence of str
        Cells that are null.
    parameters : mapping
        What the expressions call by ``$name``.
    """

    def __init__(
        self,
        name: str,
        cells: Mapping[str, str],
        *,
        width: int,
        separator: str = ",",
        missing: Sequence[str] = ("",),
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        self._name, self._names = name, list(cells)
        chosen = ", ".join(f"{sql} AS k{k}" for k, sql in enumerate(cells.values()))
        types = ", ".join(f"c{k}: 'VARCHAR'" for k in range(width))
        self._query = (
            f"SELECT {chosen} FROM read_csv($path_, columns = {{{types}}}, delim = $separator_, "
            "nullstr = $missing_, header = false, auto_detect = false, null_padding = false, "
            "strict_mode = true, quote = '\"', escape = '\"', new_line = '\\n')"
        )
        self._parameters = {
            "separator_": separator,
            "missing_": list(missing) or ["\0"],  # DuckDB wants one
            **(parameters or {}),
        }

    def __enter__(self) -> "Parser":
        self._folder = tempfile.TemporaryDirectory(prefix="noiseless-")
        self._connection = duckdb.connect(config=_SETTINGS)
        self._blocks = 0
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._folder.cleanup()

    def parse(self, text: bytes, rows: int) -> pa.Table:
        """The rows in the order of the text.

        Parameters
        ----------
        text : bytes
            Complete rows in UTF-8, ended by LF, with the right number of cells.
        rows : int
            Their number.

        Raises
        ------
        DataError
            If DuckDB does not parse as many rows.
        """
        self._blocks += 1
        path = Path(self._folder.name) / f"{self._blocks}.csv"
        path.write_bytes(text)
        try:
            query = self._connection.sql(
                self._query, params={**self._parameters, "path_": str(path)}
            )
            found = query.to_arrow_table()
        except duckdb.Error as error:
            told = str(error).splitlines()[0][:200]
            raise DataError(f"{self._name}: DuckDB cannot parse it ({told}).") from None
        path.unlink()
        require_accounted(self._name, rows, {"parsed": len(found)})
        return found.rename_columns(self._names)


def number_sql(cell: str, decimal: str = ".") -> str:
    """A number as a 64-bit float: null where the cell is, and NaN where it holds something else.

    The query needs the parameter ``number``, :func:`number_pattern`.
    """
    number = cell if decimal == "." else f"replace({cell}, '{decimal}', '.')"
    return (
        f"CASE WHEN {cell} IS NULL THEN NULL WHEN regexp_full_match({cell}, $number) "
        f"THEN TRY_CAST({number} AS DOUBLE) ELSE 'nan'::DOUBLE END"
    )


def number_pattern(decimal: str = ".") -> str:
    """What a cell with a number in it looks like, with blanks around it."""
    pattern = NUMBER_PATTERN.replace(r"\.", re.escape(decimal))
    return rf"[ \t]*(?:{pattern.replace('^', '').replace('$', '')})[ \t]*"


# --- Places and messages ----------------------------------------------------------------------


def located(source: BinaryIO, form: Form, rows: Sequence[int]) -> Iterator[tuple[int, list[str]]]:
    """Last line (from 1) and cells of each of some rows, which ascend; by a slow second look."""
    is_above, number, wanted = form.header is None, -1, set(rows)
    with io.TextIOWrapper(source, encoding=form.codec, errors="replace", newline=None) as file:
        reader = csv.reader(file, delimiter=form.separator)
        for cells in reader:
            if is_above:
                line = ",".join(cells).lstrip()
                is_above = not any(map(str.strip, cells)) or not line.startswith(form.header_starts)
            elif cells:
                number += 1
                if number in wanted:
                    yield reader.line_num, cells
                if number == max(wanted):
                    return


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


def wrong_width(raw: RawFile, form: Form, line: int, found: int, wanted: int) -> DataError:
    """The error of a row with a wrong number of cells."""
    is_likely = found > wanted and (form.separator, form.decimal) == (",", ".")
    hint = ", or is there a number with a decimal comma" if is_likely else ""
    return DataError(
        f"{raw.path}, line {line}: {'1 cell' if found == 1 else f'{found} cells'} instead of "
        f"{wanted}. Is the file cut off, or is a text with {form.separator!r} in it not quoted"
        f"{hint}? {raw.again}"
    )


def not_decoded(raw: RawFile, line: int, error: UnicodeDecodeError) -> DataError:
    """The error of a line that is in another encoding."""
    name = {"utf-8": "UTF-8", "cp1252": "Windows-1252"}.get(error.encoding, error.encoding)
    advice = "Save it as UTF-8"
    if raw.section:
        advice += f", or set {raw.section}.encoding (windows-1252 for many spreadsheets in Europe)"
    return DataError(
        f"{raw.path}, line {line}: not {name} text (byte 0x{error.object[error.start]:02x}). "
        f"{advice}."
    )
