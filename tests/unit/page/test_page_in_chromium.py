"""The page in a browser: hostile names are only shown, lines differ, axe-core finds no fault."""

import matplotlib.image
import numpy as np
import pandas as pd
import pytest

from chromium import MODES
from noiseless.figures.captions import _more
from noiseless.figures.chart import Axis, Chart, chart_data
from noiseless.ledger.claims import load_claims
from noiseless.ledger.judge import judge_claims
from noiseless.page.build import Figure, TableFile, results_page
from noiseless.tables import Provenance, Source, tidy
from toy_claims import FAILS, GRID, PASSES, claims_file, entry, erratum

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
CONTROLS = tuple(f"control {i}" for i in range(4))
# Marker and colour of every line's sign in the legend; dashes of every drawn line.
SIGNS = """[...document.querySelectorAll(".plot .role-legend-symbol path")].map((mark) =>
    [mark.getAttribute("d"), getComputedStyle(mark).fill])"""
LINES = """[...document.querySelectorAll(".plot .mark-line.role-mark path")].map((line) =>
    [getComputedStyle(line).stroke, getComputedStyle(line).strokeDasharray])"""
WIDER = "document.documentElement.scrollWidth > innerWidth"
OPEN = "for (const each of document.querySelectorAll('details')) each.open = true"
ANSWERED = "document.querySelector('.answer p') !== null"


def games_of(names):
    """A table of the advantages of adversaries with these names."""
    wide = pd.DataFrame(
        [
            (name, n, float(x), 0.1 * (i % 7))
            for i, name in enumerate(names)
            for n in (2, 4)
            for x in (1, 2)
        ],
        columns=["adversary", "n", "epsilon", "advantage"],
    )
    return tidy(wide.assign(games=100), ["adversary", "n", "epsilon"])


NAMED = Chart(
    key="named",
    title=f"Who is {HOSTILE[0]}?",
    about=HOSTILE[1],
    tables={"toy/games": {"dataset": HOSTILE[2]}},
    statistics={"advantage": "advantage"},
    x=Axis("epsilon", "ε", at="ε = {}"),
    y=Axis("value", "advantage"),
    line="adversary",
    everywhere=CONTROLS,
    choices={"dataset": "Data", "n": "Homes"},
    says="{adversary}, {n} homes of {dataset}: {value:games}.",
)


