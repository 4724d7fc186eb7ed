"""Outcome of the membership game: what an adversary preferred in each game, and who was right.

An :class:`Outcome` holds games, one adversary's preferences and the coins of the games in which it
had none.  All numbers of tables and of answers to users are reductions of it: the advantage with
its interval over games or over homes, the share of coins, and what the adversary gains more than
another one in the same games.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from noiseless.adversaries.inputs.membership import choose_candidates
from noiseless.arrays import Bools, Floats, Ints
from noiseless.errors import ConfigError
from noiseless.games.membership import Games
from noiseless.statistics import Estimate, estimate_paired_mean, estimate_proportion

MIN_DECIDED = 100


@dataclass(frozen=True)
class Outcome:
    """Outcome of games for one adversary, whose coin is the guess where there is no preference.

    If all of :data:`MIN_DECIDED` preferences or more are for one candidate, it is a ConfigError:
    the member is a fair coin's, so that no adversary who looks at both does that.
    """

    games: Games
    adversary: str
    preference: Floats
    coin: Ints

    def __post_init__(self) -> None:
        decided = self.preference[self.preference != 0]
        one_sided = bool((decided > 0).all() or (decided < 0).all())
        if len(decided) >= MIN_DECIDED and one_sided:
            raise ConfigError(
                f"the adversary {self.adversary!r} prefers candidate {int(decided[0] < 0)} in all "
                f"{len(decided)} games in which it has a preference, but `prefer` must be positive "
                "for candidate 0 and negative for candidate 1. If it answers with a probability, "
                "subtract 1/2."
            )

    @classmethod
    def draw(
        cls, rng: np.random.Generator, games: Games, adversary: str, preference: Floats
    ) -> "Outcome":
        """Draw a coin for each game, and return the outcome."""
        return cls(games, adversary, preference, rng.integers(0, 2, len(preference)))

    @cached_property
    def is_correct(self) -> Bools:
        """Whether the guess was right, shape (G,)."""
        return choose_candidates(self.preference, self.coin) == self.games.member

    @property
    def gain(self) -> Ints:
        """Gain in each game: 1 if it was won and -1 if it was lost, shape (G,)."""
        return np.where(self.is_correct, 1, -1)

    @cached_property
    def won_share(self) -> Estimate:
        """Share of the games that were won, with an interval over games."""
        return estimate_proportion(int(self.is_correct.sum()), len(self.is_correct))

    @property
    def advantage(self) -> Estimate:
        """Advantage 2 P(correct) - 1, with an interval over games between these homes."""
        return self.won_share.convert_to_advantage()

    @property
    def advantage_over_homes(self) -> Estimate:
        """The same advantage, with an interval over homes."""
        return replace(self.games.estimate_over_homes(self.gain), value=self.advantage.value)

    @property
    def coin_share(self) -> float:
        """Share of the games that a coin decided."""
        return float((self.preference == 0).mean())

    def estimate_lead(self, other: "Outcome") -> Estimate:
        """Estimate how much larger the advantage is than another adversary's in the same games."""
        return estimate_paired_mean(self.gain - other.gain)
