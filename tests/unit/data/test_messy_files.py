"""The table of messy_files.md: each file is built and read, and gives what its row says.

``python tests/unit/data/test_messy_files.py`` writes the table anew.
"""

import gzip
import io
import re
import sys
import tempfile
import zipfile
from pathlib import Path

import pandas as pd
import pytest
import yaml

from noiseless.custodian.reading.meters import read_meters
from noiseless.custodian.reading.people import read_people
from noiseless.custodian.reading.trips import read_trips
from noiseless.errors import UserError
from noiseless.pipeline.configuration import load_config

PAGE = Path(__file__).with_name("messy_files.md")
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
NAMES = {"home": "meter", "time": "at", "value": "kwh"}
HOURS = pd.date_range("2024-03-01", periods=96, freq="h")
CASES = {}


def case(name, build, file="meters.csv", reader="meters", **options):
    """Register a function of a path, which gives what is to stand there or writes it itself."""
    CASES[name] = (file, reader, options, build)


def long(times=HOURS, homes=3):
    """Readings that differ from hour to hour."""
    table = pd.concat([pd.DataFrame({"meter": f"m{k}", "at": times}) for k in range(homes)])
    table = table.reset_index(drop=True)
    return table.assign(kwh=((100 + table.index * 37 % 101) / 1000))


def text(table=None, **options):
    return (long() if table is None else table).to_csv(index=False, **options)


