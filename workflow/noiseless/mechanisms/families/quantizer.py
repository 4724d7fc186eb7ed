"""The linear quantizer, and how many levels a budget allows (``noiseless``, Def. 3, Thm 8).

1. :class:`Quantizer` cuts a public range into bins of equal width and reports the mid-point of the
   bin that holds a value; :class:`UnequalBinQuantizer` into bins of any width.
2. :func:`compute_printed_levels` is the number of levels that Theorem 8 grants to a query;
   :func:`compute_local_levels` the one of local privacy (Definition 2), where a person reports
   alone.

What floating-point numbers do at the edges.  An edge ``lower + k (upper - lower) / levels`` is
rarely a float.  Here the ends of the range are taken as the decimals that they print as, the edges
are computed in integers, and each is rounded once, to the nearest float.  A value that is written
as an edge therefore lies on it: on [0, 1] with a hundred levels, 0.29 begins bin 29, although the
float is a little smaller than 29/100 and ``floor(0.29 * 100)`` is 28.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noiseless.arrays import Bools, Floats, Ints
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import (
    convert_to_floats,
    convert_to_numbers,
    convert_to_python,
    is_number,
    preserve_container,
    require_whole,
)
from noiseless.mechanisms.interface import (
    BitsOfRange,
    Domain,
    Mechanism,
    check_domain,
    compute_certain_log_likelihood,
)

Number = int | float | Fraction

# Budgets above it are refused, here as by the configuration.
MAX_BUDGET_BITS = 50
# A bin must be this many floats wide, so that arithmetic misses the right one by at most one.
_FLOATS_PER_BIN = 16
# A number of levels this close (relative) to a whole number is that number with rounding errors.
ROUNDING = Fraction(1, 10**12)


@dataclass(frozen=True)
class Quantizer(Mechanism):
    """Quantizer with equal bins, each closed on the left, the last one on both sides (Def. 3).

    Attributes
    ----------
    domain : Domain
        The public range; of several coordinates, each is quantized by itself.
    levels : int
        Number of bins q of a coordinate, 1 or larger.
    clip : bool
        Whether a value outside the public range is moved to its nearer end; else it is an error.

    Raises
    ------
    ConfigError
        If the domain is none, or not bounded, or there is no level, or too many for floats to
        tell neighbouring bins apart.

    Examples
    --------
    Two bits for a day's consumption of at most 20 kWh: four levels, each 5 kWh wide.

    >>> quantizer = Quantizer(Domain((0,), (20,), "kwh"), compute_local_levels(2))
    >>> quantizer.release([1.2, 7.9, 19.5])
    array([ 2.5,  7.5, 17.5])

    A Series comes back as one, with its index:

    >>> import pandas as pd
    >>> quantizer.release(pd.Series({"mon": 1.2, "tue": 7.9}, name="kwh"))
    mon    2.5
    tue    7.5
    Name: kwh, dtype: float64

    The guarantee to a person who reports alone, and to one of ten people whose mean is released:

    >>> quantizer.guarantee(), quantizer.compute_mean_guarantee(10)
    (BitsOfRange(bits=2.0), BitsOfRange(bits=1.0))
    """

    domain: Domain
    levels: int | Any  # or a whole number of NumPy
    clip: bool = field(default=True, kw_only=True)

    name = "quantizer"
    label = "quantizer"
    colour, marker, order = "blue", "o", 1
    kind, smallest = "levels", 0.0  # the error tends to 0 with the number of levels
    parameter_is = "levels"
    is_deterministic = True

    def __post_init__(self) -> None:
        check_domain(self.name, self.domain)
        levels = convert_to_python(self.levels)
        if not is_number(levels):
            raise ConfigError(f"`levels` of a quantizer must be a number, got {levels!r}.")
        if not (math.isfinite(levels) and levels >= 1) or levels % 1:
            raise ConfigError(f"`levels` of a quantizer must be 1, 2, ..., got {levels}.")
        object.__setattr__(self, "levels", int(levels))
        for lower, upper in zip(self.domain.low, self.domain.high, strict=True):
            if not (math.isfinite(lower) and math.isfinite(upper)):
                raise ConfigError(f"[{lower}, {upper}] is not bounded: give a finite public range.")
            spacing = math.ulp(max(abs(lower), abs(upper)))
            most = int((upper - lower) / spacing) // _FLOATS_PER_BIN
            if self.levels > most:
                raise ConfigError(
                    f"`levels` must be at most {most} on [{lower}, {upper}], got {self.levels}: "
                    "narrower bins hold too few floats. Give a smaller epsilon."
                )

    @property
    def lower(self) -> float:
        """Lower end of the public range, of its first coordinate."""
        return self.domain.low[0]

    @property
    def upper(self) -> float:
        """Upper end of the public range, of its first coordinate."""
        return self.domain.high[0]

    @cached_property
    def _axis_quantizers(self) -> tuple["Quantizer", ...]:
        """Quantizer of each coordinate."""
        if self.domain.coordinates == 1:
            return (self,)
        ends = zip(self.domain.low, self.domain.high, strict=True)
        return tuple(
            Quantizer(Domain((low,), (high,)), self.levels, clip=self.clip) for low, high in ends
        )

    def guarantee(self, *, delta: float = 0.0) -> BitsOfRange:
        """Return the guarantee to one person (``noiseless``, Defs. 1 and 2), for every delta."""
        return self.compute_mean_guarantee(self.domain.people)

    def compute_mean_guarantee(self, people: int) -> BitsOfRange:
        """Return the guarantee to one person if the mean of several people is released.

        Parameters
        ----------
        people : int
            Number of people whose mean is released.

        Returns
        -------
        BitsOfRange
            Logarithm of the most bins that the mean can fall into while this person's values
            vary; :mod:`noiseless.theory.levels` has the proof.

        Raises
        ------
        ConfigError
            If ``people`` is no whole number from 1 on.
        """
        people = require_whole("people", people, 1)
        touched = min(self.levels, -(-self.levels // people) + 1)
        return BitsOfRange(self.domain.values * self.domain.coordinates * math.log2(touched))

    @cached_property
    def edges(self) -> Floats:
        """Edges of the bins, from lower to upper, shape (levels + 1,); see the module."""
        return self._compute_points(range(0, 2 * self.levels + 1, 2))

    @cached_property
    def _next_edges(self) -> Floats:
        """Lower edge of the next bin, shape (levels,); infinity after the last bin."""
        return np.append(self.edges[1:-1], np.inf)

    @cached_property
    def midpoints(self) -> Floats:
        """Mid-points of the bins, the symbols that are released, shape (levels,)."""
        return self._compute_points(range(1, 2 * self.levels, 2))

    def _compute_points(self, half_bins: range) -> Floats:
        """Compute the points ``half_bins`` half bins above the lower end, each rounded once."""
        lower, upper = _convert_to_decimal(self.lower), _convert_to_decimal(self.upper)
        common = math.lcm(lower.denominator, upper.denominator)
        start, step = int(lower * common) * 2 * self.levels, int((upper - lower) * common)
        # The division of two Python integers is correctly rounded.
        return np.array([(start + k * step) / (common * 2 * self.levels) for k in half_bins])

    @np.errstate(under="ignore")
    def find_bins(self, values: ArrayLike) -> Ints:
        """Find the number of the bin that holds each value, from 0.

        Parameters
        ----------
        values : array_like
            In the unit of the range; any shape.

        Returns
        -------
        ndarray of int, the shape of ``values``

        Raises
        ------
        DataError
            If a value is not a number, or lies outside the range and ``clip`` is not set.
        """
        values = _clip_or_check(values, self.lower, self.upper, clip=self.clip)
        scale = self.levels / (self.upper - self.lower)
        guess = np.minimum(((values - self.lower) * scale).astype(np.int64), self.levels - 1)
        # Rounding may have given a neighbouring bin, but none further away.
        guess -= values < self.edges.take(guess)
        guess += values >= self._next_edges.take(guess)
        return guess

    @preserve_container
    def release(self, values: ArrayLike, rng: object = None) -> Any:
        """Release the mid-point of the bin that holds each value.

        Parameters
        ----------
        values : array_like
            In the unit of the range; of shape (...), or (..., d) where it has d > 1 coordinates.
        rng : optional
            Ignored, as a quantizer is deterministic.

        Returns
        -------
        ndarray of float, the shape of ``values``; a Series or DataFrame where they are one
            At most half a bin away from them.

        Raises
        ------
        DataError
            See :meth:`find_bins`.
        """
        return self._apply_per_coordinate(
            lambda axis, part: axis.midpoints.take(axis.find_bins(part)), values
        )

    def _apply_per_coordinate(
        self, axis_function: Callable[..., Any], *arrays: ArrayLike
    ) -> NDArray[Any]:
        """Apply ``axis_function`` to each coordinate and stack the results along the last axis."""
        if len(self._axis_quantizers) == 1:
            return axis_function(self, *arrays)
        parts = [np.moveaxis(convert_to_floats(each), -1, 0) for each in arrays]
        return np.stack(
            [axis_function(*each) for each in zip(self._axis_quantizers, *parts, strict=True)],
            axis=-1,
        )

    @property
    def grid(self) -> tuple[float, float]:
        """``(offset, step)`` of the mid-points: the first one, and the width of a bin."""
        step = self.domain.width[0] / self.levels
        return self.domain.low[0] + step / 2, step

    def cells(self, outputs: Floats) -> tuple[Floats, Floats]:
        """Return both ends of the released bins; the outermost ends are infinite (clipping)."""
        index, inner = self.find_bins(outputs), self.edges[1:-1]
        return np.append(-math.inf, inner)[index], np.append(inner, math.inf)[index]

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Return 0 where the value lies in the released bin, else minus infinity."""

        def is_inside_bin(axis: Quantizer, output: Floats, value: Floats) -> Bools:
            """Return whether each value of one coordinate lies in the released bin."""
            low, high = axis.cells(output)
            return (low <= value) & (value < high)

        return compute_certain_log_likelihood(
            self._apply_per_coordinate(is_inside_bin, outputs, values), self.domain
        )


