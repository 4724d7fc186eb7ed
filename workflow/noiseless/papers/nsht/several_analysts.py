"""Blurring for several analysts, who may compare what they got (``nsht``, Section 7, composition).

The analysts have releases of different accuracies.  For each group of them, people are counted of
whom their reports, taken together, do not tell the hypothesis.

1. :func:`survey_table`: the people of the survey, under releases that are made in different ways.
2. :func:`ends_table`: :func:`~noiseless.mechanisms.refinable.release_all` on lines that end
   anywhere near the threshold: accuracy, refinement, and who stays undecided.
3. :func:`search_table`: all releases there are of a few records, against the same bound.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq

from noiseless.mechanisms.blurring import (
    Blurring,
    PolynomialThreshold,
    PublicRange,
    band_measure,
    budget,
)
from noiseless.mechanisms.containers import Floats
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.mechanisms.policies.overlay import OverlayBlurring
from noiseless.mechanisms.refinable import release_all
from noiseless.papers.nsht.blurring import bodies, of_bodies
from noiseless.tables import Rows, as_table, tidy

RHO = (0.05, 0.1, 0.2)  # accuracies of the releases, in 1/kg where they are of weights
_SAME_REPORT = 1e-9  # of the unit of the blurred number
_FINEST = 1e6  # of an accuracy: within it a part of a budget is looked for

Ints = NDArray[np.int64]
# Records of shape (n,) and their thresholds in, reports of shape (k, n) out.
Releases = Callable[[Floats, Floats], Floats]


def survey_table(
    survey: pd.DataFrame, *, rho_per_kg: Sequence[float] = RHO, **public: Any
) -> pd.DataFrame:
    """How many people of the survey each group of analysts cannot decide.

    Parameters
    ----------
    survey : DataFrame
        Prepared survey with ``weight_kg`` and ``height_cm``.
    rho_per_kg : sequence of float
        Accuracy of each analyst's release.

    Returns
    -------
    DataFrame
        Cells (releases, seen): ``collapse`` (the printed policy for each analyst),
        ``collapse_split`` (the same, and the budgets of Theorem 4 are parts of the largest one, see
        :func:`split_rho`), ``overlay`` (each release for itself) and ``chain``
        (:func:`~noiseless.mechanisms.refinable.release_all`); the largest changes in kg of the
        releases that a group has, such as ``20 and 10``.
        Statistics: ``people``; ``undecided``, those for whom a record of the other hypothesis was
        found that has the same reports; ``bound``, those within twice the least change of the
        other hypothesis; ``undecided_minus_bound``; ``chain_minus_undecided``;
        ``change_beyond_accuracy_kg``, of the releases that are seen.
    """
    people, (threshold, box) = bodies(survey), of_bodies(**public)
    rho = [float(each) for each in rho_per_kg]
    x, g = people[:, 0], threshold(people[:, 1:])
    low, high = box.lower[0], box.upper[0]
    rooms = (g - low, high - g)
    split = split_rho(threshold, box, rho)

    def each_by(policy: type[Blurring], accuracies: Sequence[float]) -> Releases:
        policies = [policy(threshold, box, each) for each in accuracies]
        others = people[:, 1:]
        return lambda x, g: np.stack(
            [policy.release(np.column_stack([x, others]))[:, 0] for policy in policies]
        )

    made: dict[str, Releases] = {
        "collapse": each_by(CollapseBlurring, rho),
        "collapse_split": each_by(CollapseBlurring, split),
        "overlay": each_by(OverlayBlurring, rho),
        "chain": lambda x, g: release_all(x, g, (low, high), rho),
    }
    rows = []
    for name, releases in made.items():
        accuracies = split if name == "collapse_split" else rho
        changes = np.abs(releases(x, g) - x).max(axis=1) - 1 / np.array(accuracies)
        for seen in groups(rho):
            may_be = OverlayBlurring(threshold, box, max(rho[each] for each in seen))
            bound = may_be.may_be_undecided(people)
            found = undecided(x, g, rooms, releases, accuracies, seen)
            rows.append(
                {
                    "releases": name,
                    "seen": " and ".join(f"{1 / rho[each]:g}" for each in seen),
                    "people": len(people),
                    "undecided": found.sum(),
                    "bound": bound.sum(),
                    "undecided_minus_bound": int(found.sum()) - int(bound.sum()),
                    "change_beyond_accuracy_kg": changes[list(seen)].max(),
                }
            )
    table = pd.DataFrame(rows)
    chain = table[table["releases"] == "chain"].set_index("seen")["undecided"]
    table["chain_minus_undecided"] = table["seen"].map(chain) - table["undecided"]
    return tidy(table, ["releases", "seen"])


def groups(rho: Sequence[float]) -> Iterator[tuple[int, ...]]:
    """The places of every group of releases, smaller groups and coarser releases first."""
    coarse_first = sorted(range(len(rho)), key=lambda each: rho[each])
    for size in range(1, len(rho) + 1):
        yield from itertools.combinations(coarse_first, size)


def split_rho(
    threshold: PolynomialThreshold, box: PublicRange, rho: Sequence[float]
) -> list[float]:
    """Accuracies whose budgets of Theorem 4 add up to the largest one of ``rho``.

    "This allows us to split the privacy budget across multiple reports" (Section 7): each release
    gets a part of it in proportion to the budget that it would have alone.

    Parameters
    ----------
    threshold : PolynomialThreshold
    box : PublicRange
    rho : sequence of float
        Accuracy of each release, were it the only one.
    """

    def epsilon(accuracy: float) -> float:
        return float(budget(band_measure(threshold, box, accuracy), box.volume))

    alone = [epsilon(each) for each in rho]
    part = max(alone) / sum(alone)
    return [
        float(brentq(lambda tried, wanted=each * part: epsilon(tried) - wanted, least, _FINEST))
        for each, least in zip(alone, rho, strict=True)
    ]


def undecided(
    x: Floats,
    g: Floats,
    rooms: tuple[Floats, Floats],
    releases: Releases,
    rho: Sequence[float],
    seen: Sequence[int],
) -> NDArray[np.bool_]:
    """For whom a record of the other hypothesis is found with the same reports in all that is seen.

    Parameters
    ----------
    x, g : ndarray, shape (n,)
        Records and their thresholds.
    rooms : pair of ndarray, shape (n,)
        Room below and above the threshold.
    releases : callable
    rho : sequence of float
        Accuracies of the releases.
    seen : sequence of int
        Places of the releases that are seen together.

    Notes
    -----
    Tried are the records next to the threshold, and in the source of each overlay those at the
    portion at which a report that is seen lies in its band.  Each is released again.  An overlay
    gives a report to no other record, so that none is missed of independent ones; of the printed
    policy the records next to the threshold are undecided if any is.
    """
    below, above = rooms
    reports, is_p0 = releases(x, g), x >= g
    tried = [np.where(is_p0, np.nextafter(g, -np.inf), g)]
    for each in seen:
        step = 1 / rho[each]
        bottom, top = -np.minimum(step, below), np.minimum(step, above)
        width = np.where(top > bottom, top - bottom, 1.0)
        portion = np.clip((reports[each] - g - bottom) / width, 0, 1)
        for accuracy in rho:
            reach_above, reach_below = (np.minimum(2 / accuracy, room) for room in (above, below))
            # The upper end of the source is not in it, whatever the rounding.
            twin_above = np.minimum(portion * reach_above, np.nextafter(reach_above, 0))
            tried.append(g + np.where(is_p0, (portion - 1) * reach_below, twin_above))
    found = np.zeros(len(x), dtype=bool)
    chosen = list(seen)
    for twin in tried:
        twin = np.clip(twin, g - below, g + above)
        again = releases(twin, g)[chosen]
        same = (np.abs(again - reports[chosen]) <= _SAME_REPORT).all(axis=0)
        found |= same & ((twin >= g) != is_p0)
    return found


@as_table("below", "above")
def ends_table(*, rooms: Sequence[float], records: int, rho: Sequence[float] = RHO) -> Rows:
    """:func:`~noiseless.mechanisms.refinable.release_all` on lines that end near the threshold.

    Parameters
    ----------
    rooms : sequence of float
        Room of a line below and above its threshold; each pair is tried.  A line without room
        above has p0 at its end alone, and one without room below has no p1.
    records : int
        Records of a line, at equal distances, with its ends; beside these, each distance
        ``2/rho`` from the threshold and the floats next to it.
    rho : sequence of float
        Accuracies of the releases.

    Returns
    -------
    DataFrame
        Cells (below, above).  Statistics: ``records``; ``change_beyond_accuracy``, the largest;
        ``not_refined``, pairs of a release and a finer one of which the coarser has different
        reports for records with one finer report; ``undecided``, summed over groups of analysts;
        ``off_bound``, records that are undecided and should not be, or the reverse.
    """
    for below, above in itertools.product(rooms, rooms):
        if below + above == 0:
            continue
        edges = [side * 2 / each for each in rho for side in (-1, 1)]
        beside = [np.nextafter(edge, side * np.inf) for edge in edges for side in (-1, 1)]
        x = np.array([*np.linspace(-below, above, records), *edges, *beside, 0.0, -5e-324])
        x = np.unique(x[(-below <= x) & (x <= above)])
        g = np.zeros(len(x))

        releases = partial(release_all, public_range=(-below, above), rho=rho)
        reports = releases(x, g)
        found, wrong = 0, 0
        for seen in groups(rho):
            reach = 2 / max(rho[each] for each in seen)
            both = below > 0
            bound = both & np.where(x >= 0, x < reach, x >= -reach)
            hidden = undecided(x, g, (below + g, above + g), releases, rho, seen)
            found += int(hidden.sum())
            wrong += int((hidden != bound).sum())
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
            "undecided": found,
            "off_bound": wrong,
        }


def is_function(fine: Floats, coarse: Floats) -> bool:
    """Whether equal floats of the one have equal floats of the other."""
    pairs = np.unique(np.stack([fine, coarse]), axis=1)
    return len(np.unique(pairs[0])) == pairs.shape[1]


@as_table("points", "spans")
def search_table(*, lattices: Sequence[Mapping[str, Any]]) -> Rows:
    """All possible releases of a few records on a line, and the best chains of them.

    Reports may be any real numbers.  Then a release is a partition of the records, up to the names
    of its reports, whose parts span at most twice its accuracy's step: a part is reported at its
    middle or, if it spans less, at one of infinitely many other places; and two parts that span it
    all have different middles.  A release is a function of a finer one if its parts are unions of
    the finer one's.

    Parameters
    ----------
    lattices : sequence of mapping
        ``points``, the records 0, 1, ...; ``spans``, the largest spans of a part, of each release.
        Every threshold is tried that leaves records on both sides.

    Returns
    -------
    DataFrame
        Cells (points, spans).  Statistics: ``releases``, their number; ``chains``, of releases
        of which each is a function of all finer ones; ``thresholds``; ``above_bound``, groups of
        any releases, chains or not, to which more records are undecided than lie within the least
        span of the other hypothesis, counted for all pairs and thresholds; ``short``, thresholds
        for which no chain has, at once, as many undecided as that for every group;
        ``above_sum``, those for which a chain's coarsest release leaves more undecided than lie
        within half of the coarsest and half of the next span, together.
    """
    for lattice in lattices:
        points, spans = int(lattice["points"]), sorted(lattice["spans"], reverse=True)
        parts = [_partners(_partitions(points, span)) for span in spans]
        refines = [_refines(fine, coarse) for coarse, fine in itertools.pairwise(parts)]
        above = short = beyond = 0
        for cut in range(1, points):
            below = (1 << cut) - 1
            others = np.where(np.arange(points) < cut, ((1 << points) - 1) ^ below, below)
            bound = [_near(points, cut, span) for span in spans]
            counts = [((part & others) != 0).sum(axis=1) for part in parts]
            above += sum(
                int((count > most).sum()) for count, most in zip(counts, bound, strict=True)
            )
            for (_, coarse), (second, fine) in itertools.combinations(enumerate(parts), 2):
                together = ((coarse[:, None] & fine & others) != 0).sum(axis=2)
                above += int((together > bound[second]).sum())
            best = [count == most for count, most in zip(counts, bound, strict=True)]
            reached = best[-1]
            for pair, coarse in zip(reversed(refines), reversed(best[:-1]), strict=True):
                reached = coarse & (pair & reached[:, None]).any(axis=0)
            short += not reached.any()
            most = int(counts[0][reached].max()) if reached.any() else 0
            beyond += most > _near(points, cut, (spans[0] + spans[1]) / 2)
        chains = np.ones(len(parts[-1]), dtype=int)
        for pair in reversed(refines):
            chains = chains @ pair
        yield {
            "points": points,
            "spans": " and ".join(map(str, spans)),
            "releases": sum(map(len, parts)),
            "chains": int(chains.sum()),
            "thresholds": points - 1,
            "above_bound": above,
            "short": short,
            "above_sum": beyond,
        }


def _partitions(points: int, span: int) -> Ints:
    """The part of each point, a row for each partition into parts of at most that span."""
    found: list[tuple[int, ...]] = [()]
    for point in range(points):
        found = [
            (*labels, part)
            for labels in found
            for part in range(max(labels, default=-1) + 2)
            if part not in labels or point - labels.index(part) <= span
        ]
    return np.array(found)


def _partners(labels: Ints) -> Ints:
    """The points in the part of each point, as bits of a number."""
    bits = 1 << np.arange(labels.shape[1])
    return ((labels[:, :, None] == labels[:, None, :]) * bits).sum(axis=2)


def _refines(fine: Ints, coarse: Ints) -> NDArray[np.bool_]:
    """Whether each part of a fine partition is in one of a coarse one; shape (fine, coarse)."""
    return np.array([((each & ~coarse) == 0).all(axis=1) for each in fine])


def _near(points: int, cut: int, span: float) -> int:
    """Points within a span of the other hypothesis, which begins or ends beside the cut."""
    places = np.arange(points)
    return int((np.where(places < cut, cut - places, places - cut + 1) <= span).sum())
