"""What a chart of the results page is, and the few numbers of a table that it takes with it.

A chart is a description: which statistic of which tables stands against what, which columns a
reader chooses a value of, and the sentence that says in plain words what the chosen cell means.
:func:`chart_data` cuts the rows that it needs out of the tables; the scripts draw any of them.
The descriptions themselves are in :mod:`noiseless.page.charts`.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import pandas as pd

from noiseless.errors import ConfigError
from noiseless.labels import label, without_controls
from noiseless.tables import Provenance

Tables = Mapping[str, tuple[pd.DataFrame, Provenance]]

# How model.js writes a number into a sentence: to three digits, as a percentage, an advantage as
# games won of 100, a count, a number rounded to a whole one.
FORMATS = ("number", "percent", "games", "count", "whole")
_DIGITS = 6
# Columns of every chart's rows; the names that a sentence may use besides the table's own.
_OWN = ("statistic", "value", "low", "high", "over")
_PLACEHOLDER = re.compile(r"{(\w+)(?::(\w+))?}")


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A statistic that a chart shows.

    Attributes
    ----------
    statistic : str
        Its name in the table.
    name : str
        For a reader, within a sentence.
    label : str
        Of the axis, with the unit.
    low, high : str, optional
        Statistics that are the ends of its interval; without them the table's columns ``low`` and
        ``high``, where it has these.
    log : bool
        Whether its axis is logarithmic.
    """

    statistic: str
    name: str
    label: str
    low: str | None = None
    high: str | None = None
    log: bool = False


