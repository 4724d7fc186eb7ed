"""What the repository must never hold, and promises that its files make to each other."""

import json
import re
import runpy
import shutil
import subprocess
import tempfile
import tomllib
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path

import pytest
import yaml

from tracked_files import list_not_ignored, list_tracked

# Modules of the package without a test at their path, by the reason.
WITHOUT_TEST = {
    "its names are tested by unit/test_public_api.py": ["__init__.py"],
    "the command is tested by unit/test_command_line.py": ["__main__.py"],
    "an error is nothing but its class": ["errors.py"],
    "numba keeps what it compiles: nothing shows but the time": ["accounting/compiling.py"],
    "constants alone": ["arrays.py", "papers/noiseless/limits.py"],
    "one model, tested by unit/adversaries/membership/test_pair.py": [
        "adversaries/pair_difference.py",
        *(f"adversaries/membership/{name}.py" for name in ("combined", "pair_known")),
    ],
    "labels and lists alone": ["accounting/labels.py", "mechanisms/labels.py"],
    "a registry of one line: unit/mechanisms/test_discovery.py adds to it": [
        "mechanisms/families/__init__.py",
        "mechanisms/policies/__init__.py",
    ],
    "tested with the file that it reads or writes": [
        *(f"data/{name}.py" for name in ("archives", "ausgrid", "kaggle", "london")),
        *(f"data/{name}.py" for name in ("plane", "prepare", "registry")),
        "reading/raw_files.py",
        "data/samples/*.py",
    ],
    "statements are run by unit/statements/verdicts_without_data.py": [
        *(f"papers/*/{name}.py" for name in ("cases", "appendix", "ours", "hiding", "joint")),
        "papers/*/section_*.py",
    ],
    "cases of statements, tested with the sections: test_sections_2_and_3.py and 4_and_5.py": [
        *(f"papers/deterministic/{name}.py" for name in ("groupings", "information")),
        *(f"papers/deterministic/{name}.py" for name in ("bins", "heights", "searches")),
        "papers/deterministic/two_outputs.py",
    ],
}


def text_of_tracked(folder: Path) -> dict[Path, str]:
    """Text of every file that git tracks, by path: what a user keeps beside them is not read."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [folder / name for name in listed.stdout.split("\0") if name]
    return {
        path: path.read_text(encoding="utf-8")
        for path in paths
        if path.is_file() and path.suffix not in (".png", ".pdf")
    }


@pytest.fixture(scope="module")
def tracked(root):
    return text_of_tracked(root)


def test_results_that_a_user_keeps_beside_are_not_read(tmp_path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "a.md").write_text("ours")
    subprocess.run(["git", "add", "a.md"], cwd=tmp_path, check=True)
    (tmp_path / "results-of-may").mkdir()
    (tmp_path / "results-of-may/t.parquet").write_bytes(b"PAR1\xff\xfe")
    (tmp_path / "results-of-may/t.csv").write_bytes(b"a\xff")
    assert text_of_tracked(tmp_path) == {tmp_path / "a.md": "ours"}


def test_locks_have_hashes_and_name_no_host_or_file(root):
    least = {"requirements-uv.lock": 1, "requirements.lock": 51, "requirements-dev.lock": 51}
    for name, packages in least.items():
        lock = (root / name).read_text()
        assert not re.search(r"https?://|file:|--(extra-)?index-url|--find-links", lock)
        pins = re.findall(r"^[\w.-]+(?:\[[\w,]+\])?==\S+(.*)", lock, re.M)
        assert len(pins) >= packages
        assert lock.count("--hash=sha256:") >= len(pins)
        assert all(rest.strip() == "\\" for rest in pins)


def locked(root, name):
    return dict(re.findall(r"^([\w.-]+)==([^\s\\;]+)", (root / name).read_text(), re.M))


def test_the_locks_and_the_conda_environment_agree(root):
    run, dev = locked(root, "requirements.lock"), locked(root, "requirements-dev.lock")
    assert run.items() <= dev.items()
    uv = locked(root, "requirements-uv.lock")
    assert uv.keys() == {"uv"}  # nothing but it is installed by pip
    assert uv.items() <= dev.items()
    write = runpy.run_path(str(root / "workflow/envs/write_conda_environment.py"))
    assert write["render_environment"]() == (root / "workflow/envs/noiseless.yaml").read_text()


def test_every_planned_library_is_locked_and_installed(root):
    from importlib.metadata import version

    project = tomllib.loads((root / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    site = project["dependency-groups"]["docs"]  # installed by `make site` alone
    wanted = [
        *project["project"]["dependencies"],
        *chain(*extras.values()),
        *project["dependency-groups"]["install"],
        *project["dependency-groups"]["library"],
        *(each for each in project["dependency-groups"]["dev"] if isinstance(each, str)),
    ]
    pins = locked(root, "requirements-dev.lock")
    for name in map(named, wanted):
        if name == "noiseless":  # an extra that holds another
            continue
        assert version(name) == pins[name]
    assert set(map(named, site)) <= set(locked(root, "requirements-docs.lock"))


def named(requirement: str) -> str:
    return re.match(r"[\w.-]+", requirement).group()


def test_version_is_the_same_everywhere(root):
    from noiseless import __version__

    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    assert f"version: {__version__}\n" in (root / "CITATION.cff").read_text()
    assert f"version = {{{__version__}}},\n" in (root / "docs/references.bib").read_text()
    for name in (".zenodo.json", "codemeta.json"):
        assert json.loads((root / name).read_text())["version"] == __version__, name
    assert f"\n## {__version__}\n" in (root / "CHANGELOG.md").read_text()


def test_the_five_papers_are_cited_alike_everywhere(root):
    """Each has a year and a DOI, and the four files name the same ones."""
    papers = yaml.safe_load((root / "CITATION.cff").read_text())["references"]
    years = {paper["doi"]: paper["year"] for paper in papers}
    assert len(years) == 5
    entries = (root / "docs/references.bib").read_text().split("\n@")[2:]
    found = {
        re.search(r"doi += {(.+?)}", entry)[1]: int(re.search(r"year += {(\d+)}", entry)[1])
        for entry in entries
    }
    assert found == years
    archive = json.loads((root / ".zenodo.json").read_text())["related_identifiers"]
    assert {each["identifier"] for each in archive} == set(years)
    described = json.loads((root / "codemeta.json").read_text())["isSupplementTo"]
    assert {each.removeprefix("https://doi.org/") for each in described} == set(years)


def test_nothing_is_tied_to_one_machine(tracked, root):
    places = {root, root.parent} - {Path(tempfile.gettempdir())}  # which anybody may name
    for path, text in tracked.items():
        assert not any(f"{place}/" in text for place in places), path
        assert not re.search(r"/(home|root|Users)/\w", text), path


def test_every_module_has_its_test_at_its_path_or_a_reason(root):
    """A folder's ``__init__.py`` counts where it has a function."""
    package, tests = root / "workflow/noiseless", root / "tests/unit"
    modules = [path for path in package.rglob("*.py") if path.name != "__init__.py"]
    modules += [path for path in package.rglob("__init__.py") if "\ndef " in path.read_text()]
    paths = [module.relative_to(package) for module in modules]
    excused = list(chain(*WITHOUT_TEST.values()))
    for path in paths:
        if not (tests / path.parent / f"test_{path.name}").is_file():
            assert any(fnmatch(path, pattern) for pattern in excused), f"{path} has no test"
    for pattern in excused:
        assert any(fnmatch(path, pattern) for path in paths), f"{pattern} is no module"


