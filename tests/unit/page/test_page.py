"""The results page: what it holds, what its charts take out of the tables, and how rules ran."""

import base64
import dataclasses
import io
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path

import matplotlib.image
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from noiseless.errors import ConfigError, DataError
from noiseless.files import sha256_of_file
from noiseless.ledger.claims import load_claims
from noiseless.ledger.files import join_ledgers, judge_paper, verdicts_text
from noiseless.ledger.judge import COLUMNS, judge_claims
from noiseless.page.build import SCRIPTS, Figure, results_page, write_page
from noiseless.page.chart import Axis, Chart, Choice, Measure, Series, chart_data, packed
from noiseless.page.charts import CHARTS
from noiseless.page.run_times import read_run_times
from noiseless.tables import Provenance, Source, read_table, tidy, write_table
from toy_claims import FAILS, GRID, PASSES, REAL, SAMPLE, claims_file, entry, erratum

# The page and the files -----------------------------------------------------------------------


class Tags(HTMLParser):
    """Start tags and text of a page, scripts and styles left out."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text, self.scripts = [], "", []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.cdata_elem is not None:
            self.scripts.append(data)
        else:
            self.text += data

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


NASTY = '</script><script>alert("x")</script> & co* n_x `y` |z|'
TOY = Chart(
    key="toy",
    paper="toy",
    title="Who wins?",
    about="A toy.",
    tables={"toy/t": {}},
    measures=(Measure(statistic="advantage", name="advantage", label="advantage"),),
    x=Axis(column="eps", label="ε", says="ε = {}"),
    series=Series(column="n", label="Homes"),
    sentence="{n} homes: {value:games} at {eps}.",
)


def judge_toys(claims, tables, results):
    """The ledger of both papers, as their rules write it; the table of `bar` is missing."""
    papers = [results / "ledger" / f"{paper}.parquet" for paper in ("bar", "toy")]
    ledger = judge_claims(load_claims(claims), {"toy/t": read_table(tables["toy/t"])})
    write_table(ledger[ledger["paper"] == "bar"], papers[0], Provenance("c" * 16))
    given = {"toy/t": tables["toy/t"]}
    judge_paper(claims=claims / "toy.yaml", tables=given, ledger=papers[1], code="c0de")
    join_ledgers(papers, results / "ledger.parquet", code="c0de")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Claims of every verdict on two papers, with tables and a figure, and where to write."""
    monkeypatch.setattr("noiseless.page.build.CHARTS", (TOY,))
    claims_file(
        tmp_path,
        entry(PASSES, figure="toy/f", claim=NASTY),
        entry(FAILS, id="toy-2", figure="toy/f", locator="Table 2"),
        entry(FAILS, id="toy-3", figure="toy/absent", erratum=erratum(PASSES)),
        entry(PASSES, id="toy-4", needs=["ausgrid"], erratum=erratum(PASSES)),
    )
    folder = claims_file(tmp_path, entry("{table: toy/u, at_most: 1}", id="bar-1"), paper="bar")
    results = tmp_path / "results"
    tables = {name: results / f"tables/{name}.parquet" for name in ("toy/t", "toy/unused")}
    for path in tables.values():
        write_table(GRID, path, Provenance("c" * 16, (SAMPLE,)))
    figures = {name: tmp_path / f"{name.split('/')[1]}.png" for name in ("toy/f", "toy/more")}
    for path in figures.values():
        matplotlib.image.imsave(path, np.zeros((4, 4, 3)))
    caption = tmp_path / "f.rst"
    caption.write_text("**A figure** of *homes* with\nless < more.\n", "utf-8")
    judge_toys(folder, tables, results)
    return {
        "claims": folder,
        "tables": tables,
        "figures": figures,
        "captions": {"toy/f": caption},
        "ledger": results / "ledger.parquet",
        "page": results / "index.html",
        "report_page": results / "report" / "ledger.html",
        "report_verdicts": results / "report" / "verdicts.tsv",
        "report_claims": results / "report" / "claims.tsv",
        "report_run_times": results / "report" / "run_times.tsv",
    }


