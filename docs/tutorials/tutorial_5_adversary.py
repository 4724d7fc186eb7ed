"""
Your own adversary
==================

How much does your attack gain from a release? Write it as a class with one method, and let it play
beside the others.
"""

# %%
# The game is that of :doc:`tutorial_1_meter`. An adversary sees sums over readings, over the
# release, and over their products. This one uses totals alone: where the published mean is larger
# than usual, a large home is more likely in it.

import matplotlib.pyplot as plt
import numpy as np

import noiseless as nl


class Totals(nl.Adversary):
    """Prefers the larger candidate where the published mean is larger than usual."""

    name = "totals"

    def prefer(self, evidence):
        """Positive for the first candidate, negative for the second."""
        published_wh = evidence.offset_wh + evidence.step_wh * (
            evidence.first + evidence.sum_k / evidence.readings
        )
        own_wh = evidence.sum_x / evidence.readings
        usual_wh = np.median(own_wh.mean(axis=1))  # of all pairs that the adversary has met
        return (own_wh[:, 0] - own_wh[:, 1]) * (published_wh - usual_wh)


# %%
# Homes that differ in size.

rng = np.random.default_rng(6)
size_wh = rng.lognormal(9, 0.7, size=(60, 1))
readings_wh = rng.poisson(size_wh * rng.uniform(0.8, 1.2, size=(1, 90)))
readings_wh = np.minimum(readings_wh, 60_000)

games = {
    n: nl.play_membership_game(
        readings_wh,
        n=n,
        epsilon_bits=5,
        maximum_wh=60_000,
        games=1_000,
        rng=1,
        adversaries=["correlation", "mse", Totals, "control"],
    )
    for n in (2, 4, 8)
}
print(games[2].round(3))

# %%
# The intervals separate luck from skill.

for name in games[2].index:
    rows = [game.loc[name] for game in games.values()]
    middle = np.array([row["advantage"] for row in rows])
    ends = [middle - [row["low"] for row in rows], [row["high"] for row in rows] - middle]
    plt.errorbar([*games], middle, yerr=ends, marker="o", capsize=3, label=name)
plt.axhline(0, color="grey", linewidth=0.8)
plt.xlabel("homes in the mean")
plt.ylabel("advantage")
plt.legend()
plt.show()

# %%
# As a plugin, the class plays in the games of the workflow, with a control of its own beside it:
# :doc:`/plugins`.
