"""Results page, rendered from the ledger, the tables and the figures; it judges nothing.

1. :func:`render_results_page` puts the ledger, the figures, the errata and the run times into one
   HTML file that needs no other: it opens without network, on a phone, from a mail.  Each paper
   has its figures in a row of thumbnails, beside each figure what came out, and below all papers
   each statement once.  To keep it small, pictures are reduced to half their size; links lead to
   the full ones.
   Its security policy has the digests of its own scripts and style, so that no other script runs.
2. Snakemake's own report shows a page as a data URI, which browsers refuse beyond 2 MB, and it has
   the figures anyway: it gets the page without pictures, and small tables for its front.

The page has the run times of rules, so that its bytes differ from run to run.
"""

import base64
import csv
import hashlib
import io
import json
import logging
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
import pyarrow.parquet as pq
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from noiseless.data.samples import select_fidelity
from noiseless.errors import OtherFormatError
from noiseless.figures.captions import escape_markup, render_caption_html
from noiseless.figures.labels import get_label, sort_by_label
from noiseless.files import write_atomically
from noiseless.ledger.errata import build_erratum
from noiseless.ledger.files import bound_false_differs, check_exists, index_paths
from noiseless.ledger.reference import format_comparison_counts
from noiseless.ledger.statements import (
    NO_VERDICT,
    STANDS_IN,
    build_statements,
    count_verdicts,
    list_verdicts,
    select_paper_statements,
)
from noiseless.page.gallery import (
    FigureEntry,
    encode_picture,
    find_entry,
    load_entries,
    order_figures,
)
from noiseless.page.places import SPELLINGS, find_places, group_places, list_enclosing_places
from noiseless.page.run_times import RunTime, read_run_times
from noiseless.page.words import PAPERS, shorten_text, spell_number
from noiseless.statements.registry import Category, Statement
from noiseless.statements.sentences import SentenceVerdict
from noiseless.statements.verdicts import Verdict
from noiseless.statements.words import SENTENCES
from noiseless.tables import Provenance, check_csv_copies, read_provenance, read_table

log = logging.getLogger(__name__)

REPRODUCED, CORRECTED, DIFFERS = map(str, (Verdict.REPRODUCED, Verdict.CORRECTED, Verdict.DIFFERS))
INCONCLUSIVE, NOT_TESTED, ERROR = map(
    str, (Verdict.INCONCLUSIVE, Verdict.NOT_TESTED, Verdict.ERROR)
)
_OPEN, _ERROR = SENTENCES[SentenceVerdict.OPEN], SENTENCES[SentenceVerdict.ERROR]
# The mark distinguishes the verdicts without colour; the key is the name of the CSS class.
VERDICTS = {
    REPRODUCED: {"key": "reproduced", "mark": "✓", "means": "what the paper prints came out"},
    CORRECTED: {"key": "corrected", "mark": "✎", "means": "wrong as printed; the erratum holds"},
    DIFFERS: {"key": "differs", "mark": "✗", "means": "something else came out"},
    INCONCLUSIVE: {"key": "inconclusive", "mark": "~", "means": _OPEN.means},
    NOT_TESTED: {"key": "untested", "mark": "○", "means": "its data or table was not there"},
    ERROR: {"key": "differs", "mark": "!", "means": _ERROR.means},
}
# For each verdict on a statement, the verdict on a row whose mark and CSS class it shares.
_STYLE_VERDICTS = {
    SentenceVerdict.HOLDS: REPRODUCED,
    SentenceVerdict.READING: INCONCLUSIVE,
    SentenceVerdict.PREMISE: INCONCLUSIVE,
    SentenceVerdict.MISPRINT: CORRECTED,
    SentenceVerdict.SLIP: CORRECTED,
    SentenceVerdict.FAILS: DIFFERS,
    SentenceVerdict.OPEN: INCONCLUSIVE,
    SentenceVerdict.NOT_TESTED: NOT_TESTED,
    SentenceVerdict.ERROR: ERROR,
}
STATEMENT_LOOKS = {
    words.word: {**VERDICTS[_STYLE_VERDICTS[verdict]], "means": words.means}
    for verdict, words in SENTENCES.items()
}
NO_DATA = "no data"
_MAX_RESULTS = 4  # number of a statement's rows that stand one by one beside a figure


