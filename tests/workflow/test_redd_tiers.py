"""REDD in its forms, from a path of the user's or a server, through the workflow."""

import gzip
import re

import pandas as pd
import pytest

from misbehaving_server import file, misbehaving_server
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


@pytest.fixture
def server():
    with misbehaving_server() as running:
        yield running


def served_from(checkout, server, **paths):
    """Let the registry's addresses of some files, by a part of them, lead to the server."""
    path = checkout.path / "config/sources.yaml"
    text = path.read_text(encoding="utf-8")
    for address in re.findall(r"url: (https?://\S+)", text):
        for part, served in paths.items():
            if part in address:
                text = text.replace(address, server.url(served))
    path.write_text(text, encoding="utf-8")


DOWNLOAD = {"data": {"redd": {"tier": "download"}}, "download": {"attempts": 1, "backoff_s": 0.01}}


def test_where_the_complete_recording_cannot_be_had_the_keys_of_the_minutes_are_named(
    smoked, server
):
    server.routes["/gone"] = lambda handler: handler.answer(404)
    served_from(smoked, server, zenodo="/gone")
    target = "results/tables/noiseless/nilm_attacks_redd.parquet"
    said = smoked.smoke(target=target, config=DOWNLOAD, succeeds=False)
    assert "recordings.minutes-3.tier and recordings.minutes-5.tier to download" in " ".join(
        said.split()
    )


def test_set_whose_address_is_known_is_fetched(smoked, server, redd_channels_csv):
    content = gzip.decompress(redd_channels_csv.read_bytes())
    server.routes["/channels.csv"] = file(content)
    served_from(smoked, server, output_disaggr="/channels.csv")
    target = "data/prepared/minutes-5.parquet"
    smoked.smoke(target=target, config={"recordings": {"minutes-5": {"tier": "download"}}})
    _, provenance = read_table(smoked.path / target)
    assert [(each.tier, each.digest) for each in provenance.sources] == [("download", "registered")]
