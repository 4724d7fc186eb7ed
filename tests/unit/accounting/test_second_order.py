"""Branch and bound by the curvature of the sum: sound, and quick where terms are many."""

import math

import numpy as np
import pytest

from loss_problems import boxed_terms, random_problem
from noiseless.accounting import branch_and_bound as bb
from noiseless.accounting import second_order as so
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery
from noiseless.seeds import make_generator


def problem(terms, box):
    return (terms.kinds, terms.eps, terms.a, terms.b, *box.levels)


@pytest.mark.parametrize("kind", [bb.LOGIT, bb.LOG_CLIP, bb.NEG_CLIP])
@pytest.mark.parametrize("eps", [0.1, 2.0, 20.0])
def test_third_derivative_is_bounded_from_above(kind, eps):
    """By differences of the second derivative, on intervals anywhere."""
    rng, e = make_generator(1, "third", kind, eps), math.expm1(eps)
    ends = np.sort(rng.uniform(0, 1, (60, 2)), axis=1)
    if kind == bb.LOGIT:
        ends = np.sort(rng.normal(size=(60, 2)) * 4, axis=1) - rng.uniform(0, eps, (60, 1))
    tight = []
    for left, right in ends.tolist():
        bound = so.bound_third_derivative(kind, eps, e, left, right)
        grid = np.linspace(left, right, 2001)
        curves = np.array([bb.differentiate_term(kind, e, u)[1] for u in grid])
        seen = np.abs(np.diff(curves) / np.diff(grid)).max()
        assert bound >= seen * (1 - 1e-3) - 1e-9
        tight.append(bound / seen)
        if kind == bb.LOGIT:  # each of the two second derivatives on its own interval, no wider
            apart = so._bound_sigmoid_second(left, right) + so._bound_sigmoid_second(
                left + eps, right + eps
            )
            assert bound <= apart
    # eps times the third derivative of the logistic function is an estimate; the rest is exact.
    assert np.median(tight) <= (1.05 if kind != bb.LOGIT or eps < 1 else 6)


def test_largest_derivatives_of_the_logistic_function_are_those_on_a_grid():
    """On intervals around, beside and between their extremes."""
    rng = make_generator(7, "logistic")
    for left, right in np.sort(rng.normal(size=(300, 2)) * 2, axis=1).tolist():
        s = 1 / (1 + np.exp(-np.linspace(left, right, 2001)))
        second, third = s * (1 - s) * (1 - 2 * s), s * (1 - s) * (1 - 6 * s * (1 - s))
        for bound, values in ((so._bound_sigmoid_second, second), (so._bound_sigmoid_third, third)):
            largest = np.abs(values).max()
            assert bound(left, right) >= largest * (1 - 1e-12)
            assert bound(left, right) == pytest.approx(largest, rel=1e-4)


def test_third_derivative_is_infinite_across_a_kink():
    for kind in (bb.LOG_CLIP, bb.NEG_CLIP):
        assert so.bound_third_derivative(kind, 1.0, math.expm1(1), -0.1, 0.5) == math.inf
        assert so.bound_third_derivative(kind, 1.0, math.expm1(1), 0.5, 1.1) == math.inf


@pytest.mark.compiled
@pytest.mark.parametrize(("nodes", "problems"), [(1, 40), (3, 40), (40, 40), (4000, 8)])
def test_bounds_hold_however_few_boxes(nodes, problems):
    """Against the values at many points, and against the other method."""
    for number in range(problems):
        rng = make_generator(2, "boxes", number)
        box, queries, outputs = random_problem(rng, 3, 8)
        points = np.vstack([rng.uniform(size=(300, 3)), rng.integers(0, 2, (20, 3)).astype(float)])
        for terms in boxed_terms(queries, outputs, box):
            e = np.expm1(terms.eps)
            values = [bb.evaluate_sum(terms.kinds, e, terms.a, terms.b, x) for x in points]
            start = points[[np.argmax(values)]]
            lower, upper, point, spent, _ = so.maximise(*problem(terms, box), start, 1e-4, nodes)
            assert max(values) <= upper + 1e-12
            assert lower >= max(values)  # however few boxes, it begins where it is told to
            assert lower == bb.evaluate_sum(terms.kinds, e, terms.a, terms.b, point)
            assert spent <= nodes + 1
            ours = bb.maximise(*problem(terms, box), start, 1e-4, 500)
            assert lower <= ours[1] + 1e-12
            assert ours[0] <= upper + 1e-12


def bound_on(terms, low, high) -> float:
    """The bound of terms of two coordinates on a box."""
    x, loss, moved = np.empty(2), np.empty(2), np.empty(2, np.int64)
    every = bb.Terms(terms.kinds, terms.eps, np.expm1(terms.eps), terms.a, terms.b)
    return so._bound_box(every, low, high, x, loss, moved)


def test_bound_of_a_small_box_is_the_sum_to_third_order():
    """Halving a box of smooth terms cuts the distance to the largest value eightfold, or more."""
    rng = make_generator(3, "order")
    box = Box((-1.0,) * 2, (1.0,) * 2)
    queries = [LogisticQuery((1.0, -0.5), 0.3, 1.0), LogisticQuery((-1.0, 2.0), 0.1, 1.0)] * 4
    terms, _ = boxed_terms(queries, rng.integers(0, 2, 8).tolist(), box)
    e, centre = np.expm1(terms.eps), np.array([0.4, 0.6])
    gaps = []
    for half in (0.1, 0.05, 0.025):
        low, high = centre - half, centre + half
        bound = bound_on(terms, low, high)
        axis = np.linspace(-half, half, 41)
        values = [
            bb.evaluate_sum(terms.kinds, e, terms.a, terms.b, centre + np.array([s, t]))
            for s in axis
            for t in axis
        ]
        gaps.append(bound - max(values))
    assert min(gaps) >= -1e-14
    assert gaps[1] <= gaps[0] / 6
    assert gaps[2] <= gaps[1] / 6


