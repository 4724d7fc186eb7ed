"""Verdicts of statements without data, as they were: what judges a change of a paper's module.

``tests/mutants/sampled.py`` runs it for each change.  Of code as it is, ``make test`` asks
the same of the smoke run (tests/workflow/test_statements.py).
"""

import importlib
import json

import pytest

from counts import __main__ as kept_counts
from frozen import agree, find_cells, load_frozen, load_left
from noiseless.pipeline.sections import list_papers
from noiseless.statements.cells import widen
from noiseless.statements.counts import build_counts, find_falling_counts
from noiseless.statements.registry import Run, Sizes, load_sections
from noiseless.statements.running import run_statement
from noiseless.statements.verdicts import judge, judge_cell
from noiseless.tables import Provenance

SEED = 2019  # of config/smoke.yaml


@pytest.fixture(scope="module", params=list_papers())
def small(request):
    """A paper's small run (tests/small_runs)."""
    return importlib.import_module(f"small_runs.{request.param}")


@pytest.fixture(scope="module")
def name(small):
    return small.__name__.rpartition(".")[2]


@pytest.fixture(scope="module")
def statements(name):
    return load_sections(name).statements


@pytest.fixture(scope="module")
def run(small, statements):
    made = Run(Sizes.SMOKE, SEED)
    sources = {table.name: table for each in statements for table in each.tables}
    for table, long in small.tables().items():
        made.tables = {**made.tables, table: ""}
        made.built[sources[table]] = widen(long)
        made.built[table] = Provenance("")
    return made


@pytest.fixture(scope="module")
def tested(run, statements):
    return {each.id: run_statement(each, run) for each in statements}


def test_no_verdict_and_no_number_moved(small, name, statements, tested):
    before, changed = load_frozen("smoke", name), load_left()["changed"]
    entries = {each.statement.id: each for each in judge(statements, tested)}
    without_data = [
        each for each in statements if tested[each.id].printed and not tested[each.id].printed.cells
    ]
    assert len(without_data) >= small.WITHOUT_DATA
    without_data = [each for each in without_data if each.id not in load_left()["new"]]
    moved = {
        each.id: (before.loc[each.id].to_dict(), entries[each.id].verdict)
        for each in without_data
        if before.loc[each.id, "verdict"] != entries[each.id].verdict
    }
    assert moved == {}
    numbers = {
        each.id
        for each in without_data
        if not agree(before.loc[each.id, "observed"], tested[each.id].printed.found)
    }
    assert numbers == {each for each in changed if each.startswith(f"{name}-")}


def test_each_row_of_a_printed_table_is_a_cell(name, statements, tested):
    """52 rows of Table 1: each has its verdict and its number in one cell of a statement."""
    before = load_frozen("smoke", name)
    entries = {each.statement.id: each for each in judge(statements, tested)}
    found = {}
    for table in load_left()["cells"]:
        cells = {each.name: each for each in entries[table].tested.printed.cells} if (
            table in entries
        ) else {}  # fmt: skip
        for row, cell in find_cells(before.index, table, cells).items():
            number = cells[cell].found or 0  # a dash: no epsilon, of which the row said 0
            assert judge_cell(entries[table], cells[cell]) == before.loc[row, "verdict"], row
            assert agree(before.loc[row, "observed"], (number,)), row
            found[row] = cell
    rows = {row for row in before.index for table in load_left()["cells"] if row.startswith(table)}
    assert set(found) == rows
    assert len(found) == (52 if name == "prrelation" else 0)


def test_no_count_of_cases_has_fallen(name, run, tested):
    """A count that falls is written into tests/counts with the reason (tests/counts)."""
    then = json.loads(kept_counts.path_of(name).read_text(encoding="utf-8"))
    now = json.loads(json.dumps(build_counts(name, run, tested.values())))
    for on_data in (each for each, found in tested.items() if found.missing):
        then["statements"].pop(on_data, None)  # of the complete run: workflow/test_statements.py
    assert find_falling_counts(now, then) == []
