"""
A map
=====

Where a trip starts and ends is often unique. How coarse must places be so that few trips are alone,
and how far do they move?
"""

# %%
# Twenty thousand made-up trips in a city of 10 km by 10 km with two centres.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import noiseless as nl

rng = np.random.default_rng(2)
centres_m = np.array([[3_000, 4_000], [7_000, 6_500]])
starts_m = centres_m[rng.integers(0, 2, 20_000)] + rng.normal(0, 900, (20_000, 2))
ends_m = rng.uniform(0, 10_000, (20_000, 2))
trips = pd.DataFrame(
    np.clip(np.hstack([starts_m, ends_m]), 0, 10_000),
    columns=["start_x_m", "start_y_m", "end_x_m", "end_y_m"],
)

# %%
# A quantizer of each coordinate makes a grid. :func:`~noiseless.unique_share` is the share of
# trips that no other trip equals, :func:`~noiseless.k_anonymous_share` that of trips with ``k -
# 1`` others like them.

side = nl.Domain((0,), (10_000,), "m")
bits = np.arange(1, 8)
shares = []
for count in bits:
    reported = trips.apply(nl.Quantizer(side, nl.compute_local_levels(int(count))).release)
    shares.append((nl.unique_share(reported), nl.k_anonymous_share(reported, k=10)))
    print(f"cells of {10_000 / 2**count:6.0f} m: {shares[-1][0]:.1%} of the trips are unique")

plt.plot(bits, shares, marker="o", label=["unique", "10-anonymous"])
plt.xlabel("bits of each coordinate")
plt.ylabel("share of the trips")
plt.legend()
plt.show()

# %%
# :class:`~noiseless.PlanarLaplaceMechanism` moves each place by a random distance instead. Its
# guarantee is of another kind (nats of differential privacy), so compare errors in metres.

mechanism = nl.PlanarLaplaceMechanism(nl.Domain((0, 0), (10_000, 10_000), "m"), 1 / 200)
places_m = trips[["start_x_m", "start_y_m"]].to_numpy()
moved_m = mechanism.release(places_m, rng=3) - places_m
print("guarantee for places 200 m apart:", mechanism.compute_guarantee_within(200))
print(f"root mean square error: {np.sqrt((moved_m**2).sum(axis=1).mean()):.0f} m")
