"""The reference results: what one complete run on real data gave, and how another run compares.

1. :func:`write_reference` keeps, of a run's results, the ledger, the tables and figures that
   ``kept.yaml`` allows, and the digests of code, settings and data behind every table.
2. :func:`compare_with_reference` holds the tables and verdicts of a run against them.
3. :func:`comparison_text` says in a few lines what came out, and of which tables the code has
   changed since.

``python -m noiseless.ledger.reference RESULTS`` writes the reference from the folder of a run.
"""

import io
import json
import math
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from noiseless.errors import ConfigError, DataError, UserError
from noiseless.files import complete_file
from noiseless.ledger.claims import PAPER, Check, Claim, load_claims
from noiseless.ledger.intervals import widened, widening
from noiseless.ledger.judge import NOT_TESTED, VERDICTS
from noiseless.schema import load_yaml
from noiseless.tables import (
    Contents,
    Provenance,
    derive_provenance,
    digest,
    read_table,
    write_table,
)

SAME, WITHIN, CHANGED = "same", "within the interval", "changed"
OTHER_DATA, NOT_COMPARED = "other data", "not compared"
APART = "intervals apart"  # of a row, which has changed then
COMPARISONS = (SAME, WITHIN, CHANGED, OTHER_DATA, NOT_COMPARED)
VERDICT_COLUMNS = ("id", "paper", "locator", "statement", "verdict", "data", "category")

_ROOT = Path(__file__).resolve().parents[3]
_DIGESTS, _LEDGER, _KEPT = "digests.json", "ledger.csv", "kept.yaml"
_MARKS = ("<!-- verdicts of the reference -->", "<!-- end of the verdicts -->")
_NUMBERS = ("value", "low", "high")
_NO_KEY = (*_NUMBERS, "over")
_RELATIVE, _ABSOLUTE = 1e-6, 1e-9  # other processors round otherwise
_CONFIDENCE = 0.95  # of the tables' intervals
_PICTURE_WIDTH_PX = 1400
_LISTED = 12


@dataclass(frozen=True)
class Kept:
    """What of a run may be published.

    Attributes
    ----------
    tables : mapping of str to str
        Name of a table -> why no row of it is about a single person or home.
    without : mapping of str to tuple of str
        Name of a table -> its statistics that stay behind.
    figures : mapping of str to str
        Name of a figure -> what it shows.
    """

    tables: Mapping[str, str]
    without: Mapping[str, tuple[str, ...]]
    figures: Mapping[str, str]


def load_kept(folder: str | Path) -> Kept:
    """The list of what may be published, from ``kept.yaml`` of a folder.

    Raises
    ------
    ConfigError
        If an entry does not say why it is safe.
    """
    path = Path(folder) / _KEPT
    content = load_yaml(path)
    for name, entry in content["tables"].items():
        if not entry.get("safe"):
            raise ConfigError(f"{path}: the table {name} does not say why it is `safe` to publish.")
    return Kept(
        tables={name: entry["safe"] for name, entry in content["tables"].items()},
        without={
            name: tuple(entry.get("without", ())) for name, entry in content["tables"].items()
        },
        figures=content["figures"],
    )