def test_scripts_hold_no_logic(root):
    scripts = list((root / "workflow/scripts").rglob("*.py"))
    assert len(scripts) > 20
    for script in scripts:
        text = script.read_text()
        assert not re.search(r"^\s*(def|class|while|try)\b", text, re.M), script
        # A fault while anything else is imported would be a traceback.
        first = set(re.findall(r"^(?:from|import) (\S+)", text, re.M))
        assert first - {"json", "pathlib", "functools"} == {"noiseless.pipeline.jobs"}, script


def test_no_data_is_committed(root, tracked):
    """Derived numbers alone are kept; what may be among them is tested where they are made."""
    kept = {root / "docs/reference", root / "workflow/noiseless/ledger", root / "tests/frozen"}
    made_up = root / "tests/cases"  # small inputs of cases
    for path in tracked:
        if made_up in path.parents:
            assert path.stat().st_size < 25_000, path
        elif path.suffix != ".csv" or not {*path.parents, *(root / path).parents} & kept:
            held = (".csv", ".gz", ".zip", ".parquet", ".h5", ".dat", ".whl")
            assert path.suffix not in held, path


def test_in_an_archive_the_files_are_those_that_git_would_commit(tmp_path, root):
    for name in (
        "a.py",
        "data/README.md",
        "data/x.csv",
        "logs/a.log",
        "sub/logs/b",
        "sub/a.txt",
        "sub/__pycache__/c.pyc",
        ".venv/bin/python",
        "results/README.md",
        "results/t",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text((root / ".gitignore").read_text(encoding="utf-8"))
    archive = list_tracked(tmp_path)
    assert archive == list_not_ignored(tmp_path)
    assert {"a.py", "data/README.md", "sub/logs/b", "sub/a.txt", "results/README.md"} < {*archive}
    if shutil.which("git"):
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        assert sorted(list_tracked(tmp_path)) == sorted(archive)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_links_of_the_names_of_folders_that_runs_make_are_ignored(root, tmp_path):
    """A user's disk with more room; what the folders themselves hold is ignored but for READMEs."""
    clone, there = tmp_path / "clone", tmp_path / "there"
    there.mkdir()
    subprocess.run(["git", "init", "--quiet", clone], check=True)
    (clone / ".gitignore").write_bytes((root / ".gitignore").read_bytes())
    status = ["git", "-C", str(clone), "status", "--porcelain", "--untracked-files=all"]
    names = ("results", "logs", "data", ".snakemake", "robustness", ".venv")
    for name in names:
        (clone / name).symlink_to(there)
    assert subprocess.check_output(status, text=True) == "?? .gitignore\n"
    for name in names:
        (clone / name).unlink()
        (clone / name / "deep").mkdir(parents=True)
        for file in ("README.md", "deep/a.csv", "b.csv"):
            (clone / name / file).touch()
    found = subprocess.check_output(status, text=True).splitlines()
    assert found == ["?? .gitignore", "?? data/README.md", "?? results/README.md"]
