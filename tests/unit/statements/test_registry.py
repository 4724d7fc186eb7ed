"""What a section may say, and what is refused before a run begins."""

import subprocess
import sys

import pytest

from noiseless.errors import ConfigError
from noiseless.pipeline.sections import list_papers
from noiseless.statements import (
    DataUse,
    Kind,
    Paper,
    Part,
    bounded,
    corrects,
    parse_data,
    table_of_each,
)
from noiseless.statements.registry import build_id, load_sections


@pytest.fixture
def paper():
    return Paper("toy", "A toy", data={"people": DataUse(("all.csv",), "others")})


def check():
    """A number."""
    return bounded([1], at_most=1)


@pytest.mark.parametrize(
    ("kind", "words", "message"),
    [
        (Kind.PREMISE, {}, "of the kind `premise` says premise, not nothing"),
        (Kind.READING, {"premise": "x"}, "of the kind `reading` says true_if, not premise"),
        (Kind.FAILS, {"stands": "x"}, "of the kind `fails` says nothing more, not stands"),
        (Kind.MISPRINT, {}, "says right_at or main_clause, not nothing"),
        (
            *(Kind.MISPRINT, {"right_at": "Eq. 1", "main_clause": "x"}),
            "says right_at or main_clause, not right_at, main_clause",
        ),
        (Kind.MISPRINT, {"main_clause": "x"}, "`shown_by` names the statement of what stands"),
        (Kind.MISPRINT, {"right_at": "Eq. 1"}, "`right_at` goes with the statement of that place"),
        (Kind.FAILS, {"right_words": "x"}, "`right_at` goes with the statement of that place"),
        (Kind.SLIP, {"stands": "x"}, "`shown_by` names the statement of what stands"),
        (Kind.ELSEWHERE, {}, "`same_as` names the line with the fault"),
        (Kind.ASIDE, {}, "`aside` of its statement says that it is one"),
    ],
)
def test_each_kind_of_correction_says_what_a_page_needs(paper, kind, words, message):
    statement = paper.states("Theorem 1")(check)
    with pytest.raises(ConfigError, match=message):
        corrects(statement, kind, "It fails.", **words)(check)


def test_a_correction_of_the_same_cause_says_it_once(paper):
    statement = paper.states("Theorem 1")(check)
    corrects(statement, Kind.SLIP, "It fails.", same_as=statement)(check)
    corrects(statement, reading="another")(check)
    assert [each.said for each in statement.corrections] == ["", ""]
    assert statement.corrections[0].holds_instead == "A number."


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"needs": ("trips",)}, "the paper's `data` does not have trips"),
        ({"redaing": "x"}, "redaing"),
    ],
)
def test_what_a_statement_cannot_say(paper, words, message):
    with pytest.raises((ConfigError, TypeError), match=message):
        paper.states("Theorem 1", **words)(check)


def test_a_reading_is_of_the_same_category(paper):
    statement = paper.states("Theorem 1")(check)

    def other():
        """Another number."""

    with pytest.raises(ConfigError, match="a reading of toy-check is paper, too"):
        paper.adds("Theorem 1", of=statement)(other)


@pytest.mark.parametrize("name", list_papers())
def test_sections_follow_the_order_of_the_paper(name):
    """A section holds its own statements, one below the other."""
    paper = load_sections(name)
    modules = [each.check.__module__ for each in paper.statements]
    assert list(dict.fromkeys(modules)) == sorted(set(modules), key=modules.index)
    assert len(paper.statements) == len({each.id for each in paper.statements})
    for each in paper.statements:
        for correction in each.corrections[:1]:  # others are of a reading, or with a premise
            assert correction.reading or correction.fails, each.id
            assert correction.reading or correction.proof, each.id


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("thm1_continuous", "toy-thm1-continuous"),
        ("thm2_1_proof", "toy-thm2.1-proof"),
        ("thm3_1__3_2", "toy-thm3.1-3.2"),
        ("_61_percent", "toy-61-percent"),
        ("ex4_2_more", "toy-ex4.2-more"),
    ],
)
def test_a_statement_is_called_as_its_function(function, name):
    assert build_id("toy", function) == name


