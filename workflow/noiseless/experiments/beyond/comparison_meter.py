"""Every mechanism at the same error, on a home's meter: which appliance is on.

A meter reports the mean power of each bin of time (a minute).  The data's user wants the energy of
the home in each hour; the error is the root mean square, over the hours without a gap, of reported
less true energy, as a share of the mean energy of an hour.  The hour matters: noise of mean 0
cancels in a sum, and what a quantizer rounds away does not.

1. :func:`mechanisms` gives each mechanism's error, :func:`released` its reports.  All report every
   bin by itself: a quantizer, Laplace or normal noise, or one random bit that stands for its
   unbiased estimate.
2. :func:`comparison_tables` lets the adversaries of Figure 4 of ``noiseless`` say from the reports
   which appliance is on, and compares them with the guesser who says "always on".

Adversaries: ``co`` is NILMTK's combinatorial optimisation, which takes every report for the mains;
``hmm`` knows the quantizer's cells, and of other mechanisms the standard deviation of what they
add, which it takes for normal; ``learned`` was trained on days released by the same mechanism.

Values beyond the public range are clipped to it, to which an error is relative.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from noiseless.adversaries.factorial_hmm import FactorialHMM
from noiseless.errors import ConfigError, DataError
from noiseless.experiments.beyond.comparison import (
    NONE,
    Calibration,
    Mechanism,
    calibrate,
    calibration_rows,
    one_bit_variance,
)
from noiseless.games.appliances import (
    MEAN,
    ON_W,
    Guess,
    MeterRelease,
    Recording,
    Scorer,
    controls,
    guess_combinatorial,
    guess_hmm,
    guess_learned,
    recording,
    release,
    split,
    train_combinatorial,
)
from noiseless.mechanisms.gaussian import GaussianMechanism, gaussian_epsilon
from noiseless.mechanisms.laplace import LaplaceMechanism
from noiseless.mechanisms.one_bit import OneBitMechanism
from noiseless.mechanisms.quantizer import Quantizer
from noiseless.seeds import generator

Floats = NDArray[np.float64]

_HOUR_S = 3600
_SCORES = {"gain_losses": "gain", "f_score_losses": "f_score"}


class Hours:
    """The hours of a recording in which no bin is missing.

    Parameters
    ----------
    part : Recording

    Raises
    ------
    ConfigError
        If an hour is not a whole number of bins.
    DataError
        If there is no such hour.
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

    def values(self, power_w: Floats) -> Floats:
        """The bins of these hours, shape (hours, bins)."""
        return power_w[self._rows].reshape(self.count, self.bins)

    def error_share(self, reported_w: Floats, true_w: Floats) -> float:
        """Error of the hourly energy as a share of its mean."""
        true = self.values(true_w).mean(axis=1)
        wrong = self.values(reported_w).mean(axis=1) - true
        return float(np.sqrt(np.mean(wrong**2)) / true.mean())


def mechanisms(part: Recording, mains_range_w: Sequence[float]) -> list[Mechanism]:
    """The mechanisms, each with the share of the hourly energy that its parameter makes wrong.

    Parameters
    ----------
    part : Recording
    mains_range_w : sequence of two floats
        Public range of a report.

    Raises
    ------
    ConfigError, DataError
        As for :class:`Hours`.
    """
    hours = Hours(part)
    low, high = mains_range_w
    true_w = np.clip(part.mains_w, low, high)
    inside = hours.values(true_w)
    # Of independent noise in each bin, whose standard deviation is 1 W.
    share = 1 / (math.sqrt(hours.bins) * float(inside.mean()))

    def quantizer(levels: float) -> float:
        reported = Quantizer(low, high, int(levels)).release(true_w)
        return hours.error_share(reported, true_w)

    def one_bit(epsilon_nats: float) -> float:
        places = (inside - low) / (high - low)
        return share * math.sqrt(
            one_bit_variance(places, width=high - low, epsilon_nats=epsilon_nats)
        )

    return [
        Mechanism("quantizer", "levels", "levels", quantizer),
        Mechanism("laplace", "scale", "scale_w", lambda scale: share * math.sqrt(2) * scale),
        Mechanism("gaussian", "scale", "sigma_w", lambda sigma: share * sigma),
        Mechanism("one_bit", "epsilon", "epsilon_nats", one_bit),
    ]


