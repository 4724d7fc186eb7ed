"""The experiment on any two numbers is that on the survey under other names."""

import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.papers.nsht import blurring
from noiseless.papers.nsht.two_numbers import people_settings, people_tables
from noiseless.settings import log_grid

EXPERIMENT = {
    "rho_per_kg": {"lowest": 0.1, "highest": 1, "points": 2},
    "histogram_rho_per_kg": [0.1],
    "histogram_bin": {"weight_kg": 5, "height_cm": 10},
    "weight_range_kg": [0, 200],
    "height_range_cm": [0, 250],
    "enclosure": {"rho_per_kg": [0.5], "cells": [10]},
}


def test_settings_are_portions_of_the_ranges():
    half = {"column": "size", "unit": "m", "range": [-50, 50]}
    other = {"column": "age", "unit": "a", "range": [0, 125]}
    made = people_settings({"x1": half, "x2": other, "threshold": [-40, 0.25]}, EXPERIMENT)
    assert made["rho"] == [2 * each for each in log_grid(**EXPERIMENT["rho_per_kg"])]
    assert made["histogram_rho"] == [0.2]
    assert made["bin_size"] == [2.5, 5]
    assert made["enclosure"] == {"rho": [1.0], "cells": [10]}
    assert (made["lower"], made["upper"]) == ([-50, 0], [50, 125])
    with pytest.raises(ConfigError, match="leaves the range"):
        people_settings({"x1": half, "x2": other, "threshold": [-40, 1]}, EXPERIMENT)


def test_tables_of_bodies_are_those_of_the_survey():
    survey = pd.DataFrame({"weight_kg": [120.0, 119.0, 126.0, 80.0], "height_cm": [200.0] * 4})
    x1 = {"column": "weight", "unit": "kg", "range": [0, 200]}
    x2 = {"column": "height", "unit": "cm", "range": [0, 250]}
    people = {"x1": x1, "x2": x2, "threshold": [0, 0, 0.003], "above": "obese"}
    made = people_settings(people, EXPERIMENT)
    tables = people_tables(survey.set_axis(["x1", "x2"], axis=1), **made)
    expected = blurring.histogram_table(
        survey,
        weight_range_kg=[0, 200],
        height_range_cm=[0, 250],
        bmi_kg_m2=30,
        kg_per_cm=1,
        rho_per_kg=[0.1],
        histogram_bin=EXPERIMENT["histogram_bin"],
    )
    shared = expected[expected["policy"].isin(tables["histogram"]["policy"])]
    pd.testing.assert_frame_equal(tables["histogram"], shared.reset_index(drop=True))
    assert set(tables["people"]["rho_per_kg"]) == {0.1, 1.0}
    assert "obese_identifiable" in set(tables["people"]["statistic"])
