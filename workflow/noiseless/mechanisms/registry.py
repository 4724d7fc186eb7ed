"""Registry of the mechanisms of comparisons: those of the package and of plugins, by name.

The mechanisms of the package are the modules of :mod:`noiseless.mechanisms.families`. Mechanisms of
plugins come last, with checked methods, like a mechanism that a caller passes to a game
(:func:`checked_mechanism`).
"""

import copy
import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import ConfigError
from noiseless.mechanisms.calibration import KINDS, Calibration
from noiseless.mechanisms.families import mechanism_labels, mechanisms
from noiseless.mechanisms.guarantees import Guarantee
from noiseless.mechanisms.guarded import file_of, guarded
from noiseless.mechanisms.interface import Domain, Identity, Mechanism
from noiseless.plugins import plugin_classes
from noiseless.seeds import generator

_TRIAL = (  # domains, on one of which a plugin is created as a check before any game
    Domain((0.0,), (1.0,), "kwh"),
    Domain((0.0, 0.0), (1.0, 1.0), "m", values=2),
)
_TRIED = (1 / 16, 1.0, 16.0)  # parameters at which a plugin's error is measured
_RELEASED = (200, 100)  # repeats and places of a measurement of a plugin's error
_DEVIATIONS = 5  # standard deviations of a mean; larger differences are not due to chance
_LARGEST_DISAGREEMENT = 0.2  # relative difference that a formula may have from the measured error


def mechanisms_for(domain: Domain) -> list[type[Mechanism]]:
    """Load all mechanisms that can release values of a domain, plugins last.

    Raises
    ------
    ConfigError
        See :func:`plugin_mechanisms`.
    """
    loaded = [*mechanisms().values(), *plugin_mechanisms()]
    return [mechanism for mechanism in loaded if mechanism.is_for(domain)]


def plugin_mechanisms() -> list[type[Mechanism]]:
    """Load the mechanisms of active plugins, for all domains, with checked methods.

    Raises
    ------
    ConfigError
        See :func:`noiseless.plugins.plugin_classes`, or if one has no kind.
    """
    labels = mechanism_labels()
    taken = [Identity.name, Identity.label, *labels, *labels.values()]
    loaded = plugin_classes("MECHANISM", Mechanism, taken)
    for mechanism, path in loaded:
        if getattr(mechanism, "kind", None) not in KINDS:
            raise ConfigError(
                f"the mechanism {mechanism.name!r} has no `kind`: it must be one of "
                f"{', '.join(KINDS)}."
            )
        domain = next(filter(mechanism.is_for, _TRIAL), None)
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
    return [_guarded(mechanism, path) for mechanism, path in loaded]


def checked_mechanism(mechanism: Mechanism) -> Mechanism:
    """Return a game's mechanism with methods that are checked like those of a plugin.

    A copy, if it is none of this package.
    """
    family = type(mechanism)
    if family in {Identity, *mechanisms().values()}:
        return mechanism
    checked = copy.copy(mechanism)
    made = guarded(family, Mechanism, _CHECKS, file_of(family))
    object.__setattr__(checked, "__class__", made)  # works for frozen data classes, too
    return checked


def _guarded(added: type[Mechanism], path: str) -> type[Mechanism]:
    """Derive a plugin's class with checked methods and checked error formulas."""
    checked = guarded(added, Mechanism, _CHECKS, path)

    def for_error(
        cls: type[Mechanism],
        targets: Sequence[float],
        *,
        domain: Domain,
        error: Callable[[Mechanism], float],
        tolerance: float,
    ) -> list[Calibration]:
        """Find the parameter of each target error, and check the error and its formula there."""

        def finite(mechanism: Mechanism) -> float:
            """Compute the error of a mechanism and check that it is finite."""
            value = error(mechanism)
            if not math.isfinite(value):
                raise ConfigError(
                    f"the mechanism {cls.name!r} ({path}) makes an error of {value} at the "
                    f"parameter {mechanism.parameter:g}, which must be a number."
                )
            return value

        if cls.kind != "levels":
            _require_direction([cls.tried(domain, each) for each in _TRIED], path)
        inherited: Any = super(checked, cls)
        calibrations: list[Calibration] = inherited.for_error(
            targets, domain=domain, error=finite, tolerance=tolerance
        )
        for each in calibrations:
            if each.is_attainable:
                _require_formulas(cls(domain, each.parameter), path)
        return calibrations

    checked.for_error = classmethod(for_error)  # type: ignore[method-assign, assignment]
    return checked


