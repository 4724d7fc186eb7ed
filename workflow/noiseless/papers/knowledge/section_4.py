"""Section 4: filters and odometers, and filters that may fail with a probability of delta."""

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from noiseless.accounting.rational import Mechanism
from noiseless.papers.knowledge import paper
from noiseless.papers.knowledge.approximate import (
    BIT_QUERIES,
    LINES_15,
    Afterwards,
    Deltas,
    bound_pairs,
    build_afterwards,
    build_deltas,
    build_enhanced,
    compute_delta_4_6,
    compute_delta_4_7,
    count_accepted,
    count_answers,
)
from noiseless.papers.knowledge.cases import interactions
from noiseless.papers.knowledge.interactions import (
    Capacity,
    Pair,
    Played,
    build_capacities,
    build_pairs,
)
from noiseless.statements import (
    Finding,
    Kind,
    agrees,
    at_most,
    bounded,
    corrects,
    equals,
    for_all,
    holds,
    less,
    universe,
)


@paper.states(
    "Theorem 4.1",
    "A privacy filter F is epsilon_g-LDP if and only if, for any adversary A and any "
    "result V = (M_1, y_1, ..., M_n, y_n) from the interaction q(F, A, .), Eq. (14) is "
    "satisfied.",
    over=interactions,
)
def thm4_1(interactions: Mapping[str, Played]) -> Finding:
    """A filter is epsilon_g-LDP if and only if no transcript has a realized loss above epsilon_g.
    Checked, as the number of transcripts whose own probabilities and whose loss disagree, on all
    transcripts of random adversaries who meet no filter.
    """
    return for_all(
        agrees(each.loss > each.budget, each.ratio > each.budget, each)
        for each in interactions["none"].transcripts
    )


@paper.states(
    "Corollary 4.1 and Algorithm 2",
    "If, for any y from a query M, max_x product over 1 <= i <= n of Pr(M_i(x) = y_i) x"
    " Pr(M(x) = y) / min_x' product over 1 <= i <= n of Pr(M_i(x') = y_i) x Pr(M(x') = "
    "y) <= e^epsilon_g (15) holds true, where M_1, ..., M_n are the accepted queries, "
    "then a privacy filter accepting M is still epsilon_g-LDP.",
    over=interactions,
)
def cor4_1(interactions: Mapping[str, Played]) -> Finding:
    """A filter that accepts by Equation 15 is epsilon_g-LDP, and Algorithm 2 accepts by it.
    Checked, as the number of transcripts that break it, and of decisions unlike Equation 15 in
    exact fractions.
    """
    played = interactions["bayesian"]
    private = (at_most(each.ratio, each.budget, each) for each in played.transcripts)
    alike = (agrees(each.accepts, each.follows, each) for each in played.decisions)
    return for_all(itertools.chain(private, alike))


@paper.states(
    "Theorem 4.2 and Algorithm 3",
    "A Simplified Bayesian Privacy Filter is epsilon_g-LDP.",
    over=interactions,
)
def thm4_2(interactions: Mapping[str, Played]) -> Finding:
    """The simplified filter is epsilon_g-LDP, and Algorithm 3 accepts as Definition 4.4 says.
    Checked likewise.
    """
    played = interactions["simplified"]
    private = (at_most(each.ratio, each.budget, each) for each in played.transcripts)
    alike = (agrees(each.accepts, each.follows, each) for each in played.decisions)
    within = (at_most(each.accepts, each.fits, each) for each in played.decisions)
    return for_all(itertools.chain(private, alike, within))


@paper.states(
    "Section 4.5",
    "Similarly, the output of a Bayesian Privacy Odometer also provides an upper bound "
    "on any realized g-leakage of the composed queries.",
    over=interactions,
)
def sec4_5(interactions: Mapping[str, Played]) -> Finding:
    """The odometer bounds any realized g-leakage of the composed queries. Checked on the same
    transcripts, with random gain functions and priors.
    """
    return for_all(
        at_most(each.leakage, each.loss, each)
        for played in interactions.values()
        for each in played.transcripts
    )


@universe(smoke={"parts": 5}, paper={"parts": 6}, least={"parts": 4})
def pairs(parts: int) -> list[Pair]:
    """Build all pairs of queries of two outputs about two or three values; the first gave 1."""
    return [each for values in (2, 3) for each in build_pairs(values, parts)]


@paper.states(
    "Section 4.2",
    "When epsilon(y) equals epsilon_g, no new queries with a non-zero DP guarantee can be "
    "accepted, as specified by Eq. (15).",
    over=pairs,
)
def sec4_2_full(pairs: list[Pair]) -> Finding:
    """When the odometer is at the budget, no query with a guarantee above 0 can be accepted by
    Equation 15. Checked, as the number of exceptions, on all pairs of queries of a lattice.
    """
    full = (each for each in pairs if each.guarantee > 1)
    return for_all(holds(max(each.after) > each.loss, each) for each in full)


