"""A guesser who says that nothing is on."""

from noiseless.adversaries.appliances.always_off import AlwaysOff
from toy_meter import make_recording, reports_of, training_on


def test_no_appliance_is_on_and_none_has_power():
    known, asked = make_recording(), make_recording(60, seed=2)
    said = AlwaysOff().fit(training_on(known)).states(reports_of(known, asked).hide_values())
    assert said.is_on.shape == said.power_w.shape == (60, 2)
    assert not said.is_on.any()
    assert not said.power_w.any()
