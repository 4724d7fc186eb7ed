r"""Certified maximum of a sum of sigmoid-like functions over a box.

The problem is ``max_x sum_i f_i(a_i . x + b_i)`` over x in [0, 1]^d.  Every f_i is nondecreasing
and, on the interval [l_i, r_i] of its argument, convex up to one point and concave after it:

======== ================================ ====================================================
kind     f(u); E = e^eps - 1              where it comes from
======== ================================ ====================================================
LOG_CLIP log(1 + E clip(u, 0, 1))         largest likelihood, linear
NEG_CLIP -log(1 + E clip(1 - u, 0, 1))    smallest likelihood, linear
LOGIT    log(1 + E / (1 + e^-u))          largest likelihood, logistic; and the smallest, because
                                          -log(1 + E / (1 + e^u)) is LOGIT at u - eps, minus eps
======== ================================ ====================================================

1. *Relaxation.*  Because f_i does not fall, ``u_i = a_i . x + b_i`` may become
   ``u_i <= a_i . x + b_i``.  A node restricts u_i to [l_i, r_i], where f_i is replaced by its
   concave envelope: a straight line from the left end to the point where it touches f_i, then f_i.
   A primal-dual interior-point method solves the concave problem.
2. *Certificate.*  Only the multipliers of that method are used.  For any lambda >= 0,

   ``sum_i max_[l_i, r_i] (f_i(u) - lambda_i u) + lambda . b + sum_j max(0, (A' lambda)_j)``

   is an upper bound (Lagrange), and each part is in closed form (:func:`bound_conjugate`).  At the
   best lambda it equals the optimum of the relaxation, because a function and its concave envelope
   have the same conjugate.
3. *Branching*, best bound first: on a categorical coordinate whose relaxed value is not one of its
   levels; else on the argument of the term whose envelope exceeds it most; else, where the
   relaxation stalled, on the term with the largest rise.
4. *Incumbents* are values of the objective itself at points of the domain.
5. *Record.*  :func:`maximise` returns every split and the multipliers of every leaf, so that the
   upper bound can be computed again by other means.

The method is quick where the terms are few or steep.  :mod:`noiseless.accounting.second_order` is
its counterpart for many terms in few dimensions.

Division by zero gives an infinity here (``error_model``), according to IEEE 754: the compiled code
is smaller without checks, and step 2 rejects multipliers that are not finite.

Rounding: :func:`maximise` computes in double precision; its caller widens both results by the
amount that :func:`compute_rounding_allowance` derives from the coefficients.
"""

import heapq
import math
from typing import NamedTuple

import numpy as np

from noiseless.arrays import Floats, Ints
from noiseless.compiled import compile_njit, copy_into

LOG_CLIP, NEG_CLIP, LOGIT = range(3)


class Terms(NamedTuple):
    """Sum of n terms ``f_i(a_i . x + b_i)`` on [0, 1]^d, with ``e`` = e^eps - 1."""

    kinds: Ints
    eps: Floats
    e: Floats
    a: Floats
    b: Floats


class _Iterate(NamedTuple):
    """Point or step of the interior-point method: variables, and multipliers of their limits."""

    x: Floats
    u: Floats
    slack: Floats
    multiplier: Floats
    low_x: Floats
    high_x: Floats
    low_u: Floats
    high_u: Floats


class _Newton(NamedTuple):
    """Coefficients of a Newton step: matrix, shape (d, d), and four vectors, shape (n,)."""

    matrix: Floats
    weight: Floats
    shift: Floats
    curvature: Floats
    gradient: Floats


class _Node(NamedTuple):
    """Box of x, intervals of the arguments u, and the multipliers of the bound on that box."""

    low: Floats
    high: Floats
    left: Floats
    right: Floats
    multipliers: Floats


@compile_njit(cache=True, nogil=True, error_model="numpy")
def evaluate_term(kind: int, e: float, u: float) -> float:
    """Evaluate f(u) of a term of the given kind with E = ``e``."""
    if kind == LOGIT:
        return math.log1p(e / (1.0 + math.exp(min(-u, 700.0))))
    if kind == LOG_CLIP:
        return math.log1p(e * min(max(u, 0.0), 1.0))
    return -math.log1p(e * min(max(1.0 - u, 0.0), 1.0))


