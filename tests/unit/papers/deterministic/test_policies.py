"""Tables of optimal policies, by hand and by counting on a lattice."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noiseless.papers.deterministic import policies


def test_regions_of_two_outputs_are_those_counted_by_hand():
    table = policies.build_two_outputs_table(sides=[[1, 1], [2, 1]], accuracy=[1, 4, 32])
    wide = table.pivot(
        index=["first_side", "second_side", "gamma"], columns="statistic", values="value"
    )
    regions = ["grid_regions", "least_regions", "ratio"]
    assert wide.loc[(1.0, 1.0, 1.0), regions].tolist() == [1, 1, 1]
    # Boxes of 1/4 by 1/3 or so: 3 by 3, and never fewer than 1 / (2.598 / 16).
    assert wide.loc[(1.0, 1.0, 4.0), ["grid_regions", "least_regions"]].tolist() == [9, 7]
    # Two by one does not fit into a disk of radius 1.
    assert wide.loc[(2.0, 1.0, 1.0), regions].tolist() == [2, 2, 1]
    assert (wide["ratio"] >= 1).all()
    # Half of the diagonal of a third by a third, four of which are a side; and of the unit square.
    assert wide.loc[(1.0, 1.0, 4.0), "error_times_gamma"] == pytest.approx(4 * math.sqrt(2) / 6)
    assert wide.loc[(1.0, 1.0, 1.0), "ratio_minus_limit"] == pytest.approx(
        1 - 0.75 * math.sqrt(3) * (1 + math.sqrt(2)) ** 2
    )


def test_no_pair_of_quantizers_has_fewer_regions_than_the_best(monkeypatch):
    """Every pair of up to 20 levels each; and a pair that is not the best is noticed."""
    table = policies.build_two_outputs_table(sides=[[2, 1]], accuracy=[3])
    cells = table.set_index("statistic")["value"]
    accurate = [
        one * two
        for one in range(1, 21)
        for two in range(1, 21)
        if math.hypot(2 / one, 1 / two) / 2 <= 1 / 3
    ]
    assert cells["grid_regions"] == min(accurate)
    assert cells["fewer_accurate_pairs"] == 0
    worse = policies.find_optimal_grid
    monkeypatch.setattr(
        policies, "find_optimal_grid", lambda gamma, **ranges: worse(2 * gamma, **ranges)
    )
    table = policies.build_two_outputs_table(sides=[[2, 1]], accuracy=[3])
    assert table.set_index("statistic")["value"]["fewer_accurate_pairs"] > 0


def test_the_papers_examples_have_the_values_computed_by_hand():
    facts = policies.build_examples_table().set_index("statistic")["value"]
    assert facts["ex2_1_d0_nats"] == -math.inf
    assert facts["ex2_1_leakage_nats"] == facts["ex2_1_maximin_nats"] == math.inf
    assert facts["ex2_1_d_max"] == facts["ex2_1_theorem_2_1"] == 0.25
    assert facts["ex2_1_h0_sup_nats"] == pytest.approx(-math.log(2))
    assert (facts["fewest_levels"], facts["most_levels"]) == (4, 8)
    assert facts["unrelated_privacy"] == math.inf


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


def test_distances_of_heights_are_those_computed_by_hand():
    table = policies.build_heights_table(people=[1, 2, 3], levels=12)
    wide = table.pivot(index=["people", "levels"], columns="statistic", values="value")
    assert wide.loc[(2, 10), "d_min_cm"] == pytest.approx(150 * math.sqrt(2) / 10)
    assert wide.loc[(3, 10), "d_min_cm"] == pytest.approx(150 * math.sqrt(6) / 10)
    assert wide.loc[(1, 10), "d_min_cm"] == pytest.approx(7.5)
    assert wide.loc[(2, 10), "gamma_up_to"] == pytest.approx(10 / 75)


def test_three_boxes_cover_the_square_and_just_reach_the_radius():
    facts = policies.build_examples_table().set_index("statistic")["value"]
    assert facts["boxes_missing_area"] == facts["boxes_beyond_radius"] == 0
    assert facts["boxes_regions"] == 3
    assert facts["boxes_grid_regions"] == 4
