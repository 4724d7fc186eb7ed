"""Advantage in the membership game, by budget (``noiseless``, Section V.A, Figures 2 and 3).

1. :func:`build_advantage_table` plays the membership game (:mod:`noiseless.games.membership`) for
   each n and budget.
2. :func:`build_ranges_table` varies the public range, on which the width of a bin depends.
3. :func:`build_choices_table` varies everything that the paper leaves open.
4. :func:`build_learned_table` compares a trained adversary with the paper's.
5. :func:`build_set_table` selects from these tables what compares a set of homes with others.

Every advantage has two rows: with an interval over games between these homes, and with one over
homes (:func:`~noiseless.statistics.estimate_home_mean`).  An n or a cell for which there are too
few homes is skipped, with a message; :class:`~noiseless.errors.TooSmallError` if none is left.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.adversaries.inputs.membership import MembershipView
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.labels import (
    COMBINED,
    LEARNED,
    NORMAL,
    PAIR,
    PAIR_KNOWN,
    PAPERS_ADVERSARIES,
)
from noiseless.arrays import Floats, Ints
from noiseless.errors import TooSmallError
from noiseless.games.membership import (
    WH_PER_KWH,
    Games,
    build_energy_matrix,
    compute_public_maximum_wh,
    draw_games,
    filter_possible_cells,
    filter_possible_n,
    load_membership_adversaries,
    play,
)
from noiseless.games.outcome import Outcome
from noiseless.games.releases import build_release, build_releases
from noiseless.papers.noiseless.limits import ALMOST_ZERO, MAIN_FUSE_KWH
from noiseless.seeds import make_generator
from noiseless.statistics import build_rows
from noiseless.tables import REFUSED_COLUMN

# The cells (n, epsilon) of Figure 3 that Section V.A calls "almost zero".
CELLS: Final = ({"n": 4, "epsilon_bits": 2}, {"n": 8, "epsilon_bits": 3})
# Budgets at which sets of homes are compared (those of the cells above), and the number of games
# from which the share of constant releases is estimated.
COMPARED_BITS: Final = (2, 3)
CONSTANCY_GAMES = 1000
LARGEST_READING = "largest_reading"
QUANTIZER_RULES = ("n_2^eps", "2^eps")
PEAK_RULES = ("strict", "tolerant")
_HOMES_PHRASE, _CELLS_KEY = "there are {} homes", "n of the cells of Figure 3"


def build_advantage_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    n: Sequence[int],
    epsilon_bits: Sequence[float],
    resolution: str,
    public_range_kwh: float,
    quantizer_rule: str,
    peaks: str,
) -> pd.DataFrame:
    """Estimate the advantage of each adversary for each n and budget (Figure 3).

    All budgets of an n have the same games; the exact mean (infinite), in which nothing is clipped,
    is added.  ``lead_on_papers`` of ``pair`` is by how much its advantage is larger than the best
    one of the paper's three in the same games.
    """
    energy = build_energy_matrix(readings, resolution=resolution)
    n = filter_possible_n(n, homes=len(energy), key="noiseless.membership.n", who=_HOMES_PHRASE)
    maximum = compute_public_maximum_wh(public_range_kwh, resolution=resolution)
    limits: dict[str, Any] = {"maximum_wh": maximum, "quantizer_rule": quantizer_rule}
    budgets = [*map(float, epsilon_bits), math.inf]
    adversaries = load_membership_adversaries(trained=False)
    rows = []
    for size in tqdm(n, desc=f"membership games, {dataset}, {resolution}", unit="n"):
        cell_games = _CellGames.draw(seed, dataset, len(energy), size, games)
        releases = build_releases(budgets, n=size, energy_wh=energy, **limits)
        preferences_by_budget = play(
            adversaries, energy, cell_games.games, releases, strict_peaks=[peaks == "strict"]
        )
        exact: dict[str, float] = {}
        # The exact mean comes first, for the others to be compared with.
        for budget, release, preferred in reversed(
            list(zip(budgets, releases, preferences_by_budget, strict=True))
        ):
            outcomes: dict[str, Outcome] = {}
            for name, preference in preferred.items():
                cell = {"adversary": name, "n": size, "epsilon_bits": budget}
                outcomes[name] = cell_games.draw_outcome(cell, preference)
                advantage = outcomes[name].advantage.value
                rows += _build_outcome_rows(cell, outcomes[name])
                if name == PAIR:
                    lead = outcomes[name].estimate_lead(_choose_best_of_papers(outcomes))
                    rows += build_rows(cell, lead_on_papers=lead)
                rows += build_rows(
                    cell,
                    advantage_minus_exact=advantage - exact.setdefault(name, advantage),
                    levels=release.levels or math.inf,
                    bin_kwh=release.step_wh / WH_PER_KWH if release.levels else 0.0,
                    games=games,
                    homes=len(energy),
                )
    return pd.DataFrame(rows)


def build_choices_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    resolutions: Sequence[str],
    week_start: str,
    public_range_kwh: float,
    cells: Sequence[Mapping[str, float]] = CELLS,
    almost_zero: float = ALMOST_ZERO,
    main_fuse_kwh: float = MAIN_FUSE_KWH,
) -> pd.DataFrame:
    """Estimate the advantage under every combination of choices that the paper leaves open.

    The range ``largest_reading`` is no public one: it is taken from the readings of the year, as
    their holder is tempted to.  ``strongest`` has the largest absolute advantage of the paper's
    three.
    """
    homes = readings["home"].nunique()
    cells = filter_possible_cells(cells, homes=homes, key=_CELLS_KEY, who=_HOMES_PHRASE)
    periods = {"year": None, "week": week_start}
    rows: list[dict[str, object]] = []
    ranges_kwh = {"typical": public_range_kwh, "main_fuse": main_fuse_kwh, LARGEST_READING: None}
    cases = list(itertools.product(resolutions, periods))
    draw_cell_games = cache(partial(_CellGames.draw, seed, dataset, homes, games=games))
    build_matrix = cache(partial(build_energy_matrix, readings))
    # The choices are those of the paper's game: `pair` says nothing of them, and takes a minute for
    # a year of half-hours.
    adversaries = [x for x in load_membership_adversaries(trained=False) if x.name != PAIR]
    for resolution, period in tqdm(cases, desc=f"choices, {dataset}"):
        energy = build_matrix(resolution=resolution, week_start=periods[period])
        # A range is fixed for the complete year, even if only a week is published.
        year = build_matrix(resolution=resolution, week_start=None)
        maxima_wh = {
            name: int(year.max())
            if range_kwh is None
            else compute_public_maximum_wh(range_kwh, resolution=resolution)
            for name, range_kwh in ranges_kwh.items()
        }
        rows_by_cell = []
        for cell in cells:
            n, budget = int(cell["n"]), float(cell["epsilon_bits"])
            cell_columns = [
                {
                    **{"n": n, "epsilon_bits": budget, "public_range": name, "quantizer_rule": ""},
                    **{"resolution": resolution, "period": period},
                }
                for name in maxima_wh
            ]
            rows_by_cell.append(
                _play_quantizer_rules(
                    energy,
                    draw_cell_games(n),
                    cell_columns,
                    [*maxima_wh.values()],
                    almost_zero,
                    PEAK_RULES,
                    adversaries,
                )
            )
        # The rows of all cells follow each other for each range and rule.
        rows += [row for parts in zip(*rows_by_cell, strict=True) for part in parts for row in part]
    return pd.DataFrame(rows)


def build_ranges_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    kwh: Sequence[float],
    public_range_kwh: float,
    cells: Sequence[Mapping[str, float]] = CELLS,
    almost_zero: float = ALMOST_ZERO,
    main_fuse_kwh: float = MAIN_FUSE_KWH,
) -> pd.DataFrame:
    """Estimate the advantage against the public range of a day's reading (kWh).

    With ``range_kwh`` 0: ``almost_zero_from_kwh``, the smallest range that was tried from which on
    every larger one is almost zero, infinite where the largest is not; and
    ``least_constant_share``, the smallest ``constant_share`` of those ranges that are almost zero,
    1 where none is.
    """
    energy = build_energy_matrix(readings, resolution="days")
    cells = filter_possible_cells(cells, homes=len(energy), key=_CELLS_KEY, who=_HOMES_PHRASE)
    tried_kwh = sorted({*map(float, kwh), float(public_range_kwh), float(main_fuse_kwh)})
    rows: list[dict[str, object]] = []
    draw_cell_games = cache(partial(_CellGames.draw, seed, dataset, len(energy), games=games))
    maxima_wh = [compute_public_maximum_wh(range_kwh) for range_kwh in tried_kwh]
    for cell in tqdm(cells, desc=f"public ranges, {dataset}"):
        n, budget = int(cell["n"]), float(cell["epsilon_bits"])
        cell_columns = [
            {"n": n, "epsilon_bits": budget, "quantizer_rule": "", "range_kwh": range_kwh}
            for range_kwh in tried_kwh
        ]
        rows_by_rule = iter(
            _play_quantizer_rules(
                energy,
                draw_cell_games(n),
                cell_columns,
                maxima_wh,
                almost_zero,
                PEAK_RULES[:1],
                load_membership_adversaries(trained=False),
            )
        )
        for columns, maximum in zip(cell_columns, maxima_wh, strict=True):
            rows += [row for _ in QUANTIZER_RULES for row in next(rows_by_rule)]
            for rule in QUANTIZER_RULES:
                clipped = float((energy > maximum).mean())
                cell = {**columns, "quantizer_rule": rule, "adversary": "strongest"}
                rows += build_rows(cell, clipped_share=clipped)
    table = pd.DataFrame(rows)
    strongest = table[table["adversary"] == "strongest"].pivot(
        index=["n", "epsilon_bits", "quantizer_rule", "range_kwh"],
        columns="statistic",
        values="value",
    )
    for (n, budget, rule), group in strongest.groupby(level=[0, 1, 2], sort=False):
        holds = group["almost_zero"].droplevel([0, 1, 2]).sort_index(ascending=False)
        almost_zero_ranges = holds.index[holds.cumprod() == 1]
        cell = {"n": n, "epsilon_bits": budget, "quantizer_rule": rule, "range_kwh": 0.0}
        rows += build_rows(
            {**cell, "adversary": "strongest"},
            almost_zero_from_kwh=float(almost_zero_ranges.min())
            if len(almost_zero_ranges)
            else math.inf,
            least_constant_share=group["constant_share"][group["almost_zero"] == 1].min()
            if group["almost_zero"].any()
            else 1.0,
        )
    return pd.DataFrame(rows)


def _play_quantizer_rules(
    energy: Ints,
    cell_games: "_CellGames",
    cell_columns: Sequence[Mapping[str, Any]],
    maxima_wh: Sequence[int],
    almost_zero: float,
    peaks: Sequence[str],
    adversaries: Sequence[type[Adversary]],
) -> list[list[dict[str, object]]]:
    """Build one list of rows (all adversaries) for each public range and rule of levels.

    ``cell_columns`` holds the key columns of each public range.  With several rules of peaks, rows
    have the column ``peaks``.
    """
    playing = [*adversaries, _ConstancyStatistic]
    cells = [
        ({**columns, "quantizer_rule": rule}, maximum_wh)
        for columns, maximum_wh in zip(cell_columns, maxima_wh, strict=True)
        for rule in QUANTIZER_RULES
    ]
    releases = [
        build_release(
            cell["epsilon_bits"],
            n=cell["n"],
            maximum_wh=maximum_wh,
            quantizer_rule=cell["quantizer_rule"],
        )
        for cell, maximum_wh in cells
    ]
    strict = [each == "strict" for each in peaks]
    preferences = iter(play(playing, energy, cell_games.games, releases, strict_peaks=strict))
    rows_by_cell = []
    for (columns, _), release in zip(cells, releases, strict=True):
        rows: list[dict[str, object]] = []
        for peak_rule, preferred in zip(peaks, preferences, strict=False):
            is_constant = preferred.pop(_ConstancyStatistic.name)
            cell = {**columns, "peaks": peak_rule} if len(peaks) > 1 else columns
            signed = []
            for name, preference in preferred.items():
                of_adversary = {**cell, "adversary": name}
                outcome = cell_games.draw_outcome(of_adversary, preference)
                rows += _build_outcome_rows(of_adversary, outcome)
                signed += [outcome.advantage.value] if name in PAPERS_ADVERSARIES else []
            rows += build_rows(
                {**cell, "adversary": "strongest"},
                largest_absolute_advantage=max(map(abs, signed)),
                almost_zero=float(max(map(abs, signed)) <= almost_zero),
                constant_share=is_constant.mean(),
                levels=release.levels or math.inf,
                bin_kwh=release.step_wh / WH_PER_KWH,
                games=len(is_constant),
            )
        rows_by_cell.append(rows)
    return rows_by_cell


def build_learned_table(
    readings: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    games: int,
    n: Sequence[int],
    epsilon_bits: Sequence[float],
    resolution: str,
    public_range_kwh: float,
    quantizer_rule: str,
) -> pd.DataFrame:
    """Estimate the advantages of the learned and the other adversaries on the same games.

    Half of the homes, drawn at random, play the games that it is trained on, and the other half the
    games of the test, as many.  ``lead_on_pair`` is of ``pair_known`` over ``pair``.
    """
    energy = build_energy_matrix(readings, resolution=resolution)
    maximum = compute_public_maximum_wh(public_range_kwh, resolution=resolution)
    limits: dict[str, Any] = {"maximum_wh": maximum, "quantizer_rule": quantizer_rule}
    budgets = [*map(float, epsilon_bits), math.inf]
    order = make_generator(seed, "membership", dataset, "halves").permutation(len(energy))
    known, unknown = np.array_split(energy[order], 2)
    who = "half of the homes, {}, play against the learned adversary"
    n = filter_possible_n(n, homes=len(unknown), key="noiseless.membership.n", who=who)
    rows = []
    for size in tqdm(n, desc=f"learned adversary, {dataset}", unit="n"):
        training = _draw_games(seed, dataset, len(known), size, games, "training")
        testing = _CellGames.draw(seed, dataset, len(unknown), size, games, "testing")
        releases = build_releases(budgets, n=size, energy_wh=unknown, **limits)
        preferences_by_budget = play(
            # The normal likelihood does not play here, because `beyond` has its advantages.
            [
                each
                for each in load_membership_adversaries(trained=True)
                if each.name not in (NORMAL, COMBINED)
            ],
            unknown,
            testing.games,
            releases,
            known=(known, training),
        )
        for budget, preferred in zip(budgets, preferences_by_budget, strict=True):
            outcomes: dict[str, Outcome] = {}
            for name, preference in preferred.items():
                cell = {"adversary": name, "n": size, "epsilon_bits": budget}
                outcomes[name] = testing.draw_outcome(cell, preference)
                rows += _build_outcome_rows(cell, outcomes[name])
                if name == PAIR_KNOWN:
                    lead = outcomes[name].estimate_lead(outcomes[PAIR])
                    rows += build_rows(cell, lead_on_pair=lead)
                rows += build_rows(cell, games=games, homes=len(unknown))
    return pd.DataFrame(rows)


def build_set_table(
    readings: pd.DataFrame,
    played: pd.DataFrame,
    learned: pd.DataFrame,
    *,
    dataset: str,
    seed: int,
    n: Sequence[int],
    resolution: str,
    public_range_kwh: float,
    quantizer_rule: str,
    games: int = CONSTANCY_GAMES,
) -> pd.DataFrame:
    """Select the advantages of a set of homes, and add how often its release is constant.

    ``played`` and ``learned`` are the tables of :func:`build_advantage_table` and
    :func:`build_learned_table` on the same readings; a set that is too small has a table with the
    column ``refused`` instead.  ``range_days`` (n and epsilon 0) is the public range in days of the
    mean home.
    """
    if REFUSED_COLUMN in played:
        return pd.DataFrame()
    energy = build_energy_matrix(readings, resolution=resolution)
    limits: dict[str, Any] = {
        "maximum_wh": compute_public_maximum_wh(public_range_kwh, resolution=resolution),
        "quantizer_rule": quantizer_rule,
    }
    rows: list[dict[str, object]] = []
    budgets = list(map(float, COMPARED_BITS))
    for size in filter_possible_n(
        n, homes=len(energy), key="noiseless.membership.n", who=_HOMES_PHRASE
    ):
        drawn = _draw_games(seed, dataset, len(energy), size, games, "constancy")
        releases = build_releases(budgets, n=size, energy_wh=energy, **limits)
        found = play([_ConstancyStatistic], energy, drawn, releases, strict_peaks=[True])
        for budget, preferred in zip(budgets, found, strict=True):
            cell = {"adversary": "any", "n": size, "epsilon_bits": budget}
            rows += build_rows(cell, constant_share=preferred[_ConstancyStatistic.name].mean())
    mean_wh = float(energy.mean())
    rows += build_rows(
        {"adversary": "any", "n": 0, "epsilon_bits": 0.0},
        range_days=limits["maximum_wh"] / mean_wh if mean_wh else math.inf,
    )
    know_pair_alone = played[played["adversary"].isin([*PAPERS_ADVERSARIES, PAIR])]
    parts = [know_pair_alone, pd.DataFrame(rows)]
    if REFUSED_COLUMN not in learned:
        know_homes = learned[learned["adversary"].isin([LEARNED, PAIR_KNOWN])]
        parts.insert(1, know_homes)
    table = pd.concat(parts, ignore_index=True)
    statistics = ["advantage", "advantage_over_homes", "constant_share"]
    is_compared = table["statistic"].isin(statistics) & table["epsilon_bits"].isin(budgets)
    table = table[is_compared | (table["statistic"] == "range_days")]
    table.insert(0, "homes", dataset)
    return table.reset_index(drop=True)


def join_sets(sets: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate the tables of several sets of homes; :class:`TooSmallError` if none has rows."""
    nonempty = [each for each in sets if len(each)]
    if not nonempty:
        raise TooSmallError(
            "no set of homes has enough homes for any n of `noiseless.membership.n`. Give smaller "
            "n, or more homes."
        )
    return pd.concat(nonempty, ignore_index=True)