def spoilt(line, old, new):
    lines = text().split("\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines)


# --- How it is written ------------------------------------------------------------------------


case("A long file: a row for each home and time", lambda _: text())
case("`;` between cells, nothing set", lambda _: text(sep=";", decimal=","))
case("`;` and a decimal comma", lambda _: text(sep=";", decimal=","), separator=";", decimal=",")
case("A decimal comma in one cell of a file with `,`", lambda _: spoilt(5, ",0.", ",0,"))
case(
    "A byte order mark, quoted cells, CR LF",
    lambda _: ("\ufeff" + text(quoting=1, lineterminator="\r\n")).encode(),
)
case("A quotation mark that is never closed", lambda _: spoilt(5, "m0", '"m0'))
case("A quotation mark within a cell", lambda _: spoilt(5, "m0", 'm"0'))
case("Gzipped", lambda _: gzip.compress(text().encode(), mtime=0), file="meters.csv.gz")
case(
    "Gzipped, and cut off",
    lambda _: gzip.compress(text().encode(), mtime=0)[:-20],
    file="meters.csv.gz",
)


def zipped(path, *names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, text())


case(
    "A zip of one CSV and a note",
    lambda path: zipped(path, "readme.txt", "meters.csv"),
    file="meters.zip",
)
case("A zip of two CSVs", lambda path: zipped(path, "2023.csv", "2024.csv"), file="meters.zip")
case("UTF-16 text", lambda _: text().encode("utf-16"))
case("Windows-1252 text", lambda _: spoilt(5, "m0", "südhaus").encode("cp1252"))


def windows_named(path):
    table = long().assign(ort="S\u00fcd")
    path.write_bytes(text(table, sep=";", decimal=",").encode("cp1252"))


case(
    "Windows-1252 text, its encoding set",
    windows_named,
    encoding="windows-1252",
    separator=";",
    decimal=",",
)
case("A workbook", lambda path: long().to_excel(path, index=False), file="meters.xlsx")


def workbook_called_csv(path):
    content = io.BytesIO()
    long().to_excel(content, index=False)
    path.write_bytes(content.getvalue())


case("A workbook that is called `.csv`", workbook_called_csv)


def two_sheets(path):
    with pd.ExcelWriter(path) as writer:
        for name in ("March", "April"):
            long().to_excel(writer, sheet_name=name, index=False)


case("A workbook with two full sheets", two_sheets, file="meters.xlsx")
case("Parquet", lambda path: long().to_parquet(path), file="meters.parquet")
case(
    "Parquet with numbers as text",
    lambda path: long().assign(kwh=long()["kwh"].astype(str)).to_parquet(path),
    file="meters.parquet",
)
case("A web page", lambda _: "<!DOCTYPE html><html>Please log in</html>")
case("An empty file", lambda _: "")
case("A file that was cut off in its last number", lambda _: text()[:-3])


def folder(path):
    path.mkdir()
    for home, rows in long().groupby("meter"):
        rows.drop(columns="meter").to_csv(path / f"{home}.csv", index=False)


case(
    "A folder of files, one for each home",
    folder,
    file="meters",
    columns={"time": "at", "value": "kwh"},
)


# --- Layouts ----------------------------------------------------------------------------------


def wide(names, homes=3):
    table = long(homes=homes)
    table["day"] = table["at"].dt.strftime("%d-%b-%y").str.lstrip("0")
    table["hour"] = table["at"].dt.hour
    rows = table.pivot(index=["meter", "day"], columns="hour", values="kwh").reset_index()
    return rows.set_axis(["meter", "day", *names], axis=1)


ENDS = [*(f"{hour}:00" for hour in range(1, 24)), "0:00"]
DAYS = {"time_format": "%d-%b-%y"}


case(
    "A wide file (a row for each day), read as a long one",
    lambda _: text(wide(ENDS)),
    columns={"home": "meter", "time": "day", "value": "1:00"},
    **DAYS,
)
case(
    "A wide file whose columns are times, as Ausgrid's",
    lambda _: text(wide(ENDS)),
    columns={"home": "meter", "time": "day"},
    layout="wide",
    **DAYS,
)
case(
    "A wide file whose columns are numbers, as Elexon's",
    lambda _: text(wide(range(1, 25))),
    columns={"home": "meter", "time": "day"},
    layout="wide",
    **DAYS,
)
case(
    "A wide file that lacks a column of the day",
    lambda _: text(wide(ENDS).drop(columns="7:00")),
    columns={"home": "meter", "time": "day"},
    layout="wide",
    **DAYS,
)


def nem12_text(ending="900\n"):
    lines = ["100,NEM12,202403050000,MDP,RETAILER"]
    for home in ("NMI1", "NMI2"):
        for suffix in ("E1", "B1"):
            lines.append(f"200,{home},E1B1,{suffix},{suffix},,METER,kWh,30,")
            for day in range(1, 5):
                lines.append(f"300,2024030{day}," + ",".join(["0.25"] * 48) + ",A,,,,")
    return "\n".join(lines) + "\n" + ending


case("NEM12", lambda _: nem12_text(), columns=None, unit=None)
case("NEM12 that was cut off", lambda _: nem12_text(ending=""), columns=None, unit=None)
case(
    "XML",
    lambda _: '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"></feed>',
    file="home.xml",
    columns=None,
    unit=None,
)


# --- Times ------------------------------------------------------------------------------------


def two_columns():
    table = long()
    table.insert(1, "date", table["at"].dt.date)
    table.insert(2, "hour", table["at"].dt.hour + 1)
    return table.drop(columns="at")


case(
    "Date and hour in two columns, the hour not named",
    lambda _: text(two_columns()),
    columns={"home": "meter", "time": "date", "value": "kwh"},
)
case(
    "Date and hour (1 to 24) in two columns",
    lambda _: text(two_columns()),
    columns={"home": "meter", "time": "date", "time_of_day": "hour", "value": "kwh"},
    time_marks="end",
)


def periods(path):
    table = long()
    path.write_text(text(table.assign(date=table["at"].dt.date, sp=table["at"].dt.hour + 1)))


case(
    "The number of the hour (1 to 24), as of a settlement period, beside the date",
    periods,
    columns={"home": "meter", "time": "date", "period": "sp", "value": "kwh"},
)


def midnight(path):
    table = long()
    ends = table["at"] + pd.Timedelta(hours=1)
    words = ends.dt.strftime("%Y-%m-%d %H:%M")
    before = table["at"].dt.strftime("%Y-%m-%d 24:00")
    path.write_text(text(table.assign(at=words.where(ends.dt.hour > 0, before))))


case("24:00 for the end of a day", midnight, time_marks="end")
case("Days first, no form set", lambda _: text(date_format="%d/%m/%Y %H:%M"))


def two_intervals(path):
    quarters = long(pd.date_range("2024-03-01", periods=384, freq="15min"))
    path.write_text(text(pd.concat([quarters, long().assign(meter="h" + long()["meter"])])))


case("Homes with readings every 15 minutes and every hour", two_intervals)


def clock(path):
    times = pd.date_range("2024-03-30", "2024-04-02", freq="h", tz="Europe/Paris", inclusive="left")
    path.write_text(text(long(times.tz_localize(None))))


case("The clock changes, and no zone is set", clock)


# --- Readings ---------------------------------------------------------------------------------


def doubled(change=0.0):
    table = long()
    again = table[5:8].assign(kwh=table["kwh"][5:8] + change)
    return pd.concat([table, again])


case("Rows that come twice", lambda _: text(doubled()))
case(
    "Rows that come twice, identical ones to be dropped",
    lambda _: text(doubled()),
    repeated_rows="drop_identical",
)
case(
    "Two rows for a time that differ, identical ones to be dropped",
    lambda _: text(doubled(change=0.5)),
    repeated_rows="drop_identical",
)


def register_table():
    table = long(pd.date_range("2024-03-01", periods=97, freq="h"))
    return table.assign(kwh=(1000 + table.groupby("meter")["kwh"].cumsum()).round(3))


case("A register that never falls", lambda _: text(register_table()))
case("A register, differences to be taken", lambda _: text(register_table()), register=True)


def words(path):
    table = long()
    path.write_text(
        text(table.assign(kwh=table["kwh"].astype(str).where(table.index % 9 > 0, "ERR")))
    )


case("Cells `ERR` among the numbers", words)


def missing(path):
    table = long()
    path.write_text(text(table.assign(kwh=table["kwh"].astype(str).where(table.index != 7, "n/a"))))


case("Cells `n/a` among the numbers", missing)


def wrong_unit(path):
    table = long()
    path.write_text(text(table.assign(kwh=table["kwh"] * 1000)))


case("Wh that are called kWh", wrong_unit)


def kinds(path):
    both = [long().assign(kind="use"), long().assign(kind="solar", kwh=0.5)]
    path.write_text(text(pd.concat(both)))


case("Generation beside consumption, told apart by a column", kinds)
case("The same, with one kind kept", kinds, keep={"kind": ["use"]})


# --- Trips and people -------------------------------------------------------------------------

ROW = "48.8566,2.3522,48.8606,2.3376\n"


def trips_text(*more):
    return "a_lat,a_lon,b_lat,b_lon\n" + ROW * 3 + "".join(more)


def excluded_trips(path):
    bad = ("48.8,2.3,,\n", "0,0,48.8,2.3\n", "2.3,48.8,2.3,48.9\n", "51.5,-0.1,51.6,-0.2\n")
    path.write_text(trips_text(*bad))


case(
    "Trips without an end, at 0°, exchanged, far away",
    excluded_trips,
    file="trips.csv",
    reader="trips",
)
case(
    "Trips with a word for a coordinate",
    lambda _: trips_text("48.8,here,48.8,2.3\n"),
    file="trips.csv",
    reader="trips",
)
case(
    "People of whom one misses a number",
    lambda _: "kg,cm\n80,180\n,170\n70,165\n",
    file="people.csv",
    reader="people",
)


# --- Reading and the table --------------------------------------------------------------------

_TRIPS = {
    "columns": {
        "pickup_latitude": "a_lat",
        "pickup_longitude": "a_lon",
        "dropoff_latitude": "b_lat",
        "dropoff_longitude": "b_lon",
    },
    "latitude_range_deg": [48.75, 48.97],
    "longitude_range_deg": [2.2, 2.5],
}
_PEOPLE = {
    "x1": {"column": "kg", "unit": "kg", "range": [0, 200]},
    "x2": {"column": "cm", "unit": "cm", "range": [100, 250]},
}


def outcome(name, folder):
    """What reading a file gives, in words; also the daily energies of meters, for a check."""
    file, reader, options, build = CASES[name]
    path = folder / file
    content = build(path)
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    try:
        if reader == "meters":
            tables = read_meters(path, **{"columns": NAMES, "unit": "kWh", **options})
        elif reader == "trips":
            tables = read_trips(path, **_TRIPS)
        else:
            tables = read_people(path, **_PEOPLE)
    except UserError as error:
        return str(error).replace(str(folder) + "/", ""), None
    taken = tables["taken"].set_index("statistic")["value"].astype(int)
    taken = taken[taken != 0]
    if reader != "meters":
        words = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in taken.items())
        return f"Read: {words}.", None
    fates = {
        "readings_of_excluded_homes": "readings of excluded homes",
        "readings_outside_period": "readings outside the period",
        "readings_repeated": "repeated readings",
        "missing_readings": "missing readings",
        "readings_without_difference": "readings without a difference",
        "rows_not_kept": "rows not kept",
    }
    excluded = ", ".join(f"{taken[key]} {word}" for key, word in fates.items() if key in taken)
    words = (
        f"Read: {taken['homes']} homes, {taken['days']} days, every {taken['interval_s'] // 60} "
        f"minutes{'; excluded: ' + excluded if excluded else ''}."
    )
    return words, tables["table"]


