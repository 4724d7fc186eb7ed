"""What a user writes behind ``DATA=`` and ``CONFIG=`` reaches the programs as it was written.

And what surrounds a run: its folder, a home that may only be read, a lock that was left.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest
import yaml

NAMES = ["my data.yaml", "it's.yaml", 'a "b".yaml', "a$b.yaml", "$(HOME).yaml", "a`b`;c&d#e*.yaml"]
LOCKS = ("requirements.lock", "requirements-uv.lock")
# In place of Snakemake and Python: each call's arguments, in a line. The first lines are for a
# shell, which takes a path with a blank, too, as that of a clone may be.
STAND_IN = f"""#!/bin/sh
'''exec' "{sys.executable}" "$0" "$@"
' '''
import json, os, sys
print(json.dumps(sys.argv[1:]))
print("cache", os.environ.get("XDG_CACHE_HOME"))
sys.exit(int(os.environ.get("FAILS", "0")))
"""


@pytest.fixture
def make(root, tmp_path):
    """Run a target of the Makefile in a folder; its environment is there, unless it is kept."""

    def run(*arguments, folder=".", keep=False, **environment):
        here = tmp_path / folder
        if not keep:
            with_environment(root, here)
        return subprocess.run(
            ["make", "--no-print-directory", *arguments],
            cwd=here,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )

    return run


def with_environment(root, folder):
    """Make a folder with the Makefile and an environment that is up to date."""
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    shutil.copy(root / "Makefile", folder)
    (programs / "python").write_text(STAND_IN)
    (programs / "python").chmod(0o755)
    for file in (*LOCKS, "requirements-dev.lock", ".venv/bin/pip", ".venv/.run", ".venv/.dev"):
        (folder / file).touch()


@pytest.fixture
def calls(make):
    """The calls that a target of the Makefile makes."""

    def run(*arguments, **environment):
        result = make(*arguments, **environment)
        assert (result.returncode, result.stderr) == (0, "")
        return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("[")]

    return run


@pytest.mark.parametrize("target", ["paper", "beyond", "robustness", "theory"])
@pytest.mark.parametrize("name", NAMES)
def test_names_reach_the_programs_as_they_are(calls, target, name):
    found, checked, run, *shown = calls(target, f"CONFIG={name}", f"DATA={name}")
    assert found == ["-m", "noiseless.data.local", name, "data/local.yaml"]
    assert checked == ["-m", "noiseless.pipeline.configuration", "data/local.yaml", name]
    assert run[-4:] == ["--configfile", "config/config.yaml", "data/local.yaml", name]
    assert len(shown) == (target == "beyond")
    for again in shown:  # what beyond has made is shown by the page alone
        end = again.index("--allowed-rules")
        assert again[end - 4 : end] == run[-4:]
        assert again[end + 1 : end + 3] == ["beyond_on_page", "write_page"]


def test_the_reference_is_kept_of_all_and_of_beyond(calls):
    found, paper, beyond, kept = calls("reference", "DATA=folder")
    assert found[1] == "noiseless.data.local"
    assert [run[run.index("--configfile") - 1] for run in (paper, beyond)] == ["all", "beyond"]
    assert kept == ["-m", "noiseless.ledger.reference", "results"]


@pytest.mark.parametrize("name", NAMES)
def test_smoke_run_takes_a_configuration_and_a_target(calls, name):
    checked, run = calls("smoke", f"CONFIG={name}", "TARGET=nsht")
    assert checked == ["-m", "noiseless.pipeline.configuration", "config/smoke.yaml", name]
    assert run[-4:] == ["nsht", "--configfile", "config/smoke.yaml", name]
    (run,) = calls("smoke", "TARGET=results/figures/nsht/fig4.png")
    assert run[-3:] == ["results/figures/nsht/fig4.png", "--configfile", "config/smoke.yaml"]
    (run,) = calls("smoke")
    assert run[-3:] == ["all", "--configfile", "config/smoke.yaml"]


def test_make_alone_takes_them_too(calls):
    checked, run = calls("CONFIG=my.yaml", "TARGET=nsht")
    assert checked[-2:] == ["config/smoke.yaml", "my.yaml"]
    assert run[-4:] == ["nsht", "--configfile", "config/smoke.yaml", "my.yaml"]


@pytest.mark.parametrize(
    "arguments",
    [
        *(["DATA=folder"], ["smoke", "DATA=folder"]),
        *(
            [each, "TARGET=nsht"]
            for each in ("theory", "report", "robustness", "reference", "beyond")
        ),
    ],
)
def test_what_a_target_would_ignore_is_refused_in_one_line(make, arguments):
    result = make(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert f"takes no {arguments[-1].split('=')[0]}=" in line
    assert "Use make" in line


def test_variables_of_the_shell_are_other_programs(calls, make):
    """DATA is /scratch on one cluster, CONFIG is Release and TARGET an architecture elsewhere."""
    others = {"CONFIG": "Release", "DATA": "/scratch", "TARGET": "x86_64", "CORES": "all"}
    for target, end in (("paper", "config"), ("smoke", "smoke")):
        (run,) = calls(target, **others)
        assert run[run.index("--cores") :] == [
            *("--cores", "2", "all", "--configfile", f"config/{end}.yaml")
        ]
    (run,) = calls("faults", SEEDS="1", PYTHON="/usr/bin/python2")
    assert run == ["tests/faults"]


def test_nothing_is_given_where_nothing_is_said(calls):
    (run,) = calls("paper", CONFIG="", DATA="")
    assert run[-2:] == ["--configfile", "config/config.yaml"]


@pytest.mark.parametrize("name", ["my project ü", "it's", 'a "b"', "a$b#c", "北京"])
def test_the_folder_may_have_almost_any_name(make, name):
    result = make("smoke", folder=name)
    assert (result.returncode, result.stderr) == (0, "")
    assert '["-m", "snakemake", "--workflow-profile"' in result.stdout


@pytest.mark.parametrize("name", ["a{b", "a}b", "a:b", "my {project}"])
def test_a_folder_in_which_a_run_fails_is_refused_in_one_line(make, name):
    result = make("smoke", folder=name)
    assert result.returncode == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert "Rename the folder" in line
    assert name in line


def test_a_lock_that_was_left_is_explained_and_only_that(make, tmp_path):
    failed = make("smoke", FAILS="1")
    assert failed.returncode == 2
    assert "unlock" not in failed.stderr
    (tmp_path / ".snakemake/locks").mkdir(parents=True)
    (tmp_path / ".snakemake/locks/0.output.lock").touch()
    for target in ("smoke", "paper", "beyond", "theory", "robustness", "report"):
        failed = make(target, FAILS="1")
        assert failed.returncode == 2
        assert failed.stderr.splitlines()[0].endswith("If none is: make unlock"), target
    assert make("smoke").stderr == ""
    assert make("unlock").stdout.count('"--unlock"]') == 1


def test_a_home_that_may_only_be_read_is_not_written_to(make, tmp_path):
    unwritable = {"HOME": "/dev/null", "XDG_CACHE_HOME": ""}
    for no_home in (unwritable, {"HOME": "", "XDG_CACHE_HOME": ""}):
        assert f"cache {tmp_path}/my project/.snakemake/cache\n" in (
            make("smoke", folder="my project", **no_home).stdout
        )
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "kept")}
    assert f"cache {tmp_path}/kept\n" in make("smoke", **home).stdout


@pytest.mark.parametrize(
    ("made_of", "there", "replaced"),
    [
        ("version = 3.11.7", "3.11.9", False),
        ("version_info = 3.11.7.final.0", "3.11.7", False),
        ("version = 3.11.7", "3.12.1", True),
        ("version = 3.1.7", "3.11.7", True),
        ("version = 3.11.7", None, True),
    ],
)
def test_an_environment_whose_python_was_replaced_is_said_before_anything_runs(
    make, tmp_path, made_of, there, replaced
):
    make("help", folder="clone")
    (tmp_path / "clone/.venv/pyvenv.cfg").write_text(f"home = /usr/bin\n{made_of}\n")
    python = tmp_path / "clone/.venv/bin/python"
    python.unlink(missing_ok=True)
    python.symlink_to(tmp_path / "python")
    if there:
        (tmp_path / "python").write_text(f"#!/bin/sh\necho Python {there}\n")
        (tmp_path / "python").chmod(0o755)
    result = run_make(tmp_path / "clone", "smoke")
    assert ("the Python that .venv was made of is gone" in result.stderr) == replaced
    assert not replaced or len(result.stderr.splitlines()) == 1
    assert run_make(tmp_path / "clone", "help").returncode == 0


def test_an_environment_of_another_folder_is_said_before_anything_runs(make, tmp_path):
    """The clone was moved or copied: its programs name the folder in which they were installed."""
    # As pip writes it where the path has a blank.
    shell = "#!/bin/sh\n" + "'" * 3 + 'exec\' "{}/.venv/bin/python" "$0" "$@"'
    for shebang, moved in (
        (f"#!{tmp_path}/clone/.venv/bin/python3.11", False),
        (shell.format(tmp_path / "clone"), False),
        ("#!/opt/before/.venv/bin/python3.11", True),
        (shell.format(tmp_path / "my clone"), True),
    ):
        make("help", folder="clone")
        (tmp_path / "clone/.venv/bin/pip").write_text(f"{shebang}\nimport sys\n")
        os.utime(tmp_path / "clone/.venv/bin/pip", (1, 1))
        result = run_make(tmp_path / "clone", "smoke")
        assert (result.returncode != 0) == moved
        assert ("this clone was moved or copied" in result.stderr) == moved
        assert ("rm -r .venv" in result.stderr) == moved
        assert run_make(tmp_path / "clone", "help").returncode == 0


def run_make(folder, target):
    """Make a target in a folder as it is."""
    return subprocess.run(
        ["make", "--no-print-directory", target], cwd=folder, capture_output=True, text=True
    )


def test_profiles_name_every_reason_to_run_again(root):
    """Otherwise a profile of the user's that names fewer leaves old numbers."""
    settings = pytest.importorskip("snakemake.settings.enums")
    every = {each.name.lower().replace("_", "-") for each in settings.RerunTrigger}
    profiles = list((root / "workflow/profiles").glob("*/profile.yaml"))
    assert len(profiles) == 3
    for profile in profiles:
        assert set(yaml.safe_load(profile.read_text())["rerun-triggers"]) == every, profile


