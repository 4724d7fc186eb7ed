"""The reference results: what may be published, and how a run compares with them."""

import io
import json
import re
from importlib.resources import files

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from noiseless.errors import ConfigError, DataError
from noiseless.ledger.reference import (
    ABOUT_ONE,
    CELLS,
    CHANGED,
    NOT_COMPARED,
    OTHER_DATA,
    OTHER_SETTINGS,
    SAME,
    _write_picture,
    compare_run,
    compare_with_reference,
    find_equal_rows,
    find_secret,
    format_comparison,
    format_short_verdict_table,
    format_verdict_table,
    insert_verdicts,
    load_publication_list,
    write_beyond_summary,
    write_reference,
)
from noiseless.ledger.statements import STATEMENT_COLUMNS, build_statements
from noiseless.seeds import make_generator
from noiseless.statements import bounded, select
from noiseless.statements import table as take_table
from noiseless.tables import Provenance, Source, read_table, write_table
from toy_statements import REAL, SAMPLE, entry, erratum, judge_toy, toy_paper

KEPT = """
tables:
  toy/t: {safe: made up, without: [largest]}
figures: {}
"""
MARKS = "<!-- verdicts of the reference -->\n\n<!-- end of the verdicts -->"


def homes(value=0.2, half=0.05, largest=9.0):
    rows = [
        (4, "advantage", value, value - half, value + half),
        (4, "levels", 8.0, None, None),
        (4, "largest", largest, None, None),
    ]
    return pd.DataFrame(rows, columns=["n", "statistic", "value", "low", "high"])


def is_small(cells):
    """The advantage is small."""
    return bounded(select(cells, n=4, statistic="advantage")["value"], at_most=0.3)


PAPER = toy_paper(entry(is_small, needs=("ausgrid",)))


@pytest.fixture
def run(tmp_path):
    """Make the results of a run of one table and one statement."""

    def make(table, *, source=REAL, config="c", folder="results"):
        results = tmp_path / folder
        provenance = Provenance(config, (source,))
        write_table(table, results / "tables/toy/t.parquet", provenance)
        write_table(table, results / "tables/toy/hidden.parquet", provenance)
        ledger = judge_toy(PAPER, {"toy/t": (table, provenance)})
        write_table(ledger, results / "ledger.parquet", provenance)
        return results

    return make


@pytest.fixture
def reference(tmp_path, run):
    """The reference that a run leaves."""
    folder = tmp_path / "reference"
    folder.mkdir()
    (folder / "kept.yaml").write_text(KEPT)
    for name in ("README.md", "reference.md"):
        (tmp_path / name).write_text(f"# toy\n\n{MARKS}\n\nmore\n")

    def write(results):
        verdicts = tmp_path / "verdicts.csv"
        pages = {"readme": tmp_path / "README.md", "details": tmp_path / "reference.md"}
        write_reference(results, folder, verdicts=verdicts, **pages)
        return folder

    return write


def comparison(reference, results, tmp_path):
    tables = {f"toy/{name}": read_table(results / f"tables/toy/{name}.parquet") for name in "t"}
    ledger, _ = read_table(results / "ledger.parquet")
    return compare_run(reference, ledger, tables, PAPER.statements).set_index("kind")


def test_what_is_kept_is_derived_and_listed(reference, run, tmp_path):
    folder = reference(run(homes()))
    kept = pd.read_csv(folder / "tables/toy/t.csv")
    assert kept["statistic"].tolist() == [
        "advantage",
        "levels",
    ]  # the largest home's value stays behind
    assert [path.name for path in (folder / "tables").rglob("*.csv")] == ["t.csv"]
    digests = json.loads((folder / "digests.json").read_text())
    assert set(digests) == {"toy/t", "toy/hidden"}
    assert digests["toy/hidden"]["sources"][0]["sha256"] == REAL.sha256
    verdicts = pd.read_csv(tmp_path / "verdicts.csv")
    assert tuple(verdicts) == STATEMENT_COLUMNS
    readme, details = ((tmp_path / name).read_text() for name in ("README.md", "reference.md"))
    assert "| `toy` | **1 of 1 hold** |" in readme
    assert "| `toy` | 1 | 0 | 0 | 0 | 0 | 0 | 0 |" in details
    for page in (readme, details):
        assert page.startswith("# toy\n")
        assert page.endswith("-->\n\nmore\n")


