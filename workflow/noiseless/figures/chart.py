"""What a chart of the results page is: a Vega-Lite drawing, choices for a reader, and a sentence.

A paper's ``charts.py`` describes its charts.  :func:`chart_data` cuts the rows that a chart needs
out of the tables and turns the description into a Vega-Lite specification.  The reader's choices
are parameters of that specification, which Vega shows as labelled controls.  The page's script says
the sentence of every line at the chosen place.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import altair as alt
import pandas as pd

from noiseless.errors import ConfigError
from noiseless.figures.labels import in_order
from noiseless.tables import Provenance

Tables = Mapping[str, tuple[pd.DataFrame, Provenance]]

FORMATS: Final = ("number", "percent", "games", "count")
"""How a sentence writes a number: to three digits, as a percentage, an advantage as games won of
100, rounded to a whole number."""

_ESTIMATE = ("statistic", "value", "low", "high", "over")
_PLACEHOLDER = re.compile(r"{(\w+)(?::(\w+))?}")
_DIGITS = 6
# What is written from right to left, or turns the text around it.
_DIRECTED = re.compile("[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]")
_ROWS = alt.NamedData(name="rows")
# Colours are those of the page, which has others in the dark.
_COLOURS = [f"var(--line-{number})" for number in range(10)]
_GREY = "var(--soft)"
_DASHES = [[6, 3], [2, 3], [9, 3, 2, 3], [4, 6]]
_SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"]
_CONFIG: dict[str, Any] = {
    "background": "transparent",
    "axis": {
        **{f"{part}Color": "var(--ink)" for part in ("label", "title", "tick", "domain")},
        **{"gridColor": "var(--line)", "labelFontSize": 12, "titleFontSize": 13, "labelAngle": 0},
        **{"titleFontWeight": "normal", "labelOverlap": True},
    },
    "legend": {
        **{
            "labelColor": "var(--ink)",
            "labelFontSize": 13,
            "labelLimit": {"expr": "width - 20"},
            "symbolOpacity": 1,
        },
        **{"orient": "top", "columns": 1},
    },
    "view": {"stroke": "transparent"},
    "font": "system-ui, sans-serif",
}


@dataclass(frozen=True)
class Axis:
    """An axis of a chart.

    Attributes
    ----------
    column : str
        What runs along it: numbers or words.  Where a value is infinite, all stand at equal
        distances.  The vertical axis is that of ``value``.
    title : str
        With the unit.
    at : str
        How a sentence names a place; ``{}`` stands for the number.
    log : bool
        Whether it is logarithmic.
    """

    column: str
    title: str
    at: str = "{}"
    log: bool = False


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One interactive chart.

    Attributes
    ----------
    key : str
        Its name in an address.
    title : str
        The question that it answers.
    about : str
        What is shown and what the parameters mean for the person whose data it is.
    tables : mapping of str to mapping
        Names of tables, and columns to add to each (its dataset, where there are several).  Those
        that a run did not make are left out.
    statistics : mapping of str to str
        The statistics that are shown by what they are called.
    x, y : Axis
    line : str
        The column whose values are lines.
    says : str
        The sentence of a line: ``{name}`` is a column or a statistic of the row, one of ``value``,
        ``low``, ``high``, or ``at``, the chosen place; ``{name:format}`` has one of
        :data:`FORMATS`.
    names : mapping of value to str
        What the values of the columns are called, infinity included; words come in this order.
    choices : mapping of str to str
        Columns that a reader chooses one value of, and the labels of their controls; several
        statistics that are not the lines are such a column.
    first : mapping of str to value
        What is chosen at first, by the column.
    everywhere : tuple of str
        Lines that see nothing, or that others are held against: dashed, and shown at every place
        and choice, where the table does not tell them apart by it.
    ends : tuple of str
        Statistics that are the ends of the interval; without them the table's ``low``, ``high``.
    join : str
        A further table, whose statistics the sentence may use, by the columns that both have.
    empty : str
        What is said of a line without a value, as ``says``.
    prepare : function, optional
        Takes the rows, with the column ``table``, and returns those to show.
    """

    key: str
    title: str
    about: str
    tables: Mapping[str, Mapping[str, str]]
    statistics: Mapping[str, str]
    x: Axis
    y: Axis
    line: str
    says: str
    names: Mapping[Any, str] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    first: Mapping[str, Any] = field(default_factory=dict)
    everywhere: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    join: str = ""
    empty: str = ""
    prepare: Callable[[pd.DataFrame], pd.DataFrame] | None = None

    @property
    def uses(self) -> tuple[str, ...]:
        """Names of all tables that the chart reads where they are there."""
        return (*self.tables, *([self.join] if self.join else []))

    @property
    def further(self) -> list[str]:
        """Columns that the sentences use besides those of every chart."""
        found = [name for name, _ in _PLACEHOLDER.findall(self.says + self.empty)]
        return [name for name in dict.fromkeys(found) if name not in (*_ESTIMATE, "at")]


