"""Section II: information, leakage, capacity and tests."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from noiseless.papers.noiseless import paper
from noiseless.papers.noiseless.cases import (
    Channel,
    Map,
    channels,
    relations,
    small_relations,
    take_one,
)
from noiseless.statements import (
    Finding,
    Kind,
    all_of,
    at_most,
    corrects,
    equal,
    find_some,
    for_all,
    holds,
    universe,
)
from noiseless.theory.enumeration import enumerate_maps, list_conditioned
from noiseless.theory.finite import Relation
from noiseless.theory.hypotheses import (
    ReportRanges,
    enumerate_policies,
    enumerate_tests,
    find_correct_reports,
)

_DIGITS = 50
Relations = Mapping[tuple[int, int], Sequence[Relation]]


# Section II.A: uncertain variables ---------------------------------------------------------------


@paper.states(
    "Section II.A",
    "Conditional range of uncertain variable X, conditioned on the realizations of uncertain "
    "variable Y belonging to the set Y, i.e., Y(w) in Y subset of [[Y]], is given by [[X|Y]] := "
    "{X(w) : exists w in Omega such that Y(w) in Y} subset of [[X]].",
    over=small_relations,
)
def sec2a_conditional(small_relations: Relations) -> Finding:
    """The conditional range has the values of X at those outcomes at which Y is in the set. Checked
    for every joint range of small sizes and every set of values of Y, as those for which the
    printed formula has another set.
    """
    every = itertools.chain.from_iterable(small_relations.values())
    return for_all(
        equal(each.printed, each.meant, each) for each in list_conditioned(every, most=3)
    )


@corrects(
    sec2a_conditional,
    Kind.MISPRINT,
    fails="(X, Y) is (0, 1) or (1, 0): of Y = 0 the formula leaves X = 0 and X = 1, because its "
    "condition names an outcome of its own",
    mend="{X(w) : w in Omega, Y(w) in Y}",
    right_at="the words before the formula",
    right_words="conditioned on the realizations of uncertain variable Y belonging to the set",
    rests="nothing: it is nowhere used as it is written",
    proof="slips-that-change-no-statement",
)
def sec2a_conditional_same(small_relations: Relations) -> Finding:
    """The values of X at those outcomes are the union of [[X|y]] over the set."""
    every = list_conditioned(itertools.chain.from_iterable(small_relations.values()), most=3)
    return for_all(equal(each.united, each.meant, each) for each in every)


# Section II.B: information and leakage -----------------------------------------------------------


@paper.states(
    "Section II.B",
    "In general, the non-stochastic information I0 and non-stochastic information leakage L0 are "
    "not equal, i.e., I0(X;Y) /= L0(Y;X).",
    over=small_relations,
)
def sec2b_unequal(small_relations: Relations) -> Finding:
    """Information and leakage are not equal, neither I0(X;Y) and L0(Y;X), as the formula has them,
    nor I0(X;Y) and L0(X;Y). Checked on every joint range of small sizes, as the number of those
    whose leakage is above the information, for each size.
    """
    return all_of(
        *(
            find_some(at_most(leakage, each.information, each) for each, leakage in both)
            for every in small_relations.values()
            for both in (
                [(each, each.leakage) for each in every],
                [(each, each.transposed.leakage) for each in every],
            )
        )
    )


@paper.states(
    "Section II.B",
    "In fact, from the definition, it is easy to see that I0(X;Y) <= L0(X;Y).",
    over=relations,
)
def sec2b_information(relations: Relations) -> Finding:
    """Non-stochastic information is at most the leakage, I0 <= L0. Checked on every joint range of
    small sizes, in exact fractions, as the number of those that break it.
    """
    every = itertools.chain.from_iterable(relations.values())
    return for_all(
        (at_most(each.information, each.leakage, each) for each in every), sharper=take_one
    )


@paper.states(
    "Section II.B",
    "It is clear that the non-stochastic information is in fact not symmetric, i.e., I0(X;Y) /= "
    "I0(Y;X) in general.",
    over=small_relations,
)
def sec2b_asymmetric(small_relations: Relations) -> Finding:
    """Information and leakage are not symmetric. There are joint ranges with I0(X;Y) > I0(Y;X), and
    ones with L0(X;Y) > L0(Y;X).
    """
    every = [(each, each.transposed) for each in small_relations[3, 3]]
    return all_of(
        find_some(at_most(each.information, other.information, each) for each, other in every),
        find_some(at_most(each.leakage, other.leakage, each) for each, other in every),
    )


@paper.states(
    "Section II.B, Equation 8",
    "Note that, by construction, L0^s(X;Y) = L0^s(Y;X).",
    over=relations,
)
def sec2b_symmetrised(relations: Relations) -> Finding:
    """The symmetrised leakage is symmetric. Checked on every joint range of small sizes."""
    every = itertools.chain.from_iterable(relations.values())
    return for_all(
        (equal(each.symmetric_leakage, each.transposed.symmetric_leakage, each) for each in every),
        sharper=take_one,
    )


@paper.states(
    "Section II.B, maximin information",
    "In [17], the maximin information was introduced as a symmetric measure of "
    "information and its relationship with zero-error capacity was explored.",
    over=small_relations,
)
def sec2b_maximin(small_relations: Relations) -> Finding:
    """Maximin information is symmetric. Checked on every joint range of small sizes."""
    every = itertools.chain.from_iterable(small_relations.values())
    return for_all(
        (
            equal(len(each.overlap_partition), len(each.transposed.overlap_partition), each)
            for each in every
        ),
        sharper=take_one,
    )


@paper.states(
    "Section II.B, maximin information",
    "Symmetry, i.e., x ~> x' implies that x' ~> x, and transitivity, i.e., x ~> x' and x' ~> x'' "
    "implies that x ~> x'', guarantee that a unique [X|Y]-overlap partition always exists [17].",
    over=small_relations,
)
def sec2b_partition(small_relations: Relations) -> Finding:
    """There is one overlap partition of every joint range. Checked on every joint range of small
    sizes, as those of all partitions of [X] whose parts are connected by chains of conditional
    ranges and isolated from each other: no more than one, and it is the one that all other checks
    use.
    """
    every = itertools.chain.from_iterable(small_relations.values())
    found = [(each, list(_enumerate_overlap_partitions(each))) for each in every]
    return all_of(
        for_all(at_most(len(partitions), 1, each) for each, partitions in found),
        for_all(holds(each.overlap_partition in partitions, each) for each, partitions in found),
    )


def _enumerate_overlap_partitions(relation: Relation) -> Iterator[frozenset[frozenset]]:
    """Enumerate the partitions of [X] that meet every word of the definition of an overlap one."""
    xs = sorted(relation.x_range, key=repr)
    ranges = list(relation.x_given_y.values())
    connected = {
        (x, other)
        for length in range(1, len(ranges) + 1)
        for chain in itertools.permutations(ranges, length)
        if all(one & next_one for one, next_one in itertools.pairwise(chain))
        for x in chain[0]
        for other in chain[-1]
    }
    for labels in enumerate_maps(len(xs)):
        part_of = dict(zip(xs, labels, strict=True))
        pairs = list(itertools.product(xs, repeat=2))
        within = all(pair in connected for pair in pairs if _is_same_part(part_of, pair))
        isolated = not any(pair in connected for pair in pairs if not _is_same_part(part_of, pair))
        if within and isolated:
            yield frozenset(
                frozenset(x for x in xs if part_of[x] == label) for label in set(labels)
            )


def _is_same_part(part_of: dict, pair: tuple) -> bool:
    """Return whether both elements of a pair lie in one part."""
    return part_of[pair[0]] == part_of[pair[1]]


# Proposition 1 -----------------------------------------------------------------------------------


@paper.states(
    "Proposition 1",
    "For discrete uncertain variable Y, I*(X;Y) <= L0^s(X;Y).",
    reading="X is discrete, too",
    over=relations,
)
def prop1(relations: Relations) -> Finding:
    """Maximin information is at most the symmetrised leakage, I* <= L0^s. Checked on every joint
    range of small sizes, in exact fractions, as the number of those that break it.
    """
    every = itertools.chain.from_iterable(relations.values())
    return for_all(
        (at_most(each.maximin_count, each.symmetric_leakage, each) for each in every),
        sharper=take_one,
    )


class Cut(NamedTuple):
    """A discrete Y of a continuous X: the value of Y in each of some equal cells of [0, 1]."""

    reports: Map

    def list_numbers(self) -> Mapping[str, Any]:
        """List the values of Y."""
        return {"Y in the cells of X": self.reports}

    @property
    def values(self) -> int:
        """2^I*, the number of values: every part of the overlap partition is one value's.

        2^L0(Y;X) is the same number, so that L0^s is the smaller of its logarithm and L0(X;Y).
        """
        return len(set(self.reports))

    @property
    def share(self) -> Fraction:
        """The length of X in lengths of the smallest range that a value leaves, exp L0(X;Y)."""
        return Fraction(len(self.reports), min(Counter(self.reports).values()))


@universe(smoke={"cells": (2, 3, 4)}, paper={"cells": (2, 3, 4, 5, 6, 7)}, least={"cells": 2})
def cuts(cells: Sequence[int]) -> list[Cut]:
    """Enumerate the maps of equal cells of a range."""
    return [Cut(reports) for count in cells for reports in enumerate_maps(count)]


@paper.states(
    "Proposition 1",
    prop1.quote,
    reading="X is continuous, which the proposition's words allow, and L0(X;Y) is Equation 7's",
    over=cuts,
    of=prop1,
)
def prop1_continuous(cuts: list[Cut]) -> Finding:
    """Maximin information is at most the symmetrised leakage, I* <= L0^s, also for a continuous X.
    Checked for every discrete Y that is a map of a range cut into a few equal cells.
    """
    return for_all(
        holds(compare_bits_with_nats(each.values, each.share) <= 0, each) for each in cuts
    )


@corrects(
    prop1_continuous,
    Kind.READING,
    fails="X in [0, 1], Y says in which half: I* = log2 2 = 1, L0 = log_e 2 = 0.693",
    mend="one base of the logarithm in Equations 6, 7 and 9",
    true_if="X is discrete, too",
    rests="nothing: Theorem 1 is about a discrete X",
    proof="proposition-1",
)
def prop1_continuous_one_base(cuts: list[Cut]) -> Finding:
    """The proposition holds with one base of the logarithm in Equations 6, 7 and 9."""
    return for_all((at_most(each.values, each.share, each) for each in cuts), sharper=take_one)


def compare_bits_with_nats(one: int, other: Fraction) -> int:
    """Compute the sign (-1, 0 or 1) of ``log2(one) - ln(other)`` without rounding errors.

    Both numbers are 1 or larger.  :class:`ArithmeticError` if both logarithms agree in as many
    digits as are computed.
    """
    if one == 1 and other == 1:
        return 0
    with localcontext(prec=_DIGITS):
        ratio = Decimal(other.numerator) / Decimal(other.denominator)
        difference = Decimal(one).ln() / Decimal(2).ln() - ratio.ln()
        if abs(difference) < Decimal(10) ** (10 - _DIGITS):
            raise ArithmeticError(
                f"log2({one}) and ln({other}) agree in {_DIGITS} digits. Raise `_DIGITS`."
            )
    return 1 if difference > 0 else -1


# Propositions 2 and 3 ----------------------------------------------------------------------------


@paper.states(
    "Proposition 2",
    "Any memory-less uncertain channel satisfies C0 <= sup over [[X[k]]] of L0^s(X[k]; Y[k]).",
    over=channels,
)
def prop2(channels: list[Channel]) -> Finding:
    """The zero-error capacity of a memory-less channel is at most the largest L0^s over its sets of
    inputs. Checked with the largest zero-error codes of lengths 1 and 2 of every small channel, and
    of the pentagon, where longer codes are better than repeated short ones. (The proof in Appendix
    B covers only sets of words that are products; docs/proofs/noiseless.md has one for all.)
    """
    return all_of(
        *(
            for_all(
                (at_most(each.count_words(k), each.bound**k, each) for each in channels),
                sharper=take_one,
            )
            for k in (1, 2)
        )
    )


@paper.states(
    "Proposition 3",
    "The performance of any test T in C([[H]], [[Y]]) is bounded by P(T) <= log_e(mu([[Y|p0]] "
    "symmetric difference [[Y|p1]])) if Y is a continuous uncertain variable, and by P(T) <= "
    "log_2(|[[Y|p0]] symmetric difference [[Y|p1]]|) if Y is a discrete uncertain variable.",
    over=relations,
)
def prop3(relations: Relations) -> Finding:
    """No test of two hypotheses performs better than the logarithm of the number of outputs that
    only one of them allows. Checked for every report and hypothesis on a few outcomes, and every
    test. (For a discrete Y; a continuous one has lengths in the place of numbers. Appendix D calls
    this proposition Theorem 3.)
    """
    facts = []
    for outcomes in sorted({xs for xs, _ in relations}):
        for reports, hypotheses in enumerate_policies(outcomes):
            ranges = ReportRanges.from_outcomes(reports, hypotheses)
            case = {"reports of the outcomes": reports, "p0 is true": hypotheses}
            for test in enumerate_tests(reports):
                right = find_correct_reports(reports, hypotheses, test)
                facts.append(at_most(len(right), len(ranges.p0 ^ ranges.p1), case))
    return for_all(facts, sharper=take_one)


@paper.states(
    "Section II.C, after Proposition 3",
    "On the other hand, if the realization of the measurement Y is in the set ([[Y|p0]] \\ "
    "[[Y|p1]]) union ([[Y|p1]] \\ [[Y|p0]]) = [[Y|p0]] symmetric difference [[Y|p1]], we can "
    "confidently reject or accept the null hypothesis or the alternative hypothesis.",
    over=relations,
)
def sec2c_evidence(relations: Relations) -> Finding:
    """Some test is correct at an output if and only if one hypothesis alone allows it. Checked for
    every report and hypothesis on a few outcomes. (The sentence before says it of the others.)
    """
    facts = []
    for outcomes in sorted({xs for xs, _ in relations}):
        for reports, hypotheses in enumerate_policies(outcomes):
            ranges = ReportRanges.from_outcomes(reports, hypotheses)
            tests = enumerate_tests(reports)
            decided = {y for test in tests for y in find_correct_reports(reports, hypotheses, test)}
            case = {"reports of the outcomes": reports, "p0 is true": hypotheses}
            facts.append(equal(decided, ranges.p0 ^ ranges.p1, case))
    return for_all(facts)
