"""Input of adversaries of the membership game: training, and what they see of each game.

An adversary sees the released aggregate (y_t) and the true readings (x_0,t) and (x_1,t) of two
candidates, one of whom is in the aggregate (``noiseless``, Section V.A).

1. :class:`MembershipView` holds the sufficient statistics that most adversaries need, as exact
   integer sums; :class:`RawSeries` is what the others need, for some games at a time.
2. :class:`Training` is what an adversary may be fitted to; then it prefers one of the candidates of
   each game (:class:`noiseless.adversaries.interface.Adversary`).
3. :func:`choose_candidates` decides, by a fair coin where there is no preference.

Ties.  Scores of both candidates that differ by no more than :data:`RELATIVE_TIE` (in correlation;
as a share of their sum for the mean square error) are a tie: floating-point noise is no reason for
a guess.  So is a score that is not defined, the correlation with a constant.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noiseless.arrays import Floats, Ints

RELATIVE_TIE = 1e-9

# Attributes of version 0.3, so that an old adversary says what to change.
_RENAMED = {
    "first": "first_bin",
    "readings": "n_readings",
    "sum_k": "sum_bins",
    "sum_kk": "sum_squared_bins",
    "sum_x": "sum_readings_wh",
    "sum_xk": "sum_products",
    "sum_xx": "sum_squared_readings",
}


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
class MembershipView:
    """What an adversary sees of each of G games: sums over the T readings of output and candidates.

    The output is ``y_t = offset_wh + step_wh * (first_bin + k_t)``, with the whole number k_t of
    the bin at time t, and k_0 = 0: bins are counted from the one of the first reading, which keeps
    the sums small, and makes them all zero if and only if the output is constant.  Readings of a
    candidate are x_t, in Wh.

    Attributes
    ----------
    n_readings : int
        T.
    step_wh, offset_wh : float
        Width of a bin and mid-point of bin 0; one n-th of a Wh and 0 for the exact mean.
    first_bin : ndarray of int, shape (G,)
        Bin of the first reading.
    sum_bins, sum_squared_bins : ndarray of int, shape (G,)
        Sums of k_t and of its square.
    sum_readings_wh, sum_squared_readings, sum_products : ndarray of int, shape (G, 2)
        Sums of each candidate's x_t, of its square, and of its product with k_t.
    common_peaks : ndarray of int, shape (G, 2)
        Readings that are peaks of both the candidate and the output.
    series : RawSeries or None
        The readings themselves; None if no adversary of the game has ``sees_series``.
    """

    n_readings: int
    step_wh: float
    offset_wh: float
    first_bin: Ints
    sum_bins: Ints
    sum_squared_bins: Ints
    sum_readings_wh: Ints
    sum_squared_readings: Ints
    sum_products: Ints
    common_peaks: Ints
    series: RawSeries | None = None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Raise AttributeError, with the new name of an attribute of version 0.3."""
            if name in _RENAMED:
                raise AttributeError(
                    f"`{name}` of the membership game has been `{_RENAMED[name]}` since version "
                    "0.4. Rename it (docs/plugins.md)."
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


@dataclass(frozen=True)
class Training:
    """Training data of an adversary: readings of other homes, and games between them.

    Attributes
    ----------
    homes_kwh : ndarray, shape (homes, T)
        Readings of homes, none of which plays in a game that the adversary is tested on.
    games : callable
        Iterates over batches of games between these homes, at each call from the start: pairs of
        the view of G games and their members (0 or 1, shape (G,)).  The release is the one of the
        test.
    noise_kwh : float
        Standard deviation of the noise of a published mean; 0 for none.
    cell_kwh : float
        Width of the cells of which published means are the middles; 0 for none.
    """

    homes_kwh: Floats
    games: Callable[[], Iterable[tuple[MembershipView, Ints]]]
    noise_kwh: float = 0.0
    cell_kwh: float = 0.0


def get_series(view: MembershipView) -> RawSeries:
    """Return the readings of the view; raise ValueError if it has none."""
    if view.series is None:
        raise ValueError("the view has no readings: set `sees_series = True` to get them")
    return view.series


def choose_candidates(preference: Floats, coin: NDArray[np.integer]) -> Ints:
    """Choose candidate 0 or 1 of each game by the preference, or by a coin if it is 0."""
    return np.where(preference == 0, coin, preference < 0).astype(np.int64)
