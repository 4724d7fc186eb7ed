"""Adversary who combines the normal likelihood of other homes with the difference of the pair."""

from typing import Self

from noiseless.adversaries.inputs.membership import MembershipView, Training
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.membership.normal import NormalLikelihoodAdversary
from noiseless.adversaries.membership.pair_known import KnownMeanAdversary
from noiseless.arrays import Floats

MOST_FEW_READINGS = 30
MOST_FEW_HOMES = 60
WIDE_CELL_SD = 3.0  # standard deviations of the sum, from which on a cell is wide


class CombinedAdversary(Adversary):
    """Adversary who adds two log-likelihood ratios, or takes the better one of them.

    ``normal`` estimates what homes are like from other homes, and ``pair_known`` what the sum is
    like from the release, which needs many readings and narrow cells.  So :func:`choose_terms`
    takes ``normal`` alone for few readings or wide cells, ``pair_known`` alone where few homes are
    known, and the sum of both ratios otherwise.  The sum is no test of one model: both are
    estimates of the same ratio whose errors differ.
    """

    name, order = "combined", 9
    label = "normal + pair"
    is_trained = True
    sees_series = True

    def fit(self, training: Training) -> Self:
        """Fit both adversaries to the homes of the training data."""
        # A single home has no variance, so that cells are taken for narrow.
        homes_kwh, self._cell_kwh = training.homes_kwh, training.cell_kwh
        self._known = len(homes_kwh)
        self._variance_kwh2 = float(homes_kwh.var(axis=0).mean())
        self._terms = {
            each.name: each().fit(training)
            for each in (NormalLikelihoodAdversary, KnownMeanAdversary)
        }
        return self

    def prefer(self, view: MembershipView) -> Floats:
        """Compute the log-likelihood ratio of candidate 0, shape (G,)."""
        n = 0 if view.series is None else view.series.n
        spread_kwh = ((n - 1) * self._variance_kwh2) ** 0.5 if n else 0.0
        chosen = choose_terms(
            view.n_readings,
            known=self._known,
            is_wide=n * self._cell_kwh > WIDE_CELL_SD * spread_kwh,
        )
        ratios = [self._terms[name].prefer(view) for name in chosen]
        return sum(ratios[1:], ratios[0])


def choose_terms(readings: int, *, known: int, is_wide: bool) -> tuple[str, ...]:
    """Choose the adversaries whose ratios are added, by their names.

    They depend on the number of readings T and of other homes that are known, and on whether the
    cells of the sum are wider than :data:`WIDE_CELL_SD` standard deviations of the other homes'
    sum.
    """
    if readings <= MOST_FEW_READINGS or is_wide:
        return (NormalLikelihoodAdversary.name,)
    if known <= MOST_FEW_HOMES:
        return (KnownMeanAdversary.name,)
    return NormalLikelihoodAdversary.name, KnownMeanAdversary.name


ADVERSARY = CombinedAdversary
