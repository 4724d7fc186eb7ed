"""Tests go on from a clone's smoke run alone: any other one would leave its results between."""

import pandas as pd
import pytest
import yaml

from earlier_run import copy_smoke_run, find_problem, find_smoke_run
from noiseless.pipeline.configuration import load_config
from noiseless.tables import Source, derive_provenance, write_table

SAMPLE = Source("young_people", "sample", "a" * 64, "other")


def make(folder, name, settings, *sources):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_table(
        pd.DataFrame({"value": [1.0]}), path, derive_provenance(settings, "c", sources=sources)
    )


@pytest.fixture
def clone(root, tmp_path):
    """A clone with what a smoke run has made, less all that the tests do not look at."""
    folder = tmp_path / "clone"
    smoke = load_config(root / "config/smoke.yaml")
    (folder / "config").mkdir(parents=True)
    (folder / "config/smoke.yaml").write_text(yaml.safe_dump(smoke))
    nsht = {"seed": smoke["seed"], "nsht": smoke["nsht"], "claims": "0f"}
    make(folder, "results/ledger.parquet", nsht, SAMPLE)
    make(folder, "results/tables/nsht/a.parquet", {"nsht": smoke["nsht"]})
    make(folder, "data/prepared/young_people.parquet", {"data": smoke["data"]}, SAMPLE)
    for file in ("data/raw/redd/sample/a.dat", "data/raw/redd/download/redd.h5", "logs/a.log"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(file)
    return folder


def find(clone, **environment):
    return find_smoke_run(clone, environment)


def test_a_clones_own_run_is_gone_on_from(clone):
    assert find(clone) == clone
    assert find(clone, SMOKE_RUN="") is None
    assert find(clone, SMOKE_RUN=str(clone)) == clone


def test_without_a_run_all_begins_from_nothing(clone):
    (clone / "results/ledger.parquet").unlink()
    assert find(clone) is None
    with pytest.raises(ValueError, match=r"SMOKE_RUN=.*: there is no results/ledger.parquet"):
        find(clone, SMOKE_RUN=str(clone))


@pytest.mark.parametrize(
    ("name", "settings", "source", "problem"),
    [
        ("results/ledger.parquet", {"seed": 7}, SAMPLE, "made with seed: 7"),
        ("results/tables/nsht/a.parquet", {"seed": 7}, SAMPLE, "a.parquet was made with seed: 7"),
        ("results/tables/n/mine.parquet", {"homes": {"mine": {"path": "a"}}}, SAMPLE, "homes.mine"),
        (
            "data/prepared/redd.parquet",
            {},
            Source("redd", "download", "b" * 64, "registered"),
            "redd.parquet was made from other data than samples",
        ),
    ],
)
def test_a_run_with_own_keys_or_data_is_not(clone, name, settings, source, problem):
    make(clone, name, settings, source)
    assert problem in find_problem(clone, clone / "config/smoke.yaml")
    assert find(clone) is None


def test_a_run_that_goes_on_or_was_killed_is_not(clone):
    (clone / ".snakemake/locks").mkdir(parents=True)
    assert find(clone) == clone
    (clone / ".snakemake/locks/0.output.lock").touch()
    assert find(clone) is None


def test_downloads_are_not_copied_and_times_are_kept(clone, tmp_path):
    target = tmp_path / "copy"
    copy_smoke_run(clone, target)
    copied = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    tables = {"results/ledger.parquet", "results/tables/nsht/a.parquet"}
    prepared = {"data/prepared/young_people.parquet", "data/raw/redd/sample/a.dat"}
    assert copied == {*tables, *prepared, "logs/a.log"}
    for name in copied:
        assert (target / name).stat().st_mtime_ns == (clone / name).stat().st_mtime_ns
