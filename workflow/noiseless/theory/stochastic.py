"""Adversaries with a prior: estimation error and maximal leakage (``noiseless``, Thms 4 and 5).

The data of one person lie in [0, 1], cut into equal cells.  A prior is constant on each cell and a
mechanism reports by cell, so that every error is a fraction.
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction


def least_squared_error(weights: Sequence[int], reports: Sequence[Hashable]) -> Fraction:
    """Compute the least expected squared error of an estimate (the mean given the report).

    A cell's weight is proportional to its prior, and its report what is released for data in it.
    """
    cells, total, error = len(weights), sum(weights), Fraction(0)
    for report in set(reports):
        mass = first = second = Fraction(0)
        for k in _list_cells(report, reports):
            density = Fraction(weights[k] * cells, total)
            low, high = Fraction(k, cells), Fraction(k + 1, cells)
            mass += density * (high - low)
            first += density * (high**2 - low**2) / 2
            second += density * (high**3 - low**3) / 3
        error += second - first**2 / mass
    return error


def least_absolute_error(weights: Sequence[int], reports: Sequence[Hashable]) -> Fraction:
    """Compute the least expected absolute error of an estimate (the median given the report).

    Parameters as for :func:`least_squared_error`.
    """
    cells, total, error = len(weights), sum(weights), Fraction(0)
    for report in set(reports):
        held = _list_cells(report, reports)
        half, passed = Fraction(sum(weights[k] for k in held), 2), Fraction(0)
        for k in held:
            if passed + weights[k] >= half:
                median = (k + (half - passed) / weights[k]) / cells
                break
            passed += weights[k]
        for k in held:
            density = Fraction(weights[k] * cells, total)
            low, high = Fraction(k, cells), Fraction(k + 1, cells)
            inner = min(max(median, low), high)
            error += density * ((inner - low) * (2 * median - low - inner)) / 2
            error += density * ((high - inner) * (high + inner - 2 * median)) / 2
    return error


def guessing_gain(weights: Sequence[int], reports: Sequence[Hashable]) -> Fraction:
    """Compute the ratio of correct guesses of the data with the report and without it.

    A value's weight is proportional to its prior.
    """
    right = sum(max(weights[k] for k in _list_cells(each, reports)) for each in set(reports))
    return Fraction(right, max(weights))


def compute_middle_error(lengths: Sequence[int], moment: int) -> Fraction:
    """Compute a moment of the absolute error of estimating uniform data by an interval's middle.

    The range is cut into intervals of these lengths, and the output says in which the data lie.
    """
    shares = [Fraction(length, sum(lengths)) for length in lengths]
    powers = sum((share ** (moment + 1) for share in shares), Fraction(0))
    return powers / (2**moment * (moment + 1))


def maximal_leakage(channel: Sequence[Sequence[Fraction]]) -> Fraction:
    """Compute ``exp`` of the maximal leakage, ``sum_y max_x P(y|x)``, of rows P(y|x)."""
    return sum((max(column) for column in zip(*channel, strict=True)), Fraction(0))


def _list_cells(report: Hashable, reports: Sequence[Hashable]) -> list[int]:
    """List the cells that have a report."""
    return [k for k, each in enumerate(reports) if each == report]
