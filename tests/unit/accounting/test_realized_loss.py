"""Certified bounds of the realized loss: never violated on fine grids, and always tight."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from loss_problems import boxed_terms, random_problem
from noiseless.accounting import extremes
from noiseless.accounting import realized_loss as rl
from noiseless.accounting.queries import (
    Box,
    FiniteDomain,
    LinearQuery,
    LogisticQuery,
    TableQuery,
    TruncatedLinearQuery,
)
from noiseless.errors import ConfigError, DataError
from noiseless.seeds import make_generator


def loss_on_grid(box, queries, outputs, per_axis) -> float:
    axes = [np.linspace(*ends, per_axis) for ends in zip(box.lower, box.upper, strict=True)]
    points = np.stack([axis.ravel() for axis in np.meshgrid(*axes)], axis=1)
    total = sum(q.log_likelihood(o, points) for q, o in zip(queries, outputs, strict=True))
    return total.max() - total.min()


def log_likelihood(queries, outputs, point) -> float:
    point = np.array([point])
    return sum(q.log_likelihood(o, point)[0] for q, o in zip(queries, outputs, strict=True))


@given(*[st.floats(-1e100, 1e100)] * 2)
def test_sums_are_rounded_up_by_the_least(a, b):
    exact, rounded = Fraction(a) + Fraction(b), rl.add_rounding_up(a, b)
    assert Fraction(math.nextafter(rounded, -math.inf)) < exact <= Fraction(rounded)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("dimensions", "per_axis", "problems"), [(1, 4001, 200), (2, 201, 200), (3, 41, 100)]
)
def test_bounds_hold_on_fine_grids_and_meet_the_tolerance(dimensions, per_axis, problems):
    for problem in range(problems):
        rng = make_generator(1, "grid", dimensions, problem)
        box, queries, outputs = random_problem(rng, dimensions, int(rng.integers(1, 9)))
        loss = rl.bound_realized_loss(queries, outputs, box, tolerance=1e-3)
        grid = loss_on_grid(box, queries, outputs, per_axis)
        assert loss.upper >= grid - 1e-12
        assert loss.upper - loss.lower <= 1e-3 + 1e-9
        # On a line the grid finds the loss itself, up to the spacing times the steepest slope.
        if dimensions == 1:
            assert loss.lower <= grid + 0.05
        at_most = log_likelihood(queries, outputs, loss.most_likely)
        at_least = log_likelihood(queries, outputs, loss.least_likely)
        assert at_most - at_least == pytest.approx(loss.lower, abs=1e-9)


@pytest.mark.compiled
@pytest.mark.slow
def test_bounds_meet_local_optima_in_many_dimensions():
    """Nothing that a general optimiser finds from the best of many points may lie outside."""
    for problem in range(8):
        rng = make_generator(2, "local", problem)
        box, queries, outputs = random_problem(rng, 6, 8)
        loss = rl.bound_realized_loss(queries, outputs, box, tolerance=1e-3)
        points = rng.uniform(box.lower, box.upper, (30_000, 6))
        least, most = (local_optimum(sign, queries, outputs, box, points) for sign in (1, -1))
        assert most - least <= loss.upper + 1e-9


def local_optimum(sign, queries, outputs, box, points) -> float:
    """Smallest (sign 1) or largest (sign -1) log-likelihood found from the best of each third."""

    def values(points):
        total = sum(q.log_likelihood(o, points) for q, o in zip(queries, outputs, strict=True))
        return sign * total

    steps = 1e-7 * np.diag(np.subtract(box.upper, box.lower))

    def value_and_gradient(x):
        around = np.clip(np.vstack([x + steps, x - steps]), box.lower, box.upper)
        here, *rest = values(np.vstack([x, around]))
        ahead, behind = np.split(np.array(rest), 2)
        return here, (ahead - behind) / np.diag(around[: len(x)] - around[len(x) :])

    bounds = list(zip(box.lower, box.upper, strict=True))
    starts = [third[values(third).argmin()] for third in np.array_split(points, 3)]
    results = [
        minimize(value_and_gradient, start, jac=True, bounds=bounds, method="L-BFGS-B")
        for start in starts
    ]
    return sign * min(result.fun for result in results)


def linear_queries(rng, dimensions: int, count: int) -> list[LinearQuery]:
    parameters = rng.uniform(-1, 1, (count, dimensions + 1))
    parameters /= np.abs(parameters).sum(axis=1, keepdims=True)
    return [LinearQuery(tuple(row[1:]), row[0], 0.3, -1.0, 1.0) for row in parameters.tolist()]


@pytest.mark.compiled
def test_vertices_and_branch_and_bound_agree_on_linear_queries(monkeypatch):
    rng = make_generator(4, "linear")
    box = Box((-1.0,) * 6, (1.0,) * 6)
    queries, outputs = linear_queries(rng, 6, 12), rng.integers(0, 2, 12).tolist()
    exact = rl.bound_realized_loss(queries, outputs, box)
    assert exact.nodes == 0
    assert exact.upper - exact.lower < 1e-9
    monkeypatch.setattr(rl, "VERTEX_DIMENSIONS", 5)
    branched = rl.bound_realized_loss(queries, outputs, box, tolerance=1e-4)
    assert branched.nodes > 0
    assert branched.lower - 1e-9 <= exact.upper
    assert exact.lower <= branched.upper + 1e-9
    assert branched.upper - branched.lower <= 1e-4 + 1e-9


@pytest.mark.compiled
def test_more_dimensions_than_vertices_can_be_listed_for():
    rng = make_generator(5, "wide")
    box = Box((-1.0,) * 30, (1.0,) * 30)
    queries, outputs = linear_queries(rng, 30, 12), rng.integers(0, 2, 12).tolist()
    loss = rl.bound_realized_loss(queries, outputs, box, tolerance=1e-2, node_limit=500)
    assert loss.upper - loss.lower <= 0.05 * loss.upper
    points = rng.choice([-1.0, 1.0], (4000, 30))
    total = sum(q.log_likelihood(o, points) for q, o in zip(queries, outputs, strict=True))
    assert total.max() - total.min() <= loss.upper


def test_outputs_give_the_same_one_by_one_or_all_at_once():
    rng = make_generator(6, "stream")
    box, queries, outputs = random_problem(rng, 3, 7)
    account = rl.BoxAccount(box, tolerance=1e-4)
    for query, output in zip(queries, outputs, strict=True):
        promised = account.bound_loss_after(query, output)
        account.add(query, output)
        assert account.bound_loss() == promised
    whole = rl.bound_realized_loss(queries, outputs, box, tolerance=1e-4)
    assert account.bound_loss().upper == pytest.approx(whole.upper, abs=1e-4)


@pytest.mark.compiled
def test_node_limit_widens_the_bounds_and_groups_tighten_them_again():
    rng = make_generator(7, "limit")
    box = Box((-1.0,) * 8, (1.0,) * 8)
    queries = [
        LogisticQuery(tuple(row[1:]), row[0], 0.2) for row in rng.uniform(-10, 10, (24, 9)).tolist()
    ]
    outputs = rng.integers(0, 2, 24).tolist()
    tight = rl.bound_realized_loss(queries, outputs, box, tolerance=1e-2)
    rough = rl.bound_realized_loss(queries, outputs, box, tolerance=1e-2, node_limit=1)
    assert tight.upper - tight.lower <= 1e-2 + 1e-9
    assert tight.upper <= rough.upper + 1e-9
    groups = conflicting_groups(queries, outputs, box, 8)
    assert sorted(itertools.chain(*groups)) == list(range(24))
    assert max(map(len, groups)) <= 8
    chosen = grouped_upper(queries, outputs, box, groups)
    assert chosen >= tight.lower
    assert chosen <= sum(query.epsilon_nats for query in queries)


def conflicting_groups(queries, outputs, box, size) -> list[list[int]]:
    terms, _ = boxed_terms(queries, outputs, box)
    assert len(terms.kinds) == len(queries)
    return extremes.group_conflicting_terms(terms, size)


def grouped_upper(queries, outputs, box, groups) -> float:
    """Sum of the losses of groups."""
    parts = [
        rl.bound_realized_loss([queries[i] for i in group], [outputs[i] for i in group], box)
        for group in groups
    ]
    return sum(part.upper for part in parts)


def test_grouped_account_sums_the_groups_in_order():
    rng = make_generator(9, "groups")
    box = Box((-1.0,) * 3, (1.0,) * 3)
    queries, outputs = linear_queries(rng, 3, 7), rng.integers(0, 2, 7).tolist()
    account = rl.GroupedAccount(lambda: rl.BoxAccount(box), 3)
    for query, output in zip(queries, outputs, strict=True):
        promised = account.bound_loss_after(query, output, 10.0)
        account.add(query, output)
        assert account.bound_loss().upper == pytest.approx(promised.upper, abs=1e-12)
    parts = [range(3), range(3, 6), range(6, 7)]
    expected = grouped_upper(queries, outputs, box, parts)
    assert account.bound_loss().upper == pytest.approx(expected, abs=1e-9)


def test_finite_domain_is_enumerated():
    domain = FiniteDomain(((0.0,), (1.0,), (2.0,)))
    query = TableQuery(((0.5, 0.2, 0.4), (0.5, 0.8, 0.6)))
    loss = rl.bound_realized_loss([query, query], [0, 1], domain)
    products = [0.25, 0.16, 0.24]
    assert loss.upper == pytest.approx(math.log(0.25 / 0.16), abs=1e-12)
    assert loss.lower <= math.log(max(products) / min(products)) <= loss.upper
    assert (loss.most_likely, loss.least_likely) == ((0.0,), (1.0,))
    assert query.epsilon_nats == pytest.approx(math.log(0.5 / 0.2))


def test_nothing_asked_and_queries_that_tell_nothing():
    box = Box((0.0, 0.0), (1.0, 1.0))
    assert rl.bound_realized_loss([], [], box).upper == 0
    flat = [
        LogisticQuery((0.0, 0.0), 3.0, 1.0),
        TruncatedLinearQuery((1.0, 1.0), 5.0, 1.0, 0.0, 1.0),
        TruncatedLinearQuery((1.0, 1.0), -9.0, 1.0, 0.0, 1.0),
    ]
    loss = rl.bound_realized_loss(flat, [0, 1, 0], box)
    assert loss.upper < 1e-12
    one = LogisticQuery((1.0, -2.0), 0.5, 1.0)
    alone = rl.bound_realized_loss([one], [1], box, tolerance=1e-6)
    together = rl.bound_realized_loss([*flat, one], [1, 0, 1, 1], box, tolerance=1e-6)
    assert together.upper == pytest.approx(alone.upper, abs=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Box((0.0,), (0.0,)), "two finite ends"),
        (lambda: Box((0.0,), (1.0, 2.0)), "equal lengths of 1 or more"),
        (lambda: FiniteDomain(()), "`points` must be one or more"),
        (lambda: LogisticQuery((math.nan,), 0.0, 1.0), "finite numbers"),
        (lambda: LogisticQuery((1.0,), 0.0, 0.0), "epsilon is 0.0"),
        (lambda: LinearQuery((1.0,), 0.0, 1.0, 1.0, 0.0), "is not a public range"),
        (lambda: TableQuery(((0.5, 0.5), (0.5, 0.6))), "sum to 1"),
        (lambda: rl.BoxAccount(Box((0.0,), (1.0,)), tolerance=0), "larger than 0"),
        (lambda: rl.GroupedAccount(lambda: None, 0), "`size` must be 1 or more, got 0"),
    ],
)
def test_bad_settings_are_one_readable_error(make, message):
    with pytest.raises(ConfigError, match=message):
        make()


def test_query_that_does_not_fit_its_domain():
    box = Box((0.0, 0.0), (1.0, 1.0))
    with pytest.raises(ConfigError, match="3 coefficients cannot be asked"):
        rl.bound_realized_loss([LogisticQuery((1.0, 1.0, 1.0), 0.0, 1.0)], [0], box)
    with pytest.raises(ConfigError, match=r"reaches \[0, 2\], beyond"):
        rl.bound_realized_loss([LinearQuery((1.0, 1.0), 0.0, 1.0, 0.0, 1.0)], [0], box)
    with pytest.raises(DataError, match="from 0 to 1, got 2"):
        rl.bound_realized_loss([LogisticQuery((1.0, 1.0), 0.0, 1.0)], [2], box)
    with pytest.raises(DataError, match="each of the 1 points of the domain, got 2"):
        rl.bound_realized_loss([TableQuery(((0.5, 0.5), (0.5, 0.5)))], [0], FiniteDomain(((0.0,),)))


def test_trying_many_queries_keeps_what_was_found_of_the_last_one_alone():
    account = rl.BoxAccount(Box((-1.0,), (1.0,)))
    for number in range(5):
        for output in (0, 1):
            account.bound_loss_after(LogisticQuery((1.0 + number,), 0.0, 0.1), output)
    assert len(account._tried) == 2


def test_linear_answers_are_bounded_in_one_go_as_their_extremes_are_one_by_one(monkeypatch):
    """To the last bit, also where a query tells nothing, and in other boxes than the paper's."""
    for number in range(30):
        rng = make_generator(14, "linear", number)
        d = int(rng.integers(1, 6))
        ends = np.sort(rng.uniform(-3, 3, (2, d)), axis=0) if number % 2 else [[-1] * d, [1] * d]
        box = Box(*np.asarray(ends, dtype=float).tolist())
        account = rl.BoxAccount(box)
        for _ in range(int(rng.integers(0, 9))):
            slopes = rng.uniform(-1, 1, d) * rng.integers(0, 2)
            query = LinearQuery(slopes.tolist(), 0.1, rng.uniform(0.01, 4), -40.0, 40.0)
            account.add(query, int(rng.integers(2)))
        state = account._now
        lower, upper, point, _ = rl._maximise_concave(
            state.likely.eps, state.likely.a, state.likely.b, account._middle
        )
        at = int(state.vertices.argmin())
        value = -float(state.vertices[at])
        corner = np.array([float(at >> j & 1) for j in range(d)])
        found = account.bound_loss()
        most = extremes.MaximumBounds(lower, upper, point, 0)
        least = extremes.MaximumBounds(value, value, corner, 0)
        one_by_one = iter((most, least))
        monkeypatch.setattr(rl, "_maximise_terms", lambda *_, found=one_by_one: next(found))
        account._search(state, 1e-3, 1)
        assert found is not state.loss
        assert found == state.loss


def test_an_account_has_the_tolerance_that_its_class_states():
    box = Box((0.0,), (1.0,))
    assert rl.create_account(box).tolerance == rl.BoxAccount(box).tolerance == 1e-3
