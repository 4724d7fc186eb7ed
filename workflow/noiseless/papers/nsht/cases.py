"""The cases that several sections look at: policies with their tests, and densities."""

import itertools
import operator
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from noiseless.statements import universe
from noiseless.theory.enumeration import Conditioned, enumerate_relations, list_conditioned
from noiseless.theory.hypotheses import (
    ReportRanges,
    draw_policies,
    enumerate_interval_tests,
    enumerate_policies,
    enumerate_tests,
    exceeds_printed_leakage_bound,
    find_correct_reports,
    is_consistent,
)
from noiseless.theory.intervals import IntervalUnion

_ENDS = (Fraction(0), Fraction(1), Fraction(3), Fraction(9, 2))  # of intervals of reports
_REPORTS = 6  # of a random policy, whose 2^6 tests are all tried


@universe()
def conditioned() -> list[Conditioned]:
    """List the joint ranges of two or three values of X and of Y, and sets of values of Y."""
    sizes = itertools.product((2, 3), repeat=2)
    every = (each for xs, ys in sizes for each in enumerate_relations(xs, ys))
    return list_conditioned(every, most=3)


class Test(NamedTuple):
    """A test of the reports of a policy, and how it does."""

    correct: frozenset[Hashable]
    is_consistent: bool
    errors: int


@dataclass(frozen=True)
class Policy:
    """A report and a hypothesis (True: p0) for each outcome, with every test of the reports."""

    reports: tuple[int, ...]
    hypotheses: tuple[bool, ...]

    def list_numbers(self) -> Mapping[str, Any]:
        """List report and hypothesis of each outcome."""
        hypotheses = ["p0" if is_p0 else "p1" for is_p0 in self.hypotheses]
        return {"reports of the outcomes": self.reports, "their hypotheses": hypotheses}

    @cached_property
    def ranges(self) -> ReportRanges:
        """The reports under each hypothesis."""
        return ReportRanges.from_outcomes(self.reports, self.hypotheses)

    @cached_property
    def proving(self) -> frozenset[Hashable]:
        """The reports that only one hypothesis allows."""
        return self.ranges.p0 ^ self.ranges.p1

    @cached_property
    def observed(self) -> dict[Hashable, set[bool]]:
        """The hypotheses of the data behind each report."""
        found: dict[Hashable, set[bool]] = {}
        for report, is_p0 in zip(self.reports, self.hypotheses, strict=True):
            found.setdefault(report, set()).add(is_p0)
        return found

    @cached_property
    def tests(self) -> list[Test]:
        """Every test of the reports."""
        return [
            Test(
                find_correct_reports(self.reports, self.hypotheses, test),
                is_consistent(test, self.ranges),
                sum(self.observed[report] != {answer} for report, answer in test.items()),
            )
            for test in enumerate_tests(self.reports)
        ]

    @cached_property
    def most_correct(self) -> int:
        """The largest number of reports at which a test is correct."""
        return max(len(test.correct) for test in self.tests)


@universe(
    smoke={"largest": 4, "random": (8,), "maps": 100},
    paper={"largest": 5, "random": (8, 12, 16), "maps": 1000},
    least={"maps": 1},
)
def policies(largest: int, random: Sequence[int], maps: int, seed: int) -> list[Policy]:
    """List all policies of 2 to ``largest`` outcomes, and random ones of more."""
    return [Policy(*each) for each in _list_policies(largest, random, maps, seed, reports=_REPORTS)]


def _list_policies(
    largest: int, random: Sequence[int], maps: int, seed: int, reports: int = 0
) -> Iterator[tuple[tuple[int, ...], tuple[bool, ...]]]:
    for outcomes in range(2, largest + 1):
        yield from enumerate_policies(outcomes)
    for outcomes in random:
        yield from draw_policies(outcomes, maps, reports=reports or outcomes, seed=seed)


@dataclass(frozen=True)
class IntervalPolicy:
    """A policy whose reports are intervals, and (length of correct reports, consistent) by test."""

    p0: IntervalUnion
    p1: IntervalUnion
    tests: list[tuple[Fraction, bool]]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the intervals that are reported under each hypothesis."""
        return {
            "reports under p0": _format_union(self.p0),
            "reports under p1": _format_union(self.p1),
        }

    @cached_property
    def proving(self) -> Fraction:
        """Length of the reports that only one hypothesis allows."""
        return (self.p0 ^ self.p1).measure

    @cached_property
    def most_correct(self) -> Fraction:
        """The largest length of reports at which a test is correct."""
        return max(correct for correct, _ in self.tests)


def _format_union(union: IntervalUnion) -> str:
    return " and ".join(f"[{low}, {high}]" for low, high in union.parts)


@universe()
def interval_policies() -> list[IntervalPolicy]:
    """List the policies of two or three pieces of data, each to an interval and a hypothesis.

    Ends of intervals are 0, 1, 3 and 4.5; every test is tried that is constant between these.
    """
    found = []
    for pieces in (2, 3):
        for chosen in itertools.product(itertools.combinations(_ENDS, 2), repeat=pieces):
            for sides in itertools.product((True, False), repeat=pieces):
                if len(set(sides)) == 2:
                    others = map(operator.not_, sides)
                    p0, p1 = (
                        IntervalUnion.from_intervals(*itertools.compress(chosen, each))
                        for each in (sides, others)
                    )
                    tests = list(enumerate_interval_tests(p0, p1, _ENDS))
                    found.append(IntervalPolicy(p0, p1, tests))
    return found


@dataclass(frozen=True)
class Leak:
    """Policies of the same leakage and privacy: how many there are, and the first of them."""

    exp_leakage: Fraction
    exp_privacy: Fraction
    times: int
    policy: Policy

    def list_numbers(self) -> Mapping[str, Any]:
        """List the first policy, its leakage and its privacy."""
        measures = {"exp L0(Y;H)": self.exp_leakage, "exp Priv": self.exp_privacy}
        return {**self.policy.list_numbers(), **measures}

    def keeps(self, epsilon: Fraction, shift: int = 0, *, factor: Fraction = Fraction(1)) -> bool:
        """Whether L0(Y;H) <= -log(1 - exp(-epsilon - shift)); ``factor``: exp of more budget."""
        return not exceeds_printed_leakage_bound(self.exp_leakage, epsilon, shift, factor=factor)


@universe(
    smoke={"largest": 5, "random": (12,), "maps": 500},
    paper={"largest": 7, "random": (12, 20), "maps": 5000},
    least={"maps": 1},
)
def leaks(largest: int, random: Sequence[int], maps: int, seed: int) -> list[Leak]:
    """List the policies with a finite, positive privacy, by leakage and privacy."""
    first: dict[tuple[Fraction, Fraction], tuple[tuple[int, ...], tuple[bool, ...]]] = {}
    count: Counter[tuple[Fraction, Fraction]] = Counter()
    for each in _list_policies(largest, random, maps, seed):
        ranges = ReportRanges.from_outcomes(*each)
        if ranges.exp_privacy is not None and ranges.exp_privacy != 1:
            key = ranges.exp_leakage, ranges.exp_privacy
            first.setdefault(key, each)
            count[key] += 1
    return [
        Leak(leakage, privacy, count[leakage, privacy], Policy(*each))
        for (leakage, privacy), each in first.items()
    ]