def chart_data(chart: Chart, tables: Tables) -> dict[str, Any] | None:
    """A chart with its numbers, as JSON holds it.

    Parameters
    ----------
    chart : Chart
    tables : mapping of str to (DataFrame, Provenance)
        Tidy tables by name; those that the chart does not name are ignored.

    Returns
    -------
    dict or None
        ``key``, ``title``, ``about``, ``says`` and ``empty`` of the chart; ``spec``, its
        Vega-Lite specification without data; ``columns``, the data (:func:`packed`), with words
        for what a reader chooses from; ``picks``, the columns of the choices.  None if no table of
        the chart is there.

    Raises
    ------
    ConfigError
        If a column or statistic that the chart names is not in a table, a format is unknown, or
        several rows fall on one point because no choice tells them apart.
    """
    for _, form in _PLACEHOLDER.findall(chart.says + chart.empty):
        if form and form not in FORMATS:
            raise ConfigError(
                f"chart `{chart.key}`: its sentence has the format `{form}`; there are "
                f"{', '.join(FORMATS)}."
            )
    parts = [_rows(chart, name, tables) for name in chart.tables if name in tables]
    if not parts:
        return None
    rows = pd.concat(parts, ignore_index=True)
    if chart.prepare is not None:
        rows = chart.prepare(rows)
    points = [chart.x.column, chart.line, *chart.choices]
    rows = _everywhere(chart, rows, points)
    twice = rows[rows.duplicated(points)]
    if len(twice):
        cell = ", ".join(f"{column} {twice.iloc[0][column]}" for column in points)
        raise ConfigError(
            f"chart `{chart.key}`: several rows of its tables have {cell}. Let the reader choose "
            "the column that tells them apart, or take rows away with `prepare`."
        )
    if chart.empty:
        lines = rows[[chart.line]].drop_duplicates()
        cells = rows[[name for name in points if name != chart.line]].drop_duplicates()
        rows = cells.merge(lines, how="cross").merge(rows, how="left", on=points)
    x = chart.x.column
    numeric = pd.api.types.is_numeric_dtype(rows[x]) and math.isfinite(rows[x].abs().max())
    labels = {
        column: _labels(chart, rows, column, distinct=not (numeric and column == x))
        for column in points
    }
    places = _places(chart, labels[x])
    order = list(labels[chart.line])
    rows = rows.sort_values(chart.line, key=lambda line: line.map(order.index), kind="stable")
    shown = rows.assign(
        **{name: rows[name].map(words) for name, words in labels.items()},
        at=rows[x].map(places),
    )
    if numeric:
        shown[x] = rows[x]
    picks = [*chart.choices, "at"]
    kept = dict.fromkeys([*points, *picks, "value", "low", "high", "sample", *chart.further])
    options = {name: list(labels[name].values()) for name in picks[:-1]}
    options["at"] = [place for place in places.values() if place]
    first = {name: labels[name].get(chart.first.get(name)) for name in picks[:-1]}
    first["at"] = places.get(chart.first.get(x))
    controls = {name: (given, first[name] or given[0]) for name, given in options.items()}
    return {
        **{name: getattr(chart, name) for name in ("key", "title", "about", "says", "empty")},
        "spec": _spec(
            chart, labels, controls, numeric=numeric, intervals=rows["low"].notna().any()
        ),
        "columns": {name: packed(shown[name]) for name in kept},
        "picks": picks,
    }


