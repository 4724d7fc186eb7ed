"""Bins of equal width on the public range, each released as its mid-point."""

import math

import numpy as np
from numpy.typing import NDArray

from noiseless.mechanisms.interface import (
    BitsOfRange,
    Domain,
    Floats,
    Mechanism,
    by_coordinate,
    certain,
    coordinate,
)
from noiseless.mechanisms.quantizer import Quantizer, touched_bins


class QuantizedRelease(Mechanism):
    """The quantizer of each coordinate; its parameter is the number of levels."""

    name = "quantizer"
    kind = "levels"
    is_deterministic = True

    def _quantizer(self, axis: int) -> Quantizer:
        low, high = self.domain.low[axis], self.domain.high[axis]
        return Quantizer(low, high, int(self.parameter), clip=True)

    def release(self, values: Floats, rng: np.random.Generator | None = None) -> Floats:
        """Mid-points of the bins."""
        return by_coordinate(
            values, self.domain, lambda axis, part: self._quantizer(axis).release(part)
        )

    @property
    def grid(self) -> tuple[float, float]:
        """Mid-points, a bin apart."""
        step = self.domain.width[0] / self.parameter
        return self.domain.low[0] + step / 2, step

    def cells(self, outputs: Floats) -> tuple[Floats, Floats]:
        """Ends of the bins; the outermost ones also hold what was clipped into them."""
        return self._cells(0, outputs)

    def _cells(self, axis: int, outputs: Floats) -> tuple[Floats, Floats]:
        quantizer = self._quantizer(axis)
        index, inner = quantizer.index(outputs), quantizer.edges[1:-1]
        return np.append(-math.inf, inner)[index], np.append(inner, math.inf)[index]

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """0 under values in the released bins, minus infinity under others."""

        def inside(axis: int, part: Floats) -> NDArray[np.bool_]:
            low, high = self._cells(axis, coordinate(outputs, axis, self.domain))
            return (low <= part) & (part < high)

        return certain(by_coordinate(values, self.domain, inside), self.domain)

    def guarantee(self, *, delta: float) -> BitsOfRange:
        """Bins that one person can move a release into (Definition 1, Theorem 6)."""
        touched = touched_bins(int(self.parameter), output_range=self.domain.people, sensitivity=1)
        return BitsOfRange(self.domain.values * self.domain.coordinates * math.log2(touched))

    @classmethod
    def parameter_name(cls, domain: Domain) -> str:
        """The number of levels."""
        return "levels"


MECHANISM = QuantizedRelease
