"""Four statements of ``nsht`` that have no number: a width, a rate, one report, an interval.

1. Width of the region in which the policy of Theorem 4 changes records, by running it (Section 5).
2. Rates of the best test for densities that differ more and more (Section 4, after Theorem 3).
3. Privacy of the policy that reports nothing, by Equations 10 and 9 (Section 5, before
   Definition 4).
4. Ranges of the reports of Example 2, as sets of numbers on finer and finer grids.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from noiseless.mechanisms.blurring import compute_privacy
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.papers.nsht.blurring import HISTOGRAM_RHO_PER_KG, build_bmi_problem
from noiseless.tables import tidy
from noiseless.theory.hypotheses import ReportRanges, enumerate_policies
from noiseless.theory.intervals import IntervalUnion

_HEIGHT_CM = 200.0  # height whose threshold, 120 kg, has the room that the widest band needs
_RECORDS = 8001  # number of records of a line that spans twice the band
_CELLS = 4  # number of cells of [0, 1], on each of which a density is constant
_WEIGHTS = (0, 1, 2)
_MAX_OUTCOMES = 4
_HALF_WIDTHS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))  # half-widths of bands in [-1, 1]
_POINTS_PER_CM = (1, 2, 4, 8)  # numbers of grid points in a cm


def build_sentences_table() -> pd.DataFrame:
    """Compute the numbers that the module's four unnumbered statements are about.

    Returns
    -------
    DataFrame
        Cells (sentence, at).

        ``width``, at an accuracy in 1/kg: ``width_times_rho`` of the weights that the printed
        policy changes; ``above_times_rho`` and ``below_times_rho``, the widths on either side of
        the threshold.

        ``rate``, at the share of [0, 1] on which one of two densities is zero and the other is not:
        ``pairs`` of densities, and the minimum over these of ``best_success`` (largest probability
        of a correct answer, equal priors), ``best_true_positive_rate`` (largest probability of the
        answer p1 under p1) and ``best_rate_without_false_alarm`` (largest probability of the answer
        p1 under p1, over tests that never answer p1 under p0).  Densities are constant on four
        cells; where they are not zero they are above 1/2.

        ``nothing, discrete``, at a number of outcomes: ``policies`` with a hypothesis;
        ``more_private_than_nothing`` and ``less_private_than_nothing``, by Equation 10; and
        ``decided_by_nothing``, outcomes whose hypothesis the single report proves.

        ``nothing, continuous``, at the half-width of the band that another policy stretches, of
        the range [-1, 1]: ``nothing_is_as_private``, whether the policy that reports nothing is at
        least as private by Equation 9 (false if Equation 9 is undefined), and
        ``decided_above_other_share``, the share of the range that is decided if nothing is
        reported, minus that of the other policy.

        ``interval``, at a number of grid points to a cm: ``reports`` on the grid;
        ``off_p0`` and ``off_p1``, the reports by which [Y|p0] and [Y|p1] differ from the printed
        intervals; ``off_half_open``, the reports by which [Y|p1] differs from (140, 260];
        ``off_cm``, the length by which both ranges differ from the printed intervals.
    """
    parts = {
        "width": _measure_widths(),
        "rate": _find_best_rates(),
        "nothing, discrete": _compare_one_report(),
        "nothing, continuous": _compare_one_report_continuous(),
        "interval": _count_interval_deviations(),
    }
    tables = [
        tidy(pd.DataFrame(rows), ["at"]).assign(sentence=sentence)
        for sentence, rows in parts.items()
    ]
    return pd.concat(tables, ignore_index=True)[["sentence", "at", "statistic", "value"]]


def _measure_widths() -> Iterator[Mapping[str, Any]]:
    """Measure the width of the changed weights on a line times rho, for each accuracy."""
    threshold, box = build_bmi_problem()
    g = float(threshold(np.array([[_HEIGHT_CM]]))[0])
    for rho in HISTOGRAM_RHO_PER_KG:
        offsets = np.linspace(-2, 2, _RECORDS) / rho
        records = np.column_stack([g + offsets, np.full(_RECORDS, _HEIGHT_CM)])
        reports = CollapseBlurring(threshold, box, rho).release(records)
        moved = offsets[reports[:, 0] != records[:, 0]]
        yield {
            "at": float(rho),
            "width_times_rho": (moved.max() - moved.min()) * rho,
            "above_times_rho": moved.max() * rho,
            "below_times_rho": -moved.min() * rho,
        }


def _find_best_rates() -> Iterator[Mapping[str, Any]]:
    """Find the best test's smallest rates over pairs of densities, by difference of supports."""
    tests = list(itertools.product((True, False), repeat=_CELLS))  # True is the answer p1
    densities = [each for each in itertools.product(_WEIGHTS, repeat=_CELLS) if any(each)]
    # Probability that each test answers p1, under each density.
    says_p1 = {
        density: [Fraction(sum(itertools.compress(density, test)), sum(density)) for test in tests]
        for density in densities
    }
    best_rates: dict[Fraction, list[tuple[Fraction, Fraction, Fraction]]] = {}
    for p0, p1 in itertools.product(densities, repeat=2):
        differing_share = Fraction(
            sum((a > 0) != (b > 0) for a, b in zip(p0, p1, strict=True)), _CELLS
        )
        pairs = list(zip(says_p1[p0], says_p1[p1], strict=True))
        best_rates.setdefault(differing_share, []).append(
            (
                max(1 - false + true for false, true in pairs) / 2,
                max(true for _, true in pairs),
                max(true for false, true in pairs if false == 0),
            )
        )
    for differing_share, best in sorted(best_rates.items()):
        success, rate, certain = map(min, zip(*best, strict=True))
        yield {
            "at": float(differing_share),
            "pairs": len(best),
            "best_success": success,
            "best_true_positive_rate": rate,
            "best_rate_without_false_alarm": certain,
        }


