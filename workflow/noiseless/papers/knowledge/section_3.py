"""Section 3: what an answer can teach is bounded by its realized privacy loss."""

import math
from fractions import Fraction
from typing import Any

from noiseless.accounting import rational
from noiseless.accounting.filters import BayesianFilter
from noiseless.papers.knowledge import paper
from noiseless.papers.knowledge.approximate import VALUES, build_power_query
from noiseless.papers.knowledge.cases import RESPONSE, compute_loss_of_example_1
from noiseless.papers.knowledge.learning import (
    Gain,
    Learning,
    build_bit_gains,
    build_gains_about_pairs,
    build_learning,
)
from noiseless.statements import (
    Finding,
    Kind,
    Margin,
    at_most,
    bounded,
    corrects,
    equals,
    for_all,
    universe,
)


@universe(
    smoke={"mechanisms": 100, "beliefs": 5},
    paper={"mechanisms": 2000, "beliefs": 20},
    least={"mechanisms": 2},
)
def learning(seed: int, **sizes: Any) -> Learning:
    """Draw mechanisms of 2 to 5 values and 2 to 4 outputs, and beliefs about each output."""
    return build_learning(**sizes, seed=seed)


@paper.states(
    "Lemma 3.1",
    "For any statement f specific to X, prior belief Q, and output y from a query M(X),"
    " the inequality min_x Pr(M(x) = y) / max_x' Pr(M(x') = y) <= Q(f|y)/Q(f) <= max_x "
    "Pr(M(x) = y) / min_x' Pr(M(x') = y) holds true.",
    over=learning,
)
def lemma3_1(learning: Learning) -> Finding:
    """Q(f|y)/Q(f) stays within [min P/max P, max P/min P]. Checked on random mechanisms, priors and
    statements in exact fractions, as the number of cases outside.
    """
    return for_all(
        fact
        for each in learning.beliefs
        for fact in (
            at_most(max(each.gains), each.loss, each),
            at_most(1 / each.loss, min(each.gains), each),
        )
    )


@paper.states(
    "Lemma 3.2",
    "For any output y from a query M, we have sup over Q, f of Q(f|y)/Q(f) = max_x "
    "Pr(M(x) = y) / min_x' Pr(M(x') = y) holds true.",
    over=learning,
)
def lemma3_2(learning: Learning) -> Finding:
    """The supremum of Q(f|y)/Q(f) over priors and statements is max P/min P. The prior of the proof
    comes within its delta, here 1e-6, for every output of the random mechanisms.
    """
    return bounded(learning.shortfalls, at_most=1e-6)


@paper.states(
    "Theorems 3.1 and 3.2",
    "Specifically, Theorems 3.1 and 3.2 formally establish the equivalence between LDP "
    "and a global learning limit for all statements specific to a queried object.",
    over=learning,
)
def thm3_1__3_2(learning: Learning) -> Finding:
    """A query is eps-LDP if and only if it has an eps learning limit for all statements; on random
    mechanisms the smallest eps of the two differ by no more than the priors of Lemma 3.2 fall
    short.
    """
    return bounded(learning.distances_nats, at_most=2e-6)


@paper.states(
    "Theorem 3.3",
    "The realized privacy loss L(y) is an upper bound of any realized g-leakage, i.e., "
    "for all y: max over g, Q of LK_g(Q|y) <= L(y).",
    reading="gain functions from 0 to 1, as Section 3.4 translates them, and therefore all of at "
    "least 0, because a factor cancels",
    over=learning,
)
def thm3_3(learning: Learning) -> Finding:
    """No realized g-leakage of a gain function of at least 0 exceeds the realized privacy loss."""
    return for_all(at_most(each.leakage, each.loss, each) for each in learning.beliefs)


@universe()
def bit_gains() -> list[Gain]:
    """Build all priors, answers and gains of a bit, of a lattice."""
    return build_bit_gains()


@paper.states(
    "Theorem 3.3, gain functions",
    "The realized privacy loss L(y) is an upper bound of any realized g-leakage, i.e., for all y: "
    "max over g, Q of LK_g(Q|y) <= L(y).",
    reading="gain functions of any sign, as Section 2.3 defines them",
    over=bit_gains,
    of=thm3_3,
)
def thm3_3_gain(gains: list[Gain]) -> Finding:
    """No realized g-leakage of any gain function exceeds the realized privacy loss. Checked on all
    priors, answers and gains of a bit from -1 to 2 of a lattice, as the number of cases above it.
    """
    return for_all(at_most(each.leakage, each.loss, each) for each in gains)