@dataclass(frozen=True)
class PageFigure:
    """Figure of this run, ``<paper>/<name>``, with its caption in reStructuredText.

    ``own`` is the user's set of homes that it shows, if any.
    """

    name: str
    path: Path
    caption: str = ""
    own: str = ""
    entry: FigureEntry = field(default_factory=FigureEntry)


@dataclass(frozen=True)
class PageTable:
    """Table of this run: its name, number of rows, provenance, and a relative link (URL path)."""

    name: str
    rows: int
    provenance: Provenance
    file: str

    @property
    def own(self) -> str:
        """Name of the user's set of homes that the table is about; empty for any other table."""
        names = [each.dataset for each in self.provenance.sources if each.tier == "own"]
        return names[0].removeprefix("own_") if names else ""


def render_results_page(
    ledger: pd.DataFrame,
    *,
    statements: Sequence[Statement],
    figures: Sequence[PageFigure],
    tables: Sequence[PageTable],
    run_times: Sequence[RunTime],
    provenance: Provenance,
    compared: str = "",
    alone: bool = True,
) -> str:
    """Render the results page as HTML.

    Not ``alone``: without pictures and links to files beside it, for the Snakemake report. Papers
    are in the order of :data:`~noiseless.page.words.PAPERS`, a paper's figures in its own order,
    and its statements in the order of the ledger. A statement stands once, with its readings, and
    below these its rows on stand-in data. A figure that only a statement names is reported as
    missing. Figures and tables of a user's set of homes have a heading of their own, because no
    paper states anything about them.
    """
    judged = {row["statement"]: row for row in build_statements(ledger).to_dict("records")}
    rows = _join_statements(ledger, statements, judged)
    shown = {figure.name: figure for figure in figures}
    made_up = _list_made_up(figures, rows, tables, provenance)
    papers = _group_papers(rows, [figure for figure in figures if not figure.own], made_up)
    papers_statements = [row for row in judged.values() if row["category"] != Category.OWN]
    sampled = [row for row in rows if "sample" in row["tier"].split("+")]
    folder = Path(__file__).parent
    style = (folder / "style.css").read_text(encoding="utf-8")
    scripts = [(folder / "page.js").read_text(encoding="utf-8")]
    return _load_template(folder).render(
        alone=alone,
        policy=_build_security_policy(style, scripts),
        papers=papers,
        judged=spell_number(sum(bool(paper["statements"] or paper["ours"]) for paper in papers)),
        figures=shown,
        pictures={figure.name: encode_picture(figure.path) for figure in figures} if alone else {},
        results=_group_results(rows),
        tallies={
            name: Counter(row["verdict"] for row in named)
            for name, named in _group_rows(rows, lambda row: row["source"].figure).items()
        },
        made_up=made_up,
        captions={figure.name: render_caption_html(figure.caption) for figure in figures},
        alternatives={figure.name: _extract_title(figure) for figure in figures},
        anchor=_format_anchor,
        gist=shorten_text,
        beyond_title=PAPERS["beyond"],
        short_titles={paper["key"]: paper["short"] for paper in papers},
        counts=_count_verdicts(papers_statements),
        own_counts=_count_verdicts(
            [row for row in judged.values() if row["category"] == Category.OWN]
        ),
        group_links=lambda names: _group_links([shown[name] for name in names if name in shown]),
        place_papers=_list_papers_by_place(rows),
        looks=_drop_absent_error(STATEMENT_LOOKS, ledger),
        no_verdict=NO_VERDICT,
        false_differs=f"{bound_false_differs(ledger):.2g}",
        compared=compared,
        total=len(rows),
        sampled=len(sampled),
        fidelity=select_fidelity(provenance, *(table.provenance for table in tables)),
        sampled_untested=sum(row["verdict"] == NOT_TESTED for row in sampled),
        verdicts=_drop_absent_error(VERDICTS, ledger),
        corrected=CORRECTED,
        filters={
            "paper": sort_by_label(PAPERS, ledger["paper"]),
            "where": group_places(ledger["locator"]),
            "statement": [
                each for each, count in _count_verdicts(judged.values()).items() if count
            ],
            "verdict": [verdict for verdict in VERDICTS if verdict in set(ledger["verdict"])],
            "tier": _split_joined_values(ledger["tier"]),
            "dataset": _split_joined_values(ledger["dataset"]),
        },
        spellings=json.dumps(SPELLINGS),
        no_data=NO_DATA,
        own_sets=_group_user_sets(figures, tables),
        tables_by_paper=_group_by_paper(
            [table for table in tables if not table.own], lambda table: table.name.split("/")[0]
        ),
        excluded=_list_excluded([provenance, *(table.provenance for table in tables)]),
        run_times=run_times,
        run_times_h=sum(each.run_time_s for each in run_times) / 3600,
        style=style,
        scripts=scripts,
        foot=provenance.format_footer(),
    )


