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

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from noiseless.statements.registry import Category, Kind, Statement
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
    """Decide what became of a sentence, from the verdicts on all rows of each of its readings."""
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


def find_contradictions(
    statements: Iterable[Statement], rows: Mapping[str, Row]
) -> list[tuple[str, str]]:
    """Find sentences that are said to hold where a row of the same ledger shows that they fail.

    Each is a row's id, and the sentence. The row is a statement of this project's own that came
    out, on cases that nothing in the words leaves out (:class:`~.registry.Limit`); one with the
    same printed words that did not, as if they were not the paper's in its reading; or words that
    count as another line's fault, of which that line is said to have none.
    """
    judged = [each for each in statements if each.id in rows]
    shown = [
        (each, group)
        for each in judged
        if rows[each.id].verdict is Verdict.REPRODUCED
        for group, limit in each.limited.items()
        if not limit.outside
    ]
    shown += [
        (each, other.group)
        for each in judged
        if each.category is Category.OWN and rows[each.id].verdict in _FAILING
        for other in judged
        if other.category is Category.PAPER
        and each.quote == other.quote != ""
        and each.stand_in == other.stand_in
        and other.group not in each.limited
    ]
    shown += [
        (each, correction.same_as.group)
        for each in judged
        if rows[each.id].kind is Kind.ELSEWHERE
        for correction in each.corrections
        if correction.same_as is not None
    ]
    return [
        (each.id, group)
        for each, group in shown
        if _decide_group(group, each.stand_in, judged, rows) is SentenceVerdict.HOLDS
    ]


def _decide_group(
    group: str, stand_in: str, statements: Iterable[Statement], rows: Mapping[str, Row]
) -> SentenceVerdict | None:
    """Decide what became of a sentence on a set of data; None if it was not judged there."""
    found = [each for each in statements if each.group == group and each.stand_in == stand_in]
    readings = {each.reading for each in found if each.reading} or {""}
    if not found:
        return None
    return decide_sentence(
        [[rows[each.id] for each in found if each.reading in ("", name)] for name in readings]
    )


def find_unrelated(
    statements: Iterable[Statement], rows: Mapping[str, Row]
) -> list[tuple[str, str]]:
    """Find statements of ours that look at the cases of a sentence that holds, and do not say how.

    Each is a statement's id, and the sentence. One that does says where the words end
    (:class:`~.registry.Limit`).
    """
    judged = [each for each in statements if each.id in rows]
    papers = [each for each in judged if each.category is Category.PAPER]
    found = {
        (own.id, each.group)
        for own in judged
        if own.category is Category.OWN
        for each in papers
        if each.paper is own.paper
        and each.stand_in == own.stand_in
        and set(each.sources) & set(own.sources)
        and each.group not in own.limited
    }
    holding = {
        (group, stand_in)
        for group, stand_in in {(each.group, each.stand_in) for each in papers}
        if _decide_group(group, stand_in, papers, rows) is SentenceVerdict.HOLDS
    }
    by_id = {each.id: each.stand_in for each in judged}
    return sorted((own, group) for own, group in found if (group, by_id[own]) in holding)
