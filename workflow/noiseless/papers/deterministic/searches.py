"""Policies of a few cells, every one of them, and the best bins (``deterministic``, Section IV)."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from noiseless.papers.deterministic.groupings import Cells
from noiseless.statements import at_most, equal, universe
from noiseless.statements.findings import Fact
from noiseless.theory.enumeration import (
    compute_span,
    enumerate_maps,
    find_positions,
    iterate_accurate_levels,
    rename_values,
)
from noiseless.theory.finite import Relation
from noiseless.theory.policies import (
    bound_min_volume,
    compute_min_levels,
    compute_min_volume,
    find_best_cuts,
)

_ERRORS = tuple(Fraction(k, 4) for k in (2, 3, 4, 6, 8))  # 1/gamma, in cells


_CELLS = {"smoke": {"most_cells": 6}, "paper": {"most_cells": 8}, "least": {"most_cells": 2}}


@dataclass(frozen=True)
class Sloped:
    """Policies of a few cells that are constant or slope, of the same numbers; the first of them.

    ``fewest`` is how many parts the best constant policy of the accuracy has.
    """

    fewest: int
    parts: int
    slopes: bool
    error: Fraction
    ends: tuple[tuple[Fraction, Fraction], ...]
    times: int

    def list_numbers(self) -> Mapping[str, Any]:
        """List both ends of the reports of each cell."""
        ends = ", ".join(f"{a} to {b}" for a, b in self.ends)
        return {"1/gamma": self.error, "reports of the cells": ends}


@universe(smoke={"most_cells": 2}, paper={"most_cells": 3}, least={"most_cells": 1})
def sloped_policies(most_cells: int) -> list[Sloped]:
    """List policies that are linear on each cell, from and to multiples of 1/2.

    The query is the identity on [0, cells].  A slope has infinitely many parts.  Sampled in one
    more point per cell than the best constant policy has parts, it has more parts than that policy.
    """
    count_parts = cache(
        lambda reports: Relation.from_outcomes(range(len(reports)), reports).maximin_count
    )
    first: dict[tuple[int, int, bool], tuple[Fraction, tuple[tuple[Fraction, Fraction], ...]]] = {}
    count: Counter[tuple[int, int, bool]] = Counter()
    for cells, error in itertools.product(range(1, most_cells + 1), (Fraction(1, 2), Fraction(1))):
        fewest = compute_min_levels(1 / error, output_range=(0, cells))
        samples = cells + 1  # the best policy has at most one part for each cell
        steps = [Fraction(2 * j + 1, 2 * samples) for j in range(samples)]
        for ends in itertools.product(*(_list_lines(k, cells, error) for k in range(cells))):
            reports = [a + (b - a) * step for a, b in ends for step in steps]
            key = fewest, count_parts(rename_values(reports)), any(a != b for a, b in ends)
            first.setdefault(key, (error, ends))
            count[key] += 1
    return [Sloped(*key, *each, times=count[key]) for key, each in first.items()]


def _list_lines(cell: int, cells: int, error: Fraction) -> list[tuple[Fraction, Fraction]]:
    """List the reports at both ends of a cell that are near enough to its outputs."""
    ends = [Fraction(k, 2) for k in range(2 * cells + 1)]
    return [
        (a, b)
        for a, b in itertools.product(ends, repeat=2)
        if abs(a - cell) <= error and abs(b - cell - 1) <= error
    ]


@dataclass(frozen=True)
class Accurate:
    """The policies of some cells of data that are off by 1/gamma at most, by number of reports.

    ``outputs`` of the query are sorted; ``fewest`` has Theorem IV.2's number.
    """

    outputs: Cells
    error: Fraction
    fewest: int
    reports: Mapping[int, int]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the outputs of the cells, and the error."""
        return {"outputs of the cells": self.outputs, "1/gamma": self.error}

    def iterate_facts(self) -> Iterator[Fact]:
        """State that no policy has fewer reports, and that some have as few.

        And any number up to one report a cell; where bins of whole cells can be as wide as 2/gamma.
        """
        for number, times in self.reports.items():
            yield at_most(self.fewest, number, self, times=times)
        if (2 * self.error).denominator == 1:
            numbers = frozenset(range(self.fewest, len(self.outputs) + 1))
            yield equal(frozenset(self.reports), numbers, self)


