"""The whole workflow on sampled data: what it makes, that it is repeatable, and how it fails."""

import csv
import json
import re
import runpy
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from fingerprints import __main__ as fingerprints
from legend_colours import list_legend_colours, list_lost_colours
from noiseless.data.samples.young_people import write_young_people
from noiseless.ledger.reference import _write_picture
from noiseless.pipeline.sections import list_papers
from noiseless.statements.registry import load_statements
from noiseless.tables import read_table

CLAIMS = Path(__file__).parents[2] / "workflow/noiseless/papers"
# What holds of any people and homes, made-up ones as well: proofs and sums, and statements of ours.
ANY_DATA = {
    "noiseless-sec5c-budget",
    "noiseless-sec5a-budget",
    "nsht-overlay-attains",
    "nsht-policies-accuracy",
    "nsht-least-change",
    "nsht-composition-collapse",
    "nsht-composition-others",
    "nsht-several-attains",
}
COLUMNS = [
    *("id", "paper", "category", "statement", "locator", "reading", "quote", "claim", "expected"),
    *("observed", "tolerance", "verdict", "kind", "because", "data", "stands_in"),
    *("tier", "dataset", "chance"),
    *("noticed", "note", "label", "data_set", "found", "low", "high", "cases", "failed"),
    *("interval", "example", "check"),
]

# The range of each number that has an interval in some table.
RANGES = {
    **dict.fromkeys(("advantage", "advantage_over_homes", "gain", "gain_over_homes"), (-1, 1)),
    **dict.fromkeys(("gain_losses", "gain_metrics"), (-1, 1)),
    **dict.fromkeys(("gain_above_half_losses", "gain_above_half_metrics"), (-1, 1)),
    **dict.fromkeys(("closed_form", "closed_form_over_homes", "won_share", "coverage"), (0, 1)),
    **dict.fromkeys(("f_score", "f_score_losses", "f_score_metrics", "precision"), (0, 1)),
    **dict.fromkeys(("recall", "portion_unique", "accuracy", "posterior"), (0, 1)),
    **dict.fromkeys(("true_positives", "true_positives_rare"), (0, 1)),
    **dict.fromkeys(("behind_exact", "gain_of_knowing"), (-2, 2)),
    **dict.fromkeys(("lead_on_papers", "lead_on_pair"), (-2, 2)),
    **dict.fromkeys(("precision_minus_formula", "recall_minus_formula"), (-1, 1)),
    "f_score_minus_formula": (-1, 1),
}
# Counts of queries, losses in nats, and ratios.
WITHOUT_RANGE = {
    *("median", "answers", "more_than_bayesian", "factor", "slope_ratio", "loss"),
    *("share_kept_losses", "share_kept_metrics"),
}


def local_survey(path) -> dict:
    """Configuration that takes the survey from a path."""
    return {"data": {"young_people": {"tier": "local", "path": path}}}


def test_smoke_run_ends_in_a_ledger_and_figures(smoke_run):
    results = smoke_run.path / "results"
    ledger = pd.read_parquet(results / "ledger.parquet")
    assert list(ledger.columns) == COLUMNS
    with (results / "ledger.csv").open(newline="") as file:
        assert next(csv.reader(file)) == COLUMNS
    figures = {path.name for path in (results / "figures" / "nsht").iterdir()}
    assert {"fig4.png", "fig4.pdf", "fig5.png", "fig8.pdf"} <= figures
    page = (results / "index.html").read_text(encoding="utf-8")
    for claim in ledger["id"]:
        assert claim in page


def test_tables_hold_the_numbers_that_they_held_before(smoke_run):
    """A change of a number is a change of tests/fingerprints/smoke.json, with its reason."""
    changes = fingerprints.differences(smoke_run.path / "results", fingerprints.SMOKE)
    assert [each for each in changes if not each.startswith("tables/beyond/")] == []


def test_the_page_of_tables_has_the_columns_and_statistics_of_every_table(smoke_run, root):
    """`make docs` writes docs/tables.md from a run; beyond's are compared with docs/reference."""
    module = runpy.run_path(str(root / "workflow/schemas/write_tables.py"))
    tables = module["read_tables"]([smoke_run.path / "results"])
    assert len(tables) > 50
    page = (root / "docs/tables.md").read_text(encoding="utf-8")
    for (paper, name), (columns, statistics) in tables.items():
        section = page.split(f"\n## {paper}\n")[1].split("\n## ")[0].splitlines()
        assert module["render_row"](name, columns, statistics) in section
    listed = {
        (paper, name)
        for paper in {paper for paper, _ in tables}
        for name in re.findall(
            r"^\| `(.*?)`", page.split(f"\n## {paper}\n")[1].split("\n## ")[0], re.MULTILINE
        )
    }
    assert listed == set(tables)


