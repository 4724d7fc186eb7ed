"""Plugins: mechanisms and adversaries of users, from Python files or installed packages.

A plugin is a file with a class ``MECHANISM`` (a
:class:`noiseless.mechanisms.interface.Mechanism`), a class ``ADVERSARY`` (a
:class:`noiseless.adversaries.interface.Adversary`), or both; of several of a kind, a list.  Or it
is a class of an installed package, ``package.module:Class``.  Its name is its label: it stands in
tables and figures as it is.

1. :func:`compute_plugin_digests` are parameters of rules, so that an edited plugin, or an edited
   module that it imports from its folder, reruns the rules that use it.
2. :func:`use_plugins` activates plugins; within it, the registries contain their classes.
"""

import ast
import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from noiseless.errors import ConfigError

# Methods that a plugin of version 0.2 may define, and what they are called now.
_RENAMED = {
    "for_error": "`calibrate_to_errors`",
    "on": "the constructor, of a domain and a parameter,",
    "parameter_name": "`get_parameter_name`",
    "smallest_error": "`compute_min_error`",
}
PLUGIN_BASES = {"MECHANISM": "Mechanism", "ADVERSARY": "Adversary"}
"""What a plugin calls its classes, and what they are derived from."""

_IN_PACKAGE = re.compile(r"[^\W\d][\w.]*:[^\W\d]\w*")
_NAME = re.compile(r"(?=.*\w).{1,60}")
Kind = TypeVar("Kind")


class _PluginClass(NamedTuple):
    """Class (or other object) that a plugin defines, with its kind and its file or package."""

    kind: str
    added: Any
    source: str


_active_plugins: list[_PluginClass] = []


def compute_plugin_digests(plugins: Iterable[str]) -> dict[str, str]:
    """Compute the SHA-256 of each plugin's source and of its imports from its folder or package.

    Raises
    ------
    ConfigError
        If there is no such file, or no such package.
    """
    digests = {}
    for plugin in plugins:
        hasher = hashlib.sha256()
        for path in _list_sources(plugin):
            hasher.update(path.read_bytes())
        digests[plugin] = hasher.hexdigest()
    return digests


def _list_sources(plugin: str) -> list[Path]:
    """List a plugin's source files: its file with the helpers beside it, or all of its package."""
    if not _IN_PACKAGE.fullmatch(plugin):
        return _list_with_helpers(_check_path(plugin))
    name = plugin.partition(".")[0].partition(":")[0]
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ConfigError(
            f"plugins: the package of {plugin!r} is not installed. Install {name} into the "
            "environment that runs the workflow, or name a Python file (docs/plugins.md)."
        )
    folders = spec.submodule_search_locations
    if folders is None:
        return [Path(spec.origin)]
    return sorted(path for folder in folders for path in Path(folder).rglob("*.py"))


def _check_path(path: str) -> Path:
    """Return the path of a plugin's file; raise ConfigError if there is no such file."""
    if not os.path.isfile(path):  # noqa: PTH113 - of too long a name, Path raises an error
        raise ConfigError(
            f"plugins: {path!r} is not a file. Give the path of a Python file, relative to the "
            "folder in which you run the workflow (docs/plugins.md)."
        )
    return Path(path)


def _list_with_helpers(path: Path) -> list[Path]:
    """List a file and all modules of its folder that it imports, directly or indirectly."""
    sources, waiting = [], [path]
    while waiting:
        source = waiting.pop(0)
        sources.append(source)
        for name in sorted(_parse_imports(source)):
            beside = path.parent / f"{name}.py"
            package = (path.parent / name).rglob("*.py")
            more = [beside] if beside.is_file() else sorted(package)
            waiting += [each for each in more if each not in sources and each not in waiting]
    return sources


def _parse_imports(source: Path) -> set[str]:
    """Parse the top-level names of the modules that a file imports; empty for invalid Python."""
    try:
        tree = ast.parse(source.read_bytes())
    except (SyntaxError, ValueError):
        return set()  # the import raises the error later
    names = {
        each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names
    }
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names} - {""}


