"""What this project adds: limits of the equations, notions of privacy, values above a threshold."""

import pandas as pd

from noiseless.papers.prrelation import orders as notion_orders
from noiseless.papers.prrelation import paper
from noiseless.papers.prrelation.cases import (
    F_SCORE,
    RATES,
    compare_with_formula,
    equal_recall,
    f_scores,
    list_numbers,
    orders,
    rates,
    worth,
)
from noiseless.papers.prrelation.composite import build_answer_order_table, build_uniform_table
from noiseless.papers.prrelation.section_6 import (
    INDEPENDENT,
    Mechanisms,
    compare,
    counts,
    distances,
    mechanisms,
)
from noiseless.papers.prrelation.section_7 import composites
from noiseless.statements import Finding, Limit, Margin, bounded, equals, select, universe, widen

_YOUNG_PEOPLE = ("young_people",)
_DECIMALS = Margin(0.0001, "four decimals")
_GRID = Margin(0.0001, "four decimals and a grid of budgets")
_FRACTIONS = Margin(1e-12, "fractions as floating-point numbers")
_ONE_ANSWER = "Sections 4 and 5 analyse one answer that rises with the value, Laplace or Gaussian"


@universe()
def examples() -> pd.DataFrame:
    """Compute e^epsilon of mechanisms with two answers that break an order, in fractions."""
    return widen(notion_orders.build_examples_table())


@universe()
def swaps() -> pd.DataFrame:
    """Compute how far apart databases with equal counts of ones are, in Blowfish's steps."""
    return widen(notion_orders.build_swaps_table())


@universe()
def uniform_values() -> pd.DataFrame:
    """Compute risk measures of a Laplace answer for a value that is uniform on its range."""
    return widen(build_uniform_table())


@universe()
def answer_orders() -> pd.DataFrame:
    """Count the pairs of answers whose likelihood ratios do not follow the order of their sums."""
    return widen(build_answer_order_table())


# Values of a record ------------------------------------------------------------------------------


@paper.adds(
    "Section 4.2",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/fig3",
    over=rates,
    limits=(
        Limit("thm5"),
        Limit("bounded_ends", "the words are of two values, at the ends of the range"),
    ),
)
def bounded_inside(rates: pd.DataFrame) -> Finding:
    """Two values nearer than the ends are harder to tell apart.

    Counted on the mean weight for the largest and the smallest weight of anybody in the survey,
    62 % of the range apart; precision and recall are those of 0.62 epsilon.
    """
    return compare_with_formula(rates, RATES, query="mean_weight_people", mechanism="laplace")


@paper.adds(
    "Section 4.3 (left to future work), after Balle and Wang",
    needs=_YOUNG_PEOPLE,
    figure="prrelation/curves_calibrations",
    over=f_scores,
)
def analytic(f_scores: pd.DataFrame) -> Finding:
    """Equation 14 holds for the analytic Gaussian with its own standard deviation; counted on
    three queries of the survey.
    """
    return compare_with_formula(f_scores, F_SCORE, mechanism="gaussian_analytic")


# What knowing is worth ---------------------------------------------------------------------------


@paper.adds(
    "Fig. 5b, a limit of Equation 17",
    figure="prrelation/knowledge_worth",
    over=equal_recall,
    limits=(Limit("fig5b_gain"),),
)
def fig5b_rarer(equal_recall: pd.DataFrame) -> Finding:
    """Equation 17 takes the two values of a record with the largest ratio.

    An adversary who looks for the other one of the two has a lower precision at the same recall
    than at even odds; with rho_p = 0.2 the largest difference is (sqrt(w) - 1)/(sqrt(w) + 1) =
    0.0557, for odds of w = 1.25 against that value.
    """
    gains = select(equal_recall, knowledge="prior", sensitive="rarer")["world_gain"]
    return equals(gains.min(), -0.0557, within=_GRID)


