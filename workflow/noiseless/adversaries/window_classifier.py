"""Learned adversary: trees that classify windows of released values by what is on.

The adversary trains on what would be released: the training data's mains through the same
mechanism, with the true states of the appliances beside them.  It need not know the mechanism.
"""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from sklearn.ensemble import ExtraTreesClassifier

from noiseless.adversaries.on_off import find_best_threshold
from noiseless.arrays import Bools, Floats, Ints


def extract_windows(released_w: Floats, slot: Ints, radius: int) -> Floats:
    """Extract the window of values around each value, shape (n, 2 radius + 1).

    It is NaN where nothing was released.  ``slot`` are the values' places in time, increasing;
    consecutive numbers are consecutive readings.
    """
    line = np.full(slot[-1] - slot[0] + 1 + 2 * radius, np.nan)
    line[slot - slot[0] + radius] = released_w
    return sliding_window_view(line, 2 * radius + 1)[slot - slot[0]]


@dataclass(frozen=True)
class WindowClassifier:
    """Extremely randomised trees on windows, one model for all appliances.

    An appliance is taken to be on from a threshold of its probability; ``radius`` readings on each
    side of the one in question make a window.
    """

    trees: ExtraTreesClassifier
    thresholds: Floats
    radius: int

    @classmethod
    def fit(
        cls,
        released_w: Floats,
        is_on: Bools,
        *,
        slot: Ints,
        day: Ints,
        radius: int,
        trees: int,
        rng: np.random.Generator,
    ) -> "WindowClassifier":
        """Train the trees and choose the thresholds on released training data.

        The thresholds are those with the best f-score on days that the trees did not see: one
        forest learns from the even days for the odd ones, one the other way round.  ``slot`` is
        that of :func:`extract_windows`, and ``is_on`` has the shape (n, appliances).
        """
        seed = int(rng.integers(2**31))
        features = extract_windows(released_w, slot, radius)

        def train_forest(rows: Bools) -> ExtraTreesClassifier:
            """Train a forest on some rows."""
            return ExtraTreesClassifier(
                trees, min_samples_leaf=3, max_features=0.5, random_state=seed
            ).fit(features[rows], is_on[rows])

        probability = np.zeros(is_on.shape)
        is_even = day % 2 == 0
        for held_out in (is_even, ~is_even):
            if held_out.any() and not held_out.all():
                probability[held_out] = _predict_on_probability(
                    train_forest(~held_out), features[held_out]
                )
        columns = zip(probability.T, is_on.T, strict=True)
        thresholds = np.array([find_best_threshold(*column) for column in columns])
        return cls(train_forest(np.ones(len(day), dtype=bool)), thresholds, radius)

    def is_on(self, released_w: Floats, *, slot: Ints) -> Bools:
        """Return whether each appliance is classified as on, shape (n, appliances)."""
        features = extract_windows(released_w, slot, self.radius)
        return _predict_on_probability(self.trees, features) >= self.thresholds


def _predict_on_probability(trees: ExtraTreesClassifier, features: Floats) -> Floats:
    """Predict the probability of each appliance to be on, shape (n, appliances)."""
    outputs = trees.predict_proba(features)
    outputs = outputs if isinstance(outputs, list) else [outputs]
    classes = trees.classes_ if isinstance(trees.classes_, list) else [trees.classes_]
    # A forest whose training data never had an appliance on has only one class.
    return np.stack(
        [
            output[:, list(known).index(True)] if True in known else np.zeros(len(features))
            for output, known in zip(outputs, classes, strict=True)
        ],
        axis=1,
    )
