"""What the charts make of known numbers, in a browser."""

import dataclasses
import math

import pandas as pd
import pytest

from noiseless.figures.chart import Axis, Chart, chart_data
from noiseless.ledger.claims import load_claims
from noiseless.ledger.judge import judge_claims
from noiseless.page.build import results_page
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
        ("peaks", 2, 3.0, 0.9995, 0.99, 1.0),
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
    title="Who is in it?",
    about="Homes.",
    tables={"toy/games": {}},
    statistics={"advantage": "advantage"},
    x=Axis("epsilon", "budget (bits)", at="ε = {}"),
    y=Axis("value", "advantage"),
    line="adversary",
    everywhere=("control",),
    names={
        **{"peaks": "common peaks", "mse": "square error", "control": "control"},
        math.inf: "exact mean",
    },
    choices={"n": "Homes"},
    first={"n": 8, "epsilon": 3.0},
    says="{adversary}, {n} homes, {at}: {value:games} of 100 ({low:games} to {high:games}) in "
    "{games:count}.",
)
EACH = dataclasses.replace(
    GAMES,
    key="each",
    title="And each?",
    says="{adversary}: {value:percent}, or {value:number}, at {at}.",
    empty="{adversary}: none at {at}.",
)
PEAKS = "Common peaks, 8 homes, ε = 3: 75 of 100 (70 to 80) in 1,234."


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
    # What the policy of the page forbids would be among them.
    assert tab.complaints == []
    assert {each.split(":")[0] for each in tab.requests} <= {"file", "data", "about"}


def opened(tab, key="games"):
    """Open a chart, as a reader does, and wait until it is drawn and has answered."""
    tab.evaluate(f"document.querySelector('#ask-{key} > summary').click()")
    tab.wait_for(f"document.querySelector('#ask-{key} .answer p') !== null")
    return answers(tab, key)


def answers(tab, key="games"):
    return tab.evaluate(
        f"[...document.querySelectorAll('#ask-{key} .answer p')].map((p) => p.textContent)"
    )


def choose(tab, name, text, key="games"):
    """Choose an option by its text, as a reader does."""
    tab.evaluate(
        f"""(() => {{
            const control = document.querySelector('#ask-{key} select[name="pick_{name}"]');
            control.selectedIndex = [...control.options].findIndex((o) => o.text === '{text}');
            control.dispatchEvent(new Event("input", {{ bubbles: true }}));
            control.dispatchEvent(new Event("change", {{ bubbles: true }}));
        }})()"""
    )
    tab.evaluate("new Promise((done) => setTimeout(done, 50))")


def test_charts_are_drawn_when_they_are_opened(page):
    assert page.evaluate("document.querySelectorAll('.plot svg').length") == 0
    opened(page)
    assert page.evaluate("document.querySelectorAll('.plot svg').length") == 1


def test_each_line_has_its_sentence_and_a_control_holds_everywhere(page):
    *said, warning = opened(page)
    assert said == [
        PEAKS,
        "Square error, 8 homes, ε = 3: 65 of 100 (60 to 70) in 1,234.",
        "Control, 8 homes, ε = 3: 52 of 100 (45 to 55) in 1,234.",
    ]
    assert warning.startswith("SAMPLE DATA")
    choose(page, "at", "exact mean")
    assert answers(page)[0].startswith("Common peaks, 8 homes, exact mean: 95 of 100")
    assert answers(page)[1].startswith("Control, 8 homes, exact mean: 52 of 100")
    # What is not quite certain is not said to be, and real data are no sample.
    choose(page, "at", "ε = 3")
    choose(page, "n", "2")
    assert answers(page)[0].startswith("Common peaks, 2 homes, ε = 3: almost 100 of 100 (99.5 to")
    assert opened(page, "each") == [
        "Common peaks: 50\u00a0%, or 0.5, at ε = 3.",
        "Square error: 30\u00a0%, or 0.3, at ε = 3.",
        "Control: 4\u00a0%, or 0.04, at ε = 3.",
    ]


def test_a_reason_stands_where_there_is_no_answer(page):
    opened(page, "each")
    choose(page, "at", "exact mean", "each")
    assert answers(page, "each")[1] == "Square error: none at exact mean."
    # The table of two homes has no row for it at all.
    choose(page, "at", "ε = 1", "each")
    choose(page, "n", "2", "each")
    assert answers(page, "each")[1] == "Square error: none at ε = 1."
    opened(page)
    choose(page, "n", "2")
    choose(page, "at", "exact mean")
    assert answers(page)[0] == "Control, 2 homes, exact mean: 52 of 100 (45 to 55) in 1,234."


