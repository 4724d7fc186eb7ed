"""Digests of the package's own code, so that a result is never older than the code behind it.

Snakemake runs a rule again when its parameters change.  Rules carry the digest of their function's
module among them: a change runs again what it touches, and nothing else.
"""

import ast
import hashlib
import importlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
# Statements are found by their lines, because to parse all modules takes a second of each run.
_FUNCTION = re.compile(rb"^def (\w+)", re.MULTILINE)
_IMPORT = re.compile(
    rb"^[ \t]*(?:from (?P<module>[\w.]+) )?import (?:\((?P<several>[^)]*)\)|(?P<names>[^(\n]+))",
    re.MULTILINE,
)
# A registry assigns to this name the packages whose modules it imports by name.
_LOADED_BY_NAME = re.compile(rb"^LOADED_BY_NAME = (\([^)]*\))", re.MULTILINE)


def call(
    function: str,
    by_wildcards: Callable[[Any], Mapping[str, Any]] | None = None,
    /,
    *,
    plugins: Mapping[str, str] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Parameters of a rule that calls a function: its name, the digest of its code, its settings.

    Parameters
    ----------
    function : str
        Full name, for instance ``noiseless.experiments.nsht.blurring.budget_table``.
    by_wildcards : function of the rule's wildcards, optional
        Returns the settings, where they depend on the wildcards.
    plugins : mapping of str to str, optional
        Digests of the plugin files by their paths
        (:func:`noiseless.plugins.plugin_digests`).
    **settings
        Keyword arguments of the function besides the tables.

    Returns
    -------
    dict
        ``function``, ``code`` and ``settings``, for ``params:``; and ``plugins``, where there are
        any and the function asks a registry, so that an edited plugin runs it again.

    Raises
    ------
    ModuleNotFoundError, AttributeError
        If there is no such module, or no such function in it.
    TypeError
        If settings are given both ways, or in a mapping that is not spread.
    """
    if by_wildcards is not None and settings:
        raise TypeError(f"{function}: settings are given by name and by wildcards")
    if by_wildcards is not None and not callable(by_wildcards):
        raise TypeError(f"{function}: settings by wildcards are no function; write **settings")
    module, _, name = function.rpartition(".")
    if name.encode() not in _functions(module):
        raise AttributeError(f"no function {name!r} in {module}", name=name)
    params = {
        "function": function,
        "code": source_digest(module),
        "settings": by_wildcards or settings,
    }
    if plugins and "noiseless.plugins" in _closure(module):
        params["plugins"] = dict(plugins)
    return params


def source_digest(module: str) -> str:
    """Digest of a module's source and of all modules of this package that it imports.

    Parameters
    ----------
    module : str
        Full name, for instance ``noiseless.experiments.nsht.blurring``.

    Returns
    -------
    str
        16 hexadecimal digits.

    Raises
    ------
    ModuleNotFoundError
        If there is no such module in this package.
    """
    hasher = hashlib.sha256()
    for name in sorted(_closure(module)):
        hasher.update(name.encode() + b"\0" + _source(name) + b"\0")
    return hasher.hexdigest()[:16]


@cache
def _source(module: str) -> bytes:
    path = _find(module)
    if path is None:
        raise ModuleNotFoundError(f"no module {module!r} in the package", name=module)
    return path.read_bytes()


@cache
def _functions(module: str) -> frozenset[bytes]:
    """Names of the functions that a module defines."""
    return frozenset(_FUNCTION.findall(_source(module)))


@cache
def _closure(module: str) -> frozenset[str]:
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(_imports(name))
    return frozenset(found)


@cache
def _imports(module: str) -> frozenset[str]:
    """Modules of this package that ``module`` imports itself."""
    names = set()
    for statement in _IMPORT.finditer(_source(module)):
        part = {key: (text or b"").decode() for key, text in statement.groupdict().items()}
        listed = re.sub("#.*", "", part["several"] or part["names"])
        imported = [each.split()[0] for each in listed.split(",") if each.strip()]
        names.update(f"{part['module']}.{each}" if part["module"] else each for each in imported)
        names.add(part["module"])
    for packages in _LOADED_BY_NAME.findall(_source(module)):
        for package in ast.literal_eval(packages.decode()):
            names.update(_modules_in(package))
    return frozenset(name for name in names if name.split(".")[0] == "noiseless" and _find(name))


def _modules_in(package: str) -> set[str]:
    """All modules of a package, which a registry imports when they are asked for."""
    folder = _ROOT.joinpath(*package.split("."))
    return {f"{package}.{path.stem}" for path in folder.glob("*.py") if path.stem != "__init__"}


@cache
def _find(module: str) -> Path | None:
    path = _ROOT.joinpath(*module.split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((each for each in candidates if each.is_file()), None)


def find_function(name: str) -> Callable[..., Any]:
    """The function of a dotted name, as rules give it.

    Raises
    ------
    ImportError, AttributeError
        If there is none.
    """
    module, function = name.rsplit(".", 1)
    return getattr(importlib.import_module(module), function)
