"""Tables, provenance, keyed randomness, whole files, and the digest of the code."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless import code
from noiseless.code import source_digest
from noiseless.errors import DataError
from noiseless.files import whole_file
from noiseless.grids import log_grid
from noiseless.seeds import generator
from noiseless.tables import (
    Provenance,
    Source,
    derive_provenance,
    read_table,
    tidy,
    write_table,
)

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


def test_failed_write_leaves_what_was_there(tmp_path):
    target = tmp_path / "deep" / "t.txt"
    with whole_file(target) as partial:
        partial.write_text("old")

    def fail():
        with whole_file(target) as partial:
            partial.write_text("new, but")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert target.read_text() == "old"
    assert [each.name for each in target.parent.iterdir()] == ["t.txt"]


coordinates = st.lists(st.one_of(st.integers(), st.text(max_size=5)), max_size=4)


@given(st.integers(0, 2**63), coordinates, coordinates)
def test_streams_are_equal_only_for_equal_coordinates(seed, first, second):
    draws = [generator(seed, *each).integers(2**62, size=4).tolist() for each in (first, second)]
    assert (draws[0] == draws[1]) == (first == second)


def test_streams_tell_types_apart_and_do_not_change():
    assert generator(1, 1).random() != generator(1, 1.0).random() != generator(1, "1").random()
    # A change here changes every published table: it needs a new version.
    assert generator(2019, "membership", "n", 4).integers(10**9) == 704792119


def test_log_grid_has_both_ends():
    grid = log_grid(0.01, 10, 4)
    np.testing.assert_allclose(grid, [0.01, 0.1, 1, 10])


def test_code_digest_follows_imports(tmp_path, monkeypatch):
    package = tmp_path / "noiseless"
    (package / "sub").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "sub" / "__init__.py").write_text("")
    (package / "a.py").write_text("from noiseless.sub import b\n")
    (package / "sub" / "b.py").write_text("import noiseless.sub.c\n")
    (package / "sub" / "c.py").write_text("x = 1\n")
    (package / "d.py").write_text("x = 1\n")
    monkeypatch.setattr(code, "_ROOT", tmp_path)

    def digest():
        code._imports.cache_clear()
        return source_digest("noiseless.a")

    before = digest()
    (package / "d.py").write_text("x = 2\n")
    assert digest() == before
    (package / "sub" / "c.py").write_text("x = 2\n")
    assert digest() != before
    with pytest.raises(ModuleNotFoundError):
        source_digest("noiseless.e")
    code._imports.cache_clear()
