"""Uncertain variables (``deterministic``, Section II.A): unrelated ones, and several reports.

:func:`uncertain_variables_table` tries the sentences after Definition II.1 on all joint ranges of
two or three variables with few values.
"""

import itertools
import math
from collections.abc import Iterator, Sequence

from noiseless.tables import Rows, as_table
from noiseless.theory.enumeration import Facts, Tallies

Outcome = tuple[int, ...]
JointRange = frozenset[Outcome]

_PAIRS = ((2, 2), (2, 3), (3, 3), (2, 4), (3, 4))
_TRIPLES = ((2, 2, 2), (3, 2, 2), (2, 3, 2), (2, 2, 3))


@as_table("statement", "universe")
def uncertain_variables_table() -> Rows:
    """Count the joint ranges that break each sentence.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.tally`.  Statements:

        - ``unrelated, then ranges``: where X1 and X2 are unrelated, [X1|x2] = [X1] for all x2;
          ``ranges, then unrelated`` the reverse, and ``other ranges`` the same with the variables
          exchanged, both ways.
        - ``... given y``: the same of X1 and X2, conditional on Y.
        - ``intersection``: [X|y1,y2] is in the intersection of [X|y1] and [X|y2]; a case is a
          report (y1, y2), and its numbers are the sizes of their union and of the intersection.
        - ``equality, if unrelated``: where Y1 and Y2 are unrelated conditional on X, the sizes of
          union and intersection of the two sets are the same; ``equality, always`` without that.
    """
    tallies = Tallies()
    for sizes in (*_PAIRS, *_TRIPLES):
        universe = f"all {' x '.join(map(str, sizes))} joint ranges"
        tallies.count(_of_pairs(sizes) if len(sizes) == 2 else _of_triples(sizes), universe)
    yield from tallies.rows()


def _of_pairs(sizes: Sequence[int]) -> Facts:
    """Sentences about two variables."""
    for pairs in joint_ranges(sizes):
        unrelated, first, second = is_unrelated(pairs), _keeps(pairs, 0), _keeps(pairs, 1)
        yield "unrelated, then ranges", unrelated, first
        yield "ranges, then unrelated", first, unrelated
        yield "other ranges", first, second
        yield "other ranges", second, first


def _of_triples(sizes: Sequence[int]) -> Facts:
    """Sentences about three variables, of which the first is the condition, or X."""
    for triples in joint_ranges(sizes):
        by_first = [frozenset((b, c) for a, b, c in triples if a == y) for y in values(triples, 0)]
        unrelated = all(map(is_unrelated, by_first))
        ranges = all(_keeps(pairs, 0) for pairs in by_first)
        yield "unrelated given y, then ranges", unrelated, ranges
        yield "ranges given y, then unrelated", ranges, unrelated
        for y1, y2 in {(b, c) for _, b, c in triples}:
            together = {a for a, b, c in triples if (b, c) == (y1, y2)}
            apart = given(triples, 1, y1, 0) & given(triples, 2, y2, 0)
            both = len(together | apart), len(together & apart)
            yield "intersection", both[0], len(apart)
            if unrelated:
                yield "equality, if unrelated", *both
            yield "equality, always", *both


def _keeps(pairs: JointRange, place: int) -> bool:
    """Whether no value of the other variable changes the range of the one at a place."""
    other = 1 - place
    return all(
        given(pairs, other, value, place) == values(pairs, place) for value in values(pairs, other)
    )


def joint_ranges(sizes: Sequence[int]) -> Iterator[JointRange]:
    """Every joint range of variables with these numbers of values, none of them unused."""
    outcomes = list(itertools.product(*map(range, sizes)))
    for bits in reversed(range(1, 1 << len(outcomes))):  # the product of all values first
        chosen = frozenset(each for k, each in enumerate(outcomes) if bits >> k & 1)
        if all(len(values(chosen, k)) == size for k, size in enumerate(sizes)):
            yield chosen


def values(outcomes: JointRange, place: int) -> frozenset[int]:
    """Marginal range of the variable at a place."""
    return frozenset(outcome[place] for outcome in outcomes)


def given(outcomes: JointRange, place: int, value: int, of: int) -> frozenset[int]:
    """Conditional range of the variable at the place ``of``."""
    return frozenset(outcome[of] for outcome in outcomes if outcome[place] == value)


def is_unrelated(outcomes: JointRange) -> bool:
    """Definition II.1: the joint range is the product of the marginal ones."""
    places = range(len(next(iter(outcomes))))
    return len(outcomes) == math.prod(len(values(outcomes, place)) for place in places)
