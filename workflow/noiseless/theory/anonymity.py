"""Shares of unique and of k-anonymous records in a table, and the classes of equal records.

The counts are those of :mod:`noiseless.theory.groups`, which also counts keys that do not fit in
memory. :func:`class_numbers`, :func:`class_sizes` and :func:`class_diversity` describe the class of
each record.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from noiseless.arrays import Ints
from noiseless.errors import DataError
from noiseless.mechanisms.containers import convert_to_labels, require_whole
from noiseless.theory.groups import GroupSizes, compute_share_below, count_group_sizes


def unique_share(records: ArrayLike | pd.DataFrame) -> float:
    """Compute the share of the records that no other record equals.

    The records are reports, in which equality is the result: copies are counted.  A person who is
    there several times, with the same report each time, has company of their own and counts as one
    who does not stand alone, so that the share is too small.  Drop copies of complete raw rows
    before, as by ``raw.drop_duplicates()``; here they can no longer be told from company.

    Parameters
    ----------
    records : DataFrame or array_like, shape (n,) or (n, columns)
        One row, or one key, for each record.  Missing values equal each other.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    DataError
        If there is no record, or they are no table.

    Examples
    --------
    >>> import pandas as pd
    >>> trips = pd.DataFrame({"from": ["A", "A", "B"], "to": ["C", "C", "D"]})
    >>> round(unique_share(trips), 3)
    0.333
    """
    return compute_share_below(_count_class_sizes(records), 2)


def k_anonymous_share(records: ArrayLike | pd.DataFrame, k: int) -> float:
    """Compute the share of the records that k - 1 or more other records equal.

    Records are counted, not people: a person who is there k times is k-anonymous all alone, and the
    share is too large.  Drop copies of complete raw rows before; see :func:`unique_share`.

    Parameters
    ----------
    records : DataFrame or array_like
        See :func:`unique_share`.
    k : int
        1 or larger.

    Returns
    -------
    float
        From 0 to 1; a table is k-anonymous where it is 1.

    Raises
    ------
    ConfigError
        If k is no whole number above 0.
    DataError
        See :func:`unique_share`.

    Examples
    --------
    >>> k_anonymous_share([7, 7, 7, 2, 2], k=3)
    0.6
    """
    k = require_whole("k", k, 1)
    return 1 - compute_share_below(_count_class_sizes(records), k)


def class_numbers(records: ArrayLike | pd.DataFrame) -> Ints:
    """Label the records by their class of equal records, in the order in which classes occur."""
    records = convert_to_labels(records, "the records")
    try:
        table = pd.DataFrame(records)
    except ValueError:
        raise DataError(
            "the records must be a table. Give rows of equal length, or keys."
        ) from None
    if table.empty:
        raise DataError("there are no records. Give one or more.")
    columns = [
        convert_to_labels(table.iloc[:, number], "the records") for number in range(table.shape[1])
    ]
    try:
        return table.groupby(columns, dropna=False, sort=False).ngroup().to_numpy()
    except TypeError:
        raise DataError("the records hold a list or a mapping. Give numbers or texts.") from None


def class_sizes(classes: Ints) -> Ints:
    """Count the records in the class of each record, itself included."""
    return np.bincount(classes)[classes]


def class_diversity(classes: Ints, values: ArrayLike) -> Ints:
    """Count the distinct values in the class of each record (distinct l-diversity).

    It is 1 where the class of a record reveals its value.  Missing values equal each other.
    """
    values = np.asarray(convert_to_labels(values, "the values"))
    codes = pd.factorize(values, use_na_sentinel=False)[0].astype(np.int64)
    pairs = np.unique(classes * (int(codes.max()) + 1) + codes)
    return np.bincount(pairs // (int(codes.max()) + 1), minlength=int(classes.max()) + 1)[classes]


def _count_class_sizes(records: ArrayLike | pd.DataFrame) -> GroupSizes:
    """Count the classes of equal records of a table: how many there are of each size."""
    return count_group_sizes(class_numbers(records))
