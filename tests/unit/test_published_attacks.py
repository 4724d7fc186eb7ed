"""Published attacks on aggregates, rewritten for the membership game."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from noiseless.adversaries.inputs.membership import Training
from noiseless.games.membership import (
    draw_games,
    fit,
    iterate_batches,
    observe_readings,
)
from noiseless.games.releases import QuantizedMeanRelease
from toy_homes import make_energy

HOMES, DAYS = 80, 60
NAMES = ("homer", "tracing", "knock_knock", "knock_knock_values")


@pytest.fixture
def play_published(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tests" / "benchmarks"))
    import play_published

    return play_published


@pytest.fixture
def published_attacks(play_published):
    import published_attacks

    assert tuple(each.name for each in published_attacks.ATTACKS) == NAMES
    return published_attacks


@pytest.fixture(scope="module")
def energy():
    return make_energy(HOMES, DAYS, common_pattern=False, idle=False)


def make_evidence(energy, release, games=30, seed=3):
    """Games between the first half, and training on the second."""
    rng = np.random.default_rng(seed)
    known = energy[HOMES // 2 :]
    lessons = draw_games(rng, homes=len(known), n=release.n, games=games)
    played = draw_games(rng, homes=HOMES // 2, n=release.n, games=games)
    totals = energy[played.members].sum(axis=1)
    view = observe_readings(release.publish_totals(totals), energy[played.candidates], n=release.n)
    return played, view, (known, list(iterate_batches(known, lessons, with_series=True)))


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_an_attack_beats_guessing_on_exact_means_and_not_on_those_of_another_group(
    play_published, published_attacks, energy, name, n
):
    [attack] = [each for each in published_attacks.ATTACKS if each.name == name]
    cell = {"dataset": "toy", "n": n, "levels": None, "games": 120}
    won = play_published.play_cell([attack], energy, **cell)[name].won
    assert play_published.estimate_accuracy(won["released"])["low"] > 0.5
    control = play_published.estimate_accuracy(won["control"])
    assert control["low"] <= 0.5 <= control["high"]


def test_the_control_publishes_a_group_without_either_candidate(play_published, energy):
    games = draw_games(np.random.default_rng(1), homes=12, n=10, games=700)  # two batches
    groups = play_published.draw_other_groups(np.random.default_rng(2), 12, games)
    for candidates, group in zip(games.candidates, groups, strict=True):
        assert set(group) == set(range(12)) - set(candidates)
    release = QuantizedMeanRelease(10, 2500, 16)
    other = play_published.OtherGroupRelease(release, groups)
    batches = list(iterate_batches(energy[:12], games))
    assert len(batches) > 1
    published = np.concatenate([other.publish_batch(batch).k for batch in batches])
    totals = np.minimum(energy, 2500)[groups].sum(axis=1)
    np.testing.assert_array_equal(published, release.publish_totals(totals).k)
    assert (np.concatenate([release.publish_batch(b).k for b in batches]) != published).any()


@pytest.mark.parametrize("levels", [None, 8])
def test_scores_are_those_of_a_loop_over_games_and_days(published_attacks, energy, levels):
    release = QuantizedMeanRelease(4, 5000, levels)
    games, view, known = make_evidence(energy, release)
    reference = known[0].mean(axis=0) / 1000
    spread = known[0].std(axis=0, ddof=1) / 1000
    fitted = fit(published_attacks.ATTACKS, release, *known)
    outputs = [each.output_kwh for batch in known[1] for each in [batch_series(batch, release)]]
    distances = [
        abs(output[t] - reference[t]) / spread[t]
        for output in np.concatenate(outputs)
        for t in range(DAYS)
    ]
    truncation = 2 * np.mean(distances)
    homer, tracing = (fitted[name].prefer(view) for name in ("homer", "tracing"))
    values = fitted["knock_knock_values"]
    swapped = replace(
        view,
        series=replace(view.series, candidates_kwh=view.series.candidates_kwh[:, ::-1]),
    )
    np.testing.assert_allclose(values.prefer(swapped), -values.prefer(view), rtol=1e-6)
    for g in range(len(games.member)):
        statistics, inner = [], 0.0
        output = view.series.output_kwh[g]
        for candidate in view.series.candidates_kwh[g]:
            nearer = [
                abs(candidate[t] - reference[t]) - abs(candidate[t] - output[t])
                for t in range(DAYS)
            ]
            statistics.append(np.mean(nearer) / (np.std(nearer, ddof=1) / math.sqrt(DAYS)))
        assert homer[g] == pytest.approx(statistics[0] - statistics[1])
        for t in range(DAYS):
            distance = (output[t] - reference[t]) / spread[t]
            zero, one = view.series.candidates_kwh[g, :, t]
            inner += (zero - one) / spread[t] * max(-truncation, min(truncation, distance))
        assert tracing[g] == pytest.approx(inner)


def batch_series(batch, release):
    [view] = batch.build_views(release.publish_batch(batch))
    return view.series


def test_homes_that_are_all_alike_decide_nothing(published_attacks):
    """Neither a reading without spread nor candidates that agree are a preference."""
    release = QuantizedMeanRelease(2, 5000, 8)
    same = np.full((HOMES, DAYS), 700)
    _, view, known = make_evidence(same, release)
    for adversary in fit(published_attacks.ATTACKS, release, *known).values():
        np.testing.assert_allclose(adversary.prefer(view), 0, atol=1e-9)


def test_lessons_are_published_as_the_curator_publishes(published_attacks, energy):
    release = QuantizedMeanRelease(4, 5000, 8)
    knock_knock = published_attacks.KnockKnock
    attack = knock_knock().fit(Training(energy / 1000, list, **release.published_as))
    totals = energy[:40].reshape(4, 10, DAYS).sum(axis=0)
    np.testing.assert_allclose(attack.publish(totals / 4000), release.publish_totals(totals).kwh)
    with pytest.raises(ValueError, match="quantizers alone"):
        knock_knock().fit(Training(energy / 1000, list, noise_kwh=0.1))


def test_features_are_seven_statistics_of_each_week(published_attacks):
    series = np.random.default_rng(1).random((3, 22))
    found = published_attacks.compute_features(series)
    assert found.shape == (3, 21)
    for week, days in enumerate((series[:, :7], series[:, 7:14], series[:, 14:])):
        for place, row in zip(found[:, 7 * week : 7 * week + 7], days, strict=True):
            expected = [row.var(), row.min(), row.max(), np.median(row), row.mean(), row.std()]
            np.testing.assert_allclose(place, [*expected, row.sum()])
    assert published_attacks.compute_features(series[:, :3]).shape == (3, 7)


def test_controls_that_were_kept_are_a_coin(play_published):
    import page
    from record import kept

    part = kept(play_published.PART)
    rows, games = part["rows"], part["games"]
    cells = {(row["dataset"], row["n"], row["levels"]) for row in rows}
    assert len(cells) == 2 * len(play_published.SIZES) * len(play_published.LEVELS)
    assert set(NAMES) < {row["adversary"] for row in rows}
    at_once = 1 - 0.05 / len(rows)
    assert all(page.holds_half(row["control"], games, at_once) for row in rows)
    assert not any(
        page.holds_half(row["released"], games, at_once)
        for row in rows
        if row["n"] == 2 and row["adversary"] != "control"
    )


def test_no_published_attack_wins_more_and_the_page_says_so(root, play_published):
    from record import kept

    part = kept(play_published.PART)
    won = {
        (row["dataset"], row["n"], row["levels"], row["adversary"]): row["released"]["value"]
        for row in part["rows"]
    }
    for *cell, adversary in won:
        if adversary in NAMES:
            ours = max(won[*cell, "normal"], won[*cell, "combined"])
            assert won[*cell, adversary] <= ours, (cell, adversary)
    text = (root / "docs/membership-game.md").read_text(encoding="utf-8")
    page = " ".join(text.split())
    said = dict(re.findall(r"^\| `(\w+)` \| .* \| (0\.\d\d) \|$", text, flags=re.MULTILINE))
    everyone = {row["adversary"] for row in part["rows"]} - {"control"}
    assert said == {each: f"{won['london', 16, None, each]:.2f}" for each in everyone}
    assert "None won more games than the better of `normal` and `combined`" in page


def test_all_adversaries_meet_the_same_games(play_published, published_attacks, energy):
    """Who plays beside an adversary changes nothing for it."""
    cell = {"dataset": "toy", "n": 2, "levels": 8, "games": 40}
    together = play_published.play_cell(published_attacks.ATTACKS[:2], energy, **cell)
    alone = play_published.play_cell([published_attacks.Tracing], energy, **cell)
    for kind, won in alone["tracing"].won.items():
        np.testing.assert_array_equal(won, together["tracing"].won[kind])


def test_the_attack_on_released_values_is_a_discriminant_of_shadow_sums(published_attacks, energy):
    """Of many known homes, the mean and covariance of a sum of n - 1 others, with a ridge."""
    release = QuantizedMeanRelease(4, 5000, None)
    _, view, known = make_evidence(energy, release, games=60)
    attack = published_attacks.KnockKnockValues().fit(
        Training(known[0] / 1000, lambda: [], **release.published_as)
    )
    score = attack.prefer(view)
    mean, inverse = attack._fitted[4]
    others = known[0] / 1000
    np.testing.assert_allclose(mean, 3 * others.mean(axis=0), rtol=0.1)
    variance = np.diagonal(np.linalg.inv(inverse))
    assert (variance > 2 * others.var(axis=0)).all()  # three homes of a finite set, and a ridge
    series = view.series
    for g in range(5):
        zero, one = series.candidates_kwh[g]
        left = [4 * series.output_kwh[g] - mean - home for home in (zero, one)]
        distance = [float(each @ inverse @ each) for each in left]
        assert score[g] == pytest.approx((distance[1] - distance[0]) / 2)
