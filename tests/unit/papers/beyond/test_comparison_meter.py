"""Disaggregation of every mechanism's reports: hours by hand, errors on fresh noise, both ends."""

import math

import numpy as np
import pandas as pd
import pytest

from noiseless.data.redd import MAINS, OTHER_APPLIANCES
from noiseless.errors import ConfigError, DataError
from noiseless.games.appliances import MeterGame, build_recording, release, split_by_day
from noiseless.games.comparison import CalibratedMechanism, iterate_calibrations
from noiseless.mechanisms.families import load_mechanisms
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.mechanisms.interface import Domain
from noiseless.papers.beyond import comparison_meter
from noiseless.seeds import make_generator
from toy_meter import sampled_redd
from wide_table import chosen

pytestmark = pytest.mark.slow

METERS = {"mains": MAINS, "others": OTHER_APPLIANCES.values()}
RANGE_W = [0, 12000]
GAME = MeterGame(
    **{"mains_range_w": RANGE_W, "period_s": 60, "train_before": "2011-04-30", "draws": 100},
    **{"hmm": {"on_states": 1, "other_states": 4}, "learned": {"radius": 3, "trees": 5}},
    days=["2011-04-18", "2011-05-24"],
)
SETTINGS = {"seed": 3, "delta": 1e-5, "tolerance": 0.1}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    return sampled_redd(tmp_path_factory.mktemp("sample"), days=6, period_s=30, seed=2019)


@pytest.fixture(scope="module")
def test_part(sample):
    return split_by_day(build_recording(sample, **METERS, period_s=60), "2011-04-30")[1]


def by_hand(mains_w, *, slots=None, period_s=1200):
    """A recording of some bins of twenty minutes, three to an hour."""
    mains = np.asarray(mains_w, dtype=float)
    slots = np.arange(len(mains)) if slots is None else np.asarray(slots)
    redd = pd.concat(
        [
            pd.DataFrame({"meter": name, "time_s": slots * period_s, "power_w": mains / share})
            for name, share in (("mains", 1), ("fridge", 2))
        ]
    )
    return build_recording(redd, **METERS, period_s=period_s)


def test_hours_without_a_gap_are_those_found_by_hand():
    """Two whole hours of means 200 and 400 W, and one that lacks a bin."""
    part = by_hand([100, 200, 300, 400, 400, 400, 900, 900], slots=[0, 1, 2, 3, 4, 5, 6, 8])
    hours = comparison_meter.CompleteHours(part)
    assert (hours.count, hours.bins) == (2, 3)
    off = part.mains_w + np.array(
        [30, 0, 0, 0, 0, -90, 5000, 5000]
    )  # 10 W and -30 W of an hour's mean
    assert hours.measure_error_share(off, part.mains_w) == pytest.approx(math.sqrt(500) / 300)


def test_hours_that_cannot_be_had_are_errors_that_say_so():
    with pytest.raises(DataError, match="no hour of the test data"):
        comparison_meter.CompleteHours(by_hand([1, 2, 3], slots=[1, 2, 3]))
    with pytest.raises(ConfigError, match="bins of 700 s do not fill an hour"):
        comparison_meter.CompleteHours(by_hand([1, 2, 3], period_s=700))


def settings_at(part, targets, tolerance=0.2):
    """Each calibration that is attainable, with the mechanism at its parameter."""
    domain = Domain((0.0,), (12_000.0,), "w")
    meter = comparison_meter.MeterTask(part, part, domain, 3, [], None)
    return [
        (calibration, family(domain, calibration.parameter))
        for family, calibration in iterate_calibrations(meter, targets, tolerance=tolerance)
        if calibration.is_attainable
    ]


def test_errors_are_those_of_fresh_noise(test_part):
    """A calibrated parameter, then noise that calibration has not seen, for many a day."""
    hours = comparison_meter.CompleteHours(test_part)
    calibrations = settings_at(test_part, [0.05, 0.5, 3])
    assert {mechanism.name for _, mechanism in calibrations} >= {
        *("quantizer", "laplace", "gaussian", "one_bit")
    }
    for calibration, mechanism in calibrations:
        found = [
            hours.measure_error_share(
                comparison_meter.release_mains(
                    mechanism, test_part, make_generator(9, "fresh", draw)
                ).value_w,
                test_part.mains_w,
            )
            for draw in range(1 if mechanism.is_deterministic else 30)
        ]
        error = math.sqrt(np.mean(np.square(found)))
        assert error == pytest.approx(calibration.expected_error, rel=0.04), calibration
        tolerance = 0.2 if mechanism.is_deterministic else 1e-6
        assert calibration.expected_error == pytest.approx(calibration.target, rel=tolerance)


