"""How many homes hide one, played and predicted on made-up homes."""

import math

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import TooSmallError
from noiseless.papers.noiseless.homes_hidden import (
    add_independent,
    bound_by_fisher_information,
    bound_by_overlap,
    build_hiding_table,
    compute_overlap,
    estimate_law,
)
from noiseless.papers.noiseless.limits import ANYBODY
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
    table = table[table["adversary"] != ANYBODY]
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


def test_sums_of_one_law_are_moved_no_further_than_both_bounds():
    tidy, _ = readings(60, 40)
    table = build_hiding_table(tidy, n=[2, 16], days=[10], epsilon_bits=[3], **SETTINGS)
    wide = table[table["adversary"] == ANYBODY].pivot(
        index="n", columns="statistic", values="value"
    )
    assert list(wide.index) == [2, 16]
    for bound, share in (("fisher_bound", 0.4), ("overlap_bound", 0.25)):
        assert (wide["distance"] <= wide[bound]).all()
        assert (wide["distance"] > share * wide[bound]).all()


def test_fisher_information_of_a_grid_is_that_of_the_density():
    """Of a normal law: one over its variance; and sums of it are normal laws."""
    grid = np.arange(-2000, 2001) / 50
    law = np.exp(-(grid**2) / 2)
    law /= law.sum()
    assert bound_by_fisher_information(law, 9, 50) == pytest.approx(1 / 2 / 3, rel=1e-4)
    distance = 1 - compute_overlap(add_independent(law, 9), 50)
    assert distance == pytest.approx(math.erf(1 / 3 / 2 / math.sqrt(2)), rel=1e-4)


def test_sums_and_bounds_are_those_of_plain_loops():
    law = np.array([0.1, 0.4, 0.2, 0.3])
    by_hand = np.convolve(np.convolve(law, law), law)
    np.testing.assert_allclose(add_independent(law, 3), by_hand, atol=1e-15)
    share = min(0.4, 0.1) + min(0.2, 0.4) + min(0.3, 0.2)
    assert compute_overlap(law, 1) == pytest.approx(share)
    assert compute_overlap(law, 4) == 0
    expected = sum(
        math.comb(3, k) * share**k * (1 - share) ** (3 - k) * math.comb(k, k // 2) / 2**k
        for k in range(4)
    )
    assert bound_by_overlap(law, 3, 1) == pytest.approx(expected)


def test_a_law_has_its_mean_and_the_spread_of_its_kernels_beside_its_own():
    day_kwh = np.array([3.0, 5.0, 8.0, 8.0, 11.0])
    law = estimate_law(day_kwh)
    width = 1.06 * day_kwh.std() * 5**-0.2
    grid = day_kwh.min() - 8 * width + 0.05 * np.arange(len(law))
    assert law @ grid == pytest.approx(7, abs=1e-3)
    assert law @ (grid - 7) ** 2 == pytest.approx(day_kwh.var() + width**2, rel=1e-3)