@dataclass(frozen=True)
class UnequalBinQuantizer:
    """Quantizer with bins of any width, each closed on the left, the last one on both sides.

    The edges ascend from the lower to the upper end of the public range.  With ``clip``, a value
    outside it is moved to its nearer end; else it is an error.
    """

    edges: tuple[float, ...]
    clip: bool = False

    def __post_init__(self) -> None:
        edges = convert_to_floats(self.edges, "the edges")
        if len(edges) < 2 or not np.isfinite(edges).all() or (np.diff(edges) <= 0).any():
            raise ConfigError(
                f"`edges` must be 2 or more finite, ascending numbers, got {self.edges}."
            )

    @property
    def levels(self) -> int:
        """Number of bins."""
        return len(self.edges) - 1

    @cached_property
    def midpoints(self) -> Floats:
        """Mid-points of the bins, the symbols that are released, shape (levels,)."""
        edges = np.asarray(self.edges, dtype=float)
        return (edges[:-1] + edges[1:]) / 2

    @np.errstate(under="ignore")
    def find_bins(self, values: ArrayLike) -> Ints:
        """Find the number of the bin that holds each value, from 0; or raise DataError."""
        values = _clip_or_check(values, self.edges[0], self.edges[-1], clip=self.clip)
        return np.searchsorted(self.edges[1:-1], values, side="right")

    @preserve_container
    def release(self, values: ArrayLike) -> Floats:
        """Release the mid-point of the bin of each value; see :meth:`find_bins`."""
        return self.midpoints[self.find_bins(values)]


