"""REDD in the forms that a user may have it: what is read, planned and refused."""

import pandas as pd
import pytest

from noiseless.tables import read_table


def local_redd(path) -> dict:
    """Configuration that takes REDD from a path."""
    return {"data": {"redd": {"tier": "local", "path": path}}}


def test_original_folder_at_tier_local_is_read_but_not_taken_for_the_public_one(smoked):
    """No digest of the original is known, and this one is made up."""
    (smoked.path / "data/raw/redd/sample").rename(smoked.path / "mine")
    table = smoked.path / "data/prepared/redd.parquet"
    made_up, _ = read_table(table)
    smoked.smoke(target="data/prepared/redd.parquet", config=local_redd("mine/low_freq"))
    minutes, provenance = read_table(table)
    pd.testing.assert_frame_equal(minutes, made_up)
    assert provenance.tier == "local"
    assert [source.digest for source in provenance.sources] == ["unknown"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (None, "data.redd: tier is local, but path is not given"),
        ("nowhere", "nowhere: no such file or folder"),
        ("config", "config: neither labels.dat with channel_1.dat"),
    ],
)
def test_path_that_holds_no_redd_stops_before_anything_runs(fresh, path, message):
    output = fresh.smoke(config=local_redd(path), succeeds=False)
    assert message in output
    assert "Traceback" not in output


def test_download_of_either_file_is_planned(fresh):
    for file in ("house1_minutes.csv", "redd.h5"):
        config = {"data": {"redd": {"tier": "download", "file": file}}}
        output = fresh.smoke("--dry-run", config=config)
        assert f"data/raw/redd/download/{file}" in output
