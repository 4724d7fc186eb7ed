"""The membership game against the releases of any mechanism, at a given error of the mean.

:class:`Homes` is the task of one n: the games, the error of a mechanism, and what adversaries gain
from its releases.  All mechanisms meet the same games, and one mechanism's releases at several
errors share their random numbers: what differs along a curve is the noise's size.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from noiseless.adversaries.membership.evidence import Evidence, guess
from noiseless.games.comparison import Release, Statistics, win_statistics
from noiseless.games.membership import (
    WH_PER_KWH,
    Batch,
    Games,
    GroupedGames,
    batches,
    contest,
    draw_games,
    draw_in_groups,
    fit,
    membership_adversaries,
    totals_wh,
)
from noiseless.games.releases import MechanismRelease, publish
from noiseless.mechanisms.interface import Domain, Mechanism
from noiseless.seeds import generator
from noiseless.statistics import mean_over_homes

Ints = NDArray[np.int64]

_MEASURED_GAMES = 100  # of a mechanism whose error has no formula


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
        for batch in batches(self.unknown_wh, self.testing):
            totals = batch.totals_wh(self.maximum_wh)
            counts += np.bincount(totals.ravel(), minlength=len(counts))
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
        played = [("testing", self.testing)]
        if grouped is not None:
            member, group = np.concatenate([member, grouped.games.member]), grouped.group
            played.append(("groups", grouped.games))
        squares = [0.0] * len(releases)
        publishing = [
            MechanismRelease(each.mechanism, self.n, self.maximum_wh, self.error(each.mechanism))
            for each in releases
        ]

        def evidence(purpose: str, batch: Batch) -> Iterator[Evidence]:
            true_kwh = batch.totals_wh(self.maximum_wh) / (self.n * WH_PER_KWH)
            for place, release in enumerate(publishing):
                series = release.of(batch)
                if purpose == "testing":
                    squares[place] += float(((series.kwh - true_kwh) ** 2).sum())
                yield batch.evidence(series)

        adversaries = membership_adversaries(trained=True)
        lessons = list(self._batches("training", self.known_wh, self.training))
        # All releases of some games, whose readings and noise are then at hand.
        preferred = contest(
            [fit(adversaries, release, self.known_wh, lessons) for release in publishing],
            (
                evidence(purpose, batch)
                for purpose, games in played
                for batch in self._batches(purpose, self.unknown_wh, games)
            ),
        )
        for place, release in enumerate(releases):
            error_kwh = math.sqrt(squares[place] / (self.games * self.unknown_wh.shape[1]))
            for name, preference in preferred[place].items():
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

    def _batches(self, purpose: str, energy_wh: Ints, games: Games) -> Iterator[Batch]:
        """All games, some at a time."""
        # The same stream at all errors of a mechanism: the same noise, of another size.
        stream = partial(self._noise, purpose)
        return batches(energy_wh, games, stream=stream, with_series=True)

    def _noise(self, purpose: str, start: int, mechanism: str) -> np.random.Generator:
        return generator(self.seed, *self.key, purpose, mechanism, start)
