"""Synthetic sample of a yearly file of Ausgrid's solar home electricity data."""

from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.data.ausgrid import HALF_HOURS
from noiseless.files import write_atomically
from noiseless.seeds import make_generator

_KWH_PER_DAY = 15.3  # mean per home, 2012-2013, by the aggregate that has been published
_NOTE = "For context and background refer to document 'Solar home electricity data notes'."


def write_ausgrid(path: str | Path, *, homes: int, year: str, seed: int) -> None:
    """Write a synthetic year of half-hourly readings in the original format.

    Every home has a level, a shape of the day, holidays and noise of its own, and all share the
    weather. About two homes in five have a controlled load at night, and every home generates by
    day. As in the original there is a line of notes above the header, and dates are written in the
    year's format. One home misses a day and one row comes twice, so that a run shows that the
    reader notices both.
    """
    rng = make_generator(seed, "sample", "ausgrid", year)
    first, last = year.split("-")
    days = pd.date_range(f"{first}-07-01", f"{last}-06-30")
    dates = _format_dates(days, year)
    hour = np.arange(48) / 2 + 0.25
    season = np.cos(2 * np.pi * (np.arange(len(days)) - 15) / 365)  # winter in July
    weather = np.exp(0.12 * rng.standard_normal(len(days)))
    sun = np.clip(np.sin(np.pi * (hour - 6) / 12), 0, None) * (1.2 - 0.3 * season[:, None])

    lines = [
        _NOTE,
        ",".join(["Customer", "Generator Capacity", "Postcode", "Consumption Category"]),
    ]
    lines[-1] += ",date," + ",".join(HALF_HOURS) + ",Row Quality"
    cells = ",".join(["%.3f"] * len(hour))
    for home in range(1, homes + 1):
        level = _KWH_PER_DAY / 48 * np.exp(0.5 * rng.standard_normal() - 0.125)
        evening = rng.uniform(17, 21)
        shape = 0.6 + 1.4 * np.exp(-(((hour - evening) / 2.5) ** 2)) + rng.uniform(0, 0.8, 48)
        winter = 1 + rng.uniform(0, 0.4) * season
        home_days = np.exp(0.25 * rng.standard_normal(len(days))) * weather * winter
        away = np.zeros(len(days), dtype=bool)
        away[(start := rng.integers(len(days))) : start + rng.integers(4, 18)] = True
        home_days[away] *= 0.2
        spikes = rng.gamma(1.5, 1 / 1.5, (len(days), 48))
        readings = {"GC": level * shape / shape.mean() * home_days[:, None] * spikes}
        if rng.random() < 0.4:
            night = (hour < 5)[None, :] * rng.gamma(2, 0.3, (len(days), 48))
            readings["CL"] = night * rng.uniform(0.3, 1)
        capacity = rng.uniform(1, 4)
        cloud = rng.uniform(0.2, 1, (len(days), 1)) / 2
        readings["GG"] = capacity * sun * cloud
        home_cells = f"{home},{capacity:.2f},{2000 + rng.integers(300)}"
        for category, energy in readings.items():
            lines += [
                f"{home_cells},{category},{date},{cells % tuple(day)},"
                for date, day in zip(dates, energy.tolist(), strict=True)
            ]
    gap = next(k for k, line in enumerate(lines) if line.startswith("2,") and ",GC," in line)
    del lines[gap + 100]
    lines.insert(10, lines[9])
    with write_atomically(path) as partial:
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _format_dates(days: pd.DatetimeIndex, year: str) -> list[str]:
    """Format days as the original file of the year does: 1-Jul-10 in the first, then 1/07/2012."""
    if year == "2010-2011":
        return [f"{day.day}-{day:%b-%y}" for day in days]
    return [f"{day.day}/{day:%m/%Y}" for day in days]
