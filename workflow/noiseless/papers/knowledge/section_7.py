"""Sections 7 and 8: beside basic composition, and the whole of a budget."""

import math
from collections.abc import Mapping

import pandas as pd

from noiseless.papers.knowledge import paper
from noiseless.papers.knowledge.cases import (
    REGRESSIONS,
    accepted,
    interactions,
    read_accepted,
    streams,
)
from noiseless.papers.knowledge.interactions import Played
from noiseless.papers.knowledge.largest_filter import (
    STREAMS,
    build_closing_table,
    build_last_query_table,
)
from noiseless.papers.knowledge.section_1 import headline_logistic
from noiseless.statements import (
    Finding,
    Kind,
    Margin,
    at_most,
    bounded,
    corrects,
    equals,
    for_all,
    select,
    universe,
    widen,
    within,
)


@paper.states(
    "Sections 7 and 8",
    "The Bayesian composition of linear and logistic regressions is observed to accept 2-5 times "
    "as many queries as basic composition.",
    reading="groups of 10 for the maximum of the likelihood alone, as in Equation 26",
    figure="knowledge/grouping",
    over=accepted,
)
def headline_range(accepted: pd.DataFrame) -> Finding:
    """Bayesian composition accepts 2 to 5 times as many linear and logistic regressions as basic
    composition (1.5 to 5.5 before rounding).
    """
    return within(read_accepted(accepted, REGRESSIONS, "maximum", "factor"), 1.5, 5.5)


@corrects(
    headline_range,
    fails="The lower end fails; it is that of logistic regressions (Section 6.2).",
    same_as=headline_logistic,
    proof="section-62",
)
def headline_range_logistic(accepted: pd.DataFrame) -> Finding:
    """It accepts 1 to 5 times as many; the lower end is at most 1.4."""
    return within(read_accepted(accepted, "logistic", "maximum", "factor"), -math.inf, 1.4)


@paper.states(
    "Section 7",
    "Bayesian composition is at least as good as basic composition, because basic composition is "
    "equivalent to considering the likelihood function of each composed queries independently in "
    "Bayesian composition. Thus, the Bayesian composition can seamlessly replace the basic "
    "composition wherever it is employed, especially in privacy accounting.",
    reading="each decision, after one and the same transcript, as the sentence's own reason has it",
    over=interactions,
)
def sec7_basic(interactions: Mapping[str, Played]) -> Finding:
    """Bayesian composition is at least as good as basic composition. Checked, as the number of
    queries that basic composition accepts and Equation 15 rejects after one and the same
    transcript.
    """
    return for_all(
        at_most(each.accepts, each.fits, each) for each in interactions["basic"].decisions
    )


@paper.states(
    "Section 7, with Algorithm 5",
    sec7_basic.quote,
    reading="the number of answers, where the first rejection ends the stream (Algorithm 5)",
    over=streams,
    of=sec7_basic,
)
def sec7_basic_stops(streams: pd.DataFrame) -> Finding:
    """On a stream that the first rejection ends, the Bayesian filter gives at least as many answers
    as basic composition. Checked, as the number of decisions that put it behind, in all places of
    streams of a lattice that both filters have answered so far.
    """
    chosen = select(streams, filter="bayesian")
    decisions = int(chosen["decisions"].sum())
    return bounded(
        [chosen["behind_at_first"].sum()], at_most=0, sharp=decisions, sharp_wanted=10_000
    )


@paper.states(
    "Section 7, with Algorithm 1",
    sec7_basic.quote,
    reading="the number of answers, where the stream goes on after a rejection (Algorithm 1, line "
    '9, "Otherwise, continue")',
    figure="knowledge/filters",
    over=streams,
    of=sec7_basic,
)
def sec7_basic_goes_on(streams: pd.DataFrame) -> Finding:
    """On a stream that goes on after a rejection, the Bayesian filter gives at least as many
    answers as basic composition. Checked, as the most answers by which it is behind, on all streams
    of a lattice.
    """
    return bounded(select(streams, filter="bayesian")["lead"].tolist(), at_most=0)


