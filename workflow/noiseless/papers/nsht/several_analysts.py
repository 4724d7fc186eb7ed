"""Blurring for several analysts who may compare their releases (``nsht``, Section 7, composition).

The analysts have releases of different accuracies.  For each group of analysts, the tables count
the people whose hypothesis the group's releases together do not prove.

1. :func:`build_survey_table`: the people of the survey, under four kinds of releases.
2. :func:`build_ends_table`: :func:`~noiseless.release_all` on lines that end
   anywhere near the threshold: accuracy, refinement, and undecided records.
3. :func:`build_search_table`: all possible releases of a few records, against the bound.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from noiseless.arrays import Bools, Floats, Ints
from noiseless.mechanisms.blurring import (
    Blurring,
    PolynomialThreshold,
    PublicRange,
    compute_band_measure,
    compute_budget,
)
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.successive_refinement import release_all
from noiseless.papers.nsht.blurring import build_bmi_problem, select_bodies
from noiseless.tables import Rows, returns_table, tidy

RHO = (0.05, 0.1, 0.2)  # accuracies of the releases, in 1/kg where they are of weights
_REPORT_TOLERANCE = (
    1e-9  # largest difference of equal reports, in the unit of the blurred coordinate
)
_MAX_RHO = 1e6  # largest accuracy at which a share of a budget is searched for

# Function of records and their thresholds, each of shape (n,), to reports of shape (k, n).
Releases = Callable[[Floats, Floats], Floats]


def build_survey_table(
    survey: pd.DataFrame, *, rho_per_kg: Sequence[float] = RHO, **public: Any
) -> pd.DataFrame:
    """Count the people of the survey who stay undecided to each group of analysts.

    Parameters
    ----------
    survey : DataFrame
        Prepared survey with ``weight_kg`` and ``height_cm``.
    rho_per_kg : sequence of float
        Accuracy of each analyst's release.
    **public : object
        Arguments of :func:`~noiseless.papers.nsht.blurring.build_bmi_problem`.

    Returns
    -------
    DataFrame
        Cells (releases, seen).  ``releases``: ``collapse`` (the printed policy for each analyst),
        ``collapse_split`` (the printed policy with accuracies of :func:`split_budget`), ``overlay``
        (an overlay for each analyst) and ``chain``
        (:func:`~noiseless.mechanisms.refinable.release_all`).  ``seen``: the largest changes in kg
        of the group's releases, such as ``20 and 10``.
        Statistics: ``people``; ``find_undecided``, the people for whom a record of the other
        hypothesis with equal reports was found; ``bound``, the people within twice the smallest
        change of the other hypothesis; ``undecided_minus_bound``; ``chain_minus_undecided``;
        ``change_beyond_accuracy_kg``, of the group's releases.
    """
    people, (threshold, box) = select_bodies(survey), build_bmi_problem(**public)
    rho = [float(each) for each in rho_per_kg]
    x, g = people[:, 0], threshold(people[:, 1:])
    low, high = box.lower[0], box.upper[0]
    rooms = (g - low, high - g)
    split = split_budget(threshold, box, rho)

    def build_release_function(policy: type[Blurring], accuracies: Sequence[float]) -> Releases:
        """Build the function that releases weights by one policy at each accuracy."""
        policies = [policy(threshold, box, each) for each in accuracies]
        others = people[:, 1:]
        return lambda x, g: np.stack(
            [policy.release(np.column_stack([x, others]))[:, 0] for policy in policies]
        )

    kinds: dict[str, Releases] = {
        "collapse": build_release_function(CollapseBlurring, rho),
        "collapse_split": build_release_function(CollapseBlurring, split),
        "overlay": build_release_function(OverlayBlurring, rho),
        "chain": lambda x, g: release_all(x, g, (low, high), rho),
    }
    rows = []
    for name, releases in kinds.items():
        accuracies = split if name == "collapse_split" else rho
        changes = np.abs(releases(x, g) - x).max(axis=1) - 1 / np.array(accuracies)
        for seen in enumerate_groups(rho):
            best_policy = OverlayBlurring(threshold, box, max(rho[each] for each in seen))
            bound = best_policy.can_be_undecided(people)
            is_undecided = find_undecided(x, g, rooms, releases, accuracies, seen)
            rows.append(
                {
                    "releases": name,
                    "seen": " and ".join(f"{1 / rho[each]:g}" for each in seen),
                    "people": len(people),
                    "undecided": is_undecided.sum(),
                    "bound": bound.sum(),
                    "undecided_minus_bound": int(is_undecided.sum()) - int(bound.sum()),
                    "change_beyond_accuracy_kg": changes[list(seen)].max(),
                }
            )
    table = pd.DataFrame(rows)
    chain = table[table["releases"] == "chain"].set_index("seen")["undecided"]
    table["chain_minus_undecided"] = table["seen"].map(chain) - table["undecided"]
    return tidy(table, ["releases", "seen"])


def enumerate_groups(rho: Sequence[float]) -> Iterator[tuple[int, ...]]:
    """Enumerate groups of releases as tuples of indices, by size and then by coarseness."""
    coarse_first = sorted(range(len(rho)), key=lambda each: rho[each])
    for size in range(1, len(rho) + 1):
        yield from itertools.combinations(coarse_first, size)


def split_budget(
    threshold: PolynomialThreshold, box: PublicRange, rho: Sequence[float]
) -> list[float]:
    """Split the largest budget of Theorem 4 over all releases; return their accuracies.

    "This allows us to split the privacy budget across multiple reports" (Section 7): each release
    gets a share of it in proportion to the budget that it would have alone.

    Parameters
    ----------
    threshold : PolynomialThreshold
        Threshold of the hypothesis.
    box : PublicRange
        Public range of the records.
    rho : sequence of float
        Accuracy of each release, were it the only one.
    """

    def compute_epsilon(accuracy: float) -> float:
        """Compute the budget of Theorem 4 at an accuracy."""
        return float(compute_budget(compute_band_measure(threshold, box, accuracy), box.volume))

    alone = [compute_epsilon(each) for each in rho]
    share = max(alone) / sum(alone)
    return [
        float(
            brentq(
                lambda tried, wanted=each * share: compute_epsilon(tried) - wanted, least, _MAX_RHO
            )
        )
        for each, least in zip(alone, rho, strict=True)
    ]


def find_undecided(
    x: Floats,
    g: Floats,
    rooms: tuple[Floats, Floats],
    releases: Releases,
    rho: Sequence[float],
    seen: Sequence[int],
) -> Bools:
    """Find the records that the seen releases together leave undecided, shape (n,).

    Parameters
    ----------
    x, g : ndarray, shape (n,)
        Records and their thresholds.
    rooms : pair of ndarray, shape (n,)
        Distances of the threshold from the lower and from the upper end of the record's line.
    releases : callable
        Function of records and thresholds to reports, shape (k, n).
    rho : sequence of float
        Accuracies of the releases.
    seen : sequence of int
        Indices of the releases that one adversary sees.

    Returns
    -------
    ndarray of bool, shape (n,)
        Whether a record of the other hypothesis with equal reports is found.

    Notes
    -----
    The search tries the records next to the threshold and, in the source of each overlay, the
    records at the share at which a seen report lies in its band, and releases them.  An overlay
    gives a report to no other record, so the search misses none for independent releases.  Under
    the printed policy, the records next to the threshold are undecided if any record is.
    """
    below, above = rooms
    reports, is_p0 = releases(x, g), x >= g
    tried = [np.where(is_p0, np.nextafter(g, -np.inf), g)]
    for each in seen:
        step = 1 / rho[each]
        bottom, top = -np.minimum(step, below), np.minimum(step, above)
        width = np.where(top > bottom, top - bottom, 1.0)
        share = np.clip((reports[each] - g - bottom) / width, 0, 1)
        for accuracy in rho:
            reach_above, reach_below = (np.minimum(2 / accuracy, room) for room in (above, below))
            # The source does not contain its upper end, which rounding could reach.
            twin_above = np.minimum(share * reach_above, np.nextafter(reach_above, 0))
            tried.append(g + np.where(is_p0, (share - 1) * reach_below, twin_above))
    is_undecided = np.zeros(len(x), dtype=bool)
    indices = list(seen)
    for twin in tried:
        twin = np.clip(twin, g - below, g + above)
        twin_reports = releases(twin, g)[indices]
        has_equal_reports = (np.abs(twin_reports - reports[indices]) <= _REPORT_TOLERANCE).all(
            axis=0
        )
        is_undecided |= has_equal_reports & ((twin >= g) != is_p0)
    return is_undecided


@returns_table("below", "above")
def build_ends_table(*, rooms: Sequence[float], records: int, rho: Sequence[float] = RHO) -> Rows:
    """Check the releases of ``release_all`` on lines that end near the threshold.

    Parameters
    ----------
    rooms : sequence of float
        Lengths of a line below and above its threshold; each pair is tried.  On a line without room
        above, p0 holds at the end alone; on a line without room below, p1 holds nowhere.
    records : int
        Number of equidistant records of a line, with its ends.  The records at a distance of
        ``2/rho`` from the threshold, and the floats next to them, are added.
    rho : sequence of float
        Accuracies of the releases.

    Returns
    -------
    DataFrame
        Cells (below, above).  Statistics: ``records``; ``change_beyond_accuracy``, the largest;
        ``not_refined``, pairs of releases of which the coarser one has different reports for
        records with one finer report; ``find_undecided``, records, summed over groups of analysts;
        ``off_bound``, records that are undecided beyond the bound or decided within it.
    """
    for below, above in itertools.product(rooms, rooms):
        if below + above == 0:
            continue
        edges = [side * 2 / each for each in rho for side in (-1, 1)]
        next_floats = [np.nextafter(edge, side * np.inf) for edge in edges for side in (-1, 1)]
        x = np.array([*np.linspace(-below, above, records), *edges, *next_floats, 0.0, -5e-324])
        x = np.unique(x[(-below <= x) & (x <= above)])
        g = np.zeros(len(x))

        releases = partial(release_all, public_range=(-below, above), rho=rho)
        reports = releases(x, g)
        n_undecided, n_wrong = 0, 0
        for seen in enumerate_groups(rho):
            reach = 2 / max(rho[each] for each in seen)
            has_both_sides = below > 0
            bound = has_both_sides & np.where(x >= 0, x < reach, x >= -reach)
            is_undecided = find_undecided(x, g, (below + g, above + g), releases, rho, seen)
            n_undecided += int(is_undecided.sum())
            n_wrong += int((is_undecided != bound).sum())
        change = np.abs(reports - x).max(axis=1) - 1 / np.array(rho)
        yield {
            "below": float(below),
            "above": float(above),
            "records": len(x),
            "change_beyond_accuracy": change.max(),
            "not_refined": sum(
                not is_function(reports[fine], reports[coarse])
                for fine, coarse in itertools.product(range(len(rho)), repeat=2)
                if rho[fine] > rho[coarse]
            ),
            "undecided": n_undecided,
            "off_bound": n_wrong,
        }


def is_function(fine: Floats, coarse: Floats) -> bool:
    """Return whether ``coarse`` is a function of ``fine``: equal where ``fine`` is equal."""
    pairs = np.unique(np.stack([fine, coarse]), axis=1)
    return len(np.unique(pairs[0])) == pairs.shape[1]


@returns_table("points", "spans")
def build_search_table(*, lattices: Sequence[Mapping[str, Any]]) -> Rows:
    """Count the releases of a few records on a line that break the bound of undecided records.

    Reports may be any real numbers.  Then a release is a partition of the records, up to the values
    of its reports, whose parts span at most twice the largest change: a part is reported at its
    middle or, if it spans less, at one of infinitely many other points; and two parts of the full
    span have different middles.  A release is a function of a finer one if its parts are unions of
    parts of the finer one.

    Parameters
    ----------
    lattices : sequence of mapping
        ``points``, the records 0, 1, ...; ``spans``, the largest spans of a part, of each release.
        Every threshold that leaves records on both sides is tried.

    Returns
    -------
    DataFrame
        Cells (points, spans).  Statistics: ``releases``, their number; ``chains``, number of chains
        of releases of which each is a function of all finer ones; ``thresholds``; ``above_bound``,
        groups of one or two releases, of a chain or not, to which more records are undecided than
        lie within the smallest span of the other hypothesis, summed over thresholds; ``short``,
        thresholds for which no chain leaves as many records undecided as this bound for every group
        at once; ``above_sum``, thresholds for which the coarsest release of such a chain leaves
        more records undecided than lie within half of the two largest spans' sum of the other
        hypothesis.
    """
    for lattice in lattices:
        points, spans = int(lattice["points"]), sorted(lattice["spans"], reverse=True)
        partners = [_encode_partners(_enumerate_partitions(points, span)) for span in spans]
        refines = [_find_refinements(fine, coarse) for coarse, fine in itertools.pairwise(partners)]
        n_above = n_short = n_beyond = 0
        for cut in range(1, points):
            below = (1 << cut) - 1
            other_side = np.where(np.arange(points) < cut, ((1 << points) - 1) ^ below, below)
            bound = [_count_near_points(points, cut, span) for span in spans]
            counts = [((partner & other_side) != 0).sum(axis=1) for partner in partners]
            n_above += sum(
                int((count > most).sum()) for count, most in zip(counts, bound, strict=True)
            )
            for (_, coarse), (second, fine) in itertools.combinations(enumerate(partners), 2):
                together = ((coarse[:, None] & fine & other_side) != 0).sum(axis=2)
                n_above += int((together > bound[second]).sum())
            reaches_bound = [count == most for count, most in zip(counts, bound, strict=True)]
            reached = reaches_bound[-1]
            for pair, coarse in zip(reversed(refines), reversed(reaches_bound[:-1]), strict=True):
                reached = coarse & (pair & reached[:, None]).any(axis=0)
            n_short += not reached.any()
            most = int(counts[0][reached].max()) if reached.any() else 0
            n_beyond += most > _count_near_points(points, cut, (spans[0] + spans[1]) / 2)
        chains = np.ones(len(partners[-1]), dtype=int)
        for pair in reversed(refines):
            chains = chains @ pair
        yield {
            "points": points,
            "spans": " and ".join(map(str, spans)),
            "releases": sum(map(len, partners)),
            "chains": int(chains.sum()),
            "thresholds": points - 1,
            "above_bound": n_above,
            "short": n_short,
            "above_sum": n_beyond,
        }


def _enumerate_partitions(points: int, span: int) -> Ints:
    """Enumerate partitions of points into parts of at most a span: labels, a row each."""
    partitions: list[tuple[int, ...]] = [()]
    for point in range(points):
        partitions = [
            (*labels, part)
            for labels in partitions
            for part in range(max(labels, default=-1) + 2)
            if part not in labels or point - labels.index(part) <= span
        ]
    return np.array(partitions)


def _encode_partners(labels: Ints) -> Ints:
    """Encode the points in the part of each point as bits of a number, in the shape of labels."""
    bits = 1 << np.arange(labels.shape[1])
    return ((labels[:, :, None] == labels[:, None, :]) * bits).sum(axis=2)


def _find_refinements(fine: Ints, coarse: Ints) -> Bools:
    """Find which coarse partitions each fine partition refines, shape (n_fine, n_coarse)."""
    return np.array([((each & ~coarse) == 0).all(axis=1) for each in fine])


def _count_near_points(points: int, cut: int, span: float) -> int:
    """Count the points within a span of the other side of the cut between cut - 1 and cut."""
    indices = np.arange(points)
    return int((np.where(indices < cut, cut - indices, indices - cut + 1) <= span).sum())