def test_every_interval_stays_within_the_range_of_its_number(smoke_run):
    """Every number with an interval, of every table; those of no range are named, too."""
    beyond, unknown = [], set()
    for path in sorted((smoke_run.path / "results/tables").rglob("*.parquet")):
        table = pd.read_parquet(path)
        if not {"low", "value", "statistic"} <= set(table.columns):
            continue
        for statistic, rows in table[table["low"].notna()].groupby("statistic"):
            if statistic in WITHOUT_RANGE:
                continue
            if statistic not in RANGES:
                unknown.add(statistic)
                continue
            least, most = RANGES[statistic]
            ends = rows[["value", "low", "high"]]
            if ends.lt(least).any(axis=None) or ends.gt(most).any(axis=None):
                beyond.append((path.stem, statistic, ends.min().min(), ends.max().max()))
    assert not beyond
    assert not unknown


def test_no_claim_on_real_data_gets_a_verdict_from_a_sample(smoke_run):
    ledger = pd.read_parquet(smoke_run.path / "results" / "ledger.parquet")
    sampled = ledger[ledger["tier"].str.contains("sample")]
    needs = {each.id for each in load_statements(list_papers()) if each.needs}
    assert needs >= set(ledger.loc[ledger["tier"] == "sample", "id"]) - ANY_DATA
    assert len(needs & set(sampled["id"])) >= 40
    assert (sampled.loc[sampled["id"].isin(needs), "verdict"] == "not tested").all()


def test_a_claim_differs_in_one_reading_of_several_alone(smoke_run):
    """Where the text allows another reading, that one is reproduced."""
    ledger = pd.read_parquet(smoke_run.path / "results" / "ledger.parquet")
    reproduced = ledger[(ledger["verdict"] == "reproduced") & (ledger["reading"] != "-")]
    elsewhere = set(zip(reproduced["paper"], reproduced["locator"], strict=True))
    differs = ledger[ledger["verdict"] == "differs"]
    assert set(zip(differs["paper"], differs["locator"], strict=True)) <= elsewhere


def test_tables_carry_tier_and_digests_but_no_path_or_time(smoke_run):
    path = smoke_run.path / "results/tables/nsht/blurring_people.parquet"
    _, provenance = read_table(path)
    assert provenance.tier == "sample"
    assert provenance.dataset == "young_people"
    metadata = json.loads(pq.read_schema(path).metadata[b"noiseless"])
    names = ["config", "contents", "name", "packages", "settings", "sources", "version"]
    assert sorted(metadata) == names
    assert str(smoke_run.path) not in json.dumps(metadata)


def test_every_rule_leaves_a_log_and_what_it_took(smoke_run):
    logs = [*(smoke_run.path / "logs").rglob("*.log")]
    names = {path.stem for path in logs}
    assert {"write_ledger", "nsht_survey", "prepare_young_people"} <= names
    for path in logs:
        took = pd.read_csv(path.with_suffix(".tsv"), sep="\t")
        assert ((took > 0) & (took < 10_000)).all(axis=None), path
    assert "done" in (smoke_run.path / "logs/results/nsht_survey.log").read_text()


def made(plan: str, rule: str) -> set[str]:
    """What the jobs of a rule make, by a dry run."""
    found = re.findall(rf"rule {rule}:\n(?: +input: .*\n)? +output: (.*)\n", plan)
    return set(", ".join(found).split(", "))


def test_twin_that_is_deleted_comes_back_and_an_edited_one_is_refused(smoked):
    tables = smoked.path / "results/tables/deterministic"
    deleted, edited = tables / "k_anonymity.csv", tables / "k_anonymity_homogeneity.csv"
    before = {path: path.read_bytes() for path in (deleted, edited)}
    edited.write_bytes(before[edited].replace(b"0", b"1", 1))
    output = smoked.smoke(succeeds=False)
    assert "k_anonymity_homogeneity.csv: not what the workflow wrote" in output
    deleted.unlink()
    edited.unlink()
    smoked.smoke()
    assert {path: path.read_bytes() for path in before} == before


def test_second_run_does_nothing_in_whatever_order_the_rules_are_read(smoked):
    snakefile = smoked.path / "Snakefile"
    lines = snakefile.read_text()
    included = re.findall(r'include: "workflow/rules/(?!common|data|page)\w+.smk"\n', lines)
    assert len(included) == 2
    assert "".join(included) in lines
    lines = lines.replace("".join(included), "".join(reversed(included)))
    assert "for paper in PAPERS:" in lines
    snakefile.write_text(lines.replace("for paper in PAPERS:", "for paper in PAPERS[::-1]:"))
    assert "Nothing to be done" in smoked.smoke()


def test_a_change_runs_what_it_touches(smoked):
    module = smoked.path / "workflow/noiseless/papers/nsht/leakage.py"
    module.write_text(module.read_text() + "\n# A change.\n")
    plan = smoked.smoke("--dry-run", "--quiet", "host")
    for rule in ("nsht_theory", "nsht_survey", "nsht_figures", "write_ledger", "write_page"):
        assert f"rule {rule}:" in plan
    judged = made(plan, "judge_statements")
    assert judged == {"results/statements/nsht.parquet", "results/ledger/nsht.parquet"}
    for rule in ("prepare_young_people", "prrelation_theory", "deterministic_figures"):
        assert f"rule {rule}:" not in plan


