"""Figures of blurred data of the user's; those of meters and trips are the papers' own."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure
from numpy.polynomial import Polynomial

from noiseless.figures.nsht import blurring as nsht
from noiseless.quantities import Quantities

_MARGIN = 0.04  # of the picture, around the people


def people_budget(
    budget: pd.DataFrame, enclosure: pd.DataFrame, *, quantities: Mapping[str, str]
) -> Figure:
    """Privacy budget against accuracy; see :func:`noiseless.figures.nsht.blurring.fig4`.

    Parameters
    ----------
    budget, enclosure : DataFrame
        Tables ``own/people_budget`` and ``own/people_enclosure``.
    quantities : mapping
        Fields of :class:`~noiseless.quantities.Quantities`.
    """
    return nsht.fig4(budget, enclosure, quantities=Quantities(**quantities))


def people_histogram(
    histogram: pd.DataFrame,
    people: pd.DataFrame,
    *,
    quantities: Mapping[str, str],
    threshold: Sequence[float],
    bin_size: Sequence[float],
) -> Figure:
    """Histograms of the reports, cut to where people are.

    Parameters
    ----------
    histogram, people : DataFrame
        Tables ``own/people_histogram`` and ``own/people_moved``.
    quantities : mapping
        Fields of :class:`~noiseless.quantities.Quantities`.
    threshold : sequence of float
        Coefficients of the polynomial, drawn as a line.
    bin_size : pair of float
        Of a bin.
    """
    names = Quantities(**quantities)
    plain = names.plain(histogram)
    window = []
    for key, size in zip(("x1", "x2"), bin_size, strict=True):
        low, high = plain[key].min(), plain[key].max() + size
        margin = _MARGIN * (high - low)
        window.append((low - margin, high + margin))
    return nsht.draw_histograms(
        histogram,
        people,
        quantities=names,
        threshold=Polynomial(list(threshold)),
        bin_size=tuple(bin_size),
        window=tuple(window),
    )


def people_moved(people: pd.DataFrame, *, quantities: Mapping[str, str]) -> Figure:
    """People moved, and people proven above, as in the blurring of the survey.

    Parameters
    ----------
    people : DataFrame
        Table ``own/people_moved``.
    quantities : mapping
        Fields of :class:`~noiseless.quantities.Quantities`.
    """
    return nsht.fig5_people(people, quantities=Quantities(**quantities))
