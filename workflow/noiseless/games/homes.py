"""Membership game against the releases of any mechanism, at a given error of the mean.

1. :class:`MembershipTask` is the task of one n: the games, the error of a mechanism, and the
   adversaries' gains from its releases.
2. :class:`MeanReader` is the data user, who estimates the true mean from a published one, the
   mechanism, and the readings of homes that are in no game.  Errors are those of the estimate, so
   that all mechanisms are compared at their best use.

All mechanisms play equal games, and the releases of one mechanism at several errors share their
random numbers: only the size of the noise differs along a curve.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.normal_homes import compute_truncated_mean
from noiseless.arrays import Floats, Ints
from noiseless.games.comparison import CalibratedMechanism, Statistics
from noiseless.games.membership import (
    WH_PER_KWH,
    Batch,
    Games,
    PublishedSeries,
    collect_preferences,
    draw_games,
    fit,
    iterate_batches,
    load_membership_adversaries,
    sum_members_wh,
)
from noiseless.games.outcome import Outcome
from noiseless.games.releases import MechanismRelease, build_reading_domain, publish_means
from noiseless.mechanisms.interface import Domain, Identity, Mechanism
from noiseless.seeds import make_generator

_MIN_VARIANCE_KWH2 = (
    1e-12  # smallest variance (kWh^2), which replaces 0 where all homes have equal readings
)
_MEASURED_GAMES = 1000  # number of games in which an error without a formula is measured
_NOISE_GAMES = 100  # number of games in which noise without a formula is measured


@dataclass(frozen=True)
class MeanReader:
    """Data user who estimates means of n homes (kWh) from published means and held-out homes.

    The data user knows the mechanism, and two held-out homes or more, clipped to the public range.
    ``stream`` gives a generator of random numbers from a purpose and the name of a mechanism.
    """

    known_wh: Ints
    n: int
    stream: Callable[..., np.random.Generator]

    @cached_property
    def usual_kwh(self) -> Floats:
        """Expected mean of n homes on each day (kWh), shape (T,), from the known homes."""
        return (self.known_wh / WH_PER_KWH).mean(axis=0)

    @cached_property
    def variance_kwh2(self) -> Floats:
        """Variance of the mean of n homes around ``usual_kwh`` on each day (kWh^2), shape (T,).

        The variance of the estimate ``usual_kwh`` itself is included.
        """
        share = 1 / self.n + 1 / len(self.known_wh)
        return share * (self.known_wh / WH_PER_KWH).var(axis=0, ddof=1)

    @cached_property
    def _known_games(self) -> tuple[Ints, Floats]:
        """Members, shape (G, n), and true means (kWh), shape (G, T), of known homes' games."""
        rng = self.stream("noise", "games")
        members = draw_games(rng, homes=len(self.known_wh), n=self.n, games=_NOISE_GAMES).members
        return members, sum_members_wh(self.known_wh, members) / (self.n * WH_PER_KWH)

    def compute_noise_kwh(self, mechanism: Mechanism) -> float | None:
        """Compute the standard deviation (kWh) of a published mean's noise; None if unknown."""
        if mechanism.is_deterministic and not mechanism.is_local:
            return None
        if mechanism.is_local:
            variance = mechanism.variance(self.known_wh / WH_PER_KWH)
            variance = None if variance is None else variance / self.n
        else:
            variance = mechanism.variance(self._known_games[1])
        return None if variance is None else math.sqrt(variance)

    def describe_release(self, mechanism: Mechanism) -> dict[str, float]:
        """Describe a mechanism's releases: noise and cell width (kWh), as arguments of Training.

        See :class:`~noiseless.adversaries.inputs.membership.Training`.
        """
        grid = (0.0, 0.0) if isinstance(mechanism, Identity) else mechanism.grid
        if mechanism.is_deterministic and not mechanism.is_local and grid is not None:
            return {"noise_kwh": 0.0, "cell_kwh": grid[1]}
        noise_kwh = self.compute_noise_kwh(mechanism)
        if noise_kwh is None:
            members, true_kwh = self._known_games
            rng = self.stream("measured noise", mechanism.name)
            off = publish_means(mechanism, self.known_wh, members, rng).kwh - true_kwh
            noise_kwh = math.sqrt((off**2).mean())
        return {"noise_kwh": noise_kwh, "cell_kwh": 0.0}

    def compute_weights(self, noise_kwh: float) -> Floats:
        """Compute the weight of a published mean against the expected one on each day, shape (T,).

        The weights make the best linear estimate at noise of standard deviation ``noise_kwh``.
        """
        return self.variance_kwh2 / np.maximum(
            self.variance_kwh2 + noise_kwh**2, _MIN_VARIANCE_KWH2
        )

    def estimate_means(self, published_kwh: Floats, *, noise_kwh: float, cell_kwh: float) -> Floats:
        """Estimate the true means (kWh), shape (G, T), from published means.

        Noise and cells are those of :class:`noiseless.adversaries.inputs.membership.Training`.
        """
        away = published_kwh - self.usual_kwh
        if not cell_kwh:
            return self.usual_kwh + self.compute_weights(noise_kwh) * away
        spread, half = np.sqrt(np.maximum(self.variance_kwh2, _MIN_VARIANCE_KWH2)), cell_kwh / 2
        inside = compute_truncated_mean((away - half) / spread, (away + half) / spread)
        return self.usual_kwh + spread * inside


