"""The theory's tables: they find nothing where a theorem holds, and would if it did not."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from noiseless.experiments.deterministic import policies
from noiseless.experiments.deterministic import theorems as theory_deterministic
from noiseless.experiments.noiseless import guarantees as theory_guarantees
from noiseless.experiments.nsht import hypotheses as theory_tests
from noiseless.experiments.nsht import indistinguishability

GUARANTEES = {
    "universes": [[2, 2], [2, 3]],
    "pair_universes": [[2, 2]],
    "random_universes": [[3, 3]],
    "random_maps": 20,
    "relations": [[2, 2], [3, 3]],
    "seed": 5,
}
THEOREMS = {
    "relations": [[2, 2], [3, 3]],
    "random_relations": 50,
    "random_size": 8,
    "seed": 5,
    "largest_map": 4,
    "interval_cells": 4,
    "grids": [[2, 2]],
    "partition_cells": 5,
    "half_widths": [0.5, 1, 1.5],
    "sloped_cells": 2,
    "volume_cells": 4,
}
TESTS = {"largest_universe": 4, "random_universes": [8], "random_maps": 50, "seed": 5}
QUERIES = {
    "people": [2, 3],
    "largest_coefficient": 3,
    "epsilon": [1, 2, 3, 4],
    "random_people": [8],
    "random_queries": 5,
    "seed": 5,
}
DENSITIES = {"cells": [2, 3], "random_cells": [6], "random_pairs": 100, "seed": 5}
# Statements as printed that do not hold, by what their names begin with.
FALSE = (
    "Section I:",
    "Section IV:",
    "Equation 16 as printed",
    "Theorem 1, related",
    "Appendix 11",
    "printed",
    "absolute",
)


def wide(table: pd.DataFrame) -> pd.DataFrame:
    """Sums over universes, one row per statement."""
    cell = [column for column in table if column not in ("statistic", "value")]
    pivoted = table.pivot(index=cell, columns="statistic", values="value")
    return pivoted.groupby(level="statement").sum()


@pytest.fixture(scope="module")
def guarantees():
    return wide(theory_guarantees.guarantees_table(**GUARANTEES))


@pytest.fixture(scope="module")
def tallies(guarantees):
    """Every enumeration of statements that can be halved or lowered by one."""
    tables = [theory_tests.tests_table(**TESTS), theory_tests.le_cam_table(**DENSITIES)]
    # Random cases alone must catch a weakened bound, too.
    tables += [table[table["universe"].str.contains("random")] for table in tables]
    tables.append(theory_deterministic.theorems_table(**THEOREMS))
    return pd.concat([guarantees, *map(wide, tables)])


def test_true_statements_are_never_broken(tallies):
    true = ~tallies.index.str.startswith(FALSE)
    assert true.sum() >= 25
    assert (tallies.loc[true, "violations"] == 0).all()
    assert (tallies["cases"] > 0).all()


def test_false_statements_are_broken(tallies):
    false = tallies.index.str.startswith(FALSE)
    assert false.sum() == 7  # Appendix 11 twice
    assert (tallies.loc[false, "violations"] > 0).all()


def test_every_enumeration_catches_a_bound_that_is_half_as_large(tallies):
    assert (tallies["violations_if_halved"] > 0).all()


def test_every_enumeration_catches_a_bound_that_is_one_less(tallies):
    counts = tallies["violations_if_one_less"].dropna()
    assert len(counts) >= 22
    assert (counts > 0).all()


def test_budget_one_value_too_small_is_caught(monkeypatch):
    """A mutation of the code itself, not of the bound."""
    monkeypatch.setattr(
        theory_guarantees,
        "values_kept",
        lambda sizes, outputs, true=theory_guarantees.values_kept: max(1, true(sizes, outputs) - 1),
    )
    pairs_alone = {**GUARANTEES, "universes": [], "random_universes": []}
    table = wide(theory_guarantees.guarantees_table(**pairs_alone))
    assert table.loc["Theorem 6", "violations"] > 0


def test_quantizer_with_a_level_too_many_is_caught(monkeypatch):
    exact = theory_guarantees.exact_levels
    monkeypatch.setattr(theory_guarantees, "exact_levels", lambda *a, **k: exact(*a, **k) + 1)
    table = theory_guarantees.levels_table(people=[2, 4], epsilon=[1, 2, 3])
    assert (table.loc[table["statistic"] == "excess_exact", "value"] == 1).all()


def test_optimal_quantizer_with_a_level_too_many_is_caught(monkeypatch):
    levels = theory_deterministic.levels_for_accuracy
    monkeypatch.setattr(
        theory_deterministic, "levels_for_accuracy", lambda *a, **k: levels(*a, **k) + 1
    )
    cases = theory_deterministic._policies(5, [0.5, 1, 1.5])
    assert any(left > right for left, right in cases)


def test_policies_of_the_accuracy_of_another_are_caught(monkeypatch):
    """Mutations of the search: bins that are a part too long, and a region too many."""
    cuts, regions = theory_deterministic.best_cuts, theory_deterministic.least_regions
    monkeypatch.setattr(
        theory_deterministic, "best_cuts", lambda v, longest: cuts(v, longest=longest - 1)
    )
    monkeypatch.setattr(theory_deterministic, "least_regions", lambda *a: regions(*a) + 1)
    table = wide(theory_deterministic.theorems_table(**THEOREMS))
    assert table.loc["Theorem IV.3, P1: bins are best", "violations"] > 0
    assert table.loc["Two outputs: fewest regions", "violations"] > 0


def test_a_level_too_many_breaks_theorem_4_1(monkeypatch):
    levels = theory_deterministic.levels_for_accuracy
    monkeypatch.setattr(
        theory_deterministic, "levels_for_accuracy", lambda *a, **k: levels(*a, **k) + 1
    )
    cases = theory_deterministic._sloped_policies(2)["Theorem IV.1: constant pieces are optimal"]
    assert any(left > right for left, right in cases)


def test_parts_of_a_slope_grow_with_the_points_at_which_it_is_looked_at(monkeypatch):
    for samples in (2, 5):
        monkeypatch.setattr(theory_deterministic, "_SAMPLES", samples)
        cases = theory_deterministic._sloped_policies(1)["Theorem IV.1: parts of a slope"]
        assert cases
        assert set(cases) == {(samples, samples)}


def test_two_outputs():
    table = policies.two_outputs_table(sides=[[1, 1], [2, 1]], accuracy=[1, 4, 32])
    wide = table.pivot(
        index=["first_side", "second_side", "gamma"], columns="statistic", values="value"
    )
    assert wide.loc[(1.0, 1.0, 1.0)].tolist() == [1, 1, 1]
    # Boxes of 1/4 by 1/3 or so: 3 by 3, and never fewer than 1 / (2.598 / 16).
    assert wide.loc[(1.0, 1.0, 4.0), ["grid_regions", "least_regions"]].tolist() == [9, 7]
    # Two by one does not fit into a disk of radius 1.
    assert wide.loc[(2.0, 1.0, 1.0)].tolist() == [2, 2, 1]
    assert (wide["ratio"] >= 1).all()


def test_a_pair_of_levels_that_is_too_fine_is_caught(monkeypatch):
    levels = indistinguishability.indistinguishable_levels
    monkeypatch.setattr(
        indistinguishability, "indistinguishable_levels", lambda e, n: levels(e, n) + 1
    )
    table = indistinguishability.indistinguishability_table(people=[2, 5], epsilon=[1, 2, 3])
    assert (table.loc[table["statistic"] == "excess_exact", "value"] == 1).all()


def test_theorems_1_and_3_by_plain_loops(guarantees):
    """All functions of a 2 x 2 and a 2 x 3 universe, in floats, with names of outputs as well."""
    cases = tests = 0
    for sizes in ((2, 2), (2, 3)):
        data = list(itertools.product(*map(range, sizes)))
        for outputs in itertools.product(range(len(data)), repeat=len(data)):
            if list(dict.fromkeys(outputs)) != list(range(len(set(outputs)))):
                continue
            f = dict(zip(data, outputs, strict=True))
            lines = [[f[x, y] for x in range(sizes[0])] for y in range(sizes[1])]
            lines += [[f[x, y] for y in range(sizes[1])] for x in range(sizes[0])]
            epsilon = max(math.log2(len(set(line))) for line in lines)
            for line in lines:
                cases += 1
                assert math.log2(len(set(line))) <= epsilon
                for one, other in itertools.combinations(line, 2):
                    for _ in itertools.product((0, 1), repeat=len({one, other})):
                        tests += 1
    random = theory_guarantees.guarantees_table(**{**GUARANTEES, "universes": []})
    random = wide(random)
    for statement, expected in (("Theorem 1: L0(Y;Xi) <= epsilon", cases), ("Theorem 3", tests)):
        found = guarantees.loc[statement, "cases"] - random.loc[statement, "cases"]
        assert found == expected


def test_identical_people_break_theorem_1():
    """Two people who always have the same datum; the first one's is released."""
    assert theory_guarantees.values_kept([2, 2], (0, 0, 1, 1)) == 2
    related = theory_guarantees._related_cases([2, 2])
    unknown = related["Theorem 1, related individuals: others unknown"]
    assert any(left == 2 and right == 1 for left, right in unknown)


