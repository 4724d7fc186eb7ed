"""How the results page says in words what the ledger keeps in a few characters.

Papers have short titles and an order for a reader.  A claim's check is written for a machine
(``sum at most 0``); :func:`test_in_words` says it as a sentence that names the statistic.
:func:`gist` is half a line of a longer text, for a list.
"""

import math
from collections.abc import Sequence
from typing import Final

from noiseless.ledger.claims import Bounds, Cell, Check, Entries, Order

PAPERS: Final = {
    "noiseless": "Noiseless Privacy",
    "nsht": "Non-Stochastic Hypothesis Testing for Privacy",
    "deterministic": "Development and Analysis of Deterministic Privacy-Preserving Policies",
    "prrelation": "Investigating Statistical Privacy Frameworks",
    "knowledge": "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting",
    "beyond": "Beyond the papers",
}
"""The papers in the order for a reader, by short titles; ``beyond`` is what they leave open."""

_REDUCED = {
    "value": "{} is",
    "all": "{} is, in every row,",
    "max": "the largest {} is",
    "min": "the smallest {} is",
    "sum": "all rows of {} add up to",
    "mean": "the mean of {} is",
    "count": "the number of rows of {} is",
}
_DIRECTIONS = {
    "nondecreasing": "never falls",
    "nonincreasing": "never rises",
    "increasing": "rises",
    "decreasing": "falls",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SHOWN = 3  # places that a figure's text names


def test_in_words(check: Check) -> str:
    """What must hold of a table for a claim to pass, as a sentence.

    Parameters
    ----------
    check : Check
        The claim's check.

    Raises
    ------
    ValueError
        If its relation is of a kind that has no words here.
    """
    name = _statistic(check)
    match check.relation:
        case Order(direction=direction, along=along, least=least):
            by = f" by more than {_printed(least)}" if least else ""
            return _sentence(f"{name} {_DIRECTIONS[direction]}{by} as {_words(along)} grows")
        case Entries(column=column, expected=expected):
            if column == "statistic":
                values = expected.items()
                return _sentence("; ".join(f"“{_words(k)}” is {_printed(v)}" for k, v in values))
            entries = "; ".join(
                f"{_printed(value)} at {_words(key) if isinstance(key, str) else _at(column, key)}"
                for key, value in expected.items()
            )
            return _sentence(f"{name} is {entries}")
        case Bounds(low=low, high=high):
            return _sentence(f"{_REDUCED[check.reduce].format(name)} {_bounds(low, high)}")
    raise ValueError(f"no words for the relation {check.relation!r}")


def _statistic(check: Check) -> str:
    """Names of the statistics that a check looks at."""
    names = dict(check.where).get("statistic", ())
    return " and ".join(f"“{_words(name)}”" for name in names) or "the value"


def _bounds(low: float, high: float) -> str:
    """Two bounds, in words."""
    if low == high:
        return _printed(low)
    if low == -math.inf:
        return f"at most {_printed(high)}"
    if high == math.inf:
        return f"at least {_printed(low)}"
    return f"between {_printed(low)} and {_printed(high)}"


def _at(column: str, key: Cell) -> str:
    """A column and its key, in words."""
    return f"{_words(column)} {_printed(key) if isinstance(key, float) else key}"


def _words(name: Cell) -> str:
    """A name with spaces for underscores."""
    return str(name).replace("_", " ")


def _printed(number: float) -> str:
    """A number, in words."""
    if isinstance(number, float) and math.isinf(number):
        return "infinite" if number > 0 else "minus infinite"
    return str(int(number)) if float(number).is_integer() else repr(number)


def _sentence(text: str) -> str:
    """A text with a capital and a stop."""
    return f"{text[0].upper()}{text[1:]}."


def gist(text: str, longest: int = 90) -> str:
    """The beginning of a text: its first sentence, or as many words as fit into half a line."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    end = text.find(". ", 0, longest)
    if end >= longest // 3:
        return text[: end + 1]
    return text[:longest].rsplit(" ", 1)[0].rstrip(",;:(") + " …"


def locators(places: Sequence[str]) -> str:
    """Where the paper has what a figure shows: a few places, and how many more there are."""
    if len(places) <= _SHOWN + 1:
        return ", ".join(places)
    return f"{', '.join(places[:_SHOWN])} and {len(places) - _SHOWN} more places"


def number_in_words(number: int) -> str:
    """A small number in words."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
