"""The ledger from before statements were functions, and the least sizes of their universes."""

import importlib

import pytest

from frozen import agree, load_frozen, load_left
from noiseless.errors import ConfigError
from noiseless.pipeline.sections import list_papers
from noiseless.statements.registry import Run, Sizes, load_sections


@pytest.mark.parametrize("paper", list_papers())
@pytest.mark.parametrize("kind", ["smoke", "real"])
def test_each_row_has_a_function_and_each_function_a_row(paper, kind):
    rows = set(load_frozen(kind, paper).index)
    left = {name for name in load_left()["left"] if name.startswith(f"{paper}-")}
    functions = {each.id for each in load_sections(paper).statements} - set(load_left()["new"])
    tables = functions & set(load_left()["cells"])  # their rows are compared below
    rows -= {row for row in rows for name in tables if row.startswith(f"{name}-")} - functions
    assert rows - left == functions - tables
    assert left <= rows


@pytest.mark.parametrize("paper", list_papers())
def test_no_universe_may_be_smaller_than_its_least_sizes(paper):
    """With which the workflow runs once: tests/workflow/test_statements.py."""
    least = importlib.import_module(f"small_runs.{paper}").LEAST
    statements = load_sections(paper).statements
    sized = {u.name: u for each in statements for u in each.universes if u.smoke}
    assert {each: set(of.smoke) for each, of in sized.items()} == {
        each: set(sizes) for each, sizes in least.items()
    }
    for universe, source in sized.items():
        for size in source.least:
            value = least[universe][size]
            fewer = source.least[size] - 1
            if isinstance(value, list | tuple):
                fewer = [fewer] if isinstance(value[0], int) else value[:-1]
            with pytest.raises(ConfigError, match=f"`{universe}.{size}` is .*, and must be"):
                source.get_sizes(Run(Sizes.SMOKE, 1, overrides={universe: {size: fewer}}))


def test_numbers_of_the_frozen_ledger_are_read():
    assert agree("0 (sum of 4 rows)", (0,))
    assert agree("1.5 to 2 (7 rows)", (2, 1.7, 1.5))
    assert agree("a: 1; b: 2.25", (1, 2.25))
    assert agree("-", ())
    assert not agree("-", (1,))
    assert not agree("0 (sum of 4 rows)", (1,))
    assert not agree("a: 1; b: 2.25", (1, 2.26))
    assert not agree("1.5 to 2 (7 rows)", (2, 1.7, 1.4))