def test_page_holds_what_it_must(run):
    write_page(**run)
    html = run["page"].read_text("utf-8")
    page = Tags(html)
    assert NASTY in page.text
    assert page.all("html")[0]["lang"] == "en"
    assert "width=device-width" in page.all("meta")[1]["content"]
    # Nothing is fetched: what is not in the page is a link that a reader may follow.
    assert all("src" not in attrs for attrs in page.all("script"))
    assert [attrs["href"] for attrs in page.all("link")] == ["data:,"]
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")
    # A figure that two claims share is there once, at half its size, with a text in its place.
    first, more = page.all("img")
    data = base64.b64decode(first["src"].removeprefix("data:image/webp;base64,"))
    assert Image.open(io.BytesIO(data)).size == (2, 2)
    assert "toy/f" in first["alt"]
    assert "Fig. 1, Table 2" in first["alt"]
    assert "<strong>A figure</strong> of <em>homes</em> with less &lt; more." in html
    assert "The figure toy/absent was not drawn" in page.text
    # One that no claim names is there all the same.
    assert "toy/more" in more["alt"]
    # Every claim, its verdict in words, papers' titles, errata, and the banner.
    anchors = {attrs["id"] for attrs in page.all("article")}
    assert anchors == {"bar-1", "toy-1", "toy-2", "toy-3", "toy-4"}
    for text in (
        "Doe, A toy paper",
        "Doe, A bar paper",
        "1 reproduced, 1 corrected, 1 differs, 1 not tested",
        "Table 2",
        "0.01 (exact)",
        "ausgrid (sample)",
        "The sign is wrong.",
        "What holds instead: The opposite holds.",
        "4 of 5 claims rest on sample data",
        "--configfile config/smoke.yaml -- results/tables/toy/t.parquet",
        "noiseless 0",
    ):
        assert text in page.text, text


def test_links_lead_somewhere(run):
    write_page(**run)
    page = Tags(run["page"].read_text("utf-8"))
    names = {attrs.get("id") for _, attrs in page.tags}
    links = {attrs["href"] for attrs in page.all("a")}
    assert {"#toy-2", "#toy-3", "#erratum-toy-3", "tables/toy/unused.csv", "ledger.csv"} <= links
    inside = {link.removeprefix("#") for link in links if link.startswith("#")}
    assert inside <= names
    files = {link for link in links if not link.startswith("#")}
    missing = {link for link in files if not (run["page"].parent / link).is_file()}
    # The test's figures are elsewhere.
    assert missing == {"figures/toy/f.png", "figures/toy/more.png"}


def test_page_without_samples_has_no_banner(run):
    for path in run["tables"].values():
        write_table(GRID, path, Provenance("c" * 16, (REAL,)))
    judge_toys(run["claims"], run["tables"], run["ledger"].parent)
    write_page(**run)
    assert "sample data" not in Tags(run["page"].read_text("utf-8")).text


def test_suspected_erratum_stands_beside_an_untested_claim(run):
    write_page(**run)
    text = Tags(run["page"].read_text("utf-8")).text
    assert text.count("Suspect") == 1
    assert text.count("Instead") == 1


def test_errata_are_those_of_the_claims(run):
    write_page(**run)
    page = Tags(run["page"].read_text("utf-8"))
    found = {attrs["id"] for attrs in page.all("details") if attrs.get("class") == "erratum"}
    assert found == {"erratum-toy-3", "erratum-toy-4"}


