"""Parameters of mechanisms at a budget: the most accurate release that spends no more of it.

A budget is of one kind, bits of range or nats of differential privacy: no number of one is more or
less than a number of the other.
"""

import math
from collections.abc import Callable
from typing import Literal

from noiseless.errors import ConfigError
from noiseless.mechanisms.guarantees import BitsOfRange, Guarantee, NatsOfDifferentialPrivacy
from noiseless.mechanisms.interface import FINEST_LEVELS, Domain, Mechanism

Budget = Literal["bits", "nats"]

_MAX_LOG = 100  # binary logarithm of the largest parameter, or of the inverse of the smallest
_ROUNDING = 1e-9  # relative: a guarantee this little above the budget spends no more than it
_HALVINGS = 60


def measure_budget(guarantee: Guarantee | None, budget: Budget) -> float:
    """Measure what a guarantee spends of a kind of budget; NaN if it is of none, or another."""
    match guarantee, budget:
        case BitsOfRange(bits=bits), "bits":
            return bits
        case NatsOfDifferentialPrivacy(epsilon_nats=epsilon_nats), "nats":
            return epsilon_nats
        case (BitsOfRange(), "nats") | (NatsOfDifferentialPrivacy(), "bits") | (None, _):
            return math.nan
        case _:
            raise ValueError(f"no budget of {budget!r} is known, or no guarantee {guarantee!r}")


def find_budget_parameter(
    family: type[Mechanism], target: float, *, domain: Domain, budget: Budget, delta: float
) -> float:
    """Find the parameter of the most accurate release that spends at most a budget.

    The guarantee must move with the parameter as the error does.  NaN: no parameter spends the
    budget, or the guarantee is of another kind.
    """
    if not (math.isfinite(target) and target > 0):
        raise ConfigError(f"a budget is {target} {budget}, but it must be larger than 0.")

    def measure_spent(parameter: float) -> float:
        """Measure what the release of a parameter spends; infinity where there is none."""
        try:
            mechanism = family(domain, parameter)
        except ConfigError:  # beyond a limit of the mechanism's own
            return math.inf
        return measure_budget(mechanism.guarantee(delta=delta), budget)

    def keeps_budget(parameter: float) -> bool:
        return measure_spent(parameter) <= target * (1 + _ROUNDING)

    if math.isnan(measure_spent(1.0)):
        return math.nan
    if family.kind == "levels":
        return _find_most_levels(keeps_budget)
    towards_coarse = 1 if family.kind == "scale" else -1
    coarse, fine = 0.0, 0.0  # binary logarithms, on both sides of the parameter
    while not keeps_budget(2.0**coarse):
        fine, coarse = coarse, coarse + towards_coarse
        if abs(coarse) > _MAX_LOG:
            return math.nan
    while keeps_budget(2.0**fine):
        coarse, fine = fine, fine - towards_coarse
        if abs(fine) > _MAX_LOG:
            return math.nan
    for _ in range(_HALVINGS):
        middle = (coarse + fine) / 2
        coarse, fine = (middle, fine) if keeps_budget(2.0**middle) else (coarse, middle)
    # The mechanism ends there, below the budget.
    return math.nan if math.isinf(measure_spent(2.0**fine)) else 2.0**coarse


def _find_most_levels(keeps_budget: Callable[[float], bool]) -> float:
    """Find the largest number of levels that keeps a budget; NaN if the finest one does."""
    if not keeps_budget(1) or keeps_budget(FINEST_LEVELS):
        return math.nan
    low, high = 1, FINEST_LEVELS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if keeps_budget(middle) else (low, middle)
    return float(low)
