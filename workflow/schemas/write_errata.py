"""Write docs/errata.md from the errata in the claims files."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

from noiseless.ledger.claims import Cell, Check, Claim, Entries, load_claims  # noqa: E402

ERRATA = ROOT / "docs" / "errata.md"
HEAD = """# Errata

<!-- written by `make docs` from workflow/noiseless/ledger/claims -->

What the five papers say that does not hold as printed: the statement, what is wrong with it, what
holds instead, and the command that shows it. Each has a row in the ledger (`results/ledger.html`),
whose verdict is *corrected* only if the statement's check fails and that of the correction passes.
`make` judges those that need no data; `make theory` runs every enumeration at paper scale.
"""


def show(value: Cell) -> str:
    """A cell's value as it stands in the CSV twin of a table."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def rows(check: Check) -> str:
    """Which rows of its table a check looks at."""
    selected = dict(check.where)
    if isinstance(check.relation, Entries):
        selected[check.relation.column] = tuple(check.relation.expected)
    parts = []
    for column, values in selected.items():
        shown = [show(value) for value in values]
        if len(shown) > 4:
            shown = [*shown[:2], "...", shown[-1]]
        parts.append(f"`{column}` {' or '.join(f'`{each}`' for each in shown)}")
    return ", ".join(parts) or "all rows"


def erratum(claim: Claim) -> str:
    """One section of the page."""
    assert claim.erratum is not None
    table = f"results/tables/{claim.check.table}"
    data = (
        f" (needs the real data of {', '.join(claim.needs)}: see [data](../data/README.md))"
        if claim.needs
        else ""
    )
    config = "config/config.yaml" if claim.needs else "config/smoke.yaml"
    lines = [
        f"### {claim.locator}",
        f"**As printed.** {claim.claim}",
        f"**What is wrong.** {claim.erratum.wrong}",
        f"**What holds instead.** {claim.erratum.holds}",
        "**What shows it.** "
        f"`.venv/bin/snakemake --cores 2 --configfile {config} -- {table}.parquet`{data}; "
        f"in `{table}.csv`: {rows(claim.check)}.",
    ]
    other = claim.erratum.check
    if (other.table, rows(other)) != (claim.check.table, rows(claim.check)):
        where = (
            "there"
            if other.table == claim.check.table
            else f"in `results/tables/{other.table}.csv`"
        )
        lines.append(f"The correction's rows, {where}: {rows(other)}.")
    lines.append(f"Ledger: `{claim.id}`.")
    return "\n\n".join(lines)


def page() -> str:
    """The whole page."""
    claims = [
        claim
        for claim in load_claims(ROOT / "workflow" / "noiseless" / "ledger" / "claims")
        if claim.erratum is not None
    ]
    parts = [HEAD.rstrip("\n")]
    for paper in dict.fromkeys(claim.paper for claim in claims):
        members = [claim for claim in claims if claim.paper == paper]
        parts.append(f"## {members[0].title}")
        parts += [erratum(claim) for claim in members]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    ERRATA.write_text(page(), encoding="utf-8")
