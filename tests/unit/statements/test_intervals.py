"""Intervals that are widened so that many hold together: their coverage, by exact enumeration."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from noiseless.statements.intervals import ALPHA, compute_widening, widen_interval


def worst_miss(trials, ratio):
    """The largest chance, over proportions, that the widened interval of 95 % misses."""
    counts = np.arange(trials + 1)
    found = [binomtest(int(k), trials).proportion_ci(0.95, method="wilson") for k in counts]
    ends = np.array(
        [
            widen_interval(k / trials, each.low, each.high, ratio)
            for k, each in zip(counts, found, strict=True)
        ]
    )
    shares = np.geomspace(1e-5, 0.5, 150)  # the other half is its mirror image
    outside = (ends[:, :1] > shares) | (ends[:, 1:] < shares)
    return (binom.pmf(counts[:, None], trials, shares) * outside).sum(axis=0).max()


@pytest.mark.slow
@pytest.mark.parametrize("trials", [50, 400, 2000])
@pytest.mark.parametrize("comparisons", [20, 200, 600])
def test_proportions_miss_no_more_often_than_they_may(trials, comparisons):
    worst = worst_miss(trials, compute_widening(comparisons, 0.95))
    assert worst <= 1.1 * ALPHA / comparisons


def test_few_comparisons_miss_as_wilson_does():
    # Wilson's interval of 95 % itself misses in 16 % of cases at its worst proportion.
    assert worst_miss(400, 1.0) == pytest.approx(0.16, abs=0.005)
    assert worst_miss(400, compute_widening(2, 0.95)) <= 2.3 * ALPHA / 2


def test_a_plain_ratio_would_miss_too_often_near_the_ends():
    """The reason for the second way: one hit of none expected lies above the plain upper end."""
    trials, comparisons = 50, 600
    ratio = compute_widening(comparisons, 0.95)
    none = binomtest(0, trials).proportion_ci(0.95, method="wilson")
    plain = ratio * none.high
    assert widen_interval(0.0, none.low, none.high, ratio)[1] > 1.5 * plain
    assert binom.pmf(0, trials, plain * 1.001) > ALPHA / comparisons


def test_the_widening_is_a_ratio_of_normal_quantiles():
    assert compute_widening(1, 0.95) == pytest.approx(1, abs=1e-12)
    assert compute_widening(10, 0.95) == pytest.approx(2.8070 / 1.9600, abs=1e-4)
    assert compute_widening(1, 0.99) == 1  # wide enough already
    assert compute_widening(10, 0.99) == pytest.approx(2.8070 / 2.5758, abs=1e-4)


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1), st.floats(1, 3, exclude_min=True))
def test_widened_holds_what_it_was(value, below, above, ratio):
    low, high = widen_interval(value, value - below, value + above, ratio)
    assert low <= value - below + 1e-12
    assert high >= value + above - 1e-12
    if below == above:
        assert high - low == pytest.approx(2 * ratio * below, abs=1e-9)


def test_interval_beside_its_value_grows_about_its_middle():
    assert widen_interval(0.0, 1.0, 3.0, 2.0) == (0.0, 4.0)
    assert widen_interval(0.0, -math.inf, 3.0, 2.0) == (-math.inf, 3.0)
