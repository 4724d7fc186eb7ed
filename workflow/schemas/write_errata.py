"""Write docs/errata.md from the corrections of statements that the reference ledger supports."""

import re
import runpy
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

from noiseless.ledger.errata import (  # noqa: E402
    IN_TABLE,
    ErrataEntry,
    ErratumRow,
    build_anchor,
    group_errata,
)
from noiseless.statements.registry import Kind, Paper, load_statements  # noqa: E402
from noiseless.statements.words import KIND_WORDS  # noqa: E402

PAPERS = ("noiseless", "nsht", "deterministic", "prrelation", "knowledge")
ERRATA = ROOT / "docs" / "errata.md"
LEDGER = ROOT / "docs" / "reference" / "ledger.csv"
HEAD = """# Errata

<!-- written by `make docs` from the statements of workflow/noiseless/papers, for those
that docs/reference/ledger.csv calls corrected -->

What the five papers say that does not hold as printed: {entries} entries, {misprints} misprints and
{slips} slips. An entry says what is printed (shortened), why it fails, the first case that the
statement's own function found, the mend, and what depends on it. `noiseless check ID` runs that
function; the ids stand [at the end](#checks).

## What "printed" means here

The papers were read as transcriptions of their text, not as pictures of their pages. A lost sign,
exponent or fraction bar is a typical slip of a transcription, too. Entries with † would vanish if
the publisher's page has one symbol more: look there first. Where a text allows several readings,
the entry names those that fail and those that hold.
"""
QUOTED_WORDS = 32  # of a quotation
EXAMPLE_CHARACTERS = 170  # of a counter-example that a reader checks by hand
MANY_ROWS = 3  # that stand in a table, not in lines


def escape_text(text: str) -> str:
    """Escape what Markdown would not show literally; code stays code."""
    return re.sub(
        r"`[^`]+`|[|<$~\[\]*_]",
        lambda found: found[0] if found[0][0] == "`" else f"\\{found[0]}",
        " ".join(text.split()),
    )


def end_line(text: str) -> str:
    """End a sentence with a full stop; its first letter stays, because it may be a symbol."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def shorten_quote(row: ErratumRow) -> str:
    """Return what is printed, at most so many words of it."""
    statement = row.statement
    words = (statement.prints or statement.quote or statement.sentence).split()
    short = " ".join(words[:QUOTED_WORDS]) + (" ..." if len(words) > QUOTED_WORDS else "")
    return escape_text(short)


def describe_found(rows: Sequence[ErratumRow]) -> str:
    """Describe what the statement's function found, with a case of the first row that has one."""
    shown = next((each for each in rows if is_short(each.row["example"])), rows[0])
    found, example = shown.row["found"], shown.row["example"].removeprefix("at: ")
    case = example.rpartition(": ")[0]
    if not is_short(example):
        words = _join_wanted(found)
    elif found.endswith("cases fail"):
        words = f"{found}, the first: {example}"
    elif re.search("[A-Za-z]", case):  # its numbers stand in `found`
        opening = " from " if "in order" in found else ": "
        words = f"{_join_wanted(found)}, the first{opening}{case}"
    else:
        words = _join_wanted(found)
    return escape_text(_LONG_NUMBER.sub(lambda number: f"{float(number[0]):.4g}", words))


def is_short(example: str) -> bool:
    """Return whether there is a counter-example that a reader can check by hand."""
    return example != "-" and len(example) <= EXAMPLE_CHARACTERS


_LONG_NUMBER = re.compile(r"\d+\.\d{5,}")


def _join_wanted(found: str) -> str:
    """Write what was wanted behind a comma, because `found` stands in a sentence."""
    return re.sub(r" \((wanted: [^()]*)\)", r", \1", found)


def format_code_link(row: ErratumRow) -> str:
    """Link the function that decides a statement, at its line."""
    path = str(ROOT / "workflow/schemas/write_papers.py")
    return str(
        _PAPERS.setdefault("module", runpy.run_path(path))["format_code_link"](
            row.row["check"], ".."
        )
    )


_PAPERS: dict[str, dict] = {}


def render_entry(entry: ErrataEntry) -> str:
    """Render an entry, at most six lines, and a table where many rows have words of their own."""
    lead = entry.lead
    dagger = " †" if any(each.statement.transcribed for each in entry.rows) else ""
    spoken = [each for each in entry.rows if not each.correction.same_as]
    lines = [f"**{KIND_WORDS[entry.kind]}**{dagger}. *Printed*: {end_line(shorten_quote(lead))}"]
    table: list[str] = []
    if len(spoken) > MANY_ROWS:
        table = render_table(spoken)
    else:
        for each in spoken:
            at = f" ({describe_row(each)})" if len(spoken) > 1 else ""
            lines.append(f"*Fails*{at}: {end_line(escape_text(each.correction.fails))}")
    found = f"*Found*: {end_line(describe_found([lead, *entry.rows]))}"
    if len(lines) == _OF_ONE_REASON:
        lines[-1] += f" {found}"
    else:
        lines.append(found)
    said = [(name, getattr(each.correction, name)) for each in spoken for name in _SAID]
    for name, text in dict.fromkeys(each for each in said if each[1]):
        lines[-1] += f" *{_SAID[name]}*: {end_line(escape_text(text))}"
    lines.append(" ".join(render_mend(spoken if not table else spoken[:1])))
    text = "  \n".join(lines)
    return "\n\n".join([f"### {entry.heading}", text, *table])


_OF_ONE_REASON = 2  # lines: what is printed, and why it fails
_SAID = {"premise": "True with", "true_if": "True if", "tried": "Not mended by"}