def test_quadratic_bound_holds_and_is_exact_for_a_concave_one():
    rng = make_generator(4, "quadratic")
    for d in (1, 2, 5):
        for _ in range(50):
            hessian = rng.normal(size=(d, d))
            hessian = hessian + hessian.T
            gradient, x, loss = rng.normal(size=d), np.empty(d), np.zeros(d)
            s = np.vstack([rng.uniform(-1, 1, (500, d)), rng.choice([-1.0, 1.0], (50, d))])
            for matrix in (hessian, -hessian @ hessian / 20 - np.eye(d)):
                bound = so._bound_quadratic(
                    gradient, matrix.copy(), np.ones(d), np.zeros(d), x, loss
                )
                values = s @ gradient + 0.5 * np.einsum("ij,jk,ik->i", s, matrix, s)
                assert bound >= values.max() - 1e-12
            reached = x @ gradient + 0.5 * x @ matrix @ x
            assert bound == pytest.approx(reached, abs=0.02)


@pytest.mark.parametrize("curvature", [1e-6, 0.01, 0.5, 3.0])
def test_quadratic_bound_is_exact_however_weak_the_curvature(curvature):
    """Largest inside, at -g/H, or at an end: in closed form."""
    hessian, gradient = -curvature * np.eye(2), np.array([0.3 * curvature, -5 * curvature])
    x, loss = np.empty(2), np.zeros(2)
    bound = so._bound_quadratic(gradient, hessian, np.ones(2), np.zeros(2), x, loss)
    assert x == pytest.approx([0.3, -1.0])
    assert bound == pytest.approx(curvature * (0.045 + 5 - 0.5), rel=1e-9)


def test_term_that_is_constant_on_a_node_and_zero_there():
    """Its interval has no width, whatever its magnitude: a division by it would be no number."""
    box = Box((0.0, 0.0), (1.0, 1.0))
    queries = [LogisticQuery((2.0, 0.0), -1.0, 1.0), LogisticQuery((0.0, 3.0), -1.0, 1.0)]
    terms, _ = boxed_terms(queries, [1, 1], box)
    low, high = np.array([0.5, 0.0]), np.array([0.5, 1.0])
    bound = bound_on(terms, low, high)
    best = bb.evaluate_sum(terms.kinds, np.expm1(terms.eps), terms.a, terms.b, np.array([0.5, 1.0]))
    assert best <= bound + 1e-12
    assert bound <= best + 0.1


def test_coordinates_that_are_fixed_do_not_loosen_the_quadratic_bound():
    """Signs that frustrate each other: an eigenvalue of 1 where the discs have radius 2."""
    frustrated = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, -1.0], [1.0, -1.0, 0.0]])
    bounds = []
    for fixed in (0, 8):
        d = 3 + fixed
        hessian, half = np.zeros((d, d)), np.ones(d)
        hessian[:3, :3], half[3:] = frustrated, 0.0
        x, loss = np.empty(d), np.zeros(d)
        bounds.append(so._bound_quadratic(np.zeros(d), hessian, half, np.zeros(d), x, loss))
        np.testing.assert_allclose(loss, 0.5 * half, atol=1e-9)
    assert bounds == pytest.approx([1.5, 1.5], abs=1e-9)


@pytest.mark.compiled
def test_many_smooth_answers_in_nine_dimensions_are_bounded():
    """Where envelopes of single terms leave a gap of nats (at 100 answers, 0.5 nats for each)."""
    rng = make_generator(5, "many")
    box = Box((-1.0,) * 9, (1.0,) * 9)
    queries = [
        LogisticQuery(tuple(row[1:]), row[0], 0.5)
        for row in rng.uniform(-0.5, 0.5, (100, 10)).tolist()
    ]
    terms, _ = boxed_terms(queries, rng.integers(0, 2, 100).tolist(), box)
    start = np.full((1, 9), 0.5)
    lower, upper, *_ = so.maximise(*problem(terms, box), start, 1e-3, 2000)
    assert upper - lower <= 1e-3
    one_by_one = bb.maximise(*problem(terms, box), start, 1e-3, 200)
    assert one_by_one[1] - one_by_one[0] > 0.1
    assert one_by_one[0] <= upper


def test_many_linear_answers_in_more_dimensions_than_vertices_can_be_listed_for():
    rng = make_generator(6, "wide")
    box = Box((-1.0,) * 24, (1.0,) * 24)
    rows = rng.uniform(-1, 1, (40, 25))
    rows /= np.abs(rows).sum(axis=1, keepdims=True)
    queries = [LinearQuery(tuple(row[1:]), row[0], 0.5, -1.0, 1.0) for row in rows.tolist()]
    for terms in boxed_terms(queries, rng.integers(0, 2, 40).tolist(), box):
        lower, upper, *_ = so.maximise(*problem(terms, box), np.full((1, 24), 0.5), 1e-3, 500)
        assert upper - lower <= 1e-3
