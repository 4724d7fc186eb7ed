"""Every install that the docs name, tried alone: an empty environment for each extra and for none.

``python tests/installs.py --pythons "python3.11 python3.12" [--extras "none fast make"]``, or
``make installs``.  For each extra, Python and pandas that ``pyproject.toml`` allows together:

1. an empty environment outside the checkout, and in it exactly what the docs say to install;
2. every module that the extra promises is imported;
3. the commands, the recipes and the plugins of the docs run, in an empty folder;
4. what the tests need beside is added, without a change of what is there, and the tests of the
   extra's folders run on the installed package.  A test file that needs another extra is skipped,
   and named (``skip_other_extras.py``).

Then, as the extra `make`, the README's first command up to the environment, in a fresh copy of the
checkout in a folder with a blank: by uv, and by pip where it cannot be, with the same packages.

A Python that is named and not there is an error; by default all are named that ``requires-python``
allows.
"""

import argparse
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tracked_files import copy_tracked

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ALLOWED = ("3.11", "3.12", "3.13")  # by requires-python; a test compares the two
BOTH_PANDAS = ("pandas<3", "pandas>=3")
LIBRARY = ("mechanisms", "adversaries", "games", "theory", "accounting")
EXAMPLES = ("docs/library.md", "docs/choosing-epsilon.md")


@dataclass(frozen=True)
class Install:
    """What an install promises.

    Attributes
    ----------
    pythons, pandas : tuple of str
        The versions that it is tried with.
    rooms : tuple of str
        Folders of the package that can be imported whole.
    tests : tuple of str
        Under ``tests/unit``.
    marks : str
        Which of these tests run.
    commands : tuple of str
        What runs at the project's root, beside the examples of the docs.
    """

    pythons: tuple[str, ...]
    pandas: tuple[str, ...]
    rooms: tuple[str, ...]
    tests: tuple[str, ...]
    marks: str
    commands: tuple[str, ...] = ()


_OF_LIBRARY = ("test_public_api.py", "test_statistics.py", "test_seeds.py")
INSTALLS = {
    "none": Install(
        ALLOWED, BOTH_PANDAS, LIBRARY, (*LIBRARY, *_OF_LIBRARY), "not slow and not compiled"
    ),
    "fast": Install(ALLOWED, BOTH_PANDAS, LIBRARY, (*LIBRARY, *_OF_LIBRARY), "not slow"),
    "learn": Install(
        ALLOWED,
        BOTH_PANDAS,
        (*LIBRARY, "integrations"),
        ("adversaries", "integrations"),
        "not slow and not compiled",
    ),
    "workflow": Install(
        ("3.11",),
        ("pandas<3",),
        ("",),
        ("data", "figures", "integrations", "ledger", "page", "papers", "pipeline"),
        "not slow",
        ("snakemake --dry-run --quiet all --configfile config/smoke.yaml -- smoke",),
    ),
}
# Modules of these folders that need the extra `learn` all the same.
OF_LEARN = {
    "noiseless.adversaries.combinatorial",
    "noiseless.adversaries.factorial_hmm",
    "noiseless.adversaries.window_classifier",
}
SMOKE = "config/smoke.yaml"
IMPORT_ALL = """
import importlib, sys, warnings
warnings.simplefilter("ignore")
for name in sys.argv[1:]:
    importlib.import_module(name)
"""
RUN_EXAMPLES = """
import doctest, sys
failed = doctest.testfile(sys.argv[1], module_relative=False).failed
sys.exit(failed > 0)
"""


def find_pythons(named: Sequence[str]) -> dict[str, str]:
    """Return the interpreters by their version, such as 3.11, from their names or paths.

    Raises
    ------
    SystemExit
        If one of them cannot be run; the message names it.
    """
    found = {}
    for name in named:
        code = "import sys; print('%d.%d' % sys.version_info[:2])"
        try:
            done = subprocess.run([name, "-c", code], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            sys.exit(f'{name} cannot be run. Name the interpreters: make installs PYTHONS="..."')
        found[done.stdout.strip()] = shutil.which(name) or name
    return found


def list_trials(
    extras: Sequence[str], versions: Sequence[str], *, with_tests: bool = True
) -> list[tuple[str, str, str]]:
    """Return extra, version of Python and bound of pandas of every environment to make.

    Without tests, the older pandas alone: ``tests/workflow/test_wheel.py`` installs the newer.
    """
    return [
        (extra, version, pandas)
        for extra in extras
        if extra in INSTALLS
        for version in INSTALLS[extra].pythons
        if version in versions
        for pandas in INSTALLS[extra].pandas[: None if with_tests else 1]
    ]


def list_modules(extra: str) -> list[str]:
    """Return the names of the modules that an install promises."""
    package = ROOT / "workflow/noiseless"
    paths = [path for room in INSTALLS[extra].rooms for path in (package / room).rglob("*.py")]
    names = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in paths
        if path.name != "__main__.py"
    }
    return sorted(names - OF_LEARN if extra in ("none", "fast") else names)


