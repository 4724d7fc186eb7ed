"""Sentences between the theorems: by hand, by plain sums, and against scikit-learn."""

import math

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from enumerations import sums_by_statement
from noiseless.papers.deterministic import sentences


@pytest.fixture(scope="module")
def tallies():
    return sums_by_statement(sentences.build_sentences_table())


@pytest.mark.parametrize("sentence", ["II.1", "III.1", "IV.2", "dense"])
def test_printed_is_broken_and_mended_is_not(tallies, sentence):
    printed, mended = (tallies.loc[f"{sentence}, {each}"] for each in ("printed", "mended"))
    assert printed["violations"] > 0
    assert mended["violations"] == 0
    assert mended[["violations_if_halved", "violations_if_one_less"]].max() > 0
    assert printed["cases"] == mended["cases"]


def test_the_line_of_theorem_ii_1_is_right_on_a_line():
    table = sentences.build_sentences_table()
    line = table["universe"].str.contains("interval") & (table["statement"] == "II.1, printed")
    rows = table[line].set_index("statistic")["value"]
    assert (rows["violations"], rows["cases"]) == (0, 2**6 - 1)


def test_all_unions_of_cells_are_tried(tallies):
    assert tallies.loc["II.1, printed", "cases"] == 2**6 + 2**4 + 2**6 + 2**9 - 4


@pytest.mark.parametrize("steps", [1, 2, 3, 10])
@pytest.mark.parametrize("ordered", [True, False])
def test_distance_to_steps_is_that_of_a_fine_sum(steps, ordered):
    """By the midpoint rule, with scikit-learn's nearest nondecreasing values."""
    y = (np.arange(60_000) + 0.5) / 60_000
    cell = np.minimum((y * steps).astype(int), steps - 1)
    values = np.bincount(cell, weights=1 - y) / np.bincount(cell)
    if ordered:
        values = IsotonicRegression().fit_transform(np.arange(steps), values)
    squared = np.mean((1 - y - values[cell]) ** 2)
    exact = sentences.compute_squared_distance(steps, ordered=ordered)
    assert float(exact) == pytest.approx(squared, abs=1e-8)
    if ordered:
        assert math.sqrt(exact) == pytest.approx(1 / math.sqrt(12), rel=1e-12)


def test_pooled_values_of_any_order_are_scikit_learns():
    random = np.random.default_rng(5)
    for _ in range(50):
        means = random.integers(0, 9, 7)
        pooled = sentences._fit_nondecreasing([sentences.Fraction(int(each)) for each in means])
        np.testing.assert_allclose(
            [float(each) for each in pooled], IsotonicRegression().fit_transform(range(7), means)
        )
