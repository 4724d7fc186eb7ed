"""Limits of all blurring policies, and the composition of two releases (``nsht``, Section 5).

1. :func:`build_search_table`: every policy on small lattices, against the bound of its class: a
   record that stays undecided is within ``2/rho`` of the other hypothesis.
2. :func:`build_composition_table`: two blurred releases of the survey, and how many people stay
   undecided to an adversary who sees both.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from noiseless.arrays import Bools, Floats, Ints
from noiseless.mechanisms.blurring import Blurring
from noiseless.papers.nsht.blurring import (
    BMI_KG_M2,
    build_bmi_problem,
    build_bmi_threshold,
    list_compared_policies,
    select_bodies,
)
from noiseless.tables import Rows, returns_table

# Pairs of releases that one adversary sees: their accuracies in 1/kg, and the body mass index at
# the threshold of the second release.
RELEASE_PAIRS: Final = (
    {"rho_per_kg": (0.1, 0.1), "bmi_kg_m2": BMI_KG_M2},
    {"rho_per_kg": (0.1, 0.2), "bmi_kg_m2": BMI_KG_M2},
    {"rho_per_kg": (0.05, 0.1), "bmi_kg_m2": BMI_KG_M2},
    {"rho_per_kg": (0.1, 0.1), "bmi_kg_m2": 28},
)
_BISECTION_STEPS = 90  # number of bisection steps
# Share of an interval at which it is cut.  It is not a half, because the middle may be the one
# point of a side that a policy reports elsewhere.
_CUT_SHARE = 0.414
# Largest difference of equal reports, in the unit of the blurred coordinate.
_REPORT_TOLERANCE = 1e-9


@returns_table("policies", "universe")
def build_search_table(*, lines: Sequence[Sequence[int]], grids: Sequence[Sequence[int]]) -> Rows:
    """Compare every policy on small lattices with the bound of the undecided records.

    ``lines`` are pairs: the number of points 0, 1, ... of a line, and the largest change of a
    point; every threshold that leaves records on both sides is tried. These are the policies that
    change one coordinate alone. ``grids`` are the width and height of lattices of the plane, no
    point of which may move by more than 1 (Euclidean norm); every threshold of the first coordinate
    is tried, for each value of the second.

    Statistics: ``policies_tried``, for each threshold; ``thresholds``; ``above_bound``, thresholds
    for which some policy leaves more undecided than there are records within twice the step of the
    other hypothesis; ``at_bound``, for which some policy leaves as many;
    ``decided_at_largest_privacy``, records decided by the policy of the largest privacy of Equation
    10 that protects the fewest, and ``fewest_decided``, by the best policy, summed over thresholds;
    ``privacy_misleads``, thresholds for which these differ.
    """
    for points, step in lines:
        lattice = np.array([[x, 0] for x in range(points)])
        sides = [lattice[:, 0] >= g for g in range(1, points)]
        universe = f"{points} points, step {step}"
        yield _search_policies("first coordinate", universe, lattice, step, sides)
    for width, height in grids:
        lattice = np.array(list(itertools.product(range(width), range(height))))
        sides = [
            lattice[:, 0] >= np.array(g)[lattice[:, 1]]
            for g in itertools.product(range(width + 1), repeat=height)
        ]
        sides = [is_p0 for is_p0 in sides if is_p0.any() and not is_p0.all()]
        yield _search_policies("complete record", f"{width} x {height}, step 1", lattice, 1, sides)


def _search_policies(
    policies: str, universe: str, points: Ints, step: int, sides: Sequence[Bools]
) -> dict[str, Any]:
    """Search all accurate policies on lattice points for the largest number of undecided ones."""
    squared = ((points[:, None] - points) ** 2).sum(axis=2)
    # A policy is a map of points to points that are near them; all of these are listed.
    moves = [np.flatnonzero(row).tolist() for row in squared <= step**2]
    reports = np.array(list(itertools.product(*moves)))
    counts = []
    for is_p0 in sides:
        near = squared <= (2 * step) ** 2
        bound = int((near & (is_p0[:, None] != is_p0)).any(axis=1).sum())
        bits = 1 << reports
        p0 = np.bitwise_or.reduce(bits[:, is_p0], axis=1)
        p1 = np.bitwise_or.reduce(bits[:, ~is_p0], axis=1)
        undecided = ((p0 & p1)[:, None] & bits != 0).sum(axis=1)
        # exp Priv of Equation 10; infinite where no report proves a hypothesis.
        proving = np.bitwise_count(p0 ^ p1)
        with np.errstate(divide="ignore"):
            exp_privacy = np.bitwise_count(p0 | p1) / proving
        best = int(undecided.max())
        misled = int(undecided[exp_privacy == exp_privacy.max()].min())
        counts.append((bound, best, misled))
    bounds, bests, misleds = np.array(counts).T
    return {
        "policies": policies,
        "universe": universe,
        "policies_tried": len(reports),
        "thresholds": len(sides),
        "above_bound": (bests > bounds).sum(),
        "at_bound": (bests == bounds).sum(),
        "decided_at_largest_privacy": (len(points) - misleds).sum(),
        "fewest_decided": (len(points) - bests).sum(),
        "privacy_misleads": (misleds < bests).sum(),
    }


@returns_table("policy", "first_rho_per_kg", "second_rho_per_kg", "second_bmi_kg_m2")
def build_composition_table(
    survey: pd.DataFrame, *, pairs: Sequence[Mapping[str, Any]] = RELEASE_PAIRS, **public: Any
) -> Rows:
    """Count the people of the survey whom two blurred releases leave undecided together.

    A person is undecided if some record of the other hypothesis has both of their reports. Such a
    record is searched for: each report is traced back to the records of the other hypothesis that
    are reported as it, and these are released by the other policy. The first release of a pair, and
    the hypothesis, have the threshold of the paper.

    Statistics: ``people``; ``first``, people who are undecided after the first release alone;
    ``second``, people who are undecided about that hypothesis after the second release alone;
    ``either_way``, people who are in ``first`` and in ``second``; ``together``, people who are
    undecided after both releases; ``lost``, ``either_way`` minus ``together``.
    """
    people, (first_threshold, box) = select_bodies(survey), build_bmi_problem(**public)
    # Only the report of an increasing policy can be traced back by bisection.
    increasing = [each for each in list_compared_policies().values() if each.increases]
    for policy, pair in itertools.product(increasing, pairs):
        first_rho, second_rho = pair["rho_per_kg"]
        first = policy(first_threshold, box, first_rho)
        second = policy(build_bmi_threshold(pair["bmi_kg_m2"]), box, second_rho)
        after_first, after_second = (
            _find_undecided(people, first, [each]) for each in (first, second)
        )
        either_way = after_first & after_second
        together = _find_undecided(people, first, [first, second])
        yield {
            "policy": policy.name,
            "first_rho_per_kg": float(first_rho),
            "second_rho_per_kg": float(second_rho),
            "second_bmi_kg_m2": float(pair["bmi_kg_m2"]),
            "people": len(people),
            "first": after_first.sum(),
            "second": after_second.sum(),
            "either_way": either_way.sum(),
            "together": together.sum(),
            "lost": either_way.sum() - together.sum(),
        }


def _find_undecided(records: Floats, hypothesis: Blurring, releases: Sequence[Blurring]) -> Bools:
    """Find the records whose reports some record of the other hypothesis shares, shape (n,)."""
    g = hypothesis.threshold(records[:, 1:])
    is_p0 = hypothesis.is_p0(records)
    # The other hypothesis holds on this interval of the record's line; p1 does not hold g itself.
    low = np.where(is_p0, np.minimum(hypothesis.box.lower[0], g), g)
    high = np.where(is_p0, np.nextafter(g, -np.inf), hypothesis.box.upper[0])
    reports = [release.release(records)[:, 0] for release in releases]
    is_undecided = np.zeros(len(records), dtype=bool)
    for release, report in zip(releases, reports, strict=True):
        for twin in _bracket_records(release, records, report, low, high):
            is_twin = (low <= twin) & (twin <= high)
            for other, wanted in zip(releases, reports, strict=True):
                twin_report = other.release(np.column_stack([twin, records[:, 1]]))[:, 0]
                is_twin &= np.abs(twin_report - wanted) <= _REPORT_TOLERANCE
            is_undecided |= is_twin
    return is_undecided


def _bracket_records(
    release: Blurring, records: Floats, report: Floats, low: Floats, high: Floats
) -> Iterator[Floats]:
    """Yield candidates for the smallest and the largest record with a report, by bisection.

    A candidate has shape (n,) and lies from ``low`` to ``high``; it need not have the report.  A
    release increases on either side of its own threshold, which need not be that of the
    hypothesis; so both parts of the interval are cut.
    """
    release_threshold = np.clip(release.threshold(records[:, 1:]), low, high)
    # An empty interval becomes one of its ends; the caller checks this candidate like all others.
    below = np.clip(np.nextafter(release_threshold, -np.inf), low, high)
    for (from_, to), smallest in itertools.product(
        ((low, below), (release_threshold, high)), (True, False)
    ):
        # The record is between `start`, where the report is too small, and `stop`, where it is not.
        start, stop = np.minimum(from_, to), np.maximum(from_, to)
        yield stop
        yield start
        limit = report - _REPORT_TOLERANCE / 2 if smallest else report + _REPORT_TOLERANCE / 2
        for _ in range(_BISECTION_STEPS):
            middle = start + (stop - start) * _CUT_SHARE
            is_small = release.release(np.column_stack([middle, records[:, 1]]))[:, 0] < limit
            start, stop = np.where(is_small, [middle, stop], [start, middle])
        yield stop if smallest else start
