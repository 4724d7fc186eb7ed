"""What the custodian's page says of trials on homes that were held back."""

import pandas as pd
import pytest


@pytest.fixture
def coverage(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tests" / "benchmarks"))
    import coverage_recommendation

    return coverage_recommendation


def test_the_page_says_what_was_measured(root, coverage):
    page = (root / "docs" / "custodians.md").read_text(encoding="utf-8")
    rows = pd.read_json(coverage.KEPT, lines=True)
    assert set(rows["homes"]) == set(coverage.SIZES)
    words = " ".join(page.split())
    for line in filter(None, coverage.report(rows, 0.2).splitlines()):
        assert " ".join(line.split()) in words


def test_no_fresh_outsider_gains_more_and_the_page_says_so(root, coverage):
    import fresh_outsiders

    page = (root / "docs" / "membership-game.md").read_text(encoding="utf-8")
    rows = pd.read_json(fresh_outsiders.KEPT, lines=True)
    assert set(rows.loc[rows["days"] == 365, "levels"]) == {8, 32, 128}
    for line in filter(None, fresh_outsiders.report(rows).splitlines()):
        assert line in page
    outsiders = rows[(rows["adversary"] != "normal") & (rows["adversary"] != "set")]
    assert (outsiders["low"] <= 0).all()
