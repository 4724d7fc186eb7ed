"""Every mechanism at the same error: what the comparisons on homes, a meter and trips share.

An epsilon means another thing for each mechanism, and its error depends on the data.  So mechanisms
are compared at an equal error of what the data's user wanted.

1. :class:`Mechanism` is a mechanism whose one parameter is still open, with the error that each
   value of it makes.
2. :func:`calibrate` finds the parameter of each target error.  A target that a mechanism cannot
   make is a gap: nothing is extrapolated, and nothing stands in for it.
3. :func:`calibration_rows` and :func:`win_rows` are the rows of the tables.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from noiseless.errors import ConfigError
from noiseless.statistics import rows as rows_of
from noiseless.statistics import wilson

NONE = "none"  # the release without a mechanism
_EACH_LEVEL_TO = 100  # numbers of levels that are all tried
_MOST_LEVELS = 1 << 24


@dataclass(frozen=True)
class Mechanism:
    """A mechanism with one open parameter.

    Attributes
    ----------
    name : str
    kind : str
        ``levels``: whole numbers, with which the error falls on the whole, but not from each to
        the next; ``epsilon``: the error falls from any size to that of infinity; ``scale``: the
        error rises from that of 0 to any size.
    parameter : str
        What the parameter is called in the tables, its unit in the name.
    error : callable
        The error that a parameter makes.
    """

    name: str
    kind: Literal["levels", "epsilon", "scale"]
    parameter: str
    error: Callable[[float], float]

    @cached_property
    def smallest_error(self) -> float:
        """No parameter makes this error or a smaller one (a quantizer can have any levels)."""
        if self.kind == "levels":
            return 0.0
        return self.error(math.inf if self.kind == "epsilon" else 0.0)


@dataclass(frozen=True)
class Calibration:
    """A mechanism at a target error.

    Attributes
    ----------
    mechanism, parameter_name : str
    target : float
    parameter, expected_error : float
        The parameter and the error it makes; NaN in a gap.
    smallest_error, largest_error : float
        What the mechanism can make at all.
    """

    mechanism: str
    parameter_name: str
    target: float
    parameter: float
    expected_error: float
    smallest_error: float
    largest_error: float

    @property
    def is_attainable(self) -> bool:
        """Whether there is such a parameter."""
        return not math.isnan(self.parameter)


def calibrate(
    mechanism: Mechanism, targets: Sequence[float], *, tolerance: float
) -> list[Calibration]:
    """The parameter of each target error.

    Parameters
    ----------
    mechanism : Mechanism
    targets : sequence of float
        Errors, larger than 0.
    tolerance : float
        Largest relative distance of a quantizer's error from the target; the other mechanisms
        meet it to many digits.

    Raises
    ------
    ConfigError
        If a target or the tolerance is not positive.
    """
    for name, value in (("tolerance", tolerance), *(("target error", each) for each in targets)):
        if not (math.isfinite(value) and value > 0):
            raise ConfigError(f"a {name} is {value}, but it must be a number larger than 0.")
    if mechanism.kind == "levels":
        return _nearest_levels(mechanism, targets, tolerance)
    return [_calibration(mechanism, each, _root(mechanism, each), math.inf) for each in targets]


def _nearest_levels(
    mechanism: Mechanism, targets: Sequence[float], tolerance: float
) -> list[Calibration]:
    """The levels whose error is nearest to each target, of all small numbers and by bisection."""
    few = {levels: mechanism.error(levels) for levels in range(1, _EACH_LEVEL_TO + 1)}
    calibrations = []
    for target in targets:
        errors = few | _many_levels(mechanism, target) if min(few.values()) > target else few
        nearest = min(errors, key=lambda each: abs(math.log(max(errors[each], 1e-300) / target)))
        is_near = abs(errors[nearest] / target - 1) <= tolerance
        levels = float(nearest) if is_near else math.nan
        calibrations.append(_calibration(mechanism, target, levels, max(few.values())))
    return calibrations


def _many_levels(mechanism: Mechanism, target: float) -> dict[int, float]:
    """Errors on both sides of the target, of levels that differ by one or by a thousandth."""
    low = _EACH_LEVEL_TO
    high = 2 * low
    while mechanism.error(high) > target and high < _MOST_LEVELS:
        low, high = high, 2 * high
    while high - low > 1 + low // 1000:
        middle = (low + high) // 2
        low, high = (middle, high) if mechanism.error(middle) > target else (low, middle)
    return {levels: mechanism.error(levels) for levels in (low, high)}


def _root(mechanism: Mechanism, target: float) -> float:
    """The parameter, by Brent's method on its logarithm, in which the error is monotone."""
    if target <= mechanism.smallest_error * (1 + 1e-9):
        return math.nan
    rises = -1 if mechanism.kind == "epsilon" else 1

    def excess(log: float) -> float:
        return rises * (mechanism.error(2.0**log) - target)

    low, high = -1.0, 0.0
    while excess(low) > 0:
        low -= 1
    while excess(high) < 0:
        high += 1
    return 2.0 ** brentq(excess, low, high, xtol=1e-12)