@compile_njit(cache=True, nogil=True, error_model="numpy")
def differentiate_term(kind: int, e: float, u: float) -> tuple[float, float]:
    """Compute f'(u) and f''(u) of a term; clipped kinds are extended from inside [0, 1]."""
    if kind == LOG_CLIP:
        slope = e / (1.0 + e * u)
        return slope, -slope * slope
    if kind == NEG_CLIP:
        slope = e / (1.0 + e * (1.0 - u))
        return slope, slope * slope
    # S(u + eps) - S(u) with the logistic function S.
    z, grown = math.exp(-abs(u)), e + 1.0
    if u > 0:
        slope = e * z / ((1.0 + z) * (z + grown))
        return slope, slope * (1.0 - grown / (grown + z) - 1.0 / (1.0 + z))
    slope = e * z / ((1.0 + z) * (1.0 + z * grown))
    return slope, slope * (1.0 - z * grown / (1.0 + z * grown) - z / (1.0 + z))


@compile_njit(cache=True, nogil=True, error_model="numpy")
def compute_max_slope(kind: int, eps: float) -> float:
    """Compute the largest slope of a term over all arguments."""
    return math.tanh(0.25 * eps) if kind == LOGIT else math.expm1(eps)


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _compute_inflection(kind: int, eps: float) -> float:
    """Compute the argument at which f turns from convex to concave."""
    if kind == LOGIT:
        return -0.5 * eps
    return 0.0 if kind == LOG_CLIP else 1.0


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _find_tangent_point(
    kind: int, eps: float, left: float, right: float, f_left: float, f_right: float
) -> tuple[float, float]:
    """Find where the envelope's line from ``left`` touches f: the argument and the slope."""
    bend = _compute_inflection(kind, eps)
    if left >= bend:
        return left, 0.0
    if kind != NEG_CLIP and right > bend:
        e = math.expm1(eps)
        low, high = max(bend, left), right
        slope, _ = differentiate_term(kind, e, right)
        if f_right - f_left > slope * (right - left):
            at = 0.5 * (low + high)
            for _ in range(60):
                slope, curve = differentiate_term(kind, e, at)
                excess = evaluate_term(kind, e, at) - f_left - slope * (at - left)
                if excess > 0:
                    high = at
                else:
                    low = at
                step = -curve * (at - left)
                new = at - excess / step if step > 0 else low
                if not low < new < high:
                    new = 0.5 * (low + high)
                if abs(new - at) <= 1e-12 * (1.0 + abs(at)):
                    break
                at = new
            return at, (evaluate_term(kind, e, at) - f_left) / (at - left)
    return right, (f_right - f_left) / (right - left)


@compile_njit(cache=True, nogil=True, error_model="numpy")
def bound_conjugate(
    kind: int,
    eps: float,
    e: float,
    left: float,
    right: float,
    f_left: float,
    f_right: float,
    lam: float,
) -> float:
    """Compute an upper bound of f(u) - lam u over [left, right], exact but for rounding.

    On the convex part the maximum is at an end.  On the concave part it is at an end or where the
    slope is lam; that point need not be exact, for a concave function lies below its tangent.
    """
    best = max(f_left - lam * left, f_right - lam * right)
    bend = max(_compute_inflection(kind, eps), left)
    if kind == NEG_CLIP or bend >= right:
        return best
    if lam <= 0.0:
        at = right
    elif kind == LOG_CLIP:
        at = 1.0 / lam - 1.0 / e
    else:
        half = 0.5 * (e / lam - e - 2.0)
        square = half * half - e - 1.0
        at = right if lam < 1e-290 else bend
        if square > 0.0 and half > 0.0 and lam >= 1e-290:
            at = math.log(half + math.sqrt(square)) - eps
    at = min(max(at, bend), right)
    slope, _ = differentiate_term(kind, e, at)
    tilt = slope - lam
    reach = (right - at) * tilt if tilt > 0 else (bend - at) * tilt
    return max(best, evaluate_term(kind, e, at) - lam * at + reach)


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _compute_dual_bound(
    terms: Terms,
    left: Floats,
    right: Floats,
    f_left: Floats,
    f_right: Floats,
    lam: Floats,
    steep: Floats,
    charge: Floats,
) -> float:
    """Compute the Lagrangian upper bound of a node (step 2); infinite for invalid multipliers.

    A multiplier can exceed the steepest slope, where a node's intervals hardly meet.  Its rounding
    is then added here (``charge`` for each unit), because :func:`compute_rounding_allowance` covers
    smaller multipliers only.
    """
    kinds, eps, e, a, b = terms
    total = 0.0
    n, d = a.shape
    for i in range(n):
        if not 0.0 <= lam[i] < np.inf:
            return np.inf
        total += charge[i] * max(lam[i] - steep[i], 0.0)
        total += lam[i] * b[i] + bound_conjugate(
            kinds[i], eps[i], e[i], left[i], right[i], f_left[i], f_right[i], lam[i]
        )
    for j in range(d):
        slope = 0.0
        for i in range(n):
            slope += a[i, j] * lam[i]
        total += max(slope, 0.0)
    return total


