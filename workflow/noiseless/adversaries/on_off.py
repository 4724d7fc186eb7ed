"""Threshold on the probability that an appliance is on."""

import numpy as np
from numpy.typing import NDArray


def find_best_threshold(probability: NDArray[np.float64], is_on: NDArray[np.bool_]) -> float:
    """Find the threshold on the probability to be on that has the best F-score.

    Parameters
    ----------
    probability : ndarray, shape (n,)
        Probability that the appliance is on, at each time of the training data.
    is_on : ndarray of bool, shape (n,)
        Whether the appliance is on.

    Returns
    -------
    float
        One of the probabilities; the largest of those that are equally good.  If the probabilities
        carry no information, it is the smallest one, so that the guess is "always on".

    Examples
    --------
    >>> import numpy as np
    >>> find_best_threshold(np.array([0.1, 0.4, 0.8, 0.9]), np.array([False, False, True, True]))
    0.8
    """
    order = np.argsort(-probability, kind="stable")
    sorted_probability = probability[order]
    hits = np.cumsum(is_on[order])
    guessed = np.arange(1, len(order) + 1)
    f_score = 2 * hits / (guessed + max(1, is_on.sum()))
    # Equal probabilities must be on one side of the threshold, so only the last of them counts.
    is_last = np.append(sorted_probability[1:] < sorted_probability[:-1], True)
    return float(sorted_probability[np.argmax(np.where(is_last, f_score, -1.0))])
