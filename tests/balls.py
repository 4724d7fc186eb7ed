"""Certified losses, checked again in ball arithmetic (Arb) from the queries alone.

1. :func:`loss_at`: the realized loss that two points witness, as a ball.
2. :func:`certified_upper`: the upper bound of a certificate, from its witnesses alone: splits and
   multipliers, splits and boxes, or vertices, for each group of terms.  The terms are derived from
   the queries with fractions; nothing of the package takes part.
3. :func:`random_instance`, :func:`nasty_instance` and :func:`crowded_instance`: what the bounds
   are tried on.
4. :func:`check`: every check on one instance.  A comparison fails where the balls (of 256 bits) are
   apart, so that equal numbers pass.

``python tests/balls.py 1000 200 100`` checks that many random, nasty and crowded instances.
"""

import collections
import itertools
import math
import sys
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, arb_mat, ctx, fmpq

from noiseless.accounting import realized_loss as rl
from noiseless.accounting.branch_and_bound import compute_rounding_allowance
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, TruncatedLinearQuery
from noiseless.seeds import make_generator

ctx.prec = 256
NODE_LIMIT = 100


def ball(number) -> arb:
    number = Fraction(number)
    return arb(fmpq(number.numerator, number.denominator))


def argument(query, point) -> Fraction:
    """The linear function of a query, scaled to [0, 1] unless it is logistic."""
    u = Fraction(query.intercept)
    u += sum(Fraction(c) * Fraction(x) for c, x in zip(query.coefficients, point, strict=True))
    if isinstance(query, LogisticQuery):
        return u
    return (u - Fraction(query.low)) / (Fraction(query.high) - Fraction(query.low))


def log_likelihood(query, output: int, point) -> arb:
    """Log-probability of an output, but for log(1 + e^eps)."""
    u = argument(query, point)
    if isinstance(query, LogisticQuery):
        share = 1 / (1 + (-ball(u)).exp()) if output else 1 / (1 + ball(u).exp())
    else:
        u = min(max(u, Fraction(0)), Fraction(1))
        share = ball(u if output else 1 - u)
    return (1 + ball(query.epsilon_nats).expm1() * share).log()


def loss_at(queries, outputs, most, least) -> arb:
    asked = list(zip(queries, outputs, strict=True))
    return sum((log_likelihood(q, o, most) - log_likelihood(q, o, least) for q, o in asked), arb(0))


@dataclass(frozen=True)
class Term:
    """f(a . x + b) of log P or of -log P, x in the unit box; ``kind`` is +1, -1 or 0 (logistic)."""

    kind: int
    eps: Fraction
    a: tuple
    b: Fraction

    def value(self, u) -> arb:
        if self.kind == 0:
            u = ball(u)
            return ((1 + (u + ball(self.eps)).exp()) / (1 + u.exp())).log()
        clipped = min(max(u if self.kind > 0 else 1 - u, Fraction(0)), Fraction(1))
        return self.kind * (1 + ball(self.eps).expm1() * ball(clipped)).log()

    def slope(self, u) -> arb:
        """Derivative on the concave part."""
        if self.kind == 0:
            u = ball(u)
            return 1 / (1 + (-u - ball(self.eps)).exp()) - 1 / (1 + (-u).exp())
        e = ball(self.eps).expm1()
        return e / (1 + e * ball(u))

    def steep_as(self, lam: Fraction, otherwise: float) -> float:
        """About where the slope of the concave part is ``lam``."""
        if lam <= 0:
            return otherwise
        e = ball(self.eps).expm1()
        if self.kind:
            return float((1 / ball(lam) - 1 / e).mid())
        # With t = e^(u + eps) the slope is e t / ((1 + t) (1 + e + t)).
        half = (e / ball(lam) - e - 2) / 2
        square = half**2 - e - 1
        if not (square > 0 and half > 0):
            return -float(self.eps) / 2
        return float(((half + square.sqrt()).log() - ball(self.eps)).mid())

    def conjugate(self, left: Fraction, right: Fraction, lam: Fraction) -> arb:
        """At least the largest ``f(u) - lam u`` on an interval."""
        if self.kind:
            right = max(min(right, Fraction(1)), left)
        ends = [self.value(end) - ball(lam * end) for end in (left, right)]
        bend = {0: -self.eps / 2, 1: Fraction(0), -1: Fraction(1)}[self.kind]
        start = max(left, bend)
        if start < right and self.kind >= 0:
            # A concave function is below its tangent at any point; this one is about the best.
            at = min(max(Fraction(self.steep_as(lam, float(right))), start), right)
            tilt = self.slope(at) - ball(lam)
            ends += [
                self.value(at) - ball(lam * at) + tilt * ball(end - at) for end in (start, right)
            ]
        return largest(ends)


