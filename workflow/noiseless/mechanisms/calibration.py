"""Calibration: find the parameter at which a mechanism has a given error.

1. :class:`ErrorCurve` is the error of a mechanism as a function of its one parameter.
2. :func:`calibrate` finds the parameter of each target error.  A target that a mechanism cannot
   attain is a gap (NaN): nothing is extrapolated.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from noiseless.errors import ConfigError

Kind = Literal["levels", "epsilon", "scale"]
KINDS = get_args(Kind)

_EXHAUSTIVE_LEVELS = 100  # all numbers of levels up to this one are tried
_MAX_LEVELS = 1 << 24
# Binary logarithms of parameters at which errors are close to their supremum; there, the whole Wh
# of any mean still fit 64 bits.
_SUPREMUM_LOGS = 35, 30
_MAX_LOG = 100  # parameters are at most 2 to this power


@dataclass(frozen=True)
class ErrorCurve:
    """Error of a mechanism as a function of its one parameter.

    The kind ``levels`` has an integer parameter, with which the error falls in general, but not at
    each step; of the kind ``epsilon`` it falls with the parameter, of ``scale`` it rises.  No
    parameter attains ``smallest_error``, the infimum.  ``parameter`` names its column in tables,
    its unit included.
    """

    name: str
    kind: Kind
    parameter: str
    error: Callable[[float], float]
    smallest_error: float

    @cached_property
    def largest_error(self) -> float:
        """Supremum of the error (not for levels); infinity where the error grows without bound."""
        sign = 1 if self.kind == "scale" else -1
        most, before = (self.error(2.0 ** (sign * log)) for log in _SUPREMUM_LOGS)
        return most if math.isclose(most, before, rel_tol=1e-6) else math.inf


@dataclass(frozen=True)
class Calibration:
    """Parameter of a mechanism at a target error, and the error that it has there.

    Both are NaN if the target is out of reach; ``smallest_error`` and ``largest_error`` are the
    infimum and supremum over all parameters.
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
        """Whether some parameter attains the target error."""
        return not math.isnan(self.parameter)


def calibrate(
    curve: ErrorCurve, targets: Sequence[float], *, tolerance: float
) -> list[Calibration]:
    """Find the parameter of each target error; NaN where the mechanism cannot attain it.

    ``tolerance`` is the largest relative distance of a quantizer's error from the target; the other
    mechanisms meet it to many digits.
    """
    for name, value in (("tolerance", tolerance), *(("target error", each) for each in targets)):
        if not (math.isfinite(value) and value > 0):
            raise ConfigError(f"a {name} is {value}, but it must be a number larger than 0.")
    if curve.kind == "levels":
        return _find_nearest_levels(curve, targets, tolerance)
    largest = curve.largest_error
    return [
        _build_calibration(curve, each, _solve_for_parameter(curve, each), largest)
        for each in targets
    ]


def _find_nearest_levels(
    curve: ErrorCurve, targets: Sequence[float], tolerance: float
) -> list[Calibration]:
    """Find, per target, the number of levels with the nearest error; NaN beyond the tolerance."""
    few = {levels: curve.error(levels) for levels in range(1, _EXHAUSTIVE_LEVELS + 1)}
    calibrations = []
    for target in targets:
        errors = few | _bracket_levels(curve, target) if min(few.values()) > target else few
        nearest = min(errors, key=lambda each: abs(math.log(max(errors[each], 1e-300) / target)))
        is_near = abs(errors[nearest] / target - 1) <= tolerance
        levels = float(nearest) if is_near else math.nan
        calibrations.append(_build_calibration(curve, target, levels, max(few.values())))
    return calibrations


def _bracket_levels(curve: ErrorCurve, target: float) -> dict[int, float]:
    """Return errors by level on both sides of the target; the levels differ by 0.1 % or by 1."""
    low = _EXHAUSTIVE_LEVELS
    high = 2 * low
    while curve.error(high) > target and high < _MAX_LEVELS:
        low, high = high, 2 * high
    while high - low > 1 + low // 1000:
        middle = (low + high) // 2
        low, high = (middle, high) if curve.error(middle) > target else (low, middle)
    return {levels: curve.error(levels) for levels in (low, high)}


def _solve_for_parameter(curve: ErrorCurve, target: float) -> float:
    """Solve for the parameter by Brent's method on its logarithm; NaN if out of reach."""
    from scipy.optimize import (
        brentq,
    )  # here, because a release alone does not need this slow import

    if target <= curve.smallest_error * (1 + 1e-9) or target >= curve.largest_error * (1 - 1e-6):
        return math.nan
    rises = -1 if curve.kind == "epsilon" else 1

    def compute_excess(log: float) -> float:
        """Compute the error at 2^log less the target, signed so that it rises with ``log``."""
        return rises * (curve.error(2.0**log) - target)

    low, high = -1.0, 0.0
    while compute_excess(low) > 0:
        low -= 1
        if low < -_MAX_LOG:
            return math.nan
    while compute_excess(high) < 0:
        high += 1
        if high > _MAX_LOG:  # the error does not reach the target
            return math.nan
    return 2.0 ** brentq(compute_excess, low, high, xtol=1e-12)


def _build_calibration(
    curve: ErrorCurve, target: float, parameter: float, largest: float
) -> Calibration:
    """Build the calibration of a target from its parameter; NaN marks a gap."""
    is_gap = math.isnan(parameter)
    return Calibration(
        curve.name,
        curve.parameter,
        float(target),
        parameter,
        math.nan if is_gap else curve.error(parameter),
        curve.smallest_error,
        largest,
    )
