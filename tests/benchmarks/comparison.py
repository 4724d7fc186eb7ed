"""What a benchmark compares."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Comparison:
    """Two ways to the same result.

    Attributes
    ----------
    name : str
        What is computed, at which size, and what the baseline is.
    baseline, ours : callable
        Without arguments; return the result.
    agree : callable
        Takes both results and raises if they differ.
    """

    name: str
    baseline: Callable[[], Any]
    ours: Callable[[], Any]
    agree: Callable[[Any, Any], None]
