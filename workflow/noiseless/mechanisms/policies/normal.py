"""Blurring under a norm of the complete record: move along the normals of the threshold.

Definition 4 of ``nsht`` bounds the norm of ``x - g_Y(x)``.  Two records with one report lie within
``2/rho`` of each other in that norm, so a record can stay undecided only if the other hypothesis
holds somewhere within ``2/rho`` of it.  Moving ``x_i`` alone does not reach all of these;
moving along the normals of the threshold does.

1. *A norm over two units* needs a rate of exchange: how many units of x1 (kg) count as much as
   one unit of x2 (cm).  Distances are in units of x1.  The larger the rate, the dearer a change of
   x2; in the limit only x1 may change (:class:`~noiseless.OverlayBlurring`).
2. *The foot* of a record is the point of the threshold that is nearest to it: its coordinate t is a
   root of a polynomial.  All records with one foot lie on the normal there.
3. *The room* of a normal on either side ends at the box, or where another point of the threshold
   becomes nearer: at the centre of the smallest circle that touches the threshold in the foot and
   in a second point.
4. On each normal both sides are laid over each other, as
   :func:`~noiseless.mechanisms.blurring.map_onto_band` does on a line of the blurred coordinate.

A record whose foot lies outside the box is reported as it is.
"""

from dataclasses import dataclass
from math import comb
from typing import Self

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import ArrayLike

from noiseless.arrays import Bools, Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.blurring import Blurring, PolynomialThreshold, PublicRange, map_onto_band
from noiseless.mechanisms.containers import convert_to_floats

# Tolerance as a share of the step: the foot of a report is found up to rounding, and the nearest
# other reports are a step away.
_ROUNDING = 1e-7
_QUADRATURE_POINTS = 4000  # points of the midpoint rule; its error is below 1e-6 of the range


@dataclass(frozen=True)
class NearestPoints:
    """Nearest points on the threshold (feet) of n records, and the distances to them.

    The foot has x2 = t, and the distance is in units of x1.
    """

    t: Floats
    distance: Floats


