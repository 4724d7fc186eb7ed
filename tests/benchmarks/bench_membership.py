"""The membership game, compiled, against a loop over games with pandas and scipy."""

import numpy as np
from comparison import Comparison
from peers import LOOP

from membership_loop import BY_LOOP, guesses_by_loop
from noiseless.adversaries.inputs.membership import choose_candidates
from noiseless.games.membership import draw_games, load_membership_adversaries, play
from noiseless.games.releases import build_release
from noiseless.seeds import make_generator

HOMES, DAYS = 300, 365


def comparisons():
    adversaries = [
        each for each in load_membership_adversaries(trained=False) if each.name in BY_LOOP
    ]
    rng = np.random.default_rng(1)
    energy = (rng.gamma(2, 4000, (HOMES, 1)) * rng.gamma(3, 1 / 3, (HOMES, DAYS))).astype(np.int64)
    for n, count in ((4, 100), (128, 20)):
        coins = {name: rng.integers(0, 2, count) for name in BY_LOOP}
        games = draw_games(make_generator(1, "bench", n), homes=HOMES, n=n, games=count)
        releases = [build_release(e, n=n, maximum_wh=int(energy.max())) for e in (1, 3, 10, np.inf)]

        def loop(games=games, releases=releases, coins=coins):
            return [guesses_by_loop(energy, games, release, coins) for release in releases]

        def compiled(games=games, releases=releases, coins=coins):
            found = play(adversaries, energy, games, releases)
            return [
                {
                    name: choose_candidates(preference, coins[name])
                    for name, preference in each.items()
                }
                for each in found
            ]

        def agree(slow, fast):
            for one, other in zip(slow, fast, strict=True):
                for name in BY_LOOP:
                    np.testing.assert_array_equal(one[name], other[name])

        yield Comparison(
            name=f"membership, n = {n}, {count} games x 4 budgets x 4 adversaries; loop",
            baseline=loop,
            ours=compiled,
            agree=agree,
            peer=LOOP,
        )
