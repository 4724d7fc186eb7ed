"""docs/architecture.md names the folders that are there, and its walks are whole."""

import re
import sys
from pathlib import Path

import pytest
import yaml

from noiseless.adversaries.labels import load_game_adversaries
from noiseless.papers.knowledge.health import build_health_tables
from noiseless.papers.noiseless.membership import build_advantage_table
from noiseless.pipeline.configuration import load_config
from noiseless.tables import flatten
from toy_homes import make_energy, make_table


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
    assert len(root_modules) < 9
    for name in root_modules:
        assert name in picture, name
    folders = names_listed(page, "The folders of `workflow/noiseless`") - {"integrations"}
    assert folders | root_modules | {"command_line"} == set(floors)
    assert len(shown) == len(folders)


def homes():
    """Walk of a number of homes."""
    load_game_adversaries.cache_clear()  # another test may have asked before
    table = make_table(make_energy(8, 30, largest=900))
    budgets = {"epsilon_bits": [1, float("inf")], "public_range_kwh": 100.0}
    rules = {"resolution": "days", "quantizer_rule": "n_2^eps", "peaks": "strict"}
    build_advantage_table(table, dataset="london", seed=1, games=20, n=[2], **budgets, **rules)


def budget():
    """Walk of a budget."""
    build_health_tables(epsilon_nats=1, tolerance=0.1, grid_points=3)


def files_run(call, package):
    """Files of the package whose functions run during a call, but for those of its root."""
    files = set()

    def see(frame, event, _):
        is_function = frame.f_code.co_flags & 1  # and not the body of a module or of a class
        if event == "call" and is_function and frame.f_code.co_filename.startswith(str(package)):
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        call()
    finally:
        sys.setprofile(before)
    return {file for file in map(Path, files) if file.parent != package}


@pytest.mark.parametrize(("title", "call"), [("A number of homes", homes), ("A budget", budget)])
def test_a_walk_names_every_file_from_its_key_to_its_verdict(page, root, title, call):
    section = page.split(f"### {title}\n")[1].split("\n#")[0]
    key, table = re.findall(r"`([\w.]+\.\w+)`.*?`(\w+/[\w{}]+)`", section, re.DOTALL)[0]
    assert key in dict(flatten(load_config()))
    rows = dict(re.findall(r"^1\. `([^`]+)`: (.*)$", section, re.MULTILINE))
    for file, words in rows.items():
        if (root / file).is_dir():
            continue  # each module of it is like the others
        text = (root / file).read_text(encoding="utf-8")
        for name in re.findall(r"`([^`]+)`", words):
            assert name in text, (file, name)
    package = root / "workflow/noiseless"
    paper = package / "papers" / key.split(".")[0]
    rules = root / f"workflow/rules/{paper.name}.smk"
    walked = {root / file for file in rows}
    (script,) = (path for path in walked if path.parent.parent.name == "scripts")
    assert f"../scripts/{paper.name}/{script.name}" in rules.read_text(encoding="utf-8")
    ends = {root / "config/config.yaml", rules, script, paper / "claims.yaml"}
    ran = {file.parent if file.parent in walked else file for file in files_run(call, package)}
    assert walked == ends | ran
    claims = yaml.safe_load((paper / "claims.yaml").read_text(encoding="utf-8"))["claims"]
    assert any(re.match(table.split("{")[0], claim["check"]["table"]) for claim in claims)
    assert f"/tables/{table}.parquet" in rules.read_text(encoding="utf-8")
