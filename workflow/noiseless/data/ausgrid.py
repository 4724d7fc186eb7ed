"""Ausgrid's solar home electricity data: 300 homes, half-hours, July 2010 to June 2013.

One file for each year.  Below a line of notes and the header stands one row for each home,
category and day, with 48 readings in kWh; a column is called by the end of its half-hour on the
local clock.  Categories are GC (general consumption), CL (controlled load, such as a water heater
at night; some homes) and GG (gross generation of the solar panels).  What a home consumes is
GC + CL.

:func:`read_ausgrid_features` reads a table that other researchers derived from the first year: a
row for each home and day, with the general consumption of the day.
"""

import logging
from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.data.meters import (
    build_meter_table,
    check_energy,
    report_excluded,
    report_identical,
)
from noiseless.reading.columns import NUMBER, TEXT, TableColumns, read_columns

log = logging.getLogger(__name__)

HALF_HOURS = tuple(f"{minute // 60 % 24}:{minute % 60:02}" for minute in range(30, 24 * 60 + 1, 30))
CATEGORIES = ("GC", "CL", "GG")
_COLUMNS = {
    **{name: (name, TEXT) for name in ("Customer", "Consumption Category", "date")},
    **{name: (name, NUMBER) for name in HALF_HOURS},
}
_FEATURES = {
    **{name: (name, TEXT) for name in ("customer", "date")},
    "load_kwh": ("load_kwh", NUMBER),
}
# The first year writes 1-Jul-10, the others 1/07/2012.
_DATE_FORMATS = ("%d/%m/%Y", "%d-%b-%y")


