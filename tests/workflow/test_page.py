"""The results page and Snakemake's report of the smoke run, in a browser."""

import base64
import json
import re

import pandas as pd
import pytest

from chromium import MODES
from noiseless.page.charts import CHARTS

SHOWN = "[...document.querySelectorAll('article.claim')].filter((c) => !c.hidden).map((c) => c.id)"
ANSWERS = "[...document.querySelectorAll('.answer p')].map((p) => p.textContent)"
WIDER_THAN_THE_WINDOW = "document.documentElement.scrollWidth > innerWidth"
# What a browser opens as a data URI in a frame, which is how the report holds its pages.
LARGEST_DATA_URI = 2 * 1024 * 1024


@pytest.fixture
def page(smoke_run, tab):
    """The page of the smoke run; nothing but itself may be asked for, and nothing complained of."""
    url = f"file://{smoke_run.path}/results/index.html"
    tab.open(url)
    yield tab
    assert {each for each in tab.requests if not each.startswith("data:")} <= {url, "about:blank"}
    assert tab.complaints == []


def set_filter(tab, **values):
    """Set filters of the ledger, as a reader does."""
    tab.evaluate(
        f"""(() => {{
            const form = document.getElementById("filters");
            for (const [name, value] of Object.entries({json.dumps(values)})) {{
                form.elements[name].value = value;
                form.elements[name].dispatchEvent(new Event("input", {{ bubbles: true }}));
            }}
        }})()"""
    )


def ask(tab, address):
    """Go to choices of the charts by their address; what is answered."""
    tab.evaluate(f"location.hash = '#ask:{address}'")
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    return tab.evaluate(ANSWERS)


def test_page_is_small_enough_for_a_mail_and_a_frame(smoke_run):
    results = smoke_run.path / "results"
    assert (results / "index.html").stat().st_size < 5_000_000
    inside = (results / "report/ledger.html").read_bytes()
    assert len(base64.b64encode(inside)) < 0.9 * LARGEST_DATA_URI


def test_every_filter_shows_the_rows_of_the_ledger_that_it_names(page, smoke_run):
    ledger = pd.read_csv(smoke_run.path / "results/ledger.csv", dtype=str, keep_default_na=False)
    everything = ledger["id"].tolist()
    assert sorted(page.evaluate(SHOWN)) == sorted(everything)
    wanted = [
        ({"paper": "nsht"}, ledger["paper"] == "nsht"),
        ({"verdict": "corrected"}, ledger["verdict"] == "corrected"),
        ({"tier": "sample"}, ledger["tier"] == "sample"),
        ({"dataset": "london"}, ledger["dataset"] == "london"),
        ({"dataset": "-"}, ledger["dataset"] == "-"),
        ({"words": "theorem IV"}, ledger["locator"].str.contains("Theorem IV")),
        (
            {"paper": "noiseless", "verdict": "not tested"},
            (ledger["paper"] == "noiseless") & (ledger["verdict"] == "not tested"),
        ),
        ({"words": "zzzz"}, ledger["id"] == ""),
    ]
    for values, rows in wanted:
        page.evaluate("document.getElementById('filters').reset()")
        page.wait_for(f"{SHOWN}.length === {len(everything)}")
        set_filter(page, **values)
        shown = page.evaluate(SHOWN)
        found = ledger.loc[rows, "id"].tolist()
        if "words" in values:  # which may stand anywhere in a claim
            assert set(found) <= set(shown) != set(everything)
        else:
            assert sorted(shown) == sorted(found)
            assert shown
        said = page.evaluate("document.getElementById('shown').value")
        assert said == f"{len(shown)} of {len(everything)} claims"
        empty = page.evaluate(
            "[...document.querySelectorAll('.paper:not([hidden])')]"
            ".filter((p) => !p.querySelector('article:not([hidden])')).length"
        )
        assert empty == 0


def test_link_to_a_claim_shows_it_whatever_is_filtered(page):
    set_filter(page, paper="nsht")
    claim = page.evaluate("document.querySelector('article[data-paper=knowledge]').id")
    page.evaluate(f"location.hash = '#{claim}'")
    page.wait_for(f"!document.getElementById('{claim}').hidden")
    assert page.evaluate("location.hash") == f"#{claim}"
    assert page.evaluate("document.querySelector('article[data-paper=knowledge] details').open")


