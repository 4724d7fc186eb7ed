"""How many homes hide one, played and predicted on made-up homes."""

import math

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import TooSmallError
from noiseless.papers.noiseless.homes_hidden import build_hiding_table
from noiseless.theory.homes_needed import HomeSample, bound_mean_advantage

SETTINGS = {"dataset": "toy", "seed": 3, "public_range_kwh": 40, "games": 600}


def readings(homes, days):
    """Readings of homes without anything in common."""
    energy_kwh = np.random.default_rng(8).gamma(2.0, 5.0, (homes, days)).round(3)
    times = pd.date_range("2024-01-01", periods=days)
    names = [f"h{k:03}" for k in range(homes)]
    rows = pd.MultiIndex.from_product([names, times], names=["home", "time"])
    tidy = rows.to_frame(index=False).assign(energy_kwh=energy_kwh.ravel())
    return tidy, energy_kwh


def test_cells_are_played_predicted_and_bounded():
    tidy, energy_kwh = readings(60, 40)
    table = build_hiding_table(tidy, n=[4, 16], days=[10, 365], epsilon_bits=[3], **SETTINGS)
    cell = ["adversary", "n", "days", "epsilon_bits"]
    wide = table.pivot(index=cell, columns="statistic", values="value").reset_index()
    assert set(wide["days"]) == {10, 40}  # more than there are count as all
    assert len(wide) == 2 * 2 * (1 + 2)  # budgets are played on all days
    assert set(wide["playing"]) == {40}
    assert wide.groupby("adversary")["known"].unique().map(list).to_dict() == {
        "pair": [0],
        "pair_known": [20],
    }
    exact = wide[np.isinf(wide["epsilon_bits"])]
    for row in exact.itertuples():
        assert row.bound == bound_mean_advantage(row.n, row.days)
        assert row.bin_in_sd == 0
        assert abs(row.measured_less_predicted) < 0.2
    low = table[table["statistic"] == "advantage"].set_index(cell)["low"]
    assert (low.to_numpy() <= wide.set_index(cell).loc[low.index, "bound"].to_numpy()).all()
    whole = exact[(exact["days"] == 40) & (exact["n"] == 16)].set_index("adversary")
    sample = HomeSample(energy_kwh, seed=3)
    assert whole.loc["pair", "predicted"] == pytest.approx(sample.predict(16)[0])
    quantized = wide[np.isfinite(wide["epsilon_bits"])]
    # A bin of the sum is 40 kWh / 2^3 wide, for every n.
    spread = [
        math.sqrt((n - 1) * np.minimum(energy_kwh, 40).var(axis=0, ddof=1).mean())
        for n in quantized["n"]
    ]
    np.testing.assert_allclose(quantized["bin_in_sd"], 5 / np.array(spread), rtol=1e-9)


def test_games_depend_on_seed_set_and_cell():
    tidy, _ = readings(30, 20)
    common = {"n": [4], "days": [20], "epsilon_bits": [3]}
    one, other, elsewhere = (
        build_hiding_table(tidy, **common, **{**SETTINGS, **changed})
        for changed in ({}, {"seed": 4}, {"dataset": "other"})
    )
    for table in (other, elsewhere):
        assert not np.allclose(one["value"], table["value"])
    pd.testing.assert_frame_equal(one, build_hiding_table(tidy, **common, **SETTINGS))


@pytest.mark.parametrize(("homes", "days"), [(9, 20), (20, 3)])
def test_too_few_homes_or_days_are_named(homes, days):
    tidy, _ = readings(homes, days)
    with pytest.raises(TooSmallError, match=f"there are {homes} homes and {days} days"):
        build_hiding_table(tidy, n=[2], days=[7], epsilon_bits=[3], **SETTINGS)
