"""Derivatives of the appendix, printed and corrected (``prrelation``, Eqs. 26 to 32).

The best F-score minimises f = (w GSR + beta^2)/RSR over the threshold theta, where w is 1 (Eqs. 26
to 28) or 1 - rho_p (Eqs. 30 to 32).  Each equation prints the derivative of f in theta on one of
three intervals, as the quotient rule gives it and in a closed form.  With a = epsilon/Delta Q,
x = theta - Q(D') and y = theta - Q(D):

========= =========== ===========================================================
equations interval    derivative
========= =========== ===========================================================
26, 30    x <= 0      0.5 a e^(a x) ((w + beta^2) e^-epsilon - w)/(1 - 0.5 e^(a y))^2
27, 31    x >= 0 >= y 0.5 a (w e^-epsilon - w e^(-a x) + beta^2 e^(a y))/(1 - 0.5 e^(a y))^2
28, 32    y >= 0      0.5 a beta^2 e^(-a y)/(0.5 e^(-a y))^2
========= =========== ===========================================================

Equation 29 is the likelihood ratio of two normal answers.

1. :func:`build_derivative_table` compares Equations 26 to 28 and 30 to 32 with differences of f.
2. :func:`build_function_table` compares the f that is printed above each equation with its
   definition.
3. :func:`build_end_table` compares the slopes at the ends of an interval with differences of f.
4. :func:`build_extreme_table` compares the F-score of Section 10.3, step 2, with those of all
   thresholds.
5. :func:`build_ratio_table` compares Equation 29 with the ratio of two normal densities.

"""

import itertools
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
from scipy.stats import norm

from noiseless.adversaries.likelihood_ratio import compute_laplace_rates
from noiseless.mechanisms.families.gaussian import compute_classical_sigma, compute_printed_sigma
from noiseless.papers.prrelation.curves import BETAS, DELTAS, KNOWLEDGE
from noiseless.tables import Rows, returns_table

# Settings of ours: budgets, sensitivities Delta Q in the unit of the answer, and the number of
# thresholds, or answers, at which an equation is tried.
EPSILONS_NATS: Final = (0.1, 0.4, 1, 2, 5)
SENSITIVITIES: Final = (1, 0.2)
POINTS: Final = 21
_INTERVALS = {26: (-1.5, -0.1), 27: (0.1, 0.9), 28: (1.1, 2.5)}
_INTERVALS |= {equation + 4: ends for equation, ends in _INTERVALS.items()}
"""Positions psi = x/Delta Q of each equation's interval, away from the kinks of f."""


@returns_table("equation", "line", "sensitivity", "epsilon_nats", "beta")
def build_derivative_table(
    *,
    epsilon_nats: Sequence[float] = EPSILONS_NATS,
    beta: Sequence[float] = BETAS,
    sensitivities: Sequence[float] = SENSITIVITIES,
    rho_p: float = KNOWLEDGE["prior"]["rho_p"],
    points: int = POINTS,
) -> Rows:
    """Compute the errors of the printed derivatives against central differences of f.

    ``line`` is ``quotient``, the first one of an equation, or ``closed``, the last.
    ``printed_error`` and ``corrected_error`` are the largest distance from the derivative of f, at
    ``points`` thresholds in each interval, as a share of it (of 1/Delta Q, where that is larger).
    ``rho_p`` is that of Equations 30 to 32; sensitivities are in the unit of the answer.
    """
    grid = itertools.product(_INTERVALS, map(float, sensitivities), epsilon_nats, beta)
    for equation, delta_q, budget, its_beta in grid:
        weight, odds = its_beta**2, 1.0 if equation < 29 else 1 - rho_p
        x = np.linspace(*_INTERVALS[equation], points) * delta_q
        f = partial(_evaluate_f, delta_q=delta_q, epsilon_nats=budget, weight=weight, odds=odds)
        slope = _differentiate(f, x, delta_q, budget)
        scale = np.maximum(np.abs(slope), 1 / delta_q)
        printed, corrected = (
            form(equation, x, delta_q, budget, weight, odds)
            for form in (_compute_printed_lines, _compute_corrected_lines)
        )
        for line in printed:
            yield {
                "equation": equation,
                "line": line,
                "sensitivity": delta_q,
                "epsilon_nats": float(budget),
                "beta": float(its_beta),
                "printed_error": (np.abs(printed[line] - slope) / scale).max(),
                "corrected_error": (np.abs(corrected[line] - slope) / scale).max(),
            }


