"""Charts of *Noiseless Privacy*: who is in the aggregate, which appliance is on, who is unique."""

import math

import pandas as pd

from noiseless.adversaries import appliances, membership
from noiseless.adversaries.labels import labels_of, without_controls
from noiseless.figures.chart import Axis, Chart
from noiseless.figures.labels import EXACT_MEAN, HOMES
from noiseless.statistics import CONFIDENCE

_APPLIANCES = labels_of(appliances)
_SEEING = without_controls(_APPLIANCES)
_CONTROLS = tuple(name for name in _APPLIANCES if name not in _SEEING)
_DRAWN = {name: _APPLIANCES[name] for name in (*_SEEING, *_CONTROLS)}
_BITS = "privacy budget ε (bits)"
_STRONGEST = "strongest of those who know more"
_GAMES = ("noiseless/membership", "noiseless/membership_learned", "beyond/adversaries_repeated")
_KNOWN = (
    "start and end",
    "start",
    "end",
    *(f"start and end, {t}" for t in ("week", "day", "hour")),
)


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
        tables={f"{name}_{homes}": {"dataset": homes} for name in _GAMES for homes in HOMES},
        statistics={"advantage": "advantage"},
        prepare=_opponents,
        x=Axis("epsilon_bits", _BITS, at="ε = {}"),
        y=Axis("value", "signed advantage 2 P(correct) − 1"),
        line="adversary",
        everywhere=("control",),
        names={**labels_of(membership), **HOMES, math.inf: EXACT_MEAN},
        choices={"dataset": "Homes of", "n": "Homes in the mean (n)"},
        first={"dataset": "london", "n": 8, "epsilon_bits": 3.0},
        says="{adversary}, {n} homes, {at}: right in {value:games} of 100 games ({low:games} to "
        "{high:games}).",
    ),
    Chart(
        key="appliances",
        title="Which appliance is on?",
        about="A home's meter reports its mains in 2^ε levels of a public range. The f-score says "
        "how well an adversary tells from the reports when an appliance is on: 1 is always right. "
        "The dashed lines see no report at all. Bars: intervals of a bootstrap over days.",
        tables={"noiseless/nilm_attacks": {}},
        statistics={"f_score_losses": "mean power of a bin", "f_score_metrics": "every reading"},
        x=Axis("epsilon_bits", _BITS, at="ε = {}"),
        y=Axis("value", "f-score"),
        line="adversary",
        everywhere=_CONTROLS,
        names={**_DRAWN, math.inf: "no quantizer"},
        choices={"appliance": "Appliance", "statistic": "An appliance counts as on by"},
        first={"epsilon_bits": 3.0, "appliance": "mean"},
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
        statistics={f"portion_below_{k}": f"groups of fewer than {k}" for k in (2, 5, 10, 50)},
        x=Axis("epsilon_bits", "budget ε of a place (bits)", at="ε = {}"),
        y=Axis("value", "share of trips"),
        line="known",
        names={known: known for known in _KNOWN},
        choices={"statistic": "Share of trips in"},
        first={"epsilon_bits": 16.0},
        says="Released {known}: {value:percent} of {trips:count} trips are in {statistic} at {at}, "
        "where a cell is {cell_height_m:number} m high and {cell_width_m:number} m wide.",
    ),
)
