"""Write docs/papers/<paper>.md: the figures and statements of each paper, with verdicts.

With the folder of a smoke run's results as its argument, write the pictures of samples, too.
"""

import csv
import math
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

from noiseless.ledger.errata import build_anchor  # noqa: E402
from noiseless.ledger.reference import CELLS, load_publication_list  # noqa: E402
from noiseless.ledger.statements import (  # noqa: E402
    NO_VERDICT,
    STANDS_IN,
    STATEMENT_VERDICTS,
    build_statements,
    select_paper_statements,
)
from noiseless.page.places import find_places  # noqa: E402
from noiseless.statements.registry import Category, load_sections  # noqa: E402
from noiseless.statements.verdicts import Verdict  # noqa: E402

DOCS = ROOT / "docs"
PAGES = DOCS / "papers"
REFERENCE = DOCS / "reference"
SAMPLES = PAGES / "samples"
PAPERS = ROOT / "workflow" / "noiseless" / "papers"
CELLS_FILE = ROOT / "workflow" / "noiseless" / "ledger" / CELLS
SENTENCES = ROOT / "workflow" / "noiseless" / "ledger" / "sentences.csv"
ORDER = ("noiseless", "nsht", "deterministic", "prrelation", "knowledge")

# Kinds of places with a section of their own on the page, and kinds that number no statement.
_OF_SECTIONS = ("Figure", "Table")
_UNNUMBERED = (*_OF_SECTIONS, "Section", "Appendix", "Footnote")
_FIGURE = re.compile(r"Fig\. (\d+)")
_TABLE = re.compile(r"Table (\d+)|[Tt]able of ")
_STAND_IN = "stand-in: "
_SAMPLE_WIDTH_PX = 900


# Text -------------------------------------------------------------------------------------------


def escape_text(text: str) -> str:
    """Escape a text so that Markdown shows it literally, in one line; code stays code."""
    one_line = " ".join(text.split())
    return re.sub(
        r"`[^`]+`|[\\*_<\[\]|$~]",
        lambda found: found[0] if found[0][0] == "`" else f"\\{found[0]}",
        one_line,
    )


def select_first_sentence(text: str) -> str:
    """Return the first sentence of a text, without its full stop."""
    first = re.split(r"(?<=[\w)\]\"'%])\. (?=[A-Z(])", " ".join(text.split()), maxsplit=1)[0]
    return first.removesuffix(".")


def compare_words(text: str, other: str) -> bool:
    """Compare two texts: nine tenths of the words of either, three or more, are in the other."""
    one, two = (set(re.findall(r"[a-z]{4,}", each.lower())) for each in (text, other))
    shorter = min(len(one), len(two))
    return shorter >= 3 and len(one & two) >= 0.9 * shorter


def make_slug(heading: str) -> str:
    """Make the anchor that git hosts and the site give to a heading that comes once."""
    return build_anchor(heading, Counter())


def list_anchors(text: str) -> list[tuple[str, str]]:
    """List (anchor, text below it) of each heading of a page; a repeated anchor has a number."""
    parts = re.split(r"^#+ (.*)$", text, flags=re.MULTILINE)[1:]
    used: Counter[str] = Counter()
    return [
        (build_anchor(heading, used), body)
        for heading, body in zip(parts[::2], parts[1::2], strict=True)
    ]


def find_links(page: Path, pattern: str) -> dict[str, str]:
    """Find the links from a paper's page to the sections of a page, by the statements' ids."""
    name = Path("..") / page.relative_to(DOCS)
    links: dict[str, str] = {}
    for anchor, body in list_anchors(page.read_text(encoding="utf-8")):
        for claim in re.findall(pattern, body):
            links.setdefault(claim, f"{name.as_posix()}#{anchor}")
    return links


# A paper ----------------------------------------------------------------------------------------


