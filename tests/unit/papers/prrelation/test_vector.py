"""Answers to several queries: brute force, noisy answers, and Theorem 4."""

import math

import numpy as np
import pytest
from scipy import stats

from noiseless.adversaries.likelihood_ratio import compute_laplace_test_rates
from noiseless.papers.prrelation.vector import build_vector_table, compute_vector_rates
from wide_table import wide


@pytest.mark.parametrize("epsilon_nats", [0.1, 1.0, 4.0])
def test_vector_of_one_is_the_scalar(epsilon_nats):
    ratio = np.linspace(-1.1, 1.1, 45) * epsilon_nats
    for ours, known in zip(
        compute_vector_rates(ratio, epsilon_nats=epsilon_nats, queries=1),
        compute_laplace_test_rates(ratio, epsilon_nats),
        strict=True,
    ):
        np.testing.assert_allclose(ours, known, atol=1e-14)


@pytest.mark.parametrize("epsilon_nats", [0.5, 1.0, 3.0])
def test_vector_of_two_equals_a_sum_over_a_fine_lattice_of_answers(epsilon_nats):
    """Both numbers are cut into 4,001 cells; the ratio is that of a cell's middle."""
    edges = np.linspace(-1, 2, 4002)
    middle = (edges[1:] + edges[:-1]) / 2 * epsilon_nats
    ratio = np.abs(middle) - np.abs(middle - epsilon_nats)
    edges[[0, -1]] = -np.inf, np.inf
    cells = [np.diff(stats.laplace.cdf((edges - centre) * epsilon_nats)) for centre in (1, 0)]
    for least in (
        -1.3 * epsilon_nats,
        -0.2 * epsilon_nats,
        0.013,
        0.9 * epsilon_nats,
        1.7 * epsilon_nats,
    ):
        accepted = ratio[:, None] + ratio >= least
        brute = [mass @ (accepted @ mass) for mass in cells]
        ours = compute_vector_rates(least, epsilon_nats=epsilon_nats, queries=2)
        np.testing.assert_allclose(ours, brute, atol=2e-3)


def test_vector_adversary_run_on_noisy_answers():
    rng, queries, epsilon_nats, count = np.random.default_rng(3), 5, 0.7, 200_000
    noise = rng.laplace(size=(count, queries))
    for which, centre in enumerate((epsilon_nats, 0.0)):
        answers = noise + centre
        ratio = (np.abs(answers) - np.abs(answers - epsilon_nats)).sum(axis=1)
        for least in (-2.01, 0.37, 1.9):
            rate = float(
                compute_vector_rates(least, epsilon_nats=epsilon_nats, queries=queries)[which]
            )
            assert abs((ratio >= least).mean() - rate) < 5 * math.sqrt(rate / count)


@pytest.mark.parametrize("queries", [2, 3, 8])
def test_vector_rates_are_probabilities_that_sum_to_one(queries):
    for epsilon_nats in (0.05, 1.0, 6.0):
        everything = compute_vector_rates(
            -queries * epsilon_nats - 1, epsilon_nats=epsilon_nats, queries=queries
        )
        np.testing.assert_allclose(everything, 1, atol=1e-12)
        nothing = compute_vector_rates(
            queries * epsilon_nats + 1, epsilon_nats=epsilon_nats, queries=queries
        )
        np.testing.assert_array_equal(nothing, 0)


def test_vector_is_never_easier_than_theorem_4_says_and_mostly_harder():
    table = wide(
        build_vector_table(queries=[1, 2, 4], epsilon_nats=[0.3, 1.0]), ["queries", "epsilon_nats"]
    )
    assert (table["largest_recall_excess"] <= 1e-12).all()
    assert abs(table.loc[1, "best_minus_scalar_f1"]).max() < 1e-12
    assert (table.loc[[2, 4], "best_minus_scalar_f1"].xs(1.0, level="epsilon_nats") < -0.05).all()
