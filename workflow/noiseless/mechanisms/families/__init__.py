"""Mechanisms that the comparisons release values by.

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
    """Mechanisms by name, in the order of tables; their modules are imported when asked for."""
    return classes_of(sys.modules[__name__], "MECHANISM")


def mechanism_names() -> list[str]:
    """Their names alone, for which no module is imported."""
    return [module.name for module in iter_modules(__path__)]


def mechanism_labels() -> dict[str, str]:
    """What they are called, by name, in the order of tables."""
    return {name: each.label for name, each in mechanisms().items()}
