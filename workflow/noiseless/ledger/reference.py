"""Reference results of one complete run on real data, and how another run compares with them.

1. :func:`write_reference` keeps, of a run's results, the ledger, the tables and figures that
   ``kept.yaml`` allows, and the digests of code, settings and data behind every table.
2. :func:`compare_with_reference` compares the tables and verdicts of a run with the reference.
3. :func:`format_comparison` counts the results of the comparison, and names what has changed.

``python -m noiseless.ledger.reference RESULTS`` writes the reference from the folder of a run.
"""

import io
import json
import math
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa

from noiseless.errors import ConfigError, DataError, UserError
from noiseless.files import write_atomically
from noiseless.ledger.checks import PAPERS
from noiseless.ledger.files import format_verdict_counts
from noiseless.ledger.statements import (
    STATEMENT_VERDICTS,
    build_statements,
    count_stand_in_verdicts,
    count_verdicts,
    select_paper_statements,
)
from noiseless.settings import load_yaml
from noiseless.statements.registry import Sets, Statement, load_sections
from noiseless.statements.verdicts import Verdict
from noiseless.statements.words import COUNTED, SENTENCES
from noiseless.tables import (
    ContentDigests,
    Provenance,
    compute_digest,
    derive_provenance,
    read_provenance,
    read_table,
    write_table,
)

if TYPE_CHECKING:
    import PIL.Image

SAME, CHANGED, NOT_COMPARED = "same", "changed", "not compared"
OTHER_DATA, OTHER_SETTINGS = "other data", "other settings"
COMPARISONS = (SAME, CHANGED, OTHER_SETTINGS, OTHER_DATA, NOT_COMPARED)

_ROOT = Path(__file__).resolve().parents[3]
_DIGESTS, _LEDGER, _KEPT = "digests.json", "ledger.csv", "kept.yaml"
CELLS, CELL_COLUMNS = "cells.csv", ("id", "cell", "printed", "found", "verdict")
"""The cells of printed tables, beside the verdicts that the package carries."""
_TABLE_MARKERS = ("<!-- verdicts of the reference -->", "<!-- end of the verdicts -->")
_RELATIVE_TOLERANCE, _ABSOLUTE_TOLERANCE = (
    1e-6,
    1e-9,
)  # tolerances, because other processors round otherwise
_PICTURE_WIDTH_PX = 1400  # width of the picture of a figure as wide as a page
_PAGE_WIDTH_PX = 2160  # width of such a figure
_COLOURS = 64  # of a published picture
_EXACT_COLOURS = 48  # of these, as in the figure; the rest are blends at the edges of lines
_APART = 12  # distance of two of them in RGB, so that a map of many shades leaves room for lines
_MAX_LISTED_NAMES = 12  # the largest number of changed results that a text names


# Key columns of a table whose rows may be about one person, home or trip, and why.
ABOUT_ONE = {
    "appliance": "its points are about the appliances of one home",
    "meter": "its rows are about the meters of one home",
    "choice": "its rows are about pairs of homes that were selected by name",
    "latitude_deg": "some cells of the map hold one trip",
    "weight_kg": "some cells of the histograms hold one person",
}


@dataclass(frozen=True)
class PublicationList:
    """Tables and figures of a run that may be published, with why or what they show.

    The statistics that are not; and the figures that are shown of a sample, with why.
    """

    tables: Mapping[str, str]
    dropped_statistics: Mapping[str, tuple[str, ...]]
    figures: Mapping[str, str]
    samples: Mapping[str, str]


def load_publication_list(folder: str | Path) -> PublicationList:
    """Load the list of publishable tables and figures from ``kept.yaml`` of a folder.

    An entry that does not say why it is safe is refused.
    """
    path = Path(folder) / _KEPT
    content = load_yaml(path)
    for name, entry in content["tables"].items():
        if not entry.get("safe"):
            raise ConfigError(
                f"{path}: the table {name} does not say why it is `safe` to publish. Give the "
                "reason as its key `safe`."
            )
    tables = content["tables"]
    return PublicationList(
        tables={name: entry["safe"] for name, entry in tables.items()},
        dropped_statistics={
            name: tuple(entry.get("without", ())) for name, entry in tables.items()
        },
        figures=content["figures"],
        samples=content.get("samples", {}),
    )


