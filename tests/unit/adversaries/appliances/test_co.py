"""Combinatorial optimisation takes every report for the mains, on from a threshold."""

import numpy as np
import pytest

from noiseless.adversaries import combinatorial
from noiseless.adversaries.appliances.co import Combinatorial
from noiseless.adversaries.inputs.appliances import ON_W
from toy_meter import make_recording, reports_of, training_on


class Halving:
    """In place of NILMTK: half of the mains are the fridge's, and 5 W the kettle's."""

    def __init__(self, power, *, rng):
        assert list(power) == ["fridge", "kettle"]
        self.first = rng.random()

    def disaggregate(self, mains_w):
        return np.column_stack([mains_w / 2, np.full(len(mains_w), 5.0)])


@pytest.fixture(autouse=True)
def _without_nilmtk(monkeypatch):
    monkeypatch.setattr(combinatorial, "CombinatorialOptimisation", Halving)


def test_what_nilmtk_says_of_the_reports_is_on_from_its_threshold():
    known, asked = make_recording(), make_recording(60, seed=2)
    said = Combinatorial().fit(training_on(known)).states(reports_of(known, asked))
    np.testing.assert_array_equal(said.power_w[:, 0], asked.mains_w / 2)
    np.testing.assert_array_equal(said.is_on[:, 0], asked.mains_w / 2 >= ON_W)
    assert not said.is_on[:, 1].any()
    assert 0 < said.is_on[:, 0].mean() < 1
