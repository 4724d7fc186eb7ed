"""Words of the page: no Paper line is a machine's, checks as sentences, half a line of a text."""

import math
import re

import pytest

from noiseless.ledger.bridge import load_all_claims
from noiseless.ledger.claims import Bounds, Check, Decided, ExpectedEntries, Order
from noiseless.page.words import describe_check as in_words
from noiseless.page.words import shorten_text, spell_number

# What the ledger's `expected` looks like: a reduction, a bound, an order, a column's name.
MACHINE = re.compile(
    r"^(all rows|at most [-\d.]+$|at least [-\d.]+$|between [-\d.]+ and)"
    r"|^(sum|max|min|mean|count) (at most|at least|between|[-\d.]+$)"
    r"|^(non)?(in|de)creasing along|\b[a-z0-9]+_[a-z0-9]+_[a-z0-9_]+\b"
)


@pytest.fixture(scope="module")
def claims(root):
    """All claims of all papers."""
    return load_all_claims(root / "workflow/noiseless/papers")


def test_every_paper_line_is_in_the_papers_terms(claims):
    assert MACHINE.search("sum at most 0")
    assert MACHINE.search("all rows between 0 and 1")
    assert MACHINE.search("ex2_1_d_max: 0.25")
    assert MACHINE.search("nondecreasing along gamma")
    for claim in claims:
        if claim.category == "paper":
            line = claim.quote or claim.prints
            assert line, f"{claim.id}: neither `quote` nor `prints` says what the paper prints"
            assert not MACHINE.search(line), (claim.id, line)
        else:
            assert not claim.prints, f"{claim.id}: no paper prints a statement of our own"


def test_every_check_has_words(claims):
    for claim in claims:
        for check in claim.checks:
            said = in_words(check)
            assert said[0].isupper() or said.startswith("“"), said
            assert said.endswith(".")
            assert "_" not in said or isinstance(check.relation, Decided)  # code is code
            assert "None" not in said


def check(relation, reduce="value", statistic=("revealed_share",)):
    return Check(table="toy/t", where={"statistic": statistic}, relation=relation, reduce=reduce)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (check(Bounds(-math.inf, 0), "sum"), "All rows of “revealed share” add up to at most 0."),
        (check(Bounds(0.5, 0.5), "all"), "“revealed share” is, in every row, 0.5."),
        (check(Bounds(1, math.inf)), "“revealed share” is at least 1."),
        (check(Bounds(0, 2), "max"), "The largest “revealed share” is between 0 and 2."),
        (
            check(Order("decreasing", "epsilon_nats", None, 0.1)),
            "“revealed share” falls by more than 0.1 as epsilon nats grows.",
        ),
        (
            check(ExpectedEntries("step", {1: 1.5, 2: -math.inf})),
            "“revealed share” is 1.5 at step 1; minus infinite at step 2.",
        ),
        (check(ExpectedEntries("statistic", {"d_max": 0.25}), statistic=()), "“d max” is 0.25."),
    ],
)
def test_a_check_is_put_in_words(given, said):
    assert in_words(given) == said


def test_relation_without_words_is_an_error():
    with pytest.raises(ValueError, match=r"`check\.relation` must be"):
        in_words(check("odd"))


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
