"""Sentences between the theorems, by hand."""

import itertools
import math

import numpy as np
import pytest

from noiseless.papers.nsht.sentences import build_sentences_table
from wide_table import wide


@pytest.fixture(scope="module")
def table():
    return build_sentences_table()


def of(table, sentence):
    part = table[table["sentence"] == sentence].drop(columns="sentence")
    return wide(part, ["at"])


def test_the_printed_policy_changes_twice_what_is_printed(table):
    widths = of(table, "width")
    assert list(widths.index) == [0.05, 0.1, 0.2, 1.0]
    np.testing.assert_allclose(widths["width_times_rho"], 2, atol=1e-9)
    np.testing.assert_allclose(widths[["above_times_rho", "below_times_rho"]], 1, atol=1e-9)


def test_rates_are_those_of_sums_of_larger_weights(table):
    """Of two densities the best test is right with a probability of half the sum of the larger."""
    densities = [
        np.array(each) / sum(each) for each in itertools.product((0, 1, 2), repeat=4) if any(each)
    ]
    least = dict.fromkeys(np.arange(5) / 4, math.inf)
    certain = dict(least)
    for p0, p1 in itertools.product(densities, repeat=2):
        apart = ((p0 > 0) != (p1 > 0)).mean()
        least[apart] = min(least[apart], np.maximum(p0, p1).sum() / 2)
        certain[apart] = min(certain[apart], p1[p0 == 0].sum())
    rates = of(table, "rate")
    assert rates["pairs"].sum() == len(densities) ** 2
    np.testing.assert_allclose(rates["best_success"], list(least.values()))
    np.testing.assert_allclose(rates["best_rate_without_false_alarm"], list(certain.values()))
    assert (rates["best_true_positive_rate"] == 1).all()
    # Theorem 3, with a density of 1/2 or more where it is not zero.
    assert (rates["best_success"] >= rates.index / 4).all()


def test_nothing_is_most_private_for_numbers_of_reports_and_no_number_for_lengths(table):
    discrete = of(table, "nothing, discrete")
    # Two outcomes, both hypotheses, one report or two; of these only one report is private.
    assert discrete.loc[2].to_dict() == {
        **{"policies": 4, "less_private_than_nothing": 2},
        **{"more_private_than_nothing": 0, "decided_by_nothing": 0},
    }
    assert (discrete["more_private_than_nothing"] == 0).all()
    continuous = of(table, "nothing, continuous")
    assert (continuous["nothing_is_as_private"] == 0).all()
    assert list(continuous["decided_above_other_share"]) == [-0.75, -0.5, -0.25]


def test_one_point_of_example_2_is_not_a_report_of_p1(table):
    grids = of(table, "interval")
    assert (grids["off_p1"] == 1).all()
    assert (grids[["off_p0", "off_half_open", "off_cm"]] == 0).all(axis=None)
    assert list(grids["reports"]) == [170 * per_cm + 1 for per_cm in (1, 2, 4, 8)]
