"""Mechanisms of the comparisons, by name.

Those that are here are the modules of :mod:`noiseless.mechanisms.families`.  Those of the user's
plugins come last, and their answers are checked.
"""

import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from noiseless.errors import ConfigError
from noiseless.mechanisms.calibration import KINDS, Calibration
from noiseless.mechanisms.families import mechanism_labels, mechanisms
from noiseless.mechanisms.guarantees import Guarantee
from noiseless.mechanisms.guarded import guarded
from noiseless.mechanisms.interface import Domain, Identity, Mechanism
from noiseless.plugins import plugin_classes
from noiseless.seeds import generator

_TRIED = (1 / 16, 1.0, 16.0)  # parameters at which a plugin's error is looked at
_RELEASED = (200, 100)  # repeats of places all over the range, for a plugin's formulas
_LARGEST_DISAGREEMENT = 0.2  # of an error by a formula; beyond what chance explains


def mechanisms_for(domain: Domain) -> list[type[Mechanism]]:
    """All mechanisms that can release values of a domain, those of active plugins last.

    Raises
    ------
    ConfigError
        See :func:`plugin_mechanisms`.
    """
    loaded = [*mechanisms().values(), *plugin_mechanisms()]
    return [mechanism for mechanism in loaded if mechanism.is_for(domain)]


def plugin_mechanisms() -> list[type[Mechanism]]:
    """The mechanisms of active plugins, whatever they can release.

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
        try:
            mechanism.on(Domain((0.0,), (1.0,), "kwh"), 1.0)
        except TypeError as error:
            raise ConfigError(
                f"the mechanism {mechanism.name!r} ({path}) must be made of a domain and a "
                f"parameter, and of nothing else: {error}."
            ) from None
    return [_guarded(mechanism, path) for mechanism, path in loaded]


def _guarded(added: type[Mechanism], path: str) -> type[Mechanism]:
    """A plugin's mechanism whose answers are checked, and its errors against its releases."""
    checked = guarded(added, Mechanism, _CHECKS, path)

    def for_error(
        cls: type[Mechanism],
        targets: Sequence[float],
        *,
        domain: Domain,
        error: Callable[[Mechanism], float],
        tolerance: float,
    ) -> list[Calibration]:
        def finite(mechanism: Mechanism) -> float:
            found = error(mechanism)
            if math.isfinite(mechanism.parameter) and not math.isfinite(found):
                raise ConfigError(
                    f"the mechanism {cls.name!r} ({path}) makes an error of {found} at the "
                    f"parameter {mechanism.parameter:g}, which must be a number."
                )
            return found

        if cls.kind != "levels":
            _require_direction(cls, [finite(cls.on(domain, each)) for each in _TRIED], path)
        inherited: Any = super(checked, cls)
        found: list[Calibration] = inherited.for_error(
            targets, domain=domain, error=finite, tolerance=tolerance
        )
        for each in found:
            if each.is_attainable:
                _require_formulas(cls.on(domain, each.parameter), path)
        return found

    checked.for_error = classmethod(for_error)  # type: ignore[method-assign, assignment]
    return checked


def _require_direction(cls: type[Mechanism], errors: Sequence[float], path: str) -> None:
    """Refuse a mechanism whose error runs against its kind."""
    first, last = (errors[0], errors[-1]) if cls.kind == "scale" else (errors[-1], errors[0])
    if first > last:
        at = ", ".join(f"{each:g}" for each in _TRIED)
        rises = "rise" if cls.kind == "scale" else "fall"
        raise ConfigError(
            f"the mechanism {cls.name!r} ({path}) is of the kind {cls.kind!r}, so that its error "
            f"must {rises} with the parameter, but at {at} it is "
            f"{', '.join(f'{each:.3g}' for each in errors)}."
        )


def _require_formulas(mechanism: Mechanism, path: str) -> None:
    """Refuse a formula for the error that releases of values all over the range contradict.

    A release has the shape (repeats, places) or (repeats, places, d): whatever a mechanism does
    along an axis, the repeats are independent, and say how far a mean of them may be off.
    """
    domain, (repeats, places) = mechanism.domain, _RELEASED
    is_reading = domain.coordinates == 1
    values = np.linspace(domain.low, domain.high, places)
    values = values[:, 0] if is_reading else values
    values = np.broadcast_to(values, (repeats, *values.shape))
    formula = "variance" if is_reading else "mean_distance"
    said = getattr(mechanism, formula)(values)
    if said is None:
        return
    away = mechanism.release(values, generator(0, "formulas", mechanism.name)) - values
    each_error = away**2 if is_reading else np.linalg.norm(away, axis=-1)
    found = each_error.mean(axis=1)
    actual, off = found.mean(), 5 * found.std(ddof=1) / math.sqrt(repeats)
    errors = [math.sqrt(each) if is_reading else each for each in (said, actual)]
    if abs(said - actual) > off and abs(errors[1] - errors[0]) > _LARGEST_DISAGREEMENT * errors[0]:
        raise ConfigError(
            f"the mechanism {mechanism.name!r} ({path}) says by `{formula}` that at the parameter "
            f"{mechanism.parameter:g} its error is {errors[0]:.3g}, but its releases have one of "
            f"{errors[1]:.3g}. Correct `{formula}`, or leave it out: then the error is measured."
        )


def _as_values(answer: Any, given: tuple[Any, ...]) -> str | None:
    """What a release must be, if it is not that."""
    shape = np.shape(given[0])
    if (
        isinstance(answer, np.ndarray | np.generic)
        and answer.shape == shape
        and answer.dtype.kind in "fiu"
        and np.isfinite(answer).all()
    ):
        return None
    return f"finite real numbers as an array of the shape {shape}, that of the values"


def _likelihood(answer: Any, given: tuple[Any, ...]) -> str | None:
    """What a log-likelihood should be, if it is not."""
    is_array = isinstance(answer, np.ndarray | np.generic) and answer.dtype.kind in "fiu"
    return None if is_array and not np.isnan(answer).any() else "an array of numbers, none NaN"


def _formula(answer: Any, given: tuple[Any, ...]) -> str | None:
    """What a formula for the error should give, if it does not."""
    if answer is None or (isinstance(answer, Real) and float(answer) >= 0):
        return None
    return "a number of at least 0, or None"


def _promise(answer: Any, given: tuple[Any, ...]) -> str | None:
    """What a guarantee should be, if it is not."""
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