@corrects(
    sec7_basic_goes_on,
    Kind.READING,
    fails="budget log 4; randomised response of log 2; Pr(1|x) = 7/15, and 14/15 for the value "
    "that it favours; twice randomised response of log 7/5; answers 1, 1, 0, 0: the Bayesian "
    "filter answers two, basic composition three",
    mend="behind by at most max(0, min(⌈E/e⌉, ⌊ε_g/e⌋) - 2) answers for guarantees from e to E; "
    "`SafeFilter` never",
    true_if="the stream ends at the first rejection, or no guarantee is more than twice another",
    rests='"can seamlessly replace"',
    proof="filters-on-a-stream-that-goes-on",
)
def sec7_basic_behind_by(streams: pd.DataFrame) -> Finding:
    """With guarantees from e to E it is behind by max(0, min(⌈E/e⌉, ⌊ε_g/e⌋) - 2) answers at most,
    which some stream attains; never, if no guarantee is more than twice another or none is smaller
    than an earlier one. `SafeFilter` is never behind.
    """
    chosen = select(streams, filter="bayesian")
    return equals(chosen["over_bound"], 0)


@corrects(
    sec7_basic_goes_on,
    Kind.PREMISE,
    premise="no guarantee of the stream is more than twice another",
)
def sec7_basic_alike(streams: pd.DataFrame) -> Finding:
    """It is behind in none of these streams."""
    chosen = select(streams, filter="bayesian", spread="up to 2")
    return bounded(chosen["lead"].tolist(), at_most=0)


@universe(smoke={"queries": 4}, paper={"queries": 8}, least={"queries": 3})
def last_queries(queries: int) -> pd.DataFrame:
    """Ask randomized responses until the filter rejects one, and then a last query."""
    return widen(build_last_query_table(streams=STREAMS, queries=queries))


@universe()
def closings(seed: int) -> pd.DataFrame:
    """Ask a query that is made for the end after random transcripts about two to five values."""
    return widen(build_closing_table(seed=seed))


_HALVING = Margin(0.00001, "the last query is found by halving an interval to 1e-6")


@paper.states(
    "Section 8",
    "The Bayesian Privacy Filter fully utilizes the privacy budget of an adaptive composition by "
    "accepting queries if the realized privacy loss does not exceed the DP guarantee.",
    reading="a stream of queries that is given",
    over=last_queries,
)
def sec8_fully(last: pd.DataFrame) -> Finding:
    """The Bayesian filter fully utilizes the budget. Checked, as the share of the budget that the
    loss reaches at most before the filter rejects a randomized response for good.
    """
    return equals(last["printed_share"], 1, within=_HALVING)


@corrects(
    sec8_fully,
    Kind.READING,
    fails="responses of 0.4 nats under a budget of 0.5 end after the first, at 0.4",
    mend="after one and the same transcript no private filter accepts what it rejects",
    true_if="the analyst may end with a query made for what is left",
    rests="nothing",
    proof="section-8",
)
def sec8_fully_with_a_last_query(last: pd.DataFrame) -> Finding:
    """After one and the same transcript no private filter accepts a query that it rejects; on a
    stream that goes on another filter may answer more (Section 7). A last query of less epsilon,
    found by bisection on the filter's own bounds, takes the largest loss to the budget, and a query
    that is made for the end takes it there with every output (the next reading).
    """
    return equals([*last["shrunk_share"], *last["closed_share"]], 1, within=_HALVING)


@paper.states(
    "Section 8, with Section 6",
    sec8_fully.quote,
    reading="an adversary who is rational and greedy, as Section 6 has it, and may send any query",
    over=closings,
    of=sec8_fully,
)
def sec8_fully_greedy(closings: pd.DataFrame) -> Finding:
    """After any transcript some query is accepted, and takes the loss to the budget with every
    output. Checked, as the shares of the budget that it then reaches, after random transcripts
    about two to five values.
    """
    shares = closings[["least_share", "largest_share", "accepted_share"]]
    return equals(
        shares.to_numpy().ravel(), 1, within=Margin(1e-9, "rounding of floating-point numbers")
    )
