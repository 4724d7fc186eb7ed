"""Registry of the mechanisms of comparisons: those of the package and of plugins, by name.

The mechanisms of the package are the modules of :mod:`noiseless.mechanisms.families`. Mechanisms of
plugins come last, with checked methods, like a mechanism that a caller passes to a game
(:func:`wrap_mechanism`).
"""

import copy
import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.calibration import KINDS, Calibration
from noiseless.mechanisms.families import load_mechanism_labels, load_mechanisms
from noiseless.mechanisms.guarantees import Guarantee
from noiseless.mechanisms.guarded import find_file, wrap_class
from noiseless.mechanisms.interface import Domain, Identity, Mechanism
from noiseless.plugins import get_plugin_classes
from noiseless.seeds import make_generator

_TRIAL_DOMAINS = (  # domains, on one of which a plugin is created as a check before any game
    Domain((0.0,), (1.0,), "kwh"),
    Domain((0.0, 0.0), (1.0, 1.0), "m", values=2),
)
_TRIAL_PARAMETERS = (1 / 16, 1.0, 16.0)  # parameters at which a plugin's error is measured
_TRIAL_SHAPE = (200, 100)  # repeats and places of a measurement of a plugin's error
_MAX_DEVIATIONS = 5  # standard deviations of a mean; larger differences are not due to chance
_MAX_DISAGREEMENT = 0.2  # relative difference that a formula may have from the measured error


def load_mechanisms_for(domain: Domain) -> list[type[Mechanism]]:
    """Load all mechanisms that can release values of a domain, plugins last."""
    loaded = [*load_mechanisms().values(), *load_plugin_mechanisms()]
    return [mechanism for mechanism in loaded if mechanism.is_for(domain)]


def load_plugin_mechanisms() -> list[type[Mechanism]]:
    """Load the mechanisms of active plugins, for all domains, with checked methods."""
    labels = load_mechanism_labels()
    taken = [Identity.name, Identity.label, *labels, *labels.values()]
    loaded = get_plugin_classes("MECHANISM", Mechanism, taken)
    for mechanism, path in loaded:
        if getattr(mechanism, "kind", None) not in KINDS:
            raise ConfigError(
                f"the mechanism {mechanism.name!r} has no `kind`: it must be one of "
                f"{', '.join(KINDS)}."
            )
        domain = next(filter(mechanism.is_for, _TRIAL_DOMAINS), None)
        if domain is None:
            raise ConfigError(
                f"the mechanism {mechanism.name!r} ({path}) accepts no domain of the comparisons. "
                "Let `is_for` return True for readings (1 coordinate) or places (2)."
            )
        try:
            mechanism(domain, 1.0)
        except TypeError as error:
            raise ConfigError(
                f"the mechanism {mechanism.name!r} ({path}) must be created from a domain and a "
                f"parameter alone: {error}. Give further arguments a default value."
            ) from None
    return [_wrap_plugin(mechanism, path) for mechanism, path in loaded]


def wrap_mechanism(mechanism: Mechanism) -> Mechanism:
    """Return a game's mechanism with methods that are checked like those of a plugin.

    A copy, if it is none of this package.
    """
    family = type(mechanism)
    if family in {Identity, *load_mechanisms().values()}:
        return mechanism
    checked = copy.copy(mechanism)
    made = wrap_class(family, Mechanism, _CHECKS, find_file(family))
    object.__setattr__(checked, "__class__", made)  # works for frozen data classes, too
    return checked


def _wrap_plugin(added: type[Mechanism], path: str) -> type[Mechanism]:
    """Derive a plugin's class with checked methods and checked error formulas."""
    checked = wrap_class(added, Mechanism, _CHECKS, path)

    def calibrate_to_errors(
        cls: type[Mechanism],
        targets: Sequence[float],
        *,
        domain: Domain,
        error: Callable[[Mechanism], float],
        tolerance: float,
    ) -> list[Calibration]:
        """Find the parameter of each target error, and check the error and its formula there."""

        def compute_finite_error(mechanism: Mechanism) -> float:
            """Compute the error of a mechanism and check that it is finite."""
            value = error(mechanism)
            if not math.isfinite(value):
                raise ConfigError(
                    f"the mechanism {cls.name!r} ({path}) makes an error of {value} at the "
                    f"parameter {mechanism.parameter:g}, which must be a number."
                )
            return value

        if cls.kind != "levels":
            _check_error_direction(
                [cls.create_limited(domain, each) for each in _TRIAL_PARAMETERS], path
            )
        inherited: Any = super(checked, cls)
        calibrations: list[Calibration] = inherited.calibrate_to_errors(
            targets, domain=domain, error=compute_finite_error, tolerance=tolerance
        )
        for each in calibrations:
            if each.is_attainable:
                _check_error_formula(cls(domain, each.parameter), path)
        return calibrations

    checked.calibrate_to_errors = classmethod(calibrate_to_errors)  # type: ignore[method-assign, assignment]
    return checked


