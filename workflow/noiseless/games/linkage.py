"""The game of linking a reported trip to one of many people.

The adversary knows the true trips of N people and sees the report of one of them.

1. :func:`draw_people` draws the N people of each report, the one who made it first among them, and
   :class:`LineUp` shows them in random order: no person is named for a place in it.
2. :func:`linkage_adversaries` are who plays, and :func:`scores_of` is what one says of a line-up.
3. :class:`Linked` names the person of the largest score, and counts who was named rightly.
"""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.adversaries import linkage as players  # whose modules are loaded by name
from noiseless.adversaries.interface import Adversary, Game
from noiseless.adversaries.linkage.evidence import LinkageEvidence
from noiseless.adversaries.registry import adversaries_of
from noiseless.errors import ConfigError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LINKAGE = Game("link", players.__name__)
# The one who compares the mechanism's likelihoods: no adversary does better.
LIKELIHOOD = "likelihood"


def draw_people(rng: np.random.Generator, *, trips: int, people: int, reports: int) -> Ints:
    """Different trips for each report, each choice of them equally likely.

    Repetitions are drawn again until there are none.  No trip is treated unlike another in this,
    so that no choice is likelier than another.

    Parameters
    ----------
    rng : numpy.random.Generator
    trips : int
        The trips from which the people are drawn.
    people : int
        N, for each report.
    reports : int

    Returns
    -------
    ndarray of int, shape (reports, people)

    Raises
    ------
    ConfigError
        If there are fewer trips than people.
    """
    if trips < people:
        raise ConfigError(
            f"an adversary who knows {people} people needs as many trips, but there are {trips}. "
            "Give smaller `beyond.comparison.trips.people`, or more trips."
        )
    drawn = rng.integers(0, trips, (reports, people))
    first_key = np.arange(reports)[:, None] * trips  # so that reports share no key
    while True:
        keys = pd.Series((first_key + drawn).ravel())
        repeated = keys.duplicated().to_numpy().reshape(drawn.shape)
        if not repeated.any():
            return drawn
        drawn[repeated] = rng.integers(0, trips, int(repeated.sum()))


@dataclass(frozen=True)
class LineUp:
    """The people of each report, in random order.

    Attributes
    ----------
    people_m : ndarray, shape (G, N, 2, 2)
    mine : ndarray of int, shape (G,)
        Place of the one who made the report.
    """

    people_m: Floats
    mine: Ints

    @classmethod
    def draw(cls, rng: np.random.Generator, people_m: Floats) -> "LineUp":
        """The people of whom the first of each row made the report, in random order."""
        places = np.tile(np.arange(people_m.shape[1]), (len(people_m), 1))
        order = rng.permuted(places, axis=1)
        # Each coordinate of all people beside one another in memory, as likelihoods read them.
        of_each = np.moveaxis(people_m, (2, 3), (0, 1))
        shown = np.take_along_axis(of_each, order[None, None], axis=3)
        return cls(np.moveaxis(shown, (0, 1), (2, 3)), np.argmin(order, axis=1))


def linkage_adversaries() -> list[type[Adversary]]:
    """Adversaries who link reports to people, those of active plugins last.

    Raises
    ------
    ConfigError
        See :func:`noiseless.adversaries.registry.adversaries_of`.
    """
    return adversaries_of(LINKAGE)


def scores_of(adversary: Adversary, evidence: LinkageEvidence) -> Floats:
    """What a fitted adversary says of some line-ups, shape (G, N); a control is shown no report.

    Raises
    ------
    ConfigError
        If it does not answer with a number for each person.
    """
    scores = np.asarray(adversary.link(evidence.unseen() if adversary.is_control else evidence))
    shape = evidence.people_m.shape[:2]
    if scores.shape != shape or scores.dtype.kind not in "fiu" or np.isnan(scores).any():
        raise ConfigError(
            f"the adversary {adversary.name!r} must answer `link` with numbers of the shape "
            f"{shape} (reports, people), none of them NaN: the largest of a row names the person."
        )
    return scores


@dataclass
class Linked:
    """What came of the reports of one release, for one adversary and one number of people.

    Attributes
    ----------
    correct : list of ndarray of bool
        Whether each report was linked to who made it, some at a time.
    equals : int
        How many people had the largest score, summed over the reports.
    """

    correct: list[NDArray[np.bool_]] = field(default_factory=list)
    equals: int = 0

    def judge(self, scores: Floats, mine: Ints, coin: Floats) -> None:
        """Name the person of the largest score; a coin in [0, 1) decides among equals.

        Parameters
        ----------
        scores : ndarray, shape (G, N)
        mine : ndarray of int, shape (G,)
            Place of the right person.
        coin : ndarray, shape (G,)
        """
        largest = scores.max(axis=1)
        equals = (scores == largest[:, None]).sum(axis=1)
        my_score = np.take_along_axis(scores, mine[:, None], axis=1)[:, 0]
        self.correct.append((my_score == largest) & (coin * equals < 1))
        self.equals += int(equals.sum())
