"""Small run of prrelation (config/smoke.yaml)."""

from noiseless.papers.prrelation import curves, knowledge, orders
from noiseless.settings import build_log_grid

POINTS = {"curves": 101, "f_scores": 31}
DELTA, EPSILON_NATS = 1e-5, 1
WITHOUT_DATA = 129
LEAST = {
    "tests": {"outputs": 2, "parts": 3, "prior_parts": 4, "mechanism_parts": 3},
    "rules": {"bins": 10},
    "vectors": {"queries": (1, 2)},
    "equal_recall": {"budgets": 31, "recalls": 9},
    "realistic": {"points": 3},
    "correlated": {"parts": 5},
    "told": {"parts": 12, "laws": 20},
    **{
        name: {"laws": 8}
        for name in (
            *("tests_of_outputs", "noise_curves", "ends"),
            *("worst_mechanisms", "positive_laws", "public_counts", "small_epsilons"),
        )
    },
    "mechanisms": {"prior_parts": 2, "answer_levels": 3},
}


def tables():
    epsilon_nats = build_log_grid(*curves.F_SCORE_NATS, POINTS["f_scores"])
    return {
        "prrelation/curves": curves.build_curve_table(
            delta=DELTA, gaussian_epsilon_nats=EPSILON_NATS, points=POINTS["curves"]
        ),
        "prrelation/curves_f_scores": curves.build_f_score_table(
            epsilon_nats=epsilon_nats, delta=DELTA
        ),
        "prrelation/curves_calibrations": curves.build_calibration_table(),
        "prrelation/knowledge_worth": knowledge.build_worth_table(epsilon_nats=epsilon_nats),
        "prrelation/notions_orders": orders.build_orders_table(),
    }
