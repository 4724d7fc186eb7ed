"""Thin slices are exchanged, a record at a time."""

import math

import numpy as np
import pytest
from hypothesis import example, given

from bodies import BMI, BOX, RECORDS, RHOS, assert_released
from noiseless.errors import ConfigError
from noiseless.mechanisms.blurring import (
    PolynomialThreshold,
    PublicRange,
)
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.policies.slices import SliceBlurring


def plain(x: float, g: float, step: float) -> float:
    offset = x - g
    if not 0 < g < 200:
        return x
    room = {True: min(step, 200 - g), False: min(step, g)}
    above = offset >= 0
    own, other, sign, distance = room[above], room[not above], 1 if above else -1, abs(offset)
    if distance < 0.1 * own or (not above and distance == 0.1 * own):
        part = distance / (0.1 * own)
        return g - sign * (other + part * (0.1 * other - other))
    if distance < own or (not above and distance == own) or (own == 200 - g and g < x < 200):
        return x
    if distance < 2 * step or (not above and distance == 2 * step):
        return g + sign * (own - 0.1 * own * (1 - (distance - own) / step))
    return x


@given(RECORDS, RHOS)
@example([(math.nextafter(200, 0), 149.0)], 2**-7)  # below the end, as its distance is not
@example([(math.nextafter(200, 0), 136.7098005200511)], 0.006)
def test_release_equals_a_plain_loop(records, rho):
    assert_released(SliceBlurring, plain, records, rho)


def test_overlay_moves_everybody_by_one_step_and_slices_only_those_beyond_the_band():
    line = PolynomialThreshold((100,)), PublicRange((0, 0), (200, 1)), 0.1
    offsets = np.array([-20, -15, -10.5, -9, -1.5, 1.5, 9, 10.5, 15, 19.5])
    records = np.column_stack([100 + offsets, np.full(10, 0.5)])
    moved = OverlayBlurring(*line).release(records)[:, 0] - records[:, 0]
    np.testing.assert_allclose(moved, -10 * np.sign(offsets))
    change = np.abs(SliceBlurring(*line).release(records)[:, 0] - records[:, 0])
    least = np.maximum(0, np.abs(offsets) - 10)
    assert (change >= least).all()
    assert (change <= least + 1).all()  # a slice has a thickness of 1


@pytest.mark.parametrize("thickness", [0, -0.1, 0.51, math.nan])
def test_a_thickness_out_of_its_range_is_refused(thickness):
    with pytest.raises(ConfigError, match=r"above 0 and at most 0\.5"):
        SliceBlurring(BMI, BOX, 1, thickness=thickness)
