"""Section 3: precision and recall of the best adversary."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.papers.prrelation import paper
from noiseless.papers.prrelation.testing import (
    Shares,
    compute_min_false_alarm,
    enumerate_correlated_cases,
    enumerate_independent_cases,
)
from noiseless.statements import Finding, at_most, for_all, holds, universe

_DENOMINATOR = 12  # of rates
_ODDS = (Fraction(1, 2), Fraction(1), Fraction(3))  # against the value that is looked for


@dataclass(frozen=True)
class Pair:
    """Two pairs of rates with the same recall, and their precisions."""

    recall: Fraction
    odds: Fraction
    alarms: tuple[Fraction, Fraction]

    def list_numbers(self) -> Mapping[str, Any]:
        """List recall, odds and both false alarm rates."""
        return {"recall": self.recall, "odds": self.odds, "false alarm rates": self.alarms}

    @property
    def precision(self) -> Fraction:
        """Precision at the smaller false alarm rate."""
        return self.recall / (self.recall + self.odds * self.alarms[0])

    @property
    def other(self) -> Fraction:
        """Precision at the larger false alarm rate."""
        return self.recall / (self.recall + self.odds * self.alarms[1])


@universe()
def rate_pairs() -> list[Pair]:
    """List the pairs of twelfths with the same recall, at three odds.

    Without a detection there is no alarm either, so that there is one pair alone.
    """
    n = _DENOMINATOR
    return [
        Pair(Fraction(caught, n), odds, (Fraction(one, n), Fraction(other, n)))
        for odds in _ODDS
        for caught in range(1, n + 1)
        for one, other in itertools.combinations(range(caught + 1), 2)
    ]


@dataclass(frozen=True)
class Comparison:
    """A test of a mechanism's output, and the likelihood-ratio test of the same recall."""

    present: Shares
    absent: Shares
    odds: Fraction
    test: tuple[Fraction, ...]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the probabilities of the outputs and the test."""
        return {
            "outputs' probabilities under h1": self.present,
            "and under h0": self.absent,
            "odds against h1": self.odds,
            "shares of each output that the test accepts": self.test,
        }

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """Recall and false alarm rate of the test."""
        recall, false_alarm = (
            sum((p * share for p, share in zip(shares, self.test, strict=True)), Fraction(0))
            for shares in (self.present, self.absent)
        )
        return recall, false_alarm

    @property
    def precision(self) -> Fraction:
        """Precision of the test."""
        recall, false_alarm = self.rates
        return recall / (recall + self.odds * false_alarm)

    @property
    def best(self) -> Fraction:
        """Precision of the likelihood-ratio test of the same recall."""
        recall, _ = self.rates
        least = compute_min_false_alarm(recall, self.present, self.absent)
        return recall / (recall + self.odds * least)


@universe(
    smoke={"outputs": 3, "parts": 7, "prior_parts": 5, "mechanism_parts": 4},
    least={"outputs": 2, "parts": 3, "prior_parts": 4, "mechanism_parts": 3},
)
def tests(
    outputs: int, parts: int, prior_parts: int, mechanism_parts: int
) -> dict[str, list[Comparison]]:
    """List all tests of all small mechanisms, which accept an output with probability 0, 1/2 or 1.

    Probabilities are positive multiples of 1/parts, or, for correlated records, of 1/prior_parts
    and of 1/mechanism_parts.
    """
    independent = enumerate_independent_cases(outputs, parts)
    correlated = enumerate_correlated_cases(outputs, prior_parts, mechanism_parts)
    return {
        "independent": list(_list_tests(independent)),
        "correlated": list(_list_tests(correlated)),
    }


def _list_tests(cases: Iterator[tuple[Shares, Shares, Fraction]]) -> Iterator[Comparison]:
    halves = (Fraction(0), Fraction(1, 2), Fraction(1))
    for absent, present, odds in cases:
        for test in itertools.product(halves, repeat=len(present)):
            if any(test):
                yield Comparison(present, absent, odds, test)


@paper.states(
    "Theorem 1",
    "For any query Q : D -> R^q, the Laplace perturbation mechanism, denoted by A, and any database"
    " D in D, A(D) = Q(D) + (n_1, ..., n_q) achieves epsilon-differential privacy, where n_i "
    "are i.i.d random variables drawn from the Laplace distribution with a parameter b = Delta "
    "Q/epsilon, denoted by Lap(b), that is Pr[n_i = z] ~ (epsilon/(2 Delta Q)) exp(-epsilon "
    "|z|/Delta Q).",
    says="Laplace noise of scale ΔQ/ε on each number is ε-private.",
)
def thm1() -> Finding:
    """No answer has a likelihood ratio of more than e^epsilon.

    Checked as logarithms over epsilon, for two numbers that change by up to four quarters of Delta
    Q together, and answers of quarters.
    """
    moves = [each for each in itertools.product(range(-4, 5), repeat=2) if sum(map(abs, each)) <= 4]
    answers = itertools.product(range(-6, 7), repeat=2)
    return for_all(
        at_most(
            Fraction(sum(abs(o) - abs(o - m) for o, m in zip(answer, move, strict=True)), 4),
            1,
            {"answer": answer, "change": move},
        )
        for answer in answers
        for move in moves
    )


@paper.states(
    "Section 3, the PR-relation",
    "PR-relation quantifies the actual detection accuracy of the adversary, which has a "
    "one-to-one correspondence with the false alarm rate P_FA and the missed detection rate"
    " 1 - P_TD [30].",
    says="The PR-relation has a one-to-one correspondence with false alarm and missed "
    "detection rate.",
    over=rate_pairs,
)
def sec3_one_to_one(rate_pairs: list[Pair]) -> Finding:
    """Precision and recall tell the false alarm rate and the detection rate, and the reverse.

    Checked for all pairs of twelfths of which the false alarm rate is not the larger, at three
    odds: two with the same recall have different precisions.
    """
    return for_all(holds(each.precision != each.other, each) for each in rate_pairs)


@paper.states(
    "Theorem 2",
    "The Neyman-Pearson criterion characterizes the optimal adversary that can achieve the "
    "best PR-relation.",
    says="The Neyman-Pearson criterion is the optimal adversary: no test is more precise at "
    "the same recall.",
    over=tests,
)
def thm2(tests: dict[str, list[Comparison]]) -> Finding:
    """No test is more precise than the likelihood-ratio test of the same recall, which may toss
    a coin about one output. Checked for all tests of all small mechanisms of a lattice, in
    exact fractions.
    """
    return for_all(at_most(each.precision, each.best, each) for each in tests["independent"])


@paper.states(
    "Corollary 1",
    "The optimality of Neyman-Pearson criterion given in Theorem 2 holds for correlated"
    " records in the database.",
    says="So it is for correlated records.",
    over=tests,
)
def cor1(tests: dict[str, list[Comparison]]) -> Finding:
    """The same holds for correlated records, where the others are drawn given the one that is
    tested. Checked likewise, on all joint distributions of two records of a lattice.
    """
    return for_all(at_most(each.precision, each.best, each) for each in tests["correlated"])
