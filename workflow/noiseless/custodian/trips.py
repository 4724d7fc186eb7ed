"""Which grid places of trips may be published on, without a time or with one.

1. The trips are cut in two, by days where the file has enough of them.  One half finds the grid,
   the other one is held back (:func:`release_table`).
2. A grid is useful if it errs clearly less than one place for all, and is not mostly one report.
3. It is certain if the upper ends of the intervals of the unique trips and of those with few alike
   are low enough, and are so for every coarser grid.
4. :func:`trips_answer`: what to publish.  :func:`protected_trips`: the rows to publish.
"""

import math
from collections.abc import Sequence
from itertools import accumulate
from operator import and_
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from noiseless.custodian.words import Answer, Tables, cells_of, percent, plain, sentence
from noiseless.data.plane import Plane
from noiseless.mechanisms.families.quantizer import Quantizer
from noiseless.papers.noiseless.trips import (
    ENDS,
    HOURS_A_WEEK,
    PERIODS_S,
    levels_per_coordinate,
    periods_of,
    quantizers,
    trip_keys,
)
from noiseless.seeds import generator
from noiseless.statistics import Estimate, rows
from noiseless.theory.anonymity import class_numbers, class_sizes

NO_TIME, WEEK_HOUR, HOUR = "no time", "hour of the week", "hour"
TIMES = (NO_TIME, WEEK_HOUR, HOUR)
# The most trips that may be unique, and that may share their report with fewer than four others.
UNIQUE_SHARE, FEW_SHARE, ALIKE = 0.01, 0.05, 5
_LARGEST_ERROR_SHARE = 0.5  # of the error of one place for all
_MOSTLY = 0.5  # of the trips, which one report may stand for
_BOTH = "start and end"
_GROUPS = 10
_LEAST_DAYS = 4 * _GROUPS
_MOST_SHOWN = 5  # grids
_LEVEL = 0.05 / len(TIMES)  # the custodian may publish with any of the times

_GLOSSARY = (
    (
        "unique",
        "No other trip has the same report: the same cells, and the same time if it is told.",
    ),
    (
        f"{ALIKE} alike",
        f"At least {ALIKE} trips have the same report, so that no adversary can tell them apart.",
    ),
    ("cell", "A rectangle of the grid. Each place is published as the middle of its cell."),
    (
        "held back",
        "Half of the trips, of other days if your file has enough days, had no part in the choice "
        "of the grid. They show what the same grid does to trips it was not chosen for.",
    ),
    (
        "interval",
        "Where the share lies, with 95 % confidence, for as many other trips as half of yours.",
    ),
)
_LIMITS: dict[str, Any] = {
    "keep": [
        "The map of your trips, and the prepared data: they show places as they are.",
        "Names or numbers of vehicles and people beside the trips: two trips of one person "
        "tell far more than one.",
    ],
    "not_promised": [
        "A trip that is not unique may still say much: a cell may hold one clinic.",
        "In a smaller part of your file, more trips are unique.",
        "An adversary may know more than the cells and the time: the fare, or the next trip.",
    ],
    "glossary": _GLOSSARY,
}


