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
from scipy.optimize import brentq, linprog
from scipy.special import logsumexp, ndtr

from noiseless.accounting.privacy_loss import LossCurve, NumberBounds
from noiseless.errors import ConfigError
from noiseless.mechanisms.containers import (
    Floats,
    check_positive,
    require_kind,
    require_list,
    require_number,
    require_whole,
)
from noiseless.theory.laws import BlockLaw, Database, ExchangeableLaw, Law, TableLaw, group_equal

# Noiseless answers, ascending, and their probabilities under D and D', each of shape (answers,).
Part = tuple[Floats, Floats, Floats]
# Recall and false alarm rate of a test, and the error of recall - e^t (false alarm rate).
Rates = tuple[float, float, float]

_MAX_PROGRAMME: Final = 2**10  # databases of a linear programme
_PROGRAMME_ERROR: Final = 1e-7  # of an optimum: the tolerance of HiGHS
_MAX_PROGRAMME_NATS: Final = 15.0  # e^-15 is as far as this tolerance reaches
_MAX_LOSS_NATS: Final = 700.0  # no finite loss is further from 0
_MAX_NOISE: Final = 12.0  # standard deviations beyond which normal noise is left out, as an error


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
            change = self._change if self.query is None else 0.0
            if self.sensitivity < change * (1 - 1e-9):
                raise ConfigError(
                    f"`sensitivity` must be {change} or more, by which the values of the law "
                    f"change the sum, got {self.sensitivity}."
                )

    @cached_property
    def _change(self) -> float:
        """Largest change of the noiseless answer by one record, among the values of the law."""
        if self.query is None or not isinstance(self.law, TableLaw):
            return self.law.span
        every, edges = _list_neighbours(self.law, "give `sensitivity`")
        answers = [float(self.query(x)) for x in every]
        change = max(abs(answers[a] - answers[b]) for a, b in edges)
        if change == 0:
            raise ConfigError("`query` must have more than one answer, got the same for all.")
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
        query = self.query or sum
        answers = np.array([float(query(tuple(each))) for each in x.tolist()])
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
        scale = distance / (self._change if self.sensitivity is None else self.sensitivity)
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
        if len({len(row) for row in outputs.values()}) == 1:
            rows = np.array([list(row) for row in outputs.values()], float)
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
    """Loss curve from the sets {ratio > e^t}: their probabilities R and G, and an error."""

    def _compute_rates(self, t: float) -> Rates:
        """Compute R and G of the outputs whose log-ratio exceeds t, and the error of R - e^t G."""
        raise NotImplementedError

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Compute the largest ``P_D(S) - e^log_ratio P_D'(S)`` over sets S of outputs."""
        recall, alarms, error = self._compute_rates(log_ratio)
        floor = max(0.0, -math.expm1(log_ratio))
        low = max(recall - math.exp(min(log_ratio, _MAX_LOSS_NATS)) * alarms, floor)
        return NumberBounds(low, min(1.0, low + error))

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Compute the largest P_D(S) over sets S with P_D'(S) at most ``false_alarm``."""
        low, high = self._find_threshold(lambda rates: rates[1] > false_alarm)
        # A test that takes all above `high`, and a share of what is between.
        (r_in, g_in, _), (r_out, g_out, _) = self._compute_rates(high), self._compute_rates(low)
        share = (false_alarm - g_in) / (g_out - g_in) if g_out > g_in else 0.0
        found = r_in + min(1.0, max(0.0, share)) * (r_out - r_in)
        # Weak duality: every t gives a bound, delta(t) + e^t false_alarm.
        bound = min(self.compute_delta(t).high + math.exp(t) * false_alarm for t in (low, high))
        return NumberBounds(min(found, bound), min(1.0, bound))

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the loss (nats) that outputs under D exceed with probability ``tail``."""
        if self._compute_rates(_MAX_LOSS_NATS)[0] > tail:
            return NumberBounds(math.inf, math.inf)
        return NumberBounds(*self._find_threshold(lambda rates: rates[0] > tail))

    def _find_threshold(self, is_below: Callable[[Rates], bool]) -> tuple[float, float]:
        """Find two neighbouring thresholds, at the lower one of which a condition still holds."""
        low, high = -_MAX_LOSS_NATS, _MAX_LOSS_NATS
        for _ in range(70):
            middle = (low + high) / 2
            low, high = (middle, high) if is_below(self._compute_rates(middle)) else (low, middle)
        return low, high


class FiniteLoss(_SetLoss):
    """Loss curve of finitely many outputs.

    Parameters
    ----------
    one, two : ndarray of float, shape (outputs,)
        Probabilities of the outputs under D and D'.
    """

    def __init__(self, one: Floats, two: Floats) -> None:
        kept = (one > 0) | (two > 0)
        self._one, self._two = one[kept], two[kept]
        with np.errstate(divide="ignore"):
            self._loss = np.log(self._one) - np.log(self._two)

    def _compute_rates(self, t: float) -> Rates:
        inside = self._loss > t
        return float(self._one[inside].sum()), float(self._two[inside].sum()), 0.0

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

    Parameters
    ----------
    parts : list of (points, one, two)
        Noiseless answers in scales of the noise, ascending, and their weights under D and D'.
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
        return float(total[0]), float(total[1]), 0.0

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

    The slope of the log-ratio is at most the range of the noiseless answers.  So a cell of the grid
    in which it may cross a threshold unseen has a ratio close to it, and costs next to nothing.

    Parameters
    ----------
    parts : list of (points, one, two)
        Noiseless answers in standard deviations, ascending, and their weights under D and D'.
    cells : int
        Number of cells of the grid.
    """

    def __init__(self, parts: Sequence[Part], cells: int = 2000) -> None:
        self._parts, self._grids = parts, []
        for part in parts:
            grid = np.linspace(part[0][0] - _MAX_NOISE, part[0][-1] + _MAX_NOISE, cells + 1)
            self._grids.append((grid, self._compute_loss(grid, part)))

    @staticmethod
    def _compute_loss(x: Floats, part: Part) -> Floats:
        """Compute the log-ratio of the densities at answers x."""
        points, one, two = part
        logs = -0.5 * (x[:, None] - points) ** 2
        with np.errstate(divide="ignore"):
            return logsumexp(logs, b=one, axis=1) - logsumexp(logs, b=two, axis=1)

    def _compute_rates(self, t: float) -> Rates:
        total, error = np.zeros(2), 0.0
        for part, (grid, loss) in zip(self._parts, self._grids, strict=True):
            points, one, two = part
            if not one.any() or not two.any():
                total += (one.sum(), 0.0)  # what D' excludes is taken, what D excludes is not
                continue
            slope = points[-1] - points[0]
            x, f = self._refine(grid, loss - t, part, t)
            ends = [-np.inf] if f[0] > 0 else []
            for k in np.flatnonzero(np.sign(f[:-1]) * np.sign(f[1:]) < 0):
                ends.append(
                    brentq(
                        lambda at, part=part: float(
                            self._compute_loss(np.array([at]), part)[0] - t
                        ),
                        x[k],
                        x[k + 1],
                        xtol=1e-13,
                    )
                )
            if len(ends) % 2:
                ends.append(np.inf)
            for low, high in zip(ends[::2], ends[1::2], strict=True):
                for which, side in enumerate((one, two)):
                    total[which] += side @ (ndtr(high - points) - ndtr(low - points))
            for k in np.flatnonzero(self._find_near(x, f, slope)):
                mass = float(one @ (ndtr(x[k + 1] - points) - ndtr(x[k] - points)))
                error += mass * math.expm1(min(slope * (x[k + 1] - x[k]) / 2, _MAX_LOSS_NATS))
            weight = one.sum() + math.exp(min(t, _MAX_LOSS_NATS)) * two.sum()
            error += 2 * float(ndtr(-_MAX_NOISE)) * float(weight)
        return float(total[0]), float(total[1]), error

    def _refine(self, x: Floats, f: Floats, part: Part, t: float) -> tuple[Floats, Floats]:
        """Halve the cells in which f may have two zeros unseen, ten times."""
        slope = part[0][-1] - part[0][0]
        for _ in range(10):
            near = self._find_near(x, f, slope)
            if not near.any():
                break
            middle = (x[:-1] + x[1:])[near] / 2
            x, order = np.unique(np.append(x, middle), return_index=True)
            f = np.append(f, self._compute_loss(middle, part) - t)[order]
        return x, f

    @staticmethod
    def _find_near(x: Floats, f: Floats, slope: float) -> np.ndarray:
        """Find the cells at whose ends f has one sign and in which its slope allows zeros."""
        same = np.sign(f[:-1]) * np.sign(f[1:]) >= 0
        return same & (np.abs(f[:-1]) + np.abs(f[1:]) < slope * np.diff(x))


