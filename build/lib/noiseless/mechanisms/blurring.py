"""Blurring: hide on which side of a threshold a record lies (``nsht``, Theorem 4).

A record ``x`` is a point of a box.  Its hypothesis is p0 where its *blurred coordinate* is at or
above a threshold of the others, ``x_i >= g(x_-i)``, and p1 below.  A policy with accuracy ``rho``
may move ``x_i`` by at most ``1/rho``, so all it can do happens in the *band*
``|x_i - g(x_-i)| <= 1/rho``.

1. :class:`PublicRange` is the public range of a record, with the blurred coordinate first.
2. :class:`PolynomialThreshold` is g.
3. :class:`CollapseBlurring` is the policy as printed: the band is reported as the threshold itself.
   :class:`StretchBlurring` reports each side of the band as the whole band.
4. :func:`band_measure` is the size of the band: exact for a polynomial threshold of one variable;
   :func:`band_measure_bounds` encloses it for any other.
5. :func:`budget` turns that size into the privacy budget of Theorem 4, and :func:`privacy` into
   the measure of Equation 9 that the budget is said to bound.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import ArrayLike, NDArray

from noiseless.errors import ConfigError, DataError

Floats = NDArray[np.float64]

_LARGEST_WHOLE_FLOAT = 2**53


@dataclass(frozen=True)
class PublicRange:
    """Public range of a record; the blurred coordinate is the first one.

    Attributes
    ----------
    lower, upper : tuple of float, length d >= 2
        Ends of the closed interval of each coordinate.

    Raises
    ------
    ConfigError
        If there are fewer than two coordinates, or an interval is empty or a single point.
    """

    lower: tuple[float, ...]
    upper: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.lower) != len(self.upper) or len(self.lower) < 2:
            raise ConfigError(
                f"a range of records needs two or more intervals, not {self.lower} to {self.upper}."
            )
        for low, high in zip(self.lower, self.upper, strict=True):
            if not (math.isfinite(low) and math.isfinite(high) and low < high):
                raise ConfigError(f"[{low}, {high}] is not an interval: give its lower end first.")

    @property
    def volume(self) -> float:
        """Lebesgue measure of the box, in the product of its coordinates' units."""
        return math.prod(h - low for low, h in zip(self.lower, self.upper, strict=True))

    def require(self, records: Floats) -> None:
        """Check that every record lies in the box.

        Raises
        ------
        DataError
            Names the first record outside by its position (from 0), its values and the range.
        """
        if records.ndim != 2 or records.shape[1] != len(self.lower):
            raise DataError(f"records of shape {records.shape} are not (n, {len(self.lower)}).")
        inside = (records >= self.lower) & (records <= self.upper)  # False for NaN, too
        if not inside.all():
            row, column = np.argwhere(~inside)[0]
            raise DataError(
                f"record {row} has {records[row, column]} in coordinate {column}, outside the "
                f"public range [{self.lower[column]}, {self.upper[column]}]. "
                "Correct the record or widen the range in the configuration."
            )


