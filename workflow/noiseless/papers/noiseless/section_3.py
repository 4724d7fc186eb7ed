"""Section III: what a noiselessly private report tells, and what it costs to combine reports."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from noiseless.papers.noiseless import paper
from noiseless.papers.noiseless.cases import (
    PRIOR_WEIGHTS,
    Beside,
    Map,
    Processed,
    Sizes,
    build_channel,
    compute_exp2_epsilon,
    list_conditional_maps,
    list_lines,
    list_slices,
    mechanisms,
    processings,
    take_one,
)
from noiseless.statements import (
    Finding,
    Kind,
    all_of,
    at_most,
    corrects,
    equal,
    falls,
    find_some,
    for_all,
    universe,
)
from noiseless.statements.findings import Exact
from noiseless.theory.capacity import find_max_code_size
from noiseless.theory.enumeration import (
    enumerate_channels,
    enumerate_compositions,
    enumerate_maps,
    enumerate_relations,
    rename_values,
)
from noiseless.theory.finite import Relation
from noiseless.theory.hypotheses import enumerate_tests, find_correct_reports
from noiseless.theory.stochastic import (
    compute_middle_error,
    guessing_gain,
    least_absolute_error,
    least_squared_error,
    maximal_leakage,
)

_PEOPLE = ((2, 2), (2, 3), (3, 2))  # numbers of data of a person, and of all others together
_DATA = (-1, 0, 1)  # two of them have the same square
_WEIGHTS = (-2, -1, 0, 1, 2)
_UNRELATED = (
    "f o psi is defined, which implies that individuals' data are unrelated: their range is a "
    "product"
)
_RELATED = (
    "individuals' data may be related, which the words allow, and M o f is defined wherever psi "
    "leads"
)
_PREMISE = "the range of the data is a product: nobody's data limit another's"
_MEND = (
    "for every range, with the data of a person that are possible beside the others' in place of "
    "all"
)


# Section III.A -----------------------------------------------------------------------------------


class Fixed(NamedTuple):
    """The data of a person and all others' fixed data, beside the others' own data."""

    data: Relation
    joint: Relation

    def list_numbers(self) -> Mapping[str, Any]:
        """List the possible data of the person and of all others."""
        return self.data.list_numbers()

    @property
    def expected(self) -> int:
        """The number of pairs that are possible if both are unrelated."""
        return len(self.joint.x_range) * len(self.joint.transposed.x_range)

    @property
    def is_product(self) -> bool:
        """Whether the person's data and the others' are unrelated."""
        return len(self.data.pairs) == len(self.data.x_range) * len(self.data.transposed.x_range)


@universe()
def fixed_data() -> list[Fixed]:
    """Fix the others' data at each value, in every range of small sets of data."""
    return [
        Fixed(data, Relation(frozenset(((datum, fixed), other) for datum, other in data.pairs)))
        for own, others in _PEOPLE
        for data in enumerate_relations(own, others)
        for fixed in range(others)
    ]


@paper.states(
    "Section III.A, after Definition 1",
    "The uncertain variable psi o X becomes unrelated (in the sense of [17]) to X_-i for all psi "
    "in Psi_i.",
    reading="individuals' data are unrelated; their range is a product",
    over=fixed_data,
)
def sec3a_unrelated(fixed_data: list[Fixed]) -> Finding:
    """A person's data with fixed data of all others are unrelated to the others' data. Checked for
    every product of small sets.
    """
    return for_all(
        at_most(each.expected, len(each.joint.pairs), each)
        for each in fixed_data
        if each.is_product
    )


@paper.states(
    "Section III.A, after Definition 1",
    sec3a_unrelated.quote,
    reading="individuals' data may be related, which the words allow",
    over=fixed_data,
    of=sec3a_unrelated,
)
def sec3a_unrelated_related(fixed_data: list[Fixed]) -> Finding:
    """The same where individuals' data may be related. Checked for every range of small sets that
    is not a product.
    """
    return for_all(
        at_most(each.expected, len(each.joint.pairs), each)
        for each in fixed_data
        if not each.is_product
    )


@paper.states(
    "Section III.A, after Theorem 1",
    "In this case, the curator can report the output of the query f(psi o X(omega)) completely "
    "(i.e., M can be chosen to be equal identity) and the adversary, knowing v_-i, can compute the "
    "data of the data of the i-th individual Xi(omega) (at least if the adversary select the query "
    "to be linear with non-zero weight for the i-th individual).",
)
def sec3a_infinite() -> Finding:
    """An exact answer to a linear query with a weight other than zero for a person tells the datum
    of this person to an adversary who knows the others'. Checked for the queries of two people with
    small whole weights and data, as those of which an answer leaves more than one datum open. (With
    weight zero, and for sums of squares, it does.)
    """
    facts = []
    for own, others, known in itertools.product(_WEIGHTS, _WEIGHTS, _DATA):
        if own:
            answers = [own * datum + others * known for datum in _DATA]
            told = Relation.from_outcomes(_DATA, answers).information
            case = {"weights": (own, others), "the other's datum": known}
            facts.append(at_most(len(_DATA), told, case))
    return for_all(facts)


