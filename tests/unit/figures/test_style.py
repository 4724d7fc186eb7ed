"""How figures are saved."""

import io
import itertools
import logging
import os
import re
import subprocess
import sys
import zlib

import numpy as np
import pytest
from fontTools import subset
from fontTools.ttLib import TTFont
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from PIL import Image

from drawn import printed, tidy
from drawn import shown as lines_of
from noiseless.data.local import DATASETS
from noiseless.data.samples import FIDELITY
from noiseless.figures.style import (
    COLOURS,
    COLUMN_WIDTH_IN,
    PAGE_WIDTH_IN,
    PRINTED_LABEL,
    STAND_IN_LABEL,
    add_note,
    add_outside_legend,
    choose_shades,
    choose_two_hues,
    create_figure,
    escape_text,
    format_label,
    get_value,
    label_edges,
    label_line_starts,
    plot_printed,
    save_figure,
    select_printed,
    select_statistic,
    spread_apart,
    use_style,
)
from noiseless.tables import Source, derive_provenance


def fonts_in(pdf):
    """Fonts that are embedded in a PDF."""
    for stream in re.finditer(rb"/Length1 [^>]*>>\s*stream\r?\n", pdf):
        yield TTFont(io.BytesIO(zlib.decompressobj().decompress(pdf[stream.end() :])))


def test_a_pdf_has_each_font_once_with_the_letters_that_it_shows(tmp_path):
    letters = "Office, first flow: ε ≤ 2"
    dropped = list(subset.Options._drop_tables_default)
    with use_style():
        figure, (axis,) = create_figure()
        axis.plot(np.arange(3))
        axis.set(xlabel=letters, ylabel="$n$ = 3")
        save_figure(figure, [tmp_path / "one.pdf"], derive_provenance({}, "code", inputs=[]))
    fonts = list(fonts_in((tmp_path / "one.pdf").read_bytes()))
    names = [font["name"].getDebugName(6) for font in fonts]
    assert sorted(names) == ["DejaVuSans", "DejaVuSans-Oblique"]
    # What is shown is there, and as small as it can be.
    (upright,) = (font for font, name in zip(fonts, names, strict=True) if name == "DejaVuSans")
    assert len(set(letters + "0123456789")) < len(upright.getGlyphOrder()) < 100
    assert not {"GDEF", "GPOS", "GSUB", "kern"} & set().union(*(font.keys() for font in fonts))
    assert subset.Options._drop_tables_default == dropped


def test_rows_of_a_statistic_are_selected_by_the_values_of_columns():
    table = tidy("a", "b", n=[1, 2], kind=["x", "y"])
    assert select_statistic(table, "b", kind="y")["n"].tolist() == [1, 2]
    assert select_statistic(table, "b", kind="y")["value"].tolist() == [6, 8]
    assert get_value(table, "b", n=2, kind="x") == 7
    with pytest.raises(ValueError, match="too many values"):
        get_value(table, "b", n=2)
    with pytest.raises(ValueError, match="not enough values"):
        get_value(table, "b", n=3)


def test_a_grid_is_as_wide_as_a_page_and_labelled_at_its_edges():
    figure, axes = create_figure(2, 3)
    assert (figure.get_figwidth(), create_figure()[0].get_figwidth()) == (
        PAGE_WIDTH_IN,
        COLUMN_WIDTH_IN,
    )
    label_edges(axes, 3, xlabel="x", ylabel="y", panels=4)
    assert [axis.get_ylabel() for axis in axes] == ["y", "", "", "y", "", ""]
    # Below the last two columns is nothing.
    assert [axis.get_xlabel() for axis in axes] == ["", "x", "x", "x", "", ""]
    assert [axis.get_visible() for axis in axes] == [True] * 4 + [False] * 2


def test_a_label_of_several_axes_stands_once_in_the_legend():
    figure, axes = create_figure(1, 3)
    for axis, labels in zip(axes, (["b", "a"], ["a", "c"], ["d"]), strict=True):
        for label in labels:
            axis.plot([0, 1], label=label)
    add_outside_legend(figure, axes[:2], "upper center", title="who")
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["b", "a", "c"]
    assert legend.get_title().get_text() == "who"
    figure.legends.clear()
    add_outside_legend(figure, axes[:2], last=["c", "d", "b"])
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "c", "b"]