@corrects(
    thm3_3_gain,
    Kind.PREMISE,
    fails="g = (1, -3/4), an even prior, likelihoods 3/4 and 1/4 (L = 3): the vulnerability goes "
    "from 1/8 to 9/16, a leakage of 9/2",
    mend="add the premise",
    premise="the gain is nowhere negative, as Section 3.4 has it",
    rests="nothing: Section 3.4 uses gains from 0 to 1",
    proof="section-34",
)
def thm3_3_not_negative(gains: list[Gain]) -> Finding:
    """Of g from 0 to 1, as Section 3.4 has it, and so of every g of at least 0."""
    return for_all(
        at_most(each.leakage, each.loss, each) for each in gains if min(each.values) >= 0
    )


@paper.states(
    "Corollary 3.1",
    "If a query is epsilon-LDP, we have max over g, Q, y of LK_g(Q|y) <= e^epsilon.",
    over=learning,
)
def cor3_1(learning: Learning) -> Finding:
    """No realized g-leakage of an epsilon-LDP query exceeds e^epsilon, likewise."""
    return for_all(at_most(each.leakage, each.guarantee, each) for each in learning.beliefs)


@paper.states(
    "Section 3.2, several objects",
    "The equivalence can be extended to statements involving multiple objects X "
    "including the queried object X provided that Pr(M(X)=y|X) still satisfies "
    "epsilon-LDP for all possible values of y and X. This holds if X does not contain "
    "latent variables of M or represent the future output of M(X).",
)
def sec3_2_objects() -> Finding:
    """No answer raises the belief in a statement about the queried object and another one by more
    than the query's guarantee, if the other one tells nothing of the answer that the queried one
    does not. Checked for bits that an adversary believes related in any way, in fractions.
    """
    return for_all(at_most(each.gain, each.guarantee, each) for each in build_gains_about_pairs())


# Examples 2 and 3 ---------------------------------------------------------------------------------

_POWERS = [build_power_query(power) for power in range(1, 13)]
_ANSWERS_2 = (1, 0, 1)
_ANSWERS_3 = (1, 0, 1, 1)
_THREE_DECIMALS = Margin(0.0005, "three printed decimals")


def _compute_guarantees() -> list[Fraction]:
    """Compute e^epsilon of each query of Example 2."""
    queries = _POWERS[:3]
    return list(map(rational.compute_exp_guarantee, queries))


def _compute_likelihoods() -> list[Fraction]:
    """Compute the likelihood of Example 2's answers for each value."""
    return rational.compute_likelihood(_POWERS[:3], _ANSWERS_2)


def _ask_example_3() -> tuple[dict[int, int], dict[int, Fraction]]:
    """Ask the Bayesian filter of Example 3; return which queries it accepts, and the losses."""
    accepted, losses = {}, {}
    privacy_filter = BayesianFilter(2 * math.log(1.5), rational.build_domain(len(VALUES)))
    for step, mechanism in enumerate(_POWERS, start=1):
        query = rational.convert_to_query(mechanism)
        accepted[step] = int(privacy_filter.accepts(query))
        if accepted[step] and step <= len(_ANSWERS_3):
            privacy_filter.record(query, _ANSWERS_3[step - 1])
            likelihoods = rational.compute_likelihood(_POWERS[:step], _ANSWERS_3[:step])
            losses[step] = rational.compute_exp_loss(likelihoods)
    return accepted, losses


@paper.states(
    "Example 2",
    "One could verify that each query satisfies log(3/2)-LDP.",
)
def ex2_guarantees() -> Finding:
    """Each of the three queries satisfies log(3/2)-LDP, and no less."""
    return equals(_compute_guarantees(), 1.5)


@paper.states(
    "Example 2",
    "Notably, we have Pr(y1, y2, y3|x) = product over 1 <= i <= 3 of Pr(y_i|x), which "
    "is computed for every x as x, product over 1 <= i <= 3 of Pr(y_i|x): 0 0.096; 1 "
    "0.101; 2 0.109; ...; 10 0.144",
)
def ex2_table() -> Finding:
    """The likelihoods of the answers 1, 0, 1 for x = 0, 1, 2, ..., 10."""
    return equals(
        _compute_likelihoods(), {0: 0.096, 1: 0.101, 2: 0.109, 10: 0.144}, within=_THREE_DECIMALS
    )