@dataclass(frozen=True)
class NormalBlurring(Blurring):
    """Overlay policy along the normals of the threshold, which changes both coordinates.

    Every record within ``2/rho`` of the threshold (:meth:`can_be_undecided`) stays undecided, but
    for those whose normal leaves the box, or the reach of the threshold, too early on the other
    side. ``exchange`` is how many units of x1 count as much as one unit of x2; records have two
    coordinates and the threshold is a polynomial.
    """

    threshold: PolynomialThreshold
    exchange: float = 1.0

    name, label = "normal", "along normals (both numbers change)"
    colour, dashes, order = "black", "-", 5
    moves_all = True
    reach = 2

    @classmethod
    def from_parameters(
        cls, threshold: PolynomialThreshold, box: PublicRange, rho: float, exchange: float
    ) -> Self:
        """Create the policy with the rate of exchange of the two coordinates."""
        return cls(threshold, box, rho, exchange)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.exchange) and self.exchange > 0):
            raise ConfigError(
                f"the rate of exchange is {self.exchange}, but it must be larger than 0."
            )
        if len(self.box.lower) != 2 or not isinstance(self.threshold, PolynomialThreshold):
            raise ConfigError(
                "blurring along normals needs a PolynomialThreshold and a `box` of 2 coordinates, "
                f"got {type(self.threshold).__name__} and {len(self.box.lower)} coordinates."
            )

    def release(self, records: ArrayLike) -> Floats:
        """Blur records of the box, shape (n, 2), along normals, by at most ``1/rho``."""
        records = convert_to_floats(records, "the records")
        self.box.check_records(records)
        feet = self.find_nearest_points(records)
        offset = np.where(self.is_p0(records), feet.distance, -feet.distance)
        below, above, both_sides = self.compute_rooms(feet.t)
        # The room itself may be off by rounding: no record lies beyond it.
        below, above = np.maximum(below, -offset), np.maximum(above, offset)
        moved = map_onto_band(offset, below, above, step=1 / self.rho, reach=self.reach)
        change = np.where(both_sides, moved - offset, 0.0)
        return records + change[:, None] * self._compute_direction(feet.t)

    def is_decided(self, reports: ArrayLike) -> Bools:
        """Return whether each report, moved along a normal, proves its hypothesis."""
        reports = convert_to_floats(reports, "the reports", is_complete=True)
        step = 1 / self.rho
        feet = self.find_nearest_points(reports)
        below, above, both_sides = self.compute_rooms(feet.t)
        # Without room above, the foot is all of p0, and one report of the normal is shared.
        from_point = np.abs(feet.distance - np.minimum((self.reach - 1) * step, below))
        is_far = np.where(
            above > 0, feet.distance > step * (1 + _ROUNDING), from_point > step * _ROUNDING
        )
        return ~both_sides | is_far

    def _compute_two_sided_sizes(self) -> tuple[float, float, float]:
        """Compute the sizes of undecided records, of all reports, and of proving reports."""
        undecided, reports = compute_normal_measures(self, points=_QUADRATURE_POINTS)
        volume = self.box.volume
        return undecided, volume - undecided + reports, volume - undecided

    def compute_distance(self, records: ArrayLike) -> Floats:
        """Compute the distance of each record from the threshold in units of x1, shape (n,)."""
        return self.find_nearest_points(
            convert_to_floats(records, "the records", is_complete=True)
        ).distance

    def find_nearest_points(self, records: Floats) -> NearestPoints:
        """Find the nearest points of the threshold (over all x2) to records, shape (n, 2)."""
        g, k2 = self.threshold.polynomial, self.exchange**2
        x1, x2 = records.T
        # (g(t) - x1) g'(t) + k^2 (t - x2) = 0, in t - x2, so that roots are small numbers.
        taylor = _expand_polynomial(g, x2)
        slope = _differentiate_polynomials(taylor)
        height = taylor.copy()
        height[:, 0] -= x1
        condition = _multiply_polynomials(height, slope)
        condition = _add_polynomials(condition, np.broadcast_to([0.0, k2], (len(x1), 2)))
        shifts = _compute_root_real_parts(condition)
        squared = _evaluate_polynomials(height, shifts) ** 2 + k2 * shifts**2
        best = squared.argmin(axis=1)[:, None]
        return NearestPoints(
            x2 + np.take_along_axis(shifts, best, 1)[:, 0],
            np.sqrt(np.take_along_axis(squared, best, 1)[:, 0]),
        )

    def compute_rooms(self, t: Floats) -> tuple[Floats, Floats, Bools]:
        """Compute the length (units of x1) of the normals of feet t below and above the threshold.

        The third result is whether the foot is in the box, with room on either side.
        """
        foot = np.stack([self.threshold(t[:, None]), t], axis=1)
        lower, upper = np.array(self.box.lower), np.array(self.box.upper)
        inside = ((foot >= lower) & (foot <= upper)).all(axis=1)
        direction = self._compute_direction(t)
        reach_below, reach_above = self._compute_touching_radii(t)
        above = np.minimum(_compute_ray_lengths(foot, direction, lower, upper), reach_above)
        below = np.minimum(_compute_ray_lengths(foot, -direction, lower, upper), reach_below)
        both_sides = inside & (above >= 0) & (below > 0)
        return np.where(both_sides, below, 0.0), np.where(both_sides, above, 0.0), both_sides

    def _compute_direction(self, t: Floats) -> Floats:
        """Compute the change (x1, x2), shape (n, 2), of one step along the normal to p0."""
        slope = self.threshold.polynomial.deriv()(t)
        length = np.hypot(self.exchange, slope)
        return np.stack([self.exchange / length, -slope / (length * self.exchange)], axis=1)

    def _compute_touching_radii(self, t: Floats) -> tuple[Floats, Floats]:
        """Compute the radii of the smallest circles through t and another threshold point.

        A circle on the normal that goes through the point a distance D along x2 away has the radius
        ``(m^2 + k^2) sqrt(k^2 + c1^2) / (2 k r)``, with m = (g(t + D) - g(t))/D, c1 = g'(t) and
        r = (m - c1)/D: above the threshold where r > 0, and below it where r < 0.
        """
        taylor, k = _expand_polynomial(self.threshold.polynomial, t), self.exchange
        if taylor.shape[1] <= 2:  # a line: normals never meet
            return np.full_like(t, np.inf), np.full_like(t, np.inf)
        m, r = taylor[:, 1:], taylor[:, 2:]
        square = _add_polynomials(_multiply_polynomials(m, m), np.broadcast_to([k**2], (len(t), 1)))
        # Its turning points: (m^2 + k^2)' r = (m^2 + k^2) r'.
        condition = _add_polynomials(
            _multiply_polynomials(_differentiate_polynomials(square), r),
            -_multiply_polynomials(square, _differentiate_polynomials(r)),
        )
        at = _compute_root_real_parts(condition)
        with np.errstate(divide="ignore"):
            radius = (
                _evaluate_polynomials(square, at)
                * np.hypot(k, taylor[:, 1])[:, None]
                / (2 * k * _evaluate_polynomials(r, at))
            )
        above = np.where(radius > 0, radius, np.inf).min(axis=1)
        below = np.where(radius < 0, -radius, np.inf).min(axis=1)
        return below, above


