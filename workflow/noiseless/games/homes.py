"""The membership game against the releases of any mechanism, at a given error of the mean.

1. :class:`Homes` is the task of one n: the games, the error of a mechanism, and what adversaries
   gain from its releases.
2. :class:`Reader` is who uses the data, and takes more from a published mean than its face value:
   it knows the mechanism, and what homes that do not play use on a day.  Errors are the reader's,
   so that a mechanism does not look worse than it is because somebody reads it badly.
3. :func:`publish` turns the releases of any mechanism into the whole numbers that the adversaries
   of the game read.  A central mechanism releases the mean of the n homes; of a local one, the mean
   of what the n homes release is published.

Where outputs have no grid of their own, the published mean is rounded so that the sum of the n
readings stays in whole Wh.  Games are drawn, released and judged for some at a time.  All
mechanisms meet the same games, and one mechanism's releases at several errors share their random
numbers: what differs along a curve is the noise's size.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from noiseless.adversaries.compiled import njit
from noiseless.adversaries.evidence import Evidence, Training, guess, is_peak
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.normal_homes import normal_within
from noiseless.games.comparison import Release, Statistics, win_statistics
from noiseless.games.membership import (
    WH_PER_KWH,
    Candidates,
    Games,
    GroupedGames,
    PublishedSeries,
    contest,
    draw_games,
    draw_in_groups,
    fit,
    membership_adversaries,
    observe,
    totals_wh,
)
from noiseless.mechanisms.interface import Domain, Mechanism, SharedNoise, TwoValuedMechanism
from noiseless.seeds import generator
from noiseless.statistics import mean_over_homes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_GAMES_AT_ONCE = 500
_REPORTS_AT_ONCE = 1 << 22  # of homes, by a local mechanism
_TINY = 1e-12  # kWh^2: where all homes are alike
_MEASURED_GAMES = 1000  # of a mechanism whose error has no formula


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
    # One stream for all, cut where memory asks for it.
    at_once = _games_at_once(n, energy_wh.shape[1]) if mechanism.is_local else len(members)
    parts = [
        _publish(
            mechanism, energy_wh, homes, _means_kwh(energy_wh, homes), SharedNoise(lambda _: rng)
        )
        for homes in np.split(members, range(at_once, len(members), at_once))
    ]
    return PublishedSeries(
        np.concatenate([part.k for part in parts]), parts[0].step_wh, parts[0].offset_wh
    )


def _games_at_once(n: int, readings: int) -> int:
    return max(1, _REPORTS_AT_ONCE // (n * readings))


def _means_kwh(energy_wh: Ints, members: Ints) -> Floats:
    """True means of games, shape (G, T)."""
    return totals_wh(energy_wh, members) / (members.shape[1] * WH_PER_KWH)


def _publish(
    mechanism: Mechanism, energy_wh: Ints, members: Ints, mean_kwh: Floats, noise: SharedNoise
) -> PublishedSeries:
    """:func:`publish` of games whose true means are known, and whose noise may have been drawn."""
    n = members.shape[1]
    offset_wh, step_wh = 0.0, 1 / n
    if mechanism.grid is not None:
        offset_wh, step_wh = (WH_PER_KWH * each for each in mechanism.grid)
        step_wh = step_wh / n if mechanism.is_local else step_wh
    if mechanism.is_local and isinstance(mechanism, TwoValuedMechanism):
        # Each home's probabilities once, and the upper numbers counted: no mean is rounded.
        (uniform,) = noise.drawn(mechanism, (*members.shape, energy_wh.shape[1]))
        k = np.zeros(mean_kwh.shape, dtype=np.int64)
        _count_high(mechanism.probability_high(energy_wh / WH_PER_KWH), members, uniform, k)
        return PublishedSeries(k, step_wh, offset_wh)
    if mechanism.is_local:
        released = noise.release(mechanism, energy_wh[members] / WH_PER_KWH).mean(axis=1)
    else:
        released = noise.release(mechanism, mean_kwh)
    return PublishedSeries.nearest(released, step_wh, offset_wh)


@njit(cache=True, nogil=True)
def _count_high(probability, members, uniform, count):  # noqa: ANN001, ANN202
    """Members of each game, at each reading, whose number is below their home's probability."""
    for g in range(len(members)):
        of_game = count[g]
        for j in range(members.shape[1]):
            of_home, drawn = probability[members[g, j]], uniform[g, j]
            for t in range(len(of_game)):
                of_game[t] += drawn[t] < of_home[t]


