"""Discovery of classes in a folder in which each module defines one class."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


def load_classes(package: ModuleType, attribute: str, *, beside: str = "") -> dict[str, Any]:
    """Import all modules of a package; return their classes by name, sorted by ``order``.

    Parameters
    ----------
    package : module
        Package whose modules define one class each.
    attribute : str
        Attribute of each module that holds its class, which has a ``name`` and an ``order``.
    beside : str
        Name of a module of the package to skip, as it defines no such class; empty for none.
    """
    classes = [
        getattr(import_module(f"{package.__name__}.{module.name}"), attribute)
        for module in iter_modules(package.__path__)
        if module.name != beside
    ]
    return {each.name: each for each in sorted(classes, key=lambda each: each.order)}