def test_random_universes_depend_on_the_seed_alone():
    for function, settings in (
        (theory_guarantees.guarantees_table, {**GUARANTEES, "universes": [], "pair_universes": []}),
        (theory_tests.tests_table, TESTS),
        (theory_tests.le_cam_table, {**DENSITIES, "cells": []}),
        (indistinguishability.linear_queries_table, QUERIES),
    ):
        one = function(**settings)
        pd.testing.assert_frame_equal(one, function(**settings))
        assert not one.equals(function(**{**settings, "seed": 6}))


def test_estimation_error_bounds():
    table = theory_guarantees.estimation_table(cells=[2, 3], other_widths=[1, 0.1, 0.01])
    counts = table.pivot(
        index=["statement", "moment", "other_width"], columns="statistic", values="value"
    )
    assert (counts.loc[["sharp", "conditional"], "violations"] == 0).all()
    assert (counts.loc["sharp", "equalities"] > 0).all()
    assert (counts.loc["sharp", "violations_if_halved"] > 0).all()
    # Without the absolute value; and with a joint density that a thin range makes large.
    assert counts.loc[("printed", 1, 1.0), "violations"] == counts.loc[("printed", 1, 1.0), "cases"]
    assert counts.loc[("absolute", 1, 1.0), "violations"] == 0
    assert counts.loc[("printed", 2, 1.0), "violations"] == 0
    assert counts.loc[("printed", 2, 0.01), "violations"] > 0


