"""Charts beyond the papers: mechanisms at the same error, and what many reports add up to."""

import math

import pandas as pd

from noiseless.adversaries import membership
from noiseless.adversaries.labels import EXACT_LABEL, labels_of
from noiseless.figures.chart import Axis, Chart
from noiseless.figures.labels import EXACT_MEAN, HOMES
from noiseless.mechanisms.families import mechanism_labels
from noiseless.mechanisms.interface import Identity

_CHOICES = {
    "dataset": "Homes of",
    "n": "Homes in the mean (n)",
    "epsilon_bits": "Budget ε of a day (bits)",
    "known": "Other homes that the adversary knows",
}


def _protected(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of mechanisms, without those of no mechanism."""
    return rows[rows["mechanism"] != Identity.name]


def _single(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of single adversaries."""
    return rows[rows["adversary"] != "any"]


CHARTS = (
    Chart(
        key="mechanisms-homes",
        title="Homes: which mechanism hides them best at the same error?",
        about="Every mechanism is set so that the published mean of n homes is off by the same "
        "error; then the same adversaries play the membership game against it. 0 is a coin toss, "
        "1 is certainty. Where a mechanism has no point, it cannot make that error.",
        tables={f"beyond/comparison_homes_{homes}": {"dataset": homes} for homes in HOMES},
        statistics={"gain": "gain"},
        prepare=_protected,
        x=Axis("target_error_kwh", "error of the daily mean (kWh)", at="{} kWh of error", log=True),
        y=Axis("value", "gain of the adversary"),
        line="mechanism",
        names={**mechanism_labels(), **HOMES, **labels_of(membership)},
        choices={"dataset": "Homes of", "n": "Homes in the mean (n)", "adversary": "Adversary"},
        first={"dataset": "london", "adversary": "learned"},
        says="{mechanism}, {n} homes, {at}: right in {value:games} of 100 games ({low:games} to "
        "{high:games}, from {games:count} games).",
        empty="{mechanism}: no setting of this mechanism makes this error.",
    ),
    Chart(
        key="reports",
        title="What do many reports add up to?",
        about="The membership game over more and more days, for the adversaries of the paper and "
        "for adversaries who know the mechanism. Each day's report costs ε bits. The theory's "
        "guarantees are about the exact adversary, who knows all the other homes.",
        tables={f"beyond/adversaries_repeated_{homes}": {"dataset": homes} for homes in HOMES},
        statistics={"advantage": "advantage"},
        prepare=_single,
        x=Axis("days", "daily reports seen together", at="{} reports", log=True),
        y=Axis("value", "signed advantage 2 P(correct) − 1"),
        line="adversary",
        everywhere=("control",),
        names={**labels_of(membership), **EXACT_LABEL, **HOMES, math.inf: EXACT_MEAN},
        choices=_CHOICES,
        first={"dataset": "london", "n": 8, "epsilon_bits": 2.0, "days": 30},
        says="{adversary}: {value:games} of 100 right after {at} ({low:games} to {high:games}).",
        empty="{adversary}: did not play with this number of known homes.",
    ),
)
