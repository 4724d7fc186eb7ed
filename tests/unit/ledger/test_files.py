"""The ledger on disk and as text."""

import pandas as pd
import pytest

from noiseless.errors import DataError
from noiseless.ledger.claims import load_claims
from noiseless.ledger.files import (
    bound_false_differs,
    format_verdict_counts,
    join_ledgers,
    judge_paper,
)
from noiseless.ledger.judge import judge_claims
from noiseless.tables import REFUSED_COLUMN, Provenance, read_table, write_table
from toy_claims import FAILS, GRID, PASSES, REAL, SAMPLE, claims_file, entry


def test_text_counts_own_statements_apart(tmp_path):
    claims = load_claims(
        claims_file(tmp_path, entry(PASSES), entry(FAILS, id="toy-2", category="own"))
    )
    path = tmp_path / "toy.parquet"
    write_table(judge_claims(claims, {"toy/t": (GRID, Provenance("c"))}), path, Provenance("c"))
    lines = format_verdict_counts([path]).splitlines()
    assert lines[1].split() == ["toy", "1", *"0000000"]
    assert lines[2].split() == ["toy", "(our", "own)", *"00000100"]


def test_ledgers_of_papers_are_written_from_files_and_joined(tmp_path):
    claims_file(tmp_path, entry("{table: toy/u, reduce: max, at_most: 1}", id="bar-1"), paper="bar")
    u = entry("{table: toy/u, reduce: max, at_most: 1}", id="toy-2")
    folder = claims_file(tmp_path, entry(PASSES), u)
    paths = {name: tmp_path / f"{name}.parquet" for name in ("toy/t", "toy/u")}
    ledgers = [tmp_path / f"{name}.parquet" for name in ("bar", "toy")]

    def judge():
        for paper, ledger in zip(("bar", "toy"), ledgers, strict=True):
            claims = folder / paper / "claims.yaml"
            judge_paper(claims=claims, tables=paths, ledger=ledger, code="c0de")
        join_ledgers(ledgers, tmp_path / "all.parquet", code="c0de")
        return read_table(tmp_path / "all.parquet")

    write_table(GRID, paths["toy/t"], Provenance("c", (REAL,)))
    with pytest.raises(DataError, match=r"u\.parquet: no such file"):
        judge()
    reproduced, untested = ["reproduced"] * 3, ["not tested", "reproduced", "not tested"]
    # A claim about a table that a set of homes is too small for is not tested.
    refused = pd.DataFrame({REFUSED_COLUMN: ["n is [4], but there are 3 homes."]})
    for made, verdicts in ((GRID, reproduced), (refused, untested)):
        write_table(made, paths["toy/u"], Provenance("c", (SAMPLE,)))
        joined, provenance = judge()
        assert joined["id"].tolist() == ["bar-1", "toy-1", "toy-2"]
        assert joined["verdict"].tolist() == verdicts
        assert set(provenance.sources) == {REAL, SAMPLE}
    assert "toy/u could not be made: n is [4], but there are 3" in joined["note"].iloc[2]


def test_chances_of_a_false_verdict_are_added():
    assert bound_false_differs(pd.DataFrame({"chance": ["0.25", "0", "0.5"]})) == 0.75
