"""The results page: what it holds, what its policy allows, and how rules ran."""

import base64
import hashlib
import io
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from PIL import Image

from noiseless.errors import DataError
from noiseless.files import compute_file_sha256
from noiseless.ledger.files import format_verdict_counts, join_ledgers
from noiseless.ledger.rows import COLUMNS
from noiseless.ledger.statements import STATEMENT_VERDICTS
from noiseless.page.build import PageFigure, render_results_page, write_page
from noiseless.tables import Provenance, Source, read_table, write_csv_copies, write_table
from toy_pictures import write_pictures
from toy_statements import (
    GRID,
    OURS,
    REAL,
    SAMPLE,
    entry,
    erratum,
    fails,
    is_small,
    judge_toy,
    passes,
    toy_paper,
    write_toy_ledger,
)

# The page and the files -----------------------------------------------------------------------


class Tags(HTMLParser):
    """Start tags and text of a page, scripts and styles left out."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.cdata_elem is None:
            self.text += data

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def claims_of(page):
    """The claims' cards."""
    return [attrs for attrs in page.all("details") if attrs.get("class", "").startswith("claim ")]


NASTY = '</script><script>alert("x")</script> & co* n_x `y` |z|'


def judge_toys(run, *entries):
    """Judge statements of `toy`, and one of `bar` whose table is missing, as their rules do."""
    results = run["ledger"].parent
    papers = toy_paper(entry(is_small, on="toy/u"), name="bar"), toy_paper(*entries)
    run["statements"] = [each for paper in papers for each in paper.statements]
    ledgers = [results / "ledger" / f"{paper.name}.parquet" for paper in papers]
    there = {"toy/t": read_table(run["tables"]["toy/t"])}
    for paper, tables, path in zip(papers, ({}, there), ledgers, strict=True):
        write_toy_ledger(paper, tables, path)
        write_twin(path)
    join_ledgers(ledgers, run["ledger"], code="c0de")
    write_twin(run["ledger"])


ENTRIES = (
    entry(passes, figure="toy/f", says=NASTY),
    entry(fails, figure="toy/f", where="Table 2"),
    entry(fails, figure="toy/absent", erratum=erratum(passes)),
    entry(passes, needs=("ausgrid",), erratum=erratum(passes)),
)


def write_twin(path):
    """The CSV beside a table."""
    write_csv_copies([path], [path.with_suffix(".csv")], path.with_suffix(".sha256"))


@pytest.fixture
def run(tmp_path):
    """Statements with every verdict on two papers, with tables and a figure, and where to write."""
    results = tmp_path / "results"
    tables = {name: results / f"tables/{name}.parquet" for name in ("toy/t", "toy/unused")}
    for path in tables.values():
        write_table(GRID, path, Provenance("c" * 16, (SAMPLE,)))
        write_twin(path)
    figures = {name: tmp_path / f"{name.split('/')[1]}.png" for name in ("toy/f", "toy/more")}
    for path in figures.values():
        write_pictures(path)
    caption = tmp_path / "toy/figures/f.rst"
    caption.parent.mkdir(parents=True)
    caption.write_text("**A figure** of *homes* with\nless < more.\n", "utf-8")
    given = {
        "tables": tables,
        "figures": figures,
        "captions": [caption],
        "ledger": results / "ledger.parquet",
        "page": results / "index.html",
        "report": {
            "page": results / "report" / "ledger.html",
            "verdicts": results / "report" / "verdicts.tsv",
            "claims": results / "report" / "claims.tsv",
            "run_times": results / "report" / "run_times.tsv",
        },
    }
    judge_toys(given, *ENTRIES)
    return given


@pytest.fixture
def html(run):
    """The page of that run."""
    write_page(**run)
    return run["page"].read_text("utf-8")


@pytest.fixture
def page(html):
    """Its tags and its text."""
    return Tags(html)