def find_secret(table: pd.DataFrame, provenance: Provenance) -> str:
    """Find why a table, and a figure of it, may not be published; "" if they may.

    The one rule: no row is about one person, home or trip.  A recording is one home's.
    """
    recordings = {
        name
        for paper in ("noiseless", "nsht", "deterministic", "prrelation", "knowledge")
        for name, use in load_sections(paper).data.items()
        if use.sets is Sets.RECORDINGS
    }
    if any(source.dataset in recordings and source.is_public for source in provenance.sources):
        return ABOUT_ONE["appliance"]
    return next((why for column, why in ABOUT_ONE.items() if column in table), "")


def write_reference(
    results: str | Path,
    folder: str | Path,
    *,
    verdicts: str | Path,
    readme: str | Path,
    details: str | Path,
) -> None:
    """Write ledger, published tables and figures, digests and verdicts of a complete run.

    ``folder`` holds ``kept.yaml``; all else in it is replaced. ``readme`` and ``details`` are the
    pages between whose marks the tables of verdicts are written. A run on samples alone, or with an
    error, is refused, and so is a table or figure that was not made or must not be published
    (:func:`find_secret`).
    """
    results, folder = Path(results), Path(folder)
    kept = load_publication_list(folder)
    ledger, _ = read_table(_check_exists(results / "ledger.parquet"))
    if (ledger.loc[ledger["dataset"] != "-", "verdict"] == Verdict.NOT_TESTED).all():
        raise DataError(
            f"{results}: every claim on data is not tested, because the run is on samples. Run "
            "`make reference DATA=folder` with the real data (docs/running.md)."
        )
    if len(failed := ledger.loc[ledger["verdict"] == Verdict.ERROR, "id"]):
        raise DataError(f"{results}: the run is not complete: {', '.join(failed)} had an error.")
    for name in kept.tables:
        _check_exists(results / f"tables/{name}.parquet")
    for name in kept.figures:
        _check_exists(results / f"figures/{name}.png")
    for old in ("tables", "figures"):
        shutil.rmtree(folder / old, ignore_errors=True)
    digests = {}
    for path in sorted((results / "tables").glob("*/[!.]*.parquet")):
        name = f"{path.parent.name}/{path.stem}"
        table, provenance = read_table(path)
        digests[name] = build_table_digests(table, provenance)
        secret = find_secret(table, provenance)
        if secret and (name in kept.tables or name in kept.figures):
            raise DataError(f"{folder / _KEPT}: {name} must not be published: {secret}.")
        if name in kept.tables:
            if behind := kept.dropped_statistics[name]:
                table = table[~table["statistic"].isin(behind)]
            _write_csv(table, folder / f"tables/{name}.csv")
    for name in kept.figures:
        _write_picture(results / f"figures/{name}.png", folder / f"figures/{name}.png")
    _write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", folder / _DIGESTS)
    _write_csv(ledger, folder / _LEDGER)
    _write_csv(build_statements(ledger), Path(verdicts))
    _write_csv(load_cells(results), Path(verdicts).with_name(CELLS))
    for page, table in (
        (Path(readme), format_short_verdict_table(ledger)),
        (Path(details), format_verdict_table(ledger)),
    ):
        _write_text(insert_verdicts(page.read_text(encoding="utf-8"), table), page)


def build_table_digests(table: pd.DataFrame, provenance: Provenance) -> dict[str, Any]:
    """Build the JSON digests of a table: its code, settings and sources, and its contents."""
    contents = ContentDigests()
    contents.add(pa.Table.from_pandas(table, preserve_index=False))
    return {
        "code": provenance.version.partition("+")[2],
        "config": provenance.config,
        "contents": compute_digest(contents.get_digests()),
        "rows": len(table),
        "sources": [asdict(source) for source in provenance.sources],
    }


