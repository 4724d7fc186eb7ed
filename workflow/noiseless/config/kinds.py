"""Kinds of keys: each function makes the JSON schema of a key, with its meaning and its default.

The meaning says what the value is, with its unit; the default is the paper's.  A key without one
must be given wherever its section is; with :data:`OPTIONAL` in its place it need not.
"""

from typing import Any, Final

Schema = dict[str, Any]

REQUIRED: Final = object()
OPTIONAL: Final = object()
_LIMITS: Final = {
    "at_least": "minimum",
    "at_most": "maximum",
    "above": "exclusiveMinimum",
    "below": "exclusiveMaximum",
}


def section(meaning: str, /, **keys: Schema) -> Schema:
    """Keys that belong together, and no others; the schema of each by its name."""
    return {
        "description": meaning,
        "type": "object",
        "properties": keys,
        "additionalProperties": False,
        "required": [name for name, key in keys.items() if not key.get("x-optional")],
    }


def key(meaning: str, default: Any, **schema: Any) -> Schema:
    """A key of another kind, by its JSON schema."""
    made = {"description": meaning, **schema}
    if default is OPTIONAL:
        return {**made, "x-optional": True}
    return made if default is REQUIRED else {**made, "default": default}


def limited(kind: str, **limits: float) -> Schema:
    """A number between limits: ``at_least``, ``at_most``, ``above``, ``below``."""
    return {"type": kind, **{_LIMITS[name]: limit for name, limit in limits.items()}}


_BITS: Final = limited("number", above=0, at_most=50)


def whole(meaning: str, default: Any = REQUIRED, **limits: int) -> Schema:
    """A whole number."""
    return key(meaning, default, **limited("integer", **limits))


def number(meaning: str, default: Any = REQUIRED, **limits: float) -> Schema:
    """A number."""
    return key(meaning, default, **limited("number", **limits))


def flag(meaning: str, default: Any = REQUIRED) -> Schema:
    """True or false."""
    return key(meaning, default, type="boolean")


def text(meaning: str, default: Any = REQUIRED, **schema: Any) -> Schema:
    """A text."""
    return key(meaning, default, type="string", **schema)


def text_or_none(meaning: str, default: Any = REQUIRED) -> Schema:
    """A text, or null."""
    return key(meaning, default, type=["string", "null"])


def path(meaning: str, default: Any = REQUIRED, *, or_none: bool = True) -> Schema:
    """Where a file is, or null."""
    return key(
        meaning,
        default,
        type=["string", "null"] if or_none else "string",
        format="path",
    )


def choice(meaning: str, options: list[str], default: Any = REQUIRED) -> Schema:
    """One of several texts."""
    return key(meaning, default, enum=options)


def many(
    meaning: str, item: Schema, default: Any = REQUIRED, *, different: bool = False, **sizes: Any
) -> Schema:
    """A list of items of one kind; ``minItems`` is 1 unless it is given."""
    schema = {"minItems": 1, **sizes} | ({"uniqueItems": True} if different else {})
    return key(meaning, default, type="array", items=item, **schema)


def pair(meaning: str, item: Schema, default: Any = REQUIRED) -> Schema:
    """A list of two."""
    return many(meaning, item, default, minItems=2, maxItems=2)


def interval(meaning: str, default: Any = REQUIRED) -> Schema:
    """The ends of an interval."""
    return pair(meaning, limited("number"), default)


def positive(meaning: str, default: Any = REQUIRED) -> Schema:
    """Different positive numbers."""
    return many(meaning, limited("number", above=0), default, different=True)


def budgets_bits(meaning: str, default: Any = REQUIRED) -> Schema:
    """Different privacy budgets, in bits; with more, floats, of 53 bits, would merge reports."""
    return many(meaning, _BITS, default, different=True)


def budget_bits(meaning: str, default: Any = REQUIRED) -> Schema:
    """A privacy budget, in bits."""
    return key(meaning, default, **_BITS)


def counts(meaning: str, default: Any = REQUIRED, *, at_least: int = 1, **sizes: Any) -> Schema:
    """Different whole numbers."""
    return many(meaning, limited("integer", at_least=at_least), default, different=True, **sizes)


def group_sizes(meaning: str, default: Any = REQUIRED) -> Schema:
    """Different whole numbers from 2."""
    return counts(meaning, default, at_least=2)


def larger_counts(meaning: str, default: Any = REQUIRED) -> Schema:
    """Different whole numbers from 2, or none."""
    return counts(meaning, default, at_least=2, minItems=0)


def probability(meaning: str, default: Any = REQUIRED) -> Schema:
    """A number between 0 and 1, neither of them."""
    return number(meaning, default, above=0, below=1)


def probabilities(meaning: str, default: Any = REQUIRED) -> Schema:
    """Different numbers between 0 and 1, neither of them."""
    return many(meaning, limited("number", above=0, below=1), default, different=True)


def pairs_of_counts(meaning: str, default: Any = REQUIRED) -> Schema:
    """Pairs of whole numbers from 1."""
    item = {"type": "array", "minItems": 2, "maxItems": 2, "items": limited("integer", at_least=1)}
    return many(meaning, item, default)


def lists_of_counts(meaning: str, default: Any = REQUIRED) -> Schema:
    """Different lists of whole numbers from 1."""
    item = {"type": "array", "minItems": 1, "items": limited("integer", at_least=1)}
    return many(meaning, item, default, different=True)


def day(meaning: str, default: Any = REQUIRED) -> Schema:
    """A day, as YYYY-MM-DD."""
    return text(meaning, default, format="date")


def grid(meaning: str, lowest: Any, highest: Any, points: Any) -> Schema:
    """Points at equal distances on a logarithmic axis."""
    equal = "points have equal distances on a logarithmic axis."
    return section(
        meaning,
        lowest=number(f"First point of the grid, whose {equal}", lowest, above=0),
        highest=number("Last point of the grid.", highest, above=0),
        points=whole("Number of points.", points, at_least=2),
    )


def optional(schema: Schema) -> Schema:
    """A section that may be absent, with all of its keys."""
    return {**schema, "x-optional": True}
