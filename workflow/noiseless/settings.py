"""Strict reading of YAML files, and their check against a JSON schema.

1. :func:`load_yaml` reads a file; a key that is given twice is an error.
2. :func:`validate` checks a value against a schema; :func:`explain` formats a violation as one
   sentence.
3. :func:`find_key_schema` finds the rules of a key, :func:`is_precision` whether it is a precision
   of what is judged.
4. :func:`build_log_grid` makes the points of a grid that a file describes.
"""

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, FormatChecker, TypeChecker
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend

from noiseless.errors import ConfigError

try:
    from yaml import CSafeLoader as _SafeLoader
except ImportError:  # PyYAML was built without the library in C
    from yaml import SafeLoader as _SafeLoader

Schema = dict[str, Any]
# Of the configuration, by the place of the package in a clone.
CONFIG_SCHEMA = Path(__file__).resolve().parents[1] / "schemas/config.schema.yaml"
# Its types of keys that are a precision of what is judged.
PRECISIONS = frozenset({"tolerance", "node_limit", "points", "runs"})


def build_log_grid(lowest: float, highest: float, points: int) -> list[float]:
    """Return ``points`` numbers at equal distances on a logarithmic axis, both ends included."""
    import numpy as np  # here, as the reader of the rules runs without NumPy

    return np.geomspace(lowest, highest, points).tolist()


_EXPONENTIAL = re.compile(r"(?=[-+]?\.?\d)([-+]?)(\d*)\.?(\d*)[eE]([-+]?)(\d{1,2})", re.ASCII)
_QUOTED = re.compile(r"([-+]?\d+)([.,]\d+)?", re.ASCII)
_MAX_DEPTH = 50
_MAX_VALUES = 100_000  # values of a file; the project's largest file has a tenth of that


class _StrictLoader(_SafeLoader):
    """YAML loader that rejects every text whose value could be mistaken for another one.

    Errors are a key that is given twice, or that is a list; a day that does not exist; a number
    that YAML 1.1, which is read here, and YAML 1.2 take differently; aliases that unfold to a value
    that holds itself, or to more values than anybody writes.
    """

    def get_single_data(self) -> Any:
        """Construct the value of the file's only document; None for an empty file."""
        node = self.get_single_node()
        if node is None:
            return None
        if _count_unfolded(node, {}) > _MAX_VALUES:
            problem = f"its aliases (*name) unfold to more than {_MAX_VALUES:,} values: write less"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
        return self.construct_document(node)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Construct the value of a node; raise MarkedYAMLError if it is invalid."""
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError, TypeError):
            kind = node.tag.rpartition(":")[2]
            problem = f"`{node.value!s:.40}` is not a {_KINDS.get(kind, kind)}"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark) from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Construct a dictionary; raise MarkedYAMLError for a repeated or invalid key."""
        seen = set()
        for key_node, _ in node.value:
            problem = ""
            if not isinstance(key_node, yaml.ScalarNode):
                problem = "a key is a list or has keys itself, but it must be one word or number"
            elif key_node.tag.endswith(":merge"):
                problem = "the key `<<` is not merged here: write the keys out"
            if problem:
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key_node.start_mark)
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                problem = f"key `{key}` is given twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)

    def construct_number(self, node: yaml.ScalarNode) -> int | float:
        """Construct a number that YAML 1.1 and YAML 1.2 read as one value."""
        whole = node.tag.endswith(":int")
        number = self.construct_yaml_int(node) if whole else self.construct_yaml_float(node)
        digits = node.value.lstrip("+-").replace("_", "")
        is_octal = whole and digits.isdecimal() and int(digits) != abs(number)
        if is_octal or ":" in digits:
            other = "another number" if is_octal else "a text"
            problem = (
                f"`{node.value}` is {number} to YAML 1.1, and {other} to YAML 1.2: write a number "
                "without 0 in front and without colons, or a text in quotation marks"
            )
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
        return number


_KINDS = {"int": "whole number", "float": "number", "timestamp": "day that exists", "bool": "flag"}
for _kind in ("int", "float"):
    _StrictLoader.add_constructor(f"tag:yaml.org,2002:{_kind}", _StrictLoader.construct_number)


