"""The disaggregation experiment: bins, releases and scores by hand, and against NILMTK itself."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from benchmarks.nilmtk_route import disaggregate_and_score, quiet, train, write_hdf5
from noiseless.adversaries.appliances.always_on import AlwaysOn
from noiseless.adversaries.registry import load_adversary
from noiseless.data.local import locate_redd
from noiseless.data.redd import MAINS, RIVALS, read_low_freq, read_minutes
from noiseless.data.samples.redd import write_redd
from noiseless.errors import ConfigError, DataError
from noiseless.games import appliances
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.mechanisms.interface import Domain, Identity
from noiseless.papers.noiseless import nilm
from noiseless.seeds import generator

pytestmark = pytest.mark.slow

METERS = {"mains": MAINS, "others": RIVALS.values()}
BASE = {
    "mains_range_w": [0, 12000],
    "period_s": 60,
    "quantize": "before",
    "train_before": "2011-04-30",
    "days": ["2011-04-23", "2011-05-21"],
    "seed": 2019,
}
QUICK = {
    "hmm": {"on_states": 1, "other_states": 4},
    "learned": {"radius": 5, "trees": 10},
    "trainings": 2,
    "draws": 200,
}
NONE = Identity(Domain((0.0,), (12_000.0,), "w"))
MIDNIGHT = 1304136000  # 30 April 2011 in Boston


def long_table(meters):
    return pd.concat(
        [
            pd.DataFrame({"meter": name, "channel": 0, "time_s": time_s, "power_w": power_w})
            for name, (time_s, power_w) in meters.items()
        ],
        ignore_index=True,
    )


@pytest.fixture(scope="module")
def low_freq(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "low_freq"
    write_redd(folder / "house_1" / "labels.dat", days=8, period_s=15, seed=2019)
    return folder


@pytest.fixture(scope="module")
def sample(low_freq):
    return read_low_freq(**locate_redd(low_freq, 1)[1])


@pytest.fixture(scope="module")
def attacks(sample):
    return nilm.attack_tables(sample, epsilon_bits=[1, 8], **BASE, **QUICK)


def mean_gain(tables, **where):
    rows = tables["attacks"]
    chosen = (rows["statistic"] == "gain_losses") & (rows["appliance"] == "mean")
    for column, value in where.items():
        chosen &= rows[column] == value
    return rows[chosen].set_index("adversary")[["value", "low", "high"]]


def test_bins_by_hand():
    redd = long_table(
        {
            "mains": ([0, 20, 40, 60, 80, 180], [100.0, 200, 300, 50, 70, 10]),
            "fridge": ([0, 30, 60, 90, 130, 180], [5.0, 25, 10, 10, 99, 0]),
        }
    )
    redd["time_s"] += MIDNIGHT - 120
    whole = appliances.recording(redd, **METERS, period_s=60)
    # The third minute has no mains.
    np.testing.assert_array_equal(whole.slot * 60 - MIDNIGHT, [-120, -60, 60])
    np.testing.assert_allclose(whole.mains_w, [200, 60, 10])
    np.testing.assert_allclose(whole.power_w[:, 0], [15, 10, 0])
    assert whole.is_on["losses"][:, 0].tolist() == [True, True, False]  # a mean of 10 W or more
    assert whole.is_on["metrics"][:, 0].tolist() == [False, True, False]  # every reading
    assert whole.follows.tolist() == [False, True, False]
    assert np.diff(whole.day).tolist() == [0, 1]  # 30 April begins at midnight in Boston
    np.testing.assert_array_equal(whole.reading_bin, [0, 0, 0, 1, 1, 2])
    part = whole.part(np.array([False, True, True]))
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
    quantizer = Quantizer(0, 1000, levels)
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
    ours = appliances.f_scores(appliances.outcomes(truth, guess))[0]
    assert ours == pytest.approx(f1_score(truth[:, 0], guess[:, 0], zero_division=0))


def test_score_of_losses_is_nilmtks():
    from noiseless.adversaries.combinatorial import nilmtk_disaggregators

    nilmtk_disaggregators()
    from nilmtk.losses import f1score

    rng = np.random.default_rng(4)
    truth, guess = rng.choice([0.0, 9.99, 10.0, 150.0], (2, 500))
    ours = appliances.f_scores(
        appliances.outcomes(
            (truth >= appliances.ON_W)[:, None], (guess >= appliances.ON_W)[:, None]
        )
    )
    assert ours[0] == pytest.approx(f1score(truth, guess))


def test_score_of_metrics_is_that_of_nilmtks_own_route_through_files(tmp_path):
    """A stretch without a gap, where NILMTK's average over stretches has nothing to average."""
    start = "2011-05-02 12:00"
    low_freq = tmp_path / "low_freq"
    write_redd(low_freq / "house_1" / "labels.dat", days=6, period_s=30, seed=5)
    sample = read_low_freq(**locate_redd(low_freq, 1)[1])
    write_hdf5(low_freq, tmp_path / "redd.h5")
    channels = [5, 11, 8, 9, 6]  # in the order of our appliances
    co = train(tmp_path / "redd.h5", before="2011-04-30", channels=channels, period_s=60, seed=1)
    whole = appliances.recording(sample, **METERS, period_s=60)
    test = whole.part(whole.slot * 60 >= pd.Timestamp(start, tz="US/Eastern").timestamp())
    assert test.follows[1:].all()
    quantizer = Quantizer(0, 12000, 64)
    theirs = disaggregate_and_score(
        *(co, tmp_path / "redd.h5", tmp_path / "run"),
        **{"quantizer": quantizer, "start": start, "period_s": 60},
    )
    seen = appliances.release(test, quantizer, quantize="before")
    with quiet():
        power = co.disaggregate_chunk(pd.Series(seen.value_w)).to_numpy()
    ours = appliances.f_scores(appliances.outcomes(test.is_on["metrics"], power >= appliances.ON_W))
    # NILMTK leaves out the last bin.
    np.testing.assert_allclose(ours, [theirs[number] for number in channels], atol=0.003)


