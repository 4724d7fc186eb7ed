"""Small run of noiseless (config/smoke.yaml)."""

from noiseless.papers.noiseless.guarantees import build_levels_table

WITHOUT_DATA = 43
LEAST = {
    "relations": {"sizes": ((2, 2), (2, 3))},
    "channels": {"sizes": ((2, 2), (2, 3))},
    "mechanisms": {"universes": ((2, 2),), "random_universes": (), "random_maps": 1},
    "processings": {"pair_universes": ((2, 2),)},
    "pairs": {"pair_universes": ((2, 2),)},
    "ranges": {"universes": ((2, 2),)},
    "cuts": {"cells": (2,)},
    "errors": {"cells": (2,)},
    "bounds": {"epsilon_bits": (1, 2)},
    "best_tests": {"games": 500},
    "long_series": {"readings": (16, 64)},
    "candidates": {"draws": 1000},
    "overlapping": {"parts": 3},
    "grids": {"data": (2,), "people": (1,), "epsilon_bits": (0.5,)},
}


def tables():
    epsilon = [1, 1.5, 2, 3, 4, 5, 6]
    levels = build_levels_table(people=[1, 2, 4, 8, 16], epsilon_bits=epsilon)
    return {"noiseless/guarantees_levels": levels}