@paper.adds(
    "Fig. 6b, a limit of Equation 20",
    figure="prrelation/knowledge_worth",
    over=equal_recall,
    limits=(Limit("fig6b_gain"),),
)
def fig6b_rarer(equal_recall: pd.DataFrame) -> Finding:
    """Equation 20 takes the two values of a record with the largest ratio.

    An adversary who looks for the other one of the two has a lower precision at the same recall
    than at even odds; with rho_p = 0.2 and rho_c = 0.1 by up to 0.1189.
    """
    gains = select(equal_recall, knowledge="records", sensitive="rarer")["world_gain"]
    return equals(gains.min(), -0.1189, within=_GRID)


@paper.adds(
    "Fig. 7b, a limit of Equation 23",
    figure="prrelation/knowledge_worth",
    over=equal_recall,
    limits=(Limit("fig7b_gain"),),
)
def fig7b_rarer(equal_recall: pd.DataFrame) -> Finding:
    """Equation 23 takes the two values of a record with the largest ratio.

    An adversary who looks for the other one of the two has a lower precision at the same recall
    than at even odds; with rho_p = 0.2, rho_c = 0.1 and rho_t = 0.1 by up to 0.1928.
    """
    gains = select(equal_recall, knowledge="time", sensitive="rarer")["world_gain"]
    return equals(gains.min(), -0.1928, within=_GRID)


@paper.adds(
    "Fig. 8, a limit of Equations 18, 21 and 24",
    figure="prrelation/knowledge_worth",
    over=worth,
    limits=(
        Limit("fig8_gain", "its coefficients are of the value with the largest ratio (Section 5)"),
    ),
)
def fig8_rarer(worth: pd.DataFrame) -> Finding:
    """The curves are of the value with the largest ratio.

    Where the adversary looks for the rarer one, the same coefficients lower the best F1, at
    epsilon = 1 from 0.710 to 0.679 with the prior, to 0.641 with correlated records, too, and
    to 0.591 with earlier values, too.
    """
    chosen = select(worth, sensitive="rarer", beta=1, epsilon_nats=1)
    printed = {"prior": 0.6789, "records": 0.6406, "time": 0.5911}
    return equals(chosen.set_index("knowledge")["informed"], printed, within=_DECIMALS)


@paper.adds(
    "Fig. 8",
    figure="prrelation/knowledge_worth",
    over=worth,
)
def fig8_share(worth: pd.DataFrame) -> Finding:
    """Of the printed gain in F1, at most 38 % is due to knowing the odds, at every epsilon; the
    rest is the other world. Most of it lies just above epsilon = log 2, where an adversary who
    takes the odds for even begins to read the answer. (At epsilon = 1 it is 3 % for the prior.)
    """
    chosen = select(worth, knowledge=["prior", "records", "time"], sensitive="likelier", beta=1)
    return bounded(chosen["knowledge_share"].dropna(), at_most=0.38)


# Notions of privacy ------------------------------------------------------------------------------


@paper.adds(
    "Theorem 7",
    over=mechanisms,
)
def thm7_whole(mechanisms: Mechanisms) -> Finding:
    """All of Theorem 7 holds in one reading: a constraint is public, and every notion,
    differential privacy too, is about the databases that meet it. Checked on every prior and
    mechanism of a lattice over databases of three bits.
    """
    relations = ("BP >= DDP", "DDP = IP", "IP >= DP", "DDP <= 2 MP", "MIDP <= MP")
    pairs = [("possible", each) for each in relations]
    return compare(mechanisms, *pairs, records=("constrained",))


@paper.adds(
    "Propositions 1 and 2",
    over=mechanisms,
)
def prop1_whole(mechanisms: Mechanisms) -> Finding:
    """All of the propositions holds in one reading: no constraint is public, Blowfish's
    neighbours are those of the cited source, so that Blowfish privacy is differential privacy,
    and the others are about databases. Checked as all of Theorem 7, for independent records.
    """
    relations = ("DDP = IP", "DDP = DP", "DDP <= 2 MP", "MIDP <= MP")
    return compare(mechanisms, *(("possible", each) for each in relations), records=INDEPENDENT)