def test_page_escapes_every_text(tmp_path):
    claim = entry(FAILS, locator=NASTY, erratum={**erratum(PASSES), "wrong": NASTY, "holds": NASTY})
    claims = load_claims(claims_file(tmp_path, claim, title=NASTY))
    provenance = Provenance("c", (Source(NASTY, "local", "ff", "registered"),))
    ledger = judge_claims(claims, {"toy/t": (GRID, provenance)})
    picture = tmp_path / "f.png"
    matplotlib.image.imsave(picture, np.zeros((2, 2, 3)))
    chart = dataclasses.replace(TOY, title=NASTY, about=NASTY)
    html = results_page(
        ledger,
        claims=claims,
        figures=[Figure("toy/f", picture, NASTY)],
        tables=[],
        charts=[chart_data(chart, {"toy/t": (GRID, provenance)})],
        run_times=[],
        provenance=provenance,
    )
    page = Tags(html)
    assert len(page.all("script")) == 1 + len(SCRIPTS)
    assert page.text.count(NASTY) >= 5
    [data] = [json.loads(text) for text in page.scripts if text.startswith("{")]
    assert data["charts"][0]["title"] == NASTY


def test_page_of_the_report_has_neither_pictures_nor_links_to_files(run):
    write_page(**run)
    page = Tags(run["report_page"].read_text("utf-8"))
    assert not page.all("img")
    assert all(attrs["href"].startswith("#") for attrs in page.all("a"))
    assert "The picture is in this report, under toy" in page.text
    verdicts = pd.read_csv(run["report_verdicts"], sep="\t", index_col="paper")
    assert verdicts.loc["toy"].to_dict() == {
        **dict.fromkeys(verdicts.columns, 1),
        "inconclusive": 0,
    }
    assert verdicts.loc["all"].sum() == 5
    claims = pd.read_csv(run["report_claims"], sep="\t")
    assert re.sub(r"\\(.)", r"\1", claims.loc[1, "claim"]) == NASTY
    assert "co\\* n\\_x" in claims.loc[1, "claim"]
    assert claims["verdict"].tolist()[2] == "differs"


def test_ledger_files_agree(run):
    ledger, provenance = read_table(run["ledger"])
    assert tuple(ledger.columns) == COLUMNS
    assert provenance.sources == (SAMPLE,)
    assert provenance.version.endswith("+c0de")
    verdicts = dict(zip(ledger["id"], ledger["verdict"], strict=True))
    assert verdicts == {
        "bar-1": "not tested",
        "toy-1": "reproduced",
        "toy-2": "differs",
        "toy-3": "corrected",
        "toy-4": "not tested",
    }
    twin = pd.read_csv(run["ledger"].with_suffix(".csv"), dtype=str, keep_default_na=False)
    pd.testing.assert_frame_equal(twin, ledger)


def test_run_times_change_the_page_and_nothing_changes_the_ledger(run, tmp_path):
    record = tmp_path / "logs" / "slow.tsv"
    record.parent.mkdir()
    before = sha256_of_file(run["ledger"])
    digests = []
    for seconds in (1.0, 1.0, 2.0):
        record.write_text(f"run_time_s\tcpu_time_s\tpeak_memory_mb\n{seconds}\t0.5\t150\n", "utf-8")
        write_page(**run, logs=record.parent)
        digests.append(sha256_of_file(run["page"]))
        run["page"].unlink()
    first, again, other = digests
    assert first == again
    assert first != other
    assert sha256_of_file(run["ledger"]) == before


def test_page_without_charts_asks_nothing(run, monkeypatch):
    monkeypatch.setattr("noiseless.page.build.CHARTS", ())
    write_page(**run)
    assert "Ask the results" not in Tags(run["page"].read_text("utf-8")).text


def test_page_quotes_and_counts_own_statements_apart(run):
    claims_file(
        run["claims"].parent,
        entry(PASSES, quote="So it is.", reading="the first"),
        entry(PASSES, id="toy-2", category="own"),
        entry(FAILS, id="toy-3", category="own"),
        entry(FAILS, id="toy-4", needs=["ausgrid"]),
    )
    judge_toys(run["claims"], run["tables"], run["ledger"].parent)
    write_page(**run)
    page = Tags(run["page"].read_text("utf-8"))
    for text in (
        "So it is.",
        "the first",
        "2 statements of our own are counted apart: 1 reproduced, 1 differs.",
        "toy: 1 reproduced, 1 not tested; our own: 1 reproduced, 1 differs",
        "To test it: make paper TARGET=toy",
    ):
        assert text in page.text, text