def test_change_of_the_page_judges_nothing_and_one_of_the_judge_everything(smoked):
    style = smoked.path / "workflow/noiseless/page/style.css"
    style.write_text(style.read_text() + "\n/* A change. */\n")
    plan = smoked.smoke("--dry-run", "--quiet", "host")
    assert "rule write_page:" in plan
    assert "rule judge_" not in plan
    assert "rule write_ledger:" not in plan
    judge = smoked.path / "workflow/noiseless/ledger/rows.py"
    judge.write_text(judge.read_text() + "\n# A change.\n")
    plan = smoked.smoke("--dry-run", "--quiet", "host")
    papers = ("nsht", "noiseless", "deterministic", "prrelation", "knowledge")
    judged = made(plan, "judge_statements")
    assert {f"results/ledger/{paper}.parquet" for paper in papers} <= judged
    assert "rule check_paper:" not in plan
    assert "rule nsht_theory:" not in plan


def test_the_target_of_a_paper_and_the_catalogues_entry_point_run(fresh):
    output = fresh.run(
        *("snakemake", "-s", "workflow/Snakefile", "--cores", "2", "nsht", "--dry-run"),
        *("--configfile", "config/smoke.yaml", "--quiet", "host"),
    )
    assert "results/figures/nsht/fig5.png" in made(output, "nsht_figures")
    assert "results/ledger/nsht.parquet" in made(output, "judge_statements")
    assert "rule write_ledger:" not in output
    assert "rule write_page:" not in output


def test_what_was_read_of_each_file_of_trips_adds_up(smoke_run):
    tables = smoke_run.path / "results/tables/noiseless"
    table, provenance = read_table(tables / "trips_taken.parquet")
    taken = table.pivot(index="file", columns="statistic", values="value")
    assert len(taken) == len(provenance.sources) == 2
    reasons = taken.drop(columns=["rows", "bytes"])
    assert (reasons.sum(axis=1) == taken["rows"]).all()


def test_unknown_key_stops_before_anything_runs(fresh):
    wrong = {"knowledge": {"composition": {"dimension": 9}}}
    output = fresh.smoke(config=wrong, succeeds=False)
    assert "unknown key `knowledge.composition.dimension`. Did you mean `dimensions`?" in output
    assert "Traceback" not in output
    assert not (fresh.path / "data/raw").exists()


def test_spoiled_data_file_is_one_readable_error_and_leaves_nothing(fresh):
    path = fresh.path / "my own responses.csv"
    write_young_people(path, rows=80, seed=3)
    path.write_text(path.read_text().replace('"Height"', '"Heihgt"'))
    output = fresh.smoke(
        target="data/prepared/young_people.parquet", config=local_survey(path.name), succeeds=False
    )
    message = "responses.csv: column 'Height' is missing. Did you mean 'Heihgt'?"
    lines = output.splitlines()
    [at] = (k for k, line in enumerate(lines) if line.startswith("error: my own "))
    told, rule, again = lines[at : at + 3]
    assert output.count(message) == told.count(message) == 1
    assert rule == "  Log: logs/prepare_young_people.log."
    assert again == "Then run the same command again; what is done stays."
    assert "Traceback" not in output
    log = (fresh.path / "logs/prepare_young_people.log").read_text()
    assert "column 'Height' is missing" in log
    assert not list((fresh.path / "data").rglob("*.parquet"))
    assert not list((fresh.path / "data").rglob(".*"))


def test_small_run_agrees_with_the_reference(smoke_run, root):
    """What rests on no data, or on the same, made with the same settings, is the same."""
    if not (root / "docs/reference/digests.json").is_file():
        pytest.skip("no reference run is kept here: make reference DATA=folder")
    compared = pd.read_csv(smoke_run.path / "results/compared_with_reference.csv")
    tables = compared[(compared["kind"] == "table") & (compared["comparison"] != "other data")]
    assert tables["rows_same"].sum() > 3_000
    changed = compared[compared["comparison"] == "changed"]
    assert changed.empty, changed[["kind", "name", "rows", "rows_changed"]].to_string()


def test_published_pictures_keep_the_colours_of_their_legends(smoke_run, root, tmp_path):
    """Each reduced as it is published, against the unreduced picture of the run."""
    published = (root / "docs/reference/figures").glob("*/*.png")
    names = [path.relative_to(root / "docs/reference/figures") for path in published]
    run = smoke_run.path / "results/figures"
    there = [name for name in names if (run / name).is_file()]
    assert len(there) >= 12
    lost = {}
    for name in there:
        colours = list_legend_colours(run / name.with_suffix(".pdf"), run / name)
        _write_picture(run / name, tmp_path / "small.png")
        lost[name] = list_lost_colours(colours, tmp_path / "small.png")
    assert {name: each for name, each in lost.items() if each} == {}
