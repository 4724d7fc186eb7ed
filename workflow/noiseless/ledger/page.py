"""The ledger as files: the table, and one HTML page with each figure beside its claims.

The page holds its figures, needs no network and no script, and carries no time: the same tables
and claims give the same bytes.
"""

import base64
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from noiseless.errors import DataError
from noiseless.files import sha256_of_file, whole_file
from noiseless.ledger.claims import Claim, load_claims
from noiseless.ledger.judge import CORRECTED, DIFFERS, NOT_TESTED, REPRODUCED, judge_claims
from noiseless.tables import Provenance, derive_provenance, read_table, write_table

# The mark tells the verdicts apart without colour; the key is the name of the CSS class.
VERDICTS = {
    REPRODUCED: {"key": "reproduced", "mark": "✓", "means": "what the paper prints came out"},
    CORRECTED: {"key": "corrected", "mark": "✎", "means": "wrong as printed; the erratum holds"},
    DIFFERS: {"key": "differs", "mark": "✗", "means": "something else came out"},
    NOT_TESTED: {"key": "untested", "mark": "○", "means": "its data or table was not there"},
}


def ledger_page(
    ledger: pd.DataFrame,
    figures: Mapping[str, Path],
    *,
    claims: Sequence[Claim],
    provenance: Provenance,
) -> str:
    """The ledger as one self-contained HTML page.

    Parameters
    ----------
    ledger : DataFrame
        From :func:`~noiseless.ledger.judge.judge_claims`.
    figures : mapping of str to path
        PNG file of each figure of this run, by name (``<paper>/<name>``).  A figure that a claim
        names and that is not here is said to be missing.
    claims : sequence of Claim
        The claims that were judged, for their papers' titles, figures and errata.
    provenance : Provenance
        Of the ledger; its short form stands at the foot.

    Returns
    -------
    str
        HTML.  Claims are grouped by paper, then by figure, in the order of ``claims``.
    """
    by_id = {claim.id: claim for claim in claims}
    rows = [{**row, "source": by_id[row["id"]]} for row in ledger.to_dict("records")]
    papers = [
        {
            "key": paper,
            "title": members[0]["source"].title,
            "counts": _counts(members),
            "groups": _figure_groups(members, figures),
        }
        for paper, members in _grouped(rows, lambda row: row["paper"]).items()
    ]
    sampled = [row for row in rows if "sample" in row["tier"].split("+")]
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("ledger.html.j2").render(
        papers=papers,
        counts=_counts(rows),
        total=len(rows),
        sampled=len(sampled),
        sampled_untested=sum(row["verdict"] == NOT_TESTED for row in sampled),
        attention=[row for row in rows if row["verdict"] in (DIFFERS, CORRECTED)],
        verdicts=VERDICTS,
        foot=provenance.short(),
    )


def write_ledger(
    *,
    claims: str | Path,
    tables: Mapping[str, str | Path],
    figures: Mapping[str, str | Path],
    ledger: str | Path,
    page: str | Path,
    code: str,
    known_tables: Collection[str] | None = None,
) -> None:
    """Judge all claims and write the ledger: Parquet, its CSV twin, and the HTML page.

    Parameters
    ----------
    claims : path
        Folder of the claims files.
    tables : mapping of str to path
        Parquet file of each table of this run, by name (``<paper>/<name>``).  A table that a
        claim names and that is not here belongs to an experiment that was switched off.
    figures : mapping of str to path
        PNG file of each figure of this run, by name (``<paper>/<name>``).
    ledger : path
        The Parquet file to write; a CSV twin goes beside it.
    page : path
        The HTML file to write.
    code : str
        :func:`noiseless.code.source_digest` of this module.
    known_tables : collection of str, optional
        Names of all tables that the workflow can make, to tell a misspelt table from one that was
        switched off; see :func:`~noiseless.ledger.judge.judge_claims`.

    Raises
    ------
    ConfigError
        If a claims file cannot be used, or asks for rows which its table does not have.
    DataError
        If a table or a figure is not where ``tables`` and ``figures`` say.
    """
    loaded = load_claims(claims)
    used = {name for claim in loaded for name in claim.tables if name in tables}
    shown = {claim.figure for claim in loaded if claim.figure in figures}
    read = {name: read_table(_existing(tables[name])) for name in sorted(used)}
    judged = judge_claims(loaded, read, known_tables=known_tables)
    provenance = derive_provenance(
        {path.name: sha256_of_file(path) for path in Path(claims).glob("*.yaml")},
        code,
        inputs=[provenance for _, provenance in read.values()],
    )
    html = ledger_page(
        judged,
        {name: _existing(figures[name]) for name in sorted(shown)},
        claims=loaded,
        provenance=provenance,
    )
    write_table(judged, ledger, provenance)
    with whole_file(page) as partial:
        partial.write_text(html, encoding="utf-8")


def _existing(path: str | Path) -> Path:
    path = Path(path)
    if not path.is_file():
        raise DataError(
            f"{path}: no such file. Run the rule that makes it, or switch its experiment off."
        )
    return path


def _grouped(rows: Sequence[dict[str, Any]], key: Any) -> dict[Any, list[dict[str, Any]]]:
    """Rows by key, keys in the order of their first row."""
    groups: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _counts(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Number of rows with each verdict, zeros included."""
    counts = Counter(row["verdict"] for row in rows)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def _figure_groups(
    rows: Sequence[dict[str, Any]], figures: Mapping[str, Path]
) -> list[dict[str, Any]]:
    """One group per figure, with the picture as a data URI; claims without a figure share one."""
    return [
        {
            "figure": figure,
            "locators": ", ".join(dict.fromkeys(row["locator"] for row in members)),
            "image": _data_uri(figures[figure]) if figure in figures else None,
            "rows": members,
        }
        for figure, members in _grouped(rows, lambda row: row["source"].figure).items()
    ]


def _data_uri(path: Path) -> str:
    return "data:image/png;base64," + base64.b64encode(Path(path).read_bytes()).decode("ascii")
