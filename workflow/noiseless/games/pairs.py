"""The membership game of every pair of homes, for an adversary who selects the two.

In the paper's game "at first, the adversary can select two households" (``noiseless``, Section V.A
and Figure 2); then the curator draws one of them and n - 1 others.  To select well, the adversary
needs the advantage of every pair:

1. n - 1 other homes are drawn, once for all pairs.  A pair of which one is among them sits out.
2. Every candidate in turn joins them, and the mean is released.  Each adversary compares its member
   with every other candidate, by the sums that :mod:`noiseless.games.membership` gives it; a tie
   counts half.  Whoever knows all other homes (``exact``) is right unless both members give the
   same release.
3. The advantage of a pair is the mean over both members and all draws.

Sums of products are matrix products, in floats that hold them exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.membership import Evidence, is_peak
from noiseless.errors import DataError
from noiseless.games.informed import EXACT
from noiseless.games.membership import AggregateRelease

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGEST_EXACT_FLOAT = 2**53


@dataclass(frozen=True)
class PairGains:
    """What one adversary gains of each pair of M candidates in D draws of the other homes.

    Attributes
    ----------
    total : ndarray, shape (M, M)
        Sum over the draws of 1 for a game won, -1 for a game lost and 0 for a tie, the mean of
        both members; symmetric, and 0 on the diagonal.
    played : ndarray of int, shape (M, M)
        Draws that the pair took part in; 0 on the diagonal.
    of_draws : ndarray, shape (D,)
        Mean over the pairs that took part; NaN where none did.
    """

    total: Floats
    played: Ints
    of_draws: Floats

    @property
    def advantage(self) -> Floats:
        """Advantage of each pair, shape (M, M); NaN where it did not take part."""
        return np.divide(
            self.total, self.played, out=np.full(self.total.shape, np.nan), where=self.played > 0
        )

    def __add__(self, other: "PairGains") -> "PairGains":
        """The gains of both sets of draws."""
        return PairGains(
            self.total + other.total,
            self.played + other.played,
            np.concatenate([self.of_draws, other.of_draws]),
        )


def draw_others(rng: np.random.Generator, homes: Ints, *, n: int, draws: int) -> Ints:
    """The n - 1 other homes of each draw, distinct ones of ``homes``, shape (draws, n - 1)."""
    everyone = np.tile(homes, (draws, 1))
    return rng.permuted(everyone, axis=1, out=everyone)[:, : n - 1]


def pair_gains(
    energy_wh: Ints,
    candidates: Ints,
    others: Ints,
    release: AggregateRelease,
    adversaries: Sequence[type[Adversary]],
    *,
    starts: Ints,
    days: int,
) -> dict[str, PairGains]:
    """What each adversary gains of each pair.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        True readings.
    candidates : ndarray of int, shape (M,)
        Distinct homes.
    others : ndarray of int, shape (D, n - 1)
        Of :func:`draw_others`.
    release : AggregateRelease
    adversaries : sequence of type
        Those who need raw series do not play.
    starts : ndarray of int, shape (D,)
        First reading of each draw's window.
    days : int
        Readings in a window.

    Returns
    -------
    dict of PairGains
        By name, with ``exact`` last.

    Raises
    ------
    DataError
        If sums of products of readings would not be exact.
    """
    largest = int(energy_wh.max())
    steps = release.levels or release.n * release.maximum_wh
    if days * steps * max(largest, steps) > LARGEST_EXACT_FLOAT:
        raise DataError(
            f"sums of products over {days} readings of up to {largest} Wh and {steps} steps of the "
            "release are too large to stay exact. Give fewer levels, or a narrower range."
        )
    players = [adversary() for adversary in adversaries if not adversary.sees_series]
    names = [*(player.name for player in players), EXACT]
    m, draws = len(candidates), len(others)
    total = {name: np.zeros((m, m)) for name in names}
    of_draws = {name: np.full(draws, np.nan) for name in names}
    played = np.zeros((m, m), dtype=np.int64)
    for number, (some, start) in enumerate(zip(others, starts, strict=True)):
        window = slice(start, start + days)
        x = energy_wh[candidates, window]
        given = np.minimum(energy_wh[some, window], release.maximum_wh).sum(axis=0)
        k = release.publish(given + np.minimum(x, release.maximum_wh)).k
        free = ~np.isin(candidates, some)
        taking_part = np.outer(free, free) & ~np.eye(m, dtype=bool)
        played += taking_part
        evidence = pair_evidence(x, k, release)
        of_all = {player.name: player.prefer(evidence).reshape(m, m) for player in players}
        of_all[EXACT] = rows_differ(k).astype(float)
        for name, preference in of_all.items():
            won = np.sign(preference) * taking_part
            won = (won + won.T) / 2
            total[name] += won
            if taking_part.any():
                of_draws[name][number] = won.sum() / taking_part.sum()
    return {name: PairGains(total[name], played, of_draws[name]) for name in names}


def rows_differ(k: Ints) -> NDArray[np.bool_]:
    """Whether each two rows differ anywhere, shape (M, M)."""
    # NumPy's `unique` sorts rows field by field, which takes ten times longer.
    first: dict[bytes, int] = {}
    same = np.array([first.setdefault(row.tobytes(), number) for number, row in enumerate(k)])
    return same[:, None] != same[None, :]


class Steps(Protocol):
    """Published means are ``offset_wh + step_wh * k``."""

    @property
    def step_wh(self) -> float:
        """Width of a step."""

    @property
    def offset_wh(self) -> float:
        """What is published for step 0."""


def pair_evidence(x: Ints, k: Ints, release: Steps) -> Evidence:
    """Evidence of M x M games: the first candidate is the member, the second the other one.

    Parameters
    ----------
    x : ndarray of int, shape (M, T)
        Readings of the candidates, in Wh.
    k : ndarray of int, shape (M, T)
        What is published with each of them as the member, in steps.
    release : Steps
    """
    m, days = x.shape
    step = k - k[:, :1]
    sum_xk = np.rint(step.astype(float) @ x.T.astype(float)).astype(np.int64)
    common = is_peak(step, strict=True).astype(np.float32) @ is_peak(x, strict=True).T.astype(
        np.float32
    )

    def of_member(values: Ints) -> Ints:
        return np.repeat(values, m)

    def of_both(by_member: Ints) -> Ints:
        """From what each member's release (rows) says of each candidate (columns)."""
        own = np.repeat(np.diagonal(by_member), m)
        return np.stack([own, by_member.ravel()], axis=1)

    def of_candidates(values: Ints) -> Ints:
        return np.stack([np.repeat(values, m), np.tile(values, m)], axis=1)

    return Evidence(
        readings=days,
        step_wh=release.step_wh,
        offset_wh=release.offset_wh,
        first=of_member(k[:, 0]),
        sum_k=of_member(step.sum(axis=1)),
        sum_kk=of_member((step * step).sum(axis=1)),
        sum_x=of_candidates(x.sum(axis=1)),
        sum_xx=of_candidates((x * x).sum(axis=1)),
        sum_xk=of_both(sum_xk),
        common_peaks=of_both(common.astype(np.int64)),
    )
