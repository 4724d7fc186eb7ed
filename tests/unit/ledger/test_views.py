"""One view of a statement, from the rows of the reference ledger."""

import pandas as pd
import pytest

from noiseless.ledger.statements import build_statements
from noiseless.ledger.views import build_views


@pytest.fixture(scope="module")
def ledger(root):
    return pd.read_csv(root / "docs/reference/ledger.csv", dtype=str, keep_default_na=False)


def test_a_view_has_the_verdict_of_its_statement_and_every_row(ledger):
    views = {each.name: each for each in build_views(ledger)}
    judged = build_statements(ledger).set_index("statement")
    assert list(views) == list(judged.index)
    for name, view in views.items():
        assert view.verdict == judged.loc[name, "verdict"]
        assert [each.id for each in view.outcomes] == [
            *ledger.loc[ledger["statement"] == name, "id"]
        ]


def test_what_stands_in_is_apart(ledger):
    [view] = [each for each in build_views(ledger) if each.name == "noiseless-fig3-exact"]
    assert view.verdict == "not tested"
    assert view.set_verdicts["london"] == "holds"
    assert all(each.is_stand_in and each.found for each in view.stand_ins)
    assert not any(each.is_stand_in for each in view.own_outcomes)
