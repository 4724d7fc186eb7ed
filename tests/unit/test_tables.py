"""Tables and their provenance."""

import json
import math
import subprocess

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import scipy

from noiseless.errors import ConfigError, DataError
from noiseless.seeds import make_generator
from noiseless.tables import (
    ContentDigests,
    Provenance,
    Source,
    _compute_metadata_digest,
    build_metadata,
    check_csv_copies,
    derive_provenance,
    flatten,
    read_batches,
    read_provenance,
    read_table,
    returns_table,
    tidy,
    write_csv_copies,
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
    assert [each.name for each in tmp_path.iterdir()] == ["t.parquet"]
    write_csv_copies([tmp_path / "t.parquet"], [tmp_path / "t.csv"], tmp_path / "digests")
    assert (tmp_path / "t.csv").read_text() == "n,statistic,value\n1,a,0.1\n2,a,inf\n"


def test_a_table_names_the_versions_of_the_libraries_behind_its_numbers(tmp_path, table):
    write_table(table, tmp_path / "t.parquet", derive_provenance({}, "0" * 16))
    stored = read_provenance(tmp_path / "t.parquet").packages
    assert stored.startswith(f"numpy {np.__version__}, scipy {scipy.__version__}, ")
    assert stored.endswith(f"pandas {pd.__version__}")


def test_a_table_of_an_earlier_version_without_them_is_refused(tmp_path, table):
    write_table(table, tmp_path / "t.parquet", Provenance("c"))
    arrow = pq.read_table(tmp_path / "t.parquet")
    metadata = arrow.schema.metadata
    old = json.loads(metadata[b"noiseless"])
    del old["packages"]
    metadata = {**metadata, b"noiseless": json.dumps(old).encode()}
    metadata[b"noiseless.sha256"] = _compute_metadata_digest(metadata)
    pq.write_table(arrow.replace_schema_metadata(metadata), tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"written by version .* in another format of provenance"):
        read_table(tmp_path / "t.parquet")


def test_same_table_is_the_same_bytes(tmp_path, table):
    paths = [tmp_path / folder / "t.parquet" for folder in "ab"]
    for path in paths:
        write_table(table, path, Provenance("c", (SURVEY,)))
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_table_under_the_name_of_another_one_is_named(tmp_path, table):
    for name in ("a", "b"):
        write_table(table, tmp_path / f"{name}.parquet", Provenance("c"))
    (tmp_path / "a.parquet").replace(tmp_path / "b.parquet")
    for read in (read_table, read_provenance):
        with pytest.raises(DataError, match=r"b\.parquet: this is the table a\.parquet, under an"):
            read(tmp_path / "b.parquet")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"rho": [0.1, np.nan], "value": [1.0, 2.0]}, "the key of a row is NaN in `rho`"),
        ({"rho": [0.1, 0.2], "value": [np.nan] * 2}, "no value is a number"),
        ({"rho": [0.1, np.nan], "value": [np.nan] * 2}, "the key of a row is NaN in `rho`"),
    ],
)
def test_a_table_of_no_numbers_is_refused_and_not_written(tmp_path, rows, said):
    table = pd.DataFrame({**rows, "statistic": "error"})
    with pytest.raises(ConfigError, match=said):
        write_table(table, tmp_path / "t.parquet", Provenance("c"))
    assert not list(tmp_path.iterdir())


def test_numbers_that_are_missing_beside_others_and_intervals_are_kept(tmp_path):
    """A bound that could not be certified, say."""
    table = pd.DataFrame(
        {
            "rho": [0.1, np.inf],
            "statistic": "bound",
            "value": [1.0, np.nan],
            "low": np.nan,
            "high": np.nan,
            "over": [None, "homes"],
        }
    )
    write_table(table, tmp_path / "t.parquet", Provenance("c"))
    assert read_table(tmp_path / "t.parquet")[0]["value"].isna().tolist() == [False, True]
    write_table(table.head(0), tmp_path / "empty.parquet", Provenance("c"))


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


def test_a_table_records_its_settings_and_those_behind_it_each_once():
    """By their full names; what two tables behind it have otherwise stands there twice."""

    def made(settings, *inputs):
        return derive_provenance(settings, "0" * 16, inputs=inputs)

    first = made({"toy": {"n": [1, 2], "box": {"side_cm": 2}}, "seed": 1})
    other = made({"toy.n": [1, 3], "seed": 1})
    assert json.loads(made({"toy.k": None}, first, first, other).settings) == [
        ["seed", 1],
        ["toy.box.side_cm", 2],
        ["toy.k", None],
        ["toy.n", [1, 2]],
        ["toy.n", [1, 3]],
    ]
    assert json.loads(made({}).settings) == []
    assert dict(flatten({"a": {"b": {"c": 1}, "d": [{"e": 2}]}})) == {"a.b.c": 1, "a.d": [{"e": 2}]}


