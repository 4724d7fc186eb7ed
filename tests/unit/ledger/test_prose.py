"""Placeholders of a page's prose."""

from types import SimpleNamespace

import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.ledger.prose import Prose


@pytest.fixture
def prose(tmp_path):
    (tmp_path / "toy").mkdir()
    cells = pd.DataFrame({"n": [2, 4], "who": ["a b", "c"], "statistic": "gain", "value": [0.5, 1]})
    cells.to_csv(tmp_path / "toy/cells.csv", index=False)
    row = SimpleNamespace(id="toy-thm1", found="2 (wanted: at most 1)", low="-2", high="1")
    none = SimpleNamespace(id="toy-thm2", found="")
    view = SimpleNamespace(verdict="fails", is_own=False, outcomes=(row, none))
    return Prose(
        "toy",
        [view],
        config={"toy": {"n": [1, 2, 3, 4, 5]}, "data": {"range": [0, 1]}},
        tables=tmp_path,
        constants=lambda name: SimpleNamespace(SIZE={"of": name}),
    )


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{thm1.found} {thm1.low:.1f} {thm1.size:.0f}", "2 (wanted: at most 1) -2.0 2"),
        ("{@toy/cells n=2 who=a_b gain:.2f}", "0.50"),
        ("{$config.n}, {$data.range}, {$const.sizes.SIZE.of}", "1 to 5, 0 to 1, sizes"),
        ("{#fails} of {#statements}", "1 of 1"),
    ],
)
def test_a_placeholder_is_filled(prose, text, filled):
    assert prose.fill(text) == filled


@pytest.mark.parametrize("text", ["{thm3.low}", "{thm2.found}", "{@toy/cells gain}", "{$config.m}"])
def test_a_placeholder_that_names_nothing_is_refused(prose, text):
    with pytest.raises(ConfigError, match="names nothing"):
        prose.fill(text)
