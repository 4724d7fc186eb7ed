"""What a quantized meter still says about a home's appliances (``noiseless``, Figure 4).

The game, its scores and intervals are those of :mod:`noiseless.games.appliances`.  The mechanism is
the mains through a quantizer with floor(2^eps) levels on a public range (local noiseless privacy,
Definition 2), before or after they are averaged in bins.

The days are those of the paper, 23 April to 21 May 2011, of which those before 30 April are for
training.  A budget is that of one reading: by Theorem 6 a day costs as many budgets as readings.

1. :func:`build_attack_tables` trains adversaries on the days before the split, and lets each say
   from the release of the later days which appliance is on.  The paper's is combinatorial
   optimisation through NILMTK, in two editions, because the paper does not say which it had: ``co``
   is NILMTK as it is; ``co_vampire`` adds the smallest value that it sees (the "vampire power") to
   every sum of states, as older versions did.  Both are trained several times: the clustering that
   they begin with has more than one solution, and the random numbers choose.  Stronger ones are a
   factorial hidden Markov model that knows the quantizer (``hmm``) and a classifier that learned
   from released data (``learned``).  Three controls see no release: always on, always off, and on
   at random as often as in training.
2. :func:`build_energy_table` compares the energy of the paper's appliances with that of another.
"""

import logging
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from noiseless.adversaries.appliances.co import Combinatorial
from noiseless.adversaries.interface import Adversary
from noiseless.data.redd import MAINS, OTHER_APPLIANCES
from noiseless.errors import DataError
from noiseless.games.appliances import (
    ON_W,
    BootstrapScorer,
    Guess,
    MeterGame,
    MeterRelease,
    Recording,
    ask_guess,
    build_reports,
    compute_local_day,
    fit_adversaries,
    load_appliance_adversaries,
    parse_day,
    release,
)
from noiseless.mechanisms.families.quantizer import Quantizer, compute_local_levels
from noiseless.mechanisms.interface import Domain, Identity
from noiseless.seeds import make_generator
from noiseless.tables import Rows, returns_table, tidy

log = logging.getLogger(__name__)

_DAY_S = 86400


