"""The threshold of an adversary who says on or off, against every other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from noiseless.adversaries.on_off import find_best_threshold


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_best_threshold_beats_every_other(pairs):
    probability = np.array([p / 5 for p, _ in pairs])
    is_on = np.array([on for _, on in pairs])
    chosen = find_best_threshold(probability, is_on)
    assert chosen in probability

    def score(threshold):
        return f1_score(is_on, probability >= threshold, zero_division=0)

    best = max(map(score, probability))
    assert score(chosen) == pytest.approx(best)
    if best > 0:
        assert not any(
            score(other) == pytest.approx(best) for other in probability[probability > chosen]
        )
