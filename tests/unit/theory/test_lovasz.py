"""The certified Lovász number, against closed forms, codes, and a semidefinite solver."""

import itertools
import math
from fractions import Fraction

import cvxpy
import numpy as np
import pytest

from noiseless.errors import ConfigError
from noiseless.seeds import generator
from noiseless.theory.capacity import largest_code, largest_independent_set, strong_power
from noiseless.theory.finite import Relation
from noiseless.theory.lovasz import code_bounds, is_upper_bound, lovasz_bound


def cycle(size: int) -> list[int]:
    return [1 << i | 1 << (i + 1) % size | 1 << (i - 1) % size for i in range(size)]


@pytest.mark.parametrize("size", [5, 7, 9])
def test_odd_cycles_have_the_closed_form(size):
    """Lovász, Corollary 5: n cos(pi/n) / (1 + cos(pi/n)); the square root of 5 for the pentagon."""
    cosine = math.cos(math.pi / size)
    bound = lovasz_bound(cycle(size))
    assert is_upper_bound(bound.value, bound.matrix, cycle(size))
    assert 0 < float(bound.value) - size * cosine / (1 + cosine) < 1e-5


def test_pentagon_has_a_capacity_of_the_root_of_5():
    """Five words of two letters from below, the certificate from above."""
    bound = lovasz_bound(cycle(5))
    assert bound.value**2 - 5 < Fraction(1, 10**4)
    words = largest_independent_set(strong_power(cycle(5), 2))
    assert words == bound.words(2) == 5
    assert bound.words(4) == 25


def test_heptagon():
    """Ten words of two letters, and between 33 (Baumert et al., 1971) and 36 of three."""
    bound = lovasz_bound(cycle(7))
    assert largest_independent_set(strong_power(cycle(7), 2)) == 10 <= bound.words(2) == 11
    assert bound.words(3) == 36


def test_a_code_of_three_letters_of_the_heptagon_is_enclosed():
    """343 words, of which a search through all codes does not come to an end."""
    heptagon = Relation(frozenset((x, (x + step) % 7) for x in range(7) for step in (0, 1)))
    bounds = code_bounds(heptagon, 3, seed=2019)
    words = strong_power(cycle(7), 3)
    assert not any(words[a] >> b & 1 for a, b in itertools.combinations(bounds.code, 2))
    assert (len(bounds.code), bounds.most) == (33, 36)


@pytest.mark.parametrize("length", [1, 2])
def test_bounds_meet_where_the_code_is_as_good_as_the_certificate(length):
    pentagon = Relation(frozenset((x, (x + step) % 5) for x in range(5) for step in (0, 1)))
    bounds = code_bounds(pentagon, length, seed=2019, moves=500)
    assert len(bounds.code) == bounds.most == largest_code(pentagon, length)
    single = code_bounds(Relation(frozenset({(0, 0)})), length, seed=2019)
    assert (single.code, single.most) == ((0,), 1)


def random_graph(size: int, key: int) -> list[int]:
    random = generator(11, "graph", size, key)
    masks = [1 << i for i in range(size)]
    for i in range(size):
        for j in range(i):
            if random.random() < 0.4:
                masks[i] |= 1 << j
                masks[j] |= 1 << i
    return masks


@pytest.mark.parametrize("key", range(4))
def test_random_graphs_against_a_semidefinite_solver(key):
    size = 6 + key % 2
    masks = random_graph(size, key)
    bound = lovasz_bound(masks)
    assert largest_independent_set(masks) <= bound.value
    gram = cvxpy.Variable((size, size), PSD=True)
    edges = [(i, j) for i in range(size) for j in range(i) if masks[i] >> j & 1]
    conditions = [cvxpy.trace(gram) == 1, *(gram[i, j] == 0 for i, j in edges)]
    theta = cvxpy.Problem(cvxpy.Maximize(cvxpy.sum(gram)), conditions).solve(solver="CLARABEL")
    assert float(bound.value) == pytest.approx(theta, abs=1e-4)
    assert float(bound.value) >= theta - 1e-6


def test_graphs_without_a_choice():
    assert lovasz_bound([0b01, 0b10]).words(3) == 8  # nothing is confused
    assert 1 <= lovasz_bound([0b111] * 3).value < 1 + Fraction(1, 10**4)  # everything is
    with pytest.raises(ConfigError, match="one input or more"):
        lovasz_bound([])


def test_a_wrong_certificate_is_refused():
    bound = lovasz_bound(cycle(5))
    low = bound.value - Fraction(1, 1000)
    assert not is_upper_bound(low, bound.matrix, cycle(5))
    spoilt = np.array(bound.matrix, dtype=object)
    spoilt[0, 2] = spoilt[2, 0] = Fraction(0)  # 0 and 2 are not confusable
    assert not is_upper_bound(Fraction(5), tuple(map(tuple, spoilt)), cycle(5))
    spoilt = np.array(bound.matrix, dtype=object)
    spoilt[0, 1] += 1
    assert not is_upper_bound(Fraction(5), tuple(map(tuple, spoilt)), cycle(5))
