"""The file to publish, as the page says, and a note of what was done.

:func:`write_protected` writes both at once: a run that is cut off leaves neither.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from noiseless.custodian.people import protected_people
from noiseless.custodian.trips import NO_TIME, protected_trips
from noiseless.custodian.words import Answer, Tables
from noiseless.errors import ConfigError
from noiseless.files import complete_file
from noiseless.games.membership import WH_PER_KWH, energy_matrix
from noiseless.tables import Provenance

NAME = "protected"


def protected_meters(readings: pd.DataFrame, tables: Tables, **_: Any) -> pd.DataFrame | None:
    """The mean of all homes, for each period, rounded: one series, so that no home is in two.

    None if no release was found.
    """
    frontier = tables["recommendation_frontier"]
    chosen = frontier[(frontier["statistic"] == "chosen") & (frontier["value"] == 1)]
    if chosen.empty:
        return None
    days, step = int(chosen["days_per_value"].iloc[0]), chosen["rounding_kwh"].iloc[0]
    energy = energy_matrix(readings, resolution="days") / WH_PER_KWH
    mean = energy.mean(axis=0)
    periods = len(mean) // days
    daily = mean[: periods * days].reshape(periods, days).mean(axis=1)
    first = pd.DatetimeIndex(readings["time"].unique()).normalize().unique().sort_values()
    return pd.DataFrame(
        {
            "first_day": first[: periods * days : days].strftime("%Y-%m-%d"),
            "days": days,
            "homes": len(energy),
            "mean_kwh_a_day": ((daily / step).round() * step).round(6),
        }
    )


def _trips(
    trips: pd.DataFrame, tables: Tables, *, publish_time: str = NO_TIME, **box: Any
) -> pd.DataFrame | None:
    time, table = publish_time, tables["trips_release"]
    mine = table[(table["time"] == time) & (table["statistic"] == "chosen") & (table["value"] == 1)]
    if mine.empty:
        return None
    return protected_trips(trips, int(mine["levels"].iloc[0]), time, **box)


_MAKERS: Mapping[str, Callable[..., pd.DataFrame | None]] = {
    "meters": protected_meters,
    "trips": _trips,
    "people": protected_people,
}


def write_protected(
    kind: str,
    data: pd.DataFrame,
    tables: Tables,
    settings: Mapping[str, Any],
    answer: Answer,
    folder: Path,
    provenance: Provenance,
) -> Path:
    """Write ``protected.csv`` and ``protected.txt`` beside the page.

    Parameters
    ----------
    kind : str
        ``meters``, ``trips`` or ``people``.
    data : DataFrame
        What was read of the file.
    tables : mapping of str to DataFrame
        What the experiments found of it.
    settings : mapping
        For ``trips``, the box and ``publish_time``; for ``people``, those of
        :func:`noiseless.custodian.people.people_tables`.
    answer : Answer
        What the page says.
    folder : path
    provenance : Provenance

    Returns
    -------
    path
        The CSV file.

    Raises
    ------
    ConfigError
        If nothing was found that could be written.
    """
    table = _MAKERS[kind](data, tables, **settings)
    if table is None or table.empty:
        raise ConfigError(
            f"{folder}: nothing was found that could be published, so there is no protected file. "
            f"The page says why: {folder / 'summary.html'}"
        )
    target = folder / f"{NAME}.csv"
    warning = "\nNOT SHOWN TO BE SAFE: written because it was asked for.\n"
    if answer.is_to_publish:
        warning = ""
    lines = [f"{name}: {text}" for name, text in answer.points] + answer.sentences
    with complete_file(target) as partial, complete_file(target.with_suffix(".txt")) as note:
        table.to_csv(partial, index=False, lineterminator="\n")
        note.write_text(
            f"{target.name}: {len(table):,} rows, made from {provenance.short()}.\n{warning}\n"
            + "\n\n".join([answer.headline, *lines])
            + "\n\nNot promised:\n"
            + "".join(f"- {each}\n" for each in answer.not_promised),
            encoding="utf-8",
        )
    return target
