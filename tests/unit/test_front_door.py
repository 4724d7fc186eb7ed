"""The front door: README and the papers' pages answer what a reader asks, in two clicks."""

import os
import re
import runpy
from pathlib import Path

import pytest
import yaml

from noiseless.errors import ConfigError
from noiseless.ledger.reference import load_publication_list
from noiseless.statements.words import COUNTED, SENTENCES

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ("noiseless", "nsht", "deterministic", "prrelation", "knowledge")
SAMPLES = ROOT / "docs/papers/samples"
PRINTED = ("correlation", "mse", "peaks")  # the adversaries of the paper, and of the picture


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(ROOT / "workflow/schemas/write_papers.py"))


@pytest.fixture(scope="module")
def ledger(script):
    path = ROOT / "docs/reference/ledger.csv"
    return script["pd"].read_csv(path, dtype=str, keep_default_na=False)


@pytest.fixture(scope="module")
def site():
    return runpy.run_path(str(Path(__file__).with_name("test_site.py")))


def test_pages_of_the_papers_are_up_to_date(script):
    """`make docs` writes them."""
    pages = script["render_pages"]()
    assert set(pages) == set(PAPERS)
    for name, text in pages.items():
        assert text == (ROOT / f"docs/papers/{name}.md").read_text(encoding="utf-8"), name


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_of_a_paper_is_there_or_is_named_as_a_drawing(paper):
    """In the paper's order, each with a picture."""
    text = (ROOT / f"docs/papers/{paper}.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### Figure (\d+)\n(.*?)(?=^##)", text, re.M | re.S)
    drawn = [int(number) for number, _ in sections]
    summary = yaml.safe_load(
        (ROOT / f"workflow/noiseless/papers/{paper}/summary.yaml").read_text(encoding="utf-8")
    )
    assert drawn == sorted(summary["figures"])
    drawings = {int(each) for each in re.findall(r"\b\d+", summary["drawings"].split(" are ")[0])}
    assert sorted(drawings | set(drawn)) == list(range(1, max(drawings | set(drawn)) + 1))
    for number, section in sections:
        assert re.search(r"^!\[|^In the picture of ", section, re.M), number


@pytest.mark.parametrize("paper", PAPERS)
def test_every_statement_of_a_paper_stands_once_on_its_page(script, ledger, paper):
    """In a table of statements, above a table of sets, or as a printed table."""
    text = (ROOT / f"docs/papers/{paper}.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| \*[^*|]+\*: .*\|$", text, re.M)
    quotes = re.findall(r"^- \*\*[A-Z]\*\* (?!Ours)", text, re.M)
    tables = re.findall(r"^## Table ", text, re.M)
    page = script["PaperPage"](paper, ledger)
    assert len(lines) + len(quotes) + len(tables) == len(page.views)


@pytest.mark.parametrize("name", ["errata", "theorems", *(f"papers/{each}" for each in PAPERS)])
def test_tables_of_words_have_two_columns_as_a_telephone_has_room_for(name):
    """A printed table, whose cells are numbers, may have more."""
    text = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    widths = {
        head: rule.count("---")
        for head, rule in re.findall(r"^(\|.*\|)\n(\| ---.*\|)$", text, re.M)
        if not head.startswith("| β")  # Table 1
    }
    assert widths
    assert set(widths.values()) == {2}, widths


@pytest.mark.parametrize("paper", PAPERS)
def test_words_number_and_verdict_on_a_page_come_from_one_finding(script, ledger, paper):
    """Another finding of one statement changes its line, and no other one."""
    page = script["PaperPage"](paper, ledger)
    view = next(each for each in page.views if each.verdict == "holds" and each.own_outcomes)
    name = view.own_outcomes[0].id
    other = ledger.copy()
    found = {"verdict": "differs", "found": "7 of 9 cases fail", "low": "7", "high": "7"}
    other.loc[other["id"] == name, list(found)] = list(found.values())
    before, after = (
        set(script["PaperPage"](paper, each).render().splitlines()) for each in (ledger, other)
    )
    [line] = [each for each in after - before if not each.startswith("Of ")]
    assert view.where in line
    assert "**fails**" in line
    assert "7 of 9 cases fail" in line
    assert len(before - after) == 2  # the line, and the sentence that counts


def test_a_matrix_of_sets_begins_with_the_papers_own_data_and_leaves_no_set_out(script, ledger):
    """As on a machine that has Ausgrid's year; a set without words is an error."""
    other = ledger.copy()
    own = other["id"] == "noiseless-fig3-n4-eps2"
    found = {"verdict": "differs", "found": "off", "low": "0.25", "high": "0.75"}
    other.loc[own, list(found)] = list(found.values())
    page = script["PaperPage"]("noiseless", other)
    text = page.render()
    assert "The sets of data are *ausgrid*: the paper's 300 homes; *london*: London, " in text
    assert re.search(
        r"^\| n = 4, ε = 2 \[code\]\(\S+\) \| ausgrid: \*\*no\*\*\s0\.25\sto\s0\.75<br>london: ",
        text,
        re.M,
    )
    del page.facts["sets"]["swiss"]
    with pytest.raises(ConfigError, match="no words for `swiss`"):
        page.render()