def test_sample_hides_everything_at_one_bit_and_nothing_without_a_quantizer(attacks):
    names = ["co", "co_vampire", "hmm", "learned"]
    hidden = mean_gain(attacks, epsilon_bits=1.0).loc[names]
    assert (hidden["low"] <= 0).all()
    seen = mean_gain(attacks, epsilon_bits=math.inf).loc[names]
    assert (seen["low"] > 0).all()
    assert (seen.loc[["hmm", "learned"], "low"] > 0.2).all()


def test_controls_see_nothing_and_always_on_is_the_best_of_them(attacks):
    controls = attacks["attacks"].query("epsilon_bits == 0")
    assert set(controls["adversary"]) == {"always_on", "always_off", "chance"}
    scores = controls[controls["statistic"] == "f_score_losses"]
    wide = scores.pivot(index="adversary", columns="appliance", values="value")
    assert (wide.loc["always_off"] == 0).all()
    assert (wide.loc["always_on"] >= wide.loc["chance"]).all()
    share = attacks["recording"].query("part == 'test' and statistic == 'on_share'")
    share = share.set_index("meter")["value"].drop("mains")
    expected = 2 * share / (1 + share)  # precision is the share, recall is 1
    pd.testing.assert_series_equal(
        wide.loc["always_on"].drop("mean"), expected, check_like=True, check_names=False
    )


def test_every_cell_has_its_statistics_and_intervals_hold_their_value(attacks):
    table = attacks["attacks"]
    cells = ["adversary", "appliance", "epsilon_bits", "statistic"]
    assert not table.duplicated(cells).any()
    assert len(table) == 3 * 6 * 5 + 3 * 4 * 6 * 7
    scored = table[table["statistic"] != "energy_error_kwh"]
    known = scored[scored["value"].notna()]
    # Of an appliance on which an adversary never is right there is nothing to keep.
    assert set(scored.loc[scored["value"].isna(), "statistic"]) <= {
        *("share_kept_losses", "share_kept_metrics")
    }
    assert (known["low"] <= known["high"]).all()
    mean = scored[(scored["appliance"] == "mean") & ~scored["statistic"].str.startswith("share")]
    assert ((mean["low"] <= mean["value"] + 0.02) & (mean["value"] <= mean["high"] + 0.02)).all()
    release = attacks["release"].pivot(index="epsilon_bits", columns="statistic", values="value")
    assert release["levels"].tolist() == [2, 256, math.inf]
    assert release["rms_error_w"].is_monotonic_decreasing
    assert release.loc[math.inf, "rms_error_w"] == 0
    assert release["readings_a_day"].tolist() == [86400 / 5] * 3  # the mains' own rate
    assert release["budget_a_day_bits"].tolist() == [17280, 8 * 17280, math.inf]


