"""Comparison of mechanisms at equal error, or at equal budget, for homes, a meter and trips.

An epsilon has a different meaning for each mechanism, and its error depends on the data.  So
mechanisms are compared at an equal error for the data user; or, those whose guarantees are of one
kind, at an equal budget.

1. A :class:`ComparisonTask` defines the released values, the error of a mechanism, and the game
   that adversaries play on its releases.
2. :func:`iterate_calibrations` finds the parameters at which errors, or budgets, are equal.
3. :func:`play_comparison` plays the game for all mechanisms and targets, and for *no mechanism*.
4. :func:`build_calibration_rows` and :func:`estimate_gain` build the statistics of the tables.
"""

import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import pandas as pd

from noiseless.arrays import Bools
from noiseless.mechanisms.budgets import Budget, find_budget_parameter
from noiseless.mechanisms.calibration import Calibration
from noiseless.mechanisms.interface import Domain, Guarantee, Identity, Mechanism
from noiseless.mechanisms.registry import load_mechanisms_for
from noiseless.statistics import Estimate, build_rows, estimate_proportion

log = logging.getLogger(__name__)

_SLOW_S = 0.5  # seconds of one measurement of an error from which on a mechanism is named as slow

TOLERANCE = 0.1
"""Largest relative distance of a quantizer's error from a target, because the number of levels is
whole."""

Statistics = Mapping[str, Estimate | float]


@dataclass(frozen=True)
class CalibratedMechanism:
    """Mechanism calibrated to an error or a budget; the target of *no mechanism* is 0."""

    mechanism: Mechanism
    target: float


class ComparisonTask(Protocol):
    """Task of a comparison: values to release, an error measure and a game of adversaries.

    ``error_unit`` stands in names: ``kwh``, ``share`` or ``m``; ``key_columns`` are those of its
    tables, with their values.
    """

    @property
    def domain(self) -> Domain:
        """Domain of the released values."""

    @property
    def error_unit(self) -> str:
        """Unit of the error, as it stands in names."""

    @property
    def key_columns(self) -> Mapping[str, object]:
        """Key columns of the task, with their values."""

    def measure_error(self, mechanism: Mechanism) -> float:
        """Compute the error of a mechanism for the data user, in ``error_unit``."""

    def play(
        self, releases: Sequence[CalibratedMechanism]
    ) -> Iterator[tuple[CalibratedMechanism, Mapping[str, object], Statistics]]:
        """Play the game against each release; yield it, further key columns, and statistics."""


def iterate_calibrations(
    task: ComparisonTask,
    targets: Sequence[float],
    *,
    tolerance: float = TOLERANCE,
    families: Sequence[type[Mechanism]] | None = None,
    budget: Budget | None = None,
    delta: float = 0.0,
) -> Iterator[tuple[type[Mechanism], Calibration]]:
    """Iterate over the mechanisms that can release the task's values, and their calibrations.

    Each mechanism is calibrated to each target: an error in the task's unit or, with ``budget``, so
    many ``bits`` or ``nats``.  By default all mechanisms of the domain are.  A line of the log says
    how long each took, and, while it goes on, which one is slow.  For ``tolerance`` see
    :func:`noiseless.mechanisms.calibration.calibrate`; delta is for guarantees that need one.
    """
    for family in load_mechanisms_for(task.domain) if families is None else families:
        begun, watch = perf_counter(), _Stopwatch(task)
        if budget is None:
            calibrations = family.calibrate_to_errors(
                targets, domain=task.domain, error=watch.measure_error, tolerance=tolerance
            )
        else:
            calibrations = [
                _calibrate_to_budget(family, target, watch, budget, delta) for target in targets
            ]
        log.info(
            "%s: calibrated to %d %s in %.1f s; %d releases were measured.",
            family.name,
            len(targets),
            "errors" if budget is None else "budgets",
            perf_counter() - begun,
            watch.count,
        )
        for calibration in calibrations:
            yield family, calibration


def _calibrate_to_budget(
    family: type[Mechanism], target: float, watch: "_Stopwatch", budget: Budget, delta: float
) -> Calibration:
    """Calibrate a mechanism to a budget, and measure the error that it has there."""
    domain = watch.task.domain
    parameter = find_budget_parameter(family, target, domain=domain, budget=budget, delta=delta)
    error = math.nan
    if not math.isnan(parameter):
        error = watch.measure_error(family(domain, parameter))
    name = family.get_parameter_name(domain)
    return Calibration(family.name, name, target, parameter, error, math.nan, math.nan)


