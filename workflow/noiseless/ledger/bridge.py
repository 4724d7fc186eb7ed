"""Statements that are functions, in the shape that today's writers of ledger and pages read.

1. :func:`load_all_claims` gives the claims of all papers, of either form.
2. :func:`judge_paper` writes a paper's typed ledger, and the same in words as today's ledger.

A page that reads statements themselves needs neither.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from noiseless.files import index_paths
from noiseless.ledger.claims import (
    RUN_KEYS,
    Bounds,
    Check,
    Claim,
    DataUse,
    Decided,
    Erratum,
    FavourableCase,
    check_claims,
    load_paper_claims,
)
from noiseless.ledger.judge import COLUMNS, describe_precision, describe_sizes
from noiseless.ledger.robustness import (
    build_robustness_table,
    describe_verdict_changes,
    find_touched_tables,
)
from noiseless.statements import words
from noiseless.statements.findings import Wanted
from noiseless.statements.registry import (
    Correction,
    Drawn,
    Kind,
    Paper,
    Statement,
    load_sections,
)
from noiseless.statements.running import Lack, read_findings
from noiseless.statements.verdicts import Entry, Verdict, build_ledger, judge
from noiseless.tables import Provenance, derive_provenance, read_table, write_table

CLAIMS, SECTIONS = "claims.yaml", "section_*.py"
_SEED = "the seed of universes"  # beside the names of tables that a variant changes


@dataclass(frozen=True)
class StatedClaim(Claim):
    """Claim that a function decides.

    Attributes
    ----------
    experiments : tuple of str
        Names of the experiments' tables that the function and its corrections look at.
    is_seeded : bool
        Whether some of its cases are drawn with the run's seed.
    draws : tuple of Drawn
        The printed numbers that its figure draws.
    transcribed : bool
        Whether what is wrong may be a slip of the copy of the text that was read.
    """

    experiments: tuple[str, ...] = field(default=(), kw_only=True)
    is_seeded: bool = field(default=False, kw_only=True)
    draws: tuple[Drawn, ...] = field(default=(), kw_only=True)
    transcribed: bool = field(default=False, kw_only=True)

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that the claim uses, each once."""
        return self.experiments


def list_stated_papers(folder: str | Path) -> list[str]:
    """List the papers of a folder whose statements are functions."""
    return sorted({path.parent.name for path in Path(folder).glob(f"*/{SECTIONS}")})


def load_all_claims(folder: str | Path) -> tuple[Claim, ...]:
    """Load the claims of all papers in a folder, in the order of the papers' names.

    Raises
    ------
    ConfigError
        If a claims file breaks the format, or claims do not fit together.
    """
    stated = list_stated_papers(folder)
    names = {path.parent.name for path in Path(folder).glob(f"*/{CLAIMS}")}
    claims: list[Claim] = []
    for name in sorted(names | set(stated)):
        claims += load_folder_claims(Path(folder) / name)
    return check_claims(claims)


def load_folder_claims(folder: str | Path) -> tuple[Claim, ...]:
    """Load the claims of one paper, from its folder; of either form."""
    folder = Path(folder)
    if folder.name in list_stated_papers(folder.parent):
        return tuple(build_claim(each) for each in load_sections(folder.name).statements)
    return load_paper_claims(folder / CLAIMS)


def build_claim(statement: Statement) -> StatedClaim:
    """Build the claim of a statement, whose check is its function."""
    paper = statement.paper
    correction = next((each for each in statement.corrections if not each.reading), None)
    return StatedClaim(
        id=statement.id,
        paper=paper.name,
        title=paper.title,
        locator=statement.where,
        claim=statement.says or statement.computes,
        check=_build_check(paper, statement.check),
        needs=statement.needs,
        quote=statement.quote,
        cut=statement.cut,
        prints=statement.prints,
        category=str(statement.category),
        statement=statement.group,
        reading=statement.reading,
        presupposes=statement.presupposes.id if statement.presupposes else "",
        used={name: DataUse(use.paper, use.stand_in) for name, use in paper.data.items()},
        figure=statement.figure or None,
        erratum=_build_erratum(statement, correction) if correction else None,
        source=f"papers/{paper.name}/__init__.py",
        presumes={**paper.presumes, **statement.presumes},
        limits={key: Bounds(*ends) for key, ends in paper.limits.items()},
        sizes=frozenset(paper.sizes) | RUN_KEYS,
        experiments=tuple(each.name for each in statement.tables),
        is_seeded=any(each.is_seeded for each in statement.universes),
        draws=statement.draws,
        transcribed=statement.transcribed,
        data_set=statement.data_set,
    )


def _build_check(paper: Paper, function: Any) -> Check:
    """Build the check that a function is."""
    return Check(f"ledger/{paper.name}", Decided(function.__module__, function.__name__))


