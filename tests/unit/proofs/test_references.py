"""Corrections name their proof, and the proof names the statement."""

import re

import pytest

from noiseless.ledger.errata import build_erratum, select_errata
from noiseless.statements.registry import load_sections

PROOF = re.compile(r"docs/proofs/(\w+)\.md#([\w-]+)")


def sections(text):
    """The sections of a page by the anchors that a heading gets: small letters, no dots."""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)[1:]
    names = [re.sub(r"[^\w -]", "", name).lower().replace(" ", "-") for name in parts[::2]]
    return dict(zip(names, parts[1::2], strict=True))


@pytest.mark.parametrize("paper", ["nsht", "deterministic"])
def test_every_correction_has_a_proof_that_names_its_check(root, paper):
    proofs = sections((root / "docs" / "proofs" / f"{paper}.md").read_text(encoding="utf-8"))
    corrected = select_errata(load_sections(paper).statements)
    assert len(corrected) >= 8
    named = set()
    for each in corrected:
        found = PROOF.search(build_erratum(each).holds)
        assert found, each.id
        assert found[1] == paper
        assert f"`{each.id}`" in proofs[found[2]], each.id
        named.add(found[2])
    # The others are what holds beside the paper: they end in checks of their own.
    for other in set(proofs) - named:
        assert re.search(rf"`({paper}-[\w.-]+|tests/unit/[\w/]+\.py)`", proofs[other]), other


@pytest.mark.parametrize("paper", ["nsht", "deterministic"])
def test_proofs_name_statements_that_are_there(root, paper):
    there = {each.id for each in load_sections(paper).statements}
    text = (root / "docs" / "proofs" / f"{paper}.md").read_text(encoding="utf-8")
    assert set(re.findall(rf"`({paper}-[\w.-]+)`", text)) <= there