@paper.adds(
    "Theorem 7",
    over=examples,
)
def thm7_bp_ddp_example(examples: pd.DataFrame) -> Finding:
    """e^epsilon of the mechanism in the erratum, in fractions: 2 with Blowfish's neighbours of
    the cited source, 4 for dependent privacy, 8/5 for one record.
    """
    ratios = select(examples, example="two of four").set_index("notion")["ratio"]
    printed = {"BP minimal": 2, "BP any": 4, "DDP": 4, "IP record": 1.6}
    return equals(ratios, printed, within=_FRACTIONS)


@paper.adds(
    "Theorem 7",
    over=counts,
)
def thm7_bp_ip_limits(counts: pd.DataFrame) -> Finding:
    """With Blowfish's neighbours of the cited source, one record may ask for more than Blowfish
    privacy where the records are correlated beyond a public count, where a range of the count
    is public, and where one record is known to imply another one: the least number of priors of
    each kind under which some mechanism shows it.
    """
    chosen = select(counts, constraint=["correlated", "range", "implication"])
    return bounded(chosen["above"], at_least=2)


@paper.adds(
    "Theorem 7",
    over=distances,
)
def thm7_distance(distances: pd.DataFrame) -> Finding:
    """epsilon_BP <= epsilon_DDP <= d epsilon_BP with Blowfish's neighbours of the cited source,
    where d is the largest number of neighbours' steps between two databases that dependent
    privacy compares; d is at most the number of records in which they differ, and a mechanism
    with two answers reaches it. Checked in fractions, for every set of possible databases of up
    to three bits, as the number of mechanisms with another epsilon and of pairs that are
    farther apart.
    """
    both = ["BP minimal", "DDP"]
    chosen = select(distances, notion=both, than=both)
    broken = chosen[["wrong", "beyond"]].sum().sum()
    return bounded([broken], at_most=0, sharp=int(chosen["pairs"].sum()))


@paper.adds(
    "Theorem 7",
    over=distances,
)
def thm7_distance_all(distances: pd.DataFrame) -> Finding:
    """For any two notions that compare pairs of databases, the least constant between their
    epsilons is the largest distance of one's pairs along the other's; there is none where no
    way joins them. Checked likewise, as the number of mechanisms that do not reach it.
    """
    reached = int((distances["priors"] - distances["wrong"]).sum())
    return bounded([distances["wrong"].sum()], at_most=0, sharp=reached)


@paper.adds(
    "Theorem 7",
    over=swaps,
)
def thm7_distance_count(swaps: pd.DataFrame) -> Finding:
    """If k of n records are public to be ones, the databases that are the farthest apart are
    min(k, n - k) steps apart, and each step swaps two records.
    """
    found = list_numbers(swaps, ["excess", "not_swapped"], ["records", "ones"])
    return equals(found, 0)


@paper.adds(
    "Theorem 7",
    over=orders,
)
def thm7_bp_dp(orders: pd.DataFrame) -> Finding:
    """Of the chain from Blowfish to differential privacy nothing is left if differential
    privacy compares all databases and a constraint excludes some: its epsilon is then no number
    of times that of Blowfish privacy, with any neighbours. Checked by linear programmes, as the
    number of priors with a bound.
    """
    both = ["BP any", "BP minimal"]
    chosen = select(orders, records=["count", "constrained"], notion="DP", than=both)
    unbounded = int(chosen["unbounded"].sum())
    return bounded([chosen["bounded"].sum()], at_most=0, sharp=unbounded)


@paper.adds(
    "Theorem 7",
    over=examples,
)
def thm7_ddp_mp_two(examples: pd.DataFrame) -> Finding:
    """The 2 of epsilon_DDP <= 2 epsilon_MP is the least number: two fair bits and a yes of
    probability 1/2, 1/8, 3/16 and 3/16 have e^epsilon_DDP = 4 and e^epsilon_MP = 2, by
    databases.
    """
    ratios = select(examples, example="one stands out").set_index("notion")["ratio"]
    return equals(ratios, {"DDP": 4, "MP databases": 2}, within=_FRACTIONS)


