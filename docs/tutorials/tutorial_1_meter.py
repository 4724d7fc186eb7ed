"""
A meter
=======

A smart meter reports the energy of each half-hour. What does it report with two bits at a time, and
who can still be recognized in the mean of several homes?
"""

# %%
# Made-up readings in whole watt-hours: 40 homes for 60 days, each with a base load and an evening
# of its own.

import math

import matplotlib.pyplot as plt
import numpy as np

import noiseless as nl

rng = np.random.default_rng(1)
hours = np.arange(0, 24, 0.5)
base_wh = rng.uniform(50, 200, size=(40, 1, 1))
evening_h = rng.uniform(17, 22, size=(40, 1, 1))
shape = 1 + 4 * np.exp(-((hours - evening_h) ** 2) / 2)
readings_wh = rng.poisson(base_wh * shape * rng.uniform(0.5, 1.5, size=(40, 60, 1)))
maximum_wh = 2_500  # a public number, chosen without a look at the readings
readings_wh = np.minimum(readings_wh, maximum_wh)

# %%
# A home that reports alone with 2 bits may use :func:`~noiseless.compute_local_levels` levels. The
# quantizer replaces each reading by the midpoint of its bin, and adds no noise.

quantizer = nl.Quantizer(nl.Domain((0,), (maximum_wh,), "wh"), nl.compute_local_levels(2))
print(quantizer.levels, "levels:", quantizer.midpoints, "Wh")
print("guarantee:", quantizer.guarantee())

day_wh = readings_wh[0, 0]
plt.step(hours, day_wh, where="post", label="read")
plt.step(hours, quantizer.release(day_wh), where="post", label="reported, 2 bits")
plt.xlabel("hour of the day")
plt.ylabel("energy in a half-hour (Wh)")
plt.legend()
plt.show()

# %%
# In the *membership game* an adversary knows all readings of two homes, sees the published mean of
# ``n`` homes, one of the two among them, and guesses which. An advantage of 0 is a coin toss, 1 is
# certainty; ``low`` and ``high`` are its 95 % interval. The *control* sees no output.

daily_wh = readings_wh.sum(axis=2)
exact = nl.play_membership_game(
    daily_wh, n=8, epsilon_bits=math.inf, maximum_wh=50_000, games=1_000, rng=1
)
print(f"the exact mean\n{exact.round(3)}\n")
mean_of_a_day = nl.Domain((0,), (50,), "kwh", people=8)
two_levels = nl.Quantizer(mean_of_a_day, 2)  # any mechanism will do
game = nl.play_membership_game(daily_wh, n=8, mechanism=two_levels, games=1_000, rng=1)
print(f"two levels\n{game.round(3)}\n")

# %%
# The exact mean gives the home away to an adversary who correlates; two levels hide it better.
# :doc:`/your-data` plays the game on a file of yours.