def test_cells_of_a_printed_table_are_kept_beside_the_verdicts(reference, run, tmp_path):
    results = run(homes())
    (results / "statements").mkdir()
    cells = pd.DataFrame(
        {
            "id": ["toy-table1", "toy-table1-a-b", "toy-table1-a-c"],
            "cell_of": [None, "toy-table1", "toy-table1"],
            "printed": ["[0]", "[0.22]", "[null]"],
            "found": ["[0]", "[0.22314355]", "[null]"],
            "verdict": ["reproduced", "reproduced", "differs"],
        }
    )
    write_table(cells, results / "statements/toy.parquet", Provenance("config", (REAL,)))
    reference(results)
    kept = pd.read_csv(tmp_path / CELLS, dtype=str, keep_default_na=False)
    assert kept.to_numpy().tolist() == [
        ["toy-table1", "a-b", "0.22", "0.223144", "reproduced"],
        ["toy-table1", "a-c", "", "", "differs"],
    ]


def test_what_a_killed_job_left_is_no_table(reference, run):
    results = run(homes())
    (results / "tables/toy/.t.18066.partial.parquet").write_bytes(b"half")
    digests = json.loads((reference(results) / "digests.json").read_text())
    assert set(digests) == {"toy/t", "toy/hidden"}


def test_a_run_on_samples_leaves_no_reference(reference, run):
    with pytest.raises(DataError, match="the run is on samples"):
        reference(run(homes(), source=SAMPLE))


def test_table_that_was_not_made_is_named(reference, run):
    results = run(homes())
    (results / "tables/toy/t.parquet").unlink()
    with pytest.raises(DataError, match=r"toy/t\.parquet: no such file"):
        reference(results)


def test_entry_without_a_reason_is_refused(tmp_path):
    (tmp_path / "kept.yaml").write_text("tables: {toy/t: {safe: ''}}\nfigures: {}\n")
    with pytest.raises(ConfigError, match="toy/t does not say why"):
        load_publication_list(tmp_path)


def test_page_without_marks_is_refused():
    with pytest.raises(ConfigError, match="no place for the verdicts"):
        insert_verdicts("# toy\n", "| a |")


@pytest.mark.parametrize(
    ("table", "config", "word"),
    [
        (homes(), "c", SAME),
        (homes(), "d", SAME),
        (homes(value=0.2 * (1 + 1e-8)), "c", SAME),
        (homes(value=0.24), "c", CHANGED),
        (homes(value=0.24), "d", OTHER_SETTINGS),
    ],
)
def test_a_run_beside_the_reference(reference, run, tmp_path, table, config, word):
    folder = reference(run(homes()))
    rows = comparison(folder, run(table, config=config, folder="later"), tmp_path)
    assert rows.loc["table", "comparison"] == word
    assert rows.loc["claim", "comparison"] == word
    changed = int(word != SAME)
    # The largest home's value stays behind, but where the whole table is the same.
    assert rows.loc["table", "rows_changed"] == changed
    assert rows.loc["table", "rows_same"] in (2 - changed, 3)


def test_another_verdict_has_changed(reference, run, tmp_path):
    folder = reference(run(homes(value=0.29, half=0.2)))
    rows = comparison(folder, run(homes(value=0.31, half=0.2), folder="later"), tmp_path)
    assert rows["comparison"].to_dict() == {"table": CHANGED, "claim": CHANGED}
    assert rows.loc["claim", ["verdict", "reference_verdict"]].tolist() == ["differs", "reproduced"]


def test_other_data_are_not_compared(reference, run, tmp_path):
    folder = reference(run(homes()))
    other = Source("ausgrid", "download", "cc" * 32, "registered", "all.csv")
    rows = comparison(folder, run(homes(0.9), source=other, folder="later"), tmp_path)
    assert set(rows["comparison"]) == {OTHER_DATA}


def test_table_that_is_not_kept_is_compared_by_its_digest(reference, run, tmp_path):
    folder = reference(run(homes()))
    (folder / "kept.yaml").write_text("tables: {}\nfigures: {}\n")
    rows = comparison(folder, run(homes(), folder="again"), tmp_path)
    assert rows.loc["table", "comparison"] == SAME
    rows = comparison(folder, run(homes(largest=8.0), folder="later"), tmp_path)
    assert rows["comparison"].to_dict() == {"table": NOT_COMPARED, "claim": SAME}


