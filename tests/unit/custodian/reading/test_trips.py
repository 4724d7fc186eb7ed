"""Trips of the user's: which are read, which are excluded, and every way to spoil a file."""

import numpy as np
import pandas as pd
import pytest

from noiseless.custodian.reading.trips import public_box, read_trips
from noiseless.errors import ConfigError, DataError
from noiseless.papers.noiseless.trips import uniqueness_tables
from own_meters import facts, write

ENDS = {
    "pickup_latitude": "a_lat",
    "pickup_longitude": "a_lon",
    "dropoff_latitude": "b_lat",
    "dropoff_longitude": "b_lon",
}
SYDNEY = {"latitude_range_deg": [-34, -33], "longitude_range_deg": [151, 152]}


def rides(number=40):
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            name: rng.uniform(-33.9, -33.8, number).round(4)
            if name.endswith("lat")
            else rng.uniform(151.1, 151.2, number).round(4)
            for name in ENDS.values()
        }
    ).assign(start=pd.date_range("2024-01-01", periods=number, freq="h").astype(str))


def read_rides(path, **settings):
    return read_trips(path, **{"columns": ENDS, **SYDNEY, **settings})


def test_trips_are_counted_by_what_becomes_of_them(tmp_path):
    table = rides()
    table.loc[1, "a_lat"] = np.nan
    table.loc[2, ["a_lat", "a_lon"]] = 0
    table.loc[3, ["b_lat", "b_lon"]] = table.loc[3, ["b_lon", "b_lat"]].tolist()
    table.loc[4, "b_lon"] = 153.5
    path = write(tmp_path / "rides.csv", table)
    tables = read_rides(path, columns={**ENDS, "pickup_time": "start"})
    taken = facts(tables["taken"]).to_dict()
    reasons = {"missing": 1, "zero": 1, "swapped": 1, "outside": 1, "unparsable": 0}
    assert taken == {"rows": 40, "used": 36, **reasons}
    kept = table.drop(index=[1, 2, 3, 4])
    assert tables["table"]["pickup_latitude"].tolist() == kept["a_lat"].tolist()
    assert tables["table"]["pickup_time"].astype(str).tolist() == kept["start"].tolist()
    assert "pickup_time" not in read_rides(path)["table"]


def test_trips_without_times_say_nothing_of_times(tmp_path):
    path = write(tmp_path / "rides.csv", rides())
    settings = {"epsilon_bits": [2, 8, 30], "k": [2], "numbers": [10], **SYDNEY}
    tables = uniqueness_tables(read_rides(path)["table"], **settings)
    assert set(tables["known"]["known"]) == {"start and end", "start", "end"}
    timed = read_rides(path, columns={**ENDS, "pickup_time": "start"})["table"]
    known = uniqueness_tables(timed, **settings)["known"]
    assert "start and end, hour" in set(known["known"])
    same = known[known["known"].isin(tables["known"]["known"].unique())].reset_index(drop=True)
    pd.testing.assert_frame_equal(same, tables["known"])


def test_exchanged_coordinates_are_said_to_be(tmp_path):
    """Sydney's longitudes are no latitudes at all; New York's could be."""
    path = write(tmp_path / "rides.csv", rides())
    exchanged = dict(zip(ENDS, ("a_lon", "a_lat", "b_lon", "b_lat"), strict=True))
    with pytest.raises(DataError, match=r"look exchanged: 40 of 40 rows .*line 2\)"):
        read_rides(path, columns=exchanged)
    table = rides()
    for end in "ab":
        table[[f"{end}_lat", f"{end}_lon"]] = [40.75, -73.97]
    write(path, table)
    new_york = {"latitude_range_deg": [40.49, 40.92], "longitude_range_deg": [-74.27, -73.68]}
    assert len(read_rides(path, **new_york)["table"]) == 40
    with pytest.raises(DataError, match="look exchanged"):
        read_rides(path, **new_york, columns=exchanged)


def test_a_few_coordinates_off_the_globe_are_excluded(tmp_path, caplog):
    table = rides(200)
    table.loc[[6, 9], "b_lat"] = -180
    path = write(tmp_path / "rides.csv", table)
    assert facts(read_rides(path)["taken"])["outside"] == 2
    assert "line 8, column 'b_lat': -180 is not between" in caplog.text
    table.loc[12, "b_lat"] = -180
    with pytest.raises(DataError, match=r"line 8, .* \(2 more in this column\)"):
        read_rides(write(path, table))


def test_spoiled_trips(tmp_path):
    path = tmp_path / "rides.csv"
    table = rides()
    write(path, table.assign(b_lat=table["b_lat"].where(table.index != 6, -133.8)))
    with pytest.raises(DataError, match=r"line 8, column 'b_lat': -133\.8 is not between"):
        read_rides(path)
    write(path, table.assign(a_lon=table["a_lon"].astype(str).where(table.index != 6, "151°")))
    with pytest.raises(DataError, match="line 8, column 'a_lon': '151°' is not a number"):
        read_rides(path)
    write(path, table.assign(start=table["start"].where(table.index != 6, "noon")))
    with pytest.raises(DataError, match="line 8, column 'start': 'noon' is not a time"):
        read_rides(path, columns={**ENDS, "pickup_time": "start"})
    write(path, table)
    with pytest.raises(DataError, match=r"none of the 40 rows .*box of your trips"):
        read_rides(path, latitude_range_deg=[10, 20])
    with pytest.raises(DataError, match=r"'a_lt', .* Did you mean 'a_lat'"):
        read_rides(path, columns={**ENDS, "pickup_latitude": "a_lt"})
    for box in ([3, 2], [-100, 2], [2, 2]):
        with pytest.raises(ConfigError, match="latitude_range_deg is"):
            public_box(box, [0, 1])


def test_real_trips_under_other_names(nyc_taxi_csv, tmp_path):
    """Like the taxis' own parser, from a file with other names, in Parquet and CSV."""
    from noiseless.data.nyc_taxi import COLUMNS, REASONS, judge_rows
    from noiseless.data.plane import Plane

    taxis = pd.read_csv(nyc_taxi_csv, nrows=20_000)
    source = {column: column for column in COLUMNS} | {"pickup_time": "pickup_datetime"}
    if "pickup_at" in taxis:
        source["pickup_time"] = "pickup_at"
    names = {old: f"my {new}" for new, old in source.items()}
    renamed = taxis[list(names)].rename(columns=names)
    renamed.to_parquet(tmp_path / "trips.parquet")
    write(tmp_path / "trips.csv", renamed)
    box = {"latitude_range_deg": [40.49, 40.92], "longitude_range_deg": [-74.27, -73.68]}
    columns = {column: f"my {column}" for column in COLUMNS}
    plain = taxis.rename(columns={old: new for new, old in source.items()}).assign(bad=False)
    verdicts = judge_rows(plain, Plane((40.49, 40.92), (-74.27, -73.68)))
    for name in ("trips.parquet", "trips.csv"):
        found = read_trips(tmp_path / name, columns=columns, **box)
        counts = facts(found["taken"])
        assert counts["used"] == (verdicts == 0).sum()
        for number, reason in enumerate(REASONS, start=1):
            assert counts[reason] == (verdicts == number).sum()
        kept = plain.loc[verdicts == 0, "pickup_latitude"].to_numpy()
        np.testing.assert_array_equal(found["table"]["pickup_latitude"], kept)
