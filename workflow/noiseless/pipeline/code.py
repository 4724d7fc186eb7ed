"""What the rules call: functions by name, their settings, and the digest of the code behind them.

Snakemake runs a rule again when its parameters change.  A rule's :func:`call` carries the digest of
its function's module and of all that this imports: a change of code runs again what it touches, and
nothing else.  The imports are those that grimp finds.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import grimp

_PACKAGE = "noiseless"
_ROOT = Path(__file__).resolve().parents[2]


def call(
    function: str, *inputs: str, plugins: Mapping[str, str] | None = None, **settings: Any
) -> dict[str, Any]:
    """A call for the parameters of a rule.

    Parameters
    ----------
    function : str
        Full name, for instance ``noiseless.papers.nsht.blurring.guarantees_table``.
    *inputs : str
        Names of the rule's inputs that the function takes, as keyword arguments of these names.
    plugins : mapping of str to str, optional
        Digests of the plugin files by their paths
        (:func:`noiseless.plugins.plugin_digests`).
    **settings
        The function's other keyword arguments.

    Returns
    -------
    dict
        ``function``, ``inputs``, ``settings`` and ``code``; and ``plugins``, where there are any
        and the function asks a registry, so that an edited plugin runs it again.

    Raises
    ------
    ModuleNotFoundError, AttributeError
        If there is no such module, or no such function in it.
    """
    module, _, name = function.rpartition(".")
    found = {
        "function": function,
        "inputs": list(inputs),
        "settings": settings,
        "code": source_digest(module),
    }
    if f"\ndef {name}(" not in _path(module).read_text(encoding="utf-8"):
        raise AttributeError(f"no function {name!r} in {module}", name=name)
    if plugins and f"{_PACKAGE}.plugins" in behind(module):
        found["plugins"] = dict(plugins)
    return found


def source_digest(module: str) -> str:
    """Digest of a module's source and of all modules of this package that it imports.

    Parameters
    ----------
    module : str
        Full name, for instance ``noiseless.papers.nsht.blurring``.

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
    for name in sorted(behind(module)):
        hasher.update(name.encode() + b"\0" + _path(name).read_bytes() + b"\0")
    return hasher.hexdigest()[:16]


@cache
def _graph() -> grimp.ImportGraph:
    """Which modules of the package import which."""
    return grimp.build_graph(_PACKAGE, cache_dir=None)


def modules() -> frozenset[str]:
    """Names of all modules of this package."""
    return frozenset(_graph().modules)


def forget() -> None:
    """Read the modules again: their sources have changed."""
    for known in (_graph, behind, _path):
        known.cache_clear()


@cache
def behind(module: str) -> frozenset[str]:
    """A module, all that it imports, and all modules of each package that is imported itself.

    A registry imports the package whose modules it loads by name.

    Raises
    ------
    ModuleNotFoundError
        If there is no such module in this package.
    """
    graph = _graph()
    if module not in graph.modules:
        raise ModuleNotFoundError(f"no module {module!r} in the package", name=module)
    found, waiting = set(), {module}
    while waiting:
        name = waiting.pop()
        found.add(name)
        more = set(graph.find_modules_directly_imported_by(name))
        if name != _PACKAGE:
            more |= graph.find_descendants(name)
        waiting |= more - found
    # To import a module runs its packages.
    packages = {name.rpartition(".")[0] for name in found}
    return frozenset(found | packages - {"", _PACKAGE})


@cache
def _path(module: str) -> Path:
    """File of a module."""
    path = _ROOT.joinpath(*module.split("."))
    module_file = path.with_suffix(".py")
    return module_file if module_file.is_file() else path / "__init__.py"
