"""The membership game (:mod:`noiseless.experiments.noiseless.membership`) on homes of the user's.

The configuration was not written for these homes: an n that there are too few of them for, and a
number of days that there are too few for, is skipped, with a message.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from noiseless.errors import ConfigError
from noiseless.experiments.beyond.custodian import answers_table, limits_table
from noiseless.experiments.noiseless.membership import advantage_table, learned_table

log = logging.getLogger(__name__)


def membership_tables(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    n: Sequence[int],
    epsilon_bits: Sequence[float],
    public_range_kwh: float,
    quantizer_rule: str,
    peaks: str,
    learned: Mapping[str, Any],
) -> dict[str, pd.DataFrame]:
    """The membership game on days, for each n that there are homes for.

    Parameters
    ----------
    readings, dataset, seed, games, n, epsilon_bits, public_range_kwh, quantizer_rule, peaks
        As for :func:`noiseless.experiments.noiseless.membership.advantage_table`.
    learned : mapping
        ``games``, ``n`` and ``epsilon_bits`` of
        :func:`noiseless.experiments.noiseless.membership.learned_table`.

    Returns
    -------
    dict
        ``advantage`` and ``learned``.

    Raises
    ------
    ConfigError
        If there are too few homes for any n.
    """
    homes = readings["home"].nunique()
    release = {
        **{"public_range_kwh": public_range_kwh, "quantizer_rule": quantizer_rule},
        "resolution": "days",
    }
    shared = {"dataset": dataset, "seed": seed, **release}
    return {
        "advantage": advantage_table(
            readings,
            **shared,
            games=games,
            epsilon_bits=epsilon_bits,
            peaks=peaks,
            n=sizes_that_fit(n, homes, "noiseless.membership.n", "there are {} homes"),
        ),
        "learned": learned_table(
            readings,
            **shared,
            games=learned["games"],
            epsilon_bits=learned["epsilon_bits"],
            n=sizes_that_fit(
                learned["n"],
                homes // 2,
                "noiseless.membership.learned.n",
                "half of the homes, {}, play against the learned adversary",
            ),
        ),
    }


def custodian_tables(
    readings: pd.DataFrame,
    *,
    n: Sequence[int],
    days: Sequence[int],
    gains: Sequence[float],
    **settings: Any,
) -> dict[str, pd.DataFrame]:
    """Fewest homes and finest scale, as :mod:`noiseless.experiments.beyond.custodian` finds them.

    Parameters
    ----------
    readings, n, days, **settings
        As for :func:`noiseless.experiments.beyond.custodian.limits_table`.
    gains : sequence of float
        As for :func:`noiseless.experiments.beyond.custodian.answers_table`.

    Returns
    -------
    dict
        ``limits`` and ``answers``.

    Raises
    ------
    ConfigError
        If there are too few homes for any n, or too few days for any number of reports.
    """
    half, there = readings["home"].nunique() // 2, readings["time"].dt.normalize().nunique()
    kept = [each for each in days if each <= there]
    if not kept:
        raise ConfigError(
            f"beyond.custodian.days is {list(days)}, but the readings have {there} days. Give "
            "smaller numbers."
        )
    if len(kept) < len(days):
        log.warning("beyond.custodian.days: skipped what is above %d, the days there are.", there)
    reason = "half of the homes, {}, play together"
    limits = limits_table(
        readings,
        n=sizes_that_fit(n, half, "beyond.custodian.n", reason),
        days=kept,
        **settings,
    )
    return {"limits": limits, "answers": answers_table(limits, gains=gains)}


def sizes_that_fit(n: Sequence[int], homes: int, key: str, reason: str) -> list[int]:
    """Those of some numbers of homes in an aggregate that leave another home to compare with.

    Parameters
    ----------
    n : sequence of int
    homes : int
        Number of homes that may play.
    key : str
        Where the configuration gives ``n``.
    reason : str
        Why there are so many homes, with ``{}`` for their number.

    Raises
    ------
    ConfigError
        If none is left.
    """
    kept, dropped = [each for each in n if each < homes], [each for each in n if each >= homes]
    why = f"{reason.format(homes)}, and a game of n homes needs n + 1"
    if not kept:
        raise ConfigError(
            f"{key} is {list(n)}, but {why}. Give a smaller n (2 or more), or more homes."
        )
    if dropped:
        log.warning("%s: skipped: %s, for %s.", key, ", ".join(map(str, dropped)), why)
    return kept
