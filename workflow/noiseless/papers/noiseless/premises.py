"""Assumptions that the theorems leave unstated (``noiseless``, Sections II to IV).

1. :func:`build_related_table`: Theorems 1, 2, 3 and 5 where the individuals' data are related.
2. :func:`build_units_table`: Proposition 1 for a continuous X, whose leakage is in nats, beside a
   maximin information in bits.
3. :func:`build_sensitivity_table`: Theorem 8 where one individual's data are no interval, so that
   the two forms of the sensitivity differ.

``docs/proofs/noiseless.md`` has the counter-examples and what holds instead.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from operator import itemgetter
from typing import Any

import pandas as pd

from noiseless.mechanisms.families.quantizer import compute_local_levels
from noiseless.papers.noiseless.guarantees import Map, build_channel, list_lines
from noiseless.tables import Rows, returns_table
from noiseless.theory.capacity import find_max_code_size
from noiseless.theory.enumeration import Exact, StatementCounts, enumerate_maps, rename_values
from noiseless.theory.finite import Relation
from noiseless.theory.hypotheses import enumerate_tests, find_correct_reports
from noiseless.theory.levels import compute_exact_levels
from noiseless.theory.stochastic import maximal_leakage

_RELATED_CELL = ["theorem", "ranges", "others", "universe"]
_DIGITS = 50


def build_premise_tables(
    *, related: Mapping[str, Any], units: Mapping[str, Any], sensitivity: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """Build all tables of this module, by name; parameters are passed to the table functions."""
    return {
        "related": build_related_table(**related),
        "units": build_units_table(**units),
        "sensitivity": build_sensitivity_table(**sensitivity),
    }


@returns_table(*_RELATED_CELL)
def build_related_table(*, universes: Sequence[Sequence[int]]) -> Rows:
    """Count the cases that break Theorems 1, 2, 3 and 5, for every map and range of data sets.

    Parameters
    ----------
    universes : sequence of sequences of int
        Number of possible data of each individual.  Every map from the data sets of a universe to
        outputs is tried on every range, a set of data sets that can occur.

    Returns
    -------
    DataFrame
        Cells (theorem, ranges, others, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`; a violation is a left-hand side above
        epsilon of Definition 1.

        - ``ranges``: ``product`` where the individuals' data are unrelated, ``related`` otherwise.
        - ``others``: how the other individuals' data v are treated.  ``fixed``: the map psi sets
          them to v for every datum of the individual, as the theorems state; a datum that cannot
          occur together with v is included, and the mechanism is defined there, too.  ``known``:
          the adversary knows v, and only data that can occur together with v are included.
          ``unknown``: the adversary does not know v (Theorem 1 only).
    """
    tallies = StatementCounts()
    for sizes in universes:
        seen: Counter[tuple[str, str, Map, int]] = Counter()
        name = " x ".join(map(str, sizes))
        data_sets = list(itertools.product(*map(range, sizes)))
        for held in _enumerate_ranges(len(data_sets)):
            own = [{data_sets[k][i] for k in held} for i in range(len(sizes))]
            is_product = len(held) == math.prod(map(len, own))
            ranges = "product" if is_product else "related"
            # For each possible value of the others' data: all data sets that contain it, and of
            # these the data sets whose datum the individual can have at all (the image of psi).
            beside = [
                (line, [k for k in line if data_sets[k][i] in own[i]])
                for i in range(len(sizes))
                for line in list_lines(data_sets, i)
                if held.intersection(line)
            ]
            known = [[k for k in line if k in held] for line, _ in beside]
            for outputs in enumerate_maps(len(data_sets)):
                budget = max(len({outputs[k] for k in line}) for line in known)
                for one, (_, image) in zip(known, beside, strict=True):
                    seen[ranges, "known", rename_values([outputs[k] for k in one]), budget] += 1
                    seen[ranges, "fixed", rename_values([outputs[k] for k in image]), budget] += 1
                for i in range(len(sizes)):
                    maximin_count = Relation.from_outcomes(
                        (data_sets[k][i] for k in held), (outputs[k] for k in held)
                    ).maximin_count
                    tallies["Theorem 1", ranges, "unknown", name][maximin_count, budget] += 1
        for (ranges, others, one_map, budget), number in seen.items():
            facts = ((theorem, left, budget) for theorem, left in _compute_left_hand_sides(one_map))
            tallies.count(facts, ranges, others, name, times=number)
    yield from sorted(tallies.iterate_rows(*_RELATED_CELL), key=itemgetter(*_RELATED_CELL))


def _enumerate_ranges(size: int) -> Iterator[set[int]]:
    """Enumerate the ranges of data sets: every non-empty set of positions below ``size``."""
    for bits in range(1, 1 << size):
        yield {k for k in range(size) if bits >> k & 1}


def _compute_left_hand_sides(one_map: Map) -> Iterator[tuple[str, Exact]]:
    """Compute what each theorem bounds by 2^epsilon, for the map of one individual's data.

    Theorem 1 bounds a chain, whose smallest term is I*; Theorem 2 bounds the zero-error capacity,
    which is at least the logarithm of the codes of length 1; Theorem 3 bounds the best test of each
    two data.
    """
    relation = Relation.from_outcomes(range(len(one_map)), one_map)
    yield "Theorem 1", relation.maximin_count
    yield "Theorem 2", find_max_code_size(relation, 1)
    yield "Theorem 5", maximal_leakage(build_channel(one_map))
    for pair in itertools.combinations(one_map, 2):
        best = max(
            len(find_correct_reports(pair, (True, False), test)) for test in enumerate_tests(pair)
        )
        yield "Theorem 3", best


@returns_table("statement", "cells")
def build_units_table(*, cells: Sequence[int]) -> Rows:
    """Count the cases that break Proposition 1 for a continuous X and a discrete Y.

    X has the range [0, 1], cut into equal cells, and Y is any map of them.

    Parameters
    ----------
    cells : sequence of int
        Numbers of cells.

    Returns
    -------
    DataFrame
        Cells (statement, cells).  Statements: ``printed``, with I* and L0(Y;X) in bits (Equations 9
        and 6) and L0(X;Y) in nats (Equation 7); ``one base``, with the same logarithm in all three.
        Statistics: ``cases``, ``violations``, and ``equalities`` (of ``one base``; ``printed`` has
        none but the constant Y).
    """
    for count in cells:
        tallies: dict[str, Counter[str]] = {"printed": Counter(), "one base": Counter()}
        for reports in enumerate_maps(count):
            sizes = Counter(reports)
            values, share = len(sizes), Fraction(count, min(sizes.values()))
            # Every part of the overlap partition is one report's, so 2^I* is their number.  L0(Y;X)
            # is its logarithm as well, so that L0^s is the smaller of this and L0(X;Y).
            comparisons = {
                "printed": compare_bits_with_nats(values, share),
                "one base": (values > share) - (values < share),
            }
            for statement, comparison in comparisons.items():
                tallies[statement].update(
                    cases=1, violations=comparison > 0, equalities=comparison == 0
                )
        yield from ({"statement": name, "cells": count, **tallies[name]} for name in tallies)


def compare_bits_with_nats(one: int, other: Fraction) -> int:
    """Compute the sign (-1, 0 or 1) of ``log2(one) - ln(other)`` without rounding errors.

    Parameters
    ----------
    one : int
        1 or larger.
    other : Fraction
        1 or larger.

    Raises
    ------
    ArithmeticError
        If both logarithms agree in as many digits as are computed.
    """
    if one == 1 and other == 1:
        return 0
    with localcontext(prec=_DIGITS):
        ratio = Decimal(other.numerator) / Decimal(other.denominator)
        difference = Decimal(one).ln() / Decimal(2).ln() - ratio.ln()
        if abs(difference) < Decimal(10) ** (10 - _DIGITS):
            raise ArithmeticError(
                f"log2({one}) and ln({other}) agree in {_DIGITS} digits. Raise `_DIGITS`."
            )
    return 1 if difference > 0 else -1


@returns_table("data", "people", "epsilon_bits")
def build_sensitivity_table(
    *, data: Sequence[int], people: Sequence[int], epsilon_bits: Sequence[float]
) -> Rows:
    """Compare both forms of S(f) in Theorem 8 for averages of data on an even grid.

    Parameters
    ----------
    data : sequence of int
        Numbers of data between 0 and 1 that a person can have, 2 or more.
    people : sequence of int
        Numbers of people.
    epsilon_bits : sequence of float
        Budgets, in bits.

    Returns
    -------
    DataFrame
        Cells (data, people, epsilon_bits).  Statistics: ``sensitivity_measure`` and
        ``sensitivity_difference``, the two forms of S(f) in Theorem 8, and ``forms_apart``, by how
        much they differ; ``excess_measure``, by how many outputs a quantizer that the first form
        grants exceeds 2^epsilon (it grants any number of levels where the measure is 0; taken are
        as many as tell all averages apart), and ``broken_measure``, whether it does;
        ``excess_difference``, the excess of the exact number of levels by the second form.
    """
    for count, n, each in itertools.product(data, people, epsilon_bits):
        steps = n * (count - 1)
        allowed = compute_local_levels(each)
        difference = Fraction(1, n)
        levels = {
            "measure": steps + 1,
            "difference": compute_exact_levels(each, output_range=(0, 1), sensitivity=difference),
        }
        excess = {
            name: count_max_outputs(q, data=count, people=n) - allowed for name, q in levels.items()
        }
        yield {
            "data": count,
            "people": n,
            "epsilon_bits": float(each),
            "sensitivity_measure": 0.0,  # finitely many numbers have no length
            "sensitivity_difference": float(difference),
            "forms_apart": float(difference),
            "excess_measure": excess["measure"],
            "broken_measure": float(excess["measure"] > 0),
            "excess_difference": excess["difference"],
        }


def count_max_outputs(levels: int, *, data: int, people: int) -> int:
    """Count the most outputs of a quantized average while one person's data vary.

    Bins are closed on the left, the last one on both sides.
    """
    steps = people * (data - 1)  # an average is a whole number of these parts
    return max(
        len({min(levels - 1, levels * (others + own) // steps) for own in range(data)})
        for others in range((people - 1) * (data - 1) + 1)
    )
