"""Unrelated variables and several reports, by hand and by another definition."""

import itertools

from noiseless.papers.deterministic import uncertain_variables
from noiseless.theory.finite import Relation


def test_only_equality_without_the_condition_is_broken():
    """As often as section_2.sec2a_intersection says."""
    broken = cases = 0
    for sizes in ((2, 2, 2), (3, 2, 2), (2, 3, 2), (2, 2, 3)):
        for triples in uncertain_variables.enumerate_joint_ranges(sizes):
            for y1, y2 in {each[1:] for each in triples}:
                joint, one, two = (
                    {a for a, b, c in triples if (b in of1) and (c in of2)}
                    for of1, of2 in (({y1}, {y2}), ({y1}, range(3)), (range(3), {y2}))
                )
                assert joint <= one & two
                broken += joint != one & two
                cases += 1
    assert (broken, cases) == (12416, 44236)


def test_joint_ranges_are_all_relations():
    """As many as there are relations, whose conditional ranges are the same."""
    for pairs in uncertain_variables.enumerate_joint_ranges((2, 3)):
        relation = Relation(pairs)
        for x2 in range(3):
            found = uncertain_variables.compute_conditional_range(pairs, 1, x2, 0)
            assert found == relation.x_given_y[x2]
    # Each of 3 columns is 1 of 3 that are not empty; less those with an empty row, 2 of them.
    assert sum(1 for _ in uncertain_variables.enumerate_joint_ranges((2, 3))) == 3**3 - 2


def test_two_reports_tell_what_neither_alone_tells():
    """X is 0 or 1; either report alone allows both, and together they tell X."""
    triples = frozenset({(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)})
    given = uncertain_variables.compute_conditional_range
    assert given(triples, 1, 0, 0) == given(triples, 2, 0, 0) == {0, 1}
    assert {a for a, b, c in triples if (b, c) == (0, 0)} == {0}
    by_x = [frozenset((b, c) for a, b, c in triples if a == x) for x in (0, 1)]
    assert not any(map(uncertain_variables.is_unrelated, by_x))
    product = frozenset(itertools.product((0, 1), repeat=3))
    assert uncertain_variables.is_unrelated(product)