@contextmanager
def use_plugins(plugins: Iterable[str | Path]) -> Iterator[None]:
    """Activate the mechanisms and adversaries of some plugins within this context.

    Parameters
    ----------
    plugins : iterable of path, or of ``package.module:Class``
        A file may import modules that lie beside it, which are forgotten afterwards.

    Raises
    ------
    ConfigError
        If a plugin is not there, cannot be imported, or defines neither kind of class.

    Examples
    --------
    >>> from noiseless.adversaries.registry import load_plugin_adversaries
    >>> with use_plugins([]):
    ...     load_plugin_adversaries()
    []
    """
    active, folders, modules = list(_active_plugins), list(sys.path), set(sys.modules)
    beside = []
    try:
        for plugin in map(str, plugins):
            if _IN_PACKAGE.fullmatch(plugin):
                _active_plugins.append(_load_package_class(plugin))
                continue
            path = _check_path(plugin).resolve()
            beside.append(path.parent)
            sys.path.append(str(path.parent))
            _active_plugins.extend(_load_file_classes(plugin))
        yield
    finally:
        _active_plugins[:], sys.path[:] = active, folders
        # Modules in deeper folders stay, such as this package below the folder of a checkout.
        for name in set(sys.modules) - modules:
            origin = Path(getattr(sys.modules[name], "__file__", None) or "").resolve()
            places = [folder.joinpath(*name.split(".")) for folder in beside]
            if origin in (file for each in places for file in _list_module_files(each)):
                del sys.modules[name]


def _list_module_files(place: Path) -> tuple[Path, Path]:
    """Return both files that can hold the module at a path without suffix."""
    return place.with_name(f"{place.name}.py"), place / "__init__.py"


def _load_package_class(plugin: str) -> _PluginClass:
    """Load a class with its kind from an installed package, by ``package.module:Class``."""
    _list_sources(plugin)
    name, _, wanted = plugin.partition(":")
    try:
        added = getattr(import_module(name), wanted)
    except (Exception, SystemExit) as error:  # a user's module may raise anything
        raise ConfigError(
            f"plugins: {plugin} cannot be imported: {type(error).__name__}: {error}. Try: "
            f'python -c "from {name} import {wanted}"'
        ) from error
    bases = {each.__name__ for each in getattr(added, "__mro__", ())}
    for kind, base in PLUGIN_BASES.items():
        if base in bases:
            return _PluginClass(kind, added, plugin)
    raise ConfigError(
        f"plugins: {plugin} is {added!r}, but it must be derived from "
        f"{' or '.join(PLUGIN_BASES.values())}."
    )


def _load_file_classes(path: str) -> list[_PluginClass]:
    """Load the classes that a file assigns to the names of :data:`PLUGIN_BASES`."""
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    spec = spec_from_file_location(f"noiseless_plugin_{digest[:16]}", path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"plugins: {path!r} is not a Python file: its name must end in .py.")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        raise ConfigError(
            f"plugins: {path} cannot be imported: {type(error).__name__}: {error}. Try: "
            f"python {path}"
        ) from error
    classes = {kind: getattr(module, kind) for kind in PLUGIN_BASES if hasattr(module, kind)}
    if not classes:
        raise ConfigError(
            f"plugins: {path} defines no {' and no '.join(PLUGIN_BASES)}. Assign the class, or a "
            "list of classes, to that name (docs/plugins.md)."
        )
    return [
        _PluginClass(kind, each, path)
        for kind, added in classes.items()
        for each in (added if isinstance(added, list | tuple) else [added])
    ]


def _refuse_old_names(added: type, where: str) -> None:
    """Raise ConfigError for a plugin's class with a method of the interface of version 0.2."""
    for each in added.__mro__:
        if not each.__module__.startswith("noiseless."):
            for old in vars(each).keys() & _RENAMED:
                raise ConfigError(
                    f"{where} defines `{old}`, which has been {_RENAMED[old]} since version 0.3. "
                    "Rename it (docs/plugins.md)."
                )


def get_plugin_classes(
    kind: str, base: type[Kind], taken: Iterable[str]
) -> list[tuple[type[Kind], str]]:
    """Return the classes of one kind that active plugins define, each with its source.

    Parameters
    ----------
    kind : str
        One of :data:`PLUGIN_BASES`.
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
    classes = []
    for _, added, source in (each for each in _active_plugins if each.kind == kind):
        where = f"plugins: {kind} of {source}"
        if not (isinstance(added, type) and issubclass(added, base)):
            raise ConfigError(f"{where} is {added!r}, but it must be derived from {base.__name__}.")
        name = getattr(added, "name", None)
        if not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise ConfigError(
                f"{where} has no `name`: give it one, of at most 60 characters in one line, which "
                "tables will show."
            )
        if name in names:
            raise ConfigError(f"{where} is called {name!r}, which is taken. Choose another `name`.")
        if missing := sorted(getattr(added, "__abstractmethods__", ())):
            raise ConfigError(f"{where} lacks {', '.join(missing)}, which it must define.")
        _refuse_old_names(added, where)
        names.add(name)
        classes.append((added, source))
    return classes
