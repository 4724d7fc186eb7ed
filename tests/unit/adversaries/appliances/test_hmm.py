"""The hidden Markov model reads exact mains as they are, and thresholds are those of known days."""

import numpy as np

from noiseless.adversaries.appliances import hmm
from toy_meter import POWER_W, make_recording, reports_of, training_on


def test_exact_mains_tell_what_is_on_and_its_power():
    known, asked = make_recording(), make_recording(200, seed=2)
    training = training_on(known, hmm={"on_states": 1, "other_states": 1})
    said = hmm.HiddenMarkov().fit(training).states(reports_of(known, asked))
    truth = asked.is_on["losses"]
    assert (said.is_on == truth).mean() > 0.98
    for column, power in enumerate(POWER_W):
        on = truth[:, column]
        np.testing.assert_allclose(said.power_w[on, column].mean(), power, rtol=0.1)
        assert said.power_w[~on, column].mean() < 0.1 * power


def test_on_is_what_reaches_the_threshold_that_known_days_ask_for(monkeypatch):
    known, asked = make_recording(), make_recording(200, seed=2)
    adversary = hmm.HiddenMarkov().fit(training_on(known, hmm={"on_states": 1, "other_states": 1}))
    asked_for = []

    def never(probability, is_on):
        asked_for.append(is_on.tolist())
        return 1.5

    monkeypatch.setattr(hmm, "find_best_threshold", never)
    assert not adversary.states(reports_of(known, asked)).is_on.any()
    assert asked_for == known.is_on["losses"].T.tolist()