class PaperPage:
    """Page of one paper, built from its captions and the reference ledger.

    Attributes
    ----------
    key : str
        Name of the paper's folder.
    ledger : DataFrame
        Rows of the reference ledger about the paper.
    statements : DataFrame
        Verdicts on the statements of the paper and on those of this project.
    """

    def __init__(self, key: str, ledger: pd.DataFrame) -> None:
        self.key = key
        self.folder = PAPERS / key
        self.ledger = ledger[ledger["paper"] == key]
        self.statements = build_statements(self.ledger)
        paper = load_sections(key)
        self.authors, self.title = paper.title.split('"')[:2]
        self.judged = paper.statements
        with (self.folder / "summary.yaml").open(encoding="utf-8") as file:
            self.summary: dict[str, Any] = yaml.safe_load(file)
        self.kept = load_publication_list(REFERENCE)
        self.errata = find_links(DOCS / "errata.md", rf"Ledger: `({key}-[\w.-]+)`")
        self.proofs = find_links(DOCS / "proofs" / f"{key}.md", rf"`({key}-[\w.-]+)`")
        self.figures = self.load_figures([key])
        self.cells = pd.read_csv(CELLS_FILE, dtype=str, keep_default_na=False)

    def load_figures(self, folders: Iterable[str]) -> list[dict[str, str]]:
        """Load the figures of some folders, with the name of the picture that the page shows."""
        found = []
        for folder in folders:
            path = PAPERS / folder / "figures" / "figures.yaml"
            for name, entry in yaml.safe_load(path.read_text(encoding="utf-8")).items():
                pattern = re.compile(re.sub(r"\{\w+\}", r"[\\w-]+", f"{folder}/{name}"))
                pictures = [
                    each
                    for each in (*self.kept.figures, *self.kept.samples)
                    if pattern.fullmatch(each)
                ]
                base = re.sub(r"_\{\w+\}", "", name)
                found.append(
                    {
                        "base": f"{folder}/{base}",
                        "number": str(entry["figure"]),
                        "shows": re.sub(r", \{\w+\}", "", entry["shows"]),
                        "picture": next(iter(pictures), ""),
                    }
                )
        return found

    # Pieces of the page

    def render(self) -> str:
        """Render the page in Markdown."""
        figures = self.list_paper_figures()
        parts = [
            f"# {self.title}",
            "<!-- written by `make docs` from docs/reference, the claims, summary.yaml and the"
            " captions -->",
            self.render_source(),
            self.render_contents(figures),
            "## What the paper says",
            " ".join(" ".join(each.split()) for each in self.summary["says"]),
            "## Figures",
            *([" ".join(self.summary["drawings"].split())] if self.summary["drawings"] else []),
        ]
        for number in figures:
            parts += self.render_figure(number)
        parts += ["## Theorems and other statements", *self.render_places()]
        tables = self.select_statements(Category.PAPER, "table")
        parts += [
            "## Tables",
            self.render_lines(tables) if tables else "The paper prints no table that is checked.",
            *(text for row in tables for text in self.render_cells(row["statement"])),
            "## Sentences",
            "Every sentence that can be checked, in the paper's order, and what answers it.",
            self.render_sentences(),
            "## What is ours",
            "Statements and figures of this project, which the paper does not have.",
            *self.render_own_figures(),
        ]
        own = self.statements[self.statements["category"] == Category.OWN].to_dict("records")
        parts += [self.render_lines(own)] if own else []
        return "\n\n".join(parts) + "\n"

    def render_source(self) -> str:
        """Render authors, year and DOI, the counts of verdicts, and the command."""
        authors = self.authors.strip(" ,")
        citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
        [entry] = [each for each in citation["references"] if each["title"] == self.title]
        theirs = select_paper_statements(self.statements)["verdict"].value_counts()
        counts = ", ".join(f"{theirs[v]} *{v}*" for v in STATEMENT_VERDICTS if v in theirs)
        return (
            f"{authors}, {entry['year']}, [doi:{entry['doi']}](https://doi.org/{entry['doi']}). "
            f"The verdicts on its {theirs.sum()} statements: {counts} "
            f"([what these words mean](../reference.md#what-is-counted)). "
            f"To run it: `make paper TARGET={self.key}`."
        )

    def render_contents(self, figures: Sequence[int]) -> str:
        """Render links to the sections of the page."""
        links = [f"[Figure {number}](#figure-{number})" for number in figures]
        links += [
            f"[{heading}](#{make_slug(heading)})"
            for heading in (
                "Theorems and other statements",
                "Tables",
                "Sentences",
                "What is ours",
            )
        ]
        return " · ".join(links)

    def list_paper_figures(self) -> list[int]:
        """List the numbers of the paper's figures that a run draws, in order."""
        return sorted({n for figure in self.figures for n in _parse_numbers(figure["number"])})

    def render_figure(self, number: int) -> list[str]:
        """Render a figure of the paper: picture, caption, what differs, and its statements."""
        [figure] = [each for each in self.figures if number in _parse_numbers(each["number"])]
        first = min(_parse_numbers(figure["number"]))
        parts = [f"### Figure {number}"]
        if number == first:
            parts += self.render_picture(figure)
        else:
            parts.append(f"In the picture of [Figure {first}](#figure-{first}).")
        differs = self.summary["differs"].get(number)
        if differs:
            parts.append(f"*What differs.* {' '.join(differs.split())}")
        return [
            *parts,
            self.render_lines(self.select_statements(Category.PAPER, f"figure {number}")),
        ]

    def render_picture(self, figure: dict[str, str]) -> list[str]:
        """Render a picture with its caption, and where the picture comes from."""
        name = figure["picture"]
        if name in self.kept.figures:
            path, alternative = f"../reference/figures/{name}.png", self.kept.figures[name]
            data = self.list_stand_ins(name)
            origin = "*Reference run" + (f", on stand-in data: {data}" if data else "") + ".*"
        else:
            path, alternative = f"samples/{name}.png", f"sample: {figure['shows']}"
            origin = (
                "*A sample, drawn from generated data by `make smoke`: it is no result. The figure "
                f"on real data is not published: {self.kept.samples[name]}. `make paper "
                f"TARGET={self.key}` draws it.*"
            )
        caption = self.load_caption(figure["base"])
        return [f"![{alternative}]({path})", origin, caption]

    def load_caption(self, base: str) -> str:
        """Load a figure's caption as one paragraph of Markdown."""
        folder, name = base.split("/")
        text = (PAPERS / folder / "figures" / f"{name}.rst").read_text(encoding="utf-8")
        return re.sub(r"(?<!\\)[<$~]", lambda found: f"\\{found[0]}", " ".join(text.split()))

    def list_stand_ins(self, picture: str) -> str:
        """List the stand-in data of statements about a picture, or of those on its set of data."""
        ids = {each.id for each in self.judged if each.figure == picture}
        if not ids:
            data_set = picture.rpartition("_")[2]
            ids = {each.id for each in self.judged if each.stand_in == data_set}
        rows = self.ledger[self.ledger["id"].isin(ids)]
        return escape_text("; ".join(_list_stand_in_data(rows)))

    def select_statements(self, category: str, section: str) -> list[dict[str, str]]:
        """Select the statements of a category that stand in a section of the page."""
        rows = self.statements[self.statements["category"] == category].to_dict("records")
        return [row for row in rows if find_section(row["locator"]) == section]

    def render_places(self) -> list[str]:
        """Render the statements of the paper outside figures and tables, by place."""
        places: dict[str, list[str]] = {}
        for row in select_paper_statements(self.statements).to_dict("records"):
            section, place = find_section(row["locator"]), find_place(row["locator"])
            if section == "place":
                places.setdefault(place, []).append(self.render_line(row))
            elif section.startswith("figure") and _list_places(row["locator"], _UNNUMBERED):
                number = section.split()[1]
                places.setdefault(place, []).append(
                    f"- {row['locator']}: see [Figure {number}](#figure-{number})"
                )
        parts = []
        for place, lines in places.items():
            parts += [f"### {place}", "\n".join(dict.fromkeys(lines))]
        return parts

    def render_lines(self, rows: Iterable[dict[str, str]]) -> str:
        """Render a list of statements."""
        lines = [self.render_line(row) for row in rows]
        return "\n".join(lines) or "The paper says nothing of it that can be checked."

    def render_cells(self, statement: str) -> list[str]:
        """Render a printed table, printed and computed, and where another reading differs."""
        rows = self.ledger.loc[self.ledger["statement"] == statement, ["id", "reading"]]
        own = self.cells[self.cells["id"].isin(rows["id"])]
        if own.empty:
            return []
        first = own[own["id"] == own["id"].iloc[0]]
        names = first["cell"].str.split("-", expand=True)
        across = list(dict.fromkeys(names[1]))
        shown = (first["printed"].replace("", "-") + " / " + first["found"].replace("", "-")).where(
            (first["printed"] != "") | (first["found"] != ""), ""
        )
        grid = shown.groupby(names[0], sort=False).apply(list)
        lines = [
            f"| printed / computed | {' | '.join(across)} |",
            f"| --- |{' --- |' * len(across)}",
            *(f"| {name} | {' | '.join(cells)} |" for name, cells in grid.items()),
        ]
        differ = own[own["verdict"] != Verdict.REPRODUCED]
        said = [
            f"Read otherwise ({escape_text(reading)}), {len(cells)} of {len(first)} cells differ: "
            + ", ".join(f"{each.cell} ({each.printed or 'blank'})" for each in cells.itertuples())
            + "."
            for name, reading in rows.itertuples(index=False)
            if len(cells := differ[differ["id"] == name])
        ]
        return ["\n".join(lines), *said]

    def render_line(self, row: dict[str, str]) -> str:
        """Render a statement: verdict, place, text, links; below it why, and stand-in data."""
        rows = self.ledger[self.ledger["statement"] == row["statement"]]
        text = escape_text(select_first_sentence(row["claim"]))
        links = [
            f"[{word}]({found})"
            for word, target in (("erratum", self.errata), ("proof", self.proofs))
            if (found := next((target[i] for i in rows["id"] if i in target), ""))
        ]
        end = f" ({', '.join(links)})" if links else ""
        below = _judge_stand_ins(rows)
        verdict = row["verdict"]
        # A statement of ours that is about stand-in data alone has no other verdict.
        if (
            row["category"] == Category.OWN
            and len(below) == 1
            and (rows["stands_in"] == STANDS_IN).all()
        ):
            [(data, verdict)], below = below, []
            end = f" On stand-in data: {escape_text(data)}.{end}"
        on = " on the paper's data" if below else ""
        head = f"- **{verdict}**{on}, {escape_text(row['locator'])}: {text}.{end}"
        why = [f"  - {escape_text(row['because'])}"] if row["because"] != "-" else []
        return "\n".join(
            [head, *why, *(f"  - on stand-in data, {escape_text(d)}: **{v}**" for d, v in below)]
        )

    def render_sentences(self) -> str:
        """Render the table of the paper's checkable sentences with verdicts or reasons."""
        with SENTENCES.open(encoding="utf-8", newline="") as file:
            sentences = [row for row in csv.DictReader(file) if row["paper"] == self.key]
        statement_of = dict(zip(self.ledger["id"], self.ledger["statement"], strict=True))
        judged = self.statements.set_index("statement")
        lines = ["| place | sentence | verdict, or why there is none |", "| --- | --- | --- |"]
        for sentence in sentences:
            answers = [escape_text(sentence["reason"])] if sentence["reason"] else []
            for name in dict.fromkeys(
                statement_of[each] for each in sentence["claims"].split() if each in statement_of
            ):
                row = judged.loc[name]
                # A verdict belongs to the words that it was given to; others say where it stands.
                ids = self.ledger.loc[self.ledger["statement"] == name, "id"]
                is_its_own = any(
                    compare_words(each.quote or each.prints, sentence["sentence"])
                    for each in self.judged
                    if each.id in set(ids)
                )
                word = row["verdict"] if is_its_own else f"see {escape_text(row['locator'])}"
                answers.append(f"[{word}](#{find_anchor(row)})")
            cells = (
                escape_text(sentence["locator"]),
                escape_text(re.sub(r"^\*|\*$|(?<=\. )\*(?=[A-Z])", "", sentence["sentence"])),
                ", ".join(dict.fromkeys(answers)),
            )
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)

    def render_own_figures(self) -> list[str]:
        """Render the published figures of this project, and a list of the others."""
        figures = self.load_figures([self.key, *self.summary.get("also", [])])
        ours = [each for each in figures if not _parse_numbers(each["number"])]
        parts = []
        for figure in ours:
            if figure["picture"]:
                parts += self.render_picture(figure)
        for command, is_drawn in (("A run", True), ("`make beyond`", False)):
            others = [
                each
                for each in ours
                if not each["picture"] and each["base"].startswith(f"{self.key}/") == is_drawn
            ]
            if others:
                names = "; ".join(f"`{each['base']}` ({each['shows']})" for each in others)
                parts.append(
                    f"{command} draws these figures as well, into `results/figures`: {names}."
                )
        return parts


