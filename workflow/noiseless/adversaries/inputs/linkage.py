"""Input of adversaries of the linkage game: training, reports and candidate trips.

1. :class:`LinkageTraining` is the mechanism, which it knows, and what places are like; it is fitted
   to them (:meth:`noiseless.adversaries.interface.Adversary.fit`).
2. :class:`LinkageView` is some reports, and the true trips of N people for each, one of whom
   made it.
"""

from dataclasses import dataclass, replace

import numpy as np

from noiseless.arrays import Floats
from noiseless.mechanisms.interface import Mechanism


@dataclass(frozen=True)
class LinkageTraining:
    """Training data of an adversary: the mechanism and typical places.

    Attributes
    ----------
    mechanism : Mechanism
        By which the reports are made.
    places_m : ndarray, shape (places, 2)
        Typical places, in metres.
    """

    mechanism: Mechanism
    places_m: Floats


@dataclass(frozen=True)
class LinkageView:
    """What an adversary sees: reports, and the people who may have made each of them.

    Attributes
    ----------
    reported_m : ndarray, shape (G, 2, 2)
        Reported start and end of a trip: end, then northward and eastward, in metres.
    people_m : ndarray, shape (G, N, 2, 2)
        True trips of the people of each report, in random order.
    """

    reported_m: Floats
    people_m: Floats

    def hide_values(self) -> "LinkageView":
        """Return the view of these people with all reports NaN, for controls."""
        return replace(self, reported_m=np.full_like(self.reported_m, np.nan))
