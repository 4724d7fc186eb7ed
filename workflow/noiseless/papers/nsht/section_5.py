"""Section 5: privacy against an adversary who tests a hypothesis."""

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from noiseless.mechanisms.blurring import compute_privacy
from noiseless.mechanisms.policies.collapse import CollapseBlurring
from noiseless.papers.nsht import paper
from noiseless.papers.nsht.blurring import (
    HISTOGRAM_RHO_PER_KG,
    build_bmi_problem,
    build_lattice_table,
    build_thresholds_table,
)
from noiseless.papers.nsht.cases import Leak, Policy, leaks
from noiseless.statements import (
    Finding,
    Kind,
    Margin,
    all_of,
    at_most,
    bounded,
    corrects,
    equals,
    falls,
    for_all,
    holds,
    less,
    table,
    universe,
    widen,
)
from noiseless.theory.hypotheses import ReportRanges, enumerate_policies
from noiseless.theory.intervals import IntervalUnion

NOT_DEFINITION_3 = "which is not Definition 3"
IN_NATS = f"epsilon-private is Priv >= epsilon in nats, {NOT_DEFINITION_3}"
_ROUNDING = Margin(1e-9, "rounding of floating-point logarithms")
_THEOREM_4 = "Then, g_Y is rho-accurate and epsilon-private."

budget = table("nsht/blurring_budget")
bound = table("nsht/leakage_bound")
people = table("nsht/blurring_people")
survey = table("nsht/blurring_survey")


def select_curve(
    frame: pd.DataFrame, policy: str, statistic: str, along: str | list[str] = "rho_per_kg"
) -> Any:
    """Select a statistic of a policy, along the accuracies."""
    return frame[frame["policy"] == policy].set_index(along)[statistic]


# Equations 9 and 10 -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """Policies with the same exp Priv and numbers of proving and of all reports; the first one."""

    exp_privacy: Fraction
    proving: int
    reports: int
    policy: Policy

    def list_numbers(self) -> Mapping[str, Any]:
        """List the first policy and its privacy."""
        return {**self.policy.list_numbers(), "exp Priv": self.exp_privacy}


def _join(private: Measured, other: Measured) -> Mapping[str, Any]:
    """Join the numbers of a pair, the more private policy first."""
    return {
        f"{name}, {which}": number
        for which, policy in (("more private", private), ("less private", other))
        for name, number in policy.list_numbers().items()
    }


@universe()
def pairs() -> list[tuple[Measured, Measured, int]]:
    """List the pairs of policies for equal data and hypothesis on up to five outcomes.

    The more private policy is the first; the last number says how many such pairs there are.
    """
    found = []
    for outcomes in range(3, 6):
        first: dict[tuple[bool, ...], dict[tuple[Fraction, int, int], Policy]] = {}
        count: Counter[tuple[tuple[bool, ...], tuple[Fraction, int, int]]] = Counter()
        for policy in itertools.starmap(Policy, enumerate_policies(outcomes)):
            if policy.ranges.exp_privacy is not None:
                sizes = policy.ranges.exp_privacy, len(policy.proving), len(set(policy.reports))
                first.setdefault(policy.hypotheses, {}).setdefault(sizes, policy)
                count[policy.hypotheses, sizes] += 1
        for hypotheses, by_sizes in first.items():
            for one, other in itertools.combinations(sorted(by_sizes), 2):
                if one[0] != other[0]:
                    number = count[hypotheses, one] * count[hypotheses, other]
                    private, open_ = (Measured(*each, by_sizes[each]) for each in (other, one))
                    found.append((private, open_, number))
    return found


@paper.states(
    "Section 5, after Equation 10",
    "Increasing the privacy measure Priv(g_Y) implies that the size of the set [[Y|p0]] symmetric "
    "difference [[Y|p1]] measured by its volume or cardinality is decreased, thus degrading the "
    "performance of any test employed by the adversary in light of Theorem 2.",
    reading="any two policies",
    over=pairs,
)
def sec5_order(pairs: list[tuple[Measured, Measured, int]]) -> Finding:
    """Of two policies for the same data and hypothesis the one with the larger privacy measure has
    fewer reports that prove a hypothesis. Checked for all pairs of policies on up to five outcomes,
    as the number of pairs in which it has more.
    """
    return for_all(
        at_most(private.proving, other.proving, _join(private, other), times=times)
        for private, other, times in pairs
    )


