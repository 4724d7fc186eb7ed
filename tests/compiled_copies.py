"""Copies of the package with what numba compiled of it, so that they need not compile it again."""

import hashlib
import shutil
from pathlib import Path


def copy_compiled(source: Path, target: Path) -> None:
    """Copy compiled code of the package's folder ``source`` to where its copy looks for it.

    numba names the folder of a module's code by the path of the module's folder.
    """
    if not (source / "__pycache__").is_dir():
        return
    shutil.copytree(source / "__pycache__", target / "__pycache__", dirs_exist_ok=True)
    for folder in [source, *(path for path in source.rglob("*") if path.is_dir())]:
        names = [
            f"{each.name}_{hashlib.sha1(str(each).encode()).hexdigest()}"
            for each in (folder, target / folder.relative_to(source))
        ]
        for compiled in (target / "__pycache__").glob(f"compiled_*/*/{names[0]}"):
            compiled.rename(compiled.with_name(names[1]))
