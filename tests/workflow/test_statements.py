"""Papers whose statements are functions, after the complete small run: any data will do."""

import json
from pathlib import Path

import pandas as pd
import pytest

from changed_settings.coarsest import find_coarsest_settings
from counts import __main__ as kept_counts
from frozen import agree, load_frozen, load_left
from noiseless.pipeline.sections import list_papers
from noiseless.statements.counts import find_falling_counts
from noiseless.statements.registry import load_sections
from noiseless.statements.running import Lack, read_findings

pytestmark = pytest.mark.parametrize("paper", list_papers())
PAPERS = Path(__file__).resolve().parents[2] / "workflow/noiseless/papers"
BROKEN = """

@paper.states("Example 1", prints="a dice")
def broken() -> Finding:
    \"\"\"Nothing that runs.\"\"\"
    raise RuntimeError("the dice is lost")
"""


def test_verdicts_and_numbers_are_those_of_the_frozen_ledger(smoke_run, paper):
    ledger = pd.read_parquet(smoke_run.path / f"results/ledger/{paper}.parquet").set_index("id")
    found = {
        each.id: each.printed.found if each.printed else ()
        for each in read_findings(smoke_run.path / f"results/findings/{paper}.json")
    }
    before, kept = load_frozen("smoke", paper), load_left()
    # Rows that are cells of a printed table: tests/unit/statements/test_moved.py.
    tables = set(found) & set(kept["cells"])
    cells = {row for row in before.index for name in tables if row.startswith(f"{name}-")}
    assert set(found) == set(ledger.index)
    rows = set(before.index) - set(kept["left"]) - cells - tables
    assert rows == set(found) - set(kept["new"]) - tables
    for name in sorted(rows):
        numbers = found[name]
        assert ledger.loc[name, "verdict"] == before.loc[name, "verdict"], name
        assert agree(before.loc[name, "observed"], numbers) == (name not in kept["changed"]), name


def test_no_count_of_cases_has_fallen(smoke_run, paper):
    path = smoke_run.path / f"results/findings/{paper}_counts.json"
    now = json.loads(path.read_text(encoding="utf-8"))
    then = json.loads(kept_counts.path_of(paper).read_text(encoding="utf-8"))
    assert find_falling_counts(now, then) == []


def test_no_statement_of_a_complete_run_lacks_its_cell(smoke_run, paper):
    """Else a cell that is misspelt in a statement would look like a thinner grid."""
    lacking = {
        each.id: missing
        for each in read_findings(smoke_run.path / f"results/findings/{paper}.json")
        for missing in each.missing
        if missing.lack not in {Lack.REAL_DATA, Lack.LEFT_OUT}
    }
    assert lacking == {}


def test_at_the_coarsest_settings_a_statement_keeps_its_verdict_or_has_none(smoked, paper):
    """Fewer cases and coarser numbers may leave open what holds, and never turn it around.

    Of universes: tests/unit/statements/test_moved.py.
    """
    path = smoked.path / f"results/ledger/{paper}.parquet"
    before = pd.read_parquet(path).set_index("id")["verdict"]
    config = find_coarsest_settings(load_sections(paper))
    smoked.smoke(target=f"results/ledger/{paper}.parquet", config=config)
    after = pd.read_parquet(path).set_index("id")["verdict"]
    turned = {
        name: (before[name], after[name])
        for name in before.index
        if after[name] not in {before[name], "inconclusive", "not tested"}
    }
    assert turned == {}


def test_a_statement_that_raises_is_an_error_of_its_own_and_the_run_says_so(smoked, paper):
    """The others keep their verdicts, the page has both, and the exit code is not 0, twice."""
    if paper != "nsht":
        pytest.skip("one paper is enough")
    before = pd.read_parquet(smoked.path / f"results/ledger/{paper}.parquet").set_index("id")
    section = smoked.path / f"workflow/noiseless/papers/{paper}/section_2.py"
    section.write_text(section.read_text(encoding="utf-8") + BROKEN, encoding="utf-8")
    for _ in range(2):
        output = smoked.smoke(succeeds=False)
        assert "The run is not complete: the check of 1 statement(s) had an error" in output
        assert "nsht-broken (noiseless.papers.nsht.section_2.broken): RuntimeError" in output
    after = pd.read_parquet(smoked.path / f"results/ledger/{paper}.parquet").set_index("id")
    assert after.loc["nsht-broken", "verdict"] == "error"
    rest = after.drop("nsht-broken")
    assert rest["verdict"].equals(before.loc[rest.index, "verdict"])
    page = (smoked.path / "results/index.html").read_text(encoding="utf-8")
    assert "the dice is lost" in page