@dataclass(frozen=True)
class Reader:
    """Reads published means of n homes, with public statistics of other homes.

    Attributes
    ----------
    usual_kwh, variance_kwh2 : ndarray, shape (T,)
        Mean and variance of the mean of n homes on each day, from homes that are in no game.
    """

    usual_kwh: Floats
    variance_kwh2: Floats

    @classmethod
    def of(cls, energy_wh: Ints, n: int) -> "Reader":
        """From the readings of two homes or more, shape (homes, T)."""
        energy_kwh = energy_wh / WH_PER_KWH
        # The usual mean is an estimate, too.
        share = 1 / n + 1 / len(energy_kwh)
        return cls(energy_kwh.mean(axis=0), share * energy_kwh.var(axis=0, ddof=1))

    def weights(self, noise_kwh: float) -> Floats:
        """Weight of a published mean with noise, beside the usual one; the best linear reading."""
        return self.variance_kwh2 / np.maximum(self.variance_kwh2 + noise_kwh**2, _TINY)

    def read(self, published_kwh: Floats, *, noise_kwh: float, cell_kwh: float) -> Floats:
        """What the reader takes true means for, shape (G, T).

        Parameters
        ----------
        published_kwh : ndarray, shape (G, T)
        noise_kwh, cell_kwh : float
            As in :class:`noiseless.adversaries.evidence.Training`.
        """
        away = published_kwh - self.usual_kwh
        if not cell_kwh:
            return self.usual_kwh + self.weights(noise_kwh) * away
        spread, half = np.sqrt(np.maximum(self.variance_kwh2, _TINY)), cell_kwh / 2
        inside = normal_within((away - half) / spread, (away + half) / spread)[0]
        return self.usual_kwh + spread * inside


