"""What two numbers are called in tables."""

import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.papers.nsht.quantities import BODIES, Quantities


def test_tables_are_named_and_named_back():
    plain = pd.DataFrame({"rho": [1, 2], "x1": [3, 4], "statistic": ["above", "moved"]})
    named = BODIES.named(plain)
    assert list(named) == ["rho_per_kg", "weight_kg", "statistic"]
    assert named["statistic"].tolist() == ["obese", "moved"]
    pd.testing.assert_frame_equal(BODIES.plain(named), plain)


def test_units_and_names_become_words():
    names = Quantities("Blood pressure", "mmHg", "BMI", "kg/m²", "!").column_names()
    assert names["x1"] == "blood_pressure_mmhg"
    assert names["band"] == "band_mmhg_kg_per_m"
    assert names["above_identifiable"] == "x_identifiable"


@pytest.mark.parametrize(
    "changes", [{"x1": "height", "x1_unit": "cm"}, {"above": "undecided"}, {"above": "weight kg"}]
)
def test_no_two_columns_have_one_name(changes):
    with pytest.raises(ConfigError, match="would name two columns"):
        Quantities(**{**vars(BODIES), **changes}).column_names()
