"""M. Pan, "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting" (``knowledge``)."""

import math
from collections.abc import Mapping
from typing import Any

from noiseless.statements import Paper

TITLE = 'M. Pan, "Actual Knowledge Gain as Privacy Loss in Local Privacy Accounting"'
SECTIONS = (
    "section_1",
    "section_2",
    "section_3",
    "section_4",
    "section_5",
    "section_6",
    "section_7",
    "appendix",
    "ours",
)
DATA: Mapping[str, Any] = {}

# Of a table that was made with other settings a verdict would say nothing of the paper; coarser
# ones decide nothing, as what is certified would be so by accident.
paper = Paper(
    "knowledge",
    TITLE,
    presumes={
        "knowledge.epsilon_nats": 0.1,
        "knowledge.group_size": 10,
        "knowledge.parameter_range.linear": 1,
        "knowledge.parameter_range.logistic": 10,
        "knowledge.composition.dimensions": 9,
        "knowledge.baselines_delta": 0.00001,
        "knowledge.health.epsilon_nats": 1,
    },
    limits={
        "knowledge.composition.tolerance": (-math.inf, 0.001),
        "knowledge.composition.node_limit": (20_000, math.inf),
        "knowledge.composition.runs": (50, math.inf),  # as printed; of one run there is no median
        "knowledge.composition.shown_runs": (10, math.inf),  # as printed
        "knowledge.scan.tolerance": (-math.inf, 0.01),
        "knowledge.scan.node_limit": (2_000, math.inf),
        "knowledge.health.tolerance": (-math.inf, 1e-6),
        # With 11 or fewer points, the corners of the grid are above 1 in 100 people.
        "knowledge.health.grid_points": (21, math.inf),
        "knowledge.survey.tolerance": (-math.inf, 0.02),
    },
    sizes=(
        *("knowledge.budgets_nats", "knowledge.scan.parameter_range", "knowledge.scan.runs"),
        *("knowledge.cost.queries", "knowledge.cost.dimensions", "knowledge.cost.tolerance"),
        *("knowledge.cost.node_limit", "knowledge.cost.problems", "knowledge.survey.most_people"),
        *("knowledge.survey.queries", "knowledge.survey.logistic_range"),
        *("knowledge.survey.epsilon_nats", "knowledge.survey.budget_nats"),
    ),
)
