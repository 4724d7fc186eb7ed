"""Numbers in the errata: of the statement's own function, of a given example, or computed here.

A number that is typed in what fails, and comes from nowhere, fails this test.
"""

import csv
import re
from fractions import Fraction as F
from math import exp, log, log2, sqrt

import numpy as np
import pytest

from noiseless.papers.knowledge.appendix import _CERTIFIED_LOSSES, _PRINTED_LOSSES
from noiseless.papers.knowledge.health import CHECKUP, PEOPLE
from noiseless.papers.prrelation.vector import build_vector_table
from noiseless.statements.registry import load_statements

PAPERS = ("noiseless", "nsht", "deterministic", "prrelation", "knowledge")
_NUMBER = re.compile(r"(?<![\w.√])\d+(?:\.\d+|/\d+)(?![\w]|\.\d)")
_PLACE = re.compile(
    r"(?:Sections?|Definitions?|Equations?|Eq\.|Theorems?|Table|Fig\.|Appendix) [\dIVX.]+\d"
)


def compute_belief(prior, likelihoods):
    joint = [a * b for a, b in zip(prior, likelihoods, strict=True)]
    return [each / sum(joint) for each in joint]


def vulnerability(belief, gains):
    return max(F(0), sum(a * b for a, b in zip(belief, gains, strict=True)))


def logit(p):
    return log(p / (1 - p))


def entropy(p):
    return -p * log2(p) - (1 - p) * log2(1 - p)


def f_score(recall, false_alarm):
    return 2 * recall / (recall + false_alarm + 1)


def laplace_precision(epsilon):
    """At a recall of one half."""
    return 1 / (1 + exp(-epsilon))


def find_equal_bits(alike):
    """Best precision at a recall of one half, and best F1, of one of two bits in a noisy count.

    On a grid of answers: Laplace noise of scale 1, the tests in the order of the likelihood ratio.
    """
    answers = np.linspace(-20, 22, 100_001)
    none, one, two = (np.exp(-np.abs(answers - count)) for count in range(3))
    yes, no = ((1 - alike) * one + alike * two, alike * none + (1 - alike) * one)
    order = np.argsort(-yes / no)
    recall, alarm = (np.cumsum(each[order]) / each.sum() for each in (yes, no))
    half = np.searchsorted(recall, 0.5)
    return recall[half] / (recall[half] + alarm[half]), f_score(recall, alarm).max()


