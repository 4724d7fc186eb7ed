"""Whom the adversary rules out who knows all other homes."""

import numpy as np

from noiseless.adversaries.known_others import consistent


def test_consistent_rules_out_by_any_one_reading():
    cells = np.array([[1, 2, 3]])
    alternatives = np.array([[[1, 2, 3], [1, 2, 4]]])
    assert consistent(cells, alternatives).tolist() == [[True, False]]
