"""The container comes back, and numbers of any kind are taken."""

import functools
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from noiseless.mechanisms.containers import convert_to_floats

NOISE = [
    nl.LaplaceMechanism(nl.Domain((0,), (10,)), 1.0),
    nl.GaussianMechanism(nl.Domain((0,), (10,)), 1.0),
    nl.OneBitMechanism(nl.Domain((0,), (10,)), 1.0),
]


@pytest.mark.parametrize(
    "release",
    [nl.Quantizer(nl.Domain((0,), (np.float64(10),)), np.int64(4)).release]
    + [functools.partial(mechanism.release, rng=1) for mechanism in NOISE],
)
def test_the_same_container_comes_back(release):
    values = [1.0, 2.5, 9.0]
    expected = release(np.array(values))
    assert isinstance(expected, np.ndarray)
    np.testing.assert_array_equal(release(values), expected)
    series = pd.Series(values, index=["a", "b", "c"], name="kwh")
    pd.testing.assert_series_equal(
        release(series), pd.Series(expected, index=series.index, name="kwh")
    )
    frame = release(series.to_frame())
    assert list(frame.index) == ["a", "b", "c"]
    assert list(frame.columns) == ["kwh"]
    np.testing.assert_array_equal(frame["kwh"], expected)


def test_noise_takes_a_generator_or_a_seed():
    for mechanism in NOISE:
        np.testing.assert_array_equal(
            mechanism.release([1.0] * 9, np.random.default_rng(7)), mechanism.release([1.0] * 9, 7)
        )


BOX = nl.Domain((0,), (10,))
# Every public function and method that takes arrays: numbers, readings, labels, reports.
TAKES_NUMBERS = {
    **{type(each).__name__: functools.partial(each.release, rng=1) for each in NOISE},
    "Quantizer": nl.Quantizer(BOX, 4).release,
    "Quantizer of places": lambda values: nl.Quantizer(nl.Domain((0, 0), (9, 9), "m"), 4).release(
        values if isinstance(values, np.ma.MaskedArray | set | dict) else [values, values]
    ),
    "log_likelihood of outputs": lambda values: NOISE[0].log_likelihood(values, [1.0, 2.0]),
    "log_likelihood of values": lambda values: NOISE[1].log_likelihood([1.0, 2.0], values),
    "release_all": lambda values: nl.release_all(values, 5.0, (0, 10), [1.0]),
    "thresholds": lambda values: nl.release_all([1.0, 2.0], values, (0, 10), [1.0]),
    "estimate_values": NOISE[2].estimate_values,
    "estimate_mean": NOISE[2].estimate_mean,
    "estimate_standard_error": NOISE[2].estimate_standard_error,
    "find_best_threshold": lambda values: nl.find_best_threshold(values, [True, False]),
    "bound of a hypothesis": lambda values: nl.ThresholdHypothesis(
        5.0, low=0.0, high=10.0, values=values
    ),
    "points of a box": nl.Box((0,), (10,)).contains,
}
NO_NUMBERS = {
    "masked": np.ma.array([1.0, 0.0], mask=[False, True]),
    "masked rows": [np.ma.array([1.0], mask=[True]), np.ma.array([1.0], mask=[False])],
    "dates": pd.to_datetime(["2024-01-01", "2024-01-02"]),
    "a Series of dates": pd.Series(pd.to_datetime(["2024-01-01", "2024-01-02"])),
    "durations": pd.to_timedelta([1, 2], unit="s"),
    "durations of NumPy": np.array([1, 2], dtype="timedelta64[s]"),
    "objects that are durations": np.array(
        [np.timedelta64(1, "s"), np.timedelta64(2, "s")], object
    ),
    "complex": np.array([1 + 0j, 0j]),
    "texts": ["1", "0"],
    "texts of NumPy": np.array(["1", "0"]),
    "bytes": np.array([b"1", b"0"]),
    "nothing": [1.0, None],
    "a set": {0, 1},
    "a mapping": {0: 1, 1: 0},
    "ragged": [[1.0], [1.0, 0.0]],
}


@pytest.mark.parametrize("given", NO_NUMBERS)
@pytest.mark.parametrize("name", TAKES_NUMBERS)
def test_only_numbers_are_taken(name, given):
    with pytest.raises(nl.UserError):
        TAKES_NUMBERS[name](NO_NUMBERS[given])


