"""The game of appliances: bins, releases and scores by hand, and against NILMTK itself."""

import dataclasses
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from benchmarks.nilmtk_route import disaggregate_and_score, quiet, train, write_hdf5
from noiseless.adversaries import factorial_hmm
from noiseless.adversaries.combinatorial import CombinatorialOptimisation
from noiseless.adversaries.registry import load_adversary
from noiseless.data.redd import MAINS, OTHER_APPLIANCES
from noiseless.errors import ConfigError
from noiseless.games import appliances
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.mechanisms.interface import Domain, Identity
from noiseless.seeds import make_generator
from noiseless.statistics import NO_INTERVAL
from toy_meter import long_table, sampled_redd

pytestmark = pytest.mark.slow

METERS = {"mains": MAINS, "others": OTHER_APPLIANCES.values()}


NONE = Identity(Domain((0.0,), (12_000.0,), "w"))


MIDNIGHT = 1304136000  # 30 April 2011 in Boston


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return sampled_redd(tmp_path_factory.mktemp("sample"), days=8, period_s=15, seed=2019)


def test_bins_hold_the_means_computed_by_hand():
    redd = long_table(
        {
            "mains": ([0, 20, 40, 60, 80, 180], [100.0, 200, 300, 50, 70, 10]),
            "fridge": ([0, 30, 60, 90, 130, 180], [5.0, 25, 10, 10, 99, 0]),
        }
    )
    redd["time_s"] += MIDNIGHT - 120
    whole = appliances.build_recording(redd, **METERS, period_s=60)
    # The third minute has no mains.
    np.testing.assert_array_equal(whole.slot * 60 - MIDNIGHT, [-120, -60, 60])
    np.testing.assert_allclose(whole.mains_w, [200, 60, 10])
    np.testing.assert_allclose(whole.power_w[:, 0], [15, 10, 0])
    assert whole.is_on["losses"][:, 0].tolist() == [True, True, False]  # a mean of 10 W or more
    assert whole.is_on["metrics"][:, 0].tolist() == [False, True, False]  # every reading
    assert whole.follows.tolist() == [False, True, False]
    assert np.diff(whole.day).tolist() == [0, 1]  # 30 April begins at midnight in Boston
    np.testing.assert_array_equal(whole.reading_bin, [0, 0, 0, 1, 1, 2])
    part = whole.select_bins(np.array([False, True, True]))
    np.testing.assert_array_equal(part.reading_w, [50, 70, 10])
    np.testing.assert_array_equal(part.reading_bin, [0, 0, 1])


def toy_recording(readings, bins):
    count = max(bins) + 1
    index = np.array(bins)
    mean = np.bincount(index, weights=readings) / np.bincount(index)
    nothing = np.zeros((count, 1))
    return appliances.Recording(
        appliances=("fridge",),
        period_s=60,
        slot=np.arange(count),
        day=np.arange(count),
        mains_w=mean,
        power_w=nothing,
        is_on={"losses": nothing > 0, "metrics": nothing > 0},
        reading_w=np.array(readings, dtype=float),
        reading_bin=index,
    )


@given(
    st.lists(st.floats(0, 1000), min_size=6, max_size=6),
    st.integers(1, 40),
    st.sampled_from(["before", "after"]),
)
@settings(max_examples=100, deadline=None)
def test_release_against_a_loop_and_the_mains_lie_in_its_cells(readings, levels, quantize):
    part = toy_recording(readings, [0, 0, 0, 1, 2, 2])
    quantizer = Quantizer(Domain((0,), (1000,), "w"), levels)
    seen = appliances.release(part, quantizer, quantize=quantize)
    for row in range(3):
        inside = [w for w, b in zip(readings, part.reading_bin, strict=True) if b == row]
        if quantize == "after":
            inside = [part.mains_w[row]]
        expected = np.mean([quantizer.release([w])[0] for w in inside])
        assert seen.value_w[row] == pytest.approx(expected)
    assert (seen.low_w <= part.mains_w + 1e-9).all()
    assert (seen.high_w >= part.mains_w - 1e-9).all()
    finite = np.isfinite(seen.low_w) & np.isfinite(seen.high_w)
    np.testing.assert_allclose((seen.high_w - seen.low_w)[finite], 1000 / levels)


def test_release_without_a_quantizer_is_the_mains():
    part = toy_recording([1.0, 2, 3], [0, 1, 1])
    seen = appliances.release(part, NONE, quantize="before")
    for values in (seen.value_w, seen.low_w, seen.high_w):
        np.testing.assert_array_equal(values, [1, 2.5])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_f_scores_are_those_of_scikit_learn(pairs):
    truth, guess = (np.array(column)[:, None] for column in zip(*pairs, strict=True))
    ours = appliances.compute_f_scores(appliances.count_outcomes(truth, guess))[0]
    theirs = f1_score(truth[:, 0], guess[:, 0], zero_division=0) if truth.any() else math.nan
    assert ours == pytest.approx(theirs, nan_ok=True)


