"""Words of the results page for what the ledger keeps in a few characters.

:data:`PAPERS` has the short titles of papers, in the order for a reader.  A claim's check is
written for a machine (``sum at most 0``); :func:`describe_check` describes it in a sentence that
names the statistic.  :func:`shorten_text` shortens a text to half a line, for a list.
"""

import math
from typing import Final

from noiseless.ledger.claims import Bounds, Cell, Check, Decided, ExpectedEntries, Order

PAPERS: Final = {
    "noiseless": "Noiseless Privacy",
    "nsht": "Non-Stochastic Hypothesis Testing for Privacy",
    "deterministic": "Development and Analysis of Deterministic Privacy-Preserving Policies",
    "prrelation": "Investigating Statistical Privacy Frameworks",
    "knowledge": "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting",
    "beyond": "Beyond the papers",
}
"""Short titles of papers, in the order for a reader; ``beyond`` is what the papers leave open."""

_REDUCTION_PHRASES = {
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


def describe_check(check: Check) -> str:
    """Describe, as a sentence, what a table must fulfil for a claim to pass.

    Parameters
    ----------
    check : Check
        The claim's check.

    Raises
    ------
    ValueError
        If this function has no words for the check's kind of relation.
    """
    name = _format_statistics(check)
    match check.relation:
        case Decided(module=module, function=function):
            return f"Decided by the function {function} of {module}."
        case Order(direction=direction, along=along, least=least):
            by = f" by more than {_format_number(least)}" if least else ""
            return _format_sentence(
                f"{name} {_DIRECTIONS[direction]}{by} as {_humanize_name(along)} grows"
            )
        case ExpectedEntries(column=column, expected=expected):
            if column == "statistic":
                values = expected.items()
                return _format_sentence(
                    "; ".join(f"“{_humanize_name(k)}” is {_format_number(v)}" for k, v in values)
                )
            entries = "; ".join(
                f"{_format_number(value)} at "
                f"{_humanize_name(key) if isinstance(key, str) else _format_key(column, key)}"
                for key, value in expected.items()
            )
            return _format_sentence(f"{name} is {entries}")
        case Bounds(low=low, high=high):
            return _format_sentence(
                f"{_REDUCTION_PHRASES[check.reduce].format(name)} {_describe_bounds(low, high)}"
            )
    raise ValueError(
        f"`check.relation` must be Order, Entries or Bounds, got {check.relation!r}. Add words for "
        "its kind to this function."
    )


def _format_statistics(check: Check) -> str:
    """Format the names of the statistics that a check looks at."""
    names = dict(check.where).get("statistic", ())
    return " and ".join(f"“{_humanize_name(name)}”" for name in names) or "the value"


def _describe_bounds(low: float, high: float) -> str:
    """Describe two bounds: ``at most``, ``at least``, ``between``, or one number."""
    if low == high:
        return _format_number(low)
    if low == -math.inf:
        return f"at most {_format_number(high)}"
    if high == math.inf:
        return f"at least {_format_number(low)}"
    return f"between {_format_number(low)} and {_format_number(high)}"


def _format_key(column: str, key: Cell) -> str:
    """Format a column and its key, such as ``epsilon bits 2``."""
    return f"{_humanize_name(column)} {_format_number(key) if isinstance(key, float) else key}"


def _humanize_name(name: Cell) -> str:
    """Replace underscores of a name by spaces."""
    return str(name).replace("_", " ")


def _format_number(number: float) -> str:
    """Format a number: a whole one without decimals, infinity as a word."""
    if isinstance(number, float) and math.isinf(number):
        return "infinite" if number > 0 else "minus infinite"
    return str(int(number)) if float(number).is_integer() else repr(number)


def _format_sentence(text: str) -> str:
    """Format a text with a capital letter and a full stop."""
    return f"{text[0].upper()}{text[1:]}."


def shorten_text(text: str, longest: int = 90) -> str:
    """Shorten a text to its first sentence, or to the words that fit ``longest`` characters."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    end = text.find(". ", 0, longest)
    if end >= longest // 3:
        return text[: end + 1]
    return text[:longest].rsplit(" ", 1)[0].rstrip(",;:(") + " …"


def spell_number(number: int) -> str:
    """Spell a number from 0 to 9; format any other in digits."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
