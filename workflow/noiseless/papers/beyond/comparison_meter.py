"""Every mechanism at the same error, on a home's meter: which appliance is on.

A meter reports the mean power of each bin of time (a minute).  The data's user wants the energy of
the home in each hour; the error is the root mean square, over the hours without a gap, of reported
less true energy, as a share of the mean energy of an hour.  The hour matters: noise of mean 0
cancels in a sum, and what a quantizer rounds away does not.

1. :class:`MeterTask` is the task: a mechanism's error, and its reports.  All mechanisms report
   every bin by itself: a quantizer, Laplace or normal noise, or one random bit that stands for its
   unbiased estimate.
2. :func:`build_comparison_tables` lets the adversaries of Figure 4 of ``noiseless`` say from the
   reports which appliance is on, and compares them with the guesser who says "always on".

Adversaries: ``co`` is NILMTK's combinatorial optimisation, which takes every report for the mains;
``hmm`` knows the quantizer's cells, and of other mechanisms the standard deviation of what they
add, which it takes for normal; ``learned`` was trained on days released by the same mechanism.

Values beyond the public range are clipped to it, to which an error is relative.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats
from noiseless.data.redd import MAINS, OTHER_APPLIANCES
from noiseless.errors import ConfigError, DataError
from noiseless.games.appliances import (
    MEAN_SWITCHED,
    BootstrapScorer,
    Guess,
    MeterGame,
    MeterRelease,
    Recording,
    ask_guess,
    build_reports,
    fit_adversaries,
    load_appliance_adversaries,
)
from noiseless.games.comparison import TOLERANCE, CalibratedMechanism, Statistics, play_comparison
from noiseless.mechanisms.interface import (
    Domain,
    Identity,
    Mechanism,
    check_played_domain,
)
from noiseless.seeds import make_generator
from noiseless.statistics import Estimate

_HOUR_S = 3600
CONTROL_NAMES = ("always_on", "chance")
_SCORES = {"gain_losses": "gain", "f_score_losses": "f_score"}


class CompleteHours:
    """The hours of a recording in which no bin is missing.

    :class:`DataError` if there is none, and :class:`ConfigError` if bins do not fill an hour.
    """

    def __init__(self, part: Recording) -> None:
        if _HOUR_S % part.period_s:
            raise ConfigError(
                f"bins of {part.period_s} s do not fill an hour, whose energy is compared. Set "
                "`noiseless.nilm.period_s` to a divisor of 3600."
            )
        self.bins = _HOUR_S // part.period_s
        hour = part.slot // self.bins
        _, number, count = np.unique(hour, return_inverse=True, return_counts=True)
        complete = count == self.bins
        if not complete.any():
            raise DataError(
                "no hour of the test data has a reading of every meter in each of its "
                f"{self.bins} bins, so that there is no energy of an hour to compare. Give a "
                "longer `noiseless.nilm.period_s`, or more days."
            )
        self.count = int(complete.sum())
        self._rows = complete[number]

    def group_bins(self, power_w: Floats) -> Floats:
        """Select the bins of these hours from a power by bin (W), shape (hours, bins)."""
        return power_w[self._rows].reshape(self.count, self.bins)

    def measure_error_share(self, reported_w: Floats, true_w: Floats) -> float:
        """Measure the error of the hourly energy as a share of its mean."""
        true = self.group_bins(true_w).mean(axis=1)
        wrong = self.group_bins(reported_w).mean(axis=1) - true
        return float(np.sqrt(np.mean(wrong**2)) / true.mean())


def release_mains(mechanism: Mechanism, part: Recording, rng: np.random.Generator) -> MeterRelease:
    """Release the mains of a recording bin by bin, and say between which powers (W) each lies."""
    value_w = mechanism.release(part.mains_w, rng)
    cells = mechanism.cells(value_w)
    low_w, high_w = cells or (value_w, value_w)
    if mechanism.is_deterministic and cells is not None:
        return MeterRelease(value_w, low_w, high_w)
    variance = mechanism.variance(part.mains_w)
    if variance is None:
        variance = float(np.mean((value_w - mechanism.domain.clip(part.mains_w)) ** 2))
    return MeterRelease(value_w, low_w, high_w, math.sqrt(variance))


@dataclass(frozen=True)
class MeterTask:
    """A home's meter, which reports the mean power of each bin.

    Adversaries are fitted to the training days, before the test; the controls meet no mechanism.
    """

    train: Recording
    test: Recording
    domain: Domain  # the public range of a report, in W
    seed: int
    adversaries: Sequence[Adversary]
    scorer: BootstrapScorer
    hours: CompleteHours = field(init=False)

    error_unit = "share"

    def __post_init__(self) -> None:
        object.__setattr__(self, "hours", CompleteHours(self.test))

    @property
    def key_columns(self) -> dict[str, object]:
        """There is one meter."""
        return {}

    @property
    def true_w(self) -> Floats:
        """The mains of the test data, within the public range."""
        return self.domain.clip(self.test.mains_w)

    def measure_error(self, mechanism: Mechanism) -> float:
        """Measure the share of the hourly energy that is wrong, root mean square."""
        inside = self.hours.group_bins(self.true_w)
        variance = None if mechanism.is_deterministic else mechanism.variance(inside)
        if variance is not None:
            return math.sqrt(variance) / (math.sqrt(self.hours.bins) * float(inside.mean()))
        rng = make_generator(self.seed, "comparison", "meter", "measured", mechanism.name)
        return self.hours.measure_error_share(mechanism.release(self.true_w, rng), self.true_w)

    def play(
        self, releases: Sequence[CalibratedMechanism]
    ) -> Iterator[tuple[CalibratedMechanism, dict[str, object], Statistics]]:
        """Score the guesses of each adversary about the appliances behind each release."""
        for release in releases:
            check_played_domain(release.mechanism, self.domain)
        true_w = self.true_w
        constant_w = np.full(len(true_w), self.hours.group_bins(true_w).mean())
        facts = {
            "constant_error_share": self.hours.measure_error_share(constant_w, true_w),
            "minutes": len(self.test.slot) * self.test.period_s / 60,
            "days": len(np.unique(self.test.day)),
            "hours": self.hours.count,
        }
        for release in tqdm(releases, desc="comparison, meter", unit="cell"):
            name = release.mechanism.name
            seen = {
                # The same stream at all errors of a mechanism: the same noise, of another size.
                key: release_mains(
                    release.mechanism,
                    part,
                    make_generator(self.seed, "comparison", "meter", name, key),
                )
                for key, part in (("train", self.train), ("test", self.test))
            }
            reported = seen["test"].value_w
            errors = {
                "error_share": self.hours.measure_error_share(reported, true_w),
                "report_error_w": float(np.sqrt(np.mean((reported - true_w) ** 2))),
            }
            # Who trains on the release has the same random numbers for all of them.
            reports = build_reports(self.test, seen)
            for adversary in self.adversaries:
                if adversary.is_control and not isinstance(release.mechanism, Identity):
                    continue
                guess = ask_guess(adversary, reports, appliances=len(self.test.appliances))
                scores = self._score_guess(guess)
                yield release, {"adversary": adversary.name}, {**scores, **errors, **facts}

    def _score_guess(self, guess: Guess) -> dict[str, Estimate]:
        """Score a guess: means over the appliances that can be missed, by name."""
        rows = self.scorer.build_rows(guess, adversary="", epsilon_bits=math.nan)
        rows = rows[(rows["appliance"] == MEAN_SWITCHED) & rows["statistic"].isin(list(_SCORES))]
        return {
            _SCORES[row.statistic]: Estimate(row.value, row.low, row.high, row.over)
            for row in rows.itertuples(index=False)
        }


def build_comparison_tables(
    redd: pd.DataFrame,
    game: MeterGame,
    *,
    seed: int,
    target_error_share: Sequence[float],
    adversaries: Sequence[str],
    delta: float,
    tolerance: float = TOLERANCE,
) -> dict[str, pd.DataFrame]:
    """Disaggregate what every mechanism reports at every error.

    Errors of the hourly energy are shares of its mean.  Adversaries of plugins play besides those
    that are named.

    The mechanism ``none`` stands at 0, with the guessers who see no report; a gap has no rows.
    ``f_score`` is the mean over the appliances that can be missed (those that are not on throughout
    the test), and ``gain`` what it is above that of ``always_on``, with intervals over days drawn
    anew.  ``constant_error_share`` is that of a home that reports the mean power always, and
    ``report_error_w`` the root mean square error of a single report.  ``calibration`` is of
    :func:`noiseless.games.comparison.build_calibration_rows`.
    """
    train, test = game.split_recording(redd, mains=MAINS, others=OTHER_APPLIANCES.values())
    players = load_appliance_adversaries([*CONTROL_NAMES, *adversaries])
    task = build_meter_task(train, test, game, players, seed=seed)
    return play_comparison([task], targets=target_error_share, delta=delta, tolerance=tolerance)


def build_meter_task(
    train: Recording,
    test: Recording,
    game: MeterGame,
    adversaries: Sequence[type[Adversary]],
    *,
    seed: int,
) -> MeterTask:
    """Build the task of a recording's two parts, with adversaries fitted to the first."""
    scorer = BootstrapScorer(
        test, draws=game.draws, rng=make_generator(seed, "comparison", "meter", "bootstrap")
    )
    fitted = fit_adversaries(
        adversaries, train, range_w=game.mains_range_w, settings=game.settings, seed=seed
    )
    low, high = map(float, game.mains_range_w)
    fitted.sort(key=lambda each: each.is_control)  # those who see a report come first
    return MeterTask(train, test, Domain((low,), (high,), "w"), seed, fitted, scorer)