@paper.adds(
    "Theorem 7",
    over=orders,
)
def thm7_ddp_mp_all(orders: pd.DataFrame) -> Finding:
    """The largest multiple of epsilon_MP, for membership of databases, that dependent privacy
    may ask for, over all mechanisms, is 2: the optima of linear programmes.
    """
    largest = select(orders, notion="DDP", than="MP databases")["largest_multiple"].max()
    return equals(largest, 2, within=Margin(1e-5, "rounding of a linear programme"))


# Values above a threshold ------------------------------------------------------------------------


@paper.adds(
    "Section 7",
    over=composites,
)
def sec7_composite_worst(composites: pd.DataFrame) -> Finding:
    """Of all priors with the same weight above the threshold the paper's binary case, of the
    two ends of the range, has the largest best F1; none has less than accepting always. So what
    an epsilon keeps there it keeps for every prior.
    """
    broken = composites[["above_ends", "below_floor"]].sum().sum()
    return bounded([broken], at_most=0, sharp=int(composites["below_ends"].sum()))


@paper.adds(
    "Section 7",
    over=uniform_values,
)
def sec7_composite_uniform(uniform_values: pd.DataFrame) -> Finding:
    """A value that is uniform on the range, with the threshold in the middle: a Laplace answer
    changes the odds by half of epsilon at most, and does so.
    """
    middle = select(uniform_values, share=0.5).set_index("epsilon_nats")["factor_nats"]
    printed = {0.1: 0.05, 1: 0.5, 2: 1, 4: 2, 8: 4}
    return equals(middle, printed, within=Margin(1e-9, "rounding of floating-point numbers"))


@paper.adds("Section 7", over=uniform_values)
def sec7_composite_change(uniform_values: pd.DataFrame) -> Finding:
    """For a threshold at the share k of the range an answer changes the odds by the larger of
    (e^epsilon - e^(k epsilon)) k/((1 - k)(e^(k epsilon) - 1)), by which they rise, and the same at
    1 - k, by which they fall. Checked for five shares and budgets, by the largest posterior and by
    quadrature.
    """
    rows = uniform_values.set_index(["share", "epsilon_nats"])
    found = rows[["factor_nats", "fall_nats"]].max(axis=1)
    of_other = {key: rows.loc[(round(1 - key[0], 9), key[1]), "formula_nats"] for key in rows.index}
    wanted = {key: max(rows.loc[key, "formula_nats"], of_other[key]) for key in rows.index}
    return equals(
        {f"share {share}, epsilon {budget}": found[share, budget] for share, budget in found.index},
        {f"share {share}, epsilon {budget}": each for (share, budget), each in wanted.items()},
        within=Margin(1e-9, "rounding of floating-point numbers"),
    )


@paper.adds(
    "Section 7",
    over=answer_orders,
    limits=(Limit("sec7_composite", _ONE_ANSWER),),
)
def sec7_composite_limits(answer_orders: pd.DataFrame) -> Finding:
    """No order of the answers by their sum serves every prior for two Laplace answers, for
    staircase noise, and for a query that falls with the value: the least number of pairs of
    answers in the wrong order, in fractions.
    """
    some = ["two Laplace answers", "one staircase answer", "a query that falls"]
    return bounded(select(answer_orders, setting=some)["falls"], at_least=10)


@paper.adds(
    "Section 7",
    over=answer_orders,
    limits=(Limit("sec7_composite", _ONE_ANSWER),),
)
def sec7_composite_reversed(answer_orders: pd.DataFrame) -> Finding:
    """Two Laplace answers have no order at all that serves every prior: pairs of answers that
    two priors order in opposite ways. One Laplace answer and any number of Gaussian ones have
    none.
    """
    printed = {
        "two Laplace answers": 110,
        "one Laplace answer": 0,
        "one Gaussian answer": 0,
        "two Gaussian answers": 0,
    }
    return equals(answer_orders.set_index("setting")["reversed"], printed)