def _evaluate_f(
    x: np.ndarray, delta_q: float, epsilon_nats: float, weight: float, odds: float
) -> np.ndarray:
    """Evaluate f = (odds GSR + weight)/RSR at thresholds ``x``, in the shape of ``x``."""
    recall, false_alarm = compute_laplace_rates(x / delta_q, epsilon_nats)
    return (odds * false_alarm + weight) / recall


def _differentiate(
    f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, delta_q: float, epsilon_nats: float
) -> np.ndarray:
    """Differentiate a function at ``x`` by central differences of the fourth order."""
    step = 1e-5 * delta_q / max(1.0, epsilon_nats)
    near, far = (f(x + each) - f(x - each) for each in (step, 2 * step))
    return (8 * near - far) / (12 * step)


def _compute_corrected_lines(
    equation: int, x: np.ndarray, delta_q: float, epsilon_nats: float, weight: float, odds: float
) -> dict[str, np.ndarray]:
    """Compute the derivative of f in the form of each line of an equation, by name of the line."""
    a, y = epsilon_nats / delta_q, x - delta_q
    first, second, third = (equation in pair for pair in ((26, 30), (27, 31), (28, 32)))
    recall = 0.5 * np.exp(-a * y) if third else 1 - 0.5 * np.exp(a * y)
    false_alarm = 1 - 0.5 * np.exp(a * x) if first else 0.5 * np.exp(-a * x)
    of_false_alarm = -0.5 * a * np.exp(a * x if first else -a * x)
    of_recall = -0.5 * a * np.exp(-a * y if third else a * y)
    quotient = odds * of_false_alarm * recall - of_recall * (odds * false_alarm + weight)
    e = math.exp(-epsilon_nats)
    if first:
        numerator = np.exp(a * x) * ((odds + weight) * e - odds)
    elif second:
        numerator = odds * (e - np.exp(-a * x)) + weight * np.exp(a * y)
    else:
        numerator = weight * np.exp(-a * y)
    return {"quotient": quotient / recall**2, "closed": 0.5 * a * numerator / recall**2}


def _compute_printed_lines(
    equation: int, x: np.ndarray, delta_q: float, epsilon_nats: float, weight: float, odds: float
) -> dict[str, np.ndarray]:
    """Compute the lines of an equation letter by letter, by name of the line."""
    a, y = epsilon_nats / delta_q, x - delta_q
    e = math.exp(-epsilon_nats)
    down_x, down_y, up_x, up_y = (np.exp(each) for each in (-a * x, -a * y, a * x, a * y))
    # Numerators of the quotient rule's two products and of the closed form, over recall squared.
    match equation:
        case 26:
            recall = 1 - 0.5 * down_y
            first = -0.5 * a * down_x * (1 - 0.5 * down_y)
            second = 0.5 * a * down_y * (1 + weight - 0.5 * down_x)
            closed = 0.5 * a * down_x * ((1 + weight) * e - 1)
        case 27:
            recall = 1 - 0.5 * down_y
            first = -0.5 * a * down_x * (1 - 0.5 * down_y)
            second = 0.5 * a * down_y * (0.5 * down_x + weight)
            closed = 0.5 * a * (e - down_x + weight * down_y)
        case 28:
            recall = 0.5 * down_y
            first = -0.25 * epsilon_nats**2 / delta_q * down_x * down_y
            second = 0.5 * a * down_y * (0.5 * down_x + weight)
            closed = 0.5 * weight * epsilon_nats * down_y
        case 30:
            recall = 1 - 0.5 * up_y
            first = -0.5 * odds * a * up_x * (1 - 0.5 * up_y)
            second = 0.5 * a * up_y * (odds + weight - 0.5 * odds * up_x)
            closed = 0.5 * a * up_x * ((odds + weight) * e - odds)
        case 31:
            recall = 1 - 0.5 * up_y
            first = -0.5 * odds * a * down_x * (1 - 0.5 * up_y)
            second = 0.5 * a * up_y * (0.5 * odds * down_x + weight)
            closed = 0.5 * odds * a * (e - down_x) + weight / odds * up_y
        case 32:
            recall = 0.5 * up_y
            first = -0.25 * odds * epsilon_nats**2 / delta_q * down_x * down_y
            second = 0.5 * a * down_y * (0.5 * odds * down_x + weight)
            closed = 0.5 * weight * a * down_y
        case _:
            raise AssertionError(f"equation {equation} does not print a derivative of f")
    return {"quotient": (first + second) / recall**2, "closed": closed / recall**2}


