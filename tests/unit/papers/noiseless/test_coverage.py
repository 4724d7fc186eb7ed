"""Intervals of the advantage hold the true one as often as they say, where it is known."""

import numpy as np
import pytest

from noiseless.games.membership import draw_games
from noiseless.papers.noiseless import coverage
from noiseless.papers.noiseless.coverage import build_coverage_table, format_coverage_table
from noiseless.seeds import make_generator

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    """Of 16 homes there are not twice as many as a game of n = 8 has."""
    found = build_coverage_table(
        seed=3,
        cases=[{"homes": 120, "n": 8}, {"homes": 16, "n": 8}],
        games=600,
        repetitions=200,
        resamples=40,
    )
    return found.set_index(["population", "homes", "method", "statistic"])


@pytest.mark.parametrize("population", ["common", "rare"])
def test_interval_over_homes_covers_and_that_over_games_does_not(table, population):
    """Two sampling errors of 200 repetitions below 0.93, and above 0.98, are 0.894 and 1."""
    assert 0.894 <= table.loc[(population, 120, "homes", "coverage"), "value"] < 1
    if population == "common":
        assert table.loc[(population, 120, "games", "coverage"), "high"] < 0.85


def test_the_printed_table_has_a_row_for_each_case_and_population(table, root):
    found = table.reset_index()
    lines = format_coverage_table(found[found["homes"] == 120]).splitlines()
    assert len(lines) == 2 + 2
    values = table["value"]
    for line, population in zip(lines[2:], ("common", "rare"), strict=True):
        cells = [each.strip() for each in line.strip("|").split("|")]
        assert cells[:3] == [population, "120", "8"]
        assert float(cells[3]) == round(values[population, 120, "none", "advantage"], 3)
        for cell, method in zip(cells[4:], ("games", "homes", "bootstrap"), strict=True):
            share = values[population, 120, method, "coverage"]
            assert float(cell.removesuffix(" %")) == pytest.approx(100 * share, abs=0.05)
    page = (root / "docs/membership-game.md").read_text(encoding="utf-8")
    assert "\n".join(lines[:2]) in page  # what `make coverage` printed last


def test_too_few_homes_have_no_interval_over_homes(table):
    methods = table.index.to_frame()
    assert set(methods.loc[methods["homes"] == 16, "method"]) == {"none", "games", "bootstrap"}


@pytest.mark.parametrize("population", ["common", "rare"])
def test_truth_is_the_mean_over_the_population(table, population):
    """By games between fresh homes, which are independent of each other."""
    rng = make_generator(1, "truth", population)
    findable, loud = coverage.POPULATIONS[population]
    games = draw_games(rng, homes=9, n=8, games=60_000)
    shape = games.members.shape
    finds, hides = rng.random((60_000, 2)) < findable, rng.random(shape)[:, 1:] < loud
    gain = finds.mean(axis=1) * ~hides.any(axis=1)
    truth = table.loc[(population, 120, "none", "advantage"), "value"]
    assert abs(gain.mean() - truth) < 5 * gain.std() / np.sqrt(60_000)


def test_players_win_with_the_advantage_of_their_candidates():
    rng = make_generator(1, "play")
    games = draw_games(rng, homes=5, n=2, games=40_000)
    traits = np.array([1, 1, 1, 0, 0], dtype=bool), np.array([0, 0, 0, 0, 1], dtype=bool)
    gain = coverage._simulate_games(rng, traits, games)
    hidden = games.others[:, 0] == 4
    assert abs(gain[hidden].mean()) < 0.05
    both = (games.candidates < 3).all(axis=1) & ~hidden
    assert gain[both].min() == 1
    one = ((games.candidates < 3).sum(axis=1) == 1) & ~hidden
    assert abs(gain[one].mean() - 0.5) < 0.05


def test_bootstrap_is_that_of_the_plain_loop():
    rng = make_generator(1, "bootstrap")
    games = draw_games(rng, homes=30, n=4, games=70)
    gain = np.where(rng.random(70) < 0.6, 1.0, -1.0)
    found = coverage._estimate_by_bootstrap(make_generator(2, "bootstrap"), gain, games, 30, 50)
    again = make_generator(2, "bootstrap")
    means = []
    for _ in range(50):
        times = np.bincount(again.integers(0, 30, 30), minlength=30)
        repeats = np.bincount(again.integers(0, 70, 70), minlength=70)
        weight = times[games.candidates].prod(axis=1) * repeats
        means.append((weight * gain).sum() / max(weight.sum(), 1))
    assert (found.low, found.high) == tuple(np.percentile(means, [2.5, 97.5]))
    assert found.value == gain.mean()