def release_table(
    trips: pd.DataFrame,
    *,
    epsilon_bits: Sequence[float],
    dataset: str,
    seed: int,
    **box: tuple[float, float],
) -> pd.DataFrame:
    """What each grid and time cost and risk.

    Parameters
    ----------
    trips : DataFrame
        Prepared trips; without ``pickup_time``, nothing is said of publishing a time.
    epsilon_bits : sequence of float
        Budgets of a place, in bits.
    dataset : str
        Name, a coordinate of the random streams.
    seed : int
    **box
        ``latitude_range_deg`` and ``longitude_range_deg``, the public box.

    Returns
    -------
    DataFrame
        Cells (time, levels), each number of bins once.  Statistics: ``trips``; ``unique_share`` and
        ``few_share``, of the trips in classes of one and of fewer than five, on the half that finds
        the grid, with intervals for as many other trips; ``held_unique_share`` and
        ``held_few_share`` of the other half, ``all_unique_share`` and ``all_few_share`` of all;
        ``error_m``, root mean square distance of a place from the middle of its cell;
        ``constant_error_m``, of places from their mean; ``most_common_share``, of the commonest
        report; ``useful``; ``certain``; ``chosen``, the grid of this time to publish.
    """
    groups, over = _groups(trips, generator(seed, dataset, "trips", "halves"))
    plane = Plane(**box)
    places = plane.places_m(trips).reshape(-1, 2)
    constant_m = _root_mean_square(places - places.mean(axis=0))
    by_levels = {levels_per_coordinate(bits): bits for bits in sorted(epsilon_bits, reverse=True)}
    grids = []
    for levels, bits in sorted(by_levels.items()):
        report = np.unique(trip_keys(trips, bits, **box), return_inverse=True)[1]
        common = float(np.bincount(report).max() / len(report))
        error_m = _root_mean_square(places - _middles(places, levels, plane))
        useful = error_m <= _LARGEST_ERROR_SHARE * constant_m and common <= _MOSTLY
        cost = {"error_m": error_m, "constant_error_m": constant_m, "most_common_share": common}
        grids.append((levels, report, {"trips": len(trips), **cost, "useful": useful}))
    table = []
    for time, moment in _moments(trips).items():
        cells = [
            {**cost, **_risk(class_numbers(np.column_stack([report, moment])), groups, over)}
            for _, report, cost in grids
        ]
        certain = _low_enough(cells, "high")
        chosen = _finest(cells, certain) or _finest(cells, _low_enough(cells, "value"))
        for (levels, _, _), cell, is_certain in zip(grids, cells, certain, strict=True):
            flags = {"certain": is_certain, "chosen": cell is chosen}
            table += rows({"time": time, "levels": levels}, **cell, **flags)
    return pd.DataFrame(table)


def _risk(classes: NDArray[np.int64], groups: NDArray[np.int64], over: str) -> dict[str, Any]:
    found = groups >= 0
    finding = (classes[found], groups[found], over)
    return {
        "unique_share": _estimate(*finding, 2),
        "few_share": _estimate(*finding, ALIKE),
        **_shares(classes[~found], "held_"),
        **_shares(classes, "all_"),
    }


def _low_enough(cells: Sequence[dict[str, Any]], end: str) -> list[bool]:
    """Whether an end of both shares, or their value, is low enough, in all coarser grids too."""
    limits = {"unique_share": UNIQUE_SHARE, "few_share": FEW_SHARE}
    alone = (all(getattr(cell[name], end) <= limits[name] for name in limits) for cell in cells)
    return list(accumulate(alone, and_))


def _finest(cells: Sequence[dict[str, Any]], safe: Sequence[bool]) -> dict[str, Any] | None:
    """The finest useful grid of those that are safe, which come from the coarsest on."""
    found = [cell for cell, is_safe in zip(cells, safe, strict=True) if cell["useful"] and is_safe]
    return found[-1] if found else None


