"""Ausgrid's solar home electricity data: 300 homes, half-hours, July 2010 to June 2013.

One file for each year.  Below a line of notes and the header stands one row for each home,
category and day, with 48 readings in kWh; a column is called by the end of its half-hour on the
local clock.  Categories are GC (general consumption), CL (controlled load, such as a water heater
at night; some homes) and GG (gross generation of the solar panels).  What a home consumes is
GC + CL.
"""

import logging
from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.datasets.csv_files import read_csv
from noiseless.datasets.meters import meter_table, report_left_out, require_energy
from noiseless.errors import DataError

log = logging.getLogger(__name__)

HALF_HOURS = tuple(f"{minute // 60 % 24}:{minute % 60:02}" for minute in range(30, 24 * 60 + 1, 30))
CATEGORIES = ("GC", "CL", "GG")
# The first year writes 1-Jul-10, the others 1/07/2012.
_DATE_FORMATS = ("%d/%m/%Y", "%d-%b-%y")


def read_ausgrid(path: str | Path, *, year: str) -> pd.DataFrame:
    """Parse and check the file of one year.

    Parameters
    ----------
    path : path
        The file in its original format, such as ``Solar home 2012-2013.csv``; may be gzipped.
    year : str
        ``2010-2011``, ``2011-2012`` or ``2012-2013``: 1 July to 30 June.

    Returns
    -------
    DataFrame, one row per home and half-hour
        ``home`` (the customer's number, categorical), ``time`` (start of the half-hour, local
        clock) and ``energy_kwh`` (GC + CL), sorted by home and time.  Homes without a reading for
        every half-hour of the year are left out; the log names them, and says which homes have a
        controlled load on some days only (it is nil on the others) and which rows came twice.

    Raises
    ------
    DataError
        If the file is damaged or not what its name says; file, line and column are named.
    """
    rows = read_csv(
        path,
        texts=["Customer", "Consumption Category", "date"],
        numbers=HALF_HOURS,
        header_starts="Customer",
    )
    _require_known(path, rows)
    require_energy(path, rows[list(HALF_HOURS)])
    rows["day"] = _days(path, rows["date"])
    days = _year(year)
    outside = ~rows["day"].isin(days)
    if outside.any():
        line = outside.idxmax()
        raise DataError(
            f"{path}, line {line}: {rows['date'][line]} is not in the year {year}. Give the file "
            "of that year, or another `data.ausgrid.year`."
        )
    key = ["Customer", "Consumption Category", "day"]
    repeated = rows.duplicated([*key, *HALF_HOURS])
    for line in rows.index[repeated]:
        log.warning("%s, line %d: the row came before; it is read once.", path, line)
    rows = rows[~repeated & (rows["Consumption Category"] != "GG")]
    contradicting = set(rows.loc[rows.duplicated(key), "Customer"])
    rows = rows[~rows["Customer"].isin(contradicting)].set_index(key)[list(HALF_HOURS)]

    general, controlled = (
        rows.xs(category, level=1)
        if category in rows.index.get_level_values(1)
        else rows.iloc[:0].droplevel(1)
        for category in ("GC", "CL")
    )
    everybody = rows.index.unique(level=0).union(sorted(contradicting))
    readings = general.notna().all(axis=1).groupby(level=0).sum().reindex(everybody, fill_value=0)
    short = readings[(readings < len(days)) & ~readings.index.isin(contradicting)]
    reasons = dict.fromkeys(sorted(contradicting), "two rows of the same day differ")
    reasons |= {home: f"{count} of {len(days)} days are whole" for home, count in short.items()}
    gaps = controlled.isna().any(axis=1).groupby(level=0).any()
    reasons |= dict.fromkeys(gaps.index[gaps], "its controlled load has an empty cell")
    homes = [home for home in readings.index if home not in reasons]
    report_left_out("ausgrid", reasons, len(homes))
    homes.sort(key=_number_first)
    some_days = controlled.groupby(level=0).size()
    for home, count in some_days[some_days < len(days)].items():
        log.info("ausgrid: home %s has a controlled load on %d of the days.", home, count)

    grid = pd.MultiIndex.from_product([homes, days])
    energy = general.reindex(grid).add(controlled.reindex(grid), fill_value=0).to_numpy()
    starts = pd.date_range(days[0], periods=energy.size // len(homes), freq="30min", unit="s")
    return meter_table(homes, starts, energy.ravel())


def _number_first(home: str) -> tuple[float, str]:
    """Customers are numbered: 2 comes before 10."""
    return (float(home) if home.isdigit() else np.inf, home)


def _require_known(path: str | Path, rows: pd.DataFrame) -> None:
    for name, known in (("Customer", None), ("Consumption Category", CATEGORIES), ("date", None)):
        bad = rows[name].isna() if known is None else ~rows[name].isin(known)
        if bad.any():
            line = bad.idxmax()
            expected = "is empty" if known is None else f"is not one of {', '.join(known)}"
            raise DataError(
                f"{path}, line {line}, column {name!r}: {rows[name][line]!r} {expected}. The file "
                "is damaged or cut off: fetch it again."
            )


def _days(path: str | Path, dates: pd.Series) -> pd.Series:
    for form in _DATE_FORMATS:
        days = pd.to_datetime(dates, format=form, errors="coerce")
        if days.notna().any():
            break
    bad = days.isna()
    if bad.any():
        line = bad.idxmax()
        raise DataError(
            f"{path}, line {line}, column 'date': {dates[line]!r} is not a date like 1/07/2012 or "
            "1-Jul-10. Fetch the original file again."
        )
    return days


def _year(year: str) -> pd.DatetimeIndex:
    first, last = year.split("-")
    return pd.date_range(f"{first}-07-01", f"{last}-06-30")
