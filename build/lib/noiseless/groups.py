"""How many records share each key: uniqueness and k-anonymity, at any size.

1. :func:`group_sizes` counts keys that fit in memory, by sorting them.
2. :func:`portion_below` reads off the share of records in groups smaller than k; k = 2 is
   uniqueness, and a table is k-anonymous when the share is 0.
3. For more keys than memory holds, and for work that is shared: :func:`write_run` stores the
   counts of one batch, :func:`merge_runs` makes one run of many, and :func:`group_sizes_of_runs`
   counts the groups of all of them together.

Numbers of unique keys of two shards do not add up, because a key that is unique in each may be the
same one.  Therefore runs keep every key with its count.  They are sorted by a scrambled key
(multiplied by an odd number modulo 2^64, which no two keys share), so that equal keys meet in the
same slice of the range of 64-bit numbers, and slices are merged one by one.  Scrambling spreads
the keys evenly over the slices, and counting within a run makes a popular key take one place only:
neither skew nor duplicates can fill the memory.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noiseless.files import complete_file

_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: scatters consecutive keys
_PAIR = np.dtype([("key", "<u8"), ("records", "<u8")])
SLICE_RECORDS = 1 << 21  # keys that are merged at a time, from all runs together


@dataclass(frozen=True)
class GroupSizes:
    """Number of groups of each size.

    Attributes
    ----------
    size : ndarray of int
        Sizes that occur, from small to large.
    groups : ndarray of int, the same shape
        How many groups have that size.
    """

    size: NDArray[np.int64]
    groups: NDArray[np.int64]

    @property
    def records(self) -> int:
        """Records in all groups."""
        return int((self.size * self.groups).sum())

    @property
    def keys(self) -> int:
        """Groups, that is, different keys."""
        return int(self.groups.sum())


def group_sizes(keys: ArrayLike) -> GroupSizes:
    """Sizes of the groups of records that share a key.

    Parameters
    ----------
    keys : array_like of int, shape (n,)
        One key for each record.
    """
    return _sizes([_count(np.sort(np.asarray(keys)))[1]])


def portion_below(sizes: GroupSizes, k: int) -> float:
    """Share of the records that are in groups smaller than k; 0 where there is no record.

    Parameters
    ----------
    sizes : GroupSizes
        Of the records.
    k : int
        2 gives the share of unique records.
    """
    small = sizes.size < k
    return float((sizes.size * sizes.groups)[small].sum() / max(1, sizes.records))


def _count(ordered: NDArray) -> tuple[NDArray, NDArray[np.int64]]:
    """Different values of a sorted array, and how often each occurs."""
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
    return ordered[starts], np.diff(starts, append=len(ordered))


def _sizes(counts: Iterable[NDArray[np.int64]]) -> GroupSizes:
    """Number of groups of each size, from the sizes of groups in several pieces."""
    total: dict[int, int] = {}
    for piece in counts:
        values, numbers = _count(np.sort(piece))
        for value, number in zip(values.tolist(), numbers.tolist(), strict=True):
            total[value] = total.get(value, 0) + number
    size = np.array(sorted(total), dtype=np.int64)
    return GroupSizes(size, np.array([total[each] for each in size.tolist()], dtype=np.int64))


# --- More keys than memory holds --------------------------------------------------------------


def write_run(keys: ArrayLike, path: str | Path) -> None:
    """Store how often each key of a batch occurs.

    Parameters
    ----------
    keys : array_like of int, shape (n,)
        Up to some millions; the memory needed is about 40 bytes for each.
    path : path
        A ``.npy`` file of pairs (scrambled key, records), sorted by the former.
    """
    scrambled = np.asarray(keys, dtype=np.int64).view(np.uint64) * _ODD
    scrambled.sort()
    values, counts = _count(scrambled)
    with complete_file(path) as partial:
        np.save(partial, _run(values, counts))


def merge_runs(runs: Sequence[str | Path], path: str | Path) -> None:
    """Merge runs into one, exactly as if all their keys had been one batch.

    Parameters
    ----------
    runs : sequence of path
        Written by :func:`write_run` or by this function.
    path : path
        The merged run.
    """
    with complete_file(path) as partial:
        pairs = 0
        with partial.open("wb") as file:
            _write_header(file, pairs)
            for values, counts in _merged_slices(runs):
                _run(values, counts).tofile(file)
                pairs += len(values)
            file.seek(0)
            _write_header(file, pairs)


def group_sizes_of_runs(runs: Sequence[str | Path]) -> GroupSizes:
    """Sizes of the groups of all records of several runs together.

    Parameters
    ----------
    runs : sequence of path
        Written by :func:`write_run` or :func:`merge_runs`.
    """
    return _sizes(counts for _, counts in _merged_slices(runs))


def _run(values: NDArray[np.uint64], counts: NDArray[np.int64]) -> NDArray:
    run = np.empty(len(values), dtype=_PAIR)
    run["key"], run["records"] = values, counts
    return run


def _write_header(file: BinaryIO, pairs: int) -> None:
    np.lib.format.write_array_header_1_0(
        file,
        {"descr": np.lib.format.dtype_to_descr(_PAIR), "fortran_order": False, "shape": (pairs,)},
    )


def _merged_slices(
    runs: Sequence[str | Path],
) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.int64]]]:
    """Scrambled keys of all runs with their records, slice by slice of the range of keys."""
    opened = [_Run(Path(path)) for path in runs]
    slices = max(1, -(-sum(map(len, opened)) // SLICE_RECORDS))
    bounds = [(2**64 * each) // slices for each in range(slices)]
    cuts = [[*run.positions(bounds), len(run)] for run in opened]
    for position in range(slices):
        pieces = np.concatenate(
            [
                run.read(cut[position], cut[position + 1])
                for run, cut in zip(opened, cuts, strict=True)
            ]
        )
        if not len(pieces):
            continue
        order = np.argsort(pieces["key"])
        keys = pieces["key"][order]
        starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        yield keys[starts], np.add.reduceat(pieces["records"][order], starts).astype(np.int64)


@dataclass(frozen=True)
class _Run:
    """A run on disk.  It is not mapped into memory, where the pages that are touched would stay."""

    path: Path

    @cached_property
    def _shape(self) -> tuple[int, int]:
        """Number of pairs, and where the first begins."""
        with self.path.open("rb") as file:
            np.lib.format.read_magic(file)
            (pairs,), _, _ = np.lib.format.read_array_header_1_0(file)
            return pairs, file.tell()

    def __len__(self) -> int:
        return self._shape[0]

    def read(self, start: int, stop: int) -> NDArray:
        """Pairs ``start`` to ``stop``."""
        return np.fromfile(
            self.path,
            dtype=_PAIR,
            count=stop - start,
            offset=self._shape[1] + start * _PAIR.itemsize,
        )

    def positions(self, bounds: Sequence[int]) -> list[int]:
        """Position of the first key that is not below each of the bounds."""
        with self.path.open("rb", buffering=0) as file:

            def key(position: int) -> int:
                file.seek(self._shape[1] + position * _PAIR.itemsize)
                return int.from_bytes(file.read(8), "little")

            return [bisect_left(range(len(self)), bound, key=key) for bound in bounds]
