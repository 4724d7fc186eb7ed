"""Grids of parameters."""

import numpy as np

from noiseless.settings import build_log_grid


def test_log_grid_has_both_ends():
    grid = build_log_grid(0.01, 10, 4)
    np.testing.assert_allclose(grid, [0.01, 0.1, 1, 10])
