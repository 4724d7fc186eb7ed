"""Verdicts on the papers' claims: each claim is compared with its tables and gets one verdict.

1. A claim is ``not tested`` whose table was not made, was made with other settings than the paper's
   (``presumes``) or lacks the claim's cell, or whose needed data is not the real public data; its
   note says what would test it.
2. Its check runs as printed: rows are selected, reduced, and held against what the paper says.
   It passes (``reproduced``) or fails (``differs``).  Where intervals are judged, all of a paper
   are widened to hold together (:mod:`noiseless.statements.intervals`); those on a set of homes
   that stands in for the paper's are a family of their own, so that one set changes no verdict on
   another.  A claim ``differs`` if its wide interval lies outside what is printed, so that not one
   of a family does by chance.  It is ``reproduced`` if a printed range holds the wide interval, or
   a printed number lies in the narrow one: widening must not make agreement easier.  Between the
   two it is ``inconclusive``.
3. A claim with an erratum that fails as printed, and whose corrected check passes, is
   ``corrected``.  So must the check of the most favourable reading, where there is one: it holds
   by how much the claim fails in that reading.
4. A check that demands a number of cases which could have failed, and has fewer, is
   ``inconclusive``; so is a claim that presupposes another, which is not reproduced, and one
   whose verdict changes with the seed or with the homes, where a table of
   :mod:`noiseless.ledger.robustness` says so.  The note names the settings that say how precise
   its tables are.

Numbers are compared as exact rationals of the decimals that they print as, so that 0.4 is within
0.1 of 0.3 whatever their binary fractions; a NaN never passes.  A claims file that asks for rows
or columns which are not there is an error, never a verdict.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from noiseless.errors import ConfigError
from noiseless.ledger.claims import (
    RUN_KEYS,
    Bounds,
    Cell,
    Check,
    Claim,
    ExpectedEntries,
    Order,
    Tolerance,
    check_tables,
)
from noiseless.settings import is_precision, suggest_name
from noiseless.statements.intervals import ALPHA, compute_widening, widen_interval
from noiseless.tables import REFUSED_COLUMN, Provenance, Source

REPRODUCED = "reproduced"
CORRECTED = "corrected"
DIFFERS = "differs"
INCONCLUSIVE = "inconclusive"
NOT_TESTED = "not tested"
VERDICTS = (REPRODUCED, CORRECTED, DIFFERS, INCONCLUSIVE, NOT_TESTED)

COLUMNS = (
    "id",
    "paper",
    "category",
    "statement",
    "locator",
    "reading",
    "quote",
    "claim",
    "expected",
    "observed",
    "tolerance",
    "verdict",
    "kind",
    "because",
    "data",
    "stands_in",
    "tier",
    "dataset",
    "chance",
    "noticed",
    "note",
)

_VALUE_COLUMNS = ("value", "low", "high")
_NON_KEY_COLUMNS = (*_VALUE_COLUMNS, "over")  # columns that are no keys of a row
_REDUCTIONS: dict[str, Callable[[NDArray[np.float64]], float]] = {
    **{"max": np.max, "min": np.min, "sum": np.sum, "mean": np.mean, "count": len}
}
_MAX_LISTED_VALUES = 8  # the largest number of values that a text lists
_LOWER, _UPPER = "the interval's lower end ", "the interval's upper end "
_MIN_SHOWN_CHANCE = 1e-4  # the smallest chance that a text shows as a number
_NO_SIZES = frozenset({*RUN_KEYS, "plugins"})
_MAX_SHOWN_FAILURES = 3  # the largest number of failing rows that a note describes

_Tables = Mapping[str, tuple[pd.DataFrame, Provenance]]
_IntervalEnds = tuple[float, float]
_Deviations = list[tuple[float, str]]  # distances of numbers from their bounds, each with its text


class _MissingCell(ConfigError):
    """Error about a table that has no row of the cell that a claim is about."""


@dataclass(frozen=True)
class _Outcome:
    """Outcome of a check: what was observed, its failure or doubt, and its error rates.

    ``failure`` says how the check fails, ``doubt`` why it neither fails nor passes for certain;
    both are empty if it passes.
    ``noticed`` is the smallest deviation that fails, ``chance`` how likely one of the check's
    intervals misses what it estimates, at most.
    """

    observed: str
    failure: str
    doubt: str = ""
    noticed: str = "-"
    chance: float = 0.0

    @property
    def verdict(self) -> str:
        if self.failure:
            return DIFFERS
        return INCONCLUSIVE if self.doubt else REPRODUCED

    @property
    def why(self) -> str:
        return self.failure or self.doubt


@dataclass(frozen=True)
class _Comparison:
    """Comparison of one number, or of its interval, with the bounds that it must lie in.

    ``intervals`` are the one that holds by itself, and the wide one, which holds together with all
    others of the family.
    """

    label: str
    value: float
    bounds: Bounds
    intervals: tuple[_IntervalEnds, _IntervalEnds] | None = None

    def __str__(self) -> str:
        text = _format_number(self.value)
        if self.intervals is not None:
            narrow, wide = map(_format_interval, self.intervals)
            text += f" {narrow}"
            if wide != narrow:
                text += f", together with all others {wide}"
        return f"{self.label}: {text}" if self.label else text


def judge_claims(
    claims: Iterable[Claim],
    tables: _Tables,
    *,
    known_tables: Collection[str] | None = None,
    left_out: Mapping[str, str] | None = None,
    flips: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Judge claims by their tables; return the ledger, one row and one verdict per claim.

    Parameters
    ----------
    claims : iterable of Claim
        The claims to judge, in the order of the ledger's rows.
    tables : mapping of str to (DataFrame, Provenance)
        The tables of this run, by name (``<paper>/<name>``), as
        :func:`~noiseless.tables.read_table` gives them.
    known_tables : collection of str, optional
        Names of all tables of this run.  A claim on any other that is not left out is then an
        error; without it, a misspelt table looks like one whose experiment was switched off.
    left_out : mapping of str to str, optional
        The dataset, or the set of data, behind each table that this run leaves out, by name.
    flips : mapping of str to str, optional
        What the verdict of a claim depends on, by the claim's id; see
        :func:`noiseless.ledger.robustness.describe_verdict_changes`.

    Returns
    -------
    DataFrame
        The columns :data:`COLUMNS`, all text, in the order of ``claims``.

        - ``category``: ``paper``, or ``own`` for a statement of this project's.
        - ``expected``, ``tolerance``: what the paper prints, and how near counts.
        - ``observed``: what the check as printed found; ``-`` where it was not tested.
        - ``verdict``: ``reproduced``; ``differs``; ``corrected``: fails as printed, while the
          erratum's check passes; ``inconclusive``: an interval holds both answers, the check could
          not have failed, or the verdict depends on the seed or the homes; ``not tested``.
        - ``kind``, ``because``: what is wrong with words that were corrected, and why it is called
          so (:mod:`noiseless.statements.sentences`); ``-`` otherwise.
        - ``statement``: what :mod:`noiseless.ledger.statements` puts together.
        - ``data``: ``none``; ``sample``, or ``sample of a stand-in`` where the paper's own data are
          of another dataset; ``the paper's``; ``stand-in: ...``; ``-`` without a table.
        - ``stands_in``: ``yes`` where these data stand in for the paper's; ``no`` otherwise.
        - ``tier``, ``dataset``: of the tables used; ``-`` where they are computed without data.
        - ``noticed``: by how much the truth must be off for ``differs`` to be likelier than not,
          and how likely ``reproduced`` is then; of an exact claim, what it tolerates.
        - ``chance``: how likely an interval of the claim misses what it estimates, at most; ``0``
          for an exact claim.  The sum over a paper bounds the number of false ``differs`` in it,
          and so does that over a set of homes that stands in.
        - ``note``: by how much a claim differs, what holds instead, or why it was not tested.

    Raises
    ------
    ConfigError
        If a check names a column or a value which its table does not have, or selects too many
        rows; names the file and the claim.

    Notes
    -----
    A needed dataset must be among the sources of the claim's tables, and everywhere be the real
    public data (:attr:`noiseless.tables.Source.is_public`).
    """
    claims, left_out = list(claims), left_out or {}
    if known_tables is not None:
        check_tables(claims, {*known_tables, *left_out})
    untested = {claim.id: _explain_untested(claim, tables, left_out) for claim in claims}
    compared = _count_intervals([claim for claim in claims if not untested[claim.id]], tables)
    rows = [
        _judge_claim(claim, tables, untested[claim.id], compared, flips or {}, left_out)
        for claim in claims
    ]
    verdicts = {row["id"]: row["verdict"] for row in rows}
    for claim, row in zip(claims, rows, strict=True):
        _apply_presupposition(claim, row, verdicts)
    return pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)


