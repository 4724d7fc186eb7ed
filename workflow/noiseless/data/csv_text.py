"""The text of a CSV file on its way to a parser: no row is lost, and none is made of two.

Parsers of CSV are tolerant.  A quotation mark in a wrong place makes them take many lines for one
cell, and what is unclosed at the end they may drop.  Here every byte is looked at first:

1. :class:`Lines` brings the text in blocks of complete lines.
2. :func:`record_ends` counts the records (lines with something in them) of a block.
3. A quotation mark opens a cell where the cell begins, closes it where it ends, or is doubled
   inside of it.  :func:`misplaced_quotes` finds all others.
4. :class:`CheckedText` is a file for the parser, which raises at the first of them;
   :func:`sound_lines` takes lines with one out of a block, where a cell holds no line end.
"""

import csv
import io
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from noiseless.data.raw_files import RawFile
from noiseless.errors import DataError

BLOCK_BYTES = 1 << 23
LONGEST_LINE_BYTES = 1 << 20
_MARK = b"\xef\xbb\xbf"
_NEWLINE, _RETURN, _QUOTE = b'\n\r"'

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Lines:
    """Blocks of complete lines; the last one may lack its line end.

    Parameters
    ----------
    source : binary file
        The text.
    name : str
        What errors call it.
    """

    def __init__(self, source: BinaryIO, name: str) -> None:
        is_raw = isinstance(source, io.RawIOBase)  # which may bring less than it is asked for
        self._source = io.BufferedReader(source, BLOCK_BYTES) if is_raw else source
        self._name = name

    def __iter__(self) -> Iterator[bytes]:
        """The blocks, in time linear in the text.

        Raises
        ------
        DataError
            If a line is longer than a MiB.
        """
        partial: list[bytes] = []
        waiting = 0
        while chunk := self._source.read(BLOCK_BYTES):
            end = chunk.rfind(b"\n") + 1 or chunk.rfind(b"\r", 0, -1) + 1
            if not end:
                partial.append(chunk)
                waiting += len(chunk)
                self._require_short(waiting)
                continue
            self._require_short(waiting + min(end, chunk.find(b"\n") + 1 or end))
            yield b"".join([*partial, chunk[:end]])
            partial, waiting = [chunk[end:]], len(chunk) - end
            self._require_short(waiting)
        if rest := b"".join(partial):
            yield rest

    def _require_short(self, size: int) -> None:
        if size > LONGEST_LINE_BYTES:
            raise DataError(
                f"{self._name}: a line of more than {LONGEST_LINE_BYTES} bytes. It is no table of "
                "lines and cells."
            )


def line_ends(block: bytes) -> Ints:
    """Positions of the last byte of each line: LF, or CR without LF; the end of the block."""
    characters = np.frombuffer(block, np.uint8)
    is_end = characters == _NEWLINE
    if b"\r" in block:
        is_end |= (characters == _RETURN) & (np.append(characters[1:], 0) != _NEWLINE)
    ends = np.flatnonzero(is_end)
    if len(block) and (not len(ends) or ends[-1] != len(block) - 1):
        ends = np.append(ends, len(block) - 1)
    return ends


def has_content(block: bytes, ends: Ints) -> Mask:
    """Whether there is something in each line besides its line end."""
    characters = np.frombuffer(block, np.uint8)
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64)
    is_break = np.isin(characters[ends], (_NEWLINE, _RETURN))
    stops = ends + ~is_break
    if b"\r" in block:
        before = characters[np.maximum(stops - 1, 0)]
        is_pair = (before == _RETURN) & (characters[ends] == _NEWLINE) & (stops > starts)
        stops = stops - is_pair
    return stops > starts


def misplaced_quotes(block: bytes, quotes: Ints, is_opening: Mask, separator: str) -> Mask:
    """Which quotation marks neither begin nor end a cell, nor are doubled inside of one.

    Parameters
    ----------
    block : bytes
        Text that begins with a line.
    quotes : ndarray of int
        Positions of its quotation marks.
    is_opening : ndarray of bool
        Which of them open, counted from where cells are known to be closed.
    separator : str
        Between two cells.
    """
    characters = np.frombuffer(block, np.uint8)
    padded = np.concatenate([[_NEWLINE], characters, [_NEWLINE]]).astype(np.uint8)
    neighbour = np.where(is_opening, padded[quotes], padded[quotes + 2])
    return ~np.isin(neighbour, (_NEWLINE, _RETURN, _QUOTE, ord(separator)))


def sound_lines(block: bytes, separator: str) -> tuple[bytes, int]:
    """The lines of a block that can be parsed one by one, and the number of the others.

    Others are those with something in them whose quotation marks are misplaced or unclosed, or
    that hold a CR which is no part of a line end: a parser would see other rows than there are.

    Parameters
    ----------
    block : bytes
        Complete lines, each ended by LF (or CR LF); the last one may lack it.
    separator : str
        Between two cells.
    """
    if b'"' not in block and b"\r" not in block:
        return block, 0
    characters = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(characters == _NEWLINE)
    if not len(ends) or ends[-1] != len(block) - 1:
        ends = np.append(ends, len(block) - 1)
    bad = np.zeros(len(ends), dtype=bool)
    returns = np.flatnonzero(characters == _RETURN)
    if len(returns):
        following = np.append(characters, _NEWLINE)[returns + 1]
        bad[np.searchsorted(ends, returns[following != _NEWLINE])] = True
    quotes = np.flatnonzero(characters == _QUOTE)
    if len(quotes):
        line = np.searchsorted(ends, quotes)
        first = np.searchsorted(line, line)  # number of the first quotation mark of the same line
        is_opening = (np.arange(len(quotes)) - first) % 2 == 0
        bad[line[misplaced_quotes(block, quotes, is_opening, separator)]] = True
        bad |= np.bincount(line, minlength=len(ends)) % 2 == 1
    if not bad.any():
        return block, 0
    keep = np.repeat(~bad, np.diff(ends, prepend=-1))
    return characters[keep].tobytes(), int(bad.sum())


