"""Whom the adversary tells apart who knows all other homes."""

import numpy as np

from noiseless.adversaries.known_others import tells_apart


def test_one_reading_tells_two_releases_apart():
    k = np.array([[1, 2, 3], [1, 2, 4], [1, 2, 3], [0, 2, 3]])
    expected = [[0, 1, 0, 1], [1, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0]]
    assert tells_apart(k).astype(int).tolist() == expected
    assert tells_apart(np.stack([k, k[::-1]]))[1].astype(int).tolist() == [
        row[::-1] for row in expected[::-1]
    ]
