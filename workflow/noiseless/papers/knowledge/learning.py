"""What an answer can teach, in exact fractions (``knowledge``, Sections 2 and 3).

1. :func:`build_learning`: beliefs about the answers of random mechanisms, and the beliefs in the
   proof of Lemma 3.2 (Lemmas 3.1 and 3.2, Theorems 3.1 to 3.3).
2. :func:`build_bit_gains`: gain functions of a bit, of any sign (Theorem 3.3).
3. :func:`build_gains_about_pairs`: beliefs in statements about a pair of related bits (Section
   3.2).
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noiseless.accounting import rational
from noiseless.accounting.rational import Mechanism
from noiseless.seeds import make_generator

_DELTA = Fraction(1, 10**6)  # of the belief in the proof of Lemma 3.2
_WEIGHT = 4  # total weight of all pairs of values in a joint belief


@dataclass(frozen=True, slots=True)
class Belief:
    """A belief about an answer, and what it learns.

    Statements are the sets of values at which they are true, as gain functions of 0 and 1.
    """

    likelihood: tuple[Fraction, ...]  # of the answer, for each value
    prior: tuple[int, ...]  # weights of the values
    statements: tuple[tuple[int, ...], ...]
    loss: Fraction  # realized, of the answer
    guarantee: Fraction  # e^epsilon of the mechanism
    gains: tuple[Fraction, ...]  # Q(f|y)/Q(f), for each statement
    leakage: Fraction  # the realized g-leakage of the gain functions

    def list_numbers(self) -> Mapping[str, Any]:
        """List the likelihoods of the answer, the prior's weights, and the statements' values."""
        statements = {f"f{number}": each for number, each in enumerate(self.statements, start=1)}
        return {"Pr(y|x)": self.likelihood, "prior weights": self.prior, **statements}


@dataclass(frozen=True)
class Learning:
    """Beliefs about the answers of random mechanisms.

    ``shortfalls`` are by how much the belief in the proof of Lemma 3.2 misses each answer's
    realized loss, and ``distances_nats`` from each mechanism's guarantee to what these beliefs
    learn.
    """

    beliefs: list[Belief]
    shortfalls: list[float]
    distances_nats: list[float]


def build_learning(mechanisms: int, beliefs: int, seed: int) -> Learning:
    """Draw mechanisms of 2 to 5 values and 2 to 4 outputs, and beliefs about each output."""
    made = Learning([], [], [])
    for number in range(mechanisms):
        rng = make_generator(seed, "learning", number)
        mechanism = draw_mechanism(rng)
        limits, guarantee = [], rational.compute_exp_guarantee(mechanism)
        for row in mechanism:
            loss = rational.compute_exp_loss(row)
            # A gain does not depend on the scale of the likelihoods, and integers are faster.
            scaled = rational.scale_to_integers(row)
            drawn = rng.integers(1, [[30], [11], [11], [11]], (beliefs, 4, len(row)))
            for prior, *statements in drawn.tolist():
                gains = (rational.compute_knowledge_gain(prior, scaled, f) for f in statements)
                made.beliefs.append(
                    Belief(
                        tuple(row),
                        tuple(prior),
                        tuple(map(tuple, statements)),
                        loss,
                        guarantee,
                        tuple(gains),
                        rational.compute_leakage(prior, scaled, statements),
                    )
                )
            limits.append(_compute_lemma_3_2_gain(row))
            made.shortfalls.append(float(loss - limits[-1]))
        made.distances_nats.append(abs(math.log(guarantee) - math.log(max(limits))))
    return made


def draw_mechanism(rng: np.random.Generator) -> Mechanism:
    """Draw a mechanism of 2 to 4 outputs (rows) and 2 to 5 values (columns)."""
    values, outputs = int(rng.integers(2, 6)), int(rng.integers(2, 5))
    columns = []
    for _ in range(values):
        weights = rng.integers(1, 30, outputs).tolist()
        columns.append([Fraction(weight, sum(weights)) for weight in weights])
    return [list(row) for row in zip(*columns, strict=True)]


def _compute_lemma_3_2_gain(likelihood: Sequence[Fraction]) -> Fraction:
    """Compute the knowledge gain of the belief in the proof of Lemma 3.2 (Appendix A.3)."""
    most, least = max(likelihood), min(likelihood)
    if most == least:
        return Fraction(1)
    share = _DELTA * least**2 / ((most - least) * (most - _DELTA * least))
    prior = [share, 1 - share]
    return rational.compute_knowledge_gain(prior, [most, least], [Fraction(1), Fraction(0)])


@dataclass(frozen=True, slots=True)
class Gain:
    """A gain function of a bit, with one row for its values at 0 and 1, and an answer."""

    prior: tuple[int, ...]
    values: tuple[Fraction, ...]
    likelihood: tuple[Fraction, ...]

    def list_numbers(self) -> Mapping[str, Any]:
        """List prior weights, gains and likelihoods of 0 and 1."""
        return {"prior weights": self.prior, "g": self.values, "Pr(y|x)": self.likelihood}

    @property
    def loss(self) -> Fraction:
        """The realized privacy loss, a ratio."""
        return rational.compute_exp_loss(self.likelihood)

    @property
    def leakage(self) -> Fraction:
        """The realized g-leakage, a ratio."""
        return rational.compute_leakage(self.prior, self.likelihood, [self.values])


def build_bit_gains() -> list[Gain]:
    """Build all priors (weights 1 to 3), answers (1 to 3 fourths) and gains (-1 to 2) of a bit.

    Of those with a positive vulnerability before the answer: without it no leakage is defined.
    """
    fourths = [Fraction(k, 4) for k in range(-4, 9)]
    answers = list(itertools.product([Fraction(k, 4) for k in (1, 2, 3)], repeat=2))
    return [
        Gain(prior, gains, answer)
        for prior in itertools.product(range(1, 4), repeat=2)
        for gains in itertools.product(fourths, repeat=2)
        if sum(rational.multiply_entries(prior, gains)) > 0
        for answer in answers
    ]


@dataclass(frozen=True, slots=True)
class PairGain:
    """The largest gain of a belief in a statement about a pair of bits, if the first is queried."""

    ones: tuple[Fraction, ...]  # Pr(1), for the pairs (0, 0), (0, 1), (1, 0), (1, 1)
    belief: tuple[int, ...]  # weights of these pairs
    statement: tuple[bool, ...]  # whether it is true of each
    gain: Fraction  # the largest of either output
    guarantee: Fraction  # e^epsilon of the query

    def list_numbers(self) -> Mapping[str, Any]:
        """List the probabilities of 1, the weights, and where the statement is true."""
        true = [int(each) for each in self.statement]
        return {"Pr(1|x, z)": self.ones, "weights": self.belief, "statement": true}


def build_gains_about_pairs() -> Iterator[PairGain]:
    """Build all queries of a bit with probabilities of fourths, and beliefs in statements.

    The beliefs are about it and another bit, with whole weights that add up to 4.
    """
    shares = [Fraction(k, 4) for k in (1, 2, 3)]
    for zero, one in itertools.product(shares, repeat=2):
        ones = (zero, zero, one, one)
        guarantee = rational.compute_exp_guarantee([[zero, one], [1 - zero, 1 - one]])
        for belief in enumerate_beliefs():
            for statement in itertools.product((False, True), repeat=4):
                gain = max(
                    compute_belief_gain(output, belief, statement)
                    for output in (ones, tuple(1 - each for each in ones))
                )
                yield PairGain(ones, belief, statement, gain, guarantee)


def enumerate_beliefs() -> Iterator[tuple[int, ...]]:
    """Yield beliefs in a pair (X, other bit) as 4 weights, with both values of X possible."""
    for weights in itertools.product(range(_WEIGHT + 1), repeat=4):
        if sum(weights) == _WEIGHT and 0 < sum(weights[:2]) < _WEIGHT:
            yield weights


def compute_belief_gain(
    output: tuple[Fraction, ...], belief: tuple[int, ...], statement: tuple[bool, ...]
) -> Fraction:
    """Compute belief in a statement after an output over belief before; 1 if it was 0 before."""
    joint = [chance * weight for chance, weight in zip(output, belief, strict=True)]
    before = sum(itertools.compress(belief, statement))
    if not before:
        return Fraction(1)
    after = sum(itertools.compress(joint, statement), Fraction(0))
    return after / sum(joint, Fraction(0)) * sum(belief) / before
