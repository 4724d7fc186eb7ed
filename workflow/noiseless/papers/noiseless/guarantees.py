"""Guarantees of noiseless privacy, checked by enumeration (``noiseless``, Sections II to IV).

1. :func:`build_theorem_table`: Propositions 1 to 3, Theorems 1 to 3 and 5 to 7 on every mechanism
   of every query over small universes, and on random ones over larger.
2. :func:`build_estimation_table`: Theorem 4 for every prior and mechanism on small grids, and
   :func:`build_bound_table`: its bound against the budget.
3. :func:`build_levels_table`: Theorem 8 against the exact number of levels.

Assumptions that the statements leave unstated are in :mod:`.premises`.

The statements depend on a mechanism and a query only by the map from data sets to outputs that
both make together; so all maps cover all mechanisms of all queries.  Every statement is brought to
the form ``left <= right`` of exact numbers (:mod:`noiseless.theory`).
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Final

import numpy as np
import pandas as pd

from noiseless.mechanisms.families.quantizer import (
    compute_local_levels,
    compute_printed_levels,
    count_touched_bins,
)
from noiseless.seeds import draw_different, make_generator
from noiseless.tables import Rows, returns_table
from noiseless.theory.capacity import compute_fractional_packing_number, find_max_code_size
from noiseless.theory.enumeration import (
    StatementCounts,
    StatementSides,
    enumerate_maps,
    enumerate_relations,
    rename_values,
)
from noiseless.theory.finite import Relation
from noiseless.theory.hypotheses import (
    ReportRanges,
    enumerate_policies,
    enumerate_tests,
    find_correct_reports,
)
from noiseless.theory.levels import compute_exact_levels
from noiseless.theory.stochastic import (
    guessing_gain,
    least_absolute_error,
    least_squared_error,
    maximal_leakage,
)

Map = tuple[int, ...]
# Theorem 4: widths of another person's range, in units of the first person's range; and the share
# of the first person's range that the other person's data leave open (1 for unrelated people).
OTHER_WIDTHS: Final = (1, 0.1, 0.01)
SHARES_LEFT: Final = (1, 0.25)
# The smallest universe over which two budgets above 0 add up (Theorem 6): two halves of two bits.
_COMPOSITION_UNIVERSE = (4,)
_PRIOR_WEIGHTS = (1, 2, 3)
_MOMENTS = (1, 2)
_ESTIMATION_CELL = ("statement", "moment", "other_width", "share_left")


def build_guarantee_tables(
    *,
    theorems: Mapping[str, Any],
    estimation: Mapping[str, Any],
    levels: Mapping[str, Any],
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Build all tables of this module, by name; parameters are passed to the table functions."""
    return {
        "guarantees": build_theorem_table(**theorems, seed=seed),
        "estimation": build_estimation_table(**estimation),
        "bound": build_bound_table(epsilon_bits=levels["epsilon_bits"]),
        "levels": build_levels_table(**levels),
    }


