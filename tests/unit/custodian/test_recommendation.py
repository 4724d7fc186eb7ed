"""What a custodian is told: choices by hand, intervals by definition, other homes."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from noiseless.custodian.recommendation import (
    ALL,
    Halves,
    Release,
    Settings,
    exposed_gains,
    interval,
    recommendation_tables,
    recommended,
)
from noiseless.errors import ConfigError
from noiseless.games.releases import RoundedMean
from noiseless.papers.beyond.figures.recommendation import recommendation as draw_recommendation
from noiseless.seeds import generator
from noiseless.statistics import Estimate
from noiseless.tables import Provenance, read_table, require_twins, write_table
from toy_homes import make_table

LIMITS = {
    **{"n": [4, 8], "rounding_kwh": [0.1, 1, 400], "days_per_value": [1, 7], "gain": 0.2},
    **{"largest_error_share": 0.1, "draws": 4, "candidates": 8, "splits": 5},
}
KEYWORDS = {**LIMITS, "dataset": "toy", "seed": 3, "public_range_kwh": 100, "tolerance": 0.2}


def energy(homes, days=84):
    """Wh of homes with a common course over the days and habits of their own."""
    rng = generator(5, "recommendation", homes)
    season = 9 + 4 * np.sin(np.arange(days) / 20)
    habit = rng.gamma(6, 1 / 6, (homes, 1))
    return np.rint(1000 * season * habit * rng.gamma(20, 1 / 20, (homes, days))).astype(np.int64)


def halves(homes, seed=1, **limits):
    return Halves.cut(homes, Settings(**{**LIMITS, **limits}), ("test",), seed)


@pytest.fixture(scope="module")
def found():
    return recommendation_tables(make_table(energy(48)), **KEYWORDS)


def cells(table):
    index = ["n", "rounding_kwh", "days_per_value"]
    return table.pivot(index=index, columns="statistic", values="value")


@pytest.mark.parametrize(
    ("certain", "expected"),
    [
        # The finest period with the most homes, then fewer homes of it.
        ({(8, 28), (8, 7), (4, 7), (8, 1), (4, 1), (2, 1)}, (2, 1)),
        ({(8, 28), (8, 7), (4, 7), (4, 28)}, (4, 7)),
        # What lies beyond the first that is not certain does not count.
        ({(8, 28), (8, 1), (4, 1)}, (8, 28)),
        ({(8, 28), (2, 28)}, (8, 28)),
        ({(8, 7), (8, 1), (4, 28)}, None),
        (set(), None),
    ],
)
def test_the_choice_ends_at_the_first_release_that_is_not_certain(certain, expected):
    def is_certain(n, days):
        return (n, days) in certain

    assert recommended([4, 2, 8], [1, 28, 7], is_certain) == expected


def test_an_interval_is_that_of_as_many_other_homes():
    first, second = np.array([0.3, 0.5, 0.2, 0.4, 0.1]), np.array([0.2, 0.1, 0.4, 0.6, 0.2])
    found = interval(np.column_stack([first, second]).ravel(), most=1.0)
    assert found.value == pytest.approx(0.3)
    # Of one half; the mean over both and that of other homes have half of it each.
    variance = sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / 5 / 2
    margin = student(5).ppf(0.975) * math.sqrt(variance / 2 + variance / 2)
    assert (found.low, found.high) == pytest.approx((0.3 - margin, 0.3 + margin))
    assert math.isnan(interval(np.full(8, 0.3)).high)
    assert interval(np.tile([1.0, 0.0], 5), most=1.0).high == 1.0
    without_share = interval(np.tile([math.inf, 0.5], 5))
    assert without_share.value == math.inf
    assert math.isnan(without_share.high)


def test_the_interval_holds_the_mean_of_other_homes_and_is_no_wider_than_it_must_be():
    """A number that is a mean over homes: 95 % are covered, with the width that this takes."""
    rng, runs, homes = generator(6, "coverage"), 2000, 40
    covered, widths, off = 0, [], []
    for _ in range(runs):
        mine, others = rng.gamma(2.0, size=(2, homes))
        cuts = np.array([rng.permutation(mine).reshape(2, -1).mean(axis=1) for _ in range(20)])
        found = interval(cuts.ravel())
        covered += found.low <= others.mean() <= found.high
        widths.append((found.high - found.low) / 2)
        off.append(others.mean() - found.value)
    assert 0.93 <= covered / runs <= 0.97
    assert np.median(widths) == pytest.approx(1.96 * np.std(off), rel=0.1)


def test_the_halves_of_a_cut_share_no_home_and_play_in_turn():
    sides = halves(energy(21)).sides
    assert len(sides) == 10
    for (plays, tells), (plays_then, tells_then) in zip(sides[::2], sides[1::2], strict=True):
        assert len(plays) == len(tells) == 10
        assert not set(plays) & set(tells)
        assert (plays == tells_then).all()
        assert (tells == plays_then).all()
    assert {tuple(sorted(plays)) for plays, _ in sides[::2]} != {tuple(sorted(sides[0][0]))}


def test_errors_and_gains_of_a_half_are_those_of_a_loop():
    homes, release = energy(24, 14), Release(4, 1.0, 7)
    found = halves(homes)
    plays = found.sides[3][0]
    draw = found.draws(4, 3)[0]
    off, share = [], []
    for candidate in draw.candidates:
        for week in range(2):
            members = plays[[*draw.others, candidate]]
            mean = homes[members, 7 * week : 7 * week + 7].sum() / 4 / 7 / 1000
            off.append(math.floor(mean + 0.5) - mean)
            share.append(mean)
    error = math.sqrt(np.mean(np.square(off)))
    assert found.errors(release)["error_kwh"][3] == pytest.approx(error)
    assert found.errors(release)["error_share"][3] == pytest.approx(error / np.mean(share))
    assert release.rule == RoundedMean(4, 7000)
    played = found.played(release)
    alone = found.play(release, 4)
    for each, gains in alone.gains.items():
        np.testing.assert_allclose(gains, played.gains[each][:4])
    # Every home's risk, weighted by how often it was a candidate, is the mean gain.
    counts = np.zeros((2, 24))
    for side, (mine, _) in enumerate(found.sides):
        for number, each in enumerate(found.draws(4, side)):
            counts[number % 2, mine[each.candidates]] += 1
    risks = np.nan_to_num(played.risks["normal"])
    mean = (risks * counts).sum() / counts.sum()
    assert mean == pytest.approx(played.gains[ALL, "normal"].mean())


def test_rounding_that_buys_nothing_is_not_recommended():
    """0.1 and 1 kWh are alike within their intervals; 400 kWh is a constant."""
    assert halves(energy(48)).best_rounding(8, 7) == Release(8, 0.1, 7)


def test_rounding_that_is_certainly_safer_is_recommended(monkeypatch):
    some = halves(energy(48), rounding_kwh=[0.1, 0.5, 1])
    gains = {0.1: (0.5, 0.6), 0.5: (0.2, 0.4), 1: (0.1, 0.3)}

    def gain(self, release):
        low, high = gains[release.rounding_kwh]
        return Estimate((low + high) / 2, low, high, "homes")

    monkeypatch.setattr(Halves, "gain", gain)
    assert some.best_rounding(8, 7) == Release(8, 0.5, 7)


def test_an_error_that_other_homes_may_exceed_is_not_useful(monkeypatch):
    some = halves(energy(48))
    shares = {"error_share": np.tile([0.05, 0.14], 5), "constant_share": np.zeros(10)}
    shares |= {"error_kwh": np.ones(10), "constant_error_kwh": np.full(10, 2.0)}
    monkeypatch.setattr(Halves, "errors", lambda self, release: shares)
    assert not some.is_useful(Release(8, 1, 7))  # 0.095, but up to 0.26
    shares["error_share"] = np.tile([0.09, 0.1], 5)
    assert not some.is_useful(Release(8, 1, 7))
    shares["error_share"] = np.tile([0.08, 0.081], 5)
    assert some.is_useful(Release(8, 1, 7))
    shares["constant_share"] = np.full(10, 0.06)
    assert not some.is_useful(Release(8, 1, 7))


def test_a_constant_is_named_and_never_recommended(found):
    table = cells(found["frontier"])
    coarse = table.xs(400.0, level="rounding_kwh")
    assert (coarse["constant_share"] == 1).all()
    assert (coarse["useful"] == 0).all()
    assert (table["chosen"] * (1 - table["useful"])).sum() == 0
    # Evenly spread remainders have a root mean square of a step by the root of 12.
    np.testing.assert_allclose(
        table.xs(0.1, level="rounding_kwh")["error_kwh"], 0.1 / math.sqrt(12), rtol=0.05
    )


def test_more_homes_and_longer_periods_tell_less(found):
    gains = cells(found["frontier"])["gain_all"].xs(0.1, level="rounding_kwh")
    assert gains[4, 1] > gains[8, 7]


def test_the_release_that_is_described_was_played_in_all_halves(found):
    splits, frontier = found["splits"], found["frontier"]
    assert len(splits) == 10 * splits["statistic"].nunique()
    (cell,) = splits[["n", "rounding_kwh", "days_per_value"]].drop_duplicates().to_numpy()
    for statistic in ("gain_all", "insider_all", "error_kwh"):
        mean = splits[splits["statistic"] == statistic]["value"].mean()
        assert cells(frontier).loc[tuple(cell), statistic] == pytest.approx(mean)
    facts = found["facts"].set_index("statistic")["value"]
    gains = frontier[frontier["statistic"] == "gain_all"].set_index(
        ["n", "rounding_kwh", "days_per_value"]
    )
    assert facts["certain"] == (gains.loc[tuple(cell), "high"] <= 0.2)
    assert facts["known_homes"] == 24


def test_without_certainty_only_the_safest_of_all_is_named_or_none():
    """Goals that cannot be met: of 48 homes all that was to be tried is, of 14 it is not."""
    tables = {
        homes: recommendation_tables(make_table(energy(homes)), **{**KEYWORDS, "gain": 1e-6})
        for homes in (14, 48)
    }
    chosen = {homes: cells(table["frontier"])["chosen"] for homes, table in tables.items()}
    assert chosen[48][chosen[48] == 1].index.tolist() == [(8, 0.1, 7)]
    assert not chosen[14].any()
    for table in tables.values():
        assert table["facts"].set_index("statistic")["value"]["certain"] == 0


def test_the_most_exposed_are_chosen_on_one_half_of_the_draws_and_counted_on_the_other():
    risks = np.tile(np.linspace(0, 0.19, 20), (2, 1))
    gains = exposed_gains(risks)
    assert gains[0] == pytest.approx(0.19)
    np.testing.assert_allclose(gains[1:], risks[0].reshape(10, 2).mean(axis=1))
    # Luck alone: those who were lucky in one half are like all others in the other.
    luck = generator(1, "luck").random((2, 20000))
    np.testing.assert_allclose(exposed_gains(luck)[1:], 0.5, atol=0.03)


def test_homes_that_are_all_alike_are_safe():
    same = np.tile(energy(1), (24, 1))
    table = recommendation_tables(make_table(same), **KEYWORDS)["frontier"]
    gains = table[table["statistic"].isin(["gain_all", "insider_all"])]
    np.testing.assert_allclose(gains["value"], 0)


def test_at_no_error_only_no_mechanism_is_compared():
    """Readings in whole kWh, a mean of which rounding to a step that divides them leaves."""
    same = np.full((40, 84), 8000)
    tables = recommendation_tables(make_table(same), **{**KEYWORDS, "rounding_kwh": [0.1]})
    assert set(tables["mechanisms"]["mechanism"]) == {"none"}
    assert (tables["mechanisms"].query("statistic == 'error_kwh'")["value"] == 0).all()


@pytest.mark.parametrize("homes", [3, 5, 9])
def test_few_homes_get_what_can_be_said_and_no_recommendation(homes, found, tmp_path):
    columns = list(found["mechanisms"])
    few = {**KEYWORDS, "n": [8], "skip_impossible": True}
    found = recommendation_tables(make_table(energy(homes)), **few)
    assert set(found["frontier"]["n"]) == {homes - 1}
    assert found["frontier"]["low"].isna().all()
    assert not cells(found["frontier"])["chosen"].any()
    facts = found["facts"].set_index("statistic")["value"]
    assert (facts["homes"], facts["possible"], facts["certain"]) == (homes, 0, 0)
    assert found["mechanisms"].empty
    for name, table in found.items():
        path = tmp_path / f"{name}.parquet"
        write_table(table, path, Provenance("c"))
        require_twins([path.with_suffix(".csv")])
    mechanisms, _ = read_table(tmp_path / "mechanisms.parquet")
    assert list(mechanisms) == columns
    draw_recommendation(found["frontier"], mechanisms, gain=0.2)
    with pytest.raises(ConfigError, match="allow at most"):
        recommendation_tables(make_table(energy(homes)), **{**few, "skip_impossible": False})


def test_two_homes_are_refused():
    with pytest.raises(ConfigError, match="three homes or more"):
        recommendation_tables(make_table(energy(2)), **KEYWORDS, skip_impossible=True)


def test_tables_are_the_same_again():
    again = [recommendation_tables(make_table(energy(20)), **KEYWORDS) for _ in range(2)]
    for name, table in again[0].items():
        pd.testing.assert_frame_equal(table, again[1][name])
