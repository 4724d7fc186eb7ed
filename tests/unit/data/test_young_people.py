"""The survey's parser: the real file, the sample, and every way to spoil a file."""

import csv

import pytest

from noiseless.data.samples.young_people import write_young_people
from noiseless.data.young_people import CATEGORIES, COLUMNS, read_young_people
from noiseless.errors import DataError


@pytest.fixture
def sample(tmp_path):
    path = tmp_path / "responses.csv"
    write_young_people(path, rows=60, seed=1)
    return path


def edit(path, change):
    """Rewrite the file after a change of its rows (header first)."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    change(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_real_file_is_read_whole(young_people_csv):
    survey = read_young_people(young_people_csv)
    assert survey.shape == (1010, 151)
    assert survey.isna().sum().sum() == 608
    assert len(survey[["height_cm", "weight_kg"]].dropna()) == 980
    mistyped = survey[survey["height_cm"] < 100]
    assert mistyped[["respondent", "height_cm", "weight_kg"]].to_numpy().tolist() == [[677, 62, 55]]


def test_sample_has_the_originals_format(sample, young_people_csv):
    original, made = (
        path.read_text(encoding="utf-8").splitlines() for path in (young_people_csv, sample)
    )
    assert made[0] == original[0]
    for column, (theirs, ours) in enumerate(
        zip(original[1].split(","), made[1].split(","), strict=True)
    ):
        if theirs and ours:
            assert theirs.startswith('"') == ours.startswith('"'), COLUMNS[column]


def test_sample_has_the_originals_quirks(tmp_path):
    path = tmp_path / "responses.csv"
    write_young_people(path, rows=1010, seed=1)
    survey = read_young_people(path)
    assert (survey["height_cm"] == 62).sum() == 1
    assert survey["weight_kg"].isna().any()
    assert survey["gender"].isna().any()
    bmi = survey["weight_kg"] / (survey["height_cm"] / 100) ** 2
    assert 5 < (bmi >= 30).sum() < 80


def test_columns_may_come_in_any_order(sample):
    expected = read_young_people(sample)
    edit(sample, lambda rows: [row.reverse() for row in rows])
    assert read_young_people(sample).equals(expected)


def set_cell(line, name, value):
    def change(rows):
        rows[line - 1][rows[0].index(name)] = value

    return change


def rename(old, new):
    return lambda rows: rows[0].__setitem__(rows[0].index(old), new)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (rename("Weight", "Wieght"), r"'Weight' is missing. Did you mean 'Wieght'"),
        (rename("Music", "Weight"), r"'Music' is missing|'Weight' occurs 2 times"),
        (lambda rows: [row.append("x") for row in rows], r"'x' is not one of"),
        (lambda rows: [row.pop() for row in rows], r"'House - block of flats' is missing"),
        (lambda rows: rows[7].pop(), r"line 8: 149 cells instead of 150"),
        (lambda rows: rows.__delitem__(slice(1, None)), "no rows below"),
        (set_cell(5, "Weight", "heavy"), r"line 5, .* 'heavy' is not an integer from 0 to 200"),
        (set_cell(3, "Smoking", "never smokd"), r"line 3, column 'Smoking': .* one of"),
    ],
)
def test_spoiled_table_is_one_readable_error(sample, change, message):
    edit(sample, change)
    with pytest.raises(DataError, match=message) as caught:
        read_young_people(sample)
    assert str(sample) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("share", [0.3, 0.999])
def test_file_that_is_cut_off_is_found_out(sample, share):
    content = sample.read_bytes()
    sample.write_bytes(content[: int(share * len(content))])
    with pytest.raises(DataError):
        read_young_people(sample)


def test_every_text_column_is_known():
    assert len(COLUMNS) == len(set(COLUMNS)) == 150
    assert set(CATEGORIES) <= set(COLUMNS)
    assert len(CATEGORIES) == 11
