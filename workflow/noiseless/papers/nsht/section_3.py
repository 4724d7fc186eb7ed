"""Section 3: hypothesis tests without probabilities."""

import math
from fractions import Fraction

from noiseless.papers.nsht import paper
from noiseless.papers.nsht.cases import IntervalPolicy, Policy, interval_policies, policies
from noiseless.statements import (
    Finding,
    Kind,
    Margin,
    agrees,
    at_most,
    bounded,
    corrects,
    equal,
    equals,
    falls,
    for_all,
)
from noiseless.theory.intervals import IntervalUnion


@paper.states("Theorem 1", "Any consistent test is a solution of (8).", over=policies)
def thm1(policies: list[Policy]) -> Finding:
    """Any consistent test is optimal.

    Checked for every policy, hypothesis and test over small universes, and for every test of random
    policies over larger ones.
    """
    return for_all(
        at_most(policy.most_correct, len(test.correct), policy)
        for policy in policies
        for test in policy.tests
        if test.is_consistent
    )


@paper.states(
    "Theorem 1, for continuous reports",
    thm1.quote,
    over=interval_policies,
    of=thm1,
)
def thm1_continuous(policies: list[IntervalPolicy]) -> Finding:
    """Any consistent test is optimal, where sets of reports are measured by their length.

    Checked for data of two or three pieces, each of which goes to an interval of reports with ends
    0, 1, 3 or 4.5 and to either hypothesis, and for every test that is constant between the ends.
    """
    return for_all(
        at_most(policy.most_correct, correct, policy)
        for policy in policies
        for correct, is_consistent in policy.tests
        if is_consistent
    )


@paper.states(
    "Theorem 2",
    "The performance of any test T in [[H]]^[[Y]] is upper bounded by P(T) < "
    "log_e(mu([[Y|p0]] symmetric difference [[Y|p1]])), if Y is a continuous uncertain "
    "variable or P(T) <= log_2(|[[Y|p0]] symmetric difference [[Y|p1]]|), if Y is a "
    "discrete uncertain variable.",
    over=policies,
)
def thm2(policies: list[Policy]) -> Finding:
    """No test is correct at more reports than those of one hypothesis alone.

    Checked as Theorem 1.
    """
    return for_all(
        at_most(len(test.correct), len(policy.proving), policy)
        for policy in policies
        for test in policy.tests
    )


@paper.states(
    "Theorem 2, for continuous reports",
    thm2.quote,
    reading='"at most", as for discrete reports, in the proof (Equation 15) and in Example 2; our '
    'copy of the text has "less than" here',
    over=interval_policies,
    of=thm2,
)
def thm2_continuous(policies: list[IntervalPolicy]) -> Finding:
    """The length at which a test is correct is at most that of the reports of one hypothesis alone.

    Checked as Theorem 1 for continuous reports.
    """
    return for_all(
        at_most(correct, policy.proving, policy)
        for policy in policies
        for correct, _ in policy.tests
    )


@paper.states(
    "Section 3, after Equation 8",
    "Following this approach, the problem (8) should be reformulated as a minimization instead "
    "of a maximization (as we would want to minimize the measure of error).",
    over=policies,
)
def sec3_errors(policies: list[Policy]) -> Finding:
    """The tests that are correct at most reports are those with fewest errors.

    Checked, as the number of tests of which one is so and the other is not, on the universes of
    Theorem 1.
    """
    return for_all(
        agrees(
            test.errors == min(each.errors for each in policy.tests),
            len(test.correct) == policy.most_correct,
            policy,
        )
        for policy in policies
        for test in policy.tests
    )


@paper.states(
    "Example 2",
    "If we scale the performance by h_0(Y) = log_e(170), we get P(T) - h_0(Y) = "
    "log_e(150) - log_e(170) = -0.1251. Let us imagine another example in which X = "
    "(X_1, X_2) in [100, 250] x [-20, 20] with the interpretation that the magnitude of the "
    "additive measurement uncertainty is twice larger. In this case, we get P(T) - h_0(Y) = "
    "log_e(150) - log_e(190) = -0.2364.",
)
def ex2() -> Finding:
    """With an error of 10 cm the scaled performance is log 150 - log 170 = -0.1251, with 20 cm it
    is log 150 - log 190 = -0.2364.
    """
    return equals(
        {error_cm: _scale_performance(error_cm) for error_cm in (10, 20)},
        {10: -0.1251, 20: -0.2364},
        within=Margin(0.0001, "four decimals; the first is cut off and not rounded"),
    )


