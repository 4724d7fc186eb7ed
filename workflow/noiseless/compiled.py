"""Functions that numba compiles where it is installed, and that run as plain Python where not.

The results are the same; the certified bounds and the games of many homes take 100 to 1,000 times
longer.
"""

import warnings
from collections.abc import Callable
from typing import Any

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

    def njit(**_options: Any) -> Callable[[Callable], Callable]:  # type: ignore[no-redef]
        """The function as it is."""
        return lambda function: function


__all__ = ["IS_COMPILED", "njit"]
