"""How often a recommendation holds for homes that had no part in it.

``coverage_recommendation.py data/prepared/london.parquet`` puts the 490 homes in random order, as
often as ``--orders`` says.  The first 60, 120 and 245 are those of a custodian; the last 245 are
held back.  A row for each order and number of homes goes to ``--into``, and is not measured again;
what was found is printed, as ``docs/measurements/trials.md`` has it.

- ``certain``: whether a release is recommended as certain.  ``held_back``: what the best outsider
  gains from that release (from the safest one where none is certain) in as many homes of those that
  are held back, who are cut in two in the same way.  ``known``: what one gains who has statistics
  of all homes that do not play.
- An interval covers if it holds ``held_back``; a recommendation fails if that is above the goal.
- Advice on fewer homes is laxer than on more of the same homes if it is certain and has fewer homes
  in a mean of a period that is no longer, or a shorter period with no more homes.

Only the finest rounding is tried: it tells the most, and is what is recommended in nearly all cuts.
"""

import argparse
import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from noiseless.custodian.recommendation import Halves, Release, Settings, recommended
from noiseless.games.membership import energy_matrix
from noiseless.papers.beyond.settings import RECOMMENDATION
from noiseless.pipeline.configuration import defaults
from noiseless.seeds import generator
from noiseless.statistics import clopper_pearson

SIZES = (60, 120, 245)
HELD_BACK = 245
KEPT = Path(__file__).parent / "measured" / "coverage.jsonl"
_CUTS = 5  # of the homes that are held back


def measure(energy_wh, settings, order, homes):
    """One row: what is recommended of some homes, and what came of it in others."""
    key = ("coverage", homes)
    numbers = generator(1, "coverage", order).permutation(len(energy_wh))
    mine, others = numbers[:homes], numbers[-HELD_BACK:]
    tried = replace(settings, n=[n for n in settings.n if n < homes // 2])
    halves = Halves.cut(energy_wh[mine], tried, key, order)
    cell = recommended(tried.n, tried.days_per_value, halves.is_certain)
    n, days = cell or (max(tried.n), max(tried.days_per_value))
    release = Release(n, min(tried.rounding_kwh), days)
    said = halves.gain(release)
    fewer = replace(tried, splits=_CUTS)
    like = Halves.cut(energy_wh[others[:homes]], fewer, (*key, "like"), order)
    half = HELD_BACK // 2
    sides = [
        (plays, np.setdiff1d(np.arange(len(energy_wh)), plays))
        for plays in (others[:half], others[half : 2 * half])
    ]
    informed = Halves(energy_wh, replace(tried, draws=30), sides, (*key, "known"), order)
    return {
        **{"order": order, "homes": homes, "certain": cell is not None, "n": n, "days": days},
        **{"found": said.value, "low": said.low, "high": said.high},
        **{"held_back": like.gain(release).value, "known": informed.gain(release).value},
    }


def laxer(fewer: pd.Series, more: pd.Series) -> bool:
    """Whether advice on fewer homes is laxer than that on more."""
    return bool(fewer["certain"]) and (
        (fewer["n"] < more["n"] and fewer["days"] <= more["days"])
        or (fewer["days"] < more["days"] and fewer["n"] <= more["n"])
    )


def report(rows: pd.DataFrame, goal: float) -> str:
    """What was found, as ``docs/measurements/trials.md`` has it: a table, and a sentence."""

    def share(holds: pd.Series) -> str:
        found = clopper_pearson(int(holds.sum()), len(holds), miss=0.05)
        return f"{int(holds.sum())} of {len(holds)} [{found.low:.3f}, {found.high:.3f}]"

    lines: dict[str, list[str]] = {}
    for _, group in rows.groupby("homes"):
        published = group[group["certain"]]
        off = group["held_back"] - group["found"]
        for name, cell in {
            "a release is certain": share(group["certain"]),
            "certain releases above 60 of 100 games, on the homes held back": share(
                published["held_back"] > goal
            ),
            "certain releases above 60, with statistics of all others": share(
                published["known"] > goal
            ),
            "the interval covers the gain on the homes held back": share(
                group["held_back"].between(group["low"], group["high"])
            ),
            "half-width of the interval, median": (
                f"{((group['high'] - group['low']) / 2).median():.3f}"
            ),
            "1.96 standard deviations of gain held back less gain found": f"{1.96 * off.std():.3f}",
        }.items():
            lines.setdefault(name, []).append(cell)
    cells = rows.set_index(["order", "homes"])
    sizes = sorted(rows["homes"].unique())
    for fewer, more in itertools.pairwise(sizes):
        orders = sorted(
            set(cells.xs(fewer, level="homes").index) & set(cells.xs(more, level="homes").index)
        )
        pairs = [laxer(cells.loc[o, fewer], cells.loc[o, more]) for o in orders]
        name = "advice is laxer than with the next larger number of homes"
        lines.setdefault(name, []).append(share(pd.Series(pairs, dtype=bool)))
    table = [("homes of the custodian", [f"{homes}" for homes in sizes]), *lines.items()]
    width = len(sizes)
    text = [f"| {name} | {' | '.join([*row, ''][:width])} |" for name, row in table]
    text.insert(1, "|---" * (1 + width) + "|")
    more = (rows["known"] - rows["held_back"]).groupby(rows["homes"]).mean()
    told = ", ".join(f"{gain:.2f} with {homes} homes" for homes, gain in more.items())
    said = f"The adversary with statistics of all others gains more, on average: {told}."
    return "\n".join([*text, "", said])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("readings", type=Path)
    parser.add_argument("--orders", type=int, default=200)
    parser.add_argument("--homes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--into", type=Path, default=KEPT)
    told = parser.parse_args()
    settings = Settings(**{**defaults(RECOMMENDATION), "rounding_kwh": [0.1]})
    energy = energy_matrix(pd.read_parquet(told.readings), resolution="days")
    done = pd.read_json(told.into, lines=True) if told.into.exists() else pd.DataFrame()
    seen = set(zip(done["order"], done["homes"], strict=True)) if len(done) else set()
    for order in range(told.orders):
        for homes in told.homes:
            if (order, homes) not in seen:
                row = pd.DataFrame([measure(energy, settings, order, homes)])
                row.round(5).to_json(told.into, orient="records", lines=True, mode="a")
    print(report(pd.read_json(told.into, lines=True), settings.gain))


if __name__ == "__main__":
    main()