def test_page_holds_what_it_must(html, page):
    assert NASTY in page.text
    assert page.all("html")[0]["lang"] == "en"
    assert "width=device-width" in str(page.all("meta"))
    # Nothing is fetched: what is not in the page is a link that a reader may follow.
    assert all("src" not in attrs for attrs in page.all("script"))
    assert [attrs["href"] for attrs in page.all("link")] == ["data:,"]
    # A figure that two claims share is there once, at half its size, with a text in its place.
    thumbnail, _, first, more = page.all("img")
    assert thumbnail["alt"] == ""  # its link has a text
    data = base64.b64decode(first["src"].removeprefix("data:image/webp;base64,"))
    assert Image.open(io.BytesIO(data)).size == (2, 2)
    assert "toy/f" in first["alt"]
    assert page.text.count("Figure toy/f") == 3  # its heading, and the links of two claims
    assert "<strong>A figure</strong> of <em>homes</em> with less &lt; more." in html
    assert "Not drawn in this run: 1" in page.text
    assert "<p>toy/absent</p>" in html
    # One that no claim names is there all the same.
    assert "toy/more" in more["alt"]
    # Every claim, its verdict in words, papers' titles, errata, and the banner.
    anchors = {attrs["id"] for attrs in claims_of(page)}
    assert anchors == {"bar-1", "toy-1", "toy-2", "toy-3", "toy-4"}
    for text in (
        'Doe, "A toy paper"',
        'Doe, "A bar paper"',
        "✓ holds 1",
        "✗ fails 2",
        "○ not tested 1",
        "Table 2",
        "0.01 (exact)",
        "ausgrid (sample)",
        "The sign is wrong.",
        "What holds instead: The opposite holds.",
        "4 claims rest on sample data",
        ".venv/bin/noiseless check toy-3",
        "noiseless 0",
    ):
        assert text in page.text, text


NOT_HERE = "They are not here"


def test_beyond_is_shown_where_it_was_made_and_named_where_it_was_not(run, tmp_path, html):
    assert NOT_HERE in html
    assert "make smoke TARGET=beyond" in html  # as the others are samples
    table, figure = (tmp_path / f"beyond/more.{ending}" for ending in ("parquet", "png"))
    write_table(GRID, table, Provenance("c" * 16, (SAMPLE,)))
    write_page(**run, beyond=[table])
    html = run["page"].read_text("utf-8")
    assert NOT_HERE in html
    assert '<a href="#tables-beyond">' in html
    write_pictures(figure)
    write_page(**run, beyond=[table, figure])
    html = run["page"].read_text("utf-8")
    assert NOT_HERE not in html
    assert html.count('id="figures-beyond"') == 1
    start = html.index('id="figure-beyond-more"')
    assert "Drawn from made-up data" in html[start : html.index("</section>", start)]


def test_beyond_of_another_version_is_left_out_with_a_line(run, tmp_path, caplog):
    """A run of the papers asks for none of it, and does not end because of it."""
    table, figure = (tmp_path / f"beyond/more.{ending}" for ending in ("parquet", "png"))
    write_table(GRID, table, Provenance("c" * 16, (SAMPLE,)))
    write_pictures(figure)
    arrow = pq.read_table(table)
    kept = {key: value for key, value in arrow.schema.metadata.items() if key == b"noiseless"}
    pq.write_table(arrow.replace_schema_metadata(kept), table)
    write_page(**run, beyond=[table, figure])
    assert NOT_HERE in run["page"].read_text("utf-8")
    assert f"what another version made of beyond ({table})" in caplog.text
    pq.write_table(arrow.replace_schema_metadata({}), table)
    with pytest.raises(DataError, match="has no provenance"):
        write_page(**run, beyond=[table])


def test_edited_copy_of_a_table_of_beyond_is_refused(run, tmp_path):
    table = tmp_path / "beyond/more.parquet"
    write_table(GRID, table, Provenance("c" * 16, (SAMPLE,)))
    twin = table.with_suffix(".csv")
    write_csv_copies([table], [twin], tmp_path / "sha256_beyond.txt")
    write_page(**run, beyond=[table])
    assert "more.csv" in run["page"].read_text("utf-8")
    twin.write_text("n\n1\n")
    with pytest.raises(DataError, match=r"more.csv: not what the workflow wrote"):
        write_page(**run, beyond=[table])