class WorstLoss(LossCurve):
    """Success against the worst mechanism of an epsilon at each threshold, by linear programmes.

    A test of any mechanism is a function f of the database, the probability of a yes, such that f
    and 1 - f change by a factor of at most e^epsilon from a database to its neighbours.  Bounds are
    1e-7 apart from an optimum, the tolerance of the programmes.

    Parameters
    ----------
    one, two : ndarray of float, shape (databases,)
        Probabilities of the databases under D and D'.
    edges : sequence of (int, int)
        Neighbours.
    epsilon_nats : float
        Epsilon of the mechanisms (nats).
    """

    def __init__(
        self, one: Floats, two: Floats, edges: Sequence[tuple[int, int]], epsilon_nats: float
    ) -> None:
        self._one, self._two = one, two
        self._ratio = math.exp(min(epsilon_nats, _MAX_PROGRAMME_NATS))
        self._is_capped = epsilon_nats > _MAX_PROGRAMME_NATS
        x, y = np.array([*edges, *((b, a) for a, b in edges)]).T
        rows, shape = np.arange(len(x)), (len(x), len(one))
        self._rises = sparse.csr_array((np.ones(len(x)), (rows, x)), shape)
        self._falls = sparse.csr_array((np.ones(len(x)), (rows, y)), shape)

    def compute_delta(self, log_ratio: float) -> NumberBounds:
        """Compute the largest ``P_D(S) - e^log_ratio P_D'(S)`` over mechanisms and sets S."""
        found = self._solve(self._one - math.exp(log_ratio) * self._two)
        return self._bound(found, max(0.0, -math.expm1(log_ratio)))

    def compute_true_positive_rate(self, false_alarm: float) -> NumberBounds:
        """Compute the largest P_D(S) over mechanisms and sets S with P_D'(S) at most a share."""
        return self._bound(self._solve(self._one, alarms=false_alarm), false_alarm)

    def compute_f_score(self, beta: float, odds_against: float) -> NumberBounds:
        """Compute the largest F-score of a test of any mechanism, by one programme.

        The F-score is linear-fractional in f.  With s = 1/(R + odds G + beta^2) it is linear in
        (s f, s), whose conditions are linear, too (Charnes and Cooper, 1962).
        """
        weight = beta**2
        found = self._solve((1 + weight) * self._one, total=(odds_against, weight))
        return self._bound(found, (1 + weight) / (1 + odds_against + weight))

    def compute_loss_quantile(self, tail: float) -> NumberBounds:
        """Compute the largest loss (nats) of any mechanism; for a tail of 0 alone.

        Raises
        ------
        ConfigError
            If the tail is positive.
        """
        if tail > 0:
            raise ConfigError(
                f"`tail` must be 0 for mechanism='any' and a law, got {tail}. Give a mechanism."
            )
        # One answer is enough, whose probability may have any scale: 1 - f drops out.
        matrix, size = self._rises - self._ratio * self._falls, self._rises.shape[0]
        found = _maximise(self._one, matrix, np.zeros(size), self._two[None], None)
        value = math.log(found)
        high = math.inf if self._is_capped else value + _PROGRAMME_ERROR
        return NumberBounds(max(0.0, value - _PROGRAMME_ERROR), high)

    def _bound(self, found: float, floor: float) -> NumberBounds:
        """Bound an optimum that is at least a floor, and 1 at most."""
        low = min(1.0, max(found - _PROGRAMME_ERROR, floor))
        return NumberBounds(
            low, 1.0 if self._is_capped else min(1.0, max(found, floor) + _PROGRAMME_ERROR)
        )

    def _solve(
        self,
        gain: Floats,
        *,
        alarms: float | None = None,
        total: tuple[float, float] | None = None,
    ) -> float:
        """Find the largest gain of a test; of a false alarm rate, or with a fixed total."""
        # Columns: a number for each database, and the scale s of all of them.
        least, most = self._rises - self._ratio * self._falls, self._ratio * self._rises
        size, n = least.shape[0], len(gain)
        scale = np.repeat([0.0, 1 - self._ratio, -1.0], [size, size, n])[:, None]
        matrix = sparse.vstack([least, most - self._falls, sparse.eye_array(n)])
        matrix = sparse.hstack([matrix, sparse.csr_array(scale)])
        if alarms is not None:
            row = sparse.csr_array(np.append(self._two, -alarms)[None])
            matrix = sparse.vstack([matrix, row])
        equal = np.zeros(n + 1)
        equal[-1] = 1.0
        if total is not None:
            equal = np.append(self._one + total[0] * self._two, total[1])
        return _maximise(np.append(gain, 0.0), matrix, np.zeros(matrix.shape[0]), equal[None], None)