def _apply_presupposition(claim: Claim, row: dict[str, str], verdicts: Mapping[str, str]) -> None:
    """Set the verdict in ``row`` to inconclusive if the presupposed claim is not reproduced."""
    found = verdicts.get(claim.presupposes)
    if found in (None, REPRODUCED) or row["verdict"] == NOT_TESTED:
        return
    row["note"] = (
        f"By itself: {row['verdict']}. But it presupposes {claim.presupposes}, which is {found}. "
        f"{row['note']}"
    ).strip()
    row["verdict"] = INCONCLUSIVE


def _explain_untested(claim: Claim, tables: _Tables, left_out: Mapping[str, str]) -> str:
    """Explain why a claim cannot be tested, and what would test it; "" if it can be tested."""
    used = {name: tables[name][1] for name in claim.tables if name in tables}
    absent = dict.fromkeys(left_out[name] for name in claim.tables if name in left_out)
    if claim.stand_in and not used:
        absent = {claim.data_set: None}
    if absent:
        return (
            f"The data of {' and '.join(absent)} were left out. To test it: make paper "
            f"TARGET={claim.paper} DATA=FOLDER, where FOLDER holds {_list_files(claim, absent)} "
            "(data/README.md)."
        )
    reasons = [
        f"There is no table {name}; its experiment was switched off. To make it: "
        f".venv/bin/snakemake --cores 2 --configfile config/config.yaml -- "
        f"results/tables/{name}.parquet"
        for name in claim.tables
        if name not in tables
    ]
    reasons += [
        f"{name} could not be made: {tables[name][0][REFUSED_COLUMN].iloc[0]}"
        for name in used
        if REFUSED_COLUMN in tables[name][0]
    ]
    reasons += _find_other_settings(claim, used)
    if used and (missing := _explain_missing_data(claim, used)):
        reasons += [*missing, _format_test_command(claim)]
    if not reasons and (missing := _find_missing_cells(claim, tables)):
        reasons = [*missing, describe_sizes(used.values(), claim.sizes.union(claim.limits))]
    return " ".join(filter(None, reasons))


def _find_missing_cells(claim: Claim, tables: _Tables) -> list[str]:
    """List the cells of a claim that the tables of this run lack, in a sentence each.

    A test holds that the tables of a complete run lack none, so that a misspelt cell is noticed.
    """
    reasons = []
    for check in claim.checks:
        try:
            with _add_error_context(claim, check):
                rows = _select_rows(tables[check.table][0], check.cells)
                _check_several_points(check, rows)
        except _MissingCell as error:
            reasons.append(
                f"Of {check.table}, {error}: give the grid of its experiment in the configuration "
                "the cell that the claim is about."
            )
    return reasons


