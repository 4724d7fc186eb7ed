"""Mechanism families that the comparisons release values by.

Each is a module of this folder with the class ``MECHANISM``; nothing else lists it.
"""

import sys
from functools import cache
from typing import TYPE_CHECKING

from noiseless.mechanisms.discovery import load_classes

if TYPE_CHECKING:
    from noiseless.mechanisms.interface import Mechanism


@cache
def load_mechanisms() -> dict[str, type["Mechanism"]]:
    """Load the mechanism classes by name, in the order of tables."""
    return load_classes(sys.modules[__name__], "MECHANISM")


def load_mechanism_labels() -> dict[str, str]:
    """Return the labels of the mechanisms by name, in the order of tables."""
    return {name: each.label for name, each in load_mechanisms().items()}
