"""The blurring policy, vectorised, against Equation 11 one record at a time."""

import numpy as np
from comparison import Comparison
from peers import LOOP, NUMPY

from noiseless.mechanisms.blurring import PublicRange, compute_band_measure
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.papers.nsht.blurring import build_bmi_threshold


def comparisons():
    box, threshold, rho = PublicRange((0, 0), (200, 250)), build_bmi_threshold(30), 0.1
    records = np.random.default_rng(1).uniform(box.lower, box.upper, (200_000, 2))

    def loop():
        released = []
        for weight, height in records.tolist():
            g = 3 * height**2 / 1000
            released.append((g if abs(weight - g) <= 1 / rho else weight, height))
        return np.array(released)

    yield Comparison(
        name="blur 200,000 records; baseline: a loop over records",
        baseline=loop,
        ours=lambda: CollapseBlurring(threshold, box, rho).release(records),
        agree=lambda slow, fast: np.testing.assert_allclose(fast, slow, rtol=1e-12),
        peer=LOOP,
    )

    def grid(cells=4000):
        weights = (np.arange(cells) + 0.5) / cells * 200
        heights = (np.arange(cells) + 0.5) / cells * 250
        inside = np.abs(weights[:, None] - 3 * heights**2 / 1000) <= 1 / rho
        return inside.mean() * box.volume

    yield Comparison(
        name="size of the band; baseline: 4,000 x 4,000 grid (4 digits)",
        baseline=grid,
        ours=lambda: compute_band_measure(threshold, box, rho),
        agree=lambda slow, fast: np.testing.assert_allclose(slow, fast, rtol=1e-3),
        peer=NUMPY,
    )