class CheckedText(io.RawIOBase):
    """The rows of a CSV file, for a parser that is more tolerant than it should be.

    Parameters
    ----------
    source : binary file
        UTF-8 text.
    raw : RawFile
        The file, for errors.
    separator : str
        Between two cells.

    Attributes
    ----------
    records : int
        Rows below the header that were passed on.
    is_unterminated : bool
        Whether the last line lacked its line end (known at the end).
    """

    def __init__(self, source: BinaryIO, raw: RawFile, separator: str) -> None:
        super().__init__()
        self._raw, self._separator = raw, separator
        self._blocks = iter(Lines(source, str(raw.path)))
        self._ready = memoryview(b"")
        self._lines = 0  # ended before what comes next
        self._opened: int | None = None  # line of the quotation mark that is not closed yet
        self._was_open = False  # whether the last line ended within quotation marks
        self.records = 0
        self.is_unterminated = False

    def readable(self) -> bool:
        """Yes."""
        return True

    def header(self, starts: str = "", most_lines: int = 5) -> list[str]:
        """Read the header: names without blanks at their ends.

        Parameters
        ----------
        starts : str
            How the header line begins, where there may be a line of notes above it.
        most_lines : int
            How far to look for it.

        Raises
        ------
        DataError
            If there is none, or it is not UTF-8.
        """
        for block in self._blocks:
            block = block.removeprefix(_MARK)
            if block.strip():
                break
            self._lines += len(line_ends(block))
        else:
            raise self._raw.empty()
        ends = line_ends(block)
        names, used = None, 0
        lines = _decoded(block, ends, self._raw)
        reader = csv.reader(lines, delimiter=self._separator, strict=True)
        try:
            for cells in reader:
                used = reader.line_num
                if cells and ",".join(cells).lstrip().startswith(starts):
                    names = [cell.strip() for cell in cells]
                    break
                if starts and used >= most_lines:
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
        stop = int(ends[used - 1]) + 1
        self._lines += used
        self._pass(block[stop:])
        return names

    def readinto(self, buffer: memoryview) -> int:
        """Fill some of ``buffer``.

        Raises
        ------
        DataError
            If a quotation mark is misplaced or never closed, or a line is too long.
        """
        while not self._ready:
            block = next(self._blocks, None)
            if block is None:
                if self._opened is not None:
                    raise DataError(
                        f"{self._raw.path}, line {self._opened}: a quotation mark opens a cell "
                        f"here that is never closed. Remove it, or close it. {self._raw.again}"
                    )
                return 0
            self._pass(block if self._lines else block.removeprefix(_MARK))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _pass(self, block: bytes) -> None:
        """Check a block that begins where a line begins, and make it ready."""
        if not block:
            return
        ends = line_ends(block)
        closed = np.ones(len(ends), dtype=bool)
        if b'"' in block or self._opened is not None:
            closed = self._check_quotes(block, ends)
        # A line that goes on within quotation marks has something in it.
        content = has_content(block, ends)
        continued = np.concatenate([[self._was_open], ~closed[:-1]])
        self.records += int((closed & (content | continued)).sum())
        self._lines += len(ends)
        self._was_open = not closed[-1]
        self.is_unterminated = block[-1:] not in (b"\n", b"\r", b'"')
        self._ready = memoryview(block)

    def _check_quotes(self, block: bytes, ends: Ints) -> Mask:
        """Raise at a misplaced quotation mark; else say at which line ends no cell is open."""
        quotes = np.flatnonzero(np.frombuffer(block, np.uint8) == _QUOTE)
        before = int(self._opened is not None)
        is_opening = (np.arange(len(quotes)) + before) % 2 == 0
        bad = misplaced_quotes(block, quotes, is_opening, self._separator)
        lines = self._lines + 1 + np.searchsorted(ends, quotes)
        if bad.any():
            at = int(bad.argmax())
            line, first = int(lines[at]), self._opened if at == 0 else int(lines[at - 1])
            problem = f"line {line}: a quotation mark stands where none may"
            if not is_opening[at] and first != line:
                problem = f"line {first}: a quoted cell begins that would end in line {line}"
            raise DataError(
                f"{self._raw.path}, {problem}. Remove it: only complete cells are quoted, and a "
                "quotation mark inside of one is doubled."
            )
        number = np.searchsorted(quotes, ends, side="right") + before
        if len(quotes) and (len(quotes) + before) % 2:
            self._opened = int(lines[-1])
        elif len(quotes):
            self._opened = None
        return number % 2 == 0


def _decoded(block: bytes, ends: Ints, raw: RawFile) -> Iterator[str]:
    """The lines of a block as text."""
    start = 0
    for line, end in enumerate(ends, start=1):
        try:
            yield block[start : end + 1].decode("utf-8")
        except UnicodeDecodeError as error:
            raise not_utf8(raw, line, error) from None
        start = end + 1


def not_utf8(raw: RawFile, line: int, error: UnicodeDecodeError) -> DataError:
    """The error of a line that is in another encoding."""
    return DataError(
        f"{raw.path}, line {line}: not UTF-8 text (byte 0x{error.object[error.start]:02x}). Save "
        "it as UTF-8."
    )
