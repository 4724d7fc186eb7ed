"""Universes of maps and relations, and tallies of statements about them."""

import itertools
import math
from fractions import Fraction

import pytest

from noiseless.theory.enumeration import all_maps, all_relations, renamed, tally


def test_universes_are_complete():
    bell = [1, 1, 2, 5, 15, 52, 203]
    for size in range(1, 7):
        maps = list(all_maps(size))
        assert len(maps) == len(set(maps)) == bell[size]
    assert {renamed(values) for values in itertools.product("abc", repeat=3)} == set(all_maps(3))
    # Relations that use every x and every y, by inclusion and exclusion.
    for xs, ys in ((2, 2), (2, 3), (3, 3)):
        expected = sum(
            (-1) ** (i + j) * math.comb(xs, i) * math.comb(ys, j) * 2 ** ((xs - i) * (ys - j))
            for i in range(xs + 1)
            for j in range(ys + 1)
        )
        assert len(list(all_relations(xs, ys))) == expected


def test_tally_counts_and_can_fail():
    counts = tally(iter([(1, 2), (2, 2), (3, 2), (Fraction(1, 2), 1)]))
    assert counts == {
        "cases": 4,
        "violations": 1,
        "equalities": 1,
        "violations_if_halved": 2,
        "violations_if_one_less": 3,
    }
    assert tally({(3, 2): 5})["violations"] == 5


@pytest.mark.parametrize("case", [(0.5, 1), (1, math.inf), (math.nan, 1)])
def test_tally_refuses_floats(case):
    with pytest.raises(TypeError, match="not a statement about exact numbers"):
        tally({case: 1})