def test_energy_error_by_hand(sample):
    train_part, test = appliances.split(
        appliances.recording(sample, **METERS, period_s=60), "2011-04-30"
    )
    scorer = appliances.Scorer(test, draws=200, rng=generator(1, "x"))
    off = load_adversary(appliances.APPLIANCES, "always_off")
    settings = {"range_w": (0, 12000), "settings": {}, "seed": 1}
    [fitted] = appliances.fit_adversaries([off], train_part, **settings)
    seen = appliances.release(test, NONE, quantize="before")
    off = appliances.guess_of(
        fitted, appliances.reports_of(test, {"train": seen, "test": seen}), appliances=5
    )
    rows = scorer.rows(off, adversary="always_off", epsilon_bits=0.0)
    rows = rows[rows["statistic"] == "energy_error_kwh"].set_index("appliance")["value"]
    expected = test.power_w.sum(axis=0) * 60 / 3.6e6
    np.testing.assert_allclose(rows[list(test.appliances)], expected)
    assert rows["mean"] == pytest.approx(expected.mean())


def test_bootstrap_draws_whole_days(sample):
    """With guesses that are right on half of the days, the interval spans what those days allow."""
    _, test = appliances.split(appliances.recording(sample, **METERS, period_s=60), "2011-04-30")
    truth = test.is_on["losses"]
    days = np.unique(test.day)
    is_on = truth & np.isin(test.day, days[::2])[:, None]
    scorer = appliances.Scorer(test, draws=2000, rng=generator(1, "x"))
    samples = scorer._samples("losses", is_on)
    assert samples[0, :-1] == pytest.approx(appliances.f_scores(appliances.outcomes(truth, is_on)))
    # Four days: a draw that holds wrong days only has a score of 0, one of right days only 1.
    none, full = (np.mean(np.isclose(samples[1:, 0], value)) for value in (0, 1))
    assert none == pytest.approx(1 / 16, abs=0.02)
    assert full == pytest.approx(1 / 16, abs=0.02)


def test_trainings_share_the_draws(sample):
    """Of two trainings, one always right and one never, every other draw has a score of 1."""
    _, test = appliances.split(appliances.recording(sample, **METERS, period_s=60), "2011-04-30")
    right = appliances.Guess(test.is_on["losses"], test.power_w)
    wrong = appliances.Guess(~test.is_on["losses"], 0 * test.power_w)
    scorer = appliances.Scorer(test, draws=200, rng=generator(1, "x"))
    samples = scorer._of_trainings("losses", [right, wrong])
    np.testing.assert_allclose(samples[0], 0.5)
    np.testing.assert_allclose(samples[1::2], 1)
    np.testing.assert_allclose(samples[2::2], 0)
    rows = scorer.rows(right, wrong, adversary="x", epsilon_bits=1.0, unquantized=[right, right])
    kept = rows[rows["statistic"] == "share_kept_losses"].set_index("appliance").loc["mean"]
    assert kept[["value", "low", "high"]].tolist() == [0.5, 0, 1]
    error = rows[(rows["statistic"] == "energy_error_kwh") & (rows["appliance"] == "fridge")]
    assert error["value"].item() == pytest.approx(test.power_w[:, 0].sum() / 2 * 60 / 3.6e6)


