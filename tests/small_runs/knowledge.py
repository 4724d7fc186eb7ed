"""Small run of knowledge (config/smoke.yaml), but for what takes more than seconds."""

from noiseless.papers.knowledge.filter_streams import build_stream_tables
from noiseless.papers.knowledge.health import build_health_tables

SEED = 2019
WITHOUT_DATA = 75
LEAST = {
    "learning": {"mechanisms": 2, "beliefs": 1},
    "interactions": {"interactions": 1, "depth": 1},
    "pairs": {"parts": 4},
    "deltas": {"mechanisms": 50},
    "line_15": {"queries": 2, "runs": 1},
    "shortfalls": {"runs": 2},
    "last_queries": {"queries": 3},
    "branchings": {"queries": 2, "dimensions": 2, "problems": 1},
    "all_filters": {"interactions": 1},
    "adversaries": {
        "settings": [
            {"budget_nats": 0.7, "delta": 0.05, "epsilon_nats": [0.5], "values": 2, "depth": 1}
        ]
    },
}


def tables():
    health = build_health_tables(epsilon_nats=1.0, tolerance=1e-6, grid_points=21)
    made = {**build_stream_tables(seed=SEED), **health}
    return {f"knowledge/{name}": table for name, table in made.items()}