@dataclass(frozen=True)
class _Batch:
    """Some of the games, and what is the same of them whatever is released.

    Attributes
    ----------
    members : ndarray of int, shape (G, n)
    candidates : Candidates
    mean_kwh : ndarray, shape (G, T)
        True means.
    member : ndarray of int, shape (G,)
        Which candidate is a member.
    noise : SharedNoise
    """

    members: Ints
    candidates: Candidates
    mean_kwh: Floats
    member: Ints
    noise: SharedNoise


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
    def reader(self) -> Reader:
        """Who reads the published means, with statistics of the homes that do not play."""
        return Reader.of(self.known_wh, self.n)

    @cached_property
    def constant_error_kwh(self) -> float:
        """Error of who reads nothing, and takes the usual mean of each day."""
        return math.sqrt(self._squares_kwh2.mean())

    @cached_property
    def _squares_kwh2(self) -> Floats:
        """Mean square of the true less the usual mean on each day, over all games, shape (T,)."""
        squares = np.zeros(self.unknown_wh.shape[1])
        for some in self.testing.batches(_GAMES_AT_ONCE):
            away = _means_kwh(self.unknown_wh, some.members) - self.reader.usual_kwh
            squares += (away**2).sum(axis=0)
        return squares / len(self.testing.member)

    @cached_property
    def _measured(self) -> tuple[Ints, Floats]:
        """Members and true means of the games that errors are measured in."""
        members = self.testing[:_MEASURED_GAMES].members
        return members, _means_kwh(self.unknown_wh, members)

    def error(self, mechanism: Mechanism) -> float:
        """Root mean square of the read less the true mean, in kWh."""
        noise_kwh = self._noise_kwh(mechanism)
        if noise_kwh is None:
            members, true_kwh = self._measured
            rng = generator(self.seed, *self.key, "measured", mechanism.name)
            read_kwh = self.read(mechanism, publish(mechanism, self.unknown_wh, members, rng).kwh)
            return math.sqrt(((read_kwh - true_kwh) ** 2).mean())
        if math.isinf(noise_kwh):
            return self.constant_error_kwh
        weights = self.reader.weights(noise_kwh)
        return math.sqrt(
            ((1 - weights) ** 2 * self._squares_kwh2 + (weights * noise_kwh) ** 2).mean()
        )

    def read(self, mechanism: Mechanism, published_kwh: Floats) -> Floats:
        """What a reader who knows the mechanism takes true means for, shape (G, T)."""
        return self.reader.read(published_kwh, **self.published_as(mechanism))

    def published_as(self, mechanism: Mechanism) -> dict[str, float]:
        """What :class:`~noiseless.adversaries.evidence.Training` says of a mechanism."""
        if mechanism.is_deterministic and not mechanism.is_local:
            return {"noise_kwh": 0.0, "cell_kwh": mechanism.grid[1] if mechanism.grid else 0.0}
        noise_kwh = self._noise_kwh(mechanism)
        if noise_kwh is None:
            members, true_kwh = self._measured
            rng = generator(self.seed, *self.key, "measured noise", mechanism.name)
            off = publish(mechanism, self.unknown_wh, members[:100], rng).kwh - true_kwh[:100]
            noise_kwh = math.sqrt((off**2).mean())
        return {"noise_kwh": noise_kwh, "cell_kwh": 0.0}

    def _noise_kwh(self, mechanism: Mechanism) -> float | None:
        """Standard deviation of the noise of a published mean; None where no formula is known."""
        if mechanism.is_deterministic and not mechanism.is_local:
            return None
        if mechanism.is_local:
            variance = mechanism.variance(self.known_wh / WH_PER_KWH)
            variance = None if variance is None else variance / self.n
        else:
            variance = mechanism.variance(self._measured[1])
        return None if variance is None else math.sqrt(variance)

    def play(
        self, releases: Sequence[Release]
    ) -> Iterator[tuple[Release, dict[str, object], Statistics]]:
        """What each adversary gains from each release."""
        grouped = self.within_groups
        member, group = self.testing.member, np.array([], dtype=np.int64)
        played = [("testing", self.testing)]
        if grouped is not None:
            member, group = np.concatenate([member, grouped.games.member]), grouped.group
            played.append(("groups", grouped.games))
        squares = np.zeros((len(releases), 2))  # as read, and as published

        def evidence(purpose: str, batch: _Batch) -> Iterator[Evidence]:
            for place, release in enumerate(releases):
                series = self._published(release, self.unknown_wh, batch)
                if purpose == "testing":
                    read_kwh = self.read(release.mechanism, series.kwh)
                    squares[place, 0] += float(((read_kwh - batch.mean_kwh) ** 2).sum())
                    squares[place, 1] += float(((series.kwh - batch.mean_kwh) ** 2).sum())
                yield observe(series, batch.candidates, n=self.n)

        # All releases of some games, whose readings and noise are then at hand.
        preferred = contest(
            self._fitted(releases),
            (
                evidence(purpose, batch)
                for purpose, games in played
                for batch in self._batches(purpose, self.unknown_wh, games)
            ),
        )
        for place, release in enumerate(releases):
            errors_kwh = np.sqrt(squares[place] / (self.games * self.unknown_wh.shape[1]))
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
                        "error_kwh": float(errors_kwh[0]),
                        "published_error_kwh": float(errors_kwh[1]),
                        "constant_error_kwh": self.constant_error_kwh,
                        "coin_share": float((preference[: self.games] == 0).mean()),
                        "games": self.games,
                        "homes": len(self.unknown_wh),
                    },
                )

    def _fitted(self, releases: Sequence[Release]) -> list[dict[str, Adversary]]:
        """The adversaries of each release, trained on games between the known homes."""
        adversaries = membership_adversaries(trained=True)
        batches = list(self._batches("training", self.known_wh, self.training))
        known_kwh = self.known_wh / WH_PER_KWH

        def observed(release: Release) -> Iterator[tuple[Evidence, Ints]]:
            for batch in batches:
                series = self._published(release, self.known_wh, batch)
                yield observe(series, batch.candidates, n=self.n), batch.member

        return [
            fit(
                adversaries,
                Training(
                    known_kwh, partial(observed, release), **self.published_as(release.mechanism)
                ),
            )
            for release in releases
        ]

    def _batches(self, purpose: str, energy_wh: Ints, games: Games) -> Iterator[_Batch]:
        """All games, some at a time."""
        peaks = is_peak(energy_wh, strict=True)
        size = min(_GAMES_AT_ONCE, _games_at_once(self.n, energy_wh.shape[1]))
        for number, some in enumerate(games.batches(size)):
            members = some.members
            # The same stream at all errors of a mechanism: the same noise, of another size.
            stream = partial(self._noise, purpose, number * size)
            yield _Batch(
                members,
                Candidates(energy_wh[some.candidates], peaks[some.candidates]),
                _means_kwh(energy_wh, members),
                some.member,
                SharedNoise(stream),
            )

    def _noise(self, purpose: str, start: int, mechanism: str) -> np.random.Generator:
        return generator(self.seed, *self.key, purpose, mechanism, start)

    def _published(self, release: Release, energy_wh: Ints, batch: _Batch) -> PublishedSeries:
        return _publish(release.mechanism, energy_wh, batch.members, batch.mean_kwh, batch.noise)
