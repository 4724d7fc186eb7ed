"""docs/proofs/deterministic.md: the arithmetic of the corrections, for all numbers, by z3.

As in test_nsht.py: the negation of what is proved has no solution, and a weaker assumption, or the
statement as printed, has one.
"""

from fractions import Fraction
from itertools import combinations, product
from math import gamma, pi, prod

import pytest
from z3 import Int, Or, Real, Reals, ToReal

from noiseless.papers.deterministic import areas
from noiseless.pipeline.configuration import load_config
from noiseless.theory import policies
from noiseless.theory.geometry import compute_slab_radius_squared
from noiseless.theory.intervals import BoxUnion
from noiseless.theory.policies import find_min_cells
from smt import is_closed


def is_ceiling(whole, value):
    return [ToReal(whole) >= value, ToReal(whole) < value + 1]


@pytest.mark.proves("deterministic: Remark II.1")
def test_a_ceiling_is_at_most_twice_a_side_from_one_half_on():
    """One side of a box in units of 2 epsilon: its ceiling is at most twice it from 1/2 on."""
    side, sets = Real("side"), Int("sets")
    assert is_closed(*is_ceiling(sets, side), side >= 0.5, sets > 2 * side)
    # As printed, for any side: an interval that is shorter than epsilon.
    assert not is_closed(*is_ceiling(sets, side), side > 0, sets > 2 * side)
    # For an interval only then.
    assert is_closed(*is_ceiling(sets, side), side > 0, side < 0.5, sets <= 2 * side)


def test_balls_of_13_and_more_dimensions_are_smaller_than_1():
    volumes = [pi ** (n / 2) / gamma(n / 2 + 1) for n in range(40)]
    assert min(volumes[:13]) >= 1
    assert max(volumes[13:]) < 1
    # From there on the recursion (2 pi / n) has a factor below 1.
    assert 2 * pi / 14 < 1


@pytest.mark.proves("deterministic: Corollary IV.1")
def test_fewer_intervals_than_the_ceiling_do_not_cover_a_length():
    """q intervals of length 2/gamma cover a length L only if q is at least the ceiling."""
    ratio, reports, fewest = Real("ratio"), Int("reports"), Int("fewest")
    covers = [ratio > 0, ToReal(reports) >= ratio]
    assert is_closed(*is_ceiling(fewest, ratio), *covers, reports < fewest)
    assert not is_closed(*is_ceiling(fewest, ratio), *covers, reports == fewest)


@pytest.mark.proves("deterministic: Example IV.2")
def test_no_point_is_nearer_to_all_corners_of_a_simplex_than_its_centroid():
    """Squared distances n t^2 of 0 and (s - t)^2 + (n - 1) t^2 of s e_i from (t, ..., t)."""
    n, s, t = Reals("n s t")
    of_corner = (s - t) * (s - t) + (n - 1) * t * t
    assert is_closed(n >= 2, s > 0, n * of_corner < s * s * (n - 1))
    # From the centroid that is attained, and 0 is no further away.
    centroid = [n >= 2, s > 0, n * t == s]
    assert is_closed(*centroid, n * of_corner > s * s * (n - 1))
    assert is_closed(*centroid, n * n * t * t > s * s * (n - 1))
    # The radius of two people is not that of three.
    assert not is_closed(n == 3, s == 1, n * t == s, of_corner * 2 > 1)


@pytest.mark.proves("deterministic: Example IV.2")
def test_example_4_2_middle_reports():
    """The bound of the squared radius for reports that no simplex fits into, from n = 5 on."""
    n, s = Reals("n s")
    cleared = 4 * n * (n - 2) + s * s * (n - 1) - 4 * s * s * (n - 1) * (n - 1)
    assert is_closed(n >= 5, s > 0, s <= 1, cleared < 0)
    assert not is_closed(n >= 3, s > 0, s <= 1, cleared < 0)
    # h = m + f^2 - (m + f)^2/n is at least m (n - 1 - m)/(n - 1), and that at least (n-2)/(n-1).
    m, f = Reals("m f")
    h_times_n = n * (m + f * f) - (m + f) * (m + f)
    bounds = [n >= 3, m >= 1, m <= n - 2, f >= 0, f < 1]
    assert is_closed(*bounds, (n - 1) * h_times_n < n * m * (n - 1 - m))
    assert is_closed(*bounds, m * (n - 1 - m) < n - 2)


@pytest.mark.parametrize("people", [2, 3, 4, 5])
def test_example_4_2_by_all_reports(people):
    for levels in range(people, 3 * people + 1):
        edges = [Fraction(people * k, levels) for k in range(levels + 1)]
        least = min(compute_slab_radius_squared(people, *edges[k : k + 2]) for k in range(levels))
        assert least == Fraction(people * (people - 1), levels**2)


@pytest.mark.proves("deterministic: Example IV.2")
def test_example_4_2_levels_for_10_cm():
    q = Int("q")
    assert is_closed(q > 0, q * q * 100 <= 150 * 150 * 2, q > 21)
    assert is_closed(q > 0, q <= 21, q * q * 100 > 150 * 150 * 2)
    assert is_closed(q > 0, q * q * 100 <= 75 * 75, q > 7)
    # As printed: more than 22/75, so 23 levels or more.
    assert not is_closed(q >= 23, q * q * 100 > 150 * 150 * 2)


