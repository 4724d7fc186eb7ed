"""The recipes of docs/your-data.md run on made-up files; no text calls a release harmless."""

import ast
import contextlib
import io
import re
from collections import Counter

import pandas as pd
import pytest

import noiseless
from noiseless.data.samples.own_files import FILES, write_samples
from noiseless.errors import ConfigError

COPIES = 5

SAYS_YES = re.compile(
    r"\b(safe(ly|ty)?|harmless|publish|publishable|may be (published|released|shared|passed on))\b",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs/your-data.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def recipes(page):
    """The code of each section, by its heading."""
    found = re.findall(r"^## (\w+)\n(?:(?!^## ).)*?```python\n(.*?)```", page, re.M | re.S)
    assert [heading for heading, _ in found] == ["Homes", "Trips", "People"]
    assert [f"{heading.lower()}.csv" for heading, _ in found] == list(FILES)
    assert page.count("```python") == 3
    return dict(found)


def draw(file):
    """A sample file without its copies."""
    return FILES[file]().drop_duplicates()


def run(recipe, table, file, tmp_path, monkeypatch):
    """Write a table, every row of it five times, and run a recipe on it: its names, its output."""
    pd.concat([table] * COPIES).to_csv(tmp_path / file, index=False)
    monkeypatch.chdir(tmp_path)
    names, said = {}, io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(recipe, file, "exec"), names)
    return names, said.getvalue()


def test_a_recipe_is_short_drops_copies_first_and_uses_public_names(recipes):
    for recipe in recipes.values():
        assert len(recipe.strip().splitlines()) <= 15
        assigned = [node for node in ast.parse(recipe).body if isinstance(node, ast.Assign)]
        first, second = assigned[:2]
        assert ast.unparse(first).startswith("raw = pd.read_csv(")
        assert ast.unparse(second).endswith(" = raw.drop_duplicates()")
        for node in ast.walk(ast.parse(recipe)):
            if isinstance(node, ast.Import):
                assert {name.name for name in node.names} <= {"pandas", "noiseless"}
            if isinstance(node, ast.ImportFrom):
                assert node.module == "noiseless"
                assert {name.name for name in node.names} <= set(noiseless.__all__)
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "nl":
                assert node.attr in noiseless.__all__


def test_the_recipe_for_homes_converts_them_once(recipes, tmp_path, monkeypatch):
    homes = draw("homes.csv")
    names, said = run(recipes["Homes"], homes, "homes.csv", tmp_path, monkeypatch)
    read = names["readings_wh"]
    assert read.shape == (homes["home"].nunique(), homes["time"].nunique())
    by_hand = {(row.home, row.time): round(1000 * row.energy_kwh) for row in homes.itertuples()}
    assert read.T.unstack().to_dict() == by_hand
    found = names["found"]
    assert found.loc["control", "high"] < found.loc["correlation", "low"]
    assert f"{found.loc['correlation', 'advantage']:.3f}" in said


def test_the_recipe_for_trips_counts_those_that_are_alone(recipes, tmp_path, monkeypatch):
    trips = draw("trips.csv")
    names, said = run(recipes["Trips"], trips, "trips.csv", tmp_path, monkeypatch)
    cells = [
        tuple(min(int(place // 625), 15) for place in row)
        for row in trips.drop(columns="trip").to_numpy()
    ]
    alone = sum(count == 1 for count in Counter(cells).values()) / len(cells)
    assert 0.1 < alone < 0.9
    assert names["found"] == pytest.approx(alone)
    assert names["with_copies"] == 0
    assert f"{alone:.1%} of the trips are unique; copies would have given 0.0%" in said


def test_the_recipe_for_people_counts_groups(recipes, tmp_path, monkeypatch):
    people = draw("people.csv")
    names, said = run(recipes["People"], people, "people.csv", tmp_path, monkeypatch)
    groups = Counter(zip(people["age"] // 10, people["sex"], people["town"], strict=True))
    alike = sum(count for count in groups.values() if count >= 5) / len(people)
    assert alike < 0.95
    assert names["found"] == pytest.approx(alike)
    assert names["with_copies"] == 1
    assert f"{alike:.1%} have 4 others like them; copies would have given 100.0%" in said
    # Reports keep the order and the accuracy; open is who is within 5 kg of the threshold.
    limit = 0.003 * people["height_cm"] ** 2
    near = (people["weight_kg"] - limit).abs() <= 5
    assert (names["reports"]["weight_kg"].to_numpy() - people["weight_kg"]).abs().max() <= 5 + 1e-9
    assert f"{near.mean():.1%} of the reports leave the side open" in said


@pytest.mark.parametrize("heading", ["Homes", "Trips", "People"])
def test_a_second_row_that_is_no_copy_stops_the_recipe(recipes, tmp_path, monkeypatch, heading):
    table = draw(f"{heading.lower()}.csv")
    other = table.iloc[:1].copy()
    other[other.columns[-1]] += 1
    changed = pd.concat([table, other])
    with pytest.raises(AssertionError, match="has two rows that differ"):
        run(recipes[heading], changed, f"{heading.lower()}.csv", tmp_path, monkeypatch)


def test_a_home_that_lacks_a_reading_stops_the_recipe(recipes, tmp_path, monkeypatch):
    with pytest.raises(AssertionError, match="lacks a reading"):
        run(recipes["Homes"], draw("homes.csv").iloc[1:], "homes.csv", tmp_path, monkeypatch)


def test_samples_replace_no_file_and_are_the_same_every_time(tmp_path):
    first, second = (write_samples(tmp_path / name) for name in ("one", "two"))
    assert [path.name for path in first] == list(FILES)
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()
        assert len(first[one]) == len(one.read_text(encoding="utf-8").splitlines()) - 1
    (tmp_path / "one/homes.csv").unlink()
    (tmp_path / "one/people.csv").write_text("mine")
    (tmp_path / "one/trips.csv").unlink()
    with pytest.raises(ConfigError, match=r"people\.csv is there already"):
        write_samples(tmp_path / "one")
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["people.csv"]
    with pytest.raises(ConfigError, match="no file can be written into"):
        write_samples(tmp_path / "one/people.csv/deeper")


# No release is called harmless ------------------------------------------------------------------


def messages_of(source):
    """Every text in a module: docstrings and the parts of f-strings, too."""
    tree = ast.parse(source)
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def test_neither_the_page_nor_a_message_of_the_command_says_yes(page, root):
    source = (root / "workflow/noiseless/command_line.py").read_text(encoding="utf-8")
    texts = [page, *messages_of(source)]
    assert len(texts) > 100
    assert not [text for text in texts if SAYS_YES.search(text)]


@pytest.mark.parametrize("text", ["It is safe.", "Publish it.", "This may be published."])
def test_a_yes_would_be_found(text):
    assert SAYS_YES.search(text)


def test_the_page_says_first_what_a_number_is_not(page):
    assert page.index("None of them can show that it does not") < page.index("```python")
    told = " ".join(page.split())
    assert "Exit code 0 of a command does not mean that a release may be made" in told
    assert "ARX" in page
    assert "sdcMicro" in page
