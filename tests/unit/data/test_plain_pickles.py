"""Pickles read without building an object: plain values of all protocols, and nothing runs."""

import datetime
import pickle
from collections import OrderedDict
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from altered_files import Touch
from noiseless.data.plain_pickles import Opaque, read_plain_pickle
from noiseless.errors import DataError

KEYS = st.text() | st.integers() | st.floats(allow_nan=False)
LEAVES = st.none() | st.booleans() | KEYS
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner) | st.lists(inner).map(tuple),
    max_leaves=12,
)


@given(value=VALUES, protocol=st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_plain_values_are_those_that_pickle_loads(value, protocol):
    assert read_plain_pickle(pickle.dumps(value, protocol), "x") == value


def test_shared_values_stay_shared():
    inner = [1]
    found = read_plain_pickle(pickle.dumps([inner, inner]), "x")
    assert found == [[1], [1]]
    assert found[0] is found[1]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_objects_are_passed_over_and_nothing_runs(tmp_path, protocol):
    made = tmp_path / "made"
    value = {"a": Touch(made), "b": [datetime.date(2011, 4, 18)], "c": OrderedDict(x=1), "d": 7}
    found = read_plain_pickle(pickle.dumps(value, protocol), "x")
    assert found["d"] == 7
    assert isinstance(found["a"], Opaque)
    assert found["a"].arguments == (str(made),)
    assert isinstance(found["b"][0], Opaque)
    assert not made.exists()
    pickle.loads(pickle.dumps(value, protocol))  # what the test would see
    assert made.exists()


@given(content=st.binary(max_size=60) | VALUES.map(pickle.dumps).map(lambda each: each[:-1]))
def test_what_is_no_complete_pickle_is_a_value_or_one_message(content):
    with suppress(DataError):
        read_plain_pickle(content, "x")


@pytest.mark.parametrize("content", [b"", b"]", b"a.", b"u.", b"\x85.", b"h\x07.", b"(.", b"}]]s."])
def test_a_broken_pickle_is_one_message(content):
    with pytest.raises(DataError, match="damaged, or not a plain value"):
        read_plain_pickle(content, "x")
