"""Optimal policies for an accuracy, against searches over all of them and against data."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from noiseless.errors import ConfigError, DataError
from noiseless.theory.enumeration import enumerate_maps
from noiseless.theory.geometry import compute_slab_shares
from noiseless.theory.policies import (
    _compute_corner_area,
    _compute_side_area,
    bound_max_area,
    bound_min_regions,
    bound_min_volume,
    bound_regions_from_sides,
    build_optimal_quantizer,
    compute_min_levels,
    compute_min_volume,
    find_best_cuts,
    find_least_leaking_quantizer,
    find_min_cells,
    find_optimal_grid,
)


def test_the_optimal_quantizer_is_accurate_and_one_level_less_is_not():
    for accuracy, output_range in ((2, (-2, 2)), (0.3, (100, 250)), (Fraction(7, 3), (0, 1))):
        quantizer = build_optimal_quantizer(accuracy, output_range=output_range)
        values = np.linspace(*map(float, output_range), 1001)
        error = np.abs(quantizer.release(values) - values).max()
        assert error <= 1 / float(accuracy) * (1 + 1e-12)
        length = output_range[1] - output_range[0]
        assert quantizer.levels == 1 or length / (2 * (quantizer.levels - 1)) > 1 / float(accuracy)


def test_floats_that_mean_a_whole_number_of_levels_are_taken_as_it():
    for k in range(1, 200):
        assert compute_min_levels(2 * k / 150, output_range=(100, 250)) == k


def test_the_optimal_grid_is_the_best_of_all_pairs():
    for accuracy, ranges in (
        (1, ((0, 4), (0, 2))),
        (2, ((-1, 1), (0, 3))),
        (0.3, ((0, 1), (0, 1))),
    ):
        first, second = find_optimal_grid(accuracy, output_ranges=ranges)
        sides = [high - low for low, high in ranges]
        error = math.hypot(sides[0] / first.levels, sides[1] / second.levels) / 2
        assert error <= 1 / accuracy * (1 + 1e-12)
        for a, b in itertools.product(range(1, 60), repeat=2):
            if a * b < first.levels * second.levels:
                assert math.hypot(sides[0] / a, sides[1] / b) / 2 > 1 / accuracy


@pytest.mark.parametrize(
    ("accuracy", "output_range", "says"),
    [(0, (0, 1), "accuracy is 0"), (-1, (0, 1), "accuracy is -1"), (1, (1, 1), "is empty")],
)
def test_an_accuracy_or_range_that_makes_no_sense_is_refused(accuracy, output_range, says):
    with pytest.raises(ConfigError, match=says):
        compute_min_levels(accuracy, output_range=output_range)
    with pytest.raises(ConfigError, match=says):
        find_optimal_grid(accuracy, output_ranges=((0, 1), output_range))


def test_output_outside_the_range_is_an_error():
    with pytest.raises(DataError, match="outside the public range"):
        build_optimal_quantizer(1, output_range=(0, 1)).release([2])


volumes = st.lists(st.integers(0, 6), min_size=1, max_size=7).filter(any)


def all_cuts(cells, longest):
    for inner in itertools.product((False, True), repeat=cells - 1):
        cuts = [0, *(k + 1 for k, cut in enumerate(inner) if cut), cells]
        if max(b - a for a, b in itertools.pairwise(cuts)) <= longest:
            yield tuple(cuts)


@given(volumes, st.integers(1, 7))
def test_the_best_cuts_are_the_best_of_all_cuts(volumes, longest):
    found = find_best_cuts(volumes, longest=longest)
    assert found in all_cuts(len(volumes), longest)
    score = {
        cuts: (compute_min_volume(volumes, cuts), -len(cuts))
        for cuts in all_cuts(len(volumes), longest)
    }
    assert score[found] == max(score.values())


@given(volumes, st.integers(1, 7))
def test_volumes_in_another_unit_or_too_large_for_64_bits_give_the_same(volumes, longest):
    found = find_best_cuts(volumes, longest=longest)
    assert find_best_cuts([Fraction(each, 7) for each in volumes], longest=longest) == found
    assert find_best_cuts([each * 10**30 for each in volumes], longest=longest) == found


@pytest.mark.parametrize("volumes", [(1, 1, 1, 1), (2, 2, 1, 1), (1, 3, 1, 2, 1), (3, 1, 1, 1, 3)])
def test_no_grouping_of_cells_exceeds_the_bound_or_the_best_bins(volumes):
    """Groups need not be connected; bins may be cut at sixths of a cell, the bound covers all."""
    parts = [volume for volume in volumes for _ in range(6)]
    for longest in range(1, len(volumes) + 1):
        largest = max(
            min(sum(volumes[k] for k in cells) for cells in groups)
            for groups in (
                [[k for k, each in enumerate(reports) if each == report] for report in set(reports)]
                for reports in enumerate_maps(len(volumes))
            )
            if max(cells[-1] - cells[0] + 1 for cells in groups) <= longest
        )
        best = compute_min_volume(parts, find_best_cuts(parts, longest=6 * longest))
        assert 6 * largest <= best <= bound_min_volume(parts, longest=6 * longest)
        assert best <= 6 * bound_min_volume(volumes, longest=longest)


def test_cells_that_are_kept_whole_can_be_grouped_better_than_cut():
    """Why bins must be cut within cells: sets of volume 3 and 3 are two apart or half a cell."""
    assert compute_min_volume([2, 2, 1, 1], find_best_cuts([2, 2, 1, 1], longest=3)) == 2
    halves = [1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5]
    assert compute_min_volume(halves, find_best_cuts(halves, longest=6)) == 3


@given(st.fractions("1/3", 9, max_denominator=12))
def test_data_spread_evenly_want_equal_bins(accuracy):
    levels = compute_min_levels(accuracy, output_range=(0, 2))
    least = find_least_leaking_quantizer(accuracy, output_range=(0, 2), volumes=[1] * 5 * levels)
    assert least.share == least.bound == Fraction(1, levels)
    np.testing.assert_allclose(least.quantizers[0].edges, np.linspace(0, 2, levels + 1))


def test_the_least_leaking_policy_for_an_average_agrees_with_counted_data():
    """Data of two people on a lattice; errors and volumes are those of the policy as it runs."""
    accuracy = Fraction(19, 10)
    least = find_least_leaking_quantizer(
        accuracy, output_range=(-2, 2), volumes=compute_slab_shares(2, 380)
    )
    axis = -2 + 4 * (np.arange(1500) + 0.5) / 1500
    average = (axis[:, None] + axis) / 2
    quantizer = least.quantizers[0]
    assert np.abs(quantizer.release(average) - average).max() <= 1 / float(accuracy)
    share = np.bincount(quantizer.find_bins(average).ravel()).min() / average.size
    assert share == pytest.approx(float(least.share), abs=2e-3)
    # A user has no formula, but can count.
    counts, _ = np.histogram(average, bins=380, range=(-2, 2))
    counted = find_least_leaking_quantizer(accuracy, output_range=(-2, 2), volumes=counts)
    assert counted.quantizers == least.quantizers
    assert float(counted.share) == pytest.approx(float(least.share), abs=2e-3)
    # The corner that the accuracy allows: sums up to 2 * 20/19 of 8, squared, and halved.
    assert least.share == least.bound == Fraction(20, 19) ** 2 * 2 / 16
    equal = np.bincount(
        build_optimal_quantizer(accuracy, output_range=(-2, 2)).find_bins(average).ravel()
    )
    assert equal.min() / average.size < share - 0.01


def test_a_policy_that_leaks_less_than_equal_bins_on_a_line():
    """f(x) = x^2 on [0, 1] to within 0.3: cut at 0.4, not at 0.5."""
    cells = 200
    roots = [math.sqrt(k / cells) for k in range(cells + 1)]
    volumes = [high - low for low, high in itertools.pairwise(roots)]
    least = find_least_leaking_quantizer(Fraction(10, 3), output_range=(0, 1), volumes=volumes)
    assert least.quantizers[0].edges == (0, 0.4, 1)
    assert float(least.share) == pytest.approx(1 - math.sqrt(0.4))
    assert 1 - math.sqrt(0.4) > 1 - math.sqrt(0.5)


@pytest.mark.parametrize(
    ("accuracy", "volumes", "says"),
    [
        (0, [1], "accuracy is 0"),
        (1, [], "0 or larger"),
        (1, [0, 0], "at least one of them above 0"),
        (1, [1, -1], "0 or larger"),
        (8, [1, 1], "4 cells or more, not 2"),
    ],
)
def test_volumes_that_make_no_sense_are_refused(accuracy, volumes, says):
    with pytest.raises(ConfigError, match=says):
        find_least_leaking_quantizer(accuracy, output_range=(0, 1), volumes=volumes)


def test_fewest_regions_is_no_bound_that_a_policy_breaks():
    """Hexagons of radius 1, as the nearest of a lattice of centres, on a large rectangle."""
    sides = (30.0, 27.0)
    columns, rows = np.arange(0, 31, math.sqrt(3)), np.arange(0, 28.5, 1.5)
    centres = np.array(
        [(x + (row % 2) * math.sqrt(3) / 2, y) for row, y in enumerate(rows) for x in columns]
    )
    points = np.stack(np.meshgrid(*(np.linspace(0, side, 100) for side in sides)), -1)
    distance = np.linalg.norm(points.reshape(-1, 1, 2) - centres, axis=2)
    assert distance.min(axis=1).max() <= 1 + 1e-9
    hexagons = len(set(distance.argmin(axis=1).tolist()))
    ranges = tuple((0, int(side)) for side in sides)
    grid = math.prod(each.levels for each in find_optimal_grid(1, output_ranges=ranges))
    assert bound_min_regions(1, output_ranges=ranges) <= hexagons < grid


def test_three_boxes_where_every_grid_has_four():
    radius_squared = Fraction(65, 256)
    boxes = [(Fraction(1), Fraction(1, 8)), *[(Fraction(1, 2), Fraction(7, 8))] * 2]
    assert sum(a * b for a, b in boxes) == 1
    assert max((a / 2) ** 2 + (b / 2) ** 2 for a, b in boxes) == radius_squared
    unit = (Fraction(1), Fraction(1))
    assert math.prod(find_min_cells(unit, radius_squared)) == 4
    assert bound_regions_from_sides(unit, radius_squared) <= 3


def test_a_disk_at_a_corner_agrees_with_counting():
    """The largest part of a disk inside, over all places where it holds the corner."""
    step = 1 / 400
    axis = (np.arange(800) + 0.5) * step
    x, y = np.meshgrid(axis, axis)
    best = 0.0
    for angle in np.linspace(0, np.pi / 2, 31):
        for push in (0.8, 1.0):
            held = (x - push * np.cos(angle)) ** 2 + (y - push * np.sin(angle)) ** 2 <= 1
            best = max(best, float(held.sum()) * step**2)
    assert best == pytest.approx(_compute_corner_area(), abs=2e-3)


def test_disks_along_a_side_agree_with_counting():
    """Chains of disks whose chords cover a side hold no more than the bound, and nearly as much."""
    rng = np.random.default_rng(3)
    step, nearest = 0.02, 0.0
    for case in range(60):
        count = int(rng.integers(1, 9))
        heights = rng.uniform(0, 0.99, count) if case % 2 else np.full(count, 3**-0.5)
        halves = np.sqrt(1 - heights**2)
        places = np.cumsum(2 * halves) - halves
        if case % 4 > 1:
            overlap = rng.uniform(0, 0.3, count - 1) * np.minimum(halves[1:], halves[:-1])
            places = places - np.cumsum(np.r_[0, overlap])
        length = float(places[-1] + halves[-1] - places[0] + halves[0])
        x, y = np.meshgrid(
            np.arange(places[0] - 1, places[-1] + 1, step) + step / 2,
            np.arange(0, 2, step) + step / 2,
        )
        held = np.zeros(x.shape, dtype=bool)
        for place, height in zip(places, heights, strict=True):
            held |= (x - place) ** 2 + (y - height) ** 2 <= 1
        each = float(held.sum()) * step**2 / count
        bound = _compute_side_area((Fraction(length), Fraction(1)), Fraction(1))
        assert each <= bound + 1e-2
        nearest = max(nearest, each / bound)
    assert nearest > 0.9


def test_regions_in_disks_have_no_more_by_linear_programming():
    """The largest smallest region in given disks, as a flow from cells of the square to disks."""
    rng, n, tried = np.random.default_rng(5), 12, 0
    cells = np.array(list(itertools.product((np.arange(n) + 0.5) / n, repeat=2)))
    for radius in (0.4, 0.5, 0.6):
        side = math.ceil(1 / (math.sqrt(2) * radius))
        grid = np.array(list(itertools.product((np.arange(side) + 0.5) / side, repeat=2)))
        most = bound_max_area(1 / radius, output_ranges=((0, 1), (0, 1)))
        for spread in (0, 0.05, 0.1, 0.15):
            centres = grid + rng.uniform(-spread, spread, grid.shape)
            inside = ((cells[:, None] - centres) ** 2).sum(axis=2) <= radius**2
            if not inside.any(axis=1).all():
                continue
            cell, disk = np.nonzero(inside)
            count = len(cell)
            given = np.zeros((len(cells), count + 1))
            given[cell, np.arange(count)] = 1
            lacking = np.zeros((len(centres), count + 1))
            lacking[disk, np.arange(count)] = -1 / n**2
            lacking[:, -1] = 1
            found = linprog(
                np.r_[np.zeros(count), -1],
                A_ub=lacking,
                b_ub=np.zeros(len(centres)),
                A_eq=given,
                b_eq=np.ones(len(cells)),
                method="highs",
            )
            tried += 1
            assert -found.fun <= most + 1e-9
    assert tried >= 6
