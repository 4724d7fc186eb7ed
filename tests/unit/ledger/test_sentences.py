"""The list of the papers' checkable sentences: each has a statement, or a reason why not."""

import csv

import pytest

from conftest import SHARED_DATA
from noiseless.pipeline.sections import list_papers
from noiseless.settings import load_yaml
from noiseless.statements.registry import Category, load_statements
from quotes import TEXTS, words

PAPERS = SHARED_DATA.parent / "papers"


@pytest.fixture(scope="module")
def sentences(root):
    path = root / "workflow/noiseless/ledger/sentences.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def statements():
    return {each.id: each for each in load_statements(list_papers())}


def test_each_sentence_has_statements_or_a_reason(sentences, statements):
    for row in sentences:
        named = row["claims"].split()
        assert bool(named) != bool(row["reason"]), row["sentence"]
        for name in named:
            assert statements[name].paper.name == row["paper"], name
        assert row["locator"]


def test_each_statement_of_a_paper_answers_a_sentence(sentences, statements):
    named = {name for row in sentences for name in row["claims"].split()}
    for name, statement in statements.items():
        if statement.category is Category.PAPER:
            # A row that is judged on other sets of homes, too, stands there once.
            assert {name, name.removesuffix(f"-{statement.data_set}")} & named, name


def test_no_sentence_stands_twice(sentences):
    places = [(row["paper"], row["locator"], row["sentence"]) for row in sentences]
    assert len(set(places)) == len(places)
    assert {row["paper"] for row in sentences} == set(TEXTS)


def test_sentences_stand_in_their_papers_in_this_order(sentences, root):
    if not PAPERS.is_dir():
        pytest.skip("no texts of the papers in ../shared/papers")
    lists = load_yaml(root / "tests/unit/ledger/quotes.yaml")
    texts = {
        paper: words((PAPERS / name).read_text(encoding="utf-8")) for paper, name in TEXTS.items()
    }
    reached = dict.fromkeys(texts, 0)
    lost, backward = [], []
    for row in sentences:
        paper, sentence = row["paper"], words(row["sentence"])
        if not sentence or sentence not in texts[paper]:
            lost.append(f"{paper}, {row['locator']}")
            continue
        at = texts[paper].find(sentence, reached[paper])
        if at < 0:
            backward.append(f"{paper}, {row['locator']}: {row['sentence']}")
        else:
            reached[paper] = at
    assert lost == lists["garbled_sentences"]
    assert not backward
