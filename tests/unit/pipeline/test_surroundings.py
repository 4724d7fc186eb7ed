"""Folders that a run can lie in, and Python's path in the commands of its jobs."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from noiseless.errors import ConfigError
from noiseless.pipeline.surroundings import (
    check_folder,
    check_times,
    describe_older_packages,
    find_shell_python,
)
from noiseless.tables import Provenance, write_table

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


def test_an_environment_elsewhere_whose_path_has_a_blank_is_linked(tmp_path):
    """Its packages are found through the link, and a link to another environment is turned."""
    for name in ("my envs/one", "my envs/two"):
        python = tmp_path / name / "bin/python"
        python.parent.mkdir(parents=True)
        python.symlink_to(Path(sys.executable).resolve())
        (python.parent.parent / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n")
        for _ in range(2):
            found = find_shell_python(str(python), folder=tmp_path)
            assert found == ".snakemake/environment/bin/python"
        assert [path.name for path in (tmp_path / ".snakemake").iterdir()] == ["environment"]
        prefix = subprocess.run(
            [*found.split(), "-c", "import sys; print(sys.prefix)"],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        assert Path(prefix).resolve() == tmp_path / name


@pytest.mark.parametrize("letter", ["{", "}", ":", "\n", "\x1b", "\udcff"])
def test_a_folder_in_which_a_run_fails_is_refused_in_one_line(letter):
    with pytest.raises(ConfigError, match="Rename that folder") as caught:
        check_folder(f"/data/a{letter}b/workflow")
    assert str(caught.value).isprintable()
    assert ascii(letter) in str(caught.value)


def test_tables_of_other_versions_of_libraries_are_counted_in_one_line(tmp_path):
    table = pd.DataFrame({"n": [1], "statistic": ["a"], "value": [0.5]})
    for name in ("a/one", "a/two"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_table(table, tmp_path / f"{name}.parquet", Provenance("c"))
    assert describe_older_packages(tmp_path / "a", tmp_path / "nowhere") is None
    write_table(table, tmp_path / "three.parquet", Provenance("c", packages="numpy 1.26.4"))
    (tmp_path / "damaged.parquet").write_text("no table")
    # Of a run that still goes on: a table that is being written, and one that has just gone.
    write_table(table, tmp_path / ".t.5394.partial.parquet", Provenance("c", packages="numpy 1"))
    (tmp_path / "gone.parquet").symlink_to(tmp_path / "nowhere.parquet")
    said = describe_older_packages(tmp_path)
    assert said.startswith("1 of 3 tables were made with numpy 1.26.4; installed is numpy ")
    assert "make clean" in said
    assert "\n" not in said


def test_a_file_of_tomorrow_is_one_line_with_its_remedy(tmp_path):
    path = tmp_path / "my homes.csv"
    path.touch()
    check_times([path, tmp_path / "nowhere.csv", tmp_path])
    ahead = time.time() + 8 * 3600
    os.utime(path, (ahead, ahead))
    with pytest.raises(ConfigError, match="lies ahead of this machine's clock") as caught:
        check_times([path])
    remedy = str(caught.value).rpartition("Set it to now: ")[2]
    subprocess.run(remedy, shell=True, check=True)
    check_times([path])
