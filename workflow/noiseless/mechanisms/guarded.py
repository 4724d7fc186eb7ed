"""Checks of a plugin's methods at each call: arguments, return values and random numbers.

:func:`wrap_class` derives a class from a plugin's class, or from the class of an object that a game
of the library is given.  Its methods get read-only arrays, because other code uses them, too, and
must not draw from the global random generators.  An exception in a method, or an invalid return
value, becomes one message that names the class.
"""

import copy
import inspect
import pickle
import random
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import wraps
from typing import Any, NoReturn, TypeVar

import numpy as np

from noiseless.errors import ConfigError, UserError

Kind = TypeVar("Kind")
Check = Callable[[Any, tuple[Any, ...]], str | None]

_REPEATED_METHODS = (
    "release",
    "noise",
)  # methods that are called twice to check that all randomness comes from `rng`


def wrap_class(
    added: type[Kind], base: type, checks: Mapping[str, Check | None], path: str
) -> type[Kind]:
    """Derive a class from a plugin's class, with methods that check arguments and answers.

    ``checks`` has, by a method's name, a function of the answer and of the arguments after
    ``self``, which returns the rule that the answer breaks, or None.  Methods of the base class
    itself are not checked.
    """
    methods = {
        name: _wrap_method(added, name, check, path)
        for name, check in checks.items()
        if getattr(added, name, None) is not getattr(base, name, None)
    }
    return type(added.__name__, (added,), {"__module__": added.__module__, **methods})


def find_file(added: type) -> str:
    """Return the path of the file that defines a class, or its module's name if there is none."""
    try:
        return inspect.getfile(added)
    except (OSError, TypeError):  # a class that is defined in a notebook has no file
        return added.__module__


def can_be_called(added: type, *arguments: object) -> bool:
    """Return whether a class can be called with these positional arguments."""
    try:
        inspect.signature(added).bind(*arguments)
    except TypeError:
        return False
    return True


def make_read_only(value: Any) -> Any:
    """Return a value whose arrays are read-only views of the original arrays.

    Arrays are found in mappings, tuples, lists, and data classes.  A function in a data class is
    wrapped so that the arrays it returns are read-only, too.
    """
    match value:
        case np.ndarray():
            view = value.view()
            view.flags.writeable = False
            return view
        case dict():
            return {key: make_read_only(each) for key, each in value.items()}
        case tuple() if type(value) is tuple:
            return tuple(map(make_read_only, value))
        case list():
            return [make_read_only(each) for each in value]
        case Iterator():
            return map(make_read_only, value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
    locked = {
        name: _wrap_read_only(each) if callable(each) else make_read_only(each)
        for name, each in parts.items()
    }
    changed = {name: each for name, each in locked.items() if each is not parts[name]}
    return replace(value, **changed) if changed else value


def _wrap_read_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function so that the arrays it returns are read-only."""

    def call(*args: Any, **kwargs: Any) -> Any:
        """Call the function and return its answer with read-only arrays."""
        return make_read_only(function(*args, **kwargs))

    return call


def _wrap_method(added: Any, name: str, check: Check | None, path: str) -> Callable[..., Any]:
    """Wrap a plugin's method: lock its arguments, and check its answer and random numbers."""
    original = getattr(added, name)
    called = f"`{name}` of {added.name!r} ({path})"
    seen: set[str] = set()

    @wraps(original)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        """Call the plugin's method and raise ConfigError where it breaks a rule."""
        locked, named = make_read_only(args), make_read_only(kwargs)
        again = copy.deepcopy((locked, named)) if name in _REPEATED_METHODS and not seen else None
        before = _get_random_states()
        try:
            answer = original(self, *locked, **named)
            twin = None if again is None else original(self, *again[0], **again[1])
        except UserError:
            raise
        except (Exception, SystemExit) as error:  # a user's method may raise anything
            _raise_plugin_error(called, error, path)
        if _get_random_states() != before:
            raise ConfigError(
                f"{called} draws from the global random numbers of NumPy or of `random`, so that a "
                "run cannot be repeated. Draw from the `rng` that it is given (a mechanism), or "
                "from `training.rng` or a generator of a fixed seed (an adversary)."
            )
        if check is not None and (wanted := check(answer, locked)):
            raise ConfigError(
                f"{called} returns {_describe_answer(answer)}, but it must return {wanted}."
            )
        if twin is not None and not _is_equal(answer, twin):
            raise ConfigError(
                f"{called} gives other numbers from the same `rng` and values. Draw all random "
                "numbers from the `rng` that it is given, so that a run can be repeated."
            )
        seen.add(name)
        return answer

    return call


def _get_random_states() -> object:
    """Return the states of the global generators of ``random`` and NumPy."""
    return random.getstate(), pickle.dumps(np.random.get_state(legacy=False))  # noqa: NPY002


def _is_equal(answer: Any, twin: Any) -> bool:
    """Return whether two arrays, or two tuples of arrays, hold equal numbers."""
    if isinstance(answer, tuple) and isinstance(twin, tuple):
        return len(answer) == len(twin) and all(map(_is_equal, answer, twin))
    return np.array_equal(answer, twin)


def _raise_plugin_error(called: str, error: BaseException, path: str) -> NoReturn:
    """Raise ConfigError for an exception in a plugin's method, with its line and a remedy."""
    lines = [
        each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == path
    ]
    where = f" in line {lines[-1]}" if lines else ""
    remedy = ""
    if isinstance(error, ValueError) and "read-only" in str(error):
        remedy = (
            " It must not change the arrays that it is given, which others use: copy them first."
        )
    raise ConfigError(f"{called} fails{where}: {type(error).__name__}: {error}.{remedy}") from error


def _describe_answer(answer: object) -> str:
    """Describe an invalid answer: its type and value, or the dtype and shape of an array."""
    if not isinstance(answer, np.ndarray):
        return f"{type(answer).__name__} {answer!r:.60}"
    if answer.dtype.kind == "f" and not np.isfinite(answer).all():
        return f"{answer.dtype} of the shape {answer.shape}, of which some are not finite"
    return f"{answer.dtype} of the shape {answer.shape}"