def test_every_chart_draws_and_answers_on_a_phone_too(page):
    questions = page.evaluate(
        "[...document.querySelectorAll('[name=question] option')].map((o) => o.value)"
    )
    assert questions == [chart.key for chart in CHARTS]
    for width, height in ((390, 844), (1280, 900)):
        page.resize(width, height)
        for question in questions:
            said = " ".join(ask(page, f"question={question}"))
            assert said
            for wrong in ("undefined", "NaN", "null", "unknown", "{"):
                assert wrong not in said, (question, said)
            assert page.evaluate("document.querySelectorAll('.plot .mark').length") > 1, question
            drawn = page.evaluate("document.querySelector('.plot svg').clientWidth")
            assert 250 < drawn < width
            outside = page.evaluate(
                """(() => {
                    const frame = document.querySelector(".plot svg").getBoundingClientRect();
                    return [...document.querySelectorAll(".plot text:not(.sample)")].filter((t) => {
                        const box = t.getBoundingClientRect();
                        return box.left < frame.left - 1 || box.right > frame.right + 1;
                    }).map((t) => t.textContent);
                })()"""
            )
            assert outside == [], question
            assert not page.evaluate(WIDER_THAN_THE_WINDOW), question


def test_nothing_is_wider_than_a_phone(page):
    page.resize(390, 844)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert not page.evaluate(WIDER_THAN_THE_WINDOW)


# The four modes are tried on a page of all kinds of claims (tests/unit/page); of this one, two.
@pytest.mark.parametrize(("width", "scheme"), [MODES[0], MODES[-1]])
def test_axe_finds_nothing(page, axe, width, scheme):
    page.prefer(scheme)
    page.resize(width, 844)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.inaccessible(axe) == {}


def test_lines_of_every_chart_differ_and_every_choice_has_an_answer(page):
    """By sign and by colour; no choice shows `inf` or stands twice, and none is without words."""
    looks = """[...document.querySelectorAll("#chart fieldset label .line")].map((line) =>
        [getComputedStyle(line.firstChild).stroke, line.lastChild.getAttribute("d"),
         getComputedStyle(line.firstChild).strokeDasharray])"""
    options = """[...document.querySelectorAll("#chart select")].map((select) =>
        [...select.options].map((option) => option.text))"""
    for chart in CHARTS:
        said = ask(page, f"question={chart.key}")
        assert said, chart.key
        signs = [tuple(each) for each in page.evaluate(looks)]
        assert len(set(signs)) == len(signs), chart.key
        seeing = [colour for colour, _, dashes in signs if dashes == "none"]
        assert len(set(seeing)) == len(seeing), chart.key
        for texts in page.evaluate(options):
            assert len(set(texts)) == len(texts), (chart.key, texts)
            assert not {"inf", "Infinity", "nan"} & set(texts), (chart.key, texts)


def test_no_bound_below_always_yes_is_without_a_reason(page, smoke_run):
    """Where no epsilon keeps a bound, the floor that no noise lowers is said, from the table."""
    table = pd.read_parquet(smoke_run.path / "results/tables/prrelation/choice.parquet")
    cells = table[(table["beta"] == 1) & (table["knowledge"] == "none")]
    cells = cells[(cells["mechanism"] == "laplace") & (cells["f_score"] < 0.7)]
    wide = cells.pivot_table(index="f_score", columns="statistic", values="value")
    assert set(wide["kept"]) == {0, 1}
    for bound in (0.55, 0.58, 0.62, 0.67):
        row = wide.loc[bound]
        said = " ".join(ask(page, f"question=epsilon&beta=1&knowledge=none&at={bound:g}"))
        reason = f"No ε keeps every adversary at F = {bound:g} or below"
        assert (reason in said) == (row["kept"] == 0), (bound, said)
        if row["kept"] == 0:
            assert f"an F-score of {row['floor']:.3g} without any answer" in said


