"""Section 5: bounds of likelihoods by differences of convex functions."""

import math

import pandas as pd

from noiseless.papers.knowledge import paper
from noiseless.papers.knowledge.convexity import (
    build_envelopes,
    build_least_terms,
    build_logistic_terms,
)
from noiseless.papers.knowledge.health import CHECKUP, build_extended_table, build_truncated_table
from noiseless.statements import (
    Finding,
    Kind,
    Margin,
    bounded,
    corrects,
    equals,
    select,
    universe,
    widen,
)

_ROUNDING = "rounding of floating-point numbers"
_CONVERGED = Margin(0.01, "a chord over 1/256 of the line is off by less")


@universe()
def envelopes() -> pd.DataFrame:
    """Compare H(x) with F(h(x)) on the unit square, and on twelve, each of half the side."""
    return build_envelopes()


@paper.states(
    "Section 5.2 and Appendix D",
    "Consequently, H(x) can act as a concave envelope of F(h(x))",
    reading="by the conditions (1) and (2) of Section 5.2",
    over=envelopes,
)
def sec5_2_envelope(envelopes: pd.DataFrame) -> Finding:
    """H(x) is nowhere below F(h(x)), and comes as near to it as one likes as the box shrinks.
    Checked on a lattice of the unit square and of smaller ones, as the largest shortfall, and as
    the gap in the last.
    """
    return bounded([*envelopes["below"], *envelopes["last_gap"]], at_most=1e-6)


@paper.states(
    "Section 5.2 and Appendix D",
    sec5_2_envelope.quote,
    reading="the least concave majorant",
    over=envelopes,
    of=sec5_2_envelope,
)
def sec5_2_envelope_least(envelopes: pd.DataFrame) -> Finding:
    """It is the least concave function that is nowhere below F(h(x)), as the words are used
    elsewhere; at the corners of a box that one equals F(h(x)). (H is the least one along h, and so
    bounds the extremes less tightly than it might.)
    """
    return equals(envelopes["excess"].max(), 0, within=Margin(1e-9, _ROUNDING))


@universe()
def least_terms() -> pd.DataFrame:
    """Build the least f - g and the least P of a randomized logistic answer, on finer boxes."""
    return build_least_terms()


@paper.states(
    "Section 5.2",
    "Utilizing the branch-and-bound method (Section D), the lower bound of min f(x) - "
    "g(x), i.e., LB in Eq. (17), will converge gradually to min_x P(x).",
    over=least_terms,
)
def sec5_2_converges(terms: pd.DataFrame) -> Finding:
    """The lower bound, the least f(x) - h(x) over ever smaller boxes, converges to the least P(x).
    Checked for a logistic answer on a line cut into 256 boxes, as the difference.
    """
    return equals(terms["bound"].iloc[-1], terms["least"].iloc[-1], within=_CONVERGED)


@corrects(
    sec5_2_converges,
    Kind.MISPRINT,
    fails="f - g is log P there: a least P of 0.2689 has a bound of -1.3133, which is no "
    "probability",
    mend="min log P(x)",
    right_at="Section 5.3, log Pr(o|x) = f(x) - g(x)",
    shown_by="sec5_3_3_difference",
    rests="nothing",
    proof="section-52",
)
def sec5_2_converges_log(terms: pd.DataFrame) -> Finding:
    """It converges to the logarithm of the least P(x)."""
    return equals(terms["bound"].iloc[-1], math.log(terms["least"].iloc[-1]), within=_CONVERGED)


@universe()
def sleep_as_printed() -> pd.DataFrame:
    """Check f and g of the sleep query, at guarantees of 1 and 2 and for both outputs."""
    return widen(build_extended_table(epsilons_nats=(1, 2), **CHECKUP))


@universe()
def sleep_continued() -> pd.DataFrame:
    """Check f and g if the logarithm is continued along its tangent."""
    return widen(build_truncated_table(epsilons_nats=(1, 2), **CHECKUP))


