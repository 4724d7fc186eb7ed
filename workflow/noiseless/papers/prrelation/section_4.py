"""Section 4: Laplace and Gaussian answers, and the choice of epsilon."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import laplace

from noiseless.adversaries.likelihood_ratio import (
    SideKnowledge,
    compute_floor_f_score,
    compute_laplace_rates,
    compute_laplace_threshold,
    find_laplace_epsilon,
    maximise_laplace_f_score,
)
from noiseless.papers.prrelation import paper
from noiseless.papers.prrelation.cases import (
    F_SCORE,
    F_SCORE_KEYS,
    FLOATS,
    RATES,
    ROUNDING,
    best_f_scores,
    calibrations,
    compare_with_formula,
    curves,
    f_scores,
    list_curves,
    list_numbers,
    rates,
    snap,
)
from noiseless.papers.prrelation.curves import (
    BETAS,
    EPSILONS_NATS,
    KNOWLEDGE,
    build_threshold_table,
)
from noiseless.papers.prrelation.testing import build_rule_table
from noiseless.papers.prrelation.vector import build_vector_table
from noiseless.statements import (
    Drawn,
    Finding,
    Kind,
    Margin,
    PrintedTable,
    as_printed,
    at_most,
    bounded,
    corrects,
    draw,
    equal,
    equals,
    for_all,
    less,
    rises,
    select,
    table,
    universe,
    widen,
)
from noiseless.statements.findings import Fact, Relation

SCORES = ["precision", "recall"]
_YOUNG_PEOPLE = ("young_people",)
_AT = ["epsilon_nats", "false_alarm"]
_BUDGET = ["epsilon_nats", "delta"]
_THEOREM_5 = (
    "The PR-relation of the adversary's hypothesis testing on the outputs of LPM is independent of "
    "the query function Q."
)
_VECTOR_KEYS = ["queries", "epsilon_nats"]
_QUADRATURE = Margin(1e-9, "error of the quadrature")
_STEPS = Margin(1e-9, "rounding of floating-point numbers")
_NOT_FALLING: Mapping[str, Any] = {"strictly": False, "by": -1e-12}  # rounding
_EQUATION_8 = (
    "Therefore, the threshold lambda for the likelihood ratio Lambda(o) can be computed from the "
    "threshold theta for the noisy output o as lambda = e^((2 theta - Q(D) - Q(D')) epsilon/Delta "
    "Q) (8)"
)
_SMALLER = (
    "Therefore, the distance between any two query results computed over two different values of "
    "d_i is smaller than the sensitivity of the query Delta Q = max ||Q(d_ik) - Q(d_i1)||."
)


@universe()
def thresholds() -> pd.DataFrame:
    """Compute the steps of Theorem 3 at each false alarm rate, as printed and mended."""
    return widen(build_threshold_table())


@universe(smoke={"bins": 400}, least={"bins": 10})
def rules(bins: int) -> pd.DataFrame:
    """Compare the thresholds of Theorems 3 and 6 with all tests of a binned answer."""
    return widen(build_rule_table(bins=bins))


@universe(smoke={"queries": (1, 2, 4)}, paper={"queries": (1, 2, 3, 4, 8)}, least={"queries": 2})
def vectors(queries: tuple[int, ...]) -> pd.DataFrame:
    """Compute the best F1 of the adversary of some numbers, and of one with all their epsilon."""
    return widen(build_vector_table(queries=queries))


@dataclass(frozen=True)
class Detection:
    """What an adversary who knows some odds detects, and what the threshold of Theorem 3 does."""

    epsilon_nats: float
    odds: float
    false_alarm: float
    detected: float
    best: float

    def list_numbers(self) -> Mapping[str, Any]:
        """List epsilon, odds and false alarm rate."""
        odds = {"odds against the value": self.odds}
        return {"epsilon": self.epsilon_nats, **odds, "false alarm rate": self.false_alarm}


_FALSE_ALARM = tuple(k / 20 for k in range(1, 20))


@universe()
def adversaries() -> list[Detection]:
    """List the adversaries who accept the bins of an answer with the largest posterior.

    They know the odds of each kind of side knowledge, for the likelier and for the rarer value.
    """
    found = []
    edges = np.linspace(-1, 2, 121)
    for epsilon, coefficients, power in itertools.product(
        EPSILONS_NATS, KNOWLEDGE.values(), (1, -1)
    ):
        odds = SideKnowledge(**coefficients).odds_against ** power
        above = compute_laplace_rates(edges, epsilon)
        present, absent = (-np.diff(np.concatenate(([1.0], each, [0.0]))) for each in above)
        order = np.argsort(-present / (present + odds * absent), kind="stable")
        alarms, hits = (np.append(0.0, np.cumsum(each[order])) for each in (absent, present))
        for alpha in _FALSE_ALARM:
            detected = float(np.interp(alpha, alarms, hits))
            best = compute_best_recall(alpha, epsilon)
            found.append(Detection(epsilon, odds, alpha, detected, best))
    return found


def compute_best_recall(false_alarm: float, epsilon_nats: float) -> float:
    """Compute the recall of the best test of two answers ``epsilon_nats`` scales apart."""
    threshold = compute_laplace_threshold(false_alarm, epsilon_nats)
    return float(compute_laplace_rates(threshold, epsilon_nats)[0])


@dataclass(frozen=True)
class Deniability:
    """A mechanism of three records and two outputs, a gamma and a number of plausible records."""

    shares: tuple[int, ...]
    gamma: Fraction
    plausible: int

    @property
    def rows(self) -> list[list[Fraction]]:
        """For each output and record its probability over that of every record."""
        outputs = (self.shares, tuple(12 - share for share in self.shares))
        return [[Fraction(one, other) for other in output] for output in outputs for one in output]

    @property
    def is_private(self) -> bool:
        """Whether it is log(gamma)-differentially private."""
        return max(map(max, self.rows)) <= self.gamma

    @property
    def is_deniable(self) -> bool:
        """Whether enough records, its own among them, explain each record's outputs (Def. 4)."""
        return all(
            sum(1 / self.gamma <= ratio <= self.gamma for ratio in row) >= self.plausible
            for row in self.rows
        )


@universe()
def deniability() -> list[Deniability]:
    """List the mechanisms with probabilities of twelfths, three gammas and numbers of records."""
    gammas = (Fraction(3, 2), Fraction(2), Fraction(4))
    return [
        Deniability(*each)
        for each in itertools.product(itertools.product(range(1, 12), repeat=3), gammas, (2, 3))
    ]


