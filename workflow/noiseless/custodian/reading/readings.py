"""The long form that readings of meters have, whichever layout their file has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from noiseless.custodian.reading.times import Times
from noiseless.errors import DataError


@dataclass(frozen=True)
class MeterReadings:
    """Readings of all homes, in any order.

    Attributes
    ----------
    path : Path
        The file, or the folder.
    homes : Categorical, n readings
    times : Times
        When each interval begins, or, for ``long``, what the file calls it by.
    amounts : ndarray of float, n readings
        NaN where there is none.
    error : callable
        Reading (from 0), key and problem to an error that says where it stands; ``count``.
    row_name : callable
        Where a reading stands, for a second place in an error.
    names : mapping
        What the file calls ``home``, ``time`` and ``value``.
    interval_s : int or None
        Sampling interval, where the layout declares it.
    unit : str or None
        Unit of the values, where the file declares it.
    marks_starts : bool
        Whether the times are known to be the starts of the intervals.
    header : tuple of str
        Names of the columns.
    counts : mapping
        Rows of the file(s), and rows that were excluded, by reason.
    section : str
        Where the configuration says how the file is to be read.
    """

    path: Path
    homes: pd.Categorical
    times: Times
    amounts: NDArray[np.float64] = field(repr=False)
    error: Callable[..., DataError] = field(repr=False)
    row_name: Callable[[int], str] = field(repr=False)
    names: Mapping[str, str]
    interval_s: int | None = None
    unit: str | None = None
    marks_starts: bool = False
    header: tuple[str, ...] = field(default=(), repr=False)
    counts: Mapping[str, int] = field(default_factory=dict)
    section: str = "data.meters"

    def require(self, key: str, good: NDArray[np.bool_], problem: str) -> None:
        """Check that every reading is good.

        Raises
        ------
        DataError
            Names the first one that is not.
        """
        if not good.all():
            raise self.error(int((~good).argmax()), key, problem, count=int((~good).sum()))
