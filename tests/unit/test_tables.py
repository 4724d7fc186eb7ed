"""Tables and their provenance."""

import numpy as np
import pandas as pd
import pytest

from noiseless.errors import DataError
from noiseless.tables import Provenance, Source, derive_provenance, read_table, tidy, write_table

SURVEY = Source("young_people", "local", "ab" * 32, "registered")
HOMES = Source("london", "sample", "cd" * 32, "other")


@pytest.fixture
def table():
    return pd.DataFrame({"n": [1, 2], "statistic": ["a", "a"], "value": [0.1, np.inf]})


def test_table_comes_back_with_its_provenance(tmp_path, table):
    provenance = Provenance(config="c0ffee", sources=(SURVEY, HOMES))
    write_table(table, tmp_path / "t.parquet", provenance)
    read, stored = read_table(tmp_path / "t.parquet")
    pd.testing.assert_frame_equal(read, table)
    assert stored == provenance
    assert stored.tier == "local+sample"
    assert stored.dataset == "london+young_people"
    assert stored.is_sample
    assert (tmp_path / "t.csv").read_text() == "n,statistic,value\n1,a,0.1\n2,a,inf\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["t.csv", "t.parquet"]


def test_same_table_is_the_same_bytes(tmp_path, table):
    for name in ("a", "b"):
        write_table(table, tmp_path / f"{name}.parquet", Provenance("c", (SURVEY,)))
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_foreign_parquet_is_refused(tmp_path, table):
    table.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match="no provenance"):
        read_table(tmp_path / "t.parquet")


def test_derived_provenance_follows_settings_code_and_inputs():
    base = derive_provenance({"n": 1}, "0" * 16, sources=[SURVEY])
    assert base == derive_provenance({"n": 1}, "0" * 16, sources=[SURVEY])
    assert base.config != derive_provenance({"n": 2}, "0" * 16, sources=[SURVEY]).config
    assert base.version != derive_provenance({"n": 1}, "1" * 16, sources=[SURVEY]).version
    child = derive_provenance({}, "0" * 16, inputs=[base])
    assert child.sources == (SURVEY,)
    other = derive_provenance({"n": 2}, "0" * 16, sources=[SURVEY])
    assert child.config != derive_provenance({}, "0" * 16, inputs=[other]).config


def test_provenance_without_data_says_so():
    assert Provenance("c").tier == Provenance("c").dataset == "-"
    assert not Provenance("c").is_sample


def test_tidy_keeps_the_order_of_cells_and_statistics():
    wide = pd.DataFrame({"n": [2, 1], "b_kg": [1, 2], "a": [True, False]}, index=[7, 3])
    long = tidy(wide, ["n"])
    assert long.to_numpy().tolist() == [
        [2, "b_kg", 1.0],
        [2, "a", 1.0],
        [1, "b_kg", 2.0],
        [1, "a", 0.0],
    ]
    assert tidy(pd.DataFrame({"a": [3]}), []).to_numpy().tolist() == [["a", 3.0]]
