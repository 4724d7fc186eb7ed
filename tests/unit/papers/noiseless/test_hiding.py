"""Statements about real homes on how many homes hide one: what holds, and what would not."""

import math

import pandas as pd
import pytest

from noiseless.papers.noiseless import hiding


def played(**changed):
    """Cells of two adversaries, of which one statistic may have another value in one of them."""
    found = {"advantage": 0.5, "bound": 0.7, "measured_less_predicted": 0.1, **changed}
    rows = [
        {
            **{"adversary": who, "n": 16, "days": 30, "epsilon_bits": math.inf},
            **{"statistic": statistic, "value": value, "low": value - 0.05, "high": value + 0.05},
        }
        for who in ("pair", "pair_known")
        for statistic, value in found.items()
    ]
    return pd.DataFrame(rows)


def test_both_hold_on_what_is_near_the_prediction_and_below_the_bound():
    assert hiding.hiding_nobody_above.check(played()).holds
    assert hiding.hiding_law.check(played()).holds


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("hiding_nobody_above", {"advantage": 0.76}),
        ("hiding_nobody_above", {"advantage": 0.3}),  # nobody comes near the bound
        ("hiding_law", {"measured_less_predicted": 0.16}),
        ("hiding_law", {"measured_less_predicted": -0.16}),
    ],
)
def test_each_fails_where_it_should(name, changed):
    assert not getattr(hiding, name).check(played(**changed)).holds
