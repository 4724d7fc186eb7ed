"""Corrections name their proof, and the proof names the claim's check."""

import re

import pytest

from noiseless.ledger.bridge import load_folder_claims

PROOF = re.compile(r"docs/proofs/(\w+)\.md#([\w-]+)")


def sections(text):
    """The sections of a page by the anchors that a heading gets: small letters, no dots."""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)[1:]
    names = [re.sub(r"[^\w -]", "", name).lower().replace(" ", "-") for name in parts[::2]]
    return dict(zip(names, parts[1::2], strict=True))


@pytest.mark.parametrize("paper", ["nsht", "deterministic"])
def test_every_correction_has_a_proof_that_names_its_check(root, paper):
    folder = root / "workflow/noiseless/papers"
    proofs = sections((root / "docs" / "proofs" / f"{paper}.md").read_text(encoding="utf-8"))
    corrected = [claim for claim in load_folder_claims(folder / paper) if claim.erratum]
    assert len(corrected) >= 8
    named = set()
    for claim in corrected:
        found = PROOF.search(claim.erratum.holds)
        assert found, claim.id
        assert found[1] == paper
        assert f"`{claim.id}`" in proofs[found[2]], claim.id
        named.add(found[2])
    # The others are what holds beside the paper: they end in checks of their own.
    for other in set(proofs) - named:
        assert re.search(rf"`({paper}-[\w.-]+|tests/unit/[\w/]+\.py)`", proofs[other]), other


@pytest.mark.parametrize("paper", ["nsht", "deterministic"])
def test_proofs_name_claims_that_are_there(root, paper):
    folder = root / "workflow/noiseless/papers"
    claims = {claim.id for claim in load_folder_claims(folder / paper)}
    text = (root / "docs" / "proofs" / f"{paper}.md").read_text(encoding="utf-8")
    assert set(re.findall(rf"`({paper}-[\w.-]+)`", text)) <= claims
