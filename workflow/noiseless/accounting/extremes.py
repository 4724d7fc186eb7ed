"""Certified bounds of the maximum of a sum of terms over a box, with their witnesses.

1. :func:`maximise` tries two kinds of branch and bound,
   :mod:`~noiseless.accounting.branch_and_bound` for few or steep terms and
   :mod:`~noiseless.accounting.second_order` for many, and lets the better one go on.
2. If the limit of nodes is reached before the tolerance, it cuts the terms into groups, whose
   maxima add up to an upper bound (``knowledge``, Appendix C).
3. A :class:`Certificate` proves the upper bound by a :class:`Witness` for each group, from which
   the bound can be computed again by other means.

The limit counts nodes, not seconds, so that a result depends on the terms alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from noiseless.accounting import branch_and_bound, second_order
from noiseless.accounting.queries import Box, Terms
from noiseless.arrays import Floats

TRIAL_NODES = 250
"""Nodes that each kind of branch and bound gets, before the better of the two gets the rest."""

BOXES_PER_NODE = 10
"""Boxes of ``second_order`` that count as one node; a relaxation takes about ten times as long."""

FULL_LIMIT_TERMS = 100
"""With more terms than these the limit of nodes falls in proportion, as a node's time grows."""

SMALL_BOX_DIMENSIONS = 5
"""Most dimensions in which ``second_order`` goes first, if there are two terms for each."""

GROUP_SIZES = (2, 24, 40)
"""Sizes of the groups that are tried as the last resort.

Pairs are for queries that were answered both ways.  The larger sizes are about the largest whose
extremes converge in nine dimensions, so that the bound loses nothing but what the groups disagree
on.
"""


@dataclass(frozen=True)
class Witness:
    """Proof that the sum of some terms of a certificate, its ``rows``, is nowhere above ``upper``.

    The bound is before any allowance for rounding, and ``splits`` is the search as the ``maximise``
    of the method returns it.  By the method ``envelopes``, the bound of every leaf comes from its
    ``multipliers`` (step 2 of :mod:`~noiseless.accounting.branch_and_bound`); by ``second_order``,
    from its box (steps 1 and 2 of :mod:`~noiseless.accounting.second_order`), or from an earlier
    box that contains it; by ``vertices``, the sum is convex, and largest at a corner of the box.
    """

    rows: tuple[int, ...]
    upper: float
    method: str
    splits: Floats
    multipliers: Floats


@dataclass(frozen=True)
class Certificate:
    """Proof of an upper bound of the maximum of a sum of terms over a box.

    ``upper`` is the sum of the bounds of the witnesses and of ``terms.constant``, before any
    allowance for rounding; the witnesses' groups together have each term once.
    """

    terms: Terms
    box: Box
    upper: float
    witnesses: tuple[Witness, ...]


@dataclass(frozen=True)
class MaximumBounds:
    """Bounds of the maximum of a sum of terms, before any allowance for rounding.

    The point of [0, 1]^d attains ``lower``; ``witnesses`` are those of ``upper``, if requested.
    """

    lower: float
    upper: float
    point: Floats
    nodes: int
    witnesses: tuple[Witness, ...] = ()


