"""Coefficients and intercepts of terms, by powers of two and by fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from loss_problems import boxed_terms, random_problem
from noiseless.accounting import queries as q
from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, TruncatedLinearQuery
from noiseless.accounting.streams import create_stream_account, iterate_queries
from noiseless.errors import ConfigError, DataError
from noiseless.seeds import make_generator

INTERVALS = ((-1.0, 1.0), (0.0, 0.5), (0.0, 2.0**63), (-1.0, 0.0), (2.0**20, 2.0**21), (-4.0, -2.0))
EPSILONS = st.sampled_from([0.1, 1.0, 30.0, 3e-200]) | st.floats(1e-9, 30)
# Sums of numbers of very different sizes that cancel, and what is half-way between two doubles.
SPECIAL = [
    0.0,
    -0.0,
    0.25,
    0.5,
    1.0,
    1 + 2.0**-52,
    2.0**-53,
    2.0**-105,
    0.1,
    0.3,
    1e-199,
    1e16,
    3e49,
]
NUMBERS = st.sampled_from([*SPECIAL, *(-each for each in SPECIAL)]) | st.floats(-2, 2).filter(
    lambda number: not number or abs(number) > 1e-200
)


@st.composite
def scaled_problems(draw):
    ends = draw(st.lists(st.sampled_from(INTERVALS), min_size=1, max_size=4))
    lower, upper = zip(*ends, strict=True)
    coefficients = draw(st.lists(NUMBERS, min_size=len(ends), max_size=len(ends)))
    kind = draw(st.sampled_from([TruncatedLinearQuery, LogisticQuery]))
    interval = () if kind is LogisticQuery else draw(st.sampled_from([(-3.0, 1.0), *INTERVALS]))
    return kind(coefficients, draw(NUMBERS), draw(EPSILONS), *interval), Box(lower, upper)


def bits(linear):
    """Every number with its sign, that of 0 too."""
    if linear is None:
        return None
    row, intercepts = linear
    return [number.hex() for number in (*row, *intercepts[0], *intercepts[1])]


@pytest.mark.slow
@given(scaled_problems())
@settings(max_examples=300, deadline=None)
def test_powers_of_two_give_what_fractions_give_to_the_last_bit(problem):
    assert q._is_scaled(*problem)
    expected = q._build_linear_exactly(*problem)
    event("constant on the box" if expected is None else type(problem[0]).__name__)
    assert bits(q._build_linear_by_scaling(*problem)) == bits(expected)


@pytest.mark.parametrize("kind", ["linear", "logistic"])
@pytest.mark.parametrize("dimensions", [1, 2, 9])
def test_queries_of_the_paper_are_scaled(kind, dimensions):
    box = create_stream_account(dimensions, 0, 1e-3, 1).box
    settings = {"dimensions": dimensions, "parameter_range": 10.0, "epsilon_nats": 0.1}
    stream = iterate_queries(kind, **settings, seed=1, run=0)
    for _ in range(200):
        query, _ = next(stream)
        assert q._is_scaled(query, box)
        assert bits(q._build_linear_by_scaling(query, box)) == bits(
            q._build_linear_exactly(query, box)
        )


def test_a_constant_response_is_told_from_one_that_hardly_changes():
    """Its linear function stops exactly at an end of the interval, or a bit before it."""
    box = Box((-1.0,), (1.0,))
    for intercept, constant in ((-1.5, True), (-1.5 + 2.0**-52, False), (1.5, True)):
        query = TruncatedLinearQuery((0.5,), intercept, 0.1, -1.0, 1.0)
        assert q._is_scaled(query, box)
        assert (q._build_linear_by_scaling(query, box) is None) == constant
        assert (q._build_linear_exactly(query, box) is None) == constant


@pytest.mark.parametrize(
    ("query", "box"),
    [
        (LogisticQuery((0.5,), 0.0, 0.1), Box((-3.0,), (1.0,))),
        (LogisticQuery((0.5,), 0.0, 0.1), Box((1.0,), (4.0,))),
        (LogisticQuery((0.5,), 0.0, 0.1), Box((0.0,), (2.0**65,))),
        (LogisticQuery((0.5,), 0.0, 0.1), Box((0.0,), (2.0**-65,))),
        (LogisticQuery((0.5,), 0.0, 0.1), Box((1.0,), (2.0**53 + 2,))),
        (LogisticQuery((1e-200,), 0.0, 0.1), Box((-1.0,), (1.0,))),
        (LogisticQuery((0.5,), 1e50, 0.1), Box((-1.0,), (1.0,))),
        (LogisticQuery((2**53 + 1,), 0.0, 0.1), Box((-1.0,), (1.0,))),
        (LogisticQuery((0.5,), 0.0, 1e-300), Box((-1.0,), (1.0,))),
        (TruncatedLinearQuery((0.5,), 0.0, 0.1, -1.0, 2.0), Box((-1.0,), (1.0,))),
        # Its length is a power of two only when rounded.
        (TruncatedLinearQuery((0.5,), 0.0, 0.1, -(2.0**-60), 1.0), Box((-1.0,), (1.0,))),
    ],
)
def test_other_queries_and_boxes_are_left_to_fractions(monkeypatch, query, box):
    assert not q._is_scaled(query, box)
    monkeypatch.setattr(q, "_build_linear_by_scaling", None)
    row, intercepts = q._build_linear_exactly(query, box)
    for sign, expected, (found,) in zip(
        (-1, 1), intercepts, q.build_answer_rows(query, box), strict=True
    ):
        assert found[[q.LIKELY, q.UNLIKELY]].tolist() == list(expected)
        assert found[q.SLOPES :].tolist() == [sign * slope for slope in row]


def test_terms_of_both_outputs_mirror_one_another():
    for number in range(20):
        box, asked, _ = random_problem(make_generator(8, "mirror", number), 3, 4)
        box = box if number % 2 else Box((-1.0,) * 3, (1.0,) * 3)
        if not number % 2:
            asked = [LinearQuery((0.5, 0.3, -0.1), 0.1 * k, 0.1, -2.0, 2.0) for k in range(4)]
        for query in asked:
            one, zero = (boxed_terms([query], [output], box) for output in (1, 0))
            for terms, other, reach in zip(one, zero, one[::-1], strict=True):
                np.testing.assert_array_equal(terms.a, -other.a)
                if not isinstance(query, LogisticQuery):
                    np.testing.assert_array_equal(reach.b, other.b)


def test_a_table_sums_to_1_within_rounding_or_is_refused():
    """Three times 1/3 is off by 2^-54; a hundred-thousandth is no rounding."""
    third = 1 / 3
    query = q.TableQuery(((third, 0.5), (third, 0.25), (third, 0.25)))
    off = abs(3 * Fraction(third) - 1)
    assert query.remainder_nats == off / (1 - off) > 0
    assert q.TableQuery(((0.5, 0.25), (0.5, 0.75))).remainder_nats == 0
    edge = 2 * 2.0**-52
    assert q.TableQuery(((0.5,), (0.5 + edge,))).remainder_nats > 0
    for wrong in (2 * edge, 1e-5, -1e-9):
        with pytest.raises(ConfigError, match=r"more than the 4\.44e-16 that rounding explains"):
            q.TableQuery(((0.5, 0.5), (0.5, 0.5 + wrong)))
    with pytest.raises(ConfigError, match="larger than 0 and sum to 1"):
        q.TableQuery(((0.5, math.nan), (0.5, 0.5)))


@pytest.mark.parametrize(
    "table", [((),), (), ((0.5, 0.5), (0.5,)), (("a",), ("b",)), ((10**400,), (1,))]
)
def test_a_table_that_is_none_is_one_message(table):
    with pytest.raises(ConfigError, match="one row for each output"):
        q.TableQuery(table)


@pytest.mark.parametrize(
    "make",
    [
        lambda: q.Box((0,), (10**400,)),
        lambda: q.LogisticQuery((10**400,), 0.0, 0.1),
        lambda: q.LogisticQuery((1.0,), 10**400, 0.1),
        lambda: q.LogisticQuery((1.0,), "1", 0.1),
        lambda: q.TruncatedLinearQuery((1.0,), 0.0, 0.1, 0, 10**400),
        lambda: q.LinearQuery((1.0,), 0.0, 0.1, None, 1.0),
    ],
)
def test_numbers_that_are_no_doubles_are_one_message(make):
    with pytest.raises(ConfigError, match=r"finite|must be a list of numbers"):
        make()


@pytest.mark.parametrize("output", [-1, 2, 0.5, 1.0, "1", None])
def test_outputs_are_whole_numbers_below_their_count(output):
    with pytest.raises(DataError, match="`output` must be a whole number"):
        q.require_output(q.LogisticQuery((1.0,), 0.0, 0.1), output)
    q.require_output(q.LogisticQuery((1.0,), 0.0, 0.1), np.int64(1))


def test_what_the_terms_refuse_is_refused_before_a_query_is_asked():
    """Its linear function is a double, but its loss is not certified."""
    box = q.Box((18.0, 40.0), (99.0, 160.0))
    with pytest.raises(ConfigError, match="only certified up to"):
        q.LogisticQuery((1e99, 0.0), 0.0, 1e-9).require(box)
    q.LogisticQuery((1e98, 0.0), 0.0, 1e-9).require(box)