EVEN, GAINS, FAVOURS = (F(1, 2),) * 2, (1, F(-3, 4)), (F(3, 4), F(1, 4))
KEPT = vulnerability(EVEN, GAINS), vulnerability(compute_belief(EVEN, FAVOURS), GAINS)
EXCESS = [_PRINTED_LOSSES[name] - each for name, each in _CERTIFIED_LOSSES.items()]
SLEEP = sum(
    weight * value
    for weight, value in zip(CHECKUP["regressions"]["sleep"], (100, 1, 50, 50, 1), strict=True)
)
SLEEPS = [
    sum(
        weight * value
        for weight, value in zip(CHECKUP["regressions"]["sleep"], (*person, 1), strict=True)
    )
    for person in PEOPLE
]
KEEPS = 1 / (1 + exp(-2))  # the truth, at a guarantee of 2
ODDS = 1 / (1 - 0.2) * (1 + 1 / (1 - 0.2)) * 0.9 * 0.9  # of Equation 23, its bar lost
PRIOR, AFTER = F(4, 5), F(3, 4)
OTHER = (PRIOR - (1 - AFTER) * F(1, 5)) / F(4, 5)  # of the value, given that the other record is 0
CHANGE = 1 - min((1 - PRIOR) / AFTER, PRIOR / OTHER, (1 - PRIOR) / (1 - OTHER), PRIOR / (1 - AFTER))
VECTOR = build_vector_table(queries=(2,)).query("epsilon_nats == 1").set_index("statistic")["value"]
ALIKE = F(5, 6)  # two bits; the other one, if it is known, makes the odds 5
ALIKE_PRECISION, ALIKE_F1 = find_equal_bits(float(ALIKE))
ALIKE_PRINTED = 1 / (1 + exp(-1) * float((1 - ALIKE) / ALIKE))
# By statement: what its example is given, and what follows, computed.
EXAMPLES = {
    "deterministic-remark2.1": (["0.01", "0.1"], [10 * 0.01]),
    "deterministic-thm3.1-proof": ([], [0.25, -log(0.25)]),
    "deterministic-sec4-dense": ([], [F(1, 2), 1 / sqrt(12)]),
    "deterministic-sec4-line-p1": (
        *(["0.3", "0.4"], [sqrt(0.5), sqrt(0.4), -log(1 - sqrt(0.5)), -log(1 - sqrt(0.4))]),
    ),
    "deterministic-ex4.2-independent": ([], [150 * sqrt(n * (n - 1)) / 20 for n in (2, 3, 5)]),
    "deterministic-ex4.2-gamma": ([], [150 * sqrt(2) / 10, 150 * sqrt(2) / 22]),
    "knowledge-61-percent-person": ([], []),
    "knowledge-thm3.3-gain": (["3/4", "1/4"], [*KEPT, KEPT[1] / KEPT[0]]),
    "knowledge-sec4.2-full": (["3/5", "2/5", "1/2", "11/20"], [F(3, 5) / F(2, 5)]),
    "knowledge-sec4.2-decrease": (["3/5", "2/5", "1/10", "9/10"], [F(3, 5) / F(2, 5)]),
    "knowledge-def4.7": (["3/4"], [FAVOURS[0] - 2 * FAVOURS[1]]),
    "knowledge-sec4.3": (["0.00001", "0.1"], [89 * 0.1]),
    "knowledge-sec4.3-true-value-4.6": (["3/4"], [FAVOURS[0] - 2 * FAVOURS[1]]),
    "knowledge-sec5.2-converges": ([], [1 / (1 + exp(1)), log(1 / (1 + exp(1)))]),
    "knowledge-sec5.3.2-every": ([], [KEEPS + (1 - 2 * KEEPS) * SLEEP / 12]),
    "knowledge-sec6.3-diabetes": (
        [],
        [
            # Half a unit of the last digit of each coefficient, and of the intercept's.
            max(0.00005 * (age + pressure + bmi) + 0.005 for age, _, pressure, bmi in PEOPLE),
            logit(0.24) - logit(0.198),
        ],
    ),
    "knowledge-sec6.3-sleep-both": (["0.07", "0.0703"], [*SLEEPS, SLEEPS[1] - 140 * 0.0003]),
    "knowledge-sec6.3-worst": ([], [min(EXCESS), max(EXCESS)]),
    "knowledge-sec7-basic-goes-on": (["7/15", "14/15", "7/5"], []),
    "knowledge-sec8-fully": (["0.4", "0.5"], []),
    "noiseless-prop1-continuous": ([], [log(2)]),
    "noiseless-thm4-range": (["0.1"], [0.1**2 / 3, 1 / 0.2 / 2**6]),
    "noiseless-thm8": (["1/2"], []),
    "noiseless-sec1-worsens-each": (
        [],
        [2 * F(1, 2) ** 3 / 12, (F(3, 4) ** 3 + 2 * F(1, 8) ** 3) / 12],
    ),
    "noiseless-thm6-proof": ([], [2 * log(3), log(3) + log(2)]),
    "nsht-sec5-order": ([], [F(4, 3)]),
    "nsht-prop1": ([], [log(2), -log(1 - exp(-1))]),
    "prrelation-thm5-any": (
        *(["1/2", "0.62", "0.2"], [laplace_precision(each) for each in (1, 0.62, 0.2)]),
    ),
    "prrelation-plausible-deniability": (
        *(["0.9", "1/2"], [4 * 0.1**2 * exp(-1), exp(-1) / (4 * 0.1**2)]),
    ),
    "prrelation-table1-exact": (
        ["0.55", "0.62", "0.76", "0.83", "0.5", "0.8", "1.5"],
        [(1 + beta**2) / (2 + beta**2) for beta in (0.5, 0.8, 1.5, 2)],
    ),
    "prrelation-thm4": ([], [VECTOR["best_f1"], VECTOR["scalar_f1"]]),
    "prrelation-sigma": (["0.01"], []),
    "prrelation-thm6-proof": (["1/2"], []),
    "prrelation-eq20-odds": (
        ["4/5", "1/5"],
        [AFTER, 1 - (1 - PRIOR) / PRIOR, CHANGE, F(3, 2)],
    ),
    "prrelation-eq20-law": (["5/6", "1/2"], [ALIKE_PRINTED, ALIKE_PRECISION]),
    # Below the turning point everybody who would raise the alarm does: recall and false alarm of 1.
    "prrelation-eq21-law": (["5/6"], [2 / (2 + (1 - ALIKE) / ALIKE), ALIKE_F1]),
    "prrelation-eq23-law": (["5/6"], [ALIKE_PRINTED, ALIKE_PRECISION]),
    "prrelation-eq20-chain": (["0.2", "0.1"], [1 / (1 - 0.1 * 1.8), 1 / (1 - 0.2 - 0.1 * 1.8)]),
    "prrelation-eq23-chain": (["0.2", "0.1"], [-ODDS / (1 - ODDS), 1 / (1.8 * 0.9 * 0.9 - 1)]),
    "prrelation-conditioning-value": ([], [entropy(1 / 8)]),
    "prrelation-sec6.1-blowfish-minimal": (["1/6", "1/3", "2/3"], []),
    "prrelation-sec10.3-minimum": (
        [],
        [VECTOR["scalar_f1"], f_score(0.5, exp(-2) / 2)],  # one number at epsilon = 2
    ),
    "prrelation-eq30-function": (
        ["0.2"],
        [
            (0.8 * (1 - exp(1) / 2) + 1) / (1 - exp(1) / 2),
            (0.8 * (1 - exp(-1) / 2) + 1) / (1 - exp(-2) / 2),
        ],
    ),
}


