"""Finite mechanisms and the knowledge gained from them, in fractions (``knowledge``, Section 2).

A mechanism is a list of rows, one for each output, of probabilities under each value.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from noiseless.accounting.queries import FiniteDomain, TableQuery

Mechanism = list[list[Fraction]]
"""Probability of each output (rows) under each value (columns)."""


def build_domain(count: int) -> FiniteDomain:
    """Build a finite domain of the one-coordinate values 0, 1, ..., count - 1."""
    return FiniteDomain(tuple((float(value),) for value in range(count)))


def convert_to_query(mechanism: Mechanism) -> TableQuery:
    """Convert a mechanism to a query with its probabilities as floats."""
    return TableQuery(tuple(tuple(map(float, row)) for row in mechanism))


def compute_likelihood(mechanisms: Sequence[Mechanism], outputs: Sequence[int]) -> list[Fraction]:
    """Compute the joint probability of outputs, one of each mechanism, under each value."""
    rows = [mechanism[output] for mechanism, output in zip(mechanisms, outputs, strict=True)]
    return [math.prod(column) for column in zip(*rows, strict=True)]


def compute_exp_loss(likelihood: Sequence[Fraction]) -> Fraction:
    """Compute the exponential of the realized loss: the largest over the smallest likelihood."""
    return max(likelihood) / min(likelihood)


def compute_exp_guarantee(mechanism: Mechanism) -> Fraction:
    """Compute the exponential of the smallest epsilon for which a mechanism is epsilon-LDP."""
    return max(map(compute_exp_loss, mechanism))


def build_randomized_response(truth: Fraction) -> Mechanism:
    """Build randomized response about a bit, correct with probability ``truth``."""
    return [[truth, 1 - truth], [1 - truth, truth]]


def scale_to_integers(numbers: Sequence[Fraction]) -> list[int]:
    """Multiply numbers by the smallest positive factor that makes all of them integers."""
    factor = math.lcm(*(number.denominator for number in numbers))
    return [int(number * factor) for number in numbers]


def multiply_entries(one: Sequence[int | Fraction], other: Sequence[int | Fraction]) -> list:
    """Multiply two sequences entry by entry, such as the likelihoods of two answers."""
    return [a * b for a, b in zip(one, other, strict=True)]


def _compute_dot_product(
    one: Sequence[int | Fraction], other: Sequence[int | Fraction]
) -> int | Fraction:
    """Compute the dot product of two sequences."""
    return sum([a * b for a, b in zip(one, other, strict=True)])


def compute_knowledge_gain(
    prior: Sequence[int | Fraction],
    likelihood: Sequence[int | Fraction],
    statement: Sequence[int | Fraction],
) -> Fraction:
    """Compute Q(f|y) / Q(f); prior, likelihood and statement may have any positive factor."""
    joint = multiply_entries(likelihood, prior)
    posterior = _compute_dot_product(statement, joint) * sum(prior)
    return Fraction(posterior, sum(joint) * _compute_dot_product(statement, prior))


def compute_leakage(
    prior: Sequence[int | Fraction],
    likelihood: Sequence[int | Fraction],
    gains: Sequence[Sequence[int | Fraction]],
) -> Fraction:
    """Compute the realized g-leakage (a ratio, Section 2.3) from gains with one row per w.

    Prior, likelihood and gains may have any positive factor.
    """
    joint = multiply_entries(likelihood, prior)
    posterior = max([_compute_dot_product(row, joint) for row in gains]) * sum(prior)
    return Fraction(
        posterior, sum(joint) * max([_compute_dot_product(row, prior) for row in gains])
    )
