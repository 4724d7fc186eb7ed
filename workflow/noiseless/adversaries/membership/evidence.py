"""Input of adversaries of the membership game: training, and the evidence of each game.

An adversary sees the released aggregate (y_t) and the true readings (x_0,t) and (x_1,t) of two
candidates, one of whom is in the aggregate (``noiseless``, Section V.A).

1. :class:`Evidence` holds all that most adversaries need, as exact integer sums;
   :class:`RawSeries` is what the others need, for some games at a time.
2. :class:`Training` is what an adversary may be fitted to; then it prefers one of the candidates of
   each game (:class:`noiseless.adversaries.interface.Adversary`).
3. :func:`choose_candidates` decides, by a fair coin where there is no preference.

Ties.  Scores of both candidates that differ by no more than :data:`RELATIVE_TIE` (in correlation;
as a share of their sum for the mean square error) are a tie: floating-point noise is no reason for
a guess.  So is a score that is not defined, the correlation with a constant.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noiseless.arrays import Floats, Ints

RELATIVE_TIE = 1e-9


@dataclass(frozen=True)
class RawSeries:
    """Readings of the games of one batch.

    Attributes
    ----------
    output_kwh : ndarray, shape (G, T)
        Published means.
    candidates_kwh : ndarray, shape (G, 2, T)
        True readings of the candidates.
    n : int
        Homes in the aggregate.
    """

    output_kwh: Floats
    candidates_kwh: Floats
    n: int


@dataclass(frozen=True)
class Evidence:
    """Sums over the T readings of each of G games; energies in Wh, output in steps.

    The output is ``y_t = offset_wh + step_wh * (first + k_t)`` with whole numbers k_t, and k_0 = 0:
    bins are counted from the one of the first reading, which keeps the sums small, and makes
    them all zero if and only if the output is constant.

    Attributes
    ----------
    readings : int
        T.
    step_wh, offset_wh : float
        Width of a bin and mid-point of bin 0; one n-th of a Wh and 0 for the exact mean.
    first : ndarray of int, shape (G,)
        Bin of the first reading.
    sum_k, sum_kk : ndarray of int, shape (G,)
        Sums of k_t and of its square.
    sum_x, sum_xx, sum_xk : ndarray of int, shape (G, 2)
        Sums of each candidate's reading, its square, and its product with k_t.
    common_peaks : ndarray of int, shape (G, 2)
        Readings that are peaks of both the candidate and the output.
    series : RawSeries or None
        The readings themselves; None if no adversary of the game has ``sees_series``.
    """

    readings: int
    step_wh: float
    offset_wh: float
    first: Ints
    sum_k: Ints
    sum_kk: Ints
    sum_x: Ints
    sum_xx: Ints
    sum_xk: Ints
    common_peaks: Ints
    series: RawSeries | None = None


@dataclass(frozen=True)
class Training:
    """Training data of an adversary: readings of other homes, and games between them.

    Attributes
    ----------
    homes_kwh : ndarray, shape (homes, T)
        Readings of homes, none of which plays in a game that the adversary is tested on.
    games : callable
        Iterates over batches of games between these homes, at each call from the start: pairs of
        the evidence and the members (0 or 1, shape (G,)).  The release is the one of the test.
    noise_kwh : float
        Standard deviation of the noise of a published mean; 0 for none.
    cell_kwh : float
        Width of the cells of which published means are the middles; 0 for none.
    """

    homes_kwh: Floats
    games: Callable[[], Iterable[tuple[Evidence, Ints]]]
    noise_kwh: float = 0.0
    cell_kwh: float = 0.0


def choose_candidates(preference: Floats, coin: NDArray[np.integer]) -> Ints:
    """Choose candidate 0 or 1 of each game by the adversary's preference, or by a coin if it is 0.

    Parameters
    ----------
    preference : ndarray, shape (G,)
        The preference of one of the adversaries.
    coin : ndarray of 0 and 1, shape (G,)
        Decides where there is no preference.
    """
    return np.where(preference == 0, coin, preference < 0).astype(np.int64)
