"""Section IV: the best policies, and Examples IV.1 and IV.2."""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from noiseless.papers.deterministic import paper
from noiseless.papers.deterministic.bins import (
    EQUATION_20,
    EQUATION_21,
    count_reports,
    is_in_bin,
    iterate_bins,
)
from noiseless.papers.deterministic.groupings import Cells, describe_reports
from noiseless.papers.deterministic.heights import Heights, heights, list_crowds
from noiseless.papers.deterministic.policies import count_pieces
from noiseless.papers.deterministic.searches import (
    Accurate,
    Bins,
    Sloped,
    Symbols,
    accurate_counts,
    bins,
    count_values_of_line,
    data_policies,
    even_policies,
    output_policies,
    sloped_policies,
    symbols,
)
from noiseless.papers.deterministic.steps import compute_squared_distance
from noiseless.statements import (
    Finding,
    Kind,
    Margin,
    all_of,
    at_most,
    bounded,
    corrects,
    draw,
    equal,
    equals,
    falls,
    for_all,
    rises,
    select,
    table,
    universe,
)
from noiseless.statements.findings import Fact
from noiseless.theory.finite import Relation

_FOUR_DECIMALS = Margin(0.0001, "four decimals")
_LINES, _REPORTS, _EXAMPLE_2 = "lines-of-proofs", "number-of-reports", "example-iv2"

regions = table("deterministic/policies_regions")
averaging = table("deterministic/policies_averaging")


# Piecewise constant functions --------------------------------------------------------------------


_DENSE = "The set of piecewise constant functions is dense in Lp for all p in [1, +infinity) [57]."


@paper.states(
    "Section IV, before Theorem IV.1",
    _DENSE,
    reading="on general domains, whose definition stands just before the sentence: values come in "
    "any order",
)
def sec4_dense_general() -> Finding:
    """Piecewise constant functions come as near as one likes to every function of L^p. Checked for
    1 - y on [0, 1] in L^2, as the squared distance to the nearest one of m equal steps, which is
    1/(12 m^2).
    """
    return for_all(
        equal(compute_squared_distance(m, ordered=False), Fraction(1, 12 * m**2), {"steps": m})
        for m in range(1, 65)
    )


@paper.states(
    "Section IV, before Theorem IV.1",
    _DENSE,
    reading="on a line, where the definition asks for b1 <= b2 <= ... <= bq",
    of=sec4_dense_general,
)
def sec4_dense() -> Finding:
    """Piecewise constant functions, as Section IV defines them on a line, come as near as one likes
    to every function of L^p. Checked for 1 - y on [0, 1] in L^2, as the squared distance to the
    nearest one of m equal steps, which is to be at most 1/m^2.
    """
    return for_all(
        at_most(compute_squared_distance(m, ordered=True), Fraction(1, m**2), {"steps": m})
        for m in range(1, 65)
    )


@corrects(
    sec4_dense,
    Kind.READING,
    fails="with ordered values the nearest to 1 - y is the constant 1/2, at a distance of 1/√12 = "
    "0.289",
    true_if="the values come in any order, as in the definition on general domains, which is the "
    "last one before the sentence",
    mend="drop the order of the values on a line",
    rests="no theorem uses the order",
    proof=_LINES,
)
def sec4_dense_in_any_order() -> Finding:
    """Without the order of the values the distance of 1 - y to m equal steps is 1/(m sqrt(12))."""
    return sec4_dense_general.check()


@paper.states(
    "Theorem IV.1",
    "The solution of (12) for the privacy metric in (10b) over the set of piecewise differentiable "
    "functions is a piecewise constant function.",
    reading="[[Y]] is bounded, as Theorem IV.2 has it",
    over=sloped_policies,
)
def thm4_1(policies: list[Sloped]) -> Finding:
    """Among piecewise differentiable policies, one that is piecewise constant has the largest
    privacy P2 = 1/I*. Checked on every policy of a few cells that are constant or slope; no policy
    that is accurate enough has fewer parts than the best constant one, and every one that slopes
    somewhere has more, even if it is looked at in a few points of each cell.
    """
    return all_of(
        for_all(at_most(each.fewest, each.parts, each, times=each.times) for each in policies),
        for_all(
            at_most(each.fewest + 1, each.parts, each, times=each.times)
            for each in policies
            if each.slopes
        ),
    )