class Threshold(Protocol):
    """A threshold g of the unblurred coordinates."""

    def __call__(self, others: Floats) -> Floats:
        """Value at each row of ``others``, shape (n, d - 1); result of shape (n,)."""

    def bounds(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """Bounds of g on each of n boxes, given as two arrays of shape (n, d - 1)."""


@dataclass(frozen=True)
class PolynomialThreshold:
    """Polynomial threshold of a single other coordinate: ``sum_k numerators[k] x^k / denominator``.

    The common denominator keeps ties exact: at a height of 200 cm, 3 x 200^2 / 1000 kg is 120 kg
    and not its floating-point neighbour, so that a person of 120 kg is on the side of ``>=``.
    """

    numerators: tuple[int, ...]
    denominator: int = 1

    @property
    def polynomial(self) -> Polynomial:
        """The same as a numpy polynomial."""
        return Polynomial([float(Fraction(c, self.denominator)) for c in self.numerators])

    def __call__(self, others: Floats) -> Floats:
        """Value at each row of ``others``, shape (n, 1); result of shape (n,)."""
        return Polynomial(self.numerators)(others[:, 0]) / self.denominator

    def bounds(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """Exact bounds on n intervals: the values at ends and inner turning points."""
        values = [self(lower), self(upper)]
        for turn in _real_roots(self.polynomial.deriv()):
            inside = (lower[:, 0] < turn) & (turn < upper[:, 0])
            values.append(np.where(inside, self(np.array([[turn]])), values[0]))
        return np.min(values, axis=0), np.max(values, axis=0)


def decimal_threshold(coefficients: Sequence[float]) -> PolynomialThreshold:
    """The polynomial whose coefficients, of ``x^0, x^1, ...``, are the decimals that are written.

    Raises
    ------
    ConfigError
        If they have so many digits that floats could not hold them over one denominator.
    """
    exact = [Fraction(str(each)) for each in coefficients]
    denominator = math.lcm(*(each.denominator for each in exact))
    numerators = tuple(int(each * denominator) for each in exact)
    if max(denominator, *map(abs, numerators)) >= _LARGEST_WHOLE_FLOAT:
        raise ConfigError(
            f"the threshold's coefficients {list(coefficients)} have too many digits: together "
            "they must fit into 15."
        )
    return PolynomialThreshold(numerators, denominator)


@dataclass(frozen=True)
class _Blurring:
    """What both policies share.

    Attributes
    ----------
    threshold : Threshold
        g.
    box : PublicRange
        Public range of the records.
    rho : float
        Accuracy, larger than 0, in one over the unit of the blurred coordinate.

    Raises
    ------
    ConfigError
        If rho is not a positive number.
    """

    threshold: Threshold
    box: PublicRange
    rho: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.rho) and self.rho > 0):
            raise ConfigError(f"the accuracy rho is {self.rho}, but it must be larger than 0.")

    def is_p0(self, records: ArrayLike) -> NDArray[np.bool_]:
        """Whether each record's hypothesis is p0: at or above the threshold.  Shape (n,)."""
        records = np.asarray(records, dtype=float)
        return records[:, 0] >= self.threshold(records[:, 1:])

    def in_band(self, records: ArrayLike) -> NDArray[np.bool_]:
        """Whether each record lies in the band, its edges included.  Shape (n,)."""
        records = np.asarray(records, dtype=float)
        g = self.threshold(records[:, 1:])
        # The same floats as those that reports are moved to.
        return (g - 1 / self.rho <= records[:, 0]) & (records[:, 0] <= g + 1 / self.rho)

    def release(self, records: ArrayLike) -> Floats:
        """The reported records.

        Parameters
        ----------
        records : array_like, shape (n, d)
            Points of the box, the blurred coordinate first.

        Returns
        -------
        ndarray, shape (n, d)
            The first coordinate of a record in the band is changed by at most ``1/rho``;
            everything else is returned as it is.

        Raises
        ------
        DataError
            If a record lies outside the box.
        """
        records = np.asarray(records, dtype=float)
        self.box.require(records)
        released = records.copy()
        band = self.in_band(records)
        released[band, 0] = self._blur(records[band, 0], self.threshold(records[band, 1:]))
        return released

    def _blur(self, x: Floats, g: Floats) -> Floats:
        """Reported coordinate of records in the band, from theirs and their threshold."""
        raise NotImplementedError

    def is_decided(self, reports: ArrayLike) -> NDArray[np.bool_]:
        """Whether a report proves its hypothesis to an adversary who knows the policy.

        Parameters
        ----------
        reports : array_like, shape (n, d)
            What :meth:`release` returned.

        Returns
        -------
        ndarray of bool, shape (n,)
            False where records of both hypotheses give this report.
        """
        return ~self.in_band(reports)


