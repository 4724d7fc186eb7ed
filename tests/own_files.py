"""``python own_files.py``: write made-up files of a user's own, as the docs describe them.

``homes.csv``, ``trips.csv`` and ``people.csv`` of docs/your-data.md, with copies of every row, and
``game/homes.csv``, which the command ``noiseless game`` reads.
"""

from pathlib import Path

import numpy as np
import pandas as pd

COPIES = 5


def draw_homes():
    rng = np.random.default_rng(1)
    wh = rng.poisson(rng.uniform(5_000, 12_000, (20, 1)) * rng.uniform(0.6, 1.4, (20, 60)))
    homes = pd.DataFrame(wh, columns=[f"day{day}" for day in range(60)])
    homes.insert(0, "home", [str(2**53 + k) for k in range(20)])
    return homes


def draw_trips():
    rng = np.random.default_rng(2)
    middle, far = rng.normal(5_000, 200, (1_500, 4)), rng.uniform(0, 10_000, (500, 4))
    places = np.clip(np.vstack([middle, far]), 0, 10_000).round()
    trips = pd.DataFrame(places, columns=["from_x_m", "from_y_m", "to_x_m", "to_y_m"])
    trips.insert(0, "trip", [f"{k:05}" for k in range(2_000)])
    return trips


def draw_people():
    rng = np.random.default_rng(3)
    count = 400
    height = rng.normal(172, 9, count).clip(125, 215).round()
    return pd.DataFrame(
        {
            "person": [str(2**53 + k) for k in range(count)],
            "age": rng.integers(18, 90, count),
            "sex": rng.choice(["f", "m"], count),
            "town": rng.choice(["A", "B", "C", "D"], count, p=[0.6, 0.2, 0.15, 0.05]),
            "weight_kg": (rng.normal(27, 4, count) * (height / 100) ** 2).clip(35, 190).round(1),
            "height_cm": height,
        }
    )


def write_files(folder):
    """Write the files into a folder."""
    for name, draw in (("homes", draw_homes), ("trips", draw_trips), ("people", draw_people)):
        pd.concat([draw()] * COPIES).to_csv(folder / f"{name}.csv", index=False)
    homes = draw_homes().set_index("home") / 1_000
    homes.columns = pd.date_range("2024-01-01", periods=homes.shape[1]).strftime("%Y-%m-%d")
    readings = homes.melt(var_name="time", value_name="energy_kwh", ignore_index=False)
    (folder / "game").mkdir()
    readings.to_csv(folder / "game/homes.csv")


if __name__ == "__main__":
    write_files(Path())
