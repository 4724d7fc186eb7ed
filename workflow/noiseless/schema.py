"""YAML files that are checked against a JSON schema, with errors a person can act on."""

import difflib
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, FormatChecker, TypeChecker
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend

from noiseless.errors import ConfigError

# What Linux takes; macOS takes no more.
_NAME_BYTES, _PATH_BYTES = 255, 4095
_BARRED = re.compile(r"[{}\x00-\x1f\x7f-\x9f]")
SCHEMAS = Path(__file__).resolve().parent / "schemas"


class _Strict(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML in which a key that is given twice is an error, and so is a day that does not exist."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A dictionary of the node's pairs."""
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                problem = f"key `{key}` is given twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)

    def construct_day(self, node: yaml.ScalarNode) -> Any:
        """A date, or a time of a day."""
        try:
            return self.construct_yaml_timestamp(node)
        except ValueError:
            problem = f"`{node.value}` is no day that exists"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark) from None


_Strict.add_constructor("tag:yaml.org,2002:timestamp", _Strict.construct_day)


def _is_whole(checker: TypeChecker, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_FORMATS = FormatChecker(["date"])
_EXPECTED = {
    "date": "it must be a day that exists, as YYYY-MM-DD",
    "path": "it must be a path without braces, which Snakemake takes for wildcards, without "
    f"control characters, and with names of {_NAME_BYTES} bytes at most: rename it",
}


@_FORMATS.checks("path")
def _is_path(value: Any) -> bool:
    """Whether Snakemake and file systems take a text for a path."""
    if not isinstance(value, str):
        return True
    written = value.encode()
    return (
        0 < len(written) <= _PATH_BYTES
        and max(map(len, written.split(b"/"))) <= _NAME_BYTES
        and not _BARRED.search(value)
    )


# Whole numbers are written without a point: 2.0 would be another setting than 2.
_Validator = extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_whole),
)


def load_yaml(path: str | Path) -> Any:
    """Contents of a YAML file.

    Raises
    ------
    ConfigError
        If the file is missing, cannot be read or is not YAML; the line is named.
    """
    try:
        return yaml.load(Path(path).read_text(encoding="utf-8"), Loader=_Strict)
    except (FileNotFoundError, IsADirectoryError):
        raise ConfigError(f"{path}: no such file.") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}).") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1
        raise ConfigError(f"{path}, line {line}: not valid YAML: {error.problem}.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a YAML text file: {error}".splitlines()[0]) from None


@cache
def load_schema(name: str) -> dict[str, Any]:
    """The schema ``workflow/noiseless/schemas/<name>.schema.yaml``."""
    return load_yaml(SCHEMAS / f"{name}.schema.yaml")


def validate(value: Any, schema: str | Mapping[str, Any], *, source: str) -> None:
    """Check ``value`` against a schema.

    Parameters
    ----------
    value : object
        What was read from YAML.
    schema : str or mapping
        Name of a file in ``workflow/noiseless/schemas``, without its ending; or the schema itself.
    source : str
        What the error message calls the place that ``value`` came from.

    Raises
    ------
    ConfigError
        Names the key, what was found and what was expected; for an unknown key, the known one
        that it resembles.
    """
    # A round trip through JSON: Snakemake's config is made of ordered dictionaries, and a key
    # such as `on` is a boolean to YAML.
    value = json.loads(json.dumps(value, default=str))
    contents = load_schema(schema) if isinstance(schema, str) else schema
    validator = _Validator(contents, format_checker=_FORMATS)
    error = best_match(validator.iter_errors(value))
    if error is not None:
        raise ConfigError(f"{source}: {_explain(error)}{_resembled(error, contents)}")


def _resembled(error: ValidationError, schema: Mapping[str, Any]) -> str:
    """Which known key was meant, where an entry of a name that is free has none of its keys.

    A misspelt dataset is a new one, of which keys are missing.
    """
    if error.validator != "required" or not error.absolute_path:
        return ""
    *outer, name = map(str, error.absolute_path)
    for key in outer:
        schema = schema.get("properties", {}).get(key, {})
    known = schema.get("properties", {})
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6) if name not in known else []
    return f" Or did you mean `{'.'.join([*outer, close[0]])}`?" if close else ""


def _explain(error: ValidationError) -> str:
    """One sentence for a schema violation: where, what, and what would be right."""
    where = ".".join(str(part) for part in error.absolute_path)
    at = f"`{where}`" if where else "the top level"
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = sorted(error.schema.get("properties", {}))
        unknown = sorted(set(error.instance) - set(known))
        close = difflib.get_close_matches(unknown[0], known, n=1, cutoff=0.5)
        hint = f" Did you mean `{close[0]}`?" if close else ""
        return (
            f"unknown key `{'.'.join(filter(None, (where, unknown[0])))}`.{hint} "
            f"Known keys at {at}: {', '.join(known)}."
        )
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"key `{'.'.join(filter(None, (where, missing[0])))}` is missing."
    found = json.dumps(error.instance)
    found = found if len(found) <= 80 else found[:77] + "..."
    meaning = error.schema.get("description")
    return f"{at} is {found}, but {_expected(error)}." + (f" ({meaning})" if meaning else "")


def _expected(error: ValidationError) -> str:
    limit = error.validator_value
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
            return _EXPECTED[limit]
        case "pattern":
            return f"it must match {limit}"
        case _:
            return error.message
