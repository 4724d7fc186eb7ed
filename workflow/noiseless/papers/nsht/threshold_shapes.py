"""Thresholds of every shape, and the bound of 2/rho in every norm (``nsht``, Theorem 4).

1. :func:`shapes_table`: the privacy of Equation 9 on lattices that grow, for thresholds that touch
   the ends of the range, are an end, or cross the ends several times.
2. :func:`distance_table`: policies that change the complete record, in several norms.  What remains
   decided of the records within ``2/rho`` of the other hypothesis shrinks with the lattice.
"""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial
from numpy.typing import NDArray
from scipy.spatial import KDTree

from noiseless.mechanisms.blurring import (
    Blurring,
    PolynomialThreshold,
    PublicRange,
    band_measure,
    budget,
    decimal_threshold,
    privacy,
)
from noiseless.mechanisms.containers import Floats
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.policies.stretch import StretchBlurring
from noiseless.papers.nsht.blurring import reached_cells
from noiseless.tables import Rows, as_table
from noiseless.theory.anonymity import class_diversity, class_numbers

RHO = 2.5  # accuracy, on the square
_SIDE = 4.0  # of the square range of the shapes
_ROUNDING = 1e-9
_TIES = 1e-6
_MARGIN = 5  # spacings of a lattice, whose few pairs cannot serve each farthest record by itself
_POLICIES: Mapping[str, type[Blurring]] = {"stretch": StretchBlurring, "overlay": OverlayBlurring}
_NORMS = {"largest": np.inf, "Euclidean": 2, "sum": 1}

Bools = NDArray[np.bool_]


def shapes() -> dict[str, PolynomialThreshold]:
    """Thresholds x1 = g(x2) on the square [0, 4] x [0, 4], by what they do there."""

    def waves(degree: int, height: float) -> Polynomial:
        """A Chebyshev polynomial around the middle, between 2 - height and 2 + height."""
        wave = Chebyshev.basis(degree, domain=[0, _SIDE]).convert(kind=Polynomial)
        return 2 + height * wave

    bow = Polynomial([-2, 1]) ** 2  # (x2 - 2)^2
    polynomials = {
        "inside": Polynomial([1.5]),
        "touches the upper end": _SIDE - bow / 2,
        "touches the lower end": bow / 2,
        "touches both ends": waves(3, 2),
        "crosses both ends": waves(3, 3),
        "crosses them often": waves(5, 4),
        "is the upper end": Polynomial([_SIDE]),
        "is the lower end": Polynomial([0.0]),
    }
    return {
        name: decimal_threshold([float(f"{each:.9g}") for each in polynomial.coef])
        for name, polynomial in polynomials.items()
    }


@as_table("shape", "policy", "cells")
def shapes_table(*, cells: Sequence[int], rho: float = RHO) -> Rows:
    """Equation 9 of two policies, counted on lattices and by the integral of their lines.

    A line has 16 records for each cell and each of its cells; so records grow with the cells.

    Parameters
    ----------
    cells : sequence of int
        Numbers of cells that each side of the square is cut into, growing.
    rho : float

    Returns
    -------
    DataFrame
        Cells (shape, policy, cells).  Statistics: ``privacy_nats``, counted; ``expected_nats``,
        by integration; ``error_times_cells_nats``, the size of their difference times the cells;
        ``log1p_epsilon_nats``, what Theorem 4 says; ``missing_nats``, that minus the expected one.
    """
    box = PublicRange((0, 0), (_SIDE, _SIDE))
    for (shape, threshold), policy in itertools.product(shapes().items(), _POLICIES):
        band, both, source = (
            band_measure(threshold, box, each, two_sided=two_sided)
            for each, two_sided in ((rho, False), (rho, True), (rho / 2, True))
        )
        decided = box.volume - (both if policy == "stretch" else source)
        expected = float(privacy(decided + both, decided))
        wanted = float(np.log1p(budget(band, box.volume)))
        for count in cells:
            counted = _counted(_POLICIES[policy](threshold, box, rho), count)
            yield {
                "shape": shape,
                "policy": policy,
                "cells": count,
                "privacy_nats": counted,
                "expected_nats": expected,
                "error_times_cells_nats": abs(counted - expected) * count,
                "log1p_epsilon_nats": wanted,
                "missing_nats": wanted - expected,
            }


def _counted(blurring: Blurring, count: int) -> float:
    """Privacy of Equation 9, by the cells that reports of either hypothesis reach."""
    records = (np.arange(16 * count**2) + 0.5) / (16 * count**2) * _SIDE
    records[-1] = _SIDE  # p0 holds the upper end
    p0, p1, _, _ = reached_cells(blurring, records, count)
    return float(privacy((p0 | p1).sum(), (p0 ^ p1).sum()))


