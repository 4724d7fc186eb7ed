"""How a table of people is made coarser until each row has company.

1. :func:`levels_of` lists the ways to release a column, from as it is to left out: numbers in steps
   with open ends, codes cut from the right, rare categories joined.  All are fixed rules.
2. :func:`coarsen` chooses a level of each column, so that few people are in classes that are too
   small, and as much as can be of what the columns tell is kept.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from noiseless.theory.anonymity import class_diversity, class_sizes

AS_IT_IS, LEFT_OUT = "as it is", "left out"
_FEW = 5
_END_SHARE = 0.01  # of the people, whom an open end holds at least
_RARE_SHARES = (0.02, 0.1)  # categories of fewer people are joined
_EASY = 100_000  # cells of a table of which more searches are cheap
_ISO_DAY = r"\d{4}-\d{2}-\d{2}.*"
_OTHER = "other"


@dataclass(frozen=True)
class Level:
    """One way to release a column.

    Attributes
    ----------
    words : str
        What is done to it.
    groups : ndarray of int, shape (people,)
        People with the same number are released alike.
    labels : tuple of str
        What each group is released as.
    kept : float
        Share that is kept of what the column tells: of the variance of a number, of the entropy of
        a text.  1 for :data:`AS_IT_IS`, 0 for :data:`LEFT_OUT`.
    error : float
        Root mean square of a number less the mean of those who are released alike; NaN of a text.
    """

    words: str
    groups: NDArray[np.int64] = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    kept: float
    error: float = math.nan

    @property
    def released(self) -> NDArray[np.object_]:
        """What each person's cell is released as."""
        return np.array(self.labels, dtype=object)[self.groups]


@dataclass(frozen=True)
class Coarsening:
    """A choice of levels.

    Attributes
    ----------
    levels : mapping of str to Level
        By column.
    released : ndarray of bool, shape (people,)
        Who is not left out: their class is large and diverse enough.
    """

    levels: Mapping[str, Level]
    released: NDArray[np.bool_]

    @property
    def kept(self) -> float:
        """Mean share that is kept, over columns."""
        return float(np.mean([level.kept for level in self.levels.values()]))


def levels_of(column: pd.Series) -> list[Level]:
    """Ways to release a column, from fine to coarse; the last one leaves it out.

    Parameters
    ----------
    column : Series, shape (people,)
        Numbers (NaN where one is missing) or texts (empty where one is missing).
    """
    if pd.api.types.is_numeric_dtype(column):
        found = _of_numbers(column.to_numpy(dtype=float))
    else:
        found = _of_texts(column.astype(str))
    nothing = np.zeros(len(column), dtype=np.int64)
    different: list[Level] = []
    for level in found:
        groups = len(np.unique(level.groups))
        if groups > 1 and not (different and groups == len(np.unique(different[-1].groups))):
            different.append(level)
    return [*different, Level(LEFT_OUT, nothing, ("",), 0.0, _spread(column))]


def _spread(column: pd.Series) -> float:
    return float(column.std(ddof=0)) if pd.api.types.is_numeric_dtype(column) else math.nan


def _of_numbers(values: NDArray[np.float64]) -> list[Level]:
    """As they are, then in steps of 1, 2 and 5 times a power of ten, with open ends."""
    known = np.unique(values[~np.isnan(values)])
    texts = [f"{value:g}" if value == float(f"{value:g}") else repr(value) for value in known]
    levels = [_number_level(AS_IT_IS, values, np.searchsorted(known, values), texts)]
    if len(known) < 2:
        return levels
    least, whole = np.diff(known).min(), known[-1] - known[0]
    integers = bool((known % 1 == 0).all())
    for power in range(math.floor(math.log10(least)), math.ceil(math.log10(whole)) + 1):
        for digit in (1, 2, 5):
            step = digit * 10.0**power
            if step < least * (1 - 1e-9) or (integers and step < 1):
                continue
            bins = np.floor(np.round(values / step, 9))
            low, high = _ends(bins[~np.isnan(bins)])
            if low >= high:
                continue
            lower = np.arange(low, high + 1)
            names = [_range_words(each * step, step, integers=integers) for each in lower]
            names[0], names[-1] = f"under {(low + 1) * step:g}", f"{high * step:g} or more"
            place = np.clip(bins, low, high) - low
            words = (
                f"in steps of {step:g} from {(low + 1) * step:g} to {high * step:g}, open beyond"
            )
            if high == low + 1:
                words = f"as {names[0]}, or {names[-1]}"
            levels.append(_number_level(words, values, place, names))
    return levels


