"""Certified losses in ball arithmetic: bounds hold to the last bit, and say when they are wide."""

import itertools
import math
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import numpy as np
import pytest

import balls
from loss_problems import (
    answered,
    boxed_terms,
    clauses_problem,
    most_satisfied,
    random_clauses,
    random_problem,
)
from noiseless.accounting import branch_and_bound, extremes, second_order
from noiseless.accounting import realized_loss as rl
from noiseless.accounting.filters import BayesianFilter, SimplifiedFilter
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


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "count"),
    [(balls.random_instance, 16), (balls.nasty_instance, 24), (balls.crowded_instance, 4)],
)
def test_no_bound_is_violated_and_half_of_them_are_narrow(make, count):
    """``python tests/balls.py 1000 200 100`` does the same with more instances."""
    shares = [balls.check(*make(k), make_generator(3, "points", k))[0] for k in range(count)]
    assert np.median(shares) <= 1e-3


def test_a_check_in_balls_notices_what_rounding_does(monkeypatch):
    """Without the allowance, and with sums rounded to nearest, some bounds are violated."""
    monkeypatch.setattr(rl, "_compute_allowance", lambda terms: 0.0)
    monkeypatch.setattr(rl, "round_up", lambda exact: math.nextafter(float(exact), 0))
    violated = 0
    for number in range(16):
        try:
            balls.check(*balls.nasty_instance(number), make_generator(3, "points", number))
        except AssertionError:
            violated += 1
    assert violated >= 3


def witnessed(problem, node_limit=100):
    """The certificates of a problem, their terms as balls derive them, and what balls prove."""
    box, queries, outputs = problem
    account = answered(rl.BoxAccount(box, node_limit=node_limit), queries, outputs)
    for certificate, sign in zip(account.build_certificates(), (1, -1), strict=True):
        terms = balls.exact_terms(queries, outputs, box, sign)
        told = certificate.upper - certificate.terms.constant
        proven = float(balls.certified_upper(certificate, terms).mid())
        yield certificate, terms, told, proven


def opposed(certificate, terms, told) -> bool:
    try:
        return balls.certified_upper(certificate, terms) > told
    except AssertionError as error:
        return "to an end" in str(error)


def with_changed(certificate, **changes):
    witness, *others = certificate.witnesses
    return replace(certificate, witnesses=(replace(witness, **changes), *others))


@pytest.mark.compiled
def test_a_check_in_balls_notices_a_wrong_multiplier():
    for certificate, terms, told, proven in witnessed(hard_problem(11)):
        (witness,) = certificate.witnesses
        assert witness.method == "envelopes"
        assert proven == pytest.approx(told, abs=1e-9)
        doubled = with_changed(certificate, multipliers=2 * witness.multipliers)
        assert balls.certified_upper(doubled, terms) > told


def smooth_problem(d=3, count=12):
    rng = make_generator(11, "smooth")
    box = Box((-1.0,) * d, (1.0,) * d)
    queries = [balls.random_query(rng, box, 1.5, 1.0, kind=0) for _ in range(count)]
    return box, queries, rng.integers(0, 2, count).tolist()


def test_a_check_in_balls_notices_wrong_boxes():
    """Without its last split, a leaf is too large; with others' moves, a leaf is elsewhere."""
    for certificate, terms, told, proven in witnessed(smooth_problem()):
        (witness,) = certificate.witnesses
        assert witness.method == "second_order"
        assert proven == pytest.approx(told, abs=1e-9)
        moves = np.flatnonzero(witness.splits[:, 1] < 0)
        halves = np.flatnonzero(witness.splits[:, 1] >= 0)
        assert len(halves)
        assert len(moves)
        undivided = with_changed(certificate, splits=np.empty((0, 4)))
        assert balls.certified_upper(undivided, terms) > told + 1e-3
        gap = witness.splits.copy()
        gap[halves[0], 3] += 1e-3
        with pytest.raises(AssertionError, match="gap"):
            balls.certified_upper(with_changed(certificate, splits=gap), terms)
        opposite = witness.splits.copy()
        opposite[moves, 2] = 1 - opposite[moves, 2]  # those to an end of the unit box, at least
        assert opposed(with_changed(certificate, splits=opposite), terms, told)
        half = with_changed(certificate, rows=witness.rows[1:])
        with pytest.raises(AssertionError, match="each term once"):
            balls.certified_upper(half, terms)


