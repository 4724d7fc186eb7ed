"""The first look at a user's file: what is guessed, and what is asked."""

import gzip

import pandas as pd
import pytest
import yaml

from noiseless.datasets.own.__main__ import main
from noiseless.datasets.own.look import UNKNOWN, look, write_configuration
from noiseless.datasets.own.meters import read_meters
from noiseless.datasets.own.trips import read_trips
from noiseless.errors import ConfigError, DataError
from noiseless.seeds import generator


def values_of(found):
    return {line.key: line.value for line in found.lines}


@pytest.fixture
def written(tmp_path):
    def write(text, name="town.csv"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
        return path

    return write


def hours(homes=("M1", "M2"), days=2, form="%Y-%m-%d %H:%M", start="2024-03-01"):
    """Rows of (home, time as text), every hour."""
    times = pd.date_range(start, periods=24 * days, freq="h")
    return [(home, time.strftime(form)) for home in homes for time in times]


def test_a_plain_file_needs_one_answer_at_most_and_then_runs(written):
    rows = "".join(f"{home},{time},0.2{k % 10}\n" for k, (home, time) in enumerate(hours()))
    path = written("meter,read_at,kwh\n" + rows)
    found = look(path)
    assert found.questions == []
    settings = values_of(found)
    assert settings.pop("kind") == "meters"
    assert settings["columns"] == {"time": "read_at", "home": "meter", "value": "kwh"}
    assert settings["unit"] == "kWh"
    table = read_meters(**settings)["table"]
    assert len(table) == 4  # two homes, two days


def test_semicolons_decimal_commas_and_days_first_are_told_from_the_cells(written):
    rows = hours(form="%d/%m/%Y %H:%M", start="2024-03-30")
    body = "".join(f"{home};{time};0,2{k % 10}5\n" for k, (home, time) in enumerate(rows))
    path = written("meter;time;kWh\n" + body, "town.csv.gz")
    settings = values_of(look(path))
    assert settings["separator"] == ";"
    assert settings["decimal"] == ","
    assert settings["time_format"] == "%d/%m/%Y %H:%M"
    settings.pop("kind")
    assert len(read_meters(**settings)["table"]) == 4


@pytest.mark.parametrize(
    ("cell", "time", "key", "words"),
    [
        ("1.234", "2024-03-01", "decimal", ("1234", "three decimals")),
        ("1,234", "2024-03-01", "decimal", ("1234", "three decimals")),
        ("0.5", "01/02/2013", "time_format", ("%d/%m/%Y", "%m/%d/%Y", "01/02/2013")),
    ],
)
def test_what_says_two_things_is_asked(written, cell, time, key, words):
    path = written(f"meter;time;kwh\nA;{time};{cell}\nA;{time};{cell}\n")
    found = look(path)
    assert values_of(found)[key] == UNKNOWN
    (question,) = [each for each in found.questions if each.startswith(key)]
    assert all(word in question for word in words)
    assert question.endswith((".", "?"))
    assert not question[:-1].endswith((".", "?"))


def test_the_month_may_come_first_and_a_year_may_have_two_digits(written):
    path = written("meter,time,kwh\nA,03/31/24,0.5\nA,04/01/24,0.5\n")
    assert values_of(look(path))["time_format"] == "%m/%d/%y"


@pytest.mark.parametrize(
    ("header", "unit"),
    [("wh", "Wh"), ("energy(kWh/hh)", "kWh"), ("power_kW", "kW"), ("reading", UNKNOWN)],
)
def test_a_unit_is_taken_from_a_name_or_asked(written, header, unit):
    path = written(f"meter,time,{header}\nA,2024-03-01,5.5\nA,2024-03-02,4.5\n")
    assert values_of(look(path))["unit"] == unit


def test_a_zone_is_asked_where_times_have_an_offset_and_named_where_not(written):
    body = "meter,time,kwh\nA,2024-03-01T00:00:00Z,0.5\nA,2024-03-01T01:00:00Z,0.5\n"
    assert values_of(look(written(body)))["time_zone"] == UNKNOWN
    assert values_of(look(written(body.replace("Z", ""))))["time_zone"] is None
    seconds = "meter,timestamp,kwh\nA,1709251200,0.5\nA,1709254800,0.5\n"
    settings = values_of(look(written(seconds)))
    assert (settings["time_format"], settings["time_zone"]) == ("unix_s", UNKNOWN)


def test_a_display_that_never_falls_is_asked_about(written):
    rows = "".join(f"{home},{time},{100 + k}\n" for k, (home, time) in enumerate(hours()))
    found = look(written("meter,time,kwh\n" + rows))
    assert values_of(found)["register"] == UNKNOWN
    assert "display" in " ".join(found.questions)


def test_a_wide_file_is_recognised(written):
    names = [f"{k // 2}:{30 * (k % 2):02}" for k in range(48)]
    cells = ",".join(["0.1"] * 48)
    path = written(f"Customer,date,{','.join(names)}\n7,1-Jul-12,{cells}\n7,2-Jul-12,{cells}\n")
    settings = values_of(look(path))
    assert settings["layout"] == "wide"
    assert settings["columns"] == {"time": "date", "home": "Customer"}
    assert settings["time_format"] == "%d-%b-%y"
    assert settings["unit"] == UNKNOWN


def test_trips_ask_for_a_public_box(written):
    path = written(
        "from_lat,from_lon,to_lat,to_lon,start\n" + "48.85,2.35,48.86,2.36,2024-03-01 10:00\n" * 3
    )
    found = look(path)
    settings = values_of(found)
    assert settings["kind"] == "trips"
    assert [each.split(":")[0] for each in found.questions] == [
        "latitude_range_deg",
        "longitude_range_deg",
    ]
    assert "not from your data" in found.questions[0]
    settings.pop("kind")
    settings |= {"latitude_range_deg": [48.0, 49.0], "longitude_range_deg": [2.0, 3.0]}
    assert len(read_trips(**settings)["table"]) == 3


def test_people_ask_for_what_no_file_says(written):
    found = look(written("weight,waist\n80.5,90\n70.5,85\n"))
    settings = values_of(found)
    assert settings["kind"] == "people"
    assert (settings["x1"]["column"], settings["x2"]["column"]) == ("weight", "waist")
    assert settings["x1"]["range"] == [UNKNOWN, UNKNOWN]
    assert len(found.questions) == 3  # x1, x2, threshold


def test_a_hostile_file_cannot_write_keys(tmp_path, written):
    column = 'kwh\x0b    unit: "MWh" #'
    path = written(f'meter,time,"{column}"\nA,2024-03-01,0.5\nA,2024-03-02,0.5\n', "a b'\";c.csv")
    target = tmp_path / "own.yaml"
    write_configuration(path, target)
    parsed = yaml.safe_load(target.read_text())
    assert list(parsed) == ["data"]
    (name,) = parsed["data"]
    assert name == "a-b-c"
    assert parsed["data"][name] == values_of(look(path))


def test_files_that_hold_nothing_of_the_kind_say_so(written):
    for text, message in (
        ("just one column\n1\n2\n", "no table of two columns or more"),
        ("name,colour\nAnn,red\nBob,blue\n", "no times \\(meters\\)"),
        ("meter,meter,kwh\nA,B,1\n", "given twice"),
        ("meter,time,kwh\n", "no row below the header"),
    ):
        with pytest.raises(DataError, match=message):
            look(written(text))


def test_the_command_writes_once_and_says_what_to_answer(tmp_path, written, capsys):
    rng = generator(1, "look")
    rows = "".join(f"A,2024-03-{k + 1:02},{rng.uniform():.2f}\n" for k in range(20))
    path, target = written("meter,time,reading\n" + rows), tmp_path / "own.yaml"
    assert main([str(path), str(target)]) == 0
    assert "- unit: in what unit are the readings" in capsys.readouterr().out
    text = target.read_text()
    assert "# ANSWER THIS: in what unit" in text
    assert yaml.safe_load(text)["data"]["town"]["unit"] == UNKNOWN
    assert main([str(path), str(target)]) == 1
    assert "this file exists" in capsys.readouterr().err
    with pytest.raises(ConfigError):
        write_configuration(path, target)
