"""Small run of deterministic (config/smoke.yaml)."""

from noiseless.papers.deterministic import policies

ACCURACIES_PER_UNIT, LATTICE = 4, 801
WITHOUT_DATA = 63
LEAST = {
    "groupings": {"interval_cells": 1, "grids": ()},
    "relations": {"more": ()},
    "random_relations": {"number": 1, "most_values": 4},
    "processings": {"most_values": 4},
    "sloped_policies": {"most_cells": 1},
    "output_policies": {"most_cells": 2},
    "data_policies": {"most_cells": 2},
    "even_policies": {"most_cells": 2},
    "bins": {"most_cells": 4},
    "plane": {"points": 401},
    "pairs_of_quantizers": {"sides": ((1, 1),), "accuracy": (1,)},
    "plane_groupings": {"grids": ((2, 2),)},
}


def tables():
    accuracy = policies.list_accuracies(ACCURACIES_PER_UNIT)
    return {
        "deterministic/policies_regions": policies.build_regions_table(lattice=LATTICE),
        "deterministic/policies_averaging": policies.build_averaging_table(accuracy=accuracy),
    }
