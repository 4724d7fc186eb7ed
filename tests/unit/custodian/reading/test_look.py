"""The first look at a user's file: what is guessed, and what is asked."""

import csv
import gzip
import io
import re
import zipfile

import hypothesis
import pandas as pd
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from noiseless.command_line import main
from noiseless.custodian.reading.look import UNKNOWN, look
from noiseless.custodian.reading.meters import read_meters
from noiseless.custodian.reading.trips import read_trips
from noiseless.errors import DataError
from noiseless.pipeline.configuration import load_config
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


HEADINGS = [
    *("Zähler-Nr.", "Zaehler", "Kunde", "Serial", "MPAN", "compteur", "contador", "счётчик"),
    *("customer", "id", "LCLid", "meter", "x", "1", "Kunde?", "{home}", "%", "a: b, 'c' #"),
]
# What the homes are called, and whether rows go by home or by time.
HOMES = {
    "texts": ("H-1", "H-2", "H-3"),
    "long numbers": ("100451", "100452", "100467"),
    "short numbers": ("1", "2", "3"),
}


def of_homes(heading, homes, *, by_time=False, beside=(), whole=False):
    """A file of readings of homes every hour, with more columns beside."""
    rows = sorted(hours(homes), key=lambda row: row[1]) if by_time else hours(homes)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([heading, "when", *(name for name, _ in beside), "amount"])
    for k, (home, time) in enumerate(rows):
        reading = 100 + k * 37 % 101
        reading = reading if whole else reading / 1000
        writer.writerow([home, time, *(cells[k % len(cells)] for _, cells in beside), reading])
    return text.getvalue()


def settings_after_answers(path, answers):
    """What the workflow makes of a first look, after each ? is answered; and what was asked."""
    target = path.with_suffix(".yaml")
    target.unlink(missing_ok=True)
    found = look(path)
    target.write_text(found.yaml(), encoding="utf-8")
    asked = [line.key for line in found.lines if line.asked]
    mine = yaml.safe_load(target.read_text(encoding="utf-8"))
    (keys,) = mine["data"].values()
    assert keys == values_of(found)
    keys |= {key: answers[key] for key in asked}
    target.write_text(yaml.safe_dump(mine), encoding="utf-8")
    accepted = load_config(target)["data"][found.name]
    assert accepted.pop("kind") == "meters"
    return accepted, asked


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("homes", HOMES.values(), ids=HOMES)
@pytest.mark.parametrize("by_time", [False, True])
def test_the_home_is_found_by_its_values_whatever_its_heading(written, heading, homes, by_time):
    path = written(of_homes(heading, homes, by_time=by_time))
    keys, asked = settings_after_answers(path, {"unit": "kWh"})
    assert asked == ["unit"]
    assert keys["columns"] == {"home": heading, "time": "when", "value": "amount"}
    assert set(read_meters(**keys)["table"]["home"]) == set(homes)


@pytest.mark.parametrize(
    ("beside", "whole"),
    [
        ((("Tarif", ("HT", "NT")),), False),
        ((("Einheit", ("kWh",)), ("Status", ("A", "A", "A", "E"))), False),
        ((), True),  # readings that are whole numbers, as the homes are
        ((("empty", ("",)), ("°C", (3, 4, 5, 4, 3))), False),
    ],
)
def test_the_home_is_found_beside_other_columns(written, beside, whole):
    """Two columns of numbers may both hold the readings: that is asked."""
    path = written(of_homes("Kunde", HOMES["long numbers"], beside=beside, whole=whole))
    columns = {"home": "Kunde", "time": "when", "value": "amount"}
    keys, _ = settings_after_answers(path, {"unit": "Wh", "columns": columns})
    assert values_of(look(path))["columns"]["home"] == "Kunde"
    assert keys["columns"] == columns
    assert len(read_meters(**keys)["table"]) == 6


ONE_HOME = "".join(f"7,2024-03-0{d},{h},{0.1 + h / 9:.3f}\n" for d in (1, 2) for h in range(1, 25))
TWICE = "".join(
    f"{home};2024-03-{day:02};{kind};0,{day}5\n"
    for home in (7, 8, 9)
    for day in range(1, 9)
    for kind in ("in", "out")
)


