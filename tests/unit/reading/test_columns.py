"""Rows of CSV: what other readers would pass without a word, and blocks of any size."""

import csv
import errno
import gzip
import io
import itertools
import math
import os
import re
import zipfile
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from csv_by_hand import NUMBERS, WORDS, parse_number, split_rows
from noiseless.data.nyc_taxi import convert_to_numbers
from noiseless.errors import DataError
from noiseless.reading import columns
from noiseless.reading.columns import NUMBER, TEXT, read_columns

WANTED = {"k": ("a", TEXT), "v": ("b", NUMBER)}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.csv"


def read(path, content, **options):
    path.write_bytes(content)
    return read_columns(path, columns=WANTED, **options)


# Texts, of which some are quoted as they must be, and some are not.
TEXTS = st.sampled_from(
    ["", "x", " y ", "\u00fc", '""', '"x"', '"say ""hi"""', '"x,y"', '"two\nlines"', '"a\r\nb"']
)
BROKEN = st.sampled_from(['y"z', '"y"z', '"y', '"', ' "x"']) | st.text('a ,"\n1', max_size=9)
SOUND_ROWS = st.tuples(TEXTS, NUMBERS | NUMBERS.map('"{}"'.format) | st.just(""), TEXTS)
ODD_ROWS = st.one_of(
    st.lists(TEXTS | NUMBERS | WORDS | BROKEN, min_size=1, max_size=4),
    st.tuples(TEXTS, WORDS, TEXTS),
    st.tuples(TEXTS, NUMBERS, st.just("\udcfc")),  # a byte of another encoding
)


ODD = "1-.xXE\t\n\x0b\u0663\u2212\u00a0na"
EXAMPLES = [
    "nan",
    "-nan",
    "inf",
    "+Infinity",
    "--inf",
    "1e999",
    "0" * 40 + "1",
    "9" * 40,
    "infinit",
]


@st.composite
def drawn_tables(draw):
    """Rows below a header, none or a few of which are odd, with line ends of any kind."""
    rows = draw(st.lists(SOUND_ROWS, max_size=6))
    for odd in draw(st.lists(ODD_ROWS, max_size=2)):
        rows.insert(draw(st.integers(0, len(rows))), odd)
    ends = st.sampled_from(["\n", "\r\n", "\n\n", "\r"])
    text = "".join(",".join(row) + draw(ends) for row in rows)
    return text.rstrip("\r\n") if draw(st.integers(0, 2)) == 2 else text


def read_by_hand(content):
    """The rows of columns a, b and c, or the line and the problem of the first that is wrong."""
    text = content.decode("utf-8-sig", "surrogateescape")
    undecoded = re.search("[\udc80-\udcff]", text)
    if undecoded:
        line = 1 + text[: undecoded.start()].count("\n")
        return [], f", line {line}: not UTF-8 text (byte 0x{ord(undecoded[0]) - 0xDC00:02x})."
    _, *rows = split_rows(text)
    for line, cells, is_ended in rows:
        if not cells:
            return rows, f", line {line}: in the row that begins here, a quotation mark"
        if len(cells) != 3:
            noun = "cell" if len(cells) == 1 else "cells"
            return rows, f", line {line}: {len(cells)} {noun} instead of 3"
        if not is_ended:
            return rows, f", line {line}: the last line has no line end"
    if not rows:
        return rows, ": there are no rows below the header"
    numbers = [(line, row[1], parse_number(row[1])) for line, row, _ in rows if row[1]]
    for problem, wrong in (
        ("{!r} is not a number", [each for each in numbers if math.isnan(each[2])]),
        ("an infinite value", [each for each in numbers if math.isinf(each[2])]),
    ):
        if wrong:
            line, cell, _ = wrong[0]
            more = f" ({len(wrong) - 1} more in this column)" if len(wrong) > 1 else ""
            return rows, f", line {line}, column 'b': {problem.format(cell.strip())}*{more}."
    return rows, None


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=drawn_tables(), mark=st.booleans(), size=st.sampled_from([7, 40, 1 << 20]))
@example(text="x,-nan,\ny,-nan,\n", mark=False, size=7)  # NaN to Arrow, with a sign
@example(text="x,1,\r\ny,2,\rz,\u0663,\r", mark=True, size=7)
@example(text='"x,",1,\n"x",1,"5",\n', mark=False, size=1 << 20)  # a decimal comma, or two cells
def test_a_table_is_read_as_pythons_csv_and_float_read_it_or_its_first_fault_is_named(
    tmp_path, text, mark, size
):
    path = tmp_path / "t[a-b]*?.csv"
    content = ("\ufeff" * mark + "a,b,c\n" + text).encode("utf-8", "surrogateescape")
    rows, problem = read_by_hand(content)
    path.write_bytes(content)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(columns, "BLOCK_BYTES", size)
            found = read_columns(path, columns={**WANTED, "t": ("c", TEXT)})
        numbers = found.get_numbers("v")
    except DataError as error:
        message = str(error)
        assert problem is not None, message
        start, _, end = problem.partition("*")
        assert message.startswith(f"{path}{start}")
        assert message.endswith(end)
        assert ("(" in message) == ("(" in problem)
        assert message.isprintable()
        many = re.search(r"(\d) cells instead of 3", message)
        assert ("decimal comma" in message) == (many is not None and many[1] > "3")
        return
    assert problem is None
    cells = [cells for _, cells, _ in rows]
    with io.StringIO(text, newline=None) as plain:
        assert cells == [row for row in csv.reader(plain) if row]
    assert list(found.get_cells("k")) == [row[0].strip() for row in cells]
    assert list(found.get_cells("t")) == [row[2].strip() for row in cells]
    expected = [float(row[1]) if row[1] else math.nan for row in cells]
    np.testing.assert_array_equal(numbers, expected)
    places = [found.format_place(k) for k in range(len(rows))]
    assert places == [f"{path}, line {line}" for line, _, _ in rows]