@pytest.fixture(scope="module")
def hostile_html(tmp_path_factory):
    """A page on which every name and text that others give is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    wrong = {**erratum(PASSES), "wrong": HOSTILE[0], "holds": HOSTILE[1]}
    claims = load_claims(
        claims_file(
            folder,
            entry(PASSES, figure="toy/f", claim=HOSTILE[0], quote=HOSTILE[1]),
            entry(FAILS, id="toy-2", locator=HOSTILE[2], prints=HOSTILE[3], erratum=wrong),
            title=HOSTILE[0],
        )
    )
    sources = tuple(Source(name, "sample", "ff", "other", name) for name in HOSTILE[:3])
    provenance = Provenance("c", sources)
    picture = folder / "f.png"
    matplotlib.image.imsave(picture, np.zeros((8, 2400, 3)))
    caption = f"**A title** {_more({name: name for name in HOSTILE})}."
    table = games_of([*HOSTILE, *CONTROLS])
    tables = [
        TableFile(f"own/{name}", 3, provenance, "tables/own/a%22%3E%23.csv") for name in HOSTILE
    ]
    return results_page(
        judge_claims(claims, {"toy/t": (GRID, provenance)}),
        claims=claims,
        figures=[Figure("toy/f", picture, caption)],
        tables=tables,
        charts=[chart_data(NAMED, {"toy/games": (table, provenance)})],
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
    """Everything of the page opened, and its chart drawn."""
    tab.evaluate(OPEN)
    tab.wait_for(ANSWERED)
    tab.evaluate("new Promise((done) => setTimeout(done, 100))")


def test_hostile_names_are_text_and_nothing_else(hostile):
    hostile.evaluate("window.alerted = 0; window.alert = () => { window.alerted += 1; }")
    opened(hostile)
    made = "document.querySelectorAll('img:not([src^=data]), script[src], dd b, svg[onload]')"
    assert hostile.evaluate(f"{made}.length") == 0
    handlers = "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())"
    assert hostile.evaluate(f"{handlers}.filter((name) => name.startsWith('on'))") == []
    *said, _ = hostile.evaluate(
        "[...document.querySelectorAll('.answer p')].map((p) => p.textContent)"
    )
    assert len(said) == len(HOSTILE) + len(CONTROLS)
    for sentence, name in zip(said, HOSTILE, strict=False):
        # What turns the text around is held within its name.
        shown = f"\u2068{name}\u2069" if name in HOSTILE[6:8] else name
        assert sentence[1:].startswith(f"{shown}, 2 homes of {HOSTILE[2]}: "[1:])
    # The address leads to a choice of theirs, and back.
    choice = "document.querySelector('select[name=pick_n]')"
    hostile.evaluate(
        f"{choice}.selectedIndex = 1; {choice}.dispatchEvent(new Event('change'));"
        f"{choice}.dispatchEvent(new Event('input'))"
    )
    hostile.wait_for("location.hash.includes('n=4')")
    link = hostile.evaluate("location.href")
    hostile.open("about:blank")
    hostile.open(link)
    hostile.wait_for("document.querySelector('.answer').textContent.includes('4 homes')")
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


@pytest.mark.parametrize(("width", "scheme"), MODES)
def test_no_two_lines_look_alike(hostile, width, scheme):
    hostile.prefer(scheme)
    hostile.resize(width, 844)
    opened(hostile)
    signs = [tuple(each) for each in hostile.evaluate(SIGNS)]
    assert len(signs) == len(HOSTILE) + len(CONTROLS)
    assert len(set(signs)) == len(signs)
    # Up to ten lines differ by colour alone, up to seven by marker alone.
    assert len({colour for _, colour in signs[:10]}) == 10
    assert len({marker for marker, _ in signs[:7]}) == 7
    # Lines that see nothing have the colour of none of the others, and dashes of their own.
    controls = {colour for _, colour in signs[len(HOSTILE) :]}
    assert not controls & {colour for _, colour in signs[:10]}
    lines = hostile.evaluate(LINES)
    dashes = [dash for colour, dash in lines if colour in controls]
    assert len(set(dashes)) == len(dashes) == len(CONTROLS)
    assert {dash for colour, dash in lines if colour not in controls} == {"1px, 0px"}


def test_colours_follow_the_readers_scheme(hostile):
    opened(hostile)
    hostile.prefer("light")
    light = hostile.evaluate(SIGNS)
    hostile.prefer("dark")
    dark = hostile.evaluate(SIGNS)
    assert all(before[1] != after[1] for before, after in zip(light, dark, strict=True))


def test_wide_picture_says_that_it_scrolls(hostile):
    opened(hostile)
    hint = "document.querySelector('.scrolls').offsetHeight > 0"
    moves = "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)"
    for width, wide in ((390, True), (1300, False)):
        hostile.resize(width, 844)
        assert hostile.evaluate(hint) is wide
        assert hostile.evaluate(f"{moves}(document.querySelector('.picture'))") is wide


@pytest.mark.parametrize(("width", "scheme"), MODES)
def test_axe_finds_nothing(hostile, axe, width, scheme):
    hostile.prefer(scheme)
    hostile.resize(width, 844)
    opened(hostile)
    assert hostile.inaccessible(axe) == {}


def test_axe_sees_a_fault(hostile, axe):
    hostile.evaluate("document.querySelector('h1').style.color = '#eee'")
    assert set(hostile.inaccessible(axe)) == {"color-contrast"}