@paper.states(
    "Theorem IV.1",
    thm4_1.quote,
    reading="[[Y]] may be all of R, which the theorem allows",
    of=thm4_1,
)
def thm4_1_unbounded() -> Finding:
    """For f(x) = x some step function with finitely many values is within 1/gamma. Shown as the
    fewest values that are within 1 of a lattice of [-L, L], which all of [[X]] = R holds and which
    therefore must not grow with L.
    """
    return falls({2**k: count_values_of_line(2**k) for k in range(7)}, strictly=False)


@corrects(
    thm4_1_unbounded,
    Kind.PREMISE,
    fails="[[Y]] = R: no finite number of intervals of length 2/γ covers a line, so every accurate "
    "policy has P2 = 0 and is a solution, f itself too",
    premise="[[Y]] is bounded, as Theorem IV.2 asks for",
    mend="add the premise",
    rests="nothing: Theorems IV.2 and IV.3 are about bounded ranges",
    proof="theorem-iv1",
)
def thm4_1_bounded() -> Finding:
    """With a bounded [[Y]] the theorem is true; the fewest values grow with it without end."""
    return rises({2**k: count_values_of_line(2**k) for k in range(7)})


def _count_values(most_levels: int = 8) -> Iterator[Fact]:
    """State that a function has one value at most at x, as it has b_i if b_i is in X_i."""
    for ends, x in iterate_bins():
        symbols = [(low + high) / 2 for low, high in itertools.pairwise(ends)]
        values = sum(is_in_bin(ends, k, symbol) for k, symbol in enumerate(symbols))
        if len(symbols) <= most_levels:
            yield at_most(values, 1, {"levels": len(symbols), "x": x})


@paper.states(
    "Section IV, piecewise constant functions of more general domains",
    "For more general domains X, a function g : X -> R is a piecewise constant function if there "
    "exist sets {X_i} such that X subset of union X_i, X_i intersection X_j = {} if i /= j, and "
    "g(x) = b_i if b_i in X_i.",
)
def sec4_symbols() -> Finding:
    """A function that has the value b_i if b_i is in X_i has one value for each x. Checked for the
    quantizers of [0, 1] with one to eight levels, on a lattice. (The words return in the proof of
    Theorem IV.3.)
    """
    return for_all(_count_values())


@corrects(
    sec4_symbols,
    Kind.MISPRINT,
    fails="whether b_i is in X_i does not depend on x: a midpoint is in its own bin, so that each "
    "x has all of the values; where the data are not numbers, none",
    mend="if x ∈ X_i",
    right_at="the definition on a line, just above",
    right_words="some arbitrary number q in N such that g(y) = bi for all y in [ai, ai+1)",
    proof="section-iv",
)
def sec4_symbols_of_data() -> Finding:
    """With x in X_i in the place of b_i in X_i each x has exactly one value; as printed it has one
    where there is one set alone.
    """
    facts = (
        equal(sum(is_in_bin(ends, k, x) for k in range(len(ends) - 1)), 1, {"x": x})
        for ends, x in iterate_bins()
    )
    return all_of(for_all(facts), for_all(_count_values(most_levels=1)))


# Theorem IV.2 ------------------------------------------------------------------------------------


def _compare_with_quantizer(policies: list[Accurate]) -> Finding:
    """State that the quantizer of Theorem IV.2 needs the fewest reports."""
    return for_all(fact for each in policies for fact in each.iterate_facts())


@paper.states(
    "Theorem IV.2",
    "The solution of (14) over F = Q o {f} is a uniform quantizer, equi-dividing [[Y]] "
    "into ceil(gamma (y - y)/2) bins.",
    over=output_policies,
)
def thm4_2(policies: list[Accurate]) -> Finding:
    """Among policies that report the output to within 1/gamma, the uniform quantizer with
    ceil(gamma (y_max - y_min)/2) bins needs the fewest reports. Checked against every grouping of
    small cells of the range, connected or not.
    """
    return _compare_with_quantizer(policies)


