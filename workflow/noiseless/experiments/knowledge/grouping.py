"""What Appendix C groups, and what comes of it (``knowledge``, Sections 6.1 and 6.2, Appendix C).

The filter of Section 6.1 "groups every 10 regressions to reduce computation (see Section C)".
Appendix C begins with "the extrema of P(x)", but its only formula, Equation 26, is about the
maximum.  An extreme that is not grouped is that of all answers together.  Every choice is sound,
because a product of the groups' maxima is never below the maximum of the product, nor a product of
their minima above its minimum.

1. :class:`OneExtremeGrouped` accounts with groups for one extreme alone.
2. :func:`counts_table` counts the queries that are accepted with one extreme in groups.
   :mod:`noiseless.experiments.knowledge.composition` has counted those of both extremes in groups
   and of none, on the same streams.
3. :func:`grouping_tables` summarises the counts of every reading, and how they grow with the
   budget.
4. :func:`index_table` lists the queries that Equation 26 puts into groups.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy.stats import betabinom
from tqdm import tqdm

from noiseless.accounting import streams
from noiseless.accounting.queries import Query, log_likelihood_of_answers
from noiseless.accounting.realized_loss import (
    LossAccount,
    LossBounds,
)
from noiseless.accounting.streams import accepted_queries, account_run, query_stream
from noiseless.errors import ConfigError
from noiseless.seeds import generator
from noiseless.statistics import CONFIDENCE, Estimate
from noiseless.tables import tidy

BOTH, MAXIMUM, MINIMUM, NEITHER = "both", "maximum", "minimum", "none"
GROUPED = (BOTH, MAXIMUM, MINIMUM, NEITHER)
BASES = ("certified", "possible")
_RESAMPLES = 2_000

Answer = tuple[Query, int]


class OneExtremeGrouped:
    """Account with groups of queries for one extreme of the likelihood, and none for the other.

    With the maximum grouped the loss is bounded by ``sum over groups of log max P_group - log min
    P``, with the minimum grouped by ``log max P - sum over groups of log min P_group``.  The bounds
    of the accounts behind it are of losses, not of extremes, but come with points of the domain:
    ``upper`` plus the log-likelihood of any point is at least the maximum, and that of any point
    minus ``upper`` is at most the minimum.  Neither is above the sum of all epsilons, because the
    bound with both extremes grouped is not.

    Parameters
    ----------
    new_account : callable
        Makes an empty account.
    size : int
        Queries in a group.
    extreme : str
        The one that is grouped, ``maximum`` or ``minimum``.

    Raises
    ------
    ConfigError
        If the extreme is neither.
    """

    def __init__(self, new_account: Callable[[], LossAccount], size: int, extreme: str) -> None:
        if extreme not in (MAXIMUM, MINIMUM):
            raise ConfigError(
                f"{extreme!r} is no extreme of a likelihood; it must be {MAXIMUM} or {MINIMUM}."
            )
        self._new_account = new_account
        self._size = size
        self._extreme = extreme
        self._all = new_account()
        self._all_answers: list[Answer] = []
        self._open = new_account()
        self._open_answers: list[Answer] = []
        self._closed = (0.0, 0.0)

    @property
    def worst_case_nats(self) -> Fraction:
        """Sum of all epsilons, in nats."""
        return self._all.worst_case_nats

    def require(self, query: Query) -> None:
        """Refuse a query that the accounts behind it refuse."""
        self._all.require(query)

    def bounds(self) -> LossBounds:
        """Bounds of the loss with one extreme grouped."""
        return self._join(
            self._all.bounds(),
            self._all_answers,
            self._open.bounds(),
            self._open_answers,
            self.worst_case_nats,
        )

    def bounds_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """The same if ``query`` were answered by ``output``; as tight whatever the ``limit``."""
        answer = (query, output)
        return self._join(
            self._all.bounds_after(query, output),
            [*self._all_answers, answer],
            self._open.bounds_after(query, output),
            [*self._open_answers, answer],
            self.worst_case_nats + Fraction(query.epsilon_nats),
        )

    def add(self, query: Query, output: int) -> None:
        """Record an output that was released."""
        for account, answers in (
            (self._all, self._all_answers),
            (self._open, self._open_answers),
        ):
            account.add(query, output)
            answers.append((query, output))
        if len(self._open_answers) == self._size:
            lower, upper = self._grouped(self._open.bounds(), self._open_answers)
            self._closed = (self._closed[0] + lower, self._closed[1] + upper)
            self._open, self._open_answers = self._new_account(), []

    def _grouped(self, bounds: LossBounds, answers: Sequence[Answer]) -> tuple[float, float]:
        """Bounds of what a group adds: its log-maximum, or minus its log-minimum."""
        most, least = _log_likelihoods(answers, (bounds.most_likely, bounds.least_likely))
        if self._extreme == MAXIMUM:
            return most, bounds.upper + least
        return -least, bounds.upper - most

    def _join(
        self,
        overall: LossBounds,
        all_answers: Sequence[Answer],
        group: LossBounds,
        open_answers: Sequence[Answer],
        spent: Fraction,
    ) -> LossBounds:
        most, least = _log_likelihoods(all_answers, (overall.most_likely, overall.least_likely))
        lower, upper = self._grouped(group, open_answers)
        if self._extreme == MAXIMUM:
            rest = (-least, overall.upper - most)
        else:
            rest = (most, overall.upper + least)
        return LossBounds(
            lower=max(0.0, self._closed[0] + lower + rest[0]),
            upper=min(self._closed[1] + upper + rest[1], math.nextafter(float(spent), math.inf)),
            most_likely=overall.most_likely,
            least_likely=overall.least_likely,
            nodes=overall.nodes + group.nodes,
            converged=overall.converged and group.converged,
        )


def _log_likelihoods(
    answers: Sequence[Answer], points: Sequence[Sequence[float]]
) -> tuple[float, ...]:
    return tuple(log_likelihood_of_answers(answers, np.array(points, dtype=float)).tolist())


def new_account(
    grouped: str, *, dimensions: int, size: int, tolerance: float, node_limit: int
) -> LossAccount:
    """Empty account of an object in [-1, 1]^d, with these extremes in groups of ``size``."""

    def grouped_by(group: int) -> LossAccount:
        return streams.new_account(dimensions, group, tolerance, node_limit)

    if grouped in (NEITHER, BOTH):
        return grouped_by(size if grouped == BOTH else 0)
    return OneExtremeGrouped(lambda: grouped_by(0), size, grouped)


def counts_table(
    *,
    regression: str,
    extreme: str,
    dimensions: int,
    parameter_range: float,
    epsilon_nats: float,
    budgets_nats: Sequence[float],
    size: int,
    runs: Sequence[int],
    tolerance: float,
    node_limit: int,
    seed: int,
) -> pd.DataFrame:
    """Queries that the Bayesian filter accepts with one extreme of the likelihood in groups.

    Parameters
    ----------
    regression, extreme : str
        ``linear`` or ``logistic``; ``maximum`` or ``minimum``.
    dimensions : int
        Of the object.
    parameter_range : float
        The r of the regression's parameters, drawn from U[-r, r].
    epsilon_nats : float
        LDP guarantee of each query.
    budgets_nats : sequence of float
        Privacy budgets epsilon_g.
    size : int
        Queries in a group.
    runs : sequence of int
        As for composition, whose first streams these are: as many as the largest number.
    tolerance, node_limit
        Of the certified bounds.
    seed : int

    Returns
    -------
    DataFrame
        Cells (regression, grouped, basis, run, budget_nats), statistic ``accepted``; ``grouped`` is
        the extreme, and the basis one of :data:`BASES`.
    """
    budgets = np.sort(np.asarray(budgets_nats, dtype=float))
    rows = []
    for run in tqdm(range(max(runs)), desc=f"{regression}, {extreme} grouped"):
        stream = query_stream(
            regression,
            dimensions=dimensions,
            parameter_range=parameter_range,
            epsilon_nats=epsilon_nats,
            seed=seed,
            run=run,
        )
        account = new_account(
            extreme, dimensions=dimensions, size=size, tolerance=tolerance, node_limit=node_limit
        )
        steps = account_run(stream, account, budgets)
        for basis, column in zip(BASES, ("bayesian", "bayesian_possible"), strict=True):
            accepted = accepted_queries(steps[column].to_numpy(), budgets)
            rows += [
                (regression, extreme, basis, run, *each)
                for each in zip(budgets.tolist(), accepted.tolist(), strict=True)
            ]
    cells = ["regression", "grouped", "basis", "run", "budget_nats"]
    return tidy(pd.DataFrame(rows, columns=[*cells, "accepted"]), cells)


def grouping_tables(
    counts_linear: pd.DataFrame,
    counts_logistic: pd.DataFrame,
    maximum_linear: pd.DataFrame,
    maximum_logistic: pd.DataFrame,
    minimum_linear: pd.DataFrame,
    minimum_logistic: pd.DataFrame,
    *,
    epsilon_nats: float,
    budgets_nats: Sequence[float],
    size: int,
    printed_runs: int,
    index_queries: Sequence[int],
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Accepted queries of the Bayesian filter in every reading of Appendix C.

    Parameters
    ----------
    counts_linear, counts_logistic : DataFrame
        Tables ``knowledge/composition_counts_linear`` and ``_logistic``.
    maximum_linear, maximum_logistic, minimum_linear, minimum_logistic : DataFrame
        From :func:`counts_table`, of each extreme and regression.  All six are made with the same
        settings and numbers of runs.
    epsilon_nats : float
        LDP guarantee of each query.
    budgets_nats : sequence of float
        Privacy budgets epsilon_g, at least two.
    size : int
        Queries in a group.
    printed_runs : int
        Runs of the paper.
    index_queries : sequence of int
        Argument of :func:`index_table`.
    seed : int

    Returns
    -------
    dict
        ``accepted``: cells (regression, grouped, basis, budget_nats), where ``grouped`` is one of
        :data:`GROUPED`; statistics ``median``, ``p10``, ``p90``, ``least`` and ``most`` accepted
        queries, and ``factor``, the median over what basic composition accepts; the median and the
        factor have intervals, which hold those of ``printed_runs`` other runs.

        ``growth``: cells (regression, grouped, basis), statistic ``slope_ratio``: by how much
        faster the median grows over the upper half of the budgets' range than over the lower half.
        It is 1 for a straight line and 2 for a parabola with its vertex at 0, over budgets from a
        fifth of the largest.  ``low`` and ``high`` hold 95 % of its values over resampled runs.

        ``index``: from :func:`index_table`.

    Raises
    ------
    ConfigError
        If there are fewer than two budgets, or a table lacks the counts without groups, with groups
        of ``size``, or at a budget.
    """
    budgets = np.sort(np.asarray(budgets_nats, dtype=float))
    if len(budgets) < 2:
        raise ConfigError("the growth with the budget needs at least two budgets_nats.")
    basic = np.floor(budgets / epsilon_nats * (1 + 1e-9))
    tables = {
        "linear": (counts_linear, maximum_linear, minimum_linear),
        "logistic": (counts_logistic, maximum_logistic, minimum_logistic),
    }
    accepted, growth = [], []
    for regression, (composed, maximum, minimum) in tables.items():
        readings = {
            BOTH: _counts_of_composition(composed, size, budgets),
            MAXIMUM: _counts_by_basis(maximum, budgets),
            MINIMUM: _counts_by_basis(minimum, budgets),
            NEITHER: _counts_of_composition(composed, 0, budgets),
        }
        for grouped in GROUPED:
            for basis, counts in readings[grouped].items():
                cell = {"regression": regression, "grouped": grouped, "basis": basis}
                accepted += [
                    {**cell, "budget_nats": float(budget), **row}
                    for budget, each, floor in zip(budgets, counts.T, basic, strict=True)
                    for row in _count_rows(each, float(floor), printed_runs)
                ]
                growth.append({**cell, **_growth_row(counts, budgets, seed)})
    return {
        "accepted": pd.DataFrame(accepted),
        "growth": pd.DataFrame(growth),
        "index": index_table(size=size, queries=index_queries),
    }


