"""Information of a report about a secret, in bits, from arrays and tables.

1. :func:`leakage_bits` and :func:`maximin_information_bits` need no probabilities: the pairs of
   secret and report that are possible are all that they look at (``noiseless``, Equation 6;
   ``deterministic``, Definition II.3).
2. :func:`maximal_leakage_bits` is that of a channel with probabilities (``noiseless``, Theorem 5).

The exact numbers behind these logarithms are in :mod:`noiseless.theory.finite` and
:mod:`noiseless.theory.stochastic`.
"""

import math

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from noiseless.arrays import Ints
from noiseless.errors import DataError
from noiseless.mechanisms.containers import convert_to_floats, convert_to_labels
from noiseless.theory.finite import label_taxicab_parts

_SUM_TOLERANCE = 1e-9


def leakage_bits(secrets: ArrayLike, reports: ArrayLike) -> float:
    """Compute the leakage L0(X; Y) in bits: the information of the most informative report.

    Parameters
    ----------
    secrets, reports : array_like, shape (n,)
        The possible pairs of secret and report, numbers or texts; a pair may occur several times.

    Returns
    -------
    float
        Logarithm of the number of secrets over the fewest that a report leaves open.

    Raises
    ------
    DataError
        If there is no pair, the columns differ in length, or a value is missing.

    Examples
    --------
    The second report leaves one of three secrets open, so that it tells all of them apart.

    >>> round(leakage_bits(["a", "b", "c"], [1, 1, 2]), 3)
    1.585
    >>> leakage_bits([0, 1, 2, 3], [0, 0, 1, 1])
    1.0
    """
    secret, report = _encode_pairs(secrets, reports)
    pairs = np.unique(np.stack([secret, report]), axis=1)
    return math.log2((secret.max() + 1) / np.bincount(pairs[1]).min())


def maximin_information_bits(secrets: ArrayLike, reports: ArrayLike) -> float:
    """Compute the maximin information I*(X; Y) in bits, common to secret and report for certain.

    Parameters
    ----------
    secrets, reports : array_like, shape (n,)
        See :func:`leakage_bits`.

    Returns
    -------
    float
        Logarithm of the number of parts of the taxicab partition.

    Raises
    ------
    DataError
        See :func:`leakage_bits`.

    Examples
    --------
    Each report says in which half the secret lies; if one secret may give both, nothing is common.

    >>> maximin_information_bits([0, 1, 2, 3], ["low", "low", "high", "high"])
    1.0
    >>> maximin_information_bits([0, 1, 1, 2, 3], ["low", "low", "high", "high", "high"])
    0.0
    """
    return math.log2(int(label_taxicab_parts(*_encode_pairs(secrets, reports)).max()) + 1)


def maximal_leakage_bits(channel: ArrayLike) -> float:
    """Compute the maximal leakage of a channel in bits: ``log2 sum_y max_x P(y|x)``.

    Parameters
    ----------
    channel : array_like, shape (secrets, reports)
        Row x holds P(y|x), the distribution of the report of secret x.

    Raises
    ------
    DataError
        If a row is no distribution: the message names the first one.

    Examples
    --------
    >>> round(maximal_leakage_bits([[0.9, 0.1], [0.2, 0.8]]), 3)
    0.766
    """
    rows = convert_to_floats(channel, "the rows of the channel")
    if rows.ndim != 2 or not rows.size:
        raise DataError(f"`channel` must have rows and columns, got the shape {rows.shape}.")
    sums = rows.sum(axis=1)
    is_distribution = (rows >= 0).all(axis=1) & (np.abs(sums - 1) <= _SUM_TOLERANCE)
    if not is_distribution.all():
        row = int(np.argmin(is_distribution))
        problem = (
            f"holds {rows[row].min():g}" if (rows[row] < 0).any() else f"sums to {sums[row]:g}"
        )
        raise DataError(
            f"row {row} of the channel {problem}, so it is no distribution: P(y|x) is 0 or larger, "
            "and sums to 1 over y. Divide counts by the sum of their row."
        )
    return float(np.log2(rows.max(axis=0).sum()))


def _encode_pairs(secrets: ArrayLike, reports: ArrayLike) -> tuple[Ints, Ints]:
    """Encode both columns as integers from 0, without gaps."""
    columns = []
    for name, values in (("secrets", secrets), ("reports", reports)):
        labels = convert_to_labels(values, f"the {name}")
        try:
            column = np.asarray(labels)
        except ValueError:
            raise DataError(
                f"the {name} hold lists that differ in length: give one value for each outcome."
            ) from None
        if column.ndim != 1 or not column.size:
            raise DataError(
                f"the {name} have the shape {column.shape}: give one value for each outcome, and "
                "at least one."
            )
        missing = pd.isna(column)
        if np.any(missing):
            raise DataError(
                f"value {int(np.argmax(missing))} of the {name} is missing: drop such pairs, or "
                "give the absence a name."
            )
        columns.append(pd.factorize(column)[0])
    if len(columns[0]) != len(columns[1]):
        raise DataError(
            f"`secrets` and `reports` must have one length, got {len(columns[0])} and "
            f"{len(columns[1])}. Give pairs."
        )
    return columns[0], columns[1]