class _ConstancyStatistic(Adversary):
    """Statistic of a game that is positive if the published series is constant; no adversary."""

    name = "constancy"

    def prefer(self, view: MembershipView) -> Floats:
        """Return 1 for each game with a constant series and 0 for all others, shape (G,)."""
        return (view.sum_squared_bins == 0).astype(float)


def _draw_games(
    seed: int, dataset: str, homes: int, n: int, games: int, purpose: str = "games"
) -> Games:
    """Draw games of n homes with the random stream of their purpose."""
    rng = make_generator(seed, "membership", dataset, purpose, "n", n)
    return draw_games(rng, homes=homes, n=n, games=games)


@dataclass(frozen=True)
class _CellGames:
    """Games of a cell, and the streams of its coins."""

    key: tuple[int, str, str]  # seed and first coordinates of the random streams
    games: Games

    @classmethod
    def draw(
        cls, seed: int, dataset: str, homes: int, n: int, games: int, purpose: str = "games"
    ) -> "_CellGames":
        """Draw ``games`` games between all homes."""
        drawn = _draw_games(seed, dataset, homes, n, games, purpose)
        return cls((seed, "membership", dataset), drawn)

    def draw_outcome(self, cell: Mapping[str, Any], preference: np.ndarray) -> Outcome:
        """Draw the coins of one adversary in one cell, and return the outcome."""
        seed, *coordinates = *self.key, "coin", cell["adversary"]
        coordinates += "n", int(cell["n"]), "epsilon", float(cell["epsilon_bits"])
        coins = make_generator(seed, *coordinates)
        return Outcome.draw(coins, self.games, cell["adversary"], preference)


def _build_outcome_rows(cell: Mapping[str, Any], outcome: Outcome) -> list[dict[str, Any]]:
    """Build the rows of one adversary in one cell."""
    return build_rows(
        cell,
        advantage=outcome.advantage,
        advantage_over_homes=outcome.advantage_over_homes,
        absolute_advantage=abs(outcome.advantage.value),
        coin_share=outcome.coin_share,
    )


def _choose_best_of_papers(outcomes: Mapping[str, Outcome]) -> Outcome:
    """Choose the adversary of the paper's three with the largest advantage in these games."""
    papers = [outcomes[name] for name in PAPERS_ADVERSARIES]
    return max(papers, key=lambda each: each.advantage.value)