def _list_excluded(provenances: Iterable[Provenance]) -> dict[str, str]:
    """List, by dataset, the sentence on the homes that are left out."""
    sources = {source for each in provenances for source in each.sources if source.excluded}
    return {each.dataset.removeprefix("own_"): each.excluded for each in sorted(sources, key=repr)}


def _drop_absent_error(looks: Mapping[str, Any], ledger: pd.DataFrame) -> dict[str, Any]:
    """Return the looks of verdicts without that of errors, unless the ledger has one."""
    is_there = (ledger["verdict"] == ERROR).any()
    return {verdict: look for verdict, look in looks.items() if verdict != ERROR or is_there}


def _load_template(folder: Path) -> Template:
    """Load the page's template, in which an undefined name is an error."""
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("index.html.j2")


def write_page(
    *,
    statements: Sequence[Statement],
    ledger: str | Path,
    tables: Mapping[str, str | Path],
    figures: Mapping[str, str | Path],
    page: str | Path,
    report: Mapping[str, str | Path],
    beyond: Collection[str | Path] = (),
    captions: Sequence[str | Path] = (),
    figure_lists: Sequence[str | Path] = (),
    logs: str | Path | None = None,
    compared: str | Path | None = None,
) -> None:
    """Write the results page, and the parts of the Snakemake report.

    Tables and figures of the run are named ``<paper>/<name>``. ``report`` has the paths of
    ``page``, the page without pictures; and, tab-separated for reStructuredText, of ``verdicts``,
    their number by paper, ``claims``, the ledger in short, and ``run_times``. ``beyond`` are the
    tables and figures that are there of that target. A figure of a set of homes, ``<name>_<set>``,
    has the caption of all sets.
    """
    judged, provenance = read_table(check_exists(ledger))
    there = _drop_other_formats(sorted(map(Path, beyond)))
    _check_copies([path for path in there if path.suffix == ".parquet"])
    tables = {**tables, **index_paths(str(each) for each in there if each.suffix == ".parquet")}
    figures = {**figures, **index_paths(str(each) for each in there if each.suffix == ".png")}
    paths = {name: check_exists(path) for name, path in sorted(tables.items())}
    run_times = read_run_times(logs) if logs else []
    texts = {
        f"{path.parents[1].name}/{path.stem}": path.read_text(encoding="utf-8")
        for path in map(Path, captions)
    }
    files = [_build_table(name, path, Path(page).parent) for name, path in paths.items()]
    own_sets = {file.own for file in files} - {""}
    entries = load_entries(figure_lists)
    parts: dict[str, Any] = {
        "statements": statements,
        "figures": [
            _build_figure(name, check_exists(path), texts, own_sets, find_entry(name, entries))
            for name, path in sorted(figures.items())
        ],
        "tables": files,
        "run_times": run_times,
        "provenance": provenance,
        "compared": format_comparison_counts(read_table(check_exists(compared))[0])
        if compared
        else "",
    }
    brief = judged[["paper", "locator", "verdict", "claim"]]
    outputs = {
        page: render_results_page(judged, alone=True, **parts),
        report["page"]: render_results_page(judged, alone=False, **parts),
        report["verdicts"]: _join_with_tabs(_build_verdict_rows(judged)),
        report["claims"]: _join_with_tabs(
            [[*brief], *brief.map(escape_markup).to_numpy().tolist()]
        ),
        report["run_times"]: _join_with_tabs(_build_run_time_rows(run_times)),
    }
    for path, text in outputs.items():
        with write_atomically(path) as partial:
            partial.write_text(text, encoding="utf-8")


