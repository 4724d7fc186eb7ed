"""Parse a real dataset of the folder of shared data into the table that experiments read."""

import sys
from pathlib import Path

from noiseless.data.london import read_london
from noiseless.data.nyc_taxi import prepare_trips
from noiseless.data.redd import read_minutes
from noiseless.data.young_people import read_young_people
from noiseless.tables import Provenance

_ROWS = 1_000_000
_BOX = {"latitude_range_deg": [40.49, 40.92], "longitude_range_deg": [-74.27, -73.68]}


def main(dataset: str, source: Path, output: Path) -> None:
    """Write the table of a dataset."""
    match dataset:
        case "young_people":
            table = read_young_people(path=source / "responses.csv")
        case "london":
            blocks = {path.name.split(".")[0]: path for path in source.glob("block_*.csv.gz")}
            households = source / "informations_households.csv"
            table = read_london(households=households, year=2013, tariff="Std", **blocks)
        case "minutes-3":
            table = read_minutes(path=source)
        case "nyc_taxi":
            trips = source / "yellow_tripdata_2009-01_2016-06_sample_1in1000.csv.gz"
            prepare_trips(
                trips, output, provenance=lambda _: Provenance(""), patience={}, rows=_ROWS, **_BOX
            )
            return
        case _:
            sys.exit(f"there is no dataset {dataset}")
    table.to_parquet(output)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
