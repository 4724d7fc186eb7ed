"""Smart meters in London: 5,566 homes, daily energy, November 2011 to February 2014.

UK Power Networks, "Low Carbon London", in the daily form of Kaggle's ``smart-meters-in-london``:
``informations_households.csv`` with the tariff of each home, and up to 112 files
``daily_dataset/block_N.csv`` of about 50 homes each.  Homes joined until late in 2012, so that
2013 is the year to take; some had a time-of-use tariff (ToU), the others the standard one (Std).
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
from noiseless.errors import DataError
from noiseless.reading.columns import NUMBER, TEXT, format_some, read_columns
from noiseless.reading.raw_files import format_list

log = logging.getLogger(__name__)

_HALF_HOURS_PER_DAY = 48  # number of half-hourly readings of a complete day
_BLOCK_COLUMNS = {
    **{name: (name, TEXT) for name in ("LCLid", "day")},
    **{name: (name, NUMBER) for name in ("energy_sum", "energy_count")},
}


def read_london(
    *, households: str | Path, year: int, tariff: str, **blocks: str | Path
) -> pd.DataFrame:
    """Read and check the daily files of one year and tariff, as one row per home and day.

    The columns are ``home``, ``time`` (the day, local clock) and ``energy_kwh``; a tariff is
    ``Std`` or ``ToU``. Homes without an ``energy_sum`` on every day of the year, or with two rows
    for a day, are excluded; the log names them, and says how many of the days taken miss
    half-hours, of which a sum of one alone counts as that of a day.
    """
    tariffs = read_columns(
        households,
        columns={name: (name, TEXT) for name in ("LCLid", "stdorToU")},
        exclude_blank_rows=True,
    )
    everybody = tariffs.get_texts("LCLid")
    has_tariff = tariffs.get_cells("stdorToU") == tariff
    if not has_tariff.any():
        others = format_list([repr(each) for each in sorted(set(tariffs.get_cells("stdorToU")))])
        raise DataError(
            f"{households}: no home has the tariff {tariff!r} in column 'stdorToU', but {others}. "
            "Fetch the original file again, or give another `data.london.tariff`."
        )
    chosen = set(everybody[has_tariff])
    rows = pd.concat(_read_block(path, year, set(everybody.categories)) for path in blocks.values())
    if rows.empty:
        raise DataError(
            f"london: no row of {', '.join(map(str, blocks.values()))} is of {year}. Give the "
            "blocks of that year, or another `data.london.year`."
        )
    rows = rows[rows["LCLid"].isin(chosen)]

    days = pd.date_range(f"{year}-01-01", f"{year}-12-31", unit="s")
    repeated = set(rows.loc[rows.duplicated(["LCLid", "day"]), "LCLid"])
    reasons = dict.fromkeys(sorted(repeated), "it has two rows for the same day")
    counts = rows[~rows["LCLid"].isin(repeated)].groupby("LCLid")["energy_sum"].count()
    short = counts[counts < len(days)]
    reasons |= {
        home: f"{count} of {len(days)} days have a reading" for home, count in short.items()
    }
    homes = sorted(counts.index[counts == len(days)])
    excluded = report_excluded("london", reasons, len(homes))

    rows = rows[rows["LCLid"].isin(homes)].sort_values(["LCLid", "day"])
    # Days of this data set may be sums of a few half-hours, which a total would not tell.
    partial = ~(rows["energy_count"].to_numpy() >= _HALF_HOURS_PER_DAY)
    if partial.any():
        home, day, _, count = rows.iloc[int(partial.argmax())][list(_BLOCK_COLUMNS)]
        first = f"home {home} on {day:%Y-%m-%d}, with {count:g} of {_HALF_HOURS_PER_DAY}"
        log.warning(
            "london: %s miss half-hours; their sums are taken as they are, too small.",
            format_some(partial, first),
        )
    energy_kwh = rows["energy_sum"].to_numpy()
    report_identical("london", homes, energy_kwh)
    return build_meter_table(homes, days, energy_kwh, excluded=excluded)


def _read_block(path: str | Path, year: int, known: set[str]) -> pd.DataFrame:
    """Read the rows of one block that lie in the year, as LCLid, day and the numbers of the day."""
    read = read_columns(path, columns=_BLOCK_COLUMNS, exclude_blank_rows=True)
    homes, dates = read.get_texts("LCLid"), read.get_texts("day")
    there = homes.categories.isin(known)[homes.codes]
    read.check_rows(
        "LCLid",
        there,
        "{cell} is not in informations_households.csv. Take all files from the same source",
    )
    days = pd.to_datetime(dates.categories.astype(str), format="%Y-%m-%d", errors="coerce")
    days = days[dates.codes]
    problem = f"{{cell}} is not a date like {year}-01-31. Fetch the original file again"
    read.check_rows("day", days.notna(), problem)
    numbers = {name: read.get_numbers(name) for name in ("energy_sum", "energy_count")}
    check_energy(read, {"energy_sum": numbers["energy_sum"]}, per_day=1)
    rows = pd.DataFrame({"LCLid": np.asarray(homes), "day": days, **numbers})
    return rows[days.year == year]
