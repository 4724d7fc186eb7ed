"""Files that git would commit: what it tracks, and what it does not ignore."""

import shutil
import subprocess
from pathlib import Path


class NoCheckoutError(RuntimeError):
    """The folder is no checkout of git."""


def list_tracked(root: Path) -> list[str]:
    """List the paths from the root of the files that git would commit, and that are there.

    Raises
    ------
    NoCheckoutError
        If the folder is no checkout of git.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode:
        raise NoCheckoutError(f"{root}: {listed.stderr.strip()}")
    return [name for name in listed.stdout.split("\0") if name and (root / name).exists()]


def copy_tracked(root: Path, folder: Path) -> None:
    """Copy what git would commit into a folder, with the times of files and of their folders."""
    names = list_tracked(root)
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, folder / name)
    for parent in {parent for name in names for parent in Path(name).parents}:
        shutil.copystat(root / parent, folder / parent)
