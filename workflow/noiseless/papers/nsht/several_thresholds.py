"""Releases for two analysts who ask about two thresholds, and compare (``nsht``, Section 7).

1. :func:`build_lines_table`: a joint report for both analysts, and independent releases, on lines
   with thresholds at several distances.
2. :func:`build_search_table`: all possible releases of a few records, against the bound.
3. :func:`build_people_table`: the people of the survey, overweight from a body mass index of 25,
   and obese from 30.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd

from noiseless.arrays import Bools, Floats
from noiseless.mechanisms.successive_refinement import release_all, release_for_thresholds
from noiseless.papers.nsht.blurring import (
    BMI_KG_M2,
    build_bmi_problem,
    build_bmi_threshold,
    select_bodies,
)
from noiseless.papers.nsht.several_analysts import _encode_partners, _enumerate_partitions
from noiseless.tables import Rows, returns_table

BMI_OVERWEIGHT_KG_M2 = 25
MAX_CHANGES_KG = (10, 5, 3)
_THICKNESS = 0.1  # thickness of the slices of a joint release
_DISTANCES = (0.25, 0.5, 1, 1.5, 1.9, 2, 2.5, 3, 3.5, 4, 5)  # of the thresholds, in steps
_RECORDS = 400  # number of records of a line
_N_TRIED = 401  # number of equidistant records near each record whose reports are compared
_SLOPE_STEP_SHARE = 1e-3  # share of their distance over which the slope of the reports is measured
_REPORT_TOLERANCE = 1e-7  # largest difference of equal reports, in steps
_LATTICES = (
    (7, 2),
    (8, 2),
    (9, 2),
    (10, 2),
    (8, 3),
    (9, 3),
    (10, 3),
    (10, 4),
    (11, 3),
)  # records, and the span of a cell

# Function of records and their two thresholds, each of shape (n,), to reports of shape (k, n).
Release = Callable[[Floats, Floats, Floats], Floats]


def find_undecided_sides(
    x: Floats, lower: Floats, upper: Floats, release: Release, step: float
) -> tuple[Bools, Bools]:
    """Find the records whose side of either threshold all reports together leave undecided.

    Parameters
    ----------
    x, lower, upper : ndarray, shape (n,)
        Records and their thresholds.
    release : callable
        Function of records and both thresholds to reports of shape (k, n).
    step : float
        Largest change; records with one report are at most two steps apart.

    Returns
    -------
    about_lower, about_upper : ndarray of bool, shape (n,)
        Whether a record with equal reports is found on the other side of the threshold.

    Notes
    -----
    Reports are assumed to be affine between jumps, and the jumps are not known.  At equidistant
    records, the slopes of the reports on either side predict which record has the wanted report;
    that record is released and its reports are compared.
    """
    spacing = 4 * step / (_N_TRIED - 1)
    tried = x[:, None] + np.linspace(-2 * step, 2 * step, _N_TRIED)
    g1, g2 = (np.broadcast_to(each[:, None], tried.shape) for each in (lower, upper))
    reports = release(x, lower, upper)
    wanted = reports[0][:, None]

    def compute_first_reports(records: Floats) -> Floats:
        """Compute the first report of each of the tried records, in their shape."""
        return release(records.ravel(), g1.ravel(), g2.ravel())[0].reshape(records.shape)

    tried_reports = compute_first_reports(tried)
    is_undecided = np.zeros((2, len(x)), dtype=bool)
    for side in (-1, 1):
        slope = (
            compute_first_reports(tried + side * _SLOPE_STEP_SHARE * spacing) - tried_reports
        ) / (side * _SLOPE_STEP_SHARE * spacing)
        distance = np.divide(
            wanted - tried_reports, slope, out=np.full_like(tried_reports, np.inf), where=slope != 0
        )
        row, column = np.nonzero((side * distance >= 0) & (side * distance <= spacing))
        twin = tried[row, column] + distance[row, column]
        twin_reports = release(twin, lower[row], upper[row])
        has_equal_reports = (
            np.abs(twin_reports - reports[:, row]) <= _REPORT_TOLERANCE * step
        ).all(axis=0)
        for about, threshold in zip(is_undecided, (lower, upper), strict=True):
            other_side = (twin >= threshold[row]) != (x[row] >= threshold[row])
            np.logical_or.at(about, row, has_equal_reports & other_side)
    return is_undecided[0], is_undecided[1]


def _list_releases(public_range: Sequence[float], rho: float) -> Iterator[tuple[str, Release]]:
    """Yield names and functions: a joint report for both analysts, and independent releases."""

    def release_jointly(x: Floats, lower: Floats, upper: Floats) -> Floats:
        """Compute one report for both thresholds, shape (1, n)."""
        reports = release_for_thresholds(x, (lower, upper), public_range, rho, thickness=_THICKNESS)
        return reports[None]

    def release_independently(x: Floats, lower: Floats, upper: Floats) -> Floats:
        """Compute an overlay's report for each threshold, shape (2, n)."""
        releases = (release_all(x, g, public_range, [rho])[0] for g in (lower, upper))
        return np.stack(list(releases))

    yield "joint", release_jointly
    yield "independent", release_independently