def read_ausgrid(path: str | Path, *, year: str) -> pd.DataFrame:
    """Read and check the file of one year, as one row per home and half-hour.

    The columns are ``home``, ``time`` (start of the half-hour, local clock) and ``energy_kwh`` (GC
    + CL). Homes without a reading for every half-hour from 1 July to 30 June are excluded, and so
    is one if the file ends with a day of its controlled load before the last. The log names them,
    and says which homes have a controlled load on some days only (it is nil on the others) and
    which rows came twice.
    """
    read = read_columns(path, columns=_COLUMNS, header="Customer", exclude_blank_rows=True)
    readings = {name: read.get_numbers(name) for name in HALF_HOURS}
    homes, categories = read.get_texts("Customer"), read.get_cells("Consumption Category")
    read.check_rows(
        "Consumption Category",
        np.isin(categories.astype(str), CATEGORIES),
        f"{{cell}} is not one of {', '.join(CATEGORIES)}. The file is damaged or cut off: fetch it "
        "again",
    )
    rows = pd.DataFrame(
        {
            **{"Customer": np.asarray(homes), "Consumption Category": categories},
            **{"day": _parse_days(read), **readings},
        }
    )
    check_energy(read, readings, per_day=len(HALF_HOURS))
    first, last = year.split("-")
    days = pd.date_range(f"{first}-07-01", f"{last}-06-30")
    outside = ~rows["day"].isin(days).to_numpy()
    problem = f"{{cell}} is not in the year {year}. Give its file, or another `data.ausgrid.year`"
    read.check_rows("date", ~outside, problem)
    cut = _find_truncated_home(rows, days[-1])
    key = ["Customer", "Consumption Category", "day"]
    repeated = rows.duplicated([*key, *HALF_HOURS])
    for row in np.flatnonzero(repeated).tolist():
        log.warning("%s: the row repeats an earlier one; it is used once.", read.format_place(row))
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
    reasons |= {home: f"{count} of {len(days)} days are complete" for home, count in short.items()}
    gaps = controlled.isna().any(axis=1).groupby(level=0).any()
    reasons |= dict.fromkeys(gaps.index[gaps], "its controlled load has an empty cell")
    if cut is not None:
        reasons[cut] = "the file ends within its controlled load, as one that is cut off"
    homes = [home for home in readings.index if home not in reasons]
    excluded = report_excluded("ausgrid", reasons, len(homes))
    homes.sort(key=_get_sort_key)
    some_days = controlled.groupby(level=0).size()
    for home, count in some_days[some_days < len(days)].items():
        log.info("ausgrid: home %s has a controlled load on %d of the days.", home, count)

    grid = pd.MultiIndex.from_product([homes, days])
    energy = general.reindex(grid).add(controlled.reindex(grid), fill_value=0).to_numpy()
    starts = pd.date_range(days[0], periods=energy.size // len(homes), freq="30min", unit="s")
    report_identical("ausgrid", homes, energy.ravel())
    return build_meter_table(homes, starts, energy.ravel(), excluded=excluded)


def read_ausgrid_features(path: str | Path) -> pd.DataFrame:
    """Read and check the daily general consumption (kWh) of the homes of 2010-2011.

    The file is ``ausgrid_daily_features.csv``. Homes that lack a day of the year, or have one
    twice, are excluded; the log names them.
    """
    read = read_columns(path, columns=_FEATURES, exclude_blank_rows=True)
    energy_kwh = read.get_numbers("load_kwh")
    check_energy(read, {"load_kwh": energy_kwh}, per_day=1)
    dates = read.get_texts("date")
    parsed = pd.to_datetime(dates.categories.astype(str), format="%Y-%m-%d", errors="coerce")
    rows = pd.DataFrame(
        {
            "home": np.asarray(read.get_texts("customer")),
            "day": parsed[dates.codes],
            "kwh": energy_kwh,
        }
    )
    days = pd.date_range("2010-07-01", "2011-06-30", unit="s")
    problem = "{cell} is not a day from 2010-07-01 to 2011-06-30. Fetch the file again"
    read.check_rows("date", rows["day"].isin(days).to_numpy(), problem)
    repeated = set(rows.loc[rows.duplicated(["home", "day"]), "home"])
    reasons = dict.fromkeys(sorted(repeated, key=_get_sort_key), "it has two rows for the same day")
    counts = rows[~rows["home"].isin(repeated)].groupby("home")["kwh"].count()
    short = counts[counts < len(days)]
    reasons |= {
        home: f"{count} of {len(days)} days have a reading" for home, count in short.items()
    }
    homes = sorted(counts.index[counts == len(days)], key=_get_sort_key)
    excluded = report_excluded("ausgrid-2010", reasons, len(homes))
    table = rows[rows["home"].isin(homes)].pivot(index="home", columns="day", values="kwh")
    energy = table.loc[homes].to_numpy().ravel()
    report_identical("ausgrid-2010", homes, energy)
    return build_meter_table(homes, days, energy, excluded=excluded)


def _find_truncated_home(rows: pd.DataFrame, last_day: pd.Timestamp) -> str | None:
    """Find the home whose controlled load is cut off by the end of the file; None if none is.

    Only the last row can show a cut.  Elsewhere a missing row of controlled load means that the
    load is nil on that day.
    """
    home, category, day = rows.iloc[-1][["Customer", "Consumption Category", "day"]]
    same = rows[(rows["Customer"] == home) & (rows["Consumption Category"] == "CL")]
    return home if category == "CL" and day < last_day and same["day"].max() == day else None


def _get_sort_key(home: str) -> tuple[float, str]:
    """Return a sort key by which numbered customers come in the order of numbers: 2 before 10."""
    return (float(home) if home.isdigit() else np.inf, home)


def _parse_days(read: TableColumns) -> pd.DatetimeIndex:
    """Parse and check the day of each row, in the format of the file's year."""
    dates = read.get_texts("date")
    for form in _DATE_FORMATS:
        days = pd.to_datetime(dates.categories.astype(str), format=form, errors="coerce")
        if days.notna().any():
            break
    days = days[dates.codes]
    problem = "{cell} is not a date like 1/07/2012 or 1-Jul-10. Fetch the original file again"
    read.check_rows("date", days.notna(), problem)
    return days