def _counts_of_composition(
    counts: pd.DataFrame, group: int, budgets_nats: np.ndarray
) -> dict[str, np.ndarray]:
    """Accepted queries by basis, shape (runs, budgets), from the table of composition."""
    found = counts[counts["group"] == group]
    if found.empty or not set(budgets_nats) <= set(found["budget_nats"]):
        raise ConfigError(
            f"the counts of composition have the groups {sorted(set(counts['group']))} and the "
            f"budgets {sorted(set(counts['budget_nats']))}, but the readings of Appendix C need "
            f"the group {group} and the budgets {budgets_nats.tolist()}. Add to "
            "knowledge.composition.groups 0 and knowledge.grouping.size."
        )
    return _counts_by_basis(found, budgets_nats)


def _counts_by_basis(counts: pd.DataFrame, budgets_nats: np.ndarray) -> dict[str, np.ndarray]:
    """Accepted queries by basis, shape (runs, budgets)."""
    wide = counts.pivot(index=["basis", "run"], columns="budget_nats", values="value")
    return {basis: wide.loc[basis][budgets_nats].to_numpy().astype(int) for basis in BASES}


def median_of_others(counts: np.ndarray, others: int, confidence: float = CONFIDENCE) -> Estimate:
    """The median of N runs, with where the median of n others lies.

    Whatever the distribution, the number of n runs that lie below the k-th smallest of N others is
    beta-binomial with the parameters n, k and N + 1 - k (ties only add to the probability that the
    interval holds); :func:`~noiseless.statistics.median_of_runs` is the case n = N.

    Parameters
    ----------
    counts : ndarray, shape (N,)
    others : int
        n.
    confidence : float
        Probability, at least, that the other median lies between the ends, which are NaN where N is
        too small.
    """
    ordered, number = np.sort(np.asarray(counts, dtype=float)), len(counts)
    ranks = np.arange(1, number + 1)
    half = (others + 1) // 2
    # The other median is at least its `half`-th smallest: below our k-th if `half` of them are.
    too_high = betabinom.sf(half - 1, others, ranks, number + 1 - ranks)
    rank = int((too_high <= (1 - confidence) / 2).sum())
    ends = (ordered[rank - 1], ordered[-rank]) if rank else (math.nan, math.nan)
    return Estimate(float(np.median(ordered)), *map(float, ends), "runs")


