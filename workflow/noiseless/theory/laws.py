"""Laws: joint distributions of the records of a database, which may depend on each other.

Each record is a number, such as the bit of a person.  :class:`TableLaw` lists the databases;
:class:`ChainLaw` (a Markov chain in time), :class:`ExchangeableLaw` (the order of the records says
nothing) and :class:`BlockLaw` (independent groups, such as households) scale to many records.

:class:`noiseless.accounting.joint.RecordHypothesis` asks what an adversary who knows a law infers
about a record from noisy answers.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, Protocol, runtime_checkable

import numpy as np
from scipy.special import gammaln, logsumexp, xlog1py, xlogy

from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import (
    convert_to_floats,
    convert_to_numbers,
    require_kind,
    require_list,
    require_number,
    require_whole,
)

Database = tuple[float, ...]
# Points, ascending, and their probabilities, each of shape (points,).
Masses = tuple[Floats, Floats]

MAX_DATABASES: Final = 2**14  # of a table
_MAX_COLUMNS: Final = 62  # bits of a whole number
_MAX_SUMS: Final = 2**24  # pairs of sums whose sum is taken at once
_MAX_CORRELATED: Final = 12  # records of a law of largest entropy
# Sums of the same numbers in another order differ by less than this, relative to the largest one.
ROUNDING: Final = 2.0**-40


@runtime_checkable
class Law(Protocol):
    """Joint distribution of the records of a database, each of which is a number."""

    @property
    def records(self) -> int:
        """Number of records."""
        ...

    @property
    def span(self) -> float:
        """Largest difference of two values of one record."""
        ...

    @property
    def is_positive(self) -> bool:
        """True for bits that are positively dependent: P(x and y) P(x or y) >= P(x) P(y) (MTP2)."""
        ...

    def compute_chance(self, record: int, value: float) -> float:
        """Compute the probability that a record has a value."""
        ...

    def compute_sums(self, record: int, value: float) -> Masses:
        """Compute the distribution of the sum of all records, given the value of one."""
        ...

    def compute_log_mean(self, record: int, value: float, rate: float) -> float:
        """Compute log E[e^(rate sum)], given the value of a record."""
        points, chances = self.compute_sums(record, value)
        return float(_compute_log_mean(rate * points, chances[None])[0])

    def build_table(self) -> "TableLaw":
        """Build the table of the law, of at most 16,384 databases."""
        ...


class TableLaw(Law):
    """Law by its table, for up to 16,384 databases.

    Parameters
    ----------
    weights : mapping of tuple of float to float
        Probability of each possible database, up to a common factor.

    Raises
    ------
    ConfigError
        If the databases differ in length, a weight is negative or not finite, none is positive, or
        there are too many.

    Examples
    --------
    Two records that are equal with 80 %, and three of which two are public to be ones:

    >>> TableLaw({(0, 0): 4, (0, 1): 1, (1, 0): 1, (1, 1): 4}).compute_chance(0, 1)
    0.5
    >>> two = TableLaw.build_independent([0.5, 0.5, 0.8]).keep(lambda x: sum(x) == 2)
    >>> round(two.compute_chance(0, 1), 4)
    0.5556
    """

    def __init__(self, weights: Mapping[Database, float]) -> None:
        require_kind("weights", weights, Mapping, "a mapping from databases to numbers")
        numbers = {
            convert_to_numbers(x, "a database of `weights`"): require_number(
                f"weights[{x!r}]", w, least=0
            )
            for x, w in weights.items()
        }
        kept = {tuple(map(float, x)): float(w) for x, w in numbers.items() if w != 0}
        if not kept or len({len(x) for x in kept}) != 1 or not next(iter(kept)):
            raise ConfigError(
                "`weights` must map databases of one length to numbers, one of them positive, got "
                f"{len(kept)} databases of {len({len(x) for x in kept})} lengths. Give each "
                "possible database once."
            )
        if not all(w > 0 and math.isfinite(w) for w in kept.values()):
            worst = next(x for x, w in kept.items() if not (w > 0 and math.isfinite(w)))
            raise ConfigError(
                f"`weights` must be finite and at least 0, got {kept[worst]} for {worst}. Mend it."
            )
        if len(kept) > MAX_DATABASES:
            raise ConfigError(
                f"`weights` must be of {MAX_DATABASES:,} databases at most, got {len(kept):,}. "
                "Give a ChainLaw, an ExchangeableLaw or a BlockLaw."
            )
        self.databases = np.array(list(kept))
        chances = np.array(list(kept.values()))
        chances /= chances.max()  # whose sum is finite
        self.chances = chances / chances.sum()

    @classmethod
    def build_independent(cls, chances: Sequence[float]) -> "TableLaw":
        """Build the law of independent bits from the probability of a one of each (14 at most)."""
        for p in require_list("chances", chances, "a list of probabilities"):
            require_number("chances", p, least=0, most=1)
        return BlockLaw([ExchangeableLaw([1 - p, p]) for p in chances]).build_table()

    @classmethod
    def build_from_rows(cls, rows: Iterable[Sequence[float]]) -> "TableLaw":
        """Build the empirical law of databases that were seen, one in each row."""
        counts: dict[Database, float] = {}
        for row in rows.to_numpy().tolist() if hasattr(rows, "to_numpy") else rows:
            x = convert_to_numbers(row, "a row of `rows`")
            counts[x] = counts.get(x, 0) + 1
        return cls(counts)

    @classmethod
    def build_from_correlations(
        cls, chances: Sequence[float], correlations: Sequence[Sequence[float]]
    ) -> "TableLaw":
        """Build the law of bits of largest entropy with given correlations.

        Correlations do not determine a law: this is one choice of many.

        Parameters
        ----------
        chances : sequence of float
            Probability of a one of each record, strictly between 0 and 1; at most 12.
        correlations : sequence of sequence of float
            Matrix of the correlations, of shape (records, records).

        Raises
        ------
        ConfigError
            If the shapes do not fit, or no law with every database possible has them.
        """
        p = convert_to_floats(chances, "`chances`", is_complete=True).ravel()
        r = convert_to_floats(correlations, "`correlations`", is_complete=True)
        n = len(p)
        if n > _MAX_CORRELATED or r.shape != (n, n) or not ((p > 0) & (p < 1)).all():
            raise ConfigError(
                f"`chances` must be up to {_MAX_CORRELATED} numbers between 0 and 1, and "
                f"`correlations` a square matrix of as many rows, got {n} and shape {r.shape}."
            )
        if not np.allclose(r, r.T) or not np.allclose(np.diag(r), 1):
            raise ConfigError("`correlations` must be symmetric, with ones on the diagonal.")
        x = np.array(list(itertools.product((0.0, 1.0), repeat=n)))
        pairs = list(itertools.combinations(range(n), 2))
        features = np.column_stack([x, *(x[:, i] * x[:, j] for i, j in pairs)])
        deviations = np.sqrt(p * (1 - p))
        wanted = np.array(
            [*p, *(p[i] * p[j] + r[i, j] * deviations[i] * deviations[j] for i, j in pairs)]
        )
        q = _maximise_entropy(features, wanted)
        if np.abs(wanted - q @ features).max() > 1e-7:
            raise ConfigError(
                "`correlations` must be those of some law of bits in which every database is "
                "possible, and no such law was found. Lower the correlations."
            )
        return cls(dict(zip(map(tuple, x.tolist()), q.tolist(), strict=True)))

    def keep(self, constraint: Callable[[Database], bool]) -> "TableLaw":
        """Return the law given a public constraint on the database."""
        if not callable(constraint):
            raise ConfigError(
                f"`constraint` must be a function of a database, got {constraint!r:.80}."
            )
        kept = {x: p for x, p in self._list_rows() if constraint(x)}
        if not kept:
            raise ConfigError("`constraint` must allow a possible database, got one that does not.")
        return TableLaw(kept)

    def _list_rows(self) -> list[tuple[Database, float]]:
        """List the databases and their probabilities."""
        rows = map(tuple, self.databases.tolist())
        return list(zip(rows, self.chances.tolist(), strict=True))

    @property
    def records(self) -> int:
        """Number of records."""
        return self.databases.shape[1]

    @property
    def span(self) -> float:
        """Largest difference of two values of one record."""
        return float(np.ptp(self.databases, axis=0).max())

    @cached_property
    def is_positive(self) -> bool:
        """True for bits with P(x and y) P(x or y) >= P(x) P(y) for all x and y (MTP2).

        False without a look for more than 4,096 databases, or 62 different records.
        """
        if len(self.chances) > 2**12 or not set(np.unique(self.databases)) <= {0.0, 1.0}:
            return False
        columns = np.unique(self.databases, axis=1).astype(np.int64)  # copies are one record
        if columns.shape[1] > _MAX_COLUMNS:
            return False
        codes = columns @ (1 << np.arange(columns.shape[1], dtype=np.int64))
        order = np.argsort(codes)
        codes, chances = codes[order], self.chances[order]

        def get_chances(wanted: np.ndarray) -> Floats:
            at = np.searchsorted(codes, wanted).clip(0, len(codes) - 1)
            return np.where(codes[at] == wanted, chances[at], 0.0)

        return all(
            (get_chances(codes & x) * get_chances(codes | x) >= chances * p * (1 - 1e-9)).all()
            for x, p in zip(codes, chances, strict=True)
        )

    def compute_chance(self, record: int, value: float) -> float:
        """Compute the probability that a record has a value."""
        _require_record(self, record)
        return float(self.chances[self.databases[:, record] == value].sum())

    def compute_sums(self, record: int, value: float) -> Masses:
        """Compute the distribution of the sum of all records, given the value of one."""
        _require_value(self, record, value)
        kept = self.databases[:, record] == value
        chances = self.chances[kept]
        return collect(self.databases[kept].sum(axis=1), chances / chances.sum())

    def build_table(self) -> "TableLaw":
        """Return the law itself."""
        return self


def _maximise_entropy(features: Floats, wanted: Floats) -> Floats:
    """Find the distribution of largest entropy with given means of features.

    By Newton's method with halved steps on the convex dual; the caller checks the means.
    """
    theta = np.zeros(len(wanted))
    for _ in range(200):
        logits = features @ theta
        value = wanted @ theta - logsumexp(logits)
        q = np.exp(logits - logsumexp(logits))
        gradient = wanted - q @ features
        if np.abs(gradient).max() < 1e-11:
            break
        centred = features - q @ features
        curvature = (centred * q[:, None]).T @ centred + 1e-13 * np.eye(len(theta))
        step = np.linalg.lstsq(curvature, gradient)[0]
        size = 1.0
        while size > 1e-12:
            moved = theta + size * step
            if wanted @ moved - logsumexp(features @ moved) >= value:
                break
            size /= 2
        theta = theta + size * step
    return q


class ChainLaw(Law):
    """Law of a Markov chain: a person's value at each time, or the houses of a street.

    Parameters
    ----------
    values : sequence of float
        Values of a record, each once.
    start : sequence of float
        Probability of each value of the first record.
    transition : sequence of sequence of float
        Row a, column b: the probability of value b after value a.
    records : int
        Number of records.

    Raises
    ------
    ConfigError
        If the shapes do not fit, or there are no probabilities where there must be.

    Examples
    --------
    An hour equals the one before with 90 %, and the one four hours later with 70 %:

    >>> hours = ChainLaw.build_symmetric(0.9, records=5).build_table()
    >>> round(hours.keep(lambda x: x[0] == 1).compute_chance(4, 1), 4)
    0.7048
    """

    def __init__(
        self,
        values: Sequence[float],
        start: Sequence[float],
        transition: Sequence[Sequence[float]],
        records: int,
    ) -> None:
        self.values = convert_to_floats(values, "`values`", is_complete=True)
        self.start = convert_to_floats(start, "`start`", is_complete=True)
        self.transition = convert_to_floats(transition, "`transition`", is_complete=True)
        self._records = records = require_whole("records", records, 1)
        size = len(set(self.values.ravel().tolist()))
        shapes = self.values.shape, self.start.shape, self.transition.shape
        if shapes != ((size,), (size,), (size, size)):
            raise ConfigError(
                "`values` must be different numbers, `start` must have a number and `transition` a "
                f"row and a column for each, got shapes {shapes}."
            )
        rows = np.vstack([self.start, self.transition])
        if not (np.allclose(rows.sum(axis=1), 1) and rows.min() >= 0):
            raise ConfigError(
                "`start` and each row of `transition` must be probabilities with the sum 1, got "
                f"the sums {rows.sum(axis=1).tolist()} and the least number {rows.min()}."
            )

    @classmethod
    def build_symmetric(cls, stay: float, records: int) -> "ChainLaw":
        """Build a chain of fair bits, each of which equals the one before with a probability."""
        stay = require_number("stay", stay, least=0, most=1)
        return cls((0, 1), (0.5, 0.5), ((stay, 1 - stay), (1 - stay, stay)), records)

    @property
    def records(self) -> int:
        """Number of records."""
        return self._records

    @property
    def span(self) -> float:
        """Largest difference of two values."""
        return float(np.ptp(self.values))

    @property
    def is_positive(self) -> bool:
        """True for bits (0, 1) whose chance of a one does not fall with the bit before (MTP2)."""
        is_bit = self.values.tolist() == [0, 1]
        return is_bit and (self.records == 1 or bool(np.linalg.det(self.transition) >= -1e-15))

    @cached_property
    def _marginals(self) -> list[Floats]:
        """List the probabilities of the values of each record."""
        rows = [self.start]
        for _ in range(self.records - 1):
            rows.append(rows[-1] @ self.transition)
        return rows

    def _list_steps(self, record: int) -> tuple[list[Floats], list[Floats]]:
        """List the transitions from a record back to the first one, and on to the last one."""
        back = []
        for i in range(record, 0, -1):
            joint = self._marginals[i - 1][:, None] * self.transition
            total = joint.sum(axis=0)
            back.append((joint / np.where(total > 0, total, 1)).T)
        return back, [self.transition] * (self.records - 1 - record)

    def compute_chance(self, record: int, value: float) -> float:
        """Compute the probability that a record has a value."""
        _require_record(self, record)
        return float(self._marginals[record][self.values == value].sum())

    def compute_log_mean(self, record: int, value: float, rate: float) -> float:
        """Compute log E[e^(rate sum)], given the value of a record, by two messages to it."""
        _require_value(self, record, value)
        total = rate * self.values
        for steps in self._list_steps(record):
            message = np.zeros(len(self.values))
            for step in reversed(steps):
                message = _compute_log_mean(message + rate * self.values, step)
            total = total + message
        return float(total[self.values == value][0])

    def compute_sums(self, record: int, value: float) -> Masses:
        """Compute the distribution of the sum of all records, given the value of one."""
        _require_value(self, record, value)
        size, sides = len(self.values), []
        for steps in self._list_steps(record):
            sums, states = np.zeros(1), (self.values == value).astype(float)[None]
            for step in steps:
                # Each sum goes on to one for each next value, which keeps that value's weight.
                sums, group = group_equal(np.add.outer(sums, self.values).ravel())
                after = np.zeros((len(sums), size))
                np.add.at(
                    after, (group, np.tile(np.arange(size), len(states))), (states @ step).ravel()
                )
                states = after
            sides.append(collect(sums, states.sum(axis=1)))
        points, chances = _add_independent(*sides)
        return points + value, chances

    def build_table(self) -> TableLaw:
        """Build the table of the law."""
        _check_size(len(self.values) ** self.records)
        states = itertools.product(range(len(self.values)), repeat=self.records)
        return TableLaw(
            {
                tuple(self.values[list(x)].tolist()): self.start[x[0]]
                * math.prod(self.transition[a, b] for a, b in itertools.pairwise(x))
                for x in states
            }
        )


class ExchangeableLaw(Law):
    """Law of bits that depends on the number of ones alone.

    Parameters
    ----------
    counts : sequence of float
        Probability of 0, 1, ..., n ones, up to a common factor.

    Raises
    ------
    ConfigError
        If there are fewer than two weights, one is negative, or none is positive.

    Examples
    --------
    A household of four that answers alike with 60 %, and else as four strangers:

    >>> ExchangeableLaw.build_mixed(4, 0.5, alike=0.6).counts
    array([0.325, 0.1  , 0.15 , 0.1  , 0.325])
    """

    def __init__(self, counts: Sequence[float]) -> None:
        weights = convert_to_floats(counts, "`counts`", is_complete=True)
        is_list = weights.ndim == 1 and len(weights) > 1
        if not (is_list and weights.max() > 0 and np.isfinite(weights).all()):
            raise ConfigError(
                "`counts` must be two or more finite weights, one of them positive, got "
                f"{weights.tolist()}."
            )
        if weights.min() < 0:
            raise ConfigError(f"`counts` must be at least 0, got {weights.min()}.")
        weights = weights / weights.max()  # whose sum is finite
        self.counts = weights / weights.sum()

    @classmethod
    def build_copies(cls, records: int, chance: float) -> "ExchangeableLaw":
        """Build the law of a household whose members all have the same bit."""
        records = require_whole("records", records, 1)
        chance = require_number("chance", chance, least=0, most=1)
        return cls([1 - chance, *[0.0] * (records - 1), chance])

    @classmethod
    def build_mixed(cls, records: int, chance: float, alike: float) -> "ExchangeableLaw":
        """Build the law of bits that are all copies with a probability, and else independent."""
        alike = require_number("alike", alike, least=0, most=1)
        copies = cls.build_copies(records, chance).counts
        ones = np.arange(int(records) + 1)
        logs = _compute_log_binomials(int(records))
        logs = logs + xlogy(ones, chance) + xlog1py(ones[::-1], -chance)
        return cls((1 - alike) * np.exp(logs) + alike * copies)

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.counts) - 1

    @property
    def span(self) -> float:
        """Return 1, the difference of two bits."""
        return 1.0

    @property
    def is_positive(self) -> bool:
        """True if all are alike, or one database's chance is positive and log-convex in its ones.

        This is MTP2 of exchangeable bits.
        """
        if not self.counts[1:-1].any():
            return True
        if not self.counts.all():
            return False
        logs = np.log(self.counts) - _compute_log_binomials(self.records)
        return bool((np.diff(logs, 2) >= -1e-9).all())

    def compute_chance(self, record: int, value: float) -> float:
        """Compute the probability that a record has a value."""
        _require_record(self, record)
        ones = float(self.counts @ np.arange(len(self.counts))) / self.records
        return {1.0: ones, 0.0: 1 - ones}.get(float(value), 0.0)

    def compute_sums(self, record: int, value: float) -> Masses:
        """Compute the distribution of the sum of all records, given the value of one."""
        _require_value(self, record, value)
        ones = np.arange(len(self.counts))
        weights = self.counts * (ones if value == 1 else self.records - ones)
        return collect(ones.astype(float), weights / weights.sum())

    def build_table(self) -> TableLaw:
        """Build the table of the law."""
        _check_size(2**self.records)
        each = self.counts / np.exp(_compute_log_binomials(self.records))
        return TableLaw({x: each[sum(x)] for x in itertools.product((0, 1), repeat=self.records)})


class BlockLaw(Law):
    """Law of independent groups of records, in their order.

    Parameters
    ----------
    blocks : sequence of Law
        Laws of the groups, one or more.

    Raises
    ------
    ConfigError
        If there is none.

    Examples
    --------
    >>> street = BlockLaw([ExchangeableLaw.build_copies(3, 0.2), TableLaw.build_independent([0.7])])
    >>> street.records, street.compute_chance(3, 1)
    (4, 0.7)
    """

    def __init__(self, blocks: Sequence[Law]) -> None:
        self.blocks = require_list("blocks", blocks, "a list of laws")
        for block in self.blocks:
            require_kind("blocks", block, Law, "a list of laws")
        if not self.blocks:
            raise ConfigError("`blocks` must be one or more laws, got none.")

    @property
    def records(self) -> int:
        """Number of records."""
        return sum(block.records for block in self.blocks)

    @property
    def span(self) -> float:
        """Largest difference of two values of one record."""
        return max(block.span for block in self.blocks)

    @property
    def is_positive(self) -> bool:
        """True if every group is positively dependent (MTP2)."""
        return all(block.is_positive for block in self.blocks)

    def locate(self, record: int) -> tuple[int, int]:
        """Return the group of a record, and the record's index in it."""
        _require_record(self, record)
        k = 0
        while record >= self.blocks[k].records:
            record -= self.blocks[k].records
            k += 1
        return k, record

    def compute_chance(self, record: int, value: float) -> float:
        """Compute the probability that a record has a value."""
        k, inside = self.locate(record)
        return self.blocks[k].compute_chance(inside, value)

    def compute_sums(self, record: int, value: float) -> Masses:
        """Compute the distribution of the sum of all records, given the value of one.

        Raises
        ------
        ConfigError
            If another group has neither bits nor a table.
        """
        k, inside = self.locate(record)
        found = self.blocks[k].compute_sums(inside, value)
        for j, block in enumerate(self.blocks):
            if j != k:
                found = _add_independent(found, _compute_all_sums(block))
        return found

    def build_table(self) -> TableLaw:
        """Build the table of the law."""
        rows: dict[Database, float] = {(): 1.0}
        for block in self.blocks:
            table = block.build_table()
            _check_size(len(rows) * len(table.chances))
            rows = {x + y: p * q for x, p in rows.items() for y, q in table._list_rows()}
        return TableLaw(rows)