@compile_njit(cache=True, nogil=True, error_model="numpy")
def evaluate_sum(kinds: Ints, e: Floats, a: Floats, b: Floats, x: Floats) -> float:
    """Evaluate the sum of the terms at a point x, shape (d,)."""
    total = 0.0
    for i in range(a.shape[0]):
        u = b[i]
        for j in range(a.shape[1]):
            u += a[i, j] * x[j]
        total += evaluate_term(kinds[i], e[i], u)
    return total


@compile_njit(cache=True, nogil=True, error_model="numpy")
def polish(
    kinds: Ints, e: Floats, a: Floats, b: Floats, counts: Ints, levels: Floats, x: Floats
) -> float:
    """Improve x, shape (d,), in place by coordinate search, and return the sum of the terms there.

    A trial is skipped if its sum is known: a move to the present point, or a move to an end or a
    level that was no better before, provided that x has not changed since.
    """
    n, d = a.shape
    reached = evaluate_sum(kinds, e, a, b, x)
    u = b.copy()
    for i in range(n):
        for j in range(d):
            u[i] += a[i, j] * x[j]
    width, accepted, settled = 0.5, 0, np.empty(d, np.int64)
    settled[:] = -1
    for _ in range(12):
        before = reached
        for j in range(d):
            known, settled[j] = settled[j] == accepted, accepted
            for move in range(counts[j] if counts[j] else 4):
                if counts[j]:
                    target = levels[j, move]
                elif move < 2:
                    target = float(move)
                else:
                    target = min(max(x[j] + (2 * move - 5) * width, 0.0), 1.0)
                shift = target - x[j]
                if shift == 0.0 or (known and (counts[j] or move < 2)):
                    continue
                trial = 0.0
                for i in range(n):
                    trial += evaluate_term(kinds[i], e[i], u[i] + a[i, j] * shift)
                if trial > reached + 1e-13:
                    reached = trial
                    accepted += 1
                    x[j] = target
                    for i in range(n):
                        u[i] += a[i, j] * shift
        if reached <= before + 1e-6:
            width *= 0.25
        if width < 1e-3:
            break
    return evaluate_sum(kinds, e, a, b, x)


@compile_njit(cache=True, nogil=True, error_model="numpy")
def snap(x: Floats, low: Floats, high: Floats, counts: Ints, levels: Floats) -> None:
    """Move the categorical coordinates of x to their nearest level in [low, high], in place."""
    for j in range(x.size):
        nearest = np.inf
        at = x[j]
        for k in range(counts[j]):
            level = levels[j, k]
            if low[j] <= level <= high[j] and abs(level - x[j]) < nearest:
                nearest, at = abs(level - x[j]), level
        x[j] = at


@compile_njit(cache=True, nogil=True, error_model="numpy")
def find_neighbour_levels(
    at: float, low: float, high: float, levels: Floats
) -> tuple[float, float]:
    """Find the two neighbouring levels in [low, high] between which to split, nearest to ``at``.

    Levels are ascending, and ``low`` and ``high`` are two of them.
    """
    below, above = low, high
    for k in range(levels.size - 1):
        if low <= levels[k] and levels[k + 1] <= high:
            below, above = levels[k], levels[k + 1]
            if above > at:
                break
    return below, above


