"""The classes of a folder: each is a module of it, and nothing else lists them."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


def classes_of(package: ModuleType, attribute: str, *, beside: str = "") -> dict[str, Any]:
    """The class of each module of a package by its name, in their own order.

    Parameters
    ----------
    package : module
    attribute : str
        What each module calls its class; this has a ``name`` and an ``order``.
    beside : str
        The module of the package that has no such class, if there is one.
    """
    found = [
        getattr(import_module(f"{package.__name__}.{module.name}"), attribute)
        for module in iter_modules(package.__path__)
        if module.name != beside
    ]
    return {each.name: each for each in sorted(found, key=lambda each: each.order)}
