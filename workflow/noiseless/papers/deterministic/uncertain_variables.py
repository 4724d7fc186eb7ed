"""Uncertain variables (``deterministic``, Section II.A): unrelated ones, and several reports.

:func:`build_uncertain_variables_table` tries the statements after Definition II.1 on all joint
ranges of two or three variables with few values.
"""

import itertools
import math
from collections.abc import Iterator, Sequence

from noiseless.tables import Rows, returns_table
from noiseless.theory.enumeration import StatementCounts, StatementSides

Outcome = tuple[int, ...]
JointRange = frozenset[Outcome]

_PAIRS = ((2, 2), (2, 3), (3, 3), (2, 4), (3, 4))
_TRIPLES = ((2, 2, 2), (3, 2, 2), (2, 3, 2), (2, 2, 3))


@returns_table("statement", "universe")
def build_uncertain_variables_table() -> Rows:
    """Build the table of the joint ranges that contradict each statement of Section II.A.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`.  Statements:

        - ``unrelated, then ranges``: where X1 and X2 are unrelated, [X1|x2] = [X1] for all x2;
          ``ranges, then unrelated`` the reverse, and ``other ranges``: [X1|x2] = [X1] for all x2
          if and only if [X2|x1] = [X2] for all x1.
        - ``... given y``: the statement of that name for X1 and X2, conditional on Y.
        - ``intersection``: [X|y1,y2] is in the intersection of [X|y1] and [X|y2]; a case is a
          report (y1, y2), and its numbers are the sizes of their union and of the intersection.
        - ``equality, if unrelated``: where Y1 and Y2 are unrelated conditional on X, the sizes of
          union and intersection of the two sets are the same; ``equality, always`` without that.
    """
    tallies = StatementCounts()
    for sizes in (*_PAIRS, *_TRIPLES):
        universe = f"all {' x '.join(map(str, sizes))} joint ranges"
        tallies.count(
            _enumerate_pair_facts(sizes) if len(sizes) == 2 else _enumerate_triple_facts(sizes),
            universe,
        )
    yield from tallies.iterate_rows()


def _enumerate_pair_facts(sizes: Sequence[int]) -> StatementSides:
    """Yield the statements about two variables for all joint ranges of these sizes."""
    for pairs in enumerate_joint_ranges(sizes):
        unrelated, first, second = (
            is_unrelated(pairs),
            _is_range_unchanged(pairs, 0),
            _is_range_unchanged(pairs, 1),
        )
        yield "unrelated, then ranges", unrelated, first
        yield "ranges, then unrelated", first, unrelated
        yield "other ranges", first, second
        yield "other ranges", second, first


def _enumerate_triple_facts(sizes: Sequence[int]) -> StatementSides:
    """Yield the statements about three variables, of which the first is the condition, or X."""
    for triples in enumerate_joint_ranges(sizes):
        by_first = [
            frozenset((b, c) for a, b, c in triples if a == y)
            for y in compute_marginal_range(triples, 0)
        ]
        unrelated = all(map(is_unrelated, by_first))
        ranges = all(_is_range_unchanged(pairs, 0) for pairs in by_first)
        yield "unrelated given y, then ranges", unrelated, ranges
        yield "ranges given y, then unrelated", ranges, unrelated
        for y1, y2 in {(b, c) for _, b, c in triples}:
            joint = {a for a, b, c in triples if (b, c) == (y1, y2)}
            intersection = compute_conditional_range(triples, 1, y1, 0) & compute_conditional_range(
                triples, 2, y2, 0
            )
            sizes_of_both = len(joint | intersection), len(joint & intersection)
            yield "intersection", sizes_of_both[0], len(intersection)
            if unrelated:
                yield "equality, if unrelated", *sizes_of_both
            yield "equality, always", *sizes_of_both


def _is_range_unchanged(pairs: JointRange, place: int) -> bool:
    """Return whether no value of the other variable changes the range of variable ``place``."""
    other = 1 - place
    return all(
        compute_conditional_range(pairs, other, value, place)
        == compute_marginal_range(pairs, place)
        for value in compute_marginal_range(pairs, other)
    )


def enumerate_joint_ranges(sizes: Sequence[int]) -> Iterator[JointRange]:
    """Yield every joint range of variables with these numbers of values, all of them used."""
    outcomes = list(itertools.product(*map(range, sizes)))
    for bits in reversed(range(1, 1 << len(outcomes))):  # the product of all values first
        chosen = frozenset(each for k, each in enumerate(outcomes) if bits >> k & 1)
        if all(len(compute_marginal_range(chosen, k)) == size for k, size in enumerate(sizes)):
            yield chosen


def compute_marginal_range(outcomes: JointRange, place: int) -> frozenset[int]:
    """Return the marginal range of the variable at an index of the outcomes."""
    return frozenset(outcome[place] for outcome in outcomes)


def compute_conditional_range(
    outcomes: JointRange, place: int, value: int, of: int
) -> frozenset[int]:
    """Return the range of the variable at index ``of`` if that at index ``place`` has a value."""
    return frozenset(outcome[of] for outcome in outcomes if outcome[place] == value)


def is_unrelated(outcomes: JointRange) -> bool:
    """Return whether the joint range is the product of the marginal ranges (Definition II.1)."""
    places = range(len(next(iter(outcomes))))
    return len(outcomes) == math.prod(
        len(compute_marginal_range(outcomes, place)) for place in places
    )