@dataclass(frozen=True)
class CollapseBlurring(_Blurring):
    """The policy of Theorem 4 (Equation 11 for the body mass index): report the threshold.

    Everyone in the band is reported at ``x_i = g(x_-i)``.  The reports of the band then fill a
    set of measure zero, so that the privacy of Equation 9 is 0 for every rho: see
    :func:`privacy`.
    """

    def _blur(self, x: Floats, g: Floats) -> Floats:
        return g


@dataclass(frozen=True)
class StretchBlurring(_Blurring):
    """A policy that earns the budget of Theorem 4 under Equation 9 itself.

    On each line (fixed ``x_-i``) the band is ``[L, U] = [g - 1/rho, g + 1/rho]`` cut to the box.
    Its upper part ``[g, U]`` is stretched affinely over ``[L, U]``, and so is its lower part
    ``[L, g)``.  Every report of the band (but U, a set of measure zero) then comes from both
    sides, and no report is lost:

    - The displacement is ``(1 - s)(g - L)`` for the upper part (``s`` is the relative height in
      it) and ``s (U - g)`` for the lower, so at most ``1/rho``.
    - The ranges of the reports of p0 and p1 meet in the whole band; their union is the whole box.
      The privacy of Equation 9 is log(mu(X) / mu(X without the band)) = log(1 + budget).

    A line on which the threshold is not inside the interval of the blurred coordinate has one side
    only: nothing moves there, and such lines do not count towards the budget.
    """

    def _blur(self, x: Floats, g: Floats) -> Floats:
        low = np.maximum(g - 1 / self.rho, self.box.lower[0])
        high = np.minimum(g + 1 / self.rho, self.box.upper[0])
        above = x >= g
        start = np.where(above, g, low)
        length = np.where(above, high - g, g - low)
        height = np.divide(x - start, length, out=np.zeros_like(x), where=length > 0)
        stretched = np.minimum(low + height * (high - low), high)
        return np.where(self._has_both_sides(g), stretched, x)

    def is_decided(self, reports: ArrayLike) -> NDArray[np.bool_]:
        """Whether a report proves its hypothesis: outside the band, or on a one-sided line."""
        reports = np.asarray(reports, dtype=float)
        both_sides = self._has_both_sides(self.threshold(reports[:, 1:]))
        return super().is_decided(reports) | ~both_sides

    def _has_both_sides(self, g: Floats) -> NDArray[np.bool_]:
        return (self.box.lower[0] < g) & (g < self.box.upper[0])


def band_measure(threshold: PolynomialThreshold, box: PublicRange, rho: float) -> float:
    """Exact size of the band in the box, for a polynomial threshold of one variable.

    The width of the band at ``t`` is ``clip(g(t) + 1/rho) - clip(g(t) - 1/rho)``, both clipped to
    the interval of the blurred coordinate: a polynomial between the points where ``g +- 1/rho``
    meets an end of that interval.  It is integrated there by its antiderivative, so that the only
    error is the rounding of the arithmetic.

    Parameters
    ----------
    threshold : PolynomialThreshold
    box : PublicRange with two coordinates
    rho : float
        Accuracy, larger than 0.

    Returns
    -------
    float
        Lebesgue measure, in the product of the two coordinates' units.
    """
    if len(box.lower) != 2:
        raise ConfigError("a polynomial threshold needs records of two coordinates.")
    (bottom, start), (top, stop) = box.lower, box.upper
    g = threshold.polynomial
    edges = [g - 1 / rho, g + 1 / rho]
    cuts = {start, stop}
    for edge in edges:
        for end in (bottom, top):
            cuts.update(t for t in _real_roots(edge - end) if start < t < stop)
    pieces = sorted(cuts)
    total = 0.0
    for left, right in itertools.pairwise(pieces):
        middle = (left + right) / 2
        lower, upper = (_clipped(edge, middle, bottom, top) for edge in edges)
        area = (upper - lower).integ()
        total += float(area(right) - area(left))
    return total


