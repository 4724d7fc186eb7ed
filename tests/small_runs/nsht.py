"""Small run of nsht (config/smoke.yaml)."""

from noiseless.papers.nsht import blurring, indistinguishability, leakage, odds
from noiseless.settings import build_log_grid

POINTS = 31
WITHOUT_DATA = 70
LEAST = {
    "policies": {"largest": 2, "random": (), "maps": 1},
    "leaks": {"largest": 3, "random": (), "maps": 1},
    "densities": {"cells": (2,), "random": (), "pairs": 1},
    "linear_queries": {"largest_coefficient": 1, "random_people": (), "random_queries": 1},
    "lattices": {"cells": (200,), "cells_per_record": 10},
    "thresholds": {"degrees": (0,), "thresholds": 1, "cells": 80, "cells_per_record": 5},
    "all_policies": {"lines": ((4, 1), (6, 1), (8, 1), (6, 2)), "grids": ((2, 3), (3, 2), (3, 3))},
    "lines": {"rooms": (0, 7), "records": 11},
    "all_releases": {"lattices": [{"points": 4, "spans": (3, 2)}]},
    "distances": {"cells": (41,)},
}


def tables():
    rho = build_log_grid(*blurring.ACCURACIES_PER_KG, POINTS)
    epsilon = build_log_grid(*leakage.BUDGETS, POINTS)
    return {
        "nsht/blurring_budget": blurring.build_guarantees_table(rho_per_kg=rho),
        "nsht/leakage_bound": leakage.build_bound_table(epsilon=epsilon),
        "nsht/indistinguishability": indistinguishability.build_indistinguishability_table(),
        "nsht/blurring_odds": odds.build_odds_table(),
    }
