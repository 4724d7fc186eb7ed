"""Install the packages of a lock into this Python's environment: by uv, else by pip.

``python workflow/envs/install.py LOCK [--no-deps] [--project]``, as ``make`` calls it.  What is
installed is the lock's, with its hashes, in both ways, and both ask the package index that pip is
set to; uv itself comes by pip, with the hash of ``requirements-uv.lock``.  Where uv cannot be
used, pip installs, and a line says why.

Only the standard library is imported: nothing else is there yet.
"""

import argparse
import ast
import csv
import functools
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UV_LOCK = ROOT / "requirements-uv.lock"
PACKAGES = Path(sysconfig.get_path("purelib"))
# What pip can be set to that changes nothing of what it installs here, or whom it asks.
WITHOUT_EFFECT = {
    *("break-system-packages", "compile", "config-file", "debug", "disable-pip-version-check"),
    *("exists-action", "log", "no-color", "no-compile", "no-input", "no-python-version-warning"),
    *("no-warn-conflicts", "no-warn-script-location", "prefer-binary", "progress-bar", "quiet"),
    *("require-virtualenv", "root-user-action", "verbose"),
}
# What pip can be set to for another environment than this one, or for what is in no lock.
FOR_OTHERS = {
    *(
        "dry-run",
        "editable",
        "no-deps",
        "prefix",
        "python",
        "require-hashes",
        "requirement",
        "root",
    ),
    *("target", "user"),
}
# Variables of uv for what pip takes as a list, a URL or a number.
SAME = {
    "client-cert": "SSL_CLIENT_CERT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "extra-index-url": "UV_INDEX",
    "index-url": "UV_DEFAULT_INDEX",
    "pypi-url": "UV_DEFAULT_INDEX",
    "retries": "UV_HTTP_RETRIES",
    "timeout": "UV_HTTP_TIMEOUT",
    "trusted-host": "UV_INSECURE_HOST",
}
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


class UvCannot(Exception):
    """Why uv cannot install here, as the end of a sentence."""


def main() -> None:
    """Install what is asked for; the exit code is that of the program that failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lock", type=Path)
    parser.add_argument("--no-deps", action="store_true", help="the lock's packages alone")
    parser.add_argument("--project", action="store_true", help="the project as well, editable")
    asked = parser.parse_args()
    remove_unfinished(PACKAGES)
    wanted = [["--require-hashes", "--requirement", str(asked.lock)]]
    wanted[0] += ["--no-deps"] if asked.no_deps else []
    if asked.project:
        wanted.append(["--no-deps", "--no-build-isolation", "--editable", str(ROOT)])
    try:
        install_by_uv(asked.lock, wanted)
    except KeyboardInterrupt:
        sys.exit(130)
    except UvCannot as reason:
        print(f"{reason}: pip installs, which takes about a minute.", file=sys.stderr, flush=True)
        # What is imported is compiled then, which is a part of what is installed.
        pip = ["install", "--quiet", "--disable-pip-version-check", "--no-compile"]
        for arguments in wanted:
            command = [sys.executable, "-m", "pip", *pip, *arguments]
            if code := subprocess.run(command, env=write_pip_settings()).returncode:
                sys.exit(code)
    if asked.project:
        add_own_package(PACKAGES, ROOT / "workflow")


def install_by_uv(lock: Path, wanted: Sequence[Sequence[str]]) -> None:
    """Let uv install, one after the other, what each list of arguments says.

    Raises
    ------
    UvCannot
        If pip is set to something that uv has no word for, if there is no uv for this machine, or
        if uv fails, whose reason it has printed.
    """
    arguments, variables, constraints = translate_settings(read_pip_settings(), os.environ)
    uv = [_install_uv(), "pip", "install", "--quiet", "--no-config", *arguments]
    uv += ["--python", sys.executable]
    # In uv a constraint would need a hash, too: whether the lock keeps it is asked beforehand.
    if constraints:
        given = [word for each in constraints for word in ("--constraint", each)]
        wanted = [["--dry-run", "--no-deps", "--requirement", str(lock), *given], *wanted]
    try:
        for each in wanted:
            subprocess.run([*uv, *each], env=variables, check=True)
        # uv's cache shares its files with environments, in which they may have been changed.
        if remove_unfinished(PACKAGES):
            for each in wanted:
                subprocess.run([*uv, "--no-cache", *each], env=variables, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise UvCannot("uv failed") from None


def add_own_package(packages: Path, folder: Path) -> None:
    """Let Python find the project's package by a relative path: in a copy, that of the copy.

    The path that an editable install writes is absolute.  Files of paths are read in the order of
    their names.
    """
    path = os.path.relpath(folder, packages)
    (packages / "__beside_this_environment__.pth").write_text(f"{path}\n", encoding="utf-8")


def _install_uv() -> str:
    """Install uv by pip, and return its path."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--only-binary", "uv", "--require-hashes", "--requirement", str(UV_LOCK)]
    done = subprocess.run(pip, capture_output=True, text=True, env=write_pip_settings())
    uv = Path(sysconfig.get_path("scripts")) / "uv"
    if done.returncode or not uv.is_file():
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        raise UvCannot(f"pip finds no uv for this machine ({(said or ['it is not there'])[-1]})")
    return str(uv)


