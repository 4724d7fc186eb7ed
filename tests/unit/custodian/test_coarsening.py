"""How a table of people is coarsened: each level by hand, the choice against all choices."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from noiseless.custodian.coarsening import AS_IT_IS, LEFT_OUT, coarsen, levels_of
from noiseless.seeds import generator


def test_numbers_are_put_in_steps_with_open_ends():
    ages = pd.Series([*range(20, 60), 90, np.nan], dtype=float)
    levels = {level.words: level for level in levels_of(ages)}
    assert next(iter(levels)) == AS_IT_IS
    assert list(levels)[-1] == LEFT_OUT
    level = levels["in steps of 10 from 30 to 50, open beyond"]
    assert level.released[[0, 9, 10, 39, 40, 41]].tolist() == [
        *("under 30", "under 30", "30 to 39", "50 or more", "50 or more", ""),
    ]
    groups = [range(20, 30), range(30, 40), range(40, 50), [*range(50, 60), 90]]
    squares = sum(((np.array(group) - np.mean(group)) ** 2).sum() for group in groups)
    assert level.error == pytest.approx(math.sqrt(squares / 41))
    assert level.kept == pytest.approx(1 - squares / 41 / ages.var(ddof=0))
    assert levels[AS_IT_IS].error == 0
    assert levels[LEFT_OUT].error == pytest.approx(ages.std(ddof=0))


def test_texts_are_joined_or_cut():
    towns = pd.Series(["A"] * 60 + ["B"] * 37 + ["C", "D", ""])
    words = [level.words for level in levels_of(towns)]
    assert words == [
        AS_IT_IS,
        "values of fewer than 5 people joined as “other”",
        LEFT_OUT,
    ]
    assert set(levels_of(towns)[1].released) == {"A", "B", "other"}
    codes = levels_of(pd.Series(["75011", "75013", "75116", "69001"] * 5))
    assert codes[2].words == "its first 2 characters"  # three and four characters tell no more
    days = levels_of(pd.Series(["2001-02-03", "2001-02-04", "2001-03-04", "2002-01-01"] * 5))
    assert [level.words for level in days] == [
        *(AS_IT_IS, "the month alone", "the year alone", LEFT_OUT),
    ]


@pytest.mark.parametrize("number", range(6))
def test_the_choice_is_k_anonymous_and_close_to_the_best_of_all(number):
    draw = generator(number, "coarsening")
    people = pd.DataFrame(
        {
            "age": draw.integers(18, 80, 150).astype(float),
            "height": draw.normal(170, 10, 150).round(),
            "town": draw.choice(["A", "B", "C", "D"], 150, p=[0.6, 0.3, 0.06, 0.04]),
        }
    )
    secret = pd.DataFrame({"ill": draw.choice(["yes", "no"], 150)})
    found = coarsen(people, secret, k=4, diversity=2, most_excluded_share=0.05)
    table = pd.DataFrame({name: level.released for name, level in found.levels.items()})

    def few(table):
        groups = table.assign(ill=secret["ill"]).groupby(list(table), dropna=False)["ill"]
        return ~((groups.transform("size") >= 4) & (groups.transform("nunique") >= 2))

    assert (~few(table)).tolist() == found.released.tolist()
    assert found.released.mean() >= 0.95
    every = [levels_of(people[name]) for name in people]
    best = max(
        np.mean([level.kept for level in choice])
        for choice in itertools.product(*every)
        if few(pd.DataFrame(dict(zip(people, (x.released for x in choice), strict=True)))).mean()
        <= 0.05
    )
    assert best >= found.kept >= 0.97 * best
    # What a larger k needs is enough for a smaller one.
    start = {name: level.words for name, level in found.levels.items()}
    again = coarsen(people, secret, k=3, diversity=2, most_excluded_share=0.05, start=start)
    assert again.kept >= found.kept


def test_nobody_is_released_where_all_answers_are_one():
    people = pd.DataFrame({"age": np.arange(40.0)})
    same = pd.DataFrame({"ill": ["no"] * 40})
    assert not coarsen(people, same, k=2, diversity=2, most_excluded_share=0.05).released.any()
