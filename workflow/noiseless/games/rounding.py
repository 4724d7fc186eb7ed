"""The membership game against a mean that is rounded, as a custodian rounds it in a spreadsheet.

A custodian publishes, for each day (or week, or four weeks), the mean of n homes, rounded to the
nearest multiple of a step in kWh.  That needs no public range: nothing is clipped, and the width of
a step is not taken from the readings.

1. :class:`RoundedMean` publishes; :func:`periods_of` sums days to the periods of a coarser time.
2. :func:`plan_games` draws the other homes and the candidates of each draw.
3. :func:`pair_gains_of` plays all pairs of candidates of a draw, as :mod:`noiseless.games.pairs`
   does, with all published values; :func:`single_value_gains` with one of them.

The adversaries know both candidates.  *Outsiders* know nothing else but, for ``normal``, what homes
are like, from homes that do not play (:mod:`noiseless.adversaries.normal_homes`).  The *insider*,
``exact``, knows every other home, and no adversary is better.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noiseless.adversaries.compiled import njit
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.known_others import tells_apart
from noiseless.adversaries.labels import EXACT, NORMAL
from noiseless.adversaries.normal_homes import Population, PublishedSum
from noiseless.games.membership import PublishedSeries
from noiseless.games.pairs import pair_evidence

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_TIE = 1e-9  # of the largest ratio: floating-point noise is no reason for a guess


@dataclass(frozen=True)
class RoundedMean:
    """The mean of n readings, rounded to the nearest multiple of a step.

    Attributes
    ----------
    n : int
        Homes in the mean.
    step_wh : int
        The step, of a reading as it is summed here (seven daily steps for a week).
    """

    n: int
    step_wh: int

    offset_wh = 0.0

    def seen_with(self, population: Population) -> PublishedSum:
        """The published sum, for an outsider who knows what homes are like."""
        return PublishedSum(population, self.n - 1, cell_wh=float(self.n * self.step_wh))

    def publish(self, total_wh: Ints) -> PublishedSeries:
        """The published means of sums of n readings; whole numbers throughout, halves go up."""
        step = self.n * self.step_wh
        return PublishedSeries((2 * total_wh + step) // (2 * step), self.step_wh, 0.0)


@dataclass(frozen=True)
class NoisySeries:
    """Means that were published already, of candidates one by one, for the same adversaries.

    Attributes
    ----------
    n : int
    step_wh, offset_wh : float
    noise_wh2 : float
        Variance of the published sum less the true one.
    """

    n: int
    step_wh: float
    offset_wh: float
    noise_wh2: float

    def seen_with(self, population: Population) -> PublishedSum:
        """The published sum, for an outsider who knows what homes are like."""
        return PublishedSum(population, self.n - 1, noise_wh2=self.noise_wh2)


@dataclass(frozen=True)
class Draw:
    """Homes of one draw: the n - 1 others, and candidates, none of whom is among them."""

    others: Ints
    candidates: Ints


def periods_of(energy_wh: Ints, days: int) -> Ints:
    """Sums over periods of ``days``, shape (homes, T // days); the remainder is dropped."""
    homes, t = energy_wh.shape
    return energy_wh[:, : t // days * days].reshape(homes, -1, days).sum(axis=2)


def plan_games(
    rng: np.random.Generator, *, homes: int, n: int, draws: int, candidates: int
) -> list[Draw]:
    """Draws of the games of one n.

    A draw puts the homes in random order; the others are the first n - 1 of them, the candidates
    the last.

    Parameters
    ----------
    rng : Generator
    homes : int
        Numbered from 0.
    n : int
        At most ``homes - 1``, so that there are two candidates.
    draws : int
    candidates : int
        At most, in a draw.
    """
    orders = (rng.permutation(homes) for _ in range(draws))
    return [Draw(order[: n - 1], order[n - 1 :][-candidates:]) for order in orders]


def totals_of(energy_wh: Ints, draw: Draw) -> Ints:
    """Sums of n readings, with each candidate as the member, shape (M, T)."""
    return energy_wh[draw.others].sum(axis=0) + energy_wh[draw.candidates]


def single_value_gains(
    x: Ints, k: Ints, release: RoundedMean, population: Population | None
) -> dict[str, Floats]:
    """What is gained of each candidate from one published value, the mean over all periods.

    With one value, the preference of ``normal`` depends on the mean of the others alone.  An
    adversary who does not know that mean takes the others to be like the candidates.

    Parameters
    ----------
    x, k, release
        See :func:`pair_gains_of`.
    population : Population or None
    """
    m = len(x)
    others = release.n * (release.offset_wh + release.step_wh * k.astype(float))
    mean_wh = x.mean(axis=0) if population is None else population.mean_wh
    others -= (release.n - 1) * mean_wh
    x = x.astype(float)
    normal, differ = _wins_and_differences(x, others - x / 2, np.ascontiguousarray(k))
    gains = {NORMAL: normal / x.shape[1], EXACT: differ / x.shape[1]}
    return {name: (won + won.T).sum(axis=1) / (2 * (m - 1)) for name, won in gains.items()}


@njit(cache=True, nogil=True)
def _wins_and_differences(x, away, k):  # noqa: ANN001, ANN202
    """For each member (rows) and other candidate (columns), shape (M, M), over all periods.

    By how many periods more ``normal`` prefers the member than the other, and in how many
    the published values differ.
    """
    m, t = x.shape
    wins = np.zeros((m, m), dtype=np.int64)
    differ = np.zeros((m, m), dtype=np.int64)
    for i in range(m):
        for j in range(m):
            more = others = np.int64(0)
            for period in range(t):
                prefers = (x[i, period] - x[j, period]) * (away[i, period] - x[j, period] / 2)
                more += np.int64(prefers > 0) - np.int64(prefers < 0)
                others += np.int64(k[i, period] != k[j, period])
            wins[i, j], differ[i, j] = more, others
    return wins, differ


def pair_gains_of(
    x: Ints,
    k: Ints,
    release: RoundedMean | NoisySeries,
    seen: PublishedSum | None,
    players: Sequence[Adversary],
) -> dict[str, Floats]:
    """What each adversary gains of each of M candidates, from what is published of each of them.

    Parameters
    ----------
    x, k : ndarray of int, shape (M, T)
        Readings, and published steps with each candidate as the member.
    release : RoundedMean or NoisySeries
        The size of a step.
    seen : PublishedSum or None
        What ``normal`` knows (:meth:`RoundedMean.seen_with`), made once for all draws; without it,
        ``normal`` does not play.
    players : sequence of Adversary
    """
    m = len(x)
    evidence = pair_evidence(x[None], k[None], release)
    preferences = {player.name: player.prefer(evidence).reshape(m, m) for player in players}
    if seen is not None:
        published = release.n * (release.offset_wh + release.step_wh * k.astype(float))
        ratios = seen.pair_ratios(published, x)
        is_tie = np.abs(ratios) <= _TIE * np.abs(ratios).max()
        preferences[NORMAL] = np.where(is_tie, 0.0, ratios)
    preferences[EXACT] = tells_apart(k).astype(float)
    found = {}
    for name, preference in preferences.items():
        won = np.sign(preference)
        np.fill_diagonal(won, 0)
        found[name] = (won + won.T).sum(axis=1) / (2 * (m - 1))
    return found