class Told(NamedTuple):
    """What a mechanism of two people tells of one of them beside the other's datum, 2^I*."""

    reports: Map
    bits: int
    parts: int

    def list_numbers(self) -> Mapping[str, Any]:
        """List the reports of the person's data, and the budget."""
        return {"reports of the person's data": self.reports, "epsilon": self.bits}


@universe()
def budgets() -> list[list[Told]]:
    """List, for each size, what every mechanism with a budget of 0 or 1 bit tells of everybody."""
    return [_list_told(own, others) for own, others in _PEOPLE]


def _list_told(own: int, others: int) -> list[Told]:
    """List what the mechanisms tell of a person with some data, beside the others' data."""
    found = []
    for reports in enumerate_maps(own * others):
        conditional = [reports[other * own : (other + 1) * own] for other in range(others)]
        max_outputs = max(len(set(each)) for each in conditional)
        for bits, each in itertools.product((0, 1), conditional):
            if max_outputs <= 2**bits:
                parts = len(Relation.from_outcomes(range(own), each).overlap_partition)
                found.append(Told(each, bits, parts))
    return found


@paper.adds("Section III.A, after Theorem 1, what it presupposes", over=budgets)
def sec3a_one(budgets: list[list[Told]]) -> Finding:
    """With epsilon = 1 some reports do tell something of a person to an adversary who knows all
    others' data. Checked as noiseless-sec3a-zero is, which says nothing if no report ever tells
    anything.
    """
    return all_of(
        *(find_some(at_most(each.parts, 1, each) for each in told if each.bits) for told in budgets)
    )


@paper.states(
    "Section III.A, after Theorem 1",
    "On the other hand, if epsilon = 0, the output becomes a constant that is "
    "independent of X_i and thus the adversary learns nothing new about the data of the"
    " i-th individual.",
    presupposes=sec3a_one,
    over=budgets,
)
def sec3a_zero(budgets: list[list[Told]]) -> Finding:
    """With epsilon = 0 the report tells nothing of a person to an adversary who knows all others'
    data. Checked for every mechanism over small universes of which nobody can choose two reports,
    as the number with any maximin information. (Definition 1 asks for epsilon > 0.)
    """
    every = itertools.chain.from_iterable(budgets)
    return for_all(equal(each.parts, 1, each) for each in every if not each.bits)


# Theorems 1, 2, 3 and 5 --------------------------------------------------------------------------


@dataclass(frozen=True)
class Limited(Beside):
    """The map from a person's data to outputs beside the others' data, in some range of data sets.

    ``is_product``: individuals' data are unrelated.  ``is_known``: only data are included that can
    occur beside the others'; else the map psi sets the others' data for every datum of the
    individual, as the theorems state.
    """

    is_product: bool
    is_known: bool
    person: int  # whose data they are
    people: int

    @property
    def best_tests(self) -> list[int]:
        """At how many outputs the best test of each two data is right."""
        return [
            max(
                len(find_correct_reports(pair, (True, False), test))
                for test in enumerate_tests(pair)
            )
            for pair in itertools.combinations(self.outputs, 2)
        ]


@universe(
    smoke={"universes": ((2, 2),)},
    paper={"universes": ((2, 2), (2, 3))},
    least={"universes": 1},
)
def ranges(universes: Sizes) -> list[Limited]:
    """Try every map on every range of data sets of small universes."""
    counts: Counter[tuple[Map, int, bool, bool, int, int]] = Counter()
    for sizes in universes:
        data_sets = list(itertools.product(*map(range, sizes)))
        for bits in range(1, 1 << len(data_sets)):
            held = {k for k in range(len(data_sets)) if bits >> k & 1}
            own = [{data_sets[k][i] for k in held} for i in range(len(sizes))]
            is_product = len(held) == math.prod(map(len, own))
            # For each possible value of the others' data: all data sets that contain it, and of
            # these the data sets whose datum the individual can have at all (the image of psi).
            beside = [
                (line, [k for k in line if data_sets[k][i] in own[i]], i)
                for i in range(len(sizes))
                for line in list_lines(data_sets, i)
                if held.intersection(line)
            ]
            known = [[k for k in line if k in held] for line, _, _ in beside]
            for outputs in enumerate_maps(len(data_sets)):
                budget = max(len({outputs[k] for k in line}) for line in known)
                for one, (_, image, i) in zip(known, beside, strict=True):
                    for chosen, is_known in ((one, True), (image, False)):
                        one_map = rename_values([outputs[k] for k in chosen])
                        counts[one_map, budget, is_product, is_known, i, len(sizes)] += 1
    ordered = sorted(counts.items(), key=lambda each: (len(each[0][0]), each[0]))
    return [
        Limited(one_map, budget, times, is_product, is_known, person, people)
        for (one_map, budget, is_product, is_known, person, people), times in ordered
    ]


