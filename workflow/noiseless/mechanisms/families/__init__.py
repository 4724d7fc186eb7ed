"""Mechanism families that the comparisons release values by.

Each is a module of this folder with the class ``MECHANISM``; nothing else lists it.
"""

import sys
from functools import cache
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from noiseless.mechanisms.discovery import classes_of

if TYPE_CHECKING:
    from noiseless.mechanisms.interface import Mechanism


@cache
def mechanisms() -> dict[str, type["Mechanism"]]:
    """Load the mechanism classes by name, in the order of tables."""
    return classes_of(sys.modules[__name__], "MECHANISM")


def mechanism_names() -> list[str]:
    """List the names of the mechanisms without importing their modules."""
    return [module.name for module in iter_modules(__path__)]


def mechanism_labels() -> dict[str, str]:
    """Return the labels of the mechanisms by name, in the order of tables."""
    return {name: each.label for name, each in mechanisms().items()}