@dataclass(frozen=True)
class Near:
    """What the best test detects between near values of a record, and between the extreme ones."""

    epsilon_nats: float
    share: Fraction
    false_alarm: float

    def list_numbers(self) -> Mapping[str, Any]:
        """List epsilon, how far apart the values are, and the false alarm rate."""
        apart = {"distance of the values, in sensitivities": self.share}
        return {"epsilon": self.epsilon_nats, **apart, "false alarm rate": self.false_alarm}

    @property
    def near(self) -> float:
        """Recall between the near values."""
        return compute_best_recall(self.false_alarm, float(self.share) * self.epsilon_nats)

    @property
    def extreme(self) -> float:
        """Recall between the extreme values."""
        return compute_best_recall(self.false_alarm, self.epsilon_nats)


@universe()
def near_values() -> list[Near]:
    """List values an eighth to seven eighths of the sensitivity apart, at all false alarm rates."""
    shares = [Fraction(k, 8) for k in range(1, 8)]
    return [Near(*each) for each in itertools.product(EPSILONS_NATS, shares, _FALSE_ALARM)]


@dataclass(frozen=True)
class Far:
    """A query's results for the values of a record, in their order, and two of them."""

    results: tuple[int, ...]
    pair: tuple[int, int]

    def list_numbers(self) -> Mapping[str, Any]:
        """List all results and the two."""
        return {"results": self.results, "two of them": self.pair}

    @property
    def apart(self) -> int:
        """Distance of the two."""
        return self.pair[1] - self.pair[0]

    @property
    def sensitivity(self) -> int:
        """Distance of the first and the last."""
        return self.results[-1] - self.results[0]


@universe()
def far_values() -> list[Far]:
    """List pairs of results of two to four values that rise in whole steps of up to three."""
    found = []
    for size in (2, 3, 4):
        for steps in itertools.product((1, 2, 3, 0), repeat=size - 1):
            results = tuple(itertools.accumulate(steps, initial=0))
            found += [Far(results, each) for each in itertools.combinations(results, 2)]
    return found


# 4.1: Laplace noise ------------------------------------------------------------------------------


@paper.states(
    "Theorem 3, Equation 6",
    "Applying Neyman-Pearson criterion of maximizing the true detection rate under a "
    "given requirement of false alarm rate alpha in Definition 3 is equivalent to the "
    "following hypothesis testing which is of a simpler formulation: setting a "
    "threshold theta = -Delta Q log(2 alpha)/epsilon + Q(D') for alpha in [0, 0.5], "
    "Delta Q log(2 (1 - alpha))/epsilon + Q(D') for alpha in (0.5, 1] (6) for the "
    "output of LPM-based DP mechanisms A(D) = o, then the decision rule of the "
    "adversary's hypothesis testing is h1 if o >= theta, h0 if o < theta.",
    says="The threshold of Eq. 6 has the false alarm rate α.",
    over=thresholds,
)
def thm3_threshold(thresholds: pd.DataFrame) -> Finding:
    """The threshold of Equation 6 has the false alarm rate alpha, as the tail of the noise's
    density, integrated.
    """
    return equals(list_numbers(thresholds, ["false_alarm_excess"], _AT), 0, within=_QUADRATURE)


@paper.states(
    "Theorem 3",
    thm3_threshold.quote,
    of=thm3_threshold,
    says="To accept D at or above it is a most powerful test.",
    over=rules,
)
def thm3_rule(rules: pd.DataFrame) -> Finding:
    """To accept D where the answer is at or above the threshold of Equation 6 is a most
    powerful test of that false alarm rate. Held against the most powerful test of the answer
    rounded to bins, of which the threshold is an edge.
    """
    excess = list_numbers(select(rules, noise="laplace"), ["best_excess"], _AT)
    return equals(excess, 0, within=FLOATS)


@paper.states(
    "Theorem 3, its proof",
    "Under a threshold theta on the noisy output o, P_FA can be computed as 1 - "
    "integral_theta^infinity P(A(D') = o) do = [...], which is 1 - 1/2 e^(-(theta - Q(D')) "
    "epsilon/Delta Q) if theta < Q(D'), or 1/2 e^((theta - Q(D')) epsilon/Delta Q) if theta"
    " >= Q(D').",
    cut=("1 - integral_theta^infinity epsilon/(2 Delta Q) e^(-epsilon |x - Q(D')|/Delta Q) dx",),
    over=rules,
)
def thm3_proof(rules: pd.DataFrame) -> Finding:
    """The false alarm rate is 1 - 0.5 exp(-(theta - Q(D')) epsilon/Delta Q) for theta < Q(D'),
    and 0.5 exp((theta - Q(D')) epsilon/Delta Q) above.
    """
    printed = ["printed_excess", "complement_excess"]
    return equals(list_numbers(select(rules, noise="laplace"), printed, _AT), 0, within=_STEPS)


@corrects(
    thm3_proof,
    Kind.SLIP,
    fails="The integral from theta up is the false alarm rate itself, not its complement, and"
    " both exponents have the wrong sign; the printed numbers leave [0, 1]. Equation 6 "
    "does not follow from them.",
    stands="Theorem 3, Eq. 6",
    shown_by=thm3_threshold,
    proof="proofs-of-theorems-3-and-6",
)
def thm3_proof_integral(rules: pd.DataFrame) -> Finding:
    """The integral is 1 - 0.5 exp((theta - Q(D')) epsilon/Delta Q) below Q(D') and 0.5
    exp(-(theta - Q(D')) epsilon/Delta Q) above, from which Equation 6 follows.
    """
    excess = list_numbers(select(rules, noise="laplace"), ["integral_excess"], _AT)
    return equals(excess, 0, within=_STEPS)


_ANSWERS = [Fraction(k, 16) for k in range(-48, 65)]  # Q(D') is 0, and Q(D) is 1
_EDGES = [Fraction(k, 16) for k in range(1, 17)]  # thresholds


@paper.states(
    "Equation 7",
    "Given the noisy scalar output o = A(D) = Q(D) + Lap(z) = Q(D) + Lap(Delta Q/epsilon) from "
    "the LPM, we can compute the likelihood ratio Lambda(o) corresponding to the two hypotheses "
    "defined in Eq. 4 as Lambda(o) = P(A(D) = o)/P(A(D') = o) = ((epsilon/(2 Delta Q)) "
    "exp(-epsilon |o - Q(D)|/Delta Q))/((epsilon/(2 Delta Q)) exp(-epsilon |o - Q(D')|/Delta Q)) = "
    "exp(epsilon) if o > Q(D), exp((2o - Q(D) - Q(D')) epsilon/Delta Q) if o in [Q(D'), Q(D)], "
    "exp(-epsilon) if o < Q(D') (7)",
    says="The likelihood ratio is e^ε above Q(D), e^-ε below Q(D'), and exponential between.",
    reading="Q(D) - Q(D') is Delta Q, as in the proof of Theorem 5",
)
def eq7() -> Finding:
    """The last line of Equation 7 is the ratio of the densities.

    Checked as logarithms over epsilon, for answers of sixteenths.
    """
    return for_all(
        equal(abs(o) - abs(o - 1), 1 if o > 1 else 2 * o - 1 if o >= 0 else -1, {"answer": o})
        for o in _ANSWERS
    )


