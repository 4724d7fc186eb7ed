"""The page in a browser: hostile names are only shown, lines differ, axe-core finds no fault."""

import dataclasses

import matplotlib.image
import numpy as np
import pandas as pd
import pytest

from chromium import MODES
from noiseless.captions import _more
from noiseless.ledger.claims import load_claims
from noiseless.ledger.judge import judge_claims
from noiseless.page.build import Figure, TableFile, results_page
from noiseless.page.chart import Axis, Best, Chart, Choice, Measure, Series, Stronger, chart_data
from noiseless.page.charts import CHARTS
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
# Colour, marker and dashes of every line's sign in the legend.
LOOKS = """[...document.querySelectorAll("#chart fieldset label .line")].map((line) => {
    const [path, mark] = line.children;
    const style = getComputedStyle(path);
    return [style.stroke, mark.getAttribute("d"), style.strokeDasharray];
})"""
WIDER = "document.documentElement.scrollWidth > innerWidth"


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
    paper="toy",
    title=f"Who is {HOSTILE[0]}?",
    about=HOSTILE[1],
    tables={"toy/games": {"dataset": HOSTILE[2]}},
    measures=(Measure(statistic="advantage", name="advantage", label="advantage"),),
    x=Axis(column="epsilon", label="ε", says="ε = {}"),
    series=Series(column="adversary", label="Adversaries", controls=CONTROLS),
    choices=(Choice(column="dataset", label="Data"), Choice(column="n", label="Homes")),
    sentence="{adversary}, {n} homes of {dataset}: {value:games}.",
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


def test_hostile_names_are_text_and_nothing_else(hostile):
    hostile.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    hostile.evaluate("window.alerted = 0; window.alert = () => { window.alerted += 1; }")
    made = "document.querySelectorAll('img:not([src^=data]), script[src], article b, svg[onload]')"
    assert hostile.evaluate(f"{made}.length") == 0
    handlers = "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())"
    assert hostile.evaluate(f"{handlers}.filter((name) => name.startsWith('on'))") == []
    # The address leads to any choice of theirs, and back.
    for name in HOSTILE:
        shown = "[...document.querySelectorAll('[name=show]:checked')].map((b) => b.value)"
        name_in_js = f"document.querySelectorAll('[name=show]')[{HOSTILE.index(name)}].value"
        assert hostile.evaluate(name_in_js).split() == name.split()
        assert hostile.evaluate(f"{shown}.length") == len(HOSTILE) + len(CONTROLS)
    before = hostile.evaluate(shown)
    hostile.evaluate("document.querySelectorAll('[name=show]')[5].click()")
    left = hostile.evaluate(shown)
    assert HOSTILE[5] not in left
    link = hostile.evaluate("location.href")
    hostile.open("about:blank")
    hostile.open(link)
    assert hostile.evaluate(shown) == left == [each for each in before if each != HOSTILE[5]]
    said = hostile.evaluate("document.querySelector('.answer').textContent")
    for name in (*HOSTILE[:4], *HOSTILE[8:10]):
        assert name.replace("_", " ")[1:] in said, (name, said)
    # What turns the text around is held within its name.
    for name in HOSTILE[6:8]:
        assert f"\u2068{name}\u2069" in said
    assert hostile.evaluate("window.alerted ?? 0") == 0


@pytest.mark.parametrize("width", [390, 1300])
def test_long_names_widen_no_page(hostile, width):
    hostile.resize(width, 844)
    hostile.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert not hostile.evaluate(WIDER)


@pytest.mark.parametrize(("width", "scheme"), MODES)
def test_no_two_lines_look_alike(hostile, width, scheme):
    hostile.prefer(scheme)
    hostile.resize(width, 844)
    looks = [tuple(each) for each in hostile.evaluate(LOOKS)]
    assert len(looks) == len(HOSTILE) + len(CONTROLS)
    assert len(set(looks)) == len(looks)
    # Up to ten lines differ by colour alone, up to nine by marker alone.
    assert len({colour for colour, _, _ in looks[:10]}) == 10
    assert len({marker for _, marker, _ in looks[:9]}) == 9
    # Lines that see nothing have the colour of none of the others, and dashes of their own.
    controls = looks[len(HOSTILE) :]
    assert len({dashes for _, _, dashes in controls}) == len(CONTROLS)
    assert not {colour for colour, _, _ in controls} & {colour for colour, _, _ in looks[:10]}


def test_charts_have_few_enough_lines_to_differ_by_colour():
    for chart in CHARTS:
        names = {} if chart.series is None else chart.series.names
        assert len(names) <= 10, chart.key


def test_wide_picture_says_that_it_scrolls(hostile):
    hint = "[...document.querySelectorAll('.scrolls')].filter((p) => !p.hidden).length"
    hostile.resize(390, 844)
    hostile.wait_for(f"{hint} === 1")
    hostile.resize(1300, 844)
    hostile.wait_for(f"{hint} === 0")