def test_who_is_random_is_trained_several_times_and_intervals_say_so(sample, monkeypatch):
    fitted = []

    class Alone(AlwaysOn):
        name = "alone"
        is_control = False

        def fit(self, training):
            fitted.append((self.name, training.number))
            return super().fit(training)

    class Lucky(Alone):
        """Every appliance is on, or none, by the number of its training."""

        name = "lucky"
        is_random = True

        def fit(self, training):
            self.is_on = training.number == 1
            return super().fit(training)

        def guess(self, shape):
            return np.full(shape, self.is_on)

    monkeypatch.setattr(nilm, "appliance_adversaries", lambda: [Alone, Lucky])
    tables = nilm.attack_tables(sample, epsilon_bits=[8], **BASE, **{**QUICK, "trainings": 3})
    assert fitted == [("alone", 0), ("lucky", 0), ("lucky", 1), ("lucky", 2)]
    scores = tables["attacks"].query("appliance == 'mean' and statistic == 'f_score_losses'")
    scores = scores.set_index(["adversary", "epsilon_bits"])
    assert scores["over"].to_dict() == {
        **{("alone", budget): "days" for budget in (8, math.inf)},
        **{("lucky", budget): "days and trainings" for budget in (8, math.inf)},
    }
    alone, lucky = (scores.loc[(name, 8.0)] for name in ("alone", "lucky"))
    assert lucky["value"] == pytest.approx(alone["value"] / 3)
    assert (lucky["low"], lucky["high"] > alone["value"]) == (0, True)


def test_the_share_that_is_kept_is_a_ratio_of_scores(attacks):
    table = attacks["attacks"].query("adversary == 'hmm' and appliance == 'mean'")
    wide = table.pivot(index="epsilon_bits", columns="statistic", values="value")
    expected = wide["f_score_losses"] / wide.loc[math.inf, "f_score_losses"]
    pd.testing.assert_series_equal(wide["share_kept_losses"], expected, check_names=False)
    assert wide.loc[math.inf, "share_kept_losses"] == 1


def test_only_days_of_the_paper_are_played(sample):
    days = ["2011-04-27", "2011-05-02"]
    tables = nilm.attack_tables(sample, epsilon_bits=[8], **{**BASE, "days": days}, **QUICK)
    counts = tables["recording"].set_index(["part", "meter", "statistic"])["value"]
    assert (counts["train", "mains", "days"], counts["test", "mains", "days"]) == (3, 3)


def test_energy_by_hand():
    day_s = 86400
    redd = long_table(
        {
            "mains": ([0, day_s], [500.0, 500]),
            "fridge": ([-6 * day_s, 0, day_s], [10.0, 60, 60]),
            "microwave": ([-6 * day_s, 0, day_s], [30.0, 20, 10]),
            "washer dryer": ([-6 * day_s, 0, day_s], [1.0, 25, 65]),
        }
    )
    redd["time_s"] += MIDNIGHT - day_s // 2
    table = nilm.energy_table(redd, days=["2011-04-29", "2011-05-21"], train_before="2011-04-30")
    wide = table.pivot(index=["days", "appliance"], columns="statistic", values="value")
    assert wide.loc["paper", "mean_power_w"].to_dict() == {
        **{"fridge": 60, "microwave": 15, "washer dryer": 45}
    }
    assert wide.loc[("paper", "fridge"), "above_others_w"] == 15
    assert wide.loc[("paper", "microwave"), "above_others_w"] == -30
    assert wide.loc[("training", "microwave"), "above_others_w"] == -5
    assert wide.loc[("before the split", "microwave"), "above_others_w"] == 25 - 13
    assert math.isnan(wide.loc[("paper", "washer dryer"), "above_others_w"])
    alone = nilm.energy_table(
        redd[redd["meter"] != "washer dryer"],
        **{"days": ["2011-04-29", "2011-05-21"], "train_before": "2011-04-30"},
    )
    assert alone.loc[alone["statistic"] == "above_others_w", "value"].isna().all()
    with pytest.raises(DataError, match=r"fridge has no reading between 2011-05-02"):
        nilm.energy_table(redd, days=["2011-05-02", "2011-05-21"], train_before="2011-05-04")


