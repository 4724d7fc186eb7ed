"""Verdicts on the statements of a paper, judged together, as typed entries.

Intervals of a paper are widened to hold together (:mod:`noiseless.statements.intervals`); so
findings are made one by one, and verdicts by paper.  What becomes of a printed sentence follows
from the verdicts on its readings and parts (:mod:`noiseless.statements.sentences`).
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

import pandas as pd

from noiseless.statements.findings import Cell, Finding
from noiseless.statements.intervals import ALPHA, compute_widening, widen_interval
from noiseless.statements.registry import Category, Correction, Kind, Statement, build_id
from noiseless.statements.running import Tested


class Verdict(StrEnum):
    """What became of a statement."""

    REPRODUCED = "reproduced"
    CORRECTED = "corrected"
    DIFFERS = "differs"
    INCONCLUSIVE = "inconclusive"
    NOT_TESTED = "not tested"
    ERROR = "error"


class Why(StrEnum):
    """Why a verdict is not that of the number alone."""

    VACUOUS = "too few cases could have failed"
    INTERVAL = "an interval holds both answers"
    NO_INTERVAL = "an estimate has no interval"
    DEPENDS = "it depends on a choice"
    PRESUPPOSES = "it presupposes another statement"


class DataKind(StrEnum):
    """On what a statement was judged."""

    NO_TABLE = "no table"
    NO_DATA = "no data"
    SAMPLE = "sample"
    SAMPLE_OF_STAND_IN = "sample of a stand-in"
    THE_PAPERS = "the paper's"
    STAND_IN = "stand-in"
    OTHER = "other"


@dataclass(frozen=True)
class Decision:
    """What a finding says by itself: a verdict, and what leaves it open or fails."""

    verdict: Verdict
    why: Why | None = None
    where: str = ""
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Entry:
    """A statement, its verdict, and what it rests on."""

    statement: Statement
    tested: Tested
    verdict: Verdict  # judged with all of the paper
    decisions: tuple[Decision, ...] = ()  # of the words as printed, and of each correction, alone
    by_itself: Verdict | None = None  # what a choice or another statement leaves open
    depends_on: str = ""  # what choice (words of noiseless.ledger.robustness), or which statement
    chance: float = 0.0  # that an interval of the statement misses what it estimates, at most
    kind: Kind | None = None  # what is wrong with the words, where a correction holds instead

    @property
    def correction(self) -> Correction | None:
        """What holds in place of the words, where they were corrected."""
        if self.verdict is not Verdict.CORRECTED:
            return None
        return next(each for each in self.statement.corrections if not each.reading)

    @property
    def data_kinds(self) -> list[DataKind]:
        """On what kinds of data it was judged, each once."""
        if not self.tested.on_tables and self.statement.stand_in:
            return [DataKind.STAND_IN]
        if not self.tested.on_tables:
            return [DataKind.NO_TABLE if self.statement.tables else DataKind.NO_DATA]
        if not self.tested.data:
            return [DataKind.NO_DATA]
        used = self.statement.used
        if any(each.tier == "sample" for each in self.tested.data):
            # A dataset of which the paper used no file can only stand in for the paper's.
            apart = any(not used[dataset].paper for dataset in self.statement.needs)
            return [DataKind.SAMPLE_OF_STAND_IN if apart else DataKind.SAMPLE]
        kinds = []
        for each in self.tested.data:
            if each.dataset not in used or not each.is_public:
                kinds.append(DataKind.OTHER)
            elif each.file in used[each.dataset].paper:
                kinds.append(DataKind.THE_PAPERS)
            else:
                kinds.append(DataKind.STAND_IN)
        return list(dict.fromkeys(kinds))

    @property
    def stands_in(self) -> bool:
        """Whether it was judged on data that stand in for the paper's."""
        return bool({DataKind.STAND_IN, DataKind.SAMPLE_OF_STAND_IN} & set(self.data_kinds))


