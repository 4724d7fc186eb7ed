"""Functions that numba compiles where it is installed, and that run as plain Python where not.

The results are the same; the certified bounds and the games of many homes take 100 to 1,000 times
longer.  What is compiled is kept on the disk.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

try:
    from numba import njit

    IS_COMPILED = True
except ModuleNotFoundError:  # any other error, such as a lack of memory, is told
    warnings.warn(
        "numba is not installed: the inner loops run as plain Python, which is slow. "
        "The extra `fast` installs it.",
        RuntimeWarning,
        stacklevel=2,
    )
    IS_COMPILED = False

    def njit(**options: Any) -> Callable[[Callable], Callable]:  # type: ignore[no-redef]
        """Return the function as it is, which warns of no overflow, as compiled code does not."""
        return np.errstate(divide="ignore", over="ignore", invalid="ignore")


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
