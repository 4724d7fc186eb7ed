"""A table of people: who stands alone in it, and how coarse it must be to be published.

1. :func:`people_tables`: of the file as it is, how many people are like no other, by what is known
   of them; then how coarse each k makes it (:mod:`noiseless.custodian.coarsening`).
2. :func:`unique_after_blurring`: what blurring one number does to this, which is nothing.
3. :func:`people_answer`: what to publish.
4. :func:`protected_people`: the rows to publish.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from noiseless.custodian.coarsening import AS_IT_IS, LEFT_OUT, coarsen, levels_of
from noiseless.custodian.words import Answer, Tables, cells_of, listing, percent, plain, sentence
from noiseless.figures.labels import in_order
from noiseless.mechanisms.blurring import PublicRange, decimal_threshold
from noiseless.mechanisms.policies import blurring_policies, policy_labels
from noiseless.papers.nsht.blurring import coordinate_policies
from noiseless.papers.nsht.quantities import Quantities
from noiseless.tables import tidy
from noiseless.theory.anonymity import class_diversity, class_numbers, class_sizes, unique_share

_OTHER_K = (1, 2, 3, 5, 10, 20)
_MOST_EXCLUDED_SHARE = 0.05
_ALL = "all of them"
_ALONE, _WITHOUT = " alone", "all but "
_MOST_TELLING = 4  # columns
_MOST_NAMED = 3  # columns, in the answer
_UNCHANGED = "unchanged"

_GLOSSARY = (
    ("stands alone", "No other person in your file has the same values in these columns."),
    (
        "k-anonymous",
        "Each row has at least k - 1 others that look the same in these columns. An adversary who "
        "knows them of a person has k rows to choose from.",
    ),
    (
        "l-diverse",
        "Those who look the same have at least l different answers, so that looking the same does "
        "not tell the answer.",
    ),
    (
        "kept",
        "Of a number: the share of its variance that is left between the groups. Of a text: the "
        "share of its entropy. 100 % is the column as it is.",
    ),
)
_LIMITS: dict[str, Any] = {
    "keep": [
        "The file as it is, and every column that is not named here.",
        "A second release of the same people with other steps: two together may leave fewer "
        "alike than each.",
    ],
    "not_promised": [
        "It holds against an adversary who knows these columns and no others. A column that "
        "was not counted as known, and is, makes people stand alone again.",
        "Those who look the same may have similar answers: two different incomes may both be low.",
        "That a person is in the file is not hidden.",
        "The steps were chosen by looking at your file. What this choice tells is not counted.",
    ],
    "glossary": _GLOSSARY,
}


def people_tables(
    people: pd.DataFrame,
    *,
    identifying: Sequence[str],
    sensitive: Sequence[str],
    k: int,
    diversity: int,
) -> dict[str, pd.DataFrame]:
    """Who stands alone, and what makes the table k-anonymous and l-diverse.

    Parameters
    ----------
    people : DataFrame
        Numbers and texts of each person, by the file's names.
    identifying : sequence of str
        The columns that an adversary may know of a person.
    sensitive : sequence of str
        The columns that an adversary may not learn.
    k, diversity : int
        How many people a class has at least, and how many values of each sensitive column.

    Returns
    -------
    dict
        ``risk``: cells (known,), which columns are known: all, all but one, one alone, and the two,
        three, ... that tell most.  Statistics: ``people``, ``unique_share``, ``smallest_class``.

        ``release``: cells (k,), 1 for the file as it is.  Statistics: ``people``, ``excluded``,
        ``classes``, ``smallest_class``, ``kept``, ``unique_share``, ``wanted`` (1 for the k asked
        for).

        ``secrets``: cells (k, column) of sensitive columns.  Statistics: ``smallest_diversity``,
        and ``told_share``, of the released people whose class has one value.

        ``levels``: cells (k, column, released_as).  Statistics: ``kept``, ``error``, in the
        column's unit (0 of a text), ``is_number``, ``groups``.
    """
    release, secrets, levels = [], [], []
    start = None
    for each in sorted({k, *(other for other in _OTHER_K if other < len(people))}, reverse=True):
        found = coarsen(
            people[[*identifying]],
            people[[*sensitive]],
            k=each,
            diversity=1 if each == 1 else diversity,
            most_excluded_share=_MOST_EXCLUDED_SHARE,
            start=start,
        )
        if not found.released.any():
            continue
        start = {name: level.words for name, level in found.levels.items()}
        alike = pd.DataFrame({name: level.groups for name, level in found.levels.items()})
        classes = class_numbers(alike[found.released])
        sizes = class_sizes(classes)
        counted = {"people": len(people), "excluded": int((~found.released).sum())}
        counted |= {"classes": len(np.unique(classes)), "smallest_class": sizes.min()}
        kept = {"kept": found.kept, "unique_share": (sizes == 1).mean(), "wanted": each == k}
        release.append({"k": each, **counted, **kept})
        for name in sensitive:
            answers = class_diversity(classes, people.loc[found.released, name])
            told = {"smallest_diversity": answers.min(), "told_share": (answers == 1).mean()}
            secrets.append({"k": each, "column": name, **told})
        for name, level in found.levels.items():
            is_number = not np.isnan(level.error)
            error = {"error": level.error if is_number else 0.0, "is_number": is_number}
            said = {"released_as": level.words, "kept": level.kept, **error}
            groups = len(np.unique(level.groups))
            levels.append({"k": each, "column": name, **said, "groups": groups})
    columns = ["k", "column", "smallest_diversity", "told_share"]
    return {
        "risk": tidy(pd.DataFrame(_risk_rows(people[[*identifying]])), ["known"]),
        "release": tidy(pd.DataFrame(release).astype(float), ["k"]),
        "secrets": tidy(pd.DataFrame(secrets, columns=columns), ["k", "column"]),
        "levels": tidy(pd.DataFrame(levels), ["k", "column", "released_as"]),
    }


def _risk_rows(known: pd.DataFrame) -> list[dict[str, Any]]:
    names = list(known)
    shares = {name: unique_share(known[[name]]) for name in names}
    asked = {_ALL: names}
    if len(names) > 1:
        asked |= {f"{name}{_ALONE}": [name] for name in names}
    if len(names) > 2:
        asked |= {f"{_WITHOUT}{out}": [name for name in names if name != out] for out in names}
        most = [max(names, key=shares.__getitem__)]
        while len(most) < min(len(names) - 2, _MOST_TELLING):
            rest = [name for name in names if name not in most]
            most.append(max(rest, key=lambda name: unique_share(known[[*most, name]])))
            asked[listing(most)] = list(most)
    rows = []
    for words, columns in asked.items():
        sizes = class_sizes(class_numbers(known[columns]))
        counted = {"unique_share": (sizes == 1).mean(), "smallest_class": sizes.min()}
        rows.append({"known": words, "people": len(known), **counted})
    return rows


def unique_after_blurring(
    pairs: pd.DataFrame,
    *,
    lower: Sequence[float],
    upper: Sequence[float],
    threshold: Sequence[float],
    rho: Sequence[float],
) -> pd.DataFrame:
    """How many pairs stand alone before and after one of the two numbers is blurred.

    Parameters
    ----------
    pairs : DataFrame
        ``x1``, which is blurred, and ``x2``.
    lower, upper, threshold, rho
        See :func:`noiseless.papers.nsht.two_numbers.people_tables`.

    Returns
    -------
    DataFrame
        Cells (policy, rho); ``unchanged`` has the rho inf.  Statistic: ``unique_share``.
    """
    g, box = decimal_threshold(threshold), PublicRange(tuple(lower), tuple(upper))
    records = pairs[["x1", "x2"]].to_numpy(dtype=float)
    rows = [{"policy": _UNCHANGED, "rho": np.inf, "unique_share": unique_share(records)}]
    for (policy, mechanism), each in itertools.product(coordinate_policies().items(), rho):
        # Rounded: two reports that differ in the last bits are no news to an adversary.
        reports = np.round(mechanism(g, box, each).release(records), 9)
        rows.append({"policy": policy, "rho": each, "unique_share": unique_share(reports)})
    return tidy(pd.DataFrame(rows), ["policy", "rho"])


def protected_people(
    people: pd.DataFrame,
    tables: Tables,
    *,
    identifying: Sequence[str],
    sensitive: Sequence[str],
    k: int,
    diversity: int,
) -> pd.DataFrame:
    """The rows to publish, sorted, so that their order tells nothing.

    Parameters
    ----------
    people, identifying, sensitive, k, diversity
        See :func:`people_tables`.
    tables : mapping
        What that returned, with ``people_`` before each name.
    """
    levels = tables["people_levels"]
    chosen = levels[levels["k"] == k].drop_duplicates("column").set_index("column")["released_as"]
    released = {}
    for name, words in chosen.items():
        level = next(each for each in levels_of(people[name]) if each.words == words)
        if words != LEFT_OUT:
            released[name] = level.released
    table = pd.DataFrame(released, index=people.index)
    secrets = people[[*sensitive]]
    classes = class_numbers(table) if released else np.zeros(len(people), dtype=np.int64)
    large = class_sizes(classes) >= k
    for name in sensitive:
        large &= class_diversity(classes, secrets[name]) >= diversity
    both = pd.concat([table, secrets], axis=1)[large]
    return both.sort_values(list(both), key=lambda cells: cells.astype(str), ignore_index=True)


# The answer ---------------------------------------------------------------------------------------


def people_answer(tables: Tables, names: Quantities | None) -> Answer:
    """What to publish of people.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Those of :func:`people_tables`, with ``people_`` before each name; and, where one number is
        blurred, ``blurring_people`` and ``blurring_unique``.
    names : Quantities or None
        What the blurred number and the other one are called.
    """
    releases = cells_of(tables["people_release"], ["k"])
    today = releases.iloc[0]
    people = int(today["people"])
    levels = cells_of(tables["people_levels"], ["k", "column", "released_as"])
    columns = list(dict.fromkeys(tables["people_levels"]["column"]))
    levels = levels.sort_values("column", key=lambda names: names.map(columns.index), kind="stable")
    options = [
        ("Who stands alone in your file, by what is known of a person", _known_lines(tables)),
        ("Fewer or more alike", [_release_words(each, levels) for each in _rows(releases)]),
    ]
    if names is not None:
        options.append(_blurring_option(tables, names))
    alone = (
        f"In the file as it is, {percent(today['unique_share'])} of {people:,} people stand alone."
    )
    against = (
        "From whom",
        f"An adversary who knows {_short(columns)} of a person who is in the file.",
    )
    wanted = releases[releases["wanted"] == 1]
    mine = levels[levels["k"].isin(wanted["k"])]
    kept = mine[mine["released_as"] != LEFT_OUT]
    if kept.empty:
        return Answer(
            headline="Nothing to publish row by row: no coarsening that was tried makes your "
            "people alike and still says something of them.",
            points=[("Risk", alone), against],
            options=options,
            helps=[
                "Fewer columns that count as known, if an adversary cannot know them.",
                "Fewer alike (a smaller k), or more people.",
            ],
            publish=["Counts and means of many people, but no row for each."],
            **_LIMITS,
        )
    row = wanted.iloc[0]
    k, excluded = int(row["k"]), int(row["excluded"])
    left_out = [name for name in columns if name not in set(kept["column"])]
    risk = f"At least {k} rows fit each person"
    secret = list(dict.fromkeys(tables["people_secrets"]["column"]))
    if secret:
        found = cells_of(tables["people_secrets"], ["k", "column"])
        fewest = found[found["k"] == k]["smallest_diversity"].min()
        risk += f", with {fewest:g} or more different values of {listing(secret)}"
    options.insert(
        0, (f"What {k} alike takes from each column", [_level_words(each) for each in _rows(mine)])
    )
    steps = [f"{each['column']} {each['released_as']}" for each in _rows(kept)]
    what = "; ".join(steps[:_MOST_NAMED])
    if len(steps) > _MOST_NAMED:
        what += f"; and {len(steps) - _MOST_NAMED} more, listed below"
    beside = f"; {listing(secret)} as in the file" if secret else ""
    return Answer(
        headline=f"Publish {len(kept)} of {len(columns)} columns by which people may be found, "
        f"made so coarse that at least {k} people look alike.",
        points=[
            ("What", f"{what}{beside}." + (f" Leave out {_short(left_out)}." if left_out else "")),
            ("Error", _error_words(kept, excluded, people)),
            ("Risk", f"{risk}: a guess is right once in {k} times at most. {alone}"),
            against,
            (
                "How sure",
                "Counted in your file, row by row, not estimated. It says nothing of others.",
            ),
        ],
        options=options,
        helps=[f"To keep {left_out[0]}: a page without a column that you need less."]
        if left_out
        else [],
        publish=[
            f"The protected file: {people - excluded:,} people, in another order.",
            f"That each row has {k - 1} or more others alike, and how many people were left out.",
        ],
        **_LIMITS,
    )


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    return table.to_dict("records")


def _short(names: Sequence[str]) -> str:
    """The first names, and how many more."""
    more = len(names) - _MOST_NAMED
    return listing(names if more <= 1 else [*names[:_MOST_NAMED], f"{more} more"])


def _error_words(kept: pd.DataFrame, excluded: int, people: int) -> str:
    errors = [
        f"{each['column']} by {plain(each['error'], 2)}"
        for each in _rows(kept[(kept["is_number"] == 1) & (kept["error"] > 0)])
    ]
    wrong = f"Off by, in root mean square: {_short(errors)}. " if errors else ""
    return (
        f"{wrong}{excluded:,} of {people:,} people ({percent(excluded / people)}) look like too "
        "few others, and are left out."
    )


def _known_lines(tables: Tables) -> list[str]:
    """The risk by all columns, by those that tell most, and by each column and without it."""
    risk = tables["people_risk"]
    risk = risk[risk["statistic"] == "unique_share"]
    alone = dict(zip(risk["known"], map(percent, risk["value"]), strict=True))
    lines = [f"{sentence(_ALL)}: {alone.pop(_ALL)} stand alone"]
    for words in list(alone):
        name = words.removesuffix(_ALONE)
        if name == words and not words.startswith(_WITHOUT):
            lines.append(f"{words}: {alone.pop(words)}")
    for words, share in alone.items():
        name = words.removesuffix(_ALONE)
        if name != words:
            without = alone.get(f"{_WITHOUT}{name}")
            lines.append(f"{words}: {share}" + (f"; all others: {without}" if without else ""))
    return lines


def _level_words(row: Mapping[str, Any]) -> str:
    words = f"{row['column']}: {row['released_as']}, {percent(row['kept'])} kept"
    off = row["is_number"] == 1 and row["error"] > 0 and row["released_as"] != LEFT_OUT
    return words + (f", off by {plain(row['error'], 2)}" if off else "")


def _release_words(row: Mapping[str, Any], levels: pd.DataFrame) -> str:
    k = int(row["k"])
    if k == 1:
        return (
            f"The file as it is: {percent(row['unique_share'])} stand alone, "
            f"{row['smallest_class']:g} alike at least"
        )
    mine = levels[levels["k"] == k]
    out = list(mine[mine["released_as"] == LEFT_OUT]["column"])
    unchanged = list(mine[mine["released_as"] == AS_IT_IS]["column"])
    return (
        f"{k} alike: {percent(row['kept'])} kept on average, {row['excluded']:g} people left out"
        + (f"; without {listing(out)}" if out else "")
        + (f"; {listing(unchanged)} as in the file" if unchanged else "")
    )


# Blurring one number ------------------------------------------------------------------------------


def _blurring_option(tables: Tables, names: Quantities) -> tuple[str, list[str]]:
    """What a policy hides of one number, and what it does not."""
    moved = cells_of(names.plain(tables["blurring_people"]), ["policy", "rho"])
    policies = blurring_policies()
    order = in_order(policy_labels(), moved["policy"])
    moved["rank"] = moved["policy"].map(order.index)
    # The least proven; of equal ones, the smallest change.
    best = moved.sort_values(["above_identifiable", "mean_change", "rank"]).iloc[0]
    unique = cells_of(names.plain(tables["blurring_unique"]), ["policy", "rho"])
    before = unique[unique["policy"] == _UNCHANGED]["unique_share"].iloc[0]
    after = unique[unique["rho"] == best["rho"]].set_index("policy")["unique_share"]
    most = f"{plain(1 / best['rho'])} {names.x1_unit}"
    above = f"{best['above']:g} {names.above} people"
    lines = [
        f"The policy “{policies[best['policy']].words}”, which changes {names.x1} by at most "
        f"{most} and by {plain(best['mean_change'])} {names.x1_unit} on average: "
        f"{best['above_identifiable']:g} of {above} stay proven to be so",
        f"It hides the side of the threshold and nothing else: {plain(100 * before)} % of the "
        f"people stand alone by {names.x1} and {names.x2} before, and after it "
        + ", ".join(f"{plain(100 * after[each])} % ({policies[each].words})" for each in order),
    ]
    same = moved[moved["rho"] == best["rho"]].sort_values("rank")
    lines += [
        sentence(
            f"{policies[row['policy']].words}: {row['above_identifiable']:g} of {above} stay "
            f"proven; mean change {plain(row['mean_change'])} {names.x1_unit}"
        )
        for row in _rows(same)
    ]
    return f"Blurring {names.x1}, so that no person is proven {names.above}", lines


def blur_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those of :func:`unique_after_blurring`, from those of all tables of blurring."""
    chosen = {key: settings[key] for key in ("lower", "upper", "threshold")}
    return {**chosen, "rho": sorted({*settings["rho"], *settings["histogram_rho"]})}