def format_verdict_table(ledger: pd.DataFrame) -> str:
    """Format the number of the papers' statements, by paper and verdict, as a Markdown table.

    Statements that were tested on other data than the paper's stand in rows of their own, one for
    each paper and dataset.
    """
    by_paper, stand_ins = (
        _count_by_paper(ledger),
        count_stand_in_verdicts(ledger),
    )
    stand_ins.index = [
        f"*of `{paper}`, on `{data}`, which stands in*" for paper, data in stand_ins.index
    ]
    table = pd.concat(
        [
            by_paper.rename(index=_format_paper),
            by_paper.sum().to_frame("all").T,
            stand_ins,
        ]
    )
    lines = [["paper", *STATEMENT_VERDICTS], ["---", *["--:"] * len(STATEMENT_VERDICTS)]]
    lines += table.astype(str).reset_index().to_numpy().tolist()
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def format_short_verdict_table(ledger: pd.DataFrame) -> str:
    """Format the number of each paper's statements by what became of them, as Markdown.

    What is counted together is in :data:`noiseless.statements.words.SENTENCES`.  Statements that
    were tested on other data than the paper's alone are open.  The papers' names are links from the
    README to their pages.  Two columns, which a telephone shows side by side.
    """
    first, *others = COUNTED
    lines = ["| paper | what became of its statements |", "| --- | --- |"]
    for paper, row in _count_by_paper(ledger).iterrows():
        found = {
            column: sum(row[[each.word for each in SENTENCES.values() if each.counted == column]])
            for column in COUNTED
        }
        rest = [f"{found[column]} {column}" for column in others if found[column]]
        hold = f"**{found[first]} of {sum(row)} {first}**"
        title = _load_title(str(paper))
        link = f"[{title}](docs/papers/{paper}.md)" if title else f"`{paper}`"
        lines.append(f"| {link} | {', '.join([hold, *rest])} |")
    return "\n".join(lines)


def _count_by_paper(ledger: pd.DataFrame) -> pd.DataFrame:
    """Count the papers' statements by verdict, the papers in the order for a reader."""
    counts = count_verdicts(select_paper_statements(build_statements(ledger)))
    known = [paper for paper in PAPERS if paper in counts.index]
    return counts.loc[[*known, *counts.index.difference(known)]]


def _format_paper(paper: str) -> str:
    """Format a paper as its title and key, or as its key alone if it has no folder."""
    title = _load_title(paper)
    return f"*{title}* (`{paper}`)" if title else f"`{paper}`"


def _load_title(paper: str) -> str:
    """Load the title of a paper; "" if there is no such paper."""
    folder = _ROOT / f"workflow/noiseless/papers/{paper}"
    return load_sections(paper).title.split('"')[1] if folder.is_dir() else ""


def insert_verdicts(page: str, table: str) -> str:
    """Return a page's text with the table of verdicts between its two marks."""
    start, end = map(page.find, _TABLE_MARKERS)
    if start < 0 or end < start:
        raise ConfigError(
            f"the page has no place for the verdicts. Write `{' ... '.join(_TABLE_MARKERS)}` "
            "where their table belongs."
        )
    return f"{page[: start + len(_TABLE_MARKERS[0])]}\n\n{table}\n\n{page[end:]}"


def compare_with_reference(
    *,
    reference: str | Path,
    tables: Mapping[str, str | Path],
    comparison: str | Path,
    code: str,
    ledger: str | Path | None = None,
    statements: Sequence[Statement] = (),
) -> None:
    """Write the table that compares a run's tables and verdicts with those of the reference.

    Without ``ledger`` it is of tables alone (:func:`compare_run`).
    """
    read = {name: read_table(path) for name, path in tables.items()}
    inputs = [provenance for _, provenance in read.values()]
    verdicts = pd.DataFrame()
    if ledger is not None:
        verdicts, provenance = read_table(ledger)
        inputs = [provenance, *inputs]
    table = compare_run(Path(reference), verdicts, read, statements)
    write_table(table, comparison, derive_provenance({}, code, inputs=inputs))


