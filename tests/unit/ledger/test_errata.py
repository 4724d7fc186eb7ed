"""What shows an erratum."""

import csv
import re
from collections import Counter

import pytest

from noiseless.errors import ConfigError
from noiseless.ledger.errata import (
    build_anchor,
    group_errata,
    select_supported_errata,
)
from toy_statements import entry, erratum, fails, passes, toy_paper


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
    """Each row of the ledger that is corrected is in one entry, and no other row is in any."""
    with (root / "docs/reference/ledger.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    page = (root / "docs/errata.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+-[\w.-]+)`", page.split("## Checks")[1])
    assert sorted(named) == sorted(row["id"] for row in rows if row["verdict"] == "corrected")


def test_an_entry_has_six_lines_and_one_place(root):
    text = (root / "docs/errata.md").read_text(encoding="utf-8").split("## Misprints and slips")[0]
    used = Counter()
    entries = re.findall(r"^### ([^\n]*)\n\n(.*?)(?=\n\n|\Z)", text, re.M | re.S)
    assert len(entries) > 40
    for heading, text in entries:
        assert build_anchor(heading, used) == build_anchor(heading, Counter()), heading
        assert len(text.splitlines()) <= 6, heading
        assert all(f"*{word}*" in text for word in ("Printed", "Found", "Mend")), heading


def test_one_cause_is_one_entry_and_a_slip_stands_apart():
    first = entry(fails, erratum=erratum(passes))
    paper = toy_paper(entry(passes), first)
    same = entry(fails, id="3", erratum=erratum(passes, same_as=paper.statements[1]))
    statements = [*paper.statements[1:], *toy_paper(same).statements]
    ledger = {each.id: {"verdict": "corrected", "kind": "fails"} for each in statements}
    [found] = group_errata(statements, ledger)
    assert [each.statement.id for each in found.rows] == ["toy-2", "toy-3"]
    assert found.lead.statement.id == "toy-2"
    ledger["toy-3"] = {"verdict": "corrected", "kind": "slip"}
    assert [each.is_in_table for each in group_errata(statements, ledger)] == [False, True]


def test_anchors_of_headings_are_those_of_git_hosts(root):
    used = Counter()
    headings = ["Section 6.3", "Equations 2, 4 and 13b (Prop. III.1)", "Section 6.3", "Section 6.3"]
    assert [build_anchor(heading, used) for heading in headings] == [
        *("section-63", "equations-2-4-and-13b-prop-iii1", "section-63-1", "section-63-2")
    ]
