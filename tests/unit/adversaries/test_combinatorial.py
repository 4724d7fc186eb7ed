"""Combinatorial optimisation against brute force over the sums of its states."""

import itertools
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from noiseless.adversaries.combinatorial import CombinatorialOptimisation
from noiseless.errors import DataError

pytestmark = pytest.mark.skipif(find_spec("nilmtk") is None, reason="NILMTK is not installed here")


def cycles(rng, level, n=600):
    return np.where(np.repeat(rng.random(n // 20) < 0.4, 20), level, 0.0) + rng.normal(0, 1, n)


def test_combinatorial_optimisation_takes_the_nearest_sum_of_its_states():
    rng = np.random.default_rng(3)
    power = {"fridge": cycles(rng, 190.0), "microwave": cycles(rng, 1500.0)}
    co = CombinatorialOptimisation(power, rng=rng)
    mains = rng.uniform(0, 2500, 300)
    combinations = np.array(list(itertools.product(*co.states_w.values())), dtype=float)
    nearest = np.abs(mains[:, None] - combinations.sum(axis=1)).argmin(axis=1)
    found = co.disaggregate(mains)
    np.testing.assert_allclose(
        np.abs(mains - found.sum(axis=1)), np.abs(mains - combinations[nearest].sum(axis=1))
    )
    assert all(states[0] == 0 and len(states) <= 3 for states in co.states_w.values())


def test_combinatorial_optimisation_is_seeded_and_leaves_nothing_behind(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rng = np.random.default_rng(3)
    power = {"fridge": rng.gamma(2, 100, 5000)}
    np.random.seed(11)  # noqa: NPY002
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    states = [
        CombinatorialOptimisation(power, rng=np.random.default_rng(seed)).states_w["fridge"]
        for seed in (0, 0)
    ]
    np.testing.assert_array_equal(*states)
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    assert not list(Path(tmp_path).iterdir())


def test_too_few_values_for_nilmtk_are_an_error():
    power = {"fridge": cycles(np.random.default_rng(3), 190.0)}
    co = CombinatorialOptimisation(power, rng=np.random.default_rng(1))
    with pytest.raises(DataError, match="100 values or more, not 99"):
        co.disaggregate(np.zeros(99))


def test_of_equal_sums_the_first_appliances_are_off():
    """Brute force over the combinations in their order; 200 W is two lamps or one heater."""
    rng = np.random.default_rng(3)
    power = {name: cycles(rng, level) for name, level in (("a", 100.0), ("b", 100.0), ("c", 200.0))}
    power = {name: np.round(watts / 100) * 100 for name, watts in power.items()}
    co = CombinatorialOptimisation(power, rng=rng)
    assert [list(states) for states in co.states_w.values()] == [[0, 100], [0, 100], [0, 200]]
    combinations = list(itertools.product(*co.states_w.values()))
    mains = np.repeat([0.0, 100.0, 200.0, 300.0, 400.0], 30)
    expected = [next(each for each in combinations if sum(each) == value) for value in mains]
    np.testing.assert_array_equal(co.disaggregate(mains), expected)
    np.testing.assert_array_equal(co.disaggregate(mains)[60], [0, 0, 200])
    # From either side of a sum.
    np.testing.assert_array_equal(co.disaggregate(mains + 10), expected)
    np.testing.assert_array_equal(co.disaggregate(mains - 10), expected)


def test_answers_that_are_no_nearest_sum_of_states_are_counted():
    rng = np.random.default_rng(1)
    power = {name: rng.choice([0.0, watts], 300) for name, watts in (("fridge", 90), ("light", 40))}
    co = CombinatorialOptimisation(power, rng=rng)
    mains = rng.uniform(0, 150, 120)
    right = co.disaggregate(mains)
    assert co.count_farther(mains, right) == 0
    off = right.copy()
    off[3] = [0, 0] if right[3].any() else [90, 40]
    off[5, 1] += 1  # no state
    assert co.count_farther(mains, off) == 2