def _drop_other_formats(paths: list[Path]) -> list[Path]:
    """Return the paths; none, with a line, if a table of them is of another version's format."""
    for path in paths:
        if path.suffix == ".parquet":
            try:
                read_provenance(path)
            except OtherFormatError:
                log.warning("Left out of the page: what another version made of beyond (%s).", path)
                return []
    return paths


def _check_copies(tables: Sequence[Path]) -> None:
    """Check CSV copies of tables of ``beyond``, unless a table was made anew without its copy."""
    for digests in {path.parents[1] / "sha256_beyond.txt" for path in tables}:
        if not digests.is_file() or not all(each.with_suffix(".csv").is_file() for each in tables):
            continue
        if all(each.stat().st_mtime <= digests.stat().st_mtime for each in tables):
            check_csv_copies(digests)


def _build_figure(
    name: str, path: Path, captions: Mapping[str, str], own_sets: set[str], entry: FigureEntry
) -> PageFigure:
    """Build a figure with its caption; for a user's set of homes, the caption of all sets."""
    if name in captions:
        return PageFigure(name, path, captions[name], entry=entry)
    all_sets, _, homes = name.rpartition("_")
    own = homes if homes in own_sets else ""
    return PageFigure(name, path, captions.get(all_sets, ""), own, entry)


def _group_user_sets(
    figures: Sequence[PageFigure], tables: Sequence[PageTable]
) -> dict[str, dict[str, Any]]:
    """Group the figures and tables of the user's sets of homes by the name of the set."""
    names = sorted({*(each.own for each in figures), *(each.own for each in tables)} - {""})
    return {
        name: {
            "figures": [figure.name for figure in figures if figure.own == name],
            "tables": [table for table in tables if table.own == name],
        }
        for name in names
    }


def _extract_title(figure: PageFigure) -> str:
    """Extract a caption's bold title as the text in place of the picture; empty if none."""
    title = re.match(r"\s*\*\*(.+?)\*\*", figure.caption, flags=re.DOTALL)
    return " ".join(title[1].split()) if title else ""


def _build_table(name: str, path: Path, folder: Path) -> PageTable:
    """Build a table's entry, with the relative link to its CSV twin, or else to itself."""
    twin = path.with_suffix(".csv")
    # One that is older is of a table that was there before.
    is_current = twin.is_file() and twin.stat().st_mtime >= path.stat().st_mtime
    file = twin if is_current else path
    return PageTable(
        name=name,
        rows=pq.read_metadata(path).num_rows,
        provenance=read_provenance(path),
        file=quote(Path(os.path.relpath(file, folder)).as_posix()),
    )


