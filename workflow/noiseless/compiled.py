"""Functions that numba compiles where it is installed, and that run as plain Python where not.

The results are the same; the certified bounds and the games of many homes take 100 to 1,000 times
longer.  What is compiled is kept on the disk.  Where several processes begin with nothing kept, one
of them compiles the functions of a module, and the others wait for it.
"""

import contextlib
import warnings
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

try:
    import numba
    from numba.core.compiler_lock import global_compiler_lock

    IS_COMPILED = True
except ModuleNotFoundError:  # any other error, such as a lack of memory, is told
    warnings.warn(
        "numba is not installed: the inner loops run as plain Python, which is slow. "
        "The extra `fast` installs it.",
        RuntimeWarning,
        stacklevel=2,
    )
    IS_COMPILED = False
try:
    import fcntl
except ImportError:  # Windows: whoever finds nothing compiles for himself
    fcntl = None  # type: ignore[assignment]

_held: set[str] = set()  # files whose functions this process compiles


def njit(**options: Any) -> Callable[[Callable], Callable]:
    """As numba's ``njit``, but several processes do not compile the same at the same time.

    Parameters
    ----------
    **options
        Of :func:`numba.njit`.
    """

    def decorated(function: Callable) -> Callable:
        if not IS_COMPILED:
            return function
        compiled = numba.njit(**options)(function)
        if hasattr(compiled, "compile"):  # NUMBA_DISABLE_JIT leaves the function as it is
            compiled.compile = _by_one_process(compiled.compile, function.__code__.co_filename)
        return compiled

    return decorated


def _by_one_process(compile_function: Callable, source: str) -> Callable:
    """Compile, or load what was compiled, while no other process does so for the same file."""

    @wraps(compile_function)
    def alone(*arguments: Any) -> Any:
        with global_compiler_lock, _held_alone(source):
            return compile_function(*arguments)

    return alone


@contextlib.contextmanager
def _held_alone(source: str) -> Iterator[None]:
    """Hold a file's lock, which this process may hold already: functions call one another."""
    if source in _held or fcntl is None:
        yield
        return
    with Path(source).open("rb") as file:
        # Some network file systems have no locks: then the work is done twice, as it may be.
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        _held.add(source)
        try:
            yield
        finally:
            _held.discard(source)


@njit(cache=True, nogil=True)
def copy_into(target, source):  # noqa: ANN001, ANN201
    """Do what ``target[:] = source`` does, which takes numba seconds to compile.

    Parameters
    ----------
    target, source : ndarray, shape (n,)
    """
    for i in range(len(target)):
        target[i] = source[i]


__all__ = ["IS_COMPILED", "copy_into", "njit"]
