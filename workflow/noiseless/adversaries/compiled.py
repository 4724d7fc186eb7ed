"""Functions that numba compiles if it is installed, and that run as plain Python otherwise.

The results are the same; the certified bounds and the games of many homes take 100 to 1,000 times
longer.  What is compiled is kept on the disk, where there is a folder for it.
"""

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

try:
    import numba

    IS_COMPILED = True

    def compile_njit(**options: Any) -> Callable[[Callable], Callable]:
        """Return numba's ``njit`` with a cache on the disk only where one can be written."""

        def compile_function(function: Callable) -> Callable:
            """Compile the function; without a cache on the disk where none can be written."""
            try:
                return numba.njit(**options)(function)
            except RuntimeError as error:
                if "cannot cache" not in str(error):
                    raise
            _warn_without_cache()
            return numba.njit(**{**options, "cache": False})(function)

        return compile_function

except ModuleNotFoundError:  # any other error, such as a lack of memory, propagates
    warnings.warn(
        "numba is not installed: the inner loops run as plain Python, which is slow. "
        "The extra `fast` installs it.",
        RuntimeWarning,
        stacklevel=2,
    )
    IS_COMPILED = False

    def compile_njit(**options: Any) -> Callable[[Callable], Callable]:
        """Return the function as it is, which warns of no overflow, as compiled code does not."""
        return np.errstate(divide="ignore", over="ignore", invalid="ignore")


@cache
def _warn_without_cache() -> None:
    """Warn once per process that compiled code is not cached."""
    warnings.warn(
        "neither the package's folder nor the home can be written to: what numba compiles is not "
        "kept, and each process compiles it anew. Set NUMBA_CACHE_DIR to a folder of yours.",
        RuntimeWarning,
        stacklevel=3,
    )


@compile_njit(cache=True, nogil=True)
def copy_into(target, source):  # noqa: ANN001, ANN201
    """Copy ``source`` into ``target``; numba takes seconds to compile ``target[:] = source``.

    Parameters
    ----------
    target : ndarray, shape (n,)
        Array to write into.
    source : ndarray, shape (n,)
        Values to copy.
    """
    for i in range(len(target)):
        target[i] = source[i]


__all__ = ["IS_COMPILED", "compile_njit", "copy_into"]
