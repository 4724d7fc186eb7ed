"""What a user writes behind ``DATA=`` and ``CONFIG=`` reaches the programs as it was written."""

import json
import os
import shutil
import subprocess
import sys

import pytest

NAMES = ["my data.yaml", "it's.yaml", 'a "b".yaml', "a$b.yaml", "$(HOME).yaml", "a`b`;c&d#e*.yaml"]
# In place of Snakemake and Python: each call's arguments, in a line.
STAND_IN = f"#!{sys.executable}\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n"


@pytest.fixture
def calls(root, tmp_path):
    """The calls that a target of the Makefile makes; its environment is there."""
    shutil.copy(root / "Makefile", tmp_path)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "snakemake"):
        (programs / name).write_text(STAND_IN)
        (programs / name).chmod(0o755)
    for file in ("requirements.lock", ".venv/bin/pip", ".venv/.run"):
        (tmp_path / file).touch()

    def run(*arguments, **environment):
        result = subprocess.run(
            ["make", "--no-print-directory", *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )
        assert (result.returncode, result.stderr) == (0, "")
        return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("[")]

    return run


@pytest.mark.parametrize("target", ["paper", "robustness", "theory"])
@pytest.mark.parametrize("name", NAMES)
def test_names_reach_the_programs_as_they_are(calls, target, name):
    found, checked, run = calls(target, f"CONFIG={name}", f"DATA={name}")
    assert found == ["-m", "noiseless.data.local", name, "data/local.yaml"]
    assert checked == ["-m", "noiseless.pipeline.configuration", "data/local.yaml", name]
    assert run[-4:] == ["--configfile", "config/config.yaml", "data/local.yaml", name]


def test_names_from_the_environment_too(calls):
    _, _, run = calls("paper", CONFIG="a $b's.yaml", DATA="$c")
    assert run[-2:] == ["data/local.yaml", "a $b's.yaml"]


def test_nothing_is_given_where_nothing_is_said(calls):
    (run,) = calls("paper", CONFIG="", DATA="")
    assert run[-2:] == ["--configfile", "config/config.yaml"]