def test_noise_that_the_adversary_knows_is_that_of_the_reports(test_part):
    for calibration, mechanism in settings_at(test_part, [1.0]):
        seen = comparison_meter.release_mains(
            mechanism, test_part, make_generator(1, mechanism.name)
        )
        if mechanism.is_deterministic and mechanism.cells(seen.value_w) is not None:
            assert seen.noise_w == 0
            inside = (seen.low_w <= test_part.mains_w) & (test_part.mains_w <= seen.high_w)
            assert inside.all()
        else:
            spread = math.sqrt(np.mean((seen.value_w - test_part.mains_w) ** 2))
            assert spread == pytest.approx(seen.noise_w, rel=0.05), calibration


def test_quantized_reports_are_those_of_the_meter_of_figure_4(test_part):
    mechanism = load_mechanisms()["quantizer"](Domain((0.0,), (12_000.0,), "w"), 7)
    ours = comparison_meter.release_mains(mechanism, test_part, make_generator(1))
    theirs = release(test_part, Quantizer(Domain((0,), (12_000,), "w"), 7), quantize="after")
    for name in ("value_w", "low_w", "high_w"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)


@pytest.fixture(scope="module")
def tables(sample):
    return comparison_meter.build_comparison_tables(
        sample,
        GAME,
        target_error_share=[1e-3, 100],
        adversaries=["co", "hmm", "learned"],
        **SETTINGS,
    )


def gains(tables, **where):
    rows = chosen(tables["comparison"], statistic="gain", **where)
    return rows.set_index(["mechanism", "adversary"])["value"]


def test_small_errors_converge_to_the_unprotected_mains(tables):
    exact = gains(tables, mechanism="none")
    small = gains(tables, target_error_share=1e-3)
    ours = ["quantizer", "laplace", "gaussian"]
    assert set(ours) <= set(small.index.get_level_values(0))
    assert "one_bit" not in small.index.get_level_values(0)
    assert exact[("none", "hmm")] > 0.05
    for (mechanism, adversary), value in small.loc[ours].items():
        assert value == pytest.approx(exact[("none", adversary)], abs=0.03), mechanism


def test_large_errors_leave_little(tables):
    large = gains(tables, target_error_share=100)
    attained = set(large.index.get_level_values(0))
    assert {"laplace", "gaussian", "one_bit"} <= attained
    assert "quantizer" not in attained
    best = gains(tables, mechanism="none").max()
    assert large.max() < best / 2


def test_controls_see_no_report(tables):
    exact = gains(tables, mechanism="none")
    assert exact[("none", "always_on")] == 0
    assert exact[("none", "chance")] < exact[("none", "hmm")]
    blind = tables["comparison"]["adversary"].isin(["always_on", "chance"])
    assert set(tables["comparison"].loc[blind, "mechanism"]) == {"none"}


def test_f_score_is_the_gain_above_always_on(tables):
    rows = tables["comparison"].set_index(["mechanism", "target_error_share", "adversary"])
    f_score = rows.loc[rows["statistic"] == "f_score", "value"]
    gain = rows.loc[rows["statistic"] == "gain", "value"]
    np.testing.assert_allclose(f_score - f_score[("none", 0.0, "always_on")], gain, atol=1e-12)


def test_a_mechanism_of_another_unit_reports_nothing(test_part):
    domain = Domain((0.0,), (12_000.0,), "w")
    meter = comparison_meter.MeterTask(test_part, test_part, domain, 3, [], None)
    for other in (Domain((0.0,), (12.0,), "kw"), Domain((0.0,), (9_000.0,), "w")):
        release = CalibratedMechanism(load_mechanisms()["laplace"](other, 10.0), 1.0)
        with pytest.raises(ConfigError, match=r"'laplace' .* but the game plays"):
            next(meter.play([release]))