def _bound_related(ranges: list[Limited], list_sides: Callable[[Limited], list]) -> Finding:
    """Bound what is told by 2^epsilon where psi fixes the others' data and people are related."""
    return for_all(
        at_most(left, each.budget, each, times=each.times)
        for each in ranges
        if not each.is_product and not each.is_known
        for left in list_sides(each)
    )


def _bound_known(ranges: list[Limited], list_sides: Callable[[Limited], list]) -> Finding:
    """Bound what is told of each person, for the data that are possible beside the others'."""
    return all_of(
        *(
            for_all(
                at_most(left, each.budget, each, times=each.times)
                for each in ranges
                if each.is_known and each.person == person
                for left in list_sides(each)
            )
            for person in range(max(each.people for each in ranges))
        )
    )


@paper.states(
    "Theorem 1",
    "Assume X is a discrete uncertain variable, Y = M o f o psi o X, and M o f is "
    "epsilon-noiselessly private. For any psi in Psi_i, 0 <= I*(Xi;Y) <= L0^s(Xi;Y) <= L0(Y;Xi) <= "
    "epsilon.",
    reading=_UNRELATED,
    over=mechanisms,
)
def thm1(mechanisms: list[Beside]) -> Finding:
    """For individuals whose data are unrelated, 0 <= I* <= L0^s <= L0(Y;Xi) <= epsilon, whatever
    the other individuals' data are fixed at. Checked for every mechanism of every query, every
    individual and all others' data over small universes.
    """
    chains = []
    for each in mechanisms:
        of = each.relation
        middle: list[Exact] = [of.maximin_count, of.symmetric_leakage, of.transposed.leakage]
        terms = itertools.pairwise([1, *middle, each.budget])
        chains.append([at_most(left, right, each, times=each.times) for left, right in terms])
    # No number of parts is below 1, so that the first part of the chain has equalities of 1 alone.
    first, *others = zip(*chains, strict=True)
    return all_of(for_all(first), *(for_all(facts, sharper=take_one) for facts in others))


@paper.states("Theorem 1", thm1.quote, reading=_RELATED, over=ranges, of=thm1)
def thm1_related(ranges: list[Limited]) -> Finding:
    """The chain 0 <= I* <= L0^s <= L0(Y;Xi) <= epsilon also holds where individuals' data are
    related. Checked for its smallest term, I*, on every map and every range of data sets that is
    not a product, with the others' data fixed (the theorem's map psi).
    """
    return _bound_related(ranges, lambda each: [each.relation.maximin_count])


@corrects(
    thm1_related,
    Kind.PREMISE,
    fails="two people who always have the same datum, 0 or 1; release the first one's: given the "
    "other's datum only one output is possible, so that every epsilon > 0 is met, and the output "
    "tells the datum, 1 bit",
    mend=_MEND,
    premise=_PREMISE,
    rests="all four theorems hold with the premise",
    proof="related-individuals",
)
def thm1_related_known(ranges: list[Limited]) -> Finding:
    """The theorem holds with the data that are possible beside the others'."""
    return _bound_known(ranges, lambda each: [each.relation.maximin_count])


@corrects(
    sec3a_unrelated_related,
    Kind.PREMISE,
    same_as=thm1_related,
    fails="Fixing the others' data in psi leaves the person's own as they are. Where two people "
    "always have the same datum, psi o X still tells the other one's.",
    mend="It becomes unrelated if and only if the person's data are unrelated to the others'.",
    proof="related-individuals",
)
def sec3a_unrelated_related_product(fixed_data: list[Fixed]) -> Finding:
    """It becomes unrelated where the range is a product."""
    return sec3a_unrelated.check(fixed_data)


@paper.states(
    "Theorem 2",
    "For any psi in Psi_i, the zero-error capacity of memory-less epsilon-noiselessly-private "
    "channel is bounded by C0 <= epsilon.",
    reading=_UNRELATED,
    over=mechanisms,
)
def thm2(mechanisms: list[Beside]) -> Finding:
    """The zero-error capacity of a noiselessly private channel is at most epsilon, for individuals
    whose data are unrelated. Checked with the largest zero-error codes of lengths 1 to 3, for every
    mechanism over small universes, one psi for all letters (docs/proofs/noiseless.md: any psi).
    """
    return all_of(
        *(
            for_all(
                (
                    at_most(
                        find_max_code_size(each.relation, k), each.budget**k, each, times=each.times
                    )
                    for each in mechanisms
                ),
                sharper=take_one,
            )
            for k in (1, 2, 3)
        )
    )


