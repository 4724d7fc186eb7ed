"""Section 5: adversaries who know something beforehand."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from noiseless.adversaries.likelihood_ratio import compute_f_score, compute_laplace_rates
from noiseless.papers.prrelation import paper
from noiseless.papers.prrelation.cases import (
    F_SCORE,
    F_SCORE_KEYS,
    FLOATS,
    RATES,
    ROUNDING,
    best_f_scores,
    compare_with_formula,
    curves,
    equal_recall,
    f_scores,
    list_numbers,
    rates,
    worth,
)
from noiseless.papers.prrelation.curves import BETAS, EPSILONS_NATS
from noiseless.papers.prrelation.laws import Weights, build_told_table, draw_laws
from noiseless.papers.prrelation.orders import enumerate_databases
from noiseless.papers.prrelation.testing import (
    build_realistic_table,
    enumerate_distributions,
    enumerate_weights,
)
from noiseless.statements import (
    Finding,
    Kind,
    agrees,
    all_of,
    bounded,
    corrects,
    equal,
    equals,
    for_all,
    holds,
    rises,
    select,
    universe,
    widen,
)

_YOUNG_PEOPLE = ("young_people",)
_BELOW = [0.01, 0.1]  # epsilons below the turning point of each plotted beta
_EQUATION_20 = (
    "Eq. 20 holds based on the fact that max P_i1^c/P_i2^c = max P_i1^c/(1 - P_i1^c) = (1/(1 - "
    "rho_p))/((1 + 1/(1 - rho_p))(1 - rho_c))/(1 - 1/((1 + 1/(1 - rho_p))(1 - rho_c))) = 1/(1 - "
    "rho_p - rho_c (2 - rho_p))."
)
_FIG_7B = (
    "From Eq. 23, we know that precision is increased under the same level of recall when the "
    "adversary has access to the temporal correlation of the input data, resulting in a better "
    "PR-relation compared to the static scenario. We show the enhanced PR-relation in Figure 7(b)"
    " by setting rho_p = 0.2, rho_c = 0.1, rho_t = 0.1 for example."
)
_FIG_8 = (
    "We can observe that the adversary can infer more information of the input data with more "
    "auxiliary information (higher values of rho_p, rho_c, rho_t)."
)
_PRINTED_20 = (
    "Combining Eq. 11 and Eq. 19, we can compute the precision and recall for this "
    "adversary's hypothesis testing as precision = (P_i1^c RSR)/(P_i1^c RSR + P_i2^c "
    "GSR) = 1/(1 + (1 - rho_p - rho_c (2 - rho_p)) GSR/RSR), (20) recall = RSR."
)
_PRINTED_21 = (
    "Furthermore, we theoretically derive the relationship between the highest "
    "F_beta-score and privacy budget epsilon, coefficient of prior distribution rho_p, "
    "coefficient of record correlation rho_c as F*_beta-score = (1 + beta^2)/(2 + "
    "beta^2 - rho_p - rho_c (2 - rho_p)), epsilon < epsilon(rho_p, rho_c), ((1 + "
    "beta^2) (sqrt(1 + 4 beta^2 e^epsilon/(1 - rho_p - rho_c (2 - rho_p))) - 1))/((1 + "
    "beta^2) sqrt(1 + 4 beta^2 e^epsilon/(1 - rho_p - rho_c (2 - rho_p))) - 1 + "
    "beta^2), epsilon >= epsilon(rho_p, rho_c) (21)"
)
_PRINTED_23 = (
    "Therefore, we can compute the precision and recall for this adversary's hypothesis"
    " testing as precision = (P_i1^t RSR)/(P_i1^t RSR + P_i2^t GSR) = 1/(1 + (1 - rho_p"
    " - (2 - rho_p) (rho_c + rho_t (1 - rho_c))) GSR/RSR), recall = RSR. (23)"
)
_WORST = (
    "of the largest odds given all other records: a bound for every adversary who knows the law of "
    "the records and is told any of the others, reached where it is told the worst values"
)
_BY_LAW = "the adversary knows how the records depend on each other, and is told none"
_CONDITIONING = (
    "This property can also be explained by using conditioning always reduces entropy "
    "(uncertainty) in information theory [9]."
)


def _list_gains(equal_recall: pd.DataFrame, knowledge: str) -> dict[str, float]:
    """List what knowing the odds adds to the precision at each recall, in one world."""
    chosen = select(equal_recall, knowledge=knowledge, sensitive=["likelier", "rarer"])
    return list_numbers(chosen, ["knowledge_gain"], ["sensitive", "epsilon_nats", "recall"])


def _select_formula(
    best_f_scores: pd.DataFrame, knowledge: str, statistic: str
) -> dict[str, float]:
    """Select by how much a formula or a search differs from the best F-score."""
    chosen = select(best_f_scores, mechanism="laplace", knowledge=knowledge)
    return list_numbers(chosen, [statistic], F_SCORE_KEYS)


@universe(smoke={"points": 61}, least={"points": 3})
def realistic(points: int) -> pd.DataFrame:
    """Compare the epsilon that weaker adversaries' rates tell with the mechanism's."""
    return widen(build_realistic_table(points=points))


@dataclass(frozen=True)
class Coefficient:
    """Weights of a record, a correlated and perhaps an earlier one; whether the coefficient is 0.

    They are indexed by the record's value, that of the correlated one, and that of the earlier one.
    """

    weights: tuple[int, ...]
    tables: Sequence[Sequence[Sequence[int]]]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the weights."""
        return {"weights of the joint values": self.weights}

    @property
    def is_zero(self) -> bool:
        """Whether rho_c, or rho_t, is 0."""
        least = min(
            Fraction(sum(row), sum(map(sum, table))) / Fraction(row[k], table[0][k] + table[1][k])
            for table in self.tables
            for row in table
            for k in (0, 1)
        )
        return least == 1

    @property
    def is_independent(self) -> bool:
        """Whether the record is independent of the one that is learned."""
        return all(table[0][0] * table[1][1] == table[0][1] * table[1][0] for table in self.tables)


