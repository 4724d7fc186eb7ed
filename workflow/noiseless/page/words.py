"""Words of the results page.

:data:`PAPERS` has the short titles of papers, in the order for a reader.  :func:`shorten_text`
shortens a text to half a line, for a list.
"""

from typing import Final

PAPERS: Final = {
    "noiseless": "Noiseless Privacy",
    "nsht": "Non-Stochastic Hypothesis Testing for Privacy",
    "deterministic": "Development and Analysis of Deterministic Privacy-Preserving Policies",
    "prrelation": "Investigating Statistical Privacy Frameworks",
    "knowledge": "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting",
    "beyond": "Beyond the papers",
}
"""Short titles of papers, in the order for a reader; ``beyond`` is what the papers leave open."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


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