@corrects(
    sec4_2_full,
    Kind.PREMISE,
    fails="three values with Pr(1|x) = 3/5, 2/5, 1/2 and the answer 1: loss log 3/2; a query with "
    "1/2, 1/2, 11/20 keeps it for both answers",
    mend="accepted only if it treats all most and least likely values alike",
    premise="the query tells a most likely value from a least likely one, or the filter is the "
    "simplified one",
    rests="nothing",
    proof="section-42",
)
def sec4_2_full_alike(pairs: list[Pair]) -> Finding:
    """A query is accepted then only if it gives every most likely and every least likely value the
    same probabilities. The simplified filter accepts none.
    """
    full = [each for each in pairs if each.guarantee > 1]
    kept = (holds(not each.is_telling, each) for each in full if max(each.after) <= each.loss)
    simplified = (less(each.loss, each.loss * each.guarantee, each) for each in full)
    return for_all(itertools.chain(kept, simplified))


@paper.states(
    "Abstract, Sections 4.2 and 8",
    "Using the realized privacy loss as a privacy odometer accurately represents the capacity to "
    "accept new queries.",
    reading="the Bayesian filter",
    over=pairs,
)
def odometer_capacity(pairs: list[Pair]) -> Finding:
    """The remaining budget says which queries can be accepted: where nothing remains, none with a
    guarantee above 0 is. Checked, as the number of exceptions, on all pairs of queries of a
    lattice.
    """
    return sec4_2_full.check(pairs)


@corrects(
    odometer_capacity,
    Kind.PREMISE,
    fails="Nothing remains in that example, and a query of guarantee log 10/9 is accepted. The "
    "remainder is a capacity of the worst case alone: it does not say which values of the record "
    "the next answer may still tell apart.",
    same_as=sec4_2_full,
    proof="section-42",
)
def odometer_capacity_alike(pairs: list[Pair]) -> Finding:
    """A query whose guarantee is at most the remainder is always accepted; one of a larger
    guarantee may be. The capacity is what Equation 15 says of the query at hand.
    """
    return sec4_2_full_alike(pairs)


@universe()
def capacities() -> list[Capacity]:
    """Decide pairs of queries of a lattice by the simplified filter, with 0 and log 3/2 left."""
    return list(build_capacities("simplified", lattices=((2, 6), (3, 4)), factors=("1", "3/2")))


@paper.states(
    "Section 4.2, the simplified filter",
    "Furthermore, if a Simplified Bayesian Privacy Filter is used, only queries with a DP "
    "guarantee epsilon that does not exceed epsilon_g - epsilon(y) will be accepted.",
    reading="the simplified filter, of which the same paragraph says what its capacity is",
    over=capacities,
    of=odometer_capacity,
)
def odometer_capacity_simplified(capacities: list[Capacity]) -> Finding:
    """A query is accepted if and only if its guarantee is within the remaining budget. Checked, as
    the number of decisions otherwise, on pairs of queries of a lattice, with nothing and with log
    3/2 left.
    """
    return for_all(agrees(each.accepts, each.fits, each) for each in capacities)


@paper.states(
    "Section 4.2",
    "If the result y of the next query satisfies Pr(y|x1) < Pr(y|x2), epsilon(y) will decrease.",
    over=pairs,
)
def sec4_2_decrease(pairs: list[Pair]) -> Finding:
    """If the next answer is less likely under the most likely value x1 than under the least likely
    x2, the odometer decreases. Checked likewise.
    """
    return for_all(
        less(after, each.loss, each)
        for each in pairs
        for after, lower in zip(each.after, each.lower, strict=True)
        if any(lower)
    )


@corrects(
    sec4_2_decrease,
    fails="likelihoods 3/5 and 2/5, then 1/10 and 9/10: the loss goes from log 3/2 to log 6",
    mend="necessary, not sufficient: every most likely value must make the answer less likely "
    "than every least likely one",
    rests="nothing",
    proof="section-42",
)
def sec4_2_decrease_all(pairs: list[Pair]) -> Finding:
    """The condition is necessary. The odometer falls only if every most likely value makes the
    answer less likely than every least likely one does.
    """
    return for_all(
        holds(all(lower), each)
        for each in pairs
        for after, lower in zip(each.after, each.lower, strict=True)
        if after < each.loss
    )


