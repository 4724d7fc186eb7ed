"""Where a run lies: folders with names that a shell cuts, and folders in which a run would fail."""

import site
import subprocess
import sys

import pytest

SAMPLE = "data/raw/young_people/sample/responses.csv"


@pytest.fixture
def run_in(make_checkout, tmp_path):
    """Run a job in a clone of some name, with the environment in it, as `make` has it."""

    def run(name):
        folder = tmp_path / name
        make_checkout("named").path.rename(folder)
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", folder / ".venv"], check=True
        )
        (packages,) = (folder / ".venv/lib").glob("python*/site-packages")
        (packages / "installed.pth").write_text("\n".join(site.getsitepackages()))
        command = [folder / ".venv/bin/python", "-m", "snakemake", "--cores", "1", SAMPLE]
        result = subprocess.run(
            [*command, "--configfile", "config/smoke.yaml"],
            cwd=folder,
            capture_output=True,
            text=True,
        )
        return result, folder / SAMPLE

    return run


def test_a_job_runs_in_a_folder_whose_name_a_shell_would_cut(run_in):
    result, made = run_in('it\'s "a" $b ü')
    assert result.returncode == 0, result.stderr
    assert made.is_file()


def test_a_folder_in_which_a_run_fails_is_refused_before_it_begins(run_in):
    result, made = run_in("a{b}")
    assert result.returncode == 1
    assert "a run fails in a folder whose path holds '{'. Rename that folder." in result.stderr
    assert "Traceback" not in result.stderr
    assert not made.exists()
