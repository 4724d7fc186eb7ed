"""The young people survey: 1,010 answers to 150 questions, Bratislava 2013.

M. Sabo, "Young People Survey", Kaggle, ``miroslavsabo/young-people-survey``, ``responses.csv``.
The file is read as it is: one height of 62 cm is an entry error that the published figure must
have contained, too, so it stays.
"""

import csv
import difflib
from pathlib import Path

import pandas as pd

from noiseless.errors import DataError

COLUMNS = tuple(
    """
Music|Slow songs or fast songs|Dance|Folk|Country|Classical music|Musical|Pop|Rock|
Metal or Hardrock|Punk|Hiphop, Rap|Reggae, Ska|Swing, Jazz|Rock n roll|Alternative|Latino|
Techno, Trance|Opera|Movies|Horror|Thriller|Comedy|Romantic|Sci-fi|War|Fantasy/Fairy tales|
Animated|Documentary|Western|Action|History|Psychology|Politics|Mathematics|Physics|Internet|PC|
Economy Management|Biology|Chemistry|Reading|Geography|Foreign languages|Medicine|Law|Cars|
Art exhibitions|Religion|Countryside, outdoors|Dancing|Musical instruments|Writing|
Passive sport|Active sport|Gardening|Celebrities|Shopping|Science and technology|Theatre|
Fun with friends|Adrenaline sports|Pets|Flying|Storm|Darkness|Heights|Spiders|Snakes|Rats|
Ageing|Dangerous dogs|Fear of public speaking|Smoking|Alcohol|Healthy eating|Daily events|
Prioritising workload|Writing notes|Workaholism|Thinking ahead|Final judgement|Reliability|
Keeping promises|Loss of interest|Friends versus money|Funniness|Fake|Criminal damage|
Decision making|Elections|Self-criticism|Judgment calls|Hypochondria|Empathy|Eating to survive|
Giving|Compassion to animals|Borrowed stuff|Loneliness|Cheating in school|Health|
Changing the past|God|Dreams|Charity|Number of friends|Punctuality|Lying|Waiting|
New environment|Mood swings|Appearence and gestures|Socializing|Achievements|
Responding to a serious letter|Children|Assertiveness|Getting angry|Knowing the right people|
Public speaking|Unpopularity|Life struggles|Happiness in life|Energy levels|Small - big dogs|
Personality|Finding lost valuables|Getting up|Interests or hobbies|Parents' advice|
Questionnaires or polls|Internet usage|Finances|Shopping centres|Branded clothing|
Entertainment spending|Spending on looks|Spending on gadgets|Spending on healthy eating|Age|
Height|Weight|Number of siblings|Gender|Left - right handed|Education|Only child|Village - town|
House - block of flats
""".replace("\n", "").split("|")
)

CATEGORIES: dict[str, tuple[str, ...]] = {
    "Smoking": ("never smoked", "tried smoking", "former smoker", "current smoker"),
    "Alcohol": ("never", "social drinker", "drink a lot"),
    "Punctuality": ("i am often early", "i am always on time", "i am often running late"),
    "Lying": (
        "never",
        "only to avoid hurting someone",
        "sometimes",
        "everytime it suits me",
    ),
    "Internet usage": (
        "no time at all",
        "less than an hour a day",
        "few hours a day",
        "most of the day",
    ),
    "Gender": ("female", "male"),
    "Left - right handed": ("right handed", "left handed"),
    "Education": (
        "currently a primary school pupil",
        "primary school",
        "secondary school",
        "college/bachelor degree",
        "masters degree",
        "doctorate degree",
    ),
    "Only child": ("no", "yes"),
    "Village - town": ("village", "city"),
    "House - block of flats": ("house/bungalow", "block of flats"),
}

# Every other answer is a whole number from 1 to 5.
ANSWERS = (1, 5)
RANGES: dict[str, tuple[int, int]] = {
    "Age": (15, 30),
    "Height": (0, 250),
    "Weight": (0, 200),
    "Number of siblings": (0, 30),
}

_RENAMED = {"Age": "age_years", "Height": "height_cm", "Weight": "weight_kg", "Gender": "gender"}


