"""Theorem 8 against the exact number of levels (``noiseless``, Section IV).

The other theorems are statements alone: see :mod:`.section_3`.
"""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from noiseless.mechanisms.families.quantizer import (
    compute_local_levels,
    compute_printed_levels,
    count_touched_bins,
)
from noiseless.tables import Rows, returns_table
from noiseless.theory.levels import compute_exact_levels


@returns_table("people", "epsilon_bits")
def build_levels_table(*, people: Sequence[int], epsilon_bits: Sequence[float]) -> Rows:
    """Compare the levels that Theorem 8 grants for the average of people with the exact number.

    ``values_*`` is the largest number of outputs while one person's data vary, by formula, and as
    ``*_counted`` by placing the interval at every position where a bin is entered or left.
    """
    for n, eps in itertools.product(people, epsilon_bits):
        share, allowed = Fraction(1, n), compute_local_levels(eps)
        printed = compute_printed_levels(eps, output_range=(0, 1), sensitivity=share)
        exact = compute_exact_levels(eps, output_range=(0, 1), sensitivity=share)
        levels = {"printed": printed, "exact": exact, "one_more": exact + 1}
        values = {
            name: count_touched_bins(q, output_range=1, sensitivity=share)
            for name, q in levels.items()
        }
        yield {
            "people": n,
            "epsilon_bits": float(eps),
            "levels_printed": printed,
            "levels_exact": exact,
            "values_allowed": allowed,
            "values_printed": values["printed"],
            "values_printed_counted": enumerate_touched_bins(printed, share),
            "values_exact": values["exact"],
            "values_exact_counted": enumerate_touched_bins(exact, share),
            "values_one_more": values["one_more"],
            **{f"excess_{name}": value - allowed for name, value in values.items()},
        }


def enumerate_touched_bins(levels: int, share: Fraction) -> int:
    """Count the most bins that an interval of a share of the range touches, at any position.

    Bins are closed on the left, the last one on both sides; the interval is closed.
    """
    # Lengths are in units of 1 / (2 denominator) of a bin.  Every start at which the interval
    # enters or leaves a bin is then an even number, and the starts between two of them are whole.
    bin_width = 2 * share.denominator
    width = 2 * levels * share.numerator
    max_start = levels * bin_width - width
    edges = np.arange(levels + 1) * bin_width
    changes = np.unique(np.concatenate([edges, edges - width, [0, max_start]]))
    changes = changes[(changes >= 0) & (changes <= max_start)]
    starts = np.concatenate([changes, (changes[:-1] + changes[1:]) // 2])
    first, last = (np.minimum(levels - 1, each // bin_width) for each in (starts, starts + width))
    return int((last - first).max()) + 1