def _compare_ratios(*, above: bool) -> Iterator[Fact]:
    """List that no answer that is rejected has a larger ratio, if Q(D) is 0 and Q(D') is 1."""
    for theta in _EDGES:
        accepted = {o for o in _ANSWERS if (o >= theta if above else o <= theta)}
        ratios = {o: abs(o - 1) - abs(o) for o in _ANSWERS}  # logarithms over epsilon
        rejected = max(ratios[o] for o in ratios.keys() - accepted)
        yield at_most(rejected, min(ratios[o] for o in accepted), {"threshold": theta})


@paper.states(
    "Theorem 3, its footnote",
    "The decision rule is h1 if o >= theta, h0 if o < theta if Q(D) <= Q(D').",
    says="For Q(D) ≤ Q(D'), too, the adversary accepts D at or above the threshold.",
    transcribed=True,
)
def thm3_footnote() -> Finding:
    """If Q(D) is below Q(D'), no answer below the threshold has a larger likelihood ratio than one
    above it. Checked for thresholds of sixteenths between the two.
    """
    return for_all(_compare_ratios(above=True))


@corrects(
    thm3_footnote,
    Kind.SLIP,
    fails="the rule is that for Q(D) ≥ Q(D'); small answers speak for D here",
    mend="h1 if o ≤ θ",
    stands="Theorem 3, which takes Q(D) ≥ Q(D')",
    shown_by=thm3_rule,
    rests="nothing",
    proof="proofs-of-theorems-3-and-6",
)
def thm3_footnote_turned() -> Finding:
    """To accept D at or below the threshold accepts the largest ratios."""
    return for_all(_compare_ratios(above=False))


def _select_by_ratio(theta: Fraction) -> set[Fraction]:
    """Select the answers whose ratio (Equation 7) is that of a threshold (Equation 8) or more."""
    one = Fraction(1)  # of logarithms over epsilon
    return {o for o in _ANSWERS if max(-one, min(one, 2 * o - one)) >= 2 * theta - one}


def _list_ratio_facts(thresholds: Iterable[Fraction]) -> Iterator[Fact]:
    """List that the test of the ratio accepts what the threshold does."""
    for theta in thresholds:
        accepted = {o for o in _ANSWERS if o >= theta}
        yield equal(_select_by_ratio(theta), accepted, {"threshold": theta})


@paper.states(
    "Equation 8",
    _EQUATION_8,
    says="The threshold λ of the likelihood ratio follows from θ.",
    reading="thresholds from Q(D') to Q(D), whose ratio is within e^-epsilon and e^epsilon, as the "
    "lines before it ask",
    label="thresholds from Q(D') to Q(D), as the lines before ask",
)
def eq8() -> Finding:
    """To accept where the likelihood ratio is lambda or more is to accept where the answer is theta
    or more. Checked for thresholds of sixteenths, above Q(D') and up to Q(D).
    """
    return for_all(_list_ratio_facts(_EDGES))


@paper.states(
    "Equation 8",
    _EQUATION_8,
    reading="every threshold of Equation 6, which leaves that interval for small and large alpha",
    label="every threshold of Equation 6",
    of=eq8,
)
def eq8_any() -> Finding:
    """To accept where the likelihood ratio is lambda or more is to accept where the answer is theta
    or more. Checked for thresholds of sixteenths, up to twice the sensitivity off the interval.
    """
    return for_all(_list_ratio_facts(Fraction(k, 16) for k in range(-32, 49)))


@corrects(
    eq8_any,
    Kind.READING,
    fails="ε = 1, θ = Q(D) + ΔQ: λ = e³, above every answer's ratio: nothing is accepted",
    mend="no λ does it there, where the ratio is e^ε or e^-ε for all answers",
    true_if="the threshold lies from Q(D') to Q(D)",
    rests="the λ of Section 4.1.5, beside its second branch; Theorem 3 sets θ itself, and stands",
    proof="section-415",
)
def eq8_outside() -> Finding:
    """Above Q(D) the test of that ratio accepts nothing, and below Q(D') everything."""
    return for_all(
        equal(_select_by_ratio(theta), set() if theta > 1 else set(_ANSWERS), {"threshold": theta})
        for theta in (Fraction(k, 16) for k in (*range(-32, 0), *range(17, 49)))
    )


@paper.states(
    "Section 4.1.2, after Theorem 3",
    "Note that Theorem 3 holds for any adversary that aims to distinguish the neighboring "
    "databases, including those who have access to other auxiliary information such as the "
    "prior distribution of the input data and correlation across records and time (see "
    "Section 5).",
    says="Theorem 3 holds for any adversary, whatever else it knows.",
    over=adversaries,
)
def thm3_any_adversary(adversaries: list[Detection]) -> Finding:
    """Whatever odds an adversary knows, to accept the answers with the largest posterior
    detects no more than the threshold of Theorem 3 at the same false alarm rate. Checked for
    the three kinds of side knowledge, the likelier and the rarer value, on answers in bins.
    """
    return for_all(
        Fact(snap(each.detected, each.best), Relation.AT_MOST, each.best, each)
        for each in adversaries
    )


@paper.states(
    "Equations 9 and 10",
    "For the LPM, we can compute RSR and GSR as follows. RSR = 0.5e^(-(theta - Q(D)) "
    "epsilon/Delta Q) for theta in [Q(D), +infinity), 1 - 0.5e^(-(theta - Q(D)) "
    "epsilon/Delta Q) for theta in (-infinity, Q(D)] (9)",
    says="RSR and GSR left of the centre: 1 - 0.5 exp(-(θ - Q(D)) ε/ΔQ).",
    transcribed=True,
    over=thresholds,
)
def eq9(thresholds: pd.DataFrame) -> Finding:
    """RSR = 1 - 0.5 exp(-(theta - Q(D)) epsilon/Delta Q) left of Q(D), and GSR likewise left of
    Q(D'), are probabilities. Shown at thresholds of given false alarm rates.
    """
    printed = list_numbers(thresholds, ["recall_printed"], _AT)
    return bounded(printed, at_least=0, at_most=1)


@corrects(
    eq9,
    Kind.MISPRINT,
    fails="the sign of the exponent left of the centre is wrong: the printed numbers fall "
    "towards minus infinity; they are probabilities where the threshold is above both "
    "answers",
    mend="1 - 0.5 e^((θ - Q(D)) ε/ΔQ)",
    right_at="proof of Theorem 5",
    right_words="Substituting into Eqs. 9, 10, we know that RSR",
    proof="equations-9-and-10",
)
def eq9_sign(thresholds: pd.DataFrame) -> Finding:
    """RSR = 1 - 0.5 exp((theta - Q(D)) epsilon/Delta Q) for theta <= Q(D) is the integral of
    the noise's density above theta.
    """
    return equals(list_numbers(thresholds, ["recall_excess"], _AT), 0, within=_QUADRATURE)