def judge(
    statements: Iterable[Statement],
    tested: Mapping[str, Tested],
    flips: Mapping[str, str] | None = None,
) -> list[Entry]:
    """Judge the findings on a paper's statements together, in the order of the ledger.

    ``flips`` has what a verdict depends on (another seed, other homes), by id: it is then
    inconclusive.
    """
    statements = list(statements)
    intervals: Counter[str] = Counter()
    for each in statements:
        for finding in filter(None, (tested[each.id].printed, *tested[each.id].corrections)):
            intervals[each.stand_in] += 0 if finding.together else len(finding.estimates)
    entries = [
        _judge(each, tested[each.id], intervals[each.stand_in], flips or {}) for each in statements
    ]
    verdicts = {each.statement.id: each.verdict for each in entries}
    entries = [_apply_presupposition(each, verdicts) for each in entries]
    return [replace(each, kind=_weigh_kind(each, verdicts)) for each in entries]


def _weigh_kind(entry: Entry, verdicts: Mapping[str, Verdict]) -> Kind | None:
    """Weigh what is wrong with words: whose result, or main clause, does not hold fail."""
    if entry.statement.aside and entry.verdict in (Verdict.CORRECTED, Verdict.DIFFERS):
        return Kind.ASIDE
    if entry.correction is None:
        return None
    shown_by = entry.correction.cause.shown_by
    if isinstance(shown_by, Statement):
        shown_by = shown_by.id
    elif shown_by is not None:
        shown_by = build_id(entry.statement.paper.name, shown_by)
    # A statement that is judged alone has no verdicts beside it.
    is_refuted = verdicts.get(shown_by or "") in (Verdict.CORRECTED, Verdict.DIFFERS)
    return Kind.FAILS if is_refuted else entry.correction.kind


def _judge(statement: Statement, tested: Tested, intervals: int, flips: Mapping[str, str]) -> Entry:
    """Judge a statement by what was found, and by its corrections."""
    if tested.error:
        return Entry(statement, tested, Verdict.ERROR)
    if tested.printed is None:
        return Entry(statement, tested, Verdict.NOT_TESTED)
    findings = (tested.printed, *tested.corrections)
    decisions = tuple(decide(each, intervals) for each in findings)
    verdict = _weigh_corrections([each.verdict for each in decisions])
    chance = sum(_bound_chance(each, intervals) for each in findings)
    entry = Entry(statement, tested, verdict, decisions, chance=chance)
    if statement.id in flips and verdict is not Verdict.INCONCLUSIVE:
        return _mark_open(entry, flips[statement.id])
    return entry


def _bound_chance(finding: Finding, intervals: int) -> float:
    """Bound the chance that an interval misses, of ``intervals`` that are widened together."""
    own = len(finding.estimates)
    if finding.together:
        return (1 - finding.confidence) * min(1.0, own / finding.together)
    return ALPHA * own / intervals if own else 0.0


def _weigh_corrections(verdicts: list[Verdict]) -> Verdict:
    """Weigh the verdicts on the corrections of words that do not hold as printed."""
    printed, *corrections = verdicts
    if printed is not Verdict.DIFFERS or not corrections:
        return printed
    if set(corrections) == {Verdict.REPRODUCED}:
        return Verdict.CORRECTED
    return Verdict.DIFFERS if Verdict.DIFFERS in corrections else Verdict.INCONCLUSIVE


def _mark_open(entry: Entry, depends_on: str) -> Entry:
    """Leave a verdict open because of something that it depends on."""
    return replace(
        entry, verdict=Verdict.INCONCLUSIVE, by_itself=entry.verdict, depends_on=depends_on
    )


def _apply_presupposition(entry: Entry, verdicts: Mapping[str, Verdict]) -> Entry:
    """Leave a verdict open whose statement presupposes one that is not reproduced."""
    other = entry.statement.presupposes
    if other is None or entry.verdict in (Verdict.NOT_TESTED, Verdict.ERROR):
        return entry
    if verdicts.get(other.id) in (None, Verdict.REPRODUCED):
        return entry
    return _mark_open(entry, other.id)


