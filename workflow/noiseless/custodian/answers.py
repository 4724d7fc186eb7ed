"""What a custodian is told: one recommendation in plain sentences, and its limits.

Each kind of data has an answer, with what it costs (how wrong data become) beside what it risks:

1. :func:`meters_answer` reads the release off the tables of
   :mod:`noiseless.custodian.recommendation`.
2. :func:`trips_answer` takes the finest grid in which hardly any trip is unique, if places differ.
3. :func:`people_answer` takes the policy that proves the fewest people's side, at the least change.

Where nothing is good enough, an answer says so, and what would help.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from noiseless.figures.labels import in_order, label
from noiseless.mechanisms.labels import MECHANISMS, POLICIES
from noiseless.papers.nsht.quantities import Quantities

Tables = Mapping[str, pd.DataFrame]

# The most trips that may be unique, and that may share their cells with few, in a grid to publish;
# the latter also of people who stay proven.
UNIQUE_SHARE, FEW_SHARE = 0.01, 0.05
_PERIODS = {
    **{1: "daily means", 7: "weekly means", 28: "means of four weeks"},
    91: "means of 13 weeks",
}
_BOTH, _WITH_HOUR = "start and end", "start and end, hour"

_HOMES_GLOSSARY = (
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
_TRIPS_GLOSSARY = (
    ("unique", "No other trip in your file starts in the same cell and ends in the same cell."),
    (
        "k-anonymous",
        "At least k trips in your file share their cells, so that no adversary can tell "
        "them apart. A trip in a group of fewer than 5 is not 5-anonymous.",
    ),
    ("cell", "A rectangle of the grid. Each place is published as the middle of its cell."),
)
_PEOPLE_GLOSSARY = (
    ("policy", "A fixed rule that moves a number a little before it is published."),
    (
        "proven",
        "To an adversary who knows the policy, the published number leaves only one side of the "
        "threshold possible.",
    ),
    ("open", "Both sides of the threshold remain possible."),
)


@dataclass(frozen=True)
class Answer:
    """What the page says first.

    Attributes
    ----------
    headline : str
        The recommendation, or that there is none.
    sentences : list of str
        What it costs and what it risks.
    options : list of (str, list of str)
        Other choices, each with what it costs and risks.
    helps : list of str
        What would help, where nothing is good enough.
    publish, keep, not_promised : list of str
    glossary : sequence of (str, str)
    """

    headline: str
    sentences: list[str]
    options: list[tuple[str, list[str]]] = field(default_factory=list)
    helps: list[str] = field(default_factory=list)
    publish: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)
    not_promised: list[str] = field(default_factory=list)
    glossary: Sequence[tuple[str, str]] = ()


def plain(number: float, digits: int = 3) -> str:
    """A number as people write it: no exponent, ``digits`` significant digits, thousands marked."""
    if not math.isfinite(number):
        return "no number"
    if number == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(number))))
    text = f"{round(number, places):,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def of_100(gain: float) -> str:
    """Games of 100 that are won with a gain."""
    return f"{50 + 50 * min(max(gain, -1), 1):.0f}"


def _percent(share: float) -> str:
    return f"{plain(100 * share, 2)} %"


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
    frontier = _cells(tables["recommendation_frontier"], ["n", "rounding_kwh", "days_per_value"])
    shared = {
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
        "glossary": _HOMES_GLOSSARY,
    }
    if not facts["possible"]:
        return _few_homes(frontier, facts, largest_error_share, shared)
    options = _periods_options(frontier, gain, facts["days"])
    row = _described(tables, frontier)
    if not row["chosen"]:
        return _no_release(row, facts, tables, gain, largest_error_share, options, shared)
    step = f"{plain(row['rounding_kwh'])} kWh" + (" a day" if row["days_per_value"] > 1 else "")
    release = f"{_period(row['days_per_value'])} of at least {row['n']:g} homes, rounded to {step}"
    answer = Answer(
        headline=f"Publish {release}.",
        sentences=[*_risks(row, facts, tables, gain), *_constant(frontier)],
        options=options,
        publish=[
            f"{_period(row['days_per_value']).capitalize()} of groups of {row['n']:g} homes or "
            f"more, each rounded to the nearest multiple of {step}.",
            "The sentence above, with its interval.",
        ],
        **shared,
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


def _risks(row: pd.Series, facts: pd.Series, tables: Tables, gain: float) -> list[str]:
    """What a release costs, what it risks, from whom, and how sure that is."""
    exposed = tables["recommendation_exposed"].set_index("tenth")["value"]
    within = tables["recommendation_splits"]
    within = within[within["statistic"] == "gain_all"]["value"]
    goal = of_100(gain)
    return [
        f"The mean is then wrong by {plain(row['error_kwh'], 2)} kWh a day "
        f"({_percent(row['error_share'])}; at most {_percent(row['error_share_high'])} for as many "
        "other homes)."
        if not np.isnan(row["error_share_high"])
        else f"The mean is then wrong by {plain(row['error_kwh'], 2)} kWh a day "
        f"({_percent(row['error_share'])}).",
        f"From all {row['values']:g} values of {_time(facts['days'])}, the best adversary we know "
        f"names the right home in {of_100(row['gain_all'])} of 100 games "
        f"({_range(row, 'gain_all')}); a coin, in 50. From one value: in "
        f"{of_100(row['gain_one'])} of 100.",
        f"It is certain (95 %) for homes like yours that it stays at most {goal} of 100."
        if facts["certain"]
        else f"That it stays at most {goal} of 100 for other homes is not certain: your homes are "
        "too few, or too different from each other, to say more.",
        f"The tenth of the homes that are easiest to find: in {of_100(exposed.iloc[-1])} of 100; "
        f"the home that is easiest to find: in {of_100(exposed.loc[0])}. An adversary who knows "
        "every other home in the mean identifies the home in "
        f"{of_100(row['insider_all'])} of 100 games.",
        f"The adversary learned from {facts['known_homes']:g} of your homes what homes are like. "
        "An adversary with statistics of more homes names the right one more often.",
        f"We cut your homes in two {len(within) // 2} times, and either half was held back from "
        f"the other: within one half, the right home was named in {of_100(within.min())} to "
        f"{of_100(within.max())} of 100 games.",
    ]


def _cells(table: pd.DataFrame, index: list[str]) -> pd.DataFrame:
    """A row for each cell; of an estimate also ``_low`` and ``_high``."""
    parts = [table.pivot(index=index, columns="statistic", values="value")]
    for end in ("low", "high"):
        parts.append(
            table.pivot(index=index, columns="statistic", values=end).add_suffix(f"_{end}")
        )
    return pd.concat(parts, axis=1).reset_index()


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
        f"{_period(days)} of {_list(sorted(group['n'].unique()))} homes rounded to "
        f"{plain(step)} kWh"
        for (days, step), group in constant.groupby(["days_per_value", "rounding_kwh"])
    ]
    return _never("they are mostly the same number every time", named)


def _never(why: str, named: Sequence[str]) -> list[str]:
    """That constants are not recommended, if there are any."""
    return [f"Never recommended, since {why}: {'; '.join(named)}."] if named else []


def _list(numbers: Sequence[float]) -> str:
    words = [f"{number:g}" for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _periods_options(
    frontier: pd.DataFrame, gain: float, days: float
) -> list[tuple[str, list[str]]]:
    """Of each period and n, the finest useful rounding."""
    options = []
    useful = frontier[frontier["useful"] == 1].sort_values("rounding_kwh")
    for period, group in useful.groupby("days_per_value"):
        finest = group.groupby("n").head(1).sort_values("n")
        lines = [
            f"{row['n']:g} homes, rounded to {plain(row['rounding_kwh'])} kWh: wrong by "
            f"{_percent(row['error_share'])}; {of_100(row['gain_all'])} of 100 games after "
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
    shared: Mapping[str, object],
) -> Answer:
    helps = [
        f"More homes: means of more than {facts['largest_n']:g} homes could not be tried, because "
        "one half of your homes plays and the other half tells what homes are like.",
        "Fewer values: means of longer periods, or publishing for a shorter time.",
    ]
    if not row["useful"]:
        headline = "Nothing that was tried is good enough to be published again and again."
        sentences = [
            f"No rounding that was tried keeps the mean within {_percent(largest_error_share)} of "
            "the truth and still tells one time from another."
        ]
        helps.append("Finer steps of rounding, or a larger error that you can live with.")
    else:
        headline = f"{facts['homes']:g} homes are too few: no mean of them was shown to be safe."
        sentences = [
            f"The safest useful release that was tried is {_period(row['days_per_value'])} of "
            f"{row['n']:g} homes, rounded to {plain(row['rounding_kwh'])} kWh.",
            *_risks(row, facts, tables, gain),
        ]
    mechanisms = tables["recommendation_mechanisms"]
    better = mechanisms[
        (mechanisms["statistic"] == "gain_all")
        & (mechanisms["value"] <= gain)
        & (mechanisms["mechanism"] != "none")
    ]
    helps += [
        f"{label(MECHANISMS, row.mechanism).capitalize()} with the same error: {of_100(row.value)} "
        "of 100 games (in one half of your homes)."
        for row in better.itertuples()
    ]
    return Answer(
        headline=headline,
        sentences=sentences,
        options=options,
        helps=helps,
        publish=["The sentences above, but none of these means."],
        **shared,
    )


def _few_homes(
    frontier: pd.DataFrame,
    facts: pd.Series,
    largest_error_share: float,
    shared: Mapping[str, object],
) -> Answer:
    homes = int(facts["homes"])
    useful = frontier[frontier["useful"] == 1].sort_values(["days_per_value", "rounding_kwh"])
    sentences = [
        f"You have {homes} homes. One half would have to play the games and the other half to tell "
        "what homes are like, and these halves are too small for any mean that was to be tried."
    ]
    for period, group in useful.groupby("days_per_value"):
        row = group.iloc[-1]
        sentences.append(
            f"{_period(period).capitalize()} of {row['n']:g} of your homes, rounded to "
            f"{plain(row['rounding_kwh'])} kWh, are wrong by {_percent(row['error_share'])}. From "
            f"all of them ({row['values']:g} values), a simple adversary names the right home in "
            f"{of_100(row['gain_all'])} of 100 games, and an adversary who knows every other "
            f"home in {of_100(row['insider_all'])}; a coin, in 50."
        )
    if useful.empty:
        sentences.append(
            f"No rounding that was tried keeps the mean within {_percent(largest_error_share)} and "
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
        **shared,
    )


# --- Trips ------------------------------------------------------------------------------------


def trips_answer(tables: Tables) -> Answer:
    """Which grid to publish places of trips on.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        With ``trips_unique`` and ``trips_budget``.
    """
    known, budget = tables["trips_unique"], tables["trips_budget"]
    has_hour = _WITH_HOUR in set(known["known"])
    who = _WITH_HOUR if has_hour else _BOTH
    cells = budget.pivot(index="epsilon_bits", columns="statistic", values="value")
    shares = known.pivot(index=["known", "epsilon_bits"], columns="statistic", values="value")
    few = sorted(
        int(name.removeprefix("portion_below_")) for name in shares if "portion_below" in name
    )
    group = next((k for k in few if k >= 5), few[-1])
    # All trips in one group: every one has the same start and the same end.
    cells["is_constant"] = shares.loc[_BOTH, "groups"].reindex(cells.index) == 1
    table, without_hour = (
        cells.join(shares.loc[each], how="inner").sort_index() for each in (who, _BOTH)
    )
    beside = " and the hour" if has_hour else ""
    shared = {
        "options": [(f"Grids, against an adversary who knows both cells{beside}", [])],
        "keep": [
            "The map of your trips, and the prepared data: they show places as they are.",
            "Names or numbers of vehicles and people beside the trips: two trips of one person "
            "tell far more than one.",
        ],
        "not_promised": [
            "A trip that is not unique may still say much: a cell may hold one clinic.",
            "Shares are counted in your file. In a smaller part of it, more trips are unique.",
            "An adversary may know more than the cells and the hour: the fare, or the next trip.",
        ],
        "glossary": _TRIPS_GLOSSARY,
    }
    different = table.drop_duplicates("levels")
    useful = different[~different["is_constant"]]
    shared["options"][0][1].extend(
        _sentence(f"{_cell_words(row)}: {_shares_words(row, group)}")
        for _, row in useful.iterrows()
    )
    never = _never(
        "every trip then has the same start and the same end",
        [_cell_words(row) for _, row in different[different["is_constant"]].iterrows()],
    )
    row = _finest_grid(table, group)
    no_hour = _finest_grid(without_hour, group) if has_hour else None
    if row is None:
        even = [
            f"Even in {_cell_words(coarsest)}, {_shares_words(coarsest, group)}."
            for _, coarsest in useful.head(1).iterrows()
        ]
        fewer = "" if no_hour is None else f", for which {_cell_words(no_hour)} will do"
        return Answer(
            headline="No grid that was tried makes your trips alike enough and still tells one "
            "place from another.",
            sentences=[*even, *never],
            helps=[
                "More trips." if never else "More trips, or coarser grids (fewer bits).",
                f"Publishing fewer facts of a trip: the start alone, or no hour{fewer}.",
            ],
            publish=["Counts of trips, but no list of them."],
            **shared,
        )
    trips = int(row["trips"])
    sentences = [
        f"A place then moves by {_moves(row)} (root mean square), by "
        f"{_metres(math.hypot(row['cell_height_m'], row['cell_width_m']) / 2)} at most.",
        f"Of {trips:,} trips, against an adversary who knows both cells{beside}: "
        f"{_shares_words(row, group)}.",
    ]
    if has_hour:
        sentences.append(f"Without the hour: {_shares_words(without_hour.loc[row.name], group)}.")
    if no_hour is not None and no_hour["levels"] > row["levels"]:
        sentences.append(f"If you publish no hour, {_cell_words(no_hour)} will do.")
    return Answer(
        headline=f"Publish each place as the middle of {_cell_words(row)}"
        + (", and the start to the hour." if has_hour else ", and no time."),
        sentences=[*sentences, *never],
        publish=[
            "Starts and ends as middles of cells"
            + (", with the hour of the start." if has_hour else ", without a time."),
            "The size of the cells, and the shares above.",
        ],
        **shared,
    )


def _finest_grid(grids: pd.DataFrame, group: int) -> pd.Series | None:
    """The finest grid of those that are enough, as all coarser ones are, and are no constant."""
    enough = grids["portion_below_2"] <= UNIQUE_SHARE
    if group > 2:
        enough &= grids[f"portion_below_{group}"] <= FEW_SHARE
    found = grids[np.logical_and.accumulate(enough.to_numpy()) & ~grids["is_constant"]]
    return None if found.empty else found.iloc[-1]


def _metres(metres: float) -> str:
    return f"{plain(metres / 1000, 2)} km" if metres >= 1000 else f"{plain(metres, 2)} m"


def _cell_words(row: pd.Series) -> str:
    return f"a cell of {_metres(row['cell_height_m'])} by {_metres(row['cell_width_m'])}"


def _moves(row: pd.Series) -> str:
    """Root mean square distance from the middle of a cell, of places spread evenly in it."""
    return _metres(math.hypot(row["cell_height_m"], row["cell_width_m"]) / math.sqrt(12))


def _shares_words(row: pd.Series, group: int) -> str:
    words = f"{_percent(row['portion_below_2'])} of the trips are unique"
    if group > 2:
        anonymous = 1 - row[f"portion_below_{group}"]
        words += f", and {_percent(anonymous)} are {group}-anonymous"
    return words


# --- People -----------------------------------------------------------------------------------


def people_answer(tables: Tables, names: Quantities) -> Answer:
    """Which policy and accuracy to publish a number with.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        With ``blurring_people``.
    names : Quantities
    """
    moved = names.plain(tables["blurring_people"])
    table = moved.pivot_table(index=["policy", "rho"], columns="statistic", values="value")
    table = table.reset_index()
    table["most"] = 1 / table["rho"]
    people, above = table["people"].iloc[0], table["above"].iloc[0]
    order = in_order(POLICIES, table["policy"])
    table["rank"] = table["policy"].map(order.index)
    shared = {
        "keep": [
            _sentence(f"{names.x1} and {names.x2} as they are, and the histograms of them."),
            "A second report of the same people with another accuracy: two reports together may "
            "prove what one leaves open.",
        ],
        "not_promised": [
            f"Only the side of the threshold is hidden: who is far from it, or roughly how large "
            f"{names.x1} is, is not.",
            "It says nothing of what else is known of a person.",
            "Counts are of your people; others may lie otherwise.",
        ],
        "glossary": _PEOPLE_GLOSSARY,
        "options": [
            (
                f"Changed by at most {plain(1 / rho)} {names.x1_unit}",
                [
                    _sentence(
                        f"{_policy_words(row['policy'])}: {_open_words(row, names, above, people)}"
                        f"; mean change {plain(row['mean_change'])} {names.x1_unit}"
                    )
                    for _, row in group.sort_values("rank").iterrows()
                ],
            )
            for rho, group in _few_of(table).groupby("rho", sort=False)
        ],
    }
    # The least proven; of equal ones, the smallest change.
    best = table.sort_values(["above_identifiable", "mean_change", "rank"]).iloc[0]
    proven = best["above_identifiable"]
    if above and proven / above > FEW_SHARE:
        return Answer(
            headline="No policy that was tried hides enough people.",
            sentences=[
                f"At best ({_policy_words(best['policy'])}, {names.x1} changed by at most "
                f"{plain(best['most'])} {names.x1_unit}), {proven:g} of {above:g} {names.above} "
                f"people stay proven."
            ],
            helps=["A larger change (a smaller rho), or a wider public range."],
            publish=["Counts, but no list of people."],
            **shared,
        )
    return Answer(
        headline=f"Publish {names.x1} changed by at most {plain(best['most'])} {names.x1_unit}, "
        f"by the policy “{_policy_words(best['policy'])}”.",
        sentences=[
            _sentence(
                f"{names.x1} is then changed by {plain(best['mean_change'])} {names.x1_unit} on "
                "average."
            ),
            f"{proven:g} of {above:g} {names.above} people stay proven to be so; of all "
            f"{people:g} people, {best['undecided']:g} stay open."
            if "undecided" in best
            else f"{proven:g} of {above:g} {names.above} people stay proven to be so.",
        ],
        publish=[
            f"The changed {names.x1} with {names.x2}, the policy, and by how much at most it "
            "changes.",
        ],
        **shared,
    )


def _sentence(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]


def _policy_words(policy: str) -> str:
    """What a policy does, without symbols."""
    words = {
        "collapse": "all in the band to its end",
        "stretch": "the band stretched over both sides",
        "overlay": "the two sides laid over each other",
        "slices": "thin slices exchanged",
        "normal": "moved along both numbers",
        "round": "stretched and rounded",
    }
    return words.get(policy, label(POLICIES, policy))


def _open_words(row: pd.Series, names: Quantities, above: float, people: float) -> str:
    words = f"{row['above_identifiable']:g} of {above:g} {names.above} people stay proven"
    if "undecided" in row:
        words += f", {row['undecided']:g} of {people:g} stay open"
    return words


def _few_of(table: pd.DataFrame) -> pd.DataFrame:
    """At most five accuracies, spread over those that were tried."""
    rhos = np.sort(table["rho"].unique())
    kept = rhos[np.unique(np.linspace(0, len(rhos) - 1, min(5, len(rhos))).round().astype(int))]
    return table[table["rho"].isin(kept)].sort_values("rho", ascending=False)
