"""Published attacks on aggregates, in the games of this project's adversaries.

``play_published.py [data/prepared/london.parquet]`` plays the membership game between the homes of
either half, with a year of daily means, on a synthetic sample and on the prepared homes that are
named.  The other half tells the adversaries what homes are like.  All adversaries meet the same
games, releases and coins (:mod:`published_attacks` names the attacks, and how they differ from the
papers).

In the *control*, the mean of another group, without either candidate, is published in place of the
mean: no adversary can then do better than a coin.  Rows are kept in
``measured/published_attacks.json``.
"""

import argparse
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from published_attacks import ATTACKS
from record import keep
from threadpoolctl import threadpool_limits

from noiseless.adversaries.inputs.membership import choose_candidates
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Ints
from noiseless.data.london import read_london
from noiseless.data.samples.london import write_london
from noiseless.games.membership import (
    Batch,
    Games,
    PublishedSeries,
    build_energy_matrix,
    collect_preferences,
    compute_public_maximum_wh,
    draw_games,
    fit,
    iterate_batches,
    load_membership_adversaries,
    sum_members_wh,
)
from noiseless.games.releases import QuantizedMeanRelease
from noiseless.papers.beyond.informed import split_homes
from noiseless.seeds import make_generator
from noiseless.statistics import CONFIDENCE, estimate_proportion

PART = "published_attacks"
SEED, SAMPLE_BLOCKS, SAMPLE = 1, 8, "sample"
GAMES = 400
SIZES, LEVELS = (2, 4, 16, 64), (None, 32)
PUBLIC_RANGE_KWH = 90
RELEASED, CONTROL = "released", "control"


@dataclass(frozen=True)
class OtherGroupRelease:
    """Release of the mean of another group than the one that is played for.

    Attributes
    ----------
    release : QuantizedMeanRelease
    groups : ndarray of int, shape (G, n)
        The homes whose mean is published in each game.
    """

    release: QuantizedMeanRelease
    groups: Ints

    @property
    def n(self) -> int:
        return self.release.n

    @property
    def published_as(self) -> Mapping[str, float]:
        return self.release.published_as

    def publish_batch(self, batch: Batch) -> PublishedSeries:
        some = self.groups[batch.first_game : batch.first_game + len(batch.games.member)]
        totals = sum_members_wh(batch.homes.readings_wh, some, self.release.maximum_wh)
        return self.release.publish_totals(totals)


def draw_other_groups(rng: np.random.Generator, homes: int, games: Games) -> Ints:
    """Draw n homes for each game, neither of whose candidates is among them."""
    n = 1 + games.others.shape[1]
    drawn = [rng.permutation(np.setdiff1d(np.arange(homes), c))[:n] for c in games.candidates]
    return np.array(drawn)


@dataclass(frozen=True)
class Outcome:
    """What an adversary did: which games it won, and the processor time that it took.

    ``won`` has the released means and the control; the time is that of learning and of the games
    of the released means, with all that is seen.
    """

    won: Mapping[str, np.ndarray]
    seconds: float


def play_attack(
    adversary: type[Adversary],
    energy_wh: Ints,
    games: Games,
    release: QuantizedMeanRelease,
    *,
    known: tuple[Ints, Games],
    groups: Ints,
    coin: Ints,
) -> Outcome:
    """Play games against one adversary, and as many with the means of other groups.

    Parameters
    ----------
    energy_wh : ndarray of int, shape (homes, T)
        Readings of the homes that play.
    known : tuple of (ndarray of int, Games)
        Readings of homes to learn from, and games between them.
    groups : ndarray of int, shape (G, n)
        See :class:`OtherGroupRelease`.
    coin : ndarray of int, shape (G,)
        Decides where the adversary has no preference.
    """

    def iterate(energy, some):
        return iterate_batches(energy, some, with_series=adversary.sees_series)

    published = {RELEASED: release, CONTROL: OtherGroupRelease(release, groups)}
    won, seconds = {}, None
    with threadpool_limits(1):  # else threads that wait count as processor time
        start = time.process_time()
        fitted = fit([adversary], release, known[0], list(iterate(*known)))
        for name, each in published.items():
            [preferences] = collect_preferences([fitted], [each], iterate(energy_wh, games))
            won[name] = choose_candidates(preferences[adversary.name], coin) == games.member
            seconds = time.process_time() - start if seconds is None else seconds
    return Outcome(won, seconds)