@corrects(
    sec5_order,
    Kind.READING,
    fails="five outcomes, the last of p1. It alone has a report of its own: two reports "
    "prove, Priv = 0. The first and last share one of four reports: three prove, "
    "Priv = log 4/3",
    mend="compare policies with as many reports",
    true_if="the more private policy has at most as many reports",
    rests="nothing",
    proof="section-5",
)
def sec5_order_no_more(pairs: list[tuple[Measured, Measured, int]]) -> Finding:
    """A larger Priv means a smaller set if the more private policy has at most as many reports.

    (Or, if Y is continuous, reports of at most the same volume.)
    """
    return for_all(
        less(private.proving, other.proving, _join(private, other), times=times)
        for private, other, times in pairs
        if private.reports <= other.reports
    )


@paper.states(
    "Section 5, after Equation 10",
    sec5_order.quote,
    reading="two policies with the same h0(Y)",
    over=pairs,
    of=sec5_order,
)
def sec5_order_same(pairs: list[tuple[Measured, Measured, int]]) -> Finding:
    """Of two policies for the same data and hypothesis and with the same number of reports, the one
    with the larger privacy measure has fewer reports that prove a hypothesis. Checked as in the
    other reading, as the number of pairs in which it has as many or more.
    """
    return for_all(
        less(private.proving, other.proving, _join(private, other), times=times)
        for private, other, times in pairs
        if private.reports == other.reports
    )


@paper.states(
    "Section 5, before Definition 4",
    "Evidently, we must balance the need for privacy against accuracy (or utility) of the report; "
    "otherwise the best policy in terms of protecting privacy is to report nothing.",
    reading="discrete reports, Equation 10, whose logarithm of 0 is minus infinity",
)
def sec5_nothing() -> Finding:
    """No policy is more private than the one that reports the same for everybody, whose report
    proves nothing. Checked for every policy and hypothesis on up to four outcomes.
    """
    private, proves_nothing = [], []
    for outcomes in (2, 3, 4):
        for policy in itertools.starmap(Policy, enumerate_policies(outcomes)):
            nothing = ReportRanges.from_outcomes([0] * outcomes, policy.hypotheses)
            priv, most = (
                math.inf if each.exp_privacy is None else each.exp_privacy
                for each in (policy.ranges, nothing)
            )
            private.append(holds(priv <= most, policy))
            proves_nothing.append(holds(not nothing.p0 ^ nothing.p1, policy))
    return all_of(for_all(private), for_all(proves_nothing))


_BANDS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))  # half-widths of bands in [-1, 1]


@paper.states(
    "Section 5, before Definition 4",
    sec5_nothing.quote,
    reading="continuous reports, by the number that Equation 9 gives",
    of=sec5_nothing,
)
def sec5_nothing_continuous() -> Finding:
    """The policy that reports the same for everybody is at least as private as one that stretches
    both sides of a band over it, for three bands.
    """
    point = IntervalUnion.from_intervals((0, 0))
    is_as_private = {}
    for half in _BANDS:
        band = IntervalUnion.from_intervals((-half, half))
        p0, p1 = (band | IntervalUnion.from_intervals(each) for each in ((0, 1), (-1, 0)))
        with np.errstate(divide="ignore", invalid="ignore"):
            nothing, other = (
                float(compute_privacy(float((one | two).measure), float((one ^ two).measure)))
                for one, two in ((point, point), (p0, p1))
            )
        name = f"Priv of one report is {nothing}, of a band of half-width {half}"
        is_as_private[f"{name} {other:.4g}"] = float(nothing >= other)
    return bounded(is_as_private, at_least=1)


@corrects(
    sec5_nothing_continuous,
    Kind.READING,
    fails="one report has measure 0, and so has the empty set: Equation 9 is log 0 - log 0",
    mend="nobody is decided by the one report",
    true_if="it is about people, or discrete reports (Eq. 10)",
    rests="nothing",
    proof="single-sentences",
)
def sec5_nothing_decides_nobody() -> Finding:
    """Nobody is decided by the one report, and by each of the other policies somebody is."""
    point = IntervalUnion.from_intervals((0, 0))
    return bounded([(point ^ point).measure - (1 - half) for half in _BANDS], at_most=-0.25)