def _check_depth(text: str) -> None:
    """Check that lists and keys are not nested so deeply that the parser may crash."""
    depth = 0
    for event in yaml.parse(text, Loader=_StrictLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_DEPTH:
            problem = f"lists or keys are nested more than {_MAX_DEPTH} deep"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)


def _count_unfolded(node: yaml.Node, known: dict[int, int | None]) -> int:
    """Count the values in a node; each alias counts as many values as its anchor.

    ``known`` are counts of nodes by their identity; None for nodes that are still being counted, so
    that a node that holds itself is a MarkedYAMLError.
    """
    if not isinstance(node, yaml.CollectionNode):
        return 1
    if id(node) not in known:
        known[id(node)] = None
        is_list = isinstance(node, yaml.SequenceNode)
        inside = node.value if is_list else [each for pair in node.value for each in pair]
        known[id(node)] = 1 + sum(_count_unfolded(each, known) for each in inside)
    count = known[id(node)]
    if count is None:
        problem = "a value holds itself, by an anchor (&name) and an alias (*name) inside it"
        raise yaml.MarkedYAMLError(
            problem=f"{problem}: write the values out", problem_mark=node.start_mark
        )
    return count


def _is_integer(checker: TypeChecker, value: Any) -> bool:
    """Return whether a value is an integer; booleans are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def _check_order(
    validator: Any, strictly: bool, instance: list[Any], schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    """Refuse a list of two ends in reverse order, or with equal ends: the keyword ``x-ordered``."""
    kinds = {str if isinstance(each, str) else float for each in instance}
    if len(instance) == 2 and len(kinds) == 1:  # else other rules refuse it
        low, high = instance
        if low > high or (strictly and low == high):
            wanted = "below" if strictly else "not after"
            yield ValidationError(f"its first end must be {wanted} its second")


def _check_spread(
    validator: Any, least_ratio: float, instance: list[Any], schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    """Refuse positive numbers that are too near to each other: the keyword ``x-spread``."""
    numbers = [each for each in instance if isinstance(each, int | float) and each > 0]
    if len(numbers) == len(instance) > 0 and max(numbers) < least_ratio * min(numbers):
        yield ValidationError(f"the largest must be at least {least_ratio} times the smallest")


_FORMATS = FormatChecker(["date"])
# Integers are written without a point, as 2.0 and 2 would give different digests.
_Validator = extend(
    Draft202012Validator,
    {"x-ordered": _check_order, "x-spread": _check_spread},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)


def load_yaml(path: str | Path) -> Any:
    """Load the contents of a YAML file; a ConfigError names the line."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        _check_depth(text)
        contents = yaml.load(text, Loader=_StrictLoader)
    except (FileNotFoundError, IsADirectoryError):
        raise ConfigError(f"{path}: no such file.") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}).") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1
        raise ConfigError(f"{path}, line {line}: not valid YAML: {error.problem}.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a YAML text file: {error}".splitlines()[0]) from None
    return contents


@cache
def load_schema(path: str | Path) -> Schema:
    """Load a JSON schema from a YAML file, once per process."""
    return load_yaml(path)


def find_key_schema(key: str, schema: Mapping[str, Any]) -> tuple[str, Schema]:
    """Find the name of a key's type in a JSON schema, and its rules.

    The name of a list's type that has none is its items'.  The key has dots between its parts;
    named types are under ``$defs``.
    """
    below: Mapping[str, Any] = schema
    for name in key.split("."):
        below = resolve_type(below, schema)
        below = below.get("properties", {}).get(name, below.get("additionalProperties") or {})
    named = below.get("$ref", below.get("items", {}).get("$ref", ""))
    return str(named).rpartition("/")[2], resolve_type(below, schema)


def resolve_type(part: Mapping[str, Any], schema: Mapping[str, Any]) -> Schema:
    """Return a part of a schema with the rules of the named type that it refers to."""
    if "$ref" not in part:
        return dict(part)
    named = resolve_type(schema["$defs"][part["$ref"].rpartition("/")[2]], schema)
    rules = {**named, **part}
    if "items" in named and "items" in part:
        rules["items"] = {**resolve_type(named["items"], schema), **part["items"]}
    return rules


def is_precision(key: str) -> bool:
    """Return whether a key of the configuration is a precision of what is judged, by its type.

    It is a tolerance, a number of points, a limit of nodes, or a number of random repetitions.
    """
    return find_key_schema(key, load_schema(CONFIG_SCHEMA))[0] in PRECISIONS


