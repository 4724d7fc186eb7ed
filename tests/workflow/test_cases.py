"""What once went wrong for somebody, or held: each folder of tests/cases, run and compared.

``tests/cases/README.md`` describes the folders.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from forked_snakemake import run_python

FOLDER = Path(__file__).resolve().parents[1] / "cases"
CASES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
PENDING = yaml.safe_load((FOLDER / "pending.yaml").read_text(encoding="utf-8"))
MOST_PENDING = 0  # to be lowered with the list, and never raised
SKIPPED = 77  # the exit code of a command that cannot run here, and says why
TIMEOUT_S = 600


def mark_pending(case: str):
    """The case, whose test must fail as long as an issue is to mend it."""
    titles = [title for title, cases in PENDING.items() if case in cases]
    marks = [pytest.mark.xfail(reason=titles[0], strict=True)] if titles else []
    return pytest.param(case, marks=marks)


def run_case(case: Path, clone: Path, scratch: Path) -> tuple[int, str]:
    """Run a case's command in a clone; its exit code, and what it prints.

    Lines that only run Python run in forks of a process that has imported what they need.
    """
    command = (case / "cmd").read_text(encoding="utf-8")
    variables = {"CASE": str(case), "R": str(scratch), "PY": sys.executable}
    environment = {**os.environ, **variables, "PYTHONPATH": str(clone / "workflow")}
    lines = [line for line in command.splitlines() if not line.startswith("#")]
    if all(re.fullmatch(r'"\$PY" (?:-m \w|"\$CASE/)[^|;&<>\\]*', line) for line in lines):
        printed = ""
        for line in lines:
            words = [expand(word, variables) for word in shlex.split(line)[1:]]
            code, output = run_python(
                words, folder=clone, environment=environment, timeout_s=TIMEOUT_S
            )
            printed += output
        return code, printed
    result = subprocess.run(
        ["bash", "-e", case / "cmd"],
        cwd=clone,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
    )
    return result.returncode, result.stdout


def expand(word: str, variables: dict[str, str]) -> str:
    """A word of a command, with the variables of a case in it replaced."""
    return re.sub(r"\$(\w+)", lambda name: variables[name[1]], word)


def find_missing(expected: str, code: int, output: str) -> list[str]:
    """What of the file ``expected`` did not come out, and what never may."""
    first, *wanted = expected.splitlines()
    missing = [] if first == f"exit {code}" else [f"{first}, not {code}"]
    rest = output
    for line in wanted:
        before, found, rest = rest.partition(line)
        if not found:
            missing.append(line)
            rest = before
    return missing + ["no traceback"] * ("Traceback (most recent call last)" in output)


@pytest.fixture(scope="module")
def clone(make_checkout):
    """A clone of the project's files as they are, of git, too."""
    path = make_checkout("cases").path
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    for command in (("init",), ("add", "--all"), (*who, "commit", "--message", "All")):
        subprocess.run(["git", *command], cwd=path, check=True, capture_output=True)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", [mark_pending(name) for name in CASES])
def test_a_case_comes_out_as_is_right(name, clone, tmp_path):
    code, output = run_case(FOLDER / name, clone, tmp_path)
    if code == SKIPPED:
        pytest.skip(f"{name}: {output.strip()}")
    expected = (FOLDER / name / "expected").read_text(encoding="utf-8")
    assert find_missing(expected, code, output) == [], output


def test_every_case_says_what_is_right_and_how_it_is_seen():
    for name in CASES:
        files = {path.name for path in (FOLDER / name).iterdir()}
        assert files >= {"README.md", "cmd", "expected"}, name
        assert "**Right:** " in (FOLDER / name / "README.md").read_text(encoding="utf-8"), name
        first, *lines = (FOLDER / name / "expected").read_text(encoding="utf-8").splitlines()
        assert re.fullmatch(r"exit \d+", first), name
        assert all(lines), f"{name}: each line must be one that comes out"
        assert lines, name


def test_what_an_issue_is_to_mend_is_there_and_only_becomes_less():
    pending = [case for cases in PENDING.values() for case in cases]
    assert set(pending) <= set(CASES)
    assert len(pending) == len(set(pending))
    assert len(pending) <= MOST_PENDING


def test_what_does_not_come_out_is_seen():
    expected = "exit 2\nhomes.csv, line 3\ngive it once\n"
    right = "Read homes.csv, line 3 (a, 1):\ngive it once.\n"
    assert find_missing(expected, 2, right) == []
    assert find_missing(expected, 0, right) == ["exit 2, not 0"]
    assert find_missing(expected, 2, "give it once: homes.csv, line 3") == ["give it once"]
    late = f"{right}Traceback (most recent call last):\n"
    assert find_missing(expected, 2, late) == ["no traceback"]
