"""The installs that are tried are those that the project promises and the docs name."""

import re
import tomllib
from pathlib import Path

import pytest

import installs
from skip_other_extras import find_missing


def test_every_extra_and_every_python_is_tried(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert set(installs.INSTALLS) == {"none", *project["optional-dependencies"]}
    assert project["requires-python"] == ">=3.11,<3.14"
    assert installs.ALLOWED == ("3.11", "3.12", "3.13")
    trials = installs.list_trials(list(installs.INSTALLS), installs.ALLOWED)
    assert {(extra, version) for extra, version, _ in trials} == {
        *((extra, version) for extra in ("none", "fast", "learn") for version in installs.ALLOWED),
        ("workflow", "3.11"),
    }
    assert len(trials) == 2 * 9 + 1
    quick = installs.list_trials(["none", "fast"], ["3.11"], with_tests=False)
    assert quick == [("none", "3.11", "pandas<3"), ("fast", "3.11", "pandas<3")]


def test_every_install_that_the_docs_name_is_tried(root):
    pages = [*(root / "docs").rglob("*.md"), root / "README.md", *root.glob("workflow/**/*.py")]
    named = set()
    for page in pages:
        named |= set(re.findall(r"pip install [^`\n]*?\.\[(\w+)\]", page.read_text()))
    assert named <= set(installs.INSTALLS)


def test_a_python_that_is_not_there_is_named():
    with pytest.raises(SystemExit, match=r"^python9.9 cannot be run\. Name the interpreters"):
        installs.find_pythons(["python9.9"])


def test_only_an_absence_that_the_library_does_not_promise_is_skipped(root):
    absent = ModuleNotFoundError("No module named 'yaml'", name="yaml")
    inside = root / "workflow/noiseless"
    assert find_missing(absent, inside / "papers/nsht/blurring.py") == "yaml"
    assert find_missing(absent, root / "tests/unit/games/test_homes.py") == "yaml"
    assert find_missing(absent, inside / "games/homes.py") is None
    trained = ModuleNotFoundError("No module named 'sklearn'", name="sklearn.linear_model")
    assert find_missing(trained, inside / "adversaries/membership/learned.py") == "sklearn"
    ours = ModuleNotFoundError("No module named 'noiseless.x'", name="noiseless.x")
    assert find_missing(ours, root / "tests/unit/games/test_homes.py") is None
    assert find_missing(ValueError("yaml"), inside / "papers/nsht/blurring.py") is None


def test_examples_of_the_docs_are_found(root, tmp_path):
    found = dict(installs.list_examples("none", tmp_path))
    assert "noiseless choose-epsilon f-score 0.9         # how large may epsilon be?" in found
    assert found["docs/library.md, example 1"][-1].startswith("import noiseless\n")
    assert "scikit_learn" not in (tmp_path / "library.txt").read_text()
    assert sum("docs/your-data.md" in name for name in found) == 3
    names = list(found)
    assert names.index("noiseless samples") + 1 == names.index("docs/your-data.md, recipe 1")
    games = [command for name, command in found.items() if "--plugin" in command]
    assert [Path(command[-1]).name for command in games] == ["ranks.py", "rounding.py"]
    assert all(Path(command[-1]).is_file() and "--threshold" not in command for command in games)
    list(installs.list_examples("learn", tmp_path))
    assert "scikit_learn" in (tmp_path / "library.txt").read_text()


def test_modules_are_those_that_can_be_imported(root):
    none, learn = installs.list_modules("none"), installs.list_modules("learn")
    assert "noiseless.games.membership" in none
    assert set(learn) - set(none) == {*installs.OF_LEARN, *_named(learn, "integrations")}


def _named(modules, room):
    return {name for name in modules if name.split(".")[1] == room}
