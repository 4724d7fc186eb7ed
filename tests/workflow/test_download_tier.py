"""Every source at the tier download, through the whole workflow, and a download that fails."""

import os
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest
import yaml

from earlier_run import find_smoke_run
from misbehaving_server import Request, status
from noiseless.pipeline.sections import list_papers
from noiseless.tables import read_provenance, read_table
from published import TRIP_FILES, files_in, publish, write_samples
from small_runs import choose_least

DATASETS = ("young_people", "ausgrid", "london", "nyc_taxi", "redd")
RECORDINGS = ("minutes-3", "minutes-5")
SETS = ("ausgrid-2010", *RECORDINGS)
SURVEY = "/api/v1/datasets/download/miroslavsabo/young-people-survey/responses.csv"
COPIES = "https://raw.githubusercontent.com"  # asked after Kaggle, without a token
COPY = (
    "/nab-iak/R_memo/bb5ddcf889f4626b8a4cbee1ff81d12bcec7d611/data/YoungPeopleSurvey/responses.csv"
)
# Made again on one core though they rest on no data: two tables, and a figure of each format.
ANEW = (
    *("tables/nsht/leakage_bound.parquet", "tables/noiseless/guarantees_levels.parquet"),
    *("figures/nsht/fig4.png", "figures/nsht/fig4.pdf"),
)
PATIENCE = {"attempts": 2, "backoff_s": 0.01}


class Downloaded(NamedTuple):
    """A smoke run with every source at the tier download, what it printed, and what it asked for.

    ``files`` are those of the sources, and ``published`` are their paths on the server.
    """

    checkout: object
    output: str
    files: dict[tuple[str, str], bytes]
    published: list[str]
    requests: list[Request]

    @property
    def results(self) -> Path:
        return self.checkout.path / "results"


@pytest.fixture(scope="module")
def downloaded(root, make_checkout, tmp_path_factory, kaggle, request):
    """The run, on one core, of the samples that a smoke run makes, in their published forms.

    It begins with a smoke run, of which the files ANEW were lost, so that all that rests on data
    and these are made; or from nothing, where that smoke run did.  Of statements without data,
    nothing is asked here.
    """
    folder = tmp_path_factory.mktemp("samples")
    if find_smoke_run(root, os.environ):
        smoke_run = request.getfixturevalue("smoke_run")
        checkout = smoke_run.copy(tmp_path_factory.mktemp("downloaded") / "run")
        for name in ANEW:
            (checkout.path / "results" / name).unlink()
    else:
        checkout = make_checkout("downloaded")
    every, smoke = (
        yaml.safe_load((checkout.path / f"config/{name}.yaml").read_text(encoding="utf-8"))
        for name in ("config", "smoke")
    )
    data = {name: every["data"][name] | smoke["data"][name] for name in DATASETS}
    write_samples(folder, data, every["seed"])
    registry, rows = checkout.path / "config/sources.yaml", data["nyc_taxi"]["rows"]
    files = files_in(folder)
    published = publish(registry, files, kaggle, trips=rows)
    before = len(kaggle.requests)
    download = {"tier": "download"}
    output = checkout.smoke(
        *(f"results/{name}" for name in ANEW),
        target="results/ledger.parquet",  # the figures are drawn from tables alone
        cores=1,
        config={
            "data": dict.fromkeys(DATASETS, download)
            | {"nyc_taxi": download | {"files": [*TRIP_FILES]}},
            "homes": {"ausgrid-2010": download},
            "recordings": dict.fromkeys(RECORDINGS, download),
            "download": PATIENCE,
            **choose_least(*list_papers()),
        },
    )
    return Downloaded(checkout, output, files, published, kaggle.requests[before:])


def test_every_source_is_fetched_once_and_the_token_goes_to_kaggle_alone(downloaded):
    assert len(downloaded.published) == len(DATASETS) + len(SETS) + 2  # of London and of trips two
    assert sorted(each.path for each in downloaded.requests) == sorted(downloaded.published)
    for request in downloaded.requests:
        assert ("Authorization" in request.headers) == request.path.startswith("/api/v1/"), request
    downloaded.checkout.assert_token_is_nowhere(downloaded.output)


def test_ledger_says_of_every_dataset_that_it_was_fetched(downloaded):
    """What the page says of one is tested with the page (tests/unit/page)."""
    ledger = pd.read_parquet(downloaded.results / "ledger.parquet")
    assert set(ledger["tier"]) == {"-", "download"}
    assert set(DATASETS) <= set("+".join(ledger["dataset"]).split("+"))


def test_what_arrives_is_what_was_published(downloaded):
    """Unpacked; of trips nothing is kept but the rows that are used."""
    raw = downloaded.checkout.path / "data/raw"
    found = {
        (path.relative_to(raw).parts[0], "/".join(path.relative_to(raw).parts[2:])): path
        for path in raw.glob("*/download/**/*")
        if path.is_file()
    }
    assert {path.name for path in raw.glob("*/*")} <= {"download", "sample"}
    expected = {
        name: content for name, content in downloaded.files.items() if name[0] != "nyc_taxi"
    }
    assert {name: path.read_bytes() for name, path in found.items()} == expected
    for path in downloaded.checkout.path.glob("data/prepared/**/*.parquet"):
        origins = {(each.tier, each.digest) for each in read_provenance(path).sources}
        assert origins == {("download", "registered")}, path


