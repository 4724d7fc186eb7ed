"""Readings of electricity meters: one table (home, time, energy_kwh), whatever the source."""

import logging
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.data.columns import AGAIN, Columns
from noiseless.data.raw_files import listed
from noiseless.errors import DataError
from noiseless.tidy_homes import find_identical

log = logging.getLogger(__name__)


def require_energy(read: Columns, energy_kwh: Mapping[str, NDArray[np.float64]]) -> None:
    """Check that no reading is negative; a missing one may stand.

    Parameters
    ----------
    read : Columns
        Where the readings come from.
    energy_kwh : mapping
        Columns of readings in kWh, by key.

    Raises
    ------
    DataError
        Names line, column and value of the first one.
    """
    for key, readings in energy_kwh.items():
        problem = f"{{cell}} kWh is no energy that a home can have used. {AGAIN}"
        read.require(key, ~(readings < 0), problem)


def report_excluded(dataset: str, reasons: Mapping[str, str], kept: int) -> None:
    """Name in the log every home that is excluded, and why.

    Raises
    ------
    DataError
        If no home is left.
    """
    for home, reason in reasons.items():
        log.warning("%s: home %s is excluded: %s.", dataset, home, reason)
    log.info("%s: %d homes with all readings, %d excluded.", dataset, kept, len(reasons))
    if not kept:
        raise DataError(
            f"{dataset}: no home has all readings of the year ({len(reasons)} excluded, see the "
            "log). Is it the right year and file?"
        )


def report_identical(dataset: str, homes: Sequence[str], energy_kwh: NDArray[np.float64]) -> None:
    """Say in the log how many homes have the readings of another one, and which.

    They stay: a home that is there twice is harder to find in a mean, and a reader must know.

    Parameters
    ----------
    dataset : str
    homes : sequence of str, length h
    energy_kwh : ndarray, shape (h * t,)
        All readings of the first home, then of the next.
    """
    is_identical = find_identical(np.reshape(energy_kwh, (len(homes), -1)))
    if is_identical.any():
        names = [home for home, same in zip(homes, is_identical, strict=True) if same]
        parts = dataset, len(names), listed(names)
        log.warning("%s: %d homes have the same readings as another one: %s.", *parts)
    else:
        log.info("%s: no two homes have the same readings.", dataset)


def meter_table(
    homes: Sequence[str], times: pd.DatetimeIndex, energy_kwh: NDArray[np.float64]
) -> pd.DataFrame:
    """The prepared table, from readings home by home.

    Parameters
    ----------
    homes : sequence of str, length h
    times : DatetimeIndex, length t
        Starts of the intervals.
    energy_kwh : ndarray, shape (h * t,)
        All readings of the first home, then of the next.

    Returns
    -------
    DataFrame, h * t rows
        ``home`` (categorical), ``time``, ``energy_kwh``.
    """
    codes = np.repeat(np.arange(len(homes)), len(times))
    return pd.DataFrame(
        {
            "home": pd.Categorical.from_codes(codes, list(homes)),
            "time": np.tile(times.to_numpy(), len(homes)),
            "energy_kwh": energy_kwh,
        }
    )
