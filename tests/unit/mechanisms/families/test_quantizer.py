"""The quantizer: its definition in exact fractions, its properties, its errors, its levels."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.families.quantizer import (
    MAX_BUDGET_BITS,
    Quantizer,
    UnequalBinQuantizer,
    compute_local_levels,
    compute_printed_levels,
)
from noiseless.mechanisms.interface import Domain
from noiseless.theory.levels import compute_exact_levels

ends = st.decimals(-1000, 1000, places=3).map(float)
levels = st.integers(1, 300)


@st.composite
def quantizers(draw):
    lower, upper = sorted((draw(ends), draw(ends)))
    return Quantizer(Domain((lower,), (upper + 1,)), draw(levels), clip=draw(st.booleans()))


@st.composite
def quantizers_and_values(draw, size=20):
    quantizer = draw(quantizers())
    inside = st.floats(quantizer.lower, quantizer.upper)
    near = st.sampled_from(list(quantizer.edges)).flatmap(
        lambda edge: st.sampled_from(
            [edge, np.nextafter(edge, -np.inf), np.nextafter(edge, np.inf)]
        )
    )
    value = (inside | near).filter(lambda x: quantizer.lower <= x <= quantizer.upper)
    return quantizer, np.array(draw(st.lists(value, min_size=1, max_size=size)))


def exact_edges(quantizer):
    """Edges of Definition 3 in fractions, of the decimals that the range is written as."""
    lower, upper = (Fraction(repr(float(end))) for end in (quantizer.lower, quantizer.upper))
    return [lower + k * (upper - lower) / quantizer.levels for k in range(quantizer.levels + 1)]


@given(quantizers_and_values())
def test_index_is_the_bin_of_definition_3(case):
    """A plain loop over edges: left-closed bins, the last one closed."""
    quantizer, values = case
    edges = [float(edge) for edge in exact_edges(quantizer)]  # each rounded once
    for value, index in zip(values, quantizer.find_bins(values), strict=True):
        at_or_below = [k for k in range(quantizer.levels) if edges[k] <= value]
        assert index == at_or_below[-1]


@given(quantizers(), st.data())
def test_values_between_edges_are_where_exact_fractions_put_them(quantizer, data):
    """Away from the floats next to an edge, no rounding can matter."""
    value = data.draw(st.floats(quantizer.lower, quantizer.upper))
    edges = exact_edges(quantizer)
    if any(abs(Fraction(value) - edge) < Fraction(1, 10**9) for edge in edges):
        return
    expected = max(k for k in range(quantizer.levels) if edges[k] <= Fraction(value))
    assert quantizer.find_bins(value) == expected


@pytest.mark.parametrize(("upper", "count"), [(1, 10), (0.7, 7), (30, 300), (4.7, 47), (1.1, 11)])
def test_a_value_written_as_an_edge_lies_on_it(upper, count):
    quantizer = Quantizer(Domain((0,), (upper,)), count)
    decimals = [float(str(k / 10)) for k in range(count + 1)]
    np.testing.assert_array_equal(quantizer.edges, decimals)
    assert quantizer.find_bins(decimals).tolist() == [*range(count), count - 1]


def test_floor_of_a_product_would_get_edges_wrong():
    assert math.floor(0.29 * 100) == 28
    assert Quantizer(Domain((0,), (1,)), 100).find_bins(0.29) == 29


@given(quantizers_and_values())
def test_release_is_idempotent(case):
    quantizer, values = case
    once = quantizer.release(values)
    np.testing.assert_array_equal(quantizer.release(once), once)


@given(quantizers_and_values())
def test_release_is_monotone(case):
    quantizer, values = case
    assert (np.diff(quantizer.release(np.sort(values))) >= 0).all()


@given(quantizers_and_values())
def test_error_is_at_most_half_a_bin(case):
    quantizer, values = case
    lower, upper = (Fraction(repr(float(end))) for end in (quantizer.lower, quantizer.upper))
    half = (upper - lower) / quantizer.levels / 2
    rounding = 2 * Fraction(math.ulp(max(abs(quantizer.lower), abs(quantizer.upper))))
    for value, released in zip(values, quantizer.release(values), strict=True):
        assert abs(Fraction(released) - Fraction(value)) <= half + rounding


@given(quantizers_and_values(size=60))
def test_outputs_are_at_most_q_and_all_of_them_midpoints(case):
    quantizer, values = case
    outputs = set(quantizer.release(values))
    assert len(outputs) <= quantizer.levels
    assert outputs <= set(quantizer.midpoints)
    edges = exact_edges(quantizer)
    middles = [float((a + b) / 2) for a, b in itertools.pairwise(edges)]
    assert quantizer.midpoints.tolist() == middles


def test_shapes_are_kept():
    quantizer = Quantizer(Domain((0,), (4,)), 4)
    assert quantizer.find_bins(1.0).shape == ()
    assert quantizer.release(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert quantizer.release([[0, 1], [3.9, 4]]).tolist() == [[0.5, 1.5], [3.5, 3.5]]


def test_values_are_clipped_unless_that_is_refused():
    outside = [-1.0, 5.0, np.inf]
    assert Quantizer(Domain((0,), (4,)), 4).find_bins(outside).tolist() == [0, 3, 3]
    with pytest.raises(
        DataError, match=r"3 of 3 values .*\[0, 4\]; the first is -1\.0 at position 0"
    ):
        Quantizer(Domain((0,), (4,)), 4, clip=False).find_bins(outside)


@pytest.mark.parametrize("clip", [True, False])
def test_not_a_number_is_an_error(clip):
    with pytest.raises(DataError, match=r"first is nan at position \(1, 0\)"):
        Quantizer(Domain((0,), (4,)), 4, clip=clip).find_bins([[1.0], [np.nan]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 1, 4), "not a public range"),
        ((2, 1, 4), "not a public range"),
        ((0, math.inf, 4), "not bounded"),
        ((math.nan, 1, 4), "not a public range"),
        ((0, 1, 0), "got 0"),
        ((0, 1, 2.5), "got 2.5"),
        ((0, 1, 2**52), "must be at most"),
        ((1e9, 1e9 + 1e-3, 5000), "must be at most"),
        (("0", 1, 4), "ends `low` of a domain must be a list of numbers, got \\('0',\\)"),
        ((0, 1, None), "`levels` of a quantizer must be a number, got None"),
    ],
)
def test_impossible_quantizer_is_an_error(arguments, message):
    low, high, count = arguments
    with pytest.raises(ConfigError, match=message):
        Quantizer(Domain((low,), (high,)), count)


@given(
    st.integers(1, 20),
    st.integers(1, 200),
    st.fractions(Fraction(1, 100), 1000, max_denominator=1000),
)
def test_levels_of_an_average_are_n_times_the_local_ones(epsilon_bits, n, x_max):
    """Also where x_max / n is no float: an average of n on [0, x_max] has n 2^eps levels."""
    exact = compute_printed_levels(epsilon_bits, output_range=(0, x_max), sensitivity=x_max / n)
    rounded = compute_printed_levels(
        epsilon_bits, output_range=(0, float(x_max)), sensitivity=float(x_max) / n
    )
    assert exact == rounded == n * 2**epsilon_bits


@given(
    st.fractions(Fraction(1, 10), 20, max_denominator=12),
    st.fractions(Fraction(1, 10), 50, max_denominator=1000),
)
def test_levels_never_exceed_the_budget(epsilon_bits, ratio):
    """q <= 2^eps times the ratio, and q + 1 would exceed it, in exact integers."""
    got = compute_printed_levels(epsilon_bits, output_range=(0, ratio), sensitivity=1)
    # q <= 2^(a/b) r  <=>  q^b <= 2^a r^b.
    bound = 2**epsilon_bits.numerator * ratio**epsilon_bits.denominator
    assert got == 1 or Fraction(got) ** epsilon_bits.denominator <= bound
    assert Fraction(got + 1) ** epsilon_bits.denominator > bound


@pytest.mark.parametrize(
    ("epsilon_bits", "expected"),
    [
        (0.3, 1),
        (1, 2),
        (1.5, 2),
        (math.log2(3), 3),
        (2, 4),
        (2.9, 7),
        (Fraction(5, 2), 5),
        (12, 4096),
    ],
)
def test_one_home_has_as_many_levels_as_its_bits_allow(epsilon_bits, expected):
    assert compute_local_levels(epsilon_bits) == expected


def test_exact_fractions_are_not_rounded_up():
    almost = 12 - Fraction(1, 10**15)
    assert compute_printed_levels(1, output_range=(0, almost / 2), sensitivity=1) == 11
    assert compute_printed_levels(1, output_range=(0, float(almost) / 2), sensitivity=1.0) == 12


@pytest.mark.parametrize("epsilon_bits", [0, -1, math.nan, math.inf])
def test_budget_that_is_not_positive_is_an_error(epsilon_bits):
    with pytest.raises(ConfigError, match="epsilon is"):
        compute_local_levels(epsilon_bits)
    with pytest.raises(ConfigError, match="epsilon is"):
        compute_printed_levels(epsilon_bits, output_range=(0, 1), sensitivity=1)


@pytest.mark.parametrize(
    ("output_range", "sensitivity", "message"),
    [((0, 1), 0, "sensitivity"), ((0, 1), -1, "sensitivity"), ((1, 1), 1, "is empty")],
)
def test_query_without_range_or_sensitivity_is_an_error(output_range, sensitivity, message):
    with pytest.raises(ConfigError, match=message):
        compute_printed_levels(1, output_range=output_range, sensitivity=sensitivity)


# --- Bins of any width ------------------------------------------------------------------------

CUTS = UnequalBinQuantizer((-2.0, 0.0, 1.0, 5.0))


@pytest.mark.parametrize(
    ("value", "index", "midpoint"),
    [
        (-2.0, 0, -1.0),
        (math.nextafter(0.0, -1), 0, -1.0),
        (0.0, 1, 0.5),
        (math.nextafter(1.0, 0), 1, 0.5),
        (1.0, 2, 3.0),
        (5.0, 2, 3.0),
    ],
)
def test_cut_bins_are_closed_on_the_left_and_the_last_one_on_both_sides(value, index, midpoint):
    assert CUTS.levels == 3
    assert CUTS.find_bins([value]) == [index]
    assert CUTS.release([value]) == [midpoint]
    assert CUTS.find_bins(np.array([[value]])).shape == (1, 1)


@given(st.lists(ends, min_size=2, max_size=6, unique=True).map(sorted), st.data())
def test_cut_bins_are_where_a_plain_loop_puts_them(edges, data):
    value = data.draw(st.sampled_from(edges) | st.floats(edges[0], edges[-1]))
    expected = max(k for k in range(len(edges) - 1) if edges[k] <= value)
    quantizer = UnequalBinQuantizer(tuple(edges))
    assert quantizer.find_bins([value]) == [expected]
    assert quantizer.release([value]) == [(edges[expected] + edges[expected + 1]) / 2]


@given(quantizers_and_values())
def test_equal_cuts_are_the_quantizer_of_definition_3(case):
    quantizer, values = case
    cut = UnequalBinQuantizer(tuple(quantizer.edges.tolist()))
    assert cut.levels == quantizer.levels
    np.testing.assert_array_equal(cut.find_bins(values), quantizer.find_bins(values))


def test_values_outside_the_cuts_are_refused_or_clipped():
    for outside in (math.nextafter(-2.0, -3), math.nextafter(5.0, 6), math.nan, math.inf):
        with pytest.raises(DataError, match="outside the public range"):
            CUTS.find_bins([0.5, outside])
    clipped = UnequalBinQuantizer(CUTS.edges, clip=True)
    assert clipped.release([-9.0, 0.5, 9.0]).tolist() == [-1.0, 0.5, 3.0]
    with pytest.raises(DataError, match="outside the public range"):
        clipped.find_bins([math.nan])


@pytest.mark.parametrize(
    "edges", [(), (1.0,), (1.0, 1.0), (2.0, 1.0), (0.0, math.inf), (0.0, math.nan), (0.0, 2.0, 1.0)]
)
def test_cuts_that_are_no_edges_are_refused(edges):
    with pytest.raises(ConfigError, match="must be 2 or more finite"):
        UnequalBinQuantizer(edges)


def test_numbers_of_numpy_are_those_of_python():
    quantizer = Quantizer(Domain((np.int64(0),), (np.float32(1.5),)), np.uint8(4))
    assert [type(each) for each in (quantizer.lower, quantizer.upper, quantizer.levels)] == [
        int,
        float,
        int,
    ]


def test_budgets_are_refused_where_the_configuration_refuses_them(root):
    import yaml  # not in the installs of the library alone

    schema = yaml.safe_load((root / "workflow/schemas/config.schema.yaml").read_text())
    assert schema["$defs"]["budgets_bits"]["items"]["maximum"] == MAX_BUDGET_BITS
    limits = {"output_range": (0, 1), "sensitivity": Fraction(1, 10)}
    assert compute_local_levels(MAX_BUDGET_BITS) == 2**MAX_BUDGET_BITS
    for budget in (50.5, 2**63, 1e308, Fraction(101, 2), np.float32(51)):
        for compute in (
            compute_local_levels,
            lambda bits: compute_printed_levels(bits, **limits),
            lambda bits: compute_exact_levels(bits, **limits),
        ):
            with pytest.raises(ConfigError, match="at most 50"):
                compute(budget)
