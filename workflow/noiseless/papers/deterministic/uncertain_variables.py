"""Joint ranges of two or three uncertain variables (``deterministic``, Section II.A)."""

import itertools
import math
from collections.abc import Iterator, Sequence

Outcome = tuple[int, ...]
JointRange = frozenset[Outcome]


def split_by_first(triples: JointRange) -> list[JointRange]:
    """Split a joint range of three variables into those of two, by the values of the first."""
    return [
        frozenset((b, c) for a, b, c in triples if a == value)
        for value in compute_marginal_range(triples, 0)
    ]


def is_range_unchanged(pairs: JointRange, place: int) -> bool:
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
