"""Optimal adversary of the membership game: it knows all homes but the two candidates' roles.

It knows the published cells, the readings of both candidates and those of all other homes.  A
candidate whose sum leaves a cell is ruled out.  The mechanism is deterministic, so that the
adversary is right wherever the two candidates give different outputs.
"""

import numpy as np

from noiseless.arrays import Bools, Ints
from noiseless.compiled import compile_njit


def find_distinguishable_pairs(k: Ints) -> Bools:
    """Return whether each two of M candidates give different releases, shape (..., M, M).

    ``k``, shape (..., M, T), is published with each of them as the member.  Where two differ, the
    adversary names the member; where not, a coin decides.
    """
    first = np.empty(k.shape[:-1], dtype=np.int64)
    _number_rows(np.ascontiguousarray(k).reshape(-1, *k.shape[-2:]), first.reshape(-1, k.shape[-2]))
    return first[..., :, None] != first[..., None, :]


@compile_njit(cache=True, nogil=True)
def _number_rows(k, first):  # noqa: ANN001, ANN202
    """Store the index of the first equal row of each row of k (D, M, T) in ``first`` (D, M)."""
    for d in range(len(k)):
        for row in range(k.shape[1]):
            first[d, row] = row
            for other in range(row):
                # A row that equals an earlier row need not be compared again.
                if first[d, other] == other and _is_equal(k[d, row], k[d, other]):
                    first[d, row] = other
                    break


@compile_njit(cache=True, nogil=True)
def _is_equal(one, other):  # noqa: ANN001, ANN202
    """Return whether two arrays of one length are equal; stops at the first difference."""
    t = 0
    while t < len(one) and one[t] == other[t]:
        t += 1
    return t == len(one)
