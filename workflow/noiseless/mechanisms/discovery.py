"""Discovery of classes in a folder in which each module defines one class."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


def load_classes(package: ModuleType, attribute: str) -> dict[str, Any]:
    """Import all modules of a package; return their classes by ``name``, sorted by ``order``.

    ``attribute`` is the name that each module gives its class.
    """
    classes = [
        getattr(import_module(f"{package.__name__}.{module.name}"), attribute)
        for module in iter_modules(package.__path__)
    ]
    return {each.name: each for each in sorted(classes, key=lambda each: each.order)}
