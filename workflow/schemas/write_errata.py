"""Write docs/errata.md from the errata in the claims files."""

import csv
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

from noiseless.ledger.bridge import StatedClaim, load_all_claims  # noqa: E402
from noiseless.ledger.claims import Claim, FavourableCase  # noqa: E402
from noiseless.ledger.errata import (  # noqa: E402
    RowSelection,
    build_anchor,
    build_evidence,
    select_supported_errata,
)
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


def format_rows(selection: RowSelection) -> str:
    """Format the rows of a table that a check looks at, as columns and values in Markdown."""
    return (
        ", ".join(
            f"`{column}` {' or '.join(f'`{each}`' for each in values)}"
            for column, values in selection.selected
        )
        or "all rows"
    )


def render_erratum(claim: Claim, same: Sequence[Claim]) -> str:
    """Render an erratum as a section in Markdown, with the claims whose errata share its cause."""
    assert claim.erratum is not None
    lines = [
        f"### {claim.locator}",
        *([f"> {claim.quote or claim.prints}"] if claim.quote or claim.prints else []),
        *([f"**In the reading.** {_format_sentence(claim.reading)}"] if claim.reading else []),
        f"**What is wrong.** {claim.erratum.wrong}",
        *(
            [f"**Our copy.** {_format_sentence(TRANSCRIBED)}"]
            if isinstance(claim, StatedClaim) and claim.transcribed
            else []
        ),
        f"**What holds instead.** {claim.erratum.holds}",
        *([render_favourable_case(claim.erratum.friendliest)] if claim.erratum.friendliest else []),
        *([f"**A slip.** {_format_sentence(claim.erratum.slip)}"] if claim.erratum.slip else []),
        f"**What was checked.** {claim.claim}",
        *render_evidence(claim),
    ]
    for other in same:
        assert other.erratum is not None
        lines += [
            f"**The same in {other.locator}.** {other.erratum.wrong}",
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


def render_evidence(claim: Claim) -> list[str]:
    """Render the evidence for an erratum: its command, its table rows, and its id in the ledger."""
    case = build_evidence(claim)
    data = (
        f" (needs the real data of {', '.join(case.needs)}: see [data](../data/README.md))"
        if case.needs
        else ""
    )
    functions = ", ".join(f"[`{name}`](../{path})" for path, name in case.functions)
    lines = [
        f"**What shows it.** `{case.command}`{data}; "
        f"in `{case.rows.table}.csv`: {format_rows(case.rows)}."
        + (f" The functions: {functions}." if functions else ""),
    ]
    if case.correction is not None:
        where = (
            "there"
            if case.correction.table == case.rows.table
            else f"in `{case.correction.table}.csv`"
        )
        lines.append(f"The correction's rows, {where}: {format_rows(case.correction)}.")
    lines.append(f"Ledger: `{claim.id}`.")
    return lines


def _format_sentence(text: str) -> str:
    """Return a text with a capital letter at its beginning and a full stop at its end."""
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


def _find_cause(claim: Claim) -> str:
    """Return the id of the claim whose erratum has the same cause; "" if there is none."""
    assert claim.erratum is not None
    return claim.erratum.same_as


def render_list(entries: Sequence[Claim], used: Counter[str]) -> str:
    """Render the list of a paper's entries: a link to each place, and how its quotation begins.

    Parameters
    ----------
    entries : sequence of Claim
        Claims with an entry of their own, in the page's order.
    used : Counter
        Number of headings of the page with each anchor so far; those of the entries are added.
    """
    lines = [f"**{entries[0].title}**", ""]
    for claim in entries:
        anchor = build_anchor(claim.locator, used)
        lines.append(f"- [{claim.locator}](#{anchor}){_format_beginning(claim)}")
    return "\n".join(lines)


def _format_beginning(claim: Claim) -> str:
    """Return the first words of the quotation of a claim, after a colon; "" without a quotation."""
    text = " ".join((claim.quote or claim.prints).split())
    if len(text) > QUOTED_CHARACTERS:
        text = f"{text[:QUOTED_CHARACTERS].rsplit(' ', 1)[0]} ..."
    escaped = re.sub(r"([*_<$`\[\]])", r"\\\1", text)
    return f": {escaped}" if text else ""


def render_page() -> str:
    """Render the page of all errata that the reference ledger supports, by paper."""
    with LEDGER.open(encoding="utf-8", newline="") as file:
        verdicts = {row["id"]: row["verdict"] for row in csv.DictReader(file)}
    claims = select_supported_errata(
        load_all_claims(ROOT / "workflow" / "noiseless" / "papers"), verdicts
    )
    lists, sections = [], []
    used: Counter[str] = Counter()
    for paper in dict.fromkeys(claim.paper for claim in claims):
        members = [claim for claim in claims if claim.paper == paper]
        entries = [claim for claim in members if not _find_cause(claim)]
        lists.append(render_list(entries, used))
        sections.append(f"## {members[0].title}")
        sections += [
            render_erratum(claim, [each for each in members if _find_cause(each) == claim.id])
            for claim in entries
        ]
    return "\n\n".join([HEAD.rstrip("\n"), *lists, *sections]) + "\n"


if __name__ == "__main__":
    ERRATA.write_text(render_page(), encoding="utf-8")
