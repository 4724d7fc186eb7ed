"""Lemmas and definitions in exact fractions."""

import itertools

import pytest

from noiseless.papers.knowledge import theory
from noiseless.seeds import make_generator


def test_lemma_3_2_reaches_its_delta_exactly_and_lemma_3_1_holds():
    facts = theory.build_learning_table(mechanisms=30, beliefs=5, seed=3).set_index("statistic")[
        "value"
    ]
    assert facts[["above_loss", "below_inverse", "leakage_above_loss"]].sum() == 0
    assert facts["shortfall"] == 1e-6


def test_delta_of_definition_4_6_is_the_largest_over_all_sets_of_outputs():
    """The closed form takes the worst set; here every set is tried."""
    for number in range(40):
        mechanism = theory._draw_mechanism(make_generator(4, number))
        exp_epsilon = theory.Fraction(13, 10)
        columns, worst = list(zip(*mechanism, strict=True)), 0
        for size in range(len(mechanism) + 1):
            for chosen in itertools.combinations(range(len(mechanism)), size):
                for one, two in itertools.permutations(columns, 2):
                    excess = sum(one[k] - exp_epsilon * two[k] for k in chosen)
                    worst = max(worst, excess)
        assert theory._compute_delta_4_6(mechanism, exp_epsilon) == worst
        assert theory._compute_delta_4_7(mechanism, exp_epsilon) >= worst


def test_printed_line_15_accepts_less():
    table = theory.build_line_15_table(budgets_nats=[0.8], delta=1e-5, queries=5, runs=5, seed=1)
    accepted = table[table["statistic"] == "mean_accepted"].set_index("line_15")["value"]
    assert accepted["printed"] == 0
    assert accepted["corrected"] >= 1


@pytest.mark.parametrize("values", [2, 3, 5])
def test_numbers_of_all_beliefs_are_those_of_one_after_the_other(values):
    """The table of learning draws them at once, with a bound for each row."""
    together, alone = (make_generator(4, "beliefs", values) for _ in range(2))
    drawn = together.integers(1, [[30], [11], [11], [11]], (7, 4, values))
    for belief in drawn:
        for row, bound in zip(belief, (30, 11, 11, 11), strict=True):
            assert row.tolist() == alone.integers(1, bound, values).tolist()
