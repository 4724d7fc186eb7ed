"""Simulated answers of one object to a stream of queries under a privacy filter.

This module is for simulations and for learning what a filter does, not for a service about people:
the record is lost when the process ends, and the answers come from pseudo-random numbers.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from noiseless.accounting.filters import PrivacyFilter
from noiseless.accounting.queries import TableQuery, _Regression
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import (
    convert_to_floats,
    create_generator,
    require_kind,
    require_list,
)


def answer_queries(
    queries: Iterable[_Regression],
    value: ArrayLike,
    privacy_filter: PrivacyFilter,
    rng: np.random.Generator | int | None = None,
) -> list[int | None]:
    """Answer the queries that a filter accepts for one object; return one bit or None per query.

    Parameters
    ----------
    queries : iterable of LinearQuery, TruncatedLinearQuery or LogisticQuery
        The queries, in the order in which they are asked.
    value : array_like, shape (d,)
        The object's value, a point of the filter's domain.
    privacy_filter : PrivacyFilter
        Decides on each query before its answer is drawn, and records the answers.  Afterwards its
        :meth:`~noiseless.accounting.filters.PrivacyFilter.bound_loss` is the realized loss, in
        nats.
    rng : Generator or int, optional
        Generator of the answers; an int is the seed of a new generator.  None: draw a seed.

    Returns
    -------
    list of int or None
        0 or 1 for each query, None where the filter refused it.

    Raises
    ------
    ConfigError
        If a query cannot be asked of every value of the domain, or is not a regression.
    DataError
        If the value is not a list of d numbers, or its response lies outside the query's interval.

    Examples
    --------
    >>> from noiseless.accounting.filters import BayesianFilter
    >>> from noiseless.accounting.queries import Box, LinearQuery
    >>> query = LinearQuery([0.5, 0.5], 0, epsilon_nats=0.4, low=0, high=1)
    >>> privacy_filter = BayesianFilter(1.0, Box([0, 0], [1, 1]))
    >>> answer_queries([query] * 6, [0.9, 0.9], privacy_filter, rng=1)
    [1, 0, 1, 0, 1, 1]
    >>> privacy_filter.bound_loss().upper <= 1.0
    True

    If a stream continues after a refusal, no filter answers the most queries on all streams. Here
    one of two queries takes the loss to the budget of log 4, whatever the earlier output; the
    Bayesian filter accepts it, and then refuses queries that basic composition still answers.
    :class:`~noiseless.accounting.filters.SafeFilter` never answers fewer than basic composition:

    >>> from math import log
    >>> from noiseless.accounting.filters import BasicFilter, SafeFilter
    >>> from noiseless.accounting.queries import FiniteDomain
    >>> first, small = (LinearQuery([1.0], 0, log(ratio), 0, 1) for ratio in (2, 7 / 5))
    >>> closing = [LinearQuery([7 / 13], start / 13, log(14), 0, 1) for start in (6, 0)]
    >>> for kind in (BasicFilter, BayesianFilter, SafeFilter):
    ...     privacy_filter = kind(log(4), FiniteDomain(((0.0,), (1.0,))))
    ...     outputs = answer_queries([first, *closing, small, small], [1.0], privacy_filter, rng=1)
    ...     print(kind.__name__, sum(output is not None for output in outputs))
    BasicFilter 3
    BayesianFilter 2
    SafeFilter 3
    """
    rng = create_generator(rng)
    queries = require_list("queries", queries, "a list of queries")
    require_kind("privacy_filter", privacy_filter, PrivacyFilter, "a filter, as BayesianFilter is")
    outputs: list[int | None] = []
    point = np.atleast_2d(convert_to_floats(value, "the coordinates of the value"))
    for query in queries:
        if isinstance(query, TableQuery) or not hasattr(query, "mechanism"):
            raise ConfigError(
                f"`queries` must be linear or logistic, got {type(query).__name__}. Record "
                "answers to other queries with the filter's `record`."
            )
        if not privacy_filter.accepts(query):
            outputs.append(None)
            continue
        output = int(query.mechanism.report(query.compute_response(point), rng)[0])
        privacy_filter.record(query, output)
        outputs.append(output)
    return outputs