def _join_statements(
    ledger: pd.DataFrame,
    statements: Sequence[Statement],
    judged: Mapping[str, Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Join each row of the ledger with its function, what is printed, and where it stands."""
    by_id = {each.id: each for each in statements}
    return [
        {
            **row,
            "source": by_id[row["id"]],
            "erratum": build_erratum(by_id[row["id"]]),
            "judged": judged[row["statement"]],
            "where": "+".join(_list_where(row["locator"])),
        }
        for row in ledger.to_dict("records")
    ]


def _list_made_up(
    figures: Sequence[PageFigure],
    rows: Sequence[Mapping[str, Any]],
    tables: Sequence[PageTable],
    provenance: Provenance,
) -> set[str]:
    """List the names of figures that show made-up data, by their statements and by what was read.

    A figure shows the table of its name, if there is one.
    """
    provenances = [provenance, *(table.provenance for table in tables)]
    sampled = {
        source.dataset for each in provenances for source in each.sources if source.tier == "sample"
    }
    sampled_tables = {table.name for table in tables if table.provenance.is_sample}
    return {
        figure.name
        for figure in figures
        if figure.name in sampled_tables
        or _is_made_up(
            figure, [row for row in rows if row["source"].figure == figure.name], sampled
        )
    }


def _group_papers(
    rows: Sequence[Mapping[str, Any]], figures: Sequence[PageFigure], made_up: Collection[str]
) -> list[dict[str, Any]]:
    """Group rows and figures by paper: the figures in order, and each statement once."""
    entries = {figure.name: figure.entry for figure in figures}
    sets = list(dict.fromkeys(name for row in rows for name in row["source"].paper.data))
    drawn = _group_by_paper(list(entries), lambda name: name.split("/")[0])
    claimed = _group_by_paper(rows, lambda row: row["paper"])
    papers = []
    for paper in sort_by_label(PAPERS, [*claimed, *drawn]):
        members = claimed.get(paper, [])
        statements = [
            _build_statement(of_one)
            for of_one in _group_rows(members, lambda row: row["statement"]).values()
        ]
        named = dict.fromkeys(row["source"].figure for row in members if row["source"].figure)
        papers.append(
            {
                "key": paper,
                "title": members[0]["source"].paper.title if members else get_label(PAPERS, paper),
                "short": get_label(PAPERS, paper),
                "counts": _count_verdicts(
                    _list_statements(row for row in members if row["category"] != Category.OWN)
                ),
                "own_counts": _count_verdicts(
                    _list_statements(row for row in members if row["category"] == Category.OWN)
                ),
                "stand_ins": _count_verdicts(
                    _list_statements(row for row in members if row["category"] != Category.OWN),
                    "stand_in_verdict",
                ),
                "figures": order_figures(drawn.get(paper, []), entries, made_up, sets),
                "missing": [name for name in named if name not in entries],
                "statements": [
                    each for each in statements if each["judged"]["category"] != Category.OWN
                ],
                "ours": [each for each in statements if each["judged"]["category"] == Category.OWN],
            }
        )
    return papers


def _build_statement(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Build a statement with its rows by reading, those on stand-in data apart and last."""
    has_own = any(row["stands_in"] != STANDS_IN for row in rows)
    groups = _group_rows(
        rows,
        lambda row: (has_own and row["stands_in"] == STANDS_IN, row["reading"]),
    )
    figures = dict.fromkeys(row["source"].figure for row in rows if row["source"].figure)
    return {
        "judged": rows[0]["judged"],
        "rows": rows,
        "figures": list(figures),
        "groups": [
            {"is_stand_in": is_stand_in, "reading": reading, "rows": members}
            for (is_stand_in, reading), members in sorted(
                groups.items(), key=lambda group: group[0][0]
            )
        ],
    }


def _group_results(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Group, for each figure, the rows that name it by statement.

    A statement with many rows in one figure, such as its sets of homes, has no ``rows``: its
    verdicts are counted, and its numbers are in a closed list.
    """
    results = {}
    for name, named in _group_rows(rows, lambda row: row["source"].figure).items():
        if not name:
            continue
        results[name] = [
            {
                "judged": of_one[0]["judged"],
                "rows": of_one if len(of_one) <= _MAX_RESULTS else [],
                "all": of_one,
                "counts": Counter(row["verdict"] for row in of_one),
            }
            for of_one in _group_rows(named, lambda row: row["statement"]).values()
        ]
    return results


def _group_links(figures: Sequence[PageFigure]) -> dict[str, dict[str, str]]:
    """Group figures by their label, each with the text of a link that tells it from the others."""
    groups = _group_rows(figures, lambda figure: figure.entry.label)
    texts = {}
    for label, members in groups.items():
        short = [figure.entry.varied or figure.entry.shows or figure.name for figure in members]
        is_clear = len(set(short)) == len(short)
        texts[label] = {
            figure.name: text if is_clear else figure.entry.shows
            for figure, text in zip(members, short, strict=True)
        }
    return texts


def _list_papers_by_place(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """List, for each place that a locator names, and those around it, the papers that have it."""
    papers: dict[str, dict[str, None]] = {}
    for row in rows:
        for place in find_places(row["locator"]):
            for each in list_enclosing_places(place):
                papers.setdefault(each, {})[row["paper"]] = None
    return {place: list(members) for place, members in papers.items()}


def _is_made_up(
    figure: PageFigure, rows: Sequence[Mapping[str, Any]], made_up_sets: Collection[str]
) -> bool:
    """Check whether a figure shows made-up data: by its set of homes, or else by its statements."""
    if figure.entry.varied:
        return figure.entry.varied in made_up_sets
    return any("sample" in row["tier"].split("+") for row in rows)


def _list_where(locator: str) -> list[str]:
    """List, in lower case, the places of a locator and those that they are a part of."""
    places = [each for place in find_places(locator) for each in list_enclosing_places(place)]
    return list(dict.fromkeys(place.lower() for place in places))


def _format_anchor(name: str) -> str:
    """Format the name of a figure's place in the page."""
    return "figure-" + re.sub(r"[^\w.-]", "-", name)


def _group_rows(rows: Sequence[Any], key: Any) -> dict[Any, list[Any]]:
    """Group rows by ``key(row)``, with the keys in the order of their first row."""
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _group_by_paper(rows: Sequence[Any], key: Any) -> dict[Any, list[Any]]:
    """Group rows by paper, with the papers in the order of :data:`PAPERS`."""
    groups = _group_rows(rows, key)
    return {paper: groups[paper] for paper in sort_by_label(PAPERS, groups)}


def _list_statements(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """List the statements of rows, each once."""
    return list({row["statement"]: row["judged"] for row in rows}.values())


def _count_verdicts(judged: Iterable[Mapping[str, Any]], column: str = "verdict") -> dict[str, int]:
    """Count the statements with each verdict, zeros included."""
    numbers = Counter(row[column] for row in judged)
    return {verdict: numbers[verdict] for verdict in list_verdicts(numbers)}


def _split_joined_values(values: pd.Series) -> list[str]:
    """List the distinct parts of ``a+b`` values, alphabetically; ``-`` (no data) comes last."""
    parts = {part for value in values for part in value.split("+")}
    return [*sorted(parts - {"-"}), *(["-"] if "-" in parts else [])]


def _build_security_policy(style: str, scripts: Sequence[str]) -> str:
    """Build the Content-Security-Policy that allows only the page's style, scripts, pictures."""
    digests = [_compute_csp_hash(script) for script in scripts]
    return (
        f"default-src 'none'; script-src {' '.join(digests)}; style-src "
        f"{_compute_csp_hash(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _compute_csp_hash(text: str) -> str:
    """Compute the SHA-256 source expression of a script or style for the security policy."""
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _build_verdict_rows(ledger: pd.DataFrame) -> list[list[Any]]:
    """Build rows of the number of statements by paper and verdict, with head and sum."""
    numbers = count_verdicts(select_paper_statements(build_statements(ledger)))
    body = numbers.reset_index().to_numpy().tolist()
    return [["paper", *numbers], *body, ["all", *numbers.sum()]]


def _build_run_time_rows(run_times: Sequence[RunTime]) -> list[list[Any]]:
    """Build rows of the run times, below a header."""
    body = []
    for each in run_times:
        numbers = f"{each.run_time_s:.1f}", f"{each.cpu_time_s:.1f}", f"{each.peak_memory_mb:.0f}"
        body.append([each.rule, each.jobs, *numbers])
    return [["rule", "jobs", "run time (s)", "CPU time (s)", "peak memory (MB)"], *body]


def _join_with_tabs(rows: Sequence[Sequence[Any]]) -> str:
    """Format rows as tab-separated text."""
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
    return text.getvalue()
