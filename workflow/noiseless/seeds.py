"""Keyed randomness: one independent stream per key of a table's row.

A cell's stream depends on the configured seed and on the cell's own coordinates, and on nothing
else: not on the number of cores, the order of jobs, or which other cells are computed.
"""

import hashlib

import numpy as np


def make_generator(seed: int, *coordinates: str | int | float) -> np.random.Generator:
    """Create the random generator of the stream with the key ``coordinates``.

    Parameters
    ----------
    seed : int
        The ``seed`` of the configuration, 0 or larger.
    *coordinates : str, int or float
        What names the cell, for instance ``"membership", "n", 4, "eps", 2``.  Coordinates of
        different type are different cells: ``1`` is not ``1.0`` and not ``"1"``.

    Returns
    -------
    numpy.random.Generator
        The same for equal arguments; statistically independent otherwise.
    """
    key = hashlib.sha256(repr(coordinates).encode()).digest()
    spawn_key = tuple(int.from_bytes(key[i : i + 4], "little") for i in range(0, 32, 4))
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=spawn_key))