@pytest.mark.parametrize(
    ("text", "may_be"),
    [
        ("Kunde,Tag,Stunde,amount\n" + ONE_HOME, "'Stunde', 'Kunde'"),
        ("Kunde;Tag;Richtung;amount\n" + TWICE, "'Kunde', 'Richtung'"),
        ("Kunde,Ort,when,amount\nA,B,2024-03-01,0.5\nA,B,2024-03-02,0.6\n", "'Kunde', 'Ort'"),
        ("Kunde,when,amount\nA,2024-03-01,0.5\nB,2024-03-02,0.6\n", "none repeats its values"),
        ("Kunde,amount,°C\nA,0.5,2\nA,0.6,3\nB,0.5,2.5\nB,0.5,2\n2024-03-01,5.5,1\n", None),
        ("when,amount\n2024-03-01,5.5\n2024-03-02,6.5\n", "none repeats its values"),
    ],
    ids=["hours of a day", "rows of two kinds", "two constants", "no repeats", "no times", "none"],
)
def test_a_home_that_the_file_does_not_show_is_asked(written, text, may_be):
    found = look(written(text))
    if may_be is None:
        assert values_of(found)["kind"] == "people"  # no column is of times
        return
    assert values_of(found)["columns"]["home"] == UNKNOWN
    (question,) = [why for key, why in found.questions if key == "columns.home"]
    assert f"which column names the home ({may_be}" in question


def test_files_of_a_folder_are_homes_but_for_a_column_of_several(tmp_path):
    rows = of_homes("Zähler", ("a",), beside=[("Einheit", ("kWh",))])
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text(rows)
    assert "home" not in values_of(look(tmp_path))["columns"]
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text(of_homes("Zähler", HOMES["texts"]))
    assert values_of(look(tmp_path))["columns"]["home"] == "Zähler"


@pytest.mark.slow
@hypothesis.settings(max_examples=100)
@given(
    heading=st.text(st.characters(codec="utf-8"), max_size=20),
    homes=st.sampled_from(list(HOMES.values())),
    by_time=st.booleans(),
)
@example(heading="<", homes=HOMES["texts"], by_time=False)
@example(heading="\x7f", homes=HOMES["texts"], by_time=False)
@example(heading="\U000e0001", homes=HOMES["texts"], by_time=False)
def test_no_heading_of_the_homes_is_too_odd(tmp_path_factory, heading, homes, by_time):
    """It is found, or asked for, or the file is refused; what is found is what is read."""
    path = tmp_path_factory.getbasetemp() / "odd.csv"
    path.write_text(of_homes(heading, homes, by_time=by_time), encoding="utf-8")
    name = heading.strip()
    columns = {"home": name, "time": "when", "value": "amount"}
    try:
        keys, asked = settings_after_answers(path, {"unit": "kWh", "columns": columns})
    except DataError:
        assert not heading.isprintable() or name in ("when", "amount") or name.startswith("<")
        return
    if heading.isprintable():
        assert keys["columns"] == columns
        words = set(re.split(r"[^a-z]+", name.lower()))
        odd = name in ("", UNKNOWN) or words & {"w", "wh", "kw", "kwh", "mw", "mwh"}
        assert "columns" not in asked or odd
        if name:
            assert set(read_meters(**keys)["table"]["home"]) == set(homes)


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


