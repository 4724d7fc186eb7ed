"""Best pairs of quantizers for queries of two outputs (``deterministic``, Section VI)."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.statements import universe
from noiseless.theory.policies import bound_min_regions, find_optimal_grid


@dataclass(frozen=True)
class TwoOutputs:
    """Ranges of two outputs, gamma, and the levels of the pair of quantizers that is taken."""

    sides: tuple[Fraction, Fraction]
    gamma: Fraction
    levels: tuple[int, int]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the sides, gamma and the levels."""
        return {"sides": self.sides, "gamma": self.gamma, "levels": self.levels}

    @property
    def regions(self) -> int:
        """How many regions the pair has."""
        return math.prod(self.levels)

    @property
    def bound(self) -> int:
        """Number of regions that no policy is below."""
        first, second = self.sides
        return bound_min_regions(self.gamma, output_ranges=((0, first), (0, second)))

    def iterate_fewer(self) -> Iterator[tuple[int, int]]:
        """Iterate over pairs of fewer regions, for each number of levels of the first output.

        Of the second output the most levels, as the error falls with them.
        """
        for first in range(1, self.regions):
            yield first, (self.regions - 1) // first


@universe(
    smoke={"sides": ((1, 1), (2, 1)), "accuracy": (1, 2, 4, 8, 16, 32)},
    paper={
        "sides": ((1, 1), (2, 1), (10, 1)),
        "accuracy": (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64),
    },
    least={"sides": 1, "accuracy": 1},
)
def pairs_of_quantizers(
    sides: Sequence[Sequence[float]], accuracy: Sequence[float]
) -> list[TwoOutputs]:
    """List the best pairs of quantizers of two outputs, off by 1/gamma (Euclidean) at most."""
    found = []
    for (first, second), gamma in itertools.product(sides, accuracy):
        lengths, exact = (Fraction(str(first)), Fraction(str(second))), Fraction(str(gamma))
        best = find_optimal_grid(exact, output_ranges=((0, lengths[0]), (0, lengths[1])))
        found.append(TwoOutputs(lengths, exact, (best[0].levels, best[1].levels)))
    return found


def compute_squared_error(sides: Sequence[Fraction], levels: Sequence[int]) -> Fraction:
    """Compute the square of half the diagonal of a grid cell, for some sides and levels."""
    halves = (side / count / 2 for side, count in zip(sides, levels, strict=True))
    return sum((half**2 for half in halves), Fraction(0))
