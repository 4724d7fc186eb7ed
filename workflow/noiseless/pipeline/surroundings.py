"""Checks before a run: its folder, its Python, its plugins, and the tables of earlier runs."""

import os
import re
import shlex
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from noiseless.errors import ConfigError, DataError

_FORBIDDEN_CHARACTERS = re.compile(rf"[{{}}{os.pathsep}\x00-\x1f\x7f-\x9f\ud800-\udfff]")
# Characters that a shell, or Snakemake where it fills in a command, does not take literally.
_SHELL_CHARACTERS = re.compile(r"[\s{}|&;<>()$`\\\"'*?\[\]#~!]")
_LINK = ".snakemake/environment"


def check_folder(folder: str | Path) -> None:
    """Refuse a folder whose path has a character with which a run would fail.

    These are a brace, which Snakemake takes for a wildcard; a colon, at which paths of several
    folders are cut; a control character; and a byte that is no letter of UTF-8.
    """
    if found := _FORBIDDEN_CHARACTERS.search(str(folder)):
        raise ConfigError(
            f"{str(folder)!a}: a run fails in a folder whose path holds {found[0]!a}. "
            "Rename that folder."
        )


def find_shell_python(executable: str, *, folder: str | Path) -> str:
    """Find a path of Python that a shell takes as one word without quotation marks.

    Snakemake 9 writes the path of its Python into the commands of jobs as it is: in a folder ``my
    project`` each job would look for a program ``my``. Such a path becomes relative to ``folder``,
    if need be by a link that is made there, ``.snakemake/environment``.
    """
    if not _SHELL_CHARACTERS.search(executable):
        return executable
    path = os.path.relpath(executable, folder)
    if not _SHELL_CHARACTERS.search(path):
        return path
    environment, inside = Path(executable).parent.parent, Path(executable).parts[-2:]
    # The whole environment: Python looks for it beside its own folder, before it follows links.
    _make_link(Path(folder, _LINK), environment.absolute())
    return str(Path(_LINK, *inside))


def _make_link(link: Path, target: Path) -> None:
    """Make a link to a folder, or turn it to that folder; other processes always find one."""
    if link.is_symlink() and link.readlink() == target:
        return
    link.parent.mkdir(exist_ok=True)
    new = link.with_name(f"{link.name}.{os.getpid()}")
    new.symlink_to(target)
    new.replace(link)


def describe_older_packages(*folders: str | Path) -> str | None:
    """Describe tables that other versions of libraries made than are installed; None without any.

    Snakemake does not make tables again because a library changed.
    """
    # Hidden ones are what a job that may still run has not finished.
    paths = [path for folder in folders for path in Path(folder).rglob("[!.]*.parquet")]
    if not paths or not all(find_spec(name) for name in ("numpy", "pandas", "pyarrow")):
        return None
    # Imported here because it loads pandas, which a first run need not wait for.
    from noiseless.tables import format_package_versions, read_provenance

    now, older = format_package_versions(), list[str]()
    for path in paths:
        # The job that reads a damaged table says so; one that has gone since it was listed is being
        # made again.
        with suppress(DataError, FileNotFoundError):
            older.append(read_provenance(path).packages)
    others = sorted({each for each in older if each != now})
    if not others:
        return None
    count = sum(each != now for each in older)
    return (
        f"{count} of {len(older)} tables were made with {' or '.join(others)}; installed is {now}. "
        "They stay as they are. To make all of them anew: make clean, and run again."
    )


def check_times(paths: Iterable[str | Path]) -> None:
    """Refuse a file whose time lies more than a second ahead.

    Snakemake takes what is made of it for older than it.
    """
    for path in map(Path, paths):
        if path.is_file() and path.stat().st_mtime > time.time() + 1:
            ahead = datetime.fromtimestamp(path.stat().st_mtime).isoformat(" ", "seconds")
            raise ConfigError(
                f"{path}: its time, {ahead}, lies ahead of this machine's clock, so that what is "
                f"made of it would count as older. Set it to now: touch {shlex.quote(str(path))}"
            )


def check_plugins(plugins: Iterable[str]) -> None:
    """Refuse plugins that cannot be imported or have a class that no game can use.

    Where jobs have an environment of their own, what plugins import may not be here: then the first
    job that uses one refuses it.
    """
    if not (names := list(plugins)) or find_spec("numpy") is None:
        return
    # These imports are here because they load NumPy, which most runs need not wait for.
    from noiseless.adversaries.registry import load_plugin_adversaries
    from noiseless.mechanisms.registry import load_plugin_mechanisms
    from noiseless.plugins import use_plugins

    with use_plugins(names):
        load_plugin_adversaries()
        load_plugin_mechanisms()
