"""Interface of mechanisms: domain, release, likelihood, guarantee and calibration.

1. :class:`Domain` is the public range of what is released, and whose it is.
2. :class:`Mechanism` releases values of a domain: a central mechanism the result of the curator, a
   local mechanism the value of each person.  It has one parameter, which
   :meth:`Mechanism.calibrate_to_errors` calibrates to a given error.
3. :class:`CommonRandomNumbers` releases values by mechanisms whose random numbers do not depend on
   the parameter (:class:`NoisyMechanism`), and draws them once for all parameters.
4. A guarantee is either :class:`BitsOfRange` or :class:`NatsOfDifferentialPrivacy`: two types,
   because no number of one is more or less than a number of the other.
5. :class:`Identity` is *no mechanism*.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noiseless.arrays import Bools, Floats
from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.calibration import Calibration, ErrorCurve, Kind, calibrate
from noiseless.mechanisms.containers import (
    check_positive,
    convert_to_floats,
    convert_to_numbers,
    convert_to_python,
    create_generator,
    is_number,
    preserve_container,
)
from noiseless.mechanisms.guarantees import BitsOfRange as BitsOfRange
from noiseless.mechanisms.guarantees import Guarantee
from noiseless.mechanisms.guarantees import NatsOfDifferentialPrivacy as NatsOfDifferentialPrivacy

FINEST_SHARE, FINEST_LEVELS, FINEST_EPSILON = 2.0**-20, 2**20, 30.0
"""The finest parameters that are tried of a mechanism that names none: a scale as a share of the
widest range, a number of levels, and an epsilon in nats."""


@dataclass(frozen=True)
class Domain:
    """Public range of released values, their unit, and the number of people behind a release.

    Attributes
    ----------
    low, high : sequence of float
        Ends of each coordinate's range: one coordinate of a reading, two of a place.  Kept as
        tuples.
    unit : str
        Unit of the values, as it stands in the names of columns.  A game that plays another one
        refuses the mechanism.
    people : int
        Number of people whose mean is released; 1 if each person reports alone.
    values : int
        Number of values that a person contributes to one release, such as 2 places of a trip.

    Raises
    ------
    ConfigError
        If an end is no number, ``low`` and ``high`` differ in length, an upper end is not above its
        lower end, the unit is no text, or the number of people or values is not 1, 2, ...

    Examples
    --------
    A day's reading of up to 20 kWh, of which the mean of ten homes is released:

    >>> Domain((0.0,), (20.0,), "kwh", people=10).sensitivity_l1
    2.0
    """

    low: tuple[float, ...]
    high: tuple[float, ...]
    unit: str = "units"
    people: int = 1
    values: int = 1

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            ends = getattr(self, name)
            if is_number(convert_to_python(ends)):
                raise ConfigError(
                    f"`{name}` of a domain must be a tuple with an end for each coordinate, got "
                    f"{ends}. Give Domain(({self.low},), ({self.high},), ...)."
                )
            object.__setattr__(
                self, name, convert_to_numbers(ends, f"the ends `{name}` of a domain")
            )
        if not 0 < len(self.low) == len(self.high):
            raise ConfigError(
                f"`low` and `high` of a domain must have one length of 1 or more, got {self.low} "
                f"and {self.high}. Give both ends of each coordinate."
            )
        for low, high in zip(self.low, self.high, strict=True):
            if not low < high:
                raise ConfigError(
                    f"[{low}, {high}] is not a public range: give its lower end in `low`, and in "
                    "`high` a larger one."
                )
        if not isinstance(self.unit, str) or not self.unit:
            raise ConfigError(
                f"`unit` of a domain must be a text such as 'kwh', got {self.unit!r}."
            )
        for name in ("people", "values"):
            number = convert_to_python(getattr(self, name))
            if not is_number(number) or not (math.isfinite(number) and number >= 1) or number % 1:
                raise ConfigError(
                    f"`{name}` of a domain is {number!r}, but it must be a whole number from 1 on."
                )
            object.__setattr__(self, name, int(number))

    @property
    def coordinates(self) -> int:
        """Number of coordinates of a value."""
        return len(self.low)

    @property
    def width(self) -> tuple[float, ...]:
        """Length of each coordinate's range."""
        return tuple(high - low for low, high in zip(self.low, self.high, strict=True))

    @property
    def sensitivity_l1(self) -> float:
        """Largest change of a release in the 1-norm when one person's values change."""
        return self.values * sum(self.width) / self.people

    @property
    def sensitivity_l2(self) -> float:
        """Largest change of a release in the 2-norm when one person's values change."""
        return math.sqrt(self.values) * math.hypot(*self.width) / self.people

    def clip(self, values: Floats) -> Floats:
        """Clip values to the public range, shape (...) or, for d > 1 coordinates, (..., d)."""
        return np.clip(values, np.squeeze(self.low), np.squeeze(self.high))

    def scale_to_unit(self, values: Floats) -> Floats:
        """Scale values linearly, 0 at the lower end of the range and 1 at the upper end."""
        return (values - np.squeeze(self.low)) / np.squeeze(self.width)


