"""Loss curves for an adversary who knows how records depend on each other.

The paper ``prrelation`` answers by coefficients (Section 5, Equations 20 and 23).  Here the
adversary knows a law, the joint distribution of all records (:mod:`noiseless.theory.laws`).

1. :class:`RecordHypothesis` is the question: does a record have one value, or another one?  The
   answers given each value are mixtures.  Its loss curves determine every measure of
   :mod:`noiseless.accounting.epsilon`.
2. :func:`compute_joint_epsilon` computes what an epsilon is worth under a law: the largest change
   of a record's log-odds by any mechanism of that epsilon; :func:`bound_least_constant`, how many
   times epsilon that is.

``docs/proofs/prrelation.md`` ("An adversary with a joint distribution") has the theorems.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy import sparse
from scipy.optimize import linprog
from scipy.sparse import csgraph
from scipy.special import ndtr

from noiseless.accounting.privacy_loss import LossCurve, NumberBounds
from noiseless.arrays import Floats
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import (
    check_positive,
    convert_to_floats,
    convert_to_python,
    is_number,
    require_kind,
    require_list,
    require_number,
    require_whole,
)
from noiseless.theory.laws import (
    ROUNDING,
    BlockLaw,
    Database,
    ExchangeableLaw,
    Law,
    TableLaw,
    format_size,
    group_equal,
)

# Noiseless answers, ascending, and their probabilities under D and D', each of shape (answers,).
Part = tuple[Floats, Floats, Floats]
# Recall R and false alarm rate G of a set of outputs, how much R - e^t G may be below that of the
# best set at t, and by how much R may differ from that of {ratio > e^t}.
Rates = tuple[float, float, float, float]

_MAX_PROGRAMME: Final = 2**10  # databases of a linear programme
_MAX_PROGRAMME_NATS: Final = 15.0  # beyond, numbers of a programme are too far apart to solve it
_MAX_LOSS_NATS: Final = 700.0  # losses above are infinite in floating-point numbers of e^loss
_MAX_OUTPUTS: Final = 2**20  # of a discrete mechanism, times noiseless answers
_MAX_GAP: Final = 1e-6  # of noiseless answers that are taken for equal, relative to the sensitivity
_MAX_NOISE: Final = 12.0  # standard deviations beyond which normal noise is left out, as an error
_NORMAL_ERROR: Final = 1e-15  # of a loss curve; cells are halved until then
_MAX_HALVINGS: Final = 45
_MAX_CELLS: Final = 4096


@dataclass(frozen=True, eq=False)
class RecordHypothesis:
    """Hypothesis that a record has one value, against another one, of an adversary with a law.

    Attributes
    ----------
    law : Law
        What the adversary knows: a :class:`~noiseless.theory.laws.TableLaw`, ``ChainLaw``,
        ``ExchangeableLaw`` or ``BlockLaw``.
    record : int
        Index of the record, from 0.
    value, other : float
        The two values; that a record has a third one is not asked.
    query : callable, optional
        The noiseless answer from a database, for a table.  None: the sum of the records.
    sensitivity : float, optional
        Largest change of the noiseless answer by one record, in its unit.  None: the largest one
        among the values that the law has.
    known : sequence of int
        Records whose values the adversary sees, too, for a table.  All others: the paper's
        adversary, who is told them but asks with the odds that they leave.

    Raises
    ------
    ConfigError
        If the law excludes a value, an index is out of its range, a table is needed and there is
        none, or the sensitivity is smaller than a change that the law makes possible.

    Examples
    --------
    An hour of seven, each of which equals the one before with 90 %:

    >>> from noiseless.accounting.epsilon import FScore, risk
    >>> from noiseless.theory.laws import ChainLaw
    >>> noon = RecordHypothesis(ChainLaw.build_symmetric(0.9, records=7), record=3)
    >>> round(risk(FScore(), epsilon_nats=0.5, hypothesis=noon).high, 4)
    0.8181
    >>> round(compute_joint_epsilon(noon, 0.5), 4)
    2.3383
    """

    law: Law
    record: int = 0
    value: float = 1.0
    other: float = 0.0
    query: Callable[[Database], float] | None = None
    sensitivity: float | None = None
    known: Sequence[int] = ()

    def __post_init__(self) -> None:
        require_kind("law", self.law, Law, "a law, such as a TableLaw")
        object.__setattr__(self, "record", require_whole("record", self.record, 0))
        for index in require_list("known", self.known, "a list of records"):
            require_whole("known", index, 0)
        for name in ("value", "other"):
            require_number(name, getattr(self, name))
        if self.query is not None and not callable(self.query):
            raise ConfigError(f"`query` must be a function of a database, got {self.query!r:.80}.")
        others = [i for i in range(self.law.records) if i != self.record]
        if len(others) == self.law.records or not set(self.known) <= set(others):
            raise ConfigError(
                f"`record` and `known` must be of the records 0 to {self.law.records - 1}, and "
                f"`known` without `record`, got {self.record} and {tuple(self.known)}."
            )
        for name in ("value", "other"):
            if not self.law.compute_chance(self.record, getattr(self, name)) > 0:
                raise ConfigError(
                    f"`{name}` must have a positive probability, got {getattr(self, name)}, which "
                    "the law excludes. The adversary needs no answer."
                )
        if self.value == self.other:
            raise ConfigError(f"`value` and `other` must differ, got {self.value} for both.")
        if (self.query is not None or self.known) and not isinstance(self.law, TableLaw):
            raise ConfigError(
                "`query` and `known` must be left out for a law without a table. Give "
                "law.build_table(), for up to 16,384 databases."
            )
        if self.sensitivity is not None:
            check_positive("sensitivity", self.sensitivity)
            change = self._change if self.query is None else self._find_possible_change()
            if self.sensitivity < change * (1 - 1e-9):
                raise ConfigError(
                    f"`sensitivity` must be {change} or more, by which one record of the law "
                    f"changes the answer, got {self.sensitivity}."
                )

    @cached_property
    def _change(self) -> float:
        """Largest change of the noiseless answer by one record, among the values of the law."""
        if self.query is None or not isinstance(self.law, TableLaw):
            return self.law.span
        every, edges = _list_neighbours(self.law, "give `sensitivity`")
        answers = [self._compute_answer(x) for x in every]
        change = max(abs(answers[a] - answers[b]) for a, b in edges)
        if change == 0:
            raise ConfigError("`query` must have more than one answer, got the same for all.")
        return change

    def _compute_answer(self, x: Database) -> float:
        """Compute the noiseless answer, and refuse one that is no finite number."""
        found = (self.query or sum)(x)
        if not (is_number(convert_to_python(found)) and math.isfinite(found)):
            raise ConfigError(
                f"`query` must return a finite number for each database, got {found!r:.80} for {x}."
            )
        return float(found)

    def _find_possible_change(self) -> float:
        """Find the largest change of the answer between two possible neighbours."""
        change = 0.0
        databases = map(tuple, self.law.build_table().databases.tolist())
        rows = [(x, self._compute_answer(x)) for x in databases]
        for i in range(self.law.records):
            ends: dict[Database, tuple[float, float]] = {}
            for x, answer in rows:
                low, high = ends.get((*x[:i], *x[i + 1 :]), (answer, answer))
                ends[*x[:i], *x[i + 1 :]] = min(low, answer), max(high, answer)
            change = max(change, *(high - low for low, high in ends.values()))
        return change

    @property
    def prior(self) -> float:
        """Probability of the value, before the answers, if it is one of the two."""
        one, two = (self.law.compute_chance(self.record, v) for v in (self.value, self.other))
        return one / (one + two)

    @cached_property
    def parts(self) -> list[Part]:
        """Noiseless answers and their probabilities given each value, by what is known."""
        if not isinstance(self.law, TableLaw) or (self.query is None and not self.known):
            sums = [self.law.compute_sums(self.record, v) for v in (self.value, self.other)]
            (a, one), (b, two) = sums
            return [_merge(np.append(a, b), np.append(one, 0 * b), np.append(0 * a, two))]
        x, chances = self.law.databases, self.law.chances
        answers = np.array([self._compute_answer(tuple(each)) for each in x.tolist()])
        sides = [np.where(x[:, self.record] == v, chances, 0.0) for v in (self.value, self.other)]
        one, two = (side / side.sum() for side in sides)
        seen: dict[Database, list[int]] = {}
        for k, each in enumerate(x[:, list(self.known)].tolist()):
            seen.setdefault(tuple(each), []).append(k)
        merged = [_merge(answers[k], one[k], two[k]) for k in seen.values()]
        return [part for part in merged if len(part[0])]

    def build_curve(self, mechanism: str, distance: float, answers: int) -> LossCurve:
        """Build the loss curve of answers.

        Parameters
        ----------
        mechanism : str
            ``laplace`` (one answer), ``gaussian_analytic`` or ``gaussian_classical`` (any number),
            ``discrete_laplace`` (one answer, whole numbers), or ``any`` (one answer of the worst
            of all mechanisms whose epsilon is ``distance``).
        distance : float
            The sensitivity in units of the noise.
        answers : int
            Number of answers.

        Raises
        ------
        ConfigError
            If the mechanism does not go with a law or this number of answers.
        """
        is_gaussian = mechanism in ("gaussian_analytic", "gaussian_classical")
        if mechanism not in ("laplace", "discrete_laplace", "any") and not is_gaussian:
            raise ConfigError(
                "`mechanism` must be laplace, gaussian_analytic, gaussian_classical, "
                f"discrete_laplace or any for a law, got {mechanism!r}."
            )
        if answers != 1 and not is_gaussian:
            raise ConfigError(
                f"`answers` must be 1 for mechanism={mechanism!r} and a law, got {answers}. Give a "
                "Gaussian mechanism."
            )
        if mechanism == "any":
            return _build_worst_loss(self, distance)
        sensitivity = self._change if self.sensitivity is None else self.sensitivity
        largest = max(float(np.abs(points).max()) for points, _, _ in self.parts)
        if ROUNDING * largest > _MAX_GAP * sensitivity:
            raise ConfigError(
                f"`query` must have answers that rounding does not hide, got {largest:g} for a "
                f"sensitivity of {sensitivity:g}. Subtract a constant from the values."
            )
        scale = distance / sensitivity
        if mechanism == "discrete_laplace":
            return _build_discrete_laplace(self.parts, scale)
        if is_gaussian:
            scale *= math.sqrt(answers)  # the sum of the answers is sufficient
        parts = [(points * scale, one, two) for points, one, two in self.parts]
        return NormalMixtureLoss(parts) if is_gaussian else LaplaceMixtureLoss(parts)

    def build_blind_curve(self) -> LossCurve:
        """Build the loss curve of what the adversary knows, without any answer."""
        one, two = (np.array([part[k].sum() for part in self.parts]) for k in (1, 2))
        return FiniteLoss(one, two)

    def build_noiseless_curve(self, mechanism: str) -> LossCurve | None:
        """Build the loss curve of the noiseless answer; None for the worst mechanism."""
        if mechanism == "any":
            return None
        one, two = (np.concatenate([part[k] for part in self.parts]) for k in (1, 2))
        return FiniteLoss(one, two)

    def build_output_curve(self, outputs: Mapping[float, Sequence[float]]) -> LossCurve:
        """Build the loss curve of a mechanism that is given by its outputs.

        Parameters
        ----------
        outputs : mapping of float to sequence of float
            From each noiseless answer to the probabilities of the outputs.

        Raises
        ------
        ConfigError
            If an answer is missing, or a row is no distribution or as long as no other.
        """
        rows = np.array([], float)
        given = [convert_to_floats(row, "a row of `mechanism`") for row in outputs.values()]
        convert_to_floats(list(outputs), "the noiseless answers of `mechanism`")
        if len({row.shape for row in given}) == 1 and given[0].ndim == 1:
            rows = np.array(given)
        if not rows.size or rows.min() < 0 or not np.allclose(rows.sum(axis=1), 1):
            raise ConfigError(
                "`mechanism` must map each noiseless answer to probabilities with the sum 1, as "
                "many for each."
            )
        keys = np.array(list(outputs), float)
        sides: list[list[Floats]] = [[], []]
        for points, *weights in self.parts:
            nearest = np.abs(points[:, None] - keys).argmin(axis=1)
            missing = ~np.isclose(points, keys[nearest], rtol=1e-9, atol=1e-9 * np.ptp(keys))
            if missing.any():
                raise ConfigError(
                    f"`mechanism` must have the noiseless answer {points[missing][0]}. Add its row."
                )
            for side, each in zip(sides, weights, strict=True):
                side.append(each @ rows[nearest])
        return FiniteLoss(np.concatenate(sides[0]), np.concatenate(sides[1]))


def _merge(points: Floats, one: Floats, two: Floats) -> Part:
    """Add the weights of equal points in two distributions; points without weight are left out."""
    kept = one + two > 0
    groups, group = group_equal(points[kept])
    p, q = (np.bincount(group, side[kept], len(groups)).astype(float) for side in (one, two))
    return groups, p, q


# Loss curves --------------------------------------------------------------------------------------


class _SetLoss(LossCurve):
    """Loss curve from the sets {ratio > e^t}: their probabilities R and G, and two errors."""

    def _compute_rates(self, t: float) -> Rates:
        """Compute R and G of the set {ratio > e^t}, or nearly so, and both errors."""
        raise NotImplementedError

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Compute the largest ``P_D(S) - e^log_ratio P_D'(S)`` over sets S of outputs."""
        recall, alarms, error, _ = self._compute_rates(log_ratio)
        floor = max(0.0, -math.expm1(min(log_ratio, _MAX_LOSS_NATS)))
        low = max(recall - math.exp(min(log_ratio, _MAX_LOSS_NATS)) * alarms, floor)
        return NumberBounds(low, min(1.0, low + error))

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Compute the largest P_D(S) over sets S with P_D'(S) at most ``false_alarm``."""
        low, high = self._find_threshold(lambda rates: rates[1] > false_alarm)
        # A test that takes all above `high`, and a share of what is between.
        (r_in, g_in, *_), (r_out, g_out, *_) = self._compute_rates(high), self._compute_rates(low)
        share = (false_alarm - g_in) / (g_out - g_in) if g_out > g_in else 0.0
        found = r_in + min(1.0, max(0.0, share)) * (r_out - r_in)
        # Weak duality: every t gives a bound, delta(t) + e^t false_alarm.
        bound = min(self.compute_delta(t).high + math.exp(t) * false_alarm for t in (low, high))
        return NumberBounds(min(found, bound), min(1.0, bound))

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the loss (nats) that outputs under D exceed with probability ``tail``."""
        low, _ = self._find_threshold(lambda rates: rates[0] - rates[3] > tail)
        recall, _, _, doubt = self._compute_rates(_MAX_LOSS_NATS)
        if recall + doubt > tail:
            return NumberBounds(low, math.inf)
        return NumberBounds(low, self._find_threshold(lambda rates: rates[0] + rates[3] > tail)[1])

    def _find_threshold(self, is_below: Callable[[Rates], bool]) -> tuple[float, float]:
        """Find two neighbouring thresholds, at the lower one of which a condition still holds."""
        low, high = -_MAX_LOSS_NATS, _MAX_LOSS_NATS
        for _ in range(70):
            middle = (low + high) / 2
            low, high = (middle, high) if is_below(self._compute_rates(middle)) else (low, middle)
        return low, high


class FiniteLoss(_SetLoss):
    """Loss curve of finitely many outputs, from their probabilities under D and D'."""

    def __init__(self, one: Floats, two: Floats) -> None:
        kept = (one > 0) | (two > 0)
        self._one, self._two = one[kept], two[kept]
        with np.errstate(divide="ignore"):
            self._loss = np.log(self._one) - np.log(self._two)

    def _compute_rates(self, t: float) -> Rates:
        inside = self._loss > t
        return float(self._one[inside].sum()), float(self._two[inside].sum()), 0.0, 0.0

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the loss (nats) that outputs under D exceed with probability ``tail``."""
        order = np.argsort(-self._loss, kind="stable")
        order = order[self._one[order] > 0]
        before = np.cumsum(self._one[order]) - self._one[order]
        at = float(self._loss[order][before <= tail][-1])
        return NumberBounds(at, at)


def _build_discrete_laplace(parts: Sequence[Part], scale: float) -> FiniteLoss:
    """Build the curve of two-sided geometric noise; outputs beyond all answers are two cells."""
    columns: list[list[Floats]] = [[], []]
    for points, *sides in parts:
        at = np.round(points).astype(int)
        if not np.allclose(at, points, rtol=0, atol=1e-9):
            raise ConfigError("`query` must have whole answers for discrete noise.")
        if (at[-1] - at[0] + 1) * len(at) > _MAX_OUTPUTS:
            raise ConfigError(
                f"`query` must have at most {_MAX_OUTPUTS:,} pairs of an answer and an output for "
                f"discrete noise, got {(at[-1] - at[0] + 1) * len(at):,}. Round to a larger unit."
            )
        outputs = np.arange(at[0], at[-1] + 1)
        even = math.exp(-scale)
        noise = (1 - even) / (1 + even) * even ** np.abs(outputs[:, None] - at)
        tails = [even ** (at - at[0] + 1) / (1 + even), even ** (at[-1] - at + 1) / (1 + even)]
        for column, side in zip(columns, sides, strict=True):
            column.append(np.concatenate([noise @ side, [tail @ side for tail in tails]]))
    return FiniteLoss(np.concatenate(columns[0]), np.concatenate(columns[1]))


class LaplaceMixtureLoss(_SetLoss):
    """Loss curve of one Laplace answer about one of two mixtures of noiseless answers: exact.

    Between two noiseless answers both densities are a e^-x + b e^x, so that their difference
    changes its sign once at most, where a logarithm says; beyond all answers the ratio is constant.
    A part is the noiseless answers in scales of the noise, ascending, and their weights under D and
    D'.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = []
        for points, *sides in parts:
            decay = np.exp(-np.diff(points))
            ends = []
            for side in sides:
                right, left = side.copy(), side.copy()
                for k in range(1, len(points)):
                    right[k] += right[k - 1] * decay[k - 1]
                    left[-k - 1] += left[-k] * decay[-k]
                # Left of all: b e^x; then a e^-x + b e^x; right of all: a e^-x.
                ends.append((np.append(0.0, right), np.append(left, 0.0)))
            self._parts.append((points, ends))

    def _compute_rates(self, t: float) -> Rates:
        ratios, total = (math.exp(min(-t, 0.0)), math.exp(min(t, 0.0))), np.zeros(2)
        for points, ends in self._parts:
            a, b = (ratios[0] * ends[0][k] - ratios[1] * ends[1][k] for k in (0, 1))
            low, high = np.append(-np.inf, points), np.append(points, np.inf)
            opposite = (np.sign(a) * np.sign(b) < 0) & np.isfinite(low) & np.isfinite(high)
            start, end, inside = low.copy(), high.copy(), (a >= 0) & (b >= 0) & (a + b > 0)
            k = np.flatnonzero(opposite)
            # a e^-(x - low) + b e^(x - high) = 0
            root = (np.log(np.abs(a[k])) - np.log(np.abs(b[k])) + low[k] + high[k]) / 2
            root = np.clip(root, low[k], high[k])
            start[k], end[k] = np.where(a[k] < 0, root, low[k]), np.where(a[k] > 0, root, high[k])
            inside |= opposite
            for side, (right, left) in enumerate(ends):
                r, s = np.flatnonzero(inside & (right > 0)), np.flatnonzero(inside & (left > 0))
                from_left = right[r] * (np.exp(low[r] - start[r]) - np.exp(low[r] - end[r]))
                from_right = left[s] * (np.exp(end[s] - high[s]) - np.exp(start[s] - high[s]))
                total[side] += (from_left.sum() + from_right.sum()) / 2
        return float(total[0]), float(total[1]), 0.0, 0.0

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the loss (nats) that outputs under D exceed with probability ``tail``.

        The largest of all is at a noiseless answer, since the ratio is monotone between two.
        """
        if tail > 0:
            return super().compute_loss_quantile(tail)
        best = -math.inf
        for points, ends in self._parts:
            gap = np.append(np.exp(-np.diff(points)), 0.0)
            one, two = (right[1:] + left[1:] * gap for right, left in ends)
            with np.errstate(divide="ignore"):
                best = max(best, float((np.log(one) - np.log(two)).max()))
        return NumberBounds(best, best)


class NormalMixtureLoss(_SetLoss):
    """Loss curve of normal answers about one of two mixtures, with a certified error.

    The slope of the log-ratio is the difference of the mean noiseless answers given the answer,
    both of which rise with it.  So its values at the ends of a cell bound it in the cell.  Cells
    that may have both signs are halved until what they may hide costs next to nothing.  A part is
    the noiseless answers in standard deviations, ascending, and their weights under D and D'.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = [(points - points[0], one, two) for points, one, two in parts]
        self._cells = [_measure_cells(part, *_list_cells(part[0])) for part in self._parts]

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the loss (nats) that answers under D exceed with probability ``tail``.

        Far from all noiseless answers, the outermost one decides: the loss has no largest value if
        D' excludes that.
        """
        if tail > 0:
            return super().compute_loss_quantile(tail)
        if any(part[1][end] > 0 == part[2][end] for part in self._parts for end in (0, -1)):
            return NumberBounds(math.inf, math.inf)
        with np.errstate(divide="ignore"):
            high = max(float(np.log(one / two).max()) for _, one, two in self._parts)
        low = max(float(cells.least.max()) for cells in self._cells)
        return NumberBounds(min(low, high), high)

    def _compute_rates(self, t: float) -> Rates:
        found, ratio = np.zeros(4), math.exp(min(t, _MAX_LOSS_NATS))
        for part, cells in zip(self._parts, self._cells, strict=True):
            outside = 2 * float(ndtr(-_MAX_NOISE)) * part[1].sum()
            found += (0.0, 0.0, outside, outside)
            for depth in range(_MAX_HALVINGS + 1):
                found[:2] += cells.sum_rates(cells.least > t)
                cells = cells.select((cells.least <= t) & (cells.most > t))
                taken = cells.one > ratio * cells.two
                gain = np.where(taken, cells.one - ratio * cells.two, 0.0)
                error = float((cells.one * -np.expm1(t - cells.most) - gain).clip(0.0).sum())
                if error <= _NORMAL_ERROR or depth == _MAX_HALVINGS or len(taken) > _MAX_CELLS:
                    break
                middle = (cells.start + cells.end) / 2
                ends = np.append(cells.start, middle), np.append(middle, cells.end)
                cells = _measure_cells(part, *ends)
            found[:2] += cells.sum_rates(taken)
            found[2:] += error, cells.one.sum()
        return float(found[0]), float(found[1]), float(found[2]), float(found[3])


@dataclass(frozen=True, eq=False)
class _Cells:
    """Cells of normal answers: ends, bounds of the log-ratio, probabilities under D and D'."""

    start: Floats
    end: Floats
    least: Floats
    most: Floats
    one: Floats
    two: Floats

    def select(self, chosen: np.ndarray) -> "_Cells":
        """Select some cells."""
        columns = (self.start, self.end, self.least, self.most, self.one, self.two)
        return _Cells(*(column[chosen] for column in columns))

    def sum_rates(self, chosen: np.ndarray) -> tuple[float, float]:
        """Sum the probabilities of some cells under D and under D'."""
        return float(self.one[chosen].sum()), float(self.two[chosen].sum())