def decide(finding: Finding, intervals: int) -> Decision:
    """Decide a finding by itself, with its intervals widened to hold with all of the family."""
    if not finding.holds:
        return Decision(Verdict.DIFFERS)
    if finding.is_vacuous:
        return Decision(Verdict.INCONCLUSIVE, Why.VACUOUS)
    doubt: Decision | None = None
    for place, each in enumerate(finding.estimates):
        low, high = finding.get_bounds(place)
        below, above = (finding.within.widen(end) for end in (low, high))
        if math.isnan(each.low) or math.isnan(each.high):
            doubt = doubt or Decision(Verdict.INCONCLUSIVE, Why.NO_INTERVAL, each.label)
            continue
        ratio = 1.0 if finding.together else compute_widening(intervals, finding.confidence)
        wide = widen_interval(each.value, each.low, each.high, ratio)
        if wide[1] < below[0] or wide[0] > above[1]:
            return Decision(Verdict.DIFFERS, None, each.label, wide)
        # A printed number lies in the narrow interval, so that widening makes no agreement easier.
        if low == high:
            inside = each.low <= above[1] and below[0] <= each.high
        else:
            inside = below[0] <= wide[0] and wide[1] <= above[1]
        if not inside:
            doubt = doubt or Decision(Verdict.INCONCLUSIVE, Why.INTERVAL, each.label, wide)
    return doubt or Decision(Verdict.REPRODUCED)


def judge_cell(entry: Entry, cell: Cell) -> Verdict:
    """Judge a cell of a printed table: one that differs has the verdict of its statement."""
    return Verdict.REPRODUCED if cell.holds else entry.verdict


def build_ledger(entries: Iterable[Entry]) -> pd.DataFrame:
    """Build the typed ledger: a row a statement, and below it its printed cells and corrections.

    Numbers are numbers, and words are made where they are shown.
    """
    return pd.DataFrame([row for each in entries for row in _iterate_rows(each)])


def _iterate_rows(entry: Entry) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of a statement, its printed cells and its corrections."""
    statement, tested = entry.statement, entry.tested
    shared = {
        "paper": statement.paper.name,
        "is_own": statement.category is Category.OWN,
        "statement": statement.group,
        "where": statement.where,
        "module": tested.module,
    }
    yield {
        "id": statement.id,
        "corrects": "",
        "cell_of": "",
        **shared,
        "function": tested.function,
        "verdict": str(entry.verdict),
        "kind": str(entry.kind or ""),
        **_describe_finding(tested.printed),
        "error": tested.error,
        "data": " ".join(entry.data_kinds),
        "stands_in": entry.stands_in,
        "datasets": " ".join(each.dataset for each in tested.data),
        "tiers": " ".join(each.tier for each in tested.data),
        "by_itself": str(entry.by_itself or ""),
        "depends_on": entry.depends_on,
        "chance": entry.chance,
    }
    for cell in tested.printed.cells if tested.printed else ():
        yield {
            "id": f"{statement.id}-{cell.name}",
            "corrects": "",
            "cell_of": statement.id,
            **shared,
            "function": tested.function,
            "verdict": str(judge_cell(entry, cell)),
            "holds": cell.holds,
            "found_low": cell.found,
            "found_high": cell.found,
            "found": json.dumps([cell.found]),
            "printed": json.dumps([cell.printed]),
        }
    for correction, finding in zip(statement.corrections, tested.corrections, strict=False):
        yield {
            "id": build_id(statement.paper.name, correction.check.__name__),
            "corrects": statement.id,
            "cell_of": "",
            **shared,
            "function": correction.check.__name__,
            "kind": str(correction.kind),
            **_describe_finding(finding),
        }


def _describe_finding(finding: Finding | None) -> dict[str, Any]:
    """Describe a finding in columns of numbers; the counter-example and all numbers as JSON."""
    if finding is None:
        return {}
    return {
        "holds": finding.holds,
        "wanted": str(finding.wanted),
        "found_low": min(finding.found),
        "found_high": max(finding.found),
        "found": json.dumps(finding.found),
        "printed": json.dumps(finding.printed),
        "bound_low": finding.bounds[0],
        "bound_high": finding.bounds[1],
        "within": finding.within.size,
        "cases": finding.cases,
        "failed": finding.failed,
        "sharp": finding.sharp,
        "sharp_wanted": finding.sharp_wanted,
        "example": json.dumps(asdict(finding.example)) if finding.example else "",
    }
