"""What a plugin is given and answers is checked."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from noiseless.errors import ConfigError, DataError
from noiseless.mechanisms.guarded import can_be_called, make_read_only, wrap_class


class Base:
    name = "base"

    def size(self, values):
        return len(values)

    def other(self, values):
        return None


@dataclass(frozen=True)
class Parts:
    array: np.ndarray
    made: Callable


def arrays_of(value):
    """Arrays anywhere in lists, tuples, mappings and parts."""
    match value:
        case np.ndarray():
            yield value
        case dict():
            yield from arrays_of(list(value.values()))
        case list() | tuple():
            for each in value:
                yield from arrays_of(each)
        case Parts():
            yield from arrays_of([value.array, value.made()])


def test_arrays_are_locked_wherever_they_are_and_their_owner_keeps_his():
    mine = np.zeros(2)
    value = {"a": [mine, (mine, 7)], "b": Parts(mine, lambda: [mine]), "c": "text"}
    locked = make_read_only(value)
    assert len(list(arrays_of(locked))) == 4
    assert not any(array.flags.writeable for array in arrays_of(locked))
    assert mine.flags.writeable
    assert (locked["c"], locked["a"][1][1]) == ("text", 7)
    assert not next(make_read_only(iter([mine]))).flags.writeable
    assert make_read_only(Parts) is Parts


def made(body, check=None):
    """A class of a plugin with a method `size`, guarded."""

    class Mine(Base):
        name = "mine"
        size = body

    return wrap_class(Mine, Base, {"size": check, "other": check}, "mine.py")()


def test_answers_are_checked_and_what_is_inherited_is_not():
    def even(answer, given):
        return None if answer % 2 == 0 else f"an even number for {len(given[0])}"

    assert made(lambda self, values: 2, even).size([1]) == 2
    odd = made(lambda self, values: 3, even)
    with pytest.raises(ConfigError, match=r"`size` of 'mine' .mine.py. returns int 3, .* for 2"):
        odd.size([1, 1])
    assert odd.other([1]) is None
    assert isinstance(odd, Base)


def test_what_fails_is_one_message():
    def write(self, values):
        values[:] = 0

    def refuse(self, values):
        raise DataError("too few")

    with pytest.raises(ConfigError, match=r"fails: ValueError: .*read-only.* copy them first"):
        made(write).size(np.ones(2))
    with pytest.raises(ConfigError, match="fails: ZeroDivisionError: "):
        made(lambda self, values: 1 // 0).size([])
    with pytest.raises(DataError, match="too few"):
        made(refuse).size([])


def test_a_release_is_asked_for_twice_at_first():
    class Dice(Base):
        name = "dice"
        rolls = iter(range(9))

        def release(self, values, rng):
            return values + (rng.random() if rng is not None else next(self.rolls))

    with pytest.raises(ConfigError, match="other numbers from the same `rng`"):
        wrap_class(Dice, Base, {"release": None}, "d.py")().release(np.zeros(1), None)
    honest = wrap_class(Dice, Base, {"release": None}, "d.py")()
    expected = np.random.default_rng(1).random(2)
    rng = np.random.default_rng(1)
    found = [honest.release(np.zeros(1), rng).item() for _ in range(2)]
    np.testing.assert_array_equal(found, expected)


def test_classes_are_made_of_as_many_arguments():
    assert can_be_called(Parts, 1, 2)
    assert not can_be_called(Parts, 1)
