"""Blurring the body mass index (``nsht``, Theorem 4, Example 3, Figures 4 and 5).

1. :func:`budget_table`: what each policy guarantees, by exact integration (Figure 4).
2. :func:`enclosure_table`: the same integral enclosed by finer and finer cells (a second route).
3. :func:`lattice_table`: the policies run on a lattice of records; the ranges of their reports
   are counted instead of derived (a third route, which knows nothing of the formulas).
4. :func:`survey_tables`: what the policies do to the people of the young people survey
   (Figure 5); :func:`survey_table`: what the survey holds.

Weight is the blurred coordinate: records are (weight in kg, height in cm), and rho is in 1/kg.
:func:`budgets`, :func:`enclosures`, :func:`outcomes` and :func:`histograms` do the same for any two
numbers and any polynomial threshold.
"""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from noiseless.errors import DataError
from noiseless.mechanisms.blurring import (
    CollapseBlurring,
    Floats,
    PolynomialThreshold,
    PublicRange,
    StretchBlurring,
    band_measure,
    band_measure_bounds,
    budget,
    privacy,
)
from noiseless.quantities import BODIES
from noiseless.tables import tidy

_RECORDS_AT_ONCE = 500_000

POLICIES = {"collapse": CollapseBlurring, "stretch": StretchBlurring}


def bmi_threshold(bmi_kg_m2: float) -> PolynomialThreshold:
    """Weight in kg at which a person of a height in cm has the given body mass index."""
    per_cm2 = Fraction(str(bmi_kg_m2)) / 100**2
    return PolynomialThreshold((0, 0, per_cm2.numerator), per_cm2.denominator)


def body_box(weight_range_kg: Sequence[float], height_range_cm: Sequence[float]) -> PublicRange:
    """Public range of (weight, height)."""
    lower, upper = zip(weight_range_kg, height_range_cm, strict=True)
    return PublicRange(lower, upper)


def budget_table(
    *,
    weight_range_kg: Sequence[float],
    height_range_cm: Sequence[float],
    bmi_kg_m2: float,
    rho_per_kg: Sequence[float],
) -> pd.DataFrame:
    """Guarantees of both policies for each accuracy (Figure 4).

    Returns
    -------
    DataFrame
        Cells (policy, rho_per_kg).  Statistics: ``band_kg_cm``, size of the band; ``epsilon``,
        the budget of Theorem 4; ``epsilon_times_rho_per_kg``; ``privacy_nats``, the measure of
        Equation 9; ``privacy_h0x_nats``, the same with h0(X) in place of h0(Y);
        ``privacy_minus_log1p_epsilon_nats`` and ``privacy_h0x_minus_log1p_epsilon_nats``: what
        Definition 3 wants to be at least 0.
    """
    threshold, box = bmi_threshold(bmi_kg_m2), body_box(weight_range_kg, height_range_cm)
    return BODIES.named(budgets(threshold, box, rho_per_kg))


def budgets(threshold: PolynomialThreshold, box: PublicRange, rho: Sequence[float]) -> pd.DataFrame:
    """:func:`budget_table` of any threshold that stays inside the box.

    Returns
    -------
    DataFrame
        Cells (policy, rho); statistics without units in their names.
    """
    rho = np.asarray(rho, dtype=float)
    band = np.array([band_measure(threshold, box, each) for each in rho])
    epsilon = budget(band, box.volume)
    decided = box.volume - band
    # The reports of the band are a curve under `collapse` and the whole band under `stretch`.
    reports = {"collapse": decided, "stretch": np.full_like(band, box.volume)}
    tables = []
    for policy in POLICIES:
        # A band that is the whole box leaves nothing decided: infinite, or undefined if the
        # reports are a curve.
        with np.errstate(divide="ignore", invalid="ignore"):
            by_y = privacy(reports[policy], decided)
            by_x = privacy(box.volume, decided)
        tables.append(
            pd.DataFrame(
                {
                    "policy": policy,
                    "rho": rho,
                    "band": band,
                    "epsilon": epsilon,
                    "epsilon_times_rho": epsilon * rho,
                    "privacy_nats": by_y,
                    "privacy_h0x_nats": by_x,
                    "privacy_minus_log1p_epsilon_nats": _excess(by_y, epsilon),
                    "privacy_h0x_minus_log1p_epsilon_nats": _excess(by_x, epsilon),
                },
            )
        )
    return tidy(pd.concat(tables, ignore_index=True), ["policy", "rho"])