@dataclass(frozen=True, kw_only=True)
class Axis:
    """What runs along the bottom.

    Attributes
    ----------
    column : str
        A column that names a cell.  Its values are numbers, infinity included, or words.
    label : str
        Of the axis, with the unit.
    says : str
        How a sentence names a value; ``{}`` stands for the number.
    infinite : str
        What an infinite value is called.
    log : bool
        Whether the axis is logarithmic.
    """

    column: str
    label: str
    says: str
    infinite: str = "unlimited"
    log: bool = False


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A column that a reader chooses one value of.

    Attributes
    ----------
    column : str
        ``statistic`` for the choice of a measure.
    label : str
        Of the control.
    names : mapping
        What values are called; a value without a name is called by itself.  Values come in this
        order.
    first : str or number, optional
        What is chosen at first, if it is there.
    """

    column: str
    label: str
    names: Mapping[Any, str] = field(default_factory=dict)
    first: str | float | None = None


@dataclass(frozen=True, kw_only=True)
class Series(Choice):
    """The column whose values are lines; a reader shows and hides them.

    Attributes
    ----------
    controls : tuple of str
        Values that see nothing, or that all others are to be held against: dashed, never the
        best, and shown whatever else is chosen, where the table does not tell them apart by it.
    hidden : tuple of str
        Values that are hidden at first.
    """

    controls: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Best:
    """The sentence is about one line alone: that with the largest value.

    Attributes
    ----------
    baseline : float
        What knowing nothing is worth.
    above, within, below : str
        What follows, by where the interval of that line lies against the baseline.
    """

    baseline: float
    above: str
    within: str
    below: str


@dataclass(frozen=True, kw_only=True)
class Stronger:
    """Adversaries of other tables, for whom the sentence about the best line is not the last word.

    Attributes
    ----------
    tables : mapping of str to mapping
        As :attr:`Chart.tables`; those that a run did not make are left out.
    on : tuple of str
        Columns by whose values the cells of the chart and of these tables belong together.
    column : str
        The column that names the adversaries.
    names : mapping
        What these are called.
    longest : str
        Only the rows with the largest value in this column count, where a table has it.
    sentence : str
        What is said if the strongest of them is above the best line: ``{stronger}`` is its name,
        ``{stronger_value}`` its value.
    """

    tables: Mapping[str, Mapping[str, str]]
    on: tuple[str, ...]
    column: str
    names: Mapping[str, str]
    longest: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One interactive chart.

    Attributes
    ----------
    key : str
        Its name in an address.
    paper : str
        The paper's key.
    title : str
        The question that it answers.
    about : str
        What is shown and what the parameters mean for the person whose data it is.
    tables : mapping of str to mapping
        Names of tables, and columns to add to each (its dataset, where there are several).  Those
        that a run did not make are left out.
    measures : tuple of Measure
        One, or several for the reader to choose from (a choice of the column ``statistic``), or
        several that are the lines (then the series has that column).
    x : Axis
        Along the bottom.
    sentence : str
        One for each shown line, or for the best.  ``{name}`` is a column or a statistic of the
        cell, or one of ``value``, ``low``, ``high``; ``{name:format}`` has one of
        :data:`FORMATS`.
    series : Series, optional
        Without it there is one line.
    choices : tuple of Choice
        Further columns that tell cells apart.
    where : mapping of str to tuple
        Column -> the values of the rows to show.
    without : mapping of str to tuple
        Column -> the values of the rows not to show.
    best : Best, optional
        See there.
    reference : Measure, optional
        A statistic of the same cells, drawn beside the lines.
    picked : str or number, optional
        Where on the axis the sentence is about at first.
    join : tuple of (str, str), optional
        A further table and the column that it shares, for the sentence.
    empty : str
        Why a line has no value at the chosen place, as a sentence like ``sentence``; without it
        only that no line has one is said.
    words : mapping of str to mapping
        What values of further columns are called in the sentence.
    stronger : Stronger, optional
        See there.
    """

    key: str
    paper: str
    title: str
    about: str
    tables: Mapping[str, Mapping[str, str]]
    measures: tuple[Measure, ...]
    x: Axis
    sentence: str
    series: Series | None = None
    choices: tuple[Choice, ...] = ()
    where: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    without: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    best: Best | None = None
    reference: Measure | None = None
    picked: str | float | None = None
    join: tuple[str, str] | None = None
    empty: str = ""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    stronger: Stronger | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Columns and statistics that the sentences use."""
        found = _PLACEHOLDER.findall(self.sentence + self.empty)
        return tuple(dict.fromkeys(name for name, _ in found))

    @property
    def uses(self) -> tuple[str, ...]:
        """Names of all tables that the chart reads where they are there."""
        further = () if self.stronger is None else tuple(self.stronger.tables)
        joined = () if self.join is None else self.join[:1]
        return tuple(dict.fromkeys([*self.tables, *joined, *further]))


def chart_data(chart: Chart, tables: Tables) -> dict[str, Any] | None:
    """A chart's description with its numbers, as JSON holds it.

    Parameters
    ----------
    chart : Chart
    tables : mapping of str to (DataFrame, Provenance)
        Tidy tables by name; those that the chart does not name are ignored.

    Returns
    -------
    dict or None
        The description; ``columns``, with an entry for each cell and measure (see
        :func:`packed`); ``options``, the values that a reader chooses from, in order; and
        ``sources``, the tables, which the column ``source`` numbers, and the one that was joined.
        None if no table of the chart is there.

    Raises
    ------
    ConfigError
        If a column or statistic that the chart names is not in a table, a format is unknown, or
        several rows fall on one point because a column that tells them apart is neither chosen
        nor restricted.
    """
    for _, form in _PLACEHOLDER.findall(chart.sentence + chart.empty):
        if form and form not in FORMATS:
            raise ConfigError(
                f"chart `{chart.key}`: its sentence has the format `{form}`; there are "
                f"{', '.join(FORMATS)}."
            )
    present = [name for name in chart.tables if name in tables]
    if not present:
        return None
    rows = pd.concat(
        [
            _long(chart, name, tables[name][0], tables).assign(source=number)
            for number, name in enumerate(present)
        ],
        ignore_index=True,
    )
    points = _points(chart)
    twice = rows[rows.duplicated(points)]
    if len(twice):
        cell = ", ".join(f"{column} {twice.iloc[0][column]}" for column in points)
        raise ConfigError(
            f"chart `{chart.key}`: several rows of its tables have {cell}. Let the reader choose "
            "the column that tells them apart, or restrict it with `where`."
        )
    rows = _with_stronger(chart, rows, tables)
    return {
        **asdict(chart),
        "columns": {column: packed(rows[column]) for column in rows},
        "options": {column: _options(chart, rows, column, tables) for column in points},
        "sources": [_source(chart, name, tables) for name in _own_tables(chart) if name in tables],
    }


def _own_tables(chart: Chart) -> list[str]:
    """The tables that the chart's lines and sentences are of."""
    return [*chart.tables, *([] if chart.join is None else chart.join[:1])]


