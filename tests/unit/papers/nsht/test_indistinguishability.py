"""Quantized averages on a lattice."""

import itertools
import math

import numpy as np
import pytest

from noiseless.papers.nsht import indistinguishability


def test_a_pair_of_levels_that_is_too_fine_is_caught(monkeypatch):
    levels = indistinguishability.compute_indistinguishable_levels
    monkeypatch.setattr(
        indistinguishability, "compute_indistinguishable_levels", lambda e, n: levels(e, n) + 1
    )
    table = indistinguishability.build_indistinguishability_table(
        people=[2, 5], epsilon_bits=[1, 2, 3]
    )
    assert (table.loc[table["statistic"] == "excess_exact", "value"] == 1).all()


def test_the_leakage_of_the_average_agrees_with_counted_data_sets():
    """Data on a lattice of 40 points a person: shares of data sets in the lowest bin."""
    table = indistinguishability.build_indistinguishability_table(
        people=[2, 3], epsilon_bits=[1, 2, 3]
    )
    wide = table.pivot(index=["people", "epsilon_bits"], columns="statistic", values="value")
    for n, epsilon_bits in itertools.product((2, 3), (1, 2, 3)):
        axis = (np.arange(60) + 0.5) / 60
        sums = sum(np.meshgrid(*[axis] * n))
        levels = int(wide.loc[(n, epsilon_bits), "levels_printed"])
        share = (sums <= n / levels).mean()
        found = wide.loc[(n, epsilon_bits), "leakage_nats"]
        assert found == pytest.approx(-math.log(share), abs=0.06)
    assert (wide.loc[(2, 1), ["leakage_nats", "leakage_of_one_nats"]] == 0).all()