# Theorem 4 --------------------------------------------------------------------------------------


@universe(
    smoke={"cells": (50, 100, 200), "cells_per_record": 10},
    paper={"cells": (50, 100, 200, 400, 800), "cells_per_record": 25},
    least={"cells": 200, "cells_per_record": 10},
)
def lattices(cells: Sequence[int], cells_per_record: float) -> pd.DataFrame:
    """Run the policies on lattices of weights and heights, and count the cells of their reports."""
    return widen(build_lattice_table(cells=cells, cells_per_record=cells_per_record))


@universe(
    smoke={"degrees": (0, 1, 2, 3), "thresholds": 4, "cells": 80, "cells_per_record": 5},
    paper={"degrees": (0, 1, 2, 3, 4), "thresholds": 20, "cells": 120, "cells_per_record": 6},
    least={"degrees": 0, "thresholds": 1, "cells": 80, "cells_per_record": 5},
)
def thresholds(seed: int, **sizes: Any) -> pd.DataFrame:
    """Run the policies for random polynomial thresholds, ranges and accuracies, and count."""
    return widen(build_thresholds_table(seed=seed, **sizes))


@paper.states("Theorem 4 and Example 3", "Following Theorem 4, g_Y is rho-accurate.", over=lattices)
def thm4_accuracy(lattices: pd.DataFrame) -> Finding:
    """The blurring policy is rho-accurate; no record is changed by more than 1/rho."""
    changes = select_curve(
        lattices, "collapse", "largest_change_times_rho", ["rho_per_kg", "cells"]
    )
    return bounded(changes, at_most=1)


@paper.states(
    "Theorem 4 with Equation 9",
    _THEOREM_4,
    reading="Equation 9 as printed, with h0(Y)",
    figure="nsht/fig4",
    over=budget,
)
def thm4_privacy(budget: pd.DataFrame) -> Finding:
    """The blurring policy is epsilon-private for the printed epsilon(rho); its privacy measure Priv
    is at least log(1 + epsilon).
    """
    excess = select_curve(budget, "collapse", "privacy_minus_log1p_epsilon_nats")
    return bounded(excess, at_least=0, within=_ROUNDING)


@corrects(
    thm4_privacy,
    fails="the reports of the band form a curve, which has measure 0; all others prove their"
    " hypothesis, so that Priv = 0 for every ρ (run on lattices it falls towards 0 "
    "with the cells)",
    mend="stretch each side of the band over the whole band (`StretchBlurring`): Priv = log(1 + ε) "
    "exactly where γ is inside the range of x_i; or h0(X) in place of h0(Y) in Equation 9",
    rests="Remark 1 and Figure 4 are about the formula ε(ρ), which stands",
    proof="theorem-4-other-thresholds-and-ranges",
)
def thm4_privacy_of_stretching(budget: pd.DataFrame) -> Finding:
    """A policy that stretches each side of the band over all of it has Priv = log(1 + epsilon).

    The printed policy has it only if h0(X) takes the place of h0(Y) (nsht-thm4-privacy-h0x).
    """
    excess = select_curve(budget, "stretch", "privacy_minus_log1p_epsilon_nats")
    return bounded(excess, at_least=0, within=_ROUNDING)


@corrects(
    thm4_privacy,
    reading="h0(Y) of Equation 9 counts the threshold as the lattice of the reports does, "
    "by cells. The privacy is positive then, and short of log(1 + epsilon) by more "
    "than a count can be off",
    over=lattices,
)
def thm4_privacy_of_cells(lattices: pd.DataFrame) -> Finding:
    """The privacy is short of log(1 + epsilon) then, by more than a count can be off."""
    short = select_curve(lattices, "collapse", "shortfall_beyond_allowed_nats")
    return bounded([short.max()], at_least=0.1)


