"""What dependence does to an epsilon, against closed forms."""

import math

import pytest

from noiseless.papers.prrelation.dependence import build_dependence_table


def test_copies_and_independent_hours_are_closed_forms():
    value = build_dependence_table(points=2).set_index(["panel", "line", "x"])["value"]
    for people in (2, 5, 20):  # copies: k epsilon; F1 of 0.8 asks for 1.7918 of one answer
        assert value["household", str(people), 1.0] == pytest.approx(math.log(6) / people)
    assert value["f_score", "printed", 0.0] == pytest.approx(2 / 3)
    assert value["epsilon", "printed", 0.0] == pytest.approx(math.log(6))
    assert math.isnan(value["epsilon", "printed", 0.96])
    assert value["epsilon", "law", 0.96] > math.log(6) / 5
