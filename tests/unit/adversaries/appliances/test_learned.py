"""Trees learn from the known days as they are released."""

from dataclasses import replace

import numpy as np

from noiseless.adversaries.appliances.learned import WindowTreesAdversary
from noiseless.adversaries.inputs.appliances import MeterRelease
from toy_meter import POWER_W, make_recording, reports_of, training_on

SETTINGS = {"learned": {"radius": 2, "trees": 20}}


def test_what_is_on_is_learned_from_the_release_and_has_its_usual_power():
    known, asked = make_recording(), make_recording(200, seed=2)
    fitted = WindowTreesAdversary().fit(training_on(known, **SETTINGS))
    said = fitted.states(reports_of(known, asked))
    assert (said.is_on == asked.is_on["losses"]).mean() > 0.95
    np.testing.assert_allclose(said.power_w, said.is_on * POWER_W, rtol=0.05)
    # With values that say nothing, it cannot be right.
    nothing = np.full(len(known.slot), 7.0)
    blind = replace(reports_of(known, asked), known=MeterRelease(nothing, nothing, nothing))
    assert (fitted.states(blind).is_on == asked.is_on["losses"]).mean() < 0.9
