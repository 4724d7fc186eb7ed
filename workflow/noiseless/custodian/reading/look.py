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
import itertools
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from noiseless.custodian.reading.layouts import day_columns, files_of, home_of_file
from noiseless.custodian.reading.times import OFFSET
from noiseless.data.columns import MISSING
from noiseless.data.raw_files import CHUNK_BYTES, Kind, RawFile, identify, open_unfolded
from noiseless.errors import DataError

UNKNOWN = "?"
_FROM_UTC = (
    "the times count from UTC, so it must be said where days begin. Write the homes' zone, such as "
    "Europe/Paris"
)
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}
_ROWS = 20_000
_DECIMALS = {".": r"(?a)[-+]?\d*\.\d+(?:[eE][-+]?\d+)?$", ",": r"(?a)[-+]?\d*,\d+$"}
_WHOLE = r"(?a)[-+]?\d+(?:[eE][-+]?\d+)?$"
_THOUSANDS = r"[-+]?[1-9]\d{0,2}[.,]\d{3}$"
_ISO = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}(?::?\d{2}){0,2}(?:[.,]\d+)?)?"
_DAY = r"\d{1,2}([/. -])(?:\d{1,2}|[A-Za-z]{3})\1\d"
_HOURS = ["%H:%M", "%H:%M:%S", "%I:%M%p", "%I:%M %p", "%I:%M:%S%p", "%I:%M:%S %p"]
_CLOCKS = ["", *(mark + hour for mark in " T" for hour in _HOURS)]
# Day or month first stand side by side.
_FORMS = [
    form.replace("/", mark) + f"{mark}%{year}{clock}"
    for mark, year, form, clock in itertools.product(
        "/.- ", "Yy", ("%d/%m", "%m/%d", "%d/%b"), _CLOCKS
    )
]
_SOME = 50  # different times, for which a form is looked for
_CLOCK = r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?$"
# Median readings below the first or above the second are hardly a home's in that unit.
_USUAL = {
    **{"MWh": (0, 1), "kWh": (0, 100), "Wh": (20, np.inf)},
    **{"MW": (0, np.inf), "kW": (0, 50), "W": (5, np.inf)},
}
_WIDE_TABLE = 5  # columns
_UNIX_S = (3e8, 4.2e9)  # 1979 to 2103
_MOST = 0.95  # of the rows
_MOST_INTERVALS = 100  # of a day: 96 quarters of an hour, and four where the clock changes
# Words of headings, in English, German, French and Spanish, without accents.
_HOME = "home|house|meter|customer|lclid|site|id|nmi|household"
_ENDS = {
    "pickup": "pickup|start|from|origin|begin|von|abfahrt|beginn|depart|debut|origine|salida|origen"
    "|inicio",
    "dropoff": "dropoff|end|to|dest|destination|stop|nach|ziel|ankunft|ende|arrivee|fin|llegada"
    "|destino",
}
_PARTS = {
    "latitude": "latitude|lat|breite|breitengrad|latitud",
    "longitude": "longitude|lon|lng|long|lange|laenge|langengrad|laengengrad|longitud",
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
    def asked(self) -> list[str]:
        """What the user must answer, by its key, or by those inside of it."""
        if isinstance(self.value, dict):
            inside = self.value.items()
            return [f"{self.key}.{inner}" for inner, value in inside if value == UNKNOWN]
        values = self.value if isinstance(self.value, list) else [self.value]
        return [self.key] if UNKNOWN in values else []


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
    def questions(self) -> list[tuple[str, str]]:
        """What the user must answer: its key, and whole sentences."""
        return [
            (key, line.why if line.why.endswith((".", "?")) else f"{line.why}.")
            for line in self.lines
            for key in line.asked
        ]

    def yaml(self) -> str:
        """The configuration, with a comment above each key."""
        parts = [
            "# Written by a first look at the file. Each comment says why. Where a value is ?, the",
            "# file does not say, or says two things: put your answer in its place.",
            "data:",
            f"  {self.name}:",
        ]
        for line in self.lines:
            mark = "ANSWER THIS: " if line.asked else ""
            value = json.dumps(line.value, ensure_ascii=False)
            # Whatever a file calls its columns, each stays within its line.
            why = "".join(letter if letter.isprintable() else " " for letter in line.why)
            escaped = (c if c.isprintable() else f"\\U{ord(c):08x}" for c in value)
            parts += [f"    # {mark}{why}", f"    {line.key}: {''.join(escaped)}"]
        return "\n".join(parts) + "\n"


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
    first, is_folder = files_of(path, "data")[0], path.is_dir()
    kind = identify(RawFile(first, "data"))
    name = path.name if is_folder else home_of_file(first)
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-_") or "my-data"
    if kind is Kind.NEM12:
        why = "the file is NEM12, which says itself what its columns and units are"
        seen = Line("path", str(path), "the file that was looked at")
        zone = Line("time_zone", UNKNOWN, _FROM_UTC)
        return Look(name, (Line("kind", "meters", why), seen, zone))
    cells, written = _READERS[kind](first)
    if cells.empty:
        raise DataError(f"{first}: no row below the header. Is it the right file?")
    seen = Line("path", str(path), f"the file that was looked at, {len(cells):,} rows of it")
    decimal = "," if any((line.key, line.value) == ("decimal", ",") for line in written) else "."
    ends, times, day = _ends_of(list(cells)), _times_of(cells), day_columns(list(cells))
    guess = "trips" if ends else "meters" if is_folder or day or times else "people"
    is_sure = bool(kind_of_data or is_folder or day)
    kind_of_data = kind_of_data or guess
    if kind_of_data == "trips":
        found = _trips(cells, times, ends or dict.fromkeys(ENDS, UNKNOWN))
    elif kind_of_data == "people":
        found = _people(cells)
    else:
        found = _meters(cells, times, day, decimal, is_folder=is_folder)
        if not is_sure and len(cells.columns) >= _WIDE_TABLE and "columns.home" in found[1].asked:
            why = (
                "a column of times, and none that names a home. Does a row hold readings of a "
                "meter, a trip, or a person? Write meters, trips or people"
            )
            found = [Line("kind", UNKNOWN, why)]
    return Look(name, (found[0], seen, *written, *found[1:]))


# --- The way a table is written ---------------------------------------------------------------


def _read_parquet(path: Path) -> tuple[pd.DataFrame, list[Line]]:
    try:
        batch = next(pq.ParquetFile(path).iter_batches(batch_size=_ROWS))
        return batch.to_pandas().reset_index(drop=True).astype(str), []
    except Exception:  # pandas lets through whatever damaged metadata make it raise
        raise DataError(f"{path}: a damaged or empty Parquet file.") from None


def _read_workbook(path: Path) -> tuple[pd.DataFrame, list[Line]]:
    try:
        book = pd.read_excel(path, sheet_name=None, nrows=_ROWS)
    except Exception as error:  # openpyxl lets through whatever a damaged part makes it raise
        raise DataError(
            f"{path}: the workbook cannot be read ({type(error).__name__}). Save it again, or "
            "export it as CSV."
        ) from None
    sheets = {name: sheet for name, sheet in book.items() if not sheet.empty}
    if not sheets:
        raise DataError(f"{path}: no sheet has a row below its header.")
    cells = next(iter(sheets.values())).astype(str).rename(columns=str)
    why = f"the workbook has several sheets ({', '.join(map(str, sheets))}): which one?"
    return cells, [Line("sheet", UNKNOWN, why)] if len(sheets) > 1 else []


def _read_text(path: Path) -> tuple[pd.DataFrame, list[Line]]:
    """The beginning of a table, missing values empty, and the way in which it is written."""
    with open_unfolded(RawFile(path, "data")) as source:
        start = source.read(4 * CHUNK_BYTES)
    is_complete = len(start) < 4 * CHUNK_BYTES
    text, lines = _decoded(start, path, is_complete=is_complete)
    rows = text.splitlines() if is_complete else text.splitlines()[:-1]
    rows = [row for row in rows if row.strip()][: _ROWS + 1]
    if not rows:
        raise DataError(f"{path}: the file is empty.")
    separator = _separator_of(rows[:200], path)
    lines.append(separator)
    header, *body = (
        [cell.strip() for cell in row] for row in csv.reader(rows, delimiter=str(separator.value))
    )
    twice = [name for name in header if header.count(name) > 1]
    if twice:
        raise DataError(f"{path}: column {twice[0]!r} is given twice. Rename one of them.")
    body = [row for row in body if len(row) == len(header)]
    cells = pd.DataFrame(body, columns=header, dtype=str)
    cells = cells.mask(cells.isin(MISSING), "")
    return cells, [*lines, _decimal_of(cells)]


_READERS = {Kind.PARQUET: _read_parquet, Kind.WORKBOOK: _read_workbook, Kind.TEXT: _read_text}


def _decoded(start: bytes, path: Path, *, is_complete: bool) -> tuple[str, list[Line]]:
    """The beginning of a text, and the line of its encoding if that is not UTF-8."""
    try:
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        return decoder.decode(start, final=is_complete), []
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


def _separator_of(rows: Sequence[str], path: Path) -> Line:
    """What stands between cells: what cuts all rows into as many, two or more."""
    possible = {}
    for separator in _SEPARATORS:
        counts = np.array([len(row) for row in csv.reader(rows, delimiter=separator)])
        if counts[0] > 1 and np.mean(counts == counts[0]) > 0.9:
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
    return Line("separator", best, why)


def _decimal_of(cells: pd.DataFrame) -> Line:
    """What stands before decimals; a number such as 1.234 alone does not say."""
    words = pd.Series(pd.unique(cells.to_numpy().ravel()), dtype=str)
    found = {mark: words[words.str.match(form)] for mark, form in _DECIMALS.items()}
    either = pd.concat(found.values())
    sure = {
        mark: written[~written.str.match(_THOUSANDS)].iloc[0]
        for mark, written in found.items()
        if not written.str.match(_THOUSANDS).all()
    }
    if len(sure) == 1:
        ((mark, word),) = sure.items()
        return Line("decimal", mark, f"numbers such as {word} have it before their decimals")
    if sure:
        why = f"both {sure['.']} and {sure[',']} occur. Which mark stands before decimals?"
    elif either.empty:
        return Line("decimal", ".", "no number in the rows that were read has decimals")
    else:
        word = either.iloc[0]
        why = (
            f"{word} may be {re.sub('[.,]', '', word)} with a mark between thousands, or a number "
            f"with three decimals. For decimals, write {'.' if '.' in word else ','}; for "
            "thousands, export the file without marks between them"
        )
    return Line("decimal", UNKNOWN, why)


def _numbers(column: pd.Series, decimal: str) -> pd.Series | None:
    """A column of numbers; None if it is something else."""
    full = column[(column != "") & (column != "nan")]
    good = full.str.match(_WHOLE) | full.str.match(_DECIMALS[decimal])
    if full.empty or good.mean() < _MOST:
        return None
    return pd.to_numeric(full[good].str.replace(",", ".", regex=False))


def _has(name: str, words: str) -> bool:
    """Whether a heading has one of some words, whatever their case and accents."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    plain = re.sub(r"([a-z])([A-Z])", r"\1 \2", plain).lower()
    return re.search(f"(?<![a-z])(?:{words})(?![a-z])", plain) is not None


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
    why = f"no other form fits as many of the times, such as {words[0]}"
    return (best[0], why) if best else None


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


def _time_lines(words: pd.Series, form: tuple[object, str]) -> list[Line]:
    lines = [] if form[0] is None else [Line("time_format", *form)]
    if form[0] == "unix_s" or words.str.contains(OFFSET).any():
        return [*lines, Line("time_zone", UNKNOWN, _FROM_UTC)]
    why = (
        "the times say nothing of a zone. null: each day has 24 hours. If the clock changes in "
        "spring and autumn, write the homes' zone, such as Europe/Paris"
    )
    return [*lines, Line("time_zone", None, why)]


# --- Meters -----------------------------------------------------------------------------------


def _meters(
    cells: pd.DataFrame,
    times: Mapping[str, tuple[object, str]],
    day: Sequence[str],
    decimal: str,
    *,
    is_folder: bool,
) -> list[Line]:
    times = {name: form for name, form in times.items() if name not in day}
    time = next(iter(times), UNKNOWN)
    columns = {"time": time}
    reasons = [f"{time!r} holds times" if times else "which column holds the day or the time?"]
    clock = next((n for n in cells if cells[n].str.match(_CLOCK).mean() > _MOST), time)
    if clock != time and not day:
        columns["time_of_day"] = clock
        reasons.append(f"{clock!r} holds the time of day")
    moment = list(columns.values()) if times else []
    rest = [name for name in cells if name not in {*columns.values(), *times, *day}]
    numbers = {
        name: values for name in rest if (values := _numbers(cells[name], decimal)) is not None
    }
    # No home: decimals, what is called by a unit, and the only numbers that there are.
    readings = {name for name, values in numbers.items() if (values % 1 != 0).any()}
    readings |= {name for name in numbers if _unit_in(name) or (not day and len(numbers) == 1)}
    named = [name for name in rest if name not in readings]
    home, why = _home_of(cells[[*named, *moment]], moment, numbers, is_folder=is_folder)
    reasons.append(why)
    if home is not None:
        columns["home"] = home
    value = None
    if not day:
        value, why = _value_of([name for name in numbers if name != home])
        columns["value"] = value or UNKNOWN
        reasons.append(why)
    lines = [
        Line("kind", "meters", "the rows have times and readings"),
        Line("columns", columns, "; ".join(reasons)),
    ]
    if day:
        why = f"{len(day)} columns, {day[0]} to {day[-1]}, make up a day"
        lines.append(Line("layout", "wide", why))
    if times:
        lines += _time_lines(cells[time], times[time])
    lines.append(_unit_of(list(cells), value, numbers))
    if value is not None and home in cells and _never_falls(numbers[value], cells[home]):
        why = (
            "the readings of a home never fall. Write true if they are those of a meter's display, "
            "of which differences are to be taken, and false if each is the use of an interval"
        )
        lines.append(Line("register", UNKNOWN, why))
    return lines


def _home_of(
    cells: pd.DataFrame, moment: Sequence[str], numbers: Mapping[str, pd.Series], *, is_folder: bool
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
    called = [name for name in fits or repeats if _has(name, _HOME)]
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
    found = [name for name in names if _unit_in(name)] or list(names)
    if len(found) == 1:
        return found[0], f"{found[0]!r} holds the readings"
    if not found:
        return None, "no other column holds numbers: which one holds the readings?"
    return None, f"several columns may hold the readings: {', '.join(map(repr, found))}"


def _unit_in(name: str) -> str | None:
    """A unit that is part of a column's name."""
    words = re.split(r"[^A-Za-z]+", name)
    lower = [word.lower() for word in words]
    return next((unit for unit in _USUAL if unit in words or unit.lower() in lower), None)


def _unit_of(names: Sequence[str], value: str | None, numbers: Mapping[str, pd.Series]) -> Line:
    why = "in what unit are the readings: Wh, kWh or MWh of an interval, or W, kW or MW?"
    if value is None:
        unit = next((unit for name in names if (unit := _unit_in(name))), None)
        return Line("unit", unit or UNKNOWN, "a column is called so" if unit else why)
    middle, unit = numbers[value].median(), _unit_in(value)
    if unit is None:
        why = why.replace(":", f" (the middle reading is {middle:g}):", 1)
        return Line("unit", UNKNOWN, why)
    low, high = _USUAL[unit]
    if low <= middle <= high or numbers[value].is_monotonic_increasing:
        return Line("unit", unit, f"the column is called {value!r}")
    why = (
        f"the column is called {value!r}, but the middle reading, {middle:g}, is hardly that of a "
        f"home in {unit}. In what unit are the readings: {', '.join(_USUAL)}?"
    )
    return Line("unit", UNKNOWN, why)


def _never_falls(values: pd.Series, homes: pd.Series) -> bool:
    """Whether the readings are those of a display."""
    steps = values.groupby(homes[values.index]).diff().dropna()
    return len(steps) >= 10 and bool((steps >= 0).all() and (steps > 0).any())


# --- Trips and people -------------------------------------------------------------------------


def _ends_of(names: Sequence[str]) -> dict[str, str] | None:
    """The four columns of coordinates by our names; None if there are no such four."""
    found = {}
    for (end, ends), (part, parts) in itertools.product(_ENDS.items(), _PARTS.items()):
        mine = [name for name in names if _has(name, ends) and _has(name, parts)]
        if len(mine) != 1:
            return None
        found[f"{end}_{part}"] = mine[0]
    return found if len(set(found.values())) == 4 else None


def _trips(
    cells: pd.DataFrame, times: Mapping[str, tuple[object, str]], ends: Mapping[str, str]
) -> list[Line]:
    columns = dict(ends)
    lines = []
    started = [name for name in times if _has(name, _ENDS["pickup"])]
    why = "the columns are called so"
    if UNKNOWN in ends.values():
        why = f"which columns are the coordinates? The columns are {', '.join(map(repr, cells))}"
    if times:
        chosen = columns["pickup_time"] = [*started, *times][0]
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


def _people(cells: pd.DataFrame) -> list[Line]:
    known = (
        "which columns may an adversary know of a person (age, sex, place, job, ...)? Leave out "
        "names and numbers of people: what is given nowhere is not published. The columns are "
        f"{', '.join(map(repr, cells))}"
    )
    secret = (
        "which columns may an adversary not learn (illness, income, ...)? They are published as "
        "they are; [] for none"
    )
    return [
        Line("kind", "people", "no column of times or coordinates: each row may be a person"),
        Line("identifying", UNKNOWN, known),
        Line("sensitive", UNKNOWN, secret),
    ]
