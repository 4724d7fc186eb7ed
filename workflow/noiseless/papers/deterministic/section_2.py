"""Section II: uncertain variables, entropies and information without probabilities."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from noiseless.papers.deterministic import paper
from noiseless.papers.deterministic.entropy import (
    Covering,
    compute_extrema,
    compute_joint_entropies,
    coverings,
)
from noiseless.papers.deterministic.groupings import (
    CellUnion,
    LeftOpen,
    Sides,
    balls,
    cell_unions,
    compare_with_ball,
    groupings,
)
from noiseless.papers.deterministic.information import (
    Joint,
    Partitions,
    joint_ranges,
    partitions,
    random_relations,
    relations,
)
from noiseless.papers.deterministic.uncertain_variables import (
    JointRange,
    compute_conditional_range,
    is_range_unchanged,
    is_unrelated,
    split_by_first,
)
from noiseless.statements import (
    Finding,
    Kind,
    Margin,
    agrees,
    all_of,
    at_most,
    corrects,
    equal,
    equals,
    find_some,
    for_all,
    holds,
)
from noiseless.theory.enumeration import list_conditioned
from noiseless.theory.finite import Relation
from noiseless.theory.geometry import compute_log_measure
from noiseless.theory.intervals import PiecewiseMap

_LOG_2 = Margin(0.0001, "four decimals of log(1/2)")


# A: uncertain variables --------------------------------------------------------------------------


@paper.states(
    "Section II.A",
    "Finally, conditional range of X (conditioned on the observation of another uncertain variable "
    "Y(w) = y) is given by [[X|y]] := {X(w) : exists w in Omega such that Y(w) = y} subset of "
    "[[X]].",
    over=relations,
)
def sec2a_conditional(relations: list[Relation]) -> Finding:
    """The conditional range has the values of X at those outcomes at which Y is y. Checked for
    every joint range of small sizes and every y, as those for which the printed formula has another
    set.
    """
    return for_all(
        equal(each.printed, each.meant, each) for each in list_conditioned(relations, most=1)
    )


@paper.states(
    "Section II.A",
    "In fact, regarding the union, it can be proved that union over y in [[Y]] of [[X|y]] x {y} = "
    "[[X,Y]].",
    over=relations,
)
def sec2a_union(relations: list[Relation]) -> Finding:
    """The pairs of each y and the values of X at the outcomes at which Y is y are the joint range.
    Checked for every joint range of small sizes.
    """
    return for_all(
        equal({(x, *one.observed) for one in of for x in one.meant}, of[0].relation.pairs, of[0])
        for of in (list_conditioned([each], most=1) for each in relations)
    )


@corrects(
    sec2a_conditional,
    Kind.MISPRINT,
    fails="(X, Y) is (0, 1) or (1, 0): of Y = 0 the formula leaves X = 0 and X = 1, because its "
    "condition names an outcome of its own",
    mend="{X(w) : w in Omega, Y(w) = y}",
    right_at="the sentence on the union",
    shown_by=sec2a_union,
    rests="nothing: it is nowhere used as it is written",
    proof="section-iia",
)
def sec2a_conditional_same(relations: list[Relation]) -> Finding:
    """The values of X at those outcomes are the x of the pairs (x, y) of the joint range."""
    return for_all(
        equal(each.united, each.meant, each) for each in list_conditioned(relations, most=1)
    )


@paper.states(
    "Section II.A, after Definition II.1",
    "For two uncertain variables, this definition is equivalent to stating that X1 and X2 are "
    "unrelated if [X1|x2] = [X1], for all x2 in [X2], and vice versa. Again, for two uncertain "
    "variables, this definition is equivalent as saying that X1 and X2 are conditionally unrelated "
    "(conditional on Y) if [X1|x2, y] = [X1|y], for all (x2, y) in [X2, Y]",
    over=joint_ranges,
)
def sec2a_unrelated(ranges: tuple[list[JointRange], list[JointRange]]) -> Finding:
    """X1 and X2 are unrelated just if [X1|x2] = [X1] for all x2, just if [X2|x1] = [X2] for all x1;
    and conditionally on Y just if [X1|x2,y] = [X1|y] for all (x2, y). Checked for all joint ranges
    of two variables with up to four values and of three with up to three.
    """
    facts = []
    for pairs in ranges[0]:
        first, second = (is_range_unchanged(pairs, place) for place in (0, 1))
        facts.append(agrees(is_unrelated(pairs), first, Joint(pairs)))
        facts.append(agrees(second, first, Joint(pairs)))
    for triples in ranges[1]:
        by_y = split_by_first(triples)
        unchanged = all(is_range_unchanged(each, 0) for each in by_y)
        facts.append(agrees(all(map(is_unrelated, by_y)), unchanged, Joint(triples)))
    return for_all(facts)


@paper.states(
    "Section II.A, several reports",
    "Finally, for uncertain variables X and Yi, i = 1, ..., n, it can be seen that [X|y1, ..., yn] "
    "is in the intersection of [X|yi], where the inequality is achieved, i.e., [X|y1, ..., yn] = "
    "the intersection of [X|yi], if Yi, i = 1, ..., n, are unrelated conditional on X.",
    over=joint_ranges,
)
def sec2a_intersection(ranges: tuple[list[JointRange], list[JointRange]]) -> Finding:
    """What several reports leave open is in the intersection of what each leaves open, and is the
    intersection if the reports are unrelated conditional on X. Checked for every pair of reports of
    all joint ranges of three variables with up to three values.

    (Without the condition the intersection is the larger set in 12,416 of 44,236 cases.)
    """
    facts = []
    for triples in ranges[1]:
        unrelated = all(map(is_unrelated, split_by_first(triples)))
        for y1, y2 in {(b, c) for _, b, c in triples}:
            joint = {a for a, b, c in triples if (b, c) == (y1, y2)}
            left_open = compute_conditional_range(triples, 1, y1, 0) & compute_conditional_range(
                triples, 2, y2, 0
            )
            facts.append(at_most(len(joint | left_open), len(left_open), Joint(triples)))
            if unrelated:
                facts.append(equal(joint, left_open, Joint(triples)))
    return for_all(facts)


# B: entropies ------------------------------------------------------------------------------------


def _bound_nearly(balls: list[tuple[Sides, Mapping[str, Any]]]) -> Finding:
    """State the bound of balls of cells, in some of which a twentieth less would be too little."""
    facts = (at_most(*sides, case) for sides, case in balls)
    return for_all(facts, sharper=lambda ball: ball * Fraction(19, 20))


@paper.states(
    "Theorem II.1",
    "Consider X and Y = f(X) are uncertain variables for some function f : [[X]] -> "
    "[[Y]]. Assume that [[X|y]] is a Borel set for all y in [[Y]]. Then, Gamma(nx/2 + "
    "1)^(1/nx)/sqrt(pi) exp(h0(X|Y)/nx) <= dmax(X, ^X(Y)).",
    over=(groupings, balls),
)
def thm2_1(groupings: list[LeftOpen], balls: list[tuple[Sides, Mapping[str, Any]]]) -> Finding:
    """The largest error of an unbiased estimate is at least the radius of a ball as large as the
    largest set that a report leaves open. Checked in one to three dimensions on every grouping of
    small cells, and in two to five on balls of cells, which nearly attain the bound.
    """
    facts = (at_most(*each.largest, each, times=each.times) for each in groupings)
    return all_of(for_all(facts), _bound_nearly(balls))


@paper.states(
    "Proof of Theorem II.1, its last line",
    "ess sup over x, ess sup over y of ||x - ^X(y)||_2 >= 1/2 ess sup over y of H^nx([X|y]). The "
    "last step follows from the relationship between the Hausdorff measure H^nx and the Lebesgue "
    "measure mu for Borel sets",
    over=cell_unions,
)
def thm2_1_proof(cell_unions: list[CellUnion]) -> Finding:
    """The largest distance from the estimate is at least half of the Hausdorff measure of the data
    with the same report. Checked as the proof has it, for half of the measure and the radius of a
    ball that holds the set, both squared, on all unions of cells of an interval and of small grids.
    """
    return for_all(
        at_most(Fraction(len(each.cells) ** 2, 4), each.radius_squared, each)
        for each in cell_unions
    )


@corrects(
    thm2_1_proof,
    Kind.SLIP,
    fails="in two and more dimensions a radius is a length and a measure an area: a disk of radius "
    "10 has the area 314, and 10 < 157",
    mend="the ball of that radius has at least the measure (the isodiametric inequality)",
    shown_by=thm2_1,
    proof="lines-of-proofs",
)
def thm2_1_isodiametric(cell_unions: list[CellUnion]) -> Finding:
    """A set of diameter d has at most the measure of a ball of radius d/2."""
    return for_all(
        at_most(*compare_with_ball(len(each.cells), each.diameter_squared, each.dimensions), each)
        for each in cell_unions
    )


@paper.states(
    "Remark II.1",
    "The inequality eps^nx N_eps([X]) <= mu([X]) <= (2 eps)^nx N_eps([X]) implies that 0 <= h(X) - "
    "[h_eps(X) + nx log(eps)] <= nx log(2).",
    over=coverings,
)
def remark2_1(coverings: list[Covering]) -> Finding:
    """If N sets of diameter 2 epsilon cover [X] and fewer do not, epsilon^n N <= mu([X]) <= (2
    epsilon)^n N, so that entropy and epsilon-entropy differ by at most n log 2 once epsilon is
    accounted for. Checked for all unions of up to eight cells of a line, and for boxes of one to
    three dimensions in the maximum norm; the left inequality.
    """
    return for_all(
        at_most(each.radius**each.dimensions * each.sets, each.measure, each) for each in coverings
    )


@corrects(
    remark2_1,
    Kind.PREMISE,
    fails="an interval shorter than eps needs one covering set, and eps · 1 is more than its "
    "length; ten intervals of length 0.01 that lie 1 apart need ten sets of eps = 0.1: 1 against a "
    "measure of 0.1",
    premise="[X] is a box in the maximum norm, no side shorter than eps",
    mend="the right inequality holds for every [X]; the left one for such boxes",
    rests="nothing",
    proof="remark-ii1",
)
def remark2_1_of_boxes(coverings: list[Covering]) -> Finding:
    """The right inequality holds for every [X], and the left one for boxes in the maximum norm with
    no side shorter than epsilon.
    """
    boxes = [c for c in coverings if c.shortest_side is not None and c.shortest_side >= c.radius]
    return all_of(
        for_all(
            at_most(each.measure, (2 * each.radius) ** each.dimensions * each.sets, each)
            for each in coverings
        ),
        remark2_1.check(boxes),
    )


_D_MIN = {"d_min_example": 0, "d_min": 0.125}
_EXTREMA = {"h0_nats": -0.6931, "d_max": 0.25, **_D_MIN, "error_of_reports": 1}


@paper.states(
    "Equations 2, 4, 7 and 13b (Proposition III.1)",
    "where, for any real-valued function f : X -> R for some X subset of R^m, the essential "
    "supremum is defined as ess sup f(x) := inf{b in R : mu({x in X : f(x) > b}) = 0}.",
    prints="h0(X|Y) := ess sup over y in [Y] of log(mu([X|y])) (2); d_max := ess sup over y, ess "
    "sup over x of ||x - ^X(y)||_2 (4); d_min := ess inf over y, ess sup over x of ||x - ^X(y)||_2 "
    "(7); Q(f~) = 1 / ess sup over y in [Y] of ||y - g(y)||_2 (13b)",
    reading="mu is the Lebesgue measure, of sets of reports, too",
)
def extrema() -> Finding:
    """Suprema and infima over reports are essential ones. With them Example II.1 has h0(X|f(X)) =
    log(1/2), d_max = 1/4 and d_min = 0; the adversary's error d_min against a quantizer is a number
    (1/8 for four levels on [0, 1]); and the error of a policy g o f can be read from the reports.
    The last one is shown for f of Example II.1 and a g that takes its report 1 to 0, so that every
    datum above 1/2 is reported with an error of 1.
    """
    return equals(compute_extrema("essential"), _EXTREMA, within=_LOG_2)


@corrects(
    extrema,
    Kind.READING,
    fails="a set of reports of length 0 does not count: all reports of a quantizer are such a set, "
    "so d_min is an infimum over nothing, +∞; in Example II.1 the report 1 is one point, so "
    "h0(X|f(X)) is -∞ and not log(1/2)",
    true_if="suprema and infima over y are plain ones, as in Equation 5",
    mend="plain supremum and infimum over y, as in Equation 5",
    rests="with it Example II.1 and Theorems II.1 and II.2 hold as printed, and (13b) if Equation "
    "11 has a plain supremum, too",
    proof="essential-suprema",
)
def extrema_plain() -> Finding:
    """With plain suprema and infima in all four equations, as in Equation 5, the examples are
    right, Theorems II.1 and II.2 hold, and Equation 13b holds if that of Equation 11 is plain, too.
    """
    return equals(compute_extrema("plain"), _EXTREMA, within=_LOG_2)


@paper.states(
    "Equations 2, 4, 7 and 13b (Proposition III.1)",
    extrema.quote,
    reading="a set of reports has the measure of the data that have them, and the inner suprema of "
    "Equations 4 and 7, over data, are plain",
    of=extrema,
)
def extrema_data() -> Finding:
    """Suprema and infima over reports are essential ones, and a set of reports is negligible if the
    data that have them are of measure zero. With them the examples are as printed. Shown for the
    same numbers as in the other reading. (Theorems II.1 and II.2 hold then, too.)
    """
    return equals(compute_extrema("data"), _EXTREMA, within=_LOG_2)


_CUT = Fraction(1, 2)  # f is the identity below, and 1 above
EXAMPLE = PiecewiseMap(((Fraction(0), _CUT, None), (_CUT, Fraction(1), Fraction(1))))


@paper.states(
    "Example II.1 with Equation 2",
    "It is easy to show that h0(X|f(X)) = log(1/2); note that h0(X) = 0.",
    reading="Equation 2 with a supremum (deterministic-extrema)",
)
def ex2_1_h0() -> Finding:
    """h0(X|f(X)) = log(1/2), for the f that is the identity below 1/2 and 1 above."""
    h0 = compute_log_measure(EXAMPLE.compute_max_conditional("sup"))
    return equals(h0, -0.6931, within=_LOG_2)


@paper.states(
    "Example II.1",
    "Note that dmax(X, ^X(f(X))) = 1/4 attaining the lower bound in Theorem II.1 (as "
    "Gamma(3/2) = sqrt(pi)/2), proving that ^X is optimal in the sense of minimizing "
    "dmax(X, ^X(f(X))).",
    reading="Equation 4 with suprema (deterministic-extrema)",
)
def ex2_1_dmax() -> Finding:
    """The best estimator has d_max = 1/4 and attains the bound of Theorem II.1."""
    _, d_max = EXAMPLE.compute_error_bounds()
    bound = EXAMPLE.compute_max_conditional("sup") / 2
    return equals({"d_max": d_max, "its bound": bound}, {"d_max": 0.25, "its bound": 0.25})


@paper.states(
    "Theorem II.2",
    "Consider X and Y = f(X) are uncertain variables for some function f : [[X]] -> "
    "[[Y]]. Assume that [[X|y]] is a Borel set for all y in [[Y]]. Then, Gamma(nx/2 + "
    "1)^(1/nx)/sqrt(pi) exp(d0(X|Y)/nx) <= dmin(X, ^X(Y)).",
    over=(groupings, balls),
)
def thm2_2(groupings: list[LeftOpen], balls: list[tuple[Sides, Mapping[str, Any]]]) -> Finding:
    """The smallest error of an unbiased estimate is at least the radius of a ball as large as the
    smallest set that a report leaves open. Checked as Theorem II.1.
    """
    facts = (at_most(*each.smallest, each, times=each.times) for each in groupings)
    return all_of(for_all(facts), _bound_nearly(balls))


@paper.states(
    "Example II.1, continued",
    prints="d0(X|f(X)) = -infinity, L0(X;f(X)) = +infinity, d_min(X, ^X(Y)) = 0 and I*(X;f(X)) = "
    "+infinity",
)
def ex2_1_leakage() -> Finding:
    """d0 = minus infinity, L0 and I* are infinite, and d_min = 0."""
    d0 = compute_log_measure(EXAMPLE.smallest_conditional)
    found = {
        "d0": d0,
        "L0": compute_log_measure(EXAMPLE.domain.measure) - d0,
        "I*": math.log(EXAMPLE.maximin_count),
        "d_min": EXAMPLE.compute_error_bounds()[0],
    }
    return equals(found, {"d0": -math.inf, "L0": math.inf, "I*": math.inf, "d_min": 0})


# B: information ----------------------------------------------------------------------------------


@paper.states(
    "Section II.B",
    "It has been proved that |F(X,Y)| = |F(Y,X)| and thus I*(X;Y) = I*(Y;X) resulting "
    "in a symmetric notion of information [46].",
    over=(relations, random_relations),
)
def sec2_symmetry(relations: list[Relation], random_relations: list[Relation]) -> Finding:
    """Maximin information is symmetric. Checked on every small joint range, in both of its
    definitions (taxicab and overlap partition), which must agree, too.
    """
    facts = []
    for each in (*relations, *random_relations):
        parts = {
            each.maximin_count,
            each.transposed.maximin_count,
            len(each.overlap_partition),
            len(each.transposed.overlap_partition),
        }
        facts.append(equal(max(parts), min(parts), Joint(each.pairs)))
    return for_all(facts)


@paper.states(
    "Section II.B, the information I0",
    "In general, the non-stochastic information I0 and non-stochastic information leakage L0 are "
    "not symmetrical, that is, I0(X;Y) /= I0(Y;X) and L0(X;Y) /= L0(Y;X) in general.",
    over=relations,
)
def sec2_asymmetry_i0(relations: list[Relation]) -> Finding:
    """I0 is not symmetric in general. Checked on every small joint range, as the number of
    those.
    """
    return find_some(
        equal(each.information, each.transposed.information, Joint(each.pairs))
        for each in relations
    )


@paper.states(
    "Section II.B, the leakage L0",
    sec2_asymmetry_i0.quote,
    of=sec2_asymmetry_i0,
    over=relations,
)
def sec2_asymmetry_l0(relations: list[Relation]) -> Finding:
    """L0 is not symmetric in general. Checked as I0."""
    return find_some(
        equal(each.leakage, each.transposed.leakage, Joint(each.pairs)) for each in relations
    )


@paper.states(
    "Definition II.2, second bullet",
    "A subset of [[X,Y]] is taxicab connected if all points in [[X,Y]] are taxicab connected;",
    over=partitions,
)
def def2_2(partitions: list[Partitions]) -> Finding:
    """With parts that are taxicab connected as defined, every joint range has a taxicab partition.
    Checked on all joint ranges of up to three values of X and of Y, trying each division into
    parts. (Equation 9 has a misprint of the same kind, "partition of [[X|Y]]" for [[X, Y]].)
    """
    return for_all(at_most(1, each.isolated if each.is_whole else 0, each) for each in partitions)


@corrects(
    def2_2,
    Kind.MISPRINT,
    fails="as printed no part of a range that falls apart is connected, because that asks for all "
    "of [[X, Y]]: {(0, 0), (1, 1)} has no partition, and I* is not defined there",
    mend="all points in A",
    right_at="the fourth bullet, where each part is connected",
    right_words="taxicab isolated if j /= i, and Ai is taxicab connected for all i",
    proof="definition-ii2",
)
def def2_2_of_parts(partitions: list[Partitions]) -> Finding:
    """Each joint range has a partition, that of its components; as printed those have one that are
    connected as a whole.
    """
    return all_of(
        for_all(at_most(1, len(each.connected), each) for each in partitions),
        def2_2.check([each for each in partitions if each.is_whole]),
    )


@paper.states(
    "Section II.B, before Equation 9",
    "There exists a unique taxicab partition for any [[X,Y]] [46].",
    reading="parts are connected if all their own points are (deterministic-def2.2), and none is "
    "empty",
    over=partitions,
)
def sec2_partition(partitions: list[Partitions]) -> Finding:
    """A joint range has one taxicab partition, and only one. Checked on all joint ranges of up to
    three values of X and of Y, trying each division into parts; it must be the one that all other
    checks of I* use, too.
    """
    facts = []
    for each in partitions:
        facts.append(equal(len(each.connected), 1, each))
        facts.append(holds(each.relation.taxicab_partition in each.connected, each))
    return for_all(facts)


@paper.states(
    "Section II.B, after Equation 8",
    "Although being symmetric in general, utilization of this measure is not possible (because [Y] "
    "can be a discrete set mu([Y]) = 0 and thus h0(X, Y) = 0 in all such cases).",
)
def eq8() -> Finding:
    """Where the reports are a discrete set, h0(X, Y) = 0. Checked for quantizers of [0, 1] with one
    to eight levels.
    """
    h0 = {f"{levels} levels": compute_joint_entropies(levels)[1] for levels in range(1, 9)}
    return equals(h0, 0)


@paper.states("Section II.B, after Equation 8, the main clause", eq8.quote, of=eq8)
def eq8_unusable() -> Finding:
    """Where the reports are a discrete set, T0 of Equation 8 is not a number. Checked for the same
    quantizers.
    """
    undefined = {}
    for levels in range(1, 9):
        of_reports, of_both = compute_joint_entropies(levels)
        undefined[f"{levels} levels"] = float(math.isnan(of_reports - of_both))
    return equals(undefined, 1)


@corrects(
    eq8,
    Kind.MISPRINT,
    fails="mu([X, Y]) is 0, and h0 is its logarithm, -∞ by the convention of Example II.1, for a "
    "quantizer with any number of levels",
    mend="-∞: T0 of Equation 8 is a difference of infinities",
    rests="that the measure cannot be used, which stands",
    main_clause="utilization of this measure is not possible",
    shown_by=eq8_unusable,
    proof="equation-8",
)
def eq8_infinite() -> Finding:
    """h0(X, Y) and h0(Y) are both minus infinity, so that T0 of Equation 8 is a difference of
    infinities.
    """
    h0 = [each for levels in range(1, 9) for each in compute_joint_entropies(levels)]
    return equals(h0, -math.inf)