def _list_bins() -> list[Fraction]:
    """List the multiples of 1/4 up to 10."""
    return [Fraction(k, 4) for k in range(1, 41)]


@paper.states(
    "Proof of Theorem IV.2, its last step",
    "Therefore, a lower bound on the solution of (15) is then the smallest integer that is larger "
    "than gamma (y - y)/2, i.e., ceil(gamma (y - y)/2).",
)
def thm4_2_proof() -> Finding:
    """The smallest integer that is larger than t is ceil(t). Checked for the multiples of 1/4 up to
    10.
    """
    return for_all(equal(math.floor(t) + 1, math.ceil(t), {"t": t}) for t in _list_bins())


@corrects(
    thm4_2_proof,
    Kind.SLIP,
    fails="for a whole t the smallest integer that is larger is t + 1, and ceil(t) is t",
    mend="not smaller than t",
    shown_by=thm4_2,
    proof=_LINES,
)
def thm4_2_not_smaller() -> Finding:
    """The smallest integer that is not smaller than t is ceil(t)."""
    return for_all(
        equal(min(n for n in range(12) if n >= t), math.ceil(t), {"t": t}) for t in _list_bins()
    )


@paper.states(
    "Proofs of Theorems IV.2 and IV.3",
    "It can be seen that I*(X; f~(X)) = q.",
    over=accurate_counts,
)
def sec4_count(counts: tuple[int, int]) -> Finding:
    """A policy with q reports has I* = q. Shown for four reports."""
    return equals({"four reports": _compute_maximin(counts[0])}, {"four reports": 4})


def _compute_maximin(reports: int) -> float:
    """Compute I*, in nats, of a policy with some reports."""
    return math.log(Relation.from_outcomes(range(reports), range(reports)).maximin_count)


@corrects(
    sec4_count,
    Kind.SLIP,
    fails="Equation 9 defines I* as the logarithm of the number of parts of the taxicab partition; "
    "the proofs use that number itself",
    mend="log of the number of different symbols",
    shown_by=thm4_2,
    proof=_REPORTS,
)
def sec4_count_logarithm(counts: tuple[int, int]) -> Finding:
    """I* = log q; 1.3863 nats for four reports."""
    return equals(_compute_maximin(counts[0]), 1.3863, within=_FOUR_DECIMALS)


@paper.states(
    "Proofs of Theorems IV.2 and IV.3, equal symbols",
    sec4_count.quote,
    of=sec4_count,
    over=symbols,
)
def sec4_count_symbols(symbols: list[Symbols]) -> Finding:
    """exp(I*) of a piecewise constant function is its number q of pieces. Checked for all symbols
    b_1 <= ... <= b_q of up to four pieces, which Section IV lets be equal.
    """
    return for_all(equal(each.parts, len(each.symbols), each) for each in symbols)


@corrects(
    sec4_count_symbols,
    Kind.SLIP,
    fails="pieces with equal symbols have one report, and are one part",
    mend="log of the number of different symbols",
    same_as=sec4_count,
    proof=_REPORTS,
)
def sec4_count_different(symbols: list[Symbols]) -> Finding:
    """exp(I*) is the number of different symbols."""
    return for_all(equal(each.parts, len(set(each.symbols)), each) for each in symbols)


# Theorem IV.3 and Corollary IV.1 -----------------------------------------------------------------


@paper.states(
    "Theorem IV.3, Equation 17b",
    "For privacy measures in (10b) over F = Q([[X]]) is given by b*_i in argmin_(b_i) max over x "
    "in X*_i of |f(x) - b_i|, (17a) {X*_i} in argmax over {X_i} : [[X]] subset of union X_i of q, "
    "(17b) s.t. max over 1 <= i <= q of rad(f(X_i)) <= 1/gamma. (17c)",
    over=accurate_counts,
)
def thm4_3_argmax(counts: tuple[int, int]) -> Finding:
    """The policy that maximises the privacy P2 = 1/I* has the most regions. Shown by the difference
    of P2 between the policies with the most and with the fewest reports that are accurate enough.
    """
    fewest, most = counts
    return bounded([1 / _compute_maximin(most) - 1 / _compute_maximin(fewest)], at_least=0)


