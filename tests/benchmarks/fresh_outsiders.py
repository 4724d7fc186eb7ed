"""Whether another adversary gains more from rounded means than the outsider ``normal`` does.

``fresh_outsiders.py data/prepared/london.parquet`` plays the membership game of
:mod:`noiseless.papers.beyond.informed` between the homes of either half, with a year of daily
means; the other half tells what homes are like.  All adversaries meet the same games.

- ``boosted``: gradient boosting on the features of ``learned`` and on the ratio of ``normal``, both
  from games within the half that tells, half of which tells ``normal`` what homes are like.
- ``neighbours``: 300 sums of n - 1 homes of the half that tells, with either candidate added, are
  published; the candidate is preferred whose ten nearest ones are nearer to what was published.
- ``particles``: the same sums, each with what a reading has of its own, spread normally: the
  likelihood of the cells is the mean of theirs.
- ``factors``: ``normal`` with a covariance of a few factors alone.
- ``set``, of few homes: it knows the readings of all homes that may be in the mean, not who is, and
  counts the sets of others that would give what was published.  It is no outsider.

A row says what ``normal`` gains and by how much more each of the others does, with 95 % intervals
over games.  Rows are kept in ``--into``, and what was found is printed.
"""

import argparse
import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import logsumexp, ndtr
from sklearn.ensemble import HistGradientBoostingClassifier

from noiseless.adversaries.inputs.membership import RawSeries
from noiseless.adversaries.membership.learned import LogisticRegressionAdversary
from noiseless.adversaries.normal_homes import NormalHomeModel, PublishedSum
from noiseless.games.membership import (
    WH_PER_KWH,
    build_energy_matrix,
    compute_public_maximum_wh,
    draw_games,
)
from noiseless.games.releases import QuantizedMeanRelease
from noiseless.papers.beyond.informed import draw_half_games, split_homes
from noiseless.seeds import make_generator
from noiseless.statistics import estimate_paired_mean

SUMS, NEAREST, LESSONS = 300, 10, 4000
KEPT = Path(__file__).parent / "measured" / "fresh_outsiders.jsonl"


def draw(energy_wh, games, release):
    """Readings of candidates (G, 2, T), and published steps (G, T), of some games."""
    x = energy_wh[games.candidates]
    total = energy_wh[games.others].sum(axis=1) + x[np.arange(len(x)), games.member]
    return x, release.publish_totals(total).k


def normal(tells, release, x, k):
    """The ratios of the outsider."""
    seen = PublishedSum(
        NormalHomeModel.estimate(tells), release.n - 1, cell_wh=release.n * release.step_wh
    )
    return seen.compute_game_ratios(release.n * (release.offset_wh + release.step_wh * k), x)


def factors(tells, release, x, k):
    """The same, with the covariance of :attr:`NormalHomeModel.factors`."""
    population = NormalHomeModel.estimate(tells)
    few = population.factors
    covariance = few.loadings @ few.loadings.T + np.diag(few.own)
    seen = PublishedSum(
        replace(population, covariance_wh2=covariance),
        release.n - 1,
        cell_wh=release.n * release.step_wh,
    )
    return seen.compute_game_ratios(release.n * (release.offset_wh + release.step_wh * k), x)


def features(tells, release, x, k):
    """What ``learned`` looks at, and the ratios of ``normal``."""
    learned = LogisticRegressionAdversary()
    homes = tells / WH_PER_KWH
    learned._mean = homes.mean(axis=0)
    learned._variance = homes.var(axis=0, ddof=1) + 1e-9
    published = (release.offset_wh + release.step_wh * k) / WH_PER_KWH
    found = learned.compute_features(RawSeries(published, x / WH_PER_KWH, release.n))
    return np.column_stack([found, normal(tells, release, x, k)])


