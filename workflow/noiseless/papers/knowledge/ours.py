"""What this project adds: filters that answer more, and bounds of what any filter can accept."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pandas as pd

from noiseless.papers.knowledge import paper
from noiseless.papers.knowledge.cases import (
    READINGS,
    accepted,
    accepted_linear,
    growth,
    losses_of_answers,
    read_accepted,
    read_scan,
    scan,
    streams,
)
from noiseless.papers.knowledge.largest_filter import build_largest_filter_table
from noiseless.papers.knowledge.output_dependent import (
    GAIN_SETTINGS,
    build_best_table,
    build_finished_table,
    build_gain_table,
    find_best_adversary,
)
from noiseless.statements import (
    Finding,
    Limit,
    Margin,
    at_most,
    bounded,
    equals,
    for_all,
    hold,
    list_estimates,
    select,
    table,
    universe,
    widen,
    within,
)

ordinary = table("knowledge/filter_streams_ordinary")


@universe(smoke={"interactions": 12}, paper={"interactions": 40}, least={"interactions": 1})
def all_filters(interactions: int, seed: int) -> pd.DataFrame:
    """Try all 1,024 filters of small interactions."""
    return widen(build_largest_filter_table(interactions=interactions, seed=seed))


@paper.adds(
    "Section 4.1, Equation 15",
    over=all_filters,
)
def largest_filter(filters: pd.DataFrame) -> Finding:
    """The Bayesian filter is the largest. Every filter that is epsilon_g-LDP accepts only what
    Equation 15 accepts. Checked, as the number of exceptions, on all 1,024 filters of each small
    interaction, in exact fractions.
    """
    beyond = filters["private_beyond"].sum() + filters["bayesian_not_private"].sum()
    return bounded([beyond], at_most=0, sharp=int(filters["smaller"].sum()), sharp_wanted=500)


def _build_adversary(
    budget_nats: float, delta: float, epsilons_nats: Sequence[float], values: int, depth: int
) -> dict[str, Any]:
    names = ("budget_nats", "delta", "epsilon_nats", "values", "depth")
    return dict(zip(names, (budget_nats, delta, epsilons_nats, values, depth), strict=True))


def _find_epsilon_nats(budget_nats: float, delta: float, share: float) -> float:
    """Find the randomized response about one bit that alone takes a share of delta."""
    factor = math.exp(budget_nats)
    truth = (share * delta + factor) / (1 + factor)
    return math.log(truth / (1 - truth))


# Two queries at the edge of the allowance: one that fits by 1 %, and one that is beyond it by 2 %.
_NEAR = [_find_epsilon_nats(0.7, 0.05, share) for share in (0.99, 1.02)]


@universe(
    smoke={
        "settings": [
            _build_adversary(0.7, 0.05, (0.1, 0.5, 0.7), 2, 3),
            _build_adversary(1.0, 0.2, (0.5,), 2, 6),
            _build_adversary(0.5, 0.1, (0.25, 0.5), 3, 3),
            _build_adversary(0.7, 0.05, _NEAR, 2, 2),
        ]
    },
    paper={
        "settings": [
            _build_adversary(0.7, 0.05, (0.1, 0.5, 0.7), 2, 4),
            _build_adversary(1.0, 0.2, (0.5,), 2, 6),
            _build_adversary(1.0, 0.5, (0.25, 0.5), 2, 6),
            _build_adversary(0.5, 0.1, (0.25, 0.5), 3, 4),
            _build_adversary(0.7, 0.05, _NEAR, 2, 2),
        ]
    },
    least={"settings": 1},
)
def adversaries(settings: Sequence[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], Fraction]]:
    """Find the largest delta of any adaptive adversary; budgets and guarantees in nats."""
    return [(each, find_best_adversary(each)) for each in settings]


@universe()
def finished() -> pd.DataFrame:
    """Let adversaries end with a query that takes all that is left of delta."""
    return widen(build_finished_table())


@universe()
def known_streams() -> pd.DataFrame:
    """Count the answers of the best filter of a known stream, and of ours with a plan."""
    return widen(build_best_table())


@paper.adds(
    "Section 4.3, a filter that depends on outputs",
    over=adversaries,
)
def output_dependent(adversaries: list[tuple[Mapping[str, Any], Fraction]]) -> Finding:
    """A filter that divides delta among outputs, more of it to the unlucky ones, keeps Definition
    4.6 against every adaptive adversary. Checked, as the number of excesses, against the best one
    by dynamic programming over all histories, in fractions.
    """
    return for_all(
        at_most(reached, Fraction(setting["delta"]), setting) for setting, reached in adversaries
    )


@paper.adds(
    "Section 4.3, all of delta",
    over=finished,
)
def output_dependent_spent(finished: pd.DataFrame) -> Finding:
    """What that filter accepts uses delta up, with a plan and without: an adversary whose last
    query, after each history, takes all that is left reaches delta, and no more.
    """
    return bounded(finished["share_of_delta"].tolist(), at_least=0.99, at_most=1.0)


@paper.adds(
    "Section 4.3, the best filter of a known stream",
    over=known_streams,
)
def best_delta(streams: pd.DataFrame) -> Finding:
    """Of equal randomized responses about one bit, the (epsilon, delta) filter that answers most on
    average answers a fixed number whatever comes, as many as may be, one more by a coin, and then
    as the Bayesian filter. Checked, as the distance of this closed form from the optimum of a
    linear programme over all histories.
    """
    why = "the solver's tolerance and rounding; a coin of the rule is worth 0.4 answers or more"
    return equals(streams["linear_error"], 0, within=Margin(1e-9, why))


@paper.adds(
    "Section 4.3, what a plan gains",
    over=known_streams,
)
def best_delta_shipped(streams: pd.DataFrame) -> Finding:
    """OutputDependentFilter with a plan never answers more than that optimum, on average; the most
    by which it is above.
    """
    return bounded(streams["above_best"].tolist(), at_most=0)


@paper.adds(
    "Section 4.3, where delta is 0.00001",
)
def best_delta_nothing() -> Finding:
    """Where delta is 0.00001, no filter gains a hundredth of an answer over the Bayesian one on
    average.
    """
    settings = [each for each in GAIN_SETTINGS if each["delta"] == 1e-5]
    gains = widen(build_gain_table(settings=settings))
    return bounded(gains["possible"].tolist(), at_most=0.01)


@paper.adds(
    "Section 6.1, our bound",
    figure="knowledge/grouping",
    over=accepted,
)
def sec6_1_bound(accepted: pd.DataFrame) -> Finding:
    """With both extremes in groups of 10, nine runs in ten accept fewer than 47 linear regressions,
    by likelihoods at points of the box, so that no tighter solver changes the median of that
    reading.
    """
    found = read_accepted(accepted, "linear", "both", "p90", basis="possible")
    return bounded([each.value for each in found], at_most=46)


@paper.adds(
    "Section 6.1, without groups",
    figure="knowledge/fig1",
    over=accepted_linear,
)
def sec6_1_median_no_groups(counts: pd.DataFrame) -> Finding:
    """Linear regressions have no need of groups, and without them the filter accepts more than the
    47 of Section 6.1 in the median of 50 runs.
    """
    certified = select(
        counts,
        **{"group": 0, "filter": "bayesian", "basis": "certified", "runs": 50},
        **{"budget_nats": 1.0, "statistic": "median"},
    )
    return within(list_estimates(certified), 48, math.inf)


@paper.adds(
    "Fig. 1b, linearity, our finding",
    reading="no groups",
    figure="knowledge/grouping",
    over=growth,
    limits=(Limit("fig1b_linear", "the experiment has groups, in every reading of Appendix C"),),
)
def fig1b_artefact(growth: pd.DataFrame) -> Finding:
    """The linearity comes from the groups. Without them the number of accepted linear regressions
    grows like the square of the budget.
    """
    slopes = select(growth, regression="linear", grouped="none", basis="certified")
    return bounded(slopes["value"].tolist(), at_least=1.4142)


@paper.adds(
    "Section 6.2, our bound",
    figure="knowledge/grouping",
    over=accepted,
)
def sec6_2_bound(accepted: pd.DataFrame) -> Finding:
    """By likelihoods at points of the box, no sound filter, in groups or without, accepts 21
    logistic regressions in any of the runs.
    """
    found = read_accepted(accepted, "logistic", "none", "most", basis="possible")
    return bounded([each.value for each in found], at_most=20)


@paper.adds(
    "Section 6.2, with smaller parameters",
    figure="knowledge/composition_scan",
    over=scan,
)
def sec6_2_median_small_parameters(scan: pd.DataFrame) -> Finding:
    """With parameters from U[-1, 1], in place of U[-10, 10], 21 is within what is to be expected of
    the median.
    """
    why = "the interval is 95% likely to hold the median of 50 other runs"
    return hold(read_scan(scan), 21, within=Margin(0, why))


@paper.adds(
    "Section 6.2, Fig. 1c, by how much",
    figure="knowledge/grouping",
    over=accepted,
)
def fig1c_behind(accepted: pd.DataFrame) -> Finding:
    """In some run of each reading the loss is behind by less than a query of 0.1, so that the
    figure's two lines would coincide; ten queries are accepted, as by basic composition, and never
    fewer.
    """
    found = read_accepted(accepted, "logistic", READINGS, "least")
    return equals([each.value for each in found], 10)


@paper.adds(
    "Appendix E, our certificates",
    figure="knowledge/health",
    over=losses_of_answers,
)
def appendix_e_certified(losses: pd.DataFrame) -> Finding:
    """The certified bounds of each of the 16 losses are no more than 1e-6 apart."""
    return bounded(select(losses, statistic="width")["value"].tolist(), at_most=1e-6)


@paper.adds(
    "Section 7, the shortest stream",
    over=streams,
)
def filters_shortest(streams: pd.DataFrame) -> Finding:
    """Four queries are enough for the Bayesian filter to be behind basic composition, and fewer are
    not. Checked on all streams of a lattice under a budget of eight units.
    """
    chosen = select(
        streams,
        filter="bayesian",
        least_units=1,
        most_units=[4, 5, 6, 7, 8],
        budget_units=8,
    )
    return equals(chosen["shortest"].min(), 4)


@paper.adds(
    "Section 7, a filter that is never behind",
    figure="knowledge/filters",
    over=streams,
)
def filters_safe(streams: pd.DataFrame) -> Finding:
    """SafeFilter, which keeps in reserve what basic composition may still spend, keeps the budget,
    is behind on no stream, and accepts queries that basic composition rejects. Checked on all
    streams of a lattice, as the number of losses above the budget, and the most answers by which it
    is behind. That no larger filter has this property is proven.
    """
    chosen = select(streams, filter="safe")
    found = [*chosen["lead"], *chosen["over_budget"]]
    beyond = int(chosen["beyond_basic"].sum())
    return bounded(found, at_most=0, sharp=beyond, sharp_wanted=5000)


@paper.adds(
    "Section 7, answers to ordinary streams",
    figure="knowledge/filters",
    over=ordinary,
)
def filters_mean(ordinary: pd.DataFrame) -> Finding:
    """Where guarantees differ by more than a factor of two, it also answers more than the Bayesian
    filter on average, in random streams of randomized responses that go on after a rejection.
    """
    more = select(
        ordinary,
        mix=["0.05 to 0.8", "0.02 and 1"],
        filter="safe",
        statistic="more_than_bayesian",
    )
    return within(list_estimates(more, "mix"), 0, math.inf)


@paper.adds(
    "Section 7, answers to streams of similar guarantees",
    figure="knowledge/filters",
    over=ordinary,
)
def filters_mean_alike(ordinary: pd.DataFrame) -> Finding:
    """Where all guarantees lie within a factor of two, so that the Bayesian filter is never behind,
    the safe one answers fewer on average.
    """
    more = select(ordinary, mix="0.2 and 0.3", filter="safe", statistic="more_than_bayesian")
    return within(list_estimates(more, "mix"), -math.inf, 0)