@compile_njit(cache=True, nogil=True, error_model="numpy")
def solve_spd(matrix: Floats, rhs: Floats) -> None:
    """Solve ``matrix x = rhs`` by Cholesky in place: x replaces ``rhs``.

    Only the lower triangle of ``matrix`` is read, and it is overwritten.
    """
    d = rhs.size
    for j in range(d):
        pivot = matrix[j, j]
        for k in range(j):
            pivot -= matrix[j, k] * matrix[j, k]
        pivot = math.sqrt(max(pivot, 1e-300))
        matrix[j, j] = pivot
        for i in range(j + 1, d):
            entry = matrix[i, j]
            for k in range(j):
                entry -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = entry / pivot
    for i in range(d):
        for k in range(i):
            rhs[i] -= matrix[i, k] * rhs[k]
        rhs[i] /= matrix[i, i]
    for i in range(d - 1, -1, -1):
        for k in range(i + 1, d):
            rhs[i] -= matrix[k, i] * rhs[k]
        rhs[i] /= matrix[i, i]


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _solve_relaxation(
    terms: Terms,
    steep: Floats,
    charge: Floats,
    left: Floats,
    right: Floats,
    cutoff: float,
    gap: float,
    x: Floats,
    u: Floats,
    lam: Floats,
) -> float:
    """Solve the concave relaxation of a node, and return its certified upper bound.

    The search stops when the bound is at most ``cutoff``, or within about ``gap`` of the optimum of
    the relaxation; or after 60 steps, because steps can alternate across the kink of a clip.
    Fills x (the relaxed point), u and lam (the multipliers of the bound).
    """
    kinds, eps, e, a, _ = terms
    n, d = a.shape
    touch, line = np.empty(n), np.empty(n)
    f_left, f_right = np.empty(n), np.empty(n)
    for i in range(n):
        f_left[i], f_right[i] = (
            evaluate_term(kinds[i], e[i], left[i]),
            evaluate_term(kinds[i], e[i], right[i]),
        )
        touch[i], line[i] = _find_tangent_point(
            kinds[i], eps[i], left[i], right[i], f_left[i], f_right[i]
        )
    multiplier, slack = np.empty(n), np.empty(n)
    low_x, high_x, low_u, high_u = np.empty(d), np.empty(d), np.empty(n), np.empty(n)
    at = _Iterate(x, u, slack, multiplier, low_x, high_x, low_u, high_u)
    dx, du, ds, dm = np.empty(d), np.empty(n), np.empty(n), np.empty(n)
    step = _Iterate(dx, du, ds, dm, np.empty(d), np.empty(d), np.empty(n), np.empty(n))
    matrix = np.empty((d, d))
    newton = _Newton(matrix, np.empty(n), np.empty(n), np.empty(n), np.empty(n))
    _fill_first_iterate(terms, left, right, f_left, f_right, at)
    best = np.inf
    for iteration in range(60):
        bound = _compute_dual_bound(terms, left, right, f_left, f_right, multiplier, steep, charge)
        if bound < best:
            best = bound
            copy_into(lam, multiplier)
        if best <= cutoff:
            break
        complementarity = _compute_complementarity(left, right, at)
        mu = (0.1 if iteration else 0.5) * complementarity / (3 * n + 2 * d)
        infeasible = _reduce_newton_system(terms, left, right, touch, line, at, mu, newton, dx)
        if complementarity + infeasible <= 0.1 * gap:
            break
        solve_spd(matrix, dx)
        primal, dual = _complete_step(a, left, right, at, mu, newton, step)
        _advance(at, step, primal, dual)
        if not (primal > 1e-10 and dual > 1e-10):
            break
    return best


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _fill_first_iterate(
    terms: Terms, left: Floats, right: Floats, f_left: Floats, f_right: Floats, at: _Iterate
) -> None:
    """Fill the first iterate with values strictly inside all limits."""
    n, d = terms.a.shape
    scale = 0.0
    at.x[:] = 0.5
    for i in range(n):
        width = right[i] - left[i]
        at.multiplier[i] = (f_right[i] - f_left[i] + 1e-6) / width
        scale += at.multiplier[i] * width
        reach = terms.b[i]
        for j in range(d):
            reach += 0.5 * terms.a[i, j]
        at.u[i] = min(max(reach - 0.1 * width, left[i] + 0.1 * width), right[i] - 0.1 * width)
        at.slack[i] = max(reach - at.u[i], 0.1 * width)
    mu = 0.1 * scale / n
    at.low_x[:], at.high_x[:] = 2.0 * mu, 2.0 * mu
    for i in range(n):
        at.low_u[i], at.high_u[i] = mu / (at.u[i] - left[i]), mu / (right[i] - at.u[i])


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _compute_complementarity(left: Floats, right: Floats, at: _Iterate) -> float:
    """Compute the sum over all limits of distance times multiplier."""
    total = 0.0
    for i in range(left.size):
        total += (
            at.multiplier[i] * at.slack[i]
            + at.low_u[i] * (at.u[i] - left[i])
            + at.high_u[i] * (right[i] - at.u[i])
        )
    for j in range(at.x.size):
        total += at.low_x[j] * at.x[j] + at.high_x[j] * (1.0 - at.x[j])
    return total


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _reduce_newton_system(
    terms: Terms,
    left: Floats,
    right: Floats,
    touch: Floats,
    line: Floats,
    at: _Iterate,
    mu: float,
    newton: _Newton,
    dx: Floats,
) -> float:
    """Reduce the Newton system to the d coordinates of x; return the infeasibility of the iterate.

    Fills ``newton`` and ``dx``, the right-hand side of the reduced system.
    """
    kinds, _, e, a, b = terms
    x, u, slack, multiplier = at.x, at.u, at.slack, at.multiplier
    n, d = a.shape
    infeasible = 0.0
    for j in range(d):
        dx[j] = mu / x[j] - mu / (1.0 - x[j])
        for k in range(d):
            newton.matrix[j, k] = 0.0
        newton.matrix[j, j] = at.low_x[j] / x[j] + at.high_x[j] / (1.0 - x[j])
    for i in range(n):
        if u[i] < touch[i]:
            slope, curve = line[i], 0.0
        else:
            slope, curve = differentiate_term(kinds[i], e[i], u[i])
        at_left, at_right = u[i] - left[i], right[i] - u[i]
        curvature = max(-curve, 0.0) + at.low_u[i] / at_left + at.high_u[i] / at_right
        gradient = slope - multiplier[i] + mu / at_left - mu / at_right
        residual = b[i] - u[i] - slack[i]
        for j in range(d):
            residual += a[i, j] * x[j]
        infeasible += abs(residual) * multiplier[i]
        weight = 1.0 / (1.0 / curvature + slack[i] / multiplier[i])
        shift = gradient / curvature + mu / multiplier[i] - slack[i] - residual
        newton.curvature[i], newton.gradient[i] = curvature, gradient
        newton.weight[i], newton.shift[i] = weight, shift
        pull = multiplier[i] + weight * shift
        for j in range(d):
            dx[j] += a[i, j] * pull
            scaled = weight * a[i, j]
            for k in range(j + 1):
                newton.matrix[j, k] += scaled * a[i, k]
    return infeasible


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _compute_multiplier_step(
    distance: float, multiplier: float, move: float, mu: float
) -> tuple[float, float, float]:
    """Compute the step of a limit's multiplier for a ``move`` of its distance.

    Returns that change, and the largest parts (at most 1) of the move and of the change that keep
    the distance and the multiplier larger than 0.
    """
    change = mu / distance - multiplier - multiplier / distance * move
    part_of_move = -0.97 * distance / move if move < 0 else 1.0
    part_of_change = -0.97 * multiplier / change if change < 0 else 1.0
    return change, part_of_move, part_of_change


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _complete_step(
    a: Floats, left: Floats, right: Floats, at: _Iterate, mu: float, newton: _Newton, step: _Iterate
) -> tuple[float, float]:
    """Fill the rest of the step; return the primal and dual parts that stay inside all limits."""
    x, u = at.x, at.u
    n, d = a.shape
    primal, dual = 1.0, 1.0
    for j in range(d):
        step.low_x[j], p, q = _compute_multiplier_step(x[j], at.low_x[j], step.x[j], mu)
        primal, dual = min(primal, p), min(dual, q)
        step.high_x[j], p, q = _compute_multiplier_step(1.0 - x[j], at.high_x[j], -step.x[j], mu)
        primal, dual = min(primal, p), min(dual, q)
    for i in range(n):
        move = 0.0
        for j in range(d):
            move += a[i, j] * step.x[j]
        step.multiplier[i] = newton.weight[i] * (newton.shift[i] - move)
        step.u[i] = (newton.gradient[i] - step.multiplier[i]) / newton.curvature[i]
        step.slack[i], q, p = _compute_multiplier_step(
            at.multiplier[i], at.slack[i], step.multiplier[i], mu
        )
        primal, dual = min(primal, p), min(dual, q)
        step.low_u[i], p, q = _compute_multiplier_step(u[i] - left[i], at.low_u[i], step.u[i], mu)
        primal, dual = min(primal, p), min(dual, q)
        step.high_u[i], p, q = _compute_multiplier_step(
            right[i] - u[i], at.high_u[i], -step.u[i], mu
        )
        primal, dual = min(primal, p), min(dual, q)
    return primal, dual


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _advance(at: _Iterate, step: _Iterate, primal: float, dual: float) -> None:
    """Move the iterate in place by the ``primal`` and ``dual`` parts of the step."""
    for j in range(at.x.size):
        at.x[j] += primal * step.x[j]
        at.low_x[j] += dual * step.low_x[j]
        at.high_x[j] += dual * step.high_x[j]
    for i in range(at.u.size):
        at.u[i] += primal * step.u[i]
        at.slack[i] += primal * step.slack[i]
        at.multiplier[i] += dual * step.multiplier[i]
        at.low_u[i] += dual * step.low_u[i]
        at.high_u[i] += dual * step.high_u[i]


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
) -> tuple[float, float, Floats, int, Floats, Floats]:
    """Compute bounds of the maximum of a sum of terms, before any allowance for rounding.

    Of the n terms, ``kinds`` are LOG_CLIP, NEG_CLIP or LOGIT, and ``a``, shape (n, d), has no row
    of zeros, nor is a term constant on the whole box.  Of coordinate j the values are the first
    ``counts[j]`` columns of row j of ``levels``, ascending from 0 to 1; a count of 0 stands for all
    of [0, 1].  The rows of ``start`` are tried first.

    The result is ``lower``, ``upper``, the point where ``lower`` is attained, the number of
    relaxations, ``splits`` and ``multipliers``.  Leaf 0 is all of the domain at first.  Row k of
    ``splits`` takes (leaf, index, below, above): leaf k + 1 begins as a copy of ``leaf``, which
    keeps what is at most ``below``, while leaf k + 1 keeps what is at least ``above``.  An index j
    < d stands for coordinate j, and d + i for the argument of term i.  The largest bound of step 2
    of the module over the leaves, with their ``multipliers``, shape (leaves, n), is at most
    ``upper``.
    """
    n, d = a.shape
    e = np.expm1(eps)
    terms = Terms(kinds, eps, e, a, b)
    steep, charge = _compute_slopes_and_charges(terms)
    nodes = [
        _Node(
            build_full_array(d, 0.0),
            build_full_array(d, 1.0),
            build_full_array(n, -np.inf),
            build_full_array(n, np.inf),
            build_full_array(n, 0.0),
        )
    ]
    splits = [build_split_row(0, 0, 0.0, 0.0)]
    splits.pop()
    x, u, lam = np.empty(d), np.empty(n), np.empty(n)
    local = Terms(kinds, eps, e, np.empty((n, d)), np.empty(n))
    lower, point = find_best_start(terms, counts, levels, start)
    closed = -np.inf  # the largest bound among nodes that need no split
    heap = [(-np.inf, 0, 0, 0.0, 0.0)]  # minus the bound, the node, and how it will be split
    heap.pop()
    solved, parent_bound = 0, np.inf
    fresh = [0]
    while True:
        for node in fresh:
            low, high, left, right, multipliers = nodes[node]
            _scale_to_unit_box(terms, low, high, left, right, local)
            cutoff = lower + tolerance
            bound = _solve_relaxation(
                local, steep, charge, left, right, cutoff, tolerance, x, u, lam
            )
            solved += 1
            if bound < parent_bound:
                copy_into(multipliers, lam)
            else:
                bound = parent_bound
            for j in range(d):
                x[j] = low[j] + (high[j] - low[j]) * x[j]
            trial = x.copy()
            snap(trial, low, high, counts, levels)
            reached = evaluate_sum(kinds, e, a, b, trial)
            if solved == 1 or reached > lower:
                reached = polish(kinds, e, a, b, counts, levels, trial)
                if reached > lower:
                    lower = reached
                    copy_into(point, trial)
            index, below, above = -1, 0.0, 0.0
            if bound > lower + tolerance:
                index, below, above = _choose_split(
                    terms, low, high, left, right, counts, levels, x, u
                )
            if index < 0:
                closed = max(closed, bound)
                continue
            heapq.heappush(heap, (-bound, node, index, below, above))
        upper = max(closed, -heap[0][0] if len(heap) > 0 else -np.inf)
        upper = max(upper, lower)
        if len(heap) == 0 or solved >= node_limit or upper - lower <= tolerance:
            of_leaves = stack_rows([each.multipliers for each in nodes], n)
            return lower, upper, point, solved, stack_rows(splits, 4), of_leaves
        negative, node, index, below, above = heapq.heappop(heap)
        parent_bound = -negative
        fresh = [node, len(nodes)]
        splits.append(build_split_row(node, index, below, above))
        nodes.append(_split_node(nodes[node], index, below, above))


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _compute_slopes_and_charges(terms: Terms) -> tuple[Floats, Floats]:
    """Compute each term's largest slope and rounding cost per unit of a larger multiplier."""
    n, d = terms.a.shape
    steep, charge = np.empty(n), np.empty(n)
    for i in range(n):
        steep[i] = compute_max_slope(terms.kinds[i], terms.eps[i])
        largest = 0.0
        for j in range(d):
            largest += abs(terms.a[i, j])
        charge[i] = _compute_relative_rounding(n, d) * (abs(terms.b[i]) + largest)
    return steep, charge


