"""Uncertain variables with real values: exact unions of intervals and boxes, and maps.

End points are fractions.  Whether an end belongs to a set makes no difference to any measure, so
every interval here is closed, and differences are closed again.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Number = int | Fraction
Extremum = Literal["sup", "ess sup"]


@dataclass(frozen=True)
class IntervalUnion:
    """Finite union of closed intervals, disjoint and ascending; a point is one of length 0."""

    parts: tuple[tuple[Fraction, Fraction], ...]

    @classmethod
    def from_intervals(cls, *intervals: tuple[Number, Number]) -> "IntervalUnion":
        """Create the union of intervals (low, high), which may overlap."""
        parts: list[tuple[Fraction, Fraction]] = []
        for low, high in sorted((Fraction(low), Fraction(high)) for low, high in intervals):
            if low > high:
                raise ValueError(f"[{low}, {high}] is not an interval")
            if parts and low <= parts[-1][1]:
                parts[-1] = (parts[-1][0], max(parts[-1][1], high))
            else:
                parts.append((low, high))
        return cls(tuple(parts))

    @property
    def measure(self) -> Fraction:
        """Lebesgue measure."""
        return sum((high - low for low, high in self.parts), Fraction(0))

    def __or__(self, other: "IntervalUnion") -> "IntervalUnion":
        return IntervalUnion.from_intervals(*self.parts, *other.parts)

    def __and__(self, other: "IntervalUnion") -> "IntervalUnion":
        return IntervalUnion.from_intervals(
            *(
                (max(a, c), min(b, d))
                for a, b in self.parts
                for c, d in other.parts
                if max(a, c) <= min(b, d)
            )
        )

    def __sub__(self, other: "IntervalUnion") -> "IntervalUnion":
        """Return the closure of the difference, without isolated points."""
        left = list(self.parts)
        for c, d in other.parts:
            left = [
                piece
                for a, b in left
                for piece in ((a, min(b, c)), (max(a, d), b))
                if piece[0] < piece[1]
            ]
        return IntervalUnion.from_intervals(*left)

    def __xor__(self, other: "IntervalUnion") -> "IntervalUnion":
        return (self - other) | (other - self)

    def __add__(self, other: "IntervalUnion") -> "IntervalUnion":
        """Return the range of the sum of two unrelated variables."""
        return IntervalUnion.from_intervals(
            *((a + c, b + d) for a, b in self.parts for c, d in other.parts)
        )

    @property
    def unbiased_radius(self) -> Fraction:
        """Worst-case error of the best estimate that lies in the set itself.

        That is what ``deterministic`` asks of an estimator (Assumption II.1).
        """
        low, high = self.parts[0][0], self.parts[-1][1]
        middle = (low + high) / 2
        nearest = min(
            (min(max(middle, a), b) for a, b in self.parts), key=lambda point: abs(point - middle)
        )
        return max(nearest - low, high - nearest)


@dataclass(frozen=True)
class BoxUnion:
    """Finite union of closed boxes of intervals (low, high), which may overlap and may be flat."""

    boxes: tuple[tuple[tuple[Fraction, Fraction], ...], ...]

    @classmethod
    def from_boxes(cls, *boxes: Sequence[tuple[Number, Number]]) -> "BoxUnion":
        """Create the union of boxes with equally many coordinates, which may overlap."""
        if len({len(box) for box in boxes}) > 1:
            raise ValueError("boxes with different numbers of coordinates")
        # A union of one interval checks its ends and converts them to fractions.
        return cls(
            tuple(
                tuple(IntervalUnion.from_intervals(side).parts[0] for side in box) for box in boxes
            )
        )

    @property
    def measure(self) -> Fraction:
        """Lebesgue measure, summed over the cells between all ends that some box covers."""
        if not self.boxes:
            return Fraction(0)
        axes = [
            list(itertools.pairwise(sorted({end for side in sides for end in side})))
            for sides in zip(*self.boxes, strict=True)
        ]
        return sum(
            (
                math.prod((high - low for low, high in cell), start=Fraction(1))
                for cell in itertools.product(*axes)
                if any(_is_covered(box, cell) for box in self.boxes)
            ),
            Fraction(0),
        )


@dataclass(frozen=True)
class PiecewiseMap:
    """Map of X on an interval that is constant or the identity (None) on each of its pieces.

    A piece is (low, high, value).  Values of constant pieces differ from each other and from those
    of the identity.
    """

    pieces: tuple[tuple[Fraction, Fraction, Fraction | None], ...]

    @property
    def domain(self) -> IntervalUnion:
        """Range of X, as one union of intervals."""
        return IntervalUnion.from_intervals(*((low, high) for low, high, _ in self.pieces))

    def compute_max_conditional(self, extremum: Extremum) -> Fraction:
        """Compute ``exp h0(X|f(X))``: the largest measure that a report leaves open.

        ``sup`` is over all reports, ``ess sup`` over all but a set of reports of measure zero, such
        as the values of constant pieces, which do not count for it.
        """
        constant = self._compute_preimages().values()
        if extremum == "sup":
            return max((preimage.measure for preimage in constant), default=Fraction(0))
        return Fraction(0)

    @property
    def smallest_conditional(self) -> Fraction:
        """``exp d0(X|f(X))`` (Equation 5): the smallest measure that a report leaves open."""
        if self._has_identity:
            return Fraction(0)
        return min(preimage.measure for preimage in self._compute_preimages().values())

    @property
    def maximin_count(self) -> float:
        """Number of reports, the taxicab partition's size for a function; may be infinite."""
        return math.inf if self._has_identity else len(self._compute_preimages())

    def compute_error_bounds(self) -> tuple[Fraction, Fraction]:
        """Compute infimum and supremum (d_min, d_max), over reports, of the best unbiased error."""
        radii = [preimage.unbiased_radius for preimage in self._compute_preimages().values()]
        radii += [Fraction(0)] * self._has_identity
        return min(radii), max(radii)

    @property
    def _has_identity(self) -> bool:
        """Whether the map is the identity on a piece of positive length."""
        return any(value is None and low < high for low, high, value in self.pieces)

    def _compute_preimages(self) -> dict[Fraction, IntervalUnion]:
        """Compute the preimage of each constant report."""
        parts: dict[Fraction, list[tuple[Fraction, Fraction]]] = {}
        for low, high, value in self.pieces:
            if value is not None:
                parts.setdefault(value, []).append((low, high))
        return {
            value: IntervalUnion.from_intervals(*intervals) for value, intervals in parts.items()
        }


def _is_covered(
    box: Sequence[tuple[Fraction, Fraction]], cell: Sequence[tuple[Fraction, Fraction]]
) -> bool:
    """Return whether a box contains a cell."""
    return all(a <= c and d <= b for (a, b), (c, d) in zip(box, cell, strict=True))
