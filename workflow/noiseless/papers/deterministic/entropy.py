"""Entropies of ``deterministic``, Section II: extrema over reports, coverings, joint entropies.

All numbers but the logarithms are exact.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from noiseless.papers.deterministic.groupings import iterate_subsets
from noiseless.statements import universe
from noiseless.theory.geometry import compute_log_measure
from noiseless.theory.intervals import BoxUnion, IntervalUnion

Extrema = Literal["essential", "plain"]
Reading = Literal["essential", "plain", "data"]
Value = float | Fraction
Level = tuple[Value, Fraction]  # a value, and the measure of the set on which a function takes it

_LEVELS = 4  # number of levels of the quantizer whose d_min is computed


@dataclass(frozen=True)
class ReportGroup:
    """Group of reports that leave sets of equal shape open, such as the reports of a map's piece.

    Measures are Lebesgue's: of these reports, and of the data that have them.
    """

    measure: Fraction
    data: Fraction
    left_open: IntervalUnion  # the set [X|y] that one report leaves open
    report_error: Fraction = Fraction(0)  # |y - g(y)|, of the answer from its image by a map g


def compute_extrema(reading: Reading) -> dict[str, Value]:
    """Compute Equations 2, 4, 7 and 13b in a reading of their suprema and infima.

    The readings: ``essential``, as printed; ``plain``; and ``data``, essential over reports, which
    are measured by the data that have them, and plain over the data that a report leaves open.

    The data lie in [0, 1]. Example II.1 has the query f, the identity below 1/2 and 1 above, and
    the estimate 3/4 for the report 1. Its reports below 1/2 have the measure 1/2 and leave one
    point open each; the report 1 has measure zero and leaves an interval open. ``h0_nats``
    (Equation 2), ``d_max`` (Equation 4) and ``d_min_example`` (Equation 7) are those of this
    example, ``d_min`` (Equation 7) is that of the quantizer of [0, 1] with four levels, and
    ``error_of_reports`` is 1/Q by Equation 13b of the example processed by the map g that is the
    identity below 1/2 and takes 1 to 0.
    """
    half, zero = Fraction(1, 2), Fraction(0)
    example = [
        ReportGroup(half, half, IntervalUnion.from_intervals((0, 0))),
        ReportGroup(zero, half, IntervalUnion.from_intervals((half, 1)), report_error=Fraction(1)),
    ]
    quantizer = [
        ReportGroup(zero, Fraction(1, _LEVELS), IntervalUnion.from_intervals(edges))
        for edges in itertools.pairwise(Fraction(k, _LEVELS) for k in range(_LEVELS + 1))
    ]
    outer: Extrema = "plain" if reading == "plain" else "essential"
    inner: Extrema = "essential" if reading == "essential" else "plain"
    h0 = [compute_log_measure(each.left_open.measure) for each in example]
    errors = _list_levels(_compute_report_errors(example, inner), example, reading)
    of_quantizer = _list_levels(_compute_report_errors(quantizer, inner), quantizer, reading)
    report_errors = _list_levels([each.report_error for each in example], example, reading)
    return {
        "h0_nats": compute_supremum(_list_levels(h0, example, reading), outer),
        "d_max": compute_supremum(errors, outer),
        "d_min_example": compute_infimum(errors, outer),
        "d_min": compute_infimum(of_quantizer, outer),
        "error_of_reports": compute_supremum(report_errors, outer),
    }


def _list_levels(
    values: Iterable[Value], reports: Sequence[ReportGroup], reading: str
) -> list[Level]:
    """List the value of each report group with the measure of its reports, or of its data."""
    return [
        (value, each.data if reading == "data" else each.measure)
        for value, each in zip(values, reports, strict=True)
    ]


def _compute_report_errors(reports: Sequence[ReportGroup], extrema: Extrema) -> list[Value]:
    """Compute the best estimate's largest error for each report group (inner supremum, Eqs 4, 7).

    The essential supremum over a set of measure zero is minus infinity.
    """
    return [
        compute_supremum([(each.left_open.unbiased_radius, each.left_open.measure)], extrema)
        for each in reports
    ]


def compute_supremum(levels: Iterable[Level], extrema: Extrema) -> Value:
    """Compute the supremum of a function with finitely many values; -inf if there are none.

    Each level is a value, and the Lebesgue measure of the set on which the function takes it. The
    essential supremum, inf{b : mu(f > b) = 0}, ignores the values on sets of measure zero.
    """
    values = [value for value, measure in levels if measure > 0 or extrema == "plain"]
    return max(values, default=-math.inf)


def compute_infimum(levels: Iterable[Level], extrema: Extrema) -> Value:
    """Compute the infimum as minus the supremum of -f; see :func:`compute_supremum`."""
    return -compute_supremum([(-value, measure) for value, measure in levels], extrema)


def count_covering_sets(occupied: IntervalUnion, diameter: Fraction) -> int:
    """Count the fewest sets of a positive diameter that cover a nonempty union of closed intervals.

    The sets are placed from the left: the lowest uncovered point needs a set, and no set that holds
    it reaches further right than the interval of that length which starts there.
    """
    sets = 0
    covered: Value = -math.inf  # right end of the covered part
    for low, high in occupied.parts:
        start = max(low, covered)
        needed = math.ceil((high - start) / diameter)
        needed = max(needed, 1 if covered < low else 0)
        if needed:
            sets, covered = sets + needed, start + needed * diameter
    return sets


def compute_joint_entropies(levels: int) -> tuple[float, float]:
    """Compute h0(Y) and h0(X, Y), in nats, of data on [0, 1] and the reports of a quantizer."""
    edges = [Fraction(k, levels) for k in range(levels + 1)]
    joint = BoxUnion.from_boxes(
        *(((low, high), ((low + high) / 2,) * 2) for low, high in itertools.pairwise(edges))
    )
    reports = BoxUnion.from_boxes(*((box[1],) for box in joint.boxes))
    return compute_log_measure(reports.measure), compute_log_measure(joint.measure)


@dataclass(frozen=True)
class Covering:
    """Covering of a set of some measure by ``sets`` of the diameter 2 epsilon (``radius``)."""

    held: str
    measure: Fraction
    dimensions: int
    shortest_side: Fraction | None  # of a box
    radius: Fraction
    sets: int

    def list_numbers(self) -> Mapping[str, Any]:
        """List the set, epsilon and the number of covering sets."""
        return {"[X]": self.held, "epsilon": self.radius, "covering sets": self.sets}


@universe()
def coverings() -> list[Covering]:
    """List coverings of unions of eight cells of a line, and of boxes of one to three dimensions.

    Of boxes in the maximum norm, in which a set has the diameter 2 epsilon if it fits into a cube
    of that side.
    """
    radii = [Fraction(k, 4) for k in (1, 2, 3, 4, 6, 8)]
    lengths = [Fraction(k, 4) for k in range(1, 13)]
    found = []
    for cells in iterate_subsets(8):
        held = IntervalUnion.from_intervals(*((k, k + 1) for k in cells))
        name = " and ".join(f"[{low}, {high}]" for low, high in held.parts)
        for radius in radii:
            sets = count_covering_sets(held, 2 * radius)
            found.append(Covering(name, held.measure, 1, None, radius, sets))
    # Sets along one side.  Points more than 2 epsilon apart prove that fewer cubes do not suffice.
    along = {
        (side, radius): count_covering_sets(IntervalUnion.from_intervals((0, side)), 2 * radius)
        for side, radius in itertools.product(lengths, radii)
    }
    for n, radius in itertools.product((1, 2, 3), radii):
        for sides in itertools.combinations_with_replacement(lengths, n):
            sets = math.prod(along[side, radius] for side in sides)
            name = f"a box of {' x '.join(map(str, sides))}"
            measure = math.prod(sides, start=Fraction(1))
            found.append(Covering(name, measure, n, min(sides), radius, sets))
    return found
