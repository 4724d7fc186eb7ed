"""Threshold on the probability that an appliance is on."""

import numpy as np
from numpy.typing import ArrayLike

from noiseless.errors import DataError
from noiseless.mechanisms.containers import convert_to_array, convert_to_floats


def find_best_threshold(probability: ArrayLike, is_on: ArrayLike) -> float:
    """Find the threshold on the probability to be on that has the best F-score.

    Parameters
    ----------
    probability : array_like, shape (n,)
        Probability that the appliance is on, at each time of the training data.
    is_on : array_like of bool, shape (n,)
        Whether the appliance is on.

    Returns
    -------
    float
        One of the probabilities; the largest of those that are equally good.  If the probabilities
        carry no information, it is the smallest one, so that the guess is "always on".

    Raises
    ------
    DataError
        If they are no numbers and truth values, or not equally many, and one or more.

    Examples
    --------
    >>> find_best_threshold([0.1, 0.4, 0.8, 0.9], [False, False, True, True])
    0.8
    """
    probability = convert_to_floats(probability, "the probabilities", is_complete=True)
    is_on = convert_to_array(is_on, "the states")
    if is_on.dtype != bool or probability.ndim != 1 or not 0 < len(probability) == is_on.size:
        raise DataError(
            "the states must be True or False, one for each probability, got "
            f"{is_on.dtype} of the shape {is_on.shape} for the shape {probability.shape}."
        )
    order = np.argsort(-probability, kind="stable")
    sorted_probability = probability[order]
    hits = np.cumsum(is_on[order])
    guessed = np.arange(1, len(order) + 1)
    f_score = 2 * hits / (guessed + max(1, is_on.sum()))
    # Equal probabilities must be on one side of the threshold, so only the last of them counts.
    is_last = np.append(sorted_probability[1:] < sorted_probability[:-1], True)
    return float(sorted_probability[np.argmax(np.where(is_last, f_score, -1.0))])
