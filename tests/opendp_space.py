"""One real number and its distance, and a filter of queries, in the terms of OpenDP."""

import math

import opendp.prelude as dp

dp.enable_features("contrib")
SPACE = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def count_filter_queries(epsilon: float, budget: float, delta: float) -> int:
    """Count the randomized responses that OpenDP's filter lets through."""
    space = dp.atom_domain(T=bool), dp.discrete_distance()
    measurement = dp.m.make_randomized_response_bool(prob=1 / (1 + math.exp(-epsilon)))
    query = dp.c.make_pureDP_to_zCDP(measurement)
    low, high = 0.0, budget
    for _ in range(60):
        rho = 0.5 * (low + high)
        low, high = (rho, high) if compute_zcdp_filter_delta(rho, budget) <= delta else (low, rho)
    odometer = dp.c.make_fully_adaptive_composition(*space, dp.zero_concentrated_divergence())
    queryable = dp.c.make_privacy_filter(odometer, d_in=1, d_out=low)(True)
    count = 0
    while True:
        try:
            queryable(query)
        except dp.OpenDPException:
            return count
        count += 1


def compute_zcdp_filter_delta(rho: float, budget: float) -> float:
    """Compute the delta of OpenDP's conversion from zCDP."""
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=1), dp.l2_distance(T=float)
    noise = dp.m.make_gaussian(*space, scale=1 / math.sqrt(2 * rho))
    return dp.c.make_zCDP_to_approxDP(noise).map(1.0).delta(budget)
