"""Uncertain variables (``deterministic``, Section II.A): unrelated ones, and several reports.

:func:`uncertain_variables_table` tries the sentences after Definition II.1 on all joint ranges of
two or three variables with few values.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence

from noiseless.tables import Rows, as_table
from noiseless.theory.enumeration import Cases, Tallies

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
    for sizes in _PAIRS:
        universe = f"all {sizes[0]} x {sizes[1]} joint ranges"
        names = ("unrelated, then ranges", "ranges, then unrelated", "other ranges")
        cases: list[Cases] = [Counter() for _ in names]
        for pairs in joint_ranges(sizes):
            whole = is_unrelated(pairs)
            first = all(given(pairs, 1, x2, 0) == values(pairs, 0) for x2 in values(pairs, 1))
            second = all(given(pairs, 0, x1, 1) == values(pairs, 1) for x1 in values(pairs, 0))
            for counter, (if_, then) in zip(
                cases, ((whole, first), (first, whole), (first, second)), strict=True
            ):
                counter[int(if_), int(then)] += 1
            cases[-1][int(second), int(first)] += 1
        tallies.put(universe, dict(zip(names, cases, strict=True)))
    for of_three in _TRIPLES:
        universe = f"all {' x '.join(map(str, of_three))} joint ranges"
        tallies.put(universe, _of_triples(of_three))
    yield from tallies.rows()


def _of_triples(sizes: Sequence[int]) -> dict[str, Cases]:
    """Sentences about three variables, of which the first is the condition, or X."""
    cases: dict[str, Cases] = {
        "unrelated given y, then ranges": Counter(),
        "ranges given y, then unrelated": Counter(),
        "intersection": Counter(),
        "equality, if unrelated": Counter(),
        "equality, always": Counter(),
    }
    for triples in joint_ranges(sizes):
        by_first = {
            y: frozenset((b, c) for a, b, c in triples if a == y) for y in values(triples, 0)
        }
        unrelated = all(map(is_unrelated, by_first.values()))
        ranges = all(
            given(pairs, 1, x2, 0) == values(pairs, 0)
            for pairs in by_first.values()
            for x2 in values(pairs, 1)
        )
        cases["unrelated given y, then ranges"][int(unrelated), int(ranges)] += 1
        cases["ranges given y, then unrelated"][int(ranges), int(unrelated)] += 1
        for y1, y2 in {(b, c) for _, b, c in triples}:
            together = {a for a, b, c in triples if (b, c) == (y1, y2)}
            apart = given(triples, 1, y1, 0) & given(triples, 2, y2, 0)
            sizes_of = len(together | apart), len(together & apart)
            cases["intersection"][sizes_of[0], len(apart)] += 1
            cases["equality, always"][sizes_of] += 1
            if unrelated:
                cases["equality, if unrelated"][sizes_of] += 1
    return cases


def joint_ranges(sizes: Sequence[int]) -> Iterator[JointRange]:
    """Every joint range of variables with these numbers of values, none of them unused."""
    outcomes = list(itertools.product(*map(range, sizes)))
    for bits in range(1, 1 << len(outcomes)):
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
