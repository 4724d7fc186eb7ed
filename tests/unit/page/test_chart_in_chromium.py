"""What the charts' script makes of known numbers, in a browser."""

import dataclasses
import math

import pandas as pd
import pytest

from noiseless.ledger.claims import load_claims
from noiseless.ledger.judge import judge_claims
from noiseless.page.build import results_page
from noiseless.page.chart import Axis, Best, Chart, Choice, Measure, Series, chart_data
from noiseless.tables import Provenance, tidy
from toy_claims import GRID, PASSES, REAL, SAMPLE, claims_file, entry

WIDE = pd.DataFrame(
    [
        # adversary, n, epsilon, advantage, low, high
        ("peaks", 8, 1.0, 0.02, -0.05, 0.09),
        ("peaks", 8, 3.0, 0.5, 0.4, 0.6),
        ("peaks", 8, math.inf, 0.9, 0.8, 1.0),
        ("mse", 8, 1.0, -0.2, -0.3, -0.1),
        ("mse", 8, 3.0, 0.3, 0.2, 0.4),
        ("mse", 8, math.inf, math.nan, math.nan, math.nan),
        ("control", 8, 0.0, 0.04, -0.1, 0.1),
        ("peaks", 2, 1.0, 0.99, 0.9, 1.0),
        ("peaks", 2, 3.0, 0.995, 0.99, 1.0),
    ],
    columns=["adversary", "n", "epsilon", "advantage", "low", "high"],
)


def toy_table():
    ends = WIDE[["low", "high"]].loc[WIDE.index.repeat(2)].reset_index(drop=True)
    wide = WIDE.drop(columns=["low", "high"]).assign(games=1234)
    long = tidy(wide, ["adversary", "n", "epsilon"])
    return long.join(ends.where(long["statistic"] == "advantage"))


GAMES = Chart(
    key="games",
    paper="toy",
    title="Who is in it?",
    about="Homes.",
    tables={"toy/games": {}},
    measures=(Measure(statistic="advantage", name="advantage", label="advantage"),),
    x=Axis(column="epsilon", label="budget (bits)", says="ε = {}", infinite="exact mean"),
    series=Series(
        column="adversary",
        label="Adversaries",
        names={"peaks": "common peaks", "mse": "square error", "control": "control"},
        controls=("control",),
    ),
    choices=(Choice(column="n", label="Homes", first=8),),
    best=Best(baseline=0, above="It shows.", within="It hides.", below="Turn it around."),
    picked=3,
    sentence="{n} homes, {epsilon}: {adversary} wins {value:games} of 100 ({low:games} to "
    "{high:games}) in {games:count}.",
)
EACH = dataclasses.replace(
    GAMES,
    key="each",
    title="And each?",
    best=None,
    sentence="{adversary}: {value:percent}, or {value:number}, at {epsilon}.",
)


@pytest.fixture
def page(tab, tmp_path):
    """A page with two charts of the toy table, of which one stands on real data."""
    claims = load_claims(claims_file(tmp_path, entry(PASSES)))
    provenance = Provenance("c", (SAMPLE,))
    charts = [
        chart_data(GAMES, {"toy/games": (toy_table(), provenance)}),
        chart_data(EACH, {"toy/games": (toy_table(), Provenance("c", (REAL,)))}),
    ]
    html = results_page(
        judge_claims(claims, {"toy/t": (GRID, provenance)}),
        claims=claims,
        figures=[],
        tables=[],
        charts=charts,
        run_times=[],
        provenance=provenance,
    )
    (tmp_path / "page.html").write_text(html, "utf-8")
    tab.open(f"file://{tmp_path}/page.html")
    yield tab
    assert tab.complaints == []


def answers(tab):
    return tab.evaluate("[...document.querySelectorAll('.answer p')].map(p => p.textContent)")


def choose(tab, name, text):
    """Choose an option by its text, as a reader does."""
    tab.evaluate(
        f"""(() => {{
            const control = document.querySelector('#chart select[name="{name}"]');
            control.selectedIndex = [...control.options].findIndex((o) => o.text === '{text}');
            control.dispatchEvent(new Event("change", {{ bubbles: true }}));
        }})()"""
    )


def tick(tab, name):
    tab.evaluate(f"""document.querySelector('#chart input[value="{name}"]').click()""")


def test_answer_is_about_the_best_shown_adversary(page):
    said, warning = answers(page)
    assert said == "8 homes, ε = 3: common peaks wins 75 of 100 (70 to 80) in 1,234. It shows."
    assert warning.startswith("SAMPLE DATA")
    tick(page, "peaks")
    assert answers(page)[0].startswith("8 homes, ε = 3: square error wins 65 of 100")
    tick(page, "mse")
    assert answers(page)[0] == "Only a line that sees nothing is shown."
    tick(page, "control")
    assert answers(page)[0] == "No line is shown. Tick one below the drawing."


def test_verdict_follows_the_interval(page):
    choose(page, "at", "1")
    said = answers(page)[0]
    assert said.endswith("common peaks wins 51 of 100 (48 to 55) in 1,234. It hides.")
    tick(page, "peaks")
    said = answers(page)[0]
    assert said.endswith("square error wins 40 of 100 (35 to 45) in 1,234. Turn it around.")


def test_infinite_budget_and_a_gap(page):
    choose(page, "at", "exact mean")
    assert answers(page)[0].startswith("8 homes, exact mean: common peaks wins 95 of 100")
    tick(page, "peaks")
    tick(page, "control")
    assert answers(page)[0] == "The table has no number for the shown lines at this choice."


