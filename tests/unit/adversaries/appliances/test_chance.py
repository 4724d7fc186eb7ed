"""A guesser who says "on" as often as in training."""

import numpy as np

from noiseless.adversaries.appliances.chance import Chance
from toy_meter import make_recording, reports_of, training_on


def test_appliances_are_on_as_often_as_in_training_and_at_random():
    known, asked = make_recording(), make_recording(4000, seed=2)
    fitted = Chance().fit(training_on(known))
    reports = reports_of(known, asked).hide_values()
    said = fitted.states(reports)
    share = known.is_on["losses"].mean(axis=0)
    assert (share > 0.1).all()
    np.testing.assert_allclose(said.is_on.mean(axis=0), share, atol=0.04)
    assert abs(np.corrcoef(said.is_on.T)[0, 1]) < 0.1
    np.testing.assert_array_equal(fitted.states(reports).is_on, said.is_on)
    assert ((said.power_w > 0) == said.is_on).all()