def test_provenance_without_data_says_so():
    assert Provenance("c").tier == Provenance("c").dataset == "-"
    assert not Provenance("c").is_sample


def test_rows_become_a_table_with_or_without_what_is_lacking():
    def rows(*, numbers):
        """Squares."""
        for number in numbers:
            yield {"number": number, "square": number**2, "root": math.sqrt(number) or math.nan}

    table = returns_table("number")(rows)(numbers=[0, 4])
    expected = tidy(pd.DataFrame(rows(numbers=[0, 4])), ["number"])
    pd.testing.assert_frame_equal(table, expected)
    assert table["value"].isna().tolist() == [False, True, False, False]
    short = returns_table("number", with_nan=False)(rows)
    assert short(numbers=[0, 4])["value"].tolist() == [0, 16, 2]
    assert list(short(numbers=[0, 4]).index) == [0, 1, 2]
    assert short.__doc__ == "Squares."


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


@pytest.fixture
def mixed():
    """A table with a column of each kind, with gaps."""
    return pd.DataFrame(
        {
            "home": ["a", None, "ü" * 3, ""],
            "day": pd.to_datetime(["2020-01-01", None, "2020-01-03", "2020-01-04"]).astype(
                "datetime64[s]"
            ),
            "used": [True, False, True, True],
            "n": np.array([1, 2, 3, 4], dtype=np.int32),
            "value": [0.0, -0.0, np.nan, np.inf],
            "nothing": [None] * 4,
        }
    )


def test_every_kind_of_column_comes_back_and_is_checked(tmp_path, mixed):
    write_table(mixed, tmp_path / "t.parquet", Provenance("c"))
    read, _ = read_table(tmp_path / "t.parquet")
    assert read["home"].tolist() == mixed["home"].tolist()
    assert read["value"].isna().tolist() == [False, False, True, False]
    assert len(read) == 4
    write_table(mixed.head(0), tmp_path / "empty.parquet", Provenance("c"))
    assert read_table(tmp_path / "empty.parquet")[0].empty


def test_a_twin_or_a_table_that_was_edited_is_refused(tmp_path, mixed):
    paths, twins = ([tmp_path / f"{name}.{end}" for name in "tu"] for end in ("parquet", "csv"))
    for path in paths:
        write_table(mixed, path, Provenance("c"))
    write_csv_copies(paths, twins, tmp_path / "digests")
    check_csv_copies(tmp_path / "digests")
    subprocess.run(["sha256sum", "--check", "--quiet", tmp_path / "digests"], check=True)
    twins[1].write_text(twins[1].read_text().replace("inf", "0.5"))
    with pytest.raises(DataError, match=r"u\.csv: not what the workflow wrote.*Delete it"):
        check_csv_copies(tmp_path / "digests")
    write_csv_copies(paths, twins, tmp_path / "digests")
    check_csv_copies(tmp_path / "digests")
    write_table(mixed.head(1), paths[0], Provenance("c"))
    with pytest.raises(DataError, match=r"t\.parquet: not what the workflow wrote"):
        check_csv_copies(tmp_path / "digests")


def test_contents_do_not_depend_on_batches(mixed):
    table = pa.Table.from_pandas(mixed, preserve_index=False)
    whole, pieces = ContentDigests(), ContentDigests()
    whole.add(table)
    for batch in table.to_batches(max_chunksize=1):
        pieces.add(batch)
    assert whole.get_digests() == pieces.get_digests()
    assert len(set(whole.get_digests().values())) == table.num_columns


@pytest.mark.parametrize("name", ["home", "day", "used", "n", "value", "nothing"])
def test_one_edited_cell_is_noticed(tmp_path, mixed, name):
    path = tmp_path / "t.parquet"
    write_table(mixed, path, Provenance("c"))
    table = pq.read_table(path)
    edited = {
        "home": ["a", "", "ü" * 3, ""],
        "day": pd.to_datetime(["2020-01-01", None, "2020-01-03", "2020-01-05"]),
        "used": [True, False, True, False],
        "n": np.array([1, 2, 3, 5], dtype=np.int32),
        "value": [0.0, 0.0, np.nan, np.inf],
        "nothing": [1.0, None, None, None],
    }[name]
    place = table.column_names.index(name)
    column = pa.array(edited, from_pandas=True)
    pq.write_table(
        table.set_column(place, name, column).replace_schema_metadata(table.schema.metadata), path
    )
    with pytest.raises(DataError, match=f"the contents of `{name}` are not those"):
        read_table(path)