@returns_table("statement", "universe")
def build_theorem_table(
    *,
    universes: Sequence[Sequence[int]],
    pair_universes: Sequence[Sequence[int]],
    random_universes: Sequence[Sequence[int]],
    random_maps: int,
    relations: Sequence[Sequence[int]],
    seed: int,
) -> Rows:
    """Count the cases that break each proposition and theorem, on small universes.

    Parameters
    ----------
    universes : sequence of sequences of int
        Number of possible data of each individual; every map on each of these universes is tried.
    pair_universes : sequence of sequences of int
        Smaller universes, for the statements about two maps (Theorems 6 and 7); one person with
        four data is added for Theorem 6.
    random_universes : sequence of sequences of int
        Larger universes, on which random maps are tried.
    random_maps : int
        Number of random maps on each of the larger universes.
    relations : sequence of pairs of int
        Numbers of inputs and outputs; every relation of these sizes is tried (Propositions 1 and 2,
        Section II-B, Appendix B), and every hypothesis and test on as many outcomes as inputs
        (Proposition 3).
    seed : int
        The seed of the random maps.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`, and ``equalities_above_1``, the
        equalities of numbers above 1.
    """
    tallies = StatementCounts()
    for xs, ys in relations:
        tallies.count(_enumerate_relation_facts(xs, ys), f"all {xs} x {ys} relations")
    for outcomes in sorted({xs for xs, _ in relations}):
        tallies.count(_enumerate_test_facts(outcomes), f"{outcomes} outcomes")
    # The smallest channel whose longer codes beat repeated short ones.
    pentagon = Relation(frozenset((x, (x + step) % 5) for x in range(5) for step in (0, 1)))
    tallies.count(_list_channel_facts(pentagon), "pentagon channel")
    maps = {
        _format_universe(sizes): (sizes, enumerate_maps(math.prod(sizes))) for sizes in universes
    }
    for sizes in random_universes:
        random = _draw_maps(sizes, random_maps, seed)
        maps[f"{random_maps} random, {_format_universe(sizes)}"] = sizes, random
    for universe, (sizes, tried) in maps.items():
        for (one_map, budget), number in _count_conditional_maps(sizes, tried).items():
            tallies.count(_list_map_facts(one_map, budget), universe, times=number)
    for sizes in pair_universes:
        tallies.count(_enumerate_composition_facts(sizes), _format_universe(sizes))
        tallies.count(_enumerate_processing_facts(sizes), _format_universe(sizes))
    if list(_COMPOSITION_UNIVERSE) not in [list(sizes) for sizes in pair_universes]:
        tallies.count(
            _enumerate_composition_facts(_COMPOSITION_UNIVERSE),
            _format_universe(_COMPOSITION_UNIVERSE),
        )
    yield from tallies.iterate_rows(above_1=True)


def _format_universe(sizes: Sequence[int]) -> str:
    """Format the sizes of a universe: ``2 x 3`` for two individuals with 2 and 3 possible data."""
    return " x ".join(map(str, sizes))


def _draw_maps(sizes: Sequence[int], count: int, seed: int) -> Iterator[Map]:
    """Draw ``count`` different random maps from a universe's data sets to numbers of outputs."""
    random = make_generator(seed, "guarantees", _format_universe(sizes))
    size = math.prod(sizes)

    def draw() -> Map:
        """Draw a map."""
        return tuple(random.integers(0, random.integers(1, size, endpoint=True), size).tolist())

    yield from draw_different(draw, count)


@cache
def list_slices(sizes: tuple[int, ...]) -> list[list[int]]:
    """List the groups of data sets (positions) that differ in one individual's data alone."""
    data_sets = list(itertools.product(*map(range, sizes)))
    return [line for i in range(len(sizes)) for line in list_lines(data_sets, i)]


def list_lines(data_sets: Sequence[tuple[int, ...]], i: int) -> list[list[int]]:
    """List the groups of data sets (positions) that differ in individual ``i``'s data alone."""
    lines: dict[tuple, list[int]] = defaultdict(list)
    for k, data in enumerate(data_sets):
        lines[data[:i], data[i + 1 :]].append(k)
    return list(lines.values())


def list_conditional_maps(sizes: Sequence[int], outputs: Map) -> list[Map]:
    """List the maps from an individual's data to outputs, for all individuals and others' data."""
    return [rename_values([outputs[k] for k in held]) for held in list_slices(tuple(sizes))]


def compute_exp2_epsilon(sizes: Sequence[int], outputs: Map) -> int:
    """Compute ``2^epsilon`` of a map, for the smallest budget epsilon that Definition 1 allows.

    Parameters
    ----------
    sizes : sequence of int
        Number of possible data of each individual.
    outputs : tuple of int
        The output for each data set, in the order of :func:`itertools.product`.
    """
    return max(len(set(each)) for each in list_conditional_maps(sizes, outputs))


def _count_conditional_maps(sizes: Sequence[int], maps: Iterable[Map]) -> Counter[tuple[Map, int]]:
    """Count how often each conditional map occurs in mechanisms of each ``2^epsilon``."""
    counts: Counter[tuple[Map, int]] = Counter()
    for outputs in maps:
        conditional = list_conditional_maps(sizes, outputs)
        budget = max(len(set(each)) for each in conditional)
        counts.update((each, budget) for each in conditional)
    return counts


