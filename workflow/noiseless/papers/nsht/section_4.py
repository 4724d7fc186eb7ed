"""Section 4: hypothesis tests with probabilities, against those without."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import numpy as np

from noiseless.arrays import Ints
from noiseless.papers.nsht import paper
from noiseless.seeds import draw_different, make_generator
from noiseless.statements import Finding, Kind, at_most, corrects, for_all, rises, universe

_PRIORS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
Weights = tuple[int, ...]


@dataclass(frozen=True)
class Densities:
    """Two densities on [0, 1], as the weights of equal cells, and the best test of them."""

    p0: Weights
    p1: Weights

    def list_numbers(self) -> Mapping[str, Any]:
        """List the weights of equal cells under each hypothesis."""
        return {"weights of equal cells under p0": self.p0, "under p1": self.p1}

    @cached_property
    def totals(self) -> tuple[int, int]:
        """Sums of the weights."""
        return sum(self.p0), sum(self.p1)

    @cached_property
    def floor(self) -> Fraction:
        """Epsilon: the least density where it is not zero."""
        cells = len(self.p0)
        return min(
            Fraction(weight * cells, total)
            for weights, total in zip((self.p0, self.p1), self.totals, strict=True)
            for weight in weights
            if weight
        )

    @cached_property
    def apart(self) -> Fraction:
        """The share of [0, 1] on which one density is zero and the other is not."""
        differing = sum((a > 0) != (b > 0) for a, b in zip(self.p0, self.p1, strict=True))
        return Fraction(differing, len(self.p0))

    @property
    def integrals(self) -> list[Fraction]:
        """Half of the integrals of |p0 - p1| where p0 alone is positive, p1 alone, and both."""
        shares = [[Fraction(w, sum(each)) for w in each] for each in (self.p0, self.p1)]
        pairs = list(zip(*shares, strict=True))
        return [
            sum((abs(a - b) / 2 for a, b in pairs if (a > 0, b > 0) == where), Fraction(0))
            for where in ((True, False), (False, True), (True, True))
        ]

    @cached_property
    def variation(self) -> Fraction:
        """The total variation distance nu."""
        total0, total1 = self.totals
        pairs = zip(self.p0, self.p1, strict=True)
        return Fraction(sum(abs(a * total1 - b * total0) for a, b in pairs), 2 * total0 * total1)

    @cached_property
    def right(self) -> tuple[Ints, Ints]:
        """Each test's probability to be right under p0 and p1, in units of 1/(total0 total1)."""
        (total0, total1), tests = self.totals, _enumerate_tests(len(self.p0))
        return tests @ np.array(self.p0) * total1, (1 - tests) @ np.array(self.p1) * total0

    def find_success(self, prior: Fraction) -> Fraction:
        """Find the best test's probability to be right, by trying all tests."""
        right0, right1 = self.right
        weights = prior.numerator * right0 + (prior.denominator - prior.numerator) * right1
        return Fraction(int(weights.max()), prior.denominator * self.totals[0] * self.totals[1])

    @cached_property
    def success(self) -> dict[Fraction, Fraction]:
        """The best test's probability to be right, by prior."""
        return {prior: self.find_success(prior) for prior in _PRIORS}

    @cached_property
    def least_errors(self) -> Fraction:
        """The least sum of the two errors' probabilities."""
        right0, right1 = self.right
        return 2 - Fraction(int((right0 + right1).max()), self.totals[0] * self.totals[1])


@cache
def _enumerate_tests(cells: int) -> Ints:
    """Enumerate all tests on cells, a row each: 1 for p0, 0 for p1."""
    return np.array(list(itertools.product((1, 0), repeat=cells)), dtype=np.int64)


@universe(
    smoke={"cells": (2, 3), "random": (6,), "pairs": 200},
    paper={"cells": (2, 3, 4), "random": (6, 8, 10), "pairs": 1000},
    least={"pairs": 1},
)
def densities(
    cells: Sequence[int], random: Sequence[int], pairs: int, seed: int
) -> list[Densities]:
    """List all pairs of densities with weights 0, 1, 2 on a few cells, and random ones on more."""
    found: list[Densities] = []
    for count in cells:
        weights = [each for each in itertools.product((0, 1, 2), repeat=count) if any(each)]
        found += itertools.starmap(Densities, itertools.product(weights, weights))
    for count in random:
        found += _draw_densities(count, pairs, seed)
    return found