@paper.states(
    "Theorem 4 with Equation 9",
    "Then, g_Y is rho-accurate and epsilon-private.",
    reading="h0(X) in the place of h0(Y) in Equation 9",
    figure="nsht/fig4",
    over=budget,
    of=thm4_privacy,
)
def thm4_privacy_h0x(budget: pd.DataFrame) -> Finding:
    """The blurring policy has a privacy of exactly log(1 + epsilon) for the printed
    epsilon(rho).
    """
    excess = select_curve(budget, "collapse", "privacy_h0x_minus_log1p_epsilon_nats")
    return equals(excess, 0, within=_ROUNDING)


@paper.states("Theorem 4, by running the policy", _THEOREM_4, over=lattices, of=thm4_privacy)
def thm4_privacy_run(lattices: pd.DataFrame) -> Finding:
    """Counted on lattices of records (no formula involved), the reports of the blurring policy
    leave a privacy of at least log(1 + epsilon), up to what a count can be off, for every rho and
    number of cells that was tried.
    """
    keys = ["rho_per_kg", "cells"]
    return bounded(
        select_curve(lattices, "collapse", "shortfall_beyond_allowed_nats", keys), at_most=0
    )


@corrects(
    thm4_privacy_run,
    fails="The privacy that is counted falls in proportion to the size of a cell, towards"
    " 0, as the curve of the reports covers ever fewer cells.",
    same_as=thm4_privacy,
    proof="theorem-4-other-thresholds-and-ranges",
)
def thm4_privacy_run_stretching(lattices: pd.DataFrame) -> Finding:
    """The reports of the stretching policy leave log(1 + epsilon), up to what a count can be off
    (one cell at each end of an interval of reports, and the cells of a band that is stretched too
    much for its records), which falls as the cells and the records in them grow. The measure itself
    says little of people (nsht-eq9-infinite).
    """
    return bounded(select_curve(lattices, "stretch", "shortfall_beyond_allowed_nats"), at_most=0)


@paper.states(
    "Theorem 4, other thresholds and ranges", _THEOREM_4, over=thresholds, of=thm4_privacy
)
def thm4_thresholds(thresholds: pd.DataFrame) -> Finding:
    """The blurring policy is epsilon-private for random polynomial thresholds inside random ranges,
    counted on lattices; the number of those with less privacy.
    """
    return _count_short(thresholds, "collapse")


@corrects(
    thm4_thresholds,
    fails="As in nsht-thm4-privacy-run; not one of these thresholds gives the printed "
    "policy the privacy that is claimed.",
    same_as=thm4_privacy,
    proof="theorem-4-other-thresholds-and-ranges",
)
def thm4_thresholds_stretching(thresholds: pd.DataFrame) -> Finding:
    """The stretching policy has it for each of them, because they are inside the range of x_i for
    every x_-i. Where a threshold leaves that range, only the lines with both sides count.
    """
    return _count_short(thresholds, "stretch")


def _count_short(thresholds: pd.DataFrame, policy: str) -> Finding:
    of_policy = thresholds[thresholds["policy"] == policy]
    return for_all(
        holds(is_enough, {"degree of the threshold": row.degree}, times=times)
        for row in of_policy.itertuples()
        for is_enough, times in (
            (False, int(row.short_of_epsilon)),
            (True, int(row.thresholds - row.short_of_epsilon)),
        )
        if times
    )


@paper.states(
    "Fig. 4",
    "As expected from Remark 1, by increasing accuracy, the privacy guarantee can only be reduced "
    "and vice versa.",
    figure="nsht/fig4",
    over=budget,
)
def fig4_decreasing(budget: pd.DataFrame) -> Finding:
    """The privacy budget falls as the accuracy grows."""
    return falls(select_curve(budget, "collapse", "epsilon"))


_WIDER = (
    "The wider the region in which the transition is blurred, the lower the accuracy and the "
    "higher the privacy become."
)


@paper.states(
    "Sections 1 and 5",
    _WIDER,
    says="The wider the blurred region, the lower the accuracy and the higher the privacy.",
    reading="the privacy is the budget epsilon(rho) that Theorem 4 prints",
    label="by the formula of Theorem 4",
    figure="nsht/fig4",
    over=budget,
)
def sec5_wider(budget: pd.DataFrame) -> Finding:
    """The budget rises with the width of the region, 2/rho, and the accuracy rho falls with it."""
    return falls(select_curve(budget, "collapse", "epsilon"))


