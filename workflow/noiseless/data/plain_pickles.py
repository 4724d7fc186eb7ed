"""Plain values of a pickle (texts, numbers, lists, dicts), read without building any object.

A pickle is a program: loading it calls what it names.  :func:`read_plain_pickle` runs none of it.
It interprets the instructions that build plain values, and puts an :class:`Opaque` where an object
of a class would be.
"""

import pickletools
from dataclasses import dataclass
from typing import Any

from noiseless.errors import DataError

_VALUES = {
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
    *("STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE"),
    *("BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_EMPTY = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
# Instructions that build an object, and how many values they take.
_OBJECTS = {
    **{"GLOBAL": 0, "STACK_GLOBAL": 2, "REDUCE": 2, "NEWOBJ": 2, "NEWOBJ_EX": 3},
    **{"PERSID": 0, "BINPERSID": 1, "EXT1": 0, "EXT2": 0, "EXT4": 0},
}


@dataclass(frozen=True)
class Opaque:
    """Object of a class, which was not built: its name and arguments.

    The name is that of what would build it; empty if it is not known.
    """

    name: str = ""
    arguments: tuple[Any, ...] = ()


class _Mark:
    """Mark on the stack, from which on values are taken together."""


def read_plain_pickle(content: bytes, name: str) -> Any:
    """Read the value of a pickle: plain values, and an :class:`Opaque` for every object."""
    stack, memo = list[Any](), dict[int, Any]()
    try:
        for instruction, argument, _ in pickletools.genops(content):
            if instruction.name == "STOP":
                [value] = _take(stack, 1)
                return value
            _run_instruction(instruction.name, argument, stack, memo)
    except (ValueError, IndexError, KeyError, TypeError, AttributeError):
        pass  # as of a stack that is empty, or a value of another kind
    raise DataError(f"{name}: damaged, or not a plain value. Fetch the file again.")


def _run_instruction(name: str, argument: Any, stack: list[Any], memo: dict[int, Any]) -> None:
    """Run one instruction of a pickle on a stack of values."""
    if name in ("PROTO", "FRAME"):
        return
    if name in _VALUES:
        stack.append(argument)
    elif name in _CONSTANTS:
        stack.append(_CONSTANTS[name])
    elif name in _EMPTY:
        stack.append(_EMPTY[name]())
    elif name in _TUPLES:
        stack.append(tuple(_take(stack, _TUPLES[name])))
    elif name == "MARK":
        stack.append(_Mark())
    elif name in ("TUPLE", "LIST"):
        stack.append((tuple if name == "TUPLE" else list)(_take_marked(stack)))
    elif name == "DICT":
        values = _take_marked(stack)
        stack.append({})
        _add_items(stack[-1], values)
    elif name in ("APPEND", "APPENDS"):
        values = _take_marked(stack) if name == "APPENDS" else _take(stack, 1)
        if not isinstance(stack[-1], Opaque):
            stack[-1].extend(values)
    elif name in ("SETITEM", "SETITEMS"):
        values = _take_marked(stack) if name == "SETITEMS" else _take(stack, 2)
        if not isinstance(stack[-1], Opaque):
            _add_items(stack[-1], values)
    elif name in ("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"):
        [value] = _take(stack, 1)
        stack.append(value)
        memo[len(memo) if argument is None else argument] = value
    elif name in ("GET", "BINGET", "LONG_BINGET"):
        stack.append(memo[argument])
    elif name in _OBJECTS:
        given = _take(stack, _OBJECTS[name])
        is_called = name in ("REDUCE", "NEWOBJ") and isinstance(given[1], tuple)
        if is_called and isinstance(given[0], Opaque):
            stack.append(Opaque(given[0].name, given[1]))
        elif name in ("GLOBAL", "STACK_GLOBAL"):
            stack.append(Opaque(argument or " ".join(map(str, given))))
        else:
            stack.append(Opaque())
    elif name in ("OBJ", "INST"):
        _take_marked(stack)
        stack.append(Opaque())
    elif name in ("BUILD", "POP"):
        _take(stack, 1)
    else:
        raise ValueError(name)


def _take(stack: list[Any], count: int) -> list[Any]:
    """Take so many values from the top of the stack; raise IndexError if it has fewer."""
    if len(stack) < count:
        raise IndexError
    values = stack[len(stack) - count :]
    if any(isinstance(value, _Mark) for value in values):
        raise IndexError
    del stack[len(stack) - count :]
    return values


def _take_marked(stack: list[Any]) -> list[Any]:
    """Take the values above the last mark, and the mark."""
    place = max(k for k, value in enumerate(stack) if isinstance(value, _Mark))
    values = _take(stack, len(stack) - place - 1)
    stack.pop()
    return values


def _add_items(target: dict[Any, Any], values: list[Any]) -> None:
    """Add keys and values, in turns, to a dict; keys are texts and numbers."""
    for key, value in zip(values[::2], values[1::2], strict=True):
        if not isinstance(key, str | int | float):
            raise TypeError
        target[key] = value
