"""Uncertain variables with finite ranges (Section 2 of all three papers).

All that the theory uses of two uncertain variables is their joint range, a finite set of pairs.
Sizes are integers and ratios are fractions; see :mod:`noiseless.theory` for the logarithms.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


@dataclass(frozen=True)
class Relation:
    """Joint range [X, Y] of two uncertain variables.

    Attributes
    ----------
    pairs : frozenset of (x, y)
        Not empty.

    Raises
    ------
    ValueError
        If there is no pair.
    """

    pairs: frozenset[tuple[Hashable, Hashable]]

    def __post_init__(self) -> None:
        if not self.pairs:
            raise ValueError("a joint range holds at least one pair")

    @classmethod
    def of(cls, xs: Iterable[Hashable], ys: Iterable[Hashable]) -> "Relation":
        """Joint range by its definition, from the values of X and Y at each outcome."""
        return cls(frozenset(zip(xs, ys, strict=True)))

    @property
    def transposed(self) -> "Relation":
        """The joint range [Y, X]."""
        return Relation(frozenset((y, x) for x, y in self.pairs))

    @cached_property
    def x_given_y(self) -> dict[Hashable, frozenset[Hashable]]:
        """Conditional ranges [X|y], by y."""
        ranges: dict[Hashable, set[Hashable]] = {}
        for x, y in self.pairs:
            ranges.setdefault(y, set()).add(x)
        return {y: frozenset(xs) for y, xs in ranges.items()}

    @property
    def x_range(self) -> frozenset[Hashable]:
        """Marginal range [X]."""
        return frozenset(x for x, _ in self.pairs)

    @property
    def largest_conditional(self) -> int:
        """``2^H0(X|Y)``: the largest number of x that a y leaves open."""
        return max(map(len, self.x_given_y.values()))

    @property
    def smallest_conditional(self) -> int:
        """``exp d0(X|Y)``: the smallest number of x that a y leaves open."""
        return min(map(len, self.x_given_y.values()))

    @property
    def information(self) -> Fraction:
        """``2^I0(X; Y)`` (noiseless, Equation 5): what every y tells of X."""
        return Fraction(len(self.x_range), self.largest_conditional)

    @property
    def leakage(self) -> Fraction:
        """``2^L0(X; Y)`` (noiseless, Equation 6): what the most telling y tells of X."""
        return Fraction(len(self.x_range), self.smallest_conditional)

    @property
    def symmetric_leakage(self) -> Fraction:
        """``2^L0^s(X; Y)`` (noiseless, Equation 8): the smaller of both directions."""
        return min(self.leakage, self.transposed.leakage)

    @cached_property
    def overlap_partition(self) -> frozenset[frozenset[Hashable]]:
        """The [X|Y]-overlap partition of [X] (noiseless, Section II.B).

        Two x belong together if a chain of conditional ranges [X|y] leads from one to the other,
        each overlapping the next.
        """
        parts: list[frozenset[Hashable]] = []
        for conditional in self.x_given_y.values():
            apart = [part for part in parts if not part & conditional]
            joined = [part for part in parts if part & conditional]
            parts = [*apart, conditional.union(*joined)]
        return frozenset(parts)

    @cached_property
    def taxicab_partition(self) -> frozenset[frozenset[tuple[Hashable, Hashable]]]:
        """The taxicab partition of [X, Y] (deterministic, Definition II.2).

        Two pairs belong together if a chain of pairs leads from one to the other in which
        neighbours share their x or their y.
        """
        waiting, parts = set(self.pairs), []
        while waiting:
            part, border = set(), {waiting.pop()}
            while border:
                part |= border
                xs, ys = {x for x, _ in border}, {y for _, y in border}
                border = {pair for pair in waiting if pair[0] in xs or pair[1] in ys}
                waiting -= border
            parts.append(frozenset(part))
        return frozenset(parts)

    @property
    def maximin_count(self) -> int:
        """The number whose logarithm is the maximin information I*(X; Y)."""
        return len(self.taxicab_partition)