def largest(balls) -> arb:
    result = balls[0]
    for other in balls[1:]:
        result = result.max(other)
    return result


def exact_terms(queries, outputs, box: Box, sign: int) -> list[Term]:
    """Terms of log P (sign 1) or -log P (-1) that are not constant on the box, in order."""
    terms = []
    lower = list(map(Fraction, box.lower))
    for query, output in zip(queries, outputs, strict=True):
        b, eps = argument(query, box.lower), Fraction(query.epsilon_nats)
        steps = [Fraction(0)] * len(lower)
        for j in range(len(lower)):
            corner = list(box.lower)
            corner[j] = box.upper[j]
            steps[j] = argument(query, corner) - b
        logistic = isinstance(query, LogisticQuery)
        if not output:
            b, steps = (-b if logistic else 1 - b), [-step for step in steps]
        least, most = b + sum(min(s, 0) for s in steps), b + sum(max(s, 0) for s in steps)
        if least == most or (not logistic and (least >= 1 or most <= 0)):
            continue
        if sign < 0:
            b, steps = (-b - eps if logistic else 1 - b), [-step for step in steps]
        terms.append(Term(0 if logistic else sign, eps, tuple(steps), b))
    return terms


def certified_upper(certificate, terms: list[Term]) -> arb:
    """The sum of what the witnesses of a certificate prove, each for its terms."""
    rows = [row for witness in certificate.witnesses for row in witness.rows]
    assert sorted(rows) == list(range(len(terms))), "the witnesses do not have each term once"
    d, total = certificate.box.dimensions, arb(0)
    for witness in certificate.witnesses:
        chosen = [terms[row] for row in witness.rows]
        if not chosen:
            continue
        match witness.method:
            case "envelopes":
                total += by_multipliers(witness, chosen, certificate.box)
            case "second_order":
                total += by_boxes(witness, chosen, certificate.box)
            case "vertices":
                total += by_vertices(chosen, d)
            case _:
                raise AssertionError(f"no witness: {witness.method}")
    return total


def require_split(box: Box, index: int, below: float, above: float) -> None:
    """A split has no gap, but for one between neighbouring levels of a categorical coordinate."""
    for j, values in box.categories:
        if j == index:
            low, width = Fraction(values[0]), Fraction(values[-1]) - Fraction(values[0])
            levels = [float((Fraction(value) - low) / width) for value in values]
            assert (below, above) in itertools.pairwise(levels), "a split skips a level"
            return
    assert below == above, "a split has a gap"


def by_multipliers(witness, terms: list[Term], box: Box) -> arb:
    """The largest bound over the leaves of a witness, by weak duality."""
    d = box.dimensions
    lows, highs = [[Fraction(0)] * d], [[Fraction(1)] * d]
    lefts, rights = [[None] * len(terms)], [[None] * len(terms)]
    for leaf, index, below, above in witness.splits.tolist():
        leaf, index = int(leaf), int(index)
        for rows in (lows, highs, lefts, rights):
            rows.append(list(rows[leaf]))
        if index < d:
            require_split(box, index, below, above)
            highs[leaf][index], lows[-1][index] = Fraction(below), Fraction(above)
        else:
            assert below == above, "an argument has no gap"
            rights[leaf][index - d] = lefts[-1][index - d] = Fraction(below)
    bounds = []
    for leaf, multipliers in enumerate(witness.multipliers.tolist()):
        total, slopes, empty = arb(0), [Fraction(0)] * d, False
        for i, (term, lam) in enumerate(zip(terms, map(Fraction, multipliers), strict=True)):
            assert lam >= 0
            ends = list(zip(term.a, lows[leaf], highs[leaf], strict=True))
            left = term.b + sum(min(a * x, a * y) for a, x, y in ends)
            right = term.b + sum(max(a * x, a * y) for a, x, y in ends)
            left = left if lefts[leaf][i] is None else max(left, lefts[leaf][i])
            right = right if rights[leaf][i] is None else min(right, rights[leaf][i])
            if left > right:
                empty = True
                break
            total += ball(lam * term.b) + term.conjugate(left, right, lam)
            slopes = [s + lam * a for s, a in zip(slopes, term.a, strict=True)]
        if not empty:
            ends = zip(slopes, lows[leaf], highs[leaf], strict=True)
            bounds.append(total + ball(sum(max(s * x, s * y) for s, x, y in ends)))
    return largest(bounds)


