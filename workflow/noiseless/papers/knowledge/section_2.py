"""Section 2: beliefs, randomized response, and a mean of one-bit answers."""

import itertools
import math
from fractions import Fraction

import numpy as np

from noiseless.accounting import rational
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.interface import Domain
from noiseless.papers.knowledge import paper
from noiseless.papers.knowledge.cases import RESPONSE, compute_loss_of_example_1
from noiseless.statements import Finding, Kind, Margin, corrects, equals, universe


@paper.states(
    "Section 2.2",
    "For instance, if a person believes that a die X has a 50% chance of being a "
    "perfect six-faced die and a 50% chance of being a perfect four-faced die, their "
    "Q(f(X)) will be 0.5 x 1/6 + 0.5 x 1/4 = 5/24.",
)
def sec2_2_die() -> Finding:
    """A person who gives even odds to a die of six faces and to one of four is right about what it
    shows with a chance of 5/24.
    """
    faces = (6, 4)
    return equals(sum(Fraction(1, len(faces)) / each for each in faces), Fraction(5, 24))


@paper.states(
    "Example 1",
    "If the adversary applies Bayes' rule, their belief about the value of the object X"
    " remains unchanged.",
)
def ex1() -> Finding:
    """After the answers 0110 of randomized response both values are equally likely."""
    return equals(compute_loss_of_example_1(), 1)


@paper.states(
    "Example 1",
    "This paper mainly focuses on epsilon-LDP, and the basic composition yields k "
    "log(p/(1 - p))-LDP for the described process [11], which is proven to be a tight "
    "bound for epsilon in that Pr(1...1|X=1)/Pr(1...1|X=0) = (p/(1 - p))^k.",
)
def ex1_tight() -> Finding:
    """The basic composition of k randomized responses, k log(p/(1-p)), is tight. Checked as the
    largest loss of all sequences of up to six answers.
    """
    found = {}
    for k in range(1, 7):
        losses = [
            rational.compute_exp_loss(rational.compute_likelihood([RESPONSE] * k, each))
            for each in itertools.product((0, 1), repeat=k)
        ]
        found[f"{k} answers"] = max(losses) - rational.compute_exp_guarantee(RESPONSE) ** k
    return equals(found, 0)


_ROUNDING = "rounding of floating-point numbers"


@universe()
def reports() -> list[dict[str, float]]:
    """Build the expected error of the mean estimator, as printed and corrected, for people of one
    value along several intervals; and the log-ratio of Equation 5 to the ends, less epsilon, and
    its probability less the one on a straight line.
    """
    epsilon_nats, found = 1.0, []
    intervals = ((0, 1), (2, 6), (-1, 1), (0, 12))
    for (low, high), share in itertools.product(intervals, (0, 0.25, 0.5, 1)):
        domain = Domain((float(low),), (float(high),))
        mechanism = OneBitMechanism(domain, epsilon_nats, clip=False)
        value = low + share * (high - low)
        chances = [float(mechanism.compute_probability_high(x)) for x in (low, high, value)]
        logs = np.log([chances, [1 - each for each in chances]])
        loss_nats = float(np.abs(logs[:, :2] - logs[:, 2:]).max())
        line = (1 + share * math.expm1(epsilon_nats)) / (math.exp(epsilon_nats) + 1)
        high_chance = chances[-1]
        case = {"low": low, "loss": loss_nats - epsilon_nats, "bend": high_chance - line}
        for name, estimate in (
            ("printed", mechanism.estimate_mean_as_printed),
            ("bias", mechanism.estimate_mean),
        ):
            mean = (1 - high_chance) * estimate([0]) + high_chance * estimate([1])
            case[name] = mean - value
        found.append(case)
    return found


@paper.states(
    "Section 2.5, Equation 5",
    "Clearly, this algorithm adheres to epsilon-LDP.",
    over=reports,
)
def eq5(reports: list[dict[str, float]]) -> Finding:
    """The perturbation of Equation 5 is epsilon-LDP. Checked at values along several intervals, as
    the largest log-ratio to either end, less epsilon.
    """
    return equals(max(each["loss"] for each in reports), 0, within=Margin(1e-12, _ROUNDING))


@paper.states(
    "Section 2.5, Equation 5, along the interval",
    "As y approaches b, its probability to output b increases linearly and eventually reaches "
    "e^epsilon/(e^epsilon + 1).",
    over=reports,
)
def eq5_linear(reports: list[dict[str, float]]) -> Finding:
    """The probability of b goes along a straight line from 1/(e^eps + 1) at a to e^eps/(e^eps + 1)
    at b. Checked at values along several intervals, the ends among them, as the distance from it.
    """
    return equals([each["bend"] for each in reports], 0, within=Margin(1e-12, _ROUNDING))


@paper.states(
    "Section 2.5",
    "Subsequently, the mean of y can be estimated as: a + b ((e^epsilon + 1) pi_b - 1) / "
    "(e^epsilon - 1).",
    over=reports,
)
def mean_estimator(reports: list[dict[str, float]]) -> Finding:
    """The mean of y is estimated by a + b ((e^eps + 1) pi_b - 1) / (e^eps - 1)."""
    return equals([each["printed"] for each in reports], 0, within=Margin(1e-9, _ROUNDING))


@corrects(
    mean_estimator,
    Kind.MISPRINT,
    fails="The factor b must be the length of the interval, b - a. As printed the estimator is "
    "off by a times the place of the mean in the interval, and unbiased only if a = 0.",
    mend="a + (b - a) (...)",
    right_at="Pr(b|y) just above, which has 1/(b - a)",
    right_words="As y approaches b, its probability to output b increases linearly",
    proof="section-25",
)
def mean_estimator_length(reports: list[dict[str, float]]) -> Finding:
    """With b - a in place of b its expectation is the mean."""
    return equals([each["bias"] for each in reports], 0, within=Margin(1e-9, _ROUNDING))


@corrects(
    mean_estimator,
    Kind.PREMISE,
    premise="the interval begins at a = 0",
)
def mean_estimator_from_0(reports: list[dict[str, float]]) -> Finding:
    """As printed it is unbiased for intervals that begin at 0."""
    found = [each["printed"] for each in reports if each["low"] == 0]
    return equals(found, 0, within=Margin(1e-9, _ROUNDING))
