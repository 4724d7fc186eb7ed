"""Blurring (:mod:`noiseless.papers.nsht.blurring`) any two numbers of any people.

Accuracies have a unit, so those of the survey would mean nothing: they are taken as portions of the
public range, unless they are given.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from noiseless.errors import ConfigError
from noiseless.mechanisms.blurring import PolynomialThreshold, PublicRange, decimal_threshold
from noiseless.papers.nsht import blurring
from noiseless.papers.nsht.quantities import Quantities
from noiseless.settings import log_grid

_ABOVE = "above-threshold"


def people_settings(
    people: Mapping[str, Any], experiment: Mapping[str, Any], *, section: str = "data.people"
) -> dict[str, Any]:
    """Settings of :func:`people_tables` and of the figures, from two sections of the configuration.

    What the first section does not give is taken from ``nsht.blurring``, in portions of the public
    range: where an accuracy there is a tenth of the range of weight, it is here a tenth of that of
    x1.

    Parameters
    ----------
    people : mapping
        A dataset of kind ``people``.
    experiment : mapping
        ``nsht.blurring``.
    section : str
        Where the configuration gives ``people``, for messages.

    Raises
    ------
    ConfigError
        If a range is empty, the threshold leaves the range of x1, or two columns of a table would
        have the same name.
    """
    x1, x2 = people["x1"], people["x2"]
    box = PublicRange(*zip(x1["range"], x2["range"], strict=True))
    per_x1 = _width(x1["range"]) / _width(experiment["weight_range_kg"])
    per_x2 = _width(x2["range"]) / _width(experiment["height_range_cm"])

    def scaled(rho: float) -> float:
        return float(Fraction(str(rho)) / per_x1)

    grid, bins = experiment["rho_per_kg"], experiment["histogram_bin"]
    quantities = {
        "x1": x1["column"],
        "x1_unit": x1["unit"],
        "x2": x2["column"],
        "x2_unit": x2["unit"],
        "above": people.get("above") or _ABOVE,
    }
    Quantities(**quantities).column_names()
    settings = {
        "quantities": quantities,
        "lower": list(box.lower),
        "upper": list(box.upper),
        "threshold": list(people["threshold"]),
        "rho": log_grid(**people["rho"])
        if people.get("rho")
        else [scaled(each) for each in log_grid(**grid)],
        "histogram_rho": list(
            people.get("histogram_rho")
            or [scaled(each) for each in experiment["histogram_rho_per_kg"]]
        ),
        "bin_size": list(
            people.get("histogram_bin")
            or [bins["weight_kg"] * float(per_x1), bins["height_cm"] * float(per_x2)]
        ),
        "enclosure": {
            "rho": [scaled(each) for each in experiment["enclosure"]["rho_per_kg"]],
            "cells": list(experiment["enclosure"]["cells"]),
        },
    }
    require_inside(decimal_threshold(settings["threshold"]), box, section=section)
    return settings


def _width(interval: Sequence[float]) -> Fraction:
    """Exactly as written: a portion of it may be a round number."""
    low, high = (Fraction(str(end)) for end in interval)
    return high - low


def require_inside(threshold: PolynomialThreshold, box: PublicRange, *, section: str) -> None:
    """Check that the threshold lies in the range of x1 for every x2 in its range.

    Where it does not, or is the lower end, there is only one side, and nothing that the blurring
    could hide.  It may touch an end for some x2, but not be the end for all of them: at the upper
    end p0 is a single number, which no range of reports can stand for.

    Raises
    ------
    ConfigError
        Says how far the threshold goes.
    """
    ends = (np.array([[end[1]]], dtype=float) for end in (box.lower, box.upper))
    low, high = (float(each[0]) for each in threshold.bounds(*ends))
    if low < box.lower[0] or high > box.upper[0] or box.lower[0] == high or low == box.upper[0]:
        raise ConfigError(
            f"{section}.threshold: over the range [{box.lower[1]:g}, {box.upper[1]:g}] of x2 the "
            f"threshold goes from {low:g} to {high:g}, which leaves the range [{box.lower[0]:g}, "
            f"{box.upper[0]:g}] of x1 or is its end. Widen {section}.x1.range, or narrow "
            f"{section}.x2.range."
        )


def people_tables(
    people: pd.DataFrame,
    *,
    quantities: Mapping[str, str],
    lower: Sequence[float],
    upper: Sequence[float],
    threshold: Sequence[float],
    rho: Sequence[float],
    histogram_rho: Sequence[float],
    bin_size: Sequence[float],
    enclosure: Mapping[str, Any],
) -> dict[str, pd.DataFrame]:
    """All tables of the blurring experiment, under the names of the two numbers.

    Parameters
    ----------
    people : DataFrame
        ``x1``, which is blurred, and ``x2``.
    quantities : mapping
        Fields of :class:`~noiseless.papers.nsht.quantities.Quantities`.
    lower, upper : pair of float
        Ends of the public ranges of x1 and x2.
    threshold : sequence of float
        Coefficients c0, c1, ...: a person is above if x1 >= c0 + c1 x2 + c2 x2^2 + ...
    rho, histogram_rho : sequence of float
        Accuracies, in one over the unit of x1: of the curves, and of the histograms.
    bin_size : pair of float
        The size of a bin of the histogram.
    enclosure : mapping
        ``rho`` and ``cells`` of the certified bounds.

    Returns
    -------
    dict
        ``budget``, ``enclosure``, ``people`` and ``histogram``.
    """
    g, box = decimal_threshold(threshold), PublicRange(tuple(lower), tuple(upper))
    records = people[["x1", "x2"]].to_numpy(dtype=float)
    both = sorted({*map(float, rho), *map(float, histogram_rho)})
    policies = blurring.coordinate_policies()
    tables = {
        "budget": blurring.guarantees(g, box, both, policies),
        "enclosure": blurring.enclosures(g, box, enclosure["rho"], enclosure["cells"]),
        "people": blurring.outcomes(records, g, box, both, bin_size, policies),
        "histogram": blurring.histograms(records, g, box, histogram_rho, bin_size, policies),
    }
    named = Quantities(**quantities)
    return {name: named.named(table) for name, table in tables.items()}
