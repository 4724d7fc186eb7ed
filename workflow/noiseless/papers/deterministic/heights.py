"""Average heights of some people, reported with some levels (``deterministic``, Example IV.2)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from noiseless.papers.deterministic.policies import find_min_radius_squared
from noiseless.statements import universe

HEIGHTS_CM = (100, 250)  # the public range of a height


@dataclass(frozen=True)
class Heights:
    """Average height of some people, reported with some levels; lengths in cm."""

    people: int
    levels: int

    @cached_property
    def error_squared(self) -> Fraction:
        """The square of the adversary's smallest error, d_min."""
        low, high = HEIGHTS_CM
        return (high - low) ** 2 * find_min_radius_squared(self.people, self.levels)

    @property
    def error(self) -> float:
        """The adversary's smallest error, d_min."""
        return math.sqrt(self.error_squared)

    @property
    def excess(self) -> Fraction:
        """By how much ``error_squared`` is more than the square of 150 sqrt(2) / levels."""
        low, high = HEIGHTS_CM
        return self.error_squared - (high - low) ** 2 * Fraction(2, self.levels**2)

    @property
    def width(self) -> Fraction:
        """Width of a bin of the mean."""
        low, high = HEIGHTS_CM
        return Fraction(high - low, self.levels)

    @property
    def reach(self) -> Fraction:
        """How far below 250 one person may be in the highest report, if all others are at 250."""
        low, high = HEIGHTS_CM
        least_mean = high - self.width
        return high - max(self.people * least_mean - (self.people - 1) * high, Fraction(low))

    def list_numbers(self) -> Mapping[str, Any]:
        """List people and levels."""
        return {"people": self.people, "levels": self.levels}


def list_crowds(heights: Mapping[tuple[int, int], Heights]) -> list[Heights]:
    """List the reports of two people or more that have as many levels as people, or more."""
    return [each for each in heights.values() if 2 <= each.people <= each.levels]


@universe()
def heights() -> dict[tuple[int, int], Heights]:
    """List reports of 1 to 30 levels for 1, 2, 3 and 5 people, by people and levels."""
    return {(n, q): Heights(n, q) for n in (1, 2, 3, 5) for q in range(1, 31)}
