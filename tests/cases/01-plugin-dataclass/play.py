from pathlib import Path

import numpy as np

import noiseless as nl

homes_wh = np.random.default_rng(0).integers(0, 9000, (6, 8))
with nl.use_plugins([Path(__file__).with_name("lagged.py")]):
    found = nl.play_membership_game(
        homes_wh, n=2, epsilon_bits=3, maximum_wh=9000, rng=1, games=50, adversaries=["lagged"]
    )
print(*found.index)
