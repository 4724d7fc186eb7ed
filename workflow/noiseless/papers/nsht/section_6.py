"""Section 6: indistinguishability of one person's data."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from noiseless.papers.nsht import paper
from noiseless.seeds import make_generator
from noiseless.statements import (
    Finding,
    Margin,
    all_of,
    at_most,
    bounded,
    corrects,
    equal,
    equals,
    falls,
    for_all,
    rises,
    table,
    universe,
)
from noiseless.theory.hypotheses import enumerate_interval_tests
from noiseless.theory.intervals import IntervalUnion
from noiseless.theory.levels import count_differing_reports

averages = table("nsht/indistinguishability")


# Definition 5, for continuous answers -----------------------------------------------------------


class Answers(NamedTuple):
    """The answers of a query for two values of one person's data."""

    query: str
    people: int
    unit: str
    one: IntervalUnion
    other: IntervalUnion

    def list_numbers(self) -> Mapping[str, Any]:
        """List the query, and the intervals of its answers."""
        of = {"query": self.query, "people": self.people, "unit": self.unit}
        ends = {"answers": self.one.parts[0], "for the other value": self.other.parts[0]}
        return {**of, **ends}

    @property
    def difference(self) -> Fraction:
        """Length of the answers that only one of the two values allows (Equation 12)."""
        return (self.one ^ self.other).measure

    @property
    def proving_share(self) -> Fraction:
        """Share of the possible answers that prove one of the values."""
        either = (self.one | self.other).measure
        return self.difference / either if either else Fraction(self.one != self.other)


RANGES = {"cm": Fraction(150), "m": Fraction(3, 2)}  # lengths of the range of heights


@universe()
def answers() -> list[Answers]:
    """List the answers of averages, sums and single heights, for quarters of the range."""
    found = []
    queries = itertools.product((2, 3, 4, 8, 100), ("average", "sum", "one height"), RANGES.items())
    for people, query, (unit, length) in queries:
        each = {"average": Fraction(1, people), "sum": Fraction(1)}.get(query)
        shares = [each] * people if each else [Fraction(1)] + [Fraction(0)] * (people - 1)
        for share in set(shares):
            others = (sum(shares) - share) * length
            values = [share * length * k / 4 for k in range(5)]
            ranges = [IntervalUnion.from_intervals((low, low + others)) for low in values]
            for one, other in itertools.combinations(ranges, 2):
                found.append(Answers(query, people, unit, one, other))
    return found


@paper.states(
    "Section 6, Definition 5 for continuous answers",
    "If Y is a continuous uncertain variable, for any test T, Theorem 2 states that the "
    "performance of the adversary is bounded from the above by P(T) <= log_e(mu([Y|p0] "
    "symmetric difference [Y|p1])) = log_e(mu([Y|Xi = xi] symmetric difference [Y|Xi = xi'])).",
    over=answers,
)
def def5_continuous(answers: list[Answers]) -> Finding:
    """Whatever an adversary tests of two values of one person's data, the test is right for at most
    the length of the answers that one of them alone allows, which Definition 5 bounds by
    exp(epsilon), and the best test for just that length. Checked for averages, sums and the data of
    one person, for every test that is constant between the ends of the answers.
    """
    every, best = [], []
    for each in answers:
        ends = sorted({*itertools.chain(*each.one.parts), *itertools.chain(*each.other.parts)})
        right = [length for length, _ in enumerate_interval_tests(each.one, each.other, ends)]
        every += [at_most(length, each.difference, each) for length in right]
        best.append(equal(max(right), each.difference, each))
    return all_of(for_all(every), for_all(best))


@paper.adds("Definition 5, for continuous answers", over=answers)
def def5_reveals(answers: list[Answers]) -> Finding:
    """The data of one person, released as they are, are epsilon-indistinguishable for every epsilon
    by Equation 12, because two single answers differ by a set of measure zero; and each answer
    proves the data.
    """
    single = [each for each in answers if each[:3] == ("one height", 100, "cm")]
    found = {
        "largest difference": max(each.difference for each in single),
        "proves": max(each.proving_share for each in single),
    }
    return equals(found, {"largest difference": 0, "proves": 1})


@paper.adds("Definition 5, for continuous answers", over=answers)
def def5_units(answers: list[Answers]) -> Finding:
    """The least epsilon of Equation 12 is log 100 = 4.605 larger for answers in centimetres than
    for the same answers in metres; the average height of four people, not quantized, is
    epsilon-indistinguishable in metres for every epsilon > 0.
    """
    largest: dict[tuple[str, int, str], Fraction] = {}
    for each in answers:
        key = each.query, each.people, each.unit
        largest[key] = max(largest.get(key, Fraction(0)), each.difference)
    more = {
        f"{query} of {people}": math.log(length) - math.log(largest[query, people, "m"])
        for (query, people, unit), length in largest.items()
        if unit == "cm" and query != "one height"
    }
    return equals(more, 4.60517, within=Margin(0.00001, "five decimals"))