@corrects(
    ex2_table,
    Kind.SLIP,
    fails="The third entry, 0.109, is the likelihood for x = 3.",
    mend="0.105 (0.109 is x = 3)",
    stands="the loss of 1.5",
    shown_by="ex2_loss",
    proof="example-2",
)
def ex2_table_right() -> Finding:
    """For x = 2 it is 0.44 x 0.592 x 0.4016 = 0.105."""
    printed = {0: 0.096, 1: 0.101, 2: 0.105, 3: 0.109, 10: 0.144}
    return equals(_compute_likelihoods(), printed, within=_THREE_DECIMALS)


@paper.states(
    "Example 2",
    "Thus, the realized privacy loss is 1.5.",
)
def ex2_loss() -> Finding:
    """The realized privacy loss, as a ratio, is 1.5."""
    return equals(rational.compute_exp_loss(_compute_likelihoods()), 1.5)


@paper.states(
    "Section 3.3, on Example 1",
    "In Example 1, the basic composition does not fully utilize its privacy budget, as the "
    "realized privacy loss is zero.",
)
def ex1_zero() -> Finding:
    """The realized privacy loss of Example 1 is 0."""
    return equals(compute_loss_of_example_1(), 0)


@corrects(
    ex1_zero,
    Kind.MISPRINT,
    fails="the answers 0110 are equally likely: the ratio of Definition 3.2 is 1, its logarithm 0",
    main_clause="the budget is not fully used",
    shown_by="ex1",
    proof="section-33",
)
def ex1_zero_one() -> Finding:
    """The realized privacy loss is 1 by Definition 3.2; the sentence's conclusion stands."""
    return equals(compute_loss_of_example_1(), 1)


@paper.states(
    "Section 3.3",
    "Example 2 also does not fully utilize its privacy budget, since the basic "
    "composition yields 3 log(3/2)-LDP (e^epsilon = 3.375) while the realized privacy "
    "loss is just 1.5.",
)
def ex2_composed() -> Finding:
    """Basic composition of Example 2 yields 3 log(3/2)-LDP, a ratio of 3.375."""
    return equals(math.prod(_compute_guarantees()), 3.375)


@paper.states(
    "Section 3.3, Definition 3.3",
    "It is evident to see that Randomized Response [10], the fundamental algorithm in "
    "LDP, fully utilizes its privacy budget, though the proof is omitted here.",
)
def def3_3() -> Finding:
    """Randomized response fully utilizes its privacy budget, either answer has a loss of log 3
    where the truth has a probability of 3/4.
    """
    return equals(min(map(rational.compute_exp_loss, RESPONSE)), 3)


@paper.states(
    "Example 3",
    "Below is one possible outcome, where the table records all accepted queries: i y_i"
    " L(y); 1 1 1.50; 2 0 1.15; 3 1 1.50; 4 1 2.25",
)
def ex3_trace() -> Finding:
    """The loss after each of the answers 1, 0, 1, 1."""
    _, losses = _ask_example_3()
    printed = {1: 1.50, 2: 1.15, 3: 1.50, 4: 2.25}
    return equals(losses, printed, within=Margin(0.005, "two printed decimals"))


@paper.states(
    "Example 3",
    "Below is one possible outcome, where the table records all accepted queries: i y_i"
    " L(y); 1 1 1.50; 2 0 1.15; 3 1 1.50; 4 1 2.25",
    of="ex3_trace",
)
def ex3_filter() -> Finding:
    """The Bayesian filter accepts four queries, the last exactly on the budget, and rejects the
    fifth.
    """
    accepted, _ = _ask_example_3()
    return equals(accepted, {1: 1, 2: 1, 3: 1, 4: 1, 5: 0})


@paper.states(
    "Example 3",
    "Since the realized privacy loss has reached epsilon_g, all subsequent queries are rejected.",
)
def ex3_rest() -> Finding:
    """All subsequent queries of the example are rejected; tried up to X^12."""
    accepted, _ = _ask_example_3()
    return equals([accepted[step] for step in range(5, 13)], 0)