def row(name, folder):
    """The row of the table."""
    options = CASES[name][2]
    given = [f"`{key}: {_yaml(value)}`" for key, value in options.items() if value is not None]
    omitted = [f"no `{key}`" for key, value in options.items() if value is None]
    shown = "; ".join([*omitted, *given]) or "-"
    words, _ = outcome(name, folder)
    return f"| {name} | {shown} | {words.replace('|', chr(92) + '|')} |"


def _yaml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_yaml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if re.search(r"[%;,]", str(value)) else str(value)


def rows_of_the_page():
    table = PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0].strip().splitlines()
    return {line.split(" | ")[0].removeprefix("| "): line for line in table[2:]}


@pytest.mark.parametrize("name", CASES)
def test_file_gives_what_the_page_says(tmp_path, name):
    assert rows_of_the_page()[name] == row(name, tmp_path)


def test_configuration_of_the_page_is_accepted_with_the_keys_of_each_row(tmp_path):
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    mine = yaml.safe_load(block)
    path = tmp_path / "own.yaml"
    path.write_text(block)
    meters = load_config(path)["data"]["meters"]
    assert (meters["columns"], meters["unit"]) == (NAMES, "kWh")
    for name, (file, reader, options, _) in CASES.items():
        keys = {key: value for key, value in (meters | options).items() if value is not None}
        if reader == "meters" and options:
            mine["data"]["meters"] = {**keys, "path": file}
            path.write_text(yaml.safe_dump(mine))
            assert load_config(path)["data"]["meters"]["path"] == file, name


