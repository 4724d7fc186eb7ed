"""docs/architecture.md names the folders, the layers and the files that are there."""

import re

import pytest

from noiseless.papers.noiseless.membership import build_advantage_table
from noiseless.pipeline.configuration import load_config
from noiseless.tables import flatten


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs/architecture.md").read_text(encoding="utf-8")


def names_listed(page, head):
    """Names before the colons of the list below a head."""
    rows = page.split(f"\n{head}:\n\n")[1].split("\n\n")[0].splitlines()
    cells = [row.split(":")[0] for row in rows]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_folders_and_rules_are_those_that_are_there(page, root):
    package = root / "workflow/noiseless"
    folders = {path.parent.name for path in package.glob("*/*.*") if path.parent.name[0] != "_"}
    assert names_listed(page, "The folders of `workflow/noiseless`") == folders
    rules = {path.name for path in (root / "workflow/rules").glob("*.smk")}
    assert names_listed(page, "The files of `workflow/rules`") == rules


def test_floors_are_those_that_are_held(page, root):
    """From the bottom of the picture to its top, as import-linter has them."""
    picture = page.split("```text\n")[1].split("```")[0]
    held = (root / "pyproject.toml").read_text(encoding="utf-8").split("layers = [")[1]
    floors = re.findall(r"noiseless\.(\w+)", held.split("]")[0])
    places = [picture.find(f"| {name} ") for name in floors if name != "command_line"]
    shown = [place for place in places if place >= 0]
    assert shown == sorted(shown)
    root_modules = {path.stem for path in (root / "workflow/noiseless").glob("*.py")}
    root_modules -= {"__init__", "__main__", "command_line"}
    assert len(root_modules) < 10
    for name in root_modules:
        assert name in picture, name
    folders = names_listed(page, "The folders of `workflow/noiseless`") - {"integrations"}
    assert folders | root_modules | {"command_line"} == set(floors)
    assert len(shown) == len(folders)


def test_the_example_leads_from_a_key_to_a_verdict(page, root):
    """Every file of the list is there, and names what the list says of it."""
    section = page.split("\n## From a key to a verdict\n")[1]
    steps = re.findall(r"^\d\. (.*(?:\n   .*)*)", section, re.MULTILINE)
    assert len(steps) == 5
    for step in steps:
        named = re.findall(r"`([^`]+)`", step)
        files = [name for name in named if "/" in name]
        assert files, step
        assert all((root / file).is_file() for file in files), step
    assert "noiseless.membership.n" in dict(flatten(load_config()))
    rules = (root / "workflow/rules/noiseless.smk").read_text(encoding="utf-8")
    assert "rule noiseless_membership:" in rules
    assert "../scripts/noiseless/membership.py" in rules
    script = root / "workflow/scripts/noiseless/membership.py"
    for file, name in (
        (script, build_advantage_table.__name__),
        (root / "workflow/noiseless/statements/running.py", "def check_paper"),
    ):
        assert name in file.read_text(encoding="utf-8")
