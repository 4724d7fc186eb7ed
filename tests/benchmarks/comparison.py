"""What a benchmark compares, and with whom."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any


@dataclass(frozen=True)
class Peer:
    """The other side of comparisons.

    Attributes
    ----------
    name : str
        Name in the tables.
    does, does_not : str
        What it does, and what it does not do that this project does, without a full stop.
    package : str
        Distribution whose version is kept; empty for code that is written in this folder.
    """

    name: str
    does: str
    does_not: str
    package: str = ""

    def describe(self) -> dict[str, str]:
        """Describe the peer for the page, its title with the version that is installed."""
        title = f"{self.name} {version(self.package)}" if self.package else self.name
        return {"title": title, "does": self.does, "does_not": self.does_not}


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
    peer : Peer
        Who the baseline is.
    """

    name: str
    baseline: Callable[[], Any]
    ours: Callable[[], Any]
    agree: Callable[[Any, Any], None]
    peer: Peer
