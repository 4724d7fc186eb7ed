"""Filters and odometers against adaptive adversaries (``knowledge``, Section 4), in fractions.

1. :func:`play_interactions`: every transcript of random interactions with a filter, and every
   decision of the filter beside the rule that it follows.
2. :func:`build_pairs`: every pair of queries of a lattice, and what the odometer says in between.
3. :func:`build_capacities`: decisions of a filter beside the budget that remains.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from noiseless.accounting import rational
from noiseless.accounting.filters import FILTERS
from noiseless.accounting.rational import Mechanism
from noiseless.seeds import make_generator

# Theorems 4.1 and 4.2 -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Transcript:
    """Queries with their outputs under a budget (a ratio), and a belief with gain functions."""

    budget: Fraction  # e^epsilon_g
    likelihoods: tuple[Fraction, ...]  # product of the answers' probabilities, by value
    adversary_probability: Fraction = Fraction(1)  # product of the adversary's
    answers: tuple[tuple[int, int], ...] = ()  # number of each query in the pool, and output
    prior: Sequence[int] = ()  # weights of the values
    gains: Sequence[Sequence[int]] = ()  # functions with a row for each value

    def list_numbers(self) -> Mapping[str, Any]:
        """List e^epsilon_g, and the likelihood of the answers under each value."""
        return {"e^eps_g": self.budget, "Pr(y|x)": self.likelihoods}

    @property
    def joint(self) -> tuple[Fraction, ...]:
        """Probability of the transcript, for each value (Equation 13)."""
        return tuple(self.adversary_probability * each for each in self.likelihoods)

    @property
    def loss(self) -> Fraction:
        """The realized privacy loss, a ratio."""
        return rational.compute_exp_loss(self.likelihoods)

    @property
    def ratio(self) -> Fraction:
        """Largest ratio of the transcript's probabilities under two values (Definition 4.1)."""
        return rational.compute_exp_loss(self.joint)

    @property
    def leakage(self) -> Fraction:
        """The realized g-leakage, a ratio."""
        scaled = rational.scale_to_integers(self.likelihoods)
        return rational.compute_leakage(self.prior, scaled, self.gains)


@dataclass(frozen=True)
class Decision:
    """Decision of a filter on a query after a transcript."""

    after: Transcript
    query: Mechanism
    accepts: bool  # whether the filter does
    follows: bool  # whether the rule of the filter's definition accepts it
    fits: bool  # whether Equation 15 does

    def list_numbers(self) -> Mapping[str, Any]:
        """List what was answered before, and the probabilities of each output."""
        rows = {f"next Pr({y}|x)": row for y, row in enumerate(self.query)}
        return {**self.after.list_numbers(), **rows}


@dataclass
class Played:
    """Transcripts with which interactions with a filter end, and all decisions of the filter."""

    transcripts: list[Transcript] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)


def play_interactions(interactions: int, depth: int, seed: int) -> dict[str, Played]:
    """Play random adversaries against each filter, and against none, which accepts everything.

    An object has two to four values.  An adversary draws each query from a pool of three, with
    probabilities that depend on the transcript so far, of at most ``depth`` queries.  The budget is
    the ratio of one of the pool's first answers, or of two, so that losses meet it exactly.
    """
    played = {name: Played() for name in ("none", *FILTERS)}
    for number in range(interactions):
        rng = make_generator(seed, "interactions", number)
        values = int(rng.integers(2, 5))
        pool = [_draw_mechanism(rng, values) for _ in range(3)]
        # A budget must be above 0, so a pool whose answers have no loss gets a budget of log 2.
        firsts = [
            each for each in map(rational.compute_exp_loss, itertools.chain(*pool)) if each > 1
        ]
        choices = np.array(firsts or [Fraction(2)], dtype=object)
        budget = math.prod(rng.choice(choices, int(rng.integers(1, 3))).tolist(), start=Fraction(1))
        for name, found in played.items():
            start = Transcript(budget, (Fraction(1),) * values)
            for ended in enumerate_transcripts(name, pool, start, depth, number, found.decisions):
                prior = rng.integers(1, 30, values).tolist()
                gains = rng.integers(1, 11, (3, values)).tolist()
                found.transcripts.append(replace(ended, prior=prior, gains=gains))
    return played


def enumerate_transcripts(
    name: str,
    pool: Sequence[Mechanism],
    state: Transcript,
    depth: int,
    number: int,
    decisions: list[Decision],
) -> Iterator[Transcript]:
    """Yield every transcript with which interaction ``number`` can end, from ``state`` on.

    Decisions of the filter ``name`` are appended to ``decisions``.
    """
    decided = [_decide_query(name, pool, state, mechanism) for mechanism in pool]
    decisions += decided
    accepted = [index for index, each in enumerate(decided) if each.accepts]
    if not accepted or len(state.answers) == depth:
        yield state
        return
    weights = make_generator(number, "adversary", repr(state.answers)).integers(1, 5, len(accepted))
    for index, weight in zip(accepted, weights.tolist(), strict=True):
        for output, row in enumerate(pool[index]):
            after = Transcript(
                state.budget,
                tuple(rational.multiply_entries(state.likelihoods, row)),
                state.adversary_probability * Fraction(weight, int(weights.sum())),
                (*state.answers, (index, output)),
            )
            yield from enumerate_transcripts(name, pool, after, depth, number, decisions)


