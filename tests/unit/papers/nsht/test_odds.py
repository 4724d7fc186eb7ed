"""Odds against change: people by hand, counts of a few records, and lattices by enumeration."""

import itertools

import numpy as np
import pytest

from bodies import survey
from noiseless.mechanisms.policies.odds import compute_min_mean_change
from noiseless.papers.nsht import odds
from wide_table import wide


@pytest.fixture(scope="module")
def table():
    return wide(odds.build_odds_table(), ["policy", "setting"])


def test_the_numbers_that_are_known_by_hand(table):
    # Half of the band moves by 10 kg, the rest is squeezed from 20 into 10.
    assert table.loc[("collapse", 1), "mean_change_kg"] == pytest.approx(5, abs=1e-4)
    assert table.loc[("overlay", 1), "mean_change_kg"] == pytest.approx(10, abs=1e-4)
    # M = r (1/4 + (kappa + 3)/(kappa + 1)^2) from 3 : 1 on, r (3 kappa + 1)/(kappa + 1)^2 below.
    for kappa, least in ((2, 70 / 9), (3, 25 / 4), (5, 85 / 18), (9, 37 / 10), (99, 1301 / 500)):
        row = table.loc[("odds", kappa)]
        assert row["mean_change_kg"] == pytest.approx(least, abs=1e-3)
        assert row["worst_odds"] == pytest.approx(kappa, rel=0.02)
    # Slices of t: 61/200 of 10 kg at t = 1/10.
    assert table.loc[("slices", 0.1), "mean_change_kg"] == pytest.approx(3.05, abs=1e-3)
    for thickness in odds.THICKNESSES:
        exact = (1 - thickness**2) / thickness**2
        assert table.loc[("slices", thickness), "worst_odds"] == pytest.approx(exact, rel=0.02)


def test_odds_are_counted_from_reports():
    reports = np.array([0.5, 0.5, 0.5, 0.5, -0.5, -0.5])
    is_p0 = np.array([True, True, True, False, True, False])
    assert odds.compute_worst_odds(reports, is_p0, 1.0) == 3
    assert odds.compute_worst_odds(reports, ~is_p0, 1.0) == 3
    assert odds.compute_worst_odds(np.array([1.0, 0.0]), np.array([True, False]), 1.0) == np.inf


def groupings(records, span):
    """All partitions into groups of at most a span, ascending."""
    if not records:
        yield []
        return
    first, *others = records
    near = [each for each in others if each - first <= span]
    for size in range(len(near) + 1):
        for group in itertools.combinations(near, size):
            rest = [each for each in others if each not in group]
            for more in groupings(rest, span):
                yield [(first, *group), *more]


@pytest.mark.parametrize(("kappa", "count"), [(1, 2), (2, 2), (3, 2), (2, 4)])
def test_no_deterministic_grouping_of_cells_is_below_the_programme(kappa, count):
    """All ways to give cells one report each: a median that all are near enough to."""
    protected = 2 * count if count == 2 else count
    largest = count
    records = [*range(-protected, protected)]  # a cell begins there
    best = np.inf
    for groups in groupings(records, 2 * largest):
        total = 0
        for group in groups:
            above = sum(each >= 0 for each in group)
            below = len(group) - above
            if max(above, below) > kappa * min(above, below):
                break
            places = np.arange(group[-1] - largest, group[0] + largest + 0.25, 0.5)
            total += np.abs(np.array(group)[:, None] - places).sum(axis=0).min()
        else:
            best = min(best, total / len(records) / largest)
    assert odds._minimize_mean_change(kappa, protected, count) <= best + 1e-9
    least = compute_min_mean_change(kappa, protected=protected / largest, largest=1)
    assert best >= least - 1e-9


def test_people_are_changed_as_computed_by_hand():
    """At 200 cm the threshold is 120 kg; weights at 0, 5 and 12 above, 5 and 25 below it."""
    people = wide(odds.build_people_table(survey([120, 125, 132, 115, 95])), ["policy", "setting"])
    assert (people["people"] == 5).all()
    changes = {
        ("collapse", 1): [0, 5, 0, 5, 0],
        ("overlay", 1): [10, 10, 10, 10, 0],
        # Odds of 3 : 1: slices of 5 cross by 10, those from 5 on are squeezed into 5 to 10.
        ("odds", 3): [10, 0, 14 / 3, 10, 0],
        # The band of 10: slices of 2.5 cross, stretched; the others stay.
        ("odds_narrow", 3): [10, 0, 0, 0, 0],
    }
    for cell, expected in changes.items():
        assert people.loc[cell, "mean_change_kg"] == pytest.approx(np.mean(expected)), cell
    assert people.loc[("odds", 9), "undecided"] == 4
    assert people.loc[("odds_narrow", 9), "undecided"] == 3