def by_vertices(terms: list[Term], d: int) -> arb:
    """The largest value at a vertex, of terms that are convex on the box up to a clip of 1e-9."""
    assert all(term.kind < 0 for term in terms), "only the linear terms of -log P are convex"
    shares = [[ball(1 - term.b)] for term in terms]
    for j in range(d):
        for term, row in zip(terms, shares, strict=True):
            step = ball(term.a[j])
            row += [share - step for share in row]
    products = [arb(1)] * 2**d
    for term, row in zip(terms, shares, strict=True):
        assert all(-1e-9 < share < 1 + 1e-9 for share in row), "a linear term is clipped"
        e = ball(term.eps).expm1()
        products = [
            product * (1 + e * share.max(arb(0)).min(arb(1)))
            for product, share in zip(products, row, strict=True)
        ]
    return -(-largest([-product for product in products])).log()


def by_boxes(witness, terms: list[Term], box: Box) -> arb:
    """The largest bound over the boxes of a witness, by the curvature of the sum.

    A box that moved to an end of a coordinate pays for any part of the derivative of another sign.
    A leaf may have the bound of an earlier box that contains it.
    """
    leaves = [([Fraction(0)] * box.dimensions, [Fraction(1)] * box.dimensions)]
    earlier, charges = [[]], [arb(0)]
    for leaf, round_, same in rounds(witness.splits.tolist()):
        low, high = leaves[leaf]
        if round_ is None:
            ((_, index, below, above),) = same
            require_split(box, int(index), below, above)
            earlier[leaf] = [*earlier[leaf], (tuple(low), tuple(high))]
            left, right = list(high), list(low)
            left[int(index)], right[int(index)] = Fraction(below), Fraction(above)
            leaves[leaf] = (low, left)
            leaves.append((right, high))
            earlier.append(earlier[leaf])
            charges.append(charges[leaf])
            continue
        sums = Quadratic(terms, low, high)
        new_low, new_high = list(low), list(high)
        for _, index, end, _ in same:
            j, end = -1 - int(index), Fraction(end)
            assert end in (low[j], high[j]), "a coordinate moves to an end"
            sign = 1 if end == high[j] else -1
            wrong = (sums.spread[j] - sign * sums.gradient[j]).max(arb(0))
            charges[leaf] += wrong * ball(high[j] - low[j])
            new_low[j] = new_high[j] = end
        leaves[leaf] = (new_low, new_high)
    known = {}

    def bound(box) -> arb:
        if box not in known:
            known[box] = Quadratic(terms, *box).upper()
        return known[box]

    bounds = []
    for (low, high), boxes, charge in zip(leaves, earlier, charges, strict=True):
        least = bound((tuple(low), tuple(high)))
        for box in reversed(boxes):
            if least < ball(witness.upper) + 1e-15:
                break
            least = least.min(bound(box))
        bounds.append(least + charge)
    return largest(bounds)


def rounds(rows):
    """Splits, with None, and the moves of each round, with its number."""
    for (_, leaf, number), same in itertools.groupby(
        enumerate(rows),
        key=lambda row: (row[0], row[1][0], None) if row[1][1] >= 0 else (None, *row[1][::3]),
    ):
        yield int(leaf), number, [row for _, row in same]


