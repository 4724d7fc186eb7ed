"""The membership game against the releases of any mechanism, at a given error of the mean.

1. :class:`Homes` is the task of one n: the games, the error of a mechanism, and what adversaries
   gain from its releases.
2. :func:`publish` turns the releases of any mechanism into the whole numbers that the adversaries
   of the game read.  A central mechanism releases the mean of the n homes; of a local one, the mean
   of what the n homes release is published.

Where outputs have no grid of their own, the published mean is rounded so that the sum of the n
readings stays in whole Wh.  Games are drawn, released and judged for some at a time.  All
mechanisms meet the same games, and one mechanism's releases at several errors share their random
numbers: what differs along a curve is the noise's size.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from noiseless.adversaries.membership import Evidence, Training, guess
from noiseless.games.comparison import Release, Statistics, win_statistics
from noiseless.games.membership import (
    WH_PER_KWH,
    Games,
    GroupedGames,
    PublishedSeries,
    contest,
    draw_games,
    draw_in_groups,
    membership_adversaries,
    observations,
    totals_wh,
)
from noiseless.mechanisms.interface import Domain, Mechanism
from noiseless.seeds import generator
from noiseless.statistics import mean_over_homes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_GAMES_AT_ONCE = 500
_REPORTS_AT_ONCE = 1 << 22  # of homes, by a local mechanism
_MEASURED_GAMES = 100  # of a mechanism whose error has no formula


def publish(
    mechanism: Mechanism, energy_wh: Ints, members: Ints, rng: np.random.Generator
) -> PublishedSeries:
    """Means of n homes as a mechanism publishes them.

    Parameters
    ----------
    mechanism : Mechanism
        On readings or their mean, in kWh.
    energy_wh : ndarray of int, shape (homes, T)
        Readings, within the public range.
    members : ndarray of int, shape (G, n)
        The homes of each mean.
    rng : numpy.random.Generator
    """
    n = members.shape[1]
    if mechanism.is_local:
        # One stream for all, cut where memory asks for it.
        at_once = max(1, _REPORTS_AT_ONCE // (n * energy_wh.shape[1]))
        released = np.concatenate(
            [
                mechanism.release(energy_wh[homes] / WH_PER_KWH, rng).mean(axis=1)
                for homes in np.split(members, range(at_once, len(members), at_once))
            ]
        )
    else:
        released = mechanism.release(totals_wh(energy_wh, members) / (n * WH_PER_KWH), rng)
    if mechanism.grid is None:
        offset_wh, step_wh = 0.0, 1 / n
    else:
        offset_wh, step_wh = (WH_PER_KWH * each for each in mechanism.grid)
        step_wh = step_wh / n if mechanism.is_local else step_wh
    k = np.rint((released * WH_PER_KWH - offset_wh) / step_wh).astype(np.int64)
    return PublishedSeries(k, step_wh, offset_wh)


@dataclass(frozen=True)
class Homes:
    """The membership game of one n, played by half of the homes.

    Attributes
    ----------
    known_wh, unknown_wh : ndarray of int, shape (homes, T)
        Readings, clipped, of the homes that training has and has not seen.
    maximum_wh : int
        Upper end of the public range [0, x_max].
    n : int
        Homes in an aggregate.
    games, training_games : int
        Between the unknown homes, and between the known ones.
    key : tuple
        Coordinates of the random streams.
    seed : int
    """

    known_wh: Ints
    unknown_wh: Ints
    maximum_wh: int
    n: int
    games: int
    training_games: int
    key: tuple[str | int, ...]
    seed: int

    error_unit = "kwh"

    @property
    def cell(self) -> dict[str, object]:
        """The number of homes."""
        return {"n": self.n}

    @property
    def domain(self) -> Domain:
        """A day's reading."""
        return Domain((0.0,), (self.maximum_wh / WH_PER_KWH,), "kwh", people=self.n)

    def _draw(self, purpose: str, homes: Ints, games: int) -> Games:
        rng = generator(self.seed, *self.key, purpose, "games")
        return draw_games(rng, homes=len(homes), n=self.n, games=games)

    @cached_property
    def testing(self) -> Games:
        """The games that all adversaries are tested on."""
        return self._draw("testing", self.unknown_wh, self.games)

    @cached_property
    def within_groups(self) -> GroupedGames | None:
        """As many games within disjoint groups of the homes, for an interval over homes."""
        rng = generator(self.seed, *self.key, "groups", "games")
        return draw_in_groups(rng, homes=len(self.unknown_wh), n=self.n, games=self.games)

    @cached_property
    def training(self) -> Games:
        """Those that the learned adversary is trained on."""
        return self._draw("training", self.known_wh, self.training_games)

    @cached_property
    def totals(self) -> tuple[Ints, Ints]:
        """The different sums of n readings in all games, in Wh, and how often each occurs."""
        counts = np.zeros(self.n * int(self.unknown_wh.max()) + 1, dtype=np.int64)
        for some in self.testing.batches(_GAMES_AT_ONCE):
            part = totals_wh(self.unknown_wh, some.members)
            counts += np.bincount(part.ravel(), minlength=len(counts))
        totals = np.flatnonzero(counts)
        return totals, counts[totals]

    def error(self, mechanism: Mechanism) -> float:
        """Root mean square of the published less the true mean, in kWh."""
        totals, counts = self.totals
        mean_kwh = totals / (self.n * WH_PER_KWH)
        rng = generator(self.seed, *self.key, "measured", mechanism.name)
        if mechanism.is_deterministic and not mechanism.is_local:
            squares = (mechanism.release(mean_kwh, rng) - mean_kwh) ** 2
            return math.sqrt(np.average(squares, weights=counts))
        if mechanism.is_local:
            variance = mechanism.variance(self.unknown_wh / WH_PER_KWH)
            variance = None if variance is None else variance / self.n
        else:
            variance = mechanism.variance(mean_kwh)
        if variance is not None:
            return math.sqrt(variance)
        members = self.testing[:_MEASURED_GAMES].members
        series = publish(mechanism, self.unknown_wh, members, rng)
        true_kwh = totals_wh(self.unknown_wh, members) / (self.n * WH_PER_KWH)
        return math.sqrt(((series.kwh - true_kwh) ** 2).mean())

    def play(
        self, releases: Sequence[Release]
    ) -> Iterator[tuple[Release, dict[str, object], Statistics]]:
        """What each adversary gains from each release."""
        totals, counts = self.totals
        mean = np.average(totals, weights=counts)
        constant = math.sqrt(np.average((totals - mean) ** 2, weights=counts)) / self.n
        grouped = self.within_groups
        member, group = self.testing.member, np.array([], dtype=np.int64)
        if grouped is not None:
            member, group = np.concatenate([member, grouped.games.member]), grouped.group
        for release in releases:
            squares: list[float] = []
            training = Training(
                self.known_wh / WH_PER_KWH,
                partial(self._observed, "training", self.known_wh, self.training, release),
            )
            testing = self._observed(
                "testing", self.unknown_wh, self.testing, release, squares=squares
            )
            within = (
                self._observed("groups", self.unknown_wh, grouped.games, release)
                if grouped is not None
                else ()
            )
            adversaries = membership_adversaries(trained=True)
            seen = (each for each, _ in itertools.chain(testing, within))
            preferred = contest(adversaries, seen, training)
            error_kwh = math.sqrt(sum(squares) / (self.games * self.unknown_wh.shape[1]))
            for name, preference in preferred.items():
                cell = (name, release.mechanism.name, release.target)
                coin = generator(self.seed, *self.key, "coin", *cell)
                correct = guess(preference, coin.integers(0, 2, len(member))) == member
                found = win_statistics(correct[: self.games], chance=0.5)
                gain = np.where(correct[self.games :], 1, -1)
                yield (
                    release,
                    {"adversary": name},
                    {
                        **found,
                        "gain_over_homes": mean_over_homes(found["gain"].value, gain, group),
                        "error_kwh": error_kwh,
                        "constant_error_kwh": constant / WH_PER_KWH,
                        "coin_share": float((preference[: self.games] == 0).mean()),
                        "games": self.games,
                        "homes": len(self.unknown_wh),
                    },
                )

    def _observed(
        self,
        purpose: str,
        energy_wh: Ints,
        games: Games,
        release: Release,
        *,
        squares: list[float] | None = None,
    ) -> Iterator[tuple[Evidence, Ints]]:
        """Evidence and members of all games, some at a time; their sums of squared errors go in."""

        def publish_some(some: Games, start: int) -> PublishedSeries:
            # The same stream at all errors of a mechanism: the same noise, of another size.
            rng = generator(self.seed, *self.key, purpose, release.mechanism.name, start)
            series = publish(release.mechanism, energy_wh, some.members, rng)
            if squares is not None:
                true_kwh = totals_wh(energy_wh, some.members) / (self.n * WH_PER_KWH)
                squares.append(float(((series.kwh - true_kwh) ** 2).sum()))
            return series

        for evidence, some in observations(energy_wh, games, publish_some):
            yield evidence, some.member
