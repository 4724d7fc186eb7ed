"""Bends are second derivatives; an affine bound by hand."""

import math

import pytest

from noiseless.papers.knowledge import convexity


def test_bends_are_second_derivatives():
    terms = convexity.build_logistic_terms()
    assert terms["error"].max() < 1e-13
    # Of log(a e^u + b) it is p (1 - p) with p = a e^u / (a e^u + b), least at the ends.
    for row in terms.to_dict("records"):
        truth = math.exp(row["epsilon_nats"]) / (1 + math.exp(row["epsilon_nats"]))
        odds = (1 - truth, truth) if row["output"] == 0 else (truth, 1 - truth)
        ends = []
        for u in (-20, 20):
            for a, b in (odds, (1, 1)):
                p = a * math.exp(u) / (a * math.exp(u) + b)
                ends.append(p * (1 - p))
        assert row["least_bend"] == pytest.approx(min(ends), abs=1e-9)


def test_the_bound_of_a_square_by_hand():
    """H - h^2 = h (2 s - h) on a square of side s: at most s^2, and s^2 at two corners."""
    found = convexity.build_envelopes(halvings=3, points=5).set_index("function")
    assert found.loc["square", "last_gap"] == pytest.approx(1 / 64)
    assert found.loc["square", "excess"] == pytest.approx(1)
    assert found["below"].sum() == 0
