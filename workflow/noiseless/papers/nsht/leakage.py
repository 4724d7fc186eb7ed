"""Bounds of leakage by epsilon-privacy (``nsht``, Proposition 1, Appendix 13, Figure 6).

The table holds two readings of "epsilon-private".  Definition 3 says Priv >= log(1 + epsilon); with
Priv >= epsilon in nats (columns ``*_priv``) Proposition 1 is right.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from noiseless.tables import tidy
from noiseless.theory.intervals import IntervalUnion

BUDGETS = (0.01, 10)  # lowest and highest budget epsilon of Figure 6


def build_bound_table(*, epsilon: Sequence[float]) -> pd.DataFrame:
    """Compute the printed and the corrected upper bound of L0(Y; H) for each budget (Figure 6).

    Statistics, in nats: ``printed`` (Proposition 1), ``appendix`` (as its proof ends),
    ``corrected``, log((1 + epsilon) / epsilon), and ``printed_minus_corrected``; ``leakage`` of a
    policy that is just epsilon-private, ``printed_minus_leakage`` and ``corrected_minus_leakage``,
    for Definition 3 as printed; ``leakage_priv`` and ``printed_minus_leakage_priv`` for Priv >=
    epsilon.
    """
    budgets = np.asarray(epsilon, dtype=float)
    printed = -np.log(-np.expm1(-budgets))
    corrected = np.log1p(1 / budgets)
    leakage = np.array([_compute_policy_leakage(1 + each) for each in budgets])
    leakage_priv = np.array([_compute_policy_leakage(np.exp(each)) for each in budgets])
    bounds = {
        "epsilon": budgets,
        "printed": printed,
        "appendix": -np.log(-np.expm1(-budgets - 1)),
        "corrected": corrected,
        "printed_minus_corrected": printed - corrected,
        "leakage": leakage,
        "printed_minus_leakage": printed - leakage,
        "corrected_minus_leakage": corrected - leakage,
        "leakage_priv": leakage_priv,
        "printed_minus_leakage_priv": printed - leakage_priv,
    }
    return tidy(pd.DataFrame(bounds), ["epsilon"])


def _compute_policy_leakage(exp_privacy: float) -> float:
    """Compute L0(Y;H) in nats of a policy with the given ``exp Priv``.

    With t = ``exp_privacy``, any report in [0, t] is possible under p1, and any report in
    [0, t - 1] is possible under p0, too.  Reports above t - 1, of measure 1, prove p1.
    """
    t = Fraction(exp_privacy)
    under_p0, under_p1 = (
        IntervalUnion.from_intervals((0, t - 1)),
        IntervalUnion.from_intervals((0, t)),
    )
    assert (under_p0 | under_p1).measure / (under_p0 ^ under_p1).measure == t
    smaller = min(under_p0.measure, under_p1.measure)
    return float(np.log(float((under_p0 | under_p1).measure / smaller)))
