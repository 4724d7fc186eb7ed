"""Entropies of ``deterministic``, as printed (Section II and Proposition III.1).

1. :func:`build_extrema_table`: Equations 2, 4, 7 and 13b, which take essential suprema and infima
   over reports, on the examples that the paper gives for them; with plain suprema and infima; and
   with essential ones for which reports weigh what the data that have them do.
2. :func:`build_covering_table`: the two inequalities between entropy and epsilon-entropy of Remark
   II.1.
3. :func:`build_joint_table`: the joint entropy of data and reports, which Equation 8 needs.

All numbers but the logarithms are exact.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import pandas as pd

from noiseless.tables import Rows, returns_table
from noiseless.theory.enumeration import StatementCounts, StatementSides
from noiseless.theory.geometry import compute_log_measure
from noiseless.theory.intervals import BoxUnion, IntervalUnion

Extrema = Literal["essential", "plain"]
Value = float | Fraction
Level = tuple[Value, Fraction]  # a value, and the measure of the set on which a function takes it

_LEVELS = 4  # number of levels of the quantizer whose d_min is computed
_CELLS = 8  # number of unit cells whose unions are covered
_RADII = tuple(Fraction(k, 4) for k in (1, 2, 3, 4, 6, 8))  # values of epsilon, in cells
_SIDES = tuple(Fraction(k, 4) for k in range(1, 13))  # sides of the covered boxes, in cells


def build_entropy_tables() -> dict[str, pd.DataFrame]:
    """Build the three tables of this module, by name."""
    return {
        "extrema": build_extrema_table(),
        "covering": build_covering_table(),
        "joint": build_joint_table(),
    }


@dataclass(frozen=True)
class ReportGroup:
    """Group of reports that leave sets of equal shape open, such as the reports of a map's piece.

    Attributes
    ----------
    measure : Fraction
        Lebesgue measure of the set of these reports.
    data : Fraction
        Lebesgue measure of the set of the data that have these reports.
    left_open : IntervalUnion
        Set [X|y] that one report leaves open.
    report_error : Fraction
        Distance |y - g(y)| of the answer from its image by a further map g.
    """

    measure: Fraction
    data: Fraction
    left_open: IntervalUnion
    report_error: Fraction = Fraction(0)


@returns_table("reading")
def build_extrema_table() -> Rows:
    """Build the table of Equations 2, 4, 7 and 13b by three readings of their suprema and infima.

    The data lie in [0, 1].  Example II.1 has the query f, the identity below 1/2 and 1 above, and
    the estimate 3/4 for the report 1.  Its reports below 1/2 have the measure 1/2 and leave one
    point open each; the report 1 has measure zero and leaves an interval open.

    Returns
    -------
    DataFrame
        Cells (reading,): ``essential`` as printed; ``plain``; or ``data``, essential over reports,
        which are measured by the data that have them, and plain over the data that a report leaves
        open.  Statistics: ``h0_nats`` (Equation 2), ``d_max`` (Equation 4) and ``d_min_example``
        (Equation 7) of Example II.1; ``d_min`` (Equation 7) of the quantizer of [0, 1] with four
        levels; ``error_of_reports``, 1/Q by Equation 13b, where Example II.1 is processed by the
        map g that is the identity below 1/2 and takes 1 to 0; and 1/Q of that example by
        Equation 11, ``error_of_data``.
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
    for reading in ("essential", "plain", "data"):
        outer: Extrema = "plain" if reading == "plain" else "essential"
        inner: Extrema = "essential" if reading == "essential" else "plain"
        h0 = [compute_log_measure(each.left_open.measure) for each in example]
        errors = _compute_report_errors(example, inner)
        report_errors = [each.report_error for each in example]
        yield {
            "reading": reading,
            "h0_nats": compute_supremum(_list_levels(h0, example, reading), outer),
            "d_max": compute_supremum(_list_levels(errors, example, reading), outer),
            "d_min_example": compute_infimum(_list_levels(errors, example, reading), outer),
            "d_min": compute_infimum(
                _list_levels(_compute_report_errors(quantizer, inner), quantizer, reading), outer
            ),
            "error_of_reports": compute_supremum(
                _list_levels(report_errors, example, reading), outer
            ),
            "error_of_data": compute_supremum(_list_levels(report_errors, example, "data"), outer),
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

    Parameters
    ----------
    levels : iterable of (value, measure)
        Each value, and the Lebesgue measure of the set on which the function takes it.
    extrema : {"essential", "plain"}
        The essential supremum, inf{b : mu(f > b) = 0}, ignores the values that the function takes
        on sets of measure zero.
    """
    values = [value for value, measure in levels if measure > 0 or extrema == "plain"]
    return max(values, default=-math.inf)


def compute_infimum(levels: Iterable[Level], extrema: Extrema) -> Value:
    """Compute the infimum as minus the supremum of -f; see :func:`compute_supremum`."""
    return -compute_supremum([(-value, measure) for value, measure in levels], extrema)


@returns_table("statement", "universe")
def build_covering_table() -> Rows:
    """Build the table that checks Remark II.1: N sets of diameter 2 epsilon cover a measure mu.

    The table tries every union of unit cells on a line, and boxes of one to three dimensions in
    the maximum norm, in which a set has diameter 2 epsilon if it fits into a cube of that side.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`.  Statements: ``left``, epsilon^n N <=
        mu; ``right``, mu <= (2 epsilon)^n N; ``left, sides of epsilon or more``, the left one for
        boxes with no side shorter than epsilon.
    """
    tallies = StatementCounts()
    tallies.count(_enumerate_line_facts(), f"unions of {_CELLS} cells")
    for dimensions in (1, 2, 3):
        tallies.count(_enumerate_box_facts(dimensions), f"boxes of {dimensions} dimensions")
    yield from tallies.iterate_rows(whole=False)


def _enumerate_line_facts() -> StatementSides:
    """Yield both inequalities of Remark II.1 for every union of unit cells on a line."""
    for selection in itertools.product((False, True), repeat=_CELLS):
        occupied = IntervalUnion.from_intervals(
            *((k, k + 1) for k, is_in in enumerate(selection) if is_in)
        )
        for radius in _RADII if any(selection) else ():
            sets = count_covering_sets(occupied, 2 * radius)
            yield "Remark II.1, left", radius * sets, occupied.measure
            yield "Remark II.1, right", occupied.measure, 2 * radius * sets


def _enumerate_box_facts(dimensions: int) -> StatementSides:
    """Yield both inequalities of Remark II.1 for boxes of some dimensions in the maximum norm."""
    # Sets along one side.  Points more than 2 epsilon apart prove that fewer cubes do not suffice.
    sets_along = {
        (side, radius): count_covering_sets(IntervalUnion.from_intervals((0, side)), 2 * radius)
        for side, radius in itertools.product(_SIDES, _RADII)
    }
    for sides in itertools.combinations_with_replacement(_SIDES, dimensions):
        measure = math.prod(sides, start=Fraction(1))
        for radius in _RADII:
            sets = math.prod(sets_along[side, radius] for side in sides)
            lower_bound = radius**dimensions * sets
            yield "Remark II.1, left", lower_bound, measure
            yield "Remark II.1, right", measure, (2 * radius) ** dimensions * sets
            if min(sides) >= radius:
                yield "Remark II.1, left, sides of epsilon or more", lower_bound, measure


def count_covering_sets(occupied: IntervalUnion, diameter: Fraction) -> int:
    """Count the fewest sets of a diameter that cover a union of closed intervals.

    The sets are placed from the left: the lowest uncovered point needs a set, and no set that holds
    it reaches further right than the interval of that length which starts there.

    Parameters
    ----------
    occupied : IntervalUnion
        Covered union; not empty.
    diameter : Fraction
        Diameter of a set; larger than 0.
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


@returns_table("levels")
def build_joint_table() -> Rows:
    """Build the table of entropies of data on [0, 1] and of a quantizer's reports (Equation 8).

    Returns
    -------
    DataFrame
        Cells (levels,).  Statistics: ``h0_data_nats``, ``h0_reports_nats`` and ``h0_joint_nats``,
        h0(X), h0(Y) and h0(X, Y).
    """
    for levels in range(1, _CELLS + 1):
        edges = [Fraction(k, levels) for k in range(levels + 1)]
        joint = BoxUnion.from_boxes(
            *(((low, high), ((low + high) / 2,) * 2) for low, high in itertools.pairwise(edges))
        )
        data, reports = (
            BoxUnion.from_boxes(*((box[axis],) for box in joint.boxes)).measure for axis in (0, 1)
        )
        yield {
            "levels": levels,
            "h0_data_nats": compute_log_measure(data),
            "h0_reports_nats": compute_log_measure(reports),
            "h0_joint_nats": compute_log_measure(joint.measure),
        }
