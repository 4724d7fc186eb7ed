"""Style of all figures, and how they are saved.

A figure is legible at the width of a journal column, prints its provenance at its foot, and says
on its face when it was made from sample data.
"""

import itertools
import json
import logging
import math
import operator
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
import numpy as np
import pandas as pd
from fontTools import subset
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.text import Text
from numpy.typing import ArrayLike
from PIL import Image
from scipy.optimize import isotonic_regression

from noiseless.arrays import Floats
from noiseless.data.samples import select_fidelity
from noiseless.figures import labels
from noiseless.files import write_atomically
from noiseless.statistics import CONFIDENCE
from noiseless.tables import Provenance

log = logging.getLogger(__name__)

COLUMN_WIDTH_IN = 3.5
PAGE_WIDTH_IN = 7.2

# Okabe and Ito's colours, which colour-blind readers can tell apart; with markers or dashes beside
# them for readers of a black and white print. Orange and sky are darker than theirs, so that a thin
# line of every colour has a contrast of 3 to 1 and more on white.
COLOURS = {
    **{"blue": "#0072B2", "orange": "#BE7F00", "green": "#009E73", "red": "#D55E00"},
    **{"purple": "#C8709F", "sky": "#2E96CE", "black": "#000000", "grey": "#7F7F7F"},
}
"""Colours by the names that mechanisms and policies choose them by."""

BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BLACK, GREY = COLOURS.values()

_PAGE_PICTURE: dict[str, Any] = {"format": "WEBP", "quality": 55, "method": 4}

_FREE_LOOKS = (
    *((SKY, "P"), (BLACK, "X"), (PURPLE, "*"), (RED, "<"), (GREEN, ">"), (BLUE, "p")),
    *((ORANGE, "h"), ("#7A3E1D", "d"), ("#4B3FA0", "8"), ("#6B7A00", "H"), ("#A3174F", "v")),
)
"""Colours and markers of what has none of its own, such as a plugin's class; the last four colours
are used by nothing else, and have a contrast of 4 to 1 and more on white."""

DEFAULT_LOOKS = ((BLUE, "o"), (ORANGE, "s"), (GREEN, "^"), (RED, "v"))
"""Colours and markers of lines that choose none themselves."""

CONFIDENCE_TEXT = f"{100 * CONFIDENCE:g} %"
"""Confidence of all intervals that are drawn."""

BARS_TEXT = (
    f"bars: {CONFIDENCE_TEXT} intervals; thin, or under the mark: over games; wide: over homes"
)
"""Description of the bars of :func:`plot_intervals`, for notes."""

PRINTED_LABEL = "printed in the paper"
"""Label of the grey marks of :func:`plot_printed`."""


_ZERO_WIDTH_SPACE = (
    "\u200b"  # a letter without width; Matplotlib's legends leave out labels that begin with _
)
_LAYOUT_TABLES = ("GDEF", "GPOS", "GSUB", "kern")  # tables of a font

_FONT = "DejaVu Sans"  # installed with Matplotlib
_NAME_LETTERS = 22  # letters in a line of a plugin's name
_DIGIT_IN, _TICK_GAP_IN = 0.057, 0.02  # width of a digit of a tick's label, and room between two
_AXES_SHARE = 0.7  # of a figure's width, that its axes have at least
_MARGIN = 0.01  # distance of texts from the left edge, as a share of the width
_NOTE_SIZE, _FOOTER_SIZE, _LABEL_SIZE = 6.0, 4.5, 6.0  # of letters, in points
_LINE_HEIGHT = 1.25  # in sizes of letters
_NOTE_LETTERS_PER_IN, _FOOTER_LETTERS_PER_IN = 21, 28
_PALEST = 0.55  # of a map of one hue: fainter lines are not seen on white
_BRIGHTEST_SHADE = 0.62  # of Matplotlib's `plasma`
_ABOVE = "above"  # mark of a legend above the axes
STAND_IN_LABEL = "stand-in data, not the paper's"
"""Label at the top of a figure on other data than the paper's."""