def marks(tab, key="games"):
    """Centres of the drawing's marks, by what they say."""
    return tab.evaluate(
        f"""Object.fromEntries(
            [...document.querySelectorAll("#ask-{key} .role-mark.mark-symbol path")].map((e) => {{
                const {{ x, y, width, height }} = e.getBoundingClientRect();
                return [e.getAttribute("aria-label"), [x + width / 2, y + height / 2]];
            }}))"""
    )


def test_drawing_is_to_scale(page):
    opened(page)
    found = {
        (adversary, budget): place
        for said, place in marks(page).items()
        for adversary in ("common peaks", "square error", "control")
        for budget in ("1", "3", "exact mean")
        if f"adversary: {adversary}" in said and f"bits): {budget};" in said
    }
    assert len(found) == 8  # the gap has no mark
    peaks, other = found["common peaks", "3"], found["square error", "3"]
    assert found["common peaks", "1"][0] < peaks[0] < found["common peaks", "exact mean"][0]
    assert other[0] == pytest.approx(peaks[0], abs=2)
    per_unit = (found["common peaks", "1"][1] - peaks[1]) / (0.5 - 0.02)
    top = found["common peaks", "exact mean"][1]
    assert peaks[1] - top == pytest.approx(0.4 * per_unit, abs=2)
    assert other[1] - peaks[1] == pytest.approx(0.2 * per_unit, abs=2)
    assert found["control", "1"][1] == pytest.approx(found["control", "3"][1], abs=1)


def test_click_on_a_mark_picks_its_place(page):
    opened(page)
    page.evaluate("document.querySelector('#ask-games .plot').scrollIntoView()")
    [place] = [at for said, at in marks(page).items() if "common peaks" in said and "): 1;" in said]
    for kind in ("mousePressed", "mouseReleased"):
        page.call(
            "Input.dispatchMouseEvent",
            type=kind,
            **dict(zip("xy", place, strict=True)),
            button="left",
            clickCount=1,
        )
    page.wait_for("document.querySelector('.answer').textContent.includes('ε = 1')")
    assert page.evaluate("document.querySelector('select[name=pick_at]').selectedIndex") == 0


def test_controls_have_labels_and_work_by_keyboard(page):
    page.evaluate("document.querySelector('#ask-games > summary').focus()")
    page.press(" ")
    page.wait_for("document.querySelector('#ask-games .answer p') !== null")
    unlabelled = page.evaluate(
        "[...document.querySelectorAll('select, input')].filter((c) => !c.labels.length).length"
    )
    assert unlabelled == 0
    page.press("Tab")
    assert page.evaluate("document.activeElement.name") == "pick_n"
    page.press("ArrowUp")
    page.wait_for("document.querySelector('.answer').textContent.includes('2 homes')")
    page.press("ArrowDown")
    page.wait_for("document.querySelector('.answer').textContent.includes('8 homes')")
    page.press("Tab")
    assert page.evaluate("document.activeElement.name") == "pick_at"
    page.press("ArrowUp")
    page.wait_for("document.querySelector('.answer').textContent.includes('ε = 1')")


def test_what_a_chart_shows_is_said_to_those_who_do_not_see_it(page):
    opened(page)
    drawing = "document.querySelector('#ask-games [role=graphics-document]')"
    assert page.evaluate(f"{drawing}.getAttribute('aria-label')") == GAMES.title
    assert page.evaluate("document.querySelector('.answer').getAttribute('aria-live')") == "polite"


def test_address_holds_the_choices_and_leads_back_to_them(page):
    opened(page)
    choose(page, "n", "2")
    choose(page, "at", "ε = 1")
    link = page.evaluate("location.href")
    page.open("about:blank")
    page.open(link)
    page.wait_for("document.querySelector('.answer').textContent.includes('2 homes, ε = 1')")
    assert answers(page)[0].startswith("Common peaks, 2 homes, ε = 1: 99.5 of 100 (95 to 100)")
    assert page.evaluate("document.querySelector('select[name=pick_n]').value") == "2"


def test_address_that_fits_nothing_does_no_harm(page):
    home = page.evaluate("location.href")
    for nonsense in ("ask-games:n=77&at=x", "ask-games:%", "ask-no:n=2", "nowhere", ":"):
        page.open("about:blank")
        page.open(f"{home}#{nonsense}")
        if not page.evaluate("document.querySelector('#ask-games').open"):
            opened(page)
        page.wait_for("document.querySelector('#ask-games .answer p') !== null")
        assert answers(page)[0] == PEAKS
    page.open("about:blank")
    page.open(f"{home}#ledger:verdict=odd")
    assert page.evaluate("document.getElementById('shown').value") == "1 of 1 claims"