HOMES = {
    "ours": {"paper": ["a.csv"], "stand_in": "another year", "sets": "homes"},
    "town": {
        "paper": [],
        "stand_in": "homes in a town",
        "sets": "homes",
        "said": "on homes in a town",
        "lacks": ["number"],
        "presumes": {"public_range_kwh": 90},
    },
    "meter": {"paper": ["m.csv"], "stand_in": "another meter", "sets": "recordings"},
}


@pytest.fixture
def on_sets():
    return Paper("toy", "A toy", data=parse_data(HOMES), presumes={"toy.games": 3})


def test_a_statement_is_judged_on_each_set_that_has_what_it_asks(on_sets):
    games = table_of_each("toy/games_{homes}")
    threat = on_sets.states("Figure 3", over=games, figure="toy/fig3_{homes}")(check)

    def few():
        """The same."""

    def many():
        """The same."""

    on_sets.states("Figure 3", over=games, of=threat, presupposes=threat)(few)
    on_sets.states("Figure 3", over=games, asks=Part.NUMBER, of="fig3")(many)
    assert [
        (each.id, each.group, each.where, each.needs, each.figure, each.stand_in)
        for each in on_sets.statements
    ] == [
        ("toy-check", "toy-check", "Figure 3", ("ours",), "toy/fig3_ours", ""),
        *[
            (
                *("toy-check-town", "toy-check", "Figure 3, on homes in a town", ("town",)),
                *("toy/fig3_town", "town"),
            )
        ],
        ("toy-few", "toy-check", "Figure 3", ("ours",), "", ""),
        ("toy-few-town", "toy-check", "Figure 3, on homes in a town", ("town",), "", "town"),
        ("toy-many", "toy-fig3", "Figure 3", ("ours",), "", ""),
    ]
    assert [each.name for statement in on_sets.statements for each in statement.tables] == [
        *("toy/games_ours", "toy/games_town", "toy/games_ours", "toy/games_town", "toy/games_ours")
    ]
    assert [each.presupposes for each in on_sets.statements[2:4]] == on_sets.statements[:2]


def test_a_correction_is_of_the_statement_on_each_set(on_sets):
    games, others = table_of_each("toy/games_{homes}"), table_of_each("toy/others_{homes}")
    statement = on_sets.states("Figure 3", over=games)(check)
    corrects(statement, fails="It fails.", over=others)(check)
    found = [each.corrections[0].over[0].name for each in on_sets.statements]
    assert found == ["toy/others_ours", "toy/others_town"]


def test_tables_that_ask_something_are_of_the_sets_that_have_it(on_sets):
    pairs = table_of_each("toy/pairs_{homes}", asks=Part.NUMBER)
    on_sets.states("Figure 3", over=pairs)(check)
    assert [each.data_set for each in on_sets.statements] == ["ours"]
    with pytest.raises(ConfigError, match="no set of data has what this statement asks"):
        on_sets.states("Figure 3", over=pairs, without=Part.NUMBER)


def test_settings_of_sets_are_presumed_by_every_verdict(on_sets):
    assert on_sets.presumes == {"toy.games": 3, "homes.town.public_range_kwh": 90}
    with pytest.raises(ConfigError, match="the set `town` stands in, and lacks `said`"):
        parse_data({"town": {"paper": [], "stand_in": "others", "sets": "homes"}})


def test_the_order_of_statements_is_the_papers_whatever_was_imported_first():
    code = """
import importlib
from noiseless.statements.registry import load_sections
importlib.import_module("noiseless.papers.deterministic.section_4")
print(*(each.id for each in load_sections("deterministic").statements))
"""
    late = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    statements = load_sections("deterministic").statements
    assert late.stdout.split() == [each.id for each in statements]
    assert statements[0].check.__module__.endswith(".section_2")