def test_levels_table_counts_what_the_formula_says():
    table = theory_guarantees.levels_table(people=[1, 2, 3, 8], epsilon=[1, 1.5, 2, 4])
    wide = table.pivot(index=["people", "epsilon"], columns="statistic", values="value")
    for name in ("printed", "exact"):
        assert (wide[f"values_{name}"] == wide[f"values_{name}_counted"]).all()
    assert (wide["excess_exact"] <= 0).all()
    assert (wide["excess_one_more"] >= 1).all()
    assert (wide.loc[1, "excess_printed"] <= 0).all()
    assert wide.loc[(2, 1.0), "excess_printed"] == 1


def test_le_cam_by_hand():
    """Two densities that do not overlap: the best test is always right."""
    facts = theory_tests._le_cam_facts((1, 0, 0), (0, 1, 1))
    # Densities 3 and 3/2 on disjoint supports: nu = 1, no error; epsilon = 3/2 and a symmetric
    # difference of 1.
    assert ("Appendix 11: P(error) >= 1 - nu", 0, 0) in facts
    assert facts.count(("Theorem 3", Fraction(3, 4), 1)) == 3
    assert ("Theorem 3, sharper, for equal priors", Fraction(7, 8), 1) in facts


def test_examples_of_nsht():
    facts = theory_tests.examples_table().set_index("statistic")["value"]
    assert facts["certain_10_cm"] == facts["certain_20_cm"] == 150
    assert (facts["reports_10_cm"], facts["reports_20_cm"]) == (170, 190)
    assert facts["scaled_performance_20_nats"] == pytest.approx(math.log(150) - math.log(190))


def test_theorem_5_holds_with_room_to_spare():
    table = indistinguishability.linear_queries_table(**QUERIES)
    for part in (table, table[table["universe"].str.contains("random")]):
        counts = wide(part)
        assert (counts["violations"] == 0).all()
        assert (counts["equalities"] == 0).all()
        assert (counts["violations_if_halved"] > 0).all()