def test_doubled_values_and_lost_rows_and_columns_are_noticed(tmp_path, table):
    path = tmp_path / "t.parquet"
    write_table(table, path, Provenance("c"))
    arrow = pq.read_table(path)
    doubled = arrow.set_column(2, "value", pc.multiply(arrow["value"], 2))
    for other in (doubled, arrow.slice(1), arrow.drop_columns(["n"])):
        pq.write_table(other.replace_schema_metadata(arrow.schema.metadata), path)
        with pytest.raises(DataError, match=r"damaged or was edited\. Delete it and run again"):
            read_table(path)


def test_edited_provenance_is_noticed(tmp_path, table):
    path = tmp_path / "t.parquet"
    write_table(table, path, Provenance("c", (HOMES,)))
    arrow = pq.read_table(path)
    metadata = dict(arrow.schema.metadata)
    metadata[b"noiseless"] = metadata[b"noiseless"].replace(b'"sample"', b'"download"')
    pq.write_table(arrow.replace_schema_metadata(metadata), path)
    with pytest.raises(DataError, match="metadata are damaged or were edited"):
        read_table(path)


def test_a_flipped_bit_never_reads_as_other_values(tmp_path):
    """The first version of the format read a third of them as other values."""
    rng = make_generator(11, "bits")
    table = pd.DataFrame({"home": [f"h{i % 7}" for i in range(400)], "value": rng.normal(size=400)})
    path = tmp_path / "t.parquet"
    write_table(table, path, Provenance("c", (SURVEY,)))
    written, read_first = path.read_bytes(), read_table(path)
    refusals = []
    for place in rng.choice(8 * len(written), size=400, replace=False):
        damaged = bytearray(written)
        damaged[place // 8] ^= 1 << (place % 8)
        path.write_bytes(damaged)
        try:
            read, provenance = read_table(path)
        except DataError as error:
            refusals.append(str(error))
        else:
            pd.testing.assert_frame_equal(read, read_first[0])
            assert provenance == read_first[1]
    assert len(refusals) > 200
    for message in refusals:
        assert message.startswith(f"{path}: ")
        assert message.endswith("Delete it and run again.")


@pytest.mark.parametrize(
    "contents", [b"", b"PAR1", b"n,value\n1,2\n", b"PAR1" + b"\0" * 50 + b"PAR1"]
)
def test_other_files_are_one_message(tmp_path, contents):
    path = tmp_path / "t.parquet"
    path.write_bytes(contents)
    with pytest.raises(DataError, match="damaged, or no Parquet file of this workflow"):
        read_table(path)
    with pytest.raises(DataError, match="damaged, or no Parquet file of this workflow"):
        read_provenance(path)


def test_batches_are_checked_after_the_last(tmp_path, mixed):
    path = tmp_path / "t.parquet"
    write_table(mixed, path, Provenance("c"))
    pieces = list(read_batches(path, ["value", "n"], 3))
    assert [len(piece) for piece in pieces] == [3, 1]
    arrow = pq.read_table(path)
    edited = arrow.set_column(3, "n", pa.array([1, 2, 3, 9], pa.int32()))
    pq.write_table(edited.replace_schema_metadata(arrow.schema.metadata), path)
    list(read_batches(path, ["value"], 3))
    with pytest.raises(DataError, match="the contents of `n`"):
        list(read_batches(path, ["value", "n"], 3))


def test_batches_that_were_read_do_not_stay_in_memory(tmp_path):
    """Of twenty row groups, a few at a time."""
    path, contents = tmp_path / "t.parquet", ContentDigests()
    rng, column = np.random.default_rng(1), pa.schema([("value", pa.float64())])
    with pq.ParquetWriter(path, column, write_page_checksum=True) as writer:
        for _ in range(20):
            group = pa.table({"value": rng.random(100_000)})
            contents.add(group)
            writer.write_table(group)
        writer.add_key_value_metadata(build_metadata(path, Provenance("c"), contents))
    pool = pa.default_memory_pool()
    watched = pa.proxy_memory_pool(pool)
    pa.set_memory_pool(watched)
    try:
        assert sum(map(len, read_batches(path, ["value"], 1 << 20))) == 2_000_000
    finally:
        pa.set_memory_pool(pool)
    assert 0 < watched.max_memory() < path.stat().st_size / 3


@pytest.mark.parametrize("read", [read_table, read_provenance])
@pytest.mark.parametrize(
    "error", [pa.ArrowMemoryError("malloc of size 46080 failed"), OSError(5, "Input/output error")]
)
def test_a_lack_of_memory_or_a_fault_of_the_disk_is_no_damage(
    tmp_path, table, monkeypatch, read, error
):
    """Whoever deletes the table, as damage is told, loses it for nothing."""
    write_table(table, tmp_path / "t.parquet", Provenance("c"))

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(pq, "read_table", fail)
    monkeypatch.setattr(pq, "read_metadata", fail)
    with pytest.raises(type(error)) as caught:
        read(tmp_path / "t.parquet")
    assert caught.value is error