def _check_several_points(check: Check, rows: pd.DataFrame) -> None:
    """Refuse a grid of one point, on which no order along it can be tested."""
    match check.relation:
        case Order(along=along) if along in rows and along not in check.cells:
            points = rows[along].unique()
            if len(points) == 1 and pd.api.types.is_numeric_dtype(points):
                raise _MissingCell(f"all rows have {along} = {_format_cell(points[0])}")


def _find_other_settings(claim: Claim, used: Mapping[str, Provenance]) -> list[str]:
    """List the tables that were made with other settings than the paper's, a sentence each."""
    reasons = []
    for name, provenance in used.items():
        for key, value in json.loads(provenance.settings):
            if key in claim.presumes:
                if value != claim.presumes[key]:
                    reasons.append(
                        f"{name} was made with {key} = {json.dumps(value)}; the paper's is "
                        f"{json.dumps(claim.presumes[key])}."
                    )
            elif key in claim.limits:
                if not _is_within(value, claim.limits[key]):
                    reasons.append(
                        f"{name} was made with {key} = {json.dumps(value)}, too coarse for a "
                        f"verdict, which asks for {_format_limit(claim.limits[key])}."
                    )
            elif key not in claim.sizes:
                reasons.append(
                    f"{name} was made with {key}, of which {claim.source} says neither what "
                    "the paper's value is (`presumes`), nor how precise it must be (`limits`), nor "
                    "that any will do (`sizes`)."
                )
    return list(dict.fromkeys(reasons))


def describe_precision(used: Iterable[Provenance]) -> str:
    """Describe how precise tables are, by the settings that they record; "" if none says so."""
    return _describe_settings(used, is_precision, "The precision of its tables")


def describe_sizes(used: Iterable[Provenance], sizes: Collection[str]) -> str:
    """Describe the sizes among the settings that tables record; "" without any."""
    return _describe_settings(
        used, (set(sizes) - _NO_SIZES).__contains__, "The sizes of its tables"
    )


def _describe_settings(
    used: Iterable[Provenance], is_chosen: Callable[[str], bool], what: str
) -> str:
    """Describe some of the settings that tables record, as a sentence; "" without any."""
    recorded = {
        key: value
        for provenance in used
        for key, value in json.loads(provenance.settings)
        if is_chosen(key)
    }
    listed = ", ".join(f"{key} = {json.dumps(value)}" for key, value in sorted(recorded.items()))
    return f"{what}: {listed}." if listed else ""


def _is_within(value: Any, limit: Bounds) -> bool:
    """Check whether a setting, or each of a list of them, is as precise as a limit asks."""
    return all(
        limit.low <= each <= limit.high for each in (value if isinstance(value, list) else [value])
    )


def _format_limit(limit: Bounds) -> str:
    """Format a limit, which has one finite end or two."""
    ends = (("at least", limit.low), ("at most", limit.high))
    return " and ".join(f"{word} {end:g}" for word, end in ends if math.isfinite(end))


def _explain_missing_data(claim: Claim, used: Mapping[str, Provenance]) -> list[str]:
    """List the reasons why tables lack the needed real data, in a sentence each; [] if none."""
    reasons = []
    for dataset in claim.needs:
        sources = [
            (name, source)
            for name, provenance in used.items()
            for source in provenance.sources
            if source.dataset == dataset
        ]
        if not sources:
            reasons.append(
                f"Needs the real data of {dataset}, which is not among the sources of "
                f"{' or '.join(used)}."
            )
        for name, source in sources:
            if source.tier == "sample":
                reasons.append(
                    f"Needs the real data of {dataset}, but {name} was computed on a sample."
                )
            elif not source.is_public:
                reasons.append(
                    f"Needs the public data of {dataset}, but {name} was computed on other data "
                    f"(sha256 {source.sha256[:8]}...): a file whose digest differs from the "
                    "registered one, or one that config/sources.yaml does not have."
                )
    return reasons


def _format_test_command(claim: Claim) -> str:
    """Format the command that would test a claim which needs real data, as a sentence."""
    command = f"make paper TARGET={claim.paper}"
    return (
        f"To test it: {command} DATA=FOLDER, where FOLDER holds {_list_files(claim, claim.needs)}; "
        f"or {command}, which downloads (data/README.md)."
    )


def _list_files(claim: Claim, datasets: Iterable[str]) -> str:
    """List a file for each dataset that a claim needs: the paper's, or else those of the set."""
    return ", ".join(
        f"{dataset}/{claim.used[dataset].paper[0]}"
        if dataset in claim.used and claim.used[dataset].paper
        else "them"
        if dataset == claim.stand_in
        else f"the folder {dataset}"
        for dataset in datasets
    )


def _count_intervals(claims: Iterable[Claim], tables: _Tables) -> Counter[tuple[str, str]]:
    """Count, by family, the intervals that are judged one by one and therefore widened."""
    compared: Counter[tuple[str, str]] = Counter()
    for claim in claims:
        for check in claim.checks:
            if check.interval and not check.interval.together:
                with _add_error_context(claim, check):
                    compared[claim.family] += len(_select_rows(tables[check.table][0], check.cells))
    return compared


def _compute_level(
    check: Check, table: pd.DataFrame, rows: int, compared: int
) -> tuple[float, float]:
    """Compute the widening factor of a check's intervals, and a bound on their chance to miss."""
    if check.interval is None:
        return 1.0, 0.0
    confidence = check.interval.confidence
    if check.interval.together:
        return 1.0, (1 - confidence) * min(
            1.0, rows / max(_count_family_intervals(check, table), 1)
        )
    return compute_widening(compared, confidence), ALPHA * rows / compared


