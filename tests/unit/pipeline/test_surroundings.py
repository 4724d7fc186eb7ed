"""Folders that a run can lie in, and Python's path in the commands of its jobs."""

import subprocess
import sys

import pytest

from noiseless.errors import ConfigError
from noiseless.pipeline.surroundings import check_folder, find_shell_python

NAMES = ["my project ü", "it's", 'a "b"', "a$b", "a*b?[c]", "a;b&c|d", "a\\b", "#~!", "北京"]


@pytest.mark.parametrize("name", NAMES)
def test_a_shell_finds_python_in_any_folder(tmp_path, name):
    check_folder(tmp_path / name)
    python = tmp_path / name / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    found = subprocess.run(
        # As Snakemake writes it.
        f"{find_shell_python(str(python), folder=tmp_path / name)} -c 'print(6 * 7)'",
        shell=True,
        executable="/bin/bash",
        cwd=tmp_path / name,
        capture_output=True,
        text=True,
    )
    assert (found.stdout, found.stderr) == ("42\n", "")


def test_a_plain_path_stays():
    assert find_shell_python("/opt/jürgen/bin/python", folder="/data/x") == "/opt/jürgen/bin/python"


def test_an_environment_elsewhere_whose_path_has_a_blank_is_refused():
    with pytest.raises(ConfigError, match=r"'/my envs/bin/python': .* holds ' ', .*as `make` does"):
        find_shell_python("/my envs/bin/python", folder="/data/x")


@pytest.mark.parametrize("letter", ["{", "}", ":", "\n", "\x1b", "\udcff"])
def test_a_folder_in_which_a_run_fails_is_refused_in_one_line(letter):
    with pytest.raises(ConfigError, match="Rename that folder") as caught:
        check_folder(f"/data/a{letter}b/workflow")
    assert str(caught.value).isprintable()
    assert ascii(letter) in str(caught.value)