def compare_run(
    reference: Path,
    ledger: pd.DataFrame,
    tables: Mapping[str, tuple[pd.DataFrame, Provenance]],
    statements: Sequence[Statement],
) -> pd.DataFrame:
    """Tabulate how each table and each verdict of a run compares with the reference.

    Rows are matched by all their columns but the numbers, and are the same if their values agree to
    six digits; a table's line counts its rows, and those of them in the reference that are the same
    or changed. A claim is the *same* if its verdict and what came out are. What differs has
    *changed*, unless it was made from *other data* or with *other settings*.
    """
    digests, before = {}, pd.DataFrame()
    if (reference / _DIGESTS).is_file():  # otherwise this run is the first, and nothing is compared
        digests = json.loads((reference / _DIGESTS).read_text(encoding="utf-8"))
        before = _read_csv(_check_exists(reference / _LEDGER)).set_index("id")
    kept = load_publication_list(reference)
    rows, differs = [], {}
    for name, (table, provenance) in tables.items():
        path = reference / f"tables/{name}.csv" if name in kept.tables else None
        current, reference_digests = build_table_digests(table, provenance), digests.get(name)
        differs[name] = _compare_inputs(current, reference_digests)
        comparison, same, changed = _compare_table(
            table, differs[name], current, reference_digests, path
        )
        rows.append(
            {
                **{"kind": "table", "name": name, "verdict": "-", "reference_verdict": "-"},
                **{"rows": len(table), "rows_same": same, "rows_changed": changed},
                "comparison": comparison,
            }
        )
    looked_at = {each.id: [table.name for table in each.tables] for each in statements}
    for row in ledger.to_dict("records"):
        name = row["id"]
        is_left_out = any(table not in differs for table in looked_at[name])
        differences = set() if is_left_out else {differs[table] for table in looked_at[name]}
        reference_row = before.loc[name] if name in before.index else None
        rows.append(
            {
                **{"kind": "claim", "name": name, "verdict": row["verdict"]},
                "reference_verdict": "-" if reference_row is None else reference_row["verdict"],
                **{"rows": 0, "rows_same": 0, "rows_changed": 0},
                "comparison": _compare_verdict(
                    row, reference_row, differences, has_tables=bool(looked_at[name])
                ),
            }
        )
    return pd.DataFrame(rows)


def _compare_table(
    table: pd.DataFrame,
    differs: str,
    current: Mapping[str, Any],
    reference: Mapping[str, Any] | None,
    path: Path | None,
) -> tuple[str, int, int]:
    """Compare a table with the reference: the result, and the numbers of equal and changed rows."""
    if reference is None or differs == OTHER_DATA:
        return differs, 0, 0
    if reference["contents"] == current["contents"]:
        return SAME, len(table), 0
    if path is None:
        return NOT_COMPARED if differs == SAME else differs, 0, 0
    is_same = find_equal_rows(table, _read_csv(_check_exists(path)))
    same, changed = int(is_same.sum()), int((~is_same).sum())
    if not changed:
        return SAME if same else NOT_COMPARED, same, changed
    return CHANGED if differs == SAME else differs, same, changed


def _compare_inputs(current: Mapping[str, Any], reference: Mapping[str, Any] | None) -> str:
    """Compare a table's data and settings with the reference's; return one of COMPARISONS."""
    if reference is None:
        return NOT_COMPARED
    if _list_sources(reference) != _list_sources(current):
        return OTHER_DATA
    return SAME if reference["config"] == current["config"] else OTHER_SETTINGS