def _excess(privacy_nats: Floats, epsilon: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return privacy_nats - np.log1p(epsilon)


def enclosure_table(
    *,
    weight_range_kg: Sequence[float],
    height_range_cm: Sequence[float],
    bmi_kg_m2: float,
    rho_per_kg: Sequence[float],
    cells: Sequence[int],
) -> pd.DataFrame:
    """Certified bounds of the budget on finer and finer cells, beside the exact budget.

    Returns
    -------
    DataFrame
        Cells (rho_per_kg, cells).  Statistics: ``epsilon_lower``, ``epsilon_upper``, ``epsilon``
        (exact), ``inside`` (1 where the bounds hold the exact budget) and ``relative_width`` of
        the bounds.
    """
    threshold, box = bmi_threshold(bmi_kg_m2), body_box(weight_range_kg, height_range_cm)
    return BODIES.named(enclosures(threshold, box, rho_per_kg, cells))


def enclosures(
    threshold: PolynomialThreshold, box: PublicRange, rho: Sequence[float], cells: Sequence[int]
) -> pd.DataFrame:
    """:func:`enclosure_table` of any threshold.

    Returns
    -------
    DataFrame
        Cells (rho, cells).
    """
    grid = pd.DataFrame(
        [(each, count) for each in rho for count in cells], columns=["rho", "cells"]
    )
    bounds = np.array(
        [
            band_measure_bounds(threshold, box, each, int(count))
            for each, count in grid.itertuples(index=False)
        ]
    )
    lower, upper = budget(bounds, box.volume).T
    exact = budget([band_measure(threshold, box, each) for each in grid["rho"]], box.volume)
    with np.errstate(invalid="ignore"):
        width = (upper - lower) / exact
    table = grid.assign(
        epsilon_lower=lower,
        epsilon_upper=upper,
        epsilon=exact,
        inside=(lower <= exact) & (exact <= upper),
        relative_width=width,
    )
    return tidy(table, ["rho", "cells"])


def lattice_table(
    *,
    weight_range_kg: Sequence[float],
    height_range_cm: Sequence[float],
    bmi_kg_m2: float,
    rho_per_kg: Sequence[float],
    cells: Sequence[int],
    records_per_cell: int,
) -> pd.DataFrame:
    """Run the policies on a lattice of records and count the cells that their reports reach.

    Each axis of the public range is cut into a number of cells, and each cell holds
    ``records_per_cell`` squared records.  A cell that reports of p0 reach belongs to [Y|p0],
    likewise for p1; sizes are numbers of cells.  As the cells shrink, the counts tend to the
    measures that Equation 9 is about.

    Returns
    -------
    DataFrame
        Cells (policy, rho_per_kg, cells).  Statistics: ``privacy_nats``,
        ``privacy_h0x_nats``, ``log1p_epsilon_nats``,
        ``privacy_minus_log1p_epsilon_nats`` and ``largest_change_times_rho`` (at most 1 by
        Definition 4).
    """
    threshold, box = bmi_threshold(bmi_kg_m2), body_box(weight_range_kg, height_range_cm)
    cases = list(itertools.product(POLICIES.items(), rho_per_kg, cells))
    rows = []
    for (policy, mechanism), rho, count in tqdm(cases, desc="policies on a lattice", unit="run"):
        p0, p1, change = _reached_cells(mechanism(threshold, box, rho), count, records_per_cell)
        by_y = privacy((p0 | p1).sum(), (p0 ^ p1).sum())
        wanted = np.log1p(budget(band_measure(threshold, box, rho), box.volume))
        rows.append(
            {
                "policy": policy,
                "rho_per_kg": rho,
                "cells": count,
                "privacy_nats": by_y,
                "privacy_h0x_nats": privacy(count**2, (p0 ^ p1).sum()),
                "log1p_epsilon_nats": wanted,
                "privacy_minus_log1p_epsilon_nats": by_y - wanted,
                "largest_change_times_rho": change * rho,
            }
        )
    return tidy(pd.DataFrame(rows), ["policy", "rho_per_kg", "cells"])


def _reached_cells(
    blurring: CollapseBlurring | StretchBlurring, count: int, records_per_cell: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], float]:
    """Cells that the reports of p0 and of p1 reach, and the largest change of a record (kg)."""
    lower, upper = np.array(blurring.box.lower), np.array(blurring.box.upper)
    per_axis = count * records_per_cell
    weights, heights = (
        lower[:, None] + (upper - lower)[:, None] * (np.arange(per_axis) + 0.5) / per_axis
    )
    reached = np.zeros((2, count * count), dtype=bool)
    change = 0.0
    slabs = -(-(per_axis**2) // _RECORDS_AT_ONCE)
    for slab in np.array_split(heights, slabs):
        records = np.stack([axis.ravel() for axis in np.meshgrid(weights, slab)], axis=1)
        reports = blurring.release(records)
        change = max(change, float(np.abs(reports[:, 0] - records[:, 0]).max()))
        position = np.floor((reports - lower) / (upper - lower) * count).astype(int)
        cell = np.ravel_multi_index(tuple(np.minimum(position, count - 1).T), (count, count))
        reached[blurring.is_p0(records).astype(int), cell] = True
    return reached[1], reached[0], change


def bodies(survey: pd.DataFrame) -> Floats:
    """(weight in kg, height in cm) of the respondents who gave both, shape (n, 2).

    Raises
    ------
    DataError
        If nobody did.
    """
    complete = survey[["weight_kg", "height_cm"]].dropna()
    if complete.empty:
        raise DataError("nobody in the survey gave both weight and height: is it the right file?")
    return complete.to_numpy(dtype=float)


def survey_tables(
    survey: pd.DataFrame,
    *,
    weight_range_kg: Sequence[float],
    height_range_cm: Sequence[float],
    bmi_kg_m2: float,
    rho_per_kg: Sequence[float],
    histogram_rho_per_kg: Sequence[float],
    histogram_bin: dict[str, float],
) -> dict[str, pd.DataFrame]:
    """:func:`people_table` for all accuracies, and :func:`histogram_table` for some of them.

    Returns
    -------
    dict
        ``people`` and ``histogram``.
    """
    public = {
        "weight_range_kg": weight_range_kg,
        "height_range_cm": height_range_cm,
        "bmi_kg_m2": bmi_kg_m2,
        "histogram_bin": histogram_bin,
    }
    both = sorted({*map(float, rho_per_kg), *map(float, histogram_rho_per_kg)})
    return {
        "people": people_table(survey, rho_per_kg=both, **public),
        "histogram": histogram_table(survey, rho_per_kg=histogram_rho_per_kg, **public),
    }


def people_table(
    survey: pd.DataFrame,
    *,
    weight_range_kg: Sequence[float],
    height_range_cm: Sequence[float],
    bmi_kg_m2: float,
    rho_per_kg: Sequence[float],
    histogram_bin: dict[str, float],
) -> pd.DataFrame:
    """What each accuracy does to the people of the survey.

    Parameters
    ----------
    survey : DataFrame
        Prepared survey with ``weight_kg`` and ``height_cm``.
    histogram_bin : dict
        As for :func:`histogram_table`.

    Returns
    -------
    DataFrame
        Cells (policy, rho_per_kg).  Statistics: ``people``; ``moved`` and ``moved_share``, those
        whose report differs from their record; ``obese``, those of p0; ``obese_identifiable``,
        those of p0 whose report proves it; ``identifiable``, those of either hypothesis whose
        report proves it; ``largest_change_kg``; ``mean_change_kg``; ``histogram_change_share``,
        the share of people who would have to change their bin to turn the histogram of the
        records into that of the reports.
    """
    threshold, box = bmi_threshold(bmi_kg_m2), body_box(weight_range_kg, height_range_cm)
    size = [histogram_bin["weight_kg"], histogram_bin["height_cm"]]
    return BODIES.named(outcomes(bodies(survey), threshold, box, rho_per_kg, size))


def outcomes(
    records: Floats,
    threshold: PolynomialThreshold,
    box: PublicRange,
    rho: Sequence[float],
    bin_size: Sequence[float],
) -> pd.DataFrame:
    """:func:`people_table` of any records and threshold.

    Parameters
    ----------
    records : ndarray, shape (n, 2)
        The blurred number of each person, then the other one.
    bin_size : pair of float
        Of a histogram, in the units of the two.

    Returns
    -------
    DataFrame
        Cells (policy, rho); statistics ``above`` and ``above_identifiable`` for those of p0, and
        the others without units in their names.
    """
    original = _bin_counts(records, bin_size)
    rows = []
    for (policy, mechanism), each in itertools.product(POLICIES.items(), rho):
        blurring = mechanism(threshold, box, each)
        reports = blurring.release(records)
        change = np.abs(reports[:, 0] - records[:, 0])
        decided, above = blurring.is_decided(reports), blurring.is_p0(records)
        moved = int((change > 0).sum())
        difference = _bin_counts(reports, bin_size).sub(original, fill_value=0)
        rows.append(
            {
                "policy": policy,
                "rho": each,
                "people": len(records),
                "moved": moved,
                "moved_share": moved / len(records),
                "above": above.sum(),
                "above_identifiable": (above & decided).sum(),
                "identifiable": decided.sum(),
                "largest_change": change.max(),
                "mean_change": change.mean(),
                "histogram_change_share": difference.abs().sum() / 2 / len(records),
            }
        )
    return tidy(pd.DataFrame(rows), ["policy", "rho"])


def histogram_table(
    survey: pd.DataFrame,
    *,
    weight_range_kg: Sequence[float],
    height_range_cm: Sequence[float],
    bmi_kg_m2: float,
    rho_per_kg: Sequence[float],
    histogram_bin: dict[str, float],
) -> pd.DataFrame:
    """Two-dimensional histograms of the reports (Figure 5), of the records themselves first.

    Parameters
    ----------
    survey : DataFrame
        Prepared survey with ``weight_kg`` and ``height_cm``.
    histogram_bin : dict
        ``weight_kg`` and ``height_cm``: the size of a bin; bins start at 0 and hold their lower
        edge.

    Returns
    -------
    DataFrame
        Cells (policy, rho_per_kg, weight_kg, height_cm), the last two the lower edges of a bin
        that holds anybody.  Policy ``none`` with an infinite rho is the unblurred data.
        Statistic: ``people``.
    """
    threshold, box = bmi_threshold(bmi_kg_m2), body_box(weight_range_kg, height_range_cm)
    size = [histogram_bin["weight_kg"], histogram_bin["height_cm"]]
    return BODIES.named(histograms(bodies(survey), threshold, box, rho_per_kg, size))


def histograms(
    records: Floats,
    threshold: PolynomialThreshold,
    box: PublicRange,
    rho: Sequence[float],
    bin_size: Sequence[float],
) -> pd.DataFrame:
    """:func:`histogram_table` of any records and threshold.

    Parameters
    ----------
    records, threshold, box, rho, bin_size
        As for :func:`outcomes`.

    Returns
    -------
    DataFrame
        Cells (policy, rho, x1, x2).
    """
    released = {("none", np.inf): records} | {
        (policy, each): mechanism(threshold, box, each).release(records)
        for policy, mechanism in POLICIES.items()
        for each in rho
    }
    tables = []
    for (policy, each), reports in released.items():
        counts = _bin_counts(reports, bin_size).reset_index(name="people")
        tables.append(counts.assign(policy=policy, rho=float(each)))
    cell = ["policy", "rho", "x1", "x2"]
    return tidy(pd.concat(tables, ignore_index=True)[[*cell, "people"]], cell)


def survey_table(survey: pd.DataFrame, *, bmi_kg_m2: float) -> pd.DataFrame:
    """What the survey holds, as far as the paper tells.

    Returns
    -------
    DataFrame
        One cell.  Statistics: ``records``, ``features``, ``integer_features``,
        ``categorical_features``, ``youngest_years``, ``oldest_years``, ``complete_bodies`` (both
        weight and height), ``obese``, and ``obese_below_100_cm``: people whose body mass index
        rests on a height that must be an entry error.
    """
    features = survey.drop(columns="respondent")
    integers = sum(pd.api.types.is_integer_dtype(dtype) for dtype in features.dtypes)
    records = bodies(survey)
    obese = records[:, 0] >= bmi_threshold(bmi_kg_m2)(records[:, 1:])
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


def _bin_counts(records: Floats, bin_size: Sequence[float]) -> pd.Series:
    """People per bin, indexed by the lower edges (x1, x2) of the bins in use."""
    size = np.asarray(bin_size, dtype=float)
    edges = pd.DataFrame(np.floor(records / size) * size, columns=["x1", "x2"])
    return edges.value_counts(sort=False).sort_index()
