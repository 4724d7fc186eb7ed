"""Papers whose statements are functions, after the complete small run: any data will do."""

import json
from pathlib import Path

import pandas as pd
import pytest

from changed_settings.coarsest import find_coarsest_settings
from counts import __main__ as kept_counts
from frozen import agree, find_cells, load_frozen, load_left
from noiseless.ledger.files import judge_findings
from noiseless.pipeline.configuration import merge_changes
from noiseless.pipeline.sections import list_papers
from noiseless.statements.counts import find_falling_counts
from noiseless.statements.registry import load_sections
from noiseless.statements.running import Lack, read_findings
from noiseless.statements.verdicts import judge_cell
from small_runs import choose_least

of_each_paper = pytest.mark.parametrize("paper", list_papers())
PAPERS = Path(__file__).resolve().parents[2] / "workflow/noiseless/papers"
BROKEN = """

@paper.states("Section 2", prints="a dice")
def broken() -> Finding:
    \"\"\"Nothing that runs.\"\"\"
    raise RuntimeError("the dice is lost")
"""


@of_each_paper
def test_verdicts_and_numbers_are_those_of_the_frozen_ledger(smoke_run, paper):
    ledger = pd.read_parquet(smoke_run.path / f"results/ledger/{paper}.parquet").set_index("id")
    found = {
        each.id: each.printed.found if each.printed else ()
        for each in read_findings(smoke_run.path / f"results/findings/{paper}.json")
    }
    before, kept = load_frozen("smoke", paper), load_left()
    # Rows that are cells of a printed table are compared below.
    tables = set(found) & set(kept["cells"])
    cells = {row for row in before.index for name in tables if row.startswith(f"{name}-")}
    assert set(found) == set(ledger.index)
    rows = set(before.index) - set(kept["left"]) - cells - tables
    assert rows == set(found) - set(kept["new"]) - tables
    for name in sorted(rows):
        numbers = found[name]
        assert ledger.loc[name, "verdict"] == before.loc[name, "verdict"], name
        assert agree(before.loc[name, "observed"], numbers) == (name not in kept["changed"]), name


@pytest.mark.parametrize("kind", ["smoke", "real"])
def test_each_row_of_a_printed_table_is_a_cell(smoke_run, kind):
    """52 rows of Table 1, which rests on no data: each has its verdict and its number in a cell."""
    before = load_frozen(kind, "prrelation")
    findings = smoke_run.path / "results/findings/prrelation.json"
    entries = {each.statement.id: each for each in judge_findings("prrelation", findings, {})}
    found = set()
    for table in load_left()["cells"]:
        cells = {each.name: each for each in entries[table].tested.printed.cells}
        for row, name in find_cells(before.index, table, cells).items():
            number = cells[name].found or 0  # a dash: no epsilon, of which the row said 0
            assert judge_cell(entries[table], cells[name]) == before.loc[row, "verdict"], row
            assert agree(before.loc[row, "observed"], (number,)), row
            found.add(row)
    assert found == {
        row for row in before.index for table in load_left()["cells"] if row.startswith(table)
    }
    assert len(found) == 52


@of_each_paper
def test_no_count_of_cases_has_fallen(smoke_run, paper):
    path = smoke_run.path / f"results/findings/{paper}_counts.json"
    now = json.loads(path.read_text(encoding="utf-8"))
    then = json.loads(kept_counts.path_of(paper).read_text(encoding="utf-8"))
    assert find_falling_counts(now, then) == []


@of_each_paper
def test_no_statement_of_a_complete_run_lacks_its_cell(smoke_run, paper):
    """Else a cell that is misspelt in a statement would look like a thinner grid."""
    lacking = {
        each.id: missing
        for each in read_findings(smoke_run.path / f"results/findings/{paper}.json")
        for missing in each.missing
        if missing.lack not in {Lack.REAL_DATA, Lack.LEFT_OUT}
    }
    assert lacking == {}


@pytest.fixture(scope="module")
def coarse(smoke_run, tmp_path_factory):
    """The ledgers of all papers at their coarsest settings, on their smallest universes."""
    checkout = smoke_run.copy(tmp_path_factory.mktemp("coarse") / "run")
    config = {}
    for paper in list_papers():
        config = merge_changes(config, find_coarsest_settings(load_sections(paper)))
    config = merge_changes(config, choose_least(*list_papers()))
    first, *others = (f"results/ledger/{paper}.parquet" for paper in list_papers())
    output = checkout.smoke(*others, target=first, config=config)
    # Where settings have changed, too.
    assert [line for line in output.splitlines() if len(line) > 200] == []
    return checkout


@of_each_paper
def test_at_the_coarsest_settings_a_statement_keeps_its_verdict_or_has_none(
    smoke_run, coarse, paper
):
    """Fewer cases and coarser numbers may leave open what holds, and never turn it around."""
    before, after = (
        pd.read_parquet(run.path / f"results/ledger/{paper}.parquet").set_index("id")["verdict"]
        for run in (smoke_run, coarse)
    )
    assert list(before.index) == list(after.index)
    turned = {
        name: (before[name], after[name])
        for name in before.index
        if after[name] not in {before[name], "inconclusive", "not tested"}
    }
    assert turned == {}


def test_a_statement_that_raises_is_an_error_of_its_own_and_the_run_says_so(smoked):
    """The others keep their verdicts, the page has both, and the exit code is not 0, twice."""
    before = pd.read_parquet(smoked.path / "results/ledger/deterministic.parquet").set_index("id")
    section = smoked.path / "workflow/noiseless/papers/deterministic/section_2.py"
    section.write_text(section.read_text(encoding="utf-8") + BROKEN, encoding="utf-8")
    for _ in range(2):
        output = smoked.smoke(succeeds=False)
        assert "The run is not complete: the check of 1 statement(s) had an error" in output
        said = (
            "deterministic-broken (noiseless.papers.deterministic.section_2.broken): RuntimeError"
        )
        assert said in output
    after = pd.read_parquet(smoked.path / "results/ledger/deterministic.parquet").set_index("id")
    assert after.loc["deterministic-broken", "verdict"] == "error"
    rest = after.drop("deterministic-broken")
    assert rest["verdict"].equals(before.loc[rest.index, "verdict"])
    page = (smoked.path / "results/index.html").read_text(encoding="utf-8")
    assert "the dice is lost" in page
