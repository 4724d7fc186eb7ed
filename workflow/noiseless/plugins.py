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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module, invalidate_caches
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from symtable import symtable
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from noiseless.errors import ConfigError
from noiseless.files import is_file

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
    """Compute the SHA-256 of each plugin's source and of its imports from its folder or package."""
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
    if not is_file(path):
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


def _parse_imports(source: Path) -> dict[str, set[str]]:
    """Parse the top-level modules that a file imports, each with the names asked of it.

    Invalid Python gives none: the import raises the error later.
    """
    try:
        nodes = list(ast.walk(ast.parse(source.read_bytes())))
    except (SyntaxError, ValueError):
        return {}
    asked: dict[str, set[str]] = {}
    called = {}  # a module's name by what the file calls it
    for node in nodes:
        if isinstance(node, ast.Import):
            for each in node.names:
                asked.setdefault(each.name.partition(".")[0], set())
                called[each.asname or each.name] = each.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = asked.setdefault(node.module.partition(".")[0], set())
            if "." not in node.module:
                names |= {each.name for each in node.names} - {"*"}
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked.get(called.get(node.value.id, ""), set()).add(node.attr)
    return asked


def _list_plugins(plugins: Any) -> list[Any]:
    """List what is given as plugins; raise ConfigError if it is no collection."""
    try:
        if not isinstance(plugins, str | bytes):
            return list(plugins)
    except TypeError:
        pass
    raise ConfigError(f"`plugins` must be a list of files or classes, got {plugins!r:.80}.")


@contextmanager
def use_plugins(plugins: Iterable[str | Path | type]) -> Iterator[None]:
    """Activate the mechanisms and adversaries of some plugins within this context.

    Parameters
    ----------
    plugins : iterable of path, of ``package.module:Class``, or of class
        A file may import modules that lie beside it.  It is a module itself while it is active;
        both are forgotten afterwards.

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
    active, folders, modules = list(_active_plugins), list(sys.path), dict(sys.modules)
    files: list[Path] = []
    try:
        for given in _list_plugins(plugins):
            if isinstance(given, type):
                _active_plugins.append(_classify(given, f"{given.__module__}:{given.__name__}"))
                continue
            plugin = str(given)
            if _IN_PACKAGE.fullmatch(plugin):
                _active_plugins.append(_load_package_class(plugin))
                continue
            files.append(_check_path(plugin).resolve())
            sys.path.append(str(files[-1].parent))
            _active_plugins.extend(_load_file_classes(plugin, modules))
        yield
    finally:
        _active_plugins[:], sys.path[:] = active, folders
        # Modules in deeper folders stay, such as this package below the folder of a checkout.
        for name, module in list(sys.modules.items()):
            origin = Path(getattr(module, "__file__", None) or "").resolve()
            places = [file.parent.joinpath(*name.split(".")) for file in files]
            modules_there = [each.with_name(f"{each.name}.py") for each in places]
            beside = [*files, *modules_there, *(each / "__init__.py" for each in places)]
            if modules.get(name) is not module and origin in beside:
                del sys.modules[name]
                if name in modules:
                    sys.modules[name] = modules[name]


def is_active(added: type) -> bool:
    """Return whether a class is one of an active plugin's."""
    return any(each.added is added for each in _active_plugins)


def _load_package_class(plugin: str) -> _PluginClass:
    """Load a class with its kind from an installed package, by ``package.module:Class``."""
    sources = _list_sources(plugin)
    name, _, wanted = plugin.partition(":")
    try:
        with _keep_compiled(name.partition(".")[0], sources):
            added = getattr(import_module(name), wanted)
    except (Exception, SystemExit) as error:  # a user's module may raise anything
        raise ConfigError(
            f"plugins: {plugin} cannot be imported: {_describe_error(error)}. Try: "
            f'python -c "from {name} import {wanted}"'
        ) from error
    return _classify(added, plugin)


def _classify(added: Any, plugin: str) -> _PluginClass:
    """Return a plugin's class with its kind, by what it is derived from."""
    bases = {each.__name__ for each in getattr(added, "__mro__", ())}
    for kind, base in PLUGIN_BASES.items():
        if base in bases:
            return _PluginClass(kind, added, plugin)
    raise ConfigError(
        f"plugins: {plugin} is {added!r}, but it must be derived from "
        f"{' or '.join(PLUGIN_BASES.values())}."
    )


