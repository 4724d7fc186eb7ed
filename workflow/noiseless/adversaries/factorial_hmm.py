"""Factorial hidden Markov model of a home's appliances, by an adversary who knows the quantizer.

Every appliance is a Markov chain of a few states; so is the load that no sub-meter sees.  The mains
are their sum.  A released value tells in which cell the mains lie, and the adversary takes the
probability of that cell, not the mid-point for the mains.

1. :meth:`FactorialHMM.fit` learns states and transitions from sub-metered training data.
2. :meth:`FactorialHMM.compute_posterior` runs the exact forward-backward recursion over all joint
   states (324 for three appliances of three states and twelve levels of the rest; 2,916 for five).
   The transition matrix of the joint chain is a Kronecker product, applied one chain at a time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr
from sklearn.cluster import KMeans

from noiseless.arrays import Bools, Floats, Ints
from noiseless.compiled import compile_njit, copy_into

_MIN_ON_READINGS = 20  # with fewer readings while it is on, an appliance gets only one state for on
_PSEUDO_COUNT = 0.5  # added to the count of each transition
# Both chosen on the training days alone: the standard deviation of a meter from a state's mean, and
# the share of mains values that are outliers, uniform on the range.
_MODEL_ERROR_W = 20.0
_OUTLIER_SHARE = 1e-3
_BLOCK_ENTRIES = 2**16  # of a table of likelihoods: what is in work at once fits into the cache


@dataclass(frozen=True)
class FactorialHMM:
    """Fitted factorial hidden Markov model: one chain per appliance, and one for the rest.

    Each tuple has the appliances first and the rest of the home last, and the first state of an
    appliance is off.  ``transitions`` have the probability of the next state (column) after each
    state (row), ``initial`` that of each state at the start of a stretch of readings; ``range_w``
    is the public range of the mains.
    """

    means_w: tuple[Floats, ...]
    variances_w2: tuple[Floats, ...]
    transitions: tuple[Floats, ...]
    initial: tuple[Floats, ...]
    range_w: tuple[float, float]

    @classmethod
    def fit(
        cls,
        power_w: Floats,
        mains_w: Floats,
        *,
        follows: Bools,
        on_w: float,
        on_states: int,
        other_states: int,
        range_w: tuple[float, float],
        rng: np.random.Generator,
    ) -> "FactorialHMM":
        """Fit the model to training data, in which the state of every chain is known.

        ``power_w``, shape (n, appliances), and the exact mains have a row for each reading;
        ``follows`` is whether it is the next one after the row before it (no gap between them).  An
        appliance is on from ``on_w`` on, in one of ``on_states``; ``rng`` is for the starting
        points of the clusters.
        """
        seed = int(rng.integers(2**31))
        chains = []
        for watts in power_w.T:
            is_on = watts >= on_w
            states = np.zeros(len(watts), dtype=np.int64)
            few = is_on.sum() < _MIN_ON_READINGS
            states[is_on] = 1 + _cluster_values(watts[is_on], 1 if few else on_states, seed)
            chains.append((watts, states, 1 + (1 if few else on_states)))
        rest = mains_w - power_w.sum(axis=1)
        states = _cluster_values(np.log(np.maximum(rest, 1.0)), other_states, seed)
        chains.append((rest, states, other_states))
        moments = [_compute_moments(watts, states, count) for watts, states, count in chains]
        counts = [_count_transitions(states, count, follows) for _, states, count in chains]
        shares = [np.bincount(states, minlength=count) + 1.0 for _, states, count in chains]
        return cls(
            means_w=tuple(mean for mean, _ in moments),
            variances_w2=tuple(variance for _, variance in moments),
            transitions=tuple(each / each.sum(axis=1, keepdims=True) for each in counts),
            initial=tuple(each / each.sum() for each in shares),
            range_w=range_w,
        )

    def compute_posterior(
        self, low_w: Floats, high_w: Floats, *, follows: Bools, noise_w: float = 0.0
    ) -> tuple[Floats, Floats]:
        """Compute the posterior of each appliance at each time, given the complete release.

        The mains lie between ``low_w`` and ``high_w``, equal where they are released themselves;
        noise of the standard deviation ``noise_w`` is taken for normal; ``follows`` is that of
        :meth:`fit`.  The result is the probability that an appliance is on and its expected power,
        shape (n, appliances).
        """
        dimensions = np.array([len(mean) for mean in self.means_w])
        widest = int(dimensions.max())
        matrices = np.zeros((len(dimensions), widest, widest))
        for chain, matrix in enumerate(self.transitions):
            matrices[chain, : len(matrix), : len(matrix)] = matrix
        backward = np.ascontiguousarray(matrices.transpose(0, 2, 1))
        means = _sum_over_chains(self.means_w)
        variances = _sum_over_chains(self.variances_w2) + _MODEL_ERROR_W**2 + noise_w**2
        initial = np.ones(1)
        for each in self.initial:
            initial = np.multiply.outer(initial, each).ravel()
        appliances = len(dimensions) - 1
        on_probability = np.empty((len(low_w), appliances))
        power = np.empty((len(low_w), appliances))
        starts = np.flatnonzero(~follows)
        for start, stop in zip(starts, [*starts[1:], len(low_w)], strict=True):
            cells, which = np.unique(
                np.stack([low_w[start:stop], high_w[start:stop]], axis=1),
                axis=0,
                return_inverse=True,
            )
            likelihood = self._compute_likelihood(cells, means, np.sqrt(variances))
            marginals = _compute_marginals(
                likelihood, which.ravel(), initial, matrices, backward, dimensions
            )
            for chain in range(appliances):
                states = marginals[:, chain, : dimensions[chain]]
                on_probability[start:stop, chain] = states[:, 1:].sum(axis=1)
                power[start:stop, chain] = states @ self.means_w[chain]
        return on_probability, power

    def _compute_likelihood(self, cells: Floats, means: Floats, deviations: Floats) -> Floats:
        """Compute the likelihood of each cell (rows) in each joint state, up to a row's factor."""
        likelihood = np.empty((len(cells), len(means)))
        is_point = cells[:, 0] == cells[:, 1]
        rows = max(1, _BLOCK_ENTRIES // len(means))
        for chosen, evaluate in (
            (np.flatnonzero(is_point), _evaluate_density),
            (np.flatnonzero(~is_point), _evaluate_cell_probability),
        ):
            for start in range(0, len(chosen), rows):
                block = chosen[start : start + rows]
                likelihood[block] = self._allow_outliers(
                    evaluate(cells[block], means, deviations), cells[block]
                )
        return likelihood

    @np.errstate(under="ignore")
    def _allow_outliers(self, own: Floats, cells: Floats) -> Floats:
        """Mix likelihoods with that of an outlier; divide each row by its largest entry."""
        low, high = cells[:, :1], cells[:, 1:]
        span = self.range_w[1] - self.range_w[0]
        width = np.clip(high, *self.range_w) - np.clip(low, *self.range_w)
        stray = np.where(low == high, 1.0, width) / span
        own *= 1 - _OUTLIER_SHARE
        own += _OUTLIER_SHARE * stray
        own /= own.max(axis=1, keepdims=True)
        return own


@np.errstate(under="ignore")
def _evaluate_density(cells: Floats, means: Floats, deviations: Floats) -> Floats:
    """Evaluate the normal density of each released value (rows) in each joint state."""
    z = (cells[:, :1] - means) / deviations
    z **= 2
    z *= -0.5
    np.exp(z, out=z)
    z /= deviations * np.sqrt(2 * np.pi)
    return z


def _evaluate_cell_probability(cells: Floats, means: Floats, deviations: Floats) -> Floats:
    """Evaluate the normal probability of each cell (rows) in each joint state."""
    z_low, z_high = ((ends - means) / deviations for ends in (cells[:, :1], cells[:, 1:]))
    # Use the tail in which the difference of two probabilities loses no digits.
    with np.errstate(invalid="ignore"):  # an unbounded cell gives inf - inf
        swap = z_low + z_high > 0
    return ndtr(np.where(swap, -z_low, z_high)) - ndtr(np.where(swap, -z_high, z_low))


def _cluster_values(values: Floats, count: int, seed: int) -> Ints:
    """Cluster values by k-means; return cluster numbers, ascending by cluster centre."""
    count = min(count, len(np.unique(values)))  # more clusters than values make scikit-learn warn
    if count <= 1:
        return np.zeros(len(values), dtype=np.int64)
    fitted = KMeans(count, n_init=5, random_state=seed).fit(values[:, None])
    rank = np.argsort(np.argsort(fitted.cluster_centers_[:, 0]))
    return rank[fitted.labels_].astype(np.int64)


def _compute_moments(watts: Floats, states: Ints, count: int) -> tuple[Floats, Floats]:
    """Compute mean and variance of each state; an unseen state gets those of all values."""
    means, variances = np.full(count, watts.mean()), np.full(count, watts.var())
    for state in range(count):
        chosen = watts[states == state]
        if len(chosen):
            means[state], variances[state] = chosen.mean(), chosen.var()
    return means, variances


def _count_transitions(states: Ints, count: int, follows: Bools) -> Floats:
    """Count transitions between states, shape (count, count), plus a pseudo-count."""
    pairs = states[:-1][follows[1:]] * count + states[1:][follows[1:]]
    counts = np.bincount(pairs, minlength=count**2).reshape(count, count)
    return counts.astype(np.float64) + _PSEUDO_COUNT


def _sum_over_chains(parts: Sequence[Floats]) -> Floats:
    """Sum values over the chains for each joint state; the last chain varies fastest."""
    total = np.zeros(1)
    for part in parts:
        total = np.add.outer(total, part).ravel()
    return total


@compile_njit(cache=True)
def _apply_transitions(vector, matrices, dimensions):  # noqa: ANN001, ANN202, pragma: no cover
    """Apply each chain's transition matrix to a vector over joint states, in place.

    Joint states that differ in the chain whose turn it is lie ``inner`` places apart, within a
    block.  Every sum is over the states in their order; the innermost loops are over neighbours.
    """
    before = np.empty(vector.size)
    inner = vector.size
    for chain in range(dimensions.size):
        states, matrix = dimensions[chain], matrices[chain]
        block = inner
        inner //= states
        if states == 3 and inner > 1:
            for start in range(0, vector.size, block):
                _apply_three_states(vector[start : start + block], matrix)
            continue
        copy_into(before, vector)
        for start in range(0, vector.size, block):
            if inner == 1:
                total = vector[start : start + states]
                for j in range(states):
                    total[j] = before[start] * matrix[0, j]
                for i in range(1, states):
                    value = before[start + i]
                    for j in range(states):
                        total[j] += value * matrix[i, j]
                continue
            for j in range(states):
                total = vector[start + j * inner : start + (j + 1) * inner]
                row, weight = before[start : start + inner], matrix[0, j]
                for s in range(inner):
                    total[s] = row[s] * weight
                for i in range(1, states):
                    row, weight = before[start + i * inner : start + (i + 1) * inner], matrix[i, j]
                    for s in range(inner):
                        total[s] += row[s] * weight


@compile_njit(cache=True)
def _apply_three_states(block, matrix):  # noqa: ANN001, ANN202, pragma: no cover
    """Apply a transition matrix of three states in one pass; the same sums in the same order."""
    inner = block.size // 3
    first, second, third = block[:inner], block[inner : 2 * inner], block[2 * inner :]
    for s in range(inner):
        a, b, c = first[s], second[s], third[s]
        first[s] = a * matrix[0, 0] + b * matrix[1, 0] + c * matrix[2, 0]
        second[s] = a * matrix[0, 1] + b * matrix[1, 1] + c * matrix[2, 1]
        third[s] = a * matrix[0, 2] + b * matrix[1, 2] + c * matrix[2, 2]


@compile_njit(cache=True)
def _compute_marginals(likelihood, which, initial, matrices, backward, dimensions):  # noqa: ANN001, ANN202
    """Compute marginals of all chains but the last by the forward-backward recursion.

    ``backward`` holds the transposed ``matrices``; the result is of shape (n, chains - 1, states).
    """
    length, size = which.size, initial.size
    joint = np.empty((length, size))
    vector = initial.copy()
    for t in range(length):
        if t > 0:
            _apply_transitions(vector, matrices, dimensions)
        weights, forward = likelihood[which[t]], joint[t]
        total = 0.0
        for s in range(size):
            vector[s] *= weights[s]
            total += vector[s]
        for s in range(size):
            vector[s] /= total
            forward[s] = vector[s]
    marginals = np.zeros((length, dimensions.size - 1, matrices.shape[1]))
    vector[:] = 1.0
    for t in range(length - 1, -1, -1):
        weights, share = likelihood[which[t]], joint[t]
        total, largest = 0.0, 0.0
        for s in range(size):
            share[s] *= vector[s]
            total += share[s]
            vector[s] *= weights[s]
            largest = max(largest, vector[s])
        for s in range(size):
            share[s] /= total
            vector[s] /= largest
        stride = size
        for chain in range(dimensions.size - 1):
            states = dimensions[chain]
            stride //= states
            for state in range(states):
                total = 0.0
                for start in range(state * stride, size, states * stride):
                    for s in range(start, start + stride):
                        total += share[s]
                marginals[t, chain, state] = total
        _apply_transitions(vector, backward, dimensions)
    return marginals
