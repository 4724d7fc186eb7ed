"""Readers of REDD, the Reference Energy Disaggregation Data Set: a home's mains and appliances.

J. Z. Kolter, M. J. Johnson, "REDD: A public data set for energy disaggregation research", SustKDD
2011.  Five forms of it are read; :func:`noiseless.data.local.locate_redd` tells which of the first
two a path leads to, the registry which of the others a file is:

1. :func:`read_low_freq`: the original folder ``low_freq/house_1`` with ``labels.dat`` and
   ``channel_N.dat`` ("unixtime watts"; mains every second, appliances every 3 to 4 s).
2. :func:`read_nilmtk`: ``redd.h5``, which NILMTK made of that folder.
3. :func:`read_minutes`: house 1 as means of a minute in one CSV file, with three of the paper's
   five appliances and the washer dryer.
4. :func:`read_channels`: house 1 as maxima of a minute in one CSV file, with every sub-meter and
   without the mains, which are taken to be their sum.
5. :func:`read_archive`: a folder in the original form, in a tar archive.

A home has several circuits of sockets and of lights.  The paper takes the top appliances in energy
consumption; here each kind of appliance is the one of its circuits with the largest mean power.
"""

import logging
import re
import shutil
import tarfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from noiseless.arrays import Bools, Floats, Ints
from noiseless.data.meters import EXCLUDED
from noiseless.data.nilmtk_files import NilmtkFile
from noiseless.errors import DataError
from noiseless.reading.columns import (
    CELL_ADVICE,
    NUMBER,
    TIME,
    TableColumns,
    format_some,
    read_columns,
)
from noiseless.reading.raw_files import FETCH_AGAIN, RawFile

log = logging.getLogger(__name__)

MAINS = "mains"
# The paper's five appliances: the labels in the original, and the names here and in NILMTK.
APPLIANCES = {
    "refrigerator": "fridge",
    "microwave": "microwave",
    "kitchen_outlets": "sockets",
    "lighting": "light",
    "dishwaser": "dish washer",
}
# Other appliances that are read, to see whether the paper's five use the most energy.
OTHER_APPLIANCES = {"washer_dryer": "washer dryer"}
_LABELS = APPLIANCES | OTHER_APPLIANCES
_MINUTE_COLUMNS = {
    "Refrigerator": "fridge",
    "Microwave": "microwave",
    "Dish Washer": "dish washer",
    "Washer Dryer": "washer dryer",
}

# The sub-meters of house 1 from channel 3 on, as the file with all of them calls them.
_FIRST_SUB_METER = 3
_CHANNEL_COLUMNS = (
    *("oven", "oven2", "refrigerator", "dishwaser", "kitchen_outlets", "kitchen_outlets2"),
    *("lighting", "washer_dryer", "microwave", "bathroom_gfi", "electric_heat", "stove"),
    *("kitchen_outlets3", "kitchen_outlets4", "lighting2", "lighting3", "washer_dryer2"),
    "washer_dryer3",
)

# Limits of a valid time, from 2000 to 2100, and of a power, beyond what any home's mains carry.
_TIMES_S = (946684800, 4102444800)
_POWERS_W = (-1e6, 1e6)
_ARCHIVE_BYTES = 1 << 32  # all six houses take less than 3 GB
_LABELS_BYTES = 1 << 16  # beyond what the labels of any home take

_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:[0-5]\d(Z|[+-]\d\d:?\d\d)?", re.ASCII)

# The zone of REDD's homes, in which days are counted, by its two names; UTC is that of no home.
_ZONES = ("US/Eastern", "America/New_York", "UTC")


