"""Words for what findings and verdicts are: one table from an enum to what a page says.

Findings, verdicts and the typed ledger hold none of them; whoever shows one asks here.
"""

import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from noiseless.statements.findings import Example, Finding, Margin, Relation, Wanted
from noiseless.statements.registry import Kind, Statement
from noiseless.statements.running import Lack, Missing
from noiseless.statements.sentences import SentenceVerdict
from noiseless.statements.verdicts import DataKind, Decision, Entry, Verdict, Why

WANTED = {
    Wanted.NO_CASE_FAILS: "no case fails",
    Wanted.RISES: "rises",
    Wanted.FALLS: "falls",
    Wanted.NEVER_FALLS: "does not fall",
    Wanted.NEVER_RISES: "does not rise",
}


class SentenceWords(NamedTuple):
    """Words for a verdict on a sentence."""

    word: str
    counted: str  # the column of README's table that counts it; empty: no finished run has it
    means: str  # in half a sentence


COUNTED = ("hold", "hinge on a reading or a premise", "fail", "misprints and slips", "open")
_HOLD, _HINGE, _FAIL, _MENDED, _UNDECIDED = COUNTED
SENTENCES = {
    SentenceVerdict.HOLDS: SentenceWords(
        "holds", _HOLD, "came out as printed, however the sentence is read"
    ),
    SentenceVerdict.READING: SentenceWords(
        "depends on the reading", _HINGE, "one reading of the text holds, and another one fails"
    ),
    SentenceVerdict.PREMISE: SentenceWords(
        "needs a premise", _HINGE, "holds with one sentence more, which was checked with it"
    ),
    SentenceVerdict.MISPRINT: SentenceWords(
        "misprint",
        _MENDED,
        "wrong here, and printed right elsewhere in the paper, or right but for an aside",
    ),
    SentenceVerdict.SLIP: SentenceWords(
        "slip", _MENDED, "a line that is wrong, whose result stands all the same"
    ),
    SentenceVerdict.FAILS: SentenceWords(
        "fails", _FAIL, "something else came out, however the sentence is read"
    ),
    SentenceVerdict.OPEN: SentenceWords(
        "open", _UNDECIDED, "an interval holds both answers, or too few cases could have failed"
    ),
    SentenceVerdict.NOT_TESTED: SentenceWords(
        "not tested", _UNDECIDED, "the paper's data, or a table, was not there"
    ),
    SentenceVerdict.ERROR: SentenceWords(
        "error", "", "its check could not be run: a run with one is not complete"
    ),
}
# Of one reading, or part, of a statement.
VERDICT_WORDS = {
    Verdict.REPRODUCED: "holds",
    Verdict.CORRECTED: "fails",
    Verdict.DIFFERS: "fails",
    Verdict.INCONCLUSIVE: "open",
    Verdict.NOT_TESTED: "not tested",
    Verdict.ERROR: "error",
}
# What is wrong with words that do not hold.
KIND_WORDS = {
    Kind.FAILS: "fails",
    Kind.READING: "depends on the reading",
    Kind.PREMISE: "needs a premise",
    Kind.MISPRINT: "misprint",
    Kind.SLIP: "slip",
    Kind.ELSEWHERE: "fails elsewhere",
    Kind.ASIDE: "aside",
}
# What a correction says of its kind, by the name of the attribute.
SAID = {
    "true_if": "true if {}",
    "premise": "true if {}",
    "right_at": "printed right in {}",
    "main_clause": "true all the same: {}",
    "stands": "what stands: {}",
}
TRANSCRIBED = "perhaps a slip of our copy of the text: nobody has compared the publisher's page yet"
DATA = {
    DataKind.NO_TABLE: "-",
    DataKind.NO_DATA: "none",
    DataKind.SAMPLE: "sample",
    DataKind.SAMPLE_OF_STAND_IN: "sample of a stand-in",
    DataKind.THE_PAPERS: "the paper's",
}
RELATIONS = {Relation.AT_MOST: "<=", Relation.LESS: "<", Relation.EQUAL: "="}
LACKS = {
    Lack.TABLE: "There is no table {table}; its experiment was switched off. To make it: "
    ".venv/bin/snakemake --cores 2 --configfile config/config.yaml -- "
    "results/tables/{table}.parquet",
    Lack.LEFT_OUT: "The data of {what} were left out.",
    Lack.EXPERIMENT_REFUSED: "{table} could not be made: {found}",
    Lack.DATA: "Needs the real data of {what}, which is not among the sources of {table}.",
    Lack.REAL_DATA: "Needs the real data of {what}, but {table} was computed on a sample.",
    Lack.PUBLIC_DATA: "Needs the public data of {what}, but {table} was computed on other data "
    "(sha256 {found:.8}...): a file whose digest differs from the registered one, or one that "
    "config/sources.yaml does not have.",
    Lack.SETTING: "{table} was made with {what} = {found}; the paper's is {wanted}.",
    Lack.PRECISION: "{table} was made with {what} = {found}, too coarse for a verdict, which asks "
    "for {wanted}.",
    Lack.UNKNOWN_SETTING: "{table} was made with {what}, of which the paper says neither what its "
    "value is (`presumes`), nor how precise it must be (`limits`), nor that any will do (`sizes`).",
    Lack.CELL: "Of {table}: {found}. Give the grid of its experiment in the configuration the cell "
    "that the statement is about.",
}
_OF_DATA = (Lack.LEFT_OUT, Lack.DATA, Lack.REAL_DATA, Lack.PUBLIC_DATA)
_FEW_PAIRS = 3  # so many numbers are given as they are, more by how much they are off
_MAX_LISTED = 8  # the largest number of values that a text lists


