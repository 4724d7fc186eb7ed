"""The normal likelihood of published sums, against densities and probabilities of SciPy."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, truncnorm
from sklearn.covariance import ledoit_wolf

from noiseless.adversaries import normal_homes
from noiseless.adversaries.normal_homes import STATIONARY_SHARE, NormalHomeModel, PublishedSum


def homes_of(rng, homes, t, *, level=2000.0, day=1500.0):
    """Homes with a level of their own, and days that depend on the day before."""
    steps = rng.normal(size=(homes, t + 50))
    for k in range(1, t + 50):
        steps[:, k] += 0.6 * steps[:, k - 1]
    readings = 10_000 + level * rng.normal(size=(homes, 1)) + day * steps[:, 50:]
    return np.rint(np.maximum(readings, 0)).astype(np.int64)


@pytest.mark.parametrize("t", [1, 2, 9])
def test_correlations_are_the_measured_ones_and_those_of_equal_distance(t):
    readings = homes_of(np.random.default_rng(1), 12, t)
    found = NormalHomeModel.estimate(readings)
    spread = np.sqrt(np.diagonal(found.covariance_wh2))
    standard = (readings - readings.mean(axis=0)) / readings.std(axis=0, ddof=1)
    level = standard.mean(axis=1)
    for i in range(t):
        for j in range(t):
            distance = abs(i - j)
            products = sum(
                (standard[h, k] - level[h]) * (standard[h, k + distance] - level[h])
                for h in range(12)
                for k in range(t - distance)
            )
            stationary = (products / t + (level**2).sum()) / 11
            measured = (standard[:, i] * standard[:, j]).sum() / 11
            expected = (1 - STATIONARY_SHARE) * measured + STATIONARY_SHARE * stationary
            actual = found.covariance_wh2[i, j] / (spread[i] * spread[j])
            assert actual == pytest.approx(expected, abs=1e-5)
    np.testing.assert_allclose(spread, readings.std(axis=0, ddof=1), rtol=1e-5)


@pytest.mark.parametrize("homes", [2, 3, 30])
def test_the_covariance_can_be_inverted_with_few_homes_and_readings_that_all_share(homes):
    readings = homes_of(np.random.default_rng(2), homes, 40)
    readings[:, 7] = 5
    found = NormalHomeModel.estimate(readings)
    assert np.linalg.eigvalsh(found.covariance_wh2).min() > 0
    games = np.stack([np.broadcast_to(readings[0], readings.shape), readings], axis=1)
    ratios = PublishedSum(found, 3, cell_wh=1.0).compute_game_ratios(readings.astype(float), games)
    assert np.isfinite(ratios).all()


def test_a_held_out_home_is_likelier_than_under_equal_variances():
    """With fewer homes than readings, and readings that are alike at equal distances."""
    rng = np.random.default_rng(3)
    readings, others = homes_of(rng, 40, 60), homes_of(rng, 400, 60)
    mine = NormalHomeModel.estimate(readings)
    by_mine, by_theirs = (
        multivariate_normal.logpdf(others, mine.mean_wh, covariance).mean()
        for covariance in (mine.covariance_wh2, ledoit_wolf(readings)[0])
    )
    assert by_mine > by_theirs + 1


@pytest.mark.parametrize("cell", [0.0, 900.0])
def test_ratios_are_those_of_normal_densities(cell):
    rng = np.random.default_rng(4)
    homes = homes_of(rng, 30, 5)
    population = NormalHomeModel.estimate(homes[10:])
    seen = PublishedSum(population, 3, noise_wh2=4e6, cell_wh=cell)
    x = homes[:4]
    published = homes[5:8].sum(axis=0) + x + rng.normal(0, 2000, (4, 5))
    covariance = 3 * (1 + 3 / 20) * population.covariance_wh2 + np.eye(5) * (4e6 + cell**2 / 12)
    density = np.array(
        [
            [multivariate_normal.logpdf(y, c + 3 * population.mean_wh, covariance) for c in x]
            for y in published
        ]
    )
    for other in range(4):
        games = np.stack([np.broadcast_to(x[other], (4, 5)), x], axis=1)
        expected = density[:, other] - np.diagonal(density)
        np.testing.assert_allclose(seen.compute_game_ratios(published, games), expected, atol=1e-9)


def test_wide_cells_of_two_readings_are_read_as_their_probabilities_say():
    """Of each game, the probability of the cells given either candidate, by SciPy."""
    rng = np.random.default_rng(5)
    population = NormalHomeModel(np.full(2, 1e4), 4e6 * np.array([[1, 0.7], [0.7, 1]]), 10**9)
    cell, games = 20_000.0, 300
    everyone = rng.multivariate_normal(population.mean_wh, population.covariance_wh2, (games, 6))
    candidates = np.rint(everyone[:, :2]).astype(np.int64)
    member = rng.integers(0, 2, games)
    total = everyone[:, 2:].sum(axis=1) + candidates[np.arange(games), member]
    low = np.floor(total / cell) * cell
    found = PublishedSum(population, 4, cell_wh=cell).compute_game_ratios(
        low + cell / 2, candidates
    )
    probability = [
        multivariate_normal(
            4 * population.mean_wh + candidates[g, c], 4 * population.covariance_wh2
        )
        for g in range(games)
        for c in range(2)
    ]
    exact = np.array(
        [
            each.cdf(low[g] + cell, lower_limit=low[g])
            for g, each in zip(np.repeat(np.arange(games), 2), probability, strict=True)
        ]
    ).reshape(games, 2)
    exact = np.log(exact[:, 0] / exact[:, 1])
    assert np.mean(np.sign(found) == np.sign(exact)) > 0.95
    assert np.corrcoef(found, exact)[0, 1] > 0.95


@pytest.mark.parametrize(("n", "cell_kwh"), [(8, 8.0), (16, 9.0)])
def test_wide_cells_tell_more_than_noise_of_their_variance(n, cell_kwh):
    rng = np.random.default_rng(6)
    t, games, m = 120, 1500, n - 1
    population = NormalHomeModel.estimate(homes_of(rng, 400, t))
    homes = homes_of(rng, 400, t)
    drawn = np.array([rng.permutation(400)[: n + 1] for _ in range(games)])
    candidates = homes[drawn[:, :2]]
    member = rng.integers(0, 2, games)
    total = homes[drawn[:, 2:]].sum(axis=1) + candidates[np.arange(games), member]
    cell = 1000.0 * n * cell_kwh
    published = np.floor(total / cell) * cell + cell / 2
    cells, noise = (
        (seen.compute_game_ratios(published, candidates) < 0) == member
        for seen in (
            PublishedSum(population, m, cell_wh=cell),
            PublishedSum(population, m, noise_wh2=cell**2 / 12),
        )
    )
    better = cells.astype(float) - noise
    assert better.mean() > 3 * better.std() / np.sqrt(games)


@pytest.mark.parametrize("width", [1.5, 12])
@pytest.mark.parametrize("unknown", [3, 40])
def test_each_cell_is_read_as_all_others_predict_it(unknown, width):
    """Also where most cells hold every sum: by two rounds with the matrices of each game."""
    rng = np.random.default_rng(8)
    t, games = normal_homes.N_FACTORS, 40
    population = NormalHomeModel.estimate(homes_of(rng, 200, t))
    covariance = population.compute_sum_covariance_wh2(unknown)
    spread = np.sqrt(np.diagonal(covariance))
    candidates = homes_of(rng, 2 * games, t).reshape(games, 2, t)
    half = (candidates[:, 0] - candidates[:, 1]) / 2
    usual = unknown * population.mean_wh + candidates.mean(axis=1)
    cell = width * spread.max()
    drawn = usual + rng.multivariate_normal(np.zeros(t), covariance, games)
    edge = usual.mean() + 2 * spread.mean()
    published = np.floor((drawn - edge) / cell) * cell + edge + cell / 2
    found = PublishedSum(population, unknown, cell_wh=cell).compute_game_ratios(
        published, candidates
    )
    expected = np.empty(games)
    for g in range(games):
        low = published[g] - cell / 2
        ends = np.where(low <= 0, -np.inf, low - usual[g]), low + cell - usual[g]
        away, left = np.zeros(t), np.diagonal(covariance) + half[g] ** 2
        for _ in range(3):
            within = [
                truncnorm(*((end - mean) / scale for end in both), mean, scale)
                for *both, mean, scale in zip(*ends, away, np.sqrt(left), strict=True)
            ]
            mean, variance = (np.array([getattr(d, s)() for d in within]) for s in ("mean", "var"))
            precision = np.maximum(1 / variance - 1 / left, 1e-9 / left)
            pull = mean / variance - away / left
            together = np.linalg.inv(covariance + np.diag(1 / precision))
            explained = together @ (pull / precision)
            own = np.diagonal(together)
            away, left = pull / precision - explained / own, 1 / own - 1 / precision + half[g] ** 2
        expected[g] = 2 * half[g] @ explained
    assert np.abs(expected).max() > 0.1
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)


def test_equations_are_solved_as_well_as_is_said():
    """The error is measured in the length that the preconditioner gives to what is left."""
    rng = np.random.default_rng(9)
    population = NormalHomeModel.estimate(homes_of(rng, 100, 90))
    seen = PublishedSum(population, 5, cell_wh=60_000.0)
    x = homes_of(rng, 60, 90).reshape(30, 2, 90)
    published = np.full((30, 90), 60_000.0 * 3.5)
    solve = normal_homes._solve
    asked = []

    def spied(covariance, model, precision, pull):
        found = solve(covariance, model, precision, pull)
        loadings, own = model.loadings[0], model.own[0]
        of_factors = loadings.T @ loadings + np.diag(own)
        for u, w, b in zip(found, precision, pull, strict=True):
            root = np.diag(np.sqrt(w))
            whole = root @ (b / w)
            left = whole - root @ (u / w + covariance @ u)
            metric = np.linalg.inv(np.eye(len(w)) + root @ of_factors @ root)
            asked.append(np.sqrt((left @ metric @ left) / (whole @ metric @ whole)))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normal_homes, "_solve", spied)
        seen.compute_game_ratios(published, x)
    assert len(asked) == 30
    assert 0 < max(asked) <= normal_homes._RELATIVE_TOLERANCE


@pytest.mark.parametrize(("readings", "cell"), [(1, 30_000.0), (7, 30_000.0), (7, 10.0)])
def test_short_windows_at_once_are_those_one_by_one(readings, cell):
    rng = np.random.default_rng(10)
    population = NormalHomeModel.estimate(homes_of(rng, 60, 40))
    starts = rng.integers(0, 40 - readings, 20)
    homes = homes_of(rng, 100, 40).reshape(20, 5, 40)
    homes = np.array([h[:, s : s + readings] for h, s in zip(homes, starts, strict=True)])
    published = np.floor(homes[:, 1:].sum(axis=1) / cell) * cell + cell / 2
    together = PublishedSum(population.select_window(starts, readings), 3, cell_wh=cell)
    found = together.compute_game_ratios(published, homes[:, :2])
    alone = [
        PublishedSum(
            population.select_window(start, readings), 3, cell_wh=cell
        ).compute_game_ratios(published[[g]], homes[[g], :2])[0]
        for g, start in enumerate(starts)
    ]
    np.testing.assert_allclose(found, alone, rtol=1e-6, atol=1e-9)


def test_known_homes_help():
    rng = np.random.default_rng(7)
    homes = homes_of(rng, 300, 30)
    population = NormalHomeModel.estimate(homes[150:])
    drawn = np.array([rng.permutation(150)[:17] for _ in range(600)])
    candidates = homes[drawn[:, :2]]
    total = homes[drawn[:, 2:]].sum(axis=1) + candidates[:, 0]
    cell = 16 * 1500.0
    published = np.floor(total / cell) * cell + cell / 2
    known = homes[drawn[:, 2:15]].sum(axis=1)
    ignorant = PublishedSum(population, 15, cell_wh=cell).compute_game_ratios(published, candidates)
    knowing = PublishedSum(population, 2, cell_wh=cell).compute_game_ratios(
        published - known, candidates
    )
    assert np.mean(knowing > 0) > np.mean(ignorant > 0) + 0.05
