"""Appendices 9 to 14: the proofs."""

import itertools
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from noiseless.papers.nsht import cases, paper
from noiseless.papers.nsht.cases import Leak, Policy, leaks, policies
from noiseless.papers.nsht.section_4 import Densities, densities
from noiseless.papers.nsht.section_5 import IN_NATS, NOT_DEFINITION_3, prop1, prop1_priv
from noiseless.papers.nsht.section_6 import searched, thm5
from noiseless.statements import Finding, Kind, all_of, at_most, corrects, equal, for_all, holds

_EVEN = Fraction(1, 2)


@paper.states(
    "Appendix 9",
    prints="Claims 1 to 3: [H|[X|y]] is {p0, p1} where both hypotheses allow y, and {p0} or "
    "{p1} where one alone does",
    over=policies,
)
def appendix9(policies: list[Policy]) -> Finding:
    """At a report of both hypotheses the data have both; at one of p0 alone they have p0, and at
    one of p1 alone p1 (Claims 1 to 3). A test is correct at reports of one hypothesis alone, and a
    consistent one at all of these (Equation 14). Checked as Theorem 1, as sets.
    """
    claims = for_all(
        equal(len(policy.observed), _count_claimed(policy), policy) for policy in policies
    )
    equation_14 = for_all(
        holds(
            test.correct == policy.proving
            if test.is_consistent
            else test.correct <= policy.proving,
            policy,
        )
        for policy in policies
        for test in policy.tests
    )
    return all_of(claims, equation_14)


@paper.states(
    "Appendix 9, the sets of Equation 14",
    prints="aleph(T) as the union of its parts in [[Y|p0]] \\ [[Y|p1]], in [[Y|p0]] intersection "
    "[[Y|p1]] and in [[Y|p0]] \\ [[Y|p0]] (Equation 14, its second line)",
    transcribed=True,
    over=policies,
)
def appendix9_parts(policies: list[Policy]) -> Finding:
    """The three sets of Equation 14 have all reports at which a test is correct."""
    return _compare_parts(policies, lambda p0, p1: (p0 - p1, p0 & p1, p0 - p0))


@corrects(
    appendix9_parts,
    Kind.MISPRINT,
    fails="the third set is empty: a test that is right at a report of p1 alone has none there",
    mend="[[Y|p1]] \\ [[Y|p0]] in the third place",
    right_at="the next line of Equation 14",
    right_words="where the last equality follows from that",
    rests="nothing",
    proof="single-sentences",
)
def appendix9_parts_mended(policies: list[Policy]) -> Finding:
    """With the reports of p1 alone in the third place they have all."""
    return _compare_parts(policies, lambda p0, p1: (p0 - p1, p0 & p1, p1 - p0))


def _compare_parts(policies: list[Policy], cut: Callable[..., Iterable[Any]]) -> Finding:
    """State that parts of the reports have all at which a test is correct."""
    return for_all(
        equal(sum(len(test.correct & part) for part in parts), len(test.correct), policy)
        for policy in policies
        for parts in [tuple(cut(policy.ranges.p0, policy.ranges.p1))]
        for test in policy.tests
    )


def _count_claimed(policy: Policy) -> int:
    """Count the reports whose data have exactly the hypotheses of Claims 1 to 3."""
    p0, p1 = policy.ranges.p0, policy.ranges.p1
    claimed = {
        **{report: {True, False} for report in p0 & p1},
        **{report: {True} for report in p0 - p1},
        **{report: {False} for report in p1 - p0},
    }
    return sum(claimed.get(report) == found for report, found in policy.observed.items())


@paper.states(
    "Appendix 11",
    "Using Le Cam's inequality [49], we get inf P{^H /= H} = 1 - nu(p_Y|p0, p_Y|p1), where nu is "
    "the total variation distance.",
    reading="P is the probability over H and Y, with equal priors",
    over=densities,
)
def appendix11(densities: list[Densities]) -> Finding:
    """By Le Cam's inequality the best test errs with a probability of 1 - nu, nu the total
    variation distance. Checked for equal priors, as the number of pairs of densities with a smaller
    one.
    """
    return for_all(at_most(1 - each.variation, 1 - each.success[_EVEN], each) for each in densities)


@corrects(
    appendix11,
    Kind.READING,
    fails="two equal densities, ν = 0: a coin errs half of the time, not always",
    mend="(1 - ν)/2 for equal priors",
    true_if="P is the sum of both errors, each under its hypothesis",
    rests="nothing: Theorem 3 stays true for every prior, with 1/2 more for equal ones",
    proof="appendix-11",
)
def appendix11_half(densities: list[Densities]) -> Finding:
    """P(error) = (1 - nu)/2 for equal priors, and Theorem 3 with half of it and 1/2."""
    return all_of(
        for_all(
            at_most((1 - each.variation) / 2, 1 - each.success[_EVEN], each) for each in densities
        ),
        for_all(
            at_most(_EVEN + each.floor * each.apart / 4, each.success[_EVEN], each)
            for each in densities
        ),
    )