def boosted(tells, release, x, k, rng):
    """Gradient boosting, of both orders of the candidates."""
    lessons, answers = [], []
    parts = np.array_split(rng.permutation(len(tells)), 2)
    for one, other in (parts, parts[::-1]):
        n = min(release.n, len(other) - 1)  # of fewer homes, if there are no more
        games = draw_games(rng, homes=len(other), n=n, games=LESSONS // 2)
        some = replace(release, n=n)
        lessons.append(features(tells[one], some, *draw(tells[other], games, some)))
        answers.append(games.member)
    lessons, answers = np.concatenate(lessons), np.concatenate(answers)
    scale = lessons.std(axis=0) + 1e-12
    model = HistGradientBoostingClassifier(max_iter=150, learning_rate=0.05, random_state=1)
    model.fit(np.concatenate([lessons, -lessons]) / scale, np.concatenate([answers, 1 - answers]))
    mine = features(tells, release, x, k) / scale
    return model.predict_proba(-mine)[:, 1] - model.predict_proba(mine)[:, 1]


def simulated(tells, release, x, k, rng):
    """Preferences of ``neighbours`` and of ``particles``."""
    drawn = np.array([rng.permutation(len(tells))[: release.n - 1] for _ in range(SUMS)])
    sums = tells[drawn].sum(axis=1)
    own = (release.n - 1) * NormalHomeModel.estimate(tells).factors.own
    cell = release.n * release.step_wh
    near, likely = np.empty((2, len(x), 2))
    for g in range(len(x)):
        for c in range(2):
            total = sums + x[g, c]
            away = ((release.publish_totals(total).k - k[g]) ** 2).sum(axis=1)
            near[g, c] = -np.sort(away)[:NEAREST].mean()
            low = (cell * k[g] - total) / np.sqrt(own)
            likelihood = np.maximum(ndtr(low + cell / np.sqrt(own)) - ndtr(low), 1e-9)
            likely[g, c] = logsumexp(np.log(likelihood).sum(axis=1))
    return near[:, 0] - near[:, 1], likely[:, 0] - likely[:, 1]


def of_sets(energy_wh, half, games, release, x, k):
    """Numbers of sets of others that would give what was published, candidate 0 less 1."""
    found = np.zeros((len(x), 2))
    for g in range(len(x)):
        rest = np.setdiff1d(half, games.candidates[g])
        every = rest[np.array(list(itertools.combinations(range(len(rest)), release.n - 1)))]
        for c in range(2):
            left = every
            for t in range(x.shape[2]):
                total = energy_wh[left, t].sum(axis=1) + x[g, c, t]
                left = left[release.publish_totals(total).k == k[g, t]]
                if not len(left):
                    break
            found[g, c] = len(left)
    return found[:, 0] - found[:, 1]


def row(energy_wh, n, levels, games, days, few):
    """What every adversary gains from one release."""
    maximum = compute_public_maximum_wh(90)
    release = QuantizedMeanRelease(n, maximum, levels)
    key = {"dataset": "london", "seed": 2}
    halves = split_homes(len(energy_wh), **key)
    drawn = draw_half_games(halves, n=n, games=games, **key)
    clipped = np.minimum(energy_wh[:, :days], maximum)
    won = {}
    for side, half in enumerate(halves):
        some = drawn[np.isin(drawn.candidates[:, 0], half)]
        tells = clipped[halves[1 - side]]
        x, k = draw(clipped, some, release)
        rng = make_generator(2, "fresh", n, levels, days, side)
        preferences = {"normal": normal(tells, release, x, k)}
        if few:
            preferences["set"] = of_sets(clipped, half, some, release, x, k)
        else:
            preferences["factors"] = factors(tells, release, x, k)
            preferences["boosted"] = boosted(tells, release, x, k, rng)
            both = simulated(tells, release, x, k, rng)
            preferences["neighbours"], preferences["particles"] = both
        for name, preference in preferences.items():
            right = np.sign(preference) * (1 - 2 * some.member)
            won.setdefault(name, []).append(right)
    won = {name: np.concatenate(parts) for name, parts in won.items()}
    cell = {"days": days, "n": n, "levels": levels, "games": games}
    yield {**cell, "adversary": "normal", **rows_of_one(estimate_paired_mean(won["normal"]))}
    for name in list(won)[1:]:
        yield {
            **cell,
            "adversary": name,
            **rows_of_one(estimate_paired_mean(won[name] - won["normal"])),
        }


def rows_of_one(found):
    """A value and its interval, to three digits."""
    return {each: round(getattr(found, each), 3) for each in ("value", "low", "high")}


def report(rows):
    """What was found: a table for outsiders, and one for who knows the set of homes."""
    text = []
    for _, group in rows.groupby("days", sort=False):
        others = [name for name in group["adversary"].unique() if name != "normal"]
        text += ["", f"| n | levels | games | `normal` | {' | '.join(f'`{o}`' for o in others)} |"]
        text.append("|---" * (4 + len(others)) + "|")
        for (n, levels, games), cell in group.groupby(["n", "levels", "games"], sort=False):
            found = cell.set_index("adversary")
            line = [f"{n}", f"{levels}", f"{games}", f"{found.loc['normal', 'value']:.3f}"]
            for name in others:
                value, low, high = found.loc[name, ["value", "low", "high"]]
                line.append(f"{value:+.3f} [{low:+.3f}, {high:+.3f}]")
            text.append(f"| {' | '.join(line)} |")
    return "\n".join(text[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("readings", type=Path)
    parser.add_argument("--into", type=Path, default=KEPT)
    settings = parser.parse_args()
    energy_wh = build_energy_matrix(pd.read_parquet(settings.readings), resolution="days")
    cases = [(n, q, 1000, 365, False) for n in (4, 16, 64, 128) for q in (8, 32, 128)]
    cases += [(n, q, 200 if n < 4 else 20, 30, True) for n in (2, 3, 4) for q in (8, 32)]
    rows = [found for case in cases for found in row(energy_wh, *case)]
    pd.DataFrame(rows).to_json(settings.into, orient="records", lines=True)
    print(report(pd.read_json(settings.into, lines=True)))


if __name__ == "__main__":
    main()
