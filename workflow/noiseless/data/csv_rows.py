"""The rows of a CSV file, read by DuckDB: none is lost, and none is made of two.

1. :class:`Text` decodes the file and brings it in blocks of complete rows.
2. :func:`parsed` has DuckDB parse each block.  Its sniffer is off: separator, quotation mark and
   number of cells are said.  As many rows must come out as went in.

What DuckDB 2.0 passes without a word is checked here, and nothing else: :func:`row_pattern` tells
what a row is, and :func:`number_pattern` what a number is.

- A quotation mark within a cell (``b"c``), which may be all that is left of a row break.
- Empty cells too many at the end of a row (``1,5,`` for the two cells ``1.5`` and nothing, or
  ``1,5,""``): behind a decimal comma all cells would be shifted.
- ``1_0``, which it reads as 10, and white space of other kinds around a number.

Line ends are made equal (it refuses a file of several kinds), and Python's codecs decode (it knows
UTF-8 alone, unless it may load extensions, which it may not here).
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import duckdb
import pyarrow as pa

from noiseless.data.raw_files import RawFile
from noiseless.errors import DataError

BLOCK_BYTES = 1 << 23
LONGEST_LINE_BYTES = 1 << 20
# What a number looks like; `inf` is one that is refused later, with a better message.
NUMBER_PATTERN = r"^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$|^[-+]?(?i:inf|infinity)$"
SETTINGS: dict[str, Any] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_NEWLINE = ord("\n")


@dataclass(frozen=True)
class Form:
    """How a CSV file is written; ``header`` is how its header begins, or, without one, names."""

    separator: str = ","
    decimal: str = "."
    missing: tuple[str, ...] = ("",)
    header: str | Sequence[str] = ""
    encoding: str = "utf-8"

    @property
    def codec(self) -> str:
        """The encoding as Python names it, for which a mark at the beginning is no text."""
        name = codecs.lookup(self.encoding).name
        return "utf-8-sig" if name == "utf-8" else name


# --- Text -------------------------------------------------------------------------------------


def row_pattern(separator: str, width: int | None, *, breaks: bool = True) -> re.Pattern[bytes]:
    """What a row of complete cells looks like.

    Parameters
    ----------
    separator : str
        Between two cells.
    width : int or None
        Number of cells, behind which the line ends; None for any number, and for a row that is not
        complete: what matches is then its beginning.
    breaks : bool
        Whether there may be line breaks within quotation marks.
    """
    mark = re.escape(separator.encode())
    quoted = rb'"(?:[^"%s]++|"")*+' % (b"" if breaks else rb"\r\n")
    cell = rb'(?:%s"|[^"\r\n%s]*+)' % (quoted, mark)
    if width is None:
        return re.compile(rb"%s(?:%s%s)*+(?:%s)?(?:%s)?" % (cell, mark, cell, mark, quoted))
    return re.compile(rb"%s(?:%s%s){%d}\n|\n" % (cell, mark, cell, width - 1))


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
                raise _not_decoded(self._raw, line, error) from None
            except OSError as error:
                raise self._raw.unreadable(error) from None
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
        while not self._waiting.strip():
            self._lines += self._waiting.count(b"\n")
            self._waiting = next(self._pieces, b"")
            if not self._waiting:
                raise self._raw.damaged("the file is empty")
        starts, names = str(self._form.header), list[str]()
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
        if not any(names):
            if not starts:
                raise self._raw.damaged("the file is empty")
            raise DataError(
                f"{self._raw.path}: none of the first {most_lines} lines is a header that begins "
                f"with {starts!r}. Is it another file?"
            )
        self._lines += reader.line_num
        self._waiting = lines.read().encode()
        return names

    def blocks(self, width: int) -> Iterator[tuple[bytes, int]]:
        """The rows below the header: text and number of rows.

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
        row, beginning = (row_pattern(self._form.separator, each) for each in (width, None))
        for piece in self._to_the_end():
            text, end, rows = self._waiting + piece, 0, 0
            while match := row.match(text, end):
                rows += match.end() - end > 1
                end = match.end()
            block, self._waiting = text[:end], text[end:]
            if rows:
                # In a file of one column, DuckDB takes an empty line for an empty cell.
                yield re.sub(rb"\n+", b"\n", block).lstrip(b"\n") if width == 1 else block, rows
            self._lines += block.count(b"\n")
            stop = beginning.match(self._waiting).end()  # type: ignore[union-attr]
            if stop < len(self._waiting) or len(self._waiting) > LONGEST_LINE_BYTES:
                raise self._no_row(stop, width)
        if self._waiting:
            raise self._no_row(len(self._waiting), width)

    def _to_the_end(self) -> Iterator[bytes]:
        """What comes, and the end of a last line that lacks it."""
        yield from self._pieces
        if self._waiting:
            self.is_unterminated = not self._waiting.endswith(b'"')
            yield b"\n"

    def _no_row(self, stop: int, width: int) -> DataError:
        """Why what waits, which could be a row as far as ``stop``, does not begin with one."""
        where, form, waiting = (
            f"{self._raw.path}, line {self._lines + 1}",
            self._form,
            self._waiting,
        )
        if stop < len(waiting) and waiting[stop] == _NEWLINE:
            plain = re.sub(rb'"[^"]*"', b"", waiting[:stop])
            found = 1 + plain.count(form.separator.encode())
            is_likely = found > width and (form.separator, form.decimal) == (",", ".")
            hint = ", or is there a number with a decimal comma" if is_likely else ""
            return DataError(
                f"{where}: {'1 cell' if found == 1 else f'{found} cells'} instead of {width}. Is "
                f"the file cut off, or is a text with {form.separator!r} in it not quoted{hint}? "
                f"{self._raw.again}"
            )
        if b'"' not in waiting:
            return DataError(
                f"{self._raw.path}: a line of more than {LONGEST_LINE_BYTES} bytes. It is no table "
                "of lines and cells."
            )
        return DataError(
            f"{where}: in the row that begins here, a quotation mark stands where none may, or is "
            "never closed. Remove it: only complete cells are quoted, and a quotation mark inside "
            f"of one is doubled. {self._raw.again}"
        )