@corrects(eq9, reading="The threshold is at or above Q(D), and at or above Q(D') for Equation 10.")
def eq9_above(thresholds: pd.DataFrame) -> Finding:
    """There it is a probability: shown at a false alarm rate of 0.01, up to epsilon = 2."""
    above = select(thresholds, false_alarm=0.01, epsilon_nats=[0.01, 0.1, 0.4, 0.7, 1, 2])
    return bounded(list_numbers(above, ["recall_printed"], _AT), at_least=0, at_most=1)


@paper.states(
    "Equation 11 with Equations 9 and 10 (sign mended)",
    "Based on Eq. 3 and Figure 2, we can compute the precision and recall as precision "
    "= RSR/(RSR + GSR), recall = RSR (11)",
    says="Precision = RSR/(RSR + GSR), recall = RSR, at each plotted point (signs of Eqs. 9,"
    " 10 mended).",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig3",
    over=rates,
)
def eq11_counted(rates: pd.DataFrame) -> Finding:
    """Precision and recall at every plotted point, as adversaries who run the test on noisy
    counts of smokers have them.
    """
    return compare_with_formula(
        rates, RATES, query="smokers", mechanism="laplace", knowledge="none"
    )


@paper.states(
    "Theorem 5",
    _THEOREM_5,
    says="The PR-relation does not depend on the query.",
    reading="a record that changes the answer by Delta Q, as the proof has it",
    label="a record that changes the answer by ΔQ, as in the proof",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig3",
    over=rates,
)
def thm5(rates: pd.DataFrame) -> Finding:
    """Precision and recall do not depend on the query.

    Counted on the mean weight, whose sensitivity is 0.2 kg, they agree with the same formulas
    as those of the count of smokers.
    """
    return compare_with_formula(rates, RATES, query="mean_weight_ends", mechanism="laplace")


@paper.states(
    "Theorem 5",
    _THEOREM_5,
    reading="any record and any query, as the words are",
    label="any record, as the words are",
    of=thm5,
    over=near_values,
)
def thm5_any(near_values: list[Near]) -> Finding:
    """A record that changes the answer by a share of the sensitivity is detected as well as one
    that changes it by all of it. Checked for an eighth to seven eighths, at each false alarm rate.
    """
    return for_all(equal(snap(each.near, each.extreme), each.extreme, each) for each in near_values)


@corrects(
    thm5_any,
    Kind.READING,
    fails="precision at a recall of 1/2 and ε = 1: 0.731 for a record that changes the answer by "
    "ΔQ, 0.650 for one of 0.62 ΔQ (two people of the survey), 0.550 for one of 0.2 ΔQ",
    mend="a record that changes the answer by a share of ΔQ has the PR-relation of that share of ε",
    true_if="the record changes the answer by ΔQ, as Equation 7 takes for granted",
    rests="nothing: the largest change is the worst case (Section 4.2)",
    proof="section-42",
)
def thm5_share(near_values: list[Near]) -> Finding:
    """It is detected as by a mechanism of that share of epsilon; by the tails of the noise."""
    found, wanted = {}, {}
    for each in near_values:
        threshold = laplace.isf(each.false_alarm, scale=1 / each.epsilon_nats)
        key = ", ".join(f"{name} {number}" for name, number in each.list_numbers().items())
        found[key] = laplace.sf(threshold - float(each.share), scale=1 / each.epsilon_nats)
        wanted[key] = each.near
    return equals(found, wanted, within=Margin(1e-9, "rounding of the noise's tails"))


@paper.states(
    "Fig. 3a",
    "1) we find that the adversary's capability to infer the existence of a particular "
    "record decreases as more noise is added (corresponding to a smaller value of "
    "epsilon);",
    says="The larger ε, the better precision and recall.",
    figure="prrelation/fig3",
    over=curves,
)
def fig3a_order(curves: pd.DataFrame) -> Finding:
    """The larger epsilon, the better precision and recall at each false alarm rate."""
    laplace = select(curves, mechanism="laplace", knowledge="none")
    return rises(*list_curves(laplace, SCORES, "epsilon_nats", "false_alarm"), **_NOT_FALLING)


@paper.states(
    "Fig. 3a and Section 4.1.3",
    "2) when the privacy parameter epsilon is very small (e.g., epsilon = 0.01), we "
    "have precision ~ 0.5, close to the worst hypothesis testing of the "
    "adversary (random guessing);",
    says="At ε = 0.01 precision ≈ 0.5, close to random guessing.",
    figure="prrelation/fig3",
    draws=draw(
        curves, "precision", "epsilon_nats", {0.01: 0.5}, mechanism="laplace", knowledge="none"
    ),
    over=curves,
)
def fig3a_guessing(curves: pd.DataFrame) -> Finding:
    """At epsilon = 0.01 precision is about 0.5, close to random guessing."""
    near = select(curves, mechanism="laplace", knowledge="none", epsilon_nats=0.01)
    return equals(
        near["precision"], 0.5, within=Margin(0.005, "what 0.50 with two decimals allows")
    )


@paper.states(
    "Fig. 3a and Section 4.1.3",
    "3) when the privacy parameter epsilon is very large (e.g., epsilon = 5), we have "
    "very high precision and recall, close to the best hypothesis testing of the "
    "adversary (nearly exact inference).",
    says="At ε = 5 precision and recall are very high.",
    figure="prrelation/fig3",
)
def fig3a_exact() -> Finding:
    """At epsilon = 5 precision and recall are very high together.

    Shown as an F1-score of 0.95, which asks for less than that epsilon.
    """
    return bounded([float(find_laplace_epsilon(0.95, beta=1))], at_most=5)


@paper.states(
    "Equation 12",
    "Furthermore, we can theoretically derive the highest F_beta-score (by selecting a "
    "proper threshold theta) that the adversary can achieve for arbitrary real number "
    "beta > 0 as F*_beta-score = max over theta of 1/(1/((1 + beta^2) precision) + "
    "beta^2/((1 + beta^2) recall)) = (1 + beta^2)/(2 + beta^2), epsilon < log(1 + "
    "beta^2), ((1 + beta^2) (sqrt(1 + 4 beta^2 e^epsilon) - 1))/((1 + beta^2) sqrt(1 + "
    "4 beta^2 e^epsilon) - 1 + beta^2), epsilon >= log(1 + beta^2) (12)",
    says="The closed form is the best F-score of any threshold.",
    figure="prrelation/fig3",
    over=best_f_scores,
)
def eq12(best_f_scores: pd.DataFrame) -> Finding:
    """The closed form is the best F-score of any threshold, as a search over all finds it."""
    laplace = select(best_f_scores, mechanism="laplace")
    return equals(list_numbers(laplace, ["search_minus_f_score"], F_SCORE_KEYS), 0, within=FLOATS)


