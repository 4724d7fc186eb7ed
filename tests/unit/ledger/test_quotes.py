"""Every quote stands in the text of its paper, and what is wrong as printed had its best chance."""

import re

import pytest

from conftest import SHARED_DATA
from noiseless.ledger.bridge import load_all_claims
from noiseless.ledger.claims import ELLIPSIS, PAPER, load_claims
from noiseless.settings import load_yaml
from quotes import TEXTS, missing, unseen, words
from toy_claims import PASSES, claims_file, entry

PAPERS = SHARED_DATA.parent / "papers"


@pytest.fixture(scope="module")
def listed(root):
    return load_yaml(root / "tests/unit/ledger/quotes.yaml")


@pytest.fixture(scope="module")
def claims(root):
    return load_all_claims(root / "workflow/noiseless/papers")


def test_every_quote_stands_in_its_paper(claims, listed):
    """Those that are listed do not, so that a list holds nothing that is mended."""
    if not PAPERS.is_dir():
        pytest.skip("no texts of the papers in ../shared/papers")
    texts = {
        paper: words((PAPERS / name).read_text(encoding="utf-8")) for paper, name in TEXTS.items()
    }
    lost = {each.id for each in claims if each.quote and missing(each, texts[each.paper])}
    uncut = {each.id for each in claims if ELLIPSIS in each.quote and not each.cut}
    to_read = set(listed["to_read"] or ())
    assert lost | uncut == set(listed["garbled"]) | to_read
    assert not set(listed["garbled"]) & to_read
    assert all(listed["garbled"].values())


def test_nothing_is_left_out_of_a_quote_unseen(claims, listed):
    """An ellipsis gives the words that it leaves out; those that are listed do not yet."""
    if not PAPERS.is_dir():
        pytest.skip("no texts of the papers in ../shared/papers")
    texts = {
        paper: words((PAPERS / name).read_text(encoding="utf-8")) for paper, name in TEXTS.items()
    }
    found = {
        each.id for each in claims if ELLIPSIS in each.quote and unseen(each, texts[each.paper])
    }
    assert found == set(listed["to_give"] or ())


def test_what_is_wrong_as_printed_had_its_best_chance(claims, listed):
    """A statement every reading of which has an erratum says what was tried in its favour."""
    statements = {}
    for claim in claims:
        if claim.category == PAPER:
            statements.setdefault(claim.statement, []).append(claim)
    untried = {
        name
        for name, rows in statements.items()
        if all(
            any(row.erratum for row in rows if row.reading in ("", reading))
            for reading in {row.reading for row in rows if row.reading} or {""}
        )
        and not any(row.erratum and (row.erratum.friendliest or row.erratum.slip) for row in rows)
    }
    assert untried == set(listed["to_try"] or ())


@pytest.mark.parametrize(
    ("quote", "cut", "lost"),
    [
        ("It is well-known that X is so in 47 cases.", None, 0),
        ("It is wellknown that [[X]] is so in 47 cases.", None, 0),
        ("It is well-known that X is so in 48 cases.", None, 1),
        ("It is well-known that X is not so in 47 cases.", None, 1),
        ("It is unknown [...] in 47 cases.", None, 1),
        ("It is well-known [...] in 47 cases.", None, 0),  # two passages
        ("It is [...] in 47 cases.", ["well-known that X is so"], 0),
        ("It is [...] in 47 cases.", ["unknown whether X is so"], 1),
        ("In 47 cases [...] it is well-known", [""], 0),
        ("X := f(y)", None, 1),
    ],
)
def test_a_quote_is_found_in_a_text_or_not(tmp_path, quote, cut, lost):
    more = {} if cut is None else {"cut": cut}
    [claim] = load_claims(claims_file(tmp_path, entry(PASSES, quote=quote, **more)))
    text = words(
        "Lemma. It is well-\nknown that $\\begin{cases}\\mathbb{X}\\end{cases}$ is so in 47 cases."
    )
    assert len(missing(claim, text)) == lost


@pytest.mark.parametrize(
    ("quote", "cut", "hidden"),
    [
        ("It is well-known [...] so in 47 cases.", ["that X is"], 0),
        ("It is well-known [...] so in 47 cases.", [""], 1),  # what stands between may decide
        ("so in 47 cases [...] It is well-known", [""], 0),  # it stands before
        ("It is well-known [...] in 48 cases", [""], 1),  # it does not stand there
    ],
)
def test_what_an_ellipsis_hides_is_given_or_stands_elsewhere(tmp_path, quote, cut, hidden):
    [claim] = load_claims(claims_file(tmp_path, entry(PASSES, quote=quote, cut=cut)))
    text = words("Lemma. It is well-known that not every X is so in 47 cases.")
    assert len(unseen(claim, text)) == hidden


def test_every_text_has_its_words():
    if not PAPERS.is_dir():
        pytest.skip("no texts of the papers in ../shared/papers")
    for name in TEXTS.values():
        text = words((PAPERS / name).read_text(encoding="utf-8"))
        assert len(text) > 20_000, name
        assert re.search(r"privacy", text), name