class Quadratic:
    """A quadratic upper bound of a sum of terms on a box, in balls.

    ``total`` is the bound at the box's middle without the curvature, ``gradient`` the slopes there;
    the derivatives on the box are within ``spread`` of them.
    """

    def __init__(self, terms: list[Term], low, high) -> None:
        d = len(low)
        self.half = [ball((y - x) / 2) for x, y in zip(low, high, strict=True)]
        self.total, self.gradient, self.spread = arb(0), [arb(0)] * d, [arb(0)] * d
        rows, curves = [], []
        for term in terms:
            middle = term.b + sum(
                a * (x + y) / 2 for a, x, y in zip(term.a, low, high, strict=True)
            )
            radius = sum(abs(a) * (y - x) / 2 for a, x, y in zip(term.a, low, high, strict=True))
            radius = max(radius, (1 + abs(middle)) / 10**12)
            left, right = middle - radius, middle + radius
            f_left, f, f_right = (term.value(u) for u in (left, middle, right))
            if term.kind and (left >= 1 or right <= 0):
                self.total += f
                continue
            third, wide = largest_third(term, left, right), ball(radius)
            smooth = third is not None
            remainder = third * wide**3 / 24 if smooth else arb(0)
            chord, slope = (f_left + f_right) / 2, (f_right - f_left) / (2 * wide)
            if not smooth or remainder > abs(chord - f) / 2:
                line = Fraction(float(slope.mid()))
                end = min(right, Fraction(1)) if term.kind else right
                above = ball(line * middle) + term.conjugate(left, end, line)
                smooth = smooth and remainder < (above - chord + (chord - f).max(arb(0))) / 2
            if smooth:
                # The nodes of the interpolation may be anywhere near those of Chebyshev.
                at = Fraction(math.sqrt(0.75)) * radius
                ahead, behind = term.value(middle + at), term.value(middle - at)
                slope, curve = (ahead - behind) / (2 * ball(at)), (ahead + behind - 2 * f)
                self.total += f + remainder * (1 + arb(2) ** -50)
                rows.append([ball(a) for a in term.a])
                curves.append(curve / ball(at) ** 2)
                spread = third * wide**2
            else:
                self.total += above
                slope = ball(line)
                steepest = ball(term.eps).expm1()
                if not term.kind:
                    steepest = term.slope(min(max(-term.eps / 2, left), right))
                spread = (steepest - slope).max(slope)
            for j, a in enumerate(term.a):
                self.gradient[j] += slope * ball(a)
                self.spread[j] += spread * abs(ball(a))
        self.hessian = arb_mat(d, d)
        if rows:
            scaled = [[c * a for a in row] for c, row in zip(curves, rows, strict=True)]
            self.hessian = arb_mat(rows).transpose() * arb_mat(scaled)
        for j in range(d):
            for k in range(d):
                self.spread[j] += abs(self.hessian[j, k]) * self.half[k]

    def upper(self) -> arb:
        """The quadratic, made concave in two ways, below its tangent at a point."""
        free = [j for j, half in enumerate(self.half) if half > 0]
        gradient = [self.gradient[j] * self.half[j] for j in free]
        hessian = [[self.hessian[j, k] * self.half[j] * self.half[k] for k in free] for j in free]
        if not free:
            return self.total
        discs = [
            (row[j] + sum((abs(x) for k, x in enumerate(row) if k != j), arb(0))).max(arb(0))
            for j, row in enumerate(hessian)
        ]
        approximate = np.array([[float(x.mid()) for x in row] for row in hessian])
        slopes = np.array([float(x.mid()) for x in gradient])
        largest_eigenvalue = float(np.linalg.eigvalsh(approximate)[-1])
        margin = 2e-12 * float(np.abs(approximate).sum())
        bounds = []
        for shift in (discs, [arb(largest_eigenvalue + margin).max(arb(0))] * len(free)):
            falls = [
                [(shift[j] if j == k else 0) - x for k, x in enumerate(row)]
                for j, row in enumerate(hessian)
            ]
            if shift is not discs and not is_positive(falls):
                continue
            concave = approximate - np.diag([float(x.mid()) for x in shift])
            s = ascend(slopes, concave)
            tilt = [
                g + sum((h * x for h, x in zip(row, s, strict=True)), arb(0)) - shift[j] * s[j]
                for j, (g, row) in enumerate(zip(gradient, hessian, strict=True))
            ]
            bound = self.total
            for g, t, x, more in zip(gradient, tilt, s, shift, strict=True):
                bound += (g + t) * x / 2 + more / 2 + (t * (1 - x)).max(-t * (1 + x))
            bounds.append(bound)
        return -largest([-bound for bound in bounds])