def find_section(locator: str) -> str:
    """Find the section of a statement: ``figure <number>``, ``table`` or ``place``."""
    if (figure := _FIGURE.search(locator)) is not None:
        return f"figure {figure[1]}"
    return "table" if _TABLE.search(locator) else "place"


def find_place(locator: str) -> str:
    """Find the theorem, equation, section and so on that a locator names first."""
    return next(iter(_list_places(locator, _OF_SECTIONS)), locator.split(",")[0])


def _list_places(locator: str, without: Collection[str]) -> list[str]:
    """List the places that a locator names, such as ``Theorem 7``, without those of some kinds."""
    return [place for place in find_places(locator) if place.split(" ")[0] not in without]


def find_anchor(row: pd.Series) -> str:
    """Find the anchor of the heading below which a statement stands."""
    if row["category"] == Category.OWN:
        return "what-is-ours"
    section = find_section(row["locator"])
    if section == "table":
        return "tables"
    return make_slug(find_place(row["locator"]) if section == "place" else section)


def _parse_numbers(number: str) -> list[int]:
    """Parse the numbers of a paper's figure, such as 5 and 6 of "5b, 6b"; a variant has none."""
    if not re.fullmatch(r"\d+[a-z]?(, \d+[a-z]?)*", number):
        return []
    return [int(each) for each in re.findall(r"\d+", number)]


