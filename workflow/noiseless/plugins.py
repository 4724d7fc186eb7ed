"""Mechanisms and adversaries of the user's own, from Python files beside the configuration.

A plugin is a file with a class ``MECHANISM`` (a
:class:`noiseless.mechanisms.interface.Mechanism`), a class ``ADVERSARY`` (a
:class:`noiseless.adversaries.interface.Adversary`), or both.  Its name is its label: it
stands in tables, figures and charts as it is.

1. :func:`plugin_digests` is what a rule's parameters hold, so that an edited plugin runs again
   what used it.
2. :func:`use_plugins` loads the files; within it, the registries hold what they define.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from noiseless.errors import ConfigError

KINDS = ("MECHANISM", "ADVERSARY")
_active: list[ModuleType] = []
Kind = TypeVar("Kind")


def plugin_digests(paths: Iterable[str]) -> dict[str, str]:
    """SHA-256 of each plugin file, by its path.

    Raises
    ------
    ConfigError
        If there is no such file.
    """
    return {path: hashlib.sha256(_read(path)).hexdigest() for path in paths}


def _read(path: str) -> bytes:
    if not os.path.isfile(path):  # noqa: PTH113 - of too long a name, Path raises an error
        raise ConfigError(
            f"plugins: {path!r} is no file. Give the path of a Python file, relative to the folder "
            "in which you run the workflow (docs/plugins.md)."
        )
    return Path(path).read_bytes()


@contextmanager
def use_plugins(paths: Iterable[str | Path]) -> Iterator[None]:
    """Let the mechanisms and adversaries of some files take part, within this context.

    Parameters
    ----------
    paths : iterable of path

    Raises
    ------
    ConfigError
        If a file is not there, cannot be imported, or defines neither kind of class.

    Examples
    --------
    >>> from noiseless.adversaries.registry import plugin_adversaries
    >>> with use_plugins([]):
    ...     plugin_adversaries()
    []
    """
    before = list(_active)
    try:
        for path in paths:
            _active.append(_load(str(path)))
        yield
    finally:
        _active[:] = before


def _load(path: str) -> ModuleType:
    digest = hashlib.sha256(_read(path)).hexdigest()
    spec = spec_from_file_location(f"noiseless_plugin_{digest[:16]}", path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"plugins: {path!r} is no Python file: its name must end in .py.")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever a stranger's file does when it is imported
        raise ConfigError(
            f"plugins: {path} cannot be imported: {type(error).__name__}: {error}. Try: "
            f"python {path}"
        ) from error
    if not any(hasattr(module, kind) for kind in KINDS):
        raise ConfigError(
            f"plugins: {path} defines no {' and no '.join(KINDS)}. Assign the class to that name "
            "(docs/plugins.md)."
        )
    return module


def plugin_classes(
    kind: str, base: type[Kind], taken: Iterable[str]
) -> list[tuple[type[Kind], str]]:
    """The classes of one kind that the active plugins define, each with the path of its file.

    Parameters
    ----------
    kind : str
        One of :data:`KINDS`.
    base : type
        What such a class must be derived from.
    taken : iterable of str
        Names that none of them may have.

    Raises
    ------
    ConfigError
        If a plugin's class is not of that kind, has no name, or one that is taken.
    """
    names = set(taken)
    found = []
    for module in _active:
        added = getattr(module, kind, None)
        if added is None:
            continue
        where = f"plugins: {kind} of {module.__file__}"
        if not (isinstance(added, type) and issubclass(added, base)):
            raise ConfigError(f"{where} is {added!r}, but it must be derived from {base.__name__}.")
        name = getattr(added, "name", None)
        if not (isinstance(name, str) and re.search(r"\w", name)):
            raise ConfigError(f"{where} has no `name`: give it one, which tables will show.")
        if name in names:
            raise ConfigError(f"{where} is called {name!r}, which is taken. Choose another `name`.")
        if missing := sorted(getattr(added, "__abstractmethods__", ())):
            raise ConfigError(f"{where} lacks {', '.join(missing)}, which it must define.")
        names.add(name)
        found.append((added, str(module.__file__)))
    return found
