"""The appendix' derivatives, against another library's tails, and by integration."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace

from noiseless.papers.prrelation import appendix


@pytest.mark.parametrize(
    ("equation", "low", "high"), [(30, -1.4, -0.2), (31, 0.2, 0.8), (32, 1.2, 2.4)]
)
@pytest.mark.parametrize("line", ["quotient", "closed"])
def test_the_integral_of_the_corrected_derivative_is_the_difference_of_f(equation, low, high, line):
    budget, weight, odds, delta_q = 1.3, 0.49, 0.7, 0.4

    def objective(x):
        recall, false_alarm = (laplace.sf((x - d) * budget / delta_q) for d in (delta_q, 0))
        return (odds * false_alarm + weight) / recall

    found, _ = quad(
        lambda x: float(
            appendix._corrected(equation, np.array(x), delta_q, budget, weight, odds)[line]
        ),
        low * delta_q,
        high * delta_q,
    )
    assert found == pytest.approx(objective(high * delta_q) - objective(low * delta_q), rel=1e-9)


def test_which_lines_hold_as_printed():
    table = appendix.derivative_table(
        epsilon_nats=[0.5, 2], beta=[1, 2], sensitivities=[1, 0.5], rho_p=0.3, points=5
    )
    error = table.pivot_table(
        index=["equation", "line", "sensitivity"],
        columns="statistic",
        values="value",
        aggfunc="max",
    )
    assert (error["corrected_error"] < 1e-7).all()
    right = error[error["printed_error"] < 1e-7].index.tolist()
    assert right == [
        (28, "closed", 1.0),
        *((30, line, q) for line in ("closed", "quotient") for q in (0.5, 1.0)),
        *((31, "quotient", q) for q in (0.5, 1.0)),
    ]


def test_printed_lines_by_hand():
    """Equation 32's two lines at one point, where a = 2, odds = 3 and weight = 5."""
    e = np.exp
    x, delta_q, epsilon = 0.75, 0.5, 1.0  # a x = 1.5, a y = 0.5
    below = (0.5 * e(0.5)) ** 2
    closed = 0.5 * 5 * 2 * e(-0.5) / below
    quotient = -0.25 * 3 * epsilon**2 / delta_q * e(-1.5) * e(-0.5)
    quotient += 0.5 * 2 * e(-0.5) * (0.5 * 3 * e(-1.5) + 5)
    for line, expected in (("closed", closed), ("quotient", quotient / below)):
        found = appendix._printed(32, np.array(x), delta_q, epsilon, 5, 3)[line]
        assert found == pytest.approx(expected)


def test_ratio_is_that_of_the_printed_deviation_alone():
    table = appendix.ratio_table(
        epsilon_nats=[0.5], deltas=[1e-5], sensitivities=[0.5, 2], points=9
    )
    worst = table.groupby(["deviation", "statistic"])["value"].max()
    assert worst["printed", "printed_error"] < 1e-12
    assert worst["classical", "corrected_error"] < 1e-12
    assert worst["classical", "printed_error"] > 0.01
