"""The membership game with the user's own homes."""

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.experiments.noiseless.membership import advantage_table
from noiseless.experiments.own.meters import membership_tables, sizes_that_fit


def test_sizes_that_do_not_fit_are_left_out_with_a_message(caplog):
    assert sizes_that_fit([2, 4, 8], 8, "key", "there are {} homes") == [2, 4]
    assert "key: skipped: 8, for there are 8 homes" in caplog.text
    with pytest.raises(ConfigError, match=r"key is \[4, 8\], but there are 3 homes, .*smaller n"):
        sizes_that_fit([4, 8], 3, "key", "there are {} homes")


def test_membership_of_own_homes_is_the_papers_game_under_a_key_of_its_own():
    """The same function, the same numbers; other games than those of a public dataset."""
    rng = np.random.default_rng(2)
    readings = pd.DataFrame(
        {
            "home": pd.Categorical(np.repeat([f"h{k}" for k in range(7)], 30)),
            "time": np.tile(pd.date_range("2024-01-01", periods=30), 7),
            "energy_kwh": rng.gamma(2, 4, 210).round(3),
        }
    )
    shared = {"seed": 1, "games": 50, "epsilon_bits": [2], "public_range_kwh": 5}
    shared |= {"quantizer_rule": "n_2^eps", "peaks": "strict"}
    tables = membership_tables(
        readings,
        dataset="own_meters",
        n=[2, 4, 64],
        learned={"games": 40, "n": [2], "epsilon_bits": [2]},
        **shared,
    )
    expected = {
        dataset: advantage_table(readings, dataset=dataset, n=[2, 4], resolution="days", **shared)
        for dataset in ("own_meters", "london")
    }
    pd.testing.assert_frame_equal(tables["advantage"], expected["own_meters"])
    assert not tables["advantage"]["value"].equals(expected["london"]["value"])
    assert set(tables["learned"]["n"]) == {2}
