"""What a custodian is told: choices by hand, intervals by definition, homes held back."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from noiseless.custodian import recommendation
from noiseless.custodian.recommendation import (
    Half,
    Played,
    Settings,
    best_outsider,
    frontier,
    recommendation_tables,
    recommended,
)
from noiseless.errors import ConfigError
from noiseless.papers.beyond.figures.recommendation import recommendation as draw_recommendation
from noiseless.seeds import generator
from noiseless.tables import Provenance, read_table, require_twins, write_table
from toy_homes import make_table

SETTINGS = Settings(
    n=(4, 8),
    rounding_kwh=(0.1, 1.0, 400.0),
    days_per_value=(1, 7),
    gain=0.2,
    largest_error_share=0.1,
    draws=4,
    candidates=8,
    groups=5,
)
KEYWORDS = {
    **{"dataset": "toy", "seed": 3, "n": [4, 8], "rounding_kwh": [0.1, 1, 400]},
    **{"days_per_value": [1, 7], "gain": 0.2, "largest_error_share": 0.1, "draws": 4},
    **{"candidates": 8, "groups": 5, "splits": 2, "public_range_kwh": 100},
    "tolerance": 0.2,
}


def energy(homes, days=84):
    """Wh of homes with a common course over the days and habits of their own."""
    rng = generator(5, "recommendation", homes)
    season = 9 + 4 * np.sin(np.arange(days) / 20)
    habit = rng.gamma(6, 1 / 6, (homes, 1))
    return np.rint(1000 * season * habit * rng.gamma(20, 1 / 20, (homes, days))).astype(np.int64)


@pytest.fixture(scope="module")
def found():
    return recommendation_tables(make_table(energy(48)), **KEYWORDS)


def made_up(cells):
    """A frontier of (n, rounding, days, gain, sure, useful)."""
    names = ["n", "rounding_kwh", "days_per_value", "gain_all", "sure_all", "useful"]
    return pd.DataFrame(cells, columns=names)


def test_the_fewest_homes_that_are_enough_in_the_finest_time():
    table = made_up(
        [
            (8, 1, 1, 0.10, 0.30, 1),
            (4, 1, 1, 0.40, 0.60, 1),
            (8, 1, 7, 0.05, 0.25, 1),
            (4, 1, 7, 0.15, 0.40, 1),
        ]
    )
    assert recommended(table, SETTINGS) == 0


def test_what_is_certain_comes_before_what_is_finer():
    table = made_up([(8, 1, 1, 0.10, 0.30, 1), (8, 1, 7, 0.05, 0.19, 1), (4, 1, 7, 0.10, 0.21, 1)])
    assert recommended(table, SETTINGS) == 1


def test_the_rounding_is_chosen_by_the_error_alone():
    table = made_up([(8, 0.1, 1, 0.0, 0.0, 1), (8, 1, 1, 0.1, 0.1, 1), (8, 400, 1, 0.0, 0.0, 0)])
    assert recommended(table, SETTINGS) == 1


def test_a_lucky_number_of_homes_beyond_a_bad_one_does_not_count():
    table = made_up([(8, 1, 1, 0.5, 0.9, 1), (4, 1, 1, 0.0, 0.0, 1)])
    assert recommended(table, SETTINGS) is None
    only_few = made_up([(8, 1, 1, 0.0, 0.0, 0), (4, 1, 1, 0.0, 0.0, 1)])
    assert recommended(only_few, SETTINGS) is None


def test_an_interval_is_that_of_the_jackknife_for_as_many_other_homes():
    """Two adversaries: the best is taken anew without each group."""
    one = np.array([[0.3, 0.2, 0.4, 0.3, 0.3, 0.3], [0.5, 0.4, 0.4, 0.5, 0.5, 0.5]])
    other = np.array([[0.3, 0.9, 0.1, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]])
    played = Played({("all", "one"): one, ("all", "other"): other, ("all", "exact"): one}, {})
    name, estimate = best_outsider(played, "all", 0.1)
    assert name == "one"
    assert estimate.value == pytest.approx(0.4)
    without = np.array([0.5, 0.4, 0.4, 0.4, 0.4])  # 0.9 and 0.1 of the other, else of the one
    variance = 4 / 5 * ((without - without.mean()) ** 2).sum() + 0.1**2 * 2 / 2
    margin = student(4).ppf(0.95) * math.sqrt(2 * variance)
    assert estimate.high == pytest.approx(0.4 + margin)
    assert estimate.low == pytest.approx(0.4 - margin)


@pytest.mark.slow
def test_the_jackknife_holds_the_gain_of_other_homes():
    """Intervals of 80 % from small halves of many homes hold the other half's gain as often."""
    settings = Settings(**{**SETTINGS.__dict__, "n": (4,), "days_per_value": (7,), "draws": 6})
    inside = 0
    for run in range(30):
        homes = energy(480)[generator(6, "halves", run).permutation(480)[:60]]
        halves = Half(homes[:30], homes[30:]), Half(homes[30:], homes[:30])
        populations = [
            recommendation._populations(recommendation.periods_of(half.tells_wh, 7), settings)
            for half in halves
        ]
        games = [
            recommendation._Games.draw(
                recommendation.periods_of(half.plays_wh, 7),
                4,
                settings,
                days=7,
                key=(run, k),
                seed=1,
            )
            for k, half in enumerate(halves)
        ]
        played = [
            recommendation._play(each, some, 1.0)
            for each, some in zip(games, populations, strict=True)
        ]
        estimate = best_outsider(played[0], "all", 0.2)[1]
        target = best_outsider(played[1], "all", 0.2)[1].value
        inside += estimate.low <= target <= estimate.high
    assert inside >= 20  # of a binomial with 0.8, less has a probability of 0.03