def _maximise(
    gain: Floats, matrix: sparse.csr_array, bound: Floats, equal: Floats, most: float | None
) -> float:
    """Find the largest gain of numbers of at least 0 under linear conditions."""
    found = linprog(
        -gain, A_ub=matrix, b_ub=bound, A_eq=equal, b_eq=[1.0], bounds=(0, most), method="highs"
    )
    if found.status != 0:
        raise AssertionError(f"the linear programme of a test failed: {found.message}")
    return float(-found.fun)


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
            f"`law` must be of {_MAX_PROGRAMME:,} databases at most, got {size:,}, impossible ones "
            f"among them. Give fewer records, or {advice}."
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
        If records are known, or the law is not positive and has more than 1,024 databases.

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
    epsilon_nats = float(epsilon_nats)
    law, values = hypothesis.law, (hypothesis.value, hypothesis.other)
    if isinstance(law, BlockLaw):  # the other groups tell nothing of the record
        k, inside = law.locate(hypothesis.record)
        return compute_joint_epsilon(RecordHypothesis(law.blocks[k], inside, *values), epsilon_nats)
    if not hypothesis.known and set(values) == {0.0, 1.0} and law.is_positive:
        rate = epsilon_nats if hypothesis.value == 1 else -epsilon_nats
        one, two = (law.compute_log_mean(hypothesis.record, v, rate) for v in values)
        return one - two
    if epsilon_nats > _MAX_PROGRAMME_NATS:
        raise ConfigError(
            f"`epsilon_nats` must be at most {_MAX_PROGRAMME_NATS:g} for a law that is not "
            f"positively dependent, got {epsilon_nats}: a programme is no exacter."
        )
    return _build_worst_loss(hypothesis, epsilon_nats).compute_loss_quantile(0.0).high


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
    worth = np.array([compute_joint_epsilon(hypothesis, float(each)) for each in epsilons])
    return NumberBounds(float((worth / epsilons).max()), float((worth[1:] / epsilons[:-1]).max()))
