"""What shows an erratum."""

import csv
import re
from collections import Counter

import pytest

from noiseless.errors import ConfigError
from noiseless.ledger.errata import (
    build_anchor,
    build_evidence,
    select_errata,
    select_supported_errata,
)
from toy_statements import entry, erratum, fails, passes, toy_paper


def test_evidence_on_real_data_says_so():
    given = entry(fails, needs=("ausgrid",), erratum=erratum(passes))
    [wrong] = select_errata(toy_paper(entry(passes), given).statements)
    found = build_evidence(wrong)
    assert (wrong.id, found.needs) == ("toy-2", ("ausgrid",))
    assert "--configfile config/config.yaml " in found.command


def test_an_erratum_that_the_ledger_does_not_support_is_left_out():
    paper = toy_paper(*[entry(fails, erratum=erratum(passes))] * 2)
    same = erratum(passes, same_as=paper.statements[1])
    more = toy_paper(entry(fails, id="3", erratum=same), entry(passes, id="5"))
    statements = [*paper.statements, *more.statements]
    found = dict.fromkeys(("toy-2", "toy-3", "toy-5"), "corrected") | {"toy-1": "inconclusive"}
    assert [each.id for each in select_supported_errata(statements, found)] == ["toy-2", "toy-3"]
    with pytest.raises(ConfigError, match="`toy-3` stands under that of `toy-2`, whose verdict"):
        select_supported_errata(statements, {**found, "toy-2": "differs"})


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
