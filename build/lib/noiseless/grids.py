"""Grids of parameters."""

import numpy as np


def log_grid(lowest: float, highest: float, points: int) -> list[float]:
    """Points at equal distances on a logarithmic axis, both ends included."""
    return np.geomspace(lowest, highest, points).tolist()