def _list_map_facts(one_map: Map, budget: int) -> StatementSides:
    """Compare one individual's map with its budget, as facts of Theorems 1, 2, 3 and 5.

    ``budget`` is ``2^epsilon`` of the mechanism that the map is a part of.
    """
    relation = Relation.from_outcomes(range(len(one_map)), one_map)
    backward = relation.transposed.leakage
    yield "Theorem 1: 0 <= I*", 1, relation.maximin_count
    yield "Theorem 1: I* <= L0^s", relation.maximin_count, relation.symmetric_leakage
    yield "Theorem 1: L0^s <= L0(Y;Xi)", relation.symmetric_leakage, backward
    yield "Theorem 1: L0(Y;Xi) <= epsilon", backward, budget
    for length in (1, 2, 3):
        words = find_max_code_size(relation, length)
        yield f"Theorem 2: codes of length {length}", words, budget**length
    for pair in itertools.combinations(one_map, 2):
        for test in enumerate_tests(pair):
            yield "Theorem 3", len(find_correct_reports(pair, (True, False), test)), budget
    yield "Theorem 5: formula", maximal_leakage(build_channel(one_map)), budget
    for weights in itertools.product(_PRIOR_WEIGHTS, repeat=len(one_map)):
        yield "Theorem 5: guessing Xi", guessing_gain(weights, one_map), budget


def build_channel(one_map: Map) -> list[list[Fraction]]:
    """Build the channel matrix of a map: probability (0 or 1) of each output, given each datum."""
    return [[Fraction(y == output) for output in sorted(set(one_map))] for y in one_map]


def _enumerate_relation_facts(xs: int, ys: int) -> StatementSides:
    """Enumerate facts of Section II-B, Propositions 1 and 2 and Appendix B on every relation."""
    for relation in enumerate_relations(xs, ys):
        other = relation.transposed
        yield "Section II-B: I0 <= L0", relation.information, relation.leakage
        for name, one, two in (
            ("I0", relation.information, other.information),
            ("L0", relation.leakage, other.leakage),
            ("L0^s", relation.symmetric_leakage, other.symmetric_leakage),
        ):
            yield f"Section II-B: {name}(X;Y) <= {name}(Y;X)", one, two
        yield "Proposition 1", relation.maximin_count, relation.symmetric_leakage
        yield from _list_channel_facts(relation)
        bits = compute_whole_bits(relation.leakage)
        if bits is not None:
            pairs = compute_pair_leakage(relation)
            for statement, right in (("printed", bits**2), ("mended", relation.leakage**2)):
                # An equality is two inequalities.
                yield f"Appendix B, {statement}", pairs, right
                yield f"Appendix B, {statement}", right, pairs


def compute_whole_bits(ratio: Fraction) -> int | None:
    """Compute the binary logarithm of a ratio; return None if it is no whole number."""
    bits = ratio.numerator.bit_length() - 1
    return bits if ratio == 1 << bits else None


def compute_pair_leakage(channel: Relation) -> Fraction:
    """Compute ``2^L0`` of two independent uses of a channel, on words of two letters."""
    words = frozenset(
        ((x, other_x), (y, other_y)) for x, y in channel.pairs for other_x, other_y in channel.pairs
    )
    return Relation(words).leakage


def _enumerate_test_facts(outcomes: int) -> StatementSides:
    """Enumerate the facts of Proposition 3: every report, hypothesis and test on some outcomes."""
    for reports, hypotheses in enumerate_policies(outcomes):
        ranges = ReportRanges.from_outcomes(reports, hypotheses)
        certain = len(ranges.p0 ^ ranges.p1)
        for test in enumerate_tests(reports):
            yield "Proposition 3", len(find_correct_reports(reports, hypotheses, test)), certain


def _list_channel_facts(channel: Relation) -> StatementSides:
    """Compare codes, packing number and leakage of a channel, as facts of Proposition 2."""
    bound, packing = compute_max_leakage(channel), compute_fractional_packing_number(channel)
    for length in (1, 2):
        words = find_max_code_size(channel, length)
        yield f"Proposition 2: codes of length {length}", words, bound**length
        yield "Proposition 2: codes and packing", words, packing**length
    yield "Proposition 2: packing and leakage", packing, bound


