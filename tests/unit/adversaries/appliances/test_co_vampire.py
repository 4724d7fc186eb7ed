"""Vampire power is the smallest value that is seen, and is taken off every report."""

import numpy as np

from noiseless.adversaries.appliances.co_vampire import CombinatorialVampire
from toy_meter import make_recording, reports_of


class Told:
    def disaggregate(self, mains_w):
        return np.column_stack([mains_w, 0 * mains_w])


def test_the_smallest_value_is_taken_off():
    adversary = CombinatorialVampire()
    adversary._model = Told()
    asked = make_recording(60, seed=2)
    asked.mains_w[:] += 40
    said = adversary.states(reports_of(asked, asked))
    np.testing.assert_allclose(said.power_w[:, 0], asked.mains_w - asked.mains_w.min())
    assert said.power_w.min() == 0