@returns_table("releases", "distance")
def build_lines_table() -> Rows:
    """Measure the undecided records of two analysts on a line, by distance of their thresholds.

    Returns
    -------
    DataFrame
        Cells (releases, distance): ``joint`` (one report for both,
        :func:`~noiseless.mechanisms.refinable.release_for_thresholds`) and ``independent`` (the
        overlay for each threshold); the distance of the thresholds in steps of ``1/rho``.
        Statistics, lengths in steps: ``undecided_lower`` and ``undecided_upper``, the records
        undecided about either threshold to analysts who compare; ``undecided_sum`` of these two;
        ``undecided_both``, the records undecided about both; ``bound_both`` and ``bound_sum``,
        upper bounds of the last two under any releases; ``slices``, the length that the joint
        release leaves decided within the bounds; ``both_minus_attained`` and
        ``sum_minus_attained``, the undecided length minus (the bound minus the slices);
        ``outside_bound``, records that are undecided about a threshold and not within two steps of
        it; ``change_beyond_accuracy``, in steps.
    """
    for distance in _DISTANCES:
        length = distance + 6.0
        x = -3 + length * (np.arange(_RECORDS) + 0.5) / _RECORDS
        lower, upper = np.zeros(_RECORDS), np.full(_RECORDS, float(distance))
        to_length = length / _RECORDS
        is_near = distance < 2
        bound_both = 4.0 - distance if is_near else 0.0
        bound_sum = 8.0 if is_near else min(8.0, 4.0 + distance)
        slices = 2 * _THICKNESS * distance if is_near else 0.0
        for name, release in _list_releases((-10, 20), 1.0):
            about = find_undecided_sides(x, lower, upper, release, 1.0)
            within = [(g - 2 <= x) & (x < g + 2) for g in (lower, upper)]
            below, above = (each.sum() * to_length for each in about)
            both = (about[0] & about[1]).sum() * to_length
            yield {
                "releases": name,
                "distance": float(distance),
                "undecided_lower": below,
                "undecided_upper": above,
                "undecided_sum": below + above,
                "undecided_both": both,
                "bound_both": bound_both,
                "bound_sum": bound_sum,
                "slices": slices,
                "both_minus_attained": both - (bound_both - slices),
                "sum_minus_attained": below + above - (bound_sum - slices),
                "outside_bound": sum(
                    int((each & ~near).sum()) for each, near in zip(about, within, strict=True)
                ),
                "change_beyond_accuracy": np.abs(release(x, lower, upper) - x).max() - 1,
            }