def test_choice_keeps_what_it_can(page):
    choose(page, "n", "2")
    assert "ε = 3: common peaks wins 99.8 of 100 (99.5 to 100)" in answers(page)[0]
    choose(page, "n", "8")
    choose(page, "at", "exact mean")
    choose(page, "n", "2")
    assert answers(page)[0].startswith("2 homes, ε = 1: ")


def test_each_line_has_its_sentence_and_a_control_holds_everywhere(page):
    choose(page, "question", "And each?")
    assert answers(page) == [
        "Common peaks: 50\u00a0%, or 0.5, at ε = 3.",
        "Square error: 30\u00a0%, or 0.3, at ε = 3.",
        "Control: 4\u00a0%, or 0.04, at ε = 3.",
    ]


def marks(tab):
    """Where the marks of the drawing are, by their titles."""
    return tab.evaluate(
        """Object.fromEntries([...document.querySelectorAll(".plot .mark")].map((mark) => {
            const box = mark.getBoundingClientRect();
            return [mark.textContent, [box.x + box.width / 2, box.y + box.height / 2]];
        }))"""
    )


def test_drawing_is_to_scale(page):
    found = marks(page)
    assert len(found) == 5  # the gap has no mark, and the control is a line across
    at = {
        epsilon: found[f"common peaks, {name}: {value}"]
        for epsilon, name, value in (
            (1, "ε = 1", "0.02 (-0.05 to 0.09)"),
            (3, "ε = 3", "0.5 (0.4 to 0.6)"),
            (math.inf, "exact mean", "0.9 (0.8 to 1)"),
        )
    }
    other = found["square error, ε = 3: 0.3 (0.2 to 0.4)"]
    assert other[0] == pytest.approx(at[3][0], abs=1)
    assert at[1][0] < at[3][0] < at[math.inf][0]
    per_unit = (at[1][1] - at[3][1]) / (0.5 - 0.02)
    assert at[3][1] - at[math.inf][1] == pytest.approx(0.4 * per_unit, abs=2)
    assert other[1] - at[3][1] == pytest.approx(0.2 * per_unit, abs=2)
    bars = page.evaluate(
        "[...document.querySelectorAll('.plot .bar')].map(b => b.getBoundingClientRect().height)"
    )
    assert max(bars) == pytest.approx(0.2 * per_unit, abs=2)
    assert page.evaluate("document.querySelectorAll('.plot .control').length") == 1


def test_click_on_the_drawing_picks_a_place(page):
    [x, y] = marks(page)["common peaks, ε = 1: 0.02 (-0.05 to 0.09)"]
    for kind in ("mousePressed", "mouseReleased"):
        page.call(
            "Input.dispatchMouseEvent", type=kind, x=x + 3, y=y - 40, button="left", clickCount=1
        )
    assert "ε = 1" in answers(page)[0]
    assert page.evaluate("document.querySelector('#chart select[name=at]').selectedIndex") == 0


def test_controls_have_labels_and_work_by_keyboard(page):
    unlabelled = page.evaluate(
        "[...document.querySelectorAll('select, input')].filter((c) => !c.labels.length).length"
    )
    assert unlabelled == 0
    page.evaluate("document.querySelector('#chart select[name=n]').focus()")
    page.press("ArrowUp")
    assert answers(page)[0].startswith("2 homes")
    page.press("ArrowDown")
    assert answers(page)[0].startswith("8 homes")
    page.press("Tab")
    assert page.evaluate("document.activeElement.name") == "at"
    page.press("ArrowUp")
    assert "ε = 1" in answers(page)[0]
    page.press("ArrowDown")
    for _ in range(10):
        page.press("Tab")
        if page.evaluate("document.activeElement.name") == "show":
            break
    page.press(" ")
    assert "square error" in answers(page)[0]


def test_numbers_stand_in_a_table_too(page):
    page.evaluate("document.querySelector('#chart details summary').click()")
    page.wait_for("document.querySelector('#chart table') !== null")
    rows = page.evaluate(
        "[...document.querySelectorAll('#chart tr')].map(r => [...r.cells].map(c => c.textContent))"
    )
    assert rows[0] == ["budget (bits)", "Adversaries", "advantage", "from", "to"]
    assert ["3", "common peaks", "0.5", "0.4", "0.6"] in rows
    assert ["exact mean", "square error", *["\N{EN DASH}"] * 3] in rows
    assert ["any", "control", "0.04", "-0.1", "0.1"] in rows


def test_address_holds_the_choices_and_leads_back_to_them(page):
    choose(page, "n", "2")
    choose(page, "at", "1")
    tick(page, "mse")
    link = page.evaluate("location.href")
    assert link.endswith("#ask:question=games&n=2&at=1&show=peaks%7Ccontrol")
    page.open("about:blank")
    page.open(link)
    assert answers(page)[0].startswith("2 homes, ε = 1: common peaks wins 99.5 of 100 (95 to 100)")
    ticked = "[...document.querySelectorAll('#chart input:checked')].map((c) => c.value)"
    assert page.evaluate(ticked) == ["peaks", "control"]


def test_address_that_fits_nothing_does_no_harm(page):
    home = page.evaluate("location.href")
    for nonsense in ("ask:question=no&n=77&at=x", "ask:%", "nowhere", "ledger:verdict=odd", ":"):
        page.open("about:blank")
        page.open(f"{home}#{nonsense}")
        assert answers(page)[0].startswith("8 homes, ε = 3: common peaks wins 75 of 100")
        assert page.evaluate("document.getElementById('shown').value") == "1 of 1 claims"