def _list_cells(points: Floats) -> tuple[Floats, Floats]:
    """List the ends of cells that cover all answers near to a noiseless one."""
    far = np.flatnonzero(np.diff(points) > 2 * _MAX_NOISE)
    lows = points[np.append(0, far + 1)] - _MAX_NOISE
    highs = points[np.append(far, len(points) - 1)] + _MAX_NOISE
    width = max(1 / 8, float((highs - lows).sum()) / _MAX_CELLS)
    grids = [
        np.linspace(low, high, math.ceil((high - low) / width) + 1)
        for low, high in zip(lows, highs, strict=True)
    ]
    return np.concatenate([g[:-1] for g in grids]), np.concatenate([g[1:] for g in grids])


def _measure_cells(part: Part, start: Floats, end: Floats) -> _Cells:
    """Measure cells; the log-ratio between two lines of the least and the largest slope."""
    points, *sides = part
    if not (sides[0].any() and sides[1].any()):
        ratio = np.full(len(start), math.inf if sides[0].any() else -math.inf)
        masses = [_compute_masses(points, side, start, end) for side in sides]
        return _Cells(start, end, ratio, ratio, masses[0], masses[1])
    rows = max(1, 2**20 // len(points))
    blocks = []
    for at in range(0, max(1, len(start)), rows):
        a, b = start[at : at + rows], end[at : at + rows]
        f, means = zip(*(_compute_ratio(part, x) for x in (a, b)), strict=True)
        width = b - a
        low, high = (means[k][0] - means[1 - k][1] for k in (0, 1))
        spread, rise = np.maximum(high - low, 1e-300), f[1] - f[0]
        up = np.clip((rise - low * width) / spread, 0.0, width)
        down = np.clip((high * width - rise) / spread, 0.0, width)
        most = np.maximum.reduce([f[0], f[1], f[0] + high * up])
        least = np.minimum.reduce([f[0], f[1], f[0] + low * down])
        masses = [_compute_masses(points, side, a, b) for side in sides]
        blocks.append(_Cells(a, b, least, most, masses[0], masses[1]))
    names = ("start", "end", "least", "most", "one", "two")
    return _Cells(*(np.concatenate([getattr(block, name) for block in blocks]) for name in names))


def _compute_ratio(part: Part, x: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
    """Compute the log-ratio of the densities at answers, and the means of D and D' given them."""
    points, *sides = part
    logs, means, densities = -0.5 * (x[:, None] - points) ** 2, [], []
    for side in sides:
        kept = side > 0
        each = logs[:, kept] + np.log(side[kept])
        top = each.max(axis=1, initial=-math.inf)
        weights = np.exp(each - top[:, None])
        total = weights.sum(axis=1)
        means.append(weights @ points[kept] / total)
        densities.append(top + np.log(total))
    return densities[0] - densities[1], (means[0], means[1])


def _compute_masses(points: Floats, weights: Floats, start: Floats, end: Floats) -> Floats:
    """Compute the probabilities of cells, from the tail in which they are small."""
    low, high = start[:, None] - points, end[:, None] - points
    turned = low > 0
    low, high = np.where(turned, -high, low), np.where(turned, -low, high)
    return (ndtr(high) - ndtr(low)) @ weights


class WorstLoss(LossCurve):
    """Success against the worst mechanism of an epsilon at each threshold, by linear programmes.

    A test of any mechanism is a function f of the database, the probability of a yes, such that f
    and 1 - f change by a factor of at most e^epsilon from a database to its neighbours, which are
    the ``edges``.  A solver's answer is not believed: its test is lowered until it is one, and its
    multipliers bound all tests by weak duality, so that bounds hold however inexact it is.
    """

    def __init__(
        self, one: Floats, two: Floats, edges: Sequence[tuple[int, int]], epsilon_nats: float
    ) -> None:
        self._one, self._two = one, two
        self._even = math.exp(-min(epsilon_nats, _MAX_PROGRAMME_NATS))
        self._is_capped = epsilon_nats > _MAX_PROGRAMME_NATS
        self._ends = np.array([*edges, *((b, a) for a, b in edges)]).T
        rows, shape = np.arange(self._ends.shape[1]), (self._ends.shape[1], len(one))
        here, there = (sparse.csr_array((np.ones(len(rows)), (rows, x)), shape) for x in self._ends)
        # f here <= e^epsilon f there, and 1 - f there <= e^epsilon (1 - f here).
        self._rises = self._even * here - there
        self._falls = here - self._even * there

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Compute the largest ``P_D(S) - e^log_ratio P_D'(S)`` over mechanisms and sets S."""
        gain = self._one - math.exp(min(log_ratio, _MAX_LOSS_NATS)) * self._two
        test, most = self._solve(gain, np.zeros(len(gain)), 1.0)
        floor = max(0.0, -math.expm1(min(log_ratio, _MAX_LOSS_NATS)))
        return self._bound(float(gain @ test), most, floor)

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Compute the largest P_D(S) over mechanisms and sets S with P_D'(S) at most a share."""
        test, most = self._solve(self._one, np.zeros(len(self._one)), 1.0, alarms=false_alarm)
        alarms = float(self._two @ test)
        share = 1.0 if alarms <= false_alarm else false_alarm / alarms
        return self._bound(share * float(self._one @ test), most, false_alarm)

    def compute_f_score(self, beta: float, odds_against: float) -> NumberBounds:
        """Compute the largest F-score of a test of any mechanism, by one programme.

        The F-score is linear-fractional in f.  With s = 1/(R + odds G + beta^2) it is linear in
        (s f, s), whose conditions are linear, too (Charnes and Cooper, 1962).
        """
        weight, cost = beta**2, self._one + odds_against * self._two
        test, most = self._solve((1 + weight) * self._one, cost, weight)
        found = (1 + weight) * float(self._one @ test) / (float(cost @ test) + weight)
        return self._bound(found, most, (1 + weight) / (1 + odds_against + weight))

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the largest loss (nats) of any mechanism; for a tail of 0 alone."""
        if tail > 0:
            raise ConfigError(
                f"`tail` must be 0 for mechanism='any' and a law, got {tail}. Give a mechanism."
            )
        # One answer is enough, whose probability may have any scale: 1 - f drops out.
        size = self._rises.shape[0]
        x, duals = _maximise(self._one, self._rises, np.zeros(size), self._two)
        test = self._find_test_below(x, lambda f: f / self._even)
        rates = float(self._one @ test), float(self._two @ test)
        low = math.log(rates[0] / rates[1]) if min(rates) > 0 else 0.0
        if self._is_capped:
            return NumberBounds(max(0.0, low), math.inf)
        # Any transport bounds the ratio: what the multipliers leave at a database that D' excludes
        # goes on, step by step, to one that it allows, and each step costs e^epsilon.
        left = self._one - self._rises.T @ duals
        for here, there in self._list_ways_out():
            left[there] += max(0.0, left[here]) / self._even
        allowed = self._two > 0
        most = float((left[allowed] / self._two[allowed]).max())
        return NumberBounds(min(max(0.0, low), math.log(most)), math.log(most))

    def _list_ways_out(self) -> list[tuple[int, int]]:
        """List the step of each excluded database towards an allowed one, farthest first."""
        graph = sparse.csr_array(
            (np.ones(self._ends.shape[1]), tuple(self._ends)), (len(self._two),) * 2
        )
        allowed = np.flatnonzero(self._two > 0)
        steps, before, _ = csgraph.dijkstra(
            graph, indices=allowed, unweighted=True, min_only=True, return_predecessors=True
        )
        order = np.argsort(-steps, kind="stable")
        return [(int(k), int(before[k])) for k in order if steps[k] > 0]

    def _find_test_below(self, test: Floats, compute_rise: Callable[[Floats], Floats]) -> Floats:
        """Lower a function of the databases until it keeps a bound from neighbour to neighbour."""
        here, there = self._ends
        while True:
            lowered = test.copy()
            np.minimum.at(lowered, here, compute_rise(test[there]))
            if (lowered >= test).all():
                return test
            test = lowered

    def _compute_rise(self, test: Floats) -> Floats:
        """Compute the largest probability of a yes next to a database."""
        return np.minimum(test / self._even, 1 - self._even * (1 - test))

    def _bound(self, found: float, most: float, floor: float) -> NumberBounds:
        """Bound an optimum that is at least a floor, and 1 at most."""
        low = min(1.0, max(found, floor))
        return NumberBounds(low, 1.0 if self._is_capped else min(1.0, max(most, low)))

    def _solve(
        self, gain: Floats, cost: Floats, rest: float, *, alarms: float | None = None
    ) -> tuple[Floats, float]:
        """Find a test of large gain / (cost + rest), and a bound of it over all tests."""
        # Columns: a number for each database, and the scale s of all of them.
        size, n = self._rises.shape[0], len(gain)
        limits = np.repeat([0.0, 1 - self._even], size)
        matrix = sparse.vstack([self._rises, self._falls])
        if alarms is not None:
            matrix = sparse.vstack([matrix, sparse.csr_array(self._two[None])])
            limits = np.append(limits, alarms)
        below = sparse.hstack([sparse.eye_array(n), sparse.csr_array(-np.ones((n, 1)))])
        scaled = sparse.vstack([sparse.hstack([matrix, sparse.csr_array(-limits[:, None])]), below])
        x, duals = _maximise(
            np.append(gain, 0.0), scaled, np.zeros(scaled.shape[0]), np.append(cost, rest)
        )
        test = np.clip(x[:-1] / x[-1], 0.0, 1.0) if x[-1] > 0 else np.zeros(n)
        # Weak duality: a ratio r is not exceeded if these multipliers of all conditions but f <= 1
        # leave at most r (cost + rest) of the gain; the excess falls with r.
        duals = duals[: len(limits)]
        left, used = gain - matrix.T @ duals, float(limits @ duals)
        rounding = 2.0**-48 * (used + float((abs(matrix).T @ duals).sum()) + 1)

        def is_bound(r: float) -> bool:
            return r * rest >= used + float((left - r * cost).clip(0.0).sum()) + rounding

        low, high = 0.0, 1.0
        for _ in range(60 if is_bound(1.0) else 0):
            middle = (low + high) / 2
            low, high = (low, middle) if is_bound(middle) else (middle, high)
        return self._find_test_below(test, self._compute_rise), high


def _maximise(
    gain: Floats, matrix: sparse.csr_array, bound: Floats, equal: Floats
) -> tuple[Floats, Floats]:
    """Find numbers of at least 0 of large gain under linear conditions, and multipliers of these.

    Both are only as good as the solver; zeros if it gives up.
    """
    for method in ("highs-ds", "highs-ipm", "highs"):
        found = linprog(
            -gain,
            A_ub=matrix,
            b_ub=bound,
            A_eq=equal[None],
            b_eq=[1.0],
            method=method,
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if found.status == 0:
            return found.x, np.maximum(-found.ineqlin.marginals, 0.0)
    return np.zeros(len(gain)), np.zeros(len(bound))


def _build_worst_loss(hypothesis: RecordHypothesis, epsilon_nats: float) -> WorstLoss:
    """Build the worst mechanism's curve; of exchangeable bits by their number of ones."""
    if hypothesis.known:
        raise ConfigError(
            f"`known` must be left out for the worst mechanism, got {tuple(hypothesis.known)}: it "
            "would have to be the worst for each of their values at once. Keep the databases with "
            "the values that are known: law.keep(lambda x: x[1] == 1)."
        )
    if isinstance(hypothesis.law, ExchangeableLaw):
        return _build_exchangeable_loss(hypothesis, hypothesis.law, epsilon_nats)
    law = hypothesis.law.build_table()
    every, edges = _list_neighbours(law, "give a mechanism by name")
    at = {x: k for k, x in enumerate(every)}
    sides = [np.zeros(len(every)), np.zeros(len(every))]
    for row, chance in zip(law.databases.tolist(), law.chances, strict=True):
        for side, value in zip(sides, (hypothesis.value, hypothesis.other), strict=True):
            if row[hypothesis.record] == value:
                side[at[tuple(row)]] += chance
    return WorstLoss(sides[0] / sides[0].sum(), sides[1] / sides[1].sum(), edges, epsilon_nats)


def _build_exchangeable_loss(
    hypothesis: RecordHypothesis, law: ExchangeableLaw, epsilon_nats: float
) -> WorstLoss:
    """Build it for exchangeable bits: f depends on the record and the ones of the others."""
    n, sides = law.records, []
    for value in (hypothesis.value, hypothesis.other):
        points, chances = law.compute_sums(hypothesis.record, value)
        side = np.zeros((2, n))
        side[int(value), np.round(points).astype(int) - int(value)] = chances
        sides.append(side.ravel())
    edges = [(s, n + s) for s in range(n)]
    edges += [(v * n + s, v * n + s + 1) for v in (0, 1) for s in range(n - 1)]
    return WorstLoss(sides[0], sides[1], edges, epsilon_nats)


def _list_neighbours(law: TableLaw, advice: str) -> tuple[list[Database], list[tuple[int, int]]]:
    """List all databases of a law's values, impossible ones too, and the pairs of neighbours.

    Differential privacy is about impossible databases, too.
    """
    values = [np.unique(column).tolist() for column in law.databases.T]
    size = math.prod(map(len, values))
    if size > _MAX_PROGRAMME:
        raise ConfigError(
            f"`law` must be of {_MAX_PROGRAMME:,} databases at most, got {format_size(size)}, "
            f"impossible ones among them. Give fewer records, or {advice}."
        )
    every = list(itertools.product(*values))
    at = {x: k for k, x in enumerate(every)}
    edges = [
        (k, at[(*x[:i], v, *x[i + 1 :])])
        for k, x in enumerate(every)
        for i, its_values in enumerate(values)
        for v in its_values
        if v > x[i]
    ]
    return every, edges


# What an epsilon is worth -------------------------------------------------------------------------


def compute_joint_epsilon(hypothesis: RecordHypothesis, epsilon_nats: float) -> float:
    """Compute the largest change of a value's log-odds by any mechanism of an epsilon (nats).

    In closed form for bits that are positively dependent: the worst answer is that of a count with
    Laplace noise far above all counts (Ghosh, Kleinberg, "Inferential privacy guarantees for
    differentially private mechanisms", 2016).  Otherwise by a linear programme.

    Parameters
    ----------
    hypothesis : RecordHypothesis
        What the adversary knows and asks; its query does not matter.
    epsilon_nats : float
        Epsilon of the mechanisms, for one record that changes (nats).

    Raises
    ------
    ConfigError
        If records are known, or the law is not positive and has more than 1,024 databases or an
        epsilon so far from 1 that a programme is not exact.

    Examples
    --------
    Of a household of three that answers alike, and of three strangers:

    >>> from noiseless.theory.laws import ExchangeableLaw
    >>> household = RecordHypothesis(ExchangeableLaw.build_copies(3, 0.5))
    >>> round(compute_joint_epsilon(household, 1.0), 6)
    3.0
    >>> strangers = RecordHypothesis(ExchangeableLaw.build_mixed(3, 0.5, alike=0.0))
    >>> round(compute_joint_epsilon(strangers, 1.0), 6)
    1.0
    """
    require_kind("hypothesis", hypothesis, RecordHypothesis, "a RecordHypothesis")
    check_positive("epsilon_nats", epsilon_nats)
    return _bound_joint_epsilon(hypothesis, float(epsilon_nats)).high


def _bound_joint_epsilon(hypothesis: RecordHypothesis, epsilon_nats: float) -> NumberBounds:
    """Bound what an epsilon is worth; refuse one at which a programme is not exact."""
    law, values = hypothesis.law, (hypothesis.value, hypothesis.other)
    if isinstance(law, BlockLaw):  # the other groups tell nothing of the record
        k, inside = law.locate(hypothesis.record)
        return _bound_joint_epsilon(RecordHypothesis(law.blocks[k], inside, *values), epsilon_nats)
    if not hypothesis.known and set(values) == {0.0, 1.0} and law.is_positive:
        rate = epsilon_nats if hypothesis.value == 1 else -epsilon_nats
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            one, two = (law.compute_log_mean(hypothesis.record, v, rate) for v in values)
        if not math.isfinite(one - two):
            raise ConfigError(
                f"`epsilon_nats` must be so small that all records' together are a number, got "
                f"{epsilon_nats}. Give a smaller one."
            )
        return NumberBounds(one - two, one - two)
    if epsilon_nats > _MAX_PROGRAMME_NATS:
        raise ConfigError(
            f"`epsilon_nats` must be at most {_MAX_PROGRAMME_NATS:g} for a law that is not "
            f"positively dependent, got {epsilon_nats}: a programme is no exacter."
        )
    found = _build_worst_loss(hypothesis, epsilon_nats).compute_loss_quantile(0.0)
    if found.high - found.low > 1e-4 * found.high:
        raise ConfigError(
            f"`epsilon_nats` must be one at which a linear programme is exact, got {epsilon_nats}, "
            f"which is worth between {found.low:.6g} and {found.high:.6g} nats. Give one nearer "
            "to 1."
        )
    return found


def bound_least_constant(
    hypothesis: RecordHypothesis,
    *,
    low_nats: float = 1e-3,
    high_nats: float = 50.0,
    ratio: float = 1.01,
) -> NumberBounds:
    """Bound the least c with (what epsilon is worth) <= c epsilon, over a range of epsilons.

    What an epsilon is worth does not fall with it, so that between two epsilons a and b it is
    at most that of b, over a.

    Parameters
    ----------
    hypothesis : RecordHypothesis
        What the adversary knows and asks.
    low_nats, high_nats : float
        Ends of the range of epsilons (nats).
    ratio : float
        Ratio of an epsilon to the one before, above 1 and up to 1,000: the bounds differ by less
        than this factor.

    Raises
    ------
    ConfigError
        If a parameter is out of its range; see :func:`compute_joint_epsilon`, too.

    Examples
    --------
    >>> from noiseless.theory.laws import ExchangeableLaw
    >>> household = RecordHypothesis(ExchangeableLaw.build_copies(3, 0.5))
    >>> round(bound_least_constant(household, ratio=2).low, 6)
    3.0
    """
    require_kind("hypothesis", hypothesis, RecordHypothesis, "a RecordHypothesis")
    check_positive("low_nats", low_nats)
    high_nats = require_number("high_nats", high_nats, above=low_nats, below=math.inf)
    ratio = require_number("ratio", ratio, above=1, most=1e3)
    steps = math.ceil(math.log(high_nats / low_nats) / math.log(ratio))
    epsilons = np.geomspace(low_nats, high_nats, steps + 1)
    worth = [_bound_joint_epsilon(hypothesis, float(each)) for each in epsilons]
    low, high = (np.array([getattr(each, end) for each in worth]) for end in ("low", "high"))
    return NumberBounds(float((low / epsilons).max()), float((high[1:] / epsilons[:-1]).max()))
