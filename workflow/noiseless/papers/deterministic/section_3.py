"""Section III: measures of privacy, and what processing does to them."""

import math
from fractions import Fraction

from noiseless.papers.deterministic import paper
from noiseless.papers.deterministic.information import (
    LEAST_CELLS,
    Processing,
    compute_map_leakage,
    iterate_least_measures,
    processings,
)
from noiseless.papers.deterministic.searches import accurate_counts
from noiseless.statements import (
    Finding,
    Kind,
    Margin,
    agrees,
    at_most,
    corrects,
    equals,
    find_some,
    for_all,
)
from noiseless.theory.geometry import compute_log_measure
from noiseless.theory.intervals import PiecewiseMap


@paper.states(
    "Theorem III.1",
    "Theorem III.1 (Post Processing). P_i(g o f) >= P_i(f) for both i = 1, 2.",
    over=processings,
)
def thm3_1(processings: list[Processing]) -> Finding:
    """Processing a report raises neither L0 nor I*. Checked for every report and processing of
    small sets; L0 in two ways, from the joint range and as a count of each report, the worse of
    both.
    """
    facts = []
    for each in processings:
        leakage = min(each.before.leakage, compute_map_leakage(each.reports))
        processed = max(each.after.leakage, compute_map_leakage(each.processed))
        facts.append(at_most(processed, leakage, each))
        facts.append(at_most(each.after.parts, each.before.parts, each))
    return for_all(facts)


@paper.states(
    "Proof of Theorem III.1, its first line",
    "For the other measure of privacy note that d0(Z|X) = ess inf over z in [Z] of mu([X|z])",
)
def thm3_1_proof() -> Finding:
    """The least measure of the data with the same report is d0. Checked for all maps of small sets
    of equally large cells and all further maps, as the measure against an upper bound of its
    logarithm, the measure less 1.
    """
    measures = ((Fraction(after, LEAST_CELLS), case) for _, after, case in iterate_least_measures())
    return for_all(at_most(measure, measure - 1, case) for measure, case in measures)


@corrects(
    thm3_1_proof,
    Kind.SLIP,
    fails="by Equation 5 d0 is the logarithm of that measure, which is always the smaller of the "
    "two (0.25 and -1.386 for a fourth of [0, 1]), and it is that of the data given the report",
    mend="d0(X|Z) = log of it",
    shown_by=thm3_1,
    proof="lines-of-proofs",
)
def thm3_1_least_measure() -> Finding:
    """A further map joins sets of data: their least measure can only grow."""
    return for_all(at_most(before, after, case) for before, after, case in iterate_least_measures())


def _compute_unrelated_leakage() -> float:
    """Compute L0, in nats, of a report that says nothing."""
    constant = PiecewiseMap(((Fraction(0), Fraction(1), Fraction(0)),))
    whole, smallest = constant.domain.measure, constant.smallest_conditional
    return compute_log_measure(whole) - compute_log_measure(smallest)


def _compute_unrelated_privacy() -> float:
    """Compute P1, the reciprocal of L0, of a report that says nothing."""
    leakage = _compute_unrelated_leakage()
    return math.inf if leakage == 0 else 1 / leakage


@paper.states(
    "Section III, after Theorem III.1",
    "The best policy for preserving privacy, maximizing the measure of privacy, is to ensure that "
    "X and f(X) are unrelated (making P_i(f) = 0).",
)
def sec3_unrelated() -> Finding:
    """Where X and f(X) are unrelated, the measure of privacy is 0, the best there is. (For a finite
    h0(X).)
    """
    return equals(_compute_unrelated_privacy(), 0)


@paper.states(
    "Section III, after Theorem III.1, the main clause",
    sec3_unrelated.quote,
    of=sec3_unrelated,
    over=processings,
)
def sec3_unrelated_best(processings: list[Processing]) -> Finding:
    """A report has the least leakage, and so the most privacy, just if it is unrelated to the data.
    Checked for every report of small sets, of which those with one value are unrelated.
    """
    return for_all(
        agrees(each.before.leakage == 1, len(set(each.reports)) == 1, each) for each in processings
    )


@corrects(
    sec3_unrelated,
    Kind.MISPRINT,
    fails="P_i is the reciprocal of a leakage; unrelated reports leak 0, so that P_i is infinite, "
    "and 0 is the worst privacy there is",
    mend="making P_i(f) infinite",
    main_clause="unrelated reports are the most private ones",
    shown_by=sec3_unrelated_best,
    rests="nothing",
    proof="section-iii",
)
def sec3_unrelated_infinite() -> Finding:
    """The measure of privacy is infinite where X and f(X) are unrelated."""
    return equals(_compute_unrelated_privacy(), math.inf)


@corrects(
    sec3_unrelated,
    reading="P_i is the leakage that it is the reciprocal of. Then it is 0 for unrelated reports, "
    "but that is the least that there is, and not the largest; four reports have 1.39",
    over=accurate_counts,
)
def sec3_unrelated_leakage(counts: tuple[int, int]) -> Finding:
    """The leakage of unrelated reports is 0, and four reports have I* = 1.39."""
    return equals(
        {"unrelated": _compute_unrelated_leakage(), "four reports": math.log(counts[0])},
        {"unrelated": 0, "four reports": 1.3863},
        within=Margin(0.0001, "four decimals of log(4)"),
    )


@paper.states(
    "Proposition III.1, Equation 13a",
    prints="I*(X; g(f(X))) <= I*(f(X); g(f(X)))",
    over=processings,
)
def prop3_1(processings: list[Processing]) -> Finding:
    """I*(X; g(f(X))) <= I*(f(X); g(f(X))). Checked for every f and g of small sets. (Both sides are
    the logarithm of the number of values of g o f, so they are equal, and what is relaxed in
    Equation 14 is the set of policies alone.)
    """
    facts = []
    for each in processings:
        values = len(set(each.processed))  # what both sides count
        parts = max(each.after.parts, values), min(each.of_answer.parts, values)
        facts.append(at_most(*parts, each))
    return for_all(facts)


@paper.states(
    "Section III, after Equation 14",
    "Note that such a relaxation is not possible for the privacy measure (10a) because this "
    "measure of information is not symmetric and thus the data processing inequality does not hold "
    "for it in both directions.",
    over=processings,
)
def sec3_leakage(processings: list[Processing]) -> Finding:
    """Equation 13a is not true of the leakage L0. Checked for every f and g of small sets, as the
    number of those for which L0(X; g(f(X))) > L0(f(X); g(f(X))).
    """
    return find_some(
        at_most(each.after.leakage, each.of_answer.leakage, each) for each in processings
    )