def build_attack_tables(
    redd: pd.DataFrame,
    game: MeterGame,
    *,
    epsilon_bits: Sequence[float],
    quantize: str,
    trainings: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Build the tables of Figure 4: the attacks, and what the release and the home are like.

    The mains without a quantizer are added as an infinite budget; controls, who see nothing, stand
    at epsilon 0.  Adversaries whose training is a matter of luck are trained ``trainings`` times.

    ``mean`` is over the appliances that are on at some time in the test, and ``mean of switched``
    over those of them that are off at some time, too.  ``gain_*`` is the f-score minus that of
    always on, ``share_kept_*`` the f-score over that without a quantizer, ``gain_above_half_*`` the
    gain minus half of that without a quantizer, and ``energy_error_kwh`` NILMTK's error in assigned
    energy.  ``levels_used`` counts different values in the test data, bins that mix readings too,
    and ``farther_bins`` those that NILMTK answers with states whose sum is not the nearest.
    ``first_day`` and ``last_day`` are local days counted from 1 January 1970.
    """
    train, test = game.split_recording(redd, mains=MAINS, others=OTHER_APPLIANCES.values())
    parts = {"train": train, "test": test}
    readings_a_day = _DAY_S / float(redd.loc[redd["meter"] == MAINS, "time_s"].diff().median())
    score = BootstrapScorer(test, draws=game.draws, rng=make_generator(seed, "nilm", "bootstrap"))
    fitted: dict[str, list[Adversary]] = {}
    for number in range(trainings):
        adversaries = [
            each for each in load_appliance_adversaries() if number == 0 or each.is_random
        ]
        for each in fit_adversaries(
            adversaries,
            train,
            range_w=game.mains_range_w,
            settings=game.settings,
            seed=seed,
            number=number,
        ):
            fitted.setdefault(each.name, []).append(each)
    attacks: list[pd.DataFrame] = []
    unquantized: dict[str, list[Guess]] = {}
    # Without a quantizer first: the others' scores are compared with it.
    budgets = [*map(float, epsilon_bits), math.inf]
    played: dict[float, list[pd.DataFrame]] = {budget: [] for budget in budgets}
    released: dict[float, dict[str, float]] = {}
    for budget in reversed(budgets):
        mechanism = _build_mechanism(budget, game.mains_range_w)
        seen = {part: release(data, mechanism, quantize=quantize) for part, data in parts.items()}
        reports = build_reports(test, seen, stream=budget)
        by_nilmtk: list[int] = []
        for name, trained in fitted.items():
            is_control = trained[0].is_control
            # A control sees no report: once is enough.
            if is_control and released:
                continue
            guesses = [
                ask_guess(each, reports, appliances=len(test.appliances)) for each in trained
            ]
            if is_control:
                attacks.append(score.build_rows(*guesses, adversary=name, epsilon_bits=0.0))
                continue
            if name == Combinatorial.name:
                by_nilmtk = [
                    each.count_farther(reports, guess)
                    for each, guess in zip(trained, guesses, strict=True)
                    if isinstance(each, Combinatorial)
                ]
            before = unquantized.setdefault(name, guesses)
            played[budget].append(
                score.build_rows(*guesses, adversary=name, epsilon_bits=budget, unquantized=before)
            )
        released[budget] = {
            **_describe_release(test, seen["test"], mechanism, budget),
            "readings_a_day": readings_a_day,
            "budget_a_day_bits": readings_a_day * budget,
        }
        if by_nilmtk:
            released[budget]["farther_bins"] = sum(by_nilmtk)
        log.info("epsilon %g: done", budget)
    attacks += [rows for budget in budgets for rows in played[budget]]
    return {
        "attacks": pd.concat(attacks, ignore_index=True),
        "release": tidy(pd.DataFrame([released[each] for each in budgets]), ["epsilon_bits"]),
        "meters": _describe_recording(redd, train, test),
    }


def build_energy_table(
    redd: pd.DataFrame, *, days: Sequence[str], train_before: str
) -> pd.DataFrame:
    """Compare the mean power of the paper's appliances with that of another one.

    The paper takes the "top 5 appliances in energy consumption", and does not say over which days:
    the ``chosen`` ones, those of ``training`` among them, or all of the data ``before the split``.
    ``above_others_w`` is over the largest one of any other appliance; NaN where none was read.
    """
    appliances = redd[redd["meter"] != MAINS]
    day = compute_local_day(appliances["time_s"].to_numpy())
    split_day, (first, last) = parse_day(train_before), map(parse_day, days)
    parts = {
        "chosen": (day >= first) & (day <= last),
        "training": (day >= first) & (day < split_day),
        "before the split": day < split_day,
    }
    rows = []
    for name, chosen in parts.items():
        power_w = appliances[chosen].groupby("meter")["power_w"].mean()
        missing = set(appliances["meter"]) - set(power_w.index)
        if missing:
            raise DataError(
                f"{min(missing)} has no reading between {days[0]} and {train_before}. See `days` "
                "and `train_before` of the recording in the configuration."
            )
        others = power_w[power_w.index.isin(OTHER_APPLIANCES.values())]
        for appliance, mean in power_w.items():
            row = {"days": name, "appliance": appliance, "mean_power_w": mean}
            if appliance not in others.index:
                row["above_others_w"] = mean - others.max() if len(others) else math.nan
            rows.append(row)
    table = tidy(pd.DataFrame(rows), ["days", "appliance"])
    is_other = table["appliance"].isin(OTHER_APPLIANCES.values())
    return table[~(is_other & (table["statistic"] == "above_others_w"))].reset_index(drop=True)


def _build_mechanism(epsilon_bits: float, mains_range_w: Sequence[float]) -> Quantizer | Identity:
    """Build the quantizer that a budget (bits) allows; an infinite one asks for no mechanism."""
    low, high = mains_range_w
    domain = Domain((low,), (high,), "w")
    if math.isinf(epsilon_bits):
        return Identity(domain)
    return Quantizer(domain, compute_local_levels(epsilon_bits))


def _describe_release(
    test: Recording, seen: MeterRelease, mechanism: Quantizer | Identity, epsilon_bits: float
) -> dict[str, float]:
    """Describe a release: levels, its most frequent value, its error."""
    domain, is_quantized = mechanism.domain, not isinstance(mechanism, Identity)
    values, counts = np.unique(seen.value_w, return_counts=True)
    return {
        "epsilon_bits": epsilon_bits,
        "levels": mechanism.parameter if is_quantized else math.inf,
        "levels_used": len(values),
        "most_frequent_share": counts.max() / counts.sum(),
        "rms_error_w": math.sqrt(np.mean((seen.value_w - test.mains_w) ** 2)),
        "clipped_share": np.mean(test.mains_w != domain.clip(test.mains_w))
        if is_quantized
        else 0.0,
    }


@returns_table("part", "meter", with_nan=False)
def _describe_recording(redd: pd.DataFrame, train: Recording, test: Recording) -> Rows:
    """Describe each meter, for days of training and of test, and the days of the file."""
    seen = compute_local_day(redd.loc[redd["meter"] == MAINS, "time_s"].to_numpy())
    days = {"first_day": seen.min(), "last_day": seen.max()}
    for meter in (MAINS, *train.appliances):
        gap_s = redd.loc[redd["meter"] == meter, "time_s"].diff().median()
        yield {"part": "file", "meter": meter, "gap_s": gap_s, **(days if meter == MAINS else {})}
    for name, part in (("train", train), ("test", test)):
        columns = {MAINS: part.mains_w, **dict(zip(part.appliances, part.power_w.T, strict=True))}
        for meter, watts in columns.items():
            yield {
                "part": name,
                "meter": meter,
                "bins": len(watts),
                "days": len(np.unique(part.day)),
                "on_share": np.mean(watts >= ON_W),
                "mean_power_w": watts.mean(),
            }