@corrects(
    thm4_3_argmax,
    Kind.MISPRINT,
    fails="each further region raises I* and lowers P2, and there is no policy with the most "
    "regions: of the two policies of the example, both accurate, that with eight is not the best",
    mend="argmin",
    right_at="Eq. 18, its proof",
    right_words="Hence, the problem (12) can be rewritten as",
    proof="equation-17b",
)
def thm4_3_argmin(counts: tuple[int, int]) -> Finding:
    """P2 is 1/log(4) with the four reports that are needed, and 1/log(8) with eight."""
    found = {f"{each} reports": 1 / _compute_maximin(each) for each in counts}
    return equals(found, {"4 reports": 0.7213, "8 reports": 0.4809}, within=_FOUR_DECIMALS)


@paper.states(
    "Theorem IV.3, Equation 16",
    "The solution of (12) for privacy measures in (10a) over F = Q([[X]]) is given by "
    "b*_i in argmin_(b_i) max over x in X*_i of |f(x) - b_i|, (16a) {X*_i} in argmax "
    "over {X_i} : [[X]] subset of union X_i of min over 1 <= i <= q of mu(X_i), (16b) "
    "s.t. max over 1 <= i <= q of rad(f(X_i)) <= 1/gamma. (16c)",
    over=(bins, even_policies),
)
def thm4_3_p1(bins: list[Bins], even: list[tuple[int, Fraction, Cells]]) -> Finding:
    """The policy with the largest privacy P1 = 1/L0 leaves sets open whose smallest volume is the
    largest of all that are accurate enough. Checked for all volumes of a few cells: no policy has a
    larger smallest set than the best bins of the output, whose edges follow the volumes, and equal
    bins are best where the data are spread evenly over the outputs. (Equation 16b itself asks the
    sets to cover the data; that they are disjoint is said where Q is defined.)
    """
    return all_of(
        for_all(at_most(smallest, each.best, each) for each in bins for smallest in each.smallest),
        for_all(
            at_most(smallest, equal_bins, describe_reports(reports))
            for smallest, equal_bins, reports in even
        ),
    )


@paper.states(
    "Section IV, after Theorem IV.3",
    "For the case where [[X]] is a subset of R, the results of Theorems IV.3 and IV.2 are equal "
    "[58].",
    reading="the results for measure P2, which alone Theorem IV.2 is about",
    over=(output_policies, data_policies),
)
def sec4_line(of_outputs: list[Accurate], of_data: list[Accurate]) -> Finding:
    """For data on a line the results of Theorems IV.2 and IV.3 are equal. Checked for measure P2,
    which Theorem IV.2 is about; no grouping of small cells of the range needs fewer reports than
    the uniform quantizer, and none of cells of the data, where two of them may have the same
    output.
    """
    return all_of(_compare_with_quantizer(of_outputs), _compare_with_quantizer(of_data))


@paper.states(
    "Section IV, after Theorem IV.3",
    sec4_line.quote,
    reading="the results of Theorem IV.3 for both measures, P1 too",
    of=sec4_line,
    over=bins,
)
def sec4_line_p1(bins: list[Bins]) -> Finding:
    """For data on a line equal bins, the result of Theorem IV.2, are best for measure P1, too.
    Checked for all volumes of a few cells of the output.
    """
    return for_all(at_most(each.best, each.equal, each) for each in bins)


@corrects(
    sec4_line_p1,
    Kind.READING,
    fails="P1, x² on [0, 1] to within 0.3: two equal bins leave [0, 0.71) and [0.71, 1] open; "
    "cutting at 0.4 leaves [0, 0.63) and [0.63, 1], whose smaller one is larger: L0 falls from "
    "1.23 to 1.00 nats",
    true_if="it is about P2, as Theorem IV.2 is",
    mend="for P1 the bins follow the volumes; equal ones are best where the data are spread evenly",
    rests="nothing: Corollary IV.1 is about P2",
    proof="section-iv",
    over=(bins, even_policies),
)
def sec4_line_p1_even(bins: list[Bins], even: list[tuple[int, Fraction, Cells]]) -> Finding:
    """For P1 no policy has a larger smallest set than the best bins, which follow the volumes."""
    return thm4_3_p1.check(bins, even)


