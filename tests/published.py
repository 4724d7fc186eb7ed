"""The published file of every source with made-up contents, on a server of this machine."""

import csv
import gzip
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pandas as pd
import yaml

from benchmarks.nilmtk_route import write_hdf5
from misbehaving_server import MisbehavingServer, file
from noiseless.data import nyc_taxi, redd
from noiseless.data.local import locate_redd
from noiseless.data.registry import parse_kaggle_url
from noiseless.data.samples.ausgrid import write_ausgrid
from noiseless.data.samples.london import write_london
from noiseless.data.samples.nyc_taxi import write_trip_files
from noiseless.data.samples.redd import write_redd
from noiseless.data.samples.young_people import write_young_people

TRIP_FILES = ("nyc_taxi_data_2014.csv", "trips_aa.csv.gz")
_SPLIT = "2011-04-30"  # the sample's training ends here
_LATER_DAYS = 18  # from there to where that of the sub-meters by the minute ends
_KAGGLE_ZIPS_FROM_BYTES = 1 << 20
_MINUTE_COLUMNS = {"main": redd.MAINS, **redd._MINUTE_COLUMNS}


def write_samples(folder: Path, data: Mapping[str, Mapping[str, Any]], seed: int) -> None:
    """Write the samples of a configuration's section ``data``, each into a folder of its name."""
    write_young_people(
        folder / "young_people/responses.csv", rows=data["young_people"]["sample_rows"], seed=seed
    )
    homes, year = data["ausgrid"]["sample_homes"], data["ausgrid"]["year"]
    write_ausgrid(folder / "ausgrid/year.csv", homes=homes, year=year, seed=seed)
    write_ausgrid(folder / "ausgrid/earlier.csv", homes=6, year="2010-2011", seed=seed)
    households = folder / "london/informations_households.csv"
    write_london(households, blocks=data["london"]["sample_blocks"], seed=seed)
    trips, rows = folder / "nyc_taxi/trips_1.csv", data["nyc_taxi"]["sample_rows"]
    write_trip_files(trips, rows=rows, seed=seed, files=data["nyc_taxi"]["sample_files"])
    days, period_s = data["redd"]["sample_days"], data["redd"]["sample_period_s"]
    labels = folder / "redd/low_freq/house_1/labels.dat"
    write_redd(labels, days=days, period_s=period_s, seed=seed)
    write_hdf5(folder / "redd/low_freq", folder / "redd/redd.h5")


def files_in(folder: Path) -> dict[tuple[str, str], bytes]:
    """The unpacked file of each source, by the registry's names of its dataset and itself."""
    taxi, minutes = folder / "nyc_taxi", minutes_of(folder / "redd/low_freq")
    return {
        ("young_people", "responses.csv"): (folder / "young_people/responses.csv").read_bytes(),
        ("ausgrid", "solar_home_2012-2013.csv"): (folder / "ausgrid/year.csv").read_bytes(),
        ("redd", "redd.h5"): (folder / "redd/redd.h5").read_bytes(),
        ("nyc_taxi", TRIP_FILES[0]): (taxi / "trips_1.csv").read_bytes(),
        ("nyc_taxi", TRIP_FILES[1]): gzip.compress(
            without_header((taxi / "trips_2.csv").read_bytes().decode())
        ),
        **{
            ("london", path.relative_to(folder / "london").as_posix()): path.read_bytes()
            for path in (folder / "london").rglob("*.csv")
        },
        ("ausgrid-2010", "ausgrid_daily_features.csv"): days_of(folder / "ausgrid/earlier.csv"),
        ("minutes-3", "house1_minutes.csv"): means_of(minutes),
        ("minutes-5", "house1_channels.csv"): largest_of(minutes),
    }


def without_header(trips: str) -> bytes:
    """Trips of 2014 in the form of 51 columns; a row that is cut off stays so."""
    header, _, *rows = csv.reader(io.StringIO(trips), skipinitialspace=True)
    names = {"pickup_time": "pickup_datetime"}
    places = {
        header.index(names.get(name, name)): place
        for name, place in nyc_taxi._HEADERLESS_COLUMNS.items()
    }
    lines = []
    for row in rows:
        cells = [""] * nyc_taxi._HEADERLESS_CELLS
        for place, cell in enumerate(row):
            if place in places:
                cells[places[place]] = cell
        lines.append(",".join(cells if len(row) == len(header) else cells[:3]))
    return ("\n".join(lines) + "\n").encode()


def days_of(path: Path) -> bytes:
    """General consumption by the day, from a year of half-hours; homes that lack a day stay so."""
    read = pd.read_csv(path, skiprows=1).drop_duplicates()
    read = read[read["Consumption Category"] == "GC"]
    table = pd.DataFrame(
        {
            "customer": read["Customer"],
            "date": pd.to_datetime(read["date"], format="%d-%b-%y").dt.strftime("%Y-%m-%d"),
            "load_kwh": read.filter(regex=r"^\d+:\d\d$").sum(axis=1).round(3),
        }
    )
    return table.to_csv(index=False).encode()