def test_what_changed_is_listed_by_name(reference, run, tmp_path):
    folder = reference(run(homes()))
    results = run(homes(value=0.24), folder="later")
    output = tmp_path / "compared.parquet"
    compare_with_reference(
        reference=folder,
        ledger=results / "ledger.parquet",
        tables={"toy/t": results / "tables/toy/t.parquet"},
        statements=PAPER.statements,
        comparison=output,
        code="c" * 16,
    )
    assert format_comparison(read_table(output)[0]).splitlines() == [
        "Claims beside docs/reference: 1 changed",
        "Tables beside docs/reference: 1 changed",
        "Changed: toy/t, toy-1",
    ]


def test_of_tables_without_statements_no_verdict_is_compared(reference, run, tmp_path):
    folder, results = reference(run(homes())), run(homes(value=0.24), folder="later")
    output, summary = tmp_path / "compared.parquet", tmp_path / "summary.txt"
    tables = {"toy/t": results / "tables/toy/t.parquet"}
    compare_with_reference(reference=folder, tables=tables, comparison=output, code="c" * 16)
    assert read_table(output)[0][["name", "comparison"]].to_numpy().tolist() == [
        ["toy/t", "changed"]
    ]
    write_beyond_summary(output, summary)
    assert summary.read_text().splitlines()[-1] == "Tables beside docs/reference: 1 changed"


def test_statement_on_a_table_that_is_left_out_is_not_compared(reference, run, tmp_path):
    """Though its other table is there, and the same."""
    folder = reference(run(homes()))
    paper = toy_paper(entry(is_small, needs=("ausgrid",), erratum=erratum(is_small)))
    paper.statements[0].corrections[0].over = (take_table("toy/hidden"),)
    read = {"toy/hidden": read_table(tmp_path / "results/tables/toy/hidden.parquet")}
    ledger = judge_toy(paper, read, left_out={"toy/t": "ausgrid"})
    rows = compare_run(folder, ledger, read, paper.statements).set_index("kind")
    assert rows["comparison"].to_dict() == {"table": SAME, "claim": NOT_COMPARED}


def test_of_many_that_changed_the_first_twelve_are_named():
    rows = [(f"table {number}", "table", "changed") for number in range(15)]
    many = pd.DataFrame(rows, columns=["name", "kind", "comparison"])
    (line,) = [line for line in format_comparison(many).splitlines() if line.startswith("Changed")]
    assert line.count("table") == 12
    assert line.endswith("table 11 and 3 more")