def _build_erratum(statement: Statement, correction: Correction) -> Erratum:
    """Build the erratum of a statement from its corrections."""
    proof = f" (Proof: docs/proofs/{statement.paper.name}.md#{correction.proof}.)"
    return Erratum(
        wrong=_end_sentence(correction.fails),
        holds=_end_sentence(correction.holds_instead) + (proof if correction.proof else ""),
        check=_build_check(statement.paper, correction.check),
        friendliest=_find_favourable_case(statement),
        slip=_describe_slip(correction),
        same_as=correction.same_as.id if correction.same_as else "",
    )


def _find_favourable_case(statement: Statement) -> FavourableCase | None:
    """Find the most favourable case that was tried: one with a check of its own before others."""
    for each in statement.corrections:
        if each.reading:
            return FavourableCase("reading", each.reading)
    for each in reversed(statement.corrections):
        if each.premise:
            return FavourableCase("premise", each.premise)
        if each.true_if:
            return FavourableCase("reading", each.true_if)
        if each.tried:
            return FavourableCase("counter_example", each.tried)
        if each.right_at:
            return FavourableCase("misprint", f"the right form is printed at {each.right_at}")
        if each.main_clause:
            return FavourableCase("misprint", f"true all the same: {each.main_clause}")
        if each.same_as:
            return _find_favourable_case(each.same_as)
    return None


def _describe_slip(correction: Correction) -> str:
    """Describe what a slip leaves standing, or whose fault it is; "" for any other kind."""
    if correction.kind is Kind.ELSEWHERE and correction.same_as is not None:
        return f"the fault is that of {correction.same_as.where}"
    return correction.cause.stands if correction.kind is Kind.SLIP else ""


def judge_paper(
    paper: str,
    findings: str | Path,
    *,
    typed: str | Path,
    ledger: str | Path,
    code: str,
    tables: Iterable[str | Path] = (),
    robustness: str | Path | None = None,
) -> None:
    """Judge the findings on a paper; write its typed ledger, and the same in words.

    Parameters
    ----------
    paper : str
        Name of the paper.
    findings : path
        From :func:`noiseless.statements.running.check_paper`.
    typed, ledger : path
        The Parquet files to write.
    code : str
        Digest of the code, for the provenance.
    tables : iterable of path
        The experiments' tables behind the findings, for the provenance.
    robustness : path, optional
        The paper's table of :mod:`noiseless.ledger.robustness`.
    """
    paths = index_paths(map(str, tables))
    provenances = {name: read_table(path)[1] for name, path in paths.items()}
    inputs = [*provenances.values()]
    flips: Mapping[str, str] = {}
    if robustness is not None:
        changes, provenance = read_table(robustness)
        flips = describe_verdict_changes(changes)
        inputs.append(provenance)
    entries = judge_findings(paper, findings, flips)
    provenance = derive_provenance({}, code, inputs=inputs)
    write_table(build_ledger(entries), typed, provenance)
    write_table(describe_ledger(entries, provenances), ledger, provenance)


def judge_findings(
    paper: str, findings: str | Path, flips: Mapping[str, str] | None = None
) -> list[Entry]:
    """Judge what :func:`noiseless.statements.running.check_paper` wrote."""
    tested = {each.id: each for each in read_findings(findings)}
    return judge(load_sections(paper).statements, tested, flips)


def describe_ledger(
    entries: Iterable[Entry], tables: Mapping[str, Provenance] | None = None
) -> pd.DataFrame:
    """Describe verdicts in the columns of today's ledger, all text.

    Parameters
    ----------
    entries : iterable of Entry
        The verdicts.
    tables : mapping of str to Provenance, optional
        Of the experiments' tables, by name: a verdict that is open names their precisions.
    """
    entries = list(entries)
    rows = [_describe_entry(each) for each in entries]
    for entry, row in zip(entries, rows, strict=True):
        row["note"] = f"{row['note']} {_describe_precision(entry, tables or {})}".strip()
    return pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)


def write_robustness(
    paper: str,
    findings: str | Path,
    *,
    tables: Mapping[str, str | Path],
    varied: Mapping[str, Mapping[str, str | Path]],
    ledgers: Mapping[str, str | Path],
    output: str | Path,
    code: str,
) -> None:
    """Write a paper's table of robustness as Parquet (:mod:`noiseless.ledger.robustness`).

    Parameters
    ----------
    paper, findings
        The paper, and what its statements found in the run itself.
    tables, varied, ledgers, output, code
        As for :func:`noiseless.ledger.robustness.write_robustness`.
    """
    touched = find_touched_tables(tables, varied)
    for variant, names in touched.items():
        if Path(variant).name.startswith("seed_"):
            names.add(_SEED)
    claims = [
        replace(claim, experiments=(*claim.experiments, *([_SEED] if claim.is_seeded else [])))
        for claim in map(build_claim, load_sections(paper).statements)
    ]
    judged = {variant: read_table(path) for variant, path in ledgers.items()}
    table = build_robustness_table(
        claims,
        describe_ledger(judge_findings(paper, findings)),
        {variant: ledger for variant, (ledger, _) in judged.items()},
        touched,
    )
    inputs = [provenance for _, provenance in judged.values()]
    inputs += [read_table(path)[1] for path in tables.values()]
    write_table(table, output, derive_provenance({}, code, inputs=inputs))