def test_page_has_every_file_and_no_other():
    assert list(rows_of_the_page()) == list(CASES)
    assert len(CASES) >= 40


@pytest.mark.parametrize(
    "name",
    [name for name, (_, reader, _, _) in CASES.items() if reader == "meters" and "NEM" not in name],
)
def test_what_is_read_is_right(tmp_path, name):
    """Every file that is read holds the same readings, however it is written."""
    _, table = outcome(name, tmp_path)
    if table is None:
        return
    expected = long().groupby(["meter", long()["at"].dt.normalize()])["kwh"].sum()
    kept = set(table["home"])
    if "15 minutes" in name or "n/a" in name:
        assert kept < {"m0", "m1", "m2", "hm0", "hm1", "hm2"}
    else:
        assert kept == {"m0", "m1", "m2"}
    if "register" in name:
        source = register_table()
        source["kwh"] = source.groupby("meter")["kwh"].diff().shift(-1)
        source = source.dropna()
        expected = source.groupby(["meter", source["at"].dt.normalize()])["kwh"].sum()
    if "15 minutes" in name:
        return
    found = table.set_index(["home", "time"])["energy_kwh"]
    assert found.to_numpy() == pytest.approx(expected[found.index].to_numpy(), abs=1e-12)


def test_nem12_has_units_of_its_own(tmp_path):
    _, table = outcome("NEM12", tmp_path)
    assert sorted(set(table["home"])) == ["NMI1", "NMI2"]
    assert (table["energy_kwh"] == 12.0).all()  # B1, which is fed in, is no consumption


def main():
    rows = []
    for name in CASES:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(row(name, Path(folder)))
    head = ["| file | set | what it gives |", "| --- | --- | --- |"]
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    table = "\n".join([BEGIN, "", *head, *rows, "", END])
    PAGE.write_text(before + table + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
