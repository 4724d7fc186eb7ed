"""The Lovász number of a small channel, with a certificate in fractions.

Zero-error codes of length n over a confusability graph have at most theta^n words, so the
zero-error capacity is at most theta (Lovász, "On the Shannon capacity of a graph", 1979).  By its
Theorem 3::

    theta = min over A of the largest eigenvalue of A,

over symmetric matrices A with A_ij = 1 where i = j or i and j are not confusable; the other entries
are free.  Whatever A is, its largest eigenvalue is an upper bound.

1. :func:`lovasz_bound` looks for a good A with floating-point numbers.
2. It rounds the free entries to fractions, and takes a fraction q a little above the eigenvalue.
3. :func:`is_upper_bound` proves ``q >= largest eigenvalue`` without rounding: all pivots of
   ``q I - A`` are positive.  No solver has to be believed.
4. :func:`code_bounds` encloses the largest code of a length, where searching all codes
   (:func:`~noiseless.theory.capacity.largest_code`) does not come to an end: the words of a code
   from below, and the certificate from above.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from noiseless.errors import ConfigError
from noiseless.seeds import generator
from noiseless.theory.capacity import confusable_inputs, strong_power
from noiseless.theory.finite import Relation

Matrix = tuple[tuple[Fraction, ...], ...]

_DENOMINATOR = 10**9
_SHARPNESS = (10.0, 100.0, 1e3, 1e4, 1e5)  # of the smooth maximum, in turn


@dataclass(frozen=True)
class LovaszBound:
    """An upper bound of the Lovász number, and the matrix that proves it.

    Attributes
    ----------
    value : Fraction
        Upper bound of theta, and so of the zero-error capacity in words per letter.
    matrix : tuple of tuple of Fraction
        A; see the module.
    """

    value: Fraction
    matrix: Matrix

    def words(self, length: int) -> int:
        """No zero-error code of this block length has more words."""
        return math.floor(self.value**length)


@dataclass(frozen=True)
class CodeBounds:
    """What is certain of the largest zero-error code of a block length.

    Attributes
    ----------
    code : tuple of int
        Positions of words, no two of which are confusable, in the order of
        :func:`itertools.product`; their number is the lower bound.
    most : int
        No code has more words, by the Lovász number.
    """

    code: tuple[int, ...]
    most: int


def code_bounds(channel: Relation, length: int, *, seed: int, moves: int = 20_000) -> CodeBounds:
    """Enclose the largest zero-error code of a channel, in a time that is known beforehand.

    Parameters
    ----------
    channel : Relation
        Inputs and outputs.
    length : int
        Letters of a word.
    seed : int
        The seed of the search for a code.
    moves : int
        Number of moves of the search: a word is added that is confusable with the fewest, in place
        of these, which may not return for a while.

    Returns
    -------
    CodeBounds
    """
    letters = confusable_inputs(channel)
    words = strong_power(letters, length)
    confusable = np.array([[mask >> j & 1 for j in range(len(words))] for mask in words], bool)
    np.fill_diagonal(confusable, False)
    random = generator(seed, "codes", len(letters), length)
    chosen = np.zeros(len(words), dtype=bool)
    conflicts = np.zeros(len(words), dtype=int)  # with chosen words
    free_from = np.zeros(len(words), dtype=int)  # the move from which a word may return
    best = chosen.copy()
    for move in range(moves):
        open_words = np.flatnonzero(~chosen)
        if not len(open_words):
            break  # nothing is confusable with anything
        rank = conflicts[open_words] + len(words) * (free_from[open_words] > move)
        word = int(random.choice(open_words[rank == rank.min()]))
        for other in np.flatnonzero(confusable[word] & chosen):
            chosen[other] = False
            conflicts -= confusable[other]
            free_from[other] = move + random.integers(1, 3)
        chosen[word] = True
        conflicts += confusable[word]
        if chosen.sum() > best.sum():
            best = chosen.copy()
    code = tuple(np.flatnonzero(best).tolist())
    return CodeBounds(code, lovasz_bound(letters).words(length))


def lovasz_bound(masks: Sequence[int]) -> LovaszBound:
    """A certified upper bound of the Lovász number.

    Parameters
    ----------
    masks : sequence of int
        Confusability graph: for each input a bit set of those it is confused with, itself too
        (:func:`noiseless.theory.capacity.confusable_inputs`).

    Returns
    -------
    LovaszBound
        Usually within 1e-6 of the Lovász number.

    Raises
    ------
    ConfigError
        If there is no input.
    """
    size = len(masks)
    if not size:
        raise ConfigError("a channel has one input or more.")
    edges = [(i, j) for i in range(size) for j in range(i) if masks[i] >> j & 1]
    rows, columns = np.array(edges, dtype=int).reshape(-1, 2).T

    def filled(entries: NDArray[np.float64]) -> NDArray[np.float64]:
        matrix = np.ones((size, size))
        matrix[rows, columns] = matrix[columns, rows] = entries
        return matrix

    entries = np.zeros(len(edges))
    for sharpness in _SHARPNESS if edges else ():

        def smooth(
            entries: NDArray[np.float64], sharpness: float = sharpness
        ) -> tuple[float, NDArray[np.float64]]:
            """Largest eigenvalue, smoothed by a logarithm of exponentials, with its gradient."""
            values, vectors = np.linalg.eigh(filled(entries))
            weights = np.exp(sharpness * (values - values[-1]))
            total = weights.sum()
            density = (vectors * (weights / total)) @ vectors.T
            return values[-1] + math.log(total) / sharpness, 2 * density[rows, columns]

        entries = minimize(
            smooth, entries, jac=True, method="L-BFGS-B", options={"maxiter": 2000, "ftol": 1e-15}
        ).x
    rounded = [Fraction(round(entry * _DENOMINATOR), _DENOMINATOR) for entry in entries]
    exact = [[Fraction(1)] * size for _ in range(size)]
    for (i, j), entry in zip(edges, rounded, strict=True):
        exact[i][j] = exact[j][i] = entry
    matrix = tuple(map(tuple, exact))
    largest = np.linalg.eigvalsh(filled(np.array([float(entry) for entry in rounded])))[-1]
    excess = Fraction(1, _DENOMINATOR)
    while True:
        value = Fraction(math.ceil(largest * _DENOMINATOR), _DENOMINATOR) + excess
        if is_upper_bound(value, matrix, masks):
            return LovaszBound(value, matrix)
        excess *= 4  # the eigenvalue was rounded down by more than that


def is_upper_bound(value: Fraction, matrix: Matrix, masks: Sequence[int]) -> bool:
    """Whether a matrix proves that the Lovász number is at most a value; without rounding.

    Parameters
    ----------
    value : Fraction
    matrix : tuple of tuple of Fraction
        A; see the module.
    masks : sequence of int
        Confusability graph.

    Returns
    -------
    bool
        False also where the matrix is not symmetric, or has an entry other than 1 where two inputs
        are not confusable.
    """
    size = len(masks)
    for i in range(size):
        for j in range(size):
            fixed = i == j or not masks[i] >> j & 1
            if matrix[i][j] != matrix[j][i] or (fixed and matrix[i][j] != 1):
                return False
    rest = [[value * (i == j) - matrix[i][j] for j in range(size)] for i in range(size)]
    for pivot in range(size):
        if rest[pivot][pivot] <= 0:
            return False
        for i in range(pivot + 1, size):
            factor = rest[i][pivot] / rest[pivot][pivot]
            for j in range(pivot + 1, size):
                rest[i][j] -= factor * rest[pivot][j]
    return True
