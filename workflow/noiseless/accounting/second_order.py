r"""Certified maximum of a sum of many sigmoid-like functions, by the curvature of the sum.

The problem is that of :mod:`noiseless.accounting.branch_and_bound`.  There, each term is bounded on
its own, so that the excess of n terms adds up to n times the square of an interval's width.  The
curvatures of many terms in few dimensions cancel: the sum is far smoother than its parts.

1. *Quadratics.*  A node is a box of x, and each argument u_i has an interval of radius r about m.
   Let p interpolate f_i at m and m +- sqrt(3)/2 r.  Then ``|f_i - p| <= T r^3 / 24``, where T is at
   least the largest third derivative on the interval (interpolation at Chebyshev points).  Where
   that exceeds half of what a straight line loses, as across a kink, the line stands for f_i:
   ``f_i(u) <= c + s u`` with the chord's slope s and the conjugate c of the other module.
2. *Sum.*  The quadratics add up to one quadratic in x, with the remainders beside it.  Subtracting
   ``1/2 D_j (x_j^2 - h_j^2)``, which is at most 0 on the box of half-widths h, makes it concave
   for D large enough (alpha-BB; Gershgorin discs or the largest eigenvalue, whichever is less), and
   a concave function lies below its tangent at any point.
3. *Monotonicity.*  The derivative of f_i is that of p up to T r^2 (Taylor), or within the slopes of
   f_i on the interval.  Where the sum's derivative in x_j has one sign, x_j moves to that end.
4. *Branching*, best bound first: the box is halved in the coordinate that causes most of the loss
   of steps 1 and 2; a categorical coordinate is split between two of its levels.
5. *Record.*  :func:`maximise` returns every move and split, so that the upper bound can be computed
   again by other means.

A node costs one pass over the terms, a tenth to a hundredth of a relaxation by branch and bound.
"""

import heapq
import math

import numpy as np

from noiseless.accounting.branch_and_bound import (
    LOG_CLIP,
    LOGIT,
    Terms,
    bound_conjugate,
    build_full_array,
    build_split_row,
    compute_max_slope,
    differentiate_term,
    evaluate_sum,
    evaluate_term,
    find_best_start,
    find_neighbour_levels,
    polish,
    snap,
    stack_rows,
)
from noiseless.arrays import Floats, Ints
from noiseless.compiled import compile_njit, copy_into

_CHEBYSHEV = 0.5 * math.sqrt(3.0)
_N_ROUNDS = 4  # number of rounds of step 3, in the last of which no coordinate moves
# Largest magnitudes of the logistic function's second and third derivative, and where they are.
_SECOND, _SECOND_AT = math.sqrt(3.0) / 18.0, math.log(2.0 + math.sqrt(3.0))
_THIRD, _THIRD_SIDE, _THIRD_AT = 1.0 / 8.0, 1.0 / 24.0, math.log(5.0 + 2.0 * math.sqrt(6.0))


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _bound_sigmoid_second(low: float, high: float) -> float:
    """Compute the largest magnitude of the logistic function's second derivative on [low, high]."""
    near = 0.0 if low <= 0.0 <= high else min(abs(low), abs(high))
    far = max(abs(low), abs(high))
    if near <= _SECOND_AT <= far:
        return _SECOND
    largest = 0.0
    for u in (near, far):
        z = math.exp(-u)
        s = z / (1.0 + z)
        largest = max(largest, s * (1.0 - s) * (1.0 - 2.0 * s))
    return largest


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _bound_sigmoid_third(low: float, high: float) -> float:
    """Compute the largest magnitude of the logistic function's third derivative on [low, high]."""
    if low <= 0.0 <= high:
        return _THIRD
    near, far = min(abs(low), abs(high)), max(abs(low), abs(high))
    largest = _THIRD_SIDE if near <= _THIRD_AT <= far else 0.0
    for u in (near, far):
        z = math.exp(-u)
        s = z / (1.0 + z)
        largest = max(largest, s * (1.0 - s) * abs(1.0 - 6.0 * s * (1.0 - s)))
    return largest


