"""Queries against one object, and the domains that its value may come from.

1. A *domain* is public: a :class:`Box` of real vectors, or a :class:`FiniteDomain`.
2. A *query* knows how likely each of its outputs is under each value of the object.  The three
   regressions report one bit by :class:`~noiseless.OneBitMechanism`; output 0 is the lower end of
   their response's interval, output 1 the upper end.  A :class:`TableQuery` lists the
   probabilities.
3. :func:`build_likely_terms` and :func:`build_unlikely_terms` turn answered queries into the terms
   of the two maximisation problems of :mod:`noiseless.accounting.branch_and_bound`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import mul
from typing import Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from noiseless.accounting.branch_and_bound import LOG_CLIP, LOGIT, NEG_CLIP
from noiseless.arrays import Bools, Floats, Ints
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.containers import (
    convert_to_array,
    convert_to_floats,
    convert_to_numbers,
    convert_to_python,
    require_kind,
    require_list,
    require_number,
    require_whole,
)
from noiseless.mechanisms.families.one_bit import OneBitMechanism
from noiseless.mechanisms.interface import Domain

MAX_MAGNITUDE = 1e100
"""Largest magnitude of a linear function on a box: rounding errors must stay finite."""


@dataclass(frozen=True)
class Box:
    """Domain of real vectors between two corners; some coordinates may be categorical.

    Attributes
    ----------
    lower, upper : sequence of float, length d >= 1
        Ends of the closed interval of each coordinate, kept as tuples.
    categories : mapping of int to sequence of float
        The values of the coordinates (numbered from 0) that take only finitely many; the least
        and the largest are the ends of the coordinate's interval.  Kept as sorted pairs.

    Raises
    ------
    ConfigError
        If the corners differ in length, an interval is empty or a single point, or the values of a
        categorical coordinate do not fit its interval.

    Examples
    --------
    Age in years, and sex, 0 or 1:

    >>> Box([10, 0], [100, 1], categories={1: [0, 1]}).categories
    ((1, (0.0, 1.0)),)
    """

    lower: Sequence[float] | Any  # or an array or a Series
    upper: Sequence[float] | Any
    categories: Mapping[int, Sequence[float]] | tuple[tuple[int, tuple[float, ...]], ...] = ()

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            object.__setattr__(
                self, name, convert_to_numbers(getattr(self, name), f"the {name} ends")
            )
        if len(self.lower) != len(self.upper) or not self.lower:
            raise ConfigError(
                "`lower` and `upper` must have equal lengths of 1 or more, got "
                f"{self.lower} and {self.upper}."
            )
        for low, high in zip(self.lower, self.upper, strict=True):
            if not (low < high and is_finite(high - low)):
                raise ConfigError(
                    f"each interval of a box must have two finite ends, the lower first, got "
                    f"[{low}, {high}]."
                )
        pairs = _list_categories(self.categories)
        for index, values in pairs:
            if index not in range(self.dimensions):
                raise ConfigError(
                    f"keys of `categories` must be coordinates from 0 to {self.dimensions - 1}, "
                    f"got {index}."
                )
            if len(values) < 2 or (values[0], values[-1]) != (self.lower[index], self.upper[index]):
                raise ConfigError(
                    f"the values {values} of the categorical coordinate {index} must be two or "
                    f"more, from {self.lower[index]} to {self.upper[index]}, its ends in the box."
                )
        object.__setattr__(self, "categories", tuple(pairs))

    @property
    def dimensions(self) -> int:
        """Number of coordinates d."""
        return len(self.lower)

    @property
    def categorical(self) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """Sorted pairs of a categorical coordinate's number and its sorted values."""
        return cast("tuple[tuple[int, tuple[float, ...]], ...]", self.categories)

    @cached_property
    def levels(self) -> tuple[Ints, Floats]:
        """Values of the categorical coordinates in [0, 1]: ``counts`` and ``levels``.

        They are as :func:`branch_and_bound.maximise` takes them; shapes (d,) and (d, k).
        """
        counts = np.zeros(self.dimensions, dtype=np.int64)
        levels = np.zeros((self.dimensions, max((len(v) for _, v in self.categorical), default=1)))
        for index, values in self.categorical:
            counts[index] = len(values)
            low, width = self.exact_ends[0][index], self.exact_ends[1][index]
            levels[index, : len(values)] = [float((Fraction(v) - low) / width) for v in values]
        return counts, levels

    @cached_property
    def exact_ends(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Lower ends and widths of the intervals as fractions."""
        lower = tuple(map(Fraction, self.lower))
        return lower, tuple(Fraction(u) - low for u, low in zip(self.upper, lower, strict=True))

    @cached_property
    def sizes(self) -> tuple[list[float], list[float]]:
        """Largest magnitude of each coordinate and the width of its interval, rounded."""
        ends = list(zip(self.lower, self.upper, strict=True))
        return [max(abs(low), abs(high)) for low, high in ends], [high - low for low, high in ends]

    @cached_property
    def scales(self) -> tuple[Sequence[float], Sequence[float]] | None:
        """Values of ``exact_ends`` as floats, if all are 0 or powers of two; else None.

        Products with such numbers are exact.
        """
        lower, widths = (tuple(map(float, numbers)) for numbers in self.exact_ends)
        is_exact = (*lower, *widths) == (*self.exact_ends[0], *self.exact_ends[1])
        return (
            (lower, widths) if is_exact and all(map(_is_exact_scale, (*lower, *widths))) else None
        )

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """``lower`` and ``upper`` as arrays of shape (d,)."""
        return np.array(self.lower), np.array(self.upper)

    def contains(self, points: ArrayLike) -> Bools | np.bool_:
        """Return whether points, shape (..., d), are in the box; array of bool of shape (...).

        Categorical coordinates must take one of their values.
        """
        points = convert_to_floats(points, "the points")
        if points.shape[-1:] != (self.dimensions,):
            return np.zeros(points.shape[:-1], dtype=bool)
        inside = ((points >= self.lower) & (points <= self.upper)).all(axis=-1)
        for index, values in self.categorical:
            inside &= np.isin(points[..., index], values)
        return inside

    def convert_from_unit(self, points: ArrayLike) -> Floats:
        """Map points of [0, 1]^d, shape (..., d), to points of the box.

        Categorical coordinates become the nearest of their values.
        """
        lower, upper = self.ends
        inside = np.minimum(
            np.maximum(lower + convert_to_floats(points, "the points") * (upper - lower), lower),
            upper,
        )
        for index, values in self.categorical:
            distance = np.abs(inside[..., index, None] - np.array(values))
            inside[..., index] = np.array(values)[distance.argmin(axis=-1)]
        return inside

    def convert_to_unit(self, points: ArrayLike) -> Floats:
        """Map points of the box, shape (..., d), to [0, 1]^d; inverse of ``convert_from_unit``."""
        lower, upper = self.ends
        return (convert_to_floats(points, "the points") - lower) / (upper - lower)


def _list_categories(categories: Any) -> list[tuple[int, tuple[float, ...]]]:
    """Return sorted pairs of a coordinate and its sorted values, of a mapping or of such pairs."""
    if not isinstance(categories, Mapping):
        what = "a mapping from a coordinate's number to its values"
        pairs = require_list("categories", categories, what)
        if not all(isinstance(each, tuple) and len(each) == 2 for each in pairs):
            raise ConfigError(f"`categories` must be {what}, got {categories!r:.80}.")
        categories = dict(pairs)
    return sorted(
        (
            require_whole("a key of categories", index, 0),
            tuple(sorted(set(map(float, convert_to_numbers(values, "the values of a category"))))),
        )
        for index, values in categories.items()
    )


@dataclass(frozen=True)
class FiniteDomain:
    """Domain of finitely many values.

    Attributes
    ----------
    points : array_like, m points of d coordinates each
        Kept as a tuple of tuples of numbers.

    Raises
    ------
    ConfigError
        If there is no point, they differ in length, or are no finite numbers.

    Examples
    --------
    A bit:

    >>> FiniteDomain(((0.0,), (1.0,))).points
    ((0.0,), (1.0,))
    """

    points: Sequence[Sequence[float]] | Any  # or an array or a DataFrame

    def __post_init__(self) -> None:
        try:
            points = convert_to_array(self.points, "the points")
        except DataError:
            points = np.empty(0)
        if points.ndim != 2 or not points.size or not np.isfinite(points).all():
            raise ConfigError(
                "`points` must be one or more points of equal length, each of finite numbers, got "
                f"{self.points!r:.200}."
            )
        object.__setattr__(self, "points", tuple(map(tuple, points.tolist())))


@runtime_checkable
class Query(Protocol):
    """Interface of a query: its epsilon, its outputs and their likelihoods."""

    @property
    def epsilon_nats(self) -> float:
        """LDP guarantee of the query, in nats."""

    @property
    def outputs(self) -> int:
        """Number of possible outputs, which are numbered from 0."""

    def log_likelihood(self, output: int, points: Floats) -> Floats:
        """Compute the log-probability of an output at points of shape (m, d), shape (m,)."""


# Many queries have the same epsilon, and the same mechanism.
@lru_cache(maxsize=16)
def convert_to_fraction(epsilon_nats: float) -> Fraction:
    """Convert an epsilon (nats) to the equal fraction."""
    return Fraction(epsilon_nats)


@lru_cache(maxsize=16, typed=True)
def _build_one_bit_mechanism(low: float, high: float, epsilon_nats: float) -> OneBitMechanism:
    """Build the one-bit mechanism of responses in [low, high]; others are an error."""
    return OneBitMechanism(Domain((low,), (high,)), epsilon_nats, clip=False)


@dataclass(frozen=True)
class _Regression:
    """Base class of queries for one bit about a function of ``coefficients . x + intercept``."""

    coefficients: Sequence[float] | Any  # or an array or a Series
    intercept: float
    epsilon_nats: float

    outputs: ClassVar[int] = 2

    def __post_init__(self) -> None:
        coefficients = convert_to_numbers(self.coefficients, "the coefficients of a regression")
        object.__setattr__(self, "coefficients", coefficients)
        for name in ("intercept", "epsilon_nats"):
            object.__setattr__(self, name, convert_to_python(getattr(self, name)))
        parameters = (*self.coefficients, self.intercept)
        if not self.coefficients or not all(map(is_finite, parameters)):
            raise ConfigError("the parameters of a regression must be finite numbers.")
        require_number("epsilon_nats", self.epsilon_nats)
        _ = self.mechanism

    @property
    def mechanism(self) -> OneBitMechanism:
        """Mechanism that reports the response."""
        raise NotImplementedError

    def compute_response(self, points: ArrayLike) -> Floats:
        """Compute the value of the regression at points of shape (m, d), shape (m,)."""
        return self._apply_link(self._compute_linear_part(points))

    def _apply_link(self, linear: Floats) -> Floats:
        """Compute responses from values of ``coefficients . x + intercept``, of any shape."""
        raise NotImplementedError

    def log_likelihood(self, output: int, points: ArrayLike) -> Floats:
        """Compute the log-probability of an output at points of shape (m, d), shape (m,)."""
        require_output(self, output)
        high = self.mechanism.compute_probability_high(self.compute_response(points))
        return np.log(high if output else 1 - high)

    def require(self, box: Box) -> None:
        """Check that the query can be asked of every value of the box; raise ConfigError if not.

        The numbers of coordinates are equal, the response stays in its interval, and the linear
        function below :data:`MAX_MAGNITUDE`.  An answer to a query that passes can be recorded and
        its loss bounded.
        """
        build_answer_rows(self, box)

    def require_fit(self, box: Box) -> None:
        """Check the number of coordinates, the interval and the magnitudes of a query.

        These are the checks of :meth:`require` that need no terms.
        """
        if len(self.coefficients) != box.dimensions:
            raise ConfigError(
                f"a query with {len(self.coefficients)} coefficients cannot be asked of a value "
                f"with {box.dimensions} coordinates."
            )
        if not all(map(math.isfinite, self._list_sizes(box))):
            raise ConfigError(
                "the parameters of a query are too large for its box, or its interval too short: "
                "its response overflows. Measure the response in another unit."
            )

    def _list_sizes(self, box: Box) -> list[float]:
        """List the numbers that must be finite on a box, first a bound of the linear function."""
        furthest, _ = box.sizes
        return [sum(map(mul, map(abs, self.coefficients), furthest), abs(self.intercept))]

    def _compute_linear_part(self, points: ArrayLike) -> Floats:
        """Compute ``coefficients . x + intercept`` at points of shape (m, d), shape (m,)."""
        points = convert_to_floats(points, "the points")
        if points.ndim != 2 or points.shape[1] != len(self.coefficients):
            raise DataError(
                f"`points` must have the shape (m, {len(self.coefficients)}), as the query has "
                f"{len(self.coefficients)} coefficients, got {points.shape}."
            )
        return points @ np.array(self.coefficients) + self.intercept


@dataclass(frozen=True)
class TruncatedLinearQuery(_Regression):
    """Linear regression whose response is clipped to [low, high] (Section 5.3.2)."""

    low: float
    high: float

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, convert_to_python(getattr(self, name)))
            if not is_finite(getattr(self, name)):
                raise ConfigError("the ends of the interval of responses must be finite numbers.")
            require_number(f"the {name} end of the interval", getattr(self, name))
        super().__post_init__()

    @property
    def mechanism(self) -> OneBitMechanism:
        """Mechanism that reports the response."""
        return _build_one_bit_mechanism(self.low, self.high, self.epsilon_nats)

    def _apply_link(self, linear: Floats) -> Floats:
        """Clip values of the linear function to the query's interval."""
        return np.clip(linear, self.low, self.high)

    def _list_sizes(self, box: Box) -> list[float]:
        """List the numbers that must be finite on a box, also scaled to the interval."""
        (reach,) = super()._list_sizes(box)
        length = self.high - self.low
        sizes = [reach, reach / length, self.low / length, self.high / length]
        widths = [width / length for width in box.sizes[1]]
        return [*sizes, *widths, *map(mul, self.coefficients, widths)]


@dataclass(frozen=True)
class LinearQuery(TruncatedLinearQuery):
    """Linear regression whose response stays in [low, high] on the domain (Section 5.3.1).

    Examples
    --------
    One bit about the mean of two coordinates in [0, 1], with a tenth of a nat:

    >>> query = LinearQuery([0.5, 0.5], 0, epsilon_nats=0.1, low=0, high=1)
    >>> query.compute_response([[0.2, 0.6]])
    array([0.4])
    """

    def _apply_link(self, linear: Floats) -> Floats:
        """Return values of the linear function unchanged."""
        return linear

    def require_fit(self, box: Box) -> None:
        """Check coordinates and magnitudes, and that the response stays in its interval."""
        super().require_fit(box)
        at_lower = list(map(mul, self.coefficients, box.lower))
        at_upper = list(map(mul, self.coefficients, box.upper))
        least = self.intercept + sum(map(min, at_lower, at_upper))
        most = self.intercept + sum(map(max, at_lower, at_upper))
        slack = 1e-12 * (self.high - self.low)  # of rounding
        if not (least >= self.low - slack and most <= self.high + slack):  # also where it is NaN
            raise ConfigError(
                f"the response of a linear query reaches [{least:g}, {most:g}], beyond "
                f"[{self.low}, {self.high}]. Widen its interval or ask a truncated linear query."
            )


@dataclass(frozen=True)
class LogisticQuery(_Regression):
    """Logistic regression, with response in [0, 1] (Section 5.3.3).

    Examples
    --------
    >>> LogisticQuery([2.0, -1.0], 0.5, epsilon_nats=0.1).compute_response([[0.0, 0.5]])
    array([0.5])
    """

    @property
    def mechanism(self) -> OneBitMechanism:
        """Mechanism that reports the response."""
        return _build_one_bit_mechanism(0.0, 1.0, self.epsilon_nats)

    def _apply_link(self, linear: Floats) -> Floats:
        """Compute the logistic function of values of the linear function."""
        return 1 / (1 + np.exp(-np.clip(linear, -700, 700)))


Regression = TruncatedLinearQuery | LogisticQuery
"""Queries that can be asked of a value in a box."""


@dataclass(frozen=True)
class TableQuery:
    """Query on a finite domain, defined by the probability of each output at each point.

    Attributes
    ----------
    probabilities : tuple of tuple of float
        One row per output, one column per point of the domain.  Without rounding, a column of n
        outputs sums to 1 within n 2^-52.

    Raises
    ------
    ConfigError
        If a probability is not larger than 0, or a column does not sum to 1 so closely.

    Examples
    --------
    Randomized response about a bit, true with a probability of three fourths:

    >>> query = TableQuery(((0.75, 0.25), (0.25, 0.75)))
    >>> round(query.epsilon_nats, 4)
    1.0986
    """

    probabilities: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        try:
            table = convert_to_floats(self.probabilities)
        except DataError:  # no numbers, or rows that differ in length
            table = np.empty(0)
        is_table = table.ndim == 2 and table.size > 0 and np.isfinite(table).all()
        if not is_table or not (table > 0).all():
            raise ConfigError(
                "the probabilities of a query must be larger than 0 and sum to 1 at each point: "
                "give one row for each output, with one number for each point of the domain."
            )
        most = self.outputs * Fraction(1, 2**52)
        if self._remainder > most:
            raise ConfigError(
                "the probabilities of a query must sum to 1 at each point, but at one they are off "
                f"by {float(self._remainder):.3g}, more than the {float(most):.3g} that rounding "
                f"explains for {self.outputs} outputs. Give each number with all of its digits."
            )

    @cached_property
    def _remainder(self) -> Fraction:
        """Largest exact distance of a column's sum from 1."""
        columns = zip(*(map(float, row) for row in self.probabilities), strict=True)
        return max(abs(sum(map(Fraction, column), Fraction(-1))) for column in columns)

    @property
    def remainder_nats(self) -> Fraction:
        """Largest change of a log-probability if the columns are made to sum to 1.

        A sampler must assign the difference of a column's sum to 1 to some output, or to all in
        proportion.  In proportion, each probability is divided by the column's sum s, and
        with r = abs(s - 1), abs(log s) is at most r / (1 - r).
        """
        return self._remainder / (1 - self._remainder)

    @property
    def outputs(self) -> int:
        """Number of possible outputs."""
        return len(self.probabilities)

    @property
    def epsilon_nats(self) -> float:
        """Smallest LDP guarantee of the query, in nats."""
        table = np.log(np.array(self.probabilities))
        return float((table.max(axis=1) - table.min(axis=1)).max())

    def log_likelihood(self, output: int, points: Floats) -> Floats:
        """Return the log-probability of an output at the m points of the domain, shape (m,)."""
        require_output(self, output)
        row = np.log(np.array(self.probabilities[output]))
        if len(row) != len(points):
            raise DataError(
                f"the query must have a probability for each of the {len(points)} points of the "
                f"domain, got {len(row)}. Give a table with a column for each point."
            )
        return row


@dataclass(frozen=True, eq=False)
class Terms:
    """Sum of terms over [0, 1]^d, and a constant, as :func:`branch_and_bound.maximise` takes it.

    No term is constant on the box.  Two sums are equal if all their numbers are, to the last bit.
    """

    kinds: Ints
    eps: Floats
    a: Floats
    b: Floats
    constant: float

    @cached_property
    def _bits(self) -> tuple[float | bytes, ...]:
        """All bits of the terms, as a hashable key."""
        arrays = (self.kinds, self.eps, self.a, self.b)
        return (self.constant, *(array.tobytes() for array in arrays))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and self._bits == other._bits

    def __hash__(self) -> int:
        return hash(self._bits)

    def select_rows(self, indices: Sequence[int]) -> "Terms":
        """Select some of the terms by number, without the constant."""
        index = np.asarray(indices, dtype=np.int64)
        return Terms(self.kinds[index], self.eps[index], self.a[index], self.b[index], 0.0)


KIND, EPSILON, EXPM1_EPSILON, LIKELY, UNLIKELY, SLOPES = range(6)
"""Columns of the rows of answers: see :func:`answer_rows`; the last begins the coefficients."""


def build_empty_rows(box: Box) -> Floats:
    """Build the rows of no answer, shape (0, SLOPES + d)."""
    return np.empty((0, SLOPES + box.dimensions))


# Several accounts need the rows of a query that a filter tries, and again when it is answered.
@lru_cache(maxsize=16)
def build_answer_rows(query: Regression, box: Box) -> tuple[Floats, Floats]:
    """Build the row of coefficients, shape (1, SLOPES + d), for each of the two outputs of a query.

    There is no row where the terms are constant on the box.  The columns are :data:`KIND`, that of
    the term of log P; :data:`EPSILON`; :data:`EXPM1_EPSILON`, the E = e^eps - 1 of objectives; the
    intercepts of the term of log P, :data:`LIKELY`, and of that of -log P, :data:`UNLIKELY`; and
    from :data:`SLOPES` on the coefficients of the term of log P, which are minus those of the
    other.
    """
    query.require_fit(box)
    linear = (_build_linear_by_scaling if _is_scaled(query, box) else _build_linear_exactly)(
        query, box
    )
    if linear is None:
        return build_empty_rows(box), build_empty_rows(box)
    row, (zero, one) = linear
    eps = query.epsilon_nats
    shared = (LOGIT if isinstance(query, LogisticQuery) else LOG_CLIP, eps, float(np.expm1(eps)))
    minus = [0.0 - c for c in row]
    rows = np.array([[*shared, *zero, *minus], [*shared, *one, *row]], dtype=float)
    rows.setflags(write=False)
    return rows[:1], rows[1:]


def build_likely_terms(rows: Floats) -> Terms:
    """Build the terms of log P(x) from the rows of answers, shape (n, SLOPES + d)."""
    return Terms(
        kinds=rows[:, KIND].astype(np.int64),
        eps=rows[:, EPSILON].copy(),
        a=rows[:, SLOPES:].copy(),
        b=rows[:, LIKELY].copy(),
        constant=0.0,
    )


def build_unlikely_terms(rows: Floats) -> Terms:
    """Build the terms of -log P(x) from the rows of answers, shape (n, SLOPES + d)."""
    is_logistic = rows[:, KIND] == LOGIT
    constant = 0.0
    for eps in rows[is_logistic, EPSILON].tolist():
        constant -= eps
    return Terms(
        kinds=np.where(is_logistic, LOGIT, NEG_CLIP),
        eps=rows[:, EPSILON].copy(),
        a=-rows[:, SLOPES:],
        b=rows[:, UNLIKELY].copy(),
        constant=constant,
    )


_Linear = tuple[list[float], tuple[tuple[float, float], tuple[float, float]]]


def _build_linear_exactly(query: Regression, box: Box) -> _Linear | None:
    """Compute the coefficients of a query's terms in fractions; None if constant on the box.

    Returns the coefficients of output 1 on [0, 1]^d, and for each output the intercepts of its
    terms of log P and of -log P.  Of a clipped query these belong to the linear function ``u``
    (output 1) or ``1 - u`` (output 0), and to 1 minus that function; of a logistic query, to ``u``
    or ``-u``, and to minus that function minus epsilon.
    """
    lower, widths = box.exact_ends
    slope = list(map(Fraction, query.coefficients))
    at = Fraction(query.intercept) + sum(c * x for c, x in zip(slope, lower, strict=True))
    row = [c * width for c, width in zip(slope, widths, strict=True)]
    clipped = not isinstance(query, LogisticQuery)
    if not isinstance(query, LogisticQuery):
        length = Fraction(query.high) - Fraction(query.low)
        at, row = (at - Fraction(query.low)) / length, [c / length for c in row]
    least, most = at + sum(c for c in row if c < 0), at + sum(c for c in row if c > 0)
    if least == most or (clipped and (least >= 1 or most <= 0)):
        return None
    reach = max(-least, most)
    if reach > MAX_MAGNITUDE:
        raise ConfigError(
            f"the linear function of a query reaches {float(min(reach, Fraction(10**300))):g}"
            f" on the box, but a realized loss is only certified up to {MAX_MAGNITUDE:g}."
        )
    if clipped:
        one, zero = float(at), float(1 - at)
        return list(map(float, row)), ((zero, one), (one, zero))
    eps = Fraction(query.epsilon_nats)
    intercepts = ((float(-at), float(at - eps)), (float(at), float(-at - eps)))
    return list(map(float, row)), intercepts


def _build_linear_by_scaling(query: Regression, box: Box) -> _Linear | None:
    """Compute what :func:`_build_linear_exactly` does in doubles, where :func:`_is_scaled` holds.

    The results are equal to the last bit.

    All factors are 0 or powers of two within 2^-64 and 2^64, and all parameters are 0 or within
    1e-200 and 1e50.  Hence products are exact; sums of them, which ``fsum`` rounds correctly, are
    below 1e100, and 0 or above 1e-240, so that dividing them by a length is exact as well.  Signs
    of sums are exact, and so are comparisons of a linear function with 0 and 1.
    """
    lower, widths = cast("tuple[Sequence[float], Sequence[float]]", box.scales)
    at = [query.intercept, *map(mul, query.coefficients, lower)]
    row = list(map(mul, query.coefficients, widths))
    if not any(row):
        return None
    if isinstance(query, LogisticQuery):
        one, eps = math.fsum(at), query.epsilon_nats
        # Signed zeros are avoided, because fractions have none.
        minus = [-part for part in at]
        return [c + 0.0 for c in row], (
            (0.0 - one, math.fsum((*at, -eps))),
            (one, math.fsum((*minus, -eps))),
        )
    low, high = query.low, query.high
    falls, rises = (c for c in row if c < 0), (c for c in row if c > 0)
    if math.fsum((*at, *falls, -high)) >= 0 or math.fsum((*at, *rises, -low)) <= 0:
        return None
    length = high - low
    one, zero = math.fsum((*at, -low)) / length, 0.0 - math.fsum((*at, -high)) / length
    return [c / length + 0.0 for c in row], ((zero, one), (one, zero))


def _is_scaled(query: Regression, box: Box) -> bool:
    """Return whether all factors are powers of two and no number is near a limit of doubles."""
    parameters = [*query.coefficients, query.intercept, query.epsilon_nats]
    if not isinstance(query, LogisticQuery):
        low, high = query.low, query.high
        parameters += low, high
        if not _is_exact_scale(high - low) or math.fsum((high, -low, low - high)):
            return False
    sizes = [abs(each) for each in parameters if each]
    return (
        box.scales is not None
        and set(map(type, parameters)) == {float}
        and min(sizes) > 1e-200
        and max(sizes) < 1e50
    )


def _is_exact_scale(number: float) -> bool:
    """Return whether a number is 0, or plus or minus a power of two from 2^-64 to 2^64."""
    fraction, exponent = math.frexp(number)
    return not number or (abs(fraction) == 0.5 and -63 <= exponent <= 65)


def is_finite(number: float) -> bool:
    """Return whether a number is finite, also after conversion to a double."""
    try:
        return math.isfinite(number)
    except (TypeError, OverflowError):
        return False


def require_query(query: Query) -> None:
    """Raise ConfigError unless an object has the epsilon, outputs and likelihoods of a query."""
    # Asking whether it has an epsilon computes a table's.
    if not isinstance(query, TableQuery | _Regression):
        require_kind("query", query, Query, "a query, such as LinearQuery or TableQuery")


def require_output(query: Query, output: int) -> None:
    """Raise DataError unless ``output`` is a number of one of the query's outputs."""
    if not isinstance(output, int | np.integer) or not 0 <= output < query.outputs:
        raise DataError(
            f"`output` must be a whole number from 0 to {query.outputs - 1}, got {output!r}."
        )