@functools.cache
def read_pip_settings() -> dict[str, str]:
    """Read what `pip install` is set to, by its files and by variables, from pip itself.

    What is meant for other environments than this one (``FOR_OTHERS``) is left out.

    Raises
    ------
    UvCannot
        If pip cannot read them.
    """
    # As loud as it gets: a pip that is set to be quiet would not list anything.
    command = [sys.executable, "-m", "pip", "-vvv", "config", "list"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise UvCannot("pip cannot read what it is set to")
    listed = re.findall(r"^(:env:|global|install)\.([\w-]+)=(['\"].*)$", done.stdout, re.M)
    settings = {}
    for place in ("global", "install", ":env:"):  # the later one holds
        for _, name, value in (each for each in listed if each[0] == place):
            if (value := ast.literal_eval(value).strip()) and name not in FOR_OTHERS:
                settings[name] = value
    return settings


def write_pip_settings() -> dict[str, str]:
    """Variables for pip, by which it is set to what ``read_pip_settings`` has read, alone."""
    try:
        settings = read_pip_settings()
    except UvCannot:
        return dict(os.environ)  # pip says itself what it cannot read
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    for name, value in settings.items():
        variables[f"PIP_{name.upper().replace('-', '_')}"] = value
    # Its files would be read again, and an empty variable does not take back what they say.
    return {**variables, "PIP_CONFIG_FILE": os.devnull}


def translate_settings(
    settings: Mapping[str, str], environment: Mapping[str, str]
) -> tuple[list[str], dict[str, str], list[str]]:
    """Translate what pip is set to into uv's arguments, its variables, and files of constraints.

    What uv itself is set to is left out, but for the place of its cache: pip's index is asked.

    Raises
    ------
    UvCannot
        If uv has no word for a setting.
    """
    variables = {
        name: value
        for name, value in environment.items()
        if not name.startswith("UV_") or name == "UV_CACHE_DIR"
    }
    # Every index is asked, as pip does it; the hash says which file is right.
    variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    arguments: list[str] = []
    constraints: list[str] = []
    settings = dict(settings)
    # pip trusts what these name, which uv does not look at.
    for name in ("CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"):
        if environment.get(name) and "cert" not in settings:
            settings["cert"] = environment[name]
    for name, value in settings.items():
        if name in SAME:
            variables[SAME[name]] = value
        elif name == "cert":
            for each in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
                variables.pop(each, None)
            variables["SSL_CERT_DIR" if Path(value).is_dir() else "SSL_CERT_FILE"] = value
        elif name == "proxy":
            for each in (*PROXIES, "NO_PROXY"):
                variables.pop(each, None)
                variables.pop(each.lower(), None)
            proxy = value if "://" in value else f"http://{value}"
            variables.update(dict.fromkeys(PROXIES, proxy))
        elif name == "find-links":
            variables["UV_FIND_LINKS"] = ",".join(map(os.path.expanduser, value.split()))
        elif name == "constraint":
            constraints = value.split()
        elif name == "no-index":
            if _is_true(value):
                arguments.append("--no-index")
        elif name == "no-cache-dir":
            arguments.append("--no-cache")
        elif name == "cache-dir":
            variables.setdefault("UV_CACHE_DIR", str(Path(value).expanduser() / "uv"))
        elif name not in WITHOUT_EFFECT:
            raise UvCannot(f"pip is set to {name}, which uv does not read")
    return arguments, variables, constraints


def _is_true(value: str) -> bool:
    """Whether pip takes a setting for yes; it refuses all but these words, and those for no."""
    return value.lower() in ("1", "true", "yes", "on", "y", "t")


def remove_unfinished(packages: Path) -> bool:
    """Remove the entries of packages that are not whole, so that they are installed again.

    ``packages`` is the folder that they are in.  Both pip and uv take a package for whole that
    has an entry, which one has that a cut left half installed; whole is one of which each file is
    there, with its size.  Returned is whether there was another one.
    """
    unfinished = [entry for entry in packages.glob("*.dist-info") if not _is_finished(entry)]
    for entry in unfinished:
        shutil.rmtree(entry)
    return bool(unfinished)


def _is_finished(entry: Path) -> bool:
    """Whether all that a package's entry lists is there."""
    try:
        with (entry / "RECORD").open(encoding="utf-8", newline="") as record:
            listed = [(row[0], row[2]) for row in csv.reader(record)]
        # Written last, by both: a wheel's own list has not got it.
        return f"{entry.name}/INSTALLER" in dict(listed) and all(
            (entry.parent / file).stat().st_size == int(size) for file, size in listed if size
        )
    except (OSError, IndexError, ValueError):
        return False


if __name__ == "__main__":
    main()
