"""Figures of any two blurred numbers: those of weight and height under other names."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure
from numpy.polynomial import Polynomial

from noiseless.papers.nsht.figures import blurring
from noiseless.papers.nsht.quantities import Quantities

_MARGIN = 0.04  # of the picture, around the people


def fig4(budget: pd.DataFrame, enclosure: pd.DataFrame, *, quantities: Mapping[str, str]) -> Figure:
    """Privacy budget against accuracy; see :func:`noiseless.papers.nsht.figures.blurring.fig4`.

    Parameters
    ----------
    budget, enclosure : DataFrame
        Tables ``own/<dataset>/blurring_budget`` and ``blurring_enclosure``.
    quantities : mapping
        Fields of :class:`~noiseless.papers.nsht.quantities.Quantities`.
    """
    return blurring.fig4(budget, enclosure, quantities=Quantities(**quantities))


def fig5(
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
        Tables ``own/<dataset>/blurring_histogram`` and ``blurring_people``.
    quantities : mapping
        Fields of :class:`~noiseless.papers.nsht.quantities.Quantities`.
    threshold : sequence of float
        Coefficients of the polynomial, drawn as a line.
    bin_size : pair of float
        The size of a bin.
    """
    names = Quantities(**quantities)
    plain = names.plain(histogram)
    window = []
    for key, size in zip(("x1", "x2"), bin_size, strict=True):
        low, high = plain[key].min(), plain[key].max() + size
        margin = _MARGIN * (high - low)
        window.append((low - margin, high + margin))
    return blurring.draw_histograms(
        histogram,
        people,
        quantities=names,
        threshold=Polynomial(list(threshold)),
        bin_size=tuple(bin_size),
        window=tuple(window),
    )


def fig5_people(people: pd.DataFrame, *, quantities: Mapping[str, str]) -> Figure:
    """People moved, and people proven above, as in the blurring of the survey.

    Parameters
    ----------
    people : DataFrame
        Table ``own/<dataset>/blurring_people``.
    quantities : mapping
        Fields of :class:`~noiseless.papers.nsht.quantities.Quantities`.
    """
    return blurring.fig5_people(people, quantities=Quantities(**quantities))
