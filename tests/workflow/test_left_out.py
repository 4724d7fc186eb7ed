"""A run that leaves a dataset out, after the smoke run: what is not there stands in the ledger."""

import pandas as pd
import pytest

LEFT_OUT = "young_people"


@pytest.fixture(scope="module")
def before_and_after(smoke_run, tmp_path_factory):
    """The smoke run, and a copy of it that has run again without the survey."""
    after = smoke_run.copy(tmp_path_factory.mktemp("left_out") / "run")
    output = after.smoke(target="all", config={"data": {LEFT_OUT: {"tier": None}}})
    assert f", {LEFT_OUT}: left out" in output
    return smoke_run, after


def test_every_claim_stands_in_the_ledger_and_those_on_it_are_not_tested(before_and_after):
    before, after = (
        pd.read_parquet(run.path / "results/ledger.parquet").set_index("id")
        for run in before_and_after
    )
    assert before.index.tolist() == after.index.tolist()
    on_it = before["dataset"] == LEFT_OUT
    assert on_it.sum() > 20
    assert set(after.loc[on_it, "verdict"]) == {"not tested"}
    assert after.loc[on_it, "note"].str.startswith(f"The data of {LEFT_OUT} were left out").all()
    assert after.loc[on_it, "note"].str.contains("DATA=FOLDER").all()
    assert set(after.loc[on_it, "data"]) == {"-"}
    others = ["verdict", "observed", "data"]
    pd.testing.assert_frame_equal(before.loc[~on_it, others], after.loc[~on_it, others])


def test_no_claim_on_it_is_called_changed_and_no_figure_of_it_is_shown(before_and_after):
    _, after = before_and_after
    compared = pd.read_csv(after.path / "results/compared_with_reference.csv")
    assert set(compared["comparison"]) <= {"same", "other settings", "other data", "not compared"}
    assert not compared["name"].str.startswith("nsht/blurring_people").any()
    page = (after.path / "results/index.html").read_text(encoding="utf-8")
    assert 'href="#figure-nsht-fig4"' in page
    assert 'href="#figure-nsht-fig5"' not in page
    assert "<p>nsht/fig5" in page  # not drawn in this run
    log = (after.path / "logs/nsht_figures.log").read_text(encoding="utf-8")
    assert "Not drawn: fig5, because its data are left out." in log