@paper.states("Theorem 2", thm2.quote, reading=_RELATED, over=ranges, of=thm2)
def thm2_related(ranges: list[Limited]) -> Finding:
    """The zero-error capacity is at most epsilon also where individuals' data are related. Checked
    with zero-error codes of length 1, whose logarithm the capacity is not below, on every map and
    every range of data sets that is not a product.
    """
    return _bound_related(ranges, lambda each: [find_max_code_size(each.relation, 1)])


@corrects(
    thm2_related,
    Kind.PREMISE,
    same_as=thm1_related,
    fails="The counter-example to Theorem 1 is one to Theorem 2, too. Two people always have the "
    "same datum, 0 or 1, and the first one's is released, which satisfies Definition 1 for every "
    "epsilon > 0. With the other's datum fixed the channel still carries both data without error, "
    "C0 = 1 bit. The proof is Proposition 2 with Theorem 1, which has the gap.",
    mend=_MEND,
    proof="related-individuals",
)
def thm2_related_known(ranges: list[Limited]) -> Finding:
    """The theorem holds with the data that are possible beside the others'."""
    return _bound_known(ranges, lambda each: [find_max_code_size(each.relation, 1)])


@paper.states(
    "Theorem 3",
    "Assume Y = M o f o psi o X' and M o f is epsilon-noiselessly private. Then, for any test T "
    "and any psi in Psi_i, the performance of the adversary is bounded by P(T) <= epsilon.",
    reading=_UNRELATED,
    over=mechanisms,
)
def thm3(mechanisms: list[Beside]) -> Finding:
    """No test that tells two data of an individual apart performs better than epsilon, for
    individuals whose data are unrelated. Checked for every mechanism over small universes, every
    pair of data and every test.
    """
    facts = []
    for each in mechanisms:
        for pair in itertools.combinations(each.outputs, 2):
            for test in enumerate_tests(pair):
                right = len(find_correct_reports(pair, (True, False), test))
                facts.append(at_most(right, each.budget, each, times=each.times))
    return for_all(facts, sharper=take_one)


@paper.states("Theorem 3", thm3.quote, reading=_RELATED, over=ranges, of=thm3)
def thm3_related(ranges: list[Limited]) -> Finding:
    """No test performs better than epsilon also where individuals' data are related. Checked for
    every two data of an individual, on every map and every range of data sets that is not a
    product.
    """
    return _bound_related(ranges, lambda each: each.best_tests)


@corrects(
    thm3_related,
    Kind.PREMISE,
    same_as=thm1_related,
    fails="The counter-example to Theorem 1 is one to Theorem 3, too. Two people always have the "
    "same datum, 0 or 1, and the first one's is released, which satisfies Definition 1 for every "
    "epsilon > 0. The test that answers with the output is right at both outputs, P(T) = log_2 2 = "
    "1 bit. The proof (Appendix D) takes both data's outputs for members of [Y|X-i = v], and one "
    "of the two data is impossible beside v.",
    mend=_MEND,
    proof="related-individuals",
)
def thm3_related_known(ranges: list[Limited]) -> Finding:
    """The theorem holds with the data that are possible beside the others'."""
    return _bound_known(ranges, lambda each: each.best_tests)


# Theorem 4 ---------------------------------------------------------------------------------------


class Error(NamedTuple):
    """The smallest error of an estimate of a person's data, and what bounds it.

    The person's data lie in [0, 1].  Another person's data are uniform on an interval, and known to
    the adversary; given these, the first person's data lie in a part of [0, 1] whose length is the
    same for all of them.  This part is cut into cells on which the prior is constant.
    """

    weights: tuple[int, ...]
    reports: Map
    moment: int
    width: Fraction
    share: Fraction
    error: Fraction

    def list_numbers(self) -> Mapping[str, Any]:
        """List the prior, the mechanism, and the other person's range."""
        of = {"prior of the cells": self.weights, "reports": self.reports, "p": self.moment}
        return {**of, "width of the other's range": self.width, "share left open": self.share}

    def is_beside(self, *, moment: int, share: float, width: float | None = None) -> bool:
        """Return whether it is a moment's, beside a share and a width of the other's range."""
        is_width = width is None or self.width == Fraction(str(width))
        return self.moment == moment and self.share == Fraction(str(share)) and is_width

    @property
    def signed(self) -> Fraction:
        """The moment without absolute value; always guessing the upper end is an estimator, too."""
        count, total = len(self.weights), sum(self.weights)
        mean = sum(
            Fraction(weight * (2 * k + 1), 2 * count * total)
            for k, weight in enumerate(self.weights)
        )
        return (mean - 1) * self.share if self.moment % 2 else self.error

    @property
    def density(self) -> Fraction:
        """The infimum of the conditional density, given the other person's data."""
        return Fraction(min(self.weights) * len(self.weights), sum(self.weights)) / self.share

    @property
    def joint(self) -> Fraction:
        """The infimum of the joint density."""
        return self.density / self.width

    @property
    def measure(self) -> Fraction:
        """The length that the other's data leave open, to the power of p + 1."""
        return self.share ** (self.moment + 1)

    @property
    def loose(self) -> Fraction:
        """The bound of Equation 17 for rho = mu = 1."""
        kept = len(set(self.reports))
        return 1 / Fraction(2 ** (2 * self.moment + 2) * kept ** (self.moment + 1))

    @property
    def tight(self) -> Fraction:
        """The sharp bound for rho = mu = 1."""
        kept = len(set(self.reports))
        return 1 / Fraction(2**self.moment * (self.moment + 1) * kept**self.moment)


