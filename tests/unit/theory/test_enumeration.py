"""Universes of maps and relations, and tallies of statements about them."""

import itertools
import math
from fractions import Fraction

import pytest

from noiseless.theory.enumeration import (
    StatementCounts,
    count_violations,
    enumerate_channels,
    enumerate_compositions,
    enumerate_maps,
    enumerate_relations,
    rename_values,
)


def test_universes_are_complete():
    bell = [1, 1, 2, 5, 15, 52, 203]
    for size in range(1, 7):
        maps = list(enumerate_maps(size))
        assert len(maps) == len(set(maps)) == bell[size]
    assert {rename_values(values) for values in itertools.product("abc", repeat=3)} == set(
        enumerate_maps(3)
    )
    # Relations that use every x and every y, by inclusion and exclusion.
    for xs, ys in ((2, 2), (2, 3), (3, 3)):
        expected = sum(
            (-1) ** (i + j) * math.comb(xs, i) * math.comb(ys, j) * 2 ** ((xs - i) * (ys - j))
            for i in range(xs + 1)
            for j in range(ys + 1)
        )
        assert len(list(enumerate_relations(xs, ys))) == expected


def test_tally_counts_and_can_fail():
    counts = count_violations(iter([(1, 2), (2, 2), (3, 2), (Fraction(1, 2), 1)]))
    assert counts == {
        "cases": 4,
        "violations": 1,
        "equalities": 1,
        "violations_if_halved": 2,
        "violations_if_one_less": 3,
    }
    assert count_violations({(3, 2): 5})["violations"] == 5


def test_equalities_of_sizes_that_tell_something():
    tallies = StatementCounts()
    tallies.count([("s", 1, 1), ("s", 2, 2), ("s", 2, 3)], "u", times=2)
    (row,) = tallies.iterate_rows(above_1=True)
    assert (row["equalities"], row["equalities_above_1"]) == (4, 2)
    (row,) = tallies.iterate_rows()
    assert "equalities_above_1" not in row


def test_tallies_name_their_rows_and_keep_their_order():
    tallies = StatementCounts()
    tallies.count([("b", 1, 2)], "small", times=3)
    tallies.count([("a", 2, 1), ("c", 1, 1), ("a", 2, 1)], "large")
    tallies.count(iter([("b", 3, 2)]), "small")
    rows = list(tallies.iterate_rows())
    named = [("b", "small"), ("a", "large"), ("c", "large")]
    assert [(row["statement"], row["universe"]) for row in rows] == named
    assert [(row["cases"], row["violations"]) for row in rows] == [(4, 1), (2, 2), (1, 0)]
    assert [row["violations_if_one_less"] for row in rows] == [1, 2, 1]
    first, *_ = tallies.iterate_rows("theorem", "people", whole=False)
    assert first.keys() == {"theorem", "people", *rows[0]} - {
        "statement",
        "universe",
        "violations_if_one_less",
    }
    with pytest.raises(ValueError, match="zip"):
        list(tallies.iterate_rows("theorem"))


@pytest.mark.parametrize("case", [(0.5, 1), (1, math.inf), (math.nan, 1)])
def test_tally_refuses_floats(case):
    with pytest.raises(TypeError, match="not a statement about exact numbers"):
        count_violations({case: 1})


def test_sums_and_channels_are_complete():
    for total in range(1, 7):
        sums = list(enumerate_compositions(total))
        assert len(sums) == len(set(sums)) == 2 ** (total - 1)
        assert {sum(each) for each in sums} == {total}
    channels = list(enumerate_channels(2, 3, denominator=3))
    assert len(channels) == len(set(channels)) == math.comb(5, 2) ** 2
    assert all(sum(row) == 1 for channel in channels for row in channel)
