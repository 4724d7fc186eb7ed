"""The custodian's question: how many homes, and how coarse a scale, keep a gain small.

A custodian is about to publish, day after day, the mean of n homes on a scale with a given number
of levels.

1. :func:`limits_table` plays the membership game for each n, number of levels and number of days,
   and bounds what the best adversary gains: the best of those who know no other home, and,
   separately, the exact one, who knows all of them.  All bounds hold together with the given
   confidence, however many are looked at.
2. :func:`answers_table` reads off the fewest homes and the finest scale.

What an answer covers.  It is about these adversaries: an unknown, better one may gain more, except
against the exact adversary, whom none beats.  It is an average over games between these homes: an
unusual home is easier to find than the average one, and other homes may be easier to find than
these.  How far the gain would move with other homes, the table says beside the limits.
"""

import logging
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from noiseless.adversaries.labels import EXACT, NORMAL
from noiseless.errors import ConfigError
from noiseless.games.membership import (
    energy_matrix,
    membership_adversaries,
    possible_n,
    public_maximum_wh,
)
from noiseless.games.releases import AggregateRelease
from noiseless.mechanisms.families.quantizer import touched_bins
from noiseless.papers.beyond.informed import advantages
from noiseless.statistics import Estimate, clopper_pearson
from noiseless.statistics import rows as rows_of

log = logging.getLogger(__name__)

# Name, gain, and its lower and upper limit.
Bound = tuple[str, float, float, float]

OUTSIDER, INSIDER = "knows no other home", "knows all other homes"