def test_first_run_of_all_has_nothing_to_compare_with(run, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/kept.yaml").write_text(KEPT)
    rows = comparison(tmp_path / "empty", run(homes()), tmp_path)
    assert set(rows["comparison"]) == {NOT_COMPARED}


def test_rows_match_by_their_keys_in_any_order():
    """Against a plain loop, on rows shuffled and partly missing."""
    rng = make_generator(1, "reference")
    keys = [(n, name) for n in range(12) for name in ("a", "b")]
    table = pd.DataFrame(keys, columns=["n", "statistic"]).assign(value=rng.normal(size=24))
    other = table.sample(frac=0.7, random_state=3)
    other = other.assign(value=other["value"] + rng.choice([0, 0.5], size=len(other)))
    reference = pd.read_csv(io.StringIO(other.to_csv(index=False)), dtype=str)
    known = {(row.n, row.statistic): row.value for row in other.itertuples()}
    expected = [
        bool(np.isclose(row.value, known[key]))
        for row in table.itertuples()
        if (key := (row.n, row.statistic)) in known
    ]
    assert find_equal_rows(table, reference).tolist() == expected
    assert {True, False} == set(expected)


def test_rows_of_printed_ranges_are_compared_by_both_ends():
    printed = pd.DataFrame({"claim": ["a", "b", "c"], "low": [0.0, 1, 2], "high": [1.0, 2, np.inf]})
    reference = printed.iloc[[2, 1, 0]].assign(high=[np.inf, 2.5, 1])
    read = pd.read_csv(io.StringIO(reference.to_csv(index=False)), dtype=str)
    assert find_equal_rows(printed, read).tolist() == [True, False, True]


# The reference of this checkout ----------------------------------------------------------------

# Before the first `make reference` there is nothing to look at; a reference is kept whole.


@pytest.fixture(scope="module")
def published(root):
    """The folder of the reference; its tests are skipped by name before there is one."""
    folder = root / "docs/reference"
    if not (folder / "digests.json").is_file():
        pytest.skip("no reference run is kept here: make reference DATA=folder")
    return folder


# Columns that name one; `homes` and `trips` are numbers of them.
PERSONAL = re.compile(r"home|person|customer|trip|meter|id|name|latitude\w*|longitude\w*|quantile")


def test_published_tables_are_those_of_the_list(published):
    folder = published
    kept = load_publication_list(folder)
    found = {
        path.relative_to(folder / "tables").with_suffix("").as_posix()
        for path in (folder / "tables").rglob("*.*")
    }
    assert found == set(kept.tables)
    pictures = {
        path.relative_to(folder / "figures").with_suffix("").as_posix()
        for path in (folder / "figures").rglob("*.*")
    }
    assert pictures == set(kept.figures)
    assert sum(path.stat().st_size for path in folder.rglob("*.*")) < 3_600_000


def test_no_row_is_about_one_person_or_home(published):
    """No column names one, no statistic is one's extreme, and tables of one home are not there."""
    folder = published
    kept = load_publication_list(folder)
    for name in kept.tables:
        table = pd.read_csv(folder / f"tables/{name}.csv")
        cells = set(table) - {"value", "low", "high", "statistic"}
        assert not [column for column in cells if PERSONAL.fullmatch(column)], name
        assert not set(table["statistic"]) & set(kept.dropped_statistics[name]), name
    data = json.loads((folder / "digests.json").read_text(encoding="utf-8"))
    homes = {name for name, entry in data.items() if "'minutes-" in str(entry["sources"])}
    assert homes
    assert not homes & set(kept.tables)


def test_ledger_readme_and_package_say_the_same(published, root):
    ledger = pd.read_csv(published / "ledger.csv", dtype=str, keep_default_na=False)
    for page, table in (
        ("README.md", format_short_verdict_table(ledger)),
        ("docs/reference.md", format_verdict_table(ledger)),
    ):
        assert table in (root / page).read_text(encoding="utf-8")
    with files("noiseless.ledger").joinpath("verdicts.csv").open(encoding="utf-8") as file:
        verdicts = pd.read_csv(file, dtype=str, keep_default_na=False)
    pd.testing.assert_frame_equal(verdicts, build_statements(ledger), check_dtype=False)


def test_published_picture_keeps_the_colours_of_its_lines(tmp_path):
    """Thin lines, dots and a legend keep their colours beside large areas of many others."""
    colours = ["#d55e00", "#009e73", "#0072b2", "#be7f00", "#c8709f", "#0d0887", "#43039e"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3), dpi=300)
    for place, colour in enumerate(colours):
        style = [":", "-.", "-"][place % 3]
        left.plot([0, 1, 2], [place, place + 1, place], style, color=colour, lw=1, label=colour)
        left.fill_between([0, 1, 2], place, place + 2, color=colour, alpha=0.2, lw=0)
    left.legend()
    right.imshow(np.add.outer(np.arange(40), np.arange(40)), cmap="cividis")
    figure.savefig(tmp_path / "figure.png")
    plt.close(figure)
    _write_picture(tmp_path / "figure.png", tmp_path / "small.png")
    with Image.open(tmp_path / "small.png") as picture:
        found = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
    lost = [each for each in colours if to_rgb_255(each) not in found]
    assert not lost


def to_rgb_255(colour):
    """Convert a colour's name to three whole numbers."""
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))


def test_what_is_about_one_home_person_or_trip_is_not_published(root):
    """The rule, not a list of names: by what a row is of, and by whose data it is."""
    nothing, one_home = (
        Provenance("c", sources=sources)
        for sources in ((), (Source("april-5", "local", "ab" * 32, "registered", "low_freq"),))
    )
    shares = pd.DataFrame({"epsilon_bits": [1.0], "value": [0.5]})
    assert find_secret(shares, nothing) == ""
    assert find_secret(shares, one_home) == "its points are about the appliances of one home"
    for column, why in ABOUT_ONE.items():
        assert find_secret(shares.assign(**{column: 1}), nothing) == why
    kept = load_publication_list(root / "docs/reference")
    assert set(kept.samples.values()) <= set(ABOUT_ONE.values())
    for name in kept.tables:
        assert not set(ABOUT_ONE) & set(pd.read_csv(root / f"docs/reference/tables/{name}.csv"))