@universe(smoke={"cells": (2, 3)}, paper={"cells": (2, 3, 4)}, least={"cells": 2})
def errors(cells: Sequence[int]) -> list[Error]:
    """Compute the smallest errors for every prior and mechanism on grids of cells."""
    found = []
    for count in cells:
        for weights in itertools.product(PRIOR_WEIGHTS, repeat=count):
            for reports in enumerate_maps(count):
                for moment, error_of in ((1, least_absolute_error), (2, least_squared_error)):
                    whole = error_of(weights, reports)
                    for width, share in itertools.product(("1", "0.1", "0.01"), ("1", "0.25")):
                        left = Fraction(share)
                        error = whole * left**moment
                        found.append(Error(weights, reports, moment, Fraction(width), left, error))
    return found


def bound_errors(errors: list[Error], factor: int = 1) -> Finding:
    """State the bound of Equation 17 times a factor, with the conditional density and range.

    An eighth of the error is below it: the bound is loose, by four to six times.
    """
    return for_all(
        (
            at_most(each.density * each.measure * factor * each.loose, each.error, each)
            for each in errors
        ),
        sharper=lambda error: Fraction(error, 8),
    )


def choose_connected(errors: list[Error], **beside: Any) -> list[Error]:
    """Choose the mechanisms that Theorem 4 is about: the data with one report are an interval."""
    chosen = (each for each in errors if each.is_beside(**beside))
    return [e for e in chosen if len([*itertools.groupby(e.reports)]) == len({*e.reports})]


_EQUATION_17 = (
    "For any p in N, E{(Xi - ^Xi(X-i, M o f(X)))^p | X-i} >= (rho mu([[Xi]])^(p+1) / 2^(2p+2)) "
    "2^(-epsilon (p+1))."
)


@paper.states("Theorem 4, odd p", _EQUATION_17, over=errors, of="thm4")
def thm4_moment(errors: list[Error]) -> Finding:
    """For any natural p the p-th moment of the estimation error is at least a positive bound.
    Checked for p = 1 on every mechanism with connected pre-images and every prior of small grids,
    with the estimate that is always the upper end of the range, beside another person's unrelated
    data on a range as wide, where both densities are the same and the sign alone is in question.
    """
    chosen = choose_connected(errors, moment=1, share=1, width=1)
    return for_all(at_most(each.joint * each.loose, each.signed, each) for each in chosen)


@corrects(
    thm4_moment,
    fails="odd p: an estimate that is never too small has a negative moment",
    mend="absolute moment, density of Xi given the others' data, mu the length that these leave",
    rests="nothing else",
    proof="theorem-4",
)
def thm4_moment_absolute(errors: list[Error]) -> Finding:
    """The absolute moment obeys the bound if rho is the infimum of the conditional density of Xi,
    given the others' data, and mu the length of the range that the others' data leave it; for every
    p, for related people as well.
    """
    return bound_errors(errors)


@corrects(
    thm4_moment,
    reading="The p-th moment is the absolute one, or p is even, and people are unrelated. Then the "
    "bound still fails where the others' ranges are narrow, because rho is of the joint density",
)
def thm4_moment_even(errors: list[Error]) -> Finding:
    """The bound fails for p = 2, too."""
    chosen = choose_connected(errors, moment=2, share=1)
    return find_some(at_most(each.joint * each.loose, each.error, each) for each in chosen)


@paper.states(
    "Theorem 4, the constant rho",
    "Assume that rho = inf over x in [[X]] of xi(x) > 0, M o f is epsilon-noiselessly private, and "
    "f^-1 o M^-1(y) is a connected set for any y in [[Y]].",
    over=errors,
    of="thm4",
)
def thm4_density(errors: list[Error]) -> Finding:
    """With rho the infimum of the prior's density of the whole data set, the mean squared error is
    at least rho mu^3 2^(-3 epsilon) / 2^6. Checked for connected pre-images, another person's data
    unrelated, and uniform on a range as wide as that of the first, a tenth and a hundredth of it.
    """
    chosen = choose_connected(errors, moment=2, share=1)
    return for_all(at_most(each.joint * each.loose, each.error, each) for each in chosen)


