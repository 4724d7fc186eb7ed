"""The classifier of windows of mains: a plain loop, and what it can learn."""

import numpy as np

from noiseless.adversaries.window_classifier import WindowClassifier, extract_windows


def test_windows_are_those_of_a_plain_loop():
    slot = np.array([10, 11, 12, 15, 16])
    value = np.array([1.0, 2, 3, 4, 5])
    known = dict(zip(slot.tolist(), value.tolist(), strict=True))
    expected = [[known.get(s + k, np.nan) for k in range(-2, 3)] for s in slot.tolist()]
    np.testing.assert_array_equal(extract_windows(value, slot, 2), expected)


def test_window_classifier_learns_what_a_threshold_decides_and_survives_the_unseen():
    rng = np.random.default_rng(2)
    value = rng.uniform(0, 100, 2000)
    slot, day = np.arange(2000), np.arange(2000) // 250
    is_on = np.column_stack([value > 70, np.zeros(2000, dtype=bool)])
    fitted = WindowClassifier.fit(
        value, is_on, slot=slot, day=day, radius=1, trees=10, rng=np.random.default_rng(1)
    )
    fresh = rng.uniform(0, 100, 500)
    guess = fitted.is_on(fresh, slot=np.arange(500))
    assert np.mean(guess[:, 0] == (fresh > 70)) > 0.97
    # Never on in training: the f-score is 0 whatever one says.
    assert guess[:, 1].all()
