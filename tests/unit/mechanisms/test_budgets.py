"""Parameters at a budget, against formulas and plain loops."""

import math

import pytest

from noiseless.errors import ConfigError
from noiseless.mechanisms.budgets import find_budget_parameter, measure_budget
from noiseless.mechanisms.families import load_mechanisms
from noiseless.mechanisms.families.gaussian import compute_analytic_sigma
from noiseless.mechanisms.guarantees import BitsOfRange, NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import Domain, Mechanism

DAY = Domain((0.0,), (20.0,), "kwh", people=3)


class Steps(Mechanism):
    """Rounds to multiples of its width: a guarantee in steps, as a mechanism of a user may have."""

    name = "steps"
    kind = "scale"

    def release(self, values, rng):
        return values

    def guarantee(self, *, delta):
        return BitsOfRange(math.log2(math.ceil(20 / self.parameter) + 1))


def find(name, target, budget, delta=1e-5, domain=DAY):
    family = load_mechanisms()[name] if isinstance(name, str) else name
    return find_budget_parameter(family, target, domain=domain, budget=budget, delta=delta)


@pytest.mark.parametrize("bits", [0.5, 1.0, 2.0, 3.3, 8.0])
def test_levels_are_the_most_that_keep_the_budget(bits):
    kept = [
        levels
        for levels in range(1, 1_000)
        if math.log2(min(levels, -(-levels // 3) + 1)) <= bits + 1e-9
    ]
    assert find("quantizer", bits, "bits") == max(kept)


@pytest.mark.parametrize("nats", [0.01, 1.0, 7.0])
def test_noise_is_that_of_its_formula(nats):
    assert find("laplace", nats, "nats") == pytest.approx(20 / 3 / nats)
    sigma = compute_analytic_sigma(sensitivity=20 / 3, epsilon_nats=nats, delta=1e-5)
    assert find("gaussian", nats, "nats") == pytest.approx(sigma)
    assert find("one_bit", nats, "nats") == pytest.approx(nats)


def test_a_guarantee_in_steps_is_met_from_below():
    """At 2 bits, three steps of 20/3: any less would take four, and log2(5) bits."""
    width = find(Steps, 2.0, "bits")
    assert width == pytest.approx(20 / 3)
    assert math.ceil(20 / width) == 3
    assert find(Steps, 2.1, "bits") == pytest.approx(width)


def test_what_cannot_spend_a_budget_has_no_parameter():
    assert math.isnan(find("quantizer", 40.0, "bits"))
    assert math.isnan(find("one_bit", 1000.0, "nats"))  # beyond its largest epsilon
    assert math.isnan(find("laplace", 1.0, "bits"))
    assert math.isnan(find("quantizer", 1.0, "nats"))


def test_budgets_are_of_one_kind():
    assert measure_budget(BitsOfRange(2.0), "bits") == 2.0
    assert measure_budget(NatsOfDifferentialPrivacy(3.0), "nats") == 3.0
    for guarantee in (None, BitsOfRange(2.0)):
        assert math.isnan(measure_budget(guarantee, "nats"))
    with pytest.raises(ValueError, match="no budget of 'bytes'"):
        measure_budget(BitsOfRange(2.0), "bytes")
    for wrong in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(ConfigError, match="a budget is"):
            find("laplace", wrong, "nats")