def _range_words(low: float, step: float, *, integers: bool) -> str:
    if integers:
        return f"{low:g}" if step == 1 else f"{low:g} to {low + step - 1:g}"
    return f"{low:g} to below {low + step:g}"


def _ends(bins: NDArray[np.float64]) -> tuple[int, int]:
    """First and last bin, where those beyond are joined to them until each holds enough people."""
    enough = max(_FEW, math.ceil(_END_SHARE * len(bins)))
    order = np.sort(bins)
    if len(order) < 2 * enough:
        return 0, 0
    return int(order[enough - 1]), int(order[-enough])


def _number_level(
    words: str, values: NDArray[np.float64], place: ArrayLike, labels: Sequence[str]
) -> Level:
    """A level of numbers; those who have none are a group of their own."""
    missing = np.isnan(values)
    groups = np.where(missing, len(labels), place).astype(np.int64)
    means = pd.Series(values).groupby(groups).transform("mean").to_numpy()
    full = ~missing
    error = float(np.sqrt(np.mean((values[full] - means[full]) ** 2))) if full.any() else 0.0
    spread = float(np.std(values[full])) if full.any() else 0.0
    kept = 1 - (error / spread) ** 2 if spread else 1.0
    return Level(words, groups, (*labels, ""), kept, error)


def _of_texts(column: pd.Series) -> list[Level]:
    """As they are; codes of one length, or days, cut from the right; rare ones joined."""
    full = column[column != ""]
    lengths = full.str.len().unique()
    levels = [_text_level(AS_IT_IS, column, column)]
    if full.str.fullmatch(_ISO_DAY).all() and len(full):
        for cut, words in ((10, "the day"), (7, "the month"), (4, "the year")):
            levels.append(_text_level(f"{words} alone", column, column.str[:cut]))
        return levels
    if len(lengths) == 1 and full.str.contains(r"\d").all() and lengths[0] > 2:
        for cut in range(lengths[0] - 1, 0, -1):
            levels.append(_text_level(f"its first {cut} characters", column, column.str[:cut]))
        return levels
    for least in (_FEW, *(math.ceil(share * len(column)) for share in _RARE_SHARES)):
        rare = column.groupby(column).transform("size") < least
        words = f"values of fewer than {least} people joined as “{_OTHER}”"
        levels.append(_text_level(words, column, column.mask(rare, _OTHER)))
    return levels


def _text_level(words: str, column: pd.Series, released: pd.Series) -> Level:
    groups, labels = pd.factorize(released)
    whole = _entropy(column)
    kept = _entropy(released) / whole if whole else 1.0
    return Level(words, groups.astype(np.int64), tuple(map(str, labels)), kept)


def _entropy(column: pd.Series) -> float:
    shares = column.value_counts(normalize=True).to_numpy()
    return float(-(shares * np.log(shares)).sum())


Choice = tuple[int, ...]