@paper.states(
    "Appendix 11",
    appendix11.quote,
    reading="P{^H /= H} stands for the sum of the two errors' probabilities",
    over=densities,
    of=appendix11,
)
def appendix11_sum(densities: list[Densities]) -> Finding:
    """By Le Cam's inequality the least sum of the two errors' probabilities is 1 - nu, nu the total
    variation distance. Checked as in the other reading, by trying all tests. (The second equation
    is true then only if P{^H = H} is one minus that sum; the sum of the two probabilities of being
    right is up to 1 + nu.)
    """
    return for_all(at_most(1 - each.variation, each.least_errors, each) for each in densities)


@paper.states(
    "Appendix 11, the three integrals",
    prints="nu(p_Y|p0, p_Y|p1) as the sum of three halves of integrals: over [[Y|p0]] \\ [[Y|p1]], "
    "over [[Y|p1]] \\ [[Y|p0]], and over [[Y|p0]] \\ [[Y|p1]]",
    transcribed=True,
    over=densities,
)
def appendix11_integrals(densities: list[Densities]) -> Finding:
    """The total variation distance is the sum of the three integrals."""
    return for_all(
        equal(2 * each.integrals[0] + each.integrals[1], each.variation, each) for each in densities
    )


@corrects(
    appendix11_integrals,
    Kind.MISPRINT,
    fails="densities on disjoint sets: the sum of the three is larger than the distance",
    mend="the third is over [[Y|p0]] intersection [[Y|p1]]",
    right_at="the sentence on the inequality, below it",
    right_words="where the inequality follows from that",
    rests="nothing: the third integral is left out next",
    proof="appendix-11",
)
def appendix11_integrals_mended(densities: list[Densities]) -> Finding:
    """With the third integral over the reports of both hypotheses it is their sum."""
    return for_all(equal(sum(each.integrals), each.variation, each) for each in densities)


@paper.states(
    "Appendix 11, the rest of the proof",
    prints="the remaining lines of the proof, from nu(p_Y|p0, p_Y|p1) to (epsilon/2) mu([[Y|p0]] "
    "symmetric difference [[Y|p1]])",
    over=densities,
)
def appendix11_bound(densities: list[Densities]) -> Finding:
    """The total variation distance nu is at least half of epsilon times the size of the reports of
    one hypothesis alone, and the best test is right with a probability of at least nu, for every
    prior. Checked as Theorem 3.
    """
    return all_of(
        for_all(at_most(each.floor * each.apart / 2, each.variation, each) for each in densities),
        for_all(
            at_most(each.variation, success, each)
            for each in densities
            for success in each.success.values()
        ),
    )


@paper.states(
    "Appendix 12",
    prints="mu([[Y]]) = mu(([[Y|p0]] symmetric difference [[Y|p1]]) union ([[Y|p0]] intersection "
    "[[Y|p1]])) >= mu([[Y|p0]] symmetric difference [[Y|p1]]) + mu([[Y|p0]] intersection [[Y|p1]])",
    over=cases.interval_policies,
)
def appendix12(policies: list[cases.IntervalPolicy]) -> Finding:
    """All reports have at least the length of those of one hypothesis alone and those of both."""
    sizes = ((each.p0 | each.p1, each.p0 & each.p1, each) for each in policies)
    return for_all(at_most(p.proving + both.measure, all_.measure, p) for all_, both, p in sizes)


@paper.states(
    "Appendix 13",
    "Therefore, L0(Y;H) <= -log_e(1 - exp(-epsilon - 1)).",
    reading=prop1.reading,
    figure="nsht/fig6",
    over=leaks,
)
def appendix13(leaks: list[Leak]) -> Finding:
    """The proof of Proposition 1 ends in L0(Y;H) <= -log(1 - exp(-epsilon - 1)).

    Checked as above.
    """
    return for_all(
        holds(each.keeps(each.exp_privacy - 1, shift=1), each, times=each.times) for each in leaks
    )


@corrects(
    appendix13,
    Kind.SLIP,
    fails="The proof puts exp(-epsilon - 1) where the privacy of Definition 3 gives 1/(1 "
    "+ epsilon). Its bound is smaller still than the one in the proposition, and "
    "every private case breaks it.",
    stands="Proposition 1, where ε-private is Priv ≥ ε in nats",
    shown_by=prop1_priv,
    proof="appendix-13",
)
def appendix13_corrected(leaks: list[Leak]) -> Finding:
    """L0(Y;H) <= log((1 + epsilon)/epsilon), as for Proposition 1."""
    return prop1_priv.check(leaks)


