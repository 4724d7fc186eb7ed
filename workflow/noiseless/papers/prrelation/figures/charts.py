"""Charts of *Statistical Privacy Frameworks*: how large epsilon may be, and what one means."""

from noiseless.accounting.labels import RISK_MECHANISMS
from noiseless.figures.chart import Axis, Chart
from noiseless.mechanisms.labels import CALIBRATIONS

KNOWLEDGE = {
    "none": "nothing",
    "prior": "a prior (ρp)",
    "records": "a prior and correlated records (ρp, ρc)",
    "time": "these and earlier values (ρp, ρc, ρt)",
}
"""What the adversary knows beforehand."""

CHARTS = (
    Chart(
        key="epsilon",
        title="How large may ε be?",
        about="The largest ε for which no adversary has an F-score above a bound: of those named, "
        "how many are there (precision), and of those there, how many are named (recall). β weighs "
        "recall. Computed from formulas.",
        tables={"prrelation/choice": {}},
        statistics={"epsilon_nats": "largest ε"},
        x=Axis("f_score", "bound on the adversary's F-score", at="F = {}"),
        y=Axis("value", "largest privacy budget ε", log=True),
        line="mechanism",
        names={**CALIBRATIONS, **KNOWLEDGE},
        choices={"beta": "Weight of recall (β)", "knowledge": "The adversary knows"},
        first={"beta": 1.0, "knowledge": "none", "f_score": 0.9},
        says="{mechanism}: to keep every adversary at {at} or below, ε may be at most "
        "{value:number} (noise of {noise:number} for a sensitivity of 1).",
        empty="No ε keeps every adversary at {at} or below: one who always says “yes” has an "
        "F-score of {floor:number} without any answer, and no noise can lower that.",
    ),
    Chart(
        key="meaning",
        title="What does this ε mean?",
        about="The best adversary knows every record but one, that of a person in the data: upper "
        "bounds, which say nothing about what other people's data give away about a person.",
        tables={"prrelation/choice_meaning": {}},
        statistics={
            "posterior": "belief afterwards (95 of 100 cases)",
            "accuracy": "share of right guesses",
            "true_positives": "share found at 1 % false alarms",
            "true_positives_rare": "share found at 0.1 % false alarms",
        },
        x=Axis("epsilon_nats", "ε of each answer (nats)", at="ε = {} each", log=True),
        y=Axis("value", "at most"),
        line="mechanism",
        names=RISK_MECHANISMS,
        choices={"answers": "Answers", "prior": "Belief beforehand", "statistic": "Shown"},
        first={"answers": 1, "prior": 0.1, "epsilon_nats": 1.0},
        says="{mechanism}, {answers} answers, {at}: {statistic} at most {value:percent}.",
    ),
)
