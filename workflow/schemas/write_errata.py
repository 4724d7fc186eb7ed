"""Write docs/errata.md from the corrections of statements."""

import csv
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

from noiseless.ledger.errata import (  # noqa: E402
    Erratum,
    FavourableCase,
    build_anchor,
    build_erratum,
    build_evidence,
    select_supported_errata,
)
from noiseless.pipeline.sections import list_papers  # noqa: E402
from noiseless.statements.registry import Statement, load_statements  # noqa: E402
from noiseless.statements.words import TRANSCRIBED  # noqa: E402

ERRATA = ROOT / "docs" / "errata.md"
LEDGER = ROOT / "docs" / "reference" / "ledger.csv"
HEAD = """# Errata

<!-- written by `make docs` from the claims of workflow/noiseless/papers, for those
that docs/reference/ledger.csv calls corrected -->

What the five papers say that does not hold as printed. Each entry quotes the paper, says what is
wrong and what holds instead, and gives the command that shows it. The papers were read as text; an
entry that may be a slip of this copy says so, until somebody has compared the publisher's page. If
the text allows several readings, an entry names its own. The ledger (`results/index.html`) calls a
claim *corrected* only if the check of the printed statement fails and that of the correction
passes. `make` judges claims that need no data; `make theory` runs every enumeration at paper scale.

## All entries by paper and place
"""
QUOTED_CHARACTERS = 70  # of a quotation in the list of entries


def render_erratum(statement: Statement, same: Sequence[Statement]) -> str:
    """Render an erratum as a section in Markdown, with the statements that share its cause."""
    erratum, printed = get_erratum(statement), statement.quote or statement.prints
    reading = statement.reading
    lines = [
        f"### {statement.where}",
        *([f"> {printed}"] if printed else []),
        *([f"**In the reading.** {_format_sentence(reading)}"] if reading else []),
        f"**What is wrong.** {erratum.wrong}",
        *([f"**Our copy.** {_format_sentence(TRANSCRIBED)}"] if statement.transcribed else []),
        f"**What holds instead.** {erratum.holds}",
        *([render_favourable_case(erratum.friendliest)] if erratum.friendliest else []),
        *([f"**A slip.** {_format_sentence(erratum.slip)}"] if erratum.slip else []),
        f"**What was checked.** {statement.sentence}",
        *render_evidence(statement),
    ]
    for other in same:
        lines += [
            f"**The same in {other.where}.** {get_erratum(other).wrong}",
            *render_evidence(other),
        ]
    return "\n\n".join(lines)


def render_favourable_case(friendliest: FavourableCase) -> str:
    """Render the paragraph about what was tried in its favour."""
    head = {
        "reading": "The most favourable other reading",
        "premise": "True with one more premise",
        "counter_example": "No premise is missing",
        "misprint": "A misprint",
    }
    return f"**{head[friendliest.kind]}.** {_format_sentence(friendliest.text)}"


def render_evidence(statement: Statement) -> list[str]:
    """Render the evidence for an erratum: its command, its functions, and its row of the ledger."""
    case = build_evidence(statement)
    data = (
        f" (needs the real data of {', '.join(case.needs)}: see [data](../data/README.md))"
        if case.needs
        else ""
    )
    functions = ", ".join(f"[`{name}`](../{path})" for path, name in case.functions)
    return [
        f"**What shows it.** `{case.command}`{data}; in `{case.ledger}.csv`: `id` "
        f"`{statement.id}`. The functions: {functions}.",
        f"Ledger: `{statement.id}`.",
    ]


def _format_sentence(text: str) -> str:
    """Return a text with a capital letter at its beginning and a full stop at its end."""
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


def get_erratum(statement: Statement) -> Erratum:
    """Return the erratum of a statement that has one."""
    erratum = build_erratum(statement)
    assert erratum is not None
    return erratum


def render_list(entries: Sequence[Statement], used: Counter[str]) -> str:
    """Render the list of a paper's entries: a link to each place, and how its quotation begins.

    Parameters
    ----------
    entries : sequence of Statement
        Statements with an entry of their own, in the page's order.
    used : Counter
        Number of headings of the page with each anchor so far; those of the entries are added.
    """
    lines = [f"**{entries[0].paper.title}**", ""]
    for each in entries:
        anchor = build_anchor(each.where, used)
        lines.append(f"- [{each.where}](#{anchor}){_format_beginning(each)}")
    return "\n".join(lines)


def _format_beginning(statement: Statement) -> str:
    """Return the first words of what is quoted, after a colon; "" without a quotation."""
    text = " ".join((statement.quote or statement.prints).split())
    if len(text) > QUOTED_CHARACTERS:
        text = f"{text[:QUOTED_CHARACTERS].rsplit(' ', 1)[0]} ..."
    escaped = re.sub(r"([*_<$`\[\]])", r"\\\1", text)
    return f": {escaped}" if text else ""


def render_page() -> str:
    """Render the page of all errata that the reference ledger supports, by paper."""
    with LEDGER.open(encoding="utf-8", newline="") as file:
        verdicts = {row["id"]: row["verdict"] for row in csv.DictReader(file)}
    statements = select_supported_errata(load_statements(list_papers()), verdicts)
    lists, sections = [], []
    used: Counter[str] = Counter()
    for paper in dict.fromkeys(each.paper for each in statements):
        members = [each for each in statements if each.paper is paper]
        entries = [each for each in members if not get_erratum(each).same_as]
        lists.append(render_list(entries, used))
        sections.append(f"## {paper.title}")
        sections += [
            render_erratum(
                entry, [each for each in members if get_erratum(each).same_as == entry.id]
            )
            for entry in entries
        ]
    return "\n\n".join([HEAD.rstrip("\n"), *lists, *sections]) + "\n"


if __name__ == "__main__":
    ERRATA.write_text(render_page(), encoding="utf-8")