def _groups(trips: pd.DataFrame, rng: np.random.Generator) -> tuple[NDArray[np.int64], str]:
    """Group of each trip in the half that finds, 0 to 9, or -1 in the other one; and of what."""
    units, over = np.arange(len(trips)), "trips"
    if "pickup_time" in trips:
        days = periods_of(trips, PERIODS_S["day"])
        if len(np.unique(days)) >= _LEAST_DAYS:
            units, over = np.unique(days, return_inverse=True)[1], "days"
    count = int(units.max()) + 1
    order = rng.permutation(count)
    groups = np.full(count, -1)
    finding = order[: (count + 1) // 2]
    groups[finding] = np.arange(len(finding)) % _GROUPS
    return groups[units], over


def _moments(trips: pd.DataFrame) -> dict[str, NDArray[np.int64]]:
    """By what is told of the time: its number."""
    moments = {NO_TIME: np.zeros(len(trips), dtype=np.int64)}
    if "pickup_time" in trips:
        hour = periods_of(trips, PERIODS_S["hour"])
        moments |= {WEEK_HOUR: hour % HOURS_A_WEEK, HOUR: hour}
    return moments


def _shares(classes: NDArray[np.int64], prefix: str) -> dict[str, float]:
    if not len(classes):
        return {f"{prefix}unique_share": math.nan, f"{prefix}few_share": math.nan}
    sizes = class_sizes(classes)
    shares = {"unique_share": (sizes < 2).mean(), "few_share": (sizes < ALIKE).mean()}
    return {f"{prefix}{name}": float(share) for name, share in shares.items()}


def _estimate(classes: NDArray[np.int64], groups: NDArray[np.int64], over: str, k: int) -> Estimate:
    """Share of trips in classes below k, and its interval by a jackknife over the groups.

    As many other trips vary as much as these, so that the variance of the difference is twice as
    large.
    """
    numbers = np.unique(classes, return_inverse=True)[1]
    counts = np.bincount(numbers * _GROUPS + groups, minlength=(numbers.max() + 1) * _GROUPS)
    counts = counts.reshape(-1, _GROUPS)
    whole = counts.sum(axis=1, keepdims=True)
    left = whole - counts
    value = float(whole[whole < k].sum() / whole.sum())
    if (counts.sum(axis=0) == 0).any() or (left.sum(axis=0) == 0).any():
        return Estimate(value, math.nan, math.nan, over)
    without = np.where(left < k, left, 0).sum(axis=0) / left.sum(axis=0)
    variance = (_GROUPS - 1) / _GROUPS * ((without - without.mean()) ** 2).sum()
    width = stats.t.ppf(1 - _LEVEL / 2, _GROUPS - 1) * math.sqrt(2 * variance)
    return Estimate(value, max(0.0, value - width), min(1.0, value + width), over)


def _middles(places: NDArray[np.float64], levels: int, plane: Plane) -> NDArray[np.float64]:
    """Middle of the cell of each place, in metres."""
    sides = zip(places.T, plane.size_m, strict=True)
    return np.column_stack(
        [Quantizer(0, side, levels).release(np.clip(each, 0, side)) for each, side in sides]
    )


def _root_mean_square(vectors: NDArray[np.float64]) -> float:
    return float(np.sqrt((vectors**2).sum(axis=1).mean()))


def protected_trips(
    trips: pd.DataFrame, levels: int, time: str, **box: Sequence[float]
) -> pd.DataFrame:
    """The rows to publish, sorted: middles of cells, and the time; none with few alike.

    Parameters
    ----------
    trips : DataFrame
        Prepared trips.
    levels : int
        Bins of each coordinate.
    time : str
        One of :data:`TIMES`.
    """
    axes = dict(zip(("latitude", "longitude"), quantizers(levels, **box), strict=True))
    released = {
        f"{end}_{axis}": axes[axis].release(trips[f"{end}_{axis}"].to_numpy(float)).round(6)
        for end in ENDS[_BOTH]
        for axis in axes
    }
    if time != NO_TIME:
        written = "%A %H:00" if time == WEEK_HOUR else "%Y-%m-%dT%H:00"
        released["pickup_time"] = pd.to_datetime(trips["pickup_time"]).dt.strftime(written)
    table = pd.DataFrame(released)
    alike = class_sizes(class_numbers(table)) >= ALIKE
    return table[alike].sort_values(list(table), ignore_index=True)


# The answer ---------------------------------------------------------------------------------------


def trips_answer(tables: Tables, publish_time: str = NO_TIME) -> Answer:
    """Which grid to publish places of trips on.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        With ``trips_release`` and ``trips_budget``.
    publish_time : str
        What the protected file tells of the time, one of :data:`TIMES`.
    """
    budget = cells_of(tables["trips_budget"], ["epsilon_bits"]).drop_duplicates("levels")
    sizes = budget[["levels", "cell_height_m", "cell_width_m"]]
    grids = cells_of(tables["trips_release"], ["time", "levels"]).merge(sizes, on="levels")
    times = [time for time in TIMES if time in set(grids["time"])]
    best = {time: _best(grids, time) for time in times}
    mine = grids[grids["time"] == publish_time].sort_values("levels")
    options = []
    for time in times:
        useful = grids[(grids["time"] == time) & (grids["useful"] == 1)].head(_MOST_SHOWN)
        title = f"Grids for places, published with {_told(time)}"
        options.append((title, [_grid_words(row) for _, row in useful.iterrows()]))
    constant = [_cell(row) for _, row in mine[mine["useful"] == 0].iterrows()]
    why = "Never recommended: one place for all trips would do nearly as well, or most are the same"
    options.append((why, [sentence(each) for each in constant]))
    shared = {"options": [(title, lines) for title, lines in options if lines], **_LIMITS}
    others = [_other_words(time, best[time]) for time in times if time != publish_time]
    row = best.get(publish_time)
    if row is None:
        finest = mine[mine["useful"] == 1].head(1)
        risk = [
            f"Even in {_cell(each)}, {percent(each['unique_share'])} of half of your trips are "
            f"unique, and {percent(each['few_share'])} have fewer than {ALIKE - 1} others alike. "
            f"The aim is {percent(UNIQUE_SHARE)} and {percent(FEW_SHARE)} at most."
            for _, each in finest.iterrows()
        ]
        return Answer(
            headline="Nothing to publish: no grid that was tried makes your trips alike enough and "
            "still tells one place from another.",
            points=[("Risk", " ".join(risk) or "Every grid that was tried says nothing.")]
            + [("Other times", " ".join(others))] * bool(others),
            helps=["More trips.", "The start alone, or fewer facts of each trip."],
            publish=["Counts of trips, but no list of them."],
            **shared,
        )
    release = f"each place as the middle of {_cell(row)}, and {_told(publish_time)}"
    held = row["held_unique_share"] <= UNIQUE_SHARE and row["held_few_share"] <= FEW_SHARE
    is_safe = bool(row["certain"]) and held
    known = "both cells" + ("" if publish_time == NO_TIME else f" and the {publish_time}")
    return Answer(
        headline=f"Publish {release}."
        if is_safe
        else f"The best that we found, not shown to be safe: {release}.",
        points=[
            (
                "Error",
                f"A place moves by {_metres(row['error_m'])} (root mean square), by "
                f"{_metres(math.hypot(row['cell_height_m'], row['cell_width_m']) / 2)} at most. "
                f"The protected file leaves out the {percent(row['all_few_share'])} of your trips "
                f"that have fewer than {ALIKE - 1} others alike.",
            ),
            (
                "Risk",
                f"Of your {row['trips']:,.0f} trips, {percent(row['all_unique_share'])} are unique "
                "before that. Of half as many other trips on this grid, "
                f"{percent(row['unique_share'])} ({_interval(row, 'unique_share')}) would be; of "
                f"the half that was held back, {percent(row['held_unique_share'])} are.",
            ),
            ("From whom", f"An adversary who knows {known} of a trip, and nothing else of it."),
            ("How sure", _sure_words(row, held=held)),
            *([("Other times", " ".join(others))] if others else []),
        ],
        helps=[] if is_safe else ["More trips, or a coarser grid."],
        publish=[
            "The protected file: starts and ends as middles of cells, in another order, with "
            f"{_told(publish_time)}.",
            "The size of the cells, and the shares above.",
        ],
        **shared,
    )


def _best(grids: pd.DataFrame, time: str) -> pd.Series | None:
    chosen = grids[(grids["time"] == time) & (grids["chosen"] == 1)]
    return None if chosen.empty else chosen.iloc[0]


def _told(time: str) -> str:
    return NO_TIME if time == NO_TIME else f"the {time}"


def _sure_words(row: pd.Series, *, held: bool) -> str:
    limits = (
        f"at most {percent(UNIQUE_SHARE)} unique, and at most {percent(FEW_SHARE)} with fewer than "
        f"{ALIKE - 1} others alike"
    )
    if row["certain"] and held:
        return f"Certain (95 %) for other trips like yours: {limits}. It held on the other half."
    if row["certain"]:
        return f"By its interval it is certain ({limits}), but on the other half it did not hold."
    return f"Not certain for other trips like yours that it stays {limits}: your trips are too few."


def _interval(row: pd.Series, name: str) -> str:
    if math.isnan(row[f"{name}_low"]):
        return "too few for an interval"
    return f"{percent(row[f'{name}_low'])} to {percent(row[f'{name}_high'])}"


def _other_words(time: str, row: pd.Series | None) -> str:
    told = sentence(f"with {_told(time)}")
    if row is None:
        return f"{told}: nothing that still tells one place from another."
    sure = "" if row["certain"] else ", not shown to be safe"
    return f"{told}: {_cell(row)}{sure}."


def _grid_words(row: pd.Series) -> str:
    return sentence(
        f"{_cell(row)}: {percent(row['all_unique_share'])} unique, {percent(row['all_few_share'])} "
        f"with fewer than {ALIKE - 1} others alike, a place moves by {_metres(row['error_m'])}"
        + ("; certain" if row["certain"] else "")
    )


def _metres(metres: float) -> str:
    return f"{plain(metres / 1000, 2)} km" if metres >= 1000 else f"{plain(metres, 2)} m"


def _cell(row: pd.Series) -> str:
    return f"a cell of {_metres(row['cell_height_m'])} by {_metres(row['cell_width_m'])}"
