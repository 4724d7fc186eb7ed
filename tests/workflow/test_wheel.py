"""The package as people install it: built, installed into an empty environment, used."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tracked_files import copy_tracked, list_tracked

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).parent / "uv"
LARGEST_MB = 250
UNREACHABLE = ("failed to fetch", "error sending request", "not found in the cache")


def run(*command, folder, timeout_s=600):
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    }
    return subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True,
        timeout=timeout_s,
    )  # fmt: skip


@pytest.fixture(scope="module")
def tracked():
    """Paths of what git would commit, from the root."""
    return {name for name in list_tracked(ROOT) if (ROOT / name).is_file()}


@pytest.fixture(scope="module")
def built(tracked, tmp_path_factory):
    """Folder with the wheel and the source distribution of this checkout."""
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    copy_tracked(ROOT, source)
    # What a user has beside is in neither: data, results, compiled modules.
    for name in ("data/raw/x.csv", "results/x.csv", "workflow/noiseless/__pycache__/x.pyc"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text("not published")
    done = run(
        UV, "build", "--no-build-isolation", "--python", sys.executable,
        "--out-dir", folder / "dist", folder=source,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "dist"


@pytest.fixture(scope="module")
def wheel(built):
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Python of an environment that holds the wheel and its core dependencies alone."""
    folder = tmp_path_factory.mktemp("installed")
    python = folder / "env/bin/python"
    assert (
        run(UV, "venv", "--python", sys.executable, folder / "env", folder=folder).returncode == 0
    )
    done = run(UV, "pip", "install", "--python", python, wheel, folder=folder)
    if done.returncode and any(each in done.stderr.lower() for each in UNREACHABLE):
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    return python


def data_files():
    """Files of the package that are no modules."""
    package = ROOT / "workflow/noiseless"
    return {
        path.relative_to(ROOT / "workflow").as_posix()
        for path in package.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and path.suffix not in (".py", ".pyc", ".nbi", ".nbc")
    }


def test_wheel_has_every_file(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"noiseless/py.typed", "noiseless/__init__.pyi"} <= names
    assert "noiseless/data/sources.schema.yaml" in names
    assert sorted(data_files() - names) == []
    modules = {
        path.relative_to(ROOT / "workflow").as_posix()
        for path in (ROOT / "workflow/noiseless").rglob("*.py")
    }
    assert sorted(modules - names) == []
    assert [name for name in names if not name.startswith("noiseless")] == []


@pytest.fixture(scope="module")
def unpacked(built, tmp_path_factory):
    """Folder of the unpacked source distribution."""
    (path,) = built.glob("*.tar.gz")
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    return source


def test_source_distribution_is_the_project(unpacked, tracked):
    """All of it: rules, tests, licence, the papers' summaries; and nothing of a user's."""
    files = {
        path.relative_to(unpacked).as_posix()
        for path in unpacked.rglob("*")
        if path.is_file() and ".egg-info" not in path.parent.name
    }
    hosts = (".ci/", ".github/", ".gitignore", ".pre-commit-config.yaml")
    assert files - {"PKG-INFO", "setup.cfg"} == {n for n in tracked if not n.startswith(hosts)}


def test_source_distribution_makes_the_same_wheel(unpacked, wheel, tmp_path):
    done = run(
        UV, "build", "--wheel", "--no-build-isolation", "--python", sys.executable,
        "--out-dir", tmp_path, folder=unpacked,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (again,) = tmp_path.glob("*.whl")
    assert set(zipfile.ZipFile(again).namelist()) == set(zipfile.ZipFile(wheel).namelist())


def test_the_core_installs_numpy_scipy_and_pandas_alone_and_stays_small(installed):
    listed = run(UV, "pip", "list", "--python", installed, "--format=freeze", folder="/")
    names = {line.partition("==")[0] for line in listed.stdout.split()}
    assert {"noiseless", "numpy", "scipy", "pandas"} <= names
    assert names <= {
        *("noiseless", "numpy", "scipy", "pandas"),
        *("python-dateutil", "pytz", "tzdata", "six"),  # of pandas
    }
    environment = installed.parents[1]
    size = sum(path.lstat().st_size for path in environment.rglob("*") if path.is_file())
    assert size < LARGEST_MB * 1e6


def test_first_example_of_the_library_runs(installed, tmp_path):
    section = (ROOT / "docs/library.md").read_text().split("## As a library\n")[1]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]
    assert len(list(filter(None, code.splitlines()))) <= 5
    done = run(installed, "-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "[ 2.5  7.5 17.5] BitsOfRange(bits=2.0)" in done.stdout
    assert "correlation" in done.stdout


def test_every_public_name_is_there_without_an_extra(installed, tmp_path):
    """But comparisons, which draw figures and write tables; they say what they need."""
    needy = {"compare", "Comparison"}
    code = (
        f"import noiseless\nfor name in {{*noiseless.__all__}} - {needy}: getattr(noiseless, name)"
    )
    done = run(installed, "-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for name in needy:
        refused = run(installed, "-c", f"import noiseless; noiseless.{name}", folder=tmp_path)
        assert refused.stderr.endswith(": install noiseless[workflow].\n"), refused.stderr
    # Compiled code is what the extra `fast` is for: said once.
    assert done.stderr.count("The extra `fast` installs it.") == 1


def test_command_is_installed(installed, tmp_path):
    done = run(installed.parent / "noiseless", "levels", "2", "--range", "0", "20", folder=tmp_path)
    assert done.stdout.startswith("4 levels")
    game = (installed.parent / "noiseless", "game", "nowhere.csv", "--epsilon-bits", "2")
    done = run(*game, "--n", "4", "--range", "20", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith("\nnoiseless: nowhere.csv: no such file.\n")
    assert done.stderr.count("The extra `fast` installs it.") == 1  # games are slow without it
    assert "Traceback" not in done.stderr


def test_verdicts_of_the_reference_are_in_the_wheel(installed, tmp_path):
    done = run(installed.parent / "noiseless", "verdicts", "nsht", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert (
        sum(map(int, re.findall(r"\d+", lines[-1])))
        == sum(not each.startswith(" ") for each in lines) - 1
        > 20
    )


def test_data_files_are_found_in_an_installed_package(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import noiseless; from importlib import resources\n"
        "from noiseless.settings import load_schema\n"
        "from noiseless.pipeline.sections import list_papers\n"
        "from noiseless.statements.registry import load_statements\n"
        "package = resources.files('noiseless')\n"
        "assert load_schema(package / 'data/sources.schema.yaml')\n"
        "print(noiseless.__file__, len(load_statements(list_papers())))\n"
    )
    done = run(sys.executable, "-c", code, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    path, count = done.stdout.split()
    assert Path(path).is_relative_to(tmp_path)
    assert int(count) > 10