def limits_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    n: Sequence[int],
    levels: Sequence[int],
    days: Sequence[int],
    public_range_kwh: float,
    confidence: float,
    skip_impossible: bool = False,
) -> pd.DataFrame:
    """What the best adversary gains in each cell, with simultaneous limits.

    Parameters
    ----------
    readings : DataFrame
        Prepared table: ``home``, ``time`` and ``energy_kwh``, half-hours or days, the same times
        for every home.
    levels : sequence of int
        Levels of the quantizer of the mean.
    confidence : float
        That all limits of the table hold together, over games between these homes; by Clopper and
        Pearson's intervals with Bonferroni's correction for their number, two ends for each
        adversary in each cell.
    skip_impossible : bool
        Whether n and days that there are too few homes or days for are skipped, with a message.
    dataset, seed, games, n, days, public_range_kwh
        See :func:`noiseless.papers.beyond.adversaries.advantage_table`.

    Returns
    -------
    DataFrame
        Cells (knowledge, n, levels, days) with the best ``adversary`` of each.  Statistics:
        ``gain``, its absolute advantage (who is mostly wrong need only turn round; the largest of
        several is biased upward by about 1 / sqrt(games)), with the limits in ``low`` and
        ``high``, over games between these homes, and all of it at most the exact adversary's;
        ``gain_over_homes``, the absolute advantage of the named adversary with its 95 % interval
        over homes, for this cell alone (neither part of the correction nor capped; none where the
        homes are too few for five groups); ``bin_kwh``, the width of a level;
        ``epsilon_bits``, the budget in bits for which Theorem 8 grants these levels, not positive
        where there are fewer than it grants for any; ``attained_bits``, the logarithm of the
        number of levels that one home can move a day's mean into; ``games``; ``intervals``, the
        number of intervals behind the correction.
    """
    energy = energy_matrix(readings, resolution="days")
    if skip_impossible:
        who = "half of the homes, {}, play together"
        n = possible_n(n, homes=len(energy) // 2, key="beyond.custodian.n", who=who)
        days = _possible_days(days, energy.shape[1])
    maximum = public_maximum_wh(public_range_kwh)
    played = advantages(
        energy,
        {size: [({"levels": q}, AggregateRelease(size, maximum, q)) for q in levels] for size in n},
        dataset=dataset,
        seed=seed,
        games=games,
        days=days,
        known_shares=[0],
    )
    index = ["adversary", "statistic", "n", "levels", "days"]
    estimates = played.set_index(index)[["value", "low", "high"]].sort_index()
    value = estimates["value"]
    cells = [(size, q, t) for size in n for q in levels for t in days]
    # Who is there to be feared, and by which statistic of the table of advantages.
    simple = [each.name for each in membership_adversaries(trained=False) if not each.is_control]
    feared = {
        OUTSIDER: [(name, "advantage") for name in (*simple, NORMAL)],
        INSIDER: [(EXACT, "closed_form")],
    }
    intervals = len(cells) * sum(map(len, feared.values()))
    miss = (1 - confidence) / intervals
    rows = []
    for cell in cells:
        found = {
            knowledge: _best(
                [
                    (name, *_limits(value[name, statistic, *cell], statistic, games, miss))
                    for name, statistic in adversaries
                ]
            )
            for knowledge, adversaries in feared.items()
        }
        # An adversary who knows less gains no more than the exact adversary.
        found[OUTSIDER] = _capped(found[OUTSIDER], found[INSIDER])
        size, q, t = cell
        facts = {
            "bin_kwh": value["any", "bin_kwh", *cell],
            "epsilon_bits": math.log2(q / size),
            "attained_bits": math.log2(touched_bins(q, output_range=size, sensitivity=1)),
            "games": games,
            "intervals": intervals,
        }
        for knowledge, (adversary, gain, low, high) in found.items():
            columns = {
                **{"knowledge": knowledge, "adversary": adversary},
                **{"n": size, "levels": q, "days": t},
            }
            statistic = f"{dict(feared[knowledge])[adversary]}_over_homes"
            over_homes = Estimate(*estimates.loc[adversary, statistic, *cell], "homes")
            rows += rows_of(
                columns,
                gain=Estimate(gain, low, high, "games"),
                # Who is mostly wrong turns round.
                gain_over_homes=over_homes.scaled(-1 if over_homes.value < 0 else 1),
                **facts,
            )
    return pd.DataFrame(rows)


def _possible_days(days: Sequence[int], there: int) -> list[int]:
    """The numbers of days that the readings have, with a warning about others."""
    kept = [count for count in days if count <= there]
    if not kept:
        raise ConfigError(
            f"beyond.custodian.days is {list(days)}, but the readings have {there} days. Give "
            "smaller numbers."
        )
    if len(kept) < len(days):
        log.warning("beyond.custodian.days: skipped what is above %d, the days there are.", there)
    return kept


def _limits(value: float, statistic: str, games: int, miss: float) -> tuple[float, float, float]:
    """Absolute advantage and the ends of its interval."""
    signed = statistic == "advantage"
    hits = round((1 + value) / 2 * games if signed else value * games)
    found = clopper_pearson(hits, games, miss=miss)
    found = found.against_coin() if signed else found
    return abs(value), max(found.low, -found.high, 0.0), max(found.high, -found.low)


def _best(found: Sequence[Bound]) -> Bound:
    """The best of several adversaries: it gains what the best does, and at most the most."""
    name, gain, _, _ = max(found, key=lambda each: each[1])
    return name, gain, max(each[2] for each in found), max(each[3] for each in found)


def _capped(outsider: Bound, insider: Bound) -> Bound:
    """An adversary's bound, with that of a better one."""
    name, gain, low, high = outsider
    _, most, _, highest = insider
    return name, min(gain, most), min(low, highest), min(high, highest)


def answers_table(limits: pd.DataFrame, *, gains: Sequence[float]) -> pd.DataFrame:
    """Fewest homes and finest scale for which the best adversary gains less than a limit.

    Parameters
    ----------
    limits : DataFrame
        The limits of :func:`limits_table`.
    gains : sequence of float
        Advantages x; of 100 guesses, 50 + 50 x are right.

    Returns
    -------
    DataFrame
        Cells (question, knowledge, days, gain, given, given_value).  The question is ``fewest
        homes``, given the ``levels`` of the scale or its budget ``epsilon_bits`` by Theorem 8 in
        bits, or ``finest scale`` (the most levels), given ``n``.  Statistics, missing where there
        is no such value among those that were tried: ``certified``, the answer whose upper limit is
        below x, and so are those of all tried values on the safer side (more homes, fewer levels);
        ``estimate``, likewise without limits; ``refuted``, the value nearest to the safe side
        whose lower limit is x or more.
    """
    cells = limits[limits["statistic"] == "gain"].drop(columns=["statistic", "adversary"])
    cells = cells.assign(epsilon_bits=np.log2(cells["levels"] / cells["n"]))
    rows = []
    for question, given, asked, safer in (
        ("fewest homes", "levels", "n", 1),
        ("fewest homes", "epsilon_bits", "n", 1),
        ("finest scale", "n", "levels", -1),
    ):
        for (knowledge, days, given_value), group in cells.groupby(
            ["knowledge", "days", given], sort=False
        ):
            if given == "epsilon_bits" and given_value <= 0:
                continue
            # From the safest cell to the least safe.
            ordered = group.sort_values(asked, ascending=safer < 0)
            tried = ordered[asked].to_numpy()
            for gain in gains:
                cell = {
                    **{"question": question, "knowledge": knowledge, "days": days},
                    **{"gain": gain, "given": given, "given_value": given_value},
                }
                found = {
                    "certified": _last_of_run(tried, ordered["high"] < gain),
                    "estimate": _last_of_run(tried, ordered["value"] < gain),
                    "refuted": _first(tried, ordered["low"] >= gain),
                }
                rows += [{**cell, "statistic": name, "value": v} for name, v in found.items()]
    return pd.DataFrame(rows)


def _last_of_run(values: np.ndarray, holds: pd.Series) -> float:
    """The last of the values before the condition first fails; NaN if it fails at once."""
    length = int(np.logical_and.accumulate(holds.to_numpy()).sum())
    return float(values[length - 1]) if length else math.nan


def _first(values: np.ndarray, holds: pd.Series) -> float:
    """The first of the values for which the condition holds; NaN for none."""
    where = np.flatnonzero(holds.to_numpy())
    return float(values[where[0]]) if len(where) else math.nan


def limits_tables(
    readings: pd.DataFrame, *, gains: Sequence[float], **settings: object
) -> dict[str, pd.DataFrame]:
    """Both tables of a dataset, by the names of their rule's outputs.

    Parameters
    ----------
    readings, **settings
        See :func:`limits_table`.
    gains : sequence of float
        See :func:`answers_table`.

    Returns
    -------
    dict of DataFrame
        ``limits`` and ``answers``.
    """
    limits = limits_table(readings, **settings)
    return {"limits": limits, "answers": answers_table(limits, gains=gains)}
