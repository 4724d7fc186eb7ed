"""Sets of homes in the tidy form of :mod:`noiseless.reading.tidy_homes`, such as a user's own.

1. :func:`read_homes` builds the table of meter readings that the experiments read of any set of
   homes, and reports in the log which homes are excluded.
2. :func:`select_half` selects a random half of the homes of any set.
"""

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from noiseless.data.meters import build_meter_table, report_excluded, report_identical
from noiseless.errors import DataError
from noiseless.reading.tidy_homes import (
    INTERVALS_PER_DAY,
    WH_PER_KWH,
    count_identical,
    join_homes,
    read_tidy_homes,
)
from noiseless.seeds import make_generator

log = logging.getLogger(__name__)

MIN_HOMES, MIN_DAYS = 4, 7


def read_homes(
    path: str | Path,
    *,
    resolution: str,
    largest_reading_kwh: float | None = None,
    allow_identical: bool = False,
    days: tuple[str, str] | None = None,
    **further: str | Path,
) -> pd.DataFrame:
    """Read a tidy file as one row per home and time, for the homes that have all readings.

    The form is that of :mod:`noiseless.reading.tidy_homes`; ``further`` files have other homes at
    the same times. The log names the homes that are excluded and those whose readings never change,
    and counts the days between the first and the last that the file does not have. Fewer than 4
    homes or 7 days are refused.
    """
    files = [path, *further.values()]
    path = ", ".join(map(str, files))
    how: dict[str, Any] = {"largest_reading_kwh": largest_reading_kwh, "days": days}
    reads = [read_tidy_homes(each, resolution=resolution, **how) for each in files]
    try:
        read = join_homes(reads)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    name, steps = ", ".join(Path(each).name for each in files), len(read.times)
    number = steps // INTERVALS_PER_DAY[resolution]
    if len(read.names) < MIN_HOMES or number < MIN_DAYS:
        raise DataError(
            f"{path}: {len(read.names)} of {len(read.names) + len(read.excluded)} homes have all "
            f"{resolution} of {number} days; expected {MIN_HOMES} homes and {MIN_DAYS} days or "
            "more. Give more of them, or cut the file to days that more homes have."
        )
    reasons = {home: f"{count} of {steps} readings" for home, count in read.excluded.items()}
    excluded = report_excluded(name, reasons, len(read.names))
    log.info("%s: %s", name, read.format_summary())
    energy_wh = np.rint(read.energy_kwh * WH_PER_KWH)  # meters count whole Wh
    try:
        count_identical(read.names, energy_wh, allow_identical=allow_identical)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    report_identical(name, read.names, energy_wh)
    return build_meter_table(read.names, read.times, read.energy_kwh.ravel(), excluded=excluded)


def select_half(table: pd.DataFrame, half: int, *, seed: int) -> pd.DataFrame:
    """Select the rows of a random half of a table's homes, by seed and number of the half."""
    rng = make_generator(seed, "variants", "half", half)
    homes = np.sort(table["home"].unique())
    kept = rng.permutation(homes)[: len(homes) // 2]
    return table[table["home"].isin(kept)].reset_index(drop=True)
