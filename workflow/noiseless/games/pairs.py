"""Membership games of all pairs of candidates, each of whom is the member in turn.

In the paper's game "at first, the adversary can select two households" (``noiseless``, Section V.A
and Figure 2); then the curator draws one of them and n - 1 others.  To select well, the adversary
needs the advantage of every pair, and a home is at the risk of all pairs that it is in.

1. n - 1 other homes are drawn, once for all pairs: :func:`draw_others`.  The candidates are the
   same in all draws, so that a pair does not play if one of it is among the others.
2. Every candidate in turn joins them, and the mean is released.  Each adversary compares its member
   with every other candidate, by the sums that :mod:`noiseless.games.membership` gives it; a tie
   counts half.  *Outsiders* have no other information.  The *insider*, ``exact``, knows every other
   home.
3. The advantage of a pair is the mean over both members and all draws (:func:`play_pair_games`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.known_others import find_distinguishable_pairs
from noiseless.adversaries.labels import EXACT
from noiseless.arrays import Floats, Ints
from noiseless.games.membership import PublishedSeries, build_all_pairs, observe_readings
from noiseless.games.releases import QuantizedMeanRelease

# Largest numbers of games and of readings in a batch, which fit into the processor's cache.
_GAMES_AT_ONCE, _READINGS_AT_ONCE = 10_000, 300_000


@dataclass(frozen=True)
class PairGains:
    """Gains of one adversary for each pair of M candidates, in D draws of the other homes.

    ``total``, shape (M, M), sums over the draws 1 for a game won, -1 for a game lost and 0 for a
    tie, the mean of both members; symmetric, and 0 on the diagonal, as is ``played``, the draws
    that the pair took part in.  ``draw_means`` are means over the pairs that took part; NaN where
    none did.
    """

    total: Floats
    played: Ints
    draw_means: Floats

    @property
    def advantage(self) -> Floats:
        """Advantage of each pair, shape (M, M); NaN where the pair did not take part."""
        return np.divide(
            self.total, self.played, out=np.full(self.total.shape, np.nan), where=self.played > 0
        )

    def __add__(self, other: "PairGains") -> "PairGains":
        """Return the gains of both sets of draws together."""
        return PairGains(
            self.total + other.total,
            self.played + other.played,
            np.concatenate([self.draw_means, other.draw_means]),
        )


def draw_others(rng: np.random.Generator, homes: Ints, *, n: int, draws: int) -> Ints:
    """Draw the n - 1 distinct other homes of each draw from ``homes``, shape (draws, n - 1)."""
    everyone = np.tile(homes, (draws, 1))
    return rng.permuted(everyone, axis=1, out=everyone)[:, : n - 1]


def play_pair_games(
    energy_wh: Ints,
    candidates: Ints,
    others: Ints,
    release: QuantizedMeanRelease,
    adversaries: Sequence[type[Adversary]],
    *,
    starts: Ints,
    days: int,
) -> dict[str, PairGains]:
    """Play the games of all pairs of candidates, and sum the gains of each adversary.

    ``others`` are those of :func:`draw_others`; ``starts`` has the first reading of each draw's
    window of ``days``.  Adversaries that need raw series do not play, and ``exact`` comes last.
    """
    players = [adversary() for adversary in adversaries if not adversary.sees_series]
    names = [*(player.name for player in players), EXACT]
    m, draws = len(candidates), len(others)
    won = {name: np.zeros(m * m) for name in names}
    of_draws = {name: np.full(draws, np.nan) for name in names}
    played, different = np.zeros(m * m), 1.0 - np.eye(m)
    clipped = np.minimum(energy_wh, release.maximum_wh)
    readings = (m + release.n - 1) * days
    some_draws = max(1, min(_GAMES_AT_ONCE // m**2, _READINGS_AT_ONCE // readings))
    for some in (slice(first, first + some_draws) for first in range(0, draws, some_draws)):
        # If all draws share one window, the readings of the candidates are equal in all draws.
        first = starts[:1] if (starts == starts[0]).all() else starts[some]
        times = (first[:, None] + np.arange(days))[:, None]
        others_wh = clipped[others[some][..., None], times].sum(axis=1)
        series = release.publish_totals(others_wh[:, None] + clipped[candidates[:, None], times])
        free = 1.0 - (others[some, :, None] == candidates).any(axis=1)
        taking_part = (free[:, :, None] * free[:, None, :] * different).reshape(len(free), -1)
        games = taking_part.sum(axis=1)
        played += taking_part.sum(axis=0)
        x = energy_wh[candidates[:, None], times]
        for name, preference in _compute_preferences(x, series, players).items():
            gains = np.sign(preference).reshape(len(free), -1) * taking_part
            won[name] += gains.sum(axis=0)
            np.divide(gains.sum(axis=1), games, out=of_draws[name][some], where=games > 0)
    return {
        name: PairGains(
            (won[name].reshape(m, m) + won[name].reshape(m, m).T) / 2,
            played.reshape(m, m).astype(np.int64),
            of_draws[name],
        )
        for name in names
    }


def _compute_preferences(
    x: Ints, series: PublishedSeries, players: Sequence[Adversary]
) -> dict[str, Floats]:
    """Compute each adversary's preference for the member over a candidate, shape (D, M, M).

    Rows are the member and columns the other candidate.  Readings have the shape (D, M, T), or
    (1, M, T) if they are equal in all draws.
    """
    series = replace(series, k=series.k.reshape(-1, *x.shape[1:]))
    view = observe_readings(series, x, pairing=build_all_pairs(x.shape[1]))
    shape = (len(series.k), x.shape[1], x.shape[1])
    preferences = {player.name: player.prefer(view).reshape(shape) for player in players}
    return {**preferences, EXACT: find_distinguishable_pairs(series.k).astype(float)}