def maximise(
    terms: Terms, box: Box, tolerance: float, node_limit: int, *, witnesses: bool = False
) -> MaximumBounds:
    """Bound the maximum of a sum of terms over a box, by both methods and finally by groups.

    The search ends where the bounds are no further apart than ``tolerance``, or by ``node_limit``
    relaxations of all terms, but for a node or two, and a quarter of it for the groups of each
    size; one of fewer terms counts by their share.  Witnesses may take megabytes.  The bounds are
    the same without.
    """
    n = len(terms.kinds)
    if not n:
        return MaximumBounds(terms.constant, terms.constant, compute_centre(box), 0)
    limit = max(1, min(node_limit, node_limit * FULL_LIMIT_TERMS // n))
    found = _bound_by_branching(terms, range(n), box, tolerance, limit)
    for size in GROUP_SIZES:
        if found.upper - found.lower > tolerance and n >= 2 * size:
            groups = group_conflicting_terms(terms, size)
            parts = [
                _bound_by_branching(terms, group, box, tolerance / len(groups), max(1, limit // 4))
                for group in groups
            ]
            work = sum(part.nodes * len(group) for part, group in zip(parts, groups, strict=True))
            together = sum(part.upper for part in parts)
            if together < found.upper:
                kept = tuple(witness for part in parts for witness in part.witnesses)
                found = replace(found, upper=together, witnesses=kept)
            found = replace(found, nodes=found.nodes - (-work // n))
    return replace(
        found,
        lower=found.lower + terms.constant,
        upper=found.upper + terms.constant,
        witnesses=found.witnesses if witnesses else (),
    )


@lru_cache(maxsize=16)
def compute_centre(box: Box) -> Floats:
    """Compute the centre of [0, 1]^d, or a point near it with allowed categorical values.

    All callers share the array, and write nothing into it.
    """
    counts, levels = box.levels
    point = np.full(box.dimensions, 0.5)
    for index in np.flatnonzero(counts):
        point[index] = levels[index, counts[index] // 2]
    return point


def group_conflicting_terms(terms: Terms, size: int) -> list[list[int]]:
    """Partition terms into groups of at most ``size`` terms that favour different values.

    The maximum of such a group is small.  To first order it is the
    L1 norm of the sum of its terms' mean slopes over the box.  Each group therefore begins with the
    largest remaining slope, and adds the term that makes this norm smallest, until it is full.
    """
    # A term cannot rise by more than its epsilon.
    spread = np.abs(terms.a).sum(axis=1)
    slopes = terms.a * (terms.eps / np.maximum(spread, 1.0))[:, None]
    groups: list[list[int]] = []
    free = np.ones(len(slopes), dtype=bool)
    while free.any():
        left = np.flatnonzero(free)
        group = [int(left[np.abs(slopes[left]).sum(axis=1).argmax()])]
        total = slopes[group[0]].copy()
        free[group[0]] = False
        while len(group) < size and free.any():
            left = np.flatnonzero(free)
            group.append(int(left[np.abs(total + slopes[left]).sum(axis=1).argmin()]))
            total += slopes[group[-1]]
            free[group[-1]] = False
        groups.append(group)
    return groups


def _bound_by_branching(
    terms: Terms, rows: Sequence[int], box: Box, tolerance: float, node_limit: int
) -> MaximumBounds:
    """Bound the maximum of the terms in ``rows``, without the constant, by branch and bound."""
    terms = terms.select_rows(rows)
    n, d = terms.a.shape
    problem = (terms.kinds, terms.eps, terms.a, terms.b, *box.levels)
    lower, point, used = -math.inf, compute_centre(box), 0
    found: dict[str, Witness] = {}
    few_first = n <= 2 * d or d > SMALL_BOX_DIMENSIONS
    methods = ["envelopes", "second_order"] if few_first else ["second_order", "envelopes"]
    for turn in range(3):
        if turn < 2:
            method, nodes = methods[turn], min(TRIAL_NODES, node_limit - used)
        else:
            method, nodes = min(methods, key=lambda name: found[name].upper), node_limit - used
        if method == "envelopes":
            low, high, at, spent, splits, multipliers = branch_and_bound.maximise(
                *problem, point[None], tolerance, nodes
            )
        else:
            low, high, at, boxes, splits = second_order.maximise(
                *problem, point[None], tolerance, nodes * BOXES_PER_NODE
            )
            spent, multipliers = -(-boxes // BOXES_PER_NODE), np.empty((0, n))
        used += spent
        if method not in found or high <= found[method].upper:
            found[method] = Witness(tuple(rows), high, method, splits, multipliers)
        if low > lower:
            lower, point = low, at
        best = min(found.values(), key=lambda witness: witness.upper)
        upper = max(best.upper, lower)  # they may cross by rounding
        if upper - lower <= tolerance or used >= node_limit:
            break
    return MaximumBounds(lower, upper, point, used, (best,))
