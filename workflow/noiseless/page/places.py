"""Places in a paper, such as Figure 3 or Theorem IV.1, as a reader writes and chooses them.

A claim's locator is free text ("Fig. 3 and Section V.A, on Swiss homes").  :func:`find_places`
finds the places that it names, each in one spelling, so that "Fig. 3", "fig 3" and "Figure 3" are
the same; the page's script does so with a reader's words, from :data:`SPELLINGS`.
"""

import re
from collections.abc import Iterable
from typing import Final

KINDS: Final = (
    *("Figure", "Table", "Theorem", "Proposition", "Lemma", "Corollary", "Definition", "Example"),
    *("Remark", "Equation", "Algorithm", "Section", "Appendix", "Footnote"),
)
"""Kinds of places, in the order in which a reader chooses them."""

_SHORT = {
    "fig": "figure",
    "figs": "figure",
    "eq": "equation",
    "eqs": "equation",
    "sec": "section",
    "secs": "section",
    "thm": "theorem",
    "thms": "theorem",
    "def": "definition",
    "prop": "proposition",
    "tab": "table",
    "app": "appendix",
    "corollaries": "corollary",
    "appendices": "appendix",
}
SPELLINGS: Final = {
    **{kind.lower(): kind.lower() for kind in KINDS},
    **{f"{kind.lower()}s": kind.lower() for kind in KINDS},
    **_SHORT,
}
"""What a reader may write for a kind of place, and the kind in lower case."""

_WORDS = "|".join(sorted(SPELLINGS, key=len, reverse=True))
_NUMBER = r"(?:\d+|[IVX]+|[A-Z])(?:\.[A-Z0-9]+)*[a-z]?\b"
_PLACES = re.compile(rf"\b((?i:{_WORDS}))\b\.?\s+({_NUMBER}(?:(?:,\s*|\s+and\s+){_NUMBER})*)")
_ROMAN = {"I": 1, "V": 5, "X": 10}


def find_places(text: str) -> list[str]:
    """Find the places that a text names, each once, such as ``Figure 3a`` or ``Section V.A``."""
    found = []
    for kind, numbers in _PLACES.findall(text):
        name = SPELLINGS[kind.lower()].capitalize()
        found += [f"{name} {number}" for number in re.findall(_NUMBER, numbers)]
    return list(dict.fromkeys(found))


def list_enclosing_places(place: str) -> list[str]:
    """List a place and those that it is a part of: Figure 3a and 3, Section V.A and V."""
    kind, number = place.split(" ")
    numbers = [number]
    whole = re.sub(r"(?<=.)[a-z]$", "", number)
    while whole:
        numbers.append(whole)
        whole = whole.rpartition(".")[0]
    return [f"{kind} {each}" for each in dict.fromkeys(numbers)]


def group_places(locators: Iterable[str]) -> dict[str, list[str]]:
    """Group the places that locators name by kind, in the order of :data:`KINDS` and of numbers.

    A part of a figure, table or equation is left out, because a reader looks for the whole.
    """
    places = {
        re.sub(r"(?<=[0-9A-Z])[a-z]$", "", place)
        for locator in locators
        for place in find_places(locator)
    }
    groups: dict[str, list[str]] = {}
    for kind in KINDS:
        members = sorted(
            (place for place in places if place.startswith(f"{kind} ")),
            key=lambda place: _order_number(place.split(" ")[1]),
        )
        if members:
            groups[kind] = members
    return groups


def _order_number(number: str) -> list[tuple[int, int, str]]:
    """Order numbers as a reader counts: digits, then Roman numerals, then letters."""
    return [_order_part(part, is_first=not place) for place, part in enumerate(number.split("."))]


def _order_part(part: str, *, is_first: bool) -> tuple[int, int, str]:
    """Order one part of a number; a letter behind a point is no numeral."""
    if part.isdigit():
        return 0, int(part), ""
    if is_first and set(part) <= set(_ROMAN):
        values = [_ROMAN[letter] for letter in part]
        pairs = zip(values, [*values[1:], 0], strict=True)
        return 1, sum(-each if each < after else each for each, after in pairs), ""
    return 2, 0, part
