"""The membership game on an array of your own (``noiseless``, Section V.A).

:func:`membership_game` draws games between the homes of an array, releases the mean of each group
by a quantizer of a budget, lets the adversaries guess, and says how much better than a coin they
are.  :mod:`noiseless.games.membership` has the parts.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from noiseless.adversaries.interface import Adversary, answers
from noiseless.adversaries.labels import PAPERS_ADVERSARIES
from noiseless.adversaries.membership.evidence import guess
from noiseless.adversaries.registry import load_adversary
from noiseless.errors import ConfigError, DataError
from noiseless.games.membership import (
    MEMBERSHIP,
    WH_PER_KWH,
    Ints,
    draw_games,
    play,
)
from noiseless.games.releases import releases_for
from noiseless.mechanisms.containers import python_number
from noiseless.seeds import generator
from noiseless.statistics import wilson

QUANTIZER_RULES = ("n_2^eps", "2^eps")
DEFAULT_ADVERSARIES = (*PAPERS_ADVERSARIES, "control")


def membership_game(
    readings_wh: ArrayLike,
    *,
    n: int,
    epsilon_bits: float,
    maximum_wh: int,
    games: int = 2_000,
    seed: int = 1,
    adversaries: Sequence[str | type[Adversary]] = DEFAULT_ADVERSARIES,
    quantizer_rule: str = "n_2^eps",
    in_wh: bool = False,
) -> pd.DataFrame:
    """How well adversaries tell which of two homes is in a released mean.

    Parameters
    ----------
    readings_wh : array_like or DataFrame of int, shape (homes, T)
        Whole Wh of each home (row) at each time (column), 0 or larger; n + 1 homes or more.
    n : int
        Homes in the mean, 2 or more.
    epsilon_bits : float
        Budget of each published mean, in bits; ``math.inf`` publishes the exact mean.
    maximum_wh : int
        Upper end of the public range of a reading, in Wh.  Larger readings are clipped to it.
    games : int
        Number of games.
    seed : int
        Seed of the games and the coins.
    adversaries : sequence of str or type
        Names of :data:`noiseless.adversaries.labels.MEMBERSHIP_ADVERSARIES`, but none that must be
        trained; or subclasses of :class:`~noiseless.adversaries.interface.Adversary`.
    quantizer_rule : str
        ``n_2^eps`` or ``2^eps``, as for :func:`noiseless.games.membership.release_for`.
    in_wh : bool
        Whether you insist that the readings are in Wh.  Otherwise it is an error if none of them
        reaches 1,000 Wh, because whole kWh look like that.

    Returns
    -------
    DataFrame
        One row for each adversary, its name the index.  ``advantage`` is 2 P(correct) - 1, from 0
        (a coin) to 1; ``low`` and ``high`` are its 95 % interval ``over`` games between these homes
        (Wilson's); ``levels`` of the quantizer, infinite for the exact mean.

    Raises
    ------
    ConfigError
        If a parameter is out of its range, or an adversary is unknown or must be trained.
    DataError
        If the readings are not whole, negative, missing, or too few, or may be in kWh.

    Examples
    --------
    >>> import numpy as np
    >>> readings_wh = np.random.default_rng(1).integers(0, 20_000, size=(40, 30))
    >>> found = membership_game(readings_wh, n=2, epsilon_bits=4, maximum_wh=20_000, games=500)
    >>> list(found.index)
    ['correlation', 'mse', 'peaks', 'control']
    >>> bool(found.loc["correlation", "advantage"] > 0.9), bool(found.loc["control", "low"] < 0)
    (True, True)
    """
    energy = _whole_wh(readings_wh)
    if not in_wh and energy.max() < WH_PER_KWH:
        raise DataError(
            f"no reading reaches {WH_PER_KWH:,} Wh: the largest is {energy.max()}. Are they in Wh? "
            "If they are in kWh, give `np.rint(1000 * readings_kwh).astype(int)`; if they are in "
            "Wh, say `in_wh=True`."
        )
    n, games, seed = (
        _whole(name, value, least)
        for name, value, least in (("n", n, 2), ("games", games, 1), ("seed", seed, 0))
    )
    maximum = _whole("maximum_wh", maximum_wh, 1)
    epsilon_bits = float(epsilon_bits)
    if not epsilon_bits > 0:
        raise ConfigError(f"epsilon_bits is {epsilon_bits}, but it must be larger than 0.")
    if quantizer_rule not in QUANTIZER_RULES:
        raise ConfigError(
            f"quantizer_rule is {quantizer_rule!r}: known are {', '.join(QUANTIZER_RULES)}."
        )
    players = [_player(each) for each in adversaries]
    drawn = draw_games(
        generator(seed, "membership of arrays", "n", n), homes=len(energy), n=n, games=games
    )
    releases = releases_for(
        [epsilon_bits], n=n, maximum_wh=maximum, quantizer_rule=quantizer_rule, energy_wh=energy
    )
    (preferred,) = play(players, energy, drawn, releases)
    rows = {}
    for name, preference in preferred.items():
        coin = generator(seed, "membership of arrays", "coin", name).integers(0, 2, games)
        hits = int((guess(preference, coin) == drawn.member).sum())
        found = wilson(hits, games).against_coin()
        rows[name] = {
            "advantage": found.value,
            "low": found.low,
            "high": found.high,
            "over": found.over,
            "levels": releases[0].levels or math.inf,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("adversary")


def _whole_wh(readings_wh: ArrayLike) -> Ints:
    """Readings as whole Wh, shape (homes, T)."""
    try:
        readings = np.asarray(readings_wh)
        if readings.dtype.kind not in "iuf":
            readings = readings.astype(float)
    except (TypeError, ValueError):
        raise DataError(
            "the readings are no table of numbers: give whole Wh, homes as rows and times as "
            "columns. (`pivot` makes it of a long table.)"
        ) from None
    if readings.ndim != 2 or not readings.size:
        raise DataError(
            f"the readings have the shape {readings.shape}: give homes as rows and times as "
            "columns."
        )
    if not np.isfinite(readings).all():
        home, time = np.argwhere(~np.isfinite(readings))[0]
        raise DataError(
            f"the reading of row {home}, column {time} is missing: give homes that are complete."
        )
    whole = np.rint(readings)
    if (whole != readings).any():
        home, time = np.argwhere(whole != readings)[0]
        raise DataError(
            f"the reading of row {home}, column {time} is no whole number of Wh. If the readings "
            "are in kWh, give `np.rint(1000 * readings_kwh).astype(int)`."
        )
    if (whole < 0).any():
        home, time = np.argwhere(whole < 0)[0]
        raise DataError(
            f"the reading of row {home}, column {time} is negative: give what a home has used, "
            "without what it fed into the grid."
        )
    return whole.astype(np.int64)


def _whole(name: str, value: int, least: int) -> int:
    value = python_number(value)
    if not isinstance(value, int | float) or value != value // 1 or value < least:
        raise ConfigError(f"{name} is {value!r}, but it must be a whole number from {least} on.")
    return int(value)


def _player(adversary: str | type[Adversary]) -> type[Adversary]:
    if isinstance(adversary, str):
        player = load_adversary(MEMBERSHIP, adversary)
    elif isinstance(adversary, type) and issubclass(adversary, Adversary):
        player = adversary
    else:
        raise ConfigError(
            f"{adversary!r} is no adversary: give a name or a subclass of noiseless.Adversary."
        )
    name = getattr(player, "name", None)
    if not isinstance(name, str):
        raise ConfigError(f"the adversary {player.__name__} has no `name`: give it a text.")
    if not answers(player, MEMBERSHIP.question):
        raise ConfigError(f"the adversary {name!r} does not define `prefer`, which the game asks.")
    if player.is_trained:
        raise ConfigError(
            f"the adversary {name!r} must be trained on other homes, so it cannot play here."
        )
    return player