DRAW = """
import sys
from noiseless.figures.style import create_figure, save_figure, use_style
from noiseless.tables import derive_provenance
with use_style():
    figure, (axis,) = create_figure()
    axis.plot([3, 1, 2], label="a line")
    axis.set(xlabel="$n$", title="a title")
    axis.legend()
    save_figure(figure, [f"{sys.argv[1]}.png", f"{sys.argv[1]}.pdf"], derive_provenance({}, "code"))
"""
OTHERS = """
text.usetex: True
axes.facecolor: black
axes.grid: True
font.sans-serif: Comic Sans MS
mathtext.fontset: cm
savefig.bbox: tight
image.cmap: hot
lines.linestyle: --
axes.prop_cycle: cycler('color', ['pink'])
legend.loc: lower left
pdf.compression: 0
"""


def test_a_matplotlibrc_of_the_user_changes_no_figure(tmp_path):
    (tmp_path / "own.rc").write_text(OTHERS)
    (tmp_path / "none.rc").write_text("")
    for name in ("own", "none"):
        environment = {**os.environ, "MATPLOTLIBRC": str(tmp_path / f"{name}.rc")}
        subprocess.run([sys.executable, "-c", DRAW, tmp_path / name], env=environment, check=True)
    for ending in ("png", "pdf"):
        own, none = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("own", "none"))
        assert own == none


def test_the_pages_picture_is_the_png_at_half_its_size(tmp_path):
    """In whatever order the files are named, and whatever is drawn between them."""
    with use_style():
        figure, (axis,) = create_figure()
        axis.plot([3, 1, 2], label="a line")
        paths = [tmp_path / f"a.{ending}" for ending in ("webp", "pdf", "png")]
        save_figure(figure, paths, derive_provenance({}, "code"))
    with Image.open(paths[2]) as png, Image.open(paths[0]) as webp:
        half = np.asarray(png.convert("RGB").reduce(2), dtype=float)
        shown = np.asarray(webp.convert("RGB"), dtype=float)
    assert shown.shape == half.shape
    assert np.abs(shown - half).mean() < 3  # of 255: what is left out to make the file small
    assert np.ptp(shown) > 200


def shown(text):
    """What a viewer reads of a label, and whether Matplotlib takes any of it for a formula."""
    with use_style():
        figure, (axis,) = create_figure()
        axis.plot([0, 1], label=text)
        figure.canvas.draw()
        (drawn,) = axis.legend().get_texts() or [None]
        return drawn._preprocess_math(drawn.get_text())


@pytest.mark.parametrize(
    "text", ["costs $5", "$k$ to $2k$", r"a\$b", r"$\no$", "$x^$", "100 %, ü, ε"]
)
def test_texts_of_users_are_shown_letter_by_letter(text):
    assert shown(escape_text(text)) == (text, False)


def test_a_formula_of_ours_beside_a_text_of_a_user_stays_one():
    with use_style():
        figure, (axis,) = create_figure()
        (drawn, plain) = (axis.text(0, y, "") for y in (0, 1))
        drawn.set_text(f"{escape_text('costs $5')}, $n$ = 3")
        plain.set_text("costs 5, $n$ = 3")
        renderer = FigureCanvasAgg(figure).get_renderer()
        wide, narrow = (each.get_window_extent(renderer).width for each in (drawn, plain))
    assert 0 < wide - narrow < 10  # the dollar sign


def test_letters_without_a_glyph_are_shown_by_number_and_said_once(caplog):
    escape_text.cache_clear()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert escape_text("北京 a\n") == "[U+5317][U+4EAC] a[U+000A]"
    (record,) = caplog.records
    assert "DejaVu Sans, has not all letters of '北京 a\\n'" in record.getMessage()
    assert record.getMessage().isprintable()


def test_a_leading_underscore_stays_in_the_legend():
    assert shown(escape_text("_mine")) == ("\u200b_mine", False)


def test_labels_of_ours_are_no_texts_of_users():
    names = {"a": r"Theorem 4, $\epsilon$"}
    assert format_label(names, "a") == names["a"]
    assert format_label(names, "$b$") == r"\$b\$"


def compute_contrast(color):
    """Contrast of a colour on white, by the rule of WCAG 2."""
    channels = np.array(to_rgb(color))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05)


def test_every_line_is_legible_on_white():
    for color in (*COLOURS.values(), *choose_shades(7)):
        assert compute_contrast(color) >= 3, color
    assert len(choose_shades(3)) == 3


def test_printed_numbers_of_a_statistic_by_the_columns_that_they_are_about():
    table = printed(
        *("a/b", "c"),
        ({"n": [1, 2], "kind": ["x"]}, 5),
        ({"n": [2], "kind": ["x"]}, 5),
        ({"n": [3]}, 7),
    )
    found = select_printed(table, "a/b", "c", kind="x")
    assert found.to_dict("list") == {
        "n": [1, 2],
        "kind": ["x"] * 2,
        "low": [5] * 2,
        "high": [5] * 2,
    }
    assert select_printed(table, "a/b", "c", n=3)["high"].tolist() == [7]
    for nothing in (("a/b", "d"), ("a/c", "c")):
        assert select_printed(table, *nothing)["high"].tolist() == []
    _figure, (axis,) = create_figure()
    plot_printed(axis, found["n"], found["high"])
    assert lines_of(axis) == {PRINTED_LABEL: [(1, 5), (2, 5)]}


