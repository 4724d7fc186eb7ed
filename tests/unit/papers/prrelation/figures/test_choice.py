"""Figures of the choice of epsilon."""

import math

import numpy as np

from drawn import alike, points, printed, shown, tidy
from noiseless.figures.style import PRINTED_LABEL
from noiseless.papers.prrelation.figures import choice

MECHANISMS = ["laplace", "gaussian_classical", "gaussian_analytic", "any"]
KNOWLEDGE = ["none", "prior", "records", "time"]


def test_the_figure_shows_the_largest_epsilon_and_the_least_noise():
    where = {"knowledge": KNOWLEDGE, "beta": [1.0, 2.0], "f_score": [0.8, 0.9]}
    table = tidy("epsilon_nats", "noise", "floor", mechanism=MECHANISMS, **where)
    table = alike(table, "floor", by=["mechanism", "knowledge", "beta"])
    numbers = printed(
        *("prrelation/choice", "epsilon_nats"),
        ({"beta": [1], "f_score": [0.9]}, 3.2),
        ({"beta": [2], "f_score": [0.9]}, 2.7),
    )
    left, middle, right = choice.plot_choice(table, numbers).axes
    first = {"beta": 1.0, "mechanism": "laplace"}
    lines = shown(left)
    assert lines.pop(PRINTED_LABEL) == [(0.9, 3.2)]
    assert list(lines.values()) == [
        points(table, "f_score", statistic="epsilon_nats", knowledge=name, **first)
        for name in KNOWLEDGE
    ]
    floors = [line.get_xdata()[0] for line in left.lines if line.get_label().startswith("_")]
    assert floors == [
        points(table, "f_score", statistic="floor", knowledge=name, **first)[0][1]
        for name in KNOWLEDGE
    ]
    for axis, name, factor in ((middle, "epsilon_nats", 1), (right, "noise", math.sqrt(2))):
        found = list(shown(axis).values())
        for mechanism, drawn in zip(MECHANISMS[:3], found, strict=True):
            where = {"statistic": name, "mechanism": mechanism, "knowledge": "none", "beta": 1.0}
            expected = np.array(points(table, "f_score", **where))
            # The deviation of Laplace noise is sqrt(2) times its scale.
            expected[:, 1] *= factor if mechanism == "laplace" else 1
            np.testing.assert_allclose(drawn, expected)


def test_the_figure_shows_what_several_answers_mean():
    asked = {"mechanism": MECHANISMS, "answers": [1, 10], "prior": [0.2, 0.1]}
    table = tidy("posterior", "true_positives", **asked, epsilon_nats=[0.1, 1])
    for axis, name in zip(
        choice.plot_meaning(table).axes, ("posterior", "true_positives"), strict=True
    ):
        assert list(shown(axis).values()) == [
            points(
                *(table, "epsilon_nats"),
                **{"statistic": name, "mechanism": each, "answers": answers, "prior": 0.1},
            )
            for each in ("laplace", "gaussian_analytic", "any")
            for answers in (1, 10)
        ]