def _rows(chart: Chart, name: str, tables: Tables) -> pd.DataFrame:
    """The rows of a table that are shown, with what their sentences use."""
    table, provenance = tables[name]
    table = table.assign(**chart.tables[name])
    cell = [column for column in table if column not in _ESTIMATE]
    for column in (chart.x.column, chart.line, *chart.choices):
        _known(chart, name, column, [*cell, "statistic"])
    wide = table.pivot(index=cell, columns="statistic", values="value")
    shown = [statistic for statistic in chart.statistics if statistic in wide]
    if not shown:
        raise ConfigError(
            f"chart `{chart.key}`: the table {name} has none of the statistics "
            f"{', '.join(chart.statistics)}."
        )
    # A cell without the statistic has a row without a value, whose sentence may say why.
    rows = table[cell].drop_duplicates().join(wide[shown], on=cell)
    rows = rows.melt(id_vars=cell, var_name="statistic", value_name="value")
    ends = table.reindex(columns=[*cell, "statistic", "low", "high"])
    rows = rows.merge(ends, how="left", on=[*cell, "statistic"])
    for end, statistic in zip(("low", "high"), chart.ends, strict=False):
        _known(chart, name, statistic, wide)
        rows[end] = rows[cell].join(wide[statistic], on=cell)[statistic]
    joined = _joined(chart, cell, tables)
    for column in chart.further:
        if column in wide:
            rows = rows.join(wide[column], on=cell)
        elif column in joined:
            rows = rows.join(joined[column], on=list(joined.index.names))
        elif column not in cell and chart.join in ("", *tables):
            _known(chart, name, column, [*cell, *wide])
    return rows.assign(table=name, sample=provenance.is_sample).reindex(
        columns=[*dict.fromkeys([*rows, *chart.further]), "table", "sample"]
    )


def _joined(chart: Chart, cell: Iterable[str], tables: Tables) -> pd.DataFrame:
    """Statistics of the further table by the columns that it shares with the cells."""
    if chart.join not in tables:
        return pd.DataFrame()
    table = tables[chart.join][0]
    shared = [column for column in cell if column in table]
    return table.pivot(index=shared, columns="statistic", values="value")


def _known(chart: Chart, name: str, column: str, columns: Iterable[str]) -> None:
    """An error unless a table has a column or statistic."""
    if column not in columns:
        raise ConfigError(
            f"chart `{chart.key}`: the table {name} has no column or statistic `{column}`; "
            f"there are {', '.join(map(str, columns))}."
        )


def _everywhere(chart: Chart, rows: pd.DataFrame, points: Iterable[str]) -> pd.DataFrame:
    """The rows with those of some lines at every place and choice that does not tell them apart."""
    others = rows[~rows[chart.line].isin(chart.everywhere)]
    parts = [others]
    for line in chart.everywhere:
        part = rows[rows[chart.line] == line]
        for column in points:
            if column != chart.line and len(part[column].unique()) == 1 and len(others):
                values = others[[column]].drop_duplicates()
                part = part.drop(columns=column).merge(values, how="cross")
        parts.append(part[rows.columns])
    return pd.concat(parts, ignore_index=True)


def _labels(chart: Chart, rows: pd.DataFrame, column: str, *, distinct: bool) -> dict[Any, str]:
    """What each value of a column is called: numbers from small to large, words as named."""
    names = chart.statistics if column == "statistic" else chart.names
    if pd.api.types.is_numeric_dtype(rows[column]):
        labels = {value: names.get(value, _short(value)) for value in sorted(rows[column].unique())}
    else:
        ordered = in_order(names, rows[column])
        labels = {value: isolated(names.get(value, str(value))) for value in ordered}
    # Two values may not look like one: then each is called by itself.
    alike = distinct and len(set(labels.values())) < len(labels)
    return {value: str(value) for value in labels} if alike else labels


def _places(chart: Chart, labels: Mapping[Any, str]) -> dict[Any, str | None]:
    """What each place is called in a sentence: of several with one label, the nearest to it."""
    nearest: dict[str, Any] = {}
    for value, words in labels.items():
        if words not in nearest or abs(value - float(words.replace(",", ""))) < abs(
            nearest[words] - float(words.replace(",", ""))
        ):
            nearest[words] = value
    return {
        value: None
        if nearest[words] != value
        else words
        if value in chart.names
        else chart.x.at.format(words)
        for value, words in labels.items()
    }