def test_placeholders_that_name_nothing_are_refused(script, ledger):
    page = script["PaperPage"]("noiseless", ledger)
    for text in (
        "{thm9.low}",
        "{fig3-n4-eps2.low:.2f}",
        "{$config.none}",
        "{@noiseless/trips_unique x}",
    ):
        with pytest.raises(ConfigError, match="names nothing"):
            page.prose.fill(text)
    assert page.prose.fill("{#fails} of {#statements}") == (
        f"{sum(each.verdict == 'fails' for each in page.views)} of {len(page.views)}"
    )


def test_results_in_the_words_of_pages_are_placeholders():
    """A number of a result that is typed by hand is one that nobody updates."""
    for paper in PAPERS:
        path = ROOT / f"workflow/noiseless/papers/{paper}/summary.yaml"
        facts = yaml.safe_load(path.read_text(encoding="utf-8"))
        for text in [facts["number"], facts["wrong"], *facts.get("ours", {}).values()]:
            plain = re.sub(r"\{[^}]*\}", "", text)
            assert not re.findall(r"(?<!Section )(?<![\w.^])\d+\.\d+", plain), (paper, text)


def test_samples_are_small_and_are_those_that_may_not_be_published():
    image = pytest.importorskip("PIL.Image")
    kept = load_publication_list(ROOT / "docs/reference").figures
    text = (ROOT / "docs/reference/kept.yaml").read_text(encoding="utf-8")
    samples = yaml.safe_load(text)["samples"]
    assert all(samples.values())
    assert not set(samples) & set(kept)
    found = {path.relative_to(SAMPLES).with_suffix("").as_posix() for path in SAMPLES.rglob("*.*")}
    assert found == set(samples)
    for name in samples:
        path = SAMPLES / f"{name}.png"
        assert path.stat().st_size < 150_000
        with image.open(path) as picture:
            assert picture.width <= 900


def test_readme_leads_to_a_paper_with_a_picture_first(site):
    first, _ = site["links_in"]((ROOT / "README.md").read_text(encoding="utf-8"))[0]
    assert first == "docs/papers/noiseless.md"
    assert "](../reference/figures/" in (ROOT / first).read_text(encoding="utf-8")


# What a reader asks: the page with the answer, the heading that a link names, and the answer.
TASKS = {
    "what did Figure 3 come to, and in which reading?": (
        *("docs/papers/noiseless.md", "figure-3"),
        r"^\| n = 4, ε = 2, range of the main fuse .*\| london: open\s0\.\d\d\sto\s0\.\d\d<br>",
    ),
    "which homes are these?": (
        *("docs/papers/noiseless.md", "set-up"),
        r"^\| \*\*homes \(Fig\. 3\)\*\*: 300 homes of Ausgrid.*\| 490 homes in London, 2013; ",
    ),
    "which line of code decides Theorem 6?": (
        *("docs/papers/noiseless.md", "statements"),
        r"^\| \*Theorem 6\*: .*\[code\]\(\.\./\.\./workflow/noiseless/[\w/]+\.py#L\d+\) \|$",
    ),
    "what is to mend in Theorem 4?": (
        *("docs/errata.md", "nsht-theorem-4-with-equation-9-theorem-4"),
        r"^\*Mend\*: ",
    ),
    "does Table 1 hold?": ("docs/papers/prrelation.md", "table-1", r"\*\*48 of 48 cells agree\*\*"),
    "what is an advantage?": ("docs/glossary.md", "", r"^- \*\*Advantage\*\*: 2 P\(correct\) - 1 "),
    "how do I play the game on my homes?": (
        *("docs/your-data.md", "homes"),
        r"^found = play_membership_game\(readings_wh, ",
    ),
    "and with my mechanism?": (
        *("docs/plugins.md", "a-mechanism-that-acts-on-each-home"),
        r"^class \w+\(.*\):$",
    ),
    "how is a verdict decided?": (
        *("docs/reference.md", "what-is-counted"),
        r"^- `reproduced`: the run agrees",
    ),
    "where do I report a wrong verdict?": (
        *(".github/ISSUE_TEMPLATE/wrong-verdict.yml", ""),
        r"^name: A verdict is wrong$",
    ),
    "is Figure 6 of noiseless reproduced?": (
        *("docs/papers/noiseless.md", "figure-6"),
        r"^\| \*Fig\. 6\*: .*holds, 0 to 0\.\d+ ",
    ),
    "why is Figure 5 of nsht a sample?": (
        *("docs/papers/nsht.md", "figure-5"),
        r"not published: .*one person",
    ),
    "what does Theorem 7 say here?": (
        *("docs/papers/noiseless.md", "statements"),
        r"^\| \*Theorem 7\*: .*budget\. \| holds: no exception in [\d,]+ cases",
    ),
    "what holds in the place of Theorem 8?": (
        *("docs/errata.md", "noiseless-theorem-8"),
        r"^\*Mend\*: .*q",
    ),
    "what does 'not tested' mean?": ("docs/reference.md", "what-is-counted", r"\*not tested\*"),
    "run it for n = 3": (
        *("docs/running.md", "change-one-parameter"),
        r"membership: \{n: \[3\](?s:.*)^make smoke CONFIG=three\.yaml",
    ),
    "which keys are there?": ("config/README.md", "", r"every key, with its value"),
    "add an adversary": ("docs/plugins.md", "", r"^## An adversary"),
    "what can I do when a run was killed?": ("docs/troubleshooting.md", "", r"^make unlock$"),
    "where do I get Ausgrid's homes?": ("data/README.md", "", r"solar_home_2012-2013\.csv"),
    "what is a stand-in?": ("docs/glossary.md", "", r"\*\*Stand-in\*\*"),
    "which epsilon should I take?": ("docs/choosing-epsilon.md", "", r"choose_epsilon"),
    "how do I cite a paper?": ("CITATION.cff", "", r"doi: "),
}


