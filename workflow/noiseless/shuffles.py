"""The first few numbers of many shuffles, from the stream of a NumPy generator.

NumPy shuffles from the end, so that the first numbers need all draws.  Its loop guesses wrongly
whether a draw is too large, and so waits, for every third number; the compiled one does not branch.
It takes the same draws, and leaves the generator where NumPy leaves it.
"""

import numpy as np
from numpy.typing import NDArray

from noiseless.compiled import IS_COMPILED, copy_into, njit

_AT_ONCE = 50_000  # numbers that fit into the processor's cache
_FEW = 10_000  # numbers for which to set the generator's state takes longer than it saves
_DRAWS = 0.75  # of 64 bits for a number; 0.69 on average, which is 2 ln 2 for 32 bits


def first_of_shuffles(
    rng: np.random.Generator, *, size: int, first: int, shuffles: int, compiled: bool = True
) -> NDArray[np.int64]:
    """The first numbers of each of several shuffles of 0, 1, ..., size - 1.

    Parameters
    ----------
    rng : Generator
    size : int
        Numbers in a shuffle.
    first : int
        Of these, those that are kept.
    shuffles : int
    compiled : bool
        Whether to take the fast path, where numba compiles it and the generator is NumPy's
        default; the numbers are the same, and so are those that the generator gives next.

    Returns
    -------
    ndarray of int, shape (shuffles, first)
        The first columns of ``rng.permuted`` of as many rows.
    """
    kept = np.empty((shuffles, first), dtype=np.int64)
    bits = rng.bit_generator
    fast = compiled and IS_COMPILED and shuffles * size >= _FEW and size < 2**31
    at_once = max(1, _AT_ONCE // size)
    # Some at a time, which NumPy shuffles in the same order: memory holds no shuffles x size.
    for some in np.split(kept, range(at_once, shuffles, at_once)):
        if fast and isinstance(bits, np.random.PCG64):
            _shuffle_compiled(bits, size, some)
        else:
            # NumPy shuffles numbers of this size faster than smaller ones.
            everyone = np.tile(np.arange(size, dtype=np.intp), (len(some), 1))
            some[:] = rng.permuted(everyone, axis=1, out=everyone)[:, :first]
    return kept


def _shuffle_compiled(bits: np.random.PCG64, size: int, kept: NDArray[np.int64]) -> None:
    """Fill ``kept``, and move the generator on by the draws that it took."""
    before = bits.state
    # The generator cuts draws of 64 bits in two, and may have kept the second half of one.
    kept_half = np.array([before["uinteger"]] * before["has_uint32"], dtype=np.uint32)
    count = int(_DRAWS * kept.shape[0] * size) + 64
    while True:
        draws = np.concatenate([kept_half, bits.random_raw(count).view(np.uint32)])
        used = _shuffle(draws, size, kept)
        bits.state = before
        if used >= 0:
            break
        count *= 2
    if not used:
        return
    own = used - len(kept_half)  # halves of draws that are not the one kept
    state = bits.advance((own + 1) // 2).state
    state["has_uint32"] = own % 2
    state["uinteger"] = int(draws[used]) if own % 2 else 0
    bits.state = state


@njit(cache=True, nogil=True)
def _shuffle(draws, size, kept):  # noqa: ANN001, ANN202
    """Fill ``kept`` with the first numbers of shuffles; the draws that took, -1 if too few.

    As NumPy: the numbers from the last to the second one change places with one that is drawn from
    those up to it, by as many bits as it takes, anew where that is too large.
    """
    numbers = np.empty(size, dtype=np.int32)
    used = 0
    for s in range(len(kept)):
        for i in range(size):
            numbers[i] = i
        i = size - 1
        bits = 1
        while bits <= i:
            bits *= 2
        while i > 0:
            bits //= 2
            while i >= bits:
                if used == len(draws):
                    return -1
                drawn = np.int64(draws[used] & np.uint32(2 * bits - 1))
                used += 1
                # A draw that is too large has the number change places with itself.
                fits = drawn <= i
                other = drawn if fits else i
                numbers[i], numbers[other] = numbers[other], numbers[i]
                i -= fits
        copy_into(kept[s], numbers)
    return used