def _describe_entry(entry: Entry) -> dict[str, str]:
    """Describe a statement's verdict as a row of today's ledger."""
    statement, tested, printed = entry.statement, entry.tested, entry.tested.printed
    claim, data = build_claim(statement), Provenance(config="", sources=tested.data)
    return {
        "id": claim.id,
        "paper": claim.paper,
        "category": claim.category,
        "statement": claim.statement,
        "locator": claim.locator,
        "reading": claim.reading or "-",
        "quote": claim.quote or "-",
        "claim": claim.claim,
        "expected": words.describe_wanted(printed) if printed else "-",
        "observed": words.describe_found(printed) if printed else "-",
        "tolerance": words.describe_margin(printed.within) if printed else "-",
        "verdict": str(entry.verdict),
        "kind": str(entry.kind or "-"),
        "because": words.describe_kind(entry) or "-",
        "data": words.describe_data(entry),
        "stands_in": "yes" if entry.stands_in else "no",
        "tier": data.tier,
        "dataset": data.dataset,
        "chance": f"{entry.chance:.2g}",
        "noticed": _describe_noticed(entry),
        "note": _describe_note(entry, claim),
    }


def _describe_noticed(entry: Entry) -> str:
    """Describe which deviation an exact check would notice."""
    printed = entry.tested.printed
    if printed is None or printed.wanted is Wanted.INTERVALS_WITHIN:
        return "-"
    margin = words.format_margin(printed.within)
    return f"more than {margin}" if margin else "any deviation"


def _describe_precision(entry: Entry, tables: Mapping[str, Provenance]) -> str:
    """Describe how precise the tables and cases are behind a verdict that is open by itself."""
    statement = entry.statement
    used = [tables[each.name] for each in statement.tables if each.name in tables]
    if any(each.lack is Lack.CELL for each in entry.tested.missing):
        return describe_sizes(used, {*statement.paper.sizes, *statement.paper.limits})
    if entry.verdict is not Verdict.INCONCLUSIVE or entry.by_itself:
        return ""
    text = describe_precision(used)
    sizes = [
        f"statements.{statement.paper.name}.{universe.name}.{size}"
        for universe in statement.universes
        for size in universe.smoke
    ]
    return f"{text} The sizes of its cases: {', '.join(sizes)}.".strip() if sizes else text


def _describe_note(entry: Entry, claim: Claim) -> str:
    """Describe what holds instead, or why a statement was not tested or is open."""
    tested = entry.tested
    if entry.verdict is Verdict.ERROR:
        return f"Its check could not be run: {_end_sentence(tested.error)}"
    if tested.printed is None:
        return words.describe_missing(entry.statement, tested.missing)
    printed, *others = entry.decisions
    text = words.describe_decision(printed, tested.printed)
    note = _end_sentence(text) if text else ""
    if claim.erratum and printed.verdict is Verdict.REPRODUCED:
        note = "The erratum did not show: the words hold as printed."
    elif claim.erratum:
        note = f"As printed: {note} What holds instead: {claim.erratum.holds}"
        for decision, finding in zip(others, tested.corrections, strict=True):
            why = words.describe_decision(decision, finding)
            wanted, found = words.describe_wanted(finding), words.describe_found(finding)
            does = "passes" if not why else f"does not pass ({why})"
            note += f" Its check {does}: wanted {wanted}, found {found}."
    if entry.by_itself:
        note = f"By itself: {entry.by_itself}. It depends on {entry.depends_on}. {note}".strip()
    trusted = sorted(
        {each.dataset for each in tested.data if each.is_public and each.digest == "unknown"}
    )
    if claim.needs and trusted:
        note = (
            f"{note} Of {' and '.join(trusted)} no digest is known (for all files); taken for the "
            "public data on trust in the names."
        ).strip()
    return note


def _end_sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop, unless it ends in a mark."""
    if re.match(r"[a-z]+[ ,]", text):  # a word, and no symbol
        text = f"{text[0].upper()}{text[1:]}"
    return text if text.endswith((".", "!", "?", ".)")) else f"{text}."
