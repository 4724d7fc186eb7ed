import numpy as np

import noiseless as nl

homes = np.random.default_rng(0).integers(0, 9000, (12, 30))
CELL = """
class Mine(nl.Adversary):
    name = "mine"
    sees_series = True
    def prefer(self, evidence):
        away = evidence.series.output_kwh[:, None] - evidence.series.candidates_kwh
        return -np.abs(away).sum(-1) @ np.array([1, -1])
"""
seen = set()
for _ in range(3):
    exec(CELL)
    found = nl.play_membership_game(
        homes,
        n=4,
        epsilon_bits=3,
        maximum_wh=10_000,
        rng=1,
        games=200,
        adversaries=["mse", Mine],  # noqa: F821, the cell's
    )
    seen.add(float(found.loc["mine", "advantage"]))
print("different numbers:", len(seen))
