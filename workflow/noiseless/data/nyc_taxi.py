"""New York City taxi trips with coordinates, 2009 to June 2016, in all published editions.

1. :func:`prepare_trips` reads the first rows of a local file or of a download, and writes the trips
   in the public box.  Nothing is fetched or parsed beyond the last row that is wanted.
2. :func:`read_csv` and :func:`read_parquet` convert each edition to the same five columns:
   the city's raw files (whose column names changed from year to year, have leading spaces in
   2014, and a blank line below; rows of green taxis end with empty cells that the header does not
   have), its table of 2014 (quoted cells, and times as ISO 8601 has them), Kaggle's file of 2014,
   the Arrow edition, and the parts of the DuckDB and ClickHouse benchmarks, which have no header.
3. :func:`classify_rows` gives a reason for every row that is not used, so that all are counted.
"""

import hashlib
import io
import logging
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from noiseless.data.download import read_first_mirror
from noiseless.data.plane import COORDINATES, Plane
from noiseless.data.registry import Mirror, RegisteredHead
from noiseless.errors import DataError
from noiseless.files import write_atomically
from noiseless.reading.columns import (
    MAX_LINE_BYTES,
    NUMBER,
    NUMBER_PATTERN,
    TIME,
    ZONED_PATTERN,
    Row,
    TableFormat,
    build_parquet_error,
    check_accounted,
    check_column_type,
    count_cells,
    is_text_type,
    iterate_lines,
    parse_rows,
    split_row,
)
from noiseless.reading.raw_files import PARQUET_MAGIC, RawFile, check_table, decompress, format_list
from noiseless.tables import ContentDigests, Provenance, Source, build_metadata, derive_provenance

log = logging.getLogger(__name__)

COLUMNS = ("pickup_time", *COORDINATES)
_SCHEMA = pa.schema(
    [("pickup_time", pa.timestamp("s")), *((name, pa.float64()) for name in COORDINATES)]
)

# Names of the columns in all years, without spaces at their ends and in small letters.
_NAMES = {
    "pickup_time": (
        "pickup_datetime",
        "tpep_pickup_datetime",
        "lpep_pickup_datetime",
        "trip_pickup_datetime",
        "pickup_at",
    ),
    "pickup_latitude": ("pickup_latitude", "start_lat"),
    "pickup_longitude": ("pickup_longitude", "start_lon"),
    "dropoff_latitude": ("dropoff_latitude", "end_lat"),
    "dropoff_longitude": ("dropoff_longitude", "end_lon"),
}
# Parts without header, trips_aa.csv.gz and so on: the number of cells, and our columns' positions.
_HEADERLESS_CELLS = 51
_HEADERLESS_COLUMNS = {
    "pickup_time": 2,
    "pickup_longitude": 6,
    "pickup_latitude": 7,
    "dropoff_longitude": 8,
    "dropoff_latitude": 9,
}

REASONS = ("unparsable", "missing", "zero", "swapped", "outside")
# As the city's table of rows has it, 2014-05-19T13:51:00.000.
_ISO_TIME = r"^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.0+)?$"
_TIME, _TIME_FORMAT = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:[0-5]\d$", "%Y-%m-%d %H:%M:%S"
_ZONE_PROBLEM = (
    "has a zone, but trips have times of New York's clock. Convert the column to that clock, or, "
    "if the times are on it already, remove the zone"
)
_BLANK_LINES = (b"\n", b"\r\n", b"\r")
_NO_CELL = "\ufffd"  # of a row that is none; no cell has it, as each character comes from one byte
_BATCH_ROWS = 1 << 17
_FIRST_LINES = 20  # number of lines from which the width of the rows is determined


@dataclass(frozen=True)
class FileSummary:
    """Summary of the rows that were read from a file: their number, size, digest and use.

    A row is a line with something in it, below the header. ``bytes`` and ``sha256`` are of the text
    of ``zcat FILE | head -n LINES``, or of five columns of Parquet (:func:`read_parquet`).
    ``counts`` are of the rows ``used``, and of those excluded for each of :data:`REASONS`.
    """

    rows: int
    bytes: int
    sha256: str
    counts: Mapping[str, int]

    def build_table(self) -> pd.DataFrame:
        """Build a table of one row with the columns ``rows``, ``bytes``, and one for each count."""
        return pd.DataFrame([{"rows": self.rows, "bytes": self.bytes, **self.counts}])


