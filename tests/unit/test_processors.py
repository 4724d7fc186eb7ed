"""What another processor may change: nothing that is chosen, and of a number the last digits."""

import pandas as pd
import pytest

import processors


@pytest.fixture(scope="module")
def here_and_there(tmp_path_factory):
    if not processors.older()["NPY_DISABLE_CPU_FEATURES"]:
        pytest.skip("numpy has no newer instructions to do without here")
    elsewhere = processors.tables_elsewhere(tmp_path_factory.mktemp("older"))
    return processors.tables(), elsewhere


def test_tables_agree_to_nine_digits_on_an_older_processor(here_and_there):
    here, there = here_and_there
    assert {name: processors.differences(here[name], there[name]) for name in here} == {
        name: [] for name in here
    }


def test_the_older_processor_is_another_one(here_and_there):
    """Or there would be nothing to promise: the last digits of a product differ."""
    here, there = here_and_there
    assert not here["product"].equals(there["product"])


@pytest.mark.parametrize(
    ("value", "noticed"), [(2 + 1e-12, []), (2 + 1e-7, ["value"]), (-2.0, ["value"])]
)
def test_more_than_the_last_digits_is_noticed(value, noticed):
    table = pd.DataFrame({"n": [1, 2], "who": ["a", "b"], "value": [1.0, 2.0]})
    assert processors.differences(table, table.assign(value=[1.0, value])) == noticed
    assert processors.differences(table, table.assign(n=[1, 3])) == ["n"]
    assert processors.differences(table, table.assign(who=["a", "c"])) == ["who"]
    assert processors.differences(table, table.head(1)) == ["rows or columns"]
    nothing = table.assign(value=[0.0, float("nan")])
    assert processors.differences(nothing, nothing.assign(value=[1e-16, float("nan")])) == []
    assert processors.differences(nothing, table) == ["value"]
