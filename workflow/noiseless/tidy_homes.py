"""Readings of homes in a documented form: a row for each home and time.

The file is CSV (UTF-8, commas between cells, points before decimals; may be gzipped) or Parquet,
with the columns ``home``, ``time`` and ``energy_kwh``:

1. ``home`` is a name;
2. ``time`` is when the interval of a reading begins, such as ``2024-01-31`` or
   ``2024-01-31 13:30``: standard time all year, without a zone;
3. ``energy_kwh`` is what the home has used in the interval, 0 or more.

Further columns are named and ignored.  :func:`read_tidy_homes` reads it.
"""

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.errors import ConfigError, DataError

COLUMNS = ("home", "time", "energy_kwh")
INTERVALS_PER_DAY = {"days": 1, "hours": 24, "half-hours": 48}  # intervals per day

_MAX_KWH_PER_DAY = 1700  # three phases of 100 A at 230 V carry 1,656 kWh
_DAY = r"\d{4}-\d\d-\d\d"
_TIME = re.compile(rf"{_DAY}([ T]\d\d:\d\d(:\d\d)?)?", re.ASCII)
_ZONED = re.compile(rf"{_DAY}[ T]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)", re.ASCII)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TidyHomes:
    """Readings of homes, each of which has a reading at every time.

    Attributes
    ----------
    names : tuple of str
        The homes, in the order of their names.
    times : DatetimeIndex, length T
        Starts of the intervals, all those of each day that the file has.
    energy_kwh : ndarray, shape (homes, T)
    resolution : str
        ``days``, ``hours`` or ``half-hours``.
    excluded : mapping
        Homes of the file that lack a reading, and how many they have.
    missing_days : int
        Days between the first and the last that the file does not have.
    ignored : tuple of str
        Columns of the file that were not read.
    """

    names: tuple[str, ...]
    times: pd.DatetimeIndex = field(repr=False)
    energy_kwh: NDArray[np.float64] = field(repr=False)
    resolution: str
    excluded: Mapping[str, int]
    missing_days: int
    ignored: tuple[str, ...]

    def format_summary(self) -> str:
        """Format in one line which homes, times and columns were read or excluded."""
        first, last = self.times[0], self.times[-1]
        parts = [
            f"{len(self.names)} homes, {len(self.times)} {self.resolution} from "
            f"{first:%Y-%m-%d} to {last:%Y-%m-%d}, in kWh"
        ]
        if self.missing_days:
            parts.append(f"days between them that are not in the file: {self.missing_days}")
        if self.excluded:
            names = _join_names(list(self.excluded))
            parts.append(f"homes excluded for lack of a reading: {len(self.excluded)} ({names})")
        if self.ignored:
            parts.append(f"columns that are not read: {_join_names(self.ignored)}")
        return "; ".join(parts) + "."


