"""The configuration: one model of every key, with its meaning, its limits and its default.

1. ``papers/<paper>/settings.py`` names the keys of a section (``KEYS``), made by the functions of
   :mod:`noiseless.settings`.  A new key is written there, and nowhere else; a new folder is a new
   section, and its rules are ``workflow/rules/<paper>.smk``.
2. :func:`defaults` is ``config/config.yaml``, and :func:`described` the table in
   ``config/README.md``; ``make docs`` writes both.
3. :func:`checked` is what the workflow does with the configuration of a run, and
   ``python -m noiseless.pipeline.configuration FILE ...`` does it before Snakemake reads the files.

A file of the user's, and ``config/smoke.yaml``, hold only keys that differ.
"""

import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from noiseless import papers  # whose modules are loaded by name
from noiseless.data import settings as data
from noiseless.errors import ConfigError
from noiseless.settings import Schema, flag, load_yaml, many, number, section, validate, whole

SEED = whole(
    "Seed of every random stream. Each table cell has a stream of its own, keyed by this "
    "and by its coordinates.",
    2019,
    at_least=0,
)

PLUGINS = many(
    "Python files with mechanisms or adversaries of yours, or classes of installed packages "
    "as `package.module:Class`, which then take part in every comparison (docs/plugins.md).",
    {"type": "string", "pattern": r"\.py$|^[^\W\d][\w.]*:[^\W\d]\w*$"},
    [],
    different=True,
    minItems=0,
)

ROBUSTNESS = section(
    "How the target `robustness` varies the runs behind the verdicts. Every experiment "
    "behind a claim runs once for each other seed, and each on homes once for each half "
    "of them.",
    seeds=whole("Number of other seeds.", 10, at_least=0),
    halves=whole("Number of random halves of the homes.", 5, at_least=0),
    in_ledger=flag(
        "Whether the ledger waits for it, and calls a claim inconclusive whose verdict changes.",
        False,
    ),
)

DOWNLOAD = section(
    "How patient the downloads are.",
    attempts=whole("Tries in a row that may bring no new byte, for each mirror.", 6, at_least=1),
    backoff_s=number(
        "Wait before the second try, in seconds; it doubles from try to try.", 1.0, at_least=0
    ),
    timeout_s=number(
        "Time in which each 64 KiB of an answer have to come, in seconds.",
        60.0,
        above=0,
        at_most=86_400,
    ),
    max_bytes=whole(
        "Largest file that is accepted where the registry gives no size, in bytes.",
        10000000000,
        at_least=1,
    ),
)


def sections_of_papers() -> dict[str, Schema]:
    """Sections of the papers by name: each folder of a paper has its own."""
    names = sorted(path.parent.name for path in Path(papers.__path__[0]).glob("*/settings.py"))
    return {name: import_module(f"{papers.__name__}.{name}.settings").KEYS for name in names}


SCHEMA: Final[Schema] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **section(
        "The configuration of an experiment.",
        seed=SEED,
        plugins=PLUGINS,
        data=data.KEYS,
        robustness=ROBUSTNESS,
        download=DOWNLOAD,
        **sections_of_papers(),
    ),
}


def defaults(schema: Schema = SCHEMA) -> Any:
    """The default of every key, at the paper's scale."""
    if "properties" in schema:
        return {name: defaults(key) for name, key in schema["properties"].items()}
    return schema["default"]


def described(schema: Schema = SCHEMA, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Full name and meaning of every key, depth first."""
    for name, key in schema["properties"].items():
        yield f"{prefix}{name}", key["description"]
        if "properties" in key:
            yield from described(key, f"{prefix}{name}.")


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration with some keys changed, as Snakemake merges its files; lists are replaced."""
    both = dict(base)
    for key, value in changes.items():
        old = both.get(key)
        nested = isinstance(old, Mapping) and isinstance(value, Mapping)
        both[key] = merged(old, value) if nested else value
    return both


def load_config(*paths: str | Path) -> dict[str, Any]:
    """The defaults, changed by files in their order, and checked.

    Raises
    ------
    ConfigError
        If a file cannot be read, or what they say together is not right.
    """
    config: dict[str, Any] = defaults()
    for path in paths:
        config = merged(config, checked_file(path))
    return checked(config, source=", ".join(map(str, paths)) or "the defaults")


def checked_file(path: str | Path) -> dict[str, Any]:
    """Contents of a configuration file, which has keys, none of them twice.

    Raises
    ------
    ConfigError
        If it has not, or cannot be read.
    """
    contents = load_yaml(path)
    if contents is None:
        return {}
    if not isinstance(contents, Mapping):
        raise ConfigError(f"{path}: no keys, but {contents!r}. Write `key: value`.")
    return dict(contents)


def checked(config: Mapping[str, Any], *, source: str) -> dict[str, Any]:
    """The configuration in plain values, if all keys are known and all values right.

    Days that YAML reads as dates are texts again.

    Parameters
    ----------
    config : mapping
    source : str
        What the error message calls the place that it came from.

    Raises
    ------
    ConfigError
        Names the key, what was found and what was expected.
    """
    plain = _plain(config, source=source)
    validate(plain, SCHEMA, source=source)
    return plain


def _plain(value: Any, *, source: str, path: str = "") -> Any:
    """A value without the types that YAML adds to those of JSON."""
    if isinstance(value, Mapping):
        return {
            str(key): _plain(inner, source=source, path=f"{path}.{key}".removeprefix("."))
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [
            _plain(inner, source=source, path=f"{path}.{position}")
            for position, inner in enumerate(value)
        ]
    if isinstance(value, datetime):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f"{source}: `{path}` is {value}, but it must be a finite number.")
    return value


def check_files(paths: Iterable[str | Path]) -> None:
    """Refuse configuration files that cannot be read, or name a key twice.

    Snakemake itself takes the last value of a key in silence.

    Raises
    ------
    ConfigError
        Names the file, and the line where there is one.
    """
    for path in paths:
        checked_file(path)


if __name__ == "__main__":
    try:
        load_config(*sys.argv[1:])
    except ConfigError as error:
        sys.exit(f"error: {error}")