def describe_row(row: ErratumRow) -> str:
    """Describe which row of an entry is meant: its reading, or its place."""
    statement = row.statement
    return escape_text(statement.label or statement.where)


def render_table(rows: Sequence[ErratumRow]) -> list[str]:
    """Render the rows of an entry that each have words of their own, as a table."""
    lines = ["| where, and why it fails | mend |", "| --- | --- |"]
    lines += [
        f"| **{escape_text(each.statement.where)}**"
        + (f", {escape_text(each.statement.label)}" if each.statement.label else "")
        + f": {escape_text(each.correction.fails)} | {escape_text(each.correction.mend)} |"
        for each in rows
    ]
    return ["\n".join(lines)]


def render_mend(rows: Sequence[ErratumRow]) -> list[str]:
    """Render the mend, what depends on it, and the links to proof and code."""
    mends = list(dict.fromkeys(escape_text(each.correction.holds_instead) for each in rows))
    rests = list(dict.fromkeys(each.correction.rests for each in rows if each.correction.rests))
    parts = [f"*Mend*: {end_line('; '.join(each.removesuffix('.') for each in mends))}"]
    if rests:
        parts.append(f"*Depends on it*: {end_line(escape_text('; '.join(rests)))}")
    proof = next((each.correction.proof for each in rows if each.correction.proof), "")
    links = [f"[proof](proofs/{rows[0].statement.paper.name}.md#{proof})"] if proof else []
    return [*parts, " · ".join([*links, format_code_link(rows[0])])]


def render_slips(entries: Sequence[ErrataEntry]) -> str:
    """Render the table of misprints and slips."""
    lines = ["| printed | right, and where it is, or what stands |", "| --- | --- |"]
    for entry in entries:
        spoken = [each for each in entry.rows if not each.correction.same_as] or [entry.lead]
        for each in spoken:
            lines.append(f"| {' | '.join(render_slip(entry, each))} |")
    return "\n".join(lines)


def render_slip(entry: ErrataEntry, row: ErratumRow) -> list[str]:
    """Render the cells of a misprint or slip."""
    statement, correction = row.statement, row.correction
    dagger = " †" if statement.transcribed else ""
    places = [statement.where, *(o.statement.where for o in entry.rows if o.correction.same_as)]
    listed = escape_text("; ".join(dict.fromkeys(places)))
    where = f"**{statement.paper.name}: {listed}** (*{KIND_WORDS[row.kind]}*){dagger}"
    stands = correction.said if row.kind is not Kind.ASIDE else statement.aside
    if stands:
        stands = f"{'right at' if correction.right_at else 'stands:'} {stands}"
    right = escape_text(correction.mend or correction.fails)
    if correction.proof:
        right += f" [proof](proofs/{statement.paper.name}.md#{correction.proof})"
    said = f"{right} (*{escape_text(stands)}*)" if stands else right
    return [f"{where}: {shorten_quote(row)}", said]


def render_checks(entries: Sequence[ErrataEntry]) -> str:
    """Render the table of the ids of all entries."""
    lines = ["| entry | `noiseless check` |", "| --- | --- |"]
    lines += [
        f"| {escape_text(entry.heading)} | "
        f"{' '.join(f'`{each.statement.id}`' for each in entry.rows)} |"
        for entry in entries
    ]
    return "\n".join(lines)


def get_title(paper: Paper) -> str:
    """Return the title of a paper, without its authors."""
    return paper.title.split('"')[1]


def render_counts(entries: Sequence[ErrataEntry]) -> str:
    """Render how many entries of each kind a paper has, with links to the papers' sections.

    A list: a table of five kinds is wider than a telephone.
    """
    kinds = [Kind.FAILS, Kind.PREMISE, Kind.READING, Kind.MISPRINT, Kind.SLIP]
    lines = []
    for paper in dict.fromkeys(each.lead.statement.paper for each in entries):
        title = get_title(paper)
        own = Counter(each.kind for each in entries if each.lead.statement.paper is paper)
        anchor = build_anchor(title, Counter())
        counts = ", ".join(f"{KIND_WORDS[kind]} {own[kind]}" for kind in kinds if own[kind])
        lines.append(f"- [{title}](#{anchor}): {counts}")
    return "\n".join(lines)


def render_page() -> str:
    """Render the page of all errata that the reference ledger supports, by paper."""
    ledger = pd.read_csv(LEDGER, dtype=str, keep_default_na=False)
    rows = {row["id"]: row for row in ledger.to_dict("records")}
    entries = group_errata(load_statements(PAPERS), rows)
    whole = [each for each in entries if not each.is_in_table]
    short = [each for each in entries if each.is_in_table]
    kinds = Counter(each.kind for each in short)
    parts = [
        HEAD.rstrip("\n").format(
            entries=len(whole), misprints=kinds[Kind.MISPRINT], slips=kinds[Kind.SLIP]
        ),
        render_counts(entries),
    ]
    for paper in dict.fromkeys(each.lead.statement.paper for each in whole):
        parts.append(f"## {get_title(paper)}")
        own = [each for each in whole if each.lead.statement.paper is paper]
        parts += [
            render_entry(each) for each in sorted(own, key=lambda e: list(_ORDER).index(e.kind))
        ]
    parts += [
        f"## {IN_TABLE}",
        "Misprint: the same paper prints the right form elsewhere. Slip: a line is wrong, and its "
        "result stands all the same.",
        render_slips(short),
        "## Checks",
        "`noiseless check ID` runs the function of a statement and prints what it found.",
        render_checks(entries),
    ]
    return "\n\n".join(parts) + "\n"


_ORDER = (Kind.FAILS, Kind.PREMISE, Kind.READING, Kind.ELSEWHERE)


if __name__ == "__main__":
    ERRATA.write_text(render_page(), encoding="utf-8")