class _Stopwatch:
    """Measure of errors that names a mechanism of slow releases, once, while they go on."""

    def __init__(self, task: ComparisonTask) -> None:
        self.task, self.count, self.slow = task, 0, 0

    def measure_error(self, mechanism: Mechanism) -> float:
        """Compute the error of a mechanism for the data user, in ``error_unit`` of the task."""
        begun = perf_counter()
        error = self.task.measure_error(mechanism)
        took_s = perf_counter() - begun
        self.count += 1
        self.slow += took_s > _SLOW_S
        # The first one may be slow because it compiles.
        if took_s > _SLOW_S and self.slow == 2:
            log.warning(
                "slow: %r takes %.1f s a release, and is released dozens of times for each target "
                "error. Prepare in its constructor what does not depend on the values.",
                mechanism.name,
                took_s,
            )
        return error


def play_comparison(
    tasks: Iterable[ComparisonTask],
    *,
    targets: Sequence[float],
    delta: float,
    tolerance: float = TOLERANCE,
    families: Sequence[type[Mechanism]] | None = None,
    budget: Budget | None = None,
) -> dict[str, pd.DataFrame]:
    """Play the tasks with all adversaries against every mechanism at every target.

    Parameters are those of :func:`iterate_calibrations`.  The table ``comparison`` has as cells the
    task's columns, mechanism, target and the columns that it adds, with the mechanism ``none`` at
    0; a gap has no rows.  ``calibration`` has as cells the task's columns, mechanism and target,
    with the statistics of :func:`build_calibration_rows`.  The column of the target is
    ``target_error_<unit>``, or ``budget_bits`` or ``budget_nats``.
    """
    results, parameters = [], []
    for task in tasks:
        releases = [CalibratedMechanism(Identity(task.domain), 0.0)]
        target_column = f"budget_{budget}" if budget else f"target_error_{task.error_unit}"

        def build_columns(
            name: str,
            target: float,
            task: ComparisonTask = task,
            target_column: str = target_column,
        ) -> dict[str, object]:
            return {**task.key_columns, "mechanism": name, target_column: target}

        calibrated = iterate_calibrations(
            task, targets, tolerance=tolerance, families=families, budget=budget, delta=delta
        )
        for family, calibration in calibrated:
            guarantee = None
            if calibration.is_attainable:
                mechanism = family(task.domain, calibration.parameter)
                guarantee = mechanism.guarantee(delta=delta)
                releases.append(CalibratedMechanism(mechanism, calibration.target))
            cell = build_columns(family.name, calibration.target)
            parameters += build_calibration_rows(calibration, guarantee, cell, unit=task.error_unit)
        for release, added, statistics in task.play(releases):
            named = {**build_columns(release.mechanism.name, release.target), **added}
            results += build_rows(named, **statistics)
    return {"comparison": pd.DataFrame(results), "calibration": pd.DataFrame(parameters)}


def build_calibration_rows(
    calibration: Calibration,
    guarantee: Guarantee | None,
    cell: Mapping[str, object],
    *,
    unit: str,
) -> list[dict[str, object]]:
    """Build the rows of the table of parameters for one calibration.

    The guarantee is None if there is none, or no parameter attains the target; ``unit`` is that of
    the error, as it stands in names.
    """
    statistics = {"attainable": float(calibration.is_attainable)}
    if not math.isnan(calibration.smallest_error):  # as at a budget, where no error is looked for
        statistics |= {
            f"smallest_error_{unit}": calibration.smallest_error,
            f"largest_error_{unit}": calibration.largest_error,
        }
    if calibration.is_attainable:
        statistics |= {
            f"expected_error_{unit}": calibration.expected_error,
            calibration.parameter_name: calibration.parameter,
            **(guarantee.statistics if guarantee else {}),
        }
    return [{**cell, "statistic": name, "value": value} for name, value in statistics.items()]


def estimate_gain(correct: Bools, *, chance: float, over: str = "games") -> dict[str, Estimate]:
    """Estimate an adversary's gain and share of games won, with Wilson's 95 % intervals.

    ``gain`` = (won_share - chance) / (1 - chance), which is 0 at chance, the probability of winning
    without a release, and 1 if every game is won.
    """
    won = estimate_proportion(int(correct.sum()), len(correct), over=over)
    return {"gain": won.scale(1 / (1 - chance), -chance / (1 - chance)), "won_share": won}