# Theorem 5 --------------------------------------------------------------------------------------

_PEOPLE = (2, 3, 4)
_BUDGETS_BITS = (1, 2, 3, 4)
_MAX_COEFFICIENT = 99  # of a random query


@universe(
    smoke={"largest_coefficient": 3, "random_people": (8,), "random_queries": 10},
    paper={"largest_coefficient": 4, "random_people": (8, 16), "random_queries": 50},
    least={"largest_coefficient": 1, "random_queries": 1},
)
def linear_queries(
    largest_coefficient: int, random_people: Sequence[int], random_queries: int, seed: int
) -> list[tuple[int, ...]]:
    """List linear queries by their coefficients: all small ones of up to four people, random ones.

    (Signs change nothing: they mirror a coordinate.)
    """
    coefficients = range(1, largest_coefficient + 1)
    found = [
        each
        for people in _PEOPLE
        for each in itertools.combinations_with_replacement(coefficients, people)
    ]
    for people in random_people:
        random = make_generator(seed, "linear queries", people)
        drawn = random.integers(1, _MAX_COEFFICIENT, (random_queries, people), endpoint=True)
        found += map(tuple, drawn.tolist())
    return found


@universe()
def searched() -> dict[tuple[int, int, int], dict[Fraction, int]]:
    """Find the most reports that differ, by levels, part and parts, and by how far a bin is moved.

    One person's share of the range is part/parts.  With the person's data fixed, the output is an
    interval that begins at a point of a lattice, which is fine enough to hit every edge of a bin
    and every gap between edges.  Reports are listed one by one.
    """
    return {
        (levels, part, parts): _search_differing_reports(levels, part, parts)
        for parts in range(1, 7)
        for levels in range(1, 10)
        for part in range(1, parts + 1)
    }


