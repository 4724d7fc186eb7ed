"""The appendices: lines of proofs that do not hold as printed."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from noiseless.papers.noiseless import paper
from noiseless.papers.noiseless.cases import relations
from noiseless.papers.noiseless.section_3 import Error, bound_errors, errors, thm4_moment
from noiseless.statements import Finding, Kind, at_most, corrects, equal, for_all
from noiseless.theory.finite import Relation

_MAX_REPORTS = 6


@paper.states(
    "Appendix B",
    "2^L0(X[k], ..., X[1]; Y[k], ..., Y[1]) = [...] = (L0(X[l]; Y[l]))^k.",
    cut=("four fractions of numbers of elements, and the product over l of L0(X[l]; Y[l])",),
    over=relations,
)
def appendix_b(relations: Mapping[tuple[int, int], Sequence[Relation]]) -> Finding:
    """The leakage of words of two letters, each through the same channel by itself, is such that
    2^L0 of the words is L0 of a letter, squared. Checked on every small channel whose L0 is a whole
    number of bits, as the number of inequalities that break this equality.
    """
    facts = []
    for each, bits in _iterate_whole_leakages(relations):
        words = compute_pair_leakage(each)
        # An equality is two inequalities.
        facts += [at_most(words, bits**2, each), at_most(bits**2, words, each)]
    return for_all(facts)


@corrects(
    appendix_b,
    Kind.SLIP,
    fails="2^L0 of two letters of 1 bit each is 4 together, and the product of their L0 is 1 (and "
    "the first of the four fractions stands upside down)",
    mend="(2^L0(letter))^k",
    stands="Proposition 2; the next display is right",
    shown_by="prop2",
    proof="appendix-b",
)
def appendix_b_powers(relations: Mapping[tuple[int, int], Sequence[Relation]]) -> Finding:
    """2^L0 of the words is 2^L0 of a letter to the power of their number."""
    return for_all(
        equal(compute_pair_leakage(each), each.leakage**2, each)
        for each, _ in _iterate_whole_leakages(relations)
    )


def _iterate_whole_leakages(
    relations: Mapping[tuple[int, int], Sequence[Relation]],
) -> Iterator[tuple[Relation, int]]:
    """Iterate over the channels whose leakage is a whole number of bits, with this number."""
    for each in itertools.chain.from_iterable(relations.values()):
        bits = compute_whole_bits(each.leakage)
        if bits is not None:
            yield each, bits


def compute_whole_bits(ratio: Fraction) -> int | None:
    """Compute the binary logarithm of a ratio; return None if it is no whole number."""
    bits = ratio.numerator.bit_length() - 1
    return bits if ratio == 1 << bits else None


def compute_pair_leakage(channel: Relation) -> Fraction:
    """Compute ``2^L0`` of two independent uses of a channel, on words of two letters."""
    words = frozenset(
        ((x, other_x), (y, other_y)) for x, y in channel.pairs for other_x, other_y in channel.pairs
    )
    return Relation(words).leakage


@paper.states(
    "Appendix E",
    ">= mu([[Xi]])^(p+1) 2^(-epsilon (p+1)) / 2^(2p+1). This concludes the proof.",
    over=errors,
    of="thm4",
)
def thm4_constant(errors: list[Error]) -> Finding:
    """For any natural p the p-th moment of the estimation error is at least the bound in which the
    proof ends, twice that of Equation 17. Checked as Equation 17 is (noiseless-thm4-moment): a
    moment below 0 is below both bounds.
    """
    return thm4_moment.check(errors)


@corrects(
    thm4_constant,
    Kind.ELSEWHERE,
    fails="the slips of Theorem 4; the constant is twice that of Equation 17",
    mend="Equation 17's constant, or its own: both hold once mended",
    same_as=thm4_moment,
    proof="theorem-4",
)
def thm4_constant_twice(errors: list[Error]) -> Finding:
    """The absolute moment is at least rho mu^(p+1) 2^(-epsilon (p+1)) / 2^(2p+1), with rho and mu
    given the others' data.
    """
    return bound_errors(errors, 2)


@paper.states(
    "Appendix F",
    "log_e(mu([M1 o f(X)|x_-i])) x mu([M2 o f(X)|x_-i])) = log_e(mu([M1 o f(X)|x_-i])) + "
    "log_e(mu([M2 o f(X)|x_-i])).",
    transcribed=True,
)
def thm6_proof() -> Finding:
    """The logarithm of one measure times the other measure is the sum of both logarithms. Checked
    for up to six reports of each mechanism.
    """
    return for_all(
        equal(m**n, m * n, {"reports of one": m, "reports of the other": n})
        for m, n in itertools.product(range(1, _MAX_REPORTS + 1), repeat=2)
    )


@corrects(
    thm6_proof,
    Kind.SLIP,
    fails="a parenthesis too many closes the logarithm before the product; three reports and two: "
    "2 log 3 = 2.197, and log 3 + log 2 = 1.792",
    mend="log(m x m')",
    stands="Theorem 6",
    shown_by="thm6",
    proof="appendix-f",
)
def thm6_proof_parentheses() -> Finding:
    """log(m x m') = log m + log m', and Theorem 6 follows."""
    return for_all(
        equal(
            len(set(itertools.product(range(m), range(n)))),
            m * n,
            {"reports of one": m, "reports of the other": n},
        )
        for m, n in itertools.product(range(1, _MAX_REPORTS + 1), repeat=2)
    )