def _require_record(law: Law, record: int) -> None:
    """Raise ConfigError unless a law has a record of this index."""
    if require_whole("record", record, 0) >= law.records:
        raise ConfigError(
            f"`record` must be of the records 0 to {law.records - 1} of the law, got {record}."
        )


def _require_value(law: Law, record: int, value: float) -> None:
    """Raise ConfigError unless a record has a value with a positive probability."""
    if not law.compute_chance(record, value) > 0:
        raise ConfigError(
            f"`value` must have a positive probability, got {value}, which the law excludes for "
            f"record {record}."
        )


def _check_size(databases: int) -> None:
    """Raise ConfigError if there are too many databases for a table."""
    if databases > MAX_DATABASES:
        raise ConfigError(
            f"`law` must have {MAX_DATABASES:,} databases at most where its table is needed, got "
            f"{format_size(databases)}. Give fewer records."
        )


def format_size(databases: int) -> str:
    """Format a number of databases, which may have more digits than Python prints."""
    bits = databases.bit_length() - 1
    return f"{databases:,}" if bits < 64 else f"2^{bits} or more"


def _compute_log_mean(exponents: Floats, weights: Floats) -> Floats:
    """Compute log E[e^x] of each row of probabilities; near 0 it is not rounded to 0."""
    if np.abs(exponents).max() < 0.5:
        return np.log1p(weights @ np.expm1(exponents) / weights.sum(axis=1))
    return logsumexp(exponents, b=weights, axis=1) - np.log(weights.sum(axis=1))


