"""Sentences between the theorems: a width, a rate, reporting nothing, an interval (``nsht``).

1. The region in which the policy of Theorem 4 manipulates data, by running it (Section 5).
2. What the best test can do for densities that differ more and more (Section 4, after Theorem 3).
3. The policy that reports nothing, under Equations 10 and 9 (Section 5, before Definition 4).
4. The ranges of the reports of Example 2, as sets of numbers on finer and finer grids.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from noiseless.mechanisms.blurring import privacy
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.papers.nsht.blurring import HISTOGRAM_RHO_PER_KG, of_bodies
from noiseless.tables import tidy
from noiseless.theory.hypotheses import ReportRanges, all_policies
from noiseless.theory.intervals import IntervalUnion

_HEIGHT_CM = 200.0  # whose threshold, 120 kg, has the room that the widest band needs
_RECORDS = 8001  # of a line, over twice the band
_CELLS = 4  # of [0, 1], on which densities are constant
_WEIGHTS = (0, 1, 2)
_MOST_OUTCOMES = 4
_BANDS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))  # half-widths, on [-1, 1]
_PER_CM = (1, 2, 4, 8)


def sentences_table() -> pd.DataFrame:
    """What four sentences say, and what is so.

    Returns
    -------
    DataFrame
        Cells (sentence, at).

        ``width``, at an accuracy in 1/kg: ``width_times_rho`` of the weights that the printed
        policy changes, and the parts ``above_times_rho`` and ``below_times_rho`` of the threshold.

        ``rate``, at the share of [0, 1] on which one of two densities is zero and the other is not:
        ``pairs`` of densities, and the least, over these, of ``best_success`` (the probability
        that the best test is right, equal priors), ``best_true_positive_rate`` (that it says p1,
        under p1) and ``best_rate_without_false_alarm`` (the same of tests that never say p1 under
        p0).  Densities are constant on four cells; where they are not zero they are above 1/2.

        ``nothing, discrete``, at a number of outcomes: ``policies`` with a hypothesis;
        ``more_private_than_nothing`` and ``less_private_than_nothing``, by Equation 10; and
        ``decided_by_nothing``, outcomes whose hypothesis the one report proves.

        ``nothing, continuous``, at the half-width of the band that another policy stretches, of
        the range [-1, 1]: ``nothing_is_as_private``, whether Equation 9 says so (it gives no
        number), and ``decided_above_other_share``, the share of the range that is decided if
        nothing is reported, minus that of the other policy.

        ``interval``, at a number of grid points to a cm: ``reports`` on the grid;
        ``off_p0`` and ``off_p1``, those by which [Y|p0] and [Y|p1] differ from the printed
        intervals; ``off_half_open``, by which [Y|p1] differs from (140, 260]; ``off_cm``, the
        length by which both differ from the printed ones.
    """
    parts = {
        "width": _widths(),
        "rate": _rates(),
        "nothing, discrete": _nothing(),
        "nothing, continuous": _nothing_continuous(),
        "interval": _intervals(),
    }
    tables = [
        tidy(pd.DataFrame(rows), ["at"]).assign(sentence=sentence)
        for sentence, rows in parts.items()
    ]
    return pd.concat(tables, ignore_index=True)[["sentence", "at", "statistic", "value"]]


def _widths() -> Iterator[Mapping[str, Any]]:
    """The weights that change, of a lattice of records on a line."""
    threshold, box = of_bodies()
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


def _rates() -> Iterator[Mapping[str, Any]]:
    """The best tests for every pair of densities, by trying all tests."""
    tests = list(itertools.product((True, False), repeat=_CELLS))  # True: says p1
    densities = [each for each in itertools.product(_WEIGHTS, repeat=_CELLS) if any(each)]
    # Probability that each test says p1, under each density.
    says_p1 = {
        density: [Fraction(sum(itertools.compress(density, test)), sum(density)) for test in tests]
        for density in densities
    }
    found: dict[Fraction, list[tuple[Fraction, Fraction, Fraction]]] = {}
    for p0, p1 in itertools.product(densities, repeat=2):
        apart = Fraction(sum((a > 0) != (b > 0) for a, b in zip(p0, p1, strict=True)), _CELLS)
        pairs = list(zip(says_p1[p0], says_p1[p1], strict=True))
        found.setdefault(apart, []).append(
            (
                max(1 - false + true for false, true in pairs) / 2,
                max(true for _, true in pairs),
                max(true for false, true in pairs if false == 0),
            )
        )
    for apart, best in sorted(found.items()):
        success, rate, certain = map(min, zip(*best, strict=True))
        yield {
            "at": float(apart),
            "pairs": len(best),
            "best_success": success,
            "best_true_positive_rate": rate,
            "best_rate_without_false_alarm": certain,
        }


def _nothing() -> Iterator[Mapping[str, Any]]:
    """One report for everybody, against every policy for the same hypothesis."""
    for outcomes in range(2, _MOST_OUTCOMES + 1):
        policies = more = less = decided = 0
        for reports, hypotheses in all_policies(outcomes):
            nothing = ReportRanges.of([0] * outcomes, hypotheses)
            other = ReportRanges.of(reports, hypotheses)
            by_nothing, by_other = map(_exp_privacy, (nothing, other))
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


def _exp_privacy(ranges: ReportRanges) -> Fraction | float:
    """``exp Priv`` of Equation 10, infinite where no report proves a hypothesis."""
    return math.inf if ranges.exp_privacy is None else ranges.exp_privacy


def _nothing_continuous() -> Iterator[Mapping[str, Any]]:
    """One report for everybody, against policies that stretch both sides of a band over it."""
    low, high, point = IntervalUnion.of((-1, 0)), IntervalUnion.of((0, 1)), IntervalUnion.of((0, 0))
    for half in _BANDS:
        band = IntervalUnion.of((-half, half))
        with np.errstate(divide="ignore", invalid="ignore"):
            nothing, other = (
                float(privacy(float((p0 | p1).measure), float((p0 ^ p1).measure)))
                for p0, p1 in ((point, point), (band | high, band | low))
            )
        # Whoever reports themselves proves a hypothesis; whoever gives the one report does not.
        decided_by_other = 1 - half
        yield {
            "at": float(half),
            "nothing_is_as_private": nothing >= other,
            "decided_above_other_share": (point ^ point).measure - decided_by_other,
        }


def _intervals() -> Iterator[Mapping[str, Any]]:
    """Example 2 on grids: heights from 100 to 250 cm, p1 above 150, errors of up to 10 cm."""
    error = IntervalUnion.of((-10, 10))
    off_cm = sum(
        ((IntervalUnion.of(heights) + error) ^ IntervalUnion.of(printed)).measure
        for heights, printed in (((100, 150), (90, 160)), ((150, 250), (140, 260)))
    )
    for per_cm in _PER_CM:
        given: dict[bool, set[int]] = {True: set(), False: set()}
        for height in range(100 * per_cm, 250 * per_cm + 1):
            is_p0 = height <= 150 * per_cm
            given[is_p0].update(range(height - 10 * per_cm, height + 10 * per_cm + 1))
        p0, p1 = (
            set(range(low * per_cm, high * per_cm + 1)) for low, high in ((90, 160), (140, 260))
        )
        yield {
            "at": float(per_cm),
            "reports": len(given[True] | given[False]),
            "off_p0": len(given[True] ^ p0),
            "off_p1": len(given[False] ^ p1),
            "off_half_open": len(given[False] ^ (p1 - {140 * per_cm})),
            "off_cm": off_cm,
        }