def read_tidy_homes(path: str | Path, *, resolution: str) -> TidyHomes:
    """Read the homes of a file that have a reading at every time.

    Parameters
    ----------
    path : path
        A file as the module describes it.  Its rows may have any order.
    resolution : str
        The interval of the readings: ``days``, ``hours`` or ``half-hours``.

    Returns
    -------
    TidyHomes

    Raises
    ------
    ConfigError
        If there is no such resolution.
    DataError
        If the file is missing, damaged or of another form; or names the first row whose home is
        missing or cannot be shown, whose time has a zone, is of another form or begins no interval,
        whose energy is no number of 0 or more, or that is the second one of its home and time; or
        if no home has all readings, or most are too large for kWh.
    """
    if resolution not in INTERVALS_PER_DAY:
        raise ConfigError(
            f"resolution is {resolution!r}, but it must be one of {_join_names(INTERVALS_PER_DAY)}."
        )
    path = Path(path)
    rows = _read_rows(path)
    home, names = rows.encode_text("home")
    rows.refuse_texts(
        [not name for name in names], home, "no home. Fill it in, or leave the row out"
    )
    hidden = [not name.isprintable() for name in names]
    rows.refuse_texts(hidden, home, "the home has characters that cannot be shown. Rename it")
    time, starts = _read_times(rows, resolution)
    energy_kwh = _read_energy(rows)

    days = starts.normalize().unique().sort_values()
    per_day = INTERVALS_PER_DAY[resolution]
    steps = pd.to_timedelta(np.arange(per_day) * (24 * 60 // per_day), unit="min")
    times = pd.DatetimeIndex((days.to_numpy()[:, None] + steps.to_numpy()).ravel()).as_unit("s")
    place = home * len(times) + times.get_indexer(starts)[time]
    is_repeated = pd.Series(place).duplicated().to_numpy()
    rows.refuse_rows(is_repeated, "a second reading of this home at this time. Give each home once")
    table = np.full((len(names), len(times)), np.nan)
    table.flat[place] = energy_kwh
    if np.median(energy_kwh) > _MAX_KWH_PER_DAY / per_day:
        raise DataError(
            f"{path}: most readings are above {_MAX_KWH_PER_DAY / per_day:.4g} kWh, more than "
            f"any home uses ({resolution}). Are they Wh? Divide them by 1,000."
        )
    readings = np.isfinite(table).sum(axis=1)
    is_complete = readings == len(times)
    if not is_complete.any():
        raise _build_incomplete_error(path, names, times, np.isfinite(table))
    return TidyHomes(
        names=tuple(np.asarray(names, object)[is_complete]),
        times=times,
        energy_kwh=table[is_complete],
        resolution=resolution,
        excluded={
            name: int(count)
            for name, count in zip(names, readings, strict=True)
            if count < len(times)
        },
        missing_days=(days[-1] - days[0]).days + 1 - len(days),
        ignored=rows.ignored,
    )


def find_identical(readings: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Find the rows of an array that equal another row in every column.

    Parameters
    ----------
    readings : ndarray, shape (homes, T)
        Readings, one row for each home.

    Returns
    -------
    ndarray of bool, shape (homes,)

    Examples
    --------
    >>> find_identical(np.array([[1, 2], [3, 4], [1, 2]])).tolist()
    [True, False, True]
    """
    _, first, counts = np.unique(readings, axis=0, return_inverse=True, return_counts=True)
    return np.asarray(counts[first.ravel()] > 1)


# --- Cells ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Rows:
    """Cells of the three columns, and the number of each row in the file.

    Attributes
    ----------
    path : Path
    cells : DataFrame of categories
        The three columns.
    counted : str
        What the numbers count: ``line`` or ``row``.
    number : ndarray of int
        That of each row, from 1.
    ignored : tuple of str
        The other columns.
    """

    path: Path
    cells: pd.DataFrame
    counted: str
    number: Ints
    ignored: tuple[str, ...]

    def encode_text(self, column: str) -> tuple[Ints, list[str]]:
        """Return each row's text as a number, and the sorted texts, stripped of blanks."""
        cells = self.cells[column].cat
        stripped = np.array([str(each).strip() for each in cells.categories] + [""], dtype=str)
        words, number = np.unique(stripped, return_inverse=True)
        codes = number.ravel()[
            cells.codes.to_numpy()
        ]  # code -1 (missing) takes the last text, the empty one
        used, codes = np.unique(codes, return_inverse=True)
        return codes.ravel().astype(np.int64), [str(word) for word in words[used]]

    def refuse_texts(self, is_bad: Sequence[bool], codes: Ints, problem: str) -> None:
        """Check rows by the texts of a column; raise DataError for the first bad text."""
        self.refuse_rows(np.asarray(is_bad, dtype=bool)[codes], problem)

    def refuse_rows(self, is_bad: NDArray[np.bool_], problem: str) -> None:
        """Raise DataError that names the first bad row, if there is one."""
        if not is_bad.any():
            return
        row = int(is_bad.argmax())
        cells = [self.cells[column].iloc[row] for column in COLUMNS]
        shown = ", ".join("" if pd.isna(each) else _shorten(each) for each in cells)
        raise DataError(
            f"{self.path}, {self.counted} {self.number[row]} ({shown}): {problem} "
            f"({is_bad.sum()} such rows)."
        )


def _read_times(rows: _Rows, resolution: str) -> tuple[Ints, pd.DatetimeIndex]:
    """Parse the times; return the number of each row's time, and the sorted times."""
    codes, words = rows.encode_text("time")
    zoned = [_ZONED.fullmatch(word) is not None for word in words]
    rows.refuse_texts(zoned, codes, "time has a zone. Give standard time all year, without one")
    plain = pd.Series([word if _TIME.fullmatch(word) else None for word in words], dtype=object)
    # Check after parsing, as 2024-02-30 matches the pattern but is no day.
    parsed = pd.to_datetime(plain, format="ISO8601", errors="coerce")
    starts = pd.DatetimeIndex(parsed).as_unit("s")
    problem = "time must be like 2024-01-31 or 2024-01-31 13:30"
    rows.refuse_texts(np.asarray(starts.isna()).tolist(), codes, problem)
    minutes = 24 * 60 // INTERVALS_PER_DAY[resolution]
    is_off_grid = (starts - starts.normalize()) % pd.Timedelta(minutes=minutes) != pd.Timedelta(0)
    problem = f"no reading of {resolution} begins then. Say which resolution the readings have"
    rows.refuse_texts(np.asarray(is_off_grid).tolist(), codes, problem)
    return codes, starts


def _read_energy(rows: _Rows) -> NDArray[np.float64]:
    """Parse the energy of each row, in kWh."""
    codes, words = rows.encode_text("energy_kwh")
    values = np.array([float(word) if _NUMBER.fullmatch(word) else np.nan for word in words])
    problem = "energy_kwh is no number. Leave rows without a reading out"
    rows.refuse_texts((~np.isfinite(values)).tolist(), codes, problem)
    problem = "energy_kwh is below 0. Give what is used, without what is fed in"
    rows.refuse_texts((values < 0).tolist(), codes, problem)
    return np.asarray(values[codes])


def _build_incomplete_error(
    path: Path, names: Sequence[str], times: pd.DatetimeIndex, is_there: NDArray[np.bool_]
) -> DataError:
    """Build the error for a file in which every home lacks a reading."""
    is_lacking = ~is_there.any(axis=0)
    most = int(is_there.sum(axis=1).argmax())
    lacking = times[is_lacking] if is_lacking.any() else times[~is_there[most]]
    who = (
        "no home" if is_lacking.any() else f"home {_shorten(names[most])}, which has most, does not"
    )
    verb = "has" if is_lacking.any() else "have"
    return DataError(
        f"{path}: none of {len(names)} homes has all {len(times)} readings from {times[0]} to "
        f"{times[-1]}: {who} {verb} one of {lacking[0]} ({len(lacking)} such times). Cut the file "
        "to days that homes have completely."
    )


# --- Files ------------------------------------------------------------------------------------


def _read_rows(path: Path) -> _Rows:
    """Read the cells of the three columns from a CSV or Parquet file."""
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except FileNotFoundError:
        raise DataError(f"{path}: no such file.") from None
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}).") from None
    is_parquet = start == b"PAR1"
    is_gzip = start.startswith(b"\x1f\x8b")
    table = _read_parquet(path) if is_parquet else _read_csv(path, is_gzip)
    header = [str(name) for name in table.columns]
    if {header.count(name) for name in COLUMNS} != {1}:
        raise _build_columns_error(path, header, table)
    if not len(table):
        raise DataError(f"{path}: there are no rows below the header.")
    cells = table.loc[:, list(COLUMNS)].astype("category")
    number = table.index.to_numpy() + 1
    ignored = tuple(name for name in header if name not in COLUMNS)
    return _Rows(path, cells, "row" if is_parquet else "line", number, ignored)


def _read_csv(path: Path, is_gzip: bool) -> pd.DataFrame:
    """Read all cells of a CSV file below its header; the index is the line less 1."""
    try:
        # The header is read as a row, so that pandas neither renames names that occur twice nor
        # takes a column for the index.
        table = pd.read_csv(
            path, header=None, dtype="category", na_filter=False, skip_blank_lines=False,
            encoding="utf-8-sig", compression="gzip" if is_gzip else None,
        )  # fmt: skip
    except UnicodeDecodeError:
        raise DataError(f"{path}: not UTF-8 text. Save it as CSV (UTF-8).") from None
    except pd.errors.EmptyDataError:
        raise DataError(f"{path}: the file is empty.") from None
    except pd.errors.ParserError as error:
        reason = str(error).strip().splitlines()[0].removeprefix("Error tokenizing data. C error: ")
        raise DataError(
            f"{path}: no CSV of equally long rows, with commas between cells and points before "
            f"decimals ({ascii(reason)[1:-1]})."
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path}: damaged or cut off ({ascii(str(error))[1:-1]}).") from None
    header = [str(table[column].iloc[0]).strip() for column in table]
    rows = table.iloc[1:].set_axis(header, axis=1)
    blank = np.all([rows.iloc[:, k] == "" for k in range(rows.shape[1])], axis=0)
    return rows[~blank]


def _read_parquet(path: Path) -> pd.DataFrame:
    """Read all cells of a Parquet file; the index is the row less 1."""
    try:
        return pd.read_parquet(path).reset_index(drop=True)
    except ImportError:
        raise DataError(
            f"{path}: Parquet needs pyarrow, which is not installed: `pip install pyarrow`, or "
            "give the file as CSV."
        ) from None
    except (OSError, ValueError) as error:
        reason = (str(error).strip().splitlines() or ["?"])[0]
        raise DataError(
            f"{path}: no complete Parquet file ({ascii(reason[:200])[1:-1]})."
        ) from None


def _build_columns_error(path: Path, header: Sequence[str], table: pd.DataFrame) -> DataError:
    """Build the error for other columns, with the pandas line that converts a wide file."""
    message = (
        f"{path}: its columns are {_join_names(header)}, but it must have home, time and "
        "energy_kwh, once each, and a row for each home and time"
    )
    is_time = [re.match(_DAY, name) is not None for name in header]
    first_cells = [str(each) for each in table.iloc[:3, 0]] if len(table) else []
    read = f"pd.read_csv({str(path)!r})"
    if len(header) > 2 and first_cells and all(re.match(_DAY, each) for each in first_cells):
        kept, turned = "time", "home"
        if header[0] != "time":
            read += f'.rename(columns={{"{header[0] or "Unnamed: 0"}": "time"}})'
    elif sum(is_time) > 1:
        kept, turned = "home", "time"
        if not header[0]:  # the index column that pandas writes
            read = f"pd.read_csv({str(path)!r}, index_col=0)"
        others = [name for name in header if name and re.match(_DAY, name) is None]
        if others and "home" not in others:
            read += f'.rename(columns={{"{others[0]}": "home"}})'
        elif not others:  # the homes stand in the column without a name
            read += '.rename_axis("home").reset_index()'
    else:
        return DataError(message + ".")
    return DataError(
        f"{message}. This one is wide, and one line of pandas turns it: "
        f'{read}.melt("{kept}", var_name="{turned}", value_name="energy_kwh").dropna()'
        '.to_csv("tidy.csv", index=False)'
    )


def _shorten(text: object) -> str:
    """Return at most 40 printable characters of a text; escape others."""
    word = str(text)[:40]
    return word if word.isprintable() else ascii(word)[1:-1]


def _join_names(names: Sequence[str] | Mapping[str, object], most: int = 8) -> str:
    """Join some names by commas, and add the number of the others."""
    shown = [_shorten(name) or "(no name)" for name in list(names)[:most]]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + more
