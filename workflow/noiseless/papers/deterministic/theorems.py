"""Theorems of ``deterministic``, Sections II to IV, on all small universes.

:func:`build_theorems_table` checks which measures of information are symmetric, Proposition III.1,
and Theorems II.1, II.2, III.1, IV.1, IV.2 and IV.3 (both measures) with Corollary IV.1.

If a quantity has two definitions, or a plain count besides its function, a case holds the worse of
both numbers, so that a fault in one of them is a violation.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Final

import numpy as np

from noiseless.seeds import make_generator
from noiseless.tables import Rows, returns_table
from noiseless.theory.enumeration import (
    Exact,
    StatementCounts,
    StatementSides,
    compute_span,
    enumerate_maps,
    enumerate_relations,
    find_positions,
    iterate_accurate_levels,
    rename_values,
)
from noiseless.theory.finite import Relation
from noiseless.theory.geometry import PI_LOWER_BOUND, compute_enclosing_radius_squared
from noiseless.theory.intervals import IntervalUnion
from noiseless.theory.policies import (
    bound_min_volume,
    bound_regions_from_sides,
    compute_min_levels,
    compute_min_volume,
    find_best_cuts,
    find_min_cells,
)

# Errors 1/gamma allowed in the search of Theorem IV.2, in cells.
HALF_WIDTHS: Final = (0.5, 0.75, 1, 1.5, 2)
_VOLUMES = (1, 2, 3)  # possible volumes of a cell of the output
_PARTS = math.lcm(*_VOLUMES)  # parts of a cell, so that bins can have any whole volume
_BALL_RADII = {2: 60, 3: 24, 4: 16, 5: 14}  # largest radius of balls of unit cells, by dimension


@returns_table("statement", "universe")
def build_theorems_table(
    *,
    relations: Sequence[Sequence[int]],
    random_relations: int,
    random_size: int,
    largest_map: int,
    interval_cells: int,
    grids: Sequence[Sequence[int]],
    partition_cells: int,
    sloped_cells: int,
    volume_cells: int,
    seed: int,
    half_widths: Sequence[float] = HALF_WIDTHS,
) -> Rows:
    """Build the table of the cases that contradict each theorem, over all small universes.

    Parameters
    ----------
    relations : sequence of pairs of int
        Sizes of X and Y; every relation of these sizes is tried.
    random_relations, random_size : int
        Number of random relations, with up to ``random_size`` values of X and of Y.
    largest_map : int
        Number of values of X in the largest universe for Theorem III.1.
    interval_cells : int
        Largest number of cells of [0, 1] for Theorems II.1 and II.2 in one dimension.
    grids : sequence of sequences of int
        Numbers of unit cells along each of two or more dimensions for Theorems II.1 and II.2;
        grids of two dimensions also for policies of two outputs.
    partition_cells : int
        Largest number of unit cells of the output range in the search of Theorem IV.2, over all
        policies that are constant on each cell.
    sloped_cells : int
        Largest number of unit cells for Theorem IV.1, over all policies that are linear on each
        cell, from and to multiples of 1/2, with an error of at most 1/2 or 1.
    volume_cells : int
        Largest number of cells of the output range for measure P1 in Theorem IV.3, over all
        policies that are constant on each cell and all volumes of the cells from 1 to 3.
    seed : int
        The seed of the random relations.
    half_widths : sequence of float
        The errors 1/gamma allowed in the search of Theorem IV.2, in cells.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.count_violations`.
    """
    tallies = StatementCounts()
    for xs, ys in relations:
        for relation in enumerate_relations(xs, ys):
            facts = [_build_symmetry_fact(relation), *_enumerate_asymmetry_facts(relation)]
            tallies.count(facts, f"all {xs} x {ys} relations")
    drawn_relations = _draw_relations(random_relations, random_size, seed)
    tallies.count(
        map(_build_symmetry_fact, drawn_relations), f"{random_relations} random relations"
    )
    for size in range(2, largest_map + 1):
        tallies.count(_enumerate_processing_facts(size), f"all maps of {size} values")
    for count in range(1, interval_cells + 1):
        tallies.count(_enumerate_interval_facts(count), f"{count} cells of an interval")
    for sides in grids:
        universe = f"{' x '.join(map(str, sides))} unit cells"
        tallies.count(_enumerate_grid_facts(tuple(sides)), universe)
    for dimensions, radius in _BALL_RADII.items():
        universe = f"balls of unit cells, {dimensions} dimensions"
        tallies.count(_enumerate_ball_facts(dimensions, radius), universe)
    for count in range(2, partition_cells + 1):
        tallies.count(_enumerate_policy_facts(count, half_widths), f"{count} cells of the output")
        tallies.count(_enumerate_data_policy_facts(count, half_widths), f"{count} cells of data")
        tallies.count(_enumerate_even_facts(count), f"{count} cells of the output")
    for count in range(1, sloped_cells + 1):
        tallies.count(_enumerate_sloped_facts(count), f"{count} cells, constant or sloped")
    for count in range(2, volume_cells + 1):
        tallies.count(_enumerate_volume_facts(count), f"{count} cells with volumes")
    yield from tallies.iterate_rows()


def _draw_relations(count: int, size: int, seed: int) -> Iterator[Relation]:
    """Draw relations of ``size`` to ``2 size`` pairs, few enough for several taxicab parts."""
    random = make_generator(seed, "relations", size)
    for _ in range(count):
        pairs = random.integers(0, size, (random.integers(size, 2 * size, endpoint=True), 2))
        yield Relation(frozenset(map(tuple, pairs.tolist())))


def _build_symmetry_fact(relation: Relation) -> tuple[str, int, int]:
    """Return the statement that I* is symmetric, with the larger and the smaller of its values."""
    # Two definitions of each side: chains of pairs, and chains of conditional ranges.
    counts = {
        relation.maximin_count,
        relation.transposed.maximin_count,
        len(relation.overlap_partition),
        len(relation.transposed.overlap_partition),
    }
    return "I*(X;Y) = I*(Y;X)", max(counts), min(counts)


def _enumerate_asymmetry_facts(relation: Relation) -> StatementSides:
    """Yield the statements that I0 and L0 are symmetric, with the larger and the smaller value."""
    other = relation.transposed
    for name, *values in (
        ("I0", relation.information, other.information),
        ("L0", relation.leakage, other.leakage),
    ):
        yield f"{name}(X;Y) = {name}(Y;X)", max(values), min(values)


def _enumerate_processing_facts(size: int) -> StatementSides:
    """Yield Theorem III.1 and Proposition III.1 for every map f and every map g of its values."""
    for reports in enumerate_maps(size):
        before = Relation.from_outcomes(range(size), reports)
        leakage = min(before.leakage, _compute_map_leakage(reports))
        for processing in enumerate_maps(len(set(reports))):
            processed = [processing[report] for report in reports]
            after = Relation.from_outcomes(range(size), processed)
            # This relation omits the data: it leads from the query's answer Y to the report.
            of_answer = Relation.from_outcomes(reports, processed)
            processed_leakage = max(after.leakage, _compute_map_leakage(processed))
            yield "Theorem III.1 for L0", processed_leakage, leakage
            yield "Theorem III.1 for I*", after.maximin_count, before.maximin_count
            # Both sides count the values of g o f.
            values = len(set(processed))
            sizes = max(after.maximin_count, values), min(of_answer.maximin_count, values)
            yield "Proposition III.1, Equation 13a", *sizes
            yield "Section III: Equation 13a for L0", after.leakage, of_answer.leakage


def _compute_map_leakage(reports: Sequence[int]) -> Fraction:
    """Compute exp L0(X;Y) of a map X to Y by its definition: values over the rarest report's."""
    return Fraction(len(reports), min(Counter(reports).values()))


def _enumerate_interval_facts(count: int) -> StatementSides:
    """Yield Theorems II.1 and II.2 for n_x = 1, where the bound is half the measure."""
    for reports in enumerate_maps(count):
        left_open = [
            IntervalUnion.from_intervals(
                *(
                    (Fraction(k, count), Fraction(k + 1, count))
                    for k in find_positions(reports, each)
                )
            )
            for each in set(reports)
        ]
        measures = [each.measure for each in left_open]
        radii = [each.unbiased_radius for each in left_open]
        yield "Theorem II.1", max(measures) / 2, max(radii)
        yield "Theorem II.2", min(measures) / 2, min(radii)


def _enumerate_grid_facts(sides: tuple[int, ...]) -> StatementSides:
    """Yield Theorems II.1, II.2 and the bounds of two outputs for every grouping of unit cells.

    For the theorems, the measure is at most that of a ball of the radius.  The radius is at least
    half the diameter, and pi at least 333/106; a case that passes with these bounds passes with
    the exact numbers.
    """
    dimensions = len(sides)
    cells = list(itertools.product(*map(range, sides)))
    steps = np.array(list(itertools.product((0, 1), repeat=dimensions)))
    corners = [[tuple(each) for each in (steps + cell).tolist()] for cell in cells]
    radius_of_three = cache(compute_enclosing_radius_squared)
    plane = Fraction(sides[0]), Fraction(sides[1])
    min_regions, min_cells = cache(bound_regions_from_sides), cache(find_min_cells)

    @cache
    def compute_diameter_squared(group: tuple[int, ...]) -> int:
        """Compute the squared diameter of a group of cells."""
        points = {corner for k in group for corner in corners[k]}
        return max(
            sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
            for one, other in itertools.combinations(points, 2)
        )

    @cache
    def compute_radius_squared(group: tuple[int, ...]) -> Fraction:
        """Compute the squared radius of the smallest disk that holds a group of cells."""
        points = sorted({corner for k in group for corner in corners[k]})
        return max(map(radius_of_three, itertools.combinations(points, 3)))

    for reports in enumerate_maps(len(cells)):
        groups = [tuple(find_positions(reports, each)) for each in set(reports)]
        measures = list(map(len, groups))
        diameters_squared = list(map(compute_diameter_squared, groups))
        yield "Theorem II.1", *_compare_with_ball(max(measures), max(diameters_squared), dimensions)
        yield "Theorem II.2", *_compare_with_ball(min(measures), min(diameters_squared), dimensions)
        if dimensions == 2:
            error_squared = max(map(compute_radius_squared, groups))
            yield "Two outputs: fewest regions", min_regions(plane, error_squared), len(groups)
            yield "Two outputs: the grid", math.prod(min_cells(plane, error_squared)), len(groups)


def _enumerate_ball_facts(dimensions: int, largest_radius: int) -> StatementSides:
    """Yield Theorems II.1 and II.2, nearly attained, for a report that leaves a ball of cells open.

    The data lie in the unit cells inside of a ball around a corner of the lattice, and the report
    is constant, so that both theorems are about the set of all data.  This set is symmetric in
    every coordinate, so that the best estimate is the ball's centre, and the error is the distance
    of the furthest corner of a cell.
    """
    for radius in range(math.isqrt(dimensions - 1) + 1, largest_radius + 1):
        furthest = np.arange(1, radius + 1) ** 2
        for _ in range(dimensions - 1):
            furthest = np.add.outer(furthest, np.arange(1, radius + 1) ** 2)
        inside = furthest[furthest <= radius**2]
        cells = int(inside.size) * 2**dimensions
        case = _compare_with_ball(cells, 4 * int(inside.max()), dimensions)
        yield "Theorem II.1", *case
        yield "Theorem II.2", *case


@cache
def _compare_with_ball(
    measure: int, diameter_squared: int, dimensions: int
) -> tuple[Exact, Fraction]:
    """Return a measure and a lower bound of a ball's volume; both are squared if n_x is odd."""
    volume, radius_squared = _bound_unit_ball(dimensions), Fraction(diameter_squared, 4)
    if dimensions % 2:
        return measure**2, volume**2 * radius_squared**dimensions
    return measure, volume * radius_squared ** (dimensions // 2)


def _bound_unit_ball(dimensions: int) -> Fraction:
    """Bound the volume of the ball of radius 1 from below, with a rational lower bound of pi."""
    if dimensions < 2:
        return Fraction(dimensions + 1)
    return 2 * PI_LOWER_BOUND / dimensions * _bound_unit_ball(dimensions - 2)


def _enumerate_policy_facts(count: int, half_widths: Sequence[float]) -> StatementSides:
    """Yield Theorem IV.2: levels of the best quantizer, and of every policy of its accuracy."""
    for half_width in map(Fraction, map(str, half_widths)):
        fewest = compute_min_levels(1 / half_width, output_range=(0, count))
        for levels in iterate_accurate_levels(count, half_width):
            yield "Theorem IV.2", fewest, levels


def _enumerate_data_policy_facts(count: int, half_widths: Sequence[float]) -> StatementSides:
    """Yield Corollary IV.1: fewest levels, and levels of policies that group cells of data.

    Some outputs belong to two cells of data, as those of a query of two numbers do.  Every grouping
    of the cells of data is tried, whether or not data with the same output share a report.  Whether
    the two cells touch, as the corollary asks, makes no difference to what is counted.
    """
    groupings = [[find_positions(each, k) for k in set(each)] for each in enumerate_maps(count)]
    widths = [Fraction(str(each)) for each in half_widths]
    max_widths = [math.floor(2 * width) for width in widths]
    for outputs in _enumerate_cell_outputs(count):
        length = outputs[-1] + 1
        min_levels = [compute_min_levels(1 / width, output_range=(0, length)) for width in widths]
        for groups in groupings:
            # Cells are sorted by output, so the first and the last have the extreme outputs.
            widest = max(outputs[cells[-1]] - outputs[cells[0]] + 1 for cells in groups)
            for max_width, min_level in zip(max_widths, min_levels, strict=True):
                if widest <= max_width:
                    yield "Corollary IV.1", min_level, len(groups)


def _enumerate_cell_outputs(count: int) -> Iterator[tuple[int, ...]]:
    """Yield outputs 0, 1, ... of cells of data: of one or two cells each, at least one of two."""
    for steps in itertools.product((0, 1), repeat=count - 1):
        outputs = tuple(itertools.accumulate(steps, initial=0))
        if set(Counter(outputs).values()) in ({2}, {1, 2}):
            yield outputs


def _enumerate_even_facts(count: int) -> StatementSides:
    """Yield Theorem IV.3, P1, for uniform data: smallest set of a policy and of equal bins."""
    for reports in enumerate_maps(count):
        groups = [find_positions(reports, each) for each in set(reports)]
        # The widest range of outputs of a report is 2/gamma, with gamma the accuracy of the policy.
        levels = compute_min_levels(
            Fraction(2, max(map(compute_span, groups))), output_range=(0, count)
        )
        yield "Theorem IV.3, P1, data spread evenly", min(map(len, groups)), Fraction(count, levels)


def _enumerate_sloped_facts(count: int) -> StatementSides:
    """Yield Theorem IV.1: fewest parts, and parts of policies that are constant or sloped per cell.

    The query is the identity on [0, count].  A slope has infinitely many parts.  Sampled in
    one more point per cell than the best constant policy has parts, it has more parts than that
    policy.
    """

    @cache
    def count_parts(reports: tuple[int, ...]) -> int:
        """Count the parts of the taxicab partition of a map."""
        return Relation.from_outcomes(range(len(reports)), reports).maximin_count

    ends = [Fraction(k, 2) for k in range(2 * count + 1)]
    samples = count + 1  # the best policy has at most one part for each cell
    steps = [Fraction(2 * j + 1, 2 * samples) for j in range(samples)]
    for error in (Fraction(1, 2), Fraction(1)):
        fewest = compute_min_levels(1 / error, output_range=(0, count))
        lines = [
            [
                (a, b)
                for a, b in itertools.product(ends, repeat=2)
                if abs(a - k) <= error and abs(b - k - 1) <= error
            ]
            for k in range(count)
        ]
        for policy in itertools.product(*lines):
            reports = [a + (b - a) * step for a, b in policy for step in steps]
            parts = count_parts(rename_values(reports))
            yield "Theorem IV.1: constant pieces are optimal", fewest, parts
            if any(a != b for a, b in policy):
                yield "Theorem IV.1: a slope has more parts than the best", fewest + 1, parts


def _enumerate_volume_facts(count: int) -> StatementSides:
    """Yield Theorem IV.3 for P1: smallest set of every policy and of the best bins, by volume.

    Cells consist of parts, and bins may be cut between parts, so that for each policy there are
    bins of equal volumes (:mod:`noiseless.theory.policies`).
    """
    policies = [[find_positions(each, k) for k in set(each)] for each in enumerate_maps(count)]
    spans = [max(map(compute_span, policy)) for policy in policies]
    for volumes in itertools.product(_VOLUMES, repeat=count):
        if volumes > volumes[::-1]:
            continue  # its mirror image, with equal policies, is among the others
        parts = [volume for volume in volumes for _ in range(_PARTS)]
        best = {}
        for longest in range(1, count + 1):
            cuts = find_best_cuts(parts, longest=longest * _PARTS)
            best[longest] = Fraction(compute_min_volume(parts, cuts))
        for policy, longest in zip(policies, spans, strict=True):
            smallest = min(sum(volumes[k] for k in held) for held in policy)
            yield "Theorem IV.3, P1: bins are best", smallest * _PARTS, best[longest]
        for longest, bins in best.items():
            cover = _find_best_cover(parts, longest * _PARTS)
            bound = bound_min_volume(parts, longest=longest * _PARTS)
            yield "Equation 16 as printed: sets that overlap", cover, bound
            levels = compute_min_levels(Fraction(2, longest), output_range=(0, count))
            equal = _compute_min_equal_bin(parts, levels)
            yield "Section IV: equal bins are best on a line, P1", bins, equal


def _find_best_cover(volumes: Sequence[int], longest: int) -> int:
    """Compute Equation 16b as printed: the minimum over cells of the largest set around a cell."""
    starts = range(len(volumes) - longest + 1)
    windows = [sum(volumes[start : start + longest]) for start in starts]
    return min(
        max(windows[start] for start in starts if start <= cell < start + longest)
        for cell in range(len(volumes))
    )


def _compute_min_equal_bin(volumes: Sequence[int], levels: int) -> int | Fraction:
    """Compute the smallest volume of a bin if ``levels`` bins have equal widths."""
    below = list(itertools.accumulate(volumes, initial=0))

    def compute_volume_below(edge: Fraction) -> int | Fraction:
        """Compute the volume left of an edge, in cells."""
        whole = math.floor(edge)
        rest = (edge - whole) * volumes[whole] if whole < len(volumes) else 0
        return below[whole] + rest

    edges = [compute_volume_below(Fraction(k * len(volumes), levels)) for k in range(levels + 1)]
    return min(high - low for low, high in itertools.pairwise(edges))