@corrects(
    sec4_2_decrease,
    reading="Nothing is stated but Pr(y|x1) < Pr(y|x2). It holds in the example for two values, "
    "where x1 and x2 are the only most and least likely ones, and the filter of a budget of "
    "log(27/2) or more accepts the query.",
)
def sec4_2_decrease_of_two(pairs: list[Pair]) -> Finding:
    """Pairs of queries about two values after which the odometer is as large or larger."""
    of_two = [each for each in pairs if len(each.first) == 2]
    return bounded([sec4_2_decrease.check(of_two).failed], at_least=1)


@universe(smoke={"mechanisms": 100}, paper={"mechanisms": 2000}, least={"mechanisms": 50})
def deltas(mechanisms: int, seed: int) -> list[Deltas]:
    """Build the smallest deltas of random mechanisms."""
    return build_deltas(mechanisms, seed)


@paper.states(
    "Definitions 4.6 and 4.7",
    "This definition is equivalent to: Definiton 4.7. For any x in X and with the probability of "
    "1 - delta, an output y generated by M(x) satisfies the realized privacy loss L(y) < "
    "e^epsilon.",
    over=deltas,
)
def def4_7(deltas: list[Deltas]) -> Finding:
    """Both definitions of (eps, delta)-LDP are equivalent; no random mechanism has a smaller delta
    under 4.6 than under 4.7.
    """
    return for_all(at_most(each.by_4_7, each.by_4_6, each) for each in deltas)


@corrects(
    def4_7,
    fails="randomised response with 3/4 has losses of log 3 only; at ε = log 2 Definition 4.6 "
    "wants δ = 1/4, Definition 4.7 wants δ = 1",
    mend="Definition 4.7 implies 4.6",
    rests="what Section 4.3 says of the output-independent filters",
    proof="definitions-46-and-47",
)
def def4_7_implies(deltas: list[Deltas]) -> Finding:
    """Definition 4.7 implies 4.6, and not the other way round; no mechanism has a smaller delta
    under 4.7.
    """
    return for_all(at_most(each.by_4_6, each.by_4_7, each) for each in deltas)


@corrects(
    def4_7,
    Kind.PREMISE,
    premise="the equivalence is read as an implication, from Definition 4.7 to 4.6",
)
def def4_7_implication(deltas: list[Deltas]) -> Finding:
    """Definition 4.7 implies 4.6."""
    return def4_7_implies(deltas)


_BUDGETS = ((5, 1e-5), (10, 1e-6))  # of output-independent filters: nats and delta


@paper.states(
    "Section 4.3",
    "When the composition is halted, these filters guarantee, with the probability of 1 - delta, "
    "that the composition will have L(y) <= e^epsilon irrespective of the outputs y of the "
    "accepted queries.",
)
def sec4_3() -> Finding:
    """What an output-independent (epsilon, delta) filter has accepted when it halts has a loss
    within epsilon_g with a probability of 1 - delta or more.
    """
    losses = {budget: 0.1 * count_answers(budget, delta) for budget, delta in _BUDGETS}
    return bounded([float(loss <= budget) for budget, loss in losses.items()], at_least=0.99999)


@corrects(
    sec4_3,
    Kind.PREMISE,
    fails="each query asks another bit: a filter for (5, 0.00001) accepts 89 queries of 0.1, and "
    "the loss is 8.9 for certain",
    mend="they guarantee Definition 4.6",
    premise="the two values that are compared are fixed before the outputs are seen",
    rests="the comparison with output-independent filters",
    proof="section-43",
)
def sec4_3_pair() -> Finding:
    """They guarantee Definition 4.6. For two values that are fixed beforehand, the ratio of the
    likelihoods stays within e^epsilon_g with a probability of at least 1 - delta. The two values of
    the loss are chosen afterwards.
    """
    return bounded([bound_pairs(*each) for each in _BUDGETS], at_most=1)


@paper.states(
    "Section 4.3, Algorithm 4",
    "An (epsilon_g, delta_g)-LDP output-independent filter can be enhanced to an (epsilon_g, "
    "delta_g)-Bayesian Privacy Filter in the following manner",
    reading="both guarantees are by Definition 4.6",
)
def alg4() -> Finding:
    """Algorithm 4 has the guarantee of its first filter. Checked for every query about a bit with
    probabilities of eighths, which the first filter accepts before it halts, and every one after
    it, which the second may accept, as the delta of both against that of the first, at e^epsilon =
    2. (So it is for as many queries as one likes, because what is told within the budget adds
    nothing to delta.)
    """
    limit = Fraction(2)
    return for_all(
        at_most(
            compute_delta_4_6(build_enhanced(query, then, limit), limit),
            compute_delta_4_6(query, limit),
            {"Pr(1|x)": query[1], "then Pr(1|x)": then[1]},
        )
        for query, then in itertools.product(BIT_QUERIES, repeat=2)
    )