@paper.states(
    "Corollary IV.1",
    "Let f be a function that f^-1(y) := {x | f(x) = y} is a connected set for all y in [Y]. Then, "
    "the optimal policy in Theorem IV.3 for the privacy metric (10b) is equal to the the optimal "
    "policy in Theorem IV.2.",
    reading="Equation 11 with a supremum (deterministic-extrema)",
    over=data_policies,
)
def cor4_1(policies: list[Accurate]) -> Finding:
    """Among all policies for a query with connected level sets, whether or not they follow from the
    query's output, the uniform quantizer of Theorem IV.2 needs the fewest reports. Checked on every
    grouping of small cells of data, where one or two cells have the same output. (For problem 12
    with the essential supremum of Equation 11 it fails for the square [0, 1]^2 with a segment of
    length 1 at its corner, and a query that is 0 on the square and the distance from the corner on
    the segment. Its level sets are connected, and the one report 0 is accurate for every gamma.)
    """
    return _compare_with_quantizer(policies)


# Example IV.1 ------------------------------------------------------------------------------------


def _select_regions(regions: pd.DataFrame, query: str, statistic: str) -> Any:
    return select(regions, query=query).set_index("region")[statistic]


_EQ20 = {region: region - 3 for region in range(1, 5)}
_EQ21 = {region: region - 1 for region in range(1, 13)}
_EQ21_ENDS = {region: region for region in range(1, 13)}
_SYMBOLS = {region: region - 2.5 for region in range(1, 5)}
_SYMBOLS_OF_QUADRATIC = {region: region - 0.5 for region in range(1, 13)}


@paper.states(
    "Equation 20",
    "This function can be rewritten as -1.5, -4 <= x1 + x2 < -2; -0.5, -2 <= x1 + x2 < "
    "0; 0.5, 0 <= x1 + x2 < 2; 1.5, 2 <= x1 + x2 <= 4, (20)",
    figure="deterministic/fig1",
    draws=draw(regions, "lower", "region", _EQ20, query="average"),
    over=regions,
)
def eq20(regions: pd.DataFrame) -> Finding:
    """For the average of two numbers in [-2, 2] and gamma = 2 the regions begin at averages of -2,
    -1, 0 and 1, that is, at sums of -4, -2, 0 and 2.
    """
    return equals(_select_regions(regions, "average", "lower"), _EQ20)


def _check_reports(ends: Sequence[int], *, closed: bool) -> Finding:
    """State that each datum has one report."""
    return for_all(equal(found, 1, case) for found, case in count_reports(ends, closed=closed))


@paper.states(
    "Equation 20, one report for each datum",
    eq20.quote,
    of=eq20,
)
def eq20_reports() -> Finding:
    """Each datum of [-2, 2]^2 has exactly one report by Equation 20. Checked in fractions on a
    lattice with the corners.
    """
    return _check_reports(EQUATION_20, closed=True)


@paper.states(
    "Equation 21",
    "It can be seen that f~(x) = i + 0.5, i <= x1^2 + 2 x2^2 < i + 1, for all i in {0, "
    "..., 11}, (21)",
    figure="deterministic/fig2",
    draws=draw(regions, "lower", "region", _EQ21, query="quadratic"),
    over=regions,
)
def eq21(regions: pd.DataFrame) -> Finding:
    """For x1^2 + 2 x2^2 and gamma = 2 the regions begin at the whole numbers from 0 to 11. (The
    symbols are those of Example IV.1.)
    """
    return equals(_select_regions(regions, "quadratic", "lower"), _EQ21)


@paper.states(
    "Equation 21, upper ends",
    eq21.quote,
    figure="deterministic/fig2",
    draws=draw(regions, "upper", "region", _EQ21_ENDS, query="quadratic"),
    of=eq21,
    over=regions,
)
def eq21_ends(regions: pd.DataFrame) -> Finding:
    """For x1^2 + 2 x2^2 and gamma = 2 the regions end at the whole numbers from 1 to 12."""
    return equals(_select_regions(regions, "quadratic", "upper"), _EQ21_ENDS)


