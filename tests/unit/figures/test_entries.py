"""The entries of the papers' figures."""

from pkgutil import resolve_name

import pytest

from noiseless.figures.entries import by_job, load_figures, papers_with_figures
from noiseless.settings import load_yaml


@pytest.fixture(scope="module")
def figures(root):
    config = load_yaml(root / "config/config.yaml")
    return {
        paper: load_figures(paper, config, ["ausgrid", "london"]) for paper in papers_with_figures()
    }


def test_every_entry_names_a_function_a_caption_and_tables_of_its_own_homes(figures, root):
    config = load_yaml(root / "config/config.yaml")
    assert len(figures) == 6  # and those beyond the papers
    for paper, entries in figures.items():
        for name, figure in entries.items():
            assert name.split("/")[0] == figure.paper == paper
            assert callable(resolve_name(figure.function))
            assert (root / "workflow/noiseless" / figure.caption).is_file()
            assert not [text for text in (name, *figure.tables.values()) if "{" in text]
            assert figure.labels == {"figure": figure.number, "shows": figure.shows}
    homes = [figures["noiseless"][f"noiseless/fig3_{each}"] for each in ("ausgrid", "london")]
    assert [each.tables["table"].rpartition("_")[2] for each in homes] == ["ausgrid", "london"]
    (meaning,) = (each for name, each in figures["nsht"].items() if name.endswith("/fig5"))
    blurring = config["nsht"]["blurring"]
    assert meaning.settings == {key: blurring[key] for key in ("bmi_kg_m2", "histogram_bin")}


def test_one_job_draws_what_rests_on_the_same_data(figures):
    for paper, entries in figures.items():
        jobs = by_job(entries)
        assert sorted(each.name for job in jobs.values() for each in job) == sorted(entries)
        for rule, drawn in jobs.items():
            (data,) = {each.data for each in drawn}
            assert rule == "_".join(filter(None, (paper, "figures", data)))