_SETTINGS: Final[dict[Any, Any]] = {
    "font.family": _FONT,
    "font.size": 7,
    "axes.titlesize": 7,
    "axes.labelsize": 7,
    "figure.titlesize": 7,
    "legend.fontsize": 6.5,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "savefig.dpi": 300,
    # Both are set, because Matplotlib reads from the latter how many glyphs a font in a PDF can
    # have, and embeds a font twice that has more of them than Type 3 allows.
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
}


@contextmanager
def use_style() -> Iterator[None]:
    """Draw and save in the project's style inside this block, regardless of any matplotlibrc."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def format_label(names: Mapping[str, str], key: str) -> str:
    """Return the label of a key in a figure, or else the key, escaped by :func:`escape_text`.

    A key without a label, such as the name of a plugin's class, is broken into short lines.
    """
    if key in names:
        return labels.get_label(names, key)
    return "\n".join(map(escape_text, textwrap.wrap(key, _NAME_LETTERS))) or escape_text(key)


def count_extra_lines(names: Mapping[str, str], keys: Iterable[str]) -> int:
    """Count the lines that keys without a label take in a figure: room to add for a legend."""
    return sum(
        1 + format_label(names, key).count("\n") for key in dict.fromkeys(keys) if key not in names
    )


@cache
def escape_text(text: str) -> str:
    """Escape a text of a plugin, file or configuration, so that a figure shows it literally.

    Dollar signs begin no formula, and a leading underscore keeps no line out of the legend.  A
    letter that the font lacks is shown by its number, as ``[U+4E2D]``, and a line of the log says
    so.
    """
    letters = get_font(findfont(_FONT)).get_charmap()
    missing = [letter for letter in dict.fromkeys(text) if ord(letter) not in letters]
    if missing:
        log.warning(
            "The figures' font, %s, has not all letters of %r: they are shown by their numbers.",
            _FONT,
            text,
        )
    shown = text.replace("$", r"\$")
    for letter in missing:
        shown = shown.replace(letter, f"[U+{ord(letter):04X}]")
    return f"{_ZERO_WIDTH_SPACE}{shown}" if shown.startswith("_") else shown


def create_figure(
    rows: int | None = None,
    columns: int = 1,
    *,
    width_in: float | None = None,
    height_in: float = 2.6,
    **subplots: Any,
) -> tuple[Figure, list[Axes]]:
    """Create a figure and its axes, listed row by row; without ``rows`` one axis.

    Without ``width_in`` a grid is as wide as a page, one axis as a column.
    """
    width_in = width_in or (COLUMN_WIDTH_IN if rows is None else PAGE_WIDTH_IN)
    figure = Figure(figsize=(width_in, height_in), layout="constrained")
    axes = figure.subplots(rows or 1, columns, squeeze=False, **subplots)
    return figure, list(axes.ravel())


def create_text_figure(text: str) -> Figure:
    """Create a figure that shows a text, such as why there is nothing to draw."""
    figure, (axis,) = create_figure(height_in=1.2)
    axis.set_axis_off()
    axis.text(0.5, 0.5, textwrap.fill(text, 60), ha="center", va="center")
    return figure


def select_rows(table: pd.DataFrame, **where: object) -> pd.DataFrame:
    """Select the rows of a table with the given values in the given columns."""
    for column, value in where.items():
        table = table[table[column] == value]
    return table


def select_statistic(table: pd.DataFrame, name: str, **where: object) -> pd.DataFrame:
    """Select the rows of one statistic of a tidy table, with the given values in columns."""
    return select_rows(table, statistic=name, **where)


def select_printed(
    printed: pd.DataFrame, table: str, statistic: str, **where: object
) -> pd.DataFrame:
    """Select the numbers that a paper prints of one statistic of a table, each once.

    One that is about other values of ``where`` as well is selected, too.
    """
    cells = []
    is_chosen = (printed["table"] == table) & (printed["statistic"] == statistic)
    for row in printed[is_chosen].itertuples():
        columns = json.loads(row.where)
        if all(value in columns.get(column, []) for column, value in where.items()):
            columns |= {column: [value] for column, value in where.items()}
            for values in itertools.product(*columns.values()):
                cell = dict(zip(columns, values, strict=True))
                cells.append({**cell, "low": row.low, "high": row.high})
    return pd.DataFrame(cells, columns=None if cells else ["low", "high"]).drop_duplicates()


def get_value(table: pd.DataFrame, name: str, **where: object) -> float:
    """Return the one value of a statistic in all rows with the given values in columns."""
    (value,) = select_statistic(table, name, **where)["value"].unique()
    return value


def label_edges(
    axes: Sequence[Axes], columns: int, *, xlabel: str, ylabel: str, panels: int | None = None
) -> None:
    """Label the lowest and the leftmost axes of a grid; hide axes behind the first ``panels``."""
    panels = len(axes) if panels is None else panels
    for axis in axes[::columns]:
        axis.set_ylabel(ylabel)
    for axis in axes[max(0, panels - columns) : panels]:
        axis.set_xlabel(xlabel)
        axis.tick_params(labelbottom=True)
    for axis in axes[panels:]:
        axis.set_visible(False)


def add_outside_legend(
    figure: Figure,
    axes: Iterable[Axes],
    side: str = "right center",
    *,
    last: Iterable[str] = (),
    **look: Any,
) -> None:
    """Add a legend beside the axes, in which a label of several axes stands once.

    Labels of ``last`` come last.
    """
    handles: dict[str, Any] = {}
    for axis in axes:
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    for label in (each for each in last if each in handles):
        handles[label] = handles.pop(label)
    look = {"loc": f"outside {side}", **look}
    legend = figure.legend(list(handles.values()), list(handles.keys()), **look)
    # Long names of plugins get fewer columns, so that the legend is no wider than the figure.
    renderer = FigureCanvasAgg(figure).get_renderer()
    columns = int(look.get("ncols", 1))
    while columns > 1 and (legend.get_window_extent(renderer).width > figure.bbox.width):
        legend.remove()
        columns -= 1
        look["ncols"] = columns
        legend = figure.legend(list(handles.values()), list(handles.keys()), **look)
    if side.startswith("upper"):
        legend.set_gid(_ABOVE)


def add_note(figure: Figure, *lines: str) -> None:
    """Add a note below the axes: how many games, homes or runs, and what bars and shades are.

    Long lines are broken (:func:`save_figure`).
    """
    figure.supxlabel("\n".join(lines))


def plot_printed(
    axis: Axes, place: ArrayLike, value: ArrayLike, *, label: str = PRINTED_LABEL, **look: Any
) -> None:
    """Plot numbers that a paper prints as grey diamonds, above all lines."""
    style = {"marker": "D", "markersize": 4, "linestyle": "", "zorder": 6, **look}
    axis.plot(
        place, value, color=GREY, markeredgecolor="white", markeredgewidth=0.5, label=label, **style
    )


def label_line_starts(axis: Axes, lines: Sequence[Line2D]) -> None:
    """Write the label of each line left of its start, in its colour, in place of a legend.

    Where lines start close to each other, their labels are moved apart, as little as that takes.
    The axes must have their final limits, and room left of the lines.
    """
    if not lines:
        return
    low, high = axis.get_ylim()
    figure = axis.get_figure(root=True)
    height_in = _AXES_SHARE * (2.6 if figure is None else figure.get_figheight())
    spec = axis.get_subplotspec()
    rows = 1 if spec is None else int(spec.get_gridspec().nrows)
    least = (high - low) * _LINE_HEIGHT * _LABEL_SIZE / 72 / height_in / rows
    starts = []
    for line in lines:
        points = np.asarray(line.get_xydata(), dtype=float)
        points = points[np.isfinite(points).all(axis=1)]
        place, height = points[points[:, 0].argmin()]
        starts.append((float(height), float(place), line))
    starts.sort(key=operator.itemgetter(0))
    heights = spread_apart([height for height, _, _ in starts], least)
    # The lowest label stays within the axes.
    heights = heights + max(0.0, low + least / 2 - heights[0])
    for height, (_, place, line) in zip(heights, starts, strict=True):
        axis.annotate(
            str(line.get_label()),
            (place, height),
            xytext=(-4, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=_LABEL_SIZE,
            color=line.get_color(),
        )


def spread_apart(places: Sequence[float], least: float) -> Floats:
    """Move sorted places until neighbours are ``least`` apart: the nearest such, by squares.

    >>> spread_apart([0.0, 0.1, 5.0], 1.0).tolist()
    [-0.45, 0.55, 5.0]
    """
    steps = least * np.arange(len(places))
    return np.asarray(isotonic_regression(np.asarray(places) - steps).x) + steps


def choose_shades(count: int) -> Floats:
    """Choose a colour for each of ``count`` ordered lines, from dark to bright; shape (count, 4).

    The brightest has a contrast of 3 to 1 on white.
    """
    return colormaps["plasma"](np.linspace(0, _BRIGHTEST_SHADE, count))


def choose_two_hues(levels: Sequence[float], border: float) -> Floats:
    """Choose a colour for each of some rising levels: blues below a border, reds from it on.

    Seven shades of one scale are too alike for an eye to tell the lines apart.
    """
    below = sum(level < border for level in levels)
    halves = (("Blues", below), ("YlOrRd", len(levels) - below))
    return np.concatenate(
        [colormaps[name](np.linspace(_PALEST, 1, count)) for name, count in halves if count]
    )


def save_figure(
    figure: Figure,
    paths: Sequence[str | Path],
    provenance: Provenance,
    *,
    stand_ins: Sequence[str] = (),
) -> None:
    """Write a figure to each path, in the format of its ending, with its provenance.

    The same figure and provenance give the same bytes. A WebP, which the results page embeds, is
    half as large as the PNG, which must be among the paths. At the foot stand the data, with what
    samples are like and unlike, across the figure "sample data", and at the top ``stand_ins``.
    """
    footer = [
        provenance.format_footer(),
        *(f"sample of {each}: {fidelity}" for each, fidelity in select_fidelity(provenance)),
        *(f"stand-in: {each}" for each in stand_ins),
    ]
    write_margins(figure, footer, stand_ins)
    if provenance.is_sample:
        figure.text(
            0.5,
            0.5,
            "SAMPLE DATA",
            rotation=20,
            fontsize=4.5 * figure.get_figwidth(),
            color=RED,
            alpha=0.25,
            ha="center",
            va="center",
        )
    # Without ligatures, because Matplotlib would embed each ligature in a separate font.
    for text in figure.findobj(Text):
        text.set_fontfeatures(("-liga",))
    # One layout for all formats. Left to `savefig`, each format draws the figure twice.
    figure.set_dpi(mpl.rcParams["savefig.dpi"])
    if (layout := figure.get_layout_engine()) is not None:
        layout.execute(figure)
    figure.set_layout_engine(None)
    canvas = FigureCanvasAgg(figure)  # keeps what it has drawn for the PNG
    for path in sorted(map(Path, paths), key=lambda path: path.suffix == ".webp"):
        with write_atomically(path) as partial, _drop_font_tables():
            if path.suffix == ".webp":
                drawn = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
                drawn.reduce(2).save(partial, **_PAGE_PICTURE)
            else:
                dates = {"CreationDate": None, "ModDate": None} if path.suffix == ".pdf" else {}
                figure.savefig(partial, metadata=dates)


def write_margins(figure: Figure, footer: Sequence[str], stand_ins: Sequence[str] = ()) -> None:
    """Write note and origin below all else, and a label of stand-in data above.

    The layout keeps clear of both strips.
    """
    note = figure.get_supxlabel()
    figure.supxlabel("")
    height_pt = 72 * figure.get_figheight()
    bottom_pt = 2.0
    for text, size, letters, color in (
        ("\n".join(map(escape_text, footer)), _FOOTER_SIZE, _FOOTER_LETTERS_PER_IN, GREY),
        (note, _NOTE_SIZE, _NOTE_LETTERS_PER_IN, BLACK),
    ):
        width = int(letters * figure.get_figwidth())
        lines = [line for each in text.splitlines() for line in textwrap.wrap(each, width)]
        look: dict[str, Any] = {"fontsize": size, "color": color, "va": "bottom"}
        figure.text(_MARGIN, bottom_pt / height_pt, "\n".join(lines), **look)
        bottom_pt += _LINE_HEIGHT * size * len(lines)
    top_pt = _LINE_HEIGHT * _NOTE_SIZE if stand_ins else 0.0
    if stand_ins:
        look = {"fontsize": _NOTE_SIZE, "color": RED, "va": "top"}
        figure.text(_MARGIN, 1 - 1 / height_pt, STAND_IN_LABEL, **look)
    for legend in figure.legends:
        if legend.get_gid() == _ABOVE:  # the layout leaves it at the upper edge
            legend.borderaxespad += top_pt / mpl.rcParams["legend.fontsize"]
    if isinstance(layout := figure.get_layout_engine(), ConstrainedLayoutEngine):
        layout.set(rect=(0, bottom_pt / height_pt, 1, 1 - (bottom_pt + top_pt) / height_pt))


@contextmanager
def _drop_font_tables() -> Iterator[None]:
    """Embed fonts without their layout tables inside this block, which is faster.

    A PDF places letters itself, so that the tables (GDEF, GPOS, GSUB, kern) are not needed; cutting
    them down to a figure's letters takes longer than the rest of the font.  Matplotlib has no
    setting for it.
    """
    dropped = subset.Options._drop_tables_default
    subset.Options._drop_tables_default = [*dropped, *_LAYOUT_TABLES]
    try:
        yield
    finally:
        subset.Options._drop_tables_default = dropped


def iterate_looks(looks: Sequence[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Iterate over colours with a marker or dashes, without end.

    The given pairs come first.  Each later round pairs every colour with the next mark, so that
    with L pairs, L^2 lines have different looks.

    >>> list(itertools.islice(iterate_looks([("red", "o"), ("blue", "s")]), 4))
    [('red', 'o'), ('blue', 's'), ('red', 's'), ('blue', 'o')]
    """
    for shift in itertools.count():
        for place, (colour, _) in enumerate(looks):
            yield colour, looks[(place + shift) % len(looks)][1]


