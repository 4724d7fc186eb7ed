"""Homes that are not there, for the tests of the membership game and of what is built on it."""

import numpy as np
import pandas as pd


def make_energy(homes=30, readings=40, seed=0, largest=5000, *, common_pattern=True, idle=True):
    """Whole Wh: a level per home, a pattern, and noise.

    Homes have one pattern in common, or a pattern each; if ``idle``, the first home never uses
    anything.
    """
    rng = np.random.default_rng(seed)
    level = rng.gamma(2, 1, (homes, 1))
    pattern = rng.standard_normal(readings if common_pattern else (homes, readings))
    energy = level * (1 + 0.3 * pattern) + rng.gamma(1, 1, (homes, readings))
    if idle:
        energy[0] = 0
    return np.clip(energy * 500, 0, largest).astype(np.int64)


def make_table(energy, freq="D", start="2013-02-25"):
    """Readings as the parsers return them, from Wh of shape (homes, readings)."""
    times = pd.date_range(start, periods=energy.shape[1], freq=freq)
    return pd.DataFrame(
        {
            "home": np.repeat([f"h{k:03}" for k in range(len(energy))], len(times)),
            "time": np.tile(times, len(energy)),
            "energy_kwh": energy.ravel() / 1000,
        }
    )