@compile_njit(cache=True, nogil=True, error_model="numpy")
def bound_third_derivative(kind: int, eps: float, e: float, left: float, right: float) -> float:
    """Bound the largest magnitude of f''' on [left, right]; infinite across a kink."""
    if kind == LOGIT:
        # f' = S(u + eps) - S(u), S the logistic function: the third derivative of f is a
        # difference of second derivatives of S.
        return min(
            eps * _bound_sigmoid_third(left, right + eps),
            _bound_sigmoid_second(left, right) + _bound_sigmoid_second(left + eps, right + eps),
        )
    if left < 0.0 or right > 1.0:
        return np.inf
    slope = e / (1.0 + e * (left if kind == LOG_CLIP else 1.0 - right))
    return 2.0 * slope * slope * slope


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _bound_box(
    terms: Terms, low: Floats, high: Floats, x: Floats, loss: Floats, moved: Ints
) -> float:
    """Compute an upper bound of the sum on [low, high], and shrink that box in place (step 3).

    Fills x, the maximiser of the concave quadratic; ``loss``, the loss of the bound due to each
    coordinate's width; and ``moved``, the round from 1 in which a coordinate moved to an end, or 0.
    """
    kinds, eps, e, a, b = terms
    n, d = a.shape
    centre, half = np.empty(d), np.empty(d)
    _fill_centre(low, high, centre, half)
    hessian, gradient, slack = np.empty((d, d)), np.empty(d), np.empty(d)
    total = 0.0
    moved[:] = 0
    for attempt in range(_N_ROUNDS):
        total = 0.0
        hessian[:], gradient[:], slack[:], loss[:] = 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            kind, middle, radius = kinds[i], b[i], 0.0
            for j in range(d):
                middle += a[i, j] * centre[j]
                radius += abs(a[i, j]) * half[j]
            radius = max(radius, 1e-12 * (1.0 + abs(middle)))
            left, right = middle - radius, middle + radius
            f_left, f_right = evaluate_term(kind, e[i], left), evaluate_term(kind, e[i], right)
            f = evaluate_term(kind, e[i], middle)
            if kind != LOGIT and (left >= 1.0 or right <= 0.0):
                total += f
                continue
            third = bound_third_derivative(kind, eps[i], e[i], left, right)
            remainder = third * radius * radius * radius / 24.0
            chord = 0.5 * (f_left + f_right)
            smooth = remainder <= 0.5 * abs(chord - f)
            if not smooth:
                slope = (f_right - f_left) / (2.0 * radius)
                # Beyond 1 a clipped term is constant, so that its line's excess falls there.
                end = right if kind == LOGIT else min(right, 1.0)
                above = slope * middle + bound_conjugate(
                    kind, eps[i], e[i], left, end, f_left, f_right, slope
                )
                excess = above - chord + max(chord - f, 0.0)
                smooth = remainder <= 0.5 * excess
            if smooth:
                at = _CHEBYSHEV * radius
                ahead, behind = (
                    evaluate_term(kind, e[i], middle + at),
                    evaluate_term(kind, e[i], middle - at),
                )
                slope = (ahead - behind) / (2.0 * at)
                curve = (ahead - f + (behind - f)) / (at * at)
                total += f + remainder
                excess, spread = 2.0 * remainder, third * radius * radius
                for j in range(d):
                    scaled = curve * a[i, j]
                    for k in range(j + 1):
                        hessian[j, k] += scaled * a[i, k]
            else:
                top = compute_max_slope(kind, eps[i])
                if kind == LOGIT:
                    top, _ = differentiate_term(kind, e[i], min(max(-0.5 * eps[i], left), right))
                total += above
                spread = max(top - slope, slope)
            for j in range(d):
                gradient[j] += slope * a[i, j]
                slack[j] += spread * abs(a[i, j])
                loss[j] += excess * abs(a[i, j]) * half[j] / radius
        for j in range(d):
            for k in range(j):
                hessian[k, j] = hessian[j, k]
        if attempt == _N_ROUNDS - 1:
            break
        for j in range(d):
            for k in range(d):
                slack[j] += abs(hessian[j, k]) * half[k]
        if not _move_coordinates(low, high, half, gradient, slack, moved, attempt + 1):
            break
        if _fill_centre(low, high, centre, half) == 0.0:
            copy_into(x, low)
            return evaluate_sum(kinds, e, a, b, x)
    for j in range(d):
        gradient[j] *= half[j]
        for k in range(d):
            hessian[j, k] *= half[j] * half[k]
    return total + _bound_quadratic(gradient, hessian, half, centre, x, loss)


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _move_coordinates(
    low: Floats,
    high: Floats,
    half: Floats,
    gradient: Floats,
    slack: Floats,
    moved: Ints,
    attempt: int,
) -> bool:
    """Move each coordinate along which the sum is monotone to its better end (step 3).

    The sum is monotone where its gradient at the centre is larger than ``slack``, by which the
    gradient can differ within the box.  Writes ``attempt`` into ``moved``; returns whether a
    coordinate has moved.
    """
    has_moved = False
    for j in range(low.size):
        if half[j] > 0.0:
            if gradient[j] > slack[j]:
                low[j], moved[j], has_moved = high[j], attempt, True
            elif -gradient[j] > slack[j]:
                high[j], moved[j], has_moved = low[j], attempt, True
    return has_moved


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _fill_centre(low: Floats, high: Floats, centre: Floats, half: Floats) -> float:
    """Fill the centre and the half-widths of a box, and return the largest half-width."""
    widest = 0.0
    for j in range(low.size):
        centre[j], half[j] = 0.5 * (low[j] + high[j]), 0.5 * (high[j] - low[j])
        widest = max(widest, half[j])
    return widest


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _bound_quadratic(
    gradient: Floats, hessian: Floats, half: Floats, centre: Floats, x: Floats, loss: Floats
) -> float:
    """Compute an upper bound of ``g . s + s' H s / 2`` over s in [-1, 1]^d.

    Adds the excess of each coordinate to ``loss`` and fills x.
    """
    d = gradient.size
    shift, discs, uniform = np.empty(d), 0.0, 0.0
    shift[:] = 0.0
    # The margin is far above the rounding of the eigenvalue.
    absolute = 0.0
    for j in range(d):
        for k in range(d):
            absolute += abs(hessian[j, k])
    largest = np.linalg.eigvalsh(hessian)[-1] + 1e-12 * absolute
    if largest > 0.0:
        for j in range(d):
            disc = hessian[j, j]
            for k in range(d):
                if k != j:
                    disc += abs(hessian[j, k])
            shift[j] = max(disc, 0.0)
            discs += shift[j]
            uniform += largest if half[j] > 0.0 else 0.0
        if uniform < discs:
            for j in range(d):
                shift[j] = largest if half[j] > 0.0 else 0.0
    s, slope = np.empty(d), gradient.copy()
    s[:] = 0.0
    for _ in range(30):
        change = 0.0
        for j in range(d):
            if half[j] == 0.0:
                continue
            fall = shift[j] - hessian[j, j]
            goal = s[j] + slope[j] / fall if fall > 1e-300 else math.copysign(1.0, slope[j])
            step = min(max(goal, -1.0), 1.0) - s[j]
            if step != 0.0:
                s[j] += step
                for k in range(d):
                    slope[k] += hessian[k, j] * step
                slope[j] -= shift[j] * step
                change = max(change, abs(step))
        if change < 1e-3:
            break
    bound = 0.0
    for j in range(d):
        bound += 0.5 * (gradient[j] + slope[j]) * s[j] + 0.5 * shift[j]
        bound += max(slope[j] * (1.0 - s[j]), -slope[j] * (1.0 + s[j]))
        loss[j] += 0.5 * shift[j]
        x[j] = centre[j] + half[j] * s[j]
    return bound


