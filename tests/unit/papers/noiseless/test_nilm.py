"""The disaggregation experiment: bins, releases and scores by hand, and against NILMTK itself."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from noiseless.adversaries.appliances.always_on import AlwaysOn
from noiseless.data.redd import MAINS, OTHER_APPLIANCES, read_channels, read_minutes
from noiseless.errors import ConfigError, DataError
from noiseless.games import appliances
from noiseless.games.appliances import load_appliance_adversaries
from noiseless.papers.noiseless import nilm
from toy_meter import long_table, sampled_redd
from wide_table import chosen

pytestmark = pytest.mark.slow

METERS = {"mains": MAINS, "others": OTHER_APPLIANCES.values()}
GAME = appliances.MeterGame(
    mains_range_w=[0, 12000],
    period_s=60,
    train_before="2011-04-30",
    days=["2011-04-23", "2011-05-21"],
    hmm={"on_states": 1, "other_states": 4},
    learned={"radius": 5, "trees": 10},
    draws=200,
)
QUICK = {"quantize": "before", "trainings": 2, "seed": 2019}
MIDNIGHT = 1304136000  # 30 April 2011 in Boston


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return sampled_redd(tmp_path_factory.mktemp("sample"), days=8, period_s=15, seed=2019)


@pytest.fixture(scope="module")
def attacks(sample):
    return nilm.build_attack_tables(sample, GAME, epsilon_bits=[1, 8], **QUICK)


def mean_gain(tables, **where):
    rows = chosen(tables["attacks"], statistic="gain_losses", appliance="mean", **where)
    return rows.set_index("adversary")[["value", "low", "high"]]


def test_sample_hides_everything_at_one_bit_and_tells_strong_adversaries_without_a_quantizer(
    attacks,
):
    """As in REDD, the paper's adversary gains nothing on who says "on" of sockets and lights."""
    names = ["co", "co_vampire", "hmm", "learned"]
    hidden = mean_gain(attacks, epsilon_bits=1.0).loc[names]
    assert (hidden["low"] <= 0).all()
    seen = mean_gain(attacks, epsilon_bits=math.inf).loc[names]
    assert seen.loc["co", "low"] < 0
    assert (seen.loc[["hmm", "learned"], "low"] > 0.2).all()


def test_controls_see_nothing_and_always_on_is_the_best_of_them(attacks):
    controls = attacks["attacks"].query("epsilon_bits == 0")
    assert set(controls["adversary"]) == {"always_on", "always_off", "chance"}
    scores = controls[controls["statistic"] == "f_score_losses"]
    wide = scores.pivot(index="adversary", columns="appliance", values="value")
    assert (wide.loc["always_off"] == 0).all()
    assert (wide.loc["always_on"] >= wide.loc["chance"]).all()
    share = attacks["meters"].query("part == 'test' and statistic == 'on_share'")
    share = share.set_index("meter")["value"].drop("mains")
    expected = 2 * share / (1 + share)  # precision is the share, recall is 1
    pd.testing.assert_series_equal(
        wide.loc["always_on"].drop(["mean", "mean of switched"]),
        expected,
        check_like=True,
        check_names=False,
    )


def test_every_cell_has_its_statistics_and_intervals_hold_their_value(attacks):
    table = attacks["attacks"]
    cells = ["adversary", "appliance", "epsilon_bits", "statistic"]
    assert not table.duplicated(cells).any()
    # Controls meet one release, the others three.
    controls = [each.is_control for each in load_appliance_adversaries()]
    others = len(controls) - sum(controls)
    assert len(table) == sum(controls) * 7 * 5 + 3 * others * 7 * 9
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

    monkeypatch.setattr(nilm, "load_appliance_adversaries", lambda: [Alone, Lucky])
    tables = nilm.build_attack_tables(sample, GAME, epsilon_bits=[8], **{**QUICK, "trainings": 3})
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
    half = wide["gain_losses"] - wide.loc[math.inf, "gain_losses"] / 2
    pd.testing.assert_series_equal(wide["gain_above_half_losses"], half, check_names=False)