@pytest.mark.parametrize("mechanism", [*NOISE, nl.Quantizer(BOX, 4)])
def test_nothing_is_released_where_a_value_is_missing(mechanism):
    missing = pd.array([1, None], dtype="Int64")
    for values in (
        [1.0, np.nan],
        missing,
        pd.Series([1.0, np.nan]),
        np.array([1, np.nan], "float32"),
    ):
        with pytest.raises(nl.DataError, match="1 of 2"):
            mechanism.release(values, 1)


@pytest.mark.parametrize("given", ["masked", "dates", "complex", "durations", "a set"])
def test_arrays_of_numbers_are_converted_by_one_function(given):
    with pytest.raises(nl.DataError, match=r"^the readings must be numbers.*(masked|Series)"):
        convert_to_floats(NO_NUMBERS[given], "the readings")


KINDS = [
    "uint8",
    "int8",
    "int32",
    "int64",
    "float32",
    "float64",
    ">i2",
    ">i8",
    ">f4",
    ">f8",
    "bool",
]


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_every_width_and_byte_order_are_the_equal_floats(kind):
    values = np.array([1, 0], dtype=kind)
    for name, take in TAKES_NUMBERS.items():
        if name != "bound of a hypothesis":
            np.testing.assert_array_equal(take(values), take([1.0, 0.0]), err_msg=name)
    np.testing.assert_array_equal(convert_to_floats(values), [1.0, 0.0])
    assert convert_to_floats(values).dtype == np.float64
    assert nl.unique_share(values) == nl.unique_share([1, 0]) == 1.0
    assert nl.k_anonymous_share(pd.DataFrame({"a": values, "b": values}), 2) == 0.0
    assert nl.leakage_bits(values, values) == nl.leakage_bits([1, 0], [1, 0]) == 1.0
    assert nl.maximin_information_bits(values, values) == 1.0


def test_fractions_and_decimals_are_numbers():
    given = [Fraction(1, 2), Decimal("0.25"), np.float32(3), 2**70]
    assert convert_to_floats(given).tolist() == [0.5, 0.25, 3.0, 2.0**70]


@pytest.mark.parametrize("labels", [{1, 2, 3}, frozenset("ab"), np.ma.array([1, 2], mask=[0, 1])])
def test_labels_have_an_order_and_no_mask(labels):
    for take in (
        nl.unique_share,
        lambda each: nl.k_anonymous_share(each, 2),
        lambda each: nl.leakage_bits(each, [1, 2]),
        lambda each: nl.maximin_information_bits([1, 2], each),
    ):
        with pytest.raises(nl.DataError, match=r"set|masked"):
            take(labels)


def test_readings_with_a_mask_do_not_play():
    homes = np.ma.array(np.arange(12).reshape(4, 3) * 500, mask=np.eye(4, 3, dtype=bool))
    with pytest.raises(nl.DataError, match="masked"):
        nl.play_membership_game(homes, n=2, epsilon_bits=3, maximum_wh=9000, rng=1)
    with pytest.raises(nl.DataError, match="masked"):
        nl.play_released_membership_game(homes.data, released_wh=homes[0], members=None, rng=1)


@pytest.mark.parametrize("reports", [[0, 1, 5], [0, 0.5], [-1, 1], [0, np.nan]])
def test_a_report_of_one_bit_is_0_or_1(reports):
    one_bit = NOISE[2]
    for estimate in (
        one_bit.estimate_values,
        one_bit.estimate_mean,
        one_bit.estimate_mean_as_printed,
        one_bit.estimate_standard_error,
    ):
        with pytest.raises(nl.DataError, match="neither 0 nor 1"):
            estimate(reports)


def test_reports_are_computed_with_in_double_precision():
    for kind in ("float16", "uint8", "bool"):
        reports = np.array([0, 1, 1], dtype=kind)
        assert NOISE[2].estimate_mean(reports) == NOISE[2].estimate_mean([0, 1, 1])
        assert NOISE[2].estimate_values(reports).dtype == np.float64


@pytest.mark.parametrize(
    "points", ["abc", {"a": 1}, None, [[np.nan]], [[np.inf]], [], [[]], [[1], [1, 2]], [["a"]], 3]
)
def test_points_of_a_domain_are_finite_numbers(points):
    with pytest.raises(nl.ConfigError, match="`points` must be one or more points"):
        nl.FiniteDomain(points)


def test_points_of_a_domain_are_taken_from_every_container():
    expected = ((0, 1), (2, 3))
    for points in (np.array(expected), pd.DataFrame(expected), [list(each) for each in expected]):
        assert nl.FiniteDomain(points).points == expected