def _with_stronger(chart: Chart, rows: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """The rows with the strongest adversary of other tables at each: its name, and its value."""
    if chart.stronger is None:
        return rows
    stronger, [measure] = chart.stronger, chart.measures
    parts = []
    for name, constants in stronger.tables.items():
        if name not in tables:
            continue
        table = tables[name][0]
        if stronger.longest in table:
            table = table[table[stronger.longest] == table[stronger.longest].max()]
        table = table[table["statistic"] == measure.statistic].dropna(subset=["value"])
        seeing = without_controls(table[stronger.column].unique())
        table = table[table[stronger.column].isin(set(seeing) - {"any"})]
        parts.append(table.assign(**constants)[[*stronger.on, stronger.column, "value"]])
    if not parts:
        return rows
    found = pd.concat(parts).sort_values("value").drop_duplicates([*stronger.on], keep="last")
    found[stronger.column] = [label(stronger.names, name) for name in found[stronger.column]]
    named = {stronger.column: "stronger", "value": "stronger_value"}
    joined = rows.merge(found.rename(columns=named), on=[*stronger.on], how="left")
    # Packed as JSON, what is missing is None.
    joined["stronger"] = joined["stronger"].astype(object).where(joined["stronger"].notna(), None)
    return joined


def packed(values: pd.Series) -> dict[str, Any]:
    """A column as JSON holds it, in the shortest of three ways.

    ``same``: its only value; ``all``: every value; ``of`` and ``at``: its different values, and the
    place of each row's among them.  Numbers have six digits; infinite ones are ``"inf"`` and
    ``"-inf"``, missing ones None.
    """
    plain = [_plain(value) for value in values]
    different = list(dict.fromkeys(plain))
    if len(different) == 1:
        return {"same": different[0]}
    if len(different) > len(plain) / 3:
        return {"all": plain}
    places = {value: place for place, value in enumerate(different)}
    return {"of": different, "at": [places[value] for value in plain]}


def _options(chart: Chart, rows: pd.DataFrame, column: str, tables: Tables) -> list[Any]:
    """Values of a column: numbers from small to large, others as named, then as in the tables."""
    if pd.api.types.is_numeric_dtype(rows[column]):
        return [_plain(value) for value in sorted(rows[column].unique())]
    named = [
        *(each.statistic for each in chart.measures if column == "statistic"),
        *(
            name
            for each in (chart.series, *chart.choices)
            if each is not None and each.column == column
            for name in each.names
        ),
    ]
    shown = [tables[name][0] for name in chart.tables if name in tables]
    order = [*named, *(value for table in shown if column in table for value in table[column])]
    there = set(rows[column])
    # What was added to a table, such as its dataset, is in none of them.
    return [value for value in dict.fromkeys([*order, *rows[column]]) if value in there]


def _source(chart: Chart, name: str, tables: Tables) -> dict[str, Any]:
    _, provenance = tables[name]
    return {
        "table": name,
        "dataset": provenance.dataset,
        "tier": provenance.tier,
        "sample": provenance.is_sample,
        "joined": name not in chart.tables,
    }


def _points(chart: Chart) -> list[str]:
    """Columns that tell the points of a chart apart."""
    chosen = [choice.column for choice in chart.choices]
    lines = [] if chart.series is None else [chart.series.column]
    return list(dict.fromkeys([chart.x.column, *lines, *chosen, "statistic"]))


def _long(chart: Chart, name: str, table: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """One row per cell and measure: what tells points apart, value, low, high, and what else."""
    for column, wanted in chart.where.items():
        table = table[_column(chart, name, table, column).isin(wanted)]
    for column, unwanted in chart.without.items():
        table = table[~_column(chart, name, table, column).isin(unwanted)]
    cell = [column for column in table if column not in _OWN]
    values = table.pivot(index=cell, columns="statistic", values="value")
    lows, highs = (
        table.pivot(index=cell, columns="statistic", values=column) if column in table else None
        for column in ("low", "high")
    )
    parts = []
    for measure in chart.measures:
        if measure.statistic not in values:
            continue
        part = pd.DataFrame({"statistic": measure.statistic, "value": values[measure.statistic]})
        for end, own, all_ends in (("low", measure.low, lows), ("high", measure.high, highs)):
            if own is not None:
                part[end] = _column(chart, name, values, own)
            else:
                part[end] = math.nan if all_ends is None else all_ends[measure.statistic]
        parts.append(part)
    if not parts:
        raise ConfigError(
            f"chart `{chart.key}`: the table {name} has none of the statistics "
            f"{', '.join(each.statistic for each in chart.measures)}."
        )
    shown = pd.concat(parts)
    # Further statistics of the cell: drawn beside the lines, or said in the sentence.
    joined = _joined(chart, tables)
    named_elsewhere = {*cell, *_OWN, *chart.tables[name], *joined}
    further = [*chart.names, *([] if chart.reference is None else [chart.reference.statistic])]
    for column in further:
        if column not in named_elsewhere:
            shown[column] = _column(chart, name, values, column).reindex(shown.index)
    shown = shown.reset_index().assign(**chart.tables[name])
    if chart.join is not None:
        shown = shown.join(joined, on=chart.join[1])
    kept = list(dict.fromkeys([*_points(chart), "value", "low", "high", *further]))
    return pd.DataFrame({column: _column(chart, name, shown, column) for column in kept})


def _joined(chart: Chart, tables: Tables) -> pd.DataFrame:
    """Statistics that the sentence asks for of the table to join, by the shared column."""
    if chart.join is None:
        return pd.DataFrame()
    table, on = chart.join
    if table not in tables:
        return pd.DataFrame()
    wide = tables[table][0].pivot(index=on, columns="statistic", values="value")
    return wide[[name for name in wide if name in chart.names]]


def _column(chart: Chart, name: str, table: pd.DataFrame, column: str) -> pd.Series:
    if column not in table:
        raise ConfigError(
            f"chart `{chart.key}`: the table {name} has no column or statistic `{column}`; "
            f"there are {', '.join(map(str, table.columns))}."
        )
    return table[column]


def _plain(value: Any) -> str | int | float | bool | None:
    """A value that JSON can hold, to six digits."""
    if isinstance(value, str):
        return value
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        value = float(f"{value:.{_DIGITS}g}")
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value
