"""Quotes of the statements held against the texts of the papers, word by word.

Only words count: three letters or more that are no name of a symbol, and numbers of two digits or
more.  Formulas and punctuation are garbled in the texts.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import zip_longest

from noiseless.statements.registry import Statement

ELLIPSIS = "[...]"  # in a quote, where words are left out
TEXTS = {
    "deterministic": "farokhi-deterministic-policies.md",
    "knowledge": "pan-actual-knowledge-gain.cleaned.md",
    "noiseless": "farokhi-noiseless-privacy.md",
    "nsht": "farokhi-nonstochastic-hypothesis-testing.md",
    "prrelation": "liu-hypothesis-testing-pr-relation.md",
}
# How statements spell what papers print as a symbol, and small words of formulas.  The
# transcription has double brackets as J and K.
SYMBOLS = (
    "alpha beta gamma delta epsilon eps theta lambda rho sigma phi psi omega infinity sum product "
    "integral union intersection subset symmetric difference over for all exists and ess sup inf "
    "max min dmax dmin log exp sqrt ceil floor argmax argmin conditional superscript subscript"
)
_SYMBOL = re.compile(rf"(?<![a-z])(?:{'|'.join(SYMBOLS.split())}|j[xyz]k)(?![a-z])")
_COMMAND = re.compile(r"\\(?:begin|end)\{\w+\}|\\[a-zA-Z]+")  # of LaTeX
_LETTER = re.compile("[\u0370-\u03ff\U0001d400-\U0001d7ff]")  # Greek, or of a formula
_WORD = re.compile(r"[a-z]{3,}|(?<![\w.])\d\d+(?![\w])|(?<!\w)\d+\.\d+(?!\w)")


def words(text: str) -> str:
    """Return the words of a text that are no symbols, without blanks.

    A hyphen may end a line or join two words, so that blanks tell nothing.
    """
    plain = _COMMAND.sub(" ", _LETTER.sub(" ", text))
    plain = unicodedata.normalize("NFKD", plain).lower()
    plain = re.sub(r"(?<=[a-z])-\s+(?=[a-z])", "", plain)
    plain = "".join(each for each in plain if not unicodedata.combining(each))
    return "".join(_WORD.findall(_SYMBOL.sub(" ", plain)))


def passages(statement: Statement) -> Iterator[str]:
    """Yield what must stand in a paper as it is: the quote with its cut words put back.

    An empty text of `cut` parts what stands at different places (:func:`unseen`).
    """
    passage = ""
    for part, cut in zip_longest(statement.quote.split(ELLIPSIS), statement.cut):
        passage += part
        if cut:
            passage += cut
        else:
            yield passage
            passage = ""


def missing(statement: Statement, text: str) -> list[str]:
    """Return the passages of a quote whose words do not stand in a text one after another.

    A passage without words is a formula, of which nothing can be told: it is missing, too.

    Parameters
    ----------
    statement : Statement
    text : str
        The paper's, as :func:`words` gives it.
    """
    return [each for each in passages(statement) if not words(each) or words(each) not in text]


def unseen(statement: Statement, text: str) -> list[str]:
    """Return the passages of a quote behind an ellipsis of which nothing is known.

    Words that are left out may decide what a sentence says.  So they are given (``cut``); without
    them a passage must stand before the one that precedes it in the quote, so that nothing can have
    stood between the two.
    """
    parts = list(passages(statement))
    places = [text.find(words(each)) for each in parts]
    return [
        part
        for part, before, place in zip(parts[1:], places[:-1], places[1:], strict=True)
        if not -1 < place < before
    ]


# What may decide a sentence: a negation, a condition, an exception, another thing that is compared.
DECIDING = (
    "not no non nor neither never without only unless except if when where whenever provided "
    "suppose assume assuming given but although though however while despite otherwise unlike "
    "instead rather almost approximately cannot fail fails"
)
_DECIDES = re.compile(
    rf"(?<![a-z])(?:{'|'.join(DECIDING.split())})(?![a-z])|\d|[=<>+^_/*|\[\]{{}}\u0370-\u03ff]"
)
_CHAIN = re.compile(r"= *$"), re.compile(r"^ *(?:=|, which is(?![a-z]))")


def deciding(statement: Statement) -> list[str]:
    """Return what ellipses of a quote leave out, and may decide what the sentence says.

    Nothing does that is only between the ends of a chain of equalities: each end is in the quote,
    and a wrong term between them is another statement.  Of other words that are left out none may
    deny, restrict or compare, and there is neither a number nor a formula among them.
    """
    parts = statement.quote.split(ELLIPSIS)
    return [
        cut
        for before, after, cut in zip_longest(parts[:-1], parts[1:], statement.cut, fillvalue="")
        if not (_CHAIN[0].search(before) and _CHAIN[1].search(after))
        and (not words(cut) or _DECIDES.search(cut.lower()))
    ]
