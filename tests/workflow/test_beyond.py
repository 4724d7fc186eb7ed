"""The target ``beyond``, after the smoke run: what it makes, and how the page shows it."""

import pandas as pd
import pytest

from fingerprints import __main__ as fingerprints

NOT_HERE = "They are not here"


@pytest.fixture(scope="module")
def before_and_after(smoke_run, tmp_path_factory):
    """A copy of the smoke run without anything of beyond, and the same with it."""
    before = smoke_run.copy(tmp_path_factory.mktemp("without_beyond") / "run")
    for path in (before.path / "results").rglob("*beyond/*"):
        path.unlink()
    before.smoke(target="all")  # a page without it, if the smoke run has it
    after = before.copy(tmp_path_factory.mktemp("beyond") / "run")
    after.smoke(target="beyond")
    return before, after


def show(checkout, **options):
    """What `make beyond` does at its end."""
    return checkout.smoke(
        *("--allowed-rules", "beyond_on_page", "write_page"), target="beyond_on_page", **options
    )


def read_page(checkout):
    """The text of the results page."""
    return (checkout.path / "results/index.html").read_text(encoding="utf-8")


def test_its_tables_hold_the_numbers_that_they_held_before(before_and_after):
    _, after = before_and_after
    assert fingerprints.differences(after.path / "results", fingerprints.SMOKE) == []


def test_page_shows_it_and_nothing_else_is_made_again(before_and_after):
    before, after = before_and_after
    assert NOT_HERE in read_page(before)
    times = {path: path.stat().st_mtime_ns for path in (after.path / "results/ledger").iterdir()}
    show(after)
    page = read_page(after)
    assert NOT_HERE not in page
    for path in (after.path / "results/figures/beyond").glob("*.png"):
        assert f'id="figure-beyond-{path.stem}"' in page
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert "Nothing to be done" in after.smoke("--dry-run", "--quiet", "host")


def test_page_of_other_settings_is_left_as_it_is(before_and_after, tmp_path):
    """Of those that ask for a table which is not there."""
    _, after = before_and_after
    checkout = after.copy(tmp_path / "run")
    (checkout.path / "results/tables/nsht/blurring_people.parquet").unlink()
    page = read_page(checkout)
    show(checkout)
    assert read_page(checkout) == page


def test_comparisons_with_the_reference_are_apart(before_and_after):
    """No table of beyond is called missing by a run that does not make it."""
    before, after = before_and_after
    papers = pd.read_csv(after.path / "results/compared_with_reference.csv")
    assert not papers["name"].str.startswith("beyond/").any()
    old = pd.read_csv(before.path / "results/compared_with_reference.csv")
    pd.testing.assert_frame_equal(papers, old)
    own = pd.read_parquet(after.path / "results/compared_with_reference_beyond.parquet")
    made = {f"beyond/{each.stem}" for each in (after.path / "results/tables/beyond").glob("*.csv")}
    assert set(own["name"]) == made
    assert set(own["kind"]) == {"table"}
