"""What the noiseless paper's statements presuppose: plain loops and counter-examples by hand."""

import itertools
import math
from fractions import Fraction

import pytest

from noiseless.papers.noiseless import premises
from noiseless.seeds import make_generator


@pytest.fixture(scope="module")
def related():
    table = premises.build_related_table(universes=[[2, 2]])
    cell = ["theorem", "ranges", "others"]
    return table.pivot(index=cell, columns="statistic", values="value")


def test_identical_people_break_all_four_theorems():
    """Two people who always have the same datum; the first one's is released."""
    for theorem, left in premises._compute_left_hand_sides((0, 1)):
        assert left == 2, theorem  # against 2^epsilon = 1
    assert {theorem for theorem, _ in premises._compute_left_hand_sides((0, 1))} == {
        *("Theorem 1", "Theorem 2", "Theorem 3", "Theorem 5")
    }


def test_a_plain_loop_finds_as_many_breaks(related):
    """Every range of 2 x 2 data and every map, in sets; the budget is counted by Definition 1."""
    data = list(itertools.product(range(2), repeat=2))
    cases = breaks = outside = 0
    for size in range(1, 5):
        for held in itertools.combinations(data, size):
            xs, ys = {x for x, _ in held}, {y for _, y in held}
            if len(held) == len(xs) * len(ys):
                continue
            for outputs in itertools.product(range(4), repeat=4):
                if list(dict.fromkeys(outputs)) != list(range(len(set(outputs)))):
                    continue
                of = dict(zip(data, outputs, strict=True))
                beside = [{of[d] for d in held if d[1] == y} for y in ys]
                beside += [{of[d] for d in held if d[0] == x} for x in xs]
                budget = max(map(len, beside))
                fixed = [{of[x, y] for x in xs} for y in ys] + [{of[x, y] for y in ys} for x in xs]
                cases += len(fixed)
                breaks += sum(len(seen) > budget for seen in fixed)
                outside += sum(len(seen) > budget for seen in beside)
    assert (cases, breaks, outside) == (360, 88, 0)
    for theorem in ("Theorem 1", "Theorem 2", "Theorem 3", "Theorem 5"):
        found = related.loc[(theorem, "related", "fixed")]
        assert (found["cases"], found["violations"]) == (cases, breaks)


def test_nothing_breaks_beside_the_others_data_or_on_a_product(related):
    assert (related.xs("known", level="others")["violations"] == 0).all()
    assert (related.xs("product", level="ranges")["violations"] == 0).all()
    assert related.loc[("Theorem 1", "related", "unknown"), "violations"] > 0


def test_bits_against_nats_is_the_sign_in_floats():
    rng = make_generator(3, "units")
    for _ in range(200):
        one, top, bottom = (int(rng.integers(1, 40)) for _ in range(3))
        other = Fraction(max(top, bottom), min(top, bottom))
        expected = math.log2(one) - math.log(other)
        assert premises.compare_bits_with_nats(one, other) == (expected > 1e-12) - (
            expected < -1e-12
        )


def test_halves_of_a_range_break_proposition_1_in_nats():
    table = premises.build_units_table(cells=[2, 6])
    wide = table.pivot(index=["statement", "cells"], columns="statistic", values="value")
    assert wide.loc[("printed", 2), ["cases", "violations"]].tolist() == [2, 1]
    assert wide.loc[("printed", 6), "violations"] > 0
    assert (wide.loc["one base", "violations"] == 0).all()
    assert (wide.loc["one base", "equalities"] > 0).all()


def test_outputs_are_those_of_fractions_of_bins():
    for levels, data, people in itertools.product((1, 2, 3, 5, 8), (2, 3, 4), (1, 2, 3)):
        counts = []
        for others in itertools.product(range(data), repeat=people - 1):
            own = {
                min(
                    levels - 1,
                    math.floor(Fraction(levels * (sum(others) + x), people * (data - 1))),
                )
                for x in range(data)
            }
            counts.append(len(own))
        assert premises.count_max_outputs(levels, data=data, people=people) == max(counts)


def test_a_measure_of_zero_grants_too_many_levels():
    table = premises.build_sensitivity_table(data=[2, 3], people=[1, 2], epsilon_bits=[0.5, 1])
    wide = table.pivot(
        index=["data", "people", "epsilon_bits"], columns="statistic", values="value"
    )
    assert wide.loc[(3, 1, 1.0), "excess_measure"] == 1
    assert (wide["excess_difference"] <= 0).all()
    assert (wide["sensitivity_measure"] < wide["sensitivity_difference"]).all()