def compute_max_leakage(channel: Relation) -> Fraction:
    """Compute ``exp2`` of the largest L0^s over all sets of inputs (Proposition 2, right side)."""
    inputs = sorted(channel.x_range, key=repr)
    return max(
        Relation(frozenset(pair for pair in channel.pairs if pair[0] in chosen)).symmetric_leakage
        for size in range(1, len(inputs) + 1)
        for chosen in map(set, itertools.combinations(inputs, size))
    )


def _enumerate_composition_facts(sizes: Sequence[int]) -> StatementSides:
    """Enumerate the facts of Theorem 6 for every pair of maps on a universe."""
    maps = [(each, compute_exp2_epsilon(sizes, each)) for each in enumerate_maps(math.prod(sizes))]
    every_slice = list_slices(tuple(sizes))
    for (one, budget), (other, other_budget) in itertools.product(maps, repeat=2):
        kept = max(len({(one[k], other[k]) for k in held}) for held in every_slice)
        yield "Theorem 6", kept, budget * other_budget


def _enumerate_processing_facts(sizes: Sequence[int]) -> StatementSides:
    """Enumerate the facts of Theorem 7 for every map and processing of its outputs."""
    for outputs in enumerate_maps(math.prod(sizes)):
        budget = compute_exp2_epsilon(sizes, outputs)
        for processing in enumerate_maps(len(set(outputs))):
            kept = compute_exp2_epsilon(sizes, tuple(processing[output] for output in outputs))
            yield "Theorem 7", kept, budget
            yield "Section I: post-processing raises the budget", budget, kept


@returns_table(*_ESTIMATION_CELL)
def build_estimation_table(
    *,
    cells: Sequence[int],
    other_widths: Sequence[float] = OTHER_WIDTHS,
    shares_left: Sequence[float] = SHARES_LEFT,
) -> Rows:
    """Compare the smallest error of an estimate with its lower bounds (Theorem 4).

    One person's data lie in [0, 1].  Another person's data are uniform on an interval, and known to
    the adversary; given these, the first person's data lie in a part of [0, 1] whose length is the
    same for all of them.  This part is cut into cells on which the prior is constant, with weights
    1 to 3; every map from cells to reports is a mechanism.

    Parameters
    ----------
    cells : sequence of int
        Numbers of cells.
    other_widths : sequence of float
        Widths of the other person's interval.
    shares_left : sequence of float
        Shares of [0, 1] that the other person's data leave open; 1 for unrelated people.

    Returns
    -------
    DataFrame
        Cells (statement, moment, other_width, share_left).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`; a violation is an error below the
        bound. Statements: ``printed`` (Equation 17: the moment without absolute value, rho of the
        joint density, mu of all data that the person can have), ``absolute`` (with absolute value),
        ``conditional`` (and with rho of the conditional density), ``conditional_range`` (and with
        mu of the data that are left open), ``appendix`` (and with Appendix E's constant, twice
        that of Equation 17), and ``sharp``, the bound rho mu^(p+1) 2^(-epsilon p) /
        (2^p (p+1)).
    """
    errors = dict(zip(_MOMENTS, (least_absolute_error, least_squared_error), strict=True))
    tallies = StatementCounts()
    for count in cells:
        for weights in itertools.product(_PRIOR_WEIGHTS, repeat=count):
            # As if all of [0, 1] were left open.
            floor = Fraction(min(weights) * count, sum(weights))
            mean = sum(
                Fraction(weight * (2 * k + 1), 2 * count * sum(weights))
                for k, weight in enumerate(weights)
            )
            for reports in enumerate_maps(count):
                kept = len(set(reports))
                for moment, error_of in errors.items():
                    full_error = error_of(weights, reports)
                    loose = 1 / Fraction(2 ** (2 * moment + 2) * kept ** (moment + 1))
                    tight = 1 / Fraction(2**moment * (moment + 1) * kept**moment)
                    for width, share_left in itertools.product(other_widths, shares_left):
                        share = Fraction(str(share_left))
                        error = full_error * share**moment
                        # Always guessing the upper end is an estimator, too.
                        signed = (mean - 1) * share if moment % 2 else error
                        density = floor / share
                        joint = density / Fraction(str(width))
                        measure = share ** (moment + 1)
                        facts = [
                            ("printed", joint * loose, signed),
                            ("absolute", joint * loose, error),
                            ("conditional", density * loose, error),
                            ("conditional_range", density * measure * loose, error),
                            ("appendix", density * measure * 2 * loose, error),
                            ("sharp", density * measure * tight, error),
                        ]
                        tallies.count(facts, moment, width, share_left)
    yield from tallies.iterate_rows(*_ESTIMATION_CELL, whole=False)