@corrects(
    thm4_density,
    fails="the joint density grows as another person's range shrinks: two homes, one known to "
    "within a hundredth",
    mend="density of Xi given the others' data: then rho mu^(p+1) 2^(-epsilon p) / (2^p (p + 1)), "
    "which is larger, and attained",
    rests="nothing else",
    proof="theorem-4",
)
def thm4_density_sharp(errors: list[Error]) -> Finding:
    """With rho the infimum of the conditional density of Xi, given the others' data, and mu the
    length of the range that these leave Xi, the p-th absolute moment is at least rho mu^(p+1)
    2^(-epsilon p) / (2^p (p + 1)), which is larger than the printed bound for every epsilon and
    attained by uniform priors and equal bins. For unrelated people mu is the mu([[Xi]]) of the
    paper. Connected pre-images are not needed.
    """
    bounds = [(each.density * each.measure * each.tight, each) for each in errors]
    return all_of(
        for_all(at_most(bound, each.error, each) for bound, each in bounds),
        for_all((at_most(bound, each.error, each) for bound, each in bounds), attained=0.01),
    )


@paper.states(
    "Theorem 4, the length mu",
    _EQUATION_17,
    reading="individuals' data may be related, which the words allow",
    over=errors,
    of="thm4",
)
def thm4_range(errors: list[Error]) -> Finding:
    """With mu the length of all data that an individual can have, the mean squared error is at
    least rho mu^3 2^(-3 epsilon) / 2^6, also for related people. Checked for every mechanism with
    connected pre-images, where another person's data leave a quarter of the range open, with rho of
    the conditional density, so that mu alone is in question.
    """
    chosen = choose_connected(errors, moment=2, share=0.25)
    return for_all(at_most(each.density * each.loose, each.error, each) for each in chosen)


@corrects(
    thm4_range,
    fails="X1 uniform within 0.1 of X2: a constant output has a mean squared error of 0.0033, the "
    "bound tends to 0.078",
    mend="mu the length that the others' data leave Xi",
    rests="nothing else",
    proof="theorem-4",
)
def thm4_range_left(errors: list[Error]) -> Finding:
    """The bound holds with mu the length of the range that the others' data leave Xi; this is
    mu([[Xi]]) where people are unrelated.
    """
    chosen = [each for each in errors if each.is_beside(moment=2, share=0.25)]
    return bound_errors(chosen)


@universe(
    smoke={"epsilon_bits": (1, 1.5, 2, 3, 4, 5, 6)},
    paper={"epsilon_bits": (1, 1.5, 2, 3, 4, 5, 6, 7, 8)},
    least={"epsilon_bits": 2},
)
def bounds(epsilon_bits: Sequence[float]) -> list[dict[float, float]]:
    """Compute the bounds of Theorem 4 against the budget, printed and sharp, for rho = mu = 1."""
    return [
        {each: bound(each, moment) for each in epsilon_bits}
        for moment in (1, 2)
        for bound in (_compute_printed_bound, _compute_sharp_bound)
    ]


def _compute_printed_bound(epsilon_bits: float, moment: int) -> float:
    return 2 ** (-epsilon_bits * (moment + 1)) / 2 ** (2 * moment + 2)


def _compute_sharp_bound(epsilon_bits: float, moment: int) -> float:
    return 2 ** (-epsilon_bits * moment) / (2**moment * (moment + 1))


@paper.states(
    "Theorem 4",
    "The lower bound on the adversary's estimation performance in Theorem 4 is an decreasing "
    "function of epsilon.",
    over=bounds,
)
def thm4_decreasing(bounds: list[dict[float, float]]) -> Finding:
    """The lower bound of the error is a decreasing function of epsilon, as printed and mended."""
    return falls(*bounds)


@paper.states(
    "Section I, fourth guarantee, the error",
    "Therefore, by reducing the privacy budget, the estimation error of the adversary worsens.",
    reading="the error is the least that a mechanism of the budget allows",
)
def sec1_worsens() -> Finding:
    """The smaller the budget, the larger the least error that a mechanism of this budget leaves.
    Checked for the mean absolute and squared error of uniform data, over all divisions at eighths.
    """
    least: dict[int, dict[int, Fraction]] = {1: {}, 2: {}}
    for moment, each in itertools.product(least, enumerate_compositions(8)):
        error = compute_middle_error(each, moment)
        least[moment][len(each)] = min(error, least[moment].get(len(each), error))
    return falls(*least.values())