@pytest.mark.parametrize("dataset", ["ausgrid", "london"])
def test_what_a_budget_hides_is_said_from_the_table(page, smoke_run, dataset):
    """Every cell of the membership game: the best of three, counted from the table itself."""
    table = pd.read_parquet(
        smoke_run.path / f"results/tables/noiseless/membership_{dataset}.parquet"
    )
    names = {"correlation": "correlation", "mse": "mean square error", "peaks": "common peaks"}
    rows = table[(table["statistic"] == "advantage") & table["adversary"].isin(list(names))]
    [games] = table.loc[table["statistic"] == "games", "value"].unique()
    cells = rows.groupby(["n", "epsilon_bits"])
    assert len(cells) >= 20
    assert (8, 3.0) in cells.groups
    for (n, epsilon), cell in cells:
        said = ask(page, f"question=membership&dataset={dataset}&n={n}&at={epsilon:g}")
        best = cell["value"].max()
        # Of several, any: they have the same interval.
        named = [names[each] for each in cell.loc[cell["value"] == best, "adversary"]]
        budget = "exact mean" if epsilon == float("inf") else f"ε = {epsilon:g}"
        assert said[0].startswith(f"With {n} homes and {budget}, the best of the shown adversaries")
        assert any(f"({name})" in said[0] for name in named)
        assert f"from {games:g} games" in said[0]
        chosen = cell[cell["value"] == best].iloc[0]
        found = re.search(r"in (.+) of 100 games;.* alone: (.+) to (.+) of 100, from", said[0])
        for shown, true in zip(found.groups(), chosen[["value", "low", "high"]], strict=True):
            assert float(shown.removeprefix("almost ")) == pytest.approx(50 * (1 + true), abs=0.5)
        assert ("does not hide" in said[0]) == (chosen["low"] > 0)
        assert said[-1].startswith("SAMPLE DATA")


def test_links_to_files_lead_to_files(page, smoke_run):
    links = page.evaluate("[...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))")
    files = {link for link in links if not link.startswith("#")}
    tables = {
        f"tables/{path.parent.name}/{path.name}"
        for path in (smoke_run.path / "results/tables").rglob("*.csv")
    }
    assert tables <= files
    for file in files:
        assert (smoke_run.path / "results" / file).is_file(), file
    missing = page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.hash.slice(1))"
        ".filter((id) => !document.getElementById(id))"
    )
    assert missing == []


def test_run_times_of_the_rules_are_there(page, smoke_run):
    rules = page.evaluate(
        "[...document.querySelectorAll('#run-times tbody tr')]"
        ".map((r) => [...r.cells].map((c) => c.textContent))"
    )
    times = {rule: cells for rule, *cells in rules}
    assert {"noiseless_membership", "draw_figure", "noiseless_trips_keys"} <= set(times)
    record = pd.read_csv(smoke_run.path / "logs/nsht_leakage_bound.tsv", sep="\t").iloc[-1]
    assert times["nsht_leakage_bound"] == [
        "1",
        f"{record['run_time_s']:.1f}",
        f"{record['cpu_time_s']:.1f}",
        f"{record['peak_memory_mb']:.0f}",
    ]
    assert times["noiseless_trips_keys"][0] == "2"


def test_report_opens_with_the_ledger_and_without_network(smoked, tab):
    smoked.smoke("--report", "results/report.html")
    report = smoked.path / "results/report.html"
    tab.open(f"file://{report}")
    tab.wait_for("document.querySelector('.prose a') !== null")
    ledger = pd.read_csv(smoked.path / "results/ledger.csv", dtype=str, keep_default_na=False)
    tables = tab.evaluate(
        """[...document.querySelectorAll(".prose table")].map(
            (t) => [...t.rows].map((r) => [...r.cells].map((c) => c.textContent.trim())))"""
    )
    verdicts, claims, times = tables
    assert verdicts[-1][1:] == [
        str((ledger["verdict"] == verdict).sum()) for verdict in verdicts[0][1:]
    ]
    assert [row[2] for row in claims[1:]] == ledger["verdict"].tolist()
    assert [row[3].split() for row in claims[1:]] == ledger["claim"].str.split().tolist()
    assert "noiseless_membership" in {row[0] for row in times}
    # Its beginning is not cut off.
    left, top = tab.evaluate(
        "(({ left, top }) => [left, top])(document.querySelector('.prose').getBoundingClientRect())"
    )
    assert left >= tab.evaluate("document.querySelector('nav').getBoundingClientRect().right")
    assert top >= 0
    # The first results that it offers are the ledger's, and a click shows them whole.
    assert tab.evaluate("Object.keys(categories).sort()[0]") == "all papers"
    tab.evaluate("document.querySelector('.prose a').click()")
    tab.wait_for("document.querySelector('iframe') !== null")
    for _ in range(100):
        if tab.evaluate("document.querySelectorAll('.answer p').length", inside=True):
            break
        tab.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert tab.evaluate("document.querySelectorAll('article').length", inside=True) == len(ledger)
    # Every figure has a caption.
    assert tab.evaluate("Object.values(results).filter((r) => !r.caption).length") == 0
    assert {url.split(":")[0] for url in tab.requests} <= {"file", "data", "about"}
    # Snakemake's own: its style sheet asks for a build step.
    assert [each for each in tab.complaints if "tailwindcss" not in each] == []
