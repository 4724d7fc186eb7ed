"""Thresholds of every shape, and the bound of 2/rho in every norm (``nsht``, Definition 4).

:func:`build_distance_table`: policies that change the complete record, for thresholds that
touch the ends of the range, are one of them, or cross them.  Of the records within ``2/rho`` of the
other hypothesis, a share stays decided that shrinks with the spacing of the lattice.
"""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial
from scipy.spatial import KDTree

from noiseless.arrays import Bools, Floats, Ints
from noiseless.mechanisms.blurring import (
    PolynomialThreshold,
    PublicRange,
    build_polynomial_threshold,
)
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.tables import Rows, returns_table
from noiseless.theory.anonymity import class_diversity, class_numbers

RHO = 2.5  # accuracy, per unit of the square
_SIDE = 4.0  # side of the square range of the shapes
_ROUNDING = 1e-9  # largest difference of lengths that is rounding
_TIE_WEIGHT = 1e-6  # weight of the Euclidean distance, which breaks ties of another norm
# Spacings of the lattice below 2/rho within which a farthest record is left out: a lattice has too
# few pairs of neighbours to serve each of them.
_MARGIN_SPACINGS = 5
_NORMS = {"largest": np.inf, "Euclidean": 2, "sum": 1}


def build_shapes() -> dict[str, PolynomialThreshold]:
    """Build thresholds x1 = g(x2) on the square [0, 4] x [0, 4], keyed by their shape."""

    def build_wave(degree: int, height: float) -> Polynomial:
        """Build a Chebyshev polynomial on [0, 4] that oscillates from 2 - height to 2 + height."""
        wave = Chebyshev.basis(degree, domain=[0, _SIDE]).convert(kind=Polynomial)
        return 2 + height * wave

    bow = Polynomial([-2, 1]) ** 2  # (x2 - 2)^2
    polynomials = {
        "inside": Polynomial([1.5]),
        "touches the upper end": _SIDE - bow / 2,
        "touches the lower end": bow / 2,
        "touches both ends": build_wave(3, 2),
        "crosses both ends": build_wave(3, 3),
        "crosses them often": build_wave(5, 4),
        "is the upper end": Polynomial([_SIDE]),
        "is the lower end": Polynomial([0.0]),
    }
    return {
        name: build_polynomial_threshold([float(f"{each:.9g}") for each in polynomial.coef])
        for name, polynomial in polynomials.items()
    }


@returns_table("shape", "norm", "cells")
def build_distance_table(*, cells: Sequence[int], rho: float = RHO) -> Rows:
    """Count the undecided records of a policy that changes both coordinates, for each norm.

    The proof that every record nearer than ``2/rho`` to the other hypothesis can stay undecided
    gathers such records around pairs of records of either hypothesis that are next to each other.
    Here the records are a lattice of ``cells`` records along each side of the square, and the pairs
    are neighbours in it.

    Statistics, for all shapes with both hypotheses: ``records``; ``bound``, the records within
    ``2/rho`` of a record of the other hypothesis; ``undecided``, the records whose report a record
    of the other hypothesis has, too; ``remaining_share``, the decided share of the bound;
    ``remaining_share_times_cells``; ``above_bound``, records that are undecided and not in the
    bound; ``change_beyond_accuracy``, the largest change minus 1/rho; ``first_number_share``, the
    share of the bound that a change of the first coordinate alone can leave undecided.
    """
    for (shape, threshold), (norm, power), count in itertools.product(
        build_shapes().items(), _NORMS.items(), cells
    ):
        line = np.linspace(0, _SIDE, count)
        records = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
        is_p0 = records[:, 0] >= threshold(records[:, 1:])
        if is_p0.all():
            continue
        reports, bound = gather_records(records, is_p0, count, 1 / rho, power)
        undecided = class_diversity(class_numbers(reports), is_p0) == 2
        one_coordinate = OverlayBlurring(threshold, PublicRange((0, 0), (_SIDE, _SIDE)), rho)
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
            "first_number_share": (one_coordinate.can_be_undecided(records) & bound).sum()
            / bound.sum(),
        }


def gather_records(
    records: Floats, is_p0: Bools, count: int, step: float, power: float
) -> tuple[Floats, Bools]:
    """Release a lattice's records by a policy that gathers them around pairs of neighbours.

    ``records``, shape (count^2, 2), are those of a square lattice, its rows one after the other;
    both hypotheses occur. Returned are the reports, and a mask of the records within two steps of
    the other hypothesis.

    Records are served from the farthest one on that is nearer than two steps by a margin. The
    nearest free pair of neighbours is reported at a point between the pair and the record, as far
    from the pair as accuracy allows. All records that are near this point and in no pair are
    reported there, too.
    """
    trees = {side: KDTree(records[is_p0 == side]) for side in (True, False)}
    distance = np.where(is_p0, *(trees[side].query(records, p=power)[0] for side in (False, True)))
    bound = distance <= 2 * step + _ROUNDING
    pairs = _match_neighbours(is_p0.reshape(count, count))
    centers = records[pairs].mean(axis=1)
    spacing = np.linalg.norm(records[1] - records[0], ord=power)
    reports = records.copy()
    reports[pairs] = centers[:, None]
    is_waiting = bound.copy()
    is_waiting[pairs] = False
    is_free = np.ones(len(pairs), dtype=bool)
    order = np.argsort(-distance, kind="stable")
    for farthest in order[distance[order] <= 2 * step - _MARGIN_SPACINGS * spacing]:
        if not (is_waiting[farthest] and is_free.any()):
            continue
        offset = records[farthest] - centers
        length = np.linalg.norm(offset, ord=power, axis=1)
        # Among pairs at equal distance, the nearest by the Euclidean norm is taken, because its
        # report is near most other records.
        pair = int(np.where(is_free, length + _TIE_WEIGHT * np.hypot(*offset.T), np.inf).argmin())
        share = min(1, (step - spacing / 2) / length[pair])
        report = centers[pair] + share * offset[pair]
        near = is_waiting & (
            np.linalg.norm(records - report, ord=power, axis=1) <= step + _ROUNDING
        )
        is_waiting[farthest] = False  # the record is out of reach, or is gathered below
        if near[farthest]:
            reports[near] = reports[pairs[pair]] = report
            is_waiting &= ~near
            is_free[pair] = False
    return reports, bound


def _match_neighbours(is_p0: Bools) -> Ints:
    """Match neighbours of different hypotheses to disjoint pairs of indices, shape (pairs, 2)."""
    indices = np.arange(is_p0.size).reshape(is_p0.shape)
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    for first, second in ((indices[:-1], indices[1:]), (indices[:, :-1], indices[:, 1:])):
        differ = is_p0.ravel()[first] != is_p0.ravel()[second]
        for pair in zip(first[differ].tolist(), second[differ].tolist(), strict=True):
            if taken.isdisjoint(pair):
                taken.update(pair)
                pairs.append(pair)
    return np.array(pairs)
