"""Configuration of a run: read strictly, laid over that of the clone, and checked.

1. ``config/config.yaml`` has every key with its value and its meaning; a file of the user's, and
   ``config/smoke.yaml``, hold only keys that differ.
2. :func:`load_config` reads the files strictly (a key that is given twice, an alias and a day that
   does not exist are errors), lays them over each other as Snakemake does, and checks the result
   against ``workflow/schemas/config.schema.yaml``, which has the types and limits.

The rules check the files of a run in this way before Snakemake's own ``validate`` does, because
``validate`` accepts 2.0 for 2, and prints the complete schema with an error.
``python -m noiseless.pipeline.configuration FILE ...`` checks files before Snakemake reads them.
"""

import math
import sys
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from noiseless.errors import ConfigError
from noiseless.settings import CONFIG_SCHEMA, load_schema, load_yaml, validate

_WORKFLOW = Path(__file__).resolve().parents[2]
SCHEMA = CONFIG_SCHEMA
CONFIG = _WORKFLOW.parent / "config/config.yaml"
# Sets that are read from the dataset of their name.
_PUBLIC_SETS = {"homes": ("ausgrid", "london"), "recordings": ("redd",)}


def load_config(*paths: str | Path) -> dict[str, Any]:
    """Load the clone's configuration, lay the given files over it in their order, and check it."""
    config = check_config(read_file(CONFIG), source=str(CONFIG))
    for path in paths:
        config = check_config(merge_changes(config, read_file(path)), source=str(path))
    return config


def read_file(path: str | Path) -> dict[str, Any]:
    """Read a configuration file strictly, as a dict of its keys; an empty file gives none."""
    contents = load_yaml(path)
    if contents is None:
        return {}
    if not isinstance(contents, Mapping):
        raise ConfigError(f"{path}: no keys, but {contents!r}. Write lines of `key: value`.")
    return dict(contents)


def merge_changes(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration with some keys changed, as Snakemake merges files.

    Mappings are merged key by key; anything else, lists too, is replaced.
    """
    both = dict(base)
    for key, value in changes.items():
        old = both.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            both[key] = merge_changes(old, value)
        else:
            both[key] = value
    return both


def check_config(config: Mapping[str, Any], *, source: str) -> dict[str, Any]:
    """Check a configuration against its schema; return it with the plain types of JSON.

    Days that YAML reads as dates are texts again.
    """
    plain: dict[str, Any] = convert_to_plain(config, source=source)
    validate(plain, load_schema(SCHEMA), source=source)
    _check_set_names(plain, source=source)
    return plain


def _check_set_names(config: Mapping[str, Any], *, source: str) -> None:
    """Refuse a set that is named like another source of data, whose files it would share."""
    owners = {name: f"data.{name}" for name in config.get("data", {})}
    for section, public in _PUBLIC_SETS.items():
        for name in config.get(section, {}):
            owner = owners.get(name)
            if owner is not None and name not in public:
                raise ConfigError(
                    f"{source}: {section}.{name} has the name of {owner}, whose files it would "
                    "share. Give the set another name."
                )
            owners[name] = f"{section}.{name}"


def convert_to_plain(value: Any, *, source: str = "the configuration", path: str = "") -> Any:
    """Convert a YAML value to the types of JSON: dates to text, tuples to lists.

    A number that is not finite is refused, with ``path``, its dotted keys.
    """
    if isinstance(value, Mapping):
        return {
            str(key): convert_to_plain(inner, source=source, path=f"{path}.{key}".removeprefix("."))
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [
            convert_to_plain(inner, source=source, path=f"{path}.{position}")
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
