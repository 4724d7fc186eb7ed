"""Young people survey: 1,010 answers to 150 questions, Bratislava 2013.

M. Sabo, "Young People Survey", Kaggle, ``miroslavsabo/young-people-survey``, ``responses.csv``.
The file is read as it is: one height of 62 cm is an entry error that the published figure must
have contained, too, so it is not removed.
"""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pandas as pd

from noiseless.errors import DataError
from noiseless.reading.columns import CELL_ADVICE, NUMBER_PATTERN, TEXT, ColumnSpecs, read_columns

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
    "Lying": ("never", "only to avoid hurting someone", "sometimes", "everytime it suits me"),
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

# Every other answer is an integer from 1 to 5.
ANSWERS = (1, 5)
RANGES: dict[str, tuple[int, int]] = {
    "Age": (15, 30),
    "Height": (0, 250),
    "Weight": (0, 200),
    "Number of siblings": (0, 30),
}

_RENAMED = {"Age": "age_years", "Height": "height_cm", "Weight": "weight_kg", "Gender": "gender"}


def read_young_people(path: str | Path) -> pd.DataFrame:
    """Read and check ``responses.csv``, as one row per respondent.

    The columns are ``respondent`` (position in the file, from 1), then the survey's 150, which the
    file has in any order, in their original one; four are renamed: ``age_years``, ``height_cm``,
    ``weight_kg``, ``gender``. Numbers are nullable integers; an empty cell is missing.
    """
    read = read_columns(path, columns=partial(_match_columns, path))
    columns = {"respondent": pd.Series(range(1, len(read) + 1), dtype="Int64")}
    for name in COLUMNS:
        cells = pd.Series(read.get_cells(name))
        if name in CATEGORIES:
            values, good = cells.where(cells != "").astype("string"), cells.isin(CATEGORIES[name])
            expected = f"one of {', '.join(map(repr, CATEGORIES[name]))}"
        else:
            low, high = RANGES.get(name, ANSWERS)
            plain = cells.where(cells.str.match(NUMBER_PATTERN, flags=re.ASCII))
            numbers = pd.to_numeric(plain, errors="coerce")
            good = numbers.between(low, high) & (numbers % 1 == 0)
            values, expected = (
                numbers.where(good).astype("Int64"),
                f"an integer from {low} to {high}",
            )
        problem = f"{{cell}} is not {expected} (an empty cell is allowed). {CELL_ADVICE}"
        read.check_rows(name, (cells == "") | good, problem)
        columns[_RENAMED.get(name, name)] = values
    return pd.DataFrame(columns)


def _match_columns(path: str | Path, header: Sequence[str]) -> ColumnSpecs:
    """Return the survey's 150 columns as texts, after checking that the header has no other."""
    unknown = [name for name in header if name not in COLUMNS]
    if unknown and set(COLUMNS) <= set(header):
        raise DataError(
            f"{path}: column {unknown[0][:80]!r} is not one of the survey's 150 columns. Fetch the "
            "original file again."
        )
    return {name: (name, TEXT) for name in COLUMNS}
