"""Finite uncertain variables and small channels, against plain definitions."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.theory.capacity import (
    confusable_inputs,
    largest_code,
    largest_independent_set,
    strong_power,
)
from noiseless.theory.enumeration import all_maps, all_relations, renamed, tally
from noiseless.theory.finite import Relation

pairs = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1)


@given(pairs)
def test_sizes_by_their_definitions(joint):
    relation = Relation(joint)
    xs, ys = {x for x, _ in joint}, {y for _, y in joint}
    conditional = {y: {x for x, other in joint if other == y} for y in ys}
    assert relation.x_given_y == conditional
    assert relation.x_range == xs
    sizes = [len(each) for each in conditional.values()]
    assert relation.information == Fraction(len(xs), max(sizes))
    assert relation.leakage == Fraction(len(xs), min(sizes))
    assert relation.symmetric_leakage == relation.transposed.symmetric_leakage


@given(pairs)
def test_partitions_by_walking_from_every_point(joint):
    """Breadth-first from each pair, and each x: nothing is shared with the code but the words."""

    def reach(start, near):
        found, border = {start}, [start]
        while border:
            point = border.pop()
            for other in near(point) - found:
                found.add(other)
                border.append(other)
        return frozenset(found)

    relation = Relation(joint)
    taxicab = {
        reach(pair, lambda p: {q for q in joint if q[0] == p[0] or q[1] == p[1]}) for pair in joint
    }
    assert relation.taxicab_partition == taxicab
    overlap = {
        reach(x, lambda x: {a for a, y in joint for b, z in joint if z == y and b == x})
        for x in relation.x_range
    }
    assert relation.overlap_partition == overlap
    assert len(overlap) == len(taxicab) == relation.maximin_count


def test_joint_range_from_outcomes_and_an_empty_one():
    assert Relation.of("aab", "xyx").pairs == {("a", "x"), ("a", "y"), ("b", "x")}
    with pytest.raises(ValueError, match="at least one pair"):
        Relation.of("", "")


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


def independent_by_subsets(masks):
    return max(
        size
        for size in range(len(masks) + 1)
        for chosen in itertools.combinations(range(len(masks)), size)
        if all(not masks[a] >> b & 1 for a, b in itertools.combinations(chosen, 2))
    )


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 2 ** (n * n) - 1))))
def test_independent_set_against_all_subsets(graph):
    size, bits = graph
    masks = [1 << i for i in range(size)]
    for k, (a, b) in enumerate(itertools.product(range(size), repeat=2)):
        if bits >> k & 1:
            masks[a] |= 1 << b
            masks[b] |= 1 << a
    assert largest_independent_set(masks) == independent_by_subsets(masks)


def test_pentagon_gains_from_longer_words():
    """Shannon's example: 2 words of one letter, but 5 and not 4 of two."""
    pentagon = Relation(frozenset((x, (x + step) % 5) for x in range(5) for step in (0, 1)))
    assert confusable_inputs(pentagon)[0] == 0b10011
    assert largest_code(pentagon, 1) == 2
    assert largest_code(pentagon, 2) == 5


@given(pairs)
def test_code_by_its_definition(joint):
    """No two words may lead to the same output word (Equation 10)."""
    channel = Relation(joint)
    inputs = sorted(channel.x_range)
    outputs = {x: {y for a, y in joint if a == x} for x in inputs}
    for length in (1, 2) if len(inputs) <= 3 else (1,):
        words = list(itertools.product(inputs, repeat=length))
        confused = [
            sum(
                1 << j
                for j, other in enumerate(words)
                if set(itertools.product(*(outputs[x] for x in word)))
                & set(itertools.product(*(outputs[x] for x in other)))
            )
            for word in words
        ]
        assert strong_power(confusable_inputs(channel), length) == confused
        assert largest_code(channel, length) == independent_by_subsets(confused)