@paper.states(
    "Section 5.3.2",
    "Both f(x) and g(x) are convex (proof is omitted), demonstrating that logPr(o|x) can be "
    "accommodated within DC programming.",
    over=sleep_as_printed,
)
def sec5_3_2(sleep: pd.DataFrame) -> Finding:
    """The functions f and g of a truncated linear regression are convex, with -log t = infinity for
    t <= 0, as disciplined convex programming (the paper's reference [43]) has it. Checked on the
    sleep query of Section 6.3, at the paper's guarantee of 1 and at 2, as the number of pairs of
    points in whose middle f or g is above the mean of its ends.
    """
    midpoints = int(sleep["midpoints"].sum())
    return bounded([sleep["not_convex"].sum()], at_most=0, sharp=midpoints, sharp_wanted=30_000)


@paper.states(
    "Section 5.3.2, the paper's query",
    sec5_3_2.quote,
    reading="the truncated regression that the paper asks, at its guarantee",
    over=sleep_as_printed,
    of=sec5_3_2,
)
def sec5_3_2_query(sleep: pd.DataFrame) -> Finding:
    """Their difference is the log-probability of the answer. Checked on the sleep query at the
    paper's guarantee of 1, as the points at which it is undefined, and its largest error.
    """
    paper_s = select(sleep, epsilon_nats=1)
    found = [*paper_s["undefined"], *paper_s["identity_error"]]
    return equals(found, 0, within=Margin(1e-12, _ROUNDING))


@paper.states(
    "Section 5.3.2, every query",
    sec5_3_2.quote,
    reading="every truncated regression",
    over=sleep_as_printed,
    of=sec5_3_2,
)
def sec5_3_2_every(sleep: pd.DataFrame) -> Finding:
    """Their difference is the log-probability of the answer, for every truncated regression.
    Checked on the sleep query at a guarantee of 2, too, as the number of points at which it is
    undefined.
    """
    return bounded([sleep["undefined"].sum()], at_most=0)


@corrects(
    sec5_3_2_every,
    Kind.READING,
    fails="the sleep query at a guarantee of 2 goes down to -0.25: f and g are both infinite there",
    mend="continue the logarithm along its tangent below 1/(e^ε + 1)",
    true_if="αx + β is positive wherever x may lie, as in the paper's query at its guarantee of 1",
    rests="nothing at the paper's settings",
    proof="section-532",
    over=sleep_continued,
)
def sec5_3_2_continued(sleep: pd.DataFrame) -> Finding:
    """Where alpha x + beta is positive for all x the difference is right. It is right everywhere,
    and both functions stay convex, if the logarithm is continued along its tangent below
    1/(e^epsilon + 1).
    """
    why = "rounding; a bend below 0 would be as large as the step of the grid, 0.001"
    found = [*sleep["identity_error"], *sleep["least_bend"]]
    return equals(found, 0, within=Margin(1e-9, why))


@universe()
def logistic_terms() -> pd.DataFrame:
    """Check log Pr(o|x) as f - g, for three guarantees and both answers."""
    return build_logistic_terms()


@paper.states(
    "Section 5.3.3",
    "Given f(x) and g(x) are both convex (because log(e^x + 1) is convex and theta x + c is a "
    "linear transformation), log Pr(o|x) can be incorporated into DC programming accordingly.",
    over=logistic_terms,
)
def sec5_3_3(terms: pd.DataFrame) -> Finding:
    """The log-likelihood of a logistic regression's answer is the difference of two convex
    functions. Checked along theta x + c from -20 to 20, for three guarantees and both answers, as
    the smallest second difference of either.
    """
    return bounded(terms["least_bend"].tolist(), at_least=-1e-9)


@paper.states(
    "Section 5.3.3",
    "Defining f(x) = log(alpha e^(theta x + c) + beta) and g(x) = log(e^(theta x + c) +"
    " 1), we have log Pr(o|x) = f(x) - g(x).",
    over=logistic_terms,
)
def sec5_3_3_difference(terms: pd.DataFrame) -> Finding:
    """Their difference is that log-likelihood, f(x) - g(x)."""
    return bounded(terms["error"].tolist(), at_most=1e-12)