def _clip_or_check(values: ArrayLike, lower: float, upper: float, *, clip: bool) -> Floats:
    """Clip values to a range, or raise DataError for values outside of it."""
    values = np.clip(convert_to_floats(values), lower, upper) if clip else convert_to_floats(values)
    inside = (values >= lower) & (values <= upper)  # False for NaN, too
    if not inside.all():
        values, inside = np.atleast_1d(values), np.atleast_1d(inside)
        first = tuple(int(axis[0]) for axis in np.nonzero(~inside))
        count = np.count_nonzero(~inside)
        raise DataError(
            f"{count} of {values.size} values are outside the public range [{lower}, {upper}]; "
            f"the first is {values[first]} at position {first[0] if len(first) == 1 else first}. "
            "Correct the data, widen the range, or ask for clipping."
        )
    return values


def compute_printed_levels(
    epsilon_bits: Number, *, output_range: tuple[Number, Number], sensitivity: Number
) -> int:
    """Compute the levels of Theorem 8: ``max(1, floor(2^eps (y_max - y_min) / S_f))``.

    This is Theorem 8 as printed.  An interval of the length of the sensitivity can touch one bin
    more than the theorem counts.  So one person may have more outputs to choose among than the
    floor(2^eps) of Definition 1: by one where 2^eps is a whole number, and by up to two elsewhere.
    :func:`noiseless.theory.levels.compute_exact_levels` is the rule that keeps the budget.

    Parameters
    ----------
    epsilon_bits : int, float or Fraction
        Budget in bits, larger than 0 and at most 50.
    output_range : tuple
        (y_min, y_max), the range of the query's output.
    sensitivity : int, float or Fraction
        S_f, how far one person can move the output, larger than 0.  For the average of n people on
        a range [a, b] it is (b - a) / n.

    Returns
    -------
    int
        Exact for integers and fractions.  Among floats, a number of levels that misses a whole
        number by a relative 1e-12 or less counts as whole: 2^2 * 4.7 / (4.7 / 3) is 12.

    Raises
    ------
    ConfigError
        If epsilon or the sensitivity is not positive, epsilon above 50, or the range empty.

    Examples
    --------
    Three bits for the mean of ten homes whose days lie in [0, 20] kWh:

    >>> compute_printed_levels(3, output_range=(0, 20), sensitivity=20 / 10)
    80

    A person can choose among 9 outputs then, not 8; and among 4 of these 5, where 1.5 bits are 2:

    >>> count_touched_bins(80, output_range=20, sensitivity=2)
    9
    >>> levels = compute_printed_levels(1.5, output_range=(0, 1), sensitivity=Fraction(1, 2))
    >>> levels, count_touched_bins(levels, output_range=1, sensitivity=Fraction(1, 2))
    (5, 4)
    """
    power, sensitivity = _compute_power_of_two(epsilon_bits), convert_to_python(sensitivity)
    output_range = check_finite_range(output_range)
    y_min, y_max = (Fraction(end) for end in output_range)
    if not (is_number(sensitivity) and math.isfinite(sensitivity) and sensitivity > 0):
        raise ConfigError(f"the sensitivity is {sensitivity}, but it must be larger than 0.")
    if y_min >= y_max:
        raise ConfigError(f"the output range {tuple(output_range)} is empty.")
    levels = power * (y_max - y_min) / Fraction(sensitivity)
    is_exact = all(isinstance(each, int | Fraction) for each in (*output_range, sensitivity))
    return max(1, _floor_levels(levels, is_exact=is_exact and epsilon_bits == int(epsilon_bits)))