UNBOUNDED_DOMAIN = Domain((-math.inf,), (math.inf,))
"""All numbers, none of which is clipped."""


def check_domain(mechanism: str, domain: Any) -> None:
    """Raise ConfigError, with an example, unless a mechanism is given a :class:`Domain`."""
    if not isinstance(domain, Domain):
        raise ConfigError(
            f"the first argument of the mechanism {mechanism!r} must be a Domain, got {domain!r}. "
            "Give noiseless.Domain((0.0,), (20.0,), 'kwh'), with your range and unit."
        )


class Mechanism(ABC):
    """Base class of mechanisms: a release on a domain, with one parameter.

    Every mechanism is created as ``YourOwn(domain, parameter)``.  Values have the shape
    (...), or (..., d) where the domain has d > 1 coordinates.  A subclass sets ``name`` and
    ``kind`` and defines :meth:`release`.  The other methods are optional: without a formula for the
    error, for instance, the error is measured on releases.

    Parameters
    ----------
    domain : Domain
    parameter : float
        Larger than 0 and finite.

    Raises
    ------
    ConfigError
        If the domain is none, or the parameter is out of its range.

    Attributes
    ----------
    name : str
        Name in tables and on the command line; it keys the random streams.
    label : str
        Label in figures and pages; default: the name.
    colour, marker : str
        Colour of :data:`noiseless.figures.style.COLOURS` and marker of Matplotlib; default: unused
        ones.
    order : int
        Sort key of the mechanism in tables and figures.
    kind : str
        Kind of the parameter, as for :class:`~noiseless.mechanisms.calibration.ErrorCurve`.
    parameter_called : str
        Column name of the parameter in tables, with ``{unit}`` for the unit of the values;
        default: the kind.
    parameter_is : str
        Name of the attribute that holds the parameter, if it is not ``parameter``.
    is_local : bool
        Whether each person releases their own value, instead of the curator the mean.
    is_deterministic : bool
        Whether equal values always have equal releases.
    finest : float or None
        Parameter with the smallest error, beyond which the calibration tries none; default: 2^-20
        of the range for a scale, 2^20 levels, and an epsilon of 30.
    smallest : float or None
        Infimum of the error, if it is known for every domain.

    Examples
    --------
    A mechanism of your own, which rounds to a multiple of its parameter:

    >>> class Rounding(Mechanism):
    ...     name = "rounding"
    ...     kind = "scale"
    ...     is_deterministic = True
    ...     def release(self, values, rng):
    ...         return self.parameter * np.round(self.domain.clip(values) / self.parameter)
    >>> Rounding(Domain((0.0,), (20.0,), "kwh"), 5.0).release(np.array([1.2, 7.9, 31.0]), None)
    array([ 0., 10., 20.])
    """

    name: ClassVar[str]
    label: ClassVar[str] = ""
    colour: ClassVar[str] = ""
    marker: ClassVar[str] = ""
    order: ClassVar[int] = 100
    kind: ClassVar[Kind]
    is_local: ClassVar[bool] = False
    is_deterministic: ClassVar[bool] = False
    finest: ClassVar[float | None] = None
    smallest: ClassVar[float | None] = None
    parameter_called: ClassVar[str] = ""
    parameter_is: ClassVar[str] = "_parameter"

    domain: Domain

    def __init__(self, domain: Domain, parameter: float) -> None:
        check_domain(self.name, domain)
        check_positive(f"the parameter of the mechanism {self.name!r}", parameter)
        self.domain, self._parameter = domain, parameter

    @property
    def parameter(self) -> float:
        """Value of the parameter that :meth:`calibrate_to_errors` calibrates."""
        value: float = getattr(self, self.parameter_is)
        return value

    @classmethod
    def get_finest_parameter(cls, domain: Domain) -> float:
        """Return the parameter with the smallest error; the calibration tries no finer one."""
        if cls.finest is not None:
            return cls.finest
        if cls.kind == "epsilon":
            return FINEST_EPSILON
        return FINEST_LEVELS if cls.kind == "levels" else FINEST_SHARE * max(domain.width)

    @classmethod
    def create_limited(cls, domain: Domain, parameter: float) -> "Mechanism":
        """Create the mechanism with the parameter, or the finest parameter if that is coarser."""
        if cls.smallest is None and cls.kind != "levels":
            coarser = min if cls.kind == "epsilon" else max
            parameter = coarser(parameter, cls.get_finest_parameter(domain))
        return cls(domain, parameter)

    @classmethod
    def get_parameter_name(cls, domain: Domain) -> str:
        """Return the column name of the parameter in tables, its unit included."""
        return (cls.parameter_called or cls.kind).format(unit=domain.unit)

    @classmethod
    def is_for(cls, domain: Domain) -> bool:
        """Return whether the mechanism can release values of a domain; by default only readings.

        Places need :meth:`log_likelihood`, by which reports are linked to people.
        """
        says_likelihood = cls.log_likelihood is not Mechanism.log_likelihood
        return domain.coordinates == 1 or says_likelihood

    @abstractmethod
    def release(self, values: Floats, rng: np.random.Generator) -> Floats:
        """Release ``values``; the result has their shape and unit.

        Values outside the domain are clipped to it.
        """

    @property
    def grid(self) -> tuple[float, float] | None:
        """``(offset, step)`` if all outputs are ``offset + k step`` with whole numbers k.

        None for outputs that can be any number, or have several coordinates.
        """
        return None

    def cells(self, outputs: Floats) -> tuple[Floats, Floats] | None:
        """Return both ends of the interval that holds each output's value; None if unbounded."""
        return None

    def variance(self, values: Floats) -> float | None:
        """Return the mean variance of unbiased, independent errors of releases of ``values``.

        None where they are not of that kind, or no formula is known: then they are measured.
        """
        return None

    def mean_distance(self, values: Floats) -> float | None:
        """Return the mean length of the errors of releases of places; None if not known."""
        return None

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Compute the log-likelihood of outputs under values, up to a constant.

        Shapes broadcast; coordinates of a value are summed over.

        Raises
        ------
        ConfigError
            If the mechanism defines no log-likelihood.
        """
        raise ConfigError(
            f"the mechanism {self.name!r} has no `log_likelihood`, which links reports to people. "
            "Define it, or return False for the domain in `is_for` (docs/plugins.md)."
        )

    def guarantee(self, *, delta: float = 0.0) -> Guarantee | None:
        """Return the guarantee of one release to one person; None if there is none.

        Parameters
        ----------
        delta : float
            For mechanisms that need one.
        """
        return None

    @classmethod
    def compute_min_error(cls, domain: Domain, error: Callable[["Mechanism"], float]) -> float:
        """Compute the infimum of the error over all parameters; no parameter attains it."""
        if cls.smallest is not None:
            return cls.smallest
        return error(cls.create_limited(domain, cls.get_finest_parameter(domain)))

    @classmethod
    def calibrate_to_errors(
        cls,
        targets: Sequence[float],
        *,
        domain: Domain,
        error: Callable[["Mechanism"], float],
        tolerance: float,
    ) -> list[Calibration]:
        """Find the parameter of each target error.

        Parameters
        ----------
        targets : sequence of float
            Errors, larger than 0.
        domain : Domain
            Domain of the mechanism.
        error : callable
            Computes the error of a mechanism of this class.
        tolerance : float
            See :func:`noiseless.mechanisms.calibration.calibrate`.
        """
        curve = ErrorCurve(
            cls.name,
            cls.kind,
            cls.get_parameter_name(domain),
            lambda parameter: error(cls.create_limited(domain, parameter)),
            cls.compute_min_error(domain, error),
        )
        return calibrate(curve, targets, tolerance=tolerance)


def check_played_domain(mechanism: Mechanism, played: Domain) -> None:
    """Raise ConfigError unless the domain of a mechanism is the one that a game plays on.

    The domain of a local mechanism, which releases the value of one person, may have 1 person or
    the game's number of people.  A mechanism without a finite range fits every range.
    """
    own = mechanism.domain
    clips_nothing = not any(map(math.isfinite, (*own.low, *own.high)))
    ends = zip((*own.low, *own.high), (*played.low, *played.high), strict=False)
    is_same_range = own.coordinates == played.coordinates and (
        clips_nothing or all(math.isclose(one, other, rel_tol=1e-9) for one, other in ends)
    )
    people = {played.people, 1} if mechanism.is_local else {played.people}
    is_same = {
        "coordinates": own.coordinates == played.coordinates,
        "unit": own.unit.casefold() == played.unit.casefold(),
        "range": is_same_range,
        "people": own.people in people,
        "values": own.values == played.values,
    }
    different = [name for name, same in is_same.items() if not same]
    if "coordinates" in different:
        different = ["coordinates", "unit"]
    if different:
        own_parts, game_parts = (
            [_describe(name, each) for name in different] for each in (own, played)
        )
        raise ConfigError(
            f"the domain of the mechanism {mechanism.name!r} must equal the domain of the game: it "
            f"has {', '.join(own_parts)}, but the game plays {', '.join(game_parts)}. Create the "
            "mechanism with the domain of the game, and convert its parameter to that unit."
        )


def _describe(name: str, domain: Domain) -> str:
    """Format one attribute of a domain (such as its unit or its range) for a message."""
    if name == "range":
        low, high = (each[0] if len(each) == 1 else each for each in (domain.low, domain.high))
        return f"the range [{low}, {high}]"
    return f"{name} = {getattr(domain, name)!r}"


class NoisyMechanism(Mechanism):
    """Mechanism whose parameter only scales its noise, as for Laplace and Gauss.

    Its random numbers have one distribution, so that releases of several parameters can share them.

    Examples
    --------
    >>> class Uniform(NoisyMechanism):
    ...     name = "uniform noise"
    ...     kind = "scale"
    ...     def noise(self, shape, rng):
    ...         return (rng.uniform(-1, 1, shape),)
    ...     def release_given(self, values, *noise):
    ...         return values + self.parameter * noise[0]
    >>> Uniform(Domain((0.0,), (20.0,), "kwh"), 0.5).release([1.2, 7.9], 1).round(2)
    array([1.21, 8.35])
    """

    @abstractmethod
    def noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats, ...]:
        """Draw the random numbers of a release of values of a shape."""

    @abstractmethod
    def release_given(self, values: Floats, *noise: Floats) -> Floats:
        """Compute the release of values from given random numbers of :meth:`noise`."""

    @preserve_container
    def release(self, values: ArrayLike, rng: np.random.Generator | int | None = None) -> Any:
        """Release ``values``; the result has their shape, container and unit.

        Parameters
        ----------
        values : array_like
            Shape (...), or (..., d) where the domain has d > 1 coordinates.
        rng : Generator or int, optional
            Where the noise comes from; an int is the seed of a new generator, and None draws one.

        Returns
        -------
        ndarray of float; a Series or DataFrame where ``values`` are one

        Raises
        ------
        DataError
            If they are no numbers, or one is missing.
        """
        values, rng = convert_to_floats(values, is_complete=True), create_generator(rng)
        return self.release_given(values, *self.noise(values.shape, rng))


class CommonRandomNumbers:
    """Releases in which all parameters of a mechanism share their random numbers.

    ``stream`` creates the generator of a mechanism from its name, always in its first state.
    """

    def __init__(self, stream: Callable[[str], np.random.Generator]) -> None:
        self._stream = stream
        self._of: tuple[str, tuple[int, ...]] | None = None
        self._drawn: tuple[Floats, ...] = ()

    def get_noise(self, mechanism: NoisyMechanism, shape: tuple[int, ...]) -> tuple[Floats, ...]:
        """Return the random numbers of a mechanism; those of the latest request are cached."""
        if self._of != (mechanism.name, shape):
            self._drawn = ()  # frees the old numbers before new ones are drawn
            self._drawn = mechanism.noise(shape, self._stream(mechanism.name))
            self._of = mechanism.name, shape
        return self._drawn

    def release(self, mechanism: Mechanism, values: Floats) -> Floats:
        """Release values by a mechanism, with the shared random numbers if it is noisy."""
        if isinstance(mechanism, NoisyMechanism):
            return mechanism.release_given(values, *self.get_noise(mechanism, values.shape))
        return mechanism.release(values, self._stream(mechanism.name))


class Identity(Mechanism):
    """No mechanism: releases the values unchanged."""

    name = "none"
    label = "no mechanism"
    marker = "*"
    kind = "scale"
    is_deterministic = True

    def __init__(self, domain: Domain) -> None:
        check_domain(self.name, domain)
        self.domain, self._parameter = domain, 0.0

    def release(self, values: Floats, rng: np.random.Generator) -> Floats:
        """Return the values unchanged, without clipping."""
        return values

    def cells(self, outputs: Floats) -> tuple[Floats, Floats]:
        """Return the outputs as both ends: each interval is one point."""
        return outputs, outputs

    def log_likelihood(self, outputs: Floats, values: Floats) -> Floats:
        """Return 0 where output and value are equal, else minus infinity."""
        return compute_certain_log_likelihood(outputs == values, self.domain)


def compute_certain_log_likelihood(is_possible: Bools | np.bool_, domain: Domain) -> Floats:
    """Return the log-likelihood 0 where an output is possible, else minus infinity."""
    if domain.coordinates > 1:
        is_possible = reduce(np.logical_and, np.moveaxis(np.asarray(is_possible), -1, 0))
    return np.where(is_possible, 0.0, -np.inf)


def compute_differences(values: ArrayLike, outputs: ArrayLike) -> Floats:
    """Compute how far values are from outputs, in any container; other shapes are a DataError."""
    first, second = convert_to_floats(values), convert_to_floats(outputs, "the outputs")
    try:
        return first - second
    except ValueError:
        raise DataError(
            f"the values have the shape {first.shape}, and the outputs {second.shape}. Give an "
            "output for each value."
        ) from None


def sum_coordinates(terms: Floats, domain: Domain) -> Floats:
    """Sum terms over the coordinates of a value; return them unchanged for one coordinate."""
    return add_last_axis(terms) if domain.coordinates > 1 else terms


def add_last_axis(terms: Floats) -> Floats:
    """Sum a few terms along the last axis, shape (..., d) to (...).

    Slice by slice, which is several times as fast as NumPy's own sum along so short an axis.
    """
    return reduce(np.add, np.moveaxis(terms, -1, 0))