def test_densities_by_plain_fractions():
    """Every statement again, from densities and their integrals."""
    for p0, p1 in theory_tests._random_pairs(5, 10, seed=2):
        f0, f1 = ([Fraction(5 * w, sum(p)) for w in p] for p in (p0, p1))
        floor = min(density for density in (*f0, *f1) if density)
        apart = Fraction(sum((a > 0) != (b > 0) for a, b in zip(f0, f1, strict=True)), 5)
        nu = sum(abs(a - b) for a, b in zip(f0, f1, strict=True)) / 10
        rights = [
            (
                sum(a for a, yes in zip(f0, test, strict=True) if yes) / 5,
                sum(b for b, yes in zip(f1, test, strict=True) if not yes) / 5,
            )
            for test in itertools.product((True, False), repeat=5)
        ]
        facts = theory_tests._le_cam_facts(p0, p1)
        for quarters in (1, 2, 3):
            prior = Fraction(quarters, 4)
            best = max(prior * a + (1 - prior) * b for a, b in rights)
            assert ("Theorem 3", floor * apart / 2, best) in facts
        even = max(a + b for a, b in rights) / 2
        assert ("Appendix 11: P(error) >= 1 - nu", 1 - nu, 1 - even) in facts
        assert ("sum of both errors >= 1 - nu", 1 - nu, 2 - 2 * even) in facts


def test_leakage_of_the_average_by_counting_data_sets():
    """Data on a lattice of 40 points a person: shares of data sets in the lowest bin."""
    table = indistinguishability.indistinguishability_table(people=[2, 3], epsilon=[1, 2, 3])
    wide = table.pivot(index=["people", "epsilon"], columns="statistic", values="value")
    for n, epsilon in itertools.product((2, 3), (1, 2, 3)):
        axis = (np.arange(60) + 0.5) / 60
        sums = sum(np.meshgrid(*[axis] * n))
        levels = int(wide.loc[(n, epsilon), "levels_printed"])
        share = (sums <= n / levels).mean()
        found = wide.loc[(n, epsilon), "leakage_nats"]
        assert found == pytest.approx(-math.log(share), abs=0.06)
    assert (wide.loc[(2, 1), ["leakage_nats", "leakage_of_one_nats"]] == 0).all()


def test_examples_of_deterministic():
    facts = policies.examples_table().set_index("statistic")["value"]
    assert facts["ex2_1_d0_nats"] == -math.inf
    assert facts["ex2_1_leakage_nats"] == facts["ex2_1_maximin_nats"] == math.inf
    assert facts["ex2_1_d_max"] == facts["ex2_1_theorem_2_1"] == 0.25
    assert facts["ex2_1_h0_sup_nats"] == pytest.approx(-math.log(2))
    assert (facts["fewest_levels"], facts["most_levels"]) == (4, 8)
    assert facts["unrelated_privacy"] == math.inf


def test_averaging_policy():
    table = policies.averaging_table(accuracy=[0.25, 1, 1.1, 2])
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


def test_regions_against_counting_on_a_lattice():
    regions = policies.regions_table(accuracy=2, lattice=601)
    raster = policies.raster_table(accuracy=2, lattice=400)
    wide = regions.pivot(index=["query", "region"], columns="statistic", values="value")
    for query, rows in raster.groupby("query"):
        share = rows["value"].value_counts(normalize=True).sort_index()
        np.testing.assert_allclose(wide.loc[query, "area"], 16 * share, atol=0.02)
        assert wide.loc[query, "area"].sum() == pytest.approx(16)
    assert (wide.loc["average", "level_set_pieces"] == 1).all()
    assert wide.loc["quadratic", "level_set_pieces"].tolist() == [1] * 4 + [2] * 4 + [4] * 4


def test_heights_of_two_people_and_of_others():
    table = policies.heights_table(people=[1, 2, 3], levels=12, height_range_cm=[100, 250])
    wide = table.pivot(index=["people", "levels"], columns="statistic", values="value")
    assert wide.loc[(2, 10), "d_min_cm"] == pytest.approx(150 * math.sqrt(2) / 10)
    assert wide.loc[(3, 10), "d_min_cm"] == pytest.approx(150 * math.sqrt(6) / 10)
    assert wide.loc[(1, 10), "d_min_cm"] == pytest.approx(7.5)
    assert wide.loc[(2, 10), "gamma_up_to"] == pytest.approx(10 / 75)