@compile_njit(cache=True, nogil=True, error_model="numpy")
def find_best_start(
    terms: Terms, counts: Ints, levels: Floats, start: Floats
) -> tuple[float, Floats]:
    """Find the largest sum that coordinate search reaches from points of shape (m, d), and where.

    Without a point, the result is minus infinity, at the centre.
    """
    lower, point = -np.inf, np.empty(terms.a.shape[1])
    point[:] = 0.5
    x = point.copy()
    for k in range(start.shape[0]):
        copy_into(x, start[k])
        reached = polish(terms.kinds, terms.e, terms.a, terms.b, counts, levels, x)
        if reached > lower:
            lower = reached
            copy_into(point, x)
    return lower, point


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _split_node(node: _Node, index: int, below: float, above: float) -> _Node:
    """Split a node in place, so that it becomes its left child, and return the right child."""
    low, high, left, right, multipliers = node
    other = _Node(low.copy(), high.copy(), left.copy(), right.copy(), multipliers.copy())
    d = low.size
    if index < d:
        high[index], other.low[index] = below, above
    else:
        right[index - d], other.left[index - d] = below, above
    return other


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _choose_split(
    terms: Terms,
    low: Floats,
    high: Floats,
    left: Floats,
    right: Floats,
    counts: Ints,
    levels: Floats,
    x: Floats,
    u: Floats,
) -> tuple[int, float, float]:
    """Choose a node's split (step 3): its index and the ends of both parts; -1 if too small."""
    kinds, eps, e, _, _ = terms
    d = x.size
    furthest, coordinate = 1e-6, -1
    for j in range(d):
        if counts[j]:
            distance = np.inf
            for k in range(counts[j]):
                distance = min(distance, abs(x[j] - levels[j, k]))
            if distance > furthest and low[j] < high[j]:
                furthest, coordinate = distance, j
    worst, term = 0.0, -1
    if coordinate < 0:
        for i in range(u.size):
            f_left, f_right = (
                evaluate_term(kinds[i], e[i], left[i]),
                evaluate_term(kinds[i], e[i], right[i]),
            )
            touch, line = _find_tangent_point(kinds[i], eps[i], left[i], right[i], f_left, f_right)
            if u[i] < touch:
                excess = f_left + line * (u[i] - left[i]) - evaluate_term(kinds[i], e[i], u[i])
                if excess > worst:
                    worst, term = excess, i
        if term >= 0:
            margin = 0.02 * (right[term] - left[term])
            at = min(max(u[term], left[term] + margin), right[term] - margin)
            return d + term, at, at
        # The envelopes are exact at this point, so the relaxation has stalled: split what is open.
        for j in range(d):
            if counts[j] and low[j] < high[j]:
                coordinate = j
    if coordinate >= 0:
        below, above = find_neighbour_levels(
            x[coordinate],
            low[coordinate],
            high[coordinate],
            levels[coordinate, : counts[coordinate]],
        )
        return coordinate, below, above
    for i in range(u.size):
        rise = evaluate_term(kinds[i], e[i], right[i]) - evaluate_term(kinds[i], e[i], left[i])
        if rise > worst and right[i] - left[i] > 1e-7 * (1.0 + abs(right[i])):
            worst, term = rise, i
    if term < 0:
        return -1, 0.0, 0.0
    middle = 0.5 * (left[term] + right[term])
    return d + term, middle, middle


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _scale_to_unit_box(
    terms: Terms, low: Floats, high: Floats, left: Floats, right: Floats, local: Terms
) -> None:
    """Write a node's terms on the unit box, and tighten its intervals to the reachable values."""
    kinds, _, _, a, b = terms
    local_a, local_b = local.a, local.b
    n, d = a.shape
    for i in range(n):
        least = b[i]
        for j in range(d):
            local_a[i, j] = a[i, j] * (high[j] - low[j])
            least += a[i, j] * low[j]
        local_b[i] = least
        most = least
        for j in range(d):
            least += min(local_a[i, j], 0.0)
            most += max(local_a[i, j], 0.0)
        left[i], right[i] = max(left[i], least), min(right[i], most)
        # Beyond 1 the clipped kinds are constant; capping the argument there loses nothing.
        if kinds[i] != LOGIT:
            right[i] = min(right[i], 1.0)
        # An interval must not be empty; widening it only weakens the relaxation.
        left[i] = min(left[i], right[i] - 1e-9 * (1.0 + abs(right[i])))


