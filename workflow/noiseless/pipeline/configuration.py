"""The configuration of a run: read strictly, laid over that of the clone, and checked.

1. ``config/config.yaml`` has every key with its value and its meaning; a file of the user's, and
   ``config/smoke.yaml``, hold only keys that differ.
2. :func:`load_config` reads the files strictly (a key that is given twice, an alias and a day that
   does not exist are errors), lays them over each other as Snakemake does, and holds the result
   against ``workflow/schemas/config.schema.yaml``, which has the types and limits.

The rules do this with the files of a run before Snakemake's own ``validate`` looks at what it made
of them, because that takes 2.0 for 2, and prints the complete schema.
``python -m noiseless.pipeline.configuration FILE ...`` does it before Snakemake reads the files.
"""

import math
import sys
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from noiseless.errors import ConfigError
from noiseless.settings import load_schema, load_yaml, validate

_WORKFLOW = Path(__file__).resolve().parents[2]
SCHEMA = _WORKFLOW / "schemas/config.schema.yaml"
CONFIG = _WORKFLOW.parent / "config/config.yaml"


def load_config(*paths: str | Path) -> dict[str, Any]:
    """Return the configuration of the clone, changed by files in their order, and checked.

    Raises
    ------
    ConfigError
        If a file cannot be read, or what they say together is not right.
    """
    config = check(read_file(CONFIG), source=str(CONFIG))
    for path in paths:
        config = check(complete(config, read_file(path)), source=str(path))
    return config


def read_file(path: str | Path) -> dict[str, Any]:
    """Return the contents of a configuration file, which has keys, none of them twice.

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


def complete(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration with some keys changed, as Snakemake merges files.

    Mappings are merged key by key; anything else, lists too, is replaced.
    """
    both = dict(base)
    for key, value in changes.items():
        old = both.get(key)
        nested = isinstance(old, Mapping) and isinstance(value, Mapping)
        both[key] = complete(old, value) if nested else value
    return both


def check(config: Mapping[str, Any], *, source: str) -> dict[str, Any]:
    """Return the configuration in plain values, if all keys are known and all values right.

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
    plain: dict[str, Any] = to_plain(config, source=source)
    validate(plain, load_schema(SCHEMA), source=source)
    return plain


def to_plain(value: Any, *, source: str = "the configuration", path: str = "") -> Any:
    """Return a value without the types that YAML adds to those of JSON.

    Raises
    ------
    ConfigError
        If a number is not finite.
    """
    if isinstance(value, Mapping):
        return {
            str(key): to_plain(inner, source=source, path=f"{path}.{key}".removeprefix("."))
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [
            to_plain(inner, source=source, path=f"{path}.{position}")
            for position, inner in enumerate(value)
        ]
    if isinstance(value, datetime):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f"{source}: `{path}` is {value}, but it must be a finite number.")
    return value


if __name__ == "__main__":
    try:
        load_config(*sys.argv[1:])
    except ConfigError as error:
        sys.exit(f"error: {error}")
