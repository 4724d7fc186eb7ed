"""Write docs/errata.md from the errata in the claims files."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

from noiseless.ledger.claims import Claim, load_claims  # noqa: E402
from noiseless.ledger.errata import Rows, evidence, with_errata  # noqa: E402

ERRATA = ROOT / "docs" / "errata.md"
HEAD = """# Errata

<!-- written by `make docs` from workflow/noiseless/papers/*/claims.yaml -->

What the five papers say that does not hold as printed: the statement, what is wrong with it, what
holds instead, and the command that shows it. Each has a row in the ledger (`results/index.html`),
whose verdict is *corrected* only if the statement's check fails and that of the correction passes.
`make` judges those that need no data; `make theory` runs every enumeration at paper scale.
"""


def rows(selection: Rows) -> str:
    """Which rows of its table a check looks at."""
    return (
        ", ".join(
            f"`{column}` {' or '.join(f'`{each}`' for each in values)}"
            for column, values in selection.selected
        )
        or "all rows"
    )


def erratum(claim: Claim) -> str:
    """One section of the page."""
    assert claim.erratum is not None
    shown = evidence(claim)
    data = (
        f" (needs the real data of {', '.join(shown.needs)}: see [data](../data/README.md))"
        if shown.needs
        else ""
    )
    lines = [
        f"### {claim.locator}",
        f"**As printed.** {claim.claim}",
        *([f"> {claim.quote or claim.prints}"] if claim.quote or claim.prints else []),
        f"**What is wrong.** {claim.erratum.wrong}",
        f"**What holds instead.** {claim.erratum.holds}",
        f"**What shows it.** `{shown.command}`{data}; "
        f"in `{shown.rows.table}.csv`: {rows(shown.rows)}.",
    ]
    if shown.correction is not None:
        where = (
            "there"
            if shown.correction.table == shown.rows.table
            else f"in `{shown.correction.table}.csv`"
        )
        lines.append(f"The correction's rows, {where}: {rows(shown.correction)}.")
    lines.append(f"Ledger: `{claim.id}`.")
    return "\n\n".join(lines)


def page() -> str:
    """The complete page."""
    claims = with_errata(load_claims(ROOT / "workflow" / "noiseless" / "papers"))
    parts = [HEAD.rstrip("\n")]
    for paper in dict.fromkeys(claim.paper for claim in claims):
        members = [claim for claim in claims if claim.paper == paper]
        parts.append(f"## {members[0].title}")
        parts += [erratum(claim) for claim in members]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    ERRATA.write_text(page(), encoding="utf-8")
