"""How figures are saved."""

import io
import re
import zlib

import numpy as np
import pytest
from fontTools import subset
from fontTools.ttLib import TTFont

from drawn import tidy
from noiseless.figures.style import (
    COLUMN_WIDTH_IN,
    PAGE_WIDTH_IN,
    label_edges,
    legend_outside,
    new_figure,
    save,
    statistic,
    style,
    value_of,
)
from noiseless.tables import derive_provenance


def fonts_in(pdf):
    """Fonts that are embedded in a PDF."""
    for stream in re.finditer(rb"/Length1 [^>]*>>\s*stream\r?\n", pdf):
        yield TTFont(io.BytesIO(zlib.decompressobj().decompress(pdf[stream.end() :])))


def test_a_pdf_has_each_font_once_with_the_letters_that_it_shows(tmp_path):
    letters = "Office, first flow: ε ≤ 2"
    dropped = list(subset.Options._drop_tables_default)
    with style():
        figure, (axis,) = new_figure()
        axis.plot(np.arange(3))
        axis.set(xlabel=letters, ylabel="$n$ = 3")
        save(figure, [tmp_path / "one.pdf"], derive_provenance({}, "code", inputs=[]))
    fonts = list(fonts_in((tmp_path / "one.pdf").read_bytes()))
    names = [font["name"].getDebugName(6) for font in fonts]
    assert sorted(names) == ["DejaVuSans", "DejaVuSans-Oblique"]
    # What is shown is there, and as small as it can be.
    (upright,) = (font for font, name in zip(fonts, names, strict=True) if name == "DejaVuSans")
    assert len(set(letters + "0123456789")) < len(upright.getGlyphOrder()) < 100
    assert not {"GDEF", "GPOS", "GSUB", "kern"} & set().union(*(font.keys() for font in fonts))
    assert subset.Options._drop_tables_default == dropped


def test_rows_of_a_statistic_by_the_values_of_columns():
    table = tidy("a", "b", n=[1, 2], kind=["x", "y"])
    assert statistic(table, "b", kind="y")["n"].tolist() == [1, 2]
    assert statistic(table, "b", kind="y")["value"].tolist() == [6, 8]
    assert value_of(table, "b", n=2, kind="x") == 7
    with pytest.raises(ValueError, match="too many values"):
        value_of(table, "b", n=2)
    with pytest.raises(ValueError, match="not enough values"):
        value_of(table, "b", n=3)


def test_a_grid_is_as_wide_as_a_page_and_labelled_at_its_edges():
    figure, axes = new_figure(2, 3)
    assert (figure.get_figwidth(), new_figure()[0].get_figwidth()) == (
        PAGE_WIDTH_IN,
        COLUMN_WIDTH_IN,
    )
    label_edges(axes, 3, xlabel="x", ylabel="y", panels=4)
    assert [axis.get_ylabel() for axis in axes] == ["y", "", "", "y", "", ""]
    # Below the last two columns is nothing.
    assert [axis.get_xlabel() for axis in axes] == ["", "x", "x", "x", "", ""]
    assert [axis.get_visible() for axis in axes] == [True] * 4 + [False] * 2


def test_a_label_of_several_axes_stands_once_in_the_legend():
    figure, axes = new_figure(1, 3)
    for axis, labels in zip(axes, (["b", "a"], ["a", "c"], ["d"]), strict=True):
        for label in labels:
            axis.plot([0, 1], label=label)
    legend_outside(figure, axes[:2], "upper center", title="who")
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["b", "a", "c"]
    assert legend.get_title().get_text() == "who"
    figure.legends.clear()
    legend_outside(figure, axes[:2], last=["c", "d", "b"])
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "c", "b"]
