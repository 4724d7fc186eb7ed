"""The appendix' derivatives, against another library's tails, and by integration."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace

from noiseless.papers.prrelation import derivatives


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
            derivatives._compute_corrected_lines(
                equation, np.array(x), delta_q, budget, weight, odds
            )[line]
        ),
        low * delta_q,
        high * delta_q,
    )
    assert found == pytest.approx(objective(high * delta_q) - objective(low * delta_q), rel=1e-9)


def test_which_lines_hold_as_printed():
    table = derivatives.build_derivative_table(
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


def test_printed_lines_of_equation_32_have_the_values_computed_by_hand():
    """Equation 32's two lines at one point, where a = 2, odds = 3 and weight = 5."""
    e = np.exp
    x, delta_q, epsilon = 0.75, 0.5, 1.0  # a x = 1.5, a y = 0.5
    below = (0.5 * e(0.5)) ** 2
    closed = 0.5 * 5 * 2 * e(-0.5) / below
    quotient = -0.25 * 3 * epsilon**2 / delta_q * e(-1.5) * e(-0.5)
    quotient += 0.5 * 2 * e(-0.5) * (0.5 * 3 * e(-1.5) + 5)
    for line, expected in (("closed", closed), ("quotient", quotient / below)):
        found = derivatives._compute_printed_lines(32, np.array(x), delta_q, epsilon, 5, 3)[line]
        assert found == pytest.approx(expected)


def test_ratio_is_that_of_the_printed_deviation_alone():
    table = derivatives.build_ratio_table(
        epsilon_nats=[0.5], deltas=[1e-5], sensitivities=[0.5, 2], points=9
    )
    worst = table.groupby(["deviation", "statistic"])["value"].max()
    assert worst["printed", "printed_error"] < 1e-12
    assert worst["classical", "corrected_error"] < 1e-12
    assert worst["classical", "printed_error"] > 0.01


def test_which_functions_hold_as_printed():
    """Against another library's tails, at two sensitivities."""
    given = {"epsilon_nats": [0.5, 2], "beta": [1, 2], "sensitivities": [1, 0.5], "rho_p": 0.3}
    table = derivatives.build_function_table(**given, points=5)
    error = table.pivot_table(
        index="equation", columns="statistic", values="value", aggfunc=["min", "max"]
    )
    assert (error["max", "corrected_error"] < 1e-12).all()
    printed = error["min", "printed_error"]
    assert printed[printed < 1e-12].index.tolist() == [28, 31]
    x, delta_q, budget, weight, odds = np.array([-0.4, -0.1]), 0.5, 2.0, 4.0, 0.7
    recall, false_alarm = (laplace.sf((x - d) * budget / delta_q) for d in (delta_q, 0))
    np.testing.assert_allclose(
        derivatives._evaluate_corrected_function(x, 30, delta_q, budget, weight, odds),
        (odds * false_alarm + weight) / recall,
    )


def test_the_printed_function_is_negative_where_the_right_one_is_positive():
    """Section 10.5.1, step 1: -1.98 where f is 1.77."""
    at = np.array([-1.0])
    printed = derivatives._evaluate_printed_function(at, 30, 1.0, 1.0, 1.0, 0.8)
    assert printed == pytest.approx((1.8 - 0.4 * np.e) / (1 - 0.5 * np.e))
    assert printed == pytest.approx(-1.984, abs=1e-3)
    assert derivatives._evaluate_f(at, 1.0, 1.0, 1.0, 0.8) == pytest.approx(1.773, abs=1e-3)


def test_the_first_line_of_equation_26_is_minus_the_slope_of_its_function():
    x, given = np.linspace(-1.4, -0.2, 7), (26, 1.0, 0.4, 1.0, 1.0)

    def function(each):
        return derivatives._evaluate_printed_function(each, *given)

    slope = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    np.testing.assert_allclose(
        derivatives._compute_printed_lines(26, x, *given[1:])["quotient"], -slope, rtol=1e-6
    )


def test_the_minimum_of_step_2_is_the_maximum():
    table = derivatives.build_extreme_table(epsilon_nats=[0.1, 2], beta=[1], points=2001)
    found = table.set_index(["epsilon_nats", "statistic"])["value"]
    assert set(found.index.get_level_values(0)) == {2.0}  # 0.1 is below log 2
    assert found[2.0, "above_least"] == pytest.approx(0.8191 - 0.6379, abs=1e-4)
    assert abs(found[2.0, "below_largest"]) < 1e-6