def _search_differing_reports(levels: int, part: int, parts: int) -> dict[Fraction, int]:
    # The step of the lattice is half of 1/parts of a bin, so that the edges of bins, both ends of
    # the output and the middles between them lie on it.
    bin_steps, moves = 2 * parts, 2 * levels * part
    points = np.arange(2 * levels * parts + 1)
    reports = np.minimum(points // bin_steps, levels - 1)  # the last bin is closed
    length = 2 * levels * (parts - part)
    is_reported = np.zeros((moves + 1, levels), dtype=bool)
    for start in range(moves + 1):
        is_reported[start, reports[start : start + length + 1]] = True
    return {
        Fraction(moved, bin_steps): int(
            (is_reported[moved:] ^ is_reported[: moves + 1 - moved]).sum(axis=1).max()
        )
        for moved in range(moves + 1)
    }


@paper.states(
    "Theorem 5",
    "Then Q o f with q-level quantizer Q is epsilon-indistinguishable if q <= max{1, "
    "w/(||c||_inf (x_max - x_min)) (2^(epsilon - 1) - 1)}, with w := max over x in "
    "[x_min, x_max]^n of c^T x - min over x in [x_min, x_max]^n of c^T x.",
    over=(linear_queries, searched),
)
def thm5(
    linear_queries: list[tuple[int, ...]], searched: dict[tuple[int, int, int], dict[Fraction, int]]
) -> Finding:
    """A quantized linear query is epsilon-indistinguishable if q is at most max(1, (2^(epsilon - 1)
    - 1) times the range of the query over one person's largest part). Checked for every query of up
    to four people with small whole coefficients, and for random ones of more people. The count of
    the reports that differ is itself checked, against a search over positions.
    """
    printed = []
    for query, eps in itertools.product(linear_queries, _BUDGETS_BITS):
        levels = max(1, math.floor((2 ** (eps - 1) - 1) * Fraction(sum(query), max(query))))
        for each in set(query):
            differ = count_differing_reports(levels, Fraction(each, sum(query)))
            case = {"coefficients": query, "epsilon": eps, "levels": levels, "part of": each}
            printed.append(at_most(differ, 2**eps, case))
    count = [
        equal(count_differing_reports(levels, Fraction(part, parts)), max(found.values()), case)
        for (levels, part, parts), found in searched.items()
        for case in [{"levels": levels, "part of the range": Fraction(part, parts)}]
    ]
    return all_of(for_all(printed, sharper=lambda most: Fraction(most) / 2), for_all(count))


@paper.states(
    "Example 4",
    "For the averaging query f(x) = (x_1 + ... + x_n)/n, Q o f with q-level quantizer Q"
    " is epsilon indistinguishable if q <= max{1, n (2^(epsilon - 1) - 1)}.",
    over=averages,
)
def ex4(averages: pd.DataFrame) -> Finding:
    """The average of n people is epsilon-indistinguishable for q <= max(1, n (2^(epsilon - 1) -
    1)). (It is for every q up to n (2^(epsilon - 1) + 1) - 1, and for no q above.)
    """
    return _bound_excess(averages, "excess_printed")


def _bound_excess(averages: pd.DataFrame, statistic: str) -> Finding:
    """State that no excess is positive, and that it is with one level more than is exact."""
    found = averages.set_index(["people", "epsilon_bits"])
    fails = int((found["excess_one_more"] > 0).sum())
    return bounded(found[statistic], at_most=0, sharp=fails, sharp_wanted=len(found))


@paper.adds("Example 4, the levels that are exact", over=averages)
def ex4_exact(averages: pd.DataFrame) -> Finding:
    """The average of n people is epsilon-indistinguishable for q = n (2^(epsilon - 1) + 1) - 1
    levels, and for no more; with one level more some two values leave too many reports apart.
    """
    return _bound_excess(averages, "excess_exact")


def _select_curves(averages: pd.DataFrame, statistic: str, along: str) -> Iterator[pd.Series]:
    """Select the curves of a statistic along budgets, or along people for budgets of 2 and more."""
    other = "people" if along == "epsilon_bits" else "epsilon_bits"
    chosen = averages[averages["epsilon_bits"] >= 2] if along == "people" else averages
    for _, group in chosen.groupby(other):
        yield group.set_index(along)[statistic]


@paper.states(
    "Fig. 7",
    "Figure 7 illustrates the number of the quantization levels versus epsilon.",
    figure="nsht/fig7",
    over=averages,
)
def fig7_epsilon(averages: pd.DataFrame) -> Finding:
    """The number of levels grows with epsilon."""
    return rises(*_select_curves(averages, "levels_printed", "epsilon_bits"))


@paper.states(
    "Fig. 7",
    "For larger n, the quantizer resolution can be significantly higher for the same level of "
    "privacy.",
    figure="nsht/fig7",
    over=averages,
)
def fig7_people(averages: pd.DataFrame) -> Finding:
    """For more people the quantizer can be finer, from epsilon = 2 on (at 1 all have one level)."""
    return rises(*_select_curves(averages, "levels_printed", "people"))


@paper.states(
    "Fig. 8",
    "Clearly, as expected, the information leakage reduces significantly by decreasing epsilon "
    "or by increasing n.",
    figure="nsht/fig8",
    over=averages,
)
def fig8_epsilon(averages: pd.DataFrame) -> Finding:
    """The leakage L0(X;Y) falls as epsilon falls."""
    return rises(*_select_curves(averages, "leakage_nats", "epsilon_bits"))


@paper.states(
    "Fig. 8",
    fig8_epsilon.quote,
    figure="nsht/fig8",
    over=averages,
    of=fig8_epsilon,
)
def fig8_people(averages: pd.DataFrame) -> Finding:
    """The leakage L0(X;Y) falls as the number of people grows."""
    return falls(*_select_curves(averages, "leakage_nats", "people"))


@corrects(
    fig8_people,
    fails="with q = n (2^(ε-1) - 1) levels the lowest report leaves s^n/n! of the data "
    "sets open, s = 1/(2^(ε-1) - 1): L0 = log n! - n log s grows with n, per "
    "person, too; for ε = 1 nothing leaks",
    mend="it rises with n for ε ≥ 2; of a single person log(2^(ε-1) - 1), whatever n is",
    rests="nothing",
    proof="figure-8",
)
def fig8_people_rises(averages: pd.DataFrame) -> Finding:
    """L0(X;Y) rises with the number of people for every epsilon of 2 or more."""
    return rises(*_select_curves(averages, "leakage_nats", "people"))


@corrects(
    fig8_people,
    reading="the leakage of one person, L0(Xi;Y), which does not fall either, but is the "
    "same for every number of people",
)
def fig8_one_person(averages: pd.DataFrame) -> Finding:
    """It is log(2^(epsilon - 1) - 1) for every number of people, and does not fall either."""
    return rises(*_select_curves(averages, "leakage_of_one_nats", "people"), strictly=False)
