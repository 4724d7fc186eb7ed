"""Section IV: linear quantizers, and the numbers of levels that are private."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import pandas as pd

from noiseless.mechanisms.families.quantizer import compute_local_levels
from noiseless.papers.noiseless import paper
from noiseless.papers.noiseless.cases import compute_exp2_epsilon, list_slices, take_one
from noiseless.statements import (
    Finding,
    Kind,
    at_most,
    bounded,
    corrects,
    equal,
    for_all,
    select,
    table,
    universe,
)
from noiseless.theory.levels import compute_exact_levels

_UNIVERSES = ((3,), (4,), (2, 2))  # numbers of data of each person
_LEVELS = 4  # values of a query, from 0 to this
_BUDGETS = (1, 1.5, 2)  # in bits
_HEIGHTS = 3  # values at the ends of the pieces of a query

levels = table("noiseless/guarantees_levels")


@paper.states(
    "Section IV, before Theorem 8",
    "We can show that linear quantizers can achieve noiseless privacy for any query on private "
    "datasets.",
)
def sec4_any() -> Finding:
    """A linear quantizer makes any query noiselessly private, if it has few enough levels. Checked
    for every query of one and two people with values on a grid, with the largest number of levels
    that docs/proofs/noiseless.md#theorem-8 grants for the query's sensitivity, as the number of
    those with more than 2^epsilon outputs. (For queries with a bounded range and one number as the
    answer, as in Definition 3 and Theorem 8; several numbers are as many mechanisms.)
    """
    facts = []
    for sizes in _UNIVERSES:
        for answers in itertools.product(range(_LEVELS + 1), repeat=math.prod(sizes)):
            held = [[answers[k] for k in line] for line in list_slices(sizes)]
            moved = Fraction(max(max(each) - min(each) for each in held), _LEVELS)
            if not moved:
                continue  # a query that nobody's data move is private under every quantizer
            for epsilon in _BUDGETS:
                q = compute_exact_levels(epsilon, output_range=(0, 1), sensitivity=moved)
                outputs = tuple(min(q - 1, q * each // _LEVELS) for each in answers)
                told, allowed = compute_exp2_epsilon(sizes, outputs), compute_local_levels(epsilon)
                facts.append(at_most(told, allowed, {"answers": answers, "epsilon": epsilon}))
    return for_all(facts, sharper=take_one)


# Theorem 8 ---------------------------------------------------------------------------------------


def _count_sharp(levels: pd.DataFrame) -> int:
    """Count the cells in which one level more than the exact number gives an output too many."""
    return int((levels["excess_one_more"] > 0).sum())


@paper.states(
    "Theorem 8",
    "The mechanism M o f is epsilon-noiseless private if M is a q-level quantizer with q <= "
    "2^epsilon (y_max - y_min) / S_f.",
    over=levels,
)
def thm8(levels: pd.DataFrame) -> Finding:
    """A quantizer with q <= 2^epsilon (y_max - y_min) / S_f levels makes a query
    epsilon-noiselessly private. Checked for averages of n people, as the most outputs beyond
    2^epsilon that one person's data can produce.
    """
    select(levels, people=2, epsilon_bits=1)  # averages without these two homes decide nothing
    excess = levels.set_index(["people", "epsilon_bits"])["excess_printed"]
    return bounded(excess, at_most=0, sharp=_count_sharp(levels))


@corrects(
    thm8,
    fails="two homes with data in [0, 1], epsilon = 1, q = 4; the other home uses nothing: 0, 1/2 "
    "and 1 give averages in three bins, and two are allowed",
    mend="q <= max(b, floor((b - 1) R/S)), b = floor(2^epsilon): n (2^epsilon - 1) levels for n "
    "> 1 people and whole 2^epsilon in place of n 2^epsilon",
    rests="Figure 3's levels: one output too many (two where 2^epsilon is not whole); not the "
    "local reports of Figures 4 and 6, which keep 2^epsilon",
    tried="two homes with data in [0, 1] and their average meet all that the theorem and Appendix "
    "H ask for: the query is continuous, each person's range an interval, both forms of S(f) 1/2",
    proof="theorem-8",
)
def thm8_exact(levels: pd.DataFrame) -> Finding:
    """With the exact number of levels no output is too many, and with one more some are."""
    excess = levels.set_index(["people", "epsilon_bits"])["excess_exact"]
    return bounded(
        excess, at_most=0, sharp=_count_sharp(levels), sharp_wanted=max(1, len(levels) // 2)
    )


class Grid(NamedTuple):
    """The average of some people, each of whom has data on an even grid in [0, 1].

    A person's data move it by 1 / people; but as numbers they have no length.
    """

    data: int
    people: int
    epsilon: float

    @property
    def name(self) -> str:
        """The numbers of data and of people, and the budget."""
        return f"{self.data} data, {self.people} people, epsilon {self.epsilon}"

    @property
    def moved(self) -> Fraction:
        """The second form of S(f), the largest difference of two values."""
        return Fraction(1, self.people)

    @property
    def exact_levels(self) -> int:
        """The exact number of levels by the second form."""
        return compute_exact_levels(self.epsilon, output_range=(0, 1), sensitivity=self.moved)

    @property
    def allowed(self) -> int:
        """How many outputs the budget allows."""
        return compute_local_levels(self.epsilon)

    @property
    def is_broken(self) -> bool:
        """Whether levels that tell all averages apart, which a length of 0 grants, are too many."""
        all_apart = self.people * (self.data - 1) + 1
        return count_max_outputs(all_apart, data=self.data, people=self.people) > self.allowed


@universe(
    smoke={"data": (2, 3, 5), "people": (1, 2, 3), "epsilon_bits": (0.5, 1, 2)},
    paper={"data": (2, 3, 5, 9), "people": (1, 2, 4, 8), "epsilon_bits": (0.5, 1, 1.5, 2, 3)},
    least={"data": 2, "people": 1, "epsilon_bits": 0.5},
)
def grids(data: Sequence[int], people: Sequence[int], epsilon_bits: Sequence[float]) -> list[Grid]:
    """List averages of data on grids, with budgets."""
    return list(itertools.starmap(Grid, itertools.product(data, people, epsilon_bits)))


@paper.states(
    "Theorem 8, the sensitivity",
    "Define sensitivity of query f as S(f) := sup mu(f([[Xi]] x {x-i})) = sup sup |f(x'i, x-i) - "
    "f(xi, x-i)|.",
    reading="a person's data may be any set of numbers, which the theorem's words allow",
    over=grids,
)
def thm8_sensitivity(grids: list[Grid]) -> Finding:
    """The two forms of the sensitivity are equal, the length of the range of a query while one
    person's data vary, and the largest difference of two of its values. Checked for the average of
    n people with a few data each, as how far the two are apart.
    """
    length = 0  # of finitely many numbers
    return bounded({each.name: each.moved - length for each in grids}, at_most=0)


@corrects(
    thm8_sensitivity,
    Kind.READING,
    fails="data 0 and 1: the average moves by 1/n, and two numbers have no length: the first form "
    "grants any number of levels",
    mend="the second form",
    true_if="the query is continuous and each person's range an interval, as Appendix H says",
    rests="nothing in Section V",
    proof="theorem-8",
)
def thm8_sensitivity_difference(grids: list[Grid]) -> Finding:
    """By the second form the exact number of levels is private, and by the first one too many."""
    excess = {
        each.name: count_max_outputs(each.exact_levels, data=each.data, people=each.people)
        - each.allowed
        for each in grids
    }
    broken = sum(each.is_broken for each in grids)
    return bounded(excess, at_most=0, sharp=broken, sharp_wanted=max(1, len(grids) // 2))


def count_max_outputs(levels: int, *, data: int, people: int) -> int:
    """Count the most outputs of a quantized average while one person's data vary.

    Bins are closed on the left, the last one on both sides.
    """
    steps = people * (data - 1)  # an average is a whole number of these parts
    return max(
        len({min(levels - 1, levels * (others + own) // steps) for own in range(data)})
        for others in range((people - 1) * (data - 1) + 1)
    )


@paper.states(
    "Theorem 8, the sensitivity",
    thm8_sensitivity.quote,
    reading="the query is continuous and each person's range an interval, which Appendix H "
    "presupposes",
    of=thm8_sensitivity,
)
def thm8_sensitivity_interval() -> Finding:
    """The two forms of the sensitivity are equal where the query is continuous and a person's data
    are an interval. Checked for every query that goes in a line from one whole number to another on
    each half of the interval, without a jump between them, beside two data of another person. (With
    a jump they differ.)
    """
    facts = []
    pieces = itertools.product(range(_HEIGHTS), repeat=2)  # from the first number to the second
    functions = list(itertools.product(pieces, repeat=2))
    for both in itertools.product(functions, repeat=2):
        if all(one[1] == other[0] for one, other in both):
            difference = max(max(map(max, each)) - min(map(min, each)) for each in both)
            lengths = [
                len({unit for piece in each for unit in range(min(piece), max(piece))})
                for each in both
            ]
            case = {"ends of the pieces": both[0], "for the other datum": both[1]}
            facts.append(equal(difference, max(lengths), case))
    return for_all(facts, sharper=take_one)


@paper.states(
    "Definition 2 with Theorem 8",
    "A mechanism M is epsilon-locally noiselessly private if M o f_i is "
    "epsilon-noiselessly private for all i.",
    over=levels,
)
def def2_local(levels: pd.DataFrame) -> Finding:
    """A person's own report with floor(2^epsilon) levels is epsilon-locally noiselessly private."""
    own = select(levels, people=1)
    excess = own.set_index("epsilon_bits")["excess_printed"]
    return bounded(excess, at_most=0, sharp=_count_sharp(own), sharp_wanted=3)