def _select_privacy(budget: pd.DataFrame, policy: str) -> pd.Series:
    """Select the privacy of a policy by Equation 9, in nats, along the accuracies."""
    excess = select_curve(budget, policy, "privacy_minus_log1p_epsilon_nats")
    return excess + np.log1p(select_curve(budget, policy, "epsilon"))


@paper.states(
    "Sections 1 and 5",
    _WIDER,
    reading="the privacy is the measure Priv of Equation 9, for the policy of Theorem 4",
    label="by the measure of Equation 9",
    of=sec5_wider,
    figure="nsht/fig4",
    over=budget,
)
def sec5_wider_measured(budget: pd.DataFrame) -> Finding:
    """The privacy that Equation 9 measures rises with the width of the region."""
    return falls(_select_privacy(budget, "collapse"), by=1e-9)


@corrects(
    sec5_wider_measured,
    Kind.READING,
    fails="Priv = 0 for every width: the reports of the region form a curve, without measure",
    mend="a policy that stretches each side over the region (`StretchBlurring`) has Priv = "
    "log(1 + ε), which rises with the width",
    true_if="the privacy is the ε of Theorem 4",
    rests="Theorem 4",
    proof="theorem-4-other-thresholds-and-ranges",
)
def sec5_wider_stretching(budget: pd.DataFrame) -> Finding:
    """That of a policy that stretches each side over the region rises with its width."""
    return falls(_select_privacy(budget, "stretch"), by=1e-9)


def _find_changed(rho: float) -> np.ndarray:
    """Find the weights, from the threshold, that the printed policy changes on a line (kg)."""
    threshold, box = build_bmi_problem()
    height_cm = 200.0  # its threshold, 120 kg, has the room that the widest band needs
    g = float(threshold(np.array([[height_cm]]))[0])
    offsets = np.linspace(-2, 2, 8001) / rho
    records = np.column_stack([g + offsets, np.full(len(offsets), height_cm)])
    reports = CollapseBlurring(threshold, box, rho).release(records)
    return offsets[reports[:, 0] != records[:, 0]]


_LINE = Margin(0.001, "twice the distance of two records of the line")


def _measure_widths() -> dict[str, float]:
    moved = {rho: _find_changed(rho) for rho in HISTOGRAM_RHO_PER_KG}
    return {f"rho = {rho}": (each.max() - each.min()) * rho for rho, each in moved.items()}


@paper.states(
    "Section 5, after Theorem 4",
    "The width of the region in which the data is manipulated is given by 1/rho.",
    reading="the width of the complete region, from edge to edge",
)
def sec5_width() -> Finding:
    """The region in which the policy of Theorem 4 changes data is 1/rho wide.

    Checked by running it on a line with room on both sides, as the width times rho.
    """
    return equals(_measure_widths(), 1, within=_LINE)


@corrects(
    sec5_width,
    Kind.READING,
    fails="Theorem 4 changes all from γ - 1/ρ to γ + 1/ρ",
    mend="2/ρ",
    true_if="on either side of the threshold",
    rests="nothing",
    proof="single-sentences",
)
def sec5_width_two() -> Finding:
    """The region is 2/rho wide, 1/rho on either side of the threshold (nsht-sec5-width-side)."""
    return equals(_measure_widths(), 2, within=_LINE)


@paper.states(
    "Section 5, after Theorem 4",
    sec5_width.quote,
    reading="the width of its part on either side of the threshold",
    of=sec5_width,
)
def sec5_width_side() -> Finding:
    """The region in which the policy of Theorem 4 changes data is 1/rho wide on either side of the
    threshold. Checked as in the other reading.
    """
    widths: dict[str, float] = {}
    for rho in HISTOGRAM_RHO_PER_KG:
        moved = _find_changed(rho)
        widths |= {f"above, rho = {rho}": moved.max() * rho, f"below, {rho}": -moved.min() * rho}
    return equals(widths, 1, within=_LINE)