def _draw_densities(count: int, pairs: int, seed: int) -> Iterator[Densities]:
    """Draw different pairs of densities: level to uneven, with disjoint to equal supports."""
    random = make_generator(seed, "densities", count)

    def draw() -> tuple[Weights, Weights]:
        """Draw a pair."""
        largest, common = random.integers(1, 10), random.random()
        weights = random.integers(1, largest, (2, count), endpoint=True)
        of_p0 = random.random(count) < 0.5
        of_both = random.random(count) < common
        first, second = random.choice(count, 2, replace=False)
        of_p0[[first, second]] = True, False  # neither density is zero everywhere
        weights *= np.stack([of_p0 | of_both, ~of_p0 | of_both])
        return tuple(weights[0].tolist()), tuple(weights[1].tolist())

    yield from itertools.starmap(Densities, draw_different(draw, pairs))


@paper.states(
    "Theorem 3",
    "Then. sup P{^H = H} >= (epsilon/2) mu([[Y|p0]] symmetric difference [[Y|p1]]), "
    "where p_(^H|Y) is the conditional probability density of ^H given Y.",
    over=densities,
)
def thm3(densities: list[Densities]) -> Finding:
    """The best stochastic test is right with a probability of at least half of epsilon times the
    size of the reports of one hypothesis alone. Checked for all pairs of densities on small grids,
    and random ones on larger, with priors 1/4, 1/2 and 3/4.
    """
    return for_all(
        at_most(each.floor * each.apart / 2, each.success[prior], each)
        for each in densities
        for prior in _PRIORS
    )


@universe()
def best_rates() -> dict[Fraction, dict[str, Fraction]]:
    """Find the smallest of the best tests' rates, by the size of what one hypothesis alone allows.

    All pairs of densities with weights 0, 1, 2 on four cells; they are above 1/2 where not zero.
    """
    tests = list(itertools.product((True, False), repeat=4))  # True is the answer p1
    weights = [each for each in itertools.product((0, 1, 2), repeat=4) if any(each)]
    says_p1 = {
        each: [Fraction(sum(itertools.compress(each, test)), sum(each)) for test in tests]
        for each in weights
    }
    found: dict[Fraction, dict[str, Fraction]] = {}
    for p0, p1 in itertools.product(weights, repeat=2):
        pairs = list(zip(says_p1[p0], says_p1[p1], strict=True))
        best = {
            "right": max(1 - false + true for false, true in pairs) / 2,
            "true positive": max(true for _, true in pairs),
        }
        least = found.setdefault(Densities(p0, p1).apart, best)
        least.update({name: min(least[name], best[name]) for name in best})
    return found


@paper.states(
    "Section 4, after Theorem 3",
    "Theorem 3 shows that the lower bound on the best achievable true positive rate in the "
    "stochastic hypothesis testing scales with mu([[Y|p0]] symmetric difference [[Y|p1]]).",
    reading="the true positive rate is the probability that a test says p1 where p1 is so, as in "
    "the traditional hypothesis testing that Section 3 refers to",
    over=best_rates,
)
def sec4_rate(best_rates: dict[Fraction, dict[str, Fraction]]) -> Finding:
    """The best true positive rate that is sure to be achievable grows with the size of the reports
    of one hypothesis alone. Checked by trying every test on every pair of densities on four cells
    that are above 1/2 where they are not zero, as the least best rate over these pairs.
    """
    return rises({size: each["true positive"] for size, each in best_rates.items()})


@corrects(
    sec4_rate,
    Kind.READING,
    fails="the test that always says p1 has a true positive rate of 1",
    mend="P{H^ = H}, as Theorem 3 has it",
    true_if='"true positive rate" is the probability of a right answer',
    rests="nothing",
    proof="single-sentences",
)
def sec4_rate_of_right_answers(best_rates: dict[Fraction, dict[str, Fraction]]) -> Finding:
    """The lower bound of Theorem 3 is on P{^H = H}, a right answer for either hypothesis."""
    return rises({size: each["right"] for size, each in best_rates.items()})


@paper.states(
    "Section 4, after Theorem 3",
    sec4_rate.quote,
    reading="the rate is P{^H = H}, the probability of a right answer, which Theorem 3 bounds",
    over=best_rates,
    of=sec4_rate,
)
def sec4_rate_right(best_rates: dict[Fraction, dict[str, Fraction]]) -> Finding:
    """The best probability of a right answer that is sure to be achievable grows with the size of
    the reports of one hypothesis alone. Checked as in the other reading, with equal priors.
    """
    return rises({size: each["right"] for size, each in best_rates.items()})