@returns_table("points", "span")
def build_search_table(*, lattices: Sequence[tuple[int, int]] = _LATTICES) -> Rows:
    """Count the releases of a few records that break the bounds for two thresholds.

    Reports may be any real numbers, different ones for each analyst.  So the analysts together know
    the part of each record in a partition, whose parts span at most twice the step
    (:func:`noiseless.papers.nsht.several_analysts.build_search_table`).

    Parameters
    ----------
    lattices : sequence of (points, span)
        Records 0, 1, ..., and the largest span of a part, at least 2.

    Returns
    -------
    DataFrame
        Cells (points, span).  Statistics: ``releases``; ``pairs`` of thresholds; ``above_bound``,
        releases and pairs that leave records undecided about a threshold that is further than the
        span, or about both thresholds where these are a span apart or more; ``both_pairs``, pairs
        nearer than a span, and ``both_short``, pairs of these for which no release leaves all
        records near both thresholds undecided about both; ``sum_pairs``, pairs with room on either
        side, and ``sum_off``, pairs of these for which the largest sum of records undecided about
        either threshold differs from the theorem: all but two, all but the records in both bounds,
        or all.
    """
    for points, span in lattices:
        records = np.arange(points)
        partners = _encode_partners(_enumerate_partitions(points, span))
        about = {}
        for cut in range(1, points):
            below = (1 << cut) - 1
            other_side = np.where(records < cut, ((1 << points) - 1) ^ below, below)
            about[cut] = (partners & other_side) != 0
        counts = dict.fromkeys(
            ("pairs", "above_bound", "both_pairs", "both_short", "sum_pairs", "sum_off"), 0
        )
        for lower in range(1, points):
            for upper in range(lower + 1, points):
                first, second = about[lower], about[upper]
                near = [(cut - span <= records) & (records < cut + span) for cut in (lower, upper)]
                is_near = upper - lower < span
                both = near[0] & near[1] & is_near
                above = (first & ~near[0]) | (second & ~near[1]) | (first & second & ~both)
                counts["pairs"] += 1
                counts["above_bound"] += int(above.any(axis=1).sum())
                counts["both_pairs"] += is_near
                counts["both_short"] += is_near and not ((first & second) == both).all(axis=1).any()
                if span <= lower and upper + span <= points:
                    n_lost = 2 if is_near else max(0, 2 * span - (upper - lower))
                    max_sum = int((first.sum(axis=1) + second.sum(axis=1)).max())
                    counts["sum_pairs"] += 1
                    counts["sum_off"] += max_sum != 4 * span - n_lost
        yield {"points": points, "span": span, "releases": len(partners), **counts}


@returns_table("releases", "largest_change_kg")
def build_people_table(survey: pd.DataFrame) -> Rows:
    """Count the people of the survey who stay undecided to analysts of two thresholds.

    Parameters
    ----------
    survey : DataFrame
        Prepared survey with ``weight_kg`` and ``height_cm``.

    Returns
    -------
    DataFrame
        Cells (releases, largest_change_kg), the releases of :func:`build_lines_table`.  Statistics:
        ``people``, the people with room on either side of the thresholds, and ``without_room``;
        ``undecided_overweight``, ``undecided_obese`` and ``undecided_both``, to analysts who
        compare; ``bound_overweight`` and ``bound_obese``, the people whom the best release for one
        threshold leaves undecided, and ``bound_both``, the people whom some release can leave
        undecided about both; ``change_beyond_accuracy_kg``.
    """
    everybody, (_, box) = select_bodies(survey), build_bmi_problem()
    ends = box.lower[0], box.upper[0]
    thresholds = [build_bmi_threshold(bmi) for bmi in (BMI_OVERWEIGHT_KG_M2, BMI_KG_M2)]
    for step in MAX_CHANGES_KG:
        lower, upper = (g(everybody[:, 1:]) for g in thresholds)
        room = (ends[0] + 2 * step <= lower) & (upper <= ends[1] - 2 * step)
        x, lower, upper = everybody[room, 0], lower[room], upper[room]
        near = [(g - 2 * step <= x) & (x < g + 2 * step) for g in (lower, upper)]
        both = near[0] & near[1] & (upper - lower < 2 * step)
        for name, release in _list_releases(ends, 1 / step):
            overweight, obese = find_undecided_sides(x, lower, upper, release, step)
            yield {
                "releases": name,
                "largest_change_kg": float(step),
                "people": len(x),
                "without_room": int((~room).sum()),
                "undecided_overweight": overweight.sum(),
                "undecided_obese": obese.sum(),
                "undecided_both": (overweight & obese).sum(),
                "bound_overweight": near[0].sum(),
                "bound_obese": near[1].sum(),
                "bound_both": both.sum(),
                "change_beyond_accuracy_kg": np.abs(release(x, lower, upper) - x).max() - step,
            }