def assign_looks(
    known: Mapping[str, tuple[str, str]], names: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """Assign a colour and marker to each name: the known one, or else an unused one.

    No two of up to eleven further names have one colour, and none has that of a known one if others
    are left.
    """
    taken = {known[name][0] for name in names if name in known}
    free = iterate_looks([look for look in _FREE_LOOKS if look[0] not in taken] or _FREE_LOOKS)
    return {name: known[name] if name in known else next(free) for name in names}


def map_budgets(axis: Axes, budgets: ArrayLike, *, gap: float | None = None) -> dict[float, float]:
    """Map budgets (bits) to places along an axis, label them, and return the position of each.

    Budgets whose labels would collide stand at equal distances instead. The exact mean, an infinite
    budget, stands at the right: by ``gap``, or behind a dotted line by a quarter of their range.
    """
    finite = sorted({float(each) for each in np.ravel(budgets) if np.isfinite(each)})
    named = [f"{each:g}" for each in finite]
    places = finite
    has_line = gap is None
    if gap is None:
        gap = max(1.0, (finite[-1] - finite[0]) / 4) if len(finite) > 1 else 1.0
    room_in = _AXES_SHARE * _get_width_in(axis) / _count_columns(axis)
    if not _is_room(places, named, room_in, finite[-1] + gap if finite else 1.0):
        places, gap = [float(place) for place in range(len(finite))], max(1.0, len(finite) / 8)
        named = select_labels(axis, named, beyond=gap)
    right = (places[-1] if places else 0.0) + gap
    if has_line:
        axis.axvline(right - gap / 2, color=GREY, linewidth=0.5, linestyle=":")
    axis.set_xticks([*places, right], [*named, "exact\nmean"])
    return dict(zip(finite, places, strict=True)) | {math.inf: right}


def select_labels(axis: Axes, named: Sequence[str], *, beyond: float = 0.0) -> list[str]:
    """Leave out labels of ticks at 0, 1, ..., so that those that stay do not collide.

    The axis goes on by ``beyond`` after the last one.
    """
    room_in = _AXES_SHARE * _get_width_in(axis) / _count_columns(axis)
    most = max(map(len, named)) * _DIGIT_IN + _TICK_GAP_IN
    every = max(1, math.ceil(most * (len(named) - 1 + beyond) / room_in))
    return [name if place % every == 0 else "" for place, name in enumerate(named)]


def _get_width_in(axis: Axes) -> float:
    """Return the width in inches of the figure that an axes is in."""
    figure = axis.get_figure(root=True)
    return PAGE_WIDTH_IN if figure is None else float(figure.get_figwidth())


def _count_columns(axis: Axes) -> int:
    """Count the columns of the grid that an axes is in."""
    spec = axis.get_subplotspec()
    return 1 if spec is None else int(spec.get_gridspec().ncols)


def _is_room(places: Sequence[float], named: Sequence[str], room_in: float, right: float) -> bool:
    """Return whether labels of ticks fit beside each other between the first place and ``right``.

    A letter is taken for as wide as a digit, and a point for half of one.
    """
    if len(places) < 2:
        return True
    widths = [_DIGIT_IN * (len(name) - 0.5 * name.count(".")) for name in named]
    inches = room_in / (right - places[0])
    return all(
        (later - earlier) * inches >= (one + other) / 2 + _TICK_GAP_IN
        for (earlier, later), (one, other) in zip(
            itertools.pairwise(places), itertools.pairwise(widths), strict=True
        )
    )


def plot_intervals(
    axis: Axes,
    place: ArrayLike,
    games: pd.DataFrame,
    homes: pd.DataFrame | None = None,
    *,
    is_horizontal: bool = False,
    **look: Any,
) -> None:
    """Plot values with a thin bar over games, and a wide pale bar over homes if there is any."""

    def plot_error_bars(rows: pd.DataFrame, **style: Any) -> None:
        """Plot rows with error bars along the axis of the values."""
        value = rows["value"].to_numpy()
        if is_horizontal:
            axis.errorbar(value, place, xerr=_compute_bar_lengths(rows), **style)
        else:
            axis.errorbar(place, value, yerr=_compute_bar_lengths(rows), **style)

    plot_error_bars(games, **{"markersize": 2.8, "linewidth": 0.9, "elinewidth": 0.6, **look})
    if homes is not None and homes["low"].notna().any():
        plot_error_bars(homes, elinewidth=2.4, alpha=0.3, fmt="none", ecolor=look["color"])


def _compute_bar_lengths(rows: pd.DataFrame) -> Floats:
    """Compute the lengths of error bars to both sides, shape (2, P); 0 without an interval."""
    ends = np.abs(rows[["low", "high"]].to_numpy().T - rows["value"].to_numpy())
    return np.nan_to_num(ends)


def describe_bars(homes: pd.DataFrame) -> str:
    """Describe the bars, and for which n there are too few homes for a wide bar."""
    has_interval = homes["low"].notna().groupby(homes["n"]).any()
    missing = ", ".join(f"{n:g}" for n in has_interval.index[~has_interval])
    return (
        f"{BARS_TEXT}; none wide at n = {missing}: fewer than 2 n + 2 homes"
        if missing
        else BARS_TEXT
    )
