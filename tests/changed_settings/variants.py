"""Other values of every key of the configuration, as its schema allows them.

Numbers go to both ends that the schema allows, to a third and to thrice; lists to their first
entry, and their last number to its largest; choices to each other one.  Seeds, plugins, places of
data, sizes of samples and downloads are no settings of what is judged.  A *precision* is a key
whose type in the schema says so (:func:`noiseless.settings.is_precision`).
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from noiseless.errors import ConfigError
from noiseless.pipeline.configuration import check_config, merge_changes
from noiseless.settings import find_key_schema, is_precision, resolve_type
from noiseless.tables import flatten

_NO_SETTINGS = ("seed", "plugins", "download.", "robustness.")
_PLACES = ("path", "tier", "files")


@dataclass(frozen=True)
class Variant:
    """One key of the configuration with another value."""

    key: str
    value: Any
    is_precision: bool

    @property
    def overlay(self) -> dict[str, Any]:
        """The key and its value as a configuration file has them."""
        made: Any = self.value
        for name in reversed(self.key.split(".")):
            made = {name: made}
        return made


def list_variants(config: Mapping[str, Any], schema: Mapping[str, Any]) -> list[Variant]:
    """List the variants of a configuration that it may have, in the order of its keys."""
    variants = []
    for key, value in flatten(config):
        name = key.rpartition(".")[2]
        if key.startswith(_NO_SETTINGS) or name in _PLACES or name.startswith("sample_"):
            continue
        _, of_key = find_key_schema(key, schema)
        for other in _list_values(value, of_key, schema):
            variant = Variant(key, other, is_precision(key))
            if _is_valid(merge_changes(config, variant.overlay)):
                variants.append(variant)
    return variants


def list_precisions(config: Mapping[str, Any]) -> list[str]:
    """List the keys that are a precision of what is judged, by their types in the schema."""
    return [key for key, _ in flatten(config) if is_precision(key)]


def _list_values(value: Any, of_key: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Any]:
    """Iterate over the other values that a key may have."""
    seen = [value]
    for other in _list_candidates(value, of_key, schema):
        if other not in seen:
            seen.append(other)
            yield other


def _list_candidates(
    value: Any, of_key: Mapping[str, Any], schema: Mapping[str, Any]
) -> Iterator[Any]:
    """Iterate over values that a key may have, its own among them."""
    if "enum" in of_key:
        yield from of_key["enum"]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, list):
        if value:
            yield value[:1]
        of_item = resolve_type(of_key.get("items", {}), schema)
        if "maximum" in of_item and of_item["maximum"] not in value:
            yield [*value[:-1], of_item["maximum"]]
    elif isinstance(value, int | float):
        yield from (of_key[end] for end in ("minimum", "maximum") if end in of_key)
        if isinstance(value, int):
            yield from (max(1, value // 3), 3 * value)
        else:
            yield from (value / 3, 3 * value)


def _is_valid(config: Mapping[str, Any]) -> bool:
    """Check whether a configuration is one that a run takes."""
    try:
        check_config(config, source="a variant")
    except ConfigError:
        return False
    return all(not isinstance(v, float) or math.isfinite(v) for _, v in flatten(config))
