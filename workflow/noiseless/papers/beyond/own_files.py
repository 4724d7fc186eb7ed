"""Tidy data of one's own: homes, a meter, trips or people, recognized by their columns."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.adversaries.inputs.appliances import Recording
from noiseless.arrays import Floats, Ints
from noiseless.errors import ConfigError, DataError
from noiseless.games.appliances import build_recording
from noiseless.games.membership import WH_PER_KWH
from noiseless.games.own_arrays import Homes
from noiseless.reading.columns import NUMBER, TEXT, TIME, ColumnSpecs, TableColumns, read_columns
from noiseless.reading.tidy_homes import read_tidy_homes

MAINS = "mains"
PLACES = ("from_x_m", "from_y_m", "to_x_m", "to_y_m")
FORMS = {
    "homes": ("home", "time", "energy_kwh"),
    "meter": ("time", "meter", "power_w"),
    "trips": ("trip", *PLACES),
    "people": ("person",),
}
"""Columns of each form of data; people have those of their public ranges, too."""

_KINDS = {"time": TIME, "energy_kwh": NUMBER, "power_w": NUMBER, **dict.fromkeys(PLACES, NUMBER)}
_TABLE = "the table (as CSV)"  # what messages call a DataFrame


class _HeaderError(Exception):
    """Carries the header of a file out of its reader, before any row is read."""

    def __init__(self, header: Sequence[str]) -> None:
        super().__init__(header)
        self.header = header


@contextmanager
def open_data(data: object) -> Iterator[Path]:
    """Give the file of some data, a temporary one for a DataFrame; errors name what was given.

    A :class:`DataError` within this context has the DataFrame's name in place of the file's.
    """
    if isinstance(data, str | Path):
        yield Path(data)
        return
    if not isinstance(data, pd.DataFrame):
        raise ConfigError(
            f"`data` must be a DataFrame or a path of a CSV or Parquet file, got "
            f"{type(data).__name__}. For an array of homes give noiseless.Homes(readings_wh)."
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        data.to_csv(path, index=data.index.name in data.columns or data.index.name is not None)
        try:
            yield path
        except DataError as error:
            raise DataError(str(error).replace(str(path), _TABLE)) from None


def detect_form(path: Path) -> str:
    """Detect the form of a file by its columns; raise DataError if it is of none, or of several."""

    def keep_header(header: Sequence[str]) -> ColumnSpecs:
        raise _HeaderError(header)

    try:
        read_columns(path, columns=keep_header)
    except _HeaderError as error:
        header = error.header
    found = [form for form, columns in FORMS.items() if set(columns) <= set(header)]
    if not found and "home" in header:
        read_tidy_homes(path, resolution="days")  # its message knows wide files
    if len(found) != 1:
        forms = "; ".join(f"{form}: {', '.join(columns)}" for form, columns in FORMS.items())
        raise DataError(
            f"{path}: its columns are {', '.join(header)}, which are of "
            f"{'several forms' if found else 'no form that is known'}. Rename them ({forms})."
        )
    return found[0]


def read_homes(path: Path, *, resolution: str) -> Ints:
    """Read homes, shape (homes, T), in whole Wh; raise DataError if two have identical readings."""
    homes = read_tidy_homes(path, resolution=resolution)
    # Meters count whole Wh.
    whole_wh = np.rint(homes.energy_kwh * WH_PER_KWH).astype(int)
    energy_wh, _ = Homes(
        pd.DataFrame(whole_wh, index=list(homes.names)), in_wh=True
    ).convert_to_wh()
    return energy_wh


def read_recording(path: Path, *, period_s: int) -> Recording:
    """Read a home's meters, averaged in bins that all meters have.

    One of them must be called ``mains``, beside others.
    """
    read = _read_known(path, "meter")
    times = read.get_cells("time")
    parsed = pd.to_datetime(pd.Series(times), format="ISO8601", errors="coerce")
    problem = "{cell}: time must be like 2024-01-31 13:30:00, without a zone"
    read.check_rows("time", parsed.notna().to_numpy(), problem)
    power_w = read.get_numbers("power_w")
    read.check_rows("power_w", ~np.isnan(power_w), "an empty cell. Leave the row out")
    meters = read.get_texts("meter")
    names = list(map(str, meters.categories))
    if MAINS not in names or len(names) < 2:
        raise DataError(
            f"{path}: its meters are {', '.join(names)}, but one must be {MAINS!r}, the power of "
            "the whole home, and another one an appliance's."
        )
    frame = pd.DataFrame(
        {
            "meter": np.asarray(meters, dtype=object),
            "time_s": parsed.to_numpy().astype("datetime64[s]").astype(np.int64),
            "power_w": power_w,
        }
    ).sort_values(["meter", "time_s"], kind="stable")
    return build_recording(frame, mains=MAINS, others=(), period_s=period_s, time_zone="UTC")


def read_trips(path: Path, ends: Mapping[str, tuple[float, float]]) -> Floats:
    """Read starts and ends of trips in metres, shape (trips, 2, 2).

    ``ends`` are both of the public range of ``x`` and of ``y``; :class:`DataError` if a trip occurs
    twice, or a place is missing or outside.
    """
    ranges = {name: ends["x" if "_x_" in name else "y"] for name in PLACES}
    return _read_numbers(path, "trips", ranges).reshape(-1, 2, 2)


def read_people(path: Path, ends: Mapping[str, tuple[float, float]]) -> Floats:
    """Read numbers about people as shares of their public ranges, shape (people, 1, columns).

    ``ends`` names the columns; errors are those of :func:`read_trips`.
    """
    low, high = np.transpose(list(ends.values()))
    return ((_read_numbers(path, "people", ends) - low) / (high - low))[:, None]


def _read_known(path: Path, form: str, numbers: Sequence[str] = ()) -> TableColumns:
    """Read the columns of a form, and further ones of numbers."""
    kinds = {name: _KINDS.get(name, TEXT) for name in FORMS[form]} | dict.fromkeys(numbers, NUMBER)
    return read_columns(path, columns={name: (name, kind) for name, kind in kinds.items()})


def _read_numbers(path: Path, form: str, ranges: Mapping[str, tuple[float, float]]) -> Floats:
    """Read numbers within their public ranges, a row for each name, shape (rows, columns)."""
    read = _read_known(path, form, list(ranges))
    name = FORMS[form][0]
    first = ~pd.Series(read.get_texts(name)).duplicated().to_numpy()
    read.check_rows(name, first, f"a second row of {{cell}}. Give each {name} once")
    columns = []
    for key, (low, high) in ranges.items():
        values = read.get_numbers(key)
        read.check_rows(key, ~np.isnan(values), "an empty cell. Fill it, or leave the row out")
        problem = (
            f"{{cell}} is outside the public range [{low:g}, {high:g}]. Correct it, or widen the "
            "range; never take the smallest and largest value of the data"
        )
        read.check_rows(key, (values >= low) & (values <= high), problem)
        columns.append(values)
    return np.stack(columns, axis=1)