def test_every_short_text_is_the_number_that_float_reads_or_none():
    """Texts of up to five characters that numbers have, somewhere."""
    words = ["".join(word) for k in range(1, 6) for word in itertools.product("1.+-e_, ", repeat=k)]
    words += ["".join(word) for k in range(1, 4) for word in itertools.product(ODD, repeat=k)]
    words += EXAMPLES
    expected = [parse_number(word) for word in words]
    np.testing.assert_array_equal([columns.parse_number(word) for word in words], expected)
    arrow = convert_to_numbers(pa.chunked_array([[*words, None]])).to_pylist()  # of trips
    assert arrow.pop() is None
    np.testing.assert_array_equal(arrow, expected)


def test_another_separator_makes_no_decimal_comma_a_number(path):
    with pytest.raises(DataError, match=r"line 2, column 'b': '1,5' has a comma"):
        read(path, b"a;b\nx;1,5\n", separator=";")


@pytest.mark.parametrize("rows", ["\ufeffA,1\nB,2\n", "A,1\n\ufeffB,2\n"])
def test_a_byte_order_mark_within_the_rows_belongs_to_its_cell(tmp_path, rows):
    """Wherever a block of rows begins: files that were joined have one in the middle."""
    path = tmp_path / "joined.csv"
    path.write_text(f"home,kwh\n{rows}", encoding="utf-8")
    found = read_columns(path, columns={"home": ("home", TEXT), "kwh": ("kwh", NUMBER)})
    with pytest.raises(DataError, match="characters that cannot be shown"):
        found.get_texts("home")


def test_rows_that_are_split_in_another_way_are_one_message(path, monkeypatch):
    monkeypatch.setattr(columns, "count_cells", lambda row, separator: 2)
    with pytest.raises(DataError, match=r"from line 2: the rows can be read in two ways.*report"):
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


@pytest.mark.parametrize("head", [b"a,b\n", b""])
def test_blank_lines_end(path, head):
    """40 million of them fit into 40 kB of gzip, and took more than a minute."""
    blank = gzip.compress(head + b"x,1\n" + b"\n" * 10_001 + b"x,1\n")
    with pytest.raises(DataError, match="more than 10000 blank lines follow each other"):
        read(path, blank, header=["a", "b"])
    few = b"a,b\nx,1\n" + b"\n" * 9_999 + b"x,1\n"
    assert len(read(path, few, header="a").get_texts("k")) == 2


def test_what_is_no_file_is_not_read(tmp_path):
    """A pipe without a writer would be waited for, and a device has no end."""
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(DataError, match="a pipe or a device, not a file"):
            read_columns(name, columns=WANTED)


@pytest.mark.parametrize("name", ["m" * 300, f"{'m' * 300}/x", "x/" * 3000])
def test_a_path_that_is_too_long_is_said(tmp_path, name):
    with pytest.raises(DataError, match=r"cannot be read \(File name too long\)\. Give the path"):
        read_columns(tmp_path / name, columns=WANTED)


def test_a_lack_of_memory_is_no_damage(path, monkeypatch):
    """Arrow's is one of its exceptions, of which others are of damaged files."""
    pq.write_table(pa.table({"a": ["x"], "b": [1.0]}), path)

    def fail(*_, **__):
        raise pa.ArrowMemoryError("malloc of size 46080 failed")

    monkeypatch.setattr(pq.ParquetFile, "read", fail)
    with pytest.raises(MemoryError, match="malloc"):
        read_columns(path, columns=WANTED)


def test_a_fault_of_the_disk_is_no_damage(path, monkeypatch):
    pq.write_table(pa.table({"a": ["x"], "b": [1.0]}), path)

    def fail(*_, **__):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(pq.ParquetFile, "read", fail)
    with pytest.raises(DataError, match=r"cannot be read \(Input/output error\). Check the disk"):
        read_columns(path, columns=WANTED)
