"""Homes that the configuration was not written for: what they are too few for is skipped."""

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.games.membership import possible_n
from noiseless.papers.noiseless.membership import advantage_table, learned_table

RELEASE = {"public_range_kwh": 5, "quantizer_rule": "n_2^eps", "resolution": "days"}


@pytest.fixture(scope="module")
def readings():
    """Seven homes, thirty days."""
    rng = np.random.default_rng(2)
    return pd.DataFrame(
        {
            "home": pd.Categorical(np.repeat([f"h{k}" for k in range(7)], 30)),
            "time": np.tile(pd.date_range("2024-01-01", periods=30), 7),
            "energy_kwh": rng.gamma(2, 4, 210).round(3),
        }
    )


def test_sizes_that_are_not_possible_are_skipped_with_a_message(caplog):
    found = possible_n([2, 4, 8], homes=8, key="key", who="there are {} homes")
    assert found == [2, 4]
    assert "key: skipped: 8, for there are 8 homes" in caplog.text
    with pytest.raises(ConfigError, match=r"key is \[4, 8\], but there are 3 homes, .*smaller n"):
        possible_n([4, 8], homes=3, key="key", who="there are {} homes")


def test_sizes_that_are_not_possible_are_errors_or_skipped_where_half_of_the_homes_play(readings):
    shared = {"dataset": "my-town", "seed": 1, "games": 50, "epsilon_bits": [2], **RELEASE}
    game = {**shared, "peaks": "strict"}
    expected = advantage_table(readings, n=[2, 4], **game)
    with pytest.raises(ConfigError, match="needs 65 homes"):
        advantage_table(readings, n=[2, 4, 64], **game)
    # Another name has other games.
    other = advantage_table(readings, n=[2, 4], **{**game, "dataset": "london"})
    assert not other["value"].equals(expected["value"])
    # Half of seven homes are three.
    assert set(learned_table(readings, n=[2, 3], **shared)["n"]) == {2}