@returns_table("moment", "epsilon_bits")
def build_bound_table(*, epsilon_bits: Sequence[float]) -> Rows:
    """Compute the lower bounds of the error in Theorem 4 for each budget, for rho = mu = 1.

    Returns
    -------
    DataFrame
        Cells (moment, epsilon_bits).  Statistics: ``printed`` (Equation 17) and ``sharp``
        (:func:`build_estimation_table`).
    """
    for moment, each in itertools.product(_MOMENTS, epsilon_bits):
        yield {
            "moment": moment,
            "epsilon_bits": float(each),
            "printed": 2 ** (-each * (moment + 1)) / 2 ** (2 * moment + 2),
            "sharp": 2 ** (-each * moment) / (2**moment * (moment + 1)),
        }


@returns_table("people", "epsilon_bits")
def build_levels_table(*, people: Sequence[int], epsilon_bits: Sequence[float]) -> Rows:
    """Compare the levels that Theorem 8 grants for the average of people with the exact number.

    Returns
    -------
    DataFrame
        Cells (people, epsilon_bits).  Statistics: ``levels_printed``, ``levels_exact``;
        ``values_allowed``, floor(2^epsilon); ``values_printed`` and ``values_exact``, the largest
        number of outputs while one person's data vary, by formula, and both again as
        ``*_counted``, by placing the interval at every position where a bin is entered or left;
        ``values_one_more``, with one level more than the exact number; ``excess_*``, the values
        above those allowed.
    """
    for n, eps in itertools.product(people, epsilon_bits):
        share, allowed = Fraction(1, n), compute_local_levels(eps)
        printed = compute_printed_levels(eps, output_range=(0, 1), sensitivity=share)
        exact = compute_exact_levels(eps, output_range=(0, 1), sensitivity=share)
        levels = {"printed": printed, "exact": exact, "one_more": exact + 1}
        values = {
            name: count_touched_bins(q, output_range=1, sensitivity=share)
            for name, q in levels.items()
        }
        yield {
            "people": n,
            "epsilon_bits": float(eps),
            "levels_printed": printed,
            "levels_exact": exact,
            "values_allowed": allowed,
            "values_printed": values["printed"],
            "values_printed_counted": enumerate_touched_bins(printed, share),
            "values_exact": values["exact"],
            "values_exact_counted": enumerate_touched_bins(exact, share),
            "values_one_more": values["one_more"],
            **{f"excess_{name}": value - allowed for name, value in values.items()},
        }


def enumerate_touched_bins(levels: int, share: Fraction) -> int:
    """Count the most bins that an interval of a share of the range touches, at any position.

    Bins are closed on the left, the last one on both sides; the interval is closed.
    """
    # Lengths are in units of 1 / (2 denominator) of a bin.  Every start at which the interval
    # enters or leaves a bin is then an even number, and the starts between two of them are whole.
    bin_width = 2 * share.denominator
    width = 2 * levels * share.numerator
    max_start = levels * bin_width - width
    edges = np.arange(levels + 1) * bin_width
    changes = np.unique(np.concatenate([edges, edges - width, [0, max_start]]))
    changes = changes[(changes >= 0) & (changes <= max_start)]
    starts = np.concatenate([changes, (changes[:-1] + changes[1:]) // 2])
    first, last = (np.minimum(levels - 1, each // bin_width) for each in (starts, starts + width))
    return int((last - first).max()) + 1