def _count_family_intervals(check: Check, table: pd.DataFrame) -> int:
    """Count the intervals in a table that hold together with those of a check."""
    rows = table
    if "statistic" in check.where:
        rows = table[table["statistic"].isin(check.where["statistic"])]
    return int(rows["low"].notna().sum()) if "low" in rows else 0


@contextmanager
def _add_error_context(claim: Claim, check: Check) -> Iterator[None]:
    """Add the claim and the table to a ConfigError that is raised in this context."""
    try:
        yield
    except _MissingCell:
        raise
    except ConfigError as error:
        part = "" if check is claim.check else " (erratum)"
        raise ConfigError(
            f"{claim.source}: claim `{claim.id}`{part}, table {check.table}: {error}"
        ) from None


def _judge_claim(
    claim: Claim,
    tables: _Tables,
    untested: str,
    compared: Mapping[tuple[str, str], int],
    flips: Mapping[str, str],
    left_out: Mapping[str, str],
) -> dict[str, str]:
    """Judge one claim; return its row of the ledger as texts by column."""
    used = [tables[name][1] for name in claim.tables if name in tables]
    if any(name in left_out for name in claim.tables):
        used = []  # the others do not say on which data it would be judged
    sources = tuple(source for provenance in used for source in provenance.sources)
    if untested:
        printed, verdict, note = _Outcome("-", ""), NOT_TESTED, untested
    else:
        printed, verdict, note = _decide_verdict(claim, tables, compared[claim.family])
        if verdict == INCONCLUSIVE:
            note = f"{note} {describe_precision(used)}".strip()
        if claim.id in flips and verdict != INCONCLUSIVE:
            note = f"By itself: {verdict}. It depends on {flips[claim.id]}. {note}".strip()
            verdict = INCONCLUSIVE
        trusted = sorted(
            {each.dataset for each in sources if each.is_public and each.digest == "unknown"}
        )
        if claim.needs and trusted:
            note = (
                f"{note} Of {' and '.join(trusted)} no digest is known (for all files); taken for "
                "the public data on trust in the names."
            ).strip()
    data = Provenance(config="", sources=sources)
    return {
        "id": claim.id,
        "paper": claim.paper,
        "category": claim.category,
        "statement": claim.statement,
        "locator": claim.locator,
        "reading": claim.reading or "-",
        "quote": claim.quote or "-",
        "claim": claim.claim,
        "expected": _format_expected(claim.check),
        "observed": printed.observed,
        "tolerance": _format_tolerance(claim.check.tolerance),
        "verdict": verdict,
        "kind": "-",
        "because": "-",
        "data": _describe_data(claim, sources) if used else _describe_stand_in(claim) or "-",
        "stands_in": "yes" if _is_stand_in(claim, sources, bool(used)) else "no",
        "tier": data.tier,
        "dataset": data.dataset,
        "chance": f"{printed.chance:.2g}",
        "noticed": printed.noticed,
        "note": note,
    }


def _describe_data(claim: Claim, sources: Sequence[Source]) -> str:
    """Describe the kind of data that a claim was judged on, as in the column ``data``."""
    if not sources:
        return "none"
    if any(source.tier == "sample" for source in sources):
        # A dataset of which the paper used no file can only stand in for the paper's.
        apart = any(not claim.used[dataset].paper for dataset in claim.needs)
        return "sample of a stand-in" if apart else "sample"
    kinds: dict[str, None] = {}  # a set that keeps its order
    for source in sources:
        used = claim.used.get(source.dataset)
        if used is None or not source.is_public:
            kinds[f"{source.dataset} ({source.tier})"] = None
        elif source.file in used.paper:
            kinds["the paper's"] = None
        else:
            kinds[f"stand-in: {used.stand_in}"] = None
    return "; ".join(kinds)


def _is_stand_in(claim: Claim, sources: Sequence[Source], used: bool) -> bool:
    """Return whether the data that a claim was judged on stand in for the paper's."""
    if not used:
        return bool(claim.stand_in)
    if any(source.tier == "sample" for source in sources):
        return any(not claim.used[dataset].paper for dataset in claim.needs)
    return any(
        source.dataset in claim.used
        and source.is_public
        and source.file not in claim.used[source.dataset].paper
        for source in sources
    )


def _describe_stand_in(claim: Claim) -> str:
    """Describe what a claim's set of data stands in for; "" if the set is the paper's."""
    return f"stand-in: {claim.used[claim.data_set].stand_in}" if claim.stand_in else ""


def _decide_verdict(claim: Claim, tables: _Tables, compared: int) -> tuple[_Outcome, str, str]:
    """Decide the outcome as printed, verdict and note of a claim that has all of its tables."""
    printed = _run_check(claim, claim.check, tables, compared)
    verdict, note = printed.verdict, printed.why
    if claim.erratum is not None:
        tried = [(each, _run_check(claim, each, tables, compared)) for each in claim.erratum.checks]
        check, corrected = next((each for each in tried if each[1].why), tried[0])
        printed = replace(printed, chance=printed.chance + sum(each.chance for _, each in tried))
        found = f"expected {_format_expected(check)}, observed {corrected.observed}"
        if check.tolerance.why:
            found += f", tolerance {_format_tolerance(check.tolerance)}"
        as_printed = f"As printed: {_end_sentence(printed.why)}"
        if verdict == REPRODUCED:
            state = f"does not pass: {corrected.why}" if corrected.why else "passes too"
            note = f"The erratum did not show. Its own check ({found}) {state}"
        elif verdict == INCONCLUSIVE:
            note = f"{as_printed} The erratum's check: {found}"
        elif corrected.verdict == REPRODUCED:
            verdict, holds = CORRECTED, _end_sentence(claim.erratum.holds)
            note = f"{as_printed} What holds instead: {holds} Its check passes: {found}"
        elif corrected.verdict == INCONCLUSIVE:
            verdict = INCONCLUSIVE
            note = f"{as_printed} Of the erratum's check ({found}): {corrected.doubt}"
        else:
            note = f"{as_printed} The erratum's check ({found}) fails as well: {corrected.failure}"
    return printed, verdict, note and _end_sentence(note)