@paper.states(
    "Remark 1 and Fig. 4 (dashed line)",
    "For large enough rho, it can be seen that [the records of the range within 1/rho "
    "of the threshold are approximately all records within 1/rho of it], and, as a "
    "result, epsilon = O(rho^(-1)). This implies that, for the policy in Theorem 4, we "
    "have epsilon rho = O(1).",
    reading="the range is bounded, as in Example 3",
    figure="nsht/fig4",
    over=budget,
)
def remark1(budget: pd.DataFrame) -> Finding:
    """For large rho the budget falls like 1/rho.

    In Example 3 the band has an area of 2/rho times 250 cm in a range of 200 kg x 250 cm, so
    epsilon rho should tend to 0.01 per kg; at rho = 10 the ends of the band still miss 0.7 %.
    """
    found = select_curve(budget, "collapse", "epsilon_times_rho_per_kg")
    at_10 = found[np.isclose(found.index, 10, rtol=1e-9)]
    return bounded(at_10, at_least=0.0099, at_most=0.0101)


def _multiply_budget(area: float, bands: Mapping[float, float]) -> dict[float, float]:
    """Compute the printed epsilon times rho, from the area of the band at each rho."""
    return {rho: rho / (area / band - 1) for rho, band in bands.items()}


_LARGE_RHO = tuple(10.0**k for k in range(1, 7))


def _bound_box() -> dict[float, float]:
    """Epsilon times rho for the hypothesis x1 < 0 on [-1, 1] x [-4, 4]."""
    return _multiply_budget(16.0, {rho: 16 / rho for rho in _LARGE_RHO})


@paper.states(
    "Remark 1",
    remark1.quote,
    reading="any range with a finite h0(X), which is all that Theorem 4 asks for",
    of=remark1,
)
def remark1_unbounded() -> Finding:
    """For large rho the budget of Theorem 4 times rho stays bounded.

    Checked, as a product that does not grow with rho, on a box and on a range of finite area in
    which one number is unbounded.
    """
    narrowing = {rho: 8 / np.sqrt(rho) for rho in _LARGE_RHO}
    return falls(_bound_box(), _multiply_budget(8.0, narrowing), strictly=False)


@corrects(
    remark1_unbounded,
    Kind.READING,
    fails="|x1| ≤ min(1, 1/x2²): area 8, band 8/√ρ, ε = 1/(√ρ - 1), and ε ρ grows like √ρ",
    mend="ε ρ ≤ 2 m/μ([X]) in the limit, m that measure",
    true_if="the other numbers lie in a set of finite measure",
    rests="nothing",
    proof="remark-1",
)
def remark1_bounded() -> Finding:
    """If the other numbers lie in a set of finite measure m, epsilon rho tends to 2 m/mu([X]) or
    less.
    """
    return falls(_bound_box(), strictly=False)


# Example 3 --------------------------------------------------------------------------------------


@paper.states(
    "Example 3",
    "The dataset consists of 1,010 records with 150 features (139 integer and 11 "
    "categorical) including height, weight, music preferences, eating habits, etc.",
    needs=("young_people",),
    over=survey,
)
def ex3_survey(survey: pd.Series) -> Finding:
    """The survey has 1,010 records of 150 features, 139 integer and 11 categorical."""
    printed = {
        "records": 1010,
        "features": 150,
        "integer_features": 139,
        "categorical_features": 11,
    }
    return equals(survey, printed)


@paper.states(
    "Example 3",
    "We use a dataset of preferences, interests, and demographics of young people, aged"
    " between 15-30, of Slovakian nationality [51].",
    needs=("young_people",),
    over=survey,
)
def ex3_ages(survey: pd.Series) -> Finding:
    """The people of the survey are aged between 15 and 30."""
    return equals(survey, {"youngest_years": 15, "oldest_years": 30})


@paper.states(
    "Fig. 5",
    "As expected, by decreasing rho, the accuracy gets worse; the histogram changes more "
    "drastically.",
    needs=("young_people",),
    figure="nsht/fig5",
    over=people,
)
def fig5_change(people: pd.DataFrame) -> Finding:
    """The less accurate the report, the more drastically the histogram changes."""
    change = select_curve(people, "collapse", "histogram_change_share")
    return falls(change[list(HISTOGRAM_RHO_PER_KG)], strictly=False)


# Proposition 1 ----------------------------------------------------------------------------------