def band_measure_bounds(
    threshold: Threshold, box: PublicRange, rho: float, cells: int | Sequence[int]
) -> tuple[float, float]:
    """Certified lower and upper bound of the size of the band, for any threshold.

    The unblurred coordinates are cut into equal cells; on each, the width of the band lies
    between its smallest and largest value over the range of g there.

    Parameters
    ----------
    threshold : Threshold
    box : PublicRange with d coordinates
    rho : float
        Accuracy, larger than 0.
    cells : int or sequence of d - 1 int
        Number of cells along each unblurred coordinate.

    Returns
    -------
    lower, upper : float
        Lebesgue measure, in the product of the coordinates' units.  Their distance falls in
        proportion to the size of a cell; rounding (about 1e-15 of the box) is not included.
    """
    others = len(box.lower) - 1
    counts = [cells] * others if isinstance(cells, int) else list(cells)
    edges = [
        np.linspace(low, high, count + 1)
        for low, high, count in zip(box.lower[1:], box.upper[1:], counts, strict=True)
    ]
    corners = [
        np.stack([axis.ravel() for axis in np.meshgrid(*ends, indexing="ij")], axis=1)
        for ends in ([edge[:-1] for edge in edges], [edge[1:] for edge in edges])
    ]
    cell_size = math.prod(
        (high - low) / count
        for low, high, count in zip(box.lower[1:], box.upper[1:], counts, strict=True)
    )
    g_low, g_high = threshold.bounds(*corners)

    def width(g: Floats) -> Floats:
        return np.maximum(
            0, np.minimum(box.upper[0], g + 1 / rho) - np.maximum(box.lower[0], g - 1 / rho)
        )

    # As a function of g the width is concave where it is positive, and largest at the middle of
    # the box: on [g_low, g_high] it is smallest at an end, and largest nearest to the middle.
    middle = (box.lower[0] + box.upper[0]) / 2
    smallest = np.minimum(width(g_low), width(g_high))
    largest = width(np.clip(middle, g_low, g_high))
    return float(smallest.sum() * cell_size), float(largest.sum() * cell_size)


def budget(band: ArrayLike, volume: float) -> Floats:
    """Privacy budget of Theorem 4: ``1 / (mu(X) / mu(band) - 1)``.

    Parameters
    ----------
    band : array_like
        Size of the band, from 0 to ``volume``.
    volume : float
        Size of the box.

    Returns
    -------
    ndarray
        The budget epsilon, infinite where the band is the whole box.
    """
    band = np.asarray(band, dtype=float)
    with np.errstate(divide="ignore"):
        return band / (volume - band)


def privacy(reports: ArrayLike, decided: ArrayLike) -> Floats:
    """Privacy measure of Equation 9: ``h0(Y) - log mu([Y|p0] symmetric difference [Y|p1])``.

    Parameters
    ----------
    reports : array_like
        Size of the range of the reports, mu([Y]); mu([X]) gives the reading of Equation 9 under
        which the printed policy has the printed budget.
    decided : array_like
        Size of the reports from which the hypothesis is certain.

    Returns
    -------
    ndarray
        In nats.  A policy is epsilon-private if it is at least log(1 + epsilon) (Definition 3).
    """
    return np.log(np.asarray(reports, dtype=float)) - np.log(np.asarray(decided, dtype=float))


def _clipped(edge: Polynomial, at: float, bottom: float, top: float) -> Polynomial:
    """``clip(edge, bottom, top)`` on the piece that holds ``at``, where it is one polynomial."""
    value = edge(at)
    return edge if bottom <= value <= top else Polynomial([bottom if value < bottom else top])


def _real_roots(polynomial: Polynomial) -> list[float]:
    """Real parts of the (nearly) real roots; a superfluous one only cuts a piece in two."""
    roots = polynomial.trim().roots() if polynomial.degree() > 0 else np.array([])
    return [float(root.real) for root in roots if abs(root.imag) <= 1e-6 * max(1, abs(root))]