def _run_check(claim: Claim, check: Check, tables: _Tables, compared: int) -> _Outcome:
    """Run a check on its table; errors name the claim and the table."""
    table, provenance = tables[check.table]
    with _add_error_context(claim, check):
        rows = _select_rows(table, check.cells)
        ratio, chance = _compute_level(check, table, len(rows), compared)
        outcome = _evaluate_rows(check, rows, ratio)
        void = _explain_void(check, table)
        if void:
            void = f"{void} {describe_sizes([provenance], claim.sizes.union(claim.limits))}"
        doubt = f"{void} {outcome.doubt}".strip()
    return replace(outcome, doubt=doubt, chance=chance)


def _explain_void(check: Check, table: pd.DataFrame) -> str:
    """Explain why too few cases could have failed a check; "" if there were enough."""
    missing = []
    demands: list[tuple[dict[str, tuple[Cell, ...]], Mapping[str, float], str]] = [
        (check.cells, check.demands, "")
    ]
    for statement, least_of in check.demands_each.items():
        cells = {**check.cells, "statement": (statement,)}
        demands.append((cells, least_of, f" of `{statement}`"))
    for cells, least_of, whose in demands:
        for statistic, least in least_of.items():
            rows = _select_rows(table, {**cells, "statistic": (statistic,)})
            found = float(rows["value"].sum())
            if not found >= least:
                missing.append(
                    f"its `{statistic}`{whose} come to {_format_number(found)}, and "
                    f"{_format_number(least)} are demanded"
                )
    if not missing:
        return ""
    paper = check.table.split("/")[0]
    return (
        f"Vacuous: {'; '.join(missing)}. Enlarge the experiment's grid, in the section `{paper}` "
        "of the configuration."
    )


def _evaluate_rows(check: Check, rows: pd.DataFrame, ratio: float) -> _Outcome:
    """Evaluate a check on the rows that it selects, with intervals widened by ``ratio``."""
    relation = check.relation
    columns = _VALUE_COLUMNS if check.interval else ("value",)
    for column in columns:
        _check_column(rows, column)
        if not pd.api.types.is_numeric_dtype(rows[column]):
            raise ConfigError(f"its column `{column}` does not hold numbers.")
    if check.interval and isinstance(relation, Bounds):
        bare = rows["value"].notna() & rows[["low", "high"]].isna().all(axis=1)
        if bare.any():
            return _evaluate_bare_rows(check, rows, bare, ratio)
    # NaN is checked before rows are reduced or ordered: pandas drops it, and numpy cannot order it.
    empty = rows[list(columns)].isna().any(axis=1).sum()
    if empty:
        return _Outcome("NaN", f"{empty} of {len(rows)} selected rows hold NaN")
    match relation:
        case Order():
            return replace(
                _check_order(relation, rows, check.tolerance),
                noticed=_format_detectable_deviation([], check),
            )
        case ExpectedEntries():
            comparisons = _compare_with_entries(relation, rows, check, ratio)
            observed = "; ".join(map(str, comparisons))
        case Bounds():
            comparisons = _compare_with_bounds(relation, rows, check, ratio)
            observed = _format_observed(comparisons, check.reduce, len(rows))
    return _Outcome(
        observed,
        _format_deviations(
            comparisons, [_find_misses(each, check.tolerance) for each in comparisons], "fail"
        ),
        _format_deviations(
            comparisons, [_find_doubts(each, check.tolerance) for each in comparisons], "open"
        ),
        _format_detectable_deviation(comparisons, check),
    )


def _evaluate_bare_rows(
    check: Check, rows: pd.DataFrame, bare: pd.Series, ratio: float
) -> _Outcome:
    """Evaluate a check some of whose rows have no interval; only the other rows can fail it."""
    failure = "" if bare.all() else _evaluate_rows(check, rows[~bare], ratio).failure
    return _Outcome(
        _evaluate_rows(replace(check, interval=None), rows, ratio).observed,
        failure,
        f"{bare.sum()} of {len(rows)} selected rows have no interval, for want of enough homes "
        "that it could rest on",
    )


# Selecting rows -------------------------------------------------------------------------------


def _select_rows(table: pd.DataFrame, where: Mapping[str, Sequence[Cell]]) -> pd.DataFrame:
    """Select the rows with a wanted value in each column; every wanted value must occur."""
    rows = table
    for column, wanted in where.items():
        _check_column(table, column)
        rows = rows[
            rows[column].isin(
                [cell for want in wanted for cell in _find_matching_cells(table, column, want)]
            )
        ]
    for column, wanted in where.items():
        for want in wanted:
            if _find_matching_cells(rows, column, want):
                continue
            problem = "together with the rest of `where`"
            if not _find_matching_cells(table, column, want):
                cells = _format_list([repr(cell) for cell in table[column].unique().tolist()])
                problem = f"in its column `{column}`, which holds {cells}"
            raise _MissingCell(f"no row has {column} = {want!r} {problem}")
    if rows.empty:
        raise ConfigError("the table has no rows.")
    return rows


def _find_matching_cells(table: pd.DataFrame, column: str, wanted: Cell) -> list[Any]:
    """Find the values of a column that equal the wanted value, each once."""
    return [cell for cell in table[column].unique().tolist() if _is_same_cell(cell, wanted)]