def describe_wanted(finding: Finding) -> str:
    """Describe what a finding was held against."""
    match finding.wanted:
        case Wanted.EQUAL if finding.names:
            return _list_named(finding.names, finding.printed)
        case Wanted.EQUAL:
            return " or ".join(dict.fromkeys(map(format_number, finding.printed)))
        case Wanted.AS_PRINTED:
            return "every printed cell"
        case Wanted.INTERVALS_WITHIN if len(set(finding.printed)) > 1:
            return _list_named(finding.names, finding.printed)
        case Wanted.INTERVALS_WITHIN if finding.printed:
            return format_number(finding.printed[0])
        case Wanted.BOUNDED | Wanted.INTERVALS_WITHIN:
            low, high = map(format_number, finding.bounds)
            return low if low == high else _describe_range(finding.bounds, format_number)
    return WANTED[finding.wanted]


def describe_found(finding: Finding) -> str:
    """Describe the numbers that were found."""
    if finding.wanted is Wanted.NO_CASE_FAILS:
        return f"{finding.failed:,} of {finding.cases:,} cases fail"
    if finding.wanted is Wanted.AS_PRINTED:
        return f"{finding.cases - finding.failed:,} of {finding.cases:,} cells are as printed"
    if finding.names:
        return _list_named(finding.names, finding.found)
    ends = dict.fromkeys(map(format_number, (min(finding.found), max(finding.found))))
    text = " to ".join(ends)
    if finding.wanted is Wanted.BOUNDED and finding.cases > len(finding.found) == 1:
        side = "largest" if math.isfinite(finding.bounds[1]) else "smallest"
        return f"{text} (the {side} of {finding.cases:,} numbers)"
    return text if finding.cases == 1 else f"{text} ({finding.cases:,} numbers)"


