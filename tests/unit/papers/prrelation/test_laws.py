"""Cases of laws: the least of what their tables must hold."""

import math

import pytest

from noiseless.papers.prrelation.laws import (
    build_told_table,
    draw_laws,
    draw_positive_laws,
    find_worst_others,
    split,
)
from noiseless.theory.laws import TableLaw


def test_laws_that_are_drawn_are_what_they_are_called():
    for law in draw_laws(3, 5, 0, possible=1.0):
        assert len(law) == 8
        one, two = split(law)
        assert sum(one.values()) == pytest.approx(1)
        assert {x[0] for x in two} == {0}
    assert any(len(law) < 8 for law in draw_laws(3, 20, 0))
    assert all(TableLaw(law).is_positive for law in draw_positive_laws(3, 5, 0))


def test_two_bits_by_hand():
    """Equal with 5/6: odds of 5 given the other, precision 1/(1 + 1/(5 e)) at a recall of 1/2."""
    law = {(0, 0): 5.0, (0, 1): 1.0, (1, 0): 1.0, (1, 1): 5.0}
    odds, value, rest = find_worst_others(law)
    assert odds == pytest.approx(1 / 5)
    assert (value,) == rest
    table = build_told_table({20: [law]}, lambda equation, law: 0.0).set_index("told")
    expected = 1 / (1 + 1 / (5 * math.e))
    assert table.loc["worst", "precision"] == pytest.approx(expected)
    assert table["precision_bound"].tolist() == pytest.approx([expected] * 3)
    assert table.loc["nothing", "precision"] == pytest.approx(0.8354, abs=1e-4)
    assert table.loc["nothing", "f_score"] == pytest.approx(0.7720, abs=1e-4)
    assert table["f_printed"].isna().all()