@universe(**_CELLS)
def output_policies(most_cells: int) -> list[Accurate]:
    """List the policies of 2 or more cells of the output, connected or not, by accuracy."""
    found = []
    for count, error in itertools.product(range(2, most_cells + 1), _ERRORS):
        fewest = compute_min_levels(1 / error, output_range=(0, count))
        reports = Counter(iterate_accurate_levels(count, error))
        found.append(Accurate(tuple(range(count)), error, fewest, reports))
    return found


@universe(**_CELLS)
def data_policies(most_cells: int) -> list[Accurate]:
    """List the policies of 2 or more cells of data, one or two of which have the same output.

    Every grouping of the cells of data is tried, whether or not data with the same output share a
    report.  Whether the two cells touch, as the corollary asks, makes no difference to what is
    counted.
    """
    found = []
    for count in range(2, most_cells + 1):
        groupings = [[find_positions(each, k) for k in set(each)] for each in enumerate_maps(count)]
        for outputs in enumerate_cell_outputs(count):
            # Cells are sorted by output, so the first and the last have the extreme outputs.
            widest = [
                max(outputs[cells[-1]] - outputs[cells[0]] + 1 for cells in groups)
                for groups in groupings
            ]
            for error in _ERRORS:
                reports = Counter(
                    len(groups)
                    for groups, width in zip(groupings, widest, strict=True)
                    if width <= 2 * error
                )
                fewest = compute_min_levels(1 / error, output_range=(0, outputs[-1] + 1))
                found.append(Accurate(outputs, error, fewest, reports))
    return found


def enumerate_cell_outputs(count: int) -> Iterator[Cells]:
    """Enumerate outputs 0, 1, ... of cells of data: of one or two cells each, not all of one."""
    for steps in itertools.product((0, 1), repeat=count - 1):
        outputs = tuple(itertools.accumulate(steps, initial=0))
        if set(Counter(outputs).values()) in ({2}, {1, 2}):
            yield outputs


@universe(**_CELLS)
def even_policies(most_cells: int) -> list[tuple[int, Fraction, Cells]]:
    """List policies of cells with even data: smallest set, that of equal bins, and the reports."""
    found = []
    for count in range(2, most_cells + 1):
        for reports in enumerate_maps(count):
            groups = [find_positions(reports, each) for each in set(reports)]
            # The widest range of outputs of a report is 2/gamma, with gamma the policy's accuracy.
            accuracy = Fraction(2, max(map(compute_span, groups)))
            levels = compute_min_levels(accuracy, output_range=(0, count))
            found.append((min(map(len, groups)), Fraction(count, levels), reports))
    return found


@dataclass(frozen=True)
class Symbols:
    """A step function with these symbols, and exp(I*)."""

    symbols: Cells
    parts: int

    def list_numbers(self) -> Mapping[str, Any]:
        """List the symbols of the cells."""
        return {"symbols": self.symbols}


@universe()
def symbols() -> list[Symbols]:
    """List the step functions of up to four cells whose symbols do not decrease."""
    return [
        Symbols(each, Relation.from_outcomes(range(cells), each).maximin_count)
        for cells in range(1, 5)
        for each in itertools.combinations_with_replacement(range(4), cells)
    ]


_VOLUMES = (1, 2, 3)  # possible volumes of a cell of the output


_PARTS = math.lcm(*_VOLUMES)  # parts of a cell, so that bins can have any whole volume


