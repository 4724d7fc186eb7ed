"""Linkage game: the adversary links a reported trip to one of many people.

The adversary knows the true trips of N people and sees the report of one of them.

1. :func:`draw_people` draws the N people of each report, the one who made it first among them, and
   :class:`CandidateSet` shuffles them, so that their order reveals nothing.
2. :func:`ask_scores` asks an adversary of :data:`LINKAGE` for its scores.
3. :class:`LinkageTally` names the person with the largest score, and records whether this was
   correct.
"""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from noiseless.adversaries import linkage as players  # whose modules are loaded by name
from noiseless.adversaries.inputs.linkage import LinkageView
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.registry import Game
from noiseless.arrays import Bools, Floats, Ints
from noiseless.errors import ConfigError

LINKAGE = Game("link", players.__name__)
# Name of the adversary that compares the mechanism's likelihoods: no adversary does better.
LIKELIHOOD = "likelihood"


def draw_people(rng: np.random.Generator, *, trips: int, people: int, reports: int) -> Ints:
    """Draw distinct trips for each report, uniformly; shape (reports, people).

    Repetitions are drawn again until there are none.  All trips are treated alike, so that all
    choices are equally likely.  Fewer trips than people are a ConfigError.
    """
    if trips < people:
        raise ConfigError(
            f"`people` must be at most the number of trips, {trips}, got {people}. Give smaller "
            "`beyond.comparison.trips.people`, or more trips."
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
class CandidateSet:
    """Candidates of each report, in random order, and the position of the one who made it.

    Their true trips, shape (G, N, 2, 2), are start and end, x and y, in m.
    """

    people_m: Floats
    true_index: Ints

    @classmethod
    def draw(cls, rng: np.random.Generator, people_m: Floats) -> "CandidateSet":
        """Shuffle the candidates of each report, of whom the first made the report."""
        places = np.tile(np.arange(people_m.shape[1]), (len(people_m), 1))
        order = rng.permuted(places, axis=1)
        # Likelihoods read one coordinate of all people at a time, so keep these next to each other.
        of_each = np.moveaxis(people_m, (2, 3), (0, 1))
        shown = np.take_along_axis(of_each, order[None, None], axis=3)
        return cls(np.moveaxis(shown, (0, 1), (2, 3)), np.argmin(order, axis=1))


def ask_scores(adversary: Adversary, view: LinkageView) -> Floats:
    """Ask a fitted adversary for its scores of the candidates, shape (G, N).

    A control is shown no report.  An answer without a number for each person is a ConfigError.
    """
    scores = np.asarray(adversary.link(view.hide_values() if adversary.is_control else view))
    shape = view.people_m.shape[:2]
    if scores.shape != shape or scores.dtype.kind not in "fiu" or np.isnan(scores).any():
        raise ConfigError(
            f"the adversary {adversary.name!r} must answer `link` with numbers of the shape "
            f"{shape} (reports, people), none of them NaN: the largest of a row names the person."
        )
    return scores


@dataclass
class LinkageTally:
    """Tally of the linked reports of one release, for one adversary and one number of people.

    ``correct`` has a batch in each array; ``n_top_scores`` are the candidates with the largest
    score, summed over the reports.
    """

    correct: list[Bools] = field(default_factory=list)
    n_top_scores: int = 0

    def judge(self, scores: Floats, mine: Ints, coin: Floats) -> None:
        """Record whether the candidate with the largest score made the report.

        ``coin``, random numbers in [0, 1), decides between candidates with equal scores; ``mine``
        is the position of the candidate who made the report.
        """
        largest = scores.max(axis=1)
        equals = (scores == largest[:, None]).sum(axis=1)
        my_score = np.take_along_axis(scores, mine[:, None], axis=1)[:, 0]
        self.correct.append((my_score == largest) & (coin * equals < 1))
        self.n_top_scores += int(equals.sum())
