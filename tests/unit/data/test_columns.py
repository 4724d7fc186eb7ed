"""Rows of CSV: what Arrow would pass without a word, and blocks of any size."""

import csv
import gzip
import io
import zipfile
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noiseless.data import columns
from noiseless.data.columns import NUMBER, TEXT, count_cells, read_columns
from noiseless.errors import DataError
from noiseless.seeds import make_generator

WANTED = {"k": ("a", TEXT), "v": ("b", NUMBER)}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.csv"


def read(path, content, **options):
    path.write_bytes(content)
    return read_columns(path, columns=WANTED, **options)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b,c\nx,1,\nx,1,5,\n", "line 3: 4 cells instead of 3.*decimal comma"),
        (b'a,b,c\n"x,",1,\n"x",1,"5",\n', "line 3: 4 cells instead of 3"),
        (b"a,b,c\nx,1,\nx,1,5,,,\n", "line 3: 6 cells instead of 3"),
        (b'a,b,c\nx,1,\nx,1,5,""\n', "line 3: 4 cells instead of 3"),
        (b"a,b,c\nx,1,2\nx,1\n", "line 3: 2 cells instead of 3"),
        (b'a,b,c\n"x\ny",1,2\nx,1,2,3\n', "line 4: 4 cells instead of 3"),
        (b'a,b\nx,1\ny"z,2\n', "line 3: in the row that begins here, a quotation mark"),
        (b'a,b\nx,1\n"y"z,2\n', "line 3: in the row that begins here, a quotation mark"),
        (b'a,b\nx,1\n"y,2\n', "line 3: in the row that begins here, a quotation mark"),
        (b"a,b\nx,1_0\n", "line 2, column 'b': '1_0' is not a number"),
        (b"a,b\nx,1\ny,\x0b2\n", "line 3, column 'b'"),
        (b"a,b\nx,1\ny,-nan\nz,-nan\n", "line 3, .*'-nan' is not a number"),
        (b"a,b\r\nx,1\ny,z\r", "line 3, column 'b': 'z'"),
        (b"a,b\n\nx,1\n\n\ny\n", "line 6: 1 cell instead of 2"),
        (b"a,b\n\n\nx,1\n\ny,z\n", "line 6, column 'b': 'z'"),
        (b"a,b\nx,1\n \n", "line 3: 1 cell instead of 2"),
        (b"a,b\nx,1\ny,2", "line 3: the last line has no line end"),
        (b"a,b\nx,1\n\xfc,2\n", "line 3: not UTF-8 text .byte 0xfc."),
        (b"a,b\n", "no rows below the header"),
    ],
)
@pytest.mark.parametrize("size", [7, 1 << 20])
def test_a_damaged_row_is_one_error_with_its_line(path, monkeypatch, content, message, size):
    monkeypatch.setattr(columns, "BLOCK_BYTES", size)
    with pytest.raises(DataError, match=message):
        read(path, content)


def test_line_ends_of_several_kinds_and_names_with_wild_cards(tmp_path):
    found = read(tmp_path / "t[a-b]*?.csv", b"a,b\r\nx,1\ny,2\rz,\r\n\n")
    assert list(found.get_texts("k")) == ["x", "y", "z"]
    assert found.get_numbers("v")[:2].tolist() == [1, 2]
    assert np.isnan(found.get_numbers("v")[2])


def test_any_number_is_read_as_python_reads_it(path):
    rng = make_generator(1, "numbers")
    drawn = rng.standard_normal(2000) * 10.0 ** rng.integers(-30, 30, 2000)
    words = [repr(each) for each in drawn.tolist()]
    words += ["+1", ".5", "5.", "1e5", "1E-5", " 7 ", "\t8", "0" * 40 + "1", "9" * 40]
    content = "a,b\n" + "".join(f"x,{word}\n" for word in words)
    assert read(path, content.encode()).get_numbers("v").tolist() == [float(word) for word in words]
    with pytest.raises(DataError, match=r"line 2, column 'b': '1,5' is not a number"):
        read(path, b"a;b\nx;1,5\n", separator=";")