def test_a_figure_of_a_sample_says_what_it_is_like_and_unlike(tmp_path):
    assert set(FIDELITY) == set(DATASETS)
    real = Source("london", "local", "e" * 64, "registered", "x")
    sample = Source("redd", "sample", "e" * 64, "other")
    provenance = derive_provenance({}, "code", sources=[real, sample])
    with use_style():
        figure, (axis,) = create_figure()
        axis.plot([0, 1])
        save_figure(figure, [tmp_path / "a.png"], provenance)
        (foot,) = (each.get_text() for each in figure.texts if "noiseless " in each.get_text())
    assert f"sample of redd: {FIDELITY['redd']}" in foot.replace("\n", " ")
    assert "sample of london" not in foot


def test_note_provenance_and_stand_ins_stand_outside_the_axes(tmp_path):
    provenance = derive_provenance({}, "code", inputs=[])
    with use_style():
        for stand_ins in ([], ["homes in London, for the 300 homes of the paper, and more words"]):
            figure, (axis,) = create_figure()
            axis.plot([0, 1], label="a line")
            axis.set_xlabel("below")
            add_outside_legend(figure, [axis], "upper center")
            add_note(figure, "a note of many words, " * 6, "its second line")
            save_figure(figure, [tmp_path / "a.png"], provenance, stand_ins=stand_ins)
            renderer = FigureCanvasAgg(figure).get_renderer()
            boxes = {each.get_text(): each.get_window_extent(renderer) for each in figure.texts}
            (foot,) = (text for text in boxes if text.startswith("noiseless "))
            (note,) = (text for text in boxes if text.startswith("a note"))
            assert note.count("\n") > 1
            assert note.endswith("\nits second line")
            assert boxes[foot].y1 <= boxes[note].y0 + 1
            assert boxes[note].y1 <= axis.get_tightbbox(renderer).y0
            assert all(each.x0 >= 0 and each.x1 <= figure.bbox.x1 for each in boxes.values())
            assert (STAND_IN_LABEL in boxes) == bool(stand_ins)
            assert ("stand-in: homes in London" in foot) == bool(stand_ins)
        legend = figure.legends[0].get_window_extent(renderer)
        assert legend.y1 <= boxes[STAND_IN_LABEL].y0 + 1
        assert axis.get_tightbbox(renderer).y1 <= legend.y0


def test_levels_below_and_above_a_border_have_two_hues():
    below, above = choose_two_hues([0.1, 0.5, 1.0, 2.0], 1.0).reshape(2, 2, 4)
    assert (below[:, 2] > below[:, 0]).all()  # blue
    assert (above[:, 0] > above[:, 2]).all()  # red
    assert choose_two_hues([2.0, 3.0], 1.0).shape == (2, 4)


def test_labels_are_moved_apart_as_little_as_that_takes():
    """Against every order-keeping placement on a fine grid: none is nearer by squares."""
    places, least = [0.0, 0.1, 0.3, 2.0], 0.4
    moved = spread_apart(places, least)
    assert np.all(np.diff(moved) >= least - 1e-12)
    assert moved[3] == places[3]
    cost = np.square(moved - places).sum()
    grid = np.arange(-0.6, 1.2, 0.05)
    others = [
        sum((one - other) ** 2 for one, other in zip(each, places, strict=False))
        for each in itertools.product(grid, repeat=3)
        if each[1] - each[0] >= least and each[2] - each[1] >= least
    ]
    assert cost <= min(others) + 1e-12


def test_names_at_the_starts_of_lines_do_not_overlap():
    with use_style():
        figure, axes = create_figure(1, 2, height_in=2.6, sharey=True)
        for axis, gap in zip(axes, (0.001, 0.2), strict=True):
            heights = [0.5, 0.5 + gap, 0.5 + 2 * gap]
            lines = [axis.plot([0, 1], [each, 1], label=f"line {each:g}")[0] for each in heights]
            axis.set(xlim=(-0.4, 1), ylim=(0.5, 1))
            label_line_starts(axis, lines)
        figure.draw_without_rendering()
    for axis in axes:
        boxes = [text.get_window_extent() for text in axis.texts]
        assert len(boxes) == 3
        for one, other in itertools.combinations(boxes, 2):
            assert not one.overlaps(other)
        frame = axis.get_window_extent()
        assert all(frame.x0 < box.x0 and frame.y0 <= box.y0 + 1 for box in boxes)