def test_only_days_of_the_paper_are_played(sample):
    days = ["2011-04-27", "2011-05-02"]
    tables = nilm.build_attack_tables(sample, replace(GAME, days=days), epsilon_bits=[8], **QUICK)
    counts = tables["meters"].set_index(["part", "meter", "statistic"])["value"]
    assert (counts["train", "mains", "days"], counts["test", "mains", "days"]) == (3, 3)


def test_the_energy_of_meters_is_that_computed_by_hand():
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
    table = nilm.build_energy_table(
        redd, days=["2011-04-29", "2011-05-21"], train_before="2011-04-30"
    )
    wide = table.pivot(index=["days", "appliance"], columns="statistic", values="value")
    assert wide.loc["chosen", "mean_power_w"].to_dict() == {
        **{"fridge": 60, "microwave": 15, "washer dryer": 45}
    }
    assert wide.loc[("chosen", "fridge"), "above_others_w"] == 15
    assert wide.loc[("chosen", "microwave"), "above_others_w"] == -30
    assert wide.loc[("training", "microwave"), "above_others_w"] == -5
    assert wide.loc[("before the split", "microwave"), "above_others_w"] == 25 - 13
    assert math.isnan(wide.loc[("chosen", "washer dryer"), "above_others_w"])
    alone = nilm.build_energy_table(
        redd[redd["meter"] != "washer dryer"],
        **{"days": ["2011-04-29", "2011-05-21"], "train_before": "2011-04-30"},
    )
    assert alone.loc[alone["statistic"] == "above_others_w", "value"].isna().all()
    with pytest.raises(DataError, match=r"fridge has no reading between 2011-05-02"):
        nilm.build_energy_table(redd, days=["2011-05-02", "2011-05-21"], train_before="2011-05-04")


def test_a_cell_does_not_depend_on_which_others_are_computed(sample, attacks):
    alone = nilm.build_attack_tables(sample, GAME, epsilon_bits=[8], **QUICK)["attacks"]
    both = attacks["attacks"].query("epsilon_bits != 1").reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, both)


def test_bins_and_days_that_do_not_fit_the_data_are_refused(sample):
    with pytest.raises(ConfigError, match=r"bins of 3 s are too short: .* fridge every 15 s"):
        appliances.build_recording(sample, **METERS, period_s=3)
    whole = appliances.build_recording(sample, **METERS, period_s=60)
    for day in ("2011-04-26", "2011-05-20"):
        with pytest.raises(DataError, match="less than two days of data"):
            appliances.split_by_day(whole, day)
    mains = sample["meter"] == "mains"
    late = sample.assign(time_s=sample["time_s"] + 10**7 * mains)
    with pytest.raises(DataError, match="at no time"):
        appliances.build_recording(late, **METERS, period_s=60)


def test_nobody_gains_on_sockets_that_are_always_on(redd_channels_csv):
    """REDD's sockets never draw less than 10 W: saying "on" is right, and needs no meter."""
    days = {"days": ["2011-05-13", "2011-05-23"], "train_before": "2011-05-18"}
    game = replace(GAME, hmm={"on_states": 2, "other_states": 4}, **days)
    readings = read_channels(redd_channels_csv)
    tables = nilm.build_attack_tables(readings, game, epsilon_bits=[1], **QUICK)
    assert len(tables["attacks"]["appliance"].unique()) == 7  # five and their means
    facts = tables["meters"].set_index(["part", "meter", "statistic"])["value"]
    assert facts["test", "sockets", "on_share"] == 1
    assert 0.4 < facts["test", "light", "on_share"] < 0.7
    gains = tables["attacks"].query("appliance == 'sockets' and statistic == 'gain_losses'")
    assert (gains["value"] <= 0).all()


def test_on_real_minutes_nothing_hidden_leaves_no_gain_over_always_on(redd_minutes_csv):
    """What Figure 4 rests on: its adversary is no better than always on where nothing is hidden."""
    game = replace(GAME, hmm={"on_states": 2, "other_states": 6})
    tables = nilm.build_attack_tables(
        read_minutes(redd_minutes_csv), game, epsilon_bits=[1], **QUICK
    )
    facts = tables["meters"].set_index(["part", "meter", "statistic"])["value"]
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
