"""Interface of adversaries: training, and one method for each game that they can play.

1. :meth:`Adversary.fit` trains the adversary, if it learns anything.
2. One method answers the question of each game: which of two candidates is a member
   (:meth:`Adversary.prefer`), when an appliance is on (:meth:`Adversary.states`), which of many
   people made a report (:meth:`Adversary.link`).

An adversary plays the games whose methods it overrides, one or several.
"""

from typing import Any, ClassVar, Self

from noiseless.adversaries.inputs.appliances import Guess, MeterReports
from noiseless.adversaries.inputs.linkage import LinkageView
from noiseless.adversaries.inputs.membership import MembershipView
from noiseless.arrays import Floats


class Adversary:
    """Base class of adversaries, who infer something about people from a release.

    Attributes
    ----------
    name : str
        Name in tables.
    label : str
        Label in figures and pages.
    order : int
        Sort key of the adversary in tables and figures.
    is_control : bool
        Whether the adversary ignores the release, so that it measures what the game alone reveals.
    is_random : bool
        Appliance game: whether the result of training depends on random numbers; Figure 4 of
        ``noiseless`` then trains the adversary several times.
    is_trained : bool
        Membership game: whether the adversary needs training.  It then plays only the games that
        hold homes out for training; else it plays all of them.
    sees_series : bool
        Membership game: whether the adversary needs the readings themselves; it then plays the
        games in batches.

    Examples
    --------
    An adversary of your own, who prefers the candidate whose total is nearer to n times the mean:

    >>> import numpy as np
    >>> from noiseless.games.own_arrays import play_membership_game
    >>> class Totals(Adversary):
    ...     name = "totals"
    ...     def prefer(self, view):
    ...         mean = view.offset_wh + view.step_wh * (
    ...             view.first_bin + view.sum_bins / view.n_readings)
    ...         distance = np.abs(view.sum_readings_wh / view.n_readings - mean[:, None])
    ...         return distance[:, 1] - distance[:, 0]
    >>> readings_wh = np.random.default_rng(1).integers(0, 10_000, size=(30, 50))
    >>> found = play_membership_game(
    ...     readings_wh, n=2, epsilon_bits=8, maximum_wh=10_000, adversaries=[Totals])
    >>> bool(found.loc["totals", "low"] > 0)
    True
    """

    name: ClassVar[str]
    label: ClassVar[str] = ""
    order: ClassVar[int] = 100
    is_control: ClassVar[bool] = False
    is_random: ClassVar[bool] = False
    is_trained: ClassVar[bool] = False
    sees_series: ClassVar[bool] = False

    def fit(self, training: Any) -> Self:
        """Train the adversary, if it learns anything; return ``self``.

        Parameters
        ----------
        training : Training or ApplianceTraining or LinkageTraining
            Training data of the game.
        """
        return self

    def prefer(self, view: MembershipView) -> Floats:
        """Compare the two candidates of each membership game; return one number per game.

        Returns
        -------
        ndarray, shape (G,)
            Positive for candidate 0, negative for candidate 1, 0 for none.
        """
        raise NotImplementedError

    def states(self, reports: MeterReports) -> Guess:
        """Guess which appliances are on in each bin of time, and their power."""
        raise NotImplementedError

    def link(self, view: LinkageView) -> Floats:
        """Score how likely each of N people is to have made each report.

        Returns
        -------
        ndarray, shape (G, N)
            Scores on any scale: the largest number of a row is the guess, and a tie is broken at
            random.
        """
        raise NotImplementedError


QUESTIONS = ("prefer", "states", "link")


def can_answer(adversary: type[Adversary], question: str) -> bool:
    """Return whether an adversary class overrides the method ``question``, so plays its game."""
    return getattr(adversary, question) is not getattr(Adversary, question)