def kept_rows(kept: Kept, name: str, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table that may be published."""
    behind = kept.without.get(name, ())
    return table[~table["statistic"].isin(behind)] if behind else table


def write_reference(
    results: str | Path, folder: str | Path, *, verdicts: str | Path, readme: str | Path
) -> None:
    """Write the reference from the results of a complete run.

    Parameters
    ----------
    results : path
        Folder of the run: ``ledger.parquet``, ``tables`` and ``figures``.
    folder : path
        Folder of the reference, which holds ``kept.yaml``; tables, figures, ledger and digests in
        it are replaced.
    verdicts : path
        The CSV file of verdicts that the package carries.
    readme : path
        The page between whose two marks the table of verdicts is written.

    Raises
    ------
    DataError
        If something that ``kept.yaml`` names was not made, or the ledger rests on samples alone.
    """
    results, folder = Path(results), Path(folder)
    kept = load_kept(folder)
    ledger, _ = read_table(_made(results / "ledger.parquet"))
    if (ledger.loc[ledger["dataset"] != "-", "verdict"] == NOT_TESTED).all():
        raise DataError(
            f"{results}: every claim on data is not tested, because the run is on samples. Run "
            "`make reference DATA=folder` with the real data (docs/running.md)."
        )
    for name in kept.tables:
        _made(results / f"tables/{name}.parquet")
    for name in kept.figures:
        _made(results / f"figures/{name}.png")
    for old in ("tables", "figures"):
        shutil.rmtree(folder / old, ignore_errors=True)
    digests = {}
    for path in sorted((results / "tables").glob("*/*.parquet")):
        name = f"{path.parent.name}/{path.stem}"
        table, provenance = read_table(path)
        digests[name] = table_digests(table, provenance)
        if name in kept.tables:
            _write_csv(kept_rows(kept, name, table), folder / f"tables/{name}.csv")
    for name in kept.figures:
        _write_picture(results / f"figures/{name}.png", folder / f"figures/{name}.png")
    _write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", folder / _DIGESTS)
    _write_csv(ledger, folder / _LEDGER)
    _write_csv(package_verdicts(ledger), Path(verdicts))
    page = Path(readme)
    _write_text(with_verdicts(page.read_text(encoding="utf-8"), verdicts_markdown(ledger)), page)


def table_digests(table: pd.DataFrame, provenance: Provenance) -> dict[str, Any]:
    """What a table rests on, and a digest of what it holds, as JSON."""
    contents = Contents()
    contents.add(pa.Table.from_pandas(table, preserve_index=False))
    return {
        "code": provenance.version.partition("+")[2],
        "config": provenance.config,
        "contents": digest(contents.digests()),
        "rows": len(table),
        "sources": [asdict(source) for source in provenance.sources],
    }


def package_verdicts(ledger: pd.DataFrame) -> pd.DataFrame:
    """The columns of the ledger that the package carries."""
    return ledger.rename(columns={"claim": "statement"})[list(VERDICT_COLUMNS)]


def verdicts_markdown(ledger: pd.DataFrame) -> str:
    """Number of the papers' claims by paper and verdict, as a table in Markdown."""
    theirs = ledger[ledger["category"] == PAPER]
    head = ["paper", *VERDICTS]
    counts = pd.crosstab(theirs["paper"], theirs["verdict"]).reindex(columns=VERDICTS, fill_value=0)
    rows = [
        [f"`{paper}`", *map(str, row)]
        for paper, row in zip(counts.index, counts.to_numpy(), strict=True)
    ]
    rows.append(["all", *(str(count) for count in counts.sum())])
    lines = [head, ["---", *["--:"] * len(VERDICTS)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def with_verdicts(page: str, table: str) -> str:
    """A page with the table of verdicts between its two marks.

    Raises
    ------
    ConfigError
        If the page does not have both marks, in their order.
    """
    start, end = map(page.find, _MARKS)
    if start < 0 or end < start:
        raise ConfigError(f"the page has no place for the verdicts: {' ... '.join(_MARKS)}")
    return f"{page[: start + len(_MARKS[0])]}\n\n{table}\n\n{page[end:]}"


def compare_with_reference(
    *,
    reference: str | Path,
    ledger: str | Path,
    tables: Mapping[str, str | Path],
    claims: str | Path,
    comparison: str | Path,
    code: str,
) -> str:
    """Compare a run with the reference, and write the comparison.

    Parameters
    ----------
    reference : path
        Folder of the reference.
    ledger : path
        The verdicts of the run.
    tables : mapping of str to path
        Parquet file of each table of the run, by name.
    claims : path
        Folder of the claims files.
    comparison : path
        The table to write; see :func:`compared`.
    code : str
        :func:`noiseless.code.source_digest` of this module.

    Returns
    -------
    str
        :func:`comparison_text`.
    """
    judged, provenance = read_table(ledger)
    read = {name: read_table(path) for name, path in tables.items()}
    table = compared(Path(reference), judged, read, load_claims(claims))
    inputs = [provenance, *(provenance for _, provenance in read.values())]
    write_table(table, comparison, derive_provenance({}, code, inputs=inputs))
    return comparison_text(table)


def compared(
    reference: Path,
    ledger: pd.DataFrame,
    tables: Mapping[str, tuple[pd.DataFrame, Provenance]],
    claims: Sequence[Claim],
) -> pd.DataFrame:
    """How each table and each verdict of a run compares with the reference.

    Returns
    -------
    DataFrame
        ``kind`` (``table`` or ``claim``), ``name``, ``comparison`` (one of :data:`COMPARISONS`),
        ``verdict`` and ``reference_verdict`` (of a claim), the numbers of ``rows`` that are
        ``rows_same``, ``rows_within``, ``rows_changed`` (``rows_apart`` of these have intervals),
        and ``rows_alone`` (in the run, but not in the reference), ``code_changed`` and
        ``settings_changed`` (since the reference), and a ``note``.

    Notes
    -----
    Rows are matched by all their columns but the numbers.  A row is the *same* if its value agrees
    to six digits.  It is *within the interval* if both values have intervals, and these overlap
    after they were widened so that all intervals of the table hold together.  Otherwise it has
    *changed*.  A table is as its worst row; a claim is as the rows that it looks at, and has
    changed if its verdict has.  Where the run used *other data*, or the reference keeps no row to
    compare, nothing is said.
    """
    digests, before = {}, pd.DataFrame()
    if (reference / _DIGESTS).is_file():  # otherwise this run is the first, and nothing is compared
        digests = json.loads((reference / _DIGESTS).read_text(encoding="utf-8"))
        before = _read_csv(_made(reference / _LEDGER).read_text(encoding="utf-8")).set_index("id")
    kept = load_kept(reference)
    status, rows = {}, []
    for name, (table, provenance) in tables.items():
        then, now = digests.get(name), table_digests(table, provenance)
        status[name] = _table_status(reference, kept, name, table, then, now)
        changed = {
            f"{what}_changed": then is None or then[key] != now[key]
            for what, key in (("code", "code"), ("settings", "config"))
        }
        rows.append({**_row("table", name, status[name]), **changed})
    by_id = {claim.id: claim for claim in claims}
    for judged in ledger.to_dict("records"):
        then = before.loc[judged["id"]] if judged["id"] in before.index else None
        rows.append(_claim_row(by_id[judged["id"]], judged, then, tables, status))
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class _Status:
    """How a table compares: one word for each of its rows, or one for all with the reason."""

    rows: pd.Series
    note: str = ""

    @property
    def word(self) -> str:
        return worst(self.rows)


def worst(words: Iterable[str]) -> str:
    """The word for several rows: the worst that is said of any; rows alone say nothing."""
    found = set(words)
    if APART in found:
        found.add(CHANGED)
    order = (OTHER_DATA, CHANGED, WITHIN, SAME, NOT_COMPARED)
    return next((word for word in order if word in found), NOT_COMPARED)


def _table_status(
    reference: Path,
    kept: Kept,
    name: str,
    table: pd.DataFrame,
    then: Mapping[str, Any] | None,
    now: Mapping[str, Any],
) -> _Status:
    """How the rows of a table compare with those of the reference."""

    def throughout(word: str, note: str = "") -> _Status:
        return _Status(pd.Series(word, index=table.index), note)

    if then is None:
        return throughout(NOT_COMPARED, "not in the reference")
    if _data(then) != _data(now):
        return throughout(OTHER_DATA)
    if then["contents"] == now["contents"]:
        return throughout(SAME)
    if name not in kept.tables:
        return throughout(NOT_COMPARED, "of this table the reference keeps the digest alone")
    path = _made(reference / f"tables/{name}.csv")
    rows = kept_rows(kept, name, table)
    words = compare_rows(rows, _read_csv(path.read_text(encoding="utf-8")))
    return _Status(words.reindex(table.index, fill_value=NOT_COMPARED))


def _data(digests: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(source["dataset"], source["sha256"]) for source in digests["sources"]}


def compare_rows(table: pd.DataFrame, reference: pd.DataFrame) -> pd.Series:
    """How each row of a table compares with its row of the reference.

    Parameters
    ----------
    table : DataFrame
        Tidy: ``value`` and perhaps ``low`` and ``high`` beside the columns that name a row.
    reference : DataFrame
        The same as text, as it is read from CSV.

    Returns
    -------
    Series of str
        On the index of ``table``: :data:`SAME`, :data:`WITHIN`, :data:`APART` for one whose
        intervals do not meet, :data:`CHANGED` for one without intervals, or :data:`NOT_COMPARED`
        for one that the reference does not have.
    """
    words = pd.Series(NOT_COMPARED, index=table.index)
    text = _read_csv(table.to_csv(index=False))
    keys = [column for column in text if column not in _NO_KEY]
    if set(keys) != {column for column in reference if column not in _NO_KEY}:
        return words
    sides = [_numbered(side, keys) for side in (text, reference)]
    both = sides[0].join(sides[1], lsuffix="_now", rsuffix="_then").loc[sides[0].index]
    absent = pd.Series(np.nan, index=both.index)
    numbers = {
        (number, when): both.get(f"{number}_{when}", absent).to_numpy(float)
        for number in _NUMBERS
        for when in ("now", "then")
    }
    matched = both["row_then"].notna().to_numpy()
    now, then = numbers["value", "now"], numbers["value", "then"]
    same = np.isclose(now, then, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True)
    have = np.isfinite(np.array([*numbers.values()])).all(axis=0)
    doubtful = matched & ~same & have
    overlap = np.zeros(len(both), dtype=bool)
    if doubtful.any():
        ratio = widening(int((matched & have).sum()), _CONFIDENCE)
        for row in np.flatnonzero(doubtful):
            ends = [
                widened(*(numbers[number, when][row] for number in _NUMBERS), ratio)
                for when in ("now", "then")
            ]
            overlap[row] = max(low for low, _ in ends) <= min(high for _, high in ends)
    words[:] = np.select(
        [~matched, same, overlap, doubtful], [NOT_COMPARED, SAME, WITHIN, APART], default=CHANGED
    )
    return words


def _numbered(text: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Rows by their keys; rows with equal keys are told apart by their order."""
    turn = text.groupby(keys, sort=False).cumcount() if keys else pd.Series(range(len(text)))
    columns = [column for column in _NUMBERS if column in text]
    numbers = text[columns].replace("", np.nan).astype(float)
    index = pd.MultiIndex.from_frame(text[keys].assign(turn=turn.to_numpy()))
    return numbers.assign(row=1).set_axis(index)


def _claim_row(
    claim: Claim,
    judged: Mapping[str, Any],
    then: pd.Series | None,
    tables: Mapping[str, tuple[pd.DataFrame, Provenance]],
    status: Mapping[str, _Status],
) -> dict[str, Any]:
    """The row of a claim."""
    parts = [
        (check, status[check.table], tables[check.table][0])
        for check in claim.checks
        if check.table in status
    ]
    words = [part.rows[_selected(check, table)] for check, part, table in parts]
    rows = _Status(
        pd.concat(words, ignore_index=True) if words else pd.Series(dtype=str),
        "; ".join(dict.fromkeys(part.note for _, part, _ in parts if part.note)),
    )
    verdicts = {
        "verdict": judged["verdict"],
        "reference_verdict": "-" if then is None else then["verdict"],
    }
    word, note = rows.word, rows.note
    if then is None:
        word, note = NOT_COMPARED, "not in the reference"
    elif word == OTHER_DATA:
        pass
    elif judged["verdict"] != then["verdict"]:
        word, note = CHANGED, "another verdict"
    elif word == NOT_COMPARED and judged["observed"] == then["observed"]:
        word, note = SAME, "what came out reads the same"
    return {**_row("claim", claim.id, rows), **verdicts, "comparison": word, "note": note}


def _selected(check: Check, table: pd.DataFrame) -> np.ndarray:
    """Which rows of its table a check looks at."""
    chosen = np.ones(len(table), dtype=bool)
    for column, values in check.where.items():
        chosen &= table[column].isin(values).to_numpy()
    return chosen


def _row(kind: str, name: str, status: _Status) -> dict[str, Any]:
    counts = status.rows.value_counts()
    return {
        "kind": kind,
        "name": name,
        "comparison": status.word,
        "verdict": "-",
        "reference_verdict": "-",
        "rows": len(status.rows),
        "rows_same": int(counts.get(SAME, 0)),
        "rows_within": int(counts.get(WITHIN, 0)),
        "rows_changed": int(counts.get(CHANGED, 0) + counts.get(APART, 0)),
        "rows_apart": int(counts.get(APART, 0)),
        "rows_alone": int(counts.get(NOT_COMPARED, 0)),
        "code_changed": False,
        "settings_changed": False,
        "note": status.note,
    }


def claims_compared(comparison: pd.DataFrame) -> str:
    """How many claims compare in which way."""
    return _counted(comparison, "claim")


def _counted(comparison: pd.DataFrame, kind: str) -> str:
    words = comparison.loc[comparison["kind"] == kind, "comparison"].value_counts()
    return ", ".join(f"{words[word]} {word}" for word in COMPARISONS if word in words) or "none"


def stale_tables(comparison: pd.DataFrame) -> list[str]:
    """Names of the tables whose code has changed since the reference was made."""
    return comparison.loc[
        (comparison["kind"] == "table") & comparison["code_changed"].astype(bool), "name"
    ].tolist()


def comparison_text(comparison: pd.DataFrame) -> str:
    """What came out of a comparison, in a few lines."""
    lines = [
        f"Claims beside docs/reference: {claims_compared(comparison)}",
        f"Tables beside docs/reference: {_counted(comparison, 'table')}",
    ]
    for row in comparison[comparison["comparison"] == CHANGED].itertuples():
        settings = " (made with other settings)" if row.settings_changed else ""
        lines.append(f"  changed {row.kind}: {row.name}{settings}")
    if stale := stale_tables(comparison):
        more = f" and {len(stale) - _LISTED} more" if len(stale) > _LISTED else ""
        lines.append(
            f"The code behind {len(stale)} tables has changed since the reference was made: "
            f"{', '.join(stale[:_LISTED])}{more}. `make reference DATA=folder` makes it anew."
        )
    return "\n".join(lines)


def _made(path: Path) -> Path:
    """A path, if there is a file.

    Raises
    ------
    DataError
        If there is none.
    """
    if not path.is_file():
        raise DataError(f"{path}: no such file. `make reference DATA=folder` makes it.")
    return path


def _read_csv(text: str) -> pd.DataFrame:
    """A table as text, cell by cell."""
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


def _write_csv(table: pd.DataFrame, path: Path) -> None:
    _write_text(table.to_csv(index=False, lineterminator="\n"), path)


def _write_text(text: str, path: Path) -> None:
    with complete_file(path) as partial:
        partial.write_text(text, encoding="utf-8")


def _write_picture(source: Path, path: Path) -> None:
    """A figure with fewer pixels and colours, a tenth of the size."""
    from PIL import Image  # no other part needs it, and reading the rules imports this module

    with Image.open(source) as picture:
        height = math.ceil(picture.height * _PICTURE_WIDTH_PX / picture.width)
        small = picture.convert("RGB").resize((_PICTURE_WIDTH_PX, height), Image.LANCZOS)
    with complete_file(path) as partial:
        small.quantize(64, dither=Image.Dither.NONE).save(partial, format="PNG", optimize=True)


def main(arguments: Sequence[str]) -> None:
    """Write the reference of this checkout from the folder of a run's results."""
    [results] = arguments
    folder = _ROOT / "docs/reference"
    try:
        write_reference(
            results,
            folder,
            verdicts=_ROOT / "workflow/noiseless/reference/verdicts.csv",
            readme=_ROOT / "README.md",
        )
    except UserError as error:
        sys.exit(f"error: {error}")
    size_mb = sum(path.stat().st_size for path in folder.rglob("*.*")) / 1e6
    print(
        f"{folder.relative_to(_ROOT)}: {size_mb:.1f} MB. Look at it with `git diff`, and commit it."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
