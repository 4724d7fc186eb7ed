"""NEM12: the records that are read, and those that would count wrongly."""

import pytest

from noiseless.custodian.reading.meters import read_meters
from noiseless.errors import DataError
from own_meters import nem12_file

NEM12 = nem12_file()


def daily(path):
    return read_meters(path)["table"].set_index(["home", "time"])["energy_kwh"]


def test_nem12_register_that_stands_twice_takes_no_readings_of_another(tmp_path):
    """The record 200 of the energy fed in, once more before the readings of a register."""
    lines = NEM12.decode().splitlines(keepends=True)
    (third,) = (k for k, line in enumerate(lines) if line.startswith("200,NMI0000001,E1E2B1,B1"))
    path = tmp_path / "meters.csv"
    path.write_text("".join([*lines[:6], lines[third], *lines[6:]]))
    with pytest.raises(DataError, match="the register before has no readings"):
        read_meters(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("900\n", "", "cut off"),
        ("900\n", "900\n100,NEM12\n", "behind the end"),
        (",A,,,", ",Q,,,", "not a quality"),
        (",A,,,20240105120000,", ",7,A", "'7' is not a quality"),
        (",A,,,", ",7,A,,,", "56 cells, which do not fit 48 readings"),
        ("300,20240102,0", "300,20240102,nan", "'nan.* is not a number"),
        ("300,20240102,0", "300,20240102,1_0", "'1_0.* is not a number"),
        ("300,20240102,", "3000,20240102,", "not a kind of record"),
        ("300,20240102,", "300,20240101,", "for the same day"),
        ("300,20240102,", "300,20240231,", "not a date"),
        ("kWh,30", "joule,30", "energy in 'joule'"),
        ("kWh,30", "kWh,50", "not a length of intervals"),
        ("E1E2B1", "E1E2E3B1", "has the registers"),
        ("200,NMI0000001", "200,", "an NMI or suffix is missing"),
    ],
)
def test_nem12_record_that_would_count_wrongly_is_refused(tmp_path, old, new, message):
    path = tmp_path / "meters.csv"
    text = NEM12.decode()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(DataError, match=message):
        read_meters(path)


def test_nem12_in_watt_hours_is_a_thousandth(tmp_path):
    path = tmp_path / "meters.csv"
    path.write_bytes(NEM12)
    expected = daily(path)
    path.write_bytes(NEM12.replace(b"kWh", b"Wh"))
    found = daily(path)
    assert (1000 * found).to_numpy() == pytest.approx(expected.to_numpy())


def test_nem12_days_of_a_zone_are_those_of_its_clock(tmp_path):
    """In January, Sydney's day begins an hour before that of market time."""
    path = tmp_path / "meters.csv"
    path.write_bytes(NEM12)
    expected, drawn = {}, False
    for line in NEM12.decode().splitlines():
        cells = line.split(",")
        if cells[0] == "200":
            home, drawn = cells[1], cells[3].startswith("E")
        if cells[0] == "300" and drawn:
            for k, reading in enumerate(map(float, cells[2:50])):
                key = home, f"2024-01-0{int(cells[1][-1]) + (k >= 46)}"
                expected[key] = expected.get(key, 0) + reading
    table = read_meters(path, time_zone="Australia/Sydney")["table"]
    found = {(row.home, str(row.time.date())): row.energy_kwh for row in table.itertuples()}
    assert {day for _, day in found} == {"2024-01-02", "2024-01-03"}
    assert found == pytest.approx({key: expected[key] for key in found})