def ascend(gradient, concave) -> list[float]:
    """Where a concave quadratic is about largest on [-1, 1]^d."""
    s, slope = np.zeros(len(gradient)), gradient.copy()
    for _ in range(300):
        before = s.copy()
        for j in range(len(s)):
            fall = -concave[j, j]
            goal = s[j] + slope[j] / fall if fall > 1e-300 else math.copysign(1.0, slope[j])
            step = min(max(goal, -1.0), 1.0) - s[j]
            s[j] += step
            slope += concave[:, j] * step
        if np.abs(s - before).max() < 1e-9:
            break
    return s.tolist()


def is_positive(matrix) -> bool:
    """Whether a symmetric matrix is certainly positive definite, by its pivots."""
    matrix = [list(row) for row in matrix]
    for j in range(len(matrix)):
        if not matrix[j][j] > 0:
            return False
        for i in range(j + 1, len(matrix)):
            factor = matrix[i][j] / matrix[j][j]
            for k in range(j, len(matrix)):
                matrix[i][k] -= factor * matrix[j][k]
    return True


def largest_third(term: Term, left: Fraction, right: Fraction) -> arb | None:
    """At least the largest third derivative of a term on an interval; None across a kink."""
    if term.kind:
        if left < 0 or right > 1:
            return None
        e = ball(term.eps).expm1()
        slope = e / (1 + e * ball(left if term.kind > 0 else 1 - right))
        return 2 * slope**3
    # The slope of f is S(u + eps) - S(u) with the logistic function S.
    at = math.log(2 + math.sqrt(3)), math.log(5 + 2 * math.sqrt(6))
    apart = extremum(left, right, at[0], second) + extremum(
        left + term.eps, right + term.eps, at[0], second
    )
    return apart.min(ball(term.eps) * extremum(left, right + term.eps, at[1], third))


def second(s: arb) -> arb:
    """Second derivative of the logistic function, from its value; an odd function of u."""
    return s * (1 - s) * (1 - 2 * s)


def third(s: arb) -> arb:
    """Third derivative of the logistic function, from its value; an even function of u."""
    return s * (1 - s) * (1 - 6 * s * (1 - s))


def extremum(left: Fraction, right: Fraction, at: float, derivative) -> arb:
    """Largest magnitude on an interval of a derivative, whose extrema are at 0 or +-``at``."""

    def size(u) -> arb:
        return abs(derivative(1 / (1 + (-ball(u)).exp())))

    values, near = [size(left), size(right)], Fraction(1, 10**12)
    for turn in (-at, 0.0, at):
        if left - near <= Fraction(turn) <= right + near:
            # The derivative is flat there, so that the rounding of ``at`` counts by its square.
            values.append(size(turn) * (1 + arb(10) ** -20))
    return largest(values)


def random_instance(number: int):
    """Kinds mixed, up to 30 dimensions, weights to 1e6, epsilon from 1e-9 to 30."""
    rng = make_generator(1, "balls", number)
    d = int(rng.choice([1, 2, 3, 5, 9, 15, 30]))
    lower = rng.normal(size=d) * 10.0 ** rng.uniform(-2, 2)
    upper = lower + rng.uniform(0.1, 2, d) * 10.0 ** rng.uniform(-2, 2)
    categories = {}
    if rng.random() < 0.3:
        categories = {0: (lower[0], 0.7 * lower[0] + 0.3 * upper[0], upper[0])}
    box = Box(tuple(lower.tolist()), tuple(upper.tolist()), categories=categories)
    reach = 10.0 ** rng.uniform(-2, 6)
    count, epsilon = int(rng.integers(1, 16)), 10.0 ** rng.uniform(-9, math.log10(30))
    queries = [random_query(rng, box, reach, epsilon) for _ in range(count)]
    return box, queries, rng.integers(0, 2, count).tolist()


