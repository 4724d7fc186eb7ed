"""Made files of meters, whose readings are whole numbers that differ."""

import numpy as np
import pandas as pd

from noiseless.custodian.reading.meters import read_meters
from noiseless.seeds import generator

NAMES = {"home": "meter", "time": "at", "value": "wh"}
HOMES, DAYS = 3, 4


def facts(table):
    return table.set_index("statistic")["value"]


def readings(freq="6h", homes=HOMES, start="2024-01-01", days=DAYS):
    """Whole numbers that differ in every row."""
    stop = pd.Timestamp(start) + pd.Timedelta(days=days)
    times = pd.date_range(start, stop, freq=freq, inclusive="left")
    table = pd.concat(
        [pd.DataFrame({"meter": f"m{k}", "at": times.astype(str)}) for k in range(homes)],
        ignore_index=True,
    )
    table["wh"] = 100 + (np.arange(len(table)) * 37) % 101
    return table


def read(path, **settings):
    return read_meters(path, **{"columns": NAMES, "unit": "Wh", **settings})


def write(path, table, **settings):
    table.to_csv(path, index=False, **settings)
    return path


def edit(path, line, old, new):
    lines = path.read_text().split("\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    path.write_text("\n".join(lines))


def clock_change(day, zone="Europe/Berlin", homes=3):
    """Half-hours of three days around a day; UTC, and the clock of the zone."""
    ends = (pd.Timestamp(day) + pd.Timedelta(days=each) for each in (-1, 2))
    start, stop = (end.tz_localize(zone) for end in ends)
    utc = pd.date_range(start, stop, freq="30min", inclusive="left").tz_convert("UTC")
    table = pd.concat([pd.DataFrame({"meter": f"m{k}", "utc": utc}) for k in range(homes)])
    table["wh"] = 100 + (np.arange(len(table)) * 37) % 101
    table["clock"] = table["utc"].dt.tz_convert(zone).dt.tz_localize(None)
    return table.reset_index(drop=True)


def nem12_file():
    """Two homes of three registers, and three days of half-hours."""
    rng = generator(1, "NEM12")
    lines = ["100,NEM12,200401011200,MDP1,Retailer"]
    for home in ("NMI0000001", "NMI0000002"):
        for suffix in ("E1", "E2", "B1"):
            lines.append(f"200,{home},E1E2B1,{suffix},{suffix},N1,METER1,kWh,30,")
            for day in range(1, 4):
                readings = ",".join(map(str, rng.integers(100, 1000, 48) / 1024))
                lines.append(f"300,2024010{day},{readings},A,,,20240105120000,")
    return ("\n".join([*lines, "900"]) + "\n").encode()
