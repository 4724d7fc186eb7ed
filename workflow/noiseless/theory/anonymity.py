"""How many records stand alone, and how many have company, in tables of your own.

The counts are those of :mod:`noiseless.theory.groups`, which also counts keys that do not fit in
memory.
"""

import pandas as pd
from numpy.typing import ArrayLike

from noiseless.errors import ConfigError, DataError
from noiseless.theory.groups import GroupSizes, group_sizes, portion_below


def unique_share(records: ArrayLike | pd.DataFrame) -> float:
    """Share of the records that no other record equals.

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
    return portion_below(_sizes(records), 2)


def k_anonymous_share(records: ArrayLike | pd.DataFrame, k: int) -> float:
    """Share of the records that k - 1 or more other records equal.

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
    if k != int(k) or k < 1:
        raise ConfigError(f"k is {k}, but it must be 1, 2, ...")
    return 1 - portion_below(_sizes(records), int(k))


def _sizes(records: ArrayLike | pd.DataFrame) -> GroupSizes:
    try:
        table = pd.DataFrame(records)
    except ValueError:
        raise DataError("the records are no table: give rows of equal length, or keys.") from None
    if table.empty:
        raise DataError("there is no record.")
    columns = [table.iloc[:, number] for number in range(table.shape[1])]
    try:
        return group_sizes(table.groupby(columns, dropna=False, sort=False).ngroup())
    except TypeError:
        raise DataError("a cell of the records is a list or the like: give plain values.") from None
