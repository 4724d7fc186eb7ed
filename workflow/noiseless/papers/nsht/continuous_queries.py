"""Indistinguishability of continuous answers (``nsht``, Definition 5, Equation 12).

:func:`build_indistinguishability_table` measures how well answers of linear queries, without a
quantizer, distinguish two values of one person's data, and tries every test on the answers.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from noiseless.tables import Rows, returns_table
from noiseless.theory.hypotheses import enumerate_interval_tests
from noiseless.theory.intervals import IntervalUnion

PEOPLE = (2, 3, 4, 8, 100)  # numbers of people whose heights are averaged or summed up
# Length of the range of heights, in each unit.
_RANGES = {"cm": Fraction(150), "m": Fraction(3, 2)}
_VALUE_STEPS = 4  # number of steps of a person's data: multiples of a fourth of the range


@returns_table("query", "people", "unit")
def build_indistinguishability_table(*, people: Sequence[int] = PEOPLE) -> Rows:
    """Compute the epsilon of Definition 5 (nats) for exact queries of heights, in cm and in m.

    Parameters
    ----------
    people : sequence of int
        Numbers of people, 2 or more: of averages, and of sums.  The third query is the height of
        the first of this many people.

    Returns
    -------
    DataFrame
        Cells (query, people, unit).  Statistics: ``largest_difference``, the largest length of
        the answers that only one of two values of one person's data allows (Equation 12), and its
        logarithm ``least_epsilon_nats``; ``epsilon_above_metres_nats``, epsilon minus that for
        metres (0 where both are minus infinity); ``proves_share``, the largest share of the answers
        that prove one of two values; ``tests``, number of tests that are constant between the ends
        of intervals; ``above_difference``, tests that are correct for a greater length than that
        of Equation 12; ``best_off``, pairs of values for which the best test is not correct for
        this length.
    """
    for count, query in itertools.product(people, ("average", "sum", "one height")):
        each = {"average": Fraction(1, count), "sum": Fraction(1)}.get(query)
        shares = [each] * count if each else [Fraction(1)] + [Fraction(0)] * (count - 1)
        metres = _compute_statistics(shares, _RANGES["m"])["least_epsilon_nats"]
        for unit, length in _RANGES.items():
            statistics = _compute_statistics(shares, length)
            epsilon = statistics["least_epsilon_nats"]
            statistics["epsilon_above_metres_nats"] = 0 if epsilon == metres else epsilon - metres
            yield {"query": query, "people": count, "unit": unit, **statistics}


def _compute_statistics(shares: Sequence[Fraction], length: Fraction) -> dict[str, float]:
    """Compute the statistics of the linear query with coefficients ``shares`` on [0, length]^n."""
    tests = above = off = 0
    max_difference, max_proving = Fraction(0), Fraction(0)
    values = [length * k / _VALUE_STEPS for k in range(_VALUE_STEPS + 1)]
    for share in set(shares):
        others = (sum(shares) - share) * length
        ranges = [(share * value, share * value + others) for value in values]
        for ends in itertools.combinations(ranges, 2):
            one, other = map(IntervalUnion.from_intervals, ends)
            difference = (one ^ other).measure
            edges = sorted({*ends[0], *ends[1]})
            right = [correct for correct, _ in enumerate_interval_tests(one, other, edges)]
            tests += len(right)
            above += sum(each > difference for each in right)
            off += max(right) != difference
            max_difference = max(max_difference, difference)
            max_proving = max(max_proving, _compute_proving_share(one, other))
    return {
        "largest_difference": float(max_difference),
        "least_epsilon_nats": math.log(max_difference) if max_difference else -math.inf,
        "proves_share": float(max_proving),
        "tests": tests,
        "above_difference": above,
        "best_off": off,
    }


def _compute_proving_share(first: IntervalUnion, second: IntervalUnion) -> Fraction:
    """Compute the share of the possible answers that only one of two values allows.

    If the answers have no length, the share is 1 for different answers and 0 for equal ones.
    """
    if (first | second).measure:
        return (first ^ second).measure / (first | second).measure
    return Fraction(first != second)
