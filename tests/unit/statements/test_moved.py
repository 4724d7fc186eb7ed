"""What became a function has the verdict and the number that its row had, and as many cases."""

import json

import pytest

from counts import __main__ as kept_counts
from frozen import agree, load_frozen, load_left
from noiseless.errors import ConfigError
from noiseless.papers.nsht import blurring, indistinguishability, leakage, odds
from noiseless.pipeline.sections import list_stated_papers
from noiseless.settings import build_log_grid
from noiseless.statements.cells import widen
from noiseless.statements.counts import build_counts, find_falling_counts
from noiseless.statements.registry import Run, Sizes, load_sections
from noiseless.statements.running import run_statement
from noiseless.statements.verdicts import judge
from noiseless.tables import Provenance

SEED, POINTS = 2019, 31  # of config/smoke.yaml


def tables_without_data():
    """The tables of the small run that rest on no data, by name."""
    rho = build_log_grid(*blurring.ACCURACIES_PER_KG, POINTS)
    epsilon = build_log_grid(*leakage.BUDGETS, POINTS)
    return {
        "nsht/blurring_budget": blurring.build_guarantees_table(rho_per_kg=rho),
        "nsht/leakage_bound": leakage.build_bound_table(epsilon=epsilon),
        "nsht/indistinguishability": indistinguishability.build_indistinguishability_table(),
        "nsht/blurring_odds": odds.build_odds_table(),
    }


@pytest.fixture(scope="module")
def run():
    made = Run(Sizes.SMOKE, SEED)
    sources = {t.name: t for each in load_sections("nsht").statements for t in each.tables}
    for name, table in tables_without_data().items():
        made.tables = {**made.tables, name: ""}
        made.built[sources[name]] = widen(table)
        made.built[name] = Provenance("")
    return made


@pytest.fixture(scope="module")
def tested(run):
    return {each.id: run_statement(each, run) for each in load_sections("nsht").statements}


@pytest.mark.parametrize("paper", list_stated_papers())
@pytest.mark.parametrize("kind", ["smoke", "real"])
def test_each_row_has_a_function_and_each_function_a_row(paper, kind):
    rows = set(load_frozen(kind, paper).index)
    left = {name for name in load_left()["left"] if name.startswith(f"{paper}-")}
    functions = {each.id for each in load_sections(paper).statements}
    assert rows - left == functions
    assert left <= rows


@pytest.mark.slow
def test_no_verdict_and_no_number_moved(tested):
    statements = load_sections("nsht").statements
    before, changed = load_frozen("smoke", "nsht"), load_left()["changed"]
    entries = {each.statement.id: each for each in judge(statements, tested)}
    without_data = [each for each in statements if tested[each.id].printed]
    assert len(without_data) >= 70
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
    assert numbers == {name for name in changed if name.startswith("nsht-")}


@pytest.mark.slow
def test_no_count_of_cases_has_fallen(run, tested):
    """A count that falls is written into tests/counts with the reason (tests/counts)."""
    then = json.loads(kept_counts.path_of("nsht").read_text(encoding="utf-8"))
    now = json.loads(json.dumps(build_counts("nsht", run, tested.values())))
    on_data = [name for name, each in tested.items() if each.missing]
    assert len(on_data) < 30
    for name in on_data:  # of the complete small run: tests/workflow/test_statements.py
        then["statements"].pop(name, None)
    assert find_falling_counts(now, then) == []


LEAST = {
    "policies": {"largest": 2, "random": (), "maps": 1},
    "leaks": {"largest": 3, "random": (), "maps": 1},
    "densities": {"cells": (2,), "random": (), "pairs": 1},
    "linear_queries": {"largest_coefficient": 1, "random_people": (), "random_queries": 1},
    "lattices": {"cells": (200,), "cells_per_record": 10},
    "thresholds": {"degrees": (0,), "thresholds": 1, "cells": 80, "cells_per_record": 5},
    "all_policies": {"lines": ((4, 1), (6, 1), (8, 1), (6, 2)), "grids": ((2, 3), (3, 2), (3, 3))},
    "lines": {"rooms": (0, 7), "records": 11},
    "all_releases": {"lattices": [{"points": 4, "spans": (3, 2)}]},
    "distances": {"cells": (41,)},
}


@pytest.mark.slow
def test_the_least_sizes_leave_a_verdict_or_leave_it_open(tested):
    """A size can make a verdict weaker, and never another."""
    statements = load_sections("nsht").statements
    sized = {u.name: u for each in statements for u in each.universes if u.smoke}
    assert {name: set(each.smoke) for name, each in sized.items()} == {
        name: set(sizes) for name, sizes in LEAST.items()
    }
    chosen = [each for each in statements if each.universes and not each.tables]
    least = Run(Sizes.SMOKE, SEED, overrides=LEAST)
    before = {each.statement.id: each.verdict for each in judge(statements, tested)}
    entries = judge(chosen, {each.id: run_statement(each, least) for each in chosen})
    turned = {
        each.statement.id: (before[each.statement.id], each.verdict, each.tested.error)
        for each in entries
        if each.verdict not in (before[each.statement.id], "inconclusive", "not tested")
    }
    assert turned == {}
    for name, source in sized.items():
        for size in source.least:
            value = LEAST[name][size]
            fewer = source.least[size] - 1
            if isinstance(value, list | tuple):
                fewer = [fewer] if isinstance(value[0], int) else value[:-1]
            with pytest.raises(ConfigError, match=f"`{name}.{size}` is .*, and must be"):
                source.get_sizes(Run(Sizes.SMOKE, SEED, overrides={name: {size: fewer}}))


def test_numbers_of_the_frozen_ledger_are_read():
    assert agree("0 (sum of 4 rows)", (0,))
    assert agree("1.5 to 2 (7 rows)", (2, 1.7, 1.5))
    assert agree("a: 1; b: 2.25", (1, 2.25))
    assert agree("-", ())
    assert not agree("-", (1,))
    assert not agree("0 (sum of 4 rows)", (1,))
    assert not agree("a: 1; b: 2.25", (1, 2.26))
    assert not agree("1.5 to 2 (7 rows)", (2, 1.7, 1.4))