def test_corners_of_linear_answers_are_their_certificate():
    box = Box((-1.0,) * 3, (1.0,) * 3)
    rng = make_generator(12, "corners")
    queries = [balls.random_query(rng, box, 2.0, 1.0, kind=1) for _ in range(9)]
    methods = []
    for certificate, _, told, proven in witnessed((box, queries, [0, 1, 1] * 3)):
        methods += [witness.method for witness in certificate.witnesses]
        assert proven == pytest.approx(told, abs=1e-12)
    assert methods == ["envelopes", "vertices"]


@pytest.mark.compiled
def test_groups_add_up_to_their_certificate():
    for certificate, _, told, proven in witnessed(contradictions(), node_limit=100):
        assert len(certificate.witnesses) == 24
        assert proven == pytest.approx(told, abs=1e-9)


@pytest.mark.parametrize("origin", [1e6, 1.7e9, 1e12])
def test_box_far_from_zero_tells_the_same_as_one_at_zero(origin):
    """The query is shifted with the box, by numbers that doubles hold."""
    slope = 3.0
    queries = [LogisticQuery((slope,), -slope * origin + shift, 1.0) for shift in (0.0, -2.0)]
    at_zero = [LogisticQuery((slope,), shift, 1.0) for shift in (0.0, -2.0)]
    far = rl.bound_realized_loss(queries, [1, 0], Box((origin,), (origin + 1,)), tolerance=1e-6)
    near = rl.bound_realized_loss(at_zero, [1, 0], Box((0.0,), (1.0,)), tolerance=1e-6)
    assert far.upper == pytest.approx(near.upper, abs=2e-6)
    for terms, expected in zip(
        boxed_terms(queries, [1, 0], Box((origin,), (origin + 1,))),
        boxed_terms(at_zero, [1, 0], Box((0.0,), (1.0,))),
        strict=True,
    ):
        np.testing.assert_array_equal(terms.a, expected.a)
        np.testing.assert_array_equal(terms.b, expected.b)


def test_terms_are_the_likelihood_up_to_what_cancels():
    rng = make_generator(4, "terms")
    for _ in range(20):
        box, queries, outputs = random_problem(rng, 3, 6)
        x, y = rng.uniform(size=(2, 3))
        likely, unlikely = boxed_terms(queries, outputs, box)
        told = rl._evaluate_terms(likely, x) + rl._evaluate_terms(unlikely, y)
        exact = balls.loss_at(queries, outputs, *box.convert_from_unit([x, y]).tolist())
        assert told == pytest.approx(float(exact.mid()), abs=1e-9)


def test_too_large_for_a_certificate_is_one_readable_error():
    box = Box((0.0,), (1.0,))
    for query in (LogisticQuery((1e101,), 0.0, 1.0), LogisticQuery((1e300,), 1.7e308, 1.0)):
        with pytest.raises(ConfigError, match=r"on the box, but a realized loss is only certified"):
            rl.bound_realized_loss([query], [0], box)
    huge = Box((-1e300,), (1.7e308,))
    with pytest.raises(ConfigError, match="too large for its box"):
        rl.bound_realized_loss([LogisticQuery((1e300,), 0.0, 1.0)], [0], huge)
    assert rl.bound_realized_loss([LogisticQuery((1e99,), 0.0, 30.0)], [0], box).upper <= 30


@pytest.mark.compiled
def test_search_goes_on_where_a_relaxation_stalls():
    """A node of this instance is solved badly: once given up, it left a gap above the tolerance."""
    rng = make_generator(10, "stalled", 256)
    loss = rl.bound_realized_loss(*_swapped(random_problem(rng, 6, 8)), tolerance=1e-3)
    assert loss.is_converged
    assert loss.upper - loss.lower <= 1e-3