def _count_rows(counts: np.ndarray, basic: float, printed_runs: int) -> list[dict]:
    median = median_of_others(counts, printed_runs)
    factor = median.scaled(1 / basic)
    p10, p90 = np.percentile(counts, (10, 90))
    rows = [
        {"statistic": name, "value": each.value, "low": each.low, "high": each.high}
        for name, each in (("median", median), ("factor", factor))
    ]
    plain = {"p10": p10, "p90": p90, "least": counts.min(), "most": counts.max()}
    return rows + [
        {"statistic": name, "value": float(value), "low": math.nan, "high": math.nan}
        for name, value in plain.items()
    ]


def _growth_row(counts: np.ndarray, budgets_nats: np.ndarray, seed: int) -> dict:
    rng = generator(seed, "grouping", "growth")
    picked = rng.integers(0, len(counts), (_RESAMPLES, len(counts)))
    resampled = _slope_ratio(np.median(counts[picked], axis=1), budgets_nats)
    low, high = np.percentile(resampled, (2.5, 97.5))
    value = _slope_ratio(np.median(counts, axis=0)[None], budgets_nats)[0]
    return {"statistic": "slope_ratio", "value": value, "low": low, "high": high}


def _slope_ratio(medians: np.ndarray, budgets_nats: np.ndarray) -> np.ndarray:
    """Growth over the upper half of the budgets by that over the lower half, shape (m, b) to (m,).

    The range begins at a fifth of the largest budget, below which basic composition accepts one
    query.
    """
    most = budgets_nats[-1]
    ends = np.array([0.2, 0.6, 1.0]) * most
    at = np.array([np.interp(ends, budgets_nats, row) for row in medians])
    return (at[:, 2] - at[:, 1]) / np.maximum(at[:, 1] - at[:, 0], 1e-9)


