"""Blurring: hide on which side of a threshold a record lies (``nsht``, Theorem 4).

A record ``x`` is a point of a box.  Its hypothesis is p0 where its *blurred coordinate* is at or
above a threshold of the others, ``x_i >= g(x_-i)``, and p1 below.  A policy with accuracy ``rho``
may move ``x_i`` by at most ``1/rho``, so all it can do happens in the *band*
``|x_i - g(x_-i)| <= 1/rho``.

1. :class:`PublicRange` is the public range of a record, with the blurred coordinate first.
2. :class:`PolynomialThreshold` is g.
3. :class:`Blurring` is what all policies share, and :class:`AffineBlurring` those that lay both
   sides of the threshold over each other.  The policies are the modules of :mod:`.policies`.
4. :func:`compute_band_measure` is the size of the band: exact for a polynomial threshold of one
   variable;
   :func:`bound_band_measure` encloses it for any other.
5. :func:`compute_budget` turns that size into the privacy budget of Theorem 4, and
   :func:`compute_privacy` into the measure of Equation 9 that the budget is said to bound.

*What a report hides.*  A record is *undecided* if a record of the other hypothesis has the same
report.  Equation 9 compares sizes of sets of reports, and says nothing of how many records are
undecided (:class:`~noiseless.mechanisms.policies.round.RoundBlurring`); the share of the range that
is undecided, and the number of people, do.  The proofs are in ``docs/proofs/nsht.md``.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import ArrayLike

from noiseless.arrays import Bools, Floats
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import (
    check_positive,
    convert_to_floats,
    convert_to_numbers,
    preserve_container,
    require_kind,
)

_MAX_EXACT_INTEGER = 2**53


@dataclass(frozen=True)
class PublicRange:
    """Public range of a record: a box whose first coordinate is the blurred one.

    Attributes
    ----------
    lower, upper : sequence of float, length d >= 2
        Ends of the closed interval of each coordinate, kept as tuples.

    Raises
    ------
    ConfigError
        If there are fewer than two coordinates, or an interval is empty or a single point.

    Examples
    --------
    Weight in kg, which is blurred, and height in cm:

    >>> PublicRange([40, 150], [140, 200]).volume
    5000
    """

    lower: Sequence[float]
    upper: Sequence[float]

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            object.__setattr__(
                self, name, convert_to_numbers(getattr(self, name), f"the {name} ends")
            )
        if len(self.lower) != len(self.upper) or len(self.lower) < 2:
            raise ConfigError(
                f"`lower` and `upper` of a public range must have one length of 2 or more, got "
                f"{self.lower} and {self.upper}. Give both ends of each coordinate."
            )
        for low, high in zip(self.lower, self.upper, strict=True):
            if not (math.isfinite(low) and math.isfinite(high) and low < high):
                raise ConfigError(f"[{low}, {high}] is not an interval: give its lower end first.")

    @property
    def volume(self) -> float:
        """Lebesgue measure of the box, in the product of its coordinates' units."""
        return math.prod(h - low for low, h in zip(self.lower, self.upper, strict=True))

    def check_records(self, records: Floats) -> None:
        """Check that all records, shape (n, d), lie in the box.

        Raises
        ------
        DataError
            Names the first record outside by its position (from 0), its values and the range.
        """
        if records.ndim != 2 or records.shape[1] != len(self.lower):
            raise DataError(
                f"records must have the shape (n, {len(self.lower)}), got {records.shape}. Give a "
                "row for each record, the blurred coordinate first."
            )
        inside = (records >= self.lower) & (records <= self.upper)  # False for NaN, too
        if not inside.all():
            row, column = np.argwhere(~inside)[0]
            raise DataError(
                f"record {row} has {records[row, column]} in coordinate {column}, outside the "
                f"public range [{self.lower[column]}, {self.upper[column]}]. "
                "Correct the record or widen the range in the configuration."
            )