@paper.states(
    "Example 2, the magnitude of the error",
    "Hence, by increasing the magnitude of the measurement uncertainty, the confidence of the test "
    "(its performance relative to the total uncertainty) is reduced, which aligns with our "
    "expectation.",
)
def ex2_confidence() -> Finding:
    """The scaled performance falls as the error grows, from 0 to 50 cm."""
    return falls({error_cm: _scale_performance(error_cm) for error_cm in range(0, 51, 5)})


def _scale_performance(error_cm: int) -> float:
    """Compute P(T) - h0(Y) of Example 2 for an error of up to some centimetres."""
    error = IntervalUnion.from_intervals((-error_cm, error_cm))
    short = IntervalUnion.from_intervals((100, 150)) + error
    tall = IntervalUnion.from_intervals((150, 250)) + error
    return math.log((short ^ tall).measure / (short | tall).measure)


def _list_reports(points_per_cm: int) -> tuple[frozenset[Fraction], frozenset[Fraction]]:
    """List the reports (cm) of Example 2 on a grid of heights and errors, under p0 and p1."""
    n = points_per_cm
    errors = range(-10 * n, 10 * n + 1)
    heights = range(100 * n, 250 * n + 1)
    short = {height + error for height in heights if height <= 150 * n for error in errors}
    tall = {height + error for height in heights if height > 150 * n for error in errors}
    p0, p1 = (frozenset(Fraction(each, n) for each in reports) for reports in (short, tall))
    return p0, p1


def _select(points_per_cm: int, low: int, high: int) -> frozenset[Fraction]:
    """Select the points of a grid from ``low`` to ``high`` cm."""
    n = points_per_cm
    return frozenset(Fraction(each, n) for each in range(low * n, high * n + 1))


@paper.states(
    "Example 2, the ranges of the reports",
    "Note that [Y|p0] = {X1 + X2 : 100 <= X1 <= 150, X2 in [-10, 10]} = [90, 160] and [Y|p1] = {X1 "
    "+ X2 : 150 <= X1 <= 250, X2 in [-10, 10]} = [140, 260].",
    reading="equal as sets of numbers",
)
def ex2_interval() -> Finding:
    """[Y|p0] = [90, 160] and [Y|p1] = [140, 260].

    Checked on grids of 1 to 8 points to a cm, as the number of points by which either set differs
    from the printed one.
    """
    off = {}
    for n in (1, 2, 4, 8):
        printed = _select(n, 90, 160), _select(n, 140, 260)
        for found, each in zip(_list_reports(n), printed, strict=True):
            off[f"{n} points to a cm, off at {' '.join(map(str, found ^ each)) or 'none'}"] = len(
                found ^ each
            )
    return bounded(off, at_most=0)


@corrects(
    ex2_interval,
    Kind.READING,
    fails="p1 is X1 > 150: a report of 140 proves p0",
    mend="(140, 260]",
    true_if="up to a point, which has no length",
    rests="nothing: log 150 is as printed",
    proof="single-sentences",
)
def ex2_interval_half_open() -> Finding:
    """[Y|p0] = [90, 160] and [Y|p1] = (140, 260]; one point has no length, so the rest stands."""
    return for_all(
        equal(found, printed, {"points to a cm": n})
        for n in (1, 2, 4, 8)
        for found, printed in zip(
            _list_reports(n), (_select(n, 90, 160), _select(n, 140, 260) - {140}), strict=True
        )
    )


@paper.states(
    "Example 2, the ranges of the reports",
    ex2_interval.quote,
    reading="equal up to sets of length zero",
    of=ex2_interval,
)
def ex2_interval_length() -> Finding:
    """[Y|p0] = [90, 160] and [Y|p1] = [140, 260], up to sets of length zero, which is all that the
    performance of a test looks at.
    """
    error = IntervalUnion.from_intervals((-10, 10))
    off = []
    for ends, printed in (((100, 150), (90, 160)), ((150, 250), (140, 260))):
        reports = IntervalUnion.from_intervals(ends) + error
        off.append((reports ^ IntervalUnion.from_intervals(printed)).measure)
    return bounded(off, at_most=0)
