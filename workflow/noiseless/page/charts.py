"""The charts of the results page, in the order in which a reader is offered them.

They are those whose question no figure answers for a reader's own cell.  Each is described beside
the figures of its paper, in ``figures/charts.py`` (:mod:`noiseless.figures.chart`).
"""

from importlib import import_module
from pathlib import Path

from noiseless import papers  # whose modules are loaded by name
from noiseless.figures.labels import in_order
from noiseless.page.words import PAPERS

_WITH_CHARTS = sorted(
    path.parents[1].name for path in Path(papers.__path__[0]).glob("*/figures/charts.py")
)

CHARTS = tuple(
    chart
    for paper in in_order(PAPERS, _WITH_CHARTS)
    for chart in import_module(f"{papers.__name__}.{paper}.figures.charts").CHARTS
)
