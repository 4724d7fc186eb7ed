"""Binary hypotheses seen through reports, on finite ranges (``nsht``, Sections 2, 3 and 5).

An uncertain variable is a map on a finite set of outcomes; its range is the set of its values.
Sizes are integers and ratios are :class:`fractions.Fraction`, so that an inequality which is tight
is tight here, too.  Logarithms are left to the reader: a bound on ``log a`` is a bound on ``a``.
"""

import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from noiseless.seeds import draw_different, make_generator
from noiseless.theory.enumeration import enumerate_maps
from noiseless.theory.intervals import IntervalUnion

# Report of each outcome, and whether p0 holds there.
Policy = tuple[tuple[int, ...], tuple[bool, ...]]


@dataclass(frozen=True)
class ReportRanges:
    """Conditional ranges [Y|p0] and [Y|p1] of the reports, neither of them empty."""

    p0: frozenset[Hashable]
    p1: frozenset[Hashable]

    @classmethod
    def from_outcomes(
        cls, reports: Sequence[Hashable], hypotheses: Iterable[bool]
    ) -> "ReportRanges":
        """Create the ranges from each outcome's report and hypothesis (True: p0); both occur."""
        by_hypothesis: dict[bool, set[Hashable]] = {True: set(), False: set()}
        for report, is_p0 in zip(reports, hypotheses, strict=True):
            by_hypothesis[is_p0].add(report)
        if not all(by_hypothesis.values()):
            raise ValueError("each hypothesis needs at least one outcome")
        return cls(p0=frozenset(by_hypothesis[True]), p1=frozenset(by_hypothesis[False]))

    @property
    def exp_privacy(self) -> Fraction | None:
        """``exp Priv`` of Equation 10: all reports over those that reveal the hypothesis.

        None where no report is certain (infinite privacy).
        """
        decided = len(self.p0 ^ self.p1)
        return Fraction(len(self.p0 | self.p1), decided) if decided else None

    @property
    def exp_leakage(self) -> Fraction:
        """``exp L0(Y; H)`` of Equation 5: all reports over those of the smaller hypothesis."""
        return Fraction(len(self.p0 | self.p1), min(len(self.p0), len(self.p1)))


def enumerate_policies(outcomes: int) -> Iterator[Policy]:
    """Enumerate maps from outcomes to reports, up to names, with every binary hypothesis."""
    for reports in enumerate_maps(outcomes):
        for hypotheses in itertools.product((True, False), repeat=outcomes):
            if len(set(hypotheses)) == 2:
                yield reports, hypotheses


def draw_policies(outcomes: int, count: int, *, reports: int, seed: int) -> Iterator[Policy]:
    """Draw different random maps from outcomes to reports, each with a random binary hypothesis."""
    random = make_generator(seed, "policies", outcomes, reports)

    def draw() -> Policy:
        """Draw a map and a hypothesis."""
        chosen = random.integers(0, random.integers(1, reports, endpoint=True), outcomes)
        # The number of outcomes of p0 is uniform: if one side is rare, more reports are certain.
        order = random.permutation(outcomes)
        hypotheses = order < random.integers(1, outcomes)
        return tuple(chosen.tolist()), tuple(hypotheses.tolist())

    yield from draw_different(draw, count)


def find_correct_reports(
    reports: Sequence[Hashable], hypotheses: Sequence[bool], test: Mapping[Hashable, bool]
) -> frozenset[Hashable]:
    """Find the reports whose outcomes all agree with a test (Definition 1); True stands for p0."""
    outcomes = list(zip(reports, hypotheses, strict=True))
    return frozenset(
        report for report in test if {h for r, h in outcomes if r == report} == {test[report]}
    )


def enumerate_tests(reports: Iterable[Hashable]) -> Iterator[dict[Hashable, bool]]:
    """Enumerate all tests on the given reports, as mappings of report to bool."""
    distinct = sorted(set(reports), key=repr)
    for answers in itertools.product((True, False), repeat=len(distinct)):
        yield dict(zip(distinct, answers, strict=True))


def is_consistent(test: Mapping[Hashable, bool], ranges: ReportRanges) -> bool:
    """Return whether a test answers p0 only in [Y|p0] and p1 only in [Y|p1] (Definition 2)."""
    return all(report in (ranges.p0 if is_p0 else ranges.p1) for report, is_p0 in test.items())


def enumerate_interval_tests(
    p0: IntervalUnion, p1: IntervalUnion, ends: Sequence[Fraction]
) -> Iterator[tuple[Fraction, bool]]:
    """Enumerate all tests of reports on a line that are constant between some ascending ends.

    The ends of all intervals of both ranges, [Y|p0] and [Y|p1], are among them.  Yields the length
    of the reports at which a test is correct (Definition 1), and whether it is consistent
    (Definition 2); nothing is asked where nothing is reported.
    """
    ranges = ((True, p0), (False, p1))
    pieces = []
    for low, high in itertools.pairwise(ends):
        middle = (low + high) / 2
        possible = {is_p0 for is_p0, each in ranges if any(a <= middle <= b for a, b in each.parts)}
        pieces.append((high - low, possible))
    for test in itertools.product((True, False), repeat=len(pieces)):
        answered = list(zip(pieces, test, strict=True))
        right = (length for (length, possible), answer in answered if possible == {answer})
        yield (
            sum(right, Fraction(0)),
            all(answer in possible for (_, possible), answer in answered if possible),
        )


def exceeds_printed_leakage_bound(
    exp_leakage: Fraction, epsilon: Fraction, shift: int = 0, *, factor: Fraction = Fraction(1)
) -> bool:
    """Return whether a leakage exceeds ``-log(1 - exp(-epsilon - shift))``, without rounding.

    ``shift`` is 0 for Proposition 1 as stated, and 1 for its proof in Appendix 13.  ``factor`` is
    ``exp`` of a part of the budget that is the logarithm of a fraction, and not in ``epsilon``.
    """
    # L > 1 / (1 - exp(-e))  <=>  exp(e) (1 - 1/L) > 1.  The exponential is enclosed by its series,
    # with as many terms as it takes to decide; it never equals a rational number for e != 0.
    remainder = factor * (1 - 1 / exp_leakage)
    terms = 8
    while True:
        low, high = _bound_exponential(epsilon + shift, terms)
        if low * remainder > 1:
            return True
        if high * remainder <= 1:
            return False
        terms *= 2


def _bound_exponential(x: Fraction, terms: int) -> tuple[Fraction, Fraction]:
    """Bound exp(x), x > 0, by fractions from ``terms`` (more than x) terms of its series."""
    terms = max(terms, int(x) + 2)
    total = term = Fraction(1)
    for k in range(1, terms):
        term = term * x / k
        total += term
    # The remaining terms fall at least as fast as a geometric series of ratio x / terms < 1.
    tail = term * (x / terms) / (1 - x / terms)
    return total, total + tail