@pytest.mark.parametrize("size", [40, 101, 1 << 23])
def test_rows_do_not_depend_on_the_size_of_blocks(path, monkeypatch, size):
    monkeypatch.setattr(columns, "BLOCK_BYTES", size)
    rng = make_generator(1, "rows")
    words = np.array(["", "x", 'say "hi"', "a,b", "two\nlines", "\u00fc" * 9])
    rows = [[str(rng.choice(words)), str(k), str(rng.choice(words))] for k in range(200)]
    text = io.StringIO(newline="")
    csv.writer(text).writerows([["a", "b", "c"], *rows])
    found = read(path, text.getvalue().encode())
    assert list(found.get_cells("k")) == [row[0].strip() for row in rows]
    assert found.get_numbers("v").tolist() == list(range(200))
    line = 2
    for k, row in enumerate(rows):
        assert found.format_place(k) == f"{path}, line {line}"
        line += 1 + sum(cell.count("\n") for cell in row)


@pytest.mark.slow
def test_any_text_is_read_as_pythons_csv_reads_it_or_refused(path, monkeypatch):
    monkeypatch.setattr(columns, "BLOCK_BYTES", 50)
    rng = make_generator(1, "texts")
    alphabet, header = np.array(list('aa  ,,,""\n\n\n')), "a,b,c\n"
    wanted = {name: (name, TEXT) for name in "abc"}
    read_whole, refused = 0, []
    for _ in range(1000):
        text = "a,a,a\n" + "".join(rng.choice(alphabet, rng.integers(4, 16))) + "\n"
        path.write_text(header + text)
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
        try:
            found = read_columns(path, columns=wanted)
        except DataError as error:
            refused.append(str(error))
            continue
        assert {len(row) for row in rows} == {3}, text
        read_whole += len(rows) > 1
        for k, name in enumerate("abc"):
            assert list(found.get_cells(name)) == [row[k].strip() for row in rows], text
    assert read_whole > 20
    assert not [each for each in refused if "please report" in each]


def plainly_sound(line, width):
    """Whether a line can stand alone as a row, by a loop over its characters."""
    state, cells = "start", 1  # of a cell; then plain, quoted, closed
    for character in line.removesuffix("\n").removesuffix("\r"):
        if character == "\r":
            return False
        if state == "quoted":
            state = "closed" if character == '"' else "quoted"
        elif character == ",":
            state, cells = "start", cells + 1
        elif character == '"' and state in ("start", "closed"):
            state = "quoted"
        elif character == '"' or state == "closed":
            return False
        else:
            state = "plain"
    is_blank = line in ("\n", "\r\n")
    return state != "quoted" and (is_blank or cells == width)


def test_sound_rows_are_those_of_a_loop_over_characters():
    rng = make_generator(1, "lines")
    alphabet = np.array(list('ab,,""\r'))
    for _ in range(1000):
        lines = ["".join(rng.choice(alphabet, rng.integers(0, 7))) + "\n" for _ in range(6)]
        expected = [line for line in lines if plainly_sound(line, 2)]
        bare = [line.replace("\r\n", "\n") for line in lines]
        found = [
            line
            for line in bare
            if line == "\n" or ("\r" not in line and count_cells(line, ",") == 2)
        ]
        assert found == [line.replace("\r\n", "\n") for line in expected], lines


@pytest.mark.parametrize("rows", ["\ufeffA,1\nB,2\n", "A,1\n\ufeffB,2\n"])
def test_a_byte_order_mark_within_the_rows_belongs_to_its_cell(tmp_path, rows):
    """Wherever a block of rows begins: files that were joined have one in the middle."""
    path = tmp_path / "joined.csv"
    path.write_text(f"home,kwh\n{rows}", encoding="utf-8")
    found = read_columns(path, columns={"home": ("home", TEXT), "kwh": ("kwh", NUMBER)})
    with pytest.raises(DataError, match="characters that cannot be shown"):
        found.get_texts("home")


@pytest.mark.parametrize("size", [7, 1 << 20])
def test_bad_cells_are_counted_in_the_complete_column(path, monkeypatch, size):
    monkeypatch.setattr(columns, "BLOCK_BYTES", size)
    with pytest.raises(DataError, match=r"line 2, column 'b': 'z' .* \(2 more in this column\)"):
        read(path, b"a,b\nx,z\ny,2\nz,z\nx,3\nx,z\n")


