"""What a custodian of meters is told: one recommendation in plain sentences, and its limits.

:func:`meters_answer` reads the release off the tables of
:mod:`noiseless.custodian.recommendation`, with what it costs (how wrong data become) beside what it
risks.  Where nothing is good enough, the answer says so, and what would help.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from noiseless.custodian.words import Answer, Tables, cells_of, listing, percent, plain
from noiseless.figures.labels import label
from noiseless.mechanisms.families import mechanism_labels
from noiseless.mechanisms.interface import Identity

_PERIODS = {1: "daily means", 7: "weekly means", 28: "means of four weeks", 91: "means of 13 weeks"}

_GLOSSARY = (
    (
        "a game",
        "Two homes are drawn, and one of them is in the mean. The adversary knows the "
        "readings of both, sees what is published, and names one. A coin is right in 50 of 100.",
    ),
    (
        "the best adversary we know",
        "The one of those we tried that names the right home most often. "
        "It knows how you round, what other homes use on average, and how their days go together.",
    ),
    ("wrong by", "The root mean square of the published mean less the true one."),
    (
        "interval over homes",
        "Where the number lies, with 95 % confidence, for as many other homes like yours.",
    ),
    (
        "certain",
        "The upper end of that interval is within the aim. Releases are tried from the safest on, "
        "and the first that is not certain ends the search, so that no luck is picked.",
    ),
    (
        "the easiest tenth of homes, and the easiest home",
        "Those that are found most often; which they are was decided on other games than those "
        "counted.",
    ),
)
_LIMITS: dict[str, Any] = {
    "keep": [
        "The readings of the homes, and the table of prepared data.",
        "Which homes are in which mean, and any mean of fewer homes.",
        "Two means that differ by one home: their difference is that home.",
    ],
    "not_promised": [
        "A better adversary than those we tried may exist.",
        "It is an average over homes. The homes that are easiest to find are above it.",
        "An adversary who knows the readings of every other home in the mean finds a home much "
        "more often.",
        "It holds for the time that was tried. Each further value tells a little more.",
        "If the homes change from value to value, differences of values tell more.",
    ],
    "glossary": _GLOSSARY,
}


def of_100(gain: float) -> str:
    """Games of 100 that are won with a gain."""
    return f"{50 + 50 * min(max(gain, -1), 1):.0f}"


def _period(days: float) -> str:
    return _PERIODS.get(int(days), f"means of {days:g} days")


def _time(days: float) -> str:
    return "a year" if days >= 360 else f"{days:g} days"


# --- Meters -----------------------------------------------------------------------------------


def meters_answer(tables: Tables, *, gain: float, largest_error_share: float) -> Answer:
    """What to publish of homes.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        With ``recommendation_frontier``, ``_splits``, ``_exposed``, ``_mechanisms`` and ``_facts``.
    gain, largest_error_share
        The limits of the gain and of the error, from the configuration.
    """
    facts = tables["recommendation_facts"].set_index("statistic")["value"]
    frontier = cells_of(tables["recommendation_frontier"], ["n", "rounding_kwh", "days_per_value"])
    if not facts["possible"]:
        return _few_homes(frontier, int(facts["homes"]), largest_error_share)
    options = _periods_options(frontier, gain, facts["days"])
    row = _described(tables, frontier)
    if not row["chosen"]:
        return _no_release(row, facts, tables, gain, largest_error_share, options)
    step = f"{plain(row['rounding_kwh'])} kWh" + (" a day" if row["days_per_value"] > 1 else "")
    release = f"{_period(row['days_per_value'])} of at least {row['n']:g} homes, rounded to {step}"
    answer = Answer(
        headline=f"Publish {release}.",
        points=_points(row, facts, gain),
        sentences=[*_beside(tables), *_constant(frontier)],
        options=options,
        publish=[
            f"{_period(row['days_per_value']).capitalize()} of groups of {row['n']:g} homes or "
            f"more, each rounded to the nearest multiple of {step}. The protected file is the mean "
            "of all your homes.",
            "The sentence above, with its interval.",
        ],
        **_LIMITS,
    )
    if facts["certain"]:
        return answer
    return replace(
        answer,
        headline=f"The best that we found, not shown to be safe: {release}.",
        helps=[
            "More homes: the interval becomes narrower, and means of more homes can be tried.",
            "Fewer values: means of longer periods, or publishing for a shorter time.",
        ],
        publish=["The sentences above; the means only if you accept a risk that is not bounded."],
    )


def _described(tables: Tables, frontier: pd.DataFrame) -> pd.Series:
    """The release that was played in all cuts: what it costs and risks."""
    splits = tables["recommendation_splits"]
    cell = ["n", "rounding_kwh", "days_per_value"]
    (row,) = frontier.merge(splits[cell].drop_duplicates(), on=cell).to_dict("records")
    means = splits.groupby("statistic")["value"].mean()
    return pd.Series({**row, **means[["gain_one", "insider_all"]]})


def _points(row: pd.Series, facts: pd.Series, gain: float) -> list[tuple[str, str]]:
    """What a release costs, what it risks, from whom, and how sure that is."""
    goal = of_100(gain)
    off = plain(row["error_kwh"], 2)
    error = f"The mean is wrong by {off} kWh a day ({percent(row['error_share'])}"
    if not np.isnan(row["error_share_high"]):
        error += f"; at most {percent(row['error_share_high'])} for as many other homes"
    return [
        ("Error", f"{error})."),
        (
            "Risk",
            f"From all {row['values']:g} values of {_time(facts['days'])}, the best adversary we "
            f"know names the right home in {of_100(row['gain_all'])} of 100 games "
            f"({_range(row, 'gain_all')}); a coin, in 50. From one value: in "
            f"{of_100(row['gain_one'])} of 100.",
        ),
        (
            "From whom",
            "An adversary who knows the readings of two homes, one of which is in the mean, and "
            f"learned from {facts['known_homes']:g} of your homes what homes are like. One who "
            f"knows every other home in the mean: {of_100(row['insider_all'])} of 100 games.",
        ),
        (
            "How sure",
            f"It is certain (95 %) for homes like yours that it stays at most {goal} of 100."
            if facts["certain"]
            else f"That it stays at most {goal} of 100 for other homes is not certain: your homes "
            "are too few, or too different from each other, to say more.",
        ),
    ]


def _beside(tables: Tables) -> list[str]:
    """What the risk is of some homes, and within halves of them."""
    exposed = tables["recommendation_exposed"].set_index("tenth")["value"]
    within = tables["recommendation_splits"]
    within = within[within["statistic"] == "gain_all"]["value"]
    return [
        f"The tenth of the homes that are easiest to find: in {of_100(exposed.iloc[-1])} of 100; "
        f"the home that is easiest to find: in {of_100(exposed.loc[0])}."
        if len(exposed)
        else "Which homes are easiest to find is not known: no home was drawn often enough.",
        "An adversary with statistics of more homes names the right one more often.",
        f"We cut your homes in two {len(within) // 2} times, and either half was held back from "
        f"the other: within one half, the right home was named in {of_100(within.min())} to "
        f"{of_100(within.max())} of 100 games.",
    ]


def _range(row: pd.Series, name: str) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if np.isnan(low):
        return "too few homes for an interval"
    # A coin gains 0, so the best adversary gains no less.
    return f"{of_100(max(low, 0))} to {of_100(high)} for as many other homes"


def _constant(frontier: pd.DataFrame) -> list[str]:
    """The releases that say nothing, by name: they are never recommended."""
    constant = frontier[frontier["constant_share"] > 0.5]
    named = [
        f"{_period(days)} of {listing([*map('{:g}'.format, sorted(group['n'].unique()))], 'or')} "
        f"homes rounded to {plain(step)} kWh"
        for (days, step), group in constant.groupby(["days_per_value", "rounding_kwh"])
    ]
    why = "Never recommended, since they are mostly the same number every time"
    return [f"{why}: {'; '.join(named)}."] if named else []


def _periods_options(
    frontier: pd.DataFrame, gain: float, days: float
) -> list[tuple[str, list[str]]]:
    """For each period and n, the finest useful rounding."""
    options = []
    useful = frontier[frontier["useful"] == 1].sort_values("rounding_kwh")
    for period, group in useful.groupby("days_per_value"):
        finest = group.groupby("n").head(1).sort_values("n")
        lines = [
            f"{row['n']:g} homes, rounded to {plain(row['rounding_kwh'])} kWh: wrong by "
            f"{percent(row['error_share'])}; {of_100(row['gain_all'])} of 100 games after "
            f"{_time(days)}" + ("; certain" if row["gain_all_high"] <= gain else "")
            for _, row in finest.iterrows()
        ]
        options.append((_period(period).capitalize(), lines))
    return options


def _no_release(
    row: pd.Series,
    facts: pd.Series,
    tables: Tables,
    gain: float,
    largest_error_share: float,
    options: list[tuple[str, list[str]]],
) -> Answer:
    helps = [
        f"More homes: means of more than {facts['largest_n']:g} homes could not be tried, because "
        "one half of your homes plays and the other half tells what homes are like.",
        "Fewer values: means of longer periods, or publishing for a shorter time.",
    ]
    if not row["useful"]:
        headline = "Nothing that was tried is good enough to be published again and again."
        points = []
        sentences = [
            f"No rounding that was tried keeps the mean within {percent(largest_error_share)} of "
            "the truth and still tells one time from another."
        ]
        helps.append("Finer steps of rounding, or a larger error that you can live with.")
    else:
        headline = f"{facts['homes']:g} homes are too few: no mean of them was shown to be safe."
        sentences = [
            f"The safest useful release that was tried is {_period(row['days_per_value'])} of "
            f"{row['n']:g} homes, rounded to {plain(row['rounding_kwh'])} kWh.",
            *_beside(tables),
        ]
        points = _points(row, facts, gain)
    others = tables["recommendation_mechanisms"]
    others = others[(others["statistic"] == "gain_all") & (others["mechanism"] != Identity.name)]
    helps += [
        f"{label(mechanism_labels(), row.mechanism).capitalize()} with the same error: "
        f"{of_100(row.value)} of 100 games (in one half of your homes)."
        for row in others[others["value"] <= gain].itertuples()
    ]
    return Answer(
        headline=headline,
        points=points,
        sentences=sentences,
        options=options,
        helps=helps,
        publish=["The sentences above, but none of these means."],
        **_LIMITS,
    )


def _few_homes(frontier: pd.DataFrame, homes: int, largest_error_share: float) -> Answer:
    useful = frontier[frontier["useful"] == 1].sort_values(["days_per_value", "rounding_kwh"])
    sentences = [
        f"You have {homes} homes. One half would have to play the games and the other half to tell "
        "what homes are like, and these halves are too small for any mean that was to be tried."
    ]
    for period, group in useful.groupby("days_per_value"):
        row = group.iloc[-1]
        sentences.append(
            f"{_period(period).capitalize()} of {row['n']:g} of your homes, rounded to "
            f"{plain(row['rounding_kwh'])} kWh, are wrong by {percent(row['error_share'])}. From "
            f"all of them ({row['values']:g} values), a simple adversary names the right home in "
            f"{of_100(row['gain_all'])} of 100 games, and an adversary who knows every other "
            f"home in {of_100(row['insider_all'])}; a coin, in 50."
        )
    if useful.empty:
        sentences.append(
            f"No rounding that was tried keeps the mean within {percent(largest_error_share)} and "
            "still tells one time from another."
        )
    return Answer(
        headline=f"{homes} homes are too few for a recommendation.",
        sentences=sentences,
        helps=[
            "More homes: with 10, means of four homes can be tried; with some hundred, means "
            "that hide a home well.",
            "One number for the whole time, such as a yearly mean of all homes, in place of a "
            "series.",
        ],
        publish=["That you have such data; no series of means."],
        **_LIMITS,
    )