def test_a_constant_is_named_and_never_recommended(found):
    table = found["frontier"].pivot_table(
        index=["n", "rounding_kwh", "days_per_value"], columns="statistic", values="value"
    )
    coarse = table.xs(400.0, level="rounding_kwh")
    assert (coarse["constant_share"] == 1).all()
    assert (coarse["useful"] == 0).all()
    assert (table["chosen"].sum(), (table["chosen"] * (1 - table["useful"])).sum()) in (
        (0, 0),
        (1, 0),
    )
    # Evenly spread remainders have a root mean square of a step by the root of 12.
    np.testing.assert_allclose(
        table.xs(0.1, level="rounding_kwh")["error_kwh"], 0.1 / math.sqrt(12), rtol=0.05
    )


def test_more_homes_and_longer_periods_tell_less(found):
    gains = found["frontier"][found["frontier"]["statistic"] == "gain_all"]
    fine = gains[gains["rounding_kwh"] == 0.1].set_index(["n", "days_per_value"])["value"]
    assert fine[4, 1] > fine[8, 7]


def test_every_split_is_tested_on_the_other_half(found):
    splits = found["splits"].pivot(index="split", columns="statistic", values="value")
    assert list(splits.index) == [0, 1]
    made = splits[splits["exists"] == 1]
    for row in made.itertuples():
        found_rows = found["splits"][
            (found["splits"]["split"] == row.Index) & (found["splits"]["statistic"] == "found")
        ]
        low, high = found_rows[["low", "high"]].iloc[0]
        assert row.inside == (low <= row.held_back <= high)


def test_the_brief_frontier_chooses_as_the_full_one_does():
    homes = energy(60)
    half = Half(homes[:30], homes[30:])
    for gain in (0.3, 0.7):
        settings = Settings(**{**SETTINGS.__dict__, "gain": gain})
        cells = []
        for brief in (False, True):
            table = frontier(half, settings, key=("x",), seed=2, brief=brief)
            row = recommended(table, settings)
            cells.append(
                None if row is None else tuple(table.loc[row, ["n", "rounding_kwh", "gain_all"]])
            )
        assert cells[0] == cells[1]


def test_homes_that_are_all_alike_are_safe():
    same = np.tile(energy(1), (24, 1))
    table = recommendation_tables(make_table(same), **{**KEYWORDS, "splits": 1})["frontier"]
    gains = table[table["statistic"].isin(["gain_all", "insider_all"])]
    np.testing.assert_allclose(gains["value"], 0)


@pytest.mark.parametrize("homes", [3, 5, 9])
def test_few_homes_get_what_can_be_said_and_no_recommendation(homes, found, tmp_path):
    columns = list(found["mechanisms"])
    found = recommendation_tables(make_table(energy(homes)), **KEYWORDS, skip_impossible=True)
    assert set(found["frontier"]["n"]) == {homes - 1}
    assert found["frontier"]["low"].isna().all()
    assert found["splits"]["value"].tolist() == [0.0]
    facts = found["facts"].set_index("statistic")["value"]
    assert (facts["homes"], facts["possible"]) == (homes, 0)
    assert found["mechanisms"].empty
    for name, table in found.items():
        path = tmp_path / f"{name}.parquet"
        write_table(table, path, Provenance("c"))
        require_twins([path.with_suffix(".csv")])
    mechanisms, _ = read_table(tmp_path / "mechanisms.parquet")
    assert list(mechanisms) == columns
    draw_recommendation(found["frontier"], mechanisms, gain=0.2)
    with pytest.raises(ConfigError, match="allow at most"):
        recommendation_tables(make_table(energy(homes)), **KEYWORDS)


def test_two_homes_are_refused():
    with pytest.raises(ConfigError, match="three homes or more"):
        recommendation_tables(make_table(energy(2)), **KEYWORDS, skip_impossible=True)
