"""Published attacks on aggregates, rewritten, against the adversary by the normal likelihood.

Both sides learn from the same homes and play the same games (:mod:`play_published`), with released
means and with those of other groups.  Before they are timed, each must beat a coin on the former,
and must not on the latter.  Accuracies are in ``measured/published_attacks.json``.
"""

import numpy as np
from comparison import Comparison
from peers import HOMER, KNOCK_KNOCK, TRACING
from play_published import CONTROL, RELEASED, estimate_accuracy, play_cell
from published_attacks import HomerStatistic, KnockKnock, Tracing

from noiseless.adversaries.membership.normal import NormalLikelihoodAdversary

HOMES, DAYS = 200, 365
CELL = {"dataset": "bench", "n": 2, "levels": None, "games": 100}


def comparisons():
    rng = np.random.default_rng(1)
    energy = (rng.gamma(2, 4000, (HOMES, 1)) * rng.gamma(3, 1 / 3, (HOMES, DAYS))).astype(np.int64)

    def play(adversary):
        return play_cell([adversary], energy, **CELL)[adversary.name].won

    def win(*sides):
        for won in sides:
            assert estimate_accuracy(won[RELEASED])["low"] > 0.5
            control = estimate_accuracy(won[CONTROL])
            assert control["low"] <= 0.5 <= control["high"], control

    for attack, peer in ((HomerStatistic, HOMER), (Tracing, TRACING), (KnockKnock, KNOCK_KNOCK)):
        yield Comparison(
            name=f"{CELL['games']} membership games, n = {CELL['n']}; {attack.label}, rewritten",
            baseline=lambda attack=attack: play(attack),
            ours=lambda: play(NormalLikelihoodAdversary),
            agree=win,
            peer=peer,
        )
