"""Groupings of cells by their reports, and balls of cells (``deterministic``, Section II.B)."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from noiseless.statements import universe
from noiseless.theory.enumeration import enumerate_maps, find_positions
from noiseless.theory.geometry import PI_LOWER_BOUND, compute_enclosing_radius_squared
from noiseless.theory.intervals import IntervalUnion
from noiseless.theory.policies import bound_regions_from_sides

Cells = tuple[int, ...]


def describe_reports(reports: Sequence[object]) -> Mapping[str, Any]:
    """Describe a case by the report of each cell."""
    return {"reports of the cells": " ".join(map(str, reports))}


class Grid:
    """Unit cells along two or more axes, and the sizes of groups of them."""

    def __init__(self, sides: Sequence[int]) -> None:
        self.sides = tuple(sides)
        self.cells = list(itertools.product(*map(range, sides)))
        self.compute_diameter_squared = cache(self._compute_diameter_squared)
        self.compute_radius_squared = cache(self._compute_radius_squared)
        self._compute_radius_of_three = cache(compute_enclosing_radius_squared)

    def enumerate_groupings(self) -> Iterator[tuple[Cells, list[Cells]]]:
        """Enumerate the reports of the cells, and the groups of cells with the same report."""
        for reports in enumerate_maps(len(self.cells)):
            yield reports, [tuple(find_positions(reports, each)) for each in set(reports)]

    def list_corners(self, group: Cells) -> list[Cells]:
        """List the corners of the cells of a group, each once."""
        steps = list(itertools.product((0, 1), repeat=len(self.sides)))
        return sorted(
            {
                tuple(a + b for a, b in zip(self.cells[k], step, strict=True))
                for k in group
                for step in steps
            }
        )

    def _compute_diameter_squared(self, group: Cells) -> int:
        return max(
            sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
            for one, other in itertools.combinations(self.list_corners(group), 2)
        )

    def _compute_radius_squared(self, group: Cells) -> Fraction:
        """Compute the squared radius of the smallest disk that holds a group of cells."""
        threes = itertools.combinations(self.list_corners(group), 3)
        return max(map(self._compute_radius_of_three, threes))


Sides = tuple[Fraction, Fraction]  # measure of a set, and of the ball of the error's radius


@cache
def compare_with_ball(measure: int, diameter_squared: int, dimensions: int) -> Sides:
    """Return a measure and a lower bound of a ball's volume; both are squared if n_x is odd."""
    volume, radius_squared = bound_unit_ball(dimensions), Fraction(diameter_squared, 4)
    if dimensions % 2:
        return Fraction(measure**2), volume**2 * radius_squared**dimensions
    return Fraction(measure), volume * radius_squared ** (dimensions // 2)


def bound_unit_ball(dimensions: int) -> Fraction:
    """Bound the volume of the ball of radius 1 from below, with a rational lower bound of pi."""
    if dimensions < 2:
        return Fraction(dimensions + 1)
    return 2 * PI_LOWER_BOUND / dimensions * bound_unit_ball(dimensions - 2)


@dataclass(frozen=True)
class LeftOpen:
    """The largest and the smallest set that a report leaves open, in ``times`` groupings."""

    largest: Sides
    smallest: Sides
    cells: str
    reports: tuple[int, ...]
    times: int

    def list_numbers(self) -> Mapping[str, Any]:
        """List the cells and their reports."""
        return {"cells": self.cells, **describe_reports(self.reports)}


@universe(
    smoke={"interval_cells": 5, "grids": ((2, 3), (2, 2, 2))},
    paper={"interval_cells": 7, "grids": ((2, 3), (2, 4), (3, 3), (2, 2, 2))},
    least={"interval_cells": 1},
)
def groupings(interval_cells: int, grids: Sequence[Sequence[int]]) -> list[LeftOpen]:
    """List every grouping of cells of [0, 1], in one dimension, and of unit cells in more."""
    sets = [
        (f"{count} of [0, 1]", *each)
        for count in range(1, interval_cells + 1)
        for each in _iterate_line_groupings(count)
    ] + [
        (" x ".join(map(str, sides)), *each)
        for sides in grids
        for each in _iterate_grid_groupings(Grid(sides))
    ]
    first: dict[tuple[str, Sides, Sides], tuple[int, ...]] = {}
    count: Counter[tuple[str, Sides, Sides]] = Counter()
    for cells, reports, largest, smallest in sets:
        first.setdefault((cells, largest, smallest), reports)
        count[cells, largest, smallest] += 1
    return [
        LeftOpen(largest, smallest, cells, reports, count[cells, largest, smallest])
        for (cells, largest, smallest), reports in first.items()
    ]


def _iterate_line_groupings(count: int) -> Iterator[tuple[tuple[int, ...], Sides, Sides]]:
    """Iterate over the groupings of cells of [0, 1], where the bound is half the measure."""
    ends = [(Fraction(k, count), Fraction(k + 1, count)) for k in range(count)]
    for reports in enumerate_maps(count):
        left_open = [
            IntervalUnion.from_intervals(*(ends[k] for k in find_positions(reports, each)))
            for each in set(reports)
        ]
        halves = [each.measure / 2 for each in left_open]
        radii = [each.unbiased_radius for each in left_open]
        yield reports, (max(halves), max(radii)), (min(halves), min(radii))


def _iterate_grid_groupings(grid: Grid) -> Iterator[tuple[tuple[int, ...], Sides, Sides]]:
    """Iterate over the groupings of unit cells.

    The measure is at most that of a ball of the radius.  The radius is at least half the diameter,
    and pi at least 333/106; a case that passes with these bounds passes with the exact numbers.
    """
    for reports, groups in grid.enumerate_groupings():
        measures = list(map(len, groups))
        diameters_squared = list(map(grid.compute_diameter_squared, groups))
        largest, smallest = (
            compare_with_ball(extreme(measures), extreme(diameters_squared), len(grid.sides))
            for extreme in (max, min)
        )
        yield reports, largest, smallest


@universe()
def balls() -> list[tuple[Sides, Mapping[str, Any]]]:
    """List balls of unit cells, for a report that leaves the ball open.

    The data lie in the unit cells inside of a ball around a corner of the lattice, and the report
    is constant, so that both theorems are about the set of all data.  This set is symmetric in
    every coordinate, so that the best estimate is the ball's centre, and the error is the distance
    of the furthest corner of a cell.
    """
    found: list[tuple[Sides, Mapping[str, Any]]] = []
    for dimensions, most in {2: 60, 3: 24, 4: 16, 5: 14}.items():
        for radius in range(math.isqrt(dimensions - 1) + 1, most + 1):
            furthest = np.arange(1, radius + 1) ** 2
            for _ in range(dimensions - 1):
                furthest = np.add.outer(furthest, np.arange(1, radius + 1) ** 2)
            inside = furthest[furthest <= radius**2]
            cells = int(inside.size) * 2**dimensions
            sides = compare_with_ball(cells, 4 * int(inside.max()), dimensions)
            found.append((sides, {"dimensions": dimensions, "radius": radius, "cells": cells}))
    return found


@dataclass(frozen=True)
class CellUnion:
    """A union of cells: how many, in how many dimensions, and how far it reaches."""

    cells: tuple[Any, ...]
    dimensions: int
    radius_squared: Fraction
    diameter_squared: int

    def list_numbers(self) -> Mapping[str, Any]:
        """List the cells."""
        return {"cells": " ".join(map(str, self.cells)), "dimensions": self.dimensions}


@universe()
def cell_unions() -> list[CellUnion]:
    """List the unions of six cells of a line, and of the cells of three small grids."""
    found = []
    for cells in iterate_subsets(6):
        length = max(cells) + 1 - min(cells)
        found.append(CellUnion(cells, 1, Fraction(length**2, 4), length**2))
    for grid in map(Grid, ((2, 2), (2, 3), (3, 3))):
        for group in iterate_subsets(len(grid.cells)):
            sizes = grid.compute_radius_squared(group), grid.compute_diameter_squared(group)
            found.append(CellUnion(tuple(grid.cells[k] for k in group), 2, *sizes))
    return found


def iterate_subsets(count: int) -> Iterator[tuple[int, ...]]:
    """Iterate over the subsets of 0, 1, ... that are not empty, the smallest first."""
    for size in range(1, count + 1):
        yield from itertools.combinations(range(count), size)


@universe(smoke={"grids": ((2, 3),)}, paper={"grids": ((2, 3), (2, 4), (3, 3))}, least={"grids": 1})
def plane_groupings(grids: Sequence[Sequence[int]]) -> list[tuple[int, int, Mapping[str, Any]]]:
    """List the groupings of unit cells of the plane: what no policy is below, and their groups."""
    found = []
    for grid in map(Grid, grids):
        sides = Fraction(grid.sides[0]), Fraction(grid.sides[1])
        bounds: dict[Fraction, int] = {}
        for reports, groups in grid.enumerate_groupings():
            error_squared = max(map(grid.compute_radius_squared, groups))
            if error_squared not in bounds:
                bounds[error_squared] = bound_regions_from_sides(sides, error_squared)
            found.append((bounds[error_squared], len(groups), describe_reports(reports)))
    return found
