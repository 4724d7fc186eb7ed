"""Corrections name sections of docs/proofs that are there, and proofs name statements that are."""

import re

import pytest

from noiseless.ledger.errata import build_erratum, select_errata
from noiseless.statements.registry import load_sections

PAPERS = ("noiseless", "knowledge", "prrelation")  # the others': tests/unit/proofs


def anchors(text):
    """Anchors of a Markdown file's sections, as its readers make them of the headings."""
    return {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    }


@pytest.mark.parametrize("paper", PAPERS)
def test_every_correction_names_its_proof(root, paper):
    page = f"docs/proofs/{paper}.md"
    there = anchors((root / page).read_text(encoding="utf-8"))
    corrected = select_errata(load_sections(paper).statements)
    assert corrected
    for each in corrected:
        named = re.findall(rf"{re.escape(page)}#([\w-]+)", build_erratum(each).holds)
        assert named, f"{each.id} names no proof"
        assert set(named) <= there, each.id


@pytest.mark.parametrize("paper", PAPERS)
def test_every_statement_that_a_proof_names_is_there(root, paper):
    text = (root / f"docs/proofs/{paper}.md").read_text(encoding="utf-8")
    statements = load_sections(paper).statements
    named = set(re.findall(rf"`({paper}-[\w.-]+)`", text))
    assert named <= {each.id for each in statements}
    corrected = {each.id for each in select_errata(statements)}
    assert corrected <= named, f"no proof ends with {sorted(corrected - named)}"


def test_page_of_open_questions_names_proofs_and_statements_that_are_there(root):
    text = (root / "docs/theorems.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(proofs/(\w+\.md)#([\w-]+)\)", text)
    assert len(links) >= 20
    for page, section in links:
        there = anchors((root / "docs/proofs" / page).read_text(encoding="utf-8"))
        assert section in there, f"{page}#{section}"
    for paper in ("nsht", "deterministic", "prrelation", "knowledge"):
        there = {each.id for each in load_sections(paper).statements}
        named = set(re.findall(rf"`({paper}-[\w.-]+)`", text))
        assert named, paper
        assert named <= there
