"""Numbers of records that share each key: uniqueness and k-anonymity.

1. :func:`count_group_sizes` counts keys that fit in memory, by sorting them.
2. :func:`compute_share_below` reads off the share of records in groups smaller than k; k = 2 is
   uniqueness, and a table is k-anonymous when the share is 0.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noiseless.arrays import Ints


@dataclass(frozen=True)
class GroupSizes:
    """Sizes of groups that occur, ascending, and the number of groups of each."""

    size: Ints
    groups: Ints

    @property
    def records(self) -> int:
        """Number of records in all groups."""
        return int((self.size * self.groups).sum())

    @property
    def keys(self) -> int:
        """Number of groups, that is, of different keys."""
        return int(self.groups.sum())


def count_group_sizes(keys: ArrayLike) -> GroupSizes:
    """Count the groups of records that share a key, by their size."""
    ordered = np.sort(_shift_to_32_bits(np.asarray(keys)))
    starts = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    groups = np.bincount(np.diff(starts, prepend=0, append=len(ordered)))
    groups[0] = 0  # where there is no record, there is no group of none
    size = np.flatnonzero(groups)
    return GroupSizes(size, groups[size])


def _shift_to_32_bits(keys: Ints) -> NDArray[Any]:
    """Shift keys to 32 bits where they fit, which sort in half the time."""
    if keys.size:
        least = int(keys.min())
        if int(keys.max()) - least < 2**32:
            return (keys - least).astype(np.uint32)
    return keys


def compute_share_below(sizes: GroupSizes, k: int) -> float:
    """Compute the share of records in groups smaller than k; 0 where there is no record."""
    small = sizes.size < k
    return float((sizes.size * sizes.groups)[small].sum() / max(1, sizes.records))