def coarsen(
    people: pd.DataFrame,
    sensitive: pd.DataFrame,
    *,
    k: int,
    diversity: int,
    most_excluded_share: float,
    start: Mapping[str, str] | None = None,
) -> Coarsening:
    """The levels that keep most, of those that leave few people out.

    Parameters
    ----------
    people : DataFrame
        The columns by which a person may be recognised.
    sensitive : DataFrame
        Columns of the same people that an adversary wants to know; may have none.
    k : int
        How many people a class has at least.
    diversity : int
        How many values of each sensitive column a class has at least.
    most_excluded_share : float
        Largest share of people in other classes, who are left out.
    start : mapping of str to str, optional
        The words of a level of each column, which leave few enough out, as those for a larger k do.

    Returns
    -------
    Coarsening

    Notes
    -----
    The best of several searches is taken: from the finest levels, of all columns or of all but one,
    the step that helps most for what it costs, until few are left out; from the coarsest; and from
    ``start``.  Each ends with the steps to finer levels, alone or against one coarser level, that
    keep more.  The optimum may be better.  The levels do not depend on k.
    """
    levels = {name: levels_of(people[name]) for name in people}
    columns = list(levels.values())
    secrets = [pd.factorize(sensitive[name])[0] for name in sensitive]

    search = _Search(columns, secrets, k, diversity, most_excluded_share)
    last = tuple(len(column) - 1 for column in columns)
    fine = tuple(0 for _ in columns)
    starts = [last, search.coarser(fine)]
    if people.size <= _EASY:
        starts += [search.coarser(_with(fine, i, last[i])) for i in range(len(columns))]
    if start is not None:
        words = [[level.words for level in column] for column in columns]
        starts.append(tuple(map(list.index, words, (start[name] for name in levels))))
    best = max(map(search.finer, dict.fromkeys(starts)), key=search.kept)
    chosen = {name: each[i] for (name, each), i in zip(levels.items(), best, strict=True)}
    return Coarsening(chosen, ~search.excluded(best))


def _joined(groups: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Class of each person by several columns."""
    classes = np.zeros(len(groups[0]), dtype=np.int64)
    for each in groups:
        keys = classes * (int(each.max()) + 1) + each
        classes = np.unique(keys, return_inverse=True)[1]
    return classes


def _with(choice: Choice, column: int, level: int) -> Choice:
    """A choice with another level of one column."""
    return (*choice[:column], level, *choice[column + 1 :])


@dataclass(frozen=True)
class _Search:
    """What is searched: a level for each column, where at most a share of people is left out."""

    columns: Sequence[Sequence[Level]]
    secrets: Sequence[NDArray[np.int64]]
    k: int
    diversity: int
    most: float

    def excluded(self, choice: Choice) -> NDArray[np.bool_]:
        """Who has too few alike, or alike in too few answers."""
        chosen = zip(self.columns, choice, strict=True)
        classes = _joined([column[each].groups for column, each in chosen])
        out = class_sizes(classes) < self.k
        for secret in self.secrets:
            out |= class_diversity(classes, secret) < self.diversity
        return out

    def share(self, choice: Choice) -> float:
        """The share of people who are left out."""
        return float(self.excluded(choice).mean())

    def kept(self, choice: Choice) -> float:
        """What is kept, summed over columns."""
        return sum(column[each].kept for column, each in zip(self.columns, choice, strict=True))

    def one_coarser(self, choice: Choice, but: int = -1) -> list[Choice]:
        """The choices that are one level of one column coarser."""
        return [
            _with(choice, i, choice[i] + 1)
            for i, column in enumerate(self.columns)
            if i != but and choice[i] + 1 < len(column)
        ]

    def coarser(self, choice: Choice) -> Choice:
        """Coarser, one level of one column at a time, until few are left out."""
        now = self.share(choice)
        while now > self.most and (steps := self.one_coarser(choice)):
            shares = [self.share(step) for step in steps]
            worth = [
                (now - found) / (self.kept(choice) - self.kept(step) + 1e-9)
                for step, found in zip(steps, shares, strict=True)
            ]
            best = int(np.argmax(worth))
            choice, now = steps[best], shares[best]
        return choice

    def finer(self, choice: Choice) -> Choice:
        """Finer, one column at a time or against one level of another, while few are left out."""
        while True:
            steps = []
            for i, level in enumerate(choice):
                for finer in range(level):
                    step = _with(choice, i, finer)
                    steps += [step, *self.one_coarser(step, but=i)]
            kept = self.kept(choice) + 1e-9
            better = sorted((step for step in steps if self.kept(step) > kept), key=self.kept)
            found = next((step for step in reversed(better) if self.share(step) <= self.most), None)
            if found is None:
                return choice
            choice = found
