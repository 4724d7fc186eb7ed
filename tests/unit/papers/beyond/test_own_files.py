"""Tidy files of one's own: what is read, and what is refused with its line."""

import numpy as np
import pandas as pd
import pytest

from noiseless.data.samples.own_files import draw_homes, draw_people, draw_trips
from noiseless.errors import ConfigError, DataError
from noiseless.papers.beyond import own_files


def write(folder, table, name="data.csv"):
    table.to_csv(folder / name, index=False)
    return folder / name


def make_meter(hours=50):
    """Means of 15 minutes; each quarter of an hour has the power of its number."""
    times = pd.date_range("2024-01-01", periods=4 * hours, freq="15min")
    power_w = {"mains": np.arange(4.0 * hours), "kettle": np.arange(4.0 * hours) / 2}
    return pd.concat(
        pd.DataFrame({"time": times, "meter": name, "power_w": each})
        for name, each in power_w.items()
    )


def test_forms_are_known_by_their_columns(tmp_path):
    for form, table in (
        ("trips", draw_trips()),
        ("people", draw_people()),
        ("meter", make_meter()),
        ("homes", pd.DataFrame({"home": ["a"], "time": ["2024-01-01"], "energy_kwh": [1.0]})),
    ):
        assert own_files.detect_form(write(tmp_path, table)) == form
    both = draw_trips().assign(person="x")
    with pytest.raises(DataError, match="which are of several forms"):
        own_files.detect_form(write(tmp_path, both))
    with pytest.raises(DataError, match="must have home, time and energy_kwh"):
        own_files.detect_form(write(tmp_path, draw_homes().drop(columns="time")))


def test_numbers_are_those_of_the_file(tmp_path):
    trips = draw_trips().drop_duplicates()
    places = own_files.read_trips(write(tmp_path, trips), {"x": (0, 1e4), "y": (0, 1e4)})
    np.testing.assert_array_equal(places[7, 1], trips.loc[7, ["to_x_m", "to_y_m"]].astype(float))
    ends = {"age": (0.0, 120.0), "height_cm": (100.0, 220.0)}
    shares = own_files.read_people(write(tmp_path, draw_people().drop_duplicates()), ends)
    assert shares.shape == (400, 1, 2)
    person = draw_people().iloc[3]
    assert shares[3, 0].tolist() == pytest.approx(
        [person["age"] / 120, (person["height_cm"] - 100) / 120]
    )
    recording = own_files.read_recording(write(tmp_path, make_meter()), period_s=3600)
    assert recording.appliances == ("kettle",)
    assert recording.mains_w[:2].tolist() == [1.5, 5.5]  # means of four quarters
    assert np.unique(recording.day).tolist() == [19723, 19724, 19725]  # from 2024-01-01 on


@pytest.mark.parametrize(
    ("table", "read", "said"),
    [
        (
            draw_people(),
            lambda path: own_files.read_people(path, {"age": (0, 120), "weight_kg": (9, 300)}),
            "line 402.* a second row of",
        ),
        (
            draw_trips().drop_duplicates(),
            lambda path: own_files.read_trips(path, {"x": (0, 10), "y": (0, 10)}),
            r"outside the public range \[0, 10\]",
        ),
        (
            make_meter().replace({"mains": "main"}),
            lambda path: own_files.read_recording(path, period_s=900),
            "one must be 'mains'",
        ),
        (
            make_meter().assign(time="noon"),
            lambda path: own_files.read_recording(path, period_s=900),
            "'noon': time must be like",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, table, read, said):
    with pytest.raises(DataError, match=said):
        read(write(tmp_path, table))


def test_a_dataframe_has_a_name_in_messages():
    with (
        pytest.raises(DataError, match=r"^the table \(as CSV\): its columns are a"),
        own_files.open_data(pd.DataFrame({"a": [1]})) as path,
    ):
        own_files.detect_form(path)
    with pytest.raises(ConfigError, match="`data` must be"), own_files.open_data(7):
        pass
