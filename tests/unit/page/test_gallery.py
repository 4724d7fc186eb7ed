"""Figures of the page: their names and their order."""

import base64

import pytest

from noiseless.errors import DataError
from noiseless.page.gallery import (
    FigureEntry,
    encode_picture,
    find_entry,
    load_entries,
    order_figures,
)
from toy_pictures import write_pictures


@pytest.fixture(scope="module")
def entries(root):
    """The lists of figures of all papers."""
    return load_entries((root / "workflow/noiseless/papers").glob("*/figures/figures.yaml"))


@pytest.mark.parametrize(
    ("name", "label", "varied", "is_papers"),
    [
        ("noiseless/fig3_ausgrid-16", "Figure 3", "ausgrid-16", True),
        ("noiseless/fig3_ranges_london", "Figure 3, ranges", "london", False),
        ("noiseless/fig3_pairs_fuse_london", "Figure 3, pairs", "london", False),
        ("noiseless/fig6", "Figure 6", "", True),
        ("prrelation/fig5_6_7", "Figures 5b, 6b, 7b", "", True),
        ("prrelation/choice", "Beyond the paper", "", False),
        ("knowledge/health", "Appendix E", "", False),
        ("knowledge/grouping", "Figure 1b, 1d, by reading", "", False),
        ("beyond/adversaries_swiss", "Adversaries", "swiss", False),
    ],
)
def test_figure_has_the_name_of_its_list(entries, name, label, varied, is_papers):
    entry = find_entry(name, entries)
    assert (entry.label, entry.varied, entry.is_papers) == (label, varied, is_papers)
    assert "{" not in entry.shows
    assert varied in entry.shows


def test_unknown_figure_comes_last(entries):
    assert find_entry("noiseless/unknown", entries) == FigureEntry()
    assert find_entry("toy/f", entries) == FigureEntry()


def test_papers_figures_come_first_and_made_up_ones_later(entries):
    names = ["fig3_ranges_london", "fig6", "fig3_ausgrid", "fig4_redd", "fig3_london"]
    found = {f"noiseless/{name}": find_entry(f"noiseless/{name}", entries) for name in names}
    ordered = order_figures(list(found), found, {"noiseless/fig3_ausgrid"})
    assert [name.partition("/")[2] for name in ordered] == [
        "fig3_london",
        "fig3_ausgrid",
        "fig4_redd",
        "fig6",
        "fig3_ranges_london",
    ]


def test_of_one_figure_the_papers_own_data_are_first_and_then_the_strongest_set(entries):
    names = ["fig3_ausgrid-16", "fig3_mine", "fig3_swiss", "fig3_london", "fig3_ausgrid"]
    found = {f"noiseless/{name}": find_entry(f"noiseless/{name}", entries) for name in names}
    sets = ["ausgrid", "london", "ausgrid-16", "swiss"]
    assert [name.partition("_")[2] for name in order_figures(list(found), found, (), sets)] == [
        *sets,
        "mine",
    ]


def test_picture_is_half_its_size_and_has_a_thumbnail(tmp_path):
    path = tmp_path / "f.png"
    write_pictures(path, width=1000, height=600)
    picture = encode_picture(path)
    assert (picture["width"], picture["height"]) == (500, 300)
    assert picture["thumbnail_width"] <= 330
    assert picture["thumbnail_height"] <= 200
    assert len(picture["thumbnail"]) <= len(picture["uri"])
    written = base64.b64decode(picture["uri"].removeprefix("data:image/webp;base64,"))
    assert written == path.with_suffix(".webp").read_bytes()


def test_figure_without_a_picture_for_the_page_is_an_error(tmp_path):
    write_pictures(tmp_path / "f.png")
    (tmp_path / "f.webp").unlink()
    with pytest.raises(DataError, match=r"f\.webp"):
        encode_picture(tmp_path / "f.png")
