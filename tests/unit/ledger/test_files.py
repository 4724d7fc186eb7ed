"""The ledger on disk and as text."""

import pandas as pd
import pytest

from noiseless.errors import DataError
from noiseless.ledger import rows
from noiseless.ledger.files import (
    bound_false_differs,
    format_verdict_counts,
    join_ledgers,
    judge_paper,
)
from noiseless.statements.registry import Run, Sizes
from noiseless.statements.running import run_statement
from noiseless.tables import REFUSED_COLUMN, Provenance, read_table, write_table
from toy_statements import (
    GRID,
    OURS,
    REAL,
    SAMPLE,
    entry,
    fails,
    is_small,
    passes,
    toy_paper,
    write_toy_ledger,
)


def test_text_counts_own_statements_apart(tmp_path):
    paper = toy_paper(entry(passes), entry(fails, category=OURS))
    path = tmp_path / "toy.parquet"
    write_toy_ledger(paper, {"toy/t": (GRID, Provenance("c"))}, path)
    lines = format_verdict_counts([path]).splitlines()
    assert lines[1].split() == ["toy", *"10000000"]
    assert lines[2].split() == ["toy", "(our", "own)", *"00000100"]


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """Two papers, each judged from its table on disk; the joined ledger."""
    papers = {
        "bar": toy_paper(entry(is_small, on="toy/u"), name="bar"),
        "toy": toy_paper(entry(passes), entry(is_small, on="toy/u")),
    }
    paths = {name: str(tmp_path / f"{name}.parquet") for name in ("toy/t", "toy/u")}
    monkeypatch.setattr(rows, "load_sections", papers.get)

    def judge():
        ledgers = []
        for name, paper in papers.items():
            run = Run(Sizes.SMOKE, 1, paths)
            tested = [run_statement(each, run) for each in paper.statements]
            monkeypatch.setattr(rows, "read_findings", lambda path, tested=tested: tested)
            ledgers.append(tmp_path / f"ledger/{name}.parquet")
            typed, findings = tmp_path / "typed.parquet", tmp_path / "findings.json"
            findings.touch()
            given = {"typed": typed, "ledger": ledgers[-1], "tables": paths.values()}
            judge_paper(name, findings, code="c0de", **given)
        join_ledgers(ledgers, tmp_path / "all.parquet", code="c0de")
        return read_table(tmp_path / "all.parquet")

    return judge, paths


def test_ledgers_of_papers_are_written_from_files_and_joined(judged):
    judge, paths = judged
    write_table(GRID, paths["toy/t"], Provenance("c", (REAL,)))
    with pytest.raises(DataError, match=r"u\.parquet: no such file"):
        judge()
    reproduced, untested = ["reproduced"] * 3, ["not tested", "reproduced", "not tested"]
    # A statement about a table that a set of homes is too small for is not tested.
    refused = pd.DataFrame({REFUSED_COLUMN: ["n is [4], but there are 3 homes."]})
    for made, verdicts in ((GRID, reproduced), (refused, untested)):
        write_table(made, paths["toy/u"], Provenance("c", (SAMPLE,)))
        joined, provenance = judge()
        assert joined["id"].tolist() == ["bar-1", "toy-1", "toy-2"]
        assert joined["verdict"].tolist() == verdicts
        assert set(provenance.sources) == {REAL, SAMPLE}
    assert "n is [4], but there are 3" in joined["note"].iloc[2]


def test_chances_of_a_false_verdict_are_added():
    assert bound_false_differs(pd.DataFrame({"chance": ["0.25", "0", "0.5"]})) == 0.75