def index_table(*, size: int, queries: Sequence[int]) -> pd.DataFrame:
    """The queries in the groups of Equation 26, with its index as printed and corrected.

    As printed, the groups are of the factors i + 1, ..., i + m, for i = m k + 1 up to n; corrected,
    of the factors i, ..., i + m - 1.

    Parameters
    ----------
    size : int
        m, the queries in a group.
    queries : sequence of int
        Numbers n of accepted queries.

    Returns
    -------
    DataFrame
        Cells (index, queries), with indices ``printed`` and ``corrected``.  Statistics:
        ``missing``, queries among 1, ..., n that are in no group; ``repeated``, those in several;
        ``first``, the first one that is in a group; and ``beyond``, groups whose first factor is
        beyond n, so that the group has no query at all.
    """
    rows = []
    for name, shift in (("printed", 1), ("corrected", 0)):
        for n in queries:
            starts = range(1, n + 1, size)
            groups = [range(i + shift, i + shift + size) for i in starts]
            times = [sum(query in group for group in groups) for query in range(1, n + 1)]
            rows.append(
                {
                    "index": name,
                    "queries": n,
                    "missing": times.count(0),
                    "repeated": sum(each > 1 for each in times),
                    "first": min(group.start for group in groups),
                    "beyond": sum(group.start > n for group in groups),
                }
            )
    return tidy(pd.DataFrame(rows), ["index", "queries"])
