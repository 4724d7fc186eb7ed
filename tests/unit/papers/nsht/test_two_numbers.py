"""The blurring of one of two numbers of people, on files of any people."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_linnerud

from noiseless.custodian.reading.people import read_people
from noiseless.errors import ConfigError
from noiseless.mechanisms.blurring import PublicRange, decimal_threshold
from noiseless.papers.nsht import blurring
from noiseless.papers.nsht.blurring import coordinate_policies
from noiseless.papers.nsht.two_numbers import people_settings, people_tables
from noiseless.pipeline.configuration import load_config
from noiseless.settings import log_grid
from own_meters import write
from wide_table import wide

X1 = {"column": "kilos", "unit": "kg", "range": [0, 200]}
X2 = {"column": "waist", "unit": "cm", "range": [50, 150]}


@pytest.fixture
def experiment(root):
    return load_config(root / "config" / "smoke.yaml")["nsht"]["blurring"]


def test_people_by_a_plain_loop(experiment):
    """Threshold: kilos >= waist.  A report in the band proves nothing, of 1/rho or of 2/rho."""
    people = pd.DataFrame({"x1": [80, 101, 95, 120, 60], "x2": [90, 100, 100, 100, 60]})
    settings = people_settings({"x1": X1, "x2": X2, "threshold": [0, 1]}, experiment)
    tables = people_tables(people, **{**settings, "rho": [0.1, 0.2], "histogram_rho": [0.5]})
    table = tables["people"].pivot(
        index=["policy", "rho_per_kg"], columns="statistic", values="value"
    )
    assert "largest_change_kg" in table
    for (policy, rho), found in table.iterrows():
        change = above = identifiable = proven = 0
        for x1, x2 in people.itertuples(index=False):
            inside = abs(x1 - x2) <= 1 / rho
            if policy in ("overlay", "slices"):
                inside = -2 / rho <= x1 - x2 < 2 / rho
            above += x1 >= x2
            proven += x1 >= x2 and not inside
            identifiable += not inside
            change += inside and (policy != "collapse" or x1 != x2)
        assert found["above_threshold"] == above
        assert found["above_threshold_identifiable"] == proven
        assert found["identifiable"] == identifiable
        assert found["moved"] <= change
    assert list(tables["histogram"].columns[:4]) == ["policy", "rho_per_kg", "kilos_kg", "waist_cm"]
    budget = tables["budget"].pivot(
        index=["policy", "rho_per_kg"], columns="statistic", values="value"
    )
    # A band of width 2/rho all along, in a box of height 200.
    expected = [2 / rho / (200 - 2 / rho) for rho in (0.1, 0.2, 0.5)]
    np.testing.assert_allclose(budget.loc["stretch", "epsilon"], expected)


def test_accuracies_are_portions_of_the_range_unless_they_are_given(experiment):
    wide = {**X1, "range": [0, 400], "unit": "lb"}
    people = {"x1": wide, "x2": X2, "threshold": [0, 2]}
    settings = people_settings(people, experiment)
    assert settings["histogram_rho"] == [rho / 2 for rho in experiment["histogram_rho_per_kg"]]
    assert settings["bin_size"] == [5, 1]
    given = {"rho": {"lowest": 1, "highest": 4, "points": 3}, "histogram_rho": [2]}
    settings = people_settings({**people, **given, "histogram_bin": [3, 4]}, experiment)
    assert settings["rho"] == pytest.approx([1, 2, 4])
    assert settings["histogram_rho"] == [2]
    assert settings["bin_size"] == [3, 4]


def test_a_threshold_that_touches_the_end_of_the_range(experiment):
    """Scores of 80 to 100 of 100, with a threshold of 10 x2 and x2 = 10: reports are compared."""
    score = {"column": "score", "unit": "points", "range": [0, 100]}
    tasks = {"column": "tasks", "unit": "1", "range": [0, 10]}
    people = {"x1": score, "x2": tasks, "threshold": [0, 10], "histogram_rho": [0.1]}
    settings = people_settings(people, experiment)
    best = [float(each) for each in range(80, 101)]
    everybody = pd.DataFrame({"x1": [*best, 0.0, 10.0], "x2": [10.0] * 21 + [0.0, 5.0]})
    table = people_tables(everybody, **settings)["people"]
    table = wide(table[table["rho_per_points"] == 0.1], ["policy"])
    threshold, box = decimal_threshold([0, 10]), PublicRange((0, 0), (100, 10))
    for name, policy in coordinate_policies().items():
        reports = policy(threshold, box, 0.1).release(everybody.iloc[:21])["x1"].tolist()
        shared = [report == reports[-1] for report in reports[:-1]]
        assert table.loc[name, "undecided"] == sum(shared) + any(shared)
        assert table.loc[name, "undecided_bound"] == 21
    np.testing.assert_array_equal(table["undecided"][["collapse", "stretch"]], 11)
    np.testing.assert_array_equal(table["undecided"][["overlay", "slices"]], 21)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"threshold": [0, 2]}, r"from 100 to 300, which leaves the range \[0, 200\] of x1"),
        ({"threshold": [0]}, r"from 0 to 0, which leaves .* of x1 or is its end"),
        ({"threshold": [200]}, r"from 200 to 200, which leaves .* of x1 or is its end"),
        ({"threshold": [-60, 1]}, "from -10 to 90, which leaves"),
        ({"threshold": [0, 0.1234567890123456789]}, "too many digits"),
        ({"x1": {**X1, "range": [9, 9]}}, "is not an interval"),
        ({"x2": {**X2, "column": "kilos", "unit": "kg"}}, "'kilos_kg' would name two columns"),
        ({"above": "moved"}, "'moved' would name two columns"),
    ],
)
def test_settings_of_people_that_cannot_be(experiment, change, message):
    people = {"x1": X1, "x2": X2, "threshold": [0, 1], **change}
    with pytest.raises(ConfigError, match=message):
        people_settings(people, experiment)


def test_linnerud_and_diabetes_of_scikit_learn(tmp_path, experiment):
    """Twenty men of a fitness club, in pounds and inches; 442 patients with BMI and pressure."""
    linnerud = load_linnerud(as_frame=True).frame
    path = write(tmp_path / "linnerud.csv", linnerud)
    x1 = {"column": "Weight", "unit": "lb", "range": [50, 400]}
    x2 = {"column": "Waist", "unit": "inch", "range": [20, 60]}
    table = read_people(path, x1=x1, x2=x2)["table"]
    assert table.to_numpy().tolist() == linnerud[["Weight", "Waist"]].to_numpy().tolist()
    settings = people_settings({"x1": x1, "x2": x2, "threshold": [0, 5]}, experiment)
    found = people_tables(table.set_axis(["x1", "x2"], axis=1), **settings)["people"]
    above = found.loc[found["statistic"] == "above_threshold", "value"]
    assert set(above) == {(linnerud["Weight"] >= 5 * linnerud["Waist"]).sum()}

    diabetes = load_diabetes(scaled=False, as_frame=True).frame
    diabetes.to_parquet(tmp_path / "diabetes.parquet")
    x1 = {"column": "bp", "unit": "mmHg", "range": [40, 160]}
    x2 = {"column": "bmi", "unit": "kg/m2", "range": [10, 50]}
    table = read_people(tmp_path / "diabetes.parquet", x1=x1, x2=x2)["table"]
    settings = people_settings({"x1": x1, "x2": x2, "threshold": [100]}, experiment)
    tables = people_tables(table.set_axis(["x1", "x2"], axis=1), **settings)
    assert "bmi_kg_per_m2" in tables["histogram"]
    people = tables["people"]
    proven = people[people["statistic"] == "above_threshold_identifiable"]
    for _, row in proven.iterrows():
        beyond, step = diabetes["bp"] - 100, 1 / row["rho_per_mmhg"]
        twice = row["policy"] in ("overlay", "slices")
        assert row["value"] == (beyond >= 2 * step if twice else beyond > step).sum()


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
    expected = blurring.survey_tables(
        survey,
        weight_range_kg=[0, 200],
        height_range_cm=[0, 250],
        bmi_kg_m2=30,
        kg_per_cm=1,
        rho_per_kg=[0.1],
        histogram_rho_per_kg=[0.1],
        histogram_bin=EXPERIMENT["histogram_bin"],
    )["histogram"]
    shared = expected[expected["policy"].isin(tables["histogram"]["policy"])]
    pd.testing.assert_frame_equal(tables["histogram"], shared.reset_index(drop=True))
    assert set(tables["people"]["rho_per_kg"]) == {0.1, 1.0}
    assert "obese_identifiable" in set(tables["people"]["statistic"])