def _compare_one_report() -> Iterator[Mapping[str, Any]]:
    """Count the policies that Equation 10 calls more or less private than one single report."""
    for outcomes in range(2, _MAX_OUTCOMES + 1):
        policies = more = less = decided = 0
        for reports, hypotheses in enumerate_policies(outcomes):
            nothing = ReportRanges.from_outcomes([0] * outcomes, hypotheses)
            other = ReportRanges.from_outcomes(reports, hypotheses)
            by_nothing, by_other = map(_compute_exp_privacy, (nothing, other))
            policies += 1
            more += by_other > by_nothing
            less += by_other < by_nothing
            decided += outcomes * len(nothing.p0 ^ nothing.p1)
        yield {
            "at": float(outcomes),
            "policies": policies,
            "more_private_than_nothing": more,
            "less_private_than_nothing": less,
            "decided_by_nothing": decided,
        }


def _compute_exp_privacy(ranges: ReportRanges) -> Fraction | float:
    """Compute ``exp Priv`` of Equation 10; infinite if no report proves a hypothesis."""
    return math.inf if ranges.exp_privacy is None else ranges.exp_privacy


def _compare_one_report_continuous() -> Iterator[Mapping[str, Any]]:
    """Compare one single report, by Equation 9, with policies that stretch both sides of a band."""
    low, high, point = (
        IntervalUnion.from_intervals((-1, 0)),
        IntervalUnion.from_intervals((0, 1)),
        IntervalUnion.from_intervals((0, 0)),
    )
    for half in _HALF_WIDTHS:
        band = IntervalUnion.from_intervals((-half, half))
        with np.errstate(divide="ignore", invalid="ignore"):
            nothing, other = (
                float(compute_privacy(float((p0 | p1).measure), float((p0 ^ p1).measure)))
                for p0, p1 in ((point, point), (band | high, band | low))
            )
        # A record outside the band is reported unchanged and proves its hypothesis; the single
        # report proves none.
        decided_by_other = 1 - half
        yield {
            "at": float(half),
            "nothing_is_as_private": nothing >= other,
            "decided_above_other_share": (point ^ point).measure - decided_by_other,
        }


def _count_interval_deviations() -> Iterator[Mapping[str, Any]]:
    """Count the reports by which Example 2 on grids differs from its printed intervals."""
    # Heights are from 100 to 250 cm, p1 holds above 150 cm, and errors are up to 10 cm.
    error = IntervalUnion.from_intervals((-10, 10))
    off_cm = sum(
        (
            (IntervalUnion.from_intervals(heights) + error) ^ IntervalUnion.from_intervals(printed)
        ).measure
        for heights, printed in (((100, 150), (90, 160)), ((150, 250), (140, 260)))
    )
    for per_cm in _POINTS_PER_CM:
        reports: dict[bool, set[int]] = {True: set(), False: set()}
        for height in range(100 * per_cm, 250 * per_cm + 1):
            is_p0 = height <= 150 * per_cm
            reports[is_p0].update(range(height - 10 * per_cm, height + 10 * per_cm + 1))
        p0, p1 = (
            set(range(low * per_cm, high * per_cm + 1)) for low, high in ((90, 160), (140, 260))
        )
        yield {
            "at": float(per_cm),
            "reports": len(reports[True] | reports[False]),
            "off_p0": len(reports[True] ^ p0),
            "off_p1": len(reports[False] ^ p1),
            "off_half_open": len(reports[False] ^ (p1 - {140 * per_cm})),
            "off_cm": off_cm,
        }
