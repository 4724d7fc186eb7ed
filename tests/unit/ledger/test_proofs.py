"""Each correction of a claim names a proof that is there."""

import re

import pytest

from noiseless.ledger.claims import load_paper


def anchors(markdown):
    """Anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", markdown, flags=re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("paper", ["noiseless"])
def test_each_correction_names_a_section_of_the_proofs(root, paper):
    page = f"docs/proofs/{paper}.md"
    known = anchors((root / page).read_text(encoding="utf-8"))
    corrected = [
        claim
        for claim in load_paper(root / f"workflow/noiseless/ledger/claims/{paper}.yaml")
        if claim.erratum is not None
    ]
    assert corrected
    for claim in corrected:
        named = re.findall(rf"{re.escape(page)}#([a-z0-9-]+)", claim.erratum.holds)
        assert named, claim.id
        assert set(named) <= known, claim.id
