"""Blurring the body mass index (``nsht``, Theorem 4, Example 3, Figures 4 and 5).

1. :func:`build_guarantees_table`: the guarantees of each policy, by exact integration (Figure 4).
2. :func:`build_lattice_table`: the printed policy, and the one that holds instead, run on a lattice
   of records, with the ranges of their reports counted instead of derived: a second route, which
   uses no formula.  :func:`build_thresholds_table` runs them for many thresholds and ranges.
3. :func:`build_survey_tables`: the people of the young people survey under each policy (Figure 5);
   :func:`build_survey_table`: the size and the columns of the survey.

Weight is the blurred coordinate: records are (weight in kg, height in cm), and rho is in 1/kg.
:mod:`.blurring_limits` searches for the best policy.

The tables hold two more measures than that of Equation 9: the share of the range, and the number of
people, that a policy leaves undecided.  Equation 9 depends on neither (see the policy ``round``).
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.arrays import Bools, Floats, Ints
from noiseless.errors import DataError
from noiseless.mechanisms.blurring import (
    Blurring,
    PolynomialThreshold,
    PublicRange,
    build_polynomial_threshold,
    compute_band_measure,
    compute_budget,
    compute_privacy,
)
from noiseless.mechanisms.interface import Identity
from noiseless.mechanisms.policies import load_blurring_policies
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.mechanisms.policies.stretch import StretchBlurring
from noiseless.seeds import make_generator
from noiseless.tables import Rows, returns_table, tidy

# Example 3: the public ranges, and the body mass index from which a person counts as obese.
WEIGHT_RANGE_KG = (0, 200)
HEIGHT_RANGE_CM = (0, 250)
BMI_KG_M2 = 30
# Definition 4 takes the norm of a record and gives no units: ours is that 1 cm counts as 1 kg.
KG_PER_CM = 1
# Lowest and highest accuracy of Figure 4, in 1/kg.
ACCURACIES_PER_KG = (0.01, 10)
# Accuracies of Figure 5, in 1/kg, and the sizes of its bins.
HISTOGRAM_RHO_PER_KG = (1, 0.2, 0.1, 0.05)
HISTOGRAM_BIN: Final = {"weight_kg": 2.5, "height_cm": 2.5}
# Accuracies of the lattice, in 1/kg.
LATTICE_RHO_PER_KG = (0.05, 0.1)

# The policies that are counted: the printed one, and the one that holds instead.
_COUNTED_POLICIES = (CollapseBlurring, StretchBlurring)
_BATCH_SIZE = 32_000  # number of records whose arrays stay in a processor's cache

Policies = Mapping[str, type[Blurring]]


def list_compared_policies() -> Policies:
    """List the blurring policies that the tables of Figures 4 and 5 compare, by name."""
    return {name: each for name, each in load_blurring_policies().items() if each.is_compared}


def build_bmi_threshold(bmi_kg_m2: float) -> PolynomialThreshold:
    """Build the threshold of a body mass index (kg/m^2): weight in kg by height in cm."""
    per_cm2 = Fraction(str(bmi_kg_m2)) / 100**2
    return PolynomialThreshold((0, 0, per_cm2.numerator), per_cm2.denominator)


def build_bmi_problem(
    *,
    weight_range_kg: Sequence[float] = WEIGHT_RANGE_KG,
    height_range_cm: Sequence[float] = HEIGHT_RANGE_CM,
    bmi_kg_m2: float = BMI_KG_M2,
) -> tuple[PolynomialThreshold, PublicRange]:
    """Build a pair: the threshold of a body mass index, and the range of (weight kg, height cm)."""
    return build_bmi_threshold(bmi_kg_m2), PublicRange(
        *zip(weight_range_kg, height_range_cm, strict=True)
    )


def build_guarantees_table(
    *, rho_per_kg: Sequence[float], kg_per_cm: float = KG_PER_CM, **public: Any
) -> pd.DataFrame:
    """Compute the budget and the privacy (nats) of the compared policies by accuracy (Figure 4).

    ``public`` goes to :func:`build_bmi_problem`. Statistics: ``band_kg_cm``, size of the band;
    ``epsilon``, the budget of Theorem 4; ``epsilon_times_rho_per_kg``; ``privacy_nats``, the
    measure of Equation 9; ``privacy_h0x_nats``, that measure with h0(X) in place of h0(Y);
    ``privacy_minus_log1p_epsilon_nats`` and ``privacy_h0x_minus_log1p_epsilon_nats``, which
    Definition 3 requires to be 0 or more; ``undecided_share`` and ``identifiable_share`` of the
    public range.
    """
    problem = (*build_bmi_problem(**public), rho_per_kg, list_compared_policies())
    return build_policy_guarantees_table(*problem, kg_per_cm=kg_per_cm)


@returns_table("policy", "rho_per_kg")
def build_policy_guarantees_table(
    threshold: PolynomialThreshold,
    box: PublicRange,
    rho_per_kg: Sequence[float],
    policies: Policies,
    kg_per_cm: float = 1.0,
) -> Rows:
    """Compute the rows of :func:`build_guarantees_table` for any threshold, range and policies."""
    rho = np.asarray(rho_per_kg, dtype=float)
    band = np.array([compute_band_measure(threshold, box, each) for each in rho])
    epsilon = compute_budget(band, box.volume)
    for policy, mechanism in policies.items():
        undecided, reports, decided = np.array(
            [
                mechanism.from_parameters(threshold, box, each, kg_per_cm).compute_sizes()
                for each in rho
            ]
        ).T
        # A band that is the whole box leaves nothing decided, so that the privacy is infinite, or
        # undefined if the reports are a curve.
        with np.errstate(divide="ignore", invalid="ignore"):
            by_y, by_x = compute_privacy(reports, decided), compute_privacy(box.volume, decided)
            excess_by_y, excess_by_x = (each - np.log1p(epsilon) for each in (by_y, by_x))
        yield pd.DataFrame(
            {
                "policy": policy,
                "rho_per_kg": rho,
                "band_kg_cm": band,
                "epsilon": epsilon,
                "epsilon_times_rho_per_kg": epsilon * rho,
                "privacy_nats": by_y,
                "privacy_h0x_nats": by_x,
                "privacy_minus_log1p_epsilon_nats": excess_by_y,
                "privacy_h0x_minus_log1p_epsilon_nats": excess_by_x,
                "undecided_share": undecided / box.volume,
                "identifiable_share": 1 - undecided / box.volume,
            }
        )


@returns_table("policy", "rho_per_kg", "cells")
def build_lattice_table(
    *,
    cells: Sequence[int],
    cells_per_record: float,
    rho_per_kg: Sequence[float] = LATTICE_RHO_PER_KG,
    **public: Any,
) -> Rows:
    """Compute each policy's privacy (nats) by counting the cells that reports of a lattice reach.

    Each axis of the public range is cut into a number of cells. Records lie at the middle height of
    each row of cells, and ``cells / cells_per_record`` to a cell along the weight: where a policy
    stretches a short interval over a long one, the reports of a fixed number would leave cells out
    at every resolution. A cell that reports of p0 reach belongs to [Y|p0], and a cell that reports
    of p1 reach belongs to [Y|p1]; sizes are numbers of cells. As the cells shrink, the counts tend
    to the measures that Equation 9 is about.

    Statistics of the policies ``collapse`` and ``stretch``: ``privacy_nats`` and
    ``privacy_h0x_nats``, counted; ``log1p_epsilon_nats``, the privacy that Definition 3 asks for;
    ``privacy_minus_log1p_epsilon_nats``; ``expected_nats``, the privacy of Equation 9 by
    integration; ``allowed_error_nats``, the largest error of a count (:func:`_bound_count_error`);
    ``error_beyond_allowed_nats``, the distance of the counted privacy from the expected one, minus
    the allowed error; ``shortfall_beyond_allowed_nats``, log(1 + epsilon) minus the counted
    privacy, minus the allowed error; ``identifiable_share`` of the records;
    ``largest_change_times_rho`` (at most 1 by Definition 4).
    """
    threshold, box = build_bmi_problem(**public)
    cases = list(itertools.product(_COUNTED_POLICIES, rho_per_kg, cells))
    for policy, rho, count in tqdm(cases, desc="policies on a lattice", unit="run"):
        counted = _count_lattice(policy(threshold, box, rho), count, cells_per_record)
        yield {"policy": policy.name, "rho_per_kg": rho, "cells": count, **counted}


def _count_lattice(blurring: Blurring, count: int, cells_per_record: float) -> dict[str, float]:
    """Compute the statistics of :func:`build_lattice_table` for one policy, with count^2 cells."""
    per_cell = math.ceil(count / cells_per_record)
    low, high = blurring.box.lower[0], blurring.box.upper[0]
    records = low + (high - low) * (np.arange(count * per_cell) + 0.5) / (count * per_cell)
    p0, p1, change, decided = find_reached_cells(blurring, records, count)
    with np.errstate(divide="ignore"):
        by_y = float(compute_privacy((p0 | p1).sum(), (p0 ^ p1).sum()))
        by_x = float(compute_privacy(count**2, (p0 ^ p1).sum()))
        _, reports, proving = blurring.compute_sizes()
        expected = float(compute_privacy(reports, proving))
        promised = float(
            np.log1p(compute_budget(blurring.compute_band_size(), blurring.box.volume))
        )
    allowed = _bound_count_error(blurring, count, per_cell)
    return {
        "privacy_nats": by_y,
        "privacy_h0x_nats": by_x,
        "log1p_epsilon_nats": promised,
        "privacy_minus_log1p_epsilon_nats": by_y - promised,
        "expected_nats": expected,
        "allowed_error_nats": allowed,
        "error_beyond_allowed_nats": abs(by_y - expected) - allowed,
        "shortfall_beyond_allowed_nats": promised - by_y - allowed,
        "identifiable_share": decided,
        "largest_change_times_rho": change * blurring.rho,
    }


def _bound_count_error(blurring: Blurring, count: int, per_cell: int) -> float:
    """Bound the error of a counted privacy against that of Equation 9, in nats.

    A line has ``count`` cells, each with ``per_cell`` records.  Only cells that hold an end of an
    interval can be counted wrongly, one for each end.  Where a policy stretches an interval so far
    that its records leave cells out, all cells of the band can.  The lines themselves are sampled
    by the midpoint rule, whose error is smaller than that of the cells by an order of 1/count.
    """
    if blurring.ends is None:
        return math.nan
    box, step = blurring.box, 1 / blurring.rho
    low, high = box.lower[0], box.upper[0]
    heights = box.lower[1] + (box.upper[1] - box.lower[1]) * (np.arange(count) + 0.5) / count
    g = blurring.threshold(heights[:, None])
    has_both_sides = (low < g) & (g < high)
    below, above = np.where(has_both_sides, g - low, step), np.where(has_both_sides, high - g, step)
    widest = np.minimum(step, below) + np.minimum(step, above)
    shortest = blurring.stretched * np.minimum(step, np.minimum(below, above))
    stretched = has_both_sides & (blurring.stretched > 0) & (widest > per_cell * shortest)
    missed_share = float(np.where(stretched, widest, 0).mean()) / (high - low)
    ends_reports, ends_decided = blurring.ends
    _, reports, decided = np.array(blurring.compute_sizes()) / box.volume
    off_reports, off_decided = (
        ends_reports / count + missed_share,
        ends_decided / count + missed_share,
    )
    if min(reports - off_reports, decided - off_decided) <= 0:
        return math.inf  # so few cells bound no error
    return -math.log1p(-off_reports / reports) - math.log1p(-off_decided / decided)


def find_reached_cells(
    blurring: Blurring, records: Floats, count: int
) -> tuple[Bools, Bools, float, float]:
    """Find the cells that reports of p0 and of p1 reach, the largest change and the decided share.

    The policy changes the first coordinate alone, of which ``records``, shape (n,), are those of a
    line; the lines run through the middles of cells. Both masks have shape (count^2,), and the
    share is that of the records whose report proves their hypothesis.
    """
    lower, upper = np.array(blurring.box.lower), np.array(blurring.box.upper)
    width = upper - lower
    lines = lower[1] + width[1] * (np.arange(count) + 0.5) / count
    rows = _find_cells(lines, lower[1], width[1], count)[:, None]
    reached = np.zeros((2, count * count), dtype=bool)
    change = decided = 0.0
    pieces = np.array_split(records, math.ceil(len(records) / _BATCH_SIZE))
    lines_at_once = max(1, _BATCH_SIZE // len(pieces[0]))
    for piece, first in itertools.product(pieces, range(0, count, lines_at_once)):
        slab = slice(first, first + lines_at_once)
        reports, is_p0, is_decided = blurring.release_lines(piece, lines[slab, None])
        change = max(change, float(np.abs(reports - piece).max()))
        decided += int(is_decided.sum())
        cells = _find_cells(reports, lower[0], width[0], count) * count + rows[slab]
        reached.ravel()[is_p0 * (count * count) + cells] = True
    return reached[1], reached[0], change, decided / (len(records) * count)


def _find_cells(values: Floats, lower: float, width: float, count: int) -> Ints:
    """Find the index of the cell of an interval that holds each value, from 0 to count - 1."""
    # The printed policy reports a threshold outside the range as it is.
    return np.clip(((values - lower) / width * count).astype(np.int64), 0, count - 1)


@returns_table("policy", "degree")
def build_thresholds_table(
    *, seed: int, degrees: Sequence[int], thresholds: int, cells: int, cells_per_record: float
) -> Rows:
    """Count the random thresholds that break Theorem 4, with privacy counted on lattices.

    ``thresholds`` of each degree are drawn; they stay inside the range of the first coordinate.
    Cells are those of :func:`build_lattice_table`. Statistics: ``thresholds``;
    ``short_of_epsilon``, thresholds whose privacy is below log(1 + epsilon) by more than the
    allowed error; ``off_expected``, thresholds whose privacy differs by more than the allowed error
    from that of the integral; ``largest_change_times_rho``; ``changes_above_1``, thresholds with a
    change times rho above 1, up to rounding.
    """
    for degree in degrees:
        random = make_generator(seed, "thresholds", "inside", degree)
        drawn = [_draw_threshold(random, degree) for _ in range(thresholds)]
        for policy in _COUNTED_POLICIES:
            counted = [_count_lattice(policy(*each), cells, cells_per_record) for each in drawn]
            table = pd.DataFrame(counted)
            yield {
                "policy": policy.name,
                "degree": degree,
                "thresholds": len(table),
                "short_of_epsilon": (table["shortfall_beyond_allowed_nats"] > 0).sum(),
                "off_expected": (table["error_beyond_allowed_nats"] > 0).sum(),
                "largest_change_times_rho": table["largest_change_times_rho"].max(),
                "changes_above_1": (table["largest_change_times_rho"] > 1 + 1e-9).sum(),
            }


def _draw_threshold(
    random: np.random.Generator, degree: int
) -> tuple[PolynomialThreshold, PublicRange, float]:
    """Draw a polynomial threshold, a range that it stays in, and an accuracy."""
    start, length = random.integers(-20, 20), random.integers(2, 40)
    ends = np.array([[float(start)], [float(start + length)]])
    # Chebyshev polynomials have turning points all over their interval.
    shape = np.polynomial.Chebyshev(random.normal(size=degree + 1), domain=ends[:, 0])
    coefficients = shape.convert(kind=np.polynomial.Polynomial).coef
    threshold = build_polynomial_threshold([float(f"{each:.6g}") for each in coefficients])
    low, high = (float(each[0]) for each in threshold.bounds(ends[:1], ends[1:]))
    margins = random.uniform(0.05, 1.0, 2) * max(high - low, 1.0)
    bottom, top = low - margins[0], high + margins[1]
    box = PublicRange((bottom, ends[0, 0]), (top, ends[1, 0]))
    return threshold, box, 1 / (random.uniform(0.05, 0.2) * (top - bottom))


def select_bodies(survey: pd.DataFrame) -> Floats:
    """Select (weight in kg, height in cm) of the respondents who gave both, shape (n, 2)."""
    complete = survey[["weight_kg", "height_cm"]].dropna()
    if complete.empty:
        raise DataError(
            "no respondent of the survey gave both weight and height. "
            "Check that the file is the young people survey."
        )
    return complete.to_numpy(dtype=float)


def build_survey_tables(
    survey: pd.DataFrame,
    *,
    rho_per_kg: Sequence[float],
    kg_per_cm: float = KG_PER_CM,
    histogram_rho_per_kg: Sequence[float] = HISTOGRAM_RHO_PER_KG,
    histogram_bin: Mapping[str, float] = HISTOGRAM_BIN,
    **public: Any,
) -> dict[str, pd.DataFrame]:
    """Count the people of the survey whom each policy leaves undecided, and bin them (Figure 5).

    ``public`` goes to :func:`build_bmi_problem`. Bins start at 0 and hold their lower edge.

    ``people``, for both lists of accuracies: ``people``; ``moved`` and ``moved_share``, people
    whose report differs from their record; ``obese``, people with p0; ``obese_identifiable``,
    people with p0 whose report proves it; ``identifiable``, people whose report proves their
    hypothesis; ``undecided``, all other people; ``undecided_bound``, people whom some policy of
    this class and accuracy can leave undecided, and ``undecided_minus_bound``;
    ``largest_change_kg`` and ``mean_change_kg``, in the norm of the complete record, where 1 cm
    weighs ``kg_per_cm``; ``change_beyond_accuracy_kg``, the largest change minus 1/rho;
    ``least_mean_change_kg``, a lower bound of the mean change of any policy that leaves these
    people undecided, and ``mean_change_above_least_kg``; ``histogram_change_share``, the smallest
    share of people who must change their bin to turn the histogram of the records into that of the
    reports.

    ``histogram``: the people in each bin that holds any, by its lower edges. Policy ``none`` with
    an infinite rho is the unblurred data.
    """
    size = [histogram_bin["weight_kg"], histogram_bin["height_cm"]]
    problem = (select_bodies(survey), *build_bmi_problem(**public))
    shared = (size, list_compared_policies(), kg_per_cm)
    accuracies = sorted({*map(float, rho_per_kg), *map(float, histogram_rho_per_kg)})
    return {
        "people": _build_people_table(*problem, accuracies, *shared),
        "histogram": _build_histogram_table(*problem, histogram_rho_per_kg, *shared),
    }


@returns_table("policy", "rho_per_kg")
def _build_people_table(
    records: Floats,
    threshold: PolynomialThreshold,
    box: PublicRange,
    rho_per_kg: Sequence[float],
    bin_size: Sequence[float],
    policies: Policies,
    kg_per_cm: float,
) -> Rows:
    """Compute the rows of the table ``people`` of :func:`build_survey_tables`."""
    original = _count_bins(records, bin_size)
    for (policy, mechanism), each in itertools.product(policies.items(), rho_per_kg):
        blurring = mechanism.from_parameters(threshold, box, each, kg_per_cm)
        reports = blurring.release(records)
        change = np.hypot(*((reports - records) * [1, kg_per_cm]).T)
        decided, obese = blurring.is_decided(reports), blurring.is_p0(records)
        undecided, bound = int((~decided).sum()), int(blurring.can_be_undecided(records).sum())
        least = np.where(decided, 0, np.maximum(0, blurring.compute_distance(records) - 1 / each))
        moved = int((change > 0).sum())
        difference = _count_bins(reports, bin_size).sub(original, fill_value=0)
        yield {
            "policy": policy,
            "rho_per_kg": each,
            "people": len(records),
            "moved": moved,
            "moved_share": moved / len(records),
            "obese": obese.sum(),
            "obese_identifiable": (obese & decided).sum(),
            "identifiable": decided.sum(),
            "undecided": undecided,
            "undecided_bound": bound,
            "undecided_minus_bound": undecided - bound,
            "largest_change_kg": change.max(),
            "change_beyond_accuracy_kg": change.max() - 1 / each,
            "mean_change_kg": change.mean(),
            "least_mean_change_kg": least.mean(),
            "mean_change_above_least_kg": change.mean() - least.mean(),
            "histogram_change_share": difference.abs().sum() / 2 / len(records),
        }


@returns_table("policy", "rho_per_kg", "weight_kg", "height_cm")
def _build_histogram_table(
    records: Floats,
    threshold: PolynomialThreshold,
    box: PublicRange,
    rho_per_kg: Sequence[float],
    bin_size: Sequence[float],
    policies: Policies,
    kg_per_cm: float,
) -> Rows:
    """Compute the rows of the table ``histogram`` of :func:`build_survey_tables`."""
    released = {(Identity.name, np.inf): records} | {
        (policy, each): mechanism.from_parameters(threshold, box, each, kg_per_cm).release(records)
        for policy, mechanism in policies.items()
        for each in rho_per_kg
    }
    for (policy, each), reports in released.items():
        counts = _count_bins(reports, bin_size).reset_index(name="people")
        yield counts.assign(policy=policy, rho_per_kg=float(each))


def build_survey_table(survey: pd.DataFrame, *, bmi_kg_m2: float = BMI_KG_M2) -> pd.DataFrame:
    """Count the records and the columns of the survey, as far as the paper describes them.

    ``complete_bodies`` have both weight and height, and ``obese_below_100_cm`` are people whose
    body mass index rests on a height that must be an entry error.
    """
    features = survey.drop(columns="respondent")
    integers = sum(pd.api.types.is_integer_dtype(dtype) for dtype in features.dtypes)
    records = select_bodies(survey)
    obese = records[:, 0] >= build_bmi_threshold(bmi_kg_m2)(records[:, 1:])
    facts = {
        "records": len(survey),
        "features": features.shape[1],
        "integer_features": integers,
        "categorical_features": features.shape[1] - integers,
        "youngest_years": features["age_years"].min(),
        "oldest_years": features["age_years"].max(),
        "complete_bodies": len(records),
        "obese": obese.sum(),
        "obese_below_100_cm": (obese & (records[:, 1] < 100)).sum(),
    }
    return tidy(pd.DataFrame([facts]), [])


def _count_bins(records: Floats, bin_size: Sequence[float]) -> pd.Series:
    """Count people per bin, indexed by the lower edges (weight, height), without empty bins."""
    size = np.asarray(bin_size, dtype=float)
    edges = pd.DataFrame(np.floor(records / size) * size, columns=["weight_kg", "height_cm"])
    return edges.value_counts(sort=False).sort_index()
