"""Intervals against scipy, enumeration and their own promise."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from noiseless import statistics
from noiseless.errors import ConfigError
from noiseless.seeds import make_generator
from noiseless.statistics import (
    NO_INTERVAL,
    Estimate,
    build_rows,
    estimate_exact_proportion,
    estimate_f_score,
    estimate_group_mean,
    estimate_home_mean,
    estimate_paired_mean,
    estimate_proportion,
    estimate_run_median,
    get_sampled_unit,
)


def binomial(trials, hits, share):
    return math.comb(trials, hits) * share**hits * (1 - share) ** (trials - hits)


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (10, 10), (6, 10), (500, 10_000)])
def test_wilson_solves_its_quadratic(hits, trials):
    """The ends are the shares p for which (hits/n - p)^2 is z^2 p (1 - p) / n."""
    found, z = estimate_proportion(hits, trials), stats.norm.ppf(0.975)
    for end in (found.low, found.high):
        distance = (hits / trials - end) ** 2
        assert distance == pytest.approx(z**2 * end * (1 - end) / trials, abs=1e-12)
    assert found.low <= found.value <= found.high
    assert (found.value, found.over) == (hits / trials, "games")
    peer = stats.binomtest(hits, trials).proportion_ci(method="wilson")
    assert (found.low, found.high) == (peer.low, peer.high)


@pytest.mark.parametrize("share", [Fraction(1, 20), Fraction(1, 3), Fraction(1, 2)])
def test_exact_interval_keeps_its_promise_for_every_number_of_hits(share):
    """Exact probability, over all outcomes of 25 trials, that the interval misses the share."""
    trials, miss = 25, 0.1
    found = [estimate_exact_proportion(hits, trials, miss=miss) for hits in range(trials + 1)]
    above = sum(binomial(trials, k, share) for k, each in enumerate(found) if each.low > share)
    below = sum(binomial(trials, k, share) for k, each in enumerate(found) if each.high < share)
    assert above <= Fraction(1, 20)
    assert below <= Fraction(1, 20)
    # Its ends are tight: at the end itself, such an outcome has a probability of half the miss.
    for hits in (1, 7, 24):
        low = Fraction(found[hits].low)
        tail = sum(binomial(trials, k, low) for k in range(hits, trials + 1))
        assert float(tail) == pytest.approx(miss / 2, rel=1e-9)


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (10, 10), (3, 10), (500, 10_000)])
@pytest.mark.parametrize("miss", [0.02, 1e-6])
def test_exact_interval_is_scipys(hits, trials, miss):
    expected = stats.binomtest(hits, trials).proportion_ci(1 - miss, method="exact")
    found = estimate_exact_proportion(hits, trials, miss=miss)
    np.testing.assert_allclose((found.low, found.high), expected, rtol=1e-6, atol=1e-12)


def test_no_trial_leaves_the_unit_interval():
    found = estimate_exact_proportion(0, 0, miss=0.02, over="answers")
    assert math.isnan(found.value)
    assert (found.low, found.high) == (0, 1)


def test_paired_mean_by_hand():
    """Differences 0, 2: mean 1, deviation 1, so a margin of 1.96 / sqrt(2)."""
    found = estimate_paired_mean([0, 2])
    margin = 1.959963984540054 / math.sqrt(2)
    assert (found.value, found.low, found.high) == pytest.approx((1, 1 - margin, 1 + margin))


def test_interval_of_a_median_holds_the_median_of_other_runs():
    """All ways to deal 2n ranks to two sets of n runs, and draws from a law with ties."""
    for n in (9, 10):
        rank = int(estimate_run_median(np.arange(1, n + 1)).low)
        dealt = np.array(list(itertools.combinations(range(2 * n), n)))
        taken = np.zeros((len(dealt), 2 * n), dtype=bool)
        np.put_along_axis(taken, dealt, True, axis=1)
        others = np.nonzero(~taken)[1].reshape(dealt.shape)
        for trial, covers in ((rank, True), (rank + 1, False)):
            low, high = dealt[:, trial - 1], dealt[:, n - trial]
            middle = np.median(others, axis=1)
            share = ((low <= middle) & (middle <= high)).mean()
            # One rank more on each side would break the promise.
            below = (low > others[:, (n - 1) // 2]).mean()
            assert (below <= 0.025) == covers
            assert share >= 0.95 or not covers
    rng = make_generator(11, "median")
    held = []
    for _ in range(2000):
        one, other = rng.geometric(0.1, (2, 50))
        found = estimate_run_median(one)
        held.append(found.low <= np.median(other) <= found.high)
    assert np.mean(held) >= 0.95
    few = estimate_run_median(np.arange(8))
    assert few.value == 3.5
    assert math.isnan(few.low)
    assert math.isnan(few.high)


def test_f_score_covers_as_often_as_it_says():
    rng, answers, beta = make_generator(4, "f-score"), 2000, 1.5
    hit, alarm, present = 0.3, 0.1, 0.4
    exact = (1 + beta**2) * hit / (hit + alarm + beta**2 * present)
    draws = rng.multinomial(answers, [hit, alarm, present - hit, 0.5], size=3000)
    covered = 0
    for hits, alarms, missed, _ in draws.tolist():
        found = estimate_f_score(hits, alarms, hits + missed, answers, beta=beta, miss=0.1)
        covered += found.low <= exact <= found.high
    assert covered / len(draws) == pytest.approx(0.9, abs=0.025)


def test_interval_of_an_f_score_is_that_of_a_ratio_of_means_answer_by_answer():
    hits, alarms, present, answers, beta = 30, 20, 75, 200, 3.0
    found = estimate_f_score(hits, alarms, present, answers, beta=beta, miss=0.1)
    counted = [(1, 1)] * hits + [(1, 0)] * alarms + [(0, 1)] * (present - hits)
    counted += [(0, 0)] * (answers - len(counted))
    numerators = [(1 + beta**2) * (alarm and there) for alarm, there in counted]
    denominators = [alarm + beta**2 * there for alarm, there in counted]
    score = sum(numerators) / sum(denominators)
    variance = sum((n - score * d) ** 2 for n, d in zip(numerators, denominators, strict=True))
    half = 1.6448536269514722 * math.sqrt(variance) / sum(denominators)
    assert found.value == pytest.approx(score)
    assert (found.low, found.high) == pytest.approx((score - half, score + half))


def test_scaling_carries_the_ends_along():
    found = Estimate(0.25, 0.125, 0.5, "days")
    assert found.convert_to_advantage() == Estimate(-0.5, -0.75, 0.0, "days")
    assert found.scale(-2, 1) == Estimate(0.5, 0.0, 0.75, "days")


def test_an_interval_over_nothing_known_is_an_error():
    with pytest.raises(ConfigError, match=r"must be one of games, homes.*, got 'luck'"):
        Estimate(0.5, 0.1, 0.9, "luck")


def test_an_estimate_becomes_a_row_with_its_interval():
    table = build_rows({"n": 4}, gain=Estimate(0.5, 0.25, 0.75, "games"), homes=7)
    ends = {"value": 0.5, "low": 0.25, "high": 0.75, "over": "games"}
    assert table[0] == {"n": 4, "statistic": "gain", **ends}
    assert table[1]["over"] == NO_INTERVAL
    assert (table[1]["statistic"], table[1]["value"]) == ("homes", 7.0)
    assert math.isnan(table[1]["low"])
    assert math.isnan(table[1]["high"])


def test_what_the_intervals_of_a_table_run_over():
    cell = {"n": 4}
    games = pd.DataFrame(build_rows(cell, gain=Estimate(0.5, 0.25, 0.75, "games"), homes=7))
    assert get_sampled_unit(games) == "games"
    days = pd.DataFrame(build_rows(cell, gain=Estimate(0.5, 0.25, 0.75, "days")))
    with pytest.raises(
        ConfigError, match=r"one unit in the column `over`, got \['days', 'games'\]"
    ):
        get_sampled_unit(pd.concat([games, days]))
    with pytest.raises(ConfigError, match="got none"):
        get_sampled_unit(games[games["statistic"] == "homes"])


def test_interval_over_groups_solves_wilsons_quadratic():
    """With as many trials as have the variance of the groups' mean, and Student's quantile."""
    means = 0.2 * make_generator(1, "groups").uniform(-1, 1, 7)
    found = estimate_group_mean(0.3, means, confidence=0.9)
    trials = (1 - means.mean() ** 2) / (means.var(ddof=1) / 7)
    solves_wilson(found, stats.t.ppf(0.95, 6), trials)
    assert math.isnan(estimate_group_mean(0.3, means[:1]).low)
    assert estimate_group_mean(1.0, [1.0] * 5).low == 1


def solves_wilson(found, quantile, trials, least=-1.0, rel=1e-9):
    share = (found.value - least) / (1 - least)
    for end in (found.low, found.high):
        p = (end - least) / (1 - least)
        assert (share - p) ** 2 == pytest.approx(quantile**2 * p * (1 - p) / trials, rel=rel)


@pytest.mark.parametrize("least", [-1.0, 0.0])
def test_interval_over_homes_is_that_of_a_loop_without_one_home_after_the_other(least):
    rng = make_generator(2, "homes")
    homes = np.array([rng.permutation(9)[:3] for _ in range(200)])
    trials = np.where(rng.random(200) < 0.5 + 0.05 * homes[:, 0], 1.0, least)
    found, whole = estimate_home_mean(trials, homes, least=least), trials.mean()
    between, squares, drawn = 0.0, 0.0, trials.var() / 200
    for home in range(9):
        without = [gain for gain, game in zip(trials, homes, strict=True) if home not in game]
        left = len(without)
        change = whole - np.mean(without)
        noise = trials.var() * (200 - left) / (200 * left)
        between += 8 / 9 * (change**2 - noise)
        squares += 2 * (8 / 9 * noise) ** 2
    variance = find_variance_by_integrals(between, math.sqrt(squares), drawn)
    assert found.value == pytest.approx(whole)
    share = (whole - least) / (1 - least)
    independent = share * (1 - share) / (variance / (1 - least) ** 2)
    solves_wilson(found, stats.t.ppf(0.975, 3), independent, least, rel=1e-3)


def find_variance_by_integrals(between, error, drawn):
    """The mean of 1/V times what the estimate allows of V >= drawn, by adaptive integrals."""
    top = drawn + max(between, 0) + 12 * error

    def weigh(variance):
        return math.exp((min(between, 0) ** 2 - (variance - drawn - between) ** 2) / (2 * error**2))

    def integrate_with(function):
        inside = [drawn + max(between, 0)]
        return integrate.quad(function, drawn, top, points=inside, limit=400)[0]

    return integrate_with(weigh) / integrate_with(lambda each: weigh(each) / each)


@pytest.mark.parametrize(
    ("between", "error", "drawn"),
    [(1, 0.5, 0.2), (0, 1, 0.1), (-2, 1, 0.1), (-60, 1, 0.5), (3, 0.01, 1)],
)
def test_variance_of_a_noisy_estimate_is_the_mean_of_what_it_may_be(between, error, drawn):
    found = statistics._find_variance(between, error, drawn)
    assert found == pytest.approx(find_variance_by_integrals(between, error, drawn), rel=5e-4)
    assert found > drawn
    assert statistics._find_variance(between, 0, drawn) == drawn + max(between, 0)


def test_error_of_the_variance_between_homes_is_how_far_coins_throw_it_off():
    """Of trials that homes do not decide, it is 0 on average."""
    found = []
    for seed in range(200):
        rng = make_generator(seed, "coins")
        homes = np.array([rng.permutation(24)[:5] for _ in range(150)])
        trials = np.where(rng.random(150) < 0.7, 1.0, -1.0)
        found.append(statistics._compute_home_variance(trials, homes))
    between = np.array([each.between for each in found])
    error = math.sqrt(np.mean([each.error**2 for each in found]))
    assert between.std() == pytest.approx(error, rel=0.15)
    assert abs(between.mean()) < 3 * error / math.sqrt(200)


def test_parts_that_share_no_home_add_their_variances():
    rng = make_generator(3, "homes")
    one, other = (np.array([rng.permutation(12)[:3] for _ in range(150)]) for _ in range(2))
    gains = np.where(rng.random(300) < 0.7, 1.0, -1.0)
    part = np.repeat([0, 1], 150)
    found = estimate_home_mean(gains, np.concatenate([one, 12 + other]), part=part)
    both = [
        statistics._compute_home_variance(gains[part == k], each)
        for k, each in enumerate((one, 12 + other))
    ]
    variance = statistics._find_variance(
        sum(each.between for each in both) / 4,
        math.hypot(*(each.error for each in both)) / 4,
        sum(each.drawn for each in both) / 4,
    )
    independent = (1 - gains.mean() ** 2) / variance
    solves_wilson(found, stats.t.ppf(0.975, 8), min(300, independent))


def test_an_interval_over_homes_needs_twice_as_many_as_a_game_has():
    homes = np.array([[0, 1, 2], [2, 3, 4], [1, 3, 4]])
    assert math.isnan(estimate_home_mean([1, -1, 1], homes).low)


@pytest.mark.parametrize(("gain", "low", "high"), [(1.0, 0.9, 1.0), (-1.0, -1.0, -0.9)])
def test_an_interval_over_homes_stays_within_the_range_of_gains(gain, low, high):
    rng = make_generator(4, "homes")
    homes = np.array([rng.permutation(30)[:5] for _ in range(500)])
    found = estimate_home_mean(np.full(500, gain), homes)
    assert low < found.low <= found.high <= high or low <= found.low <= found.high < high
    trials = np.where((homes == 7).any(axis=1), -gain, gain)  # one home decides all
    found = estimate_home_mean(trials, homes)
    assert -1 <= found.low < found.value < found.high <= 1


@pytest.mark.parametrize("aside", [0, 2, 50])
def test_moving_means_are_those_of_a_plain_loop_over_a_mirrored_row(aside):
    rows = np.array([[1.0, 4.0, 9.0, 16.0, 25.0, 36.0], [2.0, 0.0, -3.0, 5.0, 8.0, 1.0]])
    half = min(aside, 5)
    mirrored = np.hstack([rows[:, 1 : half + 1][:, ::-1], rows, rows[:, ::-1][:, 1 : half + 1]])
    expected = [
        [row[place : place + 2 * half + 1].mean() for place in range(6)] for row in mirrored
    ]
    np.testing.assert_allclose(statistics.compute_moving_means(rows, aside), expected, rtol=1e-12)
