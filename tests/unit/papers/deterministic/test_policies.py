"""Tables of optimal policies, by hand and by counting on a lattice."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.deterministic import policies


def test_the_averaging_policy_has_the_levels_computed_by_hand():
    table = policies.build_averaging_table(accuracy=[*map(Fraction, ("1/4", "1", "11/10", "2"))])
    wide = table.pivot(index="gamma", columns="statistic", values="value")
    assert wide["levels"].tolist() == [1, 2, 3, 4]
    assert wide.loc[2.0, "leakage_nats"] == pytest.approx(math.log(16 / 2))
    assert wide.loc[2.0, "smallest_error"] == pytest.approx(math.sqrt(2))
    assert (wide["query_error"] <= 1).all()
    # Bins that are best for P1 leak less where equal bins are narrower than they need be.
    # At 1.1, three bins: the outer ones of equal bins hold 2 (4/3)^2 of 16; a third is possible.
    gain = wide["leakage_nats"] - wide["least_leakage_nats"]
    assert gain[[0.25, 1, 2]].tolist() == [0, 0, 0]
    assert gain[1.1] == pytest.approx(math.log(4.5 / 3), abs=0.01)
    assert wide.loc[1.1, "least_leakage_bound_nats"] == pytest.approx(math.log(3))
    assert (wide["least_leakage_nats"] >= wide["least_leakage_bound_nats"]).all()


@pytest.mark.parametrize(
    ("per_unit", "expected"),
    [
        (1, [1, 2, 3, 4, 5]),
        (2, [k / 2 for k in range(1, 11)]),
        (3, [Fraction(k, 3) for k in range(1, 16)]),
        (20, [Fraction(k, 100) for k in range(25, 501, 5)]),
    ],
)
def test_accuracies_are_the_multiples_on_the_axis(per_unit, expected):
    assert policies.list_accuracies(per_unit) == expected


@pytest.mark.parametrize("per_unit", [3, 7, 13])
def test_any_number_of_accuracies_takes_few_cells(per_unit, monkeypatch):
    """The text of a third as a float is a fraction with a denominator of 10^16."""
    cells, counted = [], policies.compute_slab_shares

    def count(people, levels):
        cells.append(levels)
        return counted(people, levels)

    monkeypatch.setattr(policies, "compute_slab_shares", count)
    policies.build_averaging_table(accuracy=policies.list_accuracies(per_unit))
    assert max(cells) <= 100 * per_unit


def test_regions_agree_with_counting_on_a_lattice():
    regions = policies.build_regions_table(lattice=601)
    raster = policies.build_raster_table(lattice=400)
    wide = regions.pivot(index=["query", "region"], columns="statistic", values="value")
    for query, rows in raster.groupby("query"):
        share = rows["value"].value_counts(normalize=True).sort_index()
        np.testing.assert_allclose(wide.loc[query, "area"], 16 * share, atol=0.02)
        assert wide.loc[query, "area"].sum() == pytest.approx(16)
    assert (wide.loc["average", "level_set_pieces"] == 1).all()
    assert wide.loc["quadratic", "level_set_pieces"].tolist() == [1] * 4 + [2] * 4 + [4] * 4