@returns_table("equation", "end", "sensitivity", "epsilon_nats", "beta")
def build_end_table(*, rho_p: float = KNOWLEDGE["prior"]["rho_p"]) -> Rows:
    """Compute the errors of the slopes of f that are printed below Equations 27 and 31.

    ``end`` is Q(D') or Q(D). ``printed_error`` is the distance of the printed slope from that of f,
    ``corrected_error`` that of the printed one over the square of RSR, in multiples of 1/Delta Q.
    """
    grid = itertools.product((27, 31), map(float, SENSITIVITIES), EPSILONS_NATS, BETAS)
    for equation, delta_q, budget, beta in grid:
        weight, odds = beta**2, 1.0 if equation == 27 else 1 - rho_p
        f = partial(_evaluate_f, delta_q=delta_q, epsilon_nats=budget, weight=weight, odds=odds)
        e = math.exp(-budget)
        ends = {
            "Q(D')": (0.0, (1 + weight / odds) * e - 1, 1 - 0.5 * e),
            "Q(D)": (delta_q, weight / odds, 0.5),
        }
        for end, (x, bracket, recall) in ends.items():
            step = (1 if x == 0 else -1) * 1e-5 * delta_q / max(1.0, budget)  # inwards
            at, near, far = f(x + step * np.arange(3))
            slope = (4 * near - far - 3 * at) / (2 * step)
            printed = 0.5 * odds * budget / delta_q * bracket
            yield {
                "equation": equation,
                "end": end,
                "sensitivity": delta_q,
                "epsilon_nats": float(budget),
                "beta": float(beta),
                "printed_error": abs(printed - slope) * delta_q,
                "corrected_error": abs(printed / recall**2 - slope) * delta_q,
            }


@returns_table("equation", "sensitivity", "epsilon_nats", "beta")
def build_function_table(
    *,
    epsilon_nats: Sequence[float] = EPSILONS_NATS,
    beta: Sequence[float] = BETAS,
    sensitivities: Sequence[float] = SENSITIVITIES,
    rho_p: float = KNOWLEDGE["prior"]["rho_p"],
    points: int = POINTS,
) -> Rows:
    """Compute the errors of the function f as it is printed above each derivative.

    ``printed_error`` and ``corrected_error`` are the largest distance from (w GSR + beta^2)/RSR, as
    a share of it; ``slope_error``, the largest distance of the equation's closed form from the
    derivative of the printed function, as a share of that derivative (of 1/Delta Q, where it is
    larger).
    """
    grid = itertools.product(_INTERVALS, map(float, sensitivities), epsilon_nats, beta)
    for equation, delta_q, budget, its_beta in grid:
        weight, odds = its_beta**2, 1.0 if equation < 29 else 1 - rho_p
        x = np.linspace(*_INTERVALS[equation], points) * delta_q
        where = (delta_q, budget, weight, odds)
        evaluate_printed = partial(
            _evaluate_printed_function,
            equation=equation,
            delta_q=delta_q,
            epsilon_nats=budget,
            weight=weight,
            odds=odds,
        )
        exact = _evaluate_f(x, *where)
        slope = _differentiate(evaluate_printed, x, delta_q, budget)
        scale = np.maximum(np.abs(slope), 1 / delta_q)
        closed = _compute_printed_lines(equation, x, *where)["closed"]
        corrected = _evaluate_corrected_function(x, equation, *where)
        yield {
            "equation": equation,
            "sensitivity": delta_q,
            "epsilon_nats": float(budget),
            "beta": float(its_beta),
            "printed_error": np.abs(evaluate_printed(x) / exact - 1).max(),
            "corrected_error": np.abs(corrected / exact - 1).max(),
            "slope_error": (np.abs(closed - slope) / scale).max(),
        }  # fmt: skip


