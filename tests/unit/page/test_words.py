"""Words of the page: no Paper line is a machine's, half a line of a text."""

import re

from noiseless.page.words import shorten_text, spell_number
from noiseless.pipeline.sections import list_papers
from noiseless.statements.registry import load_statements

# What the ledger's `expected` looks like: a reduction, a bound, an order, a column's name.
MACHINE = re.compile(
    r"^(all rows|at most [-\d.]+$|at least [-\d.]+$|between [-\d.]+ and)"
    r"|^(sum|max|min|mean|count) (at most|at least|between|[-\d.]+$)"
    r"|^(non)?(in|de)creasing along|\b[a-z0-9]+_[a-z0-9]+_[a-z0-9_]+\b"
)


def test_every_paper_line_is_in_the_papers_terms():
    assert MACHINE.search("sum at most 0")
    assert MACHINE.search("all rows between 0 and 1")
    assert MACHINE.search("ex2_1_d_max: 0.25")
    assert MACHINE.search("nondecreasing along gamma")
    for each in load_statements(list_papers()):
        if each.category == "paper":
            line = each.quote or each.prints
            assert line, f"{each.id}: neither `quote` nor `prints` says what the paper prints"
            assert not MACHINE.search(line), (each.id, line)
        else:
            assert not each.prints, f"{each.id}: no paper prints a statement of our own"


def test_gist_is_half_a_line():
    assert shorten_text("Short.") == "Short."
    first = "The sign of the exponent is wrong in this equation. "
    assert shorten_text(first + "More words follow here, " * 5) == first.strip()
    long = shorten_text("word " * 60)
    assert len(long) <= 92
    assert long.endswith(" …")
    assert long.startswith("word word")


def test_small_numbers_are_spelt():
    assert [spell_number(each) for each in (1, 5, 12)] == ["one", "five", "12"]
