"""Write docs/papers/<paper>.md: set-up, figures, tables and statements of each paper.

Words, numbers and verdicts come from the reference ledger (:mod:`noiseless.ledger.views`); what the
ledger does not know stands in ``papers/<paper>/summary.yaml``, whose numbers are placeholders.
With the folder of a smoke run's results as its argument, write the pictures of samples, too.
"""

import importlib
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "workflow"))

from noiseless.errors import ConfigError  # noqa: E402
from noiseless.ledger.errata import IN_TABLE, build_anchor, group_errata  # noqa: E402
from noiseless.ledger.prose import Prose  # noqa: E402
from noiseless.ledger.reference import CELLS, load_publication_list  # noqa: E402
from noiseless.ledger.views import Outcome, View, build_views  # noqa: E402
from noiseless.page.places import find_places  # noqa: E402
from noiseless.statements.registry import Statement, load_sections  # noqa: E402
from noiseless.statements.words import SENTENCES  # noqa: E402

DOCS = ROOT / "docs"
PAGES = DOCS / "papers"
REFERENCE = DOCS / "reference"
SAMPLES = PAGES / "samples"
PAPERS = ROOT / "workflow" / "noiseless" / "papers"
CELLS_FILE = ROOT / "workflow" / "noiseless" / "ledger" / CELLS
ORDER = ("noiseless", "nsht", "deterministic", "prrelation", "knowledge")
FACTS = ("number", "wrong", "setup", "drawings", "figures", "tables", "sets", "rows", "not_done")

_FIGURE = re.compile(r"Fig\. (\d+)")
_PLAIN = frozenset({"holds", "open", "not tested"})  # verdicts that are not in bold letters
_CELLS = {"holds": "yes", "fails": "**no**"}  # every other word stands for itself
_FORMS = {  # of a verdict in the sentence that counts: for one statement, for several
    "holds": ("holds as printed", "hold as printed"),
    "depends on the reading": ("depends on how it is read", "depend on how they are read"),
    "needs a premise": ("needs one more premise", "need one more premise"),
    "misprint": ("is a misprint", "are misprints"),
    "slip": ("is a slip whose result stands", "are slips whose results stand"),
    "fails": ("fails", "fail"),
    "open": ("is open", "are open"),
    "not tested": ("is not tested on the paper's data", "are not tested on the paper's data"),
}
_SAMPLE_WIDTH_PX = 900


# Text -------------------------------------------------------------------------------------------


def escape_cell(text: str) -> str:
    """Escape what Markdown would not show literally in a cell; code and links stay."""
    return re.sub(
        r"`[^`]+`|\[[^\]]+\]\([^)]+\)|\\\\.|[|<$~*_]",
        lambda found: found[0] if len(found[0]) > 1 else f"\\{found[0]}",
        " ".join(text.split()),
    )


def select_first_sentence(text: str) -> str:
    """Return the first sentence of a text, without its full stop."""
    first = re.split(r"(?<=[\w)\]\"'%*])\. (?=[A-Z(])", " ".join(text.split()), maxsplit=1)[0]
    return first.removesuffix(".")


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


@cache
def find_line(module: str, function: str) -> int:
    """Find the line of a module's file on which a function begins."""
    path = ROOT / "workflow" / f"{module.replace('.', '/')}.py"
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith(f"def {function}("):
            return number
    raise ConfigError(
        f"docs/reference names {function} of {path.name}, which is not there any more. Run: make "
        "reference DATA=FOLDER"
    )


def format_code_link(check: str, folder: str = "../..") -> str:
    """Link the function of a statement, at its line."""
    module, function = check.split(":")
    path = f"{folder}/workflow/{module.replace('.', '/')}.py"
    return f"[code]({path}#L{find_line(module, function)})"


# A paper ----------------------------------------------------------------------------------------