def _swapped(problem):
    box, queries, outputs = problem
    return queries, outputs, box


def hard_problem(count: int):
    """Steep queries with random answers, which the limit of nodes cuts short."""
    rng = make_generator(5, "hard")
    box = Box((-1.0,) * 9, (1.0,) * 9)
    queries = [
        LogisticQuery(tuple(row[1:]), row[0], 0.5)
        for row in rng.uniform(-10, 10, (count, 10)).tolist()
    ]
    return box, queries, rng.integers(0, 2, count).tolist()


@pytest.mark.compiled
@pytest.mark.parametrize("variables", [2, 3])
def test_losses_of_steep_queries_count_satisfied_clauses(variables):
    """The reduction of docs/proofs/accounting.md, against all assignments."""
    for number in range(3):
        clauses = random_clauses(make_generator(17, "clauses", variables, number), variables, 5)
        most = most_satisfied(clauses, variables)
        loss = rl.bound_realized_loss(
            *_swapped(clauses_problem(clauses, variables, 0.5)), tolerance=0.1
        )
        assert loss.is_converged
        assert loss.lower <= 0.5 * (2 * 5 + most + 1 / 8)
        assert loss.upper >= 0.5 * (2 * 5 + most - 1 / 4)
        assert round(loss.lower / 0.5) - 2 * 5 == most


@pytest.mark.compiled
def test_unconverged_bounds_say_so_and_a_filter_refuses():
    box, queries, outputs = hard_problem(41)
    account = answered(rl.BoxAccount(box, node_limit=60), queries[:40], outputs[:40])
    loss = account.bound_loss()
    assert not loss.is_converged
    assert loss.upper > loss.lower + 1
    # Between the bounds nobody knows, so nothing may be answered.
    budget = 0.5 * (loss.lower + loss.upper)
    for kind in (SimplifiedFilter, BayesianFilter):
        assert not kind(budget, account).accepts(queries[40])
        assert kind(loss.upper + 1.0, account).accepts(queries[40])


@pytest.mark.compiled
def test_bounds_depend_on_the_record_alone():
    """Neither what was tried in between, nor a restart, changes a bit."""
    box, queries, outputs = hard_problem(14)
    asked, replayed = rl.BoxAccount(box, node_limit=40), rl.BoxAccount(box, node_limit=40)
    for query, output in zip(queries[:13], outputs, strict=False):
        asked.bound_loss()
        for bit in (0, 1):
            asked.bound_loss_after(query, bit, 1.5)
            asked.bound_loss_after(queries[13], bit)
        asked.add(query, output)
        replayed.add(query, output)
    assert asked.bound_loss() == replayed.bound_loss()
    assert asked.bound_loss_after(queries[13], 1, 3.0) == replayed.bound_loss_after(
        queries[13], 1, 3.0
    )


@pytest.mark.parametrize(("limit", "spent"), [(1, 1), (2, 3), (7, 7)])
@pytest.mark.parametrize("method", [branch_and_bound, second_order])
def test_both_searches_stop_at_their_limit(method, limit, spent):
    """After the first node they come in pairs."""
    box, queries, outputs = hard_problem(30)
    terms, _ = boxed_terms(queries, outputs, box)
    problem = (terms.kinds, terms.eps, terms.a, terms.b, *box.levels)
    assert method.maximise(*problem, np.full((1, 9), 0.5), 1e-3, limit)[3] == spent


@pytest.mark.parametrize("method", [branch_and_bound, second_order])
def test_both_searches_stop_as_soon_as_the_tolerance_is_met(method):
    """Not one pair of nodes earlier, and none later, whatever the sign of the sum."""
    for number in range(12):
        box, queries, outputs = random_problem(make_generator(15, "stop", number), 2, 8)
        for terms in boxed_terms(queries, outputs, box):
            start = np.full((1, 2), 0.5)
            problem = (terms.kinds, terms.eps, terms.a, terms.b, *box.levels, start)
            lower, upper, _, nodes, *_ = method.maximise(*problem, 1e-2, 20_000)
            assert upper - lower <= 1e-2
            if nodes > 1:
                lower, upper, *_ = method.maximise(*problem, 1e-2, nodes - 2)
                assert upper - lower > 1e-2