def test_what_is_never_on_has_no_score_and_what_always_is_cannot_be_missed():
    """Three days: a kettle on the first alone, a stove never, sockets always; by a plain loop."""
    day = np.repeat([0, 1, 2], 4)
    kettle = np.array([1, 0, 0, 1, *[0] * 8], dtype=bool)
    truth = np.stack([kettle, np.zeros(12, bool), np.ones(12, bool)], axis=1)
    said = truth.copy()
    said[[0, 5], 0] = [False, True]  # one missed, one too many
    said[3, 1] = True
    part = dataclasses.replace(
        toy_recording(np.ones(12), np.arange(12)),
        **{"appliances": ("kettle", "stove", "sockets"), "day": day, "slot": np.arange(12)},
        **{"power_w": 20.0 * truth, "is_on": {"losses": truth, "metrics": truth}},
    )
    scorer = appliances.BootstrapScorer(part, draws=60, rng=make_generator(1, "x"))
    rows = scorer.build_rows(appliances.Guess(said, 20.0 * said), adversary="x", epsilon_bits=1.0)
    found = rows[rows["statistic"] == "f_score_losses"].set_index("appliance")
    assert found["value"].to_dict() == pytest.approx(
        {"kettle": 0.5, "stove": math.nan, "sockets": 1, "mean": 0.75, "mean of switched": 0.5},
        nan_ok=True,
    )
    assert found.loc["stove", "over"] == NO_INTERVAL
    # Draws of days without the kettle have no score of it, and count in no interval of it.
    drawn = []
    for weights in scorer._weights[1:]:
        hit, extra, missed = (
            sum(weights[d] * n[d] for d in range(3)) for n in ([1, 0, 0], [0, 1, 0], [1, 0, 0])
        )
        if hit + missed:
            drawn.append(2 * hit / (2 * hit + extra + missed))
    assert 20 < len(drawn) < 60
    assert found.loc["kettle", ["low", "high"]].tolist() == pytest.approx(
        np.percentile(drawn, [2.5, 97.5]).tolist()
    )
    assert found.loc["mean of switched", "low"] == found.loc["kettle", "low"]
    gains = rows[rows["statistic"] == "gain_losses"].set_index("appliance")["value"]
    assert gains["sockets"] == 0
    assert gains["mean of switched"] == pytest.approx(0.5 - 2 * 2 / (2 * 2 + 10))


def test_no_warning_of_a_library_where_an_appliance_has_one_power():
    """Every warning is an error in these tests."""
    watts = np.array([0.0, 20, 20, 0, 20, 0] * 10)
    known = {"kettle": watts, "stove": 0 * watts, "light": np.full(60, 12.0)}
    rng = make_generator(1, "x")
    states = CombinatorialOptimisation(known, rng=rng).states_w
    assert {name: sorted({*each}) for name, each in states.items()} == {
        "kettle": [0, 20],
        "stove": [0],
        "light": [0, 12],
    }
    labels = factorial_hmm._cluster_values(np.full(9, 7.0), 4, seed=1)
    np.testing.assert_array_equal(labels, 0)
    labels = factorial_hmm._cluster_values(np.array([9.0, 7, 9]), 4, seed=1)
    np.testing.assert_array_equal(labels, [1, 0, 1])


def test_score_of_losses_is_nilmtks():
    from noiseless.adversaries.combinatorial import import_nilmtk_disaggregators

    import_nilmtk_disaggregators()
    from nilmtk.losses import f1score

    rng = np.random.default_rng(4)
    truth, guess = rng.choice([0.0, 9.99, 10.0, 150.0], (2, 500))
    ours = appliances.compute_f_scores(
        appliances.count_outcomes(
            (truth >= appliances.ON_W)[:, None], (guess >= appliances.ON_W)[:, None]
        )
    )
    assert ours[0] == pytest.approx(f1score(truth, guess))


