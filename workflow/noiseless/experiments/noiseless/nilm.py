"""What a quantized meter still says about a home's appliances (``noiseless``, Figure 4).

The game, its scores and intervals are those of :mod:`noiseless.games.appliances`.  The mechanism is
the mains through a quantizer with floor(2^eps) levels on a public range (local noiseless privacy,
Definition 2), before or after they are averaged in bins.

1. :func:`attack_tables` trains adversaries on the days before the split, and lets each say from the
   release of the later days which appliance is on.  The paper's is combinatorial optimisation
   through NILMTK, in two editions, because the paper does not say which it had: ``co`` is NILMTK
   as it is; ``co_vampire`` adds the smallest value that it sees (the "vampire power") to every sum
   of states, as older versions did.  Stronger ones are a factorial hidden Markov model that knows
   the quantizer (``hmm``) and a classifier that learned from released data (``learned``).  Three
   controls see no release: always on, always off, and on at random as often as in training.
2. :func:`choices_table` moves what the paper leaves open, one choice at a time, and says how far
   the paper's own adversary moves with it.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from noiseless.adversaries.registry import load_adversary
from noiseless.datasets.redd import MAINS
from noiseless.games.appliances import (
    APPLIANCES,
    ON_W,
    MeterRelease,
    Recording,
    Scorer,
    appliance_adversaries,
    f_scores,
    fit_adversaries,
    guess_of,
    outcomes,
    recording,
    release,
    reports_of,
    split,
)
from noiseless.mechanisms.quantizer import Quantizer, local_levels
from noiseless.seeds import generator
from noiseless.tables import tidy

log = logging.getLogger(__name__)


def attack_tables(
    redd: pd.DataFrame,
    *,
    epsilon_bits: Sequence[float],
    mains_range_w: Sequence[float],
    period_s: int,
    quantize: str,
    train_before: str,
    hmm: Mapping[str, int],
    learned: Mapping[str, int],
    draws: int,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Figure 4: every adversary against every budget, and what the release and the home are like.

    Parameters
    ----------
    redd : DataFrame
        Prepared readings of one home.
    epsilon_bits : sequence of float
        Privacy budgets in bits; the mains without a quantizer are added, as an infinite one.
    mains_range_w : sequence of two floats
        Public range of the mains.  Values outside are moved to its ends, and counted.
    period_s, quantize, train_before
        As for :func:`recording`, :func:`release` and :func:`split`.
    hmm : mapping
        ``on_states`` and ``other_states`` of :meth:`FactorialHMM.fit`.
    learned : mapping
        ``radius`` and ``trees`` of :meth:`WindowClassifier.fit`.
    draws : int
        Draws of the bootstrap.
    seed : int
        Seed of the configuration.

    Returns
    -------
    dict
        ``attacks``: cells (adversary, appliance, epsilon), the controls at epsilon 0, because they
        see nothing; ``mean`` is the mean over appliances.  Statistics ``f_score_losses``,
        ``f_score_metrics``, ``gain_losses``, ``gain_metrics`` (f-score minus that of always on),
        each with its interval, and ``energy_error_kwh`` (NILMTK's error in assigned energy over
        the test days; without interval).  ``release``: cells (epsilon), statistics ``levels``,
        ``levels_used`` (different values in the test data; bins that mix readings count as such),
        ``most_frequent_share``, ``rms_error_w`` and ``clipped_share`` of the bins' means.
        ``recording``: cells (part, meter), statistics ``bins``, ``days``, ``on_share`` and
        ``mean_power_w``.
    """
    train, test = split(recording(redd, period_s=period_s), train_before)
    score = Scorer(test, draws=draws, rng=generator(seed, "nilm", "bootstrap"))
    adversaries = fit_adversaries(
        appliance_adversaries(),
        train,
        range_w=mains_range_w,
        settings={"hmm": hmm, "learned": learned},
        seed=seed,
    )
    attacks, released_rows = [], []
    for budget in (*map(float, epsilon_bits), math.inf):
        quantizer = _quantizer(budget, mains_range_w)
        seen = {
            part: release(data, quantizer, quantize=quantize)
            for part, data in (("train", train), ("test", test))
        }
        reports = reports_of(test, seen, stream=budget)
        for each in adversaries:
            # A control sees no report: once is enough.
            if not (each.is_control and released_rows):
                guess = guess_of(each, reports, appliances=len(test.appliances))
                at = 0.0 if each.is_control else budget
                attacks.append(score.rows(guess, adversary=each.name, epsilon_bits=at))
        released_rows.append(_describe_release(test, seen["test"], quantizer, budget))
        log.info("epsilon %g: done", budget)
    return {
        "attacks": pd.concat(attacks, ignore_index=True),
        "release": tidy(pd.DataFrame(released_rows), ["epsilon_bits"]),
        "recording": _describe_recording(train, test),
    }