@universe()
def coefficients() -> dict[str, list[Coefficient]]:
    """List the joint distributions of two bits in twelfths, and of three in sixteenths."""
    found: dict[str, list[Coefficient]] = {"records": [], "time": []}
    for w in enumerate_weights(4, 12):
        found["records"].append(Coefficient(w, [[w[:2], w[2:]]]))
    for w in enumerate_weights(8, 16):
        # The record and the earlier one, given a value of the correlated one.
        tables = [[w[2 * c : 2 * c + 2], w[4 + 2 * c : 6 + 2 * c]] for c in (0, 1)]
        found["time"].append(Coefficient(w, tables))
    return found


@dataclass(frozen=True)
class Correlated:
    """A joint distribution of a record d of one bit and a correlated one, by their values."""

    joint: tuple[Fraction, ...]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the joint probabilities and both coefficients."""
        names = ("d = 0, c = 0", "d = 0, c = 1", "d = 1, c = 0", "d = 1, c = 1")
        coefficients = {"rho_p": self.rho_p, "rho_c": self.rho_c}
        return {**dict(zip(names, self.joint, strict=True)), **coefficients}

    @property
    def prior(self) -> tuple[Fraction, Fraction]:
        """Probabilities of the record's values."""
        return self.joint[0] + self.joint[1], self.joint[2] + self.joint[3]

    @property
    def posterior(self) -> dict[tuple[int, int], Fraction]:
        """Probabilities of the record's values given the correlated one's."""
        return {
            (v, c): self.joint[2 * v + c] / (self.joint[c] + self.joint[2 + c])
            for v in (0, 1)
            for c in (0, 1)
        }

    @property
    def rho_p(self) -> Fraction:
        """Coefficient of the prior."""
        return 1 - min(self.prior) / max(self.prior)

    @property
    def rho_c(self) -> Fraction:
        """Coefficient of the correlation."""
        return 1 - min(self.prior[v] / chance for (v, _), chance in self.posterior.items())

    @property
    def odds_against(self) -> Fraction:
        """The printed odds against the likeliest value, given the correlated record."""
        return 1 - self.rho_p - self.rho_c * (2 - self.rho_p)

    @property
    def smallest_odds_against(self) -> Fraction:
        """The smallest odds against a value, given the correlated record."""
        return min((1 - chance) / chance for chance in self.posterior.values())

    @property
    def raises_likelier(self) -> bool:
        """Whether the correlated record raises the likelier value by the largest factor."""
        posterior = self.posterior
        raised, _ = min(posterior, key=lambda key: self.prior[key[0]] / posterior[key])
        return self.prior[raised] == max(self.prior)


@universe(smoke={"parts": 12}, least={"parts": 5})
def correlated(parts: int) -> list[Correlated]:
    """List the joint distributions of two records of one bit in positive multiples of 1/parts."""
    return [Correlated(joint) for joint in enumerate_distributions(4, parts)]


@universe(smoke={"parts": 12, "laws": 20}, least={"parts": 12, "laws": 20})
def told(parts: int, laws: int, seed: int) -> pd.DataFrame:
    """Compare Equations 20, 21 and 23 with adversaries who know the law, by what they are told.

    Laws of two bits in positive multiples of 1/parts, and of three that are drawn: the record, the
    correlated one and an earlier one.
    """
    joints = enumerate_distributions(4, parts)
    pairs: list[Weights] = [
        {x: float(w) for x, w in zip(enumerate_databases(2), joint, strict=True)}
        for joint in joints
    ]
    odds = {tuple(map(float, joint)): float(Correlated(joint).odds_against) for joint in joints}
    return build_told_table(
        {20: pairs, 23: draw_laws(3, laws, seed, possible=1.0)},
        lambda equation, law: odds[tuple(law.values())] if equation == 20 else 0.0,
    )


def _list_excess(told: pd.DataFrame, equation: int, measure: str, reader: str) -> pd.Series:
    """List by how much adversaries exceed a formula with the largest odds."""
    rows = select(told, equation=equation)
    rows = rows[(rows["told"] == "nothing") == (reader == "law")]
    return rows[measure] - rows[f"{measure[0] if measure == 'f_score' else measure}_bound"]


def _check_as_bound(told: pd.DataFrame, equation: int, measure: str) -> Finding:
    """State that a formula with the largest odds bounds all, and that some adversary reaches it."""
    excess = [_list_excess(told, equation, measure, each) for each in ("law", "others")]
    reached = int((excess[1].abs() <= ROUNDING).sum())
    return bounded(pd.concat(excess), at_most=0, within=FLOATS, sharp=reached, sharp_wanted=20)