def _evaluate_printed_function(
    x: np.ndarray, equation: int, delta_q: float, epsilon_nats: float, weight: float, odds: float
) -> np.ndarray:
    """Evaluate the f that is printed above an equation, letter by letter."""
    a, y = epsilon_nats / delta_q, x - delta_q
    down_x, down_y, up_y = (np.exp(each) for each in (-a * x, -a * y, a * y))
    match equation:
        case 26:
            return (1 + weight - 0.5 * down_x) / (1 - 0.5 * down_y)
        case 27:
            return (0.5 * down_x + weight) / (1 - 0.5 * down_y)
        case 28:
            return (0.5 * down_x + weight) / (0.5 * down_y)
        case 30:
            return (odds + weight - 0.5 * odds * down_x) / (1 - 0.5 * down_x)
        case 31:
            return (0.5 * odds * down_x + weight) / (1 - 0.5 * up_y)
        case 32:
            return (0.5 * odds * down_x + weight) / (0.5 * up_y)
        case _:
            raise AssertionError(f"no function f is printed above equation {equation}")


def _evaluate_corrected_function(
    x: np.ndarray, equation: int, delta_q: float, epsilon_nats: float, weight: float, odds: float
) -> np.ndarray:
    """Evaluate the f above an equation with the correct tails of Laplace noise."""
    a, y = epsilon_nats / delta_q, x - delta_q
    false_alarm = 1 - 0.5 * np.exp(a * x) if equation in (26, 30) else 0.5 * np.exp(-a * x)
    recall = 0.5 * np.exp(-a * y) if equation in (28, 32) else 1 - 0.5 * np.exp(a * y)
    return (odds * false_alarm + weight) / recall


@returns_table("epsilon_nats", "beta")
def build_extreme_table(
    *,
    epsilon_nats: Sequence[float] = EPSILONS_NATS,
    beta: Sequence[float] = BETAS,
    points: int = 20_001,
) -> Rows:
    """Compare the F-score that Section 10.3, step 2, prints with those of all thresholds.

    ``above_least`` and ``below_largest``: by how much the printed value is above the smallest and
    below the largest F-score of ``points`` thresholds from Q(D') to Q(D).
    """
    for budget, its_beta in itertools.product(map(float, epsilon_nats), map(float, beta)):
        weight = its_beta**2
        if budget < math.log1p(weight):
            continue
        scores = (1 + weight) / (
            1 + _evaluate_f(np.linspace(0, 1, points), 1.0, budget, weight, 1.0)
        )
        inner = 1 + 4 * weight * math.exp(budget)
        root = math.sqrt(inner)
        printed = (1 + weight) * (inner - root) / ((1 + weight) * inner - (1 - weight) * root)
        yield {
            "epsilon_nats": budget,
            "beta": its_beta,
            "above_least": printed - scores.min(),
            "below_largest": scores.max() - printed,
        }


@returns_table("deviation", "epsilon_nats", "delta", "sensitivity")
def build_ratio_table(
    *,
    epsilon_nats: Sequence[float] = EPSILONS_NATS,
    deltas: Sequence[float] = DELTAS,
    sensitivities: Sequence[float] = SENSITIVITIES,
    points: int = POINTS,
) -> Rows:
    """Compute the errors (nats) of Equation 29 against the log ratio of two normal densities.

    The noise has the ``printed`` standard deviation, with Delta Q/epsilon under the root, or the
    ``classical`` one; answers lie from two sensitivities below Q(D') to two above Q(D).
    ``printed_error`` is that of Equation 29, and ``corrected_error`` of epsilon^2 (2 o - Q(D) -
    Q(D'))/(4 log(1.25/delta) Delta Q).
    """
    deviations = {"printed": compute_printed_sigma, "classical": compute_classical_sigma}
    for (name, calibrate), budget, delta, delta_q in itertools.product(
        deviations.items(), epsilon_nats, deltas, sensitivities
    ):
        sigma = calibrate(sensitivity=delta_q, epsilon_nats=budget, delta=delta)
        answer = np.linspace(-2 * delta_q, 3 * delta_q, points)
        exact = norm.logpdf(answer, delta_q, sigma) - norm.logpdf(answer, 0.0, sigma)
        logs = 4 * math.log(1.25 / delta)
        printed = delta_q * (2 * answer - delta_q) / (logs * delta_q / budget)
        corrected = budget**2 * (2 * answer - delta_q) / (logs * delta_q)
        yield {
            "deviation": name,
            "epsilon_nats": float(budget),
            "delta": float(delta),
            "sensitivity": float(delta_q),
            "printed_error": np.abs(printed - exact).max(),
            "corrected_error": np.abs(corrected - exact).max(),
        }
