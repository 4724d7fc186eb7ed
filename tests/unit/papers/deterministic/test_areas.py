"""The least leakage of a query of two outputs."""

from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.deterministic.areas import (
    RADIUS_SQUARED,
    build_areas_table,
    build_example_regions,
)


def test_three_regions_share_the_square():
    """By counting cells of 1/360, on whose lattice all corners lie."""
    n = 360
    counted = np.zeros((n, n), dtype=int)
    for boxes, centre in build_example_regions():
        cells = np.zeros_like(counted)
        for (left, right), (bottom, top) in boxes:
            ends = [end * n for end in (left, right, bottom, top)]
            assert all(end.denominator == 1 for end in ends)
            a, b, c, d = map(int, ends)
            cells[a:b, c:d] += 1
        assert cells.sum() == n * n // 3
        counted += cells
        # Corners of the cells, from the centre, in units of 1/720.
        x, y = np.nonzero(cells)
        at = [int(2 * n * each) for each in centre]
        far = max(
            int(((2 * (x + i) - at[0]) ** 2 + (2 * (y + j) - at[1]) ** 2).max())
            for i in (0, 1)
            for j in (0, 1)
        )
        assert Fraction(far, (2 * n) ** 2) <= RADIUS_SQUARED
    assert (counted == 1).all()


def test_areas_of_pairs_are_those_computed_by_hand():
    table = build_areas_table(sides=[[1, 1], [10, 1]], accuracy=[1, 6, 64])
    found = table.pivot_table(
        index=["first_side", "second_side", "gamma"], columns="statistic", values="value"
    )
    assert found.loc[(1, 1, 6), "pair_area"] == pytest.approx(1 / 20)
    assert found.loc[(1, 1, 6), "most_area"] == pytest.approx((1 + np.pi / 2) / 36)
    assert (found["pair_beyond_most"] <= 1e-12).all()
    assert (found["ratio_minus_limit"] < 0).all()
    assert found.loc[(10, 1, 64), "pair_leakage_nats"] == pytest.approx(
        np.log(10 / found.loc[(10, 1, 64), "pair_area"])
    )
