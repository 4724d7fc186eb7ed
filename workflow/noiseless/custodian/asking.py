"""What a first look cannot know: it is asked, in the terminal or by an option for each question.

1. :func:`answered` puts answers in place of the ``?`` of a :class:`~.reading.look.Look`.  An answer
   is text; the schema of the configuration says what it is.
2. :func:`ask` asks them one by one, with the reason, until each answer is possible.
"""

import csv
import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from noiseless.custodian.reading.look import UNKNOWN, Line, Look, look
from noiseless.data.settings import OWN, OWN_KINDS
from noiseless.errors import ConfigError
from noiseless.settings import Schema, validate

NO_ANSWER = ("", "null", "none", "[]")
_GIVEN = "your answer"


def answered(path: Path, answers: Mapping[str, str]) -> Look:
    """A look at a file, with answers.

    Parameters
    ----------
    path : path
        The file.
    answers : mapping of str to str
        By the key of the configuration, such as ``unit`` or ``columns.home``.

    Raises
    ------
    ConfigError
        If there is no such key, or it cannot have that value.
    """
    found = look(path, answers.get("kind"))
    lines = {line.key: line for line in found.lines}
    kind = str(lines["kind"].value)
    for key, text in answers.items():
        name, _, inner = key.partition(".")
        value = _value(key, text, kind)
        before = lines.get(name)
        if inner:
            whole = before.value if before is not None and isinstance(before.value, dict) else {}
            value = {**whole, inner: value}
        lines[name] = (
            replace(before, value=value, why=f"{before.why} ({_GIVEN})")
            if (before is not None)
            else Line(name, value, _GIVEN)
        )
    return Look(found.name, tuple(lines.values()))


def _value(key: str, text: str, kind: str) -> Any:
    schema = _schema(key, kind)
    types = schema.get("type", "string")
    types = [types] if isinstance(types, str) else types
    if "array" in types:
        item = schema["items"]
        value: Any = [_plain(each, item.get("type", "string"), key) for each in _items(text)]
    elif "null" in types and text.strip().lower() in NO_ANSWER:
        value = None
    else:
        value = _plain(text, types[0], key)
    validate(value, schema, source=f"the answer {key}={text}")
    return value


def _schema(key: str, kind: str) -> Schema:
    """The schema of a key of a dataset."""
    known = {**OWN["properties"], **OWN_KINDS.get(kind, {}).get("properties", {})}
    schema: Schema = {"properties": known}
    for part in key.split("."):
        inside = schema.get("properties", {})
        if part not in inside:
            close = difflib.get_close_matches(part, inside, n=1, cutoff=0.5)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise ConfigError(f"there is no key {key!r} to answer.{hint}")
        schema = inside[part]
    return schema


def _items(text: str) -> list[str]:
    """The items of a list; commas between them, or semicolons where an item has a comma."""
    if text.strip().lower() in NO_ANSWER:
        return []
    inside = text.strip().removeprefix("[").removesuffix("]")
    mark = ";" if ";" in inside else ","
    (row,) = csv.reader([inside], delimiter=mark, skipinitialspace=True)
    return [item.strip() for item in row]


def _plain(text: str, kind: str, key: str) -> Any:
    """Text as the schema's type; columns may be called 1 or yes."""
    if kind == "string":
        return text.strip()
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"the answer {key}={text} is not a {kind}.") from None


def ask(
    path: Path, answers: Mapping[str, str], read: Callable[[str], str], say: Callable[[str], None]
) -> Look:
    """Ask in the terminal what is not known, and again what cannot be.

    Parameters
    ----------
    path : path
        The file.
    answers : mapping of str to str
        Those that were given before.
    read : callable
        Asks for a line, such as ``input``.
    say : callable
        Shows a line.

    Returns
    -------
    Look
        Without a question.
    """
    given = dict(answers)
    found = answered(path, given)
    while found.questions:
        key, why = found.questions[0]
        say(f"\n{why}")
        text = read(f"{key} = ")
        try:
            found = answered(path, {**given, key: text})
        except ConfigError as error:
            say(str(error))
            continue
        if text.strip() != UNKNOWN:
            given[key] = text
    return found


def parsed(options: Sequence[str]) -> dict[str, str]:
    """Answers by their keys, of options such as ``unit=kWh``.

    Raises
    ------
    ConfigError
        If one has no ``=``.
    """
    pairs = [option.partition("=") for option in options]
    for key, mark, _ in pairs:
        if not mark:
            raise ConfigError(f"--answer {key}: write the key, = and the answer, such as unit=kWh.")
    return {key.strip(): text for key, _, text in pairs}


def as_options(found: Look) -> str:
    """What is left to answer, with the option for each."""
    return "".join(f"- {why} --answer '{key}=...'\n" for key, why in found.questions)