@paper.states(
    "Fig. 3b and Section 4.1.4",
    "It is interesting to note that F*_beta-score keeps the same for epsilon < log(1 + "
    "beta^2), and then monotonically increases with epsilon for epsilon >= log(1 + "
    "beta^2).",
    says="Below ε = log(1 + β²) the best F-score is (1 + β²)/(2 + β²).",
    figure="prrelation/fig3",
)
def fig3b_flat() -> Finding:
    """Up to epsilon = log(1 + beta^2) the best F-score stays at (1 + beta^2)/(2 + beta^2)."""
    excess = {
        beta: float(
            maximise_laplace_f_score(np.log1p(beta**2), beta=beta)
            - compute_floor_f_score(beta=beta)
        )
        for beta in BETAS
    }
    return equals(excess, 0, within=FLOATS)


@paper.states(
    "Fig. 3b",
    fig3b_flat.quote,
    of=fig3b_flat,
    says="The best F-score does not fall as ε grows.",
    figure="prrelation/fig3",
    over=best_f_scores,
)
def fig3b_order(best_f_scores: pd.DataFrame) -> Finding:
    """The best F-score does not fall as epsilon grows."""
    laplace = select(best_f_scores, mechanism="laplace", knowledge="none")
    return rises(*list_curves(laplace, ["f_score"], "epsilon_nats", "beta"), **_NOT_FALLING)


@paper.states(
    "Fig. 3b",
    says="The best F-score at each plotted point.",
    prints="Fig. 3b: curves of the highest F_beta-score against epsilon",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig3",
    over=f_scores,
)
def fig3b_counted(f_scores: pd.DataFrame) -> Finding:
    """The best F-score at every plotted point, as adversaries who set the best threshold have
    it.
    """
    return compare_with_formula(
        f_scores, F_SCORE, query="smokers", mechanism="laplace", knowledge="none"
    )


@paper.states(
    "Fig. 3b",
    fig3b_flat.quote,
    of=fig3b_flat,
    says="From ε = log(1 + β²) on the best F-score increases.",
)
def fig3b_rising() -> Finding:
    """The best F-score rises strictly with epsilon from log(1 + beta^2) to 10."""
    grids = {beta: np.linspace(np.log1p(beta**2), 10, 101) for beta in BETAS}
    scores = {beta: maximise_laplace_f_score(each, beta=beta) for beta, each in grids.items()}
    return rises(*(dict(zip(grids[beta], scores[beta], strict=True)) for beta in BETAS))


@paper.states(
    "Fig. 3b, the turning point",
    "This turning point epsilon = log(1 + beta^2) approaches 0 for smaller values of beta, making "
    "F*_beta-score closer to be monotonically increasing with epsilon thus capturing the privacy "
    "benefits of smaller values of epsilon (as shown Figure 3(b)).",
    says="The turning point approaches 0 for smaller β.",
)
def fig3b_turning() -> Finding:
    """The largest epsilon at which accepting always is still best, of a grid, is at most beta^2."""
    grid = np.geomspace(1e-6, 10, 4001)
    last = {}
    for beta in (0.01, 0.1, *BETAS):
        scores = maximise_laplace_f_score(grid, beta=beta)
        last[beta] = grid[scores <= compute_floor_f_score(beta=beta) + ROUNDING].max() / beta**2
    return bounded(last, at_most=1)


@paper.states(
    "Fig. 3a, at a given recall",
    "Finally, we emphasize that the alternative approach of using the entire PR-relation to guide "
    "the selection of epsilon does not suffer from the limitations discussed above, and also shows "
    "privacy benefits of using smaller epsilon (smaller precision for a given recall as shown in "
    "Figure 3(a)).",
    says="The smaller ε, the smaller the precision at a given recall.",
)
def fig3a_recall() -> Finding:
    """Precision at each recall rises with epsilon, by the tails of the noise, from 0.01 on."""
    curves: list[dict[float, float]] = []
    for recall in _FALSE_ALARM:
        alarms = {
            each: laplace.sf(laplace.isf(recall, scale=1 / each) + 1, scale=1 / each)
            for each in EPSILONS_NATS
        }
        curves.append({each: recall / (recall + alarm) for each, alarm in alarms.items()})
    return rises(*curves)


@paper.states(
    "Section 4.1.5",
    "Combining Eq. 6 and Eq. 8, we know that lambda = e^-epsilon / (4 alpha^2) if alpha in "
    "[0, 0.5], or e^-epsilon / (4 (1 - alpha)^2) if alpha in (0.5, 1].",
    says="The likelihood ratio at α is e^-ε/(4 α²) up to α = 1/2, e^-ε/(4 (1 - α)²) above.",
)
def plausible_deniability() -> Finding:
    """What Equation 8 gives for the threshold of Equation 6 is e^-epsilon/(4 alpha^2) for alpha up
    to 0.5, and e^-epsilon/(4 (1 - alpha)^2) above. Held against it at nineteen false alarm rates,
    as a logarithm.
    """
    found = _combine_equations_6_and_8()
    printed = {alpha: -1 - 2 * math.log(2 * min(alpha, 1 - alpha)) for alpha in found}
    return equals(found, printed, within=FLOATS)


def _combine_equations_6_and_8() -> dict[float, float]:
    """Compute the logarithm of Equation 8 at Equation 6's thresholds, at epsilon = 1, by alpha."""
    return {
        alpha: 2 * (-math.log(2 * alpha) if alpha <= 0.5 else math.log(2 * (1 - alpha))) - 1
        for alpha in _FALSE_ALARM
    }


@corrects(
    plausible_deniability,
    Kind.SLIP,
    fails="above 1/2 the factor belongs into the numerator: at ε = 1, α = 0.9 Equations 6 and 8 "
    "give 0.0147, the printed form 9.2; the first branch is theirs (where Equation 8 holds)",
    mend="4 (1 - α)² e^-ε above 1/2",
    stands="Theorem 3, whose threshold this expresses as a ratio",
    shown_by=thm3_rule,
    rests="nothing",
    proof="section-415",
)
def plausible_deniability_turned() -> Finding:
    """It is e^-epsilon/(4 alpha^2) up to 0.5, and 4 (1 - alpha)^2 e^-epsilon above."""
    mended = {
        alpha: -1 - 2 * math.log(2 * alpha) if alpha <= 0.5 else 2 * math.log(2 * (1 - alpha)) - 1
        for alpha in _FALSE_ALARM
    }
    return equals(_combine_equations_6_and_8(), mended, within=FLOATS)


@paper.states(
    "Section 4.1.5, Definition 4",
    "Bindschaedler et al. provide a formal definition of plausible deniability for data "
    "synthesis, compared to which DP is a stronger privacy guarantee [5].",
    says="Differential privacy is stronger than plausible deniability.",
    over=deniability,
)
def sec4_1_5_stronger(deniability: list[Deniability]) -> Finding:
    """A log(gamma)-differentially private mechanism has plausible deniability with gamma for
    any number of records up to all, and the reverse does not hold. Checked for all mechanisms
    of three records with probabilities of twelfths, as the number that are private and not
    deniable.
    """
    broken = [each for each in deniability if each.is_private and not each.is_deniable]
    converse = sum(each.is_deniable and not each.is_private for each in deniability)
    return bounded([len(broken)], at_most=0, sharp=converse)


