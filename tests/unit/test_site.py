"""The site: its pages are all within reach, its tutorials run, and what it says of upgrading is so.

``make site`` builds it, and then runs the tests at the end, which look at what was built.
"""

import ast
import csv
import inspect
import os
import re
import runpy
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml

import noiseless
from noiseless.accounting.realized_loss import LossBounds
from tracked_files import list_tracked

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("tutorial_*.py"))


def toctree(page: Path) -> set[Path]:
    """Pages that the toctrees of a page name; those that are made at the build are left to it."""
    text = page.read_text(encoding="utf-8")
    found = set()
    for block in re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.M | re.S):
        names = [line for line in block.splitlines() if line and not line.startswith(":")]
        for name in names:
            found |= (
                set(page.parent.glob(f"{name}.md"))
                if "*" in name
                else {(page.parent / f"{name}.md").resolve()}
            )
    return {path for path in found if "made" not in path.parts}


def test_every_page_is_within_reach():
    """From the front page, through the toctrees, and nothing else is named there."""
    reached, waiting = set(), [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        assert page.is_file(), page
        if page not in reached:
            reached.add(page)
            waiting += toctree(page)
    pages = {page for page in DOCS.rglob("*.md") if not {"made", "_build"} & set(page.parts)}
    assert reached == pages


PAGES = [
    page
    for folder in (".", "config", "data", "docs", "docs/*")
    for page in sorted(ROOT.glob(f"{folder}/*.md"))
    if not {"made", "_build"} & set(page.parts)
]


def anchors(text: str) -> set[str]:
    """What a link into a page may name: its headings, and anchors that are written out.

    As git hosts and the site name them: a heading that comes again has its number behind it.
    """
    headings = re.findall(r"^#+ (.*)$", strip_code(text), re.M)
    seen: dict[str, int] = {}
    made = set()
    for heading in headings:
        slug = re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
        made.add(f"{slug}-{seen[slug]}" if slug in seen else slug)
        seen[slug] = seen.get(slug, 0) + 1
    return made | set(re.findall(r'<a id="([^"]+)"', text))


def strip_code(text: str) -> str:
    """Remove blocks of code, in which nothing is a link or a heading."""
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)


def links_in(text: str) -> list[tuple[str, str]]:
    """Relative links and pictures of a page in Markdown, as pairs of file and anchor."""
    text = re.sub(r"(?<!`)`[^`\n]+`(?!`)(?!\])", "", strip_code(text))
    found = re.findall(
        r"(?<!\\)\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)|<img src=\"([^\"]+)\"", text
    )
    return [(target or picture, anchor) for target, anchor, picture in found]


