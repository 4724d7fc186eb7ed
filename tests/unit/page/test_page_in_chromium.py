"""The page in a browser: hostile names are only shown, axe-core finds no fault."""

import json

import pytest

from chromium import MODES
from noiseless.figures.captions import escape_markup
from noiseless.page.build import PageFigure, PageTable, render_results_page
from noiseless.tables import Provenance, Source
from toy_pictures import write_pictures
from toy_statements import GRID, entry, erratum, fails, judge_toy, passes, toy_paper

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "\"><svg onload='alert(1)'>",
    "'); alert(1); ('",
    "{{ 7 * 7 }} {n} ${n} `x` *y*",
    "a|b%7C&amp;",
    "\u202egnp.exe",
    "مزود <b>الطاقة</b>",
    "constructor",
    "__proto__",
    "veryLong" * 40,
    "ends\nhere",
)
WIDER = "document.documentElement.scrollWidth > innerWidth"
OPEN = "for (const each of document.querySelectorAll('details')) each.open = true"


@pytest.fixture(scope="module")
def hostile_html(tmp_path_factory):
    """A page on which every name and text that others give is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    wrong = erratum(passes, fails=HOSTILE[0], mend=HOSTILE[1])
    paper = toy_paper(
        entry(passes, figure="toy/f", says=HOSTILE[0], quote=HOSTILE[1]),
        entry(fails, where=HOSTILE[2], prints=HOSTILE[3], erratum=wrong),
        title=HOSTILE[0],
    )
    sources = tuple(Source(name, "sample", "ff", "other", name) for name in HOSTILE[:3])
    provenance = Provenance("c", sources)
    picture = folder / "f.png"
    write_pictures(picture, width=2400, height=8)
    caption = f"**A title** {', '.join(map(escape_markup, HOSTILE))}."
    tables = [
        PageTable(f"toy/{name}", 3, provenance, "tables/toy/a%22%3E%23.csv") for name in HOSTILE
    ]
    return render_results_page(
        judge_toy(paper, {"toy/t": (GRID, provenance)}),
        statements=paper.statements,
        figures=[PageFigure("toy/f", picture, caption)],
        tables=tables,
        run_times=[],
        provenance=provenance,
    )


@pytest.fixture
def hostile(hostile_html, tab, tmp_path):
    """That page in the browser, which complains of nothing and asks for nothing else."""
    path = tmp_path / "page.html"
    path.write_text(hostile_html, "utf-8")
    tab.open(f"file://{path}")
    yield tab
    assert tab.complaints == []
    assert {each.split(":")[0] for each in tab.requests} <= {"file", "data", "about"}


def opened(tab):
    """Everything of the page opened, and its first figure."""
    tab.evaluate(OPEN)
    tab.evaluate("location.hash = document.querySelector('.thumb')?.hash ?? ''")
    tab.evaluate("new Promise((done) => setTimeout(done, 100))")


def test_hostile_names_are_text_and_nothing_else(hostile):
    hostile.evaluate("window.alerted = 0; window.alert = () => { window.alerted += 1; }")
    opened(hostile)
    made = "document.querySelectorAll('img:not([src^=data]), script[src], dd b, svg[onload]')"
    assert hostile.evaluate(f"{made}.length") == 0
    handlers = "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())"
    assert hostile.evaluate(f"{handlers}.filter((name) => name.startsWith('on'))") == []
    tables = hostile.evaluate("document.querySelector('#tables').textContent")
    for name in HOSTILE:
        assert name in tables
    # The address leads to a filter with such a text, and back.
    words = "document.getElementById('filters').elements.words"
    for text in HOSTILE[2:6]:
        hostile.evaluate(
            f"{words}.value = {json.dumps(text)};"
            f"{words}.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        )
        hostile.wait_for("location.hash.startsWith('#ledger:words=')")
        link = hostile.evaluate("location.href")
        hostile.open("about:blank")
        hostile.open(link)
        hostile.wait_for(f"{words}.value === {json.dumps(text)}")
        assert hostile.evaluate("window.alerted ?? 0") == 0


def test_policy_stops_a_script_that_is_not_the_pages_own(hostile):
    hostile.evaluate(
        "document.body.append(document.createRange().createContextualFragment("
        "'<script>window.intruder = 1</script>'))"
    )
    assert hostile.evaluate("window.intruder ?? 0") == 0
    assert any("Content Security Policy" in each for each in hostile.complaints)
    hostile.complaints.clear()


@pytest.mark.parametrize("width", [390, 1300])
def test_long_names_widen_no_page(hostile, width):
    hostile.resize(width, 844)
    opened(hostile)
    assert not hostile.evaluate(WIDER)


def test_figure_opens_by_its_thumbnail_and_closes(hostile):
    height = "document.querySelector('.view').offsetHeight"
    assert hostile.evaluate(height) == 0
    hostile.evaluate("document.querySelector('.thumb').focus()")
    hostile.evaluate("document.activeElement.click()")
    hostile.wait_for(f"{height} > 0")
    hostile.wait_for("document.querySelector('.thumb[aria-current]') !== null")
    hostile.evaluate("[...document.querySelectorAll('.bar a')].at(-1).click()")
    hostile.wait_for(f"{height} === 0")
    hostile.wait_for("document.querySelector('.thumb[aria-current]') === null")


@pytest.mark.parametrize("width", [390, 1280])
def test_first_screen_shows_a_figure(hostile, width):
    hostile.resize(width, 844)
    box = hostile.evaluate(
        "(({ bottom, height }) => [bottom, height])"
        "(document.querySelector('.thumb').getBoundingClientRect())"
    )
    assert box[1] > 100
    assert box[0] < 844 + 400  # a heading of this page is 400 letters long


@pytest.mark.parametrize(
    ("words", "is_found"),
    [
        *((words, True) for words in ("Figure 1", "fig. 1", "Fig 1", "figs. 1", "fig.1")),
        *((words, False) for words in ("Figure 2", "fig. 11", "Table 1", "Theorem 1")),
    ],
)
def test_figure_is_found_however_it_is_written(hostile, words, is_found):
    hostile.evaluate(
        "(() => { const form = document.getElementById('filters');"
        f"form.elements.words.value = {json.dumps(words)};"
        "form.elements.words.dispatchEvent(new Event('input', { bubbles: true })) })()"
    )
    assert hostile.evaluate("document.getElementById('toy-1').hidden") is not is_found


def test_places_of_another_paper_cannot_be_chosen(hostile):
    hostile.evaluate(
        "(() => { const option = document.querySelector('option[value=\"figure 1\"]');"
        "option.dataset.papers = 'other'; const form = document.getElementById('filters');"
        "form.elements.where.value = 'figure 1'; form.elements.paper.value = 'toy';"
        "form.elements.paper.dispatchEvent(new Event('input', { bubbles: true })) })()"
    )
    assert hostile.evaluate("document.querySelector('option[value=\"figure 1\"]').disabled")
    assert hostile.evaluate("document.getElementById('filters').elements.where.value") == ""


def test_colours_follow_the_readers_scheme(hostile):
    style = "getComputedStyle(document.body)"
    look = f"[{style}.color, {style}.backgroundColor]"
    hostile.prefer("light")
    light = hostile.evaluate(look)
    hostile.prefer("dark")
    dark = hostile.evaluate(look)
    assert all(before != after for before, after in zip(light, dark, strict=True))


def test_wide_picture_says_that_it_scrolls(hostile):
    opened(hostile)
    hint = "document.querySelector('.scrolls').offsetHeight > 0"
    moves = "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)"
    for width, wide in ((390, True), (1300, False)):
        hostile.resize(width, 844)
        assert hostile.evaluate(hint) is wide
        assert hostile.evaluate(f"{moves}(document.querySelector('.picture'))") is wide


@pytest.mark.parametrize(("width", "scheme"), MODES)
def test_axe_finds_no_fault_on_any_view(hostile, axe, width, scheme):
    hostile.prefer(scheme)
    hostile.resize(width, 844)
    opened(hostile)
    assert hostile.inaccessible(axe) == {}


def test_axe_sees_a_fault(hostile, axe):
    hostile.evaluate("document.querySelector('h1').style.color = '#eee'")
    assert set(hostile.inaccessible(axe)) == {"color-contrast"}
