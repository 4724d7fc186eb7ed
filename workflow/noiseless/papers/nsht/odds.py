"""Smallest mean change of policies with odds of at most kappa : 1 (``nsht``, Section 7).

An adversary who cannot prove a hypothesis may still guess it, from the lengths of the sets of
records of either hypothesis that share a report; their ratio is the odds.
:func:`~noiseless.mechanisms.policies.odds.compute_min_mean_change` is the smallest mean change of a
record at odds of at most kappa : 1.

1. :func:`build_odds_table`: every policy on a line with room, with its odds counted and not
   derived.
2. :func:`build_lattice_table`: the smallest mean change of all random policies on lattices, by
   linear programmes.
3. :func:`build_people_table`: the people of the survey.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from noiseless.arrays import Bools, Floats
from noiseless.mechanisms.blurring import Blurring, PolynomialThreshold, PublicRange
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.mechanisms.policies.odds import (
    OddsBlurring,
    compute_min_mean_change,
    compute_odds_pieces,
    move_by_pieces,
)
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.policies.slices import SliceBlurring
from noiseless.mechanisms.policies.stretch import StretchBlurring
from noiseless.papers.nsht.blurring import build_bmi_problem, select_bodies
from noiseless.tables import Rows, returns_table

RHO_PER_KG = 0.1
KAPPAS = (1, 1.2, 1.5, 2, 3, 4, 5, 7, 9, 14, 19, 29, 49, 69, 99)
THICKNESSES = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
# Number of records of a line.  At odds of 99 : 1, a cell of reports then has at least 60 records of
# the rarer hypothesis.
_RECORDS = 400_000
_CELLS = 30  # number of cells in which reports are counted
_LATTICE_KAPPAS = (1, 1.5, 2, 3, 5, 9)
_HALF_WIDTHS = (1.0, 1.5, 2.0)  # half-widths of the undecided band, in largest changes
_TOLERANCE = 1e-9  # largest difference that is rounding, in largest changes

Offsets = Callable[[Floats], Floats]


def _list_policies(
    threshold: PolynomialThreshold, box: PublicRange
) -> Iterator[tuple[str, float, float, Blurring | Offsets]]:
    """Yield name, setting, half-width of the undecided band (kg) and policy for each setting.

    ``odds_narrow`` is not a policy but the map of smallest mean change for the band that the
    printed policy protects, if weights may change by as much as the printed policy changes them.
    """
    step = 1 / RHO_PER_KG
    yield "collapse", 1, step, CollapseBlurring(threshold, box, RHO_PER_KG)
    yield "stretch", 1, step, StretchBlurring(threshold, box, RHO_PER_KG)
    yield "overlay", 1, 2 * step, OverlayBlurring(threshold, box, RHO_PER_KG)
    for thickness in THICKNESSES:
        yield "slices", thickness, 2 * step, SliceBlurring(threshold, box, RHO_PER_KG, thickness)
    for kappa in KAPPAS:
        yield "odds", kappa, 2 * step, OddsBlurring(threshold, box, RHO_PER_KG, kappa)
        pieces = compute_odds_pieces(kappa, protected=step, largest=step)
        yield "odds_narrow", kappa, step, partial(move_by_pieces, pieces=pieces)


def _release_weights(policy: Blurring | Offsets, records: Floats, g: Floats) -> Floats:
    """Release the weights (kg) of records by a policy, shape (n,), given their thresholds ``g``."""
    if isinstance(policy, Blurring):
        return policy.release(records)[:, 0]
    return g + policy(records[:, 0] - g)


@returns_table("policy", "setting")
def build_odds_table() -> Rows:
    """Compute odds and changes (kg) of each policy on a line with room, at an accuracy of 10 kg.

    The setting of ``slices`` is their thickness, and that of ``odds`` and ``odds_narrow`` kappa,
    the latter for the band of 10 kg that the printed policy protects. Statistics: ``protected_kg``,
    half-width of the band that the policy leaves undecided; ``worst_odds`` behind a report, counted
    on cells of reports; ``odds_over_setting``; ``mean_change_kg`` over the band, and
    ``least_mean_change_kg`` at these odds and this largest change, by the closed form, and
    ``mean_above_least_kg``; ``largest_change_kg``, ``change_beyond_accuracy_kg``, and
    ``largest_over_least``, the largest change over half of the half-width, which is its lower bound
    for any policy.
    """
    g, step = 100.0, 1 / RHO_PER_KG
    line = PolynomialThreshold((int(g),)), PublicRange((0, 0), (2 * g, 1))
    for name, setting, protected, policy in _list_policies(*line):
        offsets = protected * (2 * (np.arange(_RECORDS) + 0.5) / _RECORDS - 1)
        records = np.column_stack([g + offsets, np.full(_RECORDS, 0.5)])
        reports = _release_weights(policy, records, np.full(_RECORDS, g))
        change = np.abs(reports - records[:, 0])
        odds = compute_worst_odds(reports - g, offsets >= 0, step)
        # The closed form is allowed changes as large as those of the policy, to be comparable.
        least = compute_min_mean_change(odds, protected=protected, largest=step)
        yield {
            "policy": name,
            "setting": float(setting),
            "protected_kg": protected,
            "worst_odds": odds,
            "odds_over_setting": odds / setting,
            "mean_change_kg": change.mean(),
            "least_mean_change_kg": least,
            "mean_above_least_kg": change.mean() - least,
            "largest_change_kg": change.max(),
            "change_beyond_accuracy_kg": change.max() - step,
            "largest_over_least": change.max() / (protected / 2),
        }


def compute_worst_odds(reports: Floats, is_p0: Bools, step: float) -> float:
    """Compute the largest odds behind a report: ratio of p0 to p1 records in a cell, or inverse.

    ``reports`` are signed distances from the threshold, from ``-step`` to ``step``. The odds are
    infinite if a cell has records of one hypothesis only.
    """
    edges = np.linspace(-step, step, _CELLS + 1)
    edges[[0, -1]] += [-_TOLERANCE, _TOLERANCE]
    p0, p1 = (np.histogram(reports[side], edges)[0] for side in (is_p0, ~is_p0))
    is_filled = p0 + p1 > 0
    with np.errstate(divide="ignore"):
        return float(np.maximum(p0[is_filled] / p1[is_filled], p1[is_filled] / p0[is_filled]).max())


@returns_table("kappa", "protected_over_largest", "cells")
def build_lattice_table(*, cells: Sequence[int] = (2, 4, 8)) -> Rows:
    """Compute the smallest mean change of random policies on a lattice, and by the closed form.

    A line is cut into cells, an even number to a largest change, and each cell is moved, without
    being stretched and at random, by multiples of half a cell. So a policy of the lattice is a
    policy of the line, and its mean change cannot be below the closed form. Statistics:
    ``lattice_mean``, in largest changes; ``lattice_above_least``; ``is_attained``, whether it is 0.
    """
    for kappa in _LATTICE_KAPPAS:
        for half_width in _HALF_WIDTHS:
            least = compute_min_mean_change(kappa, protected=half_width, largest=1)
            for count in cells:
                mean = _minimize_mean_change(kappa, round(half_width * count), count)
                yield {
                    "kappa": float(kappa),
                    "protected_over_largest": half_width,
                    "cells": count,
                    "lattice_mean": mean,
                    "lattice_above_least": mean - least,
                    "is_attained": abs(mean - least) < _TOLERANCE,
                }


def _minimize_mean_change(kappa: float, protected: int, count: int) -> float:
    """Compute the smallest mean change of a lattice, in largest changes, by a linear programme.

    At odds of at most kappa, ``protected`` cells of either hypothesis stay undecided; a largest
    change is ``count`` cells.
    """
    # The unit is half a cell, so that the middles of cells are odd and those of reports are whole.
    records = np.arange(-2 * protected + 1, 2 * protected, 2)
    reports = np.arange(-2 * count, 2 * count + 1)
    change = np.abs(records[:, None] - reports)
    record, report = np.nonzero(change <= 2 * count)
    flow, is_p0 = np.arange(len(record)), records[record] > 0
    record_mass = coo_matrix((np.ones(len(flow)), (record, flow)))
    # At each report, both p0 - kappa p1 and p1 - kappa p0 must be 0 or less.
    balance = coo_matrix(
        (
            np.concatenate([np.where(is_p0, 1, -kappa), np.where(is_p0, -kappa, 1)]),
            (np.concatenate([2 * report, 2 * report + 1]), np.concatenate([flow, flow])),
        )
    )
    solution = linprog(
        change[record, report],
        A_ub=balance.tocsr(),
        b_ub=np.zeros(balance.shape[0]),
        A_eq=record_mass.tocsr(),
        b_eq=np.ones(len(records)),
        method="highs",
    )
    return float(solution.fun) / len(records) / (2 * count)


@returns_table("policy", "setting")
def build_people_table(survey: pd.DataFrame) -> Rows:
    """Compute the undecided people of the survey and their changes (kg) under each policy.

    ``undecided`` are those in the band that the policy leaves undecided, on lines with room for it;
    the mean change is over all people.
    """
    people, (threshold, box) = select_bodies(survey), build_bmi_problem()
    x, g = people[:, 0], threshold(people[:, 1:])
    for name, setting, protected, policy in _list_policies(threshold, box):
        reports = _release_weights(policy, people, g)
        if isinstance(policy, Blurring):
            undecided = ~policy.is_decided(np.column_stack([reports, people[:, 1]]))
        else:
            room = (box.lower[0] + protected <= g) & (g <= box.upper[0] - protected)
            undecided = room & np.where(x >= g, x - g < protected, g - x <= protected)
            reports = np.where(room, reports, x)
        change = np.abs(reports - x)
        yield {
            "policy": name,
            "setting": float(setting),
            "people": len(people),
            "undecided": undecided.sum(),
            "mean_change_kg": change.mean(),
            "largest_change_kg": change.max(),
        }
