"""The columns of a day in a wide file, and the names of homes that are files."""

import itertools
from pathlib import Path

import pandas as pd
import pytest

from noiseless.custodian.reading.layouts import day_columns, home_of_file
from noiseless.errors import DataError
from own_meters import read, write

CLOCK = [f"{k // 2}:{30 * (k % 2):02}" for k in range(49)]
BOTH = [f"{start}-{end}" for start, end in itertools.pairwise(CLOCK)]


@pytest.mark.parametrize(
    ("names", "is_day"),
    [
        (CLOCK[:48], True),
        (CLOCK[1:], True),
        ([*CLOCK[1:48], "0:00"], True),
        (BOTH, True),
        ([f"HH{k}" for k in range(1, 49)], True),
        ([f"{k:03}" for k in range(24)], True),
        ([f"{100 * (k // 2) + 30 * (k % 2):04}" for k in range(48)], True),
        ([f"SP{k}" for k in range(1, 51)], True),
        (CLOCK[:47], False),
        ([CLOCK[1], CLOCK[0], *CLOCK[2:48]], False),
        ([f"HH{k}" for k in range(2, 50)], False),
        ([f"meter {k}" for k in range(1, 31)], False),
        ([f"{k + 60:04}" for k in range(24)], False),
        (CLOCK[2:], False),
    ],
)
def test_columns_make_up_a_day_by_their_times_or_their_numbers(names, is_day):
    found = day_columns(["meter", "day", "tariff 1", *names])
    assert found == (tuple(names) if is_day else ())


def test_a_pattern_chooses_a_family_and_no_part_of_a_day():
    header = [f"{kind} {k}" for kind in ("use", "sold") for k in range(1, 25)]
    assert day_columns(header) == ()
    assert day_columns(header, "use*") == tuple(header[:24])
    assert day_columns(header, "use 1") == ()


def test_files_with_other_columns_for_the_day_are_no_one_table(tmp_path):
    for name, columns in (("a", range(1, 25)), ("b", range(24))):
        table = pd.DataFrame([["2024-01-01", *[5] * 24]], columns=["day", *columns])
        write(tmp_path / f"{name}.csv", table)
    with pytest.raises(DataError, match="the columns of the day differ between the files"):
        read(tmp_path, columns={"time": "day"}, layout="wide")


@pytest.mark.parametrize(
    ("file", "home"), [("a.csv.gz", "a"), ("a.b.CSV", "a.b"), ("a.dat", "a"), ("a", "a")]
)
def test_a_file_names_its_home(file, home):
    assert home_of_file(Path(file)) == home