@dataclass(frozen=True)
class Bins:
    """Cells of the output with volumes, and bins of a few cells at most; volumes are of parts.

    ``smallest`` has the smallest set of each policy of this accuracy; ``best``, ``equal`` and
    ``cover`` are the smallest of the best bins, that of equal bins, and Equation 16b where sets may
    overlap; ``bound`` is what no policy exceeds.
    """

    volumes: Cells
    longest: int
    smallest: tuple[int, ...]
    best: Fraction
    equal: Fraction
    cover: int
    bound: Fraction

    def list_numbers(self) -> Mapping[str, Any]:
        """List the volumes of the cells, and how many cells a bin may hold."""
        return {"volumes of the cells": self.volumes, "cells of a bin": self.longest}


@universe(smoke={"most_cells": 4}, paper={"most_cells": 5}, least={"most_cells": 4})
def bins(most_cells: int) -> list[Bins]:
    """List the volumes of 2 or more cells, from 1 to 3, and the bins of each accuracy.

    Cells consist of parts, and bins may be cut between parts, so that for each policy there are
    bins of equal volumes (:mod:`noiseless.theory.policies`).
    """
    found = []
    for count in range(2, most_cells + 1):
        policies = [[find_positions(each, k) for k in set(each)] for each in enumerate_maps(count)]
        spans = [max(map(compute_span, policy)) for policy in policies]
        for volumes in itertools.product(_VOLUMES, repeat=count):
            if volumes > volumes[::-1]:
                continue  # its mirror image, with equal policies, is among the others
            smallest = [
                min(sum(volumes[k] for k in held) for held in policy) * _PARTS
                for policy in policies
            ]
            for longest in range(1, count + 1):
                of_span = [
                    each for each, span in zip(smallest, spans, strict=True) if span == longest
                ]
                found.append(_fit_bins(volumes, longest, of_span))
    return found


def _fit_bins(volumes: Cells, longest: int, smallest: Sequence[int]) -> Bins:
    parts = [volume for volume in volumes for _ in range(_PARTS)]
    most_parts = longest * _PARTS
    levels = compute_min_levels(Fraction(2, longest), output_range=(0, len(volumes)))
    return Bins(
        volumes,
        longest,
        tuple(smallest),
        best=Fraction(compute_min_volume(parts, find_best_cuts(parts, longest=most_parts))),
        equal=_compute_min_equal_bin(parts, levels),
        cover=_find_best_cover(parts, most_parts),
        bound=bound_min_volume(parts, longest=most_parts),
    )


def _find_best_cover(volumes: Sequence[int], longest: int) -> int:
    """Compute Equation 16b as printed: the minimum over cells of the largest set around a cell."""
    starts = range(len(volumes) - longest + 1)
    windows = [sum(volumes[start : start + longest]) for start in starts]
    return min(
        max(windows[start] for start in starts if start <= cell < start + longest)
        for cell in range(len(volumes))
    )


def _compute_min_equal_bin(volumes: Sequence[int], levels: int) -> Fraction:
    """Compute the smallest volume of a bin if ``levels`` bins have equal widths."""
    below = [*itertools.accumulate(volumes, initial=0), sum(volumes)]
    edges = [Fraction(k * len(volumes), levels) for k in range(levels + 1)]
    left = [
        below[int(edge)] + (edge - int(edge)) * (below[int(edge) + 1] - below[int(edge)])
        for edge in edges
    ]
    return min(high - low for low, high in itertools.pairwise(left))


@universe()
def accurate_counts() -> tuple[int, int]:
    """Find the fewest and the most reports of a policy of 8 cells, off by a cell at most."""
    counts = list(iterate_accurate_levels(8, Fraction(1)))
    return min(counts), max(counts)


def count_values_of_line(half: int) -> int:
    """Count the fewest values of a step function that is within 1 of a lattice of [-half, half].

    An interval of length 2 begins at the first point that none holds yet.
    """
    values, end = 0, Fraction(-half - 1)
    for point in (Fraction(k, 4) for k in range(-4 * half, 4 * half + 1)):
        if point > end:
            values, end = values + 1, point + 2
    return values
