"""Files of the project: those that git would commit or, in an archive, those not ignored."""

import os
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path


def list_tracked(root: Path) -> list[str]:
    """List the paths from the root of the files that git would commit, and that are there.

    A folder without git, or on a machine without it, is an archive of the source: its files are
    all that ``.gitignore`` does not name.
    """
    if not (root / ".git").exists() or shutil.which("git") is None:
        return list_not_ignored(root)
    # The clone may belong to another user, as in a container; a hook names another repository.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    command += ["--cached", "--others", "--exclude-standard"]
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True, env=own)
    return [name for name in listed.stdout.split("\0") if name and (root / name).exists()]


def list_not_ignored(root: Path) -> list[str]:
    """List the paths from the root of the files that ``.gitignore`` does not name."""
    lines = (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    found = []
    for folder, folders, files in os.walk(root):
        here = Path(folder).relative_to(root)
        folders[:] = [
            name
            for name in sorted(folders)
            if name != ".git" and not is_ignored(here / name, patterns, is_folder=True)
        ]
        paths = [here / name for name in sorted(files)]
        found += [path.as_posix() for path in paths if not is_ignored(path, patterns)]
    return found


def is_ignored(path: Path, patterns: list[str], *, is_folder: bool = False) -> bool:
    """Whether the last pattern that fits a path ignores it."""
    ignored = False
    for pattern in patterns:
        wanted = pattern.removeprefix("!")
        if wanted.endswith("/") and not is_folder:
            continue
        wanted = wanted.removesuffix("/")
        name = f"/{path.as_posix()}" if "/" in wanted else path.name
        # As in .gitignore, a star is no slash.
        if name.count("/") == wanted.count("/") and fnmatch(name, wanted):
            ignored = not pattern.startswith("!")
    return ignored


def copy_tracked(root: Path, folder: Path) -> None:
    """Copy what git would commit into a folder, with the times of files and of their folders."""
    names = list_tracked(root)
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, folder / name)
    for parent in {parent for name in names for parent in Path(name).parents}:
        shutil.copystat(root / parent, folder / parent)
