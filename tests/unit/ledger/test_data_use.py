"""Data that stand in for a paper's own."""

from noiseless.ledger.data_use import list_stand_ins
from noiseless.tables import Source


def test_public_files_that_are_not_the_papers_stand_in():
    used = {"a": {"paper": ["own.csv"], "stand_in": "others,\n  of 2010"}}

    def source(dataset, tier="local", file="", digest="registered"):
        return Source(dataset, tier, "0" * 64, digest, file)

    other = source("a", file="other.csv")
    assert list_stand_ins([other, source("a", "download")], used) == ["others, of 2010"]
    assert (
        list_stand_ins([source("a", file="own.csv"), source("b"), source("a", "sample")], used)
        == []
    )
    assert list_stand_ins([source("a", digest="other"), source("a", "own")], used) == []
    assert list_stand_ins([other], {}) == []
