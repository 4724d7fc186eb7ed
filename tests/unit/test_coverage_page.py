"""What the pages say of trials on homes that were held back, and of other outsiders."""

import pandas as pd
import pytest

from noiseless.papers.beyond.settings import RECOMMENDATION
from noiseless.pipeline.configuration import defaults


@pytest.fixture
def benchmarks(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tests" / "benchmarks"))


def words_of(page):
    return " ".join(page.read_text(encoding="utf-8").split())


def test_the_tables_are_those_of_the_rows_that_were_kept(root, benchmarks):
    import page

    trials = root / "docs" / "measurements" / "trials.md"
    assert trials.read_text(encoding="utf-8") == page.trials()


def test_the_custodians_page_says_what_was_measured(root, benchmarks):
    import coverage_recommendation

    rows = pd.read_json(coverage_recommendation.KEPT, lines=True)
    assert set(rows["homes"]) == set(coverage_recommendation.SIZES)
    certain = rows[rows["certain"]]
    goal = defaults(RECOMMENDATION)["gain"]
    assert 100 * (1 + goal) / 2 == 60  # games that the adversary wins
    above = [int((certain[found] > goal).sum()) for found in ("held_back", "known")]
    said = (
        f"Of {len(rows)} recommendations, {len(certain)} were certain. On the homes held back, "
        f"the adversary named the right home in more than 60 of 100 games against {above[0]} of "
        f"these; with statistics of all other homes, against {above[1]}."
    )
    assert said in words_of(root / "docs" / "custodians.md")


def test_no_fresh_outsider_gains_more_and_the_page_says_so(root, benchmarks):
    import fresh_outsiders

    rows = pd.read_json(fresh_outsiders.KEPT, lines=True)
    assert set(rows.loc[rows["days"] == 365, "levels"]) == {8, 32, 128}
    outsiders = rows[(rows["adversary"] != "normal") & (rows["adversary"] != "set")]
    assert (outsiders["low"] <= 0).all()
    sets = rows.loc[rows["adversary"] == "set", "value"]
    said = f"gained {sets.min():.2f} to {sets.max():.2f} more"
    page = words_of(root / "docs" / "membership-game.md")
    assert said in page
    assert "None of them gained more than `normal` beyond its interval" in page