@pytest.fixture(scope="module")
def reached(site) -> set[tuple[Path, str]]:
    """Files and headings that two clicks lead to from README."""
    found: set[tuple[Path, str]] = set()
    waiting = {ROOT / "README.md"}
    for _ in range(2):
        targets = set()
        for page in waiting:
            for target, anchor in site["links_in"](page.read_text(encoding="utf-8")):
                there = Path(os.path.normpath(page.parent / target)) if target else page
                targets.add((there, anchor))
        found |= targets
        waiting = {there for there, _ in targets if there.suffix == ".md"}
    return found


@pytest.mark.parametrize("task", TASKS)
def test_task_is_answered_within_two_clicks_from_readme(task, reached, script):
    name, heading, answer = TASKS[task]
    page = ROOT / name
    text = page.read_text(encoding="utf-8")
    if heading:
        assert (page, heading) in reached
        text = dict(script["list_anchors"](text))[heading]
    else:
        assert page in {there for there, _ in reached}
    assert re.search(answer, text, re.M)


def test_numbers_in_readme_are_those_of_the_reference_results():
    """What is said of the first picture, against the table that it is drawn from."""
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(ROOT / "docs/reference/tables/noiseless/membership_london.csv")
    advantage = table[(table["statistic"] == "advantage") & table["adversary"].isin(PRINTED)]
    value = advantage.set_index(["adversary", "n", "epsilon_bits"])["value"].unstack()
    at = value.xs(4, level="n")[2.0]
    assert f"at n = 4 and ε = 2 almost zero; here it is {at.min():.2f} to {at.max():.2f}." in text
    large = value.loc[value.index.get_level_values("n") >= 4, [e for e in value if e >= 3]]
    change = (large.max(axis=1) - large.min(axis=1)).max()
    assert "From n = 4 and ε = 3 on, a larger budget changes an advantage by at most 0.05" in text
    assert change <= 0.05
    for _, one in large.groupby(level="adversary"):
        assert (one.max(axis=1).diff().dropna() < 0.005).all()  # by more homes, lower or the same
    most = large.xs(128, level="n").to_numpy().max()
    assert f"more homes lower it, to at most {most:.2f} at n = 128." in text
    ledger = pandas.read_csv(ROOT / "docs/reference/ledger.csv", dtype=str, keep_default_na=False)
    assert "490 homes in London, which stand in for the paper's" in text
    assert (ledger["dataset"] == "london").any()


def test_the_table_of_verdicts_counts_each_statement_once_by_its_word():
    pandas = pytest.importorskip("pandas")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    verdicts = pandas.read_csv(ROOT / "workflow/noiseless/ledger/verdicts.csv", dtype=str)
    own = verdicts[verdicts["category"] == "paper"]
    rows = re.findall(
        r"^\| \[.*\]\(docs/papers/(\w+)\.md\) \| \*\*(\d+) of (\d+) hold\*\*, (.*) \|$",
        text,
        re.M,
    )
    assert tuple(paper for paper, *_ in rows) == PAPERS  # in the order for a reader
    for paper, hold, statements, others in rows:
        counts = {COUNTED[0]: int(hold)}
        for each in others.split(", "):
            number, column = each.split(" ", 1)
            counts[column] = int(number)
        here = own[own["paper"] == paper]["verdict"].value_counts()
        assert int(statements) == sum(counts.values()) == here.sum()
        for column in COUNTED:
            words = [each.word for each in SENTENCES.values() if each.counted == column]
            found = here.reindex(words, fill_value=0).sum()
            assert counts.get(column, 0) == found, (paper, column)