def budget(
    calibration: Calibration, mains_range_w: Sequence[float], *, delta: float
) -> dict[str, float]:
    """What a calibration guarantees for one report.

    Returns
    -------
    dict
        ``epsilon_bits`` of the quantizer (Definition 2 of ``noiseless``); ``epsilon_nats`` of
        others, between any two powers of the range, of the Gaussian mechanism with ``delta``.
    """
    width = mains_range_w[1] - mains_range_w[0]
    match calibration.mechanism:
        case "quantizer":
            return {"epsilon_bits": math.log2(calibration.parameter)}
        case "laplace":
            return {"epsilon_nats": width / calibration.parameter}
        case "gaussian":
            epsilon_nats = gaussian_epsilon(width / calibration.parameter, delta=delta)
            return {"epsilon_nats": epsilon_nats, "delta": delta}
        case _:  # one_bit, whose parameter it is
            return {}


def released(
    calibration: Calibration | None,
    part: Recording,
    mains_range_w: Sequence[float],
    rng: np.random.Generator,
) -> MeterRelease:
    """The reports of a recording's bins; the mains as they are without a calibration."""
    if calibration is None:
        return release(part, None, quantize="after")
    low, high = mains_range_w
    if calibration.mechanism == "quantizer":
        quantizer = Quantizer(low, high, int(calibration.parameter), clip=True)
        return release(part, quantizer, quantize="after")
    true_w = np.clip(part.mains_w, low, high)
    match calibration.mechanism:
        case "laplace":
            # The scale is all that counts here.
            value_w = LaplaceMechanism(calibration.parameter, 1.0).release(true_w, rng)
            noise_w = math.sqrt(2) * calibration.parameter
        case "gaussian":
            value_w = GaussianMechanism(calibration.parameter).release(true_w, rng)
            noise_w = calibration.parameter
        case _:
            mechanism = OneBitMechanism(low, high, calibration.parameter)
            value_w = mechanism.unbiased(mechanism.release(true_w, rng))
            places = (true_w - low) / (high - low)
            noise_w = math.sqrt(
                one_bit_variance(places, width=high - low, epsilon_nats=calibration.parameter)
            )
    return MeterRelease(value_w, value_w, value_w, noise_w)


