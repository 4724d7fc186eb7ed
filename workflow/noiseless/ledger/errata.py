"""Errata and the evidence for each of them, for docs/errata.md and for the results page."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noiseless.errors import ConfigError
from noiseless.ledger.claims import Cell, Check, Claim, Decided
from noiseless.ledger.judge import CORRECTED

_MAX_LISTED_VALUES = 4  # the largest number of values of a column that is listed in full


@dataclass(frozen=True)
class RowSelection:
    """Rows of a table that a check looks at.

    Attributes
    ----------
    table : str
        Path of the table below the project's root, without its ending.
    selected : tuple of (str, tuple of str)
        Columns, and the values that rows have in them; empty for all rows.
    """

    table: str
    selected: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class ErratumEvidence:
    """Evidence for an erratum: a command, the data that it needs, and the table rows to look at.

    Attributes
    ----------
    command : str
        Shell command that makes the table.
    needs : tuple of str
        Datasets that the command needs the real data of.
    rows : Rows
        Rows that the check of the statement as printed looks at.
    correction : Rows, optional
        Rows that the check of the correction looks at; None if they are ``rows``.
    functions : tuple of (str, str)
        Of statements that functions decide: file and name of the function that decides the words as
        printed, and of the one that decides what holds.
    """

    command: str
    needs: tuple[str, ...]
    rows: RowSelection
    correction: RowSelection | None
    functions: tuple[tuple[str, str], ...] = ()


def select_errata(claims: Sequence[Claim]) -> list[Claim]:
    """Select the claims that have an erratum, in their order."""
    return [claim for claim in claims if claim.erratum is not None]


def select_supported_errata(claims: Sequence[Claim], verdicts: Mapping[str, str]) -> list[Claim]:
    """Select the claims whose erratum has the verdict ``corrected`` in a ledger, in their order.

    Parameters
    ----------
    claims : sequence of Claim
        The claims to select from.
    verdicts : mapping of str to str
        Verdicts of the ledger by the claims' ids.

    Raises
    ------
    ConfigError
        If an erratum that is supported stands under one that is not.
    """
    shown = [claim for claim in select_errata(claims) if verdicts.get(claim.id) == CORRECTED]
    ids = {claim.id for claim in shown}
    for claim in shown:
        assert claim.erratum is not None
        if claim.erratum.same_as and claim.erratum.same_as not in ids:
            raise ConfigError(
                f"{claim.source}: the erratum of `{claim.id}` stands under that of "
                f"`{claim.erratum.same_as}`, whose verdict is not `{CORRECTED}`. Give it its own."
            )
    return shown


def build_evidence(claim: Claim) -> ErratumEvidence:
    """Build the evidence for a claim's erratum from its checks as printed and as corrected.

    Parameters
    ----------
    claim : Claim
        One of :func:`select_errata`.
    """
    assert claim.erratum is not None
    rows, correction = _select_rows(claim, claim.check), _select_rows(claim, claim.erratum.check)
    config = "config/config.yaml" if claim.needs else "config/smoke.yaml"
    return ErratumEvidence(
        command=f".venv/bin/snakemake --cores 2 --configfile {config} -- {rows.table}.parquet",
        needs=claim.needs,
        rows=rows,
        correction=None if correction == rows else correction,
        functions=tuple(
            (f"workflow/{each.relation.module.replace('.', '/')}.py", each.relation.function)
            for each in (claim.check, claim.erratum.check)
            if isinstance(each.relation, Decided)
        ),
    )


def _select_rows(claim: Claim, check: Check) -> RowSelection:
    """Build the selection of table rows that a check looks at, with long lists abridged.

    Of a claim that a function decides it is the row of the ledger.
    """
    if isinstance(check.relation, Decided):
        return RowSelection(f"results/{check.table}", (("id", (claim.id,)),))
    return RowSelection(
        table=f"results/tables/{check.table}",
        selected=tuple((column, _abridge_values(values)) for column, values in check.cells.items()),
    )


def _abridge_values(values: Sequence[Cell]) -> tuple[str, ...]:
    """Format cell values as in the CSV file of a table; of more than 4 only three are shown."""
    shown = [f"{value:g}" if isinstance(value, float) else str(value) for value in values]
    return tuple([*shown[:2], "...", shown[-1]] if len(shown) > _MAX_LISTED_VALUES else shown)


def build_anchor(heading: str, used: Counter[str]) -> str:
    """Build the anchor of a heading of a Markdown page, as git hosts and the site do.

    Parameters
    ----------
    heading : str
        Text of the heading.
    used : Counter
        Number of earlier headings of the page with each anchor; this heading is added. The second
        heading with the anchor ``section-4`` gets ``section-4-1``.
    """
    anchor = re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
    used[anchor] += 1
    return anchor if used[anchor] == 1 else f"{anchor}-{used[anchor] - 1}"
