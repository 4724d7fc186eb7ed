"""Corrections name sections of docs/proofs that are there, and proofs name claims that are."""

import re

import pytest

from noiseless.ledger.bridge import load_folder_claims

PAPERS = ("noiseless", "knowledge", "prrelation")  # the others': tests/unit/proofs
CLAIMS = "workflow/noiseless/papers"


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
    claims = load_folder_claims(root / CLAIMS / paper)
    corrected = [claim for claim in claims if claim.erratum is not None]
    assert corrected
    for claim in corrected:
        named = re.findall(rf"{re.escape(page)}#([\w-]+)", claim.erratum.holds)
        assert named, f"{claim.id} names no proof"
        assert set(named) <= there, claim.id


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_that_a_proof_names_is_there(root, paper):
    text = (root / f"docs/proofs/{paper}.md").read_text(encoding="utf-8")
    claims = {claim.id: claim for claim in load_folder_claims(root / CLAIMS / paper)}
    named = set(re.findall(rf"`({paper}-[\w.-]+)`", text))
    assert named <= set(claims)
    corrected = {name for name, claim in claims.items() if claim.erratum is not None}
    assert corrected <= named, f"no proof ends with {sorted(corrected - named)}"


def test_page_of_open_questions_names_proofs_and_claims_that_are_there(root):
    text = (root / "docs/theorems.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(proofs/(\w+\.md)#([\w-]+)\)", text)
    assert len(links) >= 20
    for page, section in links:
        there = anchors((root / "docs/proofs" / page).read_text(encoding="utf-8"))
        assert section in there, f"{page}#{section}"
    for paper in ("nsht", "deterministic", "prrelation", "knowledge"):
        claims = {claim.id for claim in load_folder_claims(root / CLAIMS / paper)}
        named = set(re.findall(rf"`({paper}-[\w.-]+)`", text))
        assert named, paper
        assert named <= claims