@compile_njit(cache=True, nogil=True, error_model="numpy")
def maximise(
    kinds: Ints,
    eps: Floats,
    a: Floats,
    b: Floats,
    counts: Ints,
    levels: Floats,
    start: Floats,
    tolerance: float,
    node_limit: int,
) -> tuple[float, float, Floats, int, Floats]:
    """Compute bounds of the maximum of a sum of terms, before any allowance for rounding.

    Arguments, and all results but the last, are those of
    :func:`noiseless.accounting.branch_and_bound.maximise`, with boxes for relaxations.  In
    ``splits``, shape (m, 4), leaf 0 is all of the domain at first.  A row (leaf, index, below,
    above) with an index of at least 0 adds a leaf, a copy of ``leaf``, which keeps what is at most
    ``below`` of that coordinate, while the new one keeps what is at least ``above``.  A row (leaf,
    -1 - j, end, round) means that coordinate j of the leaf can stay at ``end``, by step 3 for the
    box before the moves of this round.
    """
    d = a.shape[1]
    e = np.expm1(eps)
    terms = Terms(kinds, eps, e, a, b)
    boxes = [(build_full_array(d, 0.0), build_full_array(d, 1.0))]
    x, loss, moved = np.empty(d), np.empty(d), np.empty(d, np.int64)
    splits = [build_split_row(0, 0, 0.0, 0.0)]
    splits.pop()
    lower, point = find_best_start(terms, counts, levels, start)
    closed = -np.inf  # the largest bound among boxes that need no split
    heap = [(-np.inf, 0, 0)]  # minus the bound, the box, and the coordinate that will be halved
    heap.pop()
    nodes, parent_bound = 0, np.inf
    fresh = [0]
    while True:
        for node in fresh:
            low, high = boxes[node]
            bound = _bound_box(terms, low, high, x, loss, moved)
            bound = min(bound, parent_bound)
            nodes += 1
            for attempt in range(1, _N_ROUNDS):
                for j in range(d):
                    if moved[j] == attempt:
                        splits.append(build_split_row(node, -1 - j, low[j], attempt))
            if bound > lower:
                snap(x, low, high, counts, levels)
                if evaluate_sum(kinds, e, a, b, x) > lower:
                    lower = polish(kinds, e, a, b, counts, levels, x)
                    copy_into(point, x)
            widest, coordinate = -1.0, -1
            for j in range(d):
                # A narrower interval has no number inside that would still halve it.
                if high[j] - low[j] > 1e-12 and loss[j] > widest:
                    widest, coordinate = loss[j], j
            if bound <= lower + tolerance or coordinate < 0:
                closed = max(closed, bound)
                continue
            heapq.heappush(heap, (-bound, node, coordinate))
        upper = max(closed, -heap[0][0] if len(heap) > 0 else -np.inf)
        upper = max(upper, lower)
        if len(heap) == 0 or nodes >= node_limit or upper - lower <= tolerance:
            return lower, upper, point, nodes, stack_rows(splits, 4)
        negative, node, j = heapq.heappop(heap)
        parent_bound = -negative
        # The lower half replaces its parent.
        low, high = boxes[node]
        below = above = 0.5 * (low[j] + high[j])
        if counts[j]:
            below, above = find_neighbour_levels(below, low[j], high[j], levels[j, : counts[j]])
        fresh = [node, len(boxes)]
        splits.append(build_split_row(node, j, below, above))
        boxes.append((low.copy(), high.copy()))
        high[j], boxes[-1][0][j] = below, above