@dataclass(frozen=True)
class MembershipTask:
    """Membership game with n homes per mean, as a task of a comparison.

    Adversaries are trained on the clipped readings ``known_wh``, shape (homes, T), in
    ``training_games``, and tested on ``unknown_wh``.  ``maximum_wh`` is the upper end of the public
    range, and ``key`` the coordinates of the random streams; by default all adversaries that are
    known play.
    """

    known_wh: Ints
    unknown_wh: Ints
    maximum_wh: int
    n: int
    games: int
    training_games: int
    key: tuple[str | int, ...]
    seed: int
    adversaries: Sequence[type[Adversary]] | None = None

    error_unit = "kwh"

    @property
    def key_columns(self) -> dict[str, object]:
        """Key column of the task: the number of homes per mean."""
        return {"n": self.n}

    @property
    def domain(self) -> Domain:
        """Domain of a day's reading, in kWh."""
        return build_reading_domain(self.n, self.maximum_wh / WH_PER_KWH)

    def _make_games_rng(self, purpose: str) -> np.random.Generator:
        return make_generator(self.seed, *self.key, purpose, "games")

    @cached_property
    def testing(self) -> Games:
        """Games between the unknown homes, of all adversaries."""
        rng = self._make_games_rng("testing")
        return draw_games(rng, homes=len(self.unknown_wh), n=self.n, games=self.games)

    @cached_property
    def training(self) -> Games:
        """Games between the known homes, on which adversaries are trained."""
        rng = self._make_games_rng("training")
        return draw_games(rng, homes=len(self.known_wh), n=self.n, games=self.training_games)

    @cached_property
    def reader(self) -> MeanReader:
        """Data user who has statistics of the known homes."""
        return MeanReader(self.known_wh, self.n, partial(make_generator, self.seed, *self.key))

    @cached_property
    def constant_error_kwh(self) -> float:
        """Root mean square error (kWh) of the expected mean, without any release."""
        return math.sqrt(self._squares_kwh2.mean())

    @cached_property
    def _squares_kwh2(self) -> Floats:
        """Mean squared distance of true and expected mean on each day (kWh^2), shape (T,)."""
        squares = np.zeros(self.unknown_wh.shape[1])
        for batch in iterate_batches(self.unknown_wh, self.testing):
            away = self._compute_mean_kwh(batch) - self.reader.usual_kwh
            squares += (away**2).sum(axis=0)
        return squares / len(self.testing.member)

    @cached_property
    def _error_games(self) -> tuple[Ints, Floats]:
        """Members, shape (G, n), and true means (kWh), shape (G, T), for measured errors."""
        members = self.testing[:_MEASURED_GAMES].members
        return members, sum_members_wh(self.unknown_wh, members) / (self.n * WH_PER_KWH)

    def _compute_mean_kwh(self, batch: Batch) -> Floats:
        """Compute the true means (kWh) of a batch of games, shape (G, T)."""
        return batch.compute_totals_wh(self.maximum_wh) / (self.n * WH_PER_KWH)

    def measure_error(self, mechanism: Mechanism) -> float:
        """Compute the root mean square error (kWh) of the data user's estimates."""
        noise_kwh = self.reader.compute_noise_kwh(mechanism)
        if noise_kwh is None:
            members, true_kwh = self._error_games
            rng = make_generator(self.seed, *self.key, "measured", mechanism.name)
            released_kwh = publish_means(mechanism, self.unknown_wh, members, rng).kwh
            read_kwh = self.reader.estimate_means(
                released_kwh, **self.reader.describe_release(mechanism)
            )
            return math.sqrt(((read_kwh - true_kwh) ** 2).mean())
        if math.isinf(noise_kwh):
            return self.constant_error_kwh
        weights = self.reader.compute_weights(noise_kwh)
        return math.sqrt(
            ((1 - weights) ** 2 * self._squares_kwh2 + (weights * noise_kwh) ** 2).mean()
        )

    def play(
        self, releases: Sequence[CalibratedMechanism]
    ) -> Iterator[tuple[CalibratedMechanism, dict[str, object], Statistics]]:
        """Play the games against each release; yield it, the adversary and its statistics."""
        squares = np.zeros((len(releases), 2))  # of the data user's estimates, and of the means
        publishing = [
            MechanismRelease(
                each.mechanism,
                self.n,
                self.maximum_wh,
                self.reader.describe_release(each.mechanism),
            )
            for each in releases
        ]

        def add_errors(number: int, batch: Batch, series: PublishedSeries) -> dict[str, Floats]:
            true_kwh = self._compute_mean_kwh(batch)
            read_kwh = self.reader.estimate_means(series.kwh, **publishing[number].published_as)
            squares[number, 0] += float(((read_kwh - true_kwh) ** 2).sum())
            squares[number, 1] += float(((series.kwh - true_kwh) ** 2).sum())
            return {}

        adversaries = self.adversaries
        if adversaries is None:
            adversaries = load_membership_adversaries(trained=True)
        lessons = list(self._iterate_batches("training", self.known_wh, self.training))
        fitted = [fit(adversaries, release, self.known_wh, lessons) for release in publishing]
        testing = self._iterate_batches("testing", self.unknown_wh, self.testing)
        preferred = collect_preferences(fitted, publishing, testing, beside=add_errors)
        for place, release in enumerate(releases):
            errors_kwh = np.sqrt(squares[place] / (self.games * self.unknown_wh.shape[1]))
            for name in fitted[place]:
                cell = (name, release.mechanism.name, release.target)
                coins = make_generator(self.seed, *self.key, "coin", *cell)
                outcome = Outcome.draw(coins, self.testing, name, preferred[place][name])
                yield (
                    release,
                    {"adversary": name},
                    {
                        "gain": outcome.advantage,
                        "won_share": outcome.won_share,
                        "gain_over_homes": outcome.advantage_over_homes,
                        "error_kwh": float(errors_kwh[0]),
                        "published_error_kwh": float(errors_kwh[1]),
                        "constant_error_kwh": self.constant_error_kwh,
                        "coin_share": outcome.coin_share,
                        "games": self.games,
                        "homes": len(self.unknown_wh),
                    },
                )

    def _iterate_batches(self, purpose: str, energy_wh: Ints, games: Games) -> Iterator[Batch]:
        """Iterate over games in batches, with noise for ``purpose``."""
        # All errors of a mechanism share a random stream: only the size of the noise differs.
        stream = partial(self._make_noise_rng, purpose)
        return iterate_batches(energy_wh, games, stream=stream, with_series=True)

    def _make_noise_rng(self, purpose: str, start: int, mechanism: str) -> np.random.Generator:
        return make_generator(self.seed, *self.key, purpose, mechanism, start)
