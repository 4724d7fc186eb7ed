"""The coarsest settings at which the statements of a paper are judged."""

import json
import math
from pathlib import Path

from changed_settings.variants import Variant
from noiseless.pipeline.configuration import SCHEMA, load_config, merge_changes
from noiseless.settings import find_key_schema, load_schema, resolve_type
from noiseless.tables import flatten

SMOKE = Path(__file__).resolve().parents[2] / "config/smoke.yaml"
ANY = (-math.inf, math.inf)


def find_coarsest(value, schema, limit):
    """The coarsest value of a setting that is judged: fewest cases, largest tolerance.

    A list has its first entries; its numbers are as small as the schema allows.
    """
    kind, of_key = schema
    if isinstance(value, list):
        fewest = max(of_key.get("minItems", 1), 1)
        inner = resolve_type(of_key.get("items", {}), load_schema(SCHEMA))
        made = [find_coarsest(each, (kind, inner), limit) for each in value[:fewest]]
        return made if len({json.dumps(each) for each in made}) == len(made) else value[:fewest]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if kind == "tolerance":
        return min(of_key["maximum"], limit[1])
    if "minimum" in of_key:
        return max(of_key["minimum"], limit[0])
    return value


def find_coarsest_settings(paper):
    """Configuration in which each size and precision of a paper has its coarsest judged value."""
    schema, config, made = load_schema(SCHEMA), dict(flatten(load_config(SMOKE))), {}
    limits = paper.limits
    of_paper = {key for key in {*paper.sizes, *limits} if key.startswith(f"{paper.name}.")}
    for key in sorted(of_paper):
        found = find_key_schema(key, schema)
        coarsest = find_coarsest(config[key], found, limits.get(key, ANY))
        made = merge_changes(made, Variant(key, coarsest, False).overlay)
    return made