def list_numbers(text):
    return _NUMBER.findall(_PLACE.sub("", text))


def is_rounded(number, value):
    """Whether a value prints as a number; a minus sign stands outside of it."""
    if "/" in number:
        return isinstance(value, F) and abs(value) == F(number)
    return abs(round(abs(float(value)), len(number.partition(".")[2])) - float(number)) < 1e-12


@pytest.fixture(scope="module")
def found(root):
    """What the functions of statements found, in the reference run."""
    with (root / "docs/reference/ledger.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def list_typed(statement, found):
    """List the numbers of what fails that neither the words nor the function give."""
    correction = next((each for each in statement.corrections if not each.reading), None)
    if correction is None or correction.same_as:
        return []
    row = found.get(statement.id, {})
    said = (statement.quote, statement.prints, statement.says, statement.computes)
    shown = [row.get(name, "") for name in ("example", "found", "low", "high", "note")]
    known = {number for text in (*said, *shown) for number in _NUMBER.findall(text)}
    return [each for each in list_numbers(correction.fails) if each not in known]


def test_no_number_of_an_erratum_is_typed(found):
    lacking = {}
    for statement in load_statements(PAPERS):
        given, values = EXAMPLES.get(statement.id, ([], []))
        if statement.id == "knowledge-61-percent-person":
            values = [float(found["knowledge-sec6.3-remaining-person"]["low"])]
        wrong = [
            number
            for number in list_typed(statement, found)
            if number not in given and not any(is_rounded(number, each) for each in values)
        ]
        if wrong:
            lacking[statement.id] = wrong
    assert lacking == {}


def test_a_typed_number_is_noticed():
    assert is_rounded("0.731", laplace_precision(1))
    assert not is_rounded("0.732", laplace_precision(1))
    assert is_rounded("9/2", KEPT[1] / KEPT[0])
    assert not is_rounded("9/4", KEPT[1] / KEPT[0])
    assert list_numbers("Section 6.3 has 0.074 and 3/2, and √12 a length") == ["0.074", "3/2"]