def _compute_log_binomials(n: int) -> Floats:
    """Compute log(n choose k) for k from 0 to n."""
    k = np.arange(n + 1)
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


def _compute_all_sums(law: Law) -> Masses:
    """Compute the distribution of the sum of all records, whatever the first one is."""
    parts = [
        (chance, law.compute_sums(0, v))
        for v in (0.0, 1.0)
        if (chance := law.compute_chance(0, v)) > 0
    ]
    if not math.isclose(sum(chance for chance, _ in parts), 1.0, abs_tol=1e-9):
        table = law.build_table()
        return collect(table.databases.sum(axis=1), table.chances)
    points = np.concatenate([each for _, (each, _) in parts])
    return collect(points, np.concatenate([p * weights for p, (_, weights) in parts]))


def group_equal(points: Floats) -> tuple[Floats, np.ndarray]:
    """Group points that are equal but for rounding, relative to the largest one.

    The result is one point of each group, ascending, and the group of each point.
    """
    order = np.argsort(points, kind="stable")
    ascending = points[order]
    gap = ROUNDING * np.abs(points).max(initial=0.0)
    starts = (
        np.concatenate([[True], np.diff(ascending) > gap]) if len(points) else np.empty(0, bool)
    )
    group = np.empty(len(points), int)
    group[order] = np.cumsum(starts) - 1
    return ascending[starts], group


def collect(points: Floats, weights: Floats) -> Masses:
    """Add the weights of equal points; points without weight are left out."""
    kept = weights > 0
    groups, group = group_equal(points[kept])
    return groups, np.bincount(group, weights[kept], len(groups)).astype(float)


def _add_independent(one: Masses, two: Masses) -> Masses:
    """Compute the distribution of the sum of two independent numbers."""
    if len(one[0]) * len(two[0]) > _MAX_SUMS:
        raise ConfigError(
            f"`law` must have at most {_MAX_SUMS:,} pairs of sums of its parts, got "
            f"{len(one[0]) * len(two[0]):,}. Give fewer records, or rounder values."
        )
    return collect(np.add.outer(one[0], two[0]).ravel(), np.outer(one[1], two[1]).ravel())
