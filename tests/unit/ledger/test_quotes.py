"""Every quote stands in the text of its paper, and what is wrong as printed had its best chance."""

import re

import pytest

from conftest import SHARED_DATA
from noiseless.ledger.errata import build_erratum
from noiseless.pipeline.sections import list_papers
from noiseless.settings import load_yaml
from noiseless.statements.registry import Category, load_statements
from quotes import ELLIPSIS, TEXTS, deciding, missing, unseen, words
from toy_statements import entry, passes, toy_paper

PAPERS = SHARED_DATA.parent / "papers"


@pytest.fixture(scope="module")
def listed(root):
    return load_yaml(root / "tests/unit/ledger/quotes.yaml")


@pytest.fixture(scope="module")
def statements():
    return load_statements(list_papers())


@pytest.fixture(scope="module")
def texts():
    """The words of each paper's text; its tests are skipped by name where the texts are absent."""
    if not PAPERS.is_dir():
        pytest.skip("no texts of the papers in ../shared/papers")
    return {
        paper: words((PAPERS / name).read_text(encoding="utf-8")) for paper, name in TEXTS.items()
    }


def test_every_quote_stands_in_its_paper(statements, listed, texts):
    """Those that are listed do not, so that a list holds nothing that is mended."""
    lost = {each.id for each in statements if each.quote and missing(each, texts[each.paper.name])}
    uncut = {each.id for each in statements if ELLIPSIS in each.quote and not each.cut}
    assert lost | uncut == set(listed["garbled"])
    assert all(listed["garbled"].values())


def test_where_a_misprint_is_right_is_a_place_of_the_same_paper(statements, texts):
    """It has a statement of the paper, or words that stand there."""
    places = [(each, one) for each in statements for one in each.corrections if one.right_at]
    assert len(places) > 5
    for each, one in places:
        if one.right_words:
            assert len(words(one.right_words)) > 20, each.id  # less stands anywhere
            assert words(one.right_words) in texts[each.paper.name], each.id
        else:
            right = one.shown_by
            right = each.paper.find(right) if isinstance(right, str) else right
            assert right.paper is each.paper
            assert right.category is Category.PAPER, each.id
            assert right.group != each.group, each.id


def test_what_is_left_out_of_a_quote_decides_nothing(statements):
    """An ellipsis gives the words that it leaves out, and these decide nothing."""
    cut = [each for each in statements if ELLIPSIS in each.quote]
    assert {each.id: deciding(each) for each in cut if deciding(each)} == {}


def test_nothing_is_left_out_of_a_quote_unseen(statements, texts):
    """The words that it leaves out stand there."""
    cut = [each for each in statements if ELLIPSIS in each.quote]
    assert [each.id for each in cut if unseen(each, texts[each.paper.name])] == []


@pytest.mark.parametrize(
    ("quote", "cut", "found"),
    [
        ("X is so [...] in all cases", "as is well known", 0),
        ("X is so [...] in all cases", "if Y is", 1),
        ("X is so [...] in all cases", "as one would not expect", 1),
        ("X is so [...] in all cases", "with values that are ordered, b_1 <= b_2", 1),
        ("X is so [...] in all cases", "for people of 47 and more", 1),
        ("X is so [...] in all cases", "Only", 1),
        ("X is so [...] in all cases", "of a notable kind", 0),  # no word of its letters
        ("X is so [...] in all cases", "", 1),  # whatever stands between
        ("X is so [...] in all cases", None, 1),
        ("X = [...] = 3.", "Y/2", 0),  # both ends of the chain are there
        ("X = [...], which is 3.", "Y/2", 0),
        ("X = Y + [...] = 3.", "Z/2", 1),  # a term of a sum
        ("X = [...], which isolates Y.", "Z/2", 1),
    ],
)
def test_what_an_ellipsis_leaves_out_decides_nothing(quote, cut, found):
    more = {} if cut is None else {"cut": (cut,)}
    [statement] = toy_paper(entry(passes, quote=quote, **more)).statements
    assert len(deciding(statement)) == found


def test_what_is_wrong_as_printed_had_its_best_chance(statements):
    """A statement every reading of which has an erratum says what was tried in its favour."""
    groups = {}
    for each in statements:
        if each.category is Category.PAPER:
            groups.setdefault(each.group, []).append((each.reading, build_erratum(each)))
    untried = {
        name
        for name, rows in groups.items()
        if all(
            any(wrong for said, wrong in rows if said in ("", reading))
            for reading in {said for said, _ in rows if said} or {""}
        )
        and not any(wrong and (wrong.friendliest or wrong.slip) for _, wrong in rows)
    }
    assert untried == set()


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
def test_a_quote_is_found_in_a_text_or_not(quote, cut, lost):
    more = {} if cut is None else {"cut": cut}
    [statement] = toy_paper(entry(passes, quote=quote, **more)).statements
    text = words(
        "Lemma. It is well-\nknown that $\\begin{cases}\\mathbb{X}\\end{cases}$ is so in 47 cases."
    )
    assert len(missing(statement, text)) == lost


@pytest.mark.parametrize(
    ("quote", "cut", "hidden"),
    [
        ("It is well-known [...] so in 47 cases.", ["that X is"], 0),
        ("It is well-known [...] so in 47 cases.", [""], 1),  # what stands between may decide
        ("so in 47 cases [...] It is well-known", [""], 0),  # it stands before
        ("It is well-known [...] in 48 cases", [""], 1),  # it does not stand there
    ],
)
def test_what_an_ellipsis_hides_is_given_or_stands_elsewhere(quote, cut, hidden):
    [statement] = toy_paper(entry(passes, quote=quote, cut=cut)).statements
    text = words("Lemma. It is well-known that not every X is so in 47 cases.")
    assert len(unseen(statement, text)) == hidden


DISPLAYS = ("epsilon_DDP(ht)",)  # a display of relations has a verdict for each of them


def test_one_sentence_has_one_verdict(statements):
    groups = {}
    for each in statements:
        if each.category is Category.PAPER and each.quote:
            words_of = (each.paper.name, " ".join(each.quote.split()))
            groups.setdefault(words_of, set()).add(each.group)
    shared = {quote for (_, quote), names in groups.items() if len(names) > 1}
    assert [quote for quote in shared if not any(each in quote for each in DISPLAYS)] == []


def test_a_quote_is_a_sentence_from_its_beginning_on(statements, listed):
    """Capital letters begin one, or numbers of lines and items; what is no sentence is listed."""
    papers = [each for each in statements if each.category is Category.PAPER]
    without = {each.id for each in papers if not each.quote}
    assert without == set(listed["without_sentence"])
    within = {each.id for each in papers if each.quote and not BEGINS.match(each.quote)}
    assert within == set(listed["begin_within"])
    assert all({**listed["without_sentence"], **listed["begin_within"]}.values())


# Not the ellipsis of a list, as of x1, ..., xn or of a table's rows.
HIDDEN = re.compile(r"(?<![,;+] )(?<![,;+1])\.\.\.")
BEGINS = re.compile(r"[A-Z]|\d+[.:)] |\d ")


def test_words_are_left_out_of_quotes_in_one_way(statements):
    """As ``[...]``, which is held against the text; other dots are the paper's."""
    quotes = {each.id: each.quote.replace(ELLIPSIS, "") for each in statements}
    assert {name for name, quote in quotes.items() if HIDDEN.search(quote)} == set()


def test_every_text_has_its_words(texts):
    for name, text in texts.items():
        assert len(text) > 20_000, name
        assert re.search(r"privacy", text), name