def test_table_of_beyond_that_was_made_anew_is_shown_without_its_old_copy(run, tmp_path):
    table = tmp_path / "beyond/more.parquet"
    write_table(GRID, table, Provenance("c" * 16, (SAMPLE,)))
    write_csv_copies([table], [table.with_suffix(".csv")], tmp_path / "sha256_beyond.txt")
    write_table(GRID.assign(value=0.0), table, Provenance("c" * 16, (SAMPLE,)))
    later_s = table.with_suffix(".csv").stat().st_mtime + 1
    os.utime(table, (later_s, later_s))
    write_page(**run, beyond=[table])
    html = run["page"].read_text("utf-8")
    assert "more.parquet" in html
    assert "more.csv" not in html


def test_figures_of_sets_of_homes_have_the_caption_of_all_sets(run):
    run["figures"]["toy/f_my-town"] = run["figures"]["toy/f"]
    write_page(**run)
    html = run["page"].read_text("utf-8")
    assert html.count("<strong>A figure</strong> of <em>homes</em>") == 2


OWN = Source("own_mine", "own", "d" * 64, "other")


def test_homes_that_are_left_out_are_named_with_the_reason(run, tmp_path):
    write_page(**run)
    assert "left out" not in Tags(run["page"].read_text("utf-8")).text
    own = replace(OWN, excluded="1 of 5 homes are left out: h3 (9 of 10 readings).")
    london = Source("london", "local", "e" * 64, "other", excluded="2 of 9 homes are left out.")
    for number, source in enumerate((own, london, london)):
        path = tmp_path / f"game_{number}.parquet"
        write_table(GRID, path, Provenance("c" * 16, (source,)))
        run["tables"][f"toy/game_{number}"] = path
    write_page(**run)
    text = Tags(run["page"].read_text("utf-8")).text
    assert text.count("Homes and appliances that are left out, and why") == 1
    for source in (own, london):
        assert text.count(source.excluded) == 1


def test_a_dataset_that_was_fetched_is_said_beside_its_table_and_at_the_foot(run, tmp_path):
    source = Source("ausgrid-2010", "download", "ab" * 32, "registered")
    provenance = Provenance("c" * 16, (source,))
    write_table(GRID, tmp_path / "game.parquet", provenance)
    write_table(read_table(run["ledger"])[0], run["ledger"], provenance)
    run["tables"] = {"toy/game": tmp_path / "game.parquet"}
    write_page(**run)
    html = run["page"].read_text("utf-8")
    assert "<td>ausgrid-2010 (download)</td>" in html
    foot = html[html.index("<footer>") : html.index("</footer>")]
    assert "ausgrid-2010 (download " in foot
    assert "(sample" not in foot


def test_what_is_about_a_set_of_ones_own_stands_apart(run, tmp_path):
    """Its figures and tables, and nothing of the others; no claim is on it."""
    for name, source in (("toy/f_mine", OWN), ("toy/game_mine", OWN), ("toy/game_all", SAMPLE)):
        path = tmp_path / f"{name.split('/')[1]}.parquet"
        write_table(GRID, path, Provenance("c" * 16, (source,)))
        run["tables"][name] = path
    for name in ("toy/f_mine", "toy/more_mine", "toy/f_all"):
        path = tmp_path / f"{name.split('/')[1]}.png"
        write_pictures(path)
        run["figures"][name] = path
    # Of its whole name there is a caption: a figure of no set, whatever the set is called.
    caption = tmp_path / "toy/figures/more_mine.rst"
    caption.write_text("**Not of a set.**")
    run["captions"].append(caption)
    write_page(**run)
    html = run["page"].read_text("utf-8")
    start, end = html.index('<section id="yours"'), html.index('<section id="tables"')
    own, rest = Tags(html[start:end]), Tags(html[:start]).text + Tags(html[end:]).text
    assert "Yours: no paper says anything of it" in own.text
    assert "1 figure, 2 tables" in own.text
    for name, is_own in {
        "Figure toy/f_mine": True,
        "toy/game_mine": True,
        "Figure toy/more_mine": False,
        "Figure toy/f_all": False,
        "game_all": False,
    }.items():
        assert (name in own.text, name in rest) == (is_own, not is_own), name
    assert claims_of(own) == []
    assert claims_of(Tags(html)) != []
    assert any(attrs["href"] == "#yours" for attrs in Tags(html).all("a"))