@pytest.fixture(scope="module")
def shown() -> set[Path]:
    """The files that a git host shows: all that are not ignored."""
    files = {ROOT / name for name in list_tracked(ROOT)}
    return files | {folder for path in files for folder in path.parents}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(page, shown):
    """As a git host shows the page: to files that are in the repository, and to their headings.

    The site rewrites a link to a file outside of docs if its words stand on one line.
    """
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"\[[^\]]*\n[^\]]*\]\((?:\.\./)+[^)]*\)", strip_code(text))
    for target, anchor in links_in(text):
        there = Path(os.path.normpath(page.parent / target)) if target else page
        assert there.exists(), target
        assert there in shown, f"{target} is not in the repository"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there.read_text(encoding="utf-8")), f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_that_a_page_names_are_there(page):
    """Paths in backquotes; a guide names files that its reader makes, the changelog what was."""
    if page.name in ("adding-an-experiment.md", "adding-data.md", "CHANGELOG.md"):
        pytest.skip("names files that are not there, or not any more")
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:docs|tests|workflow|config)/[\w./-]+\.\w+)(?:::\w+)?`", text)
    made = re.findall(r"New file `([^`]+)`:\n", text)
    assert not [path for path in named if not (ROOT / path).exists() and path not in made]


@pytest.fixture(scope="module")
def api():
    return runpy.run_path(str(ROOT / "workflow/schemas/write_api.py"))


def test_reference_of_public_names_is_up_to_date(api):
    """`make docs` writes it."""
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    assert api["render_page"]() == page
    headings = re.findall(r"^### (\w+)$", page, re.M)
    assert sorted(headings) == sorted(noiseless.__all__)


def test_reference_tells_every_argument_of_every_public_function(api):
    """Against Python's own signatures, which the page does not read."""
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", page, re.M | re.S))
    for name in noiseless.__all__:
        entry = getattr(noiseless, name)
        if inspect.isclass(entry) and issubclass(entry, Exception):
            continue
        (shown,) = re.findall(rf"^```python\n({name}\(.*?)^```", sections[name], re.M | re.S)
        for argument in inspect.signature(entry).parameters:
            assert re.search(rf"[(\s*]{argument}[:=,)\n]", shown), (name, argument)


@pytest.mark.parametrize("wrong", ["Quantizer", "Nothing"])
def test_public_name_without_a_group_or_a_group_of_another_name_stops_the_page(api, wrong):
    groups = {"all": " ".join({*noiseless.__all__} ^ {wrong})}
    api["list_names"].__globals__["GROUPS"], kept = groups, api["GROUPS"]
    try:
        with pytest.raises(SystemExit, match=wrong):
            api["list_names"]()
    finally:
        api["list_names"].__globals__["GROUPS"] = kept


def test_columns_of_the_published_tables_are_described_and_are_on_the_page_of_tables():
    """Against the tables of docs/reference; those of a run are compared in test_smoke."""
    module = runpy.run_path(str(ROOT / "workflow/schemas/write_tables.py"))
    page = (DOCS / "tables.md").read_text(encoding="utf-8")
    for path in (DOCS / "reference/tables").glob("*/*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            columns = next(csv.reader(file))
        name = module["generalise_name"](path.stem)
        (row,) = re.findall(rf"^\| `{re.escape(name)}` \|.*$", cut(page, path.parent.name), re.M)
        for column in set(columns) - {"statistic", *module["ESTIMATE"]}:
            assert f"`{column}`" in row, (name, column)
    described = module["describe_columns"]()["columns"]
    assert all(isinstance(meaning, str) for meaning in described.values())
    used = set(re.findall(r"`(\w+)`", page.split("## What the columns mean")[0]))
    assert set(described) - set(module["ESTIMATE"]) - {"statistic"} <= used


def cut(page: str, paper: str) -> str:
    """The section of a paper in the page of tables."""
    return page.split(f"\n## {paper}\n")[1].split("\n## ")[0]


def test_tutorials_use_public_names_alone():
    assert len(TUTORIALS) == 2
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    for script in TUTORIALS:
        assert f"(tutorials/{script.name})" in page
        for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("noiseless"), script
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "nl":
                assert node.attr in noiseless.__all__, script


@pytest.mark.slow
def test_tutorials_run_and_leave_nothing_behind(tmp_path):
    """One after the other in one process, which imports what they share once."""
    program = "import runpy, sys\nfor path in sys.argv[1:]:\n    runpy.run_path(path)"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *TUTORIALS],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    assert not list(tmp_path.iterdir())
    # What the texts beside the code say of the numbers.
    assert "of the trips are unique" in run.stdout
    assert "bits" in run.stdout


# Upgrading from 0.1 ----------------------------------------------------------------------------


def test_bibliography_names_every_paper_and_guesses_no_doi():
    """One entry for each paper and one for the project; a DOI only where CITATION.cff has it."""
    text = (DOCS / "references.bib").read_text(encoding="utf-8")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    titles = re.findall(r"^\s*title\s*=\s*\{(.*)\},?$", text, re.M)
    assert titles == [citation["title"], *(paper["title"] for paper in citation["references"])]
    known = {paper["doi"] for paper in citation["references"] if "doi" in paper}
    assert set(re.findall(r"doi\s*=\s*\{(.*?)\}", text)) == known


# What was built --------------------------------------------------------------------------------

HTML = DOCS / "_build/html"


@pytest.fixture(scope="module")
def built() -> list[Path]:
    """The pages of the site; its tests are skipped by name before `make site` has built it."""
    if not (HTML / "index.html").is_file():
        pytest.skip("the site is not built here: make site")
    return sorted(HTML.rglob("*.html"))


class Links(HTMLParser):
    """What a page asks for, where it leads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.assets, self.links, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        have = dict(attributes)
        self.anchors |= {have[key] for key in ("id", "name") if have.get(key)}
        if tag == "a" and have.get("href"):
            self.links.append(have["href"])
        elif tag == "link" and have.get("href"):
            self.assets.append(have["href"])
        self.assets += [have[key] for key in ("src", "poster", "data") if have.get(key)]


@cache
def links_of(page: Path) -> Links:
    return Links(page.read_text(encoding="utf-8"))


def is_outside(address: str) -> bool:
    return bool(urlsplit(address).netloc)


def test_built_site_asks_no_other_host(built):
    outside = {(page, asset) for page in built for asset in links_of(page).assets}
    assert not [(page, asset) for page, asset in outside if is_outside(asset)]
    styles = [path.read_text(encoding="utf-8") for path in HTML.rglob("*.css")]
    assert styles
    loaded = re.compile(r"url\(\s*['\"]?(?:https?:)?//|@import\s+['\"](?:https?:)?//")
    assert not [text[:80] for text in styles if loaded.search(text)]


def test_no_link_of_the_built_site_is_dead(built):
    dead = []
    for page in built:
        for address in [*links_of(page).links, *links_of(page).assets]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not target.is_file():
                dead.append(f"{page.relative_to(HTML)}: {address}")
            elif parts.fragment and target.suffix == ".html":
                anchors = links_of(target).anchors | {"top"}
                if unquote(parts.fragment) not in anchors:
                    dead.append(f"{page.relative_to(HTML)}: {address}")
    assert not dead, dead[:20]


def test_built_page_of_a_class_shows_its_members_and_leads_to_types_and_source(built):
    page = links_of(HTML / "made/api/noiseless.BayesianFilter.html")
    members = {name for name in dir(noiseless.BayesianFilter) if name[0] != "_"}
    assert len(members) > 4
    assert {f"noiseless.BayesianFilter.{name}" for name in members} <= page.anchors
    links = set(page.links)
    assert "noiseless.Box.html#noiseless.Box" in links
    assert "../../_modules/noiseless/accounting/filters.html#BayesianFilter.accepts" in links
    bounds = f"{LossBounds.__module__}.LossBounds"
    assert f"../types/{bounds}.html#{bounds}" in links
    assert "https://docs.python.org/3/library/functions.html#float" in links


def test_every_built_page_shows_its_source_and_the_first_one_leads_by_role(built):
    first = links_of(HTML / "index.html").links
    assert "_sources/index.md.txt" in first
    roles = ("papers/noiseless", "running", "plugins", "your-data", "library", "made/contributing")
    assert {f"{role}.html" for role in roles} <= set(first)


def test_the_built_page_of_a_paper_names_the_lines_of_code_that_decide(built):
    page = (HTML / "papers/noiseless.html").read_text(encoding="utf-8")
    assert len(re.findall(r">section_\d\.py:\d+<", page)) > 40


def test_formulas_of_the_built_site_are_mathml(built):
    page = (HTML / "accounting.html").read_text(encoding="utf-8")
    assert page.count("<math") >= 3
    assert "\\sum" not in page


@pytest.mark.parametrize("width", [1280, 390])
def test_the_built_site_opens_in_a_browser(built, tab, width):
    """On a desktop and on a phone: no complaint, nothing wider than the window, nothing asked."""
    tab.resize(width, 900)
    for name in (
        *("index", "errata", "papers/noiseless", "made/tutorials/tutorial_map"),
        "made/api/noiseless.BayesianFilter",
    ):
        tab.open((HTML / f"{name}.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") <= width, name
    assert not tab.complaints
    assert all(url.startswith(("file:", "data:", "about:")) for url in tab.requests)


@pytest.mark.parametrize("name", ["index", "errata", "papers/noiseless"])
def test_axe_finds_no_fault_on_the_built_site(built, tab, axe, name):
    """On a phone, where wide tables and blocks scroll."""
    tab.resize(390, 900)
    tab.open((HTML / f"{name}.html").as_uri())
    assert tab.inaccessible(axe) == {}
