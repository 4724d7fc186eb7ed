"""Series and DataFrames in, the same out.

Functions of this package compute with arrays.  :func:`like` puts a result back into the container
that its values came in, with its index and names; :func:`keeps_container` does so for a method.
:func:`numbers` and :func:`python_number` take what a caller may give for plain numbers.
Nothing here imports pandas.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import ConfigError

Method = TypeVar("Method", bound=Callable[..., Any])


def like(values: Any, result: NDArray[Any]) -> Any:
    """A result in the container of the values that it came from.

    Parameters
    ----------
    values : Series, DataFrame or anything else
    result : ndarray
        Of the shape of ``values``.

    Returns
    -------
    Series or DataFrame with the index and the names of ``values``; else ``result`` itself
    """
    pandas = sys.modules.get("pandas")  # whoever has a Series has imported it
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


def numbers(values: Any, what: str) -> tuple[Any, ...]:
    """A tuple of Python numbers from a list, an array or a Series of them.

    Parameters
    ----------
    values : iterable of numbers
    what : str
        What they are, for the message.

    Raises
    ------
    ConfigError
        If they are no list of numbers.
    """
    is_listed = isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping)
    listed = tuple(map(python_number, values)) if is_listed else ()
    if not is_listed or not all(isinstance(each, int | float | Fraction) for each in listed):
        raise ConfigError(f"{what} are {values!r}, but a list of numbers is wanted.")
    return listed