_PROPOSITION_1 = (
    "Proposition 1 (epsilon-Privacy versus Non-Stochastic Information Leakage). L0(Y;H) <= "
    "-log_e(1 - exp(-epsilon))."
)


@paper.states(
    "Proposition 1",
    _PROPOSITION_1,
    reading="epsilon-private is Priv >= log(1 + epsilon), Definition 3 as printed",
    figure="nsht/fig6",
    over=leaks,
)
def prop1(leaks: list[Leak]) -> Finding:
    """An epsilon-private policy leaks at most L0(Y;H) <= -log(1 - exp(-epsilon)).

    Checked on every policy and hypothesis over small universes, and random ones over larger, in
    exact fractions, as the number of cases above the bound.
    """
    return for_all(
        holds(each.keeps(each.exp_privacy - 1), each, times=each.times) for each in leaks
    )


@paper.states(
    "Proposition 1",
    _PROPOSITION_1,
    reading=IN_NATS.replace("nats,", "nats (Equation 9),"),
    figure="nsht/fig6",
    over=leaks,
    of=prop1,
)
def prop1_priv(leaks: list[Leak]) -> Finding:
    """If epsilon-private means Priv >= epsilon in nats, an epsilon-private policy leaks at most
    L0(Y;H) <= -log(1 - exp(-epsilon)), as printed, and no smaller bound holds. Checked as for
    Definition 3, with numbers of reports in the place of measures: with epsilon = Priv, the printed
    bound is the logarithm of exp Priv / (exp Priv - 1), which is the corrected bound of the other
    reading.
    """
    facts = (
        at_most(each.exp_leakage, each.exp_privacy / (each.exp_privacy - 1), each, times=each.times)
        for each in leaks
    )
    return for_all(facts, attained=0.5)


@corrects(
    prop1,
    Kind.READING,
    fails="three outcomes, one of p0 with report a, two of p1 with a and b: half of the "
    "reports prove p1, so ε = 1 by Definition 3 (and 1 bit by Eq. 10), and log 2 = "
    "0.69 > -log(1 - 1/e) = 0.46",
    mend="log((1 + ε)/ε) for Definition 3, attained; -log(1 - 2^-ε) for Eq. 10",
    true_if="ε-private is Priv ≥ ε in nats, which is not Definition 3",
    rests="the curve of Figure 6",
    proof="proposition-1",
)
def prop1_corrected(leaks: list[Leak]) -> Finding:
    """L0(Y;H) <= log((1 + epsilon)/epsilon), which most policies attain."""
    return prop1_priv.check(leaks)


@paper.states(
    "Proposition 1, for discrete reports",
    _PROPOSITION_1,
    reading=f"epsilon-private is Priv >= epsilon in bits (Equation 10), {NOT_DEFINITION_3}",
    over=leaks,
    of=prop1,
)
def prop1_bits(leaks: list[Leak]) -> Finding:
    """If epsilon-private means Priv >= epsilon in bits, an epsilon-private policy leaks at most
    L0(Y;H) <= -log(1 - exp(-epsilon)), the leakage in nats. Checked as for Definition 3, with the
    largest 64th of a bit up to Priv as epsilon. (The leakage in bits is a larger number still.)
    """
    return for_all(
        holds(each.keeps(_round_down_log2(each.exp_privacy)), each, times=each.times)
        for each in leaks
    )