def _is_same_cell(cell: Any, wanted: Cell) -> bool:
    """Return whether a cell of a table equals the wanted value, with True unequal to 1."""
    if isinstance(cell, bool) or isinstance(wanted, bool):
        return cell is wanted
    if isinstance(cell, int | float) and isinstance(wanted, int | float):
        return math.isclose(cell, wanted, rel_tol=1e-9)
    return type(cell) is type(wanted) and cell == wanted


def _check_column(table: pd.DataFrame, column: str) -> None:
    """Raise ConfigError unless a table has a column."""
    if column not in table.columns:
        raise ConfigError(
            f"it has no column `{column}`.{suggest_name(column, table.columns)} "
            f"Its columns: {', '.join(table.columns)}."
        )


def _build_labels(rows: pd.DataFrame) -> list[str]:
    """Build a label for each row from the key columns that vary, and their values."""
    varying = _find_varying_columns(rows, [c for c in rows.columns if c not in _NON_KEY_COLUMNS])
    return [
        ", ".join(f"{name} {_format_cell(cell)}" for name, cell in zip(varying, cells, strict=True))
        for cells in rows[varying].astype(object).to_numpy().tolist()
    ]


def _find_varying_columns(rows: pd.DataFrame, columns: Iterable[str]) -> list[str]:
    """Find the columns with more than one value."""
    return [column for column in columns if len(rows[column].unique()) > 1]


# Numbers against bounds -----------------------------------------------------------------------


def _compare_with_bounds(
    bounds: Bounds, rows: pd.DataFrame, check: Check, ratio: float
) -> list[_Comparison]:
    """Compare rows, or the number that they are reduced to, with bounds."""
    if check.reduce in _REDUCTIONS:
        return [_Comparison("", float(_REDUCTIONS[check.reduce](rows["value"].to_numpy())), bounds)]
    labels = _build_labels(rows)
    if check.reduce == "value":
        if len(rows) > 1:
            raise ConfigError(
                f"{len(rows)} rows match, but `reduce: value` is for one: {_format_list(labels)}. "
                "Say more in `where`, or choose another `reduce`."
            )
        labels = [""]
    return _compare_rows(rows, labels, bounds, check, ratio)


def _compare_with_entries(
    entries: ExpectedEntries, rows: pd.DataFrame, check: Check, ratio: float
) -> list[_Comparison]:
    """Compare rows with the number that is expected for each key."""
    comparisons = []
    for key, expected in entries.expected.items():
        matching = rows[[_is_same_cell(cell, key) for cell in rows[entries.column].tolist()]]
        if len(matching) > 1:
            raise ConfigError(
                f"{len(matching)} rows have {entries.column} = {key!r}, but `by` wants one for "
                f"each key: {_format_list(_build_labels(matching))}. Say more in `where`."
            )
        bounds, labels = Bounds(expected, expected), [_format_entry(entries.column, key)]
        comparisons += _compare_rows(matching, labels, bounds, check, ratio)
    return comparisons


def _compare_rows(
    rows: pd.DataFrame, labels: Sequence[str], bounds: Bounds, check: Check, ratio: float
) -> list[_Comparison]:
    """Compare each row with bounds, and its interval if the check judges intervals."""
    found = []
    for label, cells in zip(labels, rows.to_dict("records"), strict=True):
        intervals = None
        value = float(cells["value"])
        if check.interval:
            low, high = float(cells["low"]), float(cells["high"])
            wide = widen_interval(value, low, high, ratio) if low <= high else (low, high)
            intervals = (low, high), wide
        found.append(_Comparison(label, value, bounds, intervals))
    return found


def _format_deviations(
    comparisons: Sequence[_Comparison], found: Sequence[_Deviations], word: str
) -> str:
    """Format the deviations of all comparisons, the largest first; "" if there are none."""
    said = [
        (distance, f"{comparison.label}: {text}" if comparison.label else text)
        for comparison, each in zip(comparisons, found, strict=True)
        for distance, text in each
    ]
    if not said:
        return ""
    said.sort(key=lambda each: -each[0])
    text = "; ".join(text for _, text in said[:_MAX_SHOWN_FAILURES])
    if len(comparisons) > 1:
        text = f"{sum(map(bool, found))} of {len(comparisons)} {word}: {text}"
    if word == "open" and comparisons[0].bounds.low == comparisons[0].bounds.high:
        text = f"the interval of this claim alone does not hold it, the wide one does: {text}"
    elif word == "open":
        text = f"the interval holds both answers: {text}"
    return text + ("; and more" if len(said) > _MAX_SHOWN_FAILURES else "")


def _find_misses(comparison: _Comparison, tolerance: Tolerance) -> _Deviations:
    """Measure how far a number, or all of its wide interval, lies outside its bounds."""
    if comparison.intervals is None:
        return _measure_miss("", comparison.value, comparison.bounds, tolerance)
    return _measure_interval_miss(comparison.intervals[1], comparison.bounds, tolerance)


def _find_doubts(comparison: _Comparison, tolerance: Tolerance) -> _Deviations:
    """List why a comparison that does not miss may not hold either; [] without an interval.

    A wide interval may go beyond the bounds; a number may lie in the wide interval alone.
    """
    bounds = comparison.bounds
    if comparison.intervals is None or _find_misses(comparison, tolerance):
        return []
    narrow, (lower, upper) = comparison.intervals
    if bounds.low == bounds.high:
        return _measure_interval_miss(narrow, bounds, tolerance)
    return [
        *_measure_miss(_LOWER, lower, bounds, tolerance),
        *_measure_miss(_UPPER, upper, bounds, tolerance),
    ]


