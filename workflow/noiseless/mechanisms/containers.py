"""Series and DataFrames in, the same out.

Functions of this package compute with arrays.  :func:`like` puts a result back into the container
that its values came in, with its index and names; :func:`keeps_container` does so for a method.
:func:`floats`, :func:`numbers` and :func:`python_number` take what a caller may give for numbers,
and :func:`require_positive` refuses what no parameter can be.
Nothing here imports pandas.
"""

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import ConfigError, DataError

Floats = NDArray[np.float64]
Method = TypeVar("Method", bound=Callable[..., Any])


def like(values: Any, result: NDArray[Any]) -> Any:
    """A result in the container of the values that it came from.

    Parameters
    ----------
    values : Series, DataFrame or anything else
    result : ndarray
        An array of the shape of ``values``.

    Returns
    -------
    Series or DataFrame with the index and the names of ``values``; else ``result`` itself
    """
    pandas = sys.modules.get("pandas")  # a caller who has a Series has imported it
    if pandas is None:
        return result
    if isinstance(values, pandas.Series):
        return pandas.Series(result, index=values.index, name=values.name)
    if isinstance(values, pandas.DataFrame):
        return pandas.DataFrame(result, index=values.index, columns=values.columns)
    return result


def keeps_container(method: Method) -> Method:
    """A method whose result comes back in the container of its first argument."""

    @wraps(method)
    def kept(self: Any, values: Any, *args: Any, **settings: Any) -> Any:
        return like(values, method(self, values, *args, **settings))

    return kept  # type: ignore[return-value]


def python_number(number: Any) -> Any:
    """A Python number in place of a numpy scalar, whose integers would overflow in fractions."""
    return number.item() if isinstance(number, np.generic) else number


def is_number(value: Any) -> bool:
    """Whether a value is a Python number."""
    return isinstance(value, int | float | Fraction)


def floats(values: Any, what: str = "the values") -> Floats:
    """An array of floats from numbers of any container.

    Parameters
    ----------
    values : array_like
    what : str
        What they are, for the message, which tells none of them.

    Raises
    ------
    DataError
        If they are no numbers, or rows differ in length.
    """
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise DataError(
            f"{what} are no table of numbers: give a list, an array, a Series or a DataFrame of "
            "numbers, with no missing value but NaN."
        ) from None


def numbers(values: Any, what: str, *, count: int | None = None) -> tuple[Any, ...]:
    """A tuple of Python numbers from a list, an array or a Series of them.

    Parameters
    ----------
    values : iterable of numbers
    what : str
        What they are, for the message.
    count : int, optional
        How many there must be.

    Raises
    ------
    ConfigError
        If they are no list of numbers, or not of that length.
    """
    if type(values) is tuple and set(map(type, values)) == {float} and count is None:
        return values  # as most queries are made
    is_listed = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping)
    listed = tuple(map(python_number, values)) if is_listed else ()
    if not is_listed or not all(map(is_number, listed)):
        raise ConfigError(f"{what} are {values!r}, but a list of numbers is wanted.")
    if count is not None and len(listed) != count:
        raise ConfigError(f"{what} are {values!r}, but {count} numbers are wanted.")
    return listed


def require_positive(name: str, value: float) -> None:
    """Refuse a parameter that is not a positive, finite number.

    Raises
    ------
    ConfigError
        Names the parameter and its value.
    """
    value = python_number(value)
    if not (is_number(value) and math.isfinite(value) and value > 0):
        raise ConfigError(f"{name} is {value!r}, but it must be a finite number larger than 0.")