@pytest.mark.parametrize(("width", "scheme"), MODES)
def test_axe_finds_nothing(hostile, axe, width, scheme):
    hostile.prefer(scheme)
    hostile.resize(width, 844)
    hostile.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert hostile.inaccessible(axe) == {}


def test_axe_sees_a_fault(hostile, axe):
    hostile.evaluate("document.querySelector('h1').style.color = '#eee'")
    assert set(hostile.inaccessible(axe)) == {"color-contrast"}


def open_chart(tab, tmp_path, chart, tables):
    """A page with one chart; what it answers."""
    claims = load_claims(claims_file(tmp_path, entry(PASSES)))
    html = results_page(
        judge_claims(claims, {"toy/t": (GRID, Provenance("c"))}),
        claims=claims,
        figures=[],
        tables=[],
        charts=[
            chart_data(chart, {name: (each, Provenance("c")) for name, each in tables.items()})
        ],
        run_times=[],
        provenance=Provenance("c"),
    )
    (tmp_path / "page.html").write_text(html, "utf-8")
    tab.open(f"file://{tmp_path}/page.html")
    return tab.evaluate("[...document.querySelectorAll('.answer p')].map((p) => p.textContent)")


PLAIN = dataclasses.replace(
    NAMED,
    title="Who?",
    about="Homes.",
    tables={"toy/games": {}},
    series=Series(column="adversary", label="Adversaries", controls=("control",)),
    choices=(Choice(column="n", label="Homes in the mean (n)"),),
    sentence="{adversary}: {value:number} at {epsilon}.",
)


def plain(rows, statistic="advantage"):
    """A table with one statistic from rows of adversary, n, epsilon, value."""
    wide = pd.DataFrame(rows, columns=["adversary", "n", "epsilon", statistic])
    return tidy(wide.assign(games=100), ["adversary", "n", "epsilon"])


def test_a_reason_stands_where_there_is_no_answer(tab, tmp_path):
    rows = [("a", 2, 1.0, 0.5), ("b", 2, 1.0, np.nan)]
    chart = dataclasses.replace(PLAIN, empty="{adversary}: none at {epsilon}, {games:count} games.")
    said = open_chart(tab, tmp_path, chart, {"toy/games": plain(rows)})
    assert said == ["A: 0.5 at ε = 1.", "B: none at ε = 1, 100 games."]
    chart = dataclasses.replace(chart, empty="Nobody has a number at {epsilon}.")
    rows = [("a", 2, 1.0, np.nan), ("b", 2, 1.0, np.nan), ("a", 2, 2.0, 0.5)]
    said = open_chart(tab, tmp_path, chart, {"toy/games": plain(rows)})
    assert said == ["Nobody has a number at ε = 1."]  # once, for all lines


def test_equal_choices_stand_once_and_equal_lines_are_told(tab, tmp_path):
    rows = [
        (name, 2, x, value)
        for name, value in (("a", 0.5), ("b", 0.5), ("c", 0.6))
        for x in (0.1, 0.19953, 0.2, 0.3)
    ]
    open_chart(tab, tmp_path, PLAIN, {"toy/games": plain(rows)})
    places = "[...document.querySelector('[name=at]').options].map((o) => o.text)"
    assert tab.evaluate(places) == ["0.1", "0.2", "0.3"]
    tab.evaluate("location.hash = '#ask:question=named&at=0.2'")
    assert tab.evaluate("document.querySelectorAll('.plot .mark').length") == 12
    names = tab.evaluate("[...document.querySelectorAll('.tick span')].map((s) => s.textContent)")
    assert names == ["a", "b (on the line of: a)", "c"]
    # What cannot be chosen is said all the same.
    assert "Homes in the mean (n): 2." in tab.evaluate("document.body.textContent")


def test_strongest_adversary_is_named_beside_the_best_shown(tab, tmp_path):
    chart = dataclasses.replace(
        PLAIN,
        best=Best(baseline=0, above="It shows.", within="It hides.", below="Turn it around."),
        stronger=Stronger(
            tables={"toy/strong": {}, "toy/weak": {}, "toy/gone": {}},
            on=("n", "epsilon"),
            column="adversary",
            names={"trained": "who was trained"},
            longest="days",
            sentence="Strongest: {stronger}, {stronger_value:games} of 100.",
        ),
    )
    games = plain([("a", 2, 1.0, 0.5), ("a", 2, 2.0, 0.7)])
    strong = pd.concat(
        [
            plain([("trained", 2, 1.0, 0.2)]).assign(days=1),
            plain([("trained", 2, 1.0, 0.8), ("any", 2, 1.0, 1), ("control", 2, 1.0, 0.9)]).assign(
                days=30
            ),
        ]
    )
    weak = plain([("b", 2, 1.0, 0.6), ("b", 2, 2.0, 0.1)])
    said = open_chart(
        tab, tmp_path, chart, {"toy/games": games, "toy/strong": strong, "toy/weak": weak}
    )
    assert said[1:] == ["Strongest: who was trained, 90.0 of 100."]
    tab.evaluate("location.hash = '#ask:question=named&at=2'")
    tab.wait_for("document.querySelectorAll('.answer p').length === 1")
