"""REDD in the original form of the user's, through the workflow."""

import pandas as pd

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
