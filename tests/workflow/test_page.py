"""The results page and Snakemake's report of the smoke run, in a browser."""

import base64
import json

import pandas as pd
import pytest

from chromium import MODES
from noiseless.ledger.statements import build_statements, select_paper_statements

SHOWN = "[...document.querySelectorAll('.claim')].filter((c) => !c.hidden).map((c) => c.id)"
OPEN = "for (const each of document.querySelectorAll('details')) each.open = true"
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
        ({"where": "figure 3"}, ledger["locator"].str.contains(r"Fig\. 3")),
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
            ".filter((p) => !p.querySelector('.claim:not([hidden])')).length"
        )
        assert empty == 0


def test_link_to_a_claim_shows_it_whatever_is_filtered(page):
    set_filter(page, paper="nsht")
    claim = page.evaluate("document.querySelector('.claim[data-paper=knowledge]').id")
    page.evaluate(f"location.hash = '#{claim}'")
    page.wait_for(f"!document.getElementById('{claim}').hidden")
    assert page.evaluate("location.hash") == f"#{claim}"
    for kind in (".claim", ".paper"):
        assert page.evaluate(f"document.getElementById('{claim}').closest('{kind}').open")


def test_first_screen_shows_figures_and_every_thumbnail_opens_one(page):
    for width, number in ((1280, 4), (390, 1)):
        page.resize(width, 844)
        seen = page.evaluate(
            "[...document.querySelectorAll('.thumb img')].map((i) => i.getBoundingClientRect())"
            ".filter((b) => b.bottom < innerHeight && b.right < innerWidth).length"
        )
        assert seen >= number
    views = page.evaluate("[...document.querySelectorAll('.view')].map((v) => v.id)")
    links = page.evaluate("[...document.querySelectorAll('.thumb')].map((a) => a.hash.slice(1))")
    assert links == views
    assert len(set(views)) == len(views)


def test_no_statement_stands_twice(page):
    quotes = page.evaluate("[...document.querySelectorAll('.quote')].map((q) => q.textContent)")
    assert quotes
    names = page.evaluate("[...document.querySelectorAll('.statement')].map((s) => s.id)")
    assert len(set(names)) == len(names)


def test_page_is_short_until_something_is_asked_for(page, smoke_run):
    """A tenth of what it is with every claim open."""
    claims = len(pd.read_csv(smoke_run.path / "results/ledger.csv"))
    for width, most in ((1280, 9_100), (390, 18_000)):
        page.resize(width, 844)
        assert page.evaluate("document.documentElement.scrollHeight") < most * claims / 356


def test_nothing_is_wider_than_a_phone(page):
    page.resize(390, 844)
    page.evaluate(OPEN)
    assert not page.evaluate(WIDER_THAN_THE_WINDOW)


def test_axe_finds_no_fault_on_the_page(page, axe):
    """In one mode: all four are tried on a page of all kinds of claims (tests/unit/page)."""
    width, scheme = MODES[0]
    page.prefer(scheme)
    page.resize(width, 844)
    page.evaluate(OPEN)
    assert page.inaccessible(axe) == {}


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
        ".filter((id) => !document.getElementById(id.split(':')[0]))"
    )
    assert missing == []


def test_run_times_of_the_rules_are_there(page, smoke_run):
    rules = page.evaluate(
        "[...document.querySelectorAll('#run-times tbody tr')]"
        ".map((r) => [...r.cells].map((c) => c.textContent))"
    )
    times = {rule: cells for rule, *cells in rules}
    assert {"noiseless_membership", "nsht_figures", "noiseless_trips_taken"} <= set(times)
    record = pd.read_csv(smoke_run.path / "logs/nsht_figures.tsv", sep="\t").iloc[-1]
    assert times["nsht_figures"] == [
        "1",
        f"{record['run_time_s']:.1f}",
        f"{record['cpu_time_s']:.1f}",
        f"{record['peak_memory_mb']:.0f}",
    ]
    assert times["noiseless_membership"][0] == "2"


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
    judged = select_paper_statements(build_statements(ledger))["verdict"]
    assert verdicts[-1][1:] == [str((judged == verdict).sum()) for verdict in verdicts[0][1:]]
    assert judged.isin(verdicts[0][1:]).all()
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
        # It is read while it is still being parsed.
        if tab.evaluate("document.querySelectorAll('.claim').length", inside=True) == len(ledger):
            break
        tab.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert tab.evaluate("document.querySelectorAll('.claim').length", inside=True) == len(ledger)
    # Its filters work inside of the report, as the policy of the page allows its script.
    tab.evaluate("document.querySelector('[name=paper]').value = 'nsht'", inside=True)
    tab.evaluate(
        "document.querySelector('[name=paper]').dispatchEvent(new Event('input', {bubbles: true}))",
        inside=True,
    )
    assert tab.evaluate("document.querySelector('.paper[open]') !== null", inside=True)
    # Every figure has a caption.
    assert tab.evaluate("Object.values(results).filter((r) => !r.caption).length") == 0
    assert {url.split(":")[0] for url in tab.requests} <= {"file", "data", "about"}
    # Snakemake's own: its style sheet asks for a build step.
    assert [each for each in tab.complaints if "tailwindcss" not in each] == []