def _list_sources(digests: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return the (dataset, SHA-256) pairs of the sources in a table's digests."""
    return {(source["dataset"], source["sha256"]) for source in digests["sources"]}


def find_equal_rows(table: pd.DataFrame, reference: pd.DataFrame) -> pd.Series:
    """Return whether each row that two tables share has values that agree to six digits."""
    current = _read_csv(io.StringIO(table.to_csv(index=False)))
    keys = [column for column in current if column not in ("value", "low", "high", "over")]
    if not set(keys) <= set(reference):
        return pd.Series(dtype=bool)
    # Rows of equal keys are matched by their turn among these.
    both = current.assign(turn=current.groupby(keys).cumcount()).merge(
        reference.assign(turn=reference.groupby(keys).cumcount()),
        on=[*keys, "turn"],
        suffixes=("_now", "_then"),
    )
    numbers = ["value"] if "value" in current else ["low", "high"]  # what a paper prints is a range
    now, then = (
        both[[f"{name}_{run}" for name in numbers]].replace("", "nan").astype(float).to_numpy()
        for run in ("now", "then")
    )
    close = np.isclose(
        now, then, rtol=_RELATIVE_TOLERANCE, atol=_ABSOLUTE_TOLERANCE, equal_nan=True
    )
    return pd.Series(close.all(axis=1), dtype=bool)


def _compare_verdict(
    row: Mapping[str, Any],
    reference_row: pd.Series | None,
    differences: set[str],
    *,
    has_tables: bool,
) -> str:
    """Compare a row of the ledger with the reference's; return one of COMPARISONS."""
    if reference_row is None:
        return NOT_COMPARED
    if not has_tables:
        # A run of other sizes has other numbers of cases, and never another verdict.
        return SAME if row["verdict"] == reference_row["verdict"] else CHANGED
    if not differences:  # it is about data that this run leaves out
        return NOT_COMPARED
    if OTHER_DATA in differences:
        return OTHER_DATA
    if all(row[column] == reference_row[column] for column in ("verdict", "observed")):
        return SAME
    return OTHER_SETTINGS if OTHER_SETTINGS in differences else CHANGED


def format_comparison_counts(comparison: pd.DataFrame, kind: str = "claim") -> str:
    """Format how many claims, or tables, a comparison calls same, changed and so on."""
    words = comparison.loc[comparison["kind"] == kind, "comparison"].value_counts()
    return ", ".join(f"{words[word]} {word}" for word in COMPARISONS if word in words) or "none"


def format_comparison(comparison: pd.DataFrame) -> str:
    """Format a comparison: counts of claims and of tables, and the names of what has changed."""
    changed = comparison.loc[comparison["comparison"] == CHANGED, "name"].tolist()
    more = (
        f" and {len(changed) - _MAX_LISTED_NAMES} more" if len(changed) > _MAX_LISTED_NAMES else ""
    )
    return "\n".join(
        [
            f"Claims beside docs/reference: {format_comparison_counts(comparison)}",
            f"Tables beside docs/reference: {format_comparison_counts(comparison, 'table')}",
            *([f"Changed: {', '.join(changed[:_MAX_LISTED_NAMES])}{more}"] if changed else []),
        ]
    )


def write_summary(
    ledgers: Sequence[str | Path], comparison: str | Path, summary: str | Path
) -> None:
    """Write the text of a run's end: verdict counts, the comparison, and paths of the results.

    A run on samples is not compared.
    """
    lines = [
        "",
        format_verdict_counts(ledgers),
        "Each verdict and its reason: results/ledger/<paper>.csv",
    ]
    if not any(read_provenance(path).is_sample for path in ledgers):
        lines.append(format_comparison(read_table(comparison)[0]))
    lines.append("Everything on one page: results/index.html")
    _write_text("\n".join(lines) + "\n", Path(summary))


def write_beyond_summary(comparison: str | Path, summary: str | Path) -> None:
    """Write the text of the end of a run of ``beyond``: the comparison, and where the results are.

    A run on samples is not compared.
    """
    table, provenance = read_table(comparison)
    lines = [
        "",
        "Beyond the papers: results/figures/beyond, results/tables/beyond",
        "The page of a run with the same settings shows them: results/index.html",
    ]
    if not provenance.is_sample:
        lines.append(f"Tables beside docs/reference: {format_comparison_counts(table, 'table')}")
    _write_text("\n".join(lines) + "\n", Path(summary))


def _check_exists(path: Path) -> Path:
    """Return ``path`` after checking that it is a file."""
    if not path.is_file():
        raise DataError(f"{path}: no such file. `make reference DATA=folder` makes it.")
    return path


def _read_csv(file: Path | io.StringIO) -> pd.DataFrame:
    """Read a CSV file with every cell as text, empty ones included."""
    return pd.read_csv(file, dtype=str, keep_default_na=False)


def load_cells(results: Path) -> pd.DataFrame:
    """Load the cells of printed tables that a run compared, all text.

    Beside the ``id`` of the ledger's row stand ``cell``, ``printed`` and ``found`` (empty for a
    blank), and the cell's ``verdict``.
    """
    rows = []
    for path in sorted((results / "statements").glob("*.parquet")):
        table, _ = read_table(path)
        for row in table[table["cell_of"].fillna("") != ""].to_dict("records"):
            numbers = (json.loads(row[name])[0] for name in ("printed", "found"))
            shown = ("" if each is None else f"{each:g}" for each in numbers)
            cell = row["id"].removeprefix(f"{row['cell_of']}-")
            rows.append((row["cell_of"], cell, *shown, row["verdict"]))
    return pd.DataFrame(rows, columns=list(CELL_COLUMNS), dtype=object)


def _write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a table as CSV without its index, in one move."""
    _write_text(table.to_csv(index=False, lineterminator="\n"), path)


def _write_text(text: str, path: Path) -> None:
    """Write a text file in one move: complete or not at all."""
    with write_atomically(path) as partial:
        partial.write_text(text, encoding="utf-8")


def _write_picture(source: Path, path: Path) -> None:
    """Write a figure as a PNG of 64 colours, at most 1400 pixels wide: a tenth of its size.

    The colours that fill most of the figure come first: a line and its legend keep theirs.
    """
    from PIL import Image  # no other part needs it, and reading the rules imports this module

    with Image.open(source) as picture:
        full = picture.convert("RGB")
    shrink = _PICTURE_WIDTH_PX / max(full.width, _PAGE_WIDTH_PX)
    size = (round(full.width * shrink), round(full.height * shrink))
    small = full.resize(size, Image.Resampling.LANCZOS)
    exact: list[tuple[int, int, int]] = []
    for colour in _list_colours(full):
        if len(exact) < _EXACT_COLOURS and all(math.dist(colour, o) > _APART for o in exact):
            exact.append(colour)
    blended = small.quantize(_COLOURS - len(exact), dither=Image.Dither.NONE).convert("RGB")
    palette = [*exact, *_list_colours(blended)][:_COLOURS]
    reduced = Image.fromarray(_find_nearest(np.asarray(small), np.array(palette)))
    reduced.putpalette([part for colour in palette for part in colour])
    with write_atomically(path) as partial:
        reduced.save(partial, format="PNG", optimize=True)


def _list_colours(picture: "PIL.Image.Image") -> list[tuple[int, int, int]]:
    """List the colours of an RGB picture, the most frequent ones first."""
    counted = picture.getcolors(picture.width * picture.height) or []
    return [cast(tuple[int, int, int], colour) for _, colour in sorted(counted, reverse=True)]


def _find_nearest(pixels: np.ndarray, palette: np.ndarray) -> np.ndarray:
    """Find the nearest colour of a palette for each pixel; Pillow's own search is approximate."""
    codes = pixels.astype(np.int64) @ np.array([65536, 256, 1])
    found, places = np.unique(codes, return_inverse=True)
    colours = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1)
    distances = ((colours[:, np.newaxis] - palette) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1).astype(np.uint8)
    return nearest[places.reshape(-1)].reshape(pixels.shape[:2])


def main(arguments: Sequence[str]) -> None:
    """Write ``docs/reference`` of this checkout from the folder of a run's results."""
    [results] = arguments
    folder = _ROOT / "docs/reference"
    try:
        write_reference(
            results,
            folder,
            verdicts=_ROOT / "workflow/noiseless/ledger/verdicts.csv",
            readme=_ROOT / "README.md",
            details=_ROOT / "docs/reference.md",
        )
    except UserError as error:
        sys.exit(f"error: {error}")
    size_mb = sum(path.stat().st_size for path in folder.rglob("*.*")) / 1e6
    print(
        f"{folder.relative_to(_ROOT)}: {size_mb:.1f} MB. Look at it with `git diff`, and commit it."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
