"""Conversion of Series and DataFrames to arrays of numbers, and back.

Functions of this package compute with arrays.  :func:`wrap_like` wraps a result in the container of
the values, with its index and names; :func:`preserve_container` does so for a method.

Every array that a caller gives is converted here: :func:`convert_to_array` and
:func:`convert_to_floats` take numbers and nothing else, :func:`convert_to_labels` takes what is
compared alone.  :func:`convert_to_numbers` and :func:`convert_to_python` give Python numbers.

Every other parameter is checked here before anything is compared with it: :func:`require_number`,
:func:`require_whole` and :func:`check_positive` take numbers, :func:`require_kind` an object of a
class, :func:`require_list` a list of objects, and :func:`create_generator` a source of random
numbers.  Each error names the parameter.  This module does not import pandas.
"""

import inspect
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from numbers import Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from noiseless.arrays import Floats
from noiseless.errors import ConfigError, DataError

Method = TypeVar("Method", bound=Callable[..., Any])


def wrap_like(values: Any, result: NDArray[Any]) -> Any:
    """Return a result with the index and names of its values, of a Series or DataFrame."""
    pandas = sys.modules.get("pandas")  # a caller who has a Series has imported it
    if pandas is None:
        return result
    if isinstance(values, pandas.Series):
        return pandas.Series(result, index=values.index, name=values.name)
    if isinstance(values, pandas.DataFrame):
        return pandas.DataFrame(result, index=values.index, columns=values.columns)
    return result


def preserve_container(method: Method) -> Method:
    """Wrap a method so that its result has the container type of its first argument."""
    _, first, *_ = inspect.signature(method).parameters

    @wraps(method)
    def call_method(self: Any, *args: Any, **settings: Any) -> Any:
        result = method(self, *args, **settings)
        return wrap_like(args[0] if args else settings[first], result)

    return call_method  # type: ignore[return-value]


def convert_to_python(number: Any) -> Any:
    """Convert a numpy scalar to a Python number, as numpy integers overflow in fractions."""
    return number.item() if isinstance(number, np.generic) else number


def is_number(value: Any) -> bool:
    """Return whether a value is a Python number (int, float or Fraction) that a float can hold."""
    if not isinstance(value, int | float | Fraction):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def require_number(
    name: str,
    value: Any,
    *,
    least: float = -math.inf,
    above: float = -math.inf,
    most: float = math.inf,
    below: float = math.inf,
) -> Any:
    """Convert a parameter to a Python number within limits, and not NaN, or raise ConfigError."""
    number = convert_to_python(value)
    # A limit that is infinite allows infinity, too.
    is_within = is_number(number) and (
        least <= number <= most
        and (number > above or above == -math.inf)
        and (number < below or below == math.inf)
    )
    if not is_within:
        limits = {"of at least": least, "above": above, "of at most": most, "below": below}
        words = [f" {word} {end:g}" for word, end in limits.items() if math.isfinite(end)]
        raise ConfigError(
            f"`{name}` must be a number{' and'.join(words)}, got {_format_value(value)}."
        )
    return number


def require_kind(name: str, value: Any, kinds: type | tuple[type, ...], what: str) -> None:
    """Raise ConfigError unless a parameter is of a class or protocol; ``what`` says it in words."""
    if isinstance(value, type) or not isinstance(value, kinds):
        raise ConfigError(f"`{name}` must be {what}, got {_format_value(value)}.")


def require_list(name: str, values: Any, what: str) -> list[Any]:
    """Convert a parameter to a list of what it holds; raise ConfigError if it is no collection.

    ``what`` says in words what it must be.
    """
    if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(
        values, Iterable
    ):
        raise ConfigError(f"`{name}` must be {what}, got {_format_value(values)}.")
    try:
        return list(values)
    except TypeError:  # such as an array of no dimension
        raise ConfigError(f"`{name}` must be {what}, got {_format_value(values)}.") from None