class PaperPage:
    """Page of one paper, built from the reference ledger and the facts of ``summary.yaml``.

    Attributes
    ----------
    key : str
        Name of the paper's folder.
    views : list of View
        The statements of the paper; ``own``: those of this project.
    """

    def __init__(self, key: str, ledger: pd.DataFrame) -> None:
        self.key = key
        self.folder = PAPERS / key
        ledger = ledger[ledger["paper"] == key]
        rows = {row["id"]: row for row in ledger.to_dict("records")}
        judged = build_views(ledger)
        self.views = [each for each in judged if not each.is_own]
        self.own = [each for each in judged if each.is_own]
        paper = load_sections(key)
        self.authors, self.title = paper.title.split('"')[:2]
        self.statements: dict[str, Statement] = {each.id: each for each in paper.statements}
        path = self.folder / "summary.yaml"
        self.facts: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
        if unknown := set(self.facts) - {*FACTS, "also", "ours"}:
            raise ConfigError(f"{path}: unknown key `{min(unknown)}`; the keys are {FACTS}.")
        self.kept = load_publication_list(REFERENCE)
        self.errata = {
            each.statement.id: f"../errata.md#{entry.anchor}"
            for entry in group_errata(paper.statements, rows)
            for each in entry.rows
        }
        self.proofs = find_links(DOCS / "proofs" / f"{key}.md", rf"`({key}-[\w.-]+)`")
        self.figures = self.load_figures([key])
        self.cells = pd.read_csv(CELLS_FILE, dtype=str, keep_default_na=False)
        self.prose = Prose(
            key,
            judged,
            config=yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8")),
            tables=REFERENCE / "tables",
            constants=lambda name: importlib.import_module(f"noiseless.papers.{key}.{name}"),
        )

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
        tables = self.list_tables()
        parts = [
            f"# {self.title}",
            "<!-- written by `make docs` from docs/reference, the statements and summary.yaml -->",
            self.render_source(),
            self.render_counts(),
            *(self.prose.fill(self.facts[name]) for name in ("number", "wrong")),
            self.render_contents(tables),
            "## Set-up",
            self.render_setup(),
            "## Figures",
            *([self.facts["drawings"]] if self.facts["drawings"] else []),
        ]
        for number in self.facts["figures"]:
            parts += self.render_figure(number)
        for heading, view in tables.items():
            parts += [f"## {heading}", *self.render_cells(view)]
        shown = {f"figure {number}" for number in self.facts["figures"]}
        in_tables = {each.name for each in tables.values()}
        rest = [
            each
            for each in self.views
            if find_section(each.where) not in shown and each.name not in in_tables
        ]
        parts += [
            "## Statements",
            "In the paper's order. A verdict that is a link has an entry in the errata.",
            self.render_table(rest),
            "## Not done",
            "\n".join(f"- {self.prose.fill(each)}" for each in self.facts["not_done"]),
            "## Ours",
            "Figures and statements of this project; none counts for or against the paper.",
            *self.render_own(),
        ]
        return "\n\n".join(parts) + "\n"

    def render_source(self) -> str:
        """Render authors, year, DOI and command."""
        authors = self.authors.strip(" ,")
        citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
        [entry] = [each for each in citation["references"] if each["title"] == self.title]
        return (
            f"{authors}, {entry['year']}, [doi:{entry['doi']}](https://doi.org/{entry['doi']}). "
            f"Run it: `make paper TARGET={self.key}`. "
            "Words: [what a verdict means](../reference.md#what-is-counted), "
            "[glossary](../glossary.md). [Report a wrong verdict](../../README.md#cite-and-ask)."
        )

    def render_counts(self) -> str:
        """Render the sentence that counts the verdicts."""
        found = Counter(each.verdict for each in self.views)
        parts = [
            f"{found[each.word]} {_FORMS[each.word][found[each.word] > 1]}"
            for each in SENTENCES.values()
            if found[each.word] and each.word in _FORMS
        ]
        return f"Of {len(self.views)} statements {', '.join(parts[:-1])} and {parts[-1]}."

    def render_contents(self, tables: Mapping[str, View]) -> str:
        """Render links to the sections of the page."""
        headings = ["Set-up", *(f"Figure {number}" for number in self.facts["figures"]), *tables]
        headings += ["Statements", "Not done", "Ours"]
        return " · ".join(f"[{each}](#{make_slug(each)})" for each in headings)

    def render_setup(self) -> str:
        """Render the set-up: what the paper has, what is here, and why.

        Two columns, which a telephone shows side by side; four were wider than it.
        """
        lines = ["| in the paper | here, and why |", "| --- | --- |"]
        for row in self.facts["setup"]:
            at = f" ({row['at']})" if "at" in row else ""
            cells = (row["what"], row["paper"] + at, row["here"], row["why"])
            what, paper, here, why = (escape_cell(self.prose.fill(each)) for each in cells)
            lines.append(f"| **{what}**: {paper} | {here} (*{why}*) |")
        return "\n".join(lines)

    def render_figure(self, number: int) -> list[str]:
        """Render a figure of the paper: picture, one line, sets that stand in, statements."""
        fact = self.facts["figures"][number]
        parts = [f"### Figure {number}"]
        if "see" in fact:
            parts.append(f"In the picture of [Figure {fact['see']}](#figure-{fact['see']}).")
        else:
            [figure] = [each for each in self.figures if number in _parse_numbers(each["number"])]
            parts += self.render_picture(figure["picture"], figure["shows"], fact["shows"])
        views = [each for each in self.views if find_section(each.where) == f"figure {number}"]
        on_sets = [each for each in views if any(one.data_set for one in each.outcomes)]
        if on_sets:
            parts += self.render_matrix([*on_sets, *self.list_own_on(number)])
        others = [each for each in views if each not in on_sets]
        return [*parts, *([self.render_table(others)] if others else [])]

    def list_own_on(self, number: int) -> list[View]:
        """List the statements of this project that stand among a figure's sets."""
        names = self.facts["figures"][number].get("beside", [])
        return [self.find_view(f"{self.key}-{each}") for each in names]

    def find_view(self, name: str) -> View:
        """Find the view of a statement by its name."""
        return next(each for each in (*self.views, *self.own) if each.name == name)

    def render_picture(self, name: str, shows: str, line: str) -> list[str]:
        """Render a picture with one line below it, and where it comes from if it is a sample."""
        if name in self.kept.figures:
            path, alternative = f"../reference/figures/{name}.png", self.kept.figures[name]
            return [f"![{alternative}]({path})", self.prose.fill(line)]
        return [
            f"![sample: {shows}](samples/{name}.png)",
            f"{self.prose.fill(line)} *A sample from generated data, no result; the real one is "
            f"not published: {self.kept.samples[name]}. `make paper TARGET={self.key}` draws it.*",
        ]

    # Sets of data

    def render_matrix(self, views: Sequence[View]) -> list[str]:
        """Render statements by set: the verdict on each, with the number; the paper's own first.

        Raises
        ------
        ConfigError
            If a set has an answer and no place in ``sets`` of summary.yaml.
        """
        answered = {
            each.data_set
            for view in views
            for each in view.outcomes
            if each.data_set and each.found
        }
        if unnamed := answered - set(self.facts["sets"]):
            raise ConfigError(
                f"{self.folder / 'summary.yaml'}: `sets` has no words for `{min(unnamed)}`, on "
                "which statements have an answer. Write what the column is called."
            )
        names = [name for name in self.facts["sets"] if name in answered]
        quotes = [
            f"- **{letter}** {'Ours: ' * view.is_own}{self.format_sentence(view, quoted=True)}"
            for letter, view in zip(_iterate_letters(), views, strict=False)
        ]
        lines = ["| statement, and how it is read | on each set |", "| --- | --- |"]
        for letter, view in zip(_iterate_letters(), views, strict=False):
            own = {each.data_set: view.verdict for each in view.own_outcomes if each.found}
            verdicts = {**view.set_verdicts, **own}
            words = {name: f"*{verdicts[name]}*" for name in names if name in verdicts}
            if len(words) > 1 and len(set(words.values())) == 1:
                words = {"each": next(iter(words.values()))}
            lines.append(f"| **{letter}** | {_format_sets(words)} |")
            rows: dict[str, dict[str, Outcome]] = {}
            for each in view.outcomes:
                rows.setdefault(each.check, {})[each.data_set] = each
            for check, found in rows.items():
                cells = {
                    name: _format_cell(found[name])
                    for name in names
                    if name in found and found[name].found
                }
                if not cells:
                    continue
                label = self.label_row(next(iter(found.values())), check)
                label = label or "what came out"
                lines.append(
                    f"| {escape_cell(label)} {format_code_link(check)} | {_format_sets(cells)} |"
                )
        said = {name: self.facts["sets"][name].removeprefix(f"{name}, ") for name in names}
        sets = "; ".join(f"*{name}*: {words}" for name, words in said.items())
        return [
            "\n".join(quotes),
            f"The sets of data are {sets}. Behind each that can answer: as printed (yes, **no**, "
            "or open where an interval holds both answers), and the smallest and largest number.",
            "\n".join(lines),
        ]

    def label_row(self, outcome: Outcome, check: str) -> str:
        """Label a row of a statement on sets."""
        name = self.statements[outcome.id].check.__name__.replace("_", "-")
        return str(self.facts.get("rows", {}).get(name, "")) or outcome.label

    # Statements

    def format_sentence(self, view: View, *, quoted: bool = False) -> str:
        """Say a statement in a sentence, or by the paper's words where they are short."""
        if quoted and view.quote and len(view.quote) < 200 and not view.is_own:
            return f'"{escape_cell(view.quote)}"'
        return f"{escape_cell(select_first_sentence(view.says))}."

    def render_table(self, views: Iterable[View]) -> str:
        """Render statements as a table: what the paper says; the verdict and what came out."""
        head = "| the paper says | verdict, and what came out |\n| --- | --- |"
        return "\n".join([head, *map(self.render_line, views)])

    def render_line(self, view: View) -> str:
        """Render a statement as a line of a table."""
        found = view.own_outcomes or view.stand_ins
        links = [*self.list_proofs(view), *([format_code_link(found[0].check)] if found else [])]
        entries = [self.errata[each.id] for each in found if each.id in self.errata]
        entry = next(iter(sorted(entries, key=lambda each: each.endswith(make_slug(IN_TABLE)))), "")
        word = view.verdict
        if word not in _PLAIN:
            word = f"[**{word}**]({entry})" if entry else f"**{word}**"
        lines = [self.describe(each, found) for each in found]
        lines = [] if lines == [view.verdict] else lines  # the verdict says it
        if not view.own_outcomes and found:
            lines.insert(0, "on data that stand in:")
        elif view.set_verdicts:
            lines.append(
                "; ".join(f"{self.facts['sets'][k]}: {v}" for k, v in view.set_verdicts.items())
            )
        alone = len(lines) == 1 and not view.set_verdicts
        came_out = f"{word}: {lines[0]}" if alone else "<br>".join([word, *lines])
        says = f"*{view.where}*: {self.format_sentence(view)}"
        return f"| {says} | {came_out} {' · '.join(links)} |"

    def describe(self, outcome: Outcome, others: Sequence[Outcome]) -> str:
        """Describe what came out of a reading or part, with its label where there are several."""
        if len(others) == 1 and not outcome.is_stand_in:
            return escape_cell(outcome.number or outcome.word)
        label = escape_cell(self.label(outcome, others))
        phrase = escape_cell(outcome.phrase)
        return f"*{label}*: {phrase}" if label else phrase

    def label(self, outcome: Outcome, others: Sequence[Outcome]) -> str:
        """Label one of several outcomes: by its reading, or by what it says or where."""
        statement = self.statements[outcome.id]
        if statement.label or len(others) == 1:
            return statement.label
        candidates = (
            [shorten(each.label) for each in others],
            [each.label for each in others],
            [self.statements[each.id].where for each in others],
            [select_first_sentence(self.statements[each.id].sentence) for each in others],
        )
        place = list(others).index(outcome)
        for each in candidates:
            if each[place] and each.count(each[place]) == 1:
                return each[place]
        return ""

    def list_proofs(self, view: View) -> list[str]:
        """List the link to the proof of a statement."""
        links = [self.proofs[each.id] for each in view.outcomes if each.id in self.proofs]
        return [f"[proof]({links[0]})"] if links else []

    def list_tables(self) -> dict[str, View]:
        """List the printed tables of which every cell was computed, by heading."""
        found = {}
        for view in self.views:
            if (self.cells["id"] == view.outcomes[0].id).any():
                found[str(next(iter(find_places(view.where))))] = view
        return found

    def render_cells(self, view: View) -> list[str]:
        """Render a printed table, printed and computed, and where another reading differs."""
        own = self.cells[self.cells["id"] == view.outcomes[0].id]
        names = own["cell"].str.split("-", expand=True)
        across = list(dict.fromkeys(names[1]))
        computed = own["found"].map(_round_to_thousandths)
        shown = (own["printed"].replace("", "—") + " / " + computed.replace("", "—")).where(
            (own["printed"] != "") | (own["found"] != ""), "—"
        )
        shown = shown.where(own["verdict"] == "reproduced", "**" + shown + "**")
        grid = shown.groupby(names[0], sort=False).apply(list)
        fact = self.facts["tables"][view.name.removeprefix(f"{self.key}-")]
        lines = [
            f"| {fact['axes']} | {' | '.join(map(_drop_letters, across))} |",
            f"| --- |{' --- |' * len(across)}",
            *(f"| **{_drop_letters(name)}** | {' | '.join(each)} |" for name, each in grid.items()),
        ]
        return [
            f"{fact['shows']} Printed / computed; —: none, in the paper and here. "
            f"**{view.outcomes[0].found}**. {format_code_link(view.outcomes[0].check)}",
            "\n".join(lines),
            fact["note"],
        ]

    # This project's

    def render_own(self) -> list[str]:
        """Render the published figures of this project, its chosen statements, and the others."""
        figures = self.load_figures([self.key, *self.facts.get("also", [])])
        parts = []
        for figure in figures:
            if figure["picture"] and not _parse_numbers(figure["number"]):
                line = f"{figure['shows'][0].upper()}{figure['shows'][1:]}."
                parts += self.render_picture(figure["picture"], figure["shows"], line)
        chosen = self.facts.get("ours", {})
        if chosen:
            lines = [f"- {self.prose.fill(each)}" for each in chosen.values()]
            parts.append("\n".join(lines))
        rest = [each for each in self.own if each.name.removeprefix(f"{self.key}-") not in chosen]
        by_word: dict[str, list[str]] = {}
        for view in rest:
            word = view.verdict
            if word == "not tested" and view.set_verdicts:
                word = next(iter(view.set_verdicts.values()))
            link = format_code_link(view.outcomes[0].check).removeprefix("[code]")
            name = view.name.removeprefix(f"{self.key}-")
            by_word.setdefault(word, []).append(f"[`{name}`]{link}")
        parts += [f"More that *{word}*: {', '.join(each)}." for word, each in by_word.items()]
        return parts


