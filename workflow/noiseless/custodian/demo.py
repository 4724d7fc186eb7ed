"""A made-up file of each kind, for who has none: the samples of the public datasets."""

from pathlib import Path
from typing import Any

import yaml

from noiseless.data.samples.london import write_block
from noiseless.data.samples.nyc_taxi import write_trips
from noiseless.data.samples.young_people import write_young_people
from noiseless.files import complete_file

_SEED = 2019
_ENTRIES: dict[str, dict[str, Any]] = {
    "meters": {
        "columns": {"home": "LCLid", "time": "day", "value": "energy_sum"},
        "unit": "kWh",
        "first_day": "2013-01-01",
        "last_day": "2013-12-31",
    },
    "trips": {
        "columns": {
            "pickup_latitude": "pickup_latitude",
            "pickup_longitude": "pickup_longitude",
            "dropoff_latitude": "dropoff_latitude",
            "dropoff_longitude": "dropoff_longitude",
            "pickup_time": "pickup_datetime",
        },
        "latitude_range_deg": [40.49, 40.92],
        "longitude_range_deg": [-74.27, -73.68],
    },
    "people": {"identifying": ["Age", "Height", "Weight", "Gender"], "sensitive": ["Smoking"]},
}


def _write_whole_trips(path: Path) -> None:
    """The sample without its broken lines, which are there to be found."""
    write_trips(path, rows=60_000, seed=_SEED, number=1)
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    names = [name.strip() for name in header.split(",")]
    whole = [line for line in lines if line.count(",") == len(names) - 1]
    path.write_text("\n".join([",".join(names), *whole]) + "\n", encoding="utf-8")


_MAKERS = {
    "meters": lambda path: write_block(path, block=0, seed=_SEED),
    "trips": _write_whole_trips,
    "people": lambda path: write_young_people(path, rows=1000, seed=_SEED),
}


def write_demo(kind: str, folder: Path) -> Path:
    """Write a made-up file, and the configuration that describes it.

    Parameters
    ----------
    kind : str
        ``meters``, ``trips`` or ``people``.
    folder : path

    Returns
    -------
    path
        The configuration.
    """
    name = f"demo-{kind}"
    data, target = folder / name / "made-up.csv", folder / name / "own.yaml"
    with complete_file(data) as partial:
        _MAKERS[kind](partial)
    entry = {"kind": kind, "path": str(data), **_ENTRIES[kind]}
    with complete_file(target) as partial:
        partial.write_text(yaml.safe_dump({"data": {name: entry}}, sort_keys=False))
    return target