@paper.states(
    "Equation 21, one report for each datum",
    eq21.quote,
    reading="every datum has a report",
    of=eq21,
)
def eq21_every() -> Finding:
    """Each datum of [-2, 2]^2 has exactly one report by Equation 21. Checked in fractions on a
    lattice with the corners.
    """
    return _check_reports(EQUATION_21, closed=False)


@corrects(
    eq21_every,
    Kind.PREMISE,
    fails="the four corners have the output 12, which no bin holds",
    premise="the last bin holds its upper end, as in Equation 20",
    mend="close the last bin",
    rests="nothing",
    proof="equation-21",
)
def eq21_closed() -> Finding:
    """The last bin is 11 <= x1^2 + 2 x2^2 <= 12, as for every quantizer of Section IV."""
    return _check_reports(EQUATION_21, closed=True)


@paper.states(
    "Equation 21, one report for each datum",
    eq21.quote,
    reading="data of measure 0 may be without a report, as the essential supremum of Equation 11 "
    "has it",
    of=eq21,
    over=regions,
)
def eq21_almost(regions: pd.DataFrame) -> Finding:
    """Data of measure 0 have no report by Equation 21. Shown as the area of its twelve regions,
    which is that of [-2, 2]^2.
    """
    quadrature = Margin(1e-6, "areas are integrals by quadrature")
    area = _select_regions(regions, "quadratic", "area").sum()
    return equals(area, 16, within=quadrature)


@paper.states(
    "Example IV.1, Fig. 1",
    "For the optimal policy, b1 = -1.5, b2 = -0.5, b3 = 0.5, and b4 = 1.5.",
    figure="deterministic/fig1",
    draws=draw(regions, "symbol", "region", _SYMBOLS, query="average"),
    over=regions,
)
def ex4_1_average(regions: pd.DataFrame) -> Finding:
    """For the average of two numbers in [-2, 2] and gamma = 2, b = (-1.5, -0.5, 0.5, 1.5)."""
    return equals(_select_regions(regions, "average", "symbol"), _SYMBOLS)


@paper.states(
    "Example IV.1, the condition of Corollary IV.1 for the average",
    "Therefore, the relaxation in (14) is without loss of generality in this example. This is "
    "because f meets the condition of Corollary IV.1.",
    figure="deterministic/fig1",
    over=regions,
)
def ex4_1_connected_average(regions: pd.DataFrame) -> Finding:
    """The set of data on which the average has a given value is connected in [-2, 2]^2. Shown as
    the largest number of pieces, for the middle of each of the four bins.
    """
    return equals(_select_regions(regions, "average", "level_set_pieces"), 1)


def _select_averaging(averaging: pd.DataFrame, statistic: str) -> Any:
    return averaging.set_index("gamma")[statistic]


@paper.states(
    "Example IV.1, Fig. 3",
    "Evidently, as the quality improves (gamma increases), the privacy guarantee "
    "weakens (the amount of the leaked information increases and the adversary's "
    "estimation error decreases).",
    figure="deterministic/fig3",
    over=averaging,
)
def fig3_leakage(averaging: pd.DataFrame) -> Finding:
    """The leakage L0 grows with the accuracy gamma."""
    return rises(_select_averaging(averaging, "leakage_nats"), strictly=False)


@paper.states(
    "Example IV.1, Fig. 3",
    fig3_leakage.quote,
    of=fig3_leakage,
    figure="deterministic/fig3",
    over=averaging,
)
def fig3_maximin(averaging: pd.DataFrame) -> Finding:
    """The maximin information grows with the accuracy gamma."""
    return rises(_select_averaging(averaging, "maximin_nats"), strictly=False)


@paper.states(
    "Example IV.1, Fig. 3",
    fig3_leakage.quote,
    of=fig3_leakage,
    figure="deterministic/fig3",
    over=averaging,
)
def fig3_error(averaging: pd.DataFrame) -> Finding:
    """The adversary's smallest error falls as the accuracy grows."""
    return falls(_select_averaging(averaging, "smallest_error"), strictly=False)