def _calibration(
    mechanism: Mechanism, target: float, parameter: float, largest: float
) -> Calibration:
    is_gap = math.isnan(parameter)
    return Calibration(
        mechanism.name,
        mechanism.parameter,
        float(target),
        parameter,
        math.nan if is_gap else mechanism.error(parameter),
        mechanism.smallest_error,
        largest,
    )


def calibration_rows(
    calibration: Calibration, budget: Mapping[str, float], cell: Mapping[str, object], *, unit: str
) -> list[dict[str, object]]:
    """Rows of the table of parameters for one calibration.

    Parameters
    ----------
    calibration : Calibration
    budget : mapping
        What the parameter guarantees, by the names of the statistics; empty in a gap.
    cell : mapping
        Columns that name the cell.
    unit : str
        Of the error, as it stands in names: ``kwh``, ``share`` or ``m``.
    """
    statistics: dict[str, float] = {
        "attainable": float(calibration.is_attainable),
        f"smallest_error_{unit}": calibration.smallest_error,
        f"largest_error_{unit}": calibration.largest_error,
    }
    if calibration.is_attainable:
        statistics |= {
            f"expected_error_{unit}": calibration.expected_error,
            calibration.parameter_name: calibration.parameter,
            **budget,
        }
    return [{**cell, "statistic": name, "value": value} for name, value in statistics.items()]


def win_rows(
    cell: Mapping[str, object],
    correct: NDArray[np.bool_],
    *,
    chance: float,
    facts: Mapping[str, float],
) -> list[dict[str, object]]:
    """Rows of one adversary in one cell, from the games that it won.

    Parameters
    ----------
    cell : mapping
        Columns that name the cell.
    correct : ndarray of bool, shape (G,)
    chance : float
        Probability of winning without any evidence.
    facts : mapping
        Statistics without an interval.

    Returns
    -------
    list of dict
        Statistics ``won_share``, and ``gain``, 0 where nothing is won beyond chance and 1 where
        every game is, (won_share - chance) / (1 - chance); both with 95 % intervals (Wilson's).
    """
    won = wilson(int(correct.sum()), len(correct))
    gain = won.scaled(1 / (1 - chance), -chance / (1 - chance))
    return rows_of(cell, gain=gain, won_share=won, **facts)


def one_bit_variance(shares: NDArray[np.float64], *, width: float, epsilon_nats: float) -> float:
    """Mean variance of the unbiased estimates of single values from their one-bit reports.

    Parameters
    ----------
    shares : ndarray
        Places of the values in the public interval, 0 at its lower end and 1 at its upper.
    width : float
        Length of the interval.
    epsilon_nats : float
        Of one report; may be infinite, where the report is still one of two ends.

    Returns
    -------
    float
        width^2 (1 / (4 tanh(epsilon / 2)^2) - mean (share - 1/2)^2), in the square of its unit.
    """
    tangent = math.tanh(epsilon_nats / 2)
    return width**2 * (0.25 / tangent**2 - float(np.mean((shares - 0.5) ** 2)))
