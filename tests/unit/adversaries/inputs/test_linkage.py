"""Who is shown no report sees the same people."""

import numpy as np

from noiseless.adversaries.inputs.linkage import LinkageView
from noiseless.seeds import make_generator


def test_unseen_reports_are_missing_and_people_stay():
    rng = make_generator(1, "evidence")
    view = LinkageView(rng.random((3, 2, 2)), rng.random((3, 5, 2, 2)))
    unseen = view.hide_values()
    assert np.isnan(unseen.reported_m).all()
    assert unseen.reported_m.shape == (3, 2, 2)
    assert unseen.people_m is view.people_m
    assert not np.isnan(view.reported_m).any()
