"""Who sees no output names the larger candidate."""

import numpy as np

from noiseless.adversaries.membership.control import LargerTotalControl
from noiseless.games.membership import PublishedSeries, observe_readings


def test_the_larger_candidate_is_preferred_whatever_is_published():
    x = np.array([[[5, 1, 9], [2, 2, 2]], [[1, 1, 1], [0, 4, 0]], [[1, 2, 3], [3, 2, 1]]])
    for step in (1, 7):
        k = step * np.arange(9).reshape(3, 3)
        found = LargerTotalControl().prefer(observe_readings(PublishedSeries(k, 1.0, 0.0), x))
        assert found.tolist() == [9, -1, 0]
    assert LargerTotalControl.is_control
