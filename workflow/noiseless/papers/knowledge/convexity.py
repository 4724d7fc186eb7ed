"""Functions that are, or bound, convex ones (``knowledge``, Section 5 and Appendix D).

1. :func:`build_envelopes`: Appendix D's affine bound H of a convex function.
2. :func:`build_logistic_terms`: a logistic log-likelihood as a difference f - g (Section 5.3.3).
3. :func:`build_least_terms`: its least value, relaxed on ever smaller boxes (Section 5.2).

Section 5.3.2's f and g are those of the sleep query (:mod:`noiseless.papers.knowledge.health`).
"""

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import pandas as pd

_CONVEX: Final[dict[str, Callable[[np.ndarray], np.ndarray]]] = {
    "square": np.square,
    "logistic": lambda t: np.log1p(np.exp(t)),
    "tangent of a logarithm": lambda t: np.where(
        t < 0.25, -(math.log(0.25) + (t - 0.25) / 0.25), -np.log(np.maximum(t, 0.25))
    ),
}
_LINEAR = np.linspace(-20, 20, 4001)  # values of theta x + c


def build_envelopes(*, halvings: int = 12, points: int = 41) -> pd.DataFrame:
    """Compare Appendix D's H(x) with F(h(x)), h = x1 + x2, on squares of side 1, 1/2, 1/4, ...

    ``below`` is the number of points at which H is below F(h), ``last_gap`` the largest H - F(h) on
    the smallest square, and ``excess`` the largest one at a corner of the unit square.
    """
    rows = []
    for name, convex in _CONVEX.items():
        aboves = []
        for halving in range(halvings + 1):
            side = 2.0**-halving
            x1, x2 = np.meshgrid(*[np.linspace(0, side, points)] * 2)
            h, a, b = x1 + x2, 0.0, 2 * side
            ends = convex(np.array([a, b]))
            aboves.append((ends[1] - ends[0]) / (b - a) * (h - a) + ends[0] - convex(h))
        rows.append(
            {
                "function": name,
                "below": int(sum((above < -1e-12).sum() for above in aboves)),
                "last_gap": float(aboves[-1].max()),
                "excess": float(aboves[0][[0, 0, -1, -1], [0, -1, 0, -1]].max()),
            }
        )
    return pd.DataFrame(rows)


def build_logistic_terms() -> pd.DataFrame:
    """Check a logistic log-likelihood as f - g along ``theta x + c`` from -20 to 20.

    ``error`` is the largest distance of f - g from the logarithm of the answer's probability, and
    ``least_bend`` of either the smallest second difference over the square of the step.
    """
    rows = []
    for epsilon_nats in (0.1, 1.0, 3.0):
        truth = math.exp(epsilon_nats) / (math.exp(epsilon_nats) + 1)
        share = 1 / (1 + np.exp(-_LINEAR))
        for output, (alpha, beta) in enumerate([(1 - truth, truth), (truth, 1 - truth)]):
            probability = alpha * share + beta * (1 - share)
            f = np.log(alpha * np.exp(_LINEAR) + beta)
            g = np.log1p(np.exp(_LINEAR))
            bends = [np.diff(each, 2).min() / (_LINEAR[1] - _LINEAR[0]) ** 2 for each in (f, g)]
            rows.append(
                {
                    "epsilon_nats": epsilon_nats,
                    "output": output,
                    "error": np.abs(f - g - np.log(probability)).max(),
                    "least_bend": min(bends),
                }
            )
    return pd.DataFrame(rows)


def build_least_terms(*, epsilon_nats: float = 1.0, halvings: int = 8) -> pd.DataFrame:
    """Bound the least f - g of a logistic answer by Equation 17's relaxation on ever smaller boxes.

    On each of 1, 2, 4, ... boxes of ``theta x + c`` in [-20, 20] the chord of g takes its place.
    ``bound`` is the least f - h over all of them, and ``least`` the least probability of the answer
    1 on a lattice.
    """
    truth = math.exp(epsilon_nats) / (math.exp(epsilon_nats) + 1)
    share = 1 / (1 + np.exp(-_LINEAR))
    least = float((truth * share + (1 - truth) * (1 - share)).min())
    rows = []
    for boxes in 2 ** np.arange(halvings + 1):
        edges = np.linspace(_LINEAR[0], _LINEAR[-1], boxes + 1)
        chord = np.interp(_LINEAR, edges, np.log1p(np.exp(edges)))
        bound = float((np.log(truth * np.exp(_LINEAR) + 1 - truth) - chord).min())
        rows.append({"boxes": int(boxes), "bound": bound, "least": least})
    return pd.DataFrame(rows)
