"""Indistinguishability of one person's data (``nsht``, Section 6).

1. :func:`build_linear_queries_table`: Theorem 5 for all linear queries with small coefficients, and
   for random queries of more people; and a search over positions, which checks the bound of its
   proof and the function that counts reports.
2. :func:`build_indistinguishability_table`: levels (Figure 7) and leakage (Figure 8) of the
   averaging query.

All numbers are exact.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from noiseless.seeds import make_generator
from noiseless.tables import Rows, returns_table
from noiseless.theory.enumeration import StatementCounts, StatementSides
from noiseless.theory.geometry import compute_min_slab_share
from noiseless.theory.levels import compute_indistinguishable_levels, count_differing_reports

# Numbers of people for whom every query of Theorem 5 is tried, and budgets in bits.
PEOPLE = (2, 3, 4)
BUDGETS_BITS = (1, 2, 3, 4)
# Numbers of people whose average is taken in Figures 7 and 8, and budgets in bits.
AVERAGED_PEOPLE = (2, 3, 4, 6, 8, 12, 16)
AVERAGE_BUDGETS_BITS = (1, 2, 3, 4, 5, 6)
_MAX_COEFFICIENT = 99  # largest coefficient of a random query
_MAX_SEARCHED_LEVELS = 9  # largest number of levels of the quantizers whose every position is tried
_MAX_DENOMINATOR = 6  # largest denominator of one person's share of the range


def build_indistinguishability_tables(
    *, linear_queries: Mapping[str, Any], seed: int
) -> dict[str, pd.DataFrame]:
    """Build the tables ``linear_queries`` and ``indistinguishability`` of this module, by name.

    Parameters
    ----------
    linear_queries : mapping of str to value
        Arguments of :func:`build_linear_queries_table`, but for the seed.
    seed : int
        Seed of the configuration.
    """
    return {
        "linear_queries": build_linear_queries_table(**linear_queries, seed=seed),
        "indistinguishability": build_indistinguishability_table(),
    }


@returns_table("statement", "universe")
def build_linear_queries_table(
    *,
    largest_coefficient: int,
    random_people: Sequence[int],
    random_queries: int,
    seed: int,
    people: Sequence[int] = PEOPLE,
    epsilon_bits: Sequence[int] = BUDGETS_BITS,
) -> Rows:
    """Count the linear queries that break Theorem 5 at the number of levels that it allows.

    Parameters
    ----------
    largest_coefficient : int
        Coefficients are 1, 2, ... up to this.  (Signs change nothing: they mirror a coordinate.)
    random_people : sequence of int
        Larger numbers of people, for each of whom ``random_queries`` random queries with
        coefficients up to 99 are tried.
    random_queries : int
        Number of random queries for each larger number of people.
    seed : int
        The seed of the random queries.
    people : sequence of int
        Numbers of people for whom every query is tried.
    epsilon_bits : sequence of int
        Budgets in bits.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`.  Statements: ``printed``, the levels
        of the theorem; ``next``, 2^(epsilon - 1) in place of 2^(epsilon - 1) - 1; ``Appendix 14``,
        at most 2 ceil(q |delta| / range) reports differ for a change delta of one person's share;
        ``the count, by search``, the most reports that differ, by
        :func:`noiseless.theory.levels.count_differing_reports` and by a search over positions, the
        larger of them on the left.
    """
    coefficients = range(1, largest_coefficient + 1)
    universes: dict[str, Iterable[Sequence[int]]] = {
        f"all of {count} people": itertools.combinations_with_replacement(coefficients, count)
        for count in people
    }
    for count in random_people:
        random = make_generator(seed, "linear queries", count)
        drawn = random.integers(1, _MAX_COEFFICIENT, (random_queries, count), endpoint=True)
        universes[f"{random_queries} random, {count} people"] = drawn.tolist()
    tallies = StatementCounts()
    for universe, queries in universes.items():
        for chosen, eps in itertools.product(queries, epsilon_bits):
            share = Fraction(max(chosen), sum(chosen))
            for statement, factor in (("printed", 2 ** (eps - 1) - 1), ("next", 2 ** (eps - 1))):
                levels = max(1, math.floor(factor / share))
                for each in set(chosen):
                    differ = count_differing_reports(levels, Fraction(each, sum(chosen)))
                    tallies[statement, universe][differ, 2**eps] += 1
    for parts in range(1, _MAX_DENOMINATOR + 1):
        tallies.count(_search_cases(parts), f"shares in parts of {parts}")
    yield from tallies.iterate_rows()


def _search_cases(parts: int) -> StatementSides:
    """Yield (statement, left, right) for Appendix 14 and the count of reports, by a search.

    One person's share of the range is a multiple of ``1 / parts``.  With the person's data fixed,
    the output is an interval that begins at a point of a lattice, which is fine enough to hit every
    edge of a bin and every gap between edges.  The reports of the interval are listed one by one,
    and compared with those of an interval that begins at any other point.
    """
    for levels, part in itertools.product(range(1, _MAX_SEARCHED_LEVELS + 1), range(1, parts + 1)):
        n_differ = _search_differing_reports(levels, part, parts)
        for bins_moved, n_reports in n_differ.items():
            yield "Appendix 14", n_reports, 2 * math.ceil(bins_moved) if levels > 1 else 0
        counts = (max(n_differ.values()), count_differing_reports(levels, Fraction(part, parts)))
        yield "the count, by search", max(counts), min(counts)


def _search_differing_reports(levels: int, part: int, parts: int) -> dict[Fraction, int]:
    """Find the largest number of reports that differ, for each distance in bins of the outputs.

    Parameters
    ----------
    levels : int
        Number q of equal bins.
    part, parts : int
        One person's share of the output's range is ``part / parts``.
    """
    # The step of the lattice is half of 1/parts of a bin, so that the edges of bins, both ends of
    # the output and the middles between them lie on it.
    bin_steps, moves = 2 * parts, 2 * levels * part
    points = np.arange(2 * levels * parts + 1)
    reports = np.minimum(points // bin_steps, levels - 1)  # the last bin is closed
    length = 2 * levels * (parts - part)
    is_reported = np.zeros((moves + 1, levels), dtype=bool)
    for start in range(moves + 1):
        is_reported[start, reports[start : start + length + 1]] = True
    return {
        Fraction(moved, bin_steps): int(
            (is_reported[moved:] ^ is_reported[: moves + 1 - moved]).sum(axis=1).max()
        )
        for moved in range(moves + 1)
    }


@returns_table("people", "epsilon_bits")
def build_indistinguishability_table(
    *,
    people: Sequence[int] = AVERAGED_PEOPLE,
    epsilon_bits: Sequence[int] = AVERAGE_BUDGETS_BITS,
) -> Rows:
    """Compute the levels (Figure 7) and the leakage in nats (Figure 8) of a quantized average.

    Parameters
    ----------
    people : sequence of int
        Numbers of people, 2 or more.
    epsilon_bits : sequence of int
        Budgets in bits, 1 or larger.

    Returns
    -------
    DataFrame
        Cells (people, epsilon_bits).  Statistics: ``levels_printed`` (Theorem 5) and
        ``levels_exact``; ``differ_*``, the number of reports that distinguish two values of one
        person's data, for ``printed`` and ``exact`` levels and for ``one_more`` level than exact;
        ``excess_*``, this number minus 2^epsilon; ``leakage_nats``, L0(X;Y) of the printed levels,
        ``leakage_per_person_nats``, L0(X;Y)/n, and ``leakage_of_one_nats``, L0(Xi;Y).
    """
    for n, eps in itertools.product(people, epsilon_bits):
        printed = max(1, n * (2 ** (eps - 1) - 1))
        exact = compute_indistinguishable_levels(eps, n)
        differ = {
            name: count_differing_reports(levels, Fraction(1, n))
            for name, levels in (("printed", printed), ("exact", exact), ("one_more", exact + 1))
        }
        # The numerator and the denominator may be larger than any float.
        share = compute_min_slab_share(n, printed)
        leakage = math.log(share.denominator) - math.log(share.numerator)
        yield {
            "people": n,
            "epsilon_bits": eps,
            "levels_printed": printed,
            "levels_exact": exact,
            **{f"differ_{name}": value for name, value in differ.items()},
            **{f"excess_{name}": value - 2**eps for name, value in differ.items()},
            "leakage_nats": leakage,
            "leakage_per_person_nats": leakage / n,
            # The first report leaves each person the n/q least values of their range.
            "leakage_of_one_nats": max(0.0, math.log(printed / n)),
        }
