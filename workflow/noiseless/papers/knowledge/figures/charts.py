"""Charts of *Actual Knowledge Gain*: how many questions one person's data may answer."""

from noiseless.accounting.labels import FILTERS
from noiseless.figures.chart import Axis, Chart

_BASES = {"certified": "certified upper bound", "possible": "best possible"}
_QUERIES = ("linear", "logistic")

CHARTS = (
    Chart(
        key="queries",
        title="How many questions may one person's data answer?",
        about="Each random query is ε-private by itself. A filter counts the realized privacy loss "
        "and stops when the next answer might exceed the budget, so that no belief about the "
        "person changes by more than a factor of e to the power of the budget.",
        tables={f"knowledge/composition_accepted_{name}": {} for name in _QUERIES},
        statistics={"median": "median"},
        ends=("p10", "p90"),
        x=Axis("budget_nats", "budget (nats)", at="a budget of {} nats"),
        y=Axis("value", "accepted queries (median, 10 % to 90 %)"),
        line="filter",
        everywhere=("basic",),
        names={**FILTERS, **_BASES, 0: "all (no groups)"},
        choices={"regression": "Queries", "group": "In groups of", "basis": "Loss", "runs": "Runs"},
        first={"budget_nats": 1.0},
        says="{filter}: with {at}, half of {runs} runs accept {value:count} queries or more; 8 of "
        "10 runs accept between {low:count} and {high:count}.",
    ),
)