@paper.states(
    "Appendix 13",
    appendix13.quote,
    reading=IN_NATS,
    figure="nsht/fig6",
    over=leaks,
    of=appendix13,
)
def appendix13_priv(leaks: list[Leak]) -> Finding:
    """The proof of Proposition 1 ends in L0(Y;H) <= -log(1 - exp(-epsilon - 1)).

    Checked as above.
    """
    return for_all(
        holds(each.keeps(Fraction(0), shift=1, factor=each.exp_privacy), each, times=each.times)
        for each in leaks
    )


@corrects(
    appendix13_priv,
    Kind.SLIP,
    fails="With Priv >= epsilon the reports that prove the hypothesis fill at most "
    "exp(-epsilon) of the range, and not exp(-epsilon - 1). Every private case "
    "breaks this bound, too.",
    same_as=appendix13,
    proof="appendix-13",
)
def appendix13_priv_corrected(leaks: list[Leak]) -> Finding:
    """L0(Y;H) <= -log(1 - exp(-epsilon)), as Proposition 1 itself says."""
    return prop1_priv.check(leaks)


@paper.adds(
    "Appendix 13",
    appendix13.quote,
    reading=f"epsilon-private is Priv >= 1 + epsilon in nats, {NOT_DEFINITION_3}",
    figure="nsht/fig6",
    over=leaks,
)
def appendix13_one(leaks: list[Leak]) -> Finding:
    """If epsilon-private means Priv >= 1 + epsilon in nats, an epsilon-private policy leaks at most
    L0(Y;H) <= -log(1 - exp(-epsilon - 1)), and no smaller bound holds. Checked as above, for the
    policies with Priv > 1. (Proposition 1 holds then, too, but its bound is larger than it need be.
    No sentence of the paper prints this reading, and the epsilon of Theorem 4 is made for
    Definition 3.)
    """
    # The float may stand for e, as no fraction of small whole numbers lies between the two.
    facts = (
        at_most(each.exp_leakage, each.exp_privacy / (each.exp_privacy - 1), each, times=each.times)
        for each in leaks
        if each.exp_privacy > Fraction(math.e)
    )
    return for_all(facts, attained=0.5)


def _compare_change(bound: Callable[[int], int]) -> Finding:
    """State that a person's part c_i x_i changes by at most ``bound`` of c_i, for x_i in [0, 1]."""
    quarters = [Fraction(k, 4) for k in range(5)]
    return for_all(
        at_most(abs(c * (new - old)), bound(c), {"c_i": c, "x_i": old, "x_i'": new})
        for c, old, new in itertools.product(range(-4, 5), quarters, quarters)
    )


@paper.states(
    "Appendix 14, the change of the answer",
    "Furthermore, [[f(X)|X = x']] subset of [x + delta, x + delta] where delta := c_i (x_i' - x_i) "
    "with |delta| <= c_i (x_max - x_min).",
)
def appendix14_change() -> Finding:
    """The change delta of an answer is at most c_i (x_max - x_min), for any linear query."""
    return _compare_change(lambda c: c)


@corrects(
    appendix14_change,
    Kind.SLIP,
    fails="for c_i = -1 the right side is negative",
    mend="|c_i| (x_max - x_min), as the last line of the proof has it",
    shown_by=thm5,
    proof="single-sentences",
)
def appendix14_change_positive() -> Finding:
    """It is at most |c_i| (x_max - x_min), and reached."""
    return _compare_change(abs)


@paper.states(
    "Appendix 14",
    prints="|Q([[f(X)|X_i = x_i]]) symmetric difference Q([[f(X)|X_i = x_i']])| <= 2 ceil(q "
    "|delta|/w) for q > 1, and 0 for q = 1",
    over=searched,
)
def appendix14(searched: dict[tuple[int, int, int], dict[Fraction, int]]) -> Finding:
    """A change of one person's part of the answer by delta changes at most 2 ceil(q |delta| /
    range) of the quantizer's q reports, and none if q = 1. Checked for every change on a lattice,
    every place of the other people's part, and shares of the range from a sixth to all of it.
    """
    return for_all(
        at_most(
            reports,
            2 * math.ceil(bins_moved) if levels > 1 else 0,
            {
                "levels": levels,
                "part of the range": Fraction(part, parts),
                "moved by levels": bins_moved,
            },
        )
        for (levels, part, parts), found in searched.items()
        for bins_moved, reports in found.items()
    )