def read_low_freq(*, labels: str | Path, **channels: str | Path) -> pd.DataFrame:
    """Read and check the original folder of one home, as one row per meter and time.

    ``labels`` has a line "channel label" for each channel, ``channel_1`` and so on lines "unixtime
    watts"; other appliances than the paper's and the washer dryer are not read. The columns are
    ``meter`` (``mains`` or the kind of appliance), ``channel`` (0 for the mains, the sum of their
    two legs where both were read), ``time_s`` (Unix time, increasing within a meter) and
    ``power_w``.
    """
    names = _read_labels(Path(labels))
    readings: dict[int, pd.Series] = {}
    for number, label in names.items():
        if label in (MAINS, *_LABELS):
            name = f"channel_{number}"
            if name not in channels:
                raise DataError(
                    f"{labels}: it lists channel {number} ({label}), but {name}.dat is not there. "
                    "Copy the complete folder again."
                )
            readings[number] = _read_channel(Path(channels[name]))
    return _combine_channels(labels, readings, names)


def read_archive(path: str | Path, *, house: int) -> pd.DataFrame:
    """Read and check one home of a tar archive, gzipped or not, that holds the original folder.

    The table is that of :func:`read_low_freq`.
    """
    with TemporaryDirectory() as folder:
        try:
            with tarfile.open(path) as archive:
                unpacked = 0
                for member in archive:
                    unpacked += member.size
                    if unpacked > _ARCHIVE_BYTES:
                        raise DataError(
                            f"{path}: more than {_ARCHIVE_BYTES} bytes come out of it, which no "
                            f"house of REDD has. {FETCH_AGAIN}"
                        )
                    # By their own names alone: nothing is written beyond the temporary folder.
                    name = PurePosixPath(member.name)
                    is_read = re.fullmatch(r"labels\.dat|channel_\d+\.dat", name.name)
                    content = archive.extractfile(member) if member.isfile() else None
                    if is_read and content and name.parent.name == f"house_{house}":
                        with (Path(folder) / name.name).open("wb") as file:
                            shutil.copyfileobj(content, file)
        except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
            raise DataError(f"{path}: no archive, or damaged ({error}). {FETCH_AGAIN}") from None
        files = {each.stem: each for each in Path(folder).iterdir()}
        if "labels" not in files or len(files) == 1:
            raise DataError(
                f"{path}: it has no folder house_{house} with labels.dat, channel_1.dat and so on. "
                f"{FETCH_AGAIN}"
            )
        try:
            return read_low_freq(**files)
        except DataError as error:
            inside = str(error).replace(folder, f"{path}: house_{house}")
            raise DataError(inside) from None


def read_nilmtk(path: str | Path, *, house: int) -> pd.DataFrame:
    """Read and check one home of ``redd.h5``, the dataset in NILMTK's format.

    The table is that of :func:`read_low_freq`. Nothing in it is run: of the pickles that pandas and
    NILMTK put into HDF5, plain values are read, and objects are passed over.
    """
    with NilmtkFile.open(path) as file:
        meters = file.read_meters(house)
        kinds, names = set(_LABELS.values()), dict[int, str]()
        for number, users in meters.items():
            if len(users) > 1 and {MAINS, *kinds} & set(users):
                raise DataError(
                    f"{path}: {' and '.join(users)} are both said to be on meter {number} of "
                    f"building{house}, so it is not known whose power it is. {FETCH_AGAIN}"
                )
            if users[0] in (MAINS, *kinds):
                names[number] = users[0]
        readings = {
            number: _parse_power(file, house, number, is_mains=name == MAINS)
            for number, name in names.items()
        }
    return _combine_channels(path, readings, names)


