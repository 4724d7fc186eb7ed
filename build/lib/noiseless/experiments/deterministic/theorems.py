"""Theorems of ``deterministic``, Sections II to IV, on all small universes.

:func:`theorems_table` checks the symmetry of maximin information, and Theorems II.1, II.2, III.1,
IV.1, IV.2 and IV.3 (both measures).
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import pandas as pd

from noiseless.seeds import generator
from noiseless.tables import tidy
from noiseless.theory.enumeration import (
    Exact,
    all_maps,
    all_relations,
    levels_of_accurate_maps,
    positions,
    renamed,
    span,
    tally,
)
from noiseless.theory.finite import Relation
from noiseless.theory.geometry import (
    enclosing_radius_squared,
)
from noiseless.theory.intervals import IntervalUnion
from noiseless.theory.policies import (
    best_cuts,
    fewest_cells,
    least_regions,
    levels_for_accuracy,
    most_of_any_cuts,
    smallest_volume,
)

Cases = Counter[tuple[Exact, Exact]]

# A lower bound of pi, for an inequality between fractions.
_BELOW_PI = Fraction(333, 106)
_VOLUMES = (1, 2, 3)  # of a cell of the output
_PARTS = math.lcm(*_VOLUMES)  # of a cell, so that bins can have any whole volume
_SAMPLES = 3  # points of a cell at which a policy that may slope is looked at


def theorems_table(
    *,
    relations: Sequence[Sequence[int]],
    random_relations: int,
    random_size: int,
    largest_map: int,
    interval_cells: int,
    grids: Sequence[Sequence[int]],
    partition_cells: int,
    half_widths: Sequence[float],
    sloped_cells: int,
    volume_cells: int,
    seed: int,
) -> pd.DataFrame:
    """Count the cases that break each theorem.

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
    grids : sequence of pairs of int
        Rows and columns of unit squares for the same in two dimensions, and for policies of two
        outputs.
    partition_cells : int
        Largest number of unit cells of the output range in the search of Theorem IV.2, over all
        policies that are constant on each cell.
    half_widths : sequence of float
        The errors 1/gamma allowed in that search, in cells.
    sloped_cells : int
        Largest number of unit cells for Theorem IV.1, over all policies that are linear on each
        cell, from and to multiples of 1/2, with an error of at most 1/2 or 1.
    volume_cells : int
        Largest number of cells of the output range for measure P1 in Theorem IV.3, over all
        policies that are constant on each cell and all volumes of the cells from 1 to 3.
    seed : int
        Of the random relations.

    Returns
    -------
    DataFrame
        Cells (statement, universe).  Statistics: those of
        :func:`noiseless.theory.enumeration.tally`.
    """
    tallies: dict[tuple[str, str], Cases] = {}
    for xs, ys in relations:
        cases = Counter(_symmetry(relation) for relation in all_relations(xs, ys))
        tallies["I*(X;Y) = I*(Y;X)", f"all {xs} x {ys} relations"] = cases
    drawn = _random_relations(random_relations, random_size, seed)
    tallies["I*(X;Y) = I*(Y;X)", f"{random_relations} random relations"] = Counter(
        map(_symmetry, drawn)
    )
    for size in range(2, largest_map + 1):
        for statement, cases in _processing(size).items():
            tallies[statement, f"all maps of {size} values"] = cases
    for count in range(1, interval_cells + 1):
        for statement, cases in _balls_in_an_interval(count).items():
            tallies[statement, f"{count} cells of an interval"] = cases
    for rows, columns in grids:
        universe = f"{rows} x {columns} unit squares"
        for statement, cases in _policies_on_a_grid(rows, columns).items():
            tallies[statement, universe] = cases
    for count in range(2, partition_cells + 1):
        universe = f"{count} cells of the output"
        tallies["Theorem IV.2", universe] = _policies(count, half_widths)
        tallies["Theorem IV.3, P1, data spread evenly", universe] = _even_policies(count)
    for count in range(1, sloped_cells + 1):
        for statement, cases in _sloped_policies(count).items():
            tallies[statement, f"{count} cells, constant or sloped"] = cases
    for count in range(2, volume_cells + 1):
        for statement, cases in _volume_policies(count).items():
            tallies[statement, f"{count} cells with volumes"] = cases
    rows = [
        {"statement": statement, "universe": universe, **tally(cases)}
        for (statement, universe), cases in tallies.items()
    ]
    return tidy(pd.DataFrame(rows), ["statement", "universe"])


def _random_relations(count: int, size: int, seed: int) -> Iterator[Relation]:
    """Relations with ``size`` to ``2 size`` random pairs: few enough to fall into parts."""
    random = generator(seed, "relations", size)
    for _ in range(count):
        pairs = random.integers(0, size, (random.integers(size, 2 * size, endpoint=True), 2))
        yield Relation(frozenset(map(tuple, pairs.tolist())))


def _symmetry(relation: Relation) -> tuple[int, int]:
    """Both sides, the larger one left: an asymmetry either way is a violation."""
    # Each side by a definition of its own: chains of pairs, and chains of conditional ranges.
    counts = {
        relation.maximin_count,
        relation.transposed.maximin_count,
        len(relation.overlap_partition),
        len(relation.transposed.overlap_partition),
    }
    return max(counts), min(counts)


def _processing(size: int) -> dict[str, Cases]:
    """Theorem III.1: every map f, and every map g of its values."""
    leaks: Cases = Counter()
    maximin: Cases = Counter()
    for reports in all_maps(size):
        before = Relation.of(range(size), reports)
        for processing in all_maps(len(set(reports))):
            after = Relation.of(range(size), (processing[report] for report in reports))
            leaks[after.leakage, before.leakage] += 1
            maximin[after.maximin_count, before.maximin_count] += 1
    return {"Theorem III.1 for L0": leaks, "Theorem III.1 for I*": maximin}


def _balls_in_an_interval(count: int) -> dict[str, Cases]:
    """Theorems II.1 and II.2 for n_x = 1, where the bound is half the measure."""
    largest: Cases = Counter()
    smallest: Cases = Counter()
    for reports in all_maps(count):
        left_open = [
            IntervalUnion.of(
                *((Fraction(k, count), Fraction(k + 1, count)) for k in positions(reports, each))
            )
            for each in set(reports)
        ]
        measures = [each.measure for each in left_open]
        radii = [each.unbiased_radius for each in left_open]
        largest[max(measures) / 2, max(radii)] += 1
        smallest[min(measures) / 2, min(radii)] += 1
    return {"Theorem II.1": largest, "Theorem II.2": smallest}


def _policies_on_a_grid(rows: int, columns: int) -> dict[str, Cases]:
    """Every grouping of unit squares: Theorems II.1 and II.2 for n_x = 2, and regions needed.

    For the theorems, the measure is at most pi r^2.  The radius is at least half the diameter, and
    pi at least 333/106; a case that passes with these passes with the true ones.
    """
    corners = [
        [(k // columns + i, k % columns + j) for i in (0, 1) for j in (0, 1)]
        for k in range(rows * columns)
    ]
    radius_of_three = cache(enclosing_radius_squared)

    @cache
    def diameter_and_radius_squared(held: tuple[int, ...]) -> tuple[int, Fraction]:
        points = sorted({corner for k in held for corner in corners[k]})
        diameter = max(
            (a - c) ** 2 + (b - d) ** 2 for (a, b), (c, d) in itertools.combinations(points, 2)
        )
        return diameter, max(map(radius_of_three, itertools.combinations(points, 3)))

    largest: Cases = Counter()
    smallest: Cases = Counter()
    found: Counter[tuple[Fraction, int]] = Counter()
    for reports in all_maps(rows * columns):
        held = [tuple(positions(reports, each)) for each in set(reports)]
        measures = list(map(len, held))
        diameters, radii = zip(*map(diameter_and_radius_squared, held), strict=True)
        largest[max(measures), max(diameters)] += 1
        smallest[min(measures), min(diameters)] += 1
        found[max(radii), len(held)] += 1
    bound: Cases = Counter()
    grid: Cases = Counter()
    sides = (Fraction(rows), Fraction(columns))
    for (radius_squared, regions), number in found.items():
        bound[least_regions(sides, radius_squared), regions] += number
        grid[math.prod(fewest_cells(sides, radius_squared)), regions] += number
    return {
        "Theorem II.1": _disks(largest),
        "Theorem II.2": _disks(smallest),
        "Two outputs: fewest regions": bound,
        "Two outputs: the grid": grid,
    }


def _disks(cases: Cases) -> Cases:
    """Measures against the area of a disk, from measures against its squared diameter."""
    return Counter(
        {(measure, _BELOW_PI * squared / 4): number for (measure, squared), number in cases.items()}
    )


def _policies(count: int, half_widths: Sequence[float]) -> Cases:
    """Theorem IV.2: levels of the uniform quantizer against every policy of the same accuracy."""
    cases: Cases = Counter()
    for half_width in map(Fraction, map(str, half_widths)):
        fewest = levels_for_accuracy(1 / half_width, output_range=(0, count))
        for levels in levels_of_accurate_maps(count, half_width):
            cases[fewest, levels] += 1
    return cases


def _even_policies(count: int) -> Cases:
    """Measure P1 where each cell holds the same volume: smallest set against that of equal bins."""
    cases: Cases = Counter()
    for reports in all_maps(count):
        held = [positions(reports, each) for each in set(reports)]
        # Widest outputs of a report are 2/gamma for the gamma that this policy just has.
        levels = levels_for_accuracy(Fraction(2, max(map(span, held))), output_range=(0, count))
        cases[min(map(len, held)), Fraction(count, levels)] += 1
    return cases


def _sloped_policies(count: int) -> dict[str, Cases]:
    """Theorem IV.1: every policy of cells that are constant or slope, by the parts it has.

    The query is the identity on [0, count].  A slope has infinitely many parts; here it is looked
    at in a few points only, and has at least as many as these.
    """
    optimal: Cases = Counter()
    sloped: Cases = Counter()

    @cache
    def parts_of(reports: tuple[int, ...]) -> int:
        return Relation.of(range(len(reports)), reports).maximin_count

    ends = [Fraction(k, 2) for k in range(2 * count + 1)]
    steps = [Fraction(2 * j + 1, 2 * _SAMPLES) for j in range(_SAMPLES)]
    for error in (Fraction(1, 2), Fraction(1)):
        fewest = levels_for_accuracy(1 / error, output_range=(0, count))
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
            parts = parts_of(renamed(reports))
            optimal[fewest, parts] += 1
            if any(a != b for a, b in policy):
                sloped[_SAMPLES, parts] += 1
    return {
        "Theorem IV.1: constant pieces are optimal": optimal,
        "Theorem IV.1: parts of a slope": sloped,
    }


def _volume_policies(count: int) -> dict[str, Cases]:
    """Theorem IV.3 for measure P1: the smallest set of every policy against that of the best bins.

    Volumes are in parts of a cell's, and bins may be cut at parts of cells, so that for each policy
    there are bins with the same volumes (:mod:`noiseless.theory.policies`).
    """
    bins: Cases = Counter()
    covers: Cases = Counter()
    uniform: Cases = Counter()
    policies = [[positions(each, k) for k in set(each)] for each in all_maps(count)]
    spans = [max(map(span, policy)) for policy in policies]
    for volumes in itertools.product(_VOLUMES, repeat=count):
        if volumes > volumes[::-1]:
            continue  # its mirror image is among the others, with the same policies
        parts = [volume for volume in volumes for _ in range(_PARTS)]
        best = {}
        for longest in range(1, count + 1):
            cuts = best_cuts(parts, longest=longest * _PARTS)
            best[longest] = smallest_volume(parts, cuts)
            bound = most_of_any_cuts(parts, longest=longest * _PARTS)
            covers[_best_cover(parts, longest * _PARTS), bound] += 1
            levels = levels_for_accuracy(Fraction(2, longest), output_range=(0, count))
            uniform[best[longest], _smallest_equal_bin(parts, levels)] += 1
        for policy, longest in zip(policies, spans, strict=True):
            smallest = min(sum(volumes[k] for k in held) for held in policy)
            bins[smallest * _PARTS, best[longest]] += 1
    return {
        "Theorem IV.3, P1: bins are best": bins,
        "Equation 16 as printed: sets that overlap": covers,
        "Section IV: equal bins are best on a line, P1": uniform,
    }


def _best_cover(volumes: Sequence[int], longest: int) -> int:
    """Equation 16b as printed: every cell needs a set around it, and the sets may overlap."""
    starts = range(len(volumes) - longest + 1)
    windows = [sum(volumes[start : start + longest]) for start in starts]
    return min(
        max(windows[start] for start in starts if start <= cell < start + longest)
        for cell in range(len(volumes))
    )


def _smallest_equal_bin(volumes: Sequence[int], levels: int) -> Fraction:
    below = list(itertools.accumulate(volumes, initial=0))

    def volume_below(edge: Fraction) -> Fraction:
        whole = math.floor(edge)
        rest = (edge - whole) * volumes[whole] if whole < len(volumes) else 0
        return below[whole] + rest

    edges = [volume_below(Fraction(k * len(volumes), levels)) for k in range(levels + 1)]
    return min(high - low for low, high in itertools.pairwise(edges))
