"""People of the user's: which columns are numbers, who is excluded, and what cannot be."""

import numpy as np
import pytest

from noiseless.custodian.reading.people import read_people
from noiseless.errors import ConfigError, DataError
from own_meters import facts

X1 = {"column": "kilos", "unit": "kg", "range": [0, 200]}
X2 = {"column": "waist", "unit": "cm", "range": [50, 150]}


def test_people_with_an_empty_cell_are_excluded_and_others_outside_are_errors(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("kilos,waist\n80,90\n,100\n70,NA\n90.5,101\n")
    tables = read_people(path, x1=X1, x2=X2)
    assert tables["table"].dropna().to_numpy().tolist() == [[80, 90], [90.5, 101]]
    assert facts(tables["taken"]).to_dict() == {
        "people_in_file": 4,
        "people": 4,
        "people_with_both": 2,
    }
    with pytest.raises(DataError, match=r"line 5, column 'waist': 101 cm is outside .*\[50, 100\]"):
        read_people(path, x1=X1, x2={**X2, "range": [50, 100]})
    with pytest.raises(ConfigError, match=r"data.people.x1.range is \[3, 2\]"):
        read_people(path, x1={**X1, "range": [3, 2]}, x2=X2)
    path.write_text("kilos,waist\n80,\n,100\n")
    with pytest.raises(DataError, match="no person has both 'kilos' and 'waist'"):
        read_people(path, x1=X1, x2=X2)
    with pytest.raises(ConfigError, match="column 'kilos' is given twice, as x1 and x2"):
        read_people(path, x1=X1, x2=X1)


def test_columns_of_people_are_numbers_where_all_cells_are(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age;plz;town;empty;more\n1,5;01067;A;;x\n;80331;;;y\n;;;;z\n2;1;B;;\n")
    asked = {"identifying": ["plz", "age"], "sensitive": ["town", "empty"]}
    found = read_people(path, **asked, separator=";", decimal=",")
    table = found["table"]
    assert list(table) == ["plz", "age", "town", "empty"]
    assert table["age"].tolist() == pytest.approx([1.5, np.nan, 2], nan_ok=True)
    assert table["plz"].tolist() == ["01067", "80331", "1"]  # a code, and no number
    assert table["town"].tolist() == ["A", "", "B"]
    assert facts(found["taken"]).tolist() == [4, 3]
    with pytest.raises(DataError, match="no person has a value"):
        read_people(path, identifying=["empty"], separator=";")