def _parse_power(file: NilmtkFile, house: int, number: int, *, is_mains: bool) -> pd.Series:
    """Read a meter in NILMTK's format as its power (W) by Unix time (s), after checks.

    NILMTK's converter calls the power of REDD's mains apparent, and has no other; that of an
    appliance is active.
    """
    wanted = [("power", "active"), *([("power", "apparent")] if is_mains else [])]
    where, zone, times, per_s, power_w = file.read_power(house, number, wanted)
    if zone is None:
        raise DataError(f"{where}: its times have no zone. Convert the original folder again.")
    if zone not in _ZONES:
        raise DataError(
            f"{where}: the zone of its home is {ascii(zone)[:60]}, but days are counted in that of "
            f"REDD's homes, {_ZONES[0]}. Give a recording of that zone."
        )
    lacking = np.isnan(power_w)
    if lacking.any():
        some = format_some(lacking, f"row {int(lacking.argmax()) + 1}")
        log.info("%s: %s have no reading.", where, some)
    rows = np.flatnonzero(~lacking)
    times, power_w = times[rows], power_w[rows]
    for numbers, limits, unit in (
        (times / per_s, _TIMES_S, "s since 1970"),
        (power_w, _POWERS_W, "W"),
    ):
        bad = (numbers < limits[0]) | (numbers > limits[1])
        if bad.any():
            raise DataError(
                f"{where}, row {rows[bad.argmax()] + 1}: {numbers[bad.argmax()]:g} "
                f"{_format_limit_problem(unit, limits)}. {FETCH_AGAIN}"
            )
    if (times % per_s != 0).any():
        raise DataError(f"{where}: a time with a fraction of a second. {FETCH_AGAIN}")
    return _sort_readings(where, power_w, times // per_s, lambda k: f"{where}, row {rows[k] + 1}")


def read_minutes(path: str | Path) -> pd.DataFrame:
    """Read and check the CSV file of house 1 with one row a minute.

    The table is that of :func:`read_low_freq`, with channel 0 throughout. The file has
    ``Timestamp`` (the start, with its offset from UTC), ``main`` and the appliances; an empty line
    stands below the header, as in the original. Empty cells are missing readings.
    """
    wanted = {"main": MAINS, **_MINUTE_COLUMNS}
    read = read_columns(
        path,
        columns={"Timestamp": ("Timestamp", TIME), **{name: (name, NUMBER) for name in wanted}},
        exclude_blank_rows=True,
    )
    time_s = _parse_times(read, "Timestamp", "2011-04-18 09:22:00-04:00", has_offset=True)
    parts = []
    for column, meter in wanted.items():
        power_w = read.get_numbers(column)
        _check_limits(read, column, power_w, _POWERS_W, "W")
        parts.append(_build_long_table(meter, 0, _sort_column(read, column, power_w, time_s)))
    return _check_recording(path, parts)


def read_channels(path: str | Path) -> pd.DataFrame:
    """Parse and check the CSV file of house 1 with one row a minute and a column a sub-meter.

    The table is that of :func:`read_low_freq`. Behind ``Time`` (in UTC) stand sub-meters in the
    order of the channels from 3 on, called like their labels, with a number from the second of a
    label on (``lighting2``). A minute in which a cell is empty is left out; the mains (channel 0)
    are the sum of all sub-meters.
    """
    read = read_columns(
        path,
        columns={"Time": ("Time", TIME), **{name: (name, NUMBER) for name in _CHANNEL_COLUMNS}},
    )
    time_s = _parse_times(read, "Time", "2011-05-13 00:01:00", has_offset=False)
    power_w = {}
    for number, column in enumerate(_CHANNEL_COLUMNS, start=_FIRST_SUB_METER):
        power_w[number] = read.get_numbers(column)
        _check_limits(read, column, power_w[number], _POWERS_W, "W")
    lacks: Bools = np.any(np.isnan(list(power_w.values())), axis=0)
    if lacks.any():
        log.info("%s: %s have an empty cell, and do not count.", path, read.format_some(lacks))
    readings = {
        number: _sort_column(
            read, read.names[column], np.where(lacks, np.nan, power_w[number]), time_s
        )
        for number, column in enumerate(_CHANNEL_COLUMNS, start=_FIRST_SUB_METER)
    }
    names = {
        number: re.sub(r"\d+$", "", column)
        for number, column in enumerate(_CHANNEL_COLUMNS, start=_FIRST_SUB_METER)
    }
    kept = {number: each for number, each in readings.items() if names[number] in _LABELS}
    kept[0] = sum(readings.values())
    return _combine_channels(path, kept, {**names, 0: MAINS})


def _parse_times(read: TableColumns, key: str, example: str, *, has_offset: bool) -> Ints:
    """Return Unix times (s) of a column of times; without an offset, they are in UTC."""
    stamps = read.get_texts(key)
    words = [str(word) for word in stamps.categories]
    matches = [_TIME.fullmatch(word) for word in words]
    once = pd.to_datetime(
        pd.Series(
            [word if match else None for word, match in zip(words, matches, strict=True)],
            dtype=object,
        ),
        utc=True,
        errors="coerce",
        format="ISO8601",
    )
    good = once.notna().to_numpy()[stamps.codes]
    read.check_rows(key, good, f"{{cell}} is not a time such as {example}. {CELL_ADVICE}")
    if has_offset:
        offsets = np.array([match is not None and match[1] is not None for match in matches])
        problem = f"{{cell}} has no offset from UTC, such as {example} has. {CELL_ADVICE}"
        read.check_rows(key, offsets[stamps.codes], problem)
    times = once.dt.tz_localize(None).to_numpy().astype("datetime64[s]").astype(np.int64)
    time_s: Ints = times[stamps.codes]
    _check_limits(read, key, time_s, _TIMES_S, "s since 1970")
    return time_s


def _check_limits(
    read: TableColumns, key: str, numbers: np.ndarray, limits: tuple[float, float], unit: str
) -> None:
    """Check that the numbers of a column are within its limits; NaN passes."""
    bad = (numbers < limits[0]) | (numbers > limits[1])
    read.check_rows(key, ~bad, f"{{cell}} {_format_limit_problem(unit, limits)}. {CELL_ADVICE}")


def _format_limit_problem(unit: str, limits: tuple[float, float]) -> str:
    """Format the problem of a number beyond its limits, to follow that number in a message."""
    return f"{unit} is not between {limits[0]:g} and {limits[1]:g}"


def _read_labels(path: Path) -> dict[int, str]:
    """Read and check ``labels.dat`` as the label of each channel number."""
    with RawFile(path).open() as file:
        content = file.read(_LABELS_BYTES)
    try:
        lines = content.decode("utf-8-sig").rstrip().splitlines()
    except UnicodeDecodeError:
        raise DataError(f"{path}: not a text file. Copy the folder again.") from None
    names: dict[int, str] = {}
    for number, line in enumerate(lines, start=1):
        match = re.fullmatch(r"(\d+) +(\S+)", line.strip())
        if match is None:
            raise DataError(
                f"{path}, line {number}: {line!r} is not a channel and its label, such as "
                "`5 refrigerator`."
            )
        if int(match[1]) in names:
            raise DataError(
                f"{path}, line {number}: channel {match[1]} has two labels. {FETCH_AGAIN}"
            )
        names[int(match[1])] = match[2]
    return names


def _read_channel(path: Path) -> pd.Series:
    """Read and check a ``channel_N.dat`` as power (W) by Unix time (s), in the order of time."""
    columns = {"time": ("Unix time", NUMBER), "power": ("power in watts", NUMBER)}
    read = read_columns(
        path,
        columns=columns,
        separator=" ",
        missing=(),
        header=[name for name, _ in columns.values()],
    )
    times, power_w = read.get_numbers("time"), read.get_numbers("power")
    _check_limits(read, "time", times, _TIMES_S, "s since 1970")
    _check_limits(read, "power", power_w, _POWERS_W, "W")
    read.check_rows("time", times % 1 == 0, "a fraction of a second. Copy the file again")
    return _sort_column(read, "power", power_w, times.astype(np.int64))


def _sort_column(read: TableColumns, key: str, power_w: Floats, time_s: Ints) -> pd.Series:
    """Build the power of a column by time; rows without a reading are counted in the log."""
    rows = np.flatnonzero(~np.isnan(power_w))
    name = f"{read.path}, column {read.names[key]!r}"
    if len(rows) < len(power_w):
        log.info("%s: %s have no reading.", name, read.format_some(np.isnan(power_w)))
    return _sort_readings(
        name,
        power_w[rows],
        time_s[rows],
        lambda k: f"{read.format_place(rows[k])}, column {read.names[key]!r}",
    )


def _sort_readings(
    name: str,
    power_w: Floats,
    time_s: Ints,
    format_place: Callable[[int], str],
) -> pd.Series:
    """Build the power by time.

    A reading that repeats an earlier one is counted in the log, and two of one time that differ are
    refused.
    """
    order = np.argsort(time_s, kind="stable")
    times, power = time_s[order], power_w[order]
    is_second = np.append(False, times[1:] == times[:-1])[: len(times)]
    is_other = is_second & np.append(False, power[1:] != power[:-1])[: len(times)]
    if is_other.any():
        second = int(is_other.argmax())
        raise DataError(
            f"{format_place(int(order[second]))}: {power[second]:g} W, but another reading of this "
            f"time is {power[second - 1]:g} W ({is_other.sum()} such readings). Keep the right one."
        )
    if is_second.any():
        first, count = format_place(int(order[is_second.argmax()])), int(is_second.sum())
        log.info("%s: %d readings repeat one of the same time (first: %s).", name, count, first)
    return pd.Series(power[~is_second], times[~is_second])


def _combine_channels(
    source: str | Path, readings: Mapping[int, pd.Series], names: Mapping[int, str]
) -> pd.DataFrame:
    """Build a home's table: the sum of its mains, each appliance's circuit of most mean power."""
    meters: dict[str, dict[int, pd.Series]] = {}
    for number, series in readings.items():
        meters.setdefault(_LABELS.get(names[number], names[number]), {})[number] = series
    parts = []
    for meter, circuits in meters.items():
        if meter == MAINS:
            legs = pd.concat(circuits.values(), axis=1, join="inner")
            parts.append(_build_long_table(meter, 0, legs.sum(axis=1)))
        else:
            top = max(circuits, key=lambda number: circuits[number].mean())
            parts.append(_build_long_table(meter, top, circuits[top]))
    return _check_recording(source, parts)


def _build_long_table(meter: str, channel: int, series: pd.Series) -> pd.DataFrame:
    """Build the rows (meter, channel, time_s, power_w) of one meter from its power by time."""
    return pd.DataFrame(
        {
            "meter": meter,
            "channel": channel,
            "time_s": series.index.to_numpy(dtype=np.int64),
            "power_w": series.to_numpy(dtype=float),
        }
    )


def _check_recording(source: str | Path, parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate the meters' rows, mains first, after checking for mains and an appliance."""
    parts = {part["meter"].iloc[0]: part for part in parts if len(part)}
    if MAINS not in parts:
        raise DataError(f"{source}: the mains have no reading. Is it a complete house of REDD?")
    if not set(APPLIANCES.values()) & set(parts):
        raise DataError(
            f"{source}: none of the paper's appliances has a reading "
            f"({', '.join(APPLIANCES.values())}). Is it house 1 of REDD?"
        )
    absent = [kind for kind in _LABELS.values() if kind not in parts]
    log.info("%s: appliances without a reading: %s.", source, ", ".join(absent) or "none")
    order = [MAINS, *(kind for kind in _LABELS.values() if kind in parts)]
    table = pd.concat([parts[meter] for meter in order], ignore_index=True)
    if lacking := [kind for kind in APPLIANCES.values() if kind in absent]:
        number = len(APPLIANCES) - len(lacking)
        table.attrs[EXCLUDED] = (
            f"{number} of the paper's {len(APPLIANCES)} appliances play; no reading: "
            f"{', '.join(lacking)}."
        )
    return table