def read_young_people(path: str | Path) -> pd.DataFrame:
    """Parse and check ``responses.csv``.

    Parameters
    ----------
    path : path
        The file in its original format: comma separated, the 150 columns in any order.

    Returns
    -------
    DataFrame, one row per respondent, 151 columns
        ``respondent`` (position in the file, from 1), then the survey's columns in their original
        order, of which four are renamed: ``age_years``, ``height_cm``, ``weight_kg``, ``gender``.
        Numbers are nullable integers; an empty cell is missing.

    Raises
    ------
    DataError
        If the file is missing, empty, a web page, not UTF-8, cut off, lacks a column, or has a
        value that is not an answer to its question; the line and the column are named.
    """
    rows = _read_rows(Path(path))
    header = rows[0]
    _check_header(path, header)
    for line, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            raise DataError(
                f"{path}, line {line}: {len(row)} cells instead of {len(header)}. "
                "The file is cut off or damaged: fetch it again."
            )
    text = pd.DataFrame(rows[1:], columns=header)
    columns = {"respondent": pd.Series(range(1, len(text) + 1), dtype="Int64")}
    for name in COLUMNS:
        parse = _categories if name in CATEGORIES else _integers
        columns[_RENAMED.get(name, name)] = parse(path, text[name])
    return pd.DataFrame(columns)


def _read_rows(path: Path) -> list[list[str]]:
    if not path.is_file():
        raise DataError(f"{path}: no such file. data/README.md says where to get it.")
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 text ({error}). Fetch the file again.") from None
    if not content.strip():
        raise DataError(f"{path}: the file is empty. Fetch it again.")
    if content.lstrip().startswith("<"):
        raise DataError(
            f"{path}: a web page, not the survey (was a login needed?). data/README.md says how "
            "to get the file."
        )
    try:
        rows = list(csv.reader(content.splitlines(), strict=True))
    except csv.Error as error:
        raise DataError(f"{path}: not a CSV file ({error}). Fetch it again.") from None
    if len(rows) < 2:
        raise DataError(f"{path}: no answers below the header. Fetch the file again.")
    return rows


def _check_header(path: str | Path, header: list[str]) -> None:
    unknown = [name for name in header if name not in COLUMNS]
    for name in COLUMNS:
        if header.count(name) == 1:
            continue
        if name in header:
            raise DataError(f"{path}: column {name!r} occurs {header.count(name)} times.")
        close = difflib.get_close_matches(name, unknown, n=1)
        found = f" ({close[0]!r} looks like it, but is spelt differently)" if close else ""
        raise DataError(
            f"{path}: column {name!r} is missing{found}. Expected the survey's 150 columns as in "
            "the original responses.csv."
        )
    if unknown:
        raise DataError(f"{path}: column {unknown[0]!r} is not one of the survey's 150 columns.")


def _integers(path: str | Path, cells: pd.Series) -> pd.Series:
    low, high = RANGES.get(cells.name, ANSWERS)
    numbers = pd.to_numeric(cells, errors="coerce")
    bad = (cells != "") & ~(numbers.between(low, high) & (numbers % 1 == 0))
    if bad.any():
        raise _bad_cell(path, cells, bad, f"a whole number from {low} to {high}")
    return numbers.astype("Int64")


def _categories(path: str | Path, cells: pd.Series) -> pd.Series:
    known = CATEGORIES[cells.name]
    bad = (cells != "") & ~cells.isin(known)
    if bad.any():
        raise _bad_cell(path, cells, bad, f"one of {', '.join(map(repr, known))}")
    return cells.where(cells != "").astype("string")


def _bad_cell(path: str | Path, cells: pd.Series, bad: pd.Series, expected: str) -> DataError:
    row = int(bad.idxmax())
    more = f" ({int(bad.sum()) - 1} more in this column)" if bad.sum() > 1 else ""
    return DataError(
        f"{path}, line {row + 2}, column {cells.name!r}: {cells[row]!r} is not {expected}, nor "
        f"empty{more}. Correct the cell, or fetch the original file again."
    )