class Threshold(Protocol):
    """Threshold g: a function of all coordinates but the blurred one."""

    def __call__(self, others: Floats) -> Floats:
        """Evaluate g at each row of ``others``, shape (n, d - 1); result of shape (n,)."""

    def bounds(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """Return lower and upper bounds of g, shape (n,) each, on n boxes with given corners."""


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
        """Numpy polynomial with the coefficients as floats."""
        return Polynomial([float(Fraction(c, self.denominator)) for c in self.numerators])

    @np.errstate(under="ignore", over="ignore")
    def __call__(self, others: Floats) -> Floats:
        """Evaluate the polynomial at each row of ``others``, shape (n, 1); result of shape (n,)."""
        return Polynomial(self.numerators)(others[:, 0]) / self.denominator

    def bounds(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """Return exact bounds on n intervals, from the values at ends and inner turning points."""
        values = [self(lower), self(upper)]
        for turn in _find_real_roots(self.polynomial.deriv()):
            inside = (lower[:, 0] < turn) & (turn < upper[:, 0])
            values.append(np.where(inside, self(np.array([[turn]])), values[0]))
        return np.min(values, axis=0), np.max(values, axis=0)


def build_polynomial_threshold(coefficients: Sequence[float]) -> PolynomialThreshold:
    """Build a polynomial threshold from the decimal coefficients of ``x^0, x^1, ...``.

    Raises
    ------
    ConfigError
        If they are no finite numbers, or have too many digits for floats to hold them over one
        denominator.

    Examples
    --------
    A body mass index of 30: weight in kg at 0.003 times the square of the height in cm.

    >>> build_polynomial_threshold([0, 0, 0.003])
    PolynomialThreshold(numerators=(0, 0, 3), denominator=1000)
    """
    coefficients = convert_to_numbers(coefficients, "the coefficients")
    if not coefficients or not all(map(math.isfinite, coefficients)):
        raise ConfigError(
            f"the coefficients must be one or more finite numbers, got {list(coefficients)}."
        )
    exact = [Fraction(str(each)) for each in coefficients]
    denominator = math.lcm(*(each.denominator for each in exact))
    numerators = tuple(int(each * denominator) for each in exact)
    if max(denominator, *map(abs, numerators)) >= _MAX_EXACT_INTEGER:
        raise ConfigError(
            f"the threshold's coefficients {list(coefficients)} have too many digits: together "
            "they must fit into 15."
        )
    return PolynomialThreshold(numerators, denominator)


@dataclass(frozen=True)
class Blurring:
    """Base class of blurring policies, which change ``x_i`` alone unless a subclass says otherwise.

    Attributes
    ----------
    threshold : Threshold
        Threshold g of the other coordinates.
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

    name: ClassVar[str]  # in tables; it keys random streams
    label: ClassVar[str]  # in figures
    colour: ClassVar[str] = "black"  # of :data:`noiseless.figures.style.COLOURS`
    dashes: ClassVar[str] = "-"  # line style of Matplotlib
    # Offset of the text with the largest changes from its line, in points; None: no text.
    note: ClassVar[tuple[int, int] | None] = None
    order: ClassVar[int] = 100  # in tables and figures
    # Another policy that leaves exactly these people undecided and shares its line, by name.
    same_people_as: ClassVar[str] = ""
    has_histograms: ClassVar[bool] = True  # whether a figure shows those of its reports
    is_compared: ClassVar[bool] = True  # in the tables of Figures 4 and 5
    moves_all: ClassVar[bool] = False  # whether the policy may change all coordinates
    # Whether reports increase along a line on either side of the threshold, so that a report has
    # one record on each side.
    increases: ClassVar[bool] = False
    reach: ClassVar[float]  # half-width, in steps of 1/rho, of the records it can leave undecided
    # Number of ends, on a line, of the intervals that all reports fill, and of the intervals of
    # proving reports.  A curve of reports counts as two ends.  None if no count of cells works.
    ends: ClassVar[tuple[int, int] | None] = None

    @classmethod
    def from_parameters(
        cls, threshold: PolynomialThreshold, box: PublicRange, rho: float, exchange: float
    ) -> Self:
        """Create the policy with the parameters that all experiments use.

        ``exchange`` is how many units of the blurred coordinate count as much as one unit of the
        other; only policies that change both use it.
        """
        return cls(threshold, box, rho)

    def __post_init__(self) -> None:
        if not callable(self.threshold):
            raise ConfigError(
                "`threshold` must be a function of the other coordinates, got "
                f"{type(self.threshold).__name__}. Give build_polynomial_threshold([...])."
            )
        require_kind("box", self.box, PublicRange, "a PublicRange")
        check_positive("the accuracy rho", self.rho)

    def is_p0(self, records: ArrayLike) -> Bools:
        """Return whether each record is at or above the threshold (hypothesis p0), shape (n,)."""
        records = convert_to_floats(records, "the records", is_complete=True)
        return records[:, 0] >= self.threshold(records[:, 1:])

    def is_in_band(self, records: ArrayLike) -> Bools:
        """Return whether each record lies in the closed band around the threshold, shape (n,)."""
        records = convert_to_floats(records, "the records", is_complete=True)
        return self._is_near(records[:, 0], self.threshold(records[:, 1:]))

    @preserve_container
    @np.errstate(under="ignore", over="ignore")
    def release(self, records: ArrayLike) -> Floats:
        """Blur records, shape (n, d); a DataFrame of records gives a DataFrame of reports.

        Parameters
        ----------
        records : array_like, shape (n, d)
            Points of the box, the blurred coordinate first.

        Returns
        -------
        ndarray, shape (n, d)
            The first coordinate is changed by at most ``1/rho``; everything else is returned as it
            is.

        Raises
        ------
        DataError
            If a record lies outside the box.
        """
        records = convert_to_floats(records, "the records")
        self.box.check_records(records)
        released = records.copy()
        released[:, 0] = self._blur_coordinate(records[:, 0], self.threshold(records[:, 1:]))
        return released

    @np.errstate(under="ignore", over="ignore")
    def release_lines(self, x: ArrayLike, others: ArrayLike) -> tuple[Floats, Bools, Bools]:
        """Release the records of several lines, finding the threshold of each line once.

        Blurred coordinates ``x``, shape (p,), are the same on each of n lines, whose ``others`` are
        (n, d - 1).  The reports' blurred coordinates, whether the records are p0, and whether the
        reports are decided have the shape (n, p).
        """
        g = self.threshold(convert_to_floats(others, "the other coordinates"))[:, None]
        x = np.broadcast_to(convert_to_floats(x), (len(g), np.size(x)))
        reports = self._blur_coordinate(x, g)
        return reports, x >= g, self._is_proof(reports, g)

    def _blur_coordinate(self, x: Floats, g: Floats) -> Floats:
        """Compute the reported coordinate of each record from its coordinate x and its threshold g.

        The records of a line may share one threshold: x of shape (n, p), g of shape (n, 1).
        """
        raise NotImplementedError

    @np.errstate(under="ignore", over="ignore")
    def is_decided(self, reports: ArrayLike) -> Bools:
        """Return whether each report proves its hypothesis to an adversary who knows the policy.

        It does not where records of both hypotheses give this report.
        """
        reports = convert_to_floats(reports, "the reports", is_complete=True)
        if reports.ndim != 2 or reports.shape[1] != len(self.box.lower):
            raise DataError(
                f"the reports must have the shape (n, {len(self.box.lower)}), got {reports.shape}."
            )
        return self._is_proof(reports[:, 0], self.threshold(reports[:, 1:]))

    def _is_proof(self, report: Floats, g: Floats) -> Bools:
        """Return whether each report comes from records of one side of the threshold only."""
        lower, upper = self.box.lower[0], self.box.upper[0]
        # Where p0 is only the end of the range, both sides share one report.  It is computed as in
        # `map_onto_band`, so that the floats are equal.
        point = np.clip(g - np.minimum((self.reach - 1) / self.rho, g - lower), lower, upper)
        is_shared = np.where(g < upper, self._is_near(report, g), report == point)
        return ~is_shared | ~self._has_both_sides(g)

    def _is_near(self, x: Floats, g: Floats) -> Bools:
        """Return whether each number x lies in the closed band ``[g - 1/rho, g + 1/rho]``."""
        # Computed like the reports themselves, so that reports at the edges are equal floats.
        return (g - 1 / self.rho <= x) & (x <= g + 1 / self.rho)

    def compute_distance(self, records: ArrayLike) -> Floats:
        """Compute the distance of each record from the threshold along ``x_i``, shape (n,).

        Infinite where the class has no record of the other hypothesis to reach.
        """
        records = convert_to_floats(records, "the records", is_complete=True)
        g = self.threshold(records[:, 1:])
        return np.where(self._has_both_sides(g), np.abs(records[:, 0] - g), np.inf)

    @np.errstate(under="ignore", over="ignore")
    def can_be_undecided(self, records: ArrayLike) -> Bools:
        """Return whether some policy of this class and accuracy can leave each record undecided.

        Two records with one report lie within ``2/rho`` of each other.  A record at or above the
        threshold does not reach a record of the other hypothesis at a distance of exactly
        ``2/rho``, because p1 does not hold the threshold.
        """
        distance = self.compute_distance(records)
        limit = 2 / self.rho
        return np.where(self.is_p0(records), distance < limit, distance <= limit)

    def _has_both_sides(self, g: Floats) -> Bools:
        """Return whether the range has records on both sides of each threshold g."""
        # At the upper end, p0 still has that end; at the lower end, p1 is empty.
        return (self.box.lower[0] < g) & (g <= self.box.upper[0])

    @property
    def stretched(self) -> float:
        """Shortest interval that is stretched over the band, as a share of one side; 0 for none."""
        return 1.0

    def compute_sizes(self) -> tuple[float, float, float]:
        """Compute the sizes of undecided records, of all reports, and of reports that prove a side.

        They are in the product of the two coordinates' units, for a polynomial threshold.
        """
        if self.is_upper_end:
            rest = self.box.volume - self.compute_band_size(self.reach)
            return self.box.volume - rest, rest, rest
        return self._compute_two_sided_sizes()

    def _compute_two_sided_sizes(self) -> tuple[float, float, float]:
        """Compute the numbers of :meth:`compute_sizes` for a threshold below the range's end."""
        raise NotImplementedError(f"the policy {self.name} defines no sizes")

    @property
    def is_upper_end(self) -> bool:
        """Whether the threshold equals the range's upper end at all other coordinates.

        Then p0 is a curve, and so are the reports that all who can be undecided share with it.
        """
        ends = (np.array([[end[1]]], dtype=float) for end in (self.box.lower, self.box.upper))
        return all(bound == self.box.upper[0] for bound in self.threshold.bounds(*ends))

    def compute_band_size(self, reach: float = 1, *, two_sided: bool = False) -> float:
        """Compute the size of the band of half-width ``reach/rho`` around the threshold."""
        if not isinstance(self.threshold, PolynomialThreshold):
            raise ConfigError(
                f"`threshold` must be a PolynomialThreshold, got {type(self.threshold).__name__}. "
                "Call `bound_band_measure` for the band of any other threshold."
            )
        return _compute_band_cached(self.threshold, self.box, self.rho / reach, two_sided=two_sided)


class AffineBlurring(Blurring):
    """Policy that maps both sides of an interval around the threshold affinely onto the band.

    On each line (fixed ``x_-i``) the band is ``[g - 1/rho, g + 1/rho]`` and the source is
    ``[g - r/rho, g + r/rho]``, r the reach, both cut to the box.  Where the threshold is the upper
    end of the box, the source has one report.  A line on which the threshold is outside the box, or
    its lower end, has one side only; nothing moves there.
    """

    def _blur_coordinate(self, x: Floats, g: Floats) -> Floats:
        """Compute the reported coordinate of each record by :func:`map_onto_band`."""
        lower, upper = self.box.lower[0], self.box.upper[0]
        offset, above = x - g, upper - g
        # A value below the end of the box stays below it, even if the difference rounds up.
        inside = np.minimum(offset, np.nextafter(above, -np.inf))
        offset = np.where(x < upper, inside, offset)
        placed = map_onto_band(offset, g - lower, above, step=1 / self.rho, reach=self.reach)
        moved = np.clip(g + placed, lower, upper)
        return np.where(self._has_both_sides(g) & (placed != offset), moved, x)


def map_onto_band(
    offset: Floats, below: Floats, above: Floats, *, step: float, reach: float
) -> Floats:
    """Map both sides of an interval around the threshold affinely onto the band.

    ``offset`` is the signed distance of each record from the threshold, from ``-below`` to
    ``above``; 0 and larger is p0.  ``step`` is the half-width of the band and the largest change,
    1/rho, and ``reach`` that of the source in steps; from 1 to 2.

    With T = min(reach step, above) and S = min(reach step, below), ``[0, T)`` and ``[-S, 0)`` are
    mapped affinely onto ``[-min(step, below), min(step, above))``.  The point T itself, whose image
    p1 does not reach, moves down by ``step`` instead if that is in the band.  Everything else
    stays.

    Where ``above`` is 0, p0 is one point of the line and has one report.  All of ``[-S, 0]`` is
    then reported at one point, ``-min((reach - 1) step, below)``, which is at most ``step`` from
    both its ends.

    An affine map moves an end of its interval the furthest.  0 moves by min(step, below) to the
    lower end, and by min(step, above) to the upper one.  T moves by T - min(step, above), which is
    (reach - 1) step at most, and so does -S.
    """
    low, high = -np.minimum(step, below), np.minimum(step, above)
    upper, lower = np.minimum(reach * step, above), np.minimum(reach * step, below)
    is_p0 = offset >= 0
    start = np.where(is_p0, 0.0, -lower)
    # A record without room on its side is not in the source, so its share is never used.
    room_above, room_below = (np.where(each > 0, each, 1.0) for each in (upper, lower))
    share = (offset - start) / np.where(is_p0, room_above, room_below)
    # Offsets beyond the source are not mapped; clipping them avoids an overflow.
    mapped = low + np.clip(share, 0.0, 1.0) * (high - low)
    source = np.where(is_p0, offset < upper, offset >= -lower)
    last = np.maximum(upper - step, low)
    stays = np.where((offset == upper) & (last < high), last, offset)
    is_end = (above == 0) & (offset >= -lower)
    point = -np.minimum((reach - 1) * step, below)
    return np.where(is_end, point, np.where(source, mapped, stays))


def compute_band_measure(
    threshold: PolynomialThreshold, box: PublicRange, rho: float, *, two_sided: bool = False
) -> float:
    """Compute the exact size of the band in a box of two coordinates, for a polynomial threshold.

    The width of the band at ``t`` is ``clip(g(t) + 1/rho) - clip(g(t) - 1/rho)``, both clipped to
    the interval of the blurred coordinate: a polynomial between the points where ``g +- 1/rho``
    meets an end of that interval.  It is integrated there by its antiderivative, so that the only
    error is the rounding of the arithmetic.  A ``two_sided`` band has only those lines on which the
    threshold is inside the interval, so that it has a record of either hypothesis.
    """
    if len(box.lower) != 2:
        raise ConfigError(
            f"`box` must have 2 coordinates for a polynomial threshold, got {len(box.lower)}. Call "
            "`bound_band_measure` for more."
        )
    (bottom, start), (top, stop) = box.lower, box.upper
    g = threshold.polynomial
    edges = [g - 1 / rho, g + 1 / rho]
    cuts = {start, stop}
    for edge in (*edges, g):
        for end in (bottom, top):
            cuts.update(t for t in _find_real_roots(edge - end) if start < t < stop)
    pieces = sorted(cuts)
    total = 0.0
    for left, right in itertools.pairwise(pieces):
        middle = (left + right) / 2
        if two_sided and not bottom < g(middle) < top:
            continue
        lower, upper = (_clip_polynomial(edge, middle, bottom, top) for edge in edges)
        area = (upper - lower).integ()
        total += float(area(right) - area(left))
    return total


def measure_lines_with_room(threshold: PolynomialThreshold, box: PublicRange, room: float) -> float:
    """Compute the length of the other coordinate where the threshold has room on both sides."""
    (bottom, start), (top, stop) = box.lower, box.upper
    g = threshold.polynomial
    ends = bottom + room, top - room
    cuts = {
        start,
        stop,
        *(t for end in ends for t in _find_real_roots(g - end) if start < t < stop),
    }
    pieces = itertools.pairwise(sorted(cuts))
    return sum(
        right - left for left, right in pieces if ends[0] <= g((left + right) / 2) <= ends[1]
    )


@lru_cache(maxsize=1024)
def _compute_band_cached(
    threshold: PolynomialThreshold, box: PublicRange, rho: float, *, two_sided: bool = False
) -> float:
    """Compute :func:`compute_band_measure` once per arguments; all policies share the result."""
    return compute_band_measure(threshold, box, rho, two_sided=two_sided)


def bound_band_measure(
    threshold: Threshold, box: PublicRange, rho: float, cells: int | Sequence[int]
) -> tuple[float, float]:
    """Bound the size of the band from below and above, for any threshold.

    The unblurred coordinates are cut into equal ``cells``; on each, the width of the band lies
    between its smallest and largest value over the range of g there.  The distance of the bounds
    falls in proportion to the size of a cell; rounding (about 1e-15 of the box) is not included.
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

    def compute_width(g: Floats) -> Floats:
        """Compute the width of the band, clipped to the box, at threshold values g."""
        return np.maximum(
            0, np.minimum(box.upper[0], g + 1 / rho) - np.maximum(box.lower[0], g - 1 / rho)
        )

    # As a function of g the width is concave where it is positive, and largest at the middle of
    # the box: on [g_low, g_high] it is smallest at an end, and largest nearest to the middle.
    middle = (box.lower[0] + box.upper[0]) / 2
    smallest = np.minimum(compute_width(g_low), compute_width(g_high))
    largest = compute_width(np.clip(middle, g_low, g_high))
    return float(smallest.sum() * cell_size), float(largest.sum() * cell_size)


def compute_budget(band: ArrayLike, volume: float) -> Floats:
    """Compute the privacy budget of Theorem 4: ``1 / (mu(X) / mu(band) - 1)``.

    It is infinite where the band is the whole box.
    """
    band = convert_to_floats(band, "the sizes of the band")
    with np.errstate(divide="ignore"):
        return band / (volume - band)


def compute_privacy(reports: ArrayLike, decided: ArrayLike) -> Floats:
    """Compute the measure of Equation 9: ``h0(Y) - log mu([Y|p0] symmetric difference [Y|p1])``.

    In nats, ``reports`` is mu([Y]); mu([X]) gives the reading of Equation 9 under which the printed
    policy has the printed budget.  ``decided`` is the size of the reports from which the hypothesis
    is certain.  A policy is epsilon-private if the measure is at least log(1 + epsilon) (Definition
    3).
    """
    return np.log(convert_to_floats(reports, "the sizes")) - np.log(
        convert_to_floats(decided, "the sizes")
    )


def _clip_polynomial(edge: Polynomial, at: float, bottom: float, top: float) -> Polynomial:
    """Return ``clip(edge, bottom, top)`` as the polynomial that it equals around ``at``."""
    value = edge(at)
    return edge if bottom <= value <= top else Polynomial([bottom if value < bottom else top])


def _find_real_roots(polynomial: Polynomial) -> list[float]:
    """Return real parts of the nearly real roots; an additional one only splits an interval."""
    roots = polynomial.trim().roots() if polynomial.degree() > 0 else np.array([])
    return [float(root.real) for root in roots if abs(root.imag) <= 1e-6 * max(1, abs(root))]
