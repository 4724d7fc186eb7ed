"""The adversary ``normal`` of the membership game, and whom it beats on real homes."""

import numpy as np
import pytest

from noiseless.adversaries.inputs.membership import Training
from noiseless.adversaries.membership.normal import NormalLikelihoodAdversary
from noiseless.adversaries.normal_homes import NormalHomeModel, PublishedSum
from noiseless.games.membership import draw_games, observe_readings, sum_members_wh
from noiseless.games.releases import QuantizedMeanRelease
from noiseless.papers.beyond.comparison_homes import build_comparison_tables
from toy_homes import make_energy


@pytest.mark.parametrize("levels", [4, 500, None])
def test_it_is_the_likelihood_of_the_published_sum(levels):
    energy = make_energy()
    known, playing = energy[:15], energy[15:]
    games = draw_games(np.random.default_rng(1), homes=15, n=4, games=30)
    release = QuantizedMeanRelease(4, 5000, levels)
    series = release.publish_totals(sum_members_wh(playing, games.members))
    x = playing[games.candidates]
    view = observe_readings(series, x, n=4)
    training = Training(known / 1000, lambda: [], cell_kwh=release.step_wh / 1000)
    found = NormalLikelihoodAdversary().fit(training).prefer(view)
    seen = PublishedSum(NormalHomeModel.estimate(known), 3, cell_wh=4 * release.step_wh)
    published = 4 * (release.offset_wh + release.step_wh * series.k)
    np.testing.assert_allclose(found, seen.compute_game_ratios(published, x), rtol=1e-5, atol=1e-8)
    swapped = observe_readings(series, x[:, ::-1], n=4)
    np.testing.assert_allclose(
        NormalLikelihoodAdversary().fit(training).prefer(swapped), -found, rtol=1e-5, atol=1e-8
    )


def test_without_series_it_says_what_it_needs():
    view = observe_readings(
        QuantizedMeanRelease(4, 5000, None).publish_totals(np.zeros((1, 3), dtype=np.int64)),
        np.zeros((1, 2, 3), dtype=np.int64),
    )
    with pytest.raises(ValueError, match="sees_series"):
        NormalLikelihoodAdversary().fit(Training(make_energy() / 1000, lambda: [])).prefer(view)


def test_real_homes_it_beats_every_adversary_but_those_by_the_difference(london_daily):
    """Against each mechanism at an error of 1 kWh, and the exact mean: a list of one would do."""
    found = build_comparison_tables(
        london_daily,
        **{"dataset": "london", "seed": 4, "games": 600, "training_games": 600, "n": [16]},
        **{"target_error_kwh": [1], "public_range_kwh": 90, "delta": 1e-5, "tolerance": 0.1},
    )["comparison"]
    gain = found[found["statistic"] == "gain"].pivot(
        index="mechanism", columns="adversary", values="value"
    )
    assert set(gain.index) >= {"none", "gaussian", "laplace", "quantizer"}
    for mechanism in ("none", "gaussian", "laplace", "quantizer"):
        others = gain.loc[mechanism].drop(["normal", "pair", "pair_known", "combined"])
        assert gain.loc[mechanism, "normal"] > others.max() + 0.03, mechanism
        # Who knows no home at all gains more than the paper's three, and hardly less than it.
        papers = gain.loc[mechanism, ["correlation", "mse", "peaks"]].max()
        assert papers + 0.1 < gain.loc[mechanism, "pair"] < gain.loc[mechanism, "normal"]