def test_files_that_are_not_there(run, tmp_path):
    for key in ("tables", "figures"):
        with pytest.raises(DataError, match=r"gone: no such file"):
            write_page(**{**run, key: {"toy/t": tmp_path / "gone"}})
    with pytest.raises(DataError, match=r"gone: no such file"):
        write_page(**{**run, "ledger": tmp_path / "gone"})
    assert not run["page"].exists()


# What is said at the end of a run -------------------------------------------------------------


def test_verdicts_as_text(run):
    folder = run["ledger"].parent / "ledger"
    text = verdicts_text([folder / "toy.parquet", folder / "bar.parquet"])
    assert text.splitlines()[:3] == [
        "claims             reproduced  corrected  differs  inconclusive  not tested",
        "toy (the paper's)           1          1        1             0           1",
        "bar (the paper's)           0          0        0             0           1",
    ]
    assert "toy-1" not in text
    assert "At most 0 false `differs`" in text


def test_text_counts_own_statements_apart(tmp_path):
    claims = load_claims(
        claims_file(tmp_path, entry(PASSES), entry(FAILS, id="toy-2", category="own"))
    )
    path = tmp_path / "toy.parquet"
    write_table(judge_claims(claims, {"toy/t": (GRID, Provenance("c"))}), path, Provenance("c"))
    lines = verdicts_text([path]).splitlines()
    assert lines[1].split() == ["toy", "(the", "paper's)", "1", "0", "0", "0", "0"]
    assert lines[2].split() == ["toy", "(our", "own)", "0", "0", "1", "0", "0"]


# What a chart takes out of its tables ---------------------------------------------------------


def unpacked(columns):
    """The inverse of ``packed`` for all columns: a list of rows."""
    length = max(len(each.get("all", each.get("at", [None]))) for each in columns.values())
    values = {}
    for name, each in columns.items():
        if "same" in each:
            values[name] = [each["same"]] * length
        else:
            values[name] = each.get("all") or [each["of"][place] for place in each["at"]]
    return [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([4, 4, 4], {"same": 4}),
        ([1.5, 2.5], {"all": [1.5, 2.5]}),
        (["b", "a"] * 3, {"of": ["b", "a"], "at": [0, 1] * 3}),
        ([math.inf, -math.inf, math.nan, 1.0], {"all": ["inf", "-inf", None, 1]}),
        ([2 / 3, 1e-9 / 3, 123456789.0], {"all": [0.666667, 3.33333e-10, 123457000]}),
        ([math.nan] * 3, {"same": None}),
    ],
)
def test_packed(values, expected):
    assert packed(pd.Series(values)) == expected
    json.dumps(packed(pd.Series(values)), allow_nan=False)


def games_table():
    """A table as that of the membership game, with intervals and further statistics."""
    wide = pd.DataFrame(
        {
            "adversary": ["b", "b", "a", "a", "control"],
            "n": 8,
            "epsilon": [1.0, math.inf, 1.0, math.inf, 0.0],
            "advantage": [0.1, 0.5, 1 / 3, 0.6, 0.0],
            "games": 400,
        }
    )
    table = tidy(wide, ["adversary", "n", "epsilon"])
    estimate = table["statistic"] == "advantage"
    table["low"] = (table["value"] - 0.05).where(estimate)
    table["high"] = (table["value"] + 0.05).where(estimate)
    return table


GAMES = dataclasses.replace(
    TOY,
    x=Axis(column="epsilon", label="ε", says="ε = {}", infinite="exact"),
    series=Series(column="adversary", label="Adversaries", controls=("control",)),
    choices=(Choice(column="n", label="Homes"),),
    sentence="{n}: {value:games} of {games:count} at {epsilon}, {homes:count} homes.",
)


