"""Files of a user's own, made up, as the docs describe them: ``noiseless samples`` writes them.

1. ``homes.csv``: a row for each home and day, in kWh.
2. ``trips.csv``: a row for each trip, with its ends in metres; one row in twenty comes twice.
3. ``people.csv``: a row for each person; one row in twenty comes twice.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.errors import ConfigError
from noiseless.files import write_atomically
from noiseless.seeds import make_generator

HOMES, DAYS, TRIPS, PEOPLE = 48, 60, 2_000, 400
_SEED = 1
_OTHER_FOLDER = "Name another folder: noiseless samples FOLDER."
_FIRST_NAME = 2**53  # from here on, floats do not tell one whole number from the next


def draw_homes() -> pd.DataFrame:
    """Draw the use of homes of different size, whose days differ, as home, time and energy_kwh."""
    rng = make_generator(_SEED, "own files", "homes")
    usual_kwh = rng.uniform(5, 12, (HOMES, 1))
    kwh = (usual_kwh * rng.uniform(0.6, 1.4, (HOMES, DAYS))).round(3)
    days = pd.date_range("2024-01-01", periods=DAYS).strftime("%Y-%m-%d")
    return pd.DataFrame(
        {
            "home": np.repeat(_make_names(HOMES), DAYS),
            "time": np.tile(days, HOMES),
            "energy_kwh": kwh.ravel(),
        }
    )


def draw_trips() -> pd.DataFrame:
    """Draw trips within a centre and across a map of 10 km, some of them copied."""
    rng = make_generator(_SEED, "own files", "trips")
    far = TRIPS // 4
    places = np.vstack([rng.normal(5_000, 200, (TRIPS - far, 4)), rng.uniform(0, 10_000, (far, 4))])
    trips = pd.DataFrame(
        np.clip(places, 0, 10_000).round(), columns=["from_x_m", "from_y_m", "to_x_m", "to_y_m"]
    )
    trips.insert(0, "trip", [f"{k:05}" for k in range(TRIPS)])
    return _copy_some(trips)


def draw_people() -> pd.DataFrame:
    """Draw people of four towns, some of them copied."""
    rng = make_generator(_SEED, "own files", "people")
    height_cm = rng.normal(172, 9, PEOPLE).clip(125, 215).round()
    weight_kg = rng.normal(27, 4, PEOPLE) * (height_cm / 100) ** 2
    people = pd.DataFrame(
        {
            "person": _make_names(PEOPLE),
            "age": rng.integers(18, 90, PEOPLE),
            "sex": rng.choice(["f", "m"], PEOPLE),
            "town": rng.choice(["A", "B", "C", "D"], PEOPLE, p=[0.6, 0.2, 0.15, 0.05]),
            "weight_kg": weight_kg.clip(35, 190).round(1),
            "height_cm": height_cm,
        }
    )
    return _copy_some(people)


FILES: dict[str, Callable[[], pd.DataFrame]] = {
    "homes.csv": draw_homes,
    "trips.csv": draw_trips,
    "people.csv": draw_people,
}


def write_samples(folder: str | Path) -> dict[Path, pd.DataFrame]:
    """Write the sample files into a folder, which is made if need be; return what is in each."""
    tables = {Path(folder) / name: draw() for name, draw in FILES.items()}
    if there := [path for path in tables if path.exists()]:
        raise ConfigError(f"{there[0]} is there already, and stays as it is. {_OTHER_FOLDER}")
    try:
        for path, table in tables.items():
            with write_atomically(path) as file:
                table.to_csv(file, index=False)
    except OSError as error:
        raise ConfigError(
            f"no file can be written into {folder}: {error.strerror}. {_OTHER_FOLDER}"
        ) from error
    return tables


def _make_names(count: int) -> list[str]:
    """Return names that are whole numbers too large for a float."""
    return [str(_FIRST_NAME + k) for k in range(count)]


def _copy_some(table: pd.DataFrame) -> pd.DataFrame:
    """Append a copy of every twentieth row."""
    return pd.concat([table, table.iloc[::20]])
