"""Tables for figures to draw, and what an axis then shows, as plain numbers."""

import itertools
import json

import numpy as np
import pandas as pd

from wide_table import chosen


def tidy(*statistics, unit=1.0, **columns):
    """A table of every statistic at every combination of values; no two of its values are alike.

    The ends of the interval of the k-th value, ``unit * k``, are a quarter of a unit below it and
    half a unit above.
    """
    rows = list(itertools.product(statistics, *columns.values()))
    table = pd.DataFrame(rows, columns=["statistic", *columns])
    value = unit * np.arange(1.0, len(rows) + 1)
    return table.assign(value=value, low=value - unit / 4, high=value + unit / 2, over="homes")


def alike(table, *statistics, by=()):
    """The table with one value of each of some statistics, or one for each value of ``by``."""
    mine = table["statistic"].isin(statistics)
    first = table[mine].groupby(["statistic", *by], sort=False)["value"].transform("first")
    return table.assign(value=table["value"].mask(mine, first))


def points(table, x, **where):
    """Places and values of the rows with some values in some columns."""
    table = chosen(table, **where)
    return list(zip(table[x].tolist(), table["value"].tolist(), strict=True))


def shown(axis):
    """Places and values of each line that an axis names, those with error bars too."""
    found = {}
    for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
        line = handle[0] if isinstance(handle, tuple) else handle
        if hasattr(line, "get_xydata"):
            found[label] = [tuple(each) for each in line.get_xydata().tolist()]
    return found


def printed(table, statistic, *numbers):
    """A table ``<paper>/printed`` of (columns with lists of values, number)."""
    rows = [
        ("a-claim", "a/figure", table, json.dumps(where), statistic, number, number)
        for where, number in numbers
    ]
    columns = ["claim", "figure", "table", "where", "statistic", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def ends(axis):
    """Both ends of each vertical error bar of an axis that names its line, by the label."""
    return {
        label: [tuple(segment[:, 1].tolist()) for segment in handle[2][0].get_segments()]
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
        if isinstance(handle, tuple) and handle[2]
    }