def sourced(table, source=SAMPLE):
    return table, Provenance("c" * 16, (source,))


def test_rows_of_a_chart_are_those_of_its_table():
    wide = pd.DataFrame({"epsilon": [1.0, math.inf], "homes": [24.0, 30.0]})
    tables = {
        "toy/t": sourced(games_table()),
        "toy/homes": sourced(tidy(wide, ["epsilon"])),
        "toy/other": sourced(GRID),
    }
    chart = dataclasses.replace(GAMES, join=("toy/homes", "epsilon"))
    data = chart_data(chart, tables)
    json.dumps(data, allow_nan=False)
    # By a plain loop over the long table.
    table = games_table()
    homes = {1.0: 24, math.inf: 30}
    for row in unpacked(data["columns"]):
        epsilon = float(row["epsilon"])
        cell = table[(table["adversary"] == row["adversary"]) & (table["epsilon"] == epsilon)]
        cell = cell.set_index("statistic")
        assert row["value"] == pytest.approx(cell.loc["advantage", "value"], rel=1e-5)
        for end in ("low", "high"):
            assert row[end] == pytest.approx(cell.loc["advantage", end], rel=1e-5)
        assert row["games"] == 400
        assert row["homes"] == homes.get(epsilon)
        assert (row["n"], row["source"]) == (8, 0)
    assert len(unpacked(data["columns"])) == 5
    # Words in the order of the table, numbers from small to large.
    assert data["options"]["adversary"] == ["b", "a", "control"]
    assert data["options"]["epsilon"] == [0, 1, "inf"]
    source = {"dataset": "ausgrid", "tier": "sample", "sample": True}
    assert data["sources"] == [
        {"table": "toy/t", "joined": False, **source},
        {"table": "toy/homes", "joined": True, **source},
    ]


def test_statistics_may_be_the_ends_of_an_interval_or_the_lines():
    wide = pd.DataFrame({"budget": [1, 2], "p10": [3, 4], "median": [5, 6], "p90": [7, 8]})
    table = sourced(tidy(wide, ["budget"]), REAL)
    chart = dataclasses.replace(
        TOY,
        measures=(Measure(statistic="median", name="", label="", low="p10", high="p90"),),
        x=Axis(column="budget", label="", says="{}"),
        series=None,
        sentence="{value:number}",
    )
    rows = unpacked(chart_data(chart, {"toy/t": table})["columns"])
    assert [(row["low"], row["value"], row["high"]) for row in rows] == [(3, 5, 7), (4, 6, 8)]
    chart = dataclasses.replace(
        chart,
        measures=tuple(Measure(statistic=s, name="", label="") for s in ("p90", "p10")),
        series=Series(column="statistic", label=""),
    )
    data = chart_data(chart, {"toy/t": table})
    found = {(row["budget"], row["statistic"]): row["value"] for row in unpacked(data["columns"])}
    assert found == {(1, "p90"): 7, (2, "p90"): 8, (1, "p10"): 3, (2, "p10"): 4}
    assert data["options"]["statistic"] == ["p90", "p10"]


def test_tables_of_two_datasets_are_told_apart():
    chart = dataclasses.replace(
        TOY,
        tables={name: {"dataset": name[-1]} for name in ("toy/t", "toy/gone", "toy/u")},
        choices=(Choice(column="dataset", label="Data"),),
    )
    halved = GRID.assign(value=GRID["value"] / 2)
    data = chart_data(chart, {"toy/t": sourced(GRID), "toy/u": sourced(halved, REAL)})
    rows = unpacked(data["columns"])
    assert {row["dataset"] for row in rows if row["source"] == 1} == {"u"}
    assert data["options"]["dataset"] == ["t", "u"]
    assert [source["sample"] for source in data["sources"]] == [True, False]
    assert sum(row["value"] for row in rows) == pytest.approx(1.5 * GRID["value"].sum())