def random_query(rng, box: Box, reach: float, epsilon: float, kind: int | None = None):
    slope = rng.uniform(-reach, reach, box.dimensions)
    epsilon *= float(rng.uniform(0.5, 1))
    low, high = (np.sort([slope * box.lower, slope * box.upper], axis=0)).sum(axis=1).tolist()
    # Somewhere within the box the argument is within a few units of 0.
    intercept = -rng.uniform(low, high) + rng.normal()
    slope = tuple(slope.tolist())
    kind = int(rng.integers(3)) if kind is None else kind
    if kind == 0:
        return LogisticQuery(slope, intercept, epsilon)
    slack = 1e-6 * (high - low + abs(intercept)) + abs(low) * 1e-9
    ends = (low + intercept - slack, high + intercept + slack)
    if kind == 1:
        return LinearQuery(slope, intercept, epsilon, *ends)
    cut = sorted(rng.uniform(*ends, 2).tolist())
    return TruncatedLinearQuery(slope, intercept, epsilon, *cut)


def nasty_instance(number: int):
    """Far and tiny boxes, weights of 0, repeats, sums that round down, large epsilons."""
    rng = make_generator(2, "balls", number)
    d = int(rng.integers(1, 4))
    kind = number % 8
    origin = [1e6, 1.7e9, 1e12][number % 3]
    box = Box((-1.0,) * d, (1.0,) * d)
    if kind in (0, 1):  # far
        box = Box((origin,) * d, (origin + 1.0,) * d)
        queries = [random_query(rng, box, 10.0, 1.0, kind=0 if kind else None) for _ in range(4)]
    elif kind == 2:  # tiny
        low = rng.uniform(-3, 3, d)
        box = Box(tuple(low.tolist()), tuple((low + 10.0 ** rng.uniform(-9, -3)).tolist()))
        queries = [random_query(rng, box, 10.0, 1.0) for _ in range(4)]
    elif kind == 3:  # tells nothing
        queries = [LogisticQuery((0.0,) * d, float(rng.normal()), 1.0) for _ in range(200)]
        queries += [random_query(rng, box, 3.0, 1.0) for _ in range(number % 2)]
    elif kind == 4:  # sums that round down
        epsilon = [0.1, 1 / 3, 0.7][number % 3]
        query = LinearQuery((1.0,) + (0.0,) * (d - 1), 0.0, epsilon, -1.0, 1.0)
        queries = [query] * int(rng.integers(10, 300))
    elif kind == 5:  # large epsilons
        queries = [random_query(rng, box, 5.0, 30.0) for _ in range(3)]
    elif kind == 6:  # steep and categorical
        box = Box((-1.0,) * d, (1.0,) * d, categories=dict.fromkeys(range(d), (-1.0, 0.1, 1.0)))
        queries = [random_query(rng, box, 1e6, 1.0) for _ in range(6)]
    else:  # tiny epsilons, repeats
        queries = [random_query(rng, box, 3.0, 1e-9)] * 5
    all_ones = kind == 4
    outputs = [1] * len(queries) if all_ones else rng.integers(0, 2, len(queries)).tolist()
    return box, queries, outputs


