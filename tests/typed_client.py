"""Documented uses of the library, which ``mypy --strict`` must accept (``type_errors.py``)."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import noiseless as nl

Floats = NDArray[np.float64]

readings_kwh = pd.Series({"mon": 1.2, "tue": 7.9})
quantizer = nl.Quantizer(nl.Domain((0,), (20,), "kwh"), nl.compute_local_levels(2))
released: pd.Series = quantizer.release(readings_kwh).rename("kwh")
array = quantizer.release(np.array([1.2, 7.9])).sum()
levels = nl.compute_printed_levels(np.float64(3), output_range=(0, 20), sensitivity=2.0)
same = nl.Quantizer(nl.Domain((0,), (np.float64(20),)), np.int64(levels))
bits: float = quantizer.guarantee().bits

income = nl.Domain((0,), (5,), "income", people=100)
noisy = nl.LaplaceMechanism.from_budget(income, epsilon_nats=0.5)
nats: float = noisy.guarantee().epsilon_nats
answer = noisy.release([2.31], rng=1).round(2)
fresh = nl.GaussianMechanism.from_budget(income, epsilon_nats=1.0, delta=1e-6).release([1])

box = nl.Box(np.zeros(2), np.ones(2))
query = nl.LinearQuery(np.array([0.5, 0.5]), 0, epsilon_nats=0.4, low=0, high=1)
limited = nl.BayesianFilter(1.0, box)
outputs: list[int | None] = nl.answer_queries([query] * 3, [0.2, 0.9], limited, rng=3)
upper: float = limited.bound_loss().upper

choice: nl.EpsilonChoice = nl.choose_epsilon(nl.FScore(beta=1), 0.9)
epsilon: float = choice.epsilon_nats


class Rounding(nl.Mechanism):
    """A mechanism of the reader's own."""

    name = "rounding"
    kind = "scale"

    def release(self, values: Floats, rng: np.random.Generator) -> Floats:
        """Round."""
        rounded: Floats = self.parameter * np.round(values / self.parameter)
        return rounded

    def guarantee(self, *, delta: float = 0.0) -> nl.BitsOfRange | None:
        """Say nothing."""
        return None


class Totals(nl.Adversary):
    """An adversary of the reader's own."""

    name = "totals"

    def prefer(self, view: nl.MembershipView) -> Floats:
        """Prefer the larger."""
        larger: Floats = np.diff(view.sum_readings_wh.astype(float), axis=1)[:, 0]
        return larger


readings_wh = np.random.default_rng(1).integers(0, 20_000, size=(40, 30))
domain = nl.Domain((0.0,), (20.0,), "kwh", people=4)
found: pd.DataFrame = nl.play_membership_game(
    readings_wh, n=4, mechanism=Rounding(domain, 5.0), adversaries=["mse", Totals], rng=1
)
told = nl.play_released_membership_game(readings_wh, readings_wh[0], np.arange(40) < 1, rng=None)
largest: float = nl.bound_advantage(told)
try:
    quantizer.release([24.0])
except ValueError as error:
    message: str = str(error)
