"""A guesser who says that everything is on, at the power that it usually has."""

import numpy as np

from noiseless.adversaries.appliances.always_on import AlwaysOn
from toy_meter import POWER_W, make_recording, reports_of, training_on


def test_every_appliance_is_on_with_its_usual_power():
    known, asked = make_recording(), make_recording(60, seed=2)
    said = AlwaysOn().fit(training_on(known)).states(reports_of(known, asked).hide_values())
    assert said.is_on.shape == (60, 2)
    assert said.is_on.all()
    np.testing.assert_allclose(said.power_w, np.tile(POWER_W, (60, 1)), rtol=0.05)
    for column, power in enumerate(said.power_w[0]):
        on = known.is_on["losses"][:, column]
        assert np.isclose(power, known.power_w[on, column].mean())
