"""Finite uncertain variables, against plain definitions."""

from fractions import Fraction

import pytest
from hypothesis import given

from noiseless.theory.finite import Relation, label_taxicab_parts
from strategies import pairs


@given(pairs)
def test_ranges_and_information_follow_their_definitions(joint):
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
def test_partitions_are_those_of_walks_from_every_point(joint):
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


def test_partition_of_many_pairs_takes_time_in_proportion_to_them():
    """Chains of ten pairs that share an x and a y in turn; a quadratic search would take hours."""
    chains, links = 5_000, 10
    pairs = frozenset(
        (chain * links + (step + 1) // 2, chain * links + step // 2)
        for chain in range(chains)
        for step in range(links)
    )
    relation = Relation(pairs)
    assert relation.maximin_count == chains
    assert {len(part) for part in relation.taxicab_partition} == {links}
    assert len(relation.overlap_partition) == chains


@given(pairs)
def test_labels_of_arrays_are_the_taxicab_partition(joint):
    listed = sorted(joint, key=repr)
    labels = label_taxicab_parts(*(list(map(repr, side)) for side in zip(*listed, strict=True)))
    parts: dict[int, set] = {}
    for pair, label in zip(listed, labels.tolist(), strict=True):
        parts.setdefault(label, set()).add(pair)
    assert set(parts) == set(range(len(parts)))
    assert set(map(frozenset, parts.values())) == Relation(joint).taxicab_partition


def test_joint_range_from_outcomes_and_an_empty_one():
    assert Relation.from_outcomes("aab", "xyx").pairs == {("a", "x"), ("a", "y"), ("b", "x")}
    with pytest.raises(ValueError, match="at least one pair"):
        Relation.from_outcomes("", "")


def test_each_outcome_has_both_values():
    with pytest.raises(ValueError, match="shorter"):
        Relation.from_outcomes([1, 2, 3], [1, 2])