def prepare_trips(
    source: str | Path | Sequence[Mirror],
    output: str | Path,
    *,
    rows: int | None,
    latitude_range_deg: Sequence[float],
    longitude_range_deg: Sequence[float],
    patience: Mapping[str, Any],
    provenance: Callable[[FileSummary], Provenance],
) -> FileSummary:
    """Read the first rows of a file, and write those of its trips that lie in the public box.

    The trips stay in the order of the file. The file is on this machine (CSV, CSV in gzip or zip,
    Parquet) or at its mirrors. The output has :data:`COLUMNS`: the time in seconds, without zone,
    and degrees. ``provenance`` is called at the end, when the summary is known.
    """
    box = Plane.from_edges(latitude_range_deg, longitude_range_deg)

    def prepare(stream: io.BufferedReader, name: str) -> FileSummary:
        """Write the trips of an open file to ``output``; return the summary of its rows."""
        tally, counts, contents = Tally(), dict.fromkeys(("used", *REASONS), 0), ContentDigests()
        first = dict.fromkeys(counts, "")  # the first row of each kind
        is_parquet = stream.peek(len(PARQUET_MAGIC)).startswith(PARQUET_MAGIC)
        batches = (read_parquet if is_parquet else read_csv)(stream, tally, name=name, rows=rows)
        with (
            write_atomically(output) as partial,
            pq.ParquetWriter(partial, _SCHEMA, write_page_checksum=True) as writer,
        ):
            for batch in batches:
                classes = classify_rows(batch, box)
                for position, kind in enumerate(counts):
                    is_of_kind = classes == position
                    counts[kind] += int(is_of_kind.sum())
                    if is_of_kind.any():
                        place = batch.attrs["place"] + str(batch["number"][is_of_kind.argmax()])
                        shown = batch.attrs["bad"] if kind == "unparsable" else place
                        first[kind] = first[kind] or shown
                used = batch.loc[classes == 0, list(COLUMNS)]
                table = pa.Table.from_pandas(used, _SCHEMA, preserve_index=False)
                contents.add(table)
                writer.write_table(table)
            summary = FileSummary(tally.rows, tally.bytes, tally.sha256, counts)
            check_accounted(name, summary.rows, counts)
            counts_text = ", ".join(
                f"{count} {kind}" + f" (first: {first[kind]})" * (count > 0 and kind != "used")
                for kind, count in counts.items()
            )
            if not counts["used"]:
                raise DataError(
                    f"{name}: none of the {summary.rows} rows is a trip in the box of latitude "
                    f"{list(latitude_range_deg)} and longitude {list(longitude_range_deg)} "
                    f"({counts_text}). Is it the right file?"
                )
            writer.add_key_value_metadata(build_metadata(output, provenance(summary), contents))
        parts = name, summary.rows, summary.bytes, summary.sha256, counts_text
        log.info("%s: %d rows, %d bytes, sha256 %s: %s", *parts)
        return summary

    if isinstance(source, str | Path):
        with RawFile(Path(source)).open() as stream:
            return prepare(stream, str(source))
    return read_first_mirror(source, lambda stream, mirror: prepare(stream, mirror.url), **patience)


def build_provenance(
    taken: FileSummary,
    *,
    tier: str,
    file: str,
    heads: Sequence[RegisteredHead],
    settings: Mapping[str, Any],
    code: str,
    public: Collection[str],
) -> Provenance:
    """Build the provenance of a file's trips: their source by its digest, and the settings.

    The digest is ``registered`` if the registry has it. It is ``unknown`` if the registry has none
    for this number of rows of a file of this name, and ``other`` if it has another one.
    """
    known = next((head.file for head in heads if head.sha256 == taken.sha256), None)
    is_comparable = (file, settings["rows"]) in {(head.file, head.rows) for head in heads}
    if known is not None and tier != "sample":
        digest = "registered"
    elif tier == "sample" or is_comparable or file not in public:
        digest = "other"
    else:
        digest = "unknown"
    source = Source("nyc_taxi", tier, taken.sha256, digest, known or file)
    recorded = {f"data.nyc_taxi.{key}": value for key, value in settings.items()}
    return derive_provenance(recorded, code, sources=[source])


