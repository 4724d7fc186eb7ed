"""Zero-error codes of small channels (``noiseless``, Equation 10 and Theorem 2).

A channel is a relation of inputs and outputs.  Two inputs are confusable if some output can come
from both; a zero-error code is a set of words no two of which are confusable in every letter, that
is, an independent set of the strong power of the confusability graph.
"""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from noiseless.theory.finite import Relation

_MAX_DENOMINATOR = 1000  # of weights, which are ratios of minors of a small 0-1 matrix


def build_confusability_graph(channel: Relation) -> list[int]:
    """Build the confusability graph: for each input, the bit set of it and inputs confused with it.

    Inputs are numbered in the order of their sorted names.
    """
    inputs = sorted(channel.x_range, key=repr)
    position = {x: i for i, x in enumerate(inputs)}
    masks = [0] * len(inputs)
    for together in channel.x_given_y.values():
        mask = sum(1 << position[x] for x in together)
        for x in together:
            masks[position[x]] |= mask
    return masks


def build_strong_power(masks: Sequence[int], length: int) -> list[int]:
    """Build the confusability graph of words of ``length`` letters."""
    words = list(itertools.product(range(len(masks)), repeat=length))
    return [
        sum(
            1 << j
            for j, other in enumerate(words)
            if all(masks[a] >> b & 1 for a, b in zip(word, other, strict=True))
        )
        for word in words
    ]


def find_independence_number(masks: Sequence[int]) -> int:
    """Find the size of a largest set of vertices without an edge, by branch and bound.

    A mask has the bits of a vertex's neighbours and its own.
    """
    best = 0

    def extend(open_vertices: int, size: int) -> None:
        """Extend a set of ``size`` independent vertices by open ones; updates ``best``."""
        nonlocal best
        best = max(best, size)
        if size + _count_cliques(masks, open_vertices) <= best:
            return
        while open_vertices and size + open_vertices.bit_count() > best:
            # A largest set holds a vertex of least degree or one of its neighbours.
            vertices = [v for v in range(open_vertices.bit_length()) if open_vertices >> v & 1]
            vertex = min(vertices, key=lambda v: (masks[v] & open_vertices).bit_count())
            if (masks[vertex] & open_vertices).bit_count() <= 2:
                return extend(open_vertices & ~masks[vertex], size + 1)
            extend(open_vertices & ~masks[vertex], size + 1)
            open_vertices &= ~(1 << vertex)
        return None

    extend((1 << len(masks)) - 1, 0)
    return best


def find_max_code_size(channel: Relation, length: int) -> int:
    """Find the number of words of the largest zero-error code of a block length."""
    return find_independence_number(build_strong_power(build_confusability_graph(channel), length))


def _count_cliques(masks: Sequence[int], open_vertices: int) -> int:
    """Count the cliques of a greedy cover, an upper bound of the independent set's size."""
    count = 0
    while open_vertices:
        candidates = open_vertices
        while candidates:
            vertex = (candidates & -candidates).bit_length() - 1
            open_vertices &= ~(1 << vertex)
            candidates &= masks[vertex] & ~(1 << vertex)
        count += 1
    return count


def compute_fractional_packing_number(channel: Relation) -> Fraction:
    """Compute Shannon's rho: the most weight of inputs, if those of each output weigh at most 1.

    The solver is not trusted.  Its weights of inputs, and its prices of outputs (the dual: those of
    the outputs of each input sum to at least 1), are rounded to small fractions and checked; equal
    sums prove that both are optimal, and others raise ArithmeticError.

    C. E. Shannon, "The zero error capacity of a noisy channel", IRE Trans. Inf. Theory 2, 1956.
    """
    inputs, groups = sorted(channel.x_range, key=repr), list(channel.x_given_y.values())
    matrix = np.array([[x in group for x in inputs] for group in groups], dtype=float)
    solved = linprog(-np.ones(len(inputs)), A_ub=matrix, b_ub=np.ones(len(groups)))
    weights = dict(zip(inputs, map(_convert_to_fraction, solved.x), strict=True))
    prices = [_convert_to_fraction(-each) for each in solved.ineqlin.marginals]
    is_packing = min(weights.values()) >= 0 and all(
        sum(weights[x] for x in group) <= 1 for group in groups
    )
    is_covering = min(prices) >= 0 and all(
        sum(price for price, group in zip(prices, groups, strict=True) if x in group) >= 1
        for x in inputs
    )
    number = sum(weights.values(), Fraction(0))
    if not (is_packing and is_covering and number == sum(prices)):
        raise ArithmeticError(f"the packing of {sorted(channel.pairs)} is not proven optimal")
    return number


def _convert_to_fraction(number: float) -> Fraction:
    """Convert a float to the fraction with a small denominator that it rounds."""
    return Fraction(number).limit_denominator(_MAX_DENOMINATOR)
