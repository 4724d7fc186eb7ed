"""Files as they come: each ends in a page, or in one clear question that an option answers."""

import io

import pandas as pd
import pytest
from threadpoolctl import threadpool_info

from noiseless.errors import ConfigError
from noiseless.seeds import generator
from noiseless.tables import read_table
from odd_files import meters, people, rides

BOX = ("latitude_range_deg=48,49", "longitude_range_deg=[2, 3]")
KNOWN = ("identifying=Alter,Geschlecht,PLZ", "sensitive=Krank")
ENGLISH = ["start_lat", "start_lon", "end_lat", "end_lon", "start_time"]
GERMAN = ["Start Breite", "Start Länge", "Ziel Breite", "Ziel Länge", "Abfahrt"]
FRENCH = ["départ_lat", "départ_lon", "arrivée_lat", "arrivée_lon", "heure"]


def test_twelve_columns_of_people_are_asked_about_and_then_released(own, tmp_path):
    code, err, _ = own("leute.csv", people())
    assert code == 3
    assert err.count("\n- ") == 2
    assert "'Größe', 'Alter'" in err
    assert "--answer 'identifying=...'" in err
    code, err, page = own("leute.csv", people(), *KNOWN)
    assert code == 0
    assert "Publish" in page
    rows = pd.read_csv(tmp_path / "results/own/leute/protected.csv", dtype=str)
    assert set(rows) <= {"Alter", "Geschlecht", "PLZ", "Krank"}
    known = [name for name in rows if name != "Krank"]
    assert rows.groupby(known, dropna=False).size().min() >= 5


def test_windows_1252_semicolons_and_decimal_commas(own):
    text = people(";", ",")
    code, _, page = own("leute.csv", text, *KNOWN, encoding="cp1252")
    assert code == 0
    assert "Geschlecht" in page
    code, _, page = own("leute.csv", text, "identifying=Größe;PLZ", "sensitive=", encoding="cp1252")
    assert code == 0
    assert "Größe in steps of" in page


@pytest.mark.parametrize(("heading", "homes"), [("Zähler-Nr.", 3), ("compteur", 4), ("电表", 5)])
def test_few_homes_under_any_heading_get_a_page(own, tmp_path, heading, homes):
    code, _, page = own("zähler.csv", meters([heading, "Tag", "Verbrauch kWh"], homes))
    assert code == 0
    assert f"{homes} homes are too few for a recommendation." in page
    assert page.count("data:image/png") == 2
    (frontier,) = tmp_path.rglob("recommendation_frontier.parquet")
    assert set(read_table(frontier)[0]["n"]) == {homes - 1}
    mechanisms, _ = read_table(frontier.with_name("recommendation_mechanisms.parquet"))
    assert mechanisms.empty


def test_french_headings_ask_for_the_unit_alone(own):
    text = meters(["compteur", "jour", "consommation"], form="%Y-%m-%d")
    code, err, _ = own("relevés.csv", text)
    assert (code, err.count("\n- ")) == (3, 1)
    assert "--answer 'unit=...'" in err
    assert own("relevés.csv", text, "unit=kWh")[0] == 0


def test_one_home_is_told_what_is_missing(own):
    code, err, _ = own("haus.csv", meters(["Kunde", "Tag", "kWh"], 1), "columns.home=Kunde")
    assert (code, err.strip().splitlines()[-1].count("noiseless: ")) == (2, 1)
    assert "three homes" in err


@pytest.mark.parametrize(
    ("called", "is_in_wh", "said"),
    [("Wh", 1000.0, "hardly that of a home in Wh"), ("kWh", 1.0, "hardly that of a home in kWh")],
)
def test_a_unit_that_cannot_be_is_asked(own, called, is_in_wh, said):
    text = meters(["Kunde", "Tag", f"Verbrauch [{called}]"], unit_wh=is_in_wh)
    code, err, _ = own("haus.csv", text)
    assert (code, err.count("\n- ")) == (3, 1)
    assert said in err
    right = "kWh" if called == "Wh" else "Wh"
    assert own("haus.csv", text, f"unit={right}")[0] == 0


def test_local_time_asks_for_its_zone_where_the_clock_changes(own):
    hours = pd.date_range("2024-03-20", periods=24 * 20, freq="h", tz="Europe/Berlin")
    draw = generator(9, "hours")
    rows = [
        (home, hour.strftime("%d.%m.%Y %H:%M"), round(draw.gamma(2, 0.2), 3))
        for home in ("A", "B", "C")
        for hour in hours
    ]
    table = pd.DataFrame(rows, columns=["Kunde", "Zeit", "kWh"])
    text = table.to_csv(index=False, sep=";", decimal=",", lineterminator="\n")
    code, err, _ = own("stunden.csv", text)
    assert code == 2
    assert "time_zone" in err
    assert own("stunden.csv", text, "time_zone=Europe/Berlin")[0] == 0


def test_trips_in_one_cell_get_a_page_that_says_nothing_is_to_be_published(own, tmp_path):
    code, err, _ = own("fahrten.csv", rides(ENGLISH))
    assert (code, err.count("\n- ")) == (3, 2)
    assert "from a map and not from your data" in err
    code, _, page = own("fahrten.csv", rides(ENGLISH), *BOX)
    assert code == 0
    assert "Nothing to publish" in page
    assert "Never recommended" in page
    assert "cell of 111 km by 74 km" in page
    assert "Publish each place" not in page
    assert not list(tmp_path.rglob("protected.*"))


@pytest.mark.parametrize("head", [GERMAN, FRENCH], ids=["German", "French"])
def test_trips_under_other_headings(own, head):
    assert own("fahrten.csv", rides(head), *BOX)[0] == 0


def test_what_a_row_is_is_asked_where_the_file_does_not_show_it(own):
    text = rides(["a", "b", "c", "d", "when"])
    code, err, _ = own("x.csv", text)
    assert (code, err.count("\n- ")) == (3, 1)
    assert "--answer 'kind=...'" in err
    code, err, _ = own("x.csv", text, "kind=trips", *BOX)
    assert code == 3
    assert err.count("--answer 'columns.") == 4
    ends = ("pickup_latitude", "pickup_longitude", "dropoff_latitude", "dropoff_longitude")
    named = [f"columns.{end}={name}" for end, name in zip(ends, "abcd", strict=True)]
    assert own("x.csv", text, "kind=trips", *BOX, *named)[0] == 0


def test_birthdays_do_not_make_people_meters(own):
    table = pd.read_csv(io.StringIO(people()))
    table["geboren"] = pd.date_range("1960-01-01", periods=len(table), freq="41D").astype(str)
    text = table.to_csv(index=False, lineterminator="\n")
    code, err, _ = own("leute.csv", text)
    assert (code, err.count("\n- ")) == (3, 1)
    assert "a person" in err
    code, _, page = own("leute.csv", text, "kind=people", "identifying=geboren", "sensitive=")
    assert code == 0
    assert "geboren the year alone" in page


def test_the_games_have_one_thread(own, monkeypatch):
    threads = []

    def stop(*_, **__):
        threads.extend(each["num_threads"] for each in threadpool_info())
        raise ConfigError("seen")

    monkeypatch.setattr("noiseless.custodian.run.make_own", stop)
    own("haus.csv", meters(["Kunde", "Tag", "kWh"], 3))
    assert set(threads) == {1}
