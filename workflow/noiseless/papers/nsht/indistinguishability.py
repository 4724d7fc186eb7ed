"""Levels (Figure 7) and leakage (Figure 8) of a quantized average (``nsht``, Section 6).

All numbers are exact.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from noiseless.tables import Rows, returns_table
from noiseless.theory.geometry import compute_min_slab_share
from noiseless.theory.levels import compute_indistinguishable_levels, count_differing_reports

# Numbers of people whose average is taken in Figures 7 and 8, and budgets in bits.
AVERAGED_PEOPLE = (2, 3, 4, 6, 8, 12, 16)
AVERAGE_BUDGETS_BITS = (1, 2, 3, 4, 5, 6)


@returns_table("people", "epsilon_bits")
def build_indistinguishability_table(
    *,
    people: Sequence[int] = AVERAGED_PEOPLE,
    epsilon_bits: Sequence[int] = AVERAGE_BUDGETS_BITS,
) -> Rows:
    """Compute the levels (Figure 7) and the leakage in nats (Figure 8) of a quantized average.

    Statistics: ``levels_printed`` (Theorem 5) and ``levels_exact``; ``differ_*``, the number of
    reports that distinguish two values of one person's data, for ``printed`` and ``exact`` levels
    and for ``one_more`` level than exact; ``excess_*``, this number minus 2^epsilon;
    ``leakage_nats``, L0(X;Y) of the printed levels, ``leakage_per_person_nats``, L0(X;Y)/n, and
    ``leakage_of_one_nats``, L0(Xi;Y).
    """
    for n, eps in itertools.product(people, epsilon_bits):
        printed = max(1, n * (2 ** (eps - 1) - 1))
        exact = compute_indistinguishable_levels(eps, n)
        differ = {
            name: count_differing_reports(levels, Fraction(1, n))
            for name, levels in (("printed", printed), ("exact", exact), ("one_more", exact + 1))
        }
        # The numerator and the denominator may be larger than any float.
        share = compute_min_slab_share(n, printed)
        leakage = math.log(share.denominator) - math.log(share.numerator)
        yield {
            "people": n,
            "epsilon_bits": eps,
            "levels_printed": printed,
            "levels_exact": exact,
            **{f"differ_{name}": value for name, value in differ.items()},
            **{f"excess_{name}": value - 2**eps for name, value in differ.items()},
            "leakage_nats": leakage,
            "leakage_per_person_nats": leakage / n,
            # The first report leaves each person the n/q least values of their range.
            "leakage_of_one_nats": max(0.0, math.log(printed / n)),
        }