def test_each_lock_is_installed_when_it_is_newer(calls, tmp_path):
    calls("smoke")
    for name in ("dev", "bench", "docs"):
        (tmp_path / f"requirements-{name}.lock").touch()
    script = "workflow/envs/install.py"
    assert calls(".venv/.docs", keep=True) == [
        [script, "requirements-dev.lock"],
        [script, "requirements-docs.lock", "--no-deps"],
    ]
    assert calls(".venv/.bench", keep=True) == [[script, "requirements-bench.lock", "--no-deps"]]
    assert calls("env", keep=True) == []
    for lock in LOCKS:
        for file in LOCKS:
            os.utime(tmp_path / file, (1, 1))
        os.utime(tmp_path / ".venv/.run", (2, 2))
        os.utime(tmp_path / lock)
        assert calls("env", keep=True) == [[script, "requirements.lock", "--project"]]
        assert calls("env", keep=True) == []


def test_an_environment_that_was_cut_before_it_had_pip_is_made_anew(make, tmp_path):
    make("help")
    for file in (".venv/bin/pip", ".venv/.run"):
        (tmp_path / file).unlink()
    result = make("env", f"PYTHON={tmp_path}/.venv/bin/python", keep=True)
    assert result.returncode == 0
    assert '["-m", "venv", "--clear", ".venv"]' in result.stdout