def list_examples(extra: str, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield name and command of each example of the docs that an install promises to run.

    Examples with ``opendp`` need a package of no extra.  Those with prompts are written into the
    folder, as one file a page.
    """
    left_out = ["opendp"] if extra in ("learn", "workflow") else ["opendp", "integrations"]
    for page in EXAMPLES:
        text = (ROOT / page).read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        blocks = [code for code in blocks if not any(word in code for word in left_out)]
        for number, code in enumerate(code for code in blocks if ">>>" not in code):
            yield f"{page}, example {number + 1}", ["python", "-c", code]
        if prompted := "\n".join(code for code in blocks if ">>>" in code):
            file = folder / f"{Path(page).stem}.txt"
            file.write_text(prompted, encoding="utf-8")
            yield f"{page}, examples with prompts", ["python", "-c", RUN_EXAMPLES, str(file)]
        for line in re.findall(r"^noiseless .*", text, re.MULTILINE):
            yield line, shlex.split(line, comments=True)
    yield from list_uses(folder)


def list_uses(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield name and command of each recipe for a user's files, and of each game with a plugin.

    The first command makes up the user's files.  The docs' plugins are written into the folder.
    """
    yield "noiseless samples", ["noiseless", "samples"]
    recipes = (ROOT / "docs/your-data.md").read_text(encoding="utf-8")
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", recipes, re.DOTALL)):
        yield f"docs/your-data.md, recipe {number + 1}", ["python", "-c", code]
    text = (ROOT / "docs/plugins.md").read_text(encoding="utf-8")
    places = {}
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        if name := re.match(r'"""(\w+\.py)"""', code):
            places[name[1]] = str(folder / name[1])
            Path(places[name[1]]).write_text(code, encoding="utf-8")
    for line in re.findall(r"^noiseless game .*", text, re.MULTILINE):
        words = shlex.split(line)
        # The made-up homes are found, for which a threshold would give the exit code 1.
        if "--threshold" in words:
            start = words.index("--threshold")
            del words[start : start + 2]
        yield line, [places.get(word, word) for word in words]


class InstallFailed(Exception):
    """Something that an install promises does not work in it."""


class Environment:
    """An empty environment in a folder of its own, outside the checkout."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir()
        self._variables = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "MAKEFLAGS")
        }
        subprocess.run([python, "-m", "venv", folder / "env"], check=True)
        bin_ = str(folder / "env/bin")
        self._variables["PATH"] = os.pathsep.join([bin_, self._variables["PATH"]])

    def run(self, what: str, command: Sequence[str], folder: Path | None = None) -> str:
        """Run a command in an empty folder, or in another one, and return what it printed.

        Raises
        ------
        InstallFailed
            If it fails; the message has the end of what it printed.
        """
        program = str(self.folder / "env/bin" / command[0])
        done = subprocess.run(
            [program, *command[1:]],
            cwd=folder or self.work,
            env=self._variables,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            printed = (done.stdout + done.stderr)[-6000:]
            raise InstallFailed(f"{printed}\n{what}: failed with exit code {done.returncode}.")
        return done.stdout

    def add_to_path(self, folder: Path) -> None:
        """Let Python find the modules of a folder."""
        self._variables["PYTHONPATH"] = str(folder)

    def install(self, what: str, *wanted: str) -> None:
        """Install packages, as pip does by itself."""
        pip = ["python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        self.run(what, [*pip, *wanted])

    def freeze(self) -> Path:
        """Write what is installed as constraints, and return their file."""
        listed = self.run("pip list", ["python", "-m", "pip", "list", "--format", "json"])
        pins = [f"{each['name']}=={each['version']}" for each in json.loads(listed)]
        file = self.folder / "constraints.txt"
        file.write_text("\n".join(pin for pin in pins if not pin.startswith("noiseless==")))
        return file


def try_install(extra: str, python: str, pandas: str, *, with_tests: bool = True) -> str:
    """Install an extra alone, run what it promises, and return the last line of its tests.

    Without its tests, that is imports and the examples of the docs, which takes a minute.

    Raises
    ------
    InstallFailed
        If anything fails.
    """
    install = INSTALLS[extra]
    with tempfile.TemporaryDirectory(prefix="noiseless-install-") as folder:
        environment = Environment(Path(folder), python)
        wanted = str(ROOT) if extra == "none" else f"{ROOT}[{extra}]"
        environment.install(f"pip install {wanted}", wanted, pandas)
        environment.run("imports", ["python", "-c", IMPORT_ALL, *list_modules(extra)])
        for name, command in list_examples(extra, environment.folder):
            environment.run(name, command)
        for line in install.commands:
            environment.run(line, shlex.split(line), folder=ROOT)
        if not with_tests:
            return "imports and examples run"
        group = PROJECT["dependency-groups"]["library"]
        constraints = str(environment.freeze())
        environment.install("what the tests need", "--constraint", constraints, *group)
        environment.run("pip check", ["python", "-m", "pip", "check"])
        environment.add_to_path(ROOT / "tests")
        printed = environment.run("tests", _test_command(install), folder=ROOT)
    return printed.strip().splitlines()[-1]


def _test_command(install: Install) -> list[str]:
    """Return the call of pytest: on the installed package, with the checkout's tests."""
    tests = [str(ROOT / "tests/unit" / each) for each in install.tests]
    return [
        *("python", "-m", "pytest", "-o", "pythonpath=", "-p", "no:cacheprovider"),
        *("-p", "skip_other_extras", "-m", install.marks, "--no-header", "-r", "s"),
        *("-W", "ignore:numba is not installed:RuntimeWarning", *tests),
    ]


def try_make(python: str) -> str:
    """Make the environment of a fresh copy by uv and by pip; return how long the two took.

    Raises
    ------
    InstallFailed
        If either fails, if uv cannot be used here, or if the two differ in a package.
    """
    took, packages = [], []
    for goes_on in (False, True):
        with tempfile.TemporaryDirectory(prefix="noiseless make ") as folder:
            copy_tracked(ROOT, Path(folder))
            began = time.monotonic()
            # A setting without effect, for which uv has no word.
            variables = {**os.environ, **({"PIP_NO_BINARY": "no-such-package"} if goes_on else {})}
            made = subprocess.run(
                ["make", "env", f"PYTHON={python}"],
                cwd=folder,
                env={name: value for name, value in variables.items() if name != "MAKEFLAGS"},
                capture_output=True,
                text=True,
            )
            took.append(time.monotonic() - began)
            if made.returncode or goes_on != ("pip installs" in made.stderr):
                way = "pip" if goes_on else "uv"
                raise InstallFailed(f"{(made.stdout + made.stderr)[-6000:]}\nmake env, by {way}")
            packages.append(_list_installed(Path(folder)))
    if differ := packages[0] ^ packages[1]:
        raise InstallFailed(f"by uv or by pip alone: {', '.join(sorted(differ))}")
    return f"{len(packages[0])} packages, by uv in {took[0]:.0f} s, by pip in {took[1]:.0f} s"


def _list_installed(clone: Path) -> set[str]:
    """Return what is installed in a clone, but for uv, after a check that it fits together."""
    python = clone / ".venv/bin/python"
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    for command in (
        [*pip, "check"],
        [python, "-c", "import noiseless.pipeline.jobs, snakemake"],
        [
            python,
            "-m",
            "snakemake",
            "--dry-run",
            "--quiet",
            "all",
            "--configfile",
            SMOKE,
            "--",
            "nsht",
        ],
    ):
        done = subprocess.run(command, cwd=clone, capture_output=True, text=True)
        if done.returncode:
            raise InstallFailed(done.stdout + done.stderr)
    listed = subprocess.run([*pip, "freeze", "--all"], check=True, capture_output=True, text=True)
    lines = [line for line in listed.stdout.splitlines() if not line.startswith(("#", "-e "))]
    return {line for line in lines if not line.startswith("uv==")}


def main() -> None:
    """Try the installs, and say of each how it went."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pythons", default="", help="interpreters, with blanks between them")
    parser.add_argument(
        "--extras", default=" ".join([*INSTALLS, "make"]), help="with blanks between them"
    )
    parser.add_argument("--no-tests", action="store_true", help="imports and examples alone")
    asked = parser.parse_args()
    extras = asked.extras.split()
    if unknown := [extra for extra in extras if extra not in (*INSTALLS, "make")]:
        sys.exit(f"{unknown[0]} is no extra. Known: {', '.join([*INSTALLS, 'make'])}.")
    pythons = find_pythons(asked.pythons.split() or [f"python{version}" for version in ALLOWED])
    trials = {
        f"{extra}, Python {version}, {pandas}": functools.partial(
            try_install, extra, pythons[version], pandas, with_tests=not asked.no_tests
        )
        for extra, version, pandas in list_trials(
            extras, list(pythons), with_tests=not asked.no_tests
        )
    }
    if "make" in extras and "3.11" in pythons:
        trials["make env, Python 3.11"] = functools.partial(try_make, pythons["3.11"])
    failed = []
    for name, trial in trials.items():
        began = time.monotonic()
        try:
            print(f"{name}: {trial()}", end="")
        except InstallFailed as error:
            failed.append(name)
            print(f"{name}: FAILED\n{error}", end="")
        print(f" ({time.monotonic() - began:.0f} s)", flush=True)
    if failed:
        sys.exit(f"failed: {'; '.join(failed)}")


if __name__ == "__main__":
    main()