def _round_down_log2(value: Fraction) -> Fraction:
    """Compute the binary logarithm of a value of at least 1, rounded down to a multiple of 1/64."""
    return Fraction((value.numerator**64 // value.denominator**64).bit_length() - 1, 64)


@corrects(
    prop1_bits,
    Kind.READING,
    fails="the exponential is of what Equation 10 gives in bits: epsilon = 1 in the same example",
    same_as=prop1,
    proof="proposition-1",
)
def prop1_bits_corrected(leaks: list[Leak]) -> Finding:
    """L0(Y;H) <= -log(1 - 2^(-epsilon)), in nats or bits as the logarithm is, with equality in the
    example. With epsilon = Priv this is the logarithm of t/(t - 1), t = 2^Priv, the corrected bound
    of the other reading.
    """
    return prop1_priv.check(leaks)


@paper.states(
    "Fig. 6",
    "Figure 6 illustrates the upper bound, developed in Proposition 1, for the non-stochastic "
    "information leakage L0(Y;H) versus epsilon for epsilon-privacy.",
    reading=prop1.reading,
    figure="nsht/fig6",
    over=bound,
)
def fig6_bound(bound: pd.DataFrame) -> Finding:
    """The curve -log(1 - exp(-epsilon)) is an upper bound of the leakage.

    Shown as the curve minus the leakage of a policy that is just epsilon-private.
    """
    excess = bound.set_index("epsilon")["printed_minus_leakage"]
    return bounded(excess, at_least=0, within=_ROUNDING)


@corrects(
    fig6_bound,
    Kind.READING,
    fails="The curve is that of Proposition 1. The policy that leaves [0, 1 + epsilon] "
    "open under p1 and [0, epsilon] under p0 has Priv = log(1 + epsilon), and leaks"
    " log((1 + epsilon)/epsilon), which lies above the curve.",
    same_as=prop1,
    proof="proposition-1",
)
def fig6_bound_corrected(bound: pd.DataFrame) -> Finding:
    """The curve log((1 + epsilon)/epsilon) is the upper bound, and this policy attains it."""
    return equals(bound["corrected_minus_leakage"], 0, within=_ROUNDING)


@paper.states(
    "Fig. 6",
    fig6_bound.quote,
    reading=prop1_priv.reading,
    figure="nsht/fig6",
    over=bound,
    of=fig6_bound,
)
def fig6_bound_priv(bound: pd.DataFrame) -> Finding:
    """The curve -log(1 - exp(-epsilon)) is an upper bound of the leakage, and a policy with Priv =
    epsilon attains it. Shown as the curve minus the leakage of that policy, whose reports are a
    continuous variable.
    """
    return equals(bound["printed_minus_leakage_priv"], 0, within=_ROUNDING)


@paper.states(
    "Fig. 6, its slope",
    "As intuitively expected, by increasing privacy epsilon, the information leakage reduces.",
    reading="the bound on the leakage, which Figure 6 shows",
    figure="nsht/fig6",
    over=bound,
)
def fig6_decreasing(bound: pd.DataFrame) -> Finding:
    """The bound of Proposition 1 falls as epsilon grows."""
    return falls(bound.set_index("epsilon")["printed"])


@paper.states(
    "Fig. 6, its slope",
    fig6_decreasing.quote,
    reading="any two policies for the same data and hypothesis",
    over=pairs,
    of=fig6_decreasing,
)
def fig6_decreasing_pairs(pairs: list[tuple[Measured, Measured, int]]) -> Finding:
    """Of two policies the one with the larger privacy measure does not leak more.

    Checked for one pair of policies of each two sizes, of which neither has Priv = 0.
    """
    return for_all(
        at_most(one.policy.ranges.exp_leakage, two.policy.ranges.exp_leakage, _join(one, two))
        for one, two, _ in pairs
        if two.exp_privacy > 1
    )


@corrects(
    fig6_decreasing_pairs,
    Kind.READING,
    fails="reports a, a of p0 and a, b of p1: exp Priv = exp L0 = 2; a, b and a, c: both are 3/2",
    true_if="it is about the bound, the largest leakage",
    rests="nothing",
    over=leaks,
    proof="single-sentences",
)
def fig6_decreasing_bound(leaks: list[Leak]) -> Finding:
    """L0(Y;H) <= log(t/(t - 1)), t = exp Priv, which falls as the privacy grows."""
    return prop1_priv.check(leaks)


@paper.states(
    "Section 5, after Proposition 1",
    "Note that the upper bound approaches zero as epsilon grows and the non-stochastic information "
    "leakage is also lower bounded by zero; thus the non-stochastic information leakage L0(Y;H) "
    "must also approach zero as epsilon increases.",
    figure="nsht/fig6",
    over=bound,
)
def fig6_vanishes(bound: pd.DataFrame) -> Finding:
    """The leakage approaches zero as epsilon grows.

    (Also by the bound that holds, which is at most 1/epsilon; shown at epsilon = 10.)
    """
    at_10 = bound.loc[np.isclose(bound["epsilon"], 10, rtol=1e-9), "corrected"]
    return bounded(at_10, at_most=0.1)