def test_text_of_windows_is_told_and_read(tmp_path):
    path = tmp_path / "town.csv"
    path.write_bytes(of_homes("Zähler", ("Süd", "Größe", "M3")).encode("cp1252"))
    settings, _ = settings_after_answers(path, {"unit": "kWh"})
    assert settings["encoding"] == "windows-1252"
    found = read_meters(**settings)["table"]
    assert list(found["home"].unique()) == sorted(["Süd", "Größe", "M3"])
    del settings["encoding"]
    with pytest.raises(DataError, match=r"line 1: not UTF-8 text .byte 0xe4.*encoding"):
        read_meters(**settings)


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
    question = dict(found.questions)[key]
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
    path = written(f"meter,time,{header}\nA,2024-03-01,25.5\nA,2024-03-02,24.5\n")
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
    assert "display" in dict(found.questions)["register"]


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
    asked = dict(found.questions)
    assert list(asked) == ["latitude_range_deg", "longitude_range_deg"]
    assert "not from your data" in asked["latitude_range_deg"]
    settings.pop("kind")
    settings |= {"latitude_range_deg": [48.0, 49.0], "longitude_range_deg": [2.0, 3.0]}
    assert len(read_trips(**settings)["table"]) == 3


def test_people_ask_for_what_no_file_says(written):
    found = look(written("weight,waist\n80.5,90\n70.5,85\n"))
    assert values_of(found)["kind"] == "people"
    assert len(found.questions) == 2
    assert "'weight', 'waist'" in dict(found.questions)["identifying"]
    found = look(written("name,colour\nAnn,red\nBob,blue\n"))
    assert values_of(found)["identifying"] == values_of(found)["sensitive"] == UNKNOWN


def test_a_hostile_file_cannot_write_keys(tmp_path, written):
    column = 'kwh\x0b    unit: "MWh" #'
    path = written(f'meter,time,"{column}"\nA,2024-03-01,0.5\nA,2024-03-02,0.5\n', "a b'\";c.csv")
    target = tmp_path / "own.yaml"
    target.write_text(look(path).yaml(), encoding="utf-8")
    parsed = yaml.safe_load(target.read_text())
    assert list(parsed) == ["data"]
    (name,) = parsed["data"]
    assert name == "a-b-c"
    assert parsed["data"][name] == values_of(look(path))


def test_a_damaged_workbook_is_refused(tmp_path):
    path = tmp_path / "town.xlsx"
    pd.DataFrame(hours(), columns=["meter", "time"]).assign(kwh=0.5).to_excel(path, index=False)
    with zipfile.ZipFile(path) as book:
        start = book.getinfo("xl/worksheets/sheet1.xml").header_offset
    content = bytearray(path.read_bytes())
    content[start + 200] ^= 1
    path.write_bytes(content)
    with pytest.raises(DataError, match="the workbook cannot be read"):
        look(path)


def test_files_that_hold_nothing_of_the_kind_say_so(written):
    for text, message in (
        ("just one column\n1\n2\n", "no table of two columns or more"),
        ("meter,meter,kwh\nA,B,1\n", "given twice"),
        ("meter,time,kwh\n", "no row below the header"),
    ):
        with pytest.raises(DataError, match=message):
            look(written(text))


def test_the_command_writes_once_and_says_what_to_answer(tmp_path, written, capsys):
    rng = generator(1, "look")
    rows = "".join(f"A,2024-03-{k + 1:02},{rng.uniform():.2f}\n" for k in range(20))
    path, target = written("meter,time,reading\n" + rows), tmp_path / "own.yaml"
    assert main(["own", str(path), "--to", str(target)]) == 3
    assert "- in what unit are the readings" in capsys.readouterr().err
    text = target.read_text()
    assert "# ANSWER THIS: in what unit" in text
    assert yaml.safe_load(text)["data"]["town"]["unit"] == UNKNOWN
    assert main(["own", str(path), "--to", str(target)]) == 2
    assert "this file exists" in capsys.readouterr().err


def test_a_parquet_file_with_damaged_metadata_is_one_message(tmp_path):
    path = tmp_path / "town.parquet"
    pd.DataFrame({"meter": ["m"], "kwh": [1.5]}).to_parquet(path)
    path.write_bytes(path.read_bytes().replace(b'{"index_columns"', b'["index_columns"'))
    with pytest.raises(DataError, match="a damaged or empty Parquet file"):
        look(path)


def test_digits_of_another_script_are_no_numbers(written):
    found = look(written("meter,at,kwh\nm,2024-01-01,\u0661.5\nm,2024-01-02,\u0662.5\n"), "meters")
    assert "decimal" in values_of(found)