def _measure_interval_miss(
    interval: _IntervalEnds, bounds: Bounds, tolerance: Tolerance
) -> _Deviations:
    """Measure how far all of an interval lies outside the bounds; [] if they overlap."""
    lower, upper = interval
    if not lower <= upper:
        return [(math.inf, f"the interval {_format_interval(interval)} is turned round")]
    # An interval overlaps the bounds if it begins below their high end and ends above the low one.
    return [
        *_measure_miss(_LOWER, lower, replace(bounds, low=-math.inf), tolerance),
        *_measure_miss(_UPPER, upper, replace(bounds, high=math.inf), tolerance),
    ]


def _format_detectable_deviation(comparisons: Sequence[_Comparison], check: Check) -> str:
    """Format the smallest deviation that the check detects with probability 1/2 or more.

    A normal estimate would have to be off by half of the wide interval's width beyond what is
    printed and tolerated.  The largest deviation counts where there are several comparisons.
    """
    if check.interval is None:
        margin = _format_tolerance_size(check.tolerance)
        return f"more than {margin}" if margin else "any deviation"
    quantile = float(ndtri((1 + check.interval.confidence) / 2))
    found = []
    for each in comparisons:
        narrow, wide = ((high - low) / 2 for low, high in each.intervals or ((0, 0), (0, 0)))
        if narrow > 0:
            at = wide * quantile / narrow  # in standard deviations
            # A printed number is held by the narrow interval, a range holds the wide one.
            is_number = each.bounds.low == each.bounds.high
            least = quantile if is_number else -at
            chance = float(ndtr(least - at) - (ndtr(-quantile - at) if is_number else 0.0))
            found.append((wide, chance))
    if not found:
        return "-"
    margin = _format_tolerance_size(check.tolerance)
    wide, chance = max(found)
    beyond = f" beyond the tolerance of {margin}" if margin else ""
    often = (
        _format_percent(chance)
        if chance >= _MIN_SHOWN_CHANCE
        else f"less than {_format_percent(_MIN_SHOWN_CHANCE)}"
    )
    return f"{wide:.3g}{beyond} (then reproduced with a chance of {often})"


def _format_tolerance_size(tolerance: Tolerance) -> str:
    """Format the size of a tolerance without its reason; "" for no tolerance."""
    if tolerance.relative:
        return _format_percent(tolerance.relative)
    return _format_printed(tolerance.absolute) if tolerance.absolute else ""


def _measure_miss(name: str, number: float, bounds: Bounds, tolerance: Tolerance) -> _Deviations:
    """Measure how far a number is outside its bounds, with a text; [] if it is within."""
    exact = _to_exact(number)
    if not exact >= _to_exact(bounds.low) - _compute_margin(bounds.low, tolerance):
        side, bound = "below", bounds.low
    elif not exact <= _to_exact(bounds.high) + _compute_margin(bounds.high, tolerance):
        side, bound = "above", bounds.high
    else:
        return []
    distance = _compute_distance(number, bound)
    return [
        (
            distance,
            f"{name}{_format_number(number)} is {side} {_format_printed(bound)} "
            f"{_format_distance(distance, bound)}",
        )
    ]


def _to_exact(number: float) -> Fraction | float:
    """Convert a number to the exact decimal that it prints as; an infinity stays a float."""
    number = float(number)
    return _to_fraction(number) if math.isfinite(number) else number


def _to_fraction(number: float) -> Fraction:
    """Convert a finite number to the exact decimal that it prints as."""
    return Fraction(repr(float(number)))


def _compute_distance(one: float, other: float) -> float:
    """Compute the exact distance of two numbers, rounded once; infinite if one of them is."""
    if math.isfinite(one) and math.isfinite(other):
        return float(abs(_to_fraction(one) - _to_fraction(other)))
    return float(abs(one - other))


def _compute_margin(bound: float, tolerance: Tolerance) -> Fraction:
    """Compute the tolerance at a bound as an exact number; 0 at an infinite one."""
    if not math.isfinite(bound):
        return Fraction(0)
    relative = _to_fraction(tolerance.relative) * abs(_to_fraction(bound))
    return _to_fraction(tolerance.absolute) + relative


# Orderings ------------------------------------------------------------------------------------


def _check_order(order: Order, rows: pd.DataFrame, tolerance: Tolerance) -> _Outcome:
    """Evaluate the check of an order along a column, in each group of rows."""
    _check_column(rows, order.along)
    along = rows[order.along]
    if not pd.api.types.is_numeric_dtype(along) or along.isna().any():
        raise ConfigError(f"its column `{order.along}` is not numeric, so it has no order.")
    others = [c for c in rows.columns if c not in (order.along, *_NON_KEY_COLUMNS)]
    within = others if order.within is None else order.within
    for column in within:
        _check_column(rows, column)
    names = _find_varying_columns(rows, within)
    groups = [rows]
    if names:
        groups = [group for _, group in rows.groupby(names, sort=False, dropna=False)]
    found = (
        _find_first_break(order, each.sort_values(along.name), names, tolerance) for each in groups
    )
    breaks = list(filter(None, found))
    values = [_format_number(value) for value in rows.sort_values(order.along)["value"]]
    if not names and len(values) <= _MAX_LISTED_VALUES:
        observed = ", ".join(values)
    else:
        where = f" in {len(groups)} groups" if names else ""
        ends = f"{_format_number(rows['value'].min())} to {_format_number(rows['value'].max())}"
        observed = f"{ends} ({_format_row_count(len(rows))}{where})"
    if not breaks:
        return _Outcome(observed, "")
    count = f"{len(breaks)} of {len(groups)} groups break the order; " if names else ""
    return _Outcome(observed, f"{count}first break: {breaks[0]}")