@paper.states(
    "Section I, fourth guarantee, the error",
    sec1_worsens.quote,
    reading="the error is that of any mechanism with the budget",
    of=sec1_worsens,
)
def sec1_worsens_each() -> Finding:
    """Of two mechanisms the one with the smaller budget leaves the larger error. Checked for the
    mean squared error, on every two divisions of a range of uniform data.
    """
    errors = [(each, compute_middle_error(each, 2)) for each in enumerate_compositions(8)]
    return for_all(
        at_most(larger, error, {"eighths of the smaller budget": one, "of the larger": other})
        for (one, error), (other, larger) in itertools.product(errors, repeat=2)
        if len(one) < len(other)
    )


@corrects(
    sec1_worsens_each,
    Kind.READING,
    fails="uniform data: two halves (1 bit) leave a mean squared error of 1/48, three quarters and "
    "two eighths (log2 3 bits) one of 109/3072",
    true_if="the error is the least that a mechanism of the budget allows",
    rests="nothing: Theorem 4 is about the bound",
    proof="section-i",
)
def sec1_worsens_least() -> Finding:
    """The least error that a mechanism of the budget allows grows as the budget falls."""
    return sec1_worsens.check()


# Theorem 5 ---------------------------------------------------------------------------------------


@paper.states(
    "Theorem 5",
    "Assume Y = M o f o psi o X and M o f is epsilon-noiselessly private. Then, Lc(Xi -> Y) <= "
    "epsilon.",
    reading=_UNRELATED,
    over=mechanisms,
)
def thm5(mechanisms: list[Beside]) -> Finding:
    """Maximal leakage is at most epsilon, for individuals whose data are unrelated. Checked for
    every mechanism over small universes, by its formula, and by how much more often an adversary
    with any of many priors guesses the datum.
    """
    formula, guessing = [], []
    for each in mechanisms:
        leakage = maximal_leakage(build_channel(each.outputs))
        formula.append(at_most(leakage, each.budget, each, times=each.times))
        for weights in itertools.product(PRIOR_WEIGHTS, repeat=len(each.outputs)):
            gain = guessing_gain(weights, each.outputs)
            guessing.append(at_most(gain, each.budget, each, times=each.times))
    return all_of(*(for_all(facts, sharper=take_one) for facts in (formula, guessing)))


@paper.states("Theorem 5", thm5.quote, reading=_RELATED, over=ranges, of=thm5)
def thm5_related(ranges: list[Limited]) -> Finding:
    """Maximal leakage is at most epsilon also where individuals' data are related. Checked by its
    formula, on every map and every range of data sets that is not a product.
    """
    return _bound_related(ranges, lambda each: [maximal_leakage(build_channel(each.outputs))])


@corrects(
    thm5_related,
    Kind.PREMISE,
    same_as=thm1_related,
    fails="The counter-example to Theorem 1 is one to Theorem 5, too. Two people always have the "
    "same datum, 0 or 1, and the first one's is released, which satisfies Definition 1 for every "
    "epsilon > 0. Both outputs are certain from one datum each, so the maximal leakage is log 2, 1 "
    "bit. The proof takes the outputs of M o f o psi o X for those of [Y|X-i = v], which are "
    "fewer.",
    mend=_MEND,
    proof="related-individuals",
)
def thm5_related_known(ranges: list[Limited]) -> Finding:
    """The theorem holds with the data that are possible beside the others'."""
    return _bound_known(ranges, lambda each: [maximal_leakage(build_channel(each.outputs))])


@paper.states(
    "Proof of Theorem 5, first line",
    "Note that sup over P_(Y|X) of Lc(X -> Y) <= H0(Y) because of [65, Lemma 1 & Example 6].",
)
def thm5_proof_outputs() -> Finding:
    """The maximal leakage is at most the logarithm of the number of outputs. Checked for every
    channel of two or three data to at most three outputs whose chances are thirds.
    """
    return for_all(
        (
            at_most(maximal_leakage(each), sum(map(any, zip(*each, strict=True))), {"rows": each})
            for data in (2, 3)
            for each in enumerate_channels(data, 3, denominator=3)
        ),
        sharper=take_one,
    )


_SAME_OUTPUTS: dict[str, Any] = {
    "quote": "Furthermore, |[[M o f o psi o X]]| = |[[Y | X_-i = v_-i]]| <= 2^epsilon.",
    "over": ranges,
}


@paper.states("Proof of Theorem 5, second line", reading=_UNRELATED, **_SAME_OUTPUTS)
def thm5_proof(ranges: list[Limited]) -> Finding:
    """With the others' data fixed by psi there are at most 2^epsilon outputs, for individuals whose
    data are unrelated. Checked on every map and every product range of small universes.
    """
    return for_all(
        (
            at_most(len(set(each.outputs)), each.budget, each, times=each.times)
            for each in ranges
            if each.is_product and not each.is_known
        ),
        sharper=take_one,
    )


