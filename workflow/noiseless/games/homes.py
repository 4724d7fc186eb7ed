"""The membership game against the releases of any mechanism, at a given error of the mean.

1. :class:`Homes` is the task of one n: the games, the error of a mechanism, and what adversaries
   gain from its releases.
2. :class:`Reader` is who uses the data, and takes more from a published mean than its face value:
   it knows the mechanism, and what homes that do not play use on a day.  Errors are the reader's,
   so that no mechanism looks worse than it is because its releases are read badly.

All mechanisms meet the same games, and one mechanism's releases at several errors share their
random numbers: what differs along a curve is the noise's size.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from noiseless.adversaries.membership.evidence import guess
from noiseless.adversaries.normal_homes import mean_within
from noiseless.games.comparison import MechanismAtError, Statistics, win_statistics
from noiseless.games.membership import (
    WH_PER_KWH,
    Batch,
    Games,
    PublishedSeries,
    batches,
    concatenate_games,
    contest,
    draw_games,
    draw_in_groups,
    fit,
    membership_adversaries,
    totals_wh,
)
from noiseless.games.releases import MechanismRelease, publish, readings_played
from noiseless.mechanisms.interface import Domain, Identity, Mechanism
from noiseless.seeds import generator

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TINY = 1e-12  # kWh^2: where all homes are alike
_MEASURED_GAMES = 1000  # of a mechanism whose error has no formula
_NOISE_GAMES = 100  # of one whose noise has none


@dataclass(frozen=True)
class Reader:
    """Who knows the mechanism, and the readings of homes that are in no game.

    Attributes
    ----------
    known_wh : ndarray of int, shape (homes, T)
        Readings of these homes, clipped to the public range; two homes or more.
    n : int
        Homes in an aggregate.
    stream : callable
        Gives random numbers, by their purpose and the name of a mechanism.
    """

    known_wh: Ints
    n: int
    stream: Callable[..., np.random.Generator]

    @cached_property
    def usual_kwh(self) -> Floats:
        """Mean of the mean of n homes on each day, shape (T,)."""
        return (self.known_wh / WH_PER_KWH).mean(axis=0)

    @cached_property
    def variance_kwh2(self) -> Floats:
        """Its variance on each day; the usual mean is an estimate, too."""
        share = 1 / self.n + 1 / len(self.known_wh)
        return share * (self.known_wh / WH_PER_KWH).var(axis=0, ddof=1)

    @cached_property
    def _of_known(self) -> tuple[Ints, Floats]:
        """Members and true means of games between known homes."""
        rng = self.stream("noise", "games")
        members = draw_games(rng, homes=len(self.known_wh), n=self.n, games=_NOISE_GAMES).members
        return members, totals_wh(self.known_wh, members) / (self.n * WH_PER_KWH)

    def noise_kwh(self, mechanism: Mechanism) -> float | None:
        """Standard deviation of the noise of a published mean; None where no formula is known."""
        if mechanism.is_deterministic and not mechanism.is_local:
            return None
        if mechanism.is_local:
            variance = mechanism.variance(self.known_wh / WH_PER_KWH)
            variance = None if variance is None else variance / self.n
        else:
            variance = mechanism.variance(self._of_known[1])
        return None if variance is None else math.sqrt(variance)

    def published_as(self, mechanism: Mechanism) -> dict[str, float]:
        """What :class:`~noiseless.adversaries.membership.evidence.Training` says of a mechanism."""
        grid = (0.0, 0.0) if isinstance(mechanism, Identity) else mechanism.grid
        if mechanism.is_deterministic and not mechanism.is_local and grid is not None:
            return {"noise_kwh": 0.0, "cell_kwh": grid[1]}
        noise_kwh = self.noise_kwh(mechanism)
        if noise_kwh is None:
            members, true_kwh = self._of_known
            rng = self.stream("measured noise", mechanism.name)
            off = publish(mechanism, self.known_wh, members, rng).kwh - true_kwh
            noise_kwh = math.sqrt((off**2).mean())
        return {"noise_kwh": noise_kwh, "cell_kwh": 0.0}

    def weights(self, noise_kwh: float) -> Floats:
        """Weight of a published mean with noise, beside the usual one; the best linear reading."""
        return self.variance_kwh2 / np.maximum(self.variance_kwh2 + noise_kwh**2, _TINY)

    def read(self, published_kwh: Floats, *, noise_kwh: float, cell_kwh: float) -> Floats:
        """What the reader takes true means for, shape (G, T).

        Parameters
        ----------
        published_kwh : ndarray, shape (G, T)
        noise_kwh, cell_kwh : float
            As in :class:`noiseless.adversaries.membership.evidence.Training`.
        """
        away = published_kwh - self.usual_kwh
        if not cell_kwh:
            return self.usual_kwh + self.weights(noise_kwh) * away
        spread, half = np.sqrt(np.maximum(self.variance_kwh2, _TINY)), cell_kwh / 2
        inside = mean_within((away - half) / spread, (away + half) / spread)
        return self.usual_kwh + spread * inside


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
        return readings_played(self.n, self.maximum_wh / WH_PER_KWH)

    def _draw(self, purpose: str, homes: Ints, games: int) -> Games:
        rng = generator(self.seed, *self.key, purpose, "games")
        return draw_games(rng, homes=len(homes), n=self.n, games=games)

    @cached_property
    def testing(self) -> Games:
        """The games that all adversaries are tested on."""
        return self._draw("testing", self.unknown_wh, self.games)

    @cached_property
    def within_groups(self) -> Games:
        """As many games within disjoint groups of the homes, for an interval over homes."""
        rng = generator(self.seed, *self.key, "groups", "games")
        return draw_in_groups(rng, homes=len(self.unknown_wh), n=self.n, games=self.games)

    @cached_property
    def training(self) -> Games:
        """Those that the learned adversary is trained on."""
        return self._draw("training", self.known_wh, self.training_games)

    @cached_property
    def reader(self) -> Reader:
        """Who reads the published means, with statistics of the homes that do not play."""
        return Reader(self.known_wh, self.n, partial(generator, self.seed, *self.key))

    @cached_property
    def constant_error_kwh(self) -> float:
        """Error of who reads nothing, and takes the usual mean of each day."""
        return math.sqrt(self._squares_kwh2.mean())

    @cached_property
    def _squares_kwh2(self) -> Floats:
        """Mean square of the true less the usual mean on each day, over all games, shape (T,)."""
        squares = np.zeros(self.unknown_wh.shape[1])
        for batch in batches(self.unknown_wh, self.testing):
            away = self._mean_kwh(batch) - self.reader.usual_kwh
            squares += (away**2).sum(axis=0)
        return squares / len(self.testing.member)

    @cached_property
    def _measured(self) -> tuple[Ints, Floats]:
        """Members and true means of the games that errors are measured in."""
        members = self.testing[:_MEASURED_GAMES].members
        return members, totals_wh(self.unknown_wh, members) / (self.n * WH_PER_KWH)

    def _mean_kwh(self, batch: Batch) -> Floats:
        """True means of some games, shape (G, T)."""
        return batch.totals_wh(self.maximum_wh) / (self.n * WH_PER_KWH)

    def error(self, mechanism: Mechanism) -> float:
        """Root mean square of the read less the true mean, in kWh."""
        noise_kwh = self.reader.noise_kwh(mechanism)
        if noise_kwh is None:
            members, true_kwh = self._measured
            rng = generator(self.seed, *self.key, "measured", mechanism.name)
            released_kwh = publish(mechanism, self.unknown_wh, members, rng).kwh
            read_kwh = self.reader.read(released_kwh, **self.reader.published_as(mechanism))
            return math.sqrt(((read_kwh - true_kwh) ** 2).mean())
        if math.isinf(noise_kwh):
            return self.constant_error_kwh
        weights = self.reader.weights(noise_kwh)
        return math.sqrt(
            ((1 - weights) ** 2 * self._squares_kwh2 + (weights * noise_kwh) ** 2).mean()
        )

    def play(
        self, releases: Sequence[MechanismAtError]
    ) -> Iterator[tuple[MechanismAtError, dict[str, object], Statistics]]:
        """What each adversary gains from each release."""
        squares = np.zeros((len(releases), 2))  # as read, and as published
        publishing = [
            MechanismRelease(
                each.mechanism, self.n, self.maximum_wh, self.reader.published_as(each.mechanism)
            )
            for each in releases
        ]

        def add_errors(place: int, batch: Batch, series: PublishedSeries) -> dict[str, Floats]:
            true_kwh = self._mean_kwh(batch)
            read_kwh = self.reader.read(series.kwh, **publishing[place].published_as)
            squares[place, 0] += float(((read_kwh - true_kwh) ** 2).sum())
            squares[place, 1] += float(((series.kwh - true_kwh) ** 2).sum())
            return {}

        adversaries = membership_adversaries(trained=True)
        lessons = list(self._batches("training", self.known_wh, self.training))
        fitted = [fit(adversaries, release, self.known_wh, lessons) for release in publishing]
        testing, groups = (
            self._batches(purpose, self.unknown_wh, games)
            for purpose, games in (("testing", self.testing), ("groups", self.within_groups))
        )
        preferred = [
            contest(fitted, publishing, testing, beside=add_errors),
            contest(fitted, publishing, groups),
        ]
        both = concatenate_games([self.testing, self.within_groups])
        for place, release in enumerate(releases):
            errors_kwh = np.sqrt(squares[place] / (self.games * self.unknown_wh.shape[1]))
            for name in fitted[place]:
                preference = np.concatenate([part[place][name] for part in preferred])
                cell = (name, release.mechanism.name, release.target)
                coin = generator(self.seed, *self.key, "coin", *cell)
                coins = coin.integers(0, 2, len(both.member))
                correct = guess(preference, coins) == both.member
                found = win_statistics(correct[both.between], chance=0.5)
                gain = np.where(correct, 1, -1)
                yield (
                    release,
                    {"adversary": name},
                    {
                        **found,
                        "gain_over_homes": both.over_homes(found["gain"].value, gain),
                        "error_kwh": float(errors_kwh[0]),
                        "published_error_kwh": float(errors_kwh[1]),
                        "constant_error_kwh": self.constant_error_kwh,
                        "coin_share": float((preference[both.between] == 0).mean()),
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
