"""REDD in the forms that a user may have it: what is read, judged, and refused."""

import pandas as pd
import pytest


def local_redd(path) -> dict:
    """Configuration that takes REDD from a path."""
    return {"data": {"redd": {"tier": "local", "path": path}}}


def test_original_folder_at_tier_local_is_read_and_gets_no_verdict(smoked):
    """No digest of the original is known, and this one is made up."""
    (smoked.path / "data/raw/redd/sample").rename(smoked.path / "mine")
    smoked.smoke(target="results/ledger.csv", config=local_redd("mine/low_freq"))
    ledger = pd.read_csv(smoked.path / "results/ledger.csv").set_index("id")
    assert ledger.loc["noiseless-fig4-threat", "tier"] == "local"
    assert ledger.loc["noiseless-fig4-threat", "verdict"] == "not tested"
    assert "registered" in ledger.loc["noiseless-fig4-threat", "note"]


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