def _spec(
    chart: Chart,
    labels: Mapping[str, Mapping[Any, str]],
    controls: Mapping[str, tuple[list[str], str]],
    *,
    numeric: bool,
    intervals: bool,
) -> dict[str, Any]:
    """The drawing in Vega-Lite, with a control (its options, the first choice) for each pick."""
    titles = {**chart.choices, "at": chart.x.title}
    params = [
        alt.param(
            f"pick_{name}",
            value=first,
            bind=alt.binding_select(options=options, name=titles[name]),
        )
        for name, (options, first) in controls.items()
    ]
    linear = alt.Scale(zero=False, nice=False)
    scale = alt.Scale(type="log", nice=False) if chart.x.log else linear
    x = alt.X(f"{chart.x.column}:Q", title=chart.x.title, scale=scale)
    if not numeric:
        x = alt.X(
            f"{chart.x.column}:O", title=chart.x.title, sort=list(labels[chart.x.column].values())
        )
    y = alt.Y("value:Q", title=chart.y.title).scale(type="log" if chart.y.log else "linear")
    color, dash, shape = _looks(chart, labels[chart.line])
    shown = alt.Chart(_ROWS)
    for name in controls:
        if name != "at":
            shown = shown.transform_filter(f"datum.{name} === pick_{name}")
    tooltip = [f"{chart.line}:N", "at:N", *(f"{end}:Q" for end in ("value", "low", "high"))]
    base = shown.encode(x=x, y=y, color=color, tooltip=tooltip)
    place = alt.Chart(_ROWS).transform_filter("datum.at === pick_at")
    sample = shown.transform_filter("datum.sample").transform_aggregate(rows="count()")
    bars = base.transform_filter("isValid(datum.low)").mark_rule(opacity=0.6)
    layers = alt.layer(
        place.transform_aggregate(rows="count()", groupby=[chart.x.column])
        .mark_rule(strokeDash=[5, 4], color="var(--soft)")
        .encode(x=x),
        # Without any interval there is no extent, which Vega would complain of.
        *([bars.encode(y=alt.Y("low:Q", title=chart.y.title), y2="high:Q")] if intervals else []),
        base.mark_line().encode(strokeDash=dash),
        base.mark_point(filled=True, size=60, opacity=1).encode(shape=shape),
        sample.mark_text(
            text="SAMPLE DATA", fontSize=26, fontWeight="bold", color="var(--differs)", opacity=0.2
        ).encode(x=alt.value(alt.expr("width / 2")), y=alt.value(alt.expr("height / 2"))),
    )
    drawn = layers.add_params(*params).properties(
        width="container", height=300, description=chart.title
    )
    return drawn.configure(**_CONFIG).to_dict()


def _looks(chart: Chart, labels: Mapping[Any, str]) -> tuple[alt.Color, alt.StrokeDash, alt.Shape]:
    """Colour, dashes and marker of each line; those that see nothing are grey and dashed."""
    lines, held = list(labels.values()), [line in chart.everywhere for line in labels]
    dashes, colours = itertools.cycle(_DASHES), itertools.cycle(_COLOURS)
    ranges = (
        [_GREY if control else next(colours) for control in held],
        [next(dashes) if control else [1, 0] for control in held],
        list(itertools.islice(itertools.cycle(_SHAPES), len(lines))),
    )
    color, dash, shape = (
        kind(f"{chart.line}:N", sort=None, title=None).scale(domain=lines, range=looks)
        for kind, looks in zip((alt.Color, alt.StrokeDash, alt.Shape), ranges, strict=True)
    )
    return color, dash, shape


def packed(values: pd.Series) -> dict[str, list[Any]]:
    """A column as JSON holds it: its different values, and the place of each row's among them.

    Numbers have six digits; infinite ones are ``"inf"`` and ``"-inf"``, missing ones None.
    """
    plain = [_plain(value) for value in values]
    places = {value: place for place, value in enumerate(dict.fromkeys(plain))}
    return {"of": list(places), "at": [places[value] for value in plain]}


def _short(number: float) -> str:
    """A number to three digits, without an exponent where that is short."""
    rounded = float(f"{number:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}"


def isolated(text: str) -> str:
    """A text that turns nothing around it, where it is written from right to left."""
    return f"\u2068{text}\u2069" if _DIRECTED.search(text) else text


def _plain(value: Any) -> str | int | float | bool | None:
    """A value that JSON can hold, to six digits."""
    value = value.item() if hasattr(value, "item") else value
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    value = float(f"{value:.{_DIGITS}g}")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