def describe_briefly(finding: Finding) -> str:
    """Describe what was found as a reader compares it with what is printed, to three digits."""
    cases = f"{finding.cases:,} cases" if finding.cases > 1 else "the one case"
    ends = " to ".join(dict.fromkeys(map(format_briefly, (min(finding.found), max(finding.found)))))
    match finding.wanted:
        case Wanted.NO_CASE_FAILS if finding.failed:
            return f"{finding.failed:,} of {finding.cases:,} cases fail"
        case Wanted.NO_CASE_FAILS:
            return f"no exception in {cases}"
        case Wanted.AS_PRINTED:
            return f"{finding.cases - finding.failed:,} of {finding.cases:,} cells agree"
        case Wanted.EQUAL | Wanted.INTERVALS_WITHIN if finding.printed:
            return _describe_deviation(finding)
        case Wanted.BOUNDED | Wanted.INTERVALS_WITHIN:
            if finding.bounds[0] == finding.bounds[1]:
                return _describe_deviation(finding)
            worst = len(finding.found) < finding.cases and not finding.estimates
            wanted = _describe_range(finding.bounds, format_briefly, "{} to {}")
            return f"{'at worst ' if worst else ''}{ends} (wanted: {wanted})"
    order = f"{ends} over {finding.cases:,} points"
    if finding.failed:
        return f"{order}; {finding.failed:,} pairs are not in order"
    return f"{order}, all in order"


def _describe_deviation(finding: Finding) -> str:
    """Describe by how much numbers differ from printed ones; few of them as they are."""
    printed = finding.printed or (finding.bounds[0],) * len(finding.found)
    pairs = list(zip(finding.found, printed, strict=True))
    if len(pairs) <= _FEW_PAIRS and any(printed for _, printed in pairs):
        names = finding.names or ("",) * len(pairs)
        return "; ".join(
            f"{f'{name}: ' if name else ''}{format_briefly(found)} (printed "
            f"{format_briefly(printed)})"
            for name, (found, printed) in zip(names, pairs, strict=True)
        )
    off = max(0.0 if found == printed else abs(found - printed) for found, printed in pairs)
    points = f"{len(pairs):,} points" if len(pairs) > 1 else "the one point"
    if not off:
        return f"exact at {points}"
    return f"off by {'at most' if finding.holds else 'up to'} {format_briefly(off)} at {points}"


def _describe_range(
    ends: tuple[float, float], form: Callable[[float], str], between: str = "between {} and {}"
) -> str:
    """Describe between what a number has to be; one of the ends may be infinite."""
    low, high = map(form, ends)
    if ends[0] == -math.inf:
        return f"at most {high}"
    return f"at least {low}" if ends[1] == math.inf else between.format(low, high)


def describe_example(example: Example) -> str:
    """Describe a case by its numbers, and what stood there."""
    case = "; ".join(f"{name}: {_format_value(each)}" for name, each in example.numbers.items())
    if example.right is True:
        return case
    left, right = map(_format_value, (example.left, example.right))
    relation = RELATIONS[example.relation]
    words = f"{left} {relation if example.holds else f'is not {relation}'} {right}"
    return f"{case}: {words}" if case else words


def describe_margin(margin: Margin) -> str:
    """Describe by how much numbers may be off, and why; ``-`` without a reason."""
    return f"{format_margin(margin) or 0} ({margin.why})" if margin.why else "-"


def format_margin(margin: Margin) -> str:
    """Format by how much numbers may be off; "" for nothing."""
    if not margin.size:
        return ""
    return f"{100 * margin.size:.3g}%" if margin.relative else format_number(margin.size)


def describe_decision(decision: Decision, finding: Finding) -> str:
    """Describe why a finding does not hold, or leaves open whether it does; "" where it holds."""
    if decision.verdict is Verdict.REPRODUCED:
        return ""
    interval = f"{decision.where}: {' to '.join(map(format_number, decision.interval or ()))}"
    match decision.why:
        case None if decision.interval:
            return interval
        case None:
            example = finding.example and f"; the first: {describe_example(finding.example)}"
            return f"{describe_found(finding)}, where {describe_wanted(finding)} is wanted" + (
                f"{example}" if example else ""
            )
        case Why.VACUOUS:
            return (
                f"{finding.sharp:,} of {finding.cases:,} cases could have failed, and "
                f"{finding.sharp_wanted:,} are wanted"
            )
        case Why.NO_INTERVAL:
            return f"{decision.where}: no interval, for want of enough homes"
        case Why.INTERVAL:
            return f"the interval holds both answers: {interval}"
    raise ValueError(f"no words for {decision.why!r}")


