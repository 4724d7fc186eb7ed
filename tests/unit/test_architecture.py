"""docs/architecture.md names the folders and files that are there, and the walk can be walked."""

import re

import pytest

from noiseless.ledger.claims import load_claims
from noiseless.pipeline.configuration import described


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs/architecture.md").read_text(encoding="utf-8")


def first_cells(page, head):
    """Names in the first column of the table with a head."""
    _, rows = page.split(f"| {head} |", 1)
    cells = [row.split("|")[1] for row in rows.split("\n\n")[0].splitlines()[2:]]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_folders_and_rules_are_those_that_are_there(page, root):
    package = root / "workflow/noiseless"
    folders = {path.parent.name for path in package.glob("*/*.*") if path.parent.name[0] != "_"}
    assert first_cells(page, "folder of `workflow/noiseless`") == folders
    rules = {path.name for path in (root / "workflow/rules").glob("*.smk")}
    assert first_cells(page, "file of `workflow/rules`") == rules


def test_picture_names_what_is_there(page, root):
    picture = page.split("```text\n")[1].split("```")[0]
    for name in re.findall(r"\b(\w+\.smk)\b", picture):
        assert (root / "workflow/rules" / name).is_file()
    for name in re.findall(r"config/[\w.]+", picture):
        assert (root / name).exists() or (root / "workflow/noiseless" / name).exists(), name
    boxes = re.findall(r"\| +(\w+) +\|", picture)
    assert {"datasets", "experiments", "games", "figures", "ledger", "page"} <= set(boxes)
    for name in boxes:
        assert name == "ries" or (root / "workflow/noiseless" / name).is_dir(), name


def test_walk_from_a_key_to_a_verdict_has_nine_files_which_say_what_the_page_says(page, root):
    walk = re.findall(r"^\| (\d) \| `([^`]+)` \| (.*) \|$", page, re.MULTILINE)
    assert [int(number) for number, _, _ in walk] == list(range(1, 10))
    for _, file, words in walk:
        text = (root / file).read_text(encoding="utf-8")
        named = [name for name in re.findall(r"`([^`]+)`", words) if "/" not in name]
        for name in named:
            assert name in text, (file, name)
    assert "noiseless.membership.epsilon_bits" in dict(described())
    claims = load_claims(root / "workflow/noiseless/papers")
    text = (root / walk[7][1]).read_text(encoding="utf-8")
    assert re.search(r"table: noiseless/membership_\w+\n(?: +.*\n){1,6} +epsilon_bits: 2\n", text)
    assert any(claim.paper == "noiseless" for claim in claims)
