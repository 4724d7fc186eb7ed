"""What a series has in common with a home, beside NumPy's own functions."""

import numpy as np

from noiseless.adversaries.similarities import compute_similarities
from noiseless.seeds import make_generator


def test_scores_are_those_of_numpy():
    rng, n = make_generator(1, "likenesses"), 4
    outputs, candidates = rng.gamma(2, 1, (8, 11)), rng.gamma(2, 1, (8, 2, 11))
    usual, weight = rng.gamma(2, 1, 11), rng.gamma(2, 1, 11)
    scores = np.empty((8, 2, 6))
    compute_similarities(outputs, candidates, usual, weight, n, scores)
    for y, pair, found in zip(outputs, candidates, scores, strict=True):
        for x, mine in zip(pair, found, strict=True):
            peaks = [(s[1:-1] > s[:-2]) & (s[1:-1] > s[2:]) for s in (x, y)]
            others = (n - 1) / n * usual
            expected = [
                np.corrcoef(x, y)[0, 1],
                -np.sqrt(((x - y) ** 2).mean()),
                (peaks[0] & peaks[1]).sum() / 11,
                np.corrcoef(x - usual, y - usual)[0, 1],
                np.corrcoef(np.diff(x), np.diff(y))[0, 1],
                -(weight * (y - others - x / n) ** 2).mean(),
            ]
            np.testing.assert_allclose(mine, expected, rtol=1e-9)
