"""The parts of the branch and bound by other routes: fractions, linear programs, enumeration."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from loss_problems import boxed_terms, random_problem
from noiseless.accounting import branch_and_bound as bb
from noiseless.seeds import make_generator

KINDS = (bb.LOG_CLIP, bb.NEG_CLIP, bb.LOGIT)


def terms_of(name: str, count: int, dimensions: int = 2, queries: int = 5):
    """Problems as :func:`branch_and_bound.maximise` takes them: kinds, eps, a and b."""
    for number in range(count):
        rng = make_generator(19, name, number)
        box, asked, outputs = random_problem(rng, dimensions, queries)
        for terms in boxed_terms(asked, outputs, box):
            if len(terms.kinds):
                yield rng, terms.kinds, terms.eps, terms.a, terms.b


@pytest.mark.parametrize("eps", [0.1, 2.0, 20.0])
@pytest.mark.parametrize("kind", KINDS)
def test_derivatives_are_differences(kind, eps):
    e, step = math.expm1(eps), 1e-5
    # Inside [0, 1] for the clipped kinds, off their steepest end.
    at = (0.2, 0.5, 0.8) if kind != bb.LOGIT else (-eps - 2, -0.7 * eps, -1e-3, 1e-3, 1.0, 4.0)
    for u in at:
        before, after = (bb.evaluate_term(kind, e, u + k * step) for k in (-1, 1))
        slope, curve = bb.differentiate_term(kind, e, u)
        assert slope == pytest.approx((after - before) / (2 * step), rel=1e-5, abs=1e-9)
        before, after = (bb.differentiate_term(kind, e, u + k * step)[0] for k in (-1, 1))
        assert curve == pytest.approx((after - before) / (2 * step), rel=1e-5, abs=1e-9)
        assert 0 < slope <= bb.compute_max_slope(kind, eps)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_cholesky_solves_what_a_library_solves(size):
    rng = make_generator(19, "cholesky", size)
    for _ in range(5):
        root, rhs = rng.normal(size=(size, size)), rng.normal(size=size)
        matrix = root @ root.T + 0.1 * np.eye(size)
        expected = np.linalg.solve(matrix, rhs)
        # The upper triangle is not read.
        bb.solve_spd(np.tril(matrix) + np.triu(np.full((size, size), np.nan), 1), rhs)
        np.testing.assert_allclose(rhs, expected, rtol=1e-8)


def test_node_on_its_unit_box_has_the_same_arguments():
    """At points of the node, and from the corners what they can reach."""
    for rng, kinds, eps, a, b in terms_of("scale", 5):
        n, d = a.shape
        terms = bb.Terms(kinds, eps, np.expm1(eps), a, b)
        low, high = np.sort(rng.uniform(size=(2, d)), axis=0)
        left, right = np.full(n, -np.inf), np.full(n, np.inf)
        local_a, local_b = np.empty((n, d)), np.empty(n)
        local = terms._replace(a=local_a, b=local_b)
        bb._scale_to_unit_box(terms, low, high, left, right, local)
        for x in rng.uniform(size=(3, d)):
            np.testing.assert_allclose(
                local_a @ x + local_b, a @ (low + x * (high - low)) + b, rtol=1e-12, atol=1e-12
            )
        corners = np.array(list(itertools.product(*zip(low, high, strict=True))))
        reached = corners @ a.T + b
        most = reached.max(axis=0)
        most[kinds != bb.LOGIT] = np.minimum(most[kinds != bb.LOGIT], 1)
        np.testing.assert_allclose(right, most, rtol=1e-12, atol=1e-12)
        assert (left < right).all()
        open_ones = reached.min(axis=0) < most - 1e-6
        np.testing.assert_allclose(left[open_ones], reached.min(axis=0)[open_ones], rtol=1e-9)
        # An interval that is narrower already stays so.
        inner = np.array([0.75 * left + 0.25 * right, 0.25 * left + 0.75 * right])[:, open_ones]
        ends = left.copy(), right.copy()
        ends[0][open_ones], ends[1][open_ones] = inner
        bb._scale_to_unit_box(terms, low, high, *ends, local)
        np.testing.assert_array_equal(np.array(ends)[:, open_ones], inner)


def test_polished_point_is_in_the_domain_and_no_end_or_level_is_better():
    levels = np.array([[0.0, 0.3, 1.0], [np.nan] * 3])
    for number, (rng, kinds, eps, a, b) in enumerate(terms_of("polish", 6)):
        counts, e = np.array([3 if number % 2 else 0, 0]), np.expm1(eps)
        x = np.array([rng.choice(levels[0]), rng.uniform()])
        before = bb.evaluate_sum(kinds, e, a, b, x)
        reached = bb.polish(kinds, e, a, b, counts, levels, x)
        by_hand = sum(
            bb.evaluate_term(kind, each, float(row @ x) + shift)
            for kind, each, row, shift in zip(kinds, e, a, b, strict=True)
        )
        assert reached == pytest.approx(by_hand, abs=1e-12)
        assert reached >= before - 1e-12
        assert ((x >= 0) & (x <= 1)).all()
        assert not counts[0] or x[0] in levels[0]
        moves = [(0, at) for at in (levels[0] if counts[0] else (0, 1))] + [(1, 0), (1, 1)]
        # Nor is what is near, but for the width at which it stops.
        moves += [(1, np.clip(x[1] + step, 0, 1)) for step in (-1 / 128, 1 / 128)]
        for j, at in moves:
            other = x.copy()
            other[j] = at
            assert bb.evaluate_sum(kinds, e, a, b, other) <= reached + 1e-5


def plain_polish(kinds, e, a, b, counts, levels, x):
    """Every move of every round, whether or not it can be better."""
    reached, u, width = bb.evaluate_sum(kinds, e, a, b, x), b.copy(), 0.5
    for j in range(len(x)):
        u += a[:, j] * x[j]
    for _ in range(12):
        before = reached
        for j in range(len(x)):
            for move in range(counts[j] or 4):
                steps = (0.0, 1.0, *(min(max(x[j] + k * width, 0.0), 1.0) for k in (-1, 1)))
                target = levels[j, move] if counts[j] else steps[move]
                moved = u + a[:, j] * (target - x[j])
                trial = 0.0
                for kind, each, argument in zip(kinds, e, moved, strict=True):
                    trial += bb.evaluate_term(kind, each, argument)
                if trial > reached + 1e-13:
                    reached, x[j], u = trial, target, moved
        if reached <= before + 1e-6:
            width *= 0.25
        if width < 1e-3:
            break
    return bb.evaluate_sum(kinds, e, a, b, x)


def test_polish_leaves_out_only_moves_that_change_nothing():
    for number, (rng, kinds, eps, a, b) in enumerate(terms_of("plain polish", 12, 3, 8)):
        counts, e = np.array([3 if number % 2 else 0, 0, 0]), np.expm1(eps)
        levels = np.array([[0.0, 0.3, 1.0], [np.nan] * 3, [np.nan] * 3])
        x = np.append(rng.choice(levels[0]), rng.choice([0.0, 0.5, 1.0, rng.uniform()], 2))
        plain = x.copy()
        expected = plain_polish(kinds, e, a, b, counts, levels, plain)
        assert bb.polish(kinds, e, a, b, counts, levels, x) == expected
        np.testing.assert_array_equal(x, plain)


def on_unit_box(kinds, eps, a, b):
    """Terms of the whole box, and the ends of their arguments."""
    n, d = a.shape
    left, right = np.full(n, -np.inf), np.full(n, np.inf)
    terms = bb.Terms(kinds, eps, np.expm1(eps), a, b)
    local = terms._replace(a=np.empty((n, d)), b=np.empty(n))
    bb._scale_to_unit_box(terms, np.zeros(d), np.ones(d), left, right, local)
    return local, left, right


def values_at(kinds, e, arguments):
    return np.array([bb.evaluate_term(*each) for each in zip(kinds, e, arguments, strict=True)])


def envelope_tangents(kind, eps, left, right, points=400):
    """Slopes and heights at 0 of lines above the least concave function above a term."""
    e, grid = math.expm1(eps), np.linspace(left, right, points)
    grid = np.sort(np.append(grid, 0.0)) if left < 0 < right else grid  # the kink of a clip
    values = np.array([bb.evaluate_term(kind, e, u) for u in grid])
    # The upper hull of the points on a grid, by Andrew's monotone chain.
    hull = []
    for u, f in zip(grid, values, strict=True):
        while len(hull) > 1:
            (u0, f0), (u1, f1) = hull[-2:]
            if (f1 - f0) * (u - u0) > (f - f0) * (u1 - u0):
                break
            hull.pop()
        hull.append((u, f))
    (starts, heights), ends = np.array(hull[:-1]).T, np.array(hull[1:])
    slopes = (ends[:, 1] - heights) / (ends[:, 0] - starts)
    return slopes, heights - slopes * starts


@pytest.mark.parametrize("kind", KINDS)
def test_conjugate_is_the_largest_difference_on_a_grid(kind):
    """With multipliers from 0 to beyond the steepest slope."""
    rng = make_generator(19, "conjugate", kind)
    for _ in range(12):
        eps, left = float(rng.choice([0.1, 1.0, 4.0])), float(rng.uniform(-3, 0.5))
        right = 1.0 if kind != bb.LOGIT else left + float(rng.uniform(0.1, 9))
        e, grid = math.expm1(eps), np.linspace(left, right, 401)
        values = np.array([bb.evaluate_term(kind, e, u) for u in grid])
        for share in (0.0, 0.3, 1.0, 2.5):
            lam = share * (values[-1] - values[0]) / (right - left)
            bound = bb.bound_conjugate(kind, eps, e, left, right, values[0], values[-1], lam)
            largest = (values - lam * grid).max()
            between = (bb.compute_max_slope(kind, eps) + lam) * (right - left) / 400
            assert largest - 1e-12 <= bound <= largest + between


def test_certified_bound_of_a_relaxation_is_the_optimum_of_a_linear_program():
    """Envelopes as hulls of points on a grid; the program knows neither touch nor multiplier.

    A relaxation may use up its steps at the kink of a clip, as one of these eight does, and its
    bound is then wider.
    """
    met = []
    for _, kinds, eps, a, b in terms_of("relax", 4, queries=4):
        n, d = a.shape
        local, left, right = on_unit_box(kinds, eps, a, b)
        above, limits, last = [], [], []
        for i in range(n):  # t_i <= slope u_i + height, and u_i <= a_i x + b_i
            for slope, height in zip(
                *envelope_tangents(kinds[i], eps[i], left[i], right[i]), strict=True
            ):
                row = np.zeros(2 * n + d)
                row[i], row[n + i] = 1, -slope
                above.append(row)
                limits.append(height)
            row = np.zeros(2 * n + d)
            row[n + i], row[2 * n :] = 1, -a[i]
            last.append(len(above))
            above.append(row)
            limits.append(b[i])
        sides = [(None, None)] * n + list(zip(left, right, strict=True)) + [(0, 1)] * d
        cost = np.repeat([-1.0, 0.0], [n, n + d])
        program = linprog(cost, np.array(above), limits, bounds=sides)
        assert program.status == 0
        x, u, lam, none = np.empty(d), np.empty(n), np.empty(n), np.zeros(n)
        bound = bb._solve_relaxation(local, none, none, left, right, -np.inf, 1e-5, x, u, lam)
        # A hull of chords is below the envelope, by what 400 points leave.
        bend = np.square((right - left) / 399) * np.square(np.expm1(eps)) / 8
        assert bound >= -program.fun - 1e-9
        met.append(bound <= -program.fun + 1e-5 + bend.sum())
        # The program's own multipliers give its optimum, too.
        multipliers = np.maximum(-program.ineqlin.marginals[last], 0)
        ends = values_at(kinds, local.e, left), values_at(kinds, local.e, right)
        again = bb._compute_dual_bound(local, left, right, *ends, multipliers, none, none)
        assert again == pytest.approx(-program.fun, abs=1e-6 + bend.sum())
        assert x.min() >= 0
        assert x.max() <= 1
        assert (u <= local.a @ x + local.b + 1e-6).all()
        # It stops as soon as the bound is good enough, and says with which multipliers.
        enough = bb._solve_relaxation(local, none, none, left, right, bound + 0.1, 1e-5, x, u, lam)
        assert bound - 1e-9 <= enough <= bound + 0.1
    assert len(met) == 8
    assert sum(met) >= 7


def test_more_work_on_a_relaxation_never_widens_its_bound():
    """The smaller the gap that is asked for, the more of the same steps are taken."""
    for _, kinds, eps, a, b in terms_of("work", 3):
        n, d = a.shape
        local, left, right = on_unit_box(kinds, eps, a, b)
        x, u, lam, none = np.empty(d), np.empty(n), np.empty(n), np.zeros(n)
        bounds = []
        for gap in (10.0, 1.0, 0.1, 1e-2, 1e-4, 1e-8, 0.0):
            bounds.append(
                bb._solve_relaxation(local, none, none, left, right, -np.inf, gap, x, u, lam)
            )
            ends = values_at(kinds, local.e, left), values_at(kinds, local.e, right)
            # The multipliers that it hands out are those of the bound.
            assert bounds[-1] == bb._compute_dual_bound(local, left, right, *ends, lam, none, none)
        assert (np.diff(bounds) <= 0).all()
        assert bounds[-1] < bounds[0]


@settings(max_examples=300, deadline=None)
@given(
    kind=st.sampled_from([bb.LOG_CLIP, bb.LOGIT]),
    eps=st.floats(0.05, 4),
    left=st.floats(-20, -1),
    right=st.floats(0.3, 20),
)
def test_envelope_touches_and_lies_above(kind, eps, left, right):
    right = min(right, 1.0) if kind == bb.LOG_CLIP else right
    points = np.linspace(left, right, 2001)
    values = np.array([bb.evaluate_term(kind, math.expm1(eps), u) for u in points])
    touch, line = bb._find_tangent_point(kind, eps, left, right, values[0], values[-1])
    envelope = np.where(points < touch, values[0] + line * (points - left), values)
    assert (envelope >= values - 1e-10).all()
    slopes = np.diff(envelope)
    assert (np.diff(slopes) <= 1e-9).all()


def test_any_multipliers_give_a_bound():
    """The certificate does not depend on how its multipliers were found."""
    rng = make_generator(3, "multipliers")
    for _ in range(100):
        box, queries, outputs = random_problem(rng, 2, 5)
        for terms in boxed_terms(queries, outputs, box):
            if not len(terms.kinds):
                continue
            low = terms.b + np.minimum(terms.a, 0).sum(axis=1)
            high = terms.b + np.maximum(terms.a, 0).sum(axis=1)
            clipped = np.isin(terms.kinds, [bb.LOG_CLIP, bb.NEG_CLIP])
            high = np.where(clipped, np.minimum(high, 1), high)
            lam = rng.exponential(size=len(low)) * rng.choice([0, 0.1, 1])
            e = np.expm1(terms.eps)
            ends = values_at(terms.kinds, e, low), values_at(terms.kinds, e, high)
            none = np.zeros(len(lam))
            bounded = bb.Terms(terms.kinds, terms.eps, e, terms.a, terms.b)
            bound = bb._compute_dual_bound(bounded, low, high, *ends, lam, none, none)
            values = [
                bb.evaluate_sum(terms.kinds, e, terms.a, terms.b, point)
                for point in rng.uniform(size=(200, 2))
            ]
            assert bound >= max(values) - 1e-9
            for unfit in (-1e-9, math.nan, math.inf):
                lam[0] = unfit
                assert math.isinf(
                    bb._compute_dual_bound(bounded, low, high, *ends, lam, none, none)
                )


@pytest.mark.parametrize(
    ("at", "low", "high", "between"),
    [
        (0.5, 0.0, 1.0, (0.2, 0.6)),
        (-1.0, 0.0, 1.0, (0.0, 0.2)),
        (0.2, 0.0, 1.0, (0.2, 0.6)),
        (0.95, 0.0, 1.0, (0.6, 1.0)),
        (1.0, 0.0, 1.0, (0.6, 1.0)),
        (0.0, 0.2, 0.6, (0.2, 0.6)),
        (0.9, 0.2, 0.6, (0.2, 0.6)),
        (0.9, 0.0, 0.6, (0.2, 0.6)),
    ],
)
def test_a_node_is_split_between_two_levels(at, low, high, between):
    levels = np.array([0.0, 0.2, 0.6, 1.0])
    assert bb.find_neighbour_levels(at, low, high, levels) == between


def test_node_whose_envelopes_are_exact_is_split_where_it_is_open():
    """Concave terms are their own envelopes, so that no term is further above than another."""
    kinds, eps = np.full(2, bb.LOGIT), np.ones(2)
    low, high = np.zeros(2), np.ones(2)
    levels, x = np.array([[0.0, 0.5, 1.0]] * 2), np.array([0.5, 0.5])
    left, right = np.zeros(2), np.array([2.0, 1.0])
    terms = bb.Terms(kinds, eps, np.expm1(eps), np.empty((2, 2)), np.empty(2))
    open_node = (terms, low, high, left, right)
    none, first = np.array([0, 0]), np.array([3, 0])
    split = bb._choose_split
    # The argument of term 0 has the wider interval, and comes after two coordinates.
    assert split(*open_node, none, levels, x, left) == (2, 1.0, 1.0)
    assert split(*open_node, first, levels, x, left) == (0, 0.5, 1.0)
    narrow = (*open_node[:-1], left + 1e-9)
    assert split(*narrow, none, levels, x, left)[0] == -1


def test_point_moves_to_the_nearest_level_of_its_node():
    counts, levels = np.array([0, 4]), np.array([[0.0] * 4, [0.0, 0.2, 0.6, 1.0]])
    for low, high, x, moved in ((0, 1, 0.45, 0.6), (0, 1, 0.35, 0.2), (0, 0.2, 0.9, 0.2)):
        point = np.array([0.45, x])
        ends = np.array([0.0, low]), np.array([1.0, high])
        bb.snap(point, *ends, counts, levels)
        assert point.tolist() == [0.45, moved]
