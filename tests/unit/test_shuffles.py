"""The first numbers of shuffles, against NumPy's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless import shuffles
from noiseless.shuffles import first_of_shuffles


@given(st.data())
def test_compiled_shuffles_are_numpys_and_leave_the_generator_where_numpy_does(data):
    """Also where half a draw of 64 bits is left over, before or after."""
    size, count = data.draw(st.integers(1, 600)), data.draw(st.integers(1, 40))
    first = data.draw(st.integers(1, size))
    seed, half = data.draw(st.integers(0, 2**32)), data.draw(st.booleans())
    own, numpys = np.random.default_rng(seed), np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffles, "_FEW", 0)
        patch.setattr(shuffles, "_AT_ONCE", data.draw(st.integers(1, 5000)))
        # Too few at first, now and then.
        patch.setattr(shuffles, "_DRAWS", data.draw(st.sampled_from([0.1, 0.75])))
        if half:
            assert own.random(dtype=np.float32) == numpys.random(dtype=np.float32)
        for _ in range(2):
            rows = np.tile(np.arange(size), (count, 1))
            found = first_of_shuffles(own, size=size, first=first, shuffles=count)
            np.testing.assert_array_equal(found, numpys.permuted(rows, axis=1)[:, :first])
            # Halves of a draw and draws as they are.
            assert own.random(dtype=np.float32) == numpys.random(dtype=np.float32)
            assert own.random() == numpys.random()


def test_other_generators_shuffle_as_numpy_does():
    own, numpys = (np.random.Generator(np.random.MT19937(1)) for _ in range(2))
    found = first_of_shuffles(own, size=200, first=3, shuffles=100)
    rows = np.tile(np.arange(200), (100, 1))
    np.testing.assert_array_equal(found, numpys.permuted(rows, axis=1)[:, :3])