# 4.2: one of several values ----------------------------------------------------------------------


@paper.states(
    "Section 4.2, Equation 13",
    "This means, the hypothesis testing implemented by the adversary for bounded DP "
    "with binary records is the same as that for unbounded DP.",
    says="Under bounded privacy, two values at the ends of the range are told apart as well "
    "as presence and absence.",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig3",
    over=f_scores,
)
def bounded_ends(f_scores: pd.DataFrame) -> Finding:
    """A person whose record has one of two values at the ends of the range is told apart as
    well as one who is there or not. Counted on the mean weight.
    """
    return compare_with_formula(f_scores, F_SCORE, query="mean_weight_ends", mechanism="laplace")


@paper.states(
    "Section 4.2, two of many values",
    "Since the inserted noise for satisfying DP is calculated based on Delta Q (i.e., "
    "Lap(Delta Q/epsilon)), we know that the hypothesis testing achieved by the adversary "
    "in distinguishing any two values of d_i is not worse than distinguishing d_i1 and "
    "d_ik.",
    says="Distinguishing any two values is not worse than distinguishing the extreme ones.",
    over=near_values,
)
def bounded_worse(near_values: list[Near]) -> Finding:
    """Two values of a record that lie nearer than the extreme ones are told apart at least as
    well. Checked for answers an eighth to seven eighths of the sensitivity apart: what the best
    test detects at each false alarm rate.
    """
    return for_all(
        Fact(snap(each.extreme, each.near), Relation.AT_MOST, each.near, each)
        for each in near_values
    )


@corrects(
    bounded_worse,
    Kind.SLIP,
    fails="the noise is made for the extreme values, so that nearer ones are told apart less "
    "well, at every false alarm rate; the conclusion that follows needs this direction,"
    " too",
    mend="not *better*: no pair is told apart better than the extreme values",
    stands="the conclusion, that the bounded scenario is as the unbounded one",
    shown_by=bounded_ends,
    proof="section-42",
)
def bounded_worse_turned(near_values: list[Near]) -> Finding:
    """No pair of values is told apart better than the extreme ones."""
    return for_all(
        Fact(snap(each.near, each.extreme), Relation.AT_MOST, each.extreme, each)
        for each in near_values
    )


@paper.states(
    "Section 4.2, two of many values",
    _SMALLER,
    says="The results for two values of a record are smaller apart than the sensitivity.",
    reading="smaller or as large",
    label="at most",
    over=far_values,
)
def sec4_2_smaller(far_values: list[Far]) -> Finding:
    """The results for two values of a record are at most the sensitivity apart.

    Checked for all records of two to four values whose results rise in whole steps of up to
    three.
    """
    return for_all(at_most(each.apart, each.sensitivity, each) for each in far_values)


@paper.states(
    "Section 4.2, two of many values",
    _SMALLER,
    reading="strictly smaller, for any two",
    label="strictly less",
    of=sec4_2_smaller,
    over=far_values,
)
def sec4_2_smaller_strictly(far_values: list[Far]) -> Finding:
    """The results for two values of a record are less than the sensitivity apart."""
    return for_all(less(each.apart, each.sensitivity, each) for each in far_values)


@corrects(
    sec4_2_smaller_strictly,
    Kind.READING,
    fails="the first and the last value are as far apart as it",
    mend="at most",
    true_if="at most",
    rests="nothing",
    proof="section-42",
)
def sec4_2_at_most(far_values: list[Far]) -> Finding:
    """They are at most the sensitivity apart."""
    return sec4_2_smaller.check(far_values)


# Table 1 -----------------------------------------------------------------------------------------


TABLE_1 = PrintedTable.parse(
    """
          0.55  0.58  0.62  0.67  0.76  0.83  0.9   0.95
    0.5   0.22  0.34  0.55  0.82  1.42  2.04  3     4.29
    0.6   -     0.33  0.54  0.83  1.45  2.11  3.11  4.43
    0.8   -     -     0.49  0.8   1.46  2.16  3.21  4.58
    1     -     -     -     0.71  1.4   2.12  3.2   4.6
    1.5   -     -     -     -     1.17  1.88  2.99  4.41
    2     -     -     -     -     -     1.61  2.69  4.12
    """,
    rows="beta",
    columns="f",
    decimals=2,
)
_HEADER = "Table 1. The Maximal epsilon under a Required Bound of F_beta-score."


def _find_epsilon(beta: float, bound: float, *, is_exact: bool) -> float | None:
    """Find the largest epsilon that keeps a bound; None where accepting always is above it.

    A bound of two decimals may stand for what accepting always has, which every epsilon keeps up to
    log(1 + beta^2).
    """
    floor = compute_floor_f_score(beta=beta)
    if not is_exact and bound <= floor < bound + 0.01:
        return float(np.log1p(beta**2))
    epsilon_nats = float(find_laplace_epsilon(bound, beta=beta))
    return None if math.isnan(epsilon_nats) else epsilon_nats


@paper.states(
    "Table 1",
    _HEADER,
    says="The maximal ε under a required bound of the F-score.",
    reading="the header's bounds have two decimals, too: 0.55, 0.62, 0.76 and 0.83 are the "
    "F-scores 0.5556, 0.6212, 0.7647 and 0.8333 of accepting always",
    label="the header's bounds are rounded, as the entries are",
    figure="prrelation/choice",
    draws=tuple(
        Drawn(
            table("prrelation/choice"),
            "epsilon_nats",
            {"mechanism": "laplace", "knowledge": "none", "beta": beta, "f_score": bound},
            number,
        )
        for (beta, bound), number in TABLE_1.numbers.items()
    ),
)
def table1() -> Finding:
    """The largest epsilon that keeps each bound, and a dash where none does.

    Two decimals, rounded or cut off.
    """
    found = {place: _find_epsilon(*place, is_exact=False) for place in TABLE_1.cells}
    return as_printed(found, TABLE_1)


@paper.states(
    "Section 4.1.4, Table 1",
    "Furthermore, we provide numerical bounds of epsilon under different requirements of "
    "F_beta-score for commonly-used weights of beta in [0.5, 2] in Table 1, as an easier way to "
    "look up for privacy practitioners.",
    says="Table 1 has the weights β from 0.5 to 2.",
)
def table1_weights() -> Finding:
    """The smallest and the largest weight of a row of Table 1 that has an entry."""
    weights = [beta for beta, _ in TABLE_1.numbers]
    return equals(
        {"smallest": min(weights), "largest": max(weights)}, {"smallest": 0.5, "largest": 2}
    )


