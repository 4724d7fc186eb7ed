"""Charts of *Noiseless Privacy*: who is in the aggregate, which appliance is on, who is unique."""

import math

import pandas as pd

from noiseless.figures.chart import Chart
from noiseless.labels import (
    APPLIANCE_ADVERSARIES,
    APPLIANCE_CONTROLS,
    EXACT_MEAN,
    HOMES,
    MEMBERSHIP_ADVERSARIES,
    without_controls,
)
from noiseless.statistics import CONFIDENCE

_BITS = "privacy budget ε (bits)"
_STRONGEST = "strongest of those who know more"


def _opponents(rows: pd.DataFrame) -> pd.DataFrame:
    """The paper's adversaries, the trained one, and the strongest of those who know more."""
    table = rows["table"].str.extract(r"/(membership_learned|membership|adversaries)")[0]
    learned = (table == "membership_learned") & (rows["adversary"] == "learned")
    shown = rows[(table == "membership") | learned]
    more = rows[table == "adversaries"].dropna(subset=["value"])
    if more.empty:
        return shown
    seeing = set(without_controls(more["adversary"].unique())) - {"any"}
    more = more[(more["days"] == more["days"].max()) & more["adversary"].isin(seeing)]
    more = more.sort_values("value").drop_duplicates(["dataset", "n", "epsilon_bits"], keep="last")
    return pd.concat([shown, more.assign(adversary=_STRONGEST)])


CHARTS = (
    Chart(
        key="membership",
        title="Who is in the aggregate?",
        about="An adversary knows the readings of two homes, sees the mean of n homes, and says "
        "which of the two is in it. 0 is a coin toss (50 of 100), 1 is certainty. ε bits publish "
        f"the mean on n 2^ε levels. Bars are {100 * CONFIDENCE:g} % intervals.",
        tables={
            f"{name}_{dataset}": {"dataset": dataset}
            for name in ("noiseless/membership", "noiseless/membership_learned")
            for dataset in HOMES
        }
        | {f"beyond/adversaries_repeated_{dataset}": {"dataset": dataset} for dataset in HOMES},
        statistics={"advantage": "advantage"},
        prepare=_opponents,
        x="epsilon_bits",
        line="adversary",
        everywhere=("control",),
        axes=(_BITS, "signed advantage 2 P(correct) − 1"),
        at="ε = {}",
        names={
            "adversary": {**MEMBERSHIP_ADVERSARIES, _STRONGEST: _STRONGEST},
            "dataset": HOMES,
            "epsilon_bits": {math.inf: EXACT_MEAN},
        },
        choices={"dataset": "Homes of", "n": "Homes in the mean (n)"},
        first={"dataset": "london", "n": 8, "epsilon_bits": 3.0},
        says="{adversary}, {n} homes, {at}: right in {value:games} of 100 games ({low:games} to "
        "{high:games}).",
    ),
    Chart(
        key="appliances",
        title="Which appliance is on?",
        about="A home's meter reports its mains in 2^ε levels of a public range. The f-score says "
        "how well someone who sees the reports tells when an appliance is on: 1 is always right. "
        "The dashed lines see no report at all. Bars: intervals of a bootstrap over days.",
        tables={"noiseless/nilm_attacks": {}},
        statistics={
            "f_score_losses": "on by its mean power in a bin",
            "f_score_metrics": "on by every reading in a bin",
        },
        x="epsilon_bits",
        line="adversary",
        everywhere=tuple(APPLIANCE_CONTROLS),
        axes=(_BITS, "f-score"),
        at="ε = {}",
        names={
            "adversary": {**APPLIANCE_ADVERSARIES, **APPLIANCE_CONTROLS},
            "appliance": {"mean": "mean of all appliances"},
            "epsilon_bits": {math.inf: "no quantizer"},
        },
        choices={"appliance": "Appliance"},
        first={"epsilon_bits": 3.0},
        says="{adversary}: an f-score of {value:number} ({low:number} to {high:number}) at {at}.",
    ),
    Chart(
        key="trips",
        title="How many taxi trips are like no other?",
        about="Each end of a trip is reported as a cell of a grid of 2^(ε/2) by 2^(ε/2) cells. "
        "An adversary who knows roughly where a passenger was picked up and set down can tell a "
        "unique trip from all others.",
        tables={"noiseless/trips_unique": {}},
        join="noiseless/trips_budget",
        statistics={
            "portion_below_2": "are like no other",
            **{f"portion_below_{k}": f"are in groups of fewer than {k}" for k in (5, 10, 50)},
        },
        x="epsilon_bits",
        line="known",
        axes=("budget ε of a place (bits)", "share of trips"),
        at="ε = {}",
        names={"known": {"start and end": "start and end"}},
        first={"epsilon_bits": 16.0},
        says="Released {known}: {value:percent} of {trips:count} trips {statistic} at {at}, where "
        "a cell is {cell_height_m:number} m high and {cell_width_m:number} m wide.",
    ),
)
