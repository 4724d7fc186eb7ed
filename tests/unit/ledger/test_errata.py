"""What shows an erratum."""

import csv
import re
from collections import Counter

import pytest

from noiseless.errors import ConfigError
from noiseless.ledger.claims import load_claims
from noiseless.ledger.errata import (
    ErratumEvidence,
    RowSelection,
    build_anchor,
    build_evidence,
    select_errata,
    select_supported_errata,
)
from toy_claims import FAILS, PASSES, claims_file, entry, erratum


def test_evidence_is_what_both_checks_look_at(tmp_path):
    many = "{where: {n: [1, 2, 3, 4, 5.5]}, reduce: all, at_most: 9}"
    entries = "{by: eps, equals: {1: 0.1, 2: 0.2}, where: {n: 4}, tolerance: {absolute: 0, why: w}}"
    claims = load_claims(
        claims_file(
            tmp_path,
            entry(PASSES),
            entry(FAILS, id="toy-2", erratum=erratum(PASSES)),
            entry(FAILS, id="toy-3", needs=["ausgrid"], erratum=erratum(many)),
            entry(entries, id="toy-4", erratum=erratum("{table: toy/u, at_most: 1}")),
        )
    )
    wrong = select_errata(claims)
    assert [claim.id for claim in wrong] == ["toy-2", "toy-3", "toy-4"]
    same, other, listed = map(build_evidence, wrong)
    rows = RowSelection("results/tables/toy/t", (("n", ("4",)), ("eps", ("2",))))
    command = ".venv/bin/snakemake --cores 2 --configfile config/{}.yaml -- {}.parquet"
    # The correction is about the same rows.
    assert same == ErratumEvidence(command.format("smoke", rows.table), (), rows, None)
    assert other.command == command.format("config", rows.table)
    assert other.needs == ("ausgrid",)
    assert other.correction == RowSelection(rows.table, (("n", ("1", "2", "...", "5.5")),))
    assert listed.rows.selected == (("n", ("4",)), ("eps", ("1", "2")))
    assert listed.correction == RowSelection("results/tables/toy/u", ())


def test_an_erratum_that_the_ledger_does_not_support_is_left_out(tmp_path):
    wrong = erratum(PASSES)
    claims = load_claims(
        claims_file(
            tmp_path,
            entry(FAILS, erratum=wrong),
            entry(FAILS, id="toy-2", erratum=wrong),
            entry(FAILS, id="toy-3", erratum={**wrong, "same_as": "toy-2"}),
            entry(FAILS, id="toy-4", erratum=wrong),
            entry(PASSES, id="toy-5"),
        )
    )
    found = dict.fromkeys(("toy-2", "toy-3", "toy-5"), "corrected") | {"toy-1": "inconclusive"}
    assert [claim.id for claim in select_supported_errata(claims, found)] == ["toy-2", "toy-3"]
    with pytest.raises(ConfigError, match="`toy-3` stands under that of `toy-2`, whose verdict"):
        select_supported_errata(claims, {**found, "toy-2": "differs"})


def test_published_errata_are_those_that_the_reference_supports(root):
    with (root / "docs/reference/ledger.csv").open(encoding="utf-8", newline="") as file:
        verdicts = {row["id"]: row["verdict"] for row in csv.DictReader(file)}
    page = (root / "docs/errata.md").read_text(encoding="utf-8")
    published = {part.split("`")[0] for part in page.split("Ledger: `")[1:]}
    assert published
    assert {name for name in published if verdicts.get(name) != "corrected"} == set()


def test_anchors_of_headings_are_those_of_git_hosts(root):
    used = Counter()
    headings = ["Section 6.3", "Equations 2, 4 and 13b (Prop. III.1)", "Section 6.3", "Section 6.3"]
    assert [build_anchor(heading, used) for heading in headings] == [
        *("section-63", "equations-2-4-and-13b-prop-iii1", "section-63-1", "section-63-2")
    ]


def test_page_lists_each_entry_once(root):
    text = (root / "docs/errata.md").read_text(encoding="utf-8")
    listed = text.split("## All entries")[1].split("\n## ")[0]
    links = re.findall(r"^- \[.*?\]\(#([\w-]+)\)", listed, re.M)
    used = Counter()
    headings = [line[4:] for line in text.splitlines() if line.startswith("### ")]
    assert links == [build_anchor(heading, used) for heading in headings]