def shorten(text: str) -> str:
    """Shorten a reading to its first clause where that is long enough to tell it."""
    first = re.split(r"[;,:] ", text, maxsplit=1)[0]
    return first if len(text) > 60 and len(first) > 12 else text


def _iterate_letters() -> Iterable[str]:
    """Iterate over the letters of quotes above a matrix."""
    return iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _format_sets(found: Mapping[str, str]) -> str:
    """Format what came out on each set as a cell with a line for each."""
    return "<br>".join(f"{name}: {text}" for name, text in found.items())


def _format_cell(outcome: Outcome) -> str:
    """Format what came out on a set: the word for it, and the smallest and largest number."""
    ends = [float(outcome.low), float(outcome.high)]
    largest = max(map(abs, ends))
    if min(ends) > 10_000:
        texts = [f"{int(each):,}" for each in ends]
    elif all(each.is_integer() for each in ends):
        texts = [str(int(each)) for each in ends]
    else:
        texts = [f"{each:.{2 if largest < 10 else 0}f}" for each in ends]
        if 0 < largest < 0.01:
            texts = [f"{each:.4f}" for each in ends]
    texts = [re.sub(r"^-(0\.?0*)$", r"\1", each).replace("-", "\N{MINUS SIGN}") for each in texts]
    words = f"{_CELLS.get(outcome.word, outcome.word)} {' to '.join(dict.fromkeys(texts))}"
    return words.replace(" ", "\N{NO-BREAK SPACE}")  # a narrow cell breaks behind the set


def _drop_letters(name: str) -> str:
    """Drop the letters before a row's or column's number, such as beta1.5: the axes name it."""
    return re.sub(r"^[a-z]+(?=\d)", "", name)


def _round_to_thousandths(number: str) -> str:
    """Round a computed number of a table; an empty cell stays."""
    return f"{float(number):.3f}" if number else number


def find_section(locator: str) -> str:
    """Find the section of a statement: ``figure <number>``, or ``place``."""
    figure = _FIGURE.search(locator)
    return f"figure {figure[1]}" if figure else "place"


def _parse_numbers(number: str) -> list[int]:
    """Parse the numbers of a paper's figure, such as 5 and 6 of "5b, 6b"; a variant has none."""
    if not re.fullmatch(r"\d+[a-z]?(, \d+[a-z]?)*", number):
        return []
    return [int(each) for each in re.findall(r"\d+", number)]


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