@paper.states(
    "Table 1 and its header",
    _HEADER,
    reading="the header's bounds are exactly 0.55, 0.62, 0.76 and 0.83",
    label="the header's bounds are exact",
    aside="the header's four bounds taken as exact, which the table's own entries exclude",
    of=table1,
    figure="prrelation/choice",
)
def table1_exact() -> Finding:
    """Where Table 1 has an entry, some epsilon keeps the bound in its header, taken as exact."""
    found = {place: _find_epsilon(*place, is_exact=True) for place in TABLE_1.cells}
    return as_printed(found, TABLE_1)


@corrects(
    table1_exact,
    Kind.READING,
    fails="no ε keeps F0.5 at 0.55: accepting always has 0.5556. Likewise 0.62 (beta = 0.8; "
    "0.6212), 0.76 (1.5; 0.7647) and 0.83 (2; 0.8333)",
    mend="the first entry of these columns is log(1 + β²)",
    true_if="these, too, are rounded: 0.5556, 0.6212, 0.7647, 0.8333",
    rests="nothing: all 48 cells agree",
    proof="table-1",
)
def table1_turning() -> Finding:
    """The four bounds are those F-scores, rounded or cut off; their entries are log(1 + beta^2)."""
    places = ((0.5, 0.55), (0.8, 0.62), (1.5, 0.76), (2, 0.83))
    printed = replace(TABLE_1, cells={place: TABLE_1.cells[place] for place in places})
    return as_printed({each: _find_epsilon(*each, is_exact=False) for each in places}, printed)


# Theorem 4 ---------------------------------------------------------------------------------------


@paper.states(
    "Theorem 4",
    "The best performance of hypothesis testing that the adversary can achieve on the "
    "output of epsilon-DP mechanisms Q: D -> R^q is the same as that on the output of q "
    "epsilon-DP scalar mechanisms.",
    says="The best test on q ε-private numbers is as good as that on one number with q ε.",
    reading="each of the q numbers is epsilon-private, as in the paper's proof",
    over=vectors,
)
def thm4(vectors: pd.DataFrame) -> Finding:
    """The best hypothesis testing on q numbers, each epsilon-private, equals that on one number
    that is q epsilon-private. Compared by the best F1, exactly.
    """
    differences = list_numbers(vectors, ["best_minus_scalar_f1"], _VECTOR_KEYS)
    return equals(differences, 0, within=_QUADRATURE)


@corrects(
    thm4,
    Kind.FAILS,
    fails="two Laplace numbers at ε = 1 allow an F1 of 0.755, one number at ε = 2 one of "
    "0.819: the ratio e^(qε) needs every noise on the right side",
    mend="at most that of the one number",
    rests="nothing else; if the q numbers together are ε-private, no test beats one number with ε",
    proof="theorem-4",
)
def thm4_at_most(vectors: pd.DataFrame) -> Finding:
    """At every false alarm rate the vector's recall is at most that of one number with q
    epsilon.
    """
    excess = list_numbers(vectors, ["largest_recall_excess"], _VECTOR_KEYS)
    return bounded(excess, at_most=0, within=_QUADRATURE)


@corrects(
    thm4,
    reading="The q numbers together are epsilon-private, as Theorem 1 scales their noise.",
)
def thm4_together(vectors: pd.DataFrame) -> Finding:
    """Then no test has more recall than the best one on a single answer with epsilon.

    At epsilon = 1 its F1 is 0.7098, and that of 2 epsilon, which the theorem names for two
    numbers, 0.8191.
    """
    single = select(vectors, epsilon_nats=1, queries=[1, 2]).set_index("queries")["scalar_f1"]
    return equals(single, {1: 0.7098, 2: 0.8191}, within=Margin(0.00005, "four printed decimals"))


# 4.3: normal noise -------------------------------------------------------------------------------


@paper.states(
    "Section 4.3 and Equation 29",
    "One of the most popular mechanisms to achieve (epsilon, delta)-DP is the Gaussian "
    "perturbation mechanism, where a Gaussian noise with zero mean and standard variant "
    "sigma = sqrt(2 log(1.25/delta) Delta Q/epsilon) is added to the query output [16, 18].",
    says="Noise of σ = sqrt(2 log(1.25/δ) ΔQ/ε), all under the root, is (ε, δ)-private.",
    figure="prrelation/curves_calibrations",
    over=calibrations,
)
def sigma(calibrations: pd.DataFrame) -> Finding:
    """Normal noise of standard deviation sqrt(2 log(1.25/delta) Delta Q/epsilon), all under the
    root, is (epsilon, delta)-private. Shown as the exact delta over delta, at a sensitivity of
    1.
    """
    printed = select(calibrations, calibration="printed")
    return bounded(list_numbers(printed, ["delta_ratio"], _BUDGET), at_most=1)


@corrects(
    sigma,
    Kind.FAILS,
    fails="at ε = 0.01, δ = 1e-5 the exact δ is 420 times the promised one, and the noise "
    "would not scale with the unit of the answer; Equation 29 is the ratio of this "
    "noise",
    mend="sqrt(2 log(1.25/δ)) ΔQ/ε, for ε < 1; in Equation 29 ε² (2o - Q(D) - Q(D'))/(4 "
    "log(1.25/δ) ΔQ)",
    rests="Figure 4 is drawn with the mended σ; its sentences hold",
    proof="section-43",
)
def sigma_outside(calibrations: pd.DataFrame) -> Finding:
    """sqrt(2 log(1.25/delta)) Delta Q/epsilon is (epsilon, delta)-private for epsilon < 1.

    There it is proven.
    """
    classical = select(calibrations, calibration="classical", epsilon_nats=[0.01, 0.1, 0.4, 0.7])
    return bounded(list_numbers(classical, ["delta_ratio"], _BUDGET), at_most=1)


@corrects(
    sigma,
    reading="The sensitivity is at most 1, epsilon at least 1 and delta at most 1/2.",
)
def sigma_large(calibrations: pd.DataFrame) -> Finding:
    """Then it is private: shown at a sensitivity of 1."""
    printed = select(calibrations, calibration="printed", epsilon_nats=[1, 2, 5, 10])
    return bounded(list_numbers(printed, ["delta_ratio"], _BUDGET), at_most=1)


@paper.states(
    "Theorem 6",
    "Applying Neyman-Pearson criterion in Definition 3 is equivalent to the following hypothesis "
    "testing which is of a simpler formulation: setting a threshold theta = Phi^(-1)(1 - alpha) "
    "sigma + Q(D') (where alpha is the maximum P_FA and Phi(.) is the cumulative distribution "
    "function of the standard normal distribution) for the output of the Gaussian perturbation "
    "mechanism o, the decision for the adversary's hypothesis testing is h1 if o >= theta, h0 if o "
    "< theta.",
    says="The threshold of Theorem 6 has the false alarm rate α, and is a most powerful test.",
    over=rules,
)
def thm6(rules: pd.DataFrame) -> Finding:
    """To accept D where the answer is at or above the threshold is a most powerful test of the
    false alarm rate alpha. Held against the most powerful test of the answer rounded to bins, of
    which the threshold is an edge, and against the tail of the noise.
    """
    both = ["best_excess", "integral_excess"]
    return equals(list_numbers(select(rules, noise="gaussian"), both, _AT), 0, within=FLOATS)