def compute_local_levels(epsilon_bits: Number) -> int:
    """Compute the levels of a person's own report, ``floor(2^eps)`` (Definition 2).

    Parameters
    ----------
    epsilon_bits : int, float or Fraction
        Budget in bits, larger than 0 and at most 50.  log2(3) as a float gives 3 levels.

    Raises
    ------
    ConfigError
        If epsilon is not positive, or above 50.

    Examples
    --------
    >>> compute_local_levels(2.5)
    5
    """
    power, epsilon_bits = _compute_power_of_two(epsilon_bits), convert_to_python(epsilon_bits)
    return _floor_levels(power, is_exact=epsilon_bits == int(epsilon_bits))


def check_finite_range(output_range: tuple[Number, Number]) -> tuple[Number, Number]:
    """Return both ends of an output range, which must be finite, as Python numbers."""
    low, high = convert_to_numbers(output_range, "the ends of the output range", count=2)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ConfigError(f"the output range {(low, high)} must be finite.")
    return low, high


def _compute_power_of_two(epsilon_bits: Number) -> Fraction:
    """Compute 2^epsilon as a fraction, exact for whole bits."""
    epsilon_bits = convert_to_python(epsilon_bits)
    if not (is_number(epsilon_bits) and math.isfinite(epsilon_bits) and epsilon_bits > 0):
        raise ConfigError(f"epsilon is {epsilon_bits}, but it must be larger than 0.")
    if epsilon_bits > MAX_BUDGET_BITS:
        raise ConfigError(
            f"epsilon is {float(epsilon_bits):g} bits, but it must be at most {MAX_BUDGET_BITS}: "
            "nobody tells more levels apart."
        )
    whole = math.floor(epsilon_bits)
    return 2**whole * Fraction(2.0 ** float(epsilon_bits - whole))


def _floor_levels(levels: Fraction, *, is_exact: bool) -> int:
    """Round a number of levels down; one within rounding of a whole number to that number."""
    nearest = round(levels)
    is_whole = not is_exact and abs(levels - nearest) <= ROUNDING * nearest
    return nearest if is_whole else math.floor(levels)


def _convert_to_decimal(number: float) -> Fraction:
    """Convert a float to the decimal that it prints as, as a fraction."""
    return Fraction(repr(float(number)))


def count_touched_bins(levels: int, *, output_range: Number, sensitivity: Number) -> int:
    """Count the most bins that a query's outputs can fall into while one person's data varies.

    Of q equal bins on a range of length R, with a sensitivity S, 0 < S <= R, in the same unit:
    min(q, ceil(q S / R) + 1); the proof is in :mod:`noiseless.theory.levels`.
    """
    return min(
        levels, ceil_with_tolerance(levels * Fraction(sensitivity) / Fraction(output_range)) + 1
    )


def floor_with_tolerance(value: Fraction) -> int:
    """Round down, but to the nearest integer if that is within floating-point rounding."""
    return math.floor(value * (1 + ROUNDING))


def ceil_with_tolerance(value: Fraction) -> int:
    """Round up, but to the nearest integer if that is within floating-point rounding."""
    return math.ceil(value * (1 - ROUNDING))


MECHANISM = Quantizer