def test_rows_that_arrow_reads_in_another_way_are_one_message(path, monkeypatch):
    monkeypatch.setattr(columns, "count_cells", lambda row, separator: 2)
    with pytest.raises(DataError, match=r"from line 2: the rows can be read in two ways .*report"):
        read(path, b"a,b\nx,1\ny,2,3\n")


def test_a_text_of_parquet_in_another_encoding_is_one_message(path):
    whole = pa.array(["x\xe9".encode()]).cast(pa.string())
    pq.write_table(pa.table({"a": whole, "b": [1.0]}), path, use_dictionary=False)
    content = path.read_bytes().replace("x\xe9".encode(), b"x\xe9x")
    with pytest.raises(DataError, match="not a complete Parquet file"):
        read(path, content)


PLAIN = b"a,b,c\nx,1,\ny,2.5,z\n"


def zipped(*names):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in names:
            archive.writestr(name, PLAIN)
    return content.getvalue()


def parquet(**columns):
    content = io.BytesIO()
    pq.write_table(pa.table(columns), content)
    return content.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        b'\xef\xbb\xbf"a","b","c"\r\n"x","1",""\r\n"y","2.5","z"\r\n',
        gzip.compress(PLAIN, mtime=0),
        zipped("readme.txt", "folder/TABLE.CSV", "__MACOSX/._table.csv"),
        zipped("whatever"),
        parquet(a=["x", "y"], b=[1, 2.5]),
        parquet(c=[None, "z"], b=pa.array([1, 2.5], pa.float32()), a=pa.array(["x", "y"])),
        parquet(a=pa.array(["x", "y"]).dictionary_encode(), b=pa.array([1, 2.5])),
    ],
)
def test_one_table_however_it_is_written(path, content):
    found = read(path, content)
    assert list(found.get_texts("k")) == ["x", "y"]
    assert found.get_numbers("v").tolist() == [1, 2.5]


def test_truth_values_and_dates_of_parquet_are_texts_as_in_csv(path):
    days = pa.array([date(2013, 1, 31), None, date(2013, 2, 1)])
    path.write_bytes(parquet(a=[True, None, False], b=days))
    found = read_columns(path, columns={"a": ("a", TEXT), "b": ("b", TEXT)})
    assert list(found.get_cells("a")) == ["true", "", "false"]
    assert list(found.get_cells("b")) == ["2013-01-31", "", "2013-02-01"]
    for wrong in ("a", "b"):
        with pytest.raises(DataError, match="expected a number"):
            read_columns(path, columns={wrong: (wrong, NUMBER)})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"   \n <html>", "a web page or other XML"),
        (b'<?xml version="1.0"?><a/>', "a web page or other XML"),
        (PLAIN.decode().encode("utf-16"), "not UTF-8 text, but UTF-16"),
        (b"\xd0\xcf\x11\xe0 an old workbook", "not UTF-8 text"),
        (zipped("[Content_Types].xml", "xl/workbook.xml"), "a workbook; expected CSV"),
        (zipped("2013.csv", "2014.csv"), "2 files in the zip could be meant: 2013.csv, 2014.csv"),
        (b"PK\x03\x04 and nothing", "the compressed file is damaged, cut short"),
        (gzip.compress(PLAIN, mtime=0)[:-9], "the compressed file is damaged, cut short"),
        (PLAIN.replace(b",", b";"), r"column 'a' is missing.* The columns are: a;b;c"),
        (b"a,b,a\nx,1,y\n", "column 'a' occurs 2 times"),
        (parquet(a=["x"], b=["1"]), "column 'b': its type is string; expected a number"),
        (parquet(a=["x"], b=[1.0])[:-9], "not a complete Parquet file"),
    ],
)
def test_what_is_no_table_with_these_columns_is_one_message(path, content, message):
    with pytest.raises(DataError, match=message) as caught:
        read(path, content)
    assert str(caught.value).isprintable()
