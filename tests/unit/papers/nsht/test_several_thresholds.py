"""Two thresholds: people by hand, and the search by plain loops over all partitions."""

import itertools

import numpy as np
import pytest

from bodies import survey
from noiseless.papers.nsht import several_thresholds
from wide_table import wide


def test_who_is_undecided_is_found_for_a_release_that_is_known():
    """Everybody within 2 of 0 is reported at their distance from it, as a fold does."""
    x = np.array([-3.0, -1.0, 0.5, 1.5, 2.5])

    def fold(x, lower, upper):
        return np.where(np.abs(x) < 2, np.abs(x), x)[None] + 0.0 * lower

    zero, one = np.zeros(5), np.ones(5)
    about_zero, about_one = several_thresholds.find_undecided_sides(x, zero, one, fold, 2.0)
    # -3 has no twin; -1 and 1, 0.5 and -0.5, 1.5 and -1.5; 1 is not below the threshold of 1.
    assert about_zero.tolist() == [False, True, True, True, False]
    assert about_one.tolist() == [False, True, False, True, False]


def partitions(records):
    """All partitions of a few records, without looking at spans."""
    if not records:
        yield []
        return
    first, *others = records
    for more in partitions(others):
        yield [[first], *more]
        for place in range(len(more)):
            yield [*more[:place], [first, *more[place]], *more[place + 1 :]]


def test_the_search_counts_what_plain_loops_count():
    points, span = 7, 2
    releases = [
        parts
        for parts in partitions(list(range(points)))
        if all(max(part) - min(part) <= span for part in parts)
    ]
    found = wide(
        several_thresholds.build_search_table(lattices=[(points, span)]), ["points", "span"]
    )
    row = found.loc[(points, span)]
    assert row["releases"] == len(releases)
    pairs = list(itertools.combinations(range(1, points), 2))
    assert row["pairs"] == len(pairs)

    def undecided(parts, cut):
        return {x for part in parts if min(part) < cut <= max(part) for x in part}

    for lower, upper in pairs:
        near = {
            cut: {x for x in range(points) if cut - span <= x < cut + span}
            for cut in (lower, upper)
        }
        both = near[lower] & near[upper] if upper - lower < span else set()
        sums, attained = [], False
        for parts in releases:
            first, second = undecided(parts, lower), undecided(parts, upper)
            assert first <= near[lower]
            assert second <= near[upper]
            assert first & second <= both
            attained |= first & second == both
            sums.append(len(first) + len(second))
        assert attained
        if span <= lower and upper + span <= points:
            lost = 2 if upper - lower < span else max(0, 2 * span - (upper - lower))
            assert max(sums) == 4 * span - lost
    assert row[["above_bound", "both_short", "sum_off"]].tolist() == [0, 0, 0]


def test_people_near_two_thresholds_are_those_counted_by_hand():
    """At 200 cm overweight begins at 100 kg, obesity at 120 kg: 2 steps of 10 kg apart."""
    people = wide(
        several_thresholds.build_people_table(survey([75, 85, 105, 109, 111, 115, 135, 145])),
        ["releases", "largest_change_kg"],
    )
    joint = people.loc[("joint", 10)]
    # Up to the middle, 110 kg, about overweight, from there on about obesity.
    assert joint["undecided_overweight"] == 3
    assert joint["undecided_obese"] == 3
    assert joint["undecided_both"] == 0
    assert joint["bound_overweight"] == 5
    assert joint["bound_obese"] == 5
    independent = people.loc[("independent", 10)]
    assert independent[["undecided_overweight", "undecided_obese"]].tolist() == [0, 0]
    assert people["without_room"].eq(0).all()
    assert (people["change_beyond_accuracy_kg"] <= 1e-9).all()


@pytest.mark.slow
def test_lines_are_what_the_theorem_says():
    lines = wide(several_thresholds.build_lines_table(), ["releases", "distance"])
    joint = lines.loc["joint"]
    assert joint["outside_bound"].eq(0).all()
    assert joint["sum_minus_attained"].abs().max() < 0.06
    independent = lines.loc["independent"]
    # Both reports are shifted by r where both move: what is left is 4 - 2 delta, of both at once.
    for distance in (0.25, 0.5, 1, 1.5, 1.9):
        left = independent.loc[distance, "undecided_both"]
        assert left == pytest.approx(4 - 2 * distance, abs=0.06)
