"""REDD in the forms that a user may have it: what is planned, and what is refused."""

import pytest


def local_redd(path) -> dict:
    """Configuration that takes REDD from a path."""
    return {"data": {"redd": {"tier": "local", "path": path}}}


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