def classify_rows(trips: pd.DataFrame, box: Plane) -> np.ndarray:
    """Classify each row: 0 if it is used, else 1 + index of the first of REASONS that applies.

    A row is ``unparsable`` if a cell of the five is no time or no number (column ``bad``);
    ``missing`` if one of the five is empty; ``zero`` if an end is at latitude 0 and longitude 0,
    where the meter had no signal; ``swapped`` if an end lies in the box when its latitude and
    longitude are exchanged; ``outside`` if an end lies outside of the box for none of these
    reasons.
    """
    ends = [
        (trips[f"{end}_latitude"].to_numpy(), trips[f"{end}_longitude"].to_numpy())
        for end in ("pickup", "dropoff")
    ]
    missing = trips[list(COLUMNS)].isna().any(axis=1).to_numpy()
    reasons = [
        trips["bad"].to_numpy(dtype=bool),
        missing,
        np.any([(latitude == 0) & (longitude == 0) for latitude, longitude in ends], axis=0),
        np.any([box.contains(longitude, latitude) for latitude, longitude in ends], axis=0),
        ~np.all([box.contains(latitude, longitude) for latitude, longitude in ends], axis=0),
    ]
    return np.select(reasons, range(1, len(REASONS) + 1), default=0)


# --- The editions -----------------------------------------------------------------------------


class Tally:
    """Running count of the rows that were read, with size and SHA-256 of their content."""

    def __init__(self) -> None:
        self.rows, self.bytes, self._hash = 0, 0, hashlib.sha256()

    def add(self, content: bytes, rows: int) -> None:
        """Count some content, as so many rows, and add it to the digest."""
        self.rows += rows
        self.bytes += len(content)
        self._hash.update(content)

    @property
    def sha256(self) -> str:
        """SHA-256 of all content so far, in hexadecimal digits."""
        return self._hash.hexdigest()


def iterate_head(lines: Iterable[bytes], tally: Tally, rows: int | None) -> Iterator[bytes]:
    """Iterate over the first lines, up to the last wanted row, behind which none is requested.

    Blank lines are no rows.
    """
    lines = iter(lines)
    while tally.rows != rows and (line := next(lines, b"")):
        tally.add(line, rows=line not in _BLANK_LINES)
        yield line