def create_generator(rng: Any) -> np.random.Generator:
    """Create the random generator of a caller's ``rng``: a generator, a seed, or None."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ConfigError(
            "`rng` must be a numpy.random.Generator, a whole number from 0 on, or None, got "
            f"{_format_value(rng)}."
        ) from None


def _format_value(value: Any) -> str:
    """Return what a message shows of a value, on one line."""
    return " ".join(f"{value!r:.80}".split())


def require_whole(name: str, value: Any, minimum: int, most: float = math.inf) -> int:
    """Convert a parameter to a whole number within limits; raise ConfigError if it is none."""
    value = convert_to_python(value)
    if not is_number(value) or value != value // 1 or not minimum <= value <= most:
        end = f"to {most:,.0f}" if math.isfinite(most) else "on"
        raise ConfigError(
            f"`{name}` must be a whole number from {minimum} {end}, got {_format_value(value)}."
        )
    return int(value)


def convert_to_array(values: Any, what: str = "the values") -> NDArray[Any]:
    """Convert real numbers in any container to an array of them; whole numbers stay whole.

    Truth values, fractions and decimals count as numbers, and the array is in the machine's byte
    order.  What is not real (texts, dates, durations, complex numbers, a set), masked, or ragged is
    a DataError, of which ``what`` is the subject; it holds none of the values.
    """
    _refuse_masked(values, what)
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O" and all(map(_is_real, array.flat)):
            array = array.astype(float)
    except (TypeError, ValueError, OverflowError):  # such as rows that differ in length
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "biuf":
        raise DataError(
            f"{what} must be numbers. Give a list, an array, a Series or a DataFrame of numbers; "
            "NaN is the only missing value."
        )
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def convert_to_floats(
    values: Any, what: str = "the values", *, is_complete: bool = False
) -> Floats:
    """Convert real numbers in any container to an array of double-precision floats.

    Parameters and errors are those of :func:`convert_to_array`; with ``is_complete``, NaN is an
    error, too.
    """
    is_converted = type(values) is np.ndarray and values.dtype == np.float64
    floats: Floats = values if is_converted else convert_to_array(values, what).astype(float)
    if is_complete and np.isnan(floats).any():
        place = int(np.argmax(np.isnan(floats)))
        raise DataError(
            f"{what} must be numbers, but number {place} of {floats.size}, counted from 0, is NaN. "
            "Leave missing values out, or fill them in."
        )
    return floats


def convert_to_labels(values: Any, what: str) -> Any:
    """Return values that are compared alone, such as texts or keys, in the machine's byte order.

    A set, which has no order, and a masked value are a DataError, of which ``what`` is the subject.
    """
    _refuse_masked(values, what)
    if isinstance(values, set | frozenset):
        raise DataError(f"{what} must be in an order, but are a set. Give a list.")
    kind = getattr(values, "dtype", None)
    if isinstance(kind, np.dtype) and not kind.isnative:
        return values.astype(kind.newbyteorder("="))
    return values


def _is_real(value: Any) -> bool:
    """Return whether an object is a real number; NumPy counts a duration as an integer."""
    return isinstance(value, Real | Decimal) and not isinstance(value, np.timedelta64)


def _refuse_masked(values: Any, what: str) -> None:
    """Raise DataError if a value is masked, also in one of the arrays of a list."""
    if isinstance(values, list | tuple):
        for each in values:
            if isinstance(each, list | tuple | np.ma.MaskedArray):
                _refuse_masked(each, what)
    elif isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        place = int(np.argmax(np.ma.getmaskarray(values)))
        raise DataError(
            f"{what} must be numbers, but number {place} of {values.size}, counted from 0, is "
            "masked. Leave masked values out, or fill them in."
        )


def convert_to_numbers(values: Any, what: str, *, count: int | None = None) -> tuple[Any, ...]:
    """Convert a list, an array or a Series of numbers to a tuple of Python numbers.

    Others, or another ``count``, are a ConfigError, of which ``what`` is the subject.
    """
    if type(values) is tuple and set(map(type, values)) == {float} and count is None:
        return values  # the usual case, which needs no conversion
    is_listed = isinstance(values, Iterable) and not isinstance(
        values, str | bytes | Mapping | set | frozenset
    )
    is_listed = is_listed and getattr(values, "ndim", 1) > 0
    listed = tuple(map(convert_to_python, values)) if is_listed else ()
    if not is_listed or not all(map(is_number, listed)):
        raise ConfigError(f"{what} must be a list of numbers, got {_format_value(values)}.")
    if count is not None and len(listed) != count:
        raise ConfigError(f"{what} must be {count} numbers, got {_format_value(values)}.")
    return listed


def check_positive(name: str, value: float) -> None:
    """Raise ConfigError unless a parameter is a positive, finite number."""
    value = convert_to_python(value)
    if not (is_number(value) and math.isfinite(value) and value > 0):
        raise ConfigError(
            f"{name} is {_format_value(value)}, but it must be a finite number larger than 0."
        )
