"""Readings of electricity meters: one table (home, time, energy_kwh), whatever the source."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.errors import DataError

log = logging.getLogger(__name__)


def require_energy(path: str | Path, energy_kwh: pd.DataFrame) -> None:
    """Check that no reading is negative or infinite; a missing one may stand.

    Parameters
    ----------
    path : path
        What the error calls the file.
    energy_kwh : DataFrame
        Readings in kWh, its index the lines of the file.

    Raises
    ------
    DataError
        Names line, column and value.
    """
    bad = ((energy_kwh < 0) | np.isinf(energy_kwh)).to_numpy()
    if bad.any():
        row, column = (int(axis[0]) for axis in np.nonzero(bad))
        raise DataError(
            f"{path}, line {energy_kwh.index[row]}, column {energy_kwh.columns[column]!r}: "
            f"{energy_kwh.iloc[row, column]} kWh is no energy that a home can have used. "
            "Correct the cell, or fetch the original file again."
        )


def report_left_out(dataset: str, reasons: Mapping[str, str], kept: int) -> None:
    """Name in the log every home that is left out, and why.

    Raises
    ------
    DataError
        If no home is left.
    """
    for home, reason in reasons.items():
        log.warning("%s: home %s is left out: %s.", dataset, home, reason)
    log.info("%s: %d homes with all readings, %d left out.", dataset, kept, len(reasons))
    if not kept:
        raise DataError(
            f"{dataset}: no home has all readings of the year ({len(reasons)} left out, see the "
            "log). Is it the right year and file?"
        )


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