def _list_stand_in_data(rows: pd.DataFrame) -> list[str]:
    """List the stand-in data of some rows of the ledger, each once."""
    return [
        data.removeprefix(_STAND_IN)
        for data in dict.fromkeys(rows.loc[rows["stands_in"] == STANDS_IN, "data"])
    ]


def _judge_stand_ins(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Judge one statement on each of its stand-in datasets: pairs of data and verdict."""
    found = []
    for data in _list_stand_in_data(rows):
        there = rows[rows["data"].str.removeprefix(_STAND_IN) == data]
        [row] = build_statements(there[there["stands_in"] == STANDS_IN]).to_dict("records")
        if row["stand_in_verdict"] != NO_VERDICT:
            found.append((data, row["stand_in_verdict"]))
    return found


def render_pages() -> dict[str, str]:
    """Render the page of each paper, by the paper's name."""
    ledger = pd.read_csv(REFERENCE / "ledger.csv", dtype=str, keep_default_na=False)
    return {key: PaperPage(key, ledger).render() for key in ORDER}


def write_samples(results: Path) -> None:
    """Write the pictures of samples that kept.yaml names from a smoke run, small."""
    from PIL import Image  # the pages need no picture

    for name in load_publication_list(REFERENCE).samples:
        path = SAMPLES / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        with Image.open(results / "figures" / f"{name}.png") as picture:
            # A wide figure has 2160 pixels, the width of a page.
            width = min(_SAMPLE_WIDTH_PX, math.ceil(picture.width * _SAMPLE_WIDTH_PX / 2160))
            size = (width, math.ceil(picture.height * width / picture.width))
            small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        small.quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    for folder in sys.argv[1:2]:
        write_samples(Path(folder))
    for name, text in render_pages().items():
        (PAGES / f"{name}.md").write_text(text, encoding="utf-8")
