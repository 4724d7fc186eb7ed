"""Charts of *Actual Knowledge Gain*: how many questions one person's data may answer."""

from noiseless.figures.chart import Chart
from noiseless.labels import FILTERS

CHARTS = (
    Chart(
        key="queries",
        title="How many questions may one person's data answer?",
        about="Each random query is ε-private by itself. A filter counts the realized privacy loss "
        "and stops when the next answer might exceed the budget, so that no belief about the "
        "person changes by more than a factor of e to the power of the budget.",
        tables={
            "knowledge/composition_accepted_linear": {},
            "knowledge/composition_accepted_logistic": {},
        },
        statistics={"median": "median"},
        ends=("p10", "p90"),
        x="budget_nats",
        line="filter",
        everywhere=("basic",),
        axes=("budget (nats)", "accepted queries (median, 10 % to 90 %)"),
        at="a budget of {} nats",
        names={
            "filter": FILTERS,
            "group": {0: "all (no groups)"},
            "basis": {"certified": "certified upper bound", "possible": "best possible"},
        },
        choices={"regression": "Queries", "group": "In groups of", "basis": "Loss", "runs": "Runs"},
        first={"budget_nats": 1.0},
        says="{filter}: with {at}, half of {runs} runs accept {value:count} queries or more; 8 of "
        "10 runs accept between {low:count} and {high:count}.",
    ),
)
