"""How many records share each key: uniqueness and k-anonymity, at any size.

1. :func:`group_sizes` counts keys that fit in memory, by sorting them.
2. :func:`portion_below` reads off the share of records in groups smaller than k; k = 2 is
   uniqueness, and a table is k-anonymous when the share is 0.
3. For more keys than memory holds, and for work that is shared: :func:`new_run` stores the counts
   of batches of keys in a file, and :func:`group_sizes_of_runs` counts the groups of any number of
   such files together.

Numbers of unique keys of two shards do not add up, because a key that is unique in each may be the
same one.  Therefore a run keeps every key of a batch, with its count.  The keys are sorted by a
scrambled key (multiplied by an odd number modulo 2^64, which no two keys share), so that equal keys
meet in the same slice of the range of 64-bit numbers, and slices are merged one by one.  Scrambling
spreads the keys evenly over the slices, and counting within a batch makes a popular key take one
place only: neither skew nor duplicates can fill the memory.

Of each batch a run holds two arrays in NumPy's format: the scrambled keys, each once; and those of
more than one record, with the number of their further records.  So a merge sorts plain numbers,
which takes a sixth of the time of sorting pairs, and a unique key takes 8 bytes.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noiseless.files import complete_file

_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: scatters consecutive keys
_KEY = np.dtype("<u8")
_FURTHER = np.dtype([("key", "<u8"), ("records", "<i8")])
SLICE_KEYS = 1 << 22  # keys that are merged at a time, from all runs together


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
        The sizes of the groups of records.
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


@contextmanager
def new_run(path: str | Path) -> Iterator[Callable[[ArrayLike], None]]:
    """Store how often each key occurs in batches of keys, which come one after the other.

    Parameters
    ----------
    path : path
        The run, a ``.npy`` file; it is complete or absent.

    Yields
    ------
    callable
        Takes the keys of a batch, an array_like of int.  Up to some millions; the memory needed is
        about 40 bytes for each.
    """
    with complete_file(path) as partial, partial.open("wb") as file:

        def add(keys: ArrayLike) -> None:
            scrambled = np.asarray(keys, dtype=np.int64).view(np.uint64) * _ODD
            scrambled.sort()
            values, counts = _count(scrambled)
            repeated = np.flatnonzero(counts > 1)
            further = np.empty(len(repeated), dtype=_FURTHER)
            further["key"], further["records"] = values[repeated], counts[repeated] - 1
            _append(file, values)
            _append(file, further)

        yield add


def group_sizes_of_runs(runs: Sequence[str | Path]) -> GroupSizes:
    """Sizes of the groups of all records of several runs together.

    Parameters
    ----------
    runs : sequence of path
        Written by :func:`new_run`.
    """
    return _sizes(counts for _, counts in _merged_slices(runs))


def _append(file: BinaryIO, array: NDArray) -> None:
    """As ``numpy.save``, whose error at a full disk does not say that the disk is full."""
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
    file.write(array.data)


def _merged_slices(
    runs: Sequence[str | Path],
) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.int64]]]:
    """Scrambled keys of all runs with their records, slice by slice of the range of keys."""
    batches = [batch for path in runs for batch in _batches(Path(path))]
    slices = -(-sum(keys.length for keys, _ in batches) // SLICE_KEYS)
    bounds = [(2**64 * each) // slices for each in range(slices)]
    all_keys = _slices([keys for keys, _ in batches], bounds)
    all_further = _slices([further for _, further in batches], bounds)
    for keys, further in zip(all_keys, all_further, strict=True):
        keys.sort()
        values, counts = _count(keys)
        np.add.at(counts, np.searchsorted(values, further["key"]), further["records"])
        yield values, counts


@dataclass(frozen=True)
class _Array:
    """An array on disk, sorted by the scrambled keys that its elements begin with.

    It is not mapped into memory, where the pages that are touched would stay.
    """

    path: Path
    dtype: np.dtype
    start_byte: int
    length: int

    def read(self, start: int, stop: int) -> NDArray:
        """Elements ``start`` to ``stop``."""
        offset = self.start_byte + start * self.dtype.itemsize
        return np.fromfile(self.path, dtype=self.dtype, count=stop - start, offset=offset)

    def positions(self, bounds: Sequence[int]) -> list[int]:
        """Position of the first key that is not below each of the bounds."""
        with self.path.open("rb", buffering=0) as file:

            def key(position: int) -> int:
                file.seek(self.start_byte + position * self.dtype.itemsize)
                return int.from_bytes(file.read(8), "little")

            return [bisect_left(range(self.length), bound, key=key) for bound in bounds]


def _batches(path: Path) -> Iterator[tuple[_Array, _Array]]:
    """Where a run has the keys of each batch, and those of more than one record."""
    end_byte = path.stat().st_size
    with path.open("rb") as file:

        def array(dtype: np.dtype) -> _Array:
            np.lib.format.read_magic(file)
            (length,), _, _ = np.lib.format.read_array_header_1_0(file)
            start_byte = file.tell()
            file.seek(length * dtype.itemsize, 1)
            return _Array(path, dtype, start_byte, length)

        while file.tell() < end_byte:
            yield array(_KEY), array(_FURTHER)


def _slices(arrays: Sequence[_Array], bounds: Sequence[int]) -> Iterator[NDArray]:
    """What all arrays together hold from each bound to the next."""
    cuts = [[*array.positions(bounds), array.length] for array in arrays]
    for position in range(len(bounds)):
        yield np.concatenate(
            [
                array.read(cut[position], cut[position + 1])
                for array, cut in zip(arrays, cuts, strict=True)
            ]
        )
