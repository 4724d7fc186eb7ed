"""Who sees no report names anybody."""

import numpy as np

from noiseless.adversaries.inputs.linkage import LinkageView
from noiseless.adversaries.linkage.control import UniformControl


def test_all_people_are_equally_likely():
    people = np.random.default_rng(1).random((3, 5, 2, 2))
    found = UniformControl().link(LinkageView(people[:, 0], people))
    assert found.shape == (3, 5)
    assert np.ptp(found) == 0