def check(
    box: Box, queries, outputs, rng: np.random.Generator
) -> tuple[float, set[tuple[str, int]]]:
    """Raise if a bound does not hold.

    The width of the bounds as a share of the worst case, and the methods that had the upper one,
    with the number of groups.
    """
    worst_case = sum(Fraction(query.epsilon_nats) for query in queries)
    # A share of the worst case, because one above it would let [0, worst case] pass.
    account = rl.BoxAccount(box, tolerance=float(worst_case) / 1000, node_limit=NODE_LIMIT)
    for query, output in zip(queries, outputs, strict=True):
        account.add(query, output)
    bounds = account.bound_loss()
    assert bounds.is_converged == (bounds.upper - bounds.lower <= account.tolerance)
    assert box.contains([bounds.most_likely, bounds.least_likely]).all()
    witnessed = loss_at(queries, outputs, bounds.most_likely, bounds.least_likely)
    assert not ball(bounds.lower) > witnessed, "the witnesses do not reach the lower bound"
    assert Fraction(bounds.upper) >= 0
    # What any two points tell is at most the upper bound.
    d = box.dimensions
    points = box.convert_from_unit(
        np.vstack([rng.uniform(size=(200, d)), rng.integers(0, 2, (200, d))])
    )
    total = sum(q.log_likelihood(o, points) for q, o in zip(queries, outputs, strict=True))
    others = points[total.argmax()].tolist(), points[total.argmin()].tolist()
    for most, least in itertools.product(
        (bounds.most_likely, others[0]), (bounds.least_likely, others[1])
    ):
        assert not loss_at(queries, outputs, most, least) > ball(bounds.upper), (
            "above the upper bound"
        )
    # What the multipliers tell, in balls, is what the certificates say, and bounds the loss.
    proven, said, allowance = arb(0), 0.0, 0.0
    certificates = account.build_certificates()
    for certificate, sign in zip(certificates, (1, -1), strict=True):
        terms, ours = exact_terms(queries, outputs, box, sign), certificate.terms
        assert len(terms) == len(ours.kinds)
        if terms:
            proven += certified_upper(certificate, terms)
            said += certificate.upper
            allowance += compute_rounding_allowance(ours.kinds, ours.eps, ours.a, ours.b)
            proven -= sum((ball(t.eps) for t in terms if t.kind == 0 and sign < 0), arb(0))
    assert not proven > ball(said + allowance), "the witnesses do not prove the certificate"
    assert abs(bounds.upper - min(said + allowance, float(worst_case))) <= 1e-12 * (1 + said), (
        "the certificates are of another bound"
    )
    # The levels of a categorical coordinate are rounded, and splits leave out what is between them.
    rounding = allowance if box.categories else 0.0
    assert not witnessed > proven + ball(rounding), "the multipliers do not prove a bound"
    used = {
        (witness.method, len(certificate.witnesses))
        for certificate in certificates
        for witness in certificate.witnesses
        if len(witness.rows)
    }
    return (bounds.upper - bounds.lower) / float(worst_case), used


def crowded_instance(number: int):
    """More answers than coordinates: for the curvature of sums; and contradictions, for groups."""
    rng = make_generator(4, "balls", number)
    for_groups = number % 4 == 3
    d, count = (9, 10) if for_groups else (int(rng.integers(2, 5)), int(rng.choice([10, 16])))
    box = Box((-1.0,) * d, (1.0,) * d)
    reach, epsilon = float(rng.choice([0.5, 2.0, 6.0])), float(rng.choice([0.2, 1.0, 3.0]))
    reach = 10.0 if for_groups else reach
    queries = [random_query(rng, box, reach, epsilon) for _ in range(count)]
    outputs = rng.integers(0, 2, count).tolist()
    if number % 2:
        queries, outputs = queries * 2, outputs + [1 - output for output in outputs]
    return box, queries, outputs


def main(random: int, nasty: int, crowded: int) -> None:
    """Check instances, and print violations, the median width and the methods."""
    for name, make, count in (
        ("random", random_instance, random),
        ("nasty", nasty_instance, nasty),
        ("crowded", crowded_instance, crowded),
    ):
        shares, methods, violations = [], collections.Counter(), 0
        for number in range(count):
            box, queries, outputs = make(number)
            try:
                share, used = check(
                    box, queries, outputs, make_generator(3, "points", name, number)
                )
            except AssertionError as error:
                violations += 1
                print(f"{name} {number}: {error}", flush=True)
                continue
            shares.append(share)
            methods.update(used)
            if (number + 1) % 50 == 0 or number + 1 == count:
                quarters = np.quantile(shares, [0.25, 0.5, 0.75])
                print(f"{number + 1} {name}: {violations} violations; width as a share of the")
                print("  worst case, quartiles:", *(f"{q:.2g}" for q in quarters))
                print("  method and number of groups:", dict(methods), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