# --- DuckDB -----------------------------------------------------------------------------------


def parsed(
    name: str,
    blocks: Iterable[tuple[bytes, int]],
    cells: Mapping[str, str],
    *,
    width: int,
    form: Form,
) -> Iterator[pa.Table]:
    """The rows of each block in their order.

    Parameters
    ----------
    name : str
        What errors call the file.
    blocks : iterable of (bytes, int)
        Complete rows in UTF-8, ended by LF, with the right number of cells; and their number.
    cells : mapping
        SQL expressions by our names; the cells of a row are texts ``c0``, ``c1``, ...
    width : int
        Number of cells of a row.
    form : Form
        How the file is written.

    Raises
    ------
    DataError
        If DuckDB does not parse as many rows.
    """
    types = ", ".join(f"c{k}: 'VARCHAR'" for k in range(width))
    query = (
        f"SELECT {', '.join(cells.values())} FROM read_csv($path, columns = {{{types}}}, "
        "delim = $separator, nullstr = $missing, header = false, auto_detect = false, "
        "null_padding = false, strict_mode = true, quote = '\"', escape = '\"', new_line = '\\n')"
    )
    given = {"separator": form.separator, "missing": list(form.missing) or ["\0"]}  # it wants one
    with TemporaryDirectory(prefix="noiseless-") as folder, duckdb.connect(config=SETTINGS) as own:
        for number, (text, rows) in enumerate(blocks):
            path = Path(folder) / f"{number}.csv"
            path.write_bytes(text)
            try:
                found = own.sql(query, params={**given, "path": str(path)}).to_arrow_table()
            except duckdb.Error as error:
                told = str(error).splitlines()[0][:200]
                raise DataError(f"{name}: DuckDB cannot parse it ({told}).") from None
            path.unlink()
            require_accounted(name, rows, {"parsed": len(found)})
            yield found.rename_columns(list(cells))


def number_sql(cell: str, decimal: str = ".") -> str:
    """A number as a 64-bit float: null where the cell is, and NaN where it holds something else."""
    number = cell if decimal == "." else f"replace({cell}, '{decimal}', '.')"
    return (
        f"CASE WHEN {cell} IS NULL THEN NULL WHEN regexp_full_match({cell}, "
        f"'{number_pattern(decimal)}') THEN TRY_CAST({number} AS DOUBLE) ELSE 'nan'::DOUBLE END"
    )


def number_pattern(decimal: str = ".") -> str:
    """What a cell with a number in it looks like, with blanks around it."""
    pattern = NUMBER_PATTERN.replace(r"\.", re.escape(decimal))
    return rf"[ \t]*(?:{pattern.replace('^', '').replace('$', '')})[ \t]*"


# --- Places and messages ----------------------------------------------------------------------


def located(source: BinaryIO, form: Form, rows: Sequence[int]) -> Iterator[tuple[int, list[str]]]:
    """Last line (from 1) and cells of each of some rows, which ascend; by a slow second look."""
    starts = form.header if isinstance(form.header, str) else None
    number, wanted = -1, set(rows)
    with io.TextIOWrapper(source, encoding=form.codec, errors="replace", newline=None) as file:
        reader = csv.reader(file, delimiter=form.separator)
        for cells in reader:
            if starts is not None:
                line = ",".join(cells).lstrip()
                if any(map(str.strip, cells)) and line.startswith(starts):
                    starts = None
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


def _not_decoded(raw: RawFile, line: int, error: UnicodeDecodeError) -> DataError:
    """The error of a line that is in another encoding."""
    name = {"utf-8": "UTF-8", "cp1252": "Windows-1252"}.get(error.encoding, error.encoding)
    advice = "Save it as UTF-8"
    if raw.section:
        advice += f", or set {raw.section}.encoding (windows-1252 for many spreadsheets in Europe)"
    return DataError(
        f"{raw.path}, line {line}: not {name} text (byte 0x{error.object[error.start]:02x}). "
        f"{advice}."
    )
