"""One view of a statement: its words, its verdict, and the numbers behind it, from one finding.

Pages of papers, the errata, the results page, the README's counts and the command
``noiseless verdicts`` show what stands here; none of them words a result by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from noiseless.ledger.statements import STANDS_IN, build_statement, describe_outcome
from noiseless.statements.registry import Category
from noiseless.statements.sentences import SentenceVerdict
from noiseless.statements.verdicts import Verdict
from noiseless.statements.words import SENTENCES, VERDICT_WORDS

NOTHING = "-"  # of a column of the ledger


@dataclass(frozen=True)
class Outcome:
    """What came out of one reading, or part, of a statement, on one set of data, as text.

    Empty for none. ``phrase`` and ``number`` say what was found with the interval that decides,
    with the word for the verdict and without it
    (:func:`~noiseless.ledger.statements.describe_outcome`); ``check`` is the function, as
    ``module:function``.
    """

    id: str
    label: str
    data_set: str
    verdict: Verdict
    found: str
    low: str
    high: str
    cases: str
    failed: str
    phrase: str
    number: str
    example: str
    kind: str
    check: str
    is_stand_in: bool

    @property
    def word(self) -> str:
        """The word for its verdict: holds, fails, open or not tested."""
        return VERDICT_WORDS[self.verdict]


@dataclass(frozen=True)
class View:
    """A statement as every page shows it.

    ``verdict`` is the word for it (:data:`noiseless.statements.words.SENTENCES`) without stand-ins,
    ``because`` what makes it so; ``outcomes`` are of every reading and part, on every set, and
    ``set_verdicts`` the words on sets that stand in.
    """

    name: str
    paper: str
    where: str
    says: str
    quote: str
    is_own: bool
    verdict: str
    because: str
    outcomes: tuple[Outcome, ...]
    set_verdicts: Mapping[str, str]

    @property
    def own_outcomes(self) -> list[Outcome]:
        """What came out on no data, or on the paper's own."""
        return [each for each in self.outcomes if not each.is_stand_in]

    @property
    def stand_ins(self) -> list[Outcome]:
        """What came out on data that stand in, without sets that were not there."""
        return [
            each
            for each in self.outcomes
            if each.is_stand_in and each.verdict is not Verdict.NOT_TESTED
        ]


def build_views(ledger: pd.DataFrame) -> list[View]:
    """Build the view of each statement from the ledger, in its order."""
    found: dict[str, list[Mapping[str, str]]] = {}
    for row in ledger.to_dict("records"):
        found.setdefault(row["statement"], []).append(row)
    return [_build_view(rows) for rows in found.values()]


def _build_view(rows: Sequence[Mapping[str, str]]) -> View:
    """Build the view of one statement from its rows of the ledger."""
    judged = build_statement(rows)
    by_set: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        if row["stands_in"] == STANDS_IN and row["data_set"] != NOTHING:
            by_set.setdefault(row["data_set"], []).append(row)
    not_tested = SENTENCES[SentenceVerdict.NOT_TESTED].word
    words = {name: build_statement(each)["stand_in_verdict"] for name, each in by_set.items()}
    return View(
        name=judged["statement"],
        paper=judged["paper"],
        where=judged["locator"],
        says=judged["claim"],
        quote=_drop_nothing(judged["quote"]),
        is_own=judged["category"] == Category.OWN,
        verdict=judged["verdict"],
        because=_drop_nothing(judged["because"]),
        outcomes=tuple(_build_outcome(row) for row in rows),
        set_verdicts={name: word for name, word in words.items() if word != not_tested},
    )


def _build_outcome(row: Mapping[str, str]) -> Outcome:
    """Build what came out of one row of the ledger."""
    shown = ("label", "data_set", "found", "low", "high", "cases", "failed", "example")
    return Outcome(
        id=row["id"],
        verdict=Verdict(row["verdict"]),
        phrase=describe_outcome(row, with_word=True),
        number=describe_outcome(row),
        kind=_drop_nothing(row["kind"]),
        check=row["check"],
        is_stand_in=row["stands_in"] == STANDS_IN,
        **{name: _drop_nothing(row[name]) for name in shown},
    )


def _drop_nothing(text: str) -> str:
    """Return a cell of the ledger, empty where it says that there is nothing."""
    return "" if text == NOTHING else text
