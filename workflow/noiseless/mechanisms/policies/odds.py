"""Odds policy: undecided records with bounded odds at the least mean change (``nsht``, Sect. 7)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.blurring import PolynomialThreshold, measure_lines_with_room
from noiseless.mechanisms.containers import check_positive, require_number
from noiseless.mechanisms.policies.overlay import OverlayBlurring


class Piece(NamedTuple):
    """Distances ``[start, stop)`` from the threshold, reported at ``[to_start, to_stop)``.

    A negative report is across the threshold.
    """

    start: float
    stop: float
    to_start: float
    to_stop: float


def compute_odds_pieces(kappa: float, *, protected: float, largest: float) -> list[Piece]:
    """Compute the pieces of one side of the least mean change at odds of at most kappa : 1.

    They lead from the threshold to ``protected``, the half-width of the band of records that are to
    stay undecided; the other side is the mirror image.  ``largest`` is the largest change, at least
    half of ``protected``, and one above it is of no use.  Fractions stay fractions.
    """
    largest = min(largest, protected)
    across = protected / (1 + kappa)  # the records that are reported on the other side
    if (kappa + 1) * largest >= 2 * protected and kappa > 1:
        rigid = (protected - largest) / (kappa - 1)
        edge = largest - rigid
        pieces = [
            Piece(0 * rigid, rigid, -largest, -edge),
            Piece(rigid, across, -edge, -across),  # stretched by kappa
            Piece(across, edge, across, edge),  # as they are
            Piece(edge, protected, edge, largest),  # squeezed by kappa
        ]
    else:
        edge = largest - across
        pieces = [
            Piece(0 * across, across, -largest, -edge),
            Piece(across, protected, edge, largest),
        ]
    return [piece for piece in pieces if piece.start < piece.stop]


def compute_min_mean_change(kappa: float, *, protected: float, largest: float) -> float:
    """Compute the least mean change that leaves a band undecided with odds up to kappa : 1.

    Behind each report there is then at most ``kappa`` times as much of one hypothesis as of the
    other, by the length of the records.  No policy that changes the blurred number alone, random
    ones included, has a smaller mean change over the band; :class:`OddsBlurring` has this one
    (``docs/proofs/nsht.md``, odds against change).

    Parameters
    ----------
    kappa : float
        At least 1; infinite for undecided at any odds.
    protected : float
        Half-width D of the band around the threshold whose records stay undecided, larger than 0,
        with as much room on either side.
    largest : float
        Largest change R of a record, at least D/2 (no policy has a smaller one), in the same unit.

    Returns
    -------
    float
        ``(D-R)+^2/(2D) + D(kappa+3)/(2(kappa+1)^2) - (2D-(kappa+1)R)+^2/(2D(kappa+1)^2)`` for R up
        to D, in that unit; for a larger R that of R = D.

    Raises
    ------
    ConfigError
        If kappa is below 1, the band has no width, or the largest change is below half of it.

    Examples
    --------
    All within 20 kg of a threshold stay undecided by changes of up to 10 kg.  Even odds take a mean
    change of 10 kg, odds of 9 : 1 take 3.7 kg, and any odds take 2.5 kg.

    >>> [compute_min_mean_change(kappa, protected=20, largest=10) for kappa in (1, 9, float("inf"))]
    [10.0, 3.7, 2.5]
    """
    _check_odds(kappa)
    check_positive("the half-width `protected` of the undecided band", protected)
    largest = require_number("largest", largest)
    if not largest >= protected / 2:
        raise ConfigError(
            f"the largest change is {largest}, but records up to {protected} from the threshold "
            f"stay undecided only if it is {protected / 2} or more."
        )
    largest = min(largest, protected)
    accuracy = (protected - largest) ** 2 / (2 * protected)
    if kappa > 1e100:  # its square may be no float; the rest is this to 1e-100 of itself
        return float(accuracy + protected / kappa / 2)
    odds = protected * (kappa + 3) / 2
    saved = max(0, 2 * protected - (kappa + 1) * largest) ** 2 / (2 * protected)
    return float(accuracy + (odds - saved) / (kappa + 1) ** 2)


def _check_odds(kappa: float) -> None:
    """Check that kappa is at least 1."""
    require_number("kappa", kappa, least=1)


def move_by_pieces(offset: Floats, pieces: Sequence[Piece]) -> Floats:
    """Move signed distances from the threshold by the pieces of :func:`compute_odds_pieces`.

    0 and larger is p0; those beyond all pieces stay.
    """
    is_p0, distance = offset >= 0, np.abs(offset)
    # The threshold belongs to p0 only, so intervals of p0 and p1 are closed at opposite ends.
    cases = [
        np.where(
            is_p0,
            (each.start <= distance) & (distance < each.stop),
            (each.start < distance) & (distance <= each.stop),
        )
        for each in pieces
    ]
    values = [
        to_start + (distance - start) * ((to_stop - to_start) / (stop - start))
        for start, stop, to_start, to_stop in pieces
    ]
    moved = np.select(cases, values, default=distance)
    return np.where(is_p0, moved, -moved)


@dataclass(frozen=True)
class OddsBlurring(OverlayBlurring):
    """Policy with as many undecided as :class:`OverlayBlurring`, at odds of at most kappa : 1.

    Of all policies that leave the band of ``2/rho`` undecided with these odds, by the length of the
    records behind a report, this has the least mean change, :func:`compute_min_mean_change` with D
    = ``2/rho`` and R = ``1/rho``.  Even odds, ``kappa=1``, are the overlay.  The larger kappa is,
    the more records are reported as they are, and the more an adversary gains who guesses.

    The least change is proved of lines with room of ``2/rho`` on either side of the threshold.  Any
    other line has the overlay.

    Attributes
    ----------
    kappa : float
        Largest odds behind a report; at least 1.

    Raises
    ------
    ConfigError
        If rho is not a positive number, or kappa not a number from 1.

    Examples
    --------
    A person 9 kg below the threshold, another 1 kg above it: with odds of up to 3 : 1 the first one
    moves by 2 kg and not by 5, and the second one moves across.

    >>> from noiseless import PublicRange, build_polynomial_threshold
    >>> box = PublicRange([40, 150], [140, 200])
    >>> policy = OddsBlurring(build_polynomial_threshold([0, 0, 0.003]), box, rho=1 / 5, kappa=3)
    >>> reports = policy.release([[77.7, 170], [87.7, 170]])
    >>> reports.round(1), policy.is_decided(reports)
    (array([[ 82. , 170. ],
           [ 82.7, 170. ]]), array([False, False]))
    """

    kappa: float = 3.0

    name, label = "odds", "odds of at most κ : 1 (least change for that)"
    words = "the two sides laid over each other, with bounded odds"
    colour, dashes, order = "purple", "-", 7
    same_people_as = "overlay"
    has_histograms = False
    is_compared = False
    increases = False
    ends = 6, 2

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_odds(self.kappa)
        if not math.isfinite(self.kappa):
            raise ConfigError(
                f"`kappa` of a policy must be finite, got {self.kappa}. Give a large number: the "
                "larger it is, the nearer is the change to its minimum for any odds."
            )

    def _blur_coordinate(self, x: Floats, g: Floats) -> Floats:
        """Move a slice across the threshold; squeeze, shift or keep all other numbers."""
        moved = g + move_by_pieces(x - g, self._compute_pieces())
        step = 1 / self.rho
        # Rounding may move a report out of the band, so clip it.
        moved = np.clip(moved, g - step, g + step)
        is_moved = np.where(x >= g, x - g < 2 * step, g - x <= 2 * step)
        reach = self.reach / self.rho  # of the complete band of 2/rho, for which a line has room
        has_room = (self.box.lower[0] + reach <= g) & (g <= self.box.upper[0] - reach)
        return np.where(has_room, np.where(is_moved, moved, x), super()._blur_coordinate(x, g))

    def _compute_pieces(self) -> list[Piece]:
        """Compute the pieces of one side, in the unit of the blurred number."""
        return compute_odds_pieces(self.kappa, protected=2 / self.rho, largest=1 / self.rho)

    @property
    def stretched(self) -> float:
        """Length of the slice that is stretched, as a share of one side; 0 for none."""
        stretched = [
            each.stop - each.start
            for each in self._compute_pieces()
            if each.to_stop - each.to_start > each.stop - each.start
        ]
        return sum(stretched) * self.rho

    def _compute_two_sided_sizes(self) -> tuple[float, float, float]:
        """Compute the sizes of undecided records, of all reports, and of proving reports."""
        undecided, reports, proving = super()._compute_two_sided_sizes()
        # On lines with room, the pieces leave a gap without reports around the threshold.
        nearest = min(min(abs(each.to_start), abs(each.to_stop)) for each in self._compute_pieces())
        assert isinstance(self.threshold, PolynomialThreshold)  # else it has no band
        length = measure_lines_with_room(self.threshold, self.box, self.reach / self.rho)
        return undecided, reports - 2 * nearest * length, proving


POLICY = OddsBlurring
