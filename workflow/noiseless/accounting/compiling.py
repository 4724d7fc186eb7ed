"""Compilation of the certified bounds, once before several jobs need them."""

from noiseless.accounting.queries import Box, LinearQuery, LogisticQuery, TruncatedLinearQuery
from noiseless.accounting.realized_loss import BoxAccount


def compile_bounds() -> None:
    """Compile the bounds of all kinds of queries on small losses; numba caches the code."""
    box, slope = Box((-1.0, -1.0), (1.0, 1.0)), (0.5, -0.25)
    streams = (
        [LogisticQuery(slope, each, 0.5) for each in (-0.5, 0.0, 0.5)],
        [LinearQuery(slope, 0.1, 0.5, -1.0, 1.0)],
        [TruncatedLinearQuery(slope, 0.1, 0.5, -0.1, 0.1)],
    )
    for queries in (*streams, [query for stream in streams for query in stream]):
        account = BoxAccount(box)
        for query in queries:
            account.add(query, 0)
        account.bound_loss()