@paper.states(
    "Example IV.1, Fig. 2",
    "For the optimal policy, bi = i - 0.5 for all 1 <= i <= 12.",
    figure="deterministic/fig2",
    draws=draw(regions, "symbol", "region", _SYMBOLS_OF_QUADRATIC, query="quadratic"),
    over=regions,
)
def ex4_1_quadratic(regions: pd.DataFrame) -> Finding:
    """For x1^2 + 2 x2^2 and gamma = 2 there are 12 regions with b_i = i - 0.5."""
    return equals(_select_regions(regions, "quadratic", "symbol"), _SYMBOLS_OF_QUADRATIC)


@paper.states(
    "Example IV.1, the condition of Corollary IV.1",
    "Similarly, the optimal policy in Figure 2 is equal to (21) and thus, the relaxation in (14) "
    "is again without loss of generality as f meets the condition of Corollary IV.1.",
    reading="f^-1(y) := {x | f(x) = y} is of data, x in [[X]]",
    figure="deterministic/fig2",
    over=regions,
)
def ex4_1_connected(regions: pd.DataFrame) -> Finding:
    """The set of data on which x1^2 + 2 x2^2 has a given value is connected in [-2, 2]^2, so the
    corollary applies. Shown as the largest number of pieces.
    """
    return bounded(_select_regions(regions, "quadratic", "level_set_pieces"), at_most=1)


@corrects(
    ex4_1_connected,
    Kind.READING,
    fails="the square cuts the ellipse x1² + 2 x2² = y for y > 4: two arcs up to 8, four above "
    "(Fig. 2 shows them)",
    true_if="f^-1(y) is taken in the plane, not in the square of the data",
    mend="the condition is not needed: accurate regions have images of diameter 2/γ or less, "
    "connected or not, and these must cover the range",
    rests="the policy is optimal all the same",
    proof="corollary-iv1",
    over=data_policies,
)
def ex4_1_without_condition(policies: list[Accurate]) -> Finding:
    """The policy is optimal nevertheless, because the condition is not needed."""
    return _compare_with_quantizer(policies)


@universe(smoke={"points": 801}, paper={"points": 1601}, least={"points": 401})
def plane(points: int) -> dict[int, int]:
    """Count the pieces of the level sets of x1^2 + 2 x2^2 in a square that holds them as a whole.

    For the middle of each bin of Equation 21.
    """
    half = 4
    return count_pieces("quadratic", np.linspace(-half, half, points))


@paper.states(
    "Example IV.1, the condition of Corollary IV.1",
    ex4_1_connected.quote,
    reading="f^-1(y) := {x | f(x) = y} is of all points of the plane, as the corollary does not "
    "say where x is",
    of=ex4_1_connected,
    over=plane,
)
def ex4_1_connected_plane(plane: dict[int, int]) -> Finding:
    """The set of points of the plane on which x1^2 + 2 x2^2 has a given value, an ellipse, is
    connected. Shown as the largest number of pieces.
    """
    return bounded(plane, at_most=1)


# Example IV.2 ------------------------------------------------------------------------------------

ByPeopleAndLevels = dict[tuple[int, int], Heights]


@paper.states(
    "Example IV.2, two people",
    "In this case, d_min(X, ^X(f~(X))) = 150 sqrt(2) / ceil(75 gamma), which is independent of "
    "n_x.",
    over=heights,
)
def ex4_2_dmin(heights: ByPeopleAndLevels) -> Finding:
    """For the average height of people in [100, 250] cm, d_min = 150 sqrt(2) / ceil(75 gamma).
    Shown for two people and every gamma that gives 2 to 30 levels, as the difference of the
    squares.
    """
    return equals([heights[2, levels].excess for levels in range(2, 31)], 0)


@paper.states("Example IV.2, any number of people", ex4_2_dmin.quote, of=ex4_2_dmin, over=heights)
def ex4_2_independent(heights: ByPeopleAndLevels) -> Finding:
    """d_min does not depend on the number of people. Shown for 1, 2, 3 and 5 people and 20
    levels.
    """
    return equals({f"{n} people": heights[n, 20].excess for n in (1, 2, 3, 5)}, 0)


_ERRORS_CM = {1: 3.75, 2: 10.6066, 3: 18.3712, 5: 33.5410}  # of 20 levels, by people