def _load_file_classes(path: str, before: Mapping[str, ModuleType]) -> list[_PluginClass]:
    """Load the classes that a file assigns to the names of :data:`PLUGIN_BASES`.

    ``before`` are the modules that were imported before any plugin was.
    """
    try:
        module = _load_module(Path(path).resolve(), before)
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(
            f"plugins: {path} cannot be imported: {_describe_error(error)}. Try: python {path}"
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


def _describe_error(error: BaseException) -> str:
    """Describe why a plugin cannot be imported; of an old public name, with the new one."""
    if old := re.match(r"cannot import name '(\w+)' from 'noiseless' ", str(error)):
        # Python's own message drops what the package says of the name.
        try:
            getattr(sys.modules["noiseless"], old[1])
        except AttributeError as advice:
            return str(advice).removesuffix(".")
    return f"{type(error).__name__}: {error}"


def _load_module(path: Path, before: Mapping[str, ModuleType]) -> ModuleType:
    """Load a plugin's file as a module that others can look up, as Python's own import does."""
    name = _choose_module_name(path)
    if name in sys.modules and sys.modules[name] is not before.get(name):
        return sys.modules[name]  # another plugin has imported it
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"plugins: {path} is not a Python file: its name must end in .py.")
    sources = _list_with_helpers(path)
    sys.modules[name] = module = module_from_spec(spec)
    with _keep_compiled(path.stem, sources), _use_hidden_helpers(path, sources):
        spec.loader.exec_module(module)
    # Another process may have no module of this name, so what is sent there is sent with its code.
    for each in ("cloudpickle", "joblib.externals.cloudpickle"):
        if each in sys.modules:
            sys.modules[each].register_pickle_by_value(module)
    return module


def _choose_module_name(path: Path) -> str:
    """Choose the name that another process finds a file by, or one of its own if that is taken."""
    invalidate_caches()
    if _find_origin(path.stem) == path:
        return path.stem
    return f"noiseless_plugin_{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"


def _find_origin(name: str) -> Path | None:
    """Find the file of the module that Python imports by a name; None if there is none."""
    try:
        spec = find_spec(name) if "." not in name else None
    except ValueError:  # a module without a specification, such as __main__
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin).resolve()


@contextmanager
def _use_hidden_helpers(path: Path, sources: Iterable[Path]) -> Iterator[None]:
    """Let a plugin import modules beside it whose names other modules have, such as Python's own.

    A module beside it is meant where a plugin asks for a name that it has and the other one lacks.
    """
    asked: dict[str, set[str]] = {}
    for source in sources:
        for name, names in _parse_imports(source).items():
            asked.setdefault(name, set()).update(names)
    finder = _HelperFinder(path.parent)
    for name, names in asked.items():
        helper = PathFinder.find_spec(name, [str(path.parent)])
        if helper is None or helper.origin in (None, str(path), str(_find_origin(name))):
            continue
        try:
            other = import_module(name)
        except Exception:  # the plugin that imports it raises the error itself
            continue
        if any(not hasattr(other, each) for each in names & _list_names(Path(str(helper.origin)))):
            finder.names.add(name)
    hidden = {name: sys.modules.pop(name) for name in finder.names}
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in finder.names:
            sys.modules.pop(name, None)
        sys.modules.update(hidden)


class _HelperFinder:
    """Finder of the modules of a folder that have certain names."""

    def __init__(self, folder: Path) -> None:
        self.names: set[str] = set()
        self._folder = str(folder)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Find a module in the folder if its name is one of the finder's names."""
        return PathFinder.find_spec(name, [self._folder]) if name in self.names else None


def _list_names(source: Path) -> set[str]:
    """List the names that a file defines at its top level; none for invalid Python."""
    try:
        symbols = symtable(source.read_text(encoding="utf-8"), str(source), "exec").get_symbols()
    except (SyntaxError, ValueError):
        return set()
    return {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}


def _keep_compiled(name: str, sources: Sequence[Path]) -> AbstractContextManager[None]:
    """Keep what numba compiles of these sources by the contents of all of them."""
    if find_spec("numba") is None or not any(b"numba" in path.read_bytes() for path in sources):
        return nullcontext()
    from noiseless.compiled import use_cache_folder

    return use_cache_folder(name, sources, beside=sources[0].parent)


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

    A class that is not derived from ``base``, has no name, or one of those ``taken``, is a
    ConfigError.
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
