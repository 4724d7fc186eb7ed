"""Zero-error codes of small channels, against plain definitions."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.papers.noiseless.cases import compute_max_leakage
from noiseless.theory.capacity import (
    build_confusability_graph,
    build_strong_power,
    compute_fractional_packing_number,
    find_independence_number,
    find_max_code_size,
)
from noiseless.theory.finite import Relation
from strategies import pairs


def independent_by_subsets(masks):
    return max(
        size
        for size in range(len(masks) + 1)
        for chosen in itertools.combinations(range(len(masks)), size)
        if all(not masks[a] >> b & 1 for a, b in itertools.combinations(chosen, 2))
    )


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 2 ** (n * n) - 1))))
def test_the_independent_set_is_the_largest_of_all_subsets(graph):
    size, bits = graph
    masks = [1 << i for i in range(size)]
    for k, (a, b) in enumerate(itertools.product(range(size), repeat=2)):
        if bits >> k & 1:
            masks[a] |= 1 << b
            masks[b] |= 1 << a
    assert find_independence_number(masks) == independent_by_subsets(masks)


def test_pentagon_gains_from_longer_words():
    """Shannon's example: 2 words of one letter, but 5 and not 4 of two."""
    pentagon = Relation(frozenset((x, (x + step) % 5) for x in range(5) for step in (0, 1)))
    assert build_confusability_graph(pentagon)[0] == 0b10011
    assert find_max_code_size(pentagon, 1) == 2
    assert find_max_code_size(pentagon, 2) == 5


@given(pairs)
def test_a_code_is_the_largest_that_confuses_no_two_words(joint):
    """No two words may lead to the same output word (Equation 10)."""
    channel = Relation(joint)
    inputs = sorted(channel.x_range)
    outputs = {x: {y for a, y in joint if a == x} for x in inputs}
    for length in (1, 2) if len(inputs) <= 3 else (1,):
        words = list(itertools.product(inputs, repeat=length))
        confused = [
            sum(
                1 << j
                for j, other in enumerate(words)
                if set(itertools.product(*(outputs[x] for x in word)))
                & set(itertools.product(*(outputs[x] for x in other)))
            )
            for word in words
        ]
        assert build_strong_power(build_confusability_graph(channel), length) == confused
        assert find_max_code_size(channel, length) == independent_by_subsets(confused)


def best_vertex(channel):
    """The packing number from all vertices: as many constraints hold with equality as inputs."""
    inputs = sorted(channel.x_range)
    rows = [[float(x in group) for x in inputs] for group in channel.x_given_y.values()]
    limits = [1.0] * len(rows) + [0.0] * len(inputs)
    rows += [[-float(x == other) for other in inputs] for x in inputs]
    best = 0.0
    for chosen in itertools.combinations(range(len(rows)), len(inputs)):
        square = np.array([rows[k] for k in chosen])
        if abs(np.linalg.det(square)) > 1e-9:
            point = np.linalg.solve(square, [limits[k] for k in chosen])
            if (np.array(rows) @ point <= np.array(limits) + 1e-9).all():
                best = max(best, point.sum())
    return best


@given(pairs)
def test_the_packing_number_agrees_with_all_vertices(joint):
    channel = Relation(frozenset(joint))
    assert float(compute_fractional_packing_number(channel)) == pytest.approx(best_vertex(channel))


@given(pairs)
def test_codes_are_packings_and_the_leakage_of_some_inputs_is_no_less(joint):
    """Proposition 2 on random channels, with both steps of its proof."""
    channel = Relation(frozenset(joint))
    number = compute_fractional_packing_number(channel)
    assert find_max_code_size(channel, 1) <= number <= compute_max_leakage(channel)


def test_packing_number_of_the_pentagon_is_five_halves():
    """Shannon's channel: codes of two letters have 5 words, less than 25/4."""
    pentagon = Relation(frozenset((x, (x + step) % 5) for x in range(5) for step in (0, 1)))
    assert compute_fractional_packing_number(pentagon) == Fraction(5, 2)
    assert find_max_code_size(pentagon, 2) == 5