def convert_to_numbers(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Convert texts to 64-bit floats: null stays null, and a text that is no number becomes NaN."""
    plain = pc.utf8_trim(texts, " \t")
    is_number = pc.match_substring_regex(plain, NUMBER_PATTERN)
    return pc.cast(pc.if_else(is_number, plain, "nan"), pa.float64())


def _convert_values(
    cells: pa.Table | pa.RecordBatch, name: str, unit: str, numbers: Sequence[int]
) -> pd.DataFrame:
    """Convert columns to times and finite floats; ``bad`` marks rows with a cell that is neither.

    An empty or bad cell becomes missing. ``number`` is the line or row. Attributes of the table are
    ``place``, in front of that number, and ``bad``, the first row that is marked, in words.
    """
    values, bad, shown = {}, np.zeros(len(cells), dtype=bool), dict[int, str]()

    def format_place(place: int) -> str:
        """Format the place and the text of a cell."""
        text = str(column[place].as_py()).strip()
        if text == _NO_CELL:
            return f"{unit} {numbers[place]}: not a complete row"
        return f"{unit} {numbers[place]}, {key.replace('_', ' ')}: {text[:80]!r}"

    for key in cells.column_names:
        column, is_time = cells[key], key == "pickup_time"
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if not is_text_type(column.type):
            kind = pa.timestamp("s") if is_time else pa.float64()
            values[key] = pc.cast(column, kind, safe=False).to_pandas()
            continue
        texts = pc.utf8_trim(column, " \t")
        if is_time:
            is_zoned = pc.match_substring_regex(texts, ZONED_PATTERN)
            zoned = pc.fill_null(is_zoned, False).to_numpy(False)
            if zoned.any():
                raise DataError(f"{name}, {format_place(int(zoned.argmax()))} {_ZONE_PROBLEM}.")
            texts = pc.replace_substring_regex(texts, _ISO_TIME, r"\1 \2")
            # checked by a pattern, because pandas accepts other forms, too
            matching = pc.if_else(pc.match_substring_regex(texts, _TIME), texts, None)
            parsed_cells = pd.to_datetime(
                matching.to_pandas(), format=_TIME_FORMAT, errors="coerce"
            )
        else:
            parsed_cells = convert_to_numbers(texts).to_pandas()
            parsed_cells = parsed_cells.where(np.isfinite(parsed_cells))
        is_filled = pc.fill_null(pc.not_equal(texts, ""), False).to_numpy(False)
        wrong = is_filled & parsed_cells.isna().to_numpy()
        for row in np.flatnonzero(wrong)[:1].tolist():
            shown.setdefault(row, format_place(row))
        bad |= wrong
        values[key] = parsed_cells
    table = pd.DataFrame(values).assign(bad=bad, number=np.asarray(numbers)[: len(bad)])
    table.attrs |= {"place": f"{unit} ", "bad": shown[min(shown)] if shown else ""}
    return table


def read_csv(
    stream: io.BufferedReader, tally: Tally, *, name: str, rows: int | None
) -> Iterator[pd.DataFrame]:
    """Iterate over the trips of a CSV file, plain or in gzip or zip, in batches of rows.

    They have :data:`COLUMNS` and ``bad``.
    """
    text = decompress(stream, name=name)
    lines, line, start = iterate_lines(text, name), b"", bytearray()
    while not line.removeprefix(BOM_UTF8).strip():
        if not (line := next(lines, b"")):
            raise DataError(f"{name}: the file is empty. Fetch it again.")
        start += line
        if len(start) > MAX_LINE_BYTES:
            raise DataError(f"{name}: no header in the first {MAX_LINE_BYTES} bytes.")
    before = bytes(start)
    check_table(before, name)
    header = before.decode("utf-8-sig", errors="replace").strip()
    if not header.replace("\t", "").isprintable():
        raise DataError(
            f"{name}: neither text nor Parquet. Give the trips as CSV (also in gzip or zip), or as "
            "Parquet."
        )
    names = [cell.lower() for cell in split_row(header)]
    if not names:
        raise DataError(
            f"{name}: a quotation mark of the header is misplaced or never closed. Fetch it again."
        )
    width = len(names)
    columns: Mapping[str, int] = _HEADERLESS_COLUMNS
    if width == _HEADERLESS_CELLS and not set(names) & set(_NAMES["pickup_latitude"]):
        lines, first_line = chain(before.splitlines(keepends=True), lines), 1
    else:
        first_line = len(before.splitlines()) + 1
        columns = _find_columns(names, name)
        tally.add(before, rows=0)
    is_packed = text is not stream
    wanted = iterate_head(lines, tally, rows)
    first = list(islice(wanted, _FIRST_LINES))
    if empty := _count_extra_cells(first, width):
        width += empty
        log.info("%s: rows have %d empty cells more than the header.", name, empty)
    valid_rows = _iterate_valid_rows(
        *(chain(first, wanted), width, empty, name),
        first_line=first_line,
        is_packed=is_packed,
    )
    for numbers, texts in parse_rows(valid_rows, width, columns, TableFormat(), name):
        yield _convert_values(pa.table(texts), name, "line", numbers)


def _count_extra_cells(lines: Iterable[bytes], width: int) -> int:
    """Count the empty cells that most rows have at their end, beyond the cells of the header."""
    more = Counter[int]()
    for line in lines:
        row = line.decode("latin-1").rstrip("\r\n")
        if row:
            beyond = max(count_cells(row, ",") - width, 0)
            more[beyond if row.endswith("," * beyond) else 0] += 1
    return more.most_common(1)[0][0] if more else 0


def _iterate_valid_rows(
    lines: Iterable[bytes], width: int, empty: int, name: str, *, first_line: int, is_packed: bool
) -> Iterator[Row]:
    """Iterate over the rows; an invalid one is replaced by one of :data:`_NO_CELL`.

    A valid row has ``width`` cells, of which the last ``empty`` ones are empty.
    """
    bad = ",".join(_NO_CELL * width) + "\n"
    for number, line in enumerate(lines, start=first_line):
        if line in _BLANK_LINES:
            continue
        # Some editions have a few bytes of another encoding, in cells that are not read.
        row = line.decode("latin-1").replace("\r\n", "\n")
        is_sound = (
            "\r" not in row
            and count_cells(row, ",") == width
            and row.removesuffix("\n").endswith("," * empty)
        )
        if not line.endswith(b"\n"):
            row += "\n"
            if not is_packed:
                # The line may be a part of a row, and a number that is cut is another number.
                is_sound = False
                log.warning(
                    "%s: the last line has no line end, as in a file that was cut off: its row is "
                    "not used.",
                    name,
                )
        yield number, row if is_sound else bad


def _find_columns(names: Sequence[str], file: str) -> dict[str, int]:
    """Find the position of each of :data:`COLUMNS` among a header's names, by its known names."""
    columns = {}
    for column, known in _NAMES.items():
        found = [position for position, name in enumerate(names) if name in known]
        if len(found) != 1:
            problem = "has no" if not found else f"has {len(found)} columns for the"
            raise DataError(
                f"{file}: {problem} {column.replace('_', ' ')} (known names: {', '.join(known)}; "
                f"its columns: {format_list(names, 8)}). The city's files have had no "
                "coordinates since July 2016; data/README.md says which files have."
            )
        columns[column] = found[0]
    return columns


def read_parquet(
    stream: io.BufferedReader, tally: Tally, *, name: str, rows: int | None
) -> Iterator[pd.DataFrame]:
    """Iterate over the trips of a local Parquet file, in batches of rows as :func:`read_csv` does.

    The file must be on this machine, because Parquet is read from its end. The digest is that of
    the five columns, row by row: the time as a 64-bit integer and the coordinates as 64-bit floats,
    little-endian.
    """
    if not stream.seekable():
        raise DataError(
            f"{name}: a Parquet file, which cannot be read while it is downloaded. Fetch it "
            "yourself, and set the tier to `local`."
        )
    try:
        file = pq.ParquetFile(stream, page_checksum_verification=True)
        schema = file.schema_arrow
        found = _find_columns([each.strip().lower() for each in schema.names], name)
        for key, position in found.items():
            if not is_text_type(schema.types[position]):
                kind = TIME if key == "pickup_time" else NUMBER
                check_column_type(name, schema.names[position], kind, schema.types[position])
            if getattr(schema.types[position], "tz", None):
                shown = f"{name}, column {schema.names[position]!r} ({schema.types[position]})"
                raise DataError(f"{shown} {_ZONE_PROBLEM}.")
        columns = [schema.names[position] for position in found.values()]
        for batch in file.iter_batches(_BATCH_ROWS, columns=columns):
            left = len(batch) if rows is None else rows - tally.rows
            if left == 0:
                return
            trips = _convert_values(
                batch.slice(0, left).select(columns).rename_columns(list(found)),
                *(name, "row", range(tally.rows + 1, tally.rows + len(batch) + 1)),
            )
            times = trips["pickup_time"].to_numpy().astype("datetime64[s]").astype("<i8")
            ends = [trips[each].to_numpy("<f8") for each in COORDINATES]
            tally.add(np.column_stack([times.view("<f8"), *ends]).tobytes(), len(trips))
            yield trips
    except MemoryError:  # Arrow's own lack of memory is one of its exceptions, too
        raise
    except (pa.ArrowException, OSError, UnicodeError) as error:
        raise build_parquet_error(name, error) from None