def _find_first_break(
    order: Order, group: pd.DataFrame, names: Sequence[str], tolerance: Tolerance
) -> str:
    """Find the first pair of rows that breaks the order, as a text; "" if there is none."""
    label = ", ".join(f"{name} {_format_cell(group[name].iloc[0])}" for name in names)
    along = group[order.along].tolist()
    place = f" within {label}" if label else ""
    if len(group) < 2 or len(set(along)) < len(along):
        fault = "one row alone" if len(group) < 2 else "rows of equal place"
        raise ConfigError(
            f"there is {fault} along `{order.along}`{place}. Say more in `where`; or name in "
            f"`within` the columns that make a group, if another changes with `{order.along}`."
        )
    values = group["value"].astype(float).tolist()
    sign = 1 if order.rising else -1
    margin = Fraction(_to_exact(tolerance.absolute))
    # Against the furthest value so far, not the neighbour: many steps back, each within the
    # tolerance, must not add up to more than it.
    furthest = 0
    for later in range(1, len(values)):
        now, then = sign * values[later], sign * values[furthest]
        reached = _to_exact(now) + margin
        least = _to_exact(then) + Fraction(_to_exact(order.least))
        if reached < least or (order.strict and reached == least):
            pair = (
                f"{order.along} {_format_cell(along[furthest])} has "
                f"{_format_number(values[furthest])}, "
                f"{order.along} {_format_cell(along[later])} has {_format_number(values[later])}"
            )
            step = "an equal value"
            if now != then:
                side = "lower" if values[later] < values[furthest] else "higher"
                difference = _compute_distance(now, then)
                step = f"{side} {_format_distance(difference, values[furthest])}"
            if order.least:
                step += f", where more than {_format_printed(order.least)} is wanted"
            return f"{pair}, {step}{f' ({label})' if label else ''}"
        if now > then:
            furthest = later
    return ""


# Words ----------------------------------------------------------------------------------------


def _format_expected(check: Check) -> str:
    """Format the number, range or order that a check expects, as in the column ``expected``."""
    match check.relation:
        case Order(direction=direction, along=along):
            least = check.relation.least
            return f"{direction} along {along}" + (f" by {_format_printed(least)}" if least else "")
        case ExpectedEntries(column=column, expected=expected):
            return "; ".join(
                f"{_format_entry(column, key)}: {_format_printed(value)}"
                for key, value in expected.items()
            )
        case Bounds(low=low, high=high):
            if low == high:
                text = _format_printed(low)
            elif low == -math.inf:
                text = f"at most {_format_printed(high)}"
            elif high == math.inf:
                text = f"at least {_format_printed(low)}"
            else:
                text = f"between {_format_printed(low)} and {_format_printed(high)}"
    prefix = {"value": "", "all": "all rows "}.get(check.reduce, f"{check.reduce} ")
    return prefix + text


def _format_observed(comparisons: Sequence[_Comparison], reduce: str, rows: int) -> str:
    """Format the values of comparisons, as in the column ``observed``."""
    if reduce == "value":
        return str(comparisons[0])
    if reduce == "all":
        values = [comparison.value for comparison in comparisons]
        ends = dict.fromkeys((_format_number(min(values)), _format_number(max(values))))
        wide = [each.intervals[1] for each in comparisons if each.intervals]
        reach = ""
        if wide:
            lows, highs = zip(*wide, strict=True)
            reach = (
                f"; the intervals from {_format_number(min(lows))} to {_format_number(max(highs))}"
            )
        return f"{' to '.join(ends)} ({_format_row_count(rows)}{reach})"
    return f"{comparisons[0]} ({reduce} of {_format_row_count(rows)})"


def _format_interval(interval: _IntervalEnds) -> str:
    """Format an interval as [low, high]."""
    return f"[{_format_number(interval[0])}, {_format_number(interval[1])}]"


def _format_row_count(count: int) -> str:
    """Format a number of rows, such as "1 row"."""
    return f"{count} row" if count == 1 else f"{count} rows"


def _format_tolerance(tolerance: Tolerance) -> str:
    """Format a tolerance with its reason; "-" without a reason."""
    return f"{_format_tolerance_size(tolerance) or 0} ({tolerance.why})" if tolerance.why else "-"


def _format_distance(distance: float, reference: float) -> str:
    """Format a distance, absolute and relative to the number that it is measured from."""
    text = f"by {_format_number(distance)}"
    if reference and math.isfinite(reference):
        text += f" ({_format_percent(distance / abs(reference))})"
    return text


def _format_percent(share: float) -> str:
    """Format a share as a percentage, or as a factor if it is 10 or more."""
    return f"{100 * share:.3g}%" if share < 10 else f"{_format_number(float(f'{share:.3g}'))} times"


def _format_number(number: float) -> str:
    """Format a number of ours with six digits, or with all digits of an integer."""
    number = float(number)
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return f"{number:.6g}"


def _format_printed(number: float) -> str:
    """Format a number of the claims file with the digits that it has there."""
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(number)


def _format_cell(cell: Any) -> str:
    """Format a cell of a table, a number with six digits."""
    is_number = isinstance(cell, Real) and not isinstance(cell, bool)
    return _format_number(cell) if is_number else str(cell)


def _format_entry(column: str, key: Cell) -> str:
    """Format the key of one of several numbers: a text alone, other values with their column."""
    return key if isinstance(key, str) else f"{column} {_format_cell(key)}"


def _format_list(items: Sequence[str]) -> str:
    """Format the first items with semicolons between them, and the number of all if more."""
    shown = "; ".join(items[:_MAX_LISTED_VALUES])
    return shown + (f"; ... ({len(items)} in all)" if len(items) > _MAX_LISTED_VALUES else "")


def _end_sentence(text: str) -> str:
    """Return a text with a full stop at its end, unless it ends in a punctuation mark."""
    return text if text.endswith((".", "!", "?", ".)")) else f"{text}."