def compute_normal_measures(blurring: NormalBlurring, *, points: int) -> tuple[float, float]:
    """Compute the sizes of the records left undecided along normals and of their reports.

    On the normal of a foot t an area is ``ds (1 - s curvature) dlength``; integrated over the
    offset s in closed form, and over t by the midpoint rule of some points.
    """
    (_, start), (_, stop) = blurring.box.lower, blurring.box.upper
    t = start + (stop - start) * (np.arange(points) + 0.5) / points
    below, above, both_sides = blurring.compute_rooms(t)
    g, k = blurring.threshold.polynomial, blurring.exchange
    slope, bend = g.deriv()(t), g.deriv(2)(t)
    length = np.hypot(k, slope)
    # The curvature of (k t, g(t)), positive where the curve bends towards p0.
    curvature = k * bend / length**3
    sizes = []
    for reach in (2, 1):
        upper = np.minimum(reach / blurring.rho, above)
        lower = np.minimum(reach / blurring.rho, below)
        widths = upper + lower - curvature * (upper**2 - lower**2) / 2
        area = np.where(both_sides, widths * length, 0.0).mean() * (stop - start)
        sizes.append(float(area / k))  # a length along x2 counts k times in the norm
    return sizes[0], sizes[1]


def _compute_ray_lengths(foot: Floats, direction: Floats, lower: Floats, upper: Floats) -> Floats:
    """Compute the length of each ray from a foot in the box; at most 0 if it leaves at once."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.where(direction > 0, upper - foot, lower - foot) / direction
    return np.where(direction == 0, np.inf, ends).min(axis=1)


# Polynomials of many points at once: coefficients of x^0, x^1, ... along axis 1.


def _expand_polynomial(g: Polynomial, t: Floats) -> Floats:
    """Compute the coefficients of g(t + D) in D, shape (n, degree + 1)."""
    coefficients = g.trim().coef
    degree = len(coefficients) - 1
    powers = t[:, None] ** np.arange(degree + 1)
    return np.stack(
        [
            sum(coefficients[j] * comb(j, k) * powers[:, j - k] for j in range(k, degree + 1))
            for k in range(degree + 1)
        ],
        axis=1,
    )


def _multiply_polynomials(first: Floats, second: Floats) -> Floats:
    """Multiply polynomials row by row, given their coefficients."""
    product = np.zeros((len(first), first.shape[1] + second.shape[1] - 1))
    for power in range(first.shape[1]):
        product[:, power : power + second.shape[1]] += first[:, power, None] * second
    return product


def _add_polynomials(first: Floats, second: Floats) -> Floats:
    """Add polynomials row by row, given their coefficients."""
    total = np.zeros((len(first), max(first.shape[1], second.shape[1])))
    total[:, : first.shape[1]] += first
    total[:, : second.shape[1]] += second
    return total


def _differentiate_polynomials(coefficients: Floats) -> Floats:
    """Differentiate polynomials row by row, given their coefficients."""
    if coefficients.shape[1] == 1:
        return np.zeros_like(coefficients)
    return coefficients[:, 1:] * np.arange(1, coefficients.shape[1])


def _evaluate_polynomials(coefficients: Floats, at: Floats) -> Floats:
    """Evaluate the polynomial of each row at m points, shape (n, m)."""
    value = np.zeros_like(at)
    for power in reversed(range(coefficients.shape[1])):
        value = value * at + coefficients[:, power, None]
    return value


def _compute_root_real_parts(coefficients: Floats) -> Floats:
    """Compute real parts of all roots, shape (n, degree); some are not real roots."""
    while coefficients.shape[1] > 1 and not coefficients[:, -1].any():
        coefficients = coefficients[:, :-1]
    degree = coefficients.shape[1] - 1
    companion = np.zeros((len(coefficients), degree, degree))
    companion[:, 1:, :-1] = np.eye(degree - 1)
    companion[:, :, -1] = -coefficients[:, :-1] / coefficients[:, -1:]
    roots = np.linalg.eigvals(companion).real if degree else np.zeros((len(coefficients), 1))
    slope, bend = (
        _differentiate_polynomials(coefficients),
        _differentiate_polynomials(_differentiate_polynomials(coefficients)),
    )
    for _ in range(2):  # Halley's method: eigenvalues are a few digits short
        value, first, second = (
            _evaluate_polynomials(each, roots) for each in (coefficients, slope, bend)
        )
        below = 2 * first**2 - value * second
        change = np.divide(2 * value * first, below, out=np.zeros_like(value), where=below != 0)
        roots = roots - change
    return roots


POLICY = NormalBlurring
