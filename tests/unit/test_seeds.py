"""Keyed randomness: one stream for each set of coordinates."""

from hypothesis import given
from hypothesis import strategies as st

from noiseless.seeds import make_generator

coordinates = st.lists(st.one_of(st.integers(), st.text(max_size=5)), max_size=4)


@given(st.integers(0, 2**63), coordinates, coordinates)
def test_streams_are_equal_only_for_equal_coordinates(seed, first, second):
    draws = [
        make_generator(seed, *each).integers(2**62, size=4).tolist() for each in (first, second)
    ]
    assert (draws[0] == draws[1]) == (first == second)


def test_streams_tell_types_apart_and_do_not_change():
    assert (
        make_generator(1, 1).random()
        != make_generator(1, 1.0).random()
        != make_generator(1, "1").random()
    )
    # A change here changes every published table: it needs a new version.
    assert make_generator(2019, "membership", "n", 4).integers(10**9) == 704792119
