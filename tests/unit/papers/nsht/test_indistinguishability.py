"""Indistinguishable data: linear queries, and averages on a lattice."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from enumerations import QUERIES, sums_by_statement
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


def test_theorem_5_holds_with_room_to_spare():
    table = indistinguishability.build_linear_queries_table(**QUERIES)
    for part in (table, table[table["universe"].str.contains("random")]):
        counts = sums_by_statement(part).reindex(["printed", "next"])
        assert (counts["violations"] == 0).all()
        assert (counts["equalities"] == 0).all()
        assert (counts["violations_if_halved"] > 0).all()


def test_appendix_14_is_tight_and_its_search_agrees_with_the_count():
    counts = sums_by_statement(indistinguishability.build_linear_queries_table(**QUERIES))
    for statement in ("Appendix 14", "the count, by search"):
        assert counts.loc[statement, "violations"] == 0
        assert counts.loc[statement, "equalities"] > 0
    # With one level nothing differs; with two, a person with half of the range gives the output a
    # length of one bin, which begins below the edge, in both bins, or on it, in the upper one.
    assert set(
        indistinguishability._search_differing_reports(levels=1, part=1, parts=2).values()
    ) == {0}
    assert indistinguishability._search_differing_reports(levels=2, part=1, parts=2) == {
        Fraction(k, 4): 0 if k == 0 else 1 for k in range(5)
    }


def test_a_count_that_is_off_by_one_is_caught(monkeypatch):
    count = indistinguishability.count_differing_reports
    monkeypatch.setattr(indistinguishability, "count_differing_reports", lambda *a: count(*a) + 1)
    found = sums_by_statement(indistinguishability.build_linear_queries_table(**QUERIES))
    assert found.loc["printed", "violations"] == 0
    assert found.loc["the count, by search", "violations"] > 0


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