def test_score_of_metrics_is_that_of_nilmtks_own_route_through_files(tmp_path):
    """A stretch without a gap, where NILMTK's average over stretches has nothing to average."""
    start = "2011-05-02 12:00"
    low_freq = tmp_path / "low_freq"
    sample = sampled_redd(tmp_path, days=6, period_s=30, seed=5)
    write_hdf5(low_freq, tmp_path / "redd.h5")
    channels = [5, 11, 8, 9, 6]  # in the order of our appliances
    co = train(tmp_path / "redd.h5", before="2011-04-30", channels=channels, period_s=60, seed=1)
    whole = appliances.build_recording(sample, **METERS, period_s=60)
    test = whole.select_bins(whole.slot * 60 >= pd.Timestamp(start, tz="US/Eastern").timestamp())
    assert test.follows[1:].all()
    quantizer = Quantizer(Domain((0,), (12000,), "w"), 64)
    theirs = disaggregate_and_score(
        *(co, tmp_path / "redd.h5", tmp_path / "run"),
        **{"quantizer": quantizer, "start": start, "period_s": 60},
    )
    seen = appliances.release(test, quantizer, quantize="before")
    with quiet():
        power = co.disaggregate_chunk(pd.Series(seen.value_w)).to_numpy()
    ours = appliances.compute_f_scores(
        appliances.count_outcomes(test.is_on["metrics"], power >= appliances.ON_W)
    )
    # NILMTK leaves out the last bin.
    np.testing.assert_allclose(ours, [theirs[number] for number in channels], atol=0.003)


def test_the_energy_error_is_that_computed_by_hand(sample):
    train_part, test = appliances.split_by_day(
        appliances.build_recording(sample, **METERS, period_s=60), "2011-04-30"
    )
    scorer = appliances.BootstrapScorer(test, draws=200, rng=make_generator(1, "x"))
    off = load_adversary(appliances.APPLIANCES, "always_off")
    settings = {"range_w": (0, 12000), "settings": {}, "seed": 1}
    [fitted] = appliances.fit_adversaries([off], train_part, **settings)
    seen = appliances.release(test, NONE, quantize="before")
    off = appliances.ask_guess(
        fitted, appliances.build_reports(test, {"train": seen, "test": seen}), appliances=5
    )
    rows = scorer.build_rows(off, adversary="always_off", epsilon_bits=0.0)
    rows = rows[rows["statistic"] == "energy_error_kwh"].set_index("appliance")["value"]
    expected = test.power_w.sum(axis=0) * 60 / 3.6e6
    np.testing.assert_allclose(rows[list(test.appliances)], expected)
    assert rows["mean"] == pytest.approx(expected.mean())


def test_bootstrap_draws_whole_days(sample):
    """With guesses that are right on half of the days, the interval spans what those days allow."""
    _, test = appliances.split_by_day(
        appliances.build_recording(sample, **METERS, period_s=60), "2011-04-30"
    )
    truth = test.is_on["losses"]
    days = np.unique(test.day)
    is_on = truth & np.isin(test.day, days[::2])[:, None]
    scorer = appliances.BootstrapScorer(test, draws=2000, rng=make_generator(1, "x"))
    samples = scorer._score_draws("losses", is_on)
    assert samples[0, :-2] == pytest.approx(
        appliances.compute_f_scores(appliances.count_outcomes(truth, is_on))
    )
    # Four days: a draw that holds wrong days only has a score of 0, one of right days only 1.
    none, full = (np.mean(np.isclose(samples[1:, 0], value)) for value in (0, 1))
    assert none == pytest.approx(1 / 16, abs=0.02)
    assert full == pytest.approx(1 / 16, abs=0.02)


def test_trainings_share_the_draws(sample):
    """Of two trainings, one always right and one never, every other draw has a score of 1."""
    _, test = appliances.split_by_day(
        appliances.build_recording(sample, **METERS, period_s=60), "2011-04-30"
    )
    right = appliances.Guess(test.is_on["losses"], test.power_w)
    wrong = appliances.Guess(~test.is_on["losses"], 0 * test.power_w)
    scorer = appliances.BootstrapScorer(test, draws=200, rng=make_generator(1, "x"))
    samples = scorer._average_trainings("losses", [right, wrong])
    np.testing.assert_allclose(samples[0], 0.5)
    np.testing.assert_allclose(samples[1::2], 1)
    np.testing.assert_allclose(samples[2::2], 0)
    rows = scorer.build_rows(
        right, wrong, adversary="x", epsilon_bits=1.0, unquantized=[right, right]
    )
    kept = rows[rows["statistic"] == "share_kept_losses"].set_index("appliance").loc["mean"]
    assert kept[["value", "low", "high"]].tolist() == [0.5, 0, 1]
    error = rows[(rows["statistic"] == "energy_error_kwh") & (rows["appliance"] == "fridge")]
    assert error["value"].item() == pytest.approx(test.power_w[:, 0].sum() / 2 * 60 / 3.6e6)


def test_a_meter_in_another_unit_or_of_several_homes_is_refused():
    part = toy_recording([1.0, 2, 3], [0, 1, 1])
    for domain in (Domain((0,), (12,), "kw"), Domain((0,), (12_000,), "w", people=2)):
        with pytest.raises(ConfigError, match=r"'quantizer' .* but the game plays"):
            appliances.release(part, Quantizer(domain, 4), quantize="after")