def test_without_a_set_of_ones_own_there_is_no_place_for_it(html):
    assert "Yours" not in html


def test_links_lead_somewhere(run, page):
    names = {attrs.get("id") for _, attrs in page.tags}
    links = {attrs["href"] for attrs in page.all("a")}
    statements = "#ledger:statement=fails"
    assert {"#toy-2", "#toy-3", statements, "tables/toy/unused.csv", "ledger.csv"} <= links
    inside = {link.removeprefix("#").split(":")[0] for link in links if link.startswith("#")}
    assert inside <= names
    files = {link for link in links if not link.startswith("#")}
    missing = {link for link in files if not (run["page"].parent / link).is_file()}
    # The test's figures are elsewhere.
    assert missing == {"figures/toy/f.png", "figures/toy/more.png"}


def test_page_without_samples_has_no_banner(run):
    for path in run["tables"].values():
        write_table(GRID, path, Provenance("c" * 16, (REAL,)))
    judge_toys(run, *ENTRIES)
    write_page(**run)
    assert "sample data" not in Tags(run["page"].read_text("utf-8")).text


def test_errata_stand_in_their_claims_once(page):
    """One that is suspected stands beside an untested claim."""
    assert page.text.count("ErratumThe sign is wrong.") == 1
    assert page.text.count("SuspectThe sign is wrong.") == page.text.count("Suspect") == 1
    assert page.text.count("Instead") == 1
    assert page.text.count("What shows it") == 2


def test_what_came_out_stands_once_in_a_claim(html):
    cards = re.findall(r'<details class="claim \w+" id="([\w-]+)"(.*?)</details>', html, re.DOTALL)
    text = {name: Tags(card).text for name, card in cards}
    # The note of a corrected claim says what came out.
    assert ("Ours0.2" in text["toy-2"], "Ours" in text["toy-3"]) == (True, False)
    assert "As printed: 0.2" in text["toy-3"]


def test_everything_is_closed_until_asked_for(page):
    assert not [attrs for attrs in page.all("details") if "open" in attrs]
    # Two papers, five claims, and the lists of tables are among what is closed.
    kinds = [attrs.get("class", "").split(" ")[0] for attrs in page.all("details")]
    assert (kinds.count("paper"), kinds.count("claim")) == (2, 5)
    # A figure is large when its thumbnail is chosen.
    views = [attrs["id"] for attrs in page.all("section") if attrs.get("class") == "view"]
    thumbnails = [attrs["href"] for attrs in page.all("a") if attrs.get("class") == "thumb"]
    assert thumbnails == [f"#{view}" for view in views] == ["#figure-toy-f", "#figure-toy-more"]


def test_beside_a_figure_stands_what_came_out(html):
    results = [part.partition("</ul>")[0] for part in html.split('<div class="result">')[1:]]
    [shown, other] = [Tags(result).text for result in results]
    assert "✓ reproduced Fig. 1" in shown
    assert "✗ differs Table 2" in shown
    assert shown.count("0.2") == 2
    assert "No statement is judged by this figure." in other
    [links, _] = [[a["href"] for a in Tags(result).all("a")] for result in results]
    assert links == ["#toy-1", "#toy-2"]