@pytest.mark.proves("deterministic: Two outputs")
def test_the_ratio_of_squares_to_hexagons_is_bounded():
    """Squares of side d = sqrt(2) r against hexagons of 3 root r^2/2, root = sqrt(3)."""
    first, second, side, root, pair, least = Reals("first second side root pair least")
    sizes = [first > 0, second > 0, side > 0, root > 0, pair > 0, least > 0]
    # r^2 = side^2 / 2, so that a hexagon has 3 root side^2 / 4.
    at_most = pair * side * side <= (first + side) * (second + side)
    at_least = least * 3 * root * side * side >= 4 * first * second
    ratio = 4 * pair * first * second > least * 3 * root * (first + side) * (second + side)
    assert is_closed(*sizes, at_most, at_least, ratio)
    assert not is_closed(*sizes, at_most, at_least, 4 * pair > least * 3 * root)


@pytest.mark.proves("deterministic: Two outputs")
def test_no_grid_of_three_regions_has_the_half_diagonals_of_the_three_boxes():
    """The three boxes have half diagonals of 65/256 squared; no pair of three regions has."""
    quarter, eighth = Fraction(1, 4), Fraction(1, 8)
    boxes = [(1, eighth), (2 * quarter, 1 - eighth), (2 * quarter, 1 - eighth)]
    assert {(a * a + b * b) * quarter for a, b in boxes} == {Fraction(65, 256)}
    first, second = Reals("first second")
    levels = [Or(first == 1, first == 3), first * second <= 3, second >= 1]
    assert is_closed(
        *levels, second * second + first * first <= 65 * first * first * second * second / 64
    )


ONE = Fraction(1)


def test_three_regions_are_a_third_each_in_their_disks():
    regions = areas.build_example_regions()
    sizes = [BoxUnion.from_boxes(*boxes).measure for boxes, _ in regions]
    union = BoxUnion.from_boxes(*(box for boxes, _ in regions for box in boxes)).measure
    corners = [
        (x - middle[0]) ** 2 + (y - middle[1]) ** 2
        for boxes, middle in regions
        for columns, rows in boxes
        for x, y in product(columns, rows)
    ]
    assert sizes == [Fraction(1, 3)] * 3
    assert union == sum(sizes) == 1  # none is missing, none is shared
    assert max(corners) == areas.RADIUS_SQUARED  # and a smaller disk would not do


def test_pairs_have_a_fourth_and_two_reports_are_not_enough():
    assert prod(find_min_cells((ONE, ONE), areas.RADIUS_SQUARED)) == 4
    assert prod(find_min_cells((ONE, ONE), areas.RADIUS_SQUARED / 3)) > 4
    points = list(product((Fraction(0), ONE / 2, ONE), repeat=2))

    def ways(radius_squared):
        """Ways to give the points two reports, none of two points further apart than 2 r."""
        apart = [
            (one, other)
            for one, other in combinations(range(9), 2)
            if sum((a - b) ** 2 for a, b in zip(points[one], points[other], strict=True))
            > 4 * radius_squared
        ]
        return sum(
            all(reports[one] != reports[other] for one, other in apart)
            for reports in product((0, 1), repeat=9)
        )

    assert ways(areas.RADIUS_SQUARED) == 0 < ways(Fraction(5, 16))


@pytest.fixture(scope="module")
def sizes():
    """Sides and accuracies of the paper's run."""
    return load_config()["deterministic"]["policies"]["two_outputs"]


def worst(sizes, statistic):
    table = areas.build_areas_table(**sizes)
    return table.loc[table["statistic"] == statistic, "value"].max()


def test_no_pair_exceeds_what_no_policy_does(sizes, monkeypatch):
    assert -1e-12 <= worst(sizes, "pair_beyond_most") <= 1e-12  # attained
    # A disk at a corner that had half of itself at most would be broken.
    monkeypatch.setattr(policies, "_compute_corner_area", lambda: pi / 2)
    assert worst(sizes, "pair_beyond_most") > 0.1


def test_the_pair_is_near_what_no_policy_exceeds(sizes, monkeypatch):
    assert -0.2 < worst(sizes, "ratio_minus_limit") < 0
    # Not so for pairs in disks of half of the area.
    least = policies.find_min_cells
    monkeypatch.setattr(policies, "find_min_cells", lambda sides, r2: least(sides, r2 / 2))
    assert worst(sizes, "ratio_minus_limit") > 0


def test_the_pentagon_has_its_known_zero_error_capacity():
    """A number a + b sqrt(5) is the pair (a, b); letters 0 to 4 stand on a circle."""
    one, half = Fraction(1), Fraction(1, 2)
    of_distance = {0: (-one, one), 1: (3 * half, -half), 2: (-one, 0 * one)}
    m = [[of_distance[min((i - j) % 5, (j - i) % 5)] for j in range(5)] for i in range(5)]
    for i, j in product(range(5), repeat=2):
        terms = [times(m[i][k], m[k][j]) for k in range(5)]
        assert tuple(map(sum, zip(*terms, strict=True))) == times((-5 * half, 5 * half), m[i][j])
    words = [(0, 0), (1, 2), (2, 4), (3, 1), (4, 3)]
    for pair in combinations(words, 2):
        assert any((a - b) % 5 in (2, 3) for a, b in zip(*pair, strict=True)), pair


def times(x, y):
    """The product of a + b sqrt(5) and c + d sqrt(5)."""
    return x[0] * y[0] + 5 * x[1] * y[1], x[0] * y[1] + x[1] * y[0]