def _check_as_too_high(told: pd.DataFrame, equation: int, measure: str) -> Finding:
    """State that nobody who knows the law alone exceeds a formula, most by far not reaching it."""
    short = -_list_excess(told, equation, measure, "law")
    return all_of(bounded(short, at_least=0, within=FLOATS), bounded(short.median(), at_least=0.02))


@dataclass(frozen=True)
class Learned:
    """Weights of (learned bit, record's value), and what is learned of the bit.

    Entropies are compared in whole numbers: a row of weights w with sum s has s times its entropy
    = s log s - sum w log w.
    """

    rows: tuple[tuple[int, ...], ...]
    left: tuple[tuple[int, ...], ...]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the weights, by what is learned, and what is left."""
        return {"weights by the learned bit": self.rows, "weights that are left": self.left}

    @property
    def sign(self) -> int:
        """Sign of the entropy after learning, on average over what is left, minus before."""
        before = [sum(column) for column in zip(*self.rows, strict=True)]
        total, weight = sum(before), sum(map(sum, self.left))
        left, left_over = _compute_entropy_powers(self.left, total)
        right, right_over = _compute_entropy_powers([before], weight)
        after, prior = left * right_over, right * left_over
        return (after > prior) - (after < prior)


def _compute_entropy_powers(rows: Sequence[Sequence[int]], exponent: int) -> tuple[int, int]:
    """Compute exp(exponent x sum over rows of (s log s - sum w log w)) as two whole numbers."""
    numerator = denominator = 1
    for row in rows:
        numerator *= sum(row) ** (sum(row) * exponent)
        for weight in row:
            denominator *= weight ** (weight * exponent)
    return numerator, denominator


@universe()
def learning() -> dict[str, list[Learned]]:
    """List the joint distributions of two bits in eighths; and each value that may be learned."""
    found: dict[str, list[Learned]] = {"average": [], "value": []}
    for joint in itertools.product(range(9), repeat=4):
        if sum(joint) == 8:
            rows = joint[:2], joint[2:]
            possible = tuple(row for row in rows if sum(row))
            found["average"].append(Learned(rows, possible))
            found["value"] += [Learned(rows, (row,)) for row in possible]
    return found


# 5.1: the prior ----------------------------------------------------------------------------------


@paper.states(
    "Equation 17, Fig. 5b",
    "Combining Eq. 11 with Eq. 16, we can derive precision, recall as precision = "
    "(P(d_i = d_i1) RSR)/(P(d_i = d_i1) RSR + P(d_i = d_i2) GSR) = 1/(1 + (1 - rho_p) "
    "GSR/RSR), (17) recall = RSR.",
    says="Precision and recall with a known prior, at each plotted point.",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig5_6_7",
    over=rates,
)
def eq17_counted(rates: pd.DataFrame) -> Finding:
    """Precision and recall at every plotted point for adversaries with this side knowledge, as
    counted where the true database is drawn by it.
    """
    return compare_with_formula(rates, RATES, knowledge="prior")


@paper.states(
    "Fig. 5b",
    "From Eq. 17, we know that precision is increased while recall is kept unchanged "
    "for adversaries knowing prior distribution of the input data.",
    says="Precision is increased at the same recall for adversaries who know the prior.",
    reading="two worlds, of even odds and of others, in which the value that is looked for is "
    "the likelier one",
    label="two worlds (even odds against other odds)",
    figure="prrelation/fig5_6_7",
    over=curves,
)
def fig5b_gain(curves: pd.DataFrame) -> Finding:
    """Side knowledge increases precision at the same recall."""
    gain = select(curves, mechanism="laplace", knowledge="prior")["precision_gain"]
    return bounded(gain, at_least=0)


@paper.states(
    "Fig. 5b",
    fig5b_gain.quote,
    reading="one world, an adversary who knows the odds and one who takes them for even",
    label="one world (an adversary who knows the odds against one who does not)",
    of=fig5b_gain,
    figure="prrelation/knowledge_worth",
    over=equal_recall,
)
def fig5b_knowledge(equal_recall: pd.DataFrame) -> Finding:
    """An adversary who knows the odds has a higher precision at the same recall than one who
    does not, in the same world.
    """
    return bounded(_list_gains(equal_recall, "prior"), at_least=1e-6)


@corrects(
    fig5b_knowledge,
    Kind.READING,
    fails="in one world all adversaries order the answers alike, by the likelihood ratio; the"
    " odds only move the threshold: at equal recall the gain is 0",
    mend="of the printed gain in F1 at most 38 % is due to knowing",
    true_if="a world of even odds is compared with one of other odds, as the equations do",
    rests="Equations 17, 20 and 23 stand",
    proof="equations-17-20-and-23-two-worlds-and-knowledge",
)
def fig5b_no_gain(equal_recall: pd.DataFrame) -> Finding:
    """At equal recall the gain of knowledge is exactly 0."""
    return equals(_list_gains(equal_recall, "prior"), 0, within=FLOATS)


@paper.states(
    "Equation 18",
    "Furthermore, we theoretically derive the highest F_beta-score of the adversary's "
    "hypothesis testing under different values of epsilon and rho_p as F*_beta-score = (1 +"
    " beta^2)/(2 + beta^2 - rho_p), epsilon < log(1 + beta^2/(1 - rho_p)), ((1 + "
    "beta^2)(sqrt(1 + 4 beta^2 epsilon/(1 - rho_p)) - 1))/((1 + beta^2) sqrt(1 + 4 beta^2 "
    "epsilon/(1 - rho_p)) - 1 + beta^2), epsilon >= log(1 + beta^2/(1 - rho_p)) (18)",
    says="The closed form of the best F-score with a prior, 4 β² ε under the root.",
    figure="prrelation/fig8",
    transcribed=True,
    over=best_f_scores,
)
def eq18(best_f_scores: pd.DataFrame) -> Finding:
    """The printed closed form is the best F-score with this side knowledge."""
    printed = _select_formula(best_f_scores, "prior", "printed_minus_f_score")
    return equals(printed, 0, within=FLOATS)


@corrects(
    eq18,
    Kind.MISPRINT,
    fails="the root prints 4 β² ε: the printed form jumps down at the turning point and stays"
    " too small",
    mend="4 β² e^ε",
    right_at="Eqs. 12, 21, Section 10.5.1",
    shown_by="eq21",
    proof="equations-18-and-24",
)
def eq18_exponential(best_f_scores: pd.DataFrame) -> Finding:
    """With e^epsilon it is the best F-score, as a search over all thresholds finds it; below
    the turning point, where the first case holds, which has no root, the printed form is right.
    """
    return _compare_with_exponential(best_f_scores, "prior")


def _compare_with_exponential(best_f_scores: pd.DataFrame, knowledge: str) -> Finding:
    """State that the form with e^epsilon is best, and the printed one below the turning point."""
    searched = _select_formula(best_f_scores, knowledge, "search_minus_f_score")
    below = select(best_f_scores, epsilon_nats=_BELOW)
    printed = _select_formula(below, knowledge, "printed_minus_f_score")
    return all_of(equals(searched, 0, within=FLOATS), equals(printed, 0, within=FLOATS))


@paper.states(
    "Section 5.1, after Equation 18",
    "Comparing Eq. 18 and Eq. 12, we know that 1) the adversary achieves an improved hypothesis "
    "testing by possessing auxiliary information of prior distribution and 2) a larger value of "
    "rho_p results in a higher confidence for the adversary to select the correct value of d_i "
    "(with higher F_beta-score).",
    says="The larger ρp, the higher the best F-score.",
    reading="two worlds, of even odds and of others, in which the value that is looked for is "
    "the likelier one",
)
def sec5_1_larger() -> Finding:
    """The best F-score rises with rho_p from 0 to 0.9, for each plotted epsilon and beta.

    The best of 401 thresholds, by the tails of the noise.
    """
    thresholds = np.linspace(-3, 4, 401)
    found = []
    for epsilon, beta in itertools.product(EPSILONS_NATS, BETAS):
        sides = compute_laplace_rates(thresholds, epsilon)
        best = {
            rho: compute_f_score(*sides, beta=beta, odds_against=1 - rho).max()
            for rho in (0, 0.2, 0.4, 0.6, 0.8, 0.9)
        }
        found.append(best)
    return rises(*found)


# 5.2: correlated records -------------------------------------------------------------------------


@paper.states(
    "Section 5.2",
    "Let us further define the coefficient of record correlation rho_c as rho_c = 1 - min "
    "P(d_i = d_i1)/P(d_i = d_i1|d_c1, d_c2, ...), where rho_c in [0, 1], and rho_c = 0 "
    "corresponds to the scenario of independent records.",
    says="ρc = 0 corresponds to independent records.",
    over=coefficients,
)
def rho_c_zero(coefficients: dict[str, list[Coefficient]]) -> Finding:
    """rho_c is 0 just if the record and the correlated one are independent.

    Checked on all joint distributions of two bits in positive twelfths.
    """
    return for_all(
        agrees(each.is_zero, each.is_independent, each) for each in coefficients["records"]
    )


@paper.states(
    "Section 5.2, below Equation 20",
    _EQUATION_20,
    says="The largest odds given the correlated records are 1/(1 - ρp - ρc (2 - ρp)).",
    over=correlated,
)
def eq20_odds(correlated: list[Correlated]) -> Finding:
    """By the definitions of rho_p and rho_c the largest odds of a value, given the correlated
    records, are 1/(1 - rho_p - rho_c (2 - rho_p)). Checked, as the odds against it, on every
    joint distribution of two records of one bit on a lattice.
    """
    return for_all(
        equal(each.odds_against, each.smallest_odds_against, each) for each in correlated
    )


@corrects(
    eq20_odds,
    Kind.PREMISE,
    fails="P(d = 1) = 4/5; another record, 1 with probability 1/5, takes P(d = 0) to 3/4: ρp "
    "= 3/4, ρc = 11/15, printed -3/2, true 15",
    premise="the correlated records raise the likelier value by the largest factor",
    rests="Equations 20, 21, 23 and 24",
    proof="equations-20-and-23",
)
def eq20_odds_likelier(correlated: list[Correlated]) -> Finding:
    """They are the largest odds where the correlated records raise the likelier value by the
    largest factor; the odds are positive then.
    """
    return for_all(
        equal(each.odds_against, each.smallest_odds_against, each)
        for each in correlated
        if each.raises_likelier
    )


def _list_coefficients(names: int) -> list[tuple[Fraction, ...]]:
    """List coefficients of a twentieth to a fifth: rho_p, rho_c and perhaps rho_t."""
    return list(itertools.product([Fraction(k, 20) for k in range(1, 5)], repeat=names))


@paper.states(
    "Section 5.2, below Equation 20, its middle terms", _EQUATION_20, of=eq20_odds, transcribed=True
)
def eq20_chain() -> Finding:
    """The middle term of the chain is its last one. Checked for coefficients up to a fifth, as
    exact fractions.
    """
    facts = []
    for p, c in _list_coefficients(2):
        odds = 1 / (1 - p)
        middle = odds / ((1 + odds) * (1 - c)) / (1 - 1 / ((1 + odds) * (1 - c)))
        facts.append(equal(middle, 1 / (1 - p - c * (2 - p)), {"rho_p": p, "rho_c": c}))
    return for_all(facts)


@corrects(
    eq20_chain,
    Kind.SLIP,
    fails="at 0.2 and 0.1 it is 1.22, and the last term 1.61",
    mend="subtract the whole numerator from 1: 1 - (1/(1 - ρp))/((1 + 1/(1 - ρp))(1 - ρc))",
    stands="the last term, in Equation 20",
    shown_by="eq20_counted",
    rests="nothing",
    proof="equations-20-and-23",
)
def eq20_chain_mended() -> Finding:
    """x/(1 - x) with the x of its numerator is the last term."""
    facts = []
    for p, c in _list_coefficients(2):
        x = (1 / (1 - p)) / ((1 + 1 / (1 - p)) * (1 - c))
        facts.append(equal(x / (1 - x), 1 / (1 - p - c * (2 - p)), {"rho_p": p, "rho_c": c}))
    return for_all(facts)


@paper.states(
    "Equation 20, Fig. 6b",
    _PRINTED_20,
    says="Precision and recall with known correlated records, at each plotted point.",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig5_6_7",
    over=rates,
)
def eq20_counted(rates: pd.DataFrame) -> Finding:
    """Precision and recall at every plotted point for adversaries with this side knowledge, as
    counted where the true database is drawn by it.
    """
    return compare_with_formula(rates, RATES, knowledge="records")


@paper.states(
    "Equation 20",
    _PRINTED_20,
    says="Precision and recall with known correlated records.",
    reading=_WORST,
    label="the worst values of the others",
    of=eq20_counted,
    over=told,
)
def eq20_worst(told: pd.DataFrame) -> Finding:
    """With the true largest odds the formula's precision at the same recall is never exceeded, at
    epsilon = 1 and a recall of one half, and is reached.
    """
    return _check_as_bound(told, 20, "precision")


@paper.states(
    "Equation 20",
    _PRINTED_20,
    says="Precision and recall with known correlated records.",
    reading=_BY_LAW,
    label="by the law alone",
    of=eq20_counted,
    over=told,
)
def eq20_law(told: pd.DataFrame) -> Finding:
    """With the largest odds, it is the precision of an adversary who knows the law."""
    return equals(_list_excess(told, 20, "precision", "law"), 0, within=FLOATS)


@corrects(
    eq20_law,
    Kind.READING,
    fails="two bits that are equal with 5/6: by the formula precision is 0.93 at a recall of "
    "1/2; of one who knows this and neither bit it is 0.84",
    mend="the two answers are mixtures: `risk(hypothesis=RecordHypothesis(law))` is exact",
    true_if="the values of all others are told, and are the worst ones",
    rests="Figures 6 to 8 as pictures of what such an adversary finds",
    proof="an-adversary-with-a-joint-distribution",
)
def eq20_law_bound(told: pd.DataFrame) -> Finding:
    """It is not exceeded, and too high by 0.02 or more in the median."""
    return _check_as_too_high(told, 20, "precision")


@paper.states(
    "Fig. 6b",
    "From Eq. 20, we know that precision is increased under the same level of recall "
    "for adversaries that possess record correlation of the input data.",
    says="Precision is increased at the same recall by record correlation.",
    reading="two worlds, of even odds and of others, in which the value that is looked for is "
    "the likelier one",
    label="two worlds",
    figure="prrelation/fig5_6_7",
    over=curves,
)
def fig6b_gain(curves: pd.DataFrame) -> Finding:
    """Knowing the correlation of records increases precision at the same recall, beside the
    prior alone.
    """
    gain = select(curves, mechanism="laplace", knowledge="records")["precision_gain"]
    return bounded(gain, at_least=0)


@paper.states(
    "Fig. 6b",
    fig6b_gain.quote,
    reading="one world, an adversary who knows the odds and one who takes them for even",
    label="one world",
    of=fig6b_gain,
    figure="prrelation/knowledge_worth",
    over=equal_recall,
)
def fig6b_knowledge(equal_recall: pd.DataFrame) -> Finding:
    """An adversary who knows the odds has a higher precision at the same recall than one who
    does not, in the same world.
    """
    return bounded(_list_gains(equal_recall, "records"), at_least=1e-6)


@corrects(
    fig6b_knowledge,
    Kind.READING,
    fails="in one world all adversaries order the answers alike",
    same_as=fig5b_knowledge,
    proof="equations-17-20-and-23-two-worlds-and-knowledge",
)
def fig6b_no_gain(equal_recall: pd.DataFrame) -> Finding:
    """At equal recall the gain of knowledge is exactly 0."""
    return equals(_list_gains(equal_recall, "records"), 0, within=FLOATS)


@paper.states(
    "Equation 21",
    _PRINTED_21,
    says="The closed form of the best F-score with correlated records.",
    figure="prrelation/fig8",
    over=best_f_scores,
)
def eq21(best_f_scores: pd.DataFrame) -> Finding:
    """The printed closed form is the best F-score with this side knowledge."""
    printed = _select_formula(best_f_scores, "records", "printed_minus_f_score")
    return equals(printed, 0, within=FLOATS)


@paper.states(
    "Equation 21",
    _PRINTED_21,
    says="The closed form of the best F-score with correlated records.",
    reading=_WORST,
    label="the worst values of the others",
    of=eq21,
    over=told,
)
def eq21_worst(told: pd.DataFrame) -> Finding:
    """With the true largest odds the formula's best F1 is never exceeded, at
    epsilon = 1, and is reached.
    """
    return _check_as_bound(told, 20, "f_score")


@paper.states(
    "Equation 21",
    _PRINTED_21,
    says="The closed form of the best F-score with correlated records.",
    reading=_BY_LAW,
    label="by the law alone",
    of=eq21,
    over=told,
)
def eq21_law(told: pd.DataFrame) -> Finding:
    """With the largest odds, it is the best F1 of an adversary who knows the law."""
    return equals(_list_excess(told, 20, "f_score", "law"), 0, within=FLOATS)


@corrects(
    eq21_law,
    Kind.READING,
    fails="two bits that are equal with 5/6: by the formula the best F1 is 0.91; of one who "
    "knows this and neither bit it is 0.77",
    mend="the two answers are mixtures: `risk(hypothesis=RecordHypothesis(law))` is exact",
    true_if="the values of all others are told, and are the worst ones",
    rests="Figures 6 to 8 as pictures of what such an adversary finds",
    proof="an-adversary-with-a-joint-distribution",
)
def eq21_law_bound(told: pd.DataFrame) -> Finding:
    """It is not exceeded, and too high by 0.02 or more in the median."""
    return _check_as_too_high(told, 20, "f_score")


# 5.3: earlier values -----------------------------------------------------------------------------


@paper.states(
    "Section 5.3",
    "Let us define the coefficient of temporal correlation as rho_t = 1 - min P(d_i = "
    "d_i1|d_c1, d_c2, ...)/P(d_i = d_i1|d_-i^[t-1], d_c1^[t], d_c2^[t], ...), where rho_t "
    "in [0, 1] and rho_t = 0 corresponds to the static scenario.",
    says="ρt = 0 corresponds to the static scenario.",
    over=coefficients,
)
def rho_t_zero(coefficients: dict[str, list[Coefficient]]) -> Finding:
    """rho_t is 0 just if the record is independent of its past, given the correlated one.

    Checked on all joint distributions of three bits in positive sixteenths.
    """
    return for_all(agrees(each.is_zero, each.is_independent, each) for each in coefficients["time"])


@paper.states(
    "Equation 23, Fig. 7b",
    _PRINTED_23,
    says="Precision and recall with known earlier values, at each plotted point.",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig5_6_7",
    over=rates,
)
def eq23_counted(rates: pd.DataFrame) -> Finding:
    """Precision and recall at every plotted point for adversaries with this side knowledge, as
    counted where the true database is drawn by it.
    """
    return compare_with_formula(rates, RATES, knowledge="time")


@paper.states(
    "Equation 23",
    _PRINTED_23,
    says="Precision and recall with known earlier values.",
    reading=_WORST,
    label="the worst values of the others",
    of=eq23_counted,
    over=told,
)
def eq23_worst(told: pd.DataFrame) -> Finding:
    """With the true largest odds the formula's precision at the same recall is never exceeded, at
    epsilon = 1 and a recall of one half, and is reached.
    """
    return _check_as_bound(told, 23, "precision")


@paper.states(
    "Equation 23",
    _PRINTED_23,
    says="Precision and recall with known earlier values.",
    reading=_BY_LAW,
    label="by the law alone",
    of=eq23_counted,
    over=told,
)
def eq23_law(told: pd.DataFrame) -> Finding:
    """With the largest odds, it is the precision of an adversary who knows the law."""
    return equals(_list_excess(told, 23, "precision", "law"), 0, within=FLOATS)


@corrects(
    eq23_law,
    Kind.READING,
    fails="two bits that are equal with 5/6, and an earlier one that tells nothing: 0.93 and "
    "0.84, as at Equation 20",
    mend="the two answers are mixtures: `risk(hypothesis=RecordHypothesis(law))` is exact",
    true_if="the values of all others are told, and are the worst ones",
    rests="Figures 6 to 8 as pictures of what such an adversary finds",
    proof="an-adversary-with-a-joint-distribution",
)
def eq23_law_bound(told: pd.DataFrame) -> Finding:
    """It is not exceeded, and too high by 0.02 or more in the median."""
    return _check_as_too_high(told, 23, "precision")


@paper.states(
    "Section 5.3, below Equation 23",
    "Eq. 23 holds since max P_i1^t/P_i2^t = max P_i1^t/(1 - P_i1^t) = (1/(1 - rho_p) (1 + 1/(1 - "
    "rho_p))(1 - rho_c)(1 - rho_t))/(1 - 1/(1 - rho_p) (1 + 1/(1 - rho_p))(1 - rho_c)(1 - rho_t)) "
    "= 1/((2 - rho_p)(1 - rho_c)(1 - rho_t) - 1) = 1/(1 - rho_p - (2 - rho_p)(rho_c + rho_t (1 - "
    "rho_c))).",
    says="The largest odds given the earlier values, step by step.",
    transcribed=True,
)
def eq23_chain() -> Finding:
    """The terms of the chain are equal. Checked for coefficients up to a fifth, as exact
    fractions.
    """
    facts = []
    for p, c, t in _list_coefficients(3):
        x = (1 / (1 - p)) * (1 + 1 / (1 - p)) * (1 - c) * (1 - t)
        facts.append(equal(x / (1 - x), _compute_last_odds(p, c, t), {"rho": (p, c, t)}))
    return for_all(facts)


def _compute_last_odds(p: Fraction, c: Fraction, t: Fraction) -> Fraction:
    """Compute the last term of the chain below Equation 23."""
    return 1 / (1 - p - (2 - p) * (c + t * (1 - c)))


@corrects(
    eq23_chain,
    Kind.SLIP,
    fails="at 0.2, 0.1 and 0.1 the first quotient is -1.78, and the other terms 2.18: the bar of a "
    "fraction is lost",
    mend="x/(1 - x) with x = (1/(1 - ρp))/((1 + 1/(1 - ρp))(1 - ρc)(1 - ρt))",
    stands="the last terms, in Equation 23",
    shown_by=eq23_counted,
    rests="nothing",
    proof="equations-20-and-23",
)
def eq23_chain_mended() -> Finding:
    """With the bar of the fraction all terms are equal."""
    facts = []
    for p, c, t in _list_coefficients(3):
        x = (1 / (1 - p)) / ((1 + 1 / (1 - p)) * (1 - c) * (1 - t))
        last, case = _compute_last_odds(p, c, t), {"rho": (p, c, t)}
        facts.append(equal(x / (1 - x), last, case))
        facts.append(equal(1 / ((2 - p) * (1 - c) * (1 - t) - 1), last, case))
    return for_all(facts)


@paper.states(
    "Fig. 7b and Section 5.3",
    _FIG_7B,
    says="Precision is increased at the same recall by temporal correlation.",
    reading="Fig. 7b shows the PR-relation, as the text says; two worlds, of even odds and of "
    "others, in which the value that is looked for is the likelier one",
    label="two worlds",
    figure="prrelation/fig5_6_7",
    over=curves,
)
def fig7b_gain(curves: pd.DataFrame) -> Finding:
    """Knowing the correlation over time increases precision at the same recall, beside the
    static scenario, in which the prior and the correlation of records are known.
    """
    gain = select(curves, mechanism="laplace", knowledge="time")["precision_gain"]
    return bounded(gain, at_least=0)


@paper.states(
    "Fig. 7b and Section 5.3",
    _FIG_7B,
    reading="one world, an adversary who knows the odds and one who takes them for even",
    label="one world",
    of=fig7b_gain,
    figure="prrelation/knowledge_worth",
    over=equal_recall,
)
def fig7b_knowledge(equal_recall: pd.DataFrame) -> Finding:
    """An adversary who knows the odds has a higher precision at the same recall than one who
    does not, in the same world.
    """
    return bounded(_list_gains(equal_recall, "time"), at_least=1e-6)


@corrects(
    fig7b_knowledge,
    Kind.READING,
    fails="in one world all adversaries order the answers alike",
    same_as=fig5b_knowledge,
    proof="equations-17-20-and-23-two-worlds-and-knowledge",
)
def fig7b_no_gain(equal_recall: pd.DataFrame) -> Finding:
    """At equal recall the gain of knowledge is exactly 0."""
    return equals(_list_gains(equal_recall, "time"), 0, within=FLOATS)


@paper.states(
    "Fig. 7b and Section 5.3",
    "Fig. 7. (a) Hypothesis testing and (b) F1-score of detecting a particular record for "
    "adversaries with access to temporal correlation (rho_p = 0.2, rho_c = 0.1, rho_t = "
    "0.1).",
    reading="Fig. 7b shows the F1-score, as its caption says",
    label="two worlds, by the F1-score of the caption",
    of=fig7b_gain,
    figure="prrelation/fig8",
    over=best_f_scores,
)
def fig7b_caption(best_f_scores: pd.DataFrame) -> Finding:
    """The best F1-score is higher for an adversary who knows the correlation over time, at
    every epsilon, beside the static scenario.
    """
    gain = select(best_f_scores, mechanism="laplace", knowledge="time", beta=1)["knowledge_gain"]
    return bounded(gain, at_least=0)


@paper.states(
    "Equation 24",
    "Furthermore, we theoretically compute the highest F_beta-score under given values of "
    "privacy budget epsilon, coefficient of prior distribution rho_p, coefficient of record"
    " correlation rho_c and coefficient of temporal correlation rho_t as F*_beta-score = (1"
    " + beta^2)/(2 + beta^2 - rho_p - (2 - rho_p)(rho_c + rho_t (1 - rho_c))), epsilon < "
    "epsilon(rho_p, rho_c, rho_t), ((1 + beta^2)(sqrt(1 + 4 beta^2 epsilon/(1 - rho_p - (2 "
    "- rho_p)(rho_c + rho_t (1 - rho_c)))) - 1))/((1 + beta^2) sqrt(1 + 4 beta^2 epsilon/(1"
    " - rho_p - (2 - rho_p)(rho_c + rho_t (1 - rho_c)))) - 1 + beta^2), epsilon >= "
    "epsilon(rho_p, rho_c, rho_t) (24)",
    says="The closed form of the best F-score with earlier values, 4 β² ε under the root.",
    figure="prrelation/fig8",
    transcribed=True,
    over=best_f_scores,
)
def eq24(best_f_scores: pd.DataFrame) -> Finding:
    """The printed closed form is the best F-score with this side knowledge."""
    printed = _select_formula(best_f_scores, "time", "printed_minus_f_score")
    return equals(printed, 0, within=FLOATS)


@corrects(
    eq24,
    Kind.MISPRINT,
    fails="the root prints 4 β² ε: the printed form jumps down at the turning point and stays"
    " too small",
    mend="4 β² e^ε",
    same_as=eq18,
    proof="equations-18-and-24",
)
def eq24_exponential(best_f_scores: pd.DataFrame) -> Finding:
    """With e^epsilon it is the best F-score, as a search over all thresholds finds it; below
    the turning point, where the first case holds, which has no root, the printed form is right.
    """
    return _compare_with_exponential(best_f_scores, "time")


@paper.states(
    "Fig. 8",
    _FIG_8,
    says="The adversary infers more with higher ρp, ρc, ρt.",
    reading="two worlds, of even odds and of others, in which the value that is looked for is "
    "the likelier one",
    figure="prrelation/fig8",
    over=best_f_scores,
)
def fig8_gain(best_f_scores: pd.DataFrame) -> Finding:
    """The more the adversary knows beforehand, the higher the best F-score: with the prior than
    without, with correlated records than with the prior alone, and with earlier values than
    with both of these.
    """
    chosen = select(best_f_scores, mechanism="laplace", knowledge=["prior", "records", "time"])
    return bounded(chosen["knowledge_gain"], at_least=0)


@paper.states(
    "Fig. 8",
    _FIG_8,
    reading="one world, an adversary who knows the odds and one who takes them for even",
    of=fig8_gain,
    figure="prrelation/knowledge_worth",
    over=worth,
)
def fig8_knowledge(worth: pd.DataFrame) -> Finding:
    """In one world, the best F1 is no lower for an adversary who knows the odds than for one
    who takes them for even.
    """
    chosen = select(worth, sensitive=["likelier", "rarer"], beta=1)
    return bounded(chosen["knowledge_gain"], at_least=0)


@paper.states(
    "Fig. 8",
    says="The best F1 at each plotted point.",
    prints="Fig. 8: curves of the highest F-score (beta = 1) against epsilon, by what the "
    "adversary knows",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig8",
    over=f_scores,
)
def fig8_counted(f_scores: pd.DataFrame) -> Finding:
    """The best F1 at every plotted point, as counted."""
    return compare_with_formula(f_scores, F_SCORE, query="smokers", mechanism="laplace", beta=1)


@paper.states(
    "Section 5.3, after Fig. 8",
    _CONDITIONING,
    says="This can also be explained by: conditioning reduces entropy.",
    reading="on average over what is learned, as in information theory",
    label="on average over what is learned",
    over=learning,
)
def conditioning(learning: dict[str, list[Learned]]) -> Finding:
    """Knowing more leaves less entropy, on average over what is learned.

    Checked for all joint distributions of two bits in eighths, in whole numbers.
    """
    return for_all(holds(each.sign <= 0, each) for each in learning["average"])


@paper.states(
    "Section 5.3, after Fig. 8",
    _CONDITIONING,
    reading="for the value that is learned, as in Equations 17, 20 and 23, which take the "
    "largest ratio",
    label="for the value that is learned",
    of=conditioning,
    over=learning,
)
def conditioning_value(learning: dict[str, list[Learned]]) -> Finding:
    """Knowing more leaves less entropy, whatever is learned.

    Checked likewise, for each value that may be learned.
    """
    return for_all(holds(each.sign <= 0, each) for each in learning["value"])


@corrects(
    conditioning_value,
    Kind.READING,
    fails="odds of 7 to 1 (0.54 bits); told that the person lives on the hill, where one of "
    "two has the secret, even odds: 1 bit",
    mend="Figure 8's curves rise because the odds do",
    true_if="on average over what is learned",
    rests="nothing",
    proof="after-fig-8",
)
def conditioning_average(learning: dict[str, list[Learned]]) -> Finding:
    """It is less on average."""
    return conditioning.check(learning)


@paper.states(
    "Section 5.3.1",
    "Since the best PR-relation achieved by the optimal adversary under this mechanism "
    "should be better than PR_realistic, we know that the values of privacy parameters "
    "corresponding to the given PR_realistic should be larger than the privacy parameters "
    "corresponding to the lower-bound optimal PR-relation PR_optimalLow.",
    says="The ε at which the best adversary has a worse one's recall and precision bounds "
    "the mechanism's ε from below.",
    over=realistic,
)
def sec5_3_1_bound(realistic: pd.DataFrame) -> Finding:
    """The epsilon at which the best adversary has the recall and precision of a worse one is no
    larger than the mechanism's. Checked, as the number of exceptions, on adversaries who accept
    intervals of a Laplace answer or what is outside, some of them with a coin in half of the
    cases.
    """
    return bounded([realistic["above"].sum()], at_most=0, sharp=int(realistic["below"].sum()))
