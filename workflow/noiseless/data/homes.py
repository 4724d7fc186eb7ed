"""A set of homes of the user's, as a tidy table with ``home``, ``time`` and ``energy_kwh``.

1. :func:`read_homes` checks a CSV or Parquet file, and gives what the experiments read of a public
   set.  An error names the file, the row, its cells and what to do.
2. :func:`half_of` takes half of the homes of any set.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.data.meters import meter_table, report_excluded
from noiseless.errors import DataError
from noiseless.files import sha256_of_file
from noiseless.seeds import generator
from noiseless.tables import Source

COLUMNS = ["home", "time", "energy_kwh"]
FEWEST_HOMES, FEWEST_DAYS = 4, 7
DAY = pd.Timedelta(days=1)
STEPS = {"days": DAY, "hours": DAY / 24, "half-hours": DAY / 48}
MOST_KWH_A_DAY = 1_700  # more than a main fuse lets through: 100 A at 3 x 230 V for 24 hours
_ZONE = r":.*(?:Z|[+-]\d\d:?\d\d)$"


def read_homes(path: str | Path, *, resolution: str) -> pd.DataFrame:
    """Check a file of meter readings.

    Parameters
    ----------
    path : path
        ``.csv`` (UTF-8, commas, decimal points; may be gzipped) or ``.parquet``.
    resolution : str
        ``days``, ``hours`` or ``half-hours``: how far apart the readings are.

    Returns
    -------
    DataFrame, one row per home and time
        ``home`` (categorical), ``time`` (when it begins, standard time all year) and
        ``energy_kwh``, sorted.  Homes that lack a reading are excluded; the log names them.

    Raises
    ------
    DataError
        If the file breaks the contract above.
    """
    step = STEPS[resolution]
    table = _read(Path(path))
    text = table["time"].astype(str)
    time = pd.to_datetime(text, format="ISO8601", errors="coerce", utc=True).dt.tz_localize(None)
    energy = pd.to_numeric(table["energy_kwh"], errors="coerce")
    rows = pd.DataFrame({"home": table["home"].astype(str), "time": time, "energy_kwh": energy})
    for wrong, what in (
        (table["home"].isna(), "no home. Fill it in, or leave the row out"),
        (text.str.contains(_ZONE), "`time` has a zone. Give standard time all year, without one"),
        (time.isna(), "`time` must be like 2024-01-31 or 2024-01-31 13:30"),
        (~np.isfinite(energy), "`energy_kwh` is no number. Leave rows without a reading out"),
        (energy < 0, "`energy_kwh` is below 0. Give what is used, without what is fed in"),
        (time != time.dt.floor(step), f"no reading of {resolution} begins then"),
        (rows.duplicated(["home", "time"]), "a second reading of this home at this time"),
    ):
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            cells = ", ".join(map(str, table.iloc[row]))
            raise DataError(f"{path}: row {row + 2} ({cells}): {what} ({wrong.sum()} such rows).")
    if rows["energy_kwh"].median() * (DAY / step) > MOST_KWH_A_DAY:
        raise DataError(f"{path}: most readings are above {MOST_KWH_A_DAY} kWh a day. Are they Wh?")
    first, last = time.min().floor("D"), time.max().floor("D") + DAY - step
    times = pd.date_range(first, last, freq=step, unit="s")
    counts = rows["home"].value_counts().sort_index()
    kept = counts.index[counts == len(times)].tolist()
    if len(kept) < FEWEST_HOMES or last - first < FEWEST_DAYS * DAY - step:
        never = times.difference(rows["time"])
        raise DataError(
            f"{path}: {len(kept)} of {len(counts)} homes have all {resolution} from "
            f"{first:%Y-%m-%d} to {last:%Y-%m-%d}, but {FEWEST_HOMES} homes and {FEWEST_DAYS} days "
            f"are the least. Cut the file to days that more homes have"
            + (f"; no home has a reading of {never[0]}" if len(never) else "")
            + "."
        )
    lacking = counts[counts < len(times)]
    reasons = {home: f"{count} of {len(times)} readings" for home, count in lacking.items()}
    report_excluded(Path(path).name, reasons, len(kept))
    rows = rows[rows["home"].isin(kept)].sort_values(["home", "time"])
    return meter_table(kept, times, rows["energy_kwh"].to_numpy())


def _read(path: Path) -> pd.DataFrame:
    """The columns of a file; others are an error, so that no misspelt one is overlooked."""
    try:
        if path.suffix == ".parquet":
            table = pd.read_parquet(path)
        else:
            table = pd.read_csv(path, dtype=str, keep_default_na=False, na_values={"home": [""]})
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read: {str(error).splitlines()[0]}.") from None
    if set(table.columns) != set(COLUMNS) or table.empty:
        raise DataError(
            f"{path}: {len(table)} rows of {', '.join(map(str, table.columns))}, but it must "
            f"have the columns {', '.join(COLUMNS)} alone, and a row for each home and time."
        )
    return table[COLUMNS]


def own_source(path: str | Path, *, name: str) -> Source:
    """Where a table of the user's homes comes from; no claim is about it."""
    return Source(dataset=f"own_{name}", tier="own", sha256=sha256_of_file(path), digest="other")


def half_of(table: pd.DataFrame, half: int, *, seed: int) -> pd.DataFrame:
    """A random half of the homes of a table, the same for the same seed and number."""
    rng = generator(seed, "variants", "half", half)
    homes = np.sort(table["home"].unique())
    kept = rng.permutation(homes)[: len(homes) // 2]
    return table[table["home"].isin(kept)].reset_index(drop=True)
