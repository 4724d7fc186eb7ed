"""The charts of the results page, in the order in which a reader is offered them.

They are those whose question no figure answers for a reader's own cell.  Each is described beside
the figures of its paper (:mod:`noiseless.figures.chart`).
"""

from noiseless.figures.beyond import charts as beyond
from noiseless.figures.knowledge import charts as knowledge
from noiseless.figures.noiseless import charts as noiseless
from noiseless.figures.prrelation import charts as prrelation

CHARTS = (
    *noiseless.CHARTS,
    *prrelation.CHARTS,
    *knowledge.CHARTS,
    *beyond.CHARTS,
)