@pytest.mark.parametrize(
    ("dimensions", "count", "first"),
    [
        (5, 9, "branch_and_bound"),
        (5, 10, "branch_and_bound"),
        (5, 11, "second_order"),
        (6, 13, "branch_and_bound"),
        (2, 5, "second_order"),
    ],
)
def test_many_answers_in_few_dimensions_begin_with_boxes(monkeypatch, dimensions, count, first):
    """The result is sound in either order; this one takes the least time."""
    asked = []
    for module in (branch_and_bound, second_order):
        name = module.__name__.rpartition(".")[2]

        def note(*arguments, name=name, search=module.maximise):
            asked.append(name)
            return search(*arguments)

        monkeypatch.setattr(module, "maximise", note)
    rng = make_generator(14, "order")
    queries = [
        LogisticQuery(tuple(row), 0.0, 1.0) for row in rng.normal(size=(count, dimensions)).tolist()
    ]
    terms, _ = boxed_terms(queries, [1] * count, Box((-1.0,) * dimensions, (1.0,) * dimensions))
    box = Box((0.0,) * dimensions, (1.0,) * dimensions)
    extremes.maximise(terms, box, 1e-9, 3)
    assert asked[0] == first


UNIT = Box((0.0, 0.0), (1.0, 1.0))


def steep_terms(outputs):
    """Both extremes' terms of a steep query in two dimensions for each output."""
    rows = make_generator(16, "steep").uniform(-10, 10, (len(outputs), 3)).tolist()
    queries = [LogisticQuery(tuple(slope), intercept, 1.0) for intercept, *slope in rows]
    return boxed_terms(queries, outputs, Box((-1.0, -1.0), (1.0, 1.0)))


@pytest.fixture
def branched(monkeypatch):
    """How many terms each search has, its tolerance and its limit; it ends at its first node."""
    asked, search = [], extremes._bound_by_branching

    def note(terms, rows, box, tolerance, node_limit):
        asked.append((len(rows), tolerance, node_limit))
        return search(terms, rows, box, tolerance, 1)

    monkeypatch.setattr(extremes, "_bound_by_branching", note)
    return asked


@pytest.mark.parametrize(("count", "asked"), [(5, []), (6, [3]), (60, [3, 24])])
def test_groups_are_tried_where_there_are_two(monkeypatch, count, asked):
    monkeypatch.setattr(extremes, "GROUP_SIZES", (3, 24, 31))
    sizes, cut = [], extremes.group_conflicting_terms
    monkeypatch.setattr(
        extremes,
        "group_conflicting_terms",
        lambda terms, size: sizes.append(size) or cut(terms, size),
    )
    terms, _ = steep_terms([k % 2 for k in range(count)])
    extremes.maximise(terms, UNIT, 1e-15, 1)
    assert sizes == asked


@pytest.mark.parametrize(("limit", "shares"), [(40, [40, 10, 10]), (2, [2, 1, 1])])
def test_each_group_has_a_quarter_of_the_limit_and_its_share_of_the_tolerance(
    monkeypatch, branched, limit, shares
):
    monkeypatch.setattr(extremes, "GROUP_SIZES", (3,))
    extremes.maximise(steep_terms([0, 1] * 3)[0], UNIT, 1e-9, limit)
    assert branched == list(zip((6, 3, 3), (1e-9, 5e-10, 5e-10), shares, strict=True))


@pytest.mark.parametrize(("full", "share"), [(3, 20), (5, 33), (6, 40), (7, 40), (0.1, 1)])
def test_limit_falls_in_proportion_to_the_terms_above_a_number(monkeypatch, branched, full, share):
    """Six terms take twice the time of three, so that half as many nodes do."""
    monkeypatch.setattr(extremes, "GROUP_SIZES", ())
    monkeypatch.setattr(extremes, "FULL_LIMIT_TERMS", full)
    extremes.maximise(steep_terms([0, 1] * 3)[0], UNIT, 1e-9, 40)
    assert [limit for _, _, limit in branched] == [share]


