"""Table (home, time, energy_kwh) and checks that all datasets of electricity meters share."""

import logging
from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np
import pandas as pd

from noiseless.arrays import Floats
from noiseless.errors import DataError
from noiseless.reading.columns import CELL_ADVICE, TableColumns
from noiseless.reading.raw_files import format_list
from noiseless.reading.tidy_homes import MAX_KWH_PER_DAY, find_identical

log = logging.getLogger(__name__)


EXCLUDED = "excluded"
"""Attribute of a prepared table: which homes are excluded, and why, in one sentence."""


def check_energy(read: TableColumns, energy_kwh: Mapping[str, Floats], *, per_day: int) -> None:
    """Check that no meter reading (kWh) is negative or above what a home can draw; NaN passes."""
    limit_kwh = MAX_KWH_PER_DAY / per_day
    for key, readings in energy_kwh.items():
        problem = f"{{cell}} kWh is negative; expected energy that a home has used. {CELL_ADVICE}"
        read.check_rows(key, ~(readings < 0), problem)
        problem = f"{{cell}} kWh is more than the {limit_kwh:.4g} a home can draw. {CELL_ADVICE}"
        read.check_rows(key, ~(readings > limit_kwh), problem)


def report_excluded(dataset: str, reasons: Mapping[str, str], kept: int) -> str:
    """Log each excluded home with its reason, and the numbers of homes used and excluded.

    Return that as a sentence, empty for none. Without a home that is left, it is a DataError.
    """
    for home, reason in reasons.items():
        log.warning("%s: home %s is excluded: %s.", dataset, home, reason)
    log.info("%s: %d homes with a reading at each time, %d excluded.", dataset, kept, len(reasons))
    if not kept:
        some = "".join(f"; first: home {home}, {why}" for home, why in islice(reasons.items(), 1))
        raise DataError(
            f"{dataset}: no home has all readings of the year ({len(reasons)} excluded{some}). Is "
            "it the right year and file?"
        )
    if not reasons:
        return ""
    named = format_list([f"{home} ({reason})" for home, reason in reasons.items()])
    return f"{len(reasons)} of {len(reasons) + kept} homes are left out: {named}."


def report_identical(dataset: str, homes: Sequence[str], energy: Floats) -> None:
    """Log the number and names of homes whose readings are those of another home.

    Such homes of public data are not excluded. A home that occurs twice is harder to find in a
    mean, so a user of the results must know of it.
    """
    is_identical = find_identical(np.reshape(energy, (len(homes), -1)))
    if is_identical.any():
        names = [home for home, same in zip(homes, is_identical, strict=True) if same]
        parts = dataset, len(names), format_list(names)
        log.warning("%s: %d homes have the same readings as another one: %s.", *parts)
    else:
        log.info("%s: no two homes have the same readings.", dataset)


def build_meter_table(
    homes: Sequence[str],
    times: pd.DatetimeIndex,
    energy_kwh: Floats,
    *,
    excluded: str = "",
) -> pd.DataFrame:
    """Build the prepared table of meter readings, one row per home and time.

    ``energy_kwh`` has all readings of the first home, then of the next. The attribute
    :data:`EXCLUDED` of the table is the sentence of :func:`report_excluded`.
    """
    codes = np.repeat(np.arange(len(homes)), len(times))
    table = pd.DataFrame(
        {
            "home": pd.Categorical.from_codes(codes, list(homes)),
            "time": np.tile(times.to_numpy(), len(homes)),
            "energy_kwh": energy_kwh,
        }
    )
    table.attrs[EXCLUDED] = excluded
    return table
