"""The adversary of the membership game who knows every other home: none is better.

It knows the published cells, the readings of both candidates and those of all other homes.  A
candidate whose sum leaves a cell is ruled out.  The mechanism is deterministic, so that the
advantage is the probability that the two candidates give different outputs.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def consistent(cells: Ints, candidate_cells: Ints) -> NDArray[np.bool_]:
    """Whether each candidate could be the member, with every other home known.

    Parameters
    ----------
    cells : ndarray of int, shape (G, T)
        Numbers of the published cells.
    candidate_cells : ndarray of int, shape (G, 2, T)
        Those that would have been published with either candidate as the member.

    Returns
    -------
    ndarray of bool, shape (G, 2)
        True for the member.
    """
    return (candidate_cells == cells[:, None]).all(axis=-1)
