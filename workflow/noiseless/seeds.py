"""Keyed randomness: one independent stream per key of a table's row.

A cell's stream depends on the configured seed and on the cell's own coordinates, and on nothing
else: not on the number of cores, the order of jobs, or which other cells are computed.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

import numpy as np

from noiseless.errors import ConfigError

Case = TypeVar("Case", bound=Hashable)
_MAX_REPEATS = 10_000  # draws in a row that bring nothing new


def make_generator(seed: int, *coordinates: str | int | float) -> np.random.Generator:
    """Create the random generator of the stream with the key ``coordinates``.

    The coordinates name the cell, for instance ``"membership", "n", 4, "eps", 2``; ``1`` is not
    ``1.0`` and not ``"1"``.  The generator is the same for equal arguments; statistically
    independent otherwise.
    """
    key = hashlib.sha256(repr(coordinates).encode()).digest()
    spawn_key = tuple(int.from_bytes(key[i : i + 4], "little") for i in range(0, 32, 4))
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=spawn_key))


def draw_different(draw: Callable[[], Case], count: int) -> Iterator[Case]:
    """Draw random cases until there are ``count`` different ones; yield each once, as it comes.

    Thousands of draws in a row that bring no new case, because there are hardly any others, are a
    ConfigError.
    """
    drawn: set[Case] = set()
    repeats = 0
    while len(drawn) < count:
        case = draw()
        repeats = repeats + 1 if case in drawn else 0
        if repeats > _MAX_REPEATS:
            raise ConfigError(
                f"only {len(drawn)} different random cases were found, but {count} are asked for. "
                "Ask for fewer, or for larger ones."
            )
        if not repeats:
            drawn.add(case)
            yield case