def test_extreme_is_that_of_its_point_and_stops_at_its_limit():
    for terms in steep_terms([0, 1, 0, 1, 1]):
        found = extremes.maximise(terms, UNIT, 1e-3, 200)
        assert found.lower == pytest.approx(rl._evaluate_terms(terms, found.point), abs=1e-9)
        assert found.lower <= found.upper <= found.lower + 1e-3
    few = terms.select_rows([0, 1, 2])  # too few for groups
    assert extremes.maximise(few, UNIT, 1e-15, 1).nodes == 1


def test_witnesses_are_kept_where_they_are_asked_for():
    """They may take megabytes in each of a ledger's accounts."""
    box = Box((0.0,), (1.0,))
    terms, _ = boxed_terms([LogisticQuery((8.0,), -4.0, 1.0)], [1], box)
    without = extremes.maximise(terms, box, 1e-3, 100)
    with_them = extremes.maximise(terms, box, 1e-3, 100, witnesses=True)
    assert without.witnesses == ()
    assert replace(with_them, witnesses=()) == replace(without, point=with_them.point)
    assert [witness.rows for witness in with_them.witnesses] == [(0,)]


def test_groups_pair_a_slope_with_its_opposite():
    """Slopes of 1, -0.5, -1 and 0.5: a term of one coordinate rises by its epsilon at most."""
    box = Box((0.0,), (1.0,))
    asked = ((8.0, 1.0), (-2.0, 0.5), (-1.0, 1.0), (0.5, 1.0))
    queries = [LogisticQuery((slope,), 0.0, epsilon) for slope, epsilon in asked]
    terms, _ = boxed_terms(queries, [1] * 4, box)
    assert np.ravel(terms.a).tolist() == [8.0, -2.0, -1.0, 0.5]
    assert extremes.group_conflicting_terms(terms, 2) == [[0, 2], [1, 3]]


@pytest.mark.parametrize(
    "kind",
    [extremes.Witness, extremes.Certificate, extremes.MaximumBounds, TableQuery, LogisticQuery],
)
def test_what_an_account_keeps_cannot_be_changed(kind):
    """A certificate that is handed out is the account's own."""
    with pytest.raises(FrozenInstanceError):
        kind.__setattr__(kind.__new__(kind), "upper", 0.0)


@pytest.mark.parametrize("shape", [(3,), (2, 4), (1, 2, 3)])
def test_points_that_do_not_fit_a_query_are_refused(shape):
    """One row for each point, one column for each of the three coefficients."""
    query = LogisticQuery((1.0, 2.0, 3.0), 0.0, 1.0)
    assert query.compute_response(np.zeros((2, 3))).shape == (2,)
    with pytest.raises(DataError, match="the query has 3 coefficients"):
        query.compute_response(np.zeros(shape))


def contradictions():
    """Steep queries, answered both ways: pairs are what groups are made for."""
    box, queries, outputs = hard_problem(24)
    return box, queries * 2, outputs + [1 - output for output in outputs]


@pytest.mark.compiled
def test_groups_help_an_account_that_does_not_converge(monkeypatch):
    box, queries, outputs = contradictions()
    with_groups = rl.bound_realized_loss(queries, outputs, box, node_limit=100)
    # Both answers of a query have a sum that is largest in the middle, and least at the ends.
    pair = 2 * math.log1p(math.expm1(0.5) / 2) - 0.5
    assert with_groups.upper <= 24 * pair + 1e-2
    monkeypatch.setattr(extremes, "GROUP_SIZES", ())
    monkeypatch.setattr(rl, "_maximise_terms", extremes.maximise)  # which remembers nothing
    without = rl.bound_realized_loss(queries, outputs, box, node_limit=100)
    assert without.upper > 10
    assert with_groups.lower == without.lower
    assert with_groups.nodes > without.nodes
    assert isinstance(with_groups.nodes, int)
    # Two extremes, each with the limit and a quarter of it for each of two sizes.
    assert with_groups.nodes <= 2 * (1.5 * 100 + 12)