@as_table("shape", "norm", "cells")
def distance_table(*, cells: Sequence[int], rho: float = RHO) -> Rows:
    """A policy that changes the complete record, on lattices that grow, in several norms.

    The proof that every record nearer than ``2/rho`` to the other hypothesis can stay undecided
    gathers such records around pairs of records of either hypothesis that are next to each other.
    Here the records are a lattice, and the pairs are neighbours in it.

    Parameters
    ----------
    cells : sequence of int
        Records along each side of the square, growing.
    rho : float

    Returns
    -------
    DataFrame
        Cells (shape, norm, cells), for all shapes with both hypotheses.  Statistics: ``records``;
        ``bound``, those within ``2/rho`` of a record of the other hypothesis; ``undecided``, those
        whose report a record of the other hypothesis has, too; ``remaining_share`` of the bound,
        decided; ``remaining_share_times_cells``; ``above_bound``, undecided and not in the bound;
        ``change_beyond_accuracy``, the largest change minus 1/rho; ``first_number_share``, of the
        bound, that a change of the first number alone can leave undecided.
    """
    for (shape, threshold), (norm, power), count in itertools.product(
        shapes().items(), _NORMS.items(), cells
    ):
        line = np.linspace(0, _SIDE, count)
        records = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
        is_p0 = records[:, 0] >= threshold(records[:, 1:])
        if is_p0.all():
            continue
        reports, bound = gathered(records, is_p0, count, 1 / rho, power)
        undecided = class_diversity(class_numbers(reports), is_p0) == 2
        alone = OverlayBlurring(threshold, PublicRange((0, 0), (_SIDE, _SIDE)), rho)
        change = np.linalg.norm(reports - records, ord=power, axis=1).max()
        yield {
            "shape": shape,
            "norm": norm,
            "cells": count,
            "records": len(records),
            "bound": bound.sum(),
            "undecided": undecided.sum(),
            "remaining_share": 1 - undecided.sum() / bound.sum(),
            "remaining_share_times_cells": (1 - undecided.sum() / bound.sum()) * count,
            "above_bound": (undecided & ~bound).sum(),
            "change_beyond_accuracy": change - 1 / rho,
            "first_number_share": (alone.may_be_undecided(records) & bound).sum() / bound.sum(),
        }


def gathered(
    records: Floats, is_p0: Bools, count: int, step: float, power: float
) -> tuple[Floats, Bools]:
    """Reports of a lattice's records, gathered around pairs of either hypothesis.

    Parameters
    ----------
    records : ndarray, shape (count^2, 2)
        A square lattice, its rows one after the other.
    is_p0 : ndarray of bool, shape (count^2,)
        Neither everywhere true nor false.
    count : int
        Records along a side.
    step : float
        Largest change.
    power : float
        Power of the norm.

    Returns
    -------
    reports : ndarray, shape (count^2, 2)
    bound : ndarray of bool, shape (count^2,)
        Records within two steps of the other hypothesis.

    Notes
    -----
    From the farthest record on that is nearer than two steps by a margin: the nearest free pair is
    reported between the record and itself, as far from itself as accuracy allows, and so is
    everybody who is near that report and in no pair.
    """
    trees = {side: KDTree(records[is_p0 == side]) for side in (True, False)}
    distance = np.where(is_p0, *(trees[side].query(records, p=power)[0] for side in (False, True)))
    bound = distance <= 2 * step + _ROUNDING
    pairs = _pairs(is_p0.reshape(count, count))
    centers = records[pairs].mean(axis=1)
    spacing = np.linalg.norm(records[1] - records[0], ord=power)
    reports = records.copy()
    reports[pairs] = centers[:, None]
    left = bound.copy()
    left[pairs] = False
    free = np.ones(len(pairs), dtype=bool)
    order = np.argsort(-distance, kind="stable")
    for farthest in order[distance[order] <= 2 * step - _MARGIN * spacing]:
        if not (left[farthest] and free.any()):
            continue
        way = records[farthest] - centers
        length = np.linalg.norm(way, ord=power, axis=1)
        # Among pairs at one distance, the nearest in a line: its report is near most others.
        pair = int(np.where(free, length + _TIES * np.hypot(*way.T), np.inf).argmin())
        portion = min(1, (step - spacing / 2) / length[pair])
        report = centers[pair] + portion * way[pair]
        near = left & (np.linalg.norm(records - report, ord=power, axis=1) <= step + _ROUNDING)
        left[farthest] = False  # out of reach, or gathered
        if near[farthest]:
            reports[near] = reports[pairs[pair]] = report
            left &= ~near
            free[pair] = False
    return reports, bound


def _pairs(is_p0: Bools) -> NDArray[np.int64]:
    """Disjoint pairs of neighbours on either side, by their places; shape (pairs, 2)."""
    places = np.arange(is_p0.size).reshape(is_p0.shape)
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    for first, second in ((places[:-1], places[1:]), (places[:, :-1], places[:, 1:])):
        differ = is_p0.ravel()[first] != is_p0.ravel()[second]
        for pair in zip(first[differ].tolist(), second[differ].tolist(), strict=True):
            if taken.isdisjoint(pair):
                taken.update(pair)
                pairs.append(pair)
    return np.array(pairs)
