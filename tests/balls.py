"""Certified losses, checked again in ball arithmetic (Arb) from the queries alone.

1. :func:`loss_at`: the realized loss that two points witness, as a ball.
2. :func:`certified_upper`: the upper bound of a certificate, from its splits and multipliers.  The
   terms are derived from the queries with fractions; nothing of the package takes part.
3. :func:`random_instance` and :func:`nasty_instance`: what the bounds are tried on.
4. :func:`check`: every check on one instance.  A comparison fails where the balls (of 256 bits) are
   apart, so that equal numbers pass.

``python tests/balls.py 1000 200`` checks that many random and nasty instances.
"""

import itertools
import math
import statistics
import sys
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, ctx, fmpq

from noiseless.accounting import realized_loss as rl
from noiseless.accounting.branch_and_bound import rounding_allowance
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, TruncatedLinearQuery
from noiseless.seeds import generator

ctx.prec = 256
NODE_LIMIT = 200


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

    def conjugate(self, left: Fraction, right: Fraction, lam: Fraction) -> arb:
        """At least the largest ``f(u) - lam u`` on an interval."""
        if self.kind:
            right = max(min(right, Fraction(1)), left)
        ends = [self.value(end) - ball(lam * end) for end in (left, right)]
        bend = {0: -self.eps / 2, 1: Fraction(0), -1: Fraction(1)}[self.kind]
        start = max(left, bend)
        if start < right and self.kind >= 0:
            low, high = float(start), float(right)
            for _ in range(80):
                middle = 0.5 * (low + high)
                falls = float(self.slope(Fraction(middle)).mid()) > lam
                low, high = (middle, high) if falls else (low, middle)
            at = min(max(Fraction(low), start), right)
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
    """The largest bound over the leaves of a certificate."""
    d = certificate.box.dimensions
    lows, highs = [[Fraction(0)] * d], [[Fraction(1)] * d]
    lefts, rights = [[None] * len(terms)], [[None] * len(terms)]
    for leaf, index, below, above in certificate.splits.tolist():
        leaf, index = int(leaf), int(index)
        for rows in (lows, highs, lefts, rights):
            rows.append(list(rows[leaf]))
        if index < d:
            highs[leaf][index], lows[-1][index] = Fraction(below), Fraction(above)
        else:
            assert below == above, "an argument has no gap"
            rights[leaf][index - d] = lefts[-1][index - d] = Fraction(below)
    bounds = []
    for leaf, multipliers in enumerate(certificate.multipliers.tolist()):
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


def random_instance(number: int):
    """Kinds mixed, up to 30 dimensions, weights to 1e6, epsilon from 1e-9 to 30."""
    rng = generator(1, "balls", number)
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
    rng = generator(2, "balls", number)
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


def check(box: Box, queries, outputs, rng: np.random.Generator) -> tuple[float, float]:
    """Raise if a bound does not hold; the width of the bounds, and the upper one."""
    account = rl.BoxAccount(box, node_limit=NODE_LIMIT)
    for query, output in zip(queries, outputs, strict=True):
        account.add(query, output)
    bounds = account.bounds()
    assert bounds.converged == (bounds.upper - bounds.lower <= account.tolerance)
    assert box.contains([bounds.most_likely, bounds.least_likely]).all()
    witnessed = loss_at(queries, outputs, bounds.most_likely, bounds.least_likely)
    assert not ball(bounds.lower) > witnessed, "the witnesses do not reach the lower bound"
    assert Fraction(bounds.upper) >= 0
    # What any two points tell is at most the upper bound.
    d = box.dimensions
    points = box.from_unit(np.vstack([rng.uniform(size=(200, d)), rng.integers(0, 2, (200, d))]))
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
    for certificate, sign in zip(account.certificates(), (1, -1), strict=True):
        terms, ours = exact_terms(queries, outputs, box, sign), certificate.terms
        assert len(terms) == len(ours.kinds)
        if terms:
            proven += certified_upper(certificate, terms)
            said += certificate.upper
            allowance += rounding_allowance(ours.kinds, ours.eps, ours.a, ours.b)
            proven -= sum((ball(t.eps) for t in terms if t.kind == 0 and sign < 0), arb(0))
            said += ours.constant
    assert not proven > ball(said + allowance), "the multipliers do not prove the certificate"
    # The levels of a categorical coordinate are rounded, and splits leave out what is between them.
    rounding = allowance if box.categories else 0.0
    assert not witnessed > proven + ball(rounding), "the multipliers do not prove a bound"
    return bounds.upper - bounds.lower, bounds.upper


def main(random: int, nasty: int) -> None:
    for name, make, count in (
        ("random", random_instance, random),
        ("nasty", nasty_instance, nasty),
    ):
        widths, shares, violations = [], [], 0
        for number in range(count):
            box, queries, outputs = make(number)
            try:
                width, _ = check(box, queries, outputs, generator(3, "points", name, number))
            except AssertionError as error:
                violations += 1
                print(f"{name} {number}: {error}", flush=True)
                continue
            widths.append(width)
            shares.append(width / math.fsum(query.epsilon_nats for query in queries))
        print(f"{count} {name}: {violations} violations; median width")
        print(
            f"{statistics.median(widths):.2g} nats, {statistics.median(shares):.2g} of worst case"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