@pytest.mark.compiled
def test_groups_help_the_filters_too():
    """A filter accepts by the upper bound that groups give, and that nothing else gives."""
    box, queries, outputs = contradictions()
    account = answered(rl.BoxAccount(box, node_limit=100), queries, outputs)
    assert SimplifiedFilter(3.0, account).accepts(queries[0])


# Section 6.3: age (years), sex, blood pressure (mmHg), BMI (kg/m2), intercept.
TABLE_1 = {
    "heart": (-0.059, -1.456, -0.0134, 0.0, 6.177),
    "stroke": (0.0761, 0.0952, 0.0, 0.0163, -7.989),
    "diabetes": (0.0491, 0.0, -0.0091, 0.1039, -5.07),
    "sleep": (0.0855, 0.4617, -0.07, 0.0, 12.323),
}


def health_queries():
    *logistic, sleep = TABLE_1.values()
    return [LogisticQuery(row[:-1], row[-1], 1.0) for row in logistic] + [
        TruncatedLinearQuery(sleep[:-1], sleep[-1], 1.0, 0.0, 12.0)
    ]


def test_sex_is_zero_or_one():
    """0-1-1-0: 3.0309 for people who exist; 3.0310 if sex were 0.92."""
    corners = (10.0, 0.0, 50.0, 10.0), (100.0, 1.0, 200.0, 50.0)
    queries, outputs = health_queries(), (0, 1, 1, 0)
    real = rl.bound_realized_loss(
        queries, outputs, Box(*corners, categories={1: (0.0, 1.0)}), tolerance=1e-6
    )
    assert 3.03089 <= real.lower <= real.upper <= 3.03093
    continuous = rl.bound_realized_loss(queries, outputs, Box(*corners), tolerance=1e-6)
    assert 3.03099 <= continuous.lower <= continuous.upper <= 3.03103
    # All people on a fine grid, for whom one has to look no further than the corners in sex.
    axes = [np.linspace(10, 100, 91), [0, 1], np.linspace(50, 200, 76), np.linspace(10, 50, 41)]
    people = np.stack([axis.ravel() for axis in np.meshgrid(*axes)], axis=1)
    total = sum(q.log_likelihood(o, people) for q, o in zip(queries, outputs, strict=True))
    assert np.ptp(total) <= real.upper
    assert np.ptp(total) >= real.lower - 2e-3
    assert {real.most_likely[1], real.least_likely[1]} <= {0.0, 1.0}


@pytest.mark.parametrize("queries_each", [4, 12])
def test_categorical_coordinates_agree_with_one_box_for_each_combination(queries_each):
    """The extremes over the combinations, each a box of the other coordinates."""
    for problem in range(6):
        rng = make_generator(6, "categories", queries_each, problem)
        continuous, queries, outputs = random_problem(rng, 3, queries_each)
        values = {
            j: tuple(np.linspace(continuous.lower[j], continuous.upper[j], k).tolist())
            for j, k in ((0, 3), (2, 2))
        }
        box = Box(continuous.lower, continuous.upper, categories=values)
        found = rl.bound_realized_loss(queries, outputs, box, tolerance=1e-4)
        most, least = -math.inf, math.inf
        line = np.linspace(box.lower[1], box.upper[1], 100_001)[:, None]
        for first, last in itertools.product(*values.values()):
            points = np.insert(np.insert(line, 0, first, axis=1), 2, last, axis=1)
            total = sum(q.log_likelihood(o, points) for q, o in zip(queries, outputs, strict=True))
            most, least = max(most, total.max()), min(least, total.min())
        assert found.is_converged
        assert found.lower - 2e-4 <= most - least <= found.upper
        assert box.contains([found.most_likely, found.least_likely]).all()