_REVEAL = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]  # the value itself


@universe()
def afterwards() -> list[Afterwards]:
    """Build every query about a bit with probabilities of eighths, at e^epsilon = 3/2, 2 and 3."""
    return build_afterwards()


def _bound_delta_after_reveal(
    afterwards: list[Afterwards], compute_delta: Callable[[Mechanism, Fraction], Fraction]
) -> Finding:
    """State that delta does not grow if the value itself follows an output of too large a loss."""
    return for_all(
        at_most(
            compute_delta(each.append(_REVEAL), each.limit),
            compute_delta(each.query, each.limit),
            each,
        )
        for each in afterwards
    )


@paper.states(
    "Section 4.3, the true value",
    "Consequently, the Bayesian Privacy Filter is permitted to continue accepting an infinite "
    "number of arbitrary queries, even directly outputting the true value x as allowed under "
    "Definition 4.7.",
    reading="permitted by Definition 4.7",
    over=afterwards,
)
def sec4_3_true_value(afterwards: list[Afterwards]) -> Finding:
    """After an output whose loss is above the budget anything may follow, even the true value.
    Checked, as the number of queries about a bit whose delta of Definition 4.7 grows by it.
    """
    return _bound_delta_after_reveal(afterwards, compute_delta_4_7)


@paper.states(
    "Section 4.3, the true value",
    sec4_3_true_value.quote,
    reading="permitted by Definition 4.6, which is what the output-independent filter guarantees",
    over=afterwards,
    of=sec4_3_true_value,
)
def sec4_3_true_value_4_6(afterwards: list[Afterwards]) -> Finding:
    """After such an output anything may follow, even the true value. Checked, as the number of
    queries about a bit whose delta of Definition 4.6 grows by it.
    """
    return _bound_delta_after_reveal(afterwards, compute_delta_4_6)


@corrects(
    sec4_3_true_value_4_6,
    Kind.READING,
    fails="by Definition 4.6, which the output-independent filters guarantee: randomised response "
    "with 3/4 is (log 2, 1/4), and δ is 1 once the true value follows",
    mend="free only if all outputs keep each ratio above e^ε there",
    true_if="under Definition 4.7, as printed",
    rests="nothing",
    proof="the-best-filter-of-a-known-stream",
)
def sec4_3_true_value_free(afterwards: list[Afterwards]) -> Finding:
    """A query may follow at no cost only if, for each two values whose ratio is above e^epsilon,
    all of its outputs keep it there; otherwise delta grows.
    """
    return for_all(
        agrees(not each.needs_more_delta(then), not each.has_crossing(then), each)
        for each, then in itertools.product(afterwards, BIT_QUERIES)
    )


@universe(
    smoke={"queries": 20, "runs": 20}, paper={"queries": 20, "runs": 200}, least={"queries": 2}
)
def line_15(seed: int, **sizes: Any) -> dict[str, float]:
    """Count what Algorithm 4 accepts with its line 15 as printed and corrected."""
    return {name: count_accepted(name, **sizes, seed=seed) for name in LINES_15}


@paper.states(
    "Algorithm 4, line 15",
    "15: if L(y) > epsilon_g then",
    reading="L(y) is the ratio of Definition 3.2",
    over=line_15,
)
def alg4_line15(line_15: Mapping[str, float]) -> Finding:
    """Once its first filter has halted, Algorithm 4 goes on while the budget allows; with a budget
    of 0.5 nats an object answers a query of log 1.5 = 0.41 nats, which the first filter rejects.
    """
    return equals(line_15["printed"], 1)


@corrects(
    alg4_line15,
    Kind.READING,
    fails="Line 15 compares L, a ratio that is never below 1, with eps_g, a logarithm. With a "
    "budget below 1 the algorithm as printed never accepts anything there.",
    mend="if log L(y) > ε_g",
    true_if='L(y) stands for its own logarithm, as in the phrase before the algorithm, "does not '
    'surpass ε_g"',
    rests="nothing",
    proof="algorithm-4-line-15",
)
def alg4_line15_log(line_15: Mapping[str, float]) -> Finding:
    """Line 15 must compare log L with eps_g."""
    return equals(line_15["corrected"], 1)


@paper.states(
    "Algorithm 4, line 15",
    alg4_line15.quote,
    reading='L(y) stands for its own logarithm, as in the phrase before the algorithm, "as long as '
    'the L(y) after acceptance does not surpass epsilon_g"',
    of=alg4_line15,
    over=line_15,
)
def alg4_line15_logarithm(line_15: Mapping[str, float]) -> Finding:
    """Once its first filter has halted, Algorithm 4 goes on while the budget allows; likewise."""
    return alg4_line15_log(line_15)