def comparison_tables(
    redd: pd.DataFrame,
    *,
    seed: int,
    target_error_share: Sequence[float],
    adversaries: Sequence[str],
    mains_range_w: Sequence[float],
    period_s: int,
    train_before: str,
    hmm: Mapping[str, int],
    learned: Mapping[str, int],
    draws: int,
    delta: float,
    tolerance: float,
) -> dict[str, pd.DataFrame]:
    """Disaggregation of what every mechanism reports at every error.

    Parameters
    ----------
    redd : DataFrame
        Prepared readings of one home.
    seed : int
        Seed of the configuration.
    target_error_share : sequence of float
        Errors of the hourly energy, as shares of its mean.
    adversaries : sequence of str
        Of ``co``, ``hmm`` and ``learned``.
    mains_range_w, period_s, train_before, hmm, learned, draws
        As for :func:`noiseless.experiments.noiseless.nilm.attack_tables`.
    delta : float
        Of the Gaussian mechanism's guarantee.
    tolerance : float
        As for :func:`noiseless.experiments.beyond.comparison.calibrate`.

    Returns
    -------
    dict
        ``comparison``: cells (mechanism, target_error_share, adversary), the mechanism ``none`` at
        0; among its adversaries the guessers who see no report, ``always_on`` and ``chance``.
        Statistics: ``f_score``, the mean over the appliances, and ``gain``, what it is above that
        of ``always_on``, both with 95 % intervals (days drawn anew); ``error_share``, as found in
        these reports; ``constant_error_share``, that of whoever reports the mean power always;
        ``report_error_w``, the root mean square error of a single report; ``minutes``, ``days``
        and ``hours`` of the test data.  A gap has no rows here.
        ``calibration``: cells (mechanism, target_error_share), with the statistics of
        :func:`noiseless.experiments.beyond.comparison.calibration_rows` and :func:`budget`.
    """
    train, test = split(recording(redd, period_s=period_s), train_before)
    hours = Hours(test)
    true_w = np.clip(test.mains_w, *mains_range_w)
    calibrations = [
        calibration
        for mechanism in mechanisms(test, mains_range_w)
        for calibration in calibrate(mechanism, target_error_share, tolerance=tolerance)
    ]
    parameters = []
    for calibration in calibrations:
        cell = {"mechanism": calibration.mechanism, "target_error_share": calibration.target}
        found = budget(calibration, mains_range_w, delta=delta) if calibration.is_attainable else {}
        parameters += calibration_rows(calibration, found, cell, unit="share")
    score = Scorer(test, draws=draws, rng=generator(seed, "comparison", "meter", "bootstrap"))
    co = train_combinatorial(train, seed) if "co" in adversaries else None
    model = None
    if "hmm" in adversaries:
        model = FactorialHMM.fit(
            train.power_w,
            train.mains_w,
            follows=train.follows,
            on_w=ON_W,
            range_w=tuple(mains_range_w),
            rng=generator(seed, "nilm", "hmm"),
            **hmm,
        )

    def guesses(seen: Mapping[str, MeterRelease]) -> dict[str, Guess]:
        attacks = {
            "co": lambda: guess_combinatorial(co, seen["test"], vampire=False),
            "hmm": lambda: guess_hmm(model, train, test, seen),
            # The same random numbers for the trees of all releases.
            "learned": lambda: guess_learned(
                train, test, seen, seed=seed, epsilon_bits=0.0, **learned
            ),
        }
        return {name: attacks[name]() for name in adversaries}

    facts = {
        "constant_error_share": hours.error_share(
            np.full(len(true_w), hours.values(true_w).mean()), true_w
        ),
        "minutes": len(test.slot) * period_s / 60,
        "days": len(np.unique(test.day)),
        "hours": hours.count,
    }
    blind = {
        name: each for name, each in controls(train, test, seed).items() if name != "always_off"
    }
    tables = []
    for calibration in tqdm([None, *calibrations], desc="comparison, meter", unit="cell"):
        if calibration is not None and not calibration.is_attainable:
            continue
        name, target = (calibration.mechanism, calibration.target) if calibration else (NONE, 0.0)
        seen = {
            # The same stream at all errors of a mechanism: the same noise, of another size.
            key: released(
                calibration, part, mains_range_w, generator(seed, "comparison", "meter", name, key)
            )
            for key, part in (("train", train), ("test", test))
        }
        reported = seen["test"].value_w
        errors = {
            "error_share": hours.error_share(reported, true_w),
            "report_error_w": float(np.sqrt(np.mean((reported - true_w) ** 2))),
        }
        attacks = guesses(seen) | (blind if calibration is None else {})
        for adversary, guess in attacks.items():
            rows = score.rows(guess, adversary=adversary, epsilon_bits=math.nan)
            rows = rows[(rows["appliance"] == MEAN) & rows["statistic"].isin(list(_SCORES))]
            found = rows[["statistic", "value", "low", "high"]].replace({"statistic": _SCORES})
            found = pd.concat(
                [found, pd.DataFrame((errors | facts).items(), columns=["statistic", "value"])],
                ignore_index=True,
            )
            found.insert(0, "adversary", adversary)
            found.insert(0, "target_error_share", target)
            found.insert(0, "mechanism", name)
            tables.append(found)
    return {
        "comparison": pd.concat(tables, ignore_index=True),
        "calibration": pd.DataFrame(parameters),
    }