def choices_table(
    redd: pd.DataFrame,
    *,
    epsilon_bits: Sequence[float],
    mains_range_w: Sequence[float],
    period_s: int,
    quantize: str,
    train_before: str,
    choices: Mapping[str, Any],
    seed: int,
) -> pd.DataFrame:
    """How far each choice that the paper leaves open moves combinatorial optimisation.

    Parameters
    ----------
    redd, epsilon_bits, mains_range_w, period_s, quantize, train_before, seed
        The baseline, ``co`` of :func:`attack_tables`.
    choices : mapping
        ``period_s``: other lengths of a bin (left out where the data is coarser);
        ``range_quantiles``: upper ends of the range as quantiles of the mains (1 is their
        maximum); ``days``: first and last day as the paper prints them; ``seeds``: how many
        trainings with other random numbers.

    Returns
    -------
    DataFrame
        Cells (choice, option, epsilon_bits); ``baseline`` is an option of every choice.  Statistics
        ``f_score_losses``, ``f_score_metrics`` and ``gain_losses``, means over the appliances.
        Option ``spread`` is the largest minus the smallest of the options of a choice.
    """
    base = {
        "mains_range_w": tuple(mains_range_w),
        "period_s": period_s,
        "quantize": quantize,
        "vampire": False,
        "days": (None, None),
        "training": 0,
    }
    variants = [("baseline", "baseline", base)]
    usual_s = redd.groupby("meter")["time_s"].agg(lambda time_s: time_s.diff().median()).max()
    for other in choices["period_s"]:
        if usual_s <= 1.5 * other and other != period_s:
            variants.append(("length of a bin", f"{other} s", {**base, "period_s": other}))
    # Where a bin holds one reading there is nothing to average.
    if usual_s < period_s:
        other = "after" if quantize == "before" else "before"
        variants.append(("quantize", f"{other} averaging", {**base, "quantize": other}))
    whole = recording(redd, period_s=period_s)
    for share in choices["range_quantiles"]:
        upper = float(np.ceil(np.quantile(whole.reading_w, share)))
        option = f"0 to {'maximum' if share == 1 else f'{100 * share:g} %'} ({upper:g} W)"
        variants.append(("public range", option, {**base, "mains_range_w": (0.0, upper)}))
    variants.append(("vampire power", "the smallest value", {**base, "vampire": True}))
    days = tuple(choices["days"])
    variants.append(("days", f"{days[0]} to {days[1]}", {**base, "days": days}))
    for number in range(1, choices["seeds"]):
        variants.append(("random numbers", f"training {number}", {**base, "training": number}))
    budgets = [*map(float, epsilon_bits), math.inf]
    values = {
        (choice, option): _combinatorial_means(
            redd, budgets, train_before=train_before, seed=seed, **settings
        )
        for choice, option, settings in variants
    }
    baseline = values.pop(("baseline", "baseline"))
    tables = []
    for choice in dict.fromkeys(choice for choice, _ in values):
        options = {"baseline": baseline} | {
            option: table for (each, option), table in values.items() if each == choice
        }
        stacked = np.stack([table.to_numpy() for table in options.values()])
        spread = pd.DataFrame(np.ptp(stacked, axis=0), columns=baseline.columns)
        for option, table in (*options.items(), ("spread", spread)):
            cells = pd.DataFrame({"choice": choice, "option": option, "epsilon_bits": budgets})
            tables.append(pd.concat([cells, table], axis=1))
    return tidy(pd.concat(tables, ignore_index=True), ["choice", "option", "epsilon_bits"])


def _combinatorial_means(
    redd: pd.DataFrame,
    budgets: Sequence[float],
    *,
    mains_range_w: Sequence[float],
    period_s: int,
    quantize: str,
    vampire: bool,
    days: tuple[str | None, str | None],
    train_before: str,
    seed: int,
    training: int,
) -> pd.DataFrame:
    """Mean scores of combinatorial optimisation, one row for each budget."""
    whole = recording(redd, period_s=period_s, first_day=days[0], last_day=days[1])
    train, test = split(whole, train_before)
    adversary = load_adversary(APPLIANCES, "co_vampire" if vampire else "co")
    [co] = fit_adversaries(
        [adversary], train, range_w=mains_range_w, settings={}, seed=seed, number=training
    )
    always_on = np.ones((len(test.slot), len(test.appliances)), dtype=bool)
    rows = []
    for budget in budgets:
        quantizer = _quantizer(budget, mains_range_w)
        seen = {
            part: release(data, quantizer, quantize=quantize)
            for part, data in (("train", train), ("test", test))
        }
        guess = guess_of(co, reports_of(test, seen), appliances=len(test.appliances))
        scores = {
            score: f_scores(outcomes(truth, guess.is_on)).mean()
            for score, truth in test.is_on.items()
        }
        control = f_scores(outcomes(test.is_on["losses"], always_on)).mean()
        rows.append(
            {
                "f_score_losses": scores["losses"],
                "f_score_metrics": scores["metrics"],
                "gain_losses": scores["losses"] - control,
            }
        )
    return pd.DataFrame(rows)


def _quantizer(epsilon_bits: float, mains_range_w: Sequence[float]) -> Quantizer | None:
    if math.isinf(epsilon_bits):
        return None
    return Quantizer(*mains_range_w, levels=local_levels(epsilon_bits), clip=True)


def _describe_release(
    test: Recording, seen: MeterRelease, quantizer: Quantizer | None, epsilon_bits: float
) -> dict[str, float]:
    values, counts = np.unique(seen.value_w, return_counts=True)
    return {
        "epsilon_bits": epsilon_bits,
        "levels": math.inf if quantizer is None else quantizer.levels,
        "levels_used": len(values),
        "most_frequent_share": counts.max() / counts.sum(),
        "rms_error_w": math.sqrt(np.mean((seen.value_w - test.mains_w) ** 2)),
        "clipped_share": 0.0
        if quantizer is None
        else np.mean((test.mains_w < quantizer.lower) | (test.mains_w > quantizer.upper)),
    }


def _describe_recording(train: Recording, test: Recording) -> pd.DataFrame:
    rows = []
    for name, part in (("train", train), ("test", test)):
        columns = {MAINS: part.mains_w, **dict(zip(part.appliances, part.power_w.T, strict=True))}
        for meter, watts in columns.items():
            rows.append(
                {
                    "part": name,
                    "meter": meter,
                    "bins": len(watts),
                    "days": len(np.unique(part.day)),
                    "on_share": np.mean(watts >= ON_W),
                    "mean_power_w": watts.mean(),
                }
            )
    return tidy(pd.DataFrame(rows), ["part", "meter"])
