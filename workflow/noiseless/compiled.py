"""Functions that numba compiles if it is installed, and that run as plain Python otherwise.

The results are the same; the certified bounds and the games of many homes take 100 to 1,000 times
longer.  What is compiled is kept on the disk, in a folder named by all that goes into it: numba
compiles the functions that a function calls into it, but looks for changes in its own file alone.

1. :func:`compile_njit` compiles a function of this package.
2. :func:`use_cache_folder` gives what a plugin compiles a folder of the same kind.
"""

import glob
import hashlib
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_PACKAGE = Path(__file__).resolve().parent
_IMPORTED = re.compile(r"^from noiseless\.([\w.]+) import", re.MULTILINE)

# Kind and place of a warning: the line that happens to import first is nobody's concern.
_IN_PACKAGE = RuntimeWarning, "noiseless", 0

try:
    import llvmlite
    import numba

    IS_COMPILED = True
    _config: Any = numba.config  # whose attributes mypy does not see
except ModuleNotFoundError:  # any other error, such as a lack of memory, propagates
    warnings.warn_explicit(
        "numba is not installed: the inner loops run as plain Python, which is slow. "
        "The extra `fast` installs it.",
        *_IN_PACKAGE,
    )
    IS_COMPILED = False


def compile_njit(**options: Any) -> Callable[[Callable], Callable]:
    """Return numba's ``njit``, with a cache on the disk only where one can be written.

    Without numba, return the function as it is, which warns of no overflow, as compiled code does
    not.
    """
    if not IS_COMPILED:
        return np.errstate(divide="ignore", over="ignore", invalid="ignore")

    def compile_function(function: Callable) -> Callable:
        """Compile the function; without a cache on the disk where none can be written."""
        folder = _make_own_folder()
        if folder is None:
            _warn_without_cache()
            return numba.njit(**{**options, "cache": False})(function)
        with _use_numba_folder(folder):
            return numba.njit(**options)(function)

    return compile_function


@contextmanager
def use_cache_folder(name: str, sources: Iterable[Path], *, beside: Path) -> Iterator[None]:
    """Let numba keep what is decorated within this context in a folder of its sources' contents.

    The folder's name begins with ``name``, and folders of the same name with other contents are
    removed.  The sources, which may call functions of this package, are all files whose functions
    may be compiled.  The cache is kept beside them if that can be written to.
    """
    folder = None
    if IS_COMPILED:
        digest = _compute_digest([*sources, *_list_compiled_modules()])
        folder = _make_folder(f"{name}_compiled_", digest, beside=beside)
    if folder is None:
        yield  # numba finds a place itself, or says that there is none
    else:
        with _use_numba_folder(folder):
            yield


@cache
def _make_own_folder() -> Path | None:
    """Make the folder of this package's compiled functions; return None if there is no place."""
    return _make_folder("compiled_", _compute_digest(_list_compiled_modules()), beside=_PACKAGE)


@cache
def _list_compiled_modules() -> list[Path]:
    """List the modules of this package that compile functions, and those that they import from.

    Compiled functions call each other, and hold the constants of other modules.
    """
    sources = {path: path.read_bytes() for path in _PACKAGE.rglob("*.py")}
    found = {path for path, source in sources.items() if b"compile_njit" in source}
    for path in list(found):
        for name in _IMPORTED.findall(sources[path].decode()):
            place = _PACKAGE.joinpath(*name.split("."))
            found |= {place.with_suffix(".py"), place / "__init__.py"} & sources.keys()
    return sorted(found)


def _compute_digest(sources: Iterable[Path]) -> str:
    """Compute a digest of files and their names, wherever they lie, in 16 hexadecimal digits."""
    hasher = hashlib.sha256()
    for path in sources:
        contents = path.read_bytes()
        hasher.update(os.fsencode(f"{path.parent.name}/{path.name} {len(contents)} "))
        hasher.update(contents)
    return hasher.hexdigest()[:16]


def _make_folder(prefix: str, digest: str, *, beside: Path) -> Path | None:
    """Make the cache's folder in the first place that can be written to, and remove older ones."""
    compilers = f"numba-{numba.__version__}_llvmlite-{llvmlite.__version__}_numpy-{np.__version__}"
    for place in _list_places(beside):
        folder = place / f"{prefix}{digest}" / compilers
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
            found = list(place.glob(f"{glob.escape(prefix)}*"))
        except OSError:
            continue
        for each in found:
            if each != folder.parent:
                shutil.rmtree(each, ignore_errors=True)
        return folder
    return None


def _list_places(beside: Path) -> list[Path]:
    """List where compiled code may be kept: the user's choice, beside the code, in the home."""
    # A place that several copies of the code share has a folder for each.
    own = f"noiseless_{hashlib.sha256(os.fsencode(beside)).hexdigest()[:16]}"
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    chosen = [Path(_config.CACHE_DIR, own)] if _config.CACHE_DIR else []
    # Where the user has no home, "~" stays as it is.
    shared = [Path(home, own)] if os.path.isabs(home) else []  # noqa: PTH117
    return [*chosen, beside / "__pycache__", *shared]


@contextmanager
def _use_numba_folder(folder: Path) -> Iterator[None]:
    """Let numba keep the functions that are decorated within this context in a folder."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        _config.CACHE_DIR = before


@cache
def _warn_without_cache() -> None:
    """Warn once per process that compiled code is not cached."""
    warnings.warn_explicit(
        "neither the package's folder nor the home can be written to: what numba compiles is not "
        "kept, and each process compiles it anew. Set NUMBA_CACHE_DIR to a folder of yours.",
        *_IN_PACKAGE,
    )


@compile_njit(cache=True, nogil=True)
def copy_into(target, source):  # noqa: ANN001, ANN201
    """Copy ``source`` into ``target``; numba takes seconds to compile ``target[:] = source``."""
    for i in range(len(target)):
        target[i] = source[i]
