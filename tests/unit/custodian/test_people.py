"""What is said of people, and the rows that may be published, by hand."""

import numpy as np
import pandas as pd
import pytest

from noiseless.custodian.people import people_answer, people_tables, protected_people
from noiseless.seeds import generator

ASKED = {"identifying": ["age", "town"], "sensitive": ["ill"], "k": 3, "diversity": 2}


@pytest.fixture(scope="module")
def people():
    draw = generator(1, "people")
    return pd.DataFrame(
        {
            "age": draw.integers(20, 70, 200).astype(float),
            "town": draw.choice(["A", "B", "C"], 200),
            "ill": draw.choice(["yes", "no"], 200),
            "name": [f"N{k}" for k in range(200)],
        }
    )


@pytest.fixture(scope="module")
def tables(people):
    return {f"people_{name}": table for name, table in people_tables(people, **ASKED).items()}


def value(table, statistic, **where):
    for key, wanted in where.items():
        table = table[table[key] == wanted]
    (found,) = table[table["statistic"] == statistic]["value"]
    return found


def test_who_stands_alone(people, tables):
    counts = people.groupby(["age", "town"]).size()
    alone = (counts == 1).sum() / 200
    assert value(tables["people_risk"], "unique_share", known="all of them") == alone
    assert value(tables["people_risk"], "unique_share", known="town alone") == 0
    assert value(tables["people_release"], "unique_share", k=1) == alone
    assert value(tables["people_release"], "smallest_class", k=1) == 1


def test_the_protected_rows_are_alike_diverse_and_in_no_order(people, tables):
    rows = protected_people(people, tables, **ASKED)
    assert set(rows) <= {"age", "town", "ill"}
    known = [name for name in rows if name != "ill"]
    groups = rows.groupby(known)["ill"]
    assert groups.size().min() >= 3
    assert groups.nunique().min() >= 2
    assert len(rows) == 200 - value(tables["people_release"], "excluded", k=3)
    assert rows.astype(str).equals(rows.astype(str).sort_values(list(rows), ignore_index=True))
    shuffled = people.sample(frac=1, random_state=3).reset_index(drop=True)
    assert protected_people(shuffled, tables, **ASKED).equals(rows)


def test_the_answer_names_all_that_counts(tables):
    answer = people_answer(tables, None)
    assert answer.is_to_publish
    assert "at least 3 people look alike" in answer.headline
    assert [name for name, _ in answer.points] == ["What", "Error", "Risk", "From whom", "How sure"]
    points = dict(answer.points)
    assert "with 2 or more different values of ill" in points["Risk"]
    assert "right once in 3 times at most" in points["Risk"]
    assert "who knows age and town of a person who is in the file" in points["From whom"]


@pytest.mark.parametrize(
    "change", [{"k": 300}, {"sensitive": ["name"], "diversity": 201}], ids=["k", "diversity"]
)
def test_where_nothing_hides_people_nothing_is_to_be_published(people, change):
    made = people_tables(people, **{**ASKED, **change})
    answer = people_answer({f"people_{name}": table for name, table in made.items()}, None)
    assert not answer.is_to_publish
    assert answer.headline.startswith("Nothing to publish row by row")
    assert answer.helps


def test_a_missing_value_is_a_value(people):
    lacking = people.assign(age=people["age"].where(people.index > 0), town="A")
    made = people_tables(lacking, **ASKED)
    assert value(made["risk"], "unique_share", known="age alone") >= 1 / 200
    rows = protected_people(
        lacking, {f"people_{name}": table for name, table in made.items()}, **ASKED
    )
    assert rows.groupby(list(set(rows) - {"ill"})).size().min() >= 3
    assert not np.isin(rows["age"].to_numpy(), [""]).any()


def test_what_a_class_tells_and_which_columns_are_asked_of():
    """Two pairs of look-alikes, one of which has one answer; and three columns, each left out."""
    people = pd.DataFrame(
        {
            "age": [30.0, 30.0, 40.0, 40.0],
            "town": ["A", "A", "B", "B"],
            "pet": ["cat", "cat", "dog", "dog"],
            "ill": ["yes", "yes", "yes", "no"],
        }
    )
    made = people_tables(
        people, identifying=["age", "town", "pet"], sensitive=["ill"], k=2, diversity=1
    )
    assert value(made["secrets"], "told_share", k=2) == 0.5
    assert value(made["secrets"], "smallest_diversity", k=2) == 1
    every = {"all of them"} | {f"{name} alone" for name in ("age", "town", "pet")}
    assert every | {f"all but {name}" for name in ("age", "town", "pet")} <= set(
        made["risk"]["known"]
    )
    two = people_tables(people, identifying=["age", "town"], sensitive=["ill"], k=2, diversity=1)
    assert not two["risk"]["known"].str.startswith("all but").any()