def _require_direction(mechanisms: Sequence[Mechanism], path: str) -> None:
    """Check that the error of mechanisms of growing parameters moves as their kind says."""
    kind, name = mechanisms[0].kind, mechanisms[0].name
    measured = [_measured(each) for each in mechanisms]
    fine, coarse = (measured[0], measured[-1]) if kind == "scale" else (measured[-1], measured[0])
    margin = _DEVIATIONS * math.hypot(fine.deviation, coarse.deviation)
    is_larger = fine.error > (1 + _LARGEST_DISAGREEMENT) * coarse.error
    if is_larger and fine.mean - coarse.mean > margin:
        raise ConfigError(
            f"the mechanism {name!r} ({path}) is of the kind {kind!r}, so that its error must "
            f"{'rise' if kind == 'scale' else 'fall'} with the parameter, but at "
            f"{', '.join(f'{each.parameter:g}' for each in mechanisms)} it is "
            f"{', '.join(f'{each.error:.3g}' for each in measured)}."
        )


def _require_formulas(mechanism: Mechanism, path: str) -> None:
    """Check that releases of values all over the range agree with the error formula."""
    is_reading = mechanism.domain.coordinates == 1
    formula = "variance" if is_reading else "mean_distance"
    expected = getattr(mechanism, formula)(_values_of(mechanism.domain))
    if expected is None:
        return
    measured, error = _measured(mechanism), math.sqrt(expected) if is_reading else expected
    is_off = abs(expected - measured.mean) > _DEVIATIONS * measured.deviation
    if is_off and abs(measured.error - error) > _LARGEST_DISAGREEMENT * error:
        raise ConfigError(
            f"the mechanism {mechanism.name!r} ({path}) has an error of {error:.3g} at the "
            f"parameter {mechanism.parameter:g} by `{formula}`, but its releases have an error of "
            f"{measured.error:.3g}. Correct `{formula}`, or leave it out to measure the error."
        )


class _Measured(NamedTuple):
    """Measured error of releases: mean square, or mean length for places, and as one error."""

    mean: float
    deviation: float  # standard deviation of the mean
    error: float


def _measured(mechanism: Mechanism) -> _Measured:
    """Measure the error of releases of values all over the range.

    A release has the shape (repeats, places) or (repeats, places, d): whatever a mechanism does
    along an axis, the repeats are independent, so that their spread gives the error of their mean.
    """
    values, is_reading = _values_of(mechanism.domain), mechanism.domain.coordinates == 1
    away = mechanism.release(values, generator(0, "formulas", mechanism.name)) - values
    each_error = away**2 if is_reading else np.linalg.norm(away, axis=-1)
    repeat_means = each_error.mean(axis=1)
    mean = float(repeat_means.mean())
    deviation = float(repeat_means.std(ddof=1)) / math.sqrt(len(repeat_means))
    return _Measured(mean, deviation, math.sqrt(mean) if is_reading else mean)


def _values_of(domain: Domain) -> NDArray[np.float64]:
    """Build values all over the range, shape (repeats, places) or (repeats, places, d)."""
    repeats, places = _RELEASED
    values = np.linspace(domain.low, domain.high, places)
    values = values[:, 0] if domain.coordinates == 1 else values
    return np.broadcast_to(values, (repeats, *values.shape))


def _as_values(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return what a release must be if it breaks the rule; None if it is valid."""
    shape = np.shape(arguments[0])
    if (
        isinstance(answer, np.ndarray | np.generic)
        and answer.shape == shape
        and answer.dtype.kind in "fiu"
        and np.isfinite(answer).all()
    ):
        return None
    return f"finite real numbers as an array of the shape {shape}, that of the values"


def _likelihood(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return what a log-likelihood must be if it breaks the rule; None if it is valid."""
    is_array = isinstance(answer, np.ndarray | np.generic) and answer.dtype.kind in "fiu"
    return None if is_array and not np.isnan(answer).any() else "an array of numbers, none NaN"


def _formula(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return what a formula of the error must give if it breaks the rule; None if it is valid."""
    if answer is None or (isinstance(answer, Real) and float(answer) >= 0):
        return None
    return "a number of at least 0, or None"


def _promise(answer: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return what a guarantee must be if it breaks the rule; None if it is valid."""
    if answer is None or isinstance(answer, Guarantee):
        return None
    return "BitsOfRange, NatsOfDifferentialPrivacy, or None"


_CHECKS = {
    "release": _as_values,
    "release_given": _as_values,
    "noise": None,
    "log_likelihood": _likelihood,
    "variance": _formula,
    "mean_distance": _formula,
    "guarantee": _promise,
}
