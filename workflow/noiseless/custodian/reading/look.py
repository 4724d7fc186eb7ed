"""A first look at a file of the user's: a configuration to begin with, and its reasons.

1. :func:`look` reads the beginning of the file: what kind of file it is, what stands between cells
   and before decimals, and what each column holds.
2. From the columns it is guessed whether these are meters, trips or people, and which is which.
3. :meth:`Look.yaml` are the guesses as YAML, each with its reason in a comment.

Nothing is guessed silently.  Where two readings of the file are possible (01/02/2013, 1.234) or the
file does not say (a unit, a time zone, a public range), the value is ``?``, and a comment asks.  A
configuration with a ``?`` does not run.
"""

import codecs
import csv
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.custodian.reading.layouts import day_columns, files_of, home_of_file
from noiseless.custodian.reading.times import OFFSET
from noiseless.data.columns import MISSING
from noiseless.data.raw_files import CHUNK_BYTES, Kind, RawFile, identify, open_unfolded
from noiseless.errors import DataError

UNKNOWN = "?"
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}
_ROWS = 20_000
_POINT = re.compile(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?$")
_COMMA = re.compile(r"[-+]?\d*,\d+$")
_WHOLE = re.compile(r"[-+]?\d+(?:[eE][-+]?\d+)?$")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}$")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}(?::?\d{2}){0,2}(?:[.,]\d+)?)?")
_DAY = re.compile(r"\d{1,2}([/. -])(\d{1,2}|[A-Za-z]{3})\1\d")
_HOURS = ["%H:%M", "%H:%M:%S", "%I:%M%p", "%I:%M %p", "%I:%M:%S%p", "%I:%M:%S %p"]
_CLOCKS = ["", *(mark + hour for mark in " T" for hour in _HOURS)]
_DAYS = [f"{day}/%{year}" for year in "Yy" for day in ("%d/%m", "%m/%d", "%d/%b")]
_FORMS = [day.replace("/", mark) + clock for mark in "/.- " for day in _DAYS for clock in _CLOCKS]
_SOME = 50  # different times, for which a form is looked for
_CLOCK = re.compile(r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?$")
_UNITS = ("MWh", "kWh", "Wh", "MW", "kW", "W")
# Median readings below the first or above the second are hardly a home's in that unit.
_USUAL = {"Wh": (20, np.inf), "W": (5, np.inf), "kWh": (0, 100), "kW": (0, 50), "MWh": (0, 1)}
_WIDE_TABLE = 5  # columns
_UNIX_S = (3e8, 4.2e9)  # 1979 to 2103
_HOME_WORDS = {"home", "house", "meter", "customer", "lclid", "site", "id", "nmi", "household"}
_MOST = 0.95  # of the rows
_MOST_INTERVALS = 100  # of a day: 96 quarters of an hour, and four where the clock changes
# English, German, French and Spanish, without accents.
_ENDS = {
    "pickup": (
        *("pickup", "start", "from", "origin", "begin"),
        *("von", "abfahrt", "beginn", "depart", "debut", "origine", "salida", "origen", "inicio"),
    ),
    "dropoff": (
        *("dropoff", "end", "to", "dest", "destination", "stop"),
        *("nach", "ziel", "ankunft", "ende", "arrivee", "fin", "llegada", "destino"),
    ),
}
_PARTS = {
    "latitude": ("latitude", "lat", "breite", "breitengrad", "latitud"),
    "longitude": (
        *("longitude", "lon", "lng", "long"),
        *("lange", "laenge", "langengrad", "laengengrad", "longitud"),
    ),
}
ENDS = tuple(f"{end}_{part}" for end in _ENDS for part in _PARTS)


@dataclass(frozen=True)
class Line:
    """A key of the configuration.

    Attributes
    ----------
    key : str
    value : object
        What JSON can write; :data:`UNKNOWN` in place of what must be asked.
    why : str
        The reason for the guess, or the question.
    """

    key: str
    value: object
    why: str

    @property
    def is_question(self) -> bool:
        """Whether the user must answer."""
        return _is_asked(self.value)


@dataclass(frozen=True)
class Look:
    """What a file seems to hold.

    Attributes
    ----------
    name : str
        The name of the dataset, made from that of the file.
    lines : tuple of Line
    """

    name: str
    lines: tuple[Line, ...]

    @property
    def questions(self) -> list[str]:
        """What the user must answer, whole sentences for each key."""
        asked = [f"{line.key}: {line.why}" for line in self.lines if line.is_question]
        return [each if each.endswith((".", "?")) else f"{each}." for each in asked]

    def yaml(self) -> str:
        """The configuration, with a comment above each key."""
        parts = [
            "# Written by a first look at the file. Each comment says why. Where a value is ?, the",
            "# file does not say, or says two things: put your answer in its place.",
            "data:",
            f"  {self.name}:",
        ]
        for line in self.lines:
            mark = "ANSWER THIS: " if line.is_question else ""
            parts += [f"    # {mark}{_one_line(line.why)}"]
            parts += [f"    {line.key}: {_yaml(line.value)}"]
        return "\n".join(parts) + "\n"


@dataclass(frozen=True)
class _Table:
    """The beginning of a table, as text.

    Attributes
    ----------
    cells : DataFrame of str
        Missing values are empty.
    lines : list of Line
        What was guessed of the way it is written.
    is_complete : bool
        Whether this is all of it.
    """

    cells: pd.DataFrame
    lines: list[Line] = field(default_factory=list)
    is_complete: bool = True


def look(path: str | Path, kind_of_data: str | None = None) -> Look:
    """What a file seems to hold.

    Parameters
    ----------
    path : path
        A file of the user's, or a folder of meters.
    kind_of_data : str, optional
        What it holds, ``meters``, ``trips`` or ``people``, whatever it seems to hold.

    Returns
    -------
    Look
        What was guessed, and what must be asked.

    Raises
    ------
    DataError
        If the file cannot be read.
    """
    path = Path(path)
    files = files_of(path, "data")
    first = files[0]
    kind = identify(RawFile(first, "data"))
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", home_of_file(first) if path.is_file() else path.name)
    name = name.strip("-_") or "my-data"
    lines = [Line("path", str(path), "the file that was looked at")]
    if kind is Kind.NEM12:
        why = "the file is NEM12, which says itself what its columns and units are"
        return Look(name, (Line("kind", "meters", why), *lines, _zone_question()))
    table = _read(first, kind)
    cells = table.cells
    if cells.empty:
        raise DataError(f"{first}: no row below the header. Is it the right file?")
    lines += table.lines
    decimal, is_asked = ".", False
    if kind is Kind.TEXT:
        line = _decimal_of(cells)
        decimal = "." if line.value == UNKNOWN else str(line.value)
        lines.append(line)
    ends = _ends_of(cells.columns)
    if kind_of_data is None:
        kind_of_data = "people"
        if ends:
            kind_of_data = "trips"
        elif path.is_dir() or _times_of(cells) or day_columns(list(cells)):
            kind_of_data = "meters"
            is_asked = not path.is_dir() and not day_columns(list(cells))
    if kind_of_data == "trips":
        found = _trips(cells, ends or dict.fromkeys(ENDS, UNKNOWN))
    elif kind_of_data == "meters":
        found = _meters(cells, decimal, is_folder=path.is_dir(), table=table)
        if is_asked and len(cells.columns) >= _WIDE_TABLE and _asks_for_the_home(found):
            found = [
                Line(
                    "kind",
                    UNKNOWN,
                    "a column of times, and none that names a home. Does a row hold readings of a "
                    "meter, a trip, or a person? Write meters, trips or people",
                )
            ]
    else:
        found = _people(cells)
    return Look(name, (found[0], *lines, *found[1:]))


# --- The way a table is written ---------------------------------------------------------------


def _read(path: Path, kind: Kind) -> _Table:
    if kind is Kind.PARQUET:
        import pyarrow.parquet as pq

        try:
            batch = next(pq.ParquetFile(path).iter_batches(batch_size=_ROWS))
        except (OSError, ValueError, StopIteration):
            raise DataError(f"{path}: a damaged or empty Parquet file.") from None
        cells = batch.to_pandas().reset_index(drop=True).astype(str)
        return _Table(cells, is_complete=len(cells) < _ROWS)
    if kind is Kind.WORKBOOK:
        try:
            book = pd.read_excel(path, sheet_name=None, nrows=_ROWS)
        except (ValueError, KeyError, OSError) as error:
            raise DataError(f"{path}: the workbook cannot be read ({error}).") from None
        sheets = {name: sheet for name, sheet in book.items() if not sheet.empty}
        if not sheets:
            raise DataError(f"{path}: no sheet has a row below its header.")
        sheet = next(iter(sheets.values()))
        lines = []
        if len(sheets) > 1:
            why = f"the workbook has several sheets ({', '.join(map(str, sheets))}): which one?"
            lines = [Line("sheet", UNKNOWN, why)]
        cells = sheet.astype(str).rename(columns=str)
        return _Table(cells, lines, is_complete=len(cells) < _ROWS)
    return _read_text(path)


def _read_text(path: Path) -> _Table:
    with open_unfolded(RawFile(path, "data")) as source:
        start = source.read(4 * CHUNK_BYTES)
    complete = len(start) < 4 * CHUNK_BYTES
    text, encoding = _decoded(start, path, complete=complete)
    rows = text.splitlines() if complete else text.splitlines()[:-1]
    rows = [row for row in rows if row.strip()]
    complete &= len(rows) <= _ROWS + 1
    rows = rows[: _ROWS + 1]
    if not rows:
        raise DataError(f"{path}: the file is empty.")
    separator, why = _separator_of(rows[:200], path)
    parsed = list(csv.reader(rows, delimiter=separator))
    header = [cell.strip() for cell in parsed[0]]
    if len(set(header)) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise DataError(f"{path}: column {twice!r} is given twice. Rename one of them.")
    body = [[cell.strip() for cell in row] for row in parsed[1:] if len(row) == len(header)]
    cells = pd.DataFrame(body, columns=header, dtype=str)
    cells = cells.mask(cells.isin(MISSING), "")
    return _Table(cells, [*encoding, Line("separator", separator, why)], is_complete=complete)


def _decoded(start: bytes, path: Path, *, complete: bool) -> tuple[str, list[Line]]:
    """The beginning of a text, and the line of its encoding if that is not UTF-8."""
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(start, final=complete), []
    except UnicodeDecodeError as error:
        byte = f"byte 0x{start[error.start]:02x}"
    try:
        text = start.decode("cp1252")
    except UnicodeDecodeError:
        raise DataError(
            f"{path}: neither UTF-8 ({byte}) nor Windows-1252 text. Save it as UTF-8."
        ) from None
    word = next(word for word in text.split() if not word.isascii())
    why = (
        f"the text is not UTF-8 ({byte}); with windows-1252 it has words such as {word[:40]!r}. If "
        "these look wrong, save the file as UTF-8, and omit this line"
    )
    return text, [Line("encoding", "windows-1252", why)]


def _separator_of(rows: Sequence[str], path: Path) -> tuple[str, str]:
    """What stands between cells: what cuts all rows into as many, two or more."""
    possible = {}
    for separator in _SEPARATORS:
        counts = [len(row) for row in csv.reader(rows, delimiter=separator)]
        if counts[0] > 1 and np.mean(np.array(counts) == counts[0]) > 0.9:
            possible[separator] = counts[0]
    if not possible:
        raise DataError(
            f"{path}: no table of two columns or more: none of ; , | and tabs cuts its rows into "
            "as many cells as its first one."
        )
    best = max(possible, key=lambda each: (possible[each], each == ";"))
    why = f"{_SEPARATORS[best]} cut each row into {possible[best]} cells"
    others = [_SEPARATORS[each] for each in possible if each != best]
    if others:
        why += f" ({' and '.join(others)} would cut them into fewer)"
    return best, why


def _decimal_of(cells: pd.DataFrame) -> Line:
    """What stands before decimals; a number such as 1.234 alone does not say."""
    words = pd.unique(cells.to_numpy().ravel())
    points = [word for word in words if _POINT.match(word)]
    commas = [word for word in words if _COMMA.match(word)]
    sure = {
        mark: next((word for word in found if not _THOUSANDS.match(word)), None)
        for mark, found in ((".", points), (",", commas))
    }
    if sure["."] and sure[","]:
        why = f"both {sure['.']} and {sure[',']} occur. Which mark stands before decimals?"
        return Line("decimal", UNKNOWN, why)
    for mark, word in sure.items():
        if word:
            return Line("decimal", mark, f"numbers such as {word} have it before their decimals")
    if points or commas:
        word = (points or commas)[0]
        plain = word.replace(".", "").replace(",", "")
        why = (
            f"{word} may be {plain} with a mark between thousands, or a number with three "
            f"decimals. For decimals, write {'.' if points else ','}; for thousands, export the "
            "file without marks between them"
        )
        return Line("decimal", UNKNOWN, why)
    return Line("decimal", ".", "no number in the rows that were read has decimals")


def _numbers(column: pd.Series, decimal: str) -> pd.Series | None:
    """A column of numbers; None if it is something else."""
    full = column[(column != "") & (column != "nan")]
    pattern = _COMMA if decimal == "," else _POINT
    good = full.str.match(_WHOLE) | full.str.match(pattern)
    if full.empty or good.mean() < _MOST:
        return None
    return pd.to_numeric(full[good].str.replace(",", ".", regex=False))


# --- Times ------------------------------------------------------------------------------------


def _time_form(column: pd.Series) -> tuple[object, str] | None:
    """The ``time_format`` of a column of times (None for ISO 8601) and why; None for no times."""
    words = pd.Series(pd.unique(column[column != ""]))
    if words.empty:
        return None
    if words.str.match(_ISO).mean() > _MOST:
        return None, f"{words[0]} is a time in ISO 8601"
    if words.str.match(_DAY).mean() <= _MOST:
        return None
    possible = [form for form in _FORMS if _are_times(words[:_SOME], form).any()]
    shares = {form: _are_times(words, form).mean() for form in possible}
    # Day or month first: a number above 12 decides; without one, the file does not say.
    best = [form for form, share in shares.items() if share == max(_MOST, *shares.values())]
    if len(best) > 1:
        return UNKNOWN, (
            f"{words[0]} may be the day or the month first. Write {best[0]} for the day first, "
            f"{best[1]} for the month first"
        )
    return (
        (best[0], f"no other form fits as many of the times, such as {words[0]}") if best else None
    )


def _are_times(words: pd.Series, form: str) -> pd.Series:
    """Which words are times of a form; 24:00 is midnight."""
    words = words.str.replace(r"(?<=[ T])24:(?=00)", "00:", regex=True)
    return pd.to_datetime(words, format=form, errors="coerce").notna()


def _times_of(cells: pd.DataFrame) -> dict[str, tuple[object, str]]:
    """Columns of times, each with its form and why; those of seconds since 1970 are called so."""
    found = {}
    for name in cells.columns:
        form = _time_form(cells[name])
        if form is None and re.search(r"time|date|stamp|epoch", name, re.IGNORECASE):
            numbers = _numbers(cells[name], ".")
            if numbers is not None and _UNIX_S[0] < numbers.min() <= numbers.max() < _UNIX_S[1]:
                form = "unix_s", f"{numbers.iloc[0]:.0f} is a number of seconds since 1970"
        if form is not None:
            found[name] = form
    return found


def _zone_question() -> Line:
    why = (
        "the times count from UTC, so it must be said where days begin. Write the homes' zone, "
        "such as Europe/Paris"
    )
    return Line("time_zone", UNKNOWN, why)


# --- Meters -----------------------------------------------------------------------------------


def _meters(cells: pd.DataFrame, decimal: str, *, is_folder: bool, table: _Table) -> list[Line]:
    times = _times_of(cells)
    wide = day_columns(list(cells))
    times = {name: form for name, form in times.items() if name not in wide}
    columns: dict[str, str] = {}
    reasons = []
    if times:
        columns["time"] = next(iter(times))
        reasons.append(f"{columns['time']!r} holds times")
    else:
        columns["time"] = UNKNOWN
        reasons.append("which column holds the day or the time?")
    clock = next((n for n in cells if cells[n].str.match(_CLOCK).mean() > _MOST), None)
    if clock and columns["time"] != clock and not wide:
        columns["time_of_day"] = clock
        reasons.append(f"{clock!r} holds the time of day")
    moment = list(columns.values()) if times else []
    rest = [name for name in cells if name not in {*columns.values(), *times, *wide}]
    numbers = {
        name: values for name in rest if (values := _numbers(cells[name], decimal)) is not None
    }
    # No home: decimals, what is called by a unit, and the only numbers that there are.
    readings = {name for name, values in numbers.items() if (values % 1 != 0).any()}
    readings |= {name for name in numbers if _unit_in(name) or (not wide and len(numbers) == 1)}
    named = [name for name in rest if name not in readings]
    home, why = _home_of(cells[[*named, *moment]], moment, numbers, is_folder=is_folder)
    if home is not None:
        columns["home"] = home
    reasons.append(why)
    numbers = {name: values for name, values in numbers.items() if name != home}
    value = None
    if not wide:
        value, why = _value_of(list(numbers))
        columns["value"] = UNKNOWN if value is None else value
        reasons.append(why)
    lines = [
        Line("kind", "meters", "the rows have times and readings"),
        Line("columns", columns, "; ".join(reasons)),
    ]
    if wide:
        why = f"{len(wide)} columns, {wide[0]} to {wide[-1]}, make up a day"
        lines.append(Line("layout", "wide", why))
    lines += _time_lines(cells, times.get(columns["time"]), columns["time"])
    lines.append(_unit_of(cells, value, numbers, columns))
    if value is not None and home is not None and home in cells:
        lines += _register_of(cells, numbers[value], home)
    if not table.is_complete:
        why = f"guessed from the first {len(cells):,} rows alone"
        lines[1] = Line("columns", columns, f"{lines[1].why} ({why})")
    return lines


def _home_of(
    cells: pd.DataFrame,
    moment: Sequence[str],
    numbers: Mapping[str, pd.Series],
    *,
    is_folder: bool,
) -> tuple[str | None, str]:
    """Which column names the home: the one that has a row for each of its values and each time."""
    counts = {
        name: cells[name].nunique()
        for name in cells
        if name and name not in moment and (cells[name] != "").mean() > _MOST
    }
    repeats = [name for name, count in counts.items() if count <= len(cells) / 2]
    constant = [name for name in repeats if counts[name] == 1]
    fits = [name for name in repeats if moment and _fills_a_grid(cells, name, moment)]
    if is_folder:
        fits = [name for name in fits if name not in constant]
    elif any(name in numbers and numbers[name].max() <= _MOST_INTERVALS for name in fits):
        # They may number the intervals of a day of one home.
        fits += [name for name in constant if name not in fits]
    # Where several fit, or none, the heading decides.
    called = [name for name in fits or repeats if _HOME_WORDS & set(_words(name))]
    for found in (fits, called):
        if len(found) == 1:
            return found[0], f"{found[0]!r} has {counts[found[0]]} different homes"
    if is_folder:
        return None, "each file of the folder is a home"
    listed = ", ".join(map(repr, fits or repeats)) or "none repeats its values as a home does"
    return UNKNOWN, f"which column names the home ({listed})?"


def _fills_a_grid(cells: pd.DataFrame, name: str, moment: Sequence[str]) -> bool:
    """Whether most values of a column have one row at most times."""
    pairs = len(cells[[name, *moment]].drop_duplicates())
    possible = cells[name].nunique() * len(cells[[*moment]].drop_duplicates())
    return pairs > max(_MOST * len(cells), possible / 2)


def _value_of(names: Sequence[str]) -> tuple[str | None, str]:
    units = [name for name in names if _unit_in(name)]
    found = units or list(names)
    if len(found) == 1:
        return found[0], f"{found[0]!r} holds the readings"
    if not found:
        return None, "no other column holds numbers: which one holds the readings?"
    return None, f"several columns may hold the readings: {', '.join(map(repr, found))}"


def _unit_in(name: str) -> str | None:
    """A unit that is part of a column's name."""
    words = re.split(r"[^A-Za-z]+", name)
    lower = [word.lower() for word in words]
    return next((unit for unit in _UNITS if unit in words or unit.lower() in lower), None)


def _unit_of(
    cells: pd.DataFrame,
    value: str | None,
    numbers: dict[str, pd.Series],
    columns: dict[str, str],
) -> Line:
    named = next((unit for name in cells if (unit := _unit_in(name))), None)
    if value is not None and (unit := _unit_in(value)):
        middle, (low, high) = numbers[value].median(), _USUAL.get(unit, (0, np.inf))
        if not low <= middle <= high and not numbers[value].is_monotonic_increasing:
            why = (
                f"the column is called {value!r}, but the middle reading, {middle:g}, is hardly "
                f"that of a home in {unit}. In what unit are the readings: {', '.join(_UNITS)}?"
            )
            return Line("unit", UNKNOWN, why)
        return Line("unit", unit, f"the column is called {value!r}")
    if named and value is None:
        return Line("unit", named, "a column is called so")
    size = ""
    if value is not None:
        size = f" (the middle reading is {numbers[value].median():g})"
    why = f"in what unit are the readings{size}: Wh, kWh or MWh of an interval, or W, kW or MW?"
    return Line("unit", UNKNOWN, why)


def _time_lines(cells: pd.DataFrame, form: tuple[object, str] | None, column: str) -> list[Line]:
    if form is None:
        return []
    written, why = form
    lines = [] if written is None else [Line("time_format", written, why)]
    words = cells[column]
    if written == "unix_s" or words.str.contains(OFFSET).any():
        return [*lines, _zone_question()]
    why = (
        "the times say nothing of a zone. null: each day has 24 hours. If the clock changes in "
        "spring and autumn, write the homes' zone, such as Europe/Paris"
    )
    return [*lines, Line("time_zone", None, why)]


def _register_of(cells: pd.DataFrame, values: pd.Series, home: str) -> list[Line]:
    """Whether the readings are those of a display, which never falls."""
    steps = values.groupby(cells.loc[values.index, home]).diff().dropna()
    if len(steps) < 10 or (steps < 0).any() or not (steps > 0).any():
        return []
    return [
        Line(
            "register",
            UNKNOWN,
            "the readings of a home never fall. Write true if they are those of a meter's display, "
            "of which differences are to be taken, and false if each is the use of an interval",
        )
    ]


# --- Trips ------------------------------------------------------------------------------------


def _ends_of(names: Sequence[str]) -> dict[str, str] | None:
    """The four columns of coordinates by our names; None if there are no such four."""
    found = {}
    for end, ends in _ENDS.items():
        for part, parts in _PARTS.items():
            mine = [
                name
                for name in names
                if any(word in _words(name) for word in parts)
                and any(word in _words(name) for word in ends)
            ]
            if len(mine) != 1:
                return None
            found[f"{end}_{part}"] = mine[0]
    return found if len(set(found.values())) == 4 else None


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", plain)
    return re.split(r"[^a-z]+", spaced.lower())


def _trips(cells: pd.DataFrame, ends: dict[str, str]) -> list[Line]:
    columns: dict[str, str] = dict(ends)
    times = _times_of(cells)
    lines = []
    started = [n for n in times if any(word in _words(n) for word in _ENDS["pickup"])]
    chosen = started[0] if started else next(iter(times), None)
    why = "the columns are called so"
    if UNKNOWN in ends.values():
        why = f"which columns are the coordinates? The columns are {', '.join(map(repr, cells))}"
    if chosen:
        columns["pickup_time"] = chosen
        why += f"; {chosen!r} holds times"
        if times[chosen][0] is not None:
            lines.append(Line("time_format", *times[chosen]))
    box = (
        "a public box, from a map and not from your data: an end outside is excluded. Write two "
        "numbers in degrees, the smaller one first"
    )
    return [
        Line("kind", "trips", "four columns are coordinates of a start and an end"),
        Line("columns", columns, why),
        *lines,
        Line("latitude_range_deg", [UNKNOWN, UNKNOWN], box),
        Line("longitude_range_deg", [UNKNOWN, UNKNOWN], box),
    ]


# --- People -----------------------------------------------------------------------------------


def _people(cells: pd.DataFrame) -> list[Line]:
    listed = ", ".join(map(repr, cells.columns))
    return [
        Line("kind", "people", "no column of times or coordinates: each row may be a person"),
        Line(
            "identifying",
            UNKNOWN,
            "which columns may an adversary know of a person (age, sex, place, job, ...)? Leave "
            "out names and numbers of people: what is given nowhere is not published. "
            f"The columns are {listed}",
        ),
        Line(
            "sensitive",
            UNKNOWN,
            "which columns may an adversary not learn (illness, income, ...)? They are published "
            "as they are; [] for none",
        ),
    ]


def _asks_for_the_home(lines: Sequence[Line]) -> bool:
    columns = next(line.value for line in lines if line.key == "columns")
    return isinstance(columns, dict) and columns.get("home") == UNKNOWN


def _is_asked(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_is_asked, value.values()))
    if isinstance(value, list):
        return any(map(_is_asked, value))
    return value == UNKNOWN


def _yaml(value: object) -> str:
    """A value on one line; letters that YAML does not allow are escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in text)


def _one_line(text: str) -> str:
    """Text for a comment: whatever a file calls its columns, it stays within the line."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
