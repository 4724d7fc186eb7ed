"""Filters and odometers against adaptive adversaries (``knowledge``, Section 4), in fractions.

1. :func:`build_interactions_table`: Theorems 4.1 and 4.2, Corollary 4.1, Algorithms 2 and 3,
   Section 4.5 and Section 7, on every transcript of random interactions.
2. :func:`build_odometer_table`: the two statements of Section 4.2 about a full and a falling
   odometer, on every pair of queries of a lattice.
3. :func:`build_capacity_table`: decisions of filters that contradict the remaining budget.
4. :func:`build_output_independent_table`: Section 4.3's statement about output-independent filters.

:func:`build_interaction_tables` builds all of them.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy.stats import binom

from noiseless.accounting import rational
from noiseless.accounting.filters import FILTERS, AdvancedFilter
from noiseless.accounting.rational import Mechanism
from noiseless.seeds import make_generator
from noiseless.tables import Rows, returns_table

# Budgets (nats) and deltas of the output-independent filter (Section 4.3).
OUTPUT_INDEPENDENT = [{"budget_nats": 5, "delta": 1e-05}, {"budget_nats": 10, "delta": 1e-06}]


def build_interaction_tables(
    *,
    interactions: int,
    depth: int,
    parts: int,
    seed: int,
    values: Sequence[int] = (2, 3),
    output_independent: Sequence[dict] = OUTPUT_INDEPENDENT,
    epsilon_nats: float = 0.1,
    bits: int = 6,
) -> dict[str, pd.DataFrame]:
    """Build the four tables of this module, by name.

    Parameters
    ----------
    interactions, depth : int
        Arguments of :func:`build_interactions_table`.
    parts : int
        ``parts`` of :func:`build_odometer_table`.
    seed : int
        Seed of the random interactions.
    values : sequence of int
        ``values`` of :func:`build_odometer_table`.
    output_independent : sequence of dict
        ``settings`` of :func:`build_output_independent_table`.
    epsilon_nats, bits
        Arguments of :func:`build_output_independent_table`.

    Returns
    -------
    dict
        ``interactions``, ``odometer``, ``capacity`` and ``output_independent``.
    """
    return {
        "interactions": build_interactions_table(interactions=interactions, depth=depth, seed=seed),
        "odometer": build_odometer_table(values=values, parts=parts),
        "capacity": build_capacity_table(),
        "output_independent": build_output_independent_table(
            settings=output_independent, epsilon_nats=epsilon_nats, bits=bits
        ),
    }


# Theorems 4.1 and 4.2 -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Transcript:
    """Transcript: queries with their outputs, and their probability under each value."""

    answers: tuple[tuple[int, int], ...]  # number of each query in the pool, and its output
    likelihoods: tuple[Fraction, ...]  # product of the answers' probabilities, by value
    adversary_probability: Fraction  # product of the adversary's probabilities

    @property
    def joint(self) -> tuple[Fraction, ...]:
        """Probability of the transcript, for each value (Equation 13)."""
        return tuple(self.adversary_probability * each for each in self.likelihoods)


@returns_table("filter")
def build_interactions_table(*, interactions: int, depth: int, seed: int) -> Rows:
    """Build the table of the transcripts of random adversaries, by filter, against Theorem 4.1.

    An object has two to four values.  An adversary draws each query from a pool of three, with
    probabilities that depend on the transcript so far.  The budget is the ratio of one of the
    pool's first answers, or of two, so that losses meet it exactly.

    Parameters
    ----------
    interactions : int
        Number of random pools, budgets and adversaries.
    depth : int
        Largest number of queries of a transcript.
    seed : int
        Seed of the pools and beliefs.

    Returns
    -------
    DataFrame
        Cells (filter,): ``none`` (which accepts everything), ``basic``, ``simplified``,
        ``bayesian``.  Statistics: ``transcripts``; ``above_budget``, those with L(y) above the
        budget; ``not_private``, those with a ratio of the probabilities of the transcript under
        two values above it (Definition 4.1); ``disagree``, those with only one of these two
        properties (Theorem 4.1);
        ``leakage_above``, those with a g-leakage above L(y) (Section 4.5); ``decisions``, queries
        that the filter decided on after a transcript; ``accepted`` and ``rejected``; ``unlike``,
        decisions that differ from the exact rule of the filter's definition; ``beyond_bayesian``,
        accepted queries that Equation 15 rejects.
    """
    names = (
        *("transcripts", "above_budget", "not_private", "disagree", "leakage_above"),
        *("decisions", "accepted", "rejected", "unlike", "beyond_bayesian"),
    )
    counts = {name: dict.fromkeys(names, 0) for name in ("none", *FILTERS)}
    for number in range(interactions):
        rng = make_generator(seed, "interactions", number)
        values = int(rng.integers(2, 5))
        pool = [_draw_mechanism(rng, values) for _ in range(3)]
        # A budget must be above 0, so a pool whose answers have no loss gets a budget of log 2.
        firsts = [
            each for each in map(rational.compute_exp_loss, itertools.chain(*pool)) if each > 1
        ]
        firsts = firsts or [Fraction(2)]
        choices = np.array(firsts, dtype=object)
        budget = math.prod(rng.choice(choices, int(rng.integers(1, 3))).tolist(), start=Fraction(1))
        for name, count in counts.items():
            start = _Transcript((), (Fraction(1),) * values, Fraction(1))
            for state in _enumerate_transcripts(name, pool, budget, start, depth, number, count):
                loss, transcript_ratio = (
                    rational.compute_exp_loss(state.likelihoods),
                    rational.compute_exp_loss(state.joint),
                )
                above, not_private = loss > budget, transcript_ratio > budget
                count["transcripts"] += 1
                count["above_budget"] += above
                count["not_private"] += not_private
                count["disagree"] += above != not_private
                prior = rng.integers(1, 30, values).tolist()
                gains = rng.integers(1, 11, (3, values)).tolist()
                leakage = rational.compute_leakage(
                    prior, rational.scale_to_integers(state.likelihoods), gains
                )
                count["leakage_above"] += leakage > loss
    yield from ({"filter": name, **count} for name, count in counts.items())


def _enumerate_transcripts(
    name: str,
    pool: Sequence[Mechanism],
    budget: Fraction,
    state: _Transcript,
    depth: int,
    number: int,
    count: dict[str, int],
) -> Iterator[_Transcript]:
    """Yield every transcript with which the interaction can end, given its beginning ``state``."""
    accepted = [
        index
        for index, mechanism in enumerate(pool)
        if _decide_query(name, pool, budget, state, mechanism, count)
    ]
    if not accepted or len(state.answers) == depth:
        yield state
        return
    weights = make_generator(number, "adversary", repr(state.answers)).integers(1, 5, len(accepted))
    for index, weight in zip(accepted, weights.tolist(), strict=True):
        for output, row in enumerate(pool[index]):
            after = _Transcript(
                (*state.answers, (index, output)),
                tuple(rational.multiply_entries(state.likelihoods, row)),
                state.adversary_probability * Fraction(weight, int(weights.sum())),
            )
            yield from _enumerate_transcripts(name, pool, budget, after, depth, number, count)


def _decide_query(
    name: str,
    pool: Sequence[Mechanism],
    budget: Fraction,
    state: _Transcript,
    mechanism: Mechanism,
    count: dict[str, int],
) -> bool:
    """Return whether the filter accepts a query, and count the decision against exact rules."""
    bayesian = all(
        rational.compute_exp_loss(rational.multiply_entries(state.likelihoods, row)) <= budget
        for row in mechanism
    )
    if name == "none":
        accepts = exact = True
    else:
        privacy_filter = FILTERS[name](math.log(budget), rational.build_domain(len(mechanism[0])))
        for index, output in state.answers:
            privacy_filter.record(rational.convert_to_query(pool[index]), output)
        accepts = privacy_filter.accepts(rational.convert_to_query(mechanism))
        if name == "bayesian":
            exact = bayesian
        elif name == "simplified":
            exact = (
                rational.compute_exp_loss(state.likelihoods)
                * rational.compute_exp_guarantee(mechanism)
                <= budget
            )
        else:
            spent = math.prod(
                (rational.compute_exp_guarantee(pool[index]) for index, _ in state.answers), start=1
            )
            exact = spent * rational.compute_exp_guarantee(mechanism) <= budget
    count["decisions"] += 1
    count["accepted" if accepts else "rejected"] += 1
    count["unlike"] += accepts != exact
    count["beyond_bayesian"] += accepts and not bayesian
    return accepts


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


@returns_table("values")
def build_odometer_table(*, values: Sequence[int], parts: int) -> Rows:
    """Build the table of full and of falling odometers for every pair of queries of a lattice.

    The first query has returned 1, and the budget is its loss.  The second one is any query of two
    outputs.  Probabilities of output 1 are positive multiples of 1/parts below 1, at each value of
    the object.

    Parameters
    ----------
    values : sequence of int
        Numbers of values of the object.
    parts : int
        Denominator of the probabilities.

    Returns
    -------
    DataFrame
        Cells (values,).  Statistics: ``full``, pairs whose second query has a guarantee above 0;
        ``accepted``, those that Equation 15 accepts although the odometer is at the budget;
        ``accepted_telling``, those of them that give the most and the least likely value different
        probabilities of some output; ``simplified_accepted``, those that Definition 4.4 accepts.
        ``falling``, outputs of the second query with Pr(y|x1) < Pr(y|x2) for a most likely x1 and a
        least likely x2; ``not_falling``, those of them after which the loss is no smaller;
        ``fell``, outputs after which it is smaller; ``fell_otherwise``, those of them with Pr(y|x1)
        >= Pr(y|x2) for some most likely x1 and least likely x2.
    """
    shares = [Fraction(k, parts) for k in range(1, parts)]
    for number in values:
        count = dict.fromkeys(
            (
                *("full", "accepted", "accepted_telling", "simplified_accepted"),
                *("falling", "not_falling", "fell", "fell_otherwise"),
            ),
            0,
        )
        for first in itertools.product(shares, repeat=number):
            loss = rational.compute_exp_loss(first)
            extremes = list(
                itertools.product(
                    [x for x in range(number) if first[x] == max(first)],
                    [x for x in range(number) if first[x] == min(first)],
                )
            )
            for ones in itertools.product(shares, repeat=number):
                query = [[1 - each for each in ones], list(ones)]
                after = [
                    rational.compute_exp_loss(rational.multiply_entries(first, row))
                    for row in query
                ]
                if rational.compute_exp_guarantee(query) > 1:
                    accepted = max(after) <= loss
                    is_informative = any(ones[most] != ones[least] for most, least in extremes)
                    count["full"] += 1
                    count["accepted"] += accepted
                    count["accepted_telling"] += accepted and is_informative
                    count["simplified_accepted"] += (
                        loss * rational.compute_exp_guarantee(query) <= loss
                    )
                for row, next_loss in zip(query, after, strict=True):
                    lower = [row[most] < row[least] for most, least in extremes]
                    count["falling"] += any(lower)
                    count["not_falling"] += any(lower) and next_loss >= loss
                    count["fell"] += next_loss < loss
                    count["fell_otherwise"] += next_loss < loss and not all(lower)
        yield {"values": number, **count}


@returns_table("values", "filter")
def build_capacity_table(
    *, lattices: Sequence[tuple[int, int]] = ((2, 6), (3, 4)), factors: Sequence[str] = ("1", "3/2")
) -> Rows:
    """Build the table of decisions that contradict the remaining budget, by filter.

    The first query has returned 1, and the budget is its loss times a factor.  The second one is
    any query of two outputs.

    Parameters
    ----------
    lattices : sequence of (int, int)
        Values of the object, and parts: probabilities of the output 1 are positive multiples of
        1/parts below 1, at each value.
    factors : sequence of str
        Of the budget, as ratios.

    Returns
    -------
    DataFrame
        Cells (values, filter): ``simplified`` and ``bayesian``.  Statistics: ``within`` and
        ``beyond``, decisions on queries of a guarantee up to the remainder, the logarithm of the
        factor, and above it; ``within_rejected`` and ``beyond_accepted``, those that the filter
        decides otherwise than the remainder says.
    """
    for number, parts in lattices:
        shares = [Fraction(k, parts) for k in range(1, parts)]
        mechanisms = [
            [[1 - each for each in ones], list(ones)]
            for ones in itertools.product(shares, repeat=number)
        ]
        for name in ("simplified", "bayesian"):
            count = dict.fromkeys(("within", "beyond", "within_rejected", "beyond_accepted"), 0)
            for first, factor in itertools.product(mechanisms, map(Fraction, factors)):
                budget = rational.compute_exp_loss(first[1]) * factor
                if budget == 1:  # no budget at all
                    continue
                privacy_filter = FILTERS[name](math.log(budget), rational.build_domain(number))
                privacy_filter.record(rational.convert_to_query(first), 1)
                for query in mechanisms:
                    accepted = privacy_filter.accepts(rational.convert_to_query(query))
                    fits = rational.compute_exp_guarantee(query) <= factor
                    count["within" if fits else "beyond"] += 1
                    count["within_rejected"] += fits and not accepted
                    count["beyond_accepted"] += accepted and not fits
            yield {"values": number, "filter": name, **count}


# Section 4.3 --------------------------------------------------------------------------------------


@returns_table("budget_nats", "delta")
def build_output_independent_table(
    *, settings: Sequence[dict], epsilon_nats: float, bits: int
) -> Rows:
    """Build the table of the loss of k bits, each asked once, under an (epsilon, delta) filter.

    Each bit is asked by a randomized response.  For every sequence of outputs the most likely value
    has these bits, and the least likely one has their complement, so that the loss is k epsilon.

    Parameters
    ----------
    settings : sequence of dict
        Each with ``budget_nats`` and ``delta``.
    epsilon_nats : float
        The epsilon of each bit's randomized response.
    bits : int
        Up to as many bits the loss of every sequence is also enumerated, in exact fractions of a
        randomized response with a ratio of 3.

    Returns
    -------
    DataFrame
        Cells (budget_nats, delta).  Statistics: ``accepted``, the queries k that the filter
        accepts; ``loss_nats``, of every sequence of outputs; ``probability_within``, that the loss
        is at most the budget; ``unequal``, enumerated sequences whose loss is not that of k
        answers; ``enumerated``; ``pair_over_delta``, the largest probability, over pairs of values,
        that the ratio of the two likelihoods is above the budget, over delta.
    """
    unequal, enumerated = _count_unequal_losses(bits)
    for setting in settings:
        budget_nats, delta = float(setting["budget_nats"]), float(setting["delta"])
        top = 1 / (1 + math.exp(-epsilon_nats))
        query = rational.convert_to_query(rational.build_randomized_response(Fraction(top)))
        privacy_filter = AdvancedFilter(budget_nats, delta, rational.build_domain(2))
        accepted = 0
        while privacy_filter.accepts(query):
            privacy_filter.record(query, 0)
            accepted += 1
        loss_nats = accepted * epsilon_nats
        differing = np.arange(1, accepted + 1)
        # The ratio of two values that differ in j bits is e^(epsilon (2 B - j)), B binomial.
        least_right = np.floor((budget_nats / epsilon_nats + differing) / 2 + 1e-9)
        above = binom.sf(least_right, differing, top)
        yield {
            "budget_nats": budget_nats,
            "delta": delta,
            "accepted": accepted,
            "loss_nats": loss_nats,
            "probability_within": float(loss_nats <= budget_nats),
            "unequal": unequal,
            "enumerated": enumerated,
            "pair_over_delta": above.max() / delta,
        }


def _count_unequal_losses(bits: int) -> tuple[int, int]:
    """Count sequences of k answers with a loss other than 3^k, and all, for k = 1, ..., bits."""
    unequal = enumerated = 0
    right, wrong = Fraction(3, 4), Fraction(1, 4)
    for k in range(1, bits + 1):
        for outputs in itertools.product((0, 1), repeat=k):
            likelihoods = [
                math.prod(
                    (right if y == x else wrong for y, x in zip(outputs, value, strict=True)),
                    start=Fraction(1),
                )
                for value in itertools.product((0, 1), repeat=k)
            ]
            enumerated += 1
            unequal += rational.compute_exp_loss(likelihoods) != 3**k
    return unequal, enumerated
