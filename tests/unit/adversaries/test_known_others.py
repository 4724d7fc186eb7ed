"""Whom the adversary tells apart who knows all other homes."""

import numpy as np

from noiseless.adversaries.known_others import find_distinguishable_pairs


def test_one_reading_tells_two_releases_apart():
    k = np.array([[1, 2, 3], [1, 2, 4], [1, 2, 3], [0, 2, 3]])
    expected = [[0, 1, 0, 1], [1, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0]]
    assert find_distinguishable_pairs(k).astype(int).tolist() == expected
    assert find_distinguishable_pairs(np.stack([k, k[::-1]]))[1].astype(int).tolist() == [
        row[::-1] for row in expected[::-1]
    ]