@paper.states(
    "Theorem 6, Equation 14, Fig. 4",
    "According to Theorem 6 and Eq. 11, we can theoretically derive precision and "
    "recall of the adversary's hypothesis testing for the Gaussian mechanism as "
    "precision = (1 - Phi((theta - Q(D))/sigma))/(2 - Phi((theta - Q(D))/sigma) - "
    "Phi((theta - Q(D'))/sigma)), recall = 1 - Phi((theta - Q(D))/sigma) (14)",
    says="Precision and recall at each plotted point, Gaussian noise.",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig4",
    over=rates,
)
def eq14_counted(rates: pd.DataFrame) -> Finding:
    """Precision and recall at every plotted point of the classical Gaussian, as counted on
    noisy counts of smokers.
    """
    return compare_with_formula(rates, RATES, query="smokers", mechanism="gaussian_classical")


@paper.states(
    "Theorem 6, its proof",
    "Then, we can compute the false alarm rate alpha according to 1 - "
    "integral_theta^infinity P(A(D') = o) do = [...], which is 1 - Phi((theta - "
    "Q(D'))/sqrt(2 log(1.25/delta) Delta Q/epsilon)), i.e., theta = Phi^(-1)(1 - alpha) "
    "sqrt(2 log(1.25/delta) Delta Q/epsilon) + Q(D'), where Phi is the cumulative distribution "
    "probability (CDF) of the standard normal distribution. Then, the threshold lambda for the "
    "likelihood ratio can be computed as exp(Delta Q (2 theta - Q(D) - Q(D'))/(4 "
    "log(1.25/delta) Delta Q/epsilon)) and the true detection rate can be "
    "computed according to P_TD = 1 - integral_theta^infinity P(A(D) = o) do = 1 - "
    "Phi((theta - Q(D))/sqrt(2 log(1.25/delta) Delta Q/epsilon)).",
    cut=(
        "1 - integral_theta^infinity 1/sqrt(2 log(1.25/delta) Delta Q/epsilon) 1 - exp(-(o "
        "- Q(D'))^2/(4 log(1.25/delta) Delta Q/epsilon)) do",
    ),
    over=rules,
)
def thm6_proof(rules: pd.DataFrame) -> Finding:
    """1 minus the integral of the density from theta up is 1 - Phi((theta - Q(D'))/sigma), the
    false alarm rate.
    """
    excess = list_numbers(select(rules, noise="gaussian"), ["complement_excess"], _AT)
    return equals(excess, 0, within=_STEPS)


@corrects(
    thm6_proof,
    Kind.SLIP,
    fails="The left side is Phi, the complement of the right one; they agree only where both "
    "are 1/2.",
    shown_by=thm6,
    proof="proofs-of-theorems-3-and-6",
)
def thm6_proof_integral(rules: pd.DataFrame) -> Finding:
    """The integral itself is 1 - Phi((theta - Q(D'))/sigma), and likewise for the true
    detection rate.
    """
    excess = list_numbers(select(rules, noise="gaussian"), ["integral_excess"], _AT)
    return equals(excess, 0, within=_STEPS)


@paper.states(
    "Fig. 4a",
    "We observe that the adversary's performance of hypothesis testing is enhanced with"
    " an increasing value of epsilon and delta.",
    says="The larger ε, the better precision and recall.",
    figure="prrelation/fig4",
    over=curves,
)
def fig4a_order(curves: pd.DataFrame) -> Finding:
    """The larger epsilon, the better precision and recall of the Gaussian's adversary."""
    gaussian = select(curves, mechanism="gaussian_classical", delta=1e-5)
    return rises(*list_curves(gaussian, SCORES, "epsilon_nats", "false_alarm"), **_NOT_FALLING)


@paper.states(
    "Fig. 4b",
    fig4a_order.quote,
    of=fig4a_order,
    says="The larger δ, the better precision and recall.",
    figure="prrelation/fig4",
    over=curves,
)
def fig4b_order(curves: pd.DataFrame) -> Finding:
    """The larger delta, the better precision and recall of the Gaussian's adversary."""
    gaussian = select(curves, mechanism="gaussian_classical", epsilon_nats=1)
    return rises(*list_curves(gaussian, SCORES, "delta", "false_alarm"), **_NOT_FALLING)


@paper.states(
    "Section 4.3, after Fig. 4",
    "Comparing Figure 3(a) and Figure 4, we know that different mechanisms vary in their power of "
    "defending against adversaries' hypothesis testing since their output distributions are "
    "different.",
    says="Different mechanisms vary in their power of defending.",
    over=curves,
)
def sec4_3_vary(curves: pd.DataFrame) -> Finding:
    """Laplace and Gaussian answers of the same epsilon differ in the recall at a false alarm rate
    of 1/2 by a tenth of epsilon or more, up to epsilon = 1. Shown as a share of epsilon.
    """
    found = {}
    for epsilon in (0.01, 0.1, 0.4, 0.7, 1):
        (one,), (other,) = (
            select(curves, epsilon_nats=epsilon, false_alarm=0.5, **mechanism)["recall"]
            for mechanism in (
                {"mechanism": "laplace", "knowledge": "none"},
                {"mechanism": "gaussian_classical", "delta": 1e-5},
            )
        )
        found[epsilon] = abs(one - other) / epsilon
    return bounded(found, at_least=0.1)


@paper.states(
    "Equation 15",
    "Next, the highest F_beta-score of the adversary's hypothesis testing under "
    "different values of privacy parameters epsilon, delta can be directly derived from"
    " Eq. 14 as F*_beta-score = max over theta of (1 + beta^2) (1 - Phi((theta - "
    "Q(D))/sigma))/(2 + beta^2 - Phi((theta - Q(D))/sigma) - Phi((theta - "
    "Q(D'))/sigma)) (15)",
    says="The best F-score of the Gaussian is that of the best threshold.",
    figure="prrelation/curves_calibrations",
    over=best_f_scores,
)
def eq15(best_f_scores: pd.DataFrame) -> Finding:
    """The best F-score is that of the best threshold.

    The best likelihood-ratio test has no other, for the classical and, as the paper leaves
    open, the analytic Gaussian.
    """
    gaussian = select(best_f_scores, mechanism=["gaussian_classical", "gaussian_analytic"])
    return equals(list_numbers(gaussian, ["search_minus_f_score"], F_SCORE_KEYS), 0, within=FLOATS)