def validate(value: Any, schema: Mapping[str, Any], *, source: str) -> None:
    """Check a value read from YAML against a JSON schema.

    A ConfigError names ``source``, the key, what was found and what was expected; for an unknown
    key, the known one that it resembles.
    """
    # A round trip through JSON: Snakemake's config is made of ordered dictionaries, and a key
    # such as `on` is a boolean to YAML.
    value = json.loads(json.dumps(value, default=str))
    validator = _Validator(schema, format_checker=_FORMATS)
    error = best_match(validator.iter_errors(value))
    if error is not None:
        raise ConfigError(f"{source}: {explain(error)}")


def suggest_name(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> str:
    """Return "Did you mean ...?" with the nearest known name; an empty text if none is near."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f" Did you mean `{close[0]}`?" if close else ""


def explain(error: ValidationError) -> str:
    """Format a schema violation as one sentence: the key, its value, and the allowed values.

    A schema may have its own text of the rule, as ``x-error``; for a mapping with keys that users
    choose, it may list known names, as ``x-names``.
    """
    where = ".".join(str(part) for part in error.absolute_path)
    at = f"`{where}`" if where else "the top level"
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = sorted(error.schema.get("properties", {}))
        unknown = sorted(set(error.instance) - set(known))
        return (
            f"unknown key `{'.'.join(filter(None, (where, unknown[0])))}`."
            f"{suggest_name(unknown[0], known, cutoff=0.5)} "
            f"Known keys at {at}: {', '.join(known)}."
        )
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        named = str(error.absolute_path[-1]) if error.absolute_path else ""
        return (
            f"key `{'.'.join(filter(None, (where, missing[0])))}` is missing."
            f"{suggest_name(named, error.schema.get('x-names', []))}"
        )
    value = json.dumps(error.instance, default=str)
    value = value if len(value) <= 80 else value[:77] + "..."
    meaning = error.schema.get("description")
    return (
        f"{at} is {value}, but {_format_expected(error)}."
        + _suggest_number(error)
        + (f" ({meaning})" if meaning else "")
    )


def _suggest_number(error: ValidationError) -> str:
    """Say how YAML 1.1 writes a number that is a text to it, such as 6e1, 6,5 or one in quotes."""
    wanted = error.schema.get("type", ())
    wanted = {wanted} if isinstance(wanted, str) else {*wanted}
    text = error.instance if isinstance(error.instance, str) else ""
    found = _EXPONENTIAL.fullmatch(text)
    if not wanted & {"number", "integer"} or not (found or _QUOTED.fullmatch(text)):
        return ""
    written = text.replace(",", ".")
    if found:
        minus, whole, rest, sign, power = found.groups()
        written = f"{minus}{whole or 0}.{rest or 0}e{sign or '+'}{power}"
        if "number" not in wanted and float(text).is_integer():
            written = f"{float(text):.0f}"
    return f" `{text}` is a text to YAML 1.1: write {written}."


def _format_expected(error: ValidationError) -> str:
    """Format what a value must be, from a schema violation."""
    limit = error.validator_value
    if "x-error" in error.schema and error.validator != "x-ordered":
        return str(error.schema["x-error"])
    match error.validator:
        case "type" if limit == "integer":
            return "it must be a whole number, written without a point (2, not 2.0)"
        case "type":
            return f"it must be of type {limit if isinstance(limit, str) else ' or '.join(limit)}"
        case "enum":
            return f"it must be one of {', '.join(map(str, limit))}"
        case "minimum":
            return f"it must be at least {limit}"
        case "exclusiveMinimum":
            return f"it must be larger than {limit}"
        case "maximum":
            return f"it must be at most {limit}"
        case "exclusiveMaximum":
            return f"it must be smaller than {limit}"
        case "minItems":
            return f"it must have at least {limit} items"
        case "maxItems":
            return f"it must have at most {limit} items"
        case "uniqueItems":
            return "its items must differ from each other"
        case "format":
            return f"it must be a {limit} that exists"
        case "pattern":
            return f"it must match {limit}"
        case "x-ordered" | "x-spread":
            return error.message
        case _:
            return error.message
