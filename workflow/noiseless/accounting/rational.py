"""Finite mechanisms, and what their outputs tell, in exact fractions (``knowledge``, Section 2).

A mechanism is a list of rows, one for each output, of probabilities under each value.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from noiseless.accounting.queries import FiniteDomain, TableQuery

Mechanism = list[list[Fraction]]
"""Probability of each output (rows) under each value (columns)."""


def points(count: int) -> FiniteDomain:
    """The values 0, 1, ..., count - 1."""
    return FiniteDomain(tuple((float(value),) for value in range(count)))


def table_query(mechanism: Mechanism) -> TableQuery:
    """A mechanism as a query of its probabilities, in floating point."""
    return TableQuery(tuple(tuple(map(float, row)) for row in mechanism))


def likelihood(mechanisms: Sequence[Mechanism], outputs: Sequence[int]) -> list[Fraction]:
    """Probability of some outputs together, one of each mechanism, under each value."""
    rows = [mechanism[output] for mechanism, output in zip(mechanisms, outputs, strict=True)]
    return [math.prod(column) for column in zip(*rows, strict=True)]


def ratio(likelihood: Sequence[Fraction]) -> Fraction:
    """The exponential of the realized privacy loss: the largest likelihood over the smallest."""
    return max(likelihood) / min(likelihood)


def guarantee(mechanism: Mechanism) -> Fraction:
    """The exponential of the smallest LDP guarantee of a mechanism."""
    return max(map(ratio, mechanism))


def randomized_response(truth: Fraction) -> Mechanism:
    """One bit about a bit, right with a probability of ``truth``."""
    return [[truth, 1 - truth], [1 - truth, truth]]


def integers(numbers: Sequence[Fraction]) -> list[int]:
    """The same numbers, times the smallest factor that makes them all integers."""
    factor = math.lcm(*(number.denominator for number in numbers))
    return [int(number * factor) for number in numbers]


def products(one: Sequence[int | Fraction], other: Sequence[int | Fraction]) -> list:
    """Products of two sequences, entry by entry, such as likelihoods of two answers together."""
    return [a * b for a, b in zip(one, other, strict=True)]


def _dot(one: Sequence[int | Fraction], other: Sequence[int | Fraction]) -> int | Fraction:
    """Dot product of two sequences."""
    return sum([a * b for a, b in zip(one, other, strict=True)])


def gain(
    prior: Sequence[int | Fraction],
    likelihood: Sequence[int | Fraction],
    statement: Sequence[int | Fraction],
) -> Fraction:
    """Q(f|y) / Q(f), of a prior, a likelihood and a statement up to factors."""
    joint = products(likelihood, prior)
    posterior = _dot(statement, joint) * sum(prior)
    return Fraction(posterior, sum(joint) * _dot(statement, prior))


def leakage(
    prior: Sequence[int | Fraction],
    likelihood: Sequence[int | Fraction],
    gains: Sequence[Sequence[int | Fraction]],
) -> Fraction:
    """Realized g-leakage (Section 2.3), of a gain function with one row per w; up to factors."""
    joint = products(likelihood, prior)
    posterior = max([_dot(row, joint) for row in gains]) * sum(prior)
    return Fraction(posterior, sum(joint) * max([_dot(row, prior) for row in gains]))