def test_linear_queries_on_categories_are_not_read_off_the_continuous_box():
    """Two opposite answers: the most likely value is in the middle, which nobody has."""
    query = LinearQuery((1.0,), 0.0, 1.0, -1.0, 1.0)
    continuous, pair = Box((-1.0,), (1.0,)), Box((-1.0,), (1.0,), categories={0: (-1, 1)})
    assert rl.bound_realized_loss([query] * 2, [0, 1], continuous).lower > 0.2
    told = rl.bound_realized_loss([query] * 2, [0, 1], pair)
    assert told.upper <= 1e-3
    three = Box((-1.0,), (1.0,), categories={0: (-1.0, 0.0, 1.0)})
    exact = rl.bound_realized_loss([query] * 2, [0, 1], continuous)
    assert rl.bound_realized_loss([query] * 2, [0, 1], three).upper == pytest.approx(
        exact.upper, abs=1e-3
    )


@pytest.mark.parametrize(
    ("categories", "message"),
    [
        ({2: (0.0, 1.0)}, "from 0 to 1, got 2"),
        ({0: (0.0,)}, "must be two or more"),
        ({0: (0.0, 0.5)}, r"from 0.0 to 1.0"),
        ({1: (-1.0, 1.0)}, r"from 0.0 to 1.0"),
    ],
)
def test_categories_that_do_not_fit_their_box(categories, message):
    with pytest.raises(ConfigError, match=message):
        Box((0.0, 0.0), (1.0, 1.0), categories=categories)


def test_box_knows_its_points():
    box = Box((0.0, -2.0), (1.0, 6.0), categories={1: (6.0, -2.0, 1.0)})
    assert box == Box((0.0, -2.0), (1.0, 6.0), categories=((1, (-2.0, 1.0, 6.0)),))
    assert hash(box) == hash(Box((0.0, -2.0), (1.0, 6.0), categories={1: (-2, 1, 6)}))
    points = [[0.5, 1.0], [0.5, 0.0], [1.5, 1.0], [0.0, 6.0]]
    assert box.contains(points).tolist() == [True, False, False, True]
    assert not box.contains([0.5])
    np.testing.assert_array_equal(box.convert_from_unit([0.25, 0.3]), [0.25, 1.0])
    counts, levels = box.levels
    assert counts.tolist() == [0, 3]
    assert levels[1].tolist() == [0.0, 0.375, 1.0]
    np.testing.assert_allclose(box.convert_to_unit(box.convert_from_unit([0.25, 1.0])), [0.25, 1.0])


@pytest.mark.parametrize("epsilon", [0.5, 10.0, 20.0])
def test_regressions_on_a_finite_domain_hold_in_balls(epsilon):
    rng = make_generator(7, "finite")
    points = (1e6 + rng.uniform(size=(30, 2))).tolist()
    domain = FiniteDomain(tuple(map(tuple, points)))
    for _ in range(20):
        slope = rng.uniform(-3, 3, 2)
        middle = float(-slope.sum() * (1e6 + 0.5))
        queries = [
            LogisticQuery(tuple(slope.tolist()), middle, epsilon),
            TruncatedLinearQuery(tuple(slope.tolist()), middle, epsilon, -0.3, 0.2),
        ]
        outputs = rng.integers(0, 2, 2).tolist()
        bounds = rl.bound_realized_loss(queries, outputs, domain)
        values = [
            sum(balls.log_likelihood(q, o, point) for q, o in zip(queries, outputs, strict=True))
            for point in points
        ]
        loss = balls.largest(values) + balls.largest([-value for value in values])
        assert not loss > balls.ball(bounds.upper)
        assert not loss < balls.ball(bounds.lower)