@corrects(
    ex4_2_independent,
    fails="with 20 levels 10.61 cm is right for two people; it is 18.37 cm for three and 33.54 cm "
    "for five: any one person can account for all that the highest report leaves open",
    mend="150 √(n (n - 1))/q cm for n ≥ 2 people and q ≥ n levels",
    rests="the sentence on γ below",
    proof=_EXAMPLE_2,
)
def ex4_2_simplex(heights: ByPeopleAndLevels) -> Finding:
    """For n = 2, 3, ... people and q >= n levels d_min is 150 sqrt(n (n - 1)) / q cm, and half of
    150/q for one person.
    """
    return equals({n: heights[n, 20].error for n in _ERRORS_CM}, _ERRORS_CM, within=_FOUR_DECIMALS)


@corrects(
    ex4_2_independent,
    reading="for two and more people alone. The printed 10.61 cm is right for two; with 20 levels "
    "it is 18.37 cm for three and 33.54 cm for five",
)
def ex4_2_two_and_more(heights: ByPeopleAndLevels) -> Finding:
    """It depends on the number of two and more people, too."""
    printed = {n: each for n, each in _ERRORS_CM.items() if n > 1}
    return equals({n: heights[n, 20].error for n in printed}, printed, within=_FOUR_DECIMALS)


@paper.states(
    "Example IV.2, any number of people",
    "This is because the worst-case in terms of preserving privacy occurs in a society with nx - 2 "
    "individuals whose heights are equal to 250 and two individuals whose heights are within (250 "
    "- 150/ceil(75 gamma), 250].",
    of=ex4_2_dmin,
    over=heights,
)
def ex4_2_society(heights: ByPeopleAndLevels) -> Finding:
    """In the highest report, if all but two people are at 250 cm, these two are within 150 /
    ceil(75 gamma) of it. Checked for 2, 3 and 5 people and as many levels or more, up to 30, as how
    far below one of the two may be.
    """
    return for_all(at_most(each.reach, each.width, each) for each in list_crowds(heights))


@corrects(
    ex4_2_society,
    fails="with 20 levels 235 and 250 cm have the mean 242.5, which begins the highest bin, and "
    "235 is 15 cm below 250, not 7.5",
    same_as=ex4_2_independent,
    proof=_EXAMPLE_2,
)
def ex4_2_society_reach(heights: ByPeopleAndLevels) -> Finding:
    """Of n people, with q >= n levels, one may be 150 n / q cm below the others."""
    return for_all(
        equal(each.reach, each.people * each.width, each) for each in list_crowds(heights)
    )


@paper.states(
    "Example IV.2",
    "To be able to guarantee an error of at least 10 centimetres for the adversary, gamma must be "
    "selected to be larger than 22/75 = 0.2933.",
    reading="at least 10 cm, and larger, as printed",
    over=heights,
)
def ex4_2_gamma(heights: ByPeopleAndLevels) -> Finding:
    """An error of at least 10 cm is guaranteed for gamma larger than 22/75 = 0.2933. Shown as the
    smallest error of two people for the 23 to 30 levels that such gammas give.
    """
    return bounded({q: heights[2, q].error for q in range(23, 31)}, at_least=10)


@corrects(
    ex4_2_gamma,
    fails="more accuracy is less error, so that the bound is one from above; and 150 √2/q ≥ 10 "
    "asks for q ≤ 21.2, which 22 levels miss (9.64 cm)",
    mend="γ ≤ 21/75 = 0.28, for two people; for an error of at most 10 cm γ > 21/75",
    rests="nothing",
    proof=_EXAMPLE_2,
)
def ex4_2_gamma_up_to(heights: ByPeopleAndLevels) -> Finding:
    """For two people the error is at least 10 cm for gamma up to 21/75 = 0.28, that is, for 21
    levels or fewer.
    """
    return bounded({q: heights[2, q].error for q in range(1, 22)}, at_least=10)


@corrects(
    ex4_2_gamma,
    reading='"smaller than 22/75", for two people. Then 22 levels are allowed, which leave 9.64 cm',
)
def ex4_2_gamma_smaller(heights: ByPeopleAndLevels) -> Finding:
    """22 levels leave an error of 9.64 cm."""
    return equals(heights[2, 22].error, 9.6424, within=_FOUR_DECIMALS)