def test_chart_without_a_table_is_left_out():
    assert chart_data(TOY, {"toy/other": sourced(GRID)}) is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sentence": "{value:euros}"}, "has the format `euros`; there are number, percent"),
        ({"sentence": "{homes}"}, "the table toy/t has no column or statistic `homes`"),
        ({"series": None}, "several rows of its tables have eps 1"),
        ({"series": Series(column="m", label="")}, "no column or statistic `m`"),
        ({"x": Axis(column="e", label="", says="")}, "no column or statistic `e`"),
        ({"where": {"m": (1,)}}, "no column or statistic `m`"),
        ({"measures": (Measure(statistic="v", name="", label=""),)}, "none of the statistics v"),
        (
            {"measures": (Measure(statistic="advantage", name="", label="", low="p1"),)},
            "no column or statistic `p1`",
        ),
        (
            {"reference": Measure(statistic="floor", name="", label="")},
            "no column or statistic `floor`",
        ),
    ],
)
def test_chart_that_does_not_fit_its_table(change, says):
    chart = dataclasses.replace(TOY, **change)
    with pytest.raises(ConfigError) as error:
        chart_data(chart, {"toy/t": sourced(GRID)})
    assert "chart `toy`" in str(error.value)
    assert says in str(error.value)


def test_where_keeps_rows():
    chart = dataclasses.replace(TOY, where={"n": (8,)}, series=None, sentence="{value:games}")
    rows = unpacked(chart_data(chart, {"toy/t": sourced(GRID)})["columns"])
    assert [row["value"] for row in rows] == [0.05, 0.1, 0.3]


def test_keys_of_charts_are_their_own_and_safe_in_an_address():
    keys = [chart.key for chart in CHARTS]
    assert len(set(keys)) == len(keys)
    assert all(key.replace("-", "").isalnum() for key in keys)


# How rules ran --------------------------------------------------------------------------------


def test_run_times_of_all_jobs_of_a_rule(tmp_path):
    head = "run_time_s\tcpu_time_s\tpeak_memory_mb\n"
    (tmp_path / "shards").mkdir()
    (tmp_path / "one.tsv").write_text(f"{head}3.5\t2.0\t150.25\n")
    (tmp_path / "shards" / "0.tsv").write_text(f"{head}2\t1.5\t90\n")
    (tmp_path / "shards" / "1.tsv").write_text(f"{head}4\t2.5\t80\n")
    found = read_run_times(tmp_path)
    assert [each.rule for each in found] == ["shards", "one"]
    assert dataclasses.astuple(found[0]) == ("shards", 2, 6.0, 4.0, 90.0)
    assert dataclasses.astuple(found[1]) == ("one", 1, 3.5, 2.0, 150.25)


def test_scripts_and_styles_are_packaged(root):
    folder = root / "workflow/noiseless/page"
    for name in ("index.html.j2", "style.css", *SCRIPTS):
        assert Path(folder / name).is_file()
        assert f'"*{Path(name).suffix}"' in (root / "pyproject.toml").read_text()


def test_chart_of_queries_takes_several_numbers_of_runs():
    """As config.yaml has them, and smoke.yaml has not."""
    (chart,) = (each for each in CHARTS if each.key == "queries")
    cells = {"regression": "linear", "group": 10, "filter": "basic", "basis": "certified"}
    rows = [
        {**cells, "runs": runs, "budget_nats": budget, "statistic": name, "value": 1.0}
        for runs in (50, 500)
        for budget in (0.5, 1.0)
        for name in ("p10", "median", "p90")
    ]
    table = pd.DataFrame(rows).assign(low=math.nan, high=math.nan)
    data = chart_data(
        chart, {"knowledge/composition_accepted_linear": (table, Provenance("c" * 16, ()))}
    )
    assert data["options"]["runs"] == [50, 500]