def test_many_claims_of_a_statement_are_counted_beside_a_figure(run):
    cells = [
        entry(passes if number else fails, id=f"{number}", of="all", figure="toy/f")
        for number in range(6)
    ]
    judge_toys(run, *cells)
    write_page(**run)
    html = run["page"].read_text("utf-8")
    result = html.split('<div class="result">')[1].partition("</details>")[0]
    assert "✓ 5 reproduced" in Tags(result).text
    assert "✗ 1 differs" in Tags(result).text
    links = [a["href"] for a in Tags(result).all("a")]
    assert links == ["#statement-toy-all", *(f"#toy-{number}" for number in range(6))]
    assert len(re.findall(r"Fig\. 1: 0\.2", Tags(result).text)) == 6
    assert any(attrs.get("id") == "statement-toy-all" for attrs in Tags(html).all("details"))


def test_statement_stands_once_above_its_readings(run):
    quote = "One sentence of the paper."
    same = {"of": "all", "quote": quote, "figure": "toy/f"}
    judge_toys(
        run,
        entry(passes, reading="the first", **same),
        entry(fails, reading="the second", **{**same, "figure": "toy/more"}),
        entry(passes, reading="the first", **same),
        entry(passes, figure="toy/f"),
    )
    write_page(**run)
    html = run["page"].read_text("utf-8")
    assert html.count(f"<q>{quote}</q>") == 1
    ids = [attrs.get("id") for attrs in Tags(html).all("details")]
    assert ids.count("statement-toy-all") == 1
    # The claims of one reading follow each other.
    assert [each for each in ids if each in ("toy-1", "toy-2", "toy-3")] == [
        "toy-1",
        "toy-3",
        "toy-2",
    ]
    listed = html[html.index('id="statement-toy-all"') :]
    assert listed.count("Read as: the first") == listed.count("Read as: the second") == 1


def test_figures_are_in_the_papers_order(run, tmp_path):
    listed = tmp_path / "toy/figures/figures.yaml"
    listed.write_text(
        "more: {figure: '1, more', shows: what is added}\nf: {figure: '2', shows: a curve}\n"
    )
    write_page(**run, figure_lists=[listed])
    html = run["page"].read_text("utf-8")
    links = [attrs["href"] for attrs in Tags(html).all("a") if attrs.get("class") == "thumb"]
    assert links == ["#figure-toy-f", "#figure-toy-more"]
    assert "Figure 2: a curve" in Tags(html).text
    assert "Figure 1, more: what is added" in Tags(html).text


def test_where_is_a_choice_of_the_places_that_locators_name(page):
    values = [attrs["value"] for attrs in page.all("option")]
    assert {"figure 1", "table 2"} <= set(values)
    assert {attrs["label"] for attrs in page.all("optgroup")} == {"Figure", "Table"}
    assert {attrs["data-where"] for attrs in claims_of(page)} == {"figure 1", "table 2"}


def test_policy_allows_the_pages_own_scripts_and_style_alone(run):
    write_page(**run)
    for page in (run["page"], run["report"]["page"]):
        html = page.read_text("utf-8")
        [policy] = [
            attrs["content"]
            for attrs in Tags(html).all("meta")
            if attrs.get("http-equiv") == "Content-Security-Policy"
        ]
        allowed = dict(each.strip().split(" ", 1) for each in policy.split(";"))
        assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
        assert "unsafe" not in policy
        for element, directive in (("script", "script-src"), ("style", "style-src")):
            texts = re.findall(rf"<{element}>(.*?)</{element}>", html, flags=re.DOTALL)
            digests = [hashlib.sha256(text.encode()).digest() for text in texts]
            given = [f"'sha256-{base64.b64encode(each).decode()}'" for each in digests]
            assert allowed[directive].split() == given
        # No style or handler of an element, which such a policy would not apply.
        assert not [attrs for _, attrs in Tags(html).tags if "style" in attrs or "onclick" in attrs]


def test_page_escapes_every_text(tmp_path):
    given = entry(fails, where=NASTY, erratum=erratum(passes, fails=NASTY, mend=NASTY))
    paper = toy_paper(given, title=NASTY)
    source = Source(NASTY, "local", "ff", "registered", excluded=NASTY)
    provenance = Provenance("c", (source,))
    ledger = judge_toy(paper, {"toy/t": (GRID, provenance)})
    picture = tmp_path / "f.png"
    write_pictures(picture, width=2, height=2)
    html = render_results_page(
        ledger,
        statements=paper.statements,
        figures=[PageFigure("toy/f", picture, NASTY)],
        tables=[],
        run_times=[],
        provenance=provenance,
    )
    page = Tags(html)
    assert len(page.all("script")) == 1  # the page's own
    assert page.text.count(NASTY) >= 5