def play_cell(
    adversaries: list[type[Adversary]],
    energy_wh: Ints,
    *,
    dataset: str,
    n: int,
    levels: int | None,
    games: int,
) -> dict[str, Outcome]:
    """Play the games of one n and release, half of them between the homes of either half."""
    public_wh = compute_public_maximum_wh(PUBLIC_RANGE_KWH)
    maximum = public_wh if levels else max(public_wh, int(energy_wh.max()))
    release = QuantizedMeanRelease(n, maximum, levels)
    halves = split_homes(len(energy_wh), dataset=dataset, seed=SEED)
    parts: dict[str, list[Outcome]] = {each.name: [] for each in adversaries}
    for side, half in enumerate(halves):
        # Equal for all releases.
        rng = make_generator(SEED, PART, dataset, n, side)
        other = halves[1 - side]
        played = draw_games(rng, homes=len(half), n=n, games=games // 2)
        lessons = draw_games(rng, homes=len(other), n=n, games=games)
        groups = draw_other_groups(rng, len(half), played)
        coin = rng.integers(0, 2, len(played.member))
        for adversary in adversaries:
            outcome = play_attack(
                adversary,
                energy_wh[half],
                played,
                release,
                known=(energy_wh[other], lessons),
                groups=groups,
                coin=coin,
            )
            parts[adversary.name].append(outcome)
    return {
        name: Outcome(
            {kind: np.concatenate([each.won[kind] for each in some]) for kind in some[0].won},
            sum(each.seconds for each in some),
        )
        for name, some in parts.items()
    }


def estimate_accuracy(won: np.ndarray, confidence: float = CONFIDENCE) -> dict[str, float]:
    """Estimate the share of games won, with an interval over games."""
    found = estimate_proportion(int(won.sum()), len(won), confidence=confidence)
    return {name: round(getattr(found, name), 4) for name in ("value", "low", "high")}


def build_sample(folder: Path) -> pd.DataFrame:
    """Build synthetic homes, in the form of London's."""
    write_london(folder / "households.csv", blocks=SAMPLE_BLOCKS, seed=SEED)
    blocks = {path.stem: path for path in sorted((folder / "daily_dataset").iterdir())}
    return read_london(households=folder / "households.csv", year=2013, tariff="Std", **blocks)


def measure(dataset: str, readings: pd.DataFrame, games: int) -> list[dict]:
    """Measure every adversary in every cell."""
    energy_wh = build_energy_matrix(readings, resolution="days")
    adversaries = [*load_membership_adversaries(trained=True), *ATTACKS]
    play_cell(adversaries, energy_wh, dataset=dataset, n=2, levels=32, games=4)  # compiles
    rows = []
    for levels in LEVELS:
        for n in SIZES:
            cell = {"dataset": dataset, "n": n, "levels": levels}
            found = play_cell(adversaries, energy_wh, **cell, games=games)
            for name, outcome in found.items():
                accuracies = {kind: estimate_accuracy(won) for kind, won in outcome.won.items()}
                rows.append({**cell, "adversary": name, **accuracies, "seconds": outcome.seconds})
                print(rows[-1], flush=True)
    return rows


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("readings", type=Path, nargs="?")
    parser.add_argument("--games", type=int, default=GAMES)
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        datasets = {SAMPLE: build_sample(Path(folder))}
    if settings.readings:
        datasets[settings.readings.stem] = pd.read_parquet(settings.readings)
    homes, rows = {}, []
    for name, readings in datasets.items():
        homes[name] = readings["home"].nunique()
        rows += measure(name, readings, settings.games)
        keep(PART, {"games": settings.games, "homes": homes, "rows": rows})


if __name__ == "__main__":
    main()