def minutes_of(low_freq: Path) -> pd.DataFrame:
    """A day and a half on either side of the split: each reading, with the minute it is in."""
    readings = redd.read_low_freq(**locate_redd(low_freq, 1)[1])
    time = pd.to_datetime(readings["time_s"], unit="s", utc=True).dt.tz_convert("US/Eastern")
    near = (time - pd.Timestamp(_SPLIT, tz="US/Eastern")).abs() < pd.Timedelta("36h")
    return readings.assign(minute=time.dt.floor("min"))[near]


def means_of(minutes: pd.DataFrame) -> bytes:
    """Means of a minute, of the mains and four appliances, with an empty line on top."""
    means = minutes.groupby(["minute", "meter"])["power_w"].mean().unstack().round(3)
    table = means[[*_MINUTE_COLUMNS.values()]].set_axis([*_MINUTE_COLUMNS], axis=1)
    header, _, rows = table.rename_axis("Timestamp").to_csv().partition("\n")
    return f"{header}\n{',' * len(_MINUTE_COLUMNS)}\n{rows}".encode()


def largest_of(minutes: pd.DataFrame) -> bytes:
    """The largest reading of a minute of each sub-meter, some days later, by the time in UTC."""
    metered = minutes[minutes["meter"] != redd.MAINS]
    largest = metered.groupby(["minute", "channel"])["power_w"].max().unstack().dropna()
    sub_meters = range(redd._FIRST_SUB_METER, redd._FIRST_SUB_METER + len(redd._CHANNEL_COLUMNS))
    table = largest.reindex(columns=sub_meters, fill_value=0).round().astype(int)
    table = table.set_axis([*redd._CHANNEL_COLUMNS], axis=1)
    time = (table.index + pd.Timedelta(days=_LATER_DAYS)).tz_convert("UTC")
    table.index = time.strftime("%Y-%m-%d %H:%M:%S").rename("Time")
    return table.to_csv().encode()


def pack(members: Mapping[str, bytes]) -> bytes:
    """A zip of some files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def publish(
    registry: Path,
    files: Mapping[tuple[str, str], bytes],
    server: MisbehavingServer,
    *,
    trips: int,
) -> list[str]:
    """Serve files as their sources do, and write addresses, sizes and digests into the registry.

    Kaggle sends large files zipped.  All addresses are the server's, and only the first one of a
    source has something.  Files of trips are known by their first rows, as many as ``trips``.

    Returns
    -------
    list of str
        What a run at the tier download asks the server for, each once.
    """
    known = yaml.safe_load(registry.read_text(encoding="utf-8"))
    paths: dict[tuple[str, str], str] = {}
    for row, dataset in rows_of(known):
        name, url = (row[key].replace("{block}", "0") for key in ("file", "url"))
        content = files.get((dataset, name))
        if "blocks" in row:
            row["blocks"] |= {"count": 1, "known": [describe(content) | {"block": 0}]}
        elif content is not None:
            row |= describe(content)
        path = path_of(row["kind"], url)
        if row["kind"] in ("http", "rows"):
            query = f"?{urlsplit(url).query}" if row["kind"] == "rows" else ""
            served = quote(urlsplit(row["url"]).path, safe="/{}") if "blocks" in row else path
            row["url"] = server.url(served) + query
        if content is None or (dataset, name) in paths:
            continue
        if row.get("archive") == "zip":
            content = pack({row["member"]: content, "Solar home of another year.csv": b"1\n"})
            row |= {f"archive_{key}": value for key, value in describe(content).items()}
        elif row["kind"] == "kaggle" and len(content) > _KAGGLE_ZIPS_FROM_BYTES:
            content = pack({Path(name).name: content})
        paths[dataset, name] = path
        server.routes[path] = file(content)
    for name in TRIP_FILES:
        known["heads"].append(head_of(name, files["nyc_taxi", name], trips))
    registry.write_text(yaml.safe_dump(known, sort_keys=False), encoding="utf-8")
    return [*paths.values()]


def rows_of(known: Mapping[str, Sequence[dict]]) -> Iterator[tuple[dict, str]]:
    """Rows of the registry that have an address, each with the name of its dataset."""
    yield from ((row, row["dataset"]) for row in known["sources"])
    yield from ((row, row["set"]) for row in known["sets"] if row["kind"] == "http")


def path_of(kind: str, url: str) -> str:
    """The path on the server, or at Kaggle's API, of what the registry's address leads to."""
    if kind != "kaggle":
        return quote(urlsplit(url).path)
    owner, slug, name = parse_kaggle_url(url)
    return f"/api/v1/datasets/download/{owner}/{slug}/{quote(name, safe='')}"


def head_of(name: str, content: bytes, rows: int) -> dict[str, Any]:
    """The registry's entry of the first rows of a file of trips."""
    packed = name.endswith(".gz")
    lines = (gzip.decompress(content) if packed else content).splitlines(keepends=True)
    head = describe(b"".join(lines[: rows if packed else rows + 2]))  # a header, and a blank line
    texts = {"citation": "None.", "note": "None."}
    return {"dataset": "nyc_taxi", "file": name, "rows": rows, **head, **texts}


def describe(content: bytes) -> dict[str, Any]:
    """Size and digest, as the registry has them."""
    return {"bytes": len(content), "sha256": sha256(content).hexdigest()}
