"""Theorems and examples of ``deterministic``, Sections II to IV.

1. :func:`theorems_table`: symmetry of maximin information, and Theorems II.1, II.2, III.1, IV.1,
   IV.2 and IV.3 (both measures) on all small universes.
2. :func:`examples_table`: Example II.1, and the statements of Sections III to V that are numbers.
3. :func:`averaging_table`: Example IV.1, the average of two numbers (Figures 1 and 3).
4. :func:`regions_table`, :func:`raster_table`: the regions of Figures 1 and 2.
5. :func:`heights_table`: Example IV.2, the average of heights.
6. :func:`two_outputs_table`: beyond the paper, queries of two outputs.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.ndimage import label

from noiseless.seeds import generator
from noiseless.tables import tidy
from noiseless.theory.enumeration import Exact, all_maps, all_relations, renamed, tally
from noiseless.theory.finite import Relation
from noiseless.theory.geometry import (
    enclosing_radius_squared,
    slab_radius_squared,
    slab_shares,
    smallest_slab_share,
)
from noiseless.theory.intervals import BoxUnion, IntervalUnion, PiecewiseMap
from noiseless.theory.policies import (
    best_cuts,
    fewest_cells,
    fewest_regions,
    least_leaking_quantizer,
    least_regions,
    levels_for_accuracy,
    most_of_any_cuts,
    optimal_grid,
    optimal_quantizer,
    smallest_volume,
)

Cases = Counter[tuple[Exact, Exact]]
Floats = NDArray[np.float64]

# A lower bound of pi, for an inequality between fractions.
_BELOW_PI = Fraction(333, 106)
_CORNER = 2  # data lie in [-2, 2] x [-2, 2] (Example IV.1)
QUERIES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "average": lambda x1, x2: (x1 + x2) / 2,
    "quadratic": lambda x1, x2: x1**2 + 2 * x2**2,
}
QUERY_RANGES = {"average": (-2.0, 2.0), "quadratic": (0.0, 12.0)}
_VOLUMES = (1, 2, 3)  # of a cell of the output
_PARTS = math.lcm(*_VOLUMES)  # of a cell, so that bins can have any whole volume
_SAMPLES = 3  # points of a cell at which a policy that may slope is looked at
_CUT_CELLS = 200  # fewest cells of the output range between which the least leaking policy cuts


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
                *((Fraction(k, count), Fraction(k + 1, count)) for k in _positions(reports, each))
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
        held = [tuple(_positions(reports, each)) for each in set(reports)]
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
        for reports in all_maps(count):
            spans = [_span(_positions(reports, each)) for each in set(reports)]
            if max(spans) <= 2 * half_width:
                cases[fewest, len(spans)] += 1
    return cases


def _even_policies(count: int) -> Cases:
    """Measure P1 where each cell holds the same volume: smallest set against that of equal bins."""
    cases: Cases = Counter()
    for reports in all_maps(count):
        held = [_positions(reports, each) for each in set(reports)]
        # Widest outputs of a report are 2/gamma for the gamma that this policy just has.
        levels = levels_for_accuracy(Fraction(2, max(map(_span, held))), output_range=(0, count))
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
    policies = [[_positions(each, k) for k in set(each)] for each in all_maps(count)]
    spans = [max(map(_span, policy)) for policy in policies]
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
        for policy, span in zip(policies, spans, strict=True):
            smallest = min(sum(volumes[k] for k in held) for held in policy)
            bins[smallest * _PARTS, best[span]] += 1
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


def _positions(reports: Sequence[int], report: int) -> list[int]:
    return [k for k, each in enumerate(reports) if each == report]


def _span(cells: Sequence[int]) -> int:
    return cells[-1] + 1 - cells[0]


def policy_tables(
    *,
    averaging: Mapping[str, Any],
    regions: Mapping[str, Any],
    raster_lattice: int,
    heights: Mapping[str, Any],
    two_outputs: Mapping[str, Any],
) -> dict[str, pd.DataFrame]:
    """All tables of this module but the theorems; the parameters are those of their functions."""
    return {
        "examples": examples_table(),
        "averaging": averaging_table(**averaging),
        "regions": regions_table(**regions),
        "raster": raster_table(accuracy=regions["accuracy"], lattice=raster_lattice),
        "heights": heights_table(**heights),
        "two_outputs": two_outputs_table(**two_outputs),
    }


def examples_table() -> pd.DataFrame:
    """Example II.1, and statements of Sections III to V.

    Returns
    -------
    DataFrame
        One cell.  Statistics: ``ex2_1_*`` (h0(X|Y) for both readings of the supremum, d0, L0 and
        I* in nats, d_min and d_max, and the lower bound of d_max by Theorem II.1);
        ``unrelated_leakage_nats`` and ``unrelated_privacy``, 1/L0 of a report that says nothing;
        for an output range of 8 cells and an error of 1 cell, ``fewest_levels`` and
        ``most_levels`` of all policies that are accurate enough, I* of the former in nats
        (``fewest_levels_maximin_nats``) and the measure P2 of both (``*_privacy``), and its
        difference;
        ``copied_rows_d0_nats`` and ``copied_rows_leakage_nats``, Proposition V.1 on a table of
        three numbers in [0, 1], two of which are released unchanged.
    """
    half = Fraction(1, 2)
    example = PiecewiseMap(((Fraction(0), half, None), (half, Fraction(1), Fraction(1))))
    d_min, d_max = example.errors()
    constant = PiecewiseMap(((Fraction(0), Fraction(1), Fraction(0)),))
    unrelated = _log(constant.domain.measure) - _log(constant.smallest_conditional)
    accurate = [right for _, right in _policies(8, [1])]
    fewest, most = min(accurate), max(accurate)
    copied = BoxUnion.of([(half, half), (half, half), (0, 1)]).measure
    facts = {
        "ex2_1_h0_sup_nats": _log(example.largest_conditional("sup")),
        "ex2_1_h0_ess_sup_nats": _log(example.largest_conditional("ess sup")),
        "ex2_1_d0_nats": _log(example.smallest_conditional),
        "ex2_1_leakage_nats": _log(example.domain.measure) - _log(example.smallest_conditional),
        "ex2_1_maximin_nats": math.log(example.maximin_count),
        "ex2_1_d_min": d_min,
        "ex2_1_d_max": d_max,
        "ex2_1_theorem_2_1": example.largest_conditional("sup") / 2,
        "unrelated_leakage_nats": unrelated,
        "unrelated_privacy": math.inf if unrelated == 0 else 1 / unrelated,
        "fewest_levels": fewest,
        "most_levels": most,
        "fewest_levels_maximin_nats": math.log(fewest),
        "fewest_levels_privacy": 1 / math.log(fewest),
        "most_levels_privacy": 1 / math.log(most),
        "most_minus_fewest_privacy": 1 / math.log(most) - 1 / math.log(fewest),
        "copied_rows_d0_nats": _log(copied),
        "copied_rows_leakage_nats": -_log(copied),
    }
    return tidy(pd.DataFrame([facts]), [])


def averaging_table(*, accuracy: Sequence[float]) -> pd.DataFrame:
    """The optimal policy for the average of two numbers in [-2, 2] (Figure 3).

    Parameters
    ----------
    accuracy : sequence of float
        gamma; the reported average is off by at most 1/gamma.

    Returns
    -------
    DataFrame
        Cells (gamma,).  Statistics: ``levels``, ``leakage_nats`` (L0), ``maximin_nats`` (I*),
        ``smallest_error`` (d_min of the best estimator, in the unit of the data) and
        ``query_error``, the largest error of the reported average times gamma (at most 1), all of
        equal bins, which are optimal for P2; ``least_leakage_nats``, L0 of bins that are optimal
        for P1, and ``least_leakage_bound_nats``, which no policy of this accuracy is below.
    """
    rows = []
    for gamma in accuracy:
        exact, public = Fraction(str(gamma)), (-_CORNER, _CORNER)
        levels = levels_for_accuracy(exact, output_range=public)
        # Of so many cells, whole ones make up the longest bin, and each of the equal bins.
        step = math.lcm((2 / exact / (2 * _CORNER)).denominator, levels)
        cells = step * math.ceil(Fraction(_CUT_CELLS, step))
        least = least_leaking_quantizer(exact, output_range=public, volumes=slab_shares(2, cells))
        rows.append(
            {
                "gamma": float(gamma),
                "levels": levels,
                "leakage_nats": _log(1 / smallest_slab_share(2, levels)),
                "maximin_nats": math.log(levels),
                "smallest_error": 2 * _CORNER * math.sqrt(_smallest_radius_squared(2, levels)),
                "query_error": exact * Fraction(_CORNER, levels),
                "least_leakage_nats": _log(1 / least.share),
                "least_leakage_bound_nats": _log(1 / least.bound),
            }
        )
    return tidy(pd.DataFrame(rows), ["gamma"])


def _smallest_radius_squared(people: int, levels: int) -> Fraction:
    """Squared d_min for the quantized average of numbers in [0, 1], over all reports."""
    return min(
        slab_radius_squared(
            people, Fraction(people * k, levels), Fraction(people * (k + 1), levels)
        )
        for k in range(levels)
    )


def regions_table(*, accuracy: float, lattice: int) -> pd.DataFrame:
    """Regions of the optimal policies of Example IV.1 (Figures 1 and 2).

    Parameters
    ----------
    accuracy : float
        gamma.
    lattice : int
        Points along each axis on which the pieces of a level set are counted.

    Returns
    -------
    DataFrame
        Cells (query, region), regions from 1.  Statistics: ``lower``, ``upper`` and ``symbol`` of
        the bin, ``area`` of the region, and ``level_set_pieces``, the connected pieces of the set
        of data whose output is the symbol.
    """
    axis = np.linspace(-_CORNER, _CORNER, lattice)
    x1, x2 = np.meshgrid(axis, axis)
    rows = []
    for query, output_range in QUERY_RANGES.items():
        quantizer = optimal_quantizer(Fraction(str(accuracy)), output_range=output_range)
        below = [_area_below(query, edge) for edge in quantizer.edges]
        outputs = QUERIES[query](x1, x2)
        for k, symbol in enumerate(quantizer.midpoints):
            band = np.abs(outputs - symbol) <= 0.1 * (quantizer.edges[1] - quantizer.edges[0])
            rows.append(
                {
                    "query": query,
                    "region": k + 1,
                    "lower": quantizer.edges[k],
                    "upper": quantizer.edges[k + 1],
                    "symbol": symbol,
                    "area": below[k + 1] - below[k],
                    "level_set_pieces": label(band, structure=np.ones((3, 3)))[1],
                }
            )
    return tidy(pd.DataFrame(rows), ["query", "region"])


def _area_below(query: str, output: float) -> float:
    """Area of the data whose output is at most ``output``."""

    def width(x2: float) -> float:
        if query == "average":
            return min(max(2 * output - x2 + _CORNER, 0), 2 * _CORNER)
        return 2 * min(math.sqrt(max(output - 2 * x2**2, 0)), _CORNER)

    kinks = {2 * output - _CORNER, 2 * output + _CORNER}
    if query == "quadratic":
        roots = [math.sqrt(max(output - cut, 0) / 2) for cut in (0, _CORNER**2)]
        kinks = {sign * root for root in roots for sign in (1, -1)}
    inner = sorted(kink for kink in kinks if -_CORNER < kink < _CORNER)
    ends = [-_CORNER, *inner, _CORNER]
    return sum(quad(width, low, high)[0] for low, high in itertools.pairwise(ends))


def raster_table(*, accuracy: float, lattice: int) -> pd.DataFrame:
    """The region of each point of a lattice, to draw Figures 1 and 2.

    Parameters
    ----------
    accuracy : float
        gamma.
    lattice : int
        Points along x1; one more along x2.

    Returns
    -------
    DataFrame
        Cells (query, x1, x2).  Statistic: ``region``, from 1.
    """
    # Centres of the cells of a lattice, one cell more along x2: no centre lies on a diagonal.
    x1, x2 = (
        each.ravel()
        for each in np.meshgrid(
            *(
                _CORNER * (2 * np.arange(count) + 1 - count) / count
                for count in (lattice, lattice + 1)
            )
        )
    )
    tables = []
    for query, output_range in QUERY_RANGES.items():
        quantizer = optimal_quantizer(Fraction(str(accuracy)), output_range=output_range)
        region = quantizer.index(QUERIES[query](x1, x2)) + 1
        tables.append(pd.DataFrame({"query": query, "x1": x1, "x2": x2, "region": region}))
    return tidy(pd.concat(tables, ignore_index=True), ["query", "x1", "x2"])


def heights_table(
    *, people: Sequence[int], levels: int, height_range_cm: Sequence[float]
) -> pd.DataFrame:
    """The adversary's smallest error for the quantized average of heights (Example IV.2).

    Parameters
    ----------
    people : sequence of int
        Numbers n_x of people.
    levels : int
        Largest number of levels.
    height_range_cm : pair of float
        Public range of a height.

    Returns
    -------
    DataFrame
        Cells (people, levels).  Statistics: ``gamma_above``, ``gamma_up_to``, the accuracies in
        1/cm which take this number of levels; ``d_min_cm``; ``printed_cm``, 150 sqrt(2) / levels
        for that range; ``difference_of_squares_cm2`` of the two, computed in fractions.
    """
    low, high = (Fraction(str(end)) for end in height_range_cm)
    rows = []
    for n, q in itertools.product(people, range(1, levels + 1)):
        squared = (high - low) ** 2 * _smallest_radius_squared(n, q)
        printed = (high - low) ** 2 * Fraction(2, q**2)
        rows.append(
            {
                "people": n,
                "levels": q,
                "gamma_above": 2 * (q - 1) / (high - low),
                "gamma_up_to": 2 * q / (high - low),
                "d_min_cm": math.sqrt(squared),
                "printed_cm": math.sqrt(printed),
                "difference_of_squares_cm2": squared - printed,
            }
        )
    return tidy(pd.DataFrame(rows), ["people", "levels"])


def two_outputs_table(
    *, sides: Sequence[Sequence[float]], accuracy: Sequence[float]
) -> pd.DataFrame:
    """How far the best grid can be from the best policy for two outputs.

    Parameters
    ----------
    sides : sequence of pairs of float
        Lengths of the ranges of both outputs.
    accuracy : sequence of float
        gamma; the pair that is reported is off by at most 1/gamma (Euclidean).

    Returns
    -------
    DataFrame
        Cells (first_side, second_side, gamma).  Statistics: ``grid_regions``; ``least_regions``,
        which no policy is below; ``ratio`` of the two.
    """
    rows = []
    for (first, second), gamma in itertools.product(sides, accuracy):
        exact = Fraction(str(gamma))
        ranges = tuple((Fraction(0), Fraction(str(side))) for side in (first, second))
        grid = math.prod(each.levels for each in optimal_grid(exact, output_ranges=ranges))
        least = fewest_regions(exact, output_ranges=ranges)
        rows.append(
            {
                "first_side": float(first),
                "second_side": float(second),
                "gamma": float(gamma),
                "grid_regions": grid,
                "least_regions": least,
                "ratio": grid / least,
            }
        )
    return tidy(pd.DataFrame(rows), ["first_side", "second_side", "gamma"])


def _log(value: Fraction) -> float:
    """Natural logarithm, minus infinity at 0; also of fractions beyond the range of floats."""
    if value == 0:
        return -math.inf
    return math.log(value.numerator) - math.log(value.denominator)