def test_rounding_of_a_regression_is_what_its_formula_says():
    """By hand, at the larger of two points: steepest slope, products of three, and a logarithm."""
    points = np.array([[1.0, -2.0], [0.5, 0.5]])
    unit = 8 * 2.0**-53
    logistic = LogisticQuery((3.0, -1.0), -0.5, 2.0)
    moved = math.tanh(0.5) * (3 + 2 + 0.5) * (2 + 4)
    assert rl._bound_rounding_error(logistic, points) == pytest.approx(
        unit * (moved + math.exp(2.0) + 1), rel=1e-12, abs=0
    )
    for ends in ((-7.0, 1.0), (-1.0, 7.0)):
        truncated = TruncatedLinearQuery((3.0, -1.0), -0.5, 2.0, *ends)
        moved = math.expm1(2.0) * (3 + 2 + 0.5 + 7) / 8 * (2 + 4)
        assert rl._bound_rounding_error(truncated, points) == pytest.approx(
            unit * (moved + math.exp(2.0) + 1), rel=1e-12, abs=0
        )
    assert rl._bound_rounding_error(TableQuery(((0.5, 0.5), (0.5, 0.5))), points) == 0
    off = abs(sum(map(Fraction, (0.1, 0.2, 0.7))) - 1)
    table = TableQuery(((0.1, 0.5), (0.2, 0.25), (0.7, 0.25)))
    assert off > 0
    assert rl._bound_rounding_error(table, points) == pytest.approx(float(off), rel=1e-12, abs=0)


def test_bounds_tell_whether_a_limit_holds():
    bounds = rl.LossBounds(1.0, 2.0, (), ())
    assert bounds.is_within(2.0) is True
    assert bounds.is_within(1.0) is None
    assert bounds.is_within(1.5) is None
    assert bounds.is_within(0.9) is False


@pytest.mark.parametrize(("epsilon", "width"), [(0.7, 1e-9), (7.0, 1e-8)])
def test_linear_answers_are_exact(epsilon, width):
    """The concave maximum is met within rounding: inside the box, on a face or in a corner."""
    rng, places = make_generator(8, "linear"), make_generator(8, "places")
    for _ in range(20):
        d = int(rng.integers(1, 5))
        box = Box((-1.0,) * d, (1.0,) * d)
        rows = rng.uniform(-1, 1, (12, d + 1))
        rows /= np.abs(rows).sum(axis=1, keepdims=True)
        queries = [LinearQuery(tuple(row[1:]), row[0], epsilon, -1.0, 1.0) for row in rows.tolist()]
        outputs = rng.integers(0, 2, 12).tolist()
        loss = rl.bound_realized_loss(queries, outputs, box)
        assert loss.nodes == 0
        assert loss.upper - loss.lower <= width
        inside, corners = places.uniform(-1, 1, (200, d)), places.choice([-1.0, 1.0], (16, d))
        points = np.vstack([inside, corners])
        total = sum(q.log_likelihood(o, points) for q, o in zip(queries, outputs, strict=True))
        assert np.ptp(total) <= loss.upper


def test_allowance_for_rounding_is_what_its_formula_says():
    """Ten roundings of a sum of ten sharp terms, by hand."""
    slope, value = math.tanh(0.25), math.log1p(math.e)
    for coefficients in ((8.0,), (4.0, 2.0, 2.0)):
        d = len(coefficients)
        query = LogisticQuery(coefficients, 2.0, 1.0)
        likely, _ = boxed_terms([query] * 10, [1] * 10, Box((0.0,) * d, (1.0,) * d))
        roundings = slope * (2 + 8) * (10 + 2 * d + 16) + value * (10 + 6 * d**2 + 64)
        by_hand = 10 * roundings * 4 * 2.0**-53
        assert rl._compute_allowance(likely) == pytest.approx(by_hand, rel=1e-12, abs=0)
    for kind in (branch_and_bound.LOG_CLIP, branch_and_bound.NEG_CLIP):
        assert branch_and_bound.compute_max_slope(kind, 1.0) == pytest.approx(math.e - 1)
        grid = np.linspace(0, 1, 1001)
        values = [branch_and_bound.evaluate_term(kind, math.e - 1, u) for u in grid]
        assert np.diff(values).max() * 1000 <= branch_and_bound.compute_max_slope(kind, 1.0)
    grid = np.linspace(-9, 9, 10_001)
    values = [branch_and_bound.evaluate_term(branch_and_bound.LOGIT, math.e - 1, u) for u in grid]
    steepest = np.diff(values).max() / (grid[1] - grid[0])
    assert steepest == pytest.approx(
        branch_and_bound.compute_max_slope(branch_and_bound.LOGIT, 1.0), rel=1e-5
    )