@paper.states("Proof of Theorem 5, second line", reading=_RELATED, of=thm5_proof, **_SAME_OUTPUTS)
def thm5_proof_related(ranges: list[Limited]) -> Finding:
    """The same where individuals' data are related: psi leads to data that cannot occur beside the
    others', whose outputs are not among those of [[Y | X_-i = v_-i]].
    """
    return _bound_related(ranges, lambda each: [len(set(each.outputs))])


@corrects(
    thm5_proof_related,
    Kind.PREMISE,
    same_as=thm1_related,
    fails="Two people who always have the same datum, and the first one's is released: psi has two "
    "outputs, and [[Y | X_-i = v_-i]] one.",
    mend=_MEND,
    proof="related-individuals",
)
def thm5_proof_known(ranges: list[Limited]) -> Finding:
    """It holds with the data that are possible beside the others'."""
    return _bound_known(ranges, lambda each: [len(set(each.outputs))])


# Section III.E -----------------------------------------------------------------------------------


class Leaking(NamedTuple):
    """A mechanism of two people: its budget, and what it leaks of each beside the other's data."""

    reports: Map
    budget: int
    leaked: tuple[Fraction, ...]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the reports of the data sets."""
        return {"reports of the data": self.reports, "2^epsilon": self.budget}


@universe()
def leaking() -> list[Leaking]:
    """Enumerate the mechanisms of two people with 2 and 3 data, the fewest with two budgets."""
    sizes, found = (2, 3), []
    for reports in enumerate_maps(math.prod(sizes)):
        conditional = list_conditional_maps(sizes, reports)
        leaked = tuple(maximal_leakage(build_channel(each)) for each in conditional)
        found.append(Leaking(reports, compute_exp2_epsilon(sizes, reports), leaked))
    return found


@paper.states(
    "Section I, fourth guarantee",
    "Hence, by reducing the privacy budget, we can also reduce the maximal information leakage.",
    over=leaking,
)
def sec1_leakage(leaking: list[Leaking]) -> Finding:
    """The maximal leakage of the person of whom most is leaked is the smallest budget, and falls
    with it. Checked for every mechanism over two people's data.
    """
    return sec3e_minimize.check(leaking)


@paper.states(
    "Section III.E, after Theorem 5",
    "Hence, by reducing the privacy budget, we can minimize the amount of the leaked information.",
    over=leaking,
)
def sec3e_minimize(leaking: list[Leaking]) -> Finding:
    """The smaller the budget, the less is leaked of the person of whom most is, beside the data of
    the others that let most through. Checked as the smallest budget of every mechanism over two
    people's data, which the largest maximal leakage equals.
    """
    return for_all(
        (equal(max(each.leaked), each.budget, each) for each in leaking), sharper=take_one
    )


# Theorems 6 and 7 --------------------------------------------------------------------------------


@universe(
    smoke={"pair_universes": ((2, 2), (4,))},
    paper={"pair_universes": ((2, 2), (2, 3), (4,))},
    least={"pair_universes": 1},
)
def pairs(pair_universes: Sizes) -> list[tuple[Map, Map, int, int]]:
    """Combine any two mechanisms on a universe: both maps, the product of both 2^epsilon, and how
    many outputs both together have.

    One person with four data is the smallest universe over which two budgets above 0 add up: two
    halves of two bits.
    """
    found = []
    for sizes in pair_universes:
        maps = [
            (each, compute_exp2_epsilon(sizes, each)) for each in enumerate_maps(math.prod(sizes))
        ]
        every_slice = list_slices(tuple(sizes))
        for (one, budget), (other, other_budget) in itertools.product(maps, repeat=2):
            kept = max(len({(one[k], other[k]) for k in held}) for held in every_slice)
            found.append((one, other, budget * other_budget, kept))
    return found


@paper.states(
    "Theorem 6",
    "Then, (M1, M2) o f is (epsilon_1 + epsilon_2)-noiseless private.",
    over=pairs,
)
def thm6(pairs: list[tuple[Map, Map, int, int]]) -> Finding:
    """Budgets of two mechanisms add up at most. Checked for every pair over small universes."""
    return for_all(
        (
            at_most(kept, budgets, {"outputs of one": one, "of the other": other})
            for one, other, budgets, kept in pairs
        ),
        sharper=take_one,
    )


@paper.states(
    "Theorem 7",
    "Then, g o M o f is also epsilon-noiseless private for any mapping g.",
    over=processings,
)
def thm7(processings: list[Processed]) -> Finding:
    """Post-processing keeps the budget. Checked for every mechanism and processing."""
    return for_all(
        (at_most(each.kept, each.budget, each) for each in processings), sharper=take_one
    )
