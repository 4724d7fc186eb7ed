"""The long form that readings of meters have, whichever layout their file has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from noiseless.errors import DataError


@dataclass(frozen=True)
class MeterReadings:
    """Readings of all homes, in any order.

    Attributes
    ----------
    path : Path
        The file, or the folder.
    table : DataFrame
        A row for each reading, by its number in the file: ``home``, a category; ``at``, when its
        interval begins, or, for ``long``, what the file calls it by; ``amount``, NaN where there is
        none.
    error : callable
        Number of a reading, key and problem to an error that says where it stands; ``count``.
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
    """

    path: Path
    table: pd.DataFrame = field(repr=False)
    error: Callable[..., DataError] = field(repr=False)
    row_name: Callable[[int], str] = field(repr=False)
    names: Mapping[str, str]
    interval_s: int | None = None
    unit: str | None = None
    marks_starts: bool = False
    header: tuple[str, ...] = field(default=(), repr=False)
    counts: Mapping[str, int] = field(default_factory=dict)