def test_page_of_the_report_has_neither_pictures_nor_links_to_files(run):
    write_page(**run)
    page = Tags(run["report"]["page"].read_text("utf-8"))
    assert not page.all("img")
    assert len(page.all("script")) == 1
    assert all(attrs["href"].startswith("#") for attrs in page.all("a"))
    assert "The picture toy/f is in this report, under toy" in page.text
    verdicts = pd.read_csv(run["report"]["verdicts"], sep="\t", index_col="paper")
    assert verdicts.loc["toy"].to_dict() == {
        **dict.fromkeys(verdicts.columns, 0),
        **{"holds": 1, "fails": 2, "not tested": 1},
    }
    assert verdicts.loc["all"].sum() == 5
    claims = pd.read_csv(run["report"]["claims"], sep="\t")
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
    before = compute_file_sha256(run["ledger"])
    digests = []
    for seconds in (1.0, 1.0, 2.0):
        record.write_text(f"run_time_s\tcpu_time_s\tpeak_memory_mb\n{seconds}\t0.5\t150\n", "utf-8")
        write_page(**run, logs=record.parent)
        digests.append(compute_file_sha256(run["page"]))
        run["page"].unlink()
    first, again, other = digests
    assert first == again
    assert first != other
    assert compute_file_sha256(run["ledger"]) == before


def test_page_quotes_and_counts_own_statements_apart(run):
    judge_toys(
        run,
        entry(passes, quote="So it is.", reading="the first"),
        entry(passes, category=OURS),
        entry(fails, category=OURS),
        entry(fails, needs=("ausgrid",)),
    )
    write_page(**run)
    page = Tags(run["page"].read_text("utf-8"))
    for text in (
        "So it is.",
        "the first",
        "2 statements of our own are counted apart: 1 holds, 1 fails.",
        "✓ holds 1",
        "○ not tested 1",
        "Ours, which the paper does not state",
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


def test_verdicts_are_counted_by_paper_in_a_text(run):
    folder = run["ledger"].parent / "ledger"
    text = format_verdict_counts([folder / "toy.parquet", folder / "bar.parquet"])
    head, toy, bar = text.splitlines()[:3]
    assert re.split(r"\s{2,}", head) == ["statements", *STATEMENT_VERDICTS]
    assert toy.split() == ["toy", *"10000201"]
    assert bar.split() == ["bar", *"00000001"]
    assert "toy-1" not in text
    assert "chance alone would still give at most 0 `differs` a run." in text


# How rules ran --------------------------------------------------------------------------------


def test_script_and_style_are_packaged(root):
    folder = root / "workflow/noiseless/page"
    for name in ("index.html.j2", "style.css", "page.js"):
        assert Path(folder / name).is_file()
        assert f'"*{Path(name).suffix}"' in (root / "pyproject.toml").read_text()


def test_a_statement_whose_check_raised_is_an_error_on_the_page():
    """With its mark and what it raised, and counted by itself."""
    paper = toy_paper(entry(passes), entry(passes))
    provenance = Provenance("c")
    ledger = judge_toy(paper, {"toy/t": (GRID, provenance)})
    ledger.loc[0, ["verdict", "note"]] = ["error", "Its check could not be run: KeyError: lost."]
    given = {
        **dict.fromkeys(("figures", "tables", "run_times"), ()),
        "statements": paper.statements,
        "provenance": provenance,
    }
    html = render_results_page(ledger, **given)
    assert "KeyError: lost" in html
    assert "a run with one is not complete" in html
    assert "error" in Tags(html).text
    assert "a run with one is not complete" not in render_results_page(ledger.iloc[1:], **given)
