"""Uncertain variables with finite ranges (Section 2 of all three papers).

All that the theory uses of two uncertain variables is their joint range, a finite set of pairs.
Sizes are integers and ratios are fractions; see :mod:`noiseless.theory` for the logarithms.
"""

import itertools
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.cluster.hierarchy import DisjointSet
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Point = TypeVar("Point", bound=Hashable)


@dataclass(frozen=True)
class Relation:
    """Joint range [X, Y] of two uncertain variables: one pair (x, y) or more."""

    pairs: frozenset[tuple[Hashable, Hashable]]

    def __post_init__(self) -> None:
        if not self.pairs:
            raise ValueError("a joint range holds at least one pair")

    @classmethod
    def from_outcomes(cls, xs: Iterable[Hashable], ys: Iterable[Hashable]) -> "Relation":
        """Create the joint range from the values of X and Y at each outcome."""
        return cls(frozenset(zip(xs, ys, strict=True)))

    def list_numbers(self) -> dict[str, str]:
        """List the possible pairs, as an example of a statement shows them."""
        return {"possible (x, y)": " ".join(f"({x}, {y})" for x, y in sorted(self.pairs, key=repr))}

    @property
    def transposed(self) -> "Relation":
        """Joint range [Y, X]."""
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
        """``2^H0(X|Y)``: the maximum number of x that a y leaves open."""
        return max(map(len, self.x_given_y.values()))

    @property
    def smallest_conditional(self) -> int:
        """``exp d0(X|Y)``: the minimum number of x that a y leaves open."""
        return min(map(len, self.x_given_y.values()))

    @property
    def information(self) -> Fraction:
        """``2^I0(X; Y)`` (noiseless, Equation 5): the least factor by which a y narrows X."""
        return Fraction(len(self.x_range), self.largest_conditional)

    @property
    def leakage(self) -> Fraction:
        """``2^L0(X; Y)`` (noiseless, Equation 6): the largest factor by which a y narrows X."""
        return Fraction(len(self.x_range), self.smallest_conditional)

    @property
    def symmetric_leakage(self) -> Fraction:
        """``2^L0^s(X; Y)`` (noiseless, Equation 8): the smaller leakage of both directions."""
        return min(self.leakage, self.transposed.leakage)

    @cached_property
    def overlap_partition(self) -> frozenset[frozenset[Hashable]]:
        """[X|Y]-overlap partition of [X] (noiseless, Section II.B).

        Two x belong together if a chain of conditional ranges [X|y] leads from one to the other,
        each overlapping the next.
        """
        return _group_connected(
            self.x_range,
            itertools.chain.from_iterable(map(itertools.pairwise, self.x_given_y.values())),
        )

    @cached_property
    def taxicab_partition(self) -> frozenset[frozenset[tuple[Hashable, Hashable]]]:
        """Taxicab partition of [X, Y] (deterministic, Definition II.2).

        Two pairs belong together if a chain of pairs leads from one to the other in which
        neighbours share their x or their y.
        """
        # Each pair is linked to the first one with its x, and to the first one with its y.
        first: dict[tuple[str, Hashable], tuple[Hashable, Hashable]] = {}
        links = (
            (first.setdefault(shared, pair), pair)
            for pair in self.pairs
            for shared in zip("xy", pair, strict=True)
        )
        return _group_connected(self.pairs, links)

    @property
    def maximin_count(self) -> int:
        """Number of taxicab parts, whose logarithm is the maximin information I*(X; Y)."""
        return len(self.taxicab_partition)


def label_taxicab_parts(xs: ArrayLike, ys: ArrayLike) -> NDArray[np.int32]:
    """Label the part of the taxicab partition of each pair, for millions of pairs.

    Labels are from 0, without gaps: I* is the logarithm of the largest plus 1.  Pairs are edges
    between their x and their y.  Two edges are in one component of that graph if and only if a
    chain of edges that share an end leads from one to the other.
    """
    _, x_codes = np.unique(np.asarray(xs), return_inverse=True)
    _, y_codes = np.unique(np.asarray(ys), return_inverse=True)
    first_y = int(x_codes.max(initial=-1)) + 1
    size = first_y + int(y_codes.max(initial=-1)) + 1
    ones = np.ones(len(x_codes), dtype=bool)
    graph = coo_array((ones, (x_codes, first_y + y_codes)), shape=(size, size))
    _, labels = connected_components(graph, directed=False)
    return labels[x_codes]


def _group_connected(
    points: Iterable[Point], links: Iterable[tuple[Point, Point]]
) -> frozenset[frozenset[Point]]:
    """Group points that are connected by links, in time almost proportional to both numbers.

    Without the cost of a sparse matrix where there are only a few, as in the enumerations.
    """
    forest = DisjointSet(points)
    for one, other in links:
        forest.merge(one, other)
    return frozenset(map(frozenset, forest.subsets()))