@compile_njit(cache=True, nogil=True, error_model="numpy")
def build_full_array(size: int, number: float) -> Floats:
    """Create an array of shape (size,) with one number in all places.

    numba takes as long to compile ``np.full`` as a whole function of this module.
    """
    row = np.empty(size)
    row[:] = number
    return row


@compile_njit(cache=True, nogil=True, error_model="numpy")
def build_split_row(leaf: int, index: int, below: float, above: float) -> Floats:
    """Build a row (leaf, index, below, above) of the record of splits, shape (4,)."""
    row = np.empty(4)
    row[0], row[1], row[2], row[3] = leaf, index, below, above
    return row


@compile_njit(cache=True, nogil=True, error_model="numpy")
def stack_rows(rows: list[Floats], columns: int) -> Floats:
    """Stack rows, of which there may be none, into an array of shape (rows, columns)."""
    table = np.empty((len(rows), columns))
    for i in range(len(rows)):
        copy_into(table[i], rows[i])
    return table


@compile_njit(cache=True, nogil=True, error_model="numpy")
def _compute_relative_rounding(n: int, d: int) -> float:
    """Compute four times the relative rounding error of sums of n products and of 2 d products."""
    return 4 * 2.0**-53 * (n + 2 * d + 16)


@compile_njit(cache=True, nogil=True, error_model="numpy")
def compute_rounding_allowance(kinds: Ints, eps: Floats, a: Floats, b: Floats) -> float:
    """Compute the largest rounding error of a bound from this module or ``second_order``.

    With unit roundoff w, steepest slope L and magnitude M = |b| + sum |a| of a term, and V of at
    least the largest magnitude of its value:

    * a and b are correctly rounded, and u = a . x + b is a sum of d + 1 products, also after a
      change to a node's unit box: the argument is off by at most (2 d + 8) w M, the value by L
      times that.
    * Products of the certificate with multipliers of at most L are at most L M each, and they are
      summed over n terms; larger multipliers pay on their own (:func:`_compute_dual_bound`).
    * An elementary function is off by at most 8 units in the last place, and values are summed
      over n terms.  Quadratics are formed from differences of values; on their interval none of
      their parts exceeds 6 V, and shifting the sum's curvature multiplies that by at most d.

    The result is four times the sum of these errors.
    """
    n, d = a.shape
    total, slope, size = 0.0, 0.0, 0.0
    for i in range(n):
        # Most terms have the kind and the epsilon of the one before.
        if i == 0 or kinds[i] != kinds[i - 1] or eps[i] != eps[i - 1]:
            slope, size = compute_max_slope(kinds[i], eps[i]), math.log1p(math.exp(eps[i]))
        magnitude = abs(b[i])
        for j in range(d):
            magnitude += abs(a[i, j])
        total += _compute_relative_rounding(n, d) * slope * magnitude
        total += 4 * 2.0**-53 * (n + 6 * d * d + 64) * size
    return total
