"""What a section may say, and what is refused before a run begins."""

import pytest

from noiseless.errors import ConfigError
from noiseless.pipeline.sections import list_stated_papers
from noiseless.statements import DataUse, Kind, Paper, bounded, corrects
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


@pytest.mark.parametrize("name", list_stated_papers())
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