def test_same_bytes_on_one_core_in_another_folder(downloaded, request):
    """Of tables without data, and a figure of each format; of others the same content."""
    smoke_run = request.getfixturevalue("smoke_run")  # waited for last: another test makes it
    before, after = smoke_run.path / "results", downloaded.results
    names = [path.relative_to(before) for path in before.glob("tables/**/*.parquet")]
    names = [name for name in names if name.parts[1] != "beyond"]  # which is no part of the run
    assert len(names) > 65
    same = [before / name for name in ANEW if not name.endswith(".parquet")]
    for name in names:
        expected, origin = read_table(before / name)
        table, provenance = read_table(after / name)
        if origin.sources:
            assert {source.tier for source in provenance.sources} == {"download"}, name
        if not origin.sources:
            same.append(before / name)
        elif origin.dataset == "redd":  # whose readings come in 32 bits
            pd.testing.assert_frame_equal(keys_of(table), keys_of(expected))
        else:
            shared = comparable(table), comparable(expected)
            pd.testing.assert_frame_equal(*shared, check_exact=True, obj=str(name))
            assert provenance.dataset == origin.dataset or name.stem in (
                "sets_of_homes",
                "sets_hiding",
            )
    made = {str(path.relative_to(before)) for path in same if was_made(path, before, after)}
    assert set(ANEW) <= made
    for name in made:
        assert (after / name).read_bytes() == (before / name).read_bytes(), name
    prepared = (
        read_table(run.path / "data/prepared/redd.parquet")[0]
        for run in (downloaded.checkout, smoke_run)
    )
    pd.testing.assert_frame_equal(*prepared, rtol=2**-23)


def was_made(path: Path, before: Path, after: Path) -> bool:
    """Whether the second run made a file of the first one, which otherwise is a copy of it."""
    return (after / path.relative_to(before)).stat().st_mtime_ns != path.stat().st_mtime_ns


def keys_of(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that name a row."""
    return table.drop(columns=["value", "low", "high"], errors="ignore")


def comparable(table: pd.DataFrame) -> pd.DataFrame:
    """Rows without the names and sizes of files, and of the public homes alone."""
    if "file" in table:
        table = table[table["statistic"] != "bytes"].drop(columns="file")
    if "homes" in table and "ausgrid-2010" in set(table["homes"]):
        table = table[table["homes"] != "ausgrid-2010"]
    return table.reset_index(drop=True)


LEFT_OUT = "redd"


def test_every_claim_stands_in_the_ledger_and_those_on_what_is_left_out_are_not_tested(
    downloaded, tmp_path
):
    """That they are not called changed, and no figure is shown: tests/unit/ledger, tests/unit/page.

    Of a sample that is left out, all others would be made again, for one job makes them.
    """
    checkout = downloaded.checkout.copy(tmp_path / "run")
    config = yaml.safe_load((checkout.path / "my.yaml").read_text(encoding="utf-8"))
    config["data"][LEFT_OUT] = {"tier": None}
    output = checkout.smoke(target="results/ledger.parquet", config=config)
    # Short lines alone: what is left out, jobs, progress, verdicts, and where to look.
    long = [line for line in output.splitlines() if len(line) > 200]
    assert [line for line in long if not line.startswith("Changed: ")] == []  # up to twelve names
    for said in (
        f" {LEFT_OUT}, ",  # one of those that are left out
        ": left out (",
        "write_ledger: done",
        "steps (100%) done",
        "statements ",
        "index.html",
    ):
        assert said in output
    before, after = (
        pd.read_parquet(run.path / "results/ledger.parquet").set_index("id")
        for run in (downloaded.checkout, checkout)
    )
    assert before.index.tolist() == after.index.tolist()
    on_it = before["dataset"] == LEFT_OUT
    assert on_it.sum() > 15
    assert set(after.loc[on_it, "verdict"]) == {"not tested"}
    assert after.loc[on_it, "note"].str.startswith(f"The data of {LEFT_OUT} were left out").all()
    assert after.loc[on_it, "note"].str.contains("DATA=FOLDER").all()
    assert set(after.loc[on_it, "data"]) == {"-"}
    others = ["verdict", "observed", "data"]
    pd.testing.assert_frame_equal(before.loc[~on_it, others], after.loc[~on_it, others])


def test_file_that_is_not_there_is_one_readable_error(fresh, kaggle):
    kaggle.routes[SURVEY] = kaggle.routes[COPY] = status(404)
    registry = fresh.path / "config/sources.yaml"
    known = registry.read_text(encoding="utf-8")
    registry.write_text(known.replace(COPIES, kaggle.url("")), encoding="utf-8")
    config = {"data": {"young_people": {"tier": "download"}}, "download": PATIENCE}
    output = fresh.smoke(target="data/prepared/young_people.parquet", config=config, succeeds=False)
    assert "could not be fetched from any mirror" in output
    assert "By hand: Open https://www.kaggle.com/datasets/miroslavsabo" in output
    assert "Traceback" not in output
    assert not list((fresh.path / "data").rglob("*.csv*"))
    fresh.assert_token_is_nowhere(output)
    registry.write_text(known, encoding="utf-8")