def test_a_cell_does_not_depend_on_which_others_are_computed(sample, attacks):
    alone = nilm.attack_tables(sample, epsilon_bits=[8], **BASE, **QUICK)["attacks"]
    both = attacks["attacks"].query("epsilon_bits != 1").reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, both)


def test_choices_have_a_baseline_and_their_spread(sample):
    choices = {
        "period_s": [5, 300],
        "range_quantiles": [1, 0.999],
        "days": ["2011-04-27", "2011-05-02"],
        "seeds": 3,
    }
    table = nilm.choices_table(sample, epsilon_bits=[2, 6], choices=choices, **BASE)
    table = table[table["statistic"] == "f_score_losses"]
    options = table.groupby("choice", sort=False)["option"].unique().map(len)
    # 5 s is finer than the readings; baseline and spread are among the options.
    assert options.to_dict() == {
        "length of a bin": 3,
        "quantize": 3,
        "public range": 4,
        "vampire power": 3,
        "days": 3,
        "random numbers": 4,
    }
    for _, cell in table.groupby(["choice", "epsilon_bits"]):
        values = cell.set_index("option")["value"]
        others = values.drop("spread")
        assert values["spread"] == pytest.approx(others.max() - others.min())


def test_minutes_leave_no_choice_of_order_or_of_finer_bins(sample):
    redd = sample[sample["time_s"] % 60 < 5].copy()
    redd["time_s"] = redd["time_s"] // 60 * 60
    redd = redd.drop_duplicates(["meter", "time_s"])
    choices = {"period_s": [3], "range_quantiles": [], "days": ["2011-04-26"] * 2, "seeds": 2}
    choices["days"] = ["2011-04-27", "2011-05-02"]
    table = nilm.choices_table(redd, epsilon_bits=[4], choices=choices, **BASE)
    assert set(table["choice"]) == {"vampire power", "days", "random numbers"}


def test_user_errors(sample):
    with pytest.raises(ConfigError, match=r"bins of 3 s are too short: .* fridge every 15 s"):
        appliances.recording(sample, **METERS, period_s=3)
    whole = appliances.recording(sample, **METERS, period_s=60)
    for day in ("2011-04-26", "2011-05-20"):
        with pytest.raises(DataError, match="less than two days of data"):
            appliances.split(whole, day)
    mains = sample["meter"] == "mains"
    late = sample.assign(time_s=sample["time_s"] + 10**7 * mains)
    with pytest.raises(DataError, match="at no time"):
        appliances.recording(late, **METERS, period_s=60)


def test_real_minutes(redd_minutes_csv):
    """What Figure 4 rests on: its adversary is no better than always on where nothing is hidden."""
    quick = {**QUICK, "hmm": {"on_states": 2, "other_states": 6}}
    tables = nilm.attack_tables(read_minutes(redd_minutes_csv), epsilon_bits=[1], **BASE, **quick)
    facts = tables["recording"].set_index(["part", "meter", "statistic"])["value"]
    assert facts["train", "mains", "bins"] == 7602
    assert facts["test", "mains", "bins"] == 9730
    assert facts["test", "mains", "days"] == 9
    seen = mean_gain(tables, epsilon_bits=math.inf)
    assert seen.loc["co", "value"] < 0.05
    assert (seen.loc[["hmm", "learned"], "low"] > 0.3).all()
    hidden = mean_gain(tables, epsilon_bits=1.0)
    assert (hidden["value"] < 0.05).all()
    assert (hidden["low"] < 0.01).all()
    # A second route to the control, from the text of the file.
    raw = pd.read_csv(redd_minutes_csv).dropna()
    time = pd.to_datetime(raw["Timestamp"])
    test = raw[(time >= "2011-04-30T00:00:00-04:00") & (time < "2011-05-22T00:00:00-04:00")]
    shares = (test[["Refrigerator", "Dish Washer", "Microwave"]] >= 10).mean()
    rows = tables["attacks"].query("adversary == 'always_on' and statistic == 'f_score_losses'")
    mean = rows.set_index("appliance")["value"]["mean"]
    assert mean == pytest.approx((2 * shares / (1 + shares)).mean())