def _check_error_direction(mechanisms: Sequence[Mechanism], path: str) -> None:
    """Check that the error of mechanisms of growing parameters moves as their kind says."""
    kind, name = mechanisms[0].kind, mechanisms[0].name
    measured = [_measure_error(each) for each in mechanisms]
    fine, coarse = (measured[0], measured[-1]) if kind == "scale" else (measured[-1], measured[0])
    margin = _MAX_DEVIATIONS * math.hypot(fine.deviation, coarse.deviation)
    is_larger = fine.error > (1 + _MAX_DISAGREEMENT) * coarse.error
    if is_larger and fine.mean - coarse.mean > margin:
        raise ConfigError(
            f"the mechanism {name!r} ({path}) is of the kind {kind!r}, so that its error must "
            f"{'rise' if kind == 'scale' else 'fall'} with the parameter, but at "
            f"{', '.join(f'{each.parameter:g}' for each in mechanisms)} it is "
            f"{', '.join(f'{each.error:.3g}' for each in measured)}."
        )


def _check_error_formula(mechanism: Mechanism, path: str) -> None:
    """Check that releases of values all over the range agree with the error formula."""
    is_reading = mechanism.domain.coordinates == 1
    formula = "variance" if is_reading else "mean_distance"
    expected = getattr(mechanism, formula)(_build_trial_values(mechanism.domain))
    if expected is None:
        return
    measured, error = _measure_error(mechanism), math.sqrt(expected) if is_reading else expected
    is_off = abs(expected - measured.mean) > _MAX_DEVIATIONS * measured.deviation
    if is_off and abs(measured.error - error) > _MAX_DISAGREEMENT * error:
        raise ConfigError(
            f"the mechanism {mechanism.name!r} ({path}) has an error of {error:.3g} at the "
            f"parameter {mechanism.parameter:g} by `{formula}`, but its releases have an error of "
            f"{measured.error:.3g}. Correct `{formula}`, or leave it out to measure the error."
        )


class _MeasuredError(NamedTuple):
    """Measured error of releases: mean square, or mean length for places, and as one error."""

    mean: float
    deviation: float  # standard deviation of the mean
    error: float


def _measure_error(mechanism: Mechanism) -> _MeasuredError:
    """Measure the error of releases of values all over the range.

    A release has the shape (repeats, places) or (repeats, places, d): whatever a mechanism does
    along an axis, the repeats are independent, so that their spread gives the error of their mean.
    """
    values, is_reading = _build_trial_values(mechanism.domain), mechanism.domain.coordinates == 1
    away = mechanism.release(values, make_generator(0, "formulas", mechanism.name)) - values
    each_error = away**2 if is_reading else np.linalg.norm(away, axis=-1)
    repeat_means = each_error.mean(axis=1)
    mean = float(repeat_means.mean())
    deviation = float(repeat_means.std(ddof=1)) / math.sqrt(len(repeat_means))
    return _MeasuredError(mean, deviation, math.sqrt(mean) if is_reading else mean)


def _build_trial_values(domain: Domain) -> Floats:
    """Build values all over the range, shape (repeats, places) or (repeats, places, d)."""
    repeats, places = _TRIAL_SHAPE
    values = np.linspace(domain.low, domain.high, places)
    values = values[:, 0] if domain.coordinates == 1 else values
    return np.broadcast_to(values, (repeats, *values.shape))


def _check_release(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Describe the array that a release must be, where it is not; return None where it is."""
    shape = np.shape(arguments[0])
    if (
        isinstance(answer, np.ndarray | np.generic)
        and answer.shape == shape
        and answer.dtype.kind in "fiu"
        and np.isfinite(answer).all()
    ):
        return None
    return f"finite real numbers as an array of the shape {shape}, that of the values"


def _check_likelihood(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return what a log-likelihood must be if it breaks the rule; None if it is valid."""
    is_array = isinstance(answer, np.ndarray | np.generic) and answer.dtype.kind in "fiu"
    return None if is_array and not np.isnan(answer).any() else "an array of numbers, none NaN"


def _check_formula_value(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return what a formula of the error must give if it breaks the rule; None if it is valid."""
    if answer is None or (isinstance(answer, Real) and float(answer) >= 0):
        return None
    return "a number of at least 0, or None"


def _check_guarantee(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return what a guarantee must be if it breaks the rule; None if it is valid."""
    if answer is None or isinstance(answer, Guarantee):
        return None
    return "BitsOfRange, NatsOfDifferentialPrivacy, or None"


_CHECKS = {
    "release": _check_release,
    "release_given": _check_release,
    "noise": None,
    "log_likelihood": _check_likelihood,
    "variance": _check_formula_value,
    "mean_distance": _check_formula_value,
    "guarantee": _check_guarantee,
}