def describe_missing(statement: Statement, missing: Iterable[Missing]) -> str:
    """Describe why a statement was not tested, and what would test it."""
    missing = list(missing)
    sentences = [
        LACKS[each.lack].format(
            table=each.table,
            what=each.what,
            found=each.found,
            wanted=_describe_range(json.loads(each.wanted), str, "one between {} and {}")
            if each.lack is Lack.PRECISION
            else each.wanted,
        )
        for each in missing
    ]
    if any(each.lack in _OF_DATA for each in missing):
        command, used = f"make paper TARGET={statement.paper.name}", statement.paper.data
        files = ", ".join(
            f"{name}/{used[name].paper[0]}" if used[name].paper else f"the folder {name}"
            for name in dict.fromkeys([each.what for each in missing if each.lack in _OF_DATA])
        )
        sentences.append(
            f"To test it: {command} DATA=FOLDER, where FOLDER holds {files}; or {command}, which "
            "downloads (data/README.md)."
        )
    return " ".join(dict.fromkeys(sentences))


def describe_kind(entry: Entry) -> str:
    """Describe what makes corrected words what they are; "" where they simply fail."""
    correction = entry.correction
    if entry.kind is Kind.ASIDE:
        return f"it fails in a reading that the paper excludes: {entry.statement.aside}"
    if correction is None or entry.kind in (None, Kind.FAILS):
        return ""
    if entry.kind is Kind.ELSEWHERE and correction.same_as is not None:
        return f"the fault is that of {correction.same_as.where}"
    cause = correction.cause
    texts = [words.format(said) for name, words in SAID.items() if (said := getattr(cause, name))]
    return "; ".join([*texts, *([TRANSCRIBED] if entry.statement.transcribed else [])])


def describe_data(entry: Entry) -> str:
    """Describe on what a statement was judged."""
    used = entry.statement.used
    texts: list[str] = []
    for kind in entry.data_kinds:
        if kind is DataKind.STAND_IN and not entry.tested.data:
            texts.append(f"stand-in: {used[entry.statement.stand_in].stand_in}")
        elif kind is DataKind.STAND_IN:
            texts += [
                f"stand-in: {used[each.dataset].stand_in}"
                for each in entry.tested.data
                if each.is_public and each.file not in used[each.dataset].paper
            ]
        elif kind is DataKind.OTHER:
            texts += [
                f"{each.dataset} ({each.tier})"
                for each in entry.tested.data
                if each.dataset not in used or not each.is_public
            ]
        else:
            texts.append(DATA[kind])
    return "; ".join(dict.fromkeys(texts))


def format_number(number: float) -> str:
    """Format a number with six digits, or with all digits of an integer."""
    number = float(number)
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return f"{number:.6g}"


def format_briefly(number: float) -> str:
    """Format a number with three digits; an integer with all of them, by thousands."""
    number = float(number)
    if not math.isfinite(number):
        return f"{'-' if number < 0 else ''}{'infinity' if math.isinf(number) else 'no number'}"
    if number.is_integer() and abs(number) < 1e15:
        return f"{int(number):,}"
    return f"{number:.3g}" if abs(number) < 1000 else f"{number:,.0f}"


def _format_value(value: object) -> str:
    return format_number(value) if isinstance(value, float) else str(value)


def _list_named(names: Sequence[str], numbers: Sequence[float]) -> str:
    """List numbers with their names, and how many there are if that is more than a line holds."""
    pairs = zip(names, numbers, strict=True)
    texts = [f"{name}: {format_number(number)}" for name, number in pairs]
    more = f"; ... ({len(texts)} in all)" if len(texts) > _MAX_LISTED else ""
    return "; ".join(texts[:_MAX_LISTED]) + more
