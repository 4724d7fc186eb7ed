"""What becomes of a printed sentence, from the verdicts on its readings and parts.

The eight words and their rules:

1. *holds*: every row of every reading does.  A row that fails does not count if the fault is
   another line's, and counted there (``Kind.ELSEWHERE``), or the paper itself excludes its reading
   (``Kind.ASIDE``).
2. *depends on the reading*: one holds, another one fails.
3. *needs a premise*: all that fails holds with one sentence more, which has a check of its own.
4. *misprint*: no reading holds, and what fails is printed right in the same paper, or the main
   clause holds.
5. *slip*: no reading holds, and the result of the line stands.
6. *fails*: anything else that is wrong.
7. *open*: an interval holds both answers, or too few cases could have failed.
8. *not tested*: the data, or a table, were not there.

A row that names no reading belongs to every reading of its sentence.
"""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import NamedTuple

from noiseless.statements.registry import Kind
from noiseless.statements.verdicts import Verdict


class SentenceVerdict(StrEnum):
    """What became of a printed sentence."""

    HOLDS = "holds"
    READING = "depends on the reading"
    PREMISE = "needs a premise"
    MISPRINT = "misprint"
    SLIP = "slip"
    FAILS = "fails"
    OPEN = "open"
    NOT_TESTED = "not tested"
    ERROR = "error"


class Row(NamedTuple):
    """A verdict on one reading or part of a sentence, and what is wrong with it, if it is known."""

    verdict: Verdict
    kind: Kind | None = None


_FAILING = (Verdict.CORRECTED, Verdict.DIFFERS)
_UNCOUNTED = (Kind.ELSEWHERE, Kind.ASIDE)
_PRECEDENCE = (Verdict.DIFFERS, Verdict.INCONCLUSIVE, Verdict.NOT_TESTED, Verdict.REPRODUCED)
# From the gravest: one row that fails is not made up for by a misprint beside it.
_GRAVITY = {
    Kind.FAILS: SentenceVerdict.FAILS,
    Kind.READING: SentenceVerdict.FAILS,  # of which no other reading holds
    Kind.PREMISE: SentenceVerdict.PREMISE,
    Kind.SLIP: SentenceVerdict.SLIP,
    Kind.MISPRINT: SentenceVerdict.MISPRINT,
    Kind.ELSEWHERE: SentenceVerdict.FAILS,  # of which nothing else is left
    Kind.ASIDE: SentenceVerdict.FAILS,  # likewise
}


def decide_sentence(readings: Collection[Sequence[Row]]) -> SentenceVerdict:
    """Decide what became of a sentence.

    Parameters
    ----------
    readings : collection of sequences of Row
        For each reading the verdicts on all rows that belong to it.

    Raises
    ------
    ValueError
        If there is no reading, or one without rows.
    """
    if not readings or not all(readings):
        raise ValueError("a sentence has at least one reading, and each of them a row.")
    readings = [list(each) for each in readings]
    if any(row.verdict is Verdict.ERROR for rows in readings for row in rows):
        return SentenceVerdict.ERROR
    counted = [[row for row in rows if row.kind not in _UNCOUNTED] for rows in readings]
    readings = [rows for rows in counted if rows] or readings
    found = {_decide_reading(rows) for rows in readings}
    wrong = {row.kind or Kind.FAILS for rows in readings for row in rows if row.verdict in _FAILING}
    if found == {Verdict.REPRODUCED}:
        return SentenceVerdict.HOLDS
    if wrong == {Kind.PREMISE} and found <= {Verdict.REPRODUCED, Verdict.DIFFERS}:
        return SentenceVerdict.PREMISE
    if found >= {Verdict.REPRODUCED, Verdict.DIFFERS}:
        return SentenceVerdict.READING
    if found == {Verdict.DIFFERS}:
        return next(verdict for kind, verdict in _GRAVITY.items() if kind in wrong)
    if Verdict.NOT_TESTED in found:
        return SentenceVerdict.NOT_TESTED
    return SentenceVerdict.OPEN


def _decide_reading(rows: Sequence[Row]) -> Verdict:
    """Decide a reading: one part that fails decides it, whatever is known of the others."""
    found = {Verdict.DIFFERS if row.verdict in _FAILING else row.verdict for row in rows}
    return next(verdict for verdict in _PRECEDENCE if verdict in found)