def _decide_query(
    name: str, pool: Sequence[Mechanism], state: Transcript, mechanism: Mechanism
) -> Decision:
    """Decide on a query by a filter, by the exact rule of its definition, and by Equation 15."""
    budget = state.budget
    fits = all(
        rational.compute_exp_loss(rational.multiply_entries(state.likelihoods, row)) <= budget
        for row in mechanism
    )
    if name == "none":
        return Decision(state, mechanism, True, True, fits)
    privacy_filter = FILTERS[name](math.log(budget), rational.build_domain(len(mechanism[0])))
    for index, output in state.answers:
        privacy_filter.record(rational.convert_to_query(pool[index]), output)
    accepts = privacy_filter.accepts(rational.convert_to_query(mechanism))
    guarantee = rational.compute_exp_guarantee(mechanism)
    spent = [rational.compute_exp_guarantee(pool[index]) for index, _ in state.answers]
    follows = {
        "bayesian": fits,
        "simplified": state.loss * guarantee <= budget,
        "basic": math.prod(spent, start=Fraction(1)) * guarantee <= budget,
    }[name]
    return Decision(state, mechanism, accepts, follows, fits)


def _draw_mechanism(rng: np.random.Generator, values: int) -> Mechanism:
    """Draw a query of two or three outputs whose probabilities are multiples of 1/8."""
    outputs = int(rng.integers(2, 4))
    columns = []
    for _ in range(values):
        cuts = np.sort(rng.choice(np.arange(1, 8), outputs - 1, replace=False))
        ends = (0, *cuts.tolist(), 8)
        columns.append([Fraction(b - a, 8) for a, b in itertools.pairwise(ends)])
    return [list(row) for row in zip(*columns, strict=True)]


# Section 4.2 --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pair:
    """Two queries of two outputs, the first of which returned 1 and took the loss to the budget.

    Both have a probability of 1 for each value; ``lower`` says for each output of the second
    whether Pr(y|x1) < Pr(y|x2), for each most likely x1 and least likely x2.
    """

    first: tuple[Fraction, ...]
    ones: tuple[Fraction, ...]
    loss: Fraction  # realized, of the first answer
    guarantee: Fraction  # e^epsilon of the second query
    after: list[Fraction]  # realized loss after each output of the second query
    is_telling: bool  # whether a most and a least likely value have different chances
    lower: list[list[bool]]

    def list_numbers(self) -> Mapping[str, Any]:
        """List the probabilities of 1 of both queries."""
        return {"first Pr(1|x)": self.first, "then Pr(1|x)": self.ones}


def build_pairs(values: int, parts: int) -> Iterator[Pair]:
    """Build every pair of queries whose probabilities of 1 are multiples of 1/parts, below 1."""
    shares = [Fraction(k, parts) for k in range(1, parts)]
    for first in itertools.product(shares, repeat=values):
        loss = rational.compute_exp_loss(first)
        extremes = list(
            itertools.product(
                [x for x in range(values) if first[x] == max(first)],
                [x for x in range(values) if first[x] == min(first)],
            )
        )
        for ones in itertools.product(shares, repeat=values):
            query = [[1 - each for each in ones], list(ones)]
            yield Pair(
                first,
                ones,
                loss,
                rational.compute_exp_guarantee(query),
                [rational.compute_exp_loss(rational.multiply_entries(first, row)) for row in query],
                any(ones[most] != ones[least] for most, least in extremes),
                [[row[most] < row[least] for most, least in extremes] for row in query],
            )


@dataclass(frozen=True)
class Capacity:
    """Decision of a filter on a query, after another one, and whether what remains covers it."""

    first: tuple[Fraction, ...]
    then: tuple[Fraction, ...]
    budget: Fraction
    accepts: bool
    fits: bool

    def list_numbers(self) -> Mapping[str, Any]:
        """List e^epsilon_g and the probabilities of 1 of both queries."""
        pair = {"first Pr(1|x)": self.first, "then Pr(1|x)": self.then}
        return {"e^eps_g": self.budget, **pair}


def build_capacities(
    name: str, *, lattices: Sequence[tuple[int, int]], factors: Sequence[str]
) -> Iterator[Capacity]:
    """Decide on every second query of a lattice after the first has returned 1.

    A lattice has values and parts: probabilities of 1 are multiples of 1/parts, below 1.  The
    budget is the loss of the first answer times each of the factors.
    """
    for number, parts in lattices:
        shares = [Fraction(k, parts) for k in range(1, parts)]
        mechanisms = [
            [[1 - each for each in ones], list(ones)]
            for ones in itertools.product(shares, repeat=number)
        ]
        for first, factor in itertools.product(mechanisms, map(Fraction, factors)):
            budget = rational.compute_exp_loss(first[1]) * factor
            if budget == 1:  # no budget at all
                continue
            privacy_filter = FILTERS[name](math.log(budget), rational.build_domain(number))
            privacy_filter.record(rational.convert_to_query(first), 1)
            for query in mechanisms:
                yield Capacity(
                    tuple(first[1]),
                    tuple(query[1]),
                    budget,
                    privacy_filter.accepts(rational.convert_to_query(query)),
                    rational.compute_exp_guarantee(query) <= factor,
                )
